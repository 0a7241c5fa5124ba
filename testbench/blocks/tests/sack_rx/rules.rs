//! The rules of `docs/blocks/sack_rx.md`, one by one. The expected values are computed by hand from the
//! rule's text. The naive oracle, the model and the RTL must all give these answers, with any spacing of the
//! events.

mod bench;
mod clocks;
mod steps;

use bench::{check, check_apart, check_parts};
use steps::{Step, any, close, data, flush, open, probe, trimmed};
use weft_nic::block::sack_rx::{Kind, PUBLISHED_AFTER, Response, Verdict};
use weft_params::SackRxCsr;

/// Every packet is acknowledged.
const CSR: SackRxCsr = SackRxCsr { ack_packets: 1, ack_bytes: 0 };
/// Packets gather.
const LAZY: SackRxCsr = SackRxCsr { ack_packets: 255, ack_bytes: 0 };
/// The receiver sends an ACK after three packets.
const THREE: SackRxCsr = SackRxCsr { ack_packets: 3, ack_bytes: 0 };

/// PSNs there are.
const PSNS: u32 = 1 << 24;
const HALF: u32 = PSNS / 2;

fn concat(parts: &[&[Step]]) -> Vec<Step> {
    parts.concat()
}

#[test]
fn rule_01_after_reset_everything_is_closed() {
    let all: Vec<Step> = (0..256).map(|connection| data(connection).of(connection).refused()).collect();
    check(CSR, &all);
    // The reset is clock 0; then the sweep closes a connection per clock, the last connection as in rule 16.
    let script = clocks::offered(&[data(7)]);
    assert_eq!(script.accepted, [256 + PUBLISHED_AFTER as u64]);
}

#[test]
fn rule_02_open_and_close() {
    for psn in [0, 1, 255, 256, 511, 512, HALF, PSNS - 1, 0xABCDEF] {
        check(CSR, &[open(psn), data(psn).to(psn + 1)]);
    }
    // No earlier state is left: PSNs, messages, bytes, and packets that wait for an ACK.
    let before = [
        open(100),
        data(100).to(101).last().messages(1),
        data(102).gathers().beyond(&[1]),
        data(300).gathers().beyond(&[1, 199]),
    ];
    let anew = [
        open(101),
        flush(),
        data(102).gathers().beyond(&[1]),
        data(300).gathers().beyond(&[1, 199]),
        data(101).gathers().to(103).beyond(&[197]),
        flush().says(Response::Ack),
    ];
    check(LAZY, &concat(&[&before, &anew]));
    check(LAZY, &concat(&[&before, &[close()], &anew]));
    check(LAZY, &concat(&[&before, &[close(), data(103).refused(), flush().refused()], &anew]));
    // A PSN of the last turn of its slot differs from a PSN of the first turn.
    let turned = [open(0), data(255).gathers().beyond(&[255]), open(256), open(512), open(257)];
    check(LAZY, &concat(&[&turned, &[data(257).gathers().to(258), data(257).again()]]));
}

#[test]
fn rule_03_closed_connections_count_and_change_nothing() {
    let kinds = [Kind::Data, Kind::Trimmed, Kind::Flush, Kind::Probe, Kind::Close];
    let all: Vec<Step> = kinds
        .into_iter()
        .chain([Kind::Reserved6, Kind::Reserved7])
        .map(|kind| any(kind, 3).refused())
        .collect();
    check(CSR, &all);
    check(CSR, &concat(&[&[open(3), close()], &all, &[open(3), data(3).to(4)]]));
    // On an open connection, reserved kinds count as events and change nothing.
    let reserved = [any(Kind::Reserved6, 3), any(Kind::Reserved7, 3)];
    check(LAZY, &concat(&[&[open(3)], &reserved, &[flush(), data(3).gathers().to(4)], &reserved]));
    // Connections do not affect each other.
    let others = [open(3), open(9).of(6), data(9).of(6).to(10), data(3).to(4), close().of(6), data(4).to(5)];
    check(CSR, &concat(&[&others, &[data(10).of(6).refused()]]));
}

