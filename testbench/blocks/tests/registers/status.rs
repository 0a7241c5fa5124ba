//! State of connections on RTL and model, compared with plain flags by rules 14 to 17 of the page.

use crate::bench::{Bench, OKAY};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use weft_params::registers::{Op, offsets};
use weft_random::Rng;

const CONNECTIONS: u32 = 16;
/// Number of clocks within which the block accepts a report.
const NOTED: u32 = 24;
/// Bits of a word.
const OPEN: u8 = 1;
const HELD: u8 = 1 << 1;
const FROZEN: u8 = 1 << 2;
const DRAINED: u8 = 1 << 3;
const UNANSWERED: u8 = 1 << 4;
const DENIED: u8 = 1 << 5;
const BREACH: u8 = 1 << 6;
const BROKEN: u8 = 1 << 7;
/// Causes in QUERY_HISTORY, above the freezes.
const CAUSES_LSB: u32 = 8;
const FAILED: u8 = UNANSWERED | DENIED | BREACH | BROKEN;

/// A bench, and the expected state of connections.
struct Ledger {
    bench: Bench,
    standings: BTreeMap<u32, u8>,
    /// Freezes since connections were opened, and causes of the last failures since reset.
    freezes: BTreeMap<u32, u32>,
    causes: BTreeMap<u32, u8>,
    /// Connections whose event is due, and their treatment as last reported to the receiver.
    due: BTreeSet<u32>,
    treated: BTreeMap<u32, u8>,
    events: u32,
    /// Failures at this end that the sender must get, in order. `true` for the buffer's.
    failures: VecDeque<(u32, bool)>,
    told: u32,
}

impl Ledger {
    fn new() -> Self {
        let mut bench = Bench::new(CONNECTIONS);
        bench.inputs.ingress_peer_ready = true;
        bench.inputs.egress_peer_ready = true;
        bench.inputs.receiver_control_ready = true;
        bench.inputs.sender_control_ready = true;
        let (standings, freezes, causes, due, treated, failures) = Default::default();
        Self { bench, standings, freezes, causes, due, treated, events: 0, failures, told: 0 }
    }

    fn clock(&mut self) {
        let outputs = *self.bench.outputs();
        if outputs.bar.valid {
            self.treated.insert(outputs.bar.id, outputs.bar.word.words()[0] as u8);
        }
        if let Some((connection, word)) = outputs.event.get().filter(|_| self.bench.inputs.event_ready) {
            assert!(self.due.remove(&connection), "an event of {connection} that nothing caused");
            assert_eq!(word, self.standing(connection), "{connection}");
            self.events += 1;
        }
        if let Some(failure) = outputs.failure.get().filter(|_| self.bench.inputs.failure_ready) {
            assert_eq!(self.failures.pop_front(), Some(failure));
            self.told += 1;
        }
        self.bench.clock();
    }

    fn idle(&mut self) {
        (0..NOTED).for_each(|_| self.clock());
    }

    fn standing(&self, connection: u32) -> u8 {
        self.standings.get(&connection).copied().unwrap_or(0)
    }

    /// Sets and clears bits of a connection that is open.
    fn news(&mut self, connection: u32, set: u8, cleared: u8) {
        let before = self.standing(connection);
        if before & OPEN == 0 {
            return;
        }
        let after = before & !cleared | set;
        if before & FAILED == 0 && set & (BREACH | BROKEN) != 0 {
            self.failures.push_back((connection, set == BROKEN));
        }
        self.standings.insert(connection, after);
        if before & FROZEN < after & FROZEN {
            *self.freezes.entry(connection).or_default() += 1;
        }
        if after & FAILED != 0 {
            self.causes.insert(connection, after >> 4);
        }
        if (before ^ after) & !HELD != 0 {
            self.due.insert(connection);
        }
    }

