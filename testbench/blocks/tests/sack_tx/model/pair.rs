//! Model and oracle side by side. After every event the test compares their outcomes and their complete
//! states.

use std::collections::HashMap;
use weft_blocks::sack_tx::oracle::{ALL, Oracle, State};
use weft_nic::block::sack_tx::{Event, GROUPS, Outcome, SackTx};
use weft_nic::part::ring::Ring;
use weft_params::{SackParams, SackTxCsr};
use weft_word::Concrete;

/// Model and oracle.
pub(crate) struct Pair {
    pub(crate) model: SackTx,
    pub(crate) oracle: Oracle,
    /// State of every connection when it was last compared.
    held: Vec<Held>,
    /// Posted messages whose end was not reported, by connection.
    posted: HashMap<u32, u64>,
    /// Ticks that have passed.
    pub(crate) ticks: u64,
}

/// Complete state of a connection, as numbers.
type Held = ([u128; 43], [[u64; GROUPS]; 2]);

fn held(model: &SackTx, connection: u32) -> Held {
    let (flow, rings) = (model.flow(connection), model.rings(connection));
    let (p, messages) = (&flow.published, model.messages(connection));
    let (ends, account) = (messages.ends.get(), messages.account.get());
    let words = [
        p.open.value(),
        p.forfeit.value(),
        p.origin.value(),
        p.una.value(),
        p.next.value(),
        p.class.value(),
        p.epoch.value(),
        p.past.value(),
        flow.queued.value(),
        flow.left.value(),
        flow.head.value(),
        flow.tail.value(),
        flow.cwnd.value(),
        flow.since.value(),
        flow.retries.value(),
        flow.probes.value(),
        flow.begun.value(),
        flow.peak.value(),
        flow.pace.value(),
        flow.former.value(),
        flow.verdicts.value(),
        flow.verdicts_before.value(),
        flow.nacked.value(),
        flow.nacked_before.value(),
        flow.horizon.mark.value(),
        flow.horizon.older.value(),
        flow.horizon.newer.value(),
        flow.horizon.phase.value(),
        flow.unacked.value(),
        flow.lost.value(),
        rings.waiting.limbs[0].value(),
        rings.waiting.limbs[1].value(),
        rings.lost.limbs[0].value(),
        rings.lost.limbs[1].value(),
        rings.age_low.limbs[0].value(),
        rings.age_low.limbs[1].value(),
        rings.age_high.limbs[0].value(),
        rings.age_high.limbs[1].value(),
        ends.total.value(),
        ends.group.ends.value(),
        ends.group.number.value(),
        account.posted.value(),
        account.completed.value(),
    ];
    (words, messages.groups)
}

impl Pair {
    /// A pair in which no connection is open.
    pub(crate) fn new(params: SackParams, csr: SackTxCsr) -> Self {
        let model = <SackTx>::new(params, csr);
        let held = (0..params.connections).map(|connection| held(&model, connection)).collect();
        Self { model, oracle: Oracle::new(csr), held, posted: HashMap::new(), ticks: 0 }
    }

    /// Handles an event from outside at the absolute time `now`.
    pub(crate) fn step(&mut self, event: &Event, now: u64) -> Result<Outcome, String> {
        let (got, expected) = (self.model.step(event), self.oracle.step(event, now));
        self.agree(&format!("{event:?}"), got, expected)
    }

    /// Handles the turn of the next connection in line.
    pub(crate) fn send(&mut self, now: u64) -> Result<Option<Outcome>, String> {
        match (self.model.send(low(now)), self.oracle.send(now)) {
            (None, None) => Ok(None),
            (Some(got), Some(expected)) => self.agree("a send", got, expected).map(Some),
            (got, expected) => Err(format!("whose turn it is: model {got:?}, oracle {expected:?}")),
        }
    }

    /// Handles the event that a connection's timers request, if any is due.
    pub(crate) fn timer(&mut self, connection: u32, now: u64) -> Result<Option<Outcome>, String> {
        let (got, expected) = (self.model.due(connection, low(now)), self.oracle.due(connection, now));
        if got != expected {
            return Err(format!("connection {connection} at {now}: due {got:?}, by the oracle {expected:?}"));
        }
        let Some(kind) = got else { return Ok(None) };
        let (got, expected) =
            (self.model.timer(connection, kind, low(now)), self.oracle.timer(connection, kind, now, ALL));
        self.agree("a timer", got, expected).map(Some)
    }

    /// Handles due timers: of each connection an epoch and another event.
    pub(crate) fn timers(&mut self, now: u64) -> Result<(), String> {
        for connection in 0..self.model.params().connections {
            if self.timer(connection, now)?.is_some() {
                self.timer(connection, now)?;
            }
        }
        Ok(())
    }

