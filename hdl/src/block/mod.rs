//! The blocks: `block/<name>.rs` is the module `weft_<name>`, and the folder beside it has its parts.

/// Selects the shape for a number of connections: `shape!` with the bits of the connection number. On request
/// also with the bits of a scan, which takes at least 64 clocks.
macro_rules! by_connections {
    ($connections:expr, $shape:ident) => {
        match $connections {
            4 => $shape!(2),
            16 => $shape!(4),
            64 => $shape!(6),
            256 => $shape!(8),
            1024 => $shape!(10),
            4096 => $shape!(12),
            _ => $shape!(14),
        }
    };
    ($connections:expr, $shape:ident, scan) => {
        match $connections {
            4 => $shape!(2, 6),
            16 => $shape!(4, 6),
            64 => $shape!(6, 6),
            256 => $shape!(8, 8),
            1024 => $shape!(10, 10),
            4096 => $shape!(12, 12),
            _ => $shape!(14, 14),
        }
    };
}

pub mod bypass_user;
pub mod egress;
pub mod ingress;
pub mod nic;
pub mod nscc;
pub mod receiver;
pub mod registers;
pub mod reps;
pub mod sack_rx;
pub mod sack_tx;
pub mod sender;
pub mod smartt;

use crate::emit::Emitter;
use weft_params::{RepsParams, SackParams, SenderParams, WindowAlgorithm};

/// An emitter that sets the parameters of the blocks below a top, as those blocks have them when they are tops.
/// `psns` is the window: the Rust types of these blocks have transports with 256 PSNs, which the emitter can replace.
fn emitter(params: &SackParams, psns: u32) -> Emitter {
    const BLOCKS: [&str; 9] =
        ["registers", "ingress", "receiver", "sender", "egress", "sack_rx", "sack_tx", "smartt", "nscc"];
    let reps = RepsParams { connections: params.connections, ..RepsParams::default() };
    let emitter = told(crate::part::emitter().parameter("connections", params.connections), psns);
    let tell = |emitter: Emitter, block| {
        emitter.parameter_of(&format!("weft_{block}"), "connections", params.connections)
    };
    let emitter = BLOCKS
        .into_iter()
        .fold(emitter, tell)
        .parameter_of("weft_reps", "connections", reps.connections)
        .parameter_of("weft_reps", "depth", reps.depth)
        .parameter_of("weft_reps", "ev_width", reps.ev_width);
    if psns == SackParams::WINDOW {
        return emitter;
    }
    const WITH_WINDOW: [&str; 7] =
        ["registers", "ingress", "receiver", "sender", "egress", "sack_rx", "sack_tx"];
    WITH_WINDOW
        .into_iter()
        .fold(emitter, |emitter, block| emitter.parameter_of(&format!("weft_{block}"), "psns", psns))
        .instead("weft_sack_rx", sack_rx::part(params.connections, psns))
        .instead("weft_sack_tx", sack_tx::part(params.connections, psns))
}

/// An emitter that tells the PSNs of a window in the header of its top, unless they are the usual 256.
fn told(emitter: Emitter, psns: u32) -> Emitter {
    if psns == SackParams::WINDOW { emitter } else { emitter.parameter("psns", psns) }
}

/// An emitter of a top that has a sender. The Rust types of these blocks contain SMaRTT; the emitter can
/// replace it by another block.
fn emitter_of(sender: &SenderParams) -> Emitter {
    let emitter = emitter(&sender.blocks(), sender.psns);
    match sender.window {
        WindowAlgorithm::Smartt => emitter,
        WindowAlgorithm::Nscc => {
            let told = "nscc; the ports and registers of SMaRTT hold its constants, see docs/blocks/nscc.md";
            let emitter = emitter.parameter("window", told).parameter_of("weft_sender", "window", told);
            emitter.instead("weft_smartt", nscc::part(sender.connections))
        }
    }
}
