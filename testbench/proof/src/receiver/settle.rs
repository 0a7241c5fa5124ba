//! The effects of an outcome against the model: reply, marks and flags, the steps of the outcome, and its
//! tokens.

use super::words::{any_treatment, outcome, pack, reply};
use crate::Error;
use crate::moves::Moves;
use weft_nic::block::receiver::rules::{self, Mark, Outcome, Treatment};
use weft_nic::words::over::Reply;
use weft_symbolic::{Design, Node, Proof, Signals, Symbolic, Term};

type Bit = Term<1>;
type Replies = fn(&Outcome<Symbolic>, &Treatment<Symbolic>, Bit) -> Reply<Symbolic>;

/// The parts of the model; a test plants bugs in them.
#[derive(Clone, Copy)]
pub struct Model {
    /// The code of the answer.
    pub answer: fn(&Treatment<Symbolic>, &Outcome<Symbolic>) -> Term<2>,
    /// Rules 6 to 8.
    pub reply: Replies,
    /// Rule 17.
    pub breach: fn(&Outcome<Symbolic>, &Treatment<Symbolic>) -> Bit,
    /// Rule 13.
    pub mark: fn(&Outcome<Symbolic>) -> Mark<Symbolic>,
    /// Rules 10 and 11.
    pub steps: fn(&Outcome<Symbolic>) -> Term<11>,
}

/// The model.
pub const MODEL: Model = Model {
    answer: Treatment::answer,
    reply: rules::reply::<Symbolic>,
    breach: rules::breach::<Symbolic>,
    mark: |outcome| rules::mark::<Symbolic>(outcome, 256),
    steps: rules::steps::<Symbolic>,
};

/// An outcome, and the word `Side` that waits beside it.
struct Beside {
    outcome: Outcome<Symbolic>,
    treatment: Treatment<Symbolic>,
    trimmed: Bit,
    payload: Node,
    last: Node,
    solicited: Node,
    address: Node,
    bytes: Node,
    immediate: Node,
    message: Node,
}

/// The module alone.
pub struct Settle<'a> {
    design: Design,
    model: Model,
    beside: Beside,
    now: Signals,
    next: Signals,
    whole: &'a Design,
}

impl<'a> Settle<'a> {
    /// `whole` is `weft_receiver_settle` with watched RAMs.
    pub fn new(whole: &'a Design, model: Model) -> Result<Self, Error> {
        let bit = |name: &str| Node::variable(name, 1);
        let treatment = any_treatment();
        let (payload, last, solicited) = (bit("payload"), bit("last"), bit("solicited"));
        let trimmed: Bit = Term::variable("trimmed at the last hop");
        let (address, bytes) = (Node::variable("address", 64), Node::variable("bytes", 14));
        let (immediate, message) = (Node::variable("immediate", 32), Node::variable("message", 16));
        let side = pack([
            payload,
            treatment.denied.node(),
            treatment.failed.node(),
            treatment.held.node(),
            last,
            solicited,
            (trimmed | treatment.held).node(),
            address,
            bytes,
            immediate,
            message,
        ]);
        let fed = whole.feed(&Signals::new().with("side", side))?;
        let mut design = whole.clone();
        for state in design.states.values_mut() {
            state.next = fed.apply([state.next])[0];
        }
        design.outputs = fed.apply_to(&whole.outputs);
        design.wires = fed.apply_to(&whole.wires);
        let input = |name: &str| whole.inputs.node(name);
        let outcome = outcome(input("outcome_data")?, input("outcome_user")?);
        let beside = Beside {
            outcome,
            treatment,
            trimmed,
            payload,
            last,
            solicited,
            address,
            bytes,
            immediate,
            message,
        };
        let (now, next) = (design.registers(), design.next());
        Ok(Self { design, model, beside, now, next, whole })
    }

    /// All claims.
    pub fn prove(&self, proof: &mut Proof) -> Result<(), Error> {
        self.effects(proof)?;
        self.steps(proof)?;
        self.slots(proof)?;
        self.tokens(proof)
    }

    fn get(&self, name: &str) -> Result<Node, Error> {
        Ok(self.now.node(&format!("{name}_q"))?)
    }

