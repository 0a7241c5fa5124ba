//! `weft_*_icrc`: the invariant CRC of RoCEv2, a word of 64 bytes per clock (page `docs/parts/icrc.md`).
//!
//! The state after a word is a linear map of the state before plus one of the word. The block finds a frame's
//! end from the zeros after it, whose effect it removes in steps of powers of two. So no word needs to be
//! shifted. The state is stored as a sum of powers of x^32. In this form, four bytes act on the state as one
//! bit acts on the CRC's register.

use crate::emit::{EmitError, Emitter, Module};
use crate::prelude::*;
use std::array::from_fn;

/// The CRC of a datagram whose own ICRC is covered and right.
pub const RESIDUE: u32 = 0x2144_DF1C;

/// Clocks from a frame's last word to its CRC.
pub const LATENCY: usize = 10;

/// Polynomial of CRC-32, the lowest power highest.
const POLYNOMIAL: u32 = 0xEDB8_8320;
/// Bits of a word.
const WORD: usize = 512;
/// Bits of the zeros behind a frame that every frame has.
const ALWAYS: usize = 16;

/// The state after a zero bit.
fn forth(state: u32) -> u32 {
    if state & 1 == 1 { (state >> 1) ^ POLYNOMIAL } else { state >> 1 }
}

/// The state before a zero bit.
fn back(state: u32) -> u32 {
    if state >> 31 == 1 { ((state ^ POLYNOMIAL) << 1) | 1 } else { state << 1 }
}

fn many(step: fn(u32) -> u32, times: usize, state: u32) -> u32 {
    (0..times).fold(state, |state, _| step(state))
}

/// The powers of x^32, the lowest highest: a state is stored as the sum of the powers of its bits.
fn powers() -> [u32; 32] {
    from_fn(|bit| many(forth, 32 * (31 - bit), 1 << 31))
}

/// A sum of powers of x^32 as the state of the CRC.
fn unfold(powers: &[u32; 32], state: u32) -> u32 {
    (0..32).filter(|bit| (state >> bit) & 1 == 1).fold(0, |sum, bit| sum ^ powers[bit])
}

/// The state of the CRC as a sum of powers of x^32. The conversion maps x to x^32; 32 such maps return x.
fn fold(powers: &[u32; 32], state: u32) -> u32 {
    (0..31).fold(state, |state, _| unfold(powers, state))
}

/// The part of the first state that remains after the first word. After the Ethernet header the first state
/// is the state of 8 bytes of ones.
fn first(header: usize) -> Bits<32> {
    let mut state = u32::MAX;
    for _ in 0..8 {
        state = many(forth, 8, state ^ 0xFF);
    }
    fold(&powers(), many(forth, WORD - ALWAYS - 8 * header, state)).to_bits()
}

/// The map of the state over a word of zeros.
fn over_word() -> Linear<32, 32> {
    Linear::new(|bit| many(forth, WORD / 32, 1 << bit).to_bits())
}

/// The map of the state back over zero bytes.
fn back_over(bytes: usize) -> Linear<32, 32> {
    Linear::new(|bit| many(back, bytes / 4, 1 << bit).to_bits())
}

/// The state after each single bit of a word, from the state 0.
fn of_word() -> Vec<u32> {
    let powers = powers();
    let after = |bit: usize| many(forth, WORD - 8 * (bit / 8), 1 << (bit % 8));
    (0..WORD).map(|bit| fold(&powers, many(back, ALWAYS, after(bit)))).collect()
}

/// A map by its rows: the input bits whose sum is an output bit.
fn map<const I: usize, const O: usize>(rows: &[Vec<usize>]) -> Linear<I, O> {
    assert!(rows.len() <= O, "{} rows for {O} bits", rows.len());
    let of = |j| (0..rows.len()).filter(move |&i| rows[i].contains(&j));
    Linear::new(|j| of(j).fold(Bits::default(), |y: Bits<O>, i| y.replace_bit(i, true)))
}

/// Input bits grouped by their effect on some bits of the state, for each effect except none.
fn alike(columns: &[u32], from: usize, bits: usize) -> Vec<Vec<usize>> {
    let of = |pattern| {
        let is = |&j: &usize| (columns[j] >> from) & ((1 << bits) - 1) == pattern;
        (0..columns.len()).filter(is).collect()
    };
    (1..1 << bits).map(of).collect()
}

/// The sums of equal input bits that make each of `bits` bits of the state.
fn made_of(bits: usize) -> Vec<Vec<usize>> {
    let of = |bit| (0..(1 << bits) - 1).filter(|sum| ((sum + 1) >> bit) & 1 == 1).collect();
    (0..bits).map(of).collect()
}

