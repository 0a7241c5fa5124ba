//! How front, `weft_sack_rx`, settle and the queues of the receiver are connected; closes, counters and
//! ports.

use super::words::pack;
use crate::Error;
use weft_symbolic::{Design, Node, Proof, Signals};

/// Counters of this block, each with the flag that it counts.
const COUNTERS: [(&str, &str, &str); 5] = [
    ("denied", "access_errors", "settle.denied"),
    ("held", "held", "settle.held"),
    ("placed", "placed", "settle.placed"),
    ("acks", "acks", "settle.ack"),
    ("nacks", "nacks", "settle.nack"),
];

/// The block around `weft_sack_rx`.
pub struct Ports<'a> {
    design: &'a Design,
    now: Signals,
    next: Signals,
}

impl<'a> Ports<'a> {
    /// `design` is `weft_receiver` around a shell of `weft_sack_rx`.
    pub fn new(design: &'a Design) -> Self {
        Self { design, now: design.registers(), next: design.next() }
    }

    /// All claims.
    pub fn prove(&self, proof: &mut Proof) -> Result<(), Error> {
        self.joined(proof)?;
        self.replies(proof)?;
        self.closes(proof)?;
        self.counters(proof)
    }

    fn wire(&self, name: &str) -> Result<Node, Error> {
        Ok(self.design.wires.node(name)?)
    }

    /// Claims that wires have these values.
    fn are(&self, proof: &mut Proof, name: &str, expected: Signals) -> Result<(), Error> {
        proof.equal(name, &[], &expected, &self.design.wires)?;
        Ok(())
    }

    /// Front to `weft_sack_rx`, and its outcome to settle.
    fn joined(&self, proof: &mut Proof) -> Result<(), Error> {
        let entry = self.wire("front.entry")?;
        let field = |low, width| entry.slice(low, width);
        let front = |name: &str| self.wire(&format!("front.{name}"));
        let id = field(0, self.wire("sack.s_axis_event_tid")?.width());
        let (valid, ready) = (front("event_valid")?, self.wire("sack.s_axis_event_tready")?);
        let bytes = field(174, 14);
        let data = pack([field(17, 24), bytes.widen(16), field(46, 16), field(62, 16)]);
        let user = pack([front("kind")?, field(41, 1), field(42, 1), field(43, 1)]);
        let payload = field(14, 3).is_zero() & !bytes.is_zero();
        let side = pack([
            payload,
            front("denied")?,
            front("failed")?,
            front("held")?,
            field(43, 1),
            field(44, 1),
            field(45, 1) | front("held")?,
            field(78, 64),
            bytes,
            field(188, 32),
            field(220, 16),
        ]);
        let sack = |name: &str| self.wire(&format!("sack.m_axis_outcome_{name}"));
        let taken = sack("tvalid")? & self.wire("settle.outcome_ready")?;
        self.are(
            proof,
            "every event goes through `weft_sack_rx`, and what that does not need waits beside it for the outcome",
            Signals::new()
                .with("sack.s_axis_event_tvalid", valid)
                .with("sack.s_axis_event_tid", id)
                .with("sack.s_axis_event_tdata", data)
                .with("sack.s_axis_event_tuser", user)
                .with("front.event_ready", ready)
                .with("sides.in_valid", valid & ready)
                .with("sides.in_word", side)
                .with("sides.in_commit", Node::bit(true))
                .with("sides.in_rollback", Node::bit(false))
                .with("sides.out_ready", taken)
                .with("settle.outcome_valid", sack("tvalid")?)
                .with("settle.outcome_id", sack("tid")?)
                .with("settle.outcome_data", sack("tdata")?)
                .with("settle.outcome_user", sack("tuser")?)
                .with("settle.side", self.wire("sides.out_word")?)
                .with("settle.room", self.now.node("room_q")?)
                .with("sack.m_axis_outcome_tready", self.wire("settle.outcome_ready")?),
        )?;
        let few = |queue: &str| {
            let level = self.wire(&format!("{queue}.level"))?;
            Ok::<_, Error>(level.less(Node::lit(level.width(), 24)))
        };
        let breaches = self.wire("breaches.level")?;
        let few_breaches = breaches.less(Node::lit(breaches.width(), 8));
        let reset = self.design.inputs.node("rst")?;
        let room = few("replies")? & few("tokens")? & few_breaches & !reset;
        let expected = Signals::new().with("room_q", room);
        proof
            .equal(
                "outcomes are settled while their queues have room for those under way",
                &[],
                &expected,
                &self.next,
            )
            .map(drop)?;
        Ok(())
    }

