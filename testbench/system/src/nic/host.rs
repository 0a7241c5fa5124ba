//! A host: a NIC, the memory and the DMA engine behind it, the MAC and the wires in front of it.

use crate::host::breach::Breach;
use crate::host::card::{Card, Software, Wrong};
use crate::host::device::Device;
use crate::host::dma::Written;
use crate::host::driver::{Connection, Driver};
use crate::host::ledger::{Ledger, open};
use crate::memory::Memory;
use crate::network::link::{Impairments, Link};
use crate::network::pace::{OVERHEAD, Rate};
use crate::network::seam::Frame;
use serde::Serialize;
use std::borrow::Cow;
use std::sync::Mutex;
use weft_nic::words::{Place, Received, Sent, Work};
use weft_random::Rng;

/// Timing of a host's memory.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct HostSettings {
    /// Clocks from a DMA read request to its data.
    pub dma_latency_clocks: u64,
    /// Share of clocks in which a stream to the host stalls, or read data is late. Each stream stalls
    /// independently.
    pub stalls: f64,
}

impl Default for HostSettings {
    /// 0.8 us over PCIe; no stalls.
    fn default() -> Self {
        Self { dma_latency_clocks: 200, stalls: 0.0 }
    }
}

/// A wire to the fabric and back.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LinkSettings {
    /// Rate of the wire.
    pub rate: Rate,
    /// Clocks from end to end.
    pub latency_clocks: u64,
    /// Faults of the wire.
    pub impairments: Impairments,
}

impl Default for LinkSettings {
    /// 100 Gb/s, 0.5 us, no faults.
    fn default() -> Self {
        Self { rate: Rate::GBPS_100, latency_clocks: 125, impairments: Impairments::default() }
    }
}

/// A host with its NIC.
pub(crate) struct Host<D, C> {
    pub(crate) number: u32,
    pub(crate) card: Card<D, C>,
    pub(crate) memory: Memory,
    /// Links to the fabric, and from it.
    pub(crate) up: Link,
    pub(crate) down: Link,
    /// Keys that the peers expect, by connection.
    keys: Vec<(u32, u32)>,
    /// Connections with messages to send, and the place of the connection whose turn is next.
    senders: Vec<u32>,
    turn: usize,
}

impl<D: Device, C: Driver> Host<D, C> {
    pub(crate) fn new(
        number: u32,
        made: (D, C),
        memory: Memory,
        link: LinkSettings,
        settings: HostSettings,
        mut rng: Rng,
    ) -> Self {
        let mut wire = || Link::new(link.latency_clocks, link.impairments, Rng::new(rng.draw()));
        let (up, down) = (wire(), wire());
        let wire = (link.rate, OVERHEAD as i64);
        Self {
            number,
            card: Card::new(made, wire, settings.dma_latency_clocks, (settings.stalls, rng)),
            memory,
            up,
            down,
            keys: Vec::new(),
            senders: Vec::new(),
            turn: 0,
        }
    }

    /// Requests a connection from the driver. `peer_key` is the key of its messages.
    pub(crate) fn connect(&mut self, connection: &Connection, peer_key: u32) {
        self.card.driver.connect(connection);
        self.keys.push((connection.number, peer_key));
    }

    /// Begins to post messages.
    pub(crate) fn begin(&mut self, ledger: &Ledger) {
        self.senders = ledger.senders(self.number);
    }

    /// One clock. Returns the frame whose last word leaves the NIC in this clock.
    pub(crate) fn clock(&mut self, clock: u64, ledger: &Mutex<Ledger>) -> Result<Option<Frame>, Wrong> {
        let Self { number, card, memory, keys, senders, turn, .. } = self;
        card.clock(clock, &mut Desk { host: *number, memory, keys, senders, turn, ledger })
    }
}

/// Software of the host: it follows the ledger, with the bytes of the host's memory.
struct Desk<'a> {
    host: u32,
    memory: &'a mut Memory,
    keys: &'a [(u32, u32)],
    senders: &'a [u32],
    turn: &'a mut usize,
    ledger: &'a Mutex<Ledger>,
}

impl Software for Desk<'_> {
    /// Next work request, of the connections in turn.
    fn next_work(&mut self, clock: u64) -> Option<(u32, Work)> {
        if self.senders.is_empty() {
            return None;
        }
        let mut ledger = open(self.ledger);
        for _ in 0..self.senders.len() {
            let connection = self.senders[*self.turn % self.senders.len()];
            *self.turn += 1;
            if let Some(message) = ledger.next(clock, self.host, connection) {
                let key = self.keys.iter().find(|(number, _)| *number == connection).map(|(_, key)| *key);
                let work = ledger.post(clock, message, key.unwrap_or_default(), self.memory);
                return Some((connection, work));
            }
        }
        None
    }

    fn fetch(&mut self, connection: u32, Place { address, bytes }: Place) -> Result<Cow<'_, [u8]>, Breach> {
        let is_late = open(self.ledger).fetch(self.host, connection, address, bytes)?;
        let missing = Breach::Fetch { connection, address, bytes };
        let found = self.memory.read(address, bytes.into()).ok_or(missing)?;
        // Software that has the message's completion has overwritten the bytes.
        Ok(if is_late { found.iter().map(|byte| !byte).collect() } else { Cow::Borrowed(found) })
    }

    fn write(&mut self, clock: u64, packet: &Written) -> Result<(), Breach> {
        let Written { connection, address, ref bytes } = *packet;
        let count = bytes.len() as u16;
        open(self.ledger).write(clock, self.host, connection, address, count)?;
        if !self.memory.write(address, bytes) {
            return Err(Breach::Misplaced { connection, address, bytes: count });
        }
        Ok(())
    }

    fn received(&mut self, clock: u64, connection: u32, word: Received) -> Result<(), Breach> {
        open(self.ledger).received(clock, self.host, connection, word, self.memory)
    }

    fn sent(&mut self, clock: u64, connection: u32, word: Sent) -> Result<(), Breach> {
        open(self.ledger).sent(clock, self.host, connection, word)
    }

    fn stands(&mut self, _: u32, _: u8) {}
}
