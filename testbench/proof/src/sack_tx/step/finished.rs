//! Stages 21 to 30: messages, and the answer of the block.

use super::Step;
use crate::Error;
use crate::ring::compressed;
use crate::sack_tx::words::{
    account, any_action, any_ends, any_flow, any_group, as_model, ends, flow, group, pack, settled, tally,
};
use weft_nic::block::sack_tx::{Account, Action, Group, Spot, spot};
use weft_symbolic::{Node, Proof, Signals, Substitution, Symbolic, Term};
use weft_word::{Domain, Word};

impl Step {
    /// Proves stages 21 to 30: messages and the outcome.
    pub(super) fn finished(&mut self, proof: &mut Proof) -> Result<(), Error> {
        // Arbitrary results of the event and of its connection.
        let (event, any, stored) = (self.event, any_action(), any_flow("after"));
        // Stage 21 reports no failure for congestion. By its claim, the model reports none either.
        let action = Action { failure: any.failure & !any.congested, ..any };
        let (after, beyond) = (as_model(&stored), Term::variable("beyond"));
        self.moves.set("settle.flows.s5_word_q", 21, flow(&stored))?;
        self.moves.set("settle.s21_tally_q", 21, tally(&stored))?;
        self.moves.set("settle.s21_became_q", 21, settled(&event, &action, beyond))?;
        self.moves.set("settle.s21_una_before_q", 21, action.una_before)?;
        self.moves.waits("finish.s29_settled", 21, 8)?;
        self.moves.waits("finish.s30_left", 22, 8)?;
        let spot = spot(&event.stimulus, &action, &after);
        let (fresh, moves) = (spot.fresh.node(), spot.moves.node());
        let open = after.published.open.node();
        // A claim about `settle`, proved above.
        let goes_on = action.accepted.node() & !event.ends(&action);
        let sound = [action.last.node().implies(fresh), (fresh | goes_on).implies(open)];
        let at = pack([spot.slot.node(), spot.group.node().slice(0, 4)]);
        let offset = self.moves.at("finish.s22_offset_q", 22)?;
        proof.claim(
            "stage 22 knows where the new packet lies, or the one before una if that moves",
            &[&sound[..], &[fresh | moves]].concat(),
            offset.equals(at),
        )?;
        let any = Node::variable("offset of none", 9);
        self.moves.set("finish.s22_offset_q", 22, at.when(fresh | moves, any))?;

        let had = any_ends("ends");
        self.moves.finds("finish.ends", 23, self.asker(), ends(&had))?;
        let newest = (self.model.end)(&had, &event.stimulus, &action, &spot);
        let actual = self.moves.at("finish.ends.s5_word_q", 24)?;
        proof.claim(
            "stage 24 has the group of the newest packet, as `end` says",
            &sound,
            actual.equals(ends(&newest)),
        )?;
        // An arbitrary group, which stage 24 writes if a packet leaves. The read is of the same place.
        let any = any_ends("newest");
        self.moves.set("finish.ends.s5_word_q", 24, ends(&any))?;
        let place = self.id.cat(spot.group.node().slice(0, 4));
        let expected = Signals::new()
            .with("writes", Node::variable("live", 1) & fresh)
            .with("written at", place.when(fresh, Node::lit(place.width(), 0)))
            .with("written", group(&any.group))
            .with("read at", place.when(moves, Node::lit(place.width(), 0)));
        let mut wire = |name: &str| self.moves.wire(name, 24);
        let (waddr, raddr) = (wire("finish.groups.waddr")?, wire("finish.groups.raddr")?);
        let actual = Signals::new()
            .with("writes", wire("finish.groups.we")?)
            .with("written at", waddr.when(fresh, Node::lit(place.width(), 0)))
            .with("written", wire("finish.groups.wdata")?)
            .with("read at", raddr.when(moves, Node::lit(place.width(), 0)));
        proof.equal(
            "stage 24 writes the group of a new packet, and reads the one in which una moves, of its connection",
            &sound,
            &expected,
            &actual,
        )?;
        let found = any_group("found");
        self.moves.set("finish.groups.g_out.out", 26, group(&found))?;
        self.passed(&sound, &spot, &found, proof)?;
        let counted = Account { posted: Term::variable("posted"), completed: Term::variable("completed") };
        self.moves.finds("finish.account", 29, self.asker(), account(&counted))?;
        let finish = self.model.finish;
        let (accounted, completed, errors) = finish(&counted, &event.stimulus, &action, &spot, &found);
        // The replacement of a count above applies here too.
        let mut cut = Substitution::new();
        cut.replace(ended(&spot, &found).node(), Node::variable("ended", 9));
        let psn = event.stimulus.psn.when(action.send, after.published.una);
        let kind = event.stimulus.kind.node();
        let outcome = pack([
            kind.slice(0, 3),
            action.accepted.node(),
            action.send.node(),
            (action.send & event.stimulus.fresh).node(),
            action.last.node(),
            action.failed.node(),
            action.reason.node(),
            (beyond & action.accepted).node(),
            kind.slice(3, 1),
            action.congested.node(),
            action.failure.node(),
            action.unsure.node(),
            psn.node(),
            action.acked.node().widen(16),
            action.lost.node().widen(16),
            completed.node().widen(16),
            errors.node().widen(16),
            after.unacked.node().widen(16),
            (after.unacked - after.lost).node().widen(16),
            event.tag,
            self.id,
        ]);
        let valid = Node::variable("valid", 1);
        let own = kind.slice(1, 2).equals(Node::lit(2, 3)) | kind.slice(3, 1);
        let because = |reason: u128| action.reason.node().equals(Node::lit(2, reason));
        let expected = Signals::new()
            .with("account", account(&accounted))
            .with("outcome", outcome)
            .with("leaves", valid)
            .with("not open", valid & !action.accepted.node() & !own)
            .with("never sent", valid & (because(1) | (beyond & action.accepted).node()))
            .with("stale", valid & because(2))
            .with("refused", valid & because(3));
        let mut wire = |name: &str, stage| self.moves.wire(name, stage);
        let actual = Signals::new()
            .with("account", wire("finish.account.after", 30)?)
            .with("outcome", wire("slots.word", 30)?.cat(wire("skid.in_word", 30)?))
            .with("leaves", wire("skid.in_valid", 30)?)
            .with("not open", wire("not_open.one", 30)?)
            .with("never sent", wire("never_sent.one", 30)?)
            .with("stale", wire("stale.one", 30)?)
            .with("refused", wire("refused.one", 30)?);
        proof.equal(
            "stage 30 answers that, with the messages that `finish` says, and counts it",
            &sound,
            &cut.apply_to(&expected),
            &cut.apply_to(&actual),
        )?;
        Ok(())
    }

