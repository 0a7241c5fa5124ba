//! `weft_egress_header`: stages 2 to 5, all that is before the payload, or a whole ACK or NACK.

use super::transport::Transport;
use super::wiring::Reverse;
use super::words::Size;
use crate::part::far::Far;
use crate::prelude::*;
use crate::word::{EgressPeer, Order, Reply};

/// Stages 2 to 5: the part of a frame before the payload, or a whole ACK or NACK. Stage 2 loads in the clock after the
/// choice, also when the pipeline stalls: the last beat of the frame before, which may still be in stage 2, has none of
/// these bytes.
///
/// # Parameters
///
/// `S` bits of a PSN of the window, `N = S + 1`; `E` 1 with a window above 256 PSNs, else 0.
#[derive(LogicBlock, BlockDefault)]
pub struct Header<const S: usize, const N: usize, const E: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// The pipeline moves in the next clock.
    pub next_run: Signal<In, Bit>,
    /// Stage 0: a frame of a reply begins.
    pub reply_taken: Signal<In, Bit>,
    /// Stages 0 and 1: the reply.
    pub reply: Signal<In, Reply>,
    /// The destination of the frame.
    pub reply_peer: Signal<In, EgressPeer>,
    /// Stage 0: a frame of an order begins.
    pub order_taken: Signal<In, Bit>,
    /// Stages 0 and 1: the order.
    pub order: Signal<In, Order>,
    /// The destination of the frame.
    pub order_peer: Signal<In, EgressPeer>,
    /// Stage 0: time.
    pub now: Signal<In, Bits<16>>,
    /// Stage 2: length of the frame.
    pub size: Signal<In, Size>,
    /// Own MAC address.
    pub mac: Signal<In, Bits<48>>,
    /// Own IPv4 address.
    pub ipv4: Signal<In, Bits<32>>,
    /// Own IPv6 address.
    pub ipv6: Signal<In, Bits<128>>,
    /// Time to live, hop limit.
    pub hop_limit: Signal<In, Bits<8>>,
    /// DSCP of data.
    pub dscp_data: Signal<In, Bits<6>>,
    /// DSCP of data that is sent again.
    pub dscp_again: Signal<In, Bits<6>>,
    /// DSCP of ACKs and NACKs.
    pub dscp_control: Signal<In, Bits<6>>,
    /// Stage 5: bytes 0 to 63.
    pub low: Signal<Out, Bits<512>>,
    /// Stage 5: bytes 64 to 127; 0 behind the header.
    pub mid: Signal<Out, Bits<512>>,
    /// Stage 5: bytes 128 to 183; 0 behind the header.
    pub high: Signal<Out, Bits<448>>,

    run: Enable,
    run_4: Enable,
    run_low: Enable,
    run_high: Enable,
    transport: Transport<S, E>,
    reverse: Reverse,
    s1_reply: Reg<Bit>,
    s1_order: Reg<Bit>,
    s1_begins: Reg<Bit>,
    s1_stamp: Pipe<Bits<16>>,
    s2_reply: Pipe<Reply>,
    s2_order: Pipe<Order>,
    far: [Far<S, N>; E],
    s2_moved: [Pipe<Bits<16>>; E],
    form: Signal<Local, Bits<2>>,
    s2_form: Pipe<Bits<2>>,
    s2_stamp: Pipe<Bits<16>>,
    s2_peer: Pipe<EgressPeer>,
    dscp: Signal<Local, Bits<6>>,
    ect: Signal<Local, Bits<8>>,
    s3_tos: Pipe<Bits<8>>,
    s3_peer: Pipe<EgressPeer>,
    s3_quads: Pipe<Bits<12>>,
    s3_sum: Pipe<Bits<19>>,
    length: Signal<Local, Bits<16>>,
    total: Signal<Local, Bits<16>>,
    first_word: Signal<Local, Bits<16>>,
    lives: Signal<Local, Bits<16>>,
    v4: Signal<Local, Bits<160>>,
    v6: Signal<Local, Bits<320>>,
    s4_tos: Pipe<Bits<8>>,
    s4_quads: Pipe<Bits<12>>,
    s4_bytes: Pipe<Bits<960>>,
    fixed: Signal<Local, Bits<19>>,
    s4_sum: Pipe<Bits<19>>,
    s4_peer: Pipe<EgressPeer>,
    folded: Signal<Local, Bits<17>>,
    lowest: Signal<Local, Bits<3>>,
    checksum: Signal<Local, Bits<16>>,
    datagram: Signal<Local, Bits<1280>>,
    kind: Signal<Local, Bits<16>>,
    macs: Signal<Local, Bits<96>>,
    whole: Signal<Local, Bits<1472>>,
    s5_low: Pipe<Bits<736>>,
    s5_high: Pipe<Bits<736>>,
}

