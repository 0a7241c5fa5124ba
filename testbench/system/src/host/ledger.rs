//! Ledger of every message, from its posting to its end.

use super::breach::Breach;
use crate::memory::{Arrivals, Memory};
use crate::workload::plan::{After, Message, Plan, Times};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use weft_nic::words::{Received, Sent, Status, Work};

/// Maximum number of messages of a connection in progress at once.
const OUTSTANDING: usize = 16;

/// Progress of a message.
#[derive(Clone, Debug, Default)]
struct State {
    /// Clock from which on the message may be posted.
    due: Option<u64>,
    posted: Option<u64>,
    /// Bytes of the message when it was posted, until they are compared.
    source: Vec<u8>,
    /// Bytes written into the receiver's memory.
    arrivals: Arrivals,
    sent: Option<u64>,
    received: Option<u64>,
}

/// Messages of one side of a pairing: first those that have been posted, then those that may be posted, in
/// the order in which they became due, then those that wait for a trigger.
#[derive(Clone, Debug, Default)]
struct Lane {
    messages: Vec<u32>,
    /// Messages that have been posted, that have ended at the sender, and that have been compared at the
    /// receiver.
    posted: usize,
    sent: usize,
    compared: usize,
}

/// Locks the ledger that hosts share. Hosts use the ledger out of the order of their clocks, within the
/// latency of the network. An entry of one host affects another host only through a packet.
pub(crate) fn open(ledger: &Mutex<Ledger>) -> MutexGuard<'_, Ledger> {
    ledger.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The ledger.
#[derive(Clone, Debug)]
pub(crate) struct Ledger {
    plan: Plan,
    states: Vec<State>,
    /// Lanes by pairing and side.
    lanes: Vec<Lane>,
    /// Pairing and side of the host, by host and connection.
    connections: BTreeMap<(u32, u32), (u32, usize)>,
    /// Times that each trigger has fired.
    fired: Vec<u32>,
    /// Triggers that have fired and have not been delivered: clock, host, trigger.
    firing: Vec<(u64, u32, u32)>,
    /// Among known messages, the latest clock from which one may be posted.
    last_due: u64,
    /// Messages that have been posted and have not ended.
    under_way: u32,
    /// Messages that have not ended.
    left: u32,
    /// Last clock in which bytes were posted, delivered or completed.
    progress: u64,
    /// Bytes written into memories.
    pub(crate) delivered: u64,
    /// DMA reads of messages whose work request had ended.
    pub(crate) late_fetches: u64,
}

impl Ledger {
    /// A ledger of a plan. `numbers` are those of each pairing's connection at its two hosts.
    pub(crate) fn new(plan: Plan, mtu: u32, numbers: &[[u32; 2]]) -> Self {
        let mut lanes = vec![Lane::default(); 2 * plan.pairings.len()];
        let mut states = Vec::new();
        for (message, number) in plan.messages.iter().zip(0..) {
            lanes[2 * message.pairing as usize + message.side].messages.push(number);
            states.push(State { arrivals: Arrivals::new(message.length, mtu), ..State::default() });
        }
        let ends = plan.pairings.iter().zip(numbers).zip(0..).flat_map(|((pairing, numbers), number)| {
            [0, 1].map(|side| ((pairing.hosts[side], numbers[side]), (number, side)))
        });
        Self {
            states,
            lanes,
            connections: ends.collect(),
            fired: vec![0; plan.triggers as usize],
            firing: Vec::new(),
            last_due: 0,
            under_way: 0,
            left: plan.messages.len() as u32,
            progress: 0,
            delivered: 0,
            late_fetches: 0,
            plan,
        }
    }

    /// Connections of a host that have messages to send.
    pub(crate) fn senders(&self, host: u32) -> Vec<u32> {
        let of_host = self.connections.range((host, 0)..=(host, u32::MAX));
        let sends = of_host.filter(|(_, at)| !self.lanes[lane_of(**at)].messages.is_empty());
        sends.map(|((_, number), _)| *number).collect()
    }

    /// Next message of a connection, if it may be posted.
    pub(crate) fn next(&self, clock: u64, host: u32, connection: u32) -> Option<u32> {
        let lane = &self.lanes[lane_of(*self.connections.get(&(host, connection))?)];
        let message = *lane.messages.get(lane.posted)?;
        let is_due = self.states[message as usize].due.is_some_and(|due| due <= clock);
        (lane.posted - lane.sent < OUTSTANDING && is_due).then_some(message)
    }

    /// Posts a message.
    pub(crate) fn post(&mut self, clock: u64, message: u32, key: u32, memory: &Memory) -> Work {
        let Message { pairing, side, local, remote, length, immediate, .. } =
            self.plan.messages[message as usize];
        self.lanes[lane_of((pairing, side))].posted += 1;
        self.under_way += 1;
        self.progress = self.progress.max(clock);
        let state = &mut self.states[message as usize];
        state.posted = Some(clock);
        state.source = memory.read(local, length as usize).unwrap_or_default().to_vec();
        Work {
            local,
            remote,
            key,
            length,
            immediate: immediate.unwrap_or_default(),
            id: message,
            with_immediate: immediate.is_some(),
        }
    }

