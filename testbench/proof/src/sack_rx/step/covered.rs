//! Stages 15 and 16 of a window above 256 PSNs: the part of it that the bitmap shows.

use super::{Step, is};
use crate::Error;
use crate::sack_rx::words::word;
use crate::slots::word as word_of;
use weft_nic::block::sack_rx::Kind;
use weft_nic::part::ring::{Ring, SLOTS, far};
use weft_symbolic::{Node, Proof, Substitution, Symbolic, Term};
use weft_word::{Domain, Word};

impl<const S: usize, const N: usize, const L: usize> Step<S, N, L> {
    /// Proves stages 15 and 16 of a window above 256 PSNs, of which the bitmap shows a part. Returns the part, by slot
    /// modulo 256, and the turn that brings its first PSN to bit 0.
    pub(super) fn covered(&mut self, proof: &mut Proof) -> Result<(Node, Node), Error> {
        let advance = self.advance;
        let far = |expected| far::<Symbolic>(self.stimulus.psn, expected, Ring::<Symbolic, L>::SLOTS);
        let is_far = far(self.after.published.expected).far.node();
        let offset = far(advance.expected).offset.slice::<0, S>();
        let first: Term<S> = advance.from + advance.run.slice::<0, S>() + offset;
        let words = [("window.cover_0.s15_far_q", is_far)];
        self.holds(proof, "stage 15 knows whether the PSN is far", 15, &words)?;
        let actual = self.moves.wire("window.cover_0.first", 15)?;
        let (open, opening) = (self.place.seen.open.node(), is(&self.stimulus, Kind::Open).node());
        let still = opening.implies(advance.run.node().is_zero());
        // The run is an arbitrary word.
        let cut = self.cut().apply([open, still, actual.equals(first.node())]);
        proof.claim(
            "stage 15 has the slot of the first PSN that the bitmap of an open connection shows",
            &cut[..2],
            cut[2],
        )?;
        let first: Term<S> = first.when(word(open), Term::variable("first of none"));
        let turn = Symbolic::lit::<S>(0) - first;
        self.moves.set("window.cover_0.s16_turn_q", 16, turn)?;
        let mut known = Substitution::new();
        let span = Ring::<Symbolic, L>::span(first, Symbolic::lit::<N>(SLOTS.into()));
        known.replace(self.moves.wire("window.cover_0.extent.mask", 16)?, word_of(span));
        let vec = self.moves.wire("window.rotate.vec", 16)?;
        Ok((known.apply([vec])[0], self.moves.wire("window.rotate.amount", 16)?))
    }
}
