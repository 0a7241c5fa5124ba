//! `weft_sender_freezes`: freezes that begin and end, until their reports are accepted.

use crate::part::fence::Fence;
use crate::part::fifo::Fifo;
use crate::prelude::*;

/// REPS's code of CLOSE.
const CLOSE: u64 = 6;

/// Freezes that begin and end, until their reports are accepted.
///
/// # Parameters
///
/// `A` bits of connection number, `B = A + 1`.
#[derive(LogicBlock, BlockDefault)]
pub struct Freezes<const A: usize, const B: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// REPS's decision is accepted.
    pub decided: Signal<In, Bit>,
    /// The connection.
    pub id: Signal<In, Bits<A>>,
    /// Kind of the event in bits 2:0; bit 6: frozen, bit 7: a freeze began or ended.
    pub user: Signal<In, Bits<8>>,
    /// The queue has space for one more report; a function of registers.
    pub room: Signal<Out, Bit>,
    /// A connection is closed.
    pub closes: Signal<Out, Bit>,
    /// The report waits: earlier reports leave first.
    pub waits: Signal<In, Bit>,
    /// Some of these reports have not yet left. A function of registers.
    pub left: Signal<Out, Bit>,
    /// A freeze began or ended.
    pub freeze_valid: Signal<Out, Bit>,
    /// The report is accepted.
    pub freeze_ready: Signal<In, Bit>,
    /// The connection.
    pub freeze_id: Signal<Out, Bits<A>>,
    /// The freeze began.
    pub freeze: Signal<Out, Bit>,

    #[new(CLOSE.to_bits())]
    close: Constant<Bits<3>>,
    queue: Fifo<Bits<B>, 4, 5>,
    fence: Fence<5>,
    turned: Signal<Local, Bit>,
    came: Reg<Bit>,
}
impl<const A: usize, const B: usize> Logic for Freezes<A, B> {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        wire!(self.queue.*, self.fence.* <- self.*: clk, rst);
        self.turned.next = self.decided.val() & self.user.val().get_bit(7);
        self.closes.next = self.decided.val() & (self.user.val().get_bits::<3>(0) == self.close.val());
        self.room.next = !self.queue.level.val().get_bits::<2>(3).any();
        self.queue.in_valid.next = self.turned.val();
        self.queue.in_word.next =
            (bit_cast::<B, A>(self.id.val()) << 1) | bit_cast::<B, 1>(self.user.val().get_bit(6).into());
        self.queue.in_commit.next = true;
        self.queue.in_rollback.next = false;
        self.queue.out_ready.next = self.freeze_ready.val();
        self.freeze_valid.next = self.queue.out_valid.val();
        self.freeze_id.next = self.queue.out_word.val().get_bits::<A>(1);
        self.freeze.next = self.queue.out_word.val().get_bit(0);
        // The fence gets the change a clock later. This is early enough: the fence waits from the clock behind a
        // close on, a close begins and ends no freeze, and the queue offers a report later than that.
        self.came.reg = self.turned.val();
        self.fence.comes.next = self.came.q.val();
        self.fence.goes.next = self.queue.out_valid.val() & self.freeze_ready.val();
        self.fence.waits.next = self.waits.val();
        self.left.next = self.fence.ahead.val().any();
    }
}
