//! The newest congestion window of every connection, until the transport accepts it (rule 11; rule 9 of the
//! NIC).

use super::step::{Allowance, Newest};
use crate::part::fifo::Fifo;
use crate::part::line::Line;

/// A connection in the queue: it waits with its window, or closes after all windows.
#[derive(Clone, Copy, Debug, Default)]
struct Turn {
    connection: u32,
    closes: bool,
}

/// The word that leaves the pipeline.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// Into the queue.
    Enqueue(Turn),
    /// The word leaves the box; the flag marks a close, which has no window.
    Leave(Allowance, bool),
}

/// The box.
#[derive(Clone, Debug)]
pub(super) struct Windows {
    /// Newest window of each connection.
    newest: Vec<Newest>,
    queue: Fifo<Turn>,
    leaving: Fifo<(Allowance, bool)>,
    line: Line<Step, 5>,
}

impl Windows {
    pub(super) fn new(connections: u32) -> Self {
        Self {
            newest: vec![Newest::default(); connections as usize],
            queue: Fifo::new(connections.trailing_zeros()),
            leaving: Fifo::new(4),
            line: Line::default(),
        }
    }

    /// The window that is offered.
    pub(super) fn offered(&self) -> Option<Allowance> {
        self.leaving.offered().filter(|(_, closes)| !closes).map(|(window, _)| window)
    }

    /// A close leaves: all earlier windows were accepted.
    pub(super) fn closed(&self) -> bool {
        self.leaving.offered().is_some_and(|(_, closes)| closes)
    }

    /// A clock: an answer arrives, or a close; the offered window is accepted.
    pub(super) fn clock(&mut self, answer: Option<Allowance>, close: Option<u32>, taken: bool) {
        let room = self.leaving.level() < 8;
        let pop = self.queue.offered().filter(|_| answer.is_none() && close.is_none() && room);
        let step = if let Some(Allowance { connection, bytes }) = answer {
            let enters = self.newest[connection as usize].learn(bytes);
            enters.then_some(Step::Enqueue(Turn { connection, closes: false }))
        } else if let Some(connection) = close {
            Some(Step::Enqueue(Turn { connection, closes: true }))
        } else {
            pop.map(|Turn { connection, closes }| {
                let bytes = self.newest[connection as usize].leave();
                Step::Leave(Allowance { connection, bytes }, closes)
            })
        };
        let (mut enqueue, mut leave) = (None, None);
        match self.line.clock(step) {
            Some(Step::Enqueue(turn)) => enqueue = Some(turn),
            Some(Step::Leave(window, closes)) => leave = Some((window, closes)),
            None => {}
        }
        let taken = taken || self.closed();
        self.queue.clock(enqueue, true, false, pop.is_some());
        self.leaving.clock(leave, true, false, taken);
    }
}
