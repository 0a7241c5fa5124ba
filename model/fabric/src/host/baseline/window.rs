//! A sender with a window. The sender accepts ACKs in any order, and retransmits packets that were trimmed or
//! had no answer for too long. REPS section 4.1: "the same DCTCP variant used in MPRDMA. [It] applies per-ACK
//! congestion window updates, allows the receiver to accept and acknowledge out-of-order packets, and reduces
//! the congestion window by one MTU in case of packet drops." Other [`Rule`]s of the window: Swift; BBR,
//! which also sets the time between two packets; credits of the receiver (EQDS).

use super::bbr::Bbr;
use super::rule::{Block, Delay, Rule};
use super::settings::{self, Cap, Dctcp, Eqds, Swift};
use super::{Answer, Sender, Shared};
use crate::host::NEVER;
use std::collections::VecDeque;
use weft_nic::block::sender::Cause;
use weft_random::Rng;

/// The state of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The packet has not been sent.
    Fresh,
    /// The packet was sent at this time.
    Away(u64),
    /// The packet must be sent again.
    Lost,
    Came,
}

/// A flow.
pub(super) struct Flow {
    /// The window in packets, and its limit.
    window: f64,
    most: f64,
    rule: Rule,
    /// Packets that the receiver's credits permit; `None`: only the window limits the sender.
    credits: Option<u32>,
    /// No packet leaves before this time.
    free_ps: u64,
    /// Time at which the flow last sent a packet or received an answer.
    heard_ps: u64,
    rto_ps: u64,
    packets: Vec<State>,
    /// The next packet to send for the first time.
    next: u32,
    lost: VecDeque<(u32, Cause)>,
    /// Sent packets in the order of their times. Some of these packets may have arrived, or may have been
    /// sent again.
    away: VecDeque<(u64, u32)>,
    under_way: u32,
    came: u32,
}

impl Flow {
    /// The window of the REPS papers, or a part of it.
    pub(super) fn dctcp(settings: &Dctcp, shared: &Shared, packets: u32, parts: u32) -> Self {
        let most = settings.window_bdp * f64::from(shared.bdp_packets) / f64::from(parts);
        Self::of(Rule::Marks { decrease: settings.decrease }, settings.rto_us, packets, most)
    }

    /// The window of Swift, for a whole flow or a part of it.
    pub(super) fn swift(settings: &Swift, shared: &Shared, packets: u32, parts: u32) -> Self {
        let most = settings.window_bdp * f64::from(shared.bdp_packets) / f64::from(parts);
        let rule = Delay::new(*settings, shared.network.base_rtt_ps(shared.mtu));
        Self::of(Rule::Delay(rule), settings.rto_us, packets, most)
    }

    /// BBR, or a part of it.
    pub(super) fn bbr(settings: &settings::Bbr, shared: &Shared, (flow, packets): (u32, u32)) -> Self {
        let draw = Rng::of(&[shared.network.seed, flow.into(), 0x4242]).below(u32::MAX);
        let rule = Bbr::new(settings, shared.network.base_rtt_ps(shared.mtu), packets, draw);
        let flow = Self::of(Rule::Model(Box::new(rule)), settings.rto_us, packets, f64::INFINITY);
        Self { window: f64::from(settings.first_packets), ..flow }
    }

    /// EQDS, capped or not by a window.
    pub(super) fn eqds(settings: &Eqds, shared: &Shared, packets: u32) -> Self {
        let Dctcp { window_bdp, decrease, .. } = Dctcp::default();
        let (rule, most) = match (settings.capped, settings.cap, &shared.smartt) {
            (true, Cap::Smartt, Some(smartt)) => {
                let (block, window) = Block::open(smartt, shared.mtu);
                (Rule::Block(Box::new(block)), window)
            }
            (true, ..) => (Rule::Marks { decrease }, window_bdp * f64::from(shared.bdp_packets)),
            (false, ..) => (Rule::Fixed, f64::INFINITY),
        };
        let flow = Self::of(rule, settings.rto_us, packets, most);
        Self { credits: Some(shared.first_packets()), ..flow }
    }

