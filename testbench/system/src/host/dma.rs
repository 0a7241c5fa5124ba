//! The DMA engine of a host. The engine answers the reads of the NIC and accepts its writes.

use super::breach::Breach;
use std::collections::VecDeque;
use weft_nic::words::{Beat, Place, Write};

/// Read data in transit to the NIC, in the order of the requests.
#[derive(Clone, Debug)]
pub(crate) struct Reads {
    latency_clocks: u64,
    /// The beats, with the clock from which on each may be offered.
    beats: VecDeque<(u64, Beat)>,
}

impl Reads {
    pub(crate) fn new(latency_clocks: u64) -> Self {
        Self { latency_clocks, beats: VecDeque::new() }
    }

    /// Queues the bytes of a request.
    pub(crate) fn request(&mut self, clock: u64, bytes: &[u8]) {
        let due = clock + self.latency_clocks;
        self.beats.extend(Beat::frame(bytes).into_iter().map(|beat| (due, beat)));
    }

    /// Word that is offered in this clock.
    pub(crate) fn offered(&self, clock: u64) -> Option<Beat> {
        self.beats.front().filter(|(due, _)| *due <= clock).map(|(_, beat)| *beat)
    }

    /// Notes that the NIC accepted the offered word.
    pub(crate) fn taken(&mut self) {
        self.beats.pop_front();
    }
}

/// A packet that the NIC writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Written {
    pub(crate) connection: u32,
    pub(crate) address: u64,
    pub(crate) bytes: Vec<u8>,
}

/// The words of a packet put together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Writes {
    /// The packet whose words are arriving.
    begun: Option<(u32, Place)>,
    bytes: Vec<u8>,
}

impl Writes {
    /// Accepts a word. Returns the packet if the word is its last.
    pub(crate) fn take(
        &mut self,
        connection: u32,
        Write { beat, place }: &Write,
    ) -> Result<Option<Written>, Breach> {
        self.bytes.extend(beat.bytes());
        let whole = beat.last;
        let (first, Place { address, bytes }) = *self.begun.get_or_insert((connection, *place));
        let fits = first == connection
            && (Place { address, bytes }) == *place
            && (!whole || self.bytes.len() == usize::from(bytes))
            && self.bytes.len() <= usize::from(bytes);
        if !fits {
            return Err(Breach::Ragged { connection, address, bytes });
        }
        if !whole {
            return Ok(None);
        }
        self.begun = None;
        Ok(Some(Written { connection, address, bytes: std::mem::take(&mut self.bytes) }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_are_answered_in_order_after_the_latency() {
        let mut reads = Reads::new(10);
        reads.request(100, &[7; 65]);
        reads.request(100, &[8]);
        assert_eq!(reads.offered(109), None);
        let mut taken = Vec::new();
        while let Some(beat) = reads.offered(110) {
            taken.push((beat.keep, beat.last, beat.byte(0)));
            reads.taken();
        }
        assert_eq!(taken, [(u64::MAX, false, 7), (1, true, 7), (1, true, 8)]);
    }

    #[test]
    fn words_of_a_packet_belong_together() {
        let place = Place { address: 0x40, bytes: 100 };
        let words: Vec<Write> =
            Beat::frame(&[3; 100]).into_iter().map(|beat| Write { beat, place }).collect();
        let mut writes = Writes::default();
        assert_eq!(writes.take(5, &words[0]), Ok(None));
        let whole = Written { connection: 5, address: 0x40, bytes: vec![3; 100] };
        assert_eq!(writes.take(5, &words[1]), Ok(Some(whole)));

        let ragged = Err(Breach::Ragged { connection: 5, address: 0x40, bytes: 100 });
        let mut begun = Writes::default();
        assert_eq!(begun.take(5, &words[0]), Ok(None));
        let elsewhere = Write { place: Place { address: 0x80, ..place }, ..words[1] };
        assert_eq!(begun.clone().take(5, &elsewhere), ragged);
        assert_eq!(begun.clone().take(5, &words[0]), ragged, "too many bytes");
        assert_eq!(Writes::default().take(5, &words[1]), ragged, "too few bytes");
        let other = begun.take(6, &words[1]);
        assert!(matches!(other, Err(Breach::Ragged { .. })), "{other:?}");
    }
}
