//! `weft_ingress`: the time at which the block accepts the word that opens or closes a connection (rule 12),
//! judged by inputs and outputs.

use crate::desk::{ALL, Desk, NONE, Takes, ack, data, nack, peer, trimmed};
use weft_nic::block::ingress::Peer;
use weft_nic::words::Beat;

const CLOSED: Peer = Peer { open: false, v6: false, address: 0, vlan: 0, pkey: 0 };

/// Offers a word until it is accepted. Returns the number of clocks after the first one.
fn offer(desk: &mut Desk, word: (u32, Peer), takes: Takes) -> u64 {
    (0..).find(|_| desk.clock(None, Some(word), takes)).unwrap()
}

#[test]
fn a_word_that_opens_waits_for_nothing() {
    let mut desk = Desk::new();
    for connection in 0..4 {
        desk.send(&data(connection, 0, 100), NONE);
        desk.send(&ack(connection, 0), NONE);
        assert_eq!(offer(&mut desk, (8 + connection, peer(8 + connection)), NONE), 1);
    }
}

#[test]
fn an_idle_block_takes_a_word_that_closes_in_the_clock_after() {
    let mut desk = Desk::new();
    for connection in 0..4 {
        assert_eq!(offer(&mut desk, (connection, CLOSED), NONE), 1);
    }
}

/// Rule 7: the peer is looked up four clocks after a frame's last word was accepted.
#[test]
fn a_connection_is_closed_when_the_word_is_offered() {
    for frame in [data(3, 9, 100), data(3, 9, 0), trimmed(3, 9), ack(3, 9), nack(3, 9)] {
        for gap in 0..30 {
            let mut desk = Desk::new();
            desk.send(&frame, ALL);
            // The last word was accepted gap + 1 clocks earlier.
            desk.idle(gap, ALL);
            let clocks = offer(&mut desk, (3, CLOSED), ALL);
            let out = desk.arrivals.len() + desk.acknowledgements.len();
            let stats = desk.stats();
            if gap + 1 > 4 {
                assert_eq!((out, stats.unknown_connections), (1, 0), "{gap}");
            } else {
                assert_eq!(out, 0, "{gap}");
            }
            assert!(clocks < 25, "{clocks} clocks");
            desk.idle(40, ALL);
            assert_eq!(desk.arrivals.len() + desk.acknowledgements.len(), out, "{gap}: nothing comes behind");
            assert_eq!(desk.stats().unknown_connections, 1 - out as u32, "{gap}");
        }
    }
}

#[test]
fn a_close_waits_for_what_is_not_taken() {
    let stalls = [
        Takes { arrivals: false, ..ALL },
        Takes { payload: false, ..ALL },
        Takes { acknowledgements: false, ..ALL },
        NONE,
    ];
    for stall in stalls {
        let mut desk = Desk::new();
        desk.send(&data(5, 1, 200), stall);
        desk.send(&trimmed(5, 2), stall);
        desk.send(&nack(5, 3), stall);
        desk.idle(8, stall);
        for _ in 0..300 {
            assert!(!desk.clock(None, Some((5, CLOSED)), stall));
        }
        offer(&mut desk, (5, CLOSED), ALL);
        let psns: Vec<u32> = desk.arrivals.iter().map(|(psn, _)| *psn).collect();
        assert_eq!((psns, desk.payloads.len(), desk.acknowledgements.len()), (vec![1, 2], 1, 1));
        let last = desk.arrivals[1].1.max(desk.payloads[0]).max(desk.acknowledgements[0].1);
        assert_eq!(desk.clock, last + 2, "taken in the clock after the last of them");
    }
}

/// Clocks that each close of connection 0 waits, while words arrive without a pause and outputs are accepted
/// in one clock of `one_in`.
fn waits(words: &[Beat], one_in: [u64; 3]) -> Vec<u64> {
    let mut desk = Desk::new();
    let (mut since, mut waits) = (None, Vec::new());
    for clock in 0..200_000_u64 {
        let [arrivals, payload, acknowledgements] = one_in.map(|one_in| clock % one_in == 0);
        let takes = Takes { arrivals, payload, acknowledgements };
        // From clock 20,000 on the queues are full.
        since = since.or((clock >= 20_000 && clock % 100 == 0).then_some(clock));
        let word = since.map(|_| (0, CLOSED));
        if desk.clock(words.get(clock as usize % words.len()).copied(), word, takes) {
            waits.extend(since.take().map(|since| clock - since));
        }
    }
    waits
}

/// Rule 13: the queues stay full of words of other connections, and the close waits only for the words that
/// were ahead at its start.
#[test]
fn what_comes_later_is_not_waited_for() {
    let cases = [
        (trimmed(1, 7), [4, 1, 1], 66 * 4),
        (data(2, 7, 8_192), [1, 2, 1], 4 * 128 * 2),
        (nack(3, 7), [1, 1, 24], 514 * 24),
    ];
    for (frame, one_in, most) in cases {
        let waits = waits(&frame, one_in);
        assert!(waits.len() > 10, "{waits:?}");
        assert!(waits.iter().all(|clocks| (most / 2..most + 60).contains(clocks)), "{most}: {waits:?}");
    }
}
