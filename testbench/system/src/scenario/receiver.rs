//! Receiving side of one connection: the contents of its ACKs.

use bitvec::prelude::*;
use weft_wire::Ack;
use weft_wire::headers::{CcState, PSN_MASK, echo};

/// A data packet as it arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Arrival {
    pub(super) psn: u32,
    pub(super) ev: u16,
    pub(super) marked: bool,
    pub(super) tx_timestamp: u16,
    pub(super) payload_len: usize,
}

/// PSNs that have arrived.
#[derive(Debug)]
pub(super) struct Receiver {
    /// Expected PSN. All earlier packets have arrived.
    expected: u32,
    /// PSNs that have arrived among the 256 from `expected` on. Bit 0 is clear.
    bitmap: BitArr!(for 256, in u64),
    out_of_order: u16,
    bytes: u64,
}

impl Receiver {
    pub(super) fn new(first_psn: u32) -> Self {
        Self { expected: first_psn, bitmap: BitArray::ZERO, out_of_order: 0, bytes: 0 }
    }

    /// Accepts a packet and acknowledges it.
    pub(super) fn receive(&mut self, arrival: &Arrival) -> Ack {
        let offset = arrival.psn.wrapping_sub(self.expected) & PSN_MASK;
        if offset < 256 {
            if !self.bitmap.replace(offset as usize, true) {
                self.bytes += arrival.payload_len as u64;
                self.out_of_order += u16::from(offset > 0);
            }
            let come = self.bitmap.leading_ones();
            self.bitmap.shift_start(come);
            self.expected = (self.expected + come as u32) & PSN_MASK;
        }
        let cumulative = self.expected.wrapping_sub(1) & PSN_MASK;
        let mut ack = Ack::new(cumulative, arrival.psn, arrival.ev).with_bitmap(self.bitmap.data);
        ack.seth = ack.seth.with_m(if arrival.marked { echo::CE } else { echo::NONE });
        ack.cc_state = CcState::default()
            .with_tx_timestamp(arrival.tx_timestamp)
            .with_ooo_count(self.out_of_order)
            .with_rcvd_bytes(self.bytes.div_ceil(256) as u32);
        ack
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn an_ack_says_what_has_arrived() {
        let first = PSN_MASK - 100;
        let (mut receiver, mut arrived) = (Receiver::new(first), BTreeSet::new());
        // 40 packets arrive last, all others before them, each block of 200 in a scattered order.
        let scattered = (0..200_u32).map(|i| i * 71 % 200).filter(|i| *i >= 40);
        for i in scattered.chain(0..40) {
            let psn = (first + i) & PSN_MASK;
            let arrival = Arrival { psn, ev: 0xC000, marked: i == 50, tx_timestamp: 7, payload_len: 100 };
            let ack = receiver.receive(&arrival);
            arrived.insert(i);
            let before = (0..).take_while(|i| arrived.contains(i)).count() as u32;
            assert_eq!(ack.seth.cack_psn(), (first + before).wrapping_sub(1) & PSN_MASK);
            assert_eq!((ack.trigger_psn(), ack.sack_base()), (psn, (first + before) & PSN_MASK));
            assert_eq!(ack.seth.m() == echo::CE, i == 50);
            let bitmap = ack.bitmap();
            for bit in 0..256 {
                let set = bitmap[bit / 64] >> (bit % 64) & 1 == 1;
                assert_eq!(set, arrived.contains(&(before + bit as u32)), "bit {bit} after {i}");
            }
            assert_eq!(u64::from(ack.cc_state.rcvd_bytes()), (arrived.len() as u64 * 100).div_ceil(256));
        }
        // A packet that comes again counts once.
        let again = Arrival { psn: first, ev: 0xC000, marked: false, tx_timestamp: 7, payload_len: 100 };
        assert_eq!(receiver.receive(&again).cc_state.rcvd_bytes(), 20_000_u32.div_ceil(256));
    }
}
