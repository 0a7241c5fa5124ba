//! The scenarios and their settings.

use crate::network::path::PATH_HASH;
use crate::trace::provenance::{Fault, FaultKind};
use std::fmt;
use std::str::FromStr;
use weft_params::{ParamError, RepsCsr, RepsParams};
use weft_wire::frame::FrameError;

/// Longest time of a setting.
const MAX_NS: u64 = 1_000_000_000;

/// Maximum number of packets that the port can send in the time.
const MAX_PACKETS: u64 = 500_000;

/// Nanoseconds of a tick of the block's time.
pub const TICK_NS: u64 = 32;

/// The scenarios whose traces are shipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scenario {
    /// All paths are equal.
    Healthy,
    /// One path has a quarter of its rate for a while.
    Congested,
    /// One path loses every packet for a while.
    Dead,
}

/// The scenario does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no scenario {0:?}; use healthy, congested or dead")]
pub struct UnknownScenario(String);

/// Settings that cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ScenarioError {
    /// The block cannot have these parameters or CSRs.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The fabric or the NIC has an impossible setting.
    #[error("{name} = {value} is not possible in a scenario; use {rule}")]
    Setting {
        /// Name of the setting.
        name: &'static str,
        /// Value found.
        value: u64,
        /// Values possible.
        rule: &'static str,
    },
    /// The packets cannot be encoded.
    #[error(transparent)]
    Frame(#[from] FrameError),
}

impl FromStr for Scenario {
    type Err = UnknownScenario;

    fn from_str(name: &str) -> Result<Self, UnknownScenario> {
        let known = Scenario::ALL.into_iter().find(|scenario| scenario.name() == name);
        known.ok_or_else(|| UnknownScenario(name.to_owned()))
    }
}

impl fmt::Display for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Scenario {
    /// All scenarios.
    pub const ALL: [Scenario; 3] = [Scenario::Healthy, Scenario::Congested, Scenario::Dead];

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Scenario::Healthy => "healthy",
            Scenario::Congested => "congested",
            Scenario::Dead => "dead",
        }
    }

    /// Settings of the scenario. Change the settings and [run](Settings::run) them.
    pub fn settings(self) -> Settings {
        let fault = |kind, from_us: u64, until_us: u64| Fault {
            kind,
            path: 5,
            from_ns: from_us * 1000,
            until_ns: until_us * 1000,
        };
        Settings {
            name: self.name(),
            fault: match self {
                Scenario::Healthy => None,
                Scenario::Congested => Some(fault(FaultKind::Slow, 200, 800)),
                Scenario::Dead => Some(fault(FaultKind::Dead, 200, 800)),
            },
            ..Settings::default()
        }
    }
}

/// Settings of a scenario. Times are those of a packet of 4 KiB, with any captured payload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Name of the scenario.
    pub name: &'static str,
    /// Seed of the block's random numbers.
    pub seed: u32,
    /// Parameters of the block.
    pub params: RepsParams,
    /// CSRs of the block.
    pub csr: RepsCsr,
    /// Connections that always have data to send.
    pub connections: u32,
    /// Packets that a connection may have in flight.
    pub window: usize,
    /// Time at which the last new packets leave.
    pub duration_ns: u64,
    /// Time after which an unacknowledged packet is sent again.
    pub rto_ns: u64,
    /// Time of a packet on the port of the NIC.
    pub port_ns: u64,
    /// Paths.
    pub paths: u32,
    /// Time of a packet on a path.
    pub path_ns: u64,
    /// Factor by which that time is longer on a slow path.
    pub slowdown: u64,
    /// Time from the port to a receiver and back, without the times on the path.
    pub delay_ns: u64,
    /// Number of packets on a path at which the next one is marked.
    pub mark_packets: usize,
    /// Number of packets on a path at which the next one is lost.
    pub queue_packets: usize,
    /// Fault of a path.
    pub fault: Option<Fault>,
    /// Payload bytes of a packet, as captured.
    pub payload_len: usize,
}

impl Default for Settings {
    /// 1.2 ms of four connections on a port of 50 Gb/s and eight paths of 10 Gb/s; freezes of 150 us. With
    /// this seed the shipped traces show every state of the block.
    fn default() -> Self {
        Self {
            name: "custom",
            seed: 25,
            params: RepsParams::default(),
            csr: RepsCsr {
                freeze_timeout_ticks: 150_000 / TICK_NS as u32,
                bdp_packets: 16,
                ..RepsCsr::default()
            },
            connections: 4,
            window: 8,
            duration_ns: 1_200_000,
            rto_ns: 70_000,
            port_ns: 673,
            paths: 8,
            path_ns: 3_362,
            slowdown: 4,
            delay_ns: 5_000,
            mark_packets: 2,
            queue_packets: 32,
            fault: None,
            payload_len: 32,
        }
    }
}

impl Settings {
    pub(super) fn check(&self) -> Result<(), ScenarioError> {
        self.params.check()?;
        self.csr.check(&self.params)?;
        let refuse = |holds: bool, name, value, rule| match holds {
            true => Ok(()),
            false => Err(ScenarioError::Setting { name, value, rule }),
        };
        let connections = self.connections;
        let fits = (1..=self.params.connections).contains(&connections);
        refuse(fits, "connections", connections.into(), "1 to those of the block")?;
        refuse((1..=4096).contains(&self.paths), "paths", self.paths.into(), "1 to 4096")?;
        refuse((1..=256).contains(&self.window), "window", self.window as u64, "1 to 256 packets")?;
        let times = [self.port_ns, self.path_ns, self.slowdown, self.delay_ns, self.rto_ns];
        let longest = times.into_iter().max().unwrap_or(0);
        refuse(longest <= MAX_NS, "a time", longest, "at most a second")?;
        refuse(self.port_ns > 0, "port_ns", self.port_ns, "at least 1")?;
        refuse(self.rto_ns > 0, "rto_ns", self.rto_ns, "at least 1")?;
        let packets = self.duration_ns / self.port_ns;
        refuse(packets <= MAX_PACKETS, "duration_ns / port_ns", packets, "at most 500000 packets")?;
        refuse(self.payload_len <= 4096, "payload_len", self.payload_len as u64, "at most 4096 bytes")
    }

    /// Comment of the trace, in lines `key=value`.
    pub fn comment(&self) -> String {
        let json = |value: Result<String, serde_json::Error>| value.unwrap_or_default();
        let mut lines = vec![
            "tool=weft".to_owned(),
            format!("scenario={}", self.name),
            format!("command=weft trace gen --scenario {} --out FILE", self.name),
            format!("seed={}", self.seed),
            format!("params={}", json(serde_json::to_string(&self.params))),
            format!("csr={}", json(serde_json::to_string(&self.csr))),
            format!("tick_ns={TICK_NS}"),
            format!("rto_ns={}", self.rto_ns),
            format!("window_packets={}", self.window),
            format!("port_ns_per_packet={}", self.port_ns),
            format!("paths={}", self.paths),
            format!("path_hash={}", PATH_HASH),
            format!("path_ns_per_packet={}", self.path_ns),
            format!("slowdown={}", self.slowdown),
            format!("delay_ns={}", self.delay_ns),
            format!("mark_packets={}", self.mark_packets),
            format!("queue_packets={}", self.queue_packets),
        ];
        lines.extend(self.fault.map(|fault| format!("fault={}", json(serde_json::to_string(&fault)))));
        lines.join("\n")
    }
}
