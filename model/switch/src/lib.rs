//! Switches as pipelines (page `docs/switches.md`): what switch hardware can do, and the load balancers of the papers as
//! programs for it.
//!
//! * [`kit`]: programs of stages, register arrays and tables; a program that breaks a rule of the hardware is refused
//!   when it is built; [`kit::Pipe`] runs one;
//! * [`packet`]: parser and deparser on the wire format;
//! * [`schemes`], [`ofan`]: load balancers as programs, with the control planes that fill their tables;
//! * [`topology`]: leaf-spine and fat tree: what leads where;
//!
//! Nothing here knows NICs, clocks of a simulator or I/O: frames come in at a clock and go out at a clock.

#![forbid(unsafe_code)]

pub mod kit;
pub mod ofan;
pub mod packet;
pub mod schemes;
pub mod topology;
