//! One event from its register in stage 1 to the outcome in stage 30, against the model's step, cut where the
//! model has parts. See `sack_rx/step.rs`, which is the smaller example.
//!
//! For a closed connection, the RTL may store any values except its turn to send; the model has zeros.
//! `as_model` relates both.

mod closed;
mod finished;
mod settled;

use super::words::{Event, any_flow, any_published, any_rings, as_model, placed, seen, word};
use crate::Error;
use crate::moves::{Moves, moving};
use crate::slots::word as word_of;
use weft_nic::block::sack_tx::{
    Account, Action, Csr, Ends, Flow, Group, Kind, LATENCY, Place, Published, Rings, Spot, Stimulus, Survey,
    end, finish, mark, place, settle, survey,
};
use weft_nic::part::ring::{Ring, SLOTS};
use weft_symbolic::{Design, Node, Proof, Signals, Substitution, Symbolic, Term};
use weft_word::{Domain, Word};

/// The parts of the model's step. Tests plant bugs in them.
#[derive(Clone, Copy)]
pub struct Model {
    /// Interprets the event.
    pub place: FindPlace,
    /// Computes the rings after the event.
    pub mark: Mark,
    /// Evaluates the rings.
    pub survey: fn(&Place<Symbolic>, &Rings<Symbolic>) -> Survey<Symbolic>,
    /// Computes the rest of a connection's state.
    pub settle: Settle,
    /// Computes where messages end.
    pub end: End,
    /// Computes the state of messages.
    pub finish: Finish,
}

type FindPlace = fn(&Csr<Symbolic>, &Published<Symbolic>, &Stimulus<Symbolic>) -> Place<Symbolic>;

type Mark = fn(&Place<Symbolic>, &Stimulus<Symbolic>, &Rings<Symbolic>) -> (Rings<Symbolic>, Term<1>);

type Settle = fn(
    &Csr<Symbolic>,
    &Flow<Symbolic>,
    &Stimulus<Symbolic>,
    &Place<Symbolic>,
    &Survey<Symbolic>,
) -> (Flow<Symbolic>, Action<Symbolic>);

type End = fn(&Ends<Symbolic>, &Stimulus<Symbolic>, &Action<Symbolic>, &Spot<Symbolic>) -> Ends<Symbolic>;

type Finish = fn(
    &Account<Symbolic>,
    &Stimulus<Symbolic>,
    &Action<Symbolic>,
    &Spot<Symbolic>,
    &Group<Symbolic>,
) -> (Account<Symbolic>, Term<9>, Term<9>);

/// The unchanged model.
pub const MODEL: Model = Model { place, mark, survey, settle, end, finish };

/// An event in the pipeline, the state that it finds, and the results of the model.
pub struct Step {
    moves: Moves,
    csr: Csr<Symbolic>,
    backoff_limit: [Term<3>; 4],
    event: Event,
    id: Node,
    found: Published<Symbolic>,
    /// State in the form in which the RTL stores it.
    flow: Flow<Symbolic>,
    rings: Rings<Symbolic>,
    place: Place<Symbolic>,
    rings_after: Rings<Symbolic>,
    beyond: Term<1>,
    /// The survey of the rings after the event.
    surveyed: Survey<Symbolic>,
    /// An arbitrary survey, for the later stages.
    survey: Survey<Symbolic>,
    after: Flow<Symbolic>,
    action: Action<Symbolic>,
    model: Model,
}

