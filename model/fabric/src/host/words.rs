//! Packets and their contents as words, for processes that share no memory.

use super::Signal;
use super::cargo::{Answer, Cargo, Data};
use super::probe::Probe;
use crate::packet::Packet;
use crate::schedule::Places;
use weft_nic::words::{Acknowledgement, Arrival};

/// A value that processes exchange as 64-bit words.
pub trait Words: Sized {
    /// Appends the words of the value.
    fn write(&self, words: &mut Vec<u64>);
    /// Reads the words that [`Words::write`] appended.
    ///
    /// # Panics
    /// There are too few words.
    fn read(words: &mut impl Iterator<Item = u64>) -> Self;
}

/// The next word.
fn next(words: &mut impl Iterator<Item = u64>) -> u64 {
    words.next().expect("a value has all its words")
}

/// The next words.
pub(super) fn array<const N: usize>(words: &mut impl Iterator<Item = u64>) -> [u64; N] {
    std::array::from_fn(|_| next(words))
}

/// Two numbers of 32 bits in a word.
pub(super) fn pair(high: u32, low: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

/// The two numbers of a word.
pub(super) fn apart(word: u64) -> (u32, u32) {
    ((word >> 32) as u32, word as u32)
}

impl Words for u64 {
    fn write(&self, words: &mut Vec<u64>) {
        words.push(*self);
    }

    fn read(words: &mut impl Iterator<Item = u64>) -> Self {
        next(words)
    }
}

impl Words for u32 {
    fn write(&self, words: &mut Vec<u64>) {
        words.push((*self).into());
    }

    fn read(words: &mut impl Iterator<Item = u64>) -> Self {
        next(words) as u32
    }
}

impl<T: Words> Words for Option<T> {
    fn write(&self, words: &mut Vec<u64>) {
        words.push(self.is_some().into());
        self.iter().for_each(|it| it.write(words));
    }

    fn read(words: &mut impl Iterator<Item = u64>) -> Self {
        (next(words) != 0).then(|| T::read(words))
    }
}

impl Words for Signal {
    fn write(&self, words: &mut Vec<u64>) {
        let places = self.places.map(|Places { order, of_tag }| pair(order, of_tag));
        words.extend([self.time_ps, pair(self.host, self.flow)]);
        places.write(words);
    }

    fn read(words: &mut impl Iterator<Item = u64>) -> Self {
        let [time_ps, rest] = array(words);
        let (host, flow) = apart(rest);
        let places = Option::<u64>::read(words).map(apart).map(|(order, of_tag)| Places { order, of_tag });
        Self { time_ps, host, flow, places }
    }
}

impl Words for Packet {
    fn write(&self, words: &mut Vec<u64>) {
        let Self { time_ps, source, destination, hash, word, ev, bytes, flags, ingress, header } = *self;
        let high = u32::from(ev) << 16 | u32::from(bytes);
        let low = u32::from(flags) << 24 | u32::from(ingress) << 16 | u32::from(header);
        words.extend([time_ps, pair(source, destination), pair(hash, word), pair(high, low)]);
    }

    fn read(words: &mut impl Iterator<Item = u64>) -> Self {
        let [time_ps, ends, hash, rest] = array(words);
        let ((source, destination), (hash, word), (high, low)) = (apart(ends), apart(hash), apart(rest));
        let (ev, bytes) = ((high >> 16) as u16, high as u16);
        let (flags, ingress, header) = ((low >> 24) as u8, (low >> 16) as u8, low as u16);
        Self { time_ps, source, destination, hash, word, ev, bytes, flags, ingress, header }
    }
}

/// Kinds of contents: the first word.
const DATA: u64 = 0;
const ANSWER: u64 = 1;
const PROBE: u64 = 2;

/// The packets of a NIC are the words of its streams.
impl Words for Cargo {
    fn write(&self, words: &mut Vec<u64>) {
        match self {
            Self::Data(Data { arrival, connection, flow }) => {
                words.extend([DATA, pair(*connection, *flow)]);
                words.extend(arrival.words());
            }
            Self::Answer(Answer { acknowledgement, connection, flow }) => {
                words.extend([ANSWER, pair(*connection, *flow)]);
                words.extend(acknowledgement.words());
            }
            Self::Probe(Probe { connection, round, is_answer, ev }) => {
                let rest = pair((*is_answer).into(), (*ev).into());
                words.extend([PROBE, pair(*connection, *round), rest]);
            }
        }
    }

    fn read(words: &mut impl Iterator<Item = u64>) -> Self {
        let [kind, first] = array(words);
        let (connection, flow) = apart(first);
        match kind {
            DATA => Self::Data(Data { arrival: Arrival::of(&array(words)), connection, flow }),
            ANSWER => {
                let acknowledgement = Acknowledgement::of(&array(words));
                Self::Answer(Answer { acknowledgement, connection, flow })
            }
            _ => {
                let (is_answer, ev) = apart(next(words));
                Self::Probe(Probe { connection, round: flow, is_answer: is_answer != 0, ev: ev as u16 })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_random::Rng;

    /// A packet, a signal and contents of each kind, with random fields.
    fn values(rng: &mut Rng) -> (Packet, Signal, [Option<Cargo>; 4]) {
        let mut draw = || rng.draw();
        let packet = Packet {
            time_ps: draw(),
            source: draw() as u32,
            destination: draw() as u32,
            hash: draw() as u32,
            word: draw() as u32,
            ev: draw() as u16,
            bytes: draw() as u16,
            flags: draw() as u8,
            ingress: draw() as u8,
            header: draw() as u16,
        };
        let places = Places { order: draw() as u32, of_tag: draw() as u32 };
        let places = (draw() & 1 == 1).then_some(places);
        let signal = Signal { time_ps: draw(), host: draw() as u32, flow: draw() as u32, places };
        // A word of the NIC has the value of its bits; bits above its width do not belong to it.
        let arrival = Arrival::of(&std::array::from_fn(|_| draw()));
        let acknowledgement = Acknowledgement::of(&std::array::from_fn(|_| draw()));
        let (connection, flow) = (draw() as u32, draw() as u32);
        let probe = Probe { connection, round: flow, is_answer: draw() & 1 == 1, ev: draw() as u16 };
        let cargo = [
            Some(Cargo::Data(Data { arrival, connection, flow })),
            Some(Cargo::Answer(Answer { acknowledgement, connection, flow })),
            Some(Cargo::Probe(probe)),
            None,
        ];
        (packet, signal, cargo)
    }

    #[test]
    fn words_are_read_as_they_were_written() {
        for seed in 0..2_000 {
            let (packet, signal, cargo) = values(&mut Rng::new(seed));
            let mut words = Vec::new();
            packet.write(&mut words);
            signal.write(&mut words);
            cargo.iter().for_each(|it| it.write(&mut words));
            let mut words = words.into_iter();
            assert_eq!(Packet::read(&mut words), packet, "seed {seed}");
            assert_eq!(Signal::read(&mut words), signal, "seed {seed}");
            for cargo in cargo {
                let read = Option::<Cargo>::read(&mut words);
                assert_eq!(format!("{read:?}"), format!("{cargo:?}"), "seed {seed}");
            }
            assert_eq!(words.next(), None, "seed {seed}");
        }
    }
}
