//! Words of the RTL as words of the model, and back: see `hdl/src/block/sack_tx/words.rs`.

pub use crate::pack;
use crate::slots::{ring, word as word_of};
use weft_nic::block::sack_tx::{
    Account, Action, Card, Ends, Flow, Group, Horizon, Kind, Place, Published, Rings, Stimulus, View,
};
use weft_nic::part::ring::SLOTS;
use weft_symbolic::{Node, Signals, Symbolic, Term};
use weft_word::{Bit, Domain, Word};

/// `node` as a model word.
///
/// # Panics
/// The width is not `W`. The caller gives both widths.
pub fn word<const W: usize>(node: Node) -> Term<W> {
    Term::of(node).expect("a word of just this width")
}

/// An event, with the signals that travel beside it.
#[derive(Clone, Copy)]
pub struct Event {
    /// The event in the form of the model.
    pub stimulus: Stimulus<Symbolic>,
    /// Whether the event is a close of the sweep after reset.
    pub sweep: Node,
    /// The trigger of an ACK or a window.
    pub second: Node,
    /// The tag, which returns with the outcome.
    pub tag: Node,
}

impl Event {
    /// An arbitrary event that is not a close of the sweep.
    pub fn any() -> Self {
        let second: Term<26> = Term::variable("event.second");
        let tag: Term<32> = Term::variable("event.tag");
        let bitmap = Node::variable("event.bitmap", 256);
        let stimulus = Stimulus {
            kind: Term::variable("event.kind"),
            own: Term::variable("event.own"),
            psn: Term::variable("event.psn"),
            trigger: second.slice::<0, 24>(),
            denied: second.slice::<0, 1>(),
            rtt: tag.slice::<16, 15>(),
            class: tag.slice::<16, 2>(),
            bitmap: ring(bitmap),
            cwnd: second,
            packets: Term::variable("event.packets"),
            ready: Term::variable("event.ready"),
            fresh: Term::variable("event.fresh"),
            taken: Term::variable("event.taken"),
            more: Term::variable("event.more"),
            silent: Term::variable("event.silent"),
            now: Term::variable("event.now"),
        };
        Self { stimulus, sweep: Node::bit(false), second: second.node(), tag: tag.node() }
    }

    /// The event, packed as `Event`.
    pub fn word(&self) -> Node {
        let stimulus = &self.stimulus;
        pack([
            stimulus.kind.node(),
            stimulus.own.node(),
            self.sweep,
            stimulus.ready.node(),
            stimulus.fresh.node(),
            stimulus.taken.node(),
            stimulus.more.node(),
            stimulus.silent.node(),
            stimulus.psn.node(),
            self.second,
            stimulus.packets.node(),
            self.tag,
            stimulus.now.node(),
        ])
    }

    /// Whether the event ends all messages of the connection.
    pub fn ends(&self, action: &Action<Symbolic>) -> Node {
        (self.is(Kind::Open) | self.is(Kind::Close) | action.failed).node()
    }

    /// Whether the event is of a kind. The block's own kinds must come from inside the block.
    pub fn is(&self, kind: Kind) -> Bit<Symbolic> {
        let same = self.stimulus.kind.equals(Symbolic::lit(kind as u128));
        if kind.is_own() { same & self.stimulus.own } else { same }
    }
}

/// Arbitrary rings.
pub fn any_rings() -> Rings<Symbolic> {
    let any = |name: &str| ring(Node::variable(name, SLOTS as usize));
    Rings { waiting: any("waiting"), lost: any("lost"), age_low: any("age low"), age_high: any("age high") }
}

/// The results of `mark`.
pub fn marked(rings: &Rings<Symbolic>, beyond: Bit<Symbolic>) -> Signals {
    Signals::new()
        .with("waiting", word_of(rings.waiting))
        .with("lost", word_of(rings.lost))
        .with("age low", word_of(rings.age_low))
        .with("age high", word_of(rings.age_high))
        .with("beyond", beyond)
}

/// Arbitrary published words.
pub fn any_published(name: &str) -> Published<Symbolic> {
    Published {
        open: Term::variable(&format!("{name}.open")),
        forfeit: Term::variable(&format!("{name}.forfeit")),
        origin: Term::variable(&format!("{name}.origin")),
        una: Term::variable(&format!("{name}.una")),
        next: Term::variable(&format!("{name}.next")),
        class: Term::variable(&format!("{name}.class")),
        epoch: Term::variable(&format!("{name}.epoch")),
        past: Term::variable(&format!("{name}.past")),
    }
}

