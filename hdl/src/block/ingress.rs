//! `weft_ingress`: frames in, packets and acknowledgements out (page `docs/blocks/ingress.md`).

pub mod align;
pub mod checksum;
pub mod classify;
pub mod fields;
pub mod integrity;
pub mod payload;
pub mod peers;
pub mod reverse;
pub mod verdict;
pub mod words;

use crate::emit::{EmitError, Module};
use crate::part::counter::Counter;
use crate::part::fifo::Fifo;
use crate::prelude::*;
use align::Align;
use checksum::Checksum;
use classify::Classify;
use fields::Fields;
use integrity::Integrity;
use payload::Payload;
use peers::Peers;
use reverse::Reverse;
use verdict::Verdict;
use weft_params::SackParams;
use words::Beat;

/// What comes in from the network: takes Ethernet frames apart into arrivals, payload and acknowledgements, and
/// hands on the frames of others.
///
/// # Parameters
///
/// `A` bits of connection number; `R = A + 221` (arrival), `K = A + 346` (acknowledgement).
#[derive(LogicBlock)]
pub struct Ingress<const A: usize, const R: usize, const K: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset. Afterwards a sweep closes all connections, one per clock.
    pub rst: Signal<In, Bit>,
    /// Frames from the MAC, always taken.
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
    /// Low during the sweep.
    pub s_axis_peer_tready: Signal<Out, Bit>,
    /// Connection.
    pub s_axis_peer_tid: Signal<In, Bits<A>>,
    /// Open in bit 0, IPv6 1, address 129:2 (IPv4 in its low bits, zeros above).
    pub s_axis_peer_tdata: Signal<In, Bits<130>>,
    /// Packets for the receiver out.
    pub m_axis_arrival_tvalid: Signal<Out, Bit>,
    /// Back-pressure.
    pub m_axis_arrival_tready: Signal<In, Bit>,
    /// Connection.
    pub m_axis_arrival_tid: Signal<Out, Bits<A>>,
    /// The packet.
    pub m_axis_arrival_tdata: Signal<Out, Bits<221>>,
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
    /// The acknowledgement.
    pub m_axis_acknowledgement_tdata: Signal<Out, Bits<346>>,
    /// Frames of others out, as they came.
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
    /// CSR: queue pair of connection 0; its low bits, as many as a connection has, are not looked at.
    pub cfg_qp_base: Signal<In, Bits<24>>,
    /// CSR: DSCP of trimmed packets.
    pub cfg_dscp_trimmed: Signal<In, Bits<6>>,
    /// CSR: DSCP of packets trimmed at the last hop.
    pub cfg_dscp_trimmed_last_hop: Signal<In, Bits<6>>,
    /// Data packets accepted, saturating, as all counters.
    pub stat_data: Signal<Out, Bits<32>>,
    /// Trimmed packets accepted.
    pub stat_trims: Signal<Out, Bits<32>>,
    /// ACKs accepted.
    pub stat_acks: Signal<Out, Bits<32>>,
    /// NACKs accepted.
    pub stat_nacks: Signal<Out, Bits<32>>,
    /// Probes accepted.
    pub stat_probes: Signal<Out, Bits<32>>,
    /// Frames to the bypass.
    pub stat_bypassed: Signal<Out, Bits<32>>,
    /// Frames that the MAC found bad, dropped.
    pub stat_mac_errors: Signal<Out, Bits<32>>,
    /// Frames that contradict themselves, dropped.
    pub stat_malformed: Signal<Out, Bits<32>>,
    /// Frames whose IPv4 header has a wrong checksum, dropped.
    pub stat_checksum_errors: Signal<Out, Bits<32>>,
    /// Frames with a wrong ICRC, dropped.
    pub stat_icrc_errors: Signal<Out, Bits<32>>,
    /// Frames for queue pairs out of range or closed connections, dropped.
    pub stat_unknown_connections: Signal<Out, Bits<32>>,
    /// Frames from others than the connection's peer, dropped.
    pub stat_wrong_peers: Signal<Out, Bits<32>>,
    /// Frames for which there was no room, dropped.
    pub stat_overflows: Signal<Out, Bits<32>>,
    /// Frames for which the bypass had no room, dropped.
    pub stat_bypass_overflows: Signal<Out, Bits<32>>,

    align: Align,
    ip_number: Reverse,
    head_number: Reverse,
    tail_number: Reverse,
    integrity: Integrity,
    checksum: Checksum,
    classify: Classify,
    fields: Fields,
    peers: Peers<A>,
    payload: Payload,
    verdict: Verdict,
    arrivals: Fifo<Bits<R>, 6, 7>,
    payloads: Fifo<Beat, 9, 10>,
    acknowledgements: Fifo<Bits<K>, 6, 7>,
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
    overflows: Counter,
    bypass_overflows: Counter,
    id_bits: Constant<Bits<8>>,
    net: Signal<Local, Beat>,
    beat: Signal<Local, Beat>,
    lives: Reg<Bits<14>>,
    ends: Signal<Local, Bit>,
    lasts: Reg<Bits<14>>,
    pushes: Reg<Bits<12>>,
    qp: Signal<Local, Bits<24>>,
    apart: Signal<Local, Bits<24>>,
    s4_in_range: Pipe<Bit>,
    s4_id: Pipe<Bits<A>>,
    s17_word: Delay<Beat>,
    s17_beat: Delay<Beat>,
    s17_id: Delay<Bits<A>>,
    s17_arrival: Delay<Bits<221>>,
    s17_acknowledgement: Delay<Bits<346>>,
    last: Signal<Local, Bit>,
    is_data: Signal<Local, Bit>,
    is_trim: Signal<Local, Bit>,
    is_probe: Signal<Local, Bit>,
    is_ack: Signal<Local, Bit>,
    is_nack: Signal<Local, Bit>,
    is_foreign: Signal<Local, Bit>,
    payload_full: Signal<Local, Bit>,
    payload_lost: Signal<Local, Bit>,
    losing: Reg<Bit>,
    arrival_room: Signal<Local, Bit>,
    data_in: Signal<Local, Bit>,
    other_in: Signal<Local, Bit>,
    acknowledgement_room: Signal<Local, Bit>,
    acknowledgement_in: Signal<Local, Bit>,
    bypass_full: Signal<Local, Bit>,
    bypass_lost: Signal<Local, Bit>,
    bypass_losing: Reg<Bit>,
    bypass_in: Signal<Local, Bit>,
    paid: Signal<Local, Beat>,
    passed: Signal<Local, Beat>,
}
impl<const A: usize, const R: usize, const K: usize> Default for Ingress<A, R, K> {
    fn default() -> Self {
        Ingress {
            clk: Default::default(),
            rst: Default::default(),
            s_axis_net_tvalid: Default::default(),
            s_axis_net_tdata: Default::default(),
            s_axis_net_tkeep: Default::default(),
            s_axis_net_tlast: Default::default(),
            s_axis_net_tuser: Default::default(),
            s_axis_peer_tvalid: Default::default(),
            s_axis_peer_tready: Default::default(),
            s_axis_peer_tid: Default::default(),
            s_axis_peer_tdata: Default::default(),
            m_axis_arrival_tvalid: Default::default(),
            m_axis_arrival_tready: Default::default(),
            m_axis_arrival_tid: Default::default(),
            m_axis_arrival_tdata: Default::default(),
            m_axis_payload_tvalid: Default::default(),
            m_axis_payload_tready: Default::default(),
            m_axis_payload_tdata: Default::default(),
            m_axis_payload_tkeep: Default::default(),
            m_axis_payload_tlast: Default::default(),
            m_axis_acknowledgement_tvalid: Default::default(),
            m_axis_acknowledgement_tready: Default::default(),
            m_axis_acknowledgement_tid: Default::default(),
            m_axis_acknowledgement_tdata: Default::default(),
            m_axis_bypass_tvalid: Default::default(),
            m_axis_bypass_tready: Default::default(),
            m_axis_bypass_tdata: Default::default(),
            m_axis_bypass_tkeep: Default::default(),
            m_axis_bypass_tlast: Default::default(),
            m_axis_bypass_tuser: Default::default(),
            cfg_ipv4: Default::default(),
            cfg_ipv6: Default::default(),
            cfg_qp_base: Default::default(),
            cfg_dscp_trimmed: Default::default(),
            cfg_dscp_trimmed_last_hop: Default::default(),
            stat_data: Default::default(),
            stat_trims: Default::default(),
            stat_acks: Default::default(),
            stat_nacks: Default::default(),
            stat_probes: Default::default(),
            stat_bypassed: Default::default(),
            stat_mac_errors: Default::default(),
            stat_malformed: Default::default(),
            stat_checksum_errors: Default::default(),
            stat_icrc_errors: Default::default(),
            stat_unknown_connections: Default::default(),
            stat_wrong_peers: Default::default(),
            stat_overflows: Default::default(),
            stat_bypass_overflows: Default::default(),
            align: Default::default(),
            ip_number: Default::default(),
            head_number: Default::default(),
            tail_number: Default::default(),
            integrity: Default::default(),
            checksum: Default::default(),
            classify: Default::default(),
            fields: Default::default(),
            peers: Default::default(),
            payload: Default::default(),
            verdict: Default::default(),
            arrivals: Default::default(),
            payloads: Default::default(),
            acknowledgements: Default::default(),
            bypass: Default::default(),
            data: Default::default(),
            trims: Default::default(),
            acks: Default::default(),
            nacks: Default::default(),
            probes: Default::default(),
            bypassed: Default::default(),
            mac_errors: Default::default(),
            malformed: Default::default(),
            checksum_errors: Default::default(),
            icrc_errors: Default::default(),
            unknown_connections: Default::default(),
            wrong_peers: Default::default(),
            overflows: Default::default(),
            bypass_overflows: Default::default(),
            id_bits: Constant::new(A.to_bits()),
            net: Default::default(),
            beat: Default::default(),
            lives: Default::default(),
            ends: Default::default(),
            lasts: Default::default(),
            pushes: Default::default(),
            qp: Default::default(),
            apart: Default::default(),
            s4_in_range: Default::default(),
            s4_id: Default::default(),
            s17_word: Delay::new(12),
            s17_beat: Delay::new(14),
            s17_id: Delay::new(13),
            s17_arrival: Delay::new(12),
            s17_acknowledgement: Delay::new(12),
            last: Default::default(),
            is_data: Default::default(),
            is_trim: Default::default(),
            is_probe: Default::default(),
            is_ack: Default::default(),
            is_nack: Default::default(),
            is_foreign: Default::default(),
            payload_full: Default::default(),
            payload_lost: Default::default(),
            losing: Default::default(),
            arrival_room: Default::default(),
            data_in: Default::default(),
            other_in: Default::default(),
            acknowledgement_room: Default::default(),
            acknowledgement_in: Default::default(),
            bypass_full: Default::default(),
            bypass_lost: Default::default(),
            bypass_losing: Default::default(),
            bypass_in: Default::default(),
            paid: Default::default(),
            passed: Default::default(),
        }
    }
}