    fn at(&self, host: u32, connection: u32, port: &'static str) -> Result<(u32, usize), Breach> {
        let found = self.connections.get(&(host, connection)).copied();
        found.ok_or(Breach::Connection { port, connection })
    }

    /// Checks a DMA read of a message that the NIC sends. A packet that is sent again may wait for its read
    /// while an ACK ends its message. `true` reports such a late read, which is counted as well.
    pub(crate) fn fetch(
        &mut self,
        host: u32,
        connection: u32,
        address: u64,
        bytes: u16,
    ) -> Result<bool, Breach> {
        let lane = &self.lanes[lane_of(self.at(host, connection, "m_axis_fetch")?)];
        let holds = |message: &u32| {
            let Message { local, length, .. } = self.plan.messages[*message as usize];
            address >= local && address + u64::from(bytes) <= local + u64::from(length)
        };
        let found = |messages: &[u32]| bytes > 0 && messages.iter().rev().any(holds);
        let is_late = !found(&lane.messages[lane.sent..lane.posted]);
        if is_late && !found(&lane.messages[..lane.sent]) {
            return Err(Breach::Fetch { connection, address, bytes });
        }
        self.late_fetches += u64::from(is_late);
        Ok(is_late)
    }

    /// Checks a packet that the NIC writes for a message that it receives.
    pub(crate) fn write(
        &mut self,
        clock: u64,
        host: u32,
        connection: u32,
        address: u64,
        bytes: u16,
    ) -> Result<(), Breach> {
        let (pairing, side) = self.at(host, connection, "m_axis_write")?;
        let lane = &self.lanes[lane_of((pairing, 1 - side))];
        let packet_of = |message: &u32| {
            let offset = address.checked_sub(self.plan.messages[*message as usize].remote)?;
            let due = self.states[*message as usize].arrivals.bytes_at(offset)?;
            (due == u32::from(bytes)).then_some((*message, offset as u32))
        };
        let found = lane.messages[lane.compared..lane.posted].iter().find_map(packet_of);
        let Some((message, offset)) = found else {
            return Err(Breach::Misplaced { connection, address, bytes });
        };
        if !self.states[message as usize].arrivals.write(offset) {
            return Err(Breach::WrittenTwice { message, offset });
        }
        self.delivered += u64::from(bytes);
        self.progress = self.progress.max(clock);
        self.settle(message);
        Ok(())
    }

    /// Checks the completion of a work request.
    pub(crate) fn sent(
        &mut self,
        clock: u64,
        host: u32,
        connection: u32,
        Sent { id, status }: Sent,
    ) -> Result<(), Breach> {
        let at = lane_of(self.at(host, connection, "m_axis_sent")?);
        let lane = &mut self.lanes[at];
        let due = lane.messages[..lane.posted].get(lane.sent).copied();
        if due != Some(id) || status != Status::Done {
            return Err(Breach::Sent { connection, id, status, due });
        }
        lane.sent += 1;
        self.states[id as usize].sent = Some(clock);
        self.progress = self.progress.max(clock);
        self.settle(id);
        self.fire(clock, host, self.plan.messages[id as usize].fires.sent);
        Ok(())
    }

    /// Checks the completion of a received message and of all earlier messages of its connection. The host
    /// then acts by the plan.
    pub(crate) fn received(
        &mut self,
        clock: u64,
        host: u32,
        connection: u32,
        Received { immediate, message: number }: Received,
        memory: &mut Memory,
    ) -> Result<(), Breach> {
        let (pairing, side) = self.at(host, connection, "m_axis_received")?;
        let at = lane_of((pairing, 1 - side));
        let lane = &self.lanes[at];
        let tells = |index: usize| self.plan.messages[lane.messages[index] as usize].immediate;
        let next = (lane.compared..lane.posted).find_map(|index| Some((index, tells(index)?)));
        let due = next.map(|(index, immediate)| (index as u32 & 0xFF_FFFF, immediate));
        let Some((index, _)) = next.filter(|_| due == Some((number, immediate))) else {
            return Err(Breach::Received { connection, number, immediate, due });
        };
        let message = lane.messages[index];
        self.compare(at, index + 1, memory)?;
        if let Some(sum) = self.plan.messages[message as usize].sum {
            let added = memory.add(sum.from, sum.to, sum.bytes);
            debug_assert!(added, "the plan's places are in memory");
        }
        self.states[message as usize].received = Some(clock);
        self.progress = self.progress.max(clock);
        self.settle(message);
        self.fire(clock, host, self.plan.messages[message as usize].fires.received);
        Ok(())
    }

