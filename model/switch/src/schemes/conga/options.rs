//! The options.

use super::dre::{Dre, MOST_PARTS};
use super::metrics::MOST_UPLINKS;
use crate::schemes::contract::SchemeError;
use crate::topology::{Switch, Topology};
use serde::{Deserialize, Serialize};

/// Options. One clock lasts 1 ns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Conga {
    /// Clocks of silence after which a flow begins a new flowlet.
    pub gap_clocks: u64,
    /// Entries of the flowlet table.
    pub entries: u32,
    /// Clocks between two decays of a load estimate (DRE).
    pub dre_clocks: u64,
    /// Number of parts; a decay subtracts one.
    pub dre_parts: u32,
    /// Clocks after which a metric that is not renewed becomes 0, at the earliest; at the latest twice as
    /// many.
    pub age_clocks: u64,
    /// Rate of links between switches. The default is the fabric's rate; outside of a fabric it is 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gbit_per_s: Option<u32>,
}

impl Default for Conga {
    /// Gap 100 us, decay of 1/5 every 50 us, age 500 us.
    fn default() -> Self {
        Self {
            gap_clocks: 100_000,
            entries: 65_536,
            dre_clocks: 50_000,
            dre_parts: 5,
            age_clocks: 500_000,
            gbit_per_s: None,
        }
    }
}

impl Conga {
    /// Refuses options out of range.
    pub(crate) fn check(&self) -> Result<(), SchemeError> {
        self.dre().map(drop)
    }

    /// Refuses a network for which the scheme is not made.
    pub(crate) fn suits(topology: &Topology) -> Result<(), SchemeError> {
        if topology.is_fat_tree() {
            return Err(SchemeError::TwoTiers);
        }
        let up = topology.up_ports(Switch(0)).len();
        if up > MOST_UPLINKS {
            return Err(SchemeError::Ports { up, most: MOST_UPLINKS });
        }
        Ok(())
    }

    /// The load estimate of a link, or the fault of the options.
    pub fn dre(&self) -> Result<Dre, SchemeError> {
        let Self { entries, dre_clocks, dre_parts, age_clocks, .. } = *self;
        let gbit_per_s = self.gbit_per_s.unwrap_or(100);
        let options = [
            ("entries", u64::from(entries)),
            ("dre-clocks", dre_clocks),
            ("dre-parts", dre_parts.into()),
            ("age-clocks", age_clocks),
            ("gbit-per-s", gbit_per_s.into()),
        ];
        for (option, value) in options {
            if value == 0 || value > 1 << 32 {
                return Err(SchemeError::Option { option, value, possible: "1 to 2^32" });
            }
        }
        if dre_parts > MOST_PARTS {
            let (option, possible) = ("dre-parts", "1 to 16");
            return Err(SchemeError::Option { option, value: dre_parts.into(), possible });
        }
        // C x tau, tau = T/alpha, in bytes (CONGA section 3.2).
        let full = u128::from(gbit_per_s) * u128::from(dre_clocks) * u128::from(dre_parts) / 8;
        let full_bytes = u64::try_from(full).unwrap_or(u64::MAX).clamp(1, u32::MAX.into());
        Ok(Dre { full_bytes, dre_clocks, parts: dre_parts.into(), age_clocks })
    }
}
