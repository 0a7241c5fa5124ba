//! Receiver of the out-of-order transport (page `docs/blocks/sack_rx.md`; its rule numbers are beside the
//! code that they force). Sources: ARCANE 4.1 (256-PSN SACK bitmaps), OFAN 4, `wire.md` 7, `nic.md` 3.
//!
//! * [`place`], [`received_after`], [`advance`] and [`account`] are one event of one connection, over any
//!   word type; each function reads only the decisions of the earlier functions.
//! * [`SackRx`] is the transaction view: all connections.
//! * [`Clocked`] is the RTL's twin, port for port and clock for clock.

mod clocked;
mod shaped;
mod state;
mod step;
mod transaction;

pub use clocked::{Clocked, Inputs, LATENCY, Outputs, PUBLISHED_AFTER};
pub use shaped::{Shaped, ShapedClocked};
pub use state::{Csr, Kind, Published, Response, State, Stimulus, Tail, Verdict};
pub use step::{Action, Advance, Place, account, advance, place, received_after, received_before, step};
pub use transaction::{Event, Outcome, SackRx};
