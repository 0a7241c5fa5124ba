//! Replies, orders and read data up to the choice: sizes of frames, orders that join their read data, and
//! which orders are sent.

use super::words::{order, pack, passed, peer, reply, size};
use crate::Error;
use crate::moves::Moves;
use weft_nic::block::egress::{header, sound};
use weft_nic::words::over::{Order, Passed, Reply};
use weft_symbolic::{Design, Node, Proof, Signals, Symbolic, Term};

type Bit = Term<1>;

/// The parts of the model; a test plants bugs in them.
#[derive(Clone, Copy)]
pub struct Model {
    /// The length of a data packet.
    pub quads_of_data: fn(&Order<Symbolic>) -> Term<12>,
    /// The length of an ACK or NACK.
    pub quads_of_reply: fn(&Reply<Symbolic>) -> Term<12>,
    /// Rule 5.
    pub wrong: fn(&sound::Stored<Symbolic>, Term<14>) -> Bit,
    /// Rule 5, of a word.
    pub lacks: fn(Term<64>, Bit) -> Bit,
    /// Rule 12.
    pub has: fn(&Passed<Symbolic>, Term<24>) -> Bit,
}

/// The model.
pub const MODEL: Model = Model {
    quads_of_data: header::quads_of_data::<Symbolic>,
    quads_of_reply: header::quads_of_reply::<Symbolic>,
    wrong: sound::wrong::<Symbolic>,
    lacks: sound::lacks::<Symbolic>,
    has: Passed::has,
};

/// The block.
pub struct Intake<'a> {
    design: &'a Design,
    model: Model,
    now: Signals,
    next: Signals,
    reset: Node,
}

impl<'a> Intake<'a> {
    /// `design` is `weft_egress` with watched RAMs and one enable.
    pub fn new(design: &'a Design, model: Model) -> Result<Self, Error> {
        let reset = design.inputs.node("rst")?;
        Ok(Self { design, model, now: design.registers(), next: design.next(), reset })
    }

    /// All claims about the words that wait for the choice.
    pub fn prove(&self, proof: &mut Proof) -> Result<(), Error> {
        self.replies(proof)?;
        self.sized(proof)?;
        self.joined(proof)?;
        self.passes(proof)?;
        self.read(proof)?;
        self.others(proof)
    }

    fn get(&self, register: &str) -> Result<Node, Error> {
        Ok(self.now.node(&format!("{register}_q"))?)
    }

    fn wire(&self, name: &str) -> Result<Node, Error> {
        Ok(self.design.wires.node(name)?)
    }

    /// After the clock, registers contain these words.
    fn holds(&self, proof: &mut Proof, name: &str, words: Vec<(&str, Node)>) -> Result<(), Error> {
        let (mut expected, mut actual) = (Signals::new(), Signals::new());
        for (register, word) in words {
            expected.insert(register, word);
            actual.insert(register, self.next.node(&format!("{register}_q"))?);
        }
        proof.equal(name, &[!self.reset], &expected, &actual)?;
        Ok(())
    }

    /// A line about registers that reset establishes and every clock preserves.
    fn always(
        &self,
        proof: &mut Proof,
        name: &str,
        given: Node,
        line: impl Fn(&Signals) -> Result<Node, Error>,
    ) -> Result<(), Error> {
        let (before, after) = (line(&self.now)?, line(&self.next)?);
        proof.claim(&format!("{name}: behind reset"), &[self.reset], after)?;
        proof.claim(&format!("{name}: and every clock keeps it"), &[before, !self.reset, given], after)?;
        Ok(())
    }

