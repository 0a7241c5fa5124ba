//! A sender with ideal recovery (OFAN section 4): "ideal erasure coding with no overhead". A message is
//! complete when as many packets have arrived as the message has; all packets count. The sender sends new
//! packets until completion. In the last BDP it stops if the packets in flight are enough, "and only sends
//! more if necessary".

use super::settings::Paced;
use super::{Answer, Sender};
use crate::host::NEVER;
use std::collections::VecDeque;
use weft_nic::block::sender::Cause;

/// A flow.
pub(super) struct Flow {
    /// Number of packets that are needed, and number of packets that have arrived.
    packets: u32,
    came: u32,
    /// Departure times of the packets in flight, in order, and whether each packet has arrived. `first` is
    /// the number of the oldest of these packets.
    away: VecDeque<(u64, bool)>,
    first: u32,
    /// Number of packets in flight that have not arrived.
    under_way: u32,
    rto_ps: u64,
}

impl Flow {
    pub(super) fn new(settings: &Paced, packets: u32) -> Self {
        let rto_ps = (settings.rto_us * 1e6) as u64;
        Self { packets, came: 0, away: VecDeque::new(), first: 0, under_way: 0, rto_ps }
    }

    /// Removes the first packets in flight that have arrived, or that left before a time and count as lost.
    fn settle(&mut self, before_ps: u64) {
        while let Some(&(at_ps, has_come)) = self.away.front()
            && (has_come || at_ps < before_ps)
        {
            self.away.pop_front();
            self.first += 1;
            self.under_way -= u32::from(!has_come);
        }
    }
}

impl Sender for Flow {
    fn ready_ps(&mut self, _: u64) -> Option<u64> {
        (self.came + self.under_way < self.packets).then_some(0)
    }

    fn send(&mut self, now_ps: u64, _: &dyn Fn(u32) -> u32) -> (u32, Option<Cause>) {
        let number = self.first + self.away.len() as u32;
        self.away.push_back((now_ps, false));
        self.under_way += 1;
        (number, (number >= self.packets).then_some(Cause::Timeout))
    }

    fn answer(&mut self, answer: &Answer, _: u64) {
        self.came += 1;
        let at = answer.number.checked_sub(self.first);
        if let Some((_, has_come)) = at.and_then(|at| self.away.get_mut(at as usize)) {
            *has_come = true;
            self.under_way -= 1;
        }
        self.settle(0);
    }

    fn due(&self) -> u64 {
        self.away.front().map_or(NEVER, |(at_ps, _)| at_ps + self.rto_ps)
    }

    fn expire(&mut self, now_ps: u64) {
        self.settle((now_ps + 1).saturating_sub(self.rto_ps));
    }

    fn is_done(&self) -> bool {
        self.came >= self.packets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const US: u64 = 1_000_000;

    /// Five packets are needed and leave. Two are lost, so two more leave when the loss is known. A late
    /// packet counts.
    #[test]
    fn new_packets_go_until_enough_have_come() {
        let mut flow = Flow::new(&Paced::default(), 5);
        let burst = |flow: &mut Flow, now_ps: u64| -> Vec<u32> {
            std::iter::from_fn(|| flow.ready_ps(now_ps).map(|_| flow.send(now_ps, &|_| 0).0)).collect()
        };
        let hear = |flow: &mut Flow, number: u32| {
            flow.answer(
                &Answer { flow: 0, number, next: 0, is_nack: false, is_marked: false, sent_ps: 0 },
                US,
            );
        };
        assert_eq!(burst(&mut flow, 0), [0, 1, 2, 3, 4]);
        [1, 0, 4].into_iter().for_each(|number| hear(&mut flow, number));
        assert!(burst(&mut flow, 69 * US).is_empty());
        assert_eq!(flow.due(), 70 * US);
        flow.expire(70 * US);
        assert_eq!(burst(&mut flow, 70 * US), [5, 6]);
        hear(&mut flow, 2);
        assert!(burst(&mut flow, 71 * US).is_empty() && !flow.is_done());
        hear(&mut flow, 6);
        assert!(flow.is_done());
    }
}
