//! The rules of `docs/blocks/smartt.md`, one by one. The expected values are computed by hand from the rule's
//! text. The naive oracle, the model and the RTL must all give these answers, with any spacing of the events.

mod bench;
mod steps;

use bench::{Act, check, check_parts, check_rounding, run};
use steps::{Step, ack, any, close, marked, open, timeout, trim};
use weft_bench::script::ALWAYS;
use weft_nic::block::smartt::Case::{
    Both, FairDecrease, FairIncrease, FastIncrease, Held, Ignored, Loss, MultiplicativeDecrease,
    MultiplicativeIncrease, QuickAdapt, Waiting,
};
use weft_nic::block::smartt::{Event, Kind, LATENCY, SPACING};
use weft_params::{Signals, SmarttClass, SmarttCsr};

/// With windows that are powers of two no rounding occurs. For an ACK of one MTU, fair decrease subtracts
/// 1/16 of the window, and fair increase adds 4 MiB divided by the window.
const CLASS: SmarttClass = SmarttClass {
    mtu_bytes: MTU,
    max_cwnd_bytes: MAX,
    fair_decrease_bytes: MAX,
    base_rtt_ticks: 100,
    target_rtt_ticks: TARGET as u32,
    fast_rtt_ticks: 110,
    multiplicative_increase: (2 * MTU) << 8,
    fair_increase: (MTU / 4) << 10,
};

/// Another path: small windows, short RTTs.
const SMALL: SmarttClass = SmarttClass {
    mtu_bytes: 1_024,
    max_cwnd_bytes: 4_096,
    base_rtt_ticks: 80,
    target_rtt_ticks: 120,
    ..CLASS
};

/// The largest windows and increases that the registers can represent.
const LARGE: SmarttClass = SmarttClass {
    mtu_bytes: 1,
    max_cwnd_bytes: LARGEST,
    fair_decrease_bytes: 60_000_000,
    multiplicative_increase: u32::MAX,
    fair_increase: (1 << 30) - 1,
    ..CLASS
};

/// The bounds contradict each other.
const NO_ROOM: SmarttClass = SmarttClass { mtu_bytes: 2 * MTU, max_cwnd_bytes: MTU, ..CLASS };

/// Settings with which every mark may decrease, every ACK reacts, and QuickAdapt counts the acknowledged
/// bytes.
const CSR: SmarttCsr = SmarttCsr {
    classes: [CLASS, SMALL, LARGE, NO_ROOM],
    multiplicative_decrease: 2 << 4,
    qa_scaling: 1 << 23,
    wtd_alpha: 32,
    wtd_alphas: [0; 15],
    wtd_threshold: 0,
    granularity: 1,
    fast_mtus: 2,
    signals: Signals::Both,
    late_losses: false,
};

/// Settings with which a loss counts even while feedback is ignored.
const LATE: SmarttCsr = SmarttCsr { late_losses: true, ..CSR };

/// No increase but FastIncrease.
const STILL: SmarttCsr = SmarttCsr {
    classes: [SmarttClass { multiplicative_increase: 0, fair_increase: 0, ..CLASS }, SMALL, LARGE, NO_ROOM],
    ..CSR
};

const MTU: u32 = 4_096;
const MAX: u32 = 65_536;
const TARGET: u64 = 150;
/// `target_rtt` as an RTT: not high.
const ON_TARGET: u16 = TARGET as u16;
/// An RTT so high that the window loses the whole packet.
const VERY_HIGH: u16 = 300;
const LARGEST: u32 = (1 << 26) - 2;
/// Maximum number of bytes of an event, and the part of them that can have a reaction.
const MOST: u32 = (1 << 24) - 1;
const MOST_REACTED: u32 = (1 << 19) - 1;

/// OPEN and a loss that leaves half of the window, at time 0, so that the loss has no other effect before
/// time 150.
fn half() -> Vec<Step> {
    vec![open(MAX), trim(MAX / 2).leaves(MAX / 2)]
}

/// Steps that leave a window of two packets.
fn two_packets() -> Vec<Step> {
    vec![open(MAX), trim(MAX - 2 * MTU).leaves(2 * MTU)]
}

/// A period from 0 to 150 in which a loss requests QuickAdapt; its ACKs have no bytes and change nothing.
fn triggered(begin: u64) -> Vec<Step> {
    let first = ack(0, ON_TARGET).at(begin).gives(MultiplicativeIncrease, MAX);
    vec![open(MAX), first, trim(0).at(begin + 1)]
}

/// QuickAdapt at 150, to two packets; `in_flight` bytes of feedback are ignored from now on.
fn adapted(in_flight: u32) -> Vec<Step> {
    let acked = ack(MTU, ON_TARGET).at(2).gives(MultiplicativeIncrease, MAX);
    let last = ack(MTU, ON_TARGET).at(150).in_flight(in_flight).gives(QuickAdapt, 2 * MTU);
    with(triggered(0), &[acked, last])
}

fn with(mut steps: Vec<Step>, more: &[Step]) -> Vec<Step> {
    steps.extend_from_slice(more);
    steps
}

/// OPEN on the ports.
const OPENING: Event = Event {
    kind: Kind::Open,
    connection: 0,
    class: 0,
    ecn: false,
    packets: 1,
    bytes: 0,
    rtt_ticks: 0,
    in_flight_bytes: 0,
    now_ticks: 0,
};

#[test]
fn rule_01_reset_closes_every_connection() {
    // The RAM starts with noise, in which half of the connections would be open.
    let all: Vec<_> = (0..256).map(|connection| any(Kind::Ack).of(connection).refused()).collect();
    check(CSR, &all);
    // The reset affects all connections that were open, in the middle of their events.
    let of_all = |kind| (0..256).map(move |connection| Act::Offer(Event { kind, connection, ..OPENING }));
    let acts = of_all(Kind::Open).chain(of_all(Kind::Ack)).chain([Act::Reset]).chain(of_all(Kind::Ack));
    let script = run([Act::Configure(CSR)].into_iter().chain(acts), ALWAYS);
    assert_eq!(script.outputs.not_open_events, 256);
}

