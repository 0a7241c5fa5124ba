//! Faults of the network between the two blocks, as the command gives them.

use super::error::TransportError;
use crate::network::adversary::Way;
use crate::network::fault::Faults;
use serde::Serialize;

/// Faults of the network. Shares are of 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Network {
    /// Share of data packets that are lost.
    pub loss: f64,
    /// Mean number of packets that a loss removes: 1 for independent losses.
    pub burst: f64,
    /// Share of data packets whose payload a switch cuts off.
    pub trim: f64,
    /// Share of packets, in both directions, of which a second copy arrives. One copy in eight arrives very
    /// late.
    pub dup: f64,
    /// Share of packets, in both directions, in which one to three bits flip.
    pub corrupt: f64,
    /// Maximum number of packets of its connection that overtake a data packet.
    pub reorder: u32,
    /// Clocks from one end to the other.
    pub delay_clocks: u32,
    /// Share of packets, in both directions, that use the path that dies. Such packets vanish in every second
    /// period of [`DEAD_CLOCKS`](super::DEAD_CLOCKS).
    pub dead_path: f64,
    /// Share of ACKs and NACKs that are lost.
    pub ack_loss: f64,
    /// Most ACKs and NACKs of its connection that overtake an ACK or NACK.
    pub ack_reorder: u32,
    /// Clock from which on no packet passes. Every message that has not completed by then must end in an error.
    pub kill_after: Option<u64>,
}

/// Bytes of a frame before the UDP payload. The ICRC covers only a part of these bytes.
const UDP_PAYLOAD: u32 = 42;

impl Default for Network {
    /// A network that loses nothing and keeps the order, with 400 clocks each way.
    fn default() -> Self {
        Self {
            loss: 0.0,
            burst: 1.0,
            trim: 0.0,
            dup: 0.0,
            corrupt: 0.0,
            reorder: 0,
            delay_clocks: 400,
            dead_path: 0.0,
            ack_loss: 0.0,
            ack_reorder: 0,
            kill_after: None,
        }
    }
}

impl Network {
    pub(super) fn check(&self) -> Result<(), TransportError> {
        let wrong = |name, value, rule| Err(TransportError::Setting { name, value, rule });
        let shares = [
            ("loss", self.loss),
            ("trim", self.trim),
            ("dup", self.dup),
            ("corrupt", self.corrupt),
            ("ack-loss", self.ack_loss),
            ("dead-path", self.dead_path),
        ];
        // Beyond this share hardly a packet passes, and back-off prolongs a run without end.
        if let Some((name, value)) = shares.into_iter().find(|(_, share)| !(0.0..=0.9).contains(share)) {
            return wrong(name, value, "0 to 0.9");
        }
        if !(1.0..=1000.0).contains(&self.burst) {
            return wrong("burst", self.burst, "1 to 1000");
        }
        for (name, value) in [("reorder", self.reorder), ("ack-reorder", self.ack_reorder)] {
            if value > 100_000 {
                return wrong(name, value.into(), "at most 100000");
            }
        }
        if self.delay_clocks > 1_000_000 {
            return wrong("delay", self.delay_clocks.into(), "at most 1000000");
        }
        Ok(())
    }

    /// Maximum number of clocks that a packet can be in transit.
    pub(super) fn longest_clocks(&self) -> u64 {
        self.ways().iter().map(Way::longest_clocks).max().unwrap_or(0)
    }

    /// Faults on data, and faults on ACKs and NACKs.
    pub(super) fn ways(&self) -> [Way; 2] {
        let Self { loss, burst, trim, dup, corrupt, ack_loss, .. } = *self;
        let faults = |loss, trim| Faults {
            loss,
            burst,
            duplicate: dup,
            damage: corrupt,
            damage_bits: 3,
            damage_from: UDP_PAYLOAD,
            trim,
            ..Faults::default()
        };
        let way = |faults, reorder| Way {
            faults,
            reorder,
            delay_clocks: self.delay_clocks,
            dead_path: self.dead_path,
            kill_after: self.kill_after,
        };
        [way(faults(loss, trim), self.reorder), way(faults(ack_loss, 0.0), self.ack_reorder)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_networks_are_refused() {
        let refused = |network: Network, message: &str| {
            assert_eq!(network.check().expect_err(message).to_string(), message);
        };
        let good = Network::default();
        assert!(good.check().is_ok());
        refused(Network { loss: 1.0, ..good }, "--loss 1 is not possible; use 0 to 0.9");
        refused(Network { trim: -0.1, ..good }, "--trim -0.1 is not possible; use 0 to 0.9");
        refused(Network { dup: f64::NAN, ..good }, "--dup NaN is not possible; use 0 to 0.9");
        refused(Network { burst: 0.5, ..good }, "--burst 0.5 is not possible; use 1 to 1000");
        refused(
            Network { reorder: 1 << 20, ..good },
            "--reorder 1048576 is not possible; use at most 100000",
        );
        refused(
            Network { delay_clocks: 1 << 20, ..good },
            "--delay 1048576 is not possible; use at most 1000000",
        );
    }
}
