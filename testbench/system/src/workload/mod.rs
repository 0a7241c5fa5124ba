//! What hosts want of their NICs: workloads and traffic traces, and the plans of messages that they come down to.

mod all_reduce;
pub(crate) mod build;
pub(crate) mod flows;
pub(crate) mod kind;
pub(crate) use weft_fabric::workload::matrix;
pub(crate) mod plan;