    fn input(&self, name: &str) -> Result<Node, Error> {
        Ok(self.whole.inputs.node(name)?)
    }

    /// An outcome has a step in this clock.
    fn goes(&self) -> Result<Node, Error> {
        Ok(self.input("room")? & self.input("outcome_valid")?)
    }

    /// Whether the outcome is of this kind.
    fn is(&self, kind: u128) -> Node {
        self.beside.outcome.kind.node().equals(Node::lit(3, kind))
    }

    fn is_placed(&self) -> Node {
        self.beside.outcome.verdict.node().equals(Node::lit(3, 1))
    }

    /// Rules 6 to 8, 13 and 17.
    fn effects(&self, proof: &mut Proof) -> Result<(), Error> {
        let Beside { outcome, treatment, trimmed, .. } = &self.beside;
        let starts = self.goes()? & !self.get("more")?;
        let answer = (self.model.answer)(treatment, outcome).node();
        let (acks, nacks) = (answer.equals(Node::lit(2, 1)), answer.equals(Node::lit(2, 2)));
        let mark = (self.model.mark)(outcome);
        let id = self.input("outcome_id")?.widen(14);
        let marked = pack([
            id,
            mark.start.node(),
            mark.stop.node(),
            mark.control.node(),
            outcome.psn.node(),
            outcome.stamp.node(),
            outcome.ev.node(),
        ]);
        let made = (self.model.reply)(outcome, treatment, *trimmed);
        let expected = Signals::new()
            .with("reply_valid", starts & (acks | nacks))
            .with("mark_valid", starts)
            .with("mark", marked)
            .with("denied", starts & outcome.accepted.node() & treatment.denied.node())
            .with("held", starts & outcome.accepted.node() & treatment.held.node())
            .with("breach", starts & (self.model.breach)(outcome, treatment).node())
            .with("placed", starts & self.is_placed())
            .with("ack", starts & acks)
            .with("nack", starts & nacks)
            .with("closes", starts & self.is(5));
        proof.equal(
            "rules 13 and 17: an outcome has the marks, flags and counts that `answer`, `mark` and `breach` say, once",
            &[],
            &expected,
            &self.design.outputs,
        )?;
        let shown = self.design.outputs.node("reply")?;
        let named = shown.equals(reply(&made));
        proof.claim("rules 6 to 8: its reply is what `reply` says", &[acks | nacks], named)?;
        Ok(())
    }

    /// Rules 10 and 11: how many steps.
    fn steps(&self, proof: &mut Proof) -> Result<(), Error> {
        let lit = |value| Node::lit(9, value);
        let goes = self.goes()?;
        let steps = (self.model.steps)(&self.beside.outcome).node().slice(0, 9);
        // Steps that are left behind the first, the present one included.
        let left = |registers: &Signals| -> Result<Node, Error> {
            Ok(registers.node("left_q")?.when(registers.node("more_q")?, lit(0)))
        };
        let (before, after) = (left(&self.now)?, left(&self.next)?);
        let due = (steps - lit(1)).when(before.is_zero(), before - lit(1)).when(goes, before);
        let sound = |registers: &Signals| -> Result<Node, Error> {
            Ok(registers.node("more_q")?.implies(!registers.node("left_q")?.is_zero()))
        };
        let reset = self.input("rst")?;
        let running = [!reset, sound(&self.now)?];
        proof.claim("an outcome that goes on has steps left: behind reset", &[reset], sound(&self.next)?)?;
        proof.claim(
            "an outcome that goes on has steps left: and every clock keeps it",
            &running,
            sound(&self.next)?,
        )?;
        proof.claim(
            "rules 10 and 11: an outcome takes as many steps as `steps` says",
            &running,
            after.equals(due),
        )?;
        let one = lit(1);
        let last = steps.equals(one).when(before.is_zero(), before.equals(one));
        proof.claim(
            "it is accepted with the last",
            &running[1..],
            self.design.outputs.node("outcome_ready")?.equals(self.input("room")? & last),
        )?;
        Ok(())
    }

