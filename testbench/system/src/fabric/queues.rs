//! The traffic managers of a fabric.

use super::setup::{Ecn, Setup};
use super::timing::SWITCH_CLOCKS;
use crate::network::pace::on_wire;
use crate::nic::scenario::HEADERS;
use weft_switch::schemes::Scheme;
use weft_switch::tm;

impl Setup {
    /// Maximum number of bytes in a data queue.
    pub(super) fn queue_bytes(&self) -> Option<u32> {
        self.switch.queue_bytes.or_else(|| (!self.switch.pfc).then(|| self.bdp_bytes()))
    }

    /// Settings of the traffic manager of a switch. `to_host` has for each port whether it leads to a host.
    pub(super) fn queues(&self, to_host: &[bool]) -> tm::Settings {
        let reorder = self.scheme.reorder_queues();
        let limit_bytes = self.queue_bytes();
        let port = |to_host: bool| {
            let (rate, latency) = self.links.wire(to_host);
            let mut port = tm::Port::new(rate, reorder.into());
            for queue in port.queues.iter_mut().filter(|queue| queue.trims) {
                queue.limit_bytes = limit_bytes;
            }
            // Bytes on the wire in both directions, and the packets begun at both ends.
            let begun = 2 * on_wire((self.hosts.mtu + HEADERS) as usize) as u32;
            let headroom = rate.bytes_in(2 * latency + 2 * 256 * SWITCH_CLOCKS) as u32 + begun;
            port.headroom_bytes = if self.switch.pfc { headroom } else { 0 };
            port.is_last_hop = to_host;
            port
        };
        // The recirculation port comes last.
        let inner = tm::Port::new(tm::Rate::gbps(self.switch.recirculation_gbps), reorder.into());
        let ports = to_host.iter().copied().map(port).chain([inner]).collect();
        let bdp = self.bdp_bytes();
        let ecn = self.switch.ecn.unwrap_or(Ecn { kmin_bytes: bdp / 5, kmax_bytes: bdp / 5 * 4, pmax: 1.0 });
        tm::Settings {
            red: Some(tm::Red {
                kmin_bytes: ecn.kmin_bytes,
                kmax_bytes: ecn.kmax_bytes,
                pmax: (ecn.pmax * f64::from(1 << 16)) as u32,
                at: tm::At::Dequeue,
                over: tm::Over::Queue,
            }),
            trim: self.trims().then_some(tm::Trim { to_queue: u16::from(reorder) + 1 }),
            pfc: self.switch.pfc.then_some(tm::Pfc::CONWEAVE),
            charge_paused: match &self.scheme {
                Scheme::Conweave(options) => options.options().charge_reorder,
                _ => true,
            },
            ..tm::Settings::new(ports, self.switch.buffer_bytes)
        }
    }
}