    /// Compares the received bytes of a lane's messages before `end` with the sent bytes.
    fn compare(&mut self, at: usize, end: usize, memory: &Memory) -> Result<(), Breach> {
        for index in self.lanes[at].compared..end {
            let message = self.lanes[at].messages[index];
            let state = &mut self.states[message as usize];
            if let Some(offset) = state.arrivals.hole() {
                return Err(Breach::Incomplete { message, offset });
            }
            let Message { remote, length, .. } = self.plan.messages[message as usize];
            let source = std::mem::take(&mut state.source);
            let came = memory.read(remote, length as usize).unwrap_or_default();
            if came != source {
                let same = came.iter().zip(&source).take_while(|(a, b)| a == b).count();
                return Err(Breach::WrongData { message, offset: same as u32 });
            }
        }
        let lane = &mut self.lanes[at];
        lane.compared = lane.compared.max(end);
        Ok(())
    }

    /// Counts a message as ended when it has ended.
    fn settle(&mut self, message: u32) {
        if self.has_ended(message) {
            self.left -= 1;
            self.under_way -= 1;
        }
    }

    /// Whether all bytes were written and all completions have arrived. Each of these events happens once, so
    /// a message ends once.
    fn has_ended(&self, message: u32) -> bool {
        let State { arrivals, sent, received, .. } = &self.states[message as usize];
        let tells = self.plan.messages[message as usize].immediate.is_some();
        sent.is_some() && received.is_some() == tells && arrivals.hole().is_none()
    }

    /// Messages that have not ended.
    pub(crate) fn left(&self) -> u32 {
        self.left
    }

    /// Clocks since bytes were last posted, delivered or completed. The result is 0 while no message is in
    /// progress and more messages will follow.
    pub(crate) fn idle_clocks(&self, clock: u64) -> u64 {
        let pause = self.under_way == 0 && clock <= self.last_due;
        if pause { 0 } else { clock.saturating_sub(self.progress) }
    }

    /// Last clock in which bytes were posted, delivered or completed.
    pub(crate) fn progress(&self) -> u64 {
        self.progress
    }

    /// Begins the run.
    pub(crate) fn begin(&mut self, clock: u64) {
        self.progress = clock;
        self.release(clock, None);
    }

    /// Notes that a trigger fired.
    fn fire(&mut self, clock: u64, host: u32, trigger: Option<u32>) {
        self.firing.extend(trigger.map(|trigger| (clock, host, trigger)));
    }

    /// Delivers fired triggers to the messages that wait for them, in the order of clocks and hosts. The
    /// hosts may have acted in any other order. No host runs meanwhile.
    pub(crate) fn tell_triggers(&mut self) {
        let mut firing = std::mem::take(&mut self.firing);
        firing.sort_by_key(|(clock, host, _)| (*clock, *host));
        for (clock, _, trigger) in firing {
            let times = &mut self.fired[trigger as usize];
            *times += 1;
            let after = After { trigger, times: *times };
            self.release(clock, Some(after));
        }
    }

    /// Makes messages due that waited for this trigger, and sorts them into their lanes.
    fn release(&mut self, clock: u64, after: Option<After>) {
        let mut changed = BTreeSet::new();
        for (state, message) in self.states.iter_mut().zip(&self.plan.messages) {
            if message.after == after {
                let due = clock + message.delay;
                state.due = Some(due);
                self.last_due = self.last_due.max(due);
                changed.insert(lane_of((message.pairing, message.side)));
            }
        }
        for at in changed {
            let lane = &mut self.lanes[at];
            let due = |message: u32| self.states[message as usize].due.unwrap_or(u64::MAX);
            lane.messages[lane.posted..].sort_by_key(|message| (due(*message), *message));
        }
    }

    /// Checks at the end that all written bytes equal the sent ones, and that the results are right. An error
    /// names the host.
    pub(crate) fn finish<'a>(&mut self, memory_of: impl Fn(u32) -> &'a Memory) -> Result<(), (u32, Breach)> {
        for at in 0..self.lanes.len() {
            let host = self.plan.pairings[at / 2].hosts[1 - at % 2];
            let end = self.lanes[at].messages.len();
            self.compare(at, end, memory_of(host)).map_err(|breach| (host, breach))?;
        }
        for (host, address, bytes) in &self.plan.results {
            let own = memory_of(*host).read(*address, bytes.len()).unwrap_or_default();
            if own != bytes {
                let same = own.iter().zip(bytes).take_while(|(a, b)| a == b).count() as u64;
                return Err((*host, Breach::Result { address: address + same }));
            }
        }
        Ok(())
    }

    /// Clocks in which each message was due, began and ended.
    pub(crate) fn times(&self) -> Vec<Times> {
        let times = |(state, message): (&State, u32)| Times {
            due: state.due,
            posted: state.posted,
            ended: state.sent.max(state.received).filter(|_| self.has_ended(message)),
        };
        self.states.iter().zip(0..).map(times).collect()
    }
}

/// Index of the lane of a side of a pairing.
fn lane_of((pairing, side): (u32, usize)) -> usize {
    2 * pairing as usize + side
}

#[cfg(test)]
mod tests;
