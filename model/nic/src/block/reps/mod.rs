//! REPS entropy buffer and freezing FSM (page `docs/blocks/reps.md`; its rule numbers are beside
//! the code that they force). Sources: REPS, Algorithms 1 and 2, Table 1, Appendix A; SMaRTT-REPS,
//! Algorithm 4.
//!
//! * [`step`] decides, over any word type, the effect of an event on the control word of its
//!   connection and the action on the connection's entropy values.
//! * [`Reps`] is the transaction view: all connections, their entropy values, the random numbers.
//! * [`Clocked`] is the RTL's twin, port for port and clock for clock.

mod clocked;
mod state;
mod step;
mod transaction;

pub use clocked::{Clocked, Inputs, LATENCY, Outputs};
pub use state::{Control, Csr, Kind, Source, Stimulus};
pub use step::{Action, elapsed, step, step_with};
pub use transaction::{Event, Outcome, Reps};
