//! The meaning of the transport's outcomes, in a pipeline.

use super::notes::{Heard, Meaning, Notes};
use crate::part::line::Line;
use crate::words::{Offer, Passed};
use weft_params::SenderCsr;

/// The dispatch.
#[derive(Clone, Debug)]
pub(super) struct Dispatch {
    /// PSNs of a window.
    psns: u32,
    notes: Vec<Notes>,
    ready: bool,
    line: Line<Meaning, 6>,
}

impl Dispatch {
    pub(super) fn new(connections: u32, psns: u32) -> Self {
        let notes = vec![Notes::default(); connections as usize];
        Self { psns, notes, ready: false, line: Line::default() }
    }

    /// An outcome can be accepted.
    pub(super) fn ready(&self) -> bool {
        self.ready
    }

    /// The word for egress that leaves next.
    pub(super) fn passed(&self) -> Offer<Passed> {
        let passed = self.line.leaving().and_then(|meaning| meaning.passed);
        passed.map_or_else(Offer::default, |(id, word)| Offer { valid: true, id, word })
    }

    /// A clock: an outcome enters, the meaning of one leaves. With `room`, the part accepts an outcome in the
    /// next clock.
    pub(super) fn clock(&mut self, outcome: Option<Heard>, now: u32, csr: &SenderCsr, room: bool) -> Meaning {
        self.ready = room;
        let meaning = outcome.map(|heard| {
            let notes = &mut self.notes[heard.outcome.connection as usize];
            notes.take(&heard, self.psns, now, csr.idle_ticks, csr.reps.trimming)
        });
        self.line.clock(meaning).unwrap_or_default()
    }
}
