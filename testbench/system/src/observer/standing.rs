//! Checks of the state of connections: reports of the host on its buffers, and events of the NIC.

use super::books::{Books, Posted, Refusal};
use super::world::{Checked, broken};

/// Bits of an event.
const HELD: u8 = 1 << 1;
const FROZEN: u8 = 1 << 2;
const DRAINED: u8 = 1 << 3;
const UNANSWERED: u8 = 1 << 4;
const DENIED: u8 = 1 << 5;
const BREACH: u8 = 1 << 6;
const BROKEN: u8 = 1 << 7;
const FAILURES: u8 = UNANSWERED | DENIED | BREACH | BROKEN;
/// Clocks within which the NIC reports the end of a freeze.
const TELLS: u64 = 1_500;
/// Clocks after which the NIC holds packets back.
const HOLDS: u64 = 100;

impl Books {
    /// Notes the host's report on a buffer.
    pub(super) fn buffer(&mut self, index: u32, word: u8) {
        let clock = self.clock;
        for at in self.owners[index as usize].clone() {
            let opening = &mut self.openings[at];
            // While a command is in progress, the observer cannot determine which opening the report is for.
            let certain = opening.is_open();
            match word {
                0 => opening.held = None,
                1 => {
                    opening.perhaps_held = true;
                    opening.held = Some(clock + HOLDS).filter(|_| certain);
                }
                _ => {
                    opening.perhaps_broken = true;
                    opening.broken |= certain;
                    if certain {
                        opening.ends(clock);
                    }
                }
            }
        }
    }

    /// Checks an event. The event shows the state of the connection when the NIC offered it. After the end of
    /// the command that closes an earlier opening, no event of that opening may arrive.
    pub(super) fn event(&mut self, index: u32, word: u8) -> Checked {
        let (clock, ticks) = (self.clock, self.ticks_now());
        let mut causes = 0;
        for at in self.owners[index as usize].clone() {
            let gave_up = self.openings[at].failed || self.gives_up(&self.openings[at]);
            let opening = &mut self.openings[at];
            let bit = |cause: bool, bit: u8| if cause { bit } else { 0 };
            // All requests that were posted before the drain have ended.
            let due =
                |message: &Posted, asked: u64| message.posted_at < asked && message.refusal == Refusal::Never;
            let messages = opening.messages.iter().map(|at| &self.posted[*at]);
            let ended = |asked: u64| messages.clone().all(|it| !due(it, asked) || it.ended.is_some());
            causes |= 1 | FROZEN;
            causes |= bit(opening.drain_asked.is_some_and(&ended), DRAINED);
            causes |= bit(opening.perhaps_held, HELD) | bit(gave_up, UNANSWERED);
            causes |= bit(opening.suspect, BREACH) | bit(opening.perhaps_broken, BROKEN);
            causes |= bit(opening.perhaps_denied, DENIED);
            opening.told |= word;
            (opening.frozen, opening.thaws) = (ticks.filter(|_| word & FROZEN != 0), None);
            // The NIC has detected the failure by now.
            if opening.is_open() && word & causes & FAILURES != 0 {
                opening.ends(clock);
            }
        }
        if word & !causes == 0 && (word & 1 == 1 || word == 0) {
            return Ok(());
        }
        broken('h', format!("an event of connection {index} says {word:#04x}, with causes for {causes:#04x}"))
    }

    /// Checks at the end that the NIC reported the end of each connection.
    pub(super) fn events_agree(&self) -> Checked {
        for opening in self.openings.iter().filter(|opening| opening.is_open()) {
            let drained = opening.drained.is_some();
            let due = [
                (drained, DRAINED),
                (opening.failed, UNANSWERED),
                (opening.breach, BREACH),
                (opening.broken, BROKEN),
                (opening.denied, DENIED),
            ];
            let untold = due.iter().find(|(happened, bit)| *happened && opening.told & bit == 0);
            if let Some((_, bit)) = untold {
                return broken('h', format!("no event said {bit:#04x} of {}", opening.name()));
            }
        }
        (0..self.openings.len()).try_for_each(|at| self.thaws_agree(at))
    }

    /// Checks that an event reported the end of a freeze. The event may be missing if the freeze ended
    /// lately, or if the host or the sender stalled.
    pub(super) fn thaws_agree(&self, at: usize) -> Checked {
        let opening = &self.openings[at];
        let stood = self.events_flow.max(self.flows);
        if opening.close_asked.is_none()
            && opening.thaws.is_some_and(|due| due.max(stood) + TELLS < self.clock)
        {
            return broken('h', format!("no event said that {} is not frozen any more", opening.name()));
        }
        Ok(())
    }
}
