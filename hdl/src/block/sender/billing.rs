//! `weft_sender_billing`: packets that count as marked among those that an ACK acknowledges (rule 20 of the page).

use super::words::Bill;
use crate::prelude::*;

/// Number of packets that count as marked among the packets that an ACK acknowledges: the marked packets that
/// the ACK lists, and one more for each ACK that seems to be missing before it, at most three. The bill
/// arrives four clocks after the ACK.
#[derive(LogicBlock, Default)]
pub struct Billing<const N: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Packets acknowledged.
    pub acked: Signal<In, Bits<N>>,
    /// Packets that the ACK answers, its own included; a register.
    pub told: Signal<In, Bits<6>>,
    /// The list counts; 0: only the ACK's own packet counts.
    pub lists: Signal<In, Bit>,
    /// Marks of all packets that the ACK answers.
    pub marks: Signal<In, Bits<5>>,
    /// The bill.
    pub bill: Signal<Out, Bill<N>>,

    once: Signal<Local, Bits<7>>,
    s2_once: Pipe<Bits<7>>,
    s2_twice: Pipe<Bits<7>>,
    s2_thrice: Pipe<Bits<7>>,
    s2_acked: Pipe<Bits<N>>,
    s2_marks: Pipe<Bits<5>>,
    s3_more: Pipe<Bits<3>>,
    s3_acked: Pipe<Bits<N>>,
    s3_marks: Pipe<Bits<5>>,
    missing: Signal<Local, Bits<5>>,
    s4_marked: Pipe<Bits<5>>,
    s4_acked: Pipe<Bits<N>>,
    all: Signal<Local, Bit>,
    made: Signal<Local, Bill<N>>,
    s5_bill: Pipe<Bill<N>>,
}

impl<const N: usize> Logic for Billing<N> {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        // Packets that one, two and three ACKs of this size answer.
        self.once.next = if self.lists.val() { bit_cast::<7, 6>(self.told.val()) } else { 1.into() };
        self.s2_once.pipe = self.once.val();
        self.s2_twice.pipe = self.once.val() << 1;
        self.s2_thrice.pipe = self.once.val() + (self.once.val() << 1);
        self.s2_acked.pipe = self.acked.val();
        self.s2_marks.pipe = self.marks.val();

        // The ACK acknowledges more packets than these.
        self.s3_more.pipe =
            bit_cast::<3, 1>((self.s2_acked.q.val() > bit_cast::<N, 7>(self.s2_once.q.val())).into())
                | (bit_cast::<3, 1>(
                    (self.s2_acked.q.val() > bit_cast::<N, 7>(self.s2_twice.q.val())).into(),
                ) << 1)
                | (bit_cast::<3, 1>(
                    (self.s2_acked.q.val() > bit_cast::<N, 7>(self.s2_thrice.q.val())).into(),
                ) << 2);
        self.s3_acked.pipe = self.s2_acked.q.val();
        self.s3_marks.pipe = self.s2_marks.q.val();

        // Marks, and one for each missing ACK.
        self.missing.next = if self.s3_more.q.val().get_bit(2) {
            3.into()
        } else if self.s3_more.q.val().get_bit(1) {
            2.into()
        } else {
            bit_cast::<5, 1>(self.s3_more.q.val().get_bit(0).into())
        };
        self.s4_marked.pipe =
            if self.s3_marks.q.val().any() { self.s3_marks.q.val() + self.missing.val() } else { 0.into() };
        self.s4_acked.pipe = self.s3_acked.q.val();

        // At most as many as there are packets.
        self.all.next = self.s4_acked.q.val() < bit_cast::<N, 5>(self.s4_marked.q.val());
        self.made.next.marked =
            if self.all.val() { self.s4_acked.q.val() } else { bit_cast::<N, 5>(self.s4_marked.q.val()) };
        self.made.next.unmarked = if self.all.val() {
            0.into()
        } else {
            self.s4_acked.q.val() - bit_cast::<N, 5>(self.s4_marked.q.val())
        };
        self.s5_bill.pipe = self.made.val();
        self.bill.next = self.s5_bill.q.val();
    }
}
