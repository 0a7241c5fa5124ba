//! The naive oracle: REPS as the paper prints it (Algorithms 1 and 2, Appendix A; SMaRTT-REPS Algorithm 4),
//! with lists, options, unbounded counters and absolute time. The oracle shares neither code nor encoding
//! with the model. Where the paper is silent, the rules of `docs/blocks/reps.md` apply.

use std::collections::HashMap;
use weft_nic::block::reps::{Event, Kind, Outcome, Source};
use weft_params::{EvMode, RepsCsr, RepsParams};

/// One element of `repsBuffer`.
#[derive(Clone, Copy)]
struct Element {
    cached_ev: u16,
    is_valid: bool,
}

/// The variables of Algorithm 1 for one connection.
struct Connection {
    reps_buffer: Vec<Option<Element>>,
    head: usize,
    number_valid_evs: usize,
    explore_counter: u64,
    is_freezing_mode: bool,
    exit_freezing_mode: u64,
    freezing_since: u64,
    /// Appendix A, strategy 2: every RTT seen outside freezing mode, with its time.
    rtts: Vec<(u64, u64)>,
    /// ECMP: the constant entropy value.
    fixed_ev: u16,
    /// SMaRTT-REPS Algorithm 4.
    next_entropy: u64,
    cached_entropy: Cached,
}

/// The value `cached_entropy`: an entropy number, or the value of an ACK.
enum Cached {
    Number(u64),
    Ev(u16),
}

/// All connections, straight from the paper.
pub struct Oracle {
    params: RepsParams,
    csr: RepsCsr,
    connections: HashMap<u32, Connection>,
    random: u32,
}

impl Oracle {
    /// The oracle with every connection closed.
    pub fn new(params: RepsParams, csr: RepsCsr) -> Self {
        Self { params, csr, connections: HashMap::new(), random: seeded(0) }
    }

    /// Sets the CSRs.
    pub fn set_csr(&mut self, csr: RepsCsr) {
        self.csr = csr;
    }

    /// Handles one event at the absolute time `now` (whose low 32 bits are `event.now_ticks`).
    pub fn step(&mut self, event: &Event, now: u64) -> Outcome {
        assert_eq!(now as u32, event.now_ticks);
        let mut outcome = Outcome {
            kind: event.kind,
            connection: event.connection,
            accepted: true,
            source: Source::Given,
            ev: 0,
            frozen: false,
            turned: false,
        };
        let ack_ev = event.ev & self.params.ev_max() as u16;
        match event.kind {
            Kind::Seed => {
                let seed = u32::from(event.rtt_ticks) << 16 | u32::from(event.ev);
                self.random = seeded(seed);
                return outcome;
            }
            Kind::Open => {
                let fresh = Connection {
                    reps_buffer: vec![None; self.params.depth as usize],
                    head: 0,
                    number_valid_evs: 0,
                    explore_counter: if self.csr.mode == EvMode::Reps2024 { self.bdp() } else { 0 },
                    is_freezing_mode: false,
                    exit_freezing_mode: 0,
                    freezing_since: 0,
                    rtts: Vec::new(),
                    fixed_ev: ack_ev,
                    next_entropy: 0,
                    cached_entropy: Cached::Number(0),
                };
                self.connections.insert(event.connection, fresh);
                return outcome;
            }
            Kind::Close => {
                outcome.accepted = self.connections.remove(&event.connection).is_some();
                return outcome;
            }
            _ => {}
        }
        let Some(mut connection) = self.connections.remove(&event.connection) else {
            outcome.accepted = false;
            return outcome;
        };
        let was_freezing = connection.is_freezing_mode;
        match (self.csr.mode, event.kind) {
            (EvMode::Reps, Kind::Send) => (outcome.ev, outcome.source) = self.on_send(&mut connection),
            (EvMode::Reps, Kind::Ack) => self.on_ack(&mut connection, event, ack_ev, now),
            (EvMode::Reps, Kind::Timeout) if self.csr.trimming || self.path_failed(&connection, now) => {
                self.on_failure_detection(&mut connection, now);
            }
            (EvMode::Reps, Kind::PathOk) if connection.is_freezing_mode => {
                self.empty_if_asked(&mut connection);
                self.exit_freezing_mode(&mut connection);
            }
            (EvMode::Reps, Kind::Idle) if !connection.is_freezing_mode => {
                connection.explore_counter = self.bdp();
            }
            (EvMode::Ops, Kind::Send) => (outcome.ev, outcome.source) = (self.rand(), Source::Explored),
            (EvMode::Fixed, Kind::Send) => outcome.ev = connection.fixed_ev,
            (EvMode::Reps2024, Kind::Send) => {
                (outcome.ev, outcome.source) = self.reps_onsend(&mut connection);
            }
            (EvMode::Reps2024, Kind::Ack) => reps_onrecv(&mut connection, event.ecn, ack_ev),
            _ => {}
        }
        outcome.frozen = connection.is_freezing_mode;
        outcome.turned = connection.is_freezing_mode != was_freezing;
        self.connections.insert(event.connection, connection);
        outcome
    }

    /// Algorithm 1, ONACK.
    fn on_ack(&mut self, connection: &mut Connection, event: &Event, ev: u16, now: u64) {
        if !connection.is_freezing_mode {
            connection.rtts.push((now, event.rtt_ticks.into()));
        }
        if event.ecn {
            return;
        }
        let exits = connection.is_freezing_mode && now > connection.exit_freezing_mode;
        if exits {
            self.empty_if_asked(connection);
        }
        let head = connection.head;
        if !connection.reps_buffer[head].is_some_and(|element| element.is_valid) {
            connection.number_valid_evs += 1;
        }
        connection.reps_buffer[head] = Some(Element { cached_ev: ev, is_valid: true });
        connection.head = (head + 1) % connection.reps_buffer.len();
        if exits {
            self.exit_freezing_mode(connection);
        }
    }

