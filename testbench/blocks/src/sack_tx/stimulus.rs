//! Events for the sender: messages; delayed answers of a far end to the block's packets, with losses,
//! trimming and reordering; events that real far ends and hosts never cause. The stimulus depends on the
//! outcomes.

mod far_end;
mod phase;

use super::ports::outcome;
use far_end::FarEnd;
use phase::Phase;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use weft_nic::block::sack_tx::{Event, Kind, Outcome, Outputs};
use weft_params::{SackParams, SackTxClass, SackTxCsr};
use weft_random::Rng;

const PSNS: u32 = 1 << 24;
const HALF: u32 = PSNS / 2;
/// The bits of an ACK's tag that are its round-trip time.
const RTT: u32 = 0x7FFF_0000;

/// Ticks from which on epochs are long: no packet grows old within a round trip.
const LONG: u32 = 20_000;

/// Registers that pass their check, often with values that let timers expire soon.
pub fn random_csr(rng: &mut Rng) -> SackTxCsr {
    let (rtos, epochs, gaps): (&[u32], &[u32], &[u32]) = match rng.below(6) {
        // Timers expire all the time.
        0 | 1 => (&[1, 1, 5, 40], &[1, 1, 2, 5], &[0, 0, 1, 2, 8, 64, 64, 200, 255]),
        // All timers are long, so that whole windows stay outstanding.
        2 => (&[65_535], &[LONG, 24_575], &[0, 0, 1, 64]),
        _ => (
            &[1, 40, 300, 1_000, 2_188, 2_188, 8_000, 20_000, 65_535],
            &[1, 5, 20, 50, 100, 281, 281, 1_000, 24_575],
            &[0, 1, 1, 2, 3, 8, 64, 200, 255],
        ),
    };
    let mut class = || SackTxClass {
        gap: pick(rng, gaps),
        rto_ticks: pick(rng, rtos),
        epoch_ticks: pick(rng, epochs),
        high_ticks: pick(rng, &[1, 3, 20, 100, 619, 619, 3_000, 32_767]),
        backoff_limit: rng.below(8),
        retry_limit: pick(rng, &[0, 1, 2, 3, 7, 15, 255, 1_023]),
    };
    SackTxCsr {
        classes: std::array::from_fn(|_| class()),
        mtu_bytes: pick(rng, &[1, 64, 1_500, 4_096, 4_096, 9_000, (1 << 14) - 1]),
    }
}

/// Random values of the ports, valid or not.
pub fn any_csr(rng: &mut Rng) -> SackTxCsr {
    let skewed = |rng: &mut Rng, bits: u32| {
        let length = rng.below(bits + 1);
        rng.draw() as u32 & ((1 << length) - 1)
    };
    SackTxCsr {
        mtu_bytes: skewed(rng, 14),
        classes: std::array::from_fn(|_| SackTxClass {
            gap: skewed(rng, 8),
            rto_ticks: skewed(rng, 16),
            epoch_ticks: skewed(rng, 15),
            high_ticks: skewed(rng, 15),
            backoff_limit: rng.below(8),
            retry_limit: skewed(rng, 10),
        }),
    }
}

/// The fields of an outcome that the far end receives.
#[derive(Clone, Copy, Debug)]
pub struct Feedback {
    connection: u32,
    kind: Kind,
    accepted: bool,
    send: bool,
    fresh: bool,
    failed: bool,
    psn: u32,
}

impl From<&Outcome> for Feedback {
    fn from(outcome: &Outcome) -> Self {
        let Outcome { connection, kind, accepted, send, fresh, failed, psn, .. } = *outcome;
        Self { connection, kind, accepted, send, fresh, failed, psn }
    }
}

impl From<&Outputs> for Feedback {
    fn from(outputs: &Outputs) -> Self {
        Self::from(&outcome(outputs))
    }
}

/// A future event of the network.
#[derive(Clone, Copy, Debug)]
enum Item {
    /// A packet arrives at the far end.
    Arrival { connection: u32, life: u32, psn: u32, left: u64 },
    /// A NACK arrives at the sender.
    Nack { connection: u32, life: u32, psn: u32 },
    /// An ACK arrives at the sender.
    Ack { connection: u32, life: u32, psn: u32, trigger: u32, bitmap: [u64; 4], left: u64 },
}

/// An item and its clock. Items of one clock keep the order in which they were scheduled.
#[derive(Clone, Copy, Debug)]
struct Due {
    clock: u64,
    number: u64,
    item: Item,
}

impl PartialEq for Due {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Eq for Due {}

impl PartialOrd for Due {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Due {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.clock, self.number).cmp(&(other.clock, other.number))
    }
}

