//! A whole switch: ports, ingress stages, traffic manager, egress stages, ports.
//!
//! Two views have one behaviour. [`Clocked`] has a packet in every stage and runs one stage of each in a
//! clock. [`Transaction`] runs all stages when a packet enters, and releases the packet a number of clocks
//! later. Both views accept one packet per clock and half, with the same latency. An array is in one stage,
//! so in both views packets reach it in the order in which they entered. Therefore every decision and
//! register is the same (a test compares them). The views differ only in changes by the control plane: in the
//! clocked view, packets in the pipeline see a change stage by stage; in the transaction view they do not see
//! it.
//!
//! A switch clock is a nanosecond by convention.

mod passage;

pub use passage::{Clocked, Latency, Transaction, View};

use crate::kit::{Gress, Pipe, Program, intrinsic::*};
use crate::packet::{CwForm, Packet};
use crate::pfc::Pause;
use crate::tm::{self, Departure, SettingsError, TrafficManager, Verdict};
use serde::Serialize;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use weft_wire::Dscp;

/// Settings of a switch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Settings {
    /// Whether each port leads to another switch, so that its packets may have a ConWeave header.
    pub to_switch: Vec<bool>,
    /// The form of that header on the wire.
    pub form: CwForm,
    /// The traffic manager. The ports are those of the switch and, as the last one, the recirculation port.
    pub tm: tm::Settings,
    /// Clocks of a tick.
    pub clocks_per_tick: u64,
    /// Clocks of each half of the pipeline.
    pub latency: Latency,
    /// Minimum number of clocks from one pass of a recirculated packet to the next.
    pub loop_clocks: u64,
    /// The seed of the random generators.
    pub seed: u64,
}

/// The counters of a switch, besides those of its traffic manager.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counters {
    /// Frames that arrived by ports.
    pub received: u64,
    /// Frames that left by ports.
    pub sent: u64,
    /// Packets that the program dropped.
    pub dropped: u64,
    /// Number of copies.
    pub mirrored: u64,
    /// Second passes through the ingress.
    pub resubmitted: u64,
    /// Packets that returned by the recirculation port.
    pub recirculated: u64,
    /// Maximum number of packets that waited for the ingress stages at once.
    pub waited_max: u64,
}

/// The kind of a packet's pass.
mod pass {
    pub(super) const RESUBMITTED: u64 = 1;
    pub(super) const RECIRCULATED: u64 = 2;
    pub(super) const MIRRORED: u64 = 3;
}

/// The requests of AFC (advanced flow control).
mod afc {
    pub(super) const PAUSE: u64 = 1;
    pub(super) const RESUME: u64 = 2;
    pub(super) const RESUME_ON_LEAVE: u64 = 3;
}

/// A switch.
#[derive(Clone, Debug)]
pub struct Switch<V> {
    settings: Settings,
    pipe: Pipe,
    tm: TrafficManager<Packet>,
    ingress: V,
    egress: V,
    arrivals: VecDeque<(u16, Vec<u8>)>,
    resubmitted: VecDeque<Packet>,
    /// Packets, by the clock from which they may enter again.
    recirculated: BTreeMap<(u64, u64), Packet>,
    /// PFC frames with the clock in which they leave. The frames pass the egress as data does, because they
    /// must not overtake data on the wire.
    pauses: VecDeque<(u64, u16, Vec<u8>)>,
    number: u64,
    counters: Counters,
    /// The loads of ports, in the form that a program reads.
    loads: Vec<u32>,
}

impl tm::Item for Packet {
    fn bytes(&self) -> u32 {
        Packet::bytes(self) as u32
    }

    fn came_by(&self) -> u16 {
        self.came_by
    }

    fn trim(&mut self, last_hop: bool) -> bool {
        !self.trimmed && Packet::trim(self, &Dscp::DEFAULT, last_hop)
    }

    fn mark(&mut self) -> bool {
        Packet::mark(self)
    }
}

