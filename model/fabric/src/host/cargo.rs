//! The contents of NICs' packets. Each kind has memory of its own: data take half of the memory that
//! acknowledgements take.

use super::desk::Desk;
use super::probe::Probe;
use crate::packet::fetch_all;
use crate::tally::{Counts, Seen};
use weft_nic::words::{Acknowledgement, Arrival};

/// The contents of a packet, for hosts.
#[derive(Clone, Copy, Debug)]
pub enum Cargo<D = Data, A = Answer, P = Probe> {
    /// Data.
    Data(D),
    /// An ACK or NACK.
    Answer(A),
    /// The software's.
    Probe(P),
}

/// The same where it lies.
pub type Lying<'a> = Cargo<&'a Data, &'a Answer, &'a Probe>;

impl Lying<'_> {
    /// By value.
    #[inline]
    pub fn copied(self) -> Cargo {
        match self {
            Self::Data(data) => Cargo::Data(*data),
            Self::Answer(answer) => Cargo::Answer(*answer),
            Self::Probe(probe) => Cargo::Probe(*probe),
        }
    }
}

/// Data, in their order in memory.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Data {
    /// The contents.
    pub arrival: Arrival,
    /// The connection that it goes to.
    pub connection: u32,
    /// Its flow.
    pub flow: u32,
}

/// An ACK or NACK, in its order in memory.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Answer {
    /// The contents.
    pub acknowledgement: Acknowledgement,
    /// The connection that it goes to.
    pub connection: u32,
    /// The flow whose data came last on it.
    pub flow: u32,
}

const _: () = assert!(size_of::<Data>() == 48 && size_of::<Answer>() == 96);

/// Contents under words, whose low bits are the kind.
#[derive(Debug, Default)]
pub struct Hold {
    data: Desk<Data>,
    answers: Desk<Answer>,
    probes: Desk<Probe>,
    seen: Seen,
}

impl Counts for Hold {
    #[inline]
    fn seen(&mut self) -> Option<&mut Seen> {
        Some(&mut self.seen)
    }
}

/// Bits of the kind in a word.
const KIND: u32 = 2;
const DATA: u32 = 0;
const ANSWER: u32 = 1;
const PROBE: u32 = 2;

impl Hold {
    /// Puts something in; its word.
    #[inline(always)]
    pub fn put(&mut self, cargo: Cargo) -> u32 {
        let (at, kind) = match cargo {
            Cargo::Data(data) => (self.data.put(data), DATA),
            Cargo::Answer(answer) => (self.answers.put(answer), ANSWER),
            Cargo::Probe(probe) => (self.probes.put(probe), PROBE),
        };
        at << KIND | kind
    }

    /// The contents under a word.
    #[inline]
    pub fn get(&self, word: u32) -> Option<Lying<'_>> {
        let (at, kind) = apart(word);
        Some(match kind {
            DATA => Cargo::Data(self.data.get(at)?),
            ANSWER => Cargo::Answer(self.answers.get(at)?),
            _ => Cargo::Probe(self.probes.get(at)?),
        })
    }

    /// Takes the contents under a word; they stay in place until other contents are put in.
    #[inline(always)]
    pub fn take(&mut self, word: u32) -> Lying<'_> {
        let (at, kind) = apart(word);
        match kind {
            DATA => Cargo::Data(self.data.take(at)),
            ANSWER => Cargo::Answer(self.answers.take(at)),
            _ => Cargo::Probe(self.probes.take(at)),
        }
    }

    /// Takes the contents under the word of a packet that has ended on its way; its flow, if it has one.
    pub fn lose(&mut self, word: u32) -> Option<u32> {
        match self.take(word) {
            Cargo::Data(data) => Some(data.flow),
            Cargo::Answer(answer) => Some(answer.flow),
            Cargo::Probe(_) => None,
        }
    }

    /// Asks for the memory of the contents under a word.
    #[inline]
    pub fn fetch(&self, word: u32) {
        match self.get(word) {
            Some(Cargo::Data(data)) => fetch_all(data),
            Some(Cargo::Answer(answer)) => fetch_all(answer),
            Some(Cargo::Probe(probe)) => fetch_all(probe),
            None => {}
        }
    }

    /// The connection to which an answer (`true`) or data lead, under a word.
    #[inline]
    pub fn connection(&self, word: u32) -> Option<(bool, u32)> {
        match self.get(word)? {
            Cargo::Data(data) => Some((false, data.connection)),
            Cargo::Answer(answer) => Some((true, answer.connection)),
            Cargo::Probe(_) => None,
        }
    }
}

/// A word: where something lies among those of its kind, and the kind.
#[inline]
fn apart(word: u32) -> (u32, u32) {
    (word >> KIND, word & ((1 << KIND) - 1))
}
