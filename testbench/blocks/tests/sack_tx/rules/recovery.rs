//! Rules of losses and their times: ages, epochs, verdicts, probes, timeouts (6, 7, 13, 20 to 23).

use crate::rules::bench::{check, check_parts};
use crate::rules::steps::{
    Step, ack, again, calm, epoch, epochs, nack, open, open_with, post, probe, send, sends, timeout, window,
};
use crate::rules::{CLASS, CSR, GAP, PSNS, WRAP, concat, sent};
use weft_nic::block::sack_tx::Reason;
use weft_params::{SackTxClass, SackTxCsr};

/// A connection that falls silent at a time, with its lowest PSN and all other unacknowledged PSNs.
struct Silence<'a> {
    from: u64,
    una: u32,
    others: &'a [u32],
    /// Ticks of an epoch.
    ticks: u64,
    rto: u64,
    /// The lowest packet was old when the silence began.
    old: bool,
}

impl Silence<'_> {
    /// Time of the second probe.
    fn second(&self) -> u64 {
        self.from + self.ticks * if self.others.is_empty() { 7 } else { 6 }
    }

    /// Whether five more probes precede the timeout, because the RTO is longer than their time.
    fn is_long(&self) -> bool {
        self.rto > 5 * self.ticks
    }

    /// Time of the timeout, counted from the last probe.
    fn end(&self) -> u64 {
        self.second() + if self.is_long() { 25 * self.ticks } else { 0 } + self.rto
    }

    /// Steps of the silence. Epochs happen first; after three epochs a probe sends the lowest packet again.
    /// After three more epochs, which are late, all other packets are old and are sent again. Or after four
    /// epochs the lowest packet is sent again, which is a probe. The connection does this five times for all
    /// packets. Then only epochs happen until the timeout is due, which is the next step.
    fn steps(&self) -> Vec<Step> {
        let &Silence { from, una, others, ticks, rto, old } = self;
        let second = self.second();
        let first = from + 3 * ticks;
        let early = concat(&[&epochs(from, ticks, 2), &[calm().at(first - 1)]]);
        let probed = match old {
            true => vec![epoch().at(first).lost(1), again(una)],
            false => vec![epoch().at(first), probe().at(first).lost(1), again(una)],
        };
        let young = epochs(first, ticks, (second - first) / ticks - 1);
        let lost = match others {
            [] => vec![epoch().at(second).lost(1), again(una)],
            _ => concat(&[
                &[epoch().at(second).lost(others.len() as u16)],
                &others.iter().map(|psn| again(*psn)).collect::<Vec<_>>(),
            ]),
        };
        let more =
            if self.is_long() { rounds(second, ticks, &[&[una], others].concat()) } else { Vec::new() };
        let from = self.end() - rto;
        let (last, before) = (epochs(from, ticks, rto / ticks), epochs(from, ticks, (rto - 1) / ticks));
        let due = &last[before.len()..];
        concat(&[&early, &probed, &young, &lost, &more, &before, &[calm().at(self.end() - 1)], due])
    }
}

/// Rounds that begin at the time `second` of a second probe. Each of the five rounds is an epoch that is late
/// after a silence of five epochs, and sends all these packets again.
fn rounds(second: u64, ticks: u64, psns: &[u32]) -> Vec<Step> {
    let round = |number: u64| {
        let (from, late) = (second + 5 * number * ticks, second + 5 * (number + 1) * ticks);
        let lost = [calm().at(late - 1), epoch().at(late).lost(psns.len() as u16)];
        concat(&[&epochs(from, ticks, 4), &lost, &psns.iter().map(|psn| again(*psn)).collect::<Vec<_>>()])
    };
    (0..5).flat_map(round).collect()
}

/// [`Silence`] with epochs of 10 ticks.
pub(super) fn silence(from: u64, una: u32, others: &[u32], rto: u64) -> Vec<Step> {
    Silence { from, una, others, ticks: 10, rto, old: false }.steps()
}

/// An ACK of the packet `ahead` after PSN 100.
fn acked(ahead: u32) -> Step {
    ack(100, &[ahead]).acks(1)
}

