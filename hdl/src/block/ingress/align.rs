//! `weft_ingress_align`: frames unchanged, and again from their UDP header on; headers held for the whole frame.

use super::words::Beat;
use crate::prelude::*;

/// EtherTypes, in the order of the bus.
const VLAN: u64 = 0x0081;
const IPV4: u64 = 0x0008;
const IPV6: u64 = 0xDD86;

/// Passes frames on unchanged, and again from their UDP header on, with the headers stable for the whole
/// frame. A word leaves stage 2 when the next word of its frame has arrived, or when it is the last word. The
/// outputs are registers (stage 3).
#[derive(LogicBlock, BlockDefault)]
pub struct Align {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset: the next word begins a frame.
    pub rst: Signal<In, Bit>,
    /// A word arrives.
    pub net_valid: Signal<In, Bit>,
    /// The word.
    pub net: Signal<In, Beat>,
    /// A word leaves.
    pub live: Signal<Out, Bit>,
    /// First word of its frame.
    pub first: Signal<Out, Bit>,
    /// Second word of its frame.
    pub second: Signal<Out, Bit>,
    /// The word.
    pub beat: Signal<Out, Beat>,
    /// Bytes from the word's first to the datagram's end; 0 behind the end.
    pub left: Signal<Out, Bits<17>>,
    /// 64 bytes from the UDP header on, from the word and the next word.
    pub part: Signal<Out, Bits<512>>,
    /// The frame has a VLAN tag.
    /// This output and all outputs below hold until the next frame's first word leaves.
    pub vlan: Signal<Out, Bit>,
    /// VLAN of the frame: the low 12 bits of its tag; 0 without one.
    pub vlan_id: Signal<Out, Bits<12>>,
    /// EtherType of IPv4.
    pub v4: Signal<Out, Bit>,
    /// EtherType of IPv6.
    pub v6: Signal<Out, Bit>,
    /// 40 bytes from the IP header on.
    pub ip: Signal<Out, Bits<320>>,
    /// 64 bytes from the UDP header on.
    pub head: Signal<Out, Bits<512>>,
    /// Bytes of these 48 that the frame has.
    pub head_keep: Signal<Out, Bits<48>>,
    /// The 56 bytes behind these 64.
    pub tail: Signal<Out, Bits<448>>,

    #[new(VLAN.to_bits())]
    vlan_type: Constant<Bits<16>>,
    #[new(IPV4.to_bits())]
    v4_type: Constant<Bits<16>>,
    #[new(IPV6.to_bits())]
    v6_type: Constant<Bits<16>>,
    open: Reg<Bit>,
    s1_live: Reg<Bit>,
    s1_first: Pipe<Bit>,
    s1: Pipe<Beat>,
    newest: Signal<Local, Beat>,
    type_at12: Signal<Local, Bits<16>>,
    type_at16: Signal<Local, Bits<16>>,
    has_vlan: Signal<Local, Bit>,
    begins: Signal<Local, Bit>,
    older: Signal<Local, Beat>,
    leaves: Signal<Local, Bit>,
    s2_waits: Reg<Bit>,
    s2: Pipe<Beat>,
    s2_first: Pipe<Bit>,
    s2_second: Pipe<Bit>,
    s2_vlan: Pipe<Bit>,
    s2_v4: Pipe<Bit>,
    s2_v6: Pipe<Bit>,
    pair: Signal<Local, Bits<1024>>,
    keeps: Signal<Local, Bits<128>>,
    aligned: Signal<Local, Bits<512>>,
    kept: Signal<Local, Bits<48>>,
    ip_now: Signal<Local, Bits<320>>,
    ahead_of_ip: Signal<Local, Bits<17>>,
    length: Signal<Local, Bits<16>>,
    ahead: Signal<Local, Bits<17>>,
    starts: Signal<Local, Bit>,
    s3_live: Reg<Bit>,
    s3_first: Pipe<Bit>,
    s3_second: Pipe<Bit>,
    s3: Pipe<Beat>,
    s3_part: Pipe<Bits<512>>,
    s3_left: Pipe<Bits<17>>,
    s3_vlan: Pipe<Bit>,
    vlan_now: Signal<Local, Bits<12>>,
    s3_vlan_id: Pipe<Bits<12>>,
    s3_v4: Pipe<Bit>,
    s3_v6: Pipe<Bit>,
    s3_ip: Pipe<Bits<320>>,
    s3_head: Pipe<Bits<512>>,
    s3_kept: Pipe<Bits<48>>,
    s3_tail: Pipe<Bits<448>>,
}
impl Logic for Align {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        // Stage 1: the newest word.
        self.open.reg = when(self.net_valid.val(), !self.net.val().last);
        self.s1_live.reg = self.net_valid.val();
        self.s1_first.pipe = !self.open.q.val();
        self.s1.pipe = self.net.val();