#[test]
fn rule_04_the_window() {
    for first in [1_000, 0, 255, 256, 512, HALF, PSNS - 1, PSNS - 255, PSNS - 256] {
        let at = |ahead: u32| first.wrapping_add(ahead) % PSNS;
        let edges = [
            open(first),
            data(at(PSNS - 1)).again(),
            data(at(HALF)).again(),
            data(at(HALF + 1)).again(),
            data(at(HALF - 1)).outside(),
            data(at(257)).outside(),
            data(at(256)).outside(),
            data(at(512)).outside(),
            data(at(255)).beyond(&[255]),
            data(at(1)).beyond(&[1, 255]),
        ];
        check(CSR, &edges);
        // The window moves with the cumulative PSN.
        let moved = [
            data(first).to(first + 2).beyond(&[253]),
            data(at(258)).outside(),
            data(at(257)).beyond(&[253, 255]),
            data(at(256)).beyond(&[253, 254, 255]),
            data(at(1)).again(),
            data(at(HALF + 2)).again(),
            data(at(HALF + 1)).outside(),
        ];
        check_apart(CSR, &concat(&[&edges, &moved]));
    }
}

#[test]
fn rule_05_packets_are_placed_in_any_order() {
    check(CSR, &[open(8), data(8).to(9), data(9).to(10), data(10).to(11)]);
    check(CSR, &[open(8), data(10).beyond(&[2]), data(9).beyond(&[1, 2]), data(8).to(11).beyond(&[])]);
    let mixed = [
        data(12).beyond(&[4]),
        data(8).to(9).beyond(&[3]),
        data(10).beyond(&[1, 3]),
        data(9).to(11).beyond(&[1]),
        data(11).to(13).beyond(&[]),
    ];
    check(CSR, &concat(&[&[open(8)], &mixed]));
    // The same holds without a payload.
    check(CSR, &[open(8), data(8).bytes(0).to(9)]);
}

#[test]
fn rule_06_what_came_before_is_acknowledged_and_changes_nothing() {
    let received = [open(8), data(8).last().to(9).messages(1), data(11).beyond(&[2])];
    for psn in [8, 11, 7, 0, PSNS - 1, PSNS - 400] {
        let again = [any(Kind::Data, psn).again(), any(Kind::Trimmed, psn).again(), data(psn).again()];
        let after = [data(9).to(10).beyond(&[1]), data(10).to(12).beyond(&[])];
        check(CSR, &concat(&[&received, &again, &after]));
    }
    // Such a packet is no new packet for the ACK of rule 13 either.
    let gathering = [open(8), data(8).gathers().to(9), data(8).again(), data(9).gathers().to(10)];
    check(THREE, &concat(&[&gathering, &[data(10).gathers().to(11), data(11).to(12)]]));
}

#[test]
fn rule_07_beyond_the_window_nothing_changes() {
    for psn in [8 + 256, 8 + 300, 8 + 512, 8 + HALF - 1] {
        let beyond = [data(psn).outside(), any(Kind::Data, psn).outside(), any(Kind::Trimmed, psn).outside()];
        let after = [data(8).gathers().to(9), data(9).gathers().to(10), flush().says(Response::Ack)];
        check(LAZY, &concat(&[&[open(8), flush()], &beyond, &[flush()], &after]));
    }
}

/// `len` packets from `from` on, the last packet first.
fn backwards(from: u32, len: u16) -> Vec<Step> {
    let behind = (1..len).rev().map(|ahead| {
        let beyond: &'static _ = (ahead..len).collect::<Vec<_>>().leak();
        data((from + u32::from(ahead)) % PSNS).beyond(beyond)
    });
    behind.chain([data(from).to(from + u32::from(len)).beyond(&[])]).collect()
}

#[test]
fn rule_08_the_cumulative_psn_is_the_first_that_has_not_come() {
    // 256 PSNs at once, through two turns of every slot and the end of the PSNs.
    for first in [0, 1, 100, 255, PSNS - 700] {
        let windows: Vec<Step> =
            (0..5).flat_map(|window| backwards((first + 256 * window) % PSNS, 256)).collect();
        check_apart(CSR, &concat(&[&[open(first)], &windows]));
    }
    // The cumulative PSN advances as far as packets have arrived, and no further.
    for len in [1, 2, 127, 128, 129, 255] {
        let steps: Vec<Step> = (0..4).flat_map(|part| backwards(77 + u32::from(len) * part, len)).collect();
        check_apart(CSR, &concat(&[&[open(77)], &steps]));
    }
    // In order, one by one, back to back, through three turns of the ring.
    let in_order: Vec<Step> =
        (0..800).map(|psn| data((PSNS - 400 + psn) % PSNS).to(PSNS - 399 + psn)).collect();
    check(CSR, &concat(&[&[open(PSNS - 400)], &in_order]));
}

