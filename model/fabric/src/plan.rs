//! A setup with all values derived from it.

use crate::balance::CUT_BYTES;
use crate::events::{Chosen, Noted};
use crate::flow::{Flow, Table};
use crate::host::baseline::{self, settings::Baseline};
use crate::host::registers::{OwnMode, Registers, Transport};
use crate::inputs::{Input, Inputs};
use crate::network::Network;
use crate::schedule::Schedule;
use crate::setup::source::Source;
use crate::setup::{Fault, Setup, SetupError, Unread, Wrong};
use crate::workload::matrix::ENDLESS;
use crate::workload::{Site, Workload, WorkloadError};
use std::path::Path;
use std::sync::Arc;
use weft_params::{EvMode, ParamError};
use weft_random::Rng;
use weft_switch::packet::CwForm;
use weft_switch::schemes::{self, Fabric, Scheme};

/// A setup with all derived values, ready to run.
#[derive(Clone, Debug)]
pub struct Plan {
    pub(crate) setup: Setup,
    pub(crate) network: Network,
    pub(crate) faults: Vec<Fault>,
    pub(crate) hosts: Hosts,
    /// Registers of NICs that differ from those of other NICs, for a range of hosts each.
    pub(crate) own: Vec<(OwnMode, Registers)>,
    /// The flows, between the numbers of hosts.
    pub(crate) flows: Vec<Flow>,
    /// The schedule, if one starts the flows.
    pub(crate) schedule: Option<Arc<Schedule>>,
    /// Ports that are noted over time.
    pub(crate) recorded: Vec<u32>,
    pub(crate) inputs: Vec<Input>,
    /// The omitted parts of a topology file, one per line.
    notes: Vec<String>,
    /// The connections whose events are noted.
    pub(crate) noted: Option<Arc<Noted>>,
}

/// The hosts.
#[derive(Clone, Debug)]
pub(crate) enum Hosts {
    /// The NIC.
    Nic(Box<Registers>),
    /// A transport of a paper.
    Baseline(Baseline),
}

impl Plan {
    /// Reads a file, with keys set as `table.key=value`; a fault is one line with file, line and key.
    pub fn read(path: &Path, sets: &[String]) -> Result<Self, SetupError> {
        Self::located(Setup::read(path, sets)?, path.parent().unwrap_or(Path::new("")))
    }

    /// The plan of a text. `name` is its file in messages. Names of files in the setup are relative to
    /// `folder`.
    pub fn parse(name: &str, text: &str, folder: &Path, sets: &[String]) -> Result<Self, SetupError> {
        Self::located(Setup::parse(name.to_owned(), text.to_owned(), sets)?, folder)
    }

    fn located((setup, source): (Setup, Source), folder: &Path) -> Result<Self, SetupError> {
        Self::of(setup, folder).map_err(|error| match error {
            Failed::Key(wrong) => source.error(wrong),
            Failed::Other(what) => SetupError::new(what),
        })
    }

