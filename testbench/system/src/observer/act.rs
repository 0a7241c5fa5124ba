//! The operations of a run, carried out.

use super::craft;
use super::op::{Kind, Operation, RETRIES};
use super::ports::Stream;
use super::run::{PATIENCE, Run};
use super::sending::DRAINED;
use super::software::Command;
use super::wire::flip;
use super::world::{CONNECTIONS, Checked, Identity, PEERS, PSN_MASK, Peer, peer};
use crate::host::device::Device;
use weft_nic::words::Work;
use weft_random::Rng;
use weft_wire::{Dscp, frame};

/// Requests posted at most in one operation that expects no refusal.
const FEW: usize = 14;
/// Streams that [`Kind::Trap`] holds: a close waits for the words of each of them.
const TRAPS: [Stream; 6] =
    [Stream::Read, Stream::Write, Stream::Sent, Stream::Received, Stream::Fetch, Stream::Net];

impl<D: Device> Run<D> {
    /// Carries out an operation. Operations that need a connection or peer that does not exist are skipped in
    /// part.
    pub(super) fn perform(&mut self, operation: &Operation) -> Checked {
        let rng = &mut Rng::new(operation.dice);
        let index = rng.below(CONNECTIONS / 2);
        let open: Vec<u32> = (0..CONNECTIONS).filter(|index| self.is_open(*index)).collect();
        let pick = (!open.is_empty()).then(|| open[rng.index(open.len())]);
        match (operation.kind, pick) {
            (Kind::Post, Some(index)) => {
                let requests = 1 + rng.below(3);
                self.post_some(index, requests, rng);
            }
            (Kind::Burst, Some(index)) => (0..24).for_each(|_| self.post(index, rng.below(400), rng)),
            (Kind::Refused, Some(index)) if rng.chance(1, 2) => {
                let length = 65_535 * self.climate.mtu + 1 + rng.below(1 << 20);
                self.post(index, length, rng);
            }
            (Kind::Refused, _) if self.is_closed(index) => self.post(index, rng.below(400), rng),
            (Kind::Open, _) if self.is_closed(index) => self.open(index, rng),
            (Kind::Close, Some(index)) => self.ports.software.ask(Command::Close(index)),
            (Kind::Recycle, Some(index)) => {
                self.ports.software.ask(Command::Close(index));
                self.open(index, rng);
            }
            (Kind::Reopen, Some(index)) => self.open(index, rng),
            (Kind::Trap, Some(index)) => {
                let stream = *rng.pick(&TRAPS);
                self.hold(stream, 500 + rng.below(3_000));
                self.post_some(index, 3, rng);
                if stream == Stream::Net && rng.chance(1, 2) {
                    self.probes(index, 60 + rng.below(60), rng);
                    self.pause(250)?;
                } else {
                    (0..1 + rng.below(4)).for_each(|_| self.message(index, rng));
                    self.pause(rng.below(600).into())?;
                }
                let how = rng.below(3);
                if how < 2 {
                    self.ports.software.ask(Command::Close(index));
                }
                if how > 0 {
                    self.open(index, rng);
                }
            }
            (Kind::Silence, Some(index)) if self.climate.retries < RETRIES => {
                self.fars[index as usize].iter_mut().for_each(|far| far.deaf = true);
            }
            (Kind::Buffer, Some(index)) => {
                self.ports.buffers.push_back((index, if rng.chance(1, 8) { 2 } else { 1 }));
                self.releases.push((self.ports.clock + u64::from(rng.below(3_000)), index));
                (0..rng.below(3)).for_each(|_| self.message(index, rng));
            }
            (Kind::Peer, Some(index)) => {
                let at = self.books.of(index).next();
                if let Some(mut identity) = at.map(|at| self.books.openings[at].identity) {
                    identity.peer.mac[2] = rng.draw() as u8;
                    self.ports.software.ask(Command::Peer(identity));
                }
            }
            (Kind::PathOk, Some(index)) => self.ports.software.ask(Command::PathOk(index)),
            (Kind::Drain, _) if self.is_closed(index) && rng.chance(1, 4) => {
                self.ports.software.ask(Command::Drain(index));
                if rng.chance(1, 2) {
                    self.open(index, rng);
                }
            }
            (Kind::Drain, Some(index)) => {
                let requests = rng.below(4);
                self.post_some(index, requests, rng);
                self.pause(rng.below(60).into())?;
                self.ports.software.ask(Command::Drain(index));
                self.post_some(index, requests / 2, rng);
                // In the other half of the cases later operations meet the drained connection.
                if rng.chance(1, 2) {
                    self.pause(rng.below(1_000).into())?;
                    self.ports.software.ask(Command::Close(index));
                    self.open(index, rng);
                }
            }
            (Kind::Pretend, Some(index)) => {
                self.fars[index as usize].iter_mut().for_each(|far| far.pretends = true);
                self.post_some(index, 3, rng);
            }
            (Kind::Deny, Some(index)) => {
                // The host holds a stream. The failure of the connection must not wait for that stream.
                let stream =
                    *rng.pick(&[Stream::Sent, Stream::Sent, Stream::Fetch, Stream::Net, Stream::Write]);
                if rng.chance(3, 4) {
                    self.hold(stream, 3_000 + rng.below(13_000));
                }
                self.post_some(index, 3, rng);
                (0..rng.below(3)).for_each(|_| self.message(index, rng));
                self.pause(rng.below(200).into())?;
                self.fars[index as usize].iter_mut().for_each(|far| far.denies = true);
                self.post_some(index, 1, rng);
                self.pause(rng.below(2_000).into())?;
                (0..rng.below(3)).for_each(|_| self.message(index, rng));
            }
            (Kind::Restart, Some(index)) => {
                if rng.chance(1, 2) {
                    self.post_some(index, 3, rng);
                    (0..rng.below(3)).for_each(|_| self.message(index, rng));
                    self.pause(rng.below(600).into())?;
                }
                self.restart(index, rng);
                let both = rng.below(3);
                if both != 1 {
                    self.post_some(index, 2, rng);
                }
                if both != 2 {
                    self.pause(rng.below(100).into())?;
                    (0..1 + rng.below(2)).for_each(|_| self.message(index, rng));
                }
            }
            (Kind::Leftover, Some(index)) => {
                self.hold(Stream::Event, 1_000 + rng.below(4_000));
                match rng.below(3) {
                    0 => self.ports.buffers.push_back((index, 2)),
                    1 => self.ports.software.ask(Command::Drain(index)),
                    _ => self.fars[index as usize].iter_mut().for_each(|far| far.denies = true),
                }
                self.post_some(index, 2, rng);
                // Another connection has an event too, which may be ahead of this one's in the NIC.
                if let Some(other) = open.iter().find(|other| **other != index && rng.chance(1, 4)) {
                    self.ports.software.ask(Command::Drain(*other));
                }
                self.pause(rng.below(800).into())?;
                if rng.chance(2, 3) {
                    self.ports.software.ask(Command::Close(index));
                }
                self.open(index, rng);
            }
            (Kind::Sleep, Some(index)) if !self.climate.fixed_ev && self.is_calm(index) => {
                self.fars[index as usize].iter_mut().for_each(|far| far.deaf = true);
                self.post_some(index, 3, rng);
                self.pause(6_000 + u64::from(rng.below(4_000)))?;
                self.fars[index as usize].iter_mut().for_each(|far| far.deaf = false);
                self.until(PATIENCE, |run| run.is_done() && run.ports.software.is_idle())?;
                // A packet that was sent again, and acknowledged meanwhile, may still be on its way to the wire.
                self.pause(DRAINED)?;
                self.until(PATIENCE, Self::is_done)?;
                let ticks =
                    *rng.pick(&[1, 1 << 20, (1 << 31) - (1 << 18), 1 << 31, 3 << 30, u32::MAX - (1 << 20)]);
                self.pass(ticks + rng.below(1 << 18))?;
                self.pause(200)?;
                self.post_some(index, 3, rng);
            }
            (Kind::Hold, _) => {
                let most = *rng.pick(&[50, 300, 1_000, 3_000]);
                let stream = *rng.pick(&Stream::ALL);
                self.hold(stream, rng.below(most));
            }
            (Kind::Long, Some(index)) => {
                self.hold(Stream::Sent, 8_000 + rng.below(8_000));
                self.post_some(index, 3, rng);
                self.post(index, (100 + rng.below(250)) * self.climate.mtu, rng);
            }
            (Kind::Message, Some(index)) => self.message(index, rng),
            (Kind::Forge, Some(index)) => self.forge(index, rng),
            (Kind::Replay, _) => {
                for _ in 0..1 + rng.below(4) {
                    let frame = self.wire.again(rng);
                    frame.into_iter().for_each(|frame| self.wire.put(self.ports.clock, frame, false));
                }
            }
            (Kind::Others, pick) => {
                for _ in 0..1 + rng.below(6) {
                    let bytes = *rng.pick(&[60, 64, 65, 200, 1_500]);
                    let mut frame = craft::of_others(rng, bytes);
                    let far = pick.and_then(|index| self.fars[index as usize].as_ref());
                    if let Some(far) = far.filter(|_| rng.chance(1, 3)) {
                        frame = craft::almost(rng, &far.identity, &far.identity.peer);
                    }
                    self.wire.put(self.ports.clock, frame, rng.chance(1, 16));
                }
            }
            (Kind::Give, _) => {
                for _ in 0..1 + rng.below(6) {
                    let bytes = *rng.pick(&[60, 64, 65, 128, 700, 1_514]);
                    let bytes = if rng.chance(1, 60) { 16_384 + rng.below(70) as usize } else { bytes };
                    let frame = craft::of_others(rng, bytes);
                    self.ports.bypass.push(frame, rng.chance(1, 16));
                }
            }
            (Kind::ReadErrors, _) => self.failing += 1 + rng.below(3),
            _ => {}
        }
        Ok(())
    }

