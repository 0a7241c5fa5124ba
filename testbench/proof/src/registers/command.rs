//! Compares the phases of a command with the model: any write, any state, any acceptance by the blocks.

use super::Model;
use crate::Error;
use weft_nic::block::registers::rules::{self, Each, Phase, Write};
use weft_params::registers::offsets;
use weft_symbolic::{Design, Node, Proof, Signals, Symbolic, Term};

/// The words of a command, each with the port by which it leaves.
pub const WORDS: [&str; 5] = ["ingress", "egress", "receiver", "sender", "status"];

/// `node` as a model word of the width that the model requires.
fn word<const W: usize>(node: Node) -> Term<W> {
    Term::of(node).expect("a word of just this width")
}

/// A bit for each word.
pub fn each(mut of: impl FnMut(&str) -> Result<Node, Error>) -> Result<Each<Symbolic>, Error> {
    let mut bit = |at: usize| Ok::<_, Error>(word(of(WORDS[at])?));
    Ok(Each { ingress: bit(0)?, egress: bit(1)?, receiver: bit(2)?, sender: bit(3)?, status: bit(4)? })
}

/// The command in registers whose names begin with `prefix`.
pub fn of_registers(registers: &Signals, prefix: &str) -> Result<rules::Command<Symbolic>, Error> {
    let get = |name: &str| Ok::<_, Error>(registers.node(&format!("{prefix}{name}_q"))?);
    Ok(rules::Command {
        op: word(get("code")?),
        connection: word(get("number")?.widen(16)),
        phase: word(get("phase")?),
        waiting: each(get)?,
    })
}

/// All signals of a command.
fn signals(command: &rules::Command<Symbolic>) -> Signals {
    let Each { ingress, egress, receiver, sender, status } = command.waiting;
    let bits = WORDS.into_iter().zip([ingress, egress, receiver, sender, status]);
    let waiting: Signals = bits.map(|(name, bit)| (name.to_owned(), bit.node())).collect();
    waiting.with("op", command.op).with("connection", command.connection).with("phase", command.phase)
}

/// The bits of 16 that no number of a connection has.
pub fn beyond(bits: usize) -> Term<16> {
    word(Node::lit(16, !((1u128 << bits) - 1)))
}

/// The module alone.
pub struct Command<'a> {
    design: &'a Design,
    model: Model,
    now: Signals,
    next: Signals,
}

impl<'a> Command<'a> {
    /// `design` is `weft_registers_command` with a watched RAM.
    pub fn new(design: &'a Design, model: Model) -> Self {
        Self { design, model, now: design.registers(), next: design.next() }
    }

    /// All claims.
    pub fn prove(&self, proof: &mut Proof) -> Result<(), Error> {
        self.phases(proof)?;
        self.opened(proof)?;
        self.shows(proof)
    }

    fn input(&self, name: &str) -> Result<Node, Error> {
        Ok(self.design.inputs.node(name)?)
    }

    fn command(&self) -> Result<rules::Command<Symbolic>, Error> {
        of_registers(&self.now, "")
    }

    /// Bits of a connection's number.
    fn bits(&self) -> Result<usize, Error> {
        Ok(self.now.node("number_q")?.width())
    }

    /// A write to COMMAND.
    fn starts(&self) -> Result<Node, Error> {
        Ok(self.now.node("mine_q")? & self.input("write")?)
    }

    /// The word that is written. All strobes are set, or none.
    fn write(&self) -> Result<Write<Symbolic>, Error> {
        let strobes = Node::lit(4, 0xF).when(self.input("whole")?, Node::lit(4, 0));
        Ok(Write { data: word(self.input("data")?), strobes: word(strobes) })
    }

    /// Writes are carried out only if `accepts` is set, which a claim about the block shows.
    fn sound(&self) -> Result<Node, Error> {
        let (command, write) = (self.command()?, self.write()?);
        let accepted = command.accepts(&write, beyond(self.bits()?)).node();
        Ok(self.starts()?.implies(accepted & !command.waiting.any().node()))
    }