#[test]
fn rule_02_open_starts_anew_and_close_ends() {
    check(CSR, &[open(MAX), trim(MTU).leaves(MAX - MTU), open(MAX)]);
    check(CSR, &[open(MAX), close(), any(Kind::Ack).refused(), open(MAX)]);
    // No period has begun, and no loss requests QuickAdapt.
    let anew = [open(MAX), ack(0, ON_TARGET).at(500).is(MultiplicativeIncrease)];
    check(CSR, &with(triggered(0), &anew));
    // The block ignores no feedback, and no ACK waits.
    check(CSR, &with(adapted(MAX), &[open(MAX), marked(MTU, ON_TARGET).gives(FairDecrease, MAX - MTU)]));
    let slow = SmarttCsr { granularity: 2, ..CSR };
    let waits = ack(MTU, ON_TARGET).is(Waiting);
    check(slow, &[open(MAX), waits, open(MAX), waits]);
    // Neither calm bytes nor marks were seen.
    let calm = ack(MTU, 100).is(MultiplicativeIncrease);
    check(STILL, &with(two_packets(), &[calm, calm, open(MAX), trim(MAX - 2 * MTU).leaves(2 * MTU), calm]));
    let patient = SmarttCsr { wtd_threshold: 50, ..CSR };
    let (held, seen) = (marked(0, ON_TARGET).is(Held), marked(0, ON_TARGET).is(FairDecrease));
    check(patient, &[open(MAX), held, seen, open(MAX), held, seen]);
    // The next OPEN after a CLOSE starts with the same state.
    check(
        CSR,
        &with(triggered(0), &[close(), open(MAX), ack(0, ON_TARGET).at(500).is(MultiplicativeIncrease)]),
    );
}

#[test]
fn rule_03_what_is_not_open_does_nothing_and_is_counted() {
    let kinds = [
        Kind::Ack,
        Kind::Trim,
        Kind::Timeout,
        Kind::Close,
        Kind::Reserved5,
        Kind::Reserved6,
        Kind::Reserved7,
    ];
    let closed = kinds.map(|kind| any(kind).refused());
    check(CSR, &with(closed.to_vec(), &[open(MAX)]));
    // Kinds without a meaning are refused by an open connection too, and change nothing.
    let none = [Kind::Reserved5, Kind::Reserved6, Kind::Reserved7].map(|kind| any(kind).class(1).refused());
    check(CSR, &with(half(), &none));
    // Only the connection's own events count.
    check(CSR, &[open(MAX), any(Kind::Ack).of(6).refused(), any(Kind::Ack).of(4).refused()]);
}

#[test]
fn rule_04_acks_count_what_was_received_and_losses_do_not() {
    let lost = [trim(MTU).at(3).leaves(MAX - MTU), timeout(MTU).at(4).leaves(MAX - 2 * MTU)];
    let acked = ack(3 * MTU, ON_TARGET).at(150).gives(QuickAdapt, 3 * MTU);
    check(CSR, &with(triggered(0), &[&lost[..], &[acked]].concat()));
    // The value saturates, far above every window: half of the largest value.
    let halved = SmarttCsr { qa_scaling: 1 << 22, ..CSR };
    let many = ack(MOST, ON_TARGET).class(2).at(2).gives(MultiplicativeIncrease, LARGEST);
    let last = ack(MOST, ON_TARGET).class(2).at(150).gives(QuickAdapt, (1 << 25) - 1);
    let steps = [
        open(LARGEST).class(2),
        ack(0, ON_TARGET).class(2).is(MultiplicativeIncrease),
        trim(0).at(1).class(2),
    ];
    check(halved, &with(steps.to_vec(), &[many, many, many, many, last]));
}

#[test]
fn rule_05_every_event_counts_off_what_is_ignored() {
    let left = [ack(MTU - 1, 200).is(Ignored), ack(1, ON_TARGET).is(MultiplicativeIncrease)];
    for loss in [trim, timeout] {
        check(CSR, &with(adapted(2 * MTU), &[&[loss(MTU).is(Ignored)], &left[..]].concat()));
        check(LATE, &with(adapted(2 * MTU), &[&[loss(MTU).leaves(MTU)], &left[..]].concat()));
        // A loss of more than the window leaves the least window.
        let more = [loss(2 * MTU).at(151).leaves(MTU), ack(0, ON_TARGET).is(MultiplicativeIncrease)];
        check(CSR, &with(adapted(MTU), &more));
        check(LATE, &with(adapted(MTU), &more));
    }
    // All 26 bits, and the largest value beyond them (see rule 13).
    for in_flight in [(1 << 26) - 1, 1 << 26, u32::MAX] {
        let ignored = [ack(MOST, 200).is(Ignored); 4];
        let left = [ack(2, 200).is(Ignored), ack(1, VERY_HIGH).is(FairIncrease)];
        check(CSR, &with(adapted(in_flight), &[&ignored[..], &left].concat()));
    }
}

