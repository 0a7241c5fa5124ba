//! Checks of requests posted, fetched and completed, and of connections opened and closed.

use super::books::{Books, Opening, Posted, Refusal};
use super::judge::{Kind, Ours};
use super::op::EPOCH;
use super::software::{Command, Told};
use super::world::{Checked, TICK_SHIFT, Violation, behind, broken};
use std::collections::BTreeMap;
use weft_nic::words::{Place, Sent, Status, Work};

/// Packets of the longest message.
const MOST_PACKETS: u64 = 65_535;
/// Maximum number of unfinished requests of a connection at a time.
const MOST_MESSAGES: usize = 16;
/// Tolerance in clocks: a connection may give up this long before or after the calculated end of its last
/// timeout.
const GIVING_UP_EARLY: u64 = 64;
const GIVING_UP: u64 = 5_000;
/// Further tolerance in clocks for each time that all lost packets leave again, in addition to the time of
/// the packets themselves.
const ROUND: u64 = 2_000;
/// Number of rounds until a timeout is over. A probe or a late epoch begins each of the first seven rounds,
/// and the timeout begins the last one (page of the SACK sender, rule 13).
const ROUNDS: u64 = 8;
/// The longest round trip that a time stamp can express, in ticks.
const LONGEST_RTT: u32 = 0x7FFF;
/// Clocks after which a frame that was on its way has left, even if streams are held.
pub(super) const DRAINED: u64 = 12_000;
/// Packets that the NIC may still read for a connection after it has failed, because they were chosen before
/// (rule 14 of the NIC).
const CHOSEN: u32 = 72;
/// Clocks after which the sender has handled a NACK, unless the sender stalls.
const HEARD: u64 = 1_000;
/// Ticks by which the end of a freeze may seem to be early or late.
pub(super) const THAWING: u64 = 1_000;
/// Clocks after which the NIC regards an accepted completion as known to the host.
const SETTLED: u64 = 64;

impl Books {
    /// Notes progress of the driver.
    pub(super) fn told(&mut self, told: &Told) -> Checked {
        match told {
            Told::Asked(Command::Open(identity)) => {
                self.closes(identity.index)?;
                self.owners[identity.index as usize].push(self.openings.len());
                self.openings.push(Opening::new(*identity, self.clock));
            }
            Told::Asked(Command::Close(index)) => self.closes(*index)?,
            Told::Done(Command::Open(identity)) => {
                let newest = self.owners[identity.index as usize].pop();
                self.all_closed(identity.index)?;
                self.owners[identity.index as usize].extend(newest);
                let ready = newest.map(|opening| &mut self.openings[opening].ready);
                *ready.unwrap_or(&mut None) = Some(self.clock);
            }
            Told::Done(Command::Close(index)) => self.all_closed(*index)?,
            Told::Asked(Command::Drain(index)) => {
                let newest = self.of(*index).next();
                newest.map(|at| self.openings[at].drain_asked.get_or_insert(self.clock));
            }
            Told::Done(Command::Drain(index)) => {
                let newest = self.of(*index).next();
                newest.map(|at| self.openings[at].drained.get_or_insert(self.clock));
            }
            Told::Asked(Command::Peer(identity)) => {
                let newest = self.of(identity.index).next();
                if let Some(at) = newest {
                    let mac = &mut self.openings[at].identity.peer.mac;
                    let before = std::mem::replace(mac, identity.peer.mac);
                    self.openings[at].hops_before.push((before, u64::MAX));
                }
            }
            Told::Done(Command::Peer(identity)) => {
                let newest = self.of(identity.index).next();
                if let Some(at) = newest {
                    let until = self.clock + DRAINED;
                    let hops = self.openings[at].hops_before.iter_mut();
                    hops.for_each(|(_, end)| *end = until.min(*end));
                }
            }
            Told::Now(now) => {
                let clocks = u64::from(*now) << TICK_SHIFT;
                self.ticks = Some(clocks.wrapping_add(1 << 40).wrapping_sub(self.clock));
            }
            _ => {}
        }
        Ok(())
    }

    /// A command begins that closes an index or opens it again.
    fn closes(&mut self, index: u32) -> Checked {
        for opening in self.owners[index as usize].clone() {
            self.thaws_agree(opening)?;
            self.openings[opening].close_asked.get_or_insert(self.clock);
            self.counts.closes += 1;
        }
        Ok(())
    }

