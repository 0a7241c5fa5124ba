//! Fields as the words of a port: the first field has the lowest bits.

/// Fields put side by side into 64-bit words, the first one lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packed<const N: usize> {
    words: [u64; N],
    at: u32,
}

impl<const N: usize> Default for Packed<N> {
    fn default() -> Self {
        Self { words: [0; N], at: 0 }
    }
}

impl<const N: usize> Packed<N> {
    /// Appends the low `bits` bits of `value`, 128 at most.
    pub fn put(mut self, value: impl Into<u128>, bits: u32) -> Self {
        let value = value.into() & (u128::MAX >> (128 - bits));
        for (i, word) in self.words.iter_mut().enumerate() {
            let low = 64 * i as i64 - i64::from(self.at);
            *word |= match low {
                0..128 => (value >> low) as u64,
                -63..0 => (value << -low) as u64,
                _ => 0,
            };
        }
        self.at += bits;
        self
    }

    /// Appends a bit.
    pub fn flag(self, value: bool) -> Self {
        self.put(u8::from(value), 1)
    }

    /// Appends `bits` bits of each value.
    pub fn each(self, values: impl IntoIterator<Item = u16>, bits: u32) -> Self {
        values.into_iter().fold(self, |packed, value| packed.put(value, bits))
    }

    /// Appends 256 bits.
    pub fn wide(self, value: [u64; 4]) -> Self {
        value.into_iter().fold(self, |packed, word| packed.put(word, 64))
    }

    /// The words.
    pub fn words(self) -> [u64; N] {
        self.words
    }
}

/// Reads fields from 64-bit words, the lowest first.
#[derive(Clone, Debug)]
pub struct Unpacked<'a> {
    words: &'a [u64],
    at: u32,
}

impl<'a> Unpacked<'a> {
    /// A reader of the fields of `words`.
    pub fn new(words: &'a [u64]) -> Self {
        Self { words, at: 0 }
    }

    /// The next `bits` bits, 128 at most.
    pub fn take(&mut self, bits: u32) -> u128 {
        let mut value = 0;
        for (i, &word) in self.words.iter().enumerate() {
            let low = 64 * i as i64 - i64::from(self.at);
            value |= match low {
                0..128 => u128::from(word) << low,
                -63..0 => u128::from(word) >> -low,
                _ => 0,
            };
        }
        self.at += bits;
        value & (u128::MAX >> (128 - bits))
    }

    /// The next bit.
    pub fn flag(&mut self) -> bool {
        self.take(1) == 1
    }

    /// The next 256 bits.
    pub fn wide(&mut self) -> [u64; 4] {
        std::array::from_fn(|_| self.take(64) as u64)
    }
}
