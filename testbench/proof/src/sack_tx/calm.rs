//! Claims about the model alone: after a calm event the rings say what is known, so that the transaction view need not
//! ask them.

use super::words::{Event, any_action, any_flow, any_published, any_rings, marked};
use crate::Error;
use crate::ring::word as word_of;
use weft_nic::block::sack_tx::{
    Csr, Flow, Place, Published, Rings, Stimulus, calm, judge, known, leave, mark, place, survey,
};
use weft_nic::part::ring::{Ring, SLOTS};
use weft_symbolic::{Proof, Symbolic, Term};
use weft_word::{Bit, Domain, Word};

/// When an event is calm; a test plants bugs in it.
pub type Calm =
    fn(&Published<Symbolic>, &Flow<Symbolic>, &Stimulus<Symbolic>, &Place<Symbolic>) -> Bit<Symbolic>;

/// As the model has it.
pub const CALM: Calm = calm;

/// All claims, of any event, whatever is published and remembered.
pub fn prove(calm: Calm, proof: &mut Proof) -> Result<(), Error> {
    let (event, found, flow) = (Event::any(), any_published("published"), any_flow("flow"));
    let stimulus = &event.stimulus;
    let rings = any_rings();
    let place = place(&any_csr(), &found, stimulus);
    let window: Term<24> = found.next - found.una;
    let in_window = found.open.node().implies(window.at_most(Symbolic::lit(SLOTS.into())).node());
    let calm = [in_window, calm(&found, &flow, stimulus, &place).node()];

    let (judged, beyond) = judge(&place, stimulus, &rings);
    proof.equal(
        "a calm event acknowledges nothing, loses nothing and makes nothing older",
        &calm,
        &marked(&rings, Symbolic::lit(0)),
        &marked(&judged, beyond),
    )?;

    // As `survey` has them inside, before the event and after it.
    let after = leave(&place, &rings);
    let turns = Ring::below(place.una.widen::<9>()) ^ Ring::all_when(place.turn);
    let sent = |window: Term<9>| Ring::<Symbolic>::span(place.una, window);
    let waited = (rings.acked ^ turns) & sent(place.window);
    let waiting = (after.acked ^ turns) & sent(place.window_after);
    // What was not sent is not acknowledged.
    let unsent =
        |rings: &Rings<Symbolic>, window: Term<9>| word_of(!(rings.acked ^ turns) & !sent(window)).is_zero();
    let before = unsent(&rings, place.window);
    proof.claim(
        "no event acknowledges what was not sent",
        &[in_window, before],
        unsent(&mark(&place, stimulus, &rings).0, place.window_after),
    )?;
    let assumptions = [&calm[..], &[before]].concat();
    let one = Ring::one(place.slot).when(place.fresh, Ring::none());
    proof.claim(
        "what waits for an ACK after it is what waited before, and the packet that leaves",
        &assumptions,
        word_of(waiting).equals(word_of(waited | one)),
    )?;
    proof.claim("which did not wait before", &assumptions, word_of(waited & one).is_zero())?;
    proof.claim(
        "of these the same are lost",
        &assumptions,
        word_of(waiting & after.lost).equals(word_of(waited & rings.lost)),
    )?;
    let lowest = (place.window.is_zero() | waited.get(place.una)).node();
    let known = known(&flow, &any_action().card, &place);
    proof.claim(
        "and the window begins where it did, if the lowest PSN was not acknowledged",
        &[&assumptions[..], &[lowest]].concat(),
        survey(&place, &after).run.equals(known.run).node(),
    )?;
    Ok(())
}

fn any_csr() -> Csr<Symbolic> {
    let of = |name: &str, class: usize| format!("cfg.{name}.{class}");
    Csr {
        mtu: Term::variable("cfg.mtu"),
        gap: std::array::from_fn(|class| Term::variable(&of("gap", class))),
        epoch: std::array::from_fn(|class| Term::variable(&of("epoch", class))),
        high: std::array::from_fn(|class| Term::variable(&of("high", class))),
        retry_limit: std::array::from_fn(|class| Term::variable(&of("retry limit", class))),
    }
}
