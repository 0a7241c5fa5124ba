//! The clocked view of congestion windows: their ports, which are the same for all algorithms, and the ports' values on
//! every clock.
//!
//! An event waits in the input register until the previous event of the same connection was issued at least
//! [`Timed::SPACING`] clocks ago. An issued event is decided here at once and then delayed.

use crate::block::window::{Event, Kind, Outcome, Window};
use std::convert::Infallible;

/// A transaction view, and the clocks of its RTL.
pub trait Timed: Window<Error = Infallible> + Sized {
    /// Parameters that are fixed when the Verilog is emitted.
    type Params: Copy;
    /// Registers that software sets while the block runs.
    type Csr: Copy;
    /// Clocks from the acceptance of an event to the offer of its outcome, when nothing waits.
    const LATENCY: usize;
    /// Clocks between two events of one connection.
    const SPACING: usize;

    /// A block after reset.
    fn after_reset(params: Self::Params, csr: Self::Csr) -> Self;

    /// A block after reset, with the parameters and registers of this one.
    fn reset(&self) -> Self;

    /// Sets the registers from the next event on.
    fn set_registers(&mut self, csr: Self::Csr);
}

/// The input ports during one clock. The `cfg_*` ports are set by [`Clocked::set_csr`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// Synchronous reset.
    pub rst: bool,
    /// The time in ticks, of which the port has the low 20 bits.
    pub now: u32,
    /// `s_axis_event_tvalid`
    pub event_valid: bool,
    /// `s_axis_event_tid`: the connection.
    pub event_id: u32,
    /// `s_axis_event_tdata`: bytes in the network in bits 71:40, round-trip time in 39:24, bytes in 23:0.
    pub event_data: u128,
    /// `s_axis_event_tuser`: packets minus one in bits 9:6, class in 5:4, ECN mark in bit 3, [`Kind`] in bits
    /// 2:0.
    pub event_user: u16,
    /// `m_axis_window_tready`
    pub window_ready: bool,
}

impl Inputs {
    /// Drives `event` on `s_axis_event` and `now`.
    pub fn with_event(self, event: &Event) -> Self {
        Self {
            now: event.now_ticks & 0xF_FFFF,
            event_valid: true,
            event_id: event.connection,
            event_data: u128::from(event.in_flight_bytes) << 40
                | u128::from(event.rtt_ticks) << 24
                | u128::from(event.bytes),
            event_user: event.kind as u16
                | u16::from(event.ecn) << 3
                | u16::from(event.class) << 4
                | u16::from(event.packets - 1) << 6,
            ..self
        }
    }

    fn event(&self) -> Event {
        Event {
            kind: Kind::ALL[usize::from(self.event_user & 7)],
            connection: self.event_id,
            class: (self.event_user >> 4 & 3) as u8,
            ecn: self.event_user & 8 != 0,
            packets: (self.event_user >> 6 & 15) as u8 + 1,
            bytes: self.event_data as u32 & 0xFF_FFFF,
            rtt_ticks: (self.event_data >> 24) as u16,
            in_flight_bytes: (self.event_data >> 40) as u32,
            now_ticks: self.now,
        }
    }
}

/// The output ports during one clock. All are registers or functions of registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// `s_axis_event_tready`
    pub event_ready: bool,
    /// `m_axis_window_tvalid`
    pub window_valid: bool,
    /// `m_axis_window_tid`: the connection. The port holds its value while `tvalid` is low.
    pub window_id: u32,
    /// `m_axis_window_tdata`: the window in bytes. The port holds its value while `tvalid` is low.
    pub window_data: u32,
    /// `m_axis_window_tuser`, see [`Outcome::user`]. The port holds its value while `tvalid` is low.
    pub window_user: u8,
    /// `stat_not_open_events`: events of connections that were not open; the port has its low 16 bits.
    pub not_open_events: u32,
}

