//! `weft_ingress_peers`: the peers that may send to connections.

use super::words::Peer;
use crate::part::published::Published;
use crate::prelude::*;

/// The peers that may send to connections: their table, and the check of a frame against it. After reset a
/// sweep closes all connections, one per clock; until the sweep is done all count as closed.
///
/// # Parameters
///
/// `A` bits of connection number.
#[derive(LogicBlock, BlockDefault)]
pub struct Peers<const A: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// A peer is set.
    pub valid: Signal<In, Bit>,
    /// The peer is written in this clock, when the sweep is done; a register.
    pub ready: Signal<Out, Bit>,
    /// The connection.
    pub id: Signal<In, Bits<A>>,
    /// The peer.
    pub peer: Signal<In, Peer>,
    /// A connection is looked up; a register of the user.
    pub wanted: Signal<In, Bits<A>>,
    /// Two clocks later: its peer.
    pub found: Signal<Out, Peer>,

    peers: Published<Peer, A>,
    #[new(true)]
    sweeping: Reg<Bit>,
    sweep: Reg<Bits<A>>,
    offered: Signal<Local, Peer>,
    entry: Signal<Local, Peer>,
    s2_sweeping: Pipe<Bit>,
    s3_sweeping: Pipe<Bit>,
    read: Signal<Local, Peer>,
}
impl<const A: usize> Logic for Peers<A> {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        self.sweeping.reg = when(self.sweep.q.val().all(), false);
        self.sweep.reg = when(self.sweeping.q.val(), self.sweep.q.val() + 1);
        self.ready.next = !self.sweeping.q.val();

        self.offered.next = self.peer.val();
        self.entry.next.open = self.offered.val().open & !self.sweeping.q.val();
        wire!(self.entry.next.* <- self.offered.val().*: v6, address, vlan, pkey);
        self.peers.clk.next = self.clk.val();
        self.peers.run.next = true;
        self.peers.write = when(self.valid.val() | self.sweeping.q.val(), (self.id.val(), self.entry.val()));
        if self.sweeping.q.val() {
            self.peers.waddr.next = self.sweep.q.val();
        }
        self.peers.raddr.next = self.wanted.val();
        self.s2_sweeping.pipe = self.sweeping.q.val();
        self.s3_sweeping.pipe = self.s2_sweeping.q.val();
        self.read.next = self.peers.rdata.val();
        self.found.next.open = self.read.val().open & !self.s3_sweeping.q.val();
        wire!(self.found.next.* <- self.read.val().*: v6, address, vlan, pkey);
    }
}
