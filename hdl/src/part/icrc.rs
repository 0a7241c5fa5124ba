//! `weft_*_icrc`: the invariant CRC of RoCEv2, a word of 64 bytes per clock (page `docs/blocks/icrc.md`).
//!
//! The state after a word is a linear map of the state before plus one of the word. A frame's end is found by going
//! back over the zeros behind it, a power of two at a time: so no word needs to be shifted.

use crate::emit::{EmitError, Emitter, Module};
use crate::prelude::*;

/// The CRC of a datagram whose own ICRC is covered, if it is right.
pub const RESIDUE: u64 = 0x2144_DF1C;

/// Clocks from a frame's last word to its CRC.
pub const LATENCY: usize = 10;

/// Polynomial of CRC-32, the lowest power highest.
const POLYNOMIAL: u32 = 0xEDB8_8320;
/// Bits of a word.
const WORD: usize = 512;

/// The state after a zero bit.
fn forth(state: u32) -> u32 {
    if state & 1 == 1 { (state >> 1) ^ POLYNOMIAL } else { state >> 1 }
}

/// The state before a zero bit.
fn back(state: u32) -> u32 {
    if state >> 31 == 1 { ((state ^ POLYNOMIAL) << 1) | 1 } else { state << 1 }
}

fn many(step: fn(u32) -> u32, bits: usize, state: u32) -> u32 {
    (0..bits).fold(state, |state, _| step(state))
}

/// What the first word leaves of the state before it; behind the Ethernet header it is that of 8 bytes of ones.
fn first(header: usize) -> Bits<32> {
    let mut state = u32::MAX;
    for _ in 0..8 {
        state = many(forth, 8, state ^ 0xFF);
    }
    many(forth, WORD - 8 * header, state).to_bits()
}

/// The map of the state over a word of zeros.
fn over_word() -> Linear<32, 32> {
    Linear::new(|bit| many(forth, WORD, 1 << bit).to_bits())
}

/// The map of a word to the state, from 0.
fn of_word() -> Linear<512, 32> {
    Linear::new(|bit| many(forth, WORD - 8 * (bit / 8), 1 << (bit % 8)).to_bits())
}

/// The map of the state back over zero bytes.
fn back_over(bytes: usize) -> Linear<32, 32> {
    Linear::new(|bit| many(back, 8 * bytes, 1 << bit).to_bits())
}

/// The invariant CRC of RoCEv2, a word of 64 bytes per clock, one frame after the other.
#[derive(LogicBlock, BlockDefault)]
pub struct Icrc {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// All stages advance.
    pub en: Signal<In, Bit>,
    /// A word of a frame.
    pub in_valid: Signal<In, Bit>,
    /// First of a frame.
    pub in_first: Signal<In, Bit>,
    /// The frame has a VLAN tag; counts with its first word.
    pub in_tagged: Signal<In, Bit>,
    /// The bytes, the first in the low bits; 0 where the ICRC does not cover them, ones where it is to see ones.
    pub in_data: Signal<In, Bits<512>>,
    /// Last of a frame.
    pub in_last: Signal<In, Bit>,
    /// The covered bytes end so many bytes before the last word does; above 63 they end in the word before.
    pub in_zeros: Signal<In, Bits<7>>,
    /// A frame's CRC.
    pub out_valid: Signal<Out, Bit>,
    /// As it is sent, the first byte in the low bits.
    pub out_crc: Signal<Out, Bits<32>>,

