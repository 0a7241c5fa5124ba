//! `weft_egress_*_transport`: UDP header, BTH and all later headers, of every packet of the NIC.

use super::words::Size;
use crate::prelude::*;
use crate::word::{EgressPeer, Order, Reply};

/// UDP header, BTH and all after them, of every packet of the NIC: a number whose highest byte is the first
/// on the wire. A header's 32-bit word at byte b is 928 - 8 b bits up.
///
/// # Parameters
///
/// `S` bits of a PSN of the window; `E` 1 with a window above 256 PSNs, else 0.
#[derive(LogicBlock, BlockDefault)]
pub struct Transport<const S: usize, const E: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset of the enable.
    pub rst: Signal<In, Bit>,
    /// The pipeline moves in the next clock.
    pub next_run: Signal<In, Bit>,
    /// Kind of the frame: 0 an order, 1 the last order of a message, 2 an ACK, 3 a NACK.
    /// The code is two bits from registers, so that a choice by it needs one LUT per bit.
    pub form: Signal<In, Bits<2>>,
    /// The reply.
    pub reply: Signal<In, Reply>,
    /// The order.
    pub order: Signal<In, Order>,
    /// The destination of the frame.
    pub peer: Signal<In, EgressPeer>,
    /// Size of its frame.
    pub size: Signal<In, Size>,
    /// In a window above 256 PSNs: first PSN of an ACK's bitmap, less the cumulative PSN.
    pub moved: [Signal<In, Bits<16>>; E],
    /// Time stamp.
    pub stamp: Signal<In, Bits<16>>,
    /// Length of the UDP datagram by 4.
    pub udp_quads: Signal<Out, Bits<12>>,
    /// One clock later: the bytes.
    pub bytes: Signal<Out, Bits<960>>,

    run: Enable,
    answers: Signal<Local, Bit>,
    nack_or_last: Signal<Local, Bit>,
    answer: Signal<Local, Reply>,
    asked: Signal<Local, Order>,
    before_udp: Signal<Local, Bits<12>>,
    udp_length: Signal<Local, Bits<12>>,
    port: Signal<Local, Bits<16>>,
    psn: Signal<Local, Bits<24>>,
    begins: Signal<Local, Bits<16>>,
    flags: Signal<Local, Bits<8>>,
    pad: Signal<Local, Bits<2>>,
    common: Signal<Local, Bits<160>>,
    reth: Signal<Local, Bits<128>>,
    xeth: Signal<Local, Bits<64>>,
    data: Signal<Local, Bits<512>>,
    offset: Signal<Local, Bits<16>>,
    ack: Signal<Local, Bits<512>>,
    /// The usual range and offset, but the range of this window.
    #[new((0x2102_0001u64 ^ 0x2100_0000 ^ (1u64 << S >> 7 << 16)).to_bits())]
    range: Constant<Bits<32>>,
    nack: Signal<Local, Bits<512>>,
    body: Signal<Local, Bits<512>>,
    lists: Signal<Local, Bit>,
    evs: [Signal<Local, Bits<256>>; 17],
    list: Signal<Local, Bits<288>>,
    packet: Pipe<Bits<960>>,
}

