//! A fabric to which a program adds flows while it runs (page `docs/ai-simulators.md`).
//!
//! ```
//! use std::path::Path;
//! use weft_fabric::live::Fabric;
//! use weft_fabric::plan::Plan;
//!
//! let setup = r#"
//!     topology = { kind = "leaf-spine", leaves = 2, spines = 2, hosts_per_leaf = 4 }
//!     scheme = { name = "ecmp" }
//!     workload = { kind = "none" }
//! "#;
//! let mut fabric = Fabric::new(Plan::parse("setup", setup, Path::new(""), &[])?)?;
//! fabric.send(0, 5, 1 << 20, 0, 7)?;
//! let done = fabric.advance(u64::MAX);
//! assert_eq!((done[0].user, done[0].is_sender), (7, false));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod inner;

use crate::engine::live::Live;
use crate::flow::Flow;
use crate::plan::{Hosts, Plan};
use crate::report::Report;
use crate::setup::SetupError;
use crate::workload::{LONGEST, Workload};
use inner::Groups;
use std::collections::BTreeMap;
use std::sync::Arc;
use weft_switch::schemes::Scheme;

/// Limit of the times of a program: 53 days.
pub const LATEST_PS: u64 = 1 << 62;

/// Maximum number of connections from a host to another one.
const MOST_CONNECTIONS: u32 = 1 << 10;

/// Number of windows after which a run checks whether to continue.
const ASK: u64 = 64;

/// The end of a flow at one of its hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    /// The number of the flow, as [`Fabric::send`] gave it.
    pub flow: u32,
    /// The program's own number of the flow.
    pub user: u64,
    /// The host that sent.
    pub source: u32,
    /// The host that received.
    pub destination: u32,
    /// Number of bytes.
    pub bytes: u64,
    /// Time of the end.
    pub at_ps: u64,
    /// Whether this end is the sender's: the sender learned that all bytes have arrived. Otherwise the
    /// receiver has all bytes.
    pub is_sender: bool,
}

/// Flows with a start time in a window that had already run. Such flows start with the next window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Late {
    /// Number of these flows.
    pub flows: u64,
    /// Sum of their delays.
    pub sum_ps: u64,
    /// Greatest of their delays.
    pub most_ps: u64,
}

/// The reason why a flow is not possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SendError {
    /// No host has this number.
    #[error("host {0}: use 0 to {1}")]
    Host(u32, u32),
    /// A host does not send to itself.
    #[error("source and destination are both host {0}: use two hosts")]
    Same(u32),
    /// The number of bytes is out of range.
    #[error("bytes {0}: use 1 to {LONGEST}")]
    Bytes(u64),
    /// The time is too late.
    #[error("time {0} ps: use 0 to {max}", max = LATEST_PS - 1)]
    Time(u64),
    /// The number of connections of a pair is out of range.
    #[error("connections {0}: use 1 to {MOST_CONNECTIONS}")]
    Connections(u32),
    /// The 32-bit numbers of flows are used up.
    #[error("a fabric accepts 2^32 - 1 flows, and this fabric has accepted that many; make another one")]
    Full,
}

/// The connections from a host to another one.
struct Pair {
    /// Numbers of the connections at the source.
    lanes: Arc<[u32]>,
    /// Maximum number of connections.
    most: u32,
    /// Number of flows whose senders have not yet learned that all bytes arrived.
    under_way: u32,
}

/// A fabric that runs up to the times that a program gives, and accepts flows in between.
///
/// The fabric runs window by window, and stops only between two windows. A flow that is to start at or after
/// [`Self::now_ps`] starts at its time. A flow whose start is before that time starts now, and counts as late
/// ([`Self::late`]).
///
/// With `inner` in the setup, flows within a group of hosts go over the inner network. The ends of such flows
/// have exact times and do not wait for the end of a window.
pub struct Fabric {
    plan: Plan,
    run: Box<dyn Live>,
    /// Number of flows so far.
    sent: u32,
    /// The flows of the network, between the numbers of hosts.
    flows: Vec<Flow>,
    /// Numbers among all flows, and the program's own number of each flow.
    users: Vec<(u32, u64)>,
    /// The inner network.
    groups: Option<Groups>,
    /// The pairs, by source and destination.
    pairs: BTreeMap<(u32, u32), Pair>,
    late: Late,
}

