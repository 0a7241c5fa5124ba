//! The peers of connections, closes, counters, resets and ports of `weft_ingress`.

use super::words::pack;
use crate::Error;
use weft_symbolic::{Design, Node, Proof, Signals};

/// Queues, their stream, and the fields of their words in turn.
const QUEUES: [(&str, &str, &[&str]); 4] = [
    ("arrivals", "arrival", &["tdata", "tid"]),
    ("payloads", "payload", &["tdata", "tkeep", "tlast"]),
    ("acknowledgements", "acknowledgement", &["tdata", "tid"]),
    ("bypass", "bypass", &["tdata", "tkeep", "tlast", "tuser"]),
];

/// Counters, and the end of their port's name if it differs.
const COUNTERS: [&str; 16] = [
    "data",
    "trims",
    "acks",
    "nacks",
    "probes",
    "bypassed",
    "mac_errors",
    "malformed",
    "checksum_errors",
    "icrc_errors",
    "unknown_connections",
    "wrong_peers",
    "wrong_vlans",
    "wrong_pkeys",
    "overflows",
    "bypass_overflows",
];

/// The block.
pub struct Ports<'a> {
    design: &'a Design,
    now: Signals,
    next: Signals,
    reset: Node,
}

impl<'a> Ports<'a> {
    /// `design` is `weft_ingress` with watched RAMs.
    pub fn new(design: &'a Design) -> Result<Self, Error> {
        let reset = design.inputs.node("rst")?;
        Ok(Self { design, now: design.registers(), next: design.next(), reset })
    }

    /// All claims.
    pub fn prove(&self, proof: &mut Proof) -> Result<(), Error> {
        self.resets(proof)?;
        self.peers(proof)?;
        self.closes(proof)?;
        self.wired(proof)
    }

    fn wire(&self, name: &str) -> Result<Node, Error> {
        Ok(self.design.wires.node(name)?)
    }

    fn resets(&self, proof: &mut Proof) -> Result<(), Error> {
        let mut start = Signals::new();
        for name in [
            "align.open_q",
            "align.s1_live_q",
            "align.s2_waits_q",
            "align.s3_live_q",
            "lives_q",
            "lasts_q",
            "pushes_q",
            "losing_q",
            "bypass_losing_q",
            "verdict.s17_q",
            "payload.s4_push_q",
            "payload.s5_push_q",
            "integrity.s4_live_q",
            "integrity.s5_live_q",
            "close.asked_q",
            "peers.sweep_q",
        ] {
            start.insert(name, Node::lit(self.now.node(name)?.width(), 0));
        }
        start.insert("peers.sweeping_q", Node::bit(true));
        proof.equal(
            "reset leaves no word in hand, and begins the sweep at connection 0",
            &[self.reset],
            &start,
            &self.next,
        )?;
        Ok(())
    }

    /// The table of peers. The claims watch one connection, which may be any.
    fn peers(&self, proof: &mut Proof) -> Result<(), Error> {
        let input = |name: &str| self.design.inputs.node(&format!("s_axis_peer_{name}"));
        let (sweeping, sweep) = (self.now.node("peers.sweeping_q")?, self.now.node("peers.sweep_q")?);
        let (valid, id, data) = (input("tvalid")?, input("tid")?, input("tdata")?);
        let field = |low, width| data.slice(low, width);
        let vlan = field(131, 12).when(field(130, 1), Node::lit(12, 0));
        let entry = pack([field(0, 1) & !sweeping, field(1, 1), field(2, 128), vlan, field(147, 16)]);
        let expected = Signals::new()
            .with("we", sweeping | valid)
            .with("waddr", sweep.when(sweeping, id))
            .with("wdata", entry);
        let actual = expected.twins(|name| self.wire(&format!("peers.peers.{name}")))?;
        proof.equal(
            "a word on s_axis_peer is written while it is offered, when the sweep is over; the sweep closes",
            &[],
            &expected,
            &actual,
        )?;
        let one = Node::lit(sweep.width(), 1);
        let expected = Signals::new()
            .with("peers.sweep_q", (sweep + one).when(sweeping, sweep))
            .with("peers.sweeping_q", sweeping & !(!sweep).is_zero())
            .with("peers.s2_sweeping_q", sweeping)
            .with("peers.s3_sweeping_q", self.now.node("peers.s2_sweeping_q")?);
        proof.equal("the sweep goes through all connections", &[!self.reset], &expected, &self.next)?;
        let address = self.wire("peers.peers.ram.address")?;
        let is_open =
            |registers: &Signals| Ok::<_, Error>(registers.node("peers.peers.ram.watched")?.slice(0, 1));
        let (before, after) = (is_open(&self.now)?, is_open(&self.next)?);
        let swept = address.less(sweep) & sweeping;
        let running = [!self.reset, sweeping, swept.implies(!before)];
        let still = self.next.node("peers.sweeping_q")?;
        let reached = address.less(self.next.node("peers.sweep_q")?) | !still;
        proof.claim(
            "no connection that the sweep has passed is open, and when it is over none is",
            &running,
            reached.implies(!after),
        )?;
        Ok(())
    }

