//! The rules of what is lost and when: ages, epochs, verdicts, probes, timeouts (6, 7, 13, 20 to 23).

use crate::rules::bench::{check, check_parts};
use crate::rules::steps::{
    Step, ack, again, calm, epoch, epochs, nack, open, open_with, post, probe, send, sends, timeout, window,
};
use crate::rules::{CLASS, CSR, GAP, PSNS, WRAP, concat, sent};
use weft_nic::block::sack_tx::Reason;
use weft_params::{SackTxClass, SackTxCsr};

/// What follows when a connection falls silent at a time, its lowest PSN being this one: epochs of so many ticks, two
/// probes with the packet sent again, epochs until a timeout with this RTO is due, which is the next step.
fn silence_of(from: u64, una: u32, ticks: u64, rto: u64) -> Vec<Step> {
    let (first, second) = (from + 3 * ticks, from + 9 * ticks);
    let probed = |begun: u64, at: u64| {
        let few = epochs(begun, ticks, (at - begun) / ticks - 1);
        concat(&[&few, &[calm().at(at - 1), epoch().at(at), probe().at(at).lost(1), again(una)]])
    };
    let (end, last) = (second + rto, epochs(second, ticks, rto / ticks));
    let before: Vec<Step> = epochs(second, ticks, (rto - 1) / ticks);
    let due = &last[before.len()..];
    concat(&[&probed(from, first), &probed(first, second), &before, &[calm().at(end - 1)], due])
}

pub(super) fn silence(from: u64, una: u32, rto: u64) -> Vec<Step> {
    silence_of(from, una, 10, rto)
}

/// An ACK of the packet so far ahead of 100.
fn acked(ahead: u32) -> Step {
    ack(100, &[ahead]).acks(1)
}

/// Packets 100 to 109 have left at 0, and 110 at 15; three epochs are over at 30.
fn aged() -> Vec<Step> {
    let later = [post(1).at(15), send(110).last(), epoch().at(20), epoch().at(30)];
    concat(&[&sent(100, 10), &[epoch().at(10)], &later])
}

fn all_but(psns: std::ops::Range<u32>, come: &[u32]) -> Vec<Step> {
    psns.filter(|psn| !come.contains(psn)).map(again).collect()
}

#[test]
fn rule_06_what_is_old_is_lost() {
    let again_all = all_but(100..110, &[105]);
    // What left three epochs ago, not what left two ago; by an ACK of a packet that left two ago at most.
    check(CSR, &concat(&[&aged(), &[acked(5).after(20).lost(9).failure()], &again_all]));
    check(CSR, &concat(&[&aged(), &[acked(5).after(21)]]));
    check(CSR, &concat(&[&aged(), &[acked(5).after(0x7FFF).congested()]]));
    // The ACK must answer a PSN of the window, and count.
    let none = [
        ack(100, &[]).answers(111),
        ack(100, &[]).answers(99),
        ack(100, &[]).answers(100 + PSNS / 2),
        ack(112, &[]).answers(105).but(Reason::NeverSent),
        ack(100 - 26, &[]).answers(102 - 26).but(Reason::Stale),
    ];
    check(CSR, &concat(&[&aged(), &none]));
    let old = [ack(99, &[]).answers(105).lost(10).failure().but(Reason::Stale)];
    check(CSR, &concat(&[&aged(), &old, &all_but(100..110, &[])]));
    // What was sent again has age 0, and is judged again when it is old: epochs are of 15, 14 and 13 ticks then.
    let again_old = concat(&[
        &[acked(5).after(20).lost(9).failure()],
        &again_all,
        &[ack(100, &[5, 6]).acks(1).after(20), epoch().at(40), post(1).at(45), send(111).last()],
        &[epoch().at(55), epoch().at(69), ack(100, &[5, 6, 11]).acks(1).after(26).lost(9).failure()],
        &all_but(100..111, &[105, 106]),
    ]);
    check(CSR, &concat(&[&aged(), &again_old]));
    // What is lost already is lost; what is acknowledged is not.
    let lost = [window(0), nack(102).lost(1), acked(5).after(20).lost(9), window(1 << 20)];
    check(CSR, &concat(&[&aged(), &lost, &again_all]));
}

