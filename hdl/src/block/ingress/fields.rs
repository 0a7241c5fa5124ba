//! `weft_ingress_fields`: the words for receiver and sender, from a frame's headers.

use crate::part::far::Far;
use crate::prelude::*;
use crate::word::{Acknowledgement, Arrival};

/// Bits of an acknowledgement that have no space in place of a word of payload.
pub(super) const REST: usize = Acknowledgement::BITS - 512;

/// Stages 4 and 5: the words for receiver and sender, from a frame's headers, which are in stage 3. For
/// frames of other software the words are meaningless.
///
/// # Parameters
///
/// `S` bits of a PSN of the window, `N = S + 1`; `E` 1 with a window above 256 PSNs, else 0.
#[derive(LogicBlock, BlockDefault)]
pub struct Fields<const S: usize, const N: usize, const E: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// The frame is of IPv6.
    pub v6: Signal<In, Bit>,
    /// From the IP header on, the first byte highest.
    pub ip: Signal<In, Bits<512>>,
    /// From the UDP header on, the first byte highest.
    pub head: Signal<In, Bits<512>>,
    /// Valid bytes of `head`.
    pub head_keep: Signal<In, Bits<48>>,
    /// The 56 bytes behind, the first byte highest.
    pub tail: Signal<In, Bits<448>>,
    /// CSR: DSCP of trimmed packets.
    pub dscp_trimmed: Signal<In, Bits<6>>,
    /// CSR: DSCP of packets trimmed at the last hop.
    pub dscp_trimmed_last_hop: Signal<In, Bits<6>>,
    /// Stage 5: an arrival, packed.
    pub arrival: Signal<Out, Bits<{ Arrival::BITS }>>,
    /// Stage 3: the frame is a data packet, if it is for this NIC.
    pub is_data: Signal<Out, Bit>,
    /// Stage 4: bits 80:49, 304:113 and 633:346 of a packed acknowledgement; 0 for a data packet.
    /// These bits use the place of a word of payload. The other bits follow one stage later.
    pub beside: Signal<Out, Bits<512>>,
    /// Stage 5: the other bits.
    pub acknowledgement: Signal<Out, Bits<REST>>,

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
    far: [Far<S, N>; E],
    understood: [Signal<Local, Bit>; E],
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
    s5_arrival: Pipe<Bits<{ Arrival::BITS }>>,
    narrow: Signal<Local, Bits<64>>,
    wide: Signal<Local, Bits<192>>,
    echoed: Signal<Local, Bits<16>>,
    reason: Signal<Local, Bits<8>>,
    marked: Signal<Local, Bit>,
    list: Signal<Local, Bits<288>>,
    evs: [Signal<Local, Bits<256>>; 17],
    whole: Signal<Local, Bits<{ Acknowledgement::BITS }>>,
    s5_acknowledgement: Pipe<Bits<REST>>,
}

impl<const S: usize, const N: usize, const E: usize> Logic for Fields<S, N, E> {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        // Stage 4: how much of a data packet's headers is there, by frame, IP and UDP; a trimmed one may end anywhere.
        self.total.next = self.ip.val().get_bits::<16>(480);
        self.behind.next = self.ip.val().get_bits::<16>(464);
        self.udp.next = field!(self.head.val(), Data.Udp.length in 0..64);
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
        self.data.next = field!(self.head.val(), Data.Bth.opcode in 0..64).get_bits::<7>(1) == 5;
        self.is_data.next = self.data.val();
        self.late.next = field!(self.head.val(), Data.Bth.opcode in 0..64).get_bit(0);
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
        self.psn.next = field!(self.head.val(), Ack.Seth.cack_psn in 0..64);
        self.answered.next = if field!(self.head.val(), Ack.Seth.ack_psn_offset in 0..64).get_bit(15) {
            bit_cast::<24, 16>(field!(self.head.val(), Ack.Seth.ack_psn_offset in 0..64)) | 0xFF_0000
        } else {
            bit_cast::<24, 16>(field!(self.head.val(), Ack.Seth.ack_psn_offset in 0..64))
        };
        self.s4_expected.pipe = self.psn.val() + 1;
        self.s4_trigger.pipe = self.psn.val() + self.answered.val();
        if self.nack.val() {
            self.s4_expected.d.next = self.psn.val();
            self.s4_trigger.d.next = self.psn.val();
        }
        self.s4_nack.pipe = self.nack.val();
        self.s4_narrow.pipe = !self.data.val()
            & !self.nack.val()
            & (field!(self.head.val(), Ack.Seth.sack_offset in 0..64) == 1);
        self.s4_lists.pipe = !self.data.val() & (self.udp.val() == 124);
        self.s4_wide.pipe = !self.data.val()
            & ((self.udp.val() == 88) | (self.udp.val() == 124))
            & (field!(self.head.val(), Ack.Seth.sack_offset in 0..64) == 1);
        for e in 0..E {
            // The bitmap of a PSN that is far ends with that PSN.
            self.far[e].psn.next = self.answered.val();
            self.far[e].expected.next = 1.into();
            self.understood[e].next =
                field!(self.head.val(), Ack.Seth.sack_offset in 0..64) == self.far[e].offset.val() + 1;
            self.s4_narrow.d.next = !self.data.val() & !self.nack.val() & self.understood[e].val();
            self.s4_wide.d.next = !self.data.val()
                & ((self.udp.val() == 88) | (self.udp.val() == 124))
                & self.understood[e].val();
        }

