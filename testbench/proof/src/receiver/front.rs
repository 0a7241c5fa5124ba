//! The front of the receiver against the model: which event enters, and how a packet is treated, for any packet, any
//! region and any bar.

use super::words::{any_arrival, any_region, entry, pack};
use crate::Error;
use crate::moves::Moves;
use weft_nic::block::receiver::rules::{Region, Treatment};
use weft_nic::words::over::{Arrival, Bar, Fields};
use weft_symbolic::{Design, Node, Proof, Signals, Symbolic, Term};

/// Codes of events.
const FLUSH: u128 = 2;
const OPEN: u128 = 4;
const CLOSE: u128 = 5;

/// How a packet of a region is treated beside a bar.
pub type Treats = fn(&Region<Symbolic>, &Arrival<Symbolic>, &Bar<Symbolic>) -> Treatment<Symbolic>;

/// The parts of the model; a test plants bugs in them.
#[derive(Clone, Copy)]
pub struct Model {
    /// Rules 4 and 17.
    pub treats: Treats,
    /// The code of the event.
    pub kind: fn(&Treatment<Symbolic>, &Arrival<Symbolic>) -> Term<3>,
}

/// The model.
pub const MODEL: Model = Model { treats: Region::treats, kind: Treatment::kind };

/// The front alone.
pub struct Front<'a> {
    design: &'a Design,
    model: Model,
    now: Signals,
    next: Signals,
}

/// A packet whose right to write is not yet decided.
fn untreated() -> Treatment<Symbolic> {
    let none = Term::of(Node::bit(false)).expect("a bit");
    Treatment { denied: none, held: none, failed: none }
}

/// The fields of an arrival in a word.
struct Slices(Node, usize);

impl Fields<Symbolic> for Slices {
    fn take<const W: usize>(&mut self) -> Term<W> {
        self.1 += W;
        Term::of(self.0.slice(self.1 - W, W)).expect("as wide as asked for")
    }
}

impl<'a> Front<'a> {
    /// `design` is `weft_receiver_front` with watched RAMs.
    pub fn new(design: &'a Design, model: Model) -> Self {
        Self { design, model, now: design.registers(), next: design.next() }
    }

    /// All claims about the front.
    pub fn prove(&self, proof: &mut Proof) -> Result<(), Error> {
        self.enters(proof)?;
        self.controls(proof)?;
        self.treats(proof)?;
        self.stands(proof)
    }

    fn input(&self, name: &str) -> Result<Node, Error> {
        Ok(self.design.inputs.node(name)?)
    }

    fn get(&self, name: &str) -> Result<Node, Error> {
        Ok(self.now.node(&format!("{name}_q"))?)
    }

    /// Control is to have a turn.
    fn waits(&self) -> Result<Node, Error> {
        Ok(self.get("control_held")? & !self.get("entered")?)
    }

    /// The stages move.
    fn run(&self) -> Result<Node, Error> {
        Ok(!self.get("valids")?.slice(5, 1) | self.input("event_ready")?)
    }

    /// Rule 3: which event enters.
    fn enters(&self, proof: &mut Proof) -> Result<(), Error> {
        let (run, waits, swept) = (self.run()?, self.waits()?, self.input("swept")?);
        let own = swept & (self.input("flush_valid")? | waits) & !self.get("was_own")?;
        let expected = Signals::new()
            .with("arrival_ready", run & swept & !own)
            .with("flush_ready", run & own & !waits)
            .with("control_enters", run & own & waits)
            .with("event_valid", self.get("valids")?.slice(5, 1));
        proof.equal(
            "rule 3: control comes first, then the timer, never in two clocks running; else an arrival is accepted",
            &[],
            &expected,
            &self.design.outputs,
        )?;
        let reset = self.input("rst")?;
        let accept = swept & (own | self.input("arrival_valid")?);
        let valids = self.get("valids")?;
        let held = |name: &str, value: Node| Ok::<_, Error>(value.when(run, self.get(name)?));
        let moved = held("valids", valids.slice(0, 5).cat(accept))?;
        let expected = Signals::new()
            .with("was_own_q", Node::bit(false).when(reset, held("was_own", own)?))
            .with("valids_q", Node::lit(6, 0).when(reset, moved));
        proof.equal("events go on by a stage per move", &[], &expected, &self.next)?;
        let arrival = Arrival::of(&mut Slices(self.input("arrival")?, 0));
        let kind = (self.model.kind)(&untreated(), &arrival).node();
        let of_arrival = entry(self.input("arrival_id")?, kind, &arrival);
        let first = self.next.node("s1_entry_q")?;
        proof.claim("an arrival enters with its fields", &[run, swept, !own], first.equals(of_arrival))?;
        let flush = self.input("flush")?;
        let asked = pack([flush.slice(0, 14), Node::lit(3, FLUSH), flush.slice(14, 24)]);
        let marks = flush.slice(38, 32);
        proof.claim(
            "rule 14: the timer's event has the connection, PSN, time stamp and entropy value that it asks for, and no mark",
            &[run, own, !waits],
            first.slice(0, 41).equals(asked)
                & first.slice(41, 5).is_zero()
                & first.slice(46, 32).equals(marks),
        )?;
        let (order, at) = (self.get("control_word")?, self.get("control_at")?);
        let code = Node::lit(3, OPEN).when(order.slice(0, 1), Node::lit(3, CLOSE));
        let control = pack([at.widen(14), code, order.slice(1, 24)]);
        proof.claim(
            "rule 2: control enters as an open or a close of its connection, with its first PSN",
            &[run, own, waits],
            first.slice(0, 41).equals(control) & first.slice(41, 5).is_zero(),
        )?;
        Ok(())
    }