#[test]
fn rule_06_the_gap() {
    let ten = sent(100, 10);
    let old = |count| concat(&[&ten, &epochs(0, 10, count)]);
    // Of age 2 and three PSNs before it.
    let steps = [acked(2).after(20), acked(4).after(20).lost(2).failure(), again(100), again(101)];
    // 102 and 104 have come; 100 and 101 are young again.
    let more = [ack(100, &[9]).acks(1).after(20).lost(3).failure(), again(103), again(105), again(106)];
    check(GAP, &concat(&[&old(2), &steps, &more]));
    check(CSR, &concat(&[&old(2), &[acked(9).after(20)]]));
    // Of age 1 it is on its way; and not by an ACK of a packet that left long ago.
    check(GAP, &concat(&[&old(1), &[acked(9).after(20)]]));
    check(GAP, &concat(&[&old(2), &[acked(9).after(21)]]));
    // The widest and the narrowest gap.
    let whole = concat(&[&[open(PSNS - 9), post(300)], &sends(PSNS - 9, 256), &epochs(0, 10, 2)]);
    let wide = [ack(PSNS - 9, &[254]).acks(1), ack(PSNS - 9, &[255]).acks(1).lost(1), again(PSNS - 9)];
    check(CSR.with_gap(255), &concat(&[&whole, &wide]));
    let narrow = [acked(2).lost(2).failure(), again(100), again(101)];
    check(CSR.with_gap(1), &concat(&[&old(2), &narrow]));
    // A NACK loses its packet, whatever its age.
    check(GAP, &concat(&[&ten, &[nack(100).lost(1), again(100)]]));
}

#[test]
fn rule_07_timeouts_and_probes() {
    let all: Vec<Step> = (0..5).map(again).collect();
    check(CSR, &concat(&[&sent(0, 5), &silence(0, 0, 100), &[timeout().at(190).lost(5)], &all]));
    // But what has come.
    let some = [ack(1, &[1, 3]).acks(3).una(1)];
    let rest = [timeout().at(190).lost(2), again(1), again(3)];
    check(CSR, &concat(&[&sent(0, 5), &some, &silence(0, 1, 100), &rest]));
    // What the probe sent again is not old yet.
    let csr = CSR.with_rto(20);
    check(csr, &concat(&[&sent(0, 5), &silence(0, 0, 20), &[timeout().at(110).lost(4)], &all[1..]]));
    // A whole window.
    let whole = concat(&[&[open(77), post(300)], &sends(77, 256), &silence(0, 77, 100)]);
    let again: Vec<Step> = (77..77 + 256).map(again).collect();
    check(CSR, &concat(&[&whole, &[timeout().at(190).lost(256)], &again]));
}

