//! The answer of a memory in cases in which any answer is allowed.

/// Picks the answer to a collision: a small generator, so that runs repeat.
#[derive(Clone, Debug)]
pub(super) struct Collision {
    state: u32,
}

impl Default for Collision {
    fn default() -> Self {
        Collision { state: 0x2545_f491 }
    }
}

impl Collision {
    /// One of `candidates`, in an unpredictable order: the old word, the new word, or a third word. A block
    /// that relies on one of them soon gives a wrong result.
    pub(super) fn pick<T: Copy>(&mut self, candidates: [T; 3]) -> T {
        // xorshift32
        self.state ^= self.state << 13;
        self.state ^= self.state >> 17;
        self.state ^= self.state << 5;
        candidates[(self.state % 3) as usize]
    }
}
