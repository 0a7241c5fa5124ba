//! Windows of 512 and 1,024 PSNs against the oracle: a sender and its receiver, with losses, late packets, lost ACKs
//! and ACKs of nothing that was sent.

use weft_blocks::sack_rx::oracle::Oracle as Receiver;
use weft_blocks::sack_tx::oracle::{ALL, Oracle};
use weft_nic::block::sack_rx::{self, Response};
use weft_nic::block::sack_tx::{Event, Kind, SackTx};
use weft_params::{SackParams, SackRxCsr, SackTxCsr};
use weft_random::Rng;
use weft_word::{Bits, Stored};

/// Extremes of a run.
#[derive(Default)]
struct Seen {
    /// The most packets outstanding.
    outstanding: u16,
    /// ACKs whose bitmap does not begin at the cumulative PSN, and that acknowledged a packet.
    far: u64,
    /// Packets found lost.
    lost: u64,
    /// Packets acknowledged.
    acked: u64,
    /// Messages that completed.
    completed: u64,
}

fn compare<const S: usize, const N: usize, const L: usize>(seed: u64) -> Seen
where
    Bits<N>: Stored,
{
    let mut rng = Rng::new(seed);
    let (params, csr) = (SackParams { connections: 4 }, SackTxCsr::default().with_gap(rng.below(256)));
    let mut model = SackTx::<S, N, L>::new(params, csr);
    let mut oracle = Oracle::new(csr).with_psns(1 << S);
    let acks = SackRxCsr::every([1, 1, 4, 16][rng.below(4) as usize]);
    let mut receiver = Receiver::new(acks).with_psns(1 << S);
    let first = [0, 77, (1 << 24) - 300][rng.below(3) as usize];
    receiver.step(&sack_rx::Event::new(sack_rx::Kind::Open, 0, first));
    let mut events = vec![Event { psn: first, cwnd_bytes: 0x3FF_FFFF, ..Event::new(Kind::Open, 0) }];
    let (mut under_way, mut seen, mut now) = (Vec::new(), Seen::default(), 1_000u64);
    // Packets leave this often for each that arrives, so that the window is full or nearly empty.
    let (hurry, loss) = (1 + rng.below(3), [0, 1, 8][rng.below(3) as usize]);
    for at in 0..30_000 {
        now += u64::from(rng.below(12));
        if rng.below(16) == 0 {
            events.push(Event { packets: 1 + rng.below(40) as u16, ..Event::new(Kind::Post, 0) });
        }
        if !under_way.is_empty() && rng.below(2) == 0 {
            // Mostly one of the oldest; now and then any, and the oldest of all waits.
            let late = if rng.below(8) == 0 { under_way.len() as u32 } else { 4.min(under_way.len() as u32) };
            let (psn, last, left): (u32, bool, u64) = under_way.remove(rng.below(late) as usize);
            if rng.below(64) >= loss {
                let last = last || rng.below(64) == 0;
                let arrival = sack_rx::Event { last, ..sack_rx::Event::new(sack_rx::Kind::Data, 0, psn) };
                let answer = receiver.step(&arrival);
                if answer.response == Response::Ack && rng.below(64) >= loss {
                    let (expected, bitmap) = (answer.expected, answer.bitmap);
                    let tag = (now - left).min(0x7FFF) as u32;
                    let ack = Event {
                        psn: expected,
                        trigger: psn,
                        bitmap,
                        tag: tag << 16,
                        ..Event::new(Kind::Ack, 0)
                    };
                    events.push(ack);
                }
            }
        }
        if at % 97 == 0 {
            // What no receiver says.
            let una = model.flow(0).published.una.value() as u32;
            let mut near = || una.wrapping_add(rng.below(2_200)).wrapping_sub(600) & 0xFF_FFFF;
            let (psn, trigger) = (near(), near());
            let bitmap = [0; 4].map(|_: u64| rng.draw() & rng.draw() & rng.draw());
            if rng.below(8) == 0 {
                events.push(Event { psn, trigger, bitmap, tag: 40 << 16, ..Event::new(Kind::Ack, 0) });
            } else {
                events.push(Event { psn, ..Event::new(Kind::Nack, 0) });
            }
        }
        for event in events.drain(..) {
            let event = Event { now_ticks: now as u32 & 0xFF_FFFF, ..event };
            let (got, wanted) = (model.step(&event), oracle.step(&event, now));
            assert_eq!(got, wanted, "seed {seed}, {at}: model (left), oracle (right) on {event:?}");
            let is_far = event.trigger.wrapping_sub(event.psn) & 0xFF_FFFF >= 256;
            seen.far += u64::from(event.kind == Kind::Ack && got.acked > 0 && is_far);
            seen.lost += u64::from(got.lost);
            seen.acked += u64::from(got.acked);
            seen.completed += u64::from(got.completed);
            seen.outstanding = seen.outstanding.max(got.unacked);
        }
        for _ in 0..hurry {
            let (got, wanted) = (model.send(now as u32 & 0xFF_FFFF), oracle.send(now));
            assert_eq!(got, wanted, "seed {seed}, {at}: a send");
            under_way.extend(got.filter(|it| it.send).map(|it| (it.psn, it.last, now)));
        }
        if let Some(kind) = oracle.due(0, now) {
            assert_eq!(model.due(0, now as u32 & 0xFF_FFFF), Some(kind));
            let (got, wanted) =
                (model.timer(0, kind, now as u32 & 0xFF_FFFF), oracle.timer(0, kind, now, ALL));
            assert_eq!(got, wanted, "seed {seed}, {at}: {kind:?}");
            seen.lost += u64::from(got.lost);
        }
    }
    seen
}

fn runs<const S: usize, const N: usize, const L: usize>()
where
    Bits<N>: Stored,
{
    let seen: Vec<Seen> = (0..4).map(compare::<S, N, L>).collect();
    let sum = |of: fn(&Seen) -> u64| seen.iter().map(of).sum::<u64>();
    assert_eq!(seen.iter().map(|seen| seen.outstanding).max(), Some(1 << S));
    assert!(sum(|seen| seen.far) > 1_000 && sum(|seen| seen.lost) > 5_000, "too few cases");
    // The groups in which messages end hold two windows. In each run they are written again.
    assert!(seen.iter().all(|seen| seen.acked > 2 << S), "too few packets");
    assert!(sum(|seen| seen.completed) > 400, "too few messages");
}

#[test]
fn windows_of_512() {
    runs::<9, 10, 4>();
}

#[test]
fn windows_of_1024() {
    runs::<10, 11, 8>();
}