    /// Queues of replies and of breaches.
    fn replies(&self, proof: &mut Proof) -> Result<(), Error> {
        let input = |name: &str| self.design.inputs.node(name);
        let id = self.wire("sack.m_axis_outcome_tid")?;
        let made = self.wire("settle.reply")?;
        let both = self.wire("replies.out_valid")? & self.wire("lists.out_valid")?;
        let leaves = both & input("m_axis_reply_tready")?;
        self.are(
            proof,
            "replies and breaches go into their queues, and a reply leaves with its list",
            Signals::new()
                .with("replies.in_valid", self.wire("settle.reply_valid")?)
                .with("replies.in_word", pack([id.widen(14), made]))
                .with("replies.in_commit", Node::bit(true))
                .with("replies.in_rollback", Node::bit(false))
                .with("replies.out_ready", leaves)
                .with("lists.out_ready", leaves)
                .with("breaches.in_valid", self.wire("settle.breach")?)
                .with("breaches.in_word", id)
                .with("breaches.in_commit", Node::bit(true))
                .with("breaches.in_rollback", Node::bit(false))
                .with("breaches.out_ready", input("m_axis_breach_tready")?)
                .with("tokens.in_valid", self.wire("settle.token_valid")?)
                .with("tokens.in_word", self.wire("settle.token")?)
                .with("tokens.in_commit", Node::bit(true))
                .with("tokens.in_rollback", Node::bit(false)),
        )?;
        let output = |name: &str| self.design.outputs.node(name);
        let (word, list) = (self.wire("replies.out_word")?, self.wire("lists.out_word")?);
        let width = made.width();
        let listed = pack([word.slice(14, width - list.width()), list]);
        let expected = Signals::new()
            .with("reply", both)
            .with("connection", word.slice(0, id.width()))
            .with("word", listed)
            .with("breach", self.wire("breaches.out_valid")?)
            .with("whose", self.wire("breaches.out_word")?);
        let actual = Signals::new()
            .with("reply", output("m_axis_reply_tvalid")?)
            .with("connection", output("m_axis_reply_tid")?)
            .with("word", output("m_axis_reply_tdata")?)
            .with("breach", output("m_axis_breach_tvalid")?)
            .with("whose", output("m_axis_breach_tid")?);
        proof.equal("they reach the ports", &[], &expected, &actual)?;
        Ok(())
    }

    /// Rule 16: a close waits for the fences.
    fn closes(&self, proof: &mut Proof) -> Result<(), Error> {
        let ahead = |fence: &str| Ok::<_, Error>(!self.wire(&format!("{fence}_fence.ahead"))?.is_zero());
        let get = |name: &str| self.now.node(&format!("{name}_q"));
        let brought = ahead("replies")? | ahead("breaches")? | ahead("reports")?;
        let out = get("reports_wait")? & !brought;
        let accepted = |stream: &str| {
            let valid = self.design.outputs.node(&format!("m_axis_{stream}_tvalid"))?;
            Ok::<_, Error>(valid & self.design.inputs.node(&format!("m_axis_{stream}_tready"))?)
        };
        self.are(
            proof,
            "rule 16: a close is accepted behind the replies, breaches and reports before it",
            Signals::new()
                .with("front.out", out)
                .with("replies_fence.comes", self.wire("settle.reply_valid")?)
                .with("replies_fence.goes", accepted("reply")?)
                .with("replies_fence.waits", get("replies_wait")?)
                .with("breaches_fence.comes", self.wire("settle.breach")?)
                .with("breaches_fence.goes", accepted("breach")?)
                .with("breaches_fence.waits", get("replies_wait")?)
                .with("reports_fence.comes", self.wire("drain.report_valid")?)
                .with("reports_fence.goes", accepted("received")?)
                .with("reports_fence.waits", get("reports_wait")?),
        )?;
        let reset = self.design.inputs.node("rst")?;
        let waits = |name: &str, closes: &str| {
            let closes = self.wire(closes)?;
            let next = closes.when(closes | out, get(name)?);
            Ok::<_, Error>(Node::bit(false).when(reset, next))
        };
        let expected = Signals::new()
            .with("replies_wait_q", waits("replies_wait", "settle.closes")?)
            .with("reports_wait_q", waits("reports_wait", "drain.closed")?);
        proof.equal("from the clock on in which it comes there", &[], &expected, &self.next)?;
        Ok(())
    }

    /// Counters and their ports.
    fn counters(&self, proof: &mut Proof) -> Result<(), Error> {
        let (mut expected, mut actual) = (Signals::new(), self.next.clone());
        let reset = self.design.inputs.node("rst")?;
        let get = |name: &str| self.now.node(&format!("{name}.total_q"));
        let mut counts = |name: &str, stat: &str, more: Node| -> Result<(), Error> {
            let total = get(name)?;
            expected.insert(
                format!("{name}.total_q"),
                Node::lit(total.width(), 0).when(reset, total + more.widen(total.width())),
            );
            expected.insert(format!("stat_{stat}"), total);
            actual.insert(format!("stat_{stat}"), self.design.outputs.node(&format!("stat_{stat}"))?);
            Ok(())
        };
        for (name, stat, flag) in COUNTERS {
            counts(name, stat, self.wire(flag)?)?;
        }
        let bytes = self.wire("sides.out_word")?.slice(71, 14);
        counts("bytes", "bytes", bytes.when(self.wire("settle.placed")?, Node::lit(14, 0)))?;
        let input = |name: &str| self.design.inputs.node(&format!("s_axis_arrival_{name}"));
        let accepted = input("tvalid")? & self.design.outputs.node("s_axis_arrival_tready")?;
        let word = input("tdata")?;
        counts("marks", "marks", accepted & word.slice(26, 1) & word.slice(0, 2).is_zero())?;
        counts("received", "received", self.wire("drain.report_valid")?)?;
        proof.equal("packets, bytes, replies and marks are counted", &[], &expected, &actual)?;
        Ok(())
    }
}
