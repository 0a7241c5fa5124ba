//! `weft_egress_orders`: accepts orders, finds their peers and frame sizes, and joins them with their read data.

use super::lookup::Lookup;
use super::words::{Limit, Packet, Queued, Size};
use crate::part::fifo::Fifo;
use crate::part::published::Published;
use crate::prelude::*;
use crate::word::{EgressPeer, Order};

/// Accepts orders to transmit, one every two clocks, finds their peers and frame sizes, and joins them with
/// their read data. Outputs are registers or functions of registers.
///
/// # Parameters
///
/// `A` bits of connection number, `U` of a limit, `T = U - 1`.
#[derive(LogicBlock, Default)]
pub struct Orders<const A: usize, const T: usize, const U: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// An order is offered, and there is space for it.
    pub in_valid: Signal<In, Bit>,
    /// The block has space for an order.
    pub in_ready: Signal<Out, Bit>,
    /// The connection.
    pub in_id: Signal<In, Bits<A>>,
    /// The order.
    pub in_word: Signal<In, Order>,
    /// Write a peer.
    pub we: Signal<In, Bit>,
    /// Connection to write.
    pub waddr: Signal<In, Bits<A>>,
    /// Peer to write.
    pub wdata: Signal<In, EgressPeer>,
    /// Write the limit of a connection: which of its packets are sent.
    pub limit_we: Signal<In, Bit>,
    /// Connection to write.
    pub limit_waddr: Signal<In, Bits<A>>,
    /// The word to write.
    pub limit_wdata: Signal<In, Limit<U>>,
    /// The read data of a packet is complete.
    pub packet_valid: Signal<In, Bit>,
    /// The size of the packet.
    pub packet: Signal<In, Packet>,
    /// The order of the packet is found.
    pub packet_ready: Signal<Out, Bit>,
    /// An order waits, with its read data.
    pub valid: Signal<Out, Bit>,
    /// Discard the order and its read data.
    pub drop: Signal<Out, Bit>,
    /// The read data differs from the order.
    pub wrong: Signal<Out, Bit>,
    /// The order.
    pub order: Signal<Out, Order>,
    /// The destination of the frame.
    pub peer: Signal<Out, EgressPeer>,
    /// Size of its frame.
    pub size: Signal<Out, Size>,
    /// Beats of the frame, or words to discard; minus one.
    pub left: Signal<Out, Bits<8>>,
    /// The frame of the order begins.
    pub taken: Signal<In, Bit>,

    queue: Fifo<Queued, 5, 6>,
    enters: Signal<Local, Queued>,
    leaves: Signal<Local, Queued>,
    enter: Signal<Local, Bit>,
    entering: Signal<Local, Bits<16>>,
    leaving: Signal<Local, Bits<16>>,
    left_word: Signal<Local, Order>,
    bytes: Reg<Bits<16>>,
    lookup: Lookup<Order, A>,
    run: Signal<Local, Bit>,
    joins: Signal<Local, Bit>,
    found: Signal<Local, EgressPeer>,
    asked: Signal<Local, Order>,
    least: Signal<Local, Bits<12>>,
    padded: Signal<Local, Bits<14>>,
    filled: Signal<Local, Bits<14>>,
    measured: Signal<Local, Size>,
    sized: Reg<Bit>,
    s4_id: Pipe<Bits<A>>,
    limits: Published<Limit<U>, A>,
    limit: Signal<Local, Limit<U>>,
    about: Signal<Local, Bits<A>>,
    held: Signal<Local, Order>,
    ahead: Signal<Local, Bits<U>>,
    past: Signal<Local, Bit>,
    s4_order: Pipe<Order>,
    s4_peer: Pipe<EgressPeer>,
    s4_size: Pipe<Size>,
    s4_reads: Pipe<Bit>,
    s4_top: Pipe<Bits<6>>,
    spare: Signal<Local, Bits<8>>,
    differs: Signal<Local, Bit>,
    beats: Signal<Local, Bits<8>>,
    waits: Reg<Bit>,
    waiting: Pipe<Order>,
    waiting_peer: Pipe<EgressPeer>,
    waiting_size: Pipe<Size>,
    waiting_left: Pipe<Bits<8>>,
    waiting_spare: Pipe<Bits<8>>,
    waiting_wrong: Pipe<Bit>,
    waiting_past: Pipe<Bit>,
}

impl<const A: usize, const T: usize, const U: usize> Logic for Orders<A, T, U> {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        self.run.next = !self.sized.q.val() & !self.lookup.again.val();

        // As many orders wait here as read data can be on its way.
        self.enters.next.connection = bit_cast::<14, A>(self.in_id.val());
        self.enters.next.order = self.in_word.val();
        wire!(self.queue.* <- self.*: clk, rst);
        // DMA need not be further ahead of the wire than 16 KiB and a packet.
        self.in_ready.next = !self.queue.full.val() & !self.bytes.q.val().get_bits::<2>(14).any();
        self.enter.next = self.in_valid.val() & self.in_ready.val();
        self.queue.in_valid.next = self.enter.val();
        self.queue.in_word.next = self.enters.val();
        self.queue.in_commit.next = true;
        self.queue.in_rollback.next = false;
        self.leaves.next = self.queue.out_word.val();
        self.queue.out_ready.next = self.run.val();
        self.entering.next = 0.into();
        if self.enter.val() {
            self.entering.next = bit_cast::<16, 14>(self.in_word.val().bytes);
        }
        self.left_word.next = self.leaves.val().order;
        self.leaving.next = 0.into();
        if self.queue.out_valid.val() & self.run.val() {
            self.leaving.next = bit_cast::<16, 14>(self.left_word.val().bytes);
        }
        self.bytes.reg = self.bytes.q.val() + self.entering.val() - self.leaving.val();

