//! The choice of the next frame, and the beats of a frame, counted.

use super::words::pack;
use crate::Error;
use weft_nic::block::egress::turn::{self, Turn};
use weft_symbolic::{Design, Node, Proof, Signals, Symbolic, Term};

type Bit = Term<1>;

/// The model of the choice; a test plants bugs in it.
pub type Model = fn(Bit, Bit, Bit, Bit) -> Turn<Symbolic>;

/// The model.
pub const MODEL: Model = turn::turn::<Symbolic>;

/// The block.
pub struct Choice<'a> {
    design: &'a Design,
    model: Model,
    now: Signals,
    next: Signals,
    reset: Node,
}

/// A frame in progress, counted by ghosts: which beat is in stage 1, and how many beats there are.
struct Counted {
    /// A frame in progress, counted by ghosts: which beat is in stage 1, and how many beats there are.
    at: Node,
    /// Beats after the first one, or words to discard minus one.
    behind: Node,
    /// Words of payload.
    words: Node,
}

impl<'a> Choice<'a> {
    /// `design` is `weft_egress` with watched RAMs and one enable.
    pub fn new(design: &'a Design, model: Model) -> Result<Self, Error> {
        let reset = design.inputs.node("rst")?;
        Ok(Self { design, model, now: design.registers(), next: design.next(), reset })
    }

    /// All claims about the choice.
    pub fn prove(&self, proof: &mut Proof) -> Result<(), Error> {
        self.turns(proof)?;
        self.begins(proof)?;
        self.beats(proof)
    }

    fn get(&self, name: &str) -> Result<Node, Error> {
        Ok(self.now.node(&format!("{name}_q"))?)
    }

    fn wire(&self, name: &str) -> Result<Node, Error> {
        Ok(self.design.wires.node(&format!("choice.{name}"))?)
    }

    /// A frame is chosen in this clock: the pipeline moves, and no beat follows the one in stage 1.
    fn free(&self) -> Result<Node, Error> {
        let (other, done) = (self.get("choice.other")?, self.get("choice.done")?);
        let ends = self.wire("other_last")?.when(other, done);
        Ok(self.get("skid.running")? & (!self.get("choice.busy")? | ends))
    }

    /// The waiting frames, in the form of the model.
    fn chosen(&self) -> Result<Turn<Symbolic>, Error> {
        let bit = |node: Node| Term::of(node).expect("a bit");
        let (reply, order) = (self.wire("reply_valid")?, self.wire("order_valid")?);
        let turn = self.get("choice.order_turn")?;
        Ok((self.model)(bit(reply), bit(order), bit(self.wire("other_valid")?), bit(turn)))
    }

    /// Rule 3.
    fn turns(&self, proof: &mut Proof) -> Result<(), Error> {
        let (free, chosen) = (self.free()?, self.chosen()?);
        let turn = chosen.order_next.node().when(free, self.get("choice.order_turn")?);
        let expected = Signals::new()
            .with("reply_taken", free & chosen.reply.node())
            .with("order_taken", free & chosen.order.node())
            .with("other_taken", free & chosen.other.node())
            .with("order_turn", Node::bit(false).when(self.reset, turn));
        let actual = Signals::new()
            .with("reply_taken", self.wire("reply_taken")?)
            .with("order_taken", self.wire("order_taken")?)
            .with("other_taken", self.wire("other_taken")?)
            .with("order_turn", self.next.node("choice.order_turn_q")?);
        proof.equal(
            "rule 3: behind the last beat of a frame the next is chosen, as `turn` says",
            &[],
            &expected,
            &actual,
        )?;
        let port = |name: &str| self.design.wires.node(name);
        let expected = Signals::new()
            .with("a reply waits", self.get("replies.waits")?)
            .with("its size", self.get("replies.waiting_size")?)
            .with("an order waits", self.get("orders.waits")?)
            .with("its size too", self.get("orders.waiting_size")?)
            .with("it is dropped", port("orders.drop")?)
            .with("beats of it", port("orders.left")?)
            .with("a frame of others waits", self.get("others.waits")?)
            .with("its last word", self.now.node("others.words.offered_word_q")?.slice(576, 1));
        let actual = Signals::new()
            .with("a reply waits", self.wire("reply_valid")?)
            .with("its size", self.wire("reply_size")?)
            .with("an order waits", self.wire("order_valid")?)
            .with("its size too", self.wire("order_size")?)
            .with("it is dropped", self.wire("order_drop")?)
            .with("beats of it", self.wire("order_left")?)
            .with("a frame of others waits", self.wire("other_valid")?)
            .with("its last word", self.wire("other_last")?);
        proof.equal("the choice sees what waits", &[], &expected, &actual)?;
        Ok(())
    }

