//! A run: two cards, the wire between them, and the report.

use super::block::Block;
use super::books::{Books, key, region};
use super::card::{Card, Wrong};
use super::frames::Frames;
use super::reads::Reads;
use super::ring::Queues;
use super::writes::Writes;
use crate::host::driver::{Connection, Driver, Identity};
use crate::host::mac::{Incoming, Outgoing};
use crate::host::registers::{RegisterDriver, configuration};
use crate::network::counts::LinkCounts;
use crate::network::link::{Impairments, Link};
use crate::network::pace::{CLOCK_NS, OVERHEAD, Rate};
use crate::network::seam::Network;
use std::sync::Arc;
use verilator_sys::{Library, Reset};
use weft_params::EvMode;
use weft_random::Rng;
use weft_wire::icrc;

/// Connections that have messages, of the 256 of the committed NIC.
const CONNECTIONS: u32 = 32;
/// Payload bytes of a full packet.
const MTU: u32 = 4096;
/// Clocks of the wire, 1 us.
const WIRE_CLOCKS: u64 = 250;
/// A round trip: DMA, two NICs, two wires, their longest frames.
const BASE_RTT_CLOCKS: u64 = 1_600;
/// Clocks without a byte or a completion after which a run has failed.
const PATIENCE_CLOCKS: u64 = 1_000_000;

/// Settings of a run.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Bytes of payload that each card sends to the other.
    pub bytes: u64,
    /// Faults of the wire on the NICs' frames.
    pub impairments: Impairments,
    /// Share of clocks in which a handshake of the DMA engine waits.
    pub stalls: f64,
    /// Seed of everything random.
    pub seed: u64,
}

impl Setting {
    /// A wire that loses one frame in 200 and applies every other fault to one frame in 200 or fewer.
    pub fn new(bytes: u64, seed: u64) -> Self {
        let impairments = Impairments {
            loss: 0.005,
            duplicate: 0.002,
            reorder: 0.02,
            reorder_clocks: 500,
            corrupt: 0.002,
            damage: 0.002,
        };
        Self { bytes, impairments, stalls: 0.1, seed }
    }
}

/// Report of a run.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Clocks from the first message on.
    pub clocks: u64,
    /// Bytes of payload in memory, of both cards, each compared.
    pub bytes: u64,
    /// Messages that ended.
    pub messages: u64,
    /// Counts of the NICs' frames on the wire.
    pub wire: LinkCounts,
    /// Frames of the hosts on the wire, those lost, and those that arrived unharmed.
    pub host_frames: [u64; 3],
    /// Damaged frames of the NICs that were passed to the host, because they looked like another host's
    /// frames.
    pub strays: u64,
    /// Pieces of DMA reads, of at most 64 bytes, for messages whose completion the host already had. Such
    /// reads return other bytes.
    pub late_reads: u64,
    /// DMA reads that failed.
    pub failed_reads: u64,
    /// Times that a connection began to freeze its EVs.
    pub freezes: u64,
    /// Maximum numbers of reads and writes in progress on a card.
    pub most: [usize; 2],
    /// Counters of both NICs, summed.
    pub counters: Vec<(String, u64)>,
}

impl Report {
    /// Payload rate in Gb/s that each card sent.
    pub fn gbps(&self) -> f64 {
        self.bytes as f64 * 8.0 / 2.0 / (self.clocks * CLOCK_NS) as f64
    }

    /// Value of a counter.
    pub fn counter(&self, name: &str) -> u64 {
        self.counters.iter().find(|(own, _)| own == name).map_or(0, |(_, value)| *value)
    }
}

