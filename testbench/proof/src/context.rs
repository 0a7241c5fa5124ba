//! A word for every connection: `Context`, which one event per clock reads and writes, and `Published`, which
//! the end of a pipeline writes and its beginning reads. The proofs of both watch an arbitrary connection.

use super::label;
use super::ram::watched;
use crate::Error;
use crate::moves::Moves;
use std::ops::RangeInclusive;
use weft_hdl::emit::Module;
use weft_symbolic::{Design, Node, Proof, SignalError, Signals, State, Yosys};

/// The stage that writes the RAM.
const WRITES: usize = 5;
/// The stage that computes the word.
const COMPUTES: usize = WRITES - 1;
/// The last stage that remembers a word. A read during the write of a word gets the word from that stage.
const END: usize = WRITES + 2;

type Found<T> = Result<T, SignalError>;

/// Adds the claims about the instance `name`, a `Context` or, with the prefix `rings.`, a `Store`. Ports may
/// have any value in every clock, so that an event can leave any word.
pub fn context(
    yosys: &Yosys,
    modules: &[Module],
    name: &str,
    prefix: &str,
    proof: &mut Proof,
) -> Result<(), Error> {
    let mut design = watched(yosys, modules, name, name)?;
    let context = Context { prefix, connection: design.wires.node(&format!("{prefix}ram.address"))? };
    context.remember(&mut design)?;
    let part = &label(name);
    let (now, next) = (design.registers(), design.next());
    let (reset, run) = (design.inputs.node("rst")?, design.inputs.node("run")?);
    let (before, after) = (context.invariant(&now)?, context.invariant(&next)?);
    let full = (2..=END).map(|stage| context.ours(&now, stage)).collect::<Found<Vec<_>>>()?;
    proof.satisfiable(
        &format!("{part}: every stage can hold an event of the connection"),
        &[&full[..], &[before]].concat(),
    )?;
    proof.claim(&format!("{part}: reset leads into the invariant"), &[reset], after)?;
    proof.claim(&format!("{part}: every clock keeps it"), &[before, !reset], after)?;

    let running = [before, !reset];
    let left = context.left(&now)?;
    // Ports of the module itself, or wires if the module is a part.
    let mut ports = design.wires.clone();
    ports.extend(&design.inputs);
    ports.extend(&design.outputs);
    let prior = ports.node(&format!("{prefix}prior"))?;
    let computes = context.ours(&now, COMPUTES)?;
    proof.claim(
        &format!("{part}: stage 4 has the word that the last older event of its connection left"),
        &[&running[..], &[computes]].concat(),
        prior.equals(left),
    )?;
    let leaves = run & computes;
    let word = ports.node(&format!("{prefix}word"))?;
    proof.claim(
        &format!("{part}: an event leaves its word, and nothing else changes what is left"),
        &running,
        context.left(&next)?.equals(word.when(leaves, left)),
    )?;
    let shown = [
        design.outputs.node("prior")?.equals(prior),
        design.outputs.node("after")?.equals(now.node(&format!("{prefix}s5_word_q"))?),
    ];
    proof.claim(&format!("{part}: it shows the word before and after"), &[], Node::all(shown))?;
    if !prefix.is_empty() {
        let (mark, clear) = (design.inputs.node("mark")?, design.inputs.node("clear")?);
        proof.claim(&format!("{part}: clears, then marks"), &[], word.equals((prior & !clear) | mark))?;
    }
    // Ghosts stall as well.
    let standing =
        design.feed(&Signals::new().with("run", Node::bit(false)).with("rst", Node::bit(false)))?;
    proof.equal(&format!("{part}: a stall changes nothing"), &[], &now, &standing.apply_to(&next))?;
    Ok(())
}

struct Context<'a> {
    prefix: &'a str,
    connection: Node,
}

