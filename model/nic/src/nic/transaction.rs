//! The transaction view of the NIC: the effect of an event, independent of clocks, for event-driven
//! simulators (page `docs/blocks/nic.md`).
//!
//! There is no work per clock or per connection: the cost depends on events, and the memory on the
//! connections in use. Times are ticks of 64 bits that never decrease. The blocks see as many low bits as
//! their ports have.
//!
//! 1. Give the NIC its inputs with [`Nic::receive`], [`Nic::work`], [`Nic::bypass`], [`Nic::open`] and
//!    [`Nic::close`].
//! 2. Write the payload that [`Nic::receive`] returns, then read [`Nic::received`] and [`Nic::sent`].
//! 3. While the wire is free, ask [`Nic::poll`] for the next frame, read its payload, and let [`Nic::frame`] make the
//!    frame.
//! 4. If there is no frame, continue with the next event, or at [`Nic::next_deadline`].

use super::counters::stats;
use super::holds::CAUSES;
use crate::block::egress::{self, Egress};
use crate::block::ingress::{self, Cause, Ingress, Packet, Refusal};
use crate::block::receiver::{self, Receiver};
use crate::block::registers::{Change, News, Standing, Standings};
use crate::block::sender::{Control, ControlKind, Ordered, Sender};
use crate::part::ahead::Ask;
use crate::words::{Acknowledgement, Arrival, Place, Received, Reply, Sent, Status, Work};
use std::collections::VecDeque;
use std::sync::Arc;
use weft_params::registers::{COUNTERS, DEFAULT_PKEY, NicCsr, Staged};
use weft_params::{NicParams, SackParams};

/// The result of a frame from the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incoming<'a> {
    /// The frame is not RoCE for this NIC: it goes to the bypass unchanged (rule 1).
    Foreign,
    /// The frame is for this NIC and cannot be used (rule 2).
    Dropped(Cause),
    /// The frame was for this connection. Any remaining payload must be written to this address (rule 3).
    Taken {
        /// The connection.
        connection: u32,
        /// The address and the bytes.
        write: Option<(u64, &'a [u8])>,
    },
}

/// The next frame to transmit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outgoing {
    /// An ACK or NACK of a connection.
    Reply(u32, Reply),
    /// A data packet.
    Data(Ordered),
    /// A frame of other software.
    Other(Vec<u8>),
}

/// A NIC. Connections must be below the number in `params`. Clones share their CSRs until one sets its own.
#[derive(Clone, Debug)]
pub struct Nic {
    csr: Arc<NicCsr>,
    ingress: Ingress,
    receiver: Receiver,
    sender: Sender,
    egress: Egress,
    /// The state of each connection.
    standings: Standings,
    replies: VecDeque<(u32, Reply)>,
    others: VecDeque<Vec<u8>>,
    /// Whether data has the next turn. Data and frames of other software take turns.
    data_turn: bool,
}

impl Nic {
    /// A NIC after reset. `params` and `csr` must have passed their checks.
    pub fn new(params: SackParams, csr: NicCsr) -> Self {
        Self::of_shape(params.into(), csr)
    }

    /// A NIC after reset, of a shape. Streams of bytes have no width here.
    pub fn of_shape(shape: NicParams, csr: NicCsr) -> Self {
        let params = shape.blocks();
        Self {
            csr: Arc::new(csr),
            ingress: Ingress::with_psns(params, shape.psns, csr.ingress),
            receiver: Receiver::with_psns(params, shape.psns, csr.receiver),
            sender: Sender::of_shape(shape.sender(), csr.sender),
            egress: Egress::with_psns(shape.psns, csr.egress),
            standings: Standings::default(),
            replies: VecDeque::new(),
            others: VecDeque::new(),
            data_turn: false,
        }
    }

    /// Makes [`Self::frozen`] report freezes from now on.
    pub fn tell_frozen(&mut self) {
        self.sender.tell_frozen();
    }

    /// The next freeze that began, as the work request of the packet whose loss caused it.
    #[inline]
    pub fn frozen(&mut self) -> Option<u32> {
        self.sender.frozen()
    }

