//! The naive oracle of a receiver of sprayed packets (`docs/blocks/sack_rx.md`). It has a set of all PSNs
//! that arrived, unbounded PSNs and unbounded counters. The oracle shares no encoding with the model, which
//! has a bitmap, a moving window and saturation.

use std::collections::{BTreeSet, HashMap};
use weft_nic::block::sack_rx::{Event, Kind, Outcome, Response, Verdict};
use weft_params::SackRxCsr;

/// PSNs of the wire.
const PSNS: u64 = 1 << 24;
/// Bits of an outcome's bitmap, and PSNs of the usual window.
const BITS: u64 = 256;

/// A connection that is open.
struct Connection {
    /// PSNs that were placed.
    received: BTreeSet<u64>,
    /// Placed PSNs that end a message.
    ends: BTreeSet<u64>,
    /// First PSN that was not placed.
    expected: u64,
    messages: u64,
    bytes: u64,
    /// Bytes of every packet that was placed and not yet acknowledged.
    pending: Vec<u16>,
}

/// All connections.
pub struct Oracle {
    csr: SackRxCsr,
    /// PSNs of a window.
    psns: u64,
    connections: HashMap<u32, Connection>,
}

impl Oracle {
    /// An oracle in which no connection is open.
    pub fn new(csr: SackRxCsr) -> Self {
        Self { csr, psns: BITS, connections: HashMap::new() }
    }

    /// The same with windows of so many PSNs.
    pub fn with_psns(self, psns: u64) -> Self {
        Self { psns, ..self }
    }

    /// Sets the CSRs.
    pub fn set_csr(&mut self, csr: SackRxCsr) {
        self.csr = csr;
    }

    /// Cumulative PSN of a connection, not wrapped; 0 if closed.
    pub fn expected(&self, connection: u32) -> u64 {
        self.connections.get(&connection).map_or(0, |connection| connection.expected)
    }

    /// Handles one event.
    pub fn step(&mut self, event: &Event) -> Outcome {
        self.step_seeing(event, self.expected(event.connection))
    }

    /// Handles one event whose window begins at `window`, an earlier cumulative PSN of the connection (rule
    /// 16).
    pub fn step_seeing(&mut self, event: &Event, window: u64) -> Outcome {
        let mut outcome = Outcome {
            kind: event.kind,
            connection: event.connection,
            accepted: true,
            verdict: Verdict::None,
            response: Response::None,
            ce: event.ce,
            bitmap: [0; 4],
            expected: 0,
            psn: event.psn,
            messages: 0,
            received: 0,
            tag: event.tag,
            completed: 0,
            out_of_order: 0,
            waited: 0,
        };
        match event.kind {
            Kind::Open => {
                let fresh = Connection {
                    received: BTreeSet::new(),
                    ends: BTreeSet::new(),
                    // This offset leaves space for PSNs before the first one.
                    expected: PSNS + u64::from(event.psn),
                    messages: 0,
                    bytes: 0,
                    pending: Vec::new(),
                };
                self.connections.insert(event.connection, fresh);
            }
            Kind::Close => {
                outcome.accepted = self.connections.remove(&event.connection).is_some();
                return outcome;
            }
            _ => {}
        }
        let Some(connection) = self.connections.get_mut(&event.connection) else {
            outcome.accepted = false;
            return outcome;
        };
        outcome.waited = connection.pending.len().min(255) as u8;
        match event.kind {
            Kind::Data | Kind::Trimmed => {
                (outcome.verdict, outcome.completed) = connection.packet(event, window, self.psns);
                outcome.response = match outcome.verdict {
                    Verdict::Outside | Verdict::Trimmed => Response::Nack,
                    Verdict::Duplicate => Response::Ack,
                    _ if event.ce || event.request || event.last => Response::Ack,
                    Verdict::Placed if connection.is_far(event.psn, self.psns) => Response::Ack,
                    _ if outcome.completed > 0 || connection.enough(&self.csr) => Response::Ack,
                    _ => Response::None,
                };
            }
            Kind::Flush if !connection.pending.is_empty() => outcome.response = Response::Ack,
            Kind::Probe => outcome.response = Response::Ack,
            _ => {}
        }
        let is_far = connection.is_far(event.psn, self.psns);
        if is_far && outcome.verdict == Verdict::Placed {
            connection.pending.pop();
        } else if outcome.response == Response::Ack && !is_far {
            connection.pending.clear();
        }
        connection.report(&mut outcome, self.psns);
        outcome
    }
}

impl Connection {
    /// Verdict on a packet, and the number of messages that it completes.
    fn packet(&mut self, event: &Event, window: u64, psns: u64) -> (Verdict, u16) {
        let psn = nearest(event.psn, window);
        if psn >= window + psns {
            return (Verdict::Outside, 0);
        }
        if psn < window || self.received.contains(&psn) {
            return (Verdict::Duplicate, 0);
        }
        if event.kind == Kind::Trimmed {
            return (Verdict::Trimmed, 0);
        }
        self.received.insert(psn);
        if event.last {
            self.ends.insert(psn);
        }
        self.bytes += u64::from(event.bytes);
        self.pending.push(event.bytes);
        let mut completed = 0;
        while self.received.contains(&self.expected) {
            completed += u16::from(self.ends.contains(&self.expected));
            self.expected += 1;
        }
        self.messages += u64::from(completed);
        (Verdict::Placed, completed)
    }

    /// Rule 17: whether a bitmap from the cumulative PSN on would end before a PSN of the window.
    fn is_far(&self, psn: u32, psns: u64) -> bool {
        (self.expected + BITS..self.expected + psns).contains(&nearest(psn, self.expected))
    }

    /// Whether enough packets or bytes wait for an ACK.
    fn enough(&self, csr: &SackRxCsr) -> bool {
        let bytes: u64 = self.pending.iter().map(|&bytes| u64::from(bytes).max(1024)).sum();
        self.pending.len() >= csr.ack_packets as usize
            || (csr.ack_bytes > 0 && bytes >= u64::from(csr.ack_bytes))
    }

    /// Fills in the fields that every outcome of an open connection has.
    fn report(&self, outcome: &mut Outcome, psns: u64) {
        let first = match self.is_far(outcome.psn, psns) {
            true => nearest(outcome.psn, self.expected) + 1 - BITS,
            false => self.expected,
        };
        for &psn in self.received.range(first..first + BITS) {
            let at = (psn - first) as usize;
            outcome.bitmap[at / 64] |= 1 << (at % 64);
        }
        outcome.out_of_order = self.received.range(self.expected..).count().min(255) as u8;
        outcome.expected = (self.expected % PSNS) as u32;
        outcome.messages = (self.messages % PSNS) as u32;
        outcome.received = (self.bytes.div_ceil(256) % PSNS) as u32;
    }
}

/// PSN without wrapping: the candidate nearest to `to`, and the lower one of two.
fn nearest(psn: u32, to: u64) -> u64 {
    let epoch = to / PSNS;
    let numbers = [epoch - 1, epoch, epoch + 1].map(|epoch| epoch * PSNS + u64::from(psn));
    numbers.into_iter().min_by_key(|number| number.abs_diff(to)).unwrap_or(to)
}
