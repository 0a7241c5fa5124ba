//! The rules of `docs/blocks/sack_tx.md`, one by one. The expected values follow from the rule's text, by
//! hand. The naive oracle, the model and the RTL must all agree with these values. Rules of clocks are in
//! `clocks.rs`.

mod bench;
mod clocks;
mod recovery;
mod steps;

use bench::{check, check_parts};
use recovery::silence;
use steps::{
    Step, ack, again, any, calm, close, epoch, epochs, nack, open, open_with, post, probe, send, sends,
    timeout, window,
};
use weft_nic::block::sack_tx::{Kind, Reason};
use weft_params::{SackTxClass, SackTxCsr};

/// No gap rule. A timeout after 100 ticks, epochs of 10 ticks. A round-trip time of 1,000 ticks is
/// congestion. Three timeouts in a row end a connection.
const CLASS: SackTxClass = SackTxClass {
    gap: 0,
    rto_ticks: 100,
    epoch_ticks: 10,
    high_ticks: 1_000,
    backoff_limit: 3,
    retry_limit: 2,
};
/// A packet counts 1,000 bytes.
const CSR: SackTxCsr = SackTxCsr { mtu_bytes: MTU, classes: [CLASS; 4] };
/// A packet that is not young is lost when a packet three PSNs later is acknowledged.
const GAP: SackTxCsr = SackTxCsr { classes: [SackTxClass { gap: 3, ..CLASS }; 4], ..CSR };

const MTU: u32 = 1_000;
/// PSNs and ticks there are.
const PSNS: u32 = 1 << 24;
const HALF: u32 = PSNS / 2;
const WRAP: u64 = 1 << 24;

fn concat(parts: &[&[Step]]) -> Vec<Step> {
    parts.concat()
}

/// OPEN, and a message whose packets have all been sent.
fn sent(psn: u32, packets: u32) -> Vec<Step> {
    let first = [open(psn), post(packets as u16)];
    concat(&[&first, &sends(psn, packets - 1), &[send(psn + packets - 1).last()]])
}

#[test]
fn rule_01_after_reset_everything_is_closed() {
    let all: Vec<Step> = (0..256).map(|connection| post(1).of(connection).refused()).collect();
    check(CSR, &all);
}

#[test]
fn rule_02_open_and_close() {
    for psn in [0, 1, 255, 256, 511, 512, HALF, PSNS - 1, 0xABCDEF] {
        let one = [post(1), send(psn).last(), ack((psn + 1) % PSNS, &[]).acks(1).una(psn + 1).completes(1)];
        check(CSR, &concat(&[&[open(psn)], &one]));
    }
    // No earlier state is left: messages, packets, losses, the window, the timer and its retries.
    let before = concat(&[
        &sent(100, 4),
        &[ack(100, &[2]).acks(1), window(0), post(2), post(1), nack(101).lost(1)],
        &epochs(0, 10, 3),
        &[probe().at(30).lost(2), again(100)],
    ]);
    let life = [post(3), send(101), send(102), send(103).last()];
    let end = [
        timeout().at(440).lost(3),
        again(101),
        again(102),
        again(103),
        ack(104, &[]).acks(3).una(104).completes(1),
        calm().at(5_000),
    ];
    let anew = concat(&[&life, &silence(30, 101, &[102, 103], 100), &end]);
    check(CSR, &concat(&[&before, &[open(101).ends(3)], &anew]));
    let closed = [close().ends(3), post(1).refused(), ack(102, &[]).refused(), close().refused()];
    check(CSR, &concat(&[&before, &closed, &[open(101)], &anew]));
    // A slot remembers no life before: 256 PSNs later it has the same turn.
    for psn in [0, 256, 512, 511] {
        let life =
            [open(psn), post(1), send(psn).last(), ack(psn + 1, &[]).acks(1).una(psn + 1).completes(1)];
        let next = [open(psn + 256), post(1), send(psn + 256).last(), ack(psn + 256, &[])];
        check(CSR, &concat(&[&life, &next, &[ack(psn + 257, &[]).acks(1).una(psn + 257).completes(1)]]));
    }
    // The window that OPEN brings.
    check(CSR, &[open_with(0, 2 * MTU), post(9), send(0), send(1)]);
}

