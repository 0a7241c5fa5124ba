//! An outcome of the transport from its registers in stage 1 to the words that leave stage 5, against the
//! model: any outcome, any notes of its connection, any time.

use super::words::{
    any_notes, any_outcome, entry, facts, feedback, listing, news, notes, passed, ports, sound,
};
use crate::Error;
use crate::moves::Moves;
use weft_nic::block::sender::rules::{Meaning, Notes, Outcome, Settings};
use weft_symbolic::{Design, Node, Proof, Signals, Symbolic, Term};

/// Moves from stage 1 to the notes, and to the words that leave.
const NOTED: usize = 3;
const LEAVES: usize = 5;

/// Ports with registers, which are constant while an outcome is in the block.
const IDLE: &str = "dispatch.cfg_idle";
const TRIMMING: &str = "dispatch.cfg_reps_trimming";

type Learns = fn(&Notes<Symbolic>, &Outcome<Symbolic>, Term<32>) -> Notes<Symbolic>;
type Means = fn(&Notes<Symbolic>, &Outcome<Symbolic>, &Settings<Symbolic>) -> Meaning<Symbolic>;

/// The parts of the model; a test plants bugs in them.
#[derive(Clone, Copy)]
pub struct Model {
    /// The notes after an outcome.
    pub learn: Learns,
    /// The meaning of an outcome.
    pub meaning: Means,
}

/// The model.
pub const MODEL: Model = Model { learn: Notes::learn, meaning: Notes::meaning };

/// The module alone.
pub struct Dispatch<'a> {
    design: &'a Design,
    model: Model,
}

impl<'a> Dispatch<'a> {
    /// `design` is `weft_sender_dispatch` with watched RAMs.
    pub fn new(design: &'a Design, model: Model) -> Self {
        Self { design, model }
    }

    /// All claims.
    pub fn prove(&self, proof: &mut Proof) -> Result<(), Error> {
        self.enters(proof)?;
        self.means(proof)?;
        self.nothing(proof)
    }

    fn input(&self, name: &str) -> Result<Node, Error> {
        Ok(self.design.inputs.node(name)?)
    }

    /// Stage 1.
    fn enters(&self, proof: &mut Proof) -> Result<(), Error> {
        let (now, next) = (self.design.registers(), self.design.next());
        let (reset, ready) = (self.input("rst")?, now.node("ready_q")?);
        let takes = self.input("outcome_valid")? & ready;
        let sweeping = self.input("sweeping")?;
        let listed = self.input("listing")?.slice(0, 5).widen(6);
        let expected = Signals::new()
            .with("ready_q", self.input("room")? & !reset)
            .with("s1_valid_q", takes & !reset)
            .with("s1_live_q", (takes | sweeping) & !reset)
            .with("s1_sweep_q", sweeping & !reset)
            .with("s1_id_q", self.input("sweep")?.when(sweeping, self.input("outcome_id")?))
            .with("s1_data_q", self.input("outcome_data")?)
            .with("s1_user_q", self.input("outcome_user")?)
            .with("s1_listing_q", self.input("listing")?)
            .with("s1_told_q", listed + Node::lit(6, 1))
            .with("s1_now_q", self.input("now")?);
        proof.equal(
            "an outcome enters with its list and the time; the sweep enters with its connection",
            &[],
            &expected,
            &next,
        )?;
        let user = self.input("outcome_user")?;
        let of_ack = user.slice(0, 3).equals(Node::lit(3, 1)) & !user.slice(11, 1);
        let expected = Signals::new().with("outcome_ready", ready).with("acked_one", takes & of_ack);
        proof.equal(
            "an outcome is accepted while there is room, and the one of an ACK takes a list",
            &[],
            &expected,
            &self.design.outputs,
        )?;
        Ok(())
    }

    /// An outcome that is in stage 1.
    fn under_way(&self, valid: bool) -> Result<(Moves, Node), Error> {
        let moving = Signals::new()
            .with("rst", Node::bit(false))
            .with("idle", Node::variable(IDLE, 32))
            .with("trims", Node::variable(TRIMMING, 1));
        let mut moves = Moves::new(self.design, &moving)?;
        let outcome = any_outcome();
        let (data, user) = ports(&outcome);
        let id = Node::variable("id", self.input("outcome_id")?.width());
        let list = listing();
        for (register, value) in [
            ("valid", Node::bit(valid)),
            ("live", Node::bit(true)),
            ("sweep", Node::bit(!valid)),
            ("id", id),
            ("data", data),
            ("user", user),
            ("listing", list),
            ("told", list.slice(0, 5).widen(6) + Node::lit(6, 1)),
            ("now", Node::variable("now", 32)),
        ] {
            moves.set(&format!("s1_{register}_q"), 0, value)?;
        }
        moves.waits("s4_outcome", 0, NOTED)?;
        moves.finds("notes", NOTED, (id, Node::bit(true)), notes(&any_notes()))?;
        Ok((moves, id))
    }

