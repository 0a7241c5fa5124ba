//! Writes payload to memory or discards it as the tokens say, which are in the order of the packets (rule 9).
//! Reports messages after all earlier payload (rule 12; rule 5 of the NIC).

use super::settle::Token;
use crate::part::skid::Skid;
use crate::words::{Beat, Offer, Place, Received, Write};

/// A word of payload to be written, a message to be reported after it, or both.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Entry {
    id: u32,
    beat: Option<Beat>,
    place: Place,
    completes: Option<Received>,
}

/// The actions of a clock.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Drained {
    /// The token is done.
    pub(super) ends: bool,
    /// The entry that follows.
    pub(super) entry: Option<Entry>,
    /// The offered word leaves.
    pub(super) leaves: bool,
    /// The report that leaves with the word.
    pub(super) report: Option<(u32, Received)>,
    /// Whether a close has ended: the block has no earlier words of the connection.
    pub(super) closed: bool,
}

/// The output register of the payload and the next word.
#[derive(Clone, Debug, Default)]
pub(super) struct Drain(Skid<Entry>);

impl Drain {
    /// Whether payload is accepted.
    pub(super) fn accepts(&self, room: bool, token: Option<Token>) -> bool {
        room && self.0.run() && token.is_some_and(|token| token.payload)
    }

    /// The actions of this clock: a word of payload is offered, one to be written may leave.
    pub(super) fn decide(
        &self,
        room: bool,
        token: Option<Token>,
        payload: Option<Beat>,
        write_ready: bool,
    ) -> Drained {
        let word = self.0.word();
        let leaves = write_ready || word.beat.is_none();
        let report = word.completes.filter(|_| self.0.offers() && leaves);
        let nothing = Drained { leaves, report: report.map(|it| (word.id, it)), ..Drained::default() };
        let Some(token) = token.filter(|_| room && self.0.run()) else { return nothing };
        let taken = payload.filter(|_| token.payload);
        let waits = token.closes && self.0.offers();
        let ends = !waits && (!token.payload || taken.is_some_and(|beat| beat.last));
        let entry = Entry {
            id: token.id,
            beat: taken.filter(|_| token.write),
            place: token.place,
            completes: token.completes.filter(|_| ends),
        };
        let some = entry.beat.is_some() || entry.completes.is_some();
        Drained { ends, entry: some.then_some(entry), closed: ends && token.closes, ..nothing }
    }

    pub(super) fn clock(&mut self, drained: &Drained) {
        self.0.clock(drained.entry, drained.leaves);
    }

    /// `m_axis_write`.
    pub(super) fn offer(&self) -> Offer<Write> {
        let Entry { id, beat, place, .. } = self.0.word();
        let valid = self.0.offers() && beat.is_some();
        Offer { valid, id, word: Write { beat: beat.unwrap_or_default(), place } }
    }
}
