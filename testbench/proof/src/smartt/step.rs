//! One event from the input register to the answer, against the model's step: for any state before it, any
//! event, and all CSRs. The answers of the dividers are arbitrary, and the same on both sides: `divider`
//! proves that they divide. `pipeline` proves that each event reads its own state.

use super::words::{STATE_WIDTH, any_stimulus, class, control, control_words, csr, early, event, state};
use crate::Error;
use crate::moves::{Moves, moving};
use weft_nic::block::smartt::{
    Case, Class, Congestion, Control, Csr, Decision, Gains, Kind, Stimulus, decide, gains, moved,
    read_signals, settle,
};
use weft_symbolic::{Design, Node, Proof, Signals, Substitution, Symbolic, Term};
use weft_word::{Bit, Domain, Word};

/// The parts of the model's step. Tests plant bugs in them.
#[derive(Clone, Copy)]
pub struct Model {
    /// Part 1.
    pub read_signals: ReadSignals,
    /// Part 2.
    pub gains: fn(&Csr<Symbolic>, &Class<Symbolic>, Term<34>) -> Gains<Symbolic>,
    /// Part 3.
    pub decide: Decide,
    /// Part 4.
    pub moved: fn(&Decision<Symbolic>, Term<34>) -> Term<40>,
    /// Part 5.
    pub settle: fn(&Class<Symbolic>, &Decision<Symbolic>, Term<40>) -> Control<Symbolic>,
}

type ReadSignals = fn(&Csr<Symbolic>, &Class<Symbolic>, &Stimulus<Symbolic>) -> Congestion<Symbolic>;

type Decide = fn(
    &Csr<Symbolic>,
    &Class<Symbolic>,
    Control<Symbolic>,
    &Stimulus<Symbolic>,
    &Congestion<Symbolic>,
    &Gains<Symbolic>,
) -> Decision<Symbolic>;

/// The unchanged model.
pub const MODEL: Model = Model { read_signals, gains, decide, moved, settle };

/// An event in the pipeline, and the state that it finds.
pub struct Step {
    moves: Moves,
    model: Model,
    csr: Csr<Symbolic>,
    class: Class<Symbolic>,
    stimulus: Stimulus<Symbolic>,
    /// The numbers of the class and of the connection.
    number: Node,
    id: Node,
    /// The connection's state when the event reads it, and the answers of the dividers.
    state: Node,
    /// The state after the event, and its case, each as one expression.
    after: Node,
    case: Node,
    ratio: Term<34>,
    quotient: Term<34>,
}

impl Step {
    /// Prepares the step of `design`, which is `weft_smartt` with watched RAMs.
    pub fn new(design: &Design, model: Model) -> Result<Self, Error> {
        let mut moves = Moves::new(design, &moving())?;
        let stimulus = any_stimulus();
        let number = Node::variable("event.class", 2);
        let id = Node::variable("event.id", design.inputs.node("s_axis_event_tid")?.width());
        moves.set("front.sweeping_q", 0, Node::bit(false))?;
        moves.set("front.held_id_q", 0, id)?;
        moves.set("front.held_event_q", 0, event(&stimulus, number))?;
        moves.set("front.held_rtt_q", 0, stimulus.rtt)?;
        for bit in ["valid", "live"] {
            moves.set(&format!("front.s1_{bit}_q"), 1, Node::variable(bit, 1))?;
        }
        moves.waits("window.event13", 1, 12)?;
        moves.waits("window.event25", 13, 12)?;
        let before = Node::variable("state", STATE_WIDTH);
        let (ratio, quotient) = (Term::variable("ratio"), Term::variable("quotient"));
        moves.set("congestion.ratio.g_stage[16].rest_q", 21, ratio)?;
        moves.set("window.state_q", 25, before)?;
        moves.set("window.quotient.g_stage[16].rest_q", 46, quotient)?;
        let (csr, class) = (csr(&design.inputs)?, class(&design.inputs, number)?);
        let mut whole = moves.clone();
        whole.waits("window.decided45", 32, 13)?;
        whole.waits("window.fall45", 30, 15)?;
        let after = state(whole.at("window.early28_q", 28)?, whole.at("window.state48_q", 48)?);
        let case = whole.at("window.case48_q", 48)?;
        Ok(Self {
            moves,
            after,
            case,
            model,
            csr,
            class,
            stimulus,
            number,
            id,
            state: before,
            ratio,
            quotient,
        })
    }

    /// Proves all claims of the step.
    pub fn prove(&mut self, proof: &mut Proof) -> Result<(), Error> {
        self.signals(proof)?;
        self.decided(proof)?;
        self.settled(proof)?;
        self.moves.assumptions_hold(proof)?;
        self.safety(proof)
    }

