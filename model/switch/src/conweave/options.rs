//! The options of a ConWeave switch: sizes, times, and a switch for every place where the paper, its ns-3 code and its
//! P4 code differ.

use crate::packet::CwForm;
use serde::{Deserialize, Serialize};

/// Times, in ticks of [`Options::clocks_per_tick`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Thetas {
    /// An RTT_REPLY has so long (paper, Table 3). A connection may have another value: [`super::Control::connect`].
    pub reply: u16,
    /// A path that a NOTIFY names is avoided for so long.
    pub path_busy: u32,
    /// A connection that was silent for longer begins a new epoch.
    pub inactive: u32,
    /// A reorder queue waits so long if no OLD packet of the epoch came (paper, Appendix A).
    pub resume_default: u32,
    /// Added to the expected arrival of the TAIL.
    pub resume_extra: u32,
}

/// A reply was missed and no sampled path is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoGoodPath {
    /// Rerouting is aborted; the next packet tries again (paper, section 3.2.2).
    Abort,
    /// A TAIL is sent all the same and the path stays (ns-3, P4).
    Tail,
}

/// When a CLEAR is sent if a reorder queue holds packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClearAt {
    /// As the TAIL arrives, or the timer flushes (paper, section 3.3.1).
    Tail,
    /// When the queue has drained (P4).
    Drained,
}

/// Where REROUTED packets go after the TAIL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AfterTail {
    /// To Q0 at once (paper, Fig. 9c).
    Default,
    /// To the reorder queue until the loop packet has seen the TAIL (P4).
    Reorder,
}

/// How congestion is signalled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Notify {
    /// A NOTIFY for each marked packet, besides other copies that it causes (paper, ns-3). A packet has one copy in
    /// ingress: if another copy uses it, the NOTIFY is made as the packet leaves.
    Separate,
    /// One copy a packet: CLEAR before RTT_REPLY before the loop packet before NOTIFY; the others are lost.
    Merged,
    /// The same, and an RTT_REPLY says by its TAIL bit that its request was marked (P4).
    Piggyback,
}

/// When an RTT_REPLY is in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReplyCompare {
    /// Before the tick of the cutoff (paper, ns-3).
    Strict,
    /// In it, too (P4).
    Inclusive,
}

/// The path-busy table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PathTable {
    /// Four ways over four stages; a NOTIFY takes the first that is free, or the last (paper, section 3.4.1).
    Associative,
    /// Four ways, of which the path's two low bits choose one; two copies, one per sample (P4).
    ByPath,
    /// 65,536 cells by a hash, in two copies (ns-3).
    Direct,
}

/// A preset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    /// The paper's values.
    #[default]
    Paper,
    /// As the ns-3 code does, as near as hardware comes: its reorder queues are unlimited, here they are 62 a port; its
    /// clock has 64 bits of nanoseconds, here a tick is 64 ns and time stamps have 16 bits; its epoch has 32 bits and no
    /// place on the wire, here it has 2.
    Ns3,
    /// As the P4 code does, with the constants that it ships.
    P4,
}

/// How ConWeave works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Options {
    /// Header on the wire, and with it which packets are accepted: [`CwForm::Paper`] plain RC packets with Resv7 =
    /// 0, [`CwForm::Restoring`] any with Resv8a = 0.
    pub form: CwForm,
    /// Times.
    pub theta: Thetas,
    /// Clocks of a tick. Time stamps are 16 bits of ticks: differences below 2^15 ticks are unambiguous.
    pub clocks_per_tick: u64,
    /// If no sampled path is good.
    pub no_good_path: NoGoodPath,
    /// A reroute is to another path: a sample that is the current path is not good.
    pub exclude_current: bool,
    /// A new epoch after silence may move to a sampled path, too.
    pub inactivity_moves: bool,
    /// When an RTT_REPLY is in time.
    pub reply_compare: ReplyCompare,
    /// Ticks that the cutoff is moved to by a reply that is in time, until its second pass (P4); 0: it is not moved.
    pub reply_grace: u16,
    /// The path-busy table.
    pub path_table: PathTable,
    /// How congestion is signalled.
    pub notify: Notify,
    /// When a CLEAR is sent.
    pub clear: ClearAt,
    /// A CLEAR is sent when the timer flushed a queue.
    pub clear_on_flush: bool,
    /// Where REROUTED packets go after the TAIL.
    pub after_tail: AfterTail,
    /// The default time to resume has the extra term, too (ns-3).
    pub extra_on_default: bool,
    /// Reorder queues of a port. They are queues 1 to this; 0 is the default one, the next is for control.
    pub reorder_queues: u8,
    /// Queues among which a connection may find a free one: 3 or 4.
    pub choices: u8,
    /// Packets that came too early wait; off, they go on as they come (to see the purpose of the queues).
    pub reorder: bool,
    /// Bytes in reorder queues count as buffer. This option is for the settings of the traffic manager.
    pub charge_reorder: bool,
}

impl Options {
    /// A preset.
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

    /// Queues that each port needs.
    pub fn queues(&self) -> u16 {
        u16::from(self.reorder_queues) + 2
    }

    /// The queues among which each choice of a connection falls: first queue and how many.
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
    /// The paper's.
    fn default() -> Self {
        Self::preset(Preset::Paper)
    }
}

/// How large the tables of a switch are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Sizes {
    /// Ports; the recirculation port is the one after the last.
    pub ports: u16,
    /// Connections that have state, at most 65,536. The rest go by ECMP.
    pub connections: u32,
    /// Hosts of the whole network.
    pub hosts: u32,
    /// Groups of paths: one per other ToR switch, from 1.
    pub groups: u16,
    /// Paths of a group, at most 255.
    pub paths: u16,
}

impl Default for Sizes {
    /// 32 ports and 4,096 connections (as the P4 code).
    fn default() -> Self {
        Self { ports: 32, connections: 4096, hosts: 4096, groups: 256, paths: 32 }
    }
}
