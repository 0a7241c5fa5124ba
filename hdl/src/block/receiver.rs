//! `weft_receiver`: the receiving side of the NIC's connections (page `docs/blocks/receiver.md`).

pub mod drain;
pub mod front;
pub mod listing;
pub mod settle;
pub mod timer;
pub mod words;

use crate::block::emitter;
use crate::block::sack_rx::SackRx;
use crate::emit::{EmitError, Module};
use crate::part::counter::Counter;
use crate::part::fence::Fence;
use crate::part::fifo::Fifo;
use crate::part::sum::Sum;
use crate::prelude::*;
use crate::word::{Arrival, Bar, ReceiverControl, Reply};
use drain::Drain;
use front::Front;
use listing::Listing;
use settle::Settle;
use timer::Timer;
use weft_params::SackParams;
use words::{Answer, Entry, Listed, Report, Side, Token};

/// The receiving side of the NIC's connections: records arrivals, writes their payload to memory, and sends
/// answers and reports.
///
/// # Parameters
///
/// `A` bits of connection number; `B = A + 4` (slot of a message), `R` = `A` or 6, the larger one (timer's
/// scanner), `W = A + 392` (outcome, except the fields that the receiver decides by); those of [`Settle`]. The emitter
/// replaces `sack` in windows above 256 PSNs by a block with the same ports.
#[derive(LogicBlock, BlockDefault)]
pub struct Receiver<
    const A: usize,
    const B: usize,
    const R: usize,
    const W: usize,
    const S: usize,
    const N: usize,
    const E: usize,
> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset. Afterwards a sweep closes all connections, one per clock.
    pub rst: Signal<In, Bit>,
    /// The time in ticks.
    pub now: Signal<In, Bits<32>>,
    /// Packets in.
    pub s_axis_arrival_tvalid: Signal<In, Bit>,
    /// Low during the sweep, behind an open or a close, and while outgoing words have no space.
    pub s_axis_arrival_tready: Signal<Out, Bit>,
    /// Connection.
    pub s_axis_arrival_tid: Signal<In, Bits<A>>,
    /// The packet without its payload.
    pub s_axis_arrival_tdata: Signal<In, Arrival>,
    /// Payload of the data packets that have any, in their order.
    pub s_axis_payload_tvalid: Signal<In, Bit>,
    /// Back-pressure.
    pub s_axis_payload_tready: Signal<Out, Bit>,
    /// Bytes, the first lowest.
    pub s_axis_payload_tdata: Signal<In, Bits<512>>,
    /// Bytes that count.
    pub s_axis_payload_tkeep: Signal<In, Bits<64>>,
    /// Last word of its packet.
    pub s_axis_payload_tlast: Signal<In, Bit>,
    /// Opens and closes connections.
    pub s_axis_control_tvalid: Signal<In, Bit>,
    /// The receiver accepts an open in its turn, and a close when all work accepted before it has left.
    pub s_axis_control_tready: Signal<Out, Bit>,
    /// Connection.
    pub s_axis_control_tid: Signal<In, Bits<A>>,
    /// The command.
    pub s_axis_control_tdata: Signal<In, ReceiverControl>,
    /// New treatment of a connection's packets; always accepted.
    pub s_axis_bar_tvalid: Signal<In, Bit>,
    /// The connection.
    pub s_axis_bar_tid: Signal<In, Bits<A>>,
    /// Bit 0: the peer must send the packets again later; bit 1: the receiver denies them.
    pub s_axis_bar_tdata: Signal<In, Bar>,
    /// The receiver denied a packet, and the connection had not failed before.
    /// The packet was not permitted to write to its address.
    pub m_axis_breach_tvalid: Signal<Out, Bit>,
    /// The report is accepted.
    pub m_axis_breach_tready: Signal<In, Bit>,
    /// The connection.
    pub m_axis_breach_tid: Signal<Out, Bits<A>>,
    /// ACKs and NACKs out.
    pub m_axis_reply_tvalid: Signal<Out, Bit>,
    /// Back-pressure.
    pub m_axis_reply_tready: Signal<In, Bit>,
    /// Connection.
    pub m_axis_reply_tid: Signal<Out, Bits<A>>,
    /// The reply.
    pub m_axis_reply_tdata: Signal<Out, Reply>,
    /// Payload to be written to host memory.
    pub m_axis_write_tvalid: Signal<Out, Bit>,
    /// Back-pressure.
    pub m_axis_write_tready: Signal<In, Bit>,
    /// Connection.
    pub m_axis_write_tid: Signal<Out, Bits<A>>,
    /// Bytes, the first lowest.
    pub m_axis_write_tdata: Signal<Out, Bits<512>>,
    /// Bytes that count.
    pub m_axis_write_tkeep: Signal<Out, Bits<64>>,
    /// Last word of its packet.
    pub m_axis_write_tlast: Signal<Out, Bit>,
    /// The packet: address in bits 63:0, bytes 77:64.
    pub m_axis_write_tuser: Signal<Out, Bits<78>>,
    /// Completions of messages with an immediate.
    pub m_axis_received_tvalid: Signal<Out, Bit>,
    /// Back-pressure.
    pub m_axis_received_tready: Signal<In, Bit>,
    /// Connection.
    pub m_axis_received_tid: Signal<Out, Bits<A>>,
    /// Immediate in bits 31:0, number of the message 55:32.
    pub m_axis_received_tdata: Signal<Out, Bits<56>>,
    /// CSR: number of new packets after which the receiver sends an ACK.
    pub cfg_ack_packets: Signal<In, Bits<8>>,
    /// CSR: bytes of new packets after which the receiver sends an ACK, 0 never.
    pub cfg_ack_bytes: Signal<In, Bits<16>>,
    /// CSR: ticks after which the receiver sends an ACK for a packet that waits for one; 0: never.
    pub cfg_ack_timeout: Signal<In, Bits<16>>,
    /// Events of connections that were not open, modulo 2^16.
    pub stat_not_open_events: Signal<Out, Bits<16>>,
    /// Packets received before, modulo 2^16.
    pub stat_duplicates: Signal<Out, Bits<16>>,
    /// Packets beyond the window, modulo 2^16.
    pub stat_outside: Signal<Out, Bits<16>>,
    /// Packets that were not permitted to write to their address, modulo 2^16.
    pub stat_access_errors: Signal<Out, Bits<16>>,
    /// Packets that were held back, modulo 2^16.
    pub stat_held: Signal<Out, Bits<16>>,
    /// Packets placed, modulo 2^16.
    pub stat_placed: Signal<Out, Bits<16>>,
    /// ACKs, modulo 2^16.
    pub stat_acks: Signal<Out, Bits<16>>,
    /// NACKs, modulo 2^16.
    pub stat_nacks: Signal<Out, Bits<16>>,
    /// Completions of messages, modulo 2^16.
    pub stat_received: Signal<Out, Bits<16>>,
    /// Data packets that arrived with a CE mark, modulo 2^16.
    pub stat_marks: Signal<Out, Bits<16>>,
    /// Bytes of payload placed, modulo 2^24.
    pub stat_bytes: Signal<Out, Bits<24>>,

    front: Front<A>,
    sack: SackRx<A, W>,
    sides: Fifo<Side, 5, 6>,
    settle: Settle<A, B, S, N, E>,
    timer: Timer<A, R>,
    replies: Fifo<Answer, 5, 6>,
    listing: Listing<A, E>,
    lists: Fifo<Listed, 5, 6>,
    list: Signal<Local, Listed>,
    replied: Signal<Local, Bit>,
    tokens: Fifo<Token, 5, 6>,
    drain: Drain,
    reports: Fifo<Report, 5, 6>,
    breaches: Fifo<Bits<A>, 4, 5>,
    breaches_fence: Fence<5>,
    replies_fence: Fence<6>,
    reports_fence: Fence<6>,
    replies_wait: Reg<Bit>,
    reports_wait: Reg<Bit>,
    out: Signal<Local, Bit>,
    denied: Counter,
    held: Counter,
    placed: Counter,
    acks: Counter,
    nacks: Counter,
    received: Counter,
    marks: Counter,
    bytes: Sum,
    come: Signal<Local, Arrival>,
    beside: Signal<Local, Side>,
    /// A queue has 32 words. Eight of the places are for words in the pipeline in front of the queue.
    #[new(24u64.to_bits())]
    limit: Constant<Bits<6>>,
    entry: Signal<Local, Entry>,
    side: Signal<Local, Side>,
    room: Reg<Bit>,
    made: Signal<Local, Answer>,
    answer: Signal<Local, Answer>,
    report_room: Reg<Bit>,
    report: Signal<Local, Report>,
}
impl<
    const A: usize,
    const B: usize,
    const R: usize,
    const W: usize,
    const S: usize,
    const N: usize,
    const E: usize,
