//! `weft_ingress_fields`: the words for receiver and sender, from a frame's headers.

use crate::prelude::*;

/// Stages 4 and 5: the words for receiver and sender, from a frame's headers, which are in stage 3. For
/// frames of others the words are meaningless.
#[derive(LogicBlock, Default)]
pub struct Fields {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// The frame is of IPv6.
    pub v6: Signal<In, Bit>,
    /// From the IP header on, the first byte highest.
    pub ip: Signal<In, Bits<512>>,
    /// From the UDP header on, the first byte highest.
    pub head: Signal<In, Bits<512>>,
    /// Which of its bytes the frame has.
    pub head_keep: Signal<In, Bits<48>>,
    /// The 56 bytes behind, the first byte highest.
    pub tail: Signal<In, Bits<448>>,
    /// CSR: DSCP of trimmed packets.
    pub dscp_trimmed: Signal<In, Bits<6>>,
    /// CSR: DSCP of packets trimmed at the last hop.
    pub dscp_trimmed_last_hop: Signal<In, Bits<6>>,
    /// Stage 5: an arrival, packed.
    pub arrival: Signal<Out, Bits<221>>,
    /// Stage 3: the frame is a data packet, if it is ours.
    pub is_data: Signal<Out, Bit>,
    /// Stage 4: of an acknowledgement, packed, bits 48:0, 112:81 and 345:305 in one stage more; here 80:49, 304:113
    /// and 633:346, which lie in the place of a word of payload. Zeros of a data packet.
    pub beside: Signal<Out, Bits<512>>,
    /// Stage 5: the others.
    pub acknowledgement: Signal<Out, Bits<122>>,

    total: Signal<Local, Bits<16>>,
    behind: Signal<Local, Bits<16>>,
    udp: Signal<Local, Bits<16>>,
    ip36: Signal<Local, Bit>,
    ip40: Signal<Local, Bit>,
    ip44: Signal<Local, Bit>,
    ip48: Signal<Local, Bit>,
    dscp: Signal<Local, Bits<6>>,
    ecn: Signal<Local, Bits<2>>,
    data: Signal<Local, Bit>,
    late: Signal<Local, Bit>,
    s4_data: Pipe<Bit>,
    s4_late: Pipe<Bit>,
    s4_ip36: Pipe<Bit>,
    s4_ip40: Pipe<Bit>,
    s4_ip44: Pipe<Bit>,
    s4_ip48: Pipe<Bit>,
    s4_upto36: Pipe<Bit>,
    s4_upto40: Pipe<Bit>,
    s4_upto44: Pipe<Bit>,
    s4_upto48: Pipe<Bit>,
    s4_ce: Pipe<Bit>,
    s4_last_hop: Pipe<Bit>,
    s4_trimmed: Pipe<Bit>,
    s4_head: Pipe<Bits<512>>,
    s4_tail: Pipe<Bits<448>>,
    nack: Signal<Local, Bit>,
    psn: Signal<Local, Bits<24>>,
    answered: Signal<Local, Bits<24>>,
    s4_expected: Pipe<Bits<24>>,
    s4_trigger: Pipe<Bits<24>>,
    s4_nack: Pipe<Bit>,
    s4_narrow: Pipe<Bit>,
    s4_wide: Pipe<Bit>,
    s4_lists: Pipe<Bit>,
    kind: Signal<Local, Bits<2>>,
    address: Signal<Local, Bits<64>>,
    key: Signal<Local, Bits<32>>,
    bytes: Signal<Local, Bits<14>>,
    immediate: Signal<Local, Bits<32>>,
    stamp: Signal<Local, Bits<16>>,
    message: Signal<Local, Bits<16>>,
    s5_arrival: Pipe<Bits<221>>,
    narrow: Signal<Local, Bits<64>>,
    wide: Signal<Local, Bits<192>>,
    echoed: Signal<Local, Bits<16>>,
    reason: Signal<Local, Bits<8>>,
    marked: Signal<Local, Bit>,
    list: Signal<Local, Bits<288>>,
    evs: [Signal<Local, Bits<256>>; 17],
    whole: Signal<Local, Bits<634>>,
    s5_acknowledgement: Pipe<Bits<122>>,
}

