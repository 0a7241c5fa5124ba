//! Settings of a run of the channel.

use super::end::View;
use super::error::TransportError;
use super::host::{MOST_PACKETS, Traffic};
use super::network::Network;
use super::plant::Plant;
use serde::Serialize;
use weft_params::{SackParams, SackRxCsr, SackTxCsr};

/// Clocks of a tick of the sender's time.
pub const CLOCKS_PER_TICK: u64 = 8;

/// Settings of a run of the channel.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Transport {
    /// The shape of both blocks; all connections are used.
    pub params: SackParams,
    /// View of the sender.
    pub sender: View,
    /// View of the receiver.
    pub receiver: View,
    /// The sender's registers.
    pub tx: SackTxCsr,
    /// The receiver's registers.
    pub rx: SackRxCsr,
    /// Messages to deliver.
    pub traffic: Traffic,
    /// Faults of the network.
    pub network: Network,
    /// Seed of everything random.
    pub seed: u64,
    /// A fault, for runs that must fail.
    #[serde(skip)]
    pub plant: Option<Plant>,
}

impl Default for Transport {
    /// Packets of 256 bytes; 15 retries, of which three double the timeout; both ends in lockstep.
    fn default() -> Self {
        let params = SackParams::default();
        let tx = SackTxCsr { mtu_bytes: 256, ..SackTxCsr::default() }.with_backoff(3).with_retries(15);
        Self {
            params,
            sender: View::Lockstep,
            receiver: View::Lockstep,
            tx,
            rx: SackRxCsr::default(),
            traffic: Traffic::of(params.connections, tx.mtu_bytes),
            network: Network::default(),
            seed: 1,
            plant: None,
        }
    }
}

impl Transport {
    pub(super) fn check(&self) -> Result<(), TransportError> {
        self.params.check()?;
        self.tx.check()?;
        self.rx.check()?;
        self.network.check()?;
        let Traffic { messages, packets_per_message, cwnd_bytes } = self.traffic;
        let mtu = self.tx.mtu_bytes;
        let settings = [
            ("messages", messages, 1, u64::MAX, "at least one"),
            ("packets-per-message", packets_per_message.into(), 1, MOST_PACKETS.into(), "1 to 4096"),
            ("mtu", mtu.into(), 16, 9_000, "16 to 9000 bytes"),
            ("cwnd", cwnd_bytes.into(), mtu.into(), (1 << 26) - 1, "at least the MTU and less than 64 MiB"),
        ];
        let wrong = settings.into_iter().find(|(_, value, least, most, _)| !(least..=most).contains(&value));
        match wrong {
            Some((name, value, .., rule)) => Err(TransportError::Setting { name, value: value as f64, rule }),
            None => Ok(()),
        }
    }

    /// Number of timeouts in a row of a connection after which the network passes its packets until the
    /// connection makes progress: three quarters of the timeouts that end the connection.
    ///
    /// The page promises that no connection gets stuck as long as some packets pass; this number defines
    /// "some". The retry limit exists for a network that is worse for longer.
    pub fn relents_after(&self) -> u32 {
        (self.tx.classes[0].retry_limit + 1) * 3 / 4
    }

    /// Clocks that a connection may be silent after `timeouts` in a row, if nothing delays its timer.
    pub(super) fn timeout_clocks(&self, timeouts: u32) -> u64 {
        let class = &self.tx.classes[0];
        (CLOCKS_PER_TICK * u64::from(class.rto_ticks)) << timeouts.min(class.backoff_limit)
    }

    /// Clocks that may delay a timer, or a packet that may leave at once: turns of all other connections, the
    /// round of the timers, back-pressure.
    pub(super) fn slack_clocks(&self) -> u64 {
        64 * u64::from(self.params.connections) + 4_096
    }
}
