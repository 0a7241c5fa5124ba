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
/// Rule 13 of the SACK sender: epochs from a packet to the first probe, those from what acknowledged something, and probes
/// before a timeout.
const EPOCHS: u64 = 3;
const EPOCHS_HEARD: u64 = 2;
const PROBES: u32 = 2;

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
    /// Probes since something was acknowledged.
    probes: u32,
    /// Ticks from a packet to the first timer at the earliest, and of the shortest epoch.
    silence: u64,
    epoch: u64,
    /// When bytes were asked for last, and when something was acknowledged.
    asked: u64,
    heard: u64,
}

/// A packet that has left.
#[derive(Clone, Copy)]
struct Left {
    flow: u32,
    /// As so many had left.
    order: u64,
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
    is_timer: bool,
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
            let [epoch, timeout] = [class.epoch_ticks, class.rto_ticks].map(u64::from);
            Row { next: staged.send_psn, silence: timeout.min(EPOCHS * epoch), epoch, ..Row::default() }
        };
        Self { mode: csr.reps.mode, rows: opened.iter().map(row).collect(), left: 0, now: 0 }
    }

    /// An ACK or NACK comes.
    pub(super) fn hears(&mut self, connection: u32, answer: &Acknowledgement) {
        let row = &mut self.rows[connection as usize];
        if answer.nack {
            row.packet(answer.expected).into_iter().for_each(|packet| packet.is_refused = true);
            return;
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
        answer.listed.entries().for_each(|(ev, ce)| row.offer(ev, ce));
        row.offer(answer.ev, answer.ce);
    }

    /// An event says how a connection stands: the flow of the oldest packet that is not acknowledged, if a freeze has begun.
    pub(super) fn stands(&mut self, connection: u32, word: u8) -> Option<u32> {
        let row = &mut self.rows[connection as usize];
        let was_frozen = std::mem::replace(&mut row.is_frozen, word & FROZEN != 0);
        let begins = row.is_frozen && !was_frozen;
        row.packets.get(row.lowest()?).filter(|_| begins).map(|packet| packet.flow)
    }

    /// The bytes of a packet are asked for.
    pub(super) fn mark(&mut self, connection: u32) -> Mark {
        let row = &mut self.rows[connection as usize];
        let Row { offered, is_frozen, silence, epoch, heard, .. } = *row;
        let since_asked = self.now - std::mem::replace(&mut row.asked, self.now);
        let is_timer = since_asked >= silence && self.now - heard >= EPOCHS_HEARD * epoch;
        let acknowledged = row.lowest().unwrap_or(row.packets.len());
        let lowest = row.next.wrapping_sub((row.packets.len() - acknowledged) as u32) & 0xFF_FFFF;
        Mark { offered, is_frozen, is_timer, lowest }
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
        let packet =
            Left { flow, order: self.left, is_refused: false, is_acknowledged: false, is_late: false };
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
        let cause = if before.is_refused {
            Cause::Nack
        } else if mark.is_timer && it.psn == mark.lowest && row.probes < PROBES {
            row.probes += 1;
            Cause::Probe
        } else if before.is_late || mark.is_timer {
            if mark.is_timer {
                // The timeout found all that had left.
                row.packets.iter_mut().for_each(|packet| packet.is_late |= packet.order < self.left);
                row.probes = 0;
            }
            Cause::Timeout
        } else {
            Cause::Verdict
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
