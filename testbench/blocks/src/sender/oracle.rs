//! Permitted outputs of the sender, without clocks: they follow from work requests, commands and the packets
//! that arrived at the far end.
//!
//! Every request has an id, which its addresses, key and immediate repeat.

use super::passed::is_before;
use super::tally::Tally;
use std::collections::{HashMap, VecDeque};
use weft_nic::words::{Order, Passed, Place, Sent, Status, Work};

/// Packets of a connection that may leave after it has failed: the sender had chosen them before.
const LATE: u32 = 72;

/// Minimum number of clocks from the word that passes a request's packets to the completion.
const AFTER_PASSED: u64 = 8;

/// Remote address of the request `id`.
pub fn remote(id: u32) -> u64 {
    u64::from(id) << 32 | 0x100
}

/// Local address of the request `id`.
pub fn local(id: u32) -> u64 {
    u64::from(id) << 33 | 0x40
}

/// A packet at the far end: its request and its index in the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Id of the request.
    pub id: u32,
    /// Index of the packet in the request.
    pub index: u32,
}

#[derive(Clone, Debug)]
struct Request {
    work: Work,
    connection: u32,
    /// The request is posted (rule 2): its length is permitted, and fewer than 16 requests precede it.
    postable: bool,
    /// Whether the sender may refuse the request at once: it is too long, or 16 requests waited and one of
    /// them may be about to be refused.
    refusable: bool,
    /// PSNs of the request's packets in order, as far as they were sent; and its message number.
    psns: Vec<u32>,
    message: u16,
    came: Vec<bool>,
    /// A later request was begun, or the connection was opened again, before all of this request was sent.
    skipped: bool,
    /// Commands of the connection that had been accepted when the request arrived.
    commands: u32,
    /// The request arrived at a connection that drained.
    barred: bool,
    /// The connection failed before all of the request had arrived.
    lost: bool,
    /// Clock since which no packet of the request needs to leave.
    passed: Option<u64>,
    /// The connection was opened again. Without an earlier close, packets of the earlier opening may still
    /// leave.
    reopened: bool,
}

impl Request {
    /// Records a word about packets that no longer need to leave.
    fn passes(&mut self, passed: &Passed, psns: u32, clock: u64) {
        let before = |psn: &u32| is_before(*psn, passed, psns);
        let whole = self.psns.len() == self.came.len() && self.psns.last().is_some_and(before);
        if passed.ended || whole {
            self.passed.get_or_insert(clock);
        }
    }
}

#[derive(Clone, Debug, Default)]
struct Connection {
    /// Requests that have not ended, in order.
    pending: VecDeque<u32>,
    /// Commands accepted.
    commands: u32,
    /// A close is offered.
    closing: bool,
    /// A drain is offered; a drain was accepted, with no open or close since.
    to_drain: bool,
    draining: bool,
    /// Number of times that the block may report that no work is outstanding; whether it has reported the
    /// last drain.
    tells: u32,
    told: bool,
    /// Reports of drains before the last open that may still be made.
    late: u32,
    /// Clock since which a report is due.
    owed: Option<u64>,
    /// Last report of a freeze; opens since that report without a close before them.
    frozen: bool,
    anew: u32,
    /// The last command was an open.
    open: bool,
    /// Number of commands accepted when the peer denied a packet.
    denied: Option<u32>,
    /// Failures at this end: commands accepted at that time, and the cause; orders that have left since.
    failed: Vec<(u32, Status)>,
    after: u32,
    /// First PSNs of the openings whose first packet has not left.
    openings: VecDeque<u32>,
    /// Last new packet: PSN, request, message number.
    last: Option<(u32, u32, u16)>,
    /// Number of openings whose first packet was seen.
    generation: u32,
    /// First PSN of this opening.
    start: u32,
    /// Packets that need not leave any more, and the clock of that word.
    passed: Option<(u64, Passed)>,
}

/// The oracle. The oracle panics on a forbidden output.
#[derive(Clone, Debug)]
pub struct Oracle {
    /// PSNs of a window.
    psns: u32,
    mtu: u32,
    /// Forged ACKs may complete requests that have not arrived.
    trusting: bool,
    /// A connection may give up.
    failing: bool,
    requests: HashMap<u32, Request>,
    connections: Vec<Connection>,
    /// Packets that were ordered and not fetched, or fetched and not ordered.
    ordered: VecDeque<(u32, Place)>,
    fetched: VecDeque<(u32, Place)>,
    clock: u64,
    /// Counts of a run.
    pub tally: Tally,
}

impl Oracle {
    /// An oracle of `connections` connections, windows of `psns` and packets of `mtu` bytes. With `trusting` a completed request
    /// counts as arrived.
    pub fn new(connections: u32, psns: u32, mtu: u32, trusting: bool, failing: bool) -> Self {
        Self {
            psns,
            mtu,
            trusting,
            failing,
            requests: HashMap::new(),
            connections: vec![Connection::default(); connections as usize],
            ordered: VecDeque::new(),
            fetched: VecDeque::new(),
            clock: 0,
            tally: Tally::default(),
        }
    }

