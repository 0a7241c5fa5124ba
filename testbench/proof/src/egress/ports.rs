//! The peers of connections, when a word for them is accepted, counters, resets and ports of `weft_egress`.

use super::words::{order, reply};
use crate::{Error, ports};
use weft_symbolic::{Design, Node, Proof, Signals};

/// Counters of frames.
const COUNTERS: [&str; 6] =
    ["data_frames", "ack_frames", "nack_frames", "bypass_frames", "read_errors", "bypass_overflows"];

/// Registers that reset clears.
const ZEROS: [&str; 29] = [
    "sweep",
    "writes",
    "beats.valids",
    "change.s1_reply",
    "change.s1_order",
    "change.s1_frame",
    "change.asked",
    "choice.order_turn",
    "choice.busy",
    "choice.s2_valid",
    "choice.s2_pulls",
    "header.s1_reply",
    "header.s1_order",
    "header.s1_begins",
    "orders.bytes",
    "orders.sized",
    "orders.waits",
    "orders.lookup.valids",
    "orders.lookup.s2_again",
    "others.stored",
    "others.ended",
    "others.waiting",
    "others.waits",
    "reads.stored",
    "reads.torn",
    "replies.waits",
    "replies.lookup.valids",
    "replies.lookup.s2_again",
    "data_bytes.total",
];

/// The block.
pub struct Ports<'a> {
    design: &'a Design,
    now: Signals,
    next: Signals,
    reset: Node,
}

impl<'a> Ports<'a> {
    /// `design` is `weft_egress` with watched RAMs and one enable.
    pub fn new(design: &'a Design) -> Result<Self, Error> {
        let reset = design.inputs.node("rst")?;
        Ok(Self { design, now: design.registers(), next: design.next(), reset })
    }

    /// All claims.
    pub fn prove(&self, proof: &mut Proof) -> Result<(), Error> {
        self.resets(proof)?;
        self.peers(proof)?;
        self.changes(proof)?;
        self.counters(proof)
    }

    fn wire(&self, name: &str) -> Result<Node, Error> {
        Ok(self.design.wires.node(name)?)
    }

    fn get(&self, register: &str) -> Result<Node, Error> {
        Ok(self.now.node(&format!("{register}_q"))?)
    }

    fn resets(&self, proof: &mut Proof) -> Result<(), Error> {
        let mut start = Signals::new();
        for name in ZEROS {
            start.insert(format!("{name}_q"), Node::lit(self.get(name)?.width(), 0));
        }
        start.insert("sweeping_q", Node::bit(true));
        proof.equal(
            "reset leaves no word in hand, and begins the sweep at connection 0",
            &[self.reset],
            &start,
            &self.next,
        )?;
        // Queues and look-ups are included.
        ports::reset(self.design, &[], proof)
    }

    /// The table of peers.
    fn peers(&self, proof: &mut Proof) -> Result<(), Error> {
        let input = |name: &str| self.design.inputs.node(&format!("s_axis_peer_{name}"));
        let (sweeping, sweep) = (self.get("sweeping")?, self.get("sweep")?);
        let (data, id) = (input("tdata")?, input("tid")?);
        let accepts = input("tvalid")? & self.design.outputs.node("s_axis_peer_tready")?;
        let one = Node::lit(sweep.width(), 1);
        let expected = Signals::new()
            .with("sweep_q", (sweep + one).when(sweeping, sweep))
            .with("sweeping_q", sweeping & !(!sweep).is_zero())
            .with("writes_q", sweeping | accepts)
            .with("write_id_q", sweep.when(sweeping, id))
            .with("written_q", Node::lit(234, 0).when(sweeping, data));
        proof.equal(
            "rules 1 and 10: the sweep makes every peer 0; then a word that is accepted is written a clock later",
            &[!self.reset],
            &expected,
            &self.next,
        )?;
        let (mut expected, mut actual) = (Signals::new(), Signals::new());
        for part in ["replies", "orders"] {
            for (port, register) in [("we", "writes"), ("waddr", "write_id"), ("wdata", "written")] {
                let name = format!("{part}.lookup.{port}");
                actual.insert(name.clone(), self.wire(&name)?);
                expected.insert(name, self.get(register)?);
            }
        }
        proof.equal("into the tables of both, replies and orders", &[], &expected, &actual)?;
        let line = |registers: &Signals| -> Result<Node, Error> {
            let get = |name: &str| registers.node(&format!("{name}_q"));
            let empty = get("replies.lookup.valids")?.is_zero() & get("orders.lookup.valids")?.is_zero();
            let wait = get("queue")?.is_zero();
            Ok(Node::all([
                get("writes")?.implies(!get("change.asked")?),
                get("sweeping")?.implies(empty & wait),
            ]))
        };
        let empty = |registers: &Signals| -> Result<Signals, Error> {
            let held = registers.node("orders.queue.read_q")? | registers.node("orders.queue.offered_q")?;
            let level = registers.node("orders.queue.written_q")?;
            let none = held.cat(level).cat(registers.node("orders.queue.fetched_q")?);
            let none = none.cat(registers.node("orders.queue.committed_q")?);
            Ok(registers.clone().with("queue_q", none))
        };
        let (before, after) = (line(&empty(&self.now)?)?, line(&empty(&self.next)?)?);
        proof.claim("during the sweep no word is inside: behind reset", &[self.reset], after)?;
        proof.claim(
            "during the sweep no word is inside: and every clock keeps it",
            &[before, !self.reset],
            after,
        )?;
        let again =
            self.next.node("replies.lookup.s2_again_q")? | self.next.node("orders.lookup.s2_again_q")?;
        let writes = self.next.node("writes_q")?;
        proof.claim(
            "no peer is written in the clock in which one is read again",
            &[before, !self.reset],
            !(again & writes),
        )?;
        Ok(())
    }

