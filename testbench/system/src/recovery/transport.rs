//! Transport of a sending host: the model of `weft_sender`, or another rule set to compare with.

use super::setting::Setting;
use weft_bench::Mismatch;
use weft_nic::block::sender::{Control, ControlKind, Sender};
use weft_nic::words::{Acknowledgement, Order, Work};
use weft_params::{ParamError, SackParams, SenderCsr};

/// Counts of the sender.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) freezes: u64,
    pub(super) timeouts: u64,
}

/// A packet that leaves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sent {
    pub(super) psn: u64,
    pub(super) ev: u16,
    pub(super) again: bool,
}

impl Sent {
    /// Packet of an order. `next` is the next new PSN, not wrapped, before and after the order.
    pub(super) fn of(order: &Order, next: &mut u64) -> Self {
        let back = (*next as u32).wrapping_sub(order.psn) & 0xFF_FFFF;
        let psn = *next - u64::from(back);
        *next += u64::from(!order.again);
        Self { psn, ev: order.ev, again: order.again }
    }
}

/// A sender of one connection. Times are ticks.
pub(super) trait Transport {
    /// Posts a message.
    fn post(&mut self, packets: u32, now: u64);
    /// The next packet that may leave.
    fn send(&mut self, now: u64) -> Option<Sent>;
    /// Accepts an ACK or NACK.
    fn take(&mut self, answer: &Acknowledgement, now: u64);
    /// Handles timers that have expired by `now`.
    fn expire(&mut self, now: u64);
    /// Time of the next timer.
    fn deadline(&mut self, now: u64) -> Option<u64>;
    /// Messages that have ended since the last call.
    fn ended(&mut self) -> u32;
    /// Counts so far.
    fn counts(&self) -> Counts;
    /// First difference of RTL and model.
    fn mismatch(&self) -> Option<&Mismatch> {
        None
    }
}

/// Maximum number of messages of the sender.
pub(super) const SLOTS: u32 = 16;

/// The project's sender.
pub(super) struct Weft {
    sender: Sender,
    /// Next new PSN, not wrapped.
    next: u64,
    mtu_bytes: u32,
}

/// Control words with the registers of a sender and a seed for its paths. Bit 0 of the seed is ignored, as it
/// was when the pages' results were recorded.
pub(super) fn seeded(seed: u64) -> [Control; 2] {
    [
        Control { kind: ControlKind::Seed, seed: (seed ^ seed >> 32) as u32 & !1, ..Control::default() },
        Control { kind: ControlKind::Open, ..Control::default() },
    ]
}

impl Weft {
    pub(super) fn new(setting: &Setting, csr: SenderCsr, seed: u64) -> Result<Self, ParamError> {
        csr.sack.check()?;
        let mut sender = Sender::new(SackParams { connections: 4 }, csr);
        for control in seeded(seed) {
            sender.control(0, &control, 0);
        }
        Ok(Self { sender, next: 0, mtu_bytes: setting.mtu_bytes as u32 })
    }
}

impl Transport for Weft {
    fn post(&mut self, packets: u32, now: u64) {
        self.sender.work(0, &Work { length: packets * self.mtu_bytes, ..Work::default() }, now);
    }

    fn send(&mut self, now: u64) -> Option<Sent> {
        self.sender.windows(now);
        let order = self.sender.next_order(now)?.order;
        Some(Sent::of(&order, &mut self.next))
    }

    fn take(&mut self, answer: &Acknowledgement, now: u64) {
        self.sender.acknowledgement(0, answer, now);
    }

    fn expire(&mut self, now: u64) {
        self.sender.expire(now);
    }

    fn deadline(&mut self, now: u64) -> Option<u64> {
        self.sender.next_deadline(now)
    }

    fn ended(&mut self) -> u32 {
        std::iter::from_fn(|| self.sender.sent()).count() as u32
    }

    fn counts(&self) -> Counts {
        let counters = self.sender.counters();
        Counts { freezes: counters.paths.freezes.into(), timeouts: counters.recovery.timeouts.into() }
    }
}
