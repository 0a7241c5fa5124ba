//! `weft_sack_tx`: sender of the out-of-order transport (page `docs/blocks/sack_tx.md`).

pub mod finish;
pub mod front;
pub mod place;
pub mod scanner;
pub mod scheduler;
pub mod settle;
pub mod window;
pub mod words;

use crate::emit::{EmitError, Module};
use crate::part::counter::Counter;
use crate::part::published::Published;
use crate::part::skid::Skid;
use crate::prelude::*;
use finish::Finish;
use front::Front;
use place::Place;
use scanner::Scanner;
use scheduler::Scheduler;
use settle::Settle;
use weft_params::SackParams;
use window::Window;
use words::{Event, Placed, Seen};

/// Sender of the out-of-order transport: which packets of a connection to send and to send again, what is
/// acknowledged, and which messages are complete.
///
/// # Parameters
///
/// `A` bits of connection number; `B = A + 1`, `M = A + 4`, `R` = `A`, at least 6, `W = A + 163` (outcome).
#[derive(LogicBlock)]
pub struct SackTx<const A: usize, const B: usize, const M: usize, const R: usize, const W: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset. Afterwards a sweep closes all connections, one per clock.
    pub rst: Signal<In, Bit>,
    /// The time in ticks.
    pub now: Signal<In, Bits<24>>,
    /// Events in.
    pub s_axis_event_tvalid: Signal<In, Bit>,
    /// Low during the sweep, behind what opens or closes a connection, while the block's own events enter, and
    /// while outcomes wait.
    pub s_axis_event_tready: Signal<Out, Bit>,
    /// Connection.
    pub s_axis_event_tid: Signal<In, Bits<A>>,
    /// Bitmap in bits 255:0, PSN 279:256 or packets 271:256, trigger 303:280 or window 305:280, tag 343:312.
    pub s_axis_event_tdata: Signal<In, Bits<344>>,
    /// Kind.
    pub s_axis_event_tuser: Signal<In, Bits<3>>,
    /// Outcomes out, one per event, in order; the block's own among them.
    pub m_axis_outcome_tvalid: Signal<Out, Bit>,
    /// Back-pressure.
    pub m_axis_outcome_tready: Signal<In, Bit>,
    /// Connection.
    pub m_axis_outcome_tid: Signal<Out, Bits<A>>,
    /// PSN in bits 23:0, acked 39:24, lost 55:40, completed 71:56, errors 87:72, unacked 103:88, in flight
    /// 119:104, tag 151:120.
    pub m_axis_outcome_tdata: Signal<Out, Bits<152>>,
    /// Kind in bits 2:0, accepted 3, send 4, fresh 5, last 6, failed 7, reason 9:8, beyond 10.
    pub m_axis_outcome_tuser: Signal<Out, Bits<11>>,
    /// CSR: bytes that a packet in flight counts.
    pub cfg_mtu: Signal<In, Bits<14>>,
    /// CSR: SACK gap in PSNs, 0 never.
    pub cfg_gap: Signal<In, Bits<8>>,
    /// CSR: RTO in ticks.
    pub cfg_rto: Signal<In, Bits<16>>,
    /// CSR: the RTO doubles at most so often.
    pub cfg_backoff_limit: Signal<In, Bits<3>>,
    /// CSR: timeouts in a row that a connection survives.
    pub cfg_retry_limit: Signal<In, Bits<4>>,
    /// Events from outside of connections that were not open, saturating.
    pub stat_not_open_events: Signal<Out, Bits<32>>,
    /// ACKs and NACKs of PSNs never sent, and bitmaps that had some, saturating.
    pub stat_never_sent: Signal<Out, Bits<32>>,
    /// ACKs and NACKs older than the window, saturating.
    pub stat_stale: Signal<Out, Bits<32>>,
    /// Messages for which there was no room, or of no packets, saturating.
    pub stat_refused: Signal<Out, Bits<32>>,

    front: Front<A>,
    published: Published<Seen, A>,
    place: Place,
    window: Window<A>,
    settle: Settle<A>,
    finish: Finish<A>,
    scheduler: Scheduler<A, B, M>,
    scanner: Scanner<A, R>,
    skid: Skid<W>,
    not_open: Counter,
    never_sent: Counter,
    stale: Counter,
    refused: Counter,
    id_at: Constant<Bits<16>>,
    run: Signal<Local, Bit>,
    valids: Reg<Bits<29>>,
    lives: Reg<Bits<25>>,
    s7_id: Delay<Bits<A>>,
    s17_id: Delay<Bits<A>>,
    s19_id: Delay<Bits<A>>,
    s20_id: Pipe<Bits<A>>,
    s23_id: Delay<Bits<A>>,
    s26_id: Delay<Bits<A>>,
    s30_id: Delay<Bits<A>>,
    s3_event: Delay<Event>,
    s5_bitmap: Delay<Bits<256>>,
    s16_event: Delay<Event>,
    s16_placed: Delay<Placed>,
    s16_beyond: Delay<Bit>,
    s23_live: Signal<Local, Bit>,
    s22_slot: Delay<Bits<8>>,
    s22_fresh: Delay<Bit>,
    s16_seen: Signal<Local, Seen>,
    s21_origin: Delay<Bits<9>>,
    s17_last: Pipe<Bit>,
    s23_last: Delay<Bit>,
    reason: Signal<Local, Bits<2>>,
    kind: Signal<Local, Bits<3>>,
    accepted: Signal<Local, Bit>,
    send: Signal<Local, Bit>,
    beyond: Signal<Local, Bit>,
    valid: Signal<Local, Bit>,
    psn: Signal<Local, Bits<24>>,
    user: Signal<Local, Bits<11>>,
    data: Signal<Local, Bits<152>>,
}
impl<const A: usize, const B: usize, const M: usize, const R: usize, const W: usize> Default
    for SackTx<A, B, M, R, W>
{
    fn default() -> Self {
        SackTx {
            clk: Default::default(),
            rst: Default::default(),
            now: Default::default(),
            s_axis_event_tvalid: Default::default(),
            s_axis_event_tready: Default::default(),
            s_axis_event_tid: Default::default(),
            s_axis_event_tdata: Default::default(),
            s_axis_event_tuser: Default::default(),
            m_axis_outcome_tvalid: Default::default(),
            m_axis_outcome_tready: Default::default(),
            m_axis_outcome_tid: Default::default(),
            m_axis_outcome_tdata: Default::default(),
            m_axis_outcome_tuser: Default::default(),
            cfg_mtu: Default::default(),
            cfg_gap: Default::default(),
            cfg_rto: Default::default(),
            cfg_backoff_limit: Default::default(),
            cfg_retry_limit: Default::default(),
            stat_not_open_events: Default::default(),
            stat_never_sent: Default::default(),
            stat_stale: Default::default(),
            stat_refused: Default::default(),
            front: Default::default(),
            published: Default::default(),
            place: Default::default(),
            window: Default::default(),
            settle: Default::default(),
            finish: Default::default(),
            scheduler: Default::default(),
            scanner: Default::default(),
            skid: Default::default(),
            not_open: Default::default(),
            never_sent: Default::default(),
            stale: Default::default(),
            refused: Default::default(),
            id_at: Constant::new(163u64.to_bits()),
            run: Default::default(),
            valids: Default::default(),
            lives: Default::default(),
            s7_id: Delay::new(6),
            s17_id: Delay::new(10),
            s19_id: Delay::new(2),
            s20_id: Default::default(),
            s23_id: Delay::new(3),
            s26_id: Delay::new(3),
            s30_id: Delay::new(4),
            s3_event: Delay::new(2),
            s5_bitmap: Delay::new(4),
            s16_event: Delay::new(13),
            s16_placed: Delay::new(9),
            s16_beyond: Delay::new(4),
            s23_live: Default::default(),
            s22_slot: Delay::new(6),
            s22_fresh: Delay::new(6),
            s16_seen: Default::default(),
            s21_origin: Delay::new(5),
            s17_last: Default::default(),
            s23_last: Delay::new(6),
            reason: Default::default(),
            kind: Default::default(),
            accepted: Default::default(),
            send: Default::default(),
            beyond: Default::default(),
            valid: Default::default(),
            psn: Default::default(),
            user: Default::default(),
            data: Default::default(),
        }
    }
}

