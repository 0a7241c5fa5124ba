//! Random work, commands, far ends and back-pressure, and the oracle beside it all.

use super::far::{DENIED, Far, Network};
use super::oracle::{self, Oracle};
use super::ports::default_csr;
use std::collections::{HashSet, VecDeque};
use weft_nic::block::sender::{Control, ControlKind, Inputs, Outputs};
use weft_nic::words::{Acknowledgement, Status, Work};
use weft_params::{SackTxClass, SenderCsr, Signals};
use weft_random::Rng;

/// What the traffic is like.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Connections of the block.
    pub connections: u32,
    /// Of these, the ones that are used.
    pub active: u32,
    /// The registers.
    pub csr: SenderCsr,
    /// The network.
    pub network: Network,
    /// Of 8 clocks, those in which nothing new is offered.
    pub idle: u32,
    /// Of 8 clocks, those in which nothing is taken.
    pub stall: u32,
    /// Of 2^16 clocks, those in which an output begins to take nothing for long.
    pub stalls: u32,
    /// Of 2^16 clocks, resets.
    pub resets: u32,
    /// Of 2^16 clocks, commands.
    pub commands: u32,
    /// Of 2^10 clocks, made-up ACKs and NACKs that speak of nothing that was sent.
    pub strays: u32,
    /// Of 2^10 clocks, made-up ACKs and NACKs that may say anything.
    pub lies: u32,
    /// Requests, of all connections.
    pub works: u64,
    /// Most packets of a usual request; a few are longer, some are empty or too long.
    pub packets: u32,
    /// Requests of a connection that wait at once, at most.
    pub depth: usize,
    /// Connections may give up.
    pub failing: bool,
    /// A tick takes so many clocks.
    pub tick: u64,
}

impl Settings {
    /// Quiet traffic of so many connections: a good network and no command but the openings.
    pub fn quiet(connections: u32, csr: SenderCsr) -> Self {
        Self {
            connections,
            active: connections,
            csr,
            network: Network { loss: 0, trims: 0, denials: 0, marks: 0, delay: 200, jitter: 0 },
            idle: 0,
            stall: 0,
            stalls: 0,
            resets: 0,
            commands: 0,
            strays: 0,
            lies: 0,
            works: u64::MAX,
            packets: 20,
            depth: 16,
            failing: false,
            tick: 8,
        }
    }

    /// Traffic in which everything happens, different for every seed.
    pub fn random(connections: u32, rng: &mut Rng) -> Self {
        let mut csr = default_csr();
        let pick = |rng: &mut Rng, list: &[u32]| list[rng.below(list.len() as u32) as usize];
        csr.mtu_shift = pick(rng, &[8, 9, 10, 12, 13]) as u8;
        csr.idle_ticks = pick(rng, &[0, 1, 20, 300]);
        csr.sack.classes = std::array::from_fn(|_| SackTxClass {
            gap: pick(rng, &[0, 1, 8, 64]),
            rto_ticks: pick(rng, &[60, 300, 2_000]),
            epoch_ticks: pick(rng, &[10, 30, 100, 281]),
            high_ticks: pick(rng, &[1, 100, 619]),
        });
        csr.sack.backoff_limit = rng.below(8);
        csr.sack.retry_limit = pick(rng, &[1, 3, 255]);
        csr.reps.trimming = rng.below(2) == 0;
        csr.reps.freeze_timeout_ticks = pick(rng, &[0, 50, 1_000]);
        csr.reps.mode = [
            weft_params::EvMode::Reps,
            weft_params::EvMode::Reps,
            weft_params::EvMode::Ops,
            weft_params::EvMode::Fixed,
            weft_params::EvMode::Reps2024,
        ][rng.below(5) as usize];
        random_paths(&mut csr, rng);
        random_windows(&mut csr, rng);
        let settings = Self {
            active: [1, 3, connections.min(20), connections][rng.below(4) as usize].min(connections),
            network: Network {
                loss: pick(rng, &[0, 0, 5, 51]),
                trims: pick(rng, &[0, 0, 20, 100]),
                denials: 0,
                marks: pick(rng, &[0, 60, 256]),
                delay: pick(rng, &[0, 100, 600]),
                jitter: pick(rng, &[0, 40, 1_500]),
            },
            idle: pick(rng, &[0, 1, 4, 7]),
            stall: pick(rng, &[0, 0, 2, 5, 7]),
            stalls: pick(rng, &[0, 2, 20]),
            resets: pick(rng, &[0, 0, 2, 8]),
            commands: pick(rng, &[0, 20, 500, 5_000]),
            strays: pick(rng, &[0, 3, 100]),
            lies: pick(rng, &[0, 0, 5, 100]),
            packets: pick(rng, &[1, 3, 40]),
            depth: [1, 14, 20][rng.below(3) as usize],
            failing: true,
            tick: u64::from(pick(rng, &[1, 8])),
            ..Self::quiet(connections, csr)
        };
        match rng.below(6) {
            // Some packets are denied.
            0 => Self { network: Network { denials: 40, ..settings.network }, ..settings },
            // Many packets may leave, and orders stand for long.
            2 => Self {
                active: connections.min(20),
                stalls: 100,
                packets: 40,
                depth: 14,
                idle: 0,
                ..settings.small()
            },
            // Paths fail, connections are closed, and nobody takes what there is to tell of freezes.
            3 => {
                let network = Network { loss: 51, trims: 0, ..settings.network };
                Self { network, stalls: 200, commands: 500, ..settings }
            }
            // Windows change with every ACK, and outputs stand: new ones come before the transport has heard of the last.
            1 => {
                let network = Network { loss: 0, trims: 0, marks: 128, ..settings.network };
                Self { network, stalls: 200, resets: 0, commands: 0, lies: 0, packets: 40, ..settings }
            }
            _ => settings,
        }
    }

