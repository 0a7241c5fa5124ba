//! `weft_sender_events`: the events of the transport, at most one per clock. Failures and congestion windows
//! have priority; acknowledgements take turns with the rest, which is commands before messages.

use super::words::{Allowance, Post};
use crate::prelude::*;
use crate::word::{Acknowledgement, SenderControl};

/// Code of a post event of the transport.
const POST: u64 = 0;
/// Code of an ACK.
const ACK: u64 = 1;
/// Code of a NACK.
const NACK: u64 = 2;
/// Code of a window event.
const WINDOW: u64 = 3;
/// Code of an open.
const OPEN: u64 = 4;
/// Code of a close.
const CLOSE: u64 = 5;
/// The longest round-trip time that fits in its bits.
const LONGEST: u64 = 0x7FFF;
/// Reason of a NACK for a packet that its receiver will never accept.
const UNEXP_EVENT: u64 = 0x19;

/// The events of the transport, at most one per clock. Failures at this end, which the transport gets as
/// closes, and congestion windows have priority; acknowledgements take turns with the rest, which is commands
/// before messages. An event from outside is held for one clock, so each source is accepted in every second
/// clock at most.
///
/// # Parameters
///
/// `A` bits of connection number.
#[derive(LogicBlock, BlockDefault)]
pub struct Events<const A: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// After reset: the block does not accept events yet.
    pub sweeping: Signal<In, Bit>,
    /// Low bits of the time in ticks.
    pub now: Signal<In, Bits<16>>,
    /// Largest window of four classes.
    pub max_cwnd: Signal<In, Bits<104>>,
    /// A connection has failed at this end.
    pub failure_valid: Signal<In, Bit>,
    /// The failure is accepted; independent of whether one is offered.
    pub failure_ready: Signal<Out, Bit>,
    /// The connection.
    pub failure_id: Signal<In, Bits<A>>,
    /// The connection's buffer failed; 0: a packet of its peer was not permitted to write to its address.
    pub failure_broken: Signal<In, Bit>,
    /// A window is offered.
    pub window_valid: Signal<In, Bit>,
    /// The window is accepted.
    pub window_ready: Signal<Out, Bit>,
    /// The window.
    pub window: Signal<In, Allowance>,
    /// An acknowledgement is offered.
    pub ack_valid: Signal<In, Bit>,
    /// The acknowledgement is accepted.
    pub ack_ready: Signal<Out, Bit>,
    /// The connection.
    pub ack_id: Signal<In, Bits<A>>,
    /// The acknowledgement.
    pub ack: Signal<In, Acknowledgement>,
    /// The lists have space for the ACK's entries.
    pub list_room: Signal<In, Bit>,
    /// All work requests from before a close are posted.
    pub idle: Signal<In, Bit>,
    /// All state of the connection that closes is gone.
    pub closed: Signal<In, Bit>,
    /// A connection closes; a register.
    pub closing: Signal<Out, Bit>,
    /// The transport got the command; a register.
    pub told: Signal<Out, Bit>,
    /// A connection must drain; a register.
    pub drains: Signal<Out, Bit>,
    /// The drain is carried out.
    pub drain_over: Signal<In, Bit>,
    /// A connection that is opened or closed does not drain.
    pub clears: Signal<Out, Bit>,
    /// A command is offered.
    pub control_valid: Signal<In, Bit>,
    /// The block accepts the command.
    /// A close is accepted when the block has no state of the connection any more, a drain when the intake has
    /// carried it out, any other command in turn.
    pub control_ready: Signal<Out, Bit>,
    /// The connection.
    pub control_id: Signal<In, Bits<A>>,
    /// The command.
    pub control: Signal<In, SenderControl>,
    /// A command for the choice of paths is offered.
    pub aside_valid: Signal<Out, Bit>,
    /// The command for the choice of paths is accepted.
    pub aside_ready: Signal<In, Bit>,
    /// The connection.
    pub aside_id: Signal<Out, Bits<A>>,
    /// Command: a seed; 0: the path works again.
    pub aside_seed: Signal<Out, Bit>,
    /// The seed.
    pub seed: Signal<Out, Bits<32>>,
    /// A message is offered.
    pub post_valid: Signal<In, Bit>,
    /// The message is accepted; independent of whether one is offered.
    pub post_ready: Signal<Out, Bit>,
    /// The message.
    pub post: Signal<In, Post>,
    /// An event for the transport; a register, like the next three ports.
    pub event_valid: Signal<Out, Bit>,
    /// The event is accepted.
    pub event_ready: Signal<In, Bit>,
    /// The connection.
    pub event_id: Signal<Out, Bits<A>>,
    /// Data of the event.
    pub event_data: Signal<Out, Bits<344>>,
    /// Kind of the event.
    pub event_kind: Signal<Out, Bits<3>>,

    #[new(POST.to_bits())]
    of_post: Constant<Bits<3>>,
    #[new(ACK.to_bits())]
    of_ack: Constant<Bits<3>>,
    #[new(NACK.to_bits())]
    of_nack: Constant<Bits<3>>,
    #[new(WINDOW.to_bits())]
    of_window: Constant<Bits<3>>,
    #[new(OPEN.to_bits())]
    of_open: Constant<Bits<3>>,
    #[new(CLOSE.to_bits())]
    of_close: Constant<Bits<3>>,
    #[new(LONGEST.to_bits())]
    longest: Constant<Bits<15>>,
    #[new(UNEXP_EVENT.to_bits())]
    unexpected: Constant<Bits<8>>,
    ack_open: Signal<Local, Bit>,
    ack_in: Signal<Local, Acknowledgement>,
    ack_held: Pipe<Acknowledgement>,
    ack_for: Pipe<Bits<A>>,
    age: Pipe<Bits<16>>,
    control_open: Signal<Local, Bit>,
    control_in: Signal<Local, SenderControl>,
    control_held: Pipe<SenderControl>,
    control_for: Pipe<Bits<A>>,
    first_window: Pipe<Bits<26>>,
    command: Signal<Local, SenderControl>,
    aside: Signal<Local, Bit>,
    for_transport: Signal<Local, Bit>,
    closes: Signal<Local, Bit>,
    waits: Signal<Local, Bit>,
    free: Signal<Local, Bit>,
    failure_open: Signal<Local, Bit>,
    failure_full: Reg<Bit>,
    failure_for: Pipe<Bits<A>>,
    failure_of: Pipe<Bit>,
    fails: Signal<Local, Bit>,
    first_of_all: Signal<Local, Bit>,
    some_window: Signal<Local, Bit>,
    commanded: Signal<Local, Bit>,
    ack_turn: Signal<Local, Bit>,
    some_ack: Signal<Local, Bit>,
    rest: Signal<Local, Bit>,
    some_command: Signal<Local, Bit>,
    some_post: Signal<Local, Bit>,
    turn: Reg<Bit>,
    ack_full: Reg<Bit>,
    acknowledged: Reg<Bit>,
    close_told: Reg<Bit>,
    commanded_over: Signal<Local, Bit>,
    control_full: Reg<Bit>,
    rtt: Signal<Local, Bits<15>>,
    offered: Reg<Bit>,
    answer: Signal<Local, Acknowledgement>,
    window_in: Signal<Local, Allowance>,
    post_in: Signal<Local, Post>,
    kind: Signal<Local, Bits<3>>,
    connection: Signal<Local, Bits<A>>,
    first: Signal<Local, Bits<24>>,
    second: Signal<Local, Bits<26>>,
    tag: Signal<Local, Bits<32>>,
    event_for: Pipe<Bits<A>>,
    event_of: Pipe<Bits<3>>,
    bitmap: Pipe<Bits<256>>,
    numbers: Pipe<Bits<88>>,
}
impl<const A: usize> Logic for Events<A> {
    #[clocked(en = free)]
    #[hdl_gen]
    fn update(&mut self) {
        self.free.next = !self.offered.q.val() | self.event_ready.val();

        // A failure.
        self.failure_open.next = !self.failure_full.q.val() & !self.sweeping.val();
        self.failure_ready.next = self.failure_open.val();
        self.failure_full.reg = when(
            self.failure_open.val() | self.free.val(),
            self.failure_open.val() & self.failure_valid.val(),
        );
        self.failure_for.pipe = when(self.failure_open.val(), self.failure_id.val());
        self.failure_of.pipe = when(self.failure_open.val(), self.failure_broken.val());

        // An acknowledgement, and the time since the packet left that it answers.
        self.ack_open.next = !self.ack_full.q.val() & !self.sweeping.val() & self.list_room.val();
        self.ack_ready.next = self.ack_open.val();
        self.ack_in.next = self.ack.val();
        self.ack_held.pipe = when(self.ack_open.val(), self.ack_in.val());
        self.ack_for.pipe = when(self.ack_open.val(), self.ack_id.val());
        self.age.pipe = when(self.ack_open.val(), self.now.val() - self.ack_in.val().stamp);

        // A command, which stays offered until it is accepted, and the window that an open begins with.
        self.control_open.next = !self.control_full.q.val() & !self.sweeping.val();
        self.control_in.next = self.control.val();
        self.control_held.pipe = when(self.control_open.val(), self.control_in.val());
        self.control_for.pipe = when(self.control_open.val(), self.control_id.val());
        self.first_window.pipe = when(
            self.control_open.val(),
            if self.control_in.val().class == 1 {
                self.max_cwnd.val().get_bits::<26>(26)
            } else if self.control_in.val().class == 2 {
                self.max_cwnd.val().get_bits::<26>(52)
            } else if self.control_in.val().class == 3 {
                self.max_cwnd.val().get_bits::<26>(78)
            } else {
                self.max_cwnd.val().get_bits::<26>(0)
            },
        );
        self.command.next = self.control_held.q.val();
        self.aside.next = self.control_full.q.val()
            & self.command.val().kind.get_bit(1)
            & !self.command.val().kind.get_bit(2);
        self.drains.next = self.control_full.q.val() & self.command.val().kind.get_bit(2);
        self.for_transport.next = self.control_full.q.val() & !self.command.val().kind.get_bits::<2>(1).any();
        self.aside_valid.next = self.aside.val();
        self.aside_id.next = self.control_for.q.val();
        self.aside_seed.next = !self.command.val().kind.get_bit(0);
        self.seed.next = self.command.val().seed;

        // The source whose turn it is.
        self.fails.next = self.failure_full.q.val();
        self.first_of_all.next = self.fails.val() | self.window_valid.val();
        self.some_window.next = self.free.val() & self.window_valid.val() & !self.fails.val();
        // All events accepted before a command stay before it.
        self.closes.next = self.for_transport.val() & !self.command.val().kind.get_bit(0);
        self.clears.next = self.for_transport.val() & (!self.closes.val() | self.close_told.q.val());
        self.closing.next = self.closes.val();
        self.told.next = self.close_told.q.val();
        self.waits.next =
            self.close_told.q.val() | self.acknowledged.q.val() | (self.closes.val() & !self.idle.val());
        self.commanded.next = self.for_transport.val() & !self.waits.val();
        self.ack_turn.next =
            self.ack_full.q.val() & !(self.turn.q.val() & (self.commanded.val() | self.post_valid.val()));
        self.some_ack.next = self.free.val() & !self.first_of_all.val() & self.ack_turn.val();
        self.rest.next = self.free.val() & !self.first_of_all.val() & !self.ack_turn.val();
        self.some_command.next = self.rest.val() & self.commanded.val();
        self.some_post.next = self.rest.val() & !self.commanded.val() & self.post_valid.val();
        // After an acknowledgement the other sources have their turn.
        self.turn.reg =
            when(self.some_ack.val() | self.some_command.val() | self.some_post.val(), self.some_ack.val());
        self.window_ready.next = self.some_window.val();
        // With a message offered, an acknowledgement goes first unless one went before.
        self.post_ready.next = self.free.val()
            & !self.first_of_all.val()
            & !(self.ack_full.q.val() & !self.turn.q.val())
            & !self.commanded.val();
        self.ack_full.reg = when(
            self.ack_open.val() | self.some_ack.val(),
            if self.some_ack.val() { false } else { self.ack_valid.val() },
        );
        self.acknowledged.reg = when(
            true,
            self.ack_full.q.val()
                & !self.some_ack.val()
                & (self.acknowledged.q.val() | !self.control_full.q.val()),
        );
        self.commanded_over.next = (self.some_command.val() & !self.closes.val())
            | (self.aside.val() & self.aside_ready.val())
            | self.drain_over.val()
            | self.closed.val();
        self.control_ready.next = self.commanded_over.val();
        self.close_told.reg =
            when(self.some_command.val() | self.commanded_over.val(), !self.commanded_over.val());
        self.control_full.reg = when(
            self.control_open.val() | self.commanded_over.val(),
            if self.commanded_over.val() { false } else { self.control_valid.val() },
        );

        // The event.
        self.rtt.next = if self.age.q.val().get_bit(15) {
            self.longest.val()
        } else {
            self.age.q.val().get_bits::<15>(0)
        };
        self.offered.reg =
            self.first_of_all.val() | self.ack_full.q.val() | self.some_command.val() | self.some_post.val();
        self.answer.next = self.ack_held.q.val();
        self.window_in.next = self.window.val();
        self.post_in.next = self.post.val();
        self.kind.next = self.of_post.val();
        self.connection.next = bit_cast::<A, 14>(self.post_in.val().connection);
        self.first.next = bit_cast::<24, 16>(self.post_in.val().packets);
        self.second.next = bit_cast::<26, 24>(self.answer.val().trigger);
        self.tag.next = 0.into();
        if self.fails.val() {
            self.kind.next = self.of_close.val();
            self.connection.next = self.failure_for.q.val();
            self.tag.next = (bit_cast::<32, 1>(self.failure_of.q.val().into()) << 30)
                | (bit_cast::<32, 1>(true.into()) << 31);
        } else if self.window_valid.val() {
            self.kind.next = self.of_window.val();
            self.connection.next = bit_cast::<A, 14>(self.window_in.val().connection);
            self.second.next = self.window_in.val().bytes;
        } else if self.ack_turn.val() {
            self.kind.next = if self.answer.val().nack { self.of_nack.val() } else { self.of_ack.val() };
            self.connection.next = self.ack_for.q.val();
            self.first.next = self.answer.val().expected;
            if self.answer.val().nack {
                self.second.next =
                    bit_cast::<26, 1>((self.answer.val().reason == self.unexpected.val()).into());
            }
            self.tag.next = bit_cast::<32, 16>(self.answer.val().ev)
                | (bit_cast::<32, 15>(self.rtt.val()) << 16)
                | (bit_cast::<32, 1>(self.answer.val().ce.into()) << 31);
        } else if self.some_command.val() {
            self.kind.next =
                if self.command.val().kind.get_bit(0) { self.of_open.val() } else { self.of_close.val() };
            self.connection.next = self.control_for.q.val();
            self.first.next = self.command.val().psn;
            self.second.next = self.first_window.q.val();
            self.tag.next = bit_cast::<32, 16>(self.command.val().ev)
                | (bit_cast::<32, 2>(self.command.val().class) << 16);
        }
        self.event_for.pipe = self.connection.val();
        self.event_of.pipe = self.kind.val();
        self.bitmap.pipe = self.answer.val().bitmap;
        self.numbers.pipe = bit_cast::<88, 24>(self.first.val())
            | (bit_cast::<88, 26>(self.second.val()) << 24)
            | (bit_cast::<88, 32>(self.tag.val()) << 56);
        self.event_valid.next = self.offered.q.val();
        self.event_id.next = self.event_for.q.val();
        self.event_kind.next = self.event_of.q.val();
        self.event_data.next =
            bit_cast::<344, 256>(self.bitmap.q.val()) | (bit_cast::<344, 88>(self.numbers.q.val()) << 256);
    }
}
