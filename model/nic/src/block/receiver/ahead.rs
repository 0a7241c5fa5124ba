//! What waits in a queue ahead of a close.

/// Counts what is in a queue, and what of it is ahead of a close.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ahead {
    inside: u8,
    /// Of these, the ones ahead of the close.
    left: Option<u8>,
}

impl Ahead {
    /// A close has come, and all that was ahead of it is out.
    pub(super) fn out(&self) -> bool {
        self.left == Some(0)
    }

    /// A clock edge: a word goes `into` the queue, one goes `out`, a close comes behind all that is in it, the close is
    /// `taken`.
    pub(super) fn clock(&mut self, into: bool, out: bool, closes: bool, taken: bool) {
        let less = |count: u8| count.saturating_sub(out.into());
        self.left = if closes { Some(less(self.inside)) } else { self.left.map(less) };
        self.left = self.left.filter(|_| !taken);
        self.inside = self.inside + u8::from(into) - u8::from(out);
    }
}
