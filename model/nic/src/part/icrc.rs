//! The invariant CRC of RoCEv2 over frames in words of 64 bytes (page `docs/parts/icrc.md`).
//!
//! CRC-32 of Ethernet over 8 bytes of ones, then the IP datagram up to the ICRC, with ones in the fields that
//! switches may change. The caller writes these ones.

/// Clocks from a frame's last word to its CRC.
pub const LATENCY: usize = 10;

/// The CRC of a datagram whose own ICRC is covered and right.
pub const RESIDUE: u32 = 0x2144_DF1C;

/// Polynomial, the lowest power highest.
const POLYNOMIAL: u32 = 0xEDB8_8320;

/// `TABLES[n][b]`: the state after byte `b` with `n` zeros behind it, from the state 0.
const TABLES: [[u32; 256]; 8] = {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut state = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            state = (state >> 1) ^ (if state & 1 == 1 { POLYNOMIAL } else { 0 });
            bit += 1;
        }
        tables[0][byte] = state;
        byte += 1;
    }
    let mut zeros = 1;
    while zeros < 8 {
        let mut byte = 0;
        while byte < 256 {
            let state = tables[zeros - 1][byte];
            tables[zeros][byte] = (state >> 8) ^ tables[0][(state & 0xFF) as usize];
            byte += 1;
        }
        zeros += 1;
    }
    tables
};

/// The byte whose entry in the first table has this highest byte.
const BACK: [u8; 256] = {
    let mut back = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        back[(TABLES[0][byte] >> 24) as usize] = byte as u8;
        byte += 1;
    }
    back
};

/// The state after eight more bytes.
#[inline]
fn advance(state: u32, bytes: u64) -> u32 {
    let mixed = bytes ^ u64::from(state);
    (0..8).fold(0, |sum, i| sum ^ TABLES[7 - i][(mixed >> (8 * i) & 0xFF) as usize])
}

/// The state before a zero byte.
#[inline]
fn retreat(state: u32) -> u32 {
    let byte = BACK[(state >> 24) as usize];
    (state ^ TABLES[0][usize::from(byte)]) << 8 | u32::from(byte)
}

/// The state before a frame's first word: the state before the IP header, with the zeros of the Ethernet
/// header undone.
fn start(tagged: bool) -> u32 {
    let header = if tagged { 18 } else { 14 };
    (0..header).fold(advance(u32::MAX, u64::MAX), |state, _| retreat(state))
}

/// A word of a frame. Bytes that the ICRC does not cover are 0: the Ethernet header, and all from the datagram's end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Word {
    /// The bytes, the first in the low bits.
    pub data: [u64; 8],
    /// First of a frame.
    pub first: bool,
    /// The frame has a VLAN tag: the IP header begins at byte 18, not 14. Meaningful with `first`.
    pub tagged: bool,
    /// Last of a frame.
    pub last: bool,
    /// The covered bytes end two bytes plus four times this number, at most 15, before the end of the word.
    pub quads: u8,
}

/// The CRC of a frame's words.
pub fn of(words: &[Word]) -> u32 {
    let mut state = 0;
    for word in words {
        state = after(state, word);
    }
    finish(state, words.last().map_or(0, |word| word.quads))
}

/// The CRC of a whole datagram, from its IP header on, with any contents of the fields that switches may change.
pub fn of_datagram(datagram: &[u8], v6: bool) -> u32 {
    let udp = if v6 { 40 } else { 20 };
    // UDP header and BTH have the last of those fields.
    let mut headers = [0; 60];
    let (covered, rest) = datagram.split_at(datagram.len().min(udp + 20));
    headers[..covered.len()].copy_from_slice(covered);
    let masked: &[usize] = if v6 { &[1, 2, 3, 7] } else { &[1, 8, 10, 11] };
    for &at in masked.iter().chain(&[udp + 6, udp + 7, udp + 12]) {
        headers[at] = 0xFF;
    }
    if v6 {
        headers[0] |= 0x0F;
    }
    let state = over(advance(u32::MAX, u64::MAX), &headers[..covered.len()]);
    !over(state, rest)
}

