//! `weft_sack_tx` clock by clock: which events enter, which must wait, what stays during a stall, and how
//! outcomes and counters reach the ports.

use super::words::pack;
use crate::Error;
use crate::moves::{Moves, moving};
use weft_nic::block::sack_tx::{Kind, PUBLISHED_AFTER};
use weft_symbolic::{Design, Node, Proof, Signals};

/// The block.
pub struct Pipeline<'a> {
    design: &'a Design,
}

/// The counters.
const COUNTERS: [(&str, &str); 4] = [
    ("not_open", "stat_not_open_events"),
    ("never_sent", "stat_never_sent"),
    ("stale", "stat_stale"),
    ("refused", "stat_refused"),
];

/// The code of an event from outside.
fn kind(kind: Kind) -> Node {
    Node::lit(3, kind as u128)
}

impl<'a> Pipeline<'a> {
    /// Makes the proofs of `design`, which is `weft_sack_tx` with watched RAMs.
    pub fn new(design: &'a Design) -> Self {
        Self { design }
    }

    /// Proves all claims of the pipeline.
    pub fn prove(&self, proof: &mut Proof) -> Result<(), Error> {
        self.reset(proof)?;
        self.front(proof)?;
        self.drain(proof)?;
        self.view(proof)?;
        self.transport(proof)
    }

    /// Proves the claims about queries of software.
    fn view(&self, proof: &mut Proof) -> Result<(), Error> {
        let (now, next) = (self.design.registers(), self.design.next());
        let wire = |name: &str| self.design.wires.node(name);
        let (reset, known) = (self.design.inputs.node("rst")?, now.node("known_q")?);
        let asks = wire("views.raddr")?.equals(self.design.inputs.node("query")?) & wire("views.run")?;
        proof.claim("software's question reaches the words in every clock", &[], asks)?;
        let settled = wire("scanner.settled")? | known.slice(0, 1);
        let later = pack([settled, known.slice(0, 1), known.slice(1, 1)]);
        let expected = Signals::new().with("known_q", Node::lit(3, 0).when(reset, later));
        proof.equal("two clocks after the sweep the words are known", &[], &expected, &next)?;
        let word = wire("views.rdata")?;
        let shown = word.when(known.slice(2, 1), Node::lit(word.width(), 0));
        let tells = self.design.outputs.node("window_view")?.equals(shown);
        proof.claim("then they are the answer, and 0 before", &[], tells)?;
        Ok(())
    }

    fn reset(&self, proof: &mut Proof) -> Result<(), Error> {
        let (reset, next) = (self.design.inputs.node("rst")?, self.design.next());
        let now = self.design.registers();
        let mut start = Signals::new();
        let counters = COUNTERS.map(|(name, _)| format!("{name}.total_q"));
        let registers = [
            "front.sweep_q",
            "front.draining_q",
            "front.turn_q",
            "front.sends_q",
            "front.held_q",
            "front.s1_live_q",
            "front.s1_valid_q",
            "lives_q",
            "valids_q",
            "skid.offered_q",
        ];
        for name in registers.into_iter().chain(counters.iter().map(String::as_str)) {
            start.insert(name, Node::lit(now.node(name)?.width(), 0));
        }
        start.insert("front.sweeping_q", Node::bit(true));
        start.insert("skid.running_q", Node::bit(true));
        proof.equal(
            "reset leaves nothing in hand and begins the sweep at connection 0",
            &[reset],
            &start,
            &next,
        )?;
        Ok(())
    }

