//! Parameters of every block and the checks on them. The Verilog emitter, the bit-exact model, the
//! co-simulation and the command share this one text.
//!
//! A block has *parameters*, fixed when its Verilog is emitted ([`RepsParams`]), and *CSRs*, set while it
//! runs ([`RepsCsr`]). Both are plain data; `check()` refuses values that the hardware cannot hold, and the
//! error lists the possible values. [`Network`] computes the CSRs of the SMaRTT window.
//!
//! A [`Setup`] describes network and NIC in their own units, and computes the register writes of bring-up:
//!
//! ```
//! use weft_params::{Network, Setup};
//!
//! let network = Network { link_gbps: 100, base_rtt_ns: vec![4_000], ..Network::default() };
//! let writes = Setup { network, dma_ns: 1_000, ..Setup::default() }.writes(Some(0x0200_0000_0001), 0)?;
//! let mtu = writes.iter().find(|write| write.register.name == "sender_mtu_shift").ok_or("no MTU")?;
//! assert_eq!(mtu.value, 12, "packets of 2^12 bytes");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod error;
mod nic;
mod nscc;
pub mod registers;
mod reps;
mod sack;
mod setup;
mod smartt;

pub use error::ParamError;
pub use nic::{
    EgressCsr, IngressCsr, MTU_RULE, NicParams, ReceiverCsr, SenderCsr, SenderParams, check_bypass_user,
    check_psns, is_mtu,
};
pub use nscc::{NsccClass, NsccCsr, NsccParams, WindowAlgorithm};
pub use reps::{EvMode, RepsCsr, RepsParams};
pub use sack::{SackParams, SackRxCsr, SackTxClass, SackTxCsr};
pub use setup::{Core, Setup, Write, seed_of_mac};
pub use smartt::{
    ClassSizing, Constant, Constants, Network, Preset, Signals, Sizing, SmarttClass, SmarttCsr, SmarttParams,
};

/// Numbers of connections that blocks are emitted for.
pub const CONNECTIONS: [u32; 7] = [4, 16, 64, 256, 1024, 4096, 16384];

/// PSNs of the windows that a NIC can have.
pub const PSNS: [u32; 3] = [256, 512, 1024];