/// The bits of a word that have the same effect on four bits of the state, six by six.
fn sixes(columns: &[u32], nibble: usize) -> Linear<512, 88> {
    let alike = alike(columns, 4 * nibble, 4);
    map(&alike.iter().flat_map(|bits| bits.chunks(6)).map(<[_]>::to_vec).collect::<Vec<_>>())
}

/// The sums of all columns with the same effect.
fn sums(columns: &[u32], nibble: usize) -> Linear<88, 15> {
    let mut six = 0;
    let row = |bits: &Vec<usize>| {
        let first = six;
        six += bits.len().div_ceil(6);
        (first..six).collect()
    };
    map(&alike(columns, 4 * nibble, 4).iter().map(row).collect::<Vec<_>>())
}

/// Three bits of the CRC at a time: the bits of the state grouped by their effect on the three.
fn threes() -> Linear<32, 77> {
    map(&(0..32).step_by(3).flat_map(|from| alike(&powers(), from, 3)).collect::<Vec<_>>())
}

/// The CRC as a function of the sums of three bits.
fn of_threes() -> Linear<77, 32> {
    let row = |bit: usize| made_of(3)[bit % 3].iter().map(|sum| 7 * (bit / 3) + sum).collect();
    map(&(0..32).map(row).collect::<Vec<_>>())
}

/// The invariant CRC of RoCEv2, a word of 64 bytes per clock, one frame after the other.
#[derive(LogicBlock, BlockDefault)]
pub struct Icrc {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// All stages advance in the next clock.
    pub next_run: Signal<In, Bit>,
    /// A word of a frame.
    pub in_valid: Signal<In, Bit>,
    /// First of a frame.
    pub in_first: Signal<In, Bit>,
    /// The frame has a VLAN tag; counts with its first word.
    pub in_tagged: Signal<In, Bit>,
    /// The bytes, the first in the low bits: 0 in bytes that are not covered, ones in bytes that count as ones.
    pub in_data: Signal<In, Bits<512>>,
    /// Last of a frame.
    pub in_last: Signal<In, Bit>,
    /// The covered bytes end two bytes plus four times this number before the end of the last word.
    pub in_quads: Signal<In, Bits<4>>,
    /// A frame's CRC.
    pub out_valid: Signal<Out, Bit>,
    /// CRC as sent, the first byte in the low bits.
    pub out_crc: Signal<Out, Bits<32>>,
    /// Whether the state is that of a frame whose own ICRC is covered and right.
    pub out_right: Signal<Out, Bit>,