impl Step {
    /// Prepares the step of `design`, which is `weft_sack_tx` with watched RAMs.
    pub fn new(design: &Design, model: Model) -> Result<Self, Error> {
        let mut moves = Moves::new(design, &moving())?;
        let event = Event::any();
        let id = Node::variable("event.id", design.inputs.node("s_axis_event_tid")?.width());
        moves.set("front.s1_event_q", 1, event.word())?;
        moves.set("front.s1_bitmap_q", 1, word_of(event.stimulus.bitmap))?;
        moves.set("front.s1_id_q", 1, id)?;
        for bit in ["valid", "live"] {
            moves.set(&format!("front.s1_{bit}_q"), 1, Node::variable(bit, 1))?;
            // An arbitrary event behind this one.
            for stage in 2..=LATENCY {
                moves.set(
                    &format!("front.s1_{bit}_q"),
                    stage,
                    Node::variable(&format!("{bit} behind {stage}"), 1),
                )?;
            }
        }
        let csr = Csr {
            mtu: design.inputs.word("cfg_mtu")?,
            gap: lanes(design.inputs.node("cfg_gap")?),
            epoch: lanes(design.inputs.node("cfg_epoch")?),
            high: lanes(design.inputs.node("cfg_high")?),
            retry_limit: lanes(design.inputs.node("cfg_retry_limit")?),
        };
        let rings = any_rings();
        let (found, flow) = (any_published("published"), any_flow("flow"));
        let place = (model.place)(&csr, &found, &event.stimulus);
        let (rings_after, beyond) = (model.mark)(&place, &event.stimulus, &rings);
        let surveyed = (model.survey)(&place, &rings_after);
        let survey = Survey {
            run: Term::variable("run"),
            unacked: Term::variable("unacked"),
            lost: Term::variable("lost"),
            first_lost: Term::variable("first lost"),
        };
        let (after, action) = (model.settle)(&csr, &as_model(&flow), &event.stimulus, &place, &survey);
        Ok(Self {
            moves,
            csr,
            backoff_limit: lanes(design.inputs.node("cfg_backoff_limit")?),
            event,
            id,
            found,
            flow,
            rings,
            place,
            rings_after,
            beyond,
            surveyed,
            survey,
            after,
            action,
            model,
        })
    }

    /// Proves all claims of the step. Stops after the first stages of which a claim fails.
    pub fn prove(&mut self, proof: &mut Proof) -> Result<(), Error> {
        let stages = [
            Self::placed,
            Self::marked,
            Self::surveyed,
            Self::settled,
            Self::finished,
            Self::closed,
            Self::transport,
        ];
        for stage in stages {
            stage(self, proof)?;
            if !proof.is_proved() {
                break;
            }
        }
        self.moves.assumptions_hold(proof)?;
        Ok(())
    }

    /// Claims that registers in `stage` contain these words, and replaces the registers with them.
    fn holds(
        &mut self,
        proof: &mut Proof,
        name: &str,
        assumptions: &[Node],
        stage: usize,
        words: &[(&str, Node)],
    ) -> Result<(), Error> {
        let (mut expected, mut actual) = (Signals::new(), Signals::new());
        for (register, word) in words {
            expected.insert(*register, *word);
            actual.insert(*register, self.moves.at(register, stage)?);
        }
        proof.equal(name, assumptions, &expected, &actual)?;
        for (register, word) in words {
            self.moves.set(register, stage, *word)?;
        }
        Ok(())
    }

    /// An open connection has at most 256 PSNs that are sent and not acknowledged.
    fn in_window(&self) -> Node {
        let window: Term<24> = self.found.next - self.found.una;
        self.found.open.node().implies(window.at_most(Symbolic::lit(SLOTS.into())).node())
    }

    /// Proves stages 3 to 7.
    fn placed(&mut self, proof: &mut Proof) -> Result<(), Error> {
        self.moves.waits("s3_event", 1, 2)?;
        self.moves.reads("published", 3, self.id, seen(&self.found))?;
        self.holds(
            proof,
            "stage 5 has the slot of the event's PSN",
            &[],
            5,
            &[("place.s5_slot_reg_q", self.place.bitmap_from.node())],
        )?;
        self.holds(
            proof,
            "stage 7 has what `place` says, whatever is published",
            &[self.in_window()],
            7,
            &[("place.s7_placed_q", placed(&self.place, &self.event))],
        )?;
        let fits = |length: Term<9>| length.at_most(Symbolic::lit(SLOTS.into())).node();
        let lengths = [self.place.told.length, self.place.cumulative, self.place.judged];
        proof.claim(
            "what it tells of, covers and judges is 256 PSNs at most",
            &[self.in_window()],
            Node::all(lengths.map(fits)),
        )?;
        proof.claim(
            "so are the PSNs sent from an open connection, with the event's own",
            &[self.in_window(), self.found.open.node()],
            fits(self.place.window_after),
        )?;
        Ok(())
    }

