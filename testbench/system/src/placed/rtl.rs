//! A host with the Verilog.

use super::far::{Far, registers};
use super::rings::{Rings, payload};
use super::seen::Seen;
use super::timing::Timing;
use crate::host::breach::{Breach, Fault};
use crate::host::card::{Card, Wrong};
use crate::host::device::Device;
use crate::host::driver::{Connection, Driver, Identity};
use crate::host::registers::RegisterDriver;
use crate::network::seam::Frame;
use crate::nic::bench::{address_of, mac_of};
use crate::nic::capture::Tap;
use crate::nic::error::NicError;
use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex};
use weft_fabric::host::cargo::{Cargo, Hold};
use weft_fabric::host::nic::{Departure, NicHost, Shared};
use weft_fabric::host::{Endpoint, NEVER, Signal, Told};
use weft_fabric::packet::Packet;
use weft_nic::block::ingress;
use weft_nic::words::{Acknowledgement, ArrivalKind, Place};
use weft_params::SackParams;
use weft_params::registers::Staged;
use weft_random::Rng;

/// Clocks of reset.
const RESET_CLOCKS: u64 = 8;
/// Clocks in which a driver must have brought a NIC up, or read its counters.
const DRIVER_CLOCKS: u64 = 100_000_000;
/// After its flows have ended, a NIC stops this number of clocks after its last packet.
const LINGER_CLOCKS: u64 = 4_096;
/// Clocks for which the MAC begins no further frame while a frame waits for the engine's wire.
const HELD_CLOCKS: u64 = 8;

/// Common results of all hosts with the Verilog: the first fault, and bytes of payload that were right.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub(super) fault: Option<NicError>,
    pub(super) written: u64,
    pub(super) sent: u64,
}

/// A frame in transit to the NIC.
struct Coming {
    /// First clock in which the frame is fed.
    from: u64,
    frame: Frame,
    /// Connection and contents, if the frame is an answer.
    answer: Option<(u32, Acknowledgement)>,
}

/// A packet that has left the NIC.
struct Leaving {
    /// The engine's time of its first bit.
    at_ps: u64,
    connection: u32,
    packet: ingress::Packet,
    /// The departure that the report counts, if the frame carries data.
    data: Option<Departure>,
    /// The frame, if the port is captured.
    frame: Vec<u8>,
}

/// A host with the Verilog.
pub struct RtlHost {
    number: u32,
    seed: u64,
    host: NicHost<Rings>,
    card: Card<Box<dyn Device + Send>, RegisterDriver>,
    far: Far,
    timing: Timing,
    /// The next clock.
    clock: u64,
    coming: VecDeque<Coming>,
    leaving: VecDeque<Leaving>,
    /// Clock of the first word of the frame that is leaving.
    begun: Option<u64>,
    /// Clock of the last packet.
    busy: u64,
    /// The host's flows have ended, and no packet has arrived or left for a while.
    has_rested: bool,
    has_failed: bool,
    said: Arc<Mutex<Said>>,
    tap: Option<Tap>,
}

/// Values that all hosts with the Verilog share.
pub(super) struct Common<'a> {
    pub(super) shared: &'a Arc<Shared>,
    pub(super) timing: Timing,
    pub(super) connections: SackParams,
    pub(super) said: &'a Arc<Mutex<Said>>,
    /// Folder of captures of the ports, and their comment.
    pub(super) capture: Option<(&'a Path, &'a str)>,
}

impl RtlHost {
    /// A host whose NIC is brought up and has its connections open.
    pub(super) fn new(
        number: u32,
        device: Box<dyn Device + Send>,
        common: &Common<'_>,
    ) -> Result<Self, NicError> {
        let Common { shared, timing, connections, said, capture } = *common;
        let opened: Vec<Staged> = shared.connections(number).collect();
        let mut csr = registers(&shared.registers.csr, number);
        csr.tick_shift = timing.tick_shift;
        let who = Identity {
            number,
            mac: mac_of(number),
            address: address_of(number, false),
            qp_base: 0,
            connections: connections.connections,
            mtu: 1 << csr.sender.mtu_shift,
            rate: timing.rate,
            base_rtt_clocks: 0,
            trims: csr.sender.reps.trimming,
            pauses: false,
            seed: shared.nic_seed(number).into(),
        };
        let mut driver = RegisterDriver::new(&who, &csr);
        (0..).zip(&opened).for_each(|(at, staged)| driver.connect(&connection(at, staged)));
        let wire = (timing.rate, timing.overhead);
        let seen = Seen::new(&csr.sender, &opened);
        let mut host = Self {
            number,
            seed: shared.seed,
            host: NicHost::with(number, shared, Rings::new(&shared.table, seen)),
            card: Card::new((device, driver), wire, timing.dma_clocks, (0.0, Rng::new(0))),
            far: Far::new(&shared.registers.csr, number, &opened),
            timing,
            clock: 0,
            coming: VecDeque::new(),
            leaving: VecDeque::new(),
            begun: None,
            busy: 0,
            has_rested: false,
            has_failed: false,
            said: Arc::clone(said),
            tap: capture.map(|(folder, comment)| Tap::create(folder, number, comment)).transpose()?,
        };
        for _ in 0..RESET_CLOCKS {
            host.card.reset().map_err(|error| NicError::Device { nic: number, error })?;
        }
        host.drive().map_err(|wrong| host.error(wrong))?;
        host.clock = 0;
        Ok(host)
    }

