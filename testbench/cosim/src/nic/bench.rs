//! The run of a scenario.

use super::capture::Tap;
use super::driver::{Connection, Driver, Identity};
use super::fabric::Network;
use super::fault::{Breach, Fault};
use super::figures::{Bin, Figures, Packets};
use super::host::{Host, Wrong};
use super::ledger::Ledger;
use super::mac::Received;
use super::{Device, NicError, Scenario};
use crate::blocks::reps::stimulus::Rng;
use std::collections::HashSet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use weft_wire::{Body, parse};

/// Clocks of reset.
const RESET_CLOCKS: u64 = 8;
/// Clocks that a run goes on after its last message, so that what comes late is seen.
const LINGER_CLOCKS: u64 = 4_096;
/// Clocks between two looks at whether to go on.
const LOOK_CLOCKS: u64 = 4_096;

pub(super) struct Bench<D, C> {
    scenario: Scenario,
    ledger: Ledger,
    hosts: Vec<Host<D, C>>,
    network: Network,
    taps: Vec<Option<Tap>>,
    figures: Figures,
    /// Data packets that have reached their NIC: NIC, queue pair, PSN.
    arrived: HashSet<(u32, u32, u32)>,
    /// Delivered and sent again at the begin of the bin.
    before: (u64, u64),
}

fn address_of(host: u32, v6: bool) -> IpAddr {
    match v6 {
        false => Ipv4Addr::from(0x0A00_0001 + host).into(),
        true => Ipv6Addr::from((0xFD00 << 112) + 1 + u128::from(host)).into(),
    }
}

fn mac_of(host: u32) -> [u8; 6] {
    let [a, b, c, d] = (host + 1).to_be_bytes();
    [2, 0, a, b, c, d]
}

