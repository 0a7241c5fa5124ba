//! `weft_reps` as a whole, with each RAM watched at one address: the path of a connection's control word.
//!
//! The model steps when an event moves from stage 4 to stage 5 of the RTL. The connection's word is then in
//! stage 5 or in the RAM. The forwarding invariant states that stage 4 has this word.

use super::words::{control, csr, exploring, result_words, rtl_words, saturated, stored, time_matters};
use crate::Error;
use weft_nic::block::reps::{Csr, Kind, Stimulus, elapsed, step};
use weft_nic::part::prng::seeded;
use weft_symbolic::{Design, Node, Proof, SignalError, Signals, State, Substitution, Symbolic, Term};
use weft_word::Domain;

/// The block, and the nodes that its invariant needs besides registers.
pub struct Pipeline<'a> {
    design: Design,
    decode: &'a Design,
    depth: u32,
    csr: Csr<Symbolic>,
    /// The watched connection.
    connection: Node,
}

type Found<T> = Result<T, SignalError>;

/// Registers before or after the clock.
struct View<'a>(&'a Signals);

impl View<'_> {
    fn get(&self, name: &str) -> Found<Node> {
        self.0.node(name)
    }

    /// Register `name` of stages 1 to 5 of the control pipeline, or a ghost of stage 6 or 7.
    fn stage(&self, stage: usize, name: &str) -> Found<Node> {
        match stage {
            1 => self.get(&format!("front.s1_{name}_q")),
            2..=5 => self.get(&format!("control.s{stage}_{name}_q")),
            _ => self.get(&format!("ghost.s{stage}_{name}")),
        }
    }

    fn kind(&self, stage: usize) -> Found<Node> {
        if stage == 5 { self.stage(5, "kind") } else { Ok(self.stage(stage, "user")?.slice(0, 3)) }
    }

    /// The selection in stage 3 of a word in place of the word read: the word of stage 5, 6 or 7.
    fn pick(&self) -> Found<[Node; 3]> {
        let pick = self.get("control.s3_pick_q")?;
        Ok([1, 2, 3].map(|code| pick.equals(Node::lit(2, code))))
    }

    /// Whether stages `a` and `b` contain events of the same connection. Stage `a` must contain an event.
    fn meets(&self, a: usize, b: usize) -> Found<Node> {
        Ok(self.stage(a, "live")? & self.stage(a, "id")?.equals(self.stage(b, "id")?))
    }
}

fn kind(kind: Kind) -> Node {
    Node::lit(3, kind as u128)
}

fn term<const W: usize>(node: Node) -> Term<W> {
    super::words::word(node)
}

impl<'a> Pipeline<'a> {
    /// Makes the proof's view of `design`, which is `weft_reps` with watched RAMs.
    pub fn new(mut design: Design, decode: &'a Design, depth: u32) -> Result<Self, Error> {
        let connection = design.wires.node("control.ram.address")?;
        let csr = csr(&design.inputs, "cfg_")?;
        let mut pipeline = Self { design: Design::default(), decode, depth, csr, connection };
        pipeline.remember(&mut design)?;
        pipeline.design = design;
        Ok(pipeline)
    }

    /// Adds ghosts: state that the invariant needs and the RTL does not. Ghosts do not change the design.
    fn remember(&self, design: &mut Design) -> Found<()> {
        let (now, reset) = (design.registers(), design.inputs.node("rst")?);
        let run = now.node("skid.running_q")?;
        let view = View(&now);
        // The two events before the one in stage 5, and the time of the one in stage 5.
        let mut ghosts = vec![("s5_time".to_owned(), view.stage(4, "time")?)];
        for name in ["live", "id"] {
            ghosts.push((format!("s6_{name}"), view.stage(5, name)?));
            let ghost = Node::variable(&format!("ghost.s6_{name}"), view.stage(5, name)?.width());
            ghosts.push((format!("s7_{name}"), ghost));
        }
        // Whether the watched connection has been closed since reset.
        let known = Node::variable("ghost.known", 1);
        let passes = view.stage(4, "live")? & view.stage(4, "id")?.equals(self.connection);
        ghosts.push(("known".to_owned(), known | passes));
        for (name, from) in ghosts {
            let node = Node::variable(&format!("ghost.{name}"), from.width());
            let mut next = from.when(run, node);
            if from.width() == 1 {
                next = next & !reset;
            }
            design.states.insert(format!("ghost.{name}"), State { node, init: None, next });
        }
        Ok(())
    }

