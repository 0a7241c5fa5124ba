//! Feedback for the congestion window: rule 11. After QuickAdapt has set the window, the sender ignores the
//! feedback of the packets in the network (S 3.3): exactly the feedback of these packets, over all parts of
//! an ACK or NACK.

use super::bench::{Bench, MTU, TICK, ack, csr};
use weft_nic::words::{Acknowledgement, Listed};

/// Packets of the first window, packets of the message, packets lost by NACKs.
const WINDOW: u32 = 64;
const MESSAGE: u32 = 80;
const TRIMMED: u32 = 20;

/// Target RTT, in ticks.
const TARGET: u32 = 900;

/// A whole window is sent, its first packet is acknowledged, other packets are trimmed. Then a target RTT
/// passes.
fn congested(gap: u32) -> Bench {
    let mut csr = csr(WINDOW, 60_000);
    csr.reps.trimming = false;
    // The packets have age 2 when the target RTT is over, and each round-trip time reports a congested
    // network.
    csr.sack = csr.sack.with_epoch(500).with_gap(gap);
    csr.sack.classes.iter_mut().for_each(|class| class.high_ticks = 1);
    for class in &mut csr.smartt.classes {
        (class.base_rtt_ticks, class.target_rtt_ticks) = (500, TARGET);
    }
    let mut bench = Bench::new(csr);
    bench.work(0, MESSAGE);
    bench.idle(1_500);
    assert_eq!(bench.orders_of(0), WINDOW as usize);
    answer(&mut bench, ack(1, 0));
    for psn in 30..30 + TRIMMED {
        let nack = Acknowledgement { nack: true, reason: 1, ..ack(psn + 1, 0) };
        answer(&mut bench, Acknowledgement { expected: psn, ..nack });
    }
    bench.idle(u64::from(TARGET) * TICK);
    bench
}

/// Answers with the stamp of a packet that left ten ticks ago.
fn answer(bench: &mut Bench, answer: Acknowledgement) {
    let stamp = bench.now().wrapping_sub(10) as u16;
    bench.answer(0, Acknowledgement { stamp, ..answer });
}

/// Packets in the network: packets sent minus those answered or found lost.
fn in_network(bench: &Bench, sent: usize, acked: u32) -> u32 {
    let found = &bench.model.outputs().counters.recovery;
    let lost = found.lost_by_nack + found.lost_by_verdict + found.lost_by_probe + found.lost_by_timeout;
    sent as u32 - acked - lost
}

/// Checks the rest to ignore after these answers, which acknowledge `acked` packets in total.
fn ignores(gap: u32, answers: &[Acknowledgement], acked: u32) -> Bench {
    let mut bench = congested(gap);
    // Packets that leave from now on are not ignored.
    let sent = bench.orders_of(0);
    for it in answers {
        answer(&mut bench, *it);
    }
    bench.idle(300);
    let control = bench.model.smartt().control(0);
    let left = control.shared.value() * control.ignoring.value();
    let network = in_network(&bench, sent, 1 + acked);
    assert!((10..WINDOW - 10).contains(&network), "{network}");
    assert_eq!(
        left,
        u128::from(network * MTU),
        "{answers:?}: {} packets, not {network}",
        left / u128::from(MTU)
    );
    bench
}

#[test]
fn what_waits_to_be_sent_again_is_not_in_the_network() {
    ignores(0, &[ack(2, 0)], 1);
    ignores(0, &[ack(9, 0)], 8);
}

#[test]
fn each_part_of_an_ack_is_told_what_is_in_the_network_behind_it() {
    // Three packets without a mark adapt the window, and five with a mark follow.
    let listed = Listed { there: 0x7F, marked: 0x78, ..Listed::default() };
    ignores(0, &[Acknowledgement { ce: true, ..ack(9, 0) }.with_list(listed)], 8);
    // One ACK causes QuickAdapt; other ACKs wait for their turn and are merged.
    ignores(0, &[ack(3, 0), ack(5, 0), Acknowledgement { ce: true, ..ack(6, 0) }, ack(9, 0)], 8);
}

#[test]
fn an_ack_that_finds_packets_lost_is_told_before_these() {
    // PSN 20 has arrived. PSNs 8 or more before it are lost, and their losses follow the ACK that adapts the
    // window.
    let late = Acknowledgement { trigger: 20, bitmap: [1 << 19, 0, 0, 0], ..ack(1, 0) };
    let bench = ignores(8, &[late], 1);
    assert_eq!(bench.model.outputs().counters.recovery.lost_by_verdict, 12, "PSNs 1 to 12");
}
