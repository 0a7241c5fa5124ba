//! `weft_smartt` as a whole, with its RAMs watched at one address: the events of any one connection in the
//! pipeline, and the state that each of them finds.

use super::words::{any_stimulus, event, state};
use crate::Error;
use crate::paced::{Found, Invariant, Paced, View};
use weft_nic::block::smartt::SPACING;
use weft_symbolic::{Design, Node, Proof, SignalError, State, Substitution};

/// The stage that has the early part of a state.
const EARLY: usize = 28;
/// The stage that computes the rest of the state. The next two stages store it until the RAM can be read.
const LAST: usize = 48;
/// The stage before the one that reads the state.
const TAKES: usize = 24;
/// The last stage that can contain the state that an event needs: two beyond [`LAST`].
const END: usize = LAST + 2;

/// The block and the watched connection.
pub struct Pipeline {
    design: Design,
    connection: Node,
}

/// The distance to the connection's last event, in the RTL's code: 24 (1), 25 (2), 26 (3) stages ahead.
fn near(view: &View<'_>, stage: usize) -> Found<Node> {
    match stage {
        1 => view.get("front.s1_near_q"),
        _ => view.get(&format!("window.near.g_clock[{}].word", stage - 2)),
    }
}

impl Pipeline {
    /// Makes the proofs of `design`, which is `weft_smartt` with watched RAMs.
    pub fn new(mut design: Design) -> Result<Self, Error> {
        let connection = design.wires.node("window.late.address")?;
        // Both RAMs are watched at the same connection.
        let (early, mut same) = (design.wires.node("window.early.address")?, Substitution::new());
        same.replace(early, connection);
        design.states.retain(|_, state| state.node != early);
        design.wires = same.apply_to(&design.wires);
        for state in design.states.values_mut() {
            state.next = same.apply([state.next])[0];
        }
        let mut ghosts = Vec::new();
        let (now, reset) = (design.registers(), design.inputs.node("rst")?);
        let run = now.node("skid.running_q")?;
        // A ghost that the RTL does not need: the connection in stage 48 one and two moves ago.
        for (stage, name, from) in [
            (LAST + 1, "live", now.node("window.live_q")?.slice(LAST - 2, 1)),
            (LAST + 1, "id", now.node(&Self::id_in(LAST))?),
            (END, "live", Node::variable(&format!("ghost.s{}_live", LAST + 1), 1)),
            (END, "id", Node::variable(&format!("ghost.s{}_id", LAST + 1), connection.width())),
        ] {
            let name = format!("ghost.s{stage}_{name}");
            let node = Node::variable(&name, from.width());
            let next = from.when(run, node);
            let next = if from.width() == 1 { next & !reset } else { next };
            ghosts.push((name, State { node, init: None, next }));
        }
        design.states.extend(ghosts);
        Ok(Self { design, connection })
    }

    /// The early part of the state that the last event of the watched connection to pass stage 27 has left.
    fn left_early(&self, view: &View<'_>) -> Found<Node> {
        Ok(view.get("window.early28_q")?.when(self.ours(view, EARLY)?, view.get("window.early.watched")?))
    }

    /// The rest of the state of the watched connection after its last event that passed stage 47.
    fn left_late(&self, view: &View<'_>) -> Found<Node> {
        Ok(view.get("window.state48_q")?.when(self.ours(view, LAST)?, view.get("window.late.watched")?))
    }
}

impl Paced for Pipeline {
    const SPACING: usize = SPACING;
    const RECENT: usize = SPACING + 1;
    const LAST: usize = LAST;
    const END: usize = END;
    const ACCEPTED: &'static str = "window.accepted48_q";

    fn design(&self) -> &Design {
        &self.design
    }

    fn connection(&self) -> Node {
        self.connection
    }

    fn id_in(stage: usize) -> String {
        match stage {
            2..=22 => format!("window.read_id.g_clock[{}].word", stage - 2),
            23..=EARLY => format!("window.early_id.g_clock[{}].word", stage - 23),
            29..=LAST => format!("window.late_id.g_clock[{}].word", stage - 29),
            _ => format!("ghost.s{stage}_id"),
        }
    }

