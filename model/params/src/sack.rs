//! Parameters of the out-of-order transport (pages `docs/blocks/sack_rx.md`, `docs/blocks/sack_tx.md`).

use crate::CONNECTIONS;
use crate::error::{ParamError, require};
use crate::smartt::{SmarttClass, SmarttParams};
use serde::{Deserialize, Serialize};

/// Values that are fixed when the Verilog of `weft_sack_rx` or `weft_sack_tx` is emitted.
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
            CONNECTIONS.contains(&self.connections),
            "connections",
            self.connections.into(),
            "use 4, 16, 64, 256, 1024, 4096 or 16384",
        )
    }

    /// Bits of a connection number.
    pub fn connection_width(&self) -> u32 {
        self.connections.trailing_zeros()
    }
}

/// Rules by which the receiver acknowledges: the `cfg_*` ports of `weft_sack_rx`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SackRxCsr {
    /// Number of new packets after which the receiver sends an ACK: 1 for an ACK for every packet; 0 counts
    /// as 1.
    pub ack_packets: u32,
    /// Bytes of new packets, each counted as 1 KiB at least, after which the receiver sends an ACK; 0: never.
    pub ack_bytes: u32,
}

impl Default for SackRxCsr {
    /// Every packet (`nic.md` section 3); 16 KiB (MRC, `wire.md` 7.6).
    fn default() -> Self {
        Self { ack_packets: 1, ack_bytes: 16_384 }
    }
}

impl SackRxCsr {
    /// An ACK for every `ack_packets` packets, independent of their bytes.
    pub fn every(ack_packets: u32) -> Self {
        Self { ack_packets, ack_bytes: 0 }
    }

    /// Refuses values that the ports cannot represent.
    pub fn check(&self) -> Result<(), ParamError> {
        require(self.ack_packets <= 255, "ack-packets", self.ack_packets.into(), "use 1 to 255")?;
        require(self.ack_bytes <= 0xFFFF, "ack-bytes", self.ack_bytes.into(), "use 0 to 65535")
    }
}

/// The maximum number of retries that the port can represent.
const RETRIES_MAX: u32 = 1_023;

/// Rules by which the sender detects losses: the `cfg_*` ports of `weft_sack_tx`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SackTxCsr {
    /// Bytes that a packet in flight counts against the congestion window.
    pub mtu_bytes: u32,
    /// The settings of each class that depend on the round-trip time, and the patience of a connection.
    pub classes: [SackTxClass; SmarttParams::CLASSES],
}

/// Rules by which the sender detects losses of a class of flows: the lanes of the `cfg_*` ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SackTxClass {
    /// A packet is lost when a packet sent so many PSNs later is acknowledged, and the lost one is not young
    /// (OFAN sections 4 and 8.2); 0: never.
    pub gap: u32,
    /// Ticks of silence after the probes after which old packets are lost (RTO), below 2^16.
    pub rto_ticks: u32,
    /// The shortest epoch in ticks, at most 24,575. Half of the target RTT (`recovery.md` rule 2).
    pub epoch_ticks: u32,
    /// Number of ticks from which a round-trip time shows congestion, below 2^15 (REPS Appendix A: 1.65 base
    /// RTT).
    pub high_ticks: u32,
    /// The RTO doubles with every timeout in a row, at most so often.
    pub backoff_limit: u32,
    /// Timeouts in a row that a connection survives; the next timeout ends the connection.
    pub retry_limit: u32,
}

impl Default for SackTxClass {
    /// No gap. RTO of 70 us (ARCANE 4.1) in ticks of 32 ns. Epoch: half of 18 us plus the time that 4 KiB at
    /// 100 Gb/s wait behind a DMA of 1 us. High: 1.65 x 12 us. The RTO grows up to 64 times; with 255 retries
    /// a connection fails after 1.1 s.
    fn default() -> Self {
        Self {
            gap: 0,
            rto_ticks: 2_188,
            epoch_ticks: 281 + 113,
            high_ticks: 619,
            backoff_limit: 6,
            retry_limit: 255,
        }
    }
}

/// The longest possible epoch: that of a peak of 2^15 - 1 ticks.
const EPOCH_MAX: u32 = 24_575;

impl SackTxClass {
    /// Rules for a class of the congestion window: the epoch is half of its target RTT, high are 1.65 base
    /// RTTs.
    pub fn for_window(class: &SmarttClass) -> Self {
        Self {
            epoch_ticks: class.target_rtt_ticks.div_ceil(2).clamp(1, EPOCH_MAX),
            high_ticks: (class.base_rtt_ticks * 33).div_ceil(20).clamp(1, 0x7FFF),
            ..Self::default()
        }
    }

    /// The settings with the SACK gap for a bandwidth-delay product of `packets` packets: `packets`, if a
    /// sender sends 256 PSNs within four base RTTs. Otherwise there is no gap, because epochs find losses
    /// just as early.
    pub fn with_bdp(self, packets: u32) -> Self {
        let gap = if packets < SackParams::WINDOW / 4 { 0 } else { packets.min(SackParams::WINDOW - 1) };
        Self { gap, ..self }
    }

    /// The settings in a NIC, where packets wait between their SEND and their time stamp: 32 KiB in the
    /// sender (its rule 9), 16 KiB and seven packets in egress (its rule 4), and a DMA read. Ages count from
    /// the SEND, round-trip times from the time stamp. A lost packet was sent two epochs ago, hence the
    /// epochs must cover both.
    pub fn with_wait(self, mtu_bytes: u32, link_gbps: u32, dma_ns: u32, tick_ps: u32) -> Self {
        let bytes = 48 * 1_024 + 7 * u64::from(mtu_bytes);
        let wait_ns = bytes * 8 / u64::from(link_gbps) + u64::from(dma_ns);
        let wait_ticks = (wait_ns * 1_000).div_ceil(tick_ps.into()) as u32;
        Self { epoch_ticks: (self.epoch_ticks + wait_ticks.div_ceil(2)).min(EPOCH_MAX), ..self }
    }

