//! The proof of the register COMMAND: planted bugs are refuted, each by the claim about it.

use weft_nic::block::registers::rules::{self, Each, Write};
use weft_params::SackParams;
use weft_proof::ram;
use weft_proof::refute::{
    self, Bug, Changed, Inside, bugs_are_refuted, bugs_inside_are_refuted, every_shape_is_proved,
    models_are_refuted, yosys,
};
use weft_proof::registers::bus::Bus;
use weft_proof::registers::command::Command;
use weft_proof::registers::{MODEL, Model, Part};
use weft_symbolic::Symbolic;
use weft_word::Domain;

/// The least to read: bugs do not care for the number of connections.
const SMALL: SackParams = SackParams { connections: 4 };

#[test]
#[ignore = "soak: `weft prove` proves the same in `make test`"]
fn it_is_proved_in_every_shape() {
    every_shape_is_proved::<Part>();
}

const BUS: &str = "weft_registers_bus";
const COMMAND: &str = "weft_registers_command";
const TOP: &str = "weft_registers";

/// Bugs in bus and COMMAND: the module, the present text, the text that replaces it, and a word of the claim
/// that must be refuted. The first three are bugs of `--plant`.
const INSIDE: &[Inside] = &[
    (BUS, " & !(read_here_q & writing_q)", "", "rule 2"),
    (BUS, "if (strobes_q[3])", "if (strobes_q[2])", "rule 3"),
    (BUS, "read_done_q & rready", "read_done_q", "rule 4"),
    (BUS, "writable ? OKAY : SLVERR", "found ? OKAY : SLVERR", "rule 3"),
    (BUS, "answer_write & writable", "answer_write", "rule 3"),
    (BUS, "address_en = !address_here_q", "address_en = 1'b1", "rule 1"),
    (BUS, "awaddr[15:2]", "{1'b0, awaddr[14:2]}", "rule 1"),
    (BUS, "if (idle) offset_q", "offset_q", "its offset"),
    (BUS, "write_done_q & bready", "bready", "rule 1"),
    (BUS, "reading & late", "1'b0", "rule 4"),
    (COMMAND, " | !whole", "", "rules 8 and 10"),
    (COMMAND, "asked > DRAIN_CODE", "asked >= DRAIN_CODE", "rules 8 and 10"),
    (COMMAND, "(|(data & BEYOND))", "1'b0", "rules 8 and 10"),
    (COMMAND, "opening & !opened_rdata", "opening", "rule 9: words wait"),
    (COMMAND, "phase_q >= PEER", "phase_q > PEER", "rule 9: words wait"),
    (COMMAND, "enter & !start & ", "enter & ", "rule 9: a write begins"),
    (COMMAND, "opened_wdata = looking & opening", "opened_wdata = looking", "is marked"),
    (COMMAND, "(|phase_q) & !waiting", "(|phase_q)", "rule 9: words wait"),
    (COMMAND, "opened_raddr = data[1:0]", "opened_raddr = number_q", "finds the mark"),
    (COMMAND, "&swept_q", "|swept_q", "rule 9: words wait"),
    (COMMAND, "if (phase_q == ENDING)", "if (phase_q == SHUT)", "rules 8 and 10"),
    (COMMAND, "(phase_q == BEGINNING) | (phase_q == ADMIT)", "phase_q == BEGINNING", "rules 8 and 10"),
    (COMMAND, "{29'd0, code_q} << 16", "{29'd0, code_q} << 17", "a read of COMMAND"),
];

/// Bugs around these modules; the first is one of `--plant`.
const AROUND: &[Bug<Part>] = &[
    (
        Part::Ports,
        TOP,
        "(staging_found | partition_found) & !command_busy",
        "(staging_found & !command_busy) | partition_found",
        "rules 4, 8 and 10",
    ),
    (Part::Ports, TOP, "& !command_refused", "& (!command_refused | command_busy)", "a write that is done"),
    (Part::Ports, TOP, "staging_words_8[23:0]} << 3", "staging_words_8[23:0]} << 2", "rule 9: each block"),
    (Part::Ports, TOP, "(command_status_valid)", "(1'b0)", "are joined"),
    (Part::Ports, "weft_registers_store", "mine_q & write", "write", "rule 10"),
];

/// Models with one change each.
const MODELS: &[Changed<Model>] = &[
    (
        "a write of some bytes is COMMAND's",
        Model {
            accepts: |command, write, beyond| {
                rules::Command::accepts(command, &Write { strobes: Symbolic::lit(0xF), ..*write }, beyond)
            },
            ..MODEL
        },
        "rules 8 and 10",
    ),
    (
        "a drain goes to the receiver, too",
        Model {
            begins: |command, write| {
                let begun = rules::Command::begins(command, write);
                let waiting = Each { receiver: begun.waiting.sender, ..begun.waiting };
                rules::Command { waiting, ..begun }
            },
            ..MODEL
        },
        "rule 9: a write begins",
    ),
    (
        "no connection was open",
        Model {
            clock: |command, accepted, _, last| command.clock(accepted, Symbolic::lit(0), last),
            ..MODEL
        },
        "rule 9: words wait",
    ),
    ("the sender never closes", Model { asks: |command| command.op, ..MODEL }, "rules 8 and 10"),
];

/// A model of the bus with a change.
const BUSES: &[Changed<Model>] = &[(
    "bytes that are not written are 0",
    Model { merged: |write, _| write.merged(Symbolic::lit(0)), ..MODEL },
    "rule 3",
)];

#[test]
fn bugs_in_bus_and_command_are_refuted() {
    bugs_inside_are_refuted::<Part>(&SMALL, INSIDE, |yosys, modules, name, proof| {
        let design = ram::watched(yosys, modules, name, name).unwrap();
        match name {
            BUS => Bus::new(&design, MODEL).prove(proof).unwrap(),
            _ => Command::new(&design, MODEL).prove(proof).unwrap(),
        }
    });
}

#[test]
fn bugs_around_bus_and_command_are_refuted() {
    bugs_are_refuted(&SMALL, AROUND, 1);
}

#[test]
fn a_bug_in_the_model_is_refuted() {
    let Some(yosys) = yosys() else { return };
    let modules = refute::emit::<Part>(&SMALL);
    let alone = |name: &str| ram::watched(&yosys, &modules, name, name).unwrap();
    let (bus, command) = (alone(BUS), alone(COMMAND));
    models_are_refuted(MODELS, |model, proof| Command::new(&command, model).prove(proof).unwrap());
    models_are_refuted(BUSES, |model, proof| Bus::new(&bus, model).prove(proof).unwrap());
}
