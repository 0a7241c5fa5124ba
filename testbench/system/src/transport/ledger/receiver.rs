//! Receiving end of a connection: the PSNs that have arrived.

use super::words::{same, unwrapped};
use crate::transport::breach::Breach;
use bitvec::prelude::*;
use std::collections::VecDeque;
use weft_nic::block::sack_rx::{Event, Kind, Outcome, Response, Verdict};
use weft_params::SackRxCsr;

/// PSNs of a window.
const WINDOW: i64 = 256;

/// PSNs that have arrived on a connection, and the ends of its messages.
#[derive(Clone, Debug, Default)]
pub(in crate::transport) struct ReceiverLedger {
    open: bool,
    first: u32,
    /// PSNs before this one have arrived.
    expected: u64,
    /// Bit `i`: the PSN `i` after `expected` has arrived.
    ahead: BitArr!(for WINDOW as usize, in u64),
    /// Ends of the messages that are not complete, and the end of the last message.
    ends: VecDeque<u64>,
    end: u64,
    completed: u64,
    bytes: u32,
}

impl ReceiverLedger {
    /// Whether the packet with this distance from the first PSN has arrived.
    pub(in crate::transport) fn has(&self, psn: u64) -> bool {
        psn < self.expected || psn < self.expected + 256 && self.bit(psn - self.expected)
    }

    fn bit(&self, index: u64) -> bool {
        self.ahead[index as usize]
    }

    /// Messages completed since the connection was opened.
    pub(in crate::transport) fn completed(&self) -> u64 {
        self.completed
    }

    pub(super) fn post(&mut self, packets: u64) {
        self.end += packets;
        self.ends.push_back(self.end);
    }

    /// Follows an event and compares its outcome with the ledger.
    pub(in crate::transport) fn follow(
        &mut self,
        event: &Event,
        outcome: &Outcome,
        csr: &SackRxCsr,
    ) -> Result<(), Breach> {
        let end = |what, got: u64, due: u64| same("receiver", what, got, due);
        let accepted = self.open || event.kind == Kind::Open;
        end("accepted", outcome.accepted.into(), accepted.into())?;
        let psn = unwrapped(self.first, self.expected, event.psn);
        let mut due = Verdict::None;
        let mut completed = 0;
        match event.kind {
            Kind::Open => *self = Self { open: true, first: event.psn, ..Self::default() },
            Kind::Close => *self = Self::default(),
            Kind::Data | Kind::Trimmed if self.open => {
                let ahead = psn - self.expected as i64;
                due = if ahead >= WINDOW {
                    Verdict::Outside
                } else if ahead < 0 || self.bit(ahead as u64) {
                    Verdict::Duplicate
                } else if event.kind == Kind::Trimmed {
                    Verdict::Trimmed
                } else {
                    self.place(ahead as u64);
                    self.bytes = self.bytes.wrapping_add(event.bytes.into());
                    Verdict::Placed
                };
                while self.ends.front().is_some_and(|end| *end <= self.expected) {
                    self.ends.pop_front();
                    completed += 1;
                }
                self.completed += completed;
            }
            _ => {}
        }
        if outcome.verdict != due {
            let (got, due) = (format!("{:?}", outcome.verdict), format!("{due:?}"));
            return Err(Breach::Verdict { psn, got, due });
        }
        end("completed", outcome.completed.into(), completed)?;
        self.check_response(event, outcome, completed > 0, csr)?;
        if !self.open {
            return Ok(());
        }
        let expected = self.first.wrapping_add(self.expected as u32) & 0xFF_FFFF;
        end("the cumulative PSN", outcome.expected.into(), expected.into())?;
        for (what, (got, due)) in ["bitmap 0", "bitmap 1", "bitmap 2", "bitmap 3"]
            .iter()
            .zip(outcome.bitmap.iter().zip(self.ahead.data))
        {
            end(what, *got, due)?;
        }
        let out_of_order = self.ahead.count_ones() as u64;
        end("out of order", outcome.out_of_order.into(), out_of_order)?;
        end("messages", outcome.messages.into(), self.completed & 0xFF_FFFF)?;
        end("received", outcome.received.into(), u64::from(self.bytes.wrapping_add(255) >> 8))
    }

    fn place(&mut self, index: u64) {
        self.ahead.set(index as usize, true);
        let come = self.ahead.leading_ones();
        self.ahead.shift_start(come);
        self.expected += come as u64;
    }

    /// Checks the response. A loss or error must be answered at once. An ACK that may wait may also leave
    /// early.
    fn check_response(
        &self,
        event: &Event,
        outcome: &Outcome,
        completes: bool,
        csr: &SackRxCsr,
    ) -> Result<(), Breach> {
        let at_once = match outcome.verdict {
            Verdict::Placed => completes || event.ce || event.request || event.last || csr.ack_packets <= 1,
            Verdict::Duplicate => true,
            _ => event.kind == Kind::Probe && self.open,
        };
        let due = match outcome.verdict {
            Verdict::Outside | Verdict::Trimmed => Response::Nack,
            _ if at_once => Response::Ack,
            Verdict::Placed => outcome.response,
            _ if event.kind == Kind::Flush && self.open => outcome.response,
            _ => Response::None,
        };
        let nack = outcome.response == Response::Nack;
        if outcome.response != due || nack != (due == Response::Nack) {
            let (got, due) = (format!("{:?}", outcome.response), format!("{due:?}"));
            return Err(Breach::Response { got, due });
        }
        Ok(())
    }
}