    /// Rules 10 and 11.
    fn changes(&self, proof: &mut Proof) -> Result<(), Error> {
        let get = |name: &str| self.get(&format!("change.{name}"));
        let ahead = |fence: &str| Ok::<_, Error>(!self.wire(&format!("change.{fence}.ahead"))?.is_zero());
        let asked = get("asked")?;
        let begun = asked & !ahead("replies")? & !ahead("orders")?;
        let ready = begun & !ahead("frames")?;
        let input = |name: &str| self.design.inputs.node(name);
        let output = |name: &str| self.design.outputs.node(name);
        let swept = !self.get("sweeping")?;
        let taken = |what: &str| self.wire(&format!("choice.{what}_taken"));
        let (reply, order, other) = (taken("reply")?, taken("order")?, taken("other")?);
        let begins = reply | other | (order & !self.wire("orders.drop")?);
        let expected = Signals::new()
            .with("change.asked_q", input("s_axis_peer_tvalid")? & swept & !ready)
            .with("change.s1_reply_q", reply)
            .with("change.s1_order_q", order)
            .with("change.s1_frame_q", begins);
        proof.equal(
            "rule 10: a word is asked about until it is accepted",
            &[!self.reset],
            &expected,
            &self.next,
        )?;
        let accepted = |stream: &str| {
            let port = |end: &str| format!("s_axis_{stream}_{end}");
            Ok::<_, Error>(input(&port("tvalid"))? & output(&port("tready"))?)
        };
        let sent = output("m_axis_net_tvalid")? & input("m_axis_net_tready")? & output("m_axis_net_tlast")?;
        let (mut expected, mut actual) = (Signals::new(), Signals::new());
        let mut is = |name: &str, value: Node| {
            expected.insert(name, value);
            actual.insert(name, self.wire(name)?);
            Ok::<_, Error>(())
        };
        for (fence, comes, goes, waits) in [
            ("replies", accepted("reply")?, get("s1_reply")?, asked),
            ("orders", accepted("order")?, get("s1_order")?, asked),
            ("frames", get("s1_frame")?, sent, begun),
        ] {
            is(&format!("change.{fence}.comes"), comes)?;
            is(&format!("change.{fence}.goes"), goes)?;
            is(&format!("change.{fence}.waits"), waits)?;
        }
        expected.insert("ready", ready);
        actual.insert("ready", output("s_axis_peer_tready")?);
        proof.equal(
            "rules 10 and 11: a word is accepted behind the replies, orders and frames before it",
            &[],
            &expected,
            &actual,
        )?;
        Ok(())
    }

    /// The counters and their ports.
    fn counters(&self, proof: &mut Proof) -> Result<(), Error> {
        let taken = |what: &str| self.wire(&format!("choice.{what}_taken"));
        let (answers, orders) = (taken("reply")?, taken("order")?);
        let nack = reply(self.get("replies.waiting_reply")?).nack.node();
        let sends = orders & !self.wire("orders.drop")?;
        let expected = Signals::new()
            .with("data_frames.one", sends)
            .with("ack_frames.one", answers & !nack)
            .with("nack_frames.one", answers & nack)
            .with("bypass_frames.one", taken("other")?)
            .with("read_errors.one", orders & self.get("orders.waiting_wrong")?)
            .with("data_bytes.add", sends)
            .with("data_bytes.amount", order(self.get("orders.waiting")?).bytes.node());
        proof.equal("each frame is counted when it begins", &[], &expected, &self.design.wires)?;
        let (mut expected, mut actual) = (Signals::new(), self.next.clone());
        for name in COUNTERS {
            let total = self.get(&format!("{name}.total"))?;
            let more = (total + Node::lit(16, 1)).when(self.wire(&format!("{name}.one"))?, total);
            expected.insert(format!("{name}.total_q"), Node::lit(16, 0).when(self.reset, more));
            expected.insert(format!("stat_{name}"), total);
            actual.insert(format!("stat_{name}"), self.design.outputs.node(&format!("stat_{name}"))?);
        }
        let total = self.get("data_bytes.total")?;
        let more = total + self.wire("data_bytes.amount")?.widen(24);
        let more = more.when(self.wire("data_bytes.add")?, total);
        expected.insert("data_bytes.total_q", Node::lit(24, 0).when(self.reset, more));
        expected.insert("stat_data_bytes", total);
        actual.insert("stat_data_bytes", self.design.outputs.node("stat_data_bytes")?);
        proof.equal("counters count modulo 2^16, bytes modulo 2^24", &[], &expected, &actual)?;
        Ok(())
    }
}
