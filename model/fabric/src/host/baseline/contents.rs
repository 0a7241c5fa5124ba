//! The contents of packets between hosts of a baseline transport.

use crate::host::desk::Desk;
use crate::host::words::{Words, apart, array, pair};
use crate::tally::{Counts, Seen};

/// The contents of a packet, for hosts.
#[derive(Clone, Copy, Debug)]
pub enum Cargo {
    /// Data of a flow.
    Data {
        /// The flow.
        flow: u32,
        /// Number of the packet.
        number: u32,
        /// Time of departure.
        sent_ps: u64,
    },
    /// The answer to a data packet.
    Answer(Answer),
    /// A credit for a packet of this flow.
    Credit(u32),
}

/// The data that the hosts of a thread share: contents of packets, and counts.
#[derive(Debug, Default)]
pub struct Hold {
    cargo: Desk<Cargo>,
    pub(super) seen: Seen,
}

impl Hold {
    pub(super) fn put(&mut self, cargo: Cargo) -> u32 {
        self.cargo.put(cargo)
    }

    pub(super) fn take(&mut self, word: u32) -> &Cargo {
        self.cargo.take(word)
    }
}

impl Counts for Hold {
    fn seen(&mut self) -> Option<&mut Seen> {
        Some(&mut self.seen)
    }
}

/// The answer of a receiver to a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Flow of the packet.
    pub flow: u32,
    /// Number of the packet.
    pub number: u32,
    /// Number below which all packets have arrived.
    pub next: u32,
    /// Whether the answer reports a missing packet.
    pub is_nack: bool,
    /// Whether the packet was marked, or a CNP is due.
    pub is_marked: bool,
    /// Time at which the packet left.
    pub sent_ps: u64,
}

/// Kinds of contents: the first word.
const DATA: u64 = 0;
const ANSWER: u64 = 1;
const CREDIT: u64 = 2;

impl Words for Cargo {
    fn write(&self, words: &mut Vec<u64>) {
        match *self {
            Self::Data { flow, number, sent_ps } => words.extend([DATA, pair(flow, number), sent_ps]),
            Self::Answer(Answer { flow, number, next, is_nack, is_marked, sent_ps }) => {
                let signs = u32::from(is_nack) << 1 | u32::from(is_marked);
                words.extend([ANSWER, pair(flow, number), sent_ps, pair(next, signs)]);
            }
            Self::Credit(flow) => words.extend([CREDIT, flow.into()]),
        }
    }

    fn read(words: &mut impl Iterator<Item = u64>) -> Self {
        let [kind, first] = array(words);
        let (flow, number) = apart(first);
        match kind {
            DATA => Self::Data { flow, number, sent_ps: u64::read(words) },
            ANSWER => {
                let [sent_ps, rest] = array(words);
                let (next, signs) = apart(rest);
                let (is_nack, is_marked) = (signs & 2 != 0, signs & 1 != 0);
                Self::Answer(Answer { flow, number, next, is_nack, is_marked, sent_ps })
            }
            _ => Self::Credit(number),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_as_they_were_written() {
        let answer = |is_nack, is_marked| {
            Cargo::Answer(Answer {
                flow: 1,
                number: u32::MAX,
                next: 3,
                is_nack,
                is_marked,
                sent_ps: u64::MAX - 4,
            })
        };
        let data = Cargo::Data { flow: u32::MAX, number: 2, sent_ps: 1 << 40 };
        for cargo in [data, answer(false, true), answer(true, false), Cargo::Credit(7)] {
            let mut words = Vec::new();
            cargo.write(&mut words);
            let mut words = words.into_iter();
            assert_eq!(format!("{:?}", Cargo::read(&mut words)), format!("{cargo:?}"));
            assert_eq!(words.next(), None);
        }
    }
}
