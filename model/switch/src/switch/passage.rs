//! The passage of packets through the stages of one half.

use crate::kit::{Gress, Load, Pipe};
use crate::packet::Packet;
use serde::Serialize;
use std::collections::VecDeque;

/// Clocks of each half.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Latency {
    /// Clocks before the first stage.
    pub parser_clocks: u64,
    /// Clocks of each stage that the hardware has.
    pub stage_clocks: u64,
    /// Clocks after the last stage.
    pub deparser_clocks: u64,
}

impl Default for Latency {
    /// About 100 ns for each half. The papers do not state the depth of a pipeline; here it is a setting.
    fn default() -> Self {
        Self { parser_clocks: 10, stage_clocks: 4, deparser_clocks: 10 }
    }
}

impl Latency {
    /// Clocks from entry to exit.
    pub fn clocks(&self, stages: usize) -> u64 {
        self.until(stages) + self.deparser_clocks.max(1)
    }

    /// Clocks from entry to a stage. Parser, stages and deparser need at least a clock each.
    fn until(&self, stage: usize) -> u64 {
        self.parser_clocks.max(1) + self.stage_clocks.max(1) * stage as u64
    }
}

/// The passage of packets through the stages of one half. One packet may enter in each clock. The packet
/// leaves a fixed number of clocks later.
pub trait View {
    /// The empty stages.
    fn new(gress: Gress, latency: Latency, stages: usize) -> Self;

    /// Accepts a packet in this clock. `load` are the bytes that wait at the ports.
    fn enter(&mut self, clock: u64, pipe: &mut Pipe, packet: Packet, load: &Load);

    /// Ends the clock. Returns the packet that leaves in the clock.
    fn leave(&mut self, clock: u64, pipe: &mut Pipe) -> Option<Packet>;

    /// The first clock from `clock` on that must be run.
    fn next(&self, clock: u64) -> Option<u64>;

    /// Whether no packet is in the half.
    fn is_empty(&self) -> bool;
}

/// A view with every packet in its stage: a shift register as long as the half.
#[derive(Clone, Debug)]
pub struct Clocked {
    gress: Gress,
    latency: Latency,
    stages: usize,
    /// Packets by clock of entry, modulo the clocks from entry to exit. The clock moves, and not the packets.
    slots: Vec<Option<(Packet, Vec<u32>)>>,
    inside: usize,
}

impl View for Clocked {
    fn new(gress: Gress, latency: Latency, stages: usize) -> Self {
        let clocks = latency.clocks(stages) as usize;
        Self { gress, latency, stages, slots: vec![None; clocks], inside: 0 }
    }

    fn enter(&mut self, clock: u64, pipe: &mut Pipe, packet: Packet, load: &Load) {
        let load = if pipe.needs_load() { load.to_vec() } else { Vec::new() };
        let at = self.slot(clock);
        self.slots[at] = Some((packet, load));
        self.inside += 1;
    }

    fn leave(&mut self, clock: u64, pipe: &mut Pipe) -> Option<Packet> {
        if self.inside == 0 {
            return None;
        }
        for stage in 0..self.stages.min(pipe.program().depth(self.gress)) {
            if let Some(entered) = clock.checked_sub(self.latency.until(stage)) {
                let at = self.slot(entered);
                if let Some((packet, load)) = &mut self.slots[at] {
                    pipe.stage(self.gress, stage, &mut packet.phv, load);
                }
            }
        }
        // The packet that entered as many clocks ago as there are slots.
        let at = self.slot(clock);
        let (packet, _) = self.slots[at].take()?;
        self.inside -= 1;
        Some(packet)
    }

    fn next(&self, clock: u64) -> Option<u64> {
        (self.inside > 0).then_some(clock)
    }

    fn is_empty(&self) -> bool {
        self.inside == 0
    }
}

impl Clocked {
    fn slot(&self, clock: u64) -> usize {
        (clock % self.slots.len() as u64) as usize
    }
}

/// A view that runs all stages at once. The packet then waits until it may leave.
#[derive(Clone, Debug)]
pub struct Transaction {
    gress: Gress,
    clocks: u64,
    leaving: VecDeque<(u64, Packet)>,
}

impl View for Transaction {
    fn new(gress: Gress, latency: Latency, stages: usize) -> Self {
        Self { gress, clocks: latency.clocks(stages), leaving: VecDeque::new() }
    }

    fn enter(&mut self, clock: u64, pipe: &mut Pipe, mut packet: Packet, load: &Load) {
        pipe.run(self.gress, &mut packet.phv, load);
        self.leaving.push_back((clock + self.clocks, packet));
    }

    fn leave(&mut self, clock: u64, _pipe: &mut Pipe) -> Option<Packet> {
        let (at, _) = self.leaving.front()?;
        if *at > clock {
            return None;
        }
        self.leaving.pop_front().map(|(_, packet)| packet)
    }

    fn next(&self, _clock: u64) -> Option<u64> {
        self.leaving.front().map(|(at, _)| *at)
    }

    fn is_empty(&self) -> bool {
        self.leaving.is_empty()
    }
}