/// Published words, packed as `Seen`.
pub fn seen(published: &Published<Symbolic>) -> Node {
    pack([
        published.open.node(),
        published.forfeit.node(),
        published.origin.node(),
        published.una.node(),
        published.next.node(),
        published.class.node(),
        published.epoch.node(),
        published.past.node(),
    ])
}

/// The view of software, packed as `View`.
pub fn view(view: &View<Symbolic>) -> Node {
    pack([
        view.cwnd.node(),
        view.una.node(),
        view.next.node(),
        view.in_flight.node(),
        view.unacked.node(),
        view.epoch.node(),
        view.timeouts.node(),
        view.class.node(),
    ])
}

/// The interpretation of an event, packed as `Placed`.
pub fn placed(place: &Place<Symbolic>, event: &Event) -> Node {
    pack([
        seen(&place.seen),
        place.accepted.node(),
        event.is(Kind::Open).node(),
        event.is(Kind::Close).node(),
        place.una.node(),
        place.window_after.node(),
        place.told.start.node(),
        place.told.length.node(),
        place.cumulative.node(),
        place.current.node(),
        place.judged.node(),
        place.judges.node(),
        place.loses.node(),
        place.answers.node(),
        place.nacked.node(),
        (event.is(Kind::Epoch) & place.accepted).node(),
        place.denied.node(),
        place.slot.node(),
        place.send.node(),
        place.fresh.node(),
        place.reason.node(),
    ])
}

/// An arbitrary state of a connection.
pub fn any_flow(name: &str) -> Flow<Symbolic> {
    Flow {
        published: any_published(name),
        queued: Term::variable(&format!("{name}.queued")),
        left: Term::variable(&format!("{name}.left")),
        head: Term::variable(&format!("{name}.head")),
        tail: Term::variable(&format!("{name}.tail")),
        cwnd: Term::variable(&format!("{name}.cwnd")),
        since: Term::variable(&format!("{name}.since")),
        retries: Term::variable(&format!("{name}.retries")),
        probes: Term::variable(&format!("{name}.probes")),
        begun: Term::variable(&format!("{name}.begun")),
        peak: Term::variable(&format!("{name}.peak")),
        pace: Term::variable(&format!("{name}.pace")),
        former: Term::variable(&format!("{name}.former")),
        verdicts: Term::variable(&format!("{name}.verdicts")),
        verdicts_before: Term::variable(&format!("{name}.verdicts_before")),
        nacked: Term::variable(&format!("{name}.nacked")),
        nacked_before: Term::variable(&format!("{name}.nacked_before")),
        horizon: Horizon {
            mark: Term::variable(&format!("{name}.mark")),
            older: Term::variable(&format!("{name}.older")),
            newer: Term::variable(&format!("{name}.newer")),
            phase: Term::variable(&format!("{name}.phase")),
        },
        unacked: Term::variable(&format!("{name}.unacked")),
        lost: Term::variable(&format!("{name}.lost")),
    }
}

/// An arbitrary group of PSNs.
pub fn any_group(name: &str) -> Group<Symbolic> {
    let (ends, number) = (format!("{name}.ends"), format!("{name}.number"));
    Group { ends: Term::variable(&ends), number: Term::variable(&number) }
}

/// Arbitrary knowledge of where messages end.
pub fn any_ends(name: &str) -> Ends<Symbolic> {
    Ends { total: Term::variable(&format!("{name}.total")), group: any_group(name) }
}

/// A group, packed as `Group`.
pub fn group(group: &Group<Symbolic>) -> Node {
    pack([group.ends.node(), group.number.node()])
}

/// The knowledge of where messages end, packed as `Ends`.
pub fn ends(ends: &Ends<Symbolic>) -> Node {
    pack([ends.total.node(), group(&ends.group)])
}

/// Messages, packed as `Account`.
pub fn account(account: &Account<Symbolic>) -> Node {
    pack([account.posted.node(), account.completed.node()])
}

/// An arbitrary result of an event.
pub fn any_action() -> Action<Symbolic> {
    Action {
        accepted: Term::variable("action.accepted"),
        send: Term::variable("action.send"),
        last: Term::variable("action.last"),
        failed: Term::variable("action.failed"),
        reason: Term::variable("action.reason"),
        posted: Term::variable("action.posted"),
        place: Term::variable("action.place"),
        acked: Term::variable("action.acked"),
        lost: Term::variable("action.lost"),
        una_before: Term::variable("action.una_before"),
        enqueue: Term::variable("action.enqueue"),
        congested: Term::variable("action.congested"),
        failure: Term::variable("action.failure"),
        unsure: Term::variable("action.unsure"),
        card: Card {
            ready: Term::variable("card.ready"),
            fresh: Term::variable("card.fresh"),
            pair: Term::variable("card.pair"),
            psn: Term::variable("card.psn"),
            left: Term::variable("card.left"),
            head: Term::variable("card.head"),
        },
    }
}

