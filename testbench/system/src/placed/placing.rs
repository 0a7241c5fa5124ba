//! Hosts of a plan with the Verilog, and their run.

use super::decision::Decision;
use super::error::PlaceError;
use super::host::{Notes, Placed};
use super::late::LateHost;
use super::rtl::{Common, RtlHost, Said};
use super::timing::Timing;
use crate::host::device::{Device, DeviceError};
use crate::nic::error::NicError;
use crate::nic::view::{Maker, View};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use weft_fabric::host::nic::{NicHost, Shared};
use weft_fabric::order::Order;
use weft_fabric::plan::Plan;
use weft_fabric::report::Report;
use weft_fabric::simulate::{Engine, Watch};
use weft_params::SackParams;

/// The hosts of a plan that have the Verilog.
pub struct Placing<'a> {
    plan: &'a Plan,
    shared: Arc<Shared>,
    hosts: BTreeSet<u32>,
    /// `None` if no host has the Verilog.
    timing: Option<Timing>,
    /// Folder of captures.
    capture: Option<PathBuf>,
}

/// Difference between the transaction view at these hosts and the one at other hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum But {
    /// No change.
    Nothing,
    /// Entropy values have another seed.
    Seed,
    /// Data packets leave as late as those of the Verilog.
    Late,
}

/// Result of a run.
#[derive(Debug)]
pub struct Run {
    /// Report as `weft sim` prints it.
    pub report: Report,
    /// Broken promise of a NIC, or difference of RTL and model.
    pub fault: Option<NicError>,
    /// Bytes that NICs with the Verilog wrote into memory, each compared.
    pub written: u64,
    /// Bytes of payload in frames that these NICs sent.
    pub sent: u64,
    /// Decisions of each host.
    pub decisions: BTreeMap<u32, Vec<Decision>>,
}

impl<'a> Placing<'a> {
    /// Places the Verilog at these hosts. Without hosts, all hosts have the transaction view.
    pub fn new(plan: &'a Plan, hosts: impl IntoIterator<Item = u32>) -> Result<Self, PlaceError> {
        let setting = |key: &'static str, what: &str| PlaceError::Setting { key, what: what.to_owned() };
        let shared = plan.nics().ok_or(setting("hosts.baseline", "these hosts have no NIC; leave it out"))?;
        let hosts: BTreeSet<u32> = hosts.into_iter().collect();
        let last = plan.network().topology.hosts() - 1;
        if let Some(host) = hosts.iter().copied().find(|host| *host > last) {
            return Err(PlaceError::Host { host, last });
        }
        if !hosts.is_empty() && !plan.setup().hosts.own.is_empty() {
            return Err(setting("hosts.own", "the Verilog has the registers of all; leave it out"));
        }
        if !hosts.is_empty() && plan.setup().hosts.probe.is_some() {
            return Err(setting("hosts.probe", "the software around the Verilog sends none; leave it out"));
        }
        if !hosts.is_empty() && plan.network().order != Order::default() {
            let what = "the Verilog needs hosts with consecutive numbers at each edge switch; number them so";
            return Err(setting("topology.order", what));
        }
        if let Some(host) = hosts.iter().find(|host| plan.network().has_own_link(**host)) {
            return Err(PlaceError::Setting {
                key: "link",
                what: format!("host-{host} has a link of its own; the Verilog needs one like the others"),
            });
        }
        let timing = match hosts.is_empty() {
            true => None,
            false => Some(Timing::of(plan, shared.registers.tick_ps)?),
        };
        // All hosts of a run have the same registers.
        let waits = timing.map(|timing| plan.nics_with(&timing.with_wait(shared.registers)));
        let shared = waits.unwrap_or(shared);
        Ok(Self { plan, shared, hosts, timing, capture: None })
    }

    /// Makes runs with NICs write the ports of these hosts, both ways, as `nic<host>.pcapng` into a folder.
    pub fn capture(&mut self, folder: &Path) {
        self.capture = Some(folder.to_owned());
    }