    fn of(rule: Rule, rto_us: f64, packets: u32, most: f64) -> Self {
        Self {
            window: most.max(1.0),
            most: most.max(1.0),
            rule,
            credits: None,
            free_ps: 0,
            heard_ps: 0,
            rto_ps: (rto_us * 1e6) as u64,
            packets: vec![State::Fresh; packets as usize],
            next: 0,
            lost: VecDeque::new(),
            away: VecDeque::new(),
            under_way: 0,
            came: 0,
        }
    }

    /// The window, in packets.
    #[cfg(test)]
    pub(super) fn window(&self) -> f64 {
        self.window
    }

    fn set(&mut self, window: f64) {
        self.window = window.clamp(1.0, self.most);
    }

    /// Marks a packet in flight as lost. For a packet of which not even the headers arrived, the sender needs
    /// no credit: it sends the packet by itself.
    fn lose(&mut self, number: u32, cause: Cause, now_ps: u64) {
        self.packets[number as usize] = State::Lost;
        self.lost.push_back((number, cause));
        self.under_way -= 1;
        let window = self.rule.loss(self.window, cause, (now_ps, self.under_way));
        self.set(window);
        if cause == Cause::Timeout {
            self.credit(now_ps);
        }
    }

    /// The first packet in flight since a time, if there is one.
    fn oldest(&self) -> Option<(u64, u32)> {
        self.away.iter().copied().find(|(at, number)| self.packets[*number as usize] == State::Away(*at))
    }
}

impl Sender for Flow {
    fn ready_ps(&mut self, _: u64) -> Option<u64> {
        while self.lost.front().is_some_and(|(number, _)| self.packets[*number as usize] != State::Lost) {
            self.lost.pop_front();
        }
        let is_open = f64::from(self.under_way + 1) <= self.window && self.credits != Some(0);
        (is_open && (!self.lost.is_empty() || (self.next as usize) < self.packets.len()))
            .then_some(self.free_ps)
    }

    fn send(&mut self, now_ps: u64, _: &dyn Fn(u32) -> u32) -> (u32, Option<Cause>) {
        let lost = self.lost.pop_front();
        let number = lost.map_or(self.next, |(number, _)| number);
        self.next += u32::from(lost.is_none());
        self.packets[number as usize] = State::Away(now_ps);
        self.away.push_back((now_ps, number));
        self.free_ps = now_ps + self.rule.send(number, now_ps, self.under_way);
        self.under_way += 1;
        self.credits = self.credits.map(|credits| credits - 1);
        self.heard_ps = now_ps;
        (number, lost.map(|(_, cause)| cause))
    }

    fn credit(&mut self, now_ps: u64) {
        self.credits = self.credits.map(|credits| credits + 1);
        self.heard_ps = now_ps;
    }

    fn answer(&mut self, answer: &Answer, now_ps: u64) {
        self.heard_ps = now_ps;
        let state = self.packets[answer.number as usize];
        if answer.is_nack {
            if matches!(state, State::Away(_)) {
                self.lose(answer.number, Cause::Nack, now_ps);
            }
            return;
        }
        if state == State::Came {
            return;
        }
        self.under_way -= u32::from(matches!(state, State::Away(_)));
        self.packets[answer.number as usize] = State::Came;
        self.came += 1;
        let window = self.rule.answer(self.window, answer, (now_ps, self.under_way));
        self.set(window);
        while self.away.front().is_some_and(|(at, number)| self.packets[*number as usize] != State::Away(*at))
        {
            self.away.pop_front();
        }
    }

    fn due(&self) -> u64 {
        match self.oldest() {
            Some((at, _)) => at + self.rto_ps,
            // The credits of the flow may be lost.
            None if self.credits == Some(0) && !self.is_done() => self.heard_ps + self.rto_ps,
            None => NEVER,
        }
    }

    fn expire(&mut self, now_ps: u64) {
        while let Some((at, number)) = self.oldest()
            && at + self.rto_ps <= now_ps
        {
            self.lose(number, Cause::Timeout, now_ps);
        }
        if self.due() <= now_ps {
            self.credit(now_ps);
        }
    }