impl std::fmt::Debug for Fabric {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.debug_struct("Fabric").field("now_ps", &self.now_ps()).field("flows", &self.sent).finish()
    }
}

/// The error for a setup that has no live fabric.
fn refused(key: &str, what: &str) -> SetupError {
    SetupError { key: Some(key.to_owned()), ..SetupError::new(format!("{key}: {what}")) }
}

impl Fabric {
    /// A fabric at time 0, without flows. The workload of the plan is [`Workload::None`].
    pub fn new(plan: Plan) -> Result<Self, SetupError> {
        let setup = plan.setup();
        if setup.workload != (Workload::None {}) {
            return Err(refused("workload.kind", "a program sends the flows; use none"));
        }
        if matches!(plan.hosts, Hosts::Baseline(_)) {
            return Err(refused(
                "hosts.baseline",
                "flows that a program adds need the NIC; leave this key out",
            ));
        }
        if setup.hosts.probe.is_some() {
            return Err(refused(
                "hosts.probe",
                "no software probes while a program adds flows; leave this key out",
            ));
        }
        if matches!(setup.scheme, Scheme::Conweave(_)) {
            return Err(refused(
                "scheme.name",
                "ConWeave needs all connections before a run; use another scheme",
            ));
        }
        let run = plan.live();
        let hosts = plan.network().topology.hosts();
        let groups = plan.setup().inner.map(|inner| Groups::new(inner, hosts));
        let (flows, users, pairs) = (Vec::new(), Vec::new(), BTreeMap::new());
        Ok(Self { plan, run, sent: 0, flows, users, groups, pairs, late: Late::default() })
    }

    /// The length of a window: the greatest delay of a program's reaction to a completion.
    pub fn window_ps(&self) -> u64 {
        self.run.window_ps()
    }

    /// The time up to which all events have happened. A flow can start at this time or later.
    pub fn now_ps(&self) -> u64 {
        self.run.now_ps()
    }

    /// Number of hosts of the network.
    pub fn hosts(&self) -> u32 {
        self.plan.network().topology.hosts()
    }

    /// Opens `count` connections from one host to another, if none are open. The pair then gets no further
    /// connections. Without this call, a flow opens a connection if all connections of the pair are in use,
    /// up to `hosts.pair_connections`. Hosts number connections in the order of opening. `weft sim` opens
    /// them in the order of source and destination: a program that does the same gets the same bytes.
    pub fn connect(&mut self, source: u32, destination: u32, count: u32) -> Result<(), SendError> {
        self.check(source, destination)?;
        if !(1..=MOST_CONNECTIONS).contains(&count) {
            return Err(SendError::Connections(count));
        }
        let Self { pairs, run, plan, .. } = self;
        let [from, to] = plan.network.order.ends(source, destination);
        pairs.entry((source, destination)).or_insert_with(|| {
            let lanes = (0..count).map(|_| run.open(from, to)).collect();
            Pair { lanes, most: count, under_way: 0 }
        });
        Ok(())
    }

    fn check(&self, source: u32, destination: u32) -> Result<(), SendError> {
        let hosts = self.hosts();
        match [source, destination].into_iter().find(|host| *host >= hosts) {
            Some(host) => Err(SendError::Host(host, hosts - 1)),
            None if source == destination => Err(SendError::Same(source)),
            None => Ok(()),
        }
    }

    /// The connections of a pair, for another flow.
    fn lanes(&mut self, source: u32, destination: u32) -> Arc<[u32]> {
        let Self { pairs, run, plan, .. } = self;
        let most = plan.setup().hosts.pair_connections.max(1);
        let none = || Pair { lanes: Arc::default(), most, under_way: 0 };
        let pair = pairs.entry((source, destination)).or_insert_with(none);
        pair.under_way += 1;
        let count = pair.lanes.len() as u32;
        if pair.under_way > count && count < pair.most {
            let [from, to] = plan.network.order.ends(source, destination);
            pair.lanes = pair.lanes.iter().copied().chain([run.open(from, to)]).collect();
        }
        Arc::clone(&pair.lanes)
    }

