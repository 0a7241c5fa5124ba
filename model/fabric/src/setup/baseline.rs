//! Checks of keys in `[hosts.baseline]`, and of keys that conflict with them.

use super::Setup;
use super::source::{Wrong, wrong};
use crate::host::baseline::settings::{Baseline, Bbr, By, Dcqcn, Dctcp, Eqds, Paced, Paths, Recovery, Swift};
use crate::host::registers::Transport;
use weft_params::EvMode;

fn range(key: &str, value: f64, least: f64, most: f64) -> Result<(), Wrong> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    wrong(&format!("hosts.baseline.{key}"), format!("{value} is not possible; use {least} to {most}"))
}

impl Setup {
    /// Refuses impossible numbers. Refuses keys that a baseline ignores, except at their defaults. Latencies may be 0.
    pub(super) fn check_baseline(&self) -> Result<(), Wrong> {
        let Some(baseline) = &self.hosts.baseline else { return Ok(()) };
        match baseline {
            Baseline::Dcqcn(dcqcn) => check_dcqcn(dcqcn)?,
            Baseline::Dctcp(Dctcp { window_bdp, decrease, .. }) => {
                range("window_bdp", *window_bdp, 0.01, 100.0)?;
                range("decrease", *decrease, 0.0, 1.0)?;
            }
            Baseline::Swift(Swift {
                window_bdp,
                target_rtt,
                increase,
                beta,
                most_decrease,
                scaling_rtt,
                median_of,
                ..
            }) => {
                range("window_bdp", *window_bdp, 0.01, 100.0)?;
                range("target_rtt", *target_rtt, 1.0, 100.0)?;
                range("increase", *increase, 0.0, 1e3)?;
                range("beta", *beta, 0.0, 10.0)?;
                range("most_decrease", *most_decrease, 0.0, 1.0)?;
                range("scaling_rtt", *scaling_rtt, 0.0, 100.0)?;
                range("median_of", f64::from(*median_of), 1.0, 1e3)?;
            }
            Baseline::Bbr(Bbr { first_packets, rtt_window, probe_rtt, .. }) => {
                range("first_packets", f64::from(*first_packets), 1.0, 1e6)?;
                range("rtt_window", *rtt_window, 1.0, 1e9)?;
                range("probe_rtt", *probe_rtt, 0.0, 1e6)?;
            }
            Baseline::Eqds(Eqds { first_bdp, pull_share, .. }) => {
                range("first_bdp", *first_bdp, 0.01, 100.0)?;
                range("pull_share", *pull_share, 0.01, 1.0)?;
            }
            Baseline::Paced(Paced { share, .. }) => range("share", share.unwrap_or(1.0), 1e-3, 1.0)?,
        }
        range("rto_us", baseline.rto_us(), 1.0, 1e6)?;
        let Paths { name, share, rounds, gap_us, freeze_at_us } = baseline.paths();
        range("paths.share", share, 0.0, 1.0)?;
        range("paths.rounds", rounds.into(), 1.0, 1e3)?;
        range("paths.gap_us", gap_us.unwrap_or(0.0), 0.0, 1e6)?;
        range("paths.freeze_at_us", freeze_at_us.unwrap_or(0.0), 0.0, 1e9)?;
        if freeze_at_us.is_some() && (name != By::Block || self.hosts.ev_mode != EvMode::Reps) {
            let what = "only REPS freezes; set hosts.ev_mode = \"reps\" and leave paths.name out";
            return wrong("hosts.baseline.paths.freeze_at_us", what);
        }
        let keys = |it: &Transport| serde_json::to_value(it).unwrap_or_default();
        let (given, mut usual) = (keys(&self.hosts), keys(&Transport::default()));
        for (key, value) in given.as_object().into_iter().flatten() {
            let is_none = key.contains("_ns") && value.as_f64() == Some(0.0);
            if *value != usual[key.as_str()].take() && !is_none && !baseline.keys().contains(&key.as_str()) {
                let what = "only the NIC has this key; leave it out with hosts.baseline";
                return wrong(&format!("hosts.{key}"), what);
            }
        }
        if self.switch.trim == Some(true) && !baseline.trims() {
            let what = "hosts of hosts.baseline cannot handle trimmed packets; set trim = false";
            return wrong("switch.trim", what);
        }
        Ok(())
    }
}

fn check_dcqcn(dcqcn: &Dcqcn) -> Result<(), Wrong> {
    range("gain", dcqcn.gain, 0.0, 1.0)?;
    range("alpha_us", dcqcn.alpha_us, 0.1, 1e5)?;
    range("decrease_us", dcqcn.decrease_us, 0.1, 1e5)?;
    range("increase_us", dcqcn.increase_us, 0.1, 1e5)?;
    range("additive_mbps", dcqcn.additive_mbps, 0.0, 1e6)?;
    range("hyper_mbps", dcqcn.hyper_mbps, 0.0, 1e6)?;
    range("least_mbps", dcqcn.least_mbps, 1.0, 1e6)?;
    range("cnp_us", dcqcn.cnp_us, 0.0, 1e5)?;
    range("nack_us", dcqcn.nack_us, 0.0, 1e5)?;
    range("rto_low_us", dcqcn.rto_low_us, 1.0, 1e6)?;
    if dcqcn.recovery != Recovery::Irn && dcqcn.window_bytes.is_some() {
        return wrong("hosts.baseline.window_bytes", "only IRN has a window; set recovery = \"irn\"");
    }
    range("window_bytes", dcqcn.window_bytes.map_or(1.0, f64::from), 1.0, 1e9)
}
