//! One event from its register in stage 1 to the outcome in stage 22, against the model's step: for any state
//! before it, any published words, and any CSRs. The proof is cut where the model has parts: after a claim
//! about a register, later claims use the claimed value in place of the register. The pipelines on rings
//! answer with the model's functions of their inputs, which is proved for each of them (`ring.rs`). The words
//! read are those last written, which is also proved (`context.rs`).

mod covered;

use super::words::{any_published, any_stimulus, any_tail, event, outcome, seen, tail, word};
use crate::Error;
use crate::moves::{Moves, moving};
use crate::pack;
use crate::slots::{blocks, counted, ring, word as word_of};
use weft_nic::block::sack_rx::{
    Action, Advance, Csr, Kind, Place, Published, State, Stimulus, Tail, account, advance, place,
    received_after, received_before, step,
};
use weft_nic::part::ring::Ring;
use weft_symbolic::{Design, Node, Proof, Signals, Substitution, Symbolic, Term};
use weft_word::{Bit, Domain, Word};

/// The parts of the model's step with a window of 2^`S` PSNs; `N = S + 1`, `L` = 2^`S` / 128. Tests plant bugs in them.
#[derive(Clone, Copy)]
pub struct Model<const S: usize = 8, const N: usize = 9, const L: usize = 2> {
    /// Finds the place of the packet in the window.
    pub place: fn(&Published<Symbolic, N>, &Stimulus<Symbolic>) -> Place<Symbolic, S, N>,
    /// Finds whether the packet was received before.
    pub received_before: fn(&Place<Symbolic, S, N>, Ring<Symbolic, L>) -> Bit<Symbolic>,
    /// Computes the ring after the event.
    pub received_after: ReceivedAfter<S, N, L>,
    /// Computes the number of slots by which the window moves.
    pub advance: fn(&Published<Symbolic, N>, Ring<Symbolic, L>) -> Advance<Symbolic, S, N, L>,
    /// Computes the counters.
    pub account: Account<S, N, L>,
}

type ReceivedAfter<const S: usize, const N: usize, const L: usize> =
    fn(&Place<Symbolic, S, N>, &Stimulus<Symbolic>, Ring<Symbolic, L>) -> Ring<Symbolic, L>;

type Account<const S: usize, const N: usize, const L: usize> = fn(
    &Csr<Symbolic>,
    &Tail<Symbolic, S>,
    &Stimulus<Symbolic>,
    &Place<Symbolic, S, N>,
    Bit<Symbolic>,
    &Advance<Symbolic, S, N, L>,
    Term<24>,
)
    -> (Tail<Symbolic, S>, Action<Symbolic, N>);

impl<const S: usize, const N: usize, const L: usize> Model<S, N, L> {
    /// The unchanged model.
    pub const MODEL: Self = Self { place, received_before, received_after, advance, account };
}

/// The unchanged model with the usual window.
pub const MODEL: Model = Model::MODEL;

/// An event in the pipeline, the state that it finds, and the results of the model.
pub struct Step<const S: usize = 8, const N: usize = 9, const L: usize = 2> {
    moves: Moves,
    csr: Csr<Symbolic>,
    stimulus: Stimulus<Symbolic>,
    tag: Node,
    id: Node,
    found: Published<Symbolic, N>,
    state: State<Symbolic, S, N, L>,
    place: Place<Symbolic, S, N>,
    before: Bit<Symbolic>,
    advance: Advance<Symbolic, S, N, L>,
    /// Ends of messages in the run of received packets.
    ended: Ring<Symbolic, L>,
    after: State<Symbolic, S, N, L>,
    action: Action<Symbolic, N>,
}