#[test]
fn rule_13_the_timer() {
    let one = sent(0, 1);
    let first = concat(&[&silence(0, 0, 100), &[timeout().at(190).lost(1), again(0)]]);
    let second = concat(&[&silence(190, 0, 200), &[timeout().at(480).lost(1), again(0)]]);
    let third = [timeout().at(970).lost(1).fails().ends(1), post(1).refused()];
    check(CSR, &concat(&[&one, &first, &second, &silence(480, 0, 400), &third]));
    // Late is late.
    let late = [epoch().at(5_000), probe().lost(1), again(0), epoch().at(5_010), calm().at(5_011)];
    check(CSR, &concat(&[&one, &late]));
    // It doubles so often and no more.
    for backoff_limit in [0, 1, 2, 3, 7] {
        let csr = CSR.with_backoff(backoff_limit).with_retries(15);
        let (mut at, mut steps) = (0, one.clone());
        for retry in 0..5 {
            let rto = 100 << retry.min(backoff_limit);
            steps.extend(silence(at, 0, rto));
            at += 90 + rto;
            steps.extend([timeout().at(at).lost(1), again(0)]);
        }
        check(csr, &steps);
    }
    // Progress takes all but an epoch off the silence, if it was longer, and lets probes and retries begin anew.
    let two = sent(0, 2);
    let soon = [ack(0, &[1]).at(5).acks(1), epoch().at(10), epoch().at(20), calm().at(29), epoch().at(30)];
    check(CSR, &concat(&[&two, &soon, &[probe().at(30).lost(1), again(0)]]));
    let later = [ack(0, &[1]).at(25).acks(1), epoch().at(30), epoch().at(40), calm().at(44)];
    check(CSR, &concat(&[&two, &epochs(0, 10, 2), &later, &[probe().at(45).lost(1), again(0)]]));
    let probed = [probe().at(30).lost(1), again(0), ack(0, &[1]).acks(1)];
    let anew = concat(&[&epochs(30, 10, 3), &[probe().at(60).lost(1), again(0)]]);
    check(CSR, &concat(&[&two, &epochs(0, 10, 3), &probed, &anew]));
    let back = [timeout().at(190).lost(2), again(0), again(1), ack(1, &[]).acks(1).una(1)];
    let anew = concat(&[&silence(190, 1, 100), &[timeout().at(380).lost(1), again(1)]]);
    check(CSR, &concat(&[&two, &silence(0, 0, 100), &back, &anew]));
    // What is no progress changes nothing; what leaves begins a silence.
    let none = [ack(0, &[]).at(12), post(1).at(15), send(2).last(), epoch().at(20), ack(0, &[]).at(22)];
    let rest = [epoch().at(30), epoch().at(40), calm().at(44), probe().at(45).lost(1), again(0)];
    check(CSR, &concat(&[&two, &[epoch().at(10)], &none, &rest]));
    // It runs from the first packet on that is outstanding, and not when all has come.
    let quiet = [open(0), calm().at(5_000), post(1), send(0).last()];
    let done = [ack(1, &[]).at(5_195).acks(1).una(1).completes(1), calm().at(9_000), post(1), send(1).last()];
    let timed = [timeout().at(5_190).lost(1), again(0)];
    check(CSR, &concat(&[&quiet, &silence(5_000, 0, 100), &timed, &done, &silence(9_000, 1, 100)]));
    // The time goes round.
    for begin in [WRAP - 100, WRAP - 99, WRAP - 1, WRAP] {
        let steps = concat(&[&[open(0).at(begin), post(1), send(0).last()], &silence(begin, 0, 100)]);
        check(CSR, &concat(&[&steps, &[timeout().at(begin + 190).lost(1), again(0)]]));
    }
    // The longest.
    let longest = CSR.with_backoff(7).with_retries(15).with_rto(0xFFFF).with_epoch(24_575);
    let (mut at, mut steps) = (0, one);
    for retry in 0..9 {
        let rto = 0xFFFF << retry.min(7);
        steps.extend(silence_of(at, 0, 24_575, rto));
        at += 9 * 24_575 + rto;
        let lost = if rto >= 3 * 24_575 { timeout().lost(1) } else { timeout() };
        steps.push(lost.at(at));
        steps.extend((rto >= 3 * 24_575).then_some(again(0)));
    }
    check(longest, &steps);
}

/// A timeout with few epochs: the time jumps.
fn quick(from: u64, rto: u64) -> Vec<Step> {
    let probed = |at: u64| [epoch().at(at), probe().lost(1), again(0)];
    concat(&[&probed(from + 30), &probed(from + 90), &[epoch().at(from + 90 + rto)]])
}

#[test]
fn rule_13_retries_run_out() {
    for retry_limit in [0, 1, 16, 1_023] {
        let csr = CSR.with_backoff(0).with_retries(retry_limit);
        let survived =
            (0..u64::from(retry_limit)).flat_map(|n| concat(&[&quick(190 * n, 100), &[timeout()]]));
        let end = concat(&[&quick(190 * u64::from(retry_limit), 100), &[timeout().fails().ends(3)]]);
        // The first message is on its way, two wait: the window is closed.
        let begin = [open_with(0, 0), post(2), send(0), post(1), post(1)];
        let after = [ack(1, &[]).refused(), calm().at(1 << 20), open(9), post(1), send(9).last()];
        check(csr, &concat(&[&begin, &survived.collect::<Vec<_>>(), &end, &after]));
    }
    // The limit is lowered below what the connection has had.
    let twice = concat(&[&quick(0, 100), &[timeout()], &quick(190, 200), &[timeout()], &quick(480, 400)]);
    let lower = CSR.with_retries(1);
    check_parts(&[(CSR, &concat(&[&sent(0, 1), &twice])), (lower, &[timeout().fails().ends(1)])]);
}

