//! The queues between a host's software and the Verilog, and the host's memory. The transaction hosts have no
//! bytes. In this memory the byte at offset *o* of flow *f* is byte *o* mod 8, the lowest first, of (2^40 *f*
//! + floor(*o*/8)) * 0x9E3779B97F4A7C15. Reads return these bytes, and written bytes are compared with them.

use super::seen::{Mark, Seen};
use crate::host::breach::Breach;
use crate::host::card::Software;
use crate::host::dma::Written;
use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use weft_fabric::flow::Table;
use weft_fabric::host::queues::{Look, Queues};
use weft_nic::words::{Place, Received, Sent, Work};

/// Bytes of a flow from an offset on.
pub(super) fn payload(flow: u32, offset: u64, bytes: u16) -> Vec<u8> {
    let word = |index: u64| (u64::from(flow) << 40).wrapping_add(index).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let words = (offset / 8..).map(|index| word(index).to_le_bytes());
    words.flatten().skip((offset % 8) as usize).take(bytes.into()).collect()
}

/// Address of the bytes of a flow in the memory of its sender.
const FLOW_LSB: u32 = 32;

/// Bytes of a packet that were read.
struct Fetched {
    connection: u32,
    flow: u32,
    /// The bytes' offset in the flow.
    place: Place,
    mark: Mark,
}

/// The queues and the memory.
pub(super) struct Rings {
    table: Arc<Table>,
    work: VecDeque<(u32, Work)>,
    received: VecDeque<(u32, Received)>,
    sent: VecDeque<(u32, Sent)>,
    /// Bytes that were read and have not left, in the order of data frames.
    fetched: VecDeque<Fetched>,
    /// Data that has arrived on a connection and may be written: flow, offset in it and bytes.
    due: BTreeMap<u32, VecDeque<(u32, Place)>>,
    /// Reasons for the NIC's packets, from its ports.
    pub(super) seen: Seen,
    /// Flows in which a packet's loss began a freeze, since the last call.
    frozen: VecDeque<u32>,
    /// Places written since the last call.
    pub(super) written: Vec<(u32, Place)>,
    /// The NIC's counters, read at the end.
    pub(super) counts: Vec<u32>,
}

impl Rings {
    pub(super) fn new(table: &Arc<Table>, seen: Seen) -> Self {
        Self {
            table: Arc::clone(table),
            seen,
            frozen: VecDeque::new(),
            work: VecDeque::new(),
            received: VecDeque::new(),
            sent: VecDeque::new(),
            fetched: VecDeque::new(),
            due: BTreeMap::new(),
            written: Vec::new(),
            counts: Vec::new(),
        }
    }

    /// Accepts a data packet of a flow for a connection.
    pub(super) fn comes(&mut self, connection: u32, flow: u32, place: Place) {
        self.due.entry(connection).or_default().push_back((flow, place));
    }

    /// The flow of the data frame that leaves, with the facts that were known at its read. Frames leave in
    /// the order of reads. The exception are frames that the peer has acknowledged since, which need not
    /// leave.
    pub(super) fn leaves(&mut self, connection: u32, place: Place) -> Option<(u32, Mark)> {
        loop {
            let it = self.fetched.pop_front()?;
            if it.connection == connection && it.place == place {
                return Some((it.flow, it.mark));
            }
            if !self.seen.has_come(it.connection, it.flow, it.place.address) {
                return None;
            }
        }
    }
}

impl Queues for Rings {
    fn work(&mut self, connection: u32, work: &Work, _: u64) {
        let local = u64::from(work.id) << FLOW_LSB | work.local;
        self.work.push_back((connection, Work { local, ..*work }));
    }

    fn received(&mut self) -> Option<(u32, Received)> {
        self.received.pop_front()
    }

    fn sent(&mut self) -> Option<(u32, Sent)> {
        self.sent.pop_front()
    }

    fn frozen(&mut self) -> Option<u32> {
        self.frozen.pop_front()
    }

    fn counts(&self) -> Vec<u32> {
        self.counts.clone()
    }

    fn look(&self, connection: u32) -> Look {
        Look { is_frozen: self.seen.is_frozen(connection), ..Look::default() }
    }
}

