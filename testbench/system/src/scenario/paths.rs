//! The toy fabric: parallel paths, each a queue in front of a link. The way back is equally long for all
//! paths.

use super::receiver::Arrival;
use super::settings::Settings;
use crate::network::flight::Flight;
use crate::network::path::{meets, path_of};
use crate::network::seam::Network;
use crate::trace::provenance::{Fault, FaultKind};
use std::collections::VecDeque;

/// A packet in transit.
#[derive(Clone, Debug)]
pub(super) struct Packet {
    pub(super) connection: u32,
    /// Fields of the packet on arrival.
    pub(super) arrival: Arrival,
}

/// The paths. Packets enter when they have left the NIC's port, and leave when the receiver can answer them.
pub(super) struct Paths<'a> {
    settings: &'a Settings,
    /// Times at which the packets of each path leave the path.
    paths: Vec<VecDeque<u64>>,
    flight: Flight<Packet>,
    pub(super) lost: usize,
    pub(super) marked: usize,
}

impl<'a> Paths<'a> {
    pub(super) fn new(settings: &'a Settings) -> Self {
        let paths = vec![VecDeque::new(); settings.paths as usize];
        Self { settings, paths, flight: Flight::new(), lost: 0, marked: 0 }
    }

    /// Time at which the next packet leaves the path.
    pub(super) fn next_ns(&self) -> Option<u64> {
        self.flight.next()
    }
}

impl Network<Packet> for Paths<'_> {
    fn send(&mut self, in_ns: u64, _from: u32, mut packet: Packet) {
        let path = path_of(packet.arrival.ev, self.settings.paths);
        let queue = &mut self.paths[path as usize];
        while queue.front().is_some_and(|out_ns| *out_ns <= in_ns) {
            queue.pop_front();
        }
        let fault = self.settings.fault.filter(|fault| fault.path == path);
        let is = |kind, sent_ns, out_ns| {
            let fits = |fault: Fault| fault.kind == kind && meets(&fault.time_ns(), sent_ns, out_ns);
            fault.is_some_and(fits)
        };
        let begin_ns = queue.back().map_or(in_ns, |last_ns| in_ns.max(*last_ns));
        let slow = is(FaultKind::Slow, begin_ns, begin_ns);
        let out_ns = begin_ns + self.settings.path_ns * if slow { self.settings.slowdown } else { 1 };
        if is(FaultKind::Dead, in_ns, out_ns) || queue.len() >= self.settings.queue_packets {
            self.lost += 1;
            return;
        }
        if queue.len() >= self.settings.mark_packets {
            self.marked += 1;
            packet.arrival.marked = true;
        }
        queue.push_back(out_ns);
        self.flight.launch(out_ns + 2 * self.settings.delay_ns, packet);
    }

    fn poll(&mut self, now_ns: u64, out: &mut dyn FnMut(u32, Packet)) {
        while let Some(packet) = self.flight.land(now_ns) {
            out(0, packet);
        }
    }

    fn is_empty(&self) -> bool {
        self.flight.is_empty()
    }
}
