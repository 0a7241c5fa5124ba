//! The checks that find a fault in the wiring of the NIC: the check of the wiring, and two NICs on a lossy
//! fabric in lockstep with their models. Their registers also get values other than the defaults.

use crate::fault::Fault;
use crate::plant::{Field, PORT};
use crate::watch::Asked;
use crate::{Error, wiring};
use std::sync::Arc;
use verilator_sys::Library;
use weft_bench::Watch;
use weft_params::registers::NicCsr;
use weft_params::{EvMode, SackParams, SackTxClass, Signals};
use weft_random::Rng;
use weft_system::nic::{
    AnyNic, DeviceError, HostSettings, Identity, Impairments, Maker, NicError, RegisterDriver, Scenario,
    View, Workload, configuration,
};

/// Clocks after which a run ends in any case.
const CLOCKS_MAX: u64 = 200_000;

/// Runs of two NICs.
pub(crate) struct Nics {
    connections: u32,
    scenarios: Vec<Scenario>,
}

impl Nics {
    pub(crate) fn new(connections: u32, runs: u64) -> Self {
        // A run of NICs has far more clocks than one of a block, hence a campaign makes a quarter of the
        // runs.
        Self {
            connections,
            scenarios: (0..runs.div_ceil(4)).map(|seed| scenario(connections, seed)).collect(),
        }
    }

    /// The checks that find a fault: the check of the wiring, and the first run.
    pub(crate) fn killers(
        &self,
        field: &Field,
        library: &Arc<Library>,
        (number, fault): (u16, Option<&Fault>),
        watch: &mut Asked<'_>,
    ) -> Result<Vec<String>, Error> {
        let found = match fault {
            Some(fault) => wiring::find(field, fault)?,
            None => field.module(wiring::TOP).map_or_else(Vec::new, |top| wiring::complaints(top, field)),
        };
        let mut killers: Vec<String> =
            found.into_iter().take(1).map(|complaint| format!("wiring: {complaint}")).collect();
        for scenario in &self.scenarios {
            if let Some(what) = self.run(scenario, library, number, watch)? {
                killers.push(format!("run, seed {}: {what}", scenario.seed));
                break;
            }
            if !watch.go_on(0) {
                break;
            }
        }
        Ok(killers)
    }

    /// The difference between RTL and model.
    fn run(
        &self,
        scenario: &Scenario,
        library: &Arc<Library>,
        fault: u16,
        watch: &mut Asked<'_>,
    ) -> Result<Option<String>, Error> {
        let maker = Maker::of(SackParams { connections: self.connections }, library.clone());
        let make = |identity: &Identity| {
            let csr = settings(identity, scenario.seed)?;
            let mut device = maker.device(View::Lockstep, scenario.seed ^ u64::from(identity.number))?;
            if let AnyNic::Lockstep { rtl, .. } = &mut device {
                rtl.set(PORT, fault.into())?;
            }
            Ok((device, RegisterDriver::new(identity, &csr)))
        };
        let ended = scenario.run_on(make, |so_far| so_far.clocks < CLOCKS_MAX && watch.go_on(so_far.clocks));
        match ended {
            Err(NicError::Device { error: DeviceError::Mismatch(mismatch), .. }) => {
                Ok(Some(mismatch.to_string()))
            }
            Err(NicError::Device {
                error:
                    DeviceError::Rtl(weft_bench::Error::Verilator(verilator_sys::Error::Stopped { message })),
                ..
            }) => Ok(Some(format!("the RTL stopped, {}", message.lines().next().unwrap_or_default()))),
            // Only the outputs of the model count: registers that are out of range can break other promises.
            Ok(_) | Err(NicError::Fault { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

/// Messages in both directions over a lossy fabric, to hosts that stall.
fn scenario(connections: u32, seed: u64) -> Scenario {
    let mut rng = Rng::of(&[seed, 1]);
    let mut scenario = Scenario::new(2, Workload::Pair { messages: 12, bytes: 12_000 });
    scenario.connections = connections;
    scenario.seed = seed;
    scenario.mtu = *rng.pick(&[1024, 2048, 4096]);
    scenario.v6 = seed % 2 == 1;
    scenario.tag = [None, Some(7), Some(0xE001)][rng.index(3)];
    scenario.host = HostSettings { stalls: *rng.pick(&[0.0, 0.3]), ..HostSettings::default() };
    scenario.patience_clocks = 50_000;
    scenario.link.impairments = Impairments::EVERYTHING;
    scenario
}

/// Registers with other values than the defaults, different for every NIC.
fn settings(identity: &Identity, seed: u64) -> Result<NicCsr, DeviceError> {
    let mut rng = Rng::of(&[seed, identity.number.into(), 2]);
    let mode = *rng.pick(&[EvMode::Reps, EvMode::Ops, EvMode::Fixed, EvMode::Reps2024]);
    let mut csr = configuration(identity, mode).map_err(weft_bench::Error::from)?;
    csr.egress.hop_limit = rng.range(1..=255) as u8;
    csr.egress.dscp_data = rng.below(64) as u8;
    csr.egress.dscp_again = rng.below(64) as u8;
    csr.egress.dscp_control = rng.below(64) as u8;
    csr.ingress.dscp_trimmed_last_hop = rng.below(64) as u8;
    csr.receiver.ack_timeout_ticks = *rng.pick(&[1, 40, 300]);
    csr.receiver.sack.ack_packets = *rng.pick(&[1, 2, 7]);
    csr.receiver.sack.ack_bytes = *rng.pick(&[500, 3_000, 60_000]);
    let sender = &mut csr.sender;
    sender.idle_ticks = *rng.pick(&[1, 20, 300]);
    sender.sack.classes = std::array::from_fn(|_| SackTxClass {
        gap: *rng.pick(&[0, 1, 8]),
        rto_ticks: *rng.pick(&[60, 300, 2_000]),
        epoch_ticks: *rng.pick(&[20, 100, 281]),
        high_ticks: *rng.pick(&[100, 619]),
        backoff_limit: rng.below(8),
        retry_limit: *rng.pick(&[3, 15]),
    });
    sender.reps.freeze_timeout_ticks = *rng.pick(&[0, 50, 1_000]);
    sender.reps.thaw_reset = rng.chance(1, 2);
    sender.reps.trimming = rng.chance(1, 2);
    sender.reps.ev_base = *rng.pick(&[0, 0x1234]);
    sender.reps.evs_size = *rng.pick(&[1, 16, 50_000]);
    sender.reps.bdp_packets = *rng.pick(&[1, 8]);
    sender.reps.rtt_window_ticks = *rng.pick(&[0, 500]);
    let smartt = &mut sender.smartt;
    smartt.signals = *rng.pick(&[Signals::Both, Signals::Ecn, Signals::Delay]);
    smartt.late_losses = rng.chance(1, 2);
    smartt.fast_mtus = rng.range(1..=3) as u32;
    smartt.wtd_threshold += rng.below(2);
    for class in &mut smartt.classes {
        class.max_cwnd_bytes = rng.range(2..=20) as u32 * identity.mtu;
        class.fair_decrease_bytes += rng.below(100);
        class.target_rtt_ticks += rng.below(50);
    }
    Ok(csr)
}