    /// Resets a peer: the PSNs that the peer expects and sends move by a random distance from those of the
    /// NIC.
    fn restart(&mut self, index: u32, rng: &mut Rng) {
        const AHEAD: [u32; 10] = [
            1,
            255,
            256,
            257,
            1 << 22,
            (1 << 23) - 1,
            1 << 23,
            (1 << 23) + 1,
            (1 << 24) - 300,
            (1 << 24) - 1,
        ];
        let ahead = *rng.pick(&AHEAD);
        let Some(far) = self.fars[index as usize].as_ref() else { return };
        let opening = &self.books.openings[far.opening];
        let Identity { send_psn, receive_psn, .. } = opening.identity;
        let sent = opening.on_wire.last().map_or(0, |last| last + 1);
        let expects = send_psn.wrapping_add(sent).wrapping_sub(ahead) & PSN_MASK;
        let sends = receive_psn.wrapping_add(opening.said.below).wrapping_add(ahead) & PSN_MASK;
        self.fars[index as usize] = Some(far.restarted(expects, sends));
    }

    /// The connection has not failed and its peer answers honestly.
    fn is_calm(&self, index: u32) -> bool {
        let far = self.fars[index as usize].as_ref();
        far.is_some_and(|far| !far.is_silent() && !far.denies && !self.books.openings[far.opening].may_deny())
    }