impl<V: View> Switch<V> {
    /// A switch that runs a program. The program's tables are empty.
    pub fn new(program: Arc<Program>, settings: Settings) -> Result<Self, SettingsError> {
        let passage = |gress| V::new(gress, settings.latency, program.profile().stages);
        Ok(Self {
            ingress: passage(Gress::Ingress),
            egress: passage(Gress::Egress),
            tm: TrafficManager::new(settings.tm.clone(), settings.seed)?,
            pipe: Pipe::new(program, settings.clocks_per_tick, settings.seed),
            settings,
            arrivals: VecDeque::new(),
            resubmitted: VecDeque::new(),
            recirculated: BTreeMap::new(),
            pauses: VecDeque::new(),
            number: 0,
            counters: Counters::default(),
            loads: Vec::new(),
        })
    }

    /// The program and its state.
    pub fn pipe(&self) -> &Pipe {
        &self.pipe
    }

    /// The program and its state, for the control plane.
    pub fn pipe_mut(&mut self) -> &mut Pipe {
        &mut self.pipe
    }

    /// The queues.
    pub fn tm(&self) -> &TrafficManager<Packet> {
        &self.tm
    }

    /// The counters.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// The settings of the switch.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The port by which packets return.
    pub fn recirculation_port(&self) -> u16 {
        self.settings.to_switch.len() as u16
    }

    /// Accepts a frame. The call must precede [`Switch::clock`] of the clock in which the frame's last byte
    /// arrives.
    pub fn receive(&mut self, clock: u64, port: u16, frame: Vec<u8>) {
        if let Some(pause) = Pause::parse(&frame) {
            self.tm.peer_pause(clock, port, &pause);
            return;
        }
        self.counters.received += 1;
        self.arrivals.push_back((port, frame));
        self.counters.waited_max = self.counters.waited_max.max(self.arrivals.len() as u64);
    }

    /// Runs a clock. `out` gets each frame whose first byte leaves in this clock, with the frame's port.
    pub fn clock(&mut self, clock: u64, out: &mut impl FnMut(u16, Vec<u8>)) {
        while self.pauses.front().is_some_and(|(leaves, ..)| *leaves <= clock) {
            self.pauses.pop_front().into_iter().for_each(|(_, port, frame)| out(port, frame));
        }
        if let Some(packet) = self.egress.leave(clock, &mut self.pipe) {
            self.leave_egress(clock, packet, out);
        }
        if let Some(packet) = self.ingress.leave(clock, &mut self.pipe) {
            self.leave_ingress(clock, packet);
        }
        if let Some(packet) = self.next_packet(clock) {
            self.enter_ingress(clock, packet);
        }
        while let Some((port, pause)) = self.tm.take_pause(clock) {
            let leaves = clock + self.settings.latency.clocks(self.pipe.program().profile().stages);
            // The receiver ignores the source address.
            let frame = pause.encode([2, 0, 0, 0, (port >> 8) as u8, port as u8]).to_vec();
            self.pauses.push_back((leaves, port, frame));
        }
        if let Some(Departure { port, item: mut packet, waiting, .. }) = self.tm.dequeue(clock) {
            self.pipe.ask_anew(&mut packet.phv);
            packet.phv[PORT_OUT] = port.into();
            packet.phv[WAITING] = u64::from(waiting) + packet.bytes() as u64;
            self.egress.enter(clock, &mut self.pipe, packet, &[]);
        }
    }

    /// The first clock from `clock` on in which an event can happen, if no frame arrives.
    pub fn next(&self, clock: u64) -> Option<u64> {
        if !self.arrivals.is_empty() || !self.resubmitted.is_empty() {
            return Some(clock);
        }
        let back = self.recirculated.keys().next().map(|(at, _)| *at);
        let pause = self.pauses.front().map(|(leaves, ..)| *leaves);
        let all = [self.ingress.next(clock), self.egress.next(clock), back, pause, self.tm.next(clock)];
        all.into_iter().flatten().min().map(|next| next.max(clock))
    }

    /// Whether no packet is in the switch.
    pub fn is_empty(&self) -> bool {
        let queues = self.arrivals.is_empty() && self.resubmitted.is_empty() && self.recirculated.is_empty();
        queues
            && self.pauses.is_empty()
            && self.ingress.is_empty()
            && self.egress.is_empty()
            && self.tm.waiting().iter().all(|load| *load == 0)
    }