    /// Requests of a connection that have not ended.
    pub fn pending(&self, connection: u32) -> usize {
        self.connections[connection as usize].pending.len()
    }

    /// Opening of the connection's packets: its number and first PSN.
    pub fn generation(&self, connection: u32) -> (u32, u32) {
        let connection = &self.connections[connection as usize];
        (connection.generation, connection.start)
    }

    /// A request was accepted.
    pub fn work(&mut self, connection: u32, work: &Work) {
        self.tally.works += 1;
        let state = &mut self.connections[connection as usize];
        let long = work.length.div_ceil(self.mtu) > 0xFFFF;
        let waiting = state.pending.len();
        let request = Request {
            work: *work,
            connection,
            postable: !long && waiting < 16 && !state.draining && !state.to_drain,
            refusable: long || waiting >= 16 || state.draining || state.to_drain,
            psns: Vec::new(),
            message: 0,
            came: vec![false; if long { 0 } else { work.length.div_ceil(self.mtu).max(1) as usize }],
            skipped: false,
            commands: state.commands,
            barred: state.draining,
            lost: false,
            passed: None,
            reopened: false,
        };
        self.tally.barred += u64::from(state.draining);
        state.pending.push_back(work.id);
        let twice = self.requests.insert(work.id, request);
        assert!(twice.is_none(), "the test uses id {} twice", work.id);
    }

    /// After a reset no earlier state remains (rule 1).
    pub fn reset(&mut self) {
        let connections = self.connections.len() as u32;
        let tally = self.tally;
        *self = Self { tally, ..Self::new(connections, self.psns, self.mtu, self.trusting, self.failing) };
    }

    /// The peer denied a packet.
    pub fn denied(&mut self, connection: u32) {
        let state = &mut self.connections[connection as usize];
        state.denied = Some(state.commands);
    }

    /// The connection has failed at this end. Requests that have not arrived by now are not done, and only
    /// packets chosen before may leave.
    pub fn fails(&mut self, connection: u32, cause: Status) {
        let state = &mut self.connections[connection as usize];
        state.failed.push((state.commands, cause));
        state.after = 0;
        for id in &state.pending {
            if let Some(request) = self.requests.get_mut(id) {
                // A request that was not begun may be posted behind an open.
                request.lost |= !request.psns.is_empty() && request.came.contains(&false);
            }
        }
    }

    /// The block reports that the connection gave up, or was denied.
    pub fn failed(&mut self, connection: u32, denied: bool) {
        let state = &self.connections[connection as usize];
        assert!(if denied { state.denied.is_some() } else { self.failing }, "{connection} for no reason");
        self.tally.told_failed += 1;
    }

    /// A command that closes the connection is offered.
    pub fn closing(&mut self, connection: u32) {
        self.connections[connection as usize].closing = true;
    }

    /// The sender accepted a command that opens the connection with this PSN, or closes it. A closed
    /// connection has no outstanding work.
    pub fn command(&mut self, connection: u32, open: Option<u32>) {
        let state = &mut self.connections[connection as usize];
        state.commands += 1;
        state.openings.extend(open);
        state.draining = false;
        let owed = state.owed.take();
        state.late = if open.is_some() { state.tells } else { 0 };
        // An open without an earlier close ends a freeze silently, and may overtake earlier words.
        state.anew += u32::from(open.is_some() && state.open);
        if open.is_some() {
            let requests = &mut self.requests;
            let ids = state.pending.iter();
            ids.for_each(|id| _ = requests.get_mut(id).map(|request| request.reopened = true));
        }
        state.open = open.is_some();
        if open.is_none() {
            state.closing = false;
            (state.frozen, state.anew) = (false, 0);
            assert!(owed.is_none(), "a close is taken before it was told that all has ended");
            state.tells = 0;
            self.tally.closed += 1;
            assert!(state.pending.is_empty(), "a close is taken before {:?} have ended", state.pending);
            let waits = |list: &VecDeque<(u32, Place)>| list.iter().any(|(id, _)| *id == connection);
            assert!(!waits(&self.ordered) && !waits(&self.fetched), "a close is taken before a packet");
        }
    }

    /// A drain of the connection is offered.
    pub fn to_drain(&mut self, connection: u32) {
        let state = &mut self.connections[connection as usize];
        state.to_drain = true;
        state.tells += 1;
        state.told = false;
    }

    /// An open is offered. Requests from now on may be posted after the open.
    pub fn to_open(&mut self, connection: u32) {
        self.connections[connection as usize].draining = false;
    }

