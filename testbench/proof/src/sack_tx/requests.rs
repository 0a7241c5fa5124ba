//! The requests that the block makes itself: `weft_sack_tx_scheduler` from the queue of connections to a
//! request to send, and `weft_sack_tx_scanner` from a timer to a request.

use super::words::pack;
use crate::Error;
use crate::moves::Moves;
use crate::ports;
use weft_symbolic::{Design, Node, Proof, Signals};

/// Moves from the front of the queue to the request of a connection.
const SCHEDULING: usize = 7;
/// Moves from the turn of a timer to its request.
const SCANNING: usize = 5;

/// Proves the queue of connections, and the packet that the first connection is to send.
pub fn scheduler(design: &Design, proof: &mut Proof) -> Result<(), Error> {
    let (now, next) = (design.registers(), design.next());
    let input = |name: &str| design.inputs.node(name);
    let (reset, run, sent) = (input("rst")?, input("run")?, input("sent")?);
    let (front, back) = (now.node("front_q")?, now.node("back_q")?);
    let asked = now.node("asked_q")?;
    let some = !front.equals(back);
    let enters = run & input("enqueue")?;
    let more = now.node("asked_for_q")?.slice(3, 1);
    let moves = run & (!asked | sent & !more);
    let one = |word: Node, when: Node| (word + Node::lit(word.width(), 1)).when(when, word);
    let empty = Signals::new()
        .with("front_q", Node::lit(front.width(), 0))
        .with("back_q", Node::lit(back.width(), 0))
        .with("stages_q", Node::lit(6, 0))
        .with("asked_id_q", Node::lit(now.node("asked_id_q")?.width(), 0))
        .with("asked_q", Node::bit(false));
    proof.equal("after reset nobody waits", &[reset], &empty, &next)?;
    ports::moves(design, moves, &[], &[], proof)?;
    let expected = Signals::new().with("front_q", one(front, moves & some)).with("back_q", one(back, enters));
    proof.equal("one enters at the back, one leaves at the front", &[!reset], &expected, &next)?;
    let wire = |name: &str| design.wires.node(name);
    let place = wire("waiting.waddr")?.equals(back.slice(0, back.width() - 1));
    let written = wire("waiting.we")?.equals(enters)
        & place
        & wire("waiting.wdata")?.equals(input("write_id")?)
        & wire("messages.we")?.equals(run & input("post")?)
        & wire("messages.waddr")?.equals(input("write_id")?.cat(input("post_at")?))
        & wire("messages.wdata")?.equals(input("post_packets")?)
        & wire("cards.we")?.equals(run & input("write")?)
        & wire("cards.waddr")?.equals(input("write_id")?)
        & wire("cards.wdata")?.equals(input("card")?);
    proof.claim("connections, messages and cards are written where they belong", &[], written)?;

    let known = Signals::new()
        .with("rst", Node::bit(false))
        .with("run", Node::bit(true))
        .with("sent", Node::bit(true));
    let mut at = Moves::new(design, &known)?;
    // No other request is in progress.
    for clock in 0..SCHEDULING {
        at.set("asked_q", clock, Node::bit(false))?;
    }
    let waits = !at.at("front_q", 0)?.equals(at.at("back_q", 0)?);
    let id = Node::variable("connection", input("write_id")?.width());
    let front = at.at("front_q", 0)?;
    at.fetches("waiting", 2, front.slice(0, front.width() - 1), id)?;
    let card: [Node; 6] = [("ready", 1), ("fresh", 1), ("pair", 1), ("psn", 24), ("left", 16), ("head", 4)]
        .map(|(name, width)| Node::variable(&format!("card.{name}"), width));
    at.reads("cards", 4, id, pack(card))?;
    let message = Node::variable("message", 16);
    at.fetches("messages", 6, id.cat(card[5]), message)?;
    let [ready, fresh, pair, psn, left, _] = card;
    let taken = left.is_zero();
    let packets = message.when(taken, left);
    let others = at.at("stages_q", SCHEDULING - 1)?.slice(0, 5);
    let again = at.at("asked_id_q", SCHEDULING - 1)?.equals(id);
    let alone =
        again & at.at("front_q", SCHEDULING - 1)?.equals(at.at("back_q", SCHEDULING - 1)?) & others.is_zero();
    let more = alone & pair & Node::lit(16, 1).less(packets);
    let request = pack([ready, fresh, taken, more, psn, packets]);
    at.assumptions_hold(proof)?;
    let made = at.at("asked_q", SCHEDULING)?.equals(waits)
        & waits.implies(at.at("asked_id_q", SCHEDULING)?.equals(id))
        & waits.implies(at.at("asked_for_q", SCHEDULING)?.equals(request));
    proof.claim("seven moves later who was the first in the queue asks for what its card says", &[], made)?;

    let first = Node::variable("first", 44);
    let pair = Signals::new()
        .with("rst", Node::bit(false))
        .with("run", Node::bit(true))
        .with("sent", Node::bit(true))
        .with("asked_q", Node::bit(true))
        .with("asked_for_q", first.slice(4, 40).cat(Node::bit(true)).cat(first.slice(0, 3)));
    let pair = design.feed(&pair)?;
    let second = (first.slice(28, 16) - Node::lit(16, 1))
        .cat(first.slice(4, 24) + Node::lit(24, 1))
        .cat(Node::lit(2, 0))
        .cat(first.slice(0, 2));
    let asks = pair.apply([next.node("asked_for_q")?, next.node("asked_id_q")?, next.node("asked_q")?]);
    proof.claim(
        "behind the first packet of a pair the same connection asks for the second, which is of the same message",
        &[],
        asks[0].equals(second) & asks[1].equals(pair.apply([now.node("asked_id_q")?])[0]) & asks[2],
    )?;

    let held = |signals: &Signals| -> Signals {
        let written = ["waiting.watched", "messages.watched", "cards.ram.watched", "back_q"];
        let kept = signals.iter().filter(|(name, _)| !written.contains(name));
        kept.map(|(name, node)| (name.to_owned(), node)).collect()
    };
    for (name, run, asked) in [("a stall", false, None), ("a request that is not taken", true, Some(true))] {
        let mut still = Signals::new()
            .with("rst", Node::bit(false))
            .with("run", Node::bit(run))
            .with("sent", Node::bit(false));
        if let Some(asked) = asked {
            still.insert("asked_q", Node::bit(asked));
        }
        let still = design.feed(&still)?;
        proof.equal(
            &format!("{name} keeps everything but what is written"),
            &[],
            &still.apply_to(&held(&now)),
            &still.apply_to(&held(&next)),
        )?;
    }
    Ok(())
}