    /// The output of the decoder for an event.
    fn op(&self, live: Node, kind: Node) -> Found<Node> {
        let event = Signals::new().with("live", live).with("kind", kind).with("mode", self.csr.mode);
        Ok(self.decode.feed(&event)?.apply([self.decode.outputs.node("op")?])[0])
    }

    /// The limit with which an event compares a time.
    fn limit(&self, of: Node) -> Node {
        self.csr.freeze_timeout.node().when(of.equals(kind(Kind::Ack)), self.csr.rtt_window.node())
    }

    /// The model's time comparison for an event's time and a remembered time.
    fn elapsed(&self, of: Node, now: Node, time: Node) -> Node {
        let stimulus =
            Stimulus { kind: term(of), ecn: Symbolic::lit(0), rtt: Symbolic::lit(0), now: term(now) };
        elapsed::<Symbolic>(&self.csr, term(time), &stimulus).node()
    }

    /// Whether the stage contains an event of the watched connection.
    fn ours(&self, view: &View<'_>, stage: usize) -> Found<Node> {
        Ok(view.stage(stage, "live")? & view.stage(stage, "id")?.equals(self.connection))
    }

    /// The word of the watched connection after all events that have passed stage 4.
    fn word(&self, view: &View<'_>) -> Found<Node> {
        Ok(stored(view.0)?.when(self.ours(view, 5)?, view.get("control.ram.watched")?))
    }

    fn time_of(&self, word: Node) -> Node {
        control(word, self.depth).time.node()
    }

