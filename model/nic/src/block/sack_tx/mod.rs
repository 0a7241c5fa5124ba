//! Sender of the out-of-order transport (page `docs/blocks/sack_tx.md`; its rule numbers are beside the
//! code that they force). Sources: ARCANE 4.1, OFAN 4 and 8.2, `wire.md` 7, `nic.md` 3.
//!
//! * [`place`], [`mark`], [`survey`], [`settle`], [`end`] and [`finish`] are one event of one connection,
//!   over any word type; each function reads only the decisions of the earlier functions.
//! * [`SackTx`] is the transaction view: all connections, their messages, and the turn of connections to
//!   send.
//! * [`Clocked`] is the RTL's twin, port for port and clock for clock.

mod clocked;
mod event;
mod found;
mod messages;
mod rings;
mod shaped;
mod state;
mod step;
mod timer;
mod transaction;

pub use clocked::{Clocked, Inputs, LATENCY, Outputs, PUBLISHED_AFTER};
pub use event::{Event, Outcome};
pub(crate) use found::Found;
pub use messages::{Account, Ends, GROUPS, Group, Messages, Spot, end, finish, spot};
pub use rings::{calm, judge, known, leave, mark, survey};
pub use shaped::{Shaped, ShapedClocked};
pub use state::{Csr, Flow, Horizon, Kind, LONGEST, Published, Reason, Rings, Stimulus, View};
pub use step::{Action, Card, Place, Run, Survey, place, settle};
pub use transaction::SackTx;
