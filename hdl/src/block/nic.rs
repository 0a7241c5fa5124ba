//! `weft_nic`: the NIC (page `docs/blocks/nic.md`). Wires only: what it does is in its blocks.

pub mod behind;
pub mod narrow;
pub mod words;

use crate::block::egress::Egress;
use crate::block::ingress::Ingress;
use crate::block::receiver::Receiver;
use crate::block::registers::top::Registers;
use crate::block::sender::Sender;
use crate::emit::{EmitError, Emitter, Module};
use crate::prelude::*;
use narrow::NarrowNic;
use weft_params::{NicParams, RepsParams, SackParams};

/// The NIC: ingress, receiver, sender, egress and registers, and the wires between them.
///
/// # Parameters
///
/// `A` bits of connection number, and what the blocks derive from it.
#[derive(LogicBlock, Default)]
pub struct Nic<
    const A: usize,
    const B: usize,
    const M: usize,
    const P: usize,
    const R: usize,
    const AS: usize,
    const WT: usize,
    const WS: usize,
    const WR: usize,
    const IR: usize,
    const IK: usize,
    const RW: usize,
> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset. Afterwards sweeps close all connections.
    pub rst: Signal<In, Bit>,
    /// Write address; the low two bits do not count.
    pub s_axil_awaddr: Signal<In, Bits<16>>,
    /// It is offered.
    pub s_axil_awvalid: Signal<In, Bit>,
    /// It is taken.
    pub s_axil_awready: Signal<Out, Bit>,
    /// Write data.
    pub s_axil_wdata: Signal<In, Bits<32>>,
    /// The bytes of it that count.
    pub s_axil_wstrb: Signal<In, Bits<4>>,
    /// It is offered.
    pub s_axil_wvalid: Signal<In, Bit>,
    /// It is taken.
    pub s_axil_wready: Signal<Out, Bit>,
    /// How the write went: 0 OKAY, 2 SLVERR.
    pub s_axil_bresp: Signal<Out, Bits<2>>,
    /// That is offered.
    pub s_axil_bvalid: Signal<Out, Bit>,
    /// It is taken.
    pub s_axil_bready: Signal<In, Bit>,
    /// Read address; the low two bits do not count.
    pub s_axil_araddr: Signal<In, Bits<16>>,
    /// It is offered.
    pub s_axil_arvalid: Signal<In, Bit>,
    /// It is taken.
    pub s_axil_arready: Signal<Out, Bit>,
    /// What was read; 0 with SLVERR.
    pub s_axil_rdata: Signal<Out, Bits<32>>,
    /// How the read went: 0 OKAY, 2 SLVERR.
    pub s_axil_rresp: Signal<Out, Bits<2>>,
    /// That is offered.
    pub s_axil_rvalid: Signal<Out, Bit>,
    /// It is taken.
    pub s_axil_rready: Signal<In, Bit>,
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
    /// Frames to be sent.
    pub m_axis_net_tvalid: Signal<Out, Bit>,
    /// Back-pressure.
    pub m_axis_net_tready: Signal<In, Bit>,
    /// The bytes.
    pub m_axis_net_tdata: Signal<Out, Bits<512>>,
    /// Which of them count.
    pub m_axis_net_tkeep: Signal<Out, Bits<64>>,
    /// Last of a frame.
    pub m_axis_net_tlast: Signal<Out, Bit>,
    /// With it: the frame is bad.
    pub m_axis_net_tuser: Signal<Out, Bit>,
    /// Frames of others.
    pub s_axis_bypass_tvalid: Signal<In, Bit>,
    /// Back-pressure.
    pub s_axis_bypass_tready: Signal<Out, Bit>,
    /// The bytes.
    pub s_axis_bypass_tdata: Signal<In, Bits<512>>,
    /// Which of them count.
    pub s_axis_bypass_tkeep: Signal<In, Bits<64>>,
    /// Last of a frame.
    pub s_axis_bypass_tlast: Signal<In, Bit>,
    /// With it: the frame is bad.
    pub s_axis_bypass_tuser: Signal<In, Bit>,
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
    /// Work requests in.
    pub s_axis_work_tvalid: Signal<In, Bit>,
    /// Low during the sweep, and while one is worked on.
    pub s_axis_work_tready: Signal<Out, Bit>,
    /// Connection.
    pub s_axis_work_tid: Signal<In, Bits<A>>,
    /// Local address in bits 63:0, remote 127:64, key 159:128, length 191:160, immediate 223:192, id 255:224.
    pub s_axis_work_tdata: Signal<In, crate::block::sender::words::Work>,
    /// With immediate.
    pub s_axis_work_tuser: Signal<In, Bit>,
    /// DMA read requests out, in the order of the orders that carry bytes.
    pub m_axis_fetch_tvalid: Signal<Out, Bit>,
    /// Back-pressure.
    pub m_axis_fetch_tready: Signal<In, Bit>,
    /// Connection.
    pub m_axis_fetch_tid: Signal<Out, Bits<A>>,
    /// Address in bits 63:0, bytes 77:64.
    pub m_axis_fetch_tdata: Signal<Out, crate::block::sender::words::Place>,
    /// Read data: the payload of the orders that have any, in their order.
    pub s_axis_read_tvalid: Signal<In, Bit>,
    /// Back-pressure.
    pub s_axis_read_tready: Signal<Out, Bit>,
    /// The bytes.
    pub s_axis_read_tdata: Signal<In, Bits<512>>,
    /// Not looked at: the order says how many bytes count.
    pub s_axis_read_tkeep: Signal<In, Bits<64>>,
    /// Last of a packet's payload.
    pub s_axis_read_tlast: Signal<In, Bit>,
    /// With it: they are wrong.
    pub s_axis_read_tuser: Signal<In, Bit>,
    /// Payload to be written to host memory.
    pub m_axis_write_tvalid: Signal<Out, Bit>,
    /// Back-pressure.
    pub m_axis_write_tready: Signal<In, Bit>,
    /// Connection.
    pub m_axis_write_tid: Signal<Out, Bits<A>>,
    /// Bytes, the first lowest.
    pub m_axis_write_tdata: Signal<Out, Bits<512>>,
    /// Bytes that count.
    pub m_axis_write_tkeep: Signal<Out, Bits<64>>,
    /// Last word of its packet.
    pub m_axis_write_tlast: Signal<Out, Bit>,
    /// Of the packet: address in bits 63:0, bytes 77:64.
    pub m_axis_write_tuser: Signal<Out, Bits<78>>,
    /// Completions of messages with an immediate.
    pub m_axis_received_tvalid: Signal<Out, Bit>,
    /// Back-pressure.
    pub m_axis_received_tready: Signal<In, Bit>,
    /// Connection.
    pub m_axis_received_tid: Signal<Out, Bits<A>>,
    /// Immediate in bits 31:0, number of the message 55:32.
    pub m_axis_received_tdata: Signal<Out, Bits<56>>,
    /// Completions of work requests out.
    pub m_axis_sent_tvalid: Signal<Out, Bit>,
    /// Back-pressure.
    pub m_axis_sent_tready: Signal<In, Bit>,
    /// Connection.
    pub m_axis_sent_tid: Signal<Out, Bits<A>>,
    /// Id of the request.
    pub m_axis_sent_tdata: Signal<Out, Bits<32>>,
    /// 0 done, 1 error, 2 refused.
    pub m_axis_sent_tuser: Signal<Out, Bits<2>>,

    registers: Registers<A>,
    ingress: Ingress<A, IR, IK>,
    receiver: Receiver<A, M, R, RW>,
    sender: Sender<A, B, M, P, R, AS, WT, WS, WR>,
    egress: Egress<A>,
    receiver_arrival: Signal<Local, crate::block::nic::words::Arrival>,
    receiver_control: Signal<Local, crate::block::receiver::words::Control>,
    sender_acknowledgement: Signal<Local, crate::block::nic::words::Acknowledgement>,
    sender_control: Signal<Local, crate::block::sender::words::Control>,
    egress_peer: Signal<Local, crate::block::egress::words::Peer>,
}

