//! The proof of the parts around `weft_sack_rx` in `weft_receiver`: front, settle and their connections (page
//! `docs/proof/receiver.md`).

pub mod front;
pub mod ports;
pub mod settle;
pub mod words;

use crate::{Claim, Error, Solvers, alone, context, part, parts, ram, wiring};
use front::Front;
use ports::Ports;
use settle::Settle;
use weft_blocks::receiver::Dut;
use weft_hdl::Module;
use weft_hdl::catalogue::Shape;
use weft_params::SackParams;
use weft_symbolic::{Design, Prover, Yosys};

/// The delay in the front.
const WAIT: &str = "weft_receiver_front.s6_entry";

/// Words of connections.
const PUBLISHED: [&str; 2] = ["weft_receiver_front.bars", "weft_receiver_settle.slots"];

/// Modules of which the proof knows only the ports: the block inside, which has a proof of its own, and the
/// lists of ACKs.
const INSIDE: [&str; 2] = ["weft_sack_rx", "weft_receiver_listing"];

/// Rooms of the queues: 2 to this power words. Bits of the fences' counts.
const ROOMS: [usize; 2] = [4, 5];
const FENCES: [usize; 2] = [5, 6];

/// A part of the proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Words that wait.
    Waits,
    /// Queues and fences.
    Queues,
    /// Words of connections.
    Words,
    /// The event that enters, and the treatment of a packet.
    Front,
    /// The effects of an outcome.
    Settle,
    /// Joins of front, block and settle; closes, counters and ports.
    Ports,
}

impl part::Part for Part {
    type Dut = Dut;
    const ALL: &'static [Self] =
        &[Part::Waits, Part::Queues, Part::Words, Part::Front, Part::Settle, Part::Ports];
    const SHAPES: &'static [SackParams] =
        &[SackParams { connections: 256 }, SackParams { connections: 4 }, SackParams { connections: 16384 }];
    // The front stalls by itself, as its own claims state; timer, lists and drain have no proof of their
    // step. Queues give the requested words.
    const APART: &'static [&'static str] = &[
        "front",
        "front.run",
        "timer",
        "listing",
        "drain",
        "sides",
        "replies",
        "lists",
        "tokens",
        "reports",
        "breaches",
    ];

    fn of(shape: &Shape) -> part::ParamsOf<Self> {
        shape.sack()
    }

    fn name(self) -> &'static str {
        match self {
            Part::Waits => "waits",
            Part::Queues => "queues",
            Part::Words => "words",
            Part::Front => "front",
            Part::Settle => "settle",
            Part::Ports => "ports",
        }
    }

    fn shape(params: &SackParams) -> String {
        format!("{} connections", params.connections)
    }

    fn whole(yosys: &Yosys, modules: &[Module]) -> Result<Design, Error> {
        wiring::around(yosys, modules, "weft_receiver", "receiver", &INSIDE)
    }

    fn about(self, modules: &[Module]) -> Option<Vec<Module>> {
        // Claims of these parts are independent of connections.
        match self {
            Part::Waits => Some(alone::text(modules, &[WAIT])),
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
                context::wait(yosys, modules, WAIT, &mut proof)?;
            }
            Part::Queues => parts::queues(yosys, modules, ("weft_receiver", &ROOMS, &FENCES), &mut proof)?,
            Part::Words => {
                for name in PUBLISHED {
                    context::published(yosys, modules, name, &mut proof)?;
                }
            }
            Part::Front => {
                let front = ram::watched(yosys, modules, "weft_receiver_front", "front")?;
                Front::new(&front, front::MODEL).prove(&mut proof)?;
            }
            Part::Settle => {
                let settle = ram::watched(yosys, modules, "weft_receiver_settle", "settle")?;
                Settle::new(&settle, settle::MODEL)?.prove(&mut proof)?;
            }
            Part::Ports => Ports::new(whole).prove(&mut proof)?,
        }
        Ok(solvers.claims(self.name(), &proof))
    }
}
