//! Parts of the blocks that the blocks' proofs do not cover, each proved once for all users: counter, sum,
//! fence, both converters of widths, and the completions behind a converter. The claims state what the pages
//! of these parts promise, for every reachable state and every input.

use crate::{Claim, Error, Solvers, alone, design, fifo, read};
use weft_hdl::catalogue::{Shape, named};
use weft_hdl::{Floor, Module};
use weft_symbolic::{Node, Proof, Prover, Signals, Yosys};

/// The module that keeps completions behind payload in a NIC with narrow streams.
const BEHIND: &str = "weft_nic_received_behind";

/// Bits of a fence's count that are proved.
pub const FENCES: std::ops::RangeInclusive<usize> = 1..=12;

/// `weft_counter` and `weft_sum`: the amount is added modulo the width, and only where `asks` is set.
pub fn adds(
    yosys: &Yosys,
    modules: &[Module],
    module: &str,
    (asks, amount, shown): (&str, &str, &str),
    proof: &mut Proof,
) -> Result<(), Error> {
    let design = design(yosys, modules, module, module)?;
    let (reset, asks) = (design.inputs.node("rst")?, design.inputs.node(asks)?);
    let total = design.registers().node("total_q")?;
    let width = total.width();
    let amount = match amount {
        "" => Node::lit(width, 1),
        name => design.inputs.node(name)?.widen(width),
    };
    let expected =
        Signals::new().with("next", Node::lit(width, 0).when(reset, (total + amount).when(asks, total)));
    let actual = Signals::new().with("next", design.next().node("total_q")?);
    proof.equal(
        &format!("{module}: a clock adds what it is given, modulo 2^{width}"),
        &[],
        &expected,
        &actual,
    )?;
    proof.claim(
        &format!("{module}: it shows the register"),
        &[],
        design.outputs.node(shown)?.equals(total),
    )?;
    Ok(())
}

/// `weft_fence` with counts of `width` bits. The proof watches any one of the items inside: its place from
/// the front, and whether it entered before the wait.
pub fn fence(yosys: &Yosys, modules: &[Module], width: usize, proof: &mut Proof) -> Result<(), Error> {
    let design = read(yosys, modules, "weft_fence", &[("W", &width.to_string())], "fence", None)?;
    let input = |name: &str| design.inputs.node(name);
    let (reset, comes, goes, waits) = (input("rst")?, input("comes")?, input("goes")?, input("waits")?);
    let ghost = |name: &str, width| Node::variable(&format!("fence.ghost.{name}"), width);
    // 0: the watched item is not inside.
    let (place, old, chosen) = (ghost("place", width), ghost("old", 1), ghost("chosen", 1));
    let one = |bit: Node| bit.widen(width);
    let zero = Node::lit(width, 0);
    let invariant = |registers: &Signals, place: Node, old: Node| -> Result<Node, Error> {
        let (inside, left) = (registers.node("held_q")?, registers.node("left_q")?);
        let here = !place.is_zero();
        Ok(Node::all([
            !inside.less(left),
            !inside.less(place),
            (here & old).implies(!left.less(place)),
            (here & !old).implies(left.less(place)),
        ]))
    };
    let (now, next) = (design.registers(), design.next());
    let inside = now.node("held_q")?;
    let enters = comes & chosen & place.is_zero();
    let moved =
        (inside + one(comes) - one(goes)).when(enters, (place - one(goes)).when(!place.is_zero(), zero));
    // The wait excludes items that enter from its first clock on.
    let old_next = !waits | (!enters & old);
    let before = invariant(&now, place, old)?;
    // Only items inside leave, and there is space for entering items.
    let most = Node::lit(width, (1u128 << width) - 1);
    let fair = [!reset, before, goes.implies(!inside.is_zero()), comes.implies(!inside.equals(most))];
    let name = |what: &str| format!("fence of {width} bits: {what}");
    proof.claim(
        &name("reset leaves nothing inside"),
        &[reset],
        next.node("held_q")?.is_zero() & next.node("left_q")?.is_zero(),
    )?;
    proof.claim(&name("reset leads into the invariant"), &[reset], invariant(&next, zero, old_next)?)?;
    proof.claim(&name("the invariant is kept"), &fair, invariant(&next, moved, old_next)?)?;
    proof.equal(
        &name("it counts what is inside"),
        &fair,
        &Signals::new().with("inside", inside + one(comes) - one(goes)),
        &Signals::new().with("inside", next.node("held_q")?),
    )?;
    let ahead = design.outputs.node("ahead")?;
    let (here, reached) = (!place.is_zero(), !ahead.less(place));
    proof.claim(
        &name("`ahead` counts the items that are inside since before the wait, and no others"),
        &[before, here],
        reached.equals(old),
    )?;
    proof.claim(
        &name("without a wait it counts all"),
        &[!reset, !waits],
        next.node("left_q")?.equals(next.node("held_q")?),
    )?;
    Ok(())
}

