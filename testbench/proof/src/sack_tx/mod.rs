//! The proof that the Verilog of `weft_sack_tx` agrees with the model, for every state and input (page
//! `docs/proof.md`).

pub mod calm;
pub mod pipeline;
pub mod requests;
pub mod step;
pub mod words;

use crate::Error;
use crate::ring::Leaf;
use crate::{Claim, Solvers, alone, context, design, part, ram, skid};
use pipeline::Pipeline;
use step::{Model, Step};
use weft_blocks::sack_tx::Windowed;
use weft_hdl::Module;
use weft_hdl::catalogue::Shape;
use weft_params::SackParams;
use weft_symbolic::{Design, Multiply, Prover, Yosys};
use weft_word::{Bits, Stored};

/// The pipelines on rings: their kinds and modules.
const RINGS: [(Leaf, &str); 6] = [
    (Leaf::Point, "weft_sack_tx_window.here"),
    (Leaf::Extent, "weft_sack_tx_window.told"),
    (Leaf::Span, "weft_sack_tx_window.judged"),
    (Leaf::Find, "weft_sack_tx_window.find"),
    (Leaf::Count, "weft_sack_tx_window.count"),
    (Leaf::Rotate, "weft_sack_tx_window.rotate"),
];

/// One more in windows above 256 PSNs.
const LARGER: [(Leaf, &str); 1] = [(Leaf::Finds, "weft_sack_tx_window.finds_0")];

/// The delays.
const WAITS: [&str; 6] = [
    "weft_sack_tx.s3_event",
    "weft_sack_tx.s18_event",
    "weft_sack_tx.s16_base",
    "weft_sack_tx.s19_aim",
    "weft_sack_tx_finish.s29_settled",
    "weft_sack_tx_finish.s30_left",
];

/// Words of connections, and the prefix of the `Context` in them.
const CONTEXTS: [(&str, &str); 6] = [
    ("weft_sack_tx_window.waiting", "rings."),
    ("weft_sack_tx_settle.flows", ""),
    ("weft_sack_tx_settle.tallies", ""),
    ("weft_sack_tx_publish.turns", ""),
    ("weft_sack_tx_finish.ends", ""),
    ("weft_sack_tx_finish.account", ""),
];

/// The instances of `Published`.
const PUBLISHED: [&str; 4] = [
    "weft_sack_tx.published",
    "weft_sack_tx.views",
    "weft_sack_tx_scheduler.cards",
    "weft_sack_tx_scanner.timers",
];

/// A part of the proof of the block with a window of 2^`S` PSNs; `N = S + 1`, `L` = 2^`S` / 128.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<const S: usize = 8, const N: usize = 9, const L: usize = 2> {
    /// The functions of the pipelines on rings.
    Rings,
    /// Words of connections: read and written.
    Words,
    /// An event makes the step of the model.
    Step,
    /// Events enter in order, and outcomes leave in order.
    Pipeline,
    /// The scheduler of connections, and the scanner of timers.
    Requests,
    /// The output queue.
    Skid,
}

impl<const S: usize, const N: usize, const L: usize> Part<S, N, L> {
    /// The pipelines on rings.
    fn rings() -> Vec<(Leaf, &'static str)> {
        if S == 8 { RINGS.to_vec() } else { [&RINGS[..], &LARGER].concat() }
    }

    fn paths() -> Vec<&'static str> {
        Self::rings().into_iter().map(|(_, path)| path).collect()
    }
}

impl<const S: usize, const N: usize, const L: usize> part::Part for Part<S, N, L>
where
    Bits<S>: Stored,
    Bits<N>: Stored,
{
    type Dut = Windowed<S, N, L>;
    const ALL: &'static [Self] =
        &[Self::Rings, Self::Words, Self::Step, Self::Pipeline, Self::Requests, Self::Skid];
    const SHAPES: &'static [SackParams] =
        &[SackParams { connections: 256 }, SackParams { connections: 4 }, SackParams { connections: 4096 }];
    const APART: &'static [&'static str] = &["scheduler", "scanner"];
    const FREE: &'static [&'static str] = &["views"];

    fn of(shape: &Shape) -> part::ParamsOf<Self> {
        shape.sack()
    }

    fn alone() -> Vec<&'static str> {
        let contexts = CONTEXTS.map(|(path, _)| path);
        [&Self::paths()[..], &contexts, &WAITS, &PUBLISHED].concat()
    }

    fn name(self) -> &'static str {
        match self {
            Self::Rings => "rings",
            Self::Words => "words",
            Self::Step => "step",
            Self::Pipeline => "pipeline",
            Self::Requests => "requests",
            Self::Skid => "skid",
        }
    }

    fn shape(params: &SackParams) -> String {
        part::with_psns(params, 1 << S)
    }

    fn whole(yosys: &Yosys, modules: &[Module]) -> Result<Design, Error> {
        ram::watched(yosys, modules, "weft_sack_tx", "tx")
    }

    fn about(self, modules: &[Module]) -> Option<Vec<Module>> {
        // The pipelines on rings do not depend on the number of connections.
        (self == Self::Rings).then(|| alone::text(modules, &Self::paths()))
    }

    fn prove(
        self,
        yosys: &Yosys,
        solvers: &Solvers,
        modules: &[Module],
        whole: &Design,
    ) -> Result<Vec<Claim>, Error> {
        // Both sides have products with the same factors, or with a factor that is one more.
        let mut proof = solvers.proof(Prover { multiply: Multiply::Uninterpreted, ..part::prover(1 << S) });
        match self {
            Self::Rings => {
                for (leaf, module) in Self::rings() {
                    leaf.prove::<S, N, L>(yosys, modules, module, &mut proof)?;
                    if !proof.is_proved() {
                        break;
                    }
                }
            }
            Self::Words => {
                ram::refines(yosys, modules, &mut proof)?;
                // All rings are instances of one module.
                for (name, prefix) in CONTEXTS {
                    context::context(yosys, modules, name, prefix, &mut proof)?;
                }
                for name in WAITS {
                    context::wait(yosys, modules, name, &mut proof)?;
                }
                for name in PUBLISHED {
                    context::published(yosys, modules, name, &mut proof)?;
                }
            }
            Self::Step => {
                Step::<S, N, L>::new(whole, Model::MODEL)?.prove(&mut proof)?;
                calm::prove::<S, N, L>(weft_nic::block::sack_tx::calm, &mut proof)?;
            }
            Self::Pipeline => Pipeline::<N>::new(whole).prove(&mut proof)?,
            Self::Requests => {
                let part = |name: &str| ram::watched(yosys, modules, name, name);
                requests::scheduler(&part("weft_sack_tx_scheduler")?, &mut proof)?;
                requests::scanner(&part("weft_sack_tx_scanner")?, &mut proof)?;
            }
            Self::Skid => {
                skid::queue(&design(yosys, modules, "weft_sack_tx.skid", "skid")?, &mut proof)?;
                skid::slots(design(yosys, modules, "weft_sack_tx.slots", "slots")?, &mut proof)?;
            }
        }
        Ok(solvers.claims(self.name(), &proof))
    }
}