    /// Proves which event enters stage 1.
    fn front(&self, proof: &mut Proof) -> Result<(), Error> {
        let (now, next) = (self.design.registers(), self.design.next());
        let input = |name: &str| self.design.inputs.node(name);
        let wire = |name: &str| self.design.wires.node(name);
        let reset = input("rst")?;
        let (run, sweeping) = (now.node("skid.running_q")?, now.node("front.sweeping_q")?);
        let (sweep, draining) = (now.node("front.sweep_q")?, now.node("front.draining_q")?);
        let (turn, sends) = (now.node("front.turn_q")?, now.node("front.sends_q")?);
        let (waits, expired) = (now.node("scheduler.asked_q")?, now.node("scanner.asked_q")?);
        let asks = waits & !now.node("front.held_q")?;
        let calm = !sweeping & draining.is_zero();
        let own = calm & !turn & (asks | expired);
        let timed = expired & !(sends & asks);
        let ready = self.design.outputs.node("s_axis_event_tready")?;
        proof.claim(
            "ready if and only if it moves, the sweep is over, nothing has to be published first and no own event enters",
            &[],
            ready.equals(run & calm & !own),
        )?;
        let accepts = ready & input("s_axis_event_tvalid")?;
        let taken = wire("scanner.timed_out")?.equals(run & own & timed)
            & wire("scheduler.sent")?.equals(run & own & !timed)
            & self.design.outputs.node("sends")?.equals(run & own & !timed)
            & wire("scanner.settled")?.equals(calm);
        proof.claim("timers and packets take turns when both ask, and who enters is told", &[], taken)?;
        let (data, user) = (input("s_axis_event_tdata")?, input("s_axis_event_tuser")?);
        let control = accepts & (user.equals(kind(Kind::Open)) | user.equals(kind(Kind::Close)));
        let less = (draining - Node::lit(5, 1)).when(!draining.is_zero(), draining);
        let behind = Node::lit(5, PUBLISHED_AFTER as u128 - 1);
        let moved = [run, !reset];
        let expected = Signals::new()
            .with("front.sweeping_q", sweeping & !(!sweep).is_zero())
            .with("front.sweep_q", (sweep + Node::lit(sweep.width(), 1)).when(sweeping, sweep))
            .with("front.draining_q", behind.when(sweeping | control, less))
            .with("front.turn_q", own)
            .with("front.sends_q", timed.when(own, sends))
            .with("front.held_q", input("hold")?)
            .with("front.s1_live_q", sweeping | accepts | own)
            .with("front.s1_valid_q", accepts | own);
        proof.equal(
            "the sweep issues one close per move up to the last connection, then events as they come, and own \
             ones in every second clock at most",
            &moved,
            &expected,
            &next,
        )?;
        let (issued, id) = (next.node("front.s1_event_q")?, next.node("front.s1_id_q")?);
        let zero = Node::bit(false);
        let one = Node::bit(true);
        // The meaning of an event's words depends on its kind: each word has its own bits.
        let request = now.node("scheduler.asked_for_q")?;
        // The late part of a silence: its epoch.
        let silent = now.node("scanner.asked_late_q")?;
        let (second, time) = (data.slice(280, 26), input("now")?);
        let event = |sweep: Node, own: Node, code: Node, psn: Node, packets: Node, tag: Node| {
            let [ready, fresh, taken, more] = [0, 1, 2, 3].map(|bit| request.slice(bit, 1));
            pack([code, own, sweep, ready, fresh, taken, more, silent, psn, second, packets, tag, time])
        };
        let (offered_psn, offered_packets) = (data.slice(256, 24), data.slice(256, 16));
        let tag = data.slice(312, 32);
        let offered = event(zero, zero, user.widen(4), offered_psn, offered_packets, tag);
        let close = event(one, zero, kind(Kind::Close).widen(4), offered_psn, offered_packets, tag);
        let asked = |code: Node| {
            event(zero, one, code, request.slice(4, 24), request.slice(28, 16), Node::lit(32, 0))
        };
        proof.claim(
            "what the sweep issues are closes of the connection it is at",
            &[run, sweeping],
            issued.equals(close) & id.equals(sweep),
        )?;
        proof.claim(
            "what enters from outside is the event that was offered",
            &[accepts],
            issued.equals(offered)
                & id.equals(input("s_axis_event_tid")?)
                & next.node("front.s1_bitmap_q")?.equals(data.slice(0, 256)),
        )?;
        proof.claim(
            "what enters for a timer is what that asks for",
            &[run, timed, own],
            issued.equals(asked(now.node("scanner.asked_for_q")?))
                & id.equals(now.node("scanner.asked_id_q")?),
        )?;
        proof.claim(
            "what enters for the scheduler is its packet",
            &[run, own, !timed],
            issued.equals(asked(kind(Kind::Send).widen(4))) & id.equals(now.node("scheduler.asked_id_q")?),
        )?;
        Ok(())
    }

