//! The run of a scenario.

use super::capture::Tap;
use super::error::NicError;
use super::figures::{Bin, Figures, Packets};
use super::host::{Host, HostSettings, LinkSettings};
use super::station::{self, Station};
use crate::host::breach::{Breach, Fault};
use crate::host::device::Device;
use crate::host::driver::{Connection, Driver, Identity};
use crate::host::ledger::{Ledger, open};
use crate::network::seam::{Frame, Network};
use crate::workload::plan::Plan;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Mutex;
use weft_random::Rng;

/// Clocks of reset.
const RESET_CLOCKS: u64 = 8;
/// Number of clocks for which a run continues after its last message, to see late frames.
const LINGER_CLOCKS: u64 = 4_096;
/// Clocks between two calls of `go_on`.
const LOOK_CLOCKS: u64 = 4_096;

/// Settings of a run that do not depend on the network.
pub(crate) struct Terms {
    pub(crate) nics: u32,
    pub(crate) connections: u32,
    pub(crate) host: HostSettings,
    pub(crate) link: LinkSettings,
    pub(crate) mtu: u32,
    pub(crate) v6: bool,
    pub(crate) tag: Option<u16>,
    pub(crate) base_rtt_clocks: u64,
    pub(crate) trims: bool,
    /// Whether switches pause each other (PFC) before they would have to drop a packet.
    pub(crate) pauses: bool,
    pub(crate) seed: u64,
    pub(crate) bin_clocks: u64,
    pub(crate) patience_clocks: u64,
    pub(crate) capture: Option<PathBuf>,
    /// Comment for captures.
    pub(crate) comment: String,
    /// Clocks that hosts run between exchanges with the network: at most the latency of their wires.
    pub(crate) window_clocks: u64,
    /// Threads that hosts run on.
    pub(crate) threads: usize,
}

pub(crate) struct Bench<D, C, N> {
    terms: Terms,
    ledger: Mutex<Ledger>,
    stations: Vec<Station<D, C>>,
    network: N,
    figures: Figures,
    /// Bytes delivered and packets sent again at the beginning of the bin.
    before: (u64, u64),
}

pub(crate) fn address_of(host: u32, v6: bool) -> IpAddr {
    match v6 {
        false => Ipv4Addr::from(0x0A00_0001 + host).into(),
        true => Ipv6Addr::from((0xFD00 << 112) + 1 + u128::from(host)).into(),
    }
}

pub(crate) fn mac_of(host: u32) -> [u8; 6] {
    let [a, b, c, d] = (host + 1).to_be_bytes();
    [2, 0, a, b, c, d]
}