    /// Holds a stream for `clocks` clocks.
    fn hold(&mut self, stream: Stream, clocks: u32) {
        self.ports.holds[stream as usize] = self.ports.clock + 1 + u64::from(clocks);
    }

    /// Opens an index, which may be open.
    fn open(&mut self, index: u32, rng: &mut Rng) {
        let identity = self.identity(index, rng);
        self.ports.software.ask(Command::Open(identity));
    }

    /// Lets the peer of a connection send a message.
    fn message(&mut self, index: u32, rng: &mut Rng) {
        let packets = 1 + *rng.pick(&[0, 0, 1, 3, 7, 20]);
        if let Some(far) = &mut self.fars[index as usize] {
            far.message(rng, packets, self.climate.mtu);
        }
    }

    /// Lets the peer of a connection send `probes` probes at once.
    fn probes(&mut self, index: u32, probes: u32, rng: &mut Rng) {
        let Some(to) = self.fars[index as usize].as_ref().map(|far| far.identity) else { return };
        for _ in 0..probes {
            let marks = self.marks();
            self.wire.put(self.ports.clock, craft::probe(&to, rng.below(40), marks), false);
        }
    }

    /// Posts `requests` work requests, as long as the NIC has space for them.
    fn post_some(&mut self, index: u32, requests: u32, rng: &mut Rng) {
        for _ in 0..requests {
            if self.books.unfinished[index as usize].len() + self.ports.work.len() < FEW {
                let length = self.length(rng);
                self.post(index, length, rng);
            }
        }
    }

