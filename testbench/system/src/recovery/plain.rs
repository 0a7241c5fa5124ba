//! Rule sets for comparison, in the simple form of their sources, with the same models of paths and windows:
//! the project's rules before ages (commit 4eb8183), go-back-N, and RACK-TLP (RFC 8985).

use super::transport::{Counts, Sent, Transport};
use std::collections::VecDeque;
use weft_nic::block::reps::{self, Reps};
use weft_nic::block::smartt::{self, Smartt};
use weft_nic::words::Acknowledgement;
use weft_params::{RepsParams, SenderCsr, SmarttParams};

/// A rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plain {
    /// The project's rules before ages. A packet is lost when a packet `gap` PSNs later arrives, and each
    /// arrival judges once. Any progress restarts the only timer; its expiry makes all packets lost.
    Before { gap: u64 },
    /// Retransmits all packets from the first missing one on, when the receiver requests it or the timer
    /// expires.
    GoBackN,
    /// RFC 8985 with time stamps per packet, a reordering window that grows with every duplicate, tail probes.
    Rack,
}

/// PSNs of a window.
const WINDOW: u64 = 256;
/// Retransmission timeout in ticks: 70 us.
const RTO: u64 = 2_188;
/// Maximum number of doublings of the timeout.
const DOUBLINGS: u32 = 6;
/// Largest reordering window of RACK, in quarters of the smallest round-trip time.
const QUARTERS: u64 = 16;

#[derive(Clone, Copy, Debug)]
struct Packet {
    acked: bool,
    lost: bool,
    judged: bool,
    again: bool,
    left: u64,
}

/// One connection.
pub(super) struct Host {
    rules: Plain,
    una: u64,
    next: u64,
    end: u64,
    packets: VecDeque<Packet>,
    ends: VecDeque<u64>,
    ended: u32,
    cwnd: u32,
    mtu_bytes: u32,
    since: u64,
    retries: u32,
    /// RACK: the acknowledged packet that was sent last, smallest and smoothed round-trip time, reordering
    /// window.
    newest: u64,
    smallest: u64,
    smoothed: u64,
    quarters: u64,
    reorder_at: Option<u64>,
    probed: bool,
    reps: Reps,
    smartt: Smartt,
    timeouts: u64,
    freezes: u64,
}

impl Host {
    pub(super) fn new(rules: Plain, csr: &SenderCsr, seed: u64) -> Self {
        let connections = 4;
        let mut host = Self {
            rules,
            una: 0,
            next: 0,
            end: 0,
            packets: VecDeque::new(),
            ends: VecDeque::new(),
            ended: 0,
            cwnd: csr.smartt.classes[0].max_cwnd_bytes,
            mtu_bytes: csr.sack.mtu_bytes,
            since: 0,
            retries: 0,
            newest: 0,
            smallest: u64::MAX,
            smoothed: 0,
            quarters: 1,
            reorder_at: None,
            probed: false,
            reps: Reps::new(RepsParams { connections, ..RepsParams::default() }, csr.reps),
            smartt: Smartt::new(SmarttParams { connections }, csr.smartt),
            timeouts: 0,
            freezes: 0,
        };
        // Bit 0 is ignored, as in the other transports.
        host.path(reps::Kind::Seed, seed as u16 & !1, false, (seed >> 16) as u16, 0);
        host.path(reps::Kind::Open, 0, false, 0, 0);
        host.window(smartt::Kind::Open, false, 0, 0, 0);
        host
    }

    fn path(&mut self, kind: reps::Kind, ev: u16, ecn: bool, rtt_ticks: u16, now: u64) -> u16 {
        let event = reps::Event { kind, connection: 0, ev, ecn, rtt_ticks, now_ticks: now as u32 };
        let outcome = self.reps.step(&event);
        self.freezes += u64::from(outcome.turned && outcome.frozen);
        outcome.ev
    }

