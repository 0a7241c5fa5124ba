//! The entries of an [`Evx`].

use crate::headers::Evx;

impl Evx {
    /// Entries.
    pub const ENTRIES: usize = 16;

    /// Makes a list of these entries, the oldest first, at most 16: entropy value and mark.
    pub fn new(entries: &[(u16, bool)]) -> Self {
        let mut evs = [0; Self::ENTRIES];
        let (mut there, mut marked) = (0u16, 0u16);
        for (i, &(ev, ce)) in entries.iter().enumerate().take(Self::ENTRIES) {
            evs[i] = ev;
            there |= 1 << i;
            marked |= u16::from(ce) << i;
        }
        Self::default().with_there(there).with_marked(marked).with_evs(evs)
    }

    /// The entropy values of all entries, there or not.
    pub fn evs(&self) -> [u16; Self::ENTRIES] {
        let words = [self.evs0(), self.evs1(), self.evs2(), self.evs3()];
        core::array::from_fn(|i| (words[i / 4] >> (48 - 16 * (i % 4))) as u16)
    }

    /// Sets the entropy values of all entries.
    #[must_use]
    pub fn with_evs(self, evs: [u16; Self::ENTRIES]) -> Self {
        let word = |at: usize| evs[4 * at..4 * at + 4].iter().fold(0, |word, &ev| word << 16 | u64::from(ev));
        self.with_evs0(word(0)).with_evs1(word(1)).with_evs2(word(2)).with_evs3(word(3))
    }

    /// The entries of the list: entropy value and mark.
    pub fn entries(&self) -> impl Iterator<Item = (u16, bool)> {
        let (there, marked, evs) = (self.there(), self.marked(), self.evs());
        (0..Self::ENTRIES).filter(move |i| there >> i & 1 == 1).map(move |i| (evs[i], marked >> i & 1 == 1))
    }
}