    fn agree(&mut self, what: &str, got: Outcome, expected: Outcome) -> Result<Outcome, String> {
        if got != expected {
            return Err(format!("{what}: model {got:?}, oracle {expected:?}"));
        }
        let connection = got.connection;
        self.same(connection).map_err(|difference| format!("{what}: {got:?}, but {difference}"))?;
        self.messages_end_once(&got).map_err(|fault| format!("{what}: {got:?}, but {fault}"))?;
        Ok(got)
    }

    /// Compares the state of the connection, and checks that no other connection has changed.
    fn same(&mut self, connection: u32) -> Result<(), String> {
        // With many connections, each comparison covers a few of them, in turn.
        let (first, count) = (self.oracle.events() as u32, self.held.len() as u32);
        let others = (first..first + count.min(16)).map(|other| other % count);
        for other in others.chain([connection]) {
            let held = held(&self.model, other);
            let before = std::mem::replace(&mut self.held[other as usize], held);
            if other != connection && before != held {
                return Err(format!("connection {other} changed from {before:?} to {held:?}"));
            }
        }
        let (flow, rings) = (self.model.flow(connection), self.model.rings(connection));
        let Some(open) = self.oracle.connection(connection) else {
            let closed = flow.published.open.value() == 0 && self.model.pending(connection) == 0;
            return if closed { Ok(()) } else { Err("the oracle has it closed".into()) };
        };
        let tally = open.tally();
        let waiting = (flow.tail.value() + 32 - flow.head.value()) % 32;
        let numbers = [
            ("open", flow.published.open.value(), 1),
            ("una", flow.published.una.value(), open.una().into()),
            ("next", flow.published.next.value(), open.next_psn().into()),
            ("unacked", flow.unacked.value(), tally.unacked as u128),
            ("lost", flow.lost.value(), tally.lost as u128),
            ("waiting messages", waiting, open.waiting() as u128),
            ("messages", self.model.pending(connection).into(), open.messages() as u128),
            ("retries", flow.retries.value(), open.retries().into()),
            ("probes", flow.probes.value(), open.probes().into()),
            ("peak", flow.peak.value(), open.peak_and_epoch().0.into()),
            ("epoch", flow.published.epoch.value(), open.peak_and_epoch().1.into()),
            ("in line", flow.queued.value(), self.oracle.in_line(connection).into()),
        ];
        if let Some((name, got, expected)) =
            numbers.into_iter().find(|(_, got, expected)| (got ^ expected) & 0xFF_FFFF != 0)
        {
            return Err(format!("{name}: model {got}, oracle {expected}"));
        }
        let (una, next) = (open.una(), open.next_psn());
        if next - una > 256 {
            return Err(format!("{} PSNs outstanding", next - una));
        }
        let mut in_flight = 0;
        for psn in una..next {
            let slot = (psn as u32).wrapping_sub(flow.published.origin.value() as u32) % 256;
            let state = match (bit(&rings.waiting, slot), bit(&rings.lost, slot)) {
                (false, _) => State::Acked,
                (true, true) => State::Lost,
                (true, false) => State::InFlight,
            };
            in_flight += usize::from(state == State::InFlight);
            let age = 2 * u64::from(bit(&rings.age_high, slot)) + u64::from(bit(&rings.age_low, slot));
            if open.age(psn) != Some(age) {
                return Err(format!("PSN {psn}: model of age {age}, oracle {:?}", open.age(psn)));
            }
            if open.state(psn) != Some(state) {
                return Err(format!("PSN {psn}: model {state:?}, oracle {:?}", open.state(psn)));
            }
        }
        // Each sent PSN is acknowledged, lost or in flight.
        if in_flight != tally.unacked - tally.lost {
            return Err(format!("{in_flight} PSNs in flight, {tally:?}"));
        }
        Ok(())
    }

    /// Checks that every posted message ends once, as completed or as error.
    fn messages_end_once(&mut self, outcome: &Outcome) -> Result<(), String> {
        use weft_nic::block::sack_tx::{Kind, Reason};
        let posted = self.posted.entry(outcome.connection).or_default();
        let taken = outcome.kind == Kind::Post && outcome.accepted && outcome.reason == Reason::None;
        let ended = u64::from(outcome.completed) + u64::from(outcome.errors);
        *posted = (*posted + u64::from(taken))
            .checked_sub(ended)
            .ok_or_else(|| format!("{ended} messages ended of {posted}"))?;
        let ends = outcome.failed || outcome.kind == Kind::Close || outcome.kind == Kind::Open;
        if ends && *posted > 0 {
            return Err(format!("{posted} messages are forgotten"));
        }
        Ok(())
    }
}

fn low(now: u64) -> u32 {
    now as u32 & 0xFF_FFFF
}

fn bit(ring: &Ring<Concrete>, slot: u32) -> bool {
    ring.limbs[slot as usize / 128].value() >> (slot % 128) & 1 == 1
}
