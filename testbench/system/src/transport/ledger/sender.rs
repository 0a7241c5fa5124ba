//! Sending end of a connection: the packets in flight.

use super::epochs::{Epochs, LAG_CLOCKS, Span};
use super::words::{same, unwrapped};
use crate::transport::breach::Breach;
use crate::transport::setting::CLOCKS_PER_TICK;
use std::collections::VecDeque;
use weft_nic::block::sack_tx::{Event, Kind, Outcome, Reason};
use weft_params::SackTxCsr;

/// PSNs of a window.
const WINDOW: u64 = 256;

/// Clocks within which a packet leaves after the event that allowed it, without turns of other connections;
/// each other connection may take a turn.
const TURN_CLOCKS: u64 = 256;

/// Maximum number of clocks from an event to its outcome, back-pressure included.
const OUTCOME_CLOCKS: u64 = 512;

/// Ticks between changes of bit 15 of the time: two changes may be this close together (rule 23 of the SACK
/// sender).
const TURN_TICKS: u64 = 1 << 15;

/// State of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Where {
    UnderWay,
    Lost,
    Acknowledged,
}

/// A moment of the run.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::transport) struct Time {
    /// Clocks since the start.
    pub(in crate::transport) clock: u64,
    /// Clocks in which the outcome stream could move.
    pub(in crate::transport) free: u64,
}

/// Packets in flight on a connection, and the state that follows from them.
#[derive(Clone, Debug, Default)]
pub(in crate::transport) struct SenderLedger {
    open: bool,
    first: u32,
    /// PSNs before `una` are acknowledged; PSNs before `next` are sent.
    una: u64,
    next: u64,
    epochs: Epochs,
    probes: u32,
    /// PSNs that may be lost, depending on whether an event saw the last epoch or the last una.
    doubtful: Vec<u64>,
    /// Earlier values of una, and the times until which they were valid, in clocks without a stall.
    unas_before: VecDeque<(u64, u64)>,
    /// State of each PSN from `una` to `next`, and the number of epochs that were over when it last left.
    packets: VecDeque<Where>,
    left_in: VecDeque<u64>,
    /// Rule 23 of the SACK sender: the mark, the moment when it was set, and the moment that the older count
    /// starts from.
    mark: u64,
    marked: u64,
    marked_before: u64,
    unacked: u64,
    under_way: u64,
    /// Ends of the messages that are not complete, and the end of the last message.
    ends: VecDeque<u64>,
    end: u64,
    /// End of the message that was begun last.
    begun: u64,
    completed: u64,
    cwnd: u32,
    /// Earlier windows, and the times until which they were valid.
    cwnds_before: VecDeque<(u32, u64)>,
    /// Packets that probes sent although the window was full, since the window last had space.
    excused: u64,
    /// The packet sent last, and the moment.
    sent: Option<(u64, u64)>,
    retries: u32,
    /// Moment of the last acknowledgement, timeout, probe or packet.
    moved: Time,
    /// Clock in which the silence began.
    silent_since: u64,
}

/// A packet that left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::transport) enum Sent {
    /// A new packet; `begins` for the first packet of its message.
    New { begins: bool },
    /// A packet sent again, by its PSN's distance from the connection's first.
    Again(u64),
}

impl SenderLedger {
    /// Messages completed since the connection was opened.
    pub(in crate::transport) fn completed(&self) -> u64 {
        self.completed
    }

    /// Posted messages that have not ended.
    pub(in crate::transport) fn pending(&self) -> u64 {
        self.ends.len() as u64
    }

    /// Timeouts in a row.
    pub(in crate::transport) fn retries(&self) -> u32 {
        self.retries
    }

    /// Packets sent and not acknowledged.
    pub(in crate::transport) fn unacked(&self) -> u64 {
        self.unacked
    }

    pub(super) fn post(&mut self, time: Time, packets: u64) {
        if self.ends.is_empty() {
            self.moved = time;
        }
        self.end += packets;
        self.ends.push_back(self.end);
    }

