//! The clocked view: the ports of `weft_reps` and their values on every clock.
//!
//! The RTL reads, merges and computes in different stages. This model decides when an event is accepted, and
//! delays the outcome. The co-simulation and the proof show that both are the same on every port and clock.

use super::state::Kind;
use super::transaction::{Event, Outcome, Reps};
use weft_params::{RepsCsr, RepsParams};

/// Clocks from the acceptance of an event to the offer of its outcome.
pub const LATENCY: usize = 8;

/// Pipeline registers before the output register.
const STAGES: usize = LATENCY - 1;

/// The stage whose events count in `stat_not_open_events` (from 0).
const COUNTING_STAGE: usize = 4;

/// The input ports during one clock. The `cfg_*` ports are set by [`Clocked::set_csr`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// Synchronous reset.
    pub rst: bool,
    /// The time in ticks.
    pub now: u32,
    /// `s_axis_event_tvalid`
    pub event_valid: bool,
    /// `s_axis_event_tid`: the connection.
    pub event_id: u32,
    /// `s_axis_event_tdata`: round-trip time in bits 31:16, entropy value in bits 15:0.
    pub event_data: u32,
    /// `s_axis_event_tuser`: ECN mark in bit 3, [`Kind`] in bits 2:0.
    pub event_user: u8,
    /// `m_axis_decision_tready`
    pub decision_ready: bool,
}

impl Inputs {
    /// Drives `event` on `s_axis_event` and `now`.
    pub fn with_event(self, event: &Event) -> Self {
        Self {
            now: event.now_ticks,
            event_valid: true,
            event_id: event.connection,
            event_data: u32::from(event.rtt_ticks) << 16 | u32::from(event.ev),
            event_user: event.kind as u8 | u8::from(event.ecn) << 3,
            ..self
        }
    }

    fn event(&self) -> Event {
        Event {
            kind: Kind::ALL[usize::from(self.event_user & 7)],
            connection: self.event_id,
            ev: self.event_data as u16,
            ecn: self.event_user & 8 != 0,
            rtt_ticks: (self.event_data >> 16) as u16,
            now_ticks: self.now,
        }
    }
}

/// The output ports during one clock. All are registers or functions of registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// `s_axis_event_tready`
    pub event_ready: bool,
    /// `m_axis_decision_tvalid`
    pub decision_valid: bool,
    /// `m_axis_decision_tid`: the connection. The port holds its value while `tvalid` is low.
    pub decision_id: u32,
    /// `m_axis_decision_tdata`: the entropy value. The port holds its value while `tvalid` is low.
    pub decision_data: u16,
    /// `m_axis_decision_tuser`, see [`Outcome::user`]. The port holds its value while `tvalid` is low.
    pub decision_user: u8,
    /// `stat_not_open_events`: events of connections that were not open; the port has its low 16 bits.
    pub not_open_events: u32,
}

/// `weft_reps`, clock for clock.
#[derive(Clone, Debug)]
pub struct Clocked {
    reps: Reps,
    /// The next connection that the sweep after reset closes; `connections` when it is done (rule 1).
    sweep: u32,
    /// Outcomes in the pipeline to the output register, the youngest first.
    stages: [Option<Outcome>; STAGES],
    /// The outcome that the pipeline delivered while the output register was full: then the pipeline stalls.
    skid: Option<Outcome>,
    outputs: Outputs,
}

impl Clocked {
    /// A block in its first clock after one with `rst`.
    pub fn new(params: RepsParams, csr: RepsCsr) -> Self {
        Self {
            reps: Reps::new(params, csr),
            sweep: 0,
            stages: [None; STAGES],
            skid: None,
            outputs: Outputs::default(),
        }
    }

    /// Sets the `cfg_*` ports. CSRs must not change while an event is in the pipeline.
    pub fn set_csr(&mut self, csr: RepsCsr) {
        self.reps.set_csr(csr);
    }

    /// The transaction view inside; it runs ahead of the ports by the pipeline.
    pub fn reps(&self) -> &Reps {
        &self.reps
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
            *self = Self::new(*self.reps.params(), *self.reps.csr());
            return;
        }
        let running = self.skid.is_none();
        let free = inputs.decision_ready || !self.outputs.decision_valid;
        if running {
            let accepted = self.outputs.event_ready && inputs.event_valid;
            let entering = if accepted { Some(self.reps.step(&inputs.event())) } else { None };
            if self.stages[COUNTING_STAGE].is_some_and(|outcome| !outcome.accepted) {
                self.outputs.not_open_events = self.outputs.not_open_events.wrapping_add(1);
            }
            let leaving = self.stages[STAGES - 1];
            self.stages.copy_within(0..STAGES - 1, 1);
            self.stages[0] = entering;
            if free {
                self.offer(leaving);
            } else {
                self.skid = leaving;
            }
            if self.sweep < self.reps.params().connections {
                self.sweep += 1;
            }
        } else if free {
            let held = self.skid.take();
            self.offer(held);
        }
        self.outputs.event_ready = self.skid.is_none() && self.sweep == self.reps.params().connections;
    }

    fn offer(&mut self, outcome: Option<Outcome>) {
        self.outputs.decision_valid = outcome.is_some();
        if let Some(outcome) = outcome {
            self.outputs.decision_id = outcome.connection;
            self.outputs.decision_data = outcome.ev;
            self.outputs.decision_user = outcome.user();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ready(params: RepsParams) -> Clocked {
        let mut block = Clocked::new(params, RepsCsr::default());
        let idle = Inputs { decision_ready: true, ..Inputs::default() };
        for clock in 0..params.connections {
            assert!(!block.outputs().event_ready, "ready in clock {clock} of the sweep");
            block.clock(&idle);
        }
        assert!(block.outputs().event_ready);
        block
    }

    fn event(kind: Kind, connection: u32) -> Event {
        Event { kind, connection, ev: 0xC123, ecn: false, rtt_ticks: 5, now_ticks: 0 }
    }

    #[test]
    fn the_sweep_takes_a_clock_per_connection_and_an_outcome_the_latency() {
        let mut block = ready(RepsParams { connections: 16, ..RepsParams::default() });
        let idle = Inputs { decision_ready: true, ..Inputs::default() };
        block.clock(&idle.with_event(&event(Kind::Open, 3)));
        for _ in 1..LATENCY {
            assert!(!block.outputs().decision_valid);
            block.clock(&idle);
        }
        assert!(block.outputs().decision_valid);
        assert_eq!((block.outputs().decision_id, block.outputs().decision_user), (3, 0x0D));
        block.clock(&idle);
        assert!(!block.outputs().decision_valid);
        assert_eq!(block.outputs().decision_id, 3, "the payload holds");
    }

    #[test]
    fn back_pressure_loses_nothing_and_keeps_the_order() {
        let mut block = ready(RepsParams { connections: 16, ..RepsParams::default() });
        let (mut sent, mut got, mut rng) = (0u32, 0u32, weft_random::Rng::new(1));
        while got < 1000 {
            let ready = rng.chance(3, 4);
            let inputs = Inputs { decision_ready: ready, ..Inputs::default() };
            let outputs = *block.outputs();
            if outputs.decision_valid && ready {
                assert_eq!(outputs.decision_id, got % 16);
                got += 1;
            }
            block.clock(&inputs.with_event(&event(Kind::Ack, sent % 16)));
            sent += u32::from(outputs.event_ready);
        }
        assert!(block.outputs().not_open_events >= 1000);
    }
}
