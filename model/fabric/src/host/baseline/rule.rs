//! Reactions of a window to answers: to marks (MP-RDMA), to delay (Swift), as in the block of SMaRTT, none,
//! or from a model of the path (BBR).

use super::Answer;
use super::bbr::Bbr;
use super::settings::Swift;
use std::collections::VecDeque;
use weft_nic::block::sender::Cause;
use weft_nic::block::smartt::{Event, Kind, Smartt};
use weft_params::{SmarttCsr, SmarttParams};

/// A rule of a window.
#[derive(Clone, Debug)]
pub(super) enum Rule {
    /// MP-RDMA (Lu et al., NSDI 2018, section 3.2): an unmarked ACK adds one packet divided by the window's
    /// packets, and a marked ACK subtracts `decrease`. A lost packet subtracts one packet (REPS section 4.1).
    Marks {
        /// Packets that a marked ACK subtracts.
        decrease: f64,
    },
    /// Swift (Kumar et al., SIGCOMM 2020, section 3).
    Delay(Delay),
    /// SMaRTT, bit for bit.
    Block(Box<Block>),
    /// BBR, which also paces.
    Model(Box<Bbr>),
    /// The window stays constant.
    Fixed,
}

/// The constants and the state of Swift.
#[derive(Clone, Debug)]
pub(super) struct Delay {
    settings: Swift,
    rtt_ps: f64,
    /// Time before which no decrease is possible.
    free_ps: u64,
    /// Delays of the last answers, the oldest answer first.
    recent_ps: VecDeque<u64>,
    /// The same delays in the order of size.
    sorted_ps: Vec<u64>,
}

/// The block of SMaRTT with one connection, for the longest path.
#[derive(Clone, Debug)]
pub(super) struct Block {
    smartt: Smartt,
    mtu: u32,
    tick_ps: u64,
}

/// RTT class of the longest path.
const FAR: u8 = 2;

impl Block {
    /// Opens the connection. Returns the block and its first window in packets.
    pub(super) fn open((csr, tick_ps): &(SmarttCsr, u64), mtu: u32) -> (Self, f64) {
        let smartt = Smartt::new(SmarttParams { connections: 4 }, *csr);
        let mut block = Self { smartt, mtu, tick_ps: *tick_ps };
        let window = block.hear(Kind::Open, false, 0, (0, 0));
        (block, window)
    }

    /// The window in packets after an event of a packet.
    fn hear(&mut self, kind: Kind, ecn: bool, rtt_ps: u64, (now_ps, under_way): (u64, u32)) -> f64 {
        let event = Event {
            kind,
            connection: 0,
            class: FAR,
            ecn,
            packets: 1,
            bytes: self.mtu,
            rtt_ticks: (rtt_ps / self.tick_ps).min(u16::MAX.into()) as u16,
            in_flight_bytes: under_way * self.mtu,
            now_ticks: (now_ps / self.tick_ps) as u32,
        };
        f64::from(self.smartt.step(&event).cwnd_bytes) / f64::from(self.mtu)
    }
}

/// Flow scaling falls from its maximum to zero between these two windows, in packets.
const SCALED: [f64; 2] = [0.1, 100.0];

impl Delay {
    pub(super) fn new(settings: Swift, rtt_ps: u64) -> Self {
        let (recent_ps, sorted_ps) = (VecDeque::new(), Vec::new());
        Self { settings, rtt_ps: rtt_ps as f64, free_ps: 0, recent_ps, sorted_ps }
    }

    /// The median of the last answers' delays, including the new delay. For an even number of delays, the
    /// median is the higher of the two in the middle.
    fn median_ps(&mut self, delay_ps: u64) -> f64 {
        let place = |sorted: &[u64], it: u64| sorted.partition_point(|other| *other < it);
        if self.recent_ps.len() >= self.settings.median_of as usize
            && let Some(oldest) = self.recent_ps.pop_front()
        {
            self.sorted_ps.remove(place(&self.sorted_ps, oldest));
        }
        self.recent_ps.push_back(delay_ps);
        self.sorted_ps.insert(place(&self.sorted_ps, delay_ps), delay_ps);
        self.sorted_ps[self.sorted_ps.len() / 2] as f64
    }

    /// The target delay at a window.
    pub(super) fn target_ps(&self, window: f64) -> f64 {
        let most = self.settings.scaling_rtt * self.rtt_ps;
        let [least_root, most_root] = SCALED.map(|window| 1.0 / window.sqrt());
        let alpha = most / (least_root - most_root);
        let scaling = (alpha * (1.0 / window.sqrt() - most_root)).clamp(0.0, most);
        self.settings.target_rtt * self.rtt_ps + scaling
    }

    /// The window after a decrease by a factor, if the last decrease was a round trip ago.
    fn cut(&mut self, window: f64, factor: f64, (now_ps, delay_ps): (u64, f64)) -> f64 {
        if now_ps < self.free_ps {
            return window;
        }
        self.free_ps = now_ps + delay_ps as u64;
        window * factor.max(1.0 - self.settings.most_decrease)
    }
}

impl Rule {
    /// The window after an answer, with `under_way` packets in flight.
    pub(super) fn answer(&mut self, window: f64, answer: &Answer, (now_ps, under_way): (u64, u32)) -> f64 {
        match self {
            Self::Block(it) => {
                it.hear(Kind::Ack, answer.is_marked, now_ps - answer.sent_ps, (now_ps, under_way))
            }
            Self::Model(it) => it.answer(window, answer, (now_ps, under_way)),
            Self::Marks { decrease } if answer.is_marked => window - *decrease,
            Self::Marks { .. } => window + 1.0 / window,
            Self::Delay(it) => {
                let (delay_ps, target_ps) = (it.median_ps(now_ps - answer.sent_ps), it.target_ps(window));
                if delay_ps < target_ps {
                    return window + it.settings.increase / window;
                }
                let factor = 1.0 - it.settings.beta * (delay_ps - target_ps) / delay_ps;
                it.cut(window, factor, (now_ps, delay_ps))
            }
            Self::Fixed => window,
        }
    }

