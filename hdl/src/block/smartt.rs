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

/// The SMaRTT congestion window: how many bytes of a connection may be in flight.
///
/// # Parameters
///
/// `A` bits of connection number; `W = A + 40` (answer).
#[derive(LogicBlock, BlockDefault)]
#[requires(W == A + 40)]
pub struct Smartt<const A: usize, const W: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset. Afterwards a sweep closes all connections, one per clock.
    pub rst: Signal<In, Bit>,
    /// Low bits of the time in ticks.
    pub now: Signal<In, Bits<20>>,
    /// Events in.
    pub s_axis_event_tvalid: Signal<In, Bit>,
    /// Low in the sweep, while answers wait, and while an event waits for the one before it of its connection.
    pub s_axis_event_tready: Signal<Out, Bit>,
    /// Connection.
    pub s_axis_event_tid: Signal<In, Bits<A>>,
    /// Unacknowledged bytes in bits 71:40, round-trip time in 39:24, bytes in 23:0.
    pub s_axis_event_tdata: Signal<In, Bits<72>>,
    /// Packets minus one in bits 9:6, class in 5:4, ECN mark in bit 3, kind in bits 2:0.
    pub s_axis_event_tuser: Signal<In, Bits<10>>,
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
    /// CSR: four classes. Largest RTT that FastIncrease treats as the base RTT, ticks.
    pub cfg_fast_rtt: Signal<In, Bits<64>>,
    /// CSR: four classes. MTU times multiplicative-increase constant, 2^-8 bytes.
    pub cfg_multiplicative_increase: Signal<In, Bits<128>>,
    /// CSR: four classes. MTU times fair-increase constant, 2^-10 bytes.
    pub cfg_fair_increase: Signal<In, Bits<120>>,
    /// CSR: multiplicative-decrease constant, 2^-4.
    pub cfg_multiplicative_decrease: Signal<In, Bits<8>>,
    /// CSR: QuickAdapt scaling, 2^-23.
    pub cfg_qa_scaling: Signal<In, Bits<24>>,
    /// CSR: weight of the newest packet in the average, 2^-8.
    pub cfg_wtd_alpha: Signal<In, Bits<8>>,
    /// CSR: weights of the newest 2 to 16 packets, 2^-8.
    pub cfg_wtd_alphas: Signal<In, Bits<120>>,
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
    /// Events of connections that were not open, modulo 2^16.
    pub stat_not_open_events: Signal<Out, Bits<16>>,

    front: Front<A>,
    congestion: Signals,
    window: Window<A>,
    skid: Skid<W>,
    not_open: Reg<Bits<16>>,
    run: Signal<Local, Bit>,
    user: Signal<Local, Bits<8>>,
    answer: Signal<Local, Bits<W>>,
}

impl<const A: usize, const W: usize> Logic for Smartt<A, W> {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        self.run.next = self.skid.run.val();
        wire!(self.congestion.*, self.window.* <- self.skid.*: next_run);

        // Stages 0 and 1: events in, two of one connection kept apart.
        wire!(self.front.* <- self.*: clk, rst, run, now);
        self.front.event_valid.next = self.s_axis_event_tvalid.val();
        self.s_axis_event_tready.next = self.front.event_ready.val();
        self.front.event_id.next = self.s_axis_event_tid.val();
        self.front.event_data.next = self.s_axis_event_tdata.val();
        self.front.event_user.next = self.s_axis_event_tuser.val();

        // Stages 2 to 25: the signals of the event.
        wire!(self.congestion.* <- self.*: clk, rst);
        self.congestion.in_event.next = self.front.out_event.val();
        self.congestion.in_rtt.next = self.front.rtt.val();
        wire!(
            self.congestion.all_* <- self.cfg_*:
            mtu, max_cwnd, fair_decrease, base_rtt, target_rtt, fast_rtt, multiplicative_increase,
            fair_increase,
        );
        wire!(self.congestion.* <- self.cfg_*: multiplicative_decrease, signals);

        // Stages 22 to 48: the effect on the connection.
        wire!(self.window.* <- self.*: clk, rst);
        wire!(self.window.in_* <- self.front.*: valid, live, id, near);
        self.window.in_event.next = self.front.out_event.val();
        wire!(
            self.window.* <- self.congestion.*:
            marked, high, quiet, multiplicative, increase, fair, decrease,
        );
        wire!(
            self.window.all_* <- self.cfg_*:
            mtu, max_cwnd, fair_decrease, base_rtt, target_rtt, fast_rtt, multiplicative_increase,
            fair_increase,
        );
        wire!(
            self.window.* <- self.cfg_*:
            qa_scaling, wtd_alpha, wtd_alphas, wtd_threshold, granularity, fast_mtus, signals, late_losses,
        );

        self.not_open.reg = when(
            self.run.val() & self.window.valid.val() & !self.window.accepted.val(),
            self.not_open.q.val() + 1,
        );
        self.stat_not_open_events.next = self.not_open.q.val();

        // Stage 49: answers out.
        self.user.next = bit_cast::<8, 4>(self.window.case_code.val())
            | (bit_cast::<8, 1>(self.window.accepted.val().into()) << 4)
            | (bit_cast::<8, 3>(self.window.kind.val()) << 5);
        self.answer.next = bit_cast::<W, 8>(self.user.val())
            | (bit_cast::<W, 26>(self.window.cwnd.val()) << 8)
            | (bit_cast::<W, A>(self.window.id.val()) << 40);
        wire!(self.skid.* <- self.*: clk, rst);
        self.skid.in_valid.next = self.window.valid.val();
        self.skid.in_word.next = self.answer.val();
        self.skid.out_ready.next = self.m_axis_window_tready.val();
        self.m_axis_window_tvalid.next = self.skid.out_valid.val();
        self.m_axis_window_tuser.next = self.skid.out_word.val().get_bits::<8>(0);
        self.m_axis_window_tdata.next = self.skid.out_word.val().get_bits::<32>(8);
        self.m_axis_window_tid.next = self.skid.out_word.val().get_bits::<A>(40);
    }
}

/// The Verilog of `weft_smartt`, one module per file, for parameters that were checked.
pub fn emit(params: &SmarttParams) -> Result<Vec<Module>, EmitError> {
    let emitter = crate::part::emitter().parameter("connections", params.connections);
    // Widths are types in Rust-HDL: every shape is an instance of its own.
    macro_rules! shape {
        ($a:literal) => {
            emitter.emit_new::<Smartt<$a, { $a + 40 }>>("weft_smartt")
        };
    }
    by_connections!(params.connections, shape)
}
