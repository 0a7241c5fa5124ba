//! The newest congestion window of every connection, until the transport takes it.

use super::line::Line;
use crate::part::fifo::Fifo;

/// A congestion window for the transport.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Allowance {
    pub(super) connection: u32,
    pub(super) bytes: u32,
}

/// SMaRTT's answer, by its `tuser`, is a window: one to a CLOSE or of a closed connection is none.
pub(super) fn answers(user: u8) -> bool {
    user & 0x90 == 0x10
}

/// The newest window of a connection.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Newest {
    bytes: u32,
    /// The transport does not know it yet.
    waiting: bool,
}

impl Newest {
    /// A window comes; whether the connection is to enter the queue. A window that is as the transport knows it needs
    /// no event.
    pub(super) fn learn(&mut self, bytes: u32) -> bool {
        let news = std::mem::replace(&mut self.bytes, bytes) != bytes;
        let enters = news && !self.waiting;
        self.waiting |= news;
        enters
    }

    /// The connection's turn has come.
    pub(super) fn leave(&mut self) -> u32 {
        self.waiting = false;
        self.bytes
    }
}

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
