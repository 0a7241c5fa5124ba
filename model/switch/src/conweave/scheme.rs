//! ConWeave as a scheme for the switches of a topology: the options as a file names them, and the control
//! plane that fills the tables from the topology.

use super::control::{Address, Control};
use super::install::install;
use super::options::{
    AfterTail, ClearAt, NoGoodPath, Notify, Options, PathTable, Preset, ReplyCompare, Sizes, Thetas,
};
use super::tor::tor;
use super::transit::transit;
use crate::kit::Pipe;
use crate::packet::CwForm;
use crate::schemes::contract::{self, Built, Flow, Full, SchemeError, Site};
use crate::topology::{Failed, Host, Role};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A preset, and the differences from it. Options that are not given have the values of the preset. By
/// default the header restores Resv7, so that packets of any transport are accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
#[expect(missing_docs, reason = "they are those of Options and Sizes, where each is documented")]
pub struct ConWeave {
    pub preset: Preset,
    pub connections: Option<u32>,
    pub header: Option<CwForm>,
    pub clocks_per_tick: Option<u64>,
    pub reply_ticks: Option<u16>,
    pub path_busy_ticks: Option<u32>,
    pub inactive_ticks: Option<u32>,
    pub resume_default_ticks: Option<u32>,
    pub resume_extra_ticks: Option<u32>,
    pub no_good_path: Option<NoGoodPath>,
    pub exclude_current: Option<bool>,
    pub inactivity_moves: Option<bool>,
    pub reply_compare: Option<ReplyCompare>,
    pub reply_grace_ticks: Option<u16>,
    pub path_table: Option<PathTable>,
    pub notify: Option<Notify>,
    pub clear: Option<ClearAt>,
    pub clear_on_flush: Option<bool>,
    pub after_tail: Option<AfterTail>,
    pub extra_on_default: Option<bool>,
    pub reorder_queues: Option<u8>,
    pub choices: Option<u8>,
    pub reorder: Option<bool>,
    pub charge_reorder: Option<bool>,
}

impl ConWeave {
    /// The options that the preset sets.
    pub fn options(&self) -> Options {
        let mut options = Options { form: CwForm::Restoring, ..Options::preset(self.preset) };
        fn change<T: Copy>(option: &mut T, to: Option<T>) {
            *option = to.unwrap_or(*option);
        }
        change(&mut options.form, self.header);
        change(&mut options.clocks_per_tick, self.clocks_per_tick);
        change(&mut options.theta.reply, self.reply_ticks);
        change(&mut options.theta.path_busy, self.path_busy_ticks);
        change(&mut options.theta.inactive, self.inactive_ticks);
        change(&mut options.theta.resume_default, self.resume_default_ticks);
        change(&mut options.theta.resume_extra, self.resume_extra_ticks);
        change(&mut options.no_good_path, self.no_good_path);
        change(&mut options.exclude_current, self.exclude_current);
        change(&mut options.inactivity_moves, self.inactivity_moves);
        change(&mut options.reply_compare, self.reply_compare);
        change(&mut options.reply_grace, self.reply_grace_ticks);
        change(&mut options.path_table, self.path_table);
        change(&mut options.notify, self.notify);
        change(&mut options.clear, self.clear);
        change(&mut options.clear_on_flush, self.clear_on_flush);
        change(&mut options.after_tail, self.after_tail);
        change(&mut options.extra_on_default, self.extra_on_default);
        change(&mut options.reorder_queues, self.reorder_queues);
        change(&mut options.choices, self.choices);
        change(&mut options.reorder, self.reorder);
        change(&mut options.charge_reorder, self.charge_reorder);
        options
    }

    /// Connections that have state at an edge switch.
    pub fn room(&self) -> u32 {
        self.connections.unwrap_or(Sizes::default().connections)
    }

    /// Refuses options out of range.
    pub(crate) fn check(&self, paths: u64) -> Result<(), SchemeError> {
        let options = self.options();
        let Thetas { reply, path_busy, inactive, resume_default, resume_extra } = options.theta;
        // Time stamps have 16 bits, ticks 32; the difference's highest bit shows which of two is later.
        let (half, long) = ((1 << 15) - 1, (1 << 31) - 1);
        let ticks = "1 to 2147483647 ticks";
        let possible = [
            ("paths", paths, 1..=255, "at most 255 paths between two edge switches"),
            ("connections", self.connections.unwrap_or(1).into(), 1..=65_536, "1 to 65536"),
            ("reorder-queues", options.reorder_queues.into(), 0..=62, "0 to 62"),
            ("choices", options.choices.into(), 3..=4, "3 or 4"),
            ("clocks-per-tick", options.clocks_per_tick, 1..=1 << 20, "1 to 1048576"),
            ("reply-ticks", reply.into(), 1..=half, "1 to 32767 ticks"),
            ("reply-grace-ticks", options.reply_grace.into(), 0..=half, "0 to 32767 ticks"),
            ("path-busy-ticks", path_busy.into(), 1..=long, ticks),
            ("inactive-ticks", inactive.into(), 1..=long, ticks),
            ("resume-default-ticks", resume_default.into(), 1..=long, ticks),
            ("resume-extra-ticks", resume_extra.into(), 0..=long, "0 to 2147483647 ticks"),
        ];
        for (option, value, among, possible) in possible {
            if !among.contains(&value) {
                return Err(SchemeError::Option { option, value, possible });
            }
        }
        Ok(())
    }