#[test]
fn rule_03_closed_connections_count_and_change_nothing() {
    let kinds = [Kind::Post, Kind::Ack, Kind::Nack, Kind::Window, Kind::Close, Kind::Send, Kind::Timeout];
    let all = kinds.map(|kind| any(kind).refused());
    check(CSR, &all);
    let life = concat(&[&sent(2, 2), &[close().ends(1)]]);
    check(CSR, &concat(&[&life, &all, &sent(2, 1)]));
    // Kinds of the block's own events have no effect from outside.
    let reserved = [any(Kind::Send), any(Kind::Timeout)];
    check(CSR, &concat(&[&sent(2, 2), &reserved, &[ack(4, &[]).acks(2).una(4).completes(1)], &reserved]));
    // Connections do not affect each other.
    let other = |step: Step| step.of(6);
    let both = [
        open(3),
        other(open(9)),
        other(post(1)),
        other(send(9).last()),
        post(2),
        send(3),
        send(4).last(),
        nack(3).lost(1),
        again(3),
        other(ack(10, &[]).acks(1).una(10).completes(1)),
        other(close()),
        ack(5, &[]).acks(2).una(5).completes(1),
        other(post(1).refused()),
    ];
    check(CSR, &both);
}

#[test]
fn rule_04_acks_in_and_out_of_order() {
    let ten = sent(100, 10);
    // In order, one by one; twice; all at once.
    let one_by_one: Vec<Step> = (101..110).map(|psn| ack(psn, &[]).acks(1).una(psn)).collect();
    let end = [ack(110, &[]).acks(1).una(110).completes(1), ack(110, &[])];
    check(CSR, &concat(&[&ten, &one_by_one, &end]));
    check(CSR, &concat(&[&ten, &[ack(100, &[]), ack(110, &[]).acks(10).una(110).completes(1)]]));
    // Out of order, with earlier bits repeated or cleared: an acknowledged PSN stays acknowledged.
    let apart = [
        ack(100, &[2, 5]).acks(2),
        ack(100, &[2, 5]),
        ack(100, &[2]),
        ack(100, &[]),
        ack(102, &[3]).acks(2).una(103),
        ack(102, &[]).but(Reason::Stale),
        ack(104, &[1]).acks(1).una(104),
        ack(105, &[4]).acks(2).una(106),
        ack(106, &[0, 1, 2]).acks(3).una(110).completes(1),
    ];
    check(CSR, &concat(&[&ten, &apart]));
    // A lost packet that has arrived is not sent again.
    let lost = [window(0), nack(103).lost(1), ack(100, &[3]).acks(1).lost(0), window(1 << 20)];
    check(CSR, &concat(&[&ten, &lost]));
}

#[test]
fn rule_04_acks_of_the_past_and_of_what_was_never_sent() {
    for first in [1_000, 0, 255, 256, HALF, PSNS - 5] {
        let at = |ahead: u32| (first + ahead) % PSNS;
        let back = |behind: u32| (first + PSNS - behind) % PSNS;
        let steps = [
            // An old bitmap acknowledges its PSNs of the window.
            ack(back(1), &[0, 4]).acks(1).but(Reason::Stale),
            ack(back(255), &[255]).acks(1).una(at(1)).but(Reason::Stale),
            ack(back(255), &[255, 254]).but(Reason::Stale),
            // The window begins one PSN later now.
            ack(back(256), &[255]).but(Reason::Stale),
            ack(back(255), &[255, 0]).but(Reason::Stale),
            ack(back(900), &[0, 255]).but(Reason::Stale),
            ack((at(1) + HALF) % PSNS, &[0, 255]).but(Reason::Stale),
            ack((at(1) + HALF + 1) % PSNS, &[]).but(Reason::Stale),
            // Never sent.
            ack(at(11), &[]).but(Reason::NeverSent),
            ack(at(11), &[0, 255]).but(Reason::NeverSent),
            ack(at(256), &[]).but(Reason::NeverSent),
            ack(at(900), &[]).but(Reason::NeverSent),
            ack((at(1) + HALF - 1) % PSNS, &[0]).but(Reason::NeverSent),
            // A bitmap covers both.
            ack(at(5), &[0, 4, 5]).answers(at(9)).acks(5).una(at(6)).beyond(),
            ack(at(5), &[0, 255]).but(Reason::Stale),
            ack(at(6), &[255]).beyond(),
            ack(at(6), &[4]).beyond(),
            ack(at(10), &[0]).answers(at(9)).acks(3).una(at(10)).completes(1).beyond(),
            ack(at(10), &[]),
        ];
        check(CSR, &concat(&[&sent(first, 10), &steps]));
    }
    // Bits of 256 PSNs, of which three are sent: they do not go round to the window's begin.
    let all: Vec<u32> = (0..256).collect();
    let ends: Vec<u32> = (1..256).collect();
    check(CSR, &concat(&[&sent(7, 3), &[ack(7, &ends).answers(9).acks(2).beyond()]]));
    check(CSR, &concat(&[&sent(7, 3), &[ack(7, &all).answers(9).acks(3).una(10).completes(1).beyond()]]));
    check(CSR, &concat(&[&sent(7, 3), &[ack(9, &[255, 254]).acks(2).unsure().una(9).beyond()]]));
}

