//! Accesses to the registers.

use super::oracle::{Oracle, SLVERR};
use super::ports::In;
use serde::Serialize;
use weft_nic::block::receiver::Bar;
use weft_nic::block::registers::Outputs;
use weft_nic::nic::AxilInputs;
use weft_params::registers::{self as map, offsets};
use weft_random::Rng;

/// Counts of a run. The counts show whether the run contained the cases that it must test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Resets.
    pub resets: u64,
    /// Writes answered.
    pub writes: u64,
    /// Writes refused.
    pub refused_writes: u64,
    /// Reads answered.
    pub reads: u64,
    /// Reads refused.
    pub refused_reads: u64,
    /// A read and a write waited for the same clock.
    pub contended: u64,
    /// Clocks in which an answer waited for the master.
    pub stalled: u64,
    /// Writes whose address arrived ten clocks or more before the data.
    pub address_alone: u64,
    /// Writes whose data arrived ten clocks or more before the address.
    pub data_alone: u64,
    /// Words that the blocks accepted, in the order of the control streams.
    pub words: [u64; 4],
    /// Clocks in which such a word waited.
    pub waiting: u64,
    /// Writes of COMMAND and the staging that were refused while a command was busy.
    pub busy_refusals: u64,
    /// Events accepted.
    pub events: u64,
    /// Words for the receiver that bar packets.
    pub bars: u64,
    /// Failures that the sender accepted.
    pub failures: u64,
}

/// Maximum number of connections with reports.
const TOLD: u32 = 12;

/// A master that offers address, data and reads at random times, to random offsets; and blocks that accept
/// their words at random times.
pub struct Master {
    rng: Rng,
    connections: u32,
    now: In,
    /// Offsets of the registers that have words; COMMAND, QUERY and STATE occur often.
    places: Vec<u16>,
    address: u16,
    /// Data and strobes of the write, and address of the read, that wait for an answer.
    data: (u32, u8),
    reading: u16,
    oracle: Oracle,
    /// First fault found.
    complaint: Option<String>,
    alone: (u32, u32),
    /// Clocks of 8 in which each activity happens: offers, answers accepted, words accepted.
    mood: [u32; 6],
    /// Whether the software reads only STATE.
    watches: bool,
    cycle: u64,
    /// Counts so far.
    pub tally: Tally,
}

impl Master {
    /// A master with random behaviour that follows from the seed.
    pub fn new(seed: u64, connections: u32) -> Self {
        let mut places: Vec<u16> = map::registers().iter().flat_map(|register| register.offsets()).collect();
        places.extend([offsets::COMMAND; 40]);
        places.extend([offsets::QUERY, offsets::STATE].repeat(8));
        Self {
            rng: Rng::new(seed),
            connections,
            now: In::default(),
            places,
            address: 0,
            data: (0, 0),
            reading: 0,
            oracle: Oracle::default(),
            complaint: None,
            alone: (0, 0),
            mood: [4; 6],
            watches: false,
            cycle: 0,
            tally: Tally::default(),
        }
    }

    /// First fault found.
    pub fn complaint(&self) -> Option<&str> {
        self.complaint.as_deref()
    }

    fn happens(&mut self, what: usize) -> bool {
        self.rng.below(8) < self.mood[what]
    }

    fn offset(&mut self) -> u16 {
        let place = self.places[self.rng.below(self.places.len() as u32) as usize] + self.rng.below(4) as u16;
        match self.rng.below(16) {
            0 => self.rng.draw() as u16,
            1 => self.rng.below(0x480) as u16,
            2 => 0x7C0 + self.rng.below(0x80) as u16,
            3 => place ^ 1 << self.rng.below(16),
            _ => place,
        }
    }

    fn data(&mut self) -> u32 {
        let random = self.rng.draw() as u32;
        match self.rng.below(5) {
            0 => random,
            1 => 1 << (random & 31),
            // Connections that there is news of.
            2 => random & 0x8007_0000 | self.rng.below(self.connections.min(TOLD)),
            _ => random & 0x8007_0000 | self.rng.below(self.connections + self.connections.div_ceil(8)),
        }
    }

    fn count(&mut self, outputs: &Outputs) {
        let (tally, axil) = (&mut self.tally, self.now.ports.axil);
        let ready = [
            self.now.ports.ingress_peer_ready,
            self.now.ports.egress_peer_ready,
            self.now.ports.receiver_control_ready,
            self.now.ports.sender_control_ready,
        ];
        let valid = [
            outputs.ingress_peer.valid,
            outputs.egress_peer.valid,
            outputs.receiver_control.valid,
            outputs.sender_control.valid,
        ];
        for (words, (valid, ready)) in tally.words.iter_mut().zip(valid.into_iter().zip(ready)) {
            *words += u64::from(valid && ready);
        }
        tally.waiting += u64::from(valid.contains(&true));
        tally.stalled += u64::from(outputs.axil.write_done && !axil.write_ready);
        tally.stalled += u64::from(outputs.axil.read_done && !axil.read_ready);
        let (here, data) = (!outputs.axil.write_address_ready, !outputs.axil.write_data_ready);
        tally.contended += u64::from(here && data && !outputs.axil.read_address_ready);
        self.alone.0 = if here && !data { self.alone.0 + 1 } else { 0 };
        self.alone.1 = if data && !here { self.alone.1 + 1 } else { 0 };
        tally.address_alone += u64::from(self.alone.0 == 10);
        tally.data_alone += u64::from(self.alone.1 == 10);
        if outputs.axil.write_done && axil.write_ready {
            tally.writes += 1;
            let (data, strobes) = self.data;
            let judged = self.oracle.write(self.address, data, strobes, outputs.axil.write_response);
            self.complaint = self.complaint.take().or(judged.err());
            let refused = outputs.axil.write_response == SLVERR;
            tally.refused_writes += u64::from(refused);
            let guarded = (offsets::PEER_ADDRESS..offsets::COMMAND + 4).contains(&self.address);
            tally.busy_refusals += u64::from(refused && guarded && valid.contains(&true));
        }
        if outputs.axil.read_done && axil.read_ready {
            tally.reads += 1;
            let judged = self.oracle.read(self.reading, outputs.axil.read_data, outputs.axil.read_response);
            self.complaint = self.complaint.take().or(judged.err());
            tally.refused_reads += u64::from(outputs.axil.read_response == SLVERR);
        }
    }

