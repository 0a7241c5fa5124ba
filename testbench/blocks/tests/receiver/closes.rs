//! Rule 16 of `docs/blocks/receiver.md`: the receiver accepts a close when it contains no earlier words of
//! the connection.

use super::rules::{Bench, CLOSE, REGION, TICK, data, gathers, message};
use weft_nic::block::receiver::{Control, Inputs};
use weft_nic::words::{Arrival, Beat};
use weft_params::ReceiverCsr;

/// Maximum number of clocks until a close is accepted, if nothing delays the close.
const SHORT: u64 = 60;

impl Bench {
    /// Offers a close until it is accepted, while `ready` sets which outputs are accepted. Returns the number
    /// of clocks.
    fn closes(&mut self, id: u32, ready: Inputs, most: u64) -> Option<u64> {
        self.closes_with(&mut 0, id, ready, most)
    }

    /// Does the same as [`Self::closes`], while `words` words of payload still arrive.
    fn closes_with(&mut self, words: &mut u32, id: u32, ready: Inputs, most: u64) -> Option<u64> {
        (1..=most).find(|_| {
            let payload = (*words > 0).then(|| Beat::frame(&[7; 64])[0]);
            let outputs = self.clock(Inputs { control: Some((id, CLOSE)), payload, ..ready });
            *words -= u32::from(payload.is_some() && outputs.payload_ready);
            outputs.control_ready
        })
    }

    /// Gives the block a packet whose payload has not arrived yet.
    fn arrives(&mut self, id: u32, arrival: Arrival) {
        while !self.clock(Inputs { arrival: Some((id, arrival)), ..self.ready }).arrival_ready {}
    }
}

/// A close of a connection without earlier words ends soon, after one handshake; so does a close of a closed
/// connection.
#[test]
fn a_close_with_nothing_before_it() {
    let mut bench = Bench::open(ReceiverCsr::default());
    for _ in 0..2 {
        let ready = bench.ready;
        assert!(bench.closes(1, ready, SHORT).is_some());
        for _ in 0..200 {
            assert!(!bench.clock(bench.ready).control_ready, "a second handshake");
        }
    }
    assert_eq!(bench.model.outputs().stats.not_open_events, 1);
    // An open does not wait.
    let ready = Inputs { reply_ready: false, write_ready: false, received_ready: false, ..bench.ready };
    let open = |bench: &mut Bench| bench.clock(Inputs { control: Some((1, REGION)), ..ready }).control_ready;
    assert!((0..4).any(|_| open(&mut bench)));
}

/// A close waits for each output, and is accepted soon after.
#[test]
fn a_close_waits_for_each_output() {
    let stalls: [fn(&mut Inputs); 3] =
        [|it| it.reply_ready = false, |it| it.write_ready = false, |it| it.received_ready = false];
    for (which, stall) in stalls.into_iter().enumerate() {
        for packets in [1, 2, 5, 12] {
            let mut bench = Bench::open(ReceiverCsr::default());
            let open = bench.ready;
            stall(&mut bench.ready);
            for psn in 0..packets {
                bench.arrives(1, message(psn, 64, psn as u16));
            }
            let stalled = bench.ready;
            // Without the payload the close is not accepted either.
            assert_eq!(bench.closes(1, stalled, 300), None, "{packets} packets without payload");
            let mut words = packets;
            let early = bench.closes_with(&mut words, 1, stalled, 3_000);
            assert_eq!(early, None, "output {which}, {packets} packets");
            let count = |bench: &Bench| [bench.replies.len(), bench.writes.len(), bench.received.len()];
            assert_eq!(count(&bench)[which], 0);
            let taken = bench.closes_with(&mut words, 1, open, SHORT);
            assert!(taken.is_some(), "output {which}, {packets} packets");
            assert_eq!(count(&bench), [packets as usize; 3], "output {which}");
            bench.ready = open;
            bench.idle(500);
            assert_eq!(count(&bench), [packets as usize; 3], "nothing comes after");
        }
    }
}

/// A close ends even if the queues are full of other connections' replies, payload and completions.
#[test]
fn a_close_ends_under_traffic_of_others() {
    for slow in 0..3 {
        let mut bench = Bench::open(ReceiverCsr::default());
        let (mut psn, mut owed) = (0, 0);
        let mut taken = None;
        for clock in 0..20_000u64 {
            let beat = Beat::frame(&[1; 64])[0];
            let slowly = clock % 8 == 0;
            let inputs = Inputs {
                arrival: Some((2, message(psn & 0xFF_FFFF, 64, psn as u16))),
                payload: (owed > 0).then_some(beat),
                control: (clock >= 2_000 && taken.is_none()).then_some((1, CLOSE)),
                reply_ready: slow != 0 || slowly,
                write_ready: slow != 1 || slowly,
                received_ready: slow != 2 || slowly,
                ..bench.ready
            };
            let outputs = bench.clock(inputs);
            psn += u32::from(outputs.arrival_ready);
            owed += u64::from(outputs.arrival_ready);
            owed -= u64::from(inputs.payload.is_some() && outputs.payload_ready);
            if inputs.control.is_some() && outputs.control_ready {
                taken = Some(clock - 2_000);
            }
        }
        assert!(taken.is_some_and(|clocks| clocks < 1_500), "{taken:?}, output {slow}");
        assert!(psn > 2_000, "{psn}");
    }
}

/// Rule 15: a close while a packet waits for its ACK, at any time around the timer's. No ACK follows the
/// close.
#[test]
fn the_timer_asks_for_nothing_behind_a_close() {
    const TIMEOUT: u16 = 20;
    let mut flushed = 0;
    for wait in 0..400 {
        let mut bench = Bench::open(gathers(255, TIMEOUT));
        bench.packet(1, data(0, 64));
        bench.idle(u64::from(TIMEOUT) * TICK / 2 + wait);
        let ready = bench.ready;
        assert!(bench.closes(1, ready, SHORT).is_some());
        let replies = bench.replies.len();
        flushed += replies;
        bench.control(1, REGION);
        bench.idle(2 * u64::from(TIMEOUT) * TICK + 300);
        assert_eq!(bench.replies.len(), replies, "after {wait} clocks");
    }
    assert!((1..400).contains(&flushed), "{flushed} of 400");
}

/// Replies before the close belong to the old opening, replies after the next open to the new one.
#[test]
fn nothing_of_an_opening_is_seen_in_the_next() {
    let mut bench = Bench::open(ReceiverCsr::default());
    for round in 0..20 {
        let start = 1_000 * round;
        for psn in 0..4 {
            bench.packet(3, Arrival { psn: start + psn, ..message(psn, 64, psn as u16) });
        }
        let before = bench.replies.len();
        bench.control(3, CLOSE);
        assert_eq!(bench.replies.len(), 4 * (round as usize + 1), "{before}");
        bench.control(3, Control { psn: start + 1_000, ..REGION });
    }
}
