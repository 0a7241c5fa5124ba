//! The entropy value of each packet. The bit-exact block of REPS chooses the value (this block can also
//! spray, or keep one value), or another algorithm that `hosts.baseline.paths` selects.

use super::choosers::Chooser;
use super::{Answer, Shared};
use crate::host::registers::Transport;
use crate::network::Network;
use weft_nic::block::reps::{Event, Kind, Reps};
use weft_nic::block::sender::Cause;
use weft_params::{RepsCsr, RepsParams};
use weft_random::Rng;

/// Duration of a tick of the block's clock.
const TICK_PS: u64 = 32_000;

/// The settings of a file as registers of the block.
pub(super) fn registers(network: &Network, hosts: &Transport, bdp_packets: u32, rto_us: f64) -> RepsCsr {
    let ticks = |us: f64| (us * 1e6 / TICK_PS as f64).round() as u32;
    RepsCsr {
        mode: hosts.ev_mode,
        evs_size: hosts.evs,
        ev_base: 0,
        trimming: network.queues[0].trims,
        freeze_timeout_ticks: ticks(hosts.freeze_us),
        bdp_packets: bdp_packets.min(0xFFFF),
        rtt_high_ticks: (network.base_rtt_ps(hosts.mtu) * 165 / 100 / TICK_PS).min(0xFFFF) as u32,
        rtt_window_ticks: 2 * ticks(rto_us),
        ..RepsCsr::default()
    }
}

/// The flows that start at a host, by their places.
pub(super) struct Paths {
    reps: Reps,
    /// Choosers of entropy values, for the flows whose values REPS does not choose.
    choosers: Vec<Option<Box<Chooser>>>,
    seed: u64,
    /// Time from which REPS freezes each flow without a failure, and the flows that have already been frozen so.
    freeze_ps: u64,
    has_frozen: Vec<bool>,
}

impl Paths {
    pub(super) fn new(number: u32, shared: &Shared) -> Self {
        let flows = shared.table.outgoing[number as usize].len() as u32;
        let connections = flows.next_power_of_two().max(4);
        let mut reps = Reps::new(RepsParams { connections, depth: 8, ev_width: 16 }, shared.reps);
        let seed = Rng::of(&[shared.network.seed, number.into(), 0x5245]).draw();
        // Bit 0 is 0, as in a NIC's seed.
        reps.step(&event(Kind::Seed, 0, seed as u16 & !1, ((seed >> 16) as u16, 0)));
        Self {
            reps,
            choosers: (0..flows).map(|_| None).collect(),
            seed: shared.network.seed,
            freeze_ps: shared.baseline.paths().freeze_at_us.map_or(u64::MAX, |us| (us * 1e6) as u64),
            has_frozen: vec![false; flows as usize],
        }
    }

    /// Handles the first packet of a flow since the time of a forced freeze. Returns whether a freeze began.
    pub(super) fn is_forced(&mut self, place: usize, now_ps: u64) -> bool {
        if now_ps < self.freeze_ps || self.has_frozen[place] {
            return false;
        }
        self.has_frozen[place] = true;
        self.timeout(place, now_ps)
    }

    /// Opens a flow. With a constant value, each flow has a value of its own.
    pub(super) fn open(&mut self, place: usize, flow: u32, shared: &Shared, now_ps: u64) {
        self.reps.step(&event(Kind::Open, place, value(self.seed, flow), (0, now_ps)));
        let (paths, packets) = (shared.baseline.paths(), shared.packets(flow));
        let rtt_ps = shared.network.base_rtt_ps(shared.mtu);
        self.choosers[place] =
            Chooser::new(&paths, (self.seed, flow), shared.reps.evs_size, packets, rtt_ps).map(Box::new);
    }

    /// Handles a packet that leaves, for the first time or again. Returns its entropy value and the origin of
    /// the value.
    pub(super) fn send(
        &mut self,
        place: usize,
        (number, lost): (u32, Option<Cause>),
        now_ps: u64,
    ) -> (u16, u8) {
        if let Some(chooser) = &mut self.choosers[place] {
            return (chooser.send(number, lost, now_ps), 0);
        }
        let outcome = self.reps.step(&event(Kind::Send, place, 0, (0, now_ps)));
        (outcome.ev, outcome.user() >> 4 & 3)
    }

    /// Handles an answer for a value. The block gets only answers to packets that arrived whole.
    pub(super) fn answer(&mut self, place: usize, ev: u16, answer: &Answer, now_ps: u64) {
        if let Some(chooser) = &mut self.choosers[place] {
            chooser.answer(ev, [answer.is_marked, answer.is_nack], answer.sent_ps, now_ps);
        } else if !answer.is_nack {
            let rtt = ((now_ps - answer.sent_ps) / TICK_PS).min(u16::MAX.into()) as u16;
            let heard = event(Kind::Ack, place, ev, (rtt, now_ps));
            self.reps.step(&Event { ecn: answer.is_marked, ..heard });
        }
    }

    /// Handles a lost packet. Returns whether a freeze began.
    pub(super) fn timeout(&mut self, place: usize, now_ps: u64) -> bool {
        if let Some(chooser) = &mut self.choosers[place] {
            chooser.timeout();
            return false;
        }
        let outcome = self.reps.step(&event(Kind::Timeout, place, 0, (0, now_ps)));
        outcome.turned && outcome.frozen
    }

    /// Closes a flow.
    pub(super) fn close(&mut self, place: usize, now_ps: u64) {
        self.choosers[place] = None;
        self.reps.step(&event(Kind::Close, place, 0, (0, now_ps)));
    }
}

/// The entropy value of a flow with a single value.
pub(super) fn value(seed: u64, flow: u32) -> u16 {
    (Rng::of(&[seed, flow.into(), 0x4556]).draw() >> 48) as u16
}

fn event(kind: Kind, place: usize, ev: u16, (rtt_ticks, now_ps): (u16, u64)) -> Event {
    let now_ticks = (now_ps / TICK_PS) as u32;
    Event { kind, connection: place as u32, ev, ecn: false, rtt_ticks, now_ticks }
}
