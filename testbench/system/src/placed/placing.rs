//! Which hosts have the Verilog, and the run.

use super::decision::Decision;
use super::error::PlaceError;
use super::host::{Notes, Placed};
use super::rtl::{Common, RtlHost, Said};
use super::timing::Timing;
use crate::nic::error::NicError;
use crate::nic::view::{Maker, View};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use weft_fabric::engine::Progress;
use weft_fabric::host::nic::{NicHost, Shared};
use weft_fabric::plan::Plan;
use weft_fabric::report::Report;
use weft_fabric::simulate::Engine;
use weft_params::SackParams;

/// The hosts of a plan that have the Verilog.
pub struct Placing<'a> {
    plan: &'a Plan,
    shared: Arc<Shared>,
    hosts: BTreeSet<u32>,
    /// None without such hosts.
    timing: Option<Timing>,
}

/// What happened in a run.
#[derive(Debug)]
pub struct Run {
    /// What `weft sim` tells.
    pub report: Report,
    /// A NIC broke a promise, or RTL and model differ.
    pub fault: Option<NicError>,
    /// Bytes that these NICs wrote into memory, each compared,
    pub written: u64,
    /// and bytes of payload in frames that they sent.
    pub sent: u64,
    /// What each host sent.
    pub decisions: BTreeMap<u32, Vec<Decision>>,
}

impl<'a> Placing<'a> {
    /// For these hosts; none: the transaction view is everywhere.
    pub fn new(plan: &'a Plan, hosts: impl IntoIterator<Item = u32>) -> Result<Self, PlaceError> {
        let setting = |key: &'static str, what: &str| PlaceError::Setting { key, what: what.to_owned() };
        let shared = plan.nics().ok_or(setting("hosts.baseline", "these hosts have no NIC; leave it out"))?;
        let hosts: BTreeSet<u32> = hosts.into_iter().collect();
        let last = plan.network().topology.hosts() - 1;
        if let Some(host) = hosts.iter().copied().find(|host| *host > last) {
            return Err(PlaceError::Host { host, last });
        }
        if !hosts.is_empty() && plan.setup().hosts.probe.is_some() {
            return Err(setting("hosts.probe", "the software around the Verilog sends none; leave it out"));
        }
        let timing = if hosts.is_empty() { None } else { Some(Timing::of(plan)?) };
        Ok(Self { plan, shared, hosts, timing })
    }

    /// The shape of its NICs: the least number of connections that all have room in.
    pub fn params(&self) -> Result<SackParams, PlaceError> {
        let most = self.hosts.iter().map(|host| self.shared.connections(*host).count()).max().unwrap_or(0);
        let shapes = (1..=7).map(|power| 4u32.pow(power));
        let shape = shapes.into_iter().find(|shape| most <= *shape as usize);
        let connections = shape.ok_or_else(|| PlaceError::Setting {
            key: "hosts.pair_connections",
            what: format!("a host has {most} connections; the Verilog has room for 16384"),
        })?;
        Ok(SackParams { connections })
    }

    /// Runs the plan with NICs that `maker` makes; `watch` is told how far it is, and ends it with `false`. A run whose NIC
    /// broke a promise ends soon after.
    pub fn run(
        &self,
        engine: Engine,
        (maker, view): (&Maker, View),
        mut watch: impl FnMut(Progress) -> bool + Send,
    ) -> Result<Run, PlaceError> {
        let said = Arc::<Mutex<Said>>::default();
        let notes = Notes::default();
        let place = |number: u32| {
            if let Some(timing) = self.timing.filter(|_| self.hosts.contains(&number)) {
                let seed = self.plan.setup().seed;
                let made = maker.device(view, seed ^ u64::from(number));
                let device = made.map_err(|error| NicError::Device { nic: number, error })?;
                let common =
                    Common { shared: &self.shared, timing, connections: maker.params(), said: &said };
                return Ok(Placed::rtl(number, RtlHost::new(number, device, &common)?, &notes));
            }
            Ok(Placed::nic(number, NicHost::new(number, &self.shared), &notes))
        };
        let hosts = (0..self.plan.network().topology.hosts()).map(place).collect::<Result<_, NicError>>()?;
        let has_failed = || said.lock().unwrap_or_else(PoisonError::into_inner).fault.is_some();
        let report = self.plan.run_on(engine, hosts, |so_far| watch(so_far) && !has_failed());
        let Said { fault, written, sent } =
            std::mem::take(&mut *said.lock().unwrap_or_else(PoisonError::into_inner));
        let decisions = std::mem::take(&mut *notes.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(Run { report, fault, written, sent, decisions })
    }
}
