//! A run of a program against a NIC.

use super::books::{Books, Counts};
use super::craft::Marks;
use super::far::Far;
use super::op::{BACKOFF, Climate, EPOCH, Manner, Operation, RTO, Terms};
use super::ports::{Ports, Seen};
use super::sending::THAWING;
use super::software::{Command, Software};
use super::wire::Wire;
use super::world::{CONNECTIONS, Checked, OWN_MAC, OWN_V4, OWN_V6, QP_BASE, TICK_SHIFT, Violation, broken};
use crate::host::device::Device;
use crate::nic::{Identity as Station, Rate, configuration};
use std::collections::VecDeque;
use weft_nic::words::Place;
use weft_params::EvMode;
use weft_params::registers::NicCsr;
use weft_random::Rng;

/// Clocks in which all work must end after all streams were released.
pub(super) const PATIENCE: u64 = 600_000;

/// Figures of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Report {
    /// Operations carried out.
    pub operations: u32,
    /// Clocks that passed.
    pub clocks: u64,
    /// Frames to the NIC, and frames of the NIC's own that left.
    pub frames: [u64; 2],
    /// Openings that were closed.
    pub closes: u64,
    /// Openings that gave up.
    pub failed: u64,
    /// Openings whose peer denied a packet for certain.
    pub denied: u64,
    /// Freezes whose end the NIC had to report by an event.
    pub thaws: u64,
}

/// A violation, and the clock in which it was found.
#[derive(Clone, Debug, thiserror::Error)]
#[error("seed {seed}, operation {operation}, clock {clock}: {violation}")]
pub struct Failure {
    /// Seed of the program.
    pub seed: u64,
    /// Operation that was carried out last.
    pub operation: u32,
    /// Clocks since the start.
    pub clock: u64,
    /// The broken promise.
    pub violation: Violation,
}

/// A NIC, its host, and its peers.
pub(super) struct Run<D> {
    pub(super) ports: Ports<D>,
    pub(super) books: Books,
    pub(super) fars: Vec<Option<Far>>,
    pub(super) wire: Wire,
    pub(super) climate: Climate,
    pub(super) gentle: bool,
    pub(super) rng: Rng,
    /// Number of future reads that fail.
    pub(super) failing: u32,
    /// Clocks in which the host's buffers of connections accept packets again.
    pub(super) releases: Vec<(u64, u32)>,
    /// Read data in transit.
    pub(super) reads: VecDeque<(u64, Place, bool)>,
    /// Bytes allocated of local memory.
    pub(super) local: u64,
    /// Bytes allocated of remote memory.
    pub(super) remote: u64,
    /// The last id.
    pub(super) id: u32,
    /// Clock of the last transfer at a port.
    pub(super) stirred: u64,
    pub(super) counters: Option<Vec<(&'static str, u64)>>,
    pub(super) seen: Vec<Seen>,
}

fn registers(climate: &Climate) -> Checked<NicCsr> {
    let station = Station {
        number: 0,
        mac: OWN_MAC,
        address: OWN_V4.into(),
        qp_base: QP_BASE,
        connections: CONNECTIONS,
        mtu: climate.mtu.max(1024),
        rate: Rate::GBPS_100,
        base_rtt_clocks: 3_000,
        trims: true,
        pauses: false,
        seed: 1,
    };
    let mode = if climate.fixed_ev { EvMode::Fixed } else { EvMode::Reps };
    let wrong = |error: weft_params::ParamError| Violation { rule: '-', seen: error.to_string() };
    let mut csr = configuration(&station, mode).map_err(wrong)?;
    (csr.ingress.ipv6, csr.egress.ipv6) = (OWN_V6.into(), OWN_V6.into());
    csr.sender.mtu_shift = climate.mtu.ilog2() as u8;
    csr.sender.sack.mtu_bytes = climate.mtu;
    let sack = csr.sender.sack.with_rto(RTO).with_epoch(EPOCH);
    csr.sender.sack = sack.with_backoff(BACKOFF).with_retries(climate.retries);
    csr.receiver.sack.ack_packets = climate.ack_packets;
    csr.receiver.sack.ack_bytes = climate.ack_bytes;
    csr.receiver.ack_timeout_ticks = climate.ack_timeout as u16;
    Ok(csr)
}

impl<D: Device> Run<D> {
    /// A NIC after reset, with no open connection.
    pub(super) fn new(device: D, seed: u64, climate: Climate, gentle: bool) -> Checked<Self> {
        let rng = |part: u64| Rng::of(&[seed, part]);
        let csr = registers(&climate)?;
        let software = Software::new(&csr);
        let mut books = Books::new(climate.mtu);
        (books.ack_packets, books.ack_bytes) = (climate.ack_packets, climate.ack_bytes);
        (books.ack_timeout, books.fixed_ev) = (climate.ack_timeout, climate.fixed_ev);
        books.endurance = climate.endurance();
        books.freeze = csr.sender.reps.freeze_timeout_ticks.into();
        books.timeouts = u64::from(climate.retries) + 1;
        let mut run = Self {
            ports: Ports::new(device, software, climate.stalls, rng(1)),
            books,
            fars: vec![None; CONNECTIONS as usize],
            wire: Wire::new(climate, rng(2)),
            climate,
            gentle,
            rng: rng(3),
            failing: 0,
            releases: Vec::new(),
            reads: VecDeque::new(),
            local: 0x10_0000_0000,
            remote: 0x7F00_0000_0000,
            id: 0,
            stirred: 0,
            counters: None,
            seen: Vec::new(),
        };
        run.ports.reset(4)?;
        run.until(PATIENCE, |run| run.ports.software.is_idle())?;
        Ok(run)
    }

