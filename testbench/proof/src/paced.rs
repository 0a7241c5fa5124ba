//! Pipelines that keep the events of a connection apart: `weft_smartt` and `weft_nscc`, whose model is
//! `weft_nic::part::paced`. The claims follow the events of any one connection from the input ports to the
//! output ports.

use crate::Error;
use crate::moves::{Moves, moving};
use weft_nic::block::smartt::Kind;
use weft_params::SmarttParams;
use weft_symbolic::{Design, Node, Proof, SignalError, Signals};

/// A result that is an error if a signal is missing.
pub type Found<T> = Result<T, SignalError>;

/// Facts of every clock after a reset, by name.
pub type Invariant = Vec<(String, Node)>;

/// Registers now or after the clock.
pub struct View<'a>(pub &'a Signals);

impl View<'_> {
    /// A register.
    pub fn get(&self, name: &str) -> Found<Node> {
        self.0.node(name)
    }

    fn close(&self) -> Found<Node> {
        Ok(self.get("front.s1_event_q")?.slice(0, 3).equals(Node::lit(3, Kind::Close as u128)))
    }
}

/// A block whose RAMs are watched at one connection. Stage `k` is `k` moves behind the input register.
pub trait Paced {
    /// The least moves between two events of one connection.
    const SPACING: usize;
    /// How many issued connections the front remembers.
    const RECENT: usize;
    /// The last stage, which answers.
    const LAST: usize;
    /// The last stage that claims are about: stages behind [`LAST`](Self::LAST) are ghosts.
    const END: usize;
    /// The register in the last stage that says that the event was accepted.
    const ACCEPTED: &'static str;

    /// The block.
    fn design(&self) -> &Design;

    /// The watched connection.
    fn connection(&self) -> Node;

    /// The register with the connection of the event in a stage from 2 up.
    fn id_in(stage: usize) -> String;

    /// The word in the input register that an event of the ports becomes, but its RTT and connection.
    fn offered(&self) -> Found<Node>;