    /// Sets the CSRs from the next event on. (The caller counts the ticks: `tick_shift` has no effect.)
    pub fn set_csr(&mut self, csr: NicCsr, now: u64) {
        self.csr = Arc::new(csr);
        self.ingress.set_csr(csr.ingress);
        self.receiver.set_csr(csr.receiver, now);
        self.sender.set_csr(csr.sender, now);
        self.egress.set_csr(csr.egress);
    }

    /// The CSRs.
    pub fn csr(&self) -> &NicCsr {
        &self.csr
    }

    /// The receiver in the NIC.
    pub fn receiver(&self) -> &Receiver {
        &self.receiver
    }

    /// The sender in the NIC.
    pub fn sender(&self) -> &Sender {
        &self.sender
    }

    /// The egress in the NIC.
    pub fn egress(&self) -> &Egress {
        &self.egress
    }

    /// The counters of all blocks, modulo 2^32.
    pub fn counters(&self) -> [u32; COUNTERS] {
        stats(
            self.ingress.stats(),
            self.egress.counters(),
            self.receiver.stats(),
            self.sender.counters(),
            &[0; CAUSES],
        )
    }

    /// Opens a connection with the values that software would stage in the registers for it. An open
    /// connection is closed first. Before this call, each frame that [`Self::poll`] returned for the earlier
    /// connection must have gone through [`Self::frame`]. The registers' COMMAND waits for the same (rule
    /// 12).
    pub fn open(&mut self, connection: u32, with: &Staged, now: u64) {
        if self.standings.get(connection).open {
            self.close(connection, now);
        }
        self.hear(connection, News::Control(true), now);
        let Staged { peer_v6: v6, peer_address: address, .. } = *with;
        let vlan = with.peer_tag.map_or(0, |tag| tag & ingress::VLAN);
        let pkey = with.peer_pkey.unwrap_or(DEFAULT_PKEY);
        self.ingress.set_peer(connection, ingress::Peer { open: true, v6, address, vlan, pkey });
        self.peer(connection, with);
        let control = receiver::Control {
            open: true,
            psn: with.receive_psn,
            base: with.region_base,
            length: with.region_length,
            key: with.region_key,
        };
        self.receiver.control(connection, &control, now);
        let Staged { send_psn: psn, class, ev, .. } = *with;
        let control = Control { kind: ControlKind::Open, psn, class, ev, seed: 0 };
        self.sender.control(connection, &control, now);
    }

    /// Sets the peer of a connection from the next frame on, with the values that software would stage for
    /// it. All values except the next hop must be the same as when the connection was opened.
    pub fn peer(&mut self, connection: u32, with: &Staged) {
        let peer = egress::Peer {
            v6: with.peer_v6,
            address: with.peer_address,
            mac: with.peer_mac,
            tagged: with.peer_tag.is_some(),
            tag: with.peer_tag.unwrap_or_default(),
            qp: with.peer_qp,
            pkey: with.peer_pkey.unwrap_or(DEFAULT_PKEY),
        };
        self.egress.set_peer(connection, peer);
    }

    /// Reports the state of the host's buffer for a connection (rule 13): 0 it accepts packets, 1 it does not
    /// accept packets, 2 or 3 it failed.
    pub fn buffer(&mut self, connection: u32, word: u8, now: u64) {
        self.hear(connection, News::Buffer(word & 3), now);
    }

    /// The state of a connection.
    pub fn standing(&mut self, connection: u32) -> Standing {
        self.told();
        self.standings.get(connection)
    }

    /// The next connection with an event, and its present state.
    pub fn event(&mut self) -> Option<(u32, Standing)> {
        self.told();
        self.standings.event()
    }

    /// Makes [`Self::change`] report changes from now on.
    pub fn tell_changes(&mut self) {
        self.standings.tell_changes();
    }

    /// The next change of a connection's state. Events report the same changes, several at a time if the host is
    /// slow.
    pub fn change(&mut self) -> Option<Change> {
        self.told();
        self.standings.change()
    }

    /// Applies the reports of the sender.
    fn told(&mut self) {
        while let Some((connection, began)) = self.sender.freeze() {
            self.standings.hear(connection, News::Freeze(began));
        }
        while let Some(connection) = self.sender.drained() {
            self.standings.hear(connection, News::Drained);
        }
        while let Some((connection, status)) = self.sender.failed() {
            let (bar, _) = self.standings.hear(connection, News::Failed(status == Status::Denied));
            self.receiver.bar(connection, bar);
        }
    }

