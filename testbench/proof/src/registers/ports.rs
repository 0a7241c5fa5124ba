//! How bus, pages and COMMAND are connected: which write is permitted, what waits meanwhile, and the words
//! for the blocks.

use super::Model;
use super::bus::View;
use super::command::{beyond, of_registers};
use crate::{Error, pack};
use weft_nic::block::registers::rules::Phase;
use weft_params::registers::{self, Kind, Part, WORD};
use weft_symbolic::{Design, Node, Proof, Signals};

/// The block around status, time and totals.
pub struct Ports<'a> {
    design: &'a Design,
    model: Model,
    now: Signals,
    next: Signals,
}

/// Names of the pages of some kinds.
fn pages(kinds: &[Kind]) -> impl Iterator<Item = &'static str> {
    registers::pages().iter().filter(|page| kinds.contains(&page.kind)).map(|page| page.name)
}

impl<'a> Ports<'a> {
    /// `design` is `weft_registers` around shells.
    pub fn new(design: &'a Design, model: Model) -> Self {
        Self { design, model, now: design.registers(), next: design.next() }
    }

    /// All claims.
    pub fn prove(&self, proof: &mut Proof) -> Result<(), Error> {
        self.looks(proof)?;
        self.answers(proof)?;
        self.joined(proof)?;
        self.words(proof)
    }

    fn wire(&self, name: &str) -> Result<Node, Error> {
        Ok(self.design.wires.node(name)?)
    }

    /// Whether one of the pages `kinds` has the word.
    fn found(&self, kinds: &[Kind]) -> Result<Node, Error> {
        let found = pages(kinds).map(|page| self.wire(&format!("{page}.found")));
        Ok(Node::any(found.collect::<Result<Vec<_>, _>>()?))
    }

    /// The state after the previous clocks: the bus, and pages that have looked an access up.
    fn invariant(&self, registers: &Signals, wires: &Signals) -> Result<Node, Error> {
        let bus = View::new(registers, "bus.");
        let (looking, idle) = (bus.get("looking")?, bus.idle()?);
        let mut all = vec![bus.invariant()?];
        for page in pages(&[Kind::Stored, Kind::Staged, Kind::Command]) {
            let mine = registers.node(&format!("{page}.mine_q"))?;
            let asked = wires.node(&format!("{page}.mine_d"))?;
            all.push((!idle & !looking).implies(mine.equals(asked)));
        }
        let command = of_registers(registers, "command.")?;
        let mine = |page: &str| registers.node(&format!("{page}.mine_q"));
        let bits = registers.node("command.number_q")?.width();
        let (pulse, write) = (bus.get("pulse")?, bus.write()?);
        let accepted = command.accepts(&write, beyond(bits)).node();
        let staged = pages(&[Kind::Staged]).map(mine).collect::<Result<Vec<_>, _>>()?;
        all.push((pulse & mine("command")?).implies(accepted));
        all.push((pulse & Node::any(staged)).implies(!command.busy().node()));
        all.push(command.at(Phase::Idle).node().implies(!command.waiting.any().node()));
        Ok(Node::all(all))
    }

    /// The invariant.
    fn looks(&self, proof: &mut Proof) -> Result<(), Error> {
        let reset = self.design.inputs.node("rst")?;
        let before = self.invariant(&self.now, &self.design.wires)?;
        // The wires of the next clock: functions of registers, as the offset is.
        let mut feed = weft_symbolic::Substitution::new();
        for (name, state) in &self.design.states {
            feed.replace(state.node, self.next.node(name)?);
        }
        let after = self.invariant(&self.next, &feed.apply_to(&self.design.wires))?;
        proof.claim(
            "a write that is done is one that was accepted, and a page has looked it up: behind reset",
            &[reset],
            after,
        )?;
        proof.claim(
            "a write that is done is one that was accepted, and a page has looked it up: and every clock keeps it",
            &[before, !reset],
            after,
        )?;
        Ok(())
    }

    /// Rules 4, 8 and 10: the answer to a write, and the staging.
    fn answers(&self, proof: &mut Proof) -> Result<(), Error> {
        let reset = self.design.inputs.node("rst")?;
        let running = [self.invariant(&self.now, &self.design.wires)?, !reset];
        let bus = View::new(&self.now, "bus.");
        let command = of_registers(&self.now, "command.")?;
        let bits = self.now.node("command.number_q")?.width();
        let busy = command.busy().node();
        let of_command = self.found(&[Kind::Command])?;
        let begins = of_command & (self.model.accepts)(&command, &bus.write()?, beyond(bits)).node();
        let staged = self.found(&[Kind::Staged])? & !busy;
        let may = self.found(&[Kind::Stored])? | staged | begins;
        let response = Node::lit(2, 0).when(may, Node::lit(2, 2));
        let expected = Signals::new()
            .with("bus.pulse_q", may)
            .with("bus.write_done_q", Node::bit(true))
            .with("bus.write_response_q", response);
        proof.equal(
            "rules 4, 8 and 10: a write is done if its page is stored, staged with no command, or `accepts` says so; else SLVERR",
            &[&running[..], &[bus.answers()?]].concat(),
            &expected,
            &self.next,
        )?;
        let starts = bus.get("pulse")? & self.now.node("command.mine_q")?;
        let begun = (self.model.begins)(&command, &bus.write()?);
        let after = of_registers(&self.next, "command.")?;
        proof.claim(
            "rule 9: the clock behind the answer begins the command, with op and connection as written",
            &[&running[..], &[starts]].concat(),
            Node::all([
                after.op.node().equals(begun.op.node()),
                after.connection.node().equals(begun.connection.node()),
                after.phase.node().equals(begun.phase.node()),
            ]),
        )?;
        let staging =
            |name: &str| pages(&[Kind::Staged]).any(|page| name.starts_with(&format!("{page}.stored")));
        let kept: Signals = self
            .now
            .iter()
            .filter(|(name, _)| staging(name))
            .map(|(name, node)| (name.to_owned(), node))
            .collect();
        proof.equal(
            "rule 10: while a command is in progress the staging stays as it is",
            &[&running[..], &[busy]].concat(),
            &kept,
            &self.next,
        )?;
        Ok(())
    }