/// Packets 100 to 109 left at 0, and packet 110 at 15. Three epochs are over at 30.
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
    // Packets that left three epochs ago are lost, those of two epochs ago are not. The ACK must answer a
    // packet whose round trip took at most three quarters of two epochs.
    check(CSR, &concat(&[&aged(), &[acked(5).after(15).lost(9).failure()], &again_all]));
    check(CSR, &concat(&[&aged(), &[acked(5).after(16)]]));
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
    // A packet sent again has age 0, and is judged again when it is old. Epochs last 11 ticks at that time.
    let again_old = concat(&[
        &[acked(5).after(15).lost(9).failure()],
        &again_all,
        &[ack(100, &[5, 6]).acks(1).after(15), epoch().at(40), post(1).at(45), send(111).last()],
        &[epoch().at(51), epoch().at(62), ack(100, &[5, 6, 11]).acks(1).after(17).lost(9).failure()],
        &all_but(100..111, &[105, 106]),
    ]);
    check(CSR, &concat(&[&aged(), &again_old]));
    // A packet that is lost already stays lost; one that is acknowledged is not lost.
    let lost = [window(0), nack(102).lost(1), acked(5).after(15).lost(9), window(1 << 20)];
    check(CSR, &concat(&[&aged(), &lost, &again_all]));
}

/// An age of 3 was reached in the two epochs before. If round-trip times grow, packets in flight are not
/// lost.
#[test]
fn rule_06_round_trip_times_that_grow() {
    // An ACK of 100 ticks: the epoch that begins at 30 has 75 ticks, those before it had 10.
    let grown = [post(1).at(25), send(110).last(), ack(100, &[10]).at(28).acks(1).after(100)];
    let grown = concat(&[&sent(100, 10), &epochs(0, 10, 2), &grown, &[epoch().at(30)]]);
    check(CSR, &concat(&[&grown, &[acked(5).after(16), ack(100, &[6]).acks(1).after(150)]]));
    // ACKs of 70 and 66 ticks follow: three quarters of 10 + 10, of 10 + 75, of 75 + 70, rounded up.
    let again_all = all_but(100..110, &[105]);
    for (over, reach) in [(0, 15), (1, 64), (2, 109)] {
        let grown = concat(&[&grown, &[epoch().at(105), epoch().at(175)][..over]]);
        check(CSR, &concat(&[&grown, &[acked(5).after(reach).lost(9).failure()], &again_all]));
        check(CSR, &concat(&[&grown, &[acked(5).after(reach + 1)]]));
    }
}

#[test]
fn rule_06_the_gap() {
    let ten = sent(100, 10);
    let old = |count| concat(&[&ten, &epochs(0, 10, count)]);
    // The ACK answers a packet of age 2 with three PSNs before it.
    let steps = [acked(2).after(15), acked(4).after(15).lost(2).failure(), again(100), again(101)];
    // 102 and 104 are acknowledged; 100 and 101 are young again.
    let more = [ack(100, &[9]).acks(1).after(15).lost(3).failure(), again(103), again(105), again(106)];
    check(GAP, &concat(&[&old(2), &steps, &more]));
    check(CSR, &concat(&[&old(2), &[acked(9).after(15)]]));
    // A packet of age 1 counts as on its way. An ACK of a packet that left long ago loses no such packet
    // either.
    check(GAP, &concat(&[&old(1), &[acked(9).after(8)]]));
    check(GAP, &concat(&[&old(2), &[acked(9).after(16)]]));
    // The widest and the narrowest gap.
    let whole = concat(&[&[open(PSNS - 9), post(300)], &sends(PSNS - 9, 256), &epochs(0, 10, 2)]);
    let wide = [ack(PSNS - 9, &[254]).acks(1), ack(PSNS - 9, &[255]).acks(1).lost(1), again(PSNS - 9)];
    check(CSR.with_gap(255), &concat(&[&whole, &wide]));
    let narrow = [acked(2).lost(2).failure(), again(100), again(101)];
    check(CSR.with_gap(1), &concat(&[&old(2), &narrow]));
    // A NACK loses its packet at any age.
    check(GAP, &concat(&[&ten, &[nack(100).lost(1), again(100)]]));
}

#[test]
fn rule_07_timeouts_and_probes() {
    let all: Vec<Step> = (0..5).map(again).collect();
    check(
        CSR,
        &concat(&[&sent(0, 5), &silence(0, 0, &[1, 2, 3, 4], 100), &[timeout().at(410).lost(5)], &all]),
    );
    // Packets that have arrived are excluded.
    let some = [ack(1, &[1, 3]).acks(3).una(1)];
    let rest = [timeout().at(410).lost(2), again(1), again(3)];
    check(CSR, &concat(&[&sent(0, 5), &some, &silence(0, 1, &[3], 100), &rest]));
    // Packets sent again with the second probe are not old yet.
    let csr = CSR.with_rto(20);
    let short = silence(0, 0, &[1, 2, 3, 4], 20);
    check(csr, &concat(&[&sent(0, 5), &short, &[timeout().at(80).lost(1), again(0)]]));
    // A whole window.
    let others: Vec<u32> = (78..77 + 256).collect();
    let whole = concat(&[&[open(77), post(300)], &sends(77, 256), &silence(0, 77, &others, 100)]);
    let again: Vec<Step> = (77..77 + 256).map(again).collect();
    check(CSR, &concat(&[&whole, &[timeout().at(410).lost(256)], &again]));
}

