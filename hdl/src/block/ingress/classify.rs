//! `weft_ingress_classify`: the kind of a frame, from its headers, and whether the headers contradict each
//! other.

use super::words::Class;
use crate::prelude::*;

/// UDP destination port of RoCEv2.
const PORT: u64 = 4791;
/// Opcodes.
const ACKNOWLEDGE: u64 = 0x11;
const PROBE: u64 = 0xDE;

/// Stages 4 to 6: the kind of a frame, from its headers, and whether the headers contradict each other. The
/// headers are in stage 3.
#[derive(LogicBlock, BlockDefault)]
pub struct Classify {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// EtherType of IPv4.
    pub v4: Signal<In, Bit>,
    /// EtherType of IPv6.
    pub v6: Signal<In, Bit>,
    /// From the IP header on, the first byte highest.
    pub ip: Signal<In, Bits<512>>,
    /// From the UDP header on, the first byte highest.
    pub head: Signal<In, Bits<512>>,
    /// Valid bytes of `head`.
    pub head_keep: Signal<In, Bits<48>>,
    /// The MAC calls the frame bad.
    pub bad: Signal<In, Bit>,
    /// Stage 5: the frame ends before its datagram.
    pub cut: Signal<In, Bit>,
    /// CSR: own IPv4 address.
    pub ipv4: Signal<In, Bits<32>>,
    /// CSR: own IPv6 address.
    pub ipv6: Signal<In, Bits<128>>,
    /// CSR: DSCP of trimmed packets.
    pub dscp_trimmed: Signal<In, Bits<6>>,
    /// CSR: DSCP of packets trimmed at the last hop.
    pub dscp_trimmed_last_hop: Signal<In, Bits<6>>,
    /// Stage 5: the frame is for other software.
    pub foreign: Signal<Out, Bit>,
    /// Stage 6.
    pub kind: Signal<Out, Class>,

    #[new(PORT.to_bits())]
    port: Constant<Bits<16>>,
    #[new(ACKNOWLEDGE.to_bits())]
    acknowledge: Constant<Bits<8>>,
    #[new(PROBE.to_bits())]
    probe: Constant<Bits<8>>,
    s4_v4: Pipe<Bit>,
    s4_v6: Pipe<Bit>,
    s4_to_v4: Pipe<Bit>,
    s4_to_high: Pipe<Bit>,
    s4_to_low: Pipe<Bit>,
    carried: Signal<Local, Bits<17>>,
    dscp: Signal<Local, Bits<6>>,
    s4_carried: Pipe<Bits<17>>,
    s4_marked: Pipe<Bit>,
    opcode: Signal<Local, Bits<8>>,
    udp: Signal<Local, Bits<16>>,
    s4_port: Pipe<Bit>,
    s4_whole: Pipe<Bit>,
    s4_data: Pipe<Bit>,
    s4_immediate: Pipe<Bit>,
    s4_ack: Pipe<Bit>,
    s4_nack: Pipe<Bit>,
    s4_probe: Pipe<Bit>,
    s4_odd_probe: Pipe<Bit>,
    s4_udp: Pipe<Bits<16>>,
    s4_version: Pipe<Bit>,
    s4_bad: Pipe<Bit>,
    length: Signal<Local, Bits<32>>,
    pad: Signal<Local, Bits<2>>,
    padded: Signal<Local, Bits<15>>,
    s4_long: Pipe<Bit>,
    s4_padded: Pipe<Bits<13>>,
    s5_ours: Pipe<Bit>,
    s5_data: Pipe<Bit>,
    s5_trimmed: Pipe<Bit>,
    s5_ack: Pipe<Bit>,
    s5_nack: Pipe<Bit>,
    s5_probe: Pipe<Bit>,
    s5_bad: Pipe<Bit>,
    s5_version: Pipe<Bit>,
    s5_odd_probe: Pipe<Bit>,
    s5_long: Pipe<Bit>,
    s5_short: Pipe<Bit>,
    s5_uneven: Pipe<Bit>,
    header: Signal<Local, Bits<16>>,
    s5_needed: Pipe<Bits<16>>,
    s5_udp: Pipe<Bits<16>>,
    lengths: Signal<Local, Bit>,
    made: Signal<Local, Class>,
    s6: Pipe<Class>,
}
impl Logic for Classify {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        // Stage 4, IP: version, header length, fragment, protocol; the destination in parts.
        self.s4_v4.pipe = self.v4.val()
            & (self.ip.val().get_bits::<8>(504) == 0x45)
            & !self.ip.val().get_bits::<14>(448).any()
            & (self.ip.val().get_bits::<8>(432) == 17);
        self.s4_v6.pipe = self.v6.val()
            & (self.ip.val().get_bits::<4>(508) == 6)
            & (self.ip.val().get_bits::<8>(456) == 17);
        self.s4_to_v4.pipe = self.ip.val().get_bits::<32>(352) == self.ipv4.val();
        self.s4_to_high.pipe = self.ip.val().get_bits::<64>(256) == self.ipv6.val().get_bits::<64>(64);
        self.s4_to_low.pipe = self.ip.val().get_bits::<64>(192) == self.ipv6.val().get_bits::<64>(0);
        self.carried.next = bit_cast::<17, 16>(self.ip.val().get_bits::<16>(480)) - 20;
        self.dscp.next = self.ip.val().get_bits::<6>(498);
        if self.v6.val() {
            self.carried.next = bit_cast::<17, 16>(self.ip.val().get_bits::<16>(464));
            self.dscp.next = self.ip.val().get_bits::<6>(502);
        }
        // Bytes of IP payload; an IPv4 header that leaves less than none makes it huge.
        self.s4_carried.pipe = self.carried.val();
        self.s4_marked.pipe = (self.dscp.val() == self.dscp_trimmed.val())
            | (self.dscp.val() == self.dscp_trimmed_last_hop.val());