    #[default(of_word())]
    of_word: Linear<512, 32>,
    #[default(over_word())]
    over_word: Linear<32, 32>,
    #[default(back_over(64))]
    back64: Linear<32, 32>,
    #[default(back_over(32))]
    back32: Linear<32, 32>,
    #[default(back_over(16))]
    back16: Linear<32, 32>,
    #[default(back_over(8))]
    back8: Linear<32, 32>,
    #[default(back_over(4))]
    back4: Linear<32, 32>,
    #[default(back_over(2))]
    back2: Linear<32, 32>,
    #[default(back_over(1))]
    back1: Linear<32, 32>,
    #[new(first(14))]
    behind14: Constant<Bits<32>>,
    #[new(first(18))]
    behind18: Constant<Bits<32>>,
    ends: Signal<Local, Bit>,
    lasts: Reg<Bits<9>>,
    s1_valid: Reg<Bit>,
    s1_ends: Reg<Bit>,
    s1_first: Pipe<Bit>,
    s1_tagged: Pipe<Bit>,
    s1_zeros: Pipe<Bits<7>>,
    s1_worth: Pipe<Bits<32>>,
    carried: Signal<Local, Bits<32>>,
    s2_state: Pipe<Bits<32>>,
    s2_zeros: Pipe<Bits<7>>,
    moved64: Signal<Local, Bits<32>>,
    s3_state: Pipe<Bits<32>>,
    s3_zeros: Pipe<Bits<7>>,
    moved32: Signal<Local, Bits<32>>,
    s4_state: Pipe<Bits<32>>,
    s4_zeros: Pipe<Bits<7>>,
    moved16: Signal<Local, Bits<32>>,
    s5_state: Pipe<Bits<32>>,
    s5_zeros: Pipe<Bits<7>>,
    moved8: Signal<Local, Bits<32>>,
    s6_state: Pipe<Bits<32>>,
    s6_zeros: Pipe<Bits<7>>,
    moved4: Signal<Local, Bits<32>>,
    s7_state: Pipe<Bits<32>>,
    s7_zeros: Pipe<Bits<7>>,
    moved2: Signal<Local, Bits<32>>,
    s8_state: Pipe<Bits<32>>,
    s8_zeros: Pipe<Bits<7>>,
    moved1: Signal<Local, Bits<32>>,
    s9_state: Pipe<Bits<32>>,
    s10_crc: Pipe<Bits<32>>,
}
impl Logic for Icrc {
    #[clocked(en = en)]
    #[hdl_gen]
    fn update(&mut self) {
        // Bit i: a frame's last word is in stage i + 2.
        self.ends.next = self.in_valid.val() & self.in_last.val();
        self.lasts.reg = (self.lasts.q.val() << 1) | bit_cast::<9, 1>(self.s1_ends.q.val().into());

        // Stage 1: what the word is worth.
        self.of_word.x.next = self.in_data.val();
        self.s1_valid.reg = self.in_valid.val();
        self.s1_ends.reg = self.ends.val();
        self.s1_first.pipe = self.in_first.val();
        self.s1_tagged.pipe = self.in_tagged.val();
        self.s1_zeros.pipe = self.in_zeros.val();
        self.s1_worth.pipe = self.of_word.y.val();

        // Stage 2: the state behind it.
        self.over_word.x.next = self.s2_state.q.val();
        self.carried.next = if self.s1_first.q.val() {
            if self.s1_tagged.q.val() { self.behind18.val() } else { self.behind14.val() }
        } else {
            self.over_word.y.val()
        };
        self.s2_state.pipe =
            when(self.en.val() & self.s1_valid.q.val(), self.carried.val() ^ self.s1_worth.q.val());
        self.s2_zeros.pipe = self.s1_zeros.q.val();

        // Stages 3 to 9: back over the zeros.
        self.back64.x.next = self.s2_state.q.val();
        self.moved64.next =
            if self.s2_zeros.q.val().get_bit(6) { self.back64.y.val() } else { self.s2_state.q.val() };
        self.s3_state.pipe = self.moved64.val();
        self.s3_zeros.pipe = self.s2_zeros.q.val();
        self.back32.x.next = self.s3_state.q.val();
        self.moved32.next =
            if self.s3_zeros.q.val().get_bit(5) { self.back32.y.val() } else { self.s3_state.q.val() };
        self.s4_state.pipe = self.moved32.val();
        self.s4_zeros.pipe = self.s3_zeros.q.val();
        self.back16.x.next = self.s4_state.q.val();
        self.moved16.next =
            if self.s4_zeros.q.val().get_bit(4) { self.back16.y.val() } else { self.s4_state.q.val() };
        self.s5_state.pipe = self.moved16.val();
        self.s5_zeros.pipe = self.s4_zeros.q.val();
        self.back8.x.next = self.s5_state.q.val();
        self.moved8.next =
            if self.s5_zeros.q.val().get_bit(3) { self.back8.y.val() } else { self.s5_state.q.val() };
        self.s6_state.pipe = self.moved8.val();
        self.s6_zeros.pipe = self.s5_zeros.q.val();
        self.back4.x.next = self.s6_state.q.val();
        self.moved4.next =
            if self.s6_zeros.q.val().get_bit(2) { self.back4.y.val() } else { self.s6_state.q.val() };
        self.s7_state.pipe = self.moved4.val();
        self.s7_zeros.pipe = self.s6_zeros.q.val();
        self.back2.x.next = self.s7_state.q.val();
        self.moved2.next =
            if self.s7_zeros.q.val().get_bit(1) { self.back2.y.val() } else { self.s7_state.q.val() };
        self.s8_state.pipe = self.moved2.val();
        self.s8_zeros.pipe = self.s7_zeros.q.val();
        self.back1.x.next = self.s8_state.q.val();
        self.moved1.next =
            if self.s8_zeros.q.val().get_bit(0) { self.back1.y.val() } else { self.s8_state.q.val() };
        self.s9_state.pipe = self.moved1.val();

        // Stage 10: as it is sent.
        self.s10_crc.pipe = !self.s9_state.q.val();
        self.out_valid.next = self.lasts.q.val().get_bit(8);
        self.out_crc.next = self.s10_crc.q.val();
    }
}

/// The Verilog of `weft_icrc`, one module per file.
pub fn emit() -> Result<Vec<Module>, EmitError> {
    Emitter::new().emit_new::<Icrc>("weft_icrc")
}