    /// Whether no command for the index waits in the driver.
    fn is_settled(&self, index: u32) -> bool {
        !self.ports.software.waiting().any(|command| match command {
            Command::Open(identity) | Command::Peer(identity) => identity.index == index,
            Command::Close(other) | Command::PathOk(other) | Command::Drain(other) => *other == index,
            Command::Counters => false,
        })
    }

    fn is_open(&self, index: u32) -> bool {
        self.books.open(index).is_some() && self.is_settled(index)
    }

    fn is_closed(&self, index: u32) -> bool {
        self.books.is_free(index) && self.is_settled(index)
    }

    fn length(&self, rng: &mut Rng) -> u32 {
        let mtu = self.climate.mtu;
        let (some, more) = (rng.below(2 * mtu), rng.below(12 * mtu));
        *rng.pick(&[0, 1, 63, 64, 65, mtu - 1, mtu, mtu + 1, some, some, more])
    }

    /// Posts a work request of `length` bytes.
    pub(super) fn post(&mut self, index: u32, length: u32, rng: &mut Rng) {
        let Some(key) = self.books.of(index).next().map(|at| self.books.openings[at].identity.remote_key)
        else {
            return self.post_with(index, length, 0xDEAD, rng);
        };
        self.post_with(index, length, key, rng);
    }

    fn post_with(&mut self, index: u32, length: u32, key: u32, rng: &mut Rng) {
        self.id += 1;
        let work = Work {
            local: self.local + u64::from(rng.below(70)),
            remote: self.remote + u64::from(rng.below(70)),
            key,
            length,
            immediate: rng.draw() as u32,
            id: self.id,
            with_immediate: rng.chance(1, 2),
        };
        self.local += u64::from(length) + 200;
        self.remote += u64::from(length) + 200;
        self.ports.work.push_back((index, work));
    }

    /// Identity with which an index is opened: the last one, or one with some new fields.
    fn identity(&mut self, index: u32, rng: &mut Rng) -> Identity {
        let psn = |rng: &mut Rng| *rng.pick(&[0, 0xFF_FFF0, 0x12_3456, 0x7F_FF80]);
        // Limited members are paired with full members.
        let keys = [(0xFFFF, 0xFFFF), (0xFFFF, 0x7FFF), (0x8001, 0x8001), (0x1234, 0x9234)];
        let (pkey, peer_pkey) = *rng.pick(&keys);
        let fresh = Identity {
            index,
            peer: peer(rng.index(PEERS)),
            // Each connection has a queue pair of its own at the peer.
            peer_qp: 0x900 + 16 * index + rng.below(2),
            pkey,
            peer_pkey,
            send_psn: psn(rng),
            receive_psn: psn(rng),
            base: *rng.pick(&[0x7_0000_1003, 0x7_0000_0000, 0xFFFF_FFFF_FFFF_F000]) + u64::from(rng.below(3)),
            length: *rng.pick(&[0x800, 0x2000, 0x1_0000]) + rng.below(66),
            key: rng.draw() as u32,
            remote_key: rng.draw() as u32,
            ev: 0xC000 + rng.below(4096) as u16,
        };
        let last = self.books.openings.iter().rev().find(|opening| opening.identity.index == index);
        let Some(before) = last.map(|opening| opening.identity) else { return fresh };
        match rng.below(6) {
            0 => fresh,
            1 => before,
            2 | 3 => Identity { peer: fresh.peer, ..before },
            4 => Identity { send_psn: fresh.send_psn, receive_psn: fresh.receive_psn, ..before },
            _ => Identity { peer: fresh.peer, base: fresh.base, key: fresh.key, ..before },
        }
    }