    /// Follows an event from outside and compares its outcome with the ledger.
    pub(in crate::transport) fn follow(
        &mut self,
        time: Time,
        event: &Event,
        outcome: &Outcome,
        csr: &SackTxCsr,
    ) -> Result<(), Breach> {
        let word = |what, got: u64, due: u64| same("sender", what, got, due);
        let accepted = self.open || event.kind == Kind::Open;
        word("accepted", outcome.accepted.into(), accepted.into())?;
        word("send", outcome.send.into(), 0)?;
        let (mut errors, mut acked) = (0, 0);
        match event.kind {
            Kind::Open | Kind::Close => {
                errors = self.pending();
                *self = Self::default();
                if event.kind == Kind::Open {
                    (self.open, self.first, self.cwnd) = (true, event.psn, event.cwnd_bytes);
                    let ticks = Span::of(csr.classes[0].epoch_ticks.into());
                    self.epochs = Epochs { ticks, ticks_before: ticks, ..Epochs::default() };
                    self.moved = time;
                }
            }
            Kind::Window if self.open => {
                self.cwnds_before.push_back((self.cwnd, time.free));
                self.cwnd = event.cwnd_bytes;
            }
            Kind::Post => word("refused", u64::from(outcome.reason == Reason::Refused), 0)?,
            Kind::Ack if self.open => acked = self.acknowledge(time, event, csr),
            Kind::Nack if self.open => {
                let psn = unwrapped(self.first, self.una, event.psn);
                self.lose(psn..psn + 1);
            }
            _ => {}
        }
        word("acked", outcome.acked.into(), acked)?;
        word("errors", outcome.errors.into(), errors)?;
        self.settle(time, acked, outcome)
    }

    /// Follows an event of the block's own. Returns the packet that left.
    pub(in crate::transport) fn follow_own(
        &mut self,
        time: Time,
        outcome: &Outcome,
        csr: &SackTxCsr,
        timeout_clocks: u64,
    ) -> Result<Option<Sent>, Breach> {
        let word = |what, got: u64, due: u64| same("sender", what, got, due);
        let mut sent = None;
        let mut errors = 0;
        if outcome.kind == Kind::Epoch && self.open {
            // The probe loses old packets. Late in a silence the event is a timeout, before that at most a
            // seventh probe.
            if outcome.lost > 0 {
                self.lose_old(2);
                let whole = |ticks| if self.probes < 2 { 2 * ticks + ticks / 2 } else { 5 * ticks };
                let due = self.epochs.either().map(|ticks| whole(ticks) * CLOCKS_PER_TICK).least;
                self.check_timer(time, due)?;
                (self.moved, self.silent_since) = (time, time.clock);
                word("seven probes before an epoch that loses", u64::from(self.probes > 6), 0)?;
                self.probes = 7.min(self.probes + 1);
                self.excused += 1;
            }
            self.epochs.end(csr.classes[0].epoch_ticks.into(), time.free);
        } else if outcome.kind == Kind::Probe && self.open {
            if self.una_lately(time.free) < self.una {
                self.doubtful.push(self.una);
            }
            self.lose(self.una as i64..self.una as i64 + 1);
            if self.unacked > 0 {
                let due = self.probe_clocks().least;
                self.check_timer(time, due)?;
                (self.moved, self.silent_since) = (time, time.clock);
                self.probes = 7.min(self.probes + 1);
                self.excused += 1;
            }
        } else if outcome.kind == Kind::Timeout && self.open {
            let waiting = self.unacked > 0;
            self.lose_old(2);
            let failed = waiting && self.retries >= csr.classes[0].retry_limit;
            word("failed", outcome.failed.into(), failed.into())?;
            if waiting {
                self.check_timer(time, timeout_clocks)?;
                self.retries += 1;
                self.probes = 0;
                (self.moved, self.silent_since) = (time, time.clock);
            }
            if failed {
                errors = self.pending();
                *self = Self { completed: self.completed, ..Self::default() };
            }
        } else if outcome.kind == Kind::Send && outcome.send {
            word("send", outcome.send.into(), self.open.into())?;
            sent = Some(self.send(time, outcome, csr)?);
        }
        word("acked", outcome.acked.into(), 0)?;
        word("errors", outcome.errors.into(), errors)?;
        self.settle(time, 0, outcome)?;
        Ok(sent)
    }

    /// Checks that a timer is not early. A timer may be early if it expired just when something moved.
    fn check_timer(&self, time: Time, timeout_clocks: u64) -> Result<(), Breach> {
        let clocks = time.clock - self.silent_since;
        let early = clocks + OUTCOME_CLOCKS < timeout_clocks;
        let crossed = time.free - self.moved.free < TURN_CLOCKS;
        if early && !crossed { Err(Breach::Hasty { clocks, due: timeout_clocks }) } else { Ok(()) }
    }

    /// Clocks of silence before a probe.
    fn probe_clocks(&self) -> Span {
        let epochs = if self.probes == 0 { 3 } else { 6 };
        self.epochs.either().map(|ticks| epochs * ticks * CLOCKS_PER_TICK)
    }

    /// Maximum number of clocks of silence before the next probe or timeout.
    fn silence_clocks(&self, timeout_clocks: u64) -> u64 {
        if self.probes < 2 { self.probe_clocks().most } else { timeout_clocks }
    }

    /// Least una that an event may have seen.
    fn una_lately(&mut self, free: u64) -> u64 {
        while self.unas_before.front().is_some_and(|(_, until)| until + LAG_CLOCKS <= free) {
            self.unas_before.pop_front();
        }
        self.unas_before.front().map_or(self.una, |(una, _)| *una)
    }

