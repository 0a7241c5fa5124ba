//! Checks besides those of outcomes: connections do not affect each other, and no connection is stuck.

use super::Bench;
use super::watched::Change;
use crate::transport::breach::Breach;
use crate::transport::error::TransportError;
use crate::transport::isolation::{self, State};
use crate::transport::plant::Plant;
use weft_nic::block::{sack_rx, sack_tx};

/// Clocks between two comparisons of the states of all connections. The period is longer than an outcome
/// takes, and a prime, so that comparisons meet every phase of a run.
const PERIOD: u64 = 2_039;

/// Largest number of clocks, back-pressure included, from the change of a state by an event to the event's
/// outcome.
const OUTCOME_CLOCKS: u64 = 1_024;

impl Bench<'_> {
    /// A clock edge of the sender.
    pub(super) fn clock_sender(&mut self, inputs: &sack_tx::Inputs) -> Result<(), TransportError> {
        let clock = self.time.clock;
        let looks = clock.is_multiple_of(PERIOD);
        let states =
            |bench: &Self| bench.sender.model().filter(|_| looks).map(|it| isolation::sender(it.tx()));
        let before = states(self);
        let mismatch = self.sender.clock(clock, inputs)?;
        if let Some(mismatch) = mismatch {
            return Err(TransportError::Mismatch { end: "sender", mismatch });
        }
        let after = states(self);
        self.watched.sender = self.compare("sender", before, after)?.or(self.watched.sender);
        Ok(())
    }

    /// A clock edge of the receiver.
    pub(super) fn clock_receiver(&mut self, inputs: &sack_rx::Inputs) -> Result<(), TransportError> {
        let clock = self.time.clock;
        let looks = clock.is_multiple_of(PERIOD);
        let states =
            |bench: &Self| bench.receiver.model().filter(|_| looks).map(|it| isolation::receiver(it.rx()));
        let before = states(self);
        let mismatch = self.receiver.clock(clock, inputs)?;
        if let Some(mismatch) = mismatch {
            return Err(TransportError::Mismatch { end: "receiver", mismatch });
        }
        let after = states(self);
        self.watched.receiver = self.compare("receiver", before, after)?.or(self.watched.receiver);
        Ok(())
    }

    /// Checks that only the connection of the decided event changed: one event is decided a clock.
    fn compare(
        &self,
        end: &'static str,
        before: Option<Vec<State>>,
        after: Option<Vec<State>>,
    ) -> Result<Option<Change>, TransportError> {
        let (Some(before), Some(mut after)) = (before, after) else { return Ok(None) };
        let mut changed = isolation::changed(&before, &after);
        if self.setting.plant == Some(Plant::Leak) {
            let neighbours: Vec<usize> = changed.iter().map(|it| (*it as usize + 1) % after.len()).collect();
            neighbours.into_iter().for_each(|it| after[it][0] ^= 1);
            changed = isolation::changed(&before, &after);
        }
        match *changed {
            [] => Ok(None),
            [connection] => Ok(Some(Change { connection, until: self.time.clock + OUTCOME_CLOCKS })),
            [first, ..] => Err(self.fault(first, Breach::Isolation { end, connections: changed })),
        }
    }

    /// Checks one connection a clock for progress, so that no connection is stuck.
    pub(super) fn listen(&mut self) -> Result<(), TransportError> {
        let clock = self.time.clock;
        for (end, change) in [("sender", self.watched.sender), ("receiver", self.watched.receiver)] {
            if let Some(Change { connection, .. }) = change.filter(|change| change.until < clock) {
                let connections = vec![connection];
                return Err(self.fault(connection, Breach::Isolation { end, connections }));
            }
        }
        let connection = self.watched.next;
        self.watched.next = (connection + 1) % self.setting.params.connections;
        let sender = &self.ledgers[connection as usize].sender;
        let timeout = self.setting.timeout_clocks(sender.retries());
        if let Some((clocks, bound)) = sender.overdue(clock, timeout, self.setting.slack_clocks()) {
            return Err(self.fault(connection, Breach::Silent { clocks, bound }));
        }
        let silence = sender.silence(clock);
        self.figures.longest_silence_clocks = self.figures.longest_silence_clocks.max(silence);
        Ok(())
    }
}
