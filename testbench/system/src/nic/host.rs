//! A host: a NIC, the memory and the DMA engine behind it, the MAC and the wires in front of it.

use crate::host::breach::Breach;
use crate::host::device::{Device, DeviceError};
use crate::host::dma::{Reads, Writes};
use crate::host::driver::{Connection, Driver};
use crate::host::ledger::{Ledger, open};
use crate::host::mac::{Incoming, Outgoing};
use crate::memory::Memory;
use crate::network::fault::happens;
use crate::network::link::{Impairments, Link};
use crate::network::pace::Rate;
use crate::network::seam::Frame;
use serde::Serialize;
use std::sync::Mutex;
use weft_nic::nic::{Inputs, Outputs};
use weft_nic::words::{Place, Work};
use weft_random::Rng;

/// How hosts serve their NICs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct HostSettings {
    /// Clocks from a DMA read request to its data.
    pub dma_latency_clocks: u64,
    /// Share of clocks in which a stream to the host is not taken, or read data does not come, each by itself.
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
    /// Its rate.
    pub rate: Rate,
    /// Clocks from end to end.
    pub latency_clocks: u64,
    /// What it does to frames.
    pub impairments: Impairments,
}

impl Default for LinkSettings {
    /// 100 Gb/s, 0.5 us, nothing bad.
    fn default() -> Self {
        Self { rate: Rate::GBPS_100, latency_clocks: 125, impairments: Impairments::default() }
    }
}

/// The host.
pub(crate) struct Host<D, C> {
    pub(crate) number: u32,
    pub(crate) device: D,
    pub(crate) driver: C,
    pub(crate) memory: Memory,
    /// To the fabric, and from it.
    pub(crate) up: Link,
    pub(crate) down: Link,
    pub(crate) incoming: Incoming,
    pub(crate) outgoing: Outgoing,
    /// The keys that the peers want to see, by connection.
    keys: Vec<(u32, u32)>,
    /// The connections that send; whose turn it is.
    senders: Vec<u32>,
    turn: usize,
    /// The work request that is offered.
    work: Option<(u32, Work)>,
    reads: Reads,
    /// Read data is offered and was not taken.
    reading: bool,
    writes: Writes,
    stalls: f64,
    rng: Rng,
    /// Frames that went to other software.
    pub(crate) bypassed: u64,
}

/// What went wrong in a clock of a host.
pub(crate) enum Wrong {
    Breach(Breach),
    Device(DeviceError),
}

impl From<Breach> for Wrong {
    fn from(breach: Breach) -> Self {
        Self::Breach(breach)
    }
}

impl From<DeviceError> for Wrong {
    fn from(error: DeviceError) -> Self {
        match error {
            DeviceError::Port(broken) => Self::Breach(broken.into()),
            error => Self::Device(error),
        }
    }
}

impl<D: Device, C: Driver> Host<D, C> {
    pub(crate) fn new(
        number: u32,
        (device, driver): (D, C),
        memory: Memory,
        link: LinkSettings,
        settings: HostSettings,
        mut rng: Rng,
    ) -> Self {
        let mut wire = || Link::new(link.latency_clocks, link.impairments, Rng::new(rng.draw()));
        Self {
            number,
            device,
            driver,
            memory,
            up: wire(),
            down: wire(),
            incoming: Incoming::new(link.rate),
            outgoing: Outgoing::new(link.rate),
            keys: Vec::new(),
            senders: Vec::new(),
            turn: 0,
            work: None,
            reads: Reads::new(settings.dma_latency_clocks),
            reading: false,
            writes: Writes::default(),
            stalls: settings.stalls,
            rng,
            bypassed: 0,
        }
    }

    /// Asks the driver for a connection; `peer_key` is what its messages are to carry.
    pub(crate) fn connect(&mut self, connection: &Connection, peer_key: u32) {
        self.driver.connect(connection);
        self.keys.push((connection.number, peer_key));
    }

    /// Begins to post messages.
    pub(crate) fn begin(&mut self, ledger: &Ledger) {
        self.senders = ledger.senders(self.number);
    }

