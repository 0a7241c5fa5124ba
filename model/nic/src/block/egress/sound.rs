//! Whether read data fits its order, over words of any kind.

use weft_word::{Bit, Domain, Word};

/// The stored read data of a packet.
#[derive(Clone, Copy, Debug)]
pub struct Stored<D: Domain> {
    /// Words, 1 to 128.
    pub words: D::Word<8>,
    /// Bytes, up to the last one that counts.
    pub bytes: D::Word<14>,
    /// The packet is too long, has a read error or lacks bytes.
    pub bad: Bit<D>,
}

/// Rule 5: an order of so many bytes is not sent with this read data.
pub fn wrong<D: Domain>(stored: &Stored<D>, bytes: D::Word<14>) -> Bit<D> {
    let words = (bytes + D::lit(63)).slice::<6, 8>();
    stored.bad | !stored.words.equals(words) | stored.bytes.less(bytes)
}

/// Rule 5: a word of read data lacks bytes. The bytes that count begin with the first and have no gap, and
/// before the last word all bytes count.
pub fn lacks<D: Domain>(keep: D::Word<64>, last: Bit<D>) -> Bit<D> {
    let gaps = keep.is_zero() | !(keep & (keep + D::lit(1))).is_zero();
    gaps.when(last, !keep.equals(D::lit(u64::MAX.into())))
}