    /// Sends the NIC a malformed or forged frame of a connection.
    fn forge(&mut self, index: u32, rng: &mut Rng) {
        let Some(far) = self.fars[index as usize].as_ref() else { return };
        let (to, mut packet) = (far.identity, far.sample(rng));
        let marks = self.marks();
        let real = |packet: &craft::Packet| craft::data(&to, &to.peer, packet, marks);
        let mut bad = false;
        // A wrong key or address ends the connection if the PSN is in the window.
        let wrong = match rng.below(20) {
            2..=4 if rng.chance(2, 3) => 5,
            wrong => wrong,
        };
        let frame = match wrong {
            0 | 1 => craft::data(&to, &peer(rng.index(PEERS)), &packet, marks),
            2 => {
                packet.key ^= 1 << rng.below(32);
                real(&packet)
            }
            3 | 4 => {
                let (length, bytes) = (u64::from(to.length), u64::from(packet.bytes));
                // The last byte is beyond the region, the first byte is before the region, or all bytes are
                // behind the region.
                let at = *rng.pick(&[
                    length - bytes + 1,
                    length,
                    1u64.wrapping_neg(),
                    length - 1 + u64::from(bytes == 1),
                ]);
                packet.address = to.base.wrapping_add(at);
                real(&packet)
            }
            5 => {
                packet.number += 300 + rng.below(10_000);
                real(&packet)
            }
            6 => {
                packet.number = (1 << 24) - 1 - rng.below(300);
                real(&packet)
            }
            7 => craft::ack(
                &to,
                50_000 + rng.below(1_000),
                [rng.draw(); 4],
                50_000,
                marks,
                &[(marks.ev, true); 9],
            ),
            8 => craft::ack(&to, 0, [0; 4], (1 << 24) - 1 - rng.below(20), marks, &[(marks.ev, false); 16]),
            9 => craft::nack(&to, rng.below(40), marks),
            10 => craft::probe(&to, rng.below(40), marks),
            11 => {
                let mut frame = real(&packet);
                flip(&mut frame, rng);
                frame
            }
            12 => {
                bad = true;
                real(&packet)
            }
            13 => frame::trim(&real(&packet), &Dscp::DEFAULT, rng.chance(1, 2)).unwrap_or_default(),
            14 => {
                let mut frame = real(&packet);
                let end = frame.len() as u32;
                frame.truncate((60 + rng.below(end - 60)) as usize);
                frame
            }
            15 => {
                let mut frame = real(&packet);
                frame[24 + rng.index(2)] ^= 1 << rng.below(8);
                frame
            }
            16 => {
                // Lengths in the headers contradict each other.
                let mut frame = real(&packet);
                let at = if frame[12..14] == [0x81, 0] { 18 } else { 14 };
                frame[at + 3] ^= 4;
                craft::checksum(&mut frame);
                frame
            }
            17 => {
                // The frame is of another VLAN or of none, tagged or untagged. Another priority is allowed.
                let other = to.peer.tag.unwrap_or_default() ^ 1 << rng.below(16);
                let tag = *rng.pick(&[None, Some(0xE000), Some(other)]);
                craft::data(&to, &Peer { tag, ..to.peer }, &packet, marks)
            }
            18 => {
                // The frame has another partition, or the other membership of the same partition.
                let peer_pkey = to.peer_pkey ^ 1 << *rng.pick(&[0, 7, 14, 15, 15]);
                craft::data(&Identity { peer_pkey, ..to }, &to.peer, &packet, marks)
            }
            _ => {
                // The frame goes to a closed connection, or to another one.
                let other = Identity { index: rng.below(CONNECTIONS), ..to };
                craft::data(&other, &to.peer, &packet, marks)
            }
        };
        self.wire.put(self.ports.clock, frame, bad);
    }
}