    /// Shape of the NICs: the smallest number of connections that is enough for every host.
    pub fn params(&self) -> Result<SackParams, PlaceError> {
        let psns = self.shared.registers.psns;
        if psns != SackParams::WINDOW {
            let what = format!("there is Verilog of a window of 256 PSNs only, not of {psns}");
            return Err(PlaceError::Setting { key: "hosts.psns", what });
        }
        let most = self.hosts.iter().map(|host| self.shared.connections(*host).count()).max().unwrap_or(0);
        let shapes = (1..=7).map(|power| 4u32.pow(power));
        let shape = shapes.into_iter().find(|shape| most <= *shape as usize);
        let connections = shape.ok_or_else(|| PlaceError::Setting {
            key: "hosts.pair_connections",
            what: format!("a host has {most} connections; the Verilog has room for 16384"),
        })?;
        Ok(SackParams { connections })
    }

    /// Runs the plan with NICs that `maker` makes. The run calls `watch` with its progress; `false` ends the
    /// run. A run whose NIC broke a promise ends soon after.
    pub fn run(
        &self,
        engine: Engine,
        (maker, view): (&Maker, View),
        watch: &mut Watch<'_>,
    ) -> Result<Run, PlaceError> {
        let seed = self.plan.setup().seed;
        let make = |number: u32| {
            let device = maker.device(view, seed ^ u64::from(number))?;
            Ok::<_, DeviceError>(Box::new(device) as Box<dyn Device + Send>)
        };
        self.run_on(engine, maker.params().blocks(), &make, watch)
    }

    /// Like [`Self::run`], with NICs of a shape that `make` makes by the number of the host.
    pub fn run_on(
        &self,
        engine: Engine,
        connections: SackParams,
        make: &dyn Fn(u32) -> Result<Box<dyn Device + Send>, DeviceError>,
        watch: &mut Watch<'_>,
    ) -> Result<Run, PlaceError> {
        let said = Arc::<Mutex<Said>>::default();
        let setup = self.plan.setup();
        let json = serde_json::to_string(setup).unwrap_or_default();
        let comment = format!("tool=weft\nkind=sim\nseed={}\nsetup={json}", setup.seed);
        let place = |number: u32, timing: Timing, notes: &Notes| {
            let device = make(number).map_err(|error| NicError::Device { nic: number, error })?;
            let capture = self.capture.as_deref().map(|folder| (folder, &*comment));
            let common = Common { shared: &self.shared, timing, connections, said: &said, capture };
            Ok(Placed::rtl(number, RtlHost::new(number, device, &common)?, notes))
        };
        let has_failed = || said.lock().unwrap_or_else(PoisonError::into_inner).fault.is_some();
        let (report, decisions) =
            self.run_in(engine, &place, &mut |so_far| watch(so_far) && !has_failed())?;
        let Said { fault, written, sent } =
            std::mem::take(&mut *said.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(Run { report, fault, written, sent, decisions })
    }

    /// Like [`Self::run`], with the transaction view and the change `but` at these hosts.
    pub fn run_but(&self, engine: Engine, but: But, watch: &mut Watch<'_>) -> Result<Run, PlaceError> {
        let place = |number: u32, timing: Timing, notes: &Notes| {
            let mut host = NicHost::new(number, &self.shared);
            Ok(match but {
                But::Nothing => Placed::nic(number, host, notes),
                But::Seed => {
                    host.nic_mut().seed(!self.shared.nic_seed(number), 0);
                    Placed::nic(number, host, notes)
                }
                But::Late => Placed::late(number, LateHost::new(number, &self.shared, timing), notes),
            })
        };
        let (report, decisions) = self.run_in(engine, &place, watch)?;
        Ok(Run { report, fault: None, written: 0, sent: 0, decisions })
    }

    fn run_in(
        &self,
        engine: Engine,
        place: &dyn Fn(u32, Timing, &Notes) -> Result<Placed, NicError>,
        watch: &mut Watch<'_>,
    ) -> Result<(Report, BTreeMap<u32, Vec<Decision>>), NicError> {
        let notes = Notes::default();
        let host = |number: u32| match self.timing.filter(|_| self.hosts.contains(&number)) {
            Some(timing) => place(number, timing, &notes),
            None => Ok(Placed::nic(number, NicHost::new(number, &self.shared), &notes)),
        };
        let hosts = (0..self.plan.network().topology.hosts()).map(host).collect::<Result<_, NicError>>()?;
        let report = self.plan.run_on(engine, hosts, watch);
        let decisions = std::mem::take(&mut *notes.lock().unwrap_or_else(PoisonError::into_inner));
        Ok((report, decisions))
    }
}