    /// The invariant of every clock after a reset, as named parts.
    fn invariant(&self, registers: &Signals) -> Found<Vec<(&'static str, Node)>> {
        let view = &View(registers);
        let live = |stage| view.stage(stage, "live");
        let ours = |stage| self.ours(view, stage);
        let near = |distance: usize| Ok::<_, SignalError>(view.stage(2, "near")?.slice(distance - 1, 1));
        let memory = view.get("control.ram.watched")?;
        let (word4, word5) = (view.stage(4, "word")?, stored(view.0)?);
        let (word6, word7) = (view.get("control.s6_word_q")?, view.get("control.s7_word_q")?);
        let (sweeping, sweep) = (view.get("front.sweeping_q")?, view.get("front.s1_id_q")?);
        let known = view.get("ghost.known")?;

        let decoded = view.stage(4, "op")?.equals(self.op(live(4)?, view.kind(4)?)?);
        let mut high = Vec::new();
        for stage in 3..=4 {
            let rtt = view.stage(stage, "data")?.slice(16, 16);
            let is_high = !rtt.less(self.csr.rtt_high.node());
            high.push(live(stage)?.implies(view.stage(stage, "rtt_is_high")?.equals(is_high)));
        }
        let (time3, limit) = (view.stage(3, "time")?, self.limit(view.kind(3)?));
        let since = live(3)?.implies(
            view.stage(3, "since")?.equals(time3 - limit) & view.stage(3, "wraps")?.equals(time3.less(limit)),
        );
        let busy = Node::any([live(1)?, live(2)?, live(3)?, live(4)?]);
        let bdp = Node::any([live(2)?, live(3)?, live(4)?])
            .implies(view.get("control.bdp_q")?.equals(saturated(&self.csr).node()));

        let mut marks = Vec::new();
        for distance in 1..=4 {
            marks.push(live(2)?.implies(near(distance)?.equals(view.meets(2 + distance, 2)?)));
        }
        let pick = view.pick()?;
        let [one, two, three] = [view.meets(5, 3)?, view.meets(6, 3)?, view.meets(7, 3)?];
        let picks = [pick[0].equals(one), pick[1].equals(!one & two), pick[2].equals(!one & !two & three)];
        marks.push(live(3)?.implies(Node::all(picks) & view.stage(3, "near1")?.equals(view.meets(4, 3)?)));
        marks.push(live(4)?.implies(view.stage(4, "near1")?.equals(view.meets(5, 4)?)));

        let read2 = (ours(2)? & !near(4)?).implies(view.get("control.ram.word")?.equals(memory));
        let read3 = (ours(3)? & !Node::any(pick)).implies(view.get("control.ram.g_out.out")?.equals(memory));
        let written =
            ours(6)?.implies(word6.equals(memory)) & (ours(7)? & !ours(6)?).implies(word7.equals(memory));
        let merged = ours(4)?.implies(word4.equals(memory));
        let explores = view.stage(4, "exploring")?.equals(exploring(word4));

        let (kind4, time4, time5) = (view.kind(4)?, view.stage(4, "time")?, view.get("ghost.s5_time")?);
        let elapsed = live(4)?.implies(
            view.stage(4, "elapsed")?.equals(self.elapsed(kind4, time4, self.time_of(word4)))
                & view.stage(4, "elapsed_near")?.equals(self.elapsed(kind4, time4, time5)),
        );
        let touched = view.stage(5, "touched")?;
        let matters = time_matters(&self.csr, &control(word5, self.depth)).node();
        let times = (ours(5)? & touched).implies(self.time_of(word5).equals(time5))
            & (ours(5)? & known & !touched & matters)
                .implies(self.time_of(word5).equals(self.time_of(memory)));

        // Before the sweep has reached the connection, no event of the connection exists. Then a close comes
        // first. The sweep's order is 1, 2, ... up to the last connection, then 0.
        let issued = !sweeping | !self.connection.is_zero() & !sweep.less(self.connection);
        let mut quiet = vec![!known];
        for stage in 1..=7 {
            quiet.push(!ours(stage)?);
        }
        let closes = |stage| Ok::<_, SignalError>(view.kind(stage)?.equals(kind(Kind::Close)));
        let mut first = vec![Node::any([known, !issued, ours(1)?, ours(2)?, ours(3)?, ours(4)?])];
        for stage in 1..=4 {
            let older = (stage + 1..=4).map(ours).collect::<Found<Vec<_>>>()?;
            first.push((ours(stage)? & !known & !Node::any(older)).implies(closes(stage)?));
        }
        first.push((!known).implies(!ours(5)? & !ours(6)? & !ours(7)?));
        let sweep_first = issued | Node::all(quiet);

        let bounded = known.implies(control(self.word(view)?, self.depth).invariant(self.depth).node());

        // A bubble writes nothing. But `write` has no reset: in the first clock, with an empty pipeline, it
        // may hit a slot that has never been written.
        let empty = sweeping & sweep.is_zero() & !busy & !live(5)? & view.get("skid.running_q")?;
        let idle = (!live(5)?).implies((!view.stage(5, "write")?) | empty);
        let exclusive = live(5)?.implies(!(view.stage(5, "read")? & view.stage(5, "write")?));

        let waits = [
            view.get("s6_valid_q")?,
            view.get("s7_valid_q")?,
            !view.get("skid.running_q")?,
            view.get("skid.offered_q")?,
        ];
        let valid = (1..=5).map(|stage| view.stage(stage, "valid")).collect::<Found<Vec<_>>>()?;
        let alone = sweeping.implies(!Node::any(waits) & !Node::any(valid));

        Ok(vec![
            ("no event enters during the sweep", alone),
            ("events are decoded", decoded),
            ("round-trip times are compared", Node::all(high)),
            ("time limits are subtracted", since),
            ("NUM_PKTS_BDP is saturated", bdp),
            ("events of one connection know their distance", Node::all(marks)),
            ("the word read is the one in the RAM, or an older event has its own", read2 & read3),
            ("the last two words written are those in the RAM", written),
            ("the word in stage 4 is the one in the RAM", merged),
            ("what is left to explore is known of the word in stage 4", live(4)?.implies(explores)),
            ("times are compared with the word in stage 4 and with the event before", elapsed),
            ("the word in stage 5 has the time that its event gave it", times),
            ("after reset, the first event of a connection is a close", Node::all(first) & sweep_first),
            ("the control word obeys the model's invariant", bounded),
            ("bubbles write nothing", idle & exclusive),
        ])
    }