/// `weft_widen`: any byte of the wide word is the byte of the narrow word that arrived for its place.
pub fn widen(yosys: &Yosys, modules: &[Module], proof: &mut Proof) -> Result<(), Error> {
    let design = design(yosys, modules, "weft_widen", "widen")?;
    let input = |name: &str| design.inputs.node(name);
    let (now, next) = (design.registers(), design.next());
    let (reset, ready) = (input("rst")?, input("out_ready")?);
    let width = input("in_data")?.width();
    let bytes = width / 8;
    let (place, step) = (now.node("place_q")?, Node::lit(2, bytes as u128 / 16));
    // The watched byte; the value expected of it; the narrow words of the present wide word.
    let watched = Node::variable("widen.byte", 6);
    let (byte, counts) = (Node::variable("widen.ghost.byte", 8), Node::variable("widen.ghost.counts", 1));
    let whole = now.node("whole_q")?;
    let taken = input("in_valid")? & design.outputs.node("in_ready")?;
    let ends = input("in_last")? | (place + step).is_zero();
    let at = |word: Node, index: Node, size: usize| {
        let wide = word.width().max(16);
        word.widen(wide).shift_right(index.widen(wide) * Node::lit(wide, size as u128)).slice(0, size)
    };
    let quarter = watched.slice(4, 2);
    let is_here = !quarter.less(place) & (quarter - place).less(step);
    let within = watched - place.cat(Node::lit(4, 0));
    let here_byte = at(input("in_data")?, within, 8);
    let here_counts = at(input("in_keep")?, within, 1);
    let first = place.is_zero();
    let next_of = |here: Node, old: Node| {
        let nothing = Node::lit(here.width(), 0);
        here.when(is_here, nothing.when(first, old)).when(taken, old)
    };
    let shown = |registers: &Signals| -> Result<(Node, Node), Error> {
        let quarter = |name: &str| {
            (1..4).try_fold(registers.node(&format!("{name}_0_q"))?, |low, i| {
                Ok::<_, Error>(registers.node(&format!("{name}_{i}_q"))?.cat(low))
            })
        };
        Ok((at(quarter("data")?, watched, 8), at(quarter("keep")?, watched, 1)))
    };
    let invariant = |registers: &Signals, byte: Node, counts: Node| -> Result<Node, Error> {
        let (place, (shown, keep)) = (registers.node("place_q")?, shown(registers)?);
        let began = !place.is_zero() | registers.node("whole_q")?;
        let aligned = if bytes == 32 { !place.slice(0, 1) } else { Node::bit(true) };
        Ok(Node::all([aligned, began.implies(shown.equals(byte) & keep.equals(counts))]))
    };
    let before = invariant(&now, byte, counts)?;
    let after = invariant(&next, next_of(here_byte, byte), next_of(here_counts, counts))?;
    let name = |what: &str| format!("widen, {width} bits: {what}");
    proof.claim(
        &name("reset leaves nothing"),
        &[reset],
        next.node("place_q")?.is_zero() & !next.node("whole_q")?,
    )?;
    proof.claim(
        &name("every byte is the one that came for its place, or does not count"),
        &[!reset, before],
        after,
    )?;
    let expected = Signals::new()
        .with("place", Node::lit(2, 0).when(ends, place + step).when(taken, place))
        .with("offered", (taken & ends).when(ready | !whole, whole))
        .with("last", input("in_last")?.when(taken, now.node("last_q")?))
        .with("user", (input("in_last")? & input("in_user")?).when(taken, now.node("user_q")?));
    let actual = Signals::new()
        .with("place", next.node("place_q")?)
        .with("offered", next.node("whole_q")?)
        .with("last", next.node("last_q")?)
        .with("user", next.node("user_q")?);
    proof.equal(&name("a wide word ends with its last place or its frame"), &[!reset], &expected, &actual)?;
    let outputs = Signals::new()
        .with("in_ready", !whole | ready)
        .with("out_valid", whole)
        .with("out_last", now.node("last_q")?)
        .with("out_user", now.node("user_q")?);
    let shows = Signals::new().with("byte", byte).with("counts", counts);
    let out = Signals::new()
        .with("byte", at(design.outputs.node("out_data")?, watched, 8))
        .with("counts", at(design.outputs.node("out_keep")?, watched, 1));
    proof.equal(&name("it offers what is assembled"), &[before, whole], &shows, &out)?;
    proof.equal(
        &name("its ports are functions of registers, but for in_ready"),
        &[],
        &outputs,
        &design.outputs,
    )?;
    Ok(())
}