impl<const S: usize, const N: usize, const L: usize> Step<S, N, L> {
    /// Prepares the step of `design`, which is `weft_sack_rx` with watched RAMs.
    pub fn new(design: &Design, model: Model<S, N, L>) -> Result<Self, Error> {
        let mut moves = Moves::new(design, &moving())?;
        let (stimulus, tag) = (any_stimulus(), Node::variable("event.tag", 32));
        let id = Node::variable("event.id", design.inputs.node("s_axis_event_tid")?.width());
        moves.set("front.s1_event_q", 1, event(&stimulus, tag))?;
        moves.set("front.s1_id_q", 1, id)?;
        for bit in ["valid", "live"] {
            moves.set(&format!("front.s1_{bit}_q"), 1, Node::variable(bit, 1))?;
        }
        let any_ring = |name: &str| ring(Node::variable(name, 1 << S));
        let found = any_published("published");
        let state = State {
            published: any_published("last published"),
            received: any_ring("received"),
            last: any_ring("last"),
            tail: any_tail(),
        };
        let csr = Csr {
            ack_packets: design.inputs.word("cfg_ack_packets")?,
            ack_bytes: design.inputs.word("cfg_ack_bytes")?,
        };
        // As in `step`; a claim says that both are equal.
        let place = (model.place)(&found, &stimulus);
        let before = (model.received_before)(&place, state.received);
        let received = (model.received_after)(&place, &stimulus, state.received);
        let fresh = place.inside & is(&stimulus, Kind::Data) & !before;
        let here = Ring::one(place.slot).when(fresh, Ring::none());
        let last = (state.last | here).when(stimulus.last, state.last & !here);
        let advance = (model.advance)(&place.seen, received);
        let ended = last & Ring::span(advance.from, advance.run);
        let messages = place.seen.messages + ended.count::<N>().widen::<24>();
        let (tail, mut action) =
            (model.account)(&csr, &state.tail, &stimulus, &place, before, &advance, messages);
        let open = place.seen.open;
        let published = Published {
            open,
            origin: place.seen.origin.when(open, Symbolic::lit(0)),
            expected: advance.expected.when(open, Symbolic::lit(0)),
            messages: messages.when(open, Symbolic::lit(0)),
        };
        action.bitmap = action.bitmap.when(open, Ring::none());
        let after = State { published, received, last, tail };
        Ok(Self { moves, csr, stimulus, tag, id, found, state, place, before, advance, ended, after, action })
    }

