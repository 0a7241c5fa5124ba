//! Figures of a run.

use super::record::{Flow, Reaction, Run};
use serde::Serialize;
use weft_nic::block::smartt::{Case, Kind};

/// Part of the time in which all hosts send, at its end, over which fairness is measured.
pub const SHARE_OF_END: f64 = 0.25;

/// Jain's index from which on windows count as fair.
const FAIR: f64 = 0.95;

/// An incast in figures, as text and for comparisons between controllers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// Time from the first packet sent to the last ACK, in microseconds.
    pub completion_us: f64,
    /// Lower bound for every scheme: the time of all bytes on the port, and a base RTT.
    pub ideal_us: f64,
    /// Shortest, mean and longest completion time of a message.
    pub fct_us: [f64; 3],
    /// Bytes of the messages over the completion time, in Gb/s.
    pub goodput_gbps: f64,
    /// Packets sent, retransmissions included.
    pub sent: u32,
    /// Packets trimmed.
    pub trimmed: u32,
    /// Packets dropped.
    pub dropped: u32,
    /// Packets marked.
    pub marked: u32,
    /// Number of times that QuickAdapt set a window.
    pub quick_adapts: usize,
    /// Number of ACKs that FastIncrease used while all hosts sent.
    pub fast_increases: usize,
    /// Deepest queue, in bytes.
    pub deepest_bytes: u64,
    /// Time until the first message was complete: until then all hosts send.
    pub all_send_us: f64,
    /// Share of a sender in the link and half a queue, in bytes.
    pub fair_share_bytes: f64,
    /// Time from which on, as long as all hosts send, the windows were fair and right: their Jain index is
    /// 0.95 or more, and together they fill the link and fit into the link and the queue. `None` if the
    /// windows were not fair and right before the end began.
    pub converged_us: Option<f64>,
    /// Time at which a mark or the delay first made a window smaller. Losses do not count.
    pub first_decrease_us: Option<f64>,
    /// Longest time that a sender waited for an ACK, after its first ACK had arrived.
    pub longest_silence_us: f64,
    /// Jain's index of the bytes acknowledged in the [end](SHARE_OF_END) of the time in which all hosts send.
    pub jain: f64,
    /// Jain's index of the windows' averages over that end.
    pub jain_windows: f64,
    /// Averages of the windows over that end, in bytes.
    pub windows_bytes: Vec<f64>,
    /// Average of the queue over that end, in bytes.
    pub queue_bytes: f64,
    /// Rate of data on the port's link over that end, in Gb/s.
    pub rate_gbps: f64,
}

/// Jain's fairness index: 1 if all shares are equal, 1/n if one share is the whole.
fn jain(shares: &[f64]) -> f64 {
    let (sum, squares) = shares.iter().fold((0.0, 0.0), |(sum, squares), x| (sum + x, squares + x * x));
    if squares == 0.0 { 1.0 } else { sum * sum / (shares.len() as f64 * squares) }
}

/// Average over the time from `from` to `until` of a value that changes at the given times.
fn average(values: impl Iterator<Item = (u64, f64)>, from: u64, until: u64) -> f64 {
    let (mut area, mut since, mut held) = (0.0, from, 0.0);
    for (time, value) in values.take_while(|(time, _)| *time < until) {
        if time > since {
            area += held * (time - since) as f64;
            since = time;
        }
        held = value;
    }
    (area + held * (until - since) as f64) / (until - from).max(1) as f64
}

fn us(ps: u64) -> f64 {
    ps as f64 / 1e6
}

impl Run {
    /// Time at which the first message was complete.
    pub fn all_send_ps(&self) -> u64 {
        self.flows.iter().map(|flow| flow.end_ps).min().unwrap_or(0)
    }

    /// Time at which the last message was complete.
    pub fn end_ps(&self) -> u64 {
        self.flows.iter().map(|flow| flow.end_ps).max().unwrap_or(0)
    }

    /// Windows of a sender at each of its events: time in ps and bytes.
    pub fn windows(&self, flow: u32) -> impl Iterator<Item = (u64, u32)> {
        let of_flow = move |reaction: &&Reaction| reaction.event.connection == flow;
        self.reactions.iter().filter(of_flow).map(|reaction| (reaction.time_ps, reaction.outcome.cwnd_bytes))
    }

    /// Share of a sender in the link and half a queue, in bytes: both together are the target RTT.
    pub fn fair_share_bytes(&self) -> f64 {
        let [bdp, queue] = self.bdp_and_queue_bytes();
        (bdp + queue / 2.0) / f64::from(self.incast.senders)
    }

    /// Bytes that fit into the link, and bytes that fit into the port's queue.
    pub fn bdp_and_queue_bytes(&self) -> [f64; 2] {
        let network = &self.incast.network;
        let bdp = f64::from(network.link_gbps) * f64::from(network.base_rtt_ns[0]) / 8.0;
        [bdp, network.queue_bytes.map_or(bdp, f64::from)]
    }