    fn congestion(&self) -> Congestion<Symbolic> {
        (self.model.read_signals)(&self.csr, &self.class, &self.stimulus)
    }

    fn single(&self) -> Bit<Symbolic> {
        self.csr.signals.equals(Symbolic::lit(1)) | self.csr.signals.equals(Symbolic::lit(2))
    }

    /// Proves parts 1 and 2: stages 2 to 25.
    fn signals(&mut self, proof: &mut Proof) -> Result<(), Error> {
        let congestion = self.congestion();
        let divided =
            Signals::new().with("numerator", congestion.numerator()).with("denominator", congestion.rtt);
        let actual = Signals::new()
            .with("numerator", self.moves.wire("congestion.ratio.num", 4)?)
            .with("denominator", self.moves.wire("congestion.ratio.den", 4)?);
        proof.equal("stage 4 divides what the model's `read_signals` says", &[], &divided, &actual)?;

        let gains = (self.model.gains)(&self.csr, &self.class, self.ratio);
        let expected = Signals::new()
            .with("marked", congestion.marked)
            .with("high", congestion.high)
            .with("quiet", congestion.calm & !self.single())
            .with("multiplicative", gains.multiplicative)
            .with("increase", gains.increase)
            .with("fair", self.class.fair_increase)
            .with("decrease", gains.decrease);
        let actual = expected.twins(|name| self.moves.wire(&format!("window.{name}"), 25))?;
        proof.equal("stage 25 has what `read_signals` and `gains` say", &[], &expected, &actual)?;

        // From here on these words are arbitrary, and the same on both sides.
        let [calm, high, marked] = ["calm", "high", "marked"].map(|name| Node::variable(name, 1));
        let marks = (calm & !self.single().node()).cat(high).cat(marked);
        self.moves.set("congestion.marks_line.g_clock[20].word", 25, marks)?;
        self.moves.set("congestion.s25_fair_q", 25, self.class.fair_increase)?;
        let gains = self.any_gains();
        self.moves.set("congestion.s25_multiplicative_q", 25, gains.multiplicative)?;
        self.moves.set("congestion.s25_increase_q", 25, gains.increase)?;
        self.moves.set("congestion.s25_decrease_q", 25, gains.decrease)?;
        Ok(())
    }

    fn any_gains(&self) -> Gains<Symbolic> {
        Gains {
            multiplicative: Term::variable("multiplicative"),
            increase: Term::variable("increase"),
            decrease: Term::variable("decrease"),
        }
    }

    fn any_congestion(&self) -> Congestion<Symbolic> {
        Congestion {
            marked: Term::variable("marked"),
            high: Term::variable("high"),
            calm: Term::variable("calm"),
            ..self.congestion()
        }
    }

    /// Proves part 3: stages 26 to 32, the early part of the state in stage 28, and the products beside them.
    fn decided(&mut self, proof: &mut Proof) -> Result<(), Error> {
        let single = self.single();
        let decide = || {
            let (congestion, gains) = (self.any_congestion(), self.any_gains());
            (self.model.decide)(
                &self.csr,
                &self.class,
                control(self.state),
                &self.stimulus,
                &congestion,
                &gains,
            )
        };
        let expected = proof.merged("decide", decide, |decision| {
            decision_words(decision, &self.stimulus, self.number, single)
        })?;
        let (add, sub) = (expected.node("add")?, expected.node("sub")?);
        let reacts = add | sub;
        let sound = !(add & sub) & reacts.implies(expected.node("bounded")?);
        proof.claim("a reaction adds or takes, not both, and is bounded", &[], sound)?;

        let decided = self.moves.at("window.decided_q", 32)?;
        let product = self.moves.wire("window.fall_product.p", 29)?.slice(21, 32);
        let none = Node::lit(32, 0);
        let mut actual = rtl_words(decided, self.moves.at("window.early28_q", 28)?, reacts);
        actual.insert("fall", product.when(sub, none));
        actual.insert("half", single);
        for (name, port) in [("numerator", "num"), ("denominator", "den")] {
            let word = self.moves.wire(&format!("window.quotient.{port}"), 29)?;
            actual.insert(name, word.when(reacts, Node::lit(word.width(), 0)));
        }
        let divided = |signals: &Signals, yes| -> Signals {
            let is = |name: &str| ["numerator", "denominator"].contains(&name) == yes;
            signals.iter().filter(|(name, _)| is(name)).map(|(name, node)| (name.to_owned(), node)).collect()
        };
        proof.equal(
            "where the window reacts, stage 29 divides what the model's `decide` says",
            &[],
            &divided(&expected, true),
            &divided(&actual, true),
        )?;
        proof.equal(
            "stage 32 has what `decide` says",
            &[],
            &divided(&expected, false),
            &divided(&actual, false),
        )?;
        Ok(())
    }

