//! Stages 16 to 23: the new state of the event's connection.

use super::Step;
use crate::Error;
use crate::sack_tx::words::{flow, pack, seen, settled, tally, view, word};
use weft_nic::block::sack_tx::{Flow, Kind, Published};
use weft_nic::part::ring::SLOTS;
use weft_symbolic::{Node, Proof, Signals, Substitution, Symbolic, Term};
use weft_word::{Domain, Word};

impl Step {
    /// Assumptions about a connection that is open, and was open when the event entered.
    fn assumptions(&self) -> Vec<Node> {
        let both = (self.found.open & self.flow.published.open).node();
        let sent: Term<24> = self.flow.published.next - self.found.next;
        let window: Term<24> = self.found.next - self.found.una;
        let room = (window + sent).at_most(Symbolic::lit(SLOTS.into()));
        let first = self.event.stimulus.psn.equals(self.flow.published.next);
        let survey = &self.survey;
        vec![
            self.in_window(),
            // At most two packets of a connection are in the block, and there was space for them. The present
            // packet is the next one.
            both.implies((sent.at_most(Symbolic::lit(2)) & room).node()),
            both.implies((!self.place.fresh | first & sent.at_most(Symbolic::lit(1))).node()),
            // A number of slots, a number of some of them, and the run.
            survey.unacked.at_most(Symbolic::lit(SLOTS.into())).node(),
            survey.lost.at_most(survey.unacked).node(),
            survey.run.at_most(self.place.window_after).node(),
        ]
    }

