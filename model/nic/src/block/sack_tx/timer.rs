//! The times and kinds of a connection's timer events.

use super::state::{Flow, Kind};
use weft_params::SackTxCsr;
use weft_word::Concrete;

/// The timers of a connection.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Timer {
    armed: bool,
    since: u32,
    retries: u32,
    probes: u32,
    begun: u32,
    epoch: u32,
    class: usize,
}

impl Timer {
    /// The timers of a connection. The timers run while packets are unacknowledged.
    #[inline]
    pub(super) fn of<const N: usize>(flow: &Flow<Concrete, N>) -> Self {
        Self {
            armed: flow.unacked.value() != 0,
            since: flow.since.value() as u32,
            retries: flow.retries.value() as u32,
            probes: flow.probes.value() as u32,
            begun: flow.begun.value() as u32,
            epoch: flow.published.epoch.value() as u32,
            class: flow.published.class.value() as usize,
        }
    }

    /// Rules 13, 19 and 21: the event that is due. Of two due events, the one that has been due for longer;
    /// if both are equal, the epoch.
    pub(super) fn due(&self, csr: &SackTxCsr, now_ticks: u32) -> Option<Kind> {
        let ((age, silence), limit) = (self.ages(now_ticks), self.limit(csr));
        let silent = if self.probes < 2 { Kind::Probe } else { Kind::Timeout };
        let silent = (self.armed && silence >= limit).then_some(silent);
        let longer = silent.is_none() || age + limit >= silence + self.epoch;
        if self.armed && age >= self.epoch && longer { Some(Kind::Epoch) } else { silent }
    }

    /// Rules 7 and 13: whether an EPOCH at this time is late in a silence.
    #[inline]
    pub(super) fn is_silent(&self, now_ticks: u32) -> bool {
        let silence = self.ages(now_ticks).1;
        match self.probes {
            0 | 1 => silence >= 2 * self.epoch + self.epoch / 2,
            2..7 => silence >= 5 * self.epoch,
            _ => false,
        }
    }

    /// Ticks until the next timer event.
    #[inline]
    pub(super) fn left(&self, csr: &SackTxCsr, now_ticks: u32) -> Option<u32> {
        let (age, silence) = self.ages(now_ticks);
        let left = self.epoch.saturating_sub(age).min(self.limit(csr).saturating_sub(silence));
        self.armed.then_some(left)
    }

    /// Ticks of the epoch and of the silence so far.
    #[inline]
    fn ages(&self, now_ticks: u32) -> (u32, u32) {
        (now_ticks.wrapping_sub(self.begun) & 0xFFFF, now_ticks.wrapping_sub(self.since) & 0xFF_FFFF)
    }

    /// Number of ticks after which a silence is long enough.
    #[inline]
    fn limit(&self, csr: &SackTxCsr) -> u32 {
        match self.probes {
            0 => 3 * self.epoch,
            1 => 6 * self.epoch,
            _ => {
                let class = &csr.classes[self.class];
                class.rto_ticks << self.retries.min(class.backoff_limit)
            }
        }
    }
}
