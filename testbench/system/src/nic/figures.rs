//! Figures of a run.

use crate::network::counts::{Counts, LinkCounts, sums};
use crate::network::pace::CLOCK_NS;
use crate::workload::plan::{Leg, Times};
use serde::Serialize;
use std::collections::BTreeMap;

/// Figures of a span of time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Bin {
    /// Bytes written into memories.
    pub delivered: u64,
    /// Data packets that left the NICs a second time.
    pub retransmissions: u64,
    /// Packets, marks, trims and drops in the two stages of each path.
    pub paths: Vec<Counts>,
    /// Counts of the queue in front of each host.
    pub hosts: Vec<Counts>,
}

/// Packets at the ports of the NICs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Packets {
    /// Data packets that left NICs.
    pub data: u64,
    /// Data packets sent again (RTX).
    pub retransmissions: u64,
    /// ACKs.
    pub acks: u64,
    /// NACKs.
    pub nacks: u64,
    /// Data packets that reached their NIC whole and for the second time.
    pub duplicates: u64,
    /// Trimmed packets that reached their NIC.
    pub trimmed: u64,
    /// DMA reads for a message whose completion the host already had.
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
    /// Clock in which the NICs were ready and the workload began.
    pub begin: Option<u64>,
    /// Clock in which the last message ended.
    pub finish: Option<u64>,
    /// Messages that have not ended.
    pub left: u32,
    /// Bytes written into memories.
    pub delivered: u64,
    /// Clocks of a bin.
    pub bin_clocks: u64,
    /// Figures over time, from clock 0 on.
    pub bins: Vec<Bin>,
    /// Packets at the ports.
    pub packets: Packets,
    /// Counts of the frames on all wires.
    pub links: LinkCounts,
    /// Frames without a destination among the hosts.
    pub strays: u64,
    /// Sender, receiver and bytes of each message of the plan.
    pub legs: Vec<Leg>,
    /// Begin and end of each message of the plan, if they have happened.
    pub messages: Vec<Times>,
    /// Counters of each NIC, as its driver read them.
    pub counters: Vec<Vec<(String, u64)>>,
}

impl Figures {
    /// Microseconds of each message that has ended, from its due clock to its end.
    pub fn completions_us(&self) -> Vec<f64> {
        let us = |times: &Times| Some(((times.ended? - times.due?) * CLOCK_NS) as f64 / 1000.0);
        self.messages.iter().filter_map(us).collect()
    }

    /// Goodput in Gb/s of every flow that has ended. A flow is all messages from one host to another; its
    /// time is from the beginning of the run to the end of its last message.
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

    /// Payload rate in Gb/s of all hosts together, from begin to finish.
    pub fn goodput_gbps(&self) -> Option<f64> {
        Some(Self::gbps(self.delivered, self.finish? - self.begin?))
    }

    /// Goodput over time: the clock at which each bin begins, and the goodput in the bin.
    pub fn goodput_over_time(&self) -> impl Iterator<Item = (u64, f64)> + '_ {
        let bin = |(bin, at): (&Bin, u64)| (at * self.bin_clocks, Self::gbps(bin.delivered, self.bin_clocks));
        self.bins.iter().zip(0..).map(bin)
    }

    /// The sum over all queues of the fabric.
    pub fn fabric(&self) -> Counts {
        self.bins.iter().flat_map(|bin| bin.paths.iter().chain(&bin.hosts)).copied().sum()
    }

    /// Microseconds from the begin to the finish at 250 MHz.
    pub fn finish_us(&self) -> Option<f64> {
        Some(((self.finish? - self.begin?) * CLOCK_NS) as f64 / 1000.0)
    }
}