/// Proves that the scanner looks at one timer per move.
pub fn scanner(design: &Design, proof: &mut Proof) -> Result<(), Error> {
    let (now, next) = (design.registers(), design.next());
    let input = |name: &str| design.inputs.node(name);
    let (reset, run, settled) = (input("rst")?, input("run")?, input("settled")?);
    let (turn, asked) = (now.node("turn_q")?, now.node("asked_q")?);
    let moves = run & !asked & settled;
    let id_width = input("write_id")?.width();
    let expected = Signals::new().with("turn_q", (turn + Node::lit(turn.width(), 1)).when(moves, turn));
    proof.equal("one timer after the other has its turn", &[!reset], &expected, &next)?;
    let start = Signals::new()
        .with("turn_q", Node::lit(turn.width(), 0))
        .with("stages_q", Node::lit(4, 0))
        .with("asked_q", Node::bit(false));
    proof.equal("after reset none has expired", &[reset], &start, &next)?;
    ports::moves(design, moves, &[], &[], proof)?;
    let wire = |name: &str| design.wires.node(name);
    let written = wire("timers.we")?.equals(run & input("write")?)
        & wire("timers.waddr")?.equals(input("write_id")?)
        & wire("timers.wdata")?.equals(input("timer")?);
    proof.claim("timers are written where they belong", &[], written)?;

    let known = Signals::new()
        .with("rst", Node::bit(false))
        .with("run", Node::bit(true))
        .with("settled", Node::bit(true));
    let mut at = Moves::new(design, &known)?;
    // No other request is in progress.
    for clock in 0..SCANNING {
        at.set("asked_q", clock, Node::bit(false))?;
    }
    let turn = at.at("turn_q", 0)?;
    let timer: [Node; 7] = [
        ("armed", 1),
        ("since", 24),
        ("doublings", 3),
        ("probes", 3),
        ("begun", 16),
        ("epoch", 15),
        ("class", 2),
    ]
    .map(|(name, width)| Node::variable(&format!("timer.{name}"), width));
    let [armed, since, doublings, probes, begun, epoch, class] = timer;
    at.reads("timers", 2, turn.slice(0, id_width), pack(timer))?;
    at.assumptions_hold(proof)?;
    let scope = "weft_sack_tx_scanner";
    let time = Node::variable(&format!("@2.{scope}.now"), 24);
    let ports = |name: &str, width| Node::variable(&format!("@2.{scope}.{name}"), width);
    let all = ports("rto", 64);
    let [rto, first, second, third] = [0, 1, 2, 3].map(|class| all.slice(16 * class, 16));
    let is = |number: u128| class.equals(Node::lit(2, number));
    let rto = third.when(is(3), second.when(is(2), first.when(is(1), rto)));
    let limit = rto.widen(24).shift_left(doublings.widen(24));
    let three = epoch.widen(24) * Node::lit(24, 3);
    let again = three * Node::lit(24, 2);
    let several = !probes.less(Node::lit(3, 2));
    let limit = limit.when(several, again.when(probes.slice(0, 1), three));
    let elapsed = time.slice(0, 16) - begun;
    let over = !elapsed.less(epoch.widen(16));
    let silence = time - since;
    let silent = !silence.less(limit);
    let early = epoch.widen(24).shift_left(Node::lit(24, 1)) + epoch.slice(1, 14).widen(24);
    let early = (epoch.widen(24) * Node::lit(24, 5)).when(several, early);
    let late = !silence.less(early) & probes.less(Node::lit(3, 7));
    let mut exists = Node::bit(true);
    if turn.width() > id_width {
        exists = turn.slice(id_width, turn.width() - id_width).is_zero();
    }
    let expired = exists & armed & (over | silent);
    proof.claim(
        "five moves later it asks, if it runs and the epoch is over, or silence is as long as a probe or the RTO, doubled \
         as often as its word says, asks for",
        &[],
        at.at("asked_q", SCANNING)?.equals(expired),
    )?;
    let [timeout, end, probe] = [7, 8, 9].map(|kind| Node::lit(4, kind));
    let since_due = |time: Node, due: Node| time.widen(25) - due.widen(25);
    let longer = !since_due(elapsed, epoch).less(since_due(silence, limit));
    let first = over & (!silent | longer);
    let kind = end.when(first, timeout.when(several, probe));
    proof.claim("for what has been due for longer", &[], at.at("asked_for_q", SCANNING)?.equals(kind))?;
    proof.claim(
        "late in a silence, if that is as long as two epochs and a half, or as five behind the second probe, and no seven came",
        &[],
        at.at("asked_late_q", SCANNING)?.equals(late),
    )?;
    proof.claim("for its connection", &[], at.at("asked_id_q", SCANNING)?.equals(turn.slice(0, id_width)))?;

    let held = |signals: &Signals| -> Signals {
        let kept = signals.iter().filter(|(name, _)| *name != "timers.ram.watched" && *name != "asked_q");
        kept.map(|(name, node)| (name.to_owned(), node)).collect()
    };
    let timed_out = input("timed_out")?;
    let stands = Signals::new().with("asked_q", Node::bit(true)).with("rst", Node::bit(false));
    let stands = design.feed(&stands)?;
    let kept = held(&stands.apply_to(&now)).matches(&held(&stands.apply_to(&next)))?;
    proof.claim("while one asks, no other has its turn", &[], Node::all(kept.nodes()))?;
    proof.claim(
        "it asks until it is taken",
        &[],
        stands.apply([next.node("asked_q")?])[0].equals(!timed_out),
    )?;
    for (name, port) in [("a stall", "run"), ("an open or close on its way", "settled")] {
        let still = design.feed(
            &Signals::new()
                .with("rst", Node::bit(false))
                .with(port, Node::bit(false))
                .with("timed_out", Node::bit(false)),
        )?;
        let kept = held(&now).matches(&held(&still.apply_to(&next)))?;
        let asks = still.apply([next.node("asked_q")?])[0].equals(asked);
        proof.claim(
            &format!("{name} keeps everything but what is written"),
            &[],
            Node::all(kept.nodes()) & asks,
        )?;
    }
    Ok(())
}