    /// A reply waits with its peer and its size.
    fn replies(&self, proof: &mut Proof) -> Result<(), Error> {
        let (word, found) = (self.wire("replies.lookup.word")?, self.wire("replies.lookup.peer")?);
        let waits = self.get("replies.waits")?;
        let udp = (self.model.quads_of_reply)(&reply(word)).node();
        let sized = size(&peer(found), Node::bit(false), Node::lit(14, 0), udp);
        let held = |name: &str, word: Node| Ok::<_, Error>(self.get(name)?.when(waits, word));
        let run = !waits & !self.wire("replies.lookup.again")?;
        let taken = self.wire("choice.reply_taken")?;
        let comes = run & self.wire("replies.lookup.valid")?;
        self.holds(
            proof,
            "a reply waits with its peer and the size of its frame, as `quads_of_reply` says",
            vec![
                ("replies.waits", (waits & !taken) | comes),
                ("replies.waiting_reply", held("replies.waiting_reply", word)?),
                ("replies.waiting_peer", held("replies.waiting_peer", found)?),
                ("replies.waiting_size", held("replies.waiting_size", sized)?),
            ],
        )?;
        let runs = self.wire("replies.lookup.run")?.equals(run);
        let input = |name: &str| self.design.inputs.node(&format!("s_axis_reply_{name}"));
        let swept = !self.get("sweeping")?;
        let ready = self.design.outputs.node("s_axis_reply_tready")?.equals(run & swept);
        let enters = [
            self.wire("replies.lookup.in_valid")?.equals(input("tvalid")? & swept),
            self.wire("replies.lookup.in_id")?.equals(input("tid")?),
            self.wire("replies.lookup.in_word")?.equals(input("tdata")?),
        ];
        proof.claim(
            "rules 1 and 2: replies move unless one waits or a peer is read again, and are accepted behind the sweep",
            &[],
            runs & ready & Node::all(enters),
        )?;
        self.always(proof, "a frame of a reply has two beats", Node::bit(true), |registers| {
            let quads = registers.node("replies.waiting_size_q")?.slice(21, 8);
            Ok(registers.node("replies.waits_q")?.implies(!quads.is_zero()))
        })
    }

    /// Orders: the queue, the look-up and the size.
    fn sized(&self, proof: &mut Proof) -> Result<(), Error> {
        let (word, found) = (self.wire("orders.lookup.word")?, self.wire("orders.lookup.peer")?);
        let waits = self.get("orders.sized")?;
        let asked = order(word);
        let udp = (self.model.quads_of_data)(&asked).node();
        let sized = size(&peer(found), asked.last.node(), asked.bytes.node(), udp);
        let held = |name: &str, word: Node| Ok::<_, Error>(self.get(name)?.when(waits, word));
        let run = !waits & !self.wire("orders.lookup.again")?;
        let joins = self.wire("orders.joins")?;
        let valid = self.wire("orders.lookup.valid")?;
        let last = (asked.bytes.node() + Node::lit(14, 63)).slice(0, 6);
        self.holds(
            proof,
            "an order is sized with its peer, as `quads_of_data` says",
            vec![
                ("orders.sized", (waits & !joins) | (run & valid)),
                ("orders.s4_order", held("orders.s4_order", word)?),
                ("orders.s4_id", held("orders.s4_id", self.wire("orders.lookup.id")?)?),
                ("orders.s4_peer", held("orders.s4_peer", found)?),
                ("orders.s4_size", held("orders.s4_size", sized)?),
                ("orders.s4_reads", held("orders.s4_reads", !asked.bytes.node().is_zero())?),
                ("orders.s4_top", held("orders.s4_top", last)?),
            ],
        )?;
        let input = |name: &str| self.design.inputs.node(&format!("s_axis_order_{name}"));
        let (swept, bytes) = (!self.get("sweeping")?, self.get("orders.bytes")?);
        let room = !self.wire("orders.queue.full")? & bytes.less(Node::lit(16, 1 << 14));
        let enters = input("tvalid")? & swept & room;
        let queued = pack([input("tid")?.widen(14), input("tdata")?]);
        let leaves = self.wire("orders.queue.out_valid")?;
        let first = self.wire("orders.queue.out_word")?;
        let (id, left) = (first.slice(0, 14), first.slice(14, 202));
        let tid = input("tid")?.width();
        let expected = Signals::new()
            .with("ready", room & swept)
            .with("enters", enters)
            .with("commit", Node::bit(true))
            .with("rollback", Node::bit(false))
            .with("word", queued)
            .with("leaves", run)
            .with("run", run)
            .with("looked up", leaves)
            .with("connection", id.slice(0, tid))
            .with("order", left);
        let actual = Signals::new()
            .with("ready", self.design.outputs.node("s_axis_order_tready")?)
            .with("enters", self.wire("orders.queue.in_valid")?)
            .with("commit", self.wire("orders.queue.in_commit")?)
            .with("rollback", self.wire("orders.queue.in_rollback")?)
            .with("word", self.wire("orders.queue.in_word")?)
            .with("leaves", self.wire("orders.queue.out_ready")?)
            .with("run", self.wire("orders.lookup.run")?)
            .with("looked up", self.wire("orders.lookup.in_valid")?)
            .with("connection", self.wire("orders.lookup.in_id")?)
            .with("order", self.wire("orders.lookup.in_word")?);
        proof.equal(
            "rule 4: orders wait in the queue while it has room and less than 16 KiB, and leave it for the look-up",
            &[],
            &expected,
            &actual,
        )?;
        let amount =
            |there: Node, word: Node| order(word).bytes.node().widen(16).when(there, Node::lit(16, 0));
        let counted = bytes + amount(enters, input("tdata")?) - amount(leaves & run, left);
        self.holds(proof, "and their bytes are counted", vec![("orders.bytes", counted)])
    }