    /// Proves parts 4 and 5: stages 33 to 48, from any decision. For a decision without a reaction, the
    /// values of the reaction are arbitrary in the RTL.
    fn settled(&mut self, proof: &mut Proof) -> Result<(), Error> {
        let single = self.single();
        let decision = Decision {
            control: Control { cwnd: Symbolic::lit(0), ..control(Node::variable("decided", STATE_WIDTH)) },
            accepted: Term::variable("accepted"),
            case: Term::variable("case"),
            bounded: Term::variable("bounded"),
            base: Term::variable("base"),
            add: Term::variable("add"),
            sub: Term::variable("sub"),
            bytes: Term::variable("bytes"),
            limited: Term::variable("limited"),
            half: single,
            decrease: Term::variable("taken"),
            numerator: Symbolic::lit(0),
            denominator: Symbolic::lit(0),
        };
        let (add, sub) = (decision.add, decision.sub);
        let bytes = decision.bytes.when(add | sub, Term::variable("other bytes"));
        let limited = decision.limited.when(add, Term::variable("other limited"));
        let product = decision.bytes.times::<34, 53>(decision.decrease).slice::<21, 32>();
        let product = product.when(sub, Term::variable("other product"));
        let rtl = Decision { bytes, limited, ..decision };
        self.moves.set("window.decided_q", 32, decided(&rtl, self.stimulus.kind.node(), self.number))?;
        self.moves.set("window.early28_q", 28, early(&decision.control))?;
        self.moves.waits("window.decided45", 32, 13)?;
        self.moves.set("window.fall30_q", 30, product)?;
        self.moves.waits("window.fall45", 30, 15)?;

        let cases = [("adding", true, false), ("taking", false, true), ("neither", false, false)];
        let case = |adds, takes| {
            let mut known = Substitution::new();
            known.replace(add.node(), Node::bit(adds));
            known.replace(sub.node(), Node::bit(takes));
            known
        };
        let expected = (self.model.moved)(&decision, self.quotient);
        let actual = self.moves.at("window.moved47_q", 47)?;
        for (name, adds, takes) in cases {
            proof.claim(
                &format!("stage 47 has the window that `moved` says: {name}"),
                &[],
                case(adds, takes).apply([actual.equals(expected.node())])[0],
            )?;
        }
        let other = (self.model.moved)(&decision, Term::variable("other quotient"));
        proof.claim(
            "without a reaction, `moved` does not ask for the quotient",
            &[!(add | sub).node()],
            expected.node().equals(other.node()),
        )?;

        // From here on this word is arbitrary, and the same on both sides.
        let window = Term::variable("moved");
        self.moves.set("window.moved47_q", 47, window)?;
        let expected = (self.model.settle)(&self.class, &decision, window);
        let late = self.moves.at("window.state48_q", 48)?;
        let state = state(self.moves.at("window.early28_q", 28)?, late);
        let (expected_words, actual) = (control_words(&expected), control_words(&control(state)));
        for (name, adds, takes) in cases {
            let known = case(adds, takes);
            let reacts = Node::bit(adds | takes);
            proof.equal(
                &format!("stage 48 has the state that `settle` leaves: {name}"),
                &[reacts.implies(decision.bounded.node())],
                &known.apply_to(&expected_words),
                &known.apply_to(&actual),
            )?;
        }

        let word = self.moves.wire("skid.in_word", 48)?;
        let actual = Signals::new()
            .with("case", word.slice(0, 4))
            .with("accepted", word.slice(4, 1))
            .with("kind", word.slice(5, 3))
            .with("cwnd", word.slice(8, 26))
            .with("above", word.slice(34, 6))
            .with("id", word.slice(40, self.id.width()))
            .with("valid", self.moves.wire("skid.in_valid", 48)?)
            .with("early written", self.moves.wire("window.early.wdata", 28)?)
            .with("early to", self.moves.wire("window.early.waddr", 28)?)
            .with("early writes", self.moves.wire("window.early.we", 28)?)
            .with("written", self.moves.wire("window.late.wdata", 48)?)
            .with("to", self.moves.wire("window.late.waddr", 48)?)
            .with("writes", self.moves.wire("window.late.we", 48)?);
        let answer = Signals::new()
            .with("case", decision.case)
            .with("accepted", decision.accepted)
            .with("kind", self.stimulus.kind)
            .with("cwnd", control(state).cwnd_bytes())
            .with("above", Node::lit(6, 0))
            .with("id", self.id)
            .with("valid", Node::variable("valid", 1))
            .with("early written", early(&decision.control))
            .with("early to", self.id)
            .with("early writes", Node::variable("live", 1))
            .with("written", late)
            .with("to", self.id)
            .with("writes", Node::variable("live", 1));
        proof.equal(
            "stage 48 answers with it, and it is written to the connection",
            &[],
            &answer,
            &actual,
        )?;
        Ok(())
    }

