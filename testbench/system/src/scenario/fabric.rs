//! The paths.

use super::Settings;
use crate::trace::FaultKind;
use std::collections::VecDeque;

/// [`path_of`] in words, for whoever reads a trace.
pub(super) const PATH_HASH: &str = "(ev * 40503 mod 65536) * paths / 65536";

/// The path of an entropy value: what a switch's ECMP hash is here (Fibonacci hashing).
pub fn path_of(ev: u16, paths: u32) -> u32 {
    (u32::from(ev.wrapping_mul(40_503)) * paths) >> 16
}

/// When a packet leaves its path, and whether it was marked on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Passage {
    pub(super) out_ns: u64,
    pub(super) marked: bool,
}

/// Parallel paths, each a queue in front of a link.
pub(super) struct Fabric<'a> {
    settings: &'a Settings,
    /// When the packets of each path leave it.
    paths: Vec<VecDeque<u64>>,
}

impl<'a> Fabric<'a> {
    pub(super) fn new(settings: &'a Settings) -> Self {
        Self { settings, paths: vec![VecDeque::new(); settings.paths as usize] }
    }

    /// Sends a packet into its path at `in_ns`, which must not decrease; `None` when it is lost.
    pub(super) fn pass(&mut self, ev: u16, in_ns: u64) -> Option<Passage> {
        let path = path_of(ev, self.settings.paths);
        let queue = &mut self.paths[path as usize];
        while queue.front().is_some_and(|out_ns| *out_ns <= in_ns) {
            queue.pop_front();
        }
        let fault = self.settings.fault.filter(|fault| fault.path == path);
        let begin_ns = queue.back().map_or(in_ns, |last_ns| in_ns.max(*last_ns));
        let slow = fault.is_some_and(|fault| {
            fault.kind == FaultKind::Slow && (fault.from_ns..fault.until_ns).contains(&begin_ns)
        });
        let out_ns = begin_ns + self.settings.path_ns * if slow { self.settings.slowdown } else { 1 };
        let dead = fault.is_some_and(|fault| {
            fault.kind == FaultKind::Dead && in_ns < fault.until_ns && out_ns > fault.from_ns
        });
        if dead || queue.len() >= self.settings.queue_packets {
            return None;
        }
        let marked = queue.len() >= self.settings.mark_packets;
        queue.push_back(out_ns);
        Some(Passage { out_ns, marked })
    }
}