    /// Applies an ACK, PSN by PSN.
    fn acknowledge(&mut self, time: Time, event: &Event, csr: &SackTxCsr) -> u64 {
        let cumulative = unwrapped(self.first, self.una, event.psn);
        if cumulative > self.next as i64 {
            return 0;
        }
        let mut acked = 0;
        for psn in self.una..self.next {
            let after = psn as i64 - cumulative;
            let bit = |at: i64| event.bitmap[at as usize / 64] >> (at % 64) & 1 == 1;
            if after < 0 || after < WINDOW as i64 && bit(after) {
                acked += u64::from(self.becomes(psn, Where::Acknowledged));
            }
        }
        let trigger = unwrapped(self.first, self.una, event.trigger);
        let lately = self.una_lately(time.free);
        // The PSN that the ACK answers may have been in the window when the ACK entered.
        let answers = |una: u64| {
            (una as i64..self.next as i64).contains(&trigger) && cumulative + (WINDOW as i64) >= una as i64
        };
        let now = answers(self.una);
        if !now && !answers(lately) {
            return acked;
        }
        let rtt = u64::from(event.tag >> 16 & 0x7FFF);
        let judges = self.epochs.judges(rtt, time.free);
        let judges = if now || judges == Some(false) { judges } else { None };
        let before: Vec<Where> = self.packets.iter().copied().collect();
        if judges != Some(false) {
            self.lose_old(2);
            let gap = csr.classes[0].gap;
            if gap > 0 {
                self.lose_between(1, trigger - i64::from(gap) + 1);
            }
        }
        if judges.is_none() {
            let lost = (self.una..).zip(before.iter().zip(&self.packets));
            let lost = lost.filter(|(_, (before, now))| before != now).map(|(psn, _)| psn);
            self.doubtful.extend(lost.collect::<Vec<_>>());
        }
        let peak = self.epochs.peak.map(|peak| peak.max(rtt));
        self.epochs.peak = if now { peak } else { self.epochs.peak.or(peak) };
        acked
    }

    /// Marks PSNs as lost that left more than `epochs` epochs ago.
    fn lose_old(&mut self, epochs: u64) {
        self.lose_between(epochs, self.next as i64);
    }

    /// Marks PSNs before `end` as lost that left more than `epochs` epochs ago.
    fn lose_between(&mut self, epochs: u64, end: i64) {
        for psn in self.una as i64..end.min(self.next as i64) {
            let left_in = self.left_in[psn as usize - self.una as usize];
            if self.epochs.over - left_in > epochs {
                self.lose(psn..psn + 1);
            }
        }
    }

    /// Marks the PSNs of a range that are in flight as lost.
    fn lose(&mut self, psns: std::ops::Range<i64>) {
        let (first, end) = (psns.start.max(self.una as i64), psns.end.min(self.next as i64));
        for psn in first..end {
            self.becomes(psn as u64, Where::Lost);
        }
    }

    /// Moves a packet that was not acknowledged to a new state. Returns whether the state changed.
    fn becomes(&mut self, psn: u64, there: Where) -> bool {
        let packet = &mut self.packets[(psn - self.una) as usize];
        if *packet == Where::Acknowledged || *packet == there {
            return false;
        }
        self.under_way -= u64::from(*packet == Where::UnderWay);
        self.under_way += u64::from(there == Where::UnderWay);
        self.unacked -= u64::from(there == Where::Acknowledged);
        *packet = there;
        true
    }