impl<const S: usize, const E: usize> Logic for Transport<S, E> {
    #[clocked(en = run.q)]
    #[hdl_gen]
    fn update(&mut self) {
        wire!(self.run.* <- self.*: clk, rst, next_run);

        self.answers.next = self.form.val().get_bit(1);
        self.nack_or_last.next = self.form.val().get_bit(0);
        self.answer.next = self.reply.val();
        self.asked.next = self.order.val();

        // All but Ethernet, VLAN tag and IP header: 34, 4, 20 more with IPv6.
        self.before_udp.next = if self.size.val().v6 & self.size.val().tagged {
            14.into()
        } else if self.size.val().v6 {
            13.into()
        } else if self.size.val().tagged {
            9.into()
        } else {
            8.into()
        };
        self.udp_length.next = self.size.val().quads - self.before_udp.val();
        self.udp_quads.next = self.udp_length.val();

        self.port.next = self.asked.val().ev;
        self.psn.next = self.asked.val().psn;
        // Opcode and the byte behind it; the byte before the PSN.
        self.begins.next = 0x0A40.into();
        self.flags.next = 0x10.into();
        self.pad.next = bits::<2>(0) - self.asked.val().bytes.get_bits::<2>(0);
        if self.answers.val() {
            self.port.next = self.answer.val().ev;
            self.psn.next =
                if self.nack_or_last.val() { self.answer.val().psn } else { self.answer.val().cumulative };
            self.begins.next = 0x1140.into();
            self.flags.next = 0.into();
        } else {
            self.begins.next = bits::<16>(0x0A40)
                | (bit_cast::<16, 1>(self.nack_or_last.val().into()) << 8)
                | (bit_cast::<16, 1>(self.asked.val().solicited.into()) << 7)
                | (bit_cast::<16, 2>(self.pad.val()) << 4);
            self.flags.next = bits::<8>(0x10)
                | (bit_cast::<8, 1>(self.asked.val().request.into()) << 7)
                | (bit_cast::<8, 1>(self.asked.val().again.into()) << 5);
        }
        self.common.next = bit_cast::<160, 16>(bits::<16>(4791)) << low!(Data.Udp.destination_port in 0..20)
            | (bit_cast::<160, 16>(self.port.val()) << low!(Data.Udp.source_port in 0..20))
            | (bit_cast::<160, 12>(self.udp_length.val()) << 114)
            | (bit_cast::<160, 16>(self.begins.val()) << low!(Data.Bth.transport_version in 0..20))
            | (bit_cast::<160, 16>(self.peer.val().pkey) << low!(Data.Bth.p_key in 0..20))
            | (bit_cast::<160, 24>(self.peer.val().qp) << low!(Data.Bth.dest_qp in 0..20))
            | (bit_cast::<160, 8>(self.flags.val()) << low!(Data.Bth.resv7 in 0..20))
            | bit_cast::<160, 24>(self.psn.val());

        // RETH, immediate, XETH.
        self.reth.next = (bit_cast::<128, 64>(self.asked.val().address) << low!(Data.Reth.va in 20..36))
            | (bit_cast::<128, 32>(self.asked.val().key) << low!(Data.Reth.r_key in 20..36))
            | bit_cast::<128, 14>(self.asked.val().bytes);
        self.xeth.next = (bit_cast::<64, 16>(self.stamp.val()) << low!(Data.Xeth.tx_timestamp in 36..44))
            | (bit_cast::<64, 16>(bits::<16>(0x8001)) << low!(Data.Xeth.ftype in 36..44))
            | bit_cast::<64, 16>(self.asked.val().message);
        self.data.next = if self.nack_or_last.val() {
            (bit_cast::<512, 128>(self.reth.val()) << low!(Data.Reth in 20..84))
                | (bit_cast::<512, 32>(self.asked.val().immediate) << low!(Last.ImmDt in 20..84))
                | (bit_cast::<512, 64>(self.xeth.val()) << low!(Last.Xeth in 20..84))
        } else {
            (bit_cast::<512, 128>(self.reth.val()) << low!(Data.Reth in 20..84))
                | (bit_cast::<512, 64>(self.xeth.val()) << low!(Data.Xeth in 20..84))
        };

        // AETH, SETH, CC_STATE, SACKX.
        self.lists.next = self.answers.val() & !self.nack_or_last.val() & self.answer.val().there.any();
        self.offset.next =
            self.answer.val().psn.get_bits::<16>(0) - self.answer.val().cumulative.get_bits::<16>(0);
        self.ack.next = (bit_cast::<512, 8>(bits::<8>(0x1F)) << low!(Ack.Aeth.syndrome in 20..84))
            | (bit_cast::<512, 24>(self.answer.val().messages) << low!(Ack.Aeth.msn in 20..84))
            | (bit_cast::<512, 1>(self.answer.val().ce.into()) << low!(Ack.Seth.m in 20..84))
            | (bit_cast::<512, 1>(self.answer.val().probe.into()) << low!(Ack.Seth.probe_reply in 20..84))
            | (bit_cast::<512, 16>(self.offset.val()) << low!(Ack.Seth.ack_psn_offset in 20..84))
            | (bit_cast::<512, 16>(self.answer.val().ev) << low!(Ack.Seth.echoed_ev in 20..84))
            | (bit_cast::<512, 24>(self.answer.val().cumulative) << low!(Ack.Seth.cack_psn in 20..84))
            | (bit_cast::<512, 32>(bits::<32>(0x2102_0001)) << low!(Ack.Seth.sack_offset in 20..84))
            | (bit_cast::<512, 1>(self.lists.val().into()) << low!(Ack.Seth.xev in 20..84))
            | (bit_cast::<512, 64>(self.answer.val().bitmap.get_bits::<64>(0))
                << low!(Ack.Seth.bitmap in 20..84))
            | (bit_cast::<512, 16>(self.answer.val().stamp) << low!(Ack.CcState.tx_timestamp in 20..84))
            | (bit_cast::<512, 8>(self.answer.val().out_of_order) << low!(Ack.CcState.ooo_count in 20..84))
            | (bit_cast::<512, 24>(self.answer.val().received) << low!(Ack.CcState.rcvd_bytes in 20..84))
            | (bit_cast::<512, 64>(self.answer.val().bitmap.get_bits::<64>(64))
                << low!(Ack.Sackx.bitmap1 in 20..84))
            | (bit_cast::<512, 64>(self.answer.val().bitmap.get_bits::<64>(128))
                << low!(Ack.Sackx.bitmap2 in 20..84))
            | bit_cast::<512, 64>(self.answer.val().bitmap.get_bits::<64>(192));

        // AETH, NETH.
        self.nack.next = (bit_cast::<512, 8>(bits::<8>(0x60)) << low!(Nack.Aeth.syndrome in 20..84))
            | (bit_cast::<512, 24>(self.answer.val().messages) << low!(Nack.Aeth.msn in 20..84))
            | (bit_cast::<512, 1>(self.answer.val().ce.into()) << low!(Nack.Neth.m in 20..84))
            | (bit_cast::<512, 8>(self.answer.val().reason) << low!(Nack.Neth.reason in 20..84))
            | (bit_cast::<512, 16>(self.answer.val().ev) << low!(Nack.Neth.echoed_ev in 20..84))
            | (bit_cast::<512, 24>(self.answer.val().psn) << low!(Nack.Neth.nack_psn in 20..84))
            | (bit_cast::<512, 32>(bits::<32>(0x2000_0000)) << low!(Nack.Neth.tx_timestamp in 20..84))
            | (bit_cast::<512, 16>(self.answer.val().stamp) << low!(Nack.Neth.tx_timestamp in 20..84));

        self.body.next = if self.answers.val() {
            if self.nack_or_last.val() { self.nack.val() } else { self.ack.val() }
        } else {
            self.data.val()
        };

        for e in 0..E {
            // Range and offset differ from the usual ones.
            if self.answers.val() & !self.nack_or_last.val() {
                self.body.next = self.ack.val()
                    ^ ((self.range.val() ^ self.moved[e].val().get_bits::<32>(0)).get_bits::<512>(0)
                        << low!(Ack.Seth.sack_offset in 20..84));
            }
        }

        // EVX: no marks; the first entropy value is the highest here.
        self.evs[0].next = 0.into();
        for i in 0..16 {
            self.evs[i + 1].next =
                (self.evs[i].val() << 16) | (self.answer.val().evs.get_bits::<256>(16 * i) & 0xFFFF);
        }
        self.list.next = 0.into();
        if self.lists.val() {
            self.list.next = (bit_cast::<288, 16>(self.answer.val().there) << low!(Ack.Evx.there in 84..120))
                | bit_cast::<288, 256>(self.evs[16].val());
        }
        self.packet.pipe = (bit_cast::<960, 160>(self.common.val()) << 800)
            | (bit_cast::<960, 512>(self.body.val()) << 288)
            | bit_cast::<960, 288>(self.list.val());
        self.bytes.next = self.packet.q.val();
    }
}