    /// Stage 1 behind the choice.
    fn begins(&self, proof: &mut Proof) -> Result<(), Error> {
        let (free, chosen) = (self.free()?, self.chosen()?);
        let (reply, order, other) = (chosen.reply.node(), chosen.order.node(), chosen.other.node());
        let sized = self.wire("reply_size")?.when(reply, self.wire("order_size")?);
        let more = sized.slice(1, 1).widen(2) + sized.slice(2, 1).widen(2);
        let get = |name: &str| self.get(&format!("choice.{name}"));
        let held = |name: &str, value: Node| Ok::<_, Error>(value.when(free, get(name)?));
        let begins = Signals::new()
            .with("choice.busy_q", Node::bit(false).when(self.reset, held("busy", reply | order | other)?))
            .with("choice.other_q", held("other", other)?)
            .with("choice.dropped_q", held("dropped", order & self.wire("order_drop")?)?)
            .with("choice.more_q", held("more", Node::lit(2, 3).when(other, more))?);
        proof.equal("stage 1 has what was chosen", &[], &begins, &self.next)?;
        let size = self.next.node("choice.size_q")?.equals(held("size", sized)?);
        proof.claim("and its size", &[(!free) | reply | order], size)?;
        Ok(())
    }

    /// The condition of the ghosts about stage 1.
    fn counts(&self, registers: &Signals, counted: &Counted) -> Result<Node, Error> {
        let get = |name: &str| registers.node(&format!("choice.{name}_q"));
        let lit = |value| Node::lit(8, value);
        let Counted { at, behind, words } = *counted;
        let ours = get("busy")? & !get("other")?;
        let gone = lit(0).when(at.is_zero(), at - lit(1));
        let left = (words - gone).when(gone.less(words), lit(0));
        let first = at.is_zero();
        let holds = [
            !behind.less(at),
            get("left")?.equals(behind - at),
            get("done")?.equals(behind.equals(at)),
            get("first")?.equals(first),
            get("second")?.equals(at.equals(lit(1))) | first,
            get("words")?.equals(left),
            get("dropped")? | behind.equals(get("size")?.slice(21, 8)),
        ];
        let coded = get("other")?.equals(get("more")?.equals(Node::lit(2, 3)));
        Ok(ours.implies(Node::all(holds)) & get("busy")?.implies(coded))
    }

