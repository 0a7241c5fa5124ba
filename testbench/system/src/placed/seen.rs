//! Why a NIC sends its packets as it does, from what is seen at its ports: how one that goes again was found lost, where its
//! entropy value is from, and whose loss began a freeze. The NIC says none of this of a packet; its counters say how many
//! there were in all.

use std::collections::VecDeque;
use weft_fabric::host::nic::Departure;
use weft_nic::block::sender::Cause;
use weft_nic::words::{Acknowledgement, Arrival};
use weft_params::registers::Staged;
use weft_params::{EvMode, SenderCsr};

/// *Frozen* in the word of an event.
const FROZEN: u8 = 1 << 2;
/// Entropy values that REPS caches, and as many that may be on their way to it.
const CACHED: u64 = 16;
/// Packets and entropy values that are remembered: more than a window and what is under way in the NIC.
const KEPT: usize = 512;
/// Rule 13 of the SACK sender: half epochs of silence after which an EPOCH is late, epochs before each of the first
/// probes, epochs after which an EPOCH is late behind these, and probes before a timeout.
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
    /// The tick.
    pub(super) now: u64,
}

/// A connection.
#[derive(Default)]
struct Row {
    /// The last packets, the newest the one before PSN `next`.
    packets: VecDeque<Left>,
    next: u32,
    /// Entropy values of ACKs without a mark, in their order, the number of all, and of those that are used or overwritten.
    offers: VecDeque<u16>,
    offered: u64,
    used: u64,
    is_frozen: bool,
    /// Probes, and late epochs, since something was acknowledged.
    probes: usize,
    epoch: Epoch,
    /// Ticks from a packet to a timeout, at the earliest.
    timeout: u64,
    /// When bytes were asked for last, and when something was acknowledged.
    asked: u64,
    heard: u64,
}

/// Rule 21 of the SACK sender: how long an epoch is. All in ticks.
#[derive(Default)]
struct Epoch {
    shortest: u64,
    ticks: u64,
    since: u64,
    peak: u64,
    /// How many are over.
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

/// What ended a silence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Timer {
    /// An EPOCH that is late.
    Epoch,
    Probe,
    Timeout,
}

/// A packet that has left.
#[derive(Clone, Copy, Default)]
struct Left {
    flow: u32,
    /// Of its bytes in the flow.
    address: u64,
    /// As so many had left, and so many epochs were over.
    order: u64,
    epochs: u64,
    is_refused: bool,
    is_acknowledged: bool,
    /// A timeout has come since.
    is_late: bool,
}

/// What a connection knew as a packet's bytes were asked for, which is when it had just been chosen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    offered: u64,
    is_frozen: bool,
    /// Nothing was heard for so long that it was a timer.
    timer: Option<Timer>,
    /// Epochs that were over.
    epochs: u64,
    /// The lowest PSN that was not acknowledged.
    lowest: u32,
}

impl Row {
    /// How many of the packets lie before a PSN; `None`: it is older than all, or was not sent.
    fn before(&self, psn: u32) -> Option<usize> {
        self.packets.len().checked_sub((self.next.wrapping_sub(psn) & 0xFF_FFFF) as usize)
    }

    /// A packet.
    fn packet(&mut self, psn: u32) -> Option<&mut Left> {
        let at = self.before(psn)?;
        self.packets.get_mut(at)
    }

    /// The place of the oldest that is not acknowledged.
    fn lowest(&self) -> Option<usize> {
        self.packets.iter().position(|packet| !packet.is_acknowledged)
    }

    /// Epochs pass while a packet is not acknowledged.
    fn passes(&mut self, now: u64) {
        if self.lowest().is_some() {
            self.epoch.passes(now);
        }
    }

    /// The timer that has ended the silence, if it was long enough.
    fn timer(&self, now: u64) -> Option<Timer> {
        self.lowest()?;
        let ticks = self.epoch.ticks;
        let silence = now - self.asked.max(self.heard.saturating_sub(ticks));
        // Bytes are asked for behind the SEND: alone at once, in a burst behind 32 KiB (rule 9 of the sender).
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

    /// The first offer of an entropy value, from one on and before another one.
    fn offer_of(&self, ev: u16, from: u64, before: u64) -> Option<u64> {
        let first = self.offered - self.offers.len() as u64;
        let all = (first..before).zip(&self.offers);
        all.filter(|(number, offer)| *number >= from && **offer == ev).map(|(number, _)| number).next()
    }
}

impl Seen {
    /// For connections that were opened like this.
    pub(super) fn new(csr: &SenderCsr, opened: &[Staged]) -> Self {
        let row = |staged: &Staged| {
            let class = &csr.sack.classes[usize::from(staged.class)];
            let [shortest, timeout] = [class.epoch_ticks, class.rto_ticks].map(u64::from);
            let epoch = Epoch { shortest, ticks: shortest, ..Epoch::default() };
            Row { next: staged.send_psn, timeout, epoch, ..Row::default() }
        };
        Self { mode: csr.reps.mode, rows: opened.iter().map(row).collect(), left: 0, now: 0 }
    }

    /// An ACK or NACK comes.
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

    /// An event says how a connection stands: the flow of the oldest packet that is not acknowledged, if a freeze has begun.
    pub(super) fn stands(&mut self, connection: u32, word: u8) -> Option<u32> {
        let row = &mut self.rows[connection as usize];
        let was_frozen = std::mem::replace(&mut row.is_frozen, word & FROZEN != 0);
        let begins = row.is_frozen && !was_frozen;
        row.packets.get(row.lowest()?).filter(|_| begins).map(|packet| packet.flow)
    }

    /// The peer has said that this packet and all before it have come: it need not leave again (rule 12 of egress).
    pub(super) fn has_come(&self, connection: u32, flow: u32, address: u64) -> bool {
        let row = &self.rows[connection as usize];
        let mut come = row.packets.iter().take(row.lowest().unwrap_or(row.packets.len()));
        come.any(|packet| (packet.flow, packet.address) == (flow, address))
    }

    /// The bytes of a packet are asked for.
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

    /// A data packet of a flow leaves.
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
                // The timeout found all that is old (rule 20).
                let is_old = |it: &Left| it.order < self.left && it.epochs + 2 < mark.epochs;
                row.packets.iter_mut().for_each(|packet| packet.is_late |= is_old(packet));
                row.probes = 0;
                Cause::Timeout
            }
            _ if before.is_late => Cause::Timeout,
            // A late epoch loses what is old, as a verdict does.
            late => {
                row.probes += usize::from(late.is_some());
                Cause::Verdict
            }
        };
        Departure { flow, again, cause: Some(cause), choice }
    }

    /// Where the entropy value of a packet is from.
    fn choice(&mut self, connection: u32, ev: u16, mark: &Mark) -> u8 {
        let [given, explored, recycled, reused] = [0, 1, 2, 3];
        let row = &mut self.rows[connection as usize];
        let before = mark.offered;
        match self.mode {
            EvMode::Fixed => given,
            EvMode::Ops => explored,
            EvMode::Reps2024 => row.offer_of(ev, 0, before).map_or(explored, |_| recycled),
            EvMode::Reps => match row.offer_of(ev, row.used, before) {
                // Those before it were overwritten.
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
