//! `weft_reps`: the REPS entropy buffer with its freezing FSM (page `docs/blocks/reps.md`).

pub mod control;
pub mod core;
pub mod decode;
pub mod entropy;
pub mod front;

use crate::emit::{EmitError, Module};
use crate::part::skid::Skid;
use crate::prelude::*;
use control::Control;
use entropy::Entropy;
use front::Front;
use weft_params::RepsParams;

/// The REPS entropy buffer with its freezing FSM: which entropy value a packet of a connection takes.
///
/// # Parameters
///
/// `A` bits of connection number, `S` of slot number, `V` of entropy value; the rest follows: `AS = A + S`, `C
/// = S + 1` (counts), `K = 45 + 3 S` (control word), `W = A + V + 8` (decision).
#[derive(LogicBlock, BlockDefault)]
#[requires(W == A + V + 8)]
pub struct Reps<
    const A: usize,
    const S: usize,
    const V: usize,
    const AS: usize,
    const C: usize,
    const K: usize,
    const W: usize,
> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset. Afterwards a sweep closes all connections, one per clock.
    pub rst: Signal<In, Bit>,
    /// The time in ticks.
    pub now: Signal<In, Bits<32>>,
    /// Events in.
    pub s_axis_event_tvalid: Signal<In, Bit>,
    /// Low during the sweep and while decisions wait.
    pub s_axis_event_tready: Signal<Out, Bit>,
    /// Connection.
    pub s_axis_event_tid: Signal<In, Bits<A>>,
    /// Round-trip time in bits 31:16, entropy value in bits 15:0.
    pub s_axis_event_tdata: Signal<In, Bits<32>>,
    /// ECN mark in bit 3, kind in bits 2:0.
    pub s_axis_event_tuser: Signal<In, Bits<4>>,
    /// Decisions out, one per event, in order.
    pub m_axis_decision_tvalid: Signal<Out, Bit>,
    /// Back-pressure.
    pub m_axis_decision_tready: Signal<In, Bit>,
    /// Connection.
    pub m_axis_decision_tid: Signal<Out, Bits<A>>,
    /// Entropy value of a packet to send.
    pub m_axis_decision_tdata: Signal<Out, Bits<V>>,
    /// Kind in bits 2:0, accepted 3, source 5:4, frozen 6, turned 7.
    pub m_axis_decision_tuser: Signal<Out, Bits<8>>,
    /// CSR: 0 REPS, 1 OPS, 2 fixed, 3 the 2024 variant.
    pub cfg_mode: Signal<In, Bits<2>>,
    /// CSR: wire value of entropy index 0.
    pub cfg_ev_base: Signal<In, Bits<V>>,
    /// CSR: number of entropy values, 1 to 65,536.
    pub cfg_evs_size: Signal<In, Bits<17>>,
    /// CSR: ticks of a freeze.
    pub cfg_freeze_timeout: Signal<In, Bits<32>>,
    /// CSR: packets of one BDP; a value above 255 counts as 255.
    pub cfg_bdp_packets: Signal<In, Bits<16>>,
    /// CSR: the fabric trims, so every timeout is a failure.
    pub cfg_trimming: Signal<In, Bit>,
    /// CSR: ending a freeze empties the buffer.
    pub cfg_thaw_reset: Signal<In, Bit>,
    /// CSR: lowest round-trip time that is high, in ticks.
    pub cfg_rtt_high: Signal<In, Bits<16>>,
    /// CSR: ticks during which a high round-trip time counts.
    pub cfg_rtt_window: Signal<In, Bits<32>>,
    /// Events of connections that were not open, modulo 2^16.
    pub stat_not_open_events: Signal<Out, Bits<16>>,

    front: Front<A>,
    control: Control<A, S, C, K>,
    entropy: Entropy<A, S, AS, V>,
    skid: Skid<W>,
    not_open: Reg<Bits<16>>,
    s6_valid: Reg<Bit>,
    s6_id: Pipe<Bits<A>>,
    s6_user: Pipe<Bits<8>>,
    s7_valid: Reg<Bit>,
    s7_id: Pipe<Bits<A>>,
    s7_user: Pipe<Bits<8>>,
    run: Signal<Local, Bit>,
    user: Signal<Local, Bits<8>>,
    decision: Signal<Local, Bits<W>>,
    #[new(((V + 8) as u64).to_bits())]
    id_at: Constant<Bits<8>>,
}

impl<
    const A: usize,
    const S: usize,
    const V: usize,
    const AS: usize,
    const C: usize,
    const K: usize,
    const W: usize,