    /// Algorithm 1, ONFAILUREDETECTION. A failure long after the freeze began, when the cached values should
    /// have worked, ends the freeze: "if the EVs in the buffer were all pointing to a failing path" (ARCANE
    /// 3.2).
    fn on_failure_detection(&self, connection: &mut Connection, now: u64) {
        let is_stuck = now > connection.freezing_since + u64::from(self.csr.rtt_window_ticks);
        if connection.is_freezing_mode && is_stuck {
            self.empty_if_asked(connection);
            self.exit_freezing_mode(connection);
        } else if !connection.is_freezing_mode && connection.explore_counter == 0 {
            connection.is_freezing_mode = true;
            connection.exit_freezing_mode = now + u64::from(self.csr.freeze_timeout_ticks);
            connection.freezing_since = now;
            connection.rtts.clear();
        }
    }

    /// Whether a timeout means a failed path: the maximum RTT of the period before the timeout was low
    /// (Appendix A, strategy 2).
    fn path_failed(&self, connection: &Connection, now: u64) -> bool {
        let begin = now.saturating_sub(self.csr.rtt_window_ticks.into());
        let preceding = connection.rtts.iter().filter(|&&(time, _)| time >= begin);
        preceding.map(|&(_, rtt)| rtt).max().is_none_or(|max| max < u64::from(self.csr.rtt_high_ticks))
    }

    /// Algorithm 2, ONSEND.
    fn on_send(&mut self, connection: &mut Connection) -> (u16, Source) {
        let is_empty = connection.reps_buffer.iter().all(Option::is_none);
        let none_valid = connection.number_valid_evs == 0;
        if is_empty || (none_valid && !connection.is_freezing_mode) || connection.explore_counter > 0 {
            connection.explore_counter = connection.explore_counter.saturating_sub(1);
            (self.rand(), Source::Explored)
        } else {
            get_next_entropy(connection)
        }
    }

    fn exit_freezing_mode(&self, connection: &mut Connection) {
        connection.is_freezing_mode = false;
        connection.explore_counter = self.bdp();
    }

    fn empty_if_asked(&self, connection: &mut Connection) {
        if self.csr.thaw_reset {
            connection.reps_buffer.fill(None);
            connection.head = 0;
            connection.number_valid_evs = 0;
        }
    }

    /// NUM_PKTS_BDP in Table 1's 8 bits.
    fn bdp(&self) -> u64 {
        u64::from(self.csr.bdp_packets).min(255)
    }

    /// `rand() % EVS_SIZE` on the wire.
    fn rand(&mut self) -> u16 {
        let bits = self.random >> 9 ^ (self.random & 0xFF) << 15;
        let drawn = f64::from(bits) / f64::from(1 << 23);
        for _ in 0..23 {
            let bit = |i: u32| self.random >> i & 1;
            let next = bit(7) ^ bit(6) ^ bit(2) ^ bit(0);
            self.random = self.random >> 1 | next << 31;
        }
        self.wire((drawn * f64::from(self.csr.evs_size)).floor() as u64)
    }

    fn wire(&self, index: u64) -> u16 {
        ((u64::from(self.csr.ev_base) + index) % (1 << self.params.ev_width)) as u16
    }

    /// SMaRTT-REPS Algorithm 4, reps_onsend. The 256 entropies of a connection spread evenly over the EVS.
    fn reps_onsend(&self, connection: &mut Connection) -> (u16, Source) {
        let spread = |entropy: u64| self.wire(entropy * u64::from(self.csr.evs_size) / 256);
        if connection.explore_counter > 0 {
            connection.explore_counter -= 1;
            (spread(next_entropy(connection)), Source::Explored)
        } else {
            let ev = match connection.cached_entropy {
                Cached::Number(entropy) => spread(entropy),
                Cached::Ev(ev) => ev,
            };
            (ev, Source::Recycled)
        }
    }
}

/// Algorithm 2, GETNEXTENTROPY; while frozen only slots that were written (rule 9).
fn get_next_entropy(connection: &mut Connection) -> (u16, Source) {
    let size = connection.reps_buffer.len();
    let (offset, source) = if connection.number_valid_evs > 0 {
        let offset = (connection.head + size - connection.number_valid_evs) % size;
        connection.reps_buffer[offset].as_mut().expect("a valid slot is written").is_valid = false;
        connection.number_valid_evs -= 1;
        (offset, Source::Recycled)
    } else {
        let written = connection.reps_buffer[connection.head].is_some();
        let offset = if written { connection.head } else { 0 };
        connection.head = (offset + 1) % size;
        (offset, Source::Reused)
    };
    (connection.reps_buffer[offset].expect("only written slots are reused").cached_ev, source)
}

/// The generator's state after a seed.
fn seeded(seed: u32) -> u32 {
    const NEVER_ZERO: u32 = 1 << 31;
    if seed == 0x9E37_79B9 { NEVER_ZERO } else { seed ^ 0x9E37_79B9 }
}

/// SMaRTT-REPS Algorithm 4, reps_onrecv.
fn reps_onrecv(connection: &mut Connection, ecn: bool, ev: u16) {
    connection.cached_entropy = if ecn { Cached::Number(next_entropy(connection)) } else { Cached::Ev(ev) };
}

/// `next_entropy++ % num_entropies`; when all values are tried, the exploration ends.
fn next_entropy(connection: &mut Connection) -> u64 {
    let entropy = connection.next_entropy % 256;
    connection.next_entropy += 1;
    if connection.next_entropy.is_multiple_of(256) {
        connection.explore_counter = 0;
    }
    entropy
}
