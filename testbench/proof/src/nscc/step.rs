//! One event from the input register to the answer, against the model's step: for any state before it, any
//! event, and all CSRs. The answers of the dividers are arbitrary, and the same on both sides. `divider`
//! proves that the dividers divide, and `pipeline` that each event finds its own state.

use super::words::{
    ADDED, BASE, STATE_WIDTH, any_stimulus, class, control, control_words, csr, event, fields, packed, plan,
    plan_word, rest_words,
};
use crate::Error;
use crate::moves::{Moves, moving};
use weft_nic::block::nscc::{
    Case, Class, Control, Csr, Decision, Kind, Measured, Stimulus, decide, measure, settle,
};
use weft_symbolic::{Design, Node, Proof, SignalError, Signals, Substitution, Symbolic, Term};
use weft_word::{Bit, Domain, Word};

/// The parts of the model's step; a test plants bugs in them.
#[derive(Clone, Copy)]
pub struct Model {
    /// Part 1.
    pub measure: Measure,
    /// Part 2.
    pub decide: Decide,
    /// Part 3.
    pub settle: fn(&Class<Symbolic>, &Decision<Symbolic>, Term<30>) -> Control<Symbolic>,
}

type Measure =
    fn(&Csr<Symbolic>, &Class<Symbolic>, &Control<Symbolic>, &Stimulus<Symbolic>) -> Measured<Symbolic>;

type Decide = fn(
    &Csr<Symbolic>,
    &Class<Symbolic>,
    Control<Symbolic>,
    &Stimulus<Symbolic>,
    &Measured<Symbolic>,
    Term<16>,
) -> Decision<Symbolic>;

/// The model without a planted bug.
pub const MODEL: Model = Model { measure, decide, settle };

/// The results of `decide` except the window, in three claims: one claim about all of them takes a solver a
/// minute.
const PLANNED: [(&str, &[&str]); 3] = [
    (
        "the case, the marks and the times",
        &[
            "kind",
            "class",
            "accepted",
            "case",
            "bounded",
            "reacts",
            "open",
            "fresh",
            "trigger",
            "end",
            "decreased",
            "adjusted",
        ],
    ),
    ("the counts", &["ignore", "achieved", "received", "calm"]),
    ("the average and the increases", &["average", "increase", "added", "eta"]),
];

/// An event in the pipeline, and the state that it reads.
pub struct Step {
    moves: Moves,
    model: Model,
    csr: Csr<Symbolic>,
    class: Class<Symbolic>,
    stimulus: Stimulus<Symbolic>,
    /// The class and the connection.
    number: Node,
    id: Node,
    /// The connection's state when the event reads it, and the answers of the dividers.
    before: Control<Symbolic>,
    ratio: Term<16>,
    quotient: Term<30>,
    /// The state that the event leaves and its results, each as one expression.
    after: Node,
    case: Node,
}

impl Step {
    /// `design` is `weft_nscc` with a watched RAM.
    pub fn new(design: &Design, model: Model) -> Result<Self, Error> {
        let mut moves = Moves::new(design, &moving())?;
        let stimulus = any_stimulus();
        let number = Node::variable("event.class", 2);
        let id = Node::variable("event.id", design.inputs.node("s_axis_event_tid")?.width());
        moves.set("front.sweeping_q", 0, Node::bit(false))?;
        moves.set("front.held_id_q", 0, id)?;
        moves.set("front.held_event_q", 0, event(&stimulus, number)?)?;
        moves.set("front.held_rtt_q", 0, stimulus.rtt)?;
        for bit in ["valid", "live"] {
            moves.set(&format!("front.s1_{bit}_q"), 1, Node::variable(bit, 1))?;
        }
        moves.waits("window.event13", 1, 12)?;
        let before = Node::variable("state", STATE_WIDTH);
        let (ratio, quotient) = (Term::variable("ratio"), Term::variable("quotient"));
        moves.set("window.state13_q", 13, before)?;
        moves.set("window.ratio.g_stage[7].rest_q", 26, ratio)?;
        moves.set("window.quotient.g_stage[14].rest_q", 49, quotient)?;
        let mut whole = moves.clone();
        for (wait, given, clocks) in [("base30", 19, 11), ("decided33", 19, 14), ("added34", 19, 15)] {
            whole.waits(&format!("window.{wait}"), given, clocks)?;
        }
        Self::late(&mut whole)?;
        Ok(Self {
            after: whole.at("window.state51_q", 51)?,
            case: whole.at("window.case51_q", 51)?,
            csr: csr(&design.inputs)?,
            class: class(&design.inputs, number)?,
            before: control(before)?,
            moves,
            model,
            stimulus,
            number,
            id,
            ratio,
            quotient,
        })
    }

