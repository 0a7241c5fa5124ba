//! `weft_smartt` as a whole, its RAMs watched at one address: the events of any one connection on their
//! way through the pipeline, and the state that each of them finds.

use super::words::{any_stimulus, event, state};
use crate::Error;
use crate::moves::{Moves, moving};
use weft_nic::block::smartt::{Kind, SPACING};
use weft_symbolic::{Design, Node, Proof, SignalError, Signals, State, Substitution};

/// The stage that has the early part of a state.
const EARLY: usize = 28;
/// The stage that computes the rest of it; the next two remember it while the RAM is not to be read yet.
const LAST: usize = 48;
/// The stage before the one that takes the state.
const TAKES: usize = 24;
/// The last stage that may hold what an event asks for: two beyond [`LAST`].
const END: usize = LAST + 2;

/// The block and the watched connection.
pub struct Pipeline {
    design: Design,
    connection: Node,
}

type Found<T> = Result<T, SignalError>;

/// Registers now or after the clock.
struct View<'a>(&'a Signals);

impl View<'_> {
    fn get(&self, name: &str) -> Found<Node> {
        self.0.node(name)
    }

    /// Stage `k` of a shift register: bit `k - 2`.
    fn travels(&self, name: &str, stage: usize) -> Found<Node> {
        match stage {
            1 => self.get(&format!("front.s1_{name}.q")),
            2..=LAST if name == "live" => Ok(self.get("window.live.q")?.slice(stage - 2, 1)),
            2..=LAST => Ok(self.get("window.valids.q")?.slice(stage - 2, 1)),
            _ => self.get(&format!("ghost.s{stage}_{name}")),
        }
    }

    /// The stage holds an event, or a close of the sweep.
    fn live(&self, stage: usize) -> Found<Node> {
        self.travels("live", stage)
    }

    /// It is no close of the sweep.
    fn valid(&self, stage: usize) -> Found<Node> {
        self.travels("valid", stage)
    }

    fn id(&self, stage: usize) -> Found<Node> {
        match stage {
            1 => self.get("front.s1_id.q"),
            2..=22 => self.get(&format!("window.read_id.g_clock[{}].word", stage - 2)),
            23..=EARLY => self.get(&format!("window.early_id.g_clock[{}].word", stage - 23)),
            29..=LAST => self.get(&format!("window.late_id.g_clock[{}].word", stage - 29)),
            _ => self.get(&format!("ghost.s{stage}_id")),
        }
    }

    /// The connection's last event is 24 (1), 25 (2), 26 (3) stages ahead, as the RTL has it.
    fn near(&self, stage: usize) -> Found<Node> {
        match stage {
            1 => self.get("front.s1_near.q"),
            _ => self.get(&format!("window.near.g_clock[{}].word", stage - 2)),
        }
    }

    fn close(&self) -> Found<Node> {
        Ok(self.get("front.s1_event.q")?.slice(0, 3).equals(Node::lit(3, Kind::Close as u128)))
    }
}