    /// A packet leaves, with `under_way` other packets in flight. Returns the time until the next packet may
    /// leave.
    pub(super) fn send(&mut self, number: u32, now_ps: u64, under_way: u32) -> u64 {
        match self {
            Self::Model(it) => it.send(number, now_ps, under_way),
            _ => 0,
        }
    }

    /// The window after a lost packet, with `under_way` packets in flight.
    pub(super) fn loss(&mut self, window: f64, cause: Cause, (now_ps, under_way): (u64, u32)) -> f64 {
        match self {
            Self::Block(it) => {
                let kind = if cause == Cause::Nack { Kind::Trim } else { Kind::Timeout };
                it.hear(kind, false, 0, (now_ps, under_way))
            }
            Self::Model(it) => {
                it.lose();
                window
            }
            Self::Marks { .. } => window - 1.0,
            Self::Delay(it) => it.cut(window, 0.0, (now_ps, it.rtt_ps)),
            Self::Fixed => window,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const US: u64 = 1_000_000;

    /// Computed by hand: a base round trip of 10 us and a target of 15 us, from 200 packets on, which is beyond flow
    /// scaling. 12 us add 1 / 200. 20 us subtract 0.8 x 5 / 20, a fifth: 160. A round trip later 100 us would
    /// subtract 0.68, but half is the maximum: 80. No decrease happens in between.
    #[test]
    fn swift_follows_delay() {
        let mut rule = Rule::Delay(Delay::new(Swift::default(), 10 * US));
        let mut answer = |window: f64, sent_us: u64, now_us: u64| {
            let answer = Answer {
                flow: 0,
                number: 0,
                next: 0,
                is_nack: false,
                is_marked: true,
                sent_ps: sent_us * US,
            };
            rule.answer(window, &answer, (now_us * US, 0))
        };
        assert_eq!(answer(200.0, 0, 12), 200.0 + 1.0 / 200.0);
        assert_eq!(answer(200.0, 0, 20), 160.0);
        assert_eq!(answer(160.0, 0, 39), 160.0);
        assert_eq!(answer(160.0, 0, 100), 80.0);
        assert_eq!(rule.loss(80.0, Cause::Nack, (199 * US, 0)), 80.0);
        assert_eq!(rule.loss(80.0, Cause::Nack, (200 * US, 0)), 40.0);
    }

    /// MSwift by hand, with the median of three delays in us. One delay of 12: the median is 12. Then 12 and
    /// 20: the higher delay, 20, reduces the window of 200 by a fifth. Then 12, 20 and 13: the median is 13,
    /// below the target although 20 is among the three. Then 20, 13 and 40: the delay of 20 reduces the
    /// window by another fifth.
    #[test]
    fn a_median_ignores_one_slow_way_of_three() {
        let settings = Swift { median_of: 3, ..Swift::default() };
        let mut rule = Rule::Delay(Delay::new(settings, 10 * US));
        let mut answer = |window: f64, delay_us: u64, now_us: u64| {
            let sent_ps = (now_us - delay_us) * US;
            let answer = Answer { flow: 0, number: 0, next: 0, is_nack: false, is_marked: false, sent_ps };
            rule.answer(window, &answer, (now_us * US, 0))
        };
        assert_eq!(answer(200.0, 12, 20), 200.0 + 1.0 / 200.0);
        assert_eq!(answer(200.0, 20, 21), 160.0);
        assert_eq!(answer(160.0, 13, 42), 160.0 + 1.0 / 160.0);
        assert_eq!(answer(160.0, 40, 43), 128.0);
    }

    /// By hand, 10 us at 400 Gb/s: the first window is 1.25 BDP of 500,000 bytes, and a trimmed packet
    /// subtracts one packet.
    #[test]
    fn smartt_is_the_block() {
        let network = weft_params::Network {
            link_gbps: 400,
            base_rtt_ns: vec![10_000; 3],
            mtu_bytes: 4096,
            ..weft_params::Network::default()
        };
        let sizing = network.sizing().expect("a network");
        let tick_ps = u64::from(sizing.network.tick_ps.expect("known"));
        let (block, window) = Block::open(&(sizing.csr, tick_ps), 4096);
        assert!((window - 625_000.0 / 4096.0).abs() < 1e-3, "{window}");
        let after = Rule::Block(Box::new(block)).loss(window, Cause::Nack, (US, 100));
        assert!((window - after - 1.0).abs() < 1e-3, "{window} {after}");
    }

    /// Computed by hand. At 0.1 packets the target is four base round trips longer, at 100 packets not longer
    /// at all, at 4 packets 40 us x (0.5 - 0.1) / (3.1623 - 0.1).
    #[test]
    fn small_windows_have_a_longer_target() {
        let it = Delay::new(Swift::default(), 10 * US);
        let us = |window: f64| it.target_ps(window) / 1e6;
        assert!((us(0.1) - 55.0).abs() < 1e-9 && (us(100.0) - 15.0).abs() < 1e-9 && us(200.0) == 15.0);
        assert!((us(4.0) - 20.225).abs() < 1e-3, "{}", us(4.0));
    }
}