impl<
    const A: usize,
    const B: usize,
    const M: usize,
    const P: usize,
    const R: usize,
    const AS: usize,
    const WT: usize,
    const WS: usize,
    const WR: usize,
    const IR: usize,
    const IK: usize,
    const RW: usize,
> Logic for Nic<A, B, M, P, R, AS, WT, WS, WR, IR, IK, RW>
{
    #[hdl_gen]
    fn update(&mut self) {
        // Registers.
        self.registers.clk.next = self.clk.val();
        self.registers.rst.next = self.rst.val();
        self.registers.s_axil_awaddr.next = self.s_axil_awaddr.val();
        self.registers.s_axil_awvalid.next = self.s_axil_awvalid.val();
        self.s_axil_awready.next = self.registers.s_axil_awready.val();
        self.registers.s_axil_wdata.next = self.s_axil_wdata.val();
        self.registers.s_axil_wstrb.next = self.s_axil_wstrb.val();
        self.registers.s_axil_wvalid.next = self.s_axil_wvalid.val();
        self.s_axil_wready.next = self.registers.s_axil_wready.val();
        self.s_axil_bresp.next = self.registers.s_axil_bresp.val();
        self.s_axil_bvalid.next = self.registers.s_axil_bvalid.val();
        self.registers.s_axil_bready.next = self.s_axil_bready.val();
        self.registers.s_axil_araddr.next = self.s_axil_araddr.val();
        self.registers.s_axil_arvalid.next = self.s_axil_arvalid.val();
        self.s_axil_arready.next = self.registers.s_axil_arready.val();
        self.s_axil_rdata.next = self.registers.s_axil_rdata.val();
        self.s_axil_rresp.next = self.registers.s_axil_rresp.val();
        self.s_axil_rvalid.next = self.registers.s_axil_rvalid.val();
        self.registers.s_axil_rready.next = self.s_axil_rready.val();

        // Ingress.
        self.ingress.clk.next = self.clk.val();
        self.ingress.rst.next = self.rst.val();
        self.ingress.s_axis_net_tvalid.next = self.s_axis_net_tvalid.val();
        self.ingress.s_axis_net_tdata.next = self.s_axis_net_tdata.val();
        self.ingress.s_axis_net_tkeep.next = self.s_axis_net_tkeep.val();
        self.ingress.s_axis_net_tlast.next = self.s_axis_net_tlast.val();
        self.ingress.s_axis_net_tuser.next = self.s_axis_net_tuser.val();
        self.ingress.s_axis_peer_tvalid.next = self.registers.m_axis_ingress_peer_tvalid.val();
        self.registers.m_axis_ingress_peer_tready.next = self.ingress.s_axis_peer_tready.val();
        self.ingress.s_axis_peer_tid.next = self.registers.m_axis_ingress_peer_tid.val();
        self.ingress.s_axis_peer_tdata.next = self.registers.m_axis_ingress_peer_tdata.val();
        self.m_axis_bypass_tvalid.next = self.ingress.m_axis_bypass_tvalid.val();
        self.ingress.m_axis_bypass_tready.next = self.m_axis_bypass_tready.val();
        self.m_axis_bypass_tdata.next = self.ingress.m_axis_bypass_tdata.val();
        self.m_axis_bypass_tkeep.next = self.ingress.m_axis_bypass_tkeep.val();
        self.m_axis_bypass_tlast.next = self.ingress.m_axis_bypass_tlast.val();
        self.m_axis_bypass_tuser.next = self.ingress.m_axis_bypass_tuser.val();
        self.ingress.cfg_ipv4.next = self.registers.cfg_ingress_ipv4.val();
        self.ingress.cfg_ipv6.next = self.registers.cfg_ingress_ipv6.val();
        self.ingress.cfg_qp_base.next = self.registers.cfg_ingress_qp_base.val();
        self.ingress.cfg_dscp_trimmed.next = self.registers.cfg_ingress_dscp_trimmed.val();
        self.ingress.cfg_dscp_trimmed_last_hop.next = self.registers.cfg_ingress_dscp_trimmed_last_hop.val();
        self.registers.stat_ingress_data.next = self.ingress.stat_data.val();
        self.registers.stat_ingress_trims.next = self.ingress.stat_trims.val();
        self.registers.stat_ingress_acks.next = self.ingress.stat_acks.val();
        self.registers.stat_ingress_nacks.next = self.ingress.stat_nacks.val();
        self.registers.stat_ingress_probes.next = self.ingress.stat_probes.val();
        self.registers.stat_ingress_bypassed.next = self.ingress.stat_bypassed.val();
        self.registers.stat_ingress_mac_errors.next = self.ingress.stat_mac_errors.val();
        self.registers.stat_ingress_malformed.next = self.ingress.stat_malformed.val();
        self.registers.stat_ingress_checksum_errors.next = self.ingress.stat_checksum_errors.val();
        self.registers.stat_ingress_icrc_errors.next = self.ingress.stat_icrc_errors.val();
        self.registers.stat_ingress_unknown_connections.next = self.ingress.stat_unknown_connections.val();
        self.registers.stat_ingress_wrong_peers.next = self.ingress.stat_wrong_peers.val();
        self.registers.stat_ingress_overflows.next = self.ingress.stat_overflows.val();
        self.registers.stat_ingress_bypass_overflows.next = self.ingress.stat_bypass_overflows.val();

        // Receiver.
        self.receiver.clk.next = self.clk.val();
        self.receiver.rst.next = self.rst.val();
        self.receiver.now.next = self.registers.now.val();
        self.receiver.s_axis_arrival_tvalid.next = self.ingress.m_axis_arrival_tvalid.val();
        self.ingress.m_axis_arrival_tready.next = self.receiver.s_axis_arrival_tready.val();
        self.receiver.s_axis_arrival_tid.next = self.ingress.m_axis_arrival_tid.val();
        self.receiver_arrival.next.kind = self.ingress.m_axis_arrival_tdata.val().get_bits::<2>(0);
        self.receiver_arrival.next.psn = self.ingress.m_axis_arrival_tdata.val().get_bits::<24>(2);
        self.receiver_arrival.next.ce = self.ingress.m_axis_arrival_tdata.val().get_bit(26);
        self.receiver_arrival.next.request = self.ingress.m_axis_arrival_tdata.val().get_bit(27);
        self.receiver_arrival.next.last = self.ingress.m_axis_arrival_tdata.val().get_bit(28);
        self.receiver_arrival.next.solicited = self.ingress.m_axis_arrival_tdata.val().get_bit(29);
        self.receiver_arrival.next.last_hop = self.ingress.m_axis_arrival_tdata.val().get_bit(30);
        self.receiver_arrival.next.ev = self.ingress.m_axis_arrival_tdata.val().get_bits::<16>(31);
        self.receiver_arrival.next.stamp = self.ingress.m_axis_arrival_tdata.val().get_bits::<16>(47);
        self.receiver_arrival.next.address = self.ingress.m_axis_arrival_tdata.val().get_bits::<64>(63);
        self.receiver_arrival.next.key = self.ingress.m_axis_arrival_tdata.val().get_bits::<32>(127);
        self.receiver_arrival.next.bytes = self.ingress.m_axis_arrival_tdata.val().get_bits::<14>(159);
        self.receiver_arrival.next.immediate = self.ingress.m_axis_arrival_tdata.val().get_bits::<32>(173);
        self.receiver_arrival.next.message = self.ingress.m_axis_arrival_tdata.val().get_bits::<16>(205);
        self.receiver.s_axis_arrival_tdata.next = self.receiver_arrival.val();
        self.receiver.s_axis_payload_tvalid.next = self.ingress.m_axis_payload_tvalid.val();
        self.ingress.m_axis_payload_tready.next = self.receiver.s_axis_payload_tready.val();
        self.receiver.s_axis_payload_tdata.next = self.ingress.m_axis_payload_tdata.val();
        self.receiver.s_axis_payload_tkeep.next = self.ingress.m_axis_payload_tkeep.val();
        self.receiver.s_axis_payload_tlast.next = self.ingress.m_axis_payload_tlast.val();
        self.receiver.s_axis_control_tvalid.next = self.registers.m_axis_receiver_control_tvalid.val();
        self.registers.m_axis_receiver_control_tready.next = self.receiver.s_axis_control_tready.val();
        self.receiver.s_axis_control_tid.next = self.registers.m_axis_receiver_control_tid.val();
        self.receiver_control.next.open = self.registers.m_axis_receiver_control_tdata.val().get_bit(0);
        self.receiver_control.next.psn = self.registers.m_axis_receiver_control_tdata.val().get_bits::<24>(1);
        self.receiver_control.next.base =
            self.registers.m_axis_receiver_control_tdata.val().get_bits::<64>(25);
        self.receiver_control.next.length =
            self.registers.m_axis_receiver_control_tdata.val().get_bits::<32>(89);
        self.receiver_control.next.key =
            self.registers.m_axis_receiver_control_tdata.val().get_bits::<32>(121);
        self.receiver.s_axis_control_tdata.next = self.receiver_control.val();
        self.m_axis_write_tvalid.next = self.receiver.m_axis_write_tvalid.val();
        self.receiver.m_axis_write_tready.next = self.m_axis_write_tready.val();
        self.m_axis_write_tid.next = self.receiver.m_axis_write_tid.val();
        self.m_axis_write_tdata.next = self.receiver.m_axis_write_tdata.val();
        self.m_axis_write_tkeep.next = self.receiver.m_axis_write_tkeep.val();
        self.m_axis_write_tlast.next = self.receiver.m_axis_write_tlast.val();
        self.m_axis_write_tuser.next = self.receiver.m_axis_write_tuser.val();
        self.m_axis_received_tvalid.next = self.receiver.m_axis_received_tvalid.val();
        self.receiver.m_axis_received_tready.next = self.m_axis_received_tready.val();
        self.m_axis_received_tid.next = self.receiver.m_axis_received_tid.val();
        self.m_axis_received_tdata.next = self.receiver.m_axis_received_tdata.val();
        self.receiver.cfg_ack_packets.next = self.registers.cfg_sack_rx_ack_packets.val();
        self.receiver.cfg_ack_bytes.next = self.registers.cfg_sack_rx_ack_bytes.val();
        self.receiver.cfg_ack_timeout.next = self.registers.cfg_receiver_ack_timeout.val();
        self.registers.stat_sack_rx_not_open_events.next = self.receiver.stat_not_open_events.val();
        self.registers.stat_sack_rx_duplicates.next = self.receiver.stat_duplicates.val();
        self.registers.stat_sack_rx_outside.next = self.receiver.stat_outside.val();
        self.registers.stat_receiver_access_errors.next = self.receiver.stat_access_errors.val();
        self.registers.stat_receiver_placed.next = self.receiver.stat_placed.val();
        self.registers.stat_receiver_acks.next = self.receiver.stat_acks.val();
        self.registers.stat_receiver_nacks.next = self.receiver.stat_nacks.val();
        self.registers.stat_receiver_received.next = self.receiver.stat_received.val();

        // Sender.
        self.sender.clk.next = self.clk.val();
        self.sender.rst.next = self.rst.val();
        self.sender.now.next = self.registers.now.val();
        self.sender.s_axis_work_tvalid.next = self.s_axis_work_tvalid.val();
        self.s_axis_work_tready.next = self.sender.s_axis_work_tready.val();
        self.sender.s_axis_work_tid.next = self.s_axis_work_tid.val();
        self.sender.s_axis_work_tdata.next = self.s_axis_work_tdata.val();
        self.sender.s_axis_work_tuser.next = self.s_axis_work_tuser.val();
        self.sender.s_axis_acknowledgement_tvalid.next = self.ingress.m_axis_acknowledgement_tvalid.val();
        self.ingress.m_axis_acknowledgement_tready.next = self.sender.s_axis_acknowledgement_tready.val();
        self.sender.s_axis_acknowledgement_tid.next = self.ingress.m_axis_acknowledgement_tid.val();
        self.sender_acknowledgement.next.nack = self.ingress.m_axis_acknowledgement_tdata.val().get_bit(0);
        self.sender_acknowledgement.next.expected =
            self.ingress.m_axis_acknowledgement_tdata.val().get_bits::<24>(1);
        self.sender_acknowledgement.next.trigger =
            self.ingress.m_axis_acknowledgement_tdata.val().get_bits::<24>(25);
        self.sender_acknowledgement.next.bitmap =
            self.ingress.m_axis_acknowledgement_tdata.val().get_bits::<256>(49);
        self.sender_acknowledgement.next.ce = self.ingress.m_axis_acknowledgement_tdata.val().get_bit(305);
        self.sender_acknowledgement.next.ev =
            self.ingress.m_axis_acknowledgement_tdata.val().get_bits::<16>(306);
        self.sender_acknowledgement.next.stamp =
            self.ingress.m_axis_acknowledgement_tdata.val().get_bits::<16>(322);
        self.sender_acknowledgement.next.reason =
            self.ingress.m_axis_acknowledgement_tdata.val().get_bits::<8>(338);
        self.sender.s_axis_acknowledgement_tdata.next = self.sender_acknowledgement.val();
        self.sender.s_axis_control_tvalid.next = self.registers.m_axis_sender_control_tvalid.val();
        self.registers.m_axis_sender_control_tready.next = self.sender.s_axis_control_tready.val();
        self.sender.s_axis_control_tid.next = self.registers.m_axis_sender_control_tid.val();
        self.sender_control.next.kind = self.registers.m_axis_sender_control_tdata.val().get_bits::<2>(0);
        self.sender_control.next.psn = self.registers.m_axis_sender_control_tdata.val().get_bits::<24>(2);
        self.sender_control.next.class = self.registers.m_axis_sender_control_tdata.val().get_bits::<2>(26);
        self.sender_control.next.ev = self.registers.m_axis_sender_control_tdata.val().get_bits::<16>(28);
        self.sender_control.next.seed = self.registers.m_axis_sender_control_tdata.val().get_bits::<32>(44);
        self.sender.s_axis_control_tdata.next = self.sender_control.val();
        self.m_axis_fetch_tvalid.next = self.sender.m_axis_fetch_tvalid.val();
        self.sender.m_axis_fetch_tready.next = self.m_axis_fetch_tready.val();
        self.m_axis_fetch_tid.next = self.sender.m_axis_fetch_tid.val();
        self.m_axis_fetch_tdata.next = self.sender.m_axis_fetch_tdata.val();
        self.m_axis_sent_tvalid.next = self.sender.m_axis_sent_tvalid.val();
        self.sender.m_axis_sent_tready.next = self.m_axis_sent_tready.val();
        self.m_axis_sent_tid.next = self.sender.m_axis_sent_tid.val();
        self.m_axis_sent_tdata.next = self.sender.m_axis_sent_tdata.val();
        self.m_axis_sent_tuser.next = self.sender.m_axis_sent_tuser.val();
        self.sender.cfg_mtu_shift.next = self.registers.cfg_sender_mtu_shift.val();
        self.sender.cfg_idle.next = self.registers.cfg_sender_idle.val();
        self.sender.cfg_sack_tx_gap.next = self.registers.cfg_sack_tx_gap.val();
        self.sender.cfg_sack_tx_rto.next = self.registers.cfg_sack_tx_rto.val();
        self.sender.cfg_sack_tx_backoff_limit.next = self.registers.cfg_sack_tx_backoff_limit.val();
        self.sender.cfg_sack_tx_retry_limit.next = self.registers.cfg_sack_tx_retry_limit.val();
        self.registers.stat_sack_tx_not_open_events.next = self.sender.stat_sack_tx_not_open_events.val();
        self.registers.stat_sack_tx_never_sent.next = self.sender.stat_sack_tx_never_sent.val();
        self.registers.stat_sack_tx_stale.next = self.sender.stat_sack_tx_stale.val();
        self.registers.stat_sack_tx_refused.next = self.sender.stat_sack_tx_refused.val();
        self.sender.cfg_smartt_mtu.next = self.registers.cfg_smartt_mtu.val();
        self.sender.cfg_smartt_max_cwnd.next = self.registers.cfg_smartt_max_cwnd.val();
        self.sender.cfg_smartt_fair_decrease.next = self.registers.cfg_smartt_fair_decrease.val();
        self.sender.cfg_smartt_base_rtt.next = self.registers.cfg_smartt_base_rtt.val();
        self.sender.cfg_smartt_target_rtt.next = self.registers.cfg_smartt_target_rtt.val();
        self.sender.cfg_smartt_fast_rtt.next = self.registers.cfg_smartt_fast_rtt.val();
        self.sender.cfg_smartt_multiplicative_increase.next =
            self.registers.cfg_smartt_multiplicative_increase.val();
        self.sender.cfg_smartt_fair_increase.next = self.registers.cfg_smartt_fair_increase.val();
        self.sender.cfg_smartt_multiplicative_decrease.next =
            self.registers.cfg_smartt_multiplicative_decrease.val();
        self.sender.cfg_smartt_qa_scaling.next = self.registers.cfg_smartt_qa_scaling.val();
        self.sender.cfg_smartt_wtd_alpha.next = self.registers.cfg_smartt_wtd_alpha.val();
        self.sender.cfg_smartt_wtd_threshold.next = self.registers.cfg_smartt_wtd_threshold.val();
        self.sender.cfg_smartt_granularity.next = self.registers.cfg_smartt_granularity.val();
        self.sender.cfg_smartt_fast_mtus.next = self.registers.cfg_smartt_fast_mtus.val();
        self.sender.cfg_smartt_signals.next = self.registers.cfg_smartt_signals.val();
        self.sender.cfg_smartt_late_losses.next = self.registers.cfg_smartt_late_losses.val();
        self.registers.stat_smartt_not_open_events.next = self.sender.stat_smartt_not_open_events.val();
        self.sender.cfg_reps_mode.next = self.registers.cfg_reps_mode.val();
        self.sender.cfg_reps_ev_base.next = self.registers.cfg_reps_ev_base.val();
        self.sender.cfg_reps_evs_size.next = self.registers.cfg_reps_evs_size.val();
        self.sender.cfg_reps_freeze_timeout.next = self.registers.cfg_reps_freeze_timeout.val();
        self.sender.cfg_reps_bdp_packets.next = self.registers.cfg_reps_bdp_packets.val();
        self.sender.cfg_reps_trimming.next = self.registers.cfg_reps_trimming.val();
        self.sender.cfg_reps_thaw_reset.next = self.registers.cfg_reps_thaw_reset.val();
        self.sender.cfg_reps_rtt_high.next = self.registers.cfg_reps_rtt_high.val();
        self.sender.cfg_reps_rtt_window.next = self.registers.cfg_reps_rtt_window.val();
        self.registers.stat_reps_not_open_events.next = self.sender.stat_reps_not_open_events.val();
        self.registers.stat_sender_posted.next = self.sender.stat_posted.val();
        self.registers.stat_sender_refused.next = self.sender.stat_refused.val();
        self.registers.stat_sender_orders.next = self.sender.stat_orders.val();

        // Egress.
        self.egress.clk.next = self.clk.val();
        self.egress.rst.next = self.rst.val();
        self.egress.now.next = self.registers.now.val();
        self.egress.s_axis_reply_tvalid.next = self.receiver.m_axis_reply_tvalid.val();
        self.receiver.m_axis_reply_tready.next = self.egress.s_axis_reply_tready.val();
        self.egress.s_axis_reply_tid.next = self.receiver.m_axis_reply_tid.val();
        self.egress.s_axis_reply_tdata.next = self.receiver.m_axis_reply_tdata.val();
        self.egress.s_axis_order_tvalid.next = self.sender.m_axis_order_tvalid.val();
        self.sender.m_axis_order_tready.next = self.egress.s_axis_order_tready.val();
        self.egress.s_axis_order_tid.next = self.sender.m_axis_order_tid.val();
        self.egress.s_axis_order_tdata.next = self.sender.m_axis_order_tdata.val();
        self.egress.s_axis_read_tvalid.next = self.s_axis_read_tvalid.val();
        self.s_axis_read_tready.next = self.egress.s_axis_read_tready.val();
        self.egress.s_axis_read_tdata.next = self.s_axis_read_tdata.val();
        self.egress.s_axis_read_tkeep.next = self.s_axis_read_tkeep.val();
        self.egress.s_axis_read_tlast.next = self.s_axis_read_tlast.val();
        self.egress.s_axis_read_tuser.next = self.s_axis_read_tuser.val();
        self.egress.s_axis_bypass_tvalid.next = self.s_axis_bypass_tvalid.val();
        self.s_axis_bypass_tready.next = self.egress.s_axis_bypass_tready.val();
        self.egress.s_axis_bypass_tdata.next = self.s_axis_bypass_tdata.val();
        self.egress.s_axis_bypass_tkeep.next = self.s_axis_bypass_tkeep.val();
        self.egress.s_axis_bypass_tlast.next = self.s_axis_bypass_tlast.val();
        self.egress.s_axis_bypass_tuser.next = self.s_axis_bypass_tuser.val();
        self.egress.s_axis_peer_tvalid.next = self.registers.m_axis_egress_peer_tvalid.val();
        self.registers.m_axis_egress_peer_tready.next = self.egress.s_axis_peer_tready.val();
        self.egress.s_axis_peer_tid.next = self.registers.m_axis_egress_peer_tid.val();
        self.egress_peer.next.v6 = self.registers.m_axis_egress_peer_tdata.val().get_bit(0);
        self.egress_peer.next.address = self.registers.m_axis_egress_peer_tdata.val().get_bits::<128>(1);
        self.egress_peer.next.mac = self.registers.m_axis_egress_peer_tdata.val().get_bits::<48>(129);
        self.egress_peer.next.tagged = self.registers.m_axis_egress_peer_tdata.val().get_bit(177);
        self.egress_peer.next.tag = self.registers.m_axis_egress_peer_tdata.val().get_bits::<16>(178);
        self.egress_peer.next.qp = self.registers.m_axis_egress_peer_tdata.val().get_bits::<24>(194);
        self.egress.s_axis_peer_tdata.next = self.egress_peer.val();
        self.m_axis_net_tvalid.next = self.egress.m_axis_net_tvalid.val();
        self.egress.m_axis_net_tready.next = self.m_axis_net_tready.val();
        self.m_axis_net_tdata.next = self.egress.m_axis_net_tdata.val();
        self.m_axis_net_tkeep.next = self.egress.m_axis_net_tkeep.val();
        self.m_axis_net_tlast.next = self.egress.m_axis_net_tlast.val();
        self.m_axis_net_tuser.next = self.egress.m_axis_net_tuser.val();
        self.egress.cfg_mac.next = self.registers.cfg_egress_mac.val();
        self.egress.cfg_ipv4.next = self.registers.cfg_egress_ipv4.val();
        self.egress.cfg_ipv6.next = self.registers.cfg_egress_ipv6.val();
        self.egress.cfg_hop_limit.next = self.registers.cfg_egress_hop_limit.val();
        self.egress.cfg_dscp_data.next = self.registers.cfg_egress_dscp_data.val();
        self.egress.cfg_dscp_again.next = self.registers.cfg_egress_dscp_again.val();
        self.egress.cfg_dscp_control.next = self.registers.cfg_egress_dscp_control.val();
        self.registers.stat_egress_data_frames.next = self.egress.stat_data_frames.val();
        self.registers.stat_egress_ack_frames.next = self.egress.stat_ack_frames.val();
        self.registers.stat_egress_nack_frames.next = self.egress.stat_nack_frames.val();
        self.registers.stat_egress_bypass_frames.next = self.egress.stat_bypass_frames.val();
        self.registers.stat_egress_read_errors.next = self.egress.stat_read_errors.val();
        self.registers.stat_egress_bypass_overflows.next = self.egress.stat_bypass_overflows.val();
    }
}

