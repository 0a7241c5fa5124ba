//! `weft_nic`: the NIC (page `docs/blocks/nic.md`). Wires only: its blocks do the work.

pub mod behind;
pub mod holds;
pub mod narrow;

use crate::block::egress::Egress;
use crate::block::emitter_of;
use crate::block::ingress::Ingress;
use crate::block::receiver::Receiver;
use crate::block::registers::top::Registers;
use crate::block::sender::Sender;
use crate::emit::{EmitError, Module};
use crate::prelude::*;
use crate::word::{Acknowledgement, Arrival, Bar, EgressPeer, ReceiverControl, SenderControl, Work};
use holds::Holds;
use narrow::NarrowNic;
use weft_params::NicParams;
use weft_params::registers::{SHAPE, shape};

/// The NIC: ingress, receiver, sender, egress and registers, and the wires between them.
///
/// # Parameters
///
/// `A` is the number of bits of a connection number; the blocks derive further values from it.
#[derive(LogicBlock, Default)]
pub struct Nic<
    const A: usize,
    const B: usize,
    const M: usize,
    const R: usize,
    const AS: usize,
    const WT: usize,
    const WS: usize,
    const WR: usize,
    const IR: usize,
    const IK: usize,
    const RW: usize,
    const S: usize,
    const N: usize,
    const C: usize,
    const H: usize,
    const Q: usize,
    const E: usize,
    const T: usize,
    const U: usize,
    const Z: usize,
> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset. Afterwards sweeps close all connections.
    pub rst: Signal<In, Bit>,
    /// Write address; the low two bits do not count.
    pub s_axil_awaddr: Signal<In, Bits<16>>,
    /// Ignored.
    pub s_axil_awprot: Signal<In, Bits<3>>,
    /// The address of the write is offered.
    pub s_axil_awvalid: Signal<In, Bit>,
    /// The address of the write is accepted.
    pub s_axil_awready: Signal<Out, Bit>,
    /// Write data.
    pub s_axil_wdata: Signal<In, Bits<32>>,
    /// The bytes of the data that count.
    pub s_axil_wstrb: Signal<In, Bits<4>>,
    /// The data of the write is offered.
    pub s_axil_wvalid: Signal<In, Bit>,
    /// The data of the write is accepted.
    pub s_axil_wready: Signal<Out, Bit>,
    /// Response of the write: 0 OKAY, 2 SLVERR.
    pub s_axil_bresp: Signal<Out, Bits<2>>,
    /// The response is offered.
    pub s_axil_bvalid: Signal<Out, Bit>,
    /// The response is accepted.
    pub s_axil_bready: Signal<In, Bit>,
    /// Read address; the low two bits do not count.
    pub s_axil_araddr: Signal<In, Bits<16>>,
    /// Ignored.
    pub s_axil_arprot: Signal<In, Bits<3>>,
    /// The address of the read is offered.
    pub s_axil_arvalid: Signal<In, Bit>,
    /// The address of the read is accepted.
    pub s_axil_arready: Signal<Out, Bit>,
    /// The data that was read; 0 with SLVERR.
    pub s_axil_rdata: Signal<Out, Bits<32>>,
    /// Response of the read: 0 OKAY, 2 SLVERR.
    pub s_axil_rresp: Signal<Out, Bits<2>>,
    /// The data of the read is offered.
    pub s_axil_rvalid: Signal<Out, Bit>,
    /// The data of the read is accepted.
    pub s_axil_rready: Signal<In, Bit>,
    /// Frames from the MAC, always accepted.
    pub s_axis_net_tvalid: Signal<In, Bit>,
    /// The first byte in the low bits.
    pub s_axis_net_tdata: Signal<In, Bits<512>>,
    /// Bytes that count: all but in a frame's last word.
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
    /// Bytes that count.
    pub m_axis_net_tkeep: Signal<Out, Bits<64>>,
    /// Last word of a frame.
    pub m_axis_net_tlast: Signal<Out, Bit>,
    /// With tlast: the frame is bad.
    pub m_axis_net_tuser: Signal<Out, Bit>,
    /// Frames of other software.
    pub s_axis_bypass_tvalid: Signal<In, Bit>,
    /// Back-pressure.
    pub s_axis_bypass_tready: Signal<Out, Bit>,
    /// The bytes.
    pub s_axis_bypass_tdata: Signal<In, Bits<512>>,
    /// Bytes that count.
    pub s_axis_bypass_tkeep: Signal<In, Bits<64>>,
    /// Last word of a frame.
    pub s_axis_bypass_tlast: Signal<In, Bit>,
    /// With tlast: the frame is bad.
    pub s_axis_bypass_tuser: Signal<In, Bit>,
    /// Frames of other software leave unchanged.
    pub m_axis_bypass_tvalid: Signal<Out, Bit>,
    /// Back-pressure.
    pub m_axis_bypass_tready: Signal<In, Bit>,
    /// The first byte in the low bits.
    pub m_axis_bypass_tdata: Signal<Out, Bits<512>>,
    /// Bytes that count: all but in a frame's last word.
    pub m_axis_bypass_tkeep: Signal<Out, Bits<64>>,
    /// Last word of a frame.
    pub m_axis_bypass_tlast: Signal<Out, Bit>,
    /// With tlast: the MAC found the frame bad.
    pub m_axis_bypass_tuser: Signal<Out, Bit>,
    /// Work requests in.
    pub s_axis_work_tvalid: Signal<In, Bit>,
    /// Low during the sweep, and while the sender handles a request.
    pub s_axis_work_tready: Signal<Out, Bit>,
    /// Connection.
    pub s_axis_work_tid: Signal<In, Bits<A>>,
    /// The request.
    pub s_axis_work_tdata: Signal<In, Work>,
    /// With immediate.
    pub s_axis_work_tuser: Signal<In, Bit>,
    /// DMA read requests out, in the order of the orders that carry bytes.
    pub m_axis_fetch_tvalid: Signal<Out, Bit>,
    /// Back-pressure.
    pub m_axis_fetch_tready: Signal<In, Bit>,
    /// Connection.
    pub m_axis_fetch_tid: Signal<Out, Bits<A>>,
    /// Address in bits 63:0, bytes 77:64.
    pub m_axis_fetch_tdata: Signal<Out, Bits<80>>,
    /// Read data: the payload of the orders that have any, in their order.
    pub s_axis_read_tvalid: Signal<In, Bit>,
    /// Back-pressure.
    pub s_axis_read_tready: Signal<Out, Bit>,
    /// The bytes.
    pub s_axis_read_tdata: Signal<In, Bits<512>>,
    /// Bytes that count: all bytes of each word before the last one.
    /// The last word needs at least the requested bytes; otherwise the data is wrong.
    pub s_axis_read_tkeep: Signal<In, Bits<64>>,
    /// Last word of a packet's payload.
    pub s_axis_read_tlast: Signal<In, Bit>,
    /// With tlast: the data is wrong.
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
    /// The packet: address in bits 63:0, bytes 77:64.
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
    /// 0 done, 1 closed, 2 refused, 3 unanswered, 4 breach, 5 denied, 6 broken.
    pub m_axis_sent_tuser: Signal<Out, Bits<3>>,
    /// The host reports the state of a connection's buffer.
    pub s_axis_buffer_tvalid: Signal<In, Bit>,
    /// The report is accepted.
    pub s_axis_buffer_tready: Signal<Out, Bit>,
    /// The connection.
    pub s_axis_buffer_tid: Signal<In, Bits<A>>,
    /// Bits 1:0: 0 the buffer accepts packets, 1 it does not accept packets, 2 or 3 it failed.
    pub s_axis_buffer_tdata: Signal<In, Bits<8>>,
    /// The NIC reports an event of a connection.
    pub m_axis_event_tvalid: Signal<Out, Bit>,
    /// The event is accepted.
    pub m_axis_event_tready: Signal<In, Bit>,
    /// The connection.
    pub m_axis_event_tid: Signal<Out, Bits<A>>,
    /// The connection's state, as in the register STATE.
    pub m_axis_event_tdata: Signal<Out, Bits<8>>,
    /// An event waits.
    pub irq: Signal<Out, Bit>,

    registers: Registers<A, B, Z, E>,
    ingress: Ingress<A, IR, IK, S, N, E>,
    receiver: Receiver<A, M, R, RW, S, N, E>,
    sender: Sender<A, B, M, R, AS, WT, WS, WR, S, N, C, H, Q, E, U, Z>,
    egress: Egress<A, S, N, E, T, U>,
    receiver_arrival: Signal<Local, Arrival>,
    holds: Holds,
    receiver_bar: Signal<Local, Bar>,
    receiver_control: Signal<Local, ReceiverControl>,
    sender_acknowledgement: Signal<Local, Acknowledgement>,
    sender_control: Signal<Local, SenderControl>,
    egress_peer: Signal<Local, EgressPeer>,
}