    fn of(mut setup: Setup, folder: &Path) -> Result<Self, Failed> {
        let inputs = Inputs::default();
        let notes = setup.read_shape(folder, &inputs).map_err(|error| match error {
            Unread::File(what) => Failed::Other(what),
            Unread::Key(key, what) => failed(key, what),
        })?;
        setup.check()?;
        let trims = setup.trims();
        setup.switch.trim.get_or_insert(trims);
        if let Scheme::Conweave(options) = &setup.scheme {
            let options = options.options();
            if options.form != CwForm::Restoring {
                return Err(failed("scheme.header", "paper is for weft cosim fabric; use restoring"));
            }
            let shares = setup.switch.pfc || setup.switch.buffer_bytes.is_some();
            if shares && !options.charge_reorder {
                let what = "false is for weft cosim fabric; in weft sim, packets that wait for reordering are in the shared buffer";
                return Err(failed("scheme.charge-reorder", what));
            }
        }
        let network = setup.network()?;
        let fabric = Fabric {
            gbps: setup.links.fabric_gbps,
            queue_bytes: network.queues[1].data_bytes,
            edge_rtt_ns: network.edge_rtt_ps(setup.hosts.mtu, CUT_BYTES).div_ceil(1_000),
        };
        setup.scheme.fit(&fabric).map_err(Wrong::from)?;
        setup.scheme.check().map_err(Wrong::from)?;
        setup.scheme.suits(&network.topology).map_err(Wrong::from)?;
        let hosts = network.topology.hosts();
        if network.nodes() > 1 << 20 {
            return Err(failed(
                "topology.kind",
                format!("{hosts} hosts are too many; 2^20 nodes are possible"),
            ));
        }
        let pod = network.topology.hosts_per_edge() * network.topology.edges_per_pod();
        let pod = if network.topology.is_fat_tree() { pod } else { network.topology.hosts_per_edge() };
        let full_load = network.full_loads(&[]).first().map_or(1.0, |it| it.1);
        let (order, gbps) = (&network.order, setup.links.host_gbps);
        let site = Site { hosts, pod, order, gbps, full_load, folder, inputs: &inputs };
        let wrong = |error| match error {
            WorkloadError::Key { key, what } => failed(&format!("workload.{key}"), what),
            WorkloadError::File(what) => Failed::Other(what),
        };
        let schedule = setup.workload.schedule(&site).map_err(wrong)?;
        let flows = match &schedule {
            Some(schedule) => schedule.sends.iter().map(Flow::from).collect(),
            None => setup.workload.flows(&site, &mut Rng::of(&[setup.seed, 0xF10])).map_err(wrong)?,
        };
        let hosts = match &setup.hosts.baseline {
            Some(baseline) => {
                let smartt = setup.hosts.cap(&network);
                smartt.map_err(|error| failed("hosts.baseline.cap", error.to_string()))?;
                Hosts::Baseline(*baseline)
            }
            None => {
                let registers = setup.hosts.registers(&network);
                Hosts::Nic(Box::new(registers.map_err(|error| of_hosts(&error))?))
            }
        };
        let with = |own: &OwnMode| {
            let transport = Transport { ev_mode: own.ev_mode, ..setup.hosts.clone() };
            let registers = transport.registers(&network);
            registers.map(|it| (*own, it)).map_err(|error| of_hosts(&error))
        };
        let own = match &hosts {
            Hosts::Nic(_) => setup.hosts.own.iter().map(with).collect::<Result<_, _>>()?,
            Hosts::Baseline(_) => Vec::new(),
        };
        let wiring = network.wiring();
        setup.check_windows(&wiring)?;
        let faults = setup.faults(&network, &wiring)?;
        setup.check_ways(&network, &faults, &flows)?;
        setup.check_buffer(&network, &wiring)?;
        let recorded = setup.recorded(&network, &wiring)?;
        let (schedule, inputs) = (schedule.map(Arc::new), inputs.into_vec());
        Ok(Self { setup, network, faults, hosts, own, flows, schedule, recorded, inputs, notes, noted: None })
    }

    /// The setup.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The files that the setup names.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// The changes of links, one direction after the other.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// The flows, between the numbers of hosts.
    pub fn flows(&self) -> &[Flow] {
        &self.flows
    }