    /// The delays from stage 33 on.
    fn late(moves: &mut Moves) -> Result<(), SignalError> {
        moves.waits("window.decided48", 33, 15)?;
        moves.waits("window.start49", 35, 14)
    }

    /// All claims of the step.
    pub fn prove(&mut self, proof: &mut Proof) -> Result<(), Error> {
        let measured = self.measured(proof)?;
        self.decided(proof, &measured)?;
        self.settled(proof)?;
        self.moves.assumptions_hold(proof)?;
        self.safety(proof)
    }

    /// Part 1: stages 2 to 16. From there on, the results are any delay and any average, the same on both
    /// sides.
    fn measured(&mut self, proof: &mut Proof) -> Result<Measured<Symbolic>, Error> {
        let measured = (self.model.measure)(&self.csr, &self.class, &self.before, &self.stimulus);
        let delay = self.moves.at("signals.s4_delay_q", 4)?;
        proof.claim(
            "stage 4 has the delay that `measure` says",
            &[measured.valid.node()],
            delay.equals(measured.delay.node()),
        )?;
        let any: Term<12> = Term::variable("delay");
        self.moves.set("signals.s4_delay_q", 4, any)?;
        let mut cut = Substitution::new();
        cut.replace(measured.delay.node(), any.node());
        let expected = cut.apply([measured.average.node()])[0];
        proof.claim(
            "stage 17 gets the average that `measure` says",
            &[measured.valid.node()],
            self.average()?.equals(expected),
        )?;
        let average = Term::variable("average").when(measured.valid, self.before.average);
        let mut cut = Substitution::new();
        cut.replace(measured.average.node(), average.node());
        let excess = cut.apply([measured.excess.node()])[0];
        Ok(Measured {
            valid: measured.valid,
            delay: any,
            average,
            excess: Term::of(excess).expect("as wide as before"),
        })
    }

    /// The average with the event's delay, as the RTL computes it.
    fn average(&mut self) -> Result<Node, SignalError> {
        Ok(self.moves.wire("window.average", 16)?.slice(8, 23))
    }

