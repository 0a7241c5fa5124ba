//! The next packet of a sender of DCQCN, and retransmissions: go-back-N, or the selective repeat of IRN
//! (Mittal et al., "Revisiting Network Support for RDMA", SIGCOMM 2018, section 3).

use super::Answer;
use super::bits::Bits;
use super::settings::{Dcqcn, Recovery};
use crate::host::NEVER;
use weft_nic::block::sender::Cause;

/// The packets of a flow that are in flight or lost.
#[derive(Clone, Debug)]
pub(super) struct Loss {
    packets: u32,
    /// All packets before this one have arrived.
    una: u32,
    /// The next packet to send for the first time; with go-back-N, also to send again.
    next: u32,
    /// The packet after the last one sent.
    sent: u32,
    timer_ps: u64,
    rto_ps: u64,
    /// The cause of the packets that are sent again now.
    cause: Cause,
    irn: Option<Irn>,
}

/// IRN.
#[derive(Clone, Debug)]
struct Irn {
    /// Maximum number of packets from the first unacknowledged one to the last one sent.
    window: u32,
    low_packets: u32,
    rto_low_ps: u64,
    came: Bits,
    /// Number after the highest packet that NACKs report as received.
    high: u32,
    recovers: Option<Recovers>,
}

/// Recovery from a loss.
#[derive(Clone, Copy, Debug)]
struct Recovers {
    /// The recovery ends when all packets before this one have arrived: those that were sent before the
    /// recovery began.
    until: u32,
    /// The next packet that may be lost.
    next: u32,
    /// The first packet counts as lost in any case.
    first: bool,
}

impl Loss {
    /// The state of a flow of `packets` packets.
    pub(super) fn new(settings: &Dcqcn, packets: u32, window: u32) -> Self {
        let irn = (settings.recovery == Recovery::Irn).then(|| Irn {
            window,
            low_packets: settings.low_packets,
            rto_low_ps: (settings.rto_low_us * 1e6) as u64,
            came: Bits::new(packets),
            high: 0,
            recovers: None,
        });
        let rto_ps = (settings.rto_us() * 1e6) as u64;
        Self { packets, una: 0, next: 0, sent: 0, timer_ps: 0, rto_ps, cause: Cause::Nack, irn }
    }

    /// The next packet, if there is one.
    pub(super) fn next(&self) -> Option<u32> {
        let fresh = (self.next < self.packets).then_some(self.next);
        let Some(irn) = &self.irn else { return fresh };
        irn.lost(self.una).or(fresh.filter(|next| next - self.una < irn.window))
    }

    /// Records that a packet leaves. If the packet has left before, returns the cause of its retransmission.
    pub(super) fn send(&mut self, number: u32, now_ps: u64) -> Option<Cause> {
        if self.una == self.sent {
            // No packet was under way: the timer starts.
            self.timer_ps = now_ps;
        }
        match self.irn.as_mut().and_then(|irn| irn.recovers.as_mut()) {
            Some(recovers) if number < self.next => (recovers.next, recovers.first) = (number + 1, false),
            _ => self.next = number + 1,
        }
        let again = number < self.sent;
        self.sent = self.sent.max(number + 1);
        again.then_some(self.cause)
    }

    /// Handles an answer.
    pub(super) fn answer(&mut self, answer: &Answer, now_ps: u64) {
        if answer.next > self.una {
            self.una = answer.next;
            self.next = self.next.max(self.una);
        }
        // Any answer restarts the timer.
        self.timer_ps = now_ps;
        let Some(irn) = &mut self.irn else {
            if answer.is_nack && answer.next == self.una {
                (self.next, self.cause) = (self.una, Cause::Nack);
            }
            return;
        };
        if irn.recovers.is_some_and(|recovers| self.una >= recovers.until) {
            irn.recovers = None;
        }
        if answer.is_nack && answer.number >= self.una {
            irn.came.set(answer.number);
            irn.high = irn.high.max(answer.number + 1);
            if irn.recovers.is_none() {
                irn.recovers = Some(Recovers { until: self.next, next: self.una, first: true });
                self.cause = Cause::Nack;
            }
        }
    }

    /// The time at which the first packet in flight counts as lost.
    pub(super) fn due(&self) -> u64 {
        if self.una == self.sent {
            return NEVER;
        }
        let rto_ps = match &self.irn {
            Some(irn) if self.sent - self.una <= irn.low_packets => irn.rto_low_ps,
            _ => self.rto_ps,
        };
        self.timer_ps + rto_ps
    }

