//! Random events for the SACK receiver: phases of senders that send in order, out of order, with losses or
//! whole windows backwards, and events that no correct sender causes. The senders learn from the block's
//! outcomes.

use weft_nic::block::sack_rx::{Event, Kind, Outcome, Outputs};
use weft_params::{SackParams, SackRxCsr};
use weft_random::Rng;

const PSNS: u32 = 1 << 24;
const HALF: u32 = PSNS / 2;

/// CSRs that acknowledge every packet, or let packets wait.
pub fn random_csr(rng: &mut Rng) -> SackRxCsr {
    SackRxCsr {
        ack_packets: pick(rng, &[0, 1, 1, 2, 3, 8, 64, 254, 255]),
        ack_bytes: pick(rng, &[0, 0, 1, 1_023, 1_024, 1_025, 4_096, 16_384, 65_535]),
    }
}

/// The fields of an outcome that a sender receives.
#[derive(Clone, Copy, Debug)]
pub struct Feedback {
    connection: u32,
    kind: Kind,
    expected: u32,
    psn: u32,
    bitmap: [u64; 4],
}

impl From<&Outcome> for Feedback {
    fn from(outcome: &Outcome) -> Self {
        let Outcome { connection, kind, expected, psn, bitmap, .. } = *outcome;
        Self { connection, kind, expected, psn, bitmap }
    }
}

impl From<&Outputs> for Feedback {
    fn from(outputs: &Outputs) -> Self {
        let [a, b, c, d, words, ..] = outputs.outcome_data;
        Self {
            connection: outputs.outcome_id,
            kind: Kind::ALL[usize::from(outputs.outcome_user & 7)],
            expected: words as u32 & (PSNS - 1),
            psn: (words >> 24) as u32 & (PSNS - 1),
            bitmap: [a, b, c, d],
        }
    }
}

/// State of the sender of one connection.
#[derive(Clone, Copy, Debug, Default)]
struct Sender {
    open: bool,
    /// OPENs and CLOSEs in the block. Until these are returned, outcomes belong to the earlier opening.
    turning: u32,
    /// Cumulative PSN and bitmap that the sender learned last, and the PSNs between both.
    una: u32,
    between: u32,
    received: [u64; 4],
    /// The sender sends PSN `base + (position ^ key)` next, with the key of the phase.
    base: u32,
    position: u32,
    /// Times in a row that the window blocked the sender.
    blocked: u32,
    /// Phase in which the sender sent last.
    phase: u32,
}

impl Sender {
    /// Distance of a PSN from the cumulative one.
    fn ahead(&self, psn: u32) -> u32 {
        psn.wrapping_sub(self.una) % PSNS
    }

    fn knows(&self, psn: u32) -> bool {
        let Some(ahead) = self.ahead(psn).checked_sub(self.between).map(|ahead| ahead as usize) else {
            return false;
        };
        ahead < 256 && self.received[ahead / 64] >> (ahead % 64) & 1 == 1
    }

    /// Restarts from the first PSN that is not acknowledged.
    fn rewind(&mut self) {
        (self.base, self.position, self.blocked) = (self.una, 0, 0);
    }

    /// Next PSN of a round, if the window has space.
    fn next(&mut self, phase: &Phase, psns: u32, rng: &mut Rng) -> Option<u32> {
        // A few losses in a row, or many PSNs that have come already.
        for _ in 0..300 {
            let psn = self.base.wrapping_add(self.position ^ phase.key) % PSNS;
            let ahead = self.ahead(psn);
            if (psns..HALF).contains(&ahead) {
                self.blocked += 1;
                if self.blocked <= phase.patience {
                    return None;
                }
                self.rewind();
                continue;
            }
            self.position += 1;
            self.blocked = 0;
            // A PSN that has arrived is rarely sent again.
            let again = self.knows(psn) || ahead >= HALF;
            if chance(rng, phase.losses) || (again && !chance(rng, phase.again)) {
                continue;
            }
            return Some(psn);
        }
        None
    }
}