    /// Rules 5, 6, 10 to 12, 16, 19, 20, 22 and 23.
    fn means(&self, proof: &mut Proof) -> Result<(), Error> {
        let (mut moves, id) = self.under_way(true)?;
        let (outcome, before) = (any_outcome(), any_notes());
        let settings = Settings {
            now: Term::variable("now"),
            idle_ticks: Term::variable(IDLE),
            trimming: Term::variable(TRIMMING),
        };
        let after = notes(&(self.model.learn)(&before, &outcome, settings.now));
        let meaning = (self.model.meaning)(&before, &outcome, &settings);
        let sound = sound(&outcome);
        let noted = moves.wire("notes.word", NOTED)?;
        proof.claim("an outcome leaves the notes that `learn` says", &sound, noted.equals(after))?;
        moves.assumptions_hold(proof)?;

        let wide = id.widen(14);
        let (entry_made, news_made, feedback_made) =
            (meaning.entry.0.node(), meaning.news.0.node(), meaning.feedback.0.node());
        let mut shown = |name: &str| moves.wire(name, LEAVES);
        let words = [
            (
                "rules 5 and 6: the messages hear what `meaning` says: a packet that leaves, messages that end",
                ("entry", entry_made, entry(wide, &meaning.entry.1)),
            ),
            (
                "rules 10, 12 and 19: the choice of paths hears what `meaning` says",
                ("news", news_made, news(wide, &meaning.news.1)),
            ),
            (
                "rule 23: egress hears what `meaning` says",
                ("passed", meaning.passed.0.node(), passed(&meaning)),
            ),
        ];
        for (claim, (name, made, word)) in words {
            let (valid, found) = (shown(&format!("{name}_valid"))?, shown(name)?);
            proof.claim(claim, &sound, valid.equals(made) & made.implies(found.equals(word)))?;
        }
        // The kind is arbitrary in a report that has only acknowledged packets.
        let (valid, found) = (shown("feedback_valid")?, shown("feedback")?);
        let word = feedback(wide, &meaning.feedback.1);
        let kind = 15..18;
        let same = |low: usize, high: usize| found.slice(low, high - low).equals(word.slice(low, high - low));
        let of_kind = meaning.feedback.1.other.node().implies(same(kind.start, kind.end));
        let others = same(0, kind.start) & same(kind.end, word.width());
        proof.claim(
            "rules 11 and 20: the congestion window hears what `meaning` says, with the packets that `marked_of` counts as marked",
            &sound,
            valid.equals(feedback_made) & feedback_made.implies(of_kind & others),
        )?;
        let counted = facts(outcome.kind.node(), &meaning.facts);
        proof.claim(
            "the counters hear what `meaning` says",
            &sound,
            shown("facts")?.equals(counted) & shown("voids")?.equals(meaning.void.node()),
        )?;
        let denied = meaning.facts.denied.node();
        let ends = meaning.facts.unanswered.node() | denied;
        let report = shown("failed_id")?.equals(id) & shown("failed_denied")?.equals(denied);
        proof.claim(
            "rules 16 and 22: a connection that gave up, or was denied, is reported",
            &sound,
            shown("failed_valid")?.equals(ends) & ends.implies(report),
        )?;
        proof.claim("its connection is that of the words", &sound, shown("passed_id")?.equals(id))?;
        Ok(())
    }

    /// A clock of the sweep.
    fn nothing(&self, proof: &mut Proof) -> Result<(), Error> {
        let (mut moves, _) = self.under_way(false)?;
        let width = notes(&any_notes()).width();
        let mut expected = Signals::new().with("notes.word", Node::lit(width, 0));
        let mut actual = Signals::new().with("notes.word", moves.wire("notes.word", NOTED)?);
        for name in ["entry_valid", "news_valid", "feedback_valid", "passed_valid", "failed_valid", "voids"] {
            expected.insert(name, Node::bit(false));
            actual.insert(name, moves.wire(name, LEAVES)?);
        }
        // Causes of losses, failures and ACKs: all that is counted.
        let shown = moves.wire("facts", LEAVES)?;
        expected.insert("causes", Node::lit(4, 0));
        actual.insert("causes", shown.slice(0, 4));
        expected.insert("flags", Node::lit(4, 0));
        actual.insert("flags", shown.slice(13, 4));
        proof.equal("rule 1: the sweep clears notes, and says nothing", &[], &expected, &actual)?;
        Ok(())
    }
}
