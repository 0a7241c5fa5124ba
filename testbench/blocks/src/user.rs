//! Bits of `tuser` that pass with frames of other software: their encoding, and their values in random runs.

use weft_nic::words::Beat;

/// `tuser` of a word with `USER` bits: the words of the port, and their number.
pub(crate) fn tuser<const USER: u32>(beat: &Beat) -> ([u64; 2], usize) {
    let all = beat.user << 1 | u128::from(beat.bad);
    ([all as u64, (all >> 64) as u64], USER.div_ceil(64) as usize)
}

/// Word with the `tuser` that was encoded this way.
pub(crate) fn with_tuser<const USER: u32>(beat: Beat, next: &mut dyn FnMut() -> u64) -> Beat {
    let low = u128::from(next());
    let all = if USER > 64 { low | u128::from(next()) << 64 } else { low };
    Beat { bad: all & 1 == 1, user: all >> 1, ..beat }
}

/// A random run in which each word of a frame of other software has its own bits of `tuser`, and a check of
/// these bits.
///
/// The bits of a word are its number in the stream and a mark that is computed from all of its bytes, as far
/// as there is space. A word must leave with the bits with which it entered. Words of the NIC's own frames
/// leave without such bits.
pub struct Marked<D, const USER: u32> {
    /// Stimulus of the run.
    pub inner: D,
    /// Words accepted.
    count: u64,
    /// Words that left with bits, and the first word with wrong bits.
    passed: u64,
    wrong: Option<String>,
}

impl<D, const USER: u32> Marked<D, USER> {
    pub(crate) fn new(inner: D) -> Self {
        Self { inner, count: 0, passed: 0, wrong: None }
    }

    /// Adds bits to a word. After the block has accepted this word, the next word has other bits.
    pub(crate) fn mark(&mut self, beat: Beat, taken: bool) -> Beat {
        let count = self.count % 16;
        self.count += u64::from(taken);
        let user = (u128::from(count) | mark(&beat) << 4) & mask::<USER>();
        Beat { user, ..beat }
    }

    /// Checks a word that leaves.
    pub(crate) fn see(&mut self, taken: bool, beat: &Beat) {
        if !taken || beat.user == 0 {
            return;
        }
        self.passed += 1;
        let given = mark(beat) << 4 & mask::<USER>();
        if beat.user & !0xF != given & !0xF && self.wrong.is_none() {
            self.wrong = Some(format!("a word came out with {:#x} in tuser, not {given:#x}", beat.user));
        }
    }

    /// Words that left with bits.
    pub fn passed(&self) -> u64 {
        self.passed
    }

    pub(crate) fn complaint(&self) -> Option<String> {
        self.wrong.clone()
    }
}

/// Mask of the bits that the port has.
fn mask<const USER: u32>() -> u128 {
    u128::MAX.checked_shr(129 - USER).unwrap_or_default()
}

/// Hash of a word's bytes.
fn mark(beat: &Beat) -> u128 {
    let mix =
        |mark: u128, byte: u8| (mark ^ u128::from(byte)).wrapping_mul(0x0100_0000_0000_0000_0000_0000_013B);
    beat.bytes().fold(0x6C62_272E_07BB_0142_62B8_2175_6295_C58D, mix)
}
