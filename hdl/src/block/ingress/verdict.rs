//! `weft_ingress_verdict`: the verdict on a frame.

use super::words::{Class, Peer, Sender, Verdict as Word};
use crate::part::wait::Wait;
use crate::prelude::*;

/// Decides on a frame for this NIC. Each fact is read in the stage in which it becomes known. The first cause
/// applies. The verdict is in stage 17.
#[derive(LogicBlock, BlockDefault)]
pub struct Verdict {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// Stage 3: the frame is of IPv6.
    pub v6: Signal<In, Bit>,
    /// Stage 3: from the IP header on, the first byte highest.
    pub ip: Signal<In, Bits<512>>,
    /// Stage 3: the frame's VLAN, 0 without one.
    pub vlan: Signal<In, Bits<12>>,
    /// Stage 3: P_Key of the BTH.
    pub pkey: Signal<In, Bits<16>>,
    /// Stage 4: the QP is one of this NIC.
    pub in_range: Signal<In, Bit>,
    /// Stage 6: the kind of the frame.
    pub kind: Signal<In, Class>,
    /// Stage 6: peer of the frame's connection.
    pub peer: Signal<In, Peer>,
    /// Stage 9: the IPv4 header of the frame has a wrong checksum.
    pub checksum_wrong: Signal<In, Bit>,
    /// Stage 16: the ICRC of the frame is right.
    pub icrc_right: Signal<In, Bit>,
    /// Stage 16: the word is the last of the frame.
    pub ends: Signal<In, Bit>,
    /// Stage 17: a bit for one clock.
    pub word: Signal<Out, Word>,

    sender: Signal<Local, Sender>,
    #[new(4u64.to_bits())]
    behind_s3: Constant<Bits<4>>,
    s7_sender: Wait<Sender>,
    actual: Signal<Local, Sender>,
    #[new(4)]
    s8_in_range: Delay<Bit>,
    s7_peer: Pipe<Peer>,
    expected: Signal<Local, Peer>,
    s8_high: Pipe<Bit>,
    s8_low: Pipe<Bit>,
    s8_family: Pipe<Bit>,
    s8_open: Pipe<Bit>,
    s8_vlan: Pipe<Bit>,
    s8_key: Pipe<Bit>,
    s8_member: Pipe<Bit>,
    s9_unknown: Pipe<Bit>,
    s9_stranger: Pipe<Bit>,
    s9_vlan: Pipe<Bit>,
    s9_partition: Pipe<Bit>,
    #[new(3)]
    s9_class: Delay<Class>,
    #[new(2)]
    s9_v4: Delay<Bit>,
    known: Signal<Local, Class>,
    checksum: Signal<Local, Bit>,
    s10_sound: Pipe<Bit>,
    early: Signal<Local, Word>,
    s10: Pipe<Word>,
    #[new(6)]
    s16: Delay<Word>,
    #[new(6)]
    s16_sound: Delay<Bit>,
    known_all: Signal<Local, Word>,
    icrc: Signal<Local, Bit>,
    stands: Signal<Local, Bit>,
    whole: Signal<Local, Bit>,
    good: Signal<Local, Bit>,
    made: Signal<Local, Word>,
    s17: Reg<Word>,
}
impl Logic for Verdict {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        // Stages 7 and 8: is it from the peer?
        self.sender.next.address = if self.v6.val() {
            self.ip.val().get_bits::<128>(320)
        } else {
            bit_cast::<128, 32>(self.ip.val().get_bits::<32>(384))
        };
        self.sender.next.v6 = self.v6.val();
        self.sender.next.vlan = self.vlan.val();
        self.sender.next.pkey = self.pkey.val();
        wire!(self.s7_sender.* <- self.*: clk, rst);
        self.s7_sender.en.next = true;
        self.s7_sender.clocks.next = self.behind_s3.val();
        self.s7_sender.word.next = self.sender.val();
        self.actual.next = self.s7_sender.late.val();
        self.s8_in_range.delay = self.in_range.val();
        self.s7_peer.pipe = self.peer.val();
        self.expected.next = self.s7_peer.q.val();
        self.s8_high.pipe =
            self.expected.val().address.get_bits::<64>(64) == self.actual.val().address.get_bits::<64>(64);
        self.s8_low.pipe =
            self.expected.val().address.get_bits::<64>(0) == self.actual.val().address.get_bits::<64>(0);
        self.s8_family.pipe = self.expected.val().v6 == self.actual.val().v6;
        self.s8_open.pipe = self.expected.val().open;
        // The VLAN is the expected one. The partition is the expected one, its number is not zero,
        // and one of the two keys is of a full member.
        self.s8_vlan.pipe = self.expected.val().vlan == self.actual.val().vlan;
        self.s8_key.pipe =
            self.expected.val().pkey.get_bits::<15>(0) == self.actual.val().pkey.get_bits::<15>(0);
        self.s8_member.pipe = (self.actual.val().pkey.get_bits::<15>(0) != 0)
            & (self.expected.val().pkey.get_bit(15) | self.actual.val().pkey.get_bit(15));

