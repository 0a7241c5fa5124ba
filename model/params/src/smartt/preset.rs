//! The published set of tuning constants.

use super::ratio::Ratio;
use serde::{Deserialize, Serialize};

/// A published set of tuning constants.
///
/// [`Preset::Artifact`] sets the constants of the authors' later simulator, no more: the block still runs the
/// algorithm of the paper. Differences of that simulator that constants cannot express:
/// - After QuickAdapt the block ignores only marked ACKs; an unmarked ACK still increases the window.
/// - An unmarked ACK that triggers QuickAdapt continues to FastIncrease or one of the four cases.
/// - A timeout decreases the window but triggers no QuickAdapt. A trimmed packet while ACKs are ignored has
///   no effect. Every trimmed packet adds 64 bytes to the count of QuickAdapt.
/// - FastIncrease counts one MTU per ACK, up to the window that the last ACK of another kind left.
/// - An RTT equal to the target RTT has no effect.
/// - Every step is one MTU per ACK, for any number of acknowledged bytes, so coalesced ACKs weaken the step.
/// - The base RTT, and the BDP with it, follow the smallest RTT seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Preset {
    /// The values of the paper, section 3.5.
    #[default]
    Paper,
    /// The values of the authors' later simulator. The authors report that it oscillated with the paper's
    /// values.
    Artifact,
}

/// The constants of a preset that no formula scales.
pub(super) struct Tuning {
    /// Largest window, in BDPs.
    pub(super) window: Ratio,
    /// `fd`: share of a window that fair decrease subtracts per acknowledged BDP.
    pub(super) fair_decrease: Ratio,
    /// `md` if switches trim, and if they do not.
    pub(super) multiplicative_decrease: [u64; 2],
    pub(super) qa_scaling: Ratio,
    pub(super) wtd_alpha: Ratio,
    pub(super) wtd_threshold: Ratio,
    pub(super) fast_mtus: u64,
}

impl Preset {
    pub(super) const fn tuning(self) -> Tuning {
        match self {
            Self::Paper => Tuning {
                window: Ratio::new(5, 4),
                fair_decrease: Ratio::new(4, 5),
                multiplicative_decrease: [2, 4],
                qa_scaling: Ratio::new(4, 5),
                wtd_alpha: Ratio::new(1, 8),
                wtd_threshold: Ratio::new(1, 4),
                fast_mtus: 2,
            },
            Self::Artifact => Tuning {
                window: Ratio::new(3, 2),
                fair_decrease: Ratio::new(1, 2),
                multiplicative_decrease: [1, 1],
                qa_scaling: Ratio::whole(1),
                wtd_alpha: Ratio::new(1, 20),
                wtd_threshold: Ratio::new(3, 10),
                fast_mtus: 1,
            },
        }
    }
}

impl std::fmt::Display for Preset {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Paper => "paper",
            Self::Artifact => "artifact",
        })
    }
}
