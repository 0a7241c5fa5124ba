//! Words of the RTL as words of the model, and back: see `hdl/src/block/sender/words.rs`.

use crate::pack;
use weft_nic::block::sack_tx::{Kind, Reason};
use weft_nic::block::sender::rules::{Entry, Facts, Feedback, Meaning, News, Notes, Outcome};
use weft_symbolic::{Node, Symbolic, Term};
use weft_word::{Domain, Word};

/// An arbitrary outcome.
pub fn any_outcome() -> Outcome<Symbolic> {
    let kind: Term<4> = Term::variable("kind");
    let of_ack = kind.equals(Symbolic::lit(Kind::Ack as u128));
    let of_list = |name: &str| Term::<5>::variable(name).when(of_ack, Symbolic::lit(0));
    Outcome {
        kind,
        accepted: Term::variable("accepted"),
        send: Term::variable("send"),
        fresh: Term::variable("fresh"),
        last: Term::variable("last"),
        failed: Term::variable("failed"),
        reason: Term::variable("reason"),
        congested: Term::variable("congested"),
        failure: Term::variable("failure"),
        unsure: Term::variable("unsure"),
        psn: Term::variable("psn"),
        acked: Term::variable("acked"),
        lost: Term::variable("lost"),
        completed: Term::variable("completed"),
        errors: Term::variable("errors"),
        in_flight: Term::variable("in_flight"),
        tag: Term::variable("tag"),
        listed: of_list("listed"),
        marked: of_list("marked"),
    }
}

/// The assumptions about each outcome of the transport, and about each list.
pub fn sound(outcome: &Outcome<Symbolic>) -> Vec<Node> {
    let is = |kind: Kind| outcome.kind.node().equals(Node::lit(4, kind as u128));
    let (accepted, failed) = (outcome.accepted.node(), outcome.failed.node());
    let (acks, loses) = (!outcome.acked.node().is_zero(), !outcome.lost.node().is_zero());
    let never_sent = outcome.reason.node().equals(Node::lit(2, Reason::NeverSent as u128));
    vec![
        outcome.send.node().implies(is(Kind::Send) & !failed),
        outcome.fresh.node().implies(outcome.send.node()),
        failed.implies(accepted & (is(Kind::Nack) | is(Kind::Timeout))),
        outcome.unsure.node().implies(is(Kind::Ack)),
        outcome.failure.node().implies(accepted & is(Kind::Ack) & !never_sent),
        loses.implies(accepted),
        acks.implies(!is(Kind::Timeout)),
        !Node::lit(9, 256).less(outcome.acked.node()),
        !Node::lit(5, 16).less(Node::variable("marked", 5)),
    ]
}

/// An outcome as data and user of its port.
pub fn ports(outcome: &Outcome<Symbolic>) -> (Node, Node) {
    let unused = |bits: usize, at: usize| Node::variable(&format!("unused{at}"), bits);
    let kind = outcome.kind.node();
    let data = pack([
        outcome.psn.node(),
        outcome.acked.node(),
        unused(7, 33),
        outcome.lost.node(),
        unused(7, 49),
        outcome.completed.node(),
        unused(11, 61),
        outcome.errors.node(),
        unused(11, 77),
        unused(16, 88),
        outcome.in_flight.node(),
        unused(7, 113),
        outcome.tag.node(),
    ]);
    let user = pack([
        kind.slice(0, 3),
        outcome.accepted.node(),
        outcome.send.node(),
        outcome.fresh.node(),
        outcome.last.node(),
        outcome.failed.node(),
        outcome.reason.node(),
        unused(1, 10),
        kind.slice(3, 1),
        outcome.congested.node(),
        outcome.failure.node(),
        outcome.unsure.node(),
    ]);
    (data, user)
}

/// The list beside an outcome, which belongs to this ACK or to a later one.
pub fn listing() -> Node {
    pack([Node::variable("listed", 5), Node::variable("marked", 5)])
}

/// Arbitrary notes.
pub fn any_notes() -> Notes<Symbolic> {
    Notes {
        class: Term::variable("notes.class"),
        done: Term::variable("notes.done"),
        cursor: Term::variable("notes.cursor"),
        message: Term::variable("notes.message"),
        middle: Term::variable("notes.middle"),
        una: Term::variable("notes.una"),
        active: Term::variable("notes.active"),
        untold: Term::variable("notes.untold"),
        suspect: Term::variable("notes.suspect"),
        expired: Term::variable("notes.expired"),
    }
}

/// Notes in the form of the RAM.
pub fn notes(notes: &Notes<Symbolic>) -> Node {
    pack([
        notes.class.node(),
        notes.done.node(),
        notes.cursor.node(),
        notes.message.node(),
        notes.middle.node(),
        notes.una.node(),
        notes.active.node(),
        notes.suspect.node(),
        notes.expired.node(),
        notes.untold.node(),
    ])
}

/// A word about messages of a connection.
pub fn entry(id: Node, entry: &Entry<Symbolic>) -> Node {
    pack([
        id,
        entry.send.node(),
        entry.again.node(),
        entry.first.node(),
        entry.psn.node(),
        entry.slot.node(),
        entry.message.node(),
        entry.count.node(),
        entry.done.node(),
        entry.status.node(),
        entry.closes.node(),
    ])
}

/// A word for the choice of paths.
pub fn news(id: Node, news: &News<Symbolic>) -> Node {
    pack([
        id,
        news.idle.node(),
        news.fails.node(),
        news.silent.node(),
        news.listed.node(),
        news.told.node(),
        news.kind.node(),
        news.ev.node(),
        news.rtt.node(),
        news.ce.node(),
    ])
}

/// A word for the congestion window.
pub fn feedback(id: Node, feedback: &Feedback<Symbolic>) -> Node {
    pack([
        id,
        feedback.other.node(),
        feedback.kind.node(),
        feedback.ce.node(),
        feedback.class.node(),
        feedback.rtt.node(),
        feedback.unmarked.node(),
        feedback.marked.node(),
        feedback.lost.node(),
        feedback.in_flight.node(),
        feedback.before.node(),
    ])
}

/// Facts for the counters, of an outcome of this kind.
pub fn facts(kind: Node, facts: &Facts<Symbolic>) -> Node {
    let is = |one: Kind| kind.equals(Node::lit(4, one as u128));
    let by = [Kind::Nack, Kind::Probe, Kind::Timeout];
    let verdict = !Node::any(by.map(is));
    let loses = facts.loses.node();
    pack([
        loses & is(Kind::Nack),
        loses & verdict,
        loses & is(Kind::Probe),
        loses & is(Kind::Timeout),
        facts.lost.node(),
        facts.spurious.node(),
        facts.unanswered.node(),
        facts.denied.node(),
        facts.answer.node(),
        facts.rtt.node(),
        facts.ce.node(),
    ])
}

/// The packets that have passed.
pub fn passed(meaning: &Meaning<Symbolic>) -> Node {
    pack([meaning.passed.1.node().slice(0, 10), meaning.passed.2.node()])
}
