//! Random work, commands, far ends and back-pressure, checked by the oracle.

use super::far::{DENIED, Far};
use super::oracle::{self, Oracle};
pub use super::settings::Settings;
use std::collections::{HashSet, VecDeque};
use weft_nic::block::sender::{Control, ControlKind, Inputs, Outputs};
use weft_nic::words::{Acknowledgement, Status, Work};
use weft_params::SenderCsr;
use weft_random::Rng;

/// Stimulus of the block, and its judge.
#[derive(Clone, Debug)]
pub struct Traffic {
    settings: Settings,
    rng: Rng,
    far: Far,
    /// The oracle.
    pub oracle: Oracle,
    clock: u64,
    now: u32,
    work: Option<(u32, Work)>,
    acknowledgement: Option<(u32, Acknowledgement)>,
    control: Option<(u32, Control)>,
    failure: Option<(u32, Status)>,
    /// Clock in which the command was first offered.
    offered: u64,
    /// Clocks for which each output stalls.
    stalled: [u32; 4],
    next_id: u32,
    /// Next connection to be opened at the beginning.
    opened: u32,
    /// Connections to be opened again, because they seem to have failed.
    again: VecDeque<u32>,
    /// Orders by connection.
    pub orders: Vec<u64>,
    /// Packets whose order left and whose answer has not arrived, by connection.
    in_flight: Vec<u32>,
    /// Maximum number of packets in flight of any connection.
    pub most_in_flight: u32,
    /// Entropy values of the orders, with their connections, and whether an unmarked ACK had returned each
    /// value.
    pub entropy: Vec<(u32, u16, bool)>,
    /// Entropy values that unmarked ACKs returned.
    returned: HashSet<(u32, u16)>,
}

impl Traffic {
    /// Traffic with random behaviour that follows from the seed.
    pub fn new(settings: Settings, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let connections = settings.connections;
        let mtu = 1 << settings.csr.mtu_shift;
        Self {
            far: Far::new(connections, settings.psns, settings.network, rng.draw()),
            oracle: Oracle::new(connections, settings.psns, mtu, settings.lies == 0, settings.failing),
            clock: 0,
            now: rng.draw() as u32,
            work: None,
            acknowledgement: None,
            control: None,
            failure: None,
            offered: 0,
            stalled: [0; 4],
            next_id: 1,
            opened: 0,
            again: VecDeque::new(),
            orders: vec![0; connections as usize],
            in_flight: vec![0; connections as usize],
            most_in_flight: 0,
            entropy: Vec::new(),
            returned: HashSet::new(),
            settings,
            rng,
        }
    }

    fn chance(&mut self, of: u32, many: u32) -> bool {
        self.rng.below(many) < of
    }

    /// Whether all requests have arrived and ended.
    pub fn finished(&self) -> bool {
        self.oracle.tally.works == self.settings.works
            && (0..self.settings.active).all(|connection| self.oracle.pending(connection) == 0)
    }

    /// Registers of the run.
    pub fn csr(&self) -> &SenderCsr {
        &self.settings.csr
    }

    /// Inputs of the next clock, after these outputs.
    pub fn drive(&mut self, outputs: &Outputs) -> Inputs {
        let settings = self.settings;
        let rst = self.clock == 0 || self.chance(settings.resets, 1 << 16);
        if rst {
            self.restart();
        }
        self.clock += 1;
        if self.clock.is_multiple_of(settings.tick) {
            self.now = self.now.wrapping_add(1);
        }
        let oracle = &mut self.oracle;
        self.far.clock(self.clock, |piece| oracle.came(piece));
        let started = self.opened == settings.active && self.control.is_none();
        if self.work.is_none() && started && !self.chance(settings.idle, 8) {
            self.work = self.some_work();
        }
        if self.control.is_none() {
            self.control = self.some_command();
            self.offered = self.clock;
            match self.control {
                Some((connection, Control { kind: ControlKind::Close, .. })) => {
                    self.oracle.closing(connection);
                }
                Some((connection, Control { kind: ControlKind::Drain, .. })) => {
                    self.oracle.to_drain(connection);
                }
                Some((connection, Control { kind: ControlKind::Open, .. })) => {
                    self.oracle.to_open(connection);
                }
                _ => {}
            }
        }
        if self.failure.is_none() && started && self.chance(settings.commands, 1 << 17) {
            let cause = if self.chance(1, 2) { Status::Breach } else { Status::Broken };
            self.failure = Some((self.rng.below(settings.active), cause));
        }
        if self.acknowledgement.is_none() {
            self.acknowledgement = self.some_acknowledgement();
        }
        let inputs = Inputs {
            rst,
            now: self.now,
            work: self.work,
            acknowledgement: self.acknowledgement,
            control: self.control,
            failure: self.failure,
            fetch_ready: self.ready(0),
            order_ready: self.ready(1),
            sent_ready: self.ready(2),
            // Some words are accepted late, yet all are accepted at the rate that many words need.
            freeze_ready: (settings.stalls + settings.unheard == 0 || self.ready(3))
                && self.clock % 400 > 150
                && !self.clock.is_multiple_of(3),
            drained_ready: self.clock % 500 > 200 && !self.clock.is_multiple_of(5),
            failed_ready: self.clock % 300 > 100 && self.clock.is_multiple_of(3),
            query: (self.clock >> 9) as u32 % settings.active,
        };
        if !rst {
            self.watch(&inputs, outputs);
        }
        inputs
    }

