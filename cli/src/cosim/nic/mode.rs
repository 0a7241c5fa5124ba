//! The choice of entropy values as a flag.

use clap::ValueEnum;
use weft_params::EvMode;

/// The choice of entropy values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum EvModeArg {
    /// REPS with freezing.
    Reps,
    /// A random entropy value for every packet (OPS).
    Ops,
    /// One entropy value for each connection (ECMP).
    Fixed,
    /// REPS of 2024: one cached entropy value for each connection (SMaRTT-REPS, Algorithm 4).
    Reps2024,
}

impl EvModeArg {
    pub(super) fn mode(self) -> EvMode {
        match self {
            Self::Reps => EvMode::Reps,
            Self::Ops => EvMode::Ops,
            Self::Fixed => EvMode::Fixed,
            Self::Reps2024 => EvMode::Reps2024,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Reps => "REPS",
            Self::Ops => "OPS",
            Self::Fixed => "fixed",
            Self::Reps2024 => "REPS of 2024",
        }
    }
}
