//! Epochs of a connection, as far as an outside observer can determine them.

use weft_nic::block::sack_tx::{LONGEST, PUBLISHED_AFTER};

/// Clocks within which an event may not see the effect of an earlier event. Clocks in which the outcome
/// stream stalls do not count; clocks in which the stream catches up count.
pub(super) const LAG_CLOCKS: u64 = 2 * PUBLISHED_AFTER as u64;

/// A number that is known only as a range, from the least to the greatest possible value.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Span {
    pub(super) least: u64,
    pub(super) most: u64,
}

impl Span {
    pub(super) fn of(number: u64) -> Self {
        Self { least: number, most: number }
    }

    pub(super) fn map(self, of: impl Fn(u64) -> u64) -> Self {
        Self { least: of(self.least), most: of(self.most) }
    }

    pub(super) fn or(self, other: Self) -> Self {
        Self { least: self.least.min(other.least), most: self.most.max(other.most) }
    }
}

/// Ages of packets and the length of an epoch.
#[derive(Clone, Debug, Default)]
pub(super) struct Epochs {
    /// Number of epochs that are over.
    pub(super) over: u64,
    /// Ticks of this epoch and of the previous one, and the clock in which this one began.
    pub(super) ticks: Span,
    pub(super) ticks_before: Span,
    pub(super) since: u64,
    /// Ticks of the two epochs before this one together, and the same sum one epoch ago.
    pub(super) past: Span,
    pub(super) past_before: Span,
    pub(super) peak: Span,
}

impl Epochs {
    /// Whether an ACK with this round-trip time in ticks may judge losses. `None` if the ledger cannot
    /// determine this.
    pub(super) fn judges(&self, rtt: u64, free: u64) -> Option<bool> {
        let by = |ticks: u64| 4 * rtt < 3 * ticks + 4 && rtt != u64::from(LONGEST);
        let seen = if free - self.since < LAG_CLOCKS { self.past.or(self.past_before) } else { self.past };
        let Span { least, most } = seen.map(|ticks| by(ticks).into());
        (least == most).then_some(least == 1)
    }

    /// Range of ticks of this epoch or the previous one.
    pub(super) fn either(&self) -> Span {
        self.ticks.or(self.ticks_before)
    }

    pub(super) fn end(&mut self, shortest: u64, free: u64) {
        let (one, other) = (self.ticks, if self.over > 0 { self.ticks_before } else { Span::default() });
        let both = Span { least: one.least + other.least, most: one.most + other.most };
        (self.past_before, self.past) = (self.past, both);
        self.over += 1;
        (self.ticks_before, self.since) = (self.ticks, free);
        self.ticks = self.peak.map(|peak| shortest.max((peak + peak / 2) / 2));
        self.peak = self.peak.map(|peak| peak - peak / 16);
    }
}