    /// Part 2: stages 13 to 34.
    fn decided(&mut self, proof: &mut Proof, measured: &Measured<Symbolic>) -> Result<(), Error> {
        let run =
            |ratio| (self.model.decide)(&self.csr, &self.class, self.before, &self.stimulus, measured, ratio);
        let expected = proof.merged("decide", || run(self.ratio), |decision| self.words(decision))?;
        let (reacts, due) =
            (expected.node("reacts")?, is(expected.node("case")?, Case::MultiplicativeDecrease));
        let zero = |name: &str| Ok::<_, SignalError>(expected.node(name)?.is_zero());
        let none = zero("added")? & zero("eta")? & expected.node("divisor")?.equals(Node::lit(29, 1));
        let divides = expected.node("divisor")?.equals(expected.node("base")?);
        let sound = reacts.implies(expected.node("bounded")? & divides) & (!reacts).implies(none);
        proof.claim("only a bounded window is adjusted, and divides", &[], sound)?;
        let mut other = Substitution::new();
        other.replace(self.ratio.node(), Node::variable("other ratio", 16));
        proof.equal(
            "without a decrease, `decide` does not ask for the ratio",
            &[!due],
            &expected,
            &other.apply_to(&expected),
        )?;

        let mut cut = Substitution::new();
        cut.replace(self.average()?, Node::variable("average", 23));
        let wire = |moves: &mut Moves, name: &str, at| {
            let node = moves.wire(&format!("window.{name}"), at)?;
            Ok::<_, SignalError>(cut.apply([node])[0])
        };
        let divided =
            Signals::new().with("numerator", measured.numerator()).with("denominator", measured.average);
        let actual = Signals::new()
            .with("numerator", wire(&mut self.moves, "ratio.num", 18)?)
            .with("denominator", wire(&mut self.moves, "ratio.den", 18)?);
        proof.equal(
            "where the window decreases, stage 18 divides what `measure` says",
            &[due],
            &divided,
            &actual,
        )?;

        let mut actual = plan(wire(&mut self.moves, "decided33.word", 19)?);
        actual.extend(&fields(wire(&mut self.moves, "added34.word", 19)?, &ADDED));
        for (what, names) in PLANNED {
            let of = |signals: &Signals| -> Result<Signals, SignalError> {
                names.iter().map(|&name| Ok((name.to_owned(), signals.node(name)?))).collect()
            };
            let name = format!("stage 19 has {what} that `decide` says");
            proof.equal(&name, &[], &of(&expected)?, &of(&actual)?)?;
        }
        let base = fields(wire(&mut self.moves, "base30.word", 19)?, &BASE);
        let cwnd = self.before.cwnd.node().widen(29).when(due, expected.node("base")?);
        let window = Signals::new().with("due", due).with("cwnd", cwnd).with("floor", self.class.mtu);
        proof.equal(
            "stage 19 has the window that `decide` says, and whether it is to decrease",
            &[],
            &window,
            &base,
        )?;

        // From here on these registers have the model's values.
        self.moves.set("window.base19_q", 19, packed(&window, &BASE)?)?;
        self.moves.set("window.added19_q", 19, packed(&expected, &ADDED)?)?;
        self.moves.waits("window.base30", 19, 11)?;
        self.moves.waits("window.added34", 19, 15)?;
        let divided = Signals::new()
            .with("numerator", expected.node("numerator")?)
            .with("denominator", expected.node("base")?);
        let actual = Signals::new()
            .with("numerator", self.moves.wire("window.quotient.num", 34)?)
            .with("denominator", self.moves.wire("window.quotient.den", 34)?);
        proof.equal(
            "stage 34 divides what `decide` says, by the window that it leaves",
            &[],
            &divided,
            &actual,
        )?;
        self.moves.waits("window.decided33", 19, 14)?;
        Ok(())
    }

    /// A decision by names.
    fn words(&self, decision: &Decision<Symbolic>) -> Signals {
        rest_words(&decision.control)
            .with("kind", self.stimulus.kind)
            .with("class", self.number)
            .with("accepted", decision.accepted)
            .with("case", decision.case)
            .with("bounded", decision.bounded)
            .with("reacts", reacts(decision.case.node()))
            .with("base", decision.base)
            .with("eta", decision.eta)
            .with("numerator", decision.numerator)
            .with("added", decision.numerator.node().slice(18, 29))
            .with("divisor", decision.denominator)
    }

