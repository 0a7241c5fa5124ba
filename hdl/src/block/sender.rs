//! `weft_sender`: the sending side of a host's memory (page `docs/blocks/sender.md`).

pub mod billing;
pub mod closing;
pub mod congestion;
pub mod dispatch;
pub mod drains;
pub mod endings;
pub mod events;
pub mod freezes;
pub mod intake;
pub mod lists;
pub mod orders;
pub mod packets;
pub mod paths;
pub mod tally;
pub mod windows;
pub mod words;

use crate::block::emitter_of;
use crate::block::reps::Reps;
use crate::block::sack_tx::SackTx;
use crate::block::smartt::Smartt;
use crate::emit::{EmitError, Module};
use crate::part::counter::Counter;
use crate::part::fifo::Fifo;
use crate::prelude::*;
use crate::word::{Acknowledgement, Order, Past, Place, SenderControl, Work};
use closing::Closing;
use congestion::Congestion;
use dispatch::Dispatch;
use drains::Drains;
use endings::Endings;
use events::Events;
use freezes::Freezes;
use intake::Intake;
use lists::Lists;
use orders::Orders;
use packets::Packets;
use paths::Paths;
use tally::Tally;
use weft_params::SenderParams;
use windows::Windows;
use words::{Ending, Entry, Feedback, News, Recovery, Rtts, Window};

/// The sending side of a host's memory: accepts work requests, queries the transport, the choice of paths and
/// the congestion window for decisions, and orders packets.
///
/// # Parameters
///
/// `A` bits of connection number; the rest follows: `B = A + 1`, `M = A + 4` (a message's place), `R` = `A`,
/// at least 6, `AS = A + 3`, `WT = A + 152`, `WS = A + 40`, `WR = A + 24` (answers of the three blocks inside). `S` bits of a PSN of
/// the window, `N = S + 1`, `C = S + 2`, `H = S - 4`, `Q = A + H`; `E` 1 with a window above 256 PSNs, else 0; `U` and `Z` of
/// the ports. The emitter replaces `sack_tx` in windows above 256 PSNs by a block with the same ports.
#[derive(LogicBlock, BlockDefault)]
pub struct Sender<
    const A: usize,
    const B: usize,
    const M: usize,
    const R: usize,
    const AS: usize,
    const WT: usize,
    const WS: usize,
    const WR: usize,
    const S: usize,
    const N: usize,
    const C: usize,
    const H: usize,
    const Q: usize,
    const E: usize,
    const U: usize,
    const Z: usize,
> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset. Afterwards a sweep clears all connections, one per clock.
    pub rst: Signal<In, Bit>,
    /// The time in ticks.
    pub now: Signal<In, Bits<32>>,
    /// Work requests in.
    pub s_axis_work_tvalid: Signal<In, Bit>,
    /// Low during the sweep, while the sender handles a request, and while a connection closes.
    pub s_axis_work_tready: Signal<Out, Bit>,
    /// Connection.
    pub s_axis_work_tid: Signal<In, Bits<A>>,
    /// The request.
    pub s_axis_work_tdata: Signal<In, Work>,
    /// With immediate.
    pub s_axis_work_tuser: Signal<In, Bit>,
    /// ACKs and NACKs in.
    pub s_axis_acknowledgement_tvalid: Signal<In, Bit>,
    /// Low during the sweep, and while the sender stores one.
    pub s_axis_acknowledgement_tready: Signal<Out, Bit>,
    /// Connection.
    pub s_axis_acknowledgement_tid: Signal<In, Bits<A>>,
    /// The ACK or NACK.
    pub s_axis_acknowledgement_tdata: Signal<In, Acknowledgement>,
    /// Commands in.
    pub s_axis_control_tvalid: Signal<In, Bit>,
    /// A close waits until all state of the connection is gone, a drain until all posted work has begun.
    /// The drain also waits until the reports have left. The sender accepts any other command in turn.
    pub s_axis_control_tready: Signal<Out, Bit>,
    /// Connection.
    pub s_axis_control_tid: Signal<In, Bits<A>>,
    /// The command.
    pub s_axis_control_tdata: Signal<In, SenderControl>,
    /// A connection has failed at this end.
    pub s_axis_failure_tvalid: Signal<In, Bit>,
    /// Low during the sweep, and while the transport accepts no event.
    pub s_axis_failure_tready: Signal<Out, Bit>,
    /// The connection.
    pub s_axis_failure_tid: Signal<In, Bits<A>>,
    /// The connection's buffer failed; 0: a packet of its peer was not permitted to write to its address.
    pub s_axis_failure_tuser: Signal<In, Bit>,
    /// DMA read requests out, in the order of the orders that carry bytes.
    pub m_axis_fetch_tvalid: Signal<Out, Bit>,
    /// Back-pressure.
    pub m_axis_fetch_tready: Signal<In, Bit>,
    /// Connection.
    pub m_axis_fetch_tid: Signal<Out, Bits<A>>,
    /// The place in memory that is fetched.
    pub m_axis_fetch_tdata: Signal<Out, Place>,
    /// Orders to transmit out.
    pub m_axis_order_tvalid: Signal<Out, Bit>,
    /// Back-pressure.
    pub m_axis_order_tready: Signal<In, Bit>,
    /// Connection.
    pub m_axis_order_tid: Signal<Out, Bits<A>>,
    /// The order.
    pub m_axis_order_tdata: Signal<Out, Order>,
    /// Packets of a connection need not be sent any more; always accepted.
    pub m_axis_passed_tvalid: Signal<Out, Bit>,
    /// The connection.
    pub m_axis_passed_tid: Signal<Out, Bits<A>>,
    /// The packets.
    pub m_axis_passed_tdata: Signal<Out, Past<U>>,
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
    /// REPS began or ended a freeze.
    pub m_axis_freeze_tvalid: Signal<Out, Bit>,
    /// The report is accepted.
    pub m_axis_freeze_tready: Signal<In, Bit>,
    /// The connection.
    pub m_axis_freeze_tid: Signal<Out, Bits<A>>,
    /// The freeze began.
    pub m_axis_freeze_tuser: Signal<Out, Bit>,
    /// A connection that drains has no outstanding work any more.
    pub m_axis_drained_tvalid: Signal<Out, Bit>,
    /// The report is accepted.
    pub m_axis_drained_tready: Signal<In, Bit>,
    /// The connection.
    pub m_axis_drained_tid: Signal<Out, Bits<A>>,
    /// A connection gave up, or its peer denied a packet.
    pub m_axis_failed_tvalid: Signal<Out, Bit>,
    /// The report is accepted.
    pub m_axis_failed_tready: Signal<In, Bit>,
    /// The connection.
    pub m_axis_failed_tid: Signal<Out, Bits<A>>,
    /// The peer denied a packet; 0: the peer did not answer.
    pub m_axis_failed_tuser: Signal<Out, Bit>,
    /// CSR: payload bytes of a full packet are 2 to the power of this, 8 to 13.
    pub cfg_mtu_shift: Signal<In, Bits<4>>,
    /// CSR: ticks without a packet after which a connection explores paths again; 0: never.
    pub cfg_idle: Signal<In, Bits<32>>,
    /// Connection of software's query; a register of the user.
    pub query: Signal<In, Bits<A>>,
    /// Two clocks later: view of that connection for software, as the transport's `window_view`.
    pub window_view: Signal<Out, Bits<Z>>,
    /// CSR of the transport: SACK gap in PSNs, 0 never.
    pub cfg_sack_tx_gap: Signal<In, Bits<32>>,
    /// CSR of the transport: RTO in ticks.
    pub cfg_sack_tx_rto: Signal<In, Bits<64>>,
    /// CSR of the transport: shortest epoch in ticks.
    pub cfg_sack_tx_epoch: Signal<In, Bits<60>>,
    /// CSR of the transport: peak round-trip time in ticks from which on the network is congested.
    pub cfg_sack_tx_high: Signal<In, Bits<60>>,
    /// CSR of the transport: most doublings of the RTO.
    pub cfg_sack_tx_backoff_limit: Signal<In, Bits<12>>,
    /// CSR of the transport: timeouts in a row that a connection survives.
    pub cfg_sack_tx_retry_limit: Signal<In, Bits<40>>,
    /// Transport: events from outside for connections that were not open, modulo 2^16.
    pub stat_sack_tx_not_open_events: Signal<Out, Bits<16>>,
    /// Transport: ACKs and NACKs of PSNs never sent, and bitmaps with such PSNs, modulo 2^16.
    pub stat_sack_tx_never_sent: Signal<Out, Bits<16>>,
    /// Transport: ACKs and NACKs older than the window, modulo 2^16.
    pub stat_sack_tx_stale: Signal<Out, Bits<16>>,
    /// Transport: refused messages, because all places were used or the message had zero packets, modulo 2^16.
    pub stat_sack_tx_refused: Signal<Out, Bits<16>>,
    /// CSR of the congestion window: four classes. Smallest window and full packet, bytes.
    pub cfg_smartt_mtu: Signal<In, Bits<56>>,
    /// CSR of the congestion window: four classes. Largest window, bytes.
    pub cfg_smartt_max_cwnd: Signal<In, Bits<104>>,
    /// CSR of the congestion window: four classes. BDP over fair-decrease constant, bytes.
    pub cfg_smartt_fair_decrease: Signal<In, Bits<104>>,
    /// CSR of the congestion window: four classes. RTT of an empty network, ticks.
    pub cfg_smartt_base_rtt: Signal<In, Bits<64>>,
    /// CSR of the congestion window: four classes. Target RTT, ticks.
    pub cfg_smartt_target_rtt: Signal<In, Bits<64>>,
    /// CSR of the congestion window: four classes. Largest RTT that FastIncrease counts as the base RTT, ticks.
    pub cfg_smartt_fast_rtt: Signal<In, Bits<64>>,
    /// CSR of the congestion window: four classes. MTU times multiplicative-increase constant, 2^-8 bytes.
    pub cfg_smartt_multiplicative_increase: Signal<In, Bits<128>>,
    /// CSR of the congestion window: four classes. MTU times fair-increase constant, 2^-10 bytes.
    pub cfg_smartt_fair_increase: Signal<In, Bits<120>>,
    /// CSR of the congestion window: multiplicative-decrease constant, 2^-4.
    pub cfg_smartt_multiplicative_decrease: Signal<In, Bits<8>>,
    /// CSR of the congestion window: QuickAdapt scaling, 2^-23.
    pub cfg_smartt_qa_scaling: Signal<In, Bits<24>>,
    /// CSR of the congestion window: weight of the newest packet in the average, 2^-8.
    pub cfg_smartt_wtd_alpha: Signal<In, Bits<8>>,
    /// CSR of the congestion window: weights of the newest 2 to 16 packets, 2^-8.
    pub cfg_smartt_wtd_alphas: Signal<In, Bits<120>>,
    /// CSR of the congestion window: average from which on the window may decrease, 2^-8.
    pub cfg_smartt_wtd_threshold: Signal<In, Bits<8>>,
    /// CSR of the congestion window: ACKs per reaction; 0 counts as 1.
    pub cfg_smartt_granularity: Signal<In, Bits<6>>,
    /// CSR of the congestion window: MTUs that FastIncrease adds.
    pub cfg_smartt_fast_mtus: Signal<In, Bits<4>>,
    /// CSR of the congestion window: 0 ECN and delay, 1 ECN only, 2 delay only.
    pub cfg_smartt_signals: Signal<In, Bits<2>>,
    /// CSR of the congestion window: losses count while feedback is ignored.
    pub cfg_smartt_late_losses: Signal<In, Bit>,
    /// Congestion window: events of connections that were not open, modulo 2^16.
    pub stat_smartt_not_open_events: Signal<Out, Bits<16>>,
    /// CSR of the entropy values: 0 REPS, 1 OPS, 2 fixed, 3 the 2024 variant.
    pub cfg_reps_mode: Signal<In, Bits<2>>,
    /// CSR of the entropy values: wire value of entropy index 0.
    pub cfg_reps_ev_base: Signal<In, Bits<16>>,
    /// CSR of the entropy values: number of entropy values, 1 to 65,536.
    pub cfg_reps_evs_size: Signal<In, Bits<17>>,
    /// CSR of the entropy values: ticks of a freeze.
    pub cfg_reps_freeze_timeout: Signal<In, Bits<32>>,
    /// CSR of the entropy values: packets of one BDP; above 255 counts as 255.
    pub cfg_reps_bdp_packets: Signal<In, Bits<16>>,
    /// CSR of the entropy values: the fabric trims, so every timeout is a failure.
    pub cfg_reps_trimming: Signal<In, Bit>,
    /// CSR of the entropy values: ending a freeze empties the buffer.
    pub cfg_reps_thaw_reset: Signal<In, Bit>,
    /// CSR of the entropy values: lowest round-trip time that is high, in ticks.
    pub cfg_reps_rtt_high: Signal<In, Bits<16>>,
    /// CSR of the entropy values: ticks for which a high round-trip time counts.
    pub cfg_reps_rtt_window: Signal<In, Bits<32>>,
    /// Entropy values: events of connections that were not open, modulo 2^16.
    pub stat_reps_not_open_events: Signal<Out, Bits<16>>,
    /// Work requests posted as messages, modulo 2^16.
    pub stat_posted: Signal<Out, Bits<16>>,
    /// Completions of work requests that were refused, modulo 2^16.
    pub stat_refused: Signal<Out, Bits<16>>,
    /// Orders handed out, modulo 2^16.
    pub stat_orders: Signal<Out, Bits<16>>,
    /// Packets found lost by probes, modulo 2^16.
    pub stat_probes: Signal<Out, Bits<16>>,
    /// Losses and their outcomes: `Recovery`.
    pub stat_recovery: Signal<Out, Recovery>,
    /// Entropy values: `Paths`.
    pub stat_paths: Signal<Out, words::Paths>,
    /// Congestion windows: `Window`.
    pub stat_window: Signal<Out, Window>,
    /// ACKs by round-trip time: `Rtts`.
    pub stat_rtt: Signal<Out, Rtts>,
    /// The last round-trip time, in ticks; all ones: not measured yet.
    pub stat_rtt_latest: Signal<Out, Bits<16>>,
    /// The smallest round-trip time, in ticks; all ones: not measured yet.
    pub stat_rtt_smallest: Signal<Out, Bits<16>>,

    intake: Intake<A, M>,
    events: Events<A>,
    sack_tx: SackTx<A, B, M, R, WT, 8, 9, 256, 16, 4, 0, 0, 1, 1, 10, 23, 24, M, Z>,
    dispatch: Dispatch<A, N, C, U>,
    lists: Lists,
    entries: Fifo<Entry, 5, 6>,
    packets: Packets<A, M, H, Q, E>,
    news: Fifo<News, 5, 6>,
    paths: Paths<A>,
    reps: Reps<A, 3, 16, AS, 4, 54, WR>,
    orders: Orders<A>,
    freezes: Freezes<A, B>,
    failed: Fifo<Bits<B>, 4, 5>,
    feedbacks: Fifo<Feedback<N>, 5, 6>,
    congestion: Congestion<A, S, N, C>,
    smartt: Smartt<A, WS>,
    windows: Windows<A, B>,
    drains: Drains<A>,
    ended: Fifo<Ending, 4, 5>,
    endings: Endings<A, M>,
    closing: Closing<A>,
    posted: Counter,
    refused: Counter,
    ordered: Counter,
    tally_reset: LateReset,
    tally: Tally<N>,
    order: Signal<Local, Order>,
    #[new(1u64.to_bits())]
    one_packet: Constant<Bits<14>>,
    #[new(true)]
    sweeping: Reg<Bit>,
    sweep: Reg<Bits<A>>,
    mtu: Pipe<Bits<14>>,
    mtu_shift: Pipe<Bits<4>>,
    share: Signal<Local, Bits<16>>,
    ahead: Pipe<Bits<8>>,
    begun: Reg<Bits<8>>,
    underway: Signal<Local, Bits<8>>,
    #[new(0x8000u64.to_bits())]
    most: Constant<Bits<16>>,
    room: Signal<Local, Bit>,
    packet_room: Signal<Local, Bit>,
    over: Signal<Local, Ending>,
    since: Signal<Local, Bits<8>>,
    behind: Signal<Local, Bit>,
    #[new(true)]
    decides: Reg<Bit>,
    decided: Signal<Local, Bit>,
    chosen: Signal<Local, Bit>,
    answered: Signal<Local, Bit>,
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
    const S: usize,
    const N: usize,
    const C: usize,
    const H: usize,
    const Q: usize,
    const E: usize,
    const U: usize,
    const Z: usize,