    /// Rule 14: if a report makes a connection fail, the receiver denies its packets, and the sender ends its
    /// work.
    fn hear(&mut self, connection: u32, news: News, now: u64) {
        self.told();
        let (bar, cause) = self.standings.hear(connection, news);
        self.receiver.bar(connection, bar);
        if let Some(cause) = cause {
            self.sender.fail(connection, cause, now);
        }
    }

    /// Closes a connection. A closed connection sends no further packet to its peer.
    pub fn close(&mut self, connection: u32, now: u64) {
        self.hear(connection, News::Control(false), now);
        self.replies.retain(|(of, _)| *of != connection);
        self.ingress.set_peer(connection, ingress::Peer::default());
        self.receiver.control(connection, &receiver::Control::default(), now);
        self.command(connection, ControlKind::Close, 0, now);
    }

    /// Seeds the generator of entropy values.
    pub fn seed(&mut self, seed: u32, now: u64) {
        self.command(0, ControlKind::Seed, seed, now);
    }

    /// Tells REPS that the paths of a connection are good again.
    pub fn path_ok(&mut self, connection: u32, now: u64) {
        self.command(connection, ControlKind::PathOk, 0, now);
    }

    /// Stops the acceptance of work for a connection (rule 15). The event stream reports the end of all its
    /// work.
    pub fn drain(&mut self, connection: u32, now: u64) {
        self.command(connection, ControlKind::Drain, 0, now);
    }

    fn command(&mut self, connection: u32, kind: ControlKind, seed: u32, now: u64) {
        self.sender.control(connection, &Control { kind, seed, ..Control::default() }, now);
    }

    /// Accepts a work request.
    pub fn work(&mut self, connection: u32, work: &Work, now: u64) {
        self.sender.work(connection, work, now);
    }

    /// Accepts a frame of other software, to be sent. A frame of more than 16 KiB is dropped.
    pub fn bypass(&mut self, frame: Vec<u8>) {
        if self.egress.takes(&frame) {
            self.others.push_back(frame);
        }
    }

