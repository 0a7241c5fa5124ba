//! The rules for the state of a connection and for the events that report its changes, and the transaction
//! view of both.

use crate::block::receiver::Bar;
use crate::part::table::Table;
use crate::words::Status;
use std::collections::VecDeque;

/// State of a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Whether the connection is open.
    pub open: bool,
    /// Whether the host holds the connection's packets back.
    pub held: bool,
    /// Whether REPS is in freezing mode.
    pub frozen: bool,
    /// Whether the connection drains and has no outstanding work.
    pub drained: bool,
    /// Whether the connection gave up because the peer did not answer.
    pub unanswered: bool,
    /// Whether the peer denied a packet, for its key or address.
    pub denied: bool,
    /// Whether the peer sent a packet that was not permitted to write to its address.
    pub breach: bool,
    /// Whether the host could not write.
    pub broken: bool,
    /// Number of freezes since the connection was opened, at most 255.
    pub freezes: u8,
    /// The causes of the last failure of a connection with this number, as in STATE; 0: none since reset.
    pub last: u8,
}

impl Standing {
    /// The word of STATE and of the event stream.
    pub fn word(&self) -> u8 {
        let Self { open, held, frozen, drained, unanswered, denied, breach, broken, .. } = *self;
        let bits = [open, held, frozen, drained, unanswered, denied, breach, broken];
        (0..).zip(bits).map(|(at, bit)| u8::from(bit) << at).sum()
    }

    /// The register QUERY_HISTORY (rule 24).
    pub fn history(&self) -> u32 {
        u32::from(self.last) << 8 | u32::from(self.freezes)
    }

    /// Treatment of the connection's packets by the receiver.
    pub fn bar(&self) -> Bar {
        Bar { held: self.held, failed: self.unanswered || self.denied || self.breach || self.broken }
    }

    /// Rule 22: the failure to report to the sender, if this report makes the connection fail and does not
    /// come from the sender.
    pub fn cause(&self, before: &Self, news: News) -> Option<Status> {
        let fails = self.bar().failed && !before.bar().failed;
        match news {
            News::Breach if fails => Some(Status::Breach),
            News::Buffer(_) if fails => Some(Status::Broken),
            _ => None,
        }
    }

    /// Applies a report (rule 14). Returns whether the change makes an event (rule 15).
    pub fn hear(&mut self, news: News) -> bool {
        let before = *self;
        match news {
            News::Control(open) => *self = Self { open, last: self.last, ..Self::default() },
            _ if !self.open => {}
            News::Failed(denied) => {
                self.denied |= denied;
                self.unanswered |= !denied;
            }
            News::Freeze(frozen) => {
                self.freezes = self.freezes.saturating_add((frozen && !self.frozen).into());
                self.frozen = frozen;
            }
            News::Drained => self.drained = true,
            News::Breach => self.breach = true,
            News::Buffer(word) if word & 2 != 0 => self.broken = true,
            News::Buffer(word) => self.held = word & 1 != 0,
        }
        if self.bar().failed {
            self.last = self.word() >> 4;
        }
        // The software that holds or opens the connection needs no report of it.
        !matches!(news, News::Control(_) | News::Buffer(0..=1)) && *self != before
    }
}

/// A report about a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// A freeze began or ended.
    Freeze(bool),
    /// The connection drains and has no outstanding work.
    Drained,
    /// A packet was not permitted to write to its address.
    Breach,
    /// The state of the host's buffer, 2 bits: it accepts packets, it does not accept packets, it failed.
    Buffer(u8),
    /// The connection was opened or closed.
    Control(bool),
    /// The sender ended the connection. `true`: its peer denied a packet; `false`: its peer did not answer.
    Failed(bool),
}

/// A change of a connection's state, by one report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The connection.
    pub connection: u32,
    /// The word of STATE before.
    pub before: u8,
    /// The word of STATE afterwards.
    pub after: u8,
    /// Whether the change makes an event (rule 15).
    pub is_event: bool,
}

/// State of all connections, and the events that the host has not accepted yet, without clocks. The memory
/// depends on the highest connection that was used.
#[derive(Clone, Debug)]
pub struct Standings {
    connections: Table<(Standing, bool)>,
    events: VecDeque<u32>,
    /// All changes, if the caller requested them.
    changes: Option<VecDeque<Change>>,
}

impl Default for Standings {
    /// No connection is open.
    fn default() -> Self {
        let connections = Table::new((Standing::default(), false));
        Self { connections, events: VecDeque::new(), changes: None }
    }
}

impl Standings {
    /// State of a connection.
    pub fn get(&self, connection: u32) -> Standing {
        self.connections.get(connection).0
    }

    /// Accepts a report. Returns the receiver's treatment of the connection's packets, and the failure for
    /// the sender if the report made the connection fail.
    pub fn hear(&mut self, connection: u32, news: News) -> (Bar, Option<Status>) {
        let (standing, waiting) = self.connections.row(connection);
        let before = *standing;
        let is_event = standing.hear(news);
        if is_event && !*waiting {
            *waiting = true;
            self.events.push_back(connection);
        }
        if let Some(changes) = &mut self.changes
            && *standing != before
        {
            let (before, after) = (before.word(), standing.word());
            changes.push_back(Change { connection, before, after, is_event });
        }
        (standing.bar(), standing.cause(&before, news))
    }

    /// Makes [`Self::change`] report changes from now on.
    pub fn tell_changes(&mut self) {
        self.changes.get_or_insert_default();
    }

    /// The next change of a connection's state.
    pub fn change(&mut self) -> Option<Change> {
        self.changes.as_mut()?.pop_front()
    }

    /// The next connection with an event, and its present state.
    pub fn event(&mut self) -> Option<(u32, Standing)> {
        let connection = self.events.pop_front()?;
        let (standing, waiting) = self.connections.row(connection);
        *waiting = false;
        Some((connection, *standing))
    }
}