/// An epoch after a silence of two and a half epochs loses old packets, not those of two epochs ago, and is
/// then a probe.
#[test]
fn rule_07_an_epoch_late_in_a_silence() {
    let begin =
        |at| concat(&[&sent(0, 5), &[epoch().at(10), post(1).at(at), send(5).last()], &epochs(10, 10, 2)]);
    let all: Vec<Step> = (0..5).map(again).collect();
    let late = concat(&[&begin(15), &[epoch().at(40).lost(5)], &all]);
    // The packet without an answer is then old with the fourth epoch, which is the second probe.
    let second = [epoch().at(50), epoch().at(60), epoch().at(70).lost(1), again(5)];
    // After this silence an epoch is late after five epochs, up to seven probes. Then the timeout is due.
    let more = concat(&[&rounds(70, 10, &[0, 1, 2, 3, 4, 5]), &epochs(320, 10, 9)]);
    let end = [calm().at(419), epoch().at(420), timeout().at(420).lost(6)];
    check(CSR, &concat(&[&late, &second, &more, &end, &(0..6).map(again).collect::<Vec<_>>()]));
    // With one tick more a probe is due first.
    let soon = [epoch().at(40), calm().at(45), probe().at(46).lost(1), again(0)];
    check(CSR, &concat(&[&begin(16), &soon]));
    // An acknowledgement shortens the silence to one epoch, from 30 to 20. Epochs are then of 12 and 11
    // ticks.
    let heard =
        [ack(0, &[4]).at(30).acks(1).after(16), epoch().at(40), calm().at(51), epoch().at(52).lost(5)];
    check(CSR, &concat(&[&begin(11), &heard, &[0, 1, 2, 3, 5].map(again), &[epoch().at(63)]]));
}

/// A peer that sends NACKs forever: packets leave again a round trip later, and none is acknowledged. A
/// silence that restarted with every packet that leaves would never end.
#[test]
fn rule_13_nacks_are_no_answer() {
    let csr = CSR.with_epoch(24_575).with_rto(0xFFFF).with_retries(0);
    let mut steps: Vec<(u64, Vec<Step>)> = Vec::new();
    steps.extend((1..=17).map(|n| (20_000 * n, vec![nack(0).at(20_000 * n).lost(1), again(0)])));
    steps.extend((1..=14).map(|n| (24_575 * n, vec![epoch().at(24_575 * n)])));
    // At 70,000 two changes of bit 15 are over, so packets that leave then begin no silence. The last silence
    // began at 60,000.
    let (first, second) = (60_000 + 3 * 24_575, 60_000 + 9 * 24_575);
    for at in [first, second] {
        steps.push((at - 1, vec![calm().at(at - 1)]));
        steps.push((at, vec![probe().at(at).lost(1), again(0)]));
    }
    let end = second + 0xFFFF;
    steps.push((end, vec![calm().at(end - 1), timeout().at(end).fails().ends(1)]));
    steps.sort_by_key(|(at, _)| *at);
    let steps = steps.into_iter().flat_map(|(_, steps)| steps).collect::<Vec<_>>();
    check(csr, &concat(&[&sent(0, 1), &steps]));
}