    /// The drain was accepted, so requests are refused from now on. If no work was outstanding, the report
    /// has been made.
    pub fn drains(&mut self, connection: u32) {
        let state = &mut self.connections[connection as usize];
        (state.to_drain, state.draining) = (false, true);
        assert!(state.told || !state.pending.is_empty(), "{connection} has nothing outstanding");
        self.tally.drained_at_once += u64::from(state.told);
    }

    /// The block reports that a draining connection has no outstanding work.
    pub fn drained(&mut self, connection: u32) {
        self.tally.drained += 1;
        let state = &mut self.connections[connection as usize];
        state.tells = state.tells.checked_sub(1).expect("a drain that was not told before");
        let left: Vec<_> = state.pending.iter().filter(|&id| !self.requests[id].refusable).collect();
        if !left.is_empty() && state.late > 0 {
            state.late -= 1;
            return;
        }
        (state.told, state.owed) = (true, None);
        // After an open that ended the drain, the report may be late. Later requests do not matter.
        let drains = state.draining || state.to_drain;
        assert!(left.is_empty() || !drains, "{connection} is drained before {left:?} have ended");
    }

    /// Checks that a due report arrives soon.
    pub fn owes(&mut self, clock: u64) {
        self.clock = clock;
        if clock.is_multiple_of(512) {
            let late = |state: &Connection| state.owed.is_some_and(|since| clock - since > 2_000);
            assert!(!self.connections.iter().any(late), "a connection is drained and nobody tells");
        }
    }

    /// A freeze began or ended.
    pub fn freeze(&mut self, connection: u32, began: bool) {
        self.tally.freezes += 1;
        let state = &mut self.connections[connection as usize];
        if state.frozen && began && state.anew > 0 {
            state.anew -= 1;
            return;
        }
        assert!(state.frozen != began, "{connection}: a freeze twice, or of before: {began}");
        state.frozen = began;
    }

    /// Rule 23: packets no longer need to leave. The sent packets among them must have arrived.
    pub fn passes(&mut self, connection: u32, passed: Passed) {
        let state = &mut self.connections[connection as usize];
        for id in &state.pending {
            let Some(request) = self.requests.get_mut(id) else { continue };
            request.passes(&passed, self.psns, self.clock);
            if self.trusting && !passed.ended && request.commands == 1 && state.commands == 1 {
                let before = |psn: &u32| is_before(*psn, &passed, self.psns);
                let mut sent = request.psns.iter().zip(&request.came);
                assert!(
                    sent.all(|(psn, came)| *came || !before(psn)),
                    "{connection} passes what has not come"
                );
            }
        }
        state.passed = Some((self.clock, passed));
    }

    /// A packet is to leave, by rules 6 and 7. Returns the packet.
    pub fn order(&mut self, connection: u32, order: &Order) -> Piece {
        let id = (order.address >> 32) as u32;
        let request = self.requests.get_mut(&id).expect("an order of no request");
        let work = request.work;
        assert_eq!(request.connection, connection, "{order:?}");
        let offset = order.address.wrapping_sub(remote(id)) as u32;
        assert_eq!(offset % self.mtu, 0, "{order:?}");
        let index = offset / self.mtu;
        let left = work.length.checked_sub(offset).expect("within the message");
        assert_eq!(u32::from(order.bytes), left.min(self.mtu), "{order:?}");
        assert_eq!(order.last, left <= self.mtu, "{order:?}");
        assert!(left > 0 || index == 0, "{order:?}");
        let held = (order.key, order.immediate, order.solicited);
        assert_eq!(held, (work.key, work.immediate, work.with_immediate), "{order:?}");
        assert_eq!(order.request, order.again);
        let state = &mut self.connections[connection as usize];
        assert!(state.pending.contains(&id), "{order:?} after the completion");

        if state.failed.last().is_some_and(|(at, _)| *at == state.commands) {
            state.after += 1;
            assert!(state.after <= LATE, "{order:?}, long after the failure");
        }
        if order.again {
            self.tally.again += 1;
            assert_eq!(request.psns.get(index as usize), Some(&order.psn), "{order:?}");
            assert_eq!(request.message, order.message, "{order:?}");
        } else {
            self.tally.fresh += 1;
            assert_eq!(request.psns.len(), index as usize, "{order:?}");
            assert!(!request.skipped, "{order:?}");
            request.psns.push(order.psn);
            if let Some((clock, passed)) = &state.passed {
                request.passes(passed, self.psns, *clock);
            }
            request.message = order.message;
            let next = state.last.filter(|(psn, _, _)| (psn + 1) & 0xFF_FFFF == order.psn);
            match next {
                Some((_, before, message)) if before == id => assert_eq!(message, order.message),
                Some((_, before, message)) => {
                    assert_eq!(index, 0, "{order:?}");
                    assert_eq!(message.wrapping_add(1), order.message, "{order:?}");
                    if let Some(before) = self.requests.get(&before) {
                        assert_eq!(
                            before.psns.len(),
                            before.came.len(),
                            "{order:?} before the end of another"
                        );
                    }
                }
                None => {
                    assert_eq!((index, order.message), (0, 0), "{order:?}");
                    while let Some(psn) = state.openings.pop_front() {
                        state.generation += 1;
                        state.start = psn;
                        if psn == order.psn {
                            break;
                        }
                    }
                    assert_eq!(state.start, order.psn, "{order:?}: the first PSN");
                }
            }
            state.last = Some((order.psn, id, order.message));
            // Earlier requests have been sent, or never will be.
            for before in state.pending.iter().take_while(|&&before| before != id) {
                if let Some(before) = self.requests.get_mut(before)
                    && before.psns.len() != before.came.len()
                {
                    before.skipped = true;
                }
            }
        }
        if order.bytes == 0 {
            self.tally.empty += 1;
        } else {
            let place = Place { address: local(id) + u64::from(offset), bytes: order.bytes };
            self.ordered.push_back((connection, place));
            self.match_fetches();
        }
        Piece { id, index }
    }

