//! Counters of the clocks in which something delays the NIC (rule 16), with the timing of
//! `hdl/src/block/nic/holds.rs`.

/// Number of causes: the wire, DMA reads, DMA writes, completions, the peer's answers, work.
pub(super) const CAUSES: usize = 6;

/// The events on the streams in a clock.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    /// Whether a word for the MAC waits.
    pub(super) full: bool,
    /// Whether there is no word for the MAC.
    pub(super) quiet: bool,
    /// Whether a DMA read is offered, whether it is accepted, and whether the last word of its data is
    /// accepted.
    pub(super) offered: bool,
    pub(super) asked: bool,
    pub(super) answered: bool,
    /// Whether a word of DMA write data waits.
    pub(super) unwritten: bool,
    /// Whether a completion waits.
    pub(super) untold: bool,
    /// Whether a work request is accepted, and whether its completion is accepted.
    pub(super) begun: bool,
    pub(super) over: bool,
}

/// The counters, modulo 2^32, and the state that determines what they count.
#[derive(Clone, Debug, Default)]
pub(super) struct Holds {
    seen: Seen,
    reading: u8,
    /// Number of unfinished work requests, modulo 2^20.
    unfinished: u32,
    holds: [bool; CAUSES],
    counts: [u32; CAUSES],
}

impl Holds {
    /// Clocks by cause.
    pub(super) fn counts(&self) -> &[u32; CAUSES] {
        &self.counts
    }

    /// A clock edge, and the events before it.
    pub(super) fn clock(&mut self, rst: bool, seen: Seen) {
        if rst {
            *self = Self::default();
            return;
        }
        for (count, holds) in self.counts.iter_mut().zip(self.holds) {
            *count = count.wrapping_add(holds.into());
        }
        let Seen { full, quiet, offered, asked, answered, unwritten, untold, begun, over } = self.seen;
        let (reads, works) = (self.reading > 0 || offered, self.unfinished > 0);
        self.holds =
            [full, quiet && reads, unwritten, untold, quiet && !reads && works, quiet && !reads && !works];
        self.reading = self.reading.wrapping_add(asked.into()).wrapping_sub(answered.into());
        self.unfinished =
            self.unfinished.wrapping_add(begun.into()).wrapping_sub(over.into()) & ((1 << 20) - 1);
        self.seen = seen;
    }
}
