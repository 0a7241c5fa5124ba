//! A flow to a host of a baseline transport, and the answers to its packets.

use super::bits::Bits;
use super::settings::{Baseline, Dcqcn, Recovery};

/// A flow that ends at this host.
#[derive(Clone, Debug, Default)]
pub(super) struct Incoming {
    /// All packets before this one have arrived.
    pub(super) next: u32,
    /// Packets that have arrived, each once.
    pub(super) count: u32,
    /// Whether a packet of the flow has arrived, whole or trimmed.
    pub(super) is_known: bool,
    came: Bits,
    /// The packet for which the last NACK was sent.
    asked: Option<u32>,
    /// No other NACK for this packet is sent before this time.
    nack_ps: u64,
    /// No CNP is sent before this time.
    cnp_ps: u64,
}

impl Incoming {
    /// Handles a packet of a flow of `packets` packets. Returns the answer, if any: a NACK, a mark.
    pub(super) fn take(
        &mut self,
        baseline: &Baseline,
        (number, all): (u32, u32),
        is_marked: bool,
        now_ps: u64,
    ) -> Option<[bool; 2]> {
        match baseline {
            Baseline::Dcqcn(settings) => {
                return self.take_in_order(settings, (number, all), is_marked, now_ps);
            }
            Baseline::Paced(_) if self.count < all => self.count += 1,
            Baseline::Paced(_) => {}
            Baseline::Dctcp(_) | Baseline::Swift(_) | Baseline::Bbr(_) | Baseline::Eqds(_) => {
                if !self.came.get(number) && self.count < all {
                    self.count(number, all);
                }
            }
        }
        Some([false, is_marked])
    }

    /// Handles a packet of DCQCN.
    fn take_in_order(
        &mut self,
        settings: &Dcqcn,
        (number, all): (u32, u32),
        is_marked: bool,
        now_ps: u64,
    ) -> Option<[bool; 2]> {
        let in_order = self.next == number;
        let takes = in_order || (settings.recovery == Recovery::Irn && number > self.next);
        let is_new = takes && self.count < all && !self.came.get(number);
        if is_new {
            self.count(number, all);
        }
        // IRN sends a NACK for each new packet out of order.
        let is_early = !in_order && number >= self.next;
        let asks = settings.recovery == Recovery::Irn && is_new;
        if is_early && !asks && self.asked == Some(self.next) && now_ps < self.nack_ps {
            return None;
        }
        if is_early {
            self.asked = Some(self.next);
            self.nack_ps = now_ps + (settings.nack_us * 1e6) as u64;
        }
        let mut notice = is_marked || (is_early && settings.cnp_of_nack);
        if notice && settings.cnp_us > 0.0 {
            notice = now_ps >= self.cnp_ps;
            self.cnp_ps = if notice { now_ps + (settings.cnp_us * 1e6) as u64 } else { self.cnp_ps };
        }
        Some([is_early, notice])
    }

    /// Number of packets that have arrived ahead of a missing packet; `None`: the order has no effect.
    pub(super) fn early(&self, baseline: &Baseline) -> Option<u32> {
        (!matches!(baseline, Baseline::Paced(_))).then(|| self.count - self.next)
    }

    /// A new packet.
    fn count(&mut self, number: u32, all: u32) {
        if self.count == 0 {
            self.came = Bits::new(all);
        }
        self.count += 1;
        self.came.set(number);
        while self.came.get(self.next) {
            self.next += 1;
        }
    }

    /// Frees the set of arrived packets, because all packets have arrived.
    pub(super) fn forget(&mut self) {
        self.came = Bits::default();
    }
}