    /// The reader of the parts' words: its connection, and that it is an event.
    fn asker(&self) -> (Node, Node) {
        (self.id, Node::variable("live", 1))
    }

    /// Replaces the answer of a span with the model's, if the length is at most 256.
    fn span(&mut self, leaf: &str, stage: usize) -> Result<(), Error> {
        let start = self.moves.wire(&format!("{leaf}.start"), stage)?;
        let length: Term<9> = word(self.moves.wire(&format!("{leaf}.length"), stage)?);
        let fits = length.at_most(Symbolic::lit(SLOTS.into()));
        let span = word_of(Ring::<Symbolic>::span(word::<8>(start), length));
        let any = Node::variable(&format!("{leaf} beyond 256"), SLOTS as usize);
        Ok(self.moves.set(&format!("{leaf}.out_q"), stage + 2, span.when(fits.node(), any))?)
    }

    /// The replacement for the logic of an extent a clock later: the model's function, if the length is at
    /// most 256.
    fn extent(&mut self, leaf: &str, stage: usize) -> Result<Substitution, Error> {
        let start = self.moves.wire(&format!("{leaf}.start"), stage)?;
        let length: Term<9> = word(self.moves.wire(&format!("{leaf}.length"), stage)?);
        let fits = length.at_most(Symbolic::lit(SLOTS.into()));
        let span = word_of(Ring::<Symbolic>::span(word::<8>(start), length));
        let any = Node::variable(&format!("{leaf} beyond 256"), SLOTS as usize);
        let mut inside = Substitution::new();
        inside.replace(self.moves.wire(&format!("{leaf}.mask"), stage + 1)?, span.when(fits.node(), any));
        Ok(inside)
    }

    /// Adds the replacement for the logic of a point a clock later to `points`.
    fn point(&mut self, leaf: &str, stage: usize, points: &mut Substitution) -> Result<(), Error> {
        let index = self.moves.wire(&format!("{leaf}.index"), stage)?;
        let en = self.moves.wire(&format!("{leaf}.en"), stage)?;
        let one = Ring::<Symbolic>::one(word::<8>(index)).when(word(en), Ring::none());
        points.replace(self.moves.wire(&format!("{leaf}.one"), stage + 1)?, word_of(one));
        Ok(())
    }

    /// Replaces the register with its value under the substitution `logic`.
    fn put(&mut self, register: &str, stage: usize, logic: &Substitution) -> Result<(), Error> {
        let word = self.moves.at(register, stage)?;
        Ok(self.moves.set(register, stage, logic.apply([word])[0])?)
    }

    /// Proves stages 5 to 12: the rings.
    fn marked(&mut self, proof: &mut Proof) -> Result<(), Error> {
        let vec = self.moves.at("s5_bitmap_q", 5)?;
        let ack = self.event.is(Kind::Ack).node();
        let bitmap = self.event.stimulus.bitmap.when(word(ack), Ring::none());
        proof.claim("stage 5 has the bitmap of an ACK", &[], vec.equals(word_of(bitmap)))?;
        let amount = self.moves.wire("window.rotate.amount", 5)?;
        self.moves.set("window.rotate.by_64_q", 9, word_of(bitmap.rotated(word(amount))))?;
        let told = self.extent("window.told", 8)?;
        self.put("window.s10_told_q", 10, &told)?;
        let cumulative = self.extent("window.cumulative", 9)?;
        self.put("window.s11_acked_q", 11, &cumulative)?;
        self.span("window.judged", 9)?;
        let mut points = Substitution::new();
        for leaf in ["window.here", "window.leaving", "window.newest"] {
            self.point(leaf, 10, &mut points)?;
        }
        let (before, after) = (self.rings, self.rings_after);
        let rings = [
            ("waiting", before.waiting, after.waiting),
            ("lost", before.lost, after.lost),
            ("age_low", before.age_low, after.age_low),
            ("age_high", before.age_high, after.age_high),
        ];
        for (name, before, _) in rings {
            self.moves.finds(&format!("window.{name}.rings"), 11, self.asker(), word_of(before))?;
        }
        let words = rings.map(|(name, _, after)| (format!("window.{name}.rings.s5_word_q"), word_of(after)));
        for (register, _) in &words {
            self.put(register, 12, &points)?;
        }
        self.holds(
            proof,
            "stage 12 has the rings that `mark` says",
            &[self.in_window()],
            12,
            &words.each_ref().map(|(register, word)| (register.as_str(), *word)),
        )?;
        self.holds(
            proof,
            "stage 12 knows whether the bitmap spoke of PSNs never sent",
            &[self.in_window()],
            12,
            &[("window.s12_beyond_reg_q", self.beyond.node())],
        )
    }

