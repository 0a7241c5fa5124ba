//! The counters of losses, paths, windows and round-trip times.

use super::notes::{Cause, Facts};
use super::state::{Counters, Paths, Recovery, Rtt, Window};
use crate::block::{reps, smartt};

fn count(counter: &mut u32, one: bool) {
    *counter = counter.wrapping_add(one.into());
}

impl Rtt {
    fn add(&mut self, ticks: u16) {
        count(&mut self.bins[ticks.checked_ilog2().map_or(0, |bit| bit as usize + 1)], true);
        self.latest = ticks;
        self.smallest = self.smallest.min(ticks);
    }
}

impl Counters {
    /// The counters that are reset one clock later become those of `from`.
    pub(super) fn reset_late(&mut self, from: &Self) {
        let Self { recovery, paths, window, rtt, .. } = *from;
        *self = Self { recovery, paths, window, rtt, ..*self };
    }

    /// Counts an outcome of the transport.
    pub(super) fn facts(&mut self, facts: &Facts) {
        let Recovery { lost_by_nack, lost_by_verdict, lost_by_timeout, lost_by_probe, timeouts, .. } =
            &mut self.recovery;
        let lost = match facts.lost {
            Some(Cause::Nack) => Some(lost_by_nack),
            Some(Cause::Verdict) => Some(lost_by_verdict),
            Some(Cause::Probe) => Some(lost_by_probe),
            Some(Cause::Timeout) => {
                count(timeouts, true);
                Some(lost_by_timeout)
            }
            None => None,
        };
        if let Some(lost) = lost {
            *lost = lost.wrapping_add(facts.packets.into());
        }
        count(&mut self.recovery.spurious_timeouts, facts.spurious);
        count(&mut self.recovery.unanswered, facts.unanswered);
        count(&mut self.recovery.denied, facts.denied);
        if let Some((rtt, marked)) = facts.answer {
            self.rtt.add(rtt);
            count(&mut self.window.marks, marked);
        }
    }

    /// Counts an accepted order.
    pub(super) fn ordered(&mut self, again: bool) {
        count(&mut self.orders, true);
        count(&mut self.recovery.again, again);
    }

    /// Counts a decision of REPS, by its `tuser`.
    pub(super) fn decided(&mut self, user: u8) {
        let Paths { explored, recycled, reused, freezes, thaws } = &mut self.paths;
        if user & 7 == reps::Kind::Send as u8 {
            match user >> 4 & 3 {
                1 => count(explored, true),
                2 => count(recycled, true),
                3 => count(reused, true),
                _ => {}
            }
        }
        let (turned, frozen) = (user & 0x80 != 0, user & 0x40 != 0);
        count(freezes, turned && frozen);
        count(thaws, turned && !frozen);
    }

    /// A congestion window of an open connection, by its `tuser`.
    pub(super) fn window(&mut self, user: u8, bytes: u32, mtu: u16) {
        let Window { floors, .. } = &mut self.window;
        count(floors, user >> 5 != smartt::Kind::Open as u8 && bytes <= mtu.into());
    }
}
