//! Parameters of the out-of-order transport (pages `docs/blocks/sack_rx.md`, `docs/blocks/sack_tx.md`).

use crate::error::{ParamError, require};
use serde::{Deserialize, Serialize};

/// What is fixed when the Verilog of `weft_sack_rx` or `weft_sack_tx` is emitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SackParams {
    /// Connections with state in block RAM: 4, 16, 64, 256, 1,024 or 4,096.
    pub connections: u32,
}

impl Default for SackParams {
    /// 256 connections.
    fn default() -> Self {
        Self { connections: 256 }
    }
}

impl SackParams {
    /// PSNs of a window.
    pub const WINDOW: u32 = 256;
    /// Messages that wait behind the one being sent, per connection.
    pub const QUEUE: u32 = 16;

    /// Refuses a shape that the emitter has no instance for.
    pub fn check(&self) -> Result<(), ParamError> {
        require(
            [4, 16, 64, 256, 1024, 4096].contains(&self.connections),
            "connections",
            self.connections.into(),
            "use 4, 16, 64, 256, 1024 or 4096",
        )
    }

    /// Bits of a connection number.
    pub fn connection_width(&self) -> u32 {
        self.connections.trailing_zeros()
    }
}

/// When the receiver acknowledges: the `cfg_*` ports of `weft_sack_rx`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SackRxCsr {
    /// New packets that make an ACK: 1 for every packet; 0 counts as 1.
    pub ack_packets: u32,
    /// Bytes of new packets, each counted as 1 KiB at least, that make an ACK; 0: never.
    pub ack_bytes: u32,
}

impl Default for SackRxCsr {
    /// Every packet (`nic.md` section 3); 16 KiB (MRC, `wire.md` 7.6).
    fn default() -> Self {
        Self { ack_packets: 1, ack_bytes: 16_384 }
    }
}

impl SackRxCsr {
    /// Refuses what the ports cannot hold.
    pub fn check(&self) -> Result<(), ParamError> {
        require(self.ack_packets <= 255, "ack-packets", self.ack_packets.into(), "use 1 to 255")?;
        require(self.ack_bytes <= 0xFFFF, "ack-bytes", self.ack_bytes.into(), "use 0 to 65535")
    }
}

/// The most retries that the port holds.
const RETRIES_MAX: u32 = 1_023;

/// When the sender calls a packet lost: the `cfg_*` ports of `weft_sack_tx`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SackTxCsr {
    /// Bytes that a packet in flight counts against the congestion window.
    pub mtu_bytes: u32,
    /// A packet is lost when one that was sent so many PSNs later is acknowledged (OFAN sections 4 and 8.2); 0: never.
    pub gap: u32,
    /// Ticks without progress after which everything in flight is lost (RTO), below 2^16.
    pub rto_ticks: u32,
    /// The RTO doubles with every timeout in a row, at most so often.
    pub backoff_limit: u32,
    /// Timeouts in a row that a connection survives; the next one ends it.
    pub retry_limit: u32,
}

impl Default for SackTxCsr {
    /// 4 KiB, 64 PSNs, 70 us (ARCANE 4.1) in ticks of 32 ns, backed off to 64 times, 255 retries: 1.1 s.
    fn default() -> Self {
        Self { mtu_bytes: 4_096, gap: 64, rto_ticks: 2_188, backoff_limit: 6, retry_limit: 255 }
    }
}

impl SackTxCsr {
    /// Ticks without an answer after which a connection ends: all its timeouts, the RTO doubled for each up to the limit.
    pub fn silence_ticks(&self) -> u64 {
        (0..=self.retry_limit).map(|retry| u64::from(self.rto_ticks) << retry.min(self.backoff_limit)).sum()
    }

    /// The least limit of retries with which a connection outlives a silence of so many ticks; the largest there is, if
    /// that is not enough.
    pub fn retries_for(&self, silence_ticks: u64) -> u32 {
        let outlives = |&retry_limit: &u32| Self { retry_limit, ..*self }.silence_ticks() > silence_ticks;
        (0..RETRIES_MAX).find(outlives).unwrap_or(RETRIES_MAX)
    }

    /// Refuses what the ports cannot hold.
    pub fn check(&self) -> Result<(), ParamError> {
        require(
            (1..=0x3FFF).contains(&self.mtu_bytes),
            "mtu",
            self.mtu_bytes.into(),
            "use 1 to 16383 bytes",
        )?;
        require(self.gap <= 255, "gap", self.gap.into(), "use 0 to 255")?;
        require(
            (1..=0xFFFF).contains(&self.rto_ticks),
            "rto",
            self.rto_ticks.into(),
            "use 1 to 65535 ticks",
        )?;
        require(self.backoff_limit <= 7, "backoff-limit", self.backoff_limit.into(), "use 0 to 7")?;
        require(self.retry_limit <= RETRIES_MAX, "retry-limit", self.retry_limit.into(), "use 0 to 1023")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_of_retries() {
        // 70 us, 140, 280 ... 4,480, and so on: by hand.
        let csr = SackTxCsr { rto_ticks: 70, ..SackTxCsr::default() };
        assert_eq!(SackTxCsr { retry_limit: 0, ..csr }.silence_ticks(), 70);
        assert_eq!(SackTxCsr { retry_limit: 7, ..csr }.silence_ticks(), 127 * 70 + 4_480);
        assert_eq!((csr.retries_for(69), csr.retries_for(70), csr.retries_for(210)), (0, 1, 2));
        assert_eq!(csr.retries_for(1_000_000), 228);
        assert_eq!(csr.retries_for(u64::MAX), 1_023);
        // The default is at least a second of ticks of 32 ns.
        assert!(SackTxCsr::default().silence_ticks() > 31_250_000);
    }

    #[test]
    fn impossible_shapes_and_registers_are_refused() {
        assert!(SackParams::default().check().is_ok());
        assert!(SackParams { connections: 100 }.check().is_err());
        assert!(SackRxCsr::default().check().is_ok());
        assert!(SackRxCsr { ack_packets: 256, ..SackRxCsr::default() }.check().is_err());
        assert!(SackRxCsr { ack_bytes: 65_536, ..SackRxCsr::default() }.check().is_err());
        let csr = SackTxCsr::default();
        assert!(csr.check().is_ok());
        for bad in [
            SackTxCsr { mtu_bytes: 0, ..csr },
            SackTxCsr { mtu_bytes: 16_384, ..csr },
            SackTxCsr { gap: 256, ..csr },
            SackTxCsr { rto_ticks: 0, ..csr },
            SackTxCsr { rto_ticks: 65_536, ..csr },
            SackTxCsr { backoff_limit: 8, ..csr },
            SackTxCsr { retry_limit: 1_024, ..csr },
        ] {
            assert!(bad.check().is_err(), "{bad:?}");
        }
    }
}