/// Parameters of a phase. Shares are of 256.
#[derive(Clone, Copy, Debug)]
struct Phase {
    number: u32,
    events_left: u32,
    /// Connections of the phase: `first` and the connections after it.
    first: u32,
    count: u32,
    /// Order of the PSNs: 0 in order, 1 in swapped pairs, one less than the window whole windows backwards.
    key: u32,
    /// Clocks that a sender waits for a full window before it sends all unacknowledged packets again.
    patience: u32,
    losses: u32,
    again: u32,
    trimmed: u32,
    last: u32,
    ce: u32,
    request: u32,
    /// Packets with a PSN that is not the next.
    strange: u32,
    /// Events that are not packets.
    control: u32,
    sizes: Sizes,
}

/// Distribution of a packet's bytes.
#[derive(Clone, Copy, Debug)]
enum Sizes {
    Mtu,
    Small,
    Edge,
    Any,
}

/// A stream of random events.
#[derive(Clone, Debug)]
pub struct Stimulus {
    rng: Rng,
    params: SackParams,
    /// PSNs of a window.
    psns: u32,
    /// No sender sends beyond the window that it learned.
    obedient: bool,
    senders: Vec<Sender>,
    phase: Phase,
}

impl Stimulus {
    /// A stream for a block in which no connection is open. With `obedient` no sender exceeds the window: 256
    /// PSNs from the last cumulative PSN that the sender received.
    pub fn new(rng: Rng, params: SackParams, obedient: bool) -> Self {
        Self::with_psns(rng, params, SackParams::WINDOW, obedient)
    }

    /// A stream for a block with a window of `psns`.
    pub fn with_psns(mut rng: Rng, params: SackParams, psns: u32, obedient: bool) -> Self {
        let phase = Phase::new(&mut rng, &params, psns, 1);
        let senders = vec![Sender::default(); params.connections as usize];
        Self { rng, params, psns, obedient, senders, phase }
    }

    /// Next event. `None` while the window of the next sender in turn has no space.
    pub fn event(&mut self) -> Option<Event> {
        if self.phase.events_left == 0 {
            self.phase = Phase::new(&mut self.rng, &self.params, self.psns, self.phase.number + 1);
        }
        self.phase.events_left -= 1;
        let (rng, phase) = (&mut self.rng, &self.phase);
        let connection = (phase.first + rng.below(phase.count)) & (self.params.connections - 1);
        let sender = &mut self.senders[connection as usize];
        if sender.phase != phase.number {
            sender.phase = phase.number;
            sender.rewind();
        }
        let kind = if !sender.open && !chance(rng, 64) {
            Kind::Open
        } else if chance(rng, phase.control) {
            let kinds = [Kind::Flush, Kind::Flush, Kind::Probe, Kind::Reserved6, Kind::Reserved7];
            // An OPEN empties the block, so it is rare and the block fills.
            if chance(rng, 16) { pick(rng, &[Kind::Open, Kind::Close]) } else { pick(rng, &kinds) }
        } else if chance(rng, phase.trimmed) {
            Kind::Trimmed
        } else {
            Kind::Data
        };
        let psn = match kind {
            Kind::Data | Kind::Trimmed if chance(rng, phase.strange) => {
                let behind = sender.una.wrapping_sub(1 + rng.below(300)) % PSNS;
                if self.obedient { behind } else { strange(rng, sender.una, behind, self.psns) }
            }
            Kind::Data | Kind::Trimmed => match sender.next(phase, self.psns, rng) {
                Some(psn) => psn,
                None if chance(rng, 128) => return None,
                None => sender.una,
            },
            Kind::Open => {
                let near_the_end = PSNS - 1 - rng.below(600);
                pick(rng, &[0, 1, PSNS - 1, near_the_end, near_the_end, HALF])
            }
            _ => rng.below(PSNS),
        };
        if matches!(kind, Kind::Open | Kind::Close) {
            *sender = Sender {
                open: kind == Kind::Open,
                turning: sender.turning + 1,
                una: psn,
                base: psn,
                phase: sender.phase,
                ..Sender::default()
            };
        }
        Some(Event {
            kind,
            connection,
            psn,
            bytes: phase.sizes.draw(rng),
            ce: chance(rng, phase.ce),
            request: chance(rng, phase.request),
            last: chance(rng, phase.last),
            tag: rng.draw() as u32,
        })
    }

