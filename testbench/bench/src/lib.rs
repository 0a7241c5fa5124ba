//! The bench: two views of a block, the model and the RTL under Verilator, side by side. The bench is
//! independent of the block.

pub mod bind;
mod block;
mod error;
mod events;
mod exchange;
pub mod lockstep;
mod mismatch;
mod monitor;
pub mod page;
mod plant;
mod random;
mod rtl;
mod rules;
pub mod script;
pub mod session;
pub mod timing;
pub mod verilog;

pub use block::{Block, FromPorts, Visit, low16, low24};
pub use error::Error;
pub use events::EventBlock;
pub use exchange::{Exchange, Own};
pub use lockstep::{Driver, Report, Watch};
pub use mismatch::{Mismatch, hex};
pub use monitor::{Monitor, Pins, Port, Shown, group, valid_of};
pub use plant::Plant;
pub use random::{After, Events, RandomDriver};
pub use rtl::{Rtl, build};
pub use rules::{Broken, Rule, Terms};
pub use session::{Finding, Session, Subject};