    /// Proves properties that a reader can trust without the rules.
    fn safety(&self, proof: &mut Proof) -> Result<(), Error> {
        let (before, after) = (control(self.state), control(self.after));
        let is = |kind: Kind| self.stimulus.kind.equals(Symbolic::lit(kind as u128));
        let did = |case: Case| self.case.equals(Node::lit(4, case as u128));
        let invariant = before.invariant().node();
        let closed = Control::<Symbolic>::closed().invariant().node();
        proof.claim("closed, as reset leaves it, is within the invariant", &[], closed)?;
        proof.satisfiable(
            "the invariant can hold",
            &[invariant, before.open.node(), before.ignoring.node()],
        )?;
        proof.claim("every event keeps the invariant", &[invariant], after.invariant().node())?;
        proof.claim(
            "closing leaves all zeros, whatever was there",
            &[is(Kind::Close).node()],
            self.after.is_zero(),
        )?;
        let heard = (is(Kind::Ack) | is(Kind::Trim) | is(Kind::Timeout)) & before.open;
        let lowest = self.class.mtu.widen::<37>().shl(11);
        let highest = self.class.max_cwnd.widen::<37>().shl(11);
        proof.claim(
            "after an ACK, a loss or an opening, the window is at least the MTU and at most the largest",
            &[(heard | is(Kind::Open)).node(), lowest.at_most(highest).node()],
            (lowest.at_most(after.cwnd) & after.cwnd.at_most(highest)).node(),
        )?;
        let ceiling = lowest.when(before.cwnd.less(lowest), before.cwnd);
        proof.claim(
            "feedback that is ignored, and a loss by itself, never raise the window but to the MTU",
            &[did(Case::Ignored) | did(Case::Loss)],
            after.cwnd.at_most(ceiling).node(),
        )?;
        let words = control_words(&before);
        let same = Node::all(words.matches(&control_words(&after))?.nodes());
        proof.claim(
            "an event that is not for an open connection changes nothing",
            &[(!heard & !is(Kind::Open) & !is(Kind::Close)).node()],
            same,
        )?;
        Ok(())
    }
}

/// A decision by names. The values of a reaction are 0 without a reaction.
fn decision_words(
    decision: &Decision<Symbolic>,
    stimulus: &Stimulus<Symbolic>,
    class: Node,
    single: Bit<Symbolic>,
) -> Signals {
    let (add, sub) = (decision.add, decision.sub);
    let reacts = add | sub;
    let product = decision.bytes.times::<34, 53>(decision.decrease).slice::<21, 32>();
    let word = decided(decision, stimulus.kind.node(), class);
    rtl_words(word, early(&decision.control), reacts.node())
        .with("half", decision.half.when(reacts, single))
        .with("fall", product.when(sub, Symbolic::lit(0)))
        .with("numerator", decision.numerator.when(reacts, Symbolic::lit(0)))
        .with("denominator", decision.denominator.when(reacts, Symbolic::lit(0)))
}

/// A decision, packed as in the RTL, see `Decided` in `hdl/src/block/smartt/words.rs`.
fn decided(decision: &Decision<Symbolic>, kind: Node, class: Node) -> Node {
    let control = &decision.control;
    [
        control.calm.node(),
        control.ignoring.node(),
        control.trigger.node(),
        control.fresh.node(),
        control.open.node(),
        decision.base.node(),
        decision.bytes.node(),
        decision.limited.node(),
        decision.sub.node(),
        decision.add.node(),
        decision.bounded.node(),
        decision.case.node(),
        decision.accepted.node(),
        class,
        kind,
    ]
    .into_iter()
    .fold(control.average.node(), Node::cat)
}

/// The fields of a word of `decide` and of the early part of a state, by name.
fn rtl_words(word: Node, early: Node, reacts: Node) -> Signals {
    let add = word.slice(11, 1);
    Signals::new()
        .with("kind", word.slice(0, 3))
        .with("class", word.slice(3, 2))
        .with("accepted", word.slice(5, 1))
        .with("case", word.slice(6, 4))
        .with("bounded", word.slice(10, 1))
        .with("add", add)
        .with("sub", word.slice(12, 1))
        .with("limited", word.slice(13, 1) & add)
        .with("bytes", word.slice(14, 19).when(reacts, Node::lit(19, 0)))
        .with("base", word.slice(33, 39))
        .with("open", word.slice(72, 1))
        .with("fresh", word.slice(73, 1))
        .with("trigger", word.slice(74, 1))
        .with("ignoring", word.slice(75, 1))
        .with("acked", early.slice(0, 26))
        .with("shared", early.slice(26, 26))
        .with("calm", word.slice(76, 26))
        .with("end", early.slice(52, 20))
        .with("average", word.slice(102, 13))
}
