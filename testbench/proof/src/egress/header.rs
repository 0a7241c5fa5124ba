//! The headers of a frame, from the choice to stage 5, against the model: any reply, any order, any peer, any
//! time, any CSRs. Also the frame's size, from which the header stage computes its lengths.

use super::words::{bytes, csr, order, pack, peer, reply, size};
use crate::Error;
use crate::moves::{Moves, moving};
use weft_nic::block::egress::header::{self, Csr};
use weft_nic::words::over::{EgressPeer, Order, Reply};
use weft_symbolic::{Design, Node, Proof, Signals, Symbolic, Term};

type Datas =
    fn(&Csr<Symbolic>, &EgressPeer<Symbolic>, &Order<Symbolic>, Term<16>) -> header::Header<Symbolic>;
type Replies = fn(&Csr<Symbolic>, &EgressPeer<Symbolic>, &Reply<Symbolic>) -> header::Header<Symbolic>;

/// The parts of the model; a test plants bugs in them.
#[derive(Clone, Copy)]
pub struct Model {
    /// The headers of a data packet.
    pub data: Datas,
    /// An ACK or NACK.
    pub reply: Replies,
    /// Length of a data packet.
    pub quads_of_data: fn(&Order<Symbolic>) -> Term<12>,
    /// The length of an ACK or NACK.
    pub quads_of_reply: fn(&Reply<Symbolic>) -> Term<12>,
}

/// The model.
pub const MODEL: Model = Model {
    data: header::data::<Symbolic>,
    reply: |csr, peer, reply| header::reply::<Symbolic>(csr, peer, reply, 256),
    quads_of_data: header::quads_of_data::<Symbolic>,
    quads_of_reply: header::quads_of_reply::<Symbolic>,
};

/// The block.
pub struct Stages<'a> {
    design: &'a Design,
    model: Model,
    now: Signals,
    next: Signals,
}

impl<'a> Stages<'a> {
    /// `design` is `weft_egress` with watched RAMs and one enable.
    pub fn new(design: &'a Design, model: Model) -> Self {
        Self { design, model, now: design.registers(), next: design.next() }
    }

    /// All claims about headers.
    pub fn prove(&self, proof: &mut Proof) -> Result<(), Error> {
        self.begins(proof)?;
        self.made(proof)
    }

    fn get(&self, register: &str) -> Result<Node, Error> {
        Ok(self.now.node(&format!("{register}_q"))?)
    }

    /// After the clock, registers contain these words.
    fn holds(&self, proof: &mut Proof, name: &str, words: Vec<(&str, Node)>) -> Result<(), Error> {
        let (mut expected, mut actual) = (Signals::new(), Signals::new());
        for (register, word) in words {
            expected.insert(register, word);
            actual.insert(register, self.next.node(&format!("{register}_q"))?);
        }
        proof.equal(name, &[!self.design.inputs.node("rst")?], &expected, &actual)?;
        Ok(())
    }

    /// Stages 1 and 2.
    fn begins(&self, proof: &mut Proof) -> Result<(), Error> {
        let wire = |name: &str| self.design.wires.node(name);
        let (answers, orders) = (wire("choice.reply_taken")?, wire("choice.order_taken")?);
        self.holds(
            proof,
            "rule 6: stage 1 has the frame that begins, and the time of the clock that chose it",
            vec![
                ("header.s1_reply", answers),
                ("header.s1_order", orders),
                ("header.s1_begins", answers | orders),
                ("header.s1_stamp", self.design.inputs.node("now")?.slice(0, 16)),
            ],
        )?;
        let (answered, ordered) = (self.get("header.s1_reply")?, self.get("header.s1_order")?);
        let begins = self.get("header.s1_begins")?;
        let (answer, asked) = (self.get("replies.waiting_reply")?, self.get("orders.waiting")?);
        let form = pack([reply(answer).nack.node(), Node::bit(true)]);
        let form = pack([order(asked).last.node(), Node::bit(false)]).when(ordered, form);
        let whose = self.get("orders.waiting_peer")?.when(ordered, self.get("replies.waiting_peer")?);
        let held = |name: &str, loads: Node, word: Node| Ok::<_, Error>(word.when(loads, self.get(name)?));
        self.holds(
            proof,
            "stage 2 has its reply or order, its peer and its time, also while the pipeline stalls",
            vec![
                ("header.s2_reply", held("header.s2_reply", answered, answer)?),
                ("header.s2_order", held("header.s2_order", ordered, asked)?),
                ("header.s2_form", held("header.s2_form", begins, form)?),
                ("header.s2_peer", held("header.s2_peer", begins, whose)?),
                ("header.s2_stamp", held("header.s2_stamp", begins, self.get("header.s1_stamp")?)?),
            ],
        )
    }

