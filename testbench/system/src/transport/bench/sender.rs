//! The sender's side of a clock.

use super::{Bench, SENDER};
use crate::transport::breach::Breach;
use crate::transport::error::TransportError;
use crate::transport::ledger::Sent;
use crate::transport::plant::Plant;
use crate::transport::setting::CLOCKS_PER_TICK;
use weft_blocks::sack_tx;
use weft_nic::block::sack_tx::{Event, Inputs, Kind, Outcome, Reason};

impl Bench<'_> {
    pub(super) fn step_sender(&mut self) -> Result<(), TransportError> {
        let outputs = self.sender.outputs();
        let (idle, ready) = self.sender_pace.next();
        self.time.free += u64::from(ready || !outputs.outcome_valid);
        if ready && outputs.outcome_valid {
            let mut outcome = sack_tx::outcome(&outputs);
            self.plant(|plant| plant.sender_outcome(&mut outcome));
            self.sender_says(&outcome).map_err(|breach| self.fault(outcome.connection, breach))?;
        }
        let mut now = self.now_ticks();
        self.plant(|plant| now = plant.now(now));
        let mut inputs = Inputs { now, outcome_ready: ready, ..Inputs::default() };
        if let Some(event) = self.sender_events.offer(self.sender_pace.rng(), idle) {
            let mut event = Event { now_ticks: now, ..*event };
            self.plant(|plant| plant.sender_event(&mut event));
            inputs = inputs.with_event(&event);
            if outputs.event_ready {
                self.sender_events.taken();
            } else {
                self.figures.stalls += 1;
            }
        }
        self.clock_sender(&inputs)
    }

    fn now_ticks(&self) -> u32 {
        (self.time.clock / CLOCKS_PER_TICK) as u32 & 0xFF_FFFF
    }

    fn sender_says(&mut self, outcome: &Outcome) -> Result<(), Breach> {
        self.watched.sender_says(outcome.connection);
        let before = self.ledgers[outcome.connection as usize].sender.completed();
        match outcome.kind {
            kind if kind.is_own() => self.own_event(outcome)?,
            _ => self.event_from_outside(outcome)?,
        }
        let ledger = &self.ledgers[outcome.connection as usize];
        ledger.check_order()?;
        let completed = ledger.sender.completed();
        self.figures.most_unacked = self.figures.most_unacked.max(ledger.sender.unacked());
        if completed > before {
            self.figures.completed += completed - before;
            self.buffers.forget(outcome.connection, completed);
        }
        self.figures.errors += u64::from(outcome.errors);
        self.figures.never_sent += u64::from(outcome.reason == Reason::NeverSent);
        self.figures.stale += u64::from(outcome.reason == Reason::Stale);
        Ok(())
    }

    fn event_from_outside(&mut self, outcome: &Outcome) -> Result<(), Breach> {
        let Outcome { kind, connection, tag, .. } = *outcome;
        let same = |it: &Event| (it.kind, it.connection, it.tag) == (kind, connection, tag);
        let Some(event) = self.sender_events.next().filter(same) else {
            return Err(Breach::Order { end: "sender", kind: format!("{kind:?}"), tag });
        };
        let ledger = &mut self.ledgers[connection as usize];
        ledger.sender.follow(self.time, &event, outcome, &self.setting.tx)?;
        match kind {
            Kind::Post if outcome.accepted => {
                ledger.post(self.time, event.packets);
                self.figures.posted += 1;
            }
            Kind::Window => self.figures.windows += 1,
            Kind::Open => {
                self.figures.opens += 1;
                self.host.sender_opened(connection);
            }
            Kind::Close => {
                self.figures.closes += 1;
                let event = self.host.sender_closed(connection);
                self.tell_receiver(event);
            }
            _ => {}
        }
        Ok(())
    }

    fn own_event(&mut self, outcome: &Outcome) -> Result<(), Breach> {
        let connection = outcome.connection;
        let sender = &mut self.ledgers[connection as usize].sender;
        let before = sender.retries();
        let timeout_clocks = self.setting.timeout_clocks(before);
        let sent = sender.follow_own(self.time, outcome, &self.setting.tx, timeout_clocks)?;
        let retries = sender.retries();
        if retries > before {
            self.figures.timeouts += 1;
            self.figures.timeouts_in_a_row = self.figures.timeouts_in_a_row.max(retries);
        }
        if outcome.failed {
            self.figures.failures += 1;
            self.host.failed(connection);
            let killed = self.setting.network.kill_after.is_some_and(|kill| kill <= self.time.clock);
            if !killed {
                return Err(Breach::GaveUp { timeouts: before + 1 });
            }
        }
        match sent {
            Some(sent) => self.transmit(outcome, sent),
            None => Ok(()),
        }
    }

    fn transmit(&mut self, outcome: &Outcome, sent: Sent) -> Result<(), Breach> {
        let connection = outcome.connection;
        match sent {
            Sent::New { begins } => {
                self.figures.packets += 1;
                if begins {
                    self.host.begun(connection);
                }
            }
            Sent::Again(psn) => {
                self.figures.retransmissions += 1;
                self.figures.spurious += u64::from(self.ledgers[connection as usize].receiver.has(psn));
            }
        }
        let blackout = self.setting.plant == Some(Plant::Blackout);
        for frame in self.sender_nic.frames(outcome, self.now_ticks()) {
            if !(blackout && connection == 0) {
                self.send(SENDER, connection, frame);
            }
        }
        Ok(())
    }
}