    /// Accepts a frame from the network, without FCS. `bad`: the MAC marked the frame as bad.
    pub fn receive<'a>(&mut self, frame: &'a [u8], bad: bool, now: u64) -> Incoming<'a> {
        match self.ingress.receive(frame, bad) {
            Err(Refusal::Foreign) => Incoming::Foreign,
            Err(Refusal::Dropped(cause)) => Incoming::Dropped(cause),
            Ok((connection, packet)) => {
                let place = self.packet(connection, &packet, now);
                let write = place.map(|place| (place.address, self.ingress.payload(frame)));
                Incoming::Taken { connection, write }
            }
        }
    }

    /// Prefetches the memory for a packet that arrives soon on a connection, an acknowledgement or any other.
    #[inline]
    pub fn ahead(&self, connection: u32, is_acknowledgement: bool, memory: &impl Ask) {
        if is_acknowledgement {
            self.sender.ahead(connection, memory);
        } else {
            self.receiver.ahead(connection, memory);
        }
    }

    /// Accepts a packet that ingress would accept, for simulators that have packets without bytes
    /// ([`Self::packet_of`]). Returns the place of its payload.
    pub fn receive_packet(&mut self, connection: u32, packet: &Packet, now: u64) -> Option<Place> {
        self.ingress.count(packet);
        self.packet(connection, packet, now)
    }

    fn packet(&mut self, connection: u32, packet: &Packet, now: u64) -> Option<Place> {
        match packet {
            Packet::Arrival(arrival) => {
                let taken = self.receiver.arrival(connection, arrival, now);
                self.replies.extend(taken.reply.map(|reply| (connection, reply)));
                if taken.breach {
                    self.hear(connection, News::Breach, now);
                }
                taken.write
            }
            Packet::Acknowledgement(acknowledgement) => {
                self.sender.acknowledgement(connection, acknowledgement, now);
                self.told();
                None
            }
        }
    }

    /// The next frame to transmit, also from timers that are due, with SMaRTT's present windows. `None` until
    /// the next event or [`Self::next_deadline`].
    pub fn poll(&mut self, now: u64) -> Option<Outgoing> {
        self.expire(now);
        while self.window(now) {}
        self.next(now)
    }

    /// Handles the timers that have expired by now. [`Self::poll`] calls this function and the next two.
    pub fn expire(&mut self, now: u64) {
        while let Some(reply) = self.receiver.expire(now) {
            self.replies.push_back(reply);
        }
        self.sender.expire(now);
        self.told();
    }

    /// Gives the transport the next window that it does not have yet. Returns whether there was one.
    pub fn window(&mut self, now: u64) -> bool {
        self.sender.window(now)
    }

    /// The next frame to transmit: replies first, then data and frames of other software in turn (rule 6).
    pub fn next(&mut self, now: u64) -> Option<Outgoing> {
        self.next_with(|sender| sender.next_order(now))
    }

    /// Works like [`Self::next`], but the next data packet is of this connection, before other connections
    /// that wait. The clocked NIC may send two packets in a turn.
    pub fn next_of(&mut self, connection: u32, now: u64) -> Option<Outgoing> {
        self.next_with(|sender| sender.next_order_of(connection, now))
    }

    /// The next ACK or NACK alone.
    pub fn next_reply(&mut self) -> Option<Outgoing> {
        let (connection, reply) = self.replies.pop_front()?;
        if self.replies.is_empty() {
            // The next reply goes into the place of this one, which is in the cache.
            self.replies.clear();
        }
        Some(Outgoing::Reply(connection, reply))
    }

    fn next_with(&mut self, data: impl FnOnce(&mut Sender) -> Option<Ordered>) -> Option<Outgoing> {
        if let Some(reply) = self.next_reply() {
            return Some(reply);
        }
        if (self.data_turn || self.others.is_empty())
            && let Some(ordered) = data(&mut self.sender)
        {
            self.data_turn = false;
            return Some(Outgoing::Data(ordered));
        }
        let frame = self.others.pop_front()?;
        self.data_turn = true;
        Some(Outgoing::Other(frame))
    }

    /// The frame that begins now, without FCS. `payload` has the read bytes of data; `None` if the read
    /// failed: then the result is `None`, and the failure is counted. The result is also `None` if the packet
    /// was acknowledged meanwhile or its message has ended. Then its memory may belong to the host again
    /// (rule 8).
    pub fn frame(&mut self, outgoing: Outgoing, payload: Option<&[u8]>, now: u64) -> Option<Vec<u8>> {
        match outgoing {
            Outgoing::Reply(connection, reply) => Some(self.egress.reply(connection, &reply)),
            Outgoing::Data(Ordered { connection, order, .. }) => {
                let past = self.sender.is_past(connection, &order);
                self.egress.data(connection, &order, payload, past, now)
            }
            Outgoing::Other(frame) => {
                self.egress.bypass();
                Some(frame)
            }
        }
    }

    /// The packet that the peer's ingress will find in the frame that begins now, for simulators that need no
    /// bytes. `None` for a frame of other software.
    pub fn packet_of(&mut self, outgoing: &Outgoing, now: u64) -> Option<Packet> {
        match outgoing {
            Outgoing::Reply(_, reply) => {
                self.egress.count_reply(reply);
                Some(Packet::Acknowledgement(Acknowledgement::of_reply(reply)))
            }
            Outgoing::Data(Ordered { order, .. }) => {
                self.egress.count_data(order);
                Some(Packet::Arrival(Arrival::of_order(order, now as u16)))
            }
            Outgoing::Other(_) => {
                self.egress.bypass();
                None
            }
        }
    }

    /// The next received message with an immediate. The NIC makes the report after all payload that was to be
    /// written before it.
    pub fn received(&mut self) -> Option<(u32, Received)> {
        self.receiver.received()
    }

    /// The next work request that has ended.
    pub fn sent(&mut self) -> Option<(u32, Sent)> {
        self.sender.sent()
    }

    /// Time at which the next timer expires.
    pub fn next_deadline(&mut self, now: u64) -> Option<u64> {
        let times = [self.receiver.next_deadline(now), self.sender.next_deadline(now)];
        times.into_iter().flatten().min()
    }
}
