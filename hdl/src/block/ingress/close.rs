//! `weft_ingress_close`: when ingress accepts the word that opens or closes a connection.

use crate::part::fence::Fence;
use crate::prelude::*;

/// Decides when ingress accepts the word that opens or closes a connection. An open is accepted in the clock
/// after it was offered. A close is accepted when all frames that were looked up before have left the block,
/// with all their results.
#[derive(LogicBlock, Default)]
pub struct Close {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// A word is offered, and written.
    pub offered: Signal<In, Bit>,
    /// The word opens the connection.
    pub opens: Signal<In, Bit>,
    /// The word is accepted.
    pub ready: Signal<Out, Bit>,
    /// Stage 4: a frame is looked up; a register, like the next port.
    pub looked_up: Signal<In, Bit>,
    /// Stage 17: the verdict is decided.
    pub judged: Signal<In, Bit>,
    /// Stage 17: the frame brings an arrival.
    pub arrival_in: Signal<In, Bit>,
    /// Stage 17: the frame brings payload.
    pub payload_in: Signal<In, Bit>,
    /// Stage 17: the frame brings an acknowledgement.
    pub acknowledgement_in: Signal<In, Bit>,
    /// The receiver accepts an arrival.
    pub arrival_out: Signal<In, Bit>,
    /// The receiver accepts the last word of a packet's payload.
    pub payload_out: Signal<In, Bit>,
    /// The sender accepts an acknowledgement.
    pub acknowledgement_out: Signal<In, Bit>,

    asked: Reg<Bit>,
    open: Pipe<Bit>,
    taken: Signal<Local, Bit>,
    closing: Signal<Local, Bit>,
    decided: Signal<Local, Bit>,
    s18_judged: Reg<Bit>,
    s18_arrival: Reg<Bit>,
    s18_payload: Reg<Bit>,
    s18_acknowledgement: Reg<Bit>,
    frames: Fence<4>,
    arrivals: Fence<7>,
    payloads: Fence<10>,
    acknowledgements: Fence<10>,
}
impl Logic for Close {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        self.open.pipe = self.opens.val();
        self.closing.next = self.asked.q.val() & !self.open.q.val();
        self.s18_judged.reg = self.judged.val();
        self.s18_arrival.reg = self.arrival_in.val();
        self.s18_payload.reg = self.payload_in.val();
        self.s18_acknowledgement.reg = self.acknowledgement_in.val();

        // First the frames leave; then all that these frames and earlier ones brought.
        wire!(
            self.frames.*, self.arrivals.*, self.payloads.*, self.acknowledgements.*
            <- self.*: clk, rst,
        );
        self.frames.comes.next = self.looked_up.val();
        self.frames.goes.next = self.s18_judged.q.val();
        self.frames.waits.next = self.closing.val();
        self.decided.next = self.closing.val() & !self.frames.ahead.val().any();
        self.arrivals.comes.next = self.s18_arrival.q.val();
        self.arrivals.goes.next = self.arrival_out.val();
        self.arrivals.waits.next = self.decided.val();
        self.payloads.comes.next = self.s18_payload.q.val();
        self.payloads.goes.next = self.payload_out.val();
        self.payloads.waits.next = self.decided.val();
        self.acknowledgements.comes.next = self.s18_acknowledgement.q.val();
        self.acknowledgements.goes.next = self.acknowledgement_out.val();
        self.acknowledgements.waits.next = self.decided.val();

        self.taken.next = (self.asked.q.val() & self.open.q.val())
            | (self.decided.val()
                & !self.arrivals.ahead.val().any()
                & !self.payloads.ahead.val().any()
                & !self.acknowledgements.ahead.val().any());
        self.asked.reg = self.offered.val() & !self.taken.val();
        self.ready.next = self.taken.val();
    }
}
