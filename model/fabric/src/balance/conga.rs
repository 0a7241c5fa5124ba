//! CONGA on two tiers (CONGA section 3): flowlets go to the uplink whose path is least congested.
//! `weft_switch` defines metrics, estimates and cells. This module decides when each switch uses them.

use super::hash::Salted;
use super::{Balancer, Place, Up, draw16};
use crate::packet::{HEADER_BYTES, Packet};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use weft_random::Rng;
use weft_switch::schemes::SchemeError;
use weft_switch::schemes::conga::{self as parts, Dre, Metrics};
use weft_switch::topology::{Failed, Role};

/// Time from the departure of a packet to the update of its uplink's level at the leaf: one pass through the
/// recirculation port (ConWeave section 3.4: a loop of about 1 us).
pub const LOOP_PS: u64 = 1_000_000;

/// The fields of the header. Uplinks count from 1; 0 means no uplink.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Header {
    /// The uplink of the first leaf, 4 bits.
    uplink: u64,
    /// The greatest level of the links so far, 3 bits.
    metric: u64,
    /// The uplink of the last leaf to which the feedback belongs, 4 bits.
    about: u64,
    /// The metric of this uplink, 3 bits.
    feedback: u64,
}

impl Header {
    /// The header as bits of a packet. The bits are not 0, because a header has an uplink.
    fn bits(self) -> u16 {
        (self.uplink | self.metric << 4 | self.about << 7 | self.feedback << 11) as u16
    }

    /// Reads a header from its bits.
    fn of(bits: u16) -> Self {
        let bits = u64::from(bits);
        Self { uplink: bits & 0xF, metric: bits >> 4 & 7, about: bits >> 7 & 0xF, feedback: bits >> 11 & 7 }
    }
}

/// CONGA of one switch.
#[derive(Clone, Debug)]
pub struct Conga {
    dre: Dre,
    /// The estimates: at a leaf for its uplinks, at a spine for its ports.
    loads: Vec<u64>,
    leaf: Option<Box<Leaf>>,
}

/// The state that only a leaf has.
#[derive(Clone, Debug)]
struct Leaf {
    salted: Salted,
    random: Rng,
    gap_clocks: u64,
    age_clocks: u64,
    /// Number of bits of the hash that are an index.
    bits: u32,
    first: u16,
    hosts: u32,
    /// Metrics by leaf: those in packets from that leaf, and those of this leaf's paths to that leaf.
    from: Vec<u64>,
    to: Vec<u64>,
    own: u64,
    flowlets: Vec<u64>,
    /// The uplinks that lead to a leaf, by leaf.
    reach: Vec<u64>,
    /// Levels in the recirculation loop: time, uplink from 1, level.
    reports: BinaryHeap<Reverse<(u64, u64, u64)>>,
}

impl Conga {
    /// Makes the state for a switch.
    ///
    /// # Errors
    /// The errors of `weft_switch` about the options.
    pub fn new(place: &Place, options: &parts::Conga) -> Result<Self, SchemeError> {
        let (topology, up) = (&place.network.topology, place.up());
        let is_leaf = topology.role(place.switch) == Role::Edge;
        let leaf = || Leaf {
            salted: Salted::new(place.hash_seed()),
            random: place.pipe(0),
            gap_clocks: options.gap_clocks,
            age_clocks: options.age_clocks,
            bits: (u32::BITS - options.entries.saturating_sub(1).leading_zeros()).max(1),
            first: topology.up_ports(place.switch).start,
            hosts: topology.hosts_per_edge(),
            from: vec![0; topology.edges() as usize],
            to: vec![0; topology.edges() as usize],
            own: 0,
            flowlets: vec![0; options.entries as usize],
            reach: reach(place, &Failed::new()),
            reports: BinaryHeap::new(),
        };
        let ports = if is_leaf { up } else { topology.ports(place.switch).into() };
        Ok(Self { dre: options.dre()?, loads: vec![0; ports], leaf: is_leaf.then(|| Box::new(leaf())) })
    }
}

/// The uplinks that lead to a leaf, by leaf: one bit for each uplink.
fn reach(place: &Place, failed: &Failed) -> Vec<u64> {
    let topology = &place.network.topology;
    let mask = |leaf| {
        let weights = topology.weights(failed, place.switch, leaf);
        (0..).zip(weights).map(|(up, weight)| u64::from(weight > 0) << up).sum()
    };
    (0..topology.edges()).map(mask).collect()
}

