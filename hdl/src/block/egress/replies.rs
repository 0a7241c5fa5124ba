//! `weft_egress_replies`: ACKs and NACKs in; finds their peers and how long their frames are.

use super::lookup::Lookup;
use super::words::{Peer, Size};
use crate::block::nic::words::Reply;
use crate::prelude::*;

/// Takes ACKs and NACKs, one every two clocks, and finds their peers and how long their frames are. Outputs are
/// registers or functions of registers.
///
/// # Parameters
///
/// `A` bits of connection number.
#[derive(LogicBlock, Default)]
pub struct Replies<const A: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// A reply is offered and may be taken in.
    pub in_valid: Signal<In, Bit>,
    /// It would be.
    pub in_ready: Signal<Out, Bit>,
    /// Its connection.
    pub in_id: Signal<In, Bits<A>>,
    /// The reply.
    pub in_word: Signal<In, Reply>,
    /// Write a peer.
    pub we: Signal<In, Bit>,
    /// Connection to write.
    pub waddr: Signal<In, Bits<A>>,
    /// Peer to write.
    pub wdata: Signal<In, Peer>,
    /// A reply waits to be sent.
    pub valid: Signal<Out, Bit>,
    /// The reply.
    pub reply: Signal<Out, Reply>,
    /// To whom.
    pub peer: Signal<Out, Peer>,
    /// How long its frame is.
    pub size: Signal<Out, Size>,
    /// Its frame begins.
    pub taken: Signal<In, Bit>,

    lookup: Lookup<Reply, A>,
    run: Signal<Local, Bit>,
    waits: Reg<Bit>,
    waiting: Pipe<Reply>,
    waiting_peer: Pipe<Peer>,
    found: Signal<Local, Peer>,
    least: Signal<Local, Bits<12>>,
    sized: Signal<Local, Size>,
    waiting_size: Pipe<Size>,
}

impl<const A: usize> Logic for Replies<A> {
    #[hdl_gen]
    fn update(&mut self) {
        self.run.next = !self.waits.q.val();
        self.in_ready.next = self.run.val();
        self.lookup.clk.next = self.clk.val();
        self.lookup.rst.next = self.rst.val();
        self.lookup.run.next = self.run.val();
        self.lookup.in_valid.next = self.in_valid.val();
        self.lookup.in_id.next = self.in_id.val();
        self.lookup.in_word.next = self.in_word.val();
        self.lookup.we.next = self.we.val();
        self.lookup.waddr.next = self.waddr.val();
        self.lookup.wdata.next = self.wdata.val();

        self.waits.clk.next = self.clk.val();
        self.waits.rst.next = self.rst.val();
        self.waits.en.next = true;
        self.waits.d.next =
            (self.waits.q.val() & !self.taken.val()) | (self.run.val() & self.lookup.valid.val());
        self.waiting.clk.next = self.clk.val();
        self.waiting.en.next = self.run.val();
        self.waiting.d.next = self.lookup.word.val();
        self.waiting_peer.clk.next = self.clk.val();
        self.waiting_peer.en.next = self.run.val();
        self.waiting_peer.d.next = self.lookup.peer.val();
        // A frame of an ACK has 122 bytes, of a NACK 82; 4 more with a tag, 20 more with IPv6.
        self.found.next = self.lookup.peer.val();
        self.least.next = 30.into();
        if self.lookup.word.val().nack {
            self.least.next = 20.into();
        }
        if self.found.val().v6 {
            self.least.next = self.least.val() + 5;
        }
        self.sized.next.v6 = self.found.val().v6;
        self.sized.next.tagged = self.found.val().tagged;
        self.sized.next.immediate = false;
        self.sized.next.words = 0.into();
        self.sized.next.cut = 0.into();
        self.sized.next.quads = self.least.val() + bit_cast::<12, 1>(self.found.val().tagged.into());
        self.waiting_size.clk.next = self.clk.val();
        self.waiting_size.en.next = self.run.val();
        self.waiting_size.d.next = self.sized.val();
        self.valid.next = self.waits.q.val();
        self.reply.next = self.waiting.q.val();
        self.peer.next = self.waiting_peer.q.val();
        self.size.next = self.waiting_size.q.val();
    }
}