    /// Proves stages 16 to 23: the connection.
    pub(super) fn settled(&mut self, proof: &mut Proof) -> Result<(), Error> {
        for (wait, stage, moves) in [("s18_event", 3, 15), ("s19_aim", 7, 12)] {
            self.moves.waits(wait, stage, moves)?;
        }
        // An arbitrary survey.
        let survey = self.survey;
        self.moves.set("window.count.sum_q", 16, survey.unacked)?;
        self.moves.set("window.count_lost.sum_q", 16, survey.lost)?;
        self.moves.set("settle.s17_run_q", 17, survey.run)?;
        self.moves.set("window.find_lost.s4_index_q", 16, survey.first_lost + self.place.una)?;
        self.moves.finds("settle.tallies", 19, self.asker(), tally(&self.flow))?;
        self.moves.finds("settle.flows", 20, self.asker(), flow(&self.flow))?;
        let turn = pack([self.flow.queued.node(), self.flow.published.forfeit.node()]);
        self.moves.finds("publish.turns", 22, self.asker(), turn)?;
        let mut assumptions = self.assumptions();
        proof.satisfiable(
            "an event can find its connection open, with two packets in the block that were not published",
            &[
                &assumptions[..],
                &[(self.found.open & self.flow.published.open).node()],
                &[(self.flow.published.next ^ self.found.next).node().slice(1, 1)],
            ]
            .concat(),
        )?;

        let mut wire = |name: &str, stage| self.moves.wire(name, stage);
        let (after, action, event) = (&self.after, &self.action, &self.event);
        let stored = wire("settle.flow", 21)?;
        let (mut expected, mut actual) = (Signals::new(), Signals::new());
        let open = after.published.open.node();
        let of_open = |word: Node| word.when(open, Node::lit(word.width(), 0));
        // A closed connection has no remembered state.
        let without_turn =
            Flow { published: Published { forfeit: word(stored.slice(1, 1)), ..after.published }, ..*after };
        expected.insert("open", open);
        actual.insert("open", stored.slice(0, 1));
        expected.insert("flow", of_open(flow(&without_turn)));
        actual.insert("flow", of_open(stored));
        expected.insert("tally", of_open(tally(after)));
        actual.insert("tally", of_open(wire("settle.tally", 21)?));
        expected.insert("turn", pack([after.queued.node(), after.published.forfeit.node()]));
        actual.insert("turn", wire("publish.turns.after", 23)?);
        proof.equal(
            "stages 21 and 23 have what `settle` leaves of an open connection, and whose turn it is",
            &assumptions,
            &expected,
            &actual,
        )?;

        let window: Term<24> = after.published.next - after.published.una;
        proof.claim(
            "it leaves 256 PSNs at most in the window, as the next event is to find it",
            &[&assumptions[..], &[open]].concat(),
            window.at_most(Symbolic::lit(SLOTS.into())).node(),
        )?;
        let (mut expected, mut actual) = (Signals::new(), Signals::new());
        let mut same = |name: &str, a: Node, b: Node| {
            expected.insert(name, a);
            actual.insert(name, b);
        };
        let shown = wire("publish.s23_seen", 23)?;
        same("published open", open, shown.slice(0, 1));
        same("published forfeit", after.published.forfeit.node(), shown.slice(1, 1));
        same("published", of_open(seen(&after.published)), of_open(shown));
        let card = wire("publish.s23_card", 23)?;
        let ready = action.card.ready.node();
        let of_ready = |word: Node| word.when(ready, Node::lit(word.width(), 0));
        let expected_card = pack([
            ready,
            action.card.fresh.node(),
            action.card.pair.node(),
            action.card.psn.node(),
            action.card.left.node(),
            action.card.head.node(),
        ]);
        same("ready", ready, card.slice(0, 1));
        same("card", of_ready(expected_card), of_ready(card));
        same("pair", action.card.pair.node(), card.slice(2, 1));
        same("enqueue", action.enqueue.node(), wire("publish.s23_enqueue", 23)?);
        let timer = wire("publish.s23_timer", 23)?;
        let armed = open & !after.unacked.node().is_zero();
        let of_armed = |word: Node| word.when(armed, Node::lit(word.width(), 0));
        same("armed", armed, timer.slice(0, 1));
        // Rule 13: doubled for every TIMEOUT in a row, up to the limit.
        let (retries, class) = (after.retries.node(), after.published.class.node());
        let limits = self.backoff_limit.map(|limit| limit.node().widen(10));
        let limit = (0..3).fold(limits[3], |limit, number| {
            limits[number].when(class.equals(Node::lit(2, number as u128)), limit)
        });
        let doublings = limit.when(limit.less(retries), retries).slice(0, 3);
        let expected_timer = pack([
            armed,
            after.since.node(),
            doublings,
            after.probes.node(),
            after.begun.node(),
            after.published.epoch.node(),
            after.published.class.node(),
        ]);
        same("timer", of_armed(expected_timer), of_armed(timer));
        same("view", of_open(view(&after.view())), wire("publish.s23_view", 23)?);
        let posted = action.posted.node();
        let of_posted = |word: Node| word.when(posted, Node::lit(word.width(), 0));
        same("posted", posted, wire("publish.s23_posted", 23)?);
        same("posted at", of_posted(action.place.node()), of_posted(wire("publish.s23_post_at", 23)?));
        same(
            "posted packets",
            of_posted(event.stimulus.packets.node()),
            of_posted(wire("publish.s23_post_packets", 23)?),
        );
        proof.equal(
            "stage 23 publishes it, and has the card, the timer, the message and the view that `settle` says",
            &assumptions,
            &expected,
            &actual,
        )?;

        let same_fresh = self.place.fresh.node().equals(event.stimulus.fresh.node());
        proof.claim("a packet is new if and only if the event says so", &[action.send.node()], same_fresh)?;
        let fresh = (action.send & event.stimulus.fresh).node();
        proof.claim(
            "only a new packet ends a message, and what it leaves, or what ends no connection, is open",
            &assumptions,
            action.last.node().implies(fresh)
                & (fresh | action.accepted.node() & !event.ends(action)).implies(open),
        )?;
        assumptions.push(action.send.node().implies(same_fresh));
        // The survey of the bitmap is arbitrary, except for an ACK that is not older than the window.
        let mut cut = Substitution::new();
        cut.replace(self.beyond.node(), Node::variable("beyond", 1) & self.place.current.node());
        let word = settled(event, action, self.beyond);
        let same = word.equals(self.moves.wire("settle.settled", 21)?);
        proof.claim("stage 21 has what has become of the event", &assumptions, cut.apply([same])[0])?;
        let goes_on = action.accepted.node() & !event.is(Kind::Open).node();
        let una = self.moves.at("settle.s21_una_before_q", 21)?;
        proof.claim(
            "and the lowest PSN that was not acknowledged before it",
            &[&assumptions[..], &[goes_on]].concat(),
            una.equals(action.una_before.node()),
        )?;
        Ok(())
    }
}