    /// Sends bytes from one host to another, at a given time. Completions return `user`. Returns the number
    /// of the flow.
    pub fn send(
        &mut self,
        source: u32,
        destination: u32,
        bytes: u64,
        at_ps: u64,
        user: u64,
    ) -> Result<u32, SendError> {
        self.check(source, destination)?;
        if !(1..=LONGEST).contains(&bytes) {
            return Err(SendError::Bytes(bytes));
        }
        if at_ps >= LATEST_PS {
            return Err(SendError::Time(at_ps));
        }
        // The highest number means *no flow* in schedules and programs.
        let number = Some(self.sent).filter(|number| *number < u32::MAX).ok_or(SendError::Full)?;
        self.sent += 1;
        let start_ps = at_ps.max(self.now_ps());
        if start_ps > at_ps {
            let Late { flows, sum_ps, most_ps } = &mut self.late;
            *flows += 1;
            *sum_ps += start_ps - at_ps;
            *most_ps = (start_ps - at_ps).max(*most_ps);
        }
        if let Some(groups) = self.groups.as_mut().filter(|groups| groups.has(source, destination)) {
            let at_ps = start_ps;
            groups.send(Done { flow: number, user, source, destination, bytes, at_ps, is_sender: true });
            return Ok(number);
        }
        let lanes = self.lanes(source, destination);
        let flow = Flow::at(source, destination, bytes, start_ps);
        self.run.send(self.flows.len() as u32, flow.placed(&self.plan.network.order), lanes);
        self.flows.push(flow);
        self.users.push((number, user));
        Ok(number)
    }

    /// Runs all windows that end by a time, and stops after the first window in which flows end. Returns
    /// these ends, in the order of time. An end in the inner network by `until_ps` is returned before the
    /// window that contains it. A time of [`LATEST_PS`] or later is no limit: an empty result then means that
    /// no flow is left. With such a time the call never returns if a flow has no path any more.
    pub fn advance(&mut self, until_ps: u64) -> Vec<Done> {
        self.advance_while(until_ps, || true)
    }

    /// Does as [`Self::advance`], but ends early if `goes_on` returns `false`. Calls `goes_on` at intervals.
    pub fn advance_while(&mut self, until_ps: u64, mut goes_on: impl FnMut() -> bool) -> Vec<Done> {
        let until_ps = if until_ps < LATEST_PS { until_ps } else { u64::MAX };
        let mut ended = Vec::new();
        let inner_ps = self.groups.as_ref().map_or(u64::MAX, Groups::next_ps);
        let stop_ps = until_ps.min(inner_ps);
        // A call that has no window to run costs a look at every host.
        if self.has_window(stop_ps) {
            while self.run.advance(stop_ps, ASK, &mut ended) && goes_on() {}
        }
        let is_next = ended.is_empty() && inner_ps <= until_ps && !self.has_window(inner_ps);
        if let Some(groups) = self.groups.as_mut().filter(|_| is_next) {
            return groups.take(inner_ps);
        }
        ended.sort_unstable_by_key(|it| (it.at_ps, it.flow, it.is_sender));
        let done = ended.into_iter().map(|it| {
            let Flow { source, destination, bytes, .. } = self.flows[it.flow as usize];
            let (flow, user) = self.users[it.flow as usize];
            if it.is_sender
                && let Some(pair) = self.pairs.get_mut(&(source, destination))
            {
                pair.under_way -= 1;
            }
            Done { flow, user, source, destination, bytes, at_ps: it.at_ps, is_sender: it.is_sender }
        });
        done.collect()
    }

    /// Whether a window ends by a time.
    fn has_window(&self, until_ps: u64) -> bool {
        until_ps.saturating_sub(self.now_ps()) >= self.window_ps()
    }

    /// Whether every flow has ended at both hosts, and no packet is in transit.
    pub fn is_idle(&self) -> bool {
        self.run.is_idle() && self.groups.as_ref().is_none_or(|groups| groups.next_ps() == u64::MAX)
    }

    /// The flows that started late.
    pub fn late(&self) -> Late {
        self.late
    }

    /// Ends the run and returns its report, as a run with all of these flows from the beginning would give
    /// it. The report excludes flows of the inner network.
    pub fn finish(self) -> Report {
        let is_interrupted = !self.is_idle();
        let Self { mut plan, run, flows, .. } = self;
        plan.flows = flows;
        Report::new(&plan, &run.finish(), is_interrupted)
    }
}