    fn is_done(&self) -> bool {
        self.came as usize == self.packets.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const US: u64 = 1_000_000;

    fn flow(packets: u32, window: f64) -> Flow {
        let Dctcp { decrease, rto_us, .. } = Dctcp::default();
        Flow::of(Rule::Marks { decrease }, rto_us, packets, window)
    }

    fn burst(flow: &mut Flow, now_ps: u64) -> Vec<u32> {
        std::iter::from_fn(|| flow.ready_ps(now_ps).map(|_| flow.send(now_ps, &|_| 0).0)).collect()
    }

    fn hear(flow: &mut Flow, number: u32, is_nack: bool, is_marked: bool) {
        flow.answer(&Answer { flow: 0, number, next: 0, is_nack, is_marked, sent_ps: 0 }, US);
    }

    /// Computed by hand, from a window of 8 packets: a mark subtracts half a packet, 7.5. An unmarked ACK
    /// adds 1 / 7.5. A loss subtracts one packet.
    #[test]
    fn a_window_follows_every_ack() {
        let mut flow = flow(40, 8.0);
        assert_eq!(burst(&mut flow, 0), [0, 1, 2, 3, 4, 5, 6, 7]);
        hear(&mut flow, 1, false, true);
        assert_eq!((flow.window(), burst(&mut flow, US)), (7.5, vec![]));
        hear(&mut flow, 0, false, false);
        let window = 7.5 + 1.0 / 7.5;
        assert_eq!((flow.window(), burst(&mut flow, US)), (window, vec![8]));
        // A trimmed packet is sent again, once, and takes one packet off the window.
        hear(&mut flow, 3, true, false);
        assert_eq!((flow.window(), burst(&mut flow, US)), (window - 1.0, vec![]));
        hear(&mut flow, 2, false, true);
        assert_eq!((flow.window(), burst(&mut flow, US)), (window - 1.5, vec![3]));
    }

    /// Without an answer all packets of a window count as lost 70 us after they left, and each subtracts one
    /// packet from the window; late answers count.
    #[test]
    fn a_timeout_takes_a_packet_of_window_for_each() {
        let mut flow = flow(40, 8.0);
        burst(&mut flow, 0);
        assert_eq!(flow.due(), 70 * US);
        hear(&mut flow, 0, false, false);
        hear(&mut flow, 1, false, false);
        assert_eq!(burst(&mut flow, 2 * US), [8, 9]);
        flow.expire(70 * US);
        assert_eq!(flow.window(), 2.0);
        hear(&mut flow, 2, false, false);
        assert!(burst(&mut flow, 70 * US).is_empty());
        hear(&mut flow, 8, false, false);
        hear(&mut flow, 9, false, false);
        assert_eq!(burst(&mut flow, 71 * US), [3, 4, 5]);
    }

    #[test]
    fn a_window_has_a_packet_at_least_and_its_start_at_most() {
        let mut flow = flow(40, 8.0);
        burst(&mut flow, 0);
        (0..8).for_each(|number| hear(&mut flow, number, false, false));
        assert_eq!(flow.window(), 8.0);
        burst(&mut flow, US);
        flow.expire(100 * US);
        assert_eq!(flow.window(), 1.0);
    }

    /// EQDS: two packets leave without credit, then one for each credit. A trimmed packet waits for a credit;
    /// a packet that had no answer does not.
    #[test]
    fn credits_let_packets_go() {
        let mut flow = Flow { credits: Some(2), ..Flow::of(Rule::Fixed, 70.0, 6, f64::INFINITY) };
        assert_eq!(burst(&mut flow, 0), [0, 1]);
        hear(&mut flow, 0, false, true);
        hear(&mut flow, 1, true, false);
        assert!(burst(&mut flow, US).is_empty());
        flow.credit(US);
        flow.credit(US);
        assert_eq!(burst(&mut flow, US), [1, 2]);
        flow.expire(71 * US);
        assert_eq!(burst(&mut flow, 71 * US), [1, 2]);
        // No packet is under way, and no credit arrives: one packet leaves without credit.
        hear(&mut flow, 1, false, false);
        hear(&mut flow, 2, false, false);
        assert_eq!((burst(&mut flow, 72 * US), flow.due()), (vec![], 71 * US));
        flow.expire(71 * US);
        assert_eq!(burst(&mut flow, 72 * US), [3]);
    }
}
