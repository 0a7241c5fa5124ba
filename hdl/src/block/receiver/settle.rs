//! `weft_receiver_settle`: effects of the outcomes of `weft_sack_rx`: replies, tokens for the payload and for
//! complete messages, marks for the ACK timer.

use super::words::{Mark, Side, Slot, Token};
use crate::part::far::Far;
use crate::part::published::Published;
use crate::prelude::*;
use crate::word::Reply;

/// Reasons of NACKs on the wire, without TRIMMED, which is 1.
const TRIMMED_LASTHOP: u64 = 0x02;
const UNEXP_EVENT: u64 = 0x19;
/// Slots of a connection.
const SLOTS: u64 = 16;

/// Effects of an outcome: replies, tokens for the payload and for complete messages, marks for the ACK timer.
/// An outcome takes a step for each message that it completes, at least one. An open takes 16 steps, which
/// clear its slots.
///
/// # Parameters
///
/// `A` bits of connection number, `B = A + 4`: each connection has 16 slots for messages. `S` bits of a PSN
/// of the window, `N = S + 1`; `E` 1 with a window above 256 PSNs, else 0.
#[derive(LogicBlock, BlockDefault)]
pub struct Settle<const A: usize, const B: usize, const S: usize, const N: usize, const E: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// The queues have space for replies and tokens.
    pub room: Signal<In, Bit>,
    /// An outcome is offered, with its side word.
    pub outcome_valid: Signal<In, Bit>,
    /// The outcome is accepted; does not depend on whether one is offered.
    pub outcome_ready: Signal<Out, Bit>,
    /// The connection.
    pub outcome_id: Signal<In, Bits<A>>,
    /// Data of the outcome.
    pub outcome_data: Signal<In, Bits<416>>,
    /// Flags of the outcome.
    pub outcome_user: Signal<In, Bits<10>>,
    /// The side word of the outcome.
    pub side: Signal<In, Side>,
    /// A reply leaves.
    pub reply_valid: Signal<Out, Bit>,
    /// The reply.
    pub reply: Signal<Out, Reply>,
    /// A token leaves.
    pub token_valid: Signal<Out, Bit>,
    /// The token.
    pub token: Signal<Out, Token>,
    /// First step of an outcome, for the timer and the counters.
    pub mark_valid: Signal<Out, Bit>,
    /// Mark for the timer.
    pub mark: Signal<Out, Mark>,
    /// The packet was not permitted to write to its address, or the connection has failed.
    pub denied: Signal<Out, Bit>,
    /// The receiver denied the packet, on a connection that had not failed before.
    pub breach: Signal<Out, Bit>,
    /// The packet is held back.
    pub held: Signal<Out, Bit>,
    /// The packet was placed.
    pub placed: Signal<Out, Bit>,
    /// The outcome brings an ACK.
    pub ack: Signal<Out, Bit>,
    /// The outcome brings a NACK.
    pub nack: Signal<Out, Bit>,
    /// In a window above 256 PSNs: the packet is far, so that its answer answers no packet that waits.
    pub far: [Signal<Out, Bit>; E],
    /// The outcome closes a connection.
    pub closes: Signal<Out, Bit>,

    slots: Published<Slot, B>,
    #[new(SLOTS.to_bits())]
    slots_of_open: Constant<Bits<N>>,
    #[new(UNEXP_EVENT.to_bits())]
    unexpected: Constant<Bits<8>>,
    #[new(TRIMMED_LASTHOP.to_bits())]
    at_last_hop: Constant<Bits<8>>,
    kind: Signal<Local, Bits<3>>,
    accepted: Signal<Local, Bit>,
    verdict: Signal<Local, Bits<3>>,
    response: Signal<Local, Bits<2>>,
    expected: Signal<Local, Bits<24>>,
    psn: Signal<Local, Bits<24>>,
    messages: Signal<Local, Bits<24>>,
    stamp: Signal<Local, Bits<16>>,
    ev: Signal<Local, Bits<16>>,
    completed: Signal<Local, Bits<N>>,
    beside: Signal<Local, Side>,
    opens: Signal<Local, Bit>,
    closing: Signal<Local, Bit>,
    is_ack: Signal<Local, Bit>,
    is_nack: Signal<Local, Bit>,
    acks: Signal<Local, Bit>,
    nacks: Signal<Local, Bit>,
    is_placed: Signal<Local, Bit>,
    many: Signal<Local, Bit>,
    last_step: Signal<Local, Bit>,
    goes: Signal<Local, Bit>,
    starts: Signal<Local, Bit>,
    more: Reg<Bit>,
    left: Reg<Bits<N>>,
    s1_number: Pipe<Bits<24>>,
    lives: Reg<Bits<3>>,
    s1_writes: Reg<Bit>,
    s1_slot: Pipe<Bits<4>>,
    kept: Signal<Local, Slot>,
    s1_kept: Pipe<Slot>,
    step: Signal<Local, Token>,
    s1_step: Pipe<Token>,
    first: Signal<Local, Token>,
    #[new(2)]
    s3_step: Delay<Token>,
    #[new(2)]
    s3_number: Delay<Bits<24>>,
    third: Signal<Local, Token>,
    slot: Signal<Local, Slot>,
    completes: Signal<Local, Bit>,
    ahead: [Far<S, N>; E],
}
impl<const A: usize, const B: usize, const S: usize, const N: usize, const E: usize> Logic
    for Settle<A, B, S, N, E>
{
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        // The outcome's fields.
        self.kind.next = self.outcome_user.val().get_bits::<3>(0);
        self.accepted.next = self.outcome_user.val().get_bit(3);
        self.verdict.next = self.outcome_user.val().get_bits::<3>(4);
        self.response.next = self.outcome_user.val().get_bits::<2>(7);
        self.expected.next = self.outcome_data.val().get_bits::<24>(256);
        self.psn.next = self.outcome_data.val().get_bits::<24>(280);
        self.messages.next = self.outcome_data.val().get_bits::<24>(304);
        self.stamp.next = self.outcome_data.val().get_bits::<16>(352);
        self.ev.next = self.outcome_data.val().get_bits::<16>(368);
        self.completed.next = self.outcome_data.val().get_bits::<N>(384);
        self.beside.next = self.side.val();
        self.opens.next = self.kind.val() == 4;
        self.closing.next = self.kind.val() == 5;
        self.is_ack.next = self.response.val() == 1;
        self.is_nack.next = self.response.val() == 2;
        self.is_placed.next = self.verdict.val() == 1;

        // Steps. `left` counts the steps after the first, the present one included.
        self.many.next = self.opens.val() | self.completed.val().get_bits::<S>(1).any();
        self.last_step.next = self.left.q.val() == 1;
        self.goes.next = self.room.val() & self.outcome_valid.val();
        self.starts.next = self.goes.val() & !self.more.q.val();
        self.more.reg = when(self.goes.val(), self.many.val());
        self.left.reg = when(self.goes.val(), self.completed.val() - 1);
        if self.more.q.val() {
            self.more.d.next = !self.last_step.val();
            self.left.d.next = self.left.q.val() - 1;
        } else if self.opens.val() {
            self.left.d.next = self.slots_of_open.val() - 1;
        }
        self.outcome_ready.next = if self.more.q.val() {
            self.room.val() & self.last_step.val()
        } else {
            self.room.val() & !self.many.val()
        };

        // Work from before a close leaves first.
        self.closes.next = self.starts.val() & self.closing.val();

        // The reply. A connection that has failed acknowledges no packet.
        self.acks.next = self.is_ack.val() & !(self.beside.val().denied & self.beside.val().failed);
        self.nacks.next =
            self.is_nack.val() | (self.is_ack.val() & self.beside.val().denied & self.beside.val().failed);
        self.reply_valid.next = self.starts.val() & (self.is_ack.val() | self.is_nack.val());
        self.reply.next.nack = self.nacks.val();
        self.reply.next.cumulative = self.expected.val() - 1;
        self.reply.next.psn = self.psn.val();
        self.reply.next.bitmap = self.outcome_data.val().get_bits::<256>(0);
        self.reply.next.ce = self.outcome_user.val().get_bit(9);
        wire!(self.reply.next.* <- self.*: ev, stamp);
        self.reply.next.out_of_order = self.outcome_data.val().get_bits::<8>(400);
        self.reply.next.received = self.outcome_data.val().get_bits::<24>(328);
        self.reply.next.messages = self.messages.val();
        self.reply.next.reason = if self.nacks.val() & ((self.verdict.val() == 3) | self.beside.val().denied)
        {
            self.unexpected.val()
        } else if self.is_nack.val() & self.beside.val().last_hop {
            self.at_last_hop.val()
        } else {
            bit_cast::<8, 1>(self.is_nack.val().into())
        };
        self.reply.next.probe = self.kind.val() == 3;
        // The list of the reply arrives later.
        self.reply.next.there = 0.into();
        self.reply.next.evs = 0.into();

        // The timer and the counters.
        self.mark_valid.next = self.starts.val();
        self.mark.next.id = bit_cast::<14, A>(self.outcome_id.val());
        self.mark.next.start = self.is_placed.val() & !self.is_ack.val();
        self.mark.next.stop = self.is_ack.val() | self.opens.val() | (self.kind.val() == 5);
        self.mark.next.control = self.opens.val() | (self.kind.val() == 5);
        for e in 0..E {
            wire!(self.ahead[e].* <- self.*: psn, expected);
            self.far[e].next = self.ahead[e].far.val();
            self.mark.next.stop =
                (self.is_ack.val() & !self.ahead[e].far.val()) | self.opens.val() | (self.kind.val() == 5);
        }
        wire!(self.mark.next.* <- self.*: psn, stamp, ev);
        self.denied.next = self.starts.val() & self.accepted.val() & self.beside.val().denied;
        self.breach.next = self.starts.val()
            & self.is_nack.val()
            & (self.verdict.val() != 3)
            & self.beside.val().denied
            & !self.beside.val().failed;
        self.held.next = self.starts.val() & self.accepted.val() & self.beside.val().held;
        self.placed.next = self.starts.val() & self.is_placed.val();
        self.ack.next = self.starts.val() & self.acks.val();
        self.nack.next = self.starts.val() & self.nacks.val();

        // Stage 1: the last packet of a message writes a slot, an open clears it, and one slot is read. A read returns
        // the word written in the same clock.
        self.s1_number.pipe = if self.more.q.val() {
            self.s1_number.q.val() + 1
        } else {
            self.messages.val() - bit_cast::<24, N>(self.completed.val())
        };
        self.s1_number.en.next = self.goes.val();
        self.lives.reg = (self.lives.q.val() << 1) | bit_cast::<3, 1>(self.goes.val().into());
        self.s1_writes.reg = self.goes.val()
            & (self.opens.val() | (!self.more.q.val() & self.is_placed.val() & self.beside.val().last));
        self.s1_slot.pipe = self.beside.val().message.get_bits::<4>(0);
        self.kept.next.solicited = self.beside.val().solicited & !self.opens.val();
        self.kept.next.number = self.beside.val().message.get_bits::<12>(4);
        self.kept.next.immediate = self.beside.val().immediate;
        if self.opens.val() {
            self.s1_slot.d.next =
                if self.more.q.val() { self.left.q.val().get_bits::<4>(0) } else { 0.into() };
        }
        self.s1_kept.pipe = self.kept.val();
        self.step.next.id = bit_cast::<14, A>(self.outcome_id.val());
        self.step.next.payload = self.beside.val().payload & !self.more.q.val();
        self.step.next.write = self.is_placed.val();
        self.step.next.completes = self.completed.val().any();
        self.step.next.closes = self.closing.val();
        wire!(self.step.next.* <- self.beside.val().*: address, bytes, immediate);
        self.step.next.message = self.messages.val();
        self.s1_step.pipe = when(self.goes.val(), self.step.val());
        self.first.next = self.s1_step.q.val();
        self.slots.clk.next = self.clk.val();
        self.slots.run.next = true;
        self.slots.write = when(
            self.s1_writes.q.val(),
            (
                bit_cast::<B, 4>(self.s1_slot.q.val()) | (bit_cast::<B, 14>(self.first.val().id) << 4),
                self.s1_kept.q.val(),
            ),
        );
        self.slots.raddr.next = bit_cast::<B, 4>(self.s1_number.q.val().get_bits::<4>(0))
            | (bit_cast::<B, 14>(self.first.val().id) << 4);

        // Stage 3: the token.
        self.s3_step.delay = self.s1_step.q.val();
        self.s3_number.delay = self.s1_number.q.val();
        self.third.next = self.s3_step.q.val();
        self.slot.next = self.slots.rdata.val();
        self.completes.next = self.third.val().completes
            & self.slot.val().solicited
            & (self.slot.val().number == self.s3_number.q.val().get_bits::<12>(4));
        self.token_valid.next = self.lives.q.val().get_bit(2)
            & (self.third.val().payload | self.completes.val() | self.third.val().closes);
        self.token.next = self.third.val();
        self.token.next.completes = self.completes.val();
        self.token.next.immediate = self.slot.val().immediate;
        self.token.next.message = self.s3_number.q.val();
    }
}
