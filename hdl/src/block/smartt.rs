//! `weft_smartt`: the SMaRTT congestion window (page `docs/blocks/smartt.md`).

pub mod class;
pub mod front;
pub mod signals;
pub mod window;
pub mod words;

use crate::emit::{EmitError, Module};
use crate::part::skid::Skid;
use crate::prelude::*;
use front::Front;
use signals::Signals;
use weft_params::SmarttParams;
use window::Window;

/// The SMaRTT congestion window: how many bytes of a connection may be on their way.
///
/// # Parameters
///
/// `A` bits of connection number; `W = A + 40` (answer).
#[derive(LogicBlock)]
pub struct Smartt<const A: usize, const W: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset. Afterwards a sweep closes all connections, one per clock.
    pub rst: Signal<In, Bit>,
    /// Low bits of the time in ticks.
    pub now: Signal<In, Bits<20>>,
    /// Events in.
    pub s_axis_event_tvalid: Signal<In, Bit>,
    /// Low during the sweep, while answers wait, and while an event waits for the one before it of its connection.
    pub s_axis_event_tready: Signal<Out, Bit>,
    /// Connection.
    pub s_axis_event_tid: Signal<In, Bits<A>>,
    /// Unacknowledged bytes in bits 71:40, round-trip time in 39:24, bytes in 23:0.
    pub s_axis_event_tdata: Signal<In, Bits<72>>,
    /// Class in bits 5:4, ECN mark in bit 3, kind in bits 2:0.
    pub s_axis_event_tuser: Signal<In, Bits<6>>,
    /// Answers out, one per event, in order.
    pub m_axis_window_tvalid: Signal<Out, Bit>,
    /// Back-pressure.
    pub m_axis_window_tready: Signal<In, Bit>,
    /// Connection.
    pub m_axis_window_tid: Signal<Out, Bits<A>>,
    /// Window in bytes.
    pub m_axis_window_tdata: Signal<Out, Bits<32>>,
    /// Case in bits 3:0, accepted 4, kind 7:5.
    pub m_axis_window_tuser: Signal<Out, Bits<8>>,
    /// CSR: four classes. Smallest window and full packet, bytes.
    pub cfg_mtu: Signal<In, Bits<56>>,
    /// CSR: four classes. Largest window, bytes.
    pub cfg_max_cwnd: Signal<In, Bits<104>>,
    /// CSR: four classes. BDP over fair-decrease constant, bytes.
    pub cfg_fair_decrease: Signal<In, Bits<104>>,
    /// CSR: four classes. RTT of an empty network, ticks.
    pub cfg_base_rtt: Signal<In, Bits<64>>,
    /// CSR: four classes. Target RTT, ticks.
    pub cfg_target_rtt: Signal<In, Bits<64>>,
    /// CSR: four classes. Largest RTT that FastIncrease takes for the base RTT, ticks.
    pub cfg_fast_rtt: Signal<In, Bits<64>>,
    /// CSR: four classes. MTU times multiplicative-increase constant, 2^-8 bytes.
    pub cfg_multiplicative_increase: Signal<In, Bits<128>>,
    /// CSR: four classes. MTU times fair-increase constant, 2^-10 bytes.
    pub cfg_fair_increase: Signal<In, Bits<120>>,
    /// CSR: multiplicative-decrease constant, 2^-4.
    pub cfg_multiplicative_decrease: Signal<In, Bits<8>>,
    /// CSR: QuickAdapt scaling, 2^-23.
    pub cfg_qa_scaling: Signal<In, Bits<24>>,
    /// CSR: weight of the newest ACK in the average, 2^-8.
    pub cfg_wtd_alpha: Signal<In, Bits<8>>,
    /// CSR: average from which on the window may decrease, 2^-8.
    pub cfg_wtd_threshold: Signal<In, Bits<8>>,
    /// CSR: ACKs per reaction; 0 counts as 1.
    pub cfg_granularity: Signal<In, Bits<6>>,
    /// CSR: MTUs that FastIncrease adds.
    pub cfg_fast_mtus: Signal<In, Bits<4>>,
    /// CSR: 0 ECN and delay, 1 ECN only, 2 delay only.
    pub cfg_signals: Signal<In, Bits<2>>,
    /// CSR: losses count while feedback is ignored.
    pub cfg_late_losses: Signal<In, Bit>,
    /// Events of connections that were not open, saturating.
    pub stat_not_open_events: Signal<Out, Bits<32>>,

    front: Front<A>,
    congestion: Signals,
    window: Window<A>,
    skid: Skid<W>,
    not_open: Reg<Bits<32>>,
    run: Signal<Local, Bit>,
    user: Signal<Local, Bits<8>>,
    answer: Signal<Local, Bits<W>>,
}