impl Context<'_> {
    fn get(&self, registers: &Signals, name: &str) -> Found<Node> {
        registers.node(&format!("{}{name}", self.prefix))
    }

    /// Whether the stage contains an event of the watched connection.
    fn ours(&self, registers: &Signals, stage: usize) -> Found<Node> {
        let (live, id) = match stage {
            2..=WRITES => (format!("s{stage}_live_q"), format!("s{stage}_id_q")),
            _ => (format!("ghost.s{stage}_live"), format!("ghost.s{stage}_id")),
        };
        Ok(self.get(registers, &live)? & self.get(registers, &id)?.equals(self.connection))
    }

    /// Adds ghosts for state that the RTL does not need: the connections that were in stage 5 one and two
    /// moves ago.
    fn remember(&self, design: &mut Design) -> Found<()> {
        let (reset, run) = (design.inputs.node("rst")?, design.inputs.node("run")?);
        for stage in WRITES + 1..=END {
            for what in ["live", "id"] {
                let from = match stage - 1 {
                    WRITES => format!("s{WRITES}_{what}_q"),
                    earlier => format!("ghost.s{earlier}_{what}"),
                };
                let from = self.get(&design.registers(), &from)?;
                let name = format!("{}ghost.s{stage}_{what}", self.prefix);
                let node = Node::variable(&name, from.width());
                let moved = from.when(run, node);
                let next = if what == "live" { moved & !reset } else { moved };
                design.states.insert(name, State { node, init: None, next });
            }
        }
        Ok(())
    }

    /// The word of the last event of the watched connection that passed stage 4.
    fn left(&self, registers: &Signals) -> Found<Node> {
        let written = self.get(registers, "ram.watched")?;
        Ok(self.get(registers, "s5_word_q")?.when(self.ours(registers, WRITES)?, written))
    }

    /// The invariant of every clock after a reset.
    fn invariant(&self, registers: &Signals) -> Found<Node> {
        let get = |name: &str| self.get(registers, name);
        let ours = (0..=END)
            .map(|stage| if stage < 2 { Ok(Node::bit(false)) } else { self.ours(registers, stage) })
            .collect::<Found<Vec<_>>>()?;
        let any = |stages: std::ops::RangeInclusive<usize>| Node::any(stages.map(|stage| ours[stage]));
        let bit = |name: &str, at| Ok::<_, SignalError>(get(name)?.slice(at, 1));
        let written = get("ram.watched")?;
        let mut all = Vec::new();

        // Events have the connections of the events up to four moves ahead.
        for i in 0..4 {
            all.push(ours[2].implies(bit("s2_near_q", i)?.equals(ours[3 + i])));
        }
        all.push(ours[3].implies(get("s3_near1_q")?.equals(ours[4])));
        all.push(ours[4].implies(get("s4_near1_q")?.equals(ours[5])));
        let pick = Node::lit(2, 3).when(ours[7], Node::lit(2, 0));
        let pick = Node::lit(2, 1).when(ours[5], Node::lit(2, 2).when(ours[6], pick));
        all.push(ours[3].implies(get("s3_pick_q")?.equals(pick)));

        // The RAM has the word written last, even while stages remember it too.
        all.push(ours[6].implies(get("s6_word_q")?.equals(written)));
        all.push((ours[7] & !ours[6]).implies(get("s7_word_q")?.equals(written)));

        // A word read is the word in the RAM, unless an event ahead has the word or brings it.
        all.push((ours[2] & !any(3..=6)).implies(get("ram.word")?.equals(written)));
        all.push((ours[3] & !any(4..=7)).implies(get("ram.g_out.out")?.equals(written)));
        all.push((ours[4] & !ours[5]).implies(get("s4_word_q")?.equals(written)));
        Ok(Node::all(all))
    }
}

/// The numbers of moves for which a `Wait` can store a word.
const WAITS: RangeInclusive<usize> = 2..=15;
/// A word of more bits is wide.
const WIDE: usize = 512;

