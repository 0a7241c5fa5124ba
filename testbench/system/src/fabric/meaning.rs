//! What the words of a setup mean.

use super::error::SetupError;
use super::setup::{Pairs, Setup, Traffic, Volume};
use crate::workload::kind::Workload;
use weft_params::EvMode;
use weft_switch::schemes::Scheme;
use weft_switch::topology::Topology;

impl Setup {
    /// The topology.
    pub fn topology(&self) -> Result<Topology, SetupError> {
        self.topology.topology().map_err(|error| SetupError(format!("[topology]: {error}")))
    }

    /// Hosts.
    pub fn nics(&self) -> u32 {
        self.topology().map_or(0, |topology| topology.hosts())
    }

    /// The scheme's name.
    pub fn scheme_name(&self) -> String {
        let scheme = serde_json::to_value(&self.scheme).unwrap_or_default();
        scheme["name"].as_str().unwrap_or_default().to_owned()
    }

    /// How NICs choose entropy values.
    pub fn ev_mode(&self) -> EvMode {
        let usual = if matches!(self.scheme, Scheme::Conweave(_)) { EvMode::Fixed } else { EvMode::Reps };
        self.hosts.ev_mode.unwrap_or(usual)
    }

    /// What hosts want.
    pub fn workload(&self) -> Workload {
        match self.workload {
            Traffic::Pair(Pairs { messages, bytes }) => Workload::Pair { messages, bytes },
            Traffic::AllReduce(Volume { bytes }) => Workload::AllReduce { bytes },
            Traffic::Incast(Volume { bytes }) => Workload::Incast { bytes },
            Traffic::Permutation(Volume { bytes }) => Workload::Permutation { bytes },
            Traffic::Trace { ref matrix, .. } => match matrix {
                Some(matrix) => Workload::Trace(matrix.clone()),
                // Not read: nothing that can be done.
                None => Workload::Permutation { bytes: 0 },
            },
        }
    }

    /// How captures came to be.
    pub(super) fn comment(&self) -> String {
        let setup = serde_json::to_string(self).unwrap_or_default();
        format!("tool=weft\nkind=fabric\nseed={}\nsetup={setup}", self.seed)
    }
}
