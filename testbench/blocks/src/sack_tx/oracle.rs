//! The naive oracle of a sender of sprayed packets (`docs/blocks/sack_tx.md`). It has a map of packets by
//! unbounded PSNs, a queue of messages, absolute time and unbounded counters. The oracle shares no encoding
//! with the model, which has a bitmap, turns and a ring of ages. Each packet stores the epoch of the
//! connection in which it left.
//!
//! The block works on many events at once, so an event may not see the effects of the events just before it
//! (rule 18). Every change of a packet therefore carries the number of its event, and `horizon` is the number
//! up to which an event sees changes.

mod connection;

use connection::BITS;
pub use connection::{Connection, State, Tally};

use connection::Next;
use std::collections::{HashMap, HashSet, VecDeque};
use weft_nic::block::sack_tx::{Event, Kind, Outcome, Reason};
use weft_params::SackTxCsr;

/// PSNs of the wire.
const PSNS: u64 = 1 << 24;

/// All connections.
pub struct Oracle {
    csr: SackTxCsr,
    /// PSNs of a window.
    psns: u64,
    /// Open connections.
    connections: HashMap<u32, Connection>,
    /// Connections that wait for their turn to send, the next connection first.
    line: VecDeque<u32>,
    /// Connections of the line that were opened while they waited in the line.
    forfeit: HashSet<u32>,
    /// Connection that had the last turn.
    last: u32,
    /// Number of the next event.
    events: u64,
}

/// Horizon of an event that sees all earlier events.
pub const ALL: u64 = u64::MAX;

impl Oracle {
    /// An oracle in which no connection is open.
    pub fn new(csr: SackTxCsr) -> Self {
        let (connections, line, forfeit) = Default::default();
        Self { csr, psns: BITS, connections, line, forfeit, last: 0, events: 0 }
    }

    /// The same with windows of so many PSNs.
    pub fn with_psns(self, psns: u64) -> Self {
        Self { psns, ..self }
    }

    /// Sets the CSRs.
    pub fn set_csr(&mut self, csr: SackTxCsr) {
        self.csr = csr;
    }

    /// Events so far.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// A connection, if it is open.
    pub fn connection(&self, connection: u32) -> Option<&Connection> {
        self.connections.get(&connection)
    }

    /// Whether a connection waits for its turn to send.
    pub fn in_line(&self, connection: u32) -> bool {
        self.line.contains(&connection)
    }

    /// Handles one event at the absolute time `now` (whose low 24 bits are `event.now_ticks`).
    pub fn step(&mut self, event: &Event, now: u64) -> Outcome {
        self.step_seeing(event, now, ALL)
    }

    /// Handles one event that sees the changes of its connection's packets by events numbered below
    /// `horizon`.
    pub fn step_seeing(&mut self, event: &Event, now: u64, horizon: u64) -> Outcome {
        assert_eq!((now % PSNS) as u32, event.now_ticks);
        let number = self.count();
        let connection = event.connection;
        let mut outcome = blank(event.kind, connection);
        outcome.tag = event.tag;
        match event.kind {
            Kind::Open => {
                outcome.errors = self.end(connection);
                if self.in_line(connection) {
                    self.forfeit.insert(connection);
                }
                self.connections
                    .insert(connection, Connection::new(event, &self.csr, self.psns, number, now));
                outcome.accepted = true;
            }
            Kind::Close => {
                outcome.accepted = self.connections.contains_key(&connection);
                outcome.errors = self.end(connection);
            }
            kind => {
                let Some(open) = self.connections.get_mut(&connection) else { return outcome };
                outcome.accepted = true;
                open.forget(horizon);
                open.look(now);
                let before = open.tally();
                let mut answers = false;
                match kind {
                    Kind::Post => outcome.reason = open.post(event.packets),
                    Kind::Ack => {
                        (outcome.reason, outcome.beyond, answers) =
                            open.ack(event, &self.csr, number, horizon);
                    }
                    Kind::Nack => match open.nack(event, horizon) {
                        Ok(denied) => outcome.failed = denied,
                        Err(reason) => outcome.reason = reason,
                    },
                    Kind::Window => open.cwnd = event.cwnd_bytes,
                    _ => {}
                }
                open.account(&self.csr, before, answers, (now, horizon), &mut outcome);
                if outcome.failed {
                    outcome.errors = self.end(connection);
                }
            }
        }
        self.leave(connection, &mut outcome);
        outcome
    }

    /// Lets the next connection in line send. `None` if no connection waits.
    pub fn send(&mut self, now: u64) -> Option<Outcome> {
        let connection = *self.line.front()?;
        let next = self.connections.get(&connection).and_then(|open| open.turn);
        let next = next.filter(|_| !self.forfeit.contains(&connection));
        Some(self.send_this(connection, next, now, ALL))
    }

