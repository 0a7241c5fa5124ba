//! `weft_ingress_verdict`: what becomes of a frame.

use super::words::{Class, Peer, Verdict as Word};
use crate::prelude::*;

/// What becomes of a frame: takes what is known of it in the stages in which it is known; the first cause
/// counts. The verdict is in stage 17.
#[derive(LogicBlock)]
pub struct Verdict {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// Stage 3: the frame is of IPv6.
    pub v6: Signal<In, Bit>,
    /// Stage 3: from the IP header on, the first byte highest.
    pub ip: Signal<In, Bits<512>>,
    /// Stage 4: the QP is one of ours.
    pub in_range: Signal<In, Bit>,
    /// Stage 6: what the frame is.
    pub kind: Signal<In, Class>,
    /// Stage 6: its connection's peer.
    pub peer: Signal<In, Peer>,
    /// Stage 9: its IPv4 header has a wrong checksum.
    pub checksum_wrong: Signal<In, Bit>,
    /// Stage 16: its ICRC is right.
    pub icrc_right: Signal<In, Bit>,
    /// Stage 16: this is its last word.
    pub ends: Signal<In, Bit>,
    /// Stage 17: a bit for one clock.
    pub word: Signal<Out, Word>,

    source: Signal<Local, Bits<128>>,
    s7_source: Delay<Bits<128>>,
    s7_v6: Delay<Bit>,
    s8_in_range: Delay<Bit>,
    s7_peer: Pipe<Peer>,
    expected: Signal<Local, Peer>,
    s8_high: Pipe<Bit>,
    s8_low: Pipe<Bit>,
    s8_family: Pipe<Bit>,
    s8_open: Pipe<Bit>,
    s9_unknown: Pipe<Bit>,
    s9_stranger: Pipe<Bit>,
    s9_class: Delay<Class>,
    s9_v4: Delay<Bit>,
    known: Signal<Local, Class>,
    checksum: Signal<Local, Bit>,
    s10_sound: Pipe<Bit>,
    early: Signal<Local, Word>,
    s10: Pipe<Word>,
    s16: Delay<Word>,
    s16_sound: Delay<Bit>,
    known_all: Signal<Local, Word>,
    icrc: Signal<Local, Bit>,
    stands: Signal<Local, Bit>,
    whole: Signal<Local, Bit>,
    good: Signal<Local, Bit>,
    made: Signal<Local, Word>,
    s17: Reg<Word>,
}
impl Default for Verdict {
    fn default() -> Self {
        Verdict {
            clk: Default::default(),
            rst: Default::default(),
            v6: Default::default(),
            ip: Default::default(),
            in_range: Default::default(),
            kind: Default::default(),
            peer: Default::default(),
            checksum_wrong: Default::default(),
            icrc_right: Default::default(),
            ends: Default::default(),
            word: Default::default(),
            source: Default::default(),
            s7_source: Delay::new(4),
            s7_v6: Delay::new(4),
            s8_in_range: Delay::new(4),
            s7_peer: Default::default(),
            expected: Default::default(),
            s8_high: Default::default(),
            s8_low: Default::default(),
            s8_family: Default::default(),
            s8_open: Default::default(),
            s9_unknown: Default::default(),
            s9_stranger: Default::default(),
            s9_class: Delay::new(3),
            s9_v4: Delay::new(2),
            known: Default::default(),
            checksum: Default::default(),
            s10_sound: Default::default(),
            early: Default::default(),
            s10: Default::default(),
            s16: Delay::new(6),
            s16_sound: Delay::new(6),
            known_all: Default::default(),
            icrc: Default::default(),
            stands: Default::default(),
            whole: Default::default(),
            good: Default::default(),
            made: Default::default(),
            s17: Default::default(),
        }
    }
}