        // Stage 2: the word before; and the bytes behind the MAC addresses, from a frame's first word.
        self.newest.next = self.s1.q.val();
        self.type_at12.next = self.newest.val().data.get_bits::<16>(96);
        self.type_at16.next = self.newest.val().data.get_bits::<16>(128);
        self.has_vlan.next = self.type_at12.val() == self.vlan_type.val();
        self.begins.next = self.s1_live.q.val() & self.s1_first.q.val();
        self.older.next = self.s2.q.val();
        self.leaves.next = self.s2_waits.q.val() & (self.older.val().last | self.s1_live.q.val());
        self.s2_waits.reg = self.s1_live.q.val() | (self.s2_waits.q.val() & !self.leaves.val());
        self.s2.pipe = when(self.s1_live.q.val(), self.s1.q.val());
        self.s2_first.pipe = when(self.s1_live.q.val(), self.s1_first.q.val());
        self.s2_second.pipe = when(self.s1_live.q.val(), self.s2_first.q.val() & !self.s1_first.q.val());
        self.s2_vlan.pipe = when(self.begins.val(), self.has_vlan.val());
        self.s2_v4.pipe = when(
            self.begins.val(),
            (self.type_at12.val() == self.v4_type.val())
                | (self.has_vlan.val() & (self.type_at16.val() == self.v4_type.val())),
        );
        self.s2_v6.pipe = when(
            self.begins.val(),
            (self.type_at12.val() == self.v6_type.val())
                | (self.has_vlan.val() & (self.type_at16.val() == self.v6_type.val())),
        );

        // The bytes from the UDP header on: behind 14 or 18 of Ethernet and 20 or 40 of IP.
        self.pair.next = bit_cast::<1024, 512>(self.older.val().data)
            | (bit_cast::<1024, 512>(self.newest.val().data) << 512);
        self.keeps.next = if !self.older.val().last {
            bit_cast::<128, 64>(self.older.val().keep) | (bit_cast::<128, 64>(self.newest.val().keep) << 64)
        } else {
            bit_cast::<128, 64>(self.older.val().keep)
        };
        self.aligned.next = self.pair.val().get_bits::<512>(272);
        self.kept.next = self.keeps.val().get_bits::<48>(34);
        if self.s2_v6.q.val() & self.s2_vlan.q.val() {
            self.aligned.next = self.pair.val().get_bits::<512>(464);
            self.kept.next = self.keeps.val().get_bits::<48>(58);
        } else if self.s2_v6.q.val() {
            self.aligned.next = self.pair.val().get_bits::<512>(432);
            self.kept.next = self.keeps.val().get_bits::<48>(54);
        } else if self.s2_vlan.q.val() {
            self.aligned.next = self.pair.val().get_bits::<512>(304);
            self.kept.next = self.keeps.val().get_bits::<48>(38);
        }

        // End of the datagram: lengths are in the IP header's third and fourth byte, or fifth and sixth.
        self.ip_now.next = self.older.val().data.get_bits::<320>(112);
        self.ahead_of_ip.next = 14.into();
        if self.s2_vlan.q.val() {
            self.ip_now.next = self.older.val().data.get_bits::<320>(144);
            self.ahead_of_ip.next = 18.into();
        }
        self.length.next = (bit_cast::<16, 8>(self.ip_now.val().get_bits::<8>(16)) << 8)
            | bit_cast::<16, 8>(self.ip_now.val().get_bits::<8>(24));
        self.ahead.next = self.ahead_of_ip.val();
        if self.s2_v6.q.val() {
            self.length.next = (bit_cast::<16, 8>(self.ip_now.val().get_bits::<8>(32)) << 8)
                | bit_cast::<16, 8>(self.ip_now.val().get_bits::<8>(40));
            self.ahead.next = self.ahead_of_ip.val() + 40;
        }

        // Stage 3.
        self.starts.next = self.leaves.val() & self.s2_first.q.val();
        self.s3_live.reg = self.leaves.val();
        self.s3_first.pipe = self.s2_first.q.val();
        self.s3_second.pipe = self.s2_second.q.val();
        self.s3.pipe = self.s2.q.val();
        self.s3_part.pipe = self.aligned.val();
        self.s3_left.pipe = when(
            self.leaves.val(),
            if self.s2_first.q.val() {
                bit_cast::<17, 16>(self.length.val()) + self.ahead.val()
            } else if self.s3_left.q.val() > 64 {
                self.s3_left.q.val() - 64
            } else {
                0.into()
            },
        );
        self.s3_vlan.pipe = when(self.starts.val(), self.s2_vlan.q.val());
        // The low half of a tag's first byte, and its second byte.
        self.vlan_now.next = 0.into();
        if self.s2_vlan.q.val() {
            self.vlan_now.next = (bit_cast::<12, 4>(self.older.val().data.get_bits::<4>(112)) << 8)
                | bit_cast::<12, 8>(self.older.val().data.get_bits::<8>(120));
        }
        self.s3_vlan_id.pipe = when(self.starts.val(), self.vlan_now.val());
        self.s3_v4.pipe = when(self.starts.val(), self.s2_v4.q.val());
        self.s3_v6.pipe = when(self.starts.val(), self.s2_v6.q.val());
        self.s3_ip.pipe = when(self.starts.val(), self.ip_now.val());
        self.s3_head.pipe = when(self.starts.val(), self.aligned.val());
        self.s3_kept.pipe = when(self.starts.val(), self.kept.val());
        self.s3_tail.pipe =
            when(self.leaves.val() & self.s2_second.q.val(), self.aligned.val().get_bits::<448>(0));
        self.live.next = self.s3_live.q.val();
        self.first.next = self.s3_first.q.val();
        self.second.next = self.s3_second.q.val();
        self.beat.next = self.s3.q.val();
        self.left.next = self.s3_left.q.val();
        self.part.next = self.s3_part.q.val();
        self.vlan.next = self.s3_vlan.q.val();
        self.vlan_id.next = self.s3_vlan_id.q.val();
        self.v4.next = self.s3_v4.q.val();
        self.v6.next = self.s3_v6.q.val();
        self.ip.next = self.s3_ip.q.val();
        self.head.next = self.s3_head.q.val();
        self.head_keep.next = self.s3_kept.q.val();
        self.tail.next = self.s3_tail.q.val();
    }
}