    /// Runs clocks until the driver is done and ticks begin.
    fn drive(&mut self) -> Result<(), Wrong> {
        let begin = self.clock;
        while !self.card.driver.is_idle() || !self.clock.is_multiple_of(1 << self.timing.tick_shift) {
            self.card.clock(self.clock, self.host.nic_mut())?;
            self.clock += 1;
            if self.clock - begin > DRIVER_CLOCKS {
                return Err(Breach::Stuck { clocks: DRIVER_CLOCKS, left: 0 }.into());
            }
        }
        Ok(())
    }

    fn error(&self, wrong: Wrong) -> NicError {
        let (clock, nic) = (self.clock, self.number);
        match wrong {
            Wrong::Breach(breach) => NicError::Fault { seed: self.seed, fault: Fault { clock, nic, breach } },
            Wrong::Device(error) => NicError::Device { nic, error },
        }
    }

    fn says(&self, what: impl FnOnce(&mut Said)) {
        what(&mut self.said.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
    }

    /// Notes a fault and stops the host.
    fn fails(&mut self, wrong: Wrong) {
        self.stops(self.error(wrong));
    }

    fn stops(&mut self, error: NicError) {
        self.has_failed = true;
        self.says(|said| said.fault = said.fault.take().or(Some(error)));
    }

    /// Captures a frame at the engine's time: at the last bit of a frame that arrives, at the first bit of a
    /// frame that leaves.
    fn captures(&mut self, time_ps: u64, frame: &[u8]) {
        let written = self.tap.as_mut().map_or(Ok(()), |tap| tap.write(time_ps / 1_000, frame, None));
        if let Err(error) = written {
            self.tap = None;
            self.stops(error.into());
        }
    }

    fn step(&mut self) -> Result<(), Wrong> {
        let now_ps = self.clock * self.timing.clock_ps;
        self.host.start(now_ps, now_ps);
        self.host.nic_mut().seen.now = self.clock >> self.timing.tick_shift;
        while self.coming.front().is_some_and(|coming| coming.from <= self.clock) {
            let Some(Coming { frame, answer, .. }) = self.coming.pop_front() else { break };
            self.card.incoming.push(&frame);
            if let Some((connection, answer)) = &answer {
                self.host.nic_mut().seen.hears(*connection, answer);
            }
        }
        // The wire is slower than its rate, or stopped.
        let late_ps = (self.timing.engine_ps(self.clock)).saturating_sub(HELD_CLOCKS * self.timing.clock_ps);
        if self.leaving.front().is_some_and(|packet| packet.at_ps < late_ps) {
            self.card.outgoing.hold();
        }
        let ended = self.card.clock(self.clock, self.host.nic_mut())?;
        if self.card.outgoing.has_begun() {
            self.begun.get_or_insert(self.clock);
        }
        if let Some(frame) = ended {
            self.leaves(&frame)?;
        }
        for (flow, place) in std::mem::take(&mut self.host.nic_mut().written) {
            self.host.writes(flow, place);
            self.says(|said| said.written += u64::from(place.bytes));
        }
        self.host.complete(now_ps);
        Ok(())
    }

    /// Handles a frame whose last word left in this clock.
    fn leaves(&mut self, frame: &Frame) -> Result<(), Breach> {
        let first = self.begun.take().unwrap_or(self.clock);
        let stray = Breach::Stray { bytes: frame.bytes.len() };
        let (connection, packet, bytes) = self.far.read(frame).ok_or(stray)?;
        let data = match &packet {
            ingress::Packet::Arrival(arrival) => {
                let place = Place { address: arrival.address, bytes: arrival.bytes };
                let flow = self.host.nic_mut().leaves(connection, place);
                let is_right = |flow: u32| payload(flow, place.address, place.bytes) == bytes;
                let wrong = Breach::Payload { connection, psn: arrival.psn };
                let (flow, mark) = flow.filter(|(flow, _)| is_right(*flow)).ok_or(wrong)?;
                self.says(|said| said.sent += u64::from(place.bytes));
                let again = weft_wire::parse(&frame.bytes).is_ok_and(|it| it.bth.retransmission());
                Some(self.host.nic_mut().seen.leaves(connection, arrival, (flow, again), &mark))
            }
            ingress::Packet::Acknowledgement(_) => None,
        };
        let at_ps = self.timing.engine_ps(first + self.timing.lag);
        let frame = if self.tap.is_some() { frame.bytes.clone() } else { Vec::new() };
        self.leaving.push_back(Leaving { at_ps, connection, packet, data, frame });
        self.busy = self.clock;
        Ok(())
    }

    fn is_quiet(&self) -> bool {
        self.coming.is_empty() && self.leaving.is_empty() && self.clock > self.busy + LINGER_CLOCKS
    }
}

/// Connection of this number.
fn connection(number: u32, staged: &Staged) -> Connection {
    let peer = staged.peer_address as u32;
    Connection {
        number,
        peer_mac: mac_of(peer),
        peer_address: address_of(peer, false),
        tag: None,
        peer_qp: staged.peer_qp,
        send_psn: staged.send_psn,
        receive_psn: staged.receive_psn,
        region_base: staged.region_base,
        region_length: staged.region_length,
        region_key: staged.region_key,
        class: staged.class,
        ev: staged.ev,
    }
}

impl From<RtlHost> for Told {
    /// The driver reads the counters.
    fn from(mut it: RtlHost) -> Self {
        it.card.driver.read_counters();
        if let Err(wrong) = if it.has_failed { Ok(()) } else { it.drive() } {
            it.fails(wrong);
        }
        let counts = it.card.driver.counters().into_iter().map(|(_, count)| count as u32);
        it.host.nic_mut().counts = counts.collect();
        if let Some(Err(error)) = it.tap.take().map(Tap::finish) {
            it.stops(error.into());
        }
        it.host.into()
    }
}

impl Endpoint for RtlHost {
    type Desk = Hold;
    type Body = Cargo;

