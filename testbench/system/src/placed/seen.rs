//! Reasons for a NIC's packets, from its ports: the detection of a loss for a packet that is sent again, the
//! origin of its entropy value, and the loss that began a freeze. The NIC reports no such reason for a single
//! packet. The NIC's counters have the totals.

use std::collections::VecDeque;
use weft_fabric::host::nic::Departure;
use weft_nic::block::sender::Cause;
use weft_nic::words::{Acknowledgement, Arrival};
use weft_params::registers::Staged;
use weft_params::{EvMode, SenderCsr};

/// The bit *frozen* in the word of an event.
const FROZEN: u8 = 1 << 2;
/// Number of entropy values that REPS caches. Maximum number of values that may be on their way to REPS.
const CACHED: u64 = 16;
/// Packets and entropy values that are remembered: more than a window and the packets inside the NIC.
const KEPT: usize = 512;
/// Rule 13 of the SACK sender: half epochs of silence after which an EPOCH is late, epochs before each of the
/// first probes, epochs after which a further EPOCH is late, and probes before a timeout.
const LATE_HALVES: u64 = 5;
const PROBE_EPOCHS: [u64; 2] = [3, 6];
const LATER_EPOCHS: u64 = 5;
const PROBES: usize = 7;

/// All connections of a NIC.
pub(super) struct Seen {
    mode: EvMode,
    rows: Vec<Row>,
    /// Data packets that have left.
    left: u64,
    /// Present tick.
    pub(super) now: u64,
}

/// A connection.
#[derive(Default)]
struct Row {
    /// Last packets. The newest packet is the one before PSN `next`.
    packets: VecDeque<Left>,
    next: u32,
    /// Entropy values of ACKs without a mark, in order; their total number, and the number of those that are
    /// used or overwritten.
    offers: VecDeque<u16>,
    offered: u64,
    used: u64,
    is_frozen: bool,
    /// Probes and late epochs since the last acknowledgement of new packets.
    probes: usize,
    epoch: Epoch,
    /// Ticks from a packet to a timeout, at the earliest.
    timeout: u64,
    /// Ticks of the last read of bytes, and of the last acknowledgement of new packets.
    asked: u64,
    heard: u64,
}

/// Rule 21 of the SACK sender: length of an epoch, in ticks.
#[derive(Default)]
struct Epoch {
    shortest: u64,
    ticks: u64,
    since: u64,
    peak: u64,
    /// Number of epochs that are over.
    over: u64,
}

impl Epoch {
    fn passes(&mut self, now: u64) {
        while now - self.since >= self.ticks.max(1) {
            self.since += self.ticks.max(1);
            self.ticks = self.shortest.max((self.peak + self.peak / 2) / 2);
            self.peak -= self.peak / 16;
            self.over += 1;
        }
    }
}

/// Event of the timer that ended a silence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Timer {
    /// A late EPOCH.
    Epoch,
    Probe,
    Timeout,
}

/// A packet that has left.
#[derive(Clone, Copy, Default)]
struct Left {
    flow: u32,
    /// Address of the packet's bytes in the flow.
    address: u64,
    /// Packets that had left before, and epochs that were over.
    order: u64,
    epochs: u64,
    is_refused: bool,
    is_acknowledged: bool,
    /// A timeout has arrived since the packet left.
    is_late: bool,
}

/// State of a connection when a packet's bytes were read, that is just after the sender chose the packet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    offered: u64,
    is_frozen: bool,
    /// Timer that sent the packet, if the silence was long enough.
    timer: Option<Timer>,
    /// Epochs that were over.
    epochs: u64,
    /// Lowest PSN that was not acknowledged.
    lowest: u32,
}

impl Row {
    /// Number of remembered packets before a PSN. `None` if the PSN is older than all of them or was not
    /// sent.
    fn before(&self, psn: u32) -> Option<usize> {
        self.packets.len().checked_sub((self.next.wrapping_sub(psn) & 0xFF_FFFF) as usize)
    }

    /// Packet of a PSN.
    fn packet(&mut self, psn: u32) -> Option<&mut Left> {
        let at = self.before(psn)?;
        self.packets.get_mut(at)
    }

