//! The default operations of a [`Domain`] on words of 128 bits, as circuits of the operations that every word
//! has.

use crate::{Bit, Domain, Word};

/// Masks of the halves of a population count, by the logarithm of their width.
const MASKS: [u128; 7] = [
    u128::MAX / 0x3,
    u128::MAX / 0x5,
    u128::MAX / 0x11,
    u128::MAX / 0x101,
    u128::MAX / 0x1_0001,
    u128::MAX / 0x1_0000_0001,
    u128::MAX / 0x1_0000_0000_0000_0001,
];

/// 2 to the power of `exponent`.
pub fn power<D: Domain>(exponent: D::Word<7>) -> D::Word<128> {
    let mut power = D::lit::<128>(1);
    for bit in 0..7 {
        power = power.shl(1 << bit).when(bit_of::<D, 7>(exponent, bit), power);
    }
    power
}

/// Number of bits that are set.
pub fn ones<D: Domain>(word: D::Word<128>) -> D::Word<9> {
    let mut sums = word;
    for (log, mask) in MASKS.into_iter().enumerate() {
        sums = (sums & D::lit(mask)) + (sums.shr(1 << log) & D::lit(mask));
    }
    sums.slice::<0, 9>()
}

/// The index of the lowest set bit; 0 if none is set.
pub fn lowest<D: Domain>(word: D::Word<128>) -> D::Word<8> {
    let lowest = word & (D::lit::<128>(0) - word);
    let bit = |log: usize| !(lowest & D::lit(!MASKS[log])).is_zero();
    let mut index = bit(0).widen::<8>();
    for log in 1..7 {
        index = index | bit(log).widen::<8>().shl(log);
    }
    index
}

/// A ring of 256 bits, as its low and its high half: bit `i` becomes bit `i + amount`, with wrap-around.
pub fn rotate<D: Domain>([low, high]: [D::Word<128>; 2], amount: D::Word<8>) -> [D::Word<128>; 2] {
    let swap = amount.slice::<7, 1>();
    let when = |condition: Bit<D>, a: [D::Word<128>; 2], b: [D::Word<128>; 2]| {
        [a[0].when(condition, b[0]), a[1].when(condition, b[1])]
    };
    let mut turned = when(swap, [high, low], [low, high]);
    for bit in 0..7 {
        let by = 1 << bit;
        let [low, high] = turned;
        let next = [low.shl(by) | high.shr(128 - by), high.shl(by) | low.shr(128 - by)];
        turned = when(bit_of::<D, 8>(amount, bit), next, turned);
    }
    turned
}

fn bit_of<D: Domain, const W: usize>(word: D::Word<W>, bit: usize) -> Bit<D> {
    word.shr(bit).slice::<0, 1>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bits, Concrete};

    /// All runs of ones, and words without a pattern.
    fn words() -> impl Iterator<Item = u128> {
        let runs = (0..=128).flat_map(|length: u32| {
            let run = u128::MAX.checked_shr(128 - length).unwrap_or(0);
            (0..128).map(move |by| run << by)
        });
        let mut state = 1u128;
        let wild = (0..4000).map(move |at| {
            state = state.wrapping_mul(0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645).wrapping_add(1);
            let word = state ^ state >> 64;
            // Words with ever fewer ones.
            (0..at % 4).fold(word, |word, by| word & word.rotate_left(17 * (by + 1)))
        });
        runs.chain(wild)
    }

    #[test]
    fn numbers_are_what_the_circuits_say() {
        for exponent in 0..128 {
            let exponent = Bits::lit(exponent);
            assert_eq!(Concrete::power(exponent), power::<Concrete>(exponent));
        }
        let mut before = 0;
        for (at, word) in words().enumerate() {
            let (this, other) = (Bits::lit(word), Bits::lit(before));
            assert_eq!(Concrete::ones(this), ones::<Concrete>(this), "{word:x}");
            assert_eq!(Concrete::lowest(this), lowest::<Concrete>(this), "{word:x}");
            for amount in [at as u128 & 255, (at as u128 * 89) & 255] {
                let amount = Bits::lit(amount);
                let ring = [this, other];
                assert_eq!(Concrete::rotate(ring, amount), rotate::<Concrete>(ring, amount), "{word:x}");
            }
            before = word;
        }
    }
}
