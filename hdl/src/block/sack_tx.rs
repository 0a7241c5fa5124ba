//! `weft_sack_tx`: sender of the out-of-order transport (page `docs/blocks/sack_tx.md`).

pub mod finish;
pub mod front;
pub mod place;
pub mod publish;
pub mod scanner;
pub mod scheduler;
pub mod settle;
pub mod window;
pub mod words;

use crate::block::told;
use crate::emit::{EmitError, Module};
use crate::part::counter::Counter;
use crate::part::published::Published;
use crate::part::skid::Skid;
use crate::part::slots::Slots;
use crate::part::wait::Wait;
use crate::prelude::*;
use finish::Finish;
use front::Front;
use place::Place;
use publish::Publish;
use scanner::Scanner;
use scheduler::Scheduler;
use settle::Settle;
use weft_params::SackParams;
use window::Window;
use words::{Aim, Base, Event, Placed, Seen, View};

/// Sender of the out-of-order transport: the packets of a connection to send and to retransmit, the
/// acknowledged PSNs, and the complete messages.
///
/// # Parameters
///
/// `A` bits of connection number; `B = A + 1`, `M = A + 4`, `R` = `A`, at least 6, `W = A + 152` (outcome); those of
/// [`Window`], its `B` being `Q`; `O`, `V` and `Y` of [`Place`] and [`Settle`]; `F = A + H`; `Z` of the view, 119 with a
/// window of 256 PSNs, else 123.
#[derive(LogicBlock, BlockDefault)]
pub struct SackTx<
    const A: usize,
    const B: usize,
    const M: usize,
    const R: usize,
    const W: usize,
    const S: usize,
    const N: usize,
    const P: usize,
    const G: usize,
    const H: usize,
    const E: usize,
    const X: usize,
    const K: usize,
    const Q: usize,
    const O: usize,
    const V: usize,
    const Y: usize,
    const F: usize,
    const Z: usize,
> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset. Afterwards a sweep closes all connections, one per clock.
    pub rst: Signal<In, Bit>,
    /// The time in ticks.
    pub now: Signal<In, Bits<24>>,
    /// From the next clock but one on, no packet may leave.
    pub hold: Signal<In, Bit>,
    /// A SEND enters.
    pub sends: Signal<Out, Bit>,
    /// The connection that software queries; a register of the surrounding block.
    pub query: Signal<In, Bits<A>>,
    /// Two clocks later, what software sees of that connection: window in bytes 25:0, una 49:26, next 73:50, in flight
    /// 82:74, unacked 91:83, epoch 106:92, timeouts in a row 116:107, class 118:117; 0 while it is closed. Above 256 PSNs,
    /// the upper bits of in flight 120:119, and of unacked 122:121.
    pub window_view: Signal<Out, Bits<Z>>,
    /// Events in.
    pub s_axis_event_tvalid: Signal<In, Bit>,
    /// Low in the sweep, after an open or close, while the block's own events enter, and while outcomes wait.
    pub s_axis_event_tready: Signal<Out, Bit>,
    /// Connection.
    pub s_axis_event_tid: Signal<In, Bits<A>>,
    /// Bitmap in bits 255:0, PSN 279:256 or packets 271:256, trigger 303:280 or window 305:280, tag 343:312.
    pub s_axis_event_tdata: Signal<In, Bits<344>>,
    /// Kind of the event.
    pub s_axis_event_tuser: Signal<In, Bits<3>>,
    /// Outcomes out, one per event, in order, including those of the block's own events.
    pub m_axis_outcome_tvalid: Signal<Out, Bit>,
    /// Back-pressure.
    pub m_axis_outcome_tready: Signal<In, Bit>,
    /// Connection.
    pub m_axis_outcome_tid: Signal<Out, Bits<A>>,
    /// PSN 23:0, acked 39:24, lost 55:40, completed 71:56, errors 87:72, unacked 103:88, in flight 119:104, tag 151:120.
    pub m_axis_outcome_tdata: Signal<Out, Bits<152>>,
    /// Kind 2:0, accepted 3, send 4, fresh 5, last 6, failed 7, reason 9:8, beyond 10, bit 3 of the kind 11, congested 12, failure 13, unsure 14.
    pub m_axis_outcome_tuser: Signal<Out, Bits<15>>,
    /// CSR: bytes that a packet in flight counts.
    pub cfg_mtu: Signal<In, Bits<14>>,
    /// CSR: SACK gap in PSNs, 0 never; of each class, like the next five ports.
    pub cfg_gap: Signal<In, Bits<32>>,
    /// CSR: RTO in ticks.
    pub cfg_rto: Signal<In, Bits<64>>,
    /// CSR: shortest epoch in ticks.
    pub cfg_epoch: Signal<In, Bits<60>>,
    /// CSR: lowest round-trip time of a congested network in ticks.
    pub cfg_high: Signal<In, Bits<60>>,
    /// CSR: the RTO doubles at most so often.
    pub cfg_backoff_limit: Signal<In, Bits<12>>,
    /// CSR: timeouts in a row that a connection survives.
    pub cfg_retry_limit: Signal<In, Bits<40>>,
    /// Events from outside of connections that were not open, modulo 2^16.
    pub stat_not_open_events: Signal<Out, Bits<16>>,
    /// ACKs and NACKs of PSNs never sent, and bitmaps that had some, modulo 2^16.
    pub stat_never_sent: Signal<Out, Bits<16>>,
    /// ACKs and NACKs older than the window, modulo 2^16.
    pub stat_stale: Signal<Out, Bits<16>>,
    /// Messages of 0 packets, or posted into a full queue, modulo 2^16.
    pub stat_refused: Signal<Out, Bits<16>>,

    front: Front<A>,
    published: Published<Seen<N>, A>,
    views: Published<View<N>, A>,
    known: Reg<Bits<3>>,
    viewed: Signal<Local, Bits<Z>>,
    counts: [Signal<Local, Bits<22>>; E],
    place: Place<S, N, O, E>,
    window: Window<A, S, N, P, G, H, E, X, K, Q>,
    settle: Settle<A, S, N, E, V, Y>,
    publish: Publish<A, N, Y>,
    finish: Finish<A, F, N, O, H, E>,
    scheduler: Scheduler<A, B, M>,
    scanner: Scanner<A, R>,
    skid: Skid<15>,
    slots: Slots<Bits<W>>,
    not_open: Counter,
    never_sent: Counter,
    stale: Counter,
    refused: Counter,
    #[new(152u64.to_bits())]
    id_at: Constant<Bits<16>>,
    run: Signal<Local, Bit>,
    run_3: Enable,
    run_5: Enable,
    valids: Reg<Bits<29>>,
    lives: Reg<Bits<25>>,
    #[new(7)]
    s8_id: Delay<Bits<A>>,
    #[new(8)]
    s16_id: Delay<Bits<A>>,
    s17_id: Pipe<Bits<A>>,
    #[new(2)]
    s19_id: Delay<Bits<A>>,
    s20_id: Pipe<Bits<A>>,
    #[new(3)]
    s23_id: Delay<Bits<A>>,
    s24_id: Pipe<Bits<A>>,
    #[new(2)]
    s26_id: Delay<Bits<A>>,
    #[new(4)]
    s30_id: Delay<Bits<A>>,
    s3_event: Wait<Event>,
    s2_ack: Pipe<Bit>,
    s2_bitmap: Pipe<Bits<256>>,
    s3_bitmap: Pipe<Bits<256>>,
    s4_bitmap: Pipe<Bits<256>>,
    s5_bitmap: Pipe<Bits<256>>,
    entry: Signal<Local, Event>,
    s18_event: Wait<Event>,
    placed: Signal<Local, Placed<S, N>>,
    placed_seen: Signal<Local, Seen<N>>,
    base: Signal<Local, Base<N>>,
    s16_base: Wait<Base<N>>,
    aim: Signal<Local, Aim<N>>,
    s19_aim: Wait<Aim<N>>,
    #[new(4)]
    s16_beyond: Delay<Bit>,
    s23_live: Signal<Local, Bit>,
    reason: Signal<Local, Bits<2>>,
    kind: Signal<Local, Bits<4>>,
    outside: Signal<Local, Bit>,
    accepted: Signal<Local, Bit>,
    send: Signal<Local, Bit>,
    beyond: Signal<Local, Bit>,
    valid: Signal<Local, Bit>,
    psn: Signal<Local, Bits<24>>,
    user: Signal<Local, Bits<15>>,
    data: Signal<Local, Bits<152>>,
}
impl<
    const A: usize,
    const B: usize,
    const M: usize,
    const R: usize,
    const W: usize,
    const S: usize,
    const N: usize,
    const P: usize,
    const G: usize,
    const H: usize,
    const E: usize,
    const X: usize,
    const K: usize,
    const Q: usize,
    const O: usize,
    const V: usize,
    const Y: usize,
    const F: usize,
    const Z: usize,