impl<const A: usize, const W: usize> Default for Smartt<A, W> {
    fn default() -> Self {
        assert!(W == A + 40, "an answer is connection, window and flags");
        Smartt {
            clk: Default::default(),
            rst: Default::default(),
            now: Default::default(),
            s_axis_event_tvalid: Default::default(),
            s_axis_event_tready: Default::default(),
            s_axis_event_tid: Default::default(),
            s_axis_event_tdata: Default::default(),
            s_axis_event_tuser: Default::default(),
            m_axis_window_tvalid: Default::default(),
            m_axis_window_tready: Default::default(),
            m_axis_window_tid: Default::default(),
            m_axis_window_tdata: Default::default(),
            m_axis_window_tuser: Default::default(),
            cfg_mtu: Default::default(),
            cfg_max_cwnd: Default::default(),
            cfg_fair_decrease: Default::default(),
            cfg_base_rtt: Default::default(),
            cfg_target_rtt: Default::default(),
            cfg_fast_rtt: Default::default(),
            cfg_multiplicative_increase: Default::default(),
            cfg_fair_increase: Default::default(),
            cfg_multiplicative_decrease: Default::default(),
            cfg_qa_scaling: Default::default(),
            cfg_wtd_alpha: Default::default(),
            cfg_wtd_threshold: Default::default(),
            cfg_granularity: Default::default(),
            cfg_fast_mtus: Default::default(),
            cfg_signals: Default::default(),
            cfg_late_losses: Default::default(),
            stat_not_open_events: Default::default(),
            front: Default::default(),
            congestion: Default::default(),
            window: Default::default(),
            skid: Default::default(),
            not_open: Default::default(),
            run: Default::default(),
            user: Default::default(),
            answer: Default::default(),
        }
    }
}

