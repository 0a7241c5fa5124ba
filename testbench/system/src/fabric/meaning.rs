//! Values that follow from a setup.

use super::error::SetupError;
use super::setup::{Pairs, Setup, Traffic, Volume};
use crate::workload::kind::Workload;
use weft_fabric::setup::source::Wrong;
use weft_params::EvMode;
use weft_switch::schemes::Scheme;
use weft_switch::topology::Topology;

impl Setup {
    /// The topology.
    pub fn topology(&self) -> Result<Topology, SetupError> {
        Ok(self.topology.topology().map_err(Wrong::from)?)
    }

    /// Number of hosts.
    pub fn nics(&self) -> u32 {
        self.topology().map_or(0, |topology| topology.hosts())
    }

    /// The scheme's name.
    pub fn scheme_name(&self) -> String {
        let scheme = serde_json::to_value(&self.scheme).unwrap_or_default();
        scheme["name"].as_str().unwrap_or_default().to_owned()
    }

    /// Whether packets that have no space in their queue are trimmed.
    pub fn trims(&self) -> bool {
        let usual = !self.switch.pfc && !matches!(self.scheme, Scheme::Conweave(_));
        self.switch.trim.unwrap_or(usual)
    }

    /// Warnings of settings that are possible but probably unintended, one line each.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if matches!(self.scheme, Scheme::Conweave(_)) {
            if self.trims() {
                warnings.push(
                    "[switch] trim: to ConWeave a trimmed packet is a lost one, a TAIL or RTT_REQUEST among them; leave \
                     trim out, or set pfc"
                        .to_owned(),
                );
            }
            if self.ev_mode() != EvMode::Fixed {
                warnings.push(
                    "[hosts] ev_mode: only with fixed are a connection's packets one flow to ConWeave; others go by ECMP"
                        .to_owned(),
                );
            }
        }
        warnings
    }

    /// Choice of entropy values by the NICs.
    pub fn ev_mode(&self) -> EvMode {
        let usual = if matches!(self.scheme, Scheme::Conweave(_)) { EvMode::Fixed } else { EvMode::Reps };
        self.hosts.ev_mode.unwrap_or(usual)
    }

    /// Workload of the hosts.
    pub fn workload(&self) -> Workload {
        match self.workload {
            Traffic::Pair(Pairs { messages, bytes }) => Workload::Pair { messages, bytes },
            Traffic::AllReduce(Volume { bytes }) => Workload::AllReduce { bytes },
            Traffic::Incast(Volume { bytes }) => Workload::Incast { bytes },
            Traffic::Permutation(Volume { bytes }) => Workload::Permutation { bytes },
            Traffic::Trace { ref matrix, .. } => match matrix {
                Some(matrix) => Workload::Trace(matrix.clone()),
                // The file of the trace was not read, so the workload is empty.
                None => Workload::Permutation { bytes: 0 },
            },
        }
    }

    /// Key that sets the volume of the workload.
    pub(super) fn volume(&self) -> &'static str {
        match self.workload {
            Traffic::Trace { .. } => "file",
            _ => "bytes",
        }
    }

    /// Comment for captures: the tool, the seed and the setup.
    pub(super) fn comment(&self) -> String {
        let setup = serde_json::to_string(self).unwrap_or_default();
        format!("tool=weft\nkind=fabric\nseed={}\nsetup={setup}", self.seed)
    }
}
