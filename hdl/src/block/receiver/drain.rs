//! `weft_receiver_drain`: writes or throws away payload as the tokens say, and reports messages behind what was written
//! before.

use super::words::{Report, Token};
use crate::part::skid::Skid;
use crate::prelude::*;

/// Writes or throws away payload as the tokens say, and reports messages behind what was written before: a
/// report leaves when every word of payload before it has been handed over.
#[derive(LogicBlock, Default)]
pub struct Drain {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// There is room for reports.
    pub room: Signal<In, Bit>,
    /// A token is offered; a register.
    pub token_valid: Signal<In, Bit>,
    /// It is done.
    pub token_ready: Signal<Out, Bit>,
    /// The token; a register.
    pub token: Signal<In, Token>,
    /// Payload is offered.
    pub payload_valid: Signal<In, Bit>,
    /// It is taken; a function of registers.
    pub payload_ready: Signal<Out, Bit>,
    /// Its bytes.
    pub payload_data: Signal<In, Bits<512>>,
    /// Those that count.
    pub payload_keep: Signal<In, Bits<64>>,
    /// The last of its packet.
    pub payload_last: Signal<In, Bit>,
    /// Payload to write is offered; a function of registers, as all of the word.
    pub write_valid: Signal<Out, Bit>,
    /// It is taken.
    pub write_ready: Signal<In, Bit>,
    /// Connection.
    pub write_id: Signal<Out, Bits<12>>,
    /// Its bytes.
    pub write_data: Signal<Out, Bits<512>>,
    /// Those that count.
    pub write_keep: Signal<Out, Bits<64>>,
    /// The last of its packet.
    pub write_last: Signal<Out, Bit>,
    /// Where the packet goes, and its bytes.
    pub write_place: Signal<Out, Bits<78>>,
    /// A message is complete.
    pub report_valid: Signal<Out, Bit>,
    /// Which.
    pub report: Signal<Out, Report>,
    /// A close has come to its end: nothing of before it is here.
    pub closed: Signal<Out, Bit>,

    skid: Skid<725>,
    order: Signal<Local, Token>,
    goes: Signal<Local, Bit>,
    accepts: Signal<Local, Bit>,
    beat: Signal<Local, Bit>,
    waits: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
    completes: Signal<Local, Bit>,
    data: Signal<Local, Bits<577>>,
    words: Signal<Local, Bits<577>>,
    out: Signal<Local, Bits<725>>,
    written: Signal<Local, Bit>,
    leaves: Signal<Local, Bit>,
}

impl Logic for Drain {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        self.order.next = self.token.val();
        self.goes.next = self.token_valid.val() & self.room.val() & self.skid.run.val();
        self.accepts.next = self.goes.val() & self.order.val().payload;
        self.payload_ready.next = self.accepts.val();
        self.beat.next = self.accepts.val() & self.order.val().write & self.payload_valid.val();
        // A close waits until all payload of before it was handed over.
        self.waits.next = self.order.val().closes & self.skid.out_valid.val();
        self.ends.next = self.goes.val()
            & !self.waits.val()
            & (!self.order.val().payload | (self.payload_valid.val() & self.payload_last.val()));
        self.token_ready.next = self.ends.val();
        self.closed.next = self.ends.val() & self.order.val().closes;
        self.completes.next = self.ends.val() & self.order.val().completes;

        // A message that is complete goes the way of the payload: with the last word or, if that is not written, alone.
        self.data.next = bit_cast::<577, 512>(self.payload_data.val())
            | (bit_cast::<577, 64>(self.payload_keep.val()) << 512)
            | (bit_cast::<577, 1>(self.payload_last.val().into()) << 576);
        self.words.next = if self.beat.val() { self.data.val() } else { 0.into() };
        wire!(self.skid.* <- self.*: clk, rst);
        self.skid.in_valid.next = self.beat.val() | self.completes.val();
        self.skid.in_word.next = bit_cast::<725, 577>(self.words.val())
            | (bit_cast::<725, 64>(self.order.val().address) << 577)
            | (bit_cast::<725, 14>(self.order.val().bytes) << 641)
            | (bit_cast::<725, 12>(self.order.val().id) << 655)
            | (bit_cast::<725, 32>(self.order.val().immediate) << 667)
            | (bit_cast::<725, 24>(self.order.val().message) << 699)
            | (bit_cast::<725, 1>(self.beat.val().into()) << 723)
            | (bit_cast::<725, 1>(self.completes.val().into()) << 724);

        self.out.next = self.skid.out_word.val();
        self.written.next = self.out.val().get_bit(723);
        self.write_valid.next = self.skid.out_valid.val() & self.written.val();
        self.write_data.next = self.out.val().get_bits::<512>(0);
        self.write_keep.next = self.out.val().get_bits::<64>(512);
        self.write_last.next = self.out.val().get_bit(576);
        self.write_place.next = self.out.val().get_bits::<78>(577);
        self.write_id.next = self.out.val().get_bits::<12>(655);
        self.leaves.next = self.write_ready.val() | !self.written.val();
        self.skid.out_ready.next = self.leaves.val();
        self.report_valid.next = self.skid.out_valid.val() & self.leaves.val() & self.out.val().get_bit(724);
        self.report.next.id = self.out.val().get_bits::<12>(655);
        self.report.next.immediate = self.out.val().get_bits::<32>(667);
        self.report.next.message = self.out.val().get_bits::<24>(699);
    }
}