        // Stages 9 and 10.
        self.s9_unknown.pipe = !self.s8_open.q.val() | !self.s8_in_range.q.val();
        self.s9_stranger.pipe = !self.s8_high.q.val() | !self.s8_low.q.val() | !self.s8_family.q.val();
        self.s9_vlan.pipe = !self.s8_vlan.q.val();
        self.s9_partition.pipe = !self.s8_key.q.val() | !self.s8_member.q.val();
        self.s9_class.delay = self.kind.val();
        self.s9_v4.delay = !self.actual.val().v6;
        self.known.next = self.s9_class.q.val();
        self.checksum.next = self.checksum_wrong.val() & self.s9_v4.q.val();
        self.s10_sound.pipe = self.known.val().ours
            & !self.known.val().bad
            & !self.known.val().malformed
            & !self.checksum.val();
        self.early.next.bad = self.known.val().ours & self.known.val().bad;
        self.early.next.malformed =
            self.known.val().ours & !self.known.val().bad & self.known.val().malformed;
        self.early.next.checksum =
            self.known.val().ours & !self.known.val().bad & !self.known.val().malformed & self.checksum.val();
        // The verdict up to this stage; trimmed packets have no ICRC.
        self.early.next.icrc = !self.known.val().trimmed;
        self.early.next.unknown = self.s9_unknown.q.val();
        self.early.next.stranger = self.s9_stranger.q.val();
        self.early.next.vlan = self.s9_vlan.q.val() & !self.s9_stranger.q.val();
        self.early.next.partition =
            self.s9_partition.q.val() & !self.s9_vlan.q.val() & !self.s9_stranger.q.val();
        self.early.next.data = self.known.val().data & !self.known.val().trimmed;
        wire!(self.early.next.* <- self.known.val().*: trimmed, probe);
        self.early.next.ack = self.known.val().ack & !self.known.val().nack;
        self.early.next.nack = self.known.val().nack;
        self.s10.pipe = self.early.val();

        // Stages 16 and 17.
        self.s16.delay = self.s10.q.val();
        self.s16_sound.delay = self.s10_sound.q.val();
        self.known_all.next = self.s16.q.val();
        self.icrc.next = self.known_all.val().icrc & !self.icrc_right.val();
        self.stands.next = self.ends.val() & self.s16_sound.q.val();
        self.whole.next = self.stands.val() & !self.icrc.val();
        self.good.next = self.whole.val()
            & !self.known_all.val().unknown
            & !self.known_all.val().stranger
            & !self.known_all.val().vlan
            & !self.known_all.val().partition;
        self.made.next.bad = self.ends.val() & self.known_all.val().bad;
        self.made.next.malformed = self.ends.val() & self.known_all.val().malformed;
        self.made.next.checksum = self.ends.val() & self.known_all.val().checksum;
        self.made.next.icrc = self.stands.val() & self.icrc.val();
        self.made.next.unknown = self.whole.val() & self.known_all.val().unknown;
        self.made.next.stranger =
            self.whole.val() & !self.known_all.val().unknown & self.known_all.val().stranger;
        self.made.next.vlan = self.whole.val() & !self.known_all.val().unknown & self.known_all.val().vlan;
        self.made.next.partition =
            self.whole.val() & !self.known_all.val().unknown & self.known_all.val().partition;
        self.made.next.data = self.good.val() & self.known_all.val().data;
        self.made.next.trimmed = self.good.val() & self.known_all.val().trimmed;
        self.made.next.probe = self.good.val() & self.known_all.val().probe;
        self.made.next.ack = self.good.val() & self.known_all.val().ack;
        self.made.next.nack = self.good.val() & self.known_all.val().nack;
        self.s17.reg = self.made.val();
        self.word.next = self.s17.q.val();
    }
}