    fn offered(&self) -> Found<Node> {
        let stimulus = any_stimulus();
        let input = |name: &str| self.design.inputs.node(name);
        let (data, user) = (input("s_axis_event_tdata")?, input("s_axis_event_tuser")?);
        let mut ports = Substitution::new();
        for (word, port) in [
            (stimulus.kind.node(), user.slice(0, 3)),
            (stimulus.ecn.node(), user.slice(3, 1)),
            (stimulus.packets.node(), user.slice(6, 4)),
            (stimulus.bytes.node(), data.slice(0, 24)),
            (stimulus.in_flight.node(), data.slice(40, 32)),
            (stimulus.now.node(), input("now")?),
        ] {
            ports.replace(word, port);
        }
        Ok(ports.apply([event(&stimulus, user.slice(4, 2))])[0])
    }

    fn own(&self, view: &View<'_>) -> Found<Invariant> {
        let ours = (1..=END).map(|stage| self.ours(view, stage)).collect::<Found<Vec<_>>>()?;
        let ours = |stage: usize| ours[stage - 1];
        let (early, late) = (view.get("window.early.watched")?, view.get("window.late.watched")?);
        let mut marks = Vec::new();
        for stage in 1..=TAKES {
            let near = near(view, stage)?;
            for i in 0..3 {
                let is_near = near.equals(Node::lit(2, i as u128 + 1));
                let marked = is_near.equals(ours(stage + SPACING + i));
                marks.push((ours(stage) & self.valid(view, stage)?).implies(marked));
            }
        }

        let reads = |stage: usize| Ok::<_, SignalError>(ours(stage) & self.valid(view, stage)?);
        let alone = |stage: usize| Ok::<_, SignalError>(reads(stage)? & near(view, stage)?.is_zero());
        let read = alone(23)?.implies(view.get("window.late.word")?.equals(late))
            & alone(24)?.implies(view.get("window.late.g_out.out")?.equals(late))
            & reads(23)?.implies(view.get("window.early.word")?.equals(early))
            & reads(24)?.implies(view.get("window.early.g_out.out")?.equals(early));
        let written = ours(LAST + 1).implies(view.get("window.state49_q")?.equals(late))
            & ours(END).implies(view.get("window.state50_q")?.equals(late));
        let marked = "events know whether one of their connection is 24, 25 or 26 moves ahead";
        Ok(vec![
            (marked.into(), Node::all(marks)),
            ("the last states written are those in the RAM".into(), written),
            ("the state read is the one in the RAM, or an event ahead has it".into(), read),
        ])
    }

    /// Each event of a connection reads the state that the previous event has left.
    fn states(&self, proof: &mut Proof) -> Result<(), Error> {
        let (now, next) = (self.design.registers(), self.design.next());
        let (view, after) = (View(&now), View(&next));
        let reset = self.design.inputs.node("rst")?;
        let run = view.get("skid.running_q")?;
        let running = [&self.all(&now)?[..], &[!reset]].concat();
        let takes = run & self.ours(&view, TAKES)? & self.valid(&view, TAKES)?;
        proof.claim(
            "stage 25 takes the state that the last older event of its connection has left",
            &[&running[..], &[takes]].concat(),
            after.get("window.state_q")?.equals(state(self.left_early(&view)?, self.left_late(&view)?)),
        )?;
        proof.claim(
            "there is no older event of its connection that has not left one",
            &[&running[..], &[takes]].concat(),
            !self.any_ours(&view, TAKES + 1..LAST)?,
        )?;
        let early_arrives = run & self.ours(&view, EARLY - 1)?;
        let late_arrives = run & self.ours(&view, LAST - 1)?;
        let (early_after, late_after) = (self.left_early(&after)?, self.left_late(&after)?);
        proof.claim(
            "an event in stage 28 leaves the early part of the state there, in stage 48 the rest",
            &running,
            early_arrives.implies(early_after.equals(after.get("window.early28_q")?))
                & late_arrives.implies(late_after.equals(after.get("window.state48_q")?)),
        )?;
        proof.claim(
            "nothing else changes a connection's state: no other connection's event, no stall, no bubble",
            &running,
            (!early_arrives).implies(early_after.equals(self.left_early(&view)?))
                & (!late_arrives).implies(late_after.equals(self.left_late(&view)?)),
        )?;
        Ok(())
    }
}
