//! `weft_egress_replies`: accepts ACKs and NACKs, and finds their peers and frame sizes.

use super::lookup::Lookup;
use super::words::Size;
use crate::prelude::*;
use crate::word::{EgressPeer, Reply};

/// Accepts ACKs and NACKs, one every two clocks, and finds their peers and frame sizes. Outputs are registers
/// or functions of registers.
///
/// # Parameters
///
/// `A` bits of connection number.
#[derive(LogicBlock, BlockDefault)]
pub struct Replies<const A: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// A reply is offered, and there is space for it.
    pub in_valid: Signal<In, Bit>,
    /// The block has space for a reply.
    pub in_ready: Signal<Out, Bit>,
    /// The connection.
    pub in_id: Signal<In, Bits<A>>,
    /// The reply.
    pub in_word: Signal<In, Reply>,
    /// Write a peer.
    pub we: Signal<In, Bit>,
    /// Connection to write.
    pub waddr: Signal<In, Bits<A>>,
    /// Peer to write.
    pub wdata: Signal<In, EgressPeer>,
    /// A reply waits to be sent.
    pub valid: Signal<Out, Bit>,
    /// The reply.
    pub reply: Signal<Out, Reply>,
    /// The destination of the frame.
    pub peer: Signal<Out, EgressPeer>,
    /// Size of its frame.
    pub size: Signal<Out, Size>,
    /// The frame of the reply begins.
    pub taken: Signal<In, Bit>,

    lookup: Lookup<Reply, A>,
    run: Signal<Local, Bit>,
    waits: Reg<Bit>,
    waiting_reply: Pipe<Reply>,
    waiting_peer: Pipe<EgressPeer>,
    found: Signal<Local, EgressPeer>,
    asked: Signal<Local, Reply>,
    least: Signal<Local, Bits<12>>,
    more: Signal<Local, Bits<12>>,
    sized: Signal<Local, Size>,
    waiting_size: Pipe<Size>,
}

impl<const A: usize> Logic for Replies<A> {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        self.run.next = !self.waits.q.val() & !self.lookup.again.val();
        self.in_ready.next = self.run.val();
        wire!(self.lookup.* <- self.*: clk, rst, run, in_valid, in_id, in_word);
        self.lookup.write = when(self.we.val(), (self.waddr.val(), self.wdata.val()));

        self.waits.reg =
            (self.waits.q.val() & !self.taken.val()) | (self.run.val() & self.lookup.valid.val());
        // Words of the last stage are arbitrary until it has a reply, so they need not wait while a peer is read again.
        self.asked.next = self.lookup.word.val();
        self.waiting_reply.pipe = when(!self.waits.q.val(), self.asked.val());
        self.waiting_peer.pipe = when(!self.waits.q.val(), self.lookup.peer.val());
        // The frame of an ACK has 122 bytes, with a list 158, that of a NACK 82; 4 more with a tag, 20 more with IPv6.
        self.found.next = self.lookup.peer.val();
        self.least.next = if self.asked.val().nack {
            20.into()
        } else if self.asked.val().there.any() {
            39.into()
        } else {
            30.into()
        };
        self.more.next = if self.found.val().v6 & self.found.val().tagged {
            6.into()
        } else if self.found.val().v6 {
            5.into()
        } else {
            bit_cast::<12, 1>(self.found.val().tagged.into())
        };
        wire!(self.sized.next.* <- self.found.val().*: v6, tagged);
        self.sized.next.immediate = false;
        self.sized.next.words = 0.into();
        self.sized.next.cut = 0.into();
        self.sized.next.quads = self.least.val() + self.more.val();
        self.waiting_size.pipe = when(!self.waits.q.val(), self.sized.val());
        self.valid.next = self.waits.q.val();
        self.reply.next = self.waiting_reply.q.val();
        self.peer.next = self.waiting_peer.q.val();
        self.size.next = self.waiting_size.q.val();
    }
}
