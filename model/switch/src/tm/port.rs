//! A port: its queues, its wire, and their pauses.

use super::buffer::Account;
use super::settings::{Port as Settings, Rate, WIRE_MIN, WIRE_OVERHEAD};
use crate::pfc::{FRAME_BYTES, Pause};
use std::collections::VecDeque;

/// No clock ever.
pub(super) const NEVER: u64 = u64::MAX;

/// An item that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Waiting<I> {
    pub(super) item: I,
    pub(super) bytes: u32,
    pub(super) since: u64,
    pub(super) on_leave: Option<(u16, u16)>,
    /// The item uses the buffer and counts for marking.
    pub(super) charged: bool,
    pub(super) marked: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Queue<I> {
    pub(super) items: VecDeque<Waiting<I>>,
    /// Bytes that wait, and the charged bytes among them.
    pub(super) bytes: u32,
    pub(super) charged_bytes: u32,
    pub(super) peak_bytes: u32,
    pub(super) account: Account,
}

/// Time at which the wire is free, in clocks and fractions of a clock (`1 / rate.bytes`), so that rounding
/// loses no time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wire {
    rate: Rate,
    free: u64,
    fraction: u64,
    /// Bytes of the last frame on the wire.
    bytes: u32,
}

impl Wire {
    /// Puts a frame on the wire, in a clock in which the wire becomes free or is free.
    pub(super) fn send(&mut self, clock: u64, bytes: u32) {
        if self.free < clock {
            (self.free, self.fraction) = (clock, 0);
        }
        let on_wire = u64::from(bytes).saturating_add(WIRE_OVERHEAD.into()).max(WIRE_MIN.into());
        // The product is at most (2^32 + 24) x (2^32 - 1) + 2^32, which is less than 2^65, but items of GiB
        // at GB per clock do not exist.
        let fraction = on_wire.saturating_mul(self.rate.clocks.into()).saturating_add(self.fraction);
        self.free += fraction / u64::from(self.rate.bytes);
        self.fraction = fraction % u64::from(self.rate.bytes);
        self.bytes = bytes;
    }

