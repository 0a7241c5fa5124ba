//! The time.

/// Counts a tick every 2^shift clocks (rule 11).
#[derive(Clone, Debug, Default)]
pub(super) struct Ticks {
    /// Clocks since the last tick, 15 bits.
    clocks: u16,
    /// The bits of `clocks` above the shift.
    above: u16,
    tick: bool,
    now: u32,
}

/// All bits of `clocks`.
const CLOCKS: u16 = 0x7FFF;

impl Ticks {
    /// The time.
    pub(super) fn now(&self) -> u32 {
        self.now
    }

    /// Advances the time by a number of ticks at once.
    pub(super) fn pass(&mut self, ticks: u32) {
        self.now = self.now.wrapping_add(ticks);
    }

    /// A clock edge.
    pub(super) fn clock(&mut self, shift: u32) {
        self.now = self.now.wrapping_add(self.tick.into());
        self.tick = self.clocks | self.above == CLOCKS;
        self.above = (u32::from(CLOCKS) << shift) as u16 & CLOCKS;
        self.clocks = (self.clocks + 1) & CLOCKS;
    }
}