impl<const A: usize, const B: usize, const M: usize, const R: usize, const W: usize> Logic
    for SackTx<A, B, M, R, W>
{
    #[hdl_gen]
    fn update(&mut self) {
        self.run.next = self.skid.run.val();

        // Stage 1: events in.
        self.front.clk.next = self.clk.val();
        self.front.rst.next = self.rst.val();
        self.front.run.next = self.run.val();
        self.front.now.next = self.now.val();
        self.front.event_valid.next = self.s_axis_event_tvalid.val();
        self.s_axis_event_tready.next = self.front.event_ready.val();
        self.front.event_id.next = self.s_axis_event_tid.val();
        self.front.event_data.next = self.s_axis_event_tdata.val();
        self.front.event_user.next = self.s_axis_event_tuser.val();
        self.front.send_valid.next = self.scheduler.valid.val();
        self.front.send_id.next = self.scheduler.id.val();
        self.front.send.next = self.scheduler.request.val();
        self.front.timeout_valid.next = self.scanner.valid.val();
        self.front.timeout_id.next = self.scanner.id.val();
        // Bit i: an event, or a live one (with the sweep's), is in stage i + 2.
        self.valids.clk.next = self.clk.val();
        self.valids.rst.next = self.rst.val();
        self.valids.en.next = self.run.val();
        self.valids.d.next = (self.valids.q.val() << 1) | bit_cast::<29, 1>(self.front.valid.val().into());
        self.lives.clk.next = self.clk.val();
        self.lives.rst.next = self.rst.val();
        self.lives.en.next = self.run.val();
        self.lives.d.next = (self.lives.q.val() << 1) | bit_cast::<25, 1>(self.front.live.val().into());
        self.s7_id.clk.next = self.clk.val();
        self.s7_id.en.next = self.run.val();
        self.s7_id.d.next = self.front.id.val();
        self.s17_id.clk.next = self.clk.val();
        self.s17_id.en.next = self.run.val();
        self.s17_id.d.next = self.s7_id.q.val();
        self.s19_id.clk.next = self.clk.val();
        self.s19_id.en.next = self.run.val();
        self.s19_id.d.next = self.s17_id.q.val();
        self.s20_id.clk.next = self.clk.val();
        self.s20_id.en.next = self.run.val();
        self.s20_id.d.next = self.s19_id.q.val();
        self.s23_id.clk.next = self.clk.val();
        self.s23_id.en.next = self.run.val();
        self.s23_id.d.next = self.s20_id.q.val();
        self.s26_id.clk.next = self.clk.val();
        self.s26_id.en.next = self.run.val();
        self.s26_id.d.next = self.s23_id.q.val();
        self.s30_id.clk.next = self.clk.val();
        self.s30_id.en.next = self.run.val();
        self.s30_id.d.next = self.s26_id.q.val();

        // Stages 1 to 7: what is published, and what the event means.
        self.published.clk.next = self.clk.val();
        self.published.run.next = self.run.val();
        self.published.raddr.next = self.front.id.val();
        self.s3_event.clk.next = self.clk.val();
        self.s3_event.en.next = self.run.val();
        self.s3_event.d.next = self.front.entry.val();
        self.place.clk.next = self.clk.val();
        self.place.run.next = self.run.val();
        self.place.gap.next = self.cfg_gap.val();
        self.place.entry.next = self.s3_event.q.val();
        self.place.found.next = self.published.rdata.val();

        // Stages 5 to 16: the rings.
        self.s5_bitmap.clk.next = self.clk.val();
        self.s5_bitmap.en.next = self.run.val();
        self.s5_bitmap.d.next = self.front.bitmap.val();
        self.window.clk.next = self.clk.val();
        self.window.rst.next = self.rst.val();
        self.window.run.next = self.run.val();
        self.window.s7_live.next = self.lives.q.val().get_bit(5);
        self.window.s7_id.next = self.s7_id.q.val();
        self.window.s5_bitmap.next = self.s5_bitmap.q.val();
        self.window.s5_slot.next = self.place.s5_slot.val();
        self.window.placed.next = self.place.placed.val();

        // Stages 16 to 23: the connection.
        self.s16_event.clk.next = self.clk.val();
        self.s16_event.en.next = self.run.val();
        self.s16_event.d.next = self.s3_event.q.val();
        self.s16_placed.clk.next = self.clk.val();
        self.s16_placed.en.next = self.run.val();
        self.s16_placed.d.next = self.place.placed.val();
        self.s16_beyond.clk.next = self.clk.val();
        self.s16_beyond.en.next = self.run.val();
        self.s16_beyond.d.next = self.window.s12_beyond.val();
        self.settle.clk.next = self.clk.val();
        self.settle.rst.next = self.rst.val();
        self.settle.run.next = self.run.val();
        self.settle.mtu.next = self.cfg_mtu.val();
        self.settle.retry_limit.next = self.cfg_retry_limit.val();
        self.settle.s17_live.next = self.lives.q.val().get_bit(15);
        self.settle.s17_id.next = self.s17_id.q.val();
        self.settle.s19_live.next = self.lives.q.val().get_bit(17);
        self.settle.s19_id.next = self.s19_id.q.val();
        self.settle.entry.next = self.s16_event.q.val();
        self.settle.placed.next = self.s16_placed.q.val();
        self.settle.beyond.next = self.s16_beyond.q.val();
        self.settle.first.next = self.window.s16_first.val();
        self.settle.some.next = self.window.s16_some.val();
        self.settle.unacked.next = self.window.s16_unacked.val();
        self.settle.first_lost.next = self.window.s16_first_lost.val();
        self.settle.lost.next = self.window.s16_lost.val();

        // Stage 23: publish.
        self.s23_live.next = self.lives.q.val().get_bit(21);
        self.published.we.next = self.run.val() & self.s23_live.val();
        self.published.waddr.next = self.s23_id.q.val();
        self.published.wdata.next = self.settle.s23_seen.val();
        self.scheduler.clk.next = self.clk.val();
        self.scheduler.rst.next = self.rst.val();
        self.scheduler.run.next = self.run.val();
        self.scheduler.write.next = self.s23_live.val();
        self.scheduler.write_id.next = self.s23_id.q.val();
        self.scheduler.card.next = self.settle.s23_card.val();
        self.scheduler.enqueue.next = self.s23_live.val() & self.settle.s23_enqueue.val();
        self.scheduler.post.next = self.s23_live.val() & self.settle.s23_posted.val();
        self.scheduler.post_at.next = self.settle.s23_post_at.val();
        self.scheduler.post_packets.next = self.settle.s23_post_packets.val();
        self.scheduler.sent.next = self.front.sent.val();
        self.scanner.clk.next = self.clk.val();
        self.scanner.rst.next = self.rst.val();
        self.scanner.run.next = self.run.val();
        self.scanner.settled.next = self.front.settled.val();
        self.scanner.now.next = self.now.val();
        self.scanner.rto.next = self.cfg_rto.val();
        self.scanner.backoff_limit.next = self.cfg_backoff_limit.val();
        self.scanner.write.next = self.s23_live.val();
        self.scanner.write_id.next = self.s23_id.q.val();
        self.scanner.timer.next = self.settle.s23_timer.val();
        self.scanner.timed_out.next = self.front.timed_out.val();

        // Stages 20 to 30: messages.
        self.s22_slot.clk.next = self.clk.val();
        self.s22_slot.en.next = self.run.val();
        self.s22_slot.d.next = self.s16_placed.q.val().slot;
        self.s22_fresh.clk.next = self.clk.val();
        self.s22_fresh.en.next = self.run.val();
        self.s22_fresh.d.next = self.s16_placed.q.val().fresh;
        self.s16_seen.next = self.s16_placed.q.val().seen;
        self.s21_origin.clk.next = self.clk.val();
        self.s21_origin.en.next = self.run.val();
        self.s21_origin.d.next = self.s16_seen.val().origin;
        self.s17_last.clk.next = self.clk.val();
        self.s17_last.en.next = self.run.val();
        self.s17_last.d.next = self.s16_event.q.val().packets == 1;
        self.s23_last.clk.next = self.clk.val();
        self.s23_last.en.next = self.run.val();
        self.s23_last.d.next = self.s17_last.q.val();
        self.finish.clk.next = self.clk.val();
        self.finish.rst.next = self.rst.val();
        self.finish.run.next = self.run.val();
        self.finish.s20_live.next = self.lives.q.val().get_bit(18);
        self.finish.s20_id.next = self.s20_id.q.val();
        self.finish.s22_slot.next = self.s22_slot.q.val();
        self.finish.s22_fresh.next = self.s22_fresh.q.val();
        self.finish.s23_last.next = self.s23_last.q.val();
        self.finish.s21_origin.next = self.s21_origin.q.val();
        self.finish.s21_una_before.next = self.settle.una_before.val();
        self.finish.s21_flow.next = self.settle.flow.val();
        self.finish.s21_settled.next = self.settle.settled.val();
        self.finish.s26_live.next = self.lives.q.val().get_bit(24);
        self.finish.s26_id.next = self.s26_id.q.val();

        // Stage 30: the outcome.
        self.reason.next = self.finish.settled.val().reason;
        self.kind.next = self.finish.settled.val().kind;
        self.accepted.next = self.finish.settled.val().accepted;
        self.send.next = self.finish.settled.val().send;
        self.beyond.next = self.finish.settled.val().beyond;
        self.valid.next = self.run.val() & self.valids.q.val().get_bit(28);
        self.not_open.clk.next = self.clk.val();
        self.not_open.rst.next = self.rst.val();
        self.not_open.one.next =
            self.valid.val() & !self.accepted.val() & (self.kind.val() != 6) & (self.kind.val() != 7);
        self.stat_not_open_events.next = self.not_open.count.val();
        self.never_sent.clk.next = self.clk.val();
        self.never_sent.rst.next = self.rst.val();
        self.never_sent.one.next = self.valid.val() & ((self.reason.val() == 1) | self.beyond.val());
        self.stat_never_sent.next = self.never_sent.count.val();
        self.stale.clk.next = self.clk.val();
        self.stale.rst.next = self.rst.val();
        self.stale.one.next = self.valid.val() & (self.reason.val() == 2);
        self.stat_stale.next = self.stale.count.val();
        self.refused.clk.next = self.clk.val();
        self.refused.rst.next = self.rst.val();
        self.refused.one.next = self.valid.val() & (self.reason.val() == 3);
        self.stat_refused.next = self.refused.count.val();

        self.psn.next = self.finish.una.val();
        if self.send.val() {
            self.psn.next = self.finish.settled.val().psn;
        }
        self.user.next = bit_cast::<11, 3>(self.kind.val())
            | (bit_cast::<11, 1>(self.accepted.val().into()) << 3)
            | (bit_cast::<11, 1>(self.send.val().into()) << 4)
            | (bit_cast::<11, 1>(self.finish.settled.val().fresh.into()) << 5)
            | (bit_cast::<11, 1>(self.finish.settled.val().last.into()) << 6)
            | (bit_cast::<11, 1>(self.finish.settled.val().failed.into()) << 7)
            | (bit_cast::<11, 2>(self.reason.val()) << 8)
            | (bit_cast::<11, 1>(self.beyond.val().into()) << 10);
        self.data.next = bit_cast::<152, 24>(self.psn.val())
            | (bit_cast::<152, 9>(self.finish.settled.val().acked) << 24)
            | (bit_cast::<152, 9>(self.finish.settled.val().lost) << 40)
            | (bit_cast::<152, 9>(self.finish.completed.val()) << 56)
            | (bit_cast::<152, 10>(self.finish.errors.val()) << 72)
            | (bit_cast::<152, 9>(self.finish.unacked.val()) << 88)
            | (bit_cast::<152, 9>(self.finish.in_flight.val()) << 104)
            | (bit_cast::<152, 32>(self.finish.settled.val().tag) << 120);

        // Stage 31: outcomes out.
        self.skid.clk.next = self.clk.val();
        self.skid.rst.next = self.rst.val();
        self.skid.in_valid.next = self.valids.q.val().get_bit(28);
        self.skid.in_word.next = bit_cast::<W, 11>(self.user.val())
            | (bit_cast::<W, 152>(self.data.val()) << 11)
            | (bit_cast::<W, A>(self.s30_id.q.val()) << self.id_at.val());
        self.skid.out_ready.next = self.m_axis_outcome_tready.val();
        self.m_axis_outcome_tvalid.next = self.skid.out_valid.val();
        self.m_axis_outcome_tuser.next = self.skid.out_word.val().get_bits::<11>(0);
        self.m_axis_outcome_tdata.next = self.skid.out_word.val().get_bits::<152>(11);
        self.m_axis_outcome_tid.next = self.skid.out_word.val().get_bits::<A>(self.id_at.val().index());
    }
}

/// The Verilog of `weft_sack_tx`, one module per file, for parameters that passed their check.
pub fn emit(params: &SackParams) -> Result<Vec<Module>, EmitError> {
    let emitter = crate::part::emitter().parameter("connections", params.connections);
    // Widths are types in Rust-HDL: every shape is an instance of its own.
    macro_rules! shape {
        ($a:literal, $round:literal) => {
            emitter.emit_new::<SackTx<$a, { $a + 1 }, { $a + 4 }, $round, { $a + 163 }>>("weft_sack_tx")
        };
    }
    match params.connections {
        4 => shape!(2, 6),
        16 => shape!(4, 6),
        64 => shape!(6, 6),
        256 => shape!(8, 8),
        1024 => shape!(10, 10),
        _ => shape!(12, 12),
    }
}