    fn ready(&mut self, output: usize) -> bool {
        let unheard = if output == 3 { self.settings.unheard } else { 0 };
        if self.stalled[output] == 0 && self.chance(self.settings.stalls + unheard, 1 << 16) {
            self.stalled[output] = 1 + self.rng.below(2_000);
        }
        let stalled = self.stalled[output] > 0;
        self.stalled[output] = self.stalled[output].saturating_sub(1);
        !stalled && !self.chance(self.settings.stall, 8)
    }

    /// A reset restarts all parts.
    fn restart(&mut self) {
        let Settings { connections, network, .. } = self.settings;
        self.far = Far::new(connections, self.settings.psns, network, self.rng.draw());
        self.oracle.reset();
        (self.work, self.acknowledgement, self.control) = (None, None, None);
        self.failure = None;
        self.opened = 0;
        self.again.clear();
        self.in_flight.fill(0);
        self.stalled = [0; 4];
    }

    /// Passes the transfers of the next edge to the oracle.
    fn watch(&mut self, inputs: &Inputs, outputs: &Outputs) {
        if let Some((connection, work)) = self.work.filter(|_| outputs.work_ready) {
            self.oracle.work(connection, &work);
            self.work = None;
        }
        if let Some((connection, control)) = self.control.filter(|_| outputs.control_ready) {
            match control.kind {
                ControlKind::Open => self.oracle.command(connection, Some(control.psn)),
                ControlKind::Close => {
                    self.oracle.tally.closed_late += u64::from(self.clock > self.offered + 300);
                    self.oracle.command(connection, None);
                }
                ControlKind::Drain => self.oracle.drains(connection),
                ControlKind::Seed | ControlKind::PathOk => {}
            }
            self.control = None;
        }
        if let Some((connection, answer)) = self.acknowledgement.filter(|_| outputs.acknowledgement_ready) {
            let in_flight = &mut self.in_flight[connection as usize];
            *in_flight = in_flight.saturating_sub(1);
            if answer.nack && answer.reason == DENIED {
                self.oracle.denied(connection);
            }
            if !answer.nack && !answer.ce {
                self.returned.insert((connection, answer.ev));
            }
            self.acknowledgement = None;
        }
        if let Some((connection, cause)) = self.failure.filter(|_| outputs.failure_ready) {
            self.oracle.fails(connection, cause);
            self.failure = None;
        }
        if let Some((connection, denied)) = outputs.failed.get().filter(|_| inputs.failed_ready) {
            self.oracle.failed(connection, denied);
        }
        if let Some((connection, passed)) = outputs.passed.get() {
            self.oracle.passes(connection, passed);
        }
        if let Some((connection, order)) = outputs.order.get().filter(|_| inputs.order_ready) {
            let piece = self.oracle.order(connection, &order);
            let generation = self.oracle.generation(connection);
            self.far.packet(self.clock, connection, generation, piece, &order, self.now);
            self.orders[connection as usize] += 1;
            self.in_flight[connection as usize] += 1;
            self.most_in_flight = self.most_in_flight.max(self.in_flight[connection as usize]);
            self.entropy.push((connection, order.ev, self.returned.contains(&(connection, order.ev))));
        }
        if let Some((connection, place)) = outputs.fetch.get().filter(|_| inputs.fetch_ready) {
            self.oracle.fetch(connection, &place);
        }
        if let Some((connection, began)) = outputs.freeze.get().filter(|_| inputs.freeze_ready) {
            self.oracle.freeze(connection, began);
        }
        if let Some((connection, ())) = outputs.drained.get().filter(|_| inputs.drained_ready) {
            self.oracle.drained(connection);
        }
        self.oracle.owes(self.clock);
        if let Some((connection, sent)) = outputs.sent.get().filter(|_| inputs.sent_ready) {
            self.oracle.sent(connection, &sent);
            if self.settings.failing && sent.status != Status::Done && self.chance(1, 8) {
                self.again.push_back(connection);
            }
        }
    }

