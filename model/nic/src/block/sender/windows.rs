//! The newest congestion window of every connection, until the transport takes it.

use super::step::{Allowance, Newest};
use crate::part::fifo::Fifo;
use crate::part::line::Line;

/// What leaves the pipeline.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// The connection is to wait in the queue.
    Enqueue(u32),
    Leave(Allowance),
}

/// The box.
#[derive(Clone, Debug)]
pub(super) struct Windows {
    /// By connection.
    newest: Vec<Newest>,
    queue: Fifo<u32>,
    leaving: Fifo<Allowance>,
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
        self.leaving.offered()
    }

    /// A clock: an answer comes, what is offered is taken.
    pub(super) fn clock(&mut self, answer: Option<Allowance>, taken: bool) {
        let room = self.leaving.level() < 8;
        let pop = self.queue.offered().filter(|_| answer.is_none() && room);
        let step = if let Some(Allowance { connection, bytes }) = answer {
            self.newest[connection as usize].learn(bytes).then_some(Step::Enqueue(connection))
        } else {
            pop.map(|connection| {
                let bytes = self.newest[connection as usize].leave();
                Step::Leave(Allowance { connection, bytes })
            })
        };
        let (mut enqueue, mut leave) = (None, None);
        match self.line.clock(step) {
            Some(Step::Enqueue(connection)) => enqueue = Some(connection),
            Some(Step::Leave(allowance)) => leave = Some(allowance),
            None => {}
        }
        self.queue.clock(enqueue, true, false, pop.is_some());
        self.leaving.clock(leave, true, false, taken);
    }
}
