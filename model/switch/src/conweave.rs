//! ConWeave (SIGCOMM 2023): a ToR switch moves a connection off a path whose reply is late. The ToR switch at
//! the connection's far end holds back packets that arrive too early, so that hosts get packets in order.
//! Page `docs/blocks/conweave.md`.
//!
//! * [`tor`]: the program of a ToR switch; [`transit`]: the program of the switches between ToR switches;
//! * [`Options`] and [`Preset`]: paper, ns-3, P4, and an option for each difference between them;
//! * [`Control`]: the control plane of a switch, which fills the tables; [`install`] fills them for a
//!   topology;
//! * [`counters`]: the counts of the switches.

mod control;
mod counters;
mod destination;
mod fields;
mod install;
pub mod opcode;
mod options;
mod reorder;
pub(crate) mod scheme;
mod source;
mod stages;
#[cfg(test)]
mod tests;
mod tor;
mod transit;

/// The meaning of the programs' operations, for code that carries them out without stages.
pub mod rules {
    pub use super::counters::{event, extra};
    pub use super::destination::{CURRENT, EARLIER, NEW, classed, expires, old, ordered, resumes, tail};
    pub use super::fields::{action, copy, kind, looping, outcome, role, verb};
    pub use super::install::{paths, port_of, uplinks};
    pub use super::reorder::{FIND, SPOT_SEED, held, owner, queue_of, seek};
    pub use super::source::{
        PATH_SEED, busy_by_path, busy_direct, busy_way, choice, cutoff, epoch, silent, tail_left, verb,
        watched,
    };
    pub use super::tor::{COPY_BYTES, FLOW_SEED, copied, flow_control};
    pub use super::transit::LAYER_SEED;
}

pub use control::{Address, Control, Place};
pub use counters::{COPIES, EVENTS, EXTRAS, TRANSIT, counter, counters};
pub use install::install;
pub use options::{
    AfterTail, ClearAt, NoGoodPath, Notify, Options, PathTable, Preset, ReplyCompare, Sizes, Thetas,
};
pub use scheme::ConWeave;
pub use tor::tor;
pub use transit::transit;