    fn some_work(&mut self) -> Option<(u32, Work)> {
        let Settings { active, works, packets, depth, csr, .. } = self.settings;
        let connection = self.rng.below(active);
        if u64::from(self.next_id) > works || self.oracle.pending(connection) >= depth {
            return None;
        }
        let id = self.next_id;
        self.next_id += 1;
        let mtu = 1 << csr.mtu_shift;
        let length = match self.rng.below(64) {
            0 | 1 => 0,
            2 => 1,
            3 => mtu,
            4 => mtu + 1,
            5 => 300 * mtu - 1,
            6 if depth > 16 => (mtu << 16) + self.rng.below(2) - 1,
            7 if depth > 16 => u32::MAX,
            // The largest number of packets, a power of two. Such a request never ends, so it is rare.
            8 if depth > 16 && self.chance(1, 32) => (mtu << 16 >> self.rng.below(2)) - mtu,
            _ => 1 + self.rng.below(packets * mtu),
        };
        let work = Work {
            local: oracle::local(id),
            remote: oracle::remote(id),
            key: self.rng.draw() as u32,
            length,
            immediate: self.rng.draw() as u32,
            id,
            with_immediate: self.rng.below(2) == 0,
        };
        Some((connection, work))
    }

    fn some_command(&mut self) -> Option<(u32, Control)> {
        let settings = self.settings;
        let (connection, kind) = if self.opened < settings.active {
            self.opened += 1;
            (self.opened - 1, ControlKind::Open)
        } else if let Some(connection) = self.again.pop_front() {
            (connection, ControlKind::Open)
        } else if self.chance(settings.commands, 1 << 16) {
            let kinds = [
                ControlKind::Close,
                ControlKind::Open,
                ControlKind::Open,
                ControlKind::Seed,
                ControlKind::PathOk,
                ControlKind::Drain,
            ];
            (self.rng.below(settings.active), kinds[self.rng.below(6) as usize])
        } else {
            return None;
        };
        // A PSN most likely far from those on their way.
        let psn = self.rng.draw() as u32 & 0xFF_FFFF;
        let control = Control {
            kind,
            psn,
            class: self.rng.below(4) as u8,
            ev: self.rng.draw() as u16,
            seed: self.rng.draw() as u32,
        };
        Some((connection, control))
    }

    fn some_acknowledgement(&mut self) -> Option<(u32, Acknowledgement)> {
        let Settings { connections, strays, lies, .. } = self.settings;
        let made_up = |rng: &mut Rng| Acknowledgement {
            nack: rng.below(4) == 0,
            expected: rng.draw() as u32 & 0xFF_FFFF,
            trigger: rng.draw() as u32 & 0xFF_FFFF,
            bitmap: std::array::from_fn(|_| rng.draw()),
            ce: rng.below(2) == 0,
            ev: rng.draw() as u16,
            stamp: rng.draw() as u16,
            reason: Some(rng.draw() as u8).filter(|reason| *reason > 8).unwrap_or(DENIED),
            there: rng.draw() as u16 & rng.draw() as u16,
            marked: rng.draw() as u16,
            evs: std::array::from_fn(|_| rng.draw() as u16),
        };
        let last = |traffic: &Self, connection| {
            let (_, start) = traffic.oracle.generation(connection);
            traffic.orders[connection as usize] as u32 + start
        };
        if self.chance(strays, 1 << 10) {
            // A PSN far behind or ahead of all that was sent.
            let connection = self.rng.below(connections);
            let mut answer = made_up(&mut self.rng);
            let away = 0x6_0000 + self.rng.below(0x2_0000);
            let from = last(self, connection);
            let ahead = self.rng.below(2) == 0;
            answer.expected = if ahead { from + away } else { from.wrapping_sub(away) } & 0xFF_FFFF;
            return Some((connection, answer));
        }
        if self.chance(lies, 1 << 10) {
            let connection = self.rng.below(connections);
            let mut answer = made_up(&mut self.rng);
            if self.rng.below(2) == 0 {
                answer.expected = last(self, connection).wrapping_sub(self.rng.below(40)) & 0xFF_FFFF;
                answer.trigger = (answer.expected + self.rng.below(80)) & 0xFF_FFFF;
            }
            return Some((connection, answer));
        }
        self.far.answers.pop_front()
    }
}
