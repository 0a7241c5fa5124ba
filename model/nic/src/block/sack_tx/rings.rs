//! The rules of the rings: what an event does to them, and what they say after it.

use super::state::{Flow, Kind, Published, Rings, Stimulus};
use super::step::{Card, Place, Survey};
use crate::part::ring::Ring;
use weft_word::{Bit, Domain, Word};

/// Rules 4 to 9: the rings after the event, and whether an ACK's bitmap spoke of PSNs never sent.
#[inline(always)]
pub fn mark<D: Domain>(place: &Place<D>, stimulus: &Stimulus<D>, rings: &Rings<D>) -> (Rings<D>, Bit<D>) {
    let (judged, beyond) = judge(place, stimulus, rings);
    (leave(place, &judged), beyond)
}

/// What is acknowledged, lost and older.
#[inline(always)]
pub fn judge<D: Domain>(place: &Place<D>, stimulus: &Stimulus<D>, rings: &Rings<D>) -> (Rings<D>, Bit<D>) {
    let turns = turns(place);
    let spoken = Ring::span(place.una, place.spoken);
    let cumulative = Ring::span(place.una, place.cumulative);
    let bitmap = stimulus.bitmap.rotated(place.bitmap_from);
    let acked = spoken & (cumulative | bitmap);
    let beyond = (bitmap & !(spoken & !cumulative)).any() & place.current;
    let opening = stimulus.is(Kind::Open);
    // Rules 6 and 7: of which age.
    let run = place.lost.ring() & (rings.age_high | Ring::all_when(!place.gap));
    let old = rings.age_high & rings.age_low & Ring::all_when(place.judges);
    // Rule 20: one more, up to 3.
    let epoch = Ring::all_when(stimulus.is(Kind::Epoch) & place.accepted);
    let changed = epoch & !(rings.age_high & rings.age_low);
    let aging = epoch & rings.age_low;
    let after = Rings {
        // An open makes every slot the one of a PSN that is not acknowledged.
        acked: Ring::all().when(opening, (rings.acked & !(acked & !turns)) | (acked & turns)),
        lost: rings.lost | run | old,
        age_low: rings.age_low ^ changed,
        age_high: rings.age_high | aging,
    };
    (after, beyond)
}

/// The slot of a packet that leaves.
#[inline(always)]
pub fn leave<D: Domain>(place: &Place<D>, rings: &Rings<D>) -> Rings<D> {
    let here = Ring::one(place.slot).when(place.send, Ring::none());
    Rings {
        acked: rings.acked,
        lost: rings.lost & !here,
        age_low: rings.age_low & !here,
        age_high: rings.age_high & !here,
    }
}

/// The turn of each slot's PSN in the window from `una` on.
#[inline(always)]
fn turns<D: Domain>(place: &Place<D>) -> Ring<D> {
    Ring::below(place.una.widen::<9>()) ^ Ring::all_when(place.turn)
}

/// Rule 10: the window after the event. It needs no other state than the rings, which are exact.
#[inline(always)]
pub fn survey<D: Domain>(place: &Place<D>, rings: &Rings<D>) -> Survey<D> {
    let waiting = (rings.acked ^ turns(place)) & Ring::span(place.una, place.window_after);
    let lost = waiting & rings.lost;
    let (found, first) = waiting.first_from(place.una);
    let (_, first_lost) = lost.first_from(place.una);
    Survey {
        run: (first - place.una).widen::<9>().when(found, place.window_after),
        unacked: waiting.count(),
        lost: lost.count(),
        first_lost: first_lost - place.una,
    }
}

/// The event is a message, a window or a packet that leaves for the first time, and none of its connection is in the
/// block before it: [`judge`] changes nothing, and [`survey`] finds what is [`known`]. That is a claim of the proof.
#[inline(always)]
pub fn calm<D: Domain>(
    published: &Published<D>,
    flow: &Flow<D>,
    stimulus: &Stimulus<D>,
    place: &Place<D>,
) -> Bit<D> {
    let now = &flow.published;
    let open = published.open & now.open;
    let window = published.una.equals(now.una) & published.next.equals(now.next);
    let newest = open & window & published.origin.equals(now.origin);
    let next = place.fresh & stimulus.psn.equals(now.next);
    newest & (stimulus.is(Kind::Post) | stimulus.is(Kind::Window) | next)
}

/// What [`survey`] finds after a [`calm`] event of a connection with this card.
#[inline(always)]
pub fn known<D: Domain>(flow: &Flow<D>, card: &Card<D>, place: &Place<D>) -> Survey<D> {
    Survey {
        run: D::lit(0),
        unacked: flow.unacked + place.fresh.widen::<9>(),
        lost: flow.lost,
        first_lost: (card.psn - flow.published.una).slice::<0, 8>(),
    }
}