    /// Rule 10: the slots.
    fn slots(&self, proof: &mut Proof) -> Result<(), Error> {
        let Beside { outcome, last, solicited, immediate, message, .. } = self.beside;
        let (goes, more) = (self.goes()?, self.get("more")?);
        let opens = self.is(4);
        let number = outcome.messages.node() - outcome.completed.node().widen(24);
        let number = (self.get("s1_number")? + Node::lit(24, 1)).when(more, number);
        let writes = goes & (opens | (!more & self.is_placed() & last));
        let cleared = self.get("left")?.slice(0, 4).when(more, Node::lit(4, 0));
        let kept = pack([solicited & !opens, message.slice(4, 12), immediate]);
        let expected = Signals::new()
            .with("s1_writes_q", writes & !self.input("rst")?)
            .with("s1_slot_q", cleared.when(opens, message.slice(0, 4)))
            .with("s1_kept_q", kept)
            .with("s1_number_q", number.when(goes, self.get("s1_number")?));
        proof.equal(
            "rule 10: the last packet of a message writes its slot, an open clears one slot a step; messages are numbered",
            &[],
            &expected,
            &self.next,
        )?;
        let id = self.get("s1_step")?.slice(0, self.input("outcome_id")?.width());
        let expected = Signals::new()
            .with("slots.run", Node::bit(true))
            .with("slots.we", self.get("s1_writes")?)
            .with("slots.waddr", id.cat(self.get("s1_slot")?))
            .with("slots.wdata", self.get("s1_kept")?)
            .with("slots.raddr", id.cat(self.get("s1_number")?.slice(0, 4)));
        let claim = "slots are of the connection, by the number of the message";
        proof.equal(claim, &[], &expected, &self.design.wires)?;
        Ok(())
    }

    /// Rules 5 and 11: the tokens.
    fn tokens(&self, proof: &mut Proof) -> Result<(), Error> {
        let Beside { outcome, payload, address, bytes, immediate, .. } = self.beside;
        let (goes, more) = (self.goes()?, self.get("more")?);
        let some = !outcome.completed.node().is_zero();
        let id = self.input("outcome_id")?.widen(14);
        let step = pack([
            id,
            payload & !more,
            self.is_placed(),
            some,
            address,
            bytes,
            immediate,
            outcome.messages.node(),
            self.is(5),
        ]);
        let lives = self.get("lives")?;
        let lives = Node::lit(3, 0).when(self.input("rst")?, lives.slice(0, 2).cat(goes));
        let expected =
            Signals::new().with("s1_step_q", step.when(goes, self.get("s1_step")?)).with("lives_q", lives);
        proof.equal(
            "rule 5: each step has a token, the first one with the payload",
            &[],
            &expected,
            &self.next,
        )?;
        let mut moves = Moves::new(&self.design, &Signals::new().with("rst", Node::bit(false)))?;
        let width = step.width();
        let (token, number) = (Node::variable("token", width), Node::variable("number", 24));
        let slot = Node::variable("slot", 45);
        let live = Node::variable("live", 1);
        moves.set("s1_step_q", 0, token)?;
        moves.set("s1_number_q", 0, number)?;
        moves.set("lives_q", 0, Node::variable("older", 2).cat(live))?;
        let bits = self.input("outcome_id")?.width();
        let at = token.slice(0, bits).cat(number.slice(0, 4));
        moves.reads("slots", 2, at, slot)?;
        let field = |low: usize, width: usize| token.slice(low, width);
        let reported = field(16, 1) & slot.slice(0, 1) & slot.slice(1, 12).equals(number.slice(4, 12));
        let leaves = live & (field(14, 1) | reported | field(width - 1, 1));
        let made = pack([
            field(0, 16),
            reported,
            field(17, 64),
            field(81, 14),
            slot.slice(13, 32),
            number,
            field(width - 1, 1),
        ]);
        let expected = Signals::new().with("token_valid", leaves).with("token", made);
        let actual = Signals::new()
            .with("token_valid", moves.wire("token_valid", 2)?)
            .with("token", moves.wire("token", 2)?);
        proof.equal(
            "rule 11: a message is reported if its slot is of its number and asks for it, with the slot's immediate",
            &[],
            &expected,
            &actual,
        )?;
        moves.assumptions_hold(proof)?;
        Ok(())
    }
}
