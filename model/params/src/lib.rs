//! Parameters of every block and the checks on them: the one thing that the Verilog emitter, the
//! bit-exact model, the co-simulation and the command share.
//!
//! A block has *parameters*, fixed when its Verilog is emitted ([`RepsParams`]), and *CSRs*, set
//! while it runs ([`RepsCsr`]). Both are plain data; `check()` refuses what the hardware cannot hold
//! and says what it can. [`Network`] computes the CSRs of the SMaRTT window.

#![forbid(unsafe_code)]

mod nic;
pub mod registers;
mod reps;
mod sack;
mod smartt;

use std::borrow::Cow;

pub use nic::{EgressCsr, IngressCsr, NicParams, ReceiverCsr, SenderCsr};
pub use reps::{EvMode, RepsCsr, RepsParams};
pub use sack::{SackParams, SackRxCsr, SackTxCsr};
pub use smartt::{
    ClassSizing, Constant, Constants, Network, Preset, Signals, Sizing, SmarttClass, SmarttCsr, SmarttParams,
};

/// A parameter that the hardware cannot hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name} = {value} is not possible: {rule}")]
pub struct ParamError {
    /// The parameter, by the name that pages and the command use.
    pub name: &'static str,
    /// The value that was asked for.
    pub value: u64,
    /// What is possible.
    pub rule: Cow<'static, str>,
}

/// `Ok` when `holds`, else the error that names the parameter and the rule.
fn require(
    holds: bool,
    name: &'static str,
    value: u64,
    rule: impl Into<Cow<'static, str>>,
) -> Result<(), ParamError> {
    if holds { Ok(()) } else { Err(ParamError { name, value, rule: rule.into() }) }
}
