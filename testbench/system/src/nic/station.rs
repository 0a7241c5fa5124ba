//! A host on its wires, with the monitors of the NIC's port. Stations share only the ledger, so those of a
//! run may be on several threads.

use super::capture::Tap;
use super::error::NicError;
use super::figures::Packets;
use super::host::Host;
use crate::host::breach::Fault;
use crate::host::card::Wrong;
use crate::host::device::Device;
use crate::host::driver::Driver;
use crate::host::ledger::Ledger;
use crate::network::pace::CLOCK_NS;
use crate::network::seam::{Frame, Network};
use std::collections::HashSet;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use weft_switch::pfc::Pause;
use weft_wire::{Body, parse};

pub(super) struct Station<D, C> {
    pub(super) host: Host<D, C>,
    pub(super) tap: Option<Tap>,
    pub(super) packets: Packets,
    /// Data packets that have reached the NIC: queue pair, PSN.
    arrived: HashSet<(u32, u32)>,
    /// Reason why the station stopped, and the clock of the stop.
    failure: Option<(u64, NicError)>,
}

impl<D: Device, C: Driver> Station<D, C> {
    pub(super) fn new(host: Host<D, C>, tap: Option<Tap>) -> Self {
        Self { host, tap, packets: Packets::default(), arrived: HashSet::new(), failure: None }
    }

    /// Runs clocks of the host. Until the end, no packet may arrive that is not already in transit at the
    /// beginning.
    fn run(&mut self, clocks: Range<u64>, seed: u64, ledger: &Mutex<Ledger>) {
        for clock in clocks {
            if let Err(error) = self.clock(clock, seed, ledger) {
                self.failure = Some((clock, error));
                return;
            }
        }
    }

    fn clock(&mut self, clock: u64, seed: u64, ledger: &Mutex<Ledger>) -> Result<(), NicError> {
        while let Some(frame) = self.host.down.deliver(clock) {
            // The MAC keeps PFC frames to itself.
            if let Some(pause) = Pause::parse(&frame.bytes).filter(|_| !frame.bad) {
                self.host.card.outgoing.pause(&pause);
                continue;
            }
            self.arrives(clock, &frame)?;
            self.host.card.incoming.push(&frame);
        }
        let nic = self.host.number;
        let sent = self.host.clock(clock, ledger).map_err(|wrong| match wrong {
            Wrong::Breach(breach) => NicError::Fault { seed, fault: Fault { clock, nic, breach } },
            Wrong::Device(error) => NicError::Device { nic, error },
        })?;
        if let Some(frame) = sent {
            self.leaves(clock, &frame)?;
            self.host.up.send(clock, 0, frame);
        }
        Ok(())
    }

    /// Writes a frame into the capture. Its time stamp is the time of the frame's last byte.
    fn tap(&mut self, clock: u64, frame: &Frame) -> Result<(), NicError> {
        if let Some(tap) = &mut self.tap {
            tap.write(clock * CLOCK_NS, &frame.bytes, frame.bad.then_some("wrong FCS"))?;
        }
        Ok(())
    }

    /// Handles a frame that has left the NIC.
    fn leaves(&mut self, clock: u64, frame: &Frame) -> Result<(), NicError> {
        self.tap(clock, frame)?;
        let Packets { data, retransmissions, acks, nacks, .. } = &mut self.packets;
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

    /// Handles a frame that reaches the NIC.
    fn arrives(&mut self, clock: u64, frame: &Frame) -> Result<(), NicError> {
        self.tap(clock, frame)?;
        let intact = !frame.bad && weft_wire::icrc::icrc_ok(&frame.bytes) != Some(false);
        if intact && let Ok(packet) = parse(&frame.bytes) {
            match packet.body {
                Body::Data(_) => {
                    let fresh = self.arrived.insert((packet.dest_qp(), packet.psn()));
                    self.packets.duplicates += u64::from(!fresh);
                }
                Body::Trimmed(_) => self.packets.trimmed += 1,
                _ => {}
            }
        }
        Ok(())
    }

    /// Whether no frame is in transit outside of the NIC.
    pub(super) fn is_quiet(&self) -> bool {
        let Host { up, down, card, .. } = &self.host;
        up.is_empty() && down.is_empty() && card.incoming.is_empty() && card.driver.is_idle()
    }
}

/// Runs all stations, on up to the permitted number of threads. The first of several failures counts; in the
/// same clock, the failure of the first NIC, independent of the threads.
pub(super) fn run<D: Device + Send, C: Driver + Send>(
    stations: &mut [Station<D, C>],
    clocks: &Range<u64>,
    seed: u64,
    ledger: &Mutex<Ledger>,
    threads: usize,
) -> Result<(), NicError> {
    let run = |station: &mut Station<D, C>| station.run(clocks.clone(), seed, ledger);
    if threads > 1 {
        let waiting = Mutex::new(stations.iter_mut());
        let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
        let work = || std::iter::from_fn(next).for_each(run);
        std::thread::scope(|scope| {
            (1..threads).for_each(|_| drop(scope.spawn(work)));
            work();
        });
    } else {
        stations.iter_mut().for_each(run);
    }
    let failures = stations.iter_mut().filter_map(|station| station.failure.take());
    failures.min_by_key(|(clock, _)| *clock).map_or(Ok(()), |(_, error)| Err(error))
}