        wire!(self.lookup.* <- self.*: clk, rst, run);
        self.lookup.in_valid.next = self.queue.out_valid.val();
        self.lookup.in_id.next = bit_cast::<A, 14>(self.leaves.val().connection);
        self.lookup.in_word.next = self.leaves.val().order;
        self.lookup.write = when(self.we.val(), (self.waddr.val(), self.wdata.val()));

        // An order goes on when it has its read data and the one before has gone.
        self.joins.next =
            self.sized.q.val() & !self.waits.q.val() & (!self.s4_reads.q.val() | self.packet_valid.val());

        // Size: 82 bytes without payload and ICRC's padding, 4 more with a tag, 4 with an immediate, 20 with IPv6.
        self.found.next = self.lookup.peer.val();
        self.asked.next = self.lookup.word.val();
        self.least.next = if self.found.val().tagged & self.asked.val().last {
            22.into()
        } else if self.found.val().tagged | self.asked.val().last {
            21.into()
        } else {
            20.into()
        };
        if self.found.val().v6 {
            self.least.next = self.least.val() + 5;
        }
        self.padded.next = self.asked.val().bytes + 3;
        self.filled.next = self.asked.val().bytes + 63;
        wire!(self.measured.next.* <- self.found.val().*: v6, tagged);
        self.measured.next.immediate = self.asked.val().last;
        self.measured.next.words = self.filled.val().get_bits::<8>(6);
        self.measured.next.cut = self.asked.val().bytes.get_bits::<6>(0);
        self.measured.next.quads = self.least.val() + self.padded.val().get_bits::<12>(2);
        self.sized.reg =
            (self.sized.q.val() & !self.joins.val()) | (self.run.val() & self.lookup.valid.val());
        // Words of this stage are arbitrary until the order is sized, so they need not wait while a peer is read again.
        self.s4_order.pipe = when(!self.sized.q.val(), self.asked.val());
        self.s4_id.pipe = when(!self.sized.q.val(), self.lookup.id.val());
        self.s4_peer.pipe = when(!self.sized.q.val(), self.found.val());
        self.s4_size.pipe = when(!self.sized.q.val(), self.measured.val());
        self.s4_reads.pipe = when(!self.sized.q.val(), self.asked.val().bytes.any());
        self.s4_top.pipe = when(!self.sized.q.val(), self.filled.val().get_bits::<6>(0));

        // Whether the order that is in this stage two clocks from now is still to be sent.
        self.about.next = if self.sized.q.val() & !self.joins.val() {
            self.s4_id.q.val()
        } else if self.sized.q.val() | self.lookup.valid.val() {
            self.lookup.id.val()
        } else {
            self.lookup.next_id.val()
        };
        self.limits.clk.next = self.clk.val();
        self.limits.run.next = true;
        self.limits.write = when(self.limit_we.val(), (self.limit_waddr.val(), self.limit_wdata.val()));
        self.limits.raddr.next = self.about.val();
        self.limit.next = self.limits.rdata.val();
        self.held.next = self.s4_order.q.val();
        self.ahead.next = self.held.val().psn.get_bits::<U>(0) - self.limit.val().una;
        for sign in T..U {
            self.past.next = self.s4_reads.q.val()
                & (self.limit.val().ended | (self.limit.val().told & self.ahead.val().get_bit(sign)));
        }

        // An order joins its read data.
        self.packet_ready.next = self.joins.val() & self.s4_reads.q.val();
        self.differs.next = self.s4_reads.q.val()
            & (self.packet.val().bad
                | (self.packet.val().words != self.s4_size.q.val().words)
                | (self.packet.val().top < self.s4_top.q.val()));
        self.spare.next = self.packet.val().words - 1;
        self.beats.next =
            if self.differs.val() { self.spare.val() } else { self.s4_size.q.val().quads.get_bits::<8>(4) };
        self.waits.reg = (self.waits.q.val() & !self.taken.val()) | self.joins.val();
        self.waiting.pipe = when(self.joins.val(), self.s4_order.q.val());
        self.waiting_peer.pipe = when(self.joins.val(), self.s4_peer.q.val());
        self.waiting_size.pipe = when(self.joins.val(), self.s4_size.q.val());
        self.waiting_left.pipe = when(self.joins.val(), self.beats.val());
        self.waiting_spare.pipe = when(self.joins.val(), self.spare.val());
        self.waiting_wrong.pipe = when(self.joins.val(), self.differs.val());
        self.waiting_past.pipe = when(self.joins.val(), self.past.val());
        self.valid.next = self.waits.q.val();
        self.drop.next = self.waiting_wrong.q.val() | self.waiting_past.q.val();
        self.wrong.next = self.waiting_wrong.q.val();
        self.order.next = self.waiting.q.val();
        self.peer.next = self.waiting_peer.q.val();
        self.size.next = self.waiting_size.q.val();
        self.left.next =
            if self.waiting_past.q.val() { self.waiting_spare.q.val() } else { self.waiting_left.q.val() };
    }
}