#[test]
fn rule_06_what_is_ignored_does_nothing_more() {
    let ignored = [marked(MTU, VERY_HIGH).is(Ignored), marked(2 * MTU - 1 - MTU, VERY_HIGH).is(Ignored)];
    let then = marked(1, VERY_HIGH).gives(MultiplicativeDecrease, 2 * MTU - 1);
    check(CSR, &with(adapted(2 * MTU), &[&ignored[..], &[then]].concat()));
    // The mark of this ACK is not seen,
    let patient = SmarttCsr { wtd_threshold: 64, ..CSR };
    let ignored = [marked(2_730, VERY_HIGH).is(Ignored); 3];
    check(patient, &with(adapted(2 * MTU), &[&ignored[..], &[marked(2, VERY_HIGH).is(Held)]].concat()));
    // Ignored ACKs do not start FastIncrease either,
    let calm = [ack(2 * MTU, 100).is(Ignored), ack(2 * MTU, 100).is(MultiplicativeIncrease)];
    let fast = ack(1, 100).gives(FastIncrease, 4 * MTU);
    let still = with(adapted(4 * MTU), &[&calm[..], &[fast]].concat());
    check(STILL, &still);
    // but their bytes count as received.
    let acked = [ack(MTU, 200).at(200).is(Ignored), ack(MTU, 151).at(299).gives(FairIncrease, 2 * MTU + 512)];
    let last = trim(0).at(300).gives(QuickAdapt, 2 * MTU);
    check(CSR, &with(adapted(2 * MTU), &[&acked[..], &[last]].concat()));
}

#[test]
fn rule_07_a_loss_takes_its_bytes_off_the_window() {
    check(CSR, &[open(MAX), trim(1).leaves(MAX - 1), timeout(MTU).leaves(MAX - 1 - MTU)]);
    check(CSR, &[open(MAX), trim(MAX - MTU + 1).leaves(MTU)]);
    check(CSR, &[open(MAX), timeout(MOST).leaves(MTU)]);
    // ECN mark and RTT of a loss have no meaning.
    let losses = [any(Kind::Trim).gives(Loss, MAX - MTU), any(Kind::Timeout).gives(Loss, MAX - 2 * MTU)];
    check(CSR, &[&[open(MAX)], &losses[..]].concat());
    // While feedback is ignored, a loss subtracts nothing and requests nothing; with `late_losses` it does
    // both.
    let ignored = [trim(1_000).is(Ignored), timeout(1_000).is(Ignored), trim(MOST).is(Ignored)];
    check(CSR, &with(adapted(u32::MAX), &ignored));
    let late = [trim(1_000).leaves(7_192), timeout(1_000).leaves(6_192), trim(MOST).leaves(MTU)];
    check(LATE, &with(adapted(u32::MAX), &late));
    let (noted, over) = (ack(1, 200).at(161).is(FairIncrease), ack(0, ON_TARGET).at(300));
    for loss in [trim, timeout] {
        let ignored = [loss(2_999).at(160).is(Ignored), noted, over.is(MultiplicativeIncrease)];
        check(CSR, &with(adapted(3_000), &ignored));
        let late = [loss(2_999).at(160).leaves(5_193), noted, over.gives(QuickAdapt, MTU)];
        check(LATE, &with(adapted(3_000), &late));
    }
    check(CSR, &[open(LARGEST).class(2), trim(MOST).class(2).leaves(LARGEST - MOST)]);
}

#[test]
fn rule_08_a_round_trip_time_below_the_base_counts_as_it() {
    for (rtt, rise) in
        [(0, 640), (1, 640), (99, 640), (100, 640), (101, 624), (120, 384), (149, 134), (150, 128)]
    {
        check(CSR, &with(half(), &[ack(MTU, rtt).gives(MultiplicativeIncrease, MAX / 2 + rise)]));
    }
    for rtt in [151, 200, 0xFFFF] {
        check(CSR, &with(half(), &[ack(MTU, rtt).gives(FairIncrease, MAX / 2 + 128)]));
    }
    check(CSR, &with(half(), &[marked(MTU, 150).gives(FairDecrease, 30_720)]));
    check(CSR, &with(half(), &[marked(MTU, 151).gives(MultiplicativeDecrease, 30_665)]));
    check(CSR, &with(half(), &[marked(MTU, 0xFFFF).gives(MultiplicativeDecrease, MAX / 2 - MTU)]));
}

#[test]
fn rule_09_one_signal_only() {
    let ecn = SmarttCsr { signals: Signals::Ecn, ..CSR };
    let delay = SmarttCsr { signals: Signals::Delay, ..CSR };
    for rtt in [0, 100, 150, 151, 0xFFFF] {
        check(ecn, &with(half(), &[ack(MTU, rtt).gives(MultiplicativeIncrease, MAX / 2 + 128)]));
        check(ecn, &with(half(), &[marked(MTU, rtt).gives(FairDecrease, 30_720)]));
    }
    for step in [ack, marked] {
        check(delay, &with(half(), &[step(MTU, 150).gives(MultiplicativeIncrease, MAX / 2 + 128)]));
        check(delay, &with(half(), &[step(MTU, 0).gives(MultiplicativeIncrease, MAX / 2 + 640)]));
        check(delay, &with(two_packets(), &[step(MTU, 160).gives(MultiplicativeDecrease, 7_168)]));
    }
    // A packet decreases by at most half its size.
    check(ecn, &[open(MAX), marked(MTU, 0).gives(FairDecrease, MAX - MTU / 2)]);
    check(delay, &with(two_packets(), &[ack(MTU, 0xFFFF).gives(MultiplicativeDecrease, 2 * MTU - MTU / 2)]));
    let still = |signals| SmarttCsr { signals, wtd_threshold: 255, ..STILL };
    for csr in [still(Signals::Ecn), still(Signals::Delay)] {
        // The parts QuickAdapt, FastIncrease and Wait-to-Decrease are off.
        let late =
            [ack(0, ON_TARGET).at(150).is(MultiplicativeIncrease), trim(MTU).at(400).leaves(MAX - MTU)];
        check(csr, &with(triggered(0), &late));
        let calm = ack(2 * MTU, 100).is(MultiplicativeIncrease);
        check(csr, &with(two_packets(), &[calm, calm, calm]));
    }
    check(still(Signals::Ecn), &with(half(), &[marked(MTU, 0).gives(FairDecrease, 30_720)]));
    check(still(Signals::Delay), &with(half(), &[ack(MTU, 160).gives(MultiplicativeDecrease, 30_720)]));
    // Calm bytes that both signals counted are forgotten.
    let calm = ack(2 * MTU, 100).is(MultiplicativeIncrease);
    check_parts(&[
        (STILL, &with(two_packets(), &[calm])),
        (still(Signals::Ecn), &[calm]),
        (STILL, &[calm, ack(1, 100).gives(FastIncrease, 4 * MTU)]),
    ]);
}

