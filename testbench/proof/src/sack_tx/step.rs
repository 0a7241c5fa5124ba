//! One event from its register in stage 1 to the outcome in stage 30, against the model's step, cut where
//! the model is: see `blocks/sack_rx/prove/step.rs`, which is the smaller example.
//!
//! Of a closed connection the RTL may remember anything but whose turn it is, where the model has zeros:
//! `as_model` is what relates both.

use super::words::{
    Event, account, any_action, any_ends, any_flow, any_group, any_published, any_rings, as_model, ends,
    flow, group, marked, pack, placed, published_as_model, seen, settled, tally, word,
};
use crate::Error;
use crate::ring::{compressed, ring, word as word_of};
use crate::smartt::moves::Moves;
use weft_nic::block::sack_tx::{
    Account, Action, Csr, Ends, Flow, Group, Kind, LATENCY, Place, Published, Rings, Spot, Stimulus, Survey,
    end, finish, mark, place, settle, spot, survey,
};
use weft_nic::part::ring::{Ring, SLOTS};
use weft_symbolic::{Design, Node, Proof, Signals, Substitution, Symbolic, Term};
use weft_word::{Domain, Word};

/// The parts of the model's step; a test plants bugs in them.
#[derive(Clone, Copy)]
pub struct Model {
    /// What the event means.
    pub place: FindPlace,
    /// The rings after it.
    pub mark: Mark,
    /// What they say.
    pub survey: fn(&Place<Symbolic>, &Rings<Symbolic>) -> Survey<Symbolic>,
    /// Everything else that a connection remembers.
    pub settle: Settle,
    /// Where messages end.
    pub end: End,
    /// Messages.
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
) -> (Account<Symbolic>, Term<9>, Term<10>);

/// The model as it is.
pub const MODEL: Model = Model { place, mark, survey, settle, end, finish };

/// An event on its way, what it meets and what the model makes of it.
pub struct Step {
    moves: Moves,
    csr: Csr<Symbolic>,
    backoff_limit: [Term<3>; 4],
    event: Event,
    id: Node,
    found: Published<Symbolic>,
    /// As the RTL remembers it.
    flow: Flow<Symbolic>,
    rings: Rings<Symbolic>,
    place: Place<Symbolic>,
    rings_after: Rings<Symbolic>,
    beyond: Term<1>,
    /// What the rings say after the event.
    surveyed: Survey<Symbolic>,
    /// Any such words, for what comes after.
    survey: Survey<Symbolic>,
    after: Flow<Symbolic>,
    action: Action<Symbolic>,
    model: Model,
}

/// What lets `weft_sack_tx` move.
pub fn moving() -> Signals {
    Signals::new().with("rst", Node::bit(false)).with("skid.running.q", Node::bit(true))
}

