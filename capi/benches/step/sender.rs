//! The SACK sender: messages, packets and ACKs through C and in Rust. A SACK receiver makes the ACKs.

use crate::{CONNECTIONS, STEPS, compare};
use ::weft_nic::block::sack_tx::{Event, Kind, SackTx};
use ::weft_nic::block::{sack_rx, sack_tx};
use std::collections::VecDeque;
use std::hint::black_box;
use weft::*;
use weft_params::SackParams;
use weft_params::registers::NicCsr;
use weft_random::Rng;

/// Packets of a message.
const PACKETS: u16 = 4;
/// ACKs come out of order by less than this many.
const APART: u32 = 8;

/// A step of the block: an event, or the next packet leaves at this time.
enum Step<E> {
    Event(E),
    Send(u32),
}

fn model() -> SackTx {
    <sack_tx::SackTx>::new(SackParams { connections: CONNECTIONS }, NicCsr::default().sender.sack)
}

fn event(kind: Kind, connection: u32, now_ticks: u32) -> Event {
    Event {
        kind,
        connection,
        psn: 0,
        trigger: 0,
        denied: false,
        bitmap: [0; 4],
        packets: PACKETS,
        cwnd_bytes: 1 << 20,
        tag: 0,
        now_ticks,
    }
}

/// Opens, then of each message the post, the packets that leave and ACKs of earlier packets.
fn steps() -> Vec<Step<Event>> {
    let params = SackParams { connections: CONNECTIONS };
    let mut receiver = <sack_rx::SackRx>::new(params, NicCsr::default().receiver.sack);
    let (mut sender, mut rng, mut flying) = (model(), Rng::new(7), VecDeque::new());
    let arrival = |kind, connection, psn| sack_rx::Event {
        kind,
        connection,
        psn,
        bytes: 4_096,
        ce: false,
        request: true,
        last: psn % u32::from(PACKETS) == u32::from(PACKETS) - 1,
        tag: 0,
    };
    let mut steps = Vec::new();
    for at in 0..STEPS {
        let turn = at % (1 + 2 * u32::from(PACKETS));
        let step = if at < CONNECTIONS {
            receiver.step(&arrival(sack_rx::Kind::Open, at, 0));
            Step::Event(event(Kind::Open, at, at))
        } else if turn == 0 {
            Step::Event(event(Kind::Post, rng.below(CONNECTIONS), at))
        } else if turn % 2 == 1 || flying.is_empty() {
            Step::Send(at)
        } else {
            let nearest = rng.below(APART).min(flying.len() as u32 - 1);
            let (connection, psn) = flying.remove(nearest as usize).expect("a packet");
            let told = receiver.step(&arrival(sack_rx::Kind::Data, connection, psn));
            let ack = event(Kind::Ack, connection, at);
            Step::Event(Event { psn: told.expected, trigger: psn, bitmap: told.bitmap, ..ack })
        };
        match &step {
            Step::Event(event) => {
                sender.step(event);
            }
            Step::Send(now_ticks) => {
                flying.extend(sender.send(*now_ticks).filter(|it| it.send).map(|it| (it.connection, it.psn)));
            }
        }
        steps.push(step);
    }
    steps
}

fn of(event: &Event) -> weft_sack_tx_event {
    let &Event { kind, connection, psn, trigger, denied, bitmap, packets, cwnd_bytes, tag, now_ticks } =
        event;
    weft_sack_tx_event {
        bitmap,
        connection,
        psn,
        trigger,
        cwnd_bytes,
        tag,
        now_ticks,
        packets,
        kind: kind as u8,
        denied: denied.into(),
    }
}

pub(crate) fn compare_steps() {
    let steps = steps();
    let given: Vec<_> = steps
        .iter()
        .map(|step| match step {
            Step::Event(event) => Step::Event(of(event)),
            Step::Send(now_ticks) => Step::Send(*now_ticks),
        })
        .collect();
    let (handle, mut model, mut outcome) =
        (weft_sack_tx_new(CONNECTIONS), black_box(model()), weft_sack_tx_outcome::default());
    // A program in C calls by address, so nothing is inlined.
    let step = black_box(weft_sack_tx_step as unsafe extern "C" fn(*mut _, *const _, *mut _) -> i32);
    let send = black_box(weft_sack_tx_send as unsafe extern "C" fn(*mut _, _, *mut _) -> i32);
    let (mut left, mut wanted) = (0, 0);
    compare(
        "SACK sender",
        steps.len(),
        || {
            given.iter().for_each(|it| match it {
                Step::Event(event) => assert_eq!(unsafe { step(handle, event, &mut outcome) }, WEFT_OK),
                Step::Send(now) => left += unsafe { send(handle, *now, &mut outcome) },
            })
        },
        || {
            steps.iter().for_each(|it| match it {
                Step::Event(event) => {
                    black_box(model.step(black_box(event)));
                }
                Step::Send(now) => wanted += i32::from(black_box(model.send(black_box(*now))).is_some()),
            })
        },
    );
    assert!(left == wanted && left > 0, "{left} packets left through C, {wanted} in Rust");
    unsafe { weft_sack_tx_free(handle) };
}