impl Logic for Fields {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        // Stage 4: how much of a data packet's headers is there, by frame, IP and UDP; a trimmed one may end anywhere.
        self.total.next = self.ip.val().get_bits::<16>(480);
        self.behind.next = self.ip.val().get_bits::<16>(464);
        self.udp.next = self.head.val().get_bits::<16>(464);
        self.ip36.next =
            (self.v6.val() & (self.behind.val() >= 36)) | (!self.v6.val() & (self.total.val() >= 56));
        self.ip40.next =
            (self.v6.val() & (self.behind.val() >= 40)) | (!self.v6.val() & (self.total.val() >= 60));
        self.ip44.next =
            (self.v6.val() & (self.behind.val() >= 44)) | (!self.v6.val() & (self.total.val() >= 64));
        self.ip48.next =
            (self.v6.val() & (self.behind.val() >= 48)) | (!self.v6.val() & (self.total.val() >= 68));
        self.s4_ip36.pipe = self.ip36.val();
        self.s4_ip40.pipe = self.ip40.val();
        self.s4_ip44.pipe = self.ip44.val();
        self.s4_ip48.pipe = self.ip48.val();
        self.dscp.next = self.ip.val().get_bits::<6>(498);
        self.ecn.next = self.ip.val().get_bits::<2>(496);
        if self.v6.val() {
            self.dscp.next = self.ip.val().get_bits::<6>(502);
            self.ecn.next = self.ip.val().get_bits::<2>(500);
        }
        self.data.next = self.head.val().get_bits::<8>(440).get_bits::<7>(1) == 5;
        self.is_data.next = self.data.val();
        self.late.next = self.head.val().get_bits::<8>(440).get_bit(0);
        self.s4_data.pipe = self.data.val();
        self.s4_late.pipe = self.late.val();
        self.s4_upto36.pipe = self.data.val() & (self.udp.val() >= 36) & self.head_keep.val().get_bit(35);
        self.s4_upto40.pipe =
            self.data.val() & self.late.val() & (self.udp.val() >= 40) & self.head_keep.val().get_bit(39);
        self.s4_upto44.pipe =
            self.data.val() & !self.late.val() & (self.udp.val() >= 44) & self.head_keep.val().get_bit(43);
        self.s4_upto48.pipe =
            self.data.val() & self.late.val() & (self.udp.val() >= 48) & self.head_keep.val().get_bit(47);
        self.s4_ce.pipe = self.ecn.val() == 3;
        self.s4_last_hop.pipe = self.data.val() & (self.dscp.val() == self.dscp_trimmed_last_hop.val());
        self.s4_trimmed.pipe = self.data.val()
            & ((self.dscp.val() == self.dscp_trimmed_last_hop.val())
                | (self.dscp.val() == self.dscp_trimmed.val()));
        self.s4_head.pipe = self.head.val();
        self.s4_tail.pipe = self.tail.val();

        // Stage 4, ACK or NACK: the PSNs; whether the bitmap is understood.
        self.nack.next = self.udp.val() == 48;
        self.psn.next = self.head.val().get_bits::<24>(192);
        self.answered.next = if self.head.val().get_bits::<8>(296).get_bit(7) {
            bit_cast::<24, 16>(self.head.val().get_bits::<16>(288)) | 0xFF_0000
        } else {
            bit_cast::<24, 16>(self.head.val().get_bits::<16>(288))
        };
        self.s4_expected.pipe = self.psn.val() + 1;
        self.s4_trigger.pipe = self.psn.val() + self.answered.val();
        if self.nack.val() {
            self.s4_expected.d.next = self.psn.val();
            self.s4_trigger.d.next = self.psn.val();
        }
        self.s4_nack.pipe = self.nack.val();
        self.s4_narrow.pipe =
            !self.data.val() & !self.nack.val() & (self.head.val().get_bits::<16>(160) == 1);
        self.s4_lists.pipe = !self.data.val() & (self.udp.val() == 124);
        self.s4_wide.pipe = !self.data.val()
            & ((self.udp.val() == 88) | (self.udp.val() == 124))
            & (self.head.val().get_bits::<16>(160) == 1);

        // Stage 5, data: absent fields are 0.
        self.kind.next = 2.into();
        self.address.next = 0.into();
        self.key.next = 0.into();
        self.bytes.next = 0.into();
        self.immediate.next = 0.into();
        // A probe has its time stamp elsewhere.
        self.stamp.next = self.s4_head.q.val().get_bits::<16>(240);
        self.message.next = 0.into();
        if self.s4_data.q.val() {
            self.kind.next = bit_cast::<2, 1>(self.s4_trimmed.q.val().into());
            self.stamp.next = 0.into();
        }
        if self.s4_ip36.q.val() & self.s4_upto36.q.val() {
            self.address.next = self.s4_head.q.val().get_bits::<64>(288);
            self.key.next = self.s4_head.q.val().get_bits::<32>(256);
        }
        if self.s4_data.q.val() & !self.s4_trimmed.q.val() {
            self.bytes.next = self.s4_head.q.val().get_bits::<16>(224).get_bits::<14>(0);
        }
        if self.s4_ip40.q.val() & self.s4_upto40.q.val() {
            self.immediate.next = self.s4_head.q.val().get_bits::<32>(192);
        }
        if self.s4_ip44.q.val() & self.s4_upto44.q.val() {
            self.stamp.next = self.s4_head.q.val().get_bits::<16>(208);
            self.message.next = self.s4_head.q.val().get_bits::<16>(160);
        }
        if self.s4_ip48.q.val() & self.s4_upto48.q.val() {
            self.stamp.next = self.s4_head.q.val().get_bits::<16>(176);
            self.message.next = self.s4_head.q.val().get_bits::<16>(128);
        }
        self.s5_arrival.pipe = bit_cast::<221, 2>(self.kind.val())
            | (bit_cast::<221, 24>(self.s4_head.q.val().get_bits::<24>(352)) << 2)
            | (bit_cast::<221, 1>(self.s4_ce.q.val().into()) << 26)
            | (bit_cast::<221, 1>(self.s4_head.q.val().get_bits::<8>(376).get_bits::<1>(7)) << 27)
            | (bit_cast::<221, 1>((self.s4_data.q.val() & self.s4_late.q.val()).into()) << 28)
            | (bit_cast::<221, 1>(self.s4_head.q.val().get_bits::<8>(432).get_bits::<1>(7)) << 29)
            | (bit_cast::<221, 1>(self.s4_last_hop.q.val().into()) << 30)
            | (bit_cast::<221, 16>(self.s4_head.q.val().get_bits::<16>(496)) << 31)
            | (bit_cast::<221, 16>(self.stamp.val()) << 47)
            | (bit_cast::<221, 64>(self.address.val()) << 63)
            | (bit_cast::<221, 32>(self.key.val()) << 127)
            | (bit_cast::<221, 14>(self.bytes.val()) << 159)
            | (bit_cast::<221, 32>(self.immediate.val()) << 173)
            | (bit_cast::<221, 16>(self.message.val()) << 205);
        self.arrival.next = self.s5_arrival.q.val();