    fn window(&mut self, kind: smartt::Kind, ecn: bool, packets: u64, rtt_ticks: u16, now: u64) {
        let outcome = self.smartt.step(&smartt::Event {
            kind,
            connection: 0,
            class: 0,
            ecn,
            packets: packets.clamp(1, 16) as u8,
            bytes: packets as u32 * self.mtu_bytes,
            rtt_ticks,
            in_flight_bytes: self.in_flight() as u32 * self.mtu_bytes,
            now_ticks: now as u32,
        });
        self.cwnd = outcome.cwnd_bytes;
    }

    fn unacked(&self) -> u64 {
        self.packets.iter().filter(|packet| !packet.acked).count() as u64
    }

    fn in_flight(&self) -> u64 {
        self.packets.iter().filter(|packet| !packet.acked && !packet.lost).count() as u64
    }

    /// Loses the chosen packets among those not acknowledged. Returns the number of new losses.
    fn lose(&mut self, chosen: impl Fn(u64, &Packet) -> bool) -> u64 {
        let mut lost = 0;
        for (psn, packet) in (self.una..).zip(&mut self.packets) {
            if !packet.acked && !packet.lost && chosen(psn, packet) {
                packet.lost = true;
                lost += 1;
            }
        }
        lost
    }

    fn unwrapped(&self, psn: u32) -> u64 {
        self.una.wrapping_add_signed(i64::from(psn.wrapping_sub(self.una as u32) << 8) << 32 >> 40)
    }

    /// Marks packets as lost by RACK: those sent long enough before an acknowledged one. Returns the time of
    /// the next such loss.
    fn rack(&mut self, now: u64) -> u64 {
        if self.smallest == u64::MAX {
            return 0;
        }
        let wait = self.smallest * self.quarters / 4;
        let (newest, limit) = (self.newest, self.smoothed.max(self.smallest) + wait);
        let lost = self.lose(|_, packet| packet.left < newest && now >= packet.left + limit);
        let late = self.packets.iter().filter(|packet| !packet.acked && !packet.lost && packet.left < newest);
        self.reorder_at = late.map(|packet| packet.left + limit).min();
        lost
    }

    fn trims(&mut self, lost: u64, now: u64) {
        if lost > 0 {
            self.window(smartt::Kind::Trim, false, lost, 0, now);
        }
    }

    fn due(&self) -> Option<(u64, bool)> {
        if self.unacked() == 0 {
            return None;
        }
        let rto = (self.since + (RTO << self.retries.min(DOUBLINGS)), false);
        let probe = (self.since + 2 * self.smoothed.max(1), true);
        let probes = self.rules == Plain::Rack && !self.probed && self.smoothed > 0;
        Some(if probes && probe < rto { probe } else { rto })
    }
}

impl Transport for Host {
    fn post(&mut self, packets: u32, _now: u64) {
        self.end += u64::from(packets);
        self.ends.push_back(self.end);
    }

    fn send(&mut self, now: u64) -> Option<Sent> {
        let flight = self.in_flight();
        if flight > 0 && (flight + 1) * u64::from(self.mtu_bytes) > u64::from(self.cwnd) {
            return None;
        }
        let lost = self.packets.iter().position(|packet| packet.lost && !packet.acked);
        let psn = match lost {
            Some(at) => self.una + at as u64,
            None if self.next < self.end && self.next - self.una < WINDOW => self.next,
            None => return None,
        };
        let again = lost.is_some();
        if !again {
            if self.unacked() == 0 {
                self.since = now;
            }
            self.packets.push_back(Packet {
                acked: false,
                lost: false,
                judged: false,
                again: false,
                left: now,
            });
            self.next += 1;
        }
        let packet = &mut self.packets[(psn - self.una) as usize];
        (packet.lost, packet.again, packet.left) = (false, again, now);
        if self.rules == Plain::Rack {
            self.since = now;
        }
        let ev = self.path(reps::Kind::Send, 0, false, 0, now);
        Some(Sent { psn, ev, again })
    }