    /// Control that waits, regions and bars.
    fn controls(&self, proof: &mut Proof) -> Result<(), Error> {
        let (reset, waits, swept) = (self.input("rst")?, self.waits()?, self.input("swept")?);
        let own = swept & (self.input("flush_valid")? | waits) & !self.get("was_own")?;
        let enters = self.run()? & own & waits;
        let (held, order) = (self.get("control_held")?, self.get("control_word")?);
        let leaves = (enters & order.slice(0, 1)) | self.input("out")?;
        let kept = |name: &str, value: Node| Ok::<_, Error>(self.get(name)?.when(held, value));
        let entered = (self.get("entered")? | enters) & !leaves;
        let none = |node: Node| Node::bit(false).when(reset, node);
        let expected = Signals::new()
            .with("control_held_q", none((!leaves).when(held, swept & self.input("control_valid")?)))
            .with("entered_q", none(entered))
            .with("control_word_q", kept("control_word", self.input("control")?)?)
            .with("control_at_q", kept("control_at", self.input("control_id")?)?);
        proof.equal(
            "rule 16: a word of control is held until it is accepted, and enters once",
            &[],
            &expected,
            &self.next,
        )?;
        proof.claim(
            "an open is accepted in its turn, a close when all before it has left",
            &[],
            self.design.outputs.node("control_ready")?.equals(leaves),
        )?;
        let first = self.get("s1_entry")?;
        let id = first.slice(0, self.input("arrival_id")?.width());
        let opens = self.get("valids")?.slice(0, 1) & first.slice(14, 3).equals(Node::lit(3, OPEN));
        let bar = self.input("bar")?;
        let bar = pack([bar.slice(0, 1) & swept, bar.slice(1, 1) & swept]);
        let expected = Signals::new()
            .with("regions.we", self.run()? & opens)
            .with("regions.waddr", id)
            .with("regions.wdata", self.get("s1_region")?)
            .with("regions.raddr", id)
            .with("bars.we", self.input("bar_valid")? | !swept)
            .with("bars.waddr", self.input("bar_id")?.when(swept, self.input("sweep_id")?))
            .with("bars.wdata", bar)
            .with("bars.run", self.run()?);
        proof.equal(
            "an open writes its region; a bar is written while it is offered, and the sweep lifts all",
            &[],
            &expected,
            &self.design.wires,
        )?;
        let region = self.next.node("s1_region_q")?;
        proof.claim(
            "the region is that of the control",
            &[self.run()?],
            region.equals(order.slice(25, 128)),
        )?;
        Ok(())
    }

    /// An event from stage 1 on, with this code, to stage 6.
    fn followed(&self, code: Node) -> Result<(Moves, Arrival<Symbolic>, Node), Error> {
        let moving = Signals::new().with("rst", Node::bit(false)).with("event_ready", Node::bit(true));
        let mut moves = Moves::new(self.design, &moving)?;
        let arrival = any_arrival();
        let id = Node::variable("id", self.input("arrival_id")?.width());
        let word = entry(id, code, &arrival);
        moves.set("s1_entry_q", 0, word)?;
        moves.set("valids_q", 0, Node::variable("others", 5).cat(Node::bit(true)))?;
        moves.waits("s6_entry", 0, 5)?;
        let (_, region) = any_region();
        moves.fetches("regions", 2, id, region)?;
        moves.reads("bars", 2, id, Node::variable("bar", 2))?;
        Ok((moves, arrival, word))
    }

    /// Stages 1 to 6.
    fn treats(&self, proof: &mut Proof) -> Result<(), Error> {
        let arrival = any_arrival();
        let code = (self.model.kind)(&untreated(), &arrival).node();
        let (mut moves, arrival, word) = self.followed(code)?;
        let bar = Bar::of(&mut Slices(Node::variable("bar", 2), 0));
        let treatment = (self.model.treats)(&any_region().0, &arrival, &bar);
        let expected = Signals::new()
            .with("denied", treatment.denied)
            .with("held", treatment.held)
            .with("failed", treatment.failed)
            .with("kind", (self.model.kind)(&treatment, &arrival))
            .with("entry", word)
            .with("event_valid", Node::bit(true));
        let actual = expected.twins(|name| moves.wire(name, 5))?;
        proof.equal(
            "rules 4 and 17: stage 6 has the packet as `treats` says, for any region and any bar",
            &[],
            &expected,
            &actual,
        )?;
        moves.assumptions_hold(proof)?;
        let code = Node::variable("code", 3);
        let (mut moves, _, _) = self.followed(code)?;
        let expected =
            Signals::new().with("denied", Node::bit(false)).with("held", Node::bit(false)).with("kind", code);
        let actual = expected.twins(|name| moves.wire(name, 5))?;
        proof.equal(
            "no other event is denied or held",
            &[!code.slice(1, 2).is_zero()],
            &expected,
            &actual,
        )?;
        Ok(())
    }

    /// Without a move all stages keep their contents.
    fn stands(&self, proof: &mut Proof) -> Result<(), Error> {
        let mut kept = Signals::new();
        for (name, node) in self.now.iter().filter(|(name, _)| {
            let of_control = ["control_held_q", "entered_q", "control_word_q", "control_at_q"];
            !of_control.contains(name) && !name.ends_with(".watched")
        }) {
            kept.insert(name, node);
        }
        proof.equal("a stall changes no stage", &[!self.input("rst")?, !self.run()?], &kept, &self.next)?;
        Ok(())
    }
}