    /// Closes the accounts of earlier openings: COMMAND is no longer busy, so the NIC has none of their
    /// state.
    fn all_closed(&mut self, index: u32) -> Checked {
        for at in std::mem::take(&mut self.owners[index as usize]) {
            let opening = &mut self.openings[at];
            opening.closed = Some(self.clock);
            // Work posted during the close may still be unfinished.
            let asked = opening.close_asked.unwrap_or(0);
            let due = |message: &Posted| message.posted_at < asked && message.ended.is_none();
            let left = opening.messages.iter().find(|message| due(&self.posted[**message]));
            if let Some(message) = left {
                let id = self.posted[*message].work.id;
                let seen = format!("{} is closed, but work {id} has not ended", opening.name());
                match &mut self.late {
                    Some(late) => late.push(Violation { rule: 'c', seen }),
                    None => return broken('c', seen),
                }
            }
        }
        Ok(())
    }

    /// Notes a work request that the NIC accepted.
    pub(super) fn posted(&mut self, index: u32, work: Work) {
        let packets = u64::from(work.length).div_ceil(u64::from(self.mtu)).max(1);
        let there = self.of(index).next();
        let recent = |message: &&Posted| message.index == index && message.ended_at + SETTLED > self.clock;
        let settling = self.posted.iter().rev().take(4 * MOST_MESSAGES).filter(recent);
        let settling = settling.filter(|message| message.ended.is_some()).count();
        let refusal = match there.map(|opening| self.openings[opening].is_open()) {
            _ if packets > MOST_PACKETS => Refusal::Must,
            None => Refusal::Must,
            Some(true) if there.is_some_and(|opening| self.openings[opening].failed) => Refusal::Must,
            Some(_) if there.is_some_and(|opening| self.openings[opening].drained.is_some()) => Refusal::Must,
            Some(_) if there.is_some_and(|opening| self.openings[opening].drain_asked.is_some()) => {
                Refusal::May
            }
            Some(false) => Refusal::May,
            Some(true) if self.unfinished[index as usize].len() + settling >= MOST_MESSAGES => Refusal::May,
            Some(true) => Refusal::Never,
        };
        let at = self.posted.len();
        if let Some(opening) = there.map(|at| &mut self.openings[at]) {
            opening.messages.push(at);
            if self.unfinished[index as usize].is_empty() {
                (opening.heard, opening.spoken) = (self.clock, self.clock);
            }
        }
        self.by_address.insert(work.local, at);
        self.unfinished[index as usize].push_back(at);
        self.posted.push(Posted {
            index,
            work,
            opening: there,
            packets,
            posted_at: self.clock,
            refusal,
            ended: None,
            ended_at: 0,
            place: None,
            fetched: BTreeMap::new(),
        });
    }

    /// Checks a DMA read request.
    pub(super) fn fetched(&mut self, index: u32, Place { address, bytes }: Place) -> Checked {
        let what = format!("connection {index} fetches {bytes} bytes from {address:#x}");
        let found = self.by_address.range(..=address).next_back().map(|(_, at)| *at);
        let of = |at: &usize| address - self.posted[*at].work.local < u64::from(self.posted[*at].work.length);
        let Some(at) = found.filter(of) else { return broken('a', format!("{what}, which is nobody's")) };
        let mtu = u64::from(self.mtu);
        let message = &mut self.posted[at];
        let offset = address - message.work.local;
        let due = mtu.min(u64::from(message.work.length) - offset);
        if message.index != index || !offset.is_multiple_of(mtu) || u64::from(bytes) != due {
            return broken('a', format!("{what}, no packet of its work {}", message.work.id));
        }
        if let Some(status) = message.ended {
            return broken('a', format!("{what} of work {}, which has ended as {status:?}", message.work.id));
        }
        if !message.opening.is_some_and(|opening| self.openings[opening].is_there()) {
            return broken('a', format!("{what} of work {} of a closed connection", message.work.id));
        }
        *message.fetched.entry(offset / mtu).or_default() += 1;
        let clock = self.clock;
        if let Some(opening) = message.opening.map(|at| &mut self.openings[at]) {
            opening.late += u32::from(opening.has_failed(clock));
            if opening.late > CHOSEN {
                return broken('a', format!("{what} of work {}, long after it has failed", message.work.id));
            }
        }
        self.fetching.push_back((at, offset / mtu));
        Ok(())
    }

    /// Whether the bytes at an address have changed: the message at that address has ended.
    pub(super) fn is_reused(&self, address: u64) -> bool {
        let found = self.by_address.range(..=address).next_back();
        found.is_some_and(|(_, at)| self.posted[*at].ended.is_some())
    }

    /// Notes a packet of read data that was passed on.
    pub(super) fn read(&mut self, bad: bool) {
        let Some((message, packet)) = self.fetching.pop_front() else { return };
        if !bad {
            self.read.push_back((message, packet, self.clock));
        } else if self.posted[message].opening.is_some_and(|opening| self.openings[opening].is_open()) {
            self.counts.count("egress_read_errors");
        } else {
            self.counts.perhaps("egress_read_errors");
        }
    }