    fn take(&mut self, answer: &Acknowledgement, now: u64) {
        let rtt = (now as u16).wrapping_sub(answer.stamp).min(0x7FFF);
        let expected = self.unwrapped(answer.expected);
        if answer.nack {
            let lost = match self.rules {
                // The receiver has all packets before this one.
                Plain::GoBackN => self.lose(|psn, _| psn >= expected),
                _ => self.lose(|psn, _| psn == expected),
            };
            return self.trims(lost, now);
        }
        let bit = |at: u64| at < WINDOW && answer.bitmap[at as usize / 64] >> (at % 64) & 1 == 1;
        let trigger = self.unwrapped(answer.trigger);
        let (mut acked, mut newest) = (0, self.newest);
        let mut twice = trigger < self.una;
        for (psn, packet) in (self.una..).zip(&mut self.packets) {
            let come = psn < expected || bit(psn - expected);
            twice |= psn == trigger && packet.acked;
            if come && !packet.acked {
                packet.acked = true;
                acked += 1;
                // RFC 8985 6.2: ignore an ACK that may answer the first copy of the packet.
                if !(packet.again && now < packet.left + self.smallest.min(1 << 32)) {
                    newest = newest.max(packet.left);
                }
            }
        }
        self.newest = newest;
        if acked > 0 {
            (self.since, self.retries, self.probed) = (now, 0, false);
        }
        self.smallest = self.smallest.min(rtt.into());
        self.smoothed =
            if self.smoothed == 0 { rtt.into() } else { (7 * self.smoothed + u64::from(rtt)) / 8 };
        let lost = match self.rules {
            Plain::Before { gap } if gap > 0 && (self.una..self.next).contains(&trigger) => {
                let lost = self.lose(|psn, packet| psn + gap <= trigger && !packet.judged);
                for (psn, packet) in (self.una..).zip(&mut self.packets) {
                    packet.judged |= psn + gap <= trigger;
                }
                lost
            }
            Plain::Rack => {
                self.quarters = QUARTERS.min(self.quarters + u64::from(twice));
                self.rack(now)
            }
            _ => 0,
        };
        while self.packets.front().is_some_and(|packet| packet.acked) {
            self.packets.pop_front();
            self.una += 1;
        }
        while self.ends.front().is_some_and(|end| *end <= self.una) {
            self.ends.pop_front();
            self.ended += 1;
        }
        self.path(reps::Kind::Ack, answer.ev, answer.ce, rtt, now);
        if acked > 0 {
            self.window(smartt::Kind::Ack, answer.ce, acked, rtt, now);
        }
        self.trims(lost, now);
    }

    fn expire(&mut self, now: u64) {
        if self.reorder_at.is_some_and(|at| at <= now) {
            let lost = self.rack(now);
            self.trims(lost, now);
        }
        let Some((_, probe)) = self.due().filter(|(due, _)| *due <= now) else { return };
        self.since = now;
        if probe {
            self.probed = true;
            let last = self.next - 1;
            self.lose(|psn, _| psn == last);
            return;
        }
        self.retries += 1;
        self.timeouts += 1;
        let lost = self.lose(|_, _| true);
        self.packets.iter_mut().for_each(|packet| packet.judged = true);
        if lost > 0 {
            self.window(smartt::Kind::Timeout, false, lost, 0, now);
            self.path(reps::Kind::Timeout, 0, false, 0, now);
        }
    }

    fn deadline(&mut self, _now: u64) -> Option<u64> {
        let rto = self.due().map(|(due, _)| due);
        [rto, self.reorder_at].into_iter().flatten().min()
    }

    fn ended(&mut self) -> u32 {
        std::mem::take(&mut self.ended)
    }

    fn counts(&self) -> Counts {
        Counts { freezes: self.freezes, timeouts: self.timeouts }
    }
}