    fn holds_ps(&self) -> [u64; 2] {
        self.timing.holds_ps
    }

    fn due(&self) -> u64 {
        let stands = self.has_failed || self.has_rested && self.is_quiet();
        if stands { NEVER } else { self.timing.engine_ps(self.clock) }
    }

    fn wake(&mut self, _: &mut Hold, _: u64) {
        if let Err(wrong) = self.step() {
            self.fails(wrong);
        }
        self.clock += 1;
        let agenda = self.host.agenda();
        self.has_rested |= agenda.finished == agenda.expected() && self.is_quiet();
    }

    fn fetch(&self, _: &Hold, _: &[Packet]) {}

    fn fetch_behind(&self, _: &Hold, _: &[Packet]) {}

    fn arrive(&mut self, desk: &mut Hold, packet: &Packet) {
        if self.has_rested && self.is_quiet() {
            // The host was stopped meanwhile.
            self.clock =
                self.clock.max((packet.time_ps / self.timing.clock_ps).saturating_sub(self.timing.lag));
        }
        let Some((connection, body, flow)) = self.host.takes(desk, packet) else { return };
        let (bytes, answer) = match &body {
            ingress::Packet::Arrival(it) => {
                let place = Place { address: it.address, bytes: it.bytes };
                if it.kind == ArrivalKind::Data {
                    self.host.nic_mut().comes(connection, flow, place);
                }
                (payload(flow, place.address, place.bytes), None)
            }
            ingress::Packet::Acknowledgement(it) => (Vec::new(), Some((connection, *it))),
        };
        let from = self.timing.first_word(packet.time_ps, packet.bytes).max(self.clock);
        // A packet that no frame can express does not reach the NIC.
        let frame = self.far.frame(connection, &body, &bytes);
        frame.iter().for_each(|frame| self.captures(packet.time_ps, &frame.bytes));
        self.coming.extend(frame.map(|frame| Coming { from, frame, answer }));
        self.busy = from;
    }

    fn poll(&mut self, desk: &mut Hold, now_ps: u64) -> Option<Packet> {
        self.leaving.front().filter(|packet| packet.at_ps <= now_ps)?;
        let Leaving { connection, packet, data, frame, .. } = self.leaving.pop_front()?;
        self.captures(now_ps, &frame);
        Some(self.host.sends(desk, now_ps, connection, packet, data))
    }

    /// A stopped host counts as one end more.
    fn finished(&self) -> u32 {
        self.host.agenda().finished + u32::from(self.has_rested)
    }

    fn expected(&self) -> u32 {
        self.host.agenda().expected() + 1
    }

    fn signal(&mut self, signal: Signal) {
        self.host.agenda_mut().signal(signal);
    }

    fn signals(&mut self) -> &mut Vec<Signal> {
        &mut self.host.agenda_mut().signals
    }

    fn lose(desk: &mut Hold, packet: &Packet) -> Option<u32> {
        desk.lose(packet.word)
    }

    fn take(desk: &mut Hold, word: u32) -> Cargo {
        desk.take(word).copied()
    }

    fn put(desk: &mut Hold, body: Cargo) -> u32 {
        desk.put(body)
    }
}
