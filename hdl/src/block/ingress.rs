//! `weft_ingress`: frames in, packets and acknowledgements out (page `docs/blocks/ingress.md`).

pub mod align;
pub mod checksum;
pub mod classify;
pub mod close;
pub mod fields;
pub mod integrity;
pub mod payload;
pub mod peers;
pub mod reverse;
pub mod verdict;
pub mod words;

use crate::block::told;
use crate::emit::{EmitError, Module};
use crate::part::counter::Counter;
use crate::part::fifo::Fifo;
use crate::part::wait::Wait;
use crate::prelude::*;
use crate::word::{Acknowledgement, Arrival};
use align::Align;
use checksum::Checksum;
use classify::Classify;
use close::Close;
use fields::{Fields, REST};
use integrity::Integrity;
use payload::Payload;
use peers::Peers;
use reverse::Reverse;
use verdict::Verdict;
use weft_params::SackParams;
use words::{Beat, Kept};

/// The receiving side towards the network: splits Ethernet frames into arrivals, payload and
/// acknowledgements, and passes on the frames of other software.
///
/// # Parameters
///
/// `A` bits of connection number; `R = A + 221` (arrival), `K = A + 634` (acknowledgement); those of
/// [`Fields`].
#[derive(LogicBlock, BlockDefault)]
pub struct Ingress<
    const A: usize,
    const R: usize,
    const K: usize,
    const S: usize,
    const N: usize,
    const E: usize,
> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset. Afterwards a sweep closes all connections, one per clock.
    pub rst: Signal<In, Bit>,
    /// Frames from the MAC, always accepted.
    pub s_axis_net_tvalid: Signal<In, Bit>,
    /// The first byte in the low bits.
    pub s_axis_net_tdata: Signal<In, Bits<512>>,
    /// All but in a frame's last word.
    pub s_axis_net_tkeep: Signal<In, Bits<64>>,
    /// Last word of a frame.
    pub s_axis_net_tlast: Signal<In, Bit>,
    /// With tlast: the MAC found the frame bad.
    pub s_axis_net_tuser: Signal<In, Bit>,
    /// Peers in.
    pub s_axis_peer_tvalid: Signal<In, Bit>,
    /// High when all work that must be done before the word is done (see the page).
    pub s_axis_peer_tready: Signal<Out, Bit>,
    /// Connection.
    pub s_axis_peer_tid: Signal<In, Bits<A>>,
    /// Open in bit 0, IPv6 1, address 129:2, tagged 130, tag 146:131, P_Key 162:147.
    /// An IPv4 address is in the low bits, with zeros above. The VLAN is the low 12 bits of the tag.
    pub s_axis_peer_tdata: Signal<In, Bits<163>>,
    /// Packets for the receiver out.
    pub m_axis_arrival_tvalid: Signal<Out, Bit>,
    /// Back-pressure.
    pub m_axis_arrival_tready: Signal<In, Bit>,
    /// Connection.
    pub m_axis_arrival_tid: Signal<Out, Bits<A>>,
    /// The packet, an [`Arrival`].
    pub m_axis_arrival_tdata: Signal<Out, Bits<{ Arrival::BITS }>>,
    /// Payload out, of data packets that have some, in the order of the arrivals.
    pub m_axis_payload_tvalid: Signal<Out, Bit>,
    /// Back-pressure.
    pub m_axis_payload_tready: Signal<In, Bit>,
    /// The first byte in the low bits.
    pub m_axis_payload_tdata: Signal<Out, Bits<512>>,
    /// All but in a packet's last word.
    pub m_axis_payload_tkeep: Signal<Out, Bits<64>>,
    /// Last word of a packet.
    pub m_axis_payload_tlast: Signal<Out, Bit>,
    /// Acknowledgements for the sender out.
    pub m_axis_acknowledgement_tvalid: Signal<Out, Bit>,
    /// Back-pressure.
    pub m_axis_acknowledgement_tready: Signal<In, Bit>,
    /// Connection.
    pub m_axis_acknowledgement_tid: Signal<Out, Bits<A>>,
    /// The ACK or NACK, an [`Acknowledgement`].
    pub m_axis_acknowledgement_tdata: Signal<Out, Bits<{ Acknowledgement::BITS }>>,
    /// Frames of other software leave unchanged.
    pub m_axis_bypass_tvalid: Signal<Out, Bit>,
    /// Back-pressure.
    pub m_axis_bypass_tready: Signal<In, Bit>,
    /// The first byte in the low bits.
    pub m_axis_bypass_tdata: Signal<Out, Bits<512>>,
    /// All but in a frame's last word.
    pub m_axis_bypass_tkeep: Signal<Out, Bits<64>>,
    /// Last word of a frame.
    pub m_axis_bypass_tlast: Signal<Out, Bit>,
    /// With tlast: the MAC found the frame bad.
    pub m_axis_bypass_tuser: Signal<Out, Bit>,
    /// CSR: own IPv4 address.
    pub cfg_ipv4: Signal<In, Bits<32>>,
    /// CSR: own IPv6 address.
    pub cfg_ipv6: Signal<In, Bits<128>>,
    /// CSR: queue pair of connection 0. The block ignores its low bits, as many as a connection number has.
    pub cfg_qp_base: Signal<In, Bits<24>>,
    /// CSR: DSCP of trimmed packets.
    pub cfg_dscp_trimmed: Signal<In, Bits<6>>,
    /// CSR: DSCP of packets trimmed at the last hop.
    pub cfg_dscp_trimmed_last_hop: Signal<In, Bits<6>>,
    /// Data packets accepted, modulo 2^16, as all counters.
    pub stat_data: Signal<Out, Bits<16>>,
    /// Trimmed packets accepted.
    pub stat_trims: Signal<Out, Bits<16>>,
    /// ACKs accepted.
    pub stat_acks: Signal<Out, Bits<16>>,
    /// NACKs accepted.
    pub stat_nacks: Signal<Out, Bits<16>>,
    /// Probes accepted.
    pub stat_probes: Signal<Out, Bits<16>>,
    /// Frames to the bypass.
    pub stat_bypassed: Signal<Out, Bits<16>>,
    /// Frames that the MAC found bad, dropped.
    pub stat_mac_errors: Signal<Out, Bits<16>>,
    /// Frames that were dropped because their fields contradict each other.
    pub stat_malformed: Signal<Out, Bits<16>>,
    /// Frames that were dropped because their IPv4 header has a wrong checksum.
    pub stat_checksum_errors: Signal<Out, Bits<16>>,
    /// Frames that were dropped because their ICRC is wrong.
    pub stat_icrc_errors: Signal<Out, Bits<16>>,
    /// Frames for queue pairs out of range or closed connections, dropped.
    pub stat_unknown_connections: Signal<Out, Bits<16>>,
    /// Frames that were dropped because they are not from the connection's peer.
    pub stat_wrong_peers: Signal<Out, Bits<16>>,
    /// Frames that were dropped because they are not of the connection's VLAN.
    pub stat_wrong_vlans: Signal<Out, Bits<16>>,
    /// Frames that were dropped because they are not of the connection's partition.
    pub stat_wrong_pkeys: Signal<Out, Bits<16>>,
    /// Frames that were dropped because there was no space.
    pub stat_overflows: Signal<Out, Bits<16>>,
    /// Frames that were dropped because the bypass had no space.
    pub stat_bypass_overflows: Signal<Out, Bits<16>>,

    align: Align,
    ip_number: Reverse,
    head_number: Reverse,
    tail_number: Reverse,
    integrity: Integrity,
    checksum: Checksum,
    classify: Classify,
    fields: Fields<S, N, E>,
    peers: Peers<A>,
    close: Close,
    payload: Payload,
    verdict: Verdict,
    arrivals: Fifo<Bits<R>, 6, 7>,
    payloads: Fifo<Beat, 9, 10>,
    acknowledgements: Fifo<Bits<K>, 9, 10>,
    bypass: Fifo<Beat, 9, 10>,
    data: Counter,
    trims: Counter,
    acks: Counter,
    nacks: Counter,
    probes: Counter,
    bypassed: Counter,
    mac_errors: Counter,
    malformed: Counter,
    checksum_errors: Counter,
    icrc_errors: Counter,
    unknown_connections: Counter,
    wrong_peers: Counter,
    wrong_vlans: Counter,
    wrong_pkeys: Counter,
    overflows: Counter,
    bypass_overflows: Counter,
    #[new(A.to_bits())]
    id_bits: Constant<Bits<8>>,
    net: Signal<Local, Beat>,
    beat: Signal<Local, Beat>,
    lives: Reg<Bits<2>>,
    ends: Signal<Local, Bit>,
    lasts: Reg<Bits<14>>,
    pushes: Reg<Bits<12>>,
    qp: Signal<Local, Bits<24>>,
    apart: Signal<Local, Bits<24>>,
    s4_in_range: Pipe<Bit>,
    s4_id: Pipe<Bits<A>>,
    #[new(2)]
    s5_beat: Delay<Beat>,
    s5_ends: Signal<Local, Bit>,
    #[new(13)]
    s17_id: Delay<Bits<A>>,
    waiting: Signal<Local, Kept>,
    hold: Wait<Kept>,
    kept: Signal<Local, Kept>,
    held: Signal<Local, Beat>,
    rest: Signal<Local, Bits<REST>>,
    acknowledgement: Signal<Local, Bits<{ Acknowledgement::BITS }>>,
    last: Signal<Local, Bit>,
    is_data: Signal<Local, Bit>,
    is_trim: Signal<Local, Bit>,
    is_probe: Signal<Local, Bit>,
    is_ack: Signal<Local, Bit>,
    is_nack: Signal<Local, Bit>,
    payload_lost: Signal<Local, Bit>,
    losing: Reg<Bit>,
    arrival_room: Signal<Local, Bit>,
    data_in: Signal<Local, Bit>,
    other_in: Signal<Local, Bit>,
    acknowledgement_room: Signal<Local, Bit>,
    acknowledgement_in: Signal<Local, Bit>,
    bypass_lost: Signal<Local, Bit>,
    bypass_losing: Reg<Bit>,
    bypass_in: Signal<Local, Bit>,
    paid: Signal<Local, Beat>,
    passed: Signal<Local, Beat>,
}
impl<const A: usize, const R: usize, const K: usize, const S: usize, const N: usize, const E: usize> Logic
    for Ingress<A, R, K, S, N, E>
{
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        // Stages 1 to 3: frames, and where their headers are.
        self.net.next.data = self.s_axis_net_tdata.val();
        self.net.next.keep = self.s_axis_net_tkeep.val();
        self.net.next.last = self.s_axis_net_tlast.val();
        self.net.next.bad = self.s_axis_net_tuser.val();
        wire!(self.align.* <- self.*: clk, rst, net);
        self.align.net_valid.next = self.s_axis_net_tvalid.val();
        self.ip_number.bytes.next = bit_cast::<512, 320>(self.align.ip.val());
        self.head_number.bytes.next = self.align.head.val();
        self.tail_number.bytes.next = bit_cast::<512, 448>(self.align.tail.val());
        self.beat.next = self.align.beat.val();
        // Bit i: a word is in stage i + 4; likewise the last of a frame, a word of payload in stage i + 6.
        self.lives.reg = (self.lives.q.val() << 1) | bit_cast::<2, 1>(self.align.live.val().into());
        self.ends.next = self.align.live.val() & self.beat.val().last;
        self.lasts.reg = (self.lasts.q.val() << 1) | bit_cast::<14, 1>(self.ends.val().into());
        self.pushes.reg = (self.pushes.q.val() << 1) | bit_cast::<12, 1>(self.payload.push.val().into());

        // Stages 4 to 16: the kind of a frame, whether it is whole, and its connection.
        wire!(self.integrity.*, self.peers.*, self.verdict.* <- self.*: clk, rst);
        wire!(self.integrity.* <- self.align.*: live, first, second, beat, left, vlan, v6);
        self.checksum.clk.next = self.clk.val();
        self.checksum.ip.next = self.ip_number.number.val();
        self.classify.clk.next = self.clk.val();
        wire!(self.classify.* <- self.align.*: v4, v6, head_keep);
        self.classify.ip.next = self.ip_number.number.val();
        self.classify.head.next = self.head_number.number.val();
        self.classify.bad.next = self.beat.val().bad;
        self.classify.cut.next = self.integrity.cut.val();
        wire!(self.classify.* <- self.cfg_*: ipv4, ipv6, dscp_trimmed, dscp_trimmed_last_hop);
        self.fields.clk.next = self.clk.val();
        wire!(self.fields.* <- self.align.*: v6, head_keep);
        self.fields.ip.next = self.ip_number.number.val();
        self.fields.head.next = self.head_number.number.val();
        self.fields.tail.next = self.tail_number.number.val().get_bits::<448>(64);
        wire!(self.fields.* <- self.cfg_*: dscp_trimmed, dscp_trimmed_last_hop);
        self.qp.next = field!(self.head_number.number.val(), Data.Bth.dest_qp in 0..64);
        self.apart.next = (self.qp.val() ^ self.cfg_qp_base.val()) >> self.id_bits.val();
        self.s4_in_range.pipe = !self.apart.val().any();
        self.s4_id.pipe = self.qp.val().get_bits::<A>(0);
        self.peers.valid.next = self.s_axis_peer_tvalid.val();
        self.peers.id.next = self.s_axis_peer_tid.val();
        self.peers.peer.next.open = field!(self.s_axis_peer_tdata.val(), IngressPeer.open);
        self.peers.peer.next.v6 = field!(self.s_axis_peer_tdata.val(), IngressPeer.v6);
        self.peers.peer.next.address = field!(self.s_axis_peer_tdata.val(), IngressPeer.address);
        self.peers.peer.next.vlan = if field!(self.s_axis_peer_tdata.val(), IngressPeer.tagged) {
            field!(self.s_axis_peer_tdata.val(), IngressPeer.tag).get_bits::<12>(0)
        } else {
            0.into()
        };
        self.peers.peer.next.pkey = field!(self.s_axis_peer_tdata.val(), IngressPeer.pkey);
        self.peers.wanted.next = self.s4_id.q.val();
        self.verdict.v6.next = self.align.v6.val();
        self.verdict.ip.next = self.ip_number.number.val();
        self.verdict.vlan.next = self.align.vlan_id.val();
        self.verdict.pkey.next = field!(self.head_number.number.val(), Data.Bth.p_key in 0..64);
        self.verdict.in_range.next = self.s4_in_range.q.val();
        self.verdict.kind.next = self.classify.kind.val();
        self.verdict.peer.next = self.peers.found.val();
        self.verdict.checksum_wrong.next = self.checksum.wrong.val();
        self.verdict.icrc_right.next = self.integrity.right.val();
        self.verdict.ends.next = self.lasts.q.val().get_bit(12);

        // Stage 5: words of all frames go to the bypass; those of others stay there, if there is space.
        self.s5_beat.delay = self.beat.val();
        self.s5_ends.next = self.lasts.q.val().get_bit(1);
        self.bypass_lost.next =
            self.bypass_losing.q.val() | (self.lives.q.val().get_bit(1) & self.bypass.full.val());
        self.bypass_losing.reg = self.bypass_lost.val() & !self.s5_ends.val();
        self.bypass_in.next = self.s5_ends.val() & self.classify.foreign.val() & !self.bypass_lost.val();
        wire!(self.bypass.* <- self.*: clk, rst);
        self.bypass.in_valid.next = self.lives.q.val().get_bit(1);
        self.bypass.in_word.next = self.s5_beat.q.val();
        self.bypass.in_commit.next = self.bypass_in.val();
        self.bypass.in_rollback.next = self.s5_ends.val() & !self.bypass_in.val();
        self.bypass.out_ready.next = self.m_axis_bypass_tready.val();
        self.passed.next = self.bypass.out_word.val();
        self.m_axis_bypass_tvalid.next = self.bypass.out_valid.val();
        self.m_axis_bypass_tdata.next = self.passed.val().data;
        self.m_axis_bypass_tkeep.next = self.passed.val().keep;
        self.m_axis_bypass_tlast.next = self.passed.val().last;
        self.m_axis_bypass_tuser.next = self.passed.val().bad;

        // Up to stage 17 the words of a frame of ours wait for the verdict.
        wire!(self.payload.* <- self.*: clk, rst);
        wire!(self.payload.* <- self.align.*: live, first, part);
        wire!(self.payload.* <- self.fields.*: is_data, beside);
        self.s17_id.delay = self.s4_id.q.val();
        self.waiting.next.word = self.payload.word.val();
        wire!(self.waiting.next.* <- self.fields.*: arrival, acknowledgement);
        wire!(self.hold.* <- self.*: clk, rst);
        self.hold.en.next = true;
        self.hold.clocks.next = 12.into();
        self.hold.word.next = self.waiting.val();
        self.kept.next = self.hold.late.val();
        self.held.next = self.kept.val().word;

        // Stage 17: in, if there is space.
        self.last.next = self.lasts.q.val().get_bit(13);
        self.is_data.next = self.verdict.word.val().data;
        self.is_trim.next = self.verdict.word.val().trimmed;
        self.is_probe.next = self.verdict.word.val().probe;
        self.is_ack.next = self.verdict.word.val().ack;
        self.is_nack.next = self.verdict.word.val().nack;
        self.payload_lost.next =
            self.losing.q.val() | (self.pushes.q.val().get_bit(11) & self.payloads.full.val());
        self.losing.reg = self.payload_lost.val() & !self.last.val();
        self.arrival_room.next = !self.arrivals.full.val();
        self.data_in.next = self.is_data.val() & self.arrival_room.val() & !self.payload_lost.val();
        self.other_in.next = (self.is_trim.val() | self.is_probe.val()) & self.arrival_room.val();
        self.acknowledgement_room.next = !self.acknowledgements.full.val();
        self.acknowledgement_in.next =
            (self.is_ack.val() | self.is_nack.val()) & self.acknowledgement_room.val();

        wire!(self.arrivals.* <- self.*: clk, rst);
        self.arrivals.in_valid.next = self.data_in.val() | self.other_in.val();
        self.arrivals.in_word.next = bit_cast::<R, width!(Arrival)>(self.kept.val().arrival)
            | (bit_cast::<R, A>(self.s17_id.q.val()) << width!(Arrival));
        self.arrivals.in_commit.next = true;
        self.arrivals.in_rollback.next = false;
        self.arrivals.out_ready.next = self.m_axis_arrival_tready.val();
        self.m_axis_arrival_tvalid.next = self.arrivals.out_valid.val();
        self.m_axis_arrival_tdata.next = self.arrivals.out_word.val().get_bits::<width!(Arrival)>(0);
        self.m_axis_arrival_tid.next = self.arrivals.out_word.val().get_bits::<A>(width!(Arrival));

        wire!(self.payloads.* <- self.*: clk, rst);
        self.payloads.in_valid.next = self.pushes.q.val().get_bit(11);
        self.payloads.in_word.next = self.held.val();
        self.payloads.in_commit.next = self.data_in.val();
        self.payloads.in_rollback.next = self.last.val() & !self.data_in.val();
        self.payloads.out_ready.next = self.m_axis_payload_tready.val();
        self.paid.next = self.payloads.out_word.val();
        self.m_axis_payload_tvalid.next = self.payloads.out_valid.val();
        self.m_axis_payload_tdata.next = self.paid.val().data;
        self.m_axis_payload_tkeep.next = self.paid.val().keep;
        self.m_axis_payload_tlast.next = self.paid.val().last;

        wire!(self.acknowledgements.* <- self.*: clk, rst);
        self.acknowledgements.in_valid.next = self.acknowledgement_in.val();
        self.rest.next = self.kept.val().acknowledgement;
        self.acknowledgement.next =
            bit_cast::<width!(Acknowledgement), 49>(self.rest.val().get_bits::<49>(0))
                | (bit_cast::<width!(Acknowledgement), 32>(self.held.val().data.get_bits::<32>(0)) << 49)
                | (bit_cast::<width!(Acknowledgement), 32>(self.rest.val().get_bits::<32>(49)) << 81)
                | (bit_cast::<width!(Acknowledgement), 192>(self.held.val().data.get_bits::<192>(32)) << 113)
                | (bit_cast::<width!(Acknowledgement), 41>(self.rest.val().get_bits::<41>(81)) << 305)
                | (bit_cast::<width!(Acknowledgement), 288>(self.held.val().data.get_bits::<288>(224))
                    << 346);
        self.acknowledgements.in_word.next =
            bit_cast::<K, width!(Acknowledgement)>(self.acknowledgement.val())
                | (bit_cast::<K, A>(self.s17_id.q.val()) << width!(Acknowledgement));
        self.acknowledgements.in_commit.next = true;
        self.acknowledgements.in_rollback.next = false;
        self.acknowledgements.out_ready.next = self.m_axis_acknowledgement_tready.val();
        self.m_axis_acknowledgement_tvalid.next = self.acknowledgements.out_valid.val();
        self.m_axis_acknowledgement_tdata.next =
            self.acknowledgements.out_word.val().get_bits::<width!(Acknowledgement)>(0);
        self.m_axis_acknowledgement_tid.next =
            self.acknowledgements.out_word.val().get_bits::<A>(width!(Acknowledgement));

        // Orders and replies that a peer word waits for.
        wire!(self.close.* <- self.*: clk, rst);
        self.close.offered.next = self.s_axis_peer_tvalid.val() & self.peers.ready.val();
        self.close.opens.next = field!(self.s_axis_peer_tdata.val(), IngressPeer.open);
        self.s_axis_peer_tready.next = self.close.ready.val();
        self.close.looked_up.next = self.lasts.q.val().get_bit(0);
        self.close.judged.next = self.last.val();
        self.close.arrival_in.next = self.data_in.val() | self.other_in.val();
        self.close.payload_in.next =
            self.data_in.val() & field!(self.kept.val().arrival, Arrival.bytes).any();
        self.close.acknowledgement_in.next = self.acknowledgement_in.val();
        self.close.arrival_out.next = self.arrivals.out_valid.val() & self.m_axis_arrival_tready.val();
        self.close.payload_out.next =
            self.payloads.out_valid.val() & self.m_axis_payload_tready.val() & self.paid.val().last;
        self.close.acknowledgement_out.next =
            self.acknowledgements.out_valid.val() & self.m_axis_acknowledgement_tready.val();

        // Counters.
        wire!(
            self.data.*, self.trims.*, self.acks.*, self.nacks.*, self.probes.*, self.bypassed.*,
            self.mac_errors.*, self.malformed.*, self.checksum_errors.*, self.icrc_errors.*,
            self.unknown_connections.*, self.wrong_peers.*, self.wrong_vlans.*, self.wrong_pkeys.*, self.overflows.*,
            self.bypass_overflows.*
            <- self.*: clk, rst,
        );
        self.data.one.next = self.data_in.val();
        self.stat_data.next = self.data.count.val();
        self.trims.one.next = self.is_trim.val() & self.arrival_room.val();
        self.stat_trims.next = self.trims.count.val();
        self.acks.one.next = self.is_ack.val() & self.acknowledgement_room.val();
        self.stat_acks.next = self.acks.count.val();
        self.nacks.one.next = self.is_nack.val() & self.acknowledgement_room.val();
        self.stat_nacks.next = self.nacks.count.val();
        self.probes.one.next = self.is_probe.val() & self.arrival_room.val();
        self.stat_probes.next = self.probes.count.val();
        self.bypassed.one.next = self.bypass_in.val();
        self.stat_bypassed.next = self.bypassed.count.val();
        self.mac_errors.one.next = self.verdict.word.val().bad;
        self.stat_mac_errors.next = self.mac_errors.count.val();
        self.malformed.one.next = self.verdict.word.val().malformed;
        self.stat_malformed.next = self.malformed.count.val();
        self.checksum_errors.one.next = self.verdict.word.val().checksum;
        self.stat_checksum_errors.next = self.checksum_errors.count.val();
        self.icrc_errors.one.next = self.verdict.word.val().icrc;
        self.stat_icrc_errors.next = self.icrc_errors.count.val();
        self.unknown_connections.one.next = self.verdict.word.val().unknown;
        self.stat_unknown_connections.next = self.unknown_connections.count.val();
        self.wrong_peers.one.next = self.verdict.word.val().stranger;
        self.stat_wrong_peers.next = self.wrong_peers.count.val();
        self.wrong_vlans.one.next = self.verdict.word.val().vlan;
        self.stat_wrong_vlans.next = self.wrong_vlans.count.val();
        self.wrong_pkeys.one.next = self.verdict.word.val().partition;
        self.stat_wrong_pkeys.next = self.wrong_pkeys.count.val();
        self.overflows.one.next = ((self.is_data.val() | self.is_trim.val() | self.is_probe.val())
            & self.arrivals.full.val())
            | (self.is_data.val() & self.payload_lost.val())
            | ((self.is_ack.val() | self.is_nack.val()) & self.acknowledgements.full.val());
        self.stat_overflows.next = self.overflows.count.val();
        self.bypass_overflows.one.next =
            self.s5_ends.val() & self.classify.foreign.val() & self.bypass_lost.val();
        self.stat_bypass_overflows.next = self.bypass_overflows.count.val();
    }
}

/// The Verilog of `weft_ingress`, one module per file, for parameters that were checked.
pub fn emit(params: &SackParams) -> Result<Vec<Module>, EmitError> {
    emit_with(params, SackParams::WINDOW)
}

/// [`emit`], with a window of `psns`: 256, 512 or 1,024.
pub fn emit_with(params: &SackParams, psns: u32) -> Result<Vec<Module>, EmitError> {
    let emitter = told(crate::part::emitter().parameter("connections", params.connections), psns);
    // Widths are types in Rust-HDL: every shape is an instance of its own.
    macro_rules! shaped {
        ($a:literal; $($window:literal),*) => {
            emitter.emit_new::<Ingress<$a, { $a + Arrival::BITS }, { $a + Acknowledgement::BITS }, $($window),*>>(
                "weft_ingress",
            )
        };
    }
    macro_rules! shape {
        ($a:literal) => {
            match psns {
                512 => shaped!($a; 9, 10, 1),
                1024 => shaped!($a; 10, 11, 1),
                _ => shaped!($a; 8, 9, 0),
            }
        };
    }
    by_connections!(params.connections, shape)
}