    /// Proves all claims of the step. Stops after the first stages of which a claim fails.
    pub fn prove(&mut self, proof: &mut Proof) -> Result<(), Error> {
        let stages = [
            Self::placed,
            Self::received,
            Self::advanced,
            Self::surveyed,
            Self::accounted,
            Self::answered,
            Self::safety,
            Self::whole,
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

    /// Proves that the parts above make the model's step.
    fn whole(&mut self, proof: &mut Proof) -> Result<(), Error> {
        let (after, action) = step(&self.csr, &self.found, &self.state, &self.stimulus);
        let expected = Signals::new().with("state", state_word(&after)).with("action", action_word(&action));
        let actual =
            Signals::new().with("state", state_word(&self.after)).with("action", action_word(&self.action));
        proof.equal(
            "`step` is `place`, `advance`, `account` and what stands between",
            &[],
            &expected,
            &actual,
        )?;
        Ok(())
    }

    /// Claims that registers in `stage` contain these words, and replaces the registers with them.
    fn holds(
        &mut self,
        proof: &mut Proof,
        name: &str,
        stage: usize,
        words: &[(&str, Node)],
    ) -> Result<(), Error> {
        let (mut expected, mut actual) = (Signals::new(), Signals::new());
        for (register, word) in words {
            expected.insert(*register, *word);
            actual.insert(*register, self.moves.at(register, stage)?);
        }
        proof.equal(name, &[], &expected, &actual)?;
        for (register, word) in words {
            self.moves.set(register, stage, *word)?;
        }
        Ok(())
    }

    /// Proves stages 3 to 5.
    fn placed(&mut self, proof: &mut Proof) -> Result<(), Error> {
        self.moves.reads("window.published", 3, self.id, seen(&self.found))?;
        let (place, is) = (self.place, |kind| is(&self.stimulus, kind));
        let from = place.seen.expected.slice::<0, N>() - place.seen.origin;
        let words = [
            ("window.s5_event_q", event(&self.stimulus, self.tag)),
            ("window.s5_seen_q", seen(&place.seen)),
            ("window.s5_accepted_q", place.accepted.node()),
            ("window.s5_opening_q", is(Kind::Open).node()),
            ("window.s5_clear_q", (is(Kind::Open) | is(Kind::Close)).node()),
            ("window.s5_packet_q", place.packet.node()),
            ("window.s5_data_q", (place.packet & is(Kind::Data)).node()),
            ("window.s5_old_q", place.old.node()),
            ("window.s5_inside_q", place.inside.node()),
            ("window.s5_offset_q", place.turn.cat::<S, N>(place.slot).node()),
            ("window.s5_from_q", from.node()),
        ];
        self.holds(proof, "stage 5 has what `place` says", 5, &words)
    }

    /// Connection of the event that reads the words of the parts, and whether the event is valid.
    fn asker(&self) -> (Node, Node) {
        (self.id, Node::variable("live", 1))
    }

    /// Replaces the answer of `leaf` with the model's function of its inputs.
    fn hot(&mut self, leaf: &str, stage: usize) -> Result<(), Error> {
        let index = self.moves.wire(&format!("{leaf}.index"), stage)?;
        let en = self.moves.wire(&format!("{leaf}.en"), stage)?;
        let one = Ring::<Symbolic, L>::one(word::<S>(index)).when(word(en), Ring::none());
        Ok(self.moves.set(&format!("{leaf}.mask_q"), stage + 1, word_of(one))?)
    }

    /// Proves stages 5 to 8.
    fn received(&mut self, proof: &mut Proof) -> Result<(), Error> {
        self.moves.finds("window.received.rings", 6, self.asker(), word_of(self.state.received))?;
        self.hot("window.hot", 5)?;
        self.holds(
            proof,
            "stage 7 has the ring that `received_after` says",
            7,
            &[("window.received.rings.s5_word_q", word_of(self.after.received))],
        )?;
        self.holds(
            proof,
            "stage 8 knows what `received_before` says",
            8,
            &[("window.s8_before_q", self.before.node())],
        )?;
        // The missing slots, as `advance` computes them.
        let from: Term<N> = self.place.seen.expected.slice::<0, N>() - self.place.seen.origin;
        let below = Ring::below(from.slice::<0, S>().widen::<N>());
        let missing = self.after.received ^ (below ^ Ring::all_when(from.slice::<S, 1>()));
        let index = self.moves.wire("window.below.index", 5)?;
        let mask = Ring::<Symbolic, L>::below(word::<S>(index).widen::<N>());
        self.moves.set("window.below.out_q", 7, word_of(mask))?;
        self.holds(proof, "stage 8 has what is missing", 8, &[("window.s8_missing_q", word_of(missing))])
    }

    /// Proves stages 8 to 14.
    fn advanced(&mut self, proof: &mut Proof) -> Result<(), Error> {
        for find in blocks::<L>("window.find", "window.finds_0.finds") {
            self.moves.searches(&find, 8)?;
        }
        if S > 8 {
            let mut chosen = Substitution::new();
            self.moves.chooses::<S, L>("window.find", "window.finds_0", 8, &mut chosen)?;
            let run = self.moves.at("window.s13_run_q", 13)?;
            self.moves.set("window.s13_run_q", 13, chosen.apply([run])[0])?;
        }
        let (advance, slots) = (self.advance, Ring::<Symbolic, L>::SLOTS);
        self.holds(
            proof,
            "stage 13 has the run that `advance` says, and where it begins",
            13,
            &[("window.s13_run_q", advance.run.node()), ("window.s13_from_q", advance.from.node())],
        )?;
        proof.claim(
            &format!("the run is {slots} at most, as its mask asks"),
            &[],
            advance.run.at_most(Symbolic::lit(slots.into())).node(),
        )?;
        let to: Term<S> = advance.from + advance.run.slice::<0, S>();
        self.holds(
            proof,
            "stage 14 has the cumulative PSN that `advance` says, and how far to turn the bitmap",
            14,
            &[
                ("window.s14_expected_q", self.after.published.expected.node()),
                ("window.s14_amount_q", (Symbolic::lit(0) - to).node()),
            ],
        )
    }

    /// Proves stages 13 to 22: the bitmap and the messages.
    fn surveyed(&mut self, proof: &mut Proof) -> Result<(), Error> {
        self.moves.finds("window.last.rings", 14, self.asker(), word_of(self.state.last))?;
        self.hot("window.last_hot", 13)?;
        self.holds(
            proof,
            "stage 15 has the ring of ends",
            15,
            &[("window.last.rings.s5_word_q", word_of(self.after.last))],
        )?;
        let start = self.moves.wire("window.span.start", 13)?;
        let length = self.moves.wire("window.span.length", 13)?;
        let span = Ring::<Symbolic, L>::span(word::<S>(start), word::<N>(length));
        self.moves.set("window.span.out_q", 15, word_of(span))?;
        self.moves.waits("window.s15_missing", 8, 7)?;
        let open = self.place.seen.open;
        let beyond = self.advance.beyond.when(open, Ring::none());
        self.holds(
            proof,
            "stage 16 has what came beyond the run, and the ends of messages in it",
            16,
            &[("window.s16_beyond_q", word_of(beyond)), ("window.s16_ended_q", word_of(self.ended))],
        )?;
        let (vec, amount) = match S {
            8 => (self.moves.wire("window.rotate.vec", 16)?, self.moves.wire("window.rotate.amount", 16)?),
            _ => self.covered(proof)?,
        };
        self.moves.set("window.rotate.by_64_q", 20, word_of(ring::<2>(vec).rotated(word(amount))))?;
        for count in blocks::<L>("window.count", "window.counts_0.counts") {
            self.moves.counts(&count, 16)?;
        }
        self.moves.waits("window.s20_along", 5, 15)?;
        self.moves.waits("window.s20_judgement", 9, 11)?;
        // The counts of the limbs are arbitrary words.
        let (messages, register) = (self.after.published.messages.node(), "window.s21_total_q");
        let mut counts = Substitution::new();
        let few = counted("ended", self.ended, &mut counts);
        let same = counts.apply([messages.equals(self.moves.at(register, 21)?)]);
        proof.claim("stage 21 has the messages", &few, same[0])?;
        self.moves.set(register, 21, messages)?;
        // Open and closed connections have separate claims: a rotation of an empty ring is empty.
        let bits = self.moves.wire("window.s22_bitmap", 22)?;
        let same = bits.equals(word_of(self.action.bitmap));
        let case = |value: bool| {
            let mut known = Substitution::new();
            known.replace(open.node(), Node::bit(value));
            known.apply([same])[0]
        };
        proof.claim("stage 22 has the bitmap", &[], case(false) & case(true))?;
        self.moves.set("window.s22_bits.g_clock[1].word", 22, word_of(self.action.bitmap))?;
        Ok(())
    }

    /// Proves stages 21 and 22: the counters.
    fn accounted(&mut self, proof: &mut Proof) -> Result<(), Error> {
        self.moves.finds("account.words", 21, self.asker(), tail(&self.state.tail))?;
        let expected = Signals::new()
            .with("tail", tail(&self.after.tail))
            .with("completed", self.action.completed)
            .with("response", self.action.response)
            .with("accepted", self.action.accepted)
            .with("verdict", self.action.verdict);
        let actual = expected.twins(|name| self.moves.wire(&format!("account.{name}"), 22))?;
        // From here on the results of the rings are arbitrary words.
        let cut = self.cut();
        proof.equal(
            "stage 22 has the counters and what `account` decides",
            &[],
            &cut.apply_to(&expected),
            &cut.apply_to(&actual),
        )?;
        self.moves.set("account.words.s5_word_q", 22, tail(&self.after.tail))?;
        self.moves.set("account.s22_completed_q", 22, self.action.completed)?;
        // For a NACK, the bits of an ACK are arbitrary.
        let response = self.action.response.node();
        let (nack, ack) = (response.slice(1, 1), response.slice(0, 1));
        self.moves.set("account.s22_nack_q", 22, nack)?;
        self.moves.set("account.s22_ack_q", 22, Node::variable("ack beside a NACK", 1).when(nack, ack))?;
        self.moves.set("account.s22_accepted_q", 22, self.action.accepted)?;
        self.moves.set("account.s22_verdict_q", 22, self.action.verdict)?;
        Ok(())
    }

    /// Arbitrary words in place of the results of the rings.
    fn cut(&self) -> Substitution {
        let mut cut = Substitution::new();
        let received = self.state.received.get(self.place.slot).node();
        for (name, node) in [
            ("packet's bit", received),
            ("run", self.advance.run.node()),
            ("ended", self.ended.count::<N>().node()),
            ("bitmap low", self.action.bitmap.limbs[0].node()),
            ("bitmap high", self.action.bitmap.limbs[1].node()),
        ] {
            cut.replace(node, Node::variable(name, node.width()));
        }
        cut
    }

    /// Proves stage 22: the published words, the counts and the answer.
    fn answered(&mut self, proof: &mut Proof) -> Result<(), Error> {
        let opening = is(&self.stimulus, Kind::Open).node();
        proof.claim("an open moves no window", &[opening], self.advance.run.node().is_zero())?;
        let valid = Node::variable("valid", 1);
        let mut wire = |name: &str, stage| self.moves.wire(name, stage);
        let outcome = outcome::<N>(wire("slots.word", 22)?, wire("skid.in_word", 22)?);
        let actual = Signals::new()
            .with("published", wire("window.published.wdata", 22)?)
            .with("published of", wire("window.published.waddr", 22)?)
            .with("publishes", wire("window.published.we", 22)?)
            .with("outcome", outcome)
            .with("leaves", wire("skid.in_valid", 22)?)
            .with("not open", wire("not_open.one", 22)?)
            .with("duplicates", wire("duplicates.one", 22)?)
            .with("outside", wire("outside.one", 22)?);
        let (after, action, stimulus) = (&self.after, &self.action, &self.stimulus);
        let is = |verdict: u128| action.verdict.node().equals(Node::lit(3, verdict));
        let rounded: Term<32> = after.tail.bytes + Symbolic::lit(255);
        let (id, live) = self.asker();
        let fields = [
            stimulus.kind.node(),
            action.accepted.node(),
            action.verdict.node(),
            action.response.node(),
            stimulus.ce.node(),
            word_of(action.bitmap),
            after.published.expected.node(),
            stimulus.psn.node(),
            after.published.messages.node(),
            rounded.slice::<8, 24>().node(),
            self.tag,
            action.completed.node().widen(16),
            action.out_of_order.node(),
            action.waited.node(),
            id,
        ];
        let expected = Signals::new()
            .with("published", seen(&after.published))
            .with("published of", id)
            .with("publishes", live)
            .with("outcome", pack(fields))
            .with("leaves", valid)
            .with("not open", valid & !action.accepted.node())
            .with("duplicates", valid & is(2))
            .with("outside", valid & is(3));
        let cut = self.cut();
        let still = opening.implies(cut.apply([self.advance.run.node()])[0].is_zero());
        proof.equal(
            "it publishes, counts and answers that, of the event's connection",
            &[still, self.invariant(&self.found)],
            &cut.apply_to(&expected),
            &cut.apply_to(&actual),
        )?;
        Ok(())
    }

    /// The invariant of all published words.
    fn invariant(&self, published: &Published<Symbolic, N>) -> Node {
        let closed = seen(&Published::<Symbolic, N>::closed());
        published.open.node() | seen(published).equals(closed)
    }

    /// Proves properties that a reader can trust without the rules.
    fn safety(&mut self, proof: &mut Proof) -> Result<(), Error> {
        let closing = is(&self.stimulus, Kind::Close).node();
        let closed = State::<Symbolic, S, N, L>::closed();
        let same = seen(&self.after.published).equals(seen(&closed.published))
            & tail(&self.after.tail).equals(tail(&closed.tail));
        proof.satisfiable(
            "what is published can be of an open connection",
            &[self.invariant(&self.found), self.found.open.node()],
        )?;
        proof.claim(
            "what is published of a connection that is not open is all zeros",
            &[],
            self.cut().apply([self.invariant(&self.after.published)])[0],
        )?;
        proof.claim(
            "closing leaves a closed connection, whatever was there",
            &[closing],
            self.cut().apply([same])[0],
        )?;
        Ok(())
    }
}

fn is(stimulus: &Stimulus<Symbolic>, kind: Kind) -> Bit<Symbolic> {
    stimulus.kind.equals(Symbolic::lit(kind as u128))
}

fn state_word<const S: usize, const N: usize, const L: usize>(state: &State<Symbolic, S, N, L>) -> Node {
    seen(&state.published).cat(word_of(state.received)).cat(word_of(state.last)).cat(tail(&state.tail))
}

fn action_word<const N: usize>(action: &Action<Symbolic, N>) -> Node {
    action
        .accepted
        .node()
        .cat(action.verdict.node())
        .cat(action.response.node())
        .cat(action.completed.node())
        .cat(action.out_of_order.node())
        .cat(action.waited.node())
        .cat(word_of(action.bitmap))
}
