//! A NIC in its slot, clock by clock: the driver at its registers, the DMA engine and the MAC at its streams.
//! [`Software`] decides on the contents of the streams.

use super::breach::Breach;
use super::device::{Device, DeviceError};
use super::dma::{Reads, Writes, Written};
use super::driver::Driver;
use super::mac::{Incoming, Outgoing};
use crate::network::fault::happens;
use crate::network::pace::Rate;
use crate::network::seam::Frame;
use std::borrow::Cow;
use weft_nic::nic::{Inputs, Outputs};
use weft_nic::words::{Place, Received, Sent, Work};
use weft_random::Rng;

/// Software behind the streams of a NIC to its host.
pub(crate) trait Software {
    /// The next work request and its connection, once the NIC has accepted the previous one.
    fn next_work(&mut self, clock: u64) -> Option<(u32, Work)>;
    /// The bytes of a DMA read.
    fn fetch(&mut self, connection: u32, place: Place) -> Result<Cow<'_, [u8]>, Breach>;
    /// Handles a packet that the NIC writes.
    fn write(&mut self, clock: u64, packet: &Written) -> Result<(), Breach>;
    /// Handles the completion of a received message.
    fn received(&mut self, clock: u64, connection: u32, word: Received) -> Result<(), Breach>;
    /// Handles the completion of a work request.
    fn sent(&mut self, clock: u64, connection: u32, word: Sent) -> Result<(), Breach>;
    /// Handles an event of a connection.
    fn stands(&mut self, connection: u32, word: u8);
}

/// Fault in a clock.
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

/// The NIC with its driver, DMA engine and MAC.
pub(crate) struct Card<D, C> {
    device: D,
    pub(crate) driver: C,
    pub(crate) incoming: Incoming,
    pub(crate) outgoing: Outgoing,
    /// Work request that is offered.
    work: Option<(u32, Work)>,
    reads: Reads,
    /// Read data is offered and was not accepted.
    reading: bool,
    writes: Writes,
    /// Share of clocks in which a stream stalls.
    stalls: f64,
    rng: Rng,
    /// Frames that the NIC passed to other software.
    pub(crate) bypassed: u64,
}

impl<D: Device, C: Driver> Card<D, C> {
    /// A card on a wire of this rate. A frame occupies `overhead` bytes on the wire beyond its own.
    pub(crate) fn new(
        (device, driver): (D, C),
        (rate, overhead): (Rate, i64),
        dma_latency_clocks: u64,
        stalls: (f64, Rng),
    ) -> Self {
        Self {
            device,
            driver,
            incoming: Incoming::new(rate, overhead),
            outgoing: Outgoing::new(rate, overhead),
            work: None,
            reads: Reads::new(dma_latency_clocks),
            reading: false,
            writes: Writes::default(),
            stalls: stalls.0,
            rng: stalls.1,
            bypassed: 0,
        }
    }

    /// A clock of reset.
    pub(crate) fn reset(&mut self) -> Result<(), DeviceError> {
        self.device.clock(&Inputs { rst: true, ..Inputs::default() })
    }

    fn takes(&mut self) -> bool {
        self.stalls <= 0.0 || !happens(&mut self.rng, self.stalls)
    }

    /// One clock. Returns the frame whose last word leaves the NIC in this clock.
    pub(crate) fn clock(&mut self, clock: u64, software: &mut impl Software) -> Result<Option<Frame>, Wrong> {
        if self.work.is_none() {
            self.work = software.next_work(clock);
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
        let frame = self.serve(clock, software, &out, &inputs)?;
        self.device.clock(&inputs)?;
        Ok(frame)
    }

    /// Carries out the transfers of this clock on all streams.
    fn serve(
        &mut self,
        clock: u64,
        software: &mut impl Software,
        out: &Outputs,
        inputs: &Inputs,
    ) -> Result<Option<Frame>, Breach> {
        if out.work_ready {
            self.work = None;
        }
        if out.read_ready && inputs.read.is_some() {
            self.reads.taken();
        }
        self.reading = inputs.read.is_some() && !out.read_ready;
        if let Some((connection, place)) = out.fetch.get().filter(|_| inputs.fetch_ready) {
            self.reads.request(clock, &software.fetch(connection, place)?);
        }
        // Data precedes the completions that report it.
        if let Some((connection, word)) = out.write.get().filter(|_| inputs.write_ready)
            && let Some(packet) = self.writes.take(connection, &word)?
        {
            software.write(clock, &packet)?;
        }
        if let Some((connection, word)) = out.received.get().filter(|_| inputs.received_ready) {
            software.received(clock, connection, word)?;
        }
        if let Some((connection, word)) = out.sent.get().filter(|_| inputs.sent_ready) {
            software.sent(clock, connection, word)?;
        }
        if let Some((connection, word)) = out.event.get().filter(|_| inputs.event_ready) {
            software.stands(connection, word);
        }
        if out.bypass.get().is_some_and(|(_, beat)| beat.last) {
            self.bypassed += 1;
        }
        let beat = out.net.get().filter(|_| inputs.net_ready).map(|(_, beat)| beat);
        Ok(self.outgoing.take(beat.as_ref()))
    }
}