    /// Bytes of the frame that is being sent in this clock.
    pub(super) fn sends(&self, clock: u64) -> u32 {
        if self.free > clock { self.bytes } else { 0 }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Port<I> {
    pub(super) queues: Vec<Queue<I>>,
    pub(super) wire: Wire,
    /// Queues that contain something, and queues that are paused; one bit for each queue.
    filled: u64,
    paused: u64,
    /// Queues of each class, and the clock from which on the peer accepts the class.
    of_class: [u64; 8],
    until: [u64; 8],
    /// Classes that the peer must stop, classes whose state has not yet been sent to the peer, and the time
    /// of the next refresh.
    stopped: u8,
    untold: u8,
    again: [u64; 8],
    /// Charged bytes of queues that are marked.
    pub(super) depth: u32,
    /// First clock in which an item can leave, and first clock in which a PFC frame must leave, before all
    /// items.
    pub(super) due: u64,
    pub(super) pause_due: u64,
}

impl<I> Port<I> {
    pub(super) fn new(settings: &Settings) -> Self {
        let mut of_class = [0; 8];
        for (at, class) in
            settings.queues.iter().enumerate().filter_map(|(at, queue)| Some((at, queue.class?)))
        {
            of_class[usize::from(class & 7)] |= 1 << at;
        }
        let queue = || Queue {
            items: VecDeque::new(),
            bytes: 0,
            charged_bytes: 0,
            peak_bytes: 0,
            account: Account::default(),
        };
        Self {
            queues: settings.queues.iter().map(|_| queue()).collect(),
            wire: Wire { rate: settings.rate, free: 0, fraction: 0, bytes: 0 },
            filled: 0,
            paused: 0,
            of_class,
            until: [0; 8],
            stopped: 0,
            untold: 0,
            again: [NEVER; 8],
            depth: 0,
            due: NEVER,
            pause_due: NEVER,
        }
    }

    /// Computes when the port is due; every change must be followed by a call.
    fn set_due(&mut self) {
        self.due = NEVER;
        let ready = self.filled & !self.paused;
        if ready != 0 {
            let mut left = ready;
            for (queues, until) in self.of_class.iter().zip(self.until) {
                if until > self.wire.free && ready & queues != 0 {
                    left &= !queues;
                    self.due = self.due.min(until);
                }
            }
            if left != 0 {
                self.due = self.wire.free;
            }
        }
        let again =
            (0..8).filter(|class| self.stopped & (1 << class) != 0).map(|class| self.again[class]).min();
        self.pause_due = match (self.untold, again) {
            (0, None) => NEVER,
            (0, Some(again)) => again.max(self.wire.free),
            _ => self.wire.free,
        };
    }

    pub(super) fn push(&mut self, at: usize, waiting: Waiting<I>, marks: bool) {
        let queue = &mut self.queues[at];
        queue.bytes += waiting.bytes;
        queue.peak_bytes = queue.peak_bytes.max(queue.bytes);
        if waiting.charged {
            queue.charged_bytes += waiting.bytes;
            self.depth += if marks { waiting.bytes } else { 0 };
        }
        queue.items.push_back(waiting);
        self.filled |= 1 << at;
        self.set_due();
    }

    /// The queue that sends next.
    pub(super) fn turn(&self, clock: u64) -> Option<usize> {
        let mut ready = self.filled & !self.paused;
        for (queues, until) in self.of_class.iter().zip(self.until) {
            if until > clock {
                ready &= !queues;
            }
        }
        ready.checked_ilog2().map(|at| at as usize)
    }

    /// Removes the head of a queue and puts it on the wire.
    pub(super) fn pop(&mut self, clock: u64, at: usize, marks: bool) -> Option<Waiting<I>> {
        let queue = &mut self.queues[at];
        let waiting = queue.items.pop_front()?;
        queue.bytes -= waiting.bytes;
        if waiting.charged {
            queue.charged_bytes -= waiting.bytes;
            self.depth -= if marks { waiting.bytes } else { 0 };
        }
        if queue.items.is_empty() {
            self.filled &= !(1 << at);
        }
        self.wire.send(clock, waiting.bytes);
        self.set_due();
        Some(waiting)
    }

    pub(super) fn set_paused(&mut self, at: usize, paused: bool) {
        self.paused = self.paused & !(1 << at) | u64::from(paused) << at;
        self.set_due();
    }

    pub(super) fn is_paused(&self, at: usize) -> bool {
        self.paused >> at & 1 == 1
    }

    /// The peer pauses or resumes classes.
    pub(super) fn peer_pause(&mut self, clock: u64, pause: &Pause) {
        for (class, quanta) in pause.iter() {
            self.until[usize::from(class)] = match quanta {
                0 => 0,
                _ => clock.saturating_add(self.clocks_of(quanta)),
            };
        }
        self.set_due();
    }

    /// Clocks of a number of quanta of 512 bit times.
    fn clocks_of(&self, quanta: u16) -> u64 {
        self.wire.rate.clocks_of(u64::from(quanta) * 64)
    }

    /// Makes the peer stop a class or resume it. Returns whether this is a change.
    pub(super) fn stop(&mut self, class: u8, stop: bool) -> bool {
        let bit = 1 << class;
        let is_news = (self.stopped & bit != 0) != stop;
        if is_news {
            self.stopped ^= bit;
            self.untold |= bit;
            self.again[usize::from(class)] = NEVER;
            self.set_due();
        }
        is_news
    }

    pub(super) fn stops(&self, class: u8) -> bool {
        self.stopped & (1 << class) != 0
    }

    /// The classes and states to send to our peer in this clock. The frame takes the wire.
    pub(super) fn tell(&mut self, clock: u64, quanta: u16) -> Pause {
        let mut pause = Pause::default();
        let again = clock.saturating_add(self.clocks_of(quanta) / 2);
        for class in 0..8u8 {
            let (at, bit) = (usize::from(class), 1 << class);
            let stop = self.stops(class);
            if self.untold & bit != 0 || (stop && self.again[at] <= clock) {
                pause.classes |= bit;
                pause.quanta[at] = if stop { quanta } else { 0 };
                self.again[at] = if stop { again } else { NEVER };
            }
        }
        self.untold = 0;
        self.wire.send(clock, FRAME_BYTES as u32);
        self.set_due();
        pause
    }
}
