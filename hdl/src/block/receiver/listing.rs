//! `weft_receiver_listing`: entropy values of the packets that wait for their ACK, and the list of an ACK.

use super::words::Listed;
use crate::prelude::*;

/// Code of a FLUSH.
const FLUSH: u64 = 2;

/// Entropy values of the packets of each connection that wait for their ACK, of the 16 oldest. The block
/// writes a waiting packet into its place, and reads all places at once for the list of an ACK. A list leaves
/// three clocks after its outcome.
///
/// # Parameters
///
/// `A` bits of connection number; `E` 1 with a window above 256 PSNs, else 0.
#[derive(LogicBlock, BlockDefault)]
pub struct Listing<const A: usize, const E: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// First step of an outcome.
    pub starts: Signal<In, Bit>,
    /// The connection.
    pub id: Signal<In, Bits<A>>,
    /// Kind of the event.
    pub kind: Signal<In, Bits<3>>,
    /// The packet was placed.
    pub placed: Signal<In, Bit>,
    /// The outcome brings an ACK.
    pub ack: Signal<In, Bit>,
    /// The outcome brings a NACK.
    pub nack: Signal<In, Bit>,
    /// In a window above 256 PSNs: the answer answers no packet that waits.
    pub far: [Signal<In, Bit>; E],
    /// Packets that waited before this one.
    pub waited: Signal<In, Bits<8>>,
    /// Entropy value of the packet.
    pub ev: Signal<In, Bits<16>>,
    /// The list of a reply.
    pub listed_valid: Signal<Out, Bit>,
    /// The list.
    pub listed: Signal<Out, Listed>,

    #[new(false, RamStyle::Block)]
    ram: RamSdpBe<256, 32, A>,
    #[new(FLUSH.to_bits())]
    flush: Constant<Bits<3>>,
    many: Signal<Local, Bit>,
    place: Signal<Local, Bits<4>>,
    earlier: Signal<Local, Bits<17>>,
    there: Signal<Local, Bits<16>>,
    waits: Signal<Local, Bit>,
    s1_id: Pipe<Bits<A>>,
    s1_lanes: Reg<Bits<32>>,
    s1_ev: Pipe<Bits<16>>,
    lives: Reg<Bits<3>>,
    #[new(2)]
    s2_there: Delay<Bits<16>>,
    s3_there: Pipe<Bits<16>>,
    spread: [Signal<Local, Bits<256>>; 17],
    s3_place: [Pipe<Bits<16>>; 16],
    list: [Signal<Local, Bits<256>>; 17],
}
impl<const A: usize, const E: usize> Logic for Listing<A, E> {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        // Places of the packets that waited before, without the one that a FLUSH answers itself.
        self.many.next = self.waited.val().get_bits::<4>(4).any();
        self.place.next = self.waited.val().get_bits::<4>(0);
        self.earlier.next = (bit_cast::<17, 1>(true.into()) << self.place.val()) - 1;
        self.there.next = if !self.ack.val() {
            0.into()
        } else if self.many.val() {
            0xFFFF.into()
        } else {
            self.earlier.val().get_bits::<16>(0)
        };
        for e in 0..E {
            if self.far[e].val() {
                self.there.next = 0.into();
            }
        }
        self.s2_there.delay =
            if self.kind.val() == self.flush.val() { self.there.val() & 0xFFFE } else { self.there.val() };
        self.waits.next = self.starts.val() & self.placed.val() & !self.ack.val() & !self.many.val();

        for e in 0..E {
            if self.far[e].val() {
                self.waits.next = false;
            }
        }

        // Stage 1: one place is written, or all places are read.
        self.s1_id.pipe = self.id.val();
        self.s1_ev.pipe = self.ev.val();
        self.s1_lanes.reg = if self.waits.val() {
            bit_cast::<32, 2>(3.into()) << (bit_cast::<5, 4>(self.place.val()) << 1)
        } else {
            0.into()
        };
        self.spread[0].next = 0.into();
        for i in 0..16 {
            self.spread[i + 1].next = (self.spread[i].val() << 16) | bit_cast::<256, 16>(self.s1_ev.q.val());
        }
        self.ram.clk.next = self.clk.val();
        self.ram.we.next = self.s1_lanes.q.val();
        self.ram.waddr.next = self.s1_id.q.val();
        self.ram.wdata.next = self.spread[16].val();
        self.ram.re.next = true;
        self.ram.raddr.next = self.s1_id.q.val();
        self.ram.oe.next = true;

        // Stage 2: an empty place is 0.
        self.s3_there.pipe = self.s2_there.q.val();
        for i in 0..16 {
            self.s3_place[i].pipe = if self.s2_there.q.val().get_bit(i) {
                self.ram.rdata.val().get_bits::<16>(16 * i)
            } else {
                0.into()
            };
        }

        // Stage 3: the list.
        self.lives.reg = (self.lives.q.val() << 1)
            | bit_cast::<3, 1>((self.starts.val() & (self.ack.val() | self.nack.val())).into());
        self.list[0].next = 0.into();
        for i in 0..16 {
            self.list[i + 1].next =
                (self.list[i].val() >> 16) | (self.s3_place[i].q.val().get_bits::<256>(0) << 240);
        }
        self.listed_valid.next = self.lives.q.val().get_bit(2);
        self.listed.next.there = self.s3_there.q.val();
        self.listed.next.evs = self.list[16].val();
    }
}
