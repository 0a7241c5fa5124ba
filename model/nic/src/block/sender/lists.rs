//! The lists of ACKs, from the acceptance of an ACK to the report of its outcome: the number of entries of
//! each, and the entries one by one.

use super::state::{Listing, listed};
use crate::part::fifo::Fifo;
use crate::words::{Acknowledgement, Listed};

/// Words of the queue of entries, as a power of 2.
const ENTRIES_LOG2: u32 = 9;
/// Number of entries at which the block stops accepting ACKs: the remaining places are for the entries of one
/// ACK.
const ENTRIES_LIMIT: usize = 480;
/// Maximum number of ACKs whose outcome has not arrived, as a power of 2.
const COUNTS_LOG2: u32 = 5;

/// The lists.
#[derive(Clone, Debug)]
pub(super) struct Lists {
    /// The entries of the last accepted ACK that are not yet in the queue.
    left: Listed,
    /// The number of entries of this ACK.
    counting: Option<Listing>,
    /// The entry in the pipeline to the queue.
    found: Option<(u16, bool)>,
    /// Numbers in the pipeline to their queue, two clocks.
    counted: [Option<Listing>; 2],
    /// Whether there was space in the previous clock.
    room: bool,
    entries: Fifo<(u16, bool)>,
    counts: Fifo<Listing>,
}

impl Lists {
    pub(super) fn new() -> Self {
        Self {
            left: Listed::default(),
            counting: None,
            found: None,
            counted: [None; 2],
            room: true,
            entries: Fifo::new(ENTRIES_LOG2),
            counts: Fifo::new(COUNTS_LOG2),
        }
    }

    /// Whether an ACK may be accepted.
    pub(super) fn ready(&self) -> bool {
        self.left.there == 0 && self.room
    }

    /// The numbers of the ACK whose outcome arrives next.
    pub(super) fn count(&self) -> Listing {
        self.counts.word()
    }

    /// The next entry: entropy value and mark.
    pub(super) fn entry(&self) -> (u16, bool) {
        self.entries.word()
    }

    /// A clock: an ACK or NACK is accepted (`taken`), an outcome of an ACK leaves, an entry is reported or
    /// dropped.
    pub(super) fn clock(&mut self, taken: Option<&Acknowledgement>, outcome: bool, entry: bool) {
        let next = self.left.entries().next();
        let counted = self.counting.take_if(|_| next.is_none());
        self.room = self.entries.level() < ENTRIES_LIMIT;
        let found = std::mem::replace(&mut self.found, next);
        let [ended, later] = self.counted;
        self.counted = [later, counted];
        self.entries.clock(found, true, false, entry);
        self.counts.clock(ended, true, false, outcome);
        self.left.there &= self.left.there.wrapping_sub(1);
        if let (Some((_, marked)), Some(count)) = (next, &mut self.counting) {
            count.listed += 1;
            count.marked += u8::from(marked);
        }
        if let Some(ack) = taken {
            self.left = listed(ack);
            self.counting = (!ack.nack).then(Listing::default);
        }
    }
}