    /// Runs until `holds` is true: for at most `most` clocks, plus the clocks until a silent peer is given
    /// up.
    pub(super) fn until(&mut self, most: u64, holds: impl Fn(&Self) -> bool) -> Checked {
        let begin = self.ports.clock;
        let mut end = begin + most;
        while !holds(self) {
            if self.ports.clock >= end {
                end = begin + most + self.giving_up();
                if self.ports.clock >= end {
                    return broken('g', self.stuck(self.ports.clock - begin));
                }
            }
            self.clock()?;
        }
        Ok(())
    }

    /// Clocks after which every connection with a silent peer has given up.
    fn giving_up(&self) -> u64 {
        let silent = self.fars.iter().flatten().filter(|far| far.is_silent());
        silent.map(|far| self.books.giving_up(&self.books.openings[far.opening])).max().unwrap_or(0)
    }

    fn stuck(&self, clocks: u64) -> String {
        let left: Vec<u32> =
            self.books.unfinished.iter().flatten().map(|at| self.books.posted[*at].work.id).collect();
        let late = |far: &&Far| !far.is_done();
        let fars: Vec<String> = self.fars.iter().flatten().filter(late).map(Far::state).collect();
        let idle = self.ports.software.is_idle();
        format!(
            "after {clocks} clocks work {left:?} and messages to {fars:?} have not ended, software idle {idle}"
        )
    }

    /// Lets `ticks` ticks pass at once. RTL cannot skip ticks, so a run with RTL waits for the length of a
    /// freeze.
    pub(super) fn pass(&mut self, ticks: u32) -> Checked {
        if !self.ports.pass(ticks) {
            return self.pause((self.books.freeze + 2 * THAWING) << TICK_SHIFT);
        }
        let clocks = u64::from(ticks) << TICK_SHIFT;
        self.books.ticks.iter_mut().for_each(|all| *all += clocks);
        Ok(())
    }

    /// Runs for `clocks` clocks.
    pub(super) fn pause(&mut self, clocks: u64) -> Checked {
        (0..clocks).try_for_each(|_| self.clock())
    }

    /// Whether no work is in progress anywhere.
    pub(super) fn is_done(&self) -> bool {
        let Self { ports, books, fars, wire, reads, .. } = self;
        ports.work.is_empty()
            && ports.buffers.is_empty()
            && self.releases.is_empty()
            && reads.is_empty()
            && wire.is_empty()
            && [&ports.net, &ports.bypass, &ports.reads].iter().all(|feed| feed.words() == 0)
            && books.unfinished.iter().all(VecDeque::is_empty)
            && fars.iter().flatten().all(Far::is_done)
    }

    /// Lets all streams flow. All work in progress must end, and the counters must agree.
    pub(super) fn finish(&mut self) -> Checked {
        self.ports.holds = [0; 9];
        self.releases.iter_mut().for_each(|(clock, _)| *clock = 0);
        (self.wire.calm, self.failing) = (true, 0);
        let ends = self.until(PATIENCE, |run| run.is_done() && run.ports.software.is_idle());
        ends.or_else(|violation| self.with_counters(violation))?;
        self.pause(2_000)?;
        self.until(PATIENCE, Self::is_done)?;
        self.ports.software.ask(Command::Counters);
        self.until(PATIENCE, |run| run.counters.is_some())?;
        let counters = self.counters.take().unwrap_or_default();
        self.books.settle(&counters)
    }

    /// Adds the NIC's counters to a violation.
    fn with_counters(&mut self, mut violation: Violation) -> Checked {
        self.ports.software.ask(Command::Counters);
        self.until(20_000, |run| run.counters.is_some())?;
        let counters = self.counters.take().unwrap_or_default();
        let counters: Vec<_> = counters.into_iter().filter(|(_, count)| *count > 0).collect();
        violation.seen += &format!("; {counters:?}");
        Err(violation)
    }

    pub(super) fn report(&self, operations: u32) -> Report {
        let counts = &self.books.counts;
        let ours = ["egress_data_frames", "egress_ack_frames", "egress_nack_frames"];
        let ours = ours.iter().filter_map(|name| counts.least.get(name)).sum();
        let &Counts { closes, failed, denied, thaws, .. } = counts;
        Report {
            operations,
            clocks: self.ports.clock,
            frames: [counts.frames, ours],
            closes,
            failed,
            denied,
            thaws,
        }
    }

    /// Random marks of one packet.
    pub(super) fn marks(&mut self) -> Marks {
        Marks::random(&mut self.rng)
    }
}

/// Runs these operations of a program against a NIC.
pub(super) fn run<D: Device>(
    device: D,
    terms: &Terms,
    operations: &[Operation],
) -> Result<Report, Box<Failure>> {
    let mut operation = 0;
    let climate = Climate::of(terms.seed);
    let failure =
        |operation, clock, violation| Box::new(Failure { seed: terms.seed, operation, clock, violation });
    let mut run = Run::new(device, terms.seed, climate, terms.manner == Manner::Gentle)
        .map_err(|violation| failure(0, 0, violation))?;
    let mut all = || {
        for next in operations {
            operation = next.number;
            run.perform(next)?;
            run.pause(next.pause)?;
            if run.gentle {
                let ends = run.until(PATIENCE, |run| run.ports.software.is_idle());
                ends.or_else(|violation| run.with_counters(violation))?;
            }
        }
        run.finish()
    };
    let result = all();
    result.map_err(|violation| failure(operation, run.ports.clock, violation))?;
    Ok(run.report(operations.len() as u32))
}
