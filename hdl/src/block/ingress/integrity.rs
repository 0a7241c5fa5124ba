//! `weft_ingress_integrity`: whether a frame contains its whole datagram, and whether the ICRC is right.

use super::words::Beat;
use crate::part::icrc::Icrc;
use crate::prelude::*;
use std::ops::Range;

/// Bytes of a word.
fn covered(bytes: Range<usize>) -> Constant<Bits<64>> {
    Constant::new(bytes.fold(0u64, |bits, at| bits | 1 << at).to_bits())
}

/// Places that the ICRC replaces by ones: whole bytes, and lower halves of bytes.
fn filled(bytes: &[usize], half: &[usize]) -> Constant<Bits<512>> {
    let mut bits = Bits::default();
    for (&at, ones) in bytes.iter().map(|at| (at, 0xFF)).chain(half.iter().map(|at| (at, 0xF))) {
        bits = bits | (Bits::from(ones) << Bits::<9>::from(8 * at as u64));
    }
    Constant::new(bits)
}

/// Stages 4 to 16: whether a frame contains its whole datagram, and whether the ICRC is right. A word comes
/// in stage 3.
#[derive(LogicBlock, BlockDefault)]
pub struct Integrity {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// A word arrives; a register, as all inputs.
    pub live: Signal<In, Bit>,
    /// First of a frame.
    pub first: Signal<In, Bit>,
    /// Second of a frame.
    pub second: Signal<In, Bit>,
    /// The word.
    pub beat: Signal<In, Beat>,
    /// Bytes from its first to the datagram's end.
    pub left: Signal<In, Bits<17>>,
    /// The frame has a VLAN tag.
    pub vlan: Signal<In, Bit>,
    /// The frame is IPv6.
    pub v6: Signal<In, Bit>,
    /// Stage 5: the datagram continues behind this word's bytes.
    pub cut: Signal<Out, Bit>,
    /// Stage 16: whether the ICRC of the last complete datagram is right.
    pub right: Signal<Out, Bit>,

    icrc: Icrc,
    #[new(Bits::<64>::mask())]
    ones: Constant<Bits<64>>,
    #[default(covered(0..14))]
    ethernet: Constant<Bits<64>>,
    #[default(covered(0..18))]
    ethernet_vlan: Constant<Bits<64>>,
    #[default(filled(&[15, 22, 24, 25, 40, 41, 46], &[]))]
    fill_v4: Constant<Bits<512>>,
    #[default(filled(&[19, 26, 28, 29, 44, 45, 50], &[]))]
    fill_v4_vlan: Constant<Bits<512>>,
    #[default(filled(&[15, 16, 17, 21, 60, 61], &[14]))]
    fill_v6: Constant<Bits<512>>,
    #[default(filled(&[2], &[]))]
    fill_v6_second: Constant<Bits<512>>,
    #[default(filled(&[19, 20, 21, 25], &[18]))]
    fill_v6_vlan: Constant<Bits<512>>,
    #[default(filled(&[0, 1, 6], &[]))]
    fill_v6_vlan_second: Constant<Bits<512>>,
    bytes: Signal<Local, Bits<6>>,
    spans: Signal<Local, Bit>,
    reach: Signal<Local, Bits<64>>,
    s4_covered: Pipe<Bits<64>>,
    s4_fill: Pipe<Bits<512>>,
    beyond: Signal<Local, Bit>,
    s4_live: Reg<Bit>,
    s4_data: Pipe<Bits<512>>,
    s4_keep: Pipe<Bits<64>>,
    s4_reach: Pipe<Bits<64>>,
    s4_beyond: Pipe<Bit>,
    s4_first: Pipe<Bit>,
    s4_vlan: Pipe<Bit>,
    s4_quads: Pipe<Bits<4>>,
    s5_live: Reg<Bit>,
    s5_data: Masked<512, 64>,
    s5_ends: Pipe<Bit>,
    s5_first: Pipe<Bit>,
    s5_vlan: Pipe<Bit>,
    s5_quads: Pipe<Bits<4>>,
    s5_cut: Pipe<Bit>,
    s16_right: Pipe<Bit>,
}
impl Logic for Integrity {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        // Stage 4: which bytes of the word are the datagram's.
        self.bytes.next = self.left.val().get_bits::<6>(0);
        self.spans.next = self.left.val().get_bits::<11>(6).any();
        self.reach.next = self.ones.val();
        if !self.spans.val() {
            self.reach.next = !(self.ones.val() << self.bytes.val());
        }
        self.s4_covered.pipe = if self.first.val() & self.vlan.val() {
            self.reach.val() & !self.ethernet_vlan.val()
        } else if self.first.val() {
            self.reach.val() & !self.ethernet.val()
        } else {
            self.reach.val()
        };
        // The bits that the ICRC reads as ones, because switches may change them: traffic class, hop limit, header
        // checksum, flow label, UDP checksum, BTH byte 4.
        self.s4_fill.pipe = 0.into();
        if self.first.val() {
            if self.v6.val() & self.vlan.val() {
                self.s4_fill.d.next = self.fill_v6_vlan.val();
            } else if self.v6.val() {
                self.s4_fill.d.next = self.fill_v6.val();
            } else if self.vlan.val() {
                self.s4_fill.d.next = self.fill_v4_vlan.val();
            } else {
                self.s4_fill.d.next = self.fill_v4.val();
            }
        } else if self.second.val() & self.v6.val() {
            self.s4_fill.d.next =
                if self.vlan.val() { self.fill_v6_vlan_second.val() } else { self.fill_v6_second.val() };
        }
        self.beyond.next = self.left.val() > 64;
        self.s4_live.reg = self.live.val() & self.left.val().any();
        self.s4_data.pipe = self.beat.val().data;
        self.s4_keep.pipe = self.beat.val().keep;
        self.s4_reach.pipe = self.reach.val();
        self.s4_beyond.pipe = self.beyond.val();
        self.s4_first.pipe = self.first.val();
        self.s4_vlan.pipe = self.vlan.val();
        // Length up to the end of a datagram that is not malformed, minus two bytes.
        self.s4_quads.pipe = !self.left.val().get_bits::<4>(2);

        // Stage 5: only these.
        self.s5_live.reg = self.s4_live.q.val();
        self.s5_data.clk.next = self.clk.val();
        self.s5_data.d.next = self.s4_data.q.val() | self.s4_fill.q.val();
        self.s5_data.keep.next = self.s4_covered.q.val();
        self.s5_ends.pipe = !self.s4_beyond.q.val();
        self.s5_first.pipe = self.s4_first.q.val();
        self.s5_vlan.pipe = self.s4_vlan.q.val();
        self.s5_quads.pipe = self.s4_quads.q.val();
        self.s5_cut.pipe = self.s4_beyond.q.val() | (self.s4_reach.q.val() & !self.s4_keep.q.val()).any();
        self.cut.next = self.s5_cut.q.val();

        // Stages 6 to 15: the CRC, the datagram's own included.
        wire!(self.icrc.* <- self.*: clk, rst);
        self.icrc.next_run.next = true;
        self.icrc.in_valid.next = self.s5_live.q.val();
        self.icrc.in_first.next = self.s5_first.q.val();
        self.icrc.in_tagged.next = self.s5_vlan.q.val();
        self.icrc.in_data.next = self.s5_data.q.val();
        self.icrc.in_last.next = self.s5_ends.q.val();
        self.icrc.in_quads.next = self.s5_quads.q.val();
        self.s16_right.pipe = when(self.icrc.out_valid.val(), self.icrc.out_right.val());
        self.right.next = self.s16_right.q.val();
    }
}
