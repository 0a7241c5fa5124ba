//! The joins of the dispatch with the transport, the lists and the queues behind it.

use crate::{Error, pack, wiring};
use weft_hdl::Module;
use weft_symbolic::{Design, Node, Proof, Signals, Yosys};

/// The block, in which modules are shells with ports.
const TOP: &str = "weft_sender";

/// Primitives and parts that the claims look into.
const PARTS: [&str; 2] = ["weft_fifo", "weft_ram_sdp"];

/// Reads `weft_sender` around shells.
pub fn design(yosys: &Yosys, modules: &[Module]) -> Result<Design, Error> {
    let top = modules.iter().find(|module| module.name == TOP);
    let top = top.ok_or_else(|| Error::Module(TOP.to_owned()))?;
    let inside: Vec<&str> = crate::alone::instances(modules, &top.text)
        .iter()
        .map(|found| found.module)
        .filter(|name| !PARTS.contains(name))
        .collect();
    wiring::around(yosys, modules, TOP, "sender", &inside)
}

/// The block around shells.
pub struct Ports<'a> {
    design: &'a Design,
}

impl<'a> Ports<'a> {
    /// `design` is that of [`design`].
    pub fn new(design: &'a Design) -> Self {
        Self { design }
    }

    fn wire(&self, name: &str) -> Result<Node, Error> {
        Ok(self.design.wires.node(name)?)
    }

    /// All claims.
    pub fn prove(&self, proof: &mut Proof) -> Result<(), Error> {
        let (now, next) = (self.design.registers(), self.design.next());
        let input = |name: &str| self.design.inputs.node(name);
        let few = |queue: &str, most: u128| {
            let level = self.wire(&format!("{queue}.level"))?;
            Ok::<_, Error>(level.less(Node::lit(level.width(), most)))
        };
        let room = few("entries", 16)? & few("news", 16)? & few("feedbacks", 16)? & few("failed", 8)?;
        let mut expected = Signals::new()
            .with("dispatch.rst", input("rst")?)
            .with("dispatch.sweeping", now.node("sweeping_q")?)
            .with("dispatch.sweep", now.node("sweep_q")?)
            .with("dispatch.now", input("now")?)
            .with("dispatch.idle", input("cfg_idle")?)
            .with("dispatch.trims", input("cfg_reps_trimming")?)
            .with("dispatch.room", room)
            .with("dispatch.outcome_valid", self.wire("sack_tx.m_axis_outcome_tvalid")?)
            .with("dispatch.outcome_id", self.wire("sack_tx.m_axis_outcome_tid")?)
            .with("dispatch.outcome_data", self.wire("sack_tx.m_axis_outcome_tdata")?)
            .with("dispatch.outcome_user", self.wire("sack_tx.m_axis_outcome_tuser")?)
            .with("sack_tx.m_axis_outcome_tready", self.wire("dispatch.outcome_ready")?)
            .with("dispatch.listing", self.wire("lists.listing")?)
            .with("lists.outcome", self.wire("dispatch.acked_one")?)
            .with("tally.facts", self.wire("dispatch.facts")?);
        let failure = pack([self.wire("dispatch.failed_denied")?, self.wire("dispatch.failed_id")?]);
        for (queue, valid, word) in [
            ("entries", "entry_valid", self.wire("dispatch.entry")?),
            ("news", "news_valid", self.wire("dispatch.news")?),
            ("feedbacks", "feedback_valid", self.wire("dispatch.feedback")?),
            ("failed", "failed_valid", failure),
        ] {
            expected.insert(format!("{queue}.in_valid"), self.wire(&format!("dispatch.{valid}"))?);
            expected.insert(format!("{queue}.in_word"), word);
            expected.insert(format!("{queue}.in_commit"), Node::bit(true));
            expected.insert(format!("{queue}.in_rollback"), Node::bit(false));
        }
        proof.equal(
            "outcomes enter while the queues have room for those under way, and their words go into the queues",
            &[],
            &expected,
            &self.design.wires,
        )?;
        let expected = Signals::new()
            .with("m_axis_passed_tvalid", self.wire("dispatch.passed_valid")?)
            .with("m_axis_passed_tid", self.wire("dispatch.passed_id")?)
            .with("m_axis_failed_tvalid", self.wire("failed.out_valid")?)
            .with("m_axis_failed_tid", self.wire("failed.out_word")?.slice(1, input("query")?.width()))
            .with("m_axis_failed_tuser", self.wire("failed.out_word")?.slice(0, 1));
        proof.equal("rules 22 and 23: ports have the reports", &[], &expected, &self.design.outputs)?;
        let (reset, sweep) = (input("rst")?, now.node("sweep_q")?);
        let (sweeping, last) = (now.node("sweeping_q")?, (!sweep).is_zero());
        let step = (sweep + Node::lit(sweep.width(), 1)).when(sweeping, sweep);
        let expected = Signals::new()
            .with("sweeping_q", reset | (sweeping & !last))
            .with("sweep_q", Node::lit(sweep.width(), 0).when(reset, step));
        proof.equal("rule 1: the sweep visits every connection once", &[], &expected, &next)?;
        Ok(())
    }
}