impl<
    const A: usize,
    const B: usize,
    const M: usize,
    const R: usize,
    const AS: usize,
    const WT: usize,
    const WS: usize,
    const WR: usize,
    const IR: usize,
    const IK: usize,
    const RW: usize,
    const S: usize,
    const N: usize,
    const C: usize,
    const H: usize,
    const Q: usize,
    const E: usize,
    const T: usize,
    const U: usize,
    const Z: usize,
> Logic for Nic<A, B, M, R, AS, WT, WS, WR, IR, IK, RW, S, N, C, H, Q, E, T, U, Z>
{
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        // Registers.
        wire!(self.registers.* <- self.*: clk, rst);
        wire!(
            self.registers.s_axil_* <- self.s_axil_*:
            awaddr, awvalid, wdata, wstrb, wvalid, bready, araddr, arvalid, rready,
        );
        wire!(
            self.s_axil_* <- self.registers.s_axil_*:
            awready, wready, bresp, bvalid, arready, rdata, rresp, rvalid,
        );

        // Reports of failed connections.
        stream!(self.registers.s_axis_sender_failed_* <- self.sender.m_axis_failed_*: tid, tuser);
        stream!(self.sender.s_axis_failure_* <- self.registers.m_axis_sender_failure_*: tid, tuser);
        stream!(self.registers.s_axis_sender_freeze_* <- self.sender.m_axis_freeze_*: tid, tuser);
        stream!(self.registers.s_axis_sender_drained_* <- self.sender.m_axis_drained_*: tid);
        stream!(self.registers.s_axis_receiver_breach_* <- self.receiver.m_axis_breach_*: tid);
        stream!(self.registers.s_axis_buffer_* <- self.s_axis_buffer_*: tid, tdata);
        stream!(self.m_axis_event_* <- self.registers.m_axis_event_*: tid, tdata);
        self.irq.next = self.registers.irq.val();
        wire!(
            self.receiver.s_axis_bar_* <- self.registers.m_axis_receiver_bar_*:
            tvalid, tid, tdata as Bar in self.receiver_bar,
        );

        // Ingress.
        wire!(self.ingress.* <- self.*: clk, rst);
        wire!(self.ingress.s_axis_net_* <- self.s_axis_net_*: tvalid, tdata, tkeep, tlast, tuser);
        stream!(self.ingress.s_axis_peer_* <- self.registers.m_axis_ingress_peer_*: tid, tdata);
        stream!(self.m_axis_bypass_* <- self.ingress.m_axis_bypass_*: tdata, tkeep, tlast, tuser);
        wire!(
            self.ingress.cfg_* <- self.registers.cfg_ingress_*:
            ipv4, ipv6, qp_base, dscp_trimmed, dscp_trimmed_last_hop,
        );
        wire!(
            self.registers.stat_ingress_* <- self.ingress.stat_*:
            data, trims, acks, nacks, probes, bypassed, mac_errors, malformed, checksum_errors, icrc_errors,
            unknown_connections, wrong_peers, wrong_vlans, wrong_pkeys, overflows, bypass_overflows,
        );

        // Receiver.
        wire!(self.receiver.* <- self.*: clk, rst);
        self.receiver.now.next = self.registers.now.val();
        stream!(
            self.receiver.s_axis_arrival_* <- self.ingress.m_axis_arrival_*:
            tid, tdata as Arrival in self.receiver_arrival,
        );
        stream!(self.receiver.s_axis_payload_* <- self.ingress.m_axis_payload_*: tdata, tkeep, tlast);
        stream!(
            self.receiver.s_axis_control_* <- self.registers.m_axis_receiver_control_*:
            tid, tdata as ReceiverControl in self.receiver_control,
        );
        stream!(self.m_axis_write_* <- self.receiver.m_axis_write_*: tid, tdata, tkeep, tlast, tuser);
        stream!(self.m_axis_received_* <- self.receiver.m_axis_received_*: tid, tdata);
        wire!(self.receiver.cfg_* <- self.registers.cfg_sack_rx_*: ack_packets, ack_bytes);
        self.receiver.cfg_ack_timeout.next = self.registers.cfg_receiver_ack_timeout.val();
        wire!(self.registers.stat_sack_rx_* <- self.receiver.stat_*: not_open_events, duplicates, outside);
        wire!(
            self.registers.stat_receiver_* <- self.receiver.stat_*:
            access_errors, placed, acks, nacks, received, marks, bytes, held,
        );

        // Sender.
        wire!(self.sender.* <- self.*: clk, rst);
        self.sender.now.next = self.registers.now.val();
        stream!(self.sender.s_axis_work_* <- self.s_axis_work_*: tid, tdata, tuser);
        stream!(
            self.sender.s_axis_acknowledgement_* <- self.ingress.m_axis_acknowledgement_*:
            tid, tdata as Acknowledgement in self.sender_acknowledgement,
        );
        stream!(
            self.sender.s_axis_control_* <- self.registers.m_axis_sender_control_*:
            tid, tdata as SenderControl in self.sender_control,
        );
        stream!(self.m_axis_fetch_* <- self.sender.m_axis_fetch_*: tid);
        self.m_axis_fetch_tdata.next = bit_cast::<80, 78>(self.sender.m_axis_fetch_tdata.val().into());
        stream!(self.m_axis_sent_* <- self.sender.m_axis_sent_*: tid, tdata, tuser);
        wire!(self.sender.cfg_* <- self.registers.cfg_sender_*: mtu_shift, idle);
        wire!(
            self.sender.cfg_sack_tx_* <- self.registers.cfg_sack_tx_*:
            gap, rto, epoch, high, backoff_limit, retry_limit,
        );
        wire!(
            self.sender.cfg_smartt_* <- self.registers.cfg_smartt_*:
            mtu, max_cwnd, fair_decrease, base_rtt, target_rtt, fast_rtt, multiplicative_increase,
            fair_increase, multiplicative_decrease, qa_scaling, wtd_alpha, wtd_alphas, wtd_threshold, granularity,
            fast_mtus, signals, late_losses,
        );
        wire!(
            self.sender.cfg_reps_* <- self.registers.cfg_reps_*:
            mode, ev_base, evs_size, freeze_timeout, bdp_packets, trimming, thaw_reset, rtt_high, rtt_window,
        );
        wire!(
            self.registers.stat_sack_tx_* <- self.sender.stat_sack_tx_*:
            not_open_events, never_sent, stale, refused,
        );
        wire!(self.registers.* <- self.sender.*: stat_smartt_not_open_events, stat_reps_not_open_events);
        wire!(self.registers.stat_sender_* <- self.sender.stat_*: posted, refused, orders, probes);
        self.registers.stat_recovery.next = bit_cast::<152, 152>(self.sender.stat_recovery.val().into());
        self.registers.stat_paths.next = bit_cast::<80, 80>(self.sender.stat_paths.val().into());
        self.registers.stat_window.next = bit_cast::<32, 32>(self.sender.stat_window.val().into());
        self.registers.stat_rtt.next = bit_cast::<256, 256>(self.sender.stat_rtt.val().into());
        wire!(self.registers.* <- self.sender.*: stat_rtt_latest, stat_rtt_smallest);
        self.sender.query.next = self.registers.query.val();
        self.registers.window_view.next = self.sender.window_view.val();

        // Counters of stalls.
        wire!(self.holds.* <- self.*: clk, rst);
        self.holds.net_valid.next = self.egress.m_axis_net_tvalid.val();
        self.holds.net_ready.next = self.m_axis_net_tready.val();
        self.holds.fetch_valid.next = self.sender.m_axis_fetch_tvalid.val();
        self.holds.fetch_ready.next = self.m_axis_fetch_tready.val();
        self.holds.read_valid.next = self.s_axis_read_tvalid.val();
        self.holds.read_ready.next = self.egress.s_axis_read_tready.val();
        self.holds.read_last.next = self.s_axis_read_tlast.val();
        self.holds.write_valid.next = self.receiver.m_axis_write_tvalid.val();
        self.holds.write_ready.next = self.m_axis_write_tready.val();
        self.holds.received_valid.next = self.receiver.m_axis_received_tvalid.val();
        self.holds.received_ready.next = self.m_axis_received_tready.val();
        self.holds.sent_valid.next = self.sender.m_axis_sent_tvalid.val();
        self.holds.sent_ready.next = self.m_axis_sent_tready.val();
        self.holds.work_valid.next = self.s_axis_work_tvalid.val();
        self.holds.work_ready.next = self.sender.s_axis_work_tready.val();
        self.registers.stat_holds.next = self.holds.stat.val();

        // Egress.
        wire!(self.egress.* <- self.*: clk, rst);
        self.egress.now.next = self.registers.now.val();
        stream!(self.egress.s_axis_reply_* <- self.receiver.m_axis_reply_*: tid, tdata);
        stream!(self.egress.s_axis_order_* <- self.sender.m_axis_order_*: tid, tdata);
        wire!(self.egress.s_axis_passed_* <- self.sender.m_axis_passed_*: tvalid, tid, tdata);
        stream!(self.egress.s_axis_read_* <- self.s_axis_read_*: tdata, tkeep, tlast, tuser);
        stream!(self.egress.s_axis_bypass_* <- self.s_axis_bypass_*: tdata, tkeep, tlast, tuser);
        stream!(
            self.egress.s_axis_peer_* <- self.registers.m_axis_egress_peer_*:
            tid, tdata as EgressPeer in self.egress_peer,
        );
        stream!(self.m_axis_net_* <- self.egress.m_axis_net_*: tdata, tkeep, tlast, tuser);
        wire!(
            self.egress.cfg_* <- self.registers.cfg_egress_*:
            mac, ipv4, ipv6, hop_limit, dscp_data, dscp_again, dscp_control,
        );
        wire!(
            self.registers.stat_egress_* <- self.egress.stat_*:
            data_frames, ack_frames, nack_frames, bypass_frames, read_errors, bypass_overflows, data_bytes,
        );
    }
}