> Logic for SackTx<A, B, M, R, W, S, N, P, G, H, E, X, K, Q, O, V, Y, F, Z>
{
    #[clocked(en = run)]
    #[hdl_gen]
    fn update(&mut self) {
        self.run.next = self.skid.run.val();
        wire!(
            self.place.*, self.window.*, self.settle.*, self.publish.*, self.finish.* <- self.skid.*:
            next_run,
        );

        // Stage 1: events in.
        wire!(self.front.* <- self.*: clk, rst, run, now, hold);
        self.sends.next = self.front.sent.val();
        self.front.event_valid.next = self.s_axis_event_tvalid.val();
        self.s_axis_event_tready.next = self.front.event_ready.val();
        self.front.event_id.next = self.s_axis_event_tid.val();
        self.front.event_data.next = self.s_axis_event_tdata.val();
        self.front.event_user.next = self.s_axis_event_tuser.val();
        wire!(self.front.send_* <- self.scheduler.*: valid, id);
        self.front.send.next = self.scheduler.request.val();
        wire!(self.front.timeout_* <- self.scanner.*: valid, id, kind, silence);
        // Bit i: an event, or a live one (with the sweep's), is in stage i + 2.
        self.valids.reg = (self.valids.q.val() << 1) | bit_cast::<29, 1>(self.front.valid.val().into());
        self.lives.reg = (self.lives.q.val() << 1) | bit_cast::<25, 1>(self.front.live.val().into());

        // Stages 1 to 7: what is published, and what the event means.
        wire!(self.published.* <- self.*: clk, run);
        wire!(self.place.* <- self.*: clk, rst);
        self.published.raddr.next = self.front.id.val();
        wire!(self.s3_event.*, self.s18_event.*, self.s16_base.*, self.s19_aim.* <- self.*: clk, rst);
        self.entry.next = self.front.entry.val();
        self.s3_event.en.next = self.run.val();
        self.s3_event.clocks.next = 2.into();
        self.s3_event.word.next = self.entry.val();
        self.place.gap.next = self.cfg_gap.val();
        self.place.entry.next = self.s3_event.late.val();
        self.place.found.next = self.published.rdata.val();

        // Stages 2 to 30: the connection.
        wire!(self.run_3.*, self.run_5.* <- self.*: clk, rst);
        wire!(self.run_3.*, self.run_5.* <- self.skid.*: next_run);
        enable!(run_3.q);
        self.s8_id.delay = self.front.id.val();
        self.s16_id.delay = self.s8_id.q.val();
        self.s17_id.pipe = self.s16_id.q.val();
        self.s19_id.delay = self.s17_id.q.val();
        self.s20_id.pipe = self.s19_id.q.val();
        self.s23_id.delay = self.s20_id.q.val();
        self.s24_id.pipe = self.s23_id.q.val();
        self.s26_id.delay = self.s24_id.q.val();
        self.s30_id.delay = self.s26_id.q.val();
        enable!(run);

        // Stages 5 to 16: the rings. Only ACKs have a bitmap.
        wire!(self.window.* <- self.*: clk, rst);
        self.s2_ack.pipe = self.entry.val().kind == 1;
        enable!(run_3.q);
        self.s2_bitmap.pipe = self.front.bitmap.val();
        self.s3_bitmap.pipe = if self.s2_ack.q.val() { self.s2_bitmap.q.val() } else { 0.into() };
        enable!(run_5.q);
        self.s4_bitmap.pipe = self.s3_bitmap.q.val();
        self.s5_bitmap.pipe = self.s4_bitmap.q.val();
        enable!(run);
        self.window.s8_live.next = self.lives.q.val().get_bit(6);
        self.window.s8_id.next = self.s8_id.q.val();
        self.window.s5_bitmap.next = self.s5_bitmap.q.val();
        wire!(self.window.* <- self.place.*: s5_slot, placed);
        for e in 0..E {
            self.window.s5_from[e].next = self.place.s5_from[e].val();
        }

        // Stages 16 to 21: the connection.
        self.s18_event.en.next = self.run_5.q.val();
        self.s18_event.clocks.next = 15.into();
        self.s18_event.word.next = self.s3_event.late.val();
        self.placed.next = self.place.placed.val();
        self.placed_seen.next = self.placed.val().seen;
        wire!(self.base.next.* <- self.placed_seen.val().*: una, class);
        self.base.next.window = self.placed.val().window;
        self.s16_base.en.next = self.run_5.q.val();
        self.s16_base.clocks.next = 9.into();
        self.s16_base.word.next = self.base.val();
        wire!(self.aim.next.* <- self.placed_seen.val().*: origin, upcoming, class, epoch);
        wire!(
            self.aim.next.* <- self.placed.val().*:
            accepted, opening, closing, answers, nacked, denied, send, fresh, reason
        );
        self.s19_aim.en.next = self.run_5.q.val();
        self.s19_aim.clocks.next = 12.into();
        self.s19_aim.word.next = self.aim.val();
        self.s16_beyond.delay = self.window.s12_beyond.val();
        wire!(self.settle.* <- self.*: clk, rst);
        wire!(self.settle.* <- self.cfg_*: mtu, retry_limit, high);
        self.settle.s16_live.next = self.lives.q.val().get_bit(14);
        self.settle.s16_id.next = self.s16_id.q.val();
        self.settle.s17_live.next = self.lives.q.val().get_bit(15);
        self.settle.s17_id.next = self.s17_id.q.val();
        self.settle.base.next = self.s16_base.late.val();
        self.settle.entry.next = self.s18_event.late.val();
        self.settle.aim.next = self.s19_aim.late.val();
        self.settle.beyond.next = self.s16_beyond.q.val();
        wire!(self.settle.* <- self.window.s16_*: first, some, unacked, first_lost, lost);

        // Stages 21 to 23: publish.
        wire!(self.publish.* <- self.*: clk, rst);
        wire!(self.publish.* <- self.cfg_*: epoch, backoff_limit);
        self.publish.s19_live.next = self.lives.q.val().get_bit(17);
        self.publish.s19_id.next = self.s19_id.q.val();
        wire!(self.publish.* <- self.settle.*: flow, tally, prospect);
        self.publish.posted.next = self.settle.settled.val().posted;
        self.s23_live.next = self.lives.q.val().get_bit(21);
        self.published.write =
            when(self.run.val() & self.s23_live.val(), (self.s23_id.q.val(), self.publish.s23_seen.val()));
        wire!(self.scheduler.* <- self.*: clk, rst, run);
        self.scheduler.write.next = self.s23_live.val();
        self.scheduler.write_id.next = self.s23_id.q.val();
        self.scheduler.card.next = self.publish.s23_card.val();
        self.scheduler.enqueue.next = self.s23_live.val() & self.publish.s23_enqueue.val();
        self.scheduler.post.next = self.s23_live.val() & self.publish.s23_posted.val();
        wire!(self.scheduler.* <- self.publish.s23_*: post_at, post_packets);
        self.scheduler.sent.next = self.front.sent.val();
        wire!(self.scanner.* <- self.*: clk, rst, run, now);
        wire!(self.scanner.* <- self.front.*: settled, timed_out);
        self.scanner.rto.next = self.cfg_rto.val();
        self.scanner.write.next = self.s23_live.val();
        self.scanner.write_id.next = self.s23_id.q.val();
        self.scanner.timer.next = self.publish.s23_timer.val();

        // The view of software, also while the pipeline stalls; 0 until the sweep's closes have been published.
        self.views.clk.next = self.clk.val();
        self.views.run.next = true;
        self.views.raddr.next = self.query.val();
        self.views.write =
            when(self.run.val() & self.s23_live.val(), (self.s23_id.q.val(), self.publish.s23_view.val()));
        wire!(self.known.* <- self.*: clk, rst);
        self.known.en.next = true;
        self.known.d.next = (self.known.q.val() << 1)
            | bit_cast::<3, 1>((self.front.settled.val() | self.known.q.val().get_bit(0)).into());
        for _usual in E..1 {
            self.viewed.next = bit_cast::<Z, Z>(self.views.rdata.val().into());
        }
        for e in 0..E {
            // The numbers of packets have nine bits in their places, and the others behind everything.
            self.counts[e].next = bit_cast::<22, N>(self.views.rdata.val().in_flight)
                | (bit_cast::<22, N>(self.views.rdata.val().unacked) << 11);
            self.viewed.next = bit_cast::<Z, 26>(self.views.rdata.val().cwnd)
                | (bit_cast::<Z, 24>(self.views.rdata.val().una) << 26)
                | (bit_cast::<Z, 24>(self.views.rdata.val().upcoming) << 50)
                | (self.counts[e].val().get_bits::<9>(0).get_bits::<Z>(0) << 74)
                | (self.counts[e].val().get_bits::<9>(11).get_bits::<Z>(0) << 83)
                | (bit_cast::<Z, 15>(self.views.rdata.val().epoch) << 92)
                | (bit_cast::<Z, 10>(self.views.rdata.val().retries) << 107)
                | (bit_cast::<Z, 2>(self.views.rdata.val().class) << 117)
                | (self.counts[e].val().get_bits::<2>(9).get_bits::<Z>(0) << 119)
                | (self.counts[e].val().get_bits::<2>(20).get_bits::<Z>(0) << 121);
        }
        self.window_view.next = if self.known.q.val().get_bit(2) { self.viewed.val() } else { 0.into() };

        // Stages 20 to 30: messages.
        wire!(self.finish.* <- self.*: clk, rst);
        self.finish.s20_live.next = self.lives.q.val().get_bit(18);
        self.finish.s20_id.next = self.s20_id.q.val();
        wire!(self.finish.s21_* <- self.settle.*: una_before, flow, tally, settled);
        self.finish.s24_live.next = self.lives.q.val().get_bit(22);
        self.finish.s24_id.next = self.s24_id.q.val();
        self.finish.s26_live.next = self.lives.q.val().get_bit(24);
        self.finish.s26_id.next = self.s26_id.q.val();

        // Stage 30: the outcome.
        self.reason.next = self.finish.settled.val().reason;
        self.kind.next = self.finish.settled.val().kind;
        self.accepted.next = self.finish.settled.val().accepted;
        self.send.next = self.finish.settled.val().send;
        self.beyond.next = self.finish.settled.val().beyond;
        self.valid.next = self.run.val() & self.valids.q.val().get_bit(28);
        wire!(self.not_open.*, self.never_sent.*, self.stale.*, self.refused.* <- self.*: clk, rst);
        self.outside.next = !self.kind.val().get_bit(3) & !self.kind.val().get_bits::<2>(1).all();
        self.not_open.one.next = self.valid.val() & !self.accepted.val() & self.outside.val();
        self.stat_not_open_events.next = self.not_open.count.val();
        self.never_sent.one.next = self.valid.val() & ((self.reason.val() == 1) | self.beyond.val());
        self.stat_never_sent.next = self.never_sent.count.val();
        self.stale.one.next = self.valid.val() & (self.reason.val() == 2);
        self.stat_stale.next = self.stale.count.val();
        self.refused.one.next = self.valid.val() & (self.reason.val() == 3);
        self.stat_refused.next = self.refused.count.val();

        self.psn.next = if self.send.val() { self.finish.settled.val().psn } else { self.finish.una.val() };
        self.user.next = bit_cast::<15, 3>(self.kind.val().get_bits::<3>(0))
            | (bit_cast::<15, 1>(self.accepted.val().into()) << 3)
            | (bit_cast::<15, 1>(self.send.val().into()) << 4)
            | (bit_cast::<15, 1>(self.finish.settled.val().fresh.into()) << 5)
            | (bit_cast::<15, 1>(self.finish.settled.val().last.into()) << 6)
            | (bit_cast::<15, 1>(self.finish.settled.val().failed.into()) << 7)
            | (bit_cast::<15, 2>(self.reason.val()) << 8)
            | (bit_cast::<15, 1>(self.beyond.val().into()) << 10)
            | (bit_cast::<15, 1>(self.kind.val().get_bit(3).into()) << 11)
            | (bit_cast::<15, 1>(self.finish.settled.val().congested.into()) << 12)
            | (bit_cast::<15, 1>(self.finish.settled.val().failure.into()) << 13)
            | (bit_cast::<15, 1>(self.finish.settled.val().unsure.into()) << 14);
        self.data.next = bit_cast::<152, 24>(self.psn.val())
            | (bit_cast::<152, N>(self.finish.settled.val().acked) << 24)
            | (bit_cast::<152, N>(self.finish.settled.val().lost) << 40)
            | (bit_cast::<152, N>(self.finish.completed.val()) << 56)
            | (bit_cast::<152, O>(self.finish.errors.val()) << 72)
            | (bit_cast::<152, N>(self.finish.unacked.val()) << 88)
            | (bit_cast::<152, N>(self.finish.in_flight.val()) << 104)
            | (bit_cast::<152, 32>(self.finish.settled.val().tag) << 120);

        // Stage 31: outcomes out.
        wire!(self.skid.*, self.slots.* <- self.*: clk, rst);
        self.skid.in_valid.next = self.valids.q.val().get_bit(28);
        self.skid.in_word.next = self.user.val();
        self.slots.put.next = self.valid.val();
        self.slots.word.next =
            bit_cast::<W, 152>(self.data.val()) | (bit_cast::<W, A>(self.s30_id.q.val()) << self.id_at.val());
        self.skid.out_ready.next = self.m_axis_outcome_tready.val();
        self.slots.take.next = self.skid.out_valid.val() & self.m_axis_outcome_tready.val();
        self.m_axis_outcome_tvalid.next = self.skid.out_valid.val();
        self.m_axis_outcome_tuser.next = self.skid.out_word.val();
        self.m_axis_outcome_tdata.next = self.slots.first.val().get_bits::<152>(0);
        self.m_axis_outcome_tid.next = self.slots.first.val().get_bits::<A>(self.id_at.val().index());
    }
}