#[test]
fn rule_10_what_the_delay_makes_of_a_byte() {
    // md of 1, with an RTT of twice the target: half of the packet, besides 512 bytes of fair decrease.
    let gentle = SmarttCsr { multiplicative_decrease: 16, ..CSR };
    check(
        gentle,
        &with(two_packets(), &[marked(MTU, 300).gives(MultiplicativeDecrease, 8_192 - 2_048 - 512)]),
    );
    let least = SmarttCsr { multiplicative_decrease: 1, ..CSR };
    check(least, &with(two_packets(), &[marked(MTU, 300).gives(MultiplicativeDecrease, 8_192 - 128 - 512)]));
    let none = SmarttCsr { multiplicative_decrease: 0, ..CSR };
    check(none, &with(two_packets(), &[marked(MTU, 300).gives(MultiplicativeDecrease, 8_192 - 512)]));
    // The largest md subtracts the whole packet, and no more.
    let most = SmarttCsr { multiplicative_decrease: 255, ..CSR };
    check(most, &with(two_packets(), &[marked(1_000, 0xFFFF).gives(MultiplicativeDecrease, 7_192)]));
}

#[test]
fn rule_11_the_average_share_of_marked_acks() {
    let csr = |wtd_alpha, wtd_threshold| SmarttCsr { wtd_alpha, wtd_threshold, ..CSR };
    let mark = marked(0, ON_TARGET);
    let (held, seen, plain) =
        (mark.is(Held), mark.is(FairDecrease), ack(0, ON_TARGET).is(MultiplicativeIncrease));
    // 1/8, 15/64, 169/512: 0.33.
    check(csr(32, 64), &with(half(), &[held, held, seen]));
    // An average equal to the threshold is enough.
    check(csr(32, 32), &with(half(), &[seen]));
    check(csr(32, 33), &with(half(), &[held, seen]));
    check(csr(128, 128), &with(half(), &[seen]));
    check(csr(128, 129), &with(half(), &[held]));
    // 0.5, 0.25, 0.125, 0.5625.
    check(csr(128, 144), &with(half(), &[held, plain, plain, seen]));
    check(csr(128, 145), &with(half(), &[held, plain, plain, held]));
    // Rounded to the nearest: 1 - (255/256)^n is a half from n = 178 on; rounded down each time, only from
    // 182 on.
    check(csr(1, 128), &with(half(), &[&[held; 177][..], &[seen]].concat()));
    // A loss is no ACK.
    check(
        csr(32, 64),
        &with(half(), &[held, held, trim(0), any(Kind::Timeout).gives(Loss, MAX / 2 - MTU), seen]),
    );
    // The weight has its extreme values.
    check(csr(0, 1), &with(half(), &[held; 9]));
    check(csr(0, 0), &with(half(), &[seen]));
    check(csr(255, 255), &with(half(), &[seen, plain, seen]));
    check(csr(254, 255), &with(half(), &[held, seen]));
    // The average also advances with other signals.
    let other = SmarttCsr { signals: Signals::Delay, ..csr(32, 64) };
    let counted = [mark.is(MultiplicativeIncrease); 2];
    check_parts(&[(other, &with(half(), &counted)), (csr(32, 64), &[seen])]);
}

#[test]
fn rule_11_an_ack_of_several_packets_counts_as_as_many() {
    let csr = |wtd_threshold| SmarttCsr { wtd_threshold, ..CSR.with_wtd_alpha(32) };
    let mark = |packets| marked(0, ON_TARGET).packets(packets);
    let plain = |packets| ack(0, ON_TARGET).packets(packets).is(MultiplicativeIncrease);
    // 1 - (7/8)^n in 1/256: 32, 60, 84.5, 105.9, ... 168.0, ... 225.8.
    for (packets, share) in [(1, 32), (2, 60), (4, 106), (8, 168), (16, 226)] {
        check(csr(share), &with(half(), &[mark(packets).is(FairDecrease)]));
        check(csr(share + 1), &with(half(), &[mark(packets).is(Held)]));
    }
    // 226 x 32, and of that 150/256: 132.4 in 1/256; with a mark 147.8.
    check(csr(147), &with(half(), &[mark(16).is(FairDecrease), plain(4), mark(1).is(FairDecrease)]));
    check(csr(148), &with(half(), &[mark(16).is(FairDecrease), plain(4), mark(1).is(Held)]));
    // Each weight has a place of its own.
    let weights = std::array::from_fn(|at| 16 * (at as u32 + 1));
    for packets in 2..=16 {
        let weight = 16 * (u32::from(packets) - 1);
        let csr = |wtd_threshold| SmarttCsr { wtd_alphas: weights, ..csr(wtd_threshold) };
        check(csr(weight), &with(half(), &[mark(packets).is(FairDecrease)]));
        check(csr(weight + 1), &with(half(), &[mark(packets).is(Held)]));
    }
}

