//! `weft_egress_reads`: read data, stored until a packet is complete.

use super::words::Packet;
use crate::part::fifo::Fifo;
use crate::prelude::*;

/// Bits whose number is a multiple of `of`, except bit 0.
fn multiples(of: u64) -> Constant<Bits<64>> {
    Constant::new((1..64).filter(|at| at % of == 0).fold(0u64, |bits, at| bits | 1 << at).to_bits())
}

/// Stores read data, 512 words, until a packet is complete. Outputs are registers or functions of registers.
#[derive(LogicBlock, BlockDefault)]
pub struct Reads {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// A word is offered.
    pub in_valid: Signal<In, Bit>,
    /// The word is accepted.
    pub in_ready: Signal<Out, Bit>,
    /// The word.
    pub in_data: Signal<In, Bits<512>>,
    /// Bytes of the word that count.
    pub in_keep: Signal<In, Bits<64>>,
    /// Last word of its packet.
    pub in_last: Signal<In, Bit>,
    /// With the last word: the packet is bad.
    pub in_bad: Signal<In, Bit>,
    /// All words of a packet are stored.
    pub packet_valid: Signal<Out, Bit>,
    /// The size of the packet.
    pub packet: Signal<Out, Packet>,
    /// The order of the packet is found.
    pub packet_ready: Signal<In, Bit>,
    /// The first word that is still in the queue.
    pub word: Signal<Out, Bits<512>>,
    /// The word is accepted.
    pub pull: Signal<In, Bit>,

    words: Fifo<Bits<512>, 9, 10>,
    packets: Fifo<Packet, 9, 10>,
    ready: Signal<Local, Bit>,
    accept: Signal<Local, Bit>,
    excess: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
    count: Signal<Local, Bits<8>>,
    stored: Reg<Bits<8>>,
    below: Signal<Local, Bits<64>>,
    gaps: Signal<Local, Bit>,
    lacks: Signal<Local, Bit>,
    torn: Reg<Bit>,
    tears: Signal<Local, Bit>,
    top: Signal<Local, Bits<6>>,
    #[default(multiples(1))]
    ones: Constant<Bits<64>>,
    #[default(multiples(2))]
    twos: Constant<Bits<64>>,
    #[default(multiples(4))]
    fours: Constant<Bits<64>>,
    #[default(multiples(8))]
    eights: Constant<Bits<64>>,
    #[default(multiples(16))]
    sixteens: Constant<Bits<64>>,
    whole: Signal<Local, Packet>,
}

impl Logic for Reads {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        self.ready.next = !self.words.full.val() & !self.packets.full.val();
        self.in_ready.next = self.ready.val();
        self.accept.next = self.in_valid.val() & self.ready.val();

        // Words behind the 128th of a packet are dropped, and the packet is bad.
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

        // Bytes must be gapless from the first one on, and complete in all words but the last.
        self.below.next = (self.in_keep.val() << 1) | 1;
        self.gaps.next = !self.in_keep.val().get_bit(0) | (self.in_keep.val() & !self.below.val()).any();
        self.lacks.next = if self.in_last.val() { self.gaps.val() } else { !self.in_keep.val().all() };
        self.tears.next = self.torn.q.val() | self.lacks.val();
        self.torn.reg = when(self.accept.val(), self.tears.val() & !self.in_last.val());
        // Without a gap, bit i of the last byte's number is the count of the multiples of 2^i that are set, modulo 2.
        self.top.next = bit_cast::<6, 1>((self.in_keep.val() & self.ones.val()).xor().into())
            | (bit_cast::<6, 1>((self.in_keep.val() & self.twos.val()).xor().into()) << 1)
            | (bit_cast::<6, 1>((self.in_keep.val() & self.fours.val()).xor().into()) << 2)
            | (bit_cast::<6, 1>((self.in_keep.val() & self.eights.val()).xor().into()) << 3)
            | (bit_cast::<6, 1>((self.in_keep.val() & self.sixteens.val()).xor().into()) << 4)
            | (bit_cast::<6, 1>(self.in_keep.val().get_bit(32).into()) << 5);
        self.whole.next.words = self.count.val();
        self.whole.next.top = self.top.val();
        self.whole.next.bad = self.in_bad.val() | self.excess.val() | self.tears.val();
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