#[test]
fn rule_13_the_timer() {
    let one = sent(0, 1);
    let first = concat(&[&silence(0, 0, &[], 100), &[timeout().at(420).lost(1), again(0)]]);
    let second = concat(&[&silence(420, 0, &[], 200), &[timeout().at(940).lost(1), again(0)]]);
    let third = [timeout().at(1_660).lost(1).fails().ends(1), post(1).refused()];
    check(CSR, &concat(&[&one, &first, &second, &silence(940, 0, &[], 400), &third]));
    // Late is late.
    let late = [epoch().at(5_000), probe().lost(1), again(0), epoch().at(5_010), calm().at(5_011)];
    check(CSR, &concat(&[&one, &late]));
    // The timeout doubles up to its limit.
    for backoff_limit in [0, 1, 2, 3, 7] {
        let csr = CSR.with_backoff(backoff_limit).with_retries(15);
        let (mut at, mut steps) = (0, one.clone());
        for retry in 0..5 {
            let rto = 100 << retry.min(backoff_limit);
            steps.extend(silence(at, 0, &[], rto));
            at += 320 + rto;
            steps.extend([timeout().at(at).lost(1), again(0)]);
        }
        check(csr, &steps);
    }
    // Progress shortens a longer silence to one epoch, and restarts probes and retries.
    let two = sent(0, 2);
    let soon = [ack(0, &[1]).at(5).acks(1), epoch().at(10), epoch().at(20), calm().at(29), epoch().at(30)];
    check(CSR, &concat(&[&two, &soon, &[probe().at(30).lost(1), again(0)]]));
    let later = [ack(0, &[1]).at(27).acks(1), epoch().at(30), epoch().at(40), calm().at(46)];
    check(CSR, &concat(&[&two, &epochs(0, 10, 2), &later, &[probe().at(47).lost(1), again(0)]]));
    let probed = [probe().at(30).lost(1), again(0), ack(0, &[1]).acks(1)];
    let anew = concat(&[&epochs(30, 10, 3), &[probe().at(60).lost(1), again(0)]]);
    check(CSR, &concat(&[&two, &epochs(0, 10, 3), &probed, &anew]));
    let back = [timeout().at(410).lost(2), again(0), again(1), ack(1, &[]).acks(1).una(1)];
    let anew = concat(&[&silence(410, 1, &[], 100), &[timeout().at(830).lost(1), again(1)]]);
    check(CSR, &concat(&[&two, &silence(0, 0, &[1], 100), &back, &anew]));
    // An event without progress changes nothing. A packet that leaves begins a silence.
    let none = [ack(0, &[]).at(12), post(1).at(17), send(2).last(), epoch().at(20), ack(0, &[]).at(22)];
    let rest = [epoch().at(30), epoch().at(40), calm().at(46), probe().at(47).lost(1), again(0)];
    check(CSR, &concat(&[&two, &[epoch().at(10)], &none, &rest]));
    // The timer runs from the first outstanding packet on. The timer stops when all packets are acknowledged.
    let quiet = [open(0), calm().at(5_000), post(1), send(0).last()];
    let done = [ack(1, &[]).at(5_425).acks(1).una(1).completes(1), calm().at(9_000), post(1), send(1).last()];
    let timed = [timeout().at(5_420).lost(1), again(0)];
    let quieter = silence(9_000, 1, &[], 100);
    check(CSR, &concat(&[&quiet, &silence(5_000, 0, &[], 100), &timed, &done, &quieter]));
    // The time wraps.
    for begin in [WRAP - 100, WRAP - 99, WRAP - 1, WRAP] {
        let steps = concat(&[&[open(0).at(begin), post(1), send(0).last()], &silence(begin, 0, &[], 100)]);
        check(CSR, &concat(&[&steps, &[timeout().at(begin + 420).lost(1), again(0)]]));
    }
    // The longest timeout.
    let longest = CSR.with_backoff(7).with_retries(15).with_rto(0xFFFF).with_epoch(24_575);
    let (mut at, mut steps) = (0, one);
    for retry in 0..9 {
        let rto = 0xFFFF << retry.min(7);
        // The first timeout finds no old packet, so the first late epoch after it does.
        let quiet = Silence { from: at, una: 0, others: &[], ticks: 24_575, rto, old: retry == 1 };
        steps.extend(quiet.steps());
        at = quiet.end();
        let lost = if rto >= 3 * 24_575 { timeout().lost(1) } else { timeout() };
        steps.push(lost.at(at));
        steps.extend((rto >= 3 * 24_575).then_some(again(0)));
    }
    check(longest, &steps);
}

/// A timeout with few epochs, because the time jumps.
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
        // The first message is on its way, and two wait because the window is closed.
        let begin = [open_with(0, 0), post(2), send(0), post(1), post(1)];
        let after = [ack(1, &[]).refused(), calm().at(1 << 20), open(9), post(1), send(9).last()];
        check(csr, &concat(&[&begin, &survived.collect::<Vec<_>>(), &end, &after]));
    }
    // The limit is lowered below the connection's retries so far.
    let twice = concat(&[&quick(0, 100), &[timeout()], &quick(190, 200), &[timeout()], &quick(480, 400)]);
    let lower = CSR.with_retries(1);
    check_parts(&[(CSR, &concat(&[&sent(0, 1), &twice])), (lower, &[timeout().fails().ends(1)])]);
}

