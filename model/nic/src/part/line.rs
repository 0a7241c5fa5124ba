//! A pipeline that never stalls.

/// Words that leave `N` clocks after they entered.
#[derive(Clone, Debug)]
pub struct Line<T, const N: usize>([Option<T>; N]);

impl<T: Copy, const N: usize> Default for Line<T, N> {
    fn default() -> Self {
        Self([None; N])
    }
}

impl<T: Copy, const N: usize> Line<T, N> {
    /// The word that leaves with the next clock.
    #[inline]
    pub fn leaving(&self) -> Option<T> {
        self.0[N - 1]
    }

    /// A clock: a word enters, another leaves.
    #[inline]
    pub fn clock(&mut self, entering: Option<T>) -> Option<T> {
        let leaving = self.0[N - 1];
        self.0.copy_within(0..N - 1, 1);
        self.0[0] = entering;
        leaving
    }
}
