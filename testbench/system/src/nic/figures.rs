//! What happened in a run.

use crate::network::counts::{Counts, LinkCounts, sums};
use crate::network::pace::CLOCK_NS;
use crate::workload::plan::{Leg, Times};
use serde::Serialize;
use std::collections::BTreeMap;

/// A stretch of time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Bin {
    /// Bytes written into memories.
    pub delivered: u64,
    /// Data packets that left the NICs a second time.
    pub retransmissions: u64,
    /// By path: packets, marks, trims, drops in the two stages of it.
    pub paths: Vec<Counts>,
    /// By host: the same in the queue in front of it.
    pub hosts: Vec<Counts>,
}

/// Packets at the ports of the NICs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Packets {
    /// Data packets that left NICs.
    pub data: u64,
    /// Of these sent again (RTX).
    pub retransmissions: u64,
    /// ACKs.
    pub acks: u64,
    /// NACKs.
    pub nacks: u64,
    /// Data packets that reached their NIC whole and had reached it before.
    pub duplicates: u64,
    /// Trimmed packets that reached their NIC.
    pub trimmed: u64,
    /// DMA reads for a message whose completion the host had already.
    pub late_fetches: u64,
    /// Frames that a NIC passed on to its host's other software.
    pub bypassed: u64,
}

sums!(Packets: data retransmissions acks nacks duplicates trimmed late_fetches bypassed);

/// The figures of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Figures {
    /// Clocks run.
    pub clocks: u64,
    /// Clock in which the NICs were up and the workload began.
    pub begin: Option<u64>,
    /// Clock in which the last message ended.
    pub finish: Option<u64>,
    /// Messages that have not ended.
    pub left: u32,
    /// Bytes written into memories.
    pub delivered: u64,
    /// Clocks of a bin.
    pub bin_clocks: u64,
    /// Everything over time, from clock 0 on.
    pub bins: Vec<Bin>,
    /// Packets at the ports.
    pub packets: Packets,
    /// What became of frames on all wires.
    pub links: LinkCounts,
    /// Frames that the fabric had nobody for.
    pub strays: u64,
    /// Who sends the messages of the plan to whom, and their bytes.
    pub legs: Vec<Leg>,
    /// When the messages of the plan began and ended, as far as they have.
    pub messages: Vec<Times>,
    /// By NIC: its counters, as its driver read them.
    pub counters: Vec<Vec<(String, u64)>>,
}

impl Figures {
    /// Microseconds that each message took, from when it was due to its end: of those that have ended.
    pub fn completions_us(&self) -> Vec<f64> {
        let us = |times: &Times| Some(((times.ended? - times.due?) * CLOCK_NS) as f64 / 1000.0);
        self.messages.iter().filter_map(us).collect()
    }

    /// Goodput in Gb/s of every flow, all messages from one host to another, from the begin to the end of its last one:
    /// of those that have ended.
    pub fn flow_goodputs_gbps(&self) -> Vec<f64> {
        let Some(begin) = self.begin else { return Vec::new() };
        let mut flows = BTreeMap::<(u32, u32), Option<(u64, u64)>>::new();
        for (leg, times) in self.legs.iter().zip(&self.messages) {
            let flow = flows.entry((leg.from, leg.to)).or_insert(Some((0, begin)));
            let so_far = flow.zip(times.ended);
            *flow = so_far.map(|((bytes, end), ended)| (bytes + u64::from(leg.bytes), end.max(ended)));
        }
        flows.into_values().flatten().map(|(bytes, end)| Self::gbps(bytes, end - begin)).collect()
    }

    /// Bits per nanosecond at 250 MHz.
    fn gbps(bytes: u64, clocks: u64) -> f64 {
        bytes as f64 * 8.0 / (clocks.max(1) * CLOCK_NS) as f64
    }

    /// Payload that reached memories, of all hosts together, from the begin to the finish.
    pub fn goodput_gbps(&self) -> Option<f64> {
        Some(Self::gbps(self.delivered, self.finish? - self.begin?))
    }

    /// The same over time: clock at which each bin begins, and its goodput.
    pub fn goodput_over_time(&self) -> impl Iterator<Item = (u64, f64)> + '_ {
        let bin = |(bin, at): (&Bin, u64)| (at * self.bin_clocks, Self::gbps(bin.delivered, self.bin_clocks));
        self.bins.iter().zip(0..).map(bin)
    }

    /// All queues of the fabric together.
    pub fn fabric(&self) -> Counts {
        self.bins.iter().flat_map(|bin| bin.paths.iter().chain(&bin.hosts)).copied().sum()
    }

    /// Microseconds from the begin to the finish at 250 MHz.
    pub fn finish_us(&self) -> Option<f64> {
        Some(((self.finish? - self.begin?) * CLOCK_NS) as f64 / 1000.0)
    }
}
