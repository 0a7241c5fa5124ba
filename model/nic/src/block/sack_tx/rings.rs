//! The rules of the rings: the effects of an event on the rings, and their evaluation after the event.

use super::state::{Flow, Kind, Published, Rings, Stimulus};
use super::step::{Card, Place, Survey};
use crate::part::ring::Ring;
use weft_word::{Bit, Domain, Word};

/// Rules 4 to 9: the rings after the event, and whether an ACK's bitmap acknowledged PSNs never sent.
#[inline(always)]
pub fn mark<D: Domain, const S: usize, const N: usize, const L: usize>(
    place: &Place<D, S, N>,
    stimulus: &Stimulus<D>,
    rings: &Rings<D, L>,
) -> (Rings<D, L>, Bit<D>) {
    let (judged, beyond) = judge(place, stimulus, rings);
    (leave(place, &judged), beyond)
}

/// Packets that become acknowledged, lost and older.
#[inline(always)]
pub fn judge<D: Domain, const S: usize, const N: usize, const L: usize>(
    place: &Place<D, S, N>,
    stimulus: &Stimulus<D>,
    rings: &Rings<D, L>,
) -> (Rings<D, L>, Bit<D>) {
    let bitmap = stimulus.bitmap.when(stimulus.is(Kind::Ack), Ring::none());
    let bitmap = bitmap.rotated(place.bitmap_from.slice::<0, 8>());
    let told = place.told.ring::<L>();
    let beyond = (bitmap & !told.folded()).any() & place.current;
    let told = bitmap.tiled() & told;
    let waiting = rings.waiting & !(told | Ring::span(place.una, place.cumulative));
    // Rules 5 to 7: packets of this age, and a PSN of any age.
    let run = Ring::span(place.una, place.judged);
    let old = rings.age_low & Ring::all_when(place.judges);
    let here = Ring::one(place.slot).when(place.loses, Ring::none());
    // Rule 20: one more, up to 3.
    let epoch = Ring::all_when(stimulus.is(Kind::Epoch) & place.accepted);
    let changed = epoch & !(rings.age_high & rings.age_low);
    let aging = epoch & rings.age_low;
    let after = Rings {
        waiting,
        lost: (rings.lost | rings.age_high & (run | old) | here) & waiting,
        age_low: rings.age_low ^ changed,
        age_high: rings.age_high | aging,
    };
    (after, beyond)
}

/// The slot of a packet that leaves.
#[inline(always)]
pub fn leave<D: Domain, const S: usize, const N: usize, const L: usize>(
    place: &Place<D, S, N>,
    rings: &Rings<D, L>,
) -> Rings<D, L> {
    let here = Ring::one(place.slot).when(place.send, Ring::none());
    Rings {
        waiting: rings.waiting | here.when(place.fresh, Ring::none()),
        lost: rings.lost & !here,
        age_low: rings.age_low & !here,
        age_high: rings.age_high & !here,
    }
}

/// Rule 10: the window after the event. The window follows from the rings alone, which are exact.
#[inline(always)]
pub fn survey<D: Domain, const S: usize, const N: usize, const L: usize>(
    place: &Place<D, S, N>,
    rings: &Rings<D, L>,
) -> Survey<D, S, N> {
    let (found, first) = rings.waiting.first_from(place.una);
    let (_, first_lost) = rings.lost.first_from(place.una);
    Survey {
        run: (first - place.una).widen::<N>().when(found, place.window_after),
        unacked: rings.waiting.count(),
        lost: rings.lost.count(),
        first_lost: first_lost - place.una,
    }
}

/// Whether the block has no earlier event of the connection, and the event is a message, a window or a packet
/// that leaves for the first time. In this case [`judge`] leaves the rings unchanged, and [`survey`] finds
/// the [`known`] values; the proof has a claim for both.
#[inline(always)]
pub fn calm<D: Domain, const S: usize, const N: usize>(
    published: &Published<D, N>,
    flow: &Flow<D, N>,
    stimulus: &Stimulus<D>,
    place: &Place<D, S, N>,
) -> Bit<D> {
    let now = &flow.published;
    let open = published.open & now.open;
    let window = published.una.equals(now.una) & published.next.equals(now.next);
    let newest = open & window & published.origin.equals(now.origin);
    let next = place.fresh & stimulus.psn.equals(now.next);
    newest & (stimulus.is(Kind::Post) | stimulus.is(Kind::Window) | next)
}

/// The result of [`survey`] after a [`calm`] event of a connection with this card.
#[inline(always)]
pub fn known<D: Domain, const S: usize, const N: usize>(
    flow: &Flow<D, N>,
    card: &Card<D>,
    place: &Place<D, S, N>,
) -> Survey<D, S, N> {
    Survey {
        run: D::lit(0),
        unacked: flow.unacked + place.fresh.widen::<N>(),
        lost: flow.lost,
        first_lost: (card.psn - flow.published.una).slice::<0, S>(),
    }
}
