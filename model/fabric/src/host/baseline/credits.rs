//! The credits of an EQDS receiver (Olteanu et al., NSDI 2022, section 3). A credit is for one packet. The
//! receiver sends credits at the rate of its link, in turn to the flows that have packets to send.

use crate::host::NEVER;
use std::collections::VecDeque;

/// A flow that has packets to send.
#[derive(Clone, Copy, Debug)]
struct Flow {
    number: u32,
    source: u32,
    /// Number of packets that may still get a credit.
    left: u32,
}

/// Credits of a host.
#[derive(Debug, Default)]
pub(super) struct Credits {
    /// Flows in order of their turns.
    flows: VecDeque<Flow>,
    /// No credit leaves before this time.
    free_ps: u64,
    ready_ps: Option<u64>,
}

impl Credits {
    /// Adds packets of a flow that may get credits: those beyond the flow's first window when its first
    /// packet arrives, and one for each packet that arrives trimmed.
    pub(super) fn add(&mut self, (number, source): (u32, u32), left: u32, now_ps: u64) {
        if left == 0 {
            return;
        }
        match self.flows.iter_mut().find(|flow| flow.number == number) {
            Some(flow) => flow.left += left,
            None => self.flows.push_back(Flow { number, source, left }),
        }
        self.ready_ps.get_or_insert(now_ps.max(self.free_ps));
    }

    /// Handles the arrival of a flow's last packet.
    pub(super) fn end(&mut self, number: u32) {
        self.flows.retain(|flow| flow.number != number);
    }

    /// The time at which the next credit leaves.
    pub(super) fn due(&self) -> u64 {
        self.ready_ps.unwrap_or(NEVER)
    }

    /// The flow and host that get a credit now. The next one leaves `gap_ps` later.
    pub(super) fn next(&mut self, now_ps: u64, gap_ps: u64) -> Option<(u32, u32)> {
        if self.due() > now_ps {
            return None;
        }
        let Some(mut flow) = self.flows.pop_front() else {
            self.ready_ps = None;
            return None;
        };
        flow.left -= 1;
        if flow.left > 0 {
            self.flows.push_back(flow);
        }
        self.free_ps = now_ps + gap_ps;
        self.ready_ps = (!self.flows.is_empty()).then_some(self.free_ps);
        Some((flow.number, flow.source))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two flows, of two packets and of one packet, take turns, 10 ps apart. A trimmed packet gets a further
    /// credit.
    #[test]
    fn credits_go_by_turns_at_the_rate_of_the_link() {
        let mut credits = Credits::default();
        credits.add((7, 1), 2, 100);
        credits.add((8, 2), 1, 101);
        assert_eq!(credits.next(100, 10), Some((7, 1)));
        assert_eq!((credits.next(105, 10), credits.due()), (None, 110));
        assert_eq!([110, 120, 130].map(|now| credits.next(now, 10)), [Some((8, 2)), Some((7, 1)), None]);
        credits.add((8, 2), 1, 131);
        assert_eq!((credits.due(), credits.next(131, 10)), (131, Some((8, 2))));
        credits.add((8, 2), 1, 132);
        credits.end(8);
        assert_eq!((credits.due(), credits.next(141, 10), credits.due()), (141, None, NEVER));
    }
}
