//! Operations. A program is a list of operations that follows from a seed. The effect of an operation depends
//! only on its own random numbers and on the state of the run. So a program without some of its operations is
//! also a program.

use super::world::TICK_SHIFT;
use weft_random::Rng;

/// Kind of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Post a work request, or several.
    Post,
    /// Post more requests than the NIC has space for.
    Burst,
    /// Post a request that the NIC must refuse.
    Refused,
    /// Open an index that is closed.
    Open,
    /// Close an open index.
    Close,
    /// Close an open index and open it at once.
    Recycle,
    /// Open an open index.
    Reopen,
    /// Hold a stream while there is traffic, and close or open an index meanwhile.
    Trap,
    /// Hold a stream.
    Hold,
    /// Hold completions while a long message leaves.
    Long,
    /// A peer sends a message.
    Message,
    /// Send a malformed or forged frame.
    Forge,
    /// Send a frame that was sent before.
    Replay,
    /// Frames of other software, from the MAC.
    Others,
    /// Frames of other software.
    Give,
    /// Some reads fail.
    ReadErrors,
    /// PATH_OK: software reports that the failed paths work again.
    PathOk,
    /// A peer stops acknowledging, in runs in which connections may give up.
    Silence,
    /// The host's buffer of a connection accepts no packets for a while, or fails.
    Buffer,
    /// Change the next hop of a peer.
    Peer,
    /// Drain a connection: it accepts no more work.
    Drain,
    /// A peer requests packets again, and acknowledges all packets as soon as the NIC reads one of them
    /// again.
    Pretend,
    /// A peer denies all data, and the host holds a stream meanwhile.
    Deny,
    /// A peer is reset: its PSNs begin elsewhere.
    Restart,
    /// Events of a connection wait while its index is closed and opened again.
    Leftover,
    /// A connection freezes, and the NIC is idle for long.
    Sleep,
}

/// An operation.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// Number in the program.
    pub number: u32,
    pub(super) kind: Kind,
    pub(super) dice: u64,
    /// Clocks until the next operation.
    pub(super) pause: u64,
}

/// Behaviour of software, peers and host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Software closes when all is quiet.
    Gentle,
    /// Software closes at any time.
    Rude,
    /// In addition, peers deny, pretend and begin again, events wait, reads are slow, and time passes.
    Adverse,
}

/// Parameters of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Behaviour around the NIC.
    pub manner: Manner,
    /// Seed of everything random.
    pub seed: u64,
    /// Number of operations.
    pub operations: u32,
}

/// Frequency of each kind of operation.
const SHARES: [(Kind, u32); 21] = [
    (Kind::Post, 24),
    (Kind::Burst, 1),
    (Kind::Refused, 2),
    (Kind::Open, 6),
    (Kind::Close, 3),
    (Kind::Recycle, 4),
    (Kind::Reopen, 1),
    (Kind::Trap, 5),
    (Kind::Hold, 8),
    (Kind::Long, 1),
    (Kind::Message, 20),
    (Kind::Forge, 16),
    (Kind::Replay, 5),
    (Kind::Others, 5),
    (Kind::Give, 5),
    (Kind::ReadErrors, 2),
    (Kind::PathOk, 1),
    (Kind::Silence, 2),
    (Kind::Buffer, 4),
    (Kind::Peer, 2),
    (Kind::Drain, 3),
];

/// Frequency of further kinds in adverse runs.
const ADVERSE: [(Kind, u32); 5] =
    [(Kind::Pretend, 5), (Kind::Deny, 4), (Kind::Restart, 5), (Kind::Leftover, 4), (Kind::Sleep, 2)];

/// The program of a seed.
pub(super) fn program(terms: &Terms) -> Vec<Operation> {
    let adverse: &[(Kind, u32)] = if terms.manner == Manner::Adverse { &ADVERSE } else { &[] };
    let shares = || SHARES.iter().chain(adverse);
    let total = shares().map(|(_, share)| share).sum();
    let operation = |number: u32| {
        let mut rng = Rng::of(&[terms.seed, 0x0B5E, u64::from(number)]);
        let mut at = rng.below(total);
        let kind = shares().find(|(_, share)| {
            let found = at < *share;
            at = at.wrapping_sub(*share);
            found
        });
        // The first operations open connections.
        let kind = if number < 4 { Kind::Open } else { kind.map_or(Kind::Post, |(kind, _)| *kind) };
        let pause = match rng.below(8) {
            0..4 => rng.below(40),
            4..7 => rng.below(300),
            _ => rng.below(1_500),
        };
        Operation { number, kind, dice: rng.draw(), pause: pause.into() }
    };
    (0..terms.operations).map(operation).collect()
}

/// Further parameters of a run that follow from its seed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Climate {
    pub(super) mtu: u32,
    pub(super) ack_packets: u32,
    pub(super) ack_bytes: u32,
    pub(super) ack_timeout: u32,
    /// Clocks of 16 in which a stream stalls.
    pub(super) stalls: u64,
    /// Frames to the NIC of 64 that are lost, doubled, damaged and trimmed; NACKs of 64 answers.
    pub(super) lost: u32,
    pub(super) doubled: u32,
    pub(super) damaged: u32,
    pub(super) trimmed: u32,
    pub(super) nacks: u32,
    /// Maximum number of clocks by which frames to the NIC are late.
    pub(super) late: u32,
    pub(super) fixed_ev: bool,
    /// Timeouts in a row that a connection survives.
    pub(super) retries: u32,
}

/// Ticks of the first timeout, and number of its doublings.
pub(super) const RTO: u32 = 400;
pub(super) const BACKOFF: u32 = 3;
/// Ticks of the shortest epoch.
pub(super) const EPOCH: u32 = 60;
/// A limit of timeouts in a row that no run is long enough to reach.
pub(super) const RETRIES: u32 = 15;

impl Climate {
    pub(super) fn of(seed: u64) -> Self {
        let mut rng = Rng::of(&[seed, 0xC11A]);
        let (ack_packets, ack_bytes, ack_timeout) =
            *rng.pick(&[(1, 0x4000, 125), (1, 0, 0), (32, 4_096, 0), (6, 0x4000, 0), (8, 0x2000, 60)]);
        let bad = rng.chance(2, 3);
        let mut share = |most: u32| if bad { rng.below(most + 1) } else { 0 };
        let (lost, doubled, damaged, trimmed, nacks) = (share(4), share(6), share(2), share(6), share(6));
        Self {
            mtu: *rng.pick(&[256, 256, 512, 1024, 4096]),
            ack_packets,
            ack_bytes,
            ack_timeout,
            stalls: *rng.pick(&[0, 0, 2, 5]),
            lost,
            doubled,
            damaged,
            trimmed,
            nacks,
            late: *rng.pick(&[20, 300, 1_500]),
            fixed_ev: rng.chance(1, 3),
            retries: *rng.pick(&[RETRIES, RETRIES, 1, 2]),
        }
    }

    /// Clocks without an acknowledgement after which a connection gives up.
    pub(super) fn endurance(&self) -> u64 {
        let ticks = |timeout: u32| u64::from(RTO << timeout.min(BACKOFF));
        (0..=self.retries).map(ticks).sum::<u64>() << TICK_SHIFT
    }
}
