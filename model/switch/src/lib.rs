//! Switches as pipelines (page `docs/switches.md`): the abilities of switch hardware, and the load balancers of the
//! papers as programs for it.
//!
//! * [`kit`]: programs of stages, register arrays and tables; a program that breaks a rule of the hardware is refused
//!   when it is built; [`kit::Pipe`] runs one;
//! * [`packet`]: parser and deparser on the wire format;
//! * [`tm`]: the traffic manager: queues, buffer, marking, trimming; [`pfc`]: the frames that pause a wire;
//! * [`switch`]: the whole, in a clocked and a transaction view;
//! * [`schemes`], [`ofan`], [`conweave`]: load balancers as programs, with the control planes that fill their tables;
//! * [`topology`]: leaf-spine and fat tree, and where each port leads;
//!
//! Nothing here knows NICs, clocks of a simulator or I/O: frames come in at a clock and go out at a clock.

#![forbid(unsafe_code)]

pub mod conweave;
pub mod kit;
pub mod ofan;
pub mod packet;
pub mod pfc;
pub mod programs;
pub mod schemes;
pub mod switch;
pub mod tm;
pub mod topology;