    /// Stages 2 to 5: the bytes, for each IP version, with a VLAN tag and without. A sum of lengths is easy
    /// for a known version.
    fn made(&self, proof: &mut Proof) -> Result<(), Error> {
        for (v6, tagged, of) in [
            (false, false, "IPv4"),
            (false, true, "IPv4 with a tag"),
            (true, false, "IPv6"),
            (true, true, "IPv6 with a tag"),
        ] {
            let field = |name: &str, width| Node::variable(&format!("peer.{name}"), width);
            let whose = pack([
                Node::bit(v6),
                field("address", 128),
                field("mac", 48),
                Node::bit(tagged),
                field("tag", 16),
                field("qp", 24),
                field("pkey", 16),
            ]);
            self.made_for(whose, of, proof)?;
        }
        Ok(())
    }

    fn made_for(&self, whose: Node, of: &str, proof: &mut Proof) -> Result<(), Error> {
        let (csr, model) = (csr(&self.design.inputs)?, self.model);
        let (answer, asked) = (Node::variable("reply", 675), Node::variable("order", 202));
        let stamp: Term<16> = Term::variable("stamp");
        let (answer_of, asked_of, peer) = (reply(answer), order(asked), peer(whose));
        let mut moves = Moves::new(self.design, &moving())?;
        moves.set("header.s2_reply_q", 0, answer)?;
        moves.set("header.s2_order_q", 0, asked)?;
        moves.set("header.s2_peer_q", 0, whose)?;
        moves.set("header.s2_stamp_q", 0, stamp)?;
        let udp = (model.quads_of_data)(&asked_of).node();
        let sized = size(&peer, asked_of.last.node(), asked_of.bytes.node(), udp);
        let headers = proof.merged(
            &format!("{of}, the headers of data"),
            || (model.data)(&csr, &peer, &asked_of, stamp),
            |header| Signals::new().with("bytes", bytes(header)),
        )?;
        let name = format!("{of}: stage 5 has the headers of data as `data` says, and zeros behind them");
        let form = pack([asked_of.last.node(), Node::bit(false)]);
        self.are(proof, &name, moves.clone(), (form, sized, udp), headers.node("bytes")?)?;
        let udp = (model.quads_of_reply)(&answer_of).node();
        let sized = size(&peer, Node::bit(false), Node::lit(14, 0), udp);
        let frame = proof.merged(
            &format!("{of}, an ACK or NACK"),
            || (model.reply)(&csr, &peer, &answer_of),
            |header| Signals::new().with("bytes", bytes(header)),
        )?;
        let name = format!("{of}: stage 5 has an ACK or NACK as `reply` says, and zeros behind it");
        let form = pack([answer_of.nack.node(), Node::bit(true)]);
        self.are(proof, &name, moves, (form, sized, udp), frame.node("bytes")?)
    }

    /// A frame of this form and size, whose UDP datagram has this length, has these bytes in stage 5.
    fn are(
        &self,
        proof: &mut Proof,
        name: &str,
        mut moves: Moves,
        (form, sized, udp): (Node, Node, Node),
        bytes: Node,
    ) -> Result<(), Error> {
        moves.set("header.s2_form_q", 0, form)?;
        moves.set("choice.s2_size_q", 0, sized)?;
        // The length of the datagram that IP has: the proof cuts here, because the length is a term of the checksum.
        let length = udp.when(sized.slice(0, 1), udp + Node::lit(12, 5));
        let made = moves.at("header.s3_quads_q", 1)?;
        proof.claim(&format!("{name}: its length"), &[], made.equals(length))?;
        moves.set("header.s3_quads_q", 1, length)?;
        let (mut expected, mut actual) = (Signals::new(), Signals::new());
        for (part, at, width) in [("low", 0, 512), ("mid", 512, 512), ("high", 1024, 448)] {
            expected.insert(part, bytes.slice(at, width));
            actual.insert(part, moves.wire(&format!("header.{part}"), 3)?);
        }
        proof.equal(name, &[], &expected, &actual)?;
        Ok(())
    }
}
