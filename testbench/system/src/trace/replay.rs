//! Events of the block from a capture, and rewriting of a capture with the block's decisions.

use super::capture::save;
use super::error::TraceError;
use super::file::Trace;
use super::options::Echo;
use super::step::What;
use std::path::Path;
use weft_nic::block::reps::{Event, Kind, Outcome, Reps};
use weft_wire::{Frame, frame};

/// An event of the block and its origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimedEvent {
    /// The event.
    pub event: Event,
    /// Answer of the model.
    pub outcome: Outcome,
    /// Valid entropy values of the connection after the event, in the model.
    pub valid: u8,
    /// Number of the event's frame, from 0.
    pub frame: usize,
    /// Nanoseconds since the first frame.
    pub time_ns: u64,
    /// PSN of the data packet or ACK.
    pub psn: Option<u32>,
    /// UDP source port that the capture has for the data packet.
    pub recorded_ev: Option<u16>,
    /// The data packet's PSN was sent before.
    pub retransmission: bool,
}

impl TimedEvent {
    /// Event of the first frame, handled by `model`. The caller fills in all other fields.
    fn handled(model: &mut Reps, event: Event) -> Self {
        let outcome = model.step(&event);
        let valid = model.control(event.connection).valid.value() as u8;
        Self {
            event,
            outcome,
            valid,
            frame: 0,
            time_ns: 0,
            psn: None,
            recorded_ev: None,
            retransmission: false,
        }
    }
}

/// The event that seeds the random numbers. Bit 0 of the seed is ignored, because the NIC that wrote the
/// committed traces ignored it.
pub fn seed_event(seed: u32) -> Event {
    let seed = seed & !1;
    Event {
        kind: Kind::Seed,
        connection: 0,
        ev: seed as u16,
        ecn: false,
        rtt_ticks: (seed >> 16) as u16,
        now_ticks: 0,
    }
}

impl Trace {
    /// The events, after one that seeds the random numbers. `model` must be fresh. The model handles the
    /// events while they are made, because with [`Echo::Chosen`] an ACK depends on earlier choices.
    pub fn events(&self, model: &mut Reps) -> Result<Vec<TimedEvent>, TraceError> {
        let (found, have) = (self.summary.connections.len(), model.params().connections as usize);
        if found > have {
            return Err(TraceError::Connections { file: self.summary.file.clone(), found, have });
        }
        let mut events = Vec::with_capacity(self.steps.len() + found + 1);
        events.push(TimedEvent::handled(model, seed_event(self.seed())));
        // Entropy value chosen for the packet of each step.
        let mut chosen = vec![0; self.steps.len()];
        for (number, step) in self.steps.iter().enumerate() {
            let (What::Send { psn, .. } | What::Ack { psn, .. }) = step.what;
            let now_ticks = (step.time_ns / self.options.tick_ns) as u32;
            let plain = Event {
                kind: Kind::Send,
                connection: step.connection,
                ev: 0,
                ecn: false,
                rtt_ticks: 0,
                now_ticks,
            };
            let mut push = |event| {
                let handled = TimedEvent::handled(model, event);
                let (frame, time_ns) = (step.frame as usize, step.time_ns);
                events.push(TimedEvent { frame, time_ns, psn: Some(psn), ..handled });
            };
            match step.what {
                What::Send { ev, first, retransmission, timeout, idle, .. } => {
                    if first {
                        push(Event { kind: Kind::Open, ev, ..plain });
                    }
                    if timeout {
                        push(Event { kind: Kind::Timeout, ..plain });
                    }
                    if idle {
                        push(Event { kind: Kind::Idle, ..plain });
                    }
                    push(plain);
                    if let Some(sent) = events.last_mut() {
                        chosen[number] = sent.outcome.ev;
                        (sent.recorded_ev, sent.retransmission) = (Some(ev), retransmission);
                    }
                }
                What::Ack { ev, marked, rtt_ns, sent, .. } => {
                    let ev = match self.options.echo {
                        Echo::Recorded => Some(ev),
                        Echo::Chosen => sent.map(|sent| chosen[sent as usize]),
                    };
                    let rtt_ticks = rtt_ns.map_or(0, |rtt_ns| self.rtt_ticks(rtt_ns));
                    if let Some(ev) = ev {
                        push(Event { kind: Kind::Ack, ev, ecn: marked, rtt_ticks, ..plain });
                    }
                }
            }
        }
        Ok(events)
    }

    /// Round-trip time in ticks, saturating, at least 1: 0 would mean an unknown RTT.
    fn rtt_ticks(&self, rtt_ns: u64) -> u16 {
        (rtt_ns / self.options.tick_ns).clamp(1, u16::MAX.into()) as u16
    }

    /// The frames with the entropy value that the block chose in every data packet, and with the ICRC and UDP
    /// checksum to match. All other bytes are as captured. Damage is kept: a wrong ICRC stays wrong.
    pub fn rewrite(&self, events: &[TimedEvent], outcomes: &[Outcome]) -> Result<Vec<Frame>, TraceError> {
        if events.len() != outcomes.len() {
            return Err(TraceError::Outcomes { events: events.len(), outcomes: outcomes.len() });
        }
        let mut frames = self.frames.clone();
        for (timed, outcome) in events.iter().zip(outcomes) {
            let Some(frame) = frames.get_mut(timed.frame) else { continue };
            if timed.event.kind == Kind::Send && outcome.accepted {
                frame::set_source_port(&mut frame.data, outcome.ev)
                    .map_err(|reason| TraceError::Rewrite { frame: timed.frame + 1, reason })?;
            }
        }
        Ok(frames)
    }

    /// Writes [`rewrite`](Self::rewrite) as a pcapng with the comments of the capture.
    pub fn save(
        &self,
        path: impl AsRef<Path>,
        events: &[TimedEvent],
        outcomes: &[Outcome],
    ) -> Result<(), TraceError> {
        save(path, &self.comments.join("\n"), &self.rewrite(events, outcomes)?)
    }
}