/// `weft_narrow`, in the module with this name: the parts of a wide word enter the queue at the output one by
/// one.
pub fn narrow(yosys: &Yosys, modules: &[Module], module: &str, proof: &mut Proof) -> Result<(), Error> {
    let design = design(yosys, modules, module, module)?;
    let input = |name: &str| design.inputs.node(name);
    let (now, next) = (design.registers(), design.next());
    let get = |name: &str| now.node(name);
    let reset = input("rst")?;
    let width = design.outputs.node("out_data")?.width();
    let bytes = width / 8;
    let side = get("side_q")?;
    let (cuts, place, run) = (get("cuts_q")?, get("place_q")?, get("skid.running_q")?);
    let step = Node::lit(2, bytes as u128 / 16);
    let following = place + step;
    let at = |word: Node, size: usize| {
        let wide = word.width();
        let amount = place.widen(wide) * Node::lit(wide, (wide / 4) as u128);
        word.shift_right(amount).slice(0, size)
    };
    let keep = get("keep_q")?;
    // A further part follows if its first byte counts.
    let first_byte = keep.shift_right(following.widen(64) * Node::lit(64, 16)).slice(0, 1);
    let goes_on = !following.is_zero() & first_byte;
    let done = !cuts | (run & !goes_on);
    let taken = input("in_valid")? & done;
    let aligned = |place: Node| if bytes == 32 { !place.slice(0, 1) } else { Node::bit(true) };
    let name = |what: &str| format!("{}, {width} bits: {what}", crate::label(module));
    proof.claim(&name("reset leaves nothing to cut"), &[reset], !next.node("cuts_q")?)?;
    proof.claim(
        &name("parts begin where one can"),
        &[reset | aligned(place)],
        aligned(next.node("place_q")?),
    )?;
    let word = |name: &str, port: &str| Ok::<_, Error>(input(port)?.when(taken, get(name)?));
    let expected = Signals::new()
        .with("cuts", input("in_valid")?.when(done, cuts))
        .with("place", Node::lit(2, 0).when(done, following.when(run, place)))
        .with("data", word("data_q", "in_data")?)
        .with("keep", word("keep_q", "in_keep")?)
        .with("last", word("last_q", "in_last")?)
        .with("side", word("side_q", "in_side")?);
    let actual = Signals::new()
        .with("cuts", next.node("cuts_q")?)
        .with("place", next.node("place_q")?)
        .with("data", next.node("data_q")?)
        .with("keep", next.node("keep_q")?)
        .with("last", next.node("last_q")?)
        .with("side", next.node("side_q")?);
    proof.equal(
        &name("a word is cut part by part, and the next one follows the last part"),
        &[!reset, aligned(place)],
        &expected,
        &actual,
    )?;
    let last = !goes_on & get("last_q")?;
    let part = side.cat(last).cat(at(keep, bytes)).cat(at(get("data_q")?, width));
    proof.equal(
        &name("what goes to the output is the part, what is beside it, and `last` with the last part alone"),
        &[aligned(place)],
        &Signals::new().with("valid", cuts).with("word", part),
        &Signals::new()
            .with("valid", design.wires.node("skid.in_valid")?)
            .with("word", design.wires.node("skid.in_word")?),
    )?;
    let out = design.wires.node("skid.out_word")?;
    let expected = Signals::new()
        .with("in_ready", done)
        .with("idle", !cuts & run & !get("skid.offered_q")?)
        .with("out_valid", get("skid.offered_q")?)
        .with("out_data", out.slice(0, width))
        .with("out_keep", out.slice(width, bytes))
        .with("out_last", out.slice(width + bytes, 1))
        .with("out_side", out.slice(width + bytes + 1, side.width()));
    proof.equal(&name("its ports are those of its queue"), &[], &expected, &design.outputs)?;
    Ok(())
}