/// The result of an event, packed as `Settled`.
pub fn settled(event: &Event, action: &Action<Symbolic>, beyond: Term<1>) -> Node {
    pack([
        event.stimulus.kind.node(),
        action.accepted.node(),
        event.ends(action),
        action.send.node(),
        (action.send & event.stimulus.fresh).node(),
        action.last.node(),
        action.failed.node(),
        action.reason.node(),
        (beyond & action.accepted).node(),
        action.congested.node(),
        action.failure.node(),
        action.unsure.node(),
        action.posted.node(),
        action.acked.node(),
        action.lost.node(),
        event.stimulus.psn.node(),
        event.tag,
    ])
}

/// The state of a connection, packed as `Flow`, without its turn to send, which another word has. In place of
/// the published epoch, `Flow` has the value from which the epoch follows.
pub fn flow(flow: &Flow<Symbolic>) -> Node {
    pack([
        seen(&Published { epoch: flow.pace, ..flow.published }),
        flow.left.node(),
        flow.head.node(),
        flow.tail.node(),
        flow.cwnd.node(),
        flow.since.node(),
        flow.retries.node(),
        flow.probes.node(),
        flow.begun.node(),
        flow.peak.node(),
        flow.former.node(),
        flow.verdicts.node(),
        flow.verdicts_before.node(),
        flow.nacked.node(),
        flow.nacked_before.node(),
        flow.horizon.mark.node(),
        flow.horizon.older.node(),
        flow.horizon.newer.node(),
        flow.horizon.phase.node(),
    ])
}

/// The numbers of packets that wait, packed as `Tally`.
pub fn tally(flow: &Flow<Symbolic>) -> Node {
    pack([flow.unacked.node(), flow.lost.node()])
}

/// The state in the form of the model. For a closed connection, this is only the turn to send.
pub fn as_model(flow: &Flow<Symbolic>) -> Flow<Symbolic> {
    let open = flow.published.open;
    Flow {
        published: published_as_model(&flow.published),
        queued: flow.queued,
        left: flow.left.when(open, Symbolic::lit(0)),
        head: flow.head.when(open, Symbolic::lit(0)),
        tail: flow.tail.when(open, Symbolic::lit(0)),
        cwnd: flow.cwnd.when(open, Symbolic::lit(0)),
        since: flow.since.when(open, Symbolic::lit(0)),
        retries: flow.retries.when(open, Symbolic::lit(0)),
        probes: flow.probes.when(open, Symbolic::lit(0)),
        begun: flow.begun.when(open, Symbolic::lit(0)),
        peak: flow.peak.when(open, Symbolic::lit(0)),
        pace: flow.pace.when(open, Symbolic::lit(0)),
        former: flow.former.when(open, Symbolic::lit(0)),
        verdicts: flow.verdicts.when(open, Symbolic::lit(0)),
        verdicts_before: flow.verdicts_before.when(open, Symbolic::lit(0)),
        nacked: flow.nacked & open,
        nacked_before: flow.nacked_before & open,
        horizon: Horizon {
            mark: flow.horizon.mark.when(open, Symbolic::lit(0)),
            older: flow.horizon.older.when(open, Symbolic::lit(0)),
            newer: flow.horizon.newer.when(open, Symbolic::lit(0)),
            phase: flow.horizon.phase.when(open, Symbolic::lit(0)),
        },
        unacked: flow.unacked.when(open, Symbolic::lit(0)),
        lost: flow.lost.when(open, Symbolic::lit(0)),
    }
}

/// Published words, in the form of the model.
pub fn published_as_model(published: &Published<Symbolic>) -> Published<Symbolic> {
    let open = published.open;
    Published {
        open,
        forfeit: published.forfeit,
        origin: published.origin.when(open, Symbolic::lit(0)),
        una: published.una.when(open, Symbolic::lit(0)),
        next: published.next.when(open, Symbolic::lit(0)),
        class: published.class.when(open, Symbolic::lit(0)),
        epoch: published.epoch.when(open, Symbolic::lit(0)),
        past: published.past.when(open, Symbolic::lit(0)),
    }
}
