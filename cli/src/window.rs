//! The algorithm of the congestion windows as a flag.

use clap::ValueEnum;
use weft_params::WindowAlgorithm;

/// The algorithm of the congestion windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum WindowArg {
    /// SMaRTT, from the SMaRTT-REPS paper.
    Smartt,
    /// NSCC, from Ultra Ethernet and MRC.
    Nscc,
}

impl From<WindowArg> for WindowAlgorithm {
    fn from(window: WindowArg) -> Self {
        match window {
            WindowArg::Smartt => Self::Smartt,
            WindowArg::Nscc => Self::Nscc,
        }
    }
}
