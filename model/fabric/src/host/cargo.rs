//! The contents of NICs' packets. Each kind has its own memory: data need half of the memory that
//! acknowledgements need.

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
    /// A packet of software.
    Probe(P),
}

/// The contents in place, by reference.
pub type Lying<'a> = Cargo<&'a Data, &'a Answer, &'a Probe>;

impl Lying<'_> {
    /// Copies the contents.
    #[inline]
    pub fn copied(self) -> Cargo {
        match self {
            Self::Data(data) => Cargo::Data(*data),
            Self::Answer(answer) => Cargo::Answer(*answer),
            Self::Probe(probe) => Cargo::Probe(*probe),
        }
    }
}

/// Data. The fields have this order in memory.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Data {
    /// The contents.
    pub arrival: Arrival,
    /// The connection to which the packet goes.
    pub connection: u32,
    /// Flow of the data.
    pub flow: u32,
}

/// An ACK or NACK. The fields have this order in memory.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Answer {
    /// The contents.
    pub acknowledgement: Acknowledgement,
    /// The connection to which the packet goes.
    pub connection: u32,
    /// The flow whose data arrived last on the connection.
    pub flow: u32,
}

const _: () = assert!(size_of::<Data>() == 48 && size_of::<Answer>() == 96);

/// The contents of packets, each found by a word. The low bits of a word are the kind of the contents.
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

/// Number of bits of the kind in a word.
const KIND: u32 = 2;
const DATA: u32 = 0;
const ANSWER: u32 = 1;
const PROBE: u32 = 2;

impl Hold {
    /// Stores contents. Returns their word.
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

    /// Removes the contents under a word. The contents stay in memory until other contents replace them.
    #[inline(always)]
    pub fn take(&mut self, word: u32) -> Lying<'_> {
        let (at, kind) = apart(word);
        match kind {
            DATA => Cargo::Data(self.data.take(at)),
            ANSWER => Cargo::Answer(self.answers.take(at)),
            _ => Cargo::Probe(self.probes.take(at)),
        }
    }

    /// Removes the contents under the word of a lost packet. Returns the packet's flow, if it has one.
    pub fn lose(&mut self, word: u32) -> Option<u32> {
        match self.take(word) {
            Cargo::Data(data) => Some(data.flow),
            Cargo::Answer(answer) => Some(answer.flow),
            Cargo::Probe(_) => None,
        }
    }

    /// Prefetches the memory of the contents under a word.
    #[inline]
    pub fn fetch(&self, word: u32) {
        match self.get(word) {
            Some(Cargo::Data(data)) => fetch_all(data),
            Some(Cargo::Answer(answer)) => fetch_all(answer),
            Some(Cargo::Probe(probe)) => fetch_all(probe),
            None => {}
        }
    }

    /// The connection of an answer (`true`) or of data, under a word.
    #[inline]
    pub fn connection(&self, word: u32) -> Option<(bool, u32)> {
        match self.get(word)? {
            Cargo::Data(data) => Some((false, data.connection)),
            Cargo::Answer(answer) => Some((true, answer.connection)),
            Cargo::Probe(_) => None,
        }
    }
}

/// Splits a word into the index among contents of a kind, and the kind.
#[inline]
fn apart(word: u32) -> (u32, u32) {
    (word >> KIND, word & ((1 << KIND) - 1))
}