impl<D: Device + Send, C: Driver + Send, N: Network<Frame>> Bench<D, C, N> {
    /// Makes hosts and connections. `network` makes the network between hosts with these addresses.
    pub(crate) fn new<E>(
        terms: Terms,
        mut plan: Plan,
        mut rng: Rng,
        mut make: impl FnMut(&Identity) -> Result<(D, C), E>,
        network: impl FnOnce(&[IpAddr], Rng) -> N,
    ) -> Result<Self, NicError>
    where
        NicError: From<E>,
    {
        let Terms { nics, connections, mtu, .. } = terms;
        let memories = std::mem::take(&mut plan.memories);
        let identities: Vec<Identity> = (0..nics)
            .map(|number| Identity {
                number,
                mac: mac_of(number),
                address: address_of(number, terms.v6),
                qp_base: rng.below((1 << 24) / connections) * connections,
                connections,
                mtu,
                rate: terms.link.rate,
                base_rtt_clocks: terms.base_rtt_clocks,
                trims: terms.trims,
                pauses: terms.pauses,
                seed: rng.draw(),
            })
            .collect();
        let mut hosts = Vec::new();
        for (identity, memory) in identities.iter().zip(memories) {
            let made = make(identity)?;
            let rng = Rng::new(rng.draw());
            hosts.push(Host::new(identity.number, made, memory, terms.link, terms.host, rng));
        }

        // Connections have random numbers.
        let mut free: Vec<Vec<u32>> = vec![(0..connections).collect(); nics as usize];
        let (mut numbers, mut flows) = (Vec::new(), Vec::new());
        for pairing in &plan.pairings {
            let number = pairing.hosts.map(|host| {
                let free = &mut free[host as usize];
                free.swap_remove(rng.below(free.len() as u32) as usize)
            });
            let [keys, psns] = [0; 2].map(|_| [rng.draw() as u32, rng.draw() as u32]);
            for side in [0, 1] {
                let peer = &identities[pairing.hosts[1 - side] as usize];
                let host = &mut hosts[pairing.hosts[side] as usize];
                let connection = Connection {
                    number: number[side],
                    peer_mac: peer.mac,
                    peer_address: peer.address,
                    tag: terms.tag,
                    peer_qp: peer.qp_base + number[1 - side],
                    send_psn: psns[side] & 0xFF_FFFF,
                    receive_psn: psns[1 - side] & 0xFF_FFFF,
                    region_base: host.memory.base(),
                    region_length: host.memory.len() as u32,
                    region_key: keys[side],
                    class: 0,
                    ev: 0xC000 | rng.draw() as u16,
                };
                host.connect(&connection, keys[1 - side]);
                flows.push((pairing.hosts[side], pairing.hosts[1 - side], connection.ev));
            }
            numbers.push(number);
        }

        let addresses: Vec<IpAddr> = identities.iter().map(|identity| identity.address).collect();
        let mut network = network(&addresses, Rng::new(rng.draw()));
        network.connect(&flows);
        let legs = plan.legs();
        let station = |host: Host<D, C>| {
            let folder = terms.capture.as_deref();
            let tap = folder.map(|folder| Tap::create(folder, host.number, &terms.comment)).transpose()?;
            Ok(Station::new(host, tap))
        };
        Ok(Self {
            ledger: Mutex::new(Ledger::new(plan, mtu, &numbers)),
            stations: hosts.into_iter().map(station).collect::<Result<_, NicError>>()?,
            network,
            figures: Figures { bin_clocks: terms.bin_clocks, legs, ..Figures::default() },
            terms,
            before: (0, 0),
        })
    }

    fn fault(&self, clock: u64, nic: u32, breach: Breach) -> NicError {
        NicError::Fault { seed: self.terms.seed, fault: Fault { clock, nic, breach } }
    }

    /// Runs to the end, or until `go_on` returns `false`. Also returns the network. Captures are complete
    /// even after a failure.
    pub(crate) fn run(self, go_on: impl FnMut(&Figures) -> bool) -> Result<(Figures, N), NicError> {
        let (figures, network, failure) = self.attempt(go_on);
        failure.map_or(Ok((figures, network)), Err)
    }

    /// Like [`Self::run`]. Figures and network are also returned after a failure, in the state in which the
    /// failure was found.
    pub(crate) fn attempt(mut self, go_on: impl FnMut(&Figures) -> bool) -> (Figures, N, Option<NicError>) {
        let ended = self.drive(go_on);
        let taps = self.stations.iter_mut().filter_map(|station| station.tap.take());
        let captured = taps.map(Tap::finish).fold(Ok(()), Result::and);
        let clock = match &ended {
            Ok(clock) => *clock,
            Err(NicError::Fault { fault, .. }) => fault.clock,
            Err(_) => self.figures.clocks,
        };
        let failure = ended.map(drop).and(captured.map_err(NicError::from)).err();
        let (figures, network) = self.finish(clock);
        (figures, network, failure)
    }

