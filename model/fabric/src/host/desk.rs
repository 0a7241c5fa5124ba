//! The memory of packets' contents: the part that switches do not read.

/// The contents of the packets of a thread, each found by a word.
#[derive(Debug)]
pub struct Desk<C> {
    cargo: Vec<C>,
    free: Vec<u32>,
}

impl<C> Default for Desk<C> {
    fn default() -> Self {
        Self { cargo: Vec::new(), free: Vec::new() }
    }
}

impl<C: Copy> Desk<C> {
    /// The contents under a word.
    #[inline]
    pub fn get(&self, word: u32) -> Option<&C> {
        self.cargo.get(word as usize)
    }

    /// Reads the contents under a word; the contents stay in memory until other contents replace them.
    #[inline]
    pub fn take(&mut self, word: u32) -> &C {
        self.free.push(word);
        &self.cargo[word as usize]
    }

    /// Stores contents and returns their word.
    #[inline]
    pub fn put(&mut self, cargo: C) -> u32 {
        match self.free.pop() {
            Some(word) => {
                self.cargo[word as usize] = cargo;
                word
            }
            None => {
                self.cargo.push(cargo);
                self.cargo.len() as u32 - 1
            }
        }
    }
}
