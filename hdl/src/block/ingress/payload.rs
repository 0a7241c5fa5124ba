//! `weft_ingress_payload`: the payload of data packets, from byte 0 of a word on.

use super::words::Beat;
use crate::prelude::*;

/// The payload of data packets, aligned to byte 0 of a word: from the frame's bytes from the UDP header on
/// (stage 3) to words of payload (stage 5). The payload begins 44 or 48 bytes after the first byte of the UDP
/// header, so a word of payload consists of parts of two consecutive words. Frames without data have other
/// bytes in place of payload.
#[derive(LogicBlock, BlockDefault)]
pub struct Payload {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// A part arrives; a register, as all inputs.
    pub live: Signal<In, Bit>,
    /// First of its frame.
    pub first: Signal<In, Bit>,
    /// 64 bytes.
    pub part: Signal<In, Bits<512>>,
    /// The frame is a data packet; a function of registers.
    pub is_data: Signal<In, Bit>,
    /// Stage 4: the bytes in place of payload; zeros for a data packet.
    pub beside: Signal<In, Bits<512>>,
    /// Stage 5: a word of payload.
    pub push: Signal<Out, Bit>,
    /// The word; zeros behind the payload. Frames without data have other bytes here.
    pub word: Signal<Out, Beat>,

    #[new(Bits::<512>::mask())]
    ones: Constant<Bits<512>>,
    #[new(Bits::<64>::mask())]
    ones64: Constant<Bits<64>>,
    immediate: Pipe<Bit>,
    length: Signal<Local, Bits<14>>,
    left: Pipe<Bits<14>>,
    carried: Pipe<Bits<160>>,
    bytes: Signal<Local, Bits<6>>,
    s4_push: Reg<Bit>,
    s4_immediate: Pipe<Bit>,
    s4_carried: Pipe<Bits<160>>,
    s4_part: Pipe<Bits<512>>,
    s4_covered: Pipe<Bits<512>>,
    s4_keep: Pipe<Bits<64>>,
    s4_last: Pipe<Bit>,
    there: Signal<Local, Bits<512>>,
    made: Signal<Local, Beat>,
    s5_push: Reg<Bit>,
    s5_word: Pipe<Beat>,
}
impl Logic for Payload {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        // From the first part: the opcode's lowest bit, DMA length. From every part: its last bytes.
        self.immediate.pipe = when(self.live.val() & self.first.val(), self.part.val().get_bit(64));
        self.length.next = (bit_cast::<14, 6>(self.part.val().get_bits::<6>(272)) << 8)
            | bit_cast::<14, 8>(self.part.val().get_bits::<8>(280));
        self.left.pipe = when(
            self.live.val(),
            if self.first.val() {
                self.length.val()
            } else if self.left.q.val() > 64 {
                self.left.q.val() - 64
            } else {
                0.into()
            },
        );
        self.carried.pipe = when(self.live.val(), self.part.val().get_bits::<160>(352));

        // Stage 4: the parts that contain the word, and its bytes that are payload.
        self.bytes.next = self.left.q.val().get_bits::<6>(0);
        self.s4_push.reg = self.live.val() & !self.first.val() & self.left.q.val().any();
        self.s4_immediate.pipe = self.immediate.q.val();
        self.s4_carried.pipe = self.carried.q.val();
        self.s4_part.pipe = self.part.val();
        self.s4_covered.pipe = self.ones.val();
        self.s4_keep.pipe = self.ones64.val();
        if !self.left.q.val().get_bits::<8>(6).any() {
            self.s4_covered.d.next = !(self.ones.val() << (bit_cast::<9, 6>(self.bytes.val()) << 3));
            self.s4_keep.d.next = !(self.ones64.val() << self.bytes.val());
        }
        if !self.is_data.val() {
            self.s4_covered.d.next = 0.into();
        }
        self.s4_last.pipe = self.left.q.val() <= 64;

        // Stage 5: the word, one of two, and zeros behind the payload, or the bytes in place of payload, in one LUT a
        // bit.
        self.there.next = if self.s4_immediate.q.val() {
            bit_cast::<512, 128>(self.s4_carried.q.val().get_bits::<128>(32)) | (self.s4_part.q.val() << 128)
        } else {
            bit_cast::<512, 160>(self.s4_carried.q.val()) | (self.s4_part.q.val() << 160)
        };
        self.made.next.data = (self.there.val() & self.s4_covered.q.val()) | self.beside.val();
        self.made.next.keep = self.s4_keep.q.val();
        self.made.next.last = self.s4_last.q.val();
        self.made.next.bad = false;
        self.s5_push.reg = self.s4_push.q.val();
        self.s5_word.pipe = self.made.val();
        self.push.next = self.s5_push.q.val();
        self.word.next = self.s5_word.q.val();
    }
}