    /// Proves stages 12 to 17: the survey of an open connection.
    fn surveyed(&mut self, proof: &mut Proof) -> Result<(), Error> {
        let open = self.place.seen.open.node();
        let assumptions = [self.in_window(), open];
        self.moves.waits("s16_base", 7, 9)?;
        self.moves.searches("window.find", 12)?;
        self.moves.searches("window.find_lost", 12)?;
        self.moves.counts("window.count", 12)?;
        self.moves.counts("window.count_lost", 12)?;
        let surveyed = self.surveyed;
        let some_lost = self.rings_after.lost.any().node();
        let first_lost = self.moves.wire("window.s16_first_lost", 16)?;
        let expected = Signals::new()
            .with("unacked", surveyed.unacked)
            .with("lost", surveyed.lost)
            .with("run", surveyed.run);
        let actual = Signals::new()
            .with("unacked", self.moves.wire("window.s16_unacked", 16)?)
            .with("lost", self.moves.wire("window.s16_lost", 16)?)
            .with("run", self.moves.at("settle.s17_run_q", 17)?);
        proof.equal("stage 17 has what `survey` says", &assumptions, &expected, &actual)?;
        proof.claim(
            "and stage 16 the first lost PSN, if there is one",
            &[open, some_lost],
            first_lost.equals(surveyed.first_lost.node()),
        )?;
        Ok(())
    }

    /// Proves that all of these words belong to the event's connection.
    fn transport(&mut self, proof: &mut Proof) -> Result<(), Error> {
        let (mut expected, mut actual) = (Signals::new(), Signals::new());
        let live = Node::variable("live", 1);
        for (part, stage, id, what) in [
            ("published", 23, "waddr", "we"),
            ("views", 23, "waddr", "we"),
            ("scheduler", 23, "write_id", "write"),
            ("scanner", 23, "write_id", "write"),
        ] {
            let name = format!("{part}.{id} at {stage}");
            actual.insert(name.clone(), self.moves.wire(&format!("{part}.{id}"), stage)?);
            expected.insert(name, self.id);
            let name = format!("{part}.{what} at {stage}");
            actual.insert(name.clone(), self.moves.wire(&format!("{part}.{what}"), stage)?);
            expected.insert(name, live);
        }
        for (to, from, gated) in [
            ("published.wdata", "publish.s23_seen", false),
            ("views.wdata", "publish.s23_view", false),
            ("scheduler.card", "publish.s23_card", false),
            ("scheduler.enqueue", "publish.s23_enqueue", true),
            ("scheduler.post", "publish.s23_posted", true),
            ("scheduler.post_at", "publish.s23_post_at", false),
            ("scheduler.post_packets", "publish.s23_post_packets", false),
            ("scanner.timer", "publish.s23_timer", false),
        ] {
            // An arbitrary word, independent of its logic.
            let (from, to_node) = (self.moves.wire(from, 23)?, self.moves.wire(to, 23)?);
            let any = Node::variable(&format!("what {to} is to be"), from.width());
            let mut cut = Substitution::new();
            cut.replace(from, any);
            actual.insert(to, cut.apply([to_node])[0]);
            expected.insert(to, if gated { any & live } else { any });
        }
        proof.equal("what is written is the event's connection's", &[], &expected, &actual)?;
        Ok(())
    }
}

/// The words of the four classes in a port.
fn lanes<const W: usize>(port: Node) -> [Term<W>; 4] {
    std::array::from_fn(|class| word(port.slice(W * class, W)))
}

fn word_bit(node: Node) -> Term<1> {
    word(node)
}