    fn all(&self, registers: &Signals) -> Found<Vec<Node>> {
        Ok(self.invariant(registers)?.into_iter().map(|(_, node)| node).collect())
    }

    /// Proves that reset establishes the invariant and that every clock preserves it.
    pub fn induction(&self, proof: &mut Proof) -> Result<(), Error> {
        let reset = self.design.inputs.node("rst")?;
        let before = self.all(&self.design.registers())?;
        let after = self.invariant(&self.design.next())?;
        let now = self.design.registers();
        let view = View(&now);
        let full = (1..=7).map(|stage| self.ours(&view, stage)).collect::<Found<Vec<_>>>()?;
        proof.satisfiable(
            "the invariant can hold with an event of the connection in every stage",
            &[&before[..], &full].concat(),
        )?;
        let ready = self.design.outputs.node("s_axis_event_tready")?;
        let ahead = (1..=4).map(|stage| self.ours(&view, stage)).collect::<Found<Vec<_>>>()?;
        proof.claim(
            "when it is ready, every connection is closed or its close is ahead of the first event",
            &[&before[..], &[ready]].concat(),
            view.get("ghost.known")? | Node::any(ahead),
        )?;
        let mut others = Substitution::new();
        for (name, port) in self.design.inputs.iter().filter(|(name, _)| name.starts_with("cfg_")) {
            others.replace(port, Node::variable(&format!("{name} after"), port.width()));
        }
        let none = (1..=5).map(|stage| view.stage(stage, "live")).collect::<Found<Vec<_>>>()?;
        proof.claim(
            "CSRs may change while nothing is in the pipeline",
            &[&before[..], &[!Node::any(none)]].concat(),
            Node::all(others.apply(before.iter().copied())),
        )?;
        for (name, node) in &after {
            proof.claim(&format!("reset leads into it: {name}"), &[reset], *node)?;
        }
        let running = [&before[..], &[!reset]].concat();
        for (name, node) in &after {
            proof.claim(&format!("every clock keeps it: {name}"), &running, *node)?;
        }
        Ok(())
    }

    /// Proves that an event that leaves stage 4 makes one step of the model on the word of its connection. No
    /// other connection's word changes, and no word changes in a stall.
    pub fn steps(&self, proof: &mut Proof) -> Result<(), Error> {
        let (now, next) = (self.design.registers(), self.design.next());
        let (view, after) = (View(&now), View(&next));
        let reset = self.design.inputs.node("rst")?;
        let run = view.get("skid.running_q")?;
        let running = [&self.all(&now)?[..], &[!reset]].concat();
        let (word, word_after) = (self.word(&view)?, self.word(&after)?);
        let leaves = run & self.ours(&view, 4)?;

        let user = view.stage(4, "user")?;
        let stimulus = Stimulus {
            kind: term(user.slice(0, 3)),
            ecn: term(user.slice(3, 1)),
            rtt: term(view.stage(4, "data")?.slice(16, 16)),
            now: term(view.stage(4, "time")?),
        };
        let expected = proof.merged(
            "step",
            || step::<Symbolic>(self.depth, &self.csr, control(word, self.depth), &stimulus),
            result_words,
        )?;
        let mut ports = Signals::new();
        for name in ["accepted", "source", "is_frozen", "turned", "read", "write", "slot"] {
            ports.insert(name, after.stage(5, name)?);
        }
        // Stage 4 draws random bits.
        for name in ["draw", "indexed", "entropy"] {
            ports.insert(name, self.design.wires.node(&format!("control.core.{name}"))?);
        }
        let actual = rtl_words(word_after, &ports, self.depth)?;
        proof.equal(
            "an event makes the model's step on the word that the event before it left",
            &[&running[..], &[leaves]].concat(),
            &expected,
            &actual,
        )?;
        proof.claim(
            "nothing else changes a connection's word: no other connection's event, no stall, no bubble",
            &[&running[..], &[!leaves]].concat(),
            word_after.equals(word),
        )?;
        Ok(())
    }