    /// The wires between bus, pages, COMMAND and status.
    fn joined(&self, proof: &mut Proof) -> Result<(), Error> {
        let input = |name: &str| self.design.inputs.node(name);
        let all = [Kind::Shown, Kind::Stored, Kind::Staged, Kind::Command, Kind::Counted];
        let mut word = self.wire("totals.word")?;
        for page in pages(&all[..4]) {
            word = word | self.wire(&format!("{page}.word"))?;
        }
        let mut expected = Signals::new()
            .with("bus.found", self.found(&all)?)
            .with("bus.word", word)
            .with("command.whole", self.wire("bus.whole")?)
            .with("status.control_valid", self.wire("command.status_valid")?)
            .with("status.control_id", self.wire("command.connection")?)
            .with("status.control_open", self.wire("command.opens")?)
            .with("command.status_ready", self.wire("status.control_ready")?);
        for page in pages(&all[1..4]) {
            for port in ["at", "write", "data"] {
                expected.insert(format!("{page}.{port}"), self.wire(&format!("bus.{port}"))?);
            }
        }
        for control in registers::controls() {
            let ready = input(&format!("m_axis_{}_tready", control.name))?;
            expected.insert(format!("command.{}_ready", control.block), ready);
        }
        for (port, of) in [
            ("awaddr", "awaddr"),
            ("awvalid", "awvalid"),
            ("wdata", "wdata"),
            ("wstrb", "wstrb"),
            ("wvalid", "wvalid"),
            ("bready", "bready"),
            ("araddr", "araddr"),
            ("arvalid", "arvalid"),
            ("rready", "rready"),
        ] {
            expected.insert(format!("bus.{port}"), input(&format!("s_axil_{of}"))?);
        }
        proof.equal("bus, pages, COMMAND and status are joined", &[], &expected, &self.design.wires)?;
        let (mut expected, mut actual) = (Signals::new(), Signals::new());
        for port in ["awready", "wready", "bvalid", "bresp", "arready", "rvalid", "rresp", "rdata"] {
            expected.insert(port, self.wire(&format!("bus.{port}"))?);
            actual.insert(port, self.design.outputs.node(&format!("s_axil_{port}"))?);
        }
        proof.equal("the bus is at the ports", &[], &expected, &actual)?;
        Ok(())
    }

    /// The word that is stored at an offset.
    fn stored(&self, offset: u16) -> Result<Node, Error> {
        let page = registers::pages().iter().find(|page| page.range().contains(&offset)).expect("a page");
        self.wire(&format!("{}.words_{}", page.name, (offset - page.offset) / WORD))
    }

    /// Rule 9: the words for the blocks.
    fn words(&self, proof: &mut Proof) -> Result<(), Error> {
        let command = of_registers(&self.now, "command.")?;
        let (op, opens) = ((self.model.asks)(&command).node(), (self.model.opens)(&command).node());
        let number = self.now.node("command.number_q")?;
        let (mut expected, mut actual) = (Signals::new(), Signals::new());
        for control in registers::controls() {
            let mut fields = Vec::new();
            for part in control.parts {
                fields.push(match part.source() {
                    Some((register, lsb, width)) => {
                        let words = register.offsets().map(|offset| self.stored(offset));
                        let value = pack(words.collect::<Result<Vec<_>, _>>()?);
                        value.slice(lsb as usize, width as usize)
                    }
                    None if *part == Part::Op => op,
                    None => opens,
                });
            }
            let port = |end: &str| format!("m_axis_{}_{end}", control.name);
            expected.insert(port("tvalid"), self.now.node(&format!("command.{}_q", control.block))?);
            expected.insert(port("tid"), number);
            let word = pack(fields);
            let shown = self.design.outputs.node(&port("tdata"))?;
            expected.insert(port("tdata"), word.widen(shown.width()));
            for end in ["tvalid", "tid", "tdata"] {
                actual.insert(port(end), self.design.outputs.node(&port(end))?);
            }
        }
        proof.equal(
            "rule 9: each block is offered its word, of the phase and of the staging",
            &[],
            &expected,
            &actual,
        )?;
        Ok(())
    }
}