#[test]
fn rule_09_messages_complete_once_and_in_order() {
    let first = [open(8), data(8).to(9), data(9).last().to(10).messages(1), data(10).to(11)];
    check(CSR, &first);
    // The end of the message arrived first.
    let reordered = [open(8), data(10).last().beyond(&[2]), data(8).to(9).beyond(&[1])];
    check(CSR, &concat(&[&reordered, &[data(9).to(11).beyond(&[]).messages(1), data(10).last().again()]]));
    // Three at once.
    let three = [
        open(8),
        data(9).last().beyond(&[1]),
        data(11).last().beyond(&[1, 3]),
        data(10).last().beyond(&[1, 2, 3]),
        data(8).to(12).beyond(&[]).messages(3),
    ];
    check(CSR, &three);
    // 256 messages at once, twice: each packet is a message.
    let many: Vec<Step> = [0, 256]
        .into_iter()
        .flat_map(|from| {
            let mut steps: Vec<Step> = backwards(from, 256).into_iter().map(Step::last).collect();
            let end = steps.len() - 1;
            steps[end] = steps[end].messages(from + 256);
            steps
        })
        .collect();
    check_apart(CSR, &concat(&[&[open(0)], &many]));
    // A slot forgets that its last PSN ended a message.
    let plain: Vec<Step> = (1..600).map(|psn| data(psn).to(psn + 1)).collect();
    check(CSR, &concat(&[&[open(0), data(0).last().to(1).messages(1)], &plain]));
    // Packets that do not count end no message.
    let none =
        [any(Kind::Trimmed, 8).is(Verdict::Trimmed).says(Response::Nack), any(Kind::Data, 300).outside()];
    check(CSR, &concat(&[&[open(8)], &none, &[data(8).to(9), any(Kind::Data, 8).again()]]));
}

#[test]
fn rule_10_a_trimmed_packet_is_asked_for_again() {
    let twice = [open(8), trimmed(8), trimmed(8), trimmed(8).ce().request().last(), data(8).to(9)];
    check(CSR, &twice);
    let later = [open(8), trimmed(263), trimmed(10), data(10).beyond(&[2]), trimmed(10).again()];
    check(
        CSR,
        &concat(&[&later, &[trimmed(9), data(9).beyond(&[1, 2]), trimmed(8), data(8).to(11).beyond(&[])]]),
    );
    check(CSR, &[open(8), trimmed(264).outside(), trimmed(7).again()]);
}

#[test]
fn rule_11_what_an_outcome_says() {
    // Bytes in units of 256, rounded up; of placed packets only.
    let sizes = [0, 1, 255, 256, 257, 1, 0xFFFF, 0, 254];
    let placed = |(psn, &bytes): (u32, &u16)| data(psn).bytes(bytes).to(psn + 1);
    let steps: Vec<Step> = (0..).zip(&sizes).map(placed).collect();
    check(CSR, &concat(&[&[open(0), trimmed(0)], &steps, &[data(0).bytes(999).again()]]));
    // Every bit of the bitmap.
    let every = |psn: u32| {
        let beyond: &'static _ = vec![psn as u16].leak();
        data(psn).beyond(beyond)
    };
    let bits: Vec<Step> = (1..256).flat_map(|psn| [open(0), every(psn), probe()]).collect();
    check(CSR, &bits);
    // The outcome returns the mark of any event; a flush or a probe has the outcome of a packet.
    let marks =
        [data(3).ce().beyond(&[1]), trimmed(2).ce(), probe().ce(), flush().ce(), data(3).again().ce()];
    check(CSR, &concat(&[&[open(2).ce()], &marks, &[close().ce(), probe().ce().refused()]]));
}

#[test]
fn rule_12_answered_at_once() {
    let opened = [open(8), data(8).gathers().to(9)];
    let ack = |step: Step| concat(&[&opened, &[step, flush()]]);
    check(LAZY, &ack(data(9).ce().to(10)));
    check(LAZY, &ack(data(9).request().to(10)));
    check(LAZY, &ack(data(9).last().to(10).messages(1)));
    check(LAZY, &ack(data(30).last().beyond(&[21])));
    check(LAZY, &ack(data(8).again()));
    check(LAZY, &ack(trimmed(8).again()));
    // An event completes a message whose end arrived earlier.
    let completes = [data(10).last().beyond(&[1]), flush(), data(9).to(11).beyond(&[]).messages(1), flush()];
    check(LAZY, &concat(&[&opened, &completes]));
    // A NACK counts as no ACK, even if the packet requests one.
    let nacks =
        [any(Kind::Trimmed, 9).is(Verdict::Trimmed).says(Response::Nack), any(Kind::Data, 900).outside()];
    check(LAZY, &concat(&[&opened, &nacks, &[flush().says(Response::Ack), flush()]]));
}