    fn converged_ps(&self) -> Option<u64> {
        let [bdp, queue] = self.bdp_and_queue_bytes();
        let mut windows = vec![0.0; self.flows.len()];
        let mut since = None;
        for reaction in self.reactions.iter().take_while(|reaction| reaction.time_ps < self.all_send_ps()) {
            windows[reaction.event.connection as usize] = f64::from(reaction.outcome.cwnd_bytes);
            let right = (bdp..=bdp + queue).contains(&windows.iter().sum());
            let converged = right && jain(&windows) >= FAIR;
            since = if converged { since.or(Some(reaction.time_ps)) } else { None };
        }
        since
    }

    fn longest_silence_ps(&self) -> u64 {
        let mut heard = vec![None; self.flows.len()];
        let mut longest = 0;
        for Reaction { time_ps, event, .. } in self.reactions.iter().filter(|it| it.event.kind == Kind::Ack) {
            let before = heard[event.connection as usize].replace(*time_ps);
            longest = before.map_or(longest, |before| longest.max(time_ps - before));
        }
        longest
    }

    fn first_decrease_ps(&self) -> Option<u64> {
        let decreases = [Case::FairDecrease, Case::MultiplicativeDecrease];
        let first = self.reactions.iter().find(|reaction| decreases.contains(&reaction.outcome.case));
        first.map(|reaction| reaction.time_ps)
    }

    /// The figures of the run.
    pub fn figures(&self) -> Figures {
        let start = self.flows.iter().map(|flow| flow.start_ps).min().unwrap_or(0);
        let (all_send, end) = (self.all_send_ps(), self.end_ps());
        let from = all_send - (SHARE_OF_END * (all_send - start) as f64) as u64;
        let senders = self.incast.senders;
        let bits = 8.0 * f64::from(senders) * f64::from(self.incast.message_bytes);
        let network = &self.incast.network;
        let fct = || self.flows.iter().map(|flow| us(flow.end_ps - flow.start_ps));
        let sum = |of: fn(&Flow) -> u32| self.flows.iter().map(of).sum();
        let windows_bytes: Vec<f64> = (0..senders)
            .map(|flow| average(self.windows(flow).map(|(time, bytes)| (time, bytes.into())), from, all_send))
            .collect();
        let mut acked = vec![0.0; self.flows.len()];
        let at_end = |reaction: &&Reaction| (from..all_send).contains(&reaction.time_ps);
        for reaction in self.reactions.iter().filter(at_end).filter(|it| it.event.kind == Kind::Ack) {
            acked[reaction.event.connection as usize] += f64::from(reaction.event.bytes);
        }
        let cases = |until: u64, wanted: [Case; 2]| {
            let before = self.reactions.iter().take_while(|reaction| reaction.time_ps <= until);
            before.filter(|reaction| wanted.contains(&reaction.outcome.case)).count()
        };
        Figures {
            completion_us: us(end - start),
            ideal_us: bits / f64::from(network.link_gbps) / 1e3 + f64::from(network.base_rtt_ns[0]) / 1e3,
            fct_us: [
                fct().fold(f64::INFINITY, f64::min),
                fct().sum::<f64>() / f64::from(senders),
                fct().fold(0.0, f64::max),
            ],
            goodput_gbps: bits / us(end - start) / 1e3,
            sent: sum(|flow| flow.sent),
            trimmed: sum(|flow| flow.trimmed),
            dropped: sum(|flow| flow.dropped),
            marked: sum(|flow| flow.marked),
            quick_adapts: cases(end, [Case::QuickAdapt, Case::Both]),
            fast_increases: cases(all_send, [Case::FastIncrease, Case::Both]),
            deepest_bytes: self.queue.iter().map(|depth| depth.bytes).max().unwrap_or(0),
            all_send_us: us(all_send - start),
            fair_share_bytes: self.fair_share_bytes(),
            converged_us: self.converged_ps().filter(|time| *time <= from).map(|time| us(time - start)),
            first_decrease_us: self.first_decrease_ps().map(|time| us(time - start)),
            longest_silence_us: us(self.longest_silence_ps()),
            jain: jain(&acked),
            jain_windows: jain(&windows_bytes),
            windows_bytes,
            queue_bytes: average(
                self.queue.iter().map(|depth| (depth.time_ps, depth.bytes as f64)),
                from,
                all_send,
            ),
            rate_gbps: 8.0 * acked.iter().sum::<f64>() / us(all_send - from) / 1e3,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fairness_and_averages() {
        assert_eq!(jain(&[3.0, 3.0, 3.0]), 1.0);
        assert_eq!(jain(&[0.0, 8.0, 0.0, 0.0]), 0.25);
        assert_eq!(jain(&[0.0, 0.0]), 1.0);
        let steps = [(0, 4.0), (10, 2.0), (30, 8.0), (50, 100.0)];
        assert_eq!(average(steps.into_iter(), 10, 50), 5.0);
        assert_eq!(average(steps.into_iter(), 5, 15), 3.0);
        assert_eq!(average(steps.into_iter(), 40, 44), 8.0);
    }
}
