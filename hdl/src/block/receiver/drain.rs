//! `weft_receiver_drain`: writes payload to memory or discards it as the tokens say, and reports messages
//! after all earlier payload.

use super::words::{Handed, Report, Token};
use crate::part::skid::Skid;
use crate::part::slots::Slots;
use crate::prelude::*;

/// Writes payload to memory or discards it as the tokens say. The report of a message leaves when every word
/// of payload before it has been passed on.
#[derive(LogicBlock, Default)]
pub struct Drain {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// The queue has space for reports.
    pub room: Signal<In, Bit>,
    /// A token is offered; a register.
    pub token_valid: Signal<In, Bit>,
    /// The stage accepts the token.
    pub token_ready: Signal<Out, Bit>,
    /// The token; a register.
    pub token: Signal<In, Token>,
    /// Payload is offered.
    pub payload_valid: Signal<In, Bit>,
    /// The payload is accepted; a function of registers.
    pub payload_ready: Signal<Out, Bit>,
    /// Bytes of the payload.
    pub payload_data: Signal<In, Bits<512>>,
    /// Bytes that count.
    pub payload_keep: Signal<In, Bits<64>>,
    /// Last word of its packet.
    pub payload_last: Signal<In, Bit>,
    /// Payload to write is offered; a function of registers, as all of the word.
    pub write_valid: Signal<Out, Bit>,
    /// The payload is accepted.
    pub write_ready: Signal<In, Bit>,
    /// Connection.
    pub write_id: Signal<Out, Bits<14>>,
    /// Bytes of the payload.
    pub write_data: Signal<Out, Bits<512>>,
    /// Bytes that count.
    pub write_keep: Signal<Out, Bits<64>>,
    /// Last word of its packet.
    pub write_last: Signal<Out, Bit>,
    /// Place of the packet: address and bytes.
    pub write_place: Signal<Out, Bits<78>>,
    /// A message is complete.
    pub report_valid: Signal<Out, Bit>,
    /// The report of the message.
    pub report: Signal<Out, Report>,
    /// A close is finished: all earlier work has left.
    pub closed: Signal<Out, Bit>,

    skid: Skid<2>,
    slots: Slots<Handed>,
    order: Signal<Local, Token>,
    goes: Signal<Local, Bit>,
    accepts: Signal<Local, Bit>,
    beat: Signal<Local, Bit>,
    waits: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
    completes: Signal<Local, Bit>,
    some: Signal<Local, Bit>,
    handed: Signal<Local, Handed>,
    out: Signal<Local, Handed>,
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
        // A close waits until all earlier payload was handed over.
        self.waits.next = self.order.val().closes & self.skid.out_valid.val();
        self.ends.next = self.goes.val()
            & !self.waits.val()
            & (!self.order.val().payload | (self.payload_valid.val() & self.payload_last.val()));
        self.token_ready.next = self.ends.val();
        self.closed.next = self.ends.val() & self.order.val().closes;
        self.completes.next = self.ends.val() & self.order.val().completes;

        // The report of a message follows the payload: with its last word or, if that is not written, alone.
        self.some.next = self.beat.val() | self.completes.val();
        wire!(self.skid.*, self.slots.* <- self.*: clk, rst);
        self.skid.in_valid.next = self.some.val();
        self.skid.in_word.next =
            bit_cast::<2, 1>(self.beat.val().into()) | (bit_cast::<2, 1>(self.completes.val().into()) << 1);
        wire!(self.handed.next.* <- self.order.val().*: address, bytes, id, immediate, message);
        self.handed.next.data = self.payload_data.val();
        self.handed.next.keep = self.payload_keep.val();
        self.handed.next.last = self.payload_last.val();
        self.slots.put.next = self.some.val();
        self.slots.word.next = self.handed.val();

        self.out.next = self.slots.first.val();
        self.written.next = self.skid.out_word.val().get_bit(0);
        self.write_valid.next = self.skid.out_valid.val() & self.written.val();
        self.write_data.next = self.out.val().data;
        self.write_keep.next = self.out.val().keep;
        self.write_last.next = self.out.val().last;
        self.write_place.next =
            bit_cast::<78, 64>(self.out.val().address) | (bit_cast::<78, 14>(self.out.val().bytes) << 64);
        self.write_id.next = self.out.val().id;
        self.leaves.next = self.write_ready.val() | !self.written.val();
        self.skid.out_ready.next = self.leaves.val();
        self.slots.take.next = self.skid.out_valid.val() & self.leaves.val();
        self.report_valid.next =
            self.skid.out_valid.val() & self.leaves.val() & self.skid.out_word.val().get_bit(1);
        wire!(self.report.next.* <- self.out.val().*: id, immediate, message);
    }
}
