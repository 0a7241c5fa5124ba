//! `weft_egress_beats`: stages 3 to 17, which make the beats of a frame from header and payload, and finish the ICRC.

use super::wiring::Join;
use super::words::{Beat, Slot};
use crate::part::icrc::{Icrc, LATENCY};
use crate::part::wait::Wait;
use crate::prelude::*;

/// A mask of the bus word with `bits` ones from `byte` on. Ones beyond the end of the word are left out.
fn ones(byte: usize, bits: usize) -> Bits<512> {
    let places = (8 * byte..8 * byte + bits).filter(|place| *place < 512);
    places.fold(Bits::default(), |mask: Bits<512>, place| mask.replace_bit(place, true))
}

/// The bits of the first word that the ICRC reads as ones, with the IP header at byte `ip`: IPv4's TOS, TTL and
/// checksum, the UDP checksum, Resv8a.
fn masked_v4(ip: usize) -> Bits<512> {
    ones(ip + 1, 8) | ones(ip + 8, 8) | ones(ip + 10, 16) | ones(ip + 26, 16) | ones(ip + 32, 8)
}

/// The mask for IPv6: traffic class and flow label around the version, hop limit, and a UDP checksum in this word.
fn masked_v6(ip: usize) -> Bits<512> {
    ones(ip, 4) | ones(ip + 1, 24) | ones(ip + 7, 8) | ones(ip + 46, 16)
}

/// Masked bytes of the second word: the UDP checksum if it is in this word, Resv8a.
fn masked_second(ip: usize) -> Bits<512> {
    let checksum = if ip + 46 < 64 { Bits::default() } else { ones(ip + 46 - 64, 16) };
    checksum | ones(ip + 52 - 64, 8)
}

/// Stages 3 to 17: make the beats of a frame, one per clock, from header and payload, and finish the ICRC.
#[derive(LogicBlock, BlockDefault)]
pub struct Beats {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// The pipeline moves in the next clock.
    pub next_run: Signal<In, Bit>,
    /// Stage 2: there is a beat.
    pub in_valid: Signal<In, Bit>,
    /// Stage 2: the kind of the beat.
    pub in_slot: Signal<In, Slot>,
    /// Stage 2: for frames of other software, the bytes that count.
    pub in_keep: Signal<In, Bits<64>>,
    /// Stage 2: the frame of other software is bad.
    pub in_bad: Signal<In, Bit>,
    /// Stage 5: bytes 0 to 63 of the header.
    pub low: Signal<In, Bits<512>>,
    /// Stage 5: bytes 64 to 127.
    pub mid: Signal<In, Bits<512>>,
    /// Stage 5: bytes 128 to 183.
    pub high: Signal<In, Bits<448>>,
    /// Stage 5: payload of this beat.
    pub word: Signal<In, Bits<512>>,
    /// Stage 5: payload of the next beat.
    pub rest: Signal<In, Bits<512>>,
    /// Stage 17: there is a beat.
    pub valid: Signal<Out, Bit>,
    /// Stage 17: the beat.
    pub beat: Signal<Out, Beat>,