    /// An order joins its read data.
    fn joined(&self, proof: &mut Proof) -> Result<(), Error> {
        let (sized, waits) = (self.get("orders.sized")?, self.get("orders.waits")?);
        let (reads, there) = (self.get("orders.s4_reads")?, self.wire("reads.packets.out_valid")?);
        let packet = self.wire("reads.packets.out_word")?;
        let joins = sized & !waits & (!reads | there);
        let (words, top, bad) = (packet.slice(0, 8), packet.slice(8, 6), packet.slice(14, 1));
        let term8: Term<8> = Term::of(words).ok_or_else(|| Error::Module("reads".into()))?;
        let bytes = (words.widen(14) - Node::lit(14, 1)).slice(0, 8).cat(top) + Node::lit(14, 1);
        let stored = sound::Stored {
            words: term8,
            bytes: Term::of(bytes).expect("14 bits"),
            bad: Term::of(bad).expect("a bit"),
        };
        let held = self.get("orders.s4_order")?;
        let asked = order(held);
        let wrong = reads & (self.model.wrong)(&stored, asked.bytes).node();
        let limit = self.wire("orders.limits.rdata")?;
        let of = passed(limit.slice(0, 11));
        let told = limit.slice(11, 1);
        let ended = of.ended.node();
        // A word that was never reported has the end of no message, as the sweep writes it.
        let past = reads & (self.model.has)(&of, asked.psn).node() & (told | ended);
        let fitted = self.get("orders.s4_size")?;
        let spare = words - Node::lit(8, 1);
        let kept = |name: &str, word: Node| Ok::<_, Error>(word.when(joins, self.get(name)?));
        let left = spare.when(wrong, fitted.slice(21, 8));
        // This stage requests the size of its own order, for any packet that was stored.
        let consistent = [
            fitted.slice(3, 8).equals((asked.bytes.node() + Node::lit(14, 63)).slice(6, 8)),
            self.get("orders.s4_top")?.equals((asked.bytes.node() + Node::lit(14, 63)).slice(0, 6)),
            reads.equals(!asked.bytes.node().is_zero()),
            there.implies(!words.is_zero() & words.less(Node::lit(8, 129))),
            sized,
        ];
        let expected = [
            ("orders.waits", (waits & !self.wire("choice.order_taken")?) | joins),
            ("orders.waiting", kept("orders.waiting", held)?),
            ("orders.waiting_peer", kept("orders.waiting_peer", self.get("orders.s4_peer")?)?),
            ("orders.waiting_size", kept("orders.waiting_size", fitted)?),
            ("orders.waiting_left", kept("orders.waiting_left", left)?),
            ("orders.waiting_spare", kept("orders.waiting_spare", spare)?),
            ("orders.waiting_wrong", kept("orders.waiting_wrong", wrong)?),
            ("orders.waiting_past", kept("orders.waiting_past", past)?),
        ];
        let (mut should, mut is) = (Signals::new(), Signals::new());
        for (name, node) in expected {
            should.insert(name, node);
            is.insert(name, self.next.node(&format!("{name}_q"))?);
        }
        let mut given = vec![!self.reset];
        given.extend(consistent);
        proof.equal(
            "rules 4, 5 and 12: an order joins its read data, and is judged as `wrong` and `has` say",
            &given,
            &should,
            &is,
        )?;
        let without = (waits & !self.wire("choice.order_taken")?).equals(self.next.node("orders.waits_q")?);
        proof.claim("without an order none joins", &[!self.reset, !sized], without)?;
        self.always(proof, "an order in stage 4 has its own size", Node::bit(true), |registers| {
            let get = |name: &str| registers.node(&format!("orders.{name}_q"));
            let bytes = order(get("s4_order")?).bytes.node();
            let filled = bytes + Node::lit(14, 63);
            Ok(get("sized")?.implies(Node::all([
                get("s4_size")?.slice(3, 8).equals(filled.slice(6, 8)),
                get("s4_top")?.equals(filled.slice(0, 6)),
                get("s4_reads")?.equals(!bytes.is_zero()),
            ])))
        })?;
        self.always(
            proof,
            "an order with sound read data has the beats of its size",
            Node::bit(true),
            |registers| {
                let get = |name: &str| registers.node(&format!("orders.waiting_{name}_q"));
                let same = get("left")?.equals(get("size")?.slice(21, 8));
                Ok((registers.node("orders.waits_q")? & !get("wrong")?).implies(same))
            },
        )?;
        let get = |name: &str| self.get(&format!("orders.waiting_{name}"));
        let (wrong, past) = (get("wrong")?, get("past")?);
        let expected = Signals::new()
            .with("it is dropped", wrong | past)
            .with("beats, or words of read data", get("spare")?.when(past, get("left")?))
            .with("the packet leaves", joins & reads);
        let actual = Signals::new()
            .with("it is dropped", self.wire("orders.drop")?)
            .with("beats, or words of read data", self.wire("orders.left")?)
            .with("the packet leaves", self.wire("reads.packets.out_ready")?);
        proof.equal(
            "an order that is wrong or has passed is dropped with its words",
            &[],
            &expected,
            &actual,
        )?;
        Ok(())
    }

