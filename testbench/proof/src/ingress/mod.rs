//! The proof of `weft_ingress`: its Verilog decides as the model does, for every state and input (page
//! `docs/proof/ingress.md`).

pub mod front;
pub mod ports;
pub mod step;
pub mod words;

use crate::{Claim, Error, Solvers, alone, context, icrc, part, parts, ram, wiring};
use front::Front;
use ports::Ports;
use step::{MODEL, Step};
use weft_blocks::ingress::Dut;
use weft_hdl::Module;
use weft_hdl::catalogue::Shape;
use weft_params::SackParams;
use weft_symbolic::{Design, Prover, Yosys};

/// The delays.
const WAITS: [&str; 2] = ["weft_ingress_verdict.s7_sender", "weft_ingress.hold"];

/// The peers of connections.
const PEERS: &str = "weft_ingress_peers.peers";

/// The CRC.
const CRC: &str = "weft_icrc";

/// Rooms of the queues: 2 to this power words. Bits of the fences' counts.
const ROOMS: [usize; 2] = [6, 9];
const FENCES: [usize; 3] = [4, 7, 10];

/// A part of the proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Words that wait.
    Waits,
    /// The CRC.
    Icrc,
    /// Queues and fences.
    Queues,
    /// Words of connections.
    Words,
    /// Words of frames, their headers and their bytes.
    Front,
    /// A frame has the model's verdict and contents.
    Step,
    /// Peers, closes, counters and ports.
    Ports,
}

impl part::Part for Part {
    type Dut = Dut;
    const ALL: &'static [Self] =
        &[Part::Waits, Part::Icrc, Part::Queues, Part::Words, Part::Front, Part::Step, Part::Ports];
    const SHAPES: &'static [SackParams] =
        &[SackParams { connections: 256 }, SackParams { connections: 4 }, SackParams { connections: 16384 }];
    // Queues give the requested words; `weft prove streams` has their proof.
    const APART: &'static [&'static str] = &["arrivals", "payloads", "acknowledgements", "bypass"];

    fn of(shape: &Shape) -> part::ParamsOf<Self> {
        shape.sack()
    }

    fn alone() -> Vec<&'static str> {
        [&WAITS[..], &[PEERS]].concat()
    }

    fn name(self) -> &'static str {
        match self {
            Part::Waits => "waits",
            Part::Icrc => "icrc",
            Part::Queues => "queues",
            Part::Words => "words",
            Part::Front => "front",
            Part::Step => "step",
            Part::Ports => "ports",
        }
    }

    fn shape(params: &SackParams) -> String {
        format!("{} connections", params.connections)
    }

    fn whole(yosys: &Yosys, modules: &[Module]) -> Result<Design, Error> {
        // Only the ports of the CRC are known here, as its own part proves it: its matrices are long to read.
        wiring::around(yosys, modules, "weft_ingress", "ingress", &[CRC])
    }

    fn about(self, modules: &[Module]) -> Option<Vec<Module>> {
        // Claims of these parts are independent of connections.
        match self {
            Part::Waits => Some(alone::text(modules, &WAITS)),
            Part::Icrc => Some(alone::text(modules, &[CRC])),
            Part::Queues => Some(alone::text(modules, &["weft_fifo", "weft_fence"])),
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
        match self {
            Part::Waits => {
                ram::refines(yosys, modules, &mut proof)?;
                for name in WAITS {
                    context::wait(yosys, modules, name, &mut proof)?;
                }
            }
            Part::Queues => parts::queues(yosys, modules, ("weft_ingress", &ROOMS, &FENCES), &mut proof)?,
            Part::Words => context::published(yosys, modules, PEERS, &mut proof)?,
            Part::Front => Front::new(whole)?.prove(&mut proof)?,
            Part::Ports => Ports::new(whole)?.prove(&mut proof)?,
            Part::Icrc => icrc::prove(yosys, modules, &mut proof)?,
            Part::Step => Step::new(whole, MODEL)?.prove(&mut proof)?,
        }
        Ok(solvers.claims(self.name(), &proof))
    }
}
