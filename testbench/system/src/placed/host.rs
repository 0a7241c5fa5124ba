//! Hosts of a run in which some have the Verilog and others the transaction view. Each host notes the packets
//! that leave.

use super::decision::Decision;
use super::late::LateHost;
use super::rtl::RtlHost;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use weft_fabric::host::cargo::{Cargo, Hold};
use weft_fabric::host::nic::NicHost;
use weft_fabric::host::{Endpoint, Signal, Told};
use weft_fabric::packet::Packet;

/// Kind of a host.
enum Kind {
    Nic(Box<NicHost>),
    Rtl(Box<RtlHost>),
    Late(Box<LateHost>),
}

macro_rules! of {
    ($host:expr, $it:ident => $does:expr) => {
        match $host {
            Kind::Nic($it) => $does,
            Kind::Rtl($it) => $does,
            Kind::Late($it) => $does,
        }
    };
}

/// Notes of the hosts' decisions, by host and in order.
pub(super) type Notes = Arc<Mutex<BTreeMap<u32, Vec<Decision>>>>;

/// A host of any kind, with its notes.
pub(super) struct Placed {
    number: u32,
    kind: Kind,
    decisions: Vec<Decision>,
    notes: Notes,
}

impl Placed {
    fn new(number: u32, kind: Kind, notes: &Notes) -> Self {
        Self { number, kind, decisions: Vec::new(), notes: Arc::clone(notes) }
    }

    pub(super) fn nic(number: u32, host: NicHost, notes: &Notes) -> Self {
        Self::new(number, Kind::Nic(Box::new(host)), notes)
    }

    pub(super) fn rtl(number: u32, host: RtlHost, notes: &Notes) -> Self {
        Self::new(number, Kind::Rtl(Box::new(host)), notes)
    }

    pub(super) fn late(number: u32, host: LateHost, notes: &Notes) -> Self {
        Self::new(number, Kind::Late(Box::new(host)), notes)
    }
}

impl From<Placed> for Told {
    fn from(host: Placed) -> Self {
        let Placed { number, kind, decisions, notes } = host;
        notes.lock().unwrap_or_else(PoisonError::into_inner).insert(number, decisions);
        of!(kind, it => (*it).into())
    }
}

impl Endpoint for Placed {
    type Desk = Hold;
    type Body = Cargo;

    fn holds_ps(&self) -> [u64; 2] {
        of!(&self.kind, it => it.holds_ps())
    }

    fn due(&self) -> u64 {
        of!(&self.kind, it => it.due())
    }

    fn wake(&mut self, desk: &mut Hold, now_ps: u64) {
        of!(&mut self.kind, it => it.wake(desk, now_ps));
    }

    fn fetch(&self, desk: &Hold, packets: &[Packet]) {
        of!(&self.kind, it => it.fetch(desk, packets));
    }

    fn fetch_behind(&self, desk: &Hold, packets: &[Packet]) {
        of!(&self.kind, it => it.fetch_behind(desk, packets));
    }

    fn arrive(&mut self, desk: &mut Hold, packet: &Packet) {
        of!(&mut self.kind, it => it.arrive(desk, packet));
    }

    fn poll(&mut self, desk: &mut Hold, now_ps: u64) -> Option<Packet> {
        let packet = of!(&mut self.kind, it => it.poll(desk, now_ps))?;
        let cargo = desk.get(packet.word);
        self.decisions.extend(cargo.and_then(|cargo| Decision::of(packet.destination, cargo)));
        Some(packet)
    }

    fn finished(&self) -> u32 {
        of!(&self.kind, it => it.finished())
    }

    fn expected(&self) -> u32 {
        of!(&self.kind, it => it.expected())
    }

    fn signal(&mut self, signal: Signal) {
        of!(&mut self.kind, it => it.signal(signal));
    }

    fn signals(&mut self) -> &mut Vec<Signal> {
        of!(&mut self.kind, it => it.signals())
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
