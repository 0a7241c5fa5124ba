//! `weft_sack_tx_finish`: stages 20 to 30, messages that an event completed, or ended unfinished.

use super::words::{Flow, Seen, Settled};
use crate::part::context::Context;
use crate::part::ring::{Count, Hot, Span, Store};
use crate::prelude::*;

/// Stages 20 to 30: messages that an event completed, or ended unfinished.
///
/// # Parameters
///
/// `A` bits of connection number.
#[derive(LogicBlock, BlockDefault)]
pub struct Finish<const A: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// The pipeline moves in the next clock.
    pub next_run: Signal<In, Bit>,
    /// Stage 20: an event or a close of the sweep.
    pub s20_live: Signal<In, Bit>,
    /// Stage 20: its connection.
    pub s20_id: Signal<In, Bits<A>>,
    /// Stage 22: slot of the packet to send.
    pub s22_slot: Signal<In, Bits<8>>,
    /// Stage 22: it was not sent before.
    pub s22_fresh: Signal<In, Bit>,
    /// Stage 23: it ends its message.
    pub s23_last: Signal<In, Bit>,
    /// Stage 21: origin of the connection's ring.
    pub s21_origin: Signal<In, Bits<9>>,
    /// Stage 21: the lowest PSN that was not acknowledged before the event.
    pub s21_una_before: Signal<In, Bits<24>>,
    /// Stage 21: the connection after it.
    pub s21_flow: Signal<In, Flow>,
    /// Stage 21: what has become of it.
    pub s21_settled: Signal<In, Settled>,
    /// Stage 26: an event or a close of the sweep.
    pub s26_live: Signal<In, Bit>,
    /// Stage 26: its connection.
    pub s26_id: Signal<In, Bits<A>>,
    /// Stage 30: messages completed.
    pub completed: Signal<Out, Bits<9>>,
    /// Stage 30: messages ended unfinished.
    pub errors: Signal<Out, Bits<10>>,
    /// Stage 30: what has become of the event.
    pub settled: Signal<Out, Settled>,
    /// Stage 30: the lowest PSN that is not acknowledged.
    pub una: Signal<Out, Bits<24>>,
    /// Stage 30: packets sent and not acknowledged.
    pub unacked: Signal<Out, Bits<9>>,
    /// Stage 30: of these, the ones that are not lost.
    pub in_flight: Signal<Out, Bits<9>>,

    run: Enable,
    last: Store<A>,
    hot: Hot,
    span: Span,
    count: Count,
    pending: Context<Bits<10>, A>,
    seen: Signal<Local, Seen>,
    s22_start: Pipe<Bits<8>>,
    s22_length: Pipe<Bits<9>>,
    #[new(8)]
    s29_settled: Delay<Settled>,
    s22_una: Pipe<Bits<24>>,
    s22_unacked: Pipe<Bits<9>>,
    s22_flight: Pipe<Bits<9>>,
    #[new(8)]
    s30_una: Delay<Bits<24>>,
    #[new(8)]
    s30_unacked: Delay<Bits<9>>,
    #[new(8)]
    s30_flight: Delay<Bits<9>>,
    s25_ended: Pipe<Bits<256>>,
    now: Signal<Local, Settled>,
    done: Signal<Local, Bits<9>>,
    more: Signal<Local, Bits<10>>,
    s30_completed: Pipe<Bits<9>>,
    s30_errors: Pipe<Bits<10>>,
    s30_settled: Pipe<Settled>,
}
impl<const A: usize> Logic for Finish<A> {
    #[clocked(en = run.q)]
    #[hdl_gen]
    fn update(&mut self) {
        wire!(self.run.*, self.hot.*, self.span.*, self.count.* <- self.*: clk, rst, next_run);

        self.seen.next = self.s21_flow.val().seen;
        // Stage 21: the PSNs that are acknowledged for good since the event before.
        self.s22_start.pipe =
            self.s21_una_before.val().get_bits::<8>(0) - self.s21_origin.val().get_bits::<8>(0);
        self.s22_length.pipe =
            self.seen.val().una.get_bits::<9>(0) - self.s21_una_before.val().get_bits::<9>(0);
        self.span.start.next = self.s22_start.q.val();
        self.span.length.next = self.s22_length.q.val();
        self.s29_settled.delay = self.s21_settled.val();
        self.s22_una.pipe = 0.into();
        self.s22_unacked.pipe = 0.into();
        self.s22_flight.pipe = 0.into();
        if self.seen.val().open {
            self.s22_una.d.next = self.seen.val().una;
            self.s22_unacked.d.next = self.s21_flow.val().unacked;
            self.s22_flight.d.next = self.s21_flow.val().unacked - self.s21_flow.val().lost;
        }
        self.s30_una.delay = self.s22_una.q.val();
        self.s30_unacked.delay = self.s22_unacked.q.val();
        self.s30_flight.delay = self.s22_flight.q.val();

        // Stages 22 and 23: the end of a message is kept with its packet.
        self.hot.index.next = self.s22_slot.val();
        self.hot.en.next = self.s22_fresh.val();
        wire!(self.last.* <- self.*: clk, rst, next_run);
        wire!(self.last.in_* <- self.s20_*: live, id);
        self.last.mark.next = 0.into();
        self.last.clear.next = 0.into();
        if self.s23_last.val() {
            self.last.mark.next = self.hot.one.val();
        } else {
            self.last.clear.next = self.hot.one.val();
        }

        // Stages 24 to 29: how many of these PSNs end a message.
        self.s25_ended.pipe = self.last.after.val() & self.span.mask.val();
        self.count.vec.next = self.s25_ended.q.val();

        // Stage 29: the messages that are posted and not completed.
        wire!(self.pending.* <- self.*: clk, rst, next_run);
        wire!(self.pending.in_* <- self.s26_*: live, id);
        self.now.next = self.s29_settled.q.val();
        self.done.next =
            if self.now.val().accepted & !self.now.val().ends { self.count.total.val() } else { 0.into() };
        self.more.next = self.pending.prior.val() + bit_cast::<10, 1>(self.now.val().posted.into());
        self.pending.word.next =
            if self.now.val().ends { 0.into() } else { self.more.val() - bit_cast::<10, 9>(self.done.val()) };
        self.s30_completed.pipe = self.done.val();
        self.s30_errors.pipe = if self.now.val().ends { self.pending.prior.val() } else { 0.into() };
        self.s30_settled.pipe = self.now.val();
        self.completed.next = self.s30_completed.q.val();
        self.errors.next = self.s30_errors.q.val();
        self.settled.next = self.s30_settled.q.val();
        self.una.next = self.s30_una.q.val();
        self.unacked.next = self.s30_unacked.q.val();
        self.in_flight.next = self.s30_flight.q.val();
    }
}