    /// Offers a report until the block has accepted it.
    fn tell(&mut self, connection: u32, what: u32) {
        match what {
            0..=4 => {
                let denied = what > 2;
                self.bench.inputs.failed = Some((connection, denied));
                self.until(|bench| bench.outputs().failed_ready);
                self.bench.inputs.failed = None;
                self.news(connection, if denied { DENIED } else { UNANSWERED }, 0);
            }
            5 | 6 => {
                self.bench.inputs.freeze = Some((connection, what == 5));
                self.until(|bench| bench.outputs().freeze_ready);
                self.bench.inputs.freeze = None;
                let (set, cleared) = if what == 5 { (FROZEN, 0) } else { (0, FROZEN) };
                self.news(connection, set, cleared);
            }
            7 => {
                self.bench.inputs.breach = Some(connection);
                self.until(|bench| bench.outputs().breach_ready);
                self.bench.inputs.breach = None;
                self.news(connection, BREACH, 0);
            }
            8..=11 => {
                self.bench.inputs.buffer = Some((connection, (what as u8 - 8) | 0xF0));
                self.until(|bench| bench.outputs().buffer_ready);
                self.bench.inputs.buffer = None;
                let (set, cleared) = [(0, HELD), (HELD, 0), (BROKEN, 0), (BROKEN, 0)][what as usize - 8];
                self.news(connection, set, cleared);
            }
            12 => {
                self.bench.inputs.drained = Some(connection);
                self.until(|bench| bench.outputs().drained_ready);
                self.bench.inputs.drained = None;
                self.news(connection, DRAINED, 0);
            }
            _ => {
                // COMMAND waits until the sender has accepted failures.
                self.bench.inputs.failure_ready = true;
                self.idle();
                let open = what > 13;
                let op = if open { Op::Open } else { Op::Close };
                assert_eq!(self.bench.write(offsets::COMMAND, op.command(connection)), OKAY);
                self.idle();
                self.idle();
                self.standings.insert(connection, u8::from(open));
                self.freezes.remove(&connection);
                assert_eq!(self.bench.read(offsets::COMMAND).0 >> 31, 0, "busy");
            }
        }
    }

    fn until(&mut self, ready: impl Fn(&Bench) -> bool) {
        while !ready(&self.bench) {
            self.clock();
        }
        self.clock();
    }

    /// Checks STATE, and the treatment that the receiver got.
    fn check(&mut self, connection: u32) {
        let standing = self.standing(connection);
        assert_eq!(self.bench.write(offsets::QUERY, connection), OKAY);
        assert_eq!(self.bench.read(offsets::STATE), (standing.into(), OKAY), "{connection}");
        let freezes = self.freezes.get(&connection).copied().unwrap_or(0).min(255);
        let causes = self.causes.get(&connection).copied().unwrap_or(0);
        let history = freezes | u32::from(causes) << CAUSES_LSB;
        assert_eq!(self.bench.read(offsets::QUERY_HISTORY), (history, OKAY), "{connection}");
        let failed = standing & FAILED != 0;
        let treated = u8::from(standing & HELD != 0) | u8::from(failed) << 1;
        assert_eq!(self.treated.get(&connection).copied().unwrap_or(0), treated, "{connection}");
    }
}

/// Rules 14 to 17: reports change the expected bits. Changes cause events, which are merged while the host
/// does not accept them.
#[test]
fn rules_14_to_17_news_change_how_a_connection_stands() {
    let mut ledger = Ledger::new();
    let mut rng = Rng::new(4);
    for round in 0..3_000 {
        // For some time the host accepts no events.
        ledger.bench.inputs.event_ready = round / 100 % 3 > 0;
        ledger.bench.inputs.failure_ready = round / 50 % 4 > 0;
        let connection = rng.below(CONNECTIONS);
        let what = rng.below(17);
        ledger.tell(connection, what);
        ledger.idle();
        ledger.check(rng.below(CONNECTIONS));
        ledger.check(connection);
        // A waiting event was true when the port began to offer it.
        if !ledger.bench.inputs.event_ready && ledger.bench.outputs().event.valid {
            ledger.bench.inputs.event_ready = true;
            ledger.clock();
        }
    }
    ledger.bench.inputs.event_ready = true;
    (0..CONNECTIONS).for_each(|_| ledger.idle());
    assert!(ledger.due.is_empty() && ledger.events > 400, "{:?} {}", ledger.due, ledger.events);
    assert!(!ledger.bench.outputs().event.valid);
    assert!(ledger.failures.is_empty() && ledger.told > 100, "{:?} {}", ledger.failures, ledger.told);
}