    /// Part 3: stages 34 to 51, from any decision in which only a bounded window is adjusted.
    fn settled(&mut self, proof: &mut Proof) -> Result<(), Error> {
        let decision = Decision {
            control: control(Node::variable("decided", STATE_WIDTH))?,
            accepted: Term::variable("accepted"),
            case: Term::variable("case"),
            bounded: Term::variable("bounded"),
            base: Term::variable("base"),
            eta: Term::variable("eta"),
            numerator: Term::variable("numerator"),
            denominator: Term::variable("denominator"),
        };
        let words = self.words(&decision);
        let reacts = words.node("reacts")?;
        self.moves.set("window.decided33.ram.word", 33, plan_word(&words)?)?;
        self.moves.set("window.base34_q", 34, decision.base)?;
        self.moves.set("window.added34.ram.word", 34, packed(&words, &ADDED)?)?;
        Self::late(&mut self.moves)?;

        // For 0 divided by 1 the model's quotient is 0.
        let quotient = self.quotient.when(Term::of(reacts).expect("a bit"), Symbolic::lit(0));
        let expected = (self.model.settle)(&self.class, &decision, quotient);
        let sound =
            [reacts.implies(decision.bounded.node()), (!reacts).implies(decision.eta.is_zero().node())];
        let state = self.moves.at("window.state51_q", 51)?;
        proof.equal(
            "stage 51 has the state that `settle` leaves",
            &sound,
            &control_words(&expected),
            &control_words(&control(state)?),
        )?;

        let word = self.moves.wire("skid.in_word", 51)?;
        let actual = Signals::new()
            .with("case", word.slice(0, 4))
            .with("accepted", word.slice(4, 1))
            .with("kind", word.slice(5, 3))
            .with("cwnd", word.slice(8, 32))
            .with("id", word.slice(40, self.id.width()))
            .with("valid", self.moves.wire("skid.in_valid", 51)?)
            .with("written", self.moves.wire("window.ram.wdata", 51)?)
            .with("to", self.moves.wire("window.ram.waddr", 51)?)
            .with("writes", self.moves.wire("window.ram.we", 51)?);
        let answer = Signals::new()
            .with("case", decision.case)
            .with("accepted", decision.accepted)
            .with("kind", self.stimulus.kind)
            .with("cwnd", control(state)?.cwnd_bytes().node().widen(32))
            .with("id", self.id)
            .with("valid", Node::variable("valid", 1))
            .with("written", state)
            .with("to", self.id)
            .with("writes", Node::variable("live", 1));
        proof.equal(
            "stage 51 answers with it, and it is written to the connection",
            &[],
            &answer,
            &actual,
        )?;
        Ok(())
    }

    /// Proves properties that a reader can trust without the rules.
    fn safety(&self, proof: &mut Proof) -> Result<(), Error> {
        let (before, after) = (&self.before, control(self.after)?);
        let kind = |kind: Kind| self.stimulus.kind.equals(Symbolic::lit(kind as u128));
        let invariant = before.invariant().node();
        let closed = Control::<Symbolic>::closed().invariant().node();
        proof.claim("closed, as reset leaves it, is within the invariant", &[], closed)?;
        let ignores = !before.ignore.is_zero().node();
        proof.satisfiable("the invariant can hold", &[invariant, before.open.node(), ignores])?;
        proof.claim("every event keeps the invariant", &[invariant], after.invariant().node())?;
        proof.claim(
            "closing leaves all zeros, whatever was there",
            &[kind(Kind::Close).node()],
            self.after.is_zero(),
        )?;
        let heard: Bit<Symbolic> = (kind(Kind::Ack) | kind(Kind::Trim) | kind(Kind::Timeout)) & before.open;
        let bytes = |word: Term<28>| word.shl(5);
        let lowest = bytes(self.class.mtu.widen());
        let highest = bytes(self.class.max_cwnd.widen());
        proof.claim(
            "after an ACK, a loss or an opening, the window is at least the MTU and at most the largest",
            &[(heard | kind(Kind::Open)).node(), lowest.at_most(highest).node()],
            (lowest.at_most(after.cwnd) & after.cwnd.at_most(highest)).node(),
        )?;
        let ceiling = lowest.when(before.cwnd.less(lowest), before.cwnd);
        proof.claim(
            "feedback that is ignored, and a loss by itself, never raise the window but to the MTU",
            &[is(self.case, Case::Ignored) | is(self.case, Case::Loss)],
            after.cwnd.at_most(ceiling).node(),
        )?;
        let same = Node::all(control_words(before).matches(&control_words(&after))?.nodes());
        proof.claim(
            "an event that is not for an open connection changes nothing",
            &[(!heard & !kind(Kind::Open) & !kind(Kind::Close)).node()],
            same,
        )?;
        Ok(())
    }
}

fn is(found: Node, case: Case) -> Node {
    found.equals(Node::lit(4, case as u128))
}

/// The event is an ACK that may adjust the window (rules 11 to 14).
fn reacts(case: Node) -> Node {
    Node::any(
        [
            Case::MultiplicativeDecrease,
            Case::FairIncrease,
            Case::MultiplicativeIncrease,
            Case::Held,
            Case::FastIncrease,
        ]
        .map(|one| is(case, one)),
    )
}