#[test]
fn rule_05_a_packet_that_is_denied_ends_the_connection() {
    for first in [100, 0, 255, PSNS - 3] {
        let at = |ahead: u32| (first + ahead) % PSNS;
        // A bitmap has no effect on packets outside of the window.
        let nothing = [
            nack(at(10)).denied().but(Reason::NeverSent),
            nack(at(PSNS - 1)).denied().but(Reason::Stale),
            ack(at(2), &[]).acks(2).una(at(2)),
            nack(at(1)).denied().but(Reason::Stale),
        ];
        for denied in [2, 9] {
            // One message is in flight, one waits.
            let ended = [post(1), nack(at(denied)).denied().lost(1).fails().ends(2)];
            let after = [nack(at(2)).refused(), calm().at(10_000), open(9), post(1), send(9).last()];
            check(CSR, &concat(&[&sent(first, 10)[..], &nothing, &[window(0)], &ended, &after]));
        }
    }
    // Only a NACK has this effect: in an ACK and in a window the bit has another meaning.
    check(CSR, &concat(&[&sent(0, 4), &[window(1), ack(1, &[]).answers(1).acks(1).una(1), nack(2).lost(1)]]));
}

#[test]
fn rule_05_a_nack_loses_its_packet() {
    for first in [100, 0, 255, PSNS - 3] {
        let at = |ahead: u32| (first + ahead) % PSNS;
        let edges = [
            nack(at(0)).lost(1),
            again(at(0)),
            nack(at(9)).lost(1),
            again(at(9)),
            nack(at(10)).but(Reason::NeverSent),
            nack(at(256)).but(Reason::NeverSent),
            nack(at(HALF - 1)).but(Reason::NeverSent),
            nack(at(PSNS - 1)).but(Reason::Stale),
            nack(at(HALF)).but(Reason::Stale),
            ack(at(2), &[3]).acks(3).una(at(2)),
            nack(at(1)).but(Reason::Stale),
            nack(at(0)).but(Reason::Stale),
            // This PSN is acknowledged.
            nack(at(5)),
        ];
        check(CSR, &concat(&[&sent(first, 10), &edges]));
    }
    // Lost once is lost.
    let twice = [window(0), nack(3).lost(1), nack(3), nack(1).lost(2), nack(3), window(1 << 20)];
    check(CSR, &concat(&[&sent(0, 5), &twice, &[again(1), again(3), nack(3).lost(1), again(3)]]));
}

#[test]
fn rules_08_and_09_the_window_of_psns() {
    for first in [0, 200, 256, PSNS - 100] {
        let at = |ahead: u32| (first + ahead) % PSNS;
        let full = concat(&[&[open(first), post(1_000)], &sends(first, 256)]);
        // Holes keep it where it is; from the first on it moves.
        let bits: Vec<u32> = (1..255).collect();
        let holes = [ack(first, &bits).acks(254), calm(), nack(at(255)).lost(1), again(at(255)), nack(first)];
        let holes = concat(&[&holes[..4], &[holes[4].lost(1), again(first)]]);
        let moved = concat(&[&[ack(at(1), &[]).acks(1).una(at(255))], &sends(at(256), 255)]);
        check(
            CSR,
            &concat(&[&full, &holes, &moved, &[ack(at(256), &[]).acks(1).una(at(256)), send(at(511))]]),
        );
        // One by one.
        let one = |psn: u32| [ack(at(psn + 1), &[]).acks(1).una(at(psn + 1)), send(at(psn + 256))];
        let steps: Vec<Step> = (0..40).flat_map(one).collect();
        check(CSR, &concat(&[&full, &steps]));
    }
}

#[test]
fn rule_10_the_lowest_psn_that_has_not_come() {
    // 256 at once, through three turns of every slot and the end of the PSNs; in both orders.
    for first in [0, 1, 100, 255, PSNS - 300] {
        let window = |number: u32| {
            let from = (first + 256 * number) % PSNS;
            let bits: Vec<u32> = (1..256).collect();
            let upper = ack(from, &bits).acks(255);
            let whole = ack((from + 256) % PSNS, &[]).acks(256).una(from + 256);
            let lowest = ack((from + 1) % PSNS, &[]).acks(1).una(from + 256);
            let acks = if number.is_multiple_of(2) { vec![whole] } else { vec![upper, lowest] };
            concat(&[&sends(from, 256), &acks])
        };
        let windows: Vec<Step> = (0..4).flat_map(window).collect();
        let rest = sends((first + 1_024) % PSNS, 256);
        check(CSR, &concat(&[&[open(first), post(2_000)], &windows, &rest]));
    }
}