impl<const A: usize, const R: usize, const K: usize> Logic for Ingress<A, R, K> {
    #[hdl_gen]
    fn update(&mut self) {
        // Stages 1 to 3: frames, and where their headers are.
        self.net.next.data = self.s_axis_net_tdata.val();
        self.net.next.keep = self.s_axis_net_tkeep.val();
        self.net.next.last = self.s_axis_net_tlast.val();
        self.net.next.bad = self.s_axis_net_tuser.val();
        self.align.clk.next = self.clk.val();
        self.align.rst.next = self.rst.val();
        self.align.net_valid.next = self.s_axis_net_tvalid.val();
        self.align.net.next = self.net.val();
        self.ip_number.bytes.next = bit_cast::<512, 320>(self.align.ip.val());
        self.head_number.bytes.next = self.align.head.val();
        self.tail_number.bytes.next = bit_cast::<512, 160>(self.align.tail.val());
        self.beat.next = self.align.beat.val();
        // Bit i: a word is in stage i + 4; likewise the last of a frame, a word of payload in stage i + 6.
        self.lives.clk.next = self.clk.val();
        self.lives.rst.next = self.rst.val();
        self.lives.en.next = true;
        self.lives.d.next = (self.lives.q.val() << 1) | bit_cast::<14, 1>(self.align.live.val().into());
        self.ends.next = self.align.live.val() & self.beat.val().last;
        self.lasts.clk.next = self.clk.val();
        self.lasts.rst.next = self.rst.val();
        self.lasts.en.next = true;
        self.lasts.d.next = (self.lasts.q.val() << 1) | bit_cast::<14, 1>(self.ends.val().into());
        self.pushes.clk.next = self.clk.val();
        self.pushes.rst.next = self.rst.val();
        self.pushes.en.next = true;
        self.pushes.d.next = (self.pushes.q.val() << 1) | bit_cast::<12, 1>(self.payload.push.val().into());

        // Stages 4 to 16: what a frame is, whether it is whole, whose it is.
        self.integrity.clk.next = self.clk.val();
        self.integrity.rst.next = self.rst.val();
        self.integrity.live.next = self.align.live.val();
        self.integrity.first.next = self.align.first.val();
        self.integrity.second.next = self.align.second.val();
        self.integrity.beat.next = self.align.beat.val();
        self.integrity.left.next = self.align.left.val();
        self.integrity.vlan.next = self.align.vlan.val();
        self.integrity.v6.next = self.align.v6.val();
        self.checksum.clk.next = self.clk.val();
        self.checksum.ip.next = self.ip_number.number.val();
        self.classify.clk.next = self.clk.val();
        self.classify.v4.next = self.align.v4.val();
        self.classify.v6.next = self.align.v6.val();
        self.classify.ip.next = self.ip_number.number.val();
        self.classify.head.next = self.head_number.number.val();
        self.classify.head_keep.next = self.align.head_keep.val();
        self.classify.bad.next = self.beat.val().bad;
        self.classify.cut.next = self.integrity.cut.val();
        self.classify.ipv4.next = self.cfg_ipv4.val();
        self.classify.ipv6.next = self.cfg_ipv6.val();
        self.classify.dscp_trimmed.next = self.cfg_dscp_trimmed.val();
        self.classify.dscp_trimmed_last_hop.next = self.cfg_dscp_trimmed_last_hop.val();
        self.fields.clk.next = self.clk.val();
        self.fields.v6.next = self.align.v6.val();
        self.fields.ip.next = self.ip_number.number.val();
        self.fields.head.next = self.head_number.number.val();
        self.fields.head_keep.next = self.align.head_keep.val();
        self.fields.tail.next = self.tail_number.number.val().get_bits::<160>(352);
        self.fields.dscp_trimmed.next = self.cfg_dscp_trimmed.val();
        self.fields.dscp_trimmed_last_hop.next = self.cfg_dscp_trimmed_last_hop.val();
        self.qp.next = self.head_number.number.val().get_bits::<24>(384);
        self.apart.next = (self.qp.val() ^ self.cfg_qp_base.val()) >> self.id_bits.val();
        self.s4_in_range.clk.next = self.clk.val();
        self.s4_in_range.en.next = true;
        self.s4_in_range.d.next = !self.apart.val().any();
        self.s4_id.clk.next = self.clk.val();
        self.s4_id.en.next = true;
        self.s4_id.d.next = self.qp.val().get_bits::<A>(0);
        self.peers.clk.next = self.clk.val();
        self.peers.rst.next = self.rst.val();
        self.peers.valid.next = self.s_axis_peer_tvalid.val();
        self.s_axis_peer_tready.next = self.peers.ready.val();
        self.peers.id.next = self.s_axis_peer_tid.val();
        self.peers.peer.next.open = self.s_axis_peer_tdata.val().get_bit(0);
        self.peers.peer.next.v6 = self.s_axis_peer_tdata.val().get_bit(1);
        self.peers.peer.next.address = self.s_axis_peer_tdata.val().get_bits::<128>(2);
        self.peers.wanted.next = self.s4_id.q.val();
        self.verdict.clk.next = self.clk.val();
        self.verdict.rst.next = self.rst.val();
        self.verdict.v6.next = self.align.v6.val();
        self.verdict.ip.next = self.ip_number.number.val();
        self.verdict.in_range.next = self.s4_in_range.q.val();
        self.verdict.kind.next = self.classify.kind.val();
        self.verdict.peer.next = self.peers.found.val();
        self.verdict.checksum_wrong.next = self.checksum.wrong.val();
        self.verdict.icrc_right.next = self.integrity.right.val();
        self.verdict.ends.next = self.lasts.q.val().get_bit(12);

        // Up to stage 17 all that may leave waits for the verdict.
        self.payload.clk.next = self.clk.val();
        self.payload.rst.next = self.rst.val();
        self.payload.live.next = self.align.live.val();
        self.payload.first.next = self.align.first.val();
        self.payload.part.next = self.align.part.val();
        self.s17_word.clk.next = self.clk.val();
        self.s17_word.en.next = true;
        self.s17_word.d.next = self.payload.word.val();
        self.s17_beat.clk.next = self.clk.val();
        self.s17_beat.en.next = true;
        self.s17_beat.d.next = self.beat.val();
        self.s17_id.clk.next = self.clk.val();
        self.s17_id.en.next = true;
        self.s17_id.d.next = self.s4_id.q.val();
        self.s17_arrival.clk.next = self.clk.val();
        self.s17_arrival.en.next = true;
        self.s17_arrival.d.next = self.fields.arrival.val();
        self.s17_acknowledgement.clk.next = self.clk.val();
        self.s17_acknowledgement.en.next = true;
        self.s17_acknowledgement.d.next = self.fields.acknowledgement.val();

        // Stage 17: in, if there is room.
        self.last.next = self.lasts.q.val().get_bit(13);
        self.is_data.next = self.verdict.word.val().data;
        self.is_trim.next = self.verdict.word.val().trimmed;
        self.is_probe.next = self.verdict.word.val().probe;
        self.is_ack.next = self.verdict.word.val().ack;
        self.is_nack.next = self.verdict.word.val().nack;
        self.is_foreign.next = self.verdict.word.val().foreign;
        self.payload_full.next = self.payloads.level.val().get_bit(9);
        self.payload_lost.next =
            self.losing.q.val() | (self.pushes.q.val().get_bit(11) & self.payload_full.val());
        self.losing.clk.next = self.clk.val();
        self.losing.rst.next = self.rst.val();
        self.losing.en.next = true;
        self.losing.d.next = self.payload_lost.val() & !self.last.val();
        self.arrival_room.next = !self.arrivals.level.val().get_bit(6);
        self.data_in.next = self.is_data.val() & self.arrival_room.val() & !self.payload_lost.val();
        self.other_in.next = (self.is_trim.val() | self.is_probe.val()) & self.arrival_room.val();
        self.acknowledgement_room.next = !self.acknowledgements.level.val().get_bit(6);
        self.acknowledgement_in.next =
            (self.is_ack.val() | self.is_nack.val()) & self.acknowledgement_room.val();
        self.bypass_full.next = self.bypass.level.val().get_bit(9);
        self.bypass_lost.next =
            self.bypass_losing.q.val() | (self.lives.q.val().get_bit(13) & self.bypass_full.val());
        self.bypass_losing.clk.next = self.clk.val();
        self.bypass_losing.rst.next = self.rst.val();
        self.bypass_losing.en.next = true;
        self.bypass_losing.d.next = self.bypass_lost.val() & !self.last.val();
        self.bypass_in.next = self.is_foreign.val() & !self.bypass_lost.val();

        self.arrivals.clk.next = self.clk.val();
        self.arrivals.rst.next = self.rst.val();
        self.arrivals.in_valid.next = self.data_in.val() | self.other_in.val();
        self.arrivals.in_word.next =
            bit_cast::<R, 221>(self.s17_arrival.q.val()) | (bit_cast::<R, A>(self.s17_id.q.val()) << 221);
        self.arrivals.in_commit.next = true;
        self.arrivals.in_rollback.next = false;
        self.arrivals.out_ready.next = self.m_axis_arrival_tready.val();
        self.m_axis_arrival_tvalid.next = self.arrivals.out_valid.val();
        self.m_axis_arrival_tdata.next = self.arrivals.out_word.val().get_bits::<221>(0);
        self.m_axis_arrival_tid.next = self.arrivals.out_word.val().get_bits::<A>(221);

        self.payloads.clk.next = self.clk.val();
        self.payloads.rst.next = self.rst.val();
        self.payloads.in_valid.next = self.pushes.q.val().get_bit(11);
        self.payloads.in_word.next = self.s17_word.q.val();
        self.payloads.in_commit.next = self.data_in.val();
        self.payloads.in_rollback.next = self.last.val() & !self.data_in.val();
        self.payloads.out_ready.next = self.m_axis_payload_tready.val();
        self.paid.next = self.payloads.out_word.val();
        self.m_axis_payload_tvalid.next = self.payloads.out_valid.val();
        self.m_axis_payload_tdata.next = self.paid.val().data;
        self.m_axis_payload_tkeep.next = self.paid.val().keep;
        self.m_axis_payload_tlast.next = self.paid.val().last;

        self.acknowledgements.clk.next = self.clk.val();
        self.acknowledgements.rst.next = self.rst.val();
        self.acknowledgements.in_valid.next = self.acknowledgement_in.val();
        self.acknowledgements.in_word.next = bit_cast::<K, 346>(self.s17_acknowledgement.q.val())
            | (bit_cast::<K, A>(self.s17_id.q.val()) << 346);
        self.acknowledgements.in_commit.next = true;
        self.acknowledgements.in_rollback.next = false;
        self.acknowledgements.out_ready.next = self.m_axis_acknowledgement_tready.val();
        self.m_axis_acknowledgement_tvalid.next = self.acknowledgements.out_valid.val();
        self.m_axis_acknowledgement_tdata.next = self.acknowledgements.out_word.val().get_bits::<346>(0);
        self.m_axis_acknowledgement_tid.next = self.acknowledgements.out_word.val().get_bits::<A>(346);

        self.bypass.clk.next = self.clk.val();
        self.bypass.rst.next = self.rst.val();
        self.bypass.in_valid.next = self.lives.q.val().get_bit(13);
        self.bypass.in_word.next = self.s17_beat.q.val();
        self.bypass.in_commit.next = self.bypass_in.val();
        self.bypass.in_rollback.next = self.last.val() & !self.bypass_in.val();
        self.bypass.out_ready.next = self.m_axis_bypass_tready.val();
        self.passed.next = self.bypass.out_word.val();
        self.m_axis_bypass_tvalid.next = self.bypass.out_valid.val();
        self.m_axis_bypass_tdata.next = self.passed.val().data;
        self.m_axis_bypass_tkeep.next = self.passed.val().keep;
        self.m_axis_bypass_tlast.next = self.passed.val().last;
        self.m_axis_bypass_tuser.next = self.passed.val().bad;

        // Counters.
        self.data.clk.next = self.clk.val();
        self.data.rst.next = self.rst.val();
        self.data.one.next = self.data_in.val();
        self.stat_data.next = self.data.count.val();
        self.trims.clk.next = self.clk.val();
        self.trims.rst.next = self.rst.val();
        self.trims.one.next = self.is_trim.val() & self.arrival_room.val();
        self.stat_trims.next = self.trims.count.val();
        self.acks.clk.next = self.clk.val();
        self.acks.rst.next = self.rst.val();
        self.acks.one.next = self.is_ack.val() & self.acknowledgement_room.val();
        self.stat_acks.next = self.acks.count.val();
        self.nacks.clk.next = self.clk.val();
        self.nacks.rst.next = self.rst.val();
        self.nacks.one.next = self.is_nack.val() & self.acknowledgement_room.val();
        self.stat_nacks.next = self.nacks.count.val();
        self.probes.clk.next = self.clk.val();
        self.probes.rst.next = self.rst.val();
        self.probes.one.next = self.is_probe.val() & self.arrival_room.val();
        self.stat_probes.next = self.probes.count.val();
        self.bypassed.clk.next = self.clk.val();
        self.bypassed.rst.next = self.rst.val();
        self.bypassed.one.next = self.bypass_in.val();
        self.stat_bypassed.next = self.bypassed.count.val();
        self.mac_errors.clk.next = self.clk.val();
        self.mac_errors.rst.next = self.rst.val();
        self.mac_errors.one.next = self.verdict.word.val().bad;
        self.stat_mac_errors.next = self.mac_errors.count.val();
        self.malformed.clk.next = self.clk.val();
        self.malformed.rst.next = self.rst.val();
        self.malformed.one.next = self.verdict.word.val().malformed;
        self.stat_malformed.next = self.malformed.count.val();
        self.checksum_errors.clk.next = self.clk.val();
        self.checksum_errors.rst.next = self.rst.val();
        self.checksum_errors.one.next = self.verdict.word.val().checksum;
        self.stat_checksum_errors.next = self.checksum_errors.count.val();
        self.icrc_errors.clk.next = self.clk.val();
        self.icrc_errors.rst.next = self.rst.val();
        self.icrc_errors.one.next = self.verdict.word.val().icrc;
        self.stat_icrc_errors.next = self.icrc_errors.count.val();
        self.unknown_connections.clk.next = self.clk.val();
        self.unknown_connections.rst.next = self.rst.val();
        self.unknown_connections.one.next = self.verdict.word.val().unknown;
        self.stat_unknown_connections.next = self.unknown_connections.count.val();
        self.wrong_peers.clk.next = self.clk.val();
        self.wrong_peers.rst.next = self.rst.val();
        self.wrong_peers.one.next = self.verdict.word.val().stranger;
        self.stat_wrong_peers.next = self.wrong_peers.count.val();
        self.overflows.clk.next = self.clk.val();
        self.overflows.rst.next = self.rst.val();
        self.overflows.one.next = ((self.is_data.val() | self.is_trim.val() | self.is_probe.val())
            & !self.data_in.val()
            & !self.other_in.val())
            | ((self.is_ack.val() | self.is_nack.val()) & !self.acknowledgement_room.val());
        self.stat_overflows.next = self.overflows.count.val();
        self.bypass_overflows.clk.next = self.clk.val();
        self.bypass_overflows.rst.next = self.rst.val();
        self.bypass_overflows.one.next = self.is_foreign.val() & self.bypass_lost.val();
        self.stat_bypass_overflows.next = self.bypass_overflows.count.val();
    }
}

/// The Verilog of `weft_ingress`, one module per file, for parameters that passed their check.
pub fn emit(params: &SackParams) -> Result<Vec<Module>, EmitError> {
    let emitter = crate::part::emitter().parameter("connections", params.connections);
    // Widths are types in Rust-HDL: every shape is an instance of its own.
    macro_rules! shape {
        ($a:literal) => {
            emitter.emit_new::<Ingress<$a, { $a + 221 }, { $a + 346 }>>("weft_ingress")
        };
    }
    match params.connections {
        4 => shape!(2),
        16 => shape!(4),
        64 => shape!(6),
        256 => shape!(8),
        1024 => shape!(10),
        _ => shape!(12),
    }
}
