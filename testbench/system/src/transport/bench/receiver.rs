//! The receiver's side of a clock.

use super::{Bench, RECEIVER};
use crate::transport::breach::Breach;
use crate::transport::error::TransportError;
use crate::transport::message::Arrival;
use crate::transport::ports;
use weft_nic::block::sack_rx::{Event, Inputs, Kind, Outcome, Response, Verdict};

impl Bench<'_> {
    pub(super) fn step_receiver(&mut self) -> Result<(), TransportError> {
        let outputs = self.receiver.outputs();
        let (idle, ready) = self.receiver_pace.next();
        if ready && outputs.outcome_valid {
            let mut outcome = ports::outcome(&outputs);
            self.plant(|plant| plant.receiver_outcome(&mut outcome));
            self.receiver_says(&outcome).map_err(|breach| self.fault(outcome.connection, breach))?;
        }
        let mut inputs = Inputs { outcome_ready: ready, ..Inputs::default() };
        if let Some((event, _)) = self.receiver_events.offer(self.receiver_pace.rng(), idle) {
            inputs = inputs.with_event(event);
            if outputs.event_ready {
                self.receiver_events.taken();
            } else {
                self.figures.stalls += 1;
            }
        }
        self.clock_receiver(&inputs)
    }

    fn receiver_says(&mut self, outcome: &Outcome) -> Result<(), Breach> {
        let Outcome { kind, connection, tag, .. } = *outcome;
        self.watched.receiver_says(connection);
        let same = |(it, _): &(Event, Arrival)| (it.kind, it.connection, it.tag) == (kind, connection, tag);
        let Some((event, arrival)) = self.receiver_events.next().filter(same) else {
            return Err(Breach::Order { end: "receiver", kind: format!("{kind:?}"), tag });
        };
        // The memory is checked first: it has the bytes that a host would see.
        if outcome.verdict == Verdict::Placed {
            self.buffers.write(connection, &arrival)?;
        }
        let receiver = &mut self.ledgers[connection as usize].receiver;
        for message in 0..outcome.completed {
            self.buffers.completed(connection, receiver.completed() + u64::from(message))?;
        }
        receiver.follow(&event, outcome, &self.setting.rx)?;
        self.count(outcome);
        match kind {
            Kind::Open => {
                let opening = self.host.opening(connection);
                self.buffers.open(connection, opening);
                self.sender_nic.open(connection, opening);
                self.receiver_nic.open(connection);
                let event = self.host.receiver_opened(connection);
                self.tell_sender(event);
            }
            Kind::Close => self.host.receiver_closed(self.time.clock, connection),
            _ => {}
        }
        if let Some(frame) = self.receiver_nic.answer(self.time.clock, outcome, &arrival) {
            self.send(RECEIVER, connection, frame);
        }
        Ok(())
    }

    fn count(&mut self, outcome: &Outcome) {
        let figures = &mut self.figures;
        figures.delivered += u64::from(outcome.completed);
        figures.most_out_of_order = figures.most_out_of_order.max(outcome.out_of_order.into());
        figures.duplicates += u64::from(outcome.verdict == Verdict::Duplicate);
        figures.outside += u64::from(outcome.verdict == Verdict::Outside);
        figures.nacks += u64::from(outcome.response == Response::Nack);
        if outcome.response == Response::Ack {
            figures.acks += 1;
            figures.flushes += u64::from(outcome.kind == Kind::Flush);
            figures.probes += u64::from(outcome.kind == Kind::Probe);
        }
    }
}
