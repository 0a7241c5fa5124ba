//! The far end of one connection: its receiver, and the known state of the sender.

use super::{Feedback, HALF, PSNS, Rng, pick};
use weft_nic::block::sack_tx::{Event, Kind};

/// Words of 128 PSNs of the largest window.
const LIMBS: usize = 8;

/// One connection.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FarEnd {
    /// The connection was opened, and no outcome has ended it.
    pub(super) open: bool,
    /// Number of OPENs and CLOSEs.
    pub(super) life: u32,
    /// OPENs and CLOSEs in the block. Until these are returned, outcomes belong to the earlier opening.
    turning: u32,
    /// State of the block's connection: lowest PSN not acknowledged, next PSN to assign.
    una: u32,
    pub(super) next: u32,
    /// State of the receiver: first missing PSN, and the PSNs received from there on.
    expected: u32,
    received: [u128; LIMBS],
    /// Packets since the last ACK.
    gathered: u32,
}

impl FarEnd {
    /// Records an OPEN or CLOSE that enters the block.
    pub(super) fn turn_over(&mut self, open: bool, psn: u32) {
        let (life, turning) = (self.life + 1, self.turning + 1);
        *self = Self { open, life, turning, una: psn, next: psn, expected: psn, ..Self::default() };
    }

    /// Notes an outcome of the block. Returns whether a packet of this opening leaves.
    pub(super) fn learn(&mut self, feedback: &Feedback) -> bool {
        if matches!(feedback.kind, Kind::Open | Kind::Close) {
            self.turning -= 1;
        }
        if self.turning > 0 || !self.open {
            return false;
        }
        if feedback.failed || !feedback.accepted {
            self.open = false;
            return false;
        }
        if feedback.send {
            if feedback.fresh {
                self.next = (feedback.psn + 1) % PSNS;
            }
            return true;
        }
        self.una = feedback.psn;
        // An acknowledgement of PSNs that never came was forged. The receiver continues after those PSNs.
        let ahead = distance(self.una, self.expected);
        if ahead < HALF {
            self.advance(ahead);
        }
        false
    }

    /// A packet arrives. Returns cumulative PSN and bitmap of the ACK, if the packet causes one.
    pub(super) fn arrival(&mut self, psn: u32, gather: u32, psns: u32) -> Option<(u32, [u64; 4])> {
        let ahead = distance(psn, self.expected);
        let mut news = false;
        if ahead < psns {
            let half = &mut self.received[ahead as usize / 128];
            news = *half >> (ahead % 128) & 1 == 0;
            *half |= 1 << (ahead % 128);
        }
        while self.received[0] & 1 == 1 {
            let run = self.received[0].trailing_ones();
            self.advance(run);
        }
        self.gathered += 1;
        // The bitmap ends with a PSN that is far, and a far packet is answered at once.
        let ahead = distance(psn, self.expected);
        let first = if (256..psns).contains(&ahead) { ahead - 255 } else { 0 };
        if news && self.gathered < gather && first == 0 {
            return None;
        }
        self.gathered = 0;
        let [low, high, ..] = later(self.received, first);
        Some((self.expected, [low as u64, (low >> 64) as u64, high as u64, (high >> 64) as u64]))
    }

    fn advance(&mut self, by: u32) {
        self.expected = (self.expected + by) % PSNS;
        self.received = later(self.received, by);
    }

    /// An ACK or NACK that its receiver would not send, often at the edges of the window.
    pub(super) fn hostile(&self, rng: &mut Rng, connection: u32, psns: u32) -> Event {
        let psn = self.somewhere(rng, psns);
        if rng.below(3) == 0 {
            let denied = rng.below(256) == 0;
            return Event { psn, denied, ..Event::new(Kind::Nack, connection) };
        }
        let trigger = self.somewhere(rng, psns);
        let (a, b, c) = (rng.draw(), rng.draw(), rng.draw());
        let one = {
            let mut one = [0; 4];
            one[rng.below(4) as usize] = 1 << rng.below(64);
            one
        };
        let random = [a, b, c, a.rotate_left(17) ^ b];
        let sparse = random.map(|word| word & word.rotate_left(7) & word.rotate_left(23));
        let bitmap = pick(rng, &[[0; 4], [0; 4], [u64::MAX; 4], one, one, random, sparse]);
        Event { psn, trigger, bitmap, ..Event::new(Kind::Ack, connection) }
    }

    /// A PSN near the window's edges, or a random one.
    fn somewhere(&self, rng: &mut Rng, psns: u32) -> u32 {
        let window = distance(self.next, self.una);
        let inside = rng.below(window.clamp(1, psns));
        let back = PSNS - 1 - rng.below(600);
        let near = pick(
            rng,
            &[0, 1, 2, PSNS - 1, psns - 2, psns - 1, psns, psns + 1, 512, PSNS - 255, PSNS - 256, PSNS - 257],
        );
        let far = pick(rng, &[HALF - 1, HALF, HALF + 1]);
        let any = rng.below(PSNS);
        let edge = window + pick(rng, &[0, 1, PSNS - 1]);
        let ahead = pick(rng, &[0, inside, inside, inside, edge, edge, near, near, back, far, any]);
        (self.una + ahead) % PSNS
    }
}

/// The PSNs from the one `by` after the first on.
fn later(received: [u128; LIMBS], by: u32) -> [u128; LIMBS] {
    let (skip, bits) = (by as usize / 128, by % 128);
    let limb = |i: usize| received.get(i + skip).copied().unwrap_or(0);
    std::array::from_fn(|i| match bits {
        0 => limb(i),
        _ => limb(i) >> bits | limb(i + 1) << (128 - bits),
    })
}

/// PSNs from one to another, modulo 2^24.
fn distance(to: u32, from: u32) -> u32 {
    to.wrapping_sub(from) % PSNS
}
