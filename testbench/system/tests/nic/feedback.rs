//! Control events reach congestion control (rule 9 of the NIC): the transport's feedback of an ACK or a NACK
//! reaches SMaRTT, and the newest window returns, with any stalls in between.

use crate::answered::{Answered, CONNECTIONS};
use crate::late::{answer, answer_marked};
use crate::loopback::QP_BASE;
use crate::reuse::to_nic;
use weft_nic::nic::Inputs;
use weft_random::Rng;
use weft_wire::headers::nack_reason;
use weft_wire::{Ack, Body, Bth, Nack, packet};

/// The windows of a connection: SMaRTT's and the transport's.
fn windows(bench: &Answered, connection: u32) -> (u128, u128) {
    let sender = bench.nic.sender();
    let own = sender.smartt().control(connection).cwnd_bytes().value();
    (own, sender.sack_tx().flow(connection).cwnd.value())
}

/// Clocks until the NIC is quiet, with everything flowing.
fn ends(bench: &mut Answered, most: u64) {
    let end = bench.cycle + most;
    let mut quiet = 0;
    while quiet < 2_000 {
        bench.clock(Inputs::taking(), None, |_, frame| answer(frame));
        quiet = if bench.is_quiet() { quiet + 1 } else { 0 };
        assert!(bench.cycle < end, "{} of {} messages have ended", bench.ended, bench.posted);
    }
}

#[test]
fn rule_09_of_the_nic_the_newest_window_comes_back_whoever_stands_still() {
    let mut bench = Answered::new(512, 9);
    while !bench.is_up() || bench.cycle < 2_000 {
        bench.clock(Inputs::taking(), None, |_, _| None);
    }
    let first: Vec<_> = (0..CONNECTIONS).map(|id| windows(&bench, id)).collect();
    let mut smallest = u128::MAX;
    for _ in 0..120_000u64 {
        // The host accepts completions only at times, so that the sender stalls and ACKs wait in line.
        let phase = bench.cycle / 3_000 % 4;
        let takes = Inputs {
            sent_ready: phase != 1 || bench.rng.chance(1, 400),
            net_ready: phase != 2 || bench.rng.chance(1, 10),
            ..Inputs::taking()
        };
        let length = bench.rng.chance(1, 8).then(|| 1 + bench.rng.below(9_000));
        let marks = bench.cycle / 20_000 % 2 == 1;
        bench.clock(takes, length, |rng, frame| some_answer(rng, frame, marks));
        if bench.cycle.is_multiple_of(64) {
            smallest = (0..CONNECTIONS).map(|id| windows(&bench, id).1).fold(smallest, u128::min);
        }
    }
    ends(&mut bench, 400_000);
    assert!(bench.ended > 100, "{} messages", bench.ended);
    for id in 0..CONNECTIONS {
        let (own, transport) = windows(&bench, id);
        assert_eq!(own, transport, "connection {id}");
    }
    assert!(first.iter().all(|(_, transport)| smallest < transport / 2), "{smallest} of {first:?}");
}

/// The answer to a data frame: an ACK, with or without a mark, a NACK, or none.
fn some_answer(rng: &mut Rng, frame: &[u8], marks: bool) -> Option<Vec<u8>> {
    match rng.below(40) {
        0 => None,
        1 | 2 => {
            let parsed = packet::parse(frame).ok()?;
            let Body::Data(data) = &parsed.body else { return None };
            let (psn, ev) = (parsed.psn(), parsed.envelope.source_port);
            let nack = Nack::new(psn, nack_reason::TRIMMED, ev, data.xeth.tx_timestamp());
            let qp = QP_BASE + ((parsed.dest_qp() - QP_BASE) ^ 1);
            Some(to_nic(Bth::acknowledge(qp, psn), &Body::Nack(nack), ev))
        }
        _ => answer_marked(frame, marks && rng.chance(3, 4)),
    }
}

/// Answers that the transport refuses reach neither SMaRTT nor REPS.
#[test]
fn rule_09_of_the_nic_what_the_transport_refuses_goes_no_further() {
    let mut bench = Answered::new(512, 10);
    while bench.posted < 8 {
        let posts = bench.is_up() && bench.cycle > 2_000;
        bench.clock(Inputs::taking(), posts.then_some(3_000), |rng, frame| {
            answer_marked(frame, rng.chance(1, 2))
        });
    }
    ends(&mut bench, 100_000);
    let state = |bench: &Answered| {
        let sender = bench.nic.sender();
        let of = |id| {
            (windows(bench, id), format!("{:?}", (sender.smartt().control(id), sender.reps().control(id))))
        };
        let rtts = sender.outputs().counters.rtt.bins.iter().sum::<u32>();
        ((0..CONNECTIONS).map(of).collect::<Vec<_>>(), rtts)
    };
    let before = state(&bench);
    // An ACK and a NACK of PSNs that were never sent, and a NACK of one that is acknowledged.
    for id in 0..CONNECTIONS {
        let never = 5_000;
        bench.send(
            10,
            &to_nic(
                Bth::acknowledge(QP_BASE + id, never),
                &Body::Ack(Ack::new(never, never, 0xC000)),
                0xC000,
            ),
        );
        for psn in [never, 5] {
            let nack = Nack::new(psn, nack_reason::TRIMMED, 0xC000, 0);
            bench.send(10, &to_nic(Bth::acknowledge(QP_BASE + id, psn), &Body::Nack(nack), 0xC000));
        }
    }
    ends(&mut bench, 20_000);
    assert_eq!(state(&bench), before);
}
