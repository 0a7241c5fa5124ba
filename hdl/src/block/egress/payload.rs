//! `weft_egress_payload`: stages 3 to 5, which rotate a word of payload to the byte where the header ends.

use super::wiring::Spread;
use super::words::Slot;
use crate::prelude::*;

/// Stages 3 to 5: rotates a word of payload to the byte where the header ends. Byte i of a word moves to byte
/// i + r modulo 64, with r = 14 + 4 more + 20 v6; frames of other software are not rotated.
#[derive(LogicBlock, BlockDefault)]
pub struct Payload {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset of the enable.
    pub rst: Signal<In, Bit>,
    /// The pipeline moves in the next clock.
    pub next_run: Signal<In, Bit>,
    /// Stage 2: the kind of the beat.
    pub slot: Signal<In, Slot>,
    /// Stage 2: the beat takes a word of read data.
    pub fills: Signal<In, Bit>,
    /// Stage 2: number of bytes of the beat; 0: all.
    pub cut: Signal<In, Bits<6>>,
    /// Stage 2: the word of read data.
    pub read: Signal<In, Bits<512>>,
    /// Stage 2: the word of other software.
    pub other: Signal<In, Bits<512>>,
    /// Stage 5: the rotated word; 0 where there is none.
    pub word: Signal<Out, Bits<512>>,
    /// Stage 5: bytes of the word that belong to the next beat.
    pub rest: Signal<Out, Bits<512>>,

    run: Enable,
    run_4: Enable,
    run_5: Enable,
    spread: Spread,
    behind: Spread,
    #[new(u64::MAX.to_bits())]
    every: Constant<Bits<64>>,
    some: Signal<Local, Bits<64>>,
    now: Signal<Local, Slot>,
    s3_word: Pipe<Bits<512>>,
    s3_some: Pipe<Bits<64>>,
    s3_slot: Pipe<Slot>,
    s3_turn: Pipe<Bits<6>>,
    then: Signal<Local, Slot>,
    few: Signal<Local, Bits<64>>,
    counts: Signal<Local, Bits<512>>,
    s4_word: Pipe<Bits<512>>,
    s4_turn: Pipe<Bits<6>>,
    s5_word: Pipe<Bits<512>>,
    s5_behind: Pipe<Bits<64>>,
}
impl Logic for Payload {
    #[clocked(en = run.q)]
    #[hdl_gen]
    fn update(&mut self) {
        wire!(self.run.*, self.run_4.*, self.run_5.* <- self.*: clk, rst, next_run);

        // Stage 3: the word, by 14, 18 or 22 bytes; its bytes of payload.
        self.some.next =
            if !self.cut.val().any() { self.every.val() } else { !(self.every.val() << self.cut.val()) };
        if !self.fills.val() {
            self.some.next = 0.into();
        }
        self.s3_some.pipe = self.some.val();
        self.now.next = self.slot.val();
        self.s3_word.pipe = if self.now.val().more == 3 {
            self.other.val()
        } else if self.now.val().more == 1 {
            (self.read.val() << 144) | (self.read.val() >> 368)
        } else if self.now.val().more == 2 {
            (self.read.val() << 176) | (self.read.val() >> 336)
        } else {
            (self.read.val() << 112) | (self.read.val() >> 400)
        };
        self.s3_slot.pipe = self.slot.val();
        self.s3_turn.pipe = if self.slot.val().v6 {
            bits::<6>(34) + (bit_cast::<6, 2>(self.slot.val().more) << 2)
        } else {
            bits::<6>(14) + (bit_cast::<6, 2>(self.slot.val().more) << 2)
        };
        if self.slot.val().bypass {
            self.s3_turn.d.next = 0.into();
        }

        // Stage 4: zeros behind the payload; by 20 more with IPv6.
        enable!(run_4.q);
        self.then.next = self.s3_slot.q.val();
        self.few.next = if self.then.val().more == 3 {
            self.every.val()
        } else if self.then.val().more == 1 {
            (self.s3_some.q.val() << 18) | (self.s3_some.q.val() >> 46)
        } else if self.then.val().more == 2 {
            (self.s3_some.q.val() << 22) | (self.s3_some.q.val() >> 42)
        } else {
            (self.s3_some.q.val() << 14) | (self.s3_some.q.val() >> 50)
        };
        self.spread.bytes.next = self.few.val();
        self.counts.next = self.s3_word.q.val() & self.spread.mask.val();
        self.s4_word.pipe = if self.then.val().v6 & !self.then.val().bypass {
            (self.counts.val() << 160) | (self.counts.val() >> 352)
        } else {
            self.counts.val()
        };
        self.s4_turn.pipe = self.s3_turn.q.val();

        // Stage 5: bytes that the rotation wrapped around are for the next beat.
        enable!(run_5.q);
        self.s5_word.pipe = self.s4_word.q.val();
        self.s5_behind.pipe = !(self.every.val() << self.s4_turn.q.val());
        self.behind.bytes.next = self.s5_behind.q.val();
        self.word.next = self.s5_word.q.val() & !self.behind.mask.val();
        self.rest.next = self.s5_word.q.val() & self.behind.mask.val();
    }
}
