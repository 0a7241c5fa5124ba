//! SMaRTT congestion window (page `docs/blocks/smartt.md`; its rule numbers are beside the code that
//! they force). Source: SMaRTT-REPS, section 3, Algorithms 1 to 3.
//!
//! A step has two exact divisions, which the RTL does in pipelines of their own. So the step has five parts,
//! each over any word type, with a division after the first and after the third part:
//!
//! 1. [`read_signals`]: the congestion that an event signals. `Signals::delay / Signals::rtt` follows.
//! 2. [`gains`]: the bytes that an acknowledged byte then adds.
//! 3. [`decide`]: which rule applies, all state but the window. `Decision::numerator / denominator` follows.
//! 4. [`moved`]: the window.
//! 5. [`settle`]: the window within its bounds.
//!
//! * [`Smartt`] is the transaction view: all connections.
//! * [`Clocked`] is the RTL's twin, port for port and clock for clock.

mod clocked;
mod state;
mod step;
mod transaction;

pub use clocked::{Clocked, Inputs, LATENCY, Outputs, SPACING};
pub use state::{Case, Class, Control, Csr, Kind, Stimulus};
pub use step::{Congestion, Decision, Gains, decide, gains, moved, read_signals, settle};
pub(crate) use transaction::quotient;
pub use transaction::{Event, Outcome, Smartt};
