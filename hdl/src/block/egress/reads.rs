//! `weft_egress_reads`: read data, stored until a packet is whole.

use super::words::Packet;
use crate::part::fifo::Fifo;
use crate::prelude::*;

/// Stores read data, 512 words, until a packet is whole. Outputs are registers or functions of registers.
#[derive(LogicBlock, Default)]
pub struct Reads {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// A word is offered.
    pub in_valid: Signal<In, Bit>,
    /// It is taken.
    pub in_ready: Signal<Out, Bit>,
    /// The word.
    pub in_data: Signal<In, Bits<512>>,
    /// Last of its packet.
    pub in_last: Signal<In, Bit>,
    /// With the last: the packet is bad.
    pub in_bad: Signal<In, Bit>,
    /// The words of a packet are all here.
    pub packet_valid: Signal<Out, Bit>,
    /// How much.
    pub packet: Signal<Out, Packet>,
    /// Its order is found.
    pub packet_ready: Signal<In, Bit>,
    /// The first word that has not been taken.
    pub word: Signal<Out, Bits<512>>,
    /// It is taken.
    pub pull: Signal<In, Bit>,

    words: Fifo<Bits<512>, 9, 10>,
    packets: Fifo<Packet, 9, 10>,
    ready: Signal<Local, Bit>,
    accept: Signal<Local, Bit>,
    excess: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
    count: Signal<Local, Bits<8>>,
    stored: Reg<Bits<8>>,
    whole: Signal<Local, Packet>,
}

impl Logic for Reads {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        self.ready.next = !self.words.level.val().get_bit(9) & !self.packets.level.val().get_bit(9);
        self.in_ready.next = self.ready.val();
        self.accept.next = self.in_valid.val() & self.ready.val();

        // What is behind the 128th word of a packet is not stored; its packet is bad.
        self.excess.next = self.stored.q.val().get_bit(7);
        self.ends.next = self.accept.val() & self.in_last.val();
        self.count.next = if !self.excess.val() { self.stored.q.val() + 1 } else { self.stored.q.val() };
        self.stored.reg =
            when(self.accept.val(), if self.in_last.val() { 0.into() } else { self.count.val() });
        wire!(self.words.* <- self.*: clk, rst);
        self.words.in_valid.next = self.accept.val() & !self.excess.val();
        self.words.in_word.next = self.in_data.val();
        self.words.in_commit.next = self.ends.val();
        self.words.in_rollback.next = false;
        self.words.out_ready.next = self.pull.val();
        self.word.next = self.words.out_word.val();

        self.whole.next.words = self.count.val();
        self.whole.next.bad = self.in_bad.val() | self.excess.val();
        wire!(self.packets.* <- self.*: clk, rst);
        self.packets.in_valid.next = self.ends.val();
        self.packets.in_word.next = self.whole.val();
        self.packets.in_commit.next = true;
        self.packets.in_rollback.next = false;
        self.packets.out_ready.next = self.packet_ready.val();
        self.packet_valid.next = self.packets.out_valid.val();
        self.packet.next = self.packets.out_word.val();
    }
}