        // Stage 4, UDP and BTH.
        self.opcode.next = field!(self.head.val(), Data.Bth.opcode in 0..64);
        self.udp.next = field!(self.head.val(), Data.Udp.length in 0..64);
        self.s4_port.pipe = field!(self.head.val(), Data.Udp.destination_port in 0..64) == self.port.val();
        self.s4_whole.pipe = self.head_keep.val().get_bit(19);
        self.s4_data.pipe =
            (self.opcode.val().get_bits::<7>(1) == 5) & field!(self.head.val(), Data.Bth.sprayed in 0..64);
        self.s4_immediate.pipe = self.opcode.val().get_bit(0);
        self.s4_ack.pipe = (self.opcode.val() == self.acknowledge.val())
            & ((self.udp.val() == 48)
                | (self.udp.val() == 64)
                | (self.udp.val() == 88)
                | (self.udp.val() == 124));
        self.s4_nack.pipe = self.udp.val() == 48;
        self.s4_probe.pipe = self.opcode.val() == self.probe.val();
        self.s4_odd_probe.pipe = (self.opcode.val() == self.probe.val()) & (self.udp.val() != 40);
        self.s4_udp.pipe = self.udp.val();
        self.s4_version.pipe = field!(self.head.val(), Data.Bth.transport_version in 0..64).any();
        self.s4_bad.pipe = self.bad.val();

        // Stage 4, of data: the payload, its padding to 4 bytes.
        self.length.next = field!(self.head.val(), Data.Reth.dma_length in 0..64);
        self.pad.next =
            field!(self.head.val(), Data.Bth.pad_count in 0..64) + self.length.val().get_bits::<2>(0);
        self.padded.next = self.length.val().get_bits::<15>(0) + 3;
        self.s4_long.pipe = self.length.val().get_bits::<18>(14).any()
            | (self.length.val().get_bit(13) & self.length.val().get_bits::<13>(0).any())
            | self.pad.val().any();
        self.s4_padded.pipe = self.padded.val().get_bits::<13>(2);

        // Stage 5.
        self.s5_ours.pipe = ((self.s4_v4.q.val() & self.s4_to_v4.q.val())
            | (self.s4_v6.q.val() & self.s4_to_high.q.val() & self.s4_to_low.q.val()))
            & self.s4_port.q.val()
            & self.s4_whole.q.val()
            & (self.s4_data.q.val() | self.s4_ack.q.val() | self.s4_probe.q.val());
        self.foreign.next = !self.s5_ours.q.val();
        self.s5_data.pipe = self.s4_data.q.val();
        self.s5_trimmed.pipe = self.s4_data.q.val() & self.s4_marked.q.val();
        self.s5_ack.pipe = self.s4_ack.q.val();
        self.s5_nack.pipe = self.s4_nack.q.val();
        self.s5_probe.pipe = self.s4_probe.q.val();
        self.s5_bad.pipe = self.s4_bad.q.val();
        self.s5_version.pipe = self.s4_version.q.val();
        self.s5_odd_probe.pipe = self.s4_odd_probe.q.val();
        self.s5_long.pipe = self.s4_long.q.val();
        // No space for UDP and BTH; IP and UDP differ.
        self.s5_short.pipe =
            self.s4_carried.q.val().get_bit(16) | (self.s4_carried.q.val() < 20) | (self.s4_udp.q.val() < 20);
        self.s5_uneven.pipe = self.s4_carried.q.val() != bit_cast::<17, 16>(self.s4_udp.q.val());
        self.header.next = if self.s4_immediate.q.val() { 52.into() } else { 48.into() };
        self.s5_needed.pipe = (bit_cast::<16, 13>(self.s4_padded.q.val()) << 2) + self.header.val();
        self.s5_udp.pipe = self.s4_udp.q.val();

        // Stage 6. In trimmed packets only UDP and BTH count.
        self.lengths.next = if self.s5_trimmed.q.val() {
            self.s5_short.q.val()
        } else {
            self.s5_uneven.q.val()
                | self.cut.val()
                | self.s5_odd_probe.q.val()
                | (self.s5_data.q.val()
                    & (self.s5_long.q.val() | (self.s5_needed.q.val() != self.s5_udp.q.val())))
        };
        self.made.next.ours = self.s5_ours.q.val();
        self.made.next.data = self.s5_data.q.val();
        self.made.next.trimmed = self.s5_trimmed.q.val();
        self.made.next.probe = self.s5_probe.q.val();
        self.made.next.ack = self.s5_ack.q.val();
        self.made.next.nack = self.s5_ack.q.val() & self.s5_nack.q.val();
        self.made.next.bad = self.s5_bad.q.val();
        self.made.next.malformed = self.s5_version.q.val() | self.lengths.val();
        self.s6.pipe = self.made.val();
        self.kind.next = self.s6.q.val();
    }
}