    /// Checks the completion of a work request.
    pub(super) fn sent(&mut self, index: u32, Sent { id, status }: Sent) -> Checked {
        let what = format!("connection {index} ends work {id} as {status:?}");
        let queue = &self.unfinished[index as usize];
        let Some(place) = queue.iter().position(|at| self.posted[*at].work.id == id) else {
            return broken('c', format!("{what}, which is not under way"));
        };
        let at = queue[place];
        let message = &self.posted[at];
        let opening = message.opening.map(|opening| &self.openings[opening]);
        let closing = opening.is_some_and(|opening| opening.close_asked.is_some());
        let failed = opening.is_some_and(|opening| opening.failed);
        let ends = failed || opening.is_some_and(Opening::may_deny);
        let used = message.place.is_some() || !message.fetched.is_empty();
        let plausible = match (status, message.refusal) {
            (Status::Refused, Refusal::Never) => (closing || ends) && !used,
            (Status::Refused, _) => !used,
            (_, Refusal::Must) => false,
            (Status::Done, _) => !failed && message.opening.is_some_and(|owner| self.is_acked(at, owner)),
            (Status::Error, _) => closing,
            (Status::Unanswered, _) => failed || opening.is_some_and(|opening| self.gives_up(opening)),
            (Status::Breach, _) => opening.is_some_and(|opening| opening.suspect),
            (Status::Broken, _) => opening.is_some_and(|opening| opening.perhaps_broken),
            (Status::Denied, _) => opening.is_some_and(|opening| opening.perhaps_denied),
        };
        if !plausible {
            return broken('c', format!("{what}, {:?}, used {used}, closing {closing}", message.refusal));
        }
        let overtaken = queue.iter().take(place).find(|at| self.posted[**at].refusal == Refusal::Never);
        if let Some(first) = overtaken.filter(|_| status != Status::Refused) {
            return broken('c', format!("{what} before work {}", self.posted[*first].work.id));
        }
        self.unfinished[index as usize].remove(place);
        let message = &mut self.posted[at];
        (message.ended, message.ended_at) = (Some(status), self.clock);
        if let Some(opening) = message.opening.filter(|_| status == Status::Denied) {
            self.openings[opening].is_denied(self.clock);
        }
        if let Some(opening) = message.opening.filter(|_| status == Status::Unanswered) {
            let failed = &mut self.openings[opening].failed;
            self.counts.failed += u64::from(!*failed);
            *failed = true;
            self.openings[opening].ends(self.clock);
        }
        Ok(())
    }

    /// Notes a valid NACK of a connection's peer that reached the NIC.
    fn nacked(&mut self, at: usize, said: &Ours) {
        let number = behind(self.openings[at].identity.send_psn, said.cumulative);
        if !said.denies {
            return;
        }
        // The sender accepts NACKs while the host accepts no completions, as long as no completion waits.
        let waits = |posted: &usize| {
            let message = &self.posted[*posted];
            let ends = |owner: usize| self.openings[owner].may_deny() || self.is_acked(*posted, owner);
            message.refusal != Refusal::Never || message.opening.is_none_or(ends)
        };
        let none_waits = || !self.unfinished.iter().flatten().any(waits);
        let goes_on = self.flows < self.clock || self.orders_flow < self.clock && none_waits();
        let opening = &self.openings[at];
        let certain = goes_on
            && opening.is_open()
            && opening.on_wire.contains(&number)
            && !opening.acked.contains(number)
            && !opening.may_deny()
            && !self.gives_up(opening);
        let clock = self.clock;
        let opening = &mut self.openings[at];
        opening.perhaps_denied = true;
        if certain {
            opening.is_denied(clock + HEARD);
            self.counts.denied += 1;
        }
    }

    /// Whether the packet at this place was read before.
    pub(super) fn is_read_again(&self, index: u32, place: Place) -> bool {
        let found = self.by_address.range(..=place.address).next_back().map(|(_, at)| &self.posted[*at]);
        found.is_some_and(|message| {
            let packet = (place.address - message.work.local) / u64::from(self.mtu);
            message.index == index && message.fetched.get(&packet).is_some_and(|times| *times > 1)
        })
    }

    /// Whether the connection may give up now: no acknowledgement arrived for long enough, and not for much
    /// longer while the streams flowed.
    pub(super) fn gives_up(&self, opening: &Opening) -> bool {
        let silence = opening.silence.max(self.clock - opening.heard);
        let waits = self.clock.saturating_sub(opening.spoken.max(opening.left).max(self.flows));
        silence + GIVING_UP_EARLY >= self.endurance && waits <= self.giving_up(opening)
    }