    run: Enable,
    run_6: Enable,
    run_7: Enable,
    run_17: Enable,
    icrc: Icrc,
    word_of: Join,
    #[new(u64::MAX.to_bits())]
    every: Constant<Bits<64>>,
    #[new(masked_v4(14))]
    v4: Constant<Bits<512>>,
    #[new(masked_v4(18))]
    v4_tagged: Constant<Bits<512>>,
    #[new(masked_v6(14))]
    v6: Constant<Bits<512>>,
    #[new(masked_v6(18))]
    v6_tagged: Constant<Bits<512>>,
    #[new(masked_second(14))]
    second: Constant<Bits<512>>,
    #[new(masked_second(18))]
    second_tagged: Constant<Bits<512>>,
    valids: Reg<Bits<15>>,
    s3_slot: Pipe<Slot>,
    s3_bad: Pipe<Bit>,
    tail: Signal<Local, Bits<6>>,
    s3_keep: Pipe<Bits<64>>,
    #[new(2)]
    s5_slot: Delay<Slot>,
    now: Signal<Local, Slot>,
    s6_carry: Pipe<Bits<512>>,
    s6_data: Pipe<Bits<512>>,
    s6_slot: Pipe<Slot>,
    seen: Signal<Local, Slot>,
    s7_data: Pipe<Bits<512>>,
    s7_slot: Pipe<Slot>,
    covered: Signal<Local, Slot>,
    #[new((LATENCY as u64 + 1).to_bits())]
    behind_s6: Constant<Bits<4>>,
    data: Wait<Bits<512>>,
    #[new((LATENCY as u64 + 4).to_bits())]
    behind_s3: Constant<Bits<4>>,
    keep: Wait<Bits<64>>,
    #[new(LATENCY + 4)]
    s17_bad: Delay<Bit>,
    #[new(LATENCY - 1)]
    s16_slot: Delay<Slot>,
    ending: Signal<Local, Slot>,
    place: Signal<Local, Bits<4>>,
    s17_last: Pipe<Bit>,
    s17_spill: Pipe<Bit>,
    s17_hot: Pipe<Bits<16>>,
    crc: Signal<Local, Bits<32>>,
    s18_rest: Pipe<Bits<16>>,
    sealed: Signal<Local, Bits<512>>,
    whole: Signal<Local, Beat>,
}
impl Logic for Beats {
    #[clocked(en = run.q)]
    #[hdl_gen]
    fn update(&mut self) {
        wire!(
            self.run.*, self.run_6.*, self.run_7.*, self.run_17.*, self.icrc.*
            <- self.*: clk, rst, next_run,
        );

        // Bit i: there is a beat in stage i + 3.
        self.valids.reg = (self.valids.q.val() << 1) | bit_cast::<15, 1>(self.in_valid.val().into());
        self.s3_slot.pipe = self.in_slot.val();
        self.s3_bad.pipe = self.in_slot.val().bypass & self.in_bad.val();
        self.tail.next = (bit_cast::<6, 4>(self.in_slot.val().quads) << 2) | 2;
        self.s3_keep.pipe = if self.in_slot.val().bypass {
            self.in_keep.val()
        } else if self.in_slot.val().last {
            !(self.every.val() << self.tail.val())
        } else {
            self.every.val()
        };
        self.s5_slot.delay = self.s3_slot.q.val();

        // Stage 6: the beat, and the bytes of header or payload that are left for the next.
        self.now.next = self.s5_slot.q.val();
        self.s6_carry.pipe = if self.now.val().first {
            self.mid.val()
        } else if self.now.val().second {
            self.rest.val() | bit_cast::<512, 448>(self.high.val())
        } else {
            self.rest.val()
        };
        enable!(run_6.q);
        self.s6_data.pipe = if self.now.val().bypass {
            self.word.val()
        } else if self.now.val().first {
            self.low.val()
        } else {
            self.word.val() | self.s6_carry.q.val()
        };
        self.s6_slot.pipe = self.s5_slot.q.val();

        // Stage 7: the beat with the bytes that the ICRC covers.
        enable!(run_7.q);
        self.seen.next = self.s6_slot.q.val();
        self.s7_data.pipe = self.s6_data.q.val();
        if self.seen.val().first {
            if self.seen.val().v6 {
                if self.seen.val().tagged {
                    self.s7_data.d.next = ((self.s6_data.q.val() >> 144) << 144) | self.v6_tagged.val();
                } else {
                    self.s7_data.d.next = ((self.s6_data.q.val() >> 112) << 112) | self.v6.val();
                }
            } else if self.seen.val().tagged {
                self.s7_data.d.next = ((self.s6_data.q.val() >> 144) << 144) | self.v4_tagged.val();
            } else {
                self.s7_data.d.next = ((self.s6_data.q.val() >> 112) << 112) | self.v4.val();
            }
        } else if self.seen.val().second & self.seen.val().v6 {
            if self.seen.val().tagged {
                self.s7_data.d.next = self.s6_data.q.val() | self.second_tagged.val();
            } else {
                self.s7_data.d.next = self.s6_data.q.val() | self.second.val();
            }
        }
        self.s7_slot.pipe = self.s6_slot.q.val();
        self.covered.next = self.s7_slot.q.val();
        self.icrc.in_valid.next =
            self.valids.q.val().get_bit(4) & !self.covered.val().bypass & !self.covered.val().spill;
        self.icrc.in_first.next = self.covered.val().first;
        self.icrc.in_tagged.next = self.covered.val().tagged;
        self.icrc.in_data.next = self.s7_data.q.val();
        self.icrc.in_last.next = self.covered.val().ends;
        self.icrc.in_quads.next = bits::<4>(0) - self.covered.val().quads;

        // Stage 17: the ICRC has arrived.
        enable!(run_17.q);
        wire!(self.data.*, self.keep.* <- self.*: clk, rst);
        self.data.en.next = self.run_17.q.val();
        self.data.clocks.next = self.behind_s6.val();
        self.data.word.next = self.s6_data.q.val();
        self.keep.en.next = self.run_17.q.val();
        self.keep.clocks.next = self.behind_s3.val();
        self.keep.word.next = self.s3_keep.q.val();
        self.s17_bad.delay = self.s3_bad.q.val();
        self.s16_slot.delay = self.s7_slot.q.val();
        self.ending.next = self.s16_slot.q.val();
        self.place.next = self.ending.val().quads - 1;
        self.s17_last.pipe = self.ending.val().last;
        self.s17_spill.pipe = self.ending.val().spill;
        self.s17_hot.pipe = if self.ending.val().ends { bits::<16>(1) << self.place.val() } else { 0.into() };
        self.crc.next = self.icrc.out_crc.val();
        self.s18_rest.pipe = self.crc.val().get_bits::<16>(16);
        for k in 0..8 {
            self.word_of.lanes[k].next = if self.s17_hot.q.val().get_bit(2 * k) {
                bit_cast::<64, 32>(self.crc.val())
            } else if self.s17_hot.q.val().get_bit(2 * k + 1) {
                bit_cast::<64, 32>(self.crc.val()) << 32
            } else {
                0.into()
            };
        }
        self.sealed.next = if self.s17_spill.q.val() {
            bit_cast::<512, 16>(self.s18_rest.q.val())
        } else {
            self.data.late.val() | (self.word_of.word.val() << 16)
        };
        self.whole.next.data = self.sealed.val();
        self.whole.next.keep = self.keep.late.val();
        self.whole.next.last = self.s17_last.q.val();
        self.whole.next.bad = self.s17_bad.q.val();
        self.valid.next = self.valids.q.val().get_bit(14);
        self.beat.next = self.whole.val();
    }
}
