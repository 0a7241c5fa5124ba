//! Writes or throws away payload as the tokens say, and reports messages behind what was written before.

use super::Inputs;
use super::settle::Token;
use crate::nic::words::{Beat, Offer, Place, Received, Write};

/// A word of payload to be written, a message to be reported behind it, or both.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Entry {
    id: u32,
    beat: Option<Beat>,
    place: Place,
    completes: Option<Received>,
}

/// What a clock comes to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Drained {
    /// The token is done.
    pub(super) ends: bool,
    /// What follows from it.
    pub(super) entry: Option<Entry>,
    /// What is offered leaves.
    pub(super) leaves: bool,
    /// And with it a report.
    pub(super) report: Option<(u32, Received)>,
}

/// The output register of the payload and the word behind it.
#[derive(Clone, Debug, Default)]
pub(super) struct Drain {
    /// What could not be put down: then nothing enters.
    held: Option<Entry>,
    offered: bool,
    /// What is or was last offered.
    word: Entry,
}

impl Drain {
    /// Whether payload is taken.
    pub(super) fn accepts(&self, room: bool, token: Option<Token>) -> bool {
        room && self.held.is_none() && token.is_some_and(|token| token.payload)
    }

    pub(super) fn decide(&self, room: bool, token: Option<Token>, inputs: &Inputs) -> Drained {
        let leaves = inputs.write_ready || self.word.beat.is_none();
        let report = self.word.completes.filter(|_| self.offered && leaves);
        let nothing = Drained { leaves, report: report.map(|it| (self.word.id, it)), ..Drained::default() };
        let Some(token) = token.filter(|_| room && self.held.is_none()) else { return nothing };
        let taken = inputs.payload.filter(|_| token.payload);
        let ends = !token.payload || taken.is_some_and(|beat| beat.last);
        let entry = Entry {
            id: token.id,
            beat: taken.filter(|_| token.write),
            place: token.place,
            completes: token.completes.filter(|_| ends),
        };
        let some = entry.beat.is_some() || entry.completes.is_some();
        Drained { ends, entry: some.then_some(entry), ..nothing }
    }

    pub(super) fn clock(&mut self, entry: Option<Entry>, leaves: bool) {
        let running = self.held.is_none();
        let next = if running { entry } else { self.held };
        if leaves || !self.offered {
            self.offered = next.is_some();
            self.word = next.unwrap_or(self.word);
            self.held = None;
        } else {
            self.held = next;
        }
    }

    /// `m_axis_write`.
    pub(super) fn offer(&self) -> Offer<Write> {
        let Entry { id, beat, place, .. } = self.word;
        let valid = self.offered && beat.is_some();
        Offer { valid, id, word: Write { beat: beat.unwrap_or_default(), place } }
    }
}
