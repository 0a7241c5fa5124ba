//! `weft_egress_*_lookup`: accepts words of connections and finds their peers.

use crate::prelude::*;
use crate::word::EgressPeer;

/// Accepts words of connections and looks their peers up, in three stages that move together. When software
/// writes a peer while a stage reads it, the stages stall and read the peer again in the next clock.
///
/// # Parameters
///
/// Words of `T`, `A` bits of connection number.
#[derive(LogicBlock, BlockDefault)]
pub struct Lookup<T: Synth, const A: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// The stages move; never with `again`.
    pub run: Signal<In, Bit>,
    /// A word is offered.
    pub in_valid: Signal<In, Bit>,
    /// The connection.
    pub in_id: Signal<In, Bits<A>>,
    /// The word.
    pub in_word: Signal<In, T>,
    /// Write a peer; does not wait for the stages. Never in two successive clocks while a word is in them.
    pub we: Signal<In, Bit>,
    /// Connection to write.
    pub waddr: Signal<In, Bits<A>>,
    /// Peer to write.
    pub wdata: Signal<In, EgressPeer>,
    /// A peer is read again; a register.
    pub again: Signal<Out, Bit>,
    /// Three clocks later: there is a word.
    pub valid: Signal<Out, Bit>,
    /// The word.
    pub word: Signal<Out, T>,
    /// The connection.
    pub id: Signal<Out, Bits<A>>,
    /// The connection of the next word.
    pub next_id: Signal<Out, Bits<A>>,
    /// The peer of the word's connection, as one clock after the word was accepted.
    pub peer: Signal<Out, EgressPeer>,

    peers: RamSdp<EgressPeer, A>,
    valids: Reg<Bits<3>>,
    s1_id: Pipe<Bits<A>>,
    s2_id: Pipe<Bits<A>>,
    s3_id: Pipe<Bits<A>>,
    s2_again: Reg<Bit>,
    s1_word: Pipe<T>,
    s2_word: Pipe<T>,
    s3_word: Pipe<T>,
}
impl<T: Synth, const A: usize> Logic for Lookup<T, A> {
    #[clocked(en = run)]
    #[hdl_gen]
    fn update(&mut self) {
        self.valids.reg = (self.valids.q.val() << 1) | bit_cast::<3, 1>(self.in_valid.val().into());
        self.s1_id.pipe = self.in_id.val();
        self.s2_id.pipe = self.s1_id.q.val();
        self.s3_id.pipe = self.s2_id.q.val();
        self.peers.write = when(self.we.val(), (self.waddr.val(), self.wdata.val()));
        self.peers.read = when(
            self.run.val() | self.s2_again.q.val(),
            if self.s2_again.q.val() { self.s2_id.q.val() } else { self.s1_id.q.val() },
        );
        self.s2_again.reg = when(
            true,
            self.run.val()
                & self.valids.q.val().get_bit(0)
                & self.we.val()
                & (self.waddr.val() == self.s1_id.q.val()),
        );
        self.again.next = self.s2_again.q.val();
        // The later ones load with a word only: registers that always load together would become shift registers, which
        // take a LUT a bit.
        self.s1_word.pipe = self.in_word.val();
        self.s2_word.pipe = when(self.run.val() & self.valids.q.val().get_bit(0), self.s1_word.q.val());
        self.s3_word.pipe = when(self.run.val() & self.valids.q.val().get_bit(1), self.s2_word.q.val());
        self.valid.next = self.valids.q.val().get_bit(2);
        self.word.next = self.s3_word.q.val();
        self.id.next = self.s3_id.q.val();
        self.next_id.next = self.s2_id.q.val();
        self.peer.next = self.peers.rdata.val();
    }
}