    /// A word that closes waits for the fences. Each fence counts the words that its page names.
    fn closes(&self, proof: &mut Proof) -> Result<(), Error> {
        let get = |name: &str| self.now.node(&format!("close.{name}_q"));
        let wire = |name: &str| self.wire(name);
        let ahead = |fence: &str| Ok::<_, Error>(!self.wire(&format!("close.{fence}.ahead"))?.is_zero());
        let (asked, opens) = (get("asked")?, get("open")?);
        let decided = asked & !opens & !ahead("frames")?;
        let brought = ahead("arrivals")? | ahead("payloads")? | ahead("acknowledgements")?;
        let ready = (asked & opens) | (decided & !brought);
        let input = |name: &str| self.design.inputs.node(name);
        let output = |name: &str| self.design.outputs.node(name);
        let offered = input("s_axis_peer_tvalid")? & !self.now.node("peers.sweeping_q")?;
        let expected = Signals::new()
            .with("close.asked_q", offered & !ready)
            .with("close.open_q", input("s_axis_peer_tdata")?.slice(0, 1))
            .with("close.s18_judged_q", wire("close.judged")?)
            .with("close.s18_arrival_q", wire("close.arrival_in")?)
            .with("close.s18_payload_q", wire("close.payload_in")?)
            .with("close.s18_acknowledgement_q", wire("close.acknowledgement_in")?);
        proof.equal(
            "rule 12: a word is asked about until it is accepted",
            &[!self.reset],
            &expected,
            &self.next,
        )?;
        let accepted = |stream: &str| {
            Ok::<_, Error>(
                output(&format!("m_axis_{stream}_tvalid"))? & input(&format!("m_axis_{stream}_tready"))?,
            )
        };
        let paid = accepted("payload")? & output("m_axis_payload_tlast")?;
        let looked_up = self.now.node("lasts_q")?.slice(0, 1);
        let (mut expected, mut actual) = (Signals::new(), Signals::new());
        let mut is = |name: &str, value: Node| {
            expected.insert(name, value);
            actual.insert(name, self.wire(name)?);
            Ok::<_, Error>(())
        };
        for (fence, comes, goes, waits) in [
            ("frames", looked_up, get("s18_judged")?, asked & !opens),
            ("arrivals", get("s18_arrival")?, accepted("arrival")?, decided),
            ("payloads", get("s18_payload")?, paid, decided),
            ("acknowledgements", get("s18_acknowledgement")?, accepted("acknowledgement")?, decided),
        ] {
            is(&format!("close.{fence}.comes"), comes)?;
            is(&format!("close.{fence}.goes"), goes)?;
            is(&format!("close.{fence}.waits"), waits)?;
        }
        expected.insert("ready", ready);
        actual.insert("ready", output("s_axis_peer_tready")?);
        proof.equal(
            "rules 12 and 13: an open is accepted at once, a close behind the frames before it and all that they brought",
            &[],
            &expected,
            &actual,
        )?;
        Ok(())
    }

    /// Queues and counters reach the ports, and the marks of words go from stage to stage.
    fn wired(&self, proof: &mut Proof) -> Result<(), Error> {
        let output = |name: &str| self.design.outputs.node(name);
        let (mut expected, mut actual) = (Signals::new(), Signals::new());
        for (queue, stream, fields) in QUEUES {
            let port = |name: &str| format!("m_axis_{stream}_{name}");
            let word = fields.iter().map(|field| output(&port(field))).collect::<Result<Vec<_>, _>>()?;
            let word = pack(word);
            expected.insert(port("word"), self.wire(&format!("{queue}.out_word"))?.slice(0, word.width()));
            actual.insert(port("word"), word);
            expected.insert(port("tvalid"), self.wire(&format!("{queue}.out_valid"))?);
            actual.insert(port("tvalid"), output(&port("tvalid"))?);
            expected.insert(port("tready"), self.design.inputs.node(&port("tready"))?);
            actual.insert(port("tready"), self.wire(&format!("{queue}.out_ready"))?);
        }
        for name in COUNTERS {
            expected.insert(name, self.now.node(&format!("{name}.total_q"))?);
            actual.insert(name, output(&format!("stat_{name}"))?);
        }
        proof.equal("queues and counters are wired to the ports", &[], &expected, &actual)?;
        let moves = self.wire("integrity.icrc.next_run")?;
        proof.claim("the CRC moves in every clock", &[], moves)?;
        let mut expected = Signals::new();
        for name in COUNTERS {
            let total = self.now.node(&format!("{name}.total_q"))?;
            let more = total + Node::lit(16, 1);
            expected.insert(format!("{name}.total_q"), more.when(self.wire(&format!("{name}.one"))?, total));
        }
        for (line, enters) in [
            ("lives", self.now.node("align.s3_live_q")?),
            ("lasts", self.now.node("align.s3_live_q")? & self.now.node("align.s3_q")?.slice(576, 1)),
            ("pushes", self.now.node("payload.s5_push_q")?),
        ] {
            let marks = self.now.node(&format!("{line}_q"))?;
            expected.insert(format!("{line}_q"), marks.slice(0, marks.width() - 1).cat(enters));
        }
        proof.equal(
            "counters count modulo 2^16, and marks of words go on by a stage per clock",
            &[!self.reset],
            &expected,
            &self.next,
        )?;
        Ok(())
    }
}