impl Pipeline {
    /// `design` is `weft_smartt` with watched RAMs.
    pub fn new(mut design: Design) -> Result<Self, Error> {
        let connection = design.wires.node("window.late.address")?;
        // Both RAMs are watched at one connection.
        let (early, mut same) = (design.wires.node("window.early.address")?, Substitution::new());
        same.replace(early, connection);
        design.states.retain(|_, state| state.node != early);
        design.wires = same.apply_to(&design.wires);
        for state in design.states.values_mut() {
            state.next = same.apply([state.next])[0];
        }
        let mut ghosts = Vec::new();
        let (now, reset) = (design.registers(), design.inputs.node("rst")?);
        let run = now.node("skid.running.q")?;
        // What the RTL has no need to remember: who was in stage 48 one and two moves ago.
        let view = View(&now);
        for (stage, name, from) in [
            (LAST + 1, "live", view.live(LAST)?),
            (LAST + 1, "id", view.id(LAST)?),
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

    /// The stage holds an event of the watched connection.
    fn ours(&self, view: &View<'_>, stage: usize) -> Found<Node> {
        Ok(view.live(stage)? & view.id(stage)?.equals(self.connection))
    }

    fn any_ours(&self, view: &View<'_>, stages: impl IntoIterator<Item = usize>) -> Found<Node> {
        Ok(Node::any(stages.into_iter().map(|stage| self.ours(view, stage)).collect::<Found<Vec<_>>>()?))
    }

    /// The early part of the state that the last event of the watched connection to pass stage 27 has left.
    fn left_early(&self, view: &View<'_>) -> Found<Node> {
        Ok(view.get("window.early28.q")?.when(self.ours(view, EARLY)?, view.get("window.early.watched")?))
    }

    /// The rest of the state that the last event of the watched connection to pass stage 47 has left.
    fn left_late(&self, view: &View<'_>) -> Found<Node> {
        Ok(view.get("window.state48.q")?.when(self.ours(view, LAST)?, view.get("window.late.watched")?))
    }

    /// What holds in every clock after a reset, by name.
    fn invariant(&self, registers: &Signals) -> Found<Vec<(&'static str, Node)>> {
        let view = &View(registers);
        let ours = (1..=END).map(|stage| self.ours(view, stage)).collect::<Found<Vec<_>>>()?;
        let ours = |stage: usize| ours[stage - 1];
        let (early, late) = (view.get("window.early.watched")?, view.get("window.late.watched")?);
        let (sweeping, sweep) = (view.get("front.sweeping.q")?, view.get("front.sweep.q")?);

        let mut history = Vec::new();
        for i in 0..SPACING + 1 {
            let live = view.get("front.recent_live.q")?.slice(i, 1);
            history.push(live.equals(view.live(1 + i)?));
            history.push(live.implies(view.get(&format!("front.recent_{i}.q"))?.equals(view.id(1 + i)?)));
        }

        let (held, held_id) = (view.get("front.held.q")?, view.get("front.held_id.q")?);
        let mut known = Vec::new();
        for i in 0..SPACING + 2 {
            let ahead = view.live(1 + i)? & view.id(1 + i)?.equals(held_id);
            known.push(held.implies(view.get("front.ahead.q")?.slice(i, 1).equals(ahead)));
        }
        for (i, first) in (0..SPACING - 1).step_by(6).enumerate() {
            let ahead = view.get("front.ahead.q")?;
            let some = Node::any((first..(first + 6).min(SPACING - 1)).map(|bit| ahead.slice(bit, 1)));
            known.push(held.implies(view.get("front.younger.q")?.slice(i, 1).equals(some)));
        }

        let mut apart = Vec::new();
        for stage in 1..END {
            for later in stage + 1..(stage + SPACING).min(END + 1) {
                apart.push(!(ours(stage) & ours(later)));
            }
        }

        let mut marks = Vec::new();
        for stage in 1..=TAKES {
            let near = view.near(stage)?;
            for i in 0..3 {
                let is_near = near.equals(Node::lit(2, i as u128 + 1));
                let marked = is_near.equals(ours(stage + SPACING + i));
                marks.push((ours(stage) & view.valid(stage)?).implies(marked));
            }
        }

        let alone = |stage: usize| {
            Ok::<_, SignalError>(ours(stage) & view.valid(stage)? & view.near(stage)?.is_zero())
        };
        let reads = |stage: usize| Ok::<_, SignalError>(ours(stage) & view.valid(stage)?);
        let read = alone(23)?.implies(view.get("window.late.word")?.equals(late))
            & alone(24)?.implies(view.get("window.late.g_out.out")?.equals(late))
            & reads(23)?.implies(view.get("window.early.word")?.equals(early))
            & reads(24)?.implies(view.get("window.early.g_out.out")?.equals(early));
        let written = ours(LAST + 1).implies(view.get("window.state49.q")?.equals(late))
            & ours(END).implies(view.get("window.state50.q")?.equals(late));

        let issued = !sweeping | self.connection.less(sweep);
        let valid = (1..=LAST).map(|stage| view.valid(stage)).collect::<Found<Vec<_>>>()?;
        let kinds = (1..=LAST)
            .map(|stage| Ok(view.valid(stage)?.implies(view.live(stage)?)))
            .collect::<Found<Vec<_>>>()?;
        let waits = [view.get("front.held.q")?, !view.get("skid.running.q")?, view.get("skid.offered.q")?];
        let quiet = sweeping.implies(!Node::any(waits) & !Node::any(valid));
        let first = issued | !self.any_ours(view, 1..=END)?;
        let closes = (view.live(1)? & !view.valid(1)?).implies(view.close()?);

        Ok(vec![
            ("no event enters during the sweep", quiet),
            ("before the sweep has closed a connection there is no event of it", first),
            ("what the sweep issues are closes", closes & Node::all(kinds)),
            ("the history is what the stages hold", Node::all(history)),
            ("what waits knows which stages hold an event of its connection", Node::all(known)),
            ("events of one connection are at least 24 moves apart", Node::all(apart)),
            ("events know whether one of their connection is 24, 25 or 26 moves ahead", Node::all(marks)),
            ("the last states written are those in the RAM", written),
            ("the state read is the one in the RAM, or an event ahead has it", read),
        ])
    }

    fn all(&self, registers: &Signals) -> Found<Vec<Node>> {
        Ok(self.invariant(registers)?.into_iter().map(|(_, node)| node).collect())
    }

    /// All claims of the pipeline.
    pub fn prove(&self, proof: &mut Proof) -> Result<(), Error> {
        self.induction(proof)?;
        self.states(proof)?;
        self.front(proof)?;
        self.transport(proof)
    }

    /// The invariant is established by reset and kept by every clock.
    fn induction(&self, proof: &mut Proof) -> Result<(), Error> {
        let reset = self.design.inputs.node("rst")?;
        let (now, next) = (self.design.registers(), self.design.next());
        let (before, after) = (self.all(&now)?, self.invariant(&next)?);
        let view = View(&now);
        let full = [self.ours(&view, 1)?, self.ours(&view, 25)?, self.ours(&view, 49)?, view.valid(1)?];
        proof.satisfiable(
            "the invariant can hold with events of the connection as near as can be",
            &[&before[..], &full].concat(),
        )?;
        for (name, node) in &after {
            proof.claim(&format!("reset leads into it: {name}"), &[reset], *node)?;
        }
        // Looked at apart, most of it is the invariant of the stage before, or of the same.
        let run = view.get("skid.running.q")?;
        let moved = self.invariant(&self.when(true)?)?;
        let held = self.invariant(&self.when(false)?)?;
        let running = [&before[..], &[!reset]].concat();
        for ((name, moved), (_, held)) in moved.into_iter().zip(held) {
            proof.claim(&format!("every clock keeps it: {name}"), &running, moved.when(run, held))?;
        }
        Ok(())
    }

    /// The registers after a clock without reset in which the pipeline moves, or stands.
    fn when(&self, moves: bool) -> Found<Signals> {
        let known = moving().with("skid.running.q", Node::bit(moves));
        Ok(self.design.feed(&known)?.apply_to(&self.design.next()))
    }

    /// Each event of a connection takes the state that the one before it has left.
    fn states(&self, proof: &mut Proof) -> Result<(), Error> {
        let (now, next) = (self.design.registers(), self.design.next());
        let (view, after) = (View(&now), View(&next));
        let reset = self.design.inputs.node("rst")?;
        let run = view.get("skid.running.q")?;
        let running = [&self.all(&now)?[..], &[!reset]].concat();
        let takes = run & self.ours(&view, TAKES)? & view.valid(TAKES)?;
        proof.claim(
            "stage 25 takes the state that the last older event of its connection has left",
            &[&running[..], &[takes]].concat(),
            after.get("window.state.q")?.equals(state(self.left_early(&view)?, self.left_late(&view)?)),
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
            early_arrives.implies(early_after.equals(after.get("window.early28.q")?))
                & late_arrives.implies(late_after.equals(after.get("window.state48.q")?)),
        )?;
        proof.claim(
            "nothing else changes a connection's state: no other connection's event, no stall, no bubble",
            &running,
            (!early_arrives).implies(early_after.equals(self.left_early(&view)?))
                & (!late_arrives).implies(late_after.equals(self.left_late(&view)?)),
        )?;
        Ok(())
    }

    /// The input register, the sweep and what is issued.
    fn front(&self, proof: &mut Proof) -> Result<(), Error> {
        let (now, next) = (self.design.registers(), self.design.next());
        let (view, after) = (View(&now), View(&next));
        let input = |name: &str| self.design.inputs.node(name);
        let reset = input("rst")?;
        let running = [&self.all(&now)?[..], &[!reset]].concat();
        let run = view.get("skid.running.q")?;
        let (held, id) = (view.get("front.held.q")?, view.get("front.held_id.q")?);
        let (sweeping, sweep) = (view.get("front.sweeping.q")?, view.get("front.sweep.q")?);

        let start = Signals::new()
            .with("front.sweeping.q", Node::bit(true))
            .with("front.sweep.q", Node::lit(sweep.width(), 0))
            .with("front.held.q", Node::bit(false))
            .with("front.s1_live.q", Node::bit(false))
            .with("front.s1_valid.q", Node::bit(false))
            .with("window.live.q", Node::lit(LAST - 1, 0))
            .with("window.valids.q", Node::lit(LAST - 1, 0))
            .with("skid.running.q", Node::bit(true))
            .with("skid.offered.q", Node::bit(false))
            .with("not_open.q", Node::lit(16, 0));
        proof.equal(
            "reset leaves nothing in hand and begins the sweep at connection 0",
            &[reset],
            &start,
            &next,
        )?;

        // Held back: one of its connection is in a stage from which it would be too near.
        let mut same = Vec::new();
        for stage in 1..SPACING {
            same.push(view.live(stage)? & view.id(stage)?.equals(id));
        }
        let issues = held & !Node::any(same);
        let leaves = run & issues;
        let ready = self.design.outputs.node("s_axis_event_tready")?;
        proof.claim(
            "ready if and only if the pipeline moves, the sweep is over and the input register is free or becomes so",
            &running,
            ready.equals(run & !sweeping & (!held | issues)),
        )?;
        let accepts = ready & input("s_axis_event_tvalid")?;
        let stimulus = any_stimulus();
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
        let offered = ports.apply([event(&stimulus, user.slice(4, 2))])[0];
        let mut expected = Signals::new().with("front.held.q", accepts | held & !leaves);
        for (register, offered) in
            [("id", input("s_axis_event_tid")?), ("event", offered), ("rtt", data.slice(24, 16))]
        {
            let register = format!("front.held_{register}.q");
            expected.insert(register.clone(), offered.when(accepts, view.get(&register)?));
        }
        proof.equal(
            "an event is in the input register from when it is accepted to when it is issued",
            &running,
            &expected,
            &next,
        )?;

        let moved = [&running[..], &[run]].concat();
        let expected = Signals::new()
            .with("front.sweeping.q", sweeping & !(!sweep).is_zero())
            .with("front.sweep.q", (sweep + Node::lit(sweep.width(), 1)).when(sweeping, sweep))
            .with("front.s1_live.q", sweeping | issues)
            .with("front.s1_valid.q", issues);
        proof.equal(
            "the sweep issues one close per move up to the last connection, then events as they come",
            &moved,
            &expected,
            &next,
        )?;
        let of_sweep = after.get("front.s1_id.q")?.equals(sweep) & after.close()?;
        proof.claim(
            "a close of the sweep is for the connection it is at",
            &[&moved[..], &[sweeping]].concat(),
            of_sweep,
        )?;
        let issued: Vec<Node> = ["id", "event", "rtt"]
            .into_iter()
            .map(|name| {
                let held = view.get(&format!("front.held_{name}.q"))?;
                Ok(after.get(&format!("front.s1_{name}.q"))?.equals(held))
            })
            .collect::<Found<_>>()?;
        proof.claim(
            "what is issued is the event held",
            &[&moved[..], &[issues]].concat(),
            Node::all(issued),
        )?;
        self.patience(proof)
    }

    /// An event in the input register waits no longer than it must.
    fn patience(&self, proof: &mut Proof) -> Result<(), Error> {
        let mut moves = Moves::new(&self.design, &moving())?;
        let id = Node::variable("waiting", self.connection.width());
        let mut issued = Vec::new();
        for clock in 0..SPACING {
            moves.set("front.held.q", clock, Node::bit(true))?;
            moves.set("front.held_id.q", clock, id)?;
            moves.set("front.sweeping.q", clock, Node::bit(false))?;
            issued.push(moves.at("front.s1_valid.q", clock + 1)?);
        }
        proof.claim("an event waits 23 moves at the most", &[], Node::any(issued))?;
        Ok(())
    }

    /// Stalls hold everything, answers are counted and leave by the ports.
    fn transport(&self, proof: &mut Proof) -> Result<(), Error> {
        let (now, next) = (self.design.registers(), self.design.next());
        let view = View(&now);
        let inputs = |name: &str| self.design.inputs.node(name);
        let wire = |name: &str| self.design.wires.node(name);
        let (reset, run) = (inputs("rst")?, view.get("skid.running.q")?);
        let moves = |name: &str| name.starts_with("skid.") || name.starts_with("front.held");
        let hold = |signals: &Signals| -> Signals {
            let kept = signals.iter().filter(|(name, _)| !moves(name));
            kept.map(|(name, node)| (name.to_owned(), node)).collect()
        };
        proof.equal(
            "a stall changes nothing but the input register, which may take an event, and the output",
            &[],
            &hold(&now),
            &hold(&self.when(false)?),
        )?;

        let not_open = view.get("not_open.q")?;
        let counts = run & view.valid(LAST)? & !view.get("window.accepted48.q")?;
        proof.claim(
            "events that were not accepted are counted, modulo 2^16",
            &[!reset],
            next.node("not_open.q")?.equals((not_open + Node::lit(16, 1)).when(counts, not_open)),
        )?;

        let (mut expected, mut actual) = (Signals::new(), Signals::new());
        let mut same = |name: &str, a: Node, b: Node| {
            expected.insert(name, a);
            actual.insert(name, b);
        };
        let output = |name: &str| self.design.outputs.node(name);
        let answer = output("m_axis_window_tid")?
            .cat(output("m_axis_window_tdata")?)
            .cat(output("m_axis_window_tuser")?);
        same("answer out", wire("skid.out_word")?, answer);
        same("valid out", wire("skid.out_valid")?, output("m_axis_window_tvalid")?);
        same("ready in", inputs("m_axis_window_tready")?, wire("skid.out_ready")?);
        same("run", wire("skid.run")?, run);
        same("reset", reset, wire("skid.rst")?);
        same("not open", not_open, output("stat_not_open_events")?);
        proof.equal("the queue is wired to the ports", &[], &expected, &actual)?;
        Ok(())
    }
}
