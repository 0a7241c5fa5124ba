//! `weft_egress`: the sending side of the NIC (page `docs/blocks/egress.md`).

pub mod beats;
pub mod change;
pub mod choice;
pub mod header;
pub mod lookup;
pub mod orders;
pub mod others;
pub mod payload;
pub mod reads;
pub mod replies;
pub mod transport;
pub mod wiring;
pub mod words;

use crate::block::told;
use crate::emit::{EmitError, Module};
use crate::part::counter::Counter;
use crate::part::skid::Skid;
use crate::part::sum::Sum;
use crate::prelude::*;
use crate::word::{EgressPeer, Order, Past, Reply};
use beats::Beats;
use change::Change;
use choice::Choice;
use header::Header;
use orders::Orders;
use others::Others;
use payload::Payload;
use reads::Reads;
use replies::Replies;
use weft_params::SackParams;
use words::{Beat, Limit};

/// The sending side of the NIC: accepts orders to transmit, read data, replies and the frames of other
/// software, and sends Ethernet frames.
///
/// # Parameters
///
/// `A` bits of connection number; `S` of a PSN of the window, `N = S + 1`; `E` 1 with a window above 256 PSNs, else 0;
/// `U` bits of `una`, 10, at least `S + 1`, `T = U - 1`.
#[derive(LogicBlock, BlockDefault)]
pub struct Egress<
    const A: usize,
    const S: usize,
    const N: usize,
    const E: usize,
    const T: usize,
    const U: usize,
> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset. Afterwards a sweep clears every peer, one per clock.
    pub rst: Signal<In, Bit>,
    /// Time in ticks of 32 ns; the low 16 bits are the time stamps.
    pub now: Signal<In, Bits<32>>,
    /// ACKs and NACKs to be sent.
    pub s_axis_reply_tvalid: Signal<In, Bit>,
    /// Back-pressure; low during the sweep.
    pub s_axis_reply_tready: Signal<Out, Bit>,
    /// Connection.
    pub s_axis_reply_tid: Signal<In, Bits<A>>,
    /// The reply.
    pub s_axis_reply_tdata: Signal<In, Reply>,
    /// Data packets to be sent.
    pub s_axis_order_tvalid: Signal<In, Bit>,
    /// Back-pressure; low during the sweep.
    pub s_axis_order_tready: Signal<Out, Bit>,
    /// Connection.
    pub s_axis_order_tid: Signal<In, Bits<A>>,
    /// The order.
    pub s_axis_order_tdata: Signal<In, Order>,
    /// Packets of a connection need not be sent any more; always accepted.
    pub s_axis_passed_tvalid: Signal<In, Bit>,
    /// The connection.
    pub s_axis_passed_tid: Signal<In, Bits<A>>,
    /// The packets.
    pub s_axis_passed_tdata: Signal<In, Past<U>>,
    /// Read data: the payload of the orders that have any, in their order.
    pub s_axis_read_tvalid: Signal<In, Bit>,
    /// Back-pressure.
    pub s_axis_read_tready: Signal<Out, Bit>,
    /// The bytes.
    pub s_axis_read_tdata: Signal<In, Bits<512>>,
    /// All but in the last word, and there the order's bytes at least.
    pub s_axis_read_tkeep: Signal<In, Bits<64>>,
    /// Last of a packet's payload.
    pub s_axis_read_tlast: Signal<In, Bit>,
    /// With the last word: the data are wrong.
    pub s_axis_read_tuser: Signal<In, Bit>,
    /// Frames of other software.
    pub s_axis_bypass_tvalid: Signal<In, Bit>,
    /// Back-pressure.
    pub s_axis_bypass_tready: Signal<Out, Bit>,
    /// The bytes.
    pub s_axis_bypass_tdata: Signal<In, Bits<512>>,
    /// The bytes that count.
    pub s_axis_bypass_tkeep: Signal<In, Bits<64>>,
    /// Last of a frame.
    pub s_axis_bypass_tlast: Signal<In, Bit>,
    /// With tlast: the frame is bad.
    pub s_axis_bypass_tuser: Signal<In, Bit>,
    /// Peers of connections.
    pub s_axis_peer_tvalid: Signal<In, Bit>,
    /// High when all orders and replies from before the word have left.
    pub s_axis_peer_tready: Signal<Out, Bit>,
    /// Connection.
    pub s_axis_peer_tid: Signal<In, Bits<A>>,
    /// The peer.
    pub s_axis_peer_tdata: Signal<In, EgressPeer>,
    /// Frames to be sent.
    pub m_axis_net_tvalid: Signal<Out, Bit>,
    /// Back-pressure.
    pub m_axis_net_tready: Signal<In, Bit>,
    /// The bytes.
    pub m_axis_net_tdata: Signal<Out, Bits<512>>,
    /// The bytes that count.
    pub m_axis_net_tkeep: Signal<Out, Bits<64>>,
    /// Last of a frame.
    pub m_axis_net_tlast: Signal<Out, Bit>,
    /// With tlast: the frame is bad.
    pub m_axis_net_tuser: Signal<Out, Bit>,
    /// CSR: own MAC address, the first byte on the wire highest.
    pub cfg_mac: Signal<In, Bits<48>>,
    /// CSR: own IPv4 address.
    pub cfg_ipv4: Signal<In, Bits<32>>,
    /// CSR: own IPv6 address.
    pub cfg_ipv6: Signal<In, Bits<128>>,
    /// CSR: time to live, hop limit.
    pub cfg_hop_limit: Signal<In, Bits<8>>,
    /// CSR: DSCP of data.
    pub cfg_dscp_data: Signal<In, Bits<6>>,
    /// CSR: DSCP of data that is sent again.
    pub cfg_dscp_again: Signal<In, Bits<6>>,
    /// CSR: DSCP of ACKs and NACKs.
    pub cfg_dscp_control: Signal<In, Bits<6>>,
    /// Data frames, modulo 2^16.
    pub stat_data_frames: Signal<Out, Bits<16>>,
    /// ACKs, modulo 2^16.
    pub stat_ack_frames: Signal<Out, Bits<16>>,
    /// NACKs, modulo 2^16.
    pub stat_nack_frames: Signal<Out, Bits<16>>,
    /// Frames of other software, modulo 2^16.
    pub stat_bypass_frames: Signal<Out, Bits<16>>,
    /// Orders that were not sent because of their read data, modulo 2^16.
    pub stat_read_errors: Signal<Out, Bits<16>>,
    /// Frames of other software that were too long, modulo 2^16.
    pub stat_bypass_overflows: Signal<Out, Bits<16>>,
    /// Bytes of payload, modulo 2^24.
    pub stat_data_bytes: Signal<Out, Bits<24>>,

    replies: Replies<A>,
    orders: Orders<A, T, U>,
    reads: Reads,
    others: Others,
    choice: Choice,
    change: Change,
    header: Header<S, N, E>,
    payload: Payload,
    beats: Beats,
    skid: Skid<578>,
    data_frames: Counter,
    ack_frames: Counter,
    nack_frames: Counter,
    bypass_frames: Counter,
    read_errors: Counter,
    bypass_overflows: Counter,
    data_bytes: Sum,
    order: Signal<Local, Order>,
    run: Signal<Local, Bit>,
    #[new(true)]
    sweeping: Reg<Bit>,
    sweep: Reg<Bits<A>>,
    peer_at: Signal<Local, Bits<A>>,
    peer: Signal<Local, EgressPeer>,
    writes: Reg<Bit>,
    write_id: Pipe<Bits<A>>,
    written: Pipe<EgressPeer>,
    passed: Signal<Local, Past<U>>,
    limit_at: Signal<Local, Bits<A>>,
    limit: Signal<Local, Limit<U>>,
    foreign: Signal<Local, Beat>,
    other: Signal<Local, Beat>,
    answer: Signal<Local, Reply>,
    sends: Signal<Local, Bit>,
    sealed: Signal<Local, Beat>,
}
impl<const A: usize, const S: usize, const N: usize, const E: usize, const T: usize, const U: usize> Logic
    for Egress<A, S, N, E, T, U>
{
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        self.run.next = self.skid.run.val();
        wire!(self.others.*, self.header.*, self.payload.*, self.beats.* <- self.skid.*: next_run);

        // Peers, written a clock after they are accepted; after reset a sweep writes all.
        self.sweeping.reg = when(self.sweep.q.val().all(), false);
        self.sweep.reg = when(self.sweeping.q.val(), self.sweep.q.val() + 1);
        self.s_axis_peer_tready.next = self.change.ready.val();
        self.writes.reg = self.sweeping.q.val() | (self.s_axis_peer_tvalid.val() & self.change.ready.val());
        self.peer_at.next = self.s_axis_peer_tid.val();
        self.peer.next = self.s_axis_peer_tdata.val();
        if self.sweeping.q.val() {
            self.peer_at.next = self.sweep.q.val();
            self.peer.next.v6 = false;
            self.peer.next.address = 0.into();
            self.peer.next.mac = 0.into();
            self.peer.next.tagged = false;
            self.peer.next.tag = 0.into();
            self.peer.next.qp = 0.into();
            self.peer.next.pkey = 0.into();
        }
        self.write_id.pipe = self.peer_at.val();
        self.written.pipe = self.peer.val();

        // Replies that wait to be sent.
        wire!(self.replies.* <- self.*: clk, rst);
        self.replies.in_valid.next = self.s_axis_reply_tvalid.val() & !self.sweeping.q.val();
        self.s_axis_reply_tready.next = self.replies.in_ready.val() & !self.sweeping.q.val();
        self.replies.in_id.next = self.s_axis_reply_tid.val();
        self.replies.in_word.next = self.s_axis_reply_tdata.val();
        self.replies.write = when(self.writes.q.val(), (self.write_id.q.val(), self.written.q.val()));
        self.replies.taken.next = self.choice.reply_taken.val();

        wire!(self.orders.* <- self.*: clk, rst);
        self.orders.in_valid.next = self.s_axis_order_tvalid.val() & !self.sweeping.q.val();
        self.s_axis_order_tready.next = self.orders.in_ready.val() & !self.sweeping.q.val();
        self.orders.in_id.next = self.s_axis_order_tid.val();
        self.orders.in_word.next = self.s_axis_order_tdata.val();
        self.orders.write = when(self.writes.q.val(), (self.write_id.q.val(), self.written.q.val()));
        // Which of them are still to be sent; after reset, which sweeps this, too, all are.
        self.passed.next = self.s_axis_passed_tdata.val();
        self.limit_at.next =
            if self.sweeping.q.val() { self.sweep.q.val() } else { self.s_axis_passed_tid.val() };
        self.limit.next.una = self.passed.val().una;
        self.limit.next.ended = self.passed.val().ended & !self.sweeping.q.val();
        self.limit.next.told = !self.sweeping.q.val();
        self.orders.limit_we.next = self.sweeping.q.val() | self.s_axis_passed_tvalid.val();
        self.orders.limit_waddr.next = self.limit_at.val();
        self.orders.limit_wdata.next = self.limit.val();
        wire!(self.orders.* <- self.reads.*: packet_valid, packet);
        self.orders.taken.next = self.choice.order_taken.val();

        wire!(self.reads.* <- self.*: clk, rst);
        self.reads.in_valid.next = self.s_axis_read_tvalid.val();
        self.s_axis_read_tready.next = self.reads.in_ready.val();
        self.reads.in_data.next = self.s_axis_read_tdata.val();
        self.reads.in_keep.next = self.s_axis_read_tkeep.val();
        self.reads.in_last.next = self.s_axis_read_tlast.val();
        self.reads.in_bad.next = self.s_axis_read_tuser.val();
        self.reads.packet_ready.next = self.orders.packet_ready.val();
        self.reads.pull.next = self.choice.pull_read.val();

        self.foreign.next.data = self.s_axis_bypass_tdata.val();
        self.foreign.next.keep = self.s_axis_bypass_tkeep.val();
        self.foreign.next.last = self.s_axis_bypass_tlast.val();
        self.foreign.next.bad = self.s_axis_bypass_tuser.val();
        wire!(self.others.* <- self.*: clk, rst);
        self.others.in_valid.next = self.s_axis_bypass_tvalid.val();
        self.s_axis_bypass_tready.next = self.others.in_ready.val();
        self.others.in_word.next = self.foreign.val();
        self.others.taken.next = self.choice.other_taken.val();
        self.others.pull.next = self.choice.pull_other.val();
        self.other.next = self.others.word.val();

        // Stages 0 to 2: a beat of a frame.
        wire!(self.choice.* <- self.*: clk, rst, run);
        wire!(self.choice.reply_* <- self.replies.*: valid, size);
        wire!(self.choice.order_* <- self.orders.*: valid, drop, size, left);
        self.choice.other_valid.next = self.others.some.val();
        self.choice.other_last.next = self.others.last.val();

        // Orders and replies that a peer word waits for.
        wire!(self.change.* <- self.*: clk, rst);
        self.change.offered.next = self.s_axis_peer_tvalid.val() & !self.sweeping.q.val();
        self.change.reply_in.next = self.replies.in_valid.val() & self.replies.in_ready.val();
        self.change.order_in.next = self.orders.in_valid.val() & self.orders.in_ready.val();
        self.change.reply_out.next = self.choice.reply_taken.val();
        self.change.order_out.next = self.choice.order_taken.val();
        self.change.drops.next = self.orders.drop.val();
        self.change.other_out.next = self.choice.other_taken.val();
        self.change.sent.next =
            self.skid.out_valid.val() & self.m_axis_net_tready.val() & self.skid.out_word.val().get_bit(576);

        self.answer.next = self.replies.reply.val();
        self.sends.next = self.choice.order_taken.val() & !self.orders.drop.val();
        wire!(
            self.data_frames.*, self.ack_frames.*, self.nack_frames.*, self.bypass_frames.*,
            self.read_errors.*, self.bypass_overflows.*, self.data_bytes.*
            <- self.*: clk, rst,
        );
        self.data_frames.one.next = self.sends.val();
        self.stat_data_frames.next = self.data_frames.count.val();
        self.ack_frames.one.next = self.choice.reply_taken.val() & !self.answer.val().nack;
        self.stat_ack_frames.next = self.ack_frames.count.val();
        self.nack_frames.one.next = self.choice.reply_taken.val() & self.answer.val().nack;
        self.stat_nack_frames.next = self.nack_frames.count.val();
        self.bypass_frames.one.next = self.choice.other_taken.val();
        self.stat_bypass_frames.next = self.bypass_frames.count.val();
        self.read_errors.one.next = self.choice.order_taken.val() & self.orders.wrong.val();
        self.stat_read_errors.next = self.read_errors.count.val();
        self.bypass_overflows.one.next = self.others.overflow.val();
        self.stat_bypass_overflows.next = self.bypass_overflows.count.val();
        self.order.next = self.orders.order.val();
        self.data_bytes.add.next = self.sends.val();
        self.data_bytes.amount.next = self.order.val().bytes;
        self.stat_data_bytes.next = self.data_bytes.sum.val();

        // Stages 2 to 5: header and payload.
        wire!(self.header.* <- self.*: clk, rst);
        wire!(self.header.* <- self.choice.*: reply_taken, order_taken);
        self.header.reply.next = self.replies.reply.val();
        self.header.reply_peer.next = self.replies.peer.val();
        self.header.order.next = self.orders.order.val();
        self.header.order_peer.next = self.orders.peer.val();
        self.header.now.next = self.now.val().get_bits::<16>(0);
        self.header.size.next = self.choice.size_now.val();
        wire!(self.header.* <- self.cfg_*: mac, ipv4, ipv6, hop_limit, dscp_data, dscp_again, dscp_control);

        wire!(self.payload.* <- self.*: clk, rst);
        wire!(self.payload.* <- self.choice.*: slot, fills, cut);
        self.payload.read.next = self.reads.word.val();
        self.payload.other.next = self.other.val().data;

        // Stages 3 to 17: the beats.
        wire!(self.beats.* <- self.*: clk, rst);
        wire!(self.beats.in_* <- self.choice.*: valid, slot);
        self.beats.in_keep.next = self.other.val().keep;
        self.beats.in_bad.next = self.other.val().bad;
        wire!(self.beats.* <- self.header.*: low, mid, high);
        wire!(self.beats.* <- self.payload.*: word, rest);

        // Stage 18: frames out.
        self.sealed.next = self.beats.beat.val();
        wire!(self.skid.* <- self.*: clk, rst);
        self.skid.in_valid.next = self.beats.valid.val();
        self.skid.in_word.next = bit_cast::<578, 512>(self.sealed.val().data)
            | (bit_cast::<578, 64>(self.sealed.val().keep) << 512)
            | (bit_cast::<578, 1>(self.sealed.val().last.into()) << 576)
            | (bit_cast::<578, 1>(self.sealed.val().bad.into()) << 577);
        self.skid.out_ready.next = self.m_axis_net_tready.val();
        self.m_axis_net_tvalid.next = self.skid.out_valid.val();
        self.m_axis_net_tdata.next = self.skid.out_word.val().get_bits::<512>(0);
        self.m_axis_net_tkeep.next = self.skid.out_word.val().get_bits::<64>(512);
        self.m_axis_net_tlast.next = self.skid.out_word.val().get_bit(576);
        self.m_axis_net_tuser.next = self.skid.out_word.val().get_bit(577);
    }
}

/// The Verilog of `weft_egress`, one module per file, for parameters that were checked.
pub fn emit(params: &SackParams) -> Result<Vec<Module>, EmitError> {
    emit_with(params, SackParams::WINDOW)
}

/// [`emit`], with a window of `psns`: 256, 512 or 1,024.
pub fn emit_with(params: &SackParams, psns: u32) -> Result<Vec<Module>, EmitError> {
    let emitter = told(crate::part::emitter().parameter("connections", params.connections), psns);
    // Widths are types in Rust-HDL: every shape is an instance of its own.
    macro_rules! shape {
        ($a:literal) => {
            match psns {
                512 => emitter.emit_new::<Egress<$a, 9, 10, 1, 9, 10>>("weft_egress"),
                1024 => emitter.emit_new::<Egress<$a, 10, 11, 1, 10, 11>>("weft_egress"),
                _ => emitter.emit_new::<Egress<$a, 8, 9, 0, 9, 10>>("weft_egress"),
            }
        };
    }
    by_connections!(params.connections, shape)
}