    /// Refuses times that are not longer than a round trip between edge switches: every reply would be late,
    /// and a connection that waits for a reply would look silent.
    pub(crate) fn check_times(&self, edge_rtt_ns: u64) -> Result<(), SchemeError> {
        let options = self.options();
        // A time begins within a tick; a reply in the cutoff's own tick is late.
        let least = edge_rtt_ns.div_ceil(options.clocks_per_tick.max(1)) + 1;
        let times = [
            ("reply-ticks", options.theta.reply.into()),
            ("inactive-ticks", options.theta.inactive.into()),
            ("resume-default-ticks", options.theta.resume_default.into()),
        ];
        match times.into_iter().find(|(_, ticks)| *ticks < least) {
            Some((option, ticks)) => Err(SchemeError::Time { option, ticks, least }),
            None => Ok(()),
        }
    }

    /// The program of a switch of any role, and its control plane.
    pub(crate) fn build(&self, site: Site) -> Result<Built, SchemeError> {
        let options = self.options();
        let topology = &site.topology;
        let (up, cores) = (topology.aggregations_per_pod(), topology.cores_per_aggregation().max(1));
        self.check(u64::from(up * cores))?;
        let sizes = Sizes {
            ports: topology.ports(site.switch),
            connections: self.room(),
            hosts: topology.hosts(),
            groups: (topology.edges() + 1) as u16,
            paths: (up * cores) as u16,
        };
        let program = match topology.role(site.switch) {
            Role::Edge => tor(&options, &sizes)?,
            role => transit(&options, &sizes, role as u32)?,
        };
        Ok(Built { program: Arc::new(program), control: Box::new(Plane { site, options }) })
    }
}

/// The control plane of a switch of a topology.
struct Plane {
    site: Site,
    options: Options,
}

impl Plane {
    fn host(&self, host: Host) -> Address {
        let [high, low] = self.site.addresses[host.0 as usize];
        Address(high, low)
    }

    /// Fills the tables; hosts have the same numbers each time.
    fn install(&self, pipe: &mut Pipe, failed: &Failed) -> Result<Control, Full> {
        let Site { topology, switch, .. } = &self.site;
        let mut control = Control::new();
        match install(&mut control, pipe, topology, *switch, failed, |host| self.host(host)) {
            true => Ok(control),
            false => Err(Full { table: "of hosts or paths" }),
        }
    }
}

impl contract::Control for Plane {
    fn start(&self, _pipe: &mut Pipe) {}

    fn fill(&self, pipe: &mut Pipe, failed: &Failed) -> Result<(), Full> {
        self.install(pipe, failed).map(|_| ())
    }

    fn connect(&self, pipe: &mut Pipe, flows: &[Flow], failed: &Failed) -> Result<u64, Full> {
        let Site { topology, switch, .. } = &self.site;
        if topology.role(*switch) != Role::Edge {
            return Ok(0);
        }
        let mut control = self.install(pipe, failed)?;
        for Flow { source, destination, port } in flows {
            let edges = [source, destination].map(|host| topology.attachment(*host).0);
            // Within an edge switch nothing is rerouted.
            if edges.contains(switch) && edges[0] != edges[1] {
                let ends = [source, destination].map(|host| self.host(*host));
                control.connect(pipe, ends[0], ends[1], *port, self.options.theta.reply);
            }
        }
        Ok(control.refused())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{Switch, Topology};

    fn site(switch: u32) -> Site {
        let topology = Topology::fat_tree(4).expect("even");
        let addresses = (0..topology.hosts()).map(|host| [0, u64::from(host) + 7]).collect();
        Site { topology, switch: Switch(switch), addresses, queues: contract::Queues::default(), seed: 1 }
    }

    #[test]
    fn every_switch_of_a_fat_tree_is_filled() {
        let topology = Topology::fat_tree(4).expect("even");
        let flows: Vec<Flow> = (0..4u32)
            .map(|host| Flow { source: Host(host), destination: Host(15 - host), port: 0xC000 })
            .chain([Flow { source: Host(0), destination: Host(1), port: 0xC000 }])
            .collect();
        let mut connections = Vec::new();
        for switch in 0..topology.switches() {
            let built = ConWeave::default().build(site(switch)).expect("it fits");
            let mut pipe = built.pipe(1000, 1).expect("there is room");
            assert_eq!(built.control.connect(&mut pipe, &flows, &Failed::new()), Ok(0));
            connections.extend(built.program.table("connections").map(|table| pipe.entries(table)));
        }
        // Each of the four edge switches at an end of a flow has two flows.
        assert_eq!(connections, [2, 2, 0, 0, 0, 0, 2, 2]);
    }

    #[test]
    fn what_is_not_given_is_the_presets() {
        let options = ConWeave { preset: Preset::P4, choices: Some(4), ..ConWeave::default() }.options();
        let preset = Options { form: CwForm::Restoring, choices: 4, ..Options::preset(Preset::P4) };
        assert_eq!(options, preset);
    }
}
