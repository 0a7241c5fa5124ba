//! Waits until the words that entered before have left, clock for clock (`hdl/src/part/fence.rs`). Words
//! leave in the order in which they entered, each in a later clock.

/// Number of words inside, and number of words for which a wait continues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fence {
    inside: u32,
    left: u32,
}

impl Fence {
    /// Number of words for which a wait continues. Without a wait, the number of all words inside.
    #[inline]
    pub fn ahead(&self) -> u32 {
        self.left
    }

    /// A clock edge: with `comes` a word enters, with `goes` the first one leaves. `waits` waits for the
    /// words that entered before this clock, or before the earlier clock in which the wait began.
    #[inline]
    pub fn clock(&mut self, comes: bool, goes: bool, waits: bool) {
        self.inside = self.inside + u32::from(comes) - u32::from(goes);
        self.left = if waits { self.left.saturating_sub(goes.into()) } else { self.inside };
    }
}