    /// Rule 12: the connection whose limit is read.
    fn passes(&self, proof: &mut Proof) -> Result<(), Error> {
        let mut moves = Moves::new(self.design, &Signals::new().with("rst", Node::bit(false)))?;
        let asked = moves.wire("orders.limits.raddr", 0)?;
        let here = moves.at("orders.sized_q", 2)?;
        let whose = moves.at("orders.s4_id_q", 2)?;
        proof.claim(
            "rule 12: the word about a connection is read for the order that is in stage 4 two clocks later",
            &[],
            here.implies(asked.equals(whose)),
        )?;
        let input = |name: &str| self.design.inputs.node(&format!("s_axis_passed_{name}"));
        let (sweeping, sweep) = (self.get("sweeping")?, self.get("sweep")?);
        let word = input("tdata")?;
        let told = pack([word.slice(0, 10), word.slice(10, 1) & !sweeping, !sweeping]);
        let expected = Signals::new()
            .with("run", Node::bit(true))
            .with("we", sweeping | input("tvalid")?)
            .with("waddr", sweep.when(sweeping, input("tid")?))
            .with("wdata", told);
        let actual = expected.twins(|name| self.wire(&format!("orders.limits.{name}")))?;
        proof.equal(
            "a word on s_axis_passed is written at once, and the sweep lets all be sent",
            &[],
            &expected,
            &actual,
        )?;
        Ok(())
    }

    /// Rule 5: arriving read data.
    fn read(&self, proof: &mut Proof) -> Result<(), Error> {
        let input = |name: &str| self.design.inputs.node(&format!("s_axis_read_{name}"));
        let (data, keep, last) = (input("tdata")?, input("tkeep")?, input("tlast")?);
        let ready = !self.wire("reads.words.full")? & !self.wire("reads.packets.full")?;
        let accept = input("tvalid")? & ready;
        let (stored, torn) = (self.get("reads.stored")?, self.get("reads.torn")?);
        let most = Node::lit(8, 128);
        let excess = !stored.less(most);
        let count = stored.when(excess, stored + Node::lit(8, 1));
        let bit = |node: Node| Term::<1>::of(node).expect("a bit");
        let lacks = (self.model.lacks)(Term::of(keep).expect("64 bits"), bit(last)).node();
        let tears = torn | lacks;
        self.holds(
            proof,
            "rule 5: words of a packet are counted, and those that lack bytes are seen",
            vec![
                ("reads.stored", Node::lit(8, 0).when(last, count).when(accept, stored)),
                ("reads.torn", (tears & !last).when(accept, torn)),
            ],
        )?;
        self.always(proof, "no packet has more than 128 words", Node::bit(true), |registers| {
            Ok(!Node::lit(8, 128).less(registers.node("reads.stored_q")?))
        })?;
        let bad = input("tuser")? | excess | tears;
        let packet = self.wire("reads.packets.in_word")?;
        let expected = Signals::new()
            .with("ready", ready)
            .with("a word is stored", accept & !excess)
            .with("it", data)
            .with("its packet is whole", accept & last)
            .with("no word is forgotten", Node::bit(false))
            .with("a packet is stored", accept & last)
            .with("at once", Node::bit(true))
            .with("for good", Node::bit(false))
            .with("its words", count)
            .with("whether it is bad", bad)
            .with("a word leaves", self.wire("choice.pull_read")?);
        let actual = Signals::new()
            .with("ready", self.design.outputs.node("s_axis_read_tready")?)
            .with("a word is stored", self.wire("reads.words.in_valid")?)
            .with("it", self.wire("reads.words.in_word")?)
            .with("its packet is whole", self.wire("reads.words.in_commit")?)
            .with("no word is forgotten", self.wire("reads.words.in_rollback")?)
            .with("a packet is stored", self.wire("reads.packets.in_valid")?)
            .with("at once", self.wire("reads.packets.in_commit")?)
            .with("for good", self.wire("reads.packets.in_rollback")?)
            .with("its words", packet.slice(0, 8))
            .with("whether it is bad", packet.slice(14, 1))
            .with("a word leaves", self.wire("reads.words.out_ready")?);
        proof.equal("read data is stored, and its packet when it is whole", &[], &expected, &actual)?;
        // The number of the last byte, if there is no gap.
        let top = (0..64u128)
            .fold(Node::lit(6, 0), |lower, at| Node::lit(6, at).when(keep.slice(at as usize, 1), lower));
        proof.claim(
            "a packet has the place of its last byte, if its last word has no gap",
            &[last, !lacks],
            packet.slice(8, 6).equals(top),
        )?;
        Ok(())
    }