> Logic for Reps<A, S, V, AS, C, K, W>
{
    #[clocked(en = run)]
    #[hdl_gen]
    fn update(&mut self) {
        self.run.next = self.skid.run.val();

        // Stage 1: events in.
        wire!(self.front.* <- self.*: clk, rst, run, now);
        self.front.event_valid.next = self.s_axis_event_tvalid.val();
        self.s_axis_event_tready.next = self.front.event_ready.val();
        self.front.event_id.next = self.s_axis_event_tid.val();
        self.front.event_data.next = self.s_axis_event_tdata.val();
        self.front.event_user.next = self.s_axis_event_tuser.val();

        // Stages 1 to 5: the control word of the connection.
        wire!(self.control.* <- self.*: clk, rst, run);
        wire!(self.control.in_* <- self.front.*: valid, live, id, data, user, stamp);
        wire!(
            self.control.* <- self.cfg_*:
            mode, freeze_timeout, bdp_packets, trimming, thaw_reset, rtt_high, rtt_window,
        );

        self.not_open.reg = when(
            self.run.val() & self.control.valid.val() & !self.control.accepted.val(),
            self.not_open.q.val() + 1,
        );
        self.stat_not_open_events.next = self.not_open.q.val();

        // Stages 4 to 7: the entropy value; the rest beside it from stage 5 on.
        wire!(self.entropy.* <- self.*: clk, rst, run);
        wire!(self.entropy.* <- self.control.*: draw, seed, seed_data, number, mode_2024);
        wire!(self.entropy.* <- self.control.*: id, slot, write, given, read, drawn);
        wire!(self.entropy.* <- self.cfg_*: ev_base, evs_size);

        self.user.next = bit_cast::<8, 3>(self.control.kind.val())
            | (bit_cast::<8, 1>(self.control.accepted.val().into()) << 3)
            | (bit_cast::<8, 2>(self.control.source.val()) << 4)
            | (bit_cast::<8, 1>(self.control.is_frozen.val().into()) << 6)
            | (bit_cast::<8, 1>(self.control.turned.val().into()) << 7);
        self.s6_valid.reg = self.control.valid.val();
        self.s6_id.pipe = self.control.id.val();
        self.s6_user.pipe = when(self.run.val() & self.control.valid.val(), self.user.val());
        self.s7_valid.reg = self.s6_valid.q.val();
        self.s7_id.pipe = self.s6_id.q.val();
        self.s7_user.pipe = self.s6_user.q.val();

        // Stage 8: decisions out.
        self.decision.next = bit_cast::<W, 8>(self.s7_user.q.val())
            | (bit_cast::<W, V>(self.entropy.ev.val()) << 8)
            | (bit_cast::<W, A>(self.s7_id.q.val()) << self.id_at.val());
        wire!(self.skid.* <- self.*: clk, rst);
        self.skid.in_valid.next = self.s7_valid.q.val();
        self.skid.in_word.next = self.decision.val();
        self.skid.out_ready.next = self.m_axis_decision_tready.val();
        self.m_axis_decision_tvalid.next = self.skid.out_valid.val();
        self.m_axis_decision_tuser.next = self.skid.out_word.val().get_bits::<8>(0);
        self.m_axis_decision_tdata.next = self.skid.out_word.val().get_bits::<V>(8);
        self.m_axis_decision_tid.next = self.skid.out_word.val().get_bits::<A>(self.id_at.val().index());
    }
}

/// The Verilog of `weft_reps`, one module per file, for parameters that were checked.
pub fn emit(params: &RepsParams) -> Result<Vec<Module>, EmitError> {
    let emitter = crate::part::emitter()
        .parameter("connections", params.connections)
        .parameter("depth", params.depth)
        .parameter("ev_width", params.ev_width);
    // Widths are types in Rust-HDL: every shape is an instance of its own.
    macro_rules! shape {
        ($a:literal, $s:literal, $v:literal) => {
            emitter.emit_new::<Reps<$a, $s, $v, { $a + $s }, { $s + 1 }, { 45 + 3 * $s }, { $a + $v + 8 }>>(
                "weft_reps",
            )
        };
        ($a:literal, $s:literal) => {
            match params.ev_width {
                8 => shape!($a, $s, 8),
                12 => shape!($a, $s, 12),
                _ => shape!($a, $s, 16),
            }
        };
        ($a:literal) => {
            match params.depth {
                4 => shape!($a, 2),
                8 => shape!($a, 3),
                _ => shape!($a, 4),
            }
        };
    }
    by_connections!(params.connections, shape)
}
