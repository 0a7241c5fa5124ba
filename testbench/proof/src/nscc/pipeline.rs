//! `weft_nscc` as a whole, with its RAM watched at one address: the events of any one connection in the
//! pipeline, and the state that each of them finds. Two events of the connection are so far apart that the
//! state is in the RAM.

use super::words::{any_stimulus, event};
use crate::Error;
use crate::paced::{Found, Invariant, Paced, View};
use weft_nic::block::nscc::SPACING;
use weft_symbolic::{Design, Node, Proof, Substitution};

/// The stage that computes the state.
const LAST: usize = 51;
/// The stage that reads the RAM.
const READS: usize = 10;
/// The stage before the one that reads the state.
const TAKES: usize = 12;

/// The block and the watched connection.
pub struct Pipeline {
    design: Design,
    connection: Node,
}

impl Pipeline {
    /// `design` is `weft_nscc` with a watched RAM.
    pub fn new(design: Design) -> Result<Self, Error> {
        let connection = design.wires.node("window.ram.address")?;
        Ok(Self { design, connection })
    }

    /// The state after the last event of the watched connection that has passed stage 50.
    fn left(&self, view: &View<'_>) -> Found<Node> {
        Ok(view.get("window.state51_q")?.when(self.ours(view, LAST)?, view.get("window.ram.watched")?))
    }
}

impl Paced for Pipeline {
    const SPACING: usize = SPACING;
    const RECENT: usize = SPACING - 2;
    const LAST: usize = LAST;
    const END: usize = LAST;
    const ACCEPTED: &'static str = "window.accepted51_q";

    fn design(&self) -> &Design {
        &self.design
    }

    fn connection(&self) -> Node {
        self.connection
    }

    fn id_in(stage: usize) -> String {
        match stage {
            2..=READS => format!("window.read_id.g_clock[{}].word", stage - 2),
            _ => format!("window.write_id.g_clock[{}].word", stage - READS - 1),
        }
    }

    fn offered(&self) -> Found<Node> {
        let stimulus = any_stimulus();
        let input = |name: &str| self.design.inputs.node(name);
        let (data, user, now) = (input("s_axis_event_tdata")?, input("s_axis_event_tuser")?, input("now")?);
        let mut ports = Substitution::new();
        ports.replace(stimulus.kind.node(), user.slice(0, 3));
        ports.replace(stimulus.ecn.node(), user.slice(3, 1));
        ports.replace(stimulus.packets.node(), user.slice(6, 4));
        ports.replace(stimulus.bytes.node(), data.slice(0, 24));
        ports.replace(stimulus.in_flight.node(), data.slice(40, 32));
        ports.replace(stimulus.now.node(), now.slice(0, 12));
        Ok(ports.apply([event(&stimulus, user.slice(4, 2))?])[0])
    }

    fn own(&self, view: &View<'_>) -> Found<Invariant> {
        let watched = view.get("window.ram.watched")?;
        let reads = self.ours(view, READS + 1)?.implies(view.get("window.ram.word")?.equals(watched));
        let shows = self.ours(view, TAKES)?.implies(view.get("window.ram.g_out.out")?.equals(watched));
        Ok(vec![("the state read is the one in the RAM".into(), reads & shows)])
    }

    fn states(&self, proof: &mut Proof) -> Result<(), Error> {
        let (now, next) = (self.design.registers(), self.design.next());
        let (view, after) = (View(&now), View(&next));
        let run = view.get("skid.running_q")?;
        let running = [&self.all(&now)?[..], &[!self.design.inputs.node("rst")?]].concat();
        let takes = [&running[..], &[run & self.ours(&view, TAKES)?]].concat();
        let left = self.left(&view)?;
        proof.claim(
            "stage 13 takes the state that the last older event of its connection has left",
            &takes,
            after.get("window.state13_q")?.equals(left),
        )?;
        proof.claim(
            "there is no older event of its connection that has not left one",
            &takes,
            !self.any_ours(&view, TAKES + 1..LAST)?,
        )?;
        let (arrives, then) = (run & self.ours(&view, LAST - 1)?, self.left(&after)?);
        proof.claim(
            "an event in stage 51 leaves the state there",
            &running,
            arrives.implies(then.equals(after.get("window.state51_q")?)),
        )?;
        proof.claim(
            "nothing else changes a connection's state: no other connection's event, no stall, no bubble",
            &running,
            (!arrives).implies(then.equals(left)),
        )?;
        Ok(())
    }
}