/// A stream of events, and the far ends that cause them.
#[derive(Clone, Debug)]
pub struct Stimulus {
    rng: Rng,
    params: SackParams,
    /// PSNs of a window.
    psns: u32,
    mtu_bytes: u32,
    /// Epochs are long in every class.
    patient: bool,
    /// Round-trip times from which on the network is congested.
    highs: [u32; 4],
    far_ends: Vec<FarEnd>,
    phase: Phase,
    clock: u64,
    /// Time in ticks, and clocks of a tick.
    now: u64,
    tick_clocks: u32,
    /// Number of bits by which reported round-trip times are shifted down, which also makes epochs short.
    shrink: u32,
    due: BinaryHeap<Reverse<Due>>,
    scheduled: u64,
    /// Events that are next, before any scheduled item.
    next: VecDeque<Event>,
}

impl Stimulus {
    /// A stimulus for a block in which no connection is open. The time of the stimulus wraps soon.
    pub fn new(rng: Rng, params: SackParams, csr: &SackTxCsr) -> Self {
        Self::with_psns(rng, params, SackParams::WINDOW, csr)
    }

    /// A stimulus for a block with a window of `psns`.
    pub fn with_psns(mut rng: Rng, params: SackParams, psns: u32, csr: &SackTxCsr) -> Self {
        let patient = csr.classes.iter().all(|class| class.epoch_ticks >= LONG);
        let phase = Phase::new(&mut rng, &params, psns, patient);
        let now = u64::from(PSNS) - u64::from(rng.below(100_000));
        let tick_clocks = pick(&mut rng, &[1, 1, 4, 10, 64]);
        let shrink = pick(&mut rng, &[0, 0, 3, 15, 15]);
        Self {
            rng,
            params,
            psns,
            mtu_bytes: csr.mtu_bytes,
            patient,
            highs: csr.classes.map(|class| class.high_ticks),
            far_ends: vec![FarEnd::default(); params.connections as usize],
            phase,
            clock: 0,
            now,
            tick_clocks,
            shrink,
            due: BinaryHeap::new(),
            scheduled: 0,
            next: VecDeque::new(),
        }
    }

    /// Time in ticks. The block's `now` is its low 24 bits.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// Whether epochs are long in every class.
    pub fn is_patient(&self) -> bool {
        self.patient
    }

    /// Advances by a clock.
    pub fn tick(&mut self) {
        self.clock += 1;
        if self.clock.is_multiple_of(self.tick_clocks.into()) {
            self.now += 1;
        }
        self.phase.clocks_left = self.phase.clocks_left.saturating_sub(1);
        if self.phase.clocks_left == 0 {
            self.phase = Phase::new(&mut self.rng, &self.params, self.psns, self.patient);
        }
    }

    /// Event of this clock, if any.
    pub fn event(&mut self) -> Option<Event> {
        let event = self.next.pop_front().or_else(|| self.arrived()).or_else(|| self.made())?;
        if matches!(event.kind, Kind::Open | Kind::Close) {
            self.far_ends[event.connection as usize].turn_over(event.kind == Kind::Open, event.psn);
        }
        // The round trip in the tag of an ACK is true, except for false values, most of them small or just
        // high.
        let tag = self.rng.draw() as u32;
        let tag = match (event.kind, self.rng.below(64)) {
            (Kind::Ack, 0) => tag & !(RTT << self.rng.below(16)),
            (Kind::Ack, 1) => tag & !RTT | pick(&mut self.rng, &self.highs) << 16,
            (Kind::Ack, _) => tag & !RTT | event.tag,
            _ => tag,
        };
        Some(Event { tag, now_ticks: self.now as u32 % PSNS, ..event })
    }

    /// Notes an outcome of the block.
    pub fn learn(&mut self, feedback: Feedback) {
        let Feedback { connection, psn, .. } = feedback;
        let far_end = &mut self.far_ends[connection as usize];
        if !far_end.learn(&feedback) {
            return;
        }
        let life = far_end.life;
        let (rng, phase) = (&mut self.rng, self.phase);
        if chance(rng, phase.losses) {
            return;
        }
        let item = if chance(rng, phase.trimmed) {
            Item::Nack { connection, life, psn }
        } else {
            Item::Arrival { connection, life, psn, left: self.now }
        };
        self.schedule(item);
        if chance(&mut self.rng, phase.twice) {
            self.schedule(item);
        }
    }

    fn schedule(&mut self, item: Item) {
        let clock = self.phase.arrival(&mut self.rng, self.clock);
        self.scheduled += 1;
        self.due.push(Reverse(Due { clock, number: self.scheduled, item }));
    }

