//! The proof that the Verilog of `weft_sack_rx` agrees with the model, for every state and input (page
//! `docs/proof.md`).

pub mod pipeline;
pub mod step;
pub mod words;

use crate::Error;
use crate::ring::Leaf;
use crate::{Claim, Solvers, alone, context, design, part, ram, ring, skid};
use pipeline::Pipeline;
use step::{Model, Step};
use weft_blocks::sack_rx::Windowed;
use weft_hdl::Module;
use weft_hdl::catalogue::Shape;
use weft_params::SackParams;
use weft_symbolic::{Design, Yosys};
use weft_word::{Bits, Stored};

/// The pipelines on rings: their kinds and modules.
const RINGS: [(Leaf, &str); 6] = [
    (Leaf::Hot, "weft_sack_rx_window.hot"),
    (Leaf::Below, "weft_sack_rx_window.below"),
    (Leaf::Span, "weft_sack_rx_window.span"),
    (Leaf::Find, "weft_sack_rx_window.find"),
    (Leaf::Count, "weft_sack_rx_window.count"),
    (Leaf::Rotate, "weft_sack_rx_window.rotate"),
];

/// More of them in windows above 256 PSNs.
const LARGER: [(Leaf, &str); 2] =
    [(Leaf::Extent, "weft_sack_rx_window_cover.extent"), (Leaf::Finds, "weft_sack_rx_window.finds_0")];

/// The delays.
const WAITS: [&str; 3] =
    ["weft_sack_rx_window.s15_missing", "weft_sack_rx_window.s20_judgement", "weft_sack_rx_window.s20_along"];

/// Words of connections, and the prefix of the `Context` in them.
const CONTEXTS: [(&str, &str); 2] =
    [("weft_sack_rx_window.received", "rings."), ("weft_sack_rx_account.words", "")];

/// The instances of `Published`.
const PUBLISHED: &str = "weft_sack_rx_window.published";

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
    const ALL: &'static [Self] = &[Self::Rings, Self::Words, Self::Step, Self::Pipeline, Self::Skid];
    const SHAPES: &'static [SackParams] =
        &[SackParams { connections: 256 }, SackParams { connections: 4 }, SackParams { connections: 4096 }];

    fn of(shape: &Shape) -> part::ParamsOf<Self> {
        shape.sack()
    }

    fn alone() -> Vec<&'static str> {
        let contexts = CONTEXTS.map(|(path, _)| path);
        [&Self::paths()[..], &contexts, &WAITS, &[PUBLISHED]].concat()
    }

    fn name(self) -> &'static str {
        match self {
            Self::Rings => "rings",
            Self::Words => "words",
            Self::Step => "step",
            Self::Pipeline => "pipeline",
            Self::Skid => "skid",
        }
    }

    fn shape(params: &SackParams) -> String {
        part::with_psns(params, 1 << S)
    }

    fn whole(yosys: &Yosys, modules: &[Module]) -> Result<Design, Error> {
        ram::watched(yosys, modules, "weft_sack_rx", "rx")
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
        let mut proof = solvers.proof(part::prover(1 << S));
        match self {
            Self::Rings => ring::prove::<S, N, L>(&Self::rings(), yosys, modules, &mut proof)?,
            Self::Words => {
                ram::refines(yosys, modules, &mut proof)?;
                // Both rings are instances of one module.
                for (name, prefix) in CONTEXTS {
                    context::context(yosys, modules, name, prefix, &mut proof)?;
                }
                for name in WAITS {
                    context::wait(yosys, modules, name, &mut proof)?;
                }
                context::published(yosys, modules, PUBLISHED, &mut proof)?;
            }
            Self::Step => Step::<S, N, L>::new(whole, Model::MODEL)?.prove(&mut proof)?,
            Self::Pipeline => Pipeline::<N>::new(whole).prove(&mut proof)?,
            Self::Skid => {
                skid::queue(&design(yosys, modules, "weft_sack_rx.skid", "skid")?, &mut proof)?;
                skid::slots(design(yosys, modules, "weft_sack_rx.slots", "slots")?, &mut proof)?;
            }
        }
        Ok(solvers.claims(self.name(), &proof))
    }
}
