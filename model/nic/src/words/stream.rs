//! Streams: the words that outputs offer, and bus words.

/// A bus word of 64 bytes; byte 0 is the first on the wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Beat {
    /// The bytes; those without `keep` have the port's value.
    pub data: [u64; 8],
    /// Bit *i*: byte *i* counts.
    pub keep: u64,
    /// Last of its frame or packet.
    pub last: bool,
    /// With `last`: the frame is bad. Bit 0 of `tuser`.
    pub bad: bool,
    /// The bits of `tuser` above bit 0, which pass with the words of frames of other software; 0 in all other
    /// words.
    pub user: u128,
}

impl Beat {
    /// Bytes of a bus word.
    pub const BYTES: usize = 64;

    /// The bytes as the words of a frame, the last one marked.
    pub fn frame(bytes: &[u8]) -> Vec<Self> {
        let count = bytes.len().div_ceil(Self::BYTES);
        let beat = |(i, chunk): (usize, &[u8])| {
            let mut beat = Self { last: i + 1 == count, ..Self::default() };
            for (at, &byte) in chunk.iter().enumerate() {
                beat.data[at / 8] |= u64::from(byte) << (8 * (at % 8));
                beat.keep |= 1 << at;
            }
            beat
        };
        bytes.chunks(Self::BYTES).enumerate().map(beat).collect()
    }

    /// The bytes that count.
    pub fn bytes(&self) -> impl Iterator<Item = u8> + '_ {
        (0..Self::BYTES).filter(|at| self.keep >> at & 1 == 1).map(|at| self.byte(at))
    }

    /// Byte `at`.
    pub fn byte(&self, at: usize) -> u8 {
        (self.data[at / 8] >> (8 * (at % 8))) as u8
    }
}

/// A stream's output: the offered word. The word keeps its value while `valid` is low.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Offer<T> {
    /// `tvalid`
    pub valid: bool,
    /// `tid`: the connection; 0 for streams without.
    pub id: u32,
    /// The payload.
    pub word: T,
}

impl<T: Copy> Offer<T> {
    /// The connection and the word, if one is offered.
    pub fn get(&self) -> Option<(u32, T)> {
        self.valid.then_some((self.id, self.word))
    }
}
