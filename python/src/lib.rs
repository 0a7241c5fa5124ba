//! The native part of `weft_sim` (page `docs/python.md`): runs and sweeps of the simulator, and the bit-exact
//! models. The package in `python/weft_sim` adds the parts that are written in Python: plots, launchers, the
//! command.
//!
//! * `setup`: a setup, its run, the result;
//! * `fabric`: a fabric that accepts flows while it runs;
//! * `sweep`: the points of a sweep, a run of one, the table;
//! * `table`: columns, which other packages read by Arrow's capsule interface;
//! * `blocks`, `nic`: the transaction views of the models;
//! * `scoreboard`: compares the outputs of a design with those of the model.

mod blocks;
mod error;
mod fabric;
mod nic;
mod scoreboard;
mod setup;
mod sweep;
mod table;
mod words;

use pyo3::prelude::*;

/// See the crate's page.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::blocks::{
        Reps, RepsOutcome, SackRx, SackRxOutcome, SackTx, SackTxOutcome, Smartt, SmarttOutcome,
    };
    #[pymodule_export]
    use crate::error::{Difference, SetupError};
    #[pymodule_export]
    use crate::fabric::{Done, Fabric, Late};
    #[pymodule_export]
    use crate::nic::{Incoming, Nic, Outgoing, Received, Sent};
    #[pymodule_export]
    const STATUSES: [&str; 7] = crate::nic::STATUSES;
    #[pymodule_export]
    use crate::scoreboard::Scoreboard;
    #[pymodule_export]
    use crate::setup::{Plan, Run, program_is};
    #[pymodule_export]
    use crate::sweep::{Figures, Points};
    #[pymodule_export]
    use crate::table::Table;
}
