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
//! This crate uses no NICs, no clocks of a simulator and no I/O: a frame enters at a clock and leaves at a
//! clock.
//!
//! A program that sends the packets of each ingress port in turns over four ports, and a packet through it:
//!
//! ```
//! use std::sync::Arc;
//! use weft_switch::kit::intrinsic::{PORT_IN, PORT_OUT};
//! use weft_switch::kit::{Builder, Gress, Guard, Pipe, Profile};
//!
//! let mut builder = Builder::new("turns", Profile::default());
//! // 16 cells of 8 bits, one for each ingress port; their first value is 0.
//! let turn = builder.array("turn", 16, 8, 0);
//! builder.ingress(0).register(("next", turn, PORT_IN), Guard::Always, [], [PORT_OUT], |cell, []| {
//!     let port = *cell;
//!     *cell = (*cell + 1) % 4;
//!     [port]
//! });
//! let mut pipe = Pipe::new(Arc::new(builder.build()?), 1, 1);
//! let ports = [0; 5].map(|_| {
//!     let mut packet = pipe.phv();
//!     packet[PORT_IN] = 6;
//!     pipe.run(Gress::Ingress, &mut packet, &[]);
//!     packet[PORT_OUT]
//! });
//! assert_eq!(ports, [0, 1, 2, 3, 0]);
//! # Ok::<(), weft_switch::kit::ProgramError>(())
//! ```

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
