//! `weft_nic` with streams of 128 or 256 bits: the core of 512 and converters at its ports.

use super::Nic;
use super::behind::Behind;
use crate::part::narrow::Narrow;
use crate::part::widen::Widen;
use crate::prelude::*;

/// The NIC with narrow streams: the one of 512 bits, and width converters at its ports.
///
/// # Parameters
///
/// The core's parameters; words of `W` bits, `K = W / 8` bytes, `KS = W + K + 2`, `X = A + 78` bits beside a
/// word of DMA write data, `XS = W + K + 1 + X`, `RC = A + 56` bits of a completion.
#[derive(LogicBlock, Default)]
pub struct NarrowNic<
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
    const W: usize,
    const K: usize,
    const KS: usize,
    const X: usize,
    const XS: usize,
    const RC: usize,
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
    pub s_axis_net_tdata: Signal<In, Bits<W>>,
    /// Bytes that count: all but in a frame's last word.
    pub s_axis_net_tkeep: Signal<In, Bits<K>>,
    /// Last word of a frame.
    pub s_axis_net_tlast: Signal<In, Bit>,
    /// With tlast: the MAC found the frame bad.
    pub s_axis_net_tuser: Signal<In, Bit>,
    /// Frames to be sent.
    pub m_axis_net_tvalid: Signal<Out, Bit>,
    /// Back-pressure.
    pub m_axis_net_tready: Signal<In, Bit>,
    /// The bytes.
    pub m_axis_net_tdata: Signal<Out, Bits<W>>,
    /// Bytes that count.
    pub m_axis_net_tkeep: Signal<Out, Bits<K>>,
    /// Last word of a frame.
    pub m_axis_net_tlast: Signal<Out, Bit>,
    /// With tlast: the frame is bad.
    pub m_axis_net_tuser: Signal<Out, Bit>,
    /// Frames of other software.
    pub s_axis_bypass_tvalid: Signal<In, Bit>,
    /// Back-pressure.
    pub s_axis_bypass_tready: Signal<Out, Bit>,
    /// The bytes.
    pub s_axis_bypass_tdata: Signal<In, Bits<W>>,
    /// Bytes that count.
    pub s_axis_bypass_tkeep: Signal<In, Bits<K>>,
    /// Last word of a frame.
    pub s_axis_bypass_tlast: Signal<In, Bit>,
    /// With tlast: the frame is bad.
    pub s_axis_bypass_tuser: Signal<In, Bit>,
    /// Frames of other software leave unchanged.
    pub m_axis_bypass_tvalid: Signal<Out, Bit>,
    /// Back-pressure.
    pub m_axis_bypass_tready: Signal<In, Bit>,
    /// The first byte in the low bits.
    pub m_axis_bypass_tdata: Signal<Out, Bits<W>>,
    /// Bytes that count: all but in a frame's last word.
    pub m_axis_bypass_tkeep: Signal<Out, Bits<K>>,
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
    pub s_axis_work_tdata: Signal<In, crate::word::Work>,
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
    pub s_axis_read_tdata: Signal<In, Bits<W>>,
    /// Bytes that count: all bytes of each word before the last one.
    /// The last word needs at least the requested bytes; otherwise the data is wrong.
    pub s_axis_read_tkeep: Signal<In, Bits<K>>,
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
    pub m_axis_write_tdata: Signal<Out, Bits<W>>,
    /// Bytes that count.
    pub m_axis_write_tkeep: Signal<Out, Bits<K>>,
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

    core: Nic<A, B, M, R, AS, WT, WS, WR, IR, IK, RW, S, N, C, H, Q, E, T, U, Z>,
    net_in: Widen<W, K>,
    bypass_in: Widen<W, K>,
    read_in: Widen<W, K>,
    net_out: Narrow<W, K, 1, KS>,
    bypass_out: Narrow<W, K, 1, KS>,
    write_out: Narrow<W, K, X, XS>,
    received_behind: Behind<RC>,
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
    const W: usize,
    const K: usize,
    const KS: usize,
    const X: usize,
    const XS: usize,
    const RC: usize,
