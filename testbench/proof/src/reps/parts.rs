//! The parts around the pipeline, each on its own: random numbers and cached entropy values, the
//! entry with its sweep.

use crate::Error;
use weft_nic::block::reps::Kind;
use weft_nic::part::prng;
use weft_params::RepsParams;
use weft_symbolic::{Design, Node, Proof, SignalError, Signals, Symbolic, Term};
use weft_word::{Domain, Word};

/// The design with inputs held at constants.
fn with(design: &Design, inputs: &[(&str, bool)]) -> Result<Design, SignalError> {
    let mut held = Signals::new();
    for (name, bit) in inputs {
        held.insert(*name, Node::bit(*bit));
    }
    let held = design.feed(&held)?;
    let mut design = design.clone();
    design.outputs = held.apply_to(&design.outputs);
    for state in design.states.values_mut() {
        state.next = held.apply([state.next])[0];
    }
    Ok(design)
}

/// Any values on the inputs, but the same CSRs: the inputs of another clock.
fn later(design: &Design, clock: u32) -> Signals {
    let csr = ["ev_base", "evs_size", "mode_2024", "clk"];
    let other = |(name, node): (&str, Node)| {
        let node =
            if csr.contains(&name) { node } else { Node::variable(&format!("{name}@{clock}"), node.width()) };
        (name.to_owned(), node)
    };
    design.inputs.iter().map(other).collect()
}

/// `weft_reps_entropy`, its RAM watched at one slot of one connection.
pub fn entropy(design: &Design, params: &RepsParams, proof: &mut Proof) -> Result<(), Error> {
    let input = |name: &str| design.inputs.node(name);
    let (reset, run) = (input("rst")?, input("run")?);
    let (now, next) = (design.registers(), design.next());
    let [draw, seed, mode_2024, write] =
        [input("draw")?, input("seed")?, input("mode_2024")?, input("write")?];
    let width = params.ev_width as usize;
    let generator = now.word::<32>("generator_q")?;
    let size = design.inputs.word::<17>("evs_size")?;

    let data = design.inputs.word::<32>("seed_data")?;
    let advanced = prng::advance::<Symbolic>(generator).node().when(run & draw, generator.node());
    let seeded = prng::seeded::<Symbolic>(data).node().when(run & seed, advanced);
    proof.claim(
        "the generator is seeded, advances once per draw, and else holds",
        &[!reset],
        next.node("generator_q")?.equals(seeded),
    )?;
    let ours = input("id")?.cat(input("slot")?).equals(design.wires.node("evs.address")?);
    let watched = now.node("evs.watched")?;
    proof.claim(
        "a slot holds what was last written to it",
        &[],
        next.node("evs.watched")?.equals(input("given")?.slice(0, width).when(run & write & ours, watched)),
    )?;
    proof.equal("a stall changes nothing", &[!reset, !run], &now, &next)?;

    // Three clocks that run, in which an event is in stage 4, 5 and 6; stalls between them change nothing.
    let running = with(design, &[("rst", false), ("run", true)])?;
    let mut second = running.next();
    second.extend(&later(design, 1));
    let mut third = running.feed(&second)?.apply_to(&running.next());
    third.extend(&later(design, 2));
    let mut fourth = running.feed(&third)?.apply_to(&running.next());
    fourth.extend(&later(design, 3));
    let answer = running.feed(&fourth)?.apply([running.outputs.node("ev")?])[0];
    let on_the_wire = |index: Term<16>| input("ev_base").map(|base| base + index.node().slice(0, width));
    let random = on_the_wire(prng::reduce::<Symbolic>(generator, size))?;
    let number = design.inputs.word::<8>("number")?.cat::<15, 23>(Symbolic::lit(0));
    let number = on_the_wire(prng::scale::<Symbolic>(number, size))?;
    let [drawn, read, write] = [second.node("drawn")?, second.node("read")?, second.node("write")?];
    let ours = second.node("id")?.cat(second.node("slot")?).equals(design.wires.node("evs.address")?);
    let held = second.node("evs.watched")?;
    for (name, assumptions, expected) in [
        ("a draw answers with base + reduce(state, size)", vec![!mode_2024, drawn], random),
        ("a number answers with base + its share of the size", vec![mode_2024, drawn], number),
        ("a read answers with what the slot held", vec![!drawn, read, !write, ours], held),
        ("nothing asked for answers 0", vec![!drawn, !read], Node::lit(width, 0)),
    ] {
        proof.satisfiable(&format!("it can be: {name}"), &assumptions)?;
        proof.claim(&format!("in stage 7, {name}"), &assumptions, answer.equals(expected))?;
    }
    Ok(())
}

/// `weft_reps_front`: one close for every connection after reset, connection 0 the last, then events in the
/// order of their arrival.
pub fn front(design: &Design, proof: &mut Proof) -> Result<(), Error> {
    let input = |name: &str| design.inputs.node(name);
    let (now, next) = (design.registers(), design.next());
    let (reset, run) = (input("rst")?, input("run")?);
    let (sweeping, sweep) = (now.node("sweeping_q")?, now.node("s1_id_q")?);
    let bit = Node::bit;
    let start = Signals::new()
        .with("sweeping_q", bit(true))
        .with("s1_id_q", Node::lit(sweep.width(), 0))
        .with("s1_live_q", bit(false))
        .with("s1_valid_q", bit(false));
    proof.equal(
        "reset begins the sweep ahead of connection 1 with nothing in hand",
        &[reset],
        &start,
        &next,
    )?;
    let close = Node::lit(4, Kind::Close as u128);
    let expected = Signals::new()
        .with("sweeping_q", sweeping & !(!sweep).is_zero())
        .with("s1_live_q", sweeping | input("event_valid")?)
        .with("s1_valid_q", !sweeping & input("event_valid")?)
        .with("s1_id_q", (sweep + Node::lit(sweep.width(), 1)).when(sweeping, input("event_id")?))
        .with("s1_user_q", close.when(sweeping, input("event_user")?))
        .with("s1_data_q", input("event_data")?)
        .with("s1_time_q", input("now")?);
    proof.equal(
        "the sweep closes one connection per clock, 0 after the last; then events pass as they come",
        &[!reset, run],
        &expected,
        &next,
    )?;
    proof.claim(
        "ready if and only if the pipeline runs and the sweep is over",
        &[],
        design.outputs.node("event_ready")?.equals(run & !sweeping),
    )?;
    Ok(())
}