    /// The same with packets of 256 bytes, and windows for 30 of them.
    fn small(mut self) -> Self {
        self.csr.mtu_shift = 8;
        for class in &mut self.csr.smartt.classes {
            class.mtu_bytes = 1 << self.csr.mtu_shift;
            class.max_cwnd_bytes = 30 << self.csr.mtu_shift;
        }
        self
    }
}

/// Registers of the choice of paths, at their defaults now and then.
fn random_paths(csr: &mut SenderCsr, rng: &mut Rng) {
    let reps = &mut csr.reps;
    reps.thaw_reset = rng.below(2) == 0;
    reps.ev_base = [reps.ev_base, 0, 0x1234][rng.below(3) as usize];
    reps.evs_size = [reps.evs_size, 1, 16, 50_000][rng.below(4) as usize].min((1 << 16) - reps.ev_base);
    reps.bdp_packets = [reps.bdp_packets, 1, 8, 300][rng.below(4) as usize];
    reps.rtt_high_ticks = [reps.rtt_high_ticks, 1, 100][rng.below(3) as usize];
    reps.rtt_window_ticks = [reps.rtt_window_ticks, 0, 500, 50_000][rng.below(4) as usize];
}

/// And of the congestion window, each somewhere near its default.
fn random_windows(csr: &mut SenderCsr, rng: &mut Rng) {
    let near = |rng: &mut Rng, value: u32| match rng.below(3) {
        0 => value,
        1 => value - value / 4,
        _ => value + value / 4,
    };
    let smartt = &mut csr.smartt;
    for class in &mut smartt.classes {
        class.mtu_bytes = 1 << csr.mtu_shift;
        class.max_cwnd_bytes = [1, 3, 30, 300][rng.below(4) as usize] << csr.mtu_shift;
        class.fair_decrease_bytes = near(rng, class.fair_decrease_bytes);
        class.base_rtt_ticks = near(rng, class.base_rtt_ticks);
        class.target_rtt_ticks = class.base_rtt_ticks + rng.below(class.base_rtt_ticks);
        class.fast_rtt_ticks = near(rng, class.fast_rtt_ticks);
        class.multiplicative_increase = near(rng, class.multiplicative_increase);
        class.fair_increase = near(rng, class.fair_increase);
    }
    smartt.multiplicative_decrease = near(rng, smartt.multiplicative_decrease);
    smartt.qa_scaling = near(rng, smartt.qa_scaling);
    smartt.wtd_alpha = near(rng, smartt.wtd_alpha);
    smartt.wtd_threshold = near(rng, smartt.wtd_threshold);
    smartt.granularity = 1 + rng.below(8);
    smartt.fast_mtus = 1 + rng.below(4);
    smartt.signals = [Signals::Both, Signals::Both, Signals::Ecn, Signals::Delay][rng.below(4) as usize];
    smartt.late_losses = rng.below(2) == 0;
}

