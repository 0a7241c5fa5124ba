//! Runs of a setup.

use super::error::SetupError;
use super::figures::SwitchFigures;
use super::setup::{Setup, SwitchView};
use super::switched::Switched;
use super::timing::SWITCH_CLOCKS;
use crate::host::device::{Device, DeviceError};
use crate::host::driver::{Driver, Identity};
use crate::host::registers::{RegisterDriver, configuration};
use crate::nic::bench::{Bench, Terms};
use crate::nic::error::NicError;
use crate::nic::figures::Figures;
use crate::nic::host::{HostSettings, LinkSettings};
use crate::nic::view::Maker;
use weft_params::SackRxCsr;
use weft_random::Rng;
use weft_switch::switch::{Clocked, Transaction, View};

/// Clocks of a bin of the figures over time: 10 us.
const BIN_CLOCKS: u64 = 2_500;
/// Clocks without a delivery or completion after which a run has failed: 8 ms.
const PATIENCE_CLOCKS: u64 = 2_000_000;

/// Figures of a run.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Report {
    /// Figures of the hosts, and over time. The paths of a bin are the switches in their order.
    pub figures: Figures,
    /// Figures of the switches.
    pub switches: Vec<SwitchFigures>,
}

/// Figures of a run, and the reason if the run failed.
pub type Attempt = (Report, Option<NicError>);

impl Setup {
    /// Runs the setup with NICs of view [`Setup::hosts`], which `maker` makes. The run calls `go_on` with the
    /// figures so far. `false` stops the run, and the figures then lack `finish`.
    pub fn run(&self, maker: &Maker, go_on: impl FnMut(&Figures) -> bool) -> Result<Report, NicError> {
        let (report, failure) = self.attempt(maker, go_on)?;
        failure.map_or(Ok(report), Err)
    }

    /// Like [`Setup::run`], but a run that failed reports its figures until then. An error means that the run
    /// could not begin.
    pub fn attempt(
        &self,
        maker: &Maker,
        mut go_on: impl FnMut(&Figures) -> bool,
    ) -> Result<Attempt, NicError> {
        self.attempt_watched(maker, &mut go_on)
    }

    /// The function has no type parameter for the caller's closure, so each network with these NICs is
    /// compiled once, here.
    fn attempt_watched(
        &self,
        maker: &Maker,
        go_on: &mut dyn FnMut(&Figures) -> bool,
    ) -> Result<Attempt, NicError> {
        let make = |identity: &Identity| {
            let mut csr = configuration(identity, self.ev_mode()).map_err(weft_bench::Error::from)?;
            csr.receiver.sack = SackRxCsr::every(self.hosts.ack_packets);
            let device = maker.device(self.hosts.view, self.seed ^ u64::from(identity.number))?;
            Ok::<_, DeviceError>((device, RegisterDriver::new(identity, &csr)))
        };
        self.run_on(make, go_on)
    }

    /// Runs the setup on the NICs and drivers that `make` makes.
    pub fn run_on<D: Device + Send, C: Driver + Send>(
        &self,
        make: impl FnMut(&Identity) -> Result<(D, C), DeviceError>,
        go_on: impl FnMut(&Figures) -> bool,
    ) -> Result<Attempt, NicError> {
        match self.switch.view {
            SwitchView::Transaction => self.run_in::<Transaction, D, C>(make, go_on),
            SwitchView::Clocked => self.run_in::<Clocked, D, C>(make, go_on),
        }
    }

    fn run_in<V: View, D: Device + Send, C: Driver + Send>(
        &self,
        mut make: impl FnMut(&Identity) -> Result<(D, C), DeviceError>,
        go_on: impl FnMut(&Figures) -> bool,
    ) -> Result<Attempt, NicError> {
        let refused = |error: SetupError| NicError::Fabric(error.to_string());
        self.check().map_err(refused)?;
        let mut rng = Rng::new(self.seed);
        let plan = self.workload().plan(self.nics(), rng.draw());
        let network = Switched::<V>::new(self, rng.draw()).map_err(refused)?;
        let terms = Terms {
            nics: self.nics(),
            connections: self.hosts.connections,
            host: HostSettings { dma_latency_clocks: self.hosts.dma_latency_ns / SWITCH_CLOCKS, stalls: 0.0 },
            link: LinkSettings {
                rate: self.links.host_rate(),
                latency_clocks: self.links.host_latency_clocks(),
                impairments: Default::default(),
            },
            mtu: self.hosts.mtu,
            v6: false,
            tag: None,
            base_rtt_clocks: self.base_rtt_clocks(),
            trims: self.trims(),
            pauses: self.switch.pfc,
            seed: self.seed,
            bin_clocks: BIN_CLOCKS,
            patience_clocks: PATIENCE_CLOCKS,
            capture: self.capture.clone(),
            comment: self.comment(),
            window_clocks: self.links.host_latency_clocks(),
            threads: self.threads,
        };
        let make = |identity: &Identity| {
            make(identity).map_err(|error| NicError::Device { nic: identity.number, error })
        };
        let bench = Bench::new(terms, plan, rng, make, |_, _| network)?;
        let (figures, network, failure) = bench.attempt(go_on);
        Ok((Report { figures, switches: network.figures() }, failure))
    }
}