impl<const S: usize, const N: usize, const E: usize> Logic for Header<S, N, E> {
    #[clocked(en = run.q)]
    #[hdl_gen]
    fn update(&mut self) {
        wire!(
            self.run.*, self.run_4.*, self.run_low.*, self.run_high.*, self.transport.*
            <- self.*: clk, rst, next_run,
        );

        // Stage 1: the frame that begins. A source that waited still offers its frame.
        self.s1_reply.reg = when(true, self.reply_taken.val());
        self.s1_order.reg = when(true, self.order_taken.val());
        self.s1_begins.reg = when(true, self.reply_taken.val() | self.order_taken.val());
        self.s1_stamp.pipe = when(true, self.now.val());

        // Stage 2: the parts of the frame.
        self.s2_reply.pipe = when(self.s1_reply.q.val(), self.reply.val());
        self.s2_order.pipe = when(self.s1_order.q.val(), self.order.val());
        for e in 0..E {
            // The bitmap of a PSN that is far ends with that PSN.
            self.far[e].psn.next = self.reply.val().psn;
            self.far[e].expected.next = self.reply.val().cumulative + 1;
            self.s2_moved[e].pipe = when(self.s1_reply.q.val(), self.far[e].offset.val() + 1);
            self.transport.moved[e].next = self.s2_moved[e].q.val();
        }
        self.form.next = bit_cast::<2, 1>(
            ((!self.s1_order.q.val() & self.reply.val().nack)
                | (self.s1_order.q.val() & self.order.val().last))
                .into(),
        ) | (bit_cast::<2, 1>((!self.s1_order.q.val()).into()) << 1);
        self.s2_form.pipe = when(self.s1_begins.q.val(), self.form.val());
        self.s2_stamp.pipe = when(self.s1_begins.q.val(), self.s1_stamp.q.val());
        self.s2_peer.pipe = when(
            self.s1_begins.q.val(),
            if self.s1_order.q.val() { self.order_peer.val() } else { self.reply_peer.val() },
        );

        // Stage 3: transport; sums of the IPv4 header but its length.
        wire!(self.transport.* <- self.*: size);
        self.transport.form.next = self.s2_form.q.val();
        self.transport.reply.next = self.s2_reply.q.val();
        self.transport.order.next = self.s2_order.q.val();
        self.transport.peer.next = self.s2_peer.q.val();
        self.transport.stamp.next = self.s2_stamp.q.val();
        self.dscp.next = self.dscp_data.val();
        self.ect.next = 2.into();
        if self.s2_form.q.val().get_bit(1) {
            self.dscp.next = self.dscp_control.val();
            self.ect.next = 0.into();
        } else if self.s2_order.q.val().again {
            self.dscp.next = self.dscp_again.val();
        }
        self.s3_tos.pipe = (bit_cast::<8, 6>(self.dscp.val()) << 2) | self.ect.val();
        self.s3_peer.pipe = self.s2_peer.q.val();
        // UDP, or all of IPv4.
        self.s3_quads.pipe = if !self.s2_peer.q.val().v6 {
            self.transport.udp_quads.val() + 5
        } else {
            self.transport.udp_quads.val()
        };
        self.s3_sum.pipe = (bit_cast::<19, 16>(self.ipv4.val().get_bits::<16>(0))
            + bit_cast::<19, 16>(self.ipv4.val().get_bits::<16>(16)))
            + (bit_cast::<19, 16>(self.s2_peer.q.val().address.get_bits::<16>(0))
                + bit_cast::<19, 16>(self.s2_peer.q.val().address.get_bits::<16>(16)));

        // Stage 4: the sum of all words of the IPv4 header.
        self.length.next = bit_cast::<16, 12>(self.s3_quads.q.val()) << 2;
        self.lives.next = bits::<16>(17) | (bit_cast::<16, 8>(self.hop_limit.val()) << 8);
        self.s4_tos.pipe = self.s3_tos.q.val();
        self.s4_quads.pipe = self.s3_quads.q.val();
        // The words that do not depend on the addresses. Each is an OR of numbers that share no bit:
        // 0x8500 leaves its low 8 bits free.
        self.fixed.next = bit_cast::<19, 16>(bits::<16>(0x8500) | bit_cast::<16, 8>(self.s3_tos.q.val()))
            + bit_cast::<19, 16>(self.lives.val());
        self.s4_sum.pipe = self.s3_sum.q.val() + (self.fixed.val() + bit_cast::<19, 16>(self.length.val()));
        self.s4_peer.pipe = self.s3_peer.q.val();
        enable!(run_4.q);
        self.s4_bytes.pipe = self.transport.bytes.val();

        // Stage 5: all of it, with IP header, checksum, MAC addresses and VLAN tag: each bit is one of four.
        self.folded.next = bit_cast::<17, 16>(self.s4_sum.q.val().get_bits::<16>(0))
            + bit_cast::<17, 3>(self.s4_sum.q.val().get_bits::<3>(16));
        // With a carry, all above its three lowest bits is 0.
        self.lowest.next =
            self.folded.val().get_bits::<3>(0) + bit_cast::<3, 1>(self.folded.val().get_bits::<1>(16));
        self.checksum.next = !((bit_cast::<16, 13>(self.folded.val().get_bits::<13>(3)) << 3)
            | bit_cast::<16, 3>(self.lowest.val()));
        self.total.next = bit_cast::<16, 12>(self.s4_quads.q.val()) << 2;
        self.first_word.next = bits::<16>(0x4500) | bit_cast::<16, 8>(self.s4_tos.q.val());
        self.v4.next = (bit_cast::<160, 16>(self.first_word.val()) << 144)
            | (bit_cast::<160, 16>(self.total.val()) << 128)
            | (bit_cast::<160, 16>(bits::<16>(0x4000)) << 96)
            | (bit_cast::<160, 16>(self.lives.val()) << 80)
            | (bit_cast::<160, 16>(self.checksum.val()) << 64)
            | (bit_cast::<160, 32>(self.ipv4.val()) << 32)
            | bit_cast::<160, 32>(self.s4_peer.q.val().address.get_bits::<32>(0));
        self.v6.next = (bit_cast::<320, 4>(bits::<4>(6)) << 316)
            | (bit_cast::<320, 8>(self.s4_tos.q.val()) << 308)
            | (bit_cast::<320, 16>(self.total.val()) << 272)
            | (bit_cast::<320, 8>(bits::<8>(17)) << 264)
            | (bit_cast::<320, 8>(self.hop_limit.val()) << 256)
            | (bit_cast::<320, 128>(self.ipv6.val()) << 128)
            | bit_cast::<320, 128>(self.s4_peer.q.val().address);
        self.datagram.next =
            (bit_cast::<1280, 320>(self.v6.val()) << 960) | bit_cast::<1280, 960>(self.s4_bytes.q.val());
        self.kind.next = 0x86DD.into();
        if !self.s4_peer.q.val().v6 {
            self.datagram.next = (bit_cast::<1280, 160>(self.v4.val()) << 1120)
                | (bit_cast::<1280, 960>(self.s4_bytes.q.val()) << 160);
            self.kind.next = 0x0800.into();
        }
        self.macs.next =
            (bit_cast::<96, 48>(self.s4_peer.q.val().mac) << 48) | bit_cast::<96, 48>(self.mac.val());
        self.whole.next = if self.s4_peer.q.val().tagged {
            (bit_cast::<1472, 96>(self.macs.val()) << 1376)
                | (bit_cast::<1472, 16>(bits::<16>(0x8100)) << 1360)
                | (bit_cast::<1472, 16>(self.s4_peer.q.val().tag) << 1344)
                | (bit_cast::<1472, 16>(self.kind.val()) << 1328)
                | (bit_cast::<1472, 1280>(self.datagram.val()) << 48)
        } else {
            (bit_cast::<1472, 96>(self.macs.val()) << 1376)
                | (bit_cast::<1472, 16>(self.kind.val()) << 1360)
                | (bit_cast::<1472, 1280>(self.datagram.val()) << 80)
        };
        enable!(run_low.q);
        self.s5_low.pipe = self.whole.val().get_bits::<736>(0);
        enable!(run_high.q);
        self.s5_high.pipe = self.whole.val().get_bits::<736>(736);
        self.reverse.number.next =
            (bit_cast::<1472, 736>(self.s5_high.q.val()) << 736) | bit_cast::<1472, 736>(self.s5_low.q.val());
        wire!(self.* <- self.reverse.*: low, mid, high);
    }
}