    /// Proves that events travel unchanged and in order, that results leave with their events, and that all
    /// state stays the same during a stall.
    pub fn transport(&self, proof: &mut Proof) -> Result<(), Error> {
        let (now, next) = (self.design.registers(), self.design.next());
        let (view, after) = (View(&now), View(&next));
        let inputs = |name: &str| self.design.inputs.node(name);
        let wire = |name: &str| self.design.wires.node(name);
        let reset = inputs("rst")?;
        let run = view.get("skid.running_q")?;
        let all = self.all(&now)?;
        let running = [&all[..], &[!reset, run]].concat();

        let (mut expected, mut actual) = (Signals::new(), Signals::new());
        for stage in 1..5 {
            for name in ["valid", "live", "id", "data", "user", "time"] {
                match (stage, name) {
                    (4, "user") => {
                        expected.insert("s5_kind", view.kind(4)?);
                        actual.insert("s5_kind", after.kind(5)?);
                    }
                    (4, "time") => {}
                    // The event's data moves only with an event.
                    (2, "data") => {
                        let (live, held) = (view.stage(2, "live")?, view.stage(3, "data")?);
                        expected.insert("s3_data", view.stage(2, "data")?.when(live, held));
                        actual.insert("s3_data", after.stage(3, "data")?);
                    }
                    (4, "data") => {
                        expected.insert("s5_given", view.stage(4, "data")?.slice(0, 16));
                        actual.insert("s5_given", after.stage(5, "given")?);
                    }
                    _ => {
                        let key = format!("s{}_{name}", stage + 1);
                        expected.insert(key.clone(), view.stage(stage, name)?);
                        actual.insert(key, after.stage(stage + 1, name)?);
                    }
                }
            }
        }
        let user = view
            .stage(5, "turned")?
            .cat(view.stage(5, "is_frozen")?)
            .cat(view.stage(5, "source")?)
            .cat(view.stage(5, "accepted")?)
            .cat(view.kind(5)?);
        for (name, from) in [
            ("s6_valid", view.stage(5, "valid")?),
            ("s6_id", view.stage(5, "id")?),
            ("s6_user", user.when(view.stage(5, "valid")?, view.get("s6_user_q")?)),
            ("s7_valid", view.get("s6_valid_q")?),
            ("s7_id", view.get("s6_id_q")?),
            ("s7_user", view.get("s6_user_q")?),
        ] {
            expected.insert(name, from);
            actual.insert(name, after.get(&format!("{name}_q"))?);
        }
        expected.insert("s5_drawn", wire("control.core.draw")? | wire("control.core.indexed")?);
        actual.insert("s5_drawn", after.stage(5, "drawn")?);
        proof.equal("every stage hands its event on", &running, &expected, &actual)?;

        let seeds = view.stage(4, "live")? & view.kind(4)?.equals(kind(Kind::Seed));
        proof.claim(
            "bubbles draw nothing, and just a SEED seeds",
            &all,
            wire("entropy.seed")?.equals(seeds) & (wire("entropy.draw")?).implies(view.stage(4, "live")?),
        )?;

        let not_open = view.get("not_open_q")?;
        let counts = run & view.stage(5, "valid")? & !view.stage(5, "accepted")?;
        proof.claim(
            "events that were not accepted are counted, modulo 2^16",
            &[!reset],
            after.get("not_open_q")?.equals((not_open + Node::lit(16, 1)).when(counts, not_open)),
        )?;

        // In a stall, everything except the output side holds its value.
        let moves = |name: &str| name.starts_with("skid.") || name == "control.bdp_q";
        let hold = |signals: &Signals| -> Signals {
            signals
                .iter()
                .filter(|(name, _)| !moves(name))
                .map(|(name, node)| (name.to_owned(), node))
                .collect()
        };
        proof.equal(
            "a stall changes nothing",
            &[&all[..], &[!reset, !run]].concat(),
            &hold(&now),
            &hold(&next),
        )?;

        let live = [
            after.stage(1, "live")?,
            after.stage(2, "live")?,
            after.stage(3, "live")?,
            after.stage(4, "live")?,
        ];
        proof.claim(
            "reset empties it and leaves no draw, seed or write of a control word",
            &[reset],
            !Node::any(live)
                & !after.stage(5, "live")?
                & after.stage(4, "op")?.is_zero()
                & !after.get("s6_valid_q")?
                & !after.get("s7_valid_q")?
                & after.get("skid.running_q")?
                & !after.get("skid.offered_q")?
                & after.get("entropy.generator_q")?.equals(seeded::<Symbolic>(Symbolic::lit(0)).node()),
        )?;

        // The connections between the modules.
        let (mut expected, mut actual) = (Signals::new(), Signals::new());
        let mut same = |name: &str, a: Node, b: Node| {
            expected.insert(name, a);
            actual.insert(name, b);
        };
        for (port, register) in [
            ("id", "id"),
            ("slot", "slot"),
            ("write", "write"),
            ("given", "given"),
            ("read", "read"),
            ("drawn", "drawn"),
        ] {
            same(&format!("entropy.{port}"), view.stage(5, register)?, wire(&format!("entropy.{port}"))?);
        }
        for (port, core) in [("draw", "draw"), ("number", "entropy")] {
            same(
                &format!("entropy.{port}"),
                wire(&format!("control.core.{core}"))?,
                wire(&format!("entropy.{port}"))?,
            );
        }
        same("entropy.seed", view.stage(4, "op")?.slice(11, 1), wire("entropy.seed")?);
        same("entropy.seed_data", view.stage(4, "data")?, wire("entropy.seed_data")?);
        let in_2024 = inputs("cfg_mode")?.equals(Node::lit(2, 3));
        same("entropy.mode_2024", in_2024, wire("entropy.mode_2024")?);
        same("entropy.run", run, wire("entropy.run")?);
        same("front.run", run, wire("front.run")?);
        same("entropy.ev_base", inputs("cfg_ev_base")?, wire("entropy.ev_base")?);
        same("entropy.evs_size", inputs("cfg_evs_size")?, wire("entropy.evs_size")?);
        let decision = view.get("s7_id_q")?.cat(wire("entropy.ev")?).cat(view.get("s7_user_q")?);
        same("decision", decision, wire("skid.in_word")?);
        same("decision valid", view.get("s7_valid_q")?, wire("skid.in_valid")?);
        same("ready in", inputs("m_axis_decision_tready")?, wire("skid.out_ready")?);
        let output = |name: &str| self.design.outputs.node(name);
        let parts = output("m_axis_decision_tid")?
            .cat(output("m_axis_decision_tdata")?)
            .cat(output("m_axis_decision_tuser")?);
        same("decision out", wire("skid.out_word")?, parts);
        same("valid out", wire("skid.out_valid")?, output("m_axis_decision_tvalid")?);
        same("ready out", wire("front.event_ready")?, output("s_axis_event_tready")?);
        same("not open", view.get("not_open_q")?, output("stat_not_open_events")?);
        for (port, input) in [
            ("now", "now"),
            ("event_valid", "s_axis_event_tvalid"),
            ("event_id", "s_axis_event_tid"),
            ("event_data", "s_axis_event_tdata"),
            ("event_user", "s_axis_event_tuser"),
        ] {
            same(&format!("front.{port}"), inputs(input)?, wire(&format!("front.{port}"))?);
        }
        proof.equal("the modules are wired as the page says", &[], &expected, &actual)?;
        Ok(())
    }
}