impl Software for Rings {
    fn next_work(&mut self, _: u64) -> Option<(u32, Work)> {
        self.work.pop_front()
    }

    fn fetch(&mut self, connection: u32, place: Place) -> Result<Cow<'_, [u8]>, Breach> {
        let Place { address, bytes } = place;
        let (flow, offset) = ((address >> FLOW_LSB) as u32, address & ((1 << FLOW_LSB) - 1));
        let has = self.table.flows().get(flow as usize).map_or(0, |flow| flow.bytes);
        if bytes == 0 || offset + u64::from(bytes) > has {
            return Err(Breach::Fetch { connection, address, bytes });
        }
        let (place, mark) = (Place { address: offset, bytes }, self.seen.mark(connection));
        self.fetched.push_back(Fetched { connection, flow, place, mark });
        Ok(payload(flow, offset, bytes).into())
    }

    fn write(&mut self, _: u64, packet: &Written) -> Result<(), Breach> {
        let Written { connection, address, ref bytes } = *packet;
        let place = Place { address, bytes: bytes.len() as u16 };
        let due = self.due.entry(connection).or_default();
        let wanted: Vec<usize> = (0..due.len()).filter(|at| due[*at].1 == place).collect();
        let is_right = |at: &usize| payload(due[*at].0, address, place.bytes) == *bytes;
        match (wanted.iter().copied().find(is_right), wanted.first()) {
            (Some(at), _) => {
                // Packets are written in the order of their arrival; the packets before this one were
                // received again.
                self.written.extend(due.drain(..=at).next_back());
                Ok(())
            }
            (None, Some(at)) => {
                let flow = due[*at].0;
                let right = payload(flow, address, place.bytes);
                let same = bytes.iter().zip(&right).take_while(|(a, b)| a == b).count();
                Err(Breach::WrongData { message: flow, offset: address as u32 + same as u32 })
            }
            (None, None) => Err(Breach::Misplaced { connection, address, bytes: place.bytes }),
        }
    }

    fn received(&mut self, _: u64, connection: u32, word: Received) -> Result<(), Breach> {
        self.received.push_back((connection, word));
        Ok(())
    }

    fn sent(&mut self, _: u64, connection: u32, word: Sent) -> Result<(), Breach> {
        self.sent.push_back((connection, word));
        Ok(())
    }

    fn stands(&mut self, connection: u32, word: u8) {
        self.frozen.extend(self.seen.stands(connection, word));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_params::registers::{NicCsr, Staged};

    #[test]
    fn bytes_of_a_flow_are_the_same_from_any_offset() {
        let whole = payload(7, 0, 64);
        assert_eq!(whole[8..16], 0x9E37_79B9_7F4A_7C15u64.wrapping_mul((7 << 40) + 1).to_le_bytes());
        assert_eq!((payload(7, 13, 40), payload(8, 0, 64) == whole), (whole[13..53].to_vec(), false));
    }

    #[test]
    fn wrong_bytes_and_places_are_told() {
        let table = Arc::new(Table::new(vec![weft_fabric::flow::Flow::at(0, 1, 100, 0)], 2, 1));
        let mut rings = Rings::new(&table, Seen::new(&NicCsr::default().sender, &[Staged::default(); 4]));
        let place = Place { address: 0, bytes: 64 };
        let written = |bytes: Vec<u8>| Written { connection: 3, address: 0, bytes };
        let mut bad = payload(0, 0, 64);
        bad[9] ^= 1;
        assert!(matches!(rings.write(0, &written(bad.clone())), Err(Breach::Misplaced { .. })));
        rings.comes(3, 0, place);
        let wrong = Breach::WrongData { message: 0, offset: 9 };
        assert_eq!(rings.write(0, &written(bad)), Err(wrong));
        assert_eq!((rings.write(0, &written(payload(0, 0, 64))), rings.written.len()), (Ok(()), 1));
        assert!(rings.fetch(3, Place { address: 90, bytes: 10 }).is_ok());
        assert!(rings.fetch(3, Place { address: 90, bytes: 11 }).is_err());
        assert_eq!(rings.leaves(3, Place { address: 90, bytes: 10 }).map(|(flow, _)| flow), Some(0));
    }
}
