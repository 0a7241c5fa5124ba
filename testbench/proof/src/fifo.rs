//! `weft_fifo` of any depth is the queue that its page describes, for every state that is reached and every input.

use crate::{Claim, Error, Solvers, ram};
use weft_hdl::Module;
use weft_hdl::catalogue::Shape;
use weft_symbolic::{Design, Node, Proof, Prover, Signals, Yosys};

/// Depths that are proved: 2^3 to 2^11 words.
pub const DEPTHS: std::ops::RangeInclusive<usize> = 3..=11;

/// Bits of a word: the queue only stores words.
const WORD: usize = 4;

/// A queue: numbers of words written, committed and fetched since reset, modulo twice the space. Ghosts
/// contain the expected word at one arbitrary address of the memory, and the words read and offered from that
/// address.
struct Queue<'a> {
    design: &'a Design,
    depth: usize,
}

/// The invariant of its registers.
struct Held {
    level: Node,
    invariant: Node,
}

impl Queue<'_> {
    fn held(&self, registers: &Signals, ghosts: &[Node; 5]) -> Result<Held, Error> {
        let depth = self.depth;
        let get = |name: &str| registers.node(name);
        let (written, committed, fetched) = (get("written_q")?, get("committed_q")?, get("fetched_q")?);
        let most = Node::lit(depth + 1, 1 << depth);
        let level = written - fetched;
        let (full, pending) = (get("is_full_q")?, get("pending_q")?);
        let address = self.design.wires.node("ram.address")?;
        let [last, read_here, read, offered_here, offered] = *ghosts;
        // The address of a word that waits.
        let ahead = (address - fetched.slice(0, depth)).widen(depth + 1);
        let invariant = Node::all([
            !most.less(level),
            !level.less(committed - fetched),
            full.equals(level.equals(most)),
            full.implies(pending.equals(!written.equals(committed))),
            ahead.less(level).implies(get("ram.watched")?.equals(last)),
            (get("read_q")? & read_here).implies(get("ram.word")?.equals(read)),
            (get("offered_q")? & offered_here).implies(get("offered_word_q")?.equals(offered)),
        ]);
        Ok(Held { level, invariant })
    }
}

/// The claims about the queue in `modules` with space for 2^`depth` words.
pub fn prove(yosys: &Yosys, modules: &[Module], depth: usize, proof: &mut Proof) -> Result<(), Error> {
    let (word, room) = (WORD.to_string(), depth.to_string());
    let design = ram::watched_with(yosys, modules, "weft_fifo", &[("W", &word), ("D", &room)], "fifo")?;
    let input = |name: &str| design.inputs.node(name);
    let (reset, now) = (input("rst")?, design.registers());
    let get = |name: &str| now.node(name);
    let ghost = |name: &str, width| Node::variable(&format!("fifo.ghost.{name}"), width);
    let ghosts = [
        ghost("last", WORD),
        ghost("read_here", 1),
        ghost("read", WORD),
        ghost("offered_here", 1),
        ghost("offered", WORD),
    ];
    let queue = Queue { design: &design, depth };
    let before = queue.held(&now, &ghosts)?;

    // The rules of the page for one clock.
    let (written, committed, fetched) = (get("written_q")?, get("committed_q")?, get("fetched_q")?);
    let one = |bit: Node| bit.widen(depth + 1);
    let full = before.level.equals(Node::lit(depth + 1, 1 << depth));
    let put = input("in_valid")? & !full;
    let (commit, rollback) = (input("in_commit")?, input("in_rollback")?);
    let behind = written + one(put);
    let gives = input("out_ready")? | !get("offered_q")?;
    let fetches = gives | !get("read_q")?;
    let some = !fetched.equals(committed);
    let expected = Signals::new()
        .with("written_q", committed.when(rollback, behind))
        .with("committed_q", behind.when(commit & !rollback, committed))
        .with("fetched_q", fetched + one(fetches & some))
        .with("read_q", some.when(fetches, get("read_q")?))
        .with("offered_q", get("read_q")?.when(gives, get("offered_q")?));
    let nothing = Signals::new()
        .with("written_q", Node::lit(depth + 1, 0))
        .with("committed_q", Node::lit(depth + 1, 0))
        .with("fetched_q", Node::lit(depth + 1, 0))
        .with("read_q", Node::bit(false))
        .with("offered_q", Node::bit(false));
    let outputs = Signals::new()
        .with("level", before.level)
        .with("full", full)
        .with("out_valid", get("offered_q")?)
        .with("out_word", get("offered_word_q")?);

    // The value that the watched address must hold.
    let address = design.wires.node("ram.address")?;
    let [last, read_here, read, offered_here, offered] = ghosts;
    let here = |index: Node| index.slice(0, depth).equals(address);
    let next_ghosts = [
        input("in_word")?.when(put & here(written), last),
        here(fetched).when(fetches, read_here),
        last.when(fetches, read),
        read_here.when(gives, offered_here),
        read.when(gives, offered),
    ];
    let next = design.next();
    let after = queue.held(&next, &next_ghosts)?;

    let name = |what: &str| format!("2^{depth} words: {what}");
    let running = [before.invariant, !reset];
    proof.equal(&name("reset leaves no word"), &[reset], &nothing, &next)?;
    proof.claim(&name("reset leads into the invariant"), &[reset], after.invariant)?;
    proof.claim(&name("the invariant is kept"), &running, after.invariant)?;
    proof.equal(
        &name("words are written, committed, forgotten and fetched as the page says"),
        &running,
        &expected,
        &next,
    )?;
    proof.equal(
        &name("level, full and what is offered are those of its words"),
        &running,
        &outputs,
        &design.outputs,
    )?;
    let of_here = offered_here & get("offered_q")?;
    let word = design.outputs.node("out_word")?.equals(offered);
    proof.claim(
        &name("what is offered is the word that was written last for its place"),
        &[before.invariant, of_here],
        word,
    )?;
    Ok(())
}

/// The claims about `weft_fifo` in all [`DEPTHS`].
pub fn all(solvers: &Solvers, tell: &mut dyn FnMut(&[Claim])) -> Result<Vec<Claim>, Error> {
    let yosys = Yosys::find()?;
    let block = weft_hdl::catalogue::named("ingress").ok_or_else(|| Error::Module("weft_ingress".into()))?;
    let modules = (block.emit)(&Shape::of(4))?;
    let mut claims = Vec::new();
    for depth in DEPTHS {
        let mut proof = solvers.proof(Prover::default());
        prove(&yosys, &modules, depth, &mut proof)?;
        let decided = solvers.claims("fifo", &proof);
        tell(&decided);
        claims.extend(decided);
    }
    Ok(claims)
}