    /// Handles scheduled items. Packets arrive at the far ends until an answer arrives at the sender.
    fn arrived(&mut self) -> Option<Event> {
        while self.due.peek().is_some_and(|Reverse(due)| due.clock <= self.clock) {
            let Some(Reverse(Due { item, .. })) = self.due.pop() else { break };
            let (Item::Arrival { connection, life, .. }
            | Item::Nack { connection, life, .. }
            | Item::Ack { connection, life, .. }) = item;
            let far_end = &mut self.far_ends[connection as usize];
            // Some answers of a connection's earlier life still arrive.
            let late = far_end.life != life;
            if late && (matches!(item, Item::Arrival { .. }) || !chance(&mut self.rng, 8)) {
                continue;
            }
            match item {
                Item::Arrival { psn, left, .. } => {
                    if let Some((expected, bitmap)) = far_end.arrival(psn, self.phase.gather, self.psns)
                        && !chance(&mut self.rng, self.phase.ack_losses)
                    {
                        self.schedule(Item::Ack {
                            connection,
                            life,
                            psn: expected,
                            trigger: psn,
                            bitmap,
                            left,
                        });
                    }
                }
                Item::Nack { psn, .. } => {
                    let denied = chance(&mut self.rng, self.phase.denials);
                    return Some(Event { psn, denied, ..Event::new(Kind::Nack, connection) });
                }
                Item::Ack { psn, trigger, bitmap, left, .. } => {
                    // Round-trip time that a time stamp of 16 bits gives.
                    let rtt = (self.now - left) as u16;
                    let tag = u32::from(rtt.min(0x7FFF) >> self.shrink) << 16;
                    let event = Event { psn, trigger, bitmap, tag, ..Event::new(Kind::Ack, connection) };
                    for _ in 0..self.phase.echoes {
                        let back = pick(&mut self.rng, &[0, 0, 1, 3]);
                        self.next.push_back(Event { psn: psn.wrapping_sub(back) % PSNS, ..event });
                    }
                    return Some(event);
                }
            }
        }
        None
    }

    /// Events of hosts, and events that should not happen.
    fn made(&mut self) -> Option<Event> {
        let (rng, phase) = (&mut self.rng, &self.phase);
        let connection = (phase.first + rng.below(phase.count)) & (self.params.connections - 1);
        let far_end = &self.far_ends[connection as usize];
        let event = if !far_end.open && chance(rng, 64) {
            self.opening(connection)
        } else if chance(rng, phase.posts) {
            Event { packets: phase.message(rng), ..Event::new(Kind::Post, connection) }
        } else if chance(rng, phase.windows) {
            let cwnd_bytes = window(rng, self.mtu_bytes, phase.wide.then_some(self.psns));
            Event { cwnd_bytes, ..Event::new(Kind::Window, connection) }
        } else if chance(rng, phase.control) {
            // An OPEN empties the block, so it is rare and the block fills.
            match rng.below(16) {
                0 => {
                    // A message follows at once, while events of the earlier opening are still on their way.
                    let post = Event { packets: phase.message(rng), ..Event::new(Kind::Post, connection) };
                    self.next.extend(chance(rng, 128).then_some(post));
                    self.opening(connection)
                }
                1 => Event::new(Kind::Close, connection),
                2 => Event { psn: rng.below(PSNS), ..Event::new(Kind::Send, connection) },
                3 => Event::new(Kind::Timeout, connection),
                _ => return None,
            }
        } else if chance(rng, phase.hostile) {
            far_end.hostile(rng, connection, self.psns)
        } else {
            return None;
        };
        Some(event)
    }

    /// An OPEN. The OPEN's PSN may be the one that the connection would have sent next.
    fn opening(&mut self, connection: u32) -> Event {
        let (rng, next) = (&mut self.rng, self.far_ends[connection as usize].next);
        let near_the_end = PSNS - 1 - rng.below(600);
        let psn = pick(rng, &[0, 1, PSNS - 1, near_the_end, near_the_end, HALF, next, next, next]);
        let cwnd_bytes = window(rng, self.mtu_bytes, self.phase.wide.then_some(self.psns));
        Event { psn, cwnd_bytes, ..Event::new(Kind::Open, connection) }
    }
}

/// A congestion window: of some packets, of more packets than there are PSNs, or of none. A wide window
/// has space for all.
fn window(rng: &mut Rng, mtu_bytes: u32, wide: Option<u32>) -> u32 {
    let packets = match wide {
        Some(psns) => pick(rng, &[psns + 44, 4_096]),
        None => pick(rng, &[0, 1, 2, 3, 30, 100, 255, 256, 300, 300, 4_096]),
    };
    (packets * mtu_bytes + rng.below(2)).saturating_sub(rng.below(2)).min((1 << 26) - 1)
}

fn pick<T: Copy>(rng: &mut Rng, list: &[T]) -> T {
    list[rng.below(list.len() as u32) as usize]
}

/// Draws an event with a chance of `of_256` in 256.
fn chance(rng: &mut Rng, of_256: u32) -> bool {
    of_256 > 0 && rng.below(256) < of_256
}