> Logic for Sender<A, B, M, R, AS, WT, WS, WR, S, N, C, H, Q, E, U, Z>
{
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        // After reset, the state of every connection is cleared.
        self.sweeping.reg = when(self.sweep.q.val().all(), false);
        self.sweep.reg = when(self.sweeping.q.val(), self.sweep.q.val() + 1);
        self.mtu.pipe = self.one_packet.val() << self.cfg_mtu_shift.val();
        self.mtu_shift.pipe = self.cfg_mtu_shift.val();

        // SENDs wait while 32 KiB are between them and egress.
        self.share.next = self.most.val() >> self.cfg_mtu_shift.val();
        self.ahead.pipe =
            if self.cfg_mtu_shift.val() < 10 { 48.into() } else { self.share.val().get_bits::<8>(0) };
        self.begun.reg = self.begun.q.val() + bit_cast::<8, 1>(self.sack_tx.sends.val().into())
            - bit_cast::<8, 1>(self.dispatch.voids.val().into());
        self.underway.next = self.begun.q.val() - self.orders.handed.val();
        self.sack_tx.hold.next = self.underway.val() >= self.ahead.q.val();

        // Work requests in.
        wire!(self.intake.* <- self.*: clk, rst);
        self.intake.sweeping.next = self.sweeping.q.val();
        self.intake.sweep.next = self.sweep.q.val();
        self.intake.work_valid.next = self.s_axis_work_tvalid.val();
        self.intake.work_id.next = self.s_axis_work_tid.val();
        self.intake.work.next = self.s_axis_work_tdata.val();
        self.intake.work_immediate.next = self.s_axis_work_tuser.val();
        self.intake.mtu_shift.next = self.mtu_shift.q.val();
        self.intake.mtu.next = self.mtu.q.val();
        wire!(self.intake.* <- self.endings.*: done, done_id, done_count, refusal_ready);
        self.intake.post_ready.next = self.events.post_ready.val();
        self.intake.closing.next = self.events.closing.val();
        self.intake.drains.next = self.events.drains.val();
        self.intake.drain_id.next = self.events.aside_id.val();
        self.intake.telling.next = self.drains.left.val();
        wire!(self.intake.* <- self.drains.*: draining, settled_ready);
        self.s_axis_work_tready.next = self.intake.work_ready.val();

        // Events for the transport.
        wire!(self.events.*, self.sack_tx.* <- self.*: clk, rst);
        self.events.sweeping.next = self.sweeping.q.val();
        self.events.now.next = self.now.val().get_bits::<16>(0);
        self.events.max_cwnd.next = self.cfg_smartt_max_cwnd.val();
        self.events.failure_valid.next = self.s_axis_failure_tvalid.val();
        self.events.failure_id.next = self.s_axis_failure_tid.val();
        self.events.failure_broken.next = self.s_axis_failure_tuser.val();
        self.s_axis_failure_tready.next = self.events.failure_ready.val();
        self.events.window_valid.next = self.windows.out_valid.val();
        self.events.window.next = self.windows.out.val();
        self.events.ack_valid.next = self.s_axis_acknowledgement_tvalid.val();
        self.events.ack_id.next = self.s_axis_acknowledgement_tid.val();
        self.events.ack.next = self.s_axis_acknowledgement_tdata.val();
        self.events.list_room.next = self.lists.ready.val();
        self.events.control_valid.next = self.s_axis_control_tvalid.val();
        self.events.control_id.next = self.s_axis_control_tid.val();
        self.events.control.next = self.s_axis_control_tdata.val();
        self.events.aside_ready.next = self.paths.aside_ready.val();
        wire!(self.events.* <- self.intake.*: post_valid, post, idle, drain_over);
        self.events.closed.next = self.closing.over.val();
        self.events.event_ready.next = self.sack_tx.s_axis_event_tready.val();
        self.s_axis_acknowledgement_tready.next = self.events.ack_ready.val();
        self.s_axis_control_tready.next = self.events.control_ready.val();
        self.sack_tx.now.next = self.now.val().get_bits::<24>(0);
        self.sack_tx.s_axis_event_tvalid.next = self.events.event_valid.val();
        self.sack_tx.s_axis_event_tid.next = self.events.event_id.val();
        self.sack_tx.s_axis_event_tdata.next = self.events.event_data.val();
        self.sack_tx.s_axis_event_tuser.next = self.events.event_kind.val();
        self.sack_tx.m_axis_outcome_tready.next = self.dispatch.outcome_ready.val();
        self.sack_tx.query.next = self.query.val();
        self.window_view.next = self.sack_tx.window_view.val();

        // The meaning of the transport's outcomes, while the queues have space for those in the pipeline.
        self.room.next = !self.entries.level.val().get_bits::<2>(4).any()
            & !self.news.level.val().get_bits::<2>(4).any()
            & !self.feedbacks.level.val().get_bits::<2>(4).any()
            & !self.failed.level.val().get_bits::<2>(3).any();
        wire!(self.dispatch.* <- self.*: clk, rst, now, room);
        self.dispatch.sweeping.next = self.sweeping.q.val();
        self.dispatch.sweep.next = self.sweep.q.val();
        self.dispatch.idle.next = self.cfg_idle.val();
        self.dispatch.trims.next = self.cfg_reps_trimming.val();
        self.dispatch.outcome_valid.next = self.sack_tx.m_axis_outcome_tvalid.val();
        self.dispatch.outcome_id.next = self.sack_tx.m_axis_outcome_tid.val();
        self.dispatch.outcome_data.next = self.sack_tx.m_axis_outcome_tdata.val();
        self.dispatch.outcome_user.next = self.sack_tx.m_axis_outcome_tuser.val();
        self.dispatch.listing.next = self.lists.listing.val();
        self.m_axis_passed_tvalid.next = self.dispatch.passed_valid.val();
        self.m_axis_passed_tid.next = self.dispatch.passed_id.val();
        self.m_axis_passed_tdata.next = self.dispatch.passed.val();

        // Connections that outcomes end, until the end is reported.
        wire!(self.failed.* <- self.*: clk, rst);
        self.failed.in_valid.next = self.dispatch.failed_valid.val();
        self.failed.in_word.next = (bit_cast::<B, A>(self.dispatch.failed_id.val()) << 1)
            | bit_cast::<B, 1>(self.dispatch.failed_denied.val().into());
        self.failed.in_commit.next = true;
        self.failed.in_rollback.next = false;
        self.failed.out_ready.next = self.m_axis_failed_tready.val();
        self.m_axis_failed_tvalid.next = self.failed.out_valid.val();
        self.m_axis_failed_tid.next = self.failed.out_word.val().get_bits::<A>(1);
        self.m_axis_failed_tuser.next = self.failed.out_word.val().get_bit(0);

        // The lists of ACKs.
        wire!(self.lists.* <- self.*: clk, rst);
        self.lists.taken.next = self.s_axis_acknowledgement_tvalid.val() & self.events.ack_ready.val();
        self.lists.ack.next = self.s_axis_acknowledgement_tdata.val();
        self.lists.outcome.next = self.dispatch.acked_one.val();
        self.lists.entry_ready.next = self.paths.entry_ready.val();
        self.paths.entry.next = self.lists.entry.val();

        // Messages: their packets and ends.
        wire!(self.entries.*, self.packets.*, self.ended.*, self.endings.* <- self.*: clk, rst);
        self.entries.in_valid.next = self.dispatch.entry_valid.val();
        self.entries.in_word.next = self.dispatch.entry.val();
        self.entries.in_commit.next = true;
        self.entries.in_rollback.next = false;
        self.entries.out_ready.next = self.packets.entry_ready.val();
        // At most 64 packets wait behind messages that have ended: packets are counted modulo 256.
        self.over.next = self.ended.out_word.val();
        self.since.next = self.packets.entered.val() - self.over.val().after;
        self.behind.next = self.ended.out_valid.val() & self.since.val().get_bits::<2>(6).any();
        self.packet_room.next = self.orders.packet_room.val()
            & !self.ended.level.val().get_bits::<2>(3).any()
            & !self.behind.val();
        self.packets.room.next = self.packet_room.val();
        self.packets.mtu_shift.next = self.mtu_shift.q.val();
        self.packets.mtu.next = self.mtu.q.val();
        self.packets.entry_valid.next = self.entries.out_valid.val();
        self.packets.entry.next = self.entries.out_word.val();
        wire!(self.packets.* <- self.intake.*: write, place, message);
        self.ended.in_valid.next = self.packets.ending_valid.val();
        self.ended.in_word.next = self.packets.ending.val();
        self.ended.in_commit.next = true;
        self.ended.in_rollback.next = false;
        self.ended.out_ready.next = self.endings.ending_ready.val();
        wire!(self.endings.* <- self.intake.*: write, place, id, refusal_valid, refusal);
        self.endings.ending_valid.next = self.ended.out_valid.val();
        self.endings.ending.next = self.ended.out_word.val();
        self.endings.telling.next = self.drains.left.val();
        self.endings.handed.next = self.orders.handed.val();
        self.endings.sent_ready.next = self.m_axis_sent_tready.val();
        self.m_axis_sent_tvalid.next = self.endings.sent_valid.val();
        self.m_axis_sent_tid.next = self.endings.sent_id.val();
        self.m_axis_sent_tdata.next = self.endings.sent.val();
        self.m_axis_sent_tuser.next = self.endings.sent_status.val();

        // Connections that drain.
        wire!(self.drains.* <- self.*: clk, rst);
        self.drains.sweeping.next = self.sweeping.q.val();
        self.drains.sweep.next = self.sweep.q.val();
        self.drains.clears.next = self.events.clears.val();
        self.drains.clear_id.next = self.events.aside_id.val();
        self.drains.id.next = self.intake.looks.val();
        self.drains.posted.next = self.intake.marked.val();
        wire!(self.drains.* <- self.intake.*: mark, settled);
        wire!(self.drains.* <- self.endings.*: done, done_id, done_count);
        self.m_axis_drained_tvalid.next = self.drains.drained_valid.val();
        self.drains.drained_ready.next = self.m_axis_drained_tready.val();
        self.m_axis_drained_tid.next = self.drains.drained_id.val();

        // The choice of paths.
        wire!(self.news.*, self.paths.* <- self.*: clk, rst);
        self.news.in_valid.next = self.dispatch.news_valid.val();
        self.news.in_word.next = self.dispatch.news.val();
        self.news.in_commit.next = true;
        self.news.in_rollback.next = false;
        self.news.out_ready.next = self.paths.news_ready.val();
        self.paths.news_valid.next = self.news.out_valid.val();
        self.paths.news.next = self.news.out_word.val();
        wire!(self.paths.* <- self.events.*: aside_valid, aside_id, aside_seed, seed);
        self.paths.event_ready.next = self.reps.s_axis_event_tready.val();
        wire!(self.reps.* <- self.*: clk, rst, now);
        self.reps.s_axis_event_tvalid.next = self.paths.event_valid.val();
        self.reps.s_axis_event_tid.next = self.paths.event_id.val();
        self.reps.s_axis_event_tdata.next = self.paths.event_data.val();
        self.reps.s_axis_event_tuser.next = self.paths.event_user.val();
        // The queues have space for 16 and for eight more, as of the clock before.
        self.decides.reg = self.orders.ev_room.val() & self.freezes.room.val();
        self.reps.m_axis_decision_tready.next = self.decides.q.val();
        self.decided.next = self.reps.m_axis_decision_tvalid.val() & self.decides.q.val();

        // Freezes that begin and end.
        wire!(self.freezes.* <- self.*: clk, rst, decided);
        self.freezes.id.next = self.reps.m_axis_decision_tid.val();
        self.freezes.user.next = self.reps.m_axis_decision_tuser.val();
        self.m_axis_freeze_tvalid.next = self.freezes.freeze_valid.val();
        self.freezes.freeze_ready.next = self.m_axis_freeze_tready.val();
        self.m_axis_freeze_tid.next = self.freezes.freeze_id.val();
        self.m_axis_freeze_tuser.next = self.freezes.freeze.val();

        // A packet and its entropy value, which REPS decides for a SEND.
        self.chosen.next = self.decided.val() & !self.reps.m_axis_decision_tuser.val().get_bits::<3>(0).any();
        wire!(self.orders.* <- self.*: clk, rst);
        wire!(self.orders.* <- self.packets.*: packet_valid, packet);
        self.orders.ev_valid.next = self.chosen.val();
        self.orders.ev.next = self.reps.m_axis_decision_tdata.val();
        self.orders.order_ready.next = self.m_axis_order_tready.val();
        self.orders.fetch_ready.next = self.m_axis_fetch_tready.val();
        self.m_axis_order_tvalid.next = self.orders.order_valid.val();
        self.m_axis_order_tid.next = self.orders.order_id.val();
        self.m_axis_order_tdata.next = self.orders.order.val();
        self.m_axis_fetch_tvalid.next = self.orders.fetch_valid.val();
        self.m_axis_fetch_tid.next = self.orders.fetch_id.val();
        self.m_axis_fetch_tdata.next = self.orders.fetch.val();

        // The congestion window, and back to the transport the bytes that it may send.
        wire!(self.feedbacks.*, self.congestion.*, self.smartt.* <- self.*: clk, rst);
        self.feedbacks.in_valid.next = self.dispatch.feedback_valid.val();
        self.feedbacks.in_word.next = self.dispatch.feedback.val();
        self.feedbacks.in_commit.next = true;
        self.feedbacks.in_rollback.next = false;
        self.feedbacks.out_ready.next = self.congestion.feedback_ready.val();
        self.congestion.mtu_shift.next = self.mtu_shift.q.val();
        self.congestion.feedback_valid.next = self.feedbacks.out_valid.val();
        self.congestion.feedback.next = self.feedbacks.out_word.val();
        self.congestion.event_ready.next = self.smartt.s_axis_event_tready.val();
        self.smartt.now.next = self.now.val().get_bits::<20>(0);
        self.smartt.s_axis_event_tvalid.next = self.congestion.event_valid.val();
        self.smartt.s_axis_event_tid.next = self.congestion.event_id.val();
        self.smartt.s_axis_event_tdata.next = self.congestion.event_data.val();
        self.smartt.s_axis_event_tuser.next = self.congestion.event_user.val();
        self.smartt.m_axis_window_tready.next = true;
        // Answers to a CLOSE (4) or of a closed connection do not count.
        self.answered.next = self.smartt.m_axis_window_tvalid.val()
            & self.smartt.m_axis_window_tuser.val().get_bit(4)
            & !self.smartt.m_axis_window_tuser.val().get_bit(7);
        wire!(self.windows.* <- self.*: clk, rst);
        self.windows.sweeping.next = self.sweeping.q.val();
        self.windows.sweep.next = self.sweep.q.val();
        self.windows.in_valid.next = self.answered.val();
        self.windows.in_id.next = self.smartt.m_axis_window_tid.val();
        self.windows.in_bytes.next = self.smartt.m_axis_window_tdata.val().get_bits::<26>(0);
        self.windows.out_ready.next = self.events.window_ready.val();

        // The conditions of a close.
        wire!(self.closing.* <- self.*: clk, rst);
        self.closing.told.next = self.events.told.val();
        self.closing.id.next = self.events.aside_id.val();
        self.closing.path_valid.next = self.freezes.closes.val();
        self.closing.path_id.next = self.reps.m_axis_decision_tid.val();
        self.freezes.waits.next = self.closing.freezes_wait.val();
        self.closing.unsaid.next =
            self.freezes.left.val() | self.drains.left.val() | self.failed.out_valid.val();
        self.closing.answer_valid.next = self.smartt.m_axis_window_tvalid.val()
            & (self.smartt.m_axis_window_tuser.val().get_bits::<3>(5) == 4);
        self.closing.answer_id.next = self.smartt.m_axis_window_tid.val();
        self.closing.window.next = self.windows.closed.val();
        self.closing.ended.next = self.endings.closed.val();
        self.windows.close_valid.next = self.closing.boxed.val();
        self.windows.close_id.next = self.smartt.m_axis_window_tid.val();

        // Counters.
        wire!(self.posted.*, self.refused.*, self.ordered.* <- self.*: clk, rst);
        self.posted.one.next = self.intake.posts.val();
        self.refused.one.next = self.endings.sent_valid.val()
            & self.m_axis_sent_tready.val()
            & (self.endings.sent_status.val() == 2);
        self.ordered.one.next = self.orders.order_valid.val() & self.m_axis_order_tready.val();
        self.stat_posted.next = self.posted.count.val();
        self.stat_refused.next = self.refused.count.val();
        self.stat_orders.next = self.ordered.count.val();
        self.stat_probes.next = self.tally.probes.val();
        // The registers have a reset of their own, because they are many.
        wire!(self.tally_reset.* <- self.*: clk, rst);
        self.tally.clk.next = self.clk.val();
        self.tally.rst.next = self.tally_reset.q.val();
        self.tally.mtu.next = self.mtu.q.val();
        self.tally.facts.next = self.dispatch.facts.val();
        self.tally.ordered.next = self.orders.order_valid.val() & self.m_axis_order_tready.val();
        self.order.next = self.orders.order.val();
        self.tally.again.next = self.order.val().again;
        self.tally.decided.next = self.decided.val();
        self.tally.decision.next = self.reps.m_axis_decision_tuser.val();
        self.tally.answered.next = self.answered.val();
        self.tally.kind.next = self.smartt.m_axis_window_tuser.val().get_bits::<3>(5);
        self.tally.bytes.next = self.smartt.m_axis_window_tdata.val().get_bits::<26>(0);
        wire!(self.stat_* <- self.tally.*: recovery, paths, window, rtt, rtt_latest, rtt_smallest);

        // Registers and counters of the blocks inside.
        self.sack_tx.cfg_mtu.next = self.mtu.q.val();
        wire!(self.sack_tx.cfg_* <- self.cfg_sack_tx_*: gap, rto, epoch, high, backoff_limit, retry_limit);
        wire!(self.stat_sack_tx_* <- self.sack_tx.stat_*: not_open_events, never_sent, stale, refused);
        wire!(
            self.smartt.cfg_* <- self.cfg_smartt_*:
            mtu, max_cwnd, fair_decrease, base_rtt, target_rtt, fast_rtt, multiplicative_increase,
            fair_increase, multiplicative_decrease, qa_scaling, wtd_alpha, wtd_alphas, wtd_threshold, granularity,
            fast_mtus, signals, late_losses,
        );
        self.stat_smartt_not_open_events.next = self.smartt.stat_not_open_events.val();
        wire!(
            self.reps.cfg_* <- self.cfg_reps_*:
            mode, ev_base, evs_size, freeze_timeout, bdp_packets, trimming, thaw_reset, rtt_high, rtt_window,
        );
        self.stat_reps_not_open_events.next = self.reps.stat_not_open_events.val();
    }
}

/// The Verilog of `weft_sender`, one module per file, for parameters that were checked.
pub fn emit(params: &SenderParams) -> Result<Vec<Module>, EmitError> {
    let emitter = emitter_of(params);
    // Widths are types in Rust-HDL: every shape is an instance of its own.
    macro_rules! shaped {
        ($a:literal, $round:literal; $($window:tt),*) => {
            emitter.emit_new::<Sender<
                $a,
                { $a + 1 },
                { $a + 4 },
                $round,
                { $a + 3 },
                { $a + 152 },
                { $a + 40 },
                { $a + 24 },
                $($window),*
            >>("weft_sender")
        };
    }
    macro_rules! shape {
        ($a:literal, $round:literal) => {
            match params.psns {
                512 => shaped!($a, $round; 9, 10, 11, 5, { $a + 5 }, 1, 10, 123),
                1024 => shaped!($a, $round; 10, 11, 12, 6, { $a + 6 }, 1, 11, 123),
                _ => shaped!($a, $round; 8, 9, 10, 4, { $a + 4 }, 0, 10, 119),
            }
        };
    }
    by_connections!(params.connections, shape, scan)
}