#[test]
fn rule_12_when_a_period_is_over() {
    let waits = ack(2 * MTU, ON_TARGET).is(MultiplicativeIncrease);
    // A period is over exactly at its end; the low bits of the time may wrap meanwhile.
    for begin in [0, 7, (1 << 20) - 100, (1 << 32) - 100, (1 << 20) - 150, (1 << 32) - 151] {
        let last = ack(0, ON_TARGET).at(begin + 150).gives(QuickAdapt, 2 * MTU);
        check(CSR, &with(triggered(begin), &[waits.at(begin + 149), last]));
    }
    // A loss also begins the period, and checks it.
    let lost = [open(MAX), trim(0).at(0), ack(0, ON_TARGET).at(149).is(MultiplicativeIncrease)];
    check(CSR, &[&lost[..], &[ack(0, ON_TARGET).at(150).gives(QuickAdapt, MTU)]].concat());
    check(CSR, &[&lost[..], &[timeout(0).at(150).gives(QuickAdapt, MTU)]].concat());
    // The period does not begin while feedback is ignored.
    let ignored = ack(1, 200).at(600).is(Ignored);
    check(CSR, &with(adapted(MAX), &[trim(1).at(500).is(Ignored), ignored]));
    check(LATE, &with(adapted(MAX), &[trim(1).at(500).leaves(2 * MTU - 1), ignored]));
    // When the time's bits have wrapped after the period, the end seems to be ahead again.
    let far = 1 << 20;
    check(CSR, &with(triggered(0), &[ack(0, ON_TARGET).at(far - 1).gives(QuickAdapt, MTU)]));
    let again =
        [waits.at(far), waits.at(far + 149), ack(0, ON_TARGET).at(far + 150).gives(QuickAdapt, 4 * MTU)];
    check(CSR, &with(triggered(0), &again));
    // The period is that of the class of the event that checks it.
    let small = |at| ack(0, 120).class(1).at(at);
    check(CSR, &with(triggered(0), &[small(30).gives(MultiplicativeIncrease, 4_096)]));
    check(CSR, &with(triggered(0), &[small(29).gives(QuickAdapt, 1_024)]));
}

#[test]
fn rule_13_quick_adapt() {
    check(CSR, &adapted(0));
    // QuickAdapt leaves at least an MTU.
    check(CSR, &with(triggered(0), &[ack(1, ON_TARGET).at(150).gives(QuickAdapt, MTU)]));
    // 0.8 of two packets; almost twice; nothing, which is an MTU.
    for (qa_scaling, window) in [(6_710_886, 6_553), ((1 << 24) - 1, 16_383), (0, MTU)] {
        let last = ack(2 * MTU, ON_TARGET).at(150).gives(QuickAdapt, window);
        check(SmarttCsr { qa_scaling, ..CSR }, &with(triggered(0), &[last]));
    }
    // Only a request counts: the next period adapts nothing.
    check(CSR, &with(adapted(0), &[ack(0, ON_TARGET).at(300).is(MultiplicativeIncrease)]));
    // A fresh connection does not adapt: the loss begins the first period, and requests QuickAdapt.
    check(CSR, &[open(MAX), trim(MTU).at(1_000).leaves(MAX - MTU)]);
    // Waiting ACKs are forgotten.
    let slow = SmarttCsr { granularity: 2, ..CSR };
    let before = [
        open(MAX),
        ack(MTU, ON_TARGET).is(Waiting),
        trim(0).at(1),
        ack(MTU, ON_TARGET).at(2).is(MultiplicativeIncrease),
        ack(MTU, ON_TARGET).at(3).is(Waiting),
        ack(0, ON_TARGET).at(150).gives(QuickAdapt, 2 * MTU),
    ];
    let after = [ack(MTU, 151).is(Waiting), ack(MTU, 151).gives(FairIncrease, 2 * MTU + 1_024)];
    check(slow, &[&before[..], &after].concat());
    // A loss that adapts also clears the waiting ACKs, and so does ignored feedback.
    let lost = trim(0).at(150).in_flight(MTU).gives(QuickAdapt, 2 * MTU);
    let ignored = [
        ack(MTU - 1, 200).is(Ignored),
        ack(1, 151).is(Waiting),
        ack(2 * MTU - 1, 151).gives(FairIncrease, 2 * MTU + 1_024),
    ];
    check(slow, &[&before[..5], &[lost], &ignored].concat());
}

#[test]
fn rule_14_one_period_follows_the_other() {
    let late = [
        open(MAX),
        ack(0, ON_TARGET).is(MultiplicativeIncrease),
        // The bytes of this event belong to the period that it ends, 200 ticks long.
        ack(2 * MTU, ON_TARGET).at(200).is(MultiplicativeIncrease),
        trim(0).at(201),
        ack(MTU, ON_TARGET).at(349).is(MultiplicativeIncrease),
        ack(2 * MTU, ON_TARGET).at(350).gives(QuickAdapt, 3 * MTU),
    ];
    check(CSR, &late);
    // The same holds after QuickAdapt.
    let next = [trim(0).at(151), ack(2 * MTU, 151).at(299).gives(FairIncrease, 2 * MTU + 1_024)];
    check(CSR, &with(adapted(0), &[&next[..], &[ack(MTU, 151).at(300).gives(QuickAdapt, 3 * MTU)]].concat()));
}

#[test]
fn rule_15_a_loss_at_the_end_of_the_period_adapts_at_once() {
    for loss in [trim, timeout] {
        let period = [
            open(MAX),
            ack(0, ON_TARGET).is(MultiplicativeIncrease),
            ack(2 * MTU, ON_TARGET).at(10).is(MultiplicativeIncrease),
        ];
        check(CSR, &[&period[..], &[loss(MTU).at(150).gives(QuickAdapt, 2 * MTU)]].concat());
        // The same holds if QuickAdapt leaves nothing to ignore: no bytes were received since.
        let last = loss(1).at(301).gives(QuickAdapt, MTU);
        check(CSR, &with(adapted(MTU), &[loss(MTU - 1).at(300).is(Ignored), last]));
        check(LATE, &with(adapted(MTU), &[loss(MTU - 1).at(300).leaves(MTU + 1), last]));
    }
}