    run: Enable,
    run_2: Enable,
    #[default(from_fn(|nibble| sixes(&of_word(), nibble)))]
    sixes: [Linear<512, 88>; 8],
    #[default(from_fn(|nibble| sums(&of_word(), nibble)))]
    sums: [Linear<88, 15>; 8],
    #[default(from_fn(|_| map(&made_of(4))))]
    worth: [Linear<15, 4>; 8],
    #[default(over_word())]
    over_word: Linear<32, 32>,
    #[default(back_over(32))]
    back32: Linear<32, 32>,
    #[default(back_over(16))]
    back16: Linear<32, 32>,
    #[default(back_over(8))]
    back8: Linear<32, 32>,
    #[default(back_over(4))]
    back4: Linear<32, 32>,
    #[default(threes())]
    threes: Linear<32, 77>,
    #[default(of_threes())]
    of_threes: Linear<77, 32>,
    #[new(first(14))]
    behind14: Constant<Bits<32>>,
    #[new(first(18))]
    behind18: Constant<Bits<32>>,
    #[new(fold(&powers(), !RESIDUE).to_bits())]
    residue: Constant<Bits<32>>,
    ends: Signal<Local, Bit>,
    s1_ends: Reg<Bit>,
    lasts: Reg<Bits<9>>,
    valids: Reg<Bits<3>>,
    s1_sixes: [Pipe<Bits<88>>; 8],
    s2_sums: [Pipe<Bits<15>>; 8],
    #[new(2)]
    s2_first: Delay<Bit>,
    #[new(2)]
    s2_tagged: Delay<Bit>,
    start: Signal<Local, Bits<32>>,
    s3_worth: Pipe<Bits<32>>,
    s3_first: Pipe<Bit>,
    carried: Signal<Local, Bits<32>>,
    s4_state: Pipe<Bits<32>>,
    #[new(4)]
    s4_by32: Delay<Bit>,
    s5_state: Pipe<Bits<32>>,
    #[new(5)]
    s5_by16: Delay<Bit>,
    s6_state: Pipe<Bits<32>>,
    #[new(6)]
    s6_by8: Delay<Bit>,
    s7_state: Pipe<Bits<32>>,
    #[new(7)]
    s7_by4: Delay<Bit>,
    s8_state: Pipe<Bits<32>>,
    s9_threes: Pipe<Bits<77>>,
    s9_right: Pipe<Bit>,
    s10_crc: Pipe<Bits<32>>,
    s10_right: Pipe<Bit>,
}
impl Logic for Icrc {
    #[clocked(en = run.q)]
    #[hdl_gen]
    fn update(&mut self) {
        wire!(self.run.*, self.run_2.* <- self.*: clk, rst, next_run);

        // Bit i: a frame's last word is in stage i + 2; a word of a frame is in stage i + 1.
        self.ends.next = self.in_valid.val() & self.in_last.val();
        self.s1_ends.reg = self.ends.val();
        self.lasts.reg = (self.lasts.q.val() << 1) | bit_cast::<9, 1>(self.s1_ends.q.val().into());
        self.valids.reg = (self.valids.q.val() << 1) | bit_cast::<3, 1>(self.in_valid.val().into());

        // Stages 1 to 3: the contribution of the word. Bits that are alike to four bits of the state are added up
        // once.
        for k in 0..8 {
            self.sixes[k].x.next = self.in_data.val();
            self.s1_sixes[k].pipe = self.sixes[k].y.val();
        }
        enable!(run_2.q);
        for k in 0..8 {
            self.sums[k].x.next = self.s1_sixes[k].q.val();
            self.s2_sums[k].pipe = self.sums[k].y.val();
            self.worth[k].x.next = self.s2_sums[k].q.val();
        }
        self.s2_first.delay = self.in_first.val();
        self.s2_tagged.delay = self.in_tagged.val();
        self.start.next = if !self.s2_first.q.val() {
            0.into()
        } else if self.s2_tagged.q.val() {
            self.behind18.val()
        } else {
            self.behind14.val()
        };
        self.s3_worth.pipe = self.start.val()
            ^ (bit_cast::<32, 4>(self.worth[0].y.val())
                | (bit_cast::<32, 4>(self.worth[1].y.val()) << 4)
                | (bit_cast::<32, 4>(self.worth[2].y.val()) << 8)
                | (bit_cast::<32, 4>(self.worth[3].y.val()) << 12)
                | (bit_cast::<32, 4>(self.worth[4].y.val()) << 16)
                | (bit_cast::<32, 4>(self.worth[5].y.val()) << 20)
                | (bit_cast::<32, 4>(self.worth[6].y.val()) << 24)
                | (bit_cast::<32, 4>(self.worth[7].y.val()) << 28));
        self.s3_first.pipe = self.s2_first.q.val();

        // Stage 4: the state behind it.
        self.over_word.x.next = self.s4_state.q.val();
        self.carried.next = if self.s3_first.q.val() { 0.into() } else { self.over_word.y.val() };
        self.s4_state.pipe = when(
            self.run_2.q.val() & self.valids.q.val().get_bit(2),
            self.carried.val() ^ self.s3_worth.q.val(),
        );

        // Stages 5 to 8: back over the zeros.
        self.s4_by32.delay = self.in_quads.val().get_bit(3);
        self.back32.x.next = self.s4_state.q.val();
        self.s5_state.pipe = if self.s4_by32.q.val() { self.back32.y.val() } else { self.s4_state.q.val() };
        self.s5_by16.delay = self.in_quads.val().get_bit(2);
        self.back16.x.next = self.s5_state.q.val();
        self.s6_state.pipe = if self.s5_by16.q.val() { self.back16.y.val() } else { self.s5_state.q.val() };
        self.s6_by8.delay = self.in_quads.val().get_bit(1);
        self.back8.x.next = self.s6_state.q.val();
        self.s7_state.pipe = if self.s6_by8.q.val() { self.back8.y.val() } else { self.s6_state.q.val() };
        self.s7_by4.delay = self.in_quads.val().get_bit(0);
        self.back4.x.next = self.s7_state.q.val();
        self.s8_state.pipe = if self.s7_by4.q.val() { self.back4.y.val() } else { self.s7_state.q.val() };

        // Stages 9 and 10: as it is sent.
        self.threes.x.next = self.s8_state.q.val();
        self.s9_threes.pipe = self.threes.y.val();
        self.s9_right.pipe = self.s8_state.q.val() == self.residue.val();
        self.of_threes.x.next = self.s9_threes.q.val();
        self.s10_crc.pipe = !self.of_threes.y.val();
        self.s10_right.pipe = self.s9_right.q.val();
        self.out_valid.next = self.lasts.q.val().get_bit(8);
        self.out_crc.next = self.s10_crc.q.val();
        self.out_right.next = self.s10_right.q.val();
    }
}

/// The Verilog of `weft_icrc`, one module per file.
pub fn emit() -> Result<Vec<Module>, EmitError> {
    Emitter::new().emit_new::<Icrc>("weft_icrc")
}