    /// News of sender, receiver and host about connections.
    fn news(&mut self, outputs: &Outputs) {
        let connection = self.rng.below(self.connections.min(TOLD));
        let speaks = [(); 4].map(|()| self.happens(2) && self.happens(3));
        let word = self.rng.draw() as u8;
        let ports = &mut self.now.ports;
        if speaks[0] && ports.failed.is_none() && word < 100 {
            ports.failed = Some((connection, word & 1 != 0));
        }
        if speaks[1] && ports.freeze.is_none() {
            ports.freeze = Some((connection, word & 1 != 0));
        }
        if speaks[2] && ports.breach.is_none() && word < 20 {
            ports.breach = Some(connection);
        }
        if speaks[3] && ports.buffer.is_none() {
            ports.buffer = Some((connection, word));
        }
        if speaks[1] && ports.drained.is_none() && word.is_multiple_of(3) {
            ports.drained = Some(connection);
        }
        ports.event_ready = self.rng.below(8) < self.mood[5];
        ports.failure_ready = self.rng.below(8) < self.mood[4];
        self.tally.failures += u64::from(outputs.failure.valid && ports.failure_ready);
        self.tally.events += u64::from(outputs.event.valid && ports.event_ready);
        self.tally.bars += u64::from(outputs.bar.valid && outputs.bar.word != Bar::default());
    }

    /// Inputs of the next clock. The inputs obey the rules of AXI: an offered word stays until it is
    /// accepted.
    pub fn drive(&mut self, outputs: &Outputs) -> In {
        let cycle = self.cycle;
        self.cycle += 1;
        if self.rng.below(2_000) == 0 {
            for mood in 0..self.mood.len() {
                self.mood[mood] = [0, 1, 4, 8][self.rng.below(4) as usize];
            }
            self.watches = self.rng.below(4) == 0;
        }
        let mut axil = self.now.ports.axil;
        if axil.write_address.is_none() && self.happens(0) {
            axil.write_address = Some(self.offset());
        }
        if axil.write_data.is_none() && self.happens(1) {
            let strobes = if self.rng.below(2) == 0 { 0xF } else { self.rng.below(16) as u8 };
            axil.write_data = Some((self.data(), strobes));
        }
        if axil.read_address.is_none() && self.happens(2) {
            axil.read_address = Some(if self.watches { offsets::STATE } else { self.offset() });
        }
        axil.write_ready = self.happens(3);
        axil.read_ready = self.happens(4);
        self.now.ports.axil = axil;
        self.now.ports.ingress_peer_ready = self.happens(5);
        self.now.ports.egress_peer_ready = self.happens(5);
        self.now.ports.receiver_control_ready = self.happens(5);
        self.now.ports.sender_control_ready = self.happens(5);
        self.news(outputs);
        // A counter moves by less than 2^16 in a round of the scanner.
        let (counter, by) = (self.rng.below(map::COUNTERS as u32) as usize, self.rng.below(200));
        let stat = &mut self.now.ports.stats[counter];
        *stat = stat.wrapping_add(by);
        self.oracle.count(counter, by);
        self.now.ports.rtt = [self.rng.draw() as u16, self.rng.draw() as u16];
        self.now.ports.window = [self.rng.draw(), self.rng.draw() >> (128 - map::VIEW_BITS)];
        self.now.ports.rst = cycle == 0 || self.rng.below(20_000) == 0;
        self.now.junk = self.rng.draw();
        if !self.now.ports.rst {
            self.count(outputs);
        }

        // A word that is accepted now is not offered in the next clock.
        let now = self.now;
        let axil = &mut self.now.ports.axil;
        if now.ports.rst {
            *axil = AxilInputs::default();
            self.oracle = Oracle::default();
            self.now.ports.stats = [0; map::COUNTERS];
            self.tally.resets += 1;
        }
        let taken = [
            outputs.freeze_ready,
            outputs.breach_ready,
            outputs.buffer_ready,
            outputs.drained_ready,
            outputs.failed_ready,
        ]
        .map(|it| it || now.ports.rst);
        let ports = &mut self.now.ports;
        ports.freeze = ports.freeze.filter(|_| !taken[0]);
        ports.breach = ports.breach.filter(|_| !taken[1]);
        ports.buffer = ports.buffer.filter(|_| !taken[2]);
        ports.drained = ports.drained.filter(|_| !taken[3]);
        ports.failed = ports.failed.filter(|_| !taken[4]);
        let axil = &mut self.now.ports.axil;
        if outputs.axil.write_address_ready
            && let Some(address) = axil.write_address.take()
        {
            self.address = address;
        }
        if outputs.axil.write_data_ready
            && let Some(data) = axil.write_data.take()
        {
            self.data = data;
        }
        if outputs.axil.read_address_ready
            && let Some(address) = axil.read_address.take()
        {
            self.reading = address;
            self.oracle.ask();
        }
        now
    }
}