#[test]
fn rules_16_and_17_fast_increase() {
    let calm = |bytes| ack(bytes, 110).is(MultiplicativeIncrease);
    let on = |bytes, window| ack(bytes, 110).gives(FastIncrease, window);
    // As many bytes as the window are not enough, one more is; then every ACK adds two MTUs.
    let steps = [calm(MTU), calm(MTU), on(1, 4 * MTU), on(0, 6 * MTU), on(MTU, 8 * MTU)];
    check(STILL, &with(two_packets(), &steps));
    check(
        STILL,
        &with(
            two_packets(),
            &[&steps[..], &[on(0, 10 * MTU), on(0, 12 * MTU), on(0, 14 * MTU), on(0, MAX), on(0, MAX)]]
                .concat(),
        ),
    );
    // Until one is marked, or late by a tick.
    for end in [marked(0, 110).is(FairDecrease), ack(0, 111).is(MultiplicativeIncrease)] {
        check(
            STILL,
            &with(
                two_packets(),
                &[on(2 * MTU + 1, 4 * MTU), end, calm(1), calm(4 * MTU - 1), on(1, 6 * MTU)],
            ),
        );
        check(STILL, &with(two_packets(), &[calm(2 * MTU), end, calm(2 * MTU), on(1, 4 * MTU)]));
    }
    // An unknown RTT counts as short. A loss does not end FastIncrease.
    check(
        STILL,
        &with(
            two_packets(),
            &[ack(2 * MTU, 0).is(MultiplicativeIncrease), trim(0), ack(1, 0).gives(FastIncrease, 4 * MTU)],
        ),
    );
    check(
        STILL,
        &with(two_packets(), &[on(2 * MTU + 1, 4 * MTU), timeout(MTU).leaves(3 * MTU), on(0, 5 * MTU)]),
    );
    // FastIncrease adds as many MTUs as the register says.
    for (fast_mtus, window) in [(0, 2 * MTU), (1, 3 * MTU), (7, 9 * MTU), (15, MAX)] {
        check(SmarttCsr { fast_mtus, ..STILL }, &with(two_packets(), &[on(2 * MTU + 1, window)]));
    }
    // If the fast RTT is below the base RTT, no RTT is calm.
    let mut never = STILL;
    never.classes[0].fast_rtt_ticks = 99;
    let slow = ack(4 * MTU, 0).is(MultiplicativeIncrease);
    check(never, &with(two_packets(), &[slow, slow]));
    // The count saturates above the largest window.
    let counted = [ack(MOST, 100).class(2).is(MultiplicativeIncrease); 4];
    let more = [ack(2, 100).class(2).is(MultiplicativeIncrease), ack(1, 100).class(2).is(FastIncrease)];
    check(STILL, &[&[open(LARGEST).class(2)], &counted[..], &more].concat());
    let much = ack(MOST, 100).class(2).is(FastIncrease);
    check(STILL, &[&[open(LARGEST).class(2)], &counted[..], &[much, much]].concat());
    // Against the window that QuickAdapt has just set.
    let period = [ack(2 * MTU, 100).at(2).is(MultiplicativeIncrease), ack(2 * MTU, 100).at(150)];
    let [before, last] = period;
    check(
        STILL,
        &with(
            triggered(0),
            &[before, last.gives(QuickAdapt, 4 * MTU), ack(1, 100).gives(FastIncrease, 6 * MTU)],
        ),
    );
    let halved = SmarttCsr { qa_scaling: 1 << 22, ..STILL };
    check(
        halved,
        &with(triggered(0), &[before, last.gives(Both, 4 * MTU), ack(0, 100).gives(FastIncrease, 6 * MTU)]),
    );
}

#[test]
fn rule_18_quick_adapt_and_fast_increase_are_all_that_an_ack_does() {
    check(CSR, &with(triggered(0), &[marked(2 * MTU, VERY_HIGH).at(150).gives(QuickAdapt, 2 * MTU)]));
    check(CSR, &with(two_packets(), &[ack(2 * MTU + 1, 100).gives(FastIncrease, 4 * MTU)]));
    // Such an ACK does not join the waiting ones, whose number and bytes stay.
    let slow = SmarttCsr { granularity: 2, ..CSR };
    let steps = [
        ack(MTU, 151).is(Waiting),
        ack(2 * MTU + 1, 100).gives(FastIncrease, 4 * MTU),
        ack(MTU, 151).gives(FairIncrease, 4 * MTU + 512),
    ];
    check(slow, &with(two_packets(), &steps));
    // The result obeys rule 25.
    check(CSR, &with(triggered(0), &[ack(2 * MAX, ON_TARGET).at(150).gives(QuickAdapt, MAX)]));
}