/// The block of a shape: bits of a connection's number, of a scan, and the parameters that follow from a window.
macro_rules! shaped {
    ($a:literal, $round:literal; $($window:tt),*) => {
        SackTx<$a, { $a + 1 }, { $a + 4 }, $round, { $a + 152 }, $($window),*>
    };
}
macro_rules! p256 {
    ($a:literal, $round:literal) => { shaped!($a, $round; 8, 9, 256, 16, 4, 0, 0, 1, 1, 10, 23, 24, { $a + 4 }, 119) };
}
macro_rules! p512 {
    ($a:literal, $round:literal) => { shaped!($a, $round; 9, 10, 512, 32, 5, 1, 1, 2, 1, 11, 24, 24, { $a + 5 }, 123) };
}
macro_rules! p1024 {
    ($a:literal, $round:literal) => { shaped!($a, $round; 10, 11, 1024, 64, 6, 1, 3, 4, 2, 12, 25, 25, { $a + 6 }, 123) };
}

/// The Verilog of `weft_sack_tx`, one module per file, for parameters that passed their check.
pub fn emit(params: &SackParams) -> Result<Vec<Module>, EmitError> {
    emit_with(params, SackParams::WINDOW)
}

/// [`emit`], with a window of `psns`: 256, 512 or 1,024.
pub fn emit_with(params: &SackParams, psns: u32) -> Result<Vec<Module>, EmitError> {
    let emitter = told(crate::part::emitter().parameter("connections", params.connections), psns);
    // Widths are types in Rust-HDL: every shape is an instance of its own.
    macro_rules! shape {
        ($a:literal, $round:literal) => {
            match psns {
                512 => emitter.emit_new::<p512!($a, $round)>("weft_sack_tx"),
                1024 => emitter.emit_new::<p1024!($a, $round)>("weft_sack_tx"),
                _ => emitter.emit_new::<p256!($a, $round)>("weft_sack_tx"),
            }
        };
    }
    by_connections!(params.connections, shape, scan)
}

/// Makes the block with a window of 512 or 1,024 PSNs, as a part of a sender.
pub(super) fn part(connections: u32, psns: u32) -> fn() -> Box<dyn Block> {
    macro_rules! shape {
        ($a:literal, $round:literal) => {
            match psns {
                512 => || Box::new(<p512!($a, $round)>::default()),
                _ => || Box::new(<p1024!($a, $round)>::default()),
            }
        };
    }
    by_connections!(connections, shape, scan)
}