    /// The settings in a network that drops nothing but delays packets (PFC). A packet may take ten times as
    /// long as another of the same window. A missing packet therefore waits for an RTO before it has the age
    /// to be lost.
    pub fn without_drops(self) -> Self {
        Self { epoch_ticks: self.epoch_ticks.max(self.rto_ticks).min(EPOCH_MAX), gap: 0, ..self }
    }

    /// Minimum number of ticks without an answer after which a connection ends: the sum of all its timeouts,
    /// with the RTO doubled for each one up to the limit.
    pub fn silence_ticks(&self) -> u64 {
        let rto = u64::from(self.rto_ticks);
        (0..=self.retry_limit).map(|retry| rto << retry.min(self.backoff_limit)).sum()
    }

    /// The settings with the lowest limit of retries with which a connection survives a silence of `ticks`.
    /// If none is enough, the settings have the largest limit.
    pub fn with_silence(self, ticks: u64) -> Self {
        let with = |retry_limit| Self { retry_limit, ..self };
        let outlives = |retry_limit: &u32| with(*retry_limit).silence_ticks() > ticks;
        with((0..RETRIES_MAX).find(outlives).unwrap_or(RETRIES_MAX))
    }

    fn check(&self) -> Result<(), ParamError> {
        require(self.gap <= 255, "gap", self.gap.into(), "use 0 to 255")?;
        let (ticks, high) = ("use 1 to 65535 ticks", "use 1 to 32767 ticks");
        require((1..=0xFFFF).contains(&self.rto_ticks), "rto", self.rto_ticks.into(), ticks)?;
        require(
            (1..=EPOCH_MAX).contains(&self.epoch_ticks),
            "epoch",
            self.epoch_ticks.into(),
            "use 1 to 24575 ticks",
        )?;
        require((1..=0x7FFF).contains(&self.high_ticks), "high", self.high_ticks.into(), high)?;
        require(self.backoff_limit <= 7, "backoff-limit", self.backoff_limit.into(), "use 0 to 7")?;
        require(self.retry_limit <= RETRIES_MAX, "retry-limit", self.retry_limit.into(), "use 0 to 1023")
    }
}

impl Default for SackTxCsr {
    /// 4 KiB, and the default class for all classes.
    fn default() -> Self {
        Self { mtu_bytes: 4_096, classes: [SackTxClass::default(); SmarttParams::CLASSES] }
    }
}

impl SackTxCsr {
    /// The settings with the registers `class` for all classes.
    pub fn with_class(self, class: SackTxClass) -> Self {
        Self { classes: [class; SmarttParams::CLASSES], ..self }
    }

    /// The settings with this SACK gap for all classes.
    pub fn with_gap(self, gap: u32) -> Self {
        Self { classes: self.classes.map(|class| SackTxClass { gap, ..class }), ..self }
    }

    /// The settings with this RTO for all classes.
    pub fn with_rto(self, rto_ticks: u32) -> Self {
        Self { classes: self.classes.map(|class| SackTxClass { rto_ticks, ..class }), ..self }
    }

    /// The settings with this shortest epoch for all classes.
    pub fn with_epoch(self, epoch_ticks: u32) -> Self {
        Self { classes: self.classes.map(|class| SackTxClass { epoch_ticks, ..class }), ..self }
    }

    /// The settings with this limit of doublings for all classes.
    pub fn with_backoff(self, backoff_limit: u32) -> Self {
        Self { classes: self.classes.map(|class| SackTxClass { backoff_limit, ..class }), ..self }
    }

    /// The settings with this limit of retries for all classes.
    pub fn with_retries(self, retry_limit: u32) -> Self {
        Self { classes: self.classes.map(|class| SackTxClass { retry_limit, ..class }), ..self }
    }

    /// Refuses values that the ports cannot represent.
    pub fn check(&self) -> Result<(), ParamError> {
        require(
            (1..=0x3FFF).contains(&self.mtu_bytes),
            "mtu",
            self.mtu_bytes.into(),
            "use 1 to 16383 bytes",
        )?;
        self.classes.iter().try_for_each(SackTxClass::check)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_of_retries() {
        // 70 us, 140, 280 ... 4,480, and so on: by hand.
        let class = SackTxClass { rto_ticks: 70, ..SackTxClass::default() };
        assert_eq!(SackTxClass { retry_limit: 0, ..class }.silence_ticks(), 70);
        assert_eq!(SackTxClass { retry_limit: 7, ..class }.silence_ticks(), 127 * 70 + 4_480);
        let retries = |ticks| class.with_silence(ticks).retry_limit;
        assert_eq!((retries(69), retries(70), retries(210)), (0, 1, 2));
        assert_eq!(retries(1_000_000), 228);
        assert_eq!(retries(u64::MAX), 1_023);
        // The default is at least a second of ticks of 32 ns.
        assert!(SackTxClass::default().silence_ticks() > 31_250_000);
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
            csr.with_gap(256),
            csr.with_rto(0),
            csr.with_rto(65_536),
            csr.with_epoch(0),
            csr.with_epoch(24_576),
            csr.with_class(SackTxClass { high_ticks: 0, ..SackTxClass::default() }),
            csr.with_class(SackTxClass { high_ticks: 32_768, ..SackTxClass::default() }),
            csr.with_backoff(8),
            csr.with_retries(1_024),
        ] {
            assert!(bad.check().is_err(), "{bad:?}");
        }
    }
}