    /// Notes an outcome of the block.
    pub fn learn(&mut self, feedback: Feedback) {
        let sender = &mut self.senders[feedback.connection as usize];
        if matches!(feedback.kind, Kind::Open | Kind::Close) {
            sender.turning -= 1;
        }
        if sender.open && sender.turning == 0 {
            (sender.una, sender.received) = (feedback.expected, feedback.bitmap);
            let ahead = sender.ahead(feedback.psn);
            sender.between = if (256..self.psns).contains(&ahead) { ahead - 255 } else { 0 };
        }
    }
}

impl Phase {
    fn new(rng: &mut Rng, params: &SackParams, psns: u32, number: u32) -> Self {
        let blocks = psns / SackParams::WINDOW;
        let lengths = [40, 300, 1_500, 6_000];
        let length = pick(rng, &lengths);
        Self {
            number,
            events_left: 1 + rng.below(length),
            first: rng.below(params.connections),
            count: pick(rng, &[1, 1, 1, 2, 3, 16, 64, 4_096]).min(params.connections),
            key: match pick(rng, &[0, 0, 0, 1, 3, 15, 85, 127, 255, 255, 255]) {
                0 => 0,
                key => (key + 1) * blocks - 1,
            },
            patience: pick(rng, &[0, 2, 60, 60]),
            losses: pick(rng, &[0, 0, 0, 1, 10, 100]),
            again: pick(rng, &[0, 0, 0, 0, 1, 256]),
            trimmed: pick(rng, &[0, 0, 0, 8, 80, 255]),
            last: pick(rng, &[0, 3, 30, 128, 256, 256]),
            ce: pick(rng, &[0, 0, 8, 128]),
            request: pick(rng, &[0, 0, 8, 128]),
            strange: pick(rng, &[0, 0, 0, 0, 2, 20, 200]),
            control: pick(rng, &[0, 0, 0, 2, 20, 100]),
            sizes: pick(rng, &[Sizes::Mtu, Sizes::Small, Sizes::Edge, Sizes::Any]),
        }
    }
}

impl Sizes {
    fn draw(self, rng: &mut Rng) -> u16 {
        match self {
            Sizes::Mtu => 4_096,
            Sizes::Small => rng.below(1_024) as u16,
            Sizes::Edge => pick(rng, &[0, 1, 255, 256, 257, 1_023, 1_024, 1_025, 0xFFFF]),
            Sizes::Any => rng.below(1 << 16) as u16,
        }
    }
}

/// PSNs at the edges of the block's case distinctions, and random ones.
fn strange(rng: &mut Rng, una: u32, behind: u32, psns: u32) -> u32 {
    let any = rng.below(PSNS);
    let near = una.wrapping_add(rng.below(344 + psns));
    let edges = [
        PSNS - 1,
        0,
        1,
        psns - 2,
        psns - 1,
        psns,
        psns + 1,
        511,
        512,
        513,
        HALF - 1,
        HALF,
        HALF + 1,
        HALF + 20,
    ];
    let edge = una.wrapping_add(pick(rng, &edges));
    pick(rng, &[any, near, edge, edge, behind]) % PSNS
}

fn chance(rng: &mut Rng, of_256: u32) -> bool {
    rng.below(256) < of_256
}

fn pick<T: Copy>(rng: &mut Rng, list: &[T]) -> T {
    list[rng.below(list.len() as u32) as usize]
}