    /// The packet that enters the ingress: resubmitted packets first, then recirculated packets, then new
    /// ones.
    fn next_packet(&mut self, clock: u64) -> Option<Packet> {
        if let Some(mut packet) = self.resubmitted.pop_front() {
            self.pipe.forget(&mut packet.phv, false);
            packet.phv[PASS] = pass::RESUBMITTED;
            return Some(packet);
        }
        if let Some(entry) = self.recirculated.first_entry().filter(|entry| entry.key().0 <= clock) {
            let mut packet = entry.remove();
            self.pipe.forget(&mut packet.phv, false);
            packet.phv[PASS] = pass::RECIRCULATED;
            self.counters.recirculated += 1;
            return Some(packet);
        }
        let (port, frame) = self.arrivals.pop_front()?;
        let is_fabric = self.settings.to_switch.get(usize::from(port)).copied().unwrap_or(false);
        let mut packet = Packet::parse(frame, self.pipe.phv(), port, is_fabric.then_some(self.settings.form));
        packet.set_form(self.settings.form);
        Some(packet)
    }

    fn enter_ingress(&mut self, clock: u64, mut packet: Packet) {
        packet.phv[CLOCK] = clock;
        packet.phv[TICK] = (clock / self.settings.clocks_per_tick.max(1)) & u64::from(u32::MAX);
        let Self { ingress, pipe, tm, loads, .. } = self;
        loads.clear();
        if pipe.needs_load() {
            loads.extend(tm.loads(clock));
        }
        ingress.enter(clock, pipe, packet, loads);
    }

    /// Makes a copy, if the program requests one.
    fn mirror(&mut self, clock: u64, packet: &Packet) {
        if packet.phv[MIRROR] == 0 {
            return;
        }
        self.counters.mirrored += 1;
        let mut copy = packet.clone();
        let (port, queue) = (copy.phv[MIRROR_PORT] as u16, copy.phv[MIRROR_QUEUE] as u16);
        let bytes = copy.phv[MIRROR_BYTES] as usize;
        if bytes > 0 {
            copy.truncate(bytes);
        }
        copy.phv[PASS] = pass::MIRRORED;
        copy.came_by = self.recirculation_port();
        self.tm.enqueue(clock, port, queue, copy, None);
    }

    /// Applies flow control.
    fn control(&mut self, packet: &Packet) {
        let (port, queue) = (packet.phv[AFC_PORT] as u16, packet.phv[AFC_QUEUE] as u16);
        match packet.phv[AFC] {
            afc::PAUSE => self.tm.pause(port, queue),
            afc::RESUME => self.tm.resume(port, queue),
            _ => {}
        }
    }

    fn leave_ingress(&mut self, clock: u64, packet: Packet) {
        self.control(&packet);
        self.mirror(clock, &packet);
        if packet.phv[DROP] == 1 {
            self.counters.dropped += 1;
        } else if packet.phv[RESUBMIT] == 1 {
            self.counters.resubmitted += 1;
            self.resubmitted.push_back(packet);
        } else {
            let phv = &packet.phv;
            let resumes = phv[AFC] == afc::RESUME_ON_LEAVE;
            let on_leave = resumes.then(|| (phv[AFC_PORT] as u16, phv[AFC_QUEUE] as u16));
            let (port, queue) = (phv[PORT_OUT] as u16, phv[QUEUE] as u16);
            let verdict = self.tm.enqueue(clock, port, queue, packet, on_leave);
            // A dropped packet must still resume the queue that it would have resumed.
            if let (Verdict::Dropped(_), Some((port, queue))) = (verdict, on_leave) {
                self.tm.resume(port, queue);
            }
        }
    }

    fn leave_egress(&mut self, clock: u64, packet: Packet, out: &mut impl FnMut(u16, Vec<u8>)) {
        self.control(&packet);
        self.mirror(clock, &packet);
        let port = packet.phv[PORT_OUT] as u16;
        if packet.phv[DROP] == 1 {
            self.counters.dropped += 1;
        } else if port == self.recirculation_port() {
            self.number += 1;
            let again = (packet.phv[CLOCK] + self.settings.loop_clocks).max(clock + 1);
            self.recirculated.insert((again, self.number), packet);
        } else {
            self.counters.sent += 1;
            out(port, packet.deparse());
        }
    }
}