    /// Rule 9.
    fn phases(&self, proof: &mut Proof) -> Result<(), Error> {
        let (command, starts) = (self.command()?, self.starts()?);
        let accepted = each(|name| self.input(&format!("{name}_ready")))?;
        let was_open = word(self.design.wires.node("opened.rdata")?);
        let last = word((!self.now.node("swept_q")?).is_zero());
        let clock = || (self.model.clock)(&command, &accepted, was_open, last);
        let goes_on = proof.merged("a clock of a command", clock, signals)?;
        let begun = signals(&(self.model.begins)(&command, &self.write()?));
        let after = signals(&of_registers(&self.next, "")?);
        let reset = self.input("rst")?;
        proof.equal(
            "rule 5: reset begins the sweep",
            &[reset],
            &signals(&rules::Command::in_reset()),
            &after,
        )?;
        let running = [!reset, self.sound()?];
        proof.equal(
            "rule 9: a write begins the command that `begins` says",
            &[&running[..], &[starts]].concat(),
            &begun,
            &after,
        )?;
        proof.equal(
            "rule 9: words wait for their blocks, and phases follow, as `clock` says",
            &[&running[..], &[!starts]].concat(),
            &goes_on,
            &after,
        )?;
        Ok(())
    }

    /// The connections that software has opened.
    fn opened(&self, proof: &mut Proof) -> Result<(), Error> {
        let command = self.command()?;
        let (looks, sweeps) = (command.at(Phase::Look).node(), command.at(Phase::Sweep).node());
        let (reset, bits) = (self.input("rst")?, self.bits()?);
        let swept = self.now.node("swept_q")?;
        let next = (swept + Node::lit(bits, 1)).when(!reset, Node::lit(bits, 0));
        let expected = Signals::new().with("swept_q", next);
        proof.equal(
            "rule 13: the sweep is at the next connection in every clock",
            &[],
            &expected,
            &self.next,
        )?;
        let address = self.design.wires.node("opened.address")?;
        let watched = self.now.node("opened.watched")?;
        let number = command.connection.node().slice(0, bits);
        let ours = (looks & number.equals(address)) | (sweeps & swept.equals(address));
        let marked = looks & command.opened().node();
        proof.claim(
            "a connection is marked by the last open or close of it, or by the sweep; and nothing else marks it",
            &[],
            self.next.node("opened.watched")?.equals(marked.when(ours, watched)),
        )?;
        let read = |registers: &Signals| -> Result<Node, Error> {
            let command = of_registers(registers, "")?;
            let number = command.connection.node().slice(0, bits);
            let looks = command.at(Phase::Look).node();
            let same = registers.node("opened.word")?.equals(registers.node("opened.watched")?);
            let finds = number.equals(address).implies(same);
            Ok(looks.implies(finds & !command.waiting.any().node()))
        };
        proof.claim(
            "a command finds the mark of its connection: behind reset",
            &[reset],
            read(&self.next)?,
        )?;
        proof.claim(
            "a command finds the mark of its connection: and every clock keeps it",
            &[!reset, self.sound()?, read(&self.now)?],
            read(&self.next)?,
        )?;
        Ok(())
    }

    /// Claims about reads by software and about the words for the blocks.
    fn shows(&self, proof: &mut Proof) -> Result<(), Error> {
        let (command, write, bits) = (self.command()?, self.write()?, self.bits()?);
        let mine = self.now.node("mine_q")?;
        let accepts = (self.model.accepts)(&command, &write, beyond(bits)).node();
        let expected = Signals::new()
            .with("found", mine)
            .with("refused", mine & !accepts)
            .with("word", self.now.node("picked_q")?.when(mine, Node::lit(32, 0)))
            .with("busy", command.busy())
            .with("connection", command.connection.node().slice(0, bits))
            .with("op", (self.model.asks)(&command))
            .with("opens", (self.model.opens)(&command));
        proof.equal(
            "rules 8 and 10: the write is refused unless `accepts` says otherwise; op and open are the phase's",
            &[],
            &expected,
            &self.design.outputs,
        )?;
        let Each { ingress, egress, receiver, sender, status } = command.waiting;
        let bits = WORDS.into_iter().zip([ingress, egress, receiver, sender, status]);
        let expected: Signals = bits.map(|(name, bit)| (format!("{name}_valid"), bit.node())).collect();
        proof.equal("a word is offered while it waits", &[], &expected, &self.design.outputs)?;
        let at = self.input("at")?;
        let expected = Signals::new()
            .with("mine_q", at.equals(Node::lit(14, u128::from(offsets::COMMAND / 4))))
            .with("picked_q", (self.model.word)(&command));
        proof.equal("a read of COMMAND has the word that `word` says", &[], &expected, &self.next)?;
        Ok(())
    }
}