        // Stage 5, data: absent fields are 0.
        self.kind.next = 2.into();
        self.address.next = 0.into();
        self.key.next = 0.into();
        self.bytes.next = 0.into();
        self.immediate.next = 0.into();
        // A probe has its time stamp elsewhere.
        self.stamp.next = field!(self.s4_head.q.val(), Probe.Peth.tx_timestamp in 0..64);
        self.message.next = 0.into();
        if self.s4_data.q.val() {
            self.kind.next = bit_cast::<2, 1>(self.s4_trimmed.q.val().into());
            self.stamp.next = 0.into();
        }
        if self.s4_ip36.q.val() & self.s4_upto36.q.val() {
            self.address.next = field!(self.s4_head.q.val(), Data.Reth.va in 0..64);
            self.key.next = field!(self.s4_head.q.val(), Data.Reth.r_key in 0..64);
        }
        if self.s4_data.q.val() & !self.s4_trimmed.q.val() {
            self.bytes.next = field!(self.s4_head.q.val(), Data.Reth.dma_length in 0..64).get_bits::<14>(0);
        }
        if self.s4_ip40.q.val() & self.s4_upto40.q.val() {
            self.immediate.next = field!(self.s4_head.q.val(), Last.ImmDt.data in 0..64);
        }
        if self.s4_ip44.q.val() & self.s4_upto44.q.val() {
            self.stamp.next = field!(self.s4_head.q.val(), Data.Xeth.tx_timestamp in 0..64);
            self.message.next = field!(self.s4_head.q.val(), Data.Xeth.msn in 0..64);
        }
        if self.s4_ip48.q.val() & self.s4_upto48.q.val() {
            self.stamp.next = field!(self.s4_head.q.val(), Last.Xeth.tx_timestamp in 0..64);
            self.message.next = field!(self.s4_head.q.val(), Last.Xeth.msn in 0..64);
        }
        self.s5_arrival.pipe = pack!(Arrival {
            kind: self.kind.val(),
            psn: field!(self.s4_head.q.val(), Data.Bth.psn in 0..64),
            ce: self.s4_ce.q.val(),
            request: field!(self.s4_head.q.val(), Data.Bth.ack_request in 0..64),
            last: self.s4_data.q.val() & self.s4_late.q.val(),
            solicited: field!(self.s4_head.q.val(), Data.Bth.solicited_event in 0..64),
            last_hop: self.s4_last_hop.q.val(),
            ev: field!(self.s4_head.q.val(), Data.Udp.source_port in 0..64),
            stamp: self.stamp.val(),
            address: self.address.val(),
            key: self.key.val(),
            bytes: self.bytes.val(),
            immediate: self.immediate.val(),
            message: self.message.val(),
        });
        self.arrival.next = self.s5_arrival.q.val();

        // Stage 5, ACK or NACK: bitmap bits 63..0, then 127..64, 191..128 and 255..192.
        self.narrow.next = 0.into();
        self.wide.next = 0.into();
        if self.s4_narrow.q.val() {
            self.narrow.next = field!(self.s4_head.q.val(), Ack.Seth.bitmap in 0..64);
        }
        if self.s4_wide.q.val() {
            self.wide.next = (bit_cast::<192, 32>(self.s4_head.q.val().get_bits::<32>(0)) << 160)
                | bit_cast::<192, 160>(self.s4_tail.q.val().get_bits::<160>(288));
        }
        self.echoed.next = field!(self.s4_head.q.val(), Ack.CcState.tx_timestamp in 0..64);
        self.reason.next = 0.into();
        if self.s4_nack.q.val() {
            self.echoed.next = field!(self.s4_head.q.val(), Nack.Neth.tx_timestamp in 0..64);
            self.reason.next = field!(self.s4_head.q.val(), Nack.Neth.reason in 0..64);
        }
        self.marked.next = field!(self.s4_head.q.val(), Ack.Seth.m in 0..64).any();
        // Its list: places, marks, and the entropy values, of which the first is the highest here.
        self.list.next = 0.into();
        if self.s4_lists.q.val() {
            self.list.next = field!(self.s4_tail.q.val(), Ack.Evx in 64..120);
        }
        self.evs[0].next = 0.into();
        for i in 0..16 {
            self.evs[i + 1].next =
                (self.evs[i].val() << 16) | (self.list.val().get_bits::<256>(16 * i) & 0xFFFF);
        }
        self.whole.next = pack!(Acknowledgement {
            nack: self.s4_nack.q.val(),
            expected: self.s4_expected.q.val(),
            trigger: self.s4_trigger.q.val(),
            bitmap: [
                self.narrow.val(),
                self.wide.val().get_bits::<64>(128),
                self.wide.val().get_bits::<64>(64),
                self.wide.val().get_bits::<64>(0),
            ],
            ce: self.marked.val(),
            ev: field!(self.s4_head.q.val(), Ack.Seth.echoed_ev in 0..64).get_bits::<16>(0),
            stamp: self.echoed.val(),
            reason: self.reason.val(),
            there: field!(self.list.val(), Ack.Evx.there in 84..120),
            marked: field!(self.list.val(), Ack.Evx.marked in 84..120),
            evs: self.evs[16].val(),
        });
        self.beside.next = bit_cast::<512, 32>(self.whole.val().get_bits::<32>(49))
            | (bit_cast::<512, 192>(self.whole.val().get_bits::<192>(113)) << 32)
            | (bit_cast::<512, 288>(field!(self.whole.val(), Acknowledgement.there..=evs)) << 224);
        self.s5_acknowledgement.pipe =
            bit_cast::<REST, 49>(field!(self.whole.val(), Acknowledgement.nack..=trigger))
                | (bit_cast::<REST, 32>(self.whole.val().get_bits::<32>(81)) << 49)
                | (bit_cast::<REST, 41>(field!(self.whole.val(), Acknowledgement.ce..=reason)) << 81);
        self.acknowledgement.next = self.s5_acknowledgement.q.val();
    }
}
