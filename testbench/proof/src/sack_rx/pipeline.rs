//! `weft_sack_rx` clock by clock: which events enter, which must wait, what stays during a stall, and how
//! outcomes and counters reach the ports.

use super::words::{any_stimulus, event, outcome};
use crate::Error;
use crate::moves::{Moves, moving};
use weft_nic::block::sack_rx::{Kind, PUBLISHED_AFTER};
use weft_symbolic::{Design, Node, Proof, Signals, Substitution};

/// The block, whose numbers of messages have `N` bits.
pub struct Pipeline<'a, const N: usize> {
    design: &'a Design,
}

impl<'a, const N: usize> Pipeline<'a, N> {
    /// `design` is `weft_sack_rx` with watched RAMs.
    pub fn new(design: &'a Design) -> Self {
        Self { design }
    }

    /// All claims of the pipeline.
    pub fn prove(&self, proof: &mut Proof) -> Result<(), Error> {
        self.reset(proof)?;
        self.front(proof)?;
        self.drain(proof)?;
        self.transport(proof)
    }

    fn reset(&self, proof: &mut Proof) -> Result<(), Error> {
        let (reset, next) = (self.design.inputs.node("rst")?, self.design.next());
        let now = self.design.registers();
        let mut start = Signals::new();
        for name in [
            "front.sweep_q",
            "front.draining_q",
            "front.s1_live_q",
            "front.s1_valid_q",
            "window.lives_q",
            "valids_q",
            "skid.offered_q",
            "not_open.total_q",
            "duplicates.total_q",
            "outside.total_q",
        ] {
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

    /// The claims of the event that enters stage 1.
    fn front(&self, proof: &mut Proof) -> Result<(), Error> {
        let (now, next) = (self.design.registers(), self.design.next());
        let input = |name: &str| self.design.inputs.node(name);
        let reset = input("rst")?;
        let (run, sweeping) = (now.node("skid.running_q")?, now.node("front.sweeping_q")?);
        let (sweep, draining) = (now.node("front.sweep_q")?, now.node("front.draining_q")?);
        let ready = self.design.outputs.node("s_axis_event_tready")?;
        proof.claim(
            "ready if and only if it moves, the sweep is over and nothing has to be published first",
            &[],
            ready.equals(run & !sweeping & draining.is_zero()),
        )?;
        let accepts = ready & input("s_axis_event_tvalid")?;
        let (data, user) = (input("s_axis_event_tdata")?, input("s_axis_event_tuser")?);
        let kind = user.slice(0, 3);
        let is = |kind_of: Kind| kind.equals(Node::lit(3, kind_of as u128));
        let control = accepts & (is(Kind::Open) | is(Kind::Close));
        let less = (draining - Node::lit(5, 1)).when(!draining.is_zero(), draining);
        let behind = Node::lit(5, PUBLISHED_AFTER as u128 - 1);
        let moved = [run, !reset];
        let expected = Signals::new()
            .with("front.sweeping_q", sweeping & !(!sweep).is_zero())
            .with("front.sweep_q", (sweep + Node::lit(sweep.width(), 1)).when(sweeping, sweep))
            .with("front.draining_q", behind.when(sweeping | control, less))
            .with("front.s1_live_q", sweeping | accepts)
            .with("front.s1_valid_q", accepts);
        proof.equal(
            "the sweep issues one close per move up to the last connection, then events as they come",
            &moved,
            &expected,
            &next,
        )?;
        let issued = next.node("front.s1_event_q")?;
        let close = issued.slice(0, 3).equals(Node::lit(3, Kind::Close as u128))
            & next.node("front.s1_id_q")?.equals(sweep);
        proof.claim(
            "what the sweep issues are closes of the connection it is at",
            &[run, sweeping],
            close,
        )?;
        let stimulus = any_stimulus();
        let mut ports = Substitution::new();
        for (word, port) in [
            (stimulus.kind.node(), kind),
            (stimulus.ce.node(), user.slice(3, 1)),
            (stimulus.request.node(), user.slice(4, 1)),
            (stimulus.last.node(), user.slice(5, 1)),
            (stimulus.psn.node(), data.slice(0, 24)),
            (stimulus.bytes.node(), data.slice(24, 16)),
        ] {
            ports.replace(word, port);
        }
        let offered = ports.apply([event(&stimulus, data.slice(40, 32))])[0];
        proof.claim(
            "what enters is the event that was offered",
            &[accepts],
            issued.equals(offered) & next.node("front.s1_id_q")?.equals(input("s_axis_event_tid")?),
        )?;
        Ok(())
    }

    /// After an open, a close or the sweep no event enters until that is published.
    fn drain(&self, proof: &mut Proof) -> Result<(), Error> {
        for (what, sweeping) in [("an open or a close", false), ("the last close of the sweep", true)] {
            let mut moves = Moves::new(self.design, &moving())?;
            moves.set("front.sweeping_q", 0, Node::bit(sweeping))?;
            // The value is all ones: the sweep is at its last connection.
            let sweep = self.design.registers().node("front.sweep_q")?;
            moves.set("front.sweep_q", 0, !Node::lit(sweep.width(), 0))?;
            let entered =
                Node::variable("@0.rx.s_axis_event_tvalid", 1) & moves.wire("s_axis_event_tready", 0)?;
            let kind = Node::variable("@0.rx.s_axis_event_tuser", 6).slice(1, 2);
            let control = entered & kind.equals(Node::lit(2, 2));
            let assumption = if sweeping { Node::bit(true) } else { control };
            let mut out = Vec::new();
            for stage in 2..=PUBLISHED_AFTER {
                out.push(!moves.at("front.s1_live_q", stage)?);
            }
            proof
                .satisfiable(&format!("{what} can enter"), &[assumption, moves.at("front.s1_live_q", 1)?])?;
            proof.claim(
                &format!("{what} is in stage 22, which publishes it, before anything else enters"),
                &[assumption],
                Node::all(out),
            )?;
            let first = moves.at("front.s1_live_q", PUBLISHED_AFTER + 1)?;
            proof
                .satisfiable(&format!("behind {what}, the next can enter just then"), &[assumption, first])?;
        }
        Ok(())
    }

    /// During a stall all state stays the same; outcomes are counted and leave by the ports.
    fn transport(&self, proof: &mut Proof) -> Result<(), Error> {
        let (now, next) = (self.design.registers(), self.design.next());
        let input = |name: &str| self.design.inputs.node(name);
        let output = |name: &str| self.design.outputs.node(name);
        let wire = |name: &str| self.design.wires.node(name);
        let (reset, run) = (input("rst")?, now.node("skid.running_q")?);
        let still = moving().with("skid.running_q", Node::bit(false));
        let kept = |signals: &Signals| -> Signals {
            let kept = signals
                .iter()
                .filter(|(name, _)| !["skid.", "slots."].iter().any(|part| name.starts_with(part)));
            kept.map(|(name, node)| (name.to_owned(), node)).collect()
        };
        proof.equal(
            "a stall changes nothing but the output",
            &[],
            &kept(&now),
            &kept(&self.design.feed(&still)?.apply_to(&next)),
        )?;
        for name in ["not_open", "duplicates", "outside"] {
            let count = now.node(&format!("{name}.total_q"))?;
            let counts = wire(&format!("{name}.one"))?;
            proof.claim(
                &format!("{name} is counted, modulo 2^16"),
                &[!reset],
                next.node(&format!("{name}.total_q"))?.equals((count + Node::lit(16, 1)).when(counts, count)),
            )?;
        }
        let (mut expected, mut actual) = (Signals::new(), Signals::new());
        let mut same = |name: &str, a: Node, b: Node| {
            expected.insert(name, a);
            actual.insert(name, b);
        };
        let out = output("m_axis_outcome_tid")?
            .cat(output("m_axis_outcome_tdata")?)
            .cat(output("m_axis_outcome_tuser")?);
        same("outcome out", outcome::<N>(wire("slots.first")?, wire("skid.out_word")?), out);
        same("valid out", wire("skid.out_valid")?, output("m_axis_outcome_tvalid")?);
        same("ready in", input("m_axis_outcome_tready")?, wire("skid.out_ready")?);
        same("run", wire("skid.run")?, run);
        same("reset", reset, wire("skid.rst")?);
        same("slots' reset", reset, wire("slots.rst")?);
        same("put", run & wire("skid.in_valid")?, wire("slots.put")?);
        same("taken", wire("skid.out_valid")? & wire("skid.out_ready")?, wire("slots.take")?);
        same("not open", now.node("not_open.total_q")?, output("stat_not_open_events")?);
        same("duplicates", now.node("duplicates.total_q")?, output("stat_duplicates")?);
        same("outside", now.node("outside.total_q")?, output("stat_outside")?);
        proof.equal("queue and counters are wired to the ports", &[], &expected, &actual)?;
        Ok(())
    }
}