/// `weft_nic_received_behind`: a completion is offered when the words in front of it have left the converter.
pub fn behind(yosys: &Yosys, modules: &[Module], proof: &mut Proof) -> Result<(), Error> {
    let design = design(yosys, modules, BEHIND, "behind")?;
    let input = |name: &str| design.inputs.node(name);
    let (now, next) = (design.registers(), design.next());
    let (reset, some) = (input("rst")?, now.node("some_q")?);
    // Narrow words in front of the completion that are in the converter: at most those of a wide word, and two.
    const HELD: u128 = 6;
    let (held, came) = (Node::variable("behind.ghost.held", 3), Node::variable("behind.ghost.came", 3));
    let taken = input("in_valid")? & !some;
    let leaves = input("leaves")? & !held.is_zero();
    let held_next = came.when(taken, held - leaves.widen(3));
    let invariant = |registers: &Signals, held: Node| -> Result<Node, Error> {
        Ok(registers.node("some_q")?.implies(!registers.node("left_q")?.less(held)))
    };
    let before = invariant(&now, held)?;
    let assumed = [!reset, before, !Node::lit(3, HELD).less(came), input("idle")?.implies(held.is_zero())];
    let name = |what: &str| format!("behind: {what}");
    proof.claim(&name("reset leaves no completion"), &[reset], !next.node("some_q")?)?;
    proof.claim(
        &name("it waits for as many words as are in front"),
        &assumed,
        invariant(&next, held_next)?,
    )?;
    proof.claim(
        &name("what is offered has no word in front"),
        &[before, design.outputs.node("out_valid")?],
        held.is_zero(),
    )?;
    let due = some & now.node("left_q")?.is_zero();
    let expected = Signals::new()
        .with("some", Node::bit(true).when(taken, some & !(due & input("out_ready")?)))
        .with("word", input("in_word")?.when(taken, now.node("word_q")?));
    let actual = Signals::new().with("some", next.node("some_q")?).with("word", next.node("word_q")?);
    proof.equal(&name("one completion, kept until it is taken"), &[!reset], &expected, &actual)?;
    let shown =
        Signals::new().with("in_ready", !some).with("out_valid", due).with("out_word", now.node("word_q")?);
    proof.equal(&name("its ports are registers"), &[], &shown, &design.outputs)?;
    // An empty converter does not delay the completion.
    proof.claim(
        &name("with an empty converter it is offered a clock later"),
        &[!reset, some, !due, input("idle")?],
        next.node("left_q")?.is_zero() & next.node("some_q")?,
    )?;
    Ok(())
}

