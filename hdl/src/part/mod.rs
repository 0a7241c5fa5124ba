//! Parts that several blocks use.

pub mod context;
pub mod counter;
pub mod far;
pub mod fence;
pub mod fifo;
pub mod icrc;
pub mod narrow;
pub mod published;
pub mod ring;
pub mod skid;
pub mod slots;
pub mod sum;
pub mod wait;
pub mod widen;

use crate::emit::{Emitter, Parameter, Part};
use context::Context;
use fence::Fence;
use fifo::Fifo;
use published::Published;
use ring::compressor::Compressor;
use ring::store::Store;
use rust_hdl_core::prelude::Bits;
use skid::Skid;
use slots::Slots;
use wait::Wait;

/// An emitter that makes one module with parameters from all instances of a part that differ only in their
/// widths.
pub fn emitter() -> Emitter {
    Emitter::new().parts(PARTS)
}

const fn parameter(name: &'static str, doc: &'static str, port: &'static str, more: usize) -> Parameter {
    Parameter { name, doc, port, more }
}

/// The parts with parameters.
pub const PARTS: &[Part] = &[
    Part {
        name: "weft_fifo",
        parameters: &[
            parameter("W", "bits of a word", "in_word", 0),
            parameter("D", "room for 2^D words", "level", 1),
        ],
        samples: &[
            || Box::new(Fifo::<Bits<37>, 3, 4>::default()),
            || Box::new(Fifo::<Bits<91>, 4, 5>::default()),
            || Box::new(Fifo::<Bits<53>, 9, 10>::default()),
        ],
    },
    Part {
        name: "weft_skid",
        parameters: &[parameter("W", "bits of a word", "in_word", 0)],
        samples: &[|| Box::new(Skid::<37>::default()), || Box::new(Skid::<91>::default())],
    },
    Part {
        name: "weft_slots",
        parameters: &[parameter("W", "bits of a word", "word", 0)],
        samples: &[|| Box::new(Slots::<Bits<37>>::default()), || Box::new(Slots::<Bits<91>>::default())],
    },
    Part {
        name: "weft_fence",
        parameters: &[parameter("W", "2^W - 1 may be inside", "ahead", 0)],
        samples: &[|| Box::new(Fence::<5>::default()), || Box::new(Fence::<11>::default())],
    },
    Part {
        name: "weft_context",
        parameters: &[
            parameter("W", "bits of a word", "word", 0),
            parameter("A", "2^A connections", "in_id", 0),
        ],
        samples: &[
            || Box::new(Context::<Bits<37>, 5>::default()),
            || Box::new(Context::<Bits<91>, 7>::default()),
            || Box::new(Context::<Bits<53>, 11>::default()),
            || Box::new(Context::<Bits<149>, 12>::default()),
        ],
    },
    Part {
        name: "weft_published",
        parameters: &[
            parameter("W", "bits of a word", "wdata", 0),
            parameter("A", "2^A connections", "waddr", 0),
        ],
        samples: &[
            || Box::new(Published::<Bits<37>, 5>::default()),
            || Box::new(Published::<Bits<91>, 7>::default()),
            || Box::new(Published::<Bits<53>, 11>::default()),
            || Box::new(Published::<Bits<149>, 12>::default()),
        ],
    },
    Part {
        name: "weft_wait",
        parameters: &[parameter("W", "bits of a word", "word", 0)],
        samples: &[|| Box::new(Wait::<Bits<37>>::default()), || Box::new(Wait::<Bits<91>>::default())],
    },
    Part {
        name: "weft_ring_compressor",
        parameters: &[parameter("W", "columns", "ones", 0)],
        samples: &[|| Box::new(Compressor::<37>::default()), || Box::new(Compressor::<91>::default())],
    },
    Part {
        name: "weft_ring_store",
        parameters: &[parameter("A", "2^A connections", "in_id", 0)],
        samples: &[
            || Box::new(Store::<5, 256>::default()),
            || Box::new(Store::<7, 256>::default()),
            || Box::new(Store::<12, 256>::default()),
        ],
    },
];