    /// Index of the oldest packet that is not acknowledged.
    fn lowest(&self) -> Option<usize> {
        self.packets.iter().position(|packet| !packet.is_acknowledged)
    }

    /// Lets epochs pass as long as a packet is unacknowledged.
    fn passes(&mut self, now: u64) {
        if self.lowest().is_some() {
            self.epoch.passes(now);
        }
    }

    /// Timer that has ended the silence, if the silence was long enough.
    fn timer(&self, now: u64) -> Option<Timer> {
        self.lowest()?;
        let ticks = self.epoch.ticks;
        let silence = now - self.asked.max(self.heard.saturating_sub(ticks));
        // The NIC reads bytes after the SEND: at once for a packet alone, after 32 KiB in a burst (rule 9 of
        // the sender).
        let [alone, behind] = [16, 4].map(|part| silence + self.epoch.shortest / part);
        match PROBE_EPOCHS.get(self.probes) {
            Some(epochs) if alone >= epochs * ticks => Some(Timer::Probe),
            Some(_) => (alone >= LATE_HALVES * ticks / 2).then_some(Timer::Epoch),
            None if behind >= self.timeout => Some(Timer::Timeout),
            None => (self.probes < PROBES && alone >= LATER_EPOCHS * ticks).then_some(Timer::Epoch),
        }
    }

    fn offer(&mut self, ev: u16, ce: bool) {
        if !ce {
            self.offers.push_back(ev);
            self.offered += 1;
            if self.offers.len() > KEPT {
                self.offers.pop_front();
            }
        }
    }

    /// First offer of an entropy value in the range `from..before`.
    fn offer_of(&self, ev: u16, from: u64, before: u64) -> Option<u64> {
        let first = self.offered - self.offers.len() as u64;
        let all = (first..before).zip(&self.offers);
        all.filter(|(number, offer)| *number >= from && **offer == ev).map(|(number, _)| number).next()
    }
}

impl Seen {
    /// State for connections that were opened with these values.
    pub(super) fn new(csr: &SenderCsr, opened: &[Staged]) -> Self {
        let row = |staged: &Staged| {
            let class = &csr.sack.classes[usize::from(staged.class)];
            let [shortest, timeout] = [class.epoch_ticks, class.rto_ticks].map(u64::from);
            let epoch = Epoch { shortest, ticks: shortest, ..Epoch::default() };
            Row { next: staged.send_psn, timeout, epoch, ..Row::default() }
        };
        Self { mode: csr.reps.mode, rows: opened.iter().map(row).collect(), left: 0, now: 0 }
    }

    /// Notes an ACK or NACK.
    pub(super) fn hears(&mut self, connection: u32, answer: &Acknowledgement) {
        let row = &mut self.rows[connection as usize];
        row.passes(self.now);
        if answer.nack {
            row.packet(answer.expected).into_iter().for_each(|packet| packet.is_refused = true);
            return;
        }
        let una = row.lowest().unwrap_or(row.packets.len());
        if row.before(answer.trigger).is_some_and(|at| (una..row.packets.len()).contains(&at)) {
            let rtt = self.now.wrapping_sub(answer.stamp.into()) & 0x7FFF;
            row.epoch.peak = row.epoch.peak.max(rtt);
        }
        let has_come = |at: usize| answer.bitmap[at / 64] >> (at % 64) & 1 == 1;
        let whole = row.before(answer.expected);
        let mut is_news = false;
        for (at, packet) in row.packets.iter_mut().enumerate() {
            let comes = whole.is_some_and(|whole| at < whole || at - whole < 256 && has_come(at - whole));
            is_news |= comes && !std::mem::replace(&mut packet.is_acknowledged, true);
        }
        if is_news {
            (row.probes, row.heard) = (0, self.now);
        }
        answer.listed().entries().for_each(|(ev, ce)| row.offer(ev, ce));
        row.offer(answer.ev, answer.ce);
    }

    /// Notes an event of a connection. If a freeze has begun, returns the flow of the oldest unacknowledged
    /// packet.
    pub(super) fn stands(&mut self, connection: u32, word: u8) -> Option<u32> {
        let row = &mut self.rows[connection as usize];
        let was_frozen = std::mem::replace(&mut row.is_frozen, word & FROZEN != 0);
        let begins = row.is_frozen && !was_frozen;
        row.packets.get(row.lowest()?).filter(|_| begins).map(|packet| packet.flow)
    }

