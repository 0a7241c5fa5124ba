//! The proof of `weft_nscc`: its Verilog behaves as the model does, for every state and input (page
//! `docs/proof.md`).

pub mod pipeline;
pub mod step;
pub mod words;

use crate::Error;
use crate::paced::Paced;
use crate::{Claim, Solvers, context, design, divider, part, product, ram, skid};
use pipeline::Pipeline;
use step::{MODEL, Step};
use weft_blocks::nscc::Dut;
use weft_hdl::catalogue::Shape;
use weft_hdl::emit::Module;
use weft_params::NsccParams;
use weft_symbolic::{Design, Multiply, Prover, Yosys};

/// The delays.
const WAITS: [&str; 6] = [
    "weft_nscc_window.event13",
    "weft_nscc_window.base30",
    "weft_nscc_window.decided33",
    "weft_nscc_window.added34",
    "weft_nscc_window.decided48",
    "weft_nscc_window.start49",
];

/// A part of the proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Both dividers compute the quotient.
    Divider,
    /// A product in parts equals the product.
    Product,
    /// An event makes the model's step.
    Step,
    /// One word represents a RAM; words that only wait.
    Ram,
    /// Events find the right state and stay in order.
    Pipeline,
    /// The output queue.
    Skid,
}

impl part::Part for Part {
    type Dut = Dut;
    const ALL: &'static [Self] =
        &[Part::Divider, Part::Product, Part::Step, Part::Ram, Part::Pipeline, Part::Skid];
    const SHAPES: &'static [NsccParams] =
        &[NsccParams { connections: 256 }, NsccParams { connections: 4 }, NsccParams { connections: 4096 }];

    fn of(shape: &Shape) -> part::ParamsOf<Self> {
        shape.nscc()
    }

    fn alone() -> Vec<&'static str> {
        WAITS.to_vec()
    }

    fn name(self) -> &'static str {
        match self {
            Part::Divider => "divider",
            Part::Product => "product",
            Part::Step => "step",
            Part::Ram => "RAM",
            Part::Pipeline => "pipeline",
            Part::Skid => "skid",
        }
    }

    fn shape(params: &NsccParams) -> String {
        format!("{} connections", params.connections)
    }

    fn whole(yosys: &Yosys, modules: &[Module]) -> Result<Design, Error> {
        ram::watched(yosys, modules, "weft_nscc", "nscc")
    }

    fn prove(
        self,
        yosys: &Yosys,
        solvers: &Solvers,
        modules: &[Module],
        whole: &Design,
    ) -> Result<Vec<Claim>, Error> {
        // Both sides have products with the same factors; the value of a product does not matter.
        let mut proof = solvers.proof(Prover { multiply: Multiply::Uninterpreted, ..Prover::default() });
        match self {
            Part::Divider => {
                divider::small(yosys, modules, &mut proof)?;
                divider::stages(whole, "window.ratio", &mut proof)?;
                divider::stages(whole, "window.quotient", &mut proof)?;
            }
            Part::Product => return product::claims(yosys, solvers, modules, self.name(), proof),
            Part::Step => Step::new(whole, MODEL)?.prove(&mut proof)?,
            Part::Ram => {
                ram::refines(yosys, modules, &mut proof)?;
                for name in WAITS {
                    context::wait(yosys, modules, name, &mut proof)?;
                }
            }
            Part::Pipeline => Pipeline::new(whole.clone())?.prove(&mut proof)?,
            Part::Skid => skid::queue(&design(yosys, modules, "weft_nscc.skid", "skid")?, &mut proof)?,
        }
        Ok(solvers.claims(self.name(), &proof))
    }
}
