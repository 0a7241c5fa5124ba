//! Settings of an incast.

use super::error::IncastError;
use serde::Serialize;
use weft_nic::block::window::Window;
use weft_params::{Network, ParamError, SmarttCsr, SmarttParams};

/// Maximum number of packets of an incast, so that its record fits into memory.
const MAX_PACKETS: u64 = 4_000_000;

/// Settings of an incast.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Incast {
    /// Number of senders.
    pub senders: u32,
    /// Bytes that each sender sends.
    pub message_bytes: u32,
    /// Link rate, base RTT (the first), MTU, queue and trimming, from which the constants are computed.
    pub network: Network,
    /// Senders begin at random times within this span.
    pub start_spread_ns: u32,
    /// Largest random delay of a packet on its way to the port: less than the time of a packet on the link,
    /// so that no packet overtakes another. Without this jitter, senders in phase would be trimmed in turns
    /// or never.
    pub jitter_ps: u32,
    /// Seed of the random numbers: start times, jitter, marks.
    pub seed: u64,
}

impl Incast {
    /// The incasts of the paper: messages of 8 MiB, 800 Gb/s, packets of 4 KiB, a queue of one BDP, and
    /// the base RTT at which windows begin at 1.42 MiB, that is 1.25 BDP (SMaRTT-REPS, figures 2 and 3).
    pub fn paper(senders: u32) -> Self {
        let network = Network { link_gbps: 800, base_rtt_ns: vec![11_900], ..Network::default() };
        Self { senders, message_bytes: 8 << 20, network, start_spread_ns: 0, jitter_ps: 40_000, seed: 1 }
    }

    /// The CSRs of the block.
    pub fn csr(&self) -> Result<SmarttCsr, ParamError> {
        self.network.csr()
    }

    /// Refuses a block with fewer connections than senders.
    pub(super) fn has_connections(&self, window: &impl Window) -> Result<(), IncastError> {
        let rule = "a block with a connection for each";
        let value = self.senders.into();
        let enough = self.senders <= window.connections();
        if enough { Ok(()) } else { Err(IncastError::Setting { name: "senders", value, rule }) }
    }

    pub(super) fn check(&self, packet_ps: u64) -> Result<(), IncastError> {
        let max_senders = SmarttParams::default().connections.into();
        let packets =
            u64::from(self.senders) * u64::from(self.message_bytes.div_ceil(self.network.mtu_bytes));
        let settings = [
            ("senders", self.senders.into(), 1, max_senders, "1 to 256"),
            ("message", self.message_bytes.into(), 1, u32::MAX.into(), "at least one byte"),
            ("packets", packets, 1, MAX_PACKETS, "fewer senders or a smaller message"),
            ("start spread", self.start_spread_ns.into(), 0, 1_000_000, "at most a millisecond"),
            ("jitter", self.jitter_ps.into(), 0, packet_ps - 1, "less than a packet takes on the link"),
        ];
        let wrong = settings.into_iter().find(|(_, value, least, most, _)| !(least..=most).contains(&value));
        wrong.map_or(Ok(()), |(name, value, _, _, rule)| Err(IncastError::Setting { name, value, rule }))
    }
}
