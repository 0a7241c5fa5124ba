//! Between two windows, the parts of a run exchange packets and agree whether to continue. This module is for
//! parts that are threads; parts that are processes are in [`ranks`](super::ranks).

use crate::host::Signal;
use crate::packet::Packet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Packets with their links and, for packets of hosts, their contents; and signals.
pub(super) struct Mail<T> {
    pub(super) packets: Vec<(u32, Packet, Option<T>)>,
    pub(super) signals: Vec<Signal>,
}

impl<T> Default for Mail<T> {
    fn default() -> Self {
        Self { packets: Vec::new(), signals: Vec::new() }
    }
}

/// The state of a thread at the end of a window.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct State {
    /// Ends of flows so far.
    pub(super) finished: u64,
    /// Packets in its queues and on its links.
    pub(super) held: u64,
    /// Whether the thread requests the end of the run.
    pub(super) stops: bool,
    /// The next time at which a host of the part acts by itself. Set while no packet is in transit.
    pub(super) next_ps: u64,
}

/// The meeting of the parts of a run. Each part counts its rounds from 0.
pub(super) trait Exchange<T> {
    /// The box of one part for another part in a round. Before a barrier, a part fills its boxes for all
    /// other parts. After the barrier, it empties the other parts' boxes for itself.
    fn mail(&self, round: u64, from: usize, to: usize) -> MutexGuard<'_, Mail<T>>;
    /// Publishes the state of a part, waits for all other parts, and writes the states of all parts into
    /// `all`.
    fn meet(&self, round: u64, own: usize, state: State, all: &mut Vec<State>);
}

/// The boxes of the threads. Boxes and states have two sides, for odd and even rounds: a thread may be a
/// round ahead of a thread that still reads. (This is not the same as odd and even windows: empty windows are
/// left out.)
pub(super) struct Post<T> {
    threads: usize,
    boxes: Vec<Mutex<Mail<T>>>,
    states: Vec<Mutex<State>>,
    arrived: AtomicUsize,
    failed: AtomicBool,
}

/// Locks a mutex. The data of a thread that panicked may be used, since the run fails.
pub(super) fn open<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T> Post<T> {
    pub(super) fn new(threads: usize) -> Self {
        Self {
            threads,
            boxes: (0..2 * threads * threads).map(|_| Mutex::default()).collect(),
            states: (0..2 * threads).map(|_| Mutex::default()).collect(),
            arrived: AtomicUsize::new(0),
            failed: AtomicBool::new(false),
        }
    }

    fn side(round: u64) -> usize {
        (round & 1) as usize
    }

    fn wait(&self, all: usize) {
        self.arrived.fetch_add(1, Ordering::AcqRel);
        let mut spins = 0u32;
        while self.arrived.load(Ordering::Acquire) < all {
            assert!(!self.failed.load(Ordering::Relaxed), "another thread of the run failed");
            spins += 1;
            if spins > 2_000 {
                std::thread::yield_now();
            } else {
                std::hint::spin_loop();
            }
        }
    }

    /// A guard that releases all other threads when this thread panics.
    pub(super) fn guard(&self) -> Guard<'_> {
        Guard(&self.failed)
    }
}

impl<T> Exchange<T> for Post<T> {
    fn mail(&self, round: u64, from: usize, to: usize) -> MutexGuard<'_, Mail<T>> {
        open(&self.boxes[(Self::side(round) * self.threads + from) * self.threads + to])
    }

    fn meet(&self, round: u64, own: usize, state: State, all: &mut Vec<State>) {
        let states = &self.states[Self::side(round) * self.threads..][..self.threads];
        *open(&states[own]) = state;
        if self.threads > 1 {
            self.wait((round as usize + 1) * self.threads);
        }
        all.clear();
        all.extend(states.iter().map(|state| *open(state)));
    }
}

/// Reports a panic.
pub(super) struct Guard<'a>(&'a AtomicBool);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}
