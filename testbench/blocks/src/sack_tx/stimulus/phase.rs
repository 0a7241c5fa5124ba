//! Phases of the network's behaviour.

use super::{Rng, chance, pick};
use weft_params::SackParams;

/// Parameters of a phase. Values without a unit are shares of 256.
#[derive(Clone, Copy, Debug)]
pub(super) struct Phase {
    pub(super) clocks_left: u32,
    /// Connections of the phase: `first` and the connections after it.
    pub(super) first: u32,
    pub(super) count: u32,
    /// Messages, changes of the window, opens and closes, events that should not happen.
    pub(super) posts: u32,
    pub(super) windows: u32,
    pub(super) control: u32,
    pub(super) hostile: u32,
    /// Packets lost, trimmed, doubled by the network; ACKs lost.
    pub(super) losses: u32,
    pub(super) trimmed: u32,
    /// NACKs that deny the packet for good.
    pub(super) denials: u32,
    pub(super) twice: u32,
    pub(super) ack_losses: u32,
    /// Arrivals that cause an ACK.
    pub(super) gather: u32,
    /// Share of ACKs that arrive a second time shortly afterwards.
    pub(super) echoes: u32,
    /// Windows have space for all PSNs that may be outstanding.
    pub(super) wide: bool,
    /// Maximum number of packets of a message.
    message: u32,
    /// Minimum delay of a packet or an ACK in clocks, and the limit of the random rest.
    delay: u32,
    jitter: u32,
    /// Clocks within which all due items arrive at once.
    burst: u32,
}

impl Phase {
    /// A random phase. With `patient` no packet grows old within a round trip.
    pub(super) fn new(rng: &mut Rng, params: &SackParams, psns: u32, patient: bool) -> Self {
        let phase = Self::any(rng, params);
        match rng.below(8) {
            0 => Self::well(phase),
            1..8 if patient => Self::full(rng, params, psns, patient),
            1 => Self::holes(rng, phase),
            2 => Self::full(rng, params, psns, patient),
            _ => phase,
        }
    }

    /// Some packets are lost, every second one is acknowledged, and the ACKs arrive in the order of the
    /// packets.
    fn holes(rng: &mut Rng, phase: Self) -> Self {
        Self {
            count: phase.count.min(3),
            posts: 20,
            wide: true,
            losses: pick(rng, &[2, 8, 20]),
            gather: 1,
            message: 300,
            delay: pick(rng, &[100, 300, 1_000]),
            ..Self::well(phase)
        }
    }

    /// Round trips are so long that 256 packets of every connection are outstanding, from any offset in the
    /// ring. The ACKs that follow leave some of these packets outstanding.
    fn full(rng: &mut Rng, params: &SackParams, psns: u32, patient: bool) -> Self {
        // Few ACKs come, because many are lost or because each acknowledges many packets.
        let (ack_losses, gather) =
            pick(rng, &[(0, 1), (0, 1), (0, 4), (128, 1), (240, 1), (0, 16), (128, 16)]);
        Self {
            clocks_left: 40_000,
            first: 0,
            count: params.connections.min(16),
            posts: 60,
            windows: 1,
            wide: true,
            control: pick(rng, &[0, 0, 1]),
            hostile: pick(rng, &[0, 0, 1, 8]),
            // With long epochs a loss is found late, and the window does not move before that.
            losses: if patient { pick(rng, &[0, 0, 0, 2]) } else { pick(rng, &[0, 2, 2, 20]) },
            trimmed: pick(rng, &[0, 0, 4]),
            denials: 0,
            twice: 0,
            ack_losses,
            gather,
            echoes: 0,
            message: 300,
            delay: 5_000 * (psns / SackParams::WINDOW),
            jitter: pick(rng, &[1, 1, 40, 300, 3_000]),
            burst: pick(rng, &[1, 1, 64]),
        }
    }

    /// No faults happen, and whole windows are acknowledged at once.
    fn well(phase: Self) -> Self {
        let (control, hostile, losses, trimmed, twice, ack_losses) = Default::default();
        Self {
            clocks_left: 40_000,
            count: phase.count.min(2),
            posts: 8,
            windows: 1,
            gather: 256,
            delay: 30,
            jitter: 20,
            burst: 1,
            message: phase.message.min(300),
            control,
            hostile,
            losses,
            trimmed,
            twice,
            ack_losses,
            ..phase
        }
    }

    fn any(rng: &mut Rng, params: &SackParams) -> Self {
        let lengths = [300, 3_000, 30_000, 30_000];
        let length = pick(rng, &lengths);
        Self {
            clocks_left: 1 + rng.below(length),
            first: rng.below(params.connections),
            count: pick(rng, &[1, 1, 2, 3, 16, 256, 4_096]).min(params.connections),
            posts: pick(rng, &[0, 1, 1, 4, 20, 60]),
            windows: pick(rng, &[0, 0, 1, 8]),
            control: pick(rng, &[0, 0, 1, 2, 32]),
            hostile: pick(rng, &[0, 0, 1, 8, 128, 250]),
            losses: pick(rng, &[0, 0, 0, 2, 20, 80, 256]),
            trimmed: pick(rng, &[0, 0, 0, 4, 60]),
            denials: pick(rng, &[0, 0, 0, 1]),
            twice: pick(rng, &[0, 0, 4, 60]),
            ack_losses: pick(rng, &[0, 0, 4, 128, 250]),
            gather: pick(rng, &[1, 1, 1, 2, 16, 64, 256]),
            echoes: pick(rng, &[0, 0, 0, 1, 4, 12]),
            wide: false,
            message: pick(rng, &[1, 1, 3, 40, 300, 300, 65_535]),
            delay: pick(rng, &[30, 30, 200, 1_000, 4_000, 9_000]),
            jitter: pick(rng, &[1, 1, 20, 300, 3_000]),
            burst: pick(rng, &[1, 1, 1, 64, 2_000, 9_000]),
        }
    }

    /// Clock of arrival of a packet that leaves now.
    pub(super) fn arrival(&self, rng: &mut Rng, clock: u64) -> u64 {
        let after = clock + u64::from(self.delay) + u64::from(rng.below(self.jitter));
        after.next_multiple_of(self.burst.into())
    }

    /// Packets of a message.
    pub(super) fn message(&self, rng: &mut Rng) -> u16 {
        if chance(rng, 4) {
            return pick(rng, &[0, 1, 256, u16::MAX]);
        }
        1 + rng.below(self.message) as u16
    }
}
