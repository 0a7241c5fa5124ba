//! `weft_sender_paths`: sends the choice of paths the entries of an ACK's list, then one or two events for
//! each report, and commands in between.

use super::words::{News, Value};
use crate::prelude::*;

/// Code of ACK.
const ACK: u64 = 1;
/// Code of TIMEOUT.
const TIMEOUT: u64 = 2;
/// Code of PATH_OK.
const PATH_OK: u64 = 3;
/// Code of IDLE.
const IDLE: u64 = 4;
/// Code of SEED.
const SEED: u64 = 7;

/// Sends the choice of paths the entries of the ACK's list, then one or two events for each report, and
/// commands in between.
///
/// # Parameters
///
/// `A` bits of connection number.
#[derive(LogicBlock, BlockDefault)]
pub struct Paths<const A: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// News are offered.
    pub news_valid: Signal<In, Bit>,
    /// Reports are accepted.
    pub news_ready: Signal<Out, Bit>,
    /// The report.
    pub news: Signal<In, News>,
    /// The next entry of the lists.
    pub entry: Signal<In, Value>,
    /// The entry is reported or dropped.
    pub entry_ready: Signal<Out, Bit>,
    /// A command is offered.
    pub aside_valid: Signal<In, Bit>,
    /// The command is accepted.
    pub aside_ready: Signal<Out, Bit>,
    /// The connection.
    pub aside_id: Signal<In, Bits<A>>,
    /// Command: a seed; 0: the path works again.
    pub aside_seed: Signal<In, Bit>,
    /// The seed.
    pub seed: Signal<In, Bits<32>>,
    /// An event is offered.
    pub event_valid: Signal<Out, Bit>,
    /// The event is accepted.
    pub event_ready: Signal<In, Bit>,
    /// The connection.
    pub event_id: Signal<Out, Bits<A>>,
    /// Data of the event.
    pub event_data: Signal<Out, Bits<32>>,
    /// Kind and ECN mark of the event.
    pub event_user: Signal<Out, Bits<4>>,

    #[new(ACK.to_bits())]
    ack: Constant<Bits<4>>,
    #[new(PATH_OK.to_bits())]
    path_ok: Constant<Bits<4>>,
    #[new(IDLE.to_bits())]
    idle: Constant<Bits<4>>,
    #[new(TIMEOUT.to_bits())]
    timeout: Constant<Bits<4>>,
    #[new(SEED.to_bits())]
    reseed: Constant<Bits<4>>,
    word: Signal<Local, News>,
    turn: Signal<Local, Bit>,
    more: Signal<Local, Bit>,
    half: Reg<Bit>,
    value: Signal<Local, Value>,
    lists: Signal<Local, Bit>,
    passed: Reg<Bits<5>>,
    told: Signal<Local, Bit>,
}
impl<const A: usize> Logic for Paths<A> {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        self.word.next = self.news.val();
        self.turn.next = self.event_ready.val() & !self.aside_valid.val() & self.news_valid.val();
        // The entries of the list go first; the other events are behind.
        self.value.next = self.entry.val();
        self.lists.next = self.news_valid.val() & (self.passed.q.val() < self.word.val().listed);
        self.more.next =
            self.lists.val() | ((self.word.val().idle | self.word.val().fails) & !self.half.q.val());
        self.half.reg = when(self.turn.val(), self.more.val() & !self.lists.val());
        self.passed.reg = when(
            self.turn.val(),
            if !self.more.val() {
                0.into()
            } else {
                self.passed.q.val() + bit_cast::<5, 1>(self.lists.val().into())
            },
        );
        self.entry_ready.next = self.turn.val() & self.lists.val();
        self.aside_ready.next = self.event_ready.val();
        self.news_ready.next = self.event_ready.val() & !self.aside_valid.val() & !self.more.val();
        self.told.next = if self.lists.val() {
            self.passed.q.val() < self.word.val().told
        } else {
            !self.word.val().silent
        };
        self.event_valid.next = self.aside_valid.val() | (self.news_valid.val() & self.told.val());
        self.event_id.next = bit_cast::<A, 14>(self.word.val().connection);
        self.event_data.next =
            bit_cast::<32, 16>(self.word.val().ev) | (bit_cast::<32, 15>(self.word.val().rtt) << 16);
        self.event_user.next = if self.word.val().idle & !self.half.q.val() {
            self.idle.val()
        } else if self.word.val().fails & self.half.q.val() {
            self.timeout.val()
        } else {
            bit_cast::<4, 3>(self.word.val().kind) | (bit_cast::<4, 1>(self.word.val().ce.into()) << 3)
        };
        if self.lists.val() {
            self.event_data.next = bit_cast::<32, 16>(self.value.val().ev);
            self.event_user.next = self.ack.val() | (bit_cast::<4, 1>(self.value.val().ce.into()) << 3);
        }
        if self.aside_valid.val() {
            self.event_id.next = self.aside_id.val();
            self.event_data.next = self.seed.val();
            self.event_user.next = if self.aside_seed.val() { self.reseed.val() } else { self.path_ok.val() };
        }
    }
}