    /// The part of the invariant that is about the block's own registers.
    fn own(&self, view: &View<'_>) -> Found<Invariant>;

    /// Each event of a connection reads the state that the previous event has left.
    fn states(&self, proof: &mut Proof) -> Result<(), Error>;

    /// A mark of the event in a stage, `live` or `valid`: bit `k - 2` of a shift register.
    fn travels(&self, view: &View<'_>, name: &str, stage: usize) -> Found<Node> {
        match stage {
            1 => view.get(&format!("front.s1_{name}_q")),
            _ if stage > Self::LAST => view.get(&format!("ghost.s{stage}_{name}")),
            _ if name == "live" => Ok(view.get("window.live_q")?.slice(stage - 2, 1)),
            _ => Ok(view.get("window.valids_q")?.slice(stage - 2, 1)),
        }
    }

    /// Whether the stage contains an event, or a close of the sweep.
    fn live(&self, view: &View<'_>, stage: usize) -> Found<Node> {
        self.travels(view, "live", stage)
    }

    /// Whether the stage contains an event from the ports.
    fn valid(&self, view: &View<'_>, stage: usize) -> Found<Node> {
        self.travels(view, "valid", stage)
    }

    /// The connection of the event in a stage.
    fn id(&self, view: &View<'_>, stage: usize) -> Found<Node> {
        if stage == 1 { view.get("front.s1_id_q") } else { view.get(&Self::id_in(stage)) }
    }

    /// Whether the stage contains an event of the watched connection.
    fn ours(&self, view: &View<'_>, stage: usize) -> Found<Node> {
        Ok(self.live(view, stage)? & self.id(view, stage)?.equals(self.connection()))
    }

    /// Whether one of `stages` contains an event of the watched connection.
    fn any_ours(&self, view: &View<'_>, stages: impl IntoIterator<Item = usize>) -> Found<Node> {
        Ok(Node::any(stages.into_iter().map(|stage| self.ours(view, stage)).collect::<Found<Vec<_>>>()?))
    }

    /// The invariant: facts of every clock after a reset.
    fn invariant(&self, registers: &Signals) -> Found<Invariant> {
        let view = &View(registers);
        let ours = (1..=Self::END).map(|stage| self.ours(view, stage)).collect::<Found<Vec<_>>>()?;
        let ours = |stage: usize| ours[stage - 1];
        let (sweeping, sweep) = (view.get("front.sweeping_q")?, view.get("front.sweep_q")?);

        let mut history = Vec::new();
        for i in 0..Self::RECENT {
            let live = view.get("front.recent_live_q")?.slice(i, 1);
            history.push(live.equals(self.live(view, 1 + i)?));
            let recent = view.get(&format!("front.recent_{i}_q"))?;
            history.push(live.implies(recent.equals(self.id(view, 1 + i)?)));
        }

        let (held, held_id) = (view.get("front.held_q")?, view.get("front.held_id_q")?);
        let mut known = Vec::new();
        for i in 0..=Self::RECENT {
            let ahead = self.live(view, 1 + i)? & self.id(view, 1 + i)?.equals(held_id);
            known.push(held.implies(view.get("front.ahead_q")?.slice(i, 1).equals(ahead)));
        }
        for (i, first) in (0..Self::SPACING - 1).step_by(6).enumerate() {
            let ahead = view.get("front.ahead_q")?;
            let some = Node::any((first..(first + 6).min(Self::SPACING - 1)).map(|bit| ahead.slice(bit, 1)));
            known.push(held.implies(view.get("front.younger_q")?.slice(i, 1).equals(some)));
        }

        let mut apart = Vec::new();
        for stage in 1..Self::END {
            for later in stage + 1..(stage + Self::SPACING).min(Self::END + 1) {
                apart.push(!(ours(stage) & ours(later)));
            }
        }

        let issued = !sweeping | self.connection().less(sweep);
        let valid = (1..=Self::LAST).map(|stage| self.valid(view, stage)).collect::<Found<Vec<_>>>()?;
        let kinds = (1..=Self::LAST)
            .map(|stage| Ok(self.valid(view, stage)?.implies(self.live(view, stage)?)))
            .collect::<Found<Vec<_>>>()?;
        let waits = [view.get("front.held_q")?, !view.get("skid.running_q")?, view.get("skid.offered_q")?];
        let quiet = sweeping.implies(!Node::any(waits) & !Node::any(valid));
        let first = issued | !self.any_ours(view, 1..=Self::END)?;
        let closes = (self.live(view, 1)? & !self.valid(view, 1)?).implies(view.close()?);

        let far = format!("events of one connection are at least {} moves apart", Self::SPACING);
        let mut all = vec![
            ("no event enters during the sweep".to_owned(), quiet),
            ("before the sweep has closed a connection there is no event of it".to_owned(), first),
            ("what the sweep issues are closes".to_owned(), closes & Node::all(kinds)),
            ("the history is what the stages hold".to_owned(), Node::all(history)),
            ("what waits knows which stages hold an event of its connection".to_owned(), Node::all(known)),
            (far, Node::all(apart)),
        ];
        all.extend(self.own(view)?);
        Ok(all)
    }

    /// All lines of the invariant as one list.
    fn all(&self, registers: &Signals) -> Found<Vec<Node>> {
        Ok(self.invariant(registers)?.into_iter().map(|(_, node)| node).collect())
    }

    /// All claims of the pipeline.
    fn prove(&self, proof: &mut Proof) -> Result<(), Error> {
        self.induction(proof)?;
        self.states(proof)?;
        self.front(proof)?;
        self.transport(proof)
    }

    /// Reset establishes the invariant, and every clock preserves it.
    fn induction(&self, proof: &mut Proof) -> Result<(), Error> {
        let reset = self.design().inputs.node("rst")?;
        let (now, next) = (self.design().registers(), self.design().next());
        let (before, after) = (self.all(&now)?, self.invariant(&next)?);
        let view = View(&now);
        let mut full = vec![self.valid(&view, 1)?];
        for stage in (1..=Self::END).step_by(Self::SPACING) {
            full.push(self.ours(&view, stage)?);
        }
        proof.satisfiable(
            "the invariant can hold with events of the connection as near as can be",
            &[&before[..], &full].concat(),
        )?;
        for (name, node) in &after {
            proof.claim(&format!("reset leads into it: {name}"), &[reset], *node)?;
        }
        // If each line is a claim of its own, most lines follow from the invariant of the previous stage, or
        // of the same.
        let run = view.get("skid.running_q")?;
        let moved = self.invariant(&self.when(true)?)?;
        let held = self.invariant(&self.when(false)?)?;
        let running = [&before[..], &[!reset]].concat();
        for ((name, moved), (_, held)) in moved.into_iter().zip(held) {
            proof.claim(&format!("every clock keeps it: {name}"), &running, moved.when(run, held))?;
        }
        Ok(())
    }

    /// The registers after a clock without reset in which the pipeline moves, or stalls.
    fn when(&self, moves: bool) -> Found<Signals> {
        let known = moving().with("skid.running_q", Node::bit(moves));
        Ok(self.design().feed(&known)?.apply_to(&self.design().next()))
    }

    /// The input register, the sweep and the issued events.
    fn front(&self, proof: &mut Proof) -> Result<(), Error> {
        let (now, next) = (self.design().registers(), self.design().next());
        let (view, after) = (View(&now), View(&next));
        let input = |name: &str| self.design().inputs.node(name);
        let reset = input("rst")?;
        let running = [&self.all(&now)?[..], &[!reset]].concat();
        let run = view.get("skid.running_q")?;
        let (held, id) = (view.get("front.held_q")?, view.get("front.held_id_q")?);
        let (sweeping, sweep) = (view.get("front.sweeping_q")?, view.get("front.sweep_q")?);

        let start = Signals::new()
            .with("front.sweeping_q", Node::bit(true))
            .with("front.sweep_q", Node::lit(sweep.width(), 0))
            .with("front.held_q", Node::bit(false))
            .with("front.s1_live_q", Node::bit(false))
            .with("front.s1_valid_q", Node::bit(false))
            .with("window.live_q", Node::lit(Self::LAST - 1, 0))
            .with("window.valids_q", Node::lit(Self::LAST - 1, 0))
            .with("skid.running_q", Node::bit(true))
            .with("skid.offered_q", Node::bit(false))
            .with("not_open_q", Node::lit(16, 0));
        proof.equal(
            "reset leaves nothing in hand and begins the sweep at connection 0",
            &[reset],
            &start,
            &next,
        )?;

        // An event is held back while an event of its connection is in a stage that is too near.
        let mut same = Vec::new();
        for stage in 1..Self::SPACING {
            same.push(self.live(&view, stage)? & self.id(&view, stage)?.equals(id));
        }
        let issues = held & !Node::any(same);
        let leaves = run & issues;
        let ready = self.design().outputs.node("s_axis_event_tready")?;
        proof.claim(
            "ready if and only if the pipeline moves, the sweep is over and the input register is free or becomes so",
            &running,
            ready.equals(run & !sweeping & (!held | issues)),
        )?;
        let accepts = ready & input("s_axis_event_tvalid")?;
        let data = input("s_axis_event_tdata")?;
        let mut expected = Signals::new().with("front.held_q", accepts | held & !leaves);
        for (register, offered) in
            [("id", input("s_axis_event_tid")?), ("event", self.offered()?), ("rtt", data.slice(24, 16))]
        {
            let register = format!("front.held_{register}_q");
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
            .with("front.sweeping_q", sweeping & !(!sweep).is_zero())
            .with("front.sweep_q", (sweep + Node::lit(sweep.width(), 1)).when(sweeping, sweep))
            .with("front.s1_live_q", sweeping | issues)
            .with("front.s1_valid_q", issues);
        proof.equal(
            "the sweep issues one close per move up to the last connection, then events as they come",
            &moved,
            &expected,
            &next,
        )?;
        let of_sweep = after.get("front.s1_id_q")?.equals(sweep) & after.close()?;
        proof.claim(
            "a close of the sweep is for the connection it is at",
            &[&moved[..], &[sweeping]].concat(),
            of_sweep,
        )?;
        let issued: Vec<Node> = ["id", "event", "rtt"]
            .into_iter()
            .map(|name| {
                let held = view.get(&format!("front.held_{name}_q"))?;
                Ok(after.get(&format!("front.s1_{name}_q"))?.equals(held))
            })
            .collect::<Found<_>>()?;
        proof.claim(
            "what is issued is the event held",
            &[&moved[..], &[issues]].concat(),
            Node::all(issued),
        )?;
        self.patience(proof)
    }

    /// An event in the input register waits no longer than necessary.
    fn patience(&self, proof: &mut Proof) -> Result<(), Error> {
        let mut moves = Moves::new(self.design(), &moving())?;
        let id = Node::variable("waiting", self.connection().width());
        let mut issued = Vec::new();
        for clock in 0..Self::SPACING {
            moves.set("front.held_q", clock, Node::bit(true))?;
            moves.set("front.held_id_q", clock, id)?;
            moves.set("front.sweeping_q", clock, Node::bit(false))?;
            issued.push(moves.at("front.s1_valid_q", clock + 1)?);
        }
        let most = format!("an event waits {} moves at the most", Self::SPACING - 1);
        proof.claim(&most, &[], Node::any(issued))?;
        Ok(())
    }

    /// During a stall all state stays the same; answers are counted and leave by the ports.
    fn transport(&self, proof: &mut Proof) -> Result<(), Error> {
        let (now, next) = (self.design().registers(), self.design().next());
        let view = View(&now);
        let inputs = |name: &str| self.design().inputs.node(name);
        let wire = |name: &str| self.design().wires.node(name);
        let (reset, run) = (inputs("rst")?, view.get("skid.running_q")?);
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

        let not_open = view.get("not_open_q")?;
        let counts = run & self.valid(&view, Self::LAST)? & !view.get(Self::ACCEPTED)?;
        proof.claim(
            "events that were not accepted are counted, modulo 2^16",
            &[!reset],
            next.node("not_open_q")?.equals((not_open + Node::lit(16, 1)).when(counts, not_open)),
        )?;

        let (mut expected, mut actual) = (Signals::new(), Signals::new());
        let mut same = |name: &str, a: Node, b: Node| {
            expected.insert(name, a);
            actual.insert(name, b);
        };
        let output = |name: &str| self.design().outputs.node(name);
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

/// The constant of the class with this number, from its `cfg_*` port.
pub fn lane(ports: &Signals, name: &str, number: Node) -> Found<Node> {
    let lanes = ports.node(&format!("cfg_{name}"))?;
    let width = lanes.width() / SmarttParams::CLASSES;
    let of = |class: usize| lanes.slice(class * width, width);
    let choose = |found: Node, class| of(class).when(number.equals(Node::lit(2, class as u128)), found);
    Ok([1, 2, 3].into_iter().fold(of(0), choose))
}