/// Each class has limits of its own.
#[test]
fn rule_13_retries_of_a_class() {
    let mut csr = CSR.with_backoff(0).with_retries(15);
    for (class, limits) in csr.classes.iter_mut().zip([(0, 1), (1, 2), (2, 3), (3, 4)]) {
        (class.backoff_limit, class.retry_limit) = limits;
    }
    for class in 0..4u64 {
        let mut steps = vec![open(0).class(class as u32), post(1), send(0).last()];
        let mut at = 0;
        // The class's number is its limit of doublings, and one more its limit of retries.
        for retry in 0..=class + 1 {
            let rto = 100 << retry.min(class);
            steps.extend(silence(at, 0, rto));
            at += 90 + rto;
            let over = retry > class;
            steps.push(if over {
                timeout().at(at).lost(1).fails().ends(1)
            } else {
                timeout().at(at).lost(1)
            });
            steps.extend((!over).then(|| again(0)));
        }
        check(csr, &steps);
    }
}

#[test]
fn rule_21_epochs_follow_the_peak() {
    // 100 ticks make an epoch of 75, 94 then one of 70, 89 one of 66.
    let begin = [ack(1, &[]).at(5).acks(1).una(1).after(100), calm().at(9), epoch().at(10)];
    let longer = [calm().at(84), epoch().at(85), calm().at(154), epoch().at(155), calm().at(197)];
    check(
        CSR,
        &concat(&[&sent(0, 2), &begin, &longer, &[probe().at(198).lost(1), again(1), calm().at(220)]]),
    );
    // Only what answers a PSN of the window counts.
    let none = [ack(0, &[1]).answers(9).at(5).acks(1).unsure().after(100), epoch().at(10), calm().at(19)];
    check(CSR, &concat(&[&sent(0, 2), &none, &[epoch().at(20)]]));
    // An odd number; the shortest epoch in any case.
    let odd = [ack(1, &[]).at(5).acks(1).una(1).after(15), epoch().at(10), calm().at(20), epoch().at(21)];
    check(CSR, &concat(&[&sent(0, 2), &odd]));
    let small = [ack(1, &[]).at(5).acks(1).una(1).after(13), epoch().at(10), calm().at(19), epoch().at(20)];
    check(CSR, &concat(&[&sent(0, 2), &small]));
    // The oldest stamp that there is, as a replayed ACK may have it: losses are found 0.8 ms later, then sooner again.
    let csr = CSR.with_class(SackTxClass { high_ticks: 32_767, ..CLASS });
    let replayed = ack(1, &[]).at(5).acks(1).una(1).after(32_767).congested();
    let epochs = [epoch().at(10).congested(), calm().at(24_584), epoch().at(24_585), calm().at(47_624)];
    let found = [epoch().at(47_625), calm().at(64_799), probe().at(64_800).lost(1), again(1)];
    check(csr, &concat(&[&sent(0, 2), &[replayed], &epochs, &found]));
}

#[test]
fn rule_22_congested_and_failures() {
    let csr = CSR.with_class(SackTxClass { high_ticks: 100, ..CLASS });
    // The peak is 100, then 94.
    let high = [ack(1, &[]).at(5).acks(1).una(1).after(99), ack(1, &[]).answers(1).after(100).congested()];
    let falls = [
        post(1).congested(),
        send(2).last().congested(),
        epoch().at(10).congested(),
        post(1),
        send(3).last(),
    ];
    check(csr, &concat(&[&sent(0, 2), &high, &falls]));
    // A verdict of a congested network is no failure.
    let csr = CSR.with_class(SackTxClass { high_ticks: 20, ..CLASS });
    let verdict = [window(0), acked(5).after(20).lost(9).congested()];
    check(csr, &concat(&[&aged(), &verdict]));
    // Nor one of a single packet, unless there was another in this epoch or the one before.
    let come: Vec<u32> = (1..10).chain([11]).collect();
    let begin = [
        ack(100, &come[..9]).acks(9),
        epoch().at(10),
        post(2).at(15),
        send(110),
        send(111).last(),
        epoch().at(20),
        epoch().at(30),
        ack(100, &come).acks(1).after(15).lost(1),
        again(100),
        epoch().at(40),
    ];
    let second = ack(100, &come).after(20).lost(1);
    check(CSR, &concat(&[&sent(100, 10), &begin, &[second.failure(), again(110)]]));
    check(CSR, &concat(&[&sent(100, 10), &begin, &[epoch().at(51), second, again(110)]]));
    // Nor one with a NACK in this epoch or the one before.
    let nacked = [nack(103).lost(1), again(103), acked(5).after(20).lost(8)];
    check(CSR, &concat(&[&aged(), &nacked, &all_but(100..110, &[103, 105])]));
}