/// Reason why there is no report.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// The RTL could not be built or run.
    #[error(transparent)]
    Rtl(#[from] verilator_sys::Error),
    /// The NIC has no such configuration.
    #[error(transparent)]
    Param(#[from] weft_params::ParamError),
    /// An observation violates a rule.
    #[error("seed {seed}, clock {clock}, card {card}: {what}")]
    Seen {
        /// Seed of the run.
        seed: u64,
        /// Clock of the violation.
        clock: u64,
        /// Number of the card.
        card: usize,
        /// Observation and rule.
        what: String,
    },
}

/// MAC and IPv4 address of a card. The card's host has the same addresses.
fn addresses(card: usize) -> ([u8; 6], [u8; 4]) {
    ([2, 0, 0, 0, 0, 1 + card as u8], [10, 0, 0, 1 + card as u8])
}

fn identity(card: usize, seed: u64) -> Identity {
    let (mac, address) = addresses(card);
    Identity {
        number: card as u32,
        mac,
        address: std::net::Ipv4Addr::from(address).into(),
        qp_base: 0x300,
        connections: CONNECTIONS,
        mtu: MTU,
        rate: Rate::GBPS_100,
        base_rtt_clocks: BASE_RTT_CLOCKS,
        trims: false,
        pauses: false,
        seed: seed ^ card as u64,
    }
}

fn card(
    library: &Arc<Library>,
    number: usize,
    Setting { seed, stalls, .. }: Setting,
) -> Result<Card, Failure> {
    let rng = |what: u64| Rng::of(&[seed, number as u64, what]);
    let own = identity(number, seed);
    let mut driver = RegisterDriver::new(&own, &configuration(&own, EvMode::Reps)?);
    let peer = identity(1 - number, seed);
    for connection in 0..CONNECTIONS {
        let psn = |from: usize| Rng::of(&[seed, from as u64, connection.into(), 3]).below(1 << 24);
        let (region_base, region_length) = region(connection);
        driver.connect(&Connection {
            number: connection,
            peer_mac: peer.mac,
            peer_address: peer.address,
            tag: None,
            class: 0,
            ev: 0,
            peer_qp: peer.qp_base + connection,
            send_psn: psn(number),
            receive_psn: psn(1 - number),
            region_base,
            region_length,
            region_key: key(number, connection),
        });
    }
    Ok(Card {
        block: Block::new(library.instance(Reset::Random(rng(15).draw() as u32))?)?,
        queues: Queues::new(number, driver, rng(10)),
        reads: Reads::new(number, stalls, rng(11)),
        writes: Writes::new(number, stalls, rng(12)),
        frames: Frames::new(addresses(number), addresses(1 - number), rng(13)),
        incoming: Incoming::new(Rate::GBPS_100, OVERHEAD as i64),
        outgoing: Outgoing::new(Rate::GBPS_100, OVERHEAD as i64),
        rng: rng(14),
    })
}

/// Both cards and the wires between them.
struct Run {
    setting: Setting,
    cards: [Card; 2],
    books: Books,
    /// Links by the card that sends: for the NICs' frames, and for the hosts' frames.
    ours: [Link; 2],
    hosts: [Link; 2],
    clock: u64,
}

impl Run {
    fn clock(&mut self, more: bool) -> Result<(), Failure> {
        for number in 0..2 {
            while let Some(frame) = self.ours[1 - number].deliver(self.clock) {
                if !frame.bad && icrc::icrc_ok(&frame.bytes) != Some(true) {
                    self.cards[number].frames.damaged(&frame);
                }
                self.cards[number].incoming.push(&frame);
            }
            while let Some(frame) = self.hosts[1 - number].deliver(self.clock) {
                self.cards[number].frames.comes(&frame);
                self.cards[number].incoming.push(&frame);
            }
            let sent = self.cards[number].clock(self.clock, &mut self.books, more);
            match sent.map_err(|wrong| self.failure(number, wrong))? {
                Some((frame, 0)) => self.ours[number].send(self.clock, 0, frame),
                Some((frame, _)) => self.hosts[number].send(self.clock, 0, frame),
                None => {}
            }
        }
        self.clock += 1;
        Ok(())
    }

    fn failure(&self, card: usize, wrong: Wrong) -> Failure {
        match wrong {
            Wrong::Rtl(error) => Failure::Rtl(error),
            Wrong::Told(what) => Failure::Seen { seed: self.setting.seed, clock: self.clock, card, what },
        }
    }

    /// Runs until `is_so` is true.
    fn until(&mut self, more: bool, is_so: impl Fn(&Self) -> bool, what: &str) -> Result<(), Failure> {
        let mut progress = (self.clock, 0, 0);
        while !is_so(self) {
            self.clock(more)?;
            if (self.books.bytes, self.books.messages) != (progress.1, progress.2) {
                progress = (self.clock, self.books.bytes, self.books.messages);
            }
            if self.clock - progress.0 > PATIENCE_CLOCKS {
                return Err(self.failure(0, Wrong::Told(format!("{what} has not come"))));
            }
        }
        Ok(())
    }

    fn is_quiet(&self) -> bool {
        let wires = self.ours.iter().chain(&self.hosts);
        wires.into_iter().all(Link::is_empty)
            && self
                .cards
                .iter()
                .all(|card| card.queues.is_idle() && card.frames.is_done() && card.incoming.is_empty())
    }
}

/// Runs to the end. The run calls `progress` with the bytes in memory.
pub fn run(
    library: &Arc<Library>,
    setting: Setting,
    mut progress: impl FnMut(u64),
) -> Result<Report, Failure> {
    let Setting { bytes, impairments, seed, .. } = setting;
    let link = |of: Impairments, number: u64| Link::new(WIRE_CLOCKS, of, Rng::of(&[seed, number, 4]));
    let of_hosts =
        Impairments { loss: impairments.loss, corrupt: impairments.corrupt, ..Impairments::default() };
    let mut run = Run {
        setting,
        cards: [card(library, 0, setting)?, card(library, 1, setting)?],
        books: Books::new(CONNECTIONS, MTU, 0, seed),
        ours: [link(impairments, 0), link(impairments, 1)],
        hosts: [link(of_hosts, 2), link(of_hosts, 3)],
        clock: 0,
    };
    for number in 0..2 {
        run.cards[number].reset().map_err(|wrong| run.failure(number, wrong))?;
    }
    run.until(false, |run| run.cards.iter().all(|card| card.queues.nic.is_idle()), "the end of a command")?;
    run.books = Books::new(CONNECTIONS, MTU, bytes, seed);
    let begin = run.clock;
    while !run.books.is_done() {
        let mark = run.clock + (1 << 16);
        run.until(true, |run| run.books.is_done() || run.clock >= mark, "a message")?;
        progress(run.books.bytes);
    }
    let clocks = run.clock - begin;
    for card in &mut run.cards {
        card.queues.check();
        card.queues.nic.read_counters();
    }
    run.until(false, Run::is_quiet, "a frame of a host")?;
    let mut report = Report {
        clocks,
        bytes: run.books.bytes,
        messages: run.books.messages,
        late_reads: run.books.late_reads,
        freezes: run.books.freezes,
        counters: run.cards[0].queues.nic.counters(),
        ..Report::default()
    };
    for (own, (_, other)) in report.counters.iter_mut().zip(run.cards[1].queues.nic.counters()) {
        own.1 += other;
    }
    report.wire = run.ours.iter().map(Link::counts).sum();
    for (card, wire) in run.cards.iter().zip(&run.hosts) {
        let LinkCounts { frames, lost, corrupted, .. } = wire.counts();
        for (sum, more) in report.host_frames.iter_mut().zip([frames, lost + corrupted, card.frames.came]) {
            *sum += more;
        }
        report.strays += card.frames.strays;
        report.failed_reads += card.reads.failed;
        report.most = [report.most[0].max(card.reads.most), report.most[1].max(card.writes.most)];
    }
    Ok(report)
}