impl Step {
    /// `design` is `weft_sack_tx` with watched RAMs.
    pub fn new(design: &Design, model: Model) -> Result<Self, Error> {
        let mut moves = Moves::new(design, &moving())?;
        let event = Event::any();
        let id = Node::variable("event.id", design.inputs.node("s_axis_event_tid")?.width());
        moves.set("front.s1_event.q", 1, event.word())?;
        moves.set("front.s1_bitmap.q", 1, word_of(event.stimulus.bitmap))?;
        moves.set("front.s1_id.q", 1, id)?;
        for bit in ["valid", "live"] {
            moves.set(&format!("front.s1_{bit}.q"), 1, Node::variable(bit, 1))?;
            // Whatever comes behind it.
            for stage in 2..=LATENCY {
                moves.set(
                    &format!("front.s1_{bit}.q"),
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

    /// All claims of the step, up to the first stages of which one fails.
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
        Ok(())
    }

    /// Claims that registers in `stage` hold these words, and puts them there.
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

    /// Of an open connection, 256 PSNs at most are sent and not acknowledged.
    fn in_window(&self) -> Node {
        let window: Term<24> = self.found.next - self.found.una;
        self.found.open.node().implies(window.at_most(Symbolic::lit(SLOTS.into())).node())
    }

    /// Stages 3 to 7.
    fn placed(&mut self, proof: &mut Proof) -> Result<(), Error> {
        self.waits("s3_event", 1, 2)?;
        self.moves.set("published.s3_same.q", 3, Node::bit(false))?;
        self.moves.set("published.ram.g_out.out", 3, seen(&self.found))?;
        self.holds(
            proof,
            "stage 5 has the slot of the event's PSN",
            &[],
            5,
            &[("place.s5_slot_reg.q", self.place.bitmap_from.node())],
        )?;
        self.holds(
            proof,
            "stage 7 has what `place` says, whatever is published",
            &[self.in_window()],
            7,
            &[("place.s7_placed.q", placed(&self.place, &self.event))],
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

    /// What a span answers is the model's, if the length is 256 at most.
    fn span(&mut self, leaf: &str, stage: usize) -> Result<(), Error> {
        let start = self.moves.wire(&format!("{leaf}.start"), stage)?;
        let length: Term<9> = word(self.moves.wire(&format!("{leaf}.length"), stage)?);
        let fits = length.at_most(Symbolic::lit(SLOTS.into()));
        let span = word_of(Ring::<Symbolic>::span(word(start), length));
        let any = Node::variable(&format!("{leaf} beyond 256"), SLOTS as usize);
        Ok(self.moves.set(&format!("{leaf}.out.q"), stage + 2, span.when(fits.node(), any))?)
    }

    /// What stands for the logic of an extent a clock later: the model's, if the length is 256 at most.
    fn extent(&mut self, leaf: &str, stage: usize) -> Result<Substitution, Error> {
        let start = self.moves.wire(&format!("{leaf}.start"), stage)?;
        let length: Term<9> = word(self.moves.wire(&format!("{leaf}.length"), stage)?);
        let fits = length.at_most(Symbolic::lit(SLOTS.into()));
        let span = word_of(Ring::<Symbolic>::span(word(start), length));
        let any = Node::variable(&format!("{leaf} beyond 256"), SLOTS as usize);
        let mut inside = Substitution::new();
        inside.replace(self.moves.wire(&format!("{leaf}.mask"), stage + 1)?, span.when(fits.node(), any));
        Ok(inside)
    }

    /// Puts into `points` what stands for the logic of a point a clock later.
    fn point(&mut self, leaf: &str, stage: usize, points: &mut Substitution) -> Result<(), Error> {
        let index = self.moves.wire(&format!("{leaf}.index"), stage)?;
        let en = self.moves.wire(&format!("{leaf}.en"), stage)?;
        let one = Ring::<Symbolic>::one(word(index)).when(word(en), Ring::none());
        points.replace(self.moves.wire(&format!("{leaf}.one"), stage + 1)?, word_of(one));
        Ok(())
    }

    /// The register holds what it does, with that in place of logic.
    fn put(&mut self, register: &str, stage: usize, logic: &Substitution) -> Result<(), Error> {
        let word = self.moves.at(register, stage)?;
        Ok(self.moves.set(register, stage, logic.apply([word])[0])?)
    }

    fn find(&mut self, leaf: &str, stage: usize) -> Result<(), Error> {
        let vec = self.moves.wire(&format!("{leaf}.vec"), stage)?;
        let start = self.moves.wire(&format!("{leaf}.start"), stage)?;
        let (found, first) = ring(vec).first_from(word(start));
        self.moves.set(&format!("{leaf}.s4_found.q"), stage + 4, found)?;
        let any = Term::variable(&format!("{leaf}: index of none"));
        Ok(self.moves.set(&format!("{leaf}.s4_index.q"), stage + 4, first.when(found, any))?)
    }

    fn count(&mut self, leaf: &str, stage: usize) -> Result<(), Error> {
        let vec = self.moves.wire(&format!("{leaf}.vec"), stage)?;
        Ok(self.moves.set(&format!("{leaf}.sum.q"), stage + 4, ring(vec).count())?)
    }

    /// What a `Wait` is given comes out so many moves later.
    fn waits(&mut self, wait: &str, stage: usize, moves: usize) -> Result<(), Error> {
        let word = self.moves.wire(&format!("{wait}.word"), stage)?;
        Ok(self.moves.set(&format!("{wait}.ram.word"), stage + moves, word)?)
    }

    /// The word that stage 4 of a `Context` finds, `stage` in the block.
    fn finds(&mut self, context: &str, stage: usize, found: Node) -> Result<(), Error> {
        self.moves.set(&format!("{context}.s4_near1.q"), stage, Node::bit(false))?;
        Ok(self.moves.set(&format!("{context}.s4_word.q"), stage, found)?)
    }

    /// Stages 5 to 12: the rings.
    fn marked(&mut self, proof: &mut Proof) -> Result<(), Error> {
        let vec = self.moves.at("s5_bitmap.q", 5)?;
        let ack = self.event.is(Kind::Ack).node();
        let bitmap = self.event.stimulus.bitmap.when(word(ack), Ring::none());
        proof.claim("stage 5 has the bitmap of an ACK", &[], vec.equals(word_of(bitmap)))?;
        let amount = self.moves.wire("window.rotate.amount", 5)?;
        self.moves.set("window.rotate.by_64.q", 9, word_of(bitmap.rotated(word(amount))))?;
        let told = self.extent("window.told", 8)?;
        self.put("window.s10_told.q", 10, &told)?;
        let cumulative = self.extent("window.cumulative", 9)?;
        self.put("window.s11_acked.q", 11, &cumulative)?;
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
            self.finds(&format!("window.{name}.rings"), 11, word_of(before))?;
        }
        let words = rings.map(|(name, _, after)| (format!("window.{name}.rings.s5_word.q"), word_of(after)));
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
            &[("window.s12_beyond_reg.q", self.beyond.node())],
        )
    }

    /// Stages 12 to 17: what the rings say of an open connection.
    fn surveyed(&mut self, proof: &mut Proof) -> Result<(), Error> {
        let open = self.place.seen.open.node();
        let assumptions = [self.in_window(), open];
        self.waits("s16_base", 7, 9)?;
        self.find("window.find", 12)?;
        self.find("window.find_lost", 12)?;
        self.count("window.count", 12)?;
        self.count("window.count_lost", 12)?;
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
            .with("run", self.moves.at("settle.s17_run.q", 17)?);
        proof.equal("stage 17 has what `survey` says", &assumptions, &expected, &actual)?;
        proof.claim(
            "and stage 16 the first lost PSN, if there is one",
            &[open, some_lost],
            first_lost.equals(surveyed.first_lost.node()),
        )?;
        Ok(())
    }

    /// What holds of a connection that is open and was when the event entered.
    fn assumptions(&self) -> Vec<Node> {
        let both = (self.found.open & self.flow.published.open).node();
        let sent: Term<24> = self.flow.published.next - self.found.next;
        let window: Term<24> = self.found.next - self.found.una;
        let room = (window + sent).at_most(Symbolic::lit(SLOTS.into()));
        let first = self.event.stimulus.psn.equals(self.flow.published.next);
        let survey = &self.survey;
        vec![
            self.in_window(),
            // At most two packets of a connection are in the block, which found room; this one is the next.
            both.implies((sent.at_most(Symbolic::lit(2)) & room).node()),
            both.implies((!self.place.fresh | first & sent.at_most(Symbolic::lit(1))).node()),
            // A count of some slots, and of some of them; the run.
            survey.unacked.at_most(Symbolic::lit(SLOTS.into())).node(),
            survey.lost.at_most(survey.unacked).node(),
            survey.run.at_most(self.place.window_after).node(),
        ]
    }

    /// Stages 16 to 23: the connection.
    fn settled(&mut self, proof: &mut Proof) -> Result<(), Error> {
        for (wait, stage, moves) in [("s18_event", 3, 15), ("s19_aim", 7, 12)] {
            self.waits(wait, stage, moves)?;
        }
        // Any survey.
        let survey = self.survey;
        self.moves.set("window.count.sum.q", 16, survey.unacked)?;
        self.moves.set("window.count_lost.sum.q", 16, survey.lost)?;
        self.moves.set("settle.s17_run.q", 17, survey.run)?;
        self.moves.set("window.find_lost.s4_index.q", 16, survey.first_lost + self.place.una)?;
        self.finds("settle.tallies", 19, tally(&self.flow))?;
        self.finds("settle.flows", 20, flow(&self.flow))?;
        let turn = pack([self.flow.queued.node(), self.flow.published.forfeit.node()]);
        self.finds("publish.turns", 22, turn)?;
        let mut assumptions = self.assumptions();
        proof.satisfiable(
            "an event can find its connection open, with two packets in the block that were not published",
            &[
                &assumptions[..],
                &[(self.found.open & self.flow.published.open).node()],
                &[(self.flow.published.next ^ self.found.next).node().slice(1, 1)],
            ]
            .concat(),
        )?;

        let mut wire = |name: &str, stage| self.moves.wire(name, stage);
        let (after, action, event) = (&self.after, &self.action, &self.event);
        let stored = wire("settle.flow", 21)?;
        let (mut expected, mut actual) = (Signals::new(), Signals::new());
        let open = after.published.open.node();
        let of_open = |word: Node| word.when(open, Node::lit(word.width(), 0));
        // What it remembers of a closed connection is nothing.
        let without_turn =
            Flow { published: Published { forfeit: word(stored.slice(1, 1)), ..after.published }, ..*after };
        expected.insert("open", open);
        actual.insert("open", stored.slice(0, 1));
        expected.insert("flow", of_open(flow(&without_turn)));
        actual.insert("flow", of_open(stored));
        expected.insert("tally", of_open(tally(after)));
        actual.insert("tally", of_open(wire("settle.tally", 21)?));
        expected.insert("turn", pack([after.queued.node(), after.published.forfeit.node()]));
        actual.insert("turn", wire("publish.turns.after", 23)?);
        proof.equal(
            "stages 21 and 23 have what `settle` leaves of an open connection, and whose turn it is",
            &assumptions,
            &expected,
            &actual,
        )?;

        let window: Term<24> = after.published.next - after.published.una;
        proof.claim(
            "it leaves 256 PSNs at most in the window, as the next event is to find it",
            &[&assumptions[..], &[open]].concat(),
            window.at_most(Symbolic::lit(SLOTS.into())).node(),
        )?;
        let (mut expected, mut actual) = (Signals::new(), Signals::new());
        let mut same = |name: &str, a: Node, b: Node| {
            expected.insert(name, a);
            actual.insert(name, b);
        };
        let shown = wire("publish.s23_seen", 23)?;
        same("published open", open, shown.slice(0, 1));
        same("published forfeit", after.published.forfeit.node(), shown.slice(1, 1));
        same("published", of_open(seen(&after.published)), of_open(shown));
        let card = wire("publish.s23_card", 23)?;
        let ready = action.card.ready.node();
        let of_ready = |word: Node| word.when(ready, Node::lit(word.width(), 0));
        let expected_card = pack([
            ready,
            action.card.fresh.node(),
            action.card.pair.node(),
            action.card.psn.node(),
            action.card.left.node(),
            action.card.head.node(),
        ]);
        same("ready", ready, card.slice(0, 1));
        same("card", of_ready(expected_card), of_ready(card));
        same("pair", action.card.pair.node(), card.slice(2, 1));
        same("enqueue", action.enqueue.node(), wire("publish.s23_enqueue", 23)?);
        let timer = wire("publish.s23_timer", 23)?;
        let armed = open & !after.unacked.node().is_zero();
        let of_armed = |word: Node| word.when(armed, Node::lit(word.width(), 0));
        same("armed", armed, timer.slice(0, 1));
        // Rule 13: doubled for every TIMEOUT in a row, up to the limit.
        let (retries, class) = (after.retries.node(), after.published.class.node());
        let limits = self.backoff_limit.map(|limit| limit.node().widen(10));
        let limit = (0..3).fold(limits[3], |limit, number| {
            limits[number].when(class.equals(Node::lit(2, number as u128)), limit)
        });
        let doublings = limit.when(limit.less(retries), retries).slice(0, 3);
        let expected_timer = pack([
            armed,
            after.since.node(),
            doublings,
            after.probes.node(),
            after.begun.node(),
            after.published.epoch.node(),
            after.published.class.node(),
        ]);
        same("timer", of_armed(expected_timer), of_armed(timer));
        let posted = action.posted.node();
        let of_posted = |word: Node| word.when(posted, Node::lit(word.width(), 0));
        same("posted", posted, wire("publish.s23_posted", 23)?);
        same("posted at", of_posted(action.place.node()), of_posted(wire("publish.s23_post_at", 23)?));
        same(
            "posted packets",
            of_posted(event.stimulus.packets.node()),
            of_posted(wire("publish.s23_post_packets", 23)?),
        );
        proof.equal(
            "stage 23 publishes it, and has the card, the timer and the message that `settle` says",
            &assumptions,
            &expected,
            &actual,
        )?;

        let same_fresh = self.place.fresh.node().equals(event.stimulus.fresh.node());
        proof.claim("a packet is new if and only if the event says so", &[action.send.node()], same_fresh)?;
        let fresh = (action.send & event.stimulus.fresh).node();
        proof.claim(
            "only a new packet ends a message, and what it leaves, or what ends no connection, is open",
            &assumptions,
            action.last.node().implies(fresh)
                & (fresh | action.accepted.node() & !event.ends(action)).implies(open),
        )?;
        assumptions.push(action.send.node().implies(same_fresh));
        // What the rings said of the bitmap is any bit, but of an ACK that is no older than the window.
        let mut cut = Substitution::new();
        cut.replace(self.beyond.node(), Node::variable("beyond", 1) & self.place.current.node());
        let word = settled(event, action, self.beyond);
        let same = word.equals(self.moves.wire("settle.settled", 21)?);
        proof.claim("stage 21 has what has become of the event", &assumptions, cut.apply([same])[0])?;
        let goes_on = action.accepted.node() & !event.is(Kind::Open).node();
        let una = self.moves.at("settle.s21_una_before.q", 21)?;
        proof.claim(
            "and the lowest PSN that was not acknowledged before it",
            &[&assumptions[..], &[goes_on]].concat(),
            una.equals(action.una_before.node()),
        )?;
        Ok(())
    }

    /// Stages 21 to 30: messages and the outcome.
    fn finished(&mut self, proof: &mut Proof) -> Result<(), Error> {
        // Whatever has become of the event and of its connection.
        let (event, any, stored) = (self.event, any_action(), any_flow("after"));
        // Stage 21 calls nothing a failure that is congestion, so by its claim the model does not, either.
        let action = Action { failure: any.failure & !any.congested, ..any };
        let (after, beyond) = (as_model(&stored), Term::variable("beyond"));
        self.moves.set("settle.flows.s5_word.q", 21, flow(&stored))?;
        self.moves.set("settle.s21_tally.q", 21, tally(&stored))?;
        self.moves.set("settle.s21_became.q", 21, settled(&event, &action, beyond))?;
        self.moves.set("settle.s21_una_before.q", 21, action.una_before)?;
        self.waits("finish.s29_settled", 21, 8)?;
        self.waits("finish.s30_left", 22, 8)?;
        let spot = spot(&event.stimulus, &action, &after);
        let (fresh, moves) = (spot.fresh.node(), spot.moves.node());
        let open = after.published.open.node();
        // A claim about `settle`, above.
        let goes_on = action.accepted.node() & !event.ends(&action);
        let sound = [action.last.node().implies(fresh), (fresh | goes_on).implies(open)];
        let at = pack([spot.slot.node(), spot.group.node()]);
        let offset = self.moves.at("finish.s22_offset.q", 22)?;
        proof.claim(
            "stage 22 knows where the new packet lies, or the one before una if that moves",
            &[&sound[..], &[fresh | moves]].concat(),
            offset.equals(at),
        )?;
        let any = Node::variable("offset of none", 9);
        self.moves.set("finish.s22_offset.q", 22, at.when(fresh | moves, any))?;

        let had = any_ends("ends");
        self.finds("finish.ends", 23, ends(&had))?;
        let newest = (self.model.end)(&had, &event.stimulus, &action, &spot);
        let actual = self.moves.at("finish.ends.s5_word.q", 24)?;
        proof.claim(
            "stage 24 has the group of the newest packet, as `end` says",
            &sound,
            actual.equals(ends(&newest)),
        )?;
        // Any such group, which stage 24 writes if a packet leaves; that of the same place is read.
        let any = any_ends("newest");
        self.moves.set("finish.ends.s5_word.q", 24, ends(&any))?;
        let place = self.id.cat(spot.group.node());
        let expected = Signals::new()
            .with("writes", Node::variable("live", 1) & fresh)
            .with("written at", place.when(fresh, Node::lit(place.width(), 0)))
            .with("written", group(&any.group))
            .with("read at", place.when(moves, Node::lit(place.width(), 0)));
        let mut wire = |name: &str| self.moves.wire(name, 24);
        let (waddr, raddr) = (wire("finish.groups.waddr")?, wire("finish.groups.raddr")?);
        let actual = Signals::new()
            .with("writes", wire("finish.groups.we")?)
            .with("written at", waddr.when(fresh, Node::lit(place.width(), 0)))
            .with("written", wire("finish.groups.wdata")?)
            .with("read at", raddr.when(moves, Node::lit(place.width(), 0)));
        proof.equal(
            "stage 24 writes the group of a new packet, and reads the one in which una moves, of its connection",
            &sound,
            &expected,
            &actual,
        )?;
        let found = any_group("found");
        self.moves.set("finish.groups.g_out.out", 26, group(&found))?;
        self.passed(&sound, &spot, &found, proof)?;
        let counted = Account { posted: Term::variable("posted"), completed: Term::variable("completed") };
        self.finds("finish.account", 29, account(&counted))?;
        let finish = self.model.finish;
        let (accounted, completed, errors) = finish(&counted, &event.stimulus, &action, &spot, &found);
        // As a count is put in above.
        let mut cut = Substitution::new();
        cut.replace(ended(&spot, &found).node(), Node::variable("ended", 9));
        let psn = event.stimulus.psn.when(action.send, after.published.una);
        let kind = event.stimulus.kind.node();
        let outcome = pack([
            kind.slice(0, 3),
            action.accepted.node(),
            action.send.node(),
            (action.send & event.stimulus.fresh).node(),
            action.last.node(),
            action.failed.node(),
            action.reason.node(),
            (beyond & action.accepted).node(),
            kind.slice(3, 1),
            action.congested.node(),
            action.failure.node(),
            action.unsure.node(),
            psn.node(),
            action.acked.node().widen(16),
            action.lost.node().widen(16),
            completed.node().widen(16),
            errors.node().widen(16),
            after.unacked.node().widen(16),
            (after.unacked - after.lost).node().widen(16),
            event.tag,
            self.id,
        ]);
        let valid = Node::variable("valid", 1);
        let own = kind.slice(1, 2).equals(Node::lit(2, 3)) | kind.slice(3, 1);
        let because = |reason: u128| action.reason.node().equals(Node::lit(2, reason));
        let expected = Signals::new()
            .with("account", account(&accounted))
            .with("outcome", outcome)
            .with("leaves", valid)
            .with("not open", valid & !action.accepted.node() & !own)
            .with("never sent", valid & (because(1) | (beyond & action.accepted).node()))
            .with("stale", valid & because(2))
            .with("refused", valid & because(3));
        let mut wire = |name: &str, stage| self.moves.wire(name, stage);
        let actual = Signals::new()
            .with("account", wire("finish.account.after", 30)?)
            .with("outcome", wire("slots.word", 30)?.cat(wire("skid.in_word", 30)?))
            .with("leaves", wire("skid.in_valid", 30)?)
            .with("not open", wire("not_open.one", 30)?)
            .with("never sent", wire("never_sent.one", 30)?)
            .with("stale", wire("stale.one", 30)?)
            .with("refused", wire("refused.one", 30)?);
        proof.equal(
            "stage 30 answers that, with the messages that `finish` says, and counts it",
            &sound,
            &cut.apply_to(&expected),
            &cut.apply_to(&actual),
        )?;
        Ok(())
    }

    /// Stages 27 to 29: how many messages end before una, if that moves; counted in parts, as rings are.
    fn passed(
        &mut self,
        sound: &[Node],
        spot: &Spot<Symbolic>,
        found: &Group<Symbolic>,
        proof: &mut Proof,
    ) -> Result<(), Error> {
        let slots = self.moves.at("finish.s27_ends.q", 27)?;
        proof.claim(
            "stage 27 has the ends of messages before una in its group",
            &[sound, &[spot.moves.node()]].concat(),
            slots.equals(before(spot, found).node()),
        )?;
        let any = Node::variable("ends before una", slots.width());
        self.moves.set("finish.s27_ends.q", 27, any)?;
        let instances = ["finish.slots", "finish.counts_0", "finish.counts_1", "finish.counts_2"];
        let moves = &mut self.moves;
        compressed("stage 27", any, instances, &mut |row| Ok(moves.wire(row, 27)?), proof)?;
        let mut total = found.number.node();
        for (weight, name) in ["ones", "twos", "fours"].into_iter().enumerate() {
            let register = format!("finish.s28_{name}.q");
            let any = Node::variable(&register, 3);
            self.moves.set(&register, 28, any)?;
            total = total + any.widen(9).shift_left(Node::lit(9, weight as u128));
        }
        let passed = self.moves.at("finish.s29_passed.q", 29)?;
        proof.claim("stage 29 adds them up, by their weight", &[], passed.equals(total))?;
        let ended = found.number + ended(spot, found);
        let any = Term::variable("passed by none");
        Ok(self.moves.set("finish.s29_passed.q", 29, ended.when(spot.moves, any))?)
    }

    /// Of a closed connection nothing is asked but whose turn it is.
    fn closed(&mut self, proof: &mut Proof) -> Result<(), Error> {
        let (csr, stimulus) = (&self.csr, &self.event.stimulus);
        let closed = (self.model.place)(csr, &published_as_model(&self.found), stimulus);
        let other = Survey {
            run: Term::variable("other run"),
            unacked: Term::variable("other unacked"),
            lost: Term::variable("other lost"),
            first_lost: Term::variable("other first lost"),
        };
        let model = |place: &Place<Symbolic>, survey: &Survey<Symbolic>| {
            let (after, action) = (self.model.settle)(csr, &as_model(&self.flow), stimulus, place, survey);
            let ready = action.card.ready;
            let card = pack([action.card.fresh.node(), action.card.psn.node(), action.card.left.node()]);
            Signals::new()
                .with("flow", flow(&after))
                .with("tally", tally(&after))
                .with("queued", after.queued)
                .with("accepted", action.accepted)
                .with("send", action.send)
                .with("last", action.last)
                .with("failed", action.failed)
                .with("reason", action.reason)
                .with("posted", action.posted)
                .with("acked", action.acked)
                .with("lost", action.lost)
                .with("congested", action.congested)
                .with("failure", action.failure)
                .with("unsure", action.unsure)
                .with("enqueue", action.enqueue)
                .with("ready", ready)
                .with("card", card.when(ready.node(), Node::lit(card.width(), 0)))
        };
        let opening = self.event.is(Kind::Open).node();
        let mut survey = self.survey;
        // An open finds a window of no PSNs.
        let none = |word: Term<9>| Symbolic::lit(0).when(word_bit(opening), word);
        survey.run = none(survey.run);
        let other = Survey { run: none(other.run), ..other };
        proof.equal(
            "of a closed connection it does not matter what else is published, nor what its rings say",
            &[!self.found.open.node()],
            &model(&closed, &other),
            &model(&self.place, &survey),
        )?;
        let (rings, beyond) = (self.model.mark)(&closed, stimulus, &self.rings);
        proof.equal(
            "nor do its rings change with it",
            &[!self.found.open.node()],
            &marked(&rings, beyond),
            &marked(&self.rings_after, self.beyond),
        )?;
        let all = |it: &Flow<Symbolic>| flow(it).cat(tally(it));
        proof.claim(
            "of a closed connection the model remembers nothing",
            &[],
            all(&self.after).equals(all(&as_model(&self.after))),
        )?;
        let closing = self.event.is(Kind::Close).node();
        let zeros = all(&Flow {
            published: Published { forfeit: word(Node::bit(false)), ..self.after.published },
            ..self.after
        });
        proof.claim("closing leaves nothing, whatever was there", &[closing], zeros.is_zero())?;
        Ok(())
    }

    /// All of it is the event's connection's.
    fn transport(&mut self, proof: &mut Proof) -> Result<(), Error> {
        let (mut expected, mut actual) = (Signals::new(), Signals::new());
        let live = Node::variable("live", 1);
        for (part, stage, id, what) in [
            ("published", 1, "raddr", None),
            ("window.waiting", 8, "in_id", Some("in_live")),
            ("window.lost", 8, "in_id", Some("in_live")),
            ("window.age_low", 8, "in_id", Some("in_live")),
            ("window.age_high", 8, "in_id", Some("in_live")),
            ("settle.tallies", 16, "in_id", Some("in_live")),
            ("settle.flows", 17, "in_id", Some("in_live")),
            ("publish.turns", 19, "in_id", Some("in_live")),
            ("finish.ends", 20, "in_id", Some("in_live")),
            ("finish.account", 26, "in_id", Some("in_live")),
            ("published", 23, "waddr", Some("we")),
            ("scheduler", 23, "write_id", Some("write")),
            ("scanner", 23, "write_id", Some("write")),
        ] {
            let name = format!("{part}.{id} at {stage}");
            actual.insert(name.clone(), self.moves.wire(&format!("{part}.{id}"), stage)?);
            expected.insert(name, self.id);
            if let Some(what) = what {
                let name = format!("{part}.{what} at {stage}");
                actual.insert(name.clone(), self.moves.wire(&format!("{part}.{what}"), stage)?);
                expected.insert(name, live);
            }
        }
        for (to, from, gated) in [
            ("published.wdata", "publish.s23_seen", false),
            ("scheduler.card", "publish.s23_card", false),
            ("scheduler.enqueue", "publish.s23_enqueue", true),
            ("scheduler.post", "publish.s23_posted", true),
            ("scheduler.post_at", "publish.s23_post_at", false),
            ("scheduler.post_packets", "publish.s23_post_packets", false),
            ("scanner.timer", "publish.s23_timer", false),
        ] {
            // Any word, whatever it is made of.
            let (from, to_node) = (self.moves.wire(from, 23)?, self.moves.wire(to, 23)?);
            let any = Node::variable(&format!("what {to} is to be"), from.width());
            let mut cut = Substitution::new();
            cut.replace(from, any);
            actual.insert(to, cut.apply([to_node])[0]);
            expected.insert(to, if gated { any & live } else { any });
        }
        proof.equal("what is read and written is the event's connection's", &[], &expected, &actual)?;
        Ok(())
    }
}

/// The words of the four classes, side by side in a port.
fn lanes<const W: usize>(port: Node) -> [Term<W>; 4] {
    std::array::from_fn(|class| word(port.slice(W * class, W)))
}

/// As `finish` has it inside: what ends in the group before una.
fn before(spot: &Spot<Symbolic>, group: &Group<Symbolic>) -> Term<32> {
    let upto = Symbolic::power(spot.slot.widen::<7>() + Symbolic::lit(1)) - Symbolic::lit(1);
    group.ends & upto.slice::<0, 32>()
}

/// How many these are.
fn ended(spot: &Spot<Symbolic>, group: &Group<Symbolic>) -> Term<9> {
    Symbolic::ones(before(spot, group).widen::<128>())
}

fn word_bit(node: Node) -> Term<1> {
    word(node)
}
