//! The options of a ConWeave switch: sizes, times, and an option for every difference between the paper, its
//! ns-3 code and its P4 code.

use crate::packet::CwForm;
use serde::{Deserialize, Serialize};

/// Times, in ticks of [`Options::clocks_per_tick`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Thetas {
    /// Time within which an RTT_REPLY must arrive (paper, Table 3). A connection may have another value:
    /// [`super::Control::connect`].
    pub reply: u16,
    /// Time during which the switch avoids a path that a NOTIFY names.
    pub path_busy: u32,
    /// Time of silence after which a connection begins a new epoch.
    pub inactive: u32,
    /// Time during which a reorder queue waits if no OLD packet of the epoch arrived (paper, Appendix A).
    pub resume_default: u32,
    /// Time added to the expected arrival of the TAIL.
    pub resume_extra: u32,
}

/// Action if a reply was missed and no sampled path is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoGoodPath {
    /// Rerouting is aborted; the next packet tries again (paper, section 3.2.2).
    Abort,
    /// A TAIL is sent nevertheless, and the path stays (ns-3, P4).
    Tail,
}

/// The time at which the switch sends a CLEAR if a reorder queue contains packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClearAt {
    /// The arrival of the TAIL, or the timer's flush (paper, section 3.3.1).
    Tail,
    /// The end of the queue's drain (P4).
    Drained,
}

/// The queue of REROUTED packets after the TAIL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AfterTail {
    /// Q0 at once (paper, Fig. 9c).
    Default,
    /// The reorder queue, until the loop packet has seen the TAIL (P4).
    Reorder,
}

/// The signal of congestion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Notify {
    /// A NOTIFY for each marked packet, besides other copies that the packet causes (paper, ns-3). A packet
    /// has only one copy in ingress: if another message uses it, the switch makes the NOTIFY when the packet
    /// leaves.
    Separate,
    /// One copy for each packet. The priority is CLEAR, RTT_REPLY, loop packet, NOTIFY; all copies of lower
    /// priority are lost.
    Merged,
    /// As [`Self::Merged`]; in addition, the TAIL bit of an RTT_REPLY reports that the request was marked
    /// (P4).
    Piggyback,
}

/// The limit for an RTT_REPLY.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReplyCompare {
    /// A time before the tick of the cutoff (paper, ns-3).
    Strict,
    /// A time at the tick of the cutoff, or before (P4).
    Inclusive,
}

/// The path-busy table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PathTable {
    /// Four ways in four stages. A NOTIFY uses the first free way, or the last (paper, section 3.4.1).
    Associative,
    /// Four ways, selected by the two low bits of the path, in two copies, one per sample (P4).
    ByPath,
    /// 65,536 cells selected by a hash, in two copies (ns-3).
    Direct,
}

/// A preset of options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    /// The values of the paper.
    #[default]
    Paper,
    /// The behaviour of the ns-3 code, as far as hardware allows. The reorder queues of ns-3 are unlimited;
    /// here each port has 62. The clock of ns-3 has 64 bits of nanoseconds; here a tick is 64 ns and time
    /// stamps have 16 bits. The epoch of ns-3 has 32 bits and is not on the wire; here the epoch has 2 bits.
    Ns3,
    /// The behaviour of the P4 code, with its constants.
    P4,
}

/// The options of ConWeave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Options {
    /// Header on the wire, which determines the accepted packets: [`CwForm::Paper`] plain RC packets with
    /// Resv7 = 0, [`CwForm::Restoring`] any packets with Resv8a = 0.
    pub form: CwForm,
    /// Times.
    pub theta: Thetas,
    /// Clocks of a tick. Time stamps are 16 bits of ticks: differences below 2^15 ticks are unambiguous.
    pub clocks_per_tick: u64,
    /// Action if no sampled path is good.
    pub no_good_path: NoGoodPath,
    /// Whether a reroute needs another path: a sample equal to the current path is rejected.
    pub exclude_current: bool,
    /// Whether a new epoch after silence may also move to a sampled path.
    pub inactivity_moves: bool,
    /// The limit for an RTT_REPLY.
    pub reply_compare: ReplyCompare,
    /// Ticks to which a reply in time moves the cutoff, until its second pass (P4); 0: no move.
    pub reply_grace: u16,
    /// The path-busy table.
    pub path_table: PathTable,
    /// The signal of congestion.
    pub notify: Notify,
    /// The time at which a CLEAR is sent.
    pub clear: ClearAt,
    /// Whether a CLEAR is sent when the timer flushed a queue.
    pub clear_on_flush: bool,
    /// The queue of REROUTED packets after the TAIL.
    pub after_tail: AfterTail,
    /// Whether the default time to resume also has the extra term (ns-3).
    pub extra_on_default: bool,
    /// Number of reorder queues of a port, which have the numbers from 1 on. Queue 0 is the default queue,
    /// and the next one is for control packets.
    pub reorder_queues: u8,
    /// Number of queues in which a connection looks for a free one: 3 or 4.
    pub choices: u8,
    /// Whether packets that arrived too early wait. Otherwise packets that do not wait continue at once (to
    /// show the purpose of the queues).
    pub reorder: bool,
    /// Whether bytes in reorder queues count as buffer. The settings of the traffic manager use this option.
    pub charge_reorder: bool,
}