/// The state after more bytes.
fn over(state: u32, bytes: &[u8]) -> u32 {
    let (words, rest) = bytes.as_chunks::<8>();
    let state = words.iter().fold(state, |state, &word| advance(state, u64::from_le_bytes(word)));
    rest.iter().fold(state, |state, &byte| state >> 8 ^ TABLES[0][usize::from((state as u8) ^ byte)])
}

#[inline]
fn after(state: u32, word: &Word) -> u32 {
    let state = if word.first { start(word.tagged) } else { state };
    word.data.iter().fold(state, |state, &bytes| advance(state, bytes))
}

#[inline]
fn finish(state: u32, quads: u8) -> u32 {
    !(0..4 * quads + 2).fold(state, |state, _| retreat(state))
}

/// `weft_*_icrc`, clock for clock.
#[derive(Clone, Debug, Default)]
pub struct Icrc {
    state: u32,
    /// CRCs in the pipeline, the youngest first.
    stages: [Option<u32>; LATENCY],
}

impl Icrc {
    /// The CRC after reset.
    pub fn new() -> Self {
        Self::default()
    }

    /// The CRC of the frame whose last word arrived [`LATENCY`] clocks ago.
    #[inline]
    pub fn offered(&self) -> Option<u32> {
        self.stages[LATENCY - 1]
    }

    /// A clock edge; the register moves only with `en`.
    #[inline]
    pub fn clock(&mut self, en: bool, word: Option<&Word>) {
        if !en {
            return;
        }
        self.stages.copy_within(0..LATENCY - 1, 1);
        self.stages[0] = None;
        if let Some(word) = word {
            self.state = after(self.state, word);
            self.stages[0] = word.last.then(|| finish(self.state, word.quads));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes of a word.
    const BYTES: usize = 64;

    /// Bit by bit, straight from the definition.
    fn naive(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(u32::MAX, |state, &byte| {
            (0..8).fold(state ^ u32::from(byte), |state, _| {
                (state >> 1) ^ (if state & 1 == 1 { POLYNOMIAL } else { 0 })
            })
        })
    }

    /// A frame whose header is not covered, up to the last word that has covered bytes.
    fn words(header: usize, covered: &[u8]) -> Vec<Word> {
        let mut frame = vec![0; header];
        frame.extend(covered);
        let end = frame.len();
        frame.resize(end.div_ceil(BYTES) * BYTES, 0);
        let count = frame.len() / BYTES;
        let word = |(i, chunk): (usize, &[u8])| Word {
            data: std::array::from_fn(|k| u64::from_le_bytes(chunk[8 * k..8 * k + 8].try_into().unwrap())),
            first: i == 0,
            tagged: header == 18,
            last: i + 1 == count,
            quads: if i + 1 == count { ((count * BYTES - end) / 4) as u8 } else { 0 },
        };
        frame.chunks(BYTES).enumerate().map(word).collect()
    }

    #[test]
    fn any_length_and_header() {
        assert_eq!(naive(b"123456789"), 0xCBF4_3926);
        for length in (20..400).step_by(4) {
            for header in [14, 18] {
                let covered: Vec<u8> = (0..length).map(|i| (i * 37 + length * 11) as u8).collect();
                let expected = naive(&[vec![0xFF; 8], covered.clone()].concat());
                assert_eq!(of(&words(header, &covered)), expected, "{length} bytes behind {header}");
                let sealed = [&covered[..], &expected.to_le_bytes()].concat();
                assert_eq!(of(&words(header, &sealed)), RESIDUE);
            }
        }
    }

    #[test]
    fn travels_for_its_latency() {
        let mut icrc = Icrc::new();
        let words = words(14, &[7; 100]);
        for word in &words {
            icrc.clock(true, Some(word));
            icrc.clock(false, Some(word));
        }
        for _ in 1..LATENCY {
            assert_eq!(icrc.offered(), None);
            icrc.clock(true, None);
        }
        assert_eq!(icrc.offered(), Some(of(&words)));
    }
}
