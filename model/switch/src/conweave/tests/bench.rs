//! One ToR switch's stages, without queues: packets are header vectors.

use crate::conweave::fields::Fields;
use crate::conweave::*;
use crate::kit::{Builder, Gress, Phv, Pipe, Profile, intrinsic::*};
use std::sync::Arc;

/// A host of this switch, and one behind group 1.
pub(super) const OURS: Address = Address(0, 1);
pub(super) const THEIRS: Address = Address(0, 11);
/// Paths of the group; path p leaves by port 3 + p.
pub(super) const PATHS: [u8; 4] = [1, 2, 3, 4];

pub(super) struct Bench {
    pub(super) pipe: Pipe,
    /// The program's own fields: a program's fields have the same numbers each time.
    pub(super) f: Fields,
    pub(super) options: Options,
    pub(super) control: Control,
    pub(super) tick: u64,
}

/// A data packet as it arrives at the destination's switch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Data {
    pub(super) opcode: u64,
    pub(super) epoch: u64,
    pub(super) rerouted: bool,
    pub(super) tail: bool,
    pub(super) tx: u64,
    pub(super) tail_tx: u64,
    pub(super) marked: bool,
}

pub(super) const OLD: Data =
    Data { opcode: opcode::DATA, epoch: 1, rerouted: false, tail: false, tx: 0, tail_tx: 0, marked: false };
pub(super) const REROUTED: Data = Data { rerouted: true, ..OLD };
pub(super) const TAIL: Data = Data { tail: true, ..OLD };
pub(super) const REQUEST: Data = Data { opcode: opcode::RTT_REQUEST, ..OLD };

impl Bench {
    pub(super) fn new(options: Options, seed: u64) -> Self {
        let sizes = Sizes { ports: 8, connections: 256, hosts: 16, groups: 4, paths: 8 };
        let program = Arc::new(tor(&options, &sizes).expect("it keeps the rules"));
        let mut pipe = Pipe::new(program, options.clocks_per_tick, seed);
        let mut control = Control::new();
        assert!(control.host(&mut pipe, OURS, Place::Port(0)));
        assert!(control.host(&mut pipe, THEIRS, Place::Group(1)));
        for path in PATHS {
            let port = 3 + u16::from(path);
            assert!(control.uplink(&mut pipe, port) && control.path(&mut pipe, path, Some(port)));
        }
        assert!(control.group(&mut pipe, 1, &PATHS));
        let f = Fields::new(&mut Builder::new("the same", Profile::default()));
        Self { pipe, f, options, control, tick: 1000 }
    }

    /// Puts connections in both directions into the table.
    pub(super) fn connect(&mut self, sport: u16) {
        let reply = self.options.theta.reply;
        assert!(self.control.connect(&mut self.pipe, OURS, THEIRS, sport, reply));
        assert!(self.control.connect(&mut self.pipe, THEIRS, OURS, sport, reply));
    }

    /// Runs a pass of a packet, and a second pass if the packet requests one.
    pub(super) fn pass(&mut self, phv: &mut Phv, pass: u64) {
        for pass in [pass, 1] {
            self.pipe.forget(phv, false);
            (phv[TICK], phv[PASS]) = (self.tick & 0xFFFF_FFFF, pass);
            self.pipe.run(Gress::Ingress, phv, &[]);
            if phv[DROP] == 1 || phv[RESUBMIT] == 0 {
                return;
            }
        }
        panic!("a third pass");
    }

    fn phv(&self, from: Address, to: Address, sport: u16) -> Phv {
        let mut phv = self.pipe.phv();
        (phv[IS_IP], phv[IS_ROCE], phv[OPCODE], phv[ECN]) = (1, 1, 7, 2);
        (phv[SRC], phv[DST], phv[SPORT]) = (from.1, to.1, sport.into());
        phv
    }

    /// Sends a packet of this switch's host.
    pub(super) fn send(&mut self, sport: u16) -> Phv {
        self.send_as(sport, 0)
    }

    /// Sends a packet with a DSCP.
    pub(super) fn send_as(&mut self, sport: u16, dscp: u8) -> Phv {
        let mut phv = self.phv(OURS, THEIRS, sport);
        phv[DSCP] = dscp.into();
        self.pass(&mut phv, 0);
        phv
    }

    /// A control packet arrives.
    pub(super) fn control(&mut self, sport: u16, opcode: u64, epoch: u64, path: u64) -> Phv {
        let mut phv = self.phv(THEIRS, OURS, sport);
        phv[PORT_IN] = 4;
        (phv[CW_VALID], phv[CW_OPCODE], phv[CW_EPOCH], phv[CW_PATH]) = (1, opcode, epoch, path);
        self.pass(&mut phv, 0);
        phv
    }

    /// A data packet arrives.
    pub(super) fn arrive(&mut self, sport: u16, data: Data) -> Phv {
        self.arrive_as(sport, data, 0)
    }

    /// Passes in a packet with a DSCP.
    pub(super) fn arrive_as(&mut self, sport: u16, data: Data, dscp: u8) -> Phv {
        let mut phv = self.phv(THEIRS, OURS, sport);
        phv[DSCP] = dscp.into();
        (phv[PORT_IN], phv[CW_VALID], phv[CW_PATH], phv[CW_OPCODE]) = (5, 1, 2, data.opcode);
        (phv[CW_EPOCH], phv[CW_REROUTED], phv[CW_TAIL]) =
            (data.epoch, data.rerouted.into(), data.tail.into());
        (phv[CW_TX], phv[CW_TAIL_TX]) = (data.tx & 0xFFFF, data.tail_tx & 0xFFFF);
        if data.marked {
            phv[ECN] = 3;
        }
        self.pass(&mut phv, 0);
        phv
    }

    /// The copy that a packet requests, after the egress stages.
    pub(super) fn copy(&mut self, phv: &Phv) -> Option<Phv> {
        if phv[MIRROR] == 0 {
            return None;
        }
        let mut copy = phv.clone();
        copy[PASS] = 3;
        self.pipe.ask_anew(&mut copy);
        self.pipe.run(Gress::Egress, &mut copy, &[]);
        Some(copy)
    }

    /// The ConWeave opcode of that copy; a loop packet's is 0.
    pub(super) fn answer(&mut self, phv: &Phv) -> Option<u64> {
        let copy = self.copy(phv)?;
        Some(if copy[DST] == THEIRS.1 { copy[CW_OPCODE] } else { 0 })
    }

    /// The packet behind the egress stages.
    pub(super) fn leave(&mut self, phv: &Phv) -> Phv {
        let mut phv = phv.clone();
        self.pipe.ask_anew(&mut phv);
        self.pipe.run(Gress::Egress, &mut phv, &[]);
        phv
    }

    /// A loop packet returns.
    pub(super) fn round(&mut self, phv: &mut Phv) {
        self.pass(phv, 2);
    }

    pub(super) fn count(&self, name: &str) -> u64 {
        assert!(EVENTS.contains(&name) || EXTRAS.contains(&name) || COPIES.contains(&name), "{name}");
        counter(&self.pipe, name)
    }
}

/// (REROUTED, TAIL, epoch, opcode) of a packet.
pub(super) fn marks(phv: &Phv) -> (u64, u64, u64, u64) {
    (phv[CW_REROUTED], phv[CW_TAIL], phv[CW_EPOCH], phv[CW_OPCODE])
}