/// The NIC of this width, of the fewest connections.
fn nic(width: u32) -> Result<Vec<Module>, Error> {
    let nic = named("nic").ok_or_else(|| Error::Module("weft_nic".into()))?;
    Ok((nic.emit)(&Shape { width, ..Shape::of(4) })?)
}

/// The parts and primitives of `modules`, and the module behind a converter. With them yosys need not read
/// the blocks.
fn small(modules: &[Module]) -> Vec<Module> {
    let is_small = |module: &&Module| module.floor != Floor::Block || module.name == BEHIND;
    modules.iter().filter(is_small).cloned().collect()
}

/// Proves the converters of `modules`, a NIC with narrow streams, and the module behind one.
pub fn converters(yosys: &Yosys, modules: &[Module], proof: &mut Proof) -> Result<(), Error> {
    let modules = &small(modules)[..];
    widen(yosys, modules, proof)?;
    let narrows = modules.iter().filter(|module| module.name.starts_with("weft_narrow"));
    narrows.map(|module| module.name.as_str()).try_for_each(|name| narrow(yosys, modules, name, proof))?;
    behind(yosys, modules, proof)
}

/// The parts of `modules`, a NIC, that every width has.
pub fn of_all(
    yosys: &Yosys,
    modules: &[Module],
    fences: impl Iterator<Item = usize>,
    proof: &mut Proof,
) -> Result<(), Error> {
    let parts = &small(modules)[..];
    adds(yosys, parts, "weft_counter", ("one", "", "count"), proof)?;
    adds(yosys, parts, "weft_sum", ("add", "amount", "sum"), proof)?;
    for width in fences {
        fence(yosys, parts, width, proof)?;
    }
    // Every fence has a width that is proved.
    let widths = alone::of_kind(modules, "weft_fence");
    let number = |(_, parameters): &(String, Vec<(&str, &str)>)| {
        parameters.iter().find(|(name, _)| *name == "W").and_then(|(_, value)| value.parse::<usize>().ok())
    };
    let known = widths.iter().all(|found| number(found).is_some_and(|width| FENCES.contains(&width)));
    proof.claim("every fence counts in bits that are proved", &[], Node::bit(known && !widths.is_empty()))?;
    Ok(())
}

/// All claims of parts.
pub fn all(solvers: &Solvers, tell: &mut dyn FnMut(&[Claim])) -> Result<Vec<Claim>, Error> {
    let yosys = Yosys::find()?;
    let mut claims = Vec::new();
    for width in [128, 256] {
        let modules = nic(width)?;
        let mut proof = solvers.proof(Prover::default());
        if claims.is_empty() {
            of_all(&yosys, &modules, FENCES, &mut proof)?;
        }
        converters(&yosys, &modules, &mut proof)?;
        let decided = solvers.claims("parts", &proof);
        tell(&decided);
        claims.extend(decided);
    }
    Ok(claims)
}

/// The claims about `weft_fifo` and `weft_fence` of these depths (as powers of 2) and widths, and that the
/// modules whose names begin so have no other depths or widths.
pub fn queues(
    yosys: &Yosys,
    modules: &[Module],
    (begin, rooms, fences): (&str, &[usize], &[usize]),
    proof: &mut Proof,
) -> Result<(), Error> {
    for &room in rooms {
        fifo::prove(yosys, modules, room, proof)?;
    }
    for &width in fences {
        fence(yosys, modules, width, proof)?;
    }
    let is_one_of = |kind: &str, parameter: &str, known: &[usize]| {
        let of = |path: &str, given: &[(&str, &str)]| {
            let value =
                given.iter().find(|(name, _)| *name == parameter).and_then(|(_, value)| value.parse().ok());
            path.starts_with(begin) && value.is_some_and(|value| known.contains(&value))
        };
        alone::of_kind(modules, kind).iter().all(|(path, given)| of(path, given))
    };
    proof.claim(
        "every queue and every fence has one of these sizes",
        &[],
        Node::bit(is_one_of("weft_fifo", "D", rooms) & is_one_of("weft_fence", "W", fences)),
    )?;
    Ok(())
}
