//! Lists of ACKs: their entries for the choice of paths (rule 19) and for the congestion window (rule 20).

use super::bench::{Bench, ack, csr, open};
use weft_nic::words::{Acknowledgement, Listed};
use weft_params::SenderCsr;

/// A list with these entropy values and marks.
fn list(entries: &[(u16, bool)]) -> Listed {
    let mut list = Listed::default();
    for (at, &(ev, marked)) in entries.iter().enumerate() {
        list.there |= 1 << at;
        list.marked |= u16::from(marked) << at;
        list.evs[at] = ev;
    }
    list
}

/// Registers with which no packet is found lost, and a connection explores only with its first packets if
/// ACKs return values.
fn patient(packets: u32) -> SenderCsr {
    let mut csr = csr(packets, 60_000);
    csr.sack = csr.sack.with_epoch(24_575).with_gap(0);
    csr.reps.bdp_packets = 1;
    csr
}

/// Sends 8 packets of a connection and these answers. Returns the entropy values of the first 8 packets and
/// of the next 8.
fn next_values(answers: &[Acknowledgement]) -> (Vec<u16>, Vec<u16>) {
    let mut bench = Bench::new(patient(16));
    bench.work(0, 8);
    bench.idle(400);
    let first: Vec<u16> = bench.orders.iter().map(|(_, order)| order.ev).collect();
    assert_eq!(first.len(), 8);
    for answer in answers {
        bench.answer(0, Acknowledgement { stamp: bench.now() as u16, ..*answer });
        bench.idle(400);
    }
    bench.work(0, 8);
    bench.idle(600);
    let next = bench.orders[8..].iter().map(|(_, order)| order.ev).collect();
    (first, next)
}

/// Checks that the next values begin with `expected`, and that no later one is `foreign`.
fn expects(answers: &[Acknowledgement], expected: &[u16], foreign: &[u16]) {
    let (_, next) = next_values(answers);
    assert_eq!(&next[..expected.len()], expected, "{answers:x?}");
    assert!(next[expected.len()..].iter().all(|ev| !foreign.contains(ev)), "{answers:x?}: {next:x?}");
}

#[test]
fn each_entry_is_an_ack_to_the_choice_of_paths() {
    let of = |expected, ev, listed| Acknowledgement { ev, ..ack(expected, 0) }.with_list(listed);
    let clean: Vec<_> = (1..=16).map(|ev| (ev, false)).collect();
    // An ACK of four packets: three entries and its own, in order.
    expects(&[of(4, 9, list(&clean[..3]))], &[1, 2, 3, 9], &[]);
    // A value with a mark is not used again.
    expects(&[of(4, 9, list(&[(1, false), (2, true), (3, false)]))], &[1, 3, 9], &[2]);
    // The ACK counts at most as many entries as packets, and the first entries.
    let foreign: Vec<u16> = (3..=16).collect();
    expects(&[of(2, 99, list(&clean))], &[1, 2, 99], &foreign);
    // An ACK that another ACK overtook still counts for its packets. A third ACK finds no packets left.
    let late = of(3, 8, list(&clean[..2]));
    let more = of(3, 7, list(&clean[2..5]));
    expects(&[of(4, 9, Listed::default()), late, more], &[9, 1, 2, 8, 3, 4, 7], &[5]);
    // An opening clears the lists.
    let mut bench = Bench::new(patient(16));
    bench.work(0, 8);
    bench.idle(400);
    bench.answer(0, of(8, 9, Listed::default()));
    bench.idle(200);
    assert_eq!(bench.close(0, 5_000).map(drop), Some(()));
    bench.command(0, open(0));
    bench.work(0, 8);
    bench.idle(400);
    bench.answer(0, of(1, 9, list(&clean[..4])));
    bench.idle(400);
    let before = bench.orders.len();
    bench.work(0, 4);
    bench.idle(400);
    let next: Vec<u16> = bench.orders[before..].iter().map(|(_, order)| order.ev).collect();
    assert_eq!(next[..2], [1, 9]);
    assert!(!next.contains(&2) && !next.contains(&3), "{next:x?}");
}

#[test]
fn nothing_is_told_of_lists_that_cannot_be() {
    let clean: Vec<_> = (1..=16).map(|ev| (ev, false)).collect();
    let values: Vec<u16> = (1..=16).collect();
    let listed = list(&clean);
    // Lists of packets never sent, and of a NACK.
    let ahead = Acknowledgement { ev: 99, ..ack(100, 0) }.with_list(listed);
    let nack = Acknowledgement { nack: true, reason: 1, expected: 7, trigger: 7, ev: 99, ..ahead };
    expects(&[ahead], &[], &values);
    expects(&[nack], &[], &values);
    // The rest of a list is dropped, so the next list counts as its own.
    expects(&[ahead, Acknowledgement { ev: 98, ..ack(1, 0) }], &[98], &values);
}

/// Marked packets among n that an ACK acknowledges, if it lists l packets of which k had marks (rule 20).
#[test]
fn marks_are_billed_by_the_packet() {
    #[rustfmt::skip]
    let table = [
        // n, l, k, marked
        (1, 1, 0, 0), (4, 4, 0, 0), (9, 1, 0, 0),
        (1, 1, 1, 1), (2, 1, 1, 2), (3, 1, 1, 3), (4, 1, 1, 4), (5, 1, 1, 4), (9, 1, 1, 4),
        (4, 4, 1, 1), (5, 4, 1, 2), (8, 4, 1, 2), (9, 4, 1, 3), (12, 4, 1, 3), (13, 4, 1, 4), (17, 4, 1, 4),
        (4, 4, 3, 3), (5, 4, 3, 4), (2, 4, 3, 2), (16, 16, 16, 16), (17, 17, 16, 16), (17, 17, 17, 17),
    ];
    for (n, l, k, marked) in table {
        for own in [false, true] {
            if k > l - u32::from(!own) || (own && k == 0) {
                continue;
            }
            let csr = patient(20);
            let mut bench = Bench::new(csr);
            bench.work(0, n);
            bench.idle(900);
            assert_eq!(bench.orders_of(0), n as usize);
            let listed: Vec<_> = (1..l).map(|at| (at as u16, at <= k - u32::from(own))).collect();
            let stamp = bench.now() as u16;
            bench.answer(0, Acknowledgement { ce: own, stamp, ..ack(n, 0) }.with_list(list(&listed)));
            bench.idle(400);
            // Packets without a mark leave an average of 0 unchanged. Packets with a mark follow them.
            let alpha = if marked == 0 { 0 } else { csr.smartt.alpha_of(marked.min(16) as usize - 1) };
            let average = bench.model.smartt().control(0).average;
            assert_eq!(
                average.value(),
                u128::from(32 * alpha),
                "{n} packets, {l} told, {k} marks, its own {own}"
            );
        }
    }
}
