//! The stores of words that must be complete before a frame begins: read data, and frames of other software
//! (rule 4; rule 7 of the NIC).

use super::sound;
use crate::part::fifo::Fifo;
use crate::words::Beat;
use std::collections::VecDeque;
use weft_word::{Bits, Concrete, Word};

/// Number of words in a store, as a power of 2.
const DEPTH_LOG2: u32 = 9;
/// Number of words of the longest payload.
const PAYLOAD: usize = 128;
/// Number of words of the longest frame of other software.
pub(super) const FRAME: usize = 256;

/// The read data of a packet.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Packet {
    /// Number of words that are stored.
    pub(super) words: usize,
    /// Number of bytes in these frames.
    pub(super) bytes: usize,
    /// Whether the packet is too long, has a read error, or lacks bytes before the last word.
    pub(super) bad: bool,
}

/// The store of read data.
#[derive(Clone, Debug)]
pub(super) struct Reads {
    /// A queue with one entry per word. The bytes are in the next two fields.
    words: Fifo<()>,
    open: Vec<u8>,
    /// Whether the packet that is arriving lacks bytes.
    torn: bool,
    whole: VecDeque<Vec<u8>>,
    pub(super) packets: Fifo<Packet>,
}

impl Reads {
    pub(super) fn new() -> Self {
        Self {
            words: Fifo::new(DEPTH_LOG2),
            open: Vec::new(),
            torn: false,
            whole: VecDeque::new(),
            packets: Fifo::new(DEPTH_LOG2),
        }
    }

    pub(super) fn ready(&self) -> bool {
        self.words.level() < 1 << DEPTH_LOG2 && self.packets.level() < 1 << DEPTH_LOG2
    }

    /// The bytes of the first packet, which begins to leave.
    pub(super) fn begin(&mut self) -> Vec<u8> {
        self.whole.pop_front().unwrap_or_default()
    }

    /// A clock edge: a word enters, the first word of data leaves, the first packet gets its order.
    pub(super) fn clock(&mut self, beat: Option<&Beat>, pull: bool, found: bool) {
        let beat = beat.filter(|_| self.ready());
        let excess = self.open.len() == PAYLOAD * Beat::BYTES;
        let ends = beat.is_some_and(|beat| beat.last);
        let stored = beat.filter(|_| !excess);
        self.open.extend(stored.into_iter().flat_map(|beat| (0..Beat::BYTES).map(|at| beat.byte(at))));
        let lacks = |beat: &Beat| {
            let (keep, last) = (Bits::truncated(beat.keep.into()), Bits::truncated(beat.last.into()));
            sound::lacks::<Concrete>(keep, last).decide()
        };
        self.torn |= beat.is_some_and(lacks);
        let packet = beat.filter(|beat| beat.last).map(|beat| Packet {
            words: self.open.len() / Beat::BYTES,
            bytes: self.open.len() - beat.keep.leading_zeros() as usize,
            bad: beat.bad || excess || self.torn,
        });
        self.torn &= !ends;
        self.words.clock(stored.map(|_| ()), ends, false, pull);
        self.packets.clock(packet, true, false, found);
        if ends {
            self.whole.push_back(std::mem::take(&mut self.open));
        }
    }
}

/// The store of frames of other software.
#[derive(Clone, Debug)]
pub(super) struct Others {
    words: Fifo<()>,
    open: Vec<Beat>,
    /// Whether the frame that is arriving is too long.
    excess: bool,
    whole: VecDeque<Vec<Beat>>,
    /// Whether a frame was completed in the previous clock.
    ended: bool,
    /// Number of frames that may be next.
    waiting: usize,
}

impl Others {
    pub(super) fn new() -> Self {
        Self {
            words: Fifo::new(DEPTH_LOG2),
            open: Vec::new(),
            excess: false,
            whole: VecDeque::new(),
            ended: false,
            waiting: 0,
        }
    }

    pub(super) fn ready(&self) -> bool {
        self.words.level() < 1 << DEPTH_LOG2
    }

    /// Whether the store contains a whole frame.
    pub(super) fn some(&self) -> bool {
        self.waiting > 0
    }

    /// The first frame, which begins to leave.
    pub(super) fn begin(&mut self) -> Vec<Beat> {
        self.waiting -= 1;
        self.whole.pop_front().unwrap_or_default()
    }

    /// A clock edge: a word arrives, the first word leaves. Returns whether a frame ended that was too long.
    pub(super) fn clock(&mut self, beat: Option<&Beat>, pull: bool) -> bool {
        let beat = beat.filter(|_| self.ready());
        self.waiting += usize::from(std::mem::take(&mut self.ended));
        let Some(beat) = beat else {
            self.words.clock(None, false, false, pull);
            return false;
        };
        self.excess |= self.open.len() == FRAME;
        if self.excess {
            self.open.clear();
        } else {
            self.open.push(*beat);
        }
        self.ended = beat.last && !self.excess;
        self.words.clock(Some(()).filter(|()| !self.excess), self.ended, self.excess, pull);
        if self.ended {
            self.whole.push_back(std::mem::take(&mut self.open));
        }
        let overflow = beat.last && self.excess;
        self.excess &= !beat.last;
        overflow
    }
}