    /// Frames of others.
    fn others(&self, proof: &mut Proof) -> Result<(), Error> {
        let input = |name: &str| self.design.inputs.node(&format!("s_axis_bypass_{name}"));
        let word = pack([input("tdata")?, input("tkeep")?, input("tlast")?, input("tuser")?]);
        let last = input("tlast")?;
        let ready = !self.wire("others.words.full")?;
        let accept = input("tvalid")? & ready;
        let stored = self.get("others.stored")?;
        let lit = |value| Node::lit(9, value);
        let excess = !stored.less(lit(256));
        let ends = accept & last & !excess;
        let count = stored.when(excess, stored + lit(1));
        let (ended, waiting) = (self.get("others.ended")?, self.get("others.waiting")?);
        let taken = self.wire("choice.other_taken")?;
        let one = |bit: Node| bit.widen(10);
        self.holds(
            proof,
            "words of others are counted, and a frame that is whole waits a clock later",
            vec![
                ("others.stored", lit(0).when(last, count).when(accept, stored)),
                ("others.ended", ends),
                ("others.waiting", waiting + one(ended) - one(taken)),
            ],
        )?;
        // Each has a word in the store of 512.
        let few = waiting.less(Node::lit(10, 513));
        self.always(proof, "a frame of others waits if there is one", few, |registers| {
            let some = !registers.node("others.waiting_q")?.is_zero();
            let few = !Node::lit(9, 256).less(registers.node("others.stored_q")?);
            Ok(registers.node("others.waits_q")?.equals(some) & few)
        })?;
        let run = self.get("skid.running")?;
        let first = self.wire("others.words.out_word")?;
        self.holds(
            proof,
            "stage 2 has the word that leaves",
            vec![("others.s2_word", first.when(run, self.get("others.s2_word")?))],
        )?;
        let expected = Signals::new()
            .with("ready", ready)
            .with("a word is stored, if there is room", accept & !excess)
            .with("it", word)
            .with("its frame is whole", ends)
            .with("its frame is too long", accept & excess)
            .with("and counted", accept & last & excess)
            .with("a word leaves", self.wire("choice.pull_other")?);
        let actual = Signals::new()
            .with("ready", self.design.outputs.node("s_axis_bypass_tready")?)
            .with("a word is stored, if there is room", self.wire("others.words.in_valid")? & ready)
            .with("it", self.wire("others.words.in_word")?)
            .with("its frame is whole", self.wire("others.words.in_commit")?)
            .with("its frame is too long", self.wire("others.words.in_rollback")?)
            .with("and counted", self.wire("bypass_overflows.one")?)
            .with("a word leaves", self.wire("others.words.out_ready")?);
        proof.equal(
            "frames of others are stored whole, or forgotten and counted",
            &[],
            &expected,
            &actual,
        )?;
        Ok(())
    }
}
