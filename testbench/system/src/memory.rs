//! Memory of hosts: bytes at addresses, and the parts of a message that have been written.

use bitvec::prelude::*;
use std::ops::Range;
use weft_random::Rng;

/// `bytes` random bytes.
pub(crate) fn random_bytes(rng: &mut Rng, bytes: usize) -> Vec<u8> {
    std::iter::repeat_with(|| rng.draw().to_le_bytes()).flatten().take(bytes).collect()
}

/// Bytes from an address on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    base: u64,
    bytes: Vec<u8>,
}

impl Memory {
    /// Memory of zeros.
    pub fn new(base: u64, bytes: usize) -> Self {
        Self { base, bytes: vec![0; bytes] }
    }

    /// First address of the memory.
    pub fn base(&self) -> u64 {
        self.base
    }

    /// Number of bytes in the memory.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether the memory has no bytes.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Bytes at an address, if the memory has all of them.
    pub fn read(&self, address: u64, bytes: usize) -> Option<&[u8]> {
        self.bytes.get(self.range(address, bytes)?)
    }

    /// Writes bytes, if the memory has all their addresses.
    #[must_use]
    pub fn write(&mut self, address: u64, bytes: &[u8]) -> bool {
        let place = self.range(address, bytes.len()).and_then(|range| self.bytes.get_mut(range));
        place.map(|place| place.copy_from_slice(bytes)).is_some()
    }

    /// A little-endian word.
    pub fn word(&self, address: u64) -> Option<u32> {
        let bytes = self.read(address, 4)?;
        Some(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// Adds the words at `from` to those at `to`, `bytes` bytes of each, modulo 2^32.
    #[must_use]
    pub fn add(&mut self, from: u64, to: u64, bytes: u32) -> bool {
        (0..u64::from(bytes)).step_by(4).all(|at| {
            let sum = self.word(from + at).zip(self.word(to + at)).map(|(a, b)| a.wrapping_add(b));
            sum.is_some_and(|sum| self.write(to + at, &sum.to_le_bytes()))
        })
    }

    fn range(&self, address: u64, bytes: usize) -> Option<Range<usize>> {
        let start = usize::try_from(address.checked_sub(self.base)?).ok()?;
        Some(start..start.checked_add(bytes)?)
    }
}

/// Packets of a message that have arrived: all of one size except the last, each once, in any order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arrivals {
    message_bytes: u32,
    mtu_bytes: u32,
    /// Whether each packet has arrived.
    written: BitVec,
}

impl Arrivals {
    /// A message of `message_bytes` bytes of which no packet has arrived.
    pub(crate) fn new(message_bytes: u32, mtu_bytes: u32) -> Self {
        let packets = message_bytes.div_ceil(mtu_bytes);
        Self { message_bytes, mtu_bytes, written: bitvec![0; packets as usize] }
    }

    /// Bytes of the packet at this offset in the message, if a packet begins there.
    pub(crate) fn bytes_at(&self, offset: u64) -> Option<u32> {
        let offset = u32::try_from(offset).ok().filter(|offset| *offset < self.message_bytes)?;
        offset.is_multiple_of(self.mtu_bytes).then(|| self.mtu_bytes.min(self.message_bytes - offset))
    }

    /// Notes that the packet at this offset was written. Returns whether the packet is new.
    #[must_use]
    pub(crate) fn write(&mut self, offset: u32) -> bool {
        !self.written.replace((offset / self.mtu_bytes) as usize, true)
    }

    /// Offset of the first packet that has not arrived.
    pub(crate) fn hole(&self) -> Option<u32> {
        let packet = self.written.first_zero()?;
        Some(packet as u32 * self.mtu_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_packet_of_a_message_comes_once() {
        let mut arrivals = Arrivals::new(600, 256);
        let bytes = [0, 256, 512, 1, 768, 600, 1 << 32].map(|offset| arrivals.bytes_at(offset));
        assert_eq!(bytes, [Some(256), Some(256), Some(88), None, None, None, None]);
        assert!(arrivals.write(256) && !arrivals.write(256) && arrivals.write(0));
        assert_eq!(arrivals.hole(), Some(512));
        assert!(arrivals.write(512));
        assert_eq!(arrivals.hole(), None);
    }

    #[test]
    fn only_what_is_there_is_read_and_written() {
        let mut memory = Memory::new(0x1000, 64);
        assert!(memory.write(0x1000 + 60, &[1, 2, 3, 4]));
        assert_eq!(memory.read(0x1000 + 59, 5), Some(&[0, 1, 2, 3, 4][..]));
        for (address, bytes) in [(0x0FFF, 1), (0x1000 + 61, 4), (0, 0x1040), (u64::MAX, 2), (0x1041, 0)] {
            assert_eq!(memory.read(address, bytes), None, "{address:#x}");
            assert!(!memory.write(address, &vec![9; bytes]), "{address:#x}");
        }
        assert_eq!(memory.read(0x1000, 60), Some(&[0; 60][..]));
    }

    #[test]
    fn sums_are_of_words_and_wrap() {
        let mut memory = Memory::new(8, 24);
        assert!(memory.write(8, &[0xFF, 0xFF, 0xFF, 0xFF, 1, 0, 0, 0]));
        assert!(memory.write(20, &[2, 0, 0, 0, 0xFF, 1, 0, 0]));
        assert!(memory.add(8, 20, 8));
        assert_eq!((memory.word(20), memory.word(24)), (Some(1), Some(0x200)));
        assert!(!memory.add(8, 28, 8));
    }
}
