//! Counts the clocks in which something holds the NIC up, clock for clock (`hdl/src/block/nic/holds.rs`).

use super::clocked::{Inputs, Outputs};

/// How many causes there are: the wire, DMA reads, DMA writes, completions, the peer's answers, work.
pub(super) const CAUSES: usize = 6;

/// What happened on the streams in a clock.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    full: bool,
    quiet: bool,
    offered: bool,
    asked: bool,
    answered: bool,
    unwritten: bool,
    untold: bool,
    begun: bool,
    over: bool,
}

/// The counters, modulo 2^32, and what they are made of.
#[derive(Clone, Debug, Default)]
pub(super) struct Holds {
    seen: Seen,
    reading: u8,
    /// Modulo 2^20.
    unfinished: u32,
    holds: [bool; CAUSES],
    counts: [u32; CAUSES],
}

impl Holds {
    /// Clocks by cause.
    pub(super) fn counts(&self) -> &[u32; CAUSES] {
        &self.counts
    }

    /// A clock edge; the outputs are those before it.
    pub(super) fn clock(&mut self, inputs: &Inputs, outputs: &Outputs) {
        if inputs.rst {
            *self = Self::default();
            return;
        }
        for (count, holds) in self.counts.iter_mut().zip(self.holds) {
            *count = count.wrapping_add(holds.into());
        }
        let Seen { full, quiet, offered, asked, answered, unwritten, untold, begun, over } = self.seen;
        let (reads, works) = (self.reading > 0 || offered, self.unfinished > 0);
        self.holds =
            [full, quiet && reads, unwritten, untold, quiet && !reads && works, quiet && !reads && !works];
        self.reading = self.reading.wrapping_add(asked.into()).wrapping_sub(answered.into());
        self.unfinished =
            self.unfinished.wrapping_add(begun.into()).wrapping_sub(over.into()) & ((1 << 20) - 1);
        self.seen = Seen {
            full: outputs.net.valid && !inputs.net_ready,
            quiet: !outputs.net.valid,
            offered: outputs.fetch.valid,
            asked: outputs.fetch.valid && inputs.fetch_ready,
            answered: outputs.read_ready && inputs.read.is_some_and(|beat| beat.last),
            unwritten: outputs.write.valid && !inputs.write_ready,
            untold: outputs.received.valid && !inputs.received_ready
                || outputs.sent.valid && !inputs.sent_ready,
            begun: inputs.work.is_some() && outputs.work_ready,
            over: outputs.sent.valid && inputs.sent_ready,
        };
    }
}
