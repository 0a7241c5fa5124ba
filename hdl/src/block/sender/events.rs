//! `weft_sender_events`: what the transport is told, one event per clock at most: congestion windows first, then in
//! turns acknowledgements and the rest, which is commands and then messages.

use super::words::{Allowance, Control, Post};
use crate::block::nic::words::Acknowledgement;
use crate::prelude::*;

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
/// The longest round-trip time that its bits can say.
const LONGEST: u64 = 0x7FFF;

/// What the transport is told, one event per clock at most: congestion windows first, then in turns
/// acknowledgements and the rest, which is commands and then messages. Acknowledgements and commands are held
/// one clock, so each is taken in every second clock at most.
///
/// # Parameters
///
/// `A` bits of connection number.
#[derive(LogicBlock)]
pub struct Events<const A: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// After reset, nothing is taken yet.
    pub sweeping: Signal<In, Bit>,
    /// Low bits of the time in ticks.
    pub now: Signal<In, Bits<16>>,
    /// Largest window of four classes.
    pub max_cwnd: Signal<In, Bits<104>>,
    /// A window is offered.
    pub window_valid: Signal<In, Bit>,
    /// It is taken.
    pub window_ready: Signal<Out, Bit>,
    /// The window.
    pub window: Signal<In, Allowance>,
    /// An acknowledgement is offered.
    pub ack_valid: Signal<In, Bit>,
    /// It is taken.
    pub ack_ready: Signal<Out, Bit>,
    /// Its connection.
    pub ack_id: Signal<In, Bits<A>>,
    /// The acknowledgement.
    pub ack: Signal<In, Acknowledgement>,
    /// A command is offered.
    pub control_valid: Signal<In, Bit>,
    /// It is taken.
    pub control_ready: Signal<Out, Bit>,
    /// Its connection.
    pub control_id: Signal<In, Bits<A>>,
    /// The command.
    pub control: Signal<In, Control>,
    /// A command for the choice of paths is offered.
    pub aside_valid: Signal<Out, Bit>,
    /// It is taken.
    pub aside_ready: Signal<In, Bit>,
    /// Its connection.
    pub aside_id: Signal<Out, Bits<A>>,
    /// A seed, else that the path is back.
    pub aside_seed: Signal<Out, Bit>,
    /// The seed.
    pub seed: Signal<Out, Bits<32>>,
    /// A message is offered.
    pub post_valid: Signal<In, Bit>,
    /// It is taken.
    pub post_ready: Signal<Out, Bit>,
    /// The message.
    pub post: Signal<In, Post>,
    /// An event for the transport; a register, as the next three.
    pub event_valid: Signal<Out, Bit>,
    /// It is taken.
    pub event_ready: Signal<In, Bit>,
    /// Its connection.
    pub event_id: Signal<Out, Bits<A>>,
    /// Its data.
    pub event_data: Signal<Out, Bits<344>>,
    /// Its kind.
    pub event_kind: Signal<Out, Bits<3>>,

    of_post: Constant<Bits<3>>,
    of_ack: Constant<Bits<3>>,
    of_nack: Constant<Bits<3>>,
    of_window: Constant<Bits<3>>,
    of_open: Constant<Bits<3>>,
    of_close: Constant<Bits<3>>,
    longest: Constant<Bits<15>>,
    ack_open: Signal<Local, Bit>,
    ack_in: Signal<Local, Acknowledgement>,
    ack_held: Pipe<Acknowledgement>,
    ack_for: Pipe<Bits<A>>,
    age: Pipe<Bits<16>>,
    control_open: Signal<Local, Bit>,
    control_in: Signal<Local, Control>,
    control_held: Pipe<Control>,
    control_for: Pipe<Bits<A>>,
    first_window: Pipe<Bits<26>>,
    command: Signal<Local, Control>,
    aside: Signal<Local, Bit>,
    free: Signal<Local, Bit>,
    some_window: Signal<Local, Bit>,
    commanded: Signal<Local, Bit>,
    ack_turn: Signal<Local, Bit>,
    some_ack: Signal<Local, Bit>,
    rest: Signal<Local, Bit>,
    some_command: Signal<Local, Bit>,
    some_post: Signal<Local, Bit>,
    turn: Reg<Bit>,
    ack_full: Reg<Bit>,
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
impl<const A: usize> Default for Events<A> {
    fn default() -> Self {
        Events {
            clk: Default::default(),
            rst: Default::default(),
            sweeping: Default::default(),
            now: Default::default(),
            max_cwnd: Default::default(),
            window_valid: Default::default(),
            window_ready: Default::default(),
            window: Default::default(),
            ack_valid: Default::default(),
            ack_ready: Default::default(),
            ack_id: Default::default(),
            ack: Default::default(),
            control_valid: Default::default(),
            control_ready: Default::default(),
            control_id: Default::default(),
            control: Default::default(),
            aside_valid: Default::default(),
            aside_ready: Default::default(),
            aside_id: Default::default(),
            aside_seed: Default::default(),
            seed: Default::default(),
            post_valid: Default::default(),
            post_ready: Default::default(),
            post: Default::default(),
            event_valid: Default::default(),
            event_ready: Default::default(),
            event_id: Default::default(),
            event_data: Default::default(),
            event_kind: Default::default(),
            of_post: Constant::new(POST.to_bits()),
            of_ack: Constant::new(ACK.to_bits()),
            of_nack: Constant::new(NACK.to_bits()),
            of_window: Constant::new(WINDOW.to_bits()),
            of_open: Constant::new(OPEN.to_bits()),
            of_close: Constant::new(CLOSE.to_bits()),
            longest: Constant::new(LONGEST.to_bits()),
            ack_open: Default::default(),
            ack_in: Default::default(),
            ack_held: Default::default(),
            ack_for: Default::default(),
            age: Default::default(),
            control_open: Default::default(),
            control_in: Default::default(),
            control_held: Default::default(),
            control_for: Default::default(),
            first_window: Default::default(),
            command: Default::default(),
            aside: Default::default(),
            free: Default::default(),
            some_window: Default::default(),
            commanded: Default::default(),
            ack_turn: Default::default(),
            some_ack: Default::default(),
            rest: Default::default(),
            some_command: Default::default(),
            some_post: Default::default(),
            turn: Default::default(),
            ack_full: Default::default(),
            commanded_over: Default::default(),
            control_full: Default::default(),
            rtt: Default::default(),
            offered: Default::default(),
            answer: Default::default(),
            window_in: Default::default(),
            post_in: Default::default(),
            kind: Default::default(),
            connection: Default::default(),
            first: Default::default(),
            second: Default::default(),
            tag: Default::default(),
            event_for: Default::default(),
            event_of: Default::default(),
            bitmap: Default::default(),
            numbers: Default::default(),
        }
    }
}

