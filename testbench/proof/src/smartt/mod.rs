//! The proof that the Verilog of `weft_smartt` agrees with the model, for every state and input (page
//! `docs/proof.md`).

pub mod pipeline;
pub mod step;
pub mod words;

use crate::Error;
use crate::paced::Paced;
use crate::{Claim, Solvers, context, design, divider, part, product, ram, skid};
use pipeline::Pipeline;
use step::{MODEL, Step};
use weft_blocks::smartt::Dut;
use weft_hdl::catalogue::Shape;
use weft_hdl::emit::Module;
use weft_params::SmarttParams;
use weft_symbolic::{Design, Multiply, Prover, Yosys};

/// The delays.
const WAITS: [&str; 4] = [
    "weft_smartt_window.event13",
    "weft_smartt_window.event25",
    "weft_smartt_window.decided45",
    "weft_smartt_window.fall45",
];

/// A part of the proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Both dividers compute the quotient.
    Divider,
    /// Products in parts equal whole products.
    Product,
    /// An event makes the step of the model.
    Step,
    /// One watched word represents a RAM; and the delays.
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
    const SHAPES: &'static [SmarttParams] = &[
        SmarttParams { connections: 256 },
        SmarttParams { connections: 4 },
        SmarttParams { connections: 4096 },
    ];

    fn of(shape: &Shape) -> part::ParamsOf<Self> {
        shape.smartt()
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

    fn shape(params: &SmarttParams) -> String {
        format!("{} connections", params.connections)
    }

    fn whole(yosys: &Yosys, modules: &[Module]) -> Result<Design, Error> {
        ram::watched(yosys, modules, "weft_smartt", "smartt")
    }

    fn prove(
        self,
        yosys: &Yosys,
        solvers: &Solvers,
        modules: &[Module],
        whole: &Design,
    ) -> Result<Vec<Claim>, Error> {
        // Both sides have products with the same factors. Their values do not matter.
        let mut proof = solvers.proof(Prover { multiply: Multiply::Uninterpreted, ..Prover::default() });
        match self {
            Part::Divider => {
                divider::small(yosys, modules, &mut proof)?;
                divider::stages(whole, "congestion.ratio", &mut proof)?;
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
            Part::Skid => skid::queue(&design(yosys, modules, "weft_smartt.skid", "skid")?, &mut proof)?,
        }
        Ok(solvers.claims(self.name(), &proof))
    }
}
