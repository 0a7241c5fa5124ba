//! The events of a host's connections, noted while it runs. Only runs that note events have notes.

use super::super::ends::Departure;
use super::super::queues::{Look, Queues};
use super::shared::Shared;
use crate::events::{Ack, Choice, Detection, Event, Nack, What};
use crate::packet::{Packet, TRIMMED};
use std::collections::BTreeSet;
use weft_nic::block::ingress;
use weft_nic::words::{Acknowledgement, Arrival};

/// A connection whose events are noted.
#[derive(Clone, Debug)]
struct Lane {
    /// The sending host, and the number of the connection at that host.
    name: (u32, u32),
    /// Whether this host sends the data.
    sends: bool,
    /// The state that was noted last, if this host sends.
    look: Look,
    /// PSNs that were noted as lost, and were not retransmitted since.
    lost: BTreeSet<u32>,
}

/// Notes of a host.
#[derive(Debug)]
pub(super) struct Notes {
    host: u32,
    /// Lanes by the number of the connection; `None`: the events of the connection are not noted.
    lanes: Vec<Option<Lane>>,
    pub(super) events: Vec<Event>,
}

impl Notes {
    /// The notes of a host, if the run requests events.
    pub(super) fn new(host: u32, shared: &Shared) -> Option<Box<Self>> {
        let noted = shared.noted.as_ref()?;
        let sending = shared.sending(host);
        let lane = |(at, lane): (u32, &crate::flow::Lane)| {
            let sends = sending.contains(&at);
            let (source, destination) = if sends { (host, lane.peer) } else { (lane.peer, host) };
            let name = (source, if sends { at } else { lane.there });
            noted.has(source, destination).then_some(Lane {
                name,
                sends,
                look: Look::default(),
                lost: BTreeSet::new(),
            })
        };
        let lanes = (0..).zip(&shared.table.hosts[host as usize]).map(lane).collect();
        Some(Box::new(Self { host, lanes, events: Vec::new() }))
    }

    fn lane(&mut self, connection: u32) -> Option<&mut Lane> {
        self.lanes.get_mut(connection as usize)?.as_mut()
    }

    /// Notes an event of a connection.
    pub(super) fn add(&mut self, time_ps: u64, connection: u32, what: What) {
        let host = self.host;
        let name = self.lane(connection).map(|lane| lane.name);
        self.events.extend(name.map(|connection| Event { time_ps, host, connection, what }));
    }

    /// Notes a packet that leaves.
    #[cold]
    pub(super) fn leaves(
        &mut self,
        time_ps: u64,
        connection: u32,
        packet: &ingress::Packet,
        data: Option<&Departure>,
    ) {
        let what = match (packet, data) {
            (ingress::Packet::Arrival(Arrival { psn, bytes, ev, .. }), Some(it)) => {
                // A packet may leave in the event that found it lost.
                if it.again && self.lane(connection).is_some_and(|lane| !lane.lost.remove(psn)) {
                    self.add(time_ps, connection, What::PacketLost { psn: *psn });
                }
                What::PacketSent {
                    flow: it.flow,
                    psn: *psn,
                    bytes: *bytes,
                    ev: *ev,
                    choice: Choice::of(it.choice),
                    again: it.cause.filter(|_| it.again).map(Detection::from),
                }
            }
            (ingress::Packet::Acknowledgement(it), _) => match it.nack {
                true => What::NackSent(nack(it)),
                false => What::AckSent(ack(it)),
            },
            (ingress::Packet::Arrival(_), None) => return,
        };
        self.add(time_ps, connection, what);
    }

    /// Notes a packet that arrives, with the flow of its data.
    #[cold]
    pub(super) fn comes(&mut self, packet: &Packet, connection: u32, body: &ingress::Packet, flow: u32) {
        let what = match body {
            ingress::Packet::Arrival(Arrival { psn, bytes, ev, ce: marked, .. }) => {
                let (psn, bytes, ev, marked) = (*psn, *bytes, *ev, *marked);
                match packet.flags & TRIMMED != 0 {
                    true => What::PacketTrimmed { flow, psn, ev, marked },
                    false => What::PacketReceived { flow, psn, bytes, ev, marked },
                }
            }
            ingress::Packet::Acknowledgement(it) => match it.nack {
                true => What::NackReceived(nack(it)),
                false => What::AckReceived(ack(it)),
            },
        };
        self.add(packet.time_ps, connection, what);
    }

    /// Notes changes at the connections that send.
    #[cold]
    pub(super) fn look(&mut self, time_ps: u64, nic: &impl Queues) {
        for connection in 0..self.lanes.len() as u32 {
            let Some(lane) = self.lane(connection).filter(|lane| lane.sends) else { continue };
            let look = nic.look(connection);
            if look == lane.look {
                continue;
            }
            // PSNs that the peer has acknowledged are not sent again.
            lane.lost.retain(|psn| psn.wrapping_sub(look.lowest) & 0x80_0000 == 0);
            let lost: Vec<u32> = look.lost.iter().copied().filter(|psn| lane.lost.insert(*psn)).collect();
            let (bytes, is_frozen) = (look.bytes, look.is_frozen);
            let before = std::mem::replace(&mut lane.look, look);
            for psn in lost {
                self.add(time_ps, connection, What::PacketLost { psn });
            }
            if before.is_frozen != is_frozen {
                let what = if is_frozen { What::FreezeBegan } else { What::FreezeEnded };
                self.add(time_ps, connection, what);
            }
            if let Some([window_bytes, in_flight_bytes]) = bytes.filter(|_| bytes != before.bytes) {
                self.add(time_ps, connection, What::MetricsUpdated { window_bytes, in_flight_bytes });
            }
        }
    }
}

fn ack(it: &Acknowledgement) -> Ack {
    let Acknowledgement { trigger, expected, ev, ce, .. } = *it;
    Ack { psn: trigger, expected, ev, marked: ce }
}

fn nack(it: &Acknowledgement) -> Nack {
    Nack { psn: it.trigger, ev: it.ev }
}
