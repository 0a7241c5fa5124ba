//! Registers of the NIC's own blocks (pages `docs/blocks/ingress.md`, `egress.md`, `receiver.md`, `sender.md`).

use crate::PSNS;
use crate::error::{ParamError, require};
use crate::nscc::WindowAlgorithm;
use crate::reps::RepsCsr;
use crate::sack::{SackParams, SackRxCsr, SackTxCsr};
use crate::smartt::SmarttCsr;
use serde::{Deserialize, Serialize};

/// Values that are fixed when the Verilog of `weft_nic` is emitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct NicParams {
    /// Connections with state in block RAM: 4, 16, 64, 256, 1,024 or 4,096.
    pub connections: u32,
    /// Bits of the streams of bytes: 128, 256 or 512.
    pub width: u32,
    /// Bits of `tuser` of the bypass and the network, 1 to 128: bit 0 marks a bad frame, the other bits pass
    /// with frames of other software.
    pub bypass_user: u32,
    /// The algorithm of the NIC's congestion windows.
    pub window: WindowAlgorithm,
    /// PSNs of a connection's window: 256, 512 or 1,024.
    pub psns: u32,
}

impl Default for NicParams {
    /// 256 connections, 512 bits, no bits that pass with frames of other software, SMaRTT.
    fn default() -> Self {
        let SenderParams { connections, window, psns } = SenderParams::default();
        Self { connections, width: 512, bypass_user: 1, window, psns }
    }
}

/// Values that are fixed when the Verilog of `weft_sender` is emitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SenderParams {
    /// Connections with state in block RAM: 4, 16, 64, 256, 1,024, 4,096 or 16,384.
    pub connections: u32,
    /// The algorithm of the sender's congestion windows.
    pub window: WindowAlgorithm,
    /// PSNs of a connection's window: 256, 512 or 1,024.
    pub psns: u32,
}

impl Default for SenderParams {
    /// 256 connections, SMaRTT, 256 PSNs.
    fn default() -> Self {
        Self::from(SackParams::default())
    }
}

impl From<SackParams> for SenderParams {
    /// The sender with this number of connections, SMaRTT as its window, and 256 PSNs.
    fn from(params: SackParams) -> Self {
        Self { connections: params.connections, window: WindowAlgorithm::default(), psns: SackParams::WINDOW }
    }
}

impl SenderParams {
    /// Refuses a shape that the emitter has no instance for.
    pub fn check(&self) -> Result<(), ParamError> {
        self.blocks().check()?;
        check_psns(self.psns)
    }

    /// The shape of the blocks inside.
    pub fn blocks(&self) -> SackParams {
        SackParams { connections: self.connections }
    }
}

impl From<SackParams> for NicParams {
    /// A NIC with the connections of `params`, and defaults otherwise.
    fn from(params: SackParams) -> Self {
        Self { connections: params.connections, ..Self::default() }
    }
}

impl NicParams {
    /// Refuses a shape that the emitter has no instance for.
    pub fn check(&self) -> Result<(), ParamError> {
        self.sender().check()?;
        require([128, 256, 512].contains(&self.width), "width", self.width.into(), "use 128, 256 or 512")?;
        check_bypass_user(self.bypass_user)?;
        let fits = self.bypass_user == 1 || self.width == 512;
        require(
            fits,
            "bypass-user",
            self.bypass_user.into(),
            "use 1, or a width of 512: the converters carry one bit",
        )
    }

    /// The shape of the blocks inside.
    pub fn blocks(&self) -> SackParams {
        SackParams { connections: self.connections }
    }

    /// The shape of the sender inside.
    pub fn sender(&self) -> SenderParams {
        SenderParams { connections: self.connections, window: self.window, psns: self.psns }
    }

    /// Bytes of a word of the streams.
    pub fn bytes(&self) -> usize {
        self.width as usize / 8
    }
}

/// Refuses a window that no NIC has.
pub fn check_psns(psns: u32) -> Result<(), ParamError> {
    require(PSNS.contains(&psns), "psns", psns.into(), "use 256, 512 or 1024")
}

/// Permitted sizes of full packets.
pub const MTU_RULE: &str = "a power of two, 256 to 8192";

/// Whether the NIC can have full packets with this number of bytes of payload.
pub fn is_mtu(mtu_bytes: u32) -> bool {
    mtu_bytes.is_power_of_two() && (256..=8_192).contains(&mtu_bytes)
}

/// Refuses a width of `tuser` that the emitter has not.
pub fn check_bypass_user(bits: u32) -> Result<(), ParamError> {
    require(
        (1..=128).contains(&bits),
        "bypass-user",
        bits.into(),
        "use 1 to 128 bits; Corundum has 17 and 97",
    )
}

/// The `cfg_*` ports of `weft_ingress`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IngressCsr {
    /// Own IPv4 address.
    pub ipv4: u32,
    /// Own IPv6 address.
    pub ipv6: u128,
    /// Queue pair of connection 0; its low bits, as many as a connection number has, are 0.
    pub qp_base: u32,
    /// DSCP of packets that a switch trimmed.
    pub dscp_trimmed: u8,
    /// DSCP of packets that the last switch trimmed.
    pub dscp_trimmed_last_hop: u8,
}

impl Default for IngressCsr {
    /// No addresses; QPs from 0; DSCPs 12 and 16 (`wire.md` 7).
    fn default() -> Self {
        Self { ipv4: 0, ipv6: 0, qp_base: 0, dscp_trimmed: 12, dscp_trimmed_last_hop: 16 }
    }
}

/// The `cfg_*` ports of `weft_egress`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EgressCsr {
    /// Own MAC address, the first byte on the wire highest.
    pub mac: u64,
    /// Own IPv4 address.
    pub ipv4: u32,
    /// Own IPv6 address.
    pub ipv6: u128,
    /// Time to live, hop limit.
    pub hop_limit: u8,
    /// DSCP of data.
    pub dscp_data: u8,
    /// DSCP of data that is sent again.
    pub dscp_again: u8,
    /// DSCP of ACKs and NACKs.
    pub dscp_control: u8,
}

impl Default for EgressCsr {
    /// No addresses; 64 hops; DSCPs 4, 8 and 46 (`wire.md` 7).
    fn default() -> Self {
        Self { mac: 0, ipv4: 0, ipv6: 0, hop_limit: 64, dscp_data: 4, dscp_again: 8, dscp_control: 46 }
    }
}

/// The `cfg_*` ports of `weft_receiver`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceiverCsr {
    /// Rules by which the receiver sends ACKs.
    pub sack: SackRxCsr,
    /// Ticks after which a packet that waits for an ACK gets one; 0: never.
    pub ack_timeout_ticks: u16,
}

impl Default for ReceiverCsr {
    /// 4 us in ticks of 32 ns.
    fn default() -> Self {
        Self { sack: SackRxCsr::default(), ack_timeout_ticks: 125 }
    }
}

/// The `cfg_*` ports of `weft_sender`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SenderCsr {
    /// Payload bytes of a full packet are 2 to the power of this, 8 to 13; `sack.mtu_bytes` follows from it.
    pub mtu_shift: u8,
    /// Ticks without a packet after which a connection explores paths again (ARCANE 3.1); 0: never.
    pub idle_ticks: u32,
    /// The transport's.
    pub sack: SackTxCsr,
    /// The congestion window's.
    pub smartt: SmarttCsr,
    /// The entropy values'.
    pub reps: RepsCsr,
}