    /// Whether the last event of a connection reported that it is frozen.
    pub(super) fn is_frozen(&self, connection: u32) -> bool {
        self.rows[connection as usize].is_frozen
    }

    /// Whether the peer has acknowledged this packet and all packets before it, so that it need not leave
    /// again (rule 12 of egress).
    pub(super) fn has_come(&self, connection: u32, flow: u32, address: u64) -> bool {
        let row = &self.rows[connection as usize];
        let mut come = row.packets.iter().take(row.lowest().unwrap_or(row.packets.len()));
        come.any(|packet| (packet.flow, packet.address) == (flow, address))
    }

    /// Notes that the NIC reads the bytes of a packet.
    pub(super) fn mark(&mut self, connection: u32) -> Mark {
        let row = &mut self.rows[connection as usize];
        let Row { offered, is_frozen, .. } = *row;
        row.passes(self.now);
        let timer = row.timer(self.now);
        row.asked = self.now;
        let acknowledged = row.lowest().unwrap_or(row.packets.len());
        if acknowledged == row.packets.len() {
            row.epoch.since = self.now;
        }
        let lowest = row.next.wrapping_sub((row.packets.len() - acknowledged) as u32) & 0xFF_FFFF;
        Mark { offered, is_frozen, timer, epochs: row.epoch.over, lowest }
    }

    /// Notes a data packet of a flow that leaves.
    pub(super) fn leaves(
        &mut self,
        connection: u32,
        it: &Arrival,
        (flow, again): (u32, bool),
        mark: &Mark,
    ) -> Departure {
        self.left += 1;
        let choice = self.choice(connection, it.ev, mark);
        let row = &mut self.rows[connection as usize];
        let (address, order) = (it.address, self.left);
        let packet = Left { flow, address, order, epochs: mark.epochs, ..Left::default() };
        let Some(before) = row.packet(it.psn) else {
            row.next = it.psn.wrapping_add(1) & 0xFF_FFFF;
            row.packets.push_back(packet);
            if row.packets.len() > KEPT {
                row.packets.pop_front();
            }
            return Departure { flow, again, cause: None, choice };
        };
        let is_acknowledged = before.is_acknowledged;
        let before = std::mem::replace(before, Left { is_acknowledged, ..packet });
        let cause = match mark.timer {
            _ if before.is_refused => Cause::Nack,
            Some(Timer::Probe) if it.psn == mark.lowest => {
                row.probes += 1;
                Cause::Probe
            }
            Some(Timer::Timeout) => {
                // The timeout found all old packets lost (rule 20).
                let is_old = |it: &Left| it.order < self.left && it.epochs + 2 < mark.epochs;
                row.packets.iter_mut().for_each(|packet| packet.is_late |= is_old(packet));
                row.probes = 0;
                Cause::Timeout
            }
            _ if before.is_late => Cause::Timeout,
            // A late epoch loses old packets, as a verdict does.
            late => {
                row.probes += usize::from(late.is_some());
                Cause::Verdict
            }
        };
        Departure { flow, again, cause: Some(cause), choice }
    }

    /// Source of the entropy value of a packet.
    fn choice(&mut self, connection: u32, ev: u16, mark: &Mark) -> u8 {
        let [given, explored, recycled, reused] = [0, 1, 2, 3];
        let row = &mut self.rows[connection as usize];
        let before = mark.offered;
        match self.mode {
            EvMode::Fixed => given,
            EvMode::Ops => explored,
            EvMode::Reps2024 => row.offer_of(ev, 0, before).map_or(explored, |_| recycled),
            EvMode::Reps => match row.offer_of(ev, row.used, before) {
                // Offers before this one were overwritten.
                Some(offer) => {
                    row.used = offer + 1;
                    recycled
                }
                None if mark.is_frozen
                    && row.offer_of(ev, before.saturating_sub(CACHED), before).is_some() =>
                {
                    reused
                }
                None => explored,
            },
        }
    }
}