    /// Bytes are fetched.
    pub fn fetch(&mut self, connection: u32, place: &Place) {
        self.fetched.push_back((connection, *place));
        self.match_fetches();
    }

    /// Rule 8.
    fn match_fetches(&mut self) {
        if let (Some(ordered), Some(fetched)) = (self.ordered.front(), self.fetched.front()) {
            assert_eq!(ordered, fetched);
            self.ordered.pop_front();
            self.fetched.pop_front();
        }
        assert!(self.ordered.len() < 2 && self.fetched.len() < 2, "orders and fetches go together");
    }

    /// Handles a packet that has arrived at the far end.
    pub fn came(&mut self, piece: Piece) {
        if let Some(request) = self.requests.get_mut(&piece.id) {
            request.came[piece.index as usize] = true;
        }
    }

    /// A request has ended, with a permitted cause (rule 5).
    pub fn sent(&mut self, connection: u32, sent: &Sent) {
        let request = self.requests.remove(&sent.id).expect("completed once, a request that came");
        let state = &mut self.connections[connection as usize];
        assert_eq!(request.connection, connection);
        let at = state.pending.iter().position(|&id| id == sent.id).expect("it is pending");
        state.pending.remove(at);
        // Rule 3: requests refused at once may overtake; others stay in order.
        let overtaken = state.pending.iter().take(at);
        let in_order = || overtaken.clone().all(|id| !self.requests[id].postable);
        assert!(!request.barred || sent.status == Status::Refused, "{sent:?} of a connection that drains");
        if state.draining && !state.closing && state.pending.is_empty() && !state.told {
            state.owed = Some(self.clock);
        }
        let known = request.passed.is_some_and(|since| since + AFTER_PASSED <= self.clock);
        let known = known || request.psns.is_empty() || request.reopened;
        assert!(known, "{sent:?}, and its packets are still to be sent");
        match sent.status {
            Status::Done => {
                self.tally.done += 1;
                assert!(in_order(), "{sent:?} overtakes");
                assert!(!self.trusting || !request.lost, "{sent:?} after a failure");
                assert!(!request.skipped && request.psns.len() == request.came.len(), "{sent:?} unsent");
                assert!(!self.trusting || request.came.iter().all(|&came| came), "{sent:?} has not come");
            }
            Status::Error => {
                self.tally.errors += 1;
                assert!(in_order(), "{sent:?} overtakes");
                let commanded = state.closing || request.commands < state.commands;
                assert!(commanded, "{sent:?} for no reason");
            }
            Status::Unanswered => {
                self.tally.unanswered += 1;
                assert!(in_order(), "{sent:?} overtakes");
                assert!(self.failing, "{sent:?} for no reason");
            }
            Status::Denied => {
                self.tally.denied += 1;
                assert!(in_order(), "{sent:?} overtakes");
                let denied = state.denied.is_some_and(|at| request.commands <= at);
                assert!(denied, "{sent:?} for no reason");
            }
            Status::Breach | Status::Broken => {
                self.tally.failed += 1;
                assert!(in_order(), "{sent:?} overtakes");
                let failed = |(at, cause): &(u32, Status)| *cause == sent.status && request.commands <= *at;
                assert!(state.failed.iter().any(failed), "{sent:?} for no reason");
            }
            Status::Refused => {
                self.tally.refused += 1;
                assert!(request.psns.is_empty(), "{sent:?} was begun");
                // A request without a connection.
                let unconnected = self.failing || state.commands != 1 || !state.failed.is_empty();
                assert!(request.refusable || unconnected, "{sent:?} for no reason");
                assert!(request.refusable || in_order(), "{sent:?} overtakes");
            }
        }
    }
}
