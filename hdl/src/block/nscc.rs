//! `weft_nscc`: the NSCC congestion window (page `docs/blocks/nscc.md`).

pub mod front;
pub mod signals;
pub mod window;
pub mod words;

use crate::emit::{EmitError, Module};
use crate::part::skid::Skid;
use crate::prelude::*;
use front::Front;
use signals::Signals;
use weft_params::NsccParams;
use window::Window;

/// The NSCC congestion window: how many bytes of a connection may be in flight. The ports are those of
/// `weft_smartt`, so a sender can have either block; some registers hold other constants.
///
/// # Parameters
///
/// `A` bits of connection number; `W = A + 40` (answer).
#[derive(LogicBlock, BlockDefault)]
#[requires(W == A + 40)]
pub struct Nscc<const A: usize, const W: usize> {
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
    /// CSR: four classes. Largest window, bytes; bits 22:0 of each.
    pub cfg_max_cwnd: Signal<In, Bits<104>>,
    /// CSR: four classes. Bytes that fast increase adds per byte, 2^-20.
    pub cfg_fair_decrease: Signal<In, Bits<104>>,
    /// CSR: four classes. RTT of an empty network, ticks; bits 9:0 of each.
    pub cfg_base_rtt: Signal<In, Bits<64>>,
    /// CSR: four classes. Target of the queueing delay, ticks; bits 9:0 of each.
    pub cfg_target_rtt: Signal<In, Bits<64>>,
    /// CSR: four classes. Largest delay that counts as none, ticks; bits 9:0 of each.
    pub cfg_fast_rtt: Signal<In, Bits<64>>,
    /// CSR: four classes. Proportional increase, 2^-12 bytes per tick.
    pub cfg_multiplicative_increase: Signal<In, Bits<128>>,
    /// CSR: four classes. Fair increase, 2^-6 bytes.
    pub cfg_fair_increase: Signal<In, Bits<120>>,
    /// CSR: share of the excess delay by which the window decreases, 2^-8.
    pub cfg_multiplicative_decrease: Signal<In, Bits<8>>,
    /// CSR: not used.
    pub cfg_qa_scaling: Signal<In, Bits<24>>,
    /// CSR: weight of the newest packet in the average delay, 2^-8.
    pub cfg_wtd_alpha: Signal<In, Bits<8>>,
    /// CSR: weights of the newest 2 to 16 packets, 2^-8.
    pub cfg_wtd_alphas: Signal<In, Bits<120>>,
    /// CSR: growth of a period, 2^-12 of the fair increase.
    pub cfg_wtd_threshold: Signal<In, Bits<8>>,
    /// CSR: not used.
    pub cfg_granularity: Signal<In, Bits<6>>,
    /// CSR: not used.
    pub cfg_fast_mtus: Signal<In, Bits<4>>,
    /// CSR: not used.
    pub cfg_signals: Signal<In, Bits<2>>,
    /// CSR: a delay above four targets lets QuickAdapt set the window.
    pub cfg_late_losses: Signal<In, Bit>,
    /// Events of connections that were not open, modulo 2^16.
    pub stat_not_open_events: Signal<Out, Bits<16>>,

    front: Front<A>,
    signals: Signals,
    window: Window<A>,
    skid: Skid<W>,
    not_open: Reg<Bits<16>>,
    run: Signal<Local, Bit>,
    user: Signal<Local, Bits<8>>,
    answer: Signal<Local, Bits<W>>,
}

impl<const A: usize, const W: usize> Logic for Nscc<A, W> {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        self.run.next = self.skid.run.val();
        wire!(self.signals.*, self.window.* <- self.skid.*: next_run);

        // Stages 0 and 1: events in, two of one connection kept apart.
        wire!(self.front.* <- self.*: clk, rst, run);
        self.front.now.next = self.now.val().get_bits::<12>(0);
        self.front.event_valid.next = self.s_axis_event_tvalid.val();
        self.s_axis_event_tready.next = self.front.event_ready.val();
        self.front.event_id.next = self.s_axis_event_tid.val();
        self.front.event_data.next = self.s_axis_event_tdata.val();
        self.front.event_user.next = self.s_axis_event_tuser.val();

        // Stages 2 to 13: the delay and the increases that follow from it.
        wire!(self.signals.* <- self.*: clk, rst);
        self.signals.in_event.next = self.front.out_event.val();
        self.signals.in_rtt.next = self.front.rtt.val();
        wire!(
            self.signals.all_*, self.window.all_* <- self.cfg_*:
            mtu, max_cwnd, fair_decrease, base_rtt, target_rtt, fast_rtt, multiplicative_increase,
            fair_increase,
        );
        wire!(self.signals.* <- self.cfg_*: wtd_alpha, wtd_alphas);
        self.signals.eta_share.next = self.cfg_wtd_threshold.val();
        self.signals.by_delay.next = self.cfg_late_losses.val();

        // Stages 10 to 51: the effect on the connection.
        wire!(self.window.* <- self.*: clk, rst);
        wire!(self.window.in_* <- self.front.*: valid, live, id);
        self.window.in_event.next = self.front.out_event.val();
        wire!(self.window.* <- self.signals.*: marks, more, fast, eta, newest, kept);
        self.window.gamma.next = self.cfg_multiplicative_decrease.val();

        self.not_open.reg = when(
            self.run.val() & self.window.valid.val() & !self.window.accepted.val(),
            self.not_open.q.val() + 1,
        );
        self.stat_not_open_events.next = self.not_open.q.val();

        // Stage 52: answers out.
        self.user.next = bit_cast::<8, 4>(self.window.case_code.val())
            | (bit_cast::<8, 1>(self.window.accepted.val().into()) << 4)
            | (bit_cast::<8, 3>(self.window.kind.val()) << 5);
        self.answer.next = bit_cast::<W, 8>(self.user.val())
            | (bit_cast::<W, 23>(self.window.cwnd.val()) << 8)
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

/// The Verilog of `weft_nscc`, one module per file, for parameters that were checked.
pub fn emit(params: &NsccParams) -> Result<Vec<Module>, EmitError> {
    let emitter = crate::part::emitter().parameter("connections", params.connections);
    // Widths are types in Rust-HDL: every shape is an instance of its own.
    macro_rules! shape {
        ($a:literal) => {
            emitter.emit_new::<Nscc<$a, { $a + 40 }>>("weft_nscc")
        };
    }
    by_connections!(params.connections, shape)
}

/// Makes the block for a number of connections, as a part of a sender.
pub(super) fn part(connections: u32) -> fn() -> Box<dyn Block> {
    macro_rules! shape {
        ($a:literal) => {
            || Box::new(Nscc::<$a, { $a + 40 }>::default())
        };
    }
    by_connections!(connections, shape)
}
