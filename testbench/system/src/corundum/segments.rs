//! Common parts of the engine's reads and writes: the RAM of two segments, and descriptors.

/// Bytes of a word of a segment.
pub(super) const WORD: usize = 64;
/// Bytes of the RAM: addresses have 17 bits.
const RAM: u32 = 1 << 17;

/// A descriptor: bytes at an address of the host and at one of the RAM.
#[derive(Clone, Copy, Debug)]
pub(super) struct Descriptor {
    pub(super) host: u64,
    pub(super) ram: u32,
    pub(super) bytes: u32,
    pub(super) tag: u64,
}

/// A piece of a descriptor that is in one word of the RAM.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) tag: u64,
    /// Segment, row, and the first byte in the word.
    pub(super) segment: usize,
    pub(super) row: u64,
    pub(super) first: usize,
    pub(super) bytes: usize,
    /// Bytes of the descriptor before this segment.
    pub(super) offset: usize,
}

impl Descriptor {
    /// Pieces of the descriptor, cut also where the host's address is a multiple of `cut`.
    pub(super) fn pieces(self, cut: u64) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut offset = 0;
        while offset < self.bytes {
            let at = (self.ram + offset) % RAM;
            let first = at as usize % WORD;
            let to_cut = cut - (self.host + u64::from(offset)) % cut;
            let bytes = (WORD - first).min((self.bytes - offset) as usize).min(to_cut as usize);
            let (segment, row) = (at as usize / WORD % 2, u64::from(at) / (2 * WORD as u64));
            pieces.push(Piece { tag: self.tag, segment, row, first, bytes, offset: offset as usize });
            offset += bytes as u32;
        }
        pieces
    }
}

/// Bit *s* is set if segment *s* has an entry.
pub(super) fn bits<T>(of: &[Option<T>; 2]) -> u64 {
    u64::from(of[0].is_some()) | u64::from(of[1].is_some()) << 1
}

/// Rows of both segments in the form of the ports.
pub(super) fn rows(of: &[Option<Piece>; 2]) -> u64 {
    let row = |segment: usize| of[segment].map_or(0, |piece| piece.row);
    row(0) | row(1) << 10
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_descriptor_is_cut_at_words_of_the_ram_and_at_the_hosts_boundaries() {
        let descriptor = Descriptor { host: 0x1_00F0, ram: (1 << 17) - 64, bytes: 100, tag: 9 };
        let pieces = descriptor.pieces(256);
        let seen: Vec<_> =
            pieces.iter().map(|piece| (piece.segment, piece.row, piece.first, piece.bytes)).collect();
        // 16 bytes to the boundary, 48 to the end of the RAM, the rest from the beginning of the RAM on.
        assert_eq!(seen, [(1, 1023, 0, 16), (1, 1023, 16, 48), (0, 0, 0, 36)]);
        assert_eq!(pieces[2].offset, 64);
        let two = [Some(pieces[2]), Some(pieces[0])];
        assert_eq!((rows(&two), bits(&two)), (1023 << 10, 3));
    }
}