    /// A clock of reset.
    pub(crate) fn reset(&mut self) -> Result<(), DeviceError> {
        self.device.clock(&Inputs { rst: true, ..Inputs::default() })
    }

    /// The next work request, of the connections in turn.
    fn next_work(&mut self, clock: u64, ledger: &Mutex<Ledger>) -> Option<(u32, Work)> {
        if self.senders.is_empty() {
            return None;
        }
        let mut ledger = open(ledger);
        for _ in 0..self.senders.len() {
            let connection = self.senders[self.turn % self.senders.len()];
            self.turn += 1;
            if let Some(message) = ledger.next(clock, self.number, connection) {
                let key = self.keys.iter().find(|(number, _)| *number == connection).map(|(_, key)| *key);
                let work = ledger.post(clock, message, key.unwrap_or_default(), &self.memory);
                return Some((connection, work));
            }
        }
        None
    }

    fn takes(&mut self) -> bool {
        self.stalls <= 0.0 || !happens(&mut self.rng, self.stalls)
    }

    /// A clock; the frame that the NIC ends in it.
    pub(crate) fn clock(&mut self, clock: u64, ledger: &Mutex<Ledger>) -> Result<Option<Frame>, Wrong> {
        if self.work.is_none() {
            self.work = self.next_work(clock, ledger);
        }
        self.outgoing.clock();
        let out = *self.device.outputs();
        let reads = self.takes() || self.reading;
        let inputs = Inputs {
            rst: false,
            axil: self.driver.poll(&out.axil)?,
            net: self.incoming.clock(),
            net_ready: self.outgoing.is_ready(),
            bypass: None,
            bypass_ready: true,
            work: self.work,
            fetch_ready: self.takes(),
            read: self.reads.offered(clock).filter(|_| reads),
            write_ready: self.takes(),
            received_ready: self.takes(),
            sent_ready: self.takes(),
            buffer: None,
            event_ready: true,
        };
        let frame = self.serve(clock, ledger, &out, &inputs)?;
        self.device.clock(&inputs)?;
        Ok(frame)
    }

    /// What is handed over in this clock, on all streams.
    fn serve(
        &mut self,
        clock: u64,
        ledger: &Mutex<Ledger>,
        out: &Outputs,
        inputs: &Inputs,
    ) -> Result<Option<Frame>, Breach> {
        let Self { number, memory, .. } = self;
        let host = *number;
        if out.work_ready {
            self.work = None;
        }
        if out.read_ready && inputs.read.is_some() {
            self.reads.taken();
        }
        self.reading = inputs.read.is_some() && !out.read_ready;
        if let Some((connection, Place { address, bytes })) = out.fetch.get().filter(|_| inputs.fetch_ready) {
            open(ledger).fetch(host, connection, address, bytes)?;
            let missing = Breach::Fetch { connection, address, bytes };
            self.reads.request(clock, memory.read(address, bytes.into()).ok_or(missing)?);
        }
        // Data before the completions that stand for it.
        if let Some((connection, word)) = out.write.get().filter(|_| inputs.write_ready)
            && let Some(packet) = self.writes.take(connection, &word)?
        {
            let (address, bytes) = (packet.address, packet.bytes.len() as u16);
            open(ledger).write(clock, host, packet.connection, address, bytes)?;
            if !memory.write(address, &packet.bytes) {
                return Err(Breach::Misplaced { connection, address, bytes });
            }
        }
        if let Some((connection, word)) = out.received.get().filter(|_| inputs.received_ready) {
            open(ledger).received(clock, host, connection, word, memory)?;
        }
        if let Some((connection, word)) = out.sent.get().filter(|_| inputs.sent_ready) {
            open(ledger).sent(clock, host, connection, word)?;
        }
        if out.bypass.get().is_some_and(|(_, beat)| beat.last) {
            self.bypassed += 1;
        }
        let beat = out.net.get().filter(|_| inputs.net_ready).map(|(_, beat)| beat);
        Ok(self.outgoing.take(beat.as_ref()))
    }
}
