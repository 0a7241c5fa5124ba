//! The naive oracle of a receiver of sprayed packets (`docs/blocks/sack_rx.md`). It has a set of all PSNs
//! that arrived, unbounded PSNs and unbounded counters. The oracle shares no encoding with the model, which
//! has a bitmap, a moving window and saturation.

use std::collections::{BTreeSet, HashMap};
use weft_nic::block::sack_rx::{Event, Kind, Outcome, Response, Verdict};
use weft_params::SackRxCsr;

/// PSNs of the wire.
const PSNS: u64 = 1 << 24;
/// PSNs of a window, and bits of an outcome's bitmap.
const WINDOW: u64 = 256;

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
    connections: HashMap<u32, Connection>,
}

impl Oracle {
    /// An oracle in which no connection is open.
    pub fn new(csr: SackRxCsr) -> Self {
        Self { csr, connections: HashMap::new() }
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
                (outcome.verdict, outcome.completed) = connection.packet(event, window);
                outcome.response = match outcome.verdict {
                    Verdict::Outside | Verdict::Trimmed => Response::Nack,
                    Verdict::Duplicate => Response::Ack,
                    _ if event.ce || event.request || event.last => Response::Ack,
                    _ if outcome.completed > 0 || connection.enough(&self.csr) => Response::Ack,
                    _ => Response::None,
                };
            }
            Kind::Flush if !connection.pending.is_empty() => outcome.response = Response::Ack,
            Kind::Probe => outcome.response = Response::Ack,
            _ => {}
        }
        if outcome.response == Response::Ack {
            connection.pending.clear();
        }
        connection.report(&mut outcome);
        outcome
    }
}

impl Connection {
    /// Verdict on a packet, and the number of messages that it completes.
    fn packet(&mut self, event: &Event, window: u64) -> (Verdict, u16) {
        let psn = nearest(event.psn, window);
        if psn >= window + WINDOW {
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

    /// Whether enough packets or bytes wait for an ACK.
    fn enough(&self, csr: &SackRxCsr) -> bool {
        let bytes: u64 = self.pending.iter().map(|&bytes| u64::from(bytes).max(1024)).sum();
        self.pending.len() >= csr.ack_packets as usize
            || (csr.ack_bytes > 0 && bytes >= u64::from(csr.ack_bytes))
    }

    /// Fills in the fields that every outcome of an open connection has.
    fn report(&self, outcome: &mut Outcome) {
        for &psn in self.received.range(self.expected..) {
            let ahead = (psn - self.expected) as usize;
            outcome.bitmap[ahead / 64] |= 1 << (ahead % 64);
            outcome.out_of_order += 1;
        }
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