    /// Follows a send of the block, whose packet was chosen some clocks ago. An error describes its fault.
    pub fn follow_send(&mut self, sent: &Outcome, now: u64, horizon: u64) -> Result<Outcome, String> {
        let connection = sent.connection;
        // The connection with the last turn may send a second new packet in that turn.
        let second = self.last == connection;
        self.last = connection;
        if !self.in_line(connection) && !second {
            return Err("a send out of line".into());
        }
        let next = match self.connections.get_mut(&connection) {
            _ if !sent.send => None,
            None => return Err("a closed connection sends".into()),
            Some(_) if self.forfeit.contains(&connection) => return Err("it was opened in line".into()),
            Some(open) => {
                open.forget(horizon);
                Some(open.allows(sent.psn, sent.fresh, second, horizon)?)
            }
        };
        Ok(self.send_this(connection, next, now, horizon))
    }

    fn send_this(&mut self, connection: u32, next: Option<Next>, now: u64, horizon: u64) -> Outcome {
        let number = self.count();
        self.line.retain(|&waiting| waiting != connection);
        self.forfeit.remove(&connection);
        let mut outcome = blank(Kind::Send, connection);
        if let Some(open) = self.connections.get_mut(&connection) {
            outcome.accepted = true;
            open.forget(horizon);
            open.look(now);
            let before = open.tally();
            if let Some(next) = next {
                outcome.send = true;
                outcome.fresh = matches!(next, Next::New);
                (outcome.psn, outcome.last) = open.send(next, number, now);
            }
            open.account(&self.csr, before, false, (now, horizon), &mut outcome);
        }
        self.leave(connection, &mut outcome);
        outcome
    }

    /// Event that a connection's timers request.
    pub fn due(&self, connection: u32, now: u64) -> Option<Kind> {
        self.connections.get(&connection).and_then(|open| open.due(&self.csr, now))
    }

    /// Handles a timer event of a connection: an epoch, a probe or a timeout.
    pub fn timer(&mut self, connection: u32, kind: Kind, now: u64, horizon: u64) -> Outcome {
        let late = self.connections.get(&connection).is_some_and(|open| open.is_late(now));
        self.timer_found(connection, kind, late, now, horizon)
    }

    /// Handles an event of timers that were read some clocks ago. `late`: an epoch was late in a silence at
    /// that time.
    pub fn timer_found(
        &mut self,
        connection: u32,
        kind: Kind,
        late: bool,
        now: u64,
        horizon: u64,
    ) -> Outcome {
        let number = self.count();
        let mut outcome = blank(kind, connection);
        if let Some(open) = self.connections.get_mut(&connection) {
            outcome.accepted = true;
            open.forget(horizon);
            open.look(now);
            let before = open.tally();
            let mut congested = false;
            match kind {
                Kind::Epoch => congested = open.turn_over(&self.csr, (number, horizon), late, now),
                Kind::Probe => open.probe(now, horizon),
                _ => outcome.failed = open.timeout(&self.csr, now, horizon),
            }
            open.account(&self.csr, before, false, (now, horizon), &mut outcome);
            outcome.congested |= congested;
        }
        if outcome.failed {
            outcome.errors = self.end(connection);
        }
        self.leave(connection, &mut outcome);
        outcome
    }

    fn count(&mut self) -> u64 {
        self.events += 1;
        self.events - 1
    }

    /// Ends a connection. The connection's unfinished messages end as well.
    fn end(&mut self, connection: u32) -> u16 {
        self.connections.remove(&connection).map_or(0, |open| open.messages() as u16)
    }

    /// Fills in the fields that every outcome has about the connection, and updates the line.
    fn leave(&mut self, connection: u32, outcome: &mut Outcome) {
        let Some(open) = self.connections.get_mut(&connection) else { return };
        let tally = open.tally();
        outcome.unacked = tally.unacked as u16;
        outcome.in_flight = (tally.unacked - tally.lost) as u16;
        if !outcome.send {
            outcome.psn = (open.una() % PSNS) as u32;
        }
        let probe = outcome.kind == Kind::Probe || outcome.kind == Kind::Epoch && outcome.lost > 0;
        open.turn = open.next(&self.csr, probe);
        if open.turn.is_some() && !self.line.contains(&connection) {
            self.line.push_back(connection);
        }
    }
}

fn blank(kind: Kind, connection: u32) -> Outcome {
    Outcome {
        kind,
        connection,
        accepted: false,
        send: false,
        fresh: false,
        last: false,
        failed: false,
        reason: Reason::None,
        beyond: false,
        congested: false,
        failure: false,
        unsure: false,
        psn: 0,
        acked: 0,
        lost: 0,
        completed: 0,
        errors: 0,
        unacked: 0,
        in_flight: 0,
        tag: 0,
    }
}
