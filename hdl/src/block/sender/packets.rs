//! `weft_sender_packets`: finds the part of a message that a PSN carries, and passes ended messages on to
//! their completions. Packets and ended messages share one queue, in order, so that another message cannot
//! reuse the slot of a packet's message too early.

use super::words::{Ending, Entry, Message, Packet, Start};
use crate::prelude::*;

/// Turns each PSN into the part of a message that the packet carries, and messages that end into completions.
/// Packets and ended messages share one queue, in order, so that another message cannot reuse the slot of a
/// packet's message too early.
///
/// # Parameters
///
/// `A` bits of connection number, `M = A + 4` of a message's place; `H` of a row of 16 PSNs of a connection, 4 with a
/// window of 256 PSNs, `Q = A + H`; `E` 1 with a larger window, else 0.
#[derive(LogicBlock, BlockDefault)]
pub struct Packets<const A: usize, const M: usize, const H: usize, const Q: usize, const E: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// The queue behind this block has space for the entries in the pipeline.
    pub room: Signal<In, Bit>,
    /// Payload bytes of a full packet, as a power of 2.
    pub mtu_shift: Signal<In, Bits<4>>,
    /// Payload bytes of a full packet.
    pub mtu: Signal<In, Bits<14>>,
    /// News of messages are offered.
    pub entry_valid: Signal<In, Bit>,
    /// Entries are accepted.
    pub entry_ready: Signal<Out, Bit>,
    /// The entry.
    pub entry: Signal<In, Entry>,
    /// A message is written.
    pub write: Signal<In, Bit>,
    /// Place of the message: connection and slot.
    pub place: Signal<In, Bits<M>>,
    /// The message.
    pub message: Signal<In, Message>,
    /// Packets that entered, modulo 256; a register.
    pub entered: Signal<Out, Bits<8>>,
    /// Messages end; a register, like the next three ports.
    pub ending_valid: Signal<Out, Bit>,
    /// The messages.
    pub ending: Signal<Out, Ending>,
    /// A packet must be sent.
    pub packet_valid: Signal<Out, Bit>,
    /// The packet.
    pub packet: Signal<Out, Packet>,

    slots: RamSdpBe<64, 8, Q>,
    starts: RamSdp<Start, M>,
    messages: RamSdp<Message, M>,
    ready: Reg<Bit>,
    come: Signal<Local, Entry>,
    take: Signal<Local, Bit>,
    row: Signal<Local, Bits<Q>>,
    #[new((H as u64).to_bits())]
    row_bits: Constant<Bits<4>>,
    fresh: Signal<Local, Bit>,
    pair: Signal<Local, Bits<8>>,
    spread: [Signal<Local, Bits<64>>; 9],
    #[new(2)]
    s3_entry: Delay<Entry>,
    count: Reg<Bits<8>>,
    #[new(2)]
    s3_count: Delay<Bits<8>>,
    sends: Reg<Bits<7>>,
    ends: Reg<Bits<2>>,
    known: Signal<Local, Entry>,
    shown: Signal<Local, Bits<64>>,
    slot: Signal<Local, Bits<4>>,
    of_message: Signal<Local, Bits<M>>,
    begins: Signal<Local, Start>,
    #[new(2)]
    s5_entry: Delay<Entry>,
    over: Signal<Local, Ending>,
    sent: Signal<Local, Entry>,
    start: Signal<Local, Start>,
    ahead: Signal<Local, Bits<24>>,
    s6_ahead: Pipe<Bits<16>>,
    #[new(3)]
    s6_of_message: Delay<Bits<M>>,
    #[new(3)]
    s8_number: Delay<Bits<16>>,
    #[new(3)]
    s8_connection: Delay<Bits<14>>,
    #[new(3)]
    s8_psn: Delay<Bits<24>>,
    #[new(3)]
    s8_again: Delay<Bit>,
    s7_offset: Pipe<Bits<32>>,
    s8_offset: Pipe<Bits<32>>,
    from: Signal<Local, Message>,
    left: Signal<Local, Bits<32>>,
    last: Signal<Local, Bit>,
    made: Signal<Local, Packet>,
    s9_valid: Reg<Bit>,
    s9_packet: Pipe<Packet>,
}
impl<const A: usize, const M: usize, const H: usize, const Q: usize, const E: usize> Logic
    for Packets<A, M, H, Q, E>
{
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        // Stage 1: the slot of a PSN is written when the PSN is sent for the first time, and read later. Two PSNs share
        // a byte. A write for an odd PSN repeats the slot of the PSN before. A write for an even PSN keeps the slot of
        // the PSN behind as it was a window ago: if that PSN is outstanding, it is the lowest, so it belongs to the
        // first message that has not ended.
        self.ready.reg = self.room.val();
        self.entry_ready.next = self.ready.q.val();
        self.come.next = self.entry.val();
        self.take.next = self.entry_valid.val() & self.ready.q.val();
        self.row.next = (bit_cast::<Q, 14>(self.come.val().connection) << 4)
            | bit_cast::<Q, 4>(self.come.val().psn.get_bits::<4>(4));
        for _larger in 0..E {
            self.row.next = (bit_cast::<Q, 14>(self.come.val().connection) << self.row_bits.val())
                | bit_cast::<Q, H>(self.come.val().psn.get_bits::<H>(4));
        }
        self.fresh.next = self.take.val() & self.come.val().send & !self.come.val().again;
        self.pair.next = if !self.come.val().psn.get_bit(0) {
            (bit_cast::<8, 4>(self.come.val().done.get_bits::<4>(0)) << 4)
                | bit_cast::<8, 4>(self.come.val().slot)
        } else if self.come.val().first {
            (bit_cast::<8, 4>(self.come.val().slot) << 4) | bit_cast::<8, 4>(self.come.val().slot - 1)
        } else {
            (bit_cast::<8, 4>(self.come.val().slot) << 4) | bit_cast::<8, 4>(self.come.val().slot)
        };
        self.spread[0].next = 0.into();
        for i in 0..8 {
            self.spread[i + 1].next = (self.spread[i].val() << 8) | bit_cast::<64, 8>(self.pair.val());
        }
        self.slots.clk.next = self.clk.val();
        self.slots.we.next = if self.fresh.val() {
            bit_cast::<8, 1>(true.into()) << self.come.val().psn.get_bits::<3>(1)
        } else {
            0.into()
        };
        self.slots.waddr.next = self.row.val();
        self.slots.wdata.next = self.spread[8].val();
        self.slots.re.next = true;
        self.slots.raddr.next = self.row.val();
        self.slots.oe.next = true;
        self.s3_entry.delay = self.come.val();
        self.count.reg = when(self.take.val() & self.come.val().send, self.count.q.val() + 1);
        self.s3_count.delay = self.count.q.val();
        self.entered.next = self.count.q.val();
        // Bit i: a packet is in stage i + 2.
        self.sends.reg =
            (self.sends.q.val() << 1) | bit_cast::<7, 1>((self.take.val() & self.come.val().send).into());
        self.ends.reg = (self.ends.q.val() << 1)
            | bit_cast::<2, 1>(
                (self.take.val() & (self.come.val().count.any() | self.come.val().closes)).into(),
            );

        // Stage 3: beginning of the message, written with its first packet.
        self.known.next = self.s3_entry.q.val();
        self.shown.next =
            self.slots.rdata.val() >> (bit_cast::<6, 4>(self.known.val().psn.get_bits::<4>(0)) << 2);
        self.slot.next =
            if self.known.val().again { self.shown.val().get_bits::<4>(0) } else { self.known.val().slot };
        self.of_message.next =
            (bit_cast::<M, 14>(self.known.val().connection) << 4) | bit_cast::<M, 4>(self.slot.val());
        wire!(self.begins.next.* <- self.known.val().*: psn, message);
        self.starts.write = when(
            self.sends.q.val().get_bit(1) & self.known.val().first,
            (self.of_message.val(), self.begins.val()),
        );
        self.starts.read = self.of_message.val();
        self.s6_of_message.delay = self.of_message.val();
        self.s5_entry.delay = self.known.val();
        wire!(self.over.next.* <- self.known.val().*: connection, count, done, status, closes);
        self.over.next.after = self.s3_count.q.val();
        self.ending_valid.next = self.ends.q.val().get_bit(1);
        self.ending.next = self.over.val();

        // Stage 5: packets since the message's first.
        self.sent.next = self.s5_entry.q.val();
        self.start.next = self.starts.rdata.val();
        if self.sent.val().first {
            self.start.next.psn = self.sent.val().psn;
            self.start.next.message = self.sent.val().message;
        }
        self.ahead.next = self.sent.val().psn - self.start.val().psn;
        self.s6_ahead.pipe = self.ahead.val().get_bits::<16>(0);
        self.s8_number.delay = self.start.val().message;
        self.s8_connection.delay = self.sent.val().connection;
        self.s8_psn.delay = self.sent.val().psn;
        self.s8_again.delay = self.sent.val().again;

        // Stage 6: bytes. The message is read only now, so that it need not wait.
        self.s7_offset.pipe = bit_cast::<32, 16>(self.s6_ahead.q.val()) << self.mtu_shift.val();
        self.s8_offset.pipe = self.s7_offset.q.val();
        self.messages.write = when(self.write.val(), (self.place.val(), self.message.val()));
        self.messages.read = self.s6_of_message.q.val();

        // Stage 8: the packet: addresses, and the bytes left of the message.
        self.from.next = self.messages.rdata.val();
        self.left.next = self.from.val().length - self.s8_offset.q.val();
        self.last.next = self.left.val() <= bit_cast::<32, 14>(self.mtu.val());
        self.made.next.connection = self.s8_connection.q.val();
        self.made.next.local = self.from.val().local + bit_cast::<64, 32>(self.s8_offset.q.val());
        self.made.next.psn = self.s8_psn.q.val();
        self.made.next.again = self.s8_again.q.val();
        self.made.next.last = self.last.val();
        self.made.next.solicited = self.from.val().with_immediate;
        self.made.next.remote = self.from.val().remote + bit_cast::<64, 32>(self.s8_offset.q.val());
        self.made.next.key = self.from.val().key;
        self.made.next.bytes =
            if self.last.val() { self.left.val().get_bits::<14>(0) } else { self.mtu.val() };
        self.made.next.immediate = self.from.val().immediate;
        self.made.next.message = self.s8_number.q.val();
        self.s9_valid.reg = self.sends.q.val().get_bit(6);
        self.s9_packet.pipe = self.made.val();
        self.packet_valid.next = self.s9_valid.q.val();
        self.packet.next = self.s9_packet.q.val();
    }
}
