//! Workloads and traffic traces of hosts, and the plans of messages that follow from them.

mod all_reduce;
pub(crate) mod build;
pub(crate) mod flows;
pub(crate) mod kind;
pub(crate) use weft_fabric::workload::matrix;
pub(crate) mod plan;