impl Options {
    /// The options of a preset.
    pub fn preset(preset: Preset) -> Self {
        let paper = Self {
            form: CwForm::Paper,
            theta: Thetas { reply: 8, path_busy: 8, inactive: 300, resume_default: 200, resume_extra: 16 },
            clocks_per_tick: 1000,
            no_good_path: NoGoodPath::Abort,
            exclude_current: true,
            inactivity_moves: false,
            reply_compare: ReplyCompare::Strict,
            reply_grace: 0,
            path_table: PathTable::Associative,
            notify: Notify::Separate,
            clear: ClearAt::Tail,
            clear_on_flush: true,
            after_tail: AfterTail::Default,
            extra_on_default: false,
            reorder_queues: 31,
            choices: 4,
            reorder: true,
            charge_reorder: true,
        };
        match preset {
            Preset::Paper => paper,
            Preset::Ns3 => Self {
                theta: Thetas {
                    reply: 125,
                    path_busy: 250,
                    inactive: 4688,
                    resume_default: 3125,
                    resume_extra: 250,
                },
                clocks_per_tick: 64,
                no_good_path: NoGoodPath::Tail,
                exclude_current: false,
                inactivity_moves: true,
                path_table: PathTable::Direct,
                clear_on_flush: false,
                extra_on_default: true,
                reorder_queues: 62,
                charge_reorder: false,
                ..paper
            },
            Preset::P4 => Self {
                theta: Thetas {
                    reply: 12,
                    path_busy: 32,
                    inactive: 10_000_000,
                    resume_default: 10_000,
                    resume_extra: 1000,
                },
                clocks_per_tick: 1024,
                no_good_path: NoGoodPath::Tail,
                exclude_current: false,
                inactivity_moves: true,
                reply_compare: ReplyCompare::Inclusive,
                reply_grace: 4,
                path_table: PathTable::ByPath,
                notify: Notify::Piggyback,
                clear: ClearAt::Drained,
                after_tail: AfterTail::Reorder,
                reorder_queues: 24,
                choices: 3,
                ..paper
            },
        }
    }

    /// The queue of control packets, the highest.
    pub fn control_queue(&self) -> u8 {
        self.reorder_queues.saturating_add(1)
    }

    /// Number of queues that each port needs.
    pub fn queues(&self) -> u16 {
        u16::from(self.reorder_queues) + 2
    }

    /// Number of queues in which a connection looks for a free one: 3 or 4.
    pub fn blocks(&self) -> impl Iterator<Item = (u64, u64)> {
        let ways = u64::from(self.choices.clamp(3, 4));
        let queues = u64::from(self.reorder_queues);
        (0..ways).map(move |way| {
            let first = |way: u64| (way * queues).div_ceil(ways);
            (1 + first(way), first(way + 1) - first(way))
        })
    }
}

impl Default for Options {
    /// The preset of the paper.
    fn default() -> Self {
        Self::preset(Preset::Paper)
    }
}

/// Sizes of the tables of a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Sizes {
    /// Number of ports. The recirculation port has the next number.
    pub ports: u16,
    /// Number of connections that have state, at most 65,536. The rest use ECMP.
    pub connections: u32,
    /// Number of hosts of the whole network.
    pub hosts: u32,
    /// Number of groups of paths: one per other ToR switch, from 1.
    pub groups: u16,
    /// Number of paths of a group, at most 255.
    pub paths: u16,
}

impl Default for Sizes {
    /// 32 ports and 4,096 connections (as in the P4 code).
    fn default() -> Self {
        Self { ports: 32, connections: 4096, hosts: 4096, groups: 256, paths: 32 }
    }
}