/// Adds the claims about the instance `name`, a `Wait`: from any clock on, the watched word that is written
/// first.
pub fn wait(yosys: &Yosys, modules: &[Module], name: &str, proof: &mut Proof) -> Result<(), Error> {
    let design = watched(yosys, modules, name, name)?;
    let part = &label(name);
    let word = Node::variable(&format!("@0.{name}.word"), design.inputs.node("word")?.width());
    let mut comes = vec![design.outputs.node("late")?.equals(design.registers().node("ram.word")?)];
    for moves in WAITS {
        let told = Signals::new()
            .with("clocks", Node::lit(4, moves as u128))
            .with("rst", Node::bit(false))
            .with("en", Node::bit(true));
        let mut at = Moves::new(&design, &told)?;
        let first = at.at("place_q", 0)?.equals(at.wire("ram.address", 0)?);
        comes.push(first.implies(at.at("ram.word", moves)?.equals(word)));
    }
    // One claim about the whole of a wide word would be large.
    let claims = if word.width() > WIDE { comes.len() } else { 1 };
    for (at, comes) in comes.chunks(comes.len().div_ceil(claims)).enumerate() {
        let part_of = if claims > 1 { format!(", {} of {claims}", at + 1) } else { String::new() };
        proof.claim(
            &format!("{part}: a word comes out as many moves later as is told, 2 to 15{part_of}"),
            &[],
            Node::all(comes.iter().copied()),
        )?;
    }
    let standing = design.feed(&Signals::new().with("rst", Node::bit(false)).with("en", Node::bit(false)))?;
    proof.equal(
        &format!("{part}: a stall changes nothing"),
        &[],
        &design.registers(),
        &standing.apply_to(&design.next()),
    )?;
    Ok(())
}

/// Adds the claims about the instance `name`, a `Published`.
pub fn published(yosys: &Yosys, modules: &[Module], name: &str, proof: &mut Proof) -> Result<(), Error> {
    let mut design = watched(yosys, modules, name, name)?;
    let connection = design.wires.node("ram.address")?;
    let part = &label(name);
    let input = |name: &str| design.inputs.node(name);
    let (run, writes) = (input("run")?, input("we")? & input("waddr")?.equals(connection));
    let (asks, word) = (input("raddr")?.equals(connection), input("wdata")?);
    // The word that a reader is to find: the word written last, including one written in the same clock.
    let watched = design.registers().node("ram.watched")?;
    let written = word.when(writes, watched);
    let ghost = |name: &str, width| Node::variable(&format!("{name}.ghost.{name}"), width);
    let (asked, due) = (ghost("asked", 1), ghost("due", word.width()));
    let (asked_before, due_before) = (ghost("asked_before", 1), ghost("due_before", word.width()));
    for (name, node, next) in [
        ("ghost.asked", asked, asks),
        ("ghost.due", due, written),
        ("ghost.asked_before", asked_before, asked),
        ("ghost.due_before", due_before, due),
    ] {
        design.states.insert(name.into(), State { node, init: None, next: next.when(run, node) });
    }
    let read = |registers: &Signals| -> Found<(Node, Node)> {
        let get = |name: &str| registers.node(name);
        let second = get("s2_word_q")?.when(get("s2_same_q")?, get("ram.word")?);
        let third = get("s3_word_q")?.when(get("s3_same_q")?, get("ram.g_out.out")?);
        Ok((
            get("ghost.asked")?.implies(second.equals(get("ghost.due")?)),
            get("ghost.asked_before")?.implies(third.equals(get("ghost.due_before")?)),
        ))
    };
    let (now, next) = (design.registers(), design.next());
    let ((second, third), (second_next, third_next)) = (read(&now)?, read(&next)?);
    proof.claim(
        &format!("{part}: the RAM's word is the one last written"),
        &[],
        next.node("ram.watched")?.equals(written),
    )?;
    proof.claim(
        &format!("{part}: a move after a read, its word is the one last written, in the same clock even"),
        &[second],
        second_next,
    )?;
    proof.claim(&format!("{part}: and two moves after"), &[second, third], third_next)?;
    proof.claim(
        &format!("{part}: which is what it shows"),
        &[third, asked_before],
        design.outputs.node("rdata")?.equals(due_before),
    )?;
    let held: Signals = now
        .iter()
        .filter(|(name, _)| *name != "ram.watched")
        .map(|(name, node)| (name.to_owned(), node))
        .collect();
    let standing = design.feed(&Signals::new().with("run", Node::bit(false)))?;
    proof.equal(
        &format!("{part}: a reader that stands keeps its words"),
        &[],
        &held,
        &standing.apply_to(&next),
    )?;
    Ok(())
}