    /// The beats of a frame, by ghosts that count them.
    fn beats(&self, proof: &mut Proof) -> Result<(), Error> {
        let ghost = |name: &str| Node::variable(&format!("egress.ghost.{name}"), 8);
        let counted = Counted { at: ghost("at"), behind: ghost("behind"), words: ghost("words") };
        let (free, run) = (self.free()?, self.get("skid.running")?);
        let reply = self.wire("reply_valid")?;
        let (of_reply, of_order) = (self.wire("reply_size")?, self.wire("order_size")?);
        let lit = |value| Node::lit(8, value);
        let begins = |begun: Node, node: Node| begun.when(free, node);
        let next = Counted {
            at: begins(lit(0), (counted.at + lit(1)).when(run, counted.at)),
            behind: begins(of_reply.slice(21, 8).when(reply, self.wire("order_left")?), counted.behind),
            words: begins(lit(0).when(reply, of_order.slice(3, 8)), counted.words),
        };
        // Frames have two beats at least, and the beats of an order that is sent are those of its size.
        let (chosen, dropped) = (self.chosen()?.order.node(), self.wire("order_drop")?);
        let sound = [
            reply.implies(!of_reply.slice(21, 8).is_zero()),
            (chosen & !dropped).implies(self.wire("order_left")?.equals(of_order.slice(21, 8))),
        ];
        let (before, after) = (self.counts(&self.now, &counted)?, self.counts(&self.next, &next)?);
        proof.claim("beats are counted: reset leads into the invariant", &[self.reset], after)?;
        proof.claim("and every clock keeps it", &[sound[0], sound[1], before, !self.reset], after)?;
        let get = |name: &str| self.get(&format!("choice.{name}"));
        let (busy, other, dropped) = (get("busy")?, get("other")?, get("dropped")?);
        let (sized, first, second) = (get("size")?, get("first")?, get("second")?);
        let quads = sized.slice(17, 4);
        let Counted { at, behind, words } = counted;
        let alone = quads.is_zero();
        let last = at.equals(behind);
        let ends = (at + lit(1)).equals(behind).when(alone, last);
        let slot = pack([
            Node::bit(false),
            at.is_zero(),
            // No stage reads this field of a frame's first beat.
            second.when(at.is_zero(), at.equals(lit(1))),
            last,
            ends,
            last & alone,
            sized.slice(0, 1),
            sized.slice(1, 1),
            get("more")?,
            quads,
        ]);
        let takes = !at.is_zero() & !words.less(at);
        let cut = sized.slice(11, 6).when(at.equals(words), Node::lit(6, 0));
        let moved = |expected: Signals, name: &str, given: Node, proof: &mut Proof| {
            proof.equal(name, &[before, run, !self.reset, given], &expected, &self.next).map(drop)
        };
        let ours = busy & !other & !dropped;
        moved(
            Signals::new()
                .with("choice.s2_valid_q", Node::bit(true))
                .with("choice.s2_slot_q", slot)
                .with("choice.s2_size_q", sized)
                .with("choice.s2_fills_q", takes)
                .with("choice.s2_pulls_q", takes),
            "stage 2 has the beat of our frame: its place, the end of what the ICRC covers, whether it takes payload",
            ours,
            proof,
        )?;
        moved(
            Signals::new().with("choice.s2_cut_q", cut),
            "and of the last word of payload the bytes that count",
            ours & takes,
            proof,
        )?;
        moved(
            Signals::new()
                .with("choice.s2_valid_q", Node::bit(false))
                .with("choice.s2_pulls_q", Node::bit(true))
                .with("choice.s2_fills_q", Node::bit(false)),
            "of an order that is dropped it takes the words, and makes no beat",
            busy & dropped & !other,
            proof,
        )?;
        let ends = self.wire("other_last")?;
        let foreign = pack([
            Node::bit(true),
            first,
            second,
            ends,
            Node::bit(false),
            Node::bit(false),
            sized.slice(0, 1),
            sized.slice(1, 1),
            get("more")?,
            quads,
        ]);
        moved(
            Signals::new()
                .with("choice.s2_valid_q", Node::bit(true))
                .with("choice.s2_slot_q", foreign)
                .with("choice.s2_fills_q", Node::bit(false))
                .with("choice.s2_pulls_q", Node::bit(false)),
            "a beat of others takes none, and has no ICRC",
            busy & other & !dropped,
            proof,
        )?;
        moved(
            Signals::new()
                .with("choice.s2_valid_q", Node::bit(false))
                .with("choice.s2_fills_q", Node::bit(false))
                .with("choice.s2_pulls_q", Node::bit(false)),
            "without a frame there is no beat",
            !busy,
            proof,
        )?;
        proof.claim(
            "words leave their stores with the beats that take them",
            &[],
            self.wire("pull_other")?.equals(run & busy & other)
                & self.wire("pull_read")?.equals(run & self.get("choice.s2_pulls")?),
        )?;
        Ok(())
    }
}