/// What drives the block, and what watches it.
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
    /// The clock that offered it first.
    offered: u64,
    /// Clocks for which each output takes nothing.
    stalled: [u32; 4],
    next_id: u32,
    /// The next connection to be opened at the beginning.
    opened: u32,
    /// Connections to be opened anew, because they seem to have given up.
    again: VecDeque<u32>,
    /// Orders by connection.
    pub orders: Vec<u64>,
    /// Packets whose order left and whose answer has not come, by connection.
    in_flight: Vec<u32>,
    /// The most of any connection.
    pub most_in_flight: u32,
    /// Entropy values of the orders, with their connections, and whether an unmarked ACK had brought them back.
    pub entropy: Vec<(u32, u16, bool)>,
    /// What unmarked ACKs brought back.
    returned: HashSet<(u32, u16)>,
}

impl Traffic {
    /// Traffic of its own for every seed.
    pub fn new(settings: Settings, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let connections = settings.connections;
        let mtu = 1 << settings.csr.mtu_shift;
        Self {
            far: Far::new(connections, settings.network, rng.draw()),
            oracle: Oracle::new(connections, mtu, settings.lies == 0, settings.failing),
            clock: 0,
            now: rng.draw() as u32,
            work: None,
            acknowledgement: None,
            control: None,
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

    /// All requests have come and ended.
    pub fn finished(&self) -> bool {
        self.oracle.tally.works == self.settings.works
            && (0..self.settings.active).all(|connection| self.oracle.pending(connection) == 0)
    }

    /// What software has set.
    pub fn csr(&self) -> &SenderCsr {
        &self.settings.csr
    }

    /// The inputs of the next clock, after these outputs.
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
        if self.acknowledgement.is_none() {
            self.acknowledgement = self.some_acknowledgement();
        }
        let inputs = Inputs {
            rst,
            now: self.now,
            work: self.work,
            acknowledgement: self.acknowledgement,
            control: self.control,
            fetch_ready: self.ready(0),
            order_ready: self.ready(1),
            sent_ready: self.ready(2),
            // Not every word is taken at once, and none for as long as many take.
            freeze_ready: self.ready(3) && self.clock % 400 > 150 && !self.clock.is_multiple_of(3),
            drained_ready: self.clock % 500 > 200 && !self.clock.is_multiple_of(5),
        };
        if !rst {
            self.watch(&inputs, outputs);
        }
        inputs
    }

    fn ready(&mut self, output: usize) -> bool {
        if self.stalled[output] == 0 && self.chance(self.settings.stalls, 1 << 16) {
            self.stalled[output] = 1 + self.rng.below(2_000);
        }
        let stalled = self.stalled[output] > 0;
        self.stalled[output] = self.stalled[output].saturating_sub(1);
        !stalled && !self.chance(self.settings.stall, 8)
    }

    /// A reset: all begins anew.
    fn restart(&mut self) {
        let Settings { connections, network, .. } = self.settings;
        self.far = Far::new(connections, network, self.rng.draw());
        self.oracle.reset();
        (self.work, self.acknowledgement, self.control) = (None, None, None);
        self.opened = 0;
        self.again.clear();
        self.in_flight.fill(0);
        self.stalled = [0; 4];
    }

    /// What is handed over at the next edge.
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
            // The most packets, and a power of two of them. It never ends, so it is rare.
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
        // Most likely far from what is on its way.
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
        };
        let last = |traffic: &Self, connection| {
            let (_, start) = traffic.oracle.generation(connection);
            traffic.orders[connection as usize] as u32 + start
        };
        if self.chance(strays, 1 << 10) {
            // Far behind or ahead of everything that was sent.
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
