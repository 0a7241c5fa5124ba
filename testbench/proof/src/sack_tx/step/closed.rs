//! The step of an event of a closed connection.

use super::{Step, word_bit};
use crate::Error;
use crate::sack_tx::words::{as_model, flow, marked, pack, published_as_model, tally, word};
use weft_nic::block::sack_tx::{Flow, Kind, Place, Published, Survey};
use weft_symbolic::{Node, Proof, Signals, Symbolic, Term};
use weft_word::{Domain, Word};

impl Step {
    /// Proves that the only state of a closed connection that matters is its turn to send.
    pub(super) fn closed(&mut self, proof: &mut Proof) -> Result<(), Error> {
        let (csr, stimulus) = (&self.csr, &self.event.stimulus);
        let closed = (self.model.place)(csr, &published_as_model(&self.found), stimulus);
        let other = Survey {
            run: Term::variable("other run"),
            unacked: Term::variable("other unacked"),
            lost: Term::variable("other lost"),
            first_lost: Term::variable("other first lost"),
        };
        let model = |place: &Place<Symbolic>, survey: &Survey<Symbolic>| {
            let (after, action) = (self.model.settle)(csr, &as_model(&self.flow), stimulus, place, survey);
            let ready = action.card.ready;
            let card = pack([action.card.fresh.node(), action.card.psn.node(), action.card.left.node()]);
            Signals::new()
                .with("flow", flow(&after))
                .with("tally", tally(&after))
                .with("queued", after.queued)
                .with("accepted", action.accepted)
                .with("send", action.send)
                .with("last", action.last)
                .with("failed", action.failed)
                .with("reason", action.reason)
                .with("posted", action.posted)
                .with("acked", action.acked)
                .with("lost", action.lost)
                .with("congested", action.congested)
                .with("failure", action.failure)
                .with("unsure", action.unsure)
                .with("enqueue", action.enqueue)
                .with("ready", ready)
                .with("card", card.when(ready.node(), Node::lit(card.width(), 0)))
        };
        let opening = self.event.is(Kind::Open).node();
        let mut survey = self.survey;
        // An open finds a window without PSNs.
        let none = |word: Term<9>| Symbolic::lit(0).when(word_bit(opening), word);
        survey.run = none(survey.run);
        let other = Survey { run: none(other.run), ..other };
        proof.equal(
            "of a closed connection it does not matter what else is published, nor what its rings say",
            &[!self.found.open.node()],
            &model(&closed, &other),
            &model(&self.place, &survey),
        )?;
        let (rings, beyond) = (self.model.mark)(&closed, stimulus, &self.rings);
        proof.equal(
            "nor do its rings change with it",
            &[!self.found.open.node()],
            &marked(&rings, beyond),
            &marked(&self.rings_after, self.beyond),
        )?;
        let all = |it: &Flow<Symbolic>| flow(it).cat(tally(it));
        proof.claim(
            "of a closed connection the model remembers nothing",
            &[],
            all(&self.after).equals(all(&as_model(&self.after))),
        )?;
        let closing = self.event.is(Kind::Close).node();
        let zeros = all(&Flow {
            published: Published { forfeit: word(Node::bit(false)), ..self.after.published },
            ..self.after
        });
        proof.claim("closing leaves nothing, whatever was there", &[closing], zeros.is_zero())?;
        Ok(())
    }
}