#[test]
fn rule_19_reactions_to_several_acks() {
    let slow = |granularity| SmarttCsr { granularity, ..CSR };
    // The signals are those of the last.
    let waits = [ack(1_024, 100).is(Waiting), marked(1_024, VERY_HIGH).is(Waiting)];
    let reacts = ack(2_048, 120).gives(MultiplicativeIncrease, MAX / 2 + 384);
    check(slow(3), &with(half(), &[&waits[..], &[reacts], &waits].concat()));
    // Losses come between.
    check(slow(3), &with(half(), &[waits[0], trim(0), waits[1], timeout(0), reacts]));
    // The largest numbers that can occur.
    for granularity in [2, 50, 63] {
        let waits = vec![ack(64, 151).is(Waiting); granularity as usize - 1];
        let reacts = ack(MTU - 64 * (granularity - 1), 151).gives(FairIncrease, MAX / 2 + 128);
        check(slow(granularity), &with(half(), &[&waits[..], &[reacts]].concat()));
    }
    // 0 counts as 1.
    check(slow(0), &with(half(), &[ack(MTU, 151).gives(FairIncrease, MAX / 2 + 128)]));
    // The number may be set lower while some wait.
    let more = ack(MTU / 2, 151).gives(FairIncrease, MAX / 2 + 128);
    check_parts(&[(slow(9), &with(half(), &[waits[0], waits[1]])), (slow(2), &[more])]);
    // The sum saturates, and so does the count of a single ACK.
    let gone = MultiplicativeDecrease;
    for bytes in [MOST_REACTED, MOST_REACTED + 1, MOST] {
        let one = marked(bytes, 0xFFFF).class(2).gives(gone, LARGEST - MOST_REACTED);
        check(CSR, &[open(LARGEST).class(2), one]);
        let two = [marked(bytes, 0xFFFF).class(2).is(Waiting), one];
        check(slow(2), &[&[open(LARGEST).class(2)], &two[..]].concat());
    }
    let fits = [marked(MOST_REACTED - 2, 0xFFFF).class(2).is(Waiting), marked(1, 0xFFFF).class(2)];
    check(slow(2), &[open(LARGEST).class(2), fits[0], fits[1].gives(gone, LARGEST - MOST_REACTED + 1)]);
}

/// OPEN with the class of large windows, and losses down to a window.
fn large(window: u32) -> Vec<Step> {
    let lost = |bytes, window| trim(bytes).class(2).leaves(window);
    let steps = [open(LARGEST).class(2), lost(MOST, LARGEST - MOST), lost(MOST, LARGEST - 2 * MOST)];
    let rest = [lost(MOST, LARGEST - 3 * MOST), lost(MOST / 2, LARGEST - 3 * MOST - MOST / 2)];
    let last = lost(LARGEST - 3 * MOST - MOST / 2 - window, window);
    [&steps[..], &rest, &[last]].concat()
}

#[test]
fn rule_20_quotients_saturate_and_changes_are_rounded_to_the_nearest() {
    // 4 MiB, and what multiplicative increase adds at its limit.
    let fair = ack(MOST, 0xFFFF).class(2).gives(FairIncrease, 1 + (1 << 22));
    check(CSR, &with(large(1), &[fair]));
    let both = ack(MOST, 120).class(2).gives(MultiplicativeIncrease, 1 + (1 << 22) + MOST_REACTED);
    check(CSR, &with(large(1), &[both]));
    // Each of these increases changes the window by a little more than 2^-12 bytes; rounded, by 2^-11.
    let mut csr = CSR;
    csr.classes[0].fair_increase = 1_025;
    let up = ack(1, 151).is(FairIncrease);
    let rise = [vec![up; 2_047], vec![up.leaves(MTU + 1)]].concat();
    check_rounding(&[(csr, &with(vec![open(MAX), trim(MAX).leaves(MTU)], &rise))]);
    let down = marked(1, 150).class(2).is(FairDecrease);
    let fall = [vec![down.leaves(16_383); 2_048], vec![down.leaves(16_382)]].concat();
    check_rounding(&[(CSR, &with(large(16_384), &fall))]);
}

#[test]
fn rule_21_fair_increase() {
    for (bytes, rise) in [(0, 0), (MTU / 2, 64), (MTU, 128), (3 * MTU, 384), (MAX / 2, 1_024)] {
        check(CSR, &with(half(), &[ack(bytes, 151).gives(FairIncrease, MAX / 2 + rise)]));
    }
    check(CSR, &with(two_packets(), &[ack(MTU, 151).gives(FairIncrease, 2 * MTU + 512)]));
    check(CSR, &[open(MAX), trim(MAX).leaves(MTU), ack(MTU, 151).gives(FairIncrease, MTU + 1_024)]);
    check(CSR, &[open(MAX), ack(MTU, 151).gives(FairIncrease, MAX)]);
}

#[test]
fn rule_22_multiplicative_increase() {
    // At half the target's distance and two packets: 2,048 bytes, and 512 of fair increase.
    check(CSR, &with(two_packets(), &[ack(MTU, 100).gives(MultiplicativeIncrease, 2 * MTU + 2_560)]));
    // At one packet the increase reaches the packet's size; with more to gain it stays at that size.
    let smallest = vec![open(MAX), trim(MAX).leaves(MTU)];
    check(CSR, &with(smallest.clone(), &[ack(MTU, 100).gives(MultiplicativeIncrease, MTU + MTU + 1_024)]));
    let mut eager = CSR;
    eager.classes[0].multiplicative_increase *= 3;
    check(eager, &with(smallest.clone(), &[ack(MTU, 100).gives(MultiplicativeIncrease, MTU + MTU + 1_024)]));
    check(eager, &with(smallest, &[ack(1_000, 100).gives(MultiplicativeIncrease, MTU + 1_000 + 250)]));
    check(CSR, &with(half(), &[ack(0, 100).is(MultiplicativeIncrease)]));
    check(CSR, &[open(MAX), ack(MTU, 100).gives(MultiplicativeIncrease, MAX)]);
}

#[test]
fn rule_23_too_few_marks_hold_the_window() {
    let patient = SmarttCsr { wtd_threshold: 64, ..CSR };
    for rtt in [ON_TARGET, VERY_HIGH] {
        check(patient, &with(half(), &[marked(MTU, rtt).is(Held), marked(MTU, rtt).is(Held)]));
    }
    // Unmarked ACKs increase the window at any average.
    let seen = [marked(0, 150).is(Held), marked(0, 150).is(Held), marked(0, 150).is(FairDecrease)];
    let plain = ack(MTU, 151).gives(FairIncrease, MAX / 2 + 128);
    check(patient, &with(half(), &[&seen[..], &[plain]].concat()));
    // The ACKs that were waiting are gone.
    let slow = SmarttCsr { granularity: 2, ..patient };
    let steps = [
        ack(MTU, 151).is(Waiting),
        marked(MTU, 151).is(Held),
        ack(MTU / 2, 151).is(Waiting),
        ack(MTU / 2, 151).gives(FairIncrease, MAX / 2 + 128),
    ];
    check(slow, &with(half(), &steps));
}