/// A block of windows, clock for clock.
#[derive(Clone, Debug)]
pub struct Clocked<B> {
    block: B,
    /// The next connection that the sweep after reset closes; `connections` when it is done.
    sweep: u32,
    /// The input register.
    held: Option<Event>,
    /// Moves of the pipeline since reset.
    moves: u64,
    /// First move at which each connection's next event may be issued.
    free_from: Vec<u64>,
    /// Outcomes in the pipeline to the output register, as a ring: the oldest is at `moves` modulo the number
    /// of stages.
    stages: Vec<Option<Outcome>>,
    /// The outcome that the pipeline delivered while the output register was full: then the pipeline stalls.
    skid: Option<Outcome>,
    outputs: Outputs,
}

impl<B: Timed> Clocked<B> {
    /// A block in its first clock after one with `rst`.
    pub fn new(params: B::Params, csr: B::Csr) -> Self {
        Self::of(B::after_reset(params, csr))
    }

    fn of(block: B) -> Self {
        Self {
            sweep: 0,
            held: None,
            moves: 0,
            free_from: vec![0; block.connections() as usize],
            // Registers between the input register and the output register.
            stages: vec![None; B::LATENCY - 2],
            block,
            skid: None,
            outputs: Outputs::default(),
        }
    }

    /// Sets the `cfg_*` ports. CSRs must not change while an event is in the pipeline.
    pub fn set_csr(&mut self, csr: B::Csr) {
        self.block.set_registers(csr);
    }

    /// The transaction view inside; it runs ahead of the ports by the pipeline.
    pub fn block(&self) -> &B {
        &self.block
    }

    /// The output ports before the next clock edge.
    #[inline]
    pub fn outputs(&self) -> &Outputs {
        &self.outputs
    }

    /// A clock edge with these inputs.
    #[inline]
    pub fn clock(&mut self, inputs: &Inputs) {
        if inputs.rst {
            *self = Self::of(self.block.reset());
            return;
        }
        let accepted = self.outputs.event_ready && inputs.event_valid;
        let free = inputs.window_ready || !self.outputs.window_valid;
        if self.skid.is_none() {
            let entering = self.issue();
            let slot = (self.moves % self.stages.len() as u64) as usize;
            let leaving = std::mem::replace(&mut self.stages[slot], entering);
            self.moves += 1;
            if leaving.is_some_and(|outcome| !outcome.accepted) {
                self.outputs.not_open_events = self.outputs.not_open_events.wrapping_add(1);
            }
            if free {
                self.offer(leaving);
            } else {
                self.skid = leaving;
            }
        } else if free {
            let held = self.skid.take();
            self.offer(held);
        }
        if accepted {
            self.held = Some(inputs.event());
        }
        self.outputs.event_ready = self.ready();
    }

    /// The event in the input register may be issued when the pipeline moves.
    fn may_issue(&self) -> bool {
        self.held.is_some_and(|event| self.free_from[event.connection as usize] <= self.moves)
    }

    fn issue(&mut self) -> Option<Outcome> {
        let spacing = B::SPACING as u64;
        if self.sweep < self.block.connections() {
            self.free_from[self.sweep as usize] = self.moves + spacing;
            self.sweep += 1;
            return None;
        }
        if !self.may_issue() {
            return None;
        }
        let event = self.held.take()?;
        self.free_from[event.connection as usize] = self.moves + spacing;
        let Ok(outcome) = self.block.event(&event);
        Some(outcome)
    }

    fn ready(&self) -> bool {
        self.skid.is_none()
            && self.sweep == self.block.connections()
            && (self.held.is_none() || self.may_issue())
    }

    fn offer(&mut self, outcome: Option<Outcome>) {
        self.outputs.window_valid = outcome.is_some();
        if let Some(outcome) = outcome {
            self.outputs.window_id = outcome.connection;
            self.outputs.window_data = outcome.cwnd_bytes;
            self.outputs.window_user = outcome.user();
        }
    }
}