/// An emitter that tells the parameters of the blocks below a top, as they tell them where they are tops.
pub(crate) fn emitter(params: &SackParams) -> Emitter {
    const BLOCKS: [&str; 8] =
        ["registers", "ingress", "receiver", "sender", "egress", "sack_rx", "sack_tx", "smartt"];
    let reps = RepsParams { connections: params.connections, ..RepsParams::default() };
    let emitter = crate::part::emitter().parameter("connections", params.connections);
    let tell = |emitter: Emitter, block| {
        emitter.parameter_of(&format!("weft_{block}"), "connections", params.connections)
    };
    BLOCKS
        .into_iter()
        .fold(emitter, tell)
        .parameter_of("weft_reps", "connections", reps.connections)
        .parameter_of("weft_reps", "depth", reps.depth)
        .parameter_of("weft_reps", "ev_width", reps.ev_width)
}

/// The Verilog of `weft_nic`, one module per file, for parameters that passed their check.
pub fn emit(params: &NicParams) -> Result<Vec<Module>, EmitError> {
    let NicParams { connections, width } = *params;
    let emitter = emitter(&SackParams { connections }).parameter("width", width);
    // Widths are types in Rust-HDL: every shape is an instance of its own.
    macro_rules! core {
        ($block:ident, $a:literal, $round:literal $(, $more:tt)*) => {
            emitter.emit_new::<$block<
                $a,
                { $a + 1 },
                { $a + 4 },
                { $a + 8 },
                $round,
                { $a + 3 },
                { $a + 163 },
                { $a + 40 },
                { $a + 24 },
                { $a + 221 },
                { $a + 346 },
                { $a + 418 },
                $($more,)*
            >>("weft_nic")
        };
    }
    macro_rules! shape {
        ($a:literal, $round:literal) => {
            match width {
                128 => core!(NarrowNic, $a, $round, 128, 16, 146, { $a + 78 }, { $a + 223 }, { $a + 56 }),
                256 => core!(NarrowNic, $a, $round, 256, 32, 290, { $a + 78 }, { $a + 367 }, { $a + 56 }),
                _ => core!(Nic, $a, $round),
            }
        };
    }
    match connections {
        4 => shape!(2, 6),
        16 => shape!(4, 6),
        64 => shape!(6, 6),
        256 => shape!(8, 8),
        1024 => shape!(10, 10),
        _ => shape!(12, 12),
    }
}