    /// Proves that no event enters behind an open, a close or the sweep until its result is published.
    fn drain(&self, proof: &mut Proof) -> Result<(), Error> {
        for (what, sweeping) in [("an open or a close", false), ("the last close of the sweep", true)] {
            let mut moves = Moves::new(self.design, &moving())?;
            moves.set("front.sweeping_q", 0, Node::bit(sweeping))?;
            // The value is all ones: the sweep is at its last connection.
            let sweep = self.design.registers().node("front.sweep_q")?;
            moves.set("front.sweep_q", 0, !Node::lit(sweep.width(), 0))?;
            // Timers and packets may make requests at any time.
            for clock in 0..=PUBLISHED_AFTER {
                for part in ["scheduler", "scanner"] {
                    let asks = Node::variable(&format!("@{clock}.{part} asks"), 1);
                    moves.set(&format!("{part}.asked_q"), clock, asks)?;
                }
            }
            let entered =
                Node::variable("@0.tx.s_axis_event_tvalid", 1) & moves.wire("s_axis_event_tready", 0)?;
            let kind = Node::variable("@0.tx.s_axis_event_tuser", 3).slice(1, 2);
            let control = entered & kind.equals(Node::lit(2, 2));
            let assumption = if sweeping { Node::bit(true) } else { control };
            let mut out = Vec::new();
            for stage in 2..=PUBLISHED_AFTER {
                out.push(!moves.at("front.s1_live_q", stage)?);
            }
            proof
                .satisfiable(&format!("{what} can enter"), &[assumption, moves.at("front.s1_live_q", 1)?])?;
            proof.claim(
                &format!("{what} is in stage 23, which publishes it, before anything else enters"),
                &[assumption],
                Node::all(out),
            )?;
            let first = moves.at("front.s1_live_q", PUBLISHED_AFTER + 1)?;
            proof
                .satisfiable(&format!("behind {what}, the next can enter just then"), &[assumption, first])?;
        }
        Ok(())
    }

    /// Proves that all state stays the same during a stall, and that outcomes are counted and leave by the
    /// ports.
    fn transport(&self, proof: &mut Proof) -> Result<(), Error> {
        let (now, next) = (self.design.registers(), self.design.next());
        let input = |name: &str| self.design.inputs.node(name);
        let output = |name: &str| self.design.outputs.node(name);
        let wire = |name: &str| self.design.wires.node(name);
        let (reset, run) = (input("rst")?, now.node("skid.running_q")?);
        let still = moving().with("skid.running_q", Node::bit(false));
        let kept = |signals: &Signals| -> Signals {
            let kept = signals.iter().filter(|(name, _)| {
                !["skid.", "slots.", "views.", "known_q"].iter().any(|part| name.starts_with(part))
            });
            kept.map(|(name, node)| (name.to_owned(), node)).collect()
        };
        proof.equal(
            "a stall changes nothing but the output and what software sees",
            &[],
            &kept(&now),
            &kept(&self.design.feed(&still)?.apply_to(&next)),
        )?;
        let (mut expected, mut actual) = (Signals::new(), Signals::new());
        for (name, port) in COUNTERS {
            let register = format!("{name}.total_q");
            let count = now.node(&register)?;
            let counts = wire(&format!("{name}.one"))?;
            proof.claim(
                &format!("{name} is counted, modulo 2^16"),
                &[!reset],
                next.node(&register)?.equals((count + Node::lit(16, 1)).when(counts, count)),
            )?;
            expected.insert(name, count);
            actual.insert(name, output(port)?);
        }
        let mut same = |name: &str, a: Node, b: Node| {
            expected.insert(name, a);
            actual.insert(name, b);
        };
        let outcome = output("m_axis_outcome_tid")?
            .cat(output("m_axis_outcome_tdata")?)
            .cat(output("m_axis_outcome_tuser")?);
        same("outcome out", wire("slots.first")?.cat(wire("skid.out_word")?), outcome);
        same("valid out", wire("skid.out_valid")?, output("m_axis_outcome_tvalid")?);
        same("ready in", input("m_axis_outcome_tready")?, wire("skid.out_ready")?);
        same("run", wire("skid.run")?, run);
        same("reset", reset, wire("skid.rst")?);
        same("slots' reset", reset, wire("slots.rst")?);
        same("put", run & wire("skid.in_valid")?, wire("slots.put")?);
        same("taken", wire("skid.out_valid")? & wire("skid.out_ready")?, wire("slots.take")?);
        same("RTO", input("cfg_rto")?, wire("scanner.rto")?);
        same("time", input("now")?, wire("scanner.now")?);
        proof.equal("queue, counters and scanner are wired to the ports", &[], &expected, &actual)?;
        Ok(())
    }
}
