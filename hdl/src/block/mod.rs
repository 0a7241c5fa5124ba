//! The blocks: `block/<name>.rs` is the module `weft_<name>`, the folder beside it what it is made of.

pub mod bypass_user;
pub mod egress;
pub mod ingress;
pub mod nic;
pub mod receiver;
pub mod registers;
pub mod reps;
pub mod sack_rx;
pub mod sack_tx;
pub mod sender;
pub mod smartt;

use crate::emit::Emitter;
use weft_params::{RepsParams, SackParams};

/// An emitter that tells the parameters of the blocks below a top, as they tell them where they are tops.
fn emitter(params: &SackParams) -> Emitter {
    const BLOCKS: [&str; 8] =
        ["registers", "ingress", "receiver", "sender", "egress", "sack_rx", "sack_tx", "smartt"];
    let reps = RepsParams { connections: params.connections, ..RepsParams::default() };
    let emitter = crate::part::emitter().parameter("connections", params.connections);
    let tell = |emitter: Emitter, block| {
        emitter.parameter_of(&format!("weft_{block}"), "connections", params.connections)
    };
    BLOCKS
        .into_iter()
        .fold(emitter, tell)
        .parameter_of("weft_reps", "connections", reps.connections)
        .parameter_of("weft_reps", "depth", reps.depth)
        .parameter_of("weft_reps", "ev_width", reps.ev_width)
}
