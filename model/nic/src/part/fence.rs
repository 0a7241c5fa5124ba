//! Waits until the words that came in before have gone out, clock for clock (`hdl/src/part/fence.rs`). Words go out in
//! the order in which they came in, each later than it came in.

/// How many are inside, and how many are left to go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fence {
    inside: u32,
    left: u32,
}

impl Fence {
    /// Words still to go; while there is no wait, all words inside.
    #[inline]
    pub fn ahead(&self) -> u32 {
        self.left
    }

    /// A clock edge: one word comes in, the first one goes out, and `waits` asks for those that came before this clock,
    /// or before an earlier one in which waiting began.
    #[inline]
    pub fn clock(&mut self, comes: bool, goes: bool, waits: bool) {
        self.inside = self.inside + u32::from(comes) - u32::from(goes);
        self.left = if waits { self.left.saturating_sub(goes.into()) } else { self.inside };
    }
}