impl Logic for Verdict {
    #[hdl_gen]
    fn update(&mut self) {
        // Stages 7 and 8: is it from the peer?
        self.source.next = bit_cast::<128, 32>(self.ip.val().get_bits::<32>(384));
        if self.v6.val() {
            self.source.next = self.ip.val().get_bits::<128>(320);
        }
        self.s7_source.clk.next = self.clk.val();
        self.s7_source.en.next = true;
        self.s7_source.d.next = self.source.val();
        self.s7_v6.clk.next = self.clk.val();
        self.s7_v6.en.next = true;
        self.s7_v6.d.next = self.v6.val();
        self.s8_in_range.clk.next = self.clk.val();
        self.s8_in_range.en.next = true;
        self.s8_in_range.d.next = self.in_range.val();
        self.s7_peer.clk.next = self.clk.val();
        self.s7_peer.en.next = true;
        self.s7_peer.d.next = self.peer.val();
        self.expected.next = self.s7_peer.q.val();
        self.s8_high.clk.next = self.clk.val();
        self.s8_high.en.next = true;
        self.s8_high.d.next =
            self.expected.val().address.get_bits::<64>(64) == self.s7_source.q.val().get_bits::<64>(64);
        self.s8_low.clk.next = self.clk.val();
        self.s8_low.en.next = true;
        self.s8_low.d.next =
            self.expected.val().address.get_bits::<64>(0) == self.s7_source.q.val().get_bits::<64>(0);
        self.s8_family.clk.next = self.clk.val();
        self.s8_family.en.next = true;
        self.s8_family.d.next = self.expected.val().v6 == self.s7_v6.q.val();
        self.s8_open.clk.next = self.clk.val();
        self.s8_open.en.next = true;
        self.s8_open.d.next = self.expected.val().open;

        // Stages 9 and 10.
        self.s9_unknown.clk.next = self.clk.val();
        self.s9_unknown.en.next = true;
        self.s9_unknown.d.next = !self.s8_open.q.val() | !self.s8_in_range.q.val();
        self.s9_stranger.clk.next = self.clk.val();
        self.s9_stranger.en.next = true;
        self.s9_stranger.d.next = !self.s8_high.q.val() | !self.s8_low.q.val() | !self.s8_family.q.val();
        self.s9_class.clk.next = self.clk.val();
        self.s9_class.en.next = true;
        self.s9_class.d.next = self.kind.val();
        self.s9_v4.clk.next = self.clk.val();
        self.s9_v4.en.next = true;
        self.s9_v4.d.next = !self.s7_v6.q.val();
        self.known.next = self.s9_class.q.val();
        self.checksum.next = self.checksum_wrong.val() & self.s9_v4.q.val();
        self.s10_sound.clk.next = self.clk.val();
        self.s10_sound.en.next = true;
        self.s10_sound.d.next = !self.known.val().bad & !self.known.val().malformed & !self.checksum.val();
        self.early.next.foreign = !self.known.val().ours;
        self.early.next.bad = self.known.val().ours & self.known.val().bad;
        self.early.next.malformed =
            self.known.val().ours & !self.known.val().bad & self.known.val().malformed;
        self.early.next.checksum =
            self.known.val().ours & !self.known.val().bad & !self.known.val().malformed & self.checksum.val();
        // Of those that stand so far; trimmed packets have no ICRC.
        self.early.next.icrc = self.known.val().ours & !self.known.val().trimmed;
        self.early.next.unknown = self.known.val().ours & self.s9_unknown.q.val();
        self.early.next.stranger = self.known.val().ours & self.s9_stranger.q.val();
        self.early.next.data = self.known.val().data & !self.known.val().trimmed;
        self.early.next.trimmed = self.known.val().trimmed;
        self.early.next.probe = self.known.val().probe;
        self.early.next.ack = self.known.val().ack & !self.known.val().nack;
        self.early.next.nack = self.known.val().nack;
        self.s10.clk.next = self.clk.val();
        self.s10.en.next = true;
        self.s10.d.next = self.early.val();

        // Stages 16 and 17.
        self.s16.clk.next = self.clk.val();
        self.s16.en.next = true;
        self.s16.d.next = self.s10.q.val();
        self.s16_sound.clk.next = self.clk.val();
        self.s16_sound.en.next = true;
        self.s16_sound.d.next = self.s10_sound.q.val();
        self.known_all.next = self.s16.q.val();
        self.icrc.next = self.known_all.val().icrc & !self.icrc_right.val();
        self.stands.next = self.ends.val() & !self.known_all.val().foreign & self.s16_sound.q.val();
        self.whole.next = self.stands.val() & !self.icrc.val();
        self.good.next = self.whole.val() & !self.known_all.val().unknown & !self.known_all.val().stranger;
        self.made.next.foreign = self.ends.val() & self.known_all.val().foreign;
        self.made.next.bad = self.ends.val() & self.known_all.val().bad;
        self.made.next.malformed = self.ends.val() & self.known_all.val().malformed;
        self.made.next.checksum = self.ends.val() & self.known_all.val().checksum;
        self.made.next.icrc = self.stands.val() & self.icrc.val();
        self.made.next.unknown = self.whole.val() & self.known_all.val().unknown;
        self.made.next.stranger =
            self.whole.val() & !self.known_all.val().unknown & self.known_all.val().stranger;
        self.made.next.data = self.good.val() & self.known_all.val().data;
        self.made.next.trimmed = self.good.val() & self.known_all.val().trimmed;
        self.made.next.probe = self.good.val() & self.known_all.val().probe;
        self.made.next.ack = self.good.val() & self.known_all.val().ack;
        self.made.next.nack = self.good.val() & self.known_all.val().nack;
        self.s17.clk.next = self.clk.val();
        self.s17.rst.next = self.rst.val();
        self.s17.en.next = true;
        self.s17.d.next = self.made.val();
        self.word.next = self.s17.q.val();
    }
}