> Logic
    for NarrowNic<A, B, M, R, AS, WT, WS, WR, IR, IK, RW, S, N, C, H, Q, E, T, U, Z, W, K, KS, X, XS, RC>
{
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        wire!(self.core.* <- self.*: clk, rst);
        wire!(
            self.core.s_axil_* <- self.s_axil_*:
            awaddr, awprot, awvalid, wdata, wstrb, wvalid, bready, araddr, arprot, arvalid, rready,
        );
        wire!(
            self.s_axil_* <- self.core.s_axil_*:
            awready, wready, bresp, bvalid, arready, rdata, rresp, rvalid,
        );
        stream!(self.core.s_axis_work_* <- self.s_axis_work_*: tid, tdata, tuser);
        stream!(self.m_axis_fetch_* <- self.core.m_axis_fetch_*: tid, tdata);
        stream!(self.m_axis_sent_* <- self.core.m_axis_sent_*: tid, tdata, tuser);
        stream!(self.core.s_axis_buffer_* <- self.s_axis_buffer_*: tid, tdata);
        stream!(self.m_axis_event_* <- self.core.m_axis_event_*: tid, tdata);
        self.irq.next = self.core.irq.val();

        // s_axis_net: wide for the core.
        wire!(self.net_in.* <- self.*: clk, rst);
        self.net_in.in_valid.next = self.s_axis_net_tvalid.val();
        self.net_in.in_data.next = self.s_axis_net_tdata.val();
        self.core.s_axis_net_tdata.next = self.net_in.out_data.val();
        self.net_in.in_keep.next = self.s_axis_net_tkeep.val();
        self.core.s_axis_net_tkeep.next = self.net_in.out_keep.val();
        self.net_in.in_last.next = self.s_axis_net_tlast.val();
        self.core.s_axis_net_tlast.next = self.net_in.out_last.val();
        self.net_in.in_user.next = self.s_axis_net_tuser.val();
        self.core.s_axis_net_tuser.next = self.net_in.out_user.val();
        self.core.s_axis_net_tvalid.next = self.net_in.out_valid.val();
        self.net_in.out_ready.next = true;

        // s_axis_bypass: wide for the core.
        wire!(self.bypass_in.* <- self.*: clk, rst);
        self.bypass_in.in_valid.next = self.s_axis_bypass_tvalid.val();
        self.s_axis_bypass_tready.next = self.bypass_in.in_ready.val();
        self.bypass_in.in_data.next = self.s_axis_bypass_tdata.val();
        self.core.s_axis_bypass_tdata.next = self.bypass_in.out_data.val();
        self.bypass_in.in_keep.next = self.s_axis_bypass_tkeep.val();
        self.core.s_axis_bypass_tkeep.next = self.bypass_in.out_keep.val();
        self.bypass_in.in_last.next = self.s_axis_bypass_tlast.val();
        self.core.s_axis_bypass_tlast.next = self.bypass_in.out_last.val();
        self.bypass_in.in_user.next = self.s_axis_bypass_tuser.val();
        self.core.s_axis_bypass_tuser.next = self.bypass_in.out_user.val();
        self.core.s_axis_bypass_tvalid.next = self.bypass_in.out_valid.val();
        self.bypass_in.out_ready.next = self.core.s_axis_bypass_tready.val();

        // s_axis_read: wide for the core.
        wire!(self.read_in.* <- self.*: clk, rst);
        self.read_in.in_valid.next = self.s_axis_read_tvalid.val();
        self.s_axis_read_tready.next = self.read_in.in_ready.val();
        self.read_in.in_data.next = self.s_axis_read_tdata.val();
        self.core.s_axis_read_tdata.next = self.read_in.out_data.val();
        self.read_in.in_keep.next = self.s_axis_read_tkeep.val();
        self.core.s_axis_read_tkeep.next = self.read_in.out_keep.val();
        self.read_in.in_last.next = self.s_axis_read_tlast.val();
        self.core.s_axis_read_tlast.next = self.read_in.out_last.val();
        self.read_in.in_user.next = self.s_axis_read_tuser.val();
        self.core.s_axis_read_tuser.next = self.read_in.out_user.val();
        self.core.s_axis_read_tvalid.next = self.read_in.out_valid.val();
        self.read_in.out_ready.next = self.core.s_axis_read_tready.val();

        // m_axis_net: narrow for the port.
        wire!(self.net_out.* <- self.*: clk, rst);
        self.net_out.in_valid.next = self.core.m_axis_net_tvalid.val();
        self.core.m_axis_net_tready.next = self.net_out.in_ready.val();
        self.net_out.in_data.next = self.core.m_axis_net_tdata.val();
        self.m_axis_net_tdata.next = self.net_out.out_data.val();
        self.net_out.in_keep.next = self.core.m_axis_net_tkeep.val();
        self.m_axis_net_tkeep.next = self.net_out.out_keep.val();
        self.net_out.in_last.next = self.core.m_axis_net_tlast.val();
        self.m_axis_net_tlast.next = self.net_out.out_last.val();
        self.net_out.in_side.next = self.core.m_axis_net_tuser.val().into();
        self.m_axis_net_tuser.next = self.net_out.out_side.val().get_bit(0);
        self.m_axis_net_tvalid.next = self.net_out.out_valid.val();
        self.net_out.out_ready.next = self.m_axis_net_tready.val();

        // m_axis_bypass: narrow for the port.
        wire!(self.bypass_out.* <- self.*: clk, rst);
        self.bypass_out.in_valid.next = self.core.m_axis_bypass_tvalid.val();
        self.core.m_axis_bypass_tready.next = self.bypass_out.in_ready.val();
        self.bypass_out.in_data.next = self.core.m_axis_bypass_tdata.val();
        self.m_axis_bypass_tdata.next = self.bypass_out.out_data.val();
        self.bypass_out.in_keep.next = self.core.m_axis_bypass_tkeep.val();
        self.m_axis_bypass_tkeep.next = self.bypass_out.out_keep.val();
        self.bypass_out.in_last.next = self.core.m_axis_bypass_tlast.val();
        self.m_axis_bypass_tlast.next = self.bypass_out.out_last.val();
        self.bypass_out.in_side.next = self.core.m_axis_bypass_tuser.val().into();
        self.m_axis_bypass_tuser.next = self.bypass_out.out_side.val().get_bit(0);
        self.m_axis_bypass_tvalid.next = self.bypass_out.out_valid.val();
        self.bypass_out.out_ready.next = self.m_axis_bypass_tready.val();

        // m_axis_write: narrow for the port.
        wire!(self.write_out.* <- self.*: clk, rst);
        self.write_out.in_valid.next = self.core.m_axis_write_tvalid.val();
        self.core.m_axis_write_tready.next = self.write_out.in_ready.val();
        self.write_out.in_data.next = self.core.m_axis_write_tdata.val();
        self.m_axis_write_tdata.next = self.write_out.out_data.val();
        self.write_out.in_keep.next = self.core.m_axis_write_tkeep.val();
        self.m_axis_write_tkeep.next = self.write_out.out_keep.val();
        self.write_out.in_last.next = self.core.m_axis_write_tlast.val();
        self.m_axis_write_tlast.next = self.write_out.out_last.val();
        self.write_out.in_side.next = bit_cast::<X, 78>(self.core.m_axis_write_tuser.val())
            | (bit_cast::<X, A>(self.core.m_axis_write_tid.val()) << 78);
        self.m_axis_write_tuser.next = self.write_out.out_side.val().get_bits::<78>(0);
        self.m_axis_write_tid.next = self.write_out.out_side.val().get_bits::<A>(78);
        self.m_axis_write_tvalid.next = self.write_out.out_valid.val();
        self.write_out.out_ready.next = self.m_axis_write_tready.val();

        // Completions of received messages stay behind their data.
        wire!(self.received_behind.* <- self.*: clk, rst);
        self.received_behind.in_valid.next = self.core.m_axis_received_tvalid.val();
        self.core.m_axis_received_tready.next = self.received_behind.in_ready.val();
        self.received_behind.in_word.next = bit_cast::<RC, 56>(self.core.m_axis_received_tdata.val())
            | (bit_cast::<RC, A>(self.core.m_axis_received_tid.val()) << 56);
        self.received_behind.leaves.next = self.write_out.out_valid.val() & self.m_axis_write_tready.val();
        self.received_behind.idle.next = self.write_out.idle.val();
        self.m_axis_received_tvalid.next = self.received_behind.out_valid.val();
        self.received_behind.out_ready.next = self.m_axis_received_tready.val();
        self.m_axis_received_tdata.next = self.received_behind.out_word.val().get_bits::<56>(0);
        self.m_axis_received_tid.next = self.received_behind.out_word.val().get_bits::<A>(56);
    }
}
