//! Claims about the model: after a calm event the results of the rings are known, so the transaction view
//! need not compute them.

use super::words::{Event, any_action, any_flow, any_published, any_rings, marked};
use crate::Error;
use crate::slots::word as word_of;
use weft_nic::block::sack_tx::{
    Csr, Flow, Kind, Place, Published, Stimulus, calm, judge, known, leave, mark, place, survey,
};
use weft_nic::part::ring::{Ring, SLOTS};
use weft_symbolic::{Proof, Symbolic, Term};
use weft_word::{Bit, Domain, Word};

/// The condition under which an event is calm. A test plants bugs in it.
pub type Calm =
    fn(&Published<Symbolic>, &Flow<Symbolic>, &Stimulus<Symbolic>, &Place<Symbolic>) -> Bit<Symbolic>;

/// The condition of the model.
pub const CALM: Calm = calm;

/// Proves all claims, for any event, published state and remembered state.
pub fn prove(calm: Calm, proof: &mut Proof) -> Result<(), Error> {
    let (event, found, flow) = (Event::any(), any_published("published"), any_flow("flow"));
    let stimulus = &event.stimulus;
    let rings = any_rings();
    let place = place(&any_csr(), &found, stimulus);
    let window: Term<24> = found.next - found.una;
    let in_window = found.open.node().implies(window.at_most(Symbolic::lit(SLOTS.into())).node());
    let calm = [in_window, calm(&found, &flow, stimulus, &place).node()];

    let none = |ring: Ring<Symbolic>| word_of(ring).is_zero();
    let some_lost = none(rings.lost & !rings.waiting);
    let (judged, beyond) = judge(&place, stimulus, &rings);
    proof.equal(
        "a calm event acknowledges nothing, loses nothing and makes nothing older, if what is lost waits",
        &[&calm[..], &[some_lost]].concat(),
        &marked(&rings, Symbolic::lit(0)),
        &marked(&judged, beyond),
    )?;
    let (marked, _) = mark(&place, stimulus, &rings);
    proof.claim("after any event what is lost waits", &[in_window], none(marked.lost & !marked.waiting))?;

    // Waiting packets were sent.
    let after = leave(&place, &rings);
    let sent = |window: Term<9>| Ring::<Symbolic>::span(place.una, window);
    let one = Ring::one(place.slot).when(place.fresh, Ring::none());
    let assumptions = [&calm[..], &[some_lost, none(rings.waiting & !sent(place.window))]].concat();
    proof.claim(
        "what waits for an ACK after it is what waited before, and the packet that leaves",
        &assumptions,
        word_of(after.waiting).equals(word_of(rings.waiting | one)),
    )?;
    proof.claim("which did not wait before", &assumptions, none(rings.waiting & one))?;
    proof.claim(
        "of these the same are lost",
        &assumptions,
        word_of(after.lost).equals(word_of(rings.lost)),
    )?;
    let lowest = (place.window.is_zero() | rings.waiting.get(place.una)).node();
    let known = known(&flow, &any_action().card, &place);
    proof.claim(
        "and the window begins where it did, if the lowest PSN was not acknowledged",
        &[&assumptions[..], &[lowest]].concat(),
        survey(&place, &after).run.equals(known.run).node(),
    )?;

    // Any event of an open connection.
    let open = found.open & !(event.is(Kind::Open) | event.is(Kind::Close));
    let told = &place.told;
    let begins = (told.start - place.una).widen::<10>();
    let ends = begins + told.length.widen::<10>();
    let inside = told.length.is_zero() | ends.at_most(place.window.widen::<10>());
    proof.claim(
        "an ACK tells of PSNs that are published, and of no others; so what is not published waits on",
        &[in_window, open.node()],
        (inside & place.cumulative.at_most(place.window)).node(),
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