    /// Ends that hosts see in a run: two for each flow, one at each host; one for each operation of a schedule.
    pub fn ends(&self) -> u64 {
        let operations = self.schedule.as_ref().map_or(0, |schedule| schedule.operations());
        2 * self.flows.len() as u64 + operations
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Notes the events of chosen connections in all runs from now on. The error is a line for the user.
    pub fn note(&mut self, chosen: Chosen) -> Result<(), String> {
        if !matches!(self.hosts, Hosts::Nic(_)) {
            return Err(
                "hosts.baseline: only hosts with the NIC record events; leave this key out".to_owned()
            );
        }
        let (hosts, flows) = (self.network.topology.hosts(), self.flows.len() as u32);
        for (what, numbers, count) in [("host", &chosen.hosts, hosts), ("flow", &chosen.flows, flows)] {
            if let Some(number) = numbers.iter().find(|number| **number >= count) {
                return Err(format!("there is no {what} {number}: use 0 to {}", count.saturating_sub(1)));
            }
        }
        let order = &self.network.order;
        let ends = |flow: &u32| {
            let flow = &self.flows[*flow as usize];
            order.ends(flow.source, flow.destination).into()
        };
        let pairs = chosen.flows.iter().map(ends).collect();
        let hosts = chosen.hosts.iter().map(|host| order.position(*host)).collect();
        let chosen = Chosen { hosts, ..chosen };
        self.noted = Some(Arc::new(Noted { chosen, pairs }));
        Ok(())
    }

    /// The flows between the positions of hosts.
    fn placed(&self) -> Vec<Flow> {
        self.flows.iter().map(|flow| flow.placed(&self.network.order)).collect()
    }

    /// Connections of the hosts, with their flows.
    pub(crate) fn table(&self) -> Table {
        let (flows, hosts) = (self.placed(), self.network.topology.hosts());
        Table::new(flows, hosts, self.setup.hosts.pair_connections).scheduled(self.schedule.as_ref())
    }

    /// Connections whose packets all have one entropy value, in the form that switches use.
    pub(crate) fn connections(&self) -> Vec<schemes::Flow> {
        match &self.hosts {
            Hosts::Nic(_) => self.table().connections(),
            Hosts::Baseline(_) => baseline::connections(self.network.seed, &self.placed()),
        }
    }

    fn ev_mode(&self) -> EvMode {
        let given = self.setup.hosts.ev_mode;
        self.setup.hosts.baseline.map_or(given, |baseline| baseline.ev_mode(given))
    }

    /// Warnings of settings that are possible but probably unintended, a line each.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = self.notes.clone();
        warnings.extend(self.unlike());
        if matches!(self.hosts, Hosts::Nic(_)) {
            warnings.extend(self.setup.hosts.window(&self.network).narrow(self.setup.hosts.psns));
        }
        warnings.extend(self.endless());
        warnings.extend(self.overload());
        warnings
    }

    /// Flows that a trace has without a size.
    fn endless(&self) -> Option<String> {
        let is_trace = matches!(self.setup.workload, Workload::Trace { .. });
        let count = self.flows.iter().filter(|flow| is_trace && flow.bytes == ENDLESS).count();
        let until = self.setup.until_us;
        (count > 0).then(|| {
            format!("workload.file: {count} flows of size 0 have no end: the run goes on to {until} us")
        })
    }

    /// Warnings of settings that are probably unintended with ConWeave.
    fn unlike(&self) -> Vec<String> {
        let Scheme::Conweave(options) = &self.setup.scheme else { return Vec::new() };
        let mut warnings = Vec::new();
        let mut warn = |is_so: bool, what: String| warnings.extend(is_so.then_some(what));
        warn(
            self.setup.trims(),
            "switch.trim: ConWeave treats a trimmed packet as lost, even a TAIL or an RTT_REQUEST; leave trim out, \
             or set pfc"
                .to_owned(),
        );
        warn(
            self.ev_mode() != EvMode::Fixed,
            "hosts.ev_mode: only with fixed are a connection's packets one flow to ConWeave; others go by ECMP".to_owned(),
        );
        let topology = &self.network.topology;
        let mut at_edge = vec![0u32; topology.edges() as usize];
        for flow in self.connections() {
            let edges = [flow.source, flow.destination].map(|host| topology.attachment(host).0);
            if edges[0] != edges[1] {
                edges.iter().for_each(|edge| at_edge[edge.0 as usize] += 1);
            }
        }
        let (most, room) = (at_edge.into_iter().max().unwrap_or(0), options.room());
        warn(
            most > room,
            format!(
                "scheme.connections: an edge switch has {most}, and room for {room}; the other connections use ECMP"
            ),
        );
        warnings
    }

