//! What packets of NICs carry. Each kind lies by itself: data take half of the memory that acknowledgements take.

use super::desk::Desk;
use super::probe::Probe;
use weft_nic::words::{Acknowledgement, Arrival};

/// What hosts make of a packet.
#[derive(Clone, Copy, Debug)]
pub enum Cargo {
    /// Data.
    Data(Data),
    /// An ACK or NACK.
    Answer(Answer),
    /// The software's.
    Probe(Probe),
}

/// Data, in their order in memory.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Data {
    /// What it says.
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
    /// What it says.
    pub acknowledgement: Acknowledgement,
    /// The connection that it goes to.
    pub connection: u32,
}

const _: () = assert!(size_of::<Data>() == 48 && size_of::<Answer>() == 96);

/// Contents under words, whose low bits are the kind.
#[derive(Debug, Default)]
pub struct Hold {
    data: Desk<Data>,
    answers: Desk<Answer>,
    probes: Desk<Probe>,
}

/// Bits of the kind in a word.
const KIND: u32 = 2;
const DATA: u32 = 0;
const ANSWER: u32 = 1;
const PROBE: u32 = 2;

impl Hold {
    /// Puts something in; its word.
    #[inline]
    pub fn put(&mut self, cargo: Cargo) -> u32 {
        let (at, kind) = match cargo {
            Cargo::Data(data) => (self.data.put(data), DATA),
            Cargo::Answer(answer) => (self.answers.put(answer), ANSWER),
            Cargo::Probe(probe) => (self.probes.put(probe), PROBE),
        };
        at << KIND | kind
    }

    /// What lies under a word.
    pub fn get(&self, word: u32) -> Cargo {
        let at = word >> KIND;
        match word & ((1 << KIND) - 1) {
            DATA => Cargo::Data(self.data.get(at)),
            ANSWER => Cargo::Answer(self.answers.get(at)),
            _ => Cargo::Probe(self.probes.get(at)),
        }
    }

    /// Takes what lies under a word.
    #[inline]
    pub fn take(&mut self, word: u32) -> Cargo {
        let at = word >> KIND;
        match word & ((1 << KIND) - 1) {
            DATA => Cargo::Data(self.data.take(at)),
            ANSWER => Cargo::Answer(self.answers.take(at)),
            _ => Cargo::Probe(self.probes.take(at)),
        }
    }

    /// Asks for the memory of what lies under a word.
    #[inline]
    pub fn fetch(&self, word: u32) {
        let at = word >> KIND;
        match word & ((1 << KIND) - 1) {
            DATA => self.data.fetch(at, |data| &data.flow),
            ANSWER => self.answers.fetch(at, |answer| &answer.connection),
            _ => self.probes.fetch(at, |probe| &probe.connection),
        }
    }
}