/// Rule 24: freezes are counted up to 255 and again for each owner. The causes of a failure outlive the
/// connection.
#[test]
fn rule_24_what_a_connection_went_through() {
    let mut ledger = Ledger::new();
    ledger.bench.inputs.event_ready = true;
    ledger.bench.inputs.failure_ready = true;
    // A freeze of a closed connection, or of a frozen one, is not counted.
    for what in [5, 14, 5, 5] {
        ledger.tell(3, what);
        ledger.idle();
    }
    ledger.check(3);
    assert_eq!(ledger.bench.read(offsets::QUERY_HISTORY).0, 1);
    for round in 0..2 * 259 {
        ledger.tell(3, 6 - round % 2);
        ledger.idle();
    }
    ledger.check(3);
    assert_eq!(ledger.bench.read(offsets::QUERY_HISTORY).0, 255);
    // A breach, then an open for another owner, then another cause.
    ledger.tell(3, 7);
    ledger.idle();
    ledger.check(3);
    for (what, history) in [(13, 4 << 8), (14, 4 << 8), (0, 1 << 8), (13, 1 << 8)] {
        ledger.tell(3, what);
        ledger.idle();
        ledger.check(3);
        assert_eq!(ledger.bench.read(offsets::QUERY_HISTORY).0, history);
    }
}

/// Rule 22: while the sender accepts no failure, STATE and the receiver already show the failure, also
/// failures of other connections, and COMMAND waits.
#[test]
fn rule_22_a_failure_waits_for_the_sender_and_command_for_it() {
    let mut ledger = Ledger::new();
    (0..CONNECTIONS).for_each(|connection| ledger.tell(connection, 14));
    ledger.bench.inputs.failure_ready = false;
    (0..CONNECTIONS).for_each(|connection| ledger.tell(connection, if connection % 2 == 0 { 7 } else { 10 }));
    ledger.idle();
    (0..CONNECTIONS).for_each(|connection| ledger.check(connection));
    assert_eq!(ledger.bench.write(offsets::COMMAND, Op::Close.command(3)), OKAY);
    (0..20).for_each(|_| ledger.idle());
    assert_eq!(ledger.bench.read(offsets::COMMAND).0 >> 31, 1);
    assert_eq!(ledger.failures.len(), CONNECTIONS as usize);
    ledger.bench.inputs.failure_ready = true;
    (0..8).for_each(|_| ledger.idle());
    assert!(ledger.failures.is_empty());
    assert_eq!(ledger.bench.read(offsets::COMMAND).0 >> 31, 0);
}

/// Rule 17: before the sweep ends no state is valid, and after a reset no earlier state is left.
#[test]
fn rule_17_a_reset_forgets() {
    let mut ledger = Ledger::new();
    (0..CONNECTIONS).for_each(|connection| ledger.tell(connection, 14));
    (0..CONNECTIONS).for_each(|connection| ledger.tell(connection, 9));
    ledger.idle();
    (0..CONNECTIONS).for_each(|connection| ledger.check(connection));
    ledger.bench.hard_reset();
    assert_eq!(ledger.bench.read(offsets::STATE), (0, OKAY));
    (0..=CONNECTIONS).for_each(|_| ledger.bench.clock());
    ledger.standings.clear();
    ledger.treated.clear();
    ledger.freezes.clear();
    ledger.causes.clear();
    (0..CONNECTIONS).for_each(|connection| ledger.check(connection));
}