    /// The time of a flow alone.
    pub fn ideal_ps(&self, flow: &Flow) -> u64 {
        let hosts = &self.setup.hosts;
        let [from, to] = self.network.order.ends(flow.source, flow.destination);
        let least = self.network.ideal_ps(from, to, flow.bytes, hosts.mtu);
        hosts.work_ps() + least.max(self.windowed_ps(flow))
    }

    /// The ideal time until the flow's sender learns of the flow's end: one ACK more.
    pub fn ideal_known_ps(&self, flow: &Flow) -> u64 {
        let [from, to] = self.network.order.ends(flow.source, flow.destination);
        self.ideal_ps(flow) + self.network.flight_ps(to, from, self.network.wire.ack_bytes.into())
    }

    /// The least time of a flow of the NIC, which has at most a window of packets without an acknowledgement:
    /// one window in each round trip, and the rest.
    fn windowed_ps(&self, flow: &Flow) -> u64 {
        let (network, mtu) = (&self.network, self.setup.hosts.mtu);
        let window_packets = u64::from(self.setup.hosts.psns);
        let windows = flow.bytes.div_ceil(mtu.into()).saturating_sub(1) / window_packets;
        if windows == 0 || matches!(self.hosts, Hosts::Baseline(_)) {
            return 0;
        }
        let [from, to] = network.order.ends(flow.source, flow.destination);
        let full = u64::from(mtu) + u64::from(network.wire.header_bytes);
        let round =
            network.flight_ps(from, to, full) + network.flight_ps(to, from, network.wire.ack_bytes.into());
        let rest = flow.bytes - windows * window_packets * u64::from(mtu);
        windows * round + network.ideal_ps(from, to, rest, mtu)
    }

    fn overload(&self) -> Option<String> {
        let load = self.setup.workload.load(&self.network)?;
        // Loads are of payload.
        let (mtu, wire) = (f64::from(self.setup.hosts.mtu), &self.network.wire);
        let load = load * (mtu + f64::from(wire.header_bytes) + f64::from(wire.gap_bytes)) / mtu;
        let (which, full) =
            self.network.full_loads(&self.faults).into_iter().min_by(|a, b| a.1.total_cmp(&b.1))?;
        (load > full).then(|| {
            format!(
                "workload.load: with headers hosts send {load:.3} of their rate, and {which} carry {full:.3}: queues grow as \
                 long as flows arrive, so the results depend on the duration of the run"
            )
        })
    }
}

/// The reason why there is no plan.
enum Failed {
    Key(Wrong),
    Other(String),
}

impl From<Wrong> for Failed {
    fn from(wrong: Wrong) -> Self {
        Self::Key(wrong)
    }
}

/// A register of the hosts that is not possible, by the key of the setup that sets the register.
fn of_hosts(error: &ParamError) -> Failed {
    let (value, rule) = (error.value, &error.rule);
    let plain = format!("{value} is not possible: {rule}");
    match error.name {
        "mtu" => failed("hosts.mtu", plain),
        "psns" => failed("hosts.psns", plain),
        "gap" => failed("hosts.gap", plain),
        "evs-size" => failed("hosts.evs", plain),
        "freeze-timeout" => failed("hosts.freeze_us", format!("{value} ticks are not possible: {rule}")),
        "rto" => failed("hosts.rto_us", format!("{value} ticks are not possible: {rule}")),
        key @ ("fixed_window" | "wait_to_decrease" | "signals" | "preset") => {
            failed(&format!("hosts.{key}"), rule.as_ref())
        }
        _ => failed("hosts", error.to_string()),
    }
}

fn failed(key: &str, what: impl Into<String>) -> Failed {
    Failed::Key(Wrong { key: key.to_owned(), what: what.into() })
}