/// Packets in order from PSN 0 on, with these sizes. `acked` are the packets after which the receiver sends
/// an ACK.
fn in_order(sizes: &[u16], acked: &[usize]) -> Vec<Step> {
    let packet = |(index, &bytes): (usize, &u16)| {
        let step = data(index as u32).bytes(bytes).to(index as u32 + 1);
        if acked.contains(&index) { step } else { step.gathers() }
    };
    concat(&[&[open(0)], &sizes.iter().enumerate().map(packet).collect::<Vec<_>>()])
}

#[test]
fn rule_13_what_gathers() {
    for (ack_packets, every) in [(0, 1), (1, 1), (2, 2), (3, 3), (100, 100), (254, 254), (255, 255)] {
        let acked: Vec<usize> = (0..520).filter(|index| (index + 1) % every == 0).collect();
        check(SackRxCsr { ack_packets, ack_bytes: 0 }, &in_order(&[300; 520], &acked));
    }
    // Bytes count, and each packet counts at least 1 KiB.
    let bytes = |ack_bytes| SackRxCsr { ack_bytes, ..LAZY };
    check(bytes(1), &in_order(&[0, 0], &[0, 1]));
    check(bytes(1_024), &in_order(&[0, 1, 1_023, 1_024], &[0, 1, 2, 3]));
    check(bytes(1_025), &in_order(&[0, 1_024, 1_025, 1_024, 1], &[1, 2, 4]));
    check(bytes(2_049), &in_order(&[1_023, 1_024, 1, 1_024, 1_025, 2_049, 2_048], &[2, 4, 5]));
    check(bytes(16_384), &in_order(&[4_096; 9], &[3, 7]));
    check(bytes(0xFFFF), &in_order(&[0xFFFE, 0, 0xFFFF, 0xF000, 0xFFF, 1], &[1, 2, 4]));
    check(bytes(0), &in_order(&[0xFFFF; 40], &[]));
    // The first limit that is reached counts.
    let both = SackRxCsr { ack_packets: 3, ack_bytes: 4_000 };
    check(both, &in_order(&[10, 10, 10, 3_000, 10, 10, 10], &[2, 4]));
    // Packets out of order gather as well.
    let apart = [open(0), data(9).gathers().beyond(&[9]), data(7).gathers().beyond(&[7, 9])];
    check(THREE, &concat(&[&apart, &[data(5).beyond(&[5, 7, 9])]]));
    // The number may be set lower while some wait.
    let three = in_order(&[1; 3], &[]);
    check_parts(&[(LAZY, &three), (SackRxCsr { ack_packets: 2, ..LAZY }, &[flush().says(Response::Ack)])]);
    check_parts(&[(LAZY, &three), (SackRxCsr { ack_packets: 2, ..LAZY }, &[data(3).to(4)])]);
    check_parts(&[(LAZY, &three), (bytes(4_096), &[data(3).to(4)])]);
}

#[test]
fn rule_14_flush_and_probe() {
    let asked = [open(8), flush(), probe(), flush(), data(9).gathers().beyond(&[1])];
    check(LAZY, &concat(&[&asked, &[flush().says(Response::Ack), flush()]]));
    check(
        LAZY,
        &concat(&[&asked, &[probe(), flush(), data(8).gathers().to(10).beyond(&[]), probe(), probe()]]),
    );
    // The outcome is the same with any other fields.
    check(
        LAZY,
        &[open(8), any(Kind::Flush, 8), any(Kind::Probe, 8).says(Response::Ack), data(8).gathers().to(9)],
    );
}

#[test]
fn rule_15_an_ack_begins_anew() {
    let two = [open(0), data(0).gathers().to(1), data(1).gathers().to(2)];
    let rest = |from: u32| {
        let data = |n| data(from + n).to(from + n + 1);
        [data(0).gathers(), data(1).gathers(), data(2), data(3).gathers()]
    };
    for ack in [data(1).again(), trimmed(0).again(), flush().says(Response::Ack), probe()] {
        check(THREE, &concat(&[&two, &[ack], &rest(2)]));
    }
    check(THREE, &concat(&[&two, &[data(2).ce().to(3)], &rest(3)]));
    check(THREE, &concat(&[&two, &[data(2).to(3)], &rest(3)]));
    // NACKs and events without an answer do not clear the count.
    for other in [trimmed(2), data(600).outside(), any(Kind::Reserved6, 2)] {
        check(THREE, &concat(&[&two, &[other, data(2).to(3)], &rest(3)]));
    }
    // Another connection does not clear the count either.
    check(THREE, &concat(&[&two, &[open(0).of(6), probe().of(6), data(2).to(3)], &rest(3)]));
}
