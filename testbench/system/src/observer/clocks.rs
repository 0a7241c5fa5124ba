//! One clock of a run: due words are passed on, and transfers are entered into the books and passed to the
//! peers.

use super::far::Far;
use super::ports::{Seen, Stream};
use super::run::Run;
use super::software::{Command, Told};
use super::world::{CONNECTIONS, Checked, HOST, OWN_MAC, REUSED, memory};
use crate::host::device::Device;
use weft_wire::{Body, packet};

/// Clocks after which a NIC counts as quiet.
const QUIET: u64 = 400;
/// Streams behind the sender. Words that wait in them can keep the sender from accepting ACKs.
const SENDERS: [Stream; 4] = [Stream::Read, Stream::Sent, Stream::Fetch, Stream::Net];
const ORDERS: [Stream; 3] = [Stream::Read, Stream::Fetch, Stream::Net];
const DRAINS: u64 = 4_000;

impl<D: Device> Run<D> {
    /// Runs one clock of the NIC, its peers, its network and its memory.
    pub(super) fn clock(&mut self) -> Checked {
        let clock = self.ports.clock;
        self.books.clock = clock;
        if clock.is_multiple_of(16) {
            self.peers_send(clock);
        }
        while self.ports.net.words() < 4
            && let Some((bytes, bad)) = self.wire.arrives(clock)
        {
            self.ports.net.push(bytes, bad);
        }
        let due = |(at, _): &(u64, u32)| *at <= clock;
        let released = self.releases.iter().filter(|it| due(it)).map(|(_, index)| (*index, 0));
        self.ports.buffers.extend(released);
        self.releases.retain(|it| !due(it));
        while self.ports.reads.words() < 4
            && self.reads.front().is_some_and(|(due, ..)| *due <= clock)
            && let Some((_, place, bad)) = self.reads.pop_front()
        {
            let owner = if self.books.is_reused(place.address) { REUSED } else { HOST };
            self.ports.reads.push(memory(owner, place.address, place.bytes.into()), bad);
        }
        let holds = &self.ports.holds;
        let flow = |of: &[Stream]| of.iter().map(|of| holds[*of as usize] + DRAINS).max().unwrap_or(0);
        self.books.flows = self.books.flows.max(flow(&SENDERS));
        self.books.orders_flow = self.books.orders_flow.max(flow(&ORDERS));
        self.books.events_flow = self.books.events_flow.max(flow(&[Stream::Event]));
        let still = |hold: &u64| hold + QUIET < clock;
        let still = self.stirred + QUIET < clock && holds.iter().all(still);
        let quiet = !self.gentle || (still && self.is_done());
        let Self { ports, books, .. } = self;
        let queued: Vec<u32> = ports.work.iter().map(|(index, _)| *index).collect();
        let free = |index: u32| {
            let pending = |at: &usize| books.posted[*at].opening.is_none();
            !queued.contains(&index) && !books.unfinished[index as usize].iter().any(pending)
        };
        let may_begin = |command: &Command| match command {
            Command::Open(identity) => quiet && free(identity.index),
            Command::Close(_) => quiet,
            _ => true,
        };
        let mut seen = std::mem::take(&mut self.seen);
        ports.clock(may_begin, &mut seen)?;
        for seen in seen.drain(..) {
            if !matches!(seen, Seen::Told(_)) {
                self.stirred = clock;
            }
            self.see(seen)?;
        }
        self.seen = seen;
        Ok(())
    }

    fn peers_send(&mut self, clock: u64) {
        let turn = (clock / 16) as usize;
        let Self { fars, wire, rng, .. } = self;
        for at in 0..fars.len() {
            let far = &mut fars[(at + turn) % CONNECTIONS as usize];
            if let Some(frame) = far.as_mut().and_then(|far| far.send(clock, rng)) {
                wire.send(clock, frame);
                return;
            }
        }
    }

    fn see(&mut self, seen: Seen) -> Checked {
        let books = &mut self.books;
        match seen {
            Seen::Arrived { bytes, bad } => books.arrived(bytes, bad),
            Seen::Left { bytes, bad } => {
                books.left(&bytes, bad)?;
                self.answer(&bytes);
            }
            Seen::Passed { bytes, bad } => books.passed(&bytes, bad)?,
            Seen::Given { bytes, bad } => books.giving.push_back((bytes, bad)),
            Seen::Posted { index, work } => books.posted(index, work),
            Seen::Fetched { index, place } => {
                books.fetched(index, place)?;
                let bad = self.failing > 0 && self.rng.chance(1, 2);
                self.failing -= u32::from(bad);
                let mut late = 20 + u64::from(self.rng.below(60));
                if books.is_read_again(index, place)
                    && let Some(far) = &mut self.fars[index as usize]
                    && let Some(everything) = far.comes_clean()
                {
                    self.wire.put(self.ports.clock + u64::from(self.rng.below(60)), everything, false);
                    late += u64::from(self.rng.below(2_500));
                }
                let due = self.ports.clock + late;
                let due = due.max(self.reads.back().map_or(0, |(due, ..)| *due));
                self.reads.push_back((due, place, bad));
            }
            Seen::Read { bad } => books.read(bad),
            Seen::Written(packet) => books.written(packet)?,
            Seen::Received { index, word } => books.received(index, word)?,
            Seen::Sent { index, word } => books.sent(index, word)?,
            Seen::Buffer { index, word } => books.buffer(index, word),
            Seen::Event { index, word } => books.event(index, word)?,
            Seen::Told(told) => {
                books.told(&told)?;
                match told {
                    Told::Asked(Command::Close(index)) => self.fars[index as usize] = None,
                    Told::Asked(Command::Open(identity)) => self.fars[identity.index as usize] = None,
                    Told::Done(Command::Open(identity)) => {
                        let opening = self.books.open(identity.index);
                        self.fars[identity.index as usize] = opening.map(|at| Far::new(at, identity));
                    }
                    Told::Counters(counters) => self.counters = Some(counters),
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Gives a frame of the NIC's own to its peer.
    fn answer(&mut self, bytes: &[u8]) {
        let Ok(packet) = packet::parse(bytes) else { return };
        let (address, qp) = (packet.envelope.ip.dst(), packet.dest_qp());
        let is = |far: &&mut Far| (far.identity.peer.address, far.identity.peer_qp) == (address, qp);
        if bytes.get(6..12) != Some(&OWN_MAC) {
            return;
        }
        let Some(far) = self.fars.iter_mut().flatten().find(is) else { return };
        match &packet.body {
            Body::Data(data) if !far.deaf => {
                let nacks = if self.wire.calm { 0 } else { self.climate.nacks };
                far.pretends &= !self.wire.calm;
                let ev = packet.envelope.source_port;
                far.hears(packet.psn(), &self.books.openings[far.opening].acked);
                let answer = far.answer(packet.psn(), ev, data, &mut self.rng, nacks);
                self.wire.send(self.ports.clock, answer);
            }
            Body::Ack(ack) => far.acknowledged(ack.seth.cack_psn(), ack.bitmap()),
            Body::Nack(nack) if nack.neth.reason() == 0x19 => far.is_denied(nack.neth.nack_psn()),
            _ => {}
        }
    }
}