/// The Verilog of `weft_nic`, one module per file, for parameters that were checked.
pub fn emit(params: &NicParams) -> Result<Vec<Module>, EmitError> {
    let NicParams { connections, width, bypass_user, psns, .. } = *params;
    let emitter = emitter_of(&params.sender()).parameter("width", width).all_parameters();
    // Widths are types in Rust-HDL: every shape is an instance of its own.
    macro_rules! core {
        ($block:ident, $a:literal, $round:literal; $($window:tt),*; $($more:tt),*) => {
            emitter.emit_new::<$block<
                $a,
                { $a + 1 },
                { $a + 4 },
                $round,
                { $a + 3 },
                { $a + 152 },
                { $a + 40 },
                { $a + 24 },
                { $a + Arrival::BITS },
                { $a + Acknowledgement::BITS },
                { $a + 392 },
                $($window,)*
                $($more,)*
            >>("weft_nic")
        };
    }
    macro_rules! wide {
        ($a:literal, $round:literal; $($window:tt),*) => {
            match width {
                128 => core!(
                    NarrowNic, $a, $round; $($window),*; 128, 16, 146, { $a + 78 }, { $a + 223 }, { $a + 56 }
                ),
                256 => core!(
                    NarrowNic, $a, $round; $($window),*; 256, 32, 290, { $a + 78 }, { $a + 367 }, { $a + 56 }
                ),
                _ => core!(Nic, $a, $round; $($window),*; ),
            }
        };
    }
    macro_rules! shape {
        ($a:literal, $round:literal) => {
            match psns {
                512 => wide!($a, $round; 9, 10, 11, 5, { $a + 5 }, 1, 9, 10, 123),
                1024 => wide!($a, $round; 10, 11, 12, 6, { $a + 6 }, 1, 10, 11, 123),
                _ => wide!($a, $round; 8, 9, 10, 4, { $a + 4 }, 0, 9, 10, 119),
            }
        };
    }
    let mut modules = by_connections!(connections, shape, scan)?;
    told(&mut modules, params)?;
    super::bypass_user::nic(modules, bypass_user)
}

/// The registers report the shape of the NIC; in Rust-HDL this is the usual shape.
fn told(modules: &mut [Module], params: &NicParams) -> Result<(), EmitError> {
    let NicParams { width, bypass_user, window, psns, .. } = *params;
    let constant = |shape| format!("SHAPE       = 32'h{shape:x};");
    let (text, told) = (constant(SHAPE), constant(shape(width, bypass_user, window, psns)));
    let registers = modules.iter_mut().find(|module| module.name == "weft_registers");
    let found = registers.as_ref().map_or(0, |module| module.text.matches(&text).count());
    let Some(module) = registers.filter(|_| found == 1) else {
        return Err(EmitError::Edit { module: "weft_registers".into(), text, found });
    };
    module.text = module.text.replace(&text, &told);
    Ok(())
}