    fn send(&mut self, time: Time, outcome: &Outcome, csr: &SackTxCsr) -> Result<Sent, Breach> {
        let psn = unwrapped(self.first, self.next, outcome.psn);
        let sent = if outcome.fresh {
            if psn != self.next as i64 {
                return Err(Breach::NotNext { got: psn, due: self.next as i64 });
            }
            if self.next >= self.end {
                return Err(Breach::NotPosted { psn });
            }
            // The first end after this packet is that of its message.
            let message = self.ends.partition_point(|end| *end <= self.next);
            let last = self.ends.get(message) == Some(&(self.next + 1));
            same("sender", "last", outcome.last.into(), last.into())?;
            let begins = self.next == self.begun;
            self.begun = self.ends[message];
            self.packets.push_back(Where::UnderWay);
            self.left_in.push_back(self.epochs.over);
            if self.unacked == 0 {
                (self.mark, self.marked, self.marked_before) = (self.next + 1, time.clock, time.clock);
            }
            (self.next, self.unacked, self.under_way) = (self.next + 1, self.unacked + 1, self.under_way + 1);
            Sent::New { begins }
        } else {
            // The packet may have been acknowledged since the block scheduled it.
            let at = psn - self.una as i64;
            let there = usize::try_from(at).map(|at| self.packets.get(at).copied());
            if let Some(left_in) = usize::try_from(at).ok().and_then(|at| self.left_in.get_mut(at)) {
                *left_in = self.epochs.over;
            }
            match there {
                Ok(None | Some(Where::UnderWay)) => return Err(Breach::NotLost { psn }),
                Ok(Some(Where::Lost)) => self.becomes(psn as u64, Where::UnderWay),
                Ok(Some(Where::Acknowledged)) | Err(_) => false,
            };
            Sent::Again(psn as u64)
        };
        self.sent = Some((psn as u64, time.free));
        self.moved = time;
        // A packet that leaves while the older count may be 2 need not begin a silence.
        if time.clock - self.marked_before < TURN_TICKS * CLOCKS_PER_TICK {
            self.silent_since = time.clock;
        }
        let outstanding = self.next - self.una;
        if outstanding > WINDOW {
            return Err(Breach::Window { window: "window of 256", packets: outstanding, most: WINDOW });
        }
        while self.cwnds_before.front().is_some_and(|(_, until)| until + TURN_CLOCKS <= time.free) {
            self.cwnds_before.pop_front();
        }
        let cwnd = self.cwnds_before.iter().fold(self.cwnd, |most, (before, _)| most.max(*before));
        let most = u64::from((cwnd / csr.mtu_bytes).max(1));
        if self.under_way <= most {
            self.excused = 0;
        } else if self.excused > 0 {
            self.excused -= 1;
        } else {
            return Err(Breach::Window { window: "congestion window", packets: self.under_way, most });
        }
        Ok(sent)
    }

    /// Checks the words that every outcome has about the connection after the event.
    fn settle(&mut self, time: Time, acked: u64, outcome: &Outcome) -> Result<(), Breach> {
        let word = |what, got: u64, due: u64| same("sender", what, got, due);
        if acked > 0 {
            (self.moved, self.retries, self.probes) = (time, 0, 0);
            let epoch = self.epochs.either().most * CLOCKS_PER_TICK;
            self.silent_since = self.silent_since.max(time.clock.saturating_sub(epoch));
        }
        let before = self.una;
        while self.packets.front() == Some(&Where::Acknowledged) {
            self.packets.pop_front();
            self.left_in.pop_front();
            self.una += 1;
        }
        if self.una >= self.mark {
            (self.mark, self.marked_before, self.marked) = (self.next, self.marked, time.clock);
        }
        if self.una > before {
            self.unas_before.push_back((before, time.free));
        }
        let mut completed = 0;
        while self.ends.front().is_some_and(|end| *end <= self.una) {
            self.ends.pop_front();
            completed += 1;
        }
        self.completed += completed;
        word("completed", outcome.completed.into(), completed)?;
        word("unacked", outcome.unacked.into(), self.unacked)?;
        if u64::from(outcome.in_flight) != self.under_way {
            self.look_again(outcome);
        }
        self.doubtful.clear();
        word("in flight", outcome.in_flight.into(), self.under_way)?;
        if self.open && !outcome.send {
            let una = self.first.wrapping_add(self.una as u32) & 0xFF_FFFF;
            word("the lowest PSN that is not acknowledged", outcome.psn.into(), una.into())?;
        }
        Ok(())
    }

    /// Looks again at doubtful PSNs. An ACK may have judged by the state before an epoch or ACK that was
    /// still in the block. A probe may have lost a PSN that is acknowledged since. No other difference is
    /// allowed.
    fn look_again(&mut self, outcome: &Outcome) {
        if u64::from(outcome.in_flight) > self.under_way {
            for psn in std::mem::take(&mut self.doubtful) {
                if psn >= self.una && self.packets.get((psn - self.una) as usize) == Some(&Where::Lost) {
                    self.becomes(psn, Where::UnderWay);
                }
            }
        }
    }

    /// Number of clocks without progress while packets are in flight.
    pub(in crate::transport) fn silence(&self, clock: u64) -> u64 {
        if self.unacked > 0 { clock.saturating_sub(self.moved.clock) } else { 0 }
    }

    /// Number of clocks without progress and the limit, if the limit is exceeded. While packets are in flight
    /// a probe or a timeout is due, otherwise the next posted packet.
    pub(in crate::transport) fn overdue(
        &self,
        clock: u64,
        timeout_clocks: u64,
        slack: u64,
    ) -> Option<(u64, u64)> {
        let bound = match self.unacked {
            0 if self.ends.is_empty() => return None,
            0 => slack,
            _ => self.silence_clocks(timeout_clocks) + slack,
        };
        let clocks = clock.saturating_sub(self.moved.clock);
        (self.open && clocks > bound).then_some((clocks, bound))
    }
}
