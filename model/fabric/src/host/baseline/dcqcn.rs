//! A sender of DCQCN: a rate, and the lost packets.

use super::loss::Loss;
use super::rate::Rate;
use super::settings::Dcqcn;
use super::{Answer, Sender, Shared};
use weft_nic::block::sender::Cause;

/// A flow.
pub(super) struct Flow {
    rate: Rate,
    loss: Loss,
    /// No packet leaves before this time.
    free_ps: u64,
}

impl Flow {
    pub(super) fn new(settings: &Dcqcn, shared: &Shared, (flow, packets): (u32, u32)) -> Self {
        let source = shared.table.flows[flow as usize].source;
        let window = settings.window_bytes.map_or(shared.bdp_packets, |bytes| (bytes / shared.mtu).max(1));
        Self {
            rate: Rate::new(*settings, shared.network.line_gbps(source)),
            loss: Loss::new(settings, packets, window),
            free_ps: 0,
        }
    }
}

impl Sender for Flow {
    fn ready_ps(&mut self, _: u64) -> Option<u64> {
        self.loss.next().map(|_| self.free_ps)
    }

    fn send(&mut self, now_ps: u64, wire_bytes: &dyn Fn(u32) -> u32) -> (u32, Option<Cause>) {
        let number = self.loss.next().expect("it was ready");
        // The gap to the next packet is the time of this one at the rate; the wire itself keeps the line's.
        let takes_ps = f64::from(wire_bytes(number)) * 8e3 / self.rate.gbps(now_ps);
        self.free_ps = now_ps + takes_ps as u64;
        (number, self.loss.send(number, now_ps))
    }

    fn answer(&mut self, answer: &Answer, now_ps: u64) {
        self.loss.answer(answer, now_ps);
        if answer.is_marked {
            self.rate.notice(now_ps);
        }
    }

    fn due(&self) -> u64 {
        self.loss.due()
    }

    fn expire(&mut self, now_ps: u64) {
        self.loss.expire(now_ps);
    }

    fn is_done(&self) -> bool {
        self.loss.is_done()
    }
}