/// Messages of one packet each, posted while the congestion window allows one packet: the first has left, the others wait.
fn queued(messages: u16) -> Vec<Step> {
    let more = vec![post(1); messages as usize];
    concat(&[&[open_with(0, 0), post(1), send(0).last()], &more])
}

#[test]
fn rule_11_sixteen_messages_wait() {
    check(CSR, &concat(&[&queued(16), &[post(1).but(Reason::Refused), post(9).but(Reason::Refused)]]));
    let room =
        [ack(1, &[]).acks(1).una(1).completes(1), send(1).last(), post(1), post(1).but(Reason::Refused)];
    check(CSR, &concat(&[&queued(16), &[post(1).but(Reason::Refused)], &room]));
    // A message no longer waits once a packet of it was sent.
    let begun = [open_with(0, 0), post(3), send(0)];
    check(CSR, &concat(&[&begun, &vec![post(2); 16], &[post(2).but(Reason::Refused)]]));
    // A message without packets is refused.
    check(
        CSR,
        &[open(0), post(0).but(Reason::Refused), post(1), send(0).last(), post(0).but(Reason::Refused)],
    );
    // Round the queue, full and half full, three times.
    for waiting in [16, 7] {
        let turn = |n: u32| [ack(n + 1, &[]).acks(1).una(n + 1).completes(1), send(n + 1).last(), post(1)];
        let turns: Vec<Step> = (0..50).flat_map(turn).collect();
        check(CSR, &concat(&[&queued(waiting), &turns]));
    }
}

#[test]
fn rule_12_messages_leave_in_order() {
    let sizes = [3u16, 1, 2, 1, 5, 4];
    let mut steps = vec![open_with(0, 0), post(sizes[0]), send(0)];
    steps.extend(sizes[1..].iter().map(|&packets| post(packets)));
    // One packet leaves for each packet that is acknowledged.
    let ends: Vec<u32> = sizes
        .iter()
        .scan(0, |end, &packets| {
            Some({
                *end += u32::from(packets);
                *end
            })
        })
        .collect();
    for psn in 1..=16 {
        let step = ack(psn, &[]).acks(1).una(psn);
        steps.push(if ends.contains(&psn) { step.completes(1) } else { step });
        if psn < 16 {
            let next = send(psn);
            steps.push(if ends.contains(&(psn + 1)) { next.last() } else { next });
        }
    }
    check(CSR, &steps);
    // The longest message begins like any other.
    check(CSR, &concat(&[&[open_with(0, 9 * MTU), post(u16::MAX)], &sends(0, 9), &[post(1)]]));
}

#[test]
fn rule_14_lost_packets_first() {
    let begin = concat(&[&[open_with(0, 4 * MTU), post(9)], &sends(0, 4)]);
    // Two packets are lost, and one more would be new: the lowest lost packet leaves first, as far as the
    // window allows.
    let steps = [
        window(0),
        nack(3).lost(1),
        nack(1).lost(2),
        window(3 * MTU),
        again(1),
        window(6 * MTU),
        again(3),
        send(4),
        send(5),
    ];
    check(CSR, &concat(&[&begin, &steps]));
    // Lost packets are sent again however full the window of PSNs is.
    let full = concat(&[&[open(0), post(300)], &sends(0, 256)]);
    check(CSR, &concat(&[&full, &[nack(255).lost(1), again(255), nack(0).lost(1), again(0)]]));
}