impl<D: Device, C: Driver> Bench<D, C> {
    pub(super) fn new<E>(
        scenario: &Scenario,
        mut make: impl FnMut(&Identity) -> Result<(D, C), E>,
    ) -> Result<Self, NicError>
    where
        NicError: From<E>,
    {
        let Scenario { nics, seed, connections, mtu, .. } = *scenario;
        let mut rng = Rng::new(seed);
        let mut plan = scenario.workload.plan(nics, rng.draw());
        let memories = std::mem::take(&mut plan.memories);
        let identities: Vec<Identity> = (0..nics)
            .map(|number| Identity {
                number,
                mac: mac_of(number),
                address: address_of(number, scenario.v6),
                qp_base: rng.below((1 << 24) / connections) * connections,
                connections,
                mtu,
                rate: scenario.link.rate,
                base_rtt_clocks: scenario.base_rtt_clocks(),
                trims: scenario.fabric.queue.trims,
                seed: rng.draw(),
            })
            .collect();
        let mut hosts = Vec::new();
        for (identity, memory) in identities.iter().zip(memories) {
            let made = make(identity)?;
            let rng = Rng::new(rng.draw());
            hosts.push(Host::new(identity.number, made, memory, scenario.link, scenario.host, rng));
        }

        // Connections lie anywhere.
        let mut free: Vec<Vec<u32>> = vec![(0..connections).collect(); nics as usize];
        let mut numbers = Vec::new();
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
                    tag: scenario.tag,
                    peer_qp: peer.qp_base + number[1 - side],
                    send_psn: psns[side] & 0xFF_FFFF,
                    receive_psn: psns[1 - side] & 0xFF_FFFF,
                    region_base: host.memory.base(),
                    region_length: host.memory.len() as u32,
                    region_key: keys[side],
                    ev: 0xC000 | rng.draw() as u16,
                };
                host.connect(&connection, keys[1 - side]);
            }
            numbers.push(number);
        }

        let addresses: Vec<IpAddr> = identities.iter().map(|identity| identity.address).collect();
        let rng = Rng::new(rng.draw());
        let network = Network::new(scenario.fabric, &addresses, scenario.link.rate, rng);
        let comment = scenario.comment();
        let tap =
            |nic| scenario.capture.as_deref().map(|folder| Tap::create(folder, nic, &comment)).transpose();
        Ok(Self {
            ledger: Ledger::new(plan, mtu, &numbers),
            taps: (0..nics).map(tap).collect::<Result<_, _>>()?,
            scenario: scenario.clone(),
            hosts,
            network,
            figures: Figures { bin_clocks: scenario.bin_clocks, ..Figures::default() },
            arrived: HashSet::new(),
            before: (0, 0),
        })
    }

    fn fault(&self, clock: u64, nic: u32, breach: Breach) -> NicError {
        NicError::Fault { seed: self.scenario.seed, fault: Fault { clock, nic, breach } }
    }

    pub(super) fn run(mut self, mut go_on: impl FnMut(&Figures) -> bool) -> Result<Figures, NicError> {
        for host in &mut self.hosts {
            for _ in 0..RESET_CLOCKS {
                let nic = host.number;
                host.reset().map_err(|error| NicError::Device { nic, error })?;
            }
        }
        let mut clock = RESET_CLOCKS;
        let mut end = None;
        loop {
            self.clock(clock)?;
            clock += 1;
            if clock.is_multiple_of(self.scenario.bin_clocks) {
                self.close_bin();
            }
            if self.figures.begin.is_none() && self.hosts.iter().all(|host| host.driver.is_idle()) {
                self.figures.begin = Some(clock);
                self.ledger.begin(clock);
                self.hosts.iter_mut().for_each(|host| host.begin(&self.ledger));
            }
            let left = self.ledger.left();
            if left == 0 && end.is_none() {
                self.figures.finish = Some(clock);
                end = Some(clock + LINGER_CLOCKS);
                self.hosts.iter_mut().for_each(|host| host.driver.read_counters());
            }
            if end.is_some_and(|end| clock >= end) && self.is_quiet() {
                break;
            }
            let idle = self.ledger.idle_clocks(clock);
            if idle > self.scenario.patience_clocks {
                let (breach, nic) = (Breach::Stuck { clocks: idle, left }, self.stuck_nic());
                return Err(self.fault(clock, nic, breach));
            }
            if clock.is_multiple_of(LOOK_CLOCKS) {
                self.update(clock);
                if !go_on(&self.figures) {
                    return self.finish(clock);
                }
            }
        }
        let result = self.ledger.finish(|host| &self.hosts[host as usize].memory);
        result.map_err(|(nic, breach)| self.fault(clock, nic, breach))?;
        self.finish(clock)
    }

    /// Who still has to bring its registers up, else the first.
    fn stuck_nic(&self) -> u32 {
        self.hosts.iter().position(|host| !host.driver.is_idle()).unwrap_or(0) as u32
    }

    /// Nothing is under way outside of the NICs.
    fn is_quiet(&self) -> bool {
        let quiet = |host: &Host<D, C>| {
            host.up.is_empty() && host.down.is_empty() && host.incoming.is_empty() && host.driver.is_idle()
        };
        self.network.is_empty() && self.hosts.iter().all(quiet)
    }

    fn clock(&mut self, clock: u64) -> Result<(), NicError> {
        let hosts = &mut self.hosts;
        self.network.clock(clock, |host, frame| hosts[host as usize].down.send(clock, frame));
        for nic in 0..self.hosts.len() {
            while let Some(frame) = self.hosts[nic].down.deliver(clock) {
                self.arrives(clock, nic, &frame)?;
                self.hosts[nic].incoming.push(&frame);
            }
            let host = &mut self.hosts[nic];
            let number = host.number;
            let sent = match host.clock(clock, &mut self.ledger) {
                Ok(sent) => sent,
                Err(Wrong::Breach(breach)) => return Err(self.fault(clock, number, breach)),
                Err(Wrong::Device(error)) => return Err(NicError::Device { nic: number, error }),
            };
            if let Some(frame) = sent {
                self.leaves(clock, nic, &frame)?;
                self.hosts[nic].up.send(clock, frame);
            }
            while let Some(frame) = self.hosts[nic].up.deliver(clock) {
                self.network.enter(clock, number, frame);
            }
        }
        Ok(())
    }

    fn tap(&mut self, clock: u64, nic: usize, frame: &Received) -> Result<(), NicError> {
        if let Some(tap) = &mut self.taps[nic] {
            tap.write(clock, &frame.bytes, frame.bad.then_some("wrong FCS"))?;
        }
        Ok(())
    }

    /// A frame has left a NIC.
    fn leaves(&mut self, clock: u64, nic: usize, frame: &Received) -> Result<(), NicError> {
        self.tap(clock, nic, frame)?;
        let Packets { data, retransmissions, acks, nacks, .. } = &mut self.figures.packets;
        if let Ok(packet) = parse(&frame.bytes) {
            match packet.body {
                Body::Data(_) => {
                    *data += 1;
                    *retransmissions += u64::from(packet.bth.retransmission());
                }
                Body::Ack(_) => *acks += 1,
                Body::Nack(_) => *nacks += 1,
                _ => {}
            }
        }
        Ok(())
    }

    /// A frame reaches a NIC.
    fn arrives(&mut self, clock: u64, nic: usize, frame: &Received) -> Result<(), NicError> {
        self.tap(clock, nic, frame)?;
        let intact = !frame.bad && weft_wire::icrc::icrc_ok(&frame.bytes) != Some(false);
        if intact && let Ok(packet) = parse(&frame.bytes) {
            match packet.body {
                Body::Data(_) => {
                    let fresh = self.arrived.insert((nic as u32, packet.dest_qp(), packet.psn()));
                    self.figures.packets.duplicates += u64::from(!fresh);
                }
                Body::Trimmed(_) => self.figures.packets.trimmed += 1,
                _ => {}
            }
        }
        Ok(())
    }

    fn close_bin(&mut self) {
        let now = (self.ledger.delivered, self.figures.packets.retransmissions);
        let (paths, hosts) = self.network.harvest();
        let before = std::mem::replace(&mut self.before, now);
        let (delivered, retransmissions) = (now.0 - before.0, now.1 - before.1);
        self.figures.bins.push(Bin { delivered, retransmissions, paths, hosts });
    }

    fn update(&mut self, clock: u64) {
        let figures = &mut self.figures;
        (figures.clocks, figures.left) = (clock, self.ledger.left());
        (figures.delivered, figures.strays) = (self.ledger.delivered, self.network.strays);
        figures.messages = self.ledger.times();
        figures.packets.late_fetches = self.ledger.late_fetches;
        figures.packets.bypassed = self.hosts.iter().map(|host| host.bypassed).sum();
        figures.links = Default::default();
        for host in &self.hosts {
            figures.links += host.up.counts;
            figures.links += host.down.counts;
        }
    }

    fn finish(mut self, clock: u64) -> Result<Figures, NicError> {
        if !clock.is_multiple_of(self.scenario.bin_clocks) {
            self.close_bin();
        }
        self.update(clock);
        self.figures.counters = self.hosts.iter().map(|host| host.driver.counters()).collect();
        for tap in self.taps.into_iter().flatten() {
            tap.finish()?;
        }
        Ok(self.figures)
    }
}