#[test]
fn rule_24_decreases() {
    for (bytes, fall) in [(0, 0), (MTU / 2, 1_024), (MTU, 2_048), (3 * MTU, 6_144)] {
        check(CSR, &with(half(), &[marked(bytes, 150).gives(FairDecrease, MAX / 2 - fall)]));
    }
    // An eighth of the packet, and fair decrease.
    check(CSR, &with(half(), &[marked(MTU, 160).gives(MultiplicativeDecrease, MAX / 2 - 512 - 2_048)]));
    // Both decreases subtract half of the packet; a quarter more would be too much.
    check(CSR, &with(half(), &[marked(MTU, 200).gives(MultiplicativeDecrease, MAX / 2 - MTU)]));
    check(CSR, &with(half(), &[marked(MTU, 240).gives(MultiplicativeDecrease, MAX / 2 - MTU)]));
    // Fair decrease alone subtracts no more than that either.
    let mut eager = CSR;
    eager.classes[0].fair_decrease_bytes = 1;
    check(eager, &with(half(), &[marked(MTU, 150).gives(FairDecrease, MAX / 2 - MTU)]));
}

#[test]
fn rule_25_the_bounds() {
    check(
        CSR,
        &[open(MAX), trim(MAX).leaves(MTU), marked(MTU, VERY_HIGH).is(MultiplicativeDecrease), trim(MTU)],
    );
    // The bounds are those of the event's class, in every case.
    let (ignored, wider) = (ack(1, 200).class(1).gives(Ignored, 4_096), ack(1, 200).gives(Ignored, MTU));
    let lost = trim(4_096).class(1);
    check(CSR, &with(adapted(MAX), &[lost.gives(Ignored, 4_096), ignored, wider]));
    check(LATE, &with(adapted(MAX), &[ignored, lost.leaves(1_024), wider]));
    let slow = SmarttCsr { granularity: 9, ..CSR };
    check(slow, &[open(MAX), ack(1, 151).class(1).gives(Waiting, 4_096), trim(1).class(1).leaves(4_095)]);
    let patient = SmarttCsr { wtd_threshold: 255, ..CSR };
    check(patient, &[open(MAX), marked(1, 151).class(1).gives(Held, 4_096), open(4_096).class(1), open(MAX)]);
    // If both bounds cannot hold, the lower one holds.
    let room = 2 * MTU;
    check(CSR, &[open(room).class(3), ack(MTU, 100).class(3).is(MultiplicativeIncrease), trim(1).class(3)]);
    check(CSR, &[open(MAX), ack(MTU, 100).class(3).gives(MultiplicativeIncrease, room)]);
}

#[test]
fn rule_26_events_of_one_connection_keep_their_distance() {
    let clocks = |connections: &[u32]| {
        let events = connections.iter().map(|&connection| Act::Offer(Event { connection, ..OPENING }));
        let script = run([Act::Configure(CSR), Act::Idle(400)].into_iter().chain(events), ALWAYS);
        let order: Vec<u32> = script.answers.iter().map(|&(id, ..)| id).collect();
        assert_eq!(order, connections, "answers in the order of the events");
        let first = script.accepted[0];
        assert_eq!(script.taken[0] - first, LATENCY as u64, "the latency");
        script.taken.iter().map(|clock| clock - first - LATENCY as u64).collect::<Vec<_>>()
    };
    let spacing = SPACING as u64;
    assert_eq!(spacing, 24);
    assert_eq!(clocks(&[5, 5, 5]), [0, spacing, 2 * spacing]);
    // The event behind a waiting one waits as well.
    assert_eq!(clocks(&[5, 6, 5, 7, 6]), [0, 1, spacing, spacing + 1, spacing + 2]);
    // 24 connections in turn never wait.
    let turns: Vec<u32> = (0..240).map(|turn| turn % 24).collect();
    assert_eq!(clocks(&turns), (0..240).collect::<Vec<_>>());
    let turns: Vec<u32> = (0..46).map(|turn| turn % 23).collect();
    assert_eq!(clocks(&turns)[22..24], [22, spacing]);
}

/// Fig 4: two senders with windows of four packets meet at a port that passes half. Two packets of each are
/// trimmed, and two arrive. A target RTT after the first trim, the window is the number of packets that
/// arrived: two.
#[test]
fn figure_4_of_the_paper() {
    let csr = |qa_scaling| {
        let mut csr = SmarttCsr { qa_scaling, ..CSR };
        csr.classes[0].max_cwnd_bytes = 4 * MTU;
        csr
    };
    for (qa_scaling, window) in [(1 << 23, 2 * MTU), (6_710_886, 6_553)] {
        let sender = |connection| {
            let steps = [
                open(4 * MTU),
                trim(MTU).at(0).leaves(3 * MTU),
                trim(MTU).at(10).leaves(2 * MTU),
                ack(MTU, 180).at(75).gives(FairIncrease, 2 * MTU + 512),
                ack(MTU, 250).at(150).in_flight(2 * MTU).gives(QuickAdapt, window),
            ];
            steps.map(|step| step.of(connection))
        };
        let [first, second] = [sender(1), sender(2)];
        let both: Vec<Step> = first.into_iter().zip(second).flat_map(|(a, b)| [a, b]).collect();
        check(csr(qa_scaling), &both);
    }
}