#[test]
fn rule_15_the_congestion_window() {
    // As many packets leave as fit, each counted with MTU bytes, and always at least one.
    for (cwnd, packets) in
        [(0, 1), (1, 1), (MTU, 1), (2 * MTU - 1, 1), (2 * MTU, 2), (3 * MTU - 1, 2), (9_000, 9)]
    {
        check(CSR, &concat(&[&[open_with(0, cwnd), post(20)], &sends(0, packets), &[calm()]]));
    }
    // The window grows and shrinks.
    let steps = [
        open_with(0, 0),
        post(20),
        send(0),
        window(2 * MTU),
        send(1),
        window(2 * MTU + 1),
        window(0),
        ack(1, &[]).acks(1).una(1),
        ack(2, &[]).acks(1).una(2),
        send(2),
        window((1 << 26) - 1),
    ];
    check(CSR, &concat(&[&steps, &sends(3, 17)[..16], &[send(19).last()]]));
    // A probe's packet leaves at any window, and so does one of the packets that an epoch loses late in a
    // silence.
    let cut = concat(&[&[open_with(0, 9 * MTU), post(9)], &sends(0, 8), &[send(8).last(), window(MTU)]]);
    let first = [epoch().at(30), probe().at(30).lost(1), again(0)];
    let second = [epoch().at(60).lost(8), again(1)];
    let round = |from| concat(&[&epochs(from, 10, 4), &[epoch().at(from + 50).lost(9), again(0)]]);
    let more: Vec<Step> = (0..5).flat_map(|number| round(60 + 50 * number)).collect();
    let rest = [epoch().at(410), timeout().at(410).lost(9), again(0), calm()];
    let before = [&epochs(0, 10, 2)[..], &first, &epochs(30, 10, 2), &second].concat();
    let parts = [&before[..], &more, &epochs(310, 10, 9), &rest];
    check(CSR, &concat(&[&cut, &parts.concat()]));
    // Lost packets are not in flight.
    let lost = [open_with(0, 3 * MTU), post(20), send(0), send(1), send(2), nack(0).lost(1), again(0)];
    check(CSR, &concat(&[&lost, &[ack(0, &[2]).acks(1), send(3), nack(3).lost(1), again(3)]]));
    // The largest packets, with all 256 in flight: the window must fit 257 for one more.
    let largest = SackTxCsr { mtu_bytes: (1 << 14) - 1, ..CSR };
    let fits = |packets: u32| packets * ((1 << 14) - 1);
    let begin = [open_with(0, fits(200)), post(1_000)];
    check(
        largest,
        &concat(&[&begin, &sends(0, 200), &[window(fits(201) - 1), window(fits(201)), send(200)]]),
    );
    // Bytes are counted at the next event, with the register's value at that time.
    let small = SackTxCsr { mtu_bytes: 1, ..CSR };
    check_parts(&[(CSR, &[open_with(0, MTU), post(20), send(0)]), (small, &[window(3), send(1), send(2)])]);
}

#[test]
fn rule_17_messages_end_once_and_in_order() {
    // Three messages of two packets each; the second one is acknowledged first.
    let three = [open(0), post(2), send(0), send(1).last(), post(2), send(2), send(3).last(), post(2)];
    let three = concat(&[&three, &[send(4), send(5).last()]]);
    let reordered = [
        ack(0, &[2, 3]).acks(2),
        ack(0, &[1]).acks(1),
        ack(1, &[]).acks(1).una(4).completes(2),
        ack(4, &[]),
        ack(5, &[]).acks(1).una(5),
        ack(6, &[]).acks(1).una(6).completes(1),
        ack(6, &[]),
        close(),
    ];
    check(CSR, &concat(&[&three, &reordered]));
    check(CSR, &concat(&[&three, &[ack(6, &[]).acks(6).una(6).completes(3), open(6)]]));
    check(CSR, &concat(&[&three, &[ack(3, &[]).acks(3).una(3).completes(1), open(6).ends(2)]]));
    check(CSR, &concat(&[&three, &[ack(3, &[]).acks(3).una(3).completes(1), close().ends(2)]]));
    // Waiting messages end with those in flight.
    check(CSR, &concat(&[&queued(16), &[close().ends(17)]]));
    // 256 messages at once, and again with the same slots.
    let mut steps = vec![open(9)];
    for from in [9, 9 + 256] {
        steps.extend((from..from + 256).flat_map(|psn| [post(1), send(psn).last()]));
        steps.push(ack(from + 256, &[]).acks(256).una(from + 256).completes(256));
    }
    check(CSR, &steps);
    // A slot forgets that its last PSN ended a message.
    let plain = concat(&[&[post(300)], &sends(256, 256)]);
    let all: Vec<Step> = (0..256).flat_map(|psn| [post(1), send(psn).last()]).collect();
    let whole = ack(256, &[]).acks(256).una(256).completes(256);
    let rest = concat(&[&[ack(512, &[]).acks(256).una(512)], &sends(512, 43), &[send(555).last()]]);
    check(CSR, &concat(&[&[open(0)], &all, &[whole], &plain, &rest]));
    // The maximum: 256 messages in flight, 16 waiting.
    let most =
        concat(&[&[open(0)], &all, &vec![post(1); 16], &[post(1).but(Reason::Refused), close().ends(272)]]);
    check(CSR, &most);
}