impl<const A: usize, const W: usize> Logic for Smartt<A, W> {
    #[hdl_gen]
    fn update(&mut self) {
        self.run.next = self.skid.run.val();

        // Stages 0 and 1: events in, two of one connection kept apart.
        self.front.clk.next = self.clk.val();
        self.front.rst.next = self.rst.val();
        self.front.run.next = self.run.val();
        self.front.now.next = self.now.val();
        self.front.event_valid.next = self.s_axis_event_tvalid.val();
        self.s_axis_event_tready.next = self.front.event_ready.val();
        self.front.event_id.next = self.s_axis_event_tid.val();
        self.front.event_data.next = self.s_axis_event_tdata.val();
        self.front.event_user.next = self.s_axis_event_tuser.val();

        // Stages 2 to 25: what the event says.
        self.congestion.clk.next = self.clk.val();
        self.congestion.run.next = self.run.val();
        self.congestion.in_event.next = self.front.out_event.val();
        self.congestion.in_rtt.next = self.front.rtt.val();
        self.congestion.all_mtu.next = self.cfg_mtu.val();
        self.congestion.all_max_cwnd.next = self.cfg_max_cwnd.val();
        self.congestion.all_fair_decrease.next = self.cfg_fair_decrease.val();
        self.congestion.all_base_rtt.next = self.cfg_base_rtt.val();
        self.congestion.all_target_rtt.next = self.cfg_target_rtt.val();
        self.congestion.all_fast_rtt.next = self.cfg_fast_rtt.val();
        self.congestion.all_multiplicative_increase.next = self.cfg_multiplicative_increase.val();
        self.congestion.all_fair_increase.next = self.cfg_fair_increase.val();
        self.congestion.multiplicative_decrease.next = self.cfg_multiplicative_decrease.val();
        self.congestion.fast_mtus.next = self.cfg_fast_mtus.val();
        self.congestion.signals.next = self.cfg_signals.val();

        // Stages 22 to 48: what that does to the connection.
        self.window.clk.next = self.clk.val();
        self.window.rst.next = self.rst.val();
        self.window.run.next = self.run.val();
        self.window.in_valid.next = self.front.valid.val();
        self.window.in_live.next = self.front.live.val();
        self.window.in_id.next = self.front.id.val();
        self.window.in_event.next = self.front.out_event.val();
        self.window.in_near.next = self.front.near.val();
        self.window.marked.next = self.congestion.marked.val();
        self.window.high.next = self.congestion.high.val();
        self.window.quiet.next = self.congestion.quiet.val();
        self.window.multiplicative.next = self.congestion.multiplicative.val();
        self.window.increase.next = self.congestion.increase.val();
        self.window.fair.next = self.congestion.fair.val();
        self.window.decrease.next = self.congestion.decrease.val();
        self.window.fast_bytes.next = self.congestion.fast_bytes.val();
        self.window.all_mtu.next = self.cfg_mtu.val();
        self.window.all_max_cwnd.next = self.cfg_max_cwnd.val();
        self.window.all_fair_decrease.next = self.cfg_fair_decrease.val();
        self.window.all_base_rtt.next = self.cfg_base_rtt.val();
        self.window.all_target_rtt.next = self.cfg_target_rtt.val();
        self.window.all_fast_rtt.next = self.cfg_fast_rtt.val();
        self.window.all_multiplicative_increase.next = self.cfg_multiplicative_increase.val();
        self.window.all_fair_increase.next = self.cfg_fair_increase.val();
        self.window.qa_scaling.next = self.cfg_qa_scaling.val();
        self.window.wtd_alpha.next = self.cfg_wtd_alpha.val();
        self.window.wtd_threshold.next = self.cfg_wtd_threshold.val();
        self.window.granularity.next = self.cfg_granularity.val();
        self.window.signals.next = self.cfg_signals.val();
        self.window.late_losses.next = self.cfg_late_losses.val();

        self.not_open.clk.next = self.clk.val();
        self.not_open.rst.next = self.rst.val();
        self.not_open.en.next = self.run.val()
            & self.window.valid.val()
            & !self.window.accepted.val()
            & !self.not_open.q.val().all();
        self.not_open.d.next = self.not_open.q.val() + 1;
        self.stat_not_open_events.next = self.not_open.q.val();

        // Stage 49: answers out.
        self.user.next = bit_cast::<8, 4>(self.window.case_code.val())
            | (bit_cast::<8, 1>(self.window.accepted.val().into()) << 4)
            | (bit_cast::<8, 3>(self.window.kind.val()) << 5);
        self.answer.next = bit_cast::<W, 8>(self.user.val())
            | (bit_cast::<W, 26>(self.window.cwnd.val()) << 8)
            | (bit_cast::<W, A>(self.window.id.val()) << 40);
        self.skid.clk.next = self.clk.val();
        self.skid.rst.next = self.rst.val();
        self.skid.in_valid.next = self.window.valid.val();
        self.skid.in_word.next = self.answer.val();
        self.skid.out_ready.next = self.m_axis_window_tready.val();
        self.m_axis_window_tvalid.next = self.skid.out_valid.val();
        self.m_axis_window_tuser.next = self.skid.out_word.val().get_bits::<8>(0);
        self.m_axis_window_tdata.next = self.skid.out_word.val().get_bits::<32>(8);
        self.m_axis_window_tid.next = self.skid.out_word.val().get_bits::<A>(40);
    }
}

/// The Verilog of `weft_smartt`, one module per file, for parameters that passed their check.
pub fn emit(params: &SmarttParams) -> Result<Vec<Module>, EmitError> {
    let emitter = crate::part::emitter().parameter("connections", params.connections);
    // Widths are types in Rust-HDL: every shape is an instance of its own.
    macro_rules! shape {
        ($a:literal) => {
            emitter.emit_new::<Smartt<$a, { $a + 40 }>>("weft_smartt")
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