    /// Handles the loss that is detected at the time of `due`.
    pub(super) fn expire(&mut self, now_ps: u64) {
        (self.timer_ps, self.cause) = (now_ps, Cause::Timeout);
        match &mut self.irn {
            Some(irn) => irn.recovers = Some(Recovers { until: self.next, next: self.una, first: true }),
            None => self.next = self.una,
        }
    }

    pub(super) fn is_done(&self) -> bool {
        self.una == self.packets
    }
}

impl Irn {
    /// The next lost packet in recovery: the first unacknowledged one, then each missing packet below a
    /// received one.
    fn lost(&self, una: u32) -> Option<u32> {
        let recovers = self.recovers?;
        if recovers.first && recovers.next == una {
            return Some(una);
        }
        (recovers.next.max(una)..self.high).find(|number| !self.came.get(*number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const US: u64 = 1_000_000;

    fn loss(recovery: Recovery, packets: u32, window: u32) -> Loss {
        Loss::new(&Dcqcn { recovery, ..Dcqcn::default() }, packets, window)
    }

    /// All packets that the flow sends before it must wait.
    fn burst(loss: &mut Loss, now_ps: u64) -> Vec<u32> {
        std::iter::from_fn(|| {
            let number = loss.next()?;
            loss.send(number, now_ps);
            Some(number)
        })
        .collect()
    }

    fn hear(loss: &mut Loss, answers: &[(u32, u32, bool)], now_ps: u64) {
        for &(number, next, is_nack) in answers {
            loss.answer(&Answer { flow: 0, number, next, is_nack, is_marked: false, sent_ps: 0 }, now_ps);
        }
    }

    #[test]
    fn go_back_n_sends_all_from_the_missing_one_on() {
        let mut loss = loss(Recovery::GoBackN, 6, 2);
        assert_eq!(burst(&mut loss, 0), [0, 1, 2, 3, 4, 5]);
        // 2 is missing; a NACK for a packet that has arrived since is old.
        hear(&mut loss, &[(0, 1, false), (1, 2, false), (3, 2, true)], US);
        assert_eq!(burst(&mut loss, US), [2, 3, 4, 5]);
        hear(&mut loss, &[(2, 3, false), (4, 2, true)], 2 * US);
        assert!(burst(&mut loss, 2 * US).is_empty());
        // 4 ms pass after the last answer, and the flow sends all unacknowledged packets again.
        assert_eq!(loss.due(), 4_002 * US);
        loss.expire(loss.due());
        assert_eq!(burst(&mut loss, 4_002 * US), [3, 4, 5]);
        hear(&mut loss, &[(5, 6, false)], 4_003 * US);
        assert!(loss.is_done() && loss.due() == NEVER);
    }

    /// IRN: a window of 5; of 0 to 4 the packets 1 and 3 are lost.
    #[test]
    fn irn_sends_again_what_is_lost_and_no_more() {
        let mut loss = loss(Recovery::Irn, 20, 5);
        assert_eq!(burst(&mut loss, 0), [0, 1, 2, 3, 4]);
        hear(&mut loss, &[(0, 1, false)], US);
        assert_eq!(burst(&mut loss, US), [5]);
        // 2 has arrived: 1 is lost, and nothing is known of 3.
        hear(&mut loss, &[(2, 1, true)], 2 * US);
        assert_eq!(burst(&mut loss, 2 * US), [1]);
        // 4 has arrived, too: 3 is lost.
        hear(&mut loss, &[(4, 1, true), (5, 1, true)], 3 * US);
        assert_eq!(burst(&mut loss, 3 * US), [3]);
        // Packet 1 arrived, so all up to 2 have; the window opens, and no packet is sent twice.
        hear(&mut loss, &[(1, 3, false)], 4 * US);
        assert_eq!(burst(&mut loss, 4 * US), [6, 7]);
        hear(&mut loss, &[(3, 6, false)], 5 * US);
        assert_eq!(burst(&mut loss, 5 * US), [8, 9, 10]);
    }

    /// IRN: RTO_low for three packets or fewer, else RTO_high; only the first packet is sent again.
    #[test]
    fn irn_has_two_timeouts() {
        let mut loss = loss(Recovery::Irn, 8, 8);
        assert_eq!(burst(&mut loss, 0).len(), 8);
        assert_eq!(loss.due(), 320 * US);
        hear(&mut loss, &[(4, 5, false)], 10 * US);
        assert_eq!(loss.due(), 110 * US);
        loss.expire(110 * US);
        assert_eq!(burst(&mut loss, 110 * US), [5]);
        assert_eq!(loss.due(), 210 * US);
    }
}
