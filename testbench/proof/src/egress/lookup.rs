//! The look-up of peers: a word of any connection finds the peer that its connection had one move after the
//! word was accepted.

use crate::ram::watched;
use crate::{Error, label};
use weft_hdl::Module;
use weft_symbolic::{Node, Proof, Signals, State, Yosys};

/// Adds the claims about the module `name`. One connection is watched; it is arbitrary.
pub fn prove(yosys: &Yosys, modules: &[Module], name: &str, proof: &mut Proof) -> Result<(), Error> {
    let mut design = watched(yosys, modules, name, name)?;
    let part = &label(name);
    let input = |name: &str| design.inputs.node(name);
    let address = design.wires.node("peers.address")?;
    let (reset, run) = (input("rst")?, input("run")?);
    let writes = input("we")? & input("waddr")?.equals(address);
    let now = design.registers();
    let watched = now.node("peers.watched")?;
    let written = input("wdata")?.when(writes, watched);
    // The peers that the words in stages 2 and 3 are to find, if they are of the connection.
    let due = |stage: usize| Node::variable(&format!("{name}.ghost.due{stage}"), watched.width());
    let (second, third) = (due(2), due(3));
    let (we, enters) = (input("we")?, input("in_valid")?);
    let (id, word) = (input("in_id")?, input("in_word")?);
    for (name, node, next) in [("ghost.due2", second, written), ("ghost.due3", third, second)] {
        design.states.insert(name.into(), State { node, init: None, next: next.when(run, node) });
    }
    let (now, next) = (design.registers(), design.next());
    let invariant = |registers: &Signals| -> Result<Node, Error> {
        let get = |name: &str| registers.node(name);
        let (valids, again) = (get("valids_q")?, get("s2_again_q")?);
        let ours = |stage: usize| {
            Ok::<_, Error>(valids.slice(stage - 1, 1) & get(&format!("s{stage}_id_q"))?.equals(address))
        };
        let (second, third) = (get("ghost.due2")?, get("ghost.due3")?);
        let read = get("peers.watched")?.when(again, get("peers.word")?);
        Ok(Node::all([
            ours(2)?.implies(read.equals(second)),
            ours(3)?.implies(get("peers.g_out.out")?.equals(third)),
            again.implies(valids.slice(1, 1)),
        ]))
    };
    let again = now.node("s2_again_q")?;
    // The block sets when the stages move, and never writes in two moves in a row.
    let asked = [!reset, run.implies(!again), !(we & again)];
    let (before, after) = (invariant(&now)?, invariant(&next)?);
    proof.claim(&format!("{part}: reset leads into the invariant"), &[reset], after)?;
    proof.claim(&format!("{part}: every clock keeps it"), &[before, asked[0], asked[1], asked[2]], after)?;
    let get = |name: &str| now.node(&format!("{name}_q"));
    let valids = get("valids")?;
    let ours = valids.slice(2, 1) & get("s3_id")?.equals(address);
    proof.claim(
        &format!(
            "{part}: a word has the peer of the move after it was accepted, that of this very clock, too"
        ),
        &[before, ours],
        design.outputs.node("peer")?.equals(third),
    )?;
    let held = |name: &str, loads: Node, value: Node| Ok::<_, Error>(value.when(loads, get(name)?));
    let moved = valids.slice(0, 2).cat(enters);
    let expected = Signals::new()
        .with("valids_q", Node::lit(3, 0).when(reset, held("valids", run, moved)?))
        .with("s1_id_q", held("s1_id", run, id)?)
        .with("s2_id_q", held("s2_id", run, get("s1_id")?)?)
        .with("s3_id_q", held("s3_id", run, get("s2_id")?)?)
        .with("s1_word_q", held("s1_word", run, word)?)
        .with("s2_word_q", held("s2_word", run & valids.slice(0, 1), get("s1_word")?)?)
        .with("s3_word_q", held("s3_word", run & valids.slice(1, 1), get("s2_word")?)?);
    proof.equal(&format!("{part}: words go on by a stage per move"), &[], &expected, &next)?;
    let shown = Signals::new()
        .with("valid", valids.slice(2, 1))
        .with("word", get("s3_word")?)
        .with("id", get("s3_id")?)
        .with("next_id", get("s2_id")?)
        .with("again", again);
    proof.equal(&format!("{part}: it shows the third stage"), &[], &shown, &design.outputs)?;
    Ok(())
}