        // Stage 5, ACK or NACK: bitmap bits 63..0, then 127..64, 191..128 and 255..192.
        self.narrow.next = 0.into();
        self.wide.next = 0.into();
        if self.s4_narrow.q.val() {
            self.narrow.next = self.s4_head.q.val().get_bits::<64>(96);
        }
        if self.s4_wide.q.val() {
            self.wide.next = (bit_cast::<192, 32>(self.s4_head.q.val().get_bits::<32>(0)) << 160)
                | bit_cast::<192, 160>(self.s4_tail.q.val().get_bits::<160>(288));
        }
        self.echoed.next = self.s4_head.q.val().get_bits::<16>(80);
        self.reason.next = 0.into();
        if self.s4_nack.q.val() {
            self.echoed.next = self.s4_head.q.val().get_bits::<16>(160);
            self.reason.next = self.s4_head.q.val().get_bits::<8>(296);
        }
        self.marked.next = self.s4_head.q.val().get_bits::<8>(304).get_bits::<2>(5).any();
        // Its list: places, marks, and the entropy values, of which the first is the highest here.
        self.list.next = 0.into();
        if self.s4_lists.q.val() {
            self.list.next = self.s4_tail.q.val().get_bits::<288>(0);
        }
        self.evs[0].next = 0.into();
        for i in 0..16 {
            self.evs[i + 1].next =
                (self.evs[i].val() << 16) | (self.list.val().get_bits::<256>(16 * i) & 0xFFFF);
        }
        self.whole.next = bit_cast::<634, 1>(self.s4_nack.q.val().into())
            | (bit_cast::<634, 24>(self.s4_expected.q.val()) << 1)
            | (bit_cast::<634, 24>(self.s4_trigger.q.val()) << 25)
            | (bit_cast::<634, 64>(self.narrow.val()) << 49)
            | (bit_cast::<634, 64>(self.wide.val().get_bits::<64>(128)) << 113)
            | (bit_cast::<634, 64>(self.wide.val().get_bits::<64>(64)) << 177)
            | (bit_cast::<634, 64>(self.wide.val().get_bits::<64>(0)) << 241)
            | (bit_cast::<634, 1>(self.marked.val().into()) << 305)
            | (bit_cast::<634, 16>(self.s4_head.q.val().get_bits::<16>(256)) << 306)
            | (bit_cast::<634, 16>(self.echoed.val()) << 322)
            | (bit_cast::<634, 8>(self.reason.val()) << 338)
            | (bit_cast::<634, 16>(self.list.val().get_bits::<16>(272)) << 346)
            | (bit_cast::<634, 16>(self.list.val().get_bits::<16>(256)) << 362)
            | (bit_cast::<634, 256>(self.evs[16].val()) << 378);
        self.beside.next = bit_cast::<512, 32>(self.whole.val().get_bits::<32>(49))
            | (bit_cast::<512, 192>(self.whole.val().get_bits::<192>(113)) << 32)
            | (bit_cast::<512, 288>(self.whole.val().get_bits::<288>(346)) << 224);
        self.s5_acknowledgement.pipe = bit_cast::<122, 49>(self.whole.val().get_bits::<49>(0))
            | (bit_cast::<122, 32>(self.whole.val().get_bits::<32>(81)) << 49)
            | (bit_cast::<122, 41>(self.whole.val().get_bits::<41>(305)) << 81);
        self.acknowledgement.next = self.s5_acknowledgement.q.val();
    }
}