    /// Proves stages 27 to 29: the number of messages that end before una, if una moves. The proof of this
    /// count has parts, as for rings.
    fn passed(
        &mut self,
        sound: &[Node],
        spot: &Spot<Symbolic>,
        found: &Group<Symbolic>,
        proof: &mut Proof,
    ) -> Result<(), Error> {
        let slots = self.moves.at("finish.s27_ends_q", 27)?;
        proof.claim(
            "stage 27 has the ends of messages before una in its group",
            &[sound, &[spot.moves.node()]].concat(),
            slots.equals(before(spot, found).node()),
        )?;
        let any = Node::variable("ends before una", slots.width());
        self.moves.set("finish.s27_ends_q", 27, any)?;
        let instances = ["finish.slots", "finish.counts_0", "finish.counts_1", "finish.counts_2"];
        let moves = &mut self.moves;
        compressed("stage 27", any, instances, &mut |row| Ok(moves.wire(row, 27)?), proof)?;
        let mut total = found.number.node();
        for (weight, name) in ["ones", "twos", "fours"].into_iter().enumerate() {
            let register = format!("finish.s28_{name}_q");
            let any = Node::variable(&register, 3);
            self.moves.set(&register, 28, any)?;
            total = total + any.widen(9).shift_left(Node::lit(9, weight as u128));
        }
        let passed = self.moves.at("finish.s29_passed_q", 29)?;
        proof.claim("stage 29 adds them up, by their weight", &[], passed.equals(total))?;
        let ended = found.number + ended(spot, found);
        let any = Term::variable("passed by none");
        Ok(self.moves.set("finish.s29_passed_q", 29, ended.when(spot.moves, any))?)
    }
}

/// The message ends in the group before una, as `finish` computes them.
fn before(spot: &Spot<Symbolic>, group: &Group<Symbolic>) -> Term<32> {
    let upto = Symbolic::power(spot.slot.widen::<7>() + Symbolic::lit(1)) - Symbolic::lit(1);
    group.ends & upto.slice::<0, 32>()
}

/// The number of ended messages before the spot.
fn ended(spot: &Spot<Symbolic>, group: &Group<Symbolic>) -> Term<9> {
    Symbolic::ones(before(spot, group).widen::<128>())
}