impl<const A: usize> Logic for Events<A> {
    #[hdl_gen]
    fn update(&mut self) {
        // An acknowledgement, and how long ago the packet left that it answers.
        self.ack_open.next = !self.ack_full.q.val() & !self.sweeping.val();
        self.ack_ready.next = self.ack_open.val();
        self.ack_in.next = self.ack.val();
        self.ack_held.clk.next = self.clk.val();
        self.ack_held.en.next = self.ack_open.val();
        self.ack_held.d.next = self.ack_in.val();
        self.ack_for.clk.next = self.clk.val();
        self.ack_for.en.next = self.ack_open.val();
        self.ack_for.d.next = self.ack_id.val();
        self.age.clk.next = self.clk.val();
        self.age.en.next = self.ack_open.val();
        self.age.d.next = self.now.val() - self.ack_in.val().stamp;

        // A command, and the window that an open begins with.
        self.control_open.next = !self.control_full.q.val() & !self.sweeping.val();
        self.control_ready.next = self.control_open.val();
        self.control_in.next = self.control.val();
        self.control_held.clk.next = self.clk.val();
        self.control_held.en.next = self.control_open.val();
        self.control_held.d.next = self.control_in.val();
        self.control_for.clk.next = self.clk.val();
        self.control_for.en.next = self.control_open.val();
        self.control_for.d.next = self.control_id.val();
        self.first_window.clk.next = self.clk.val();
        self.first_window.en.next = self.control_open.val();
        self.first_window.d.next = self.max_cwnd.val().get_bits::<26>(0);
        if self.control_in.val().class == 1 {
            self.first_window.d.next = self.max_cwnd.val().get_bits::<26>(26);
        } else if self.control_in.val().class == 2 {
            self.first_window.d.next = self.max_cwnd.val().get_bits::<26>(52);
        } else if self.control_in.val().class == 3 {
            self.first_window.d.next = self.max_cwnd.val().get_bits::<26>(78);
        }
        self.command.next = self.control_held.q.val();
        self.aside.next = self.control_full.q.val() & self.command.val().kind.get_bit(1);
        self.aside_valid.next = self.aside.val();
        self.aside_id.next = self.control_for.q.val();
        self.aside_seed.next = !self.command.val().kind.get_bit(0);
        self.seed.next = self.command.val().seed;

        // Whose turn it is.
        self.free.next = !self.offered.q.val() | self.event_ready.val();
        self.some_window.next = self.free.val() & self.window_valid.val();
        self.commanded.next = self.control_full.q.val() & !self.command.val().kind.get_bit(1);
        self.ack_turn.next =
            self.ack_full.q.val() & !(self.turn.q.val() & (self.commanded.val() | self.post_valid.val()));
        self.some_ack.next = self.free.val() & !self.window_valid.val() & self.ack_turn.val();
        self.rest.next = self.free.val() & !self.window_valid.val() & !self.ack_turn.val();
        self.some_command.next = self.rest.val() & self.commanded.val();
        self.some_post.next = self.rest.val() & !self.commanded.val() & self.post_valid.val();
        // After an acknowledgement it is the turn of the rest.
        self.turn.clk.next = self.clk.val();
        self.turn.rst.next = self.rst.val();
        self.turn.en.next = self.some_ack.val() | self.some_command.val() | self.some_post.val();
        self.turn.d.next = self.some_ack.val();
        self.window_ready.next = self.some_window.val();
        self.post_ready.next = self.some_post.val();
        self.ack_full.clk.next = self.clk.val();
        self.ack_full.rst.next = self.rst.val();
        self.ack_full.en.next = self.ack_open.val() | self.some_ack.val();
        self.ack_full.d.next = self.ack_valid.val();
        if self.some_ack.val() {
            self.ack_full.d.next = false;
        }
        self.commanded_over.next = self.some_command.val() | (self.aside.val() & self.aside_ready.val());
        self.control_full.clk.next = self.clk.val();
        self.control_full.rst.next = self.rst.val();
        self.control_full.en.next = self.control_open.val() | self.commanded_over.val();
        self.control_full.d.next = self.control_valid.val();
        if self.commanded_over.val() {
            self.control_full.d.next = false;
        }

        // The event.
        self.rtt.next = self.age.q.val().get_bits::<15>(0);
        if self.age.q.val().get_bit(15) {
            self.rtt.next = self.longest.val();
        }
        self.offered.clk.next = self.clk.val();
        self.offered.rst.next = self.rst.val();
        self.offered.en.next = self.free.val();
        self.offered.d.next =
            self.window_valid.val() | self.ack_full.q.val() | self.some_command.val() | self.some_post.val();
        self.answer.next = self.ack_held.q.val();
        self.window_in.next = self.window.val();
        self.post_in.next = self.post.val();
        self.kind.next = self.of_post.val();
        self.connection.next = bit_cast::<A, 12>(self.post_in.val().connection);
        self.first.next = bit_cast::<24, 16>(self.post_in.val().packets);
        self.second.next = bit_cast::<26, 24>(self.answer.val().trigger);
        self.tag.next = 0.into();
        if self.window_valid.val() {
            self.kind.next = self.of_window.val();
            self.connection.next = bit_cast::<A, 12>(self.window_in.val().connection);
            self.second.next = self.window_in.val().bytes;
        } else if self.ack_turn.val() {
            self.kind.next = self.of_ack.val();
            if self.answer.val().nack {
                self.kind.next = self.of_nack.val();
            }
            self.connection.next = self.ack_for.q.val();
            self.first.next = self.answer.val().expected;
            self.tag.next = bit_cast::<32, 16>(self.answer.val().ev)
                | (bit_cast::<32, 15>(self.rtt.val()) << 16)
                | (bit_cast::<32, 1>(self.answer.val().ce.into()) << 31);
        } else if self.some_command.val() {
            self.kind.next = self.of_close.val();
            if self.command.val().kind.get_bit(0) {
                self.kind.next = self.of_open.val();
            }
            self.connection.next = self.control_for.q.val();
            self.first.next = self.command.val().psn;
            self.second.next = self.first_window.q.val();
            self.tag.next = bit_cast::<32, 16>(self.command.val().ev)
                | (bit_cast::<32, 2>(self.command.val().class) << 16);
        }
        self.event_for.clk.next = self.clk.val();
        self.event_for.en.next = self.free.val();
        self.event_for.d.next = self.connection.val();
        self.event_of.clk.next = self.clk.val();
        self.event_of.en.next = self.free.val();
        self.event_of.d.next = self.kind.val();
        self.bitmap.clk.next = self.clk.val();
        self.bitmap.en.next = self.free.val();
        self.bitmap.d.next = self.answer.val().bitmap;
        self.numbers.clk.next = self.clk.val();
        self.numbers.en.next = self.free.val();
        self.numbers.d.next = bit_cast::<88, 24>(self.first.val())
            | (bit_cast::<88, 26>(self.second.val()) << 24)
            | (bit_cast::<88, 32>(self.tag.val()) << 56);
        self.event_valid.next = self.offered.q.val();
        self.event_id.next = self.event_for.q.val();
        self.event_kind.next = self.event_of.q.val();
        self.event_data.next =
            bit_cast::<344, 256>(self.bitmap.q.val()) | (bit_cast::<344, 88>(self.numbers.q.val()) << 256);
    }
}