    /// Runs the clocks. Returns their number.
    fn drive(&mut self, mut go_on: impl FnMut(&Figures) -> bool) -> Result<u64, NicError> {
        for Station { host, .. } in &mut self.stations {
            for _ in 0..RESET_CLOCKS {
                let nic = host.number;
                host.card.reset().map_err(|error| NicError::Device { nic, error })?;
            }
        }
        let Terms { bin_clocks, window_clocks, patience_clocks, .. } = self.terms;
        let mut clock = RESET_CLOCKS;
        let mut end = None;
        loop {
            let after = |period: u64| (clock + 1).next_multiple_of(period);
            let until = (clock + window_clocks.max(1)).min(after(bin_clocks)).min(after(LOOK_CLOCKS));
            self.window(clock..until)?;
            clock = until;
            if clock.is_multiple_of(bin_clocks) {
                self.close_bin();
            }
            let Self { stations, ledger, figures, .. } = self;
            if figures.begin.is_none() && stations.iter().all(|station| station.host.card.driver.is_idle()) {
                figures.begin = Some(clock);
                open(ledger).begin(clock);
                stations.iter_mut().for_each(|station| station.host.begin(&open(ledger)));
            }
            let (left, idle, progress) = {
                let ledger = open(ledger);
                (ledger.left(), ledger.idle_clocks(clock), ledger.progress())
            };
            if left == 0 && end.is_none() {
                figures.finish = Some(progress + 1);
                end = Some(clock + LINGER_CLOCKS);
                stations.iter_mut().for_each(|station| station.host.card.driver.read_counters());
            }
            if end.is_some_and(|end| clock >= end) && self.is_quiet() {
                break;
            }
            if idle > patience_clocks {
                let (breach, nic) = (Breach::Stuck { clocks: idle, left }, self.stuck_nic());
                return Err(self.fault(clock, nic, breach));
            }
            if clock.is_multiple_of(LOOK_CLOCKS) {
                self.update(clock);
                if !go_on(&self.figures) {
                    return Ok(clock);
                }
            }
        }
        let result = open(&self.ledger).finish(|host| &self.stations[host as usize].host.memory);
        result.map_err(|(nic, breach)| self.fault(clock, nic, breach))?;
        Ok(clock)
    }

    /// The first NIC whose driver is still busy, or else the first NIC.
    fn stuck_nic(&self) -> u32 {
        let busy = |station: &Station<D, C>| !station.host.card.driver.is_idle();
        self.stations.iter().position(busy).unwrap_or(0) as u32
    }

    /// Whether no frame is in transit outside of the NICs.
    fn is_quiet(&self) -> bool {
        self.network.is_empty() && self.stations.iter().all(Station::is_quiet)
    }

    /// Lets hosts run for a window, then the network. Frames that a host sends in the window arrive after the
    /// window.
    fn window(&mut self, clocks: Range<u64>) -> Result<(), NicError> {
        let Self { stations, network, ledger, terms, .. } = self;
        station::run(stations, &clocks, terms.seed, ledger, terms.threads)?;
        open(ledger).tell_triggers();
        for clock in clocks {
            network.poll(clock, &mut |host, frame| stations[host as usize].host.down.send(clock, 0, frame));
            for Station { host, .. } in stations.iter_mut() {
                host.up.poll(clock, &mut |_, frame| network.send(clock, host.number, frame));
            }
        }
        network.fault().map_or(Ok(()), |what| Err(NicError::Fabric(what)))
    }

    fn packets(&self) -> Packets {
        let mut packets: Packets = self.stations.iter().map(|station| station.packets).sum();
        packets.late_fetches = open(&self.ledger).late_fetches;
        packets.bypassed = self.stations.iter().map(|station| station.host.card.bypassed).sum();
        packets
    }

    fn close_bin(&mut self) {
        let delivered = open(&self.ledger).delivered;
        let now = (delivered, self.packets().retransmissions);
        let (paths, hosts) = self.network.harvest();
        let before = std::mem::replace(&mut self.before, now);
        let (delivered, retransmissions) = (now.0 - before.0, now.1 - before.1);
        self.figures.bins.push(Bin { delivered, retransmissions, paths, hosts });
    }

    fn update(&mut self, clock: u64) {
        self.figures.packets = self.packets();
        let Self { figures, ledger, .. } = self;
        let ledger = open(ledger);
        (figures.clocks, figures.left) = (clock, ledger.left());
        (figures.delivered, figures.strays) = (ledger.delivered, self.network.strays());
        figures.messages = ledger.times();
        let links = |Station { host, .. }: &Station<D, C>| [host.up.counts(), host.down.counts()];
        figures.links = self.stations.iter().flat_map(links).sum();
    }

    fn finish(mut self, clock: u64) -> (Figures, N) {
        if !clock.is_multiple_of(self.terms.bin_clocks) {
            self.close_bin();
        }
        self.update(clock);
        let counters = self.stations.iter().map(|station| station.host.card.driver.counters());
        self.figures.counters = counters.collect();
        (self.figures, self.network)
    }
}