    /// Clocks without an acknowledgement, while the streams flow, after which an opening has certainly given
    /// up. Before each timeout the connection sends probes: after three epochs, after six more, and five in
    /// six epochs each. An epoch is at most three quarters of the longest round trip (page of the SACK
    /// sender, rules 13 and 21); the replay of an old frame can make this longer than any real one. In each
    /// round all unacknowledged packets leave again, with packets of other connections between them.
    pub(super) fn giving_up(&self, opening: &Opening) -> u64 {
        let epoch = u64::from(EPOCH.max(opening.longest_rtt * 3 / 4)) << TICK_SHIFT;
        let waiting = |at: &usize| self.openings[*at].on_wire.range(self.openings[*at].acked.below..).count();
        let waiting = self.owners.iter().flatten().map(waiting).sum::<usize>() as u64;
        // With stalls at every port, a packet needs up to twice its words and some 40 clocks.
        let round = ROUND + waiting * (40 + 2 * u64::from(self.mtu / 64));
        let probes = self.timeouts * ((9 + 5 * 6) * epoch + ROUNDS * round);
        self.endurance.saturating_add(probes).saturating_add(GIVING_UP)
    }

    /// The least and the greatest first PSN number and message number of a message. They differ because some
    /// of the earlier messages may have been refused.
    pub(super) fn places(&self, owner: usize, at: usize) -> ((u32, u16), (u32, u16)) {
        let opening = &self.openings[owner];
        let (mut least, mut most) = ((0u32, 0u16), (0u32, 0u16));
        for before in opening.messages.iter().take_while(|before| **before != at) {
            let message = &self.posted[*before];
            let refused = message.ended == Some(Status::Refused);
            let packets = message.packets as u32;
            let certain = message.refusal == Refusal::Never || message.place.is_some();
            if !refused && message.refusal != Refusal::Must {
                most = (most.0 + packets, most.1.wrapping_add(1));
                if certain {
                    least = (least.0 + packets, least.1.wrapping_add(1));
                }
            }
        }
        (least, most)
    }

    /// Whether all packets of a message are acknowledged towards the NIC. A lying peer may acknowledge
    /// packets that have not left.
    fn is_acked(&self, at: usize, owner: usize) -> bool {
        let (message, opening) = (&self.posted[at], &self.openings[owner]);
        let all = |first: u32| {
            (first..first + message.packets as u32).all(|number| opening.counted.contains(number))
        };
        let (least, most) = self.places(owner, at);
        message.place.map_or_else(|| (least.0..=most.0).any(all), |(first, _)| all(first))
    }

    /// Notes a valid ACK or NACK of a connection's peer that reached the NIC.
    pub(super) fn acknowledged(&mut self, at: usize, said: &Ours) {
        if said.kind != Kind::Ack {
            return self.nacked(at, said);
        }
        let tick = self.tick(self.clock);
        let rtt = tick.map_or(LONGEST_RTT, |tick| u32::from(tick.wrapping_sub(said.stamp)).min(LONGEST_RTT));
        let opening = &mut self.openings[at];
        opening.spoken = self.clock;
        opening.longest_rtt = opening.longest_rtt.max(rtt);
        let most: u64 = opening.messages.iter().map(|message| self.posted[*message].packets).sum();
        let first = opening.identity.send_psn;
        let expected = behind(first, said.cumulative.wrapping_add(1));
        // The PSN is far before the first one, or does not exist.
        let ahead = if expected >= 1 << 23 { i64::from(expected) - (1 << 24) } else { i64::from(expected) };
        if ahead > most as i64 {
            return;
        }
        // An unmarked ACK ends a freeze that has lasted long enough.
        let (freeze, now) = (self.freeze, self.ticks.map(|ticks| (ticks + self.clock) >> TICK_SHIFT));
        let over = opening.frozen.zip(now).is_some_and(|(frozen, now)| {
            let most = (1u64 << 32) - THAWING;
            (freeze.saturating_add(THAWING)..most).contains(&(now - frozen))
        });
        let sent = opening.on_wire.last().map_or(0, |last| i64::from(*last) + 1);
        let may_thaw = opening.is_open() && !opening.may_deny() && opening.thaws.is_none();
        if over && !said.echoes && ahead <= sent && may_thaw {
            opening.thaws = Some(self.clock);
            self.counts.thaws += 1;
        }
        let below = opening.acked.below.max(ahead.max(0) as u32);
        let bits = (0..256).filter(|bit| said.bitmap[bit / 64] >> (bit % 64) & 1 == 1);
        let bits = bits.map(|bit| ahead + bit as i64).filter(|number| (0..most as i64).contains(number));
        let bits: Vec<u32> = bits.map(|number| number as u32).collect();
        let mut named = (opening.acked.below..below).chain(bits.iter().copied());
        if self.flows < self.clock
            && named.any(|number| opening.on_wire.contains(&number) && !opening.acked.contains(number))
        {
            opening.hears(self.clock);
        }
        if !opening.has_failed(self.clock) {
            opening.counted.below = below;
            opening.counted.others.extend(bits.iter().copied());
        }
        opening.acked.below = below;
        opening.acked.others.extend(bits);
    }
}
