//! The proof of the register COMMAND and of the writes that reach it (page `docs/proof/registers.md`).

pub mod bus;
pub mod command;
pub mod ports;

use crate::{Claim, Error, Solvers, part, ram, wiring};
use bus::Bus;
use command::Command;
use ports::Ports;
use weft_blocks::registers::Dut;
use weft_hdl::Module;
use weft_hdl::catalogue::Shape;
use weft_nic::block::registers::rules::{self, Each, Write};
use weft_params::SackParams;
use weft_symbolic::{Design, Prover, Symbolic, Term, Yosys};

/// Modules of which the proof knows only the ports: they have no proof.
const INSIDE: [&str; 3] = ["weft_registers_status", "weft_registers_ticks", "weft_registers_totals"];

type Bit = Term<1>;
type Commands = rules::Command<Symbolic>;
type Writes = Write<Symbolic>;

/// The parts of the model; a test plants bugs in them.
#[derive(Clone, Copy)]
pub struct Model {
    /// Rule 3.
    pub merged: fn(&Writes, Term<32>) -> Term<32>,
    /// Rule 8.
    pub accepts: fn(&Commands, &Writes, Term<16>) -> Bit,
    /// Rule 9: the beginning of a command.
    pub begins: fn(&Commands, &Writes) -> Commands,
    /// Rule 9: a clock of a command.
    pub clock: fn(&Commands, &Each<Symbolic>, Bit, Bit) -> Commands,
    /// The word of COMMAND.
    pub word: fn(&Commands) -> Term<32>,
    /// The op for the sender.
    pub asks: fn(&Commands) -> Term<3>,
    /// Whether words open the connection.
    pub opens: fn(&Commands) -> Bit,
}

/// The model.
pub const MODEL: Model = Model {
    merged: Write::merged,
    accepts: rules::Command::accepts,
    begins: rules::Command::begins,
    clock: rules::Command::clock,
    word: rules::Command::word,
    asks: rules::Command::asks,
    opens: rules::Command::opens,
};

/// A part of the proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// AXI4-Lite: an access, its turn and its answer.
    Bus,
    /// The phases of a command.
    Command,
    /// The joins of bus, pages and COMMAND; the words for the blocks.
    Ports,
}

impl part::Part for Part {
    type Dut = Dut;
    const ALL: &'static [Self] = &[Part::Bus, Part::Command, Part::Ports];
    const SHAPES: &'static [SackParams] =
        &[SackParams { connections: 256 }, SackParams { connections: 4 }, SackParams { connections: 16384 }];

    fn of(shape: &Shape) -> part::ParamsOf<Self> {
        shape.sack()
    }

    fn name(self) -> &'static str {
        match self {
            Part::Bus => "bus",
            Part::Command => "command",
            Part::Ports => "ports",
        }
    }

    fn shape(params: &SackParams) -> String {
        format!("{} connections", params.connections)
    }

    fn whole(yosys: &Yosys, modules: &[Module]) -> Result<Design, Error> {
        wiring::around(yosys, modules, "weft_registers", "registers", &INSIDE)
    }

    fn about(self, modules: &[Module]) -> Option<Vec<Module>> {
        // The bus is independent of connections.
        let of_bus = |module: &&Module| module.name == "weft_registers_bus";
        (self == Part::Bus).then(|| modules.iter().filter(of_bus).cloned().collect())
    }

    fn prove(
        self,
        yosys: &Yosys,
        solvers: &Solvers,
        modules: &[Module],
        block: &Design,
    ) -> Result<Vec<Claim>, Error> {
        let mut proof = solvers.proof(Prover::default());
        match self {
            Part::Bus => {
                ram::refines(yosys, modules, &mut proof)?;
                let bus = ram::watched(yosys, modules, "weft_registers_bus", "bus")?;
                Bus::new(&bus, MODEL).prove(&mut proof)?;
            }
            Part::Command => {
                let command = ram::watched(yosys, modules, "weft_registers_command", "command")?;
                Command::new(&command, MODEL).prove(&mut proof)?;
            }
            Part::Ports => Ports::new(block, MODEL).prove(&mut proof)?,
        }
        Ok(solvers.claims(self.name(), &proof))
    }
}