/// Each class has its own limits.
#[test]
fn rule_13_retries_of_a_class() {
    let mut csr = CSR.with_backoff(0).with_retries(15);
    for (class, limits) in csr.classes.iter_mut().zip([(0, 1), (1, 2), (2, 3), (3, 4)]) {
        (class.backoff_limit, class.retry_limit) = limits;
    }
    for class in 0..4u64 {
        let mut steps = vec![open(0).class(class as u32), post(1), send(0).last()];
        let mut at = 0;
        // The limit of doublings is the class's number, and the limit of retries is one more.
        for retry in 0..=class + 1 {
            let rto = 100 << retry.min(class);
            steps.extend(silence(at, 0, &[], rto));
            at += 320 + rto;
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
    // 100 ticks make an epoch of 75, then 94 one of 70, and 89 one of 66.
    let begin = [ack(1, &[]).at(5).acks(1).una(1).after(100), calm().at(9), epoch().at(10)];
    let longer = [calm().at(84), epoch().at(85), calm().at(154), epoch().at(155), calm().at(197)];
    check(
        CSR,
        &concat(&[&sent(0, 2), &begin, &longer, &[probe().at(198).lost(1), again(1), calm().at(220)]]),
    );
    // Only ACKs of a PSN of the window count.
    let none = [ack(0, &[1]).answers(9).at(5).acks(1).unsure().after(100), epoch().at(10), calm().at(19)];
    check(CSR, &concat(&[&sent(0, 2), &none, &[epoch().at(20)]]));
    // An odd number; and the shortest epoch is the lower bound.
    let odd = [ack(1, &[]).at(5).acks(1).una(1).after(15), epoch().at(10), calm().at(20), epoch().at(21)];
    check(CSR, &concat(&[&sent(0, 2), &odd]));
    let small = [ack(1, &[]).at(5).acks(1).una(1).after(13), epoch().at(10), calm().at(19), epoch().at(20)];
    check(CSR, &concat(&[&sent(0, 2), &small]));
    // The oldest possible stamp, as in a replayed ACK: losses are found 0.8 ms later, then sooner again.
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
    let csr = CSR.with_class(SackTxClass { high_ticks: 15, ..CLASS });
    let verdict = [window(0), acked(5).after(15).lost(9).congested()];
    check(csr, &concat(&[&aged(), &verdict]));
    // A verdict on a single packet is no failure either, unless this epoch or the previous one had another
    // verdict.
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
    let second = ack(100, &come).after(15).lost(1);
    check(CSR, &concat(&[&sent(100, 10), &begin, &[second.failure(), again(110)]]));
    check(CSR, &concat(&[&sent(100, 10), &begin, &[epoch().at(51), second, again(110)]]));
    // A verdict is no failure if a NACK arrived in this epoch or the previous one.
    let nacked = [nack(103).lost(1), again(103), acked(5).after(15).lost(8)];
    check(CSR, &concat(&[&aged(), &nacked, &all_but(100..110, &[103, 105])]));
}

#[test]
fn rule_23_times_beyond_the_time_stamp() {
    let csr = CSR.with_epoch(24_575);
    let two = concat(&[&sent(0, 2), &[epoch().at(24_575), epoch().at(49_150)]]);
    check(csr, &concat(&[&two, &[ack(0, &[1]).at(65_535).acks(1)]]));
    check(csr, &concat(&[&two, &[ack(0, &[1]).at(65_536).acks(1).unsure()]]));
    // The times start in the middle of a half period of bit 15.
    let late = [open(0).at(32_767), post(2), send(0), send(1).last(), epoch().at(57_342)];
    check(csr, &concat(&[&late, &[ack(0, &[1]).at(65_535).acks(1), ack(0, &[1]).at(65_536).unsure()]]));
    // The mark moves when una has reached it, and then again. The remaining packets were sent late enough.
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
    // The ACK acknowledges a packet and answers no PSN of the window.
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
        let quiet = Silence { from: 0, una: 0, others: &[], ticks, rto, old: false };
        let times = concat(&[&quiet.steps(), &[timeout().at(quiet.end()).lost(1), again(0)]]);
        check(csr, &concat(&[&begin, &times]));
        // Packets of age 2, and an ACK of the packet `ahead` of them.
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
