//! A bit for each packet of a flow.

/// Bits that all begin as 0.
#[derive(Clone, Debug, Default)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    pub(super) fn new(count: u32) -> Self {
        Self(vec![0; count.div_ceil(64) as usize])
    }

    pub(super) fn get(&self, at: u32) -> bool {
        self.0.get(at as usize / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    pub(super) fn set(&mut self, at: u32) {
        if let Some(word) = self.0.get_mut(at as usize / 64) {
            *word |= 1 << (at % 64);
        }
    }
}