impl Leaf {
    /// Stores the levels that have left the loop by `now_ps`. Each level is handled as one packet, which
    /// draws random bits. Returns the age at `now_ps`.
    fn begin(&mut self, now_ps: u64) -> u64 {
        while let Some(Reverse((at_ps, uplink, level))) = self.reports.peek().copied()
            && at_ps <= now_ps
        {
            self.reports.pop();
            draw16(&mut self.random);
            let mut links = Metrics::of(self.own, self.age(at_ps));
            links.set(uplink - 1, level);
            self.own = links.cell();
        }
        let age = self.age(now_ps);
        self.own = Metrics::of(self.own, age).cell();
        age
    }

    fn age(&self, now_ps: u64) -> u64 {
        (now_ps / 1_000 / self.age_clocks) & 0xF
    }

    /// The uplink of a packet's flowlet. A new flowlet gets the best uplink.
    fn flowlet(&mut self, packet: &Packet, [best, reachable, draw]: [u64; 3]) -> u64 {
        let index = self.salted.hash(packet.hash, packet.ev) >> (u32::BITS - self.bits);
        let (clock, entries) = (packet.time_ps / 1_000, self.flowlets.len());
        let cell = &mut self.flowlets[index as usize % entries];
        let (last, was_used, before) = (*cell >> 16, *cell >> 4 & 1 == 1, *cell & 0xF);
        let is_new = clock.wrapping_sub(last) & (u64::MAX >> 16) > self.gap_clocks;
        let stays = was_used && (if is_new { best } else { reachable }) >> before & 1 == 1;
        let uplink = if stays { before } else { parts::any(best, draw) };
        *cell = clock << 16 | 1 << 4 | uplink;
        uplink
    }
}

impl Balancer for Conga {
    const ORDERED: bool = true;
    const LOADS: bool = false;
    const LEAVES: bool = true;

    fn choose(&mut self, packet: &mut Packet, up: &Up) -> u16 {
        let (uplinks, Some(leaf)) = (self.loads.len(), &mut self.leaf) else { return 0 };
        let age = leaf.begin(up.now_ps);
        let (draw, to) = (u64::from(draw16(&mut leaf.random)), up.target as usize);
        let mut heard = Metrics::of(leaf.from[to], age);
        let [about, feedback] = heard.tell(uplinks);
        leaf.from[to] = heard.cell();
        let paths = Metrics::of(leaf.to[to], age);
        leaf.to[to] = paths.cell();
        let reachable = leaf.reach[to];
        let best = parts::best(Metrics::of(leaf.own, age).all(), paths.all(), reachable);
        let uplink = leaf.flowlet(packet, [best, reachable, draw]);
        packet.header = Header { uplink: uplink + 1, metric: 0, about, feedback }.bits();
        packet.bytes += HEADER_BYTES;
        leaf.first + uplink as u16
    }

    fn pass(&mut self, packet: &mut Packet, down: Option<u16>) {
        let Some(leaf) = &mut self.leaf else { return };
        let age = leaf.begin(packet.time_ps);
        draw16(&mut leaf.random);
        if down.is_none() || packet.header == 0 {
            return;
        }
        let (header, from) = (Header::of(packet.header), (packet.source / leaf.hosts) as usize);
        let mut heard = Metrics::of(leaf.from[from], age);
        heard.set(header.uplink.wrapping_sub(1), header.metric);
        leaf.from[from] = heard.cell();
        let mut paths = Metrics::of(leaf.to[from], age);
        paths.set(header.about.wrapping_sub(1), header.feedback);
        leaf.to[from] = paths.cell();
        packet.header = 0;
        packet.bytes -= HEADER_BYTES;
    }

    fn leave(&mut self, packet: &mut Packet, port: u16, now_ps: u64) {
        if packet.header == 0 {
            return;
        }
        let cell = usize::from(port - self.leaf.as_ref().map_or(0, |leaf| leaf.first));
        let (clock, bytes) = (packet.time_ps / 1_000, packet.bytes - HEADER_BYTES);
        let [level, tells] = self.dre.add(&mut self.loads[cell], clock, bytes.into());
        let mut header = Header::of(packet.header);
        header.metric = header.metric.max(level);
        packet.header = header.bits();
        if let Some(leaf) = &mut self.leaf
            && tells == 1
        {
            leaf.reports.push(Reverse((now_ps + LOOP_PS, header.uplink, level)));
        }
    }

    fn learn(&mut self, place: &Place, failed: &Failed) {
        if let Some(leaf) = &mut self.leaf {
            leaf.reach = reach(place, failed);
        }
    }

    fn registers(&self) -> Vec<(&'static str, Vec<u64>)> {
        let mut all = vec![("load", self.loads.clone())];
        if let Some(leaf) = &self.leaf {
            all.extend([
                ("congestion from leaf", leaf.from.clone()),
                ("congestion to leaf", leaf.to.clone()),
                ("own uplinks", vec![leaf.own]),
                ("flowlets", leaf.flowlets.clone()),
            ]);
        }
        all
    }
}
