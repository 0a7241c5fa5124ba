//! The proof of `weft_egress`: its Verilog makes the frames that the model makes, for every state and input (page
//! `docs/proof/egress.md`).

pub mod choice;
pub mod frame;
pub mod header;
pub mod intake;
pub mod lookup;
pub mod ports;
pub mod words;

use crate::{Claim, Error, Solvers, alone, context, icrc, part, parts, ram, skid, wiring};
use choice::Choice;
use frame::Frame;
use header::Stages;
use intake::Intake;
use ports::Ports;
use weft_blocks::egress::Dut;
use weft_hdl::Module;
use weft_hdl::catalogue::Shape;
use weft_params::SackParams;
use weft_symbolic::{Design, Prover, Yosys};

/// The delays.
const WAITS: [&str; 2] = ["weft_egress_beats.data", "weft_egress_beats.keep"];

/// Table of the packets of connections that have passed.
const LIMITS: &str = "weft_egress_orders.limits";

/// The look-ups of peers.
const LOOKUPS: [&str; 2] = ["weft_egress_replies_lookup", "weft_egress_orders_lookup"];

/// The CRC.
const CRC: &str = "weft_icrc";

/// Rooms of the queues: 2 to this power words. Bits of the fences' counts.
const ROOMS: [usize; 2] = [5, 9];
const FENCES: [usize; 3] = [3, 5, 6];

/// A part of the proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Words that wait.
    Waits,
    /// The CRC.
    Icrc,
    /// Queues and fences.
    Queues,
    /// The queue of two words at the output.
    Skid,
    /// Words of connections.
    Words,
    /// Replies, orders and frames of other software, which wait for the choice.
    Intake,
    /// The next frame, and its beats.
    Choice,
    /// The headers of frames.
    Header,
    /// The bytes of beats.
    Frame,
    /// Peers, counters and ports.
    Ports,
}

impl part::Part for Part {
    type Dut = Dut;
    const ALL: &'static [Self] = &[
        Part::Waits,
        Part::Icrc,
        Part::Queues,
        Part::Skid,
        Part::Words,
        Part::Intake,
        Part::Choice,
        Part::Header,
        Part::Frame,
        Part::Ports,
    ];
    const SHAPES: &'static [SackParams] =
        &[SackParams { connections: 256 }, SackParams { connections: 4 }, SackParams { connections: 16384 }];
    // These parts move by themselves; claims of their own say when.
    const APART: &'static [&'static str] =
        &["replies", "replies.run", "orders", "orders.run", "reads", "others"];

    fn of(shape: &Shape) -> part::ParamsOf<Self> {
        shape.sack()
    }

    fn alone() -> Vec<&'static str> {
        [&WAITS[..], &[LIMITS]].concat()
    }

    fn name(self) -> &'static str {
        match self {
            Part::Waits => "waits",
            Part::Icrc => "icrc",
            Part::Queues => "queues",
            Part::Skid => "skid",
            Part::Words => "words",
            Part::Intake => "intake",
            Part::Choice => "choice",
            Part::Header => "header",
            Part::Frame => "frame",
            Part::Ports => "ports",
        }
    }

    fn shape(params: &SackParams) -> String {
        format!("{} connections", params.connections)
    }

    fn whole(yosys: &Yosys, modules: &[Module]) -> Result<Design, Error> {
        // Only the ports of the CRC are known here, as its own part proves it: its matrices are long to read.
        wiring::around(yosys, modules, "weft_egress", "egress", &[CRC])
    }

    fn about(self, modules: &[Module]) -> Option<Vec<Module>> {
        // Claims of these parts are independent of connections.
        match self {
            Part::Waits => Some(alone::text(modules, &WAITS)),
            Part::Icrc => Some(alone::text(modules, &[CRC])),
            Part::Queues => Some(alone::text(modules, &["weft_fifo", "weft_fence"])),
            Part::Skid => Some(alone::text(modules, &["weft_egress.skid"])),
            _ => None,
        }
    }

    fn prove(
        self,
        yosys: &Yosys,
        solvers: &Solvers,
        modules: &[Module],
        whole: &Design,
    ) -> Result<Vec<Claim>, Error> {
        let mut proof = solvers.proof(Prover::default());
        let proof_of = &mut proof;
        match self {
            Part::Waits => {
                ram::refines(yosys, modules, proof_of)?;
                for name in WAITS {
                    context::wait(yosys, modules, name, proof_of)?;
                }
            }
            Part::Icrc => icrc::prove(yosys, modules, proof_of)?,
            Part::Queues => parts::queues(yosys, modules, ("weft_egress", &ROOMS, &FENCES), proof_of)?,
            Part::Skid => skid::queue(&crate::design(yosys, modules, "weft_egress.skid", "skid")?, proof_of)?,
            Part::Words => {
                context::published(yosys, modules, LIMITS, proof_of)?;
                for name in LOOKUPS {
                    lookup::prove(yosys, modules, name, proof_of)?;
                }
            }
            Part::Intake => Intake::new(whole, intake::MODEL)?.prove(proof_of)?,
            Part::Choice => Choice::new(whole, choice::MODEL)?.prove(proof_of)?,
            Part::Header => Stages::new(whole, header::MODEL).prove(proof_of)?,
            Part::Frame => Frame::new(whole).prove(proof_of)?,
            Part::Ports => Ports::new(whole)?.prove(proof_of)?,
        }
        Ok(solvers.claims(self.name(), &proof))
    }
}