> Logic for Receiver<A, B, R, W, S, N, E>
{
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        // Arrivals, control and the timer's requests, in one order.
        wire!(self.front.* <- self.*: clk, rst);
        wire!(self.front.* <- self.timer.*: swept, sweep_id, flush_valid, flush);
        self.front.bar_valid.next = self.s_axis_bar_tvalid.val();
        self.front.bar_id.next = self.s_axis_bar_tid.val();
        self.front.bar.next = self.s_axis_bar_tdata.val();
        self.front.arrival_valid.next = self.s_axis_arrival_tvalid.val();
        self.s_axis_arrival_tready.next = self.front.arrival_ready.val();
        self.front.arrival_id.next = self.s_axis_arrival_tid.val();
        self.front.arrival.next = self.s_axis_arrival_tdata.val();
        self.front.control_valid.next = self.s_axis_control_tvalid.val();
        self.s_axis_control_tready.next = self.front.control_ready.val();
        self.front.control_id.next = self.s_axis_control_tid.val();
        self.front.control.next = self.s_axis_control_tdata.val();
        self.front.event_ready.next = self.sack.s_axis_event_tready.val();
        // The receiver accepts a close when all that was accepted before has left: the close passes through the queue
        // of replies, then through that of reports.
        self.out.next = self.reports_wait.q.val()
            & !self.replies_fence.ahead.val().any()
            & !self.breaches_fence.ahead.val().any()
            & !self.reports_fence.ahead.val().any();
        self.front.out.next = self.out.val();

        // Each event goes through `weft_sack_rx`; the fields that `weft_sack_rx` does not need wait beside
        // it. At most 24 events are inside, and the queue offers a word before the outcome arrives.
        self.entry.next = self.front.entry.val();
        wire!(self.sack.*, self.sides.* <- self.*: clk, rst);
        self.sack.s_axis_event_tvalid.next = self.front.event_valid.val();
        self.sack.s_axis_event_tid.next = self.entry.val().id.get_bits::<A>(0);
        self.sack.s_axis_event_tdata.next = bit_cast::<72, 24>(self.entry.val().psn)
            | (bit_cast::<72, 14>(self.entry.val().bytes) << 24)
            | (bit_cast::<72, 16>(self.entry.val().stamp) << 40)
            | (bit_cast::<72, 16>(self.entry.val().ev) << 56);
        self.sack.s_axis_event_tuser.next = bit_cast::<6, 3>(self.front.kind.val())
            | (bit_cast::<6, 1>(self.entry.val().ce.into()) << 3)
            | (bit_cast::<6, 1>(self.entry.val().request.into()) << 4)
            | (bit_cast::<6, 1>(self.entry.val().last.into()) << 5);
        wire!(self.sack.cfg_* <- self.cfg_*: ack_packets, ack_bytes);
        wire!(self.stat_* <- self.sack.stat_*: not_open_events, duplicates, outside);
        wire!(self.side.next.* <- self.front.*: denied, failed, held);
        self.side.next.payload = (self.entry.val().kind == 0) & self.entry.val().bytes.any();
        wire!(
            self.side.next.* <- self.entry.val().*:
            last, solicited, address, bytes, immediate, message,
        );
        self.side.next.last_hop = self.entry.val().last_hop | self.front.held.val();
        self.sides.in_valid.next = self.front.event_valid.val() & self.sack.s_axis_event_tready.val();
        self.sides.in_word.next = self.side.val();
        self.sides.in_commit.next = true;
        self.sides.in_rollback.next = false;
        self.sides.out_ready.next = self.sack.m_axis_outcome_tvalid.val() & self.settle.outcome_ready.val();

        // Effects of outcomes.
        wire!(self.settle.* <- self.*: clk, rst);
        self.room.reg = (self.replies.level.val() < self.limit.val())
            & (self.tokens.level.val() < self.limit.val())
            & !self.breaches.level.val().get_bits::<2>(3).any();
        self.settle.room.next = self.room.q.val();
        self.settle.outcome_valid.next = self.sack.m_axis_outcome_tvalid.val();
        self.sack.m_axis_outcome_tready.next = self.settle.outcome_ready.val();
        self.settle.outcome_id.next = self.sack.m_axis_outcome_tid.val();
        self.settle.outcome_data.next = self.sack.m_axis_outcome_tdata.val();
        self.settle.outcome_user.next = self.sack.m_axis_outcome_tuser.val();
        self.settle.side.next = self.sides.out_word.val();
        wire!(self.timer.* <- self.*: clk, rst, now);
        self.timer.timeout.next = self.cfg_ack_timeout.val();
        self.timer.control.next = self.front.control_enters.val();
        wire!(self.timer.* <- self.settle.*: mark_valid, mark);
        self.timer.flush_ready.next = self.front.flush_ready.val();

        // Replies out.
        self.made.next.id = bit_cast::<14, A>(self.sack.m_axis_outcome_tid.val());
        self.made.next.reply = self.settle.reply.val();
        wire!(self.replies.* <- self.*: clk, rst);
        self.replies.in_valid.next = self.settle.reply_valid.val();
        self.replies.in_word.next = self.made.val();
        self.replies.in_commit.next = true;
        self.replies.in_rollback.next = false;
        self.answer.next = self.replies.out_word.val();
        // The list is known three clocks later.
        wire!(self.listing.* <- self.*: clk, rst);
        wire!(self.listing.* <- self.settle.*: placed, ack, nack);
        for e in 0..E {
            self.listing.far[e].next = self.settle.far[e].val();
        }
        self.listing.starts.next = self.settle.mark_valid.val();
        self.listing.id.next = self.sack.m_axis_outcome_tid.val();
        self.listing.kind.next = self.sack.m_axis_outcome_tuser.val().get_bits::<3>(0);
        self.listing.waited.next = self.sack.m_axis_outcome_tdata.val().get_bits::<8>(408);
        self.listing.ev.next = self.sack.m_axis_outcome_tdata.val().get_bits::<16>(368);
        wire!(self.lists.* <- self.*: clk, rst);
        self.lists.in_valid.next = self.listing.listed_valid.val();
        self.lists.in_word.next = self.listing.listed.val();
        self.lists.in_commit.next = true;
        self.lists.in_rollback.next = false;
        self.list.next = self.lists.out_word.val();
        self.m_axis_reply_tvalid.next = self.replies.out_valid.val() & self.lists.out_valid.val();
        self.replied.next =
            self.replies.out_valid.val() & self.lists.out_valid.val() & self.m_axis_reply_tready.val();
        self.replies.out_ready.next = self.replied.val();
        self.lists.out_ready.next = self.replied.val();
        self.m_axis_reply_tid.next = self.answer.val().id.get_bits::<A>(0);
        self.m_axis_reply_tdata.next = self.answer.val().reply;
        self.m_axis_reply_tdata.next.there = self.list.val().there;
        self.m_axis_reply_tdata.next.evs = self.list.val().evs;
        wire!(self.replies_fence.* <- self.*: clk, rst);
        self.replies_fence.comes.next = self.settle.reply_valid.val();
        self.replies_fence.goes.next = self.replied.val();
        self.replies_wait.reg = when(self.settle.closes.val() | self.out.val(), self.settle.closes.val());
        self.replies_fence.waits.next = self.replies_wait.q.val();

        // Packets without right to their address, which end connections.
        wire!(self.breaches.*, self.breaches_fence.* <- self.*: clk, rst);
        self.breaches.in_valid.next = self.settle.breach.val();
        self.breaches.in_word.next = self.sack.m_axis_outcome_tid.val();
        self.breaches.in_commit.next = true;
        self.breaches.in_rollback.next = false;
        self.breaches.out_ready.next = self.m_axis_breach_tready.val();
        self.m_axis_breach_tvalid.next = self.breaches.out_valid.val();
        self.m_axis_breach_tid.next = self.breaches.out_word.val();
        self.breaches_fence.comes.next = self.settle.breach.val();
        self.breaches_fence.goes.next = self.breaches.out_valid.val() & self.m_axis_breach_tready.val();
        self.breaches_fence.waits.next = self.replies_wait.q.val();

        // Payload out.
        wire!(self.tokens.*, self.drain.* <- self.*: clk, rst);
        self.tokens.in_valid.next = self.settle.token_valid.val();
        self.tokens.in_word.next = self.settle.token.val();
        self.tokens.in_commit.next = true;
        self.tokens.in_rollback.next = false;
        self.tokens.out_ready.next = self.drain.token_ready.val();
        self.report_room.reg = self.reports.level.val() < self.limit.val();
        self.drain.room.next = self.report_room.q.val();
        self.drain.token_valid.next = self.tokens.out_valid.val();
        self.drain.token.next = self.tokens.out_word.val();
        self.drain.payload_valid.next = self.s_axis_payload_tvalid.val();
        self.s_axis_payload_tready.next = self.drain.payload_ready.val();
        self.drain.payload_data.next = self.s_axis_payload_tdata.val();
        self.drain.payload_keep.next = self.s_axis_payload_tkeep.val();
        self.drain.payload_last.next = self.s_axis_payload_tlast.val();
        self.m_axis_write_tvalid.next = self.drain.write_valid.val();
        self.drain.write_ready.next = self.m_axis_write_tready.val();
        self.m_axis_write_tid.next = self.drain.write_id.val().get_bits::<A>(0);
        self.m_axis_write_tdata.next = self.drain.write_data.val();
        self.m_axis_write_tkeep.next = self.drain.write_keep.val();
        self.m_axis_write_tlast.next = self.drain.write_last.val();
        self.m_axis_write_tuser.next = self.drain.write_place.val();

        // Completions out.
        wire!(self.reports.* <- self.*: clk, rst);
        self.reports.in_valid.next = self.drain.report_valid.val();
        self.reports.in_word.next = self.drain.report.val();
        self.reports.in_commit.next = true;
        self.reports.in_rollback.next = false;
        self.reports.out_ready.next = self.m_axis_received_tready.val();
        self.report.next = self.reports.out_word.val();
        self.m_axis_received_tvalid.next = self.reports.out_valid.val();
        self.m_axis_received_tid.next = self.report.val().id.get_bits::<A>(0);
        self.m_axis_received_tdata.next = bit_cast::<56, 32>(self.report.val().immediate)
            | (bit_cast::<56, 24>(self.report.val().message) << 32);
        wire!(self.reports_fence.* <- self.*: clk, rst);
        self.reports_fence.comes.next = self.drain.report_valid.val();
        self.reports_fence.goes.next = self.reports.out_valid.val() & self.m_axis_received_tready.val();
        self.reports_wait.reg = when(self.drain.closed.val() | self.out.val(), self.drain.closed.val());
        self.reports_fence.waits.next = self.reports_wait.q.val();

        // Counters.
        wire!(
            self.denied.*, self.held.*, self.placed.*, self.acks.*, self.nacks.*, self.received.*, self.marks.*,
            self.bytes.* <- self.*: clk, rst,
        );
        self.denied.one.next = self.settle.denied.val();
        self.stat_access_errors.next = self.denied.count.val();
        self.held.one.next = self.settle.held.val();
        self.stat_held.next = self.held.count.val();
        self.placed.one.next = self.settle.placed.val();
        self.stat_placed.next = self.placed.count.val();
        self.acks.one.next = self.settle.ack.val();
        self.stat_acks.next = self.acks.count.val();
        self.nacks.one.next = self.settle.nack.val();
        self.stat_nacks.next = self.nacks.count.val();
        self.received.one.next = self.drain.report_valid.val();
        self.stat_received.next = self.received.count.val();
        self.come.next = self.s_axis_arrival_tdata.val();
        self.marks.one.next = self.s_axis_arrival_tvalid.val()
            & self.front.arrival_ready.val()
            & self.come.val().ce
            & (self.come.val().kind == 0);
        self.stat_marks.next = self.marks.count.val();
        self.beside.next = self.sides.out_word.val();
        self.bytes.add.next = self.settle.placed.val();
        self.bytes.amount.next = self.beside.val().bytes;
        self.stat_bytes.next = self.bytes.sum.val();
    }
}

/// The Verilog of `weft_receiver`, one module per file, for parameters that were checked.
pub fn emit(params: &SackParams) -> Result<Vec<Module>, EmitError> {
    emit_with(params, SackParams::WINDOW)
}

/// [`emit`], with a window of `psns`: 256, 512 or 1,024.
pub fn emit_with(params: &SackParams, psns: u32) -> Result<Vec<Module>, EmitError> {
    let emitter = emitter(params, psns);
    // Widths are types in Rust-HDL, so every shape is an instance of its own.
    macro_rules! shaped {
        ($a:literal, $scan:literal; $($window:literal),*) => {
            emitter.emit_new::<Receiver<$a, { $a + 4 }, $scan, { $a + 392 }, $($window),*>>("weft_receiver")
        };
    }
    macro_rules! shape {
        ($a:literal, $scan:literal) => {
            match psns {
                512 => shaped!($a, $scan; 9, 10, 1),
                1024 => shaped!($a, $scan; 10, 11, 1),
                _ => shaped!($a, $scan; 8, 9, 0),
            }
        };
    }
    by_connections!(params.connections, shape, scan)
}
