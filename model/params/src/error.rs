//! Refusals of checks.

use std::borrow::Cow;

/// A parameter that the hardware cannot represent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name} = {value} is not possible: {rule}")]
pub struct ParamError {
    /// The parameter, by the name that pages and the command use.
    pub name: &'static str,
    /// The requested value.
    pub value: u64,
    /// The possible values.
    pub rule: Cow<'static, str>,
}

/// `Ok` if `holds`, otherwise the error that names the parameter and the rule.
pub(crate) fn require(
    holds: bool,
    name: &'static str,
    value: u64,
    rule: impl Into<Cow<'static, str>>,
) -> Result<(), ParamError> {
    if holds { Ok(()) } else { Err(ParamError { name, value, rule: rule.into() }) }
}