#[test]
fn rule_23_times_beyond_the_time_stamp() {
    let csr = CSR.with_epoch(24_575);
    let two = concat(&[&sent(0, 2), &[epoch().at(24_575), epoch().at(49_150)]]);
    check(csr, &concat(&[&two, &[ack(0, &[1]).at(65_535).acks(1)]]));
    check(csr, &concat(&[&two, &[ack(0, &[1]).at(65_536).acks(1).unsure()]]));
    // From the middle of a turn.
    let late = [open(0).at(32_767), post(2), send(0), send(1).last(), epoch().at(57_342)];
    check(csr, &concat(&[&late, &[ack(0, &[1]).at(65_535).acks(1), ack(0, &[1]).at(65_536).unsure()]]));
    // The mark moves when una has reached it, and then again: what is left was sent late enough.
    let moves = [
        ack(1, &[]).at(40_000).acks(1).una(1),
        post(1),
        send(2).last(),
        epoch().at(49_150),
        ack(2, &[]).at(60_000).acks(1).una(2).completes(1),
        epoch().at(73_725),
        epoch().at(98_300),
        ack(2, &[]).at(98_303).answers(2).lost(1),
        again(2),
    ];
    let begin = concat(&[&sent(0, 2), &[epoch().at(24_575)]]);
    check(csr, &concat(&[&begin, &moves, &[ack(2, &[]).at(98_304).answers(2).unsure()]]));
    // It acknowledges something and answers no PSN of the window.
    check(
        CSR,
        &concat(&[&sent(0, 2), &[ack(1, &[]).answers(7).acks(1).una(1).unsure(), ack(1, &[]).answers(0)]]),
    );
}

#[test]
fn classes_have_their_own_registers() {
    let classes: [SackTxClass; 4] = std::array::from_fn(|number| {
        let number = number as u32;
        SackTxClass {
            gap: number,
            rto_ticks: 100 + 40 * number,
            epoch_ticks: 10 + 10 * number,
            high_ticks: 20 + number,
            ..CLASS
        }
    });
    let csr = SackTxCsr { classes, ..CSR };
    for (class, of) in (0..).zip(classes) {
        let (ticks, rto) = (u64::from(of.epoch_ticks), u64::from(of.rto_ticks));
        let begin = [open(0).class(class), post(1), send(0).last()];
        let end = 9 * ticks + rto;
        let times = concat(&[&silence_of(0, 0, ticks, rto), &[timeout().at(end).lost(1), again(0)]]);
        check(csr, &concat(&[&begin, &times]));
        // Packets of age 2, an ACK of the one so far ahead.
        let four = concat(&[
            &[open(0).class(class), post(9)],
            &sends(0, 8),
            &[send(8).last()],
            &epochs(0, ticks, 2),
        ]);
        let lost = if of.gap == 0 { 0 } else { 5 - of.gap as u16 };
        let first = ack(0, &[4]).acks(1).lost(lost);
        let first = if lost > 1 { first.failure() } else { first };
        check(
            csr,
            &concat(&[&four, &[window(0), first, ack(0, &[4]).answers(5).after(of.high_ticks - 1)][..2]]),
        );
        let high = [
            window(0),
            ack(0, &[]).answers(0).after(of.high_ticks - 1),
            ack(0, &[]).answers(0).after(of.high_ticks).congested(),
        ];
        check(csr, &concat(&[&begin, &high]));
    }
}
