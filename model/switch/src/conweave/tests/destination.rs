//! Worked examples of the destination's part.

use super::bench::{Bench, Data, OLD, REQUEST, REROUTED, TAIL, THEIRS};
use crate::conweave::destination::{CURRENT, EARLIER, NEW, class, gap};
use crate::conweave::opcode::{CLEAR, NOTIFY, RTT_REPLY};
use crate::conweave::*;
use crate::kit::{Phv, intrinsic::*};
use weft_wire::Dscp;

fn bench(options: Options) -> Bench {
    let mut bench = Bench::new(options, 5);
    (1..=20).for_each(|sport| bench.connect(sport));
    bench
}

/// The request to flow control: action, port, queue.
fn afc(phv: &Phv) -> (u64, u64, u64) {
    (phv[AFC], phv[AFC_PORT], phv[AFC_QUEUE])
}

/// Rule 8.
#[test]
fn distances_of_epochs() {
    // Rows: the current epoch; columns: the packet's.
    let expected = [
        [CURRENT, NEW, NEW, EARLIER],
        [EARLIER, CURRENT, NEW, NEW],
        [NEW, EARLIER, CURRENT, NEW],
        [NEW, NEW, EARLIER, CURRENT],
    ];
    for (current, row) in expected.into_iter().enumerate() {
        for (packet, expected) in row.into_iter().enumerate() {
            assert_eq!(class(packet as u64, current as u64), expected);
            // The program's: only requests of current and new epochs are answered; new ones become current.
            let mut bench = bench(Options::default());
            for epoch in 1..=current as u64 {
                bench.arrive(1, Data { epoch, ..OLD });
            }
            if current == 0 {
                (1..=4).for_each(|epoch| _ = bench.arrive(1, Data { epoch: epoch & 3, ..OLD }));
            }
            let asks = bench.arrive(1, Data { epoch: packet as u64, ..REQUEST });
            let answer = bench.answer(&asks);
            assert_eq!(answer, (expected != EARLIER).then_some(RTT_REPLY), "{packet} at {current}");
            assert_eq!(bench.count("stale_epoch"), u64::from(expected == EARLIER));
            let back = bench.arrive(1, Data { epoch: current as u64, ..REQUEST });
            let is_current = expected != NEW || (packet as u64 ^ current as u64) == 2;
            assert_eq!(bench.answer(&back).is_some(), is_current, "{packet} at {current}");
        }
    }
}

/// Rule 11: differences of 2^15 and more count as 0.
#[test]
fn time_stamps_wrap() {
    assert_eq!(gap(65_530, 10), 16);
    assert_eq!((gap(10, 10), gap(0x7000, 0x8001), gap(10, 65_530)), (0, 0x1001, 0));
    // The TAIL left 16 ticks after the last OLD packet, which arrived at 1000: the TAIL is due at 1016 + 16,
    // and late afterwards.
    let mut bench = bench(Options::default());
    bench.arrive(1, Data { tx: 65_530, ..OLD });
    bench.tick = 1005;
    let first = bench.arrive(1, Data { tx: 12, tail_tx: 10, ..REROUTED });
    let mut looping = bench.copy(&first).expect("a loop packet");
    for (tick, flushes) in [(1032, false), (1033, false), (1034, true)] {
        bench.tick = tick;
        bench.round(&mut looping);
        assert_eq!(looping[AFC] == 2, flushes, "{tick}: a round finds it late, the next one lets go");
    }
}

/// Fig. 9: (a) packets in order, (b) the first early packets wait, (c) the TAIL releases them and later
/// packets use Q0. Rules 9, 10, 12 and 13.
#[test]
fn fig_9_in_the_stages() {
    let mut bench = bench(Options::default());
    let in_order = bench.arrive(1, REQUEST);
    assert_eq!((in_order[PORT_OUT], in_order[QUEUE], in_order[AFC]), (0, 0, 0));
    assert_eq!(bench.answer(&in_order), Some(RTT_REPLY));
    assert_eq!((in_order[MIRROR_QUEUE], in_order[MIRROR_BYTES]), (32, 12), "first of all, and truncated");
    assert_eq!(bench.leave(&in_order)[CW_VALID], 0, "the host gets its packet as it was sent");

    let first = bench.arrive(1, REROUTED);
    let queue = first[QUEUE];
    assert!((1..=31).contains(&queue));
    assert_eq!((afc(&first), bench.answer(&first)), ((1, 0, queue), Some(0)));
    assert_eq!((first[MIRROR_PORT], first[MIRROR_BYTES]), (8, 12), "the loop packet goes round");
    let second = bench.arrive(1, REROUTED);
    assert_eq!((second[QUEUE], second[AFC], second[MIRROR]), (queue, 0, 0));
    assert_eq!(bench.arrive(1, OLD)[QUEUE], 0);

    let tail = bench.arrive(1, TAIL);
    assert_eq!((tail[QUEUE], afc(&tail)), (0, (3, 0, queue)), "as the TAIL leaves, not before");
    let clear = bench.copy(&tail).expect("a CLEAR");
    assert_eq!((clear[CW_OPCODE], clear[CW_EPOCH], clear[CW_PATH], clear[CW_VALID]), (CLEAR, 1, 2, 1));
    assert_eq!((clear[SRC], clear[DST], clear[SPORT]), (1, THEIRS.1, 1));
    let after = bench.arrive(1, REROUTED);
    assert_eq!((after[QUEUE], after[AFC], after[MIRROR]), (0, 0, 0));

    // The loop packet sees it, becomes the queue's last, and frees it when it has left.
    let mut looping = bench.copy(&first).expect("a loop packet");
    bench.round(&mut looping);
    assert_eq!((looping[PORT_OUT], looping[QUEUE], looping[AFC]), (0, queue, 0));
    let marker = bench.leave(&looping);
    assert_eq!((marker[DROP], marker[MIRROR], marker[MIRROR_PORT]), (1, 1, 8), "no host sees it");
    let mut back = bench.copy(&marker).expect("it goes round once more");
    bench.round(&mut back);
    assert_eq!((back[DROP], back[MIRROR], bench.count("queue_freed")), (1, 0, 1));
}

/// Rule 10, as in the P4 code: REROUTED packets still wait until the loop packet has seen the TAIL; the CLEAR
/// leaves when the queue has drained.
#[test]
fn the_p4_code_lets_the_loop_packet_do_it() {
    let mut bench = bench(Options::preset(Preset::P4));
    bench.arrive(1, OLD);
    let first = bench.arrive(1, REROUTED);
    let mut looping = bench.copy(&first).expect("a loop packet");
    let tail = bench.arrive(1, TAIL);
    assert_eq!((afc(&tail), tail[MIRROR]), ((3, 0, first[QUEUE]), 0));
    assert_eq!(bench.arrive(1, REROUTED)[QUEUE], first[QUEUE]);
    bench.round(&mut looping);
    assert_eq!(bench.arrive(1, REROUTED)[QUEUE], 0);
    let marker = bench.leave(&looping);
    let mut back = bench.copy(&marker).expect("it goes round once more");
    bench.round(&mut back);
    assert_eq!(bench.answer(&back), Some(CLEAR));
}

/// Rule 12: the TAIL is lost, the timer releases the queue, and later packets are in order. Then the TAIL
/// arrives late.
#[test]
fn the_tail_is_lost_or_late() {
    for (preset, at_flush, at_drain) in
        [(Preset::Paper, Some(CLEAR), None), (Preset::Ns3, None, None), (Preset::P4, None, Some(CLEAR))]
    {
        let mut options = Options::preset(preset);
        (options.theta.resume_default, options.theta.resume_extra) = (200, 16);
        let mut bench = bench(options);
        let first = bench.arrive(1, REROUTED);
        let mut looping = bench.copy(&first).expect("a loop packet");
        let default = 200 + if preset == Preset::Ns3 { 16 } else { 0 };
        bench.tick += default;
        bench.round(&mut looping);
        bench.round(&mut looping);
        assert_eq!((looping[AFC], looping[PORT_OUT]), (0, 8), "{preset:?}: no OLD packet was seen: not yet");
        bench.tick += 1;
        bench.round(&mut looping);
        bench.round(&mut looping);
        assert_eq!(afc(&looping), (2, 0, first[QUEUE]), "{preset:?}");
        assert_eq!((looping[PORT_OUT], looping[QUEUE]), (0, first[QUEUE]), "behind all that waited");
        assert_eq!((bench.answer(&looping), bench.count("timer_flush")), (at_flush, 1), "{preset:?}");
        let marker = bench.leave(&looping);
        let mut back = bench.copy(&marker).expect("it goes round once more");
        bench.round(&mut back);
        assert_eq!((bench.answer(&back), back[DROP]), (at_drain, 1), "{preset:?}");
        let after = bench.arrive(1, REROUTED);
        assert_eq!((after[QUEUE], after[MIRROR]), (0, 0));
        bench.arrive(1, OLD);
        let late = bench.arrive(1, TAIL);
        assert_eq!((late[QUEUE], late[AFC], bench.answer(&late)), (0, 0, Some(CLEAR)));
        assert_eq!((bench.count("old_late"), bench.count("tail_late")), (1, 1));
    }
}

/// Rule 11: T_resume follows the OLD path until it expires (Fig. 20).
#[test]
fn old_packets_move_the_timer() {
    let mut bench = bench(Options::default());
    bench.arrive(1, Data { tx: 100, ..OLD });
    bench.tick += 10;
    let first = bench.arrive(1, Data { tail_tx: 150, ..REROUTED });
    let mut looping = bench.copy(&first).expect("a loop packet");
    // 1000 + 50 + 16 so far; a packet that left at 120 and comes at 1040 moves it to 1040 + 30 + 16.
    bench.tick = 1040;
    bench.arrive(1, Data { tx: 120, ..OLD });
    bench.tick = 1086;
    bench.round(&mut looping);
    bench.tick = 1087;
    bench.round(&mut looping);
    // The timer has expired and stays expired.
    bench.arrive(1, Data { tx: 149, ..OLD });
    bench.round(&mut looping);
    assert_eq!((looping[AFC], bench.count("loop"), bench.count("timer_flush")), (2, 2, 1));
}

/// Rule 9: if all queues of a connection are in use, the connection stops reordering: its REROUTED packets
/// keep the order of their arrival, and a counter counts this.
#[test]
fn all_reorder_queues_are_taken() {
    let mut bench = bench(Options { reorder_queues: 4, ..Options::default() });
    let mut taken = std::collections::BTreeSet::new();
    for sport in 1..=4 {
        let first = bench.arrive(sport, REROUTED);
        assert!(taken.insert(first[QUEUE]), "a queue of its own");
    }
    assert_eq!(taken.into_iter().collect::<Vec<_>>(), [1, 2, 3, 4]);
    let fifth = bench.arrive(5, Data { marked: true, ..REROUTED });
    assert_eq!((fifth[QUEUE], fifth[AFC], fifth[PASS]), (0, 0, 1));
    assert_eq!(bench.answer(&fifth), Some(NOTIFY), "once, by its second pass");
    assert_eq!((bench.count("no_reorder_queue"), bench.count("gave_up")), (1, 1));
    assert_eq!((bench.arrive(5, REROUTED)[QUEUE], bench.count("rerouted_in_order")), (0, 1));
    let tail = bench.arrive(5, TAIL);
    assert_eq!((tail[AFC], bench.answer(&tail), bench.count("tail_in_order")), (0, Some(CLEAR), 1));
}

/// The switch has no reorder queue.
#[test]
fn no_reorder_queue_exists() {
    let mut bench = bench(Options { reorder_queues: 0, ..Options::default() });
    let first = bench.arrive(1, REROUTED);
    assert_eq!((first[QUEUE], first[DROP], bench.count("no_reorder_queue")), (0, 0, 1));
}

/// Rule 14: the signal of a marked packet, by option.
#[test]
fn marked_packets() {
    // A marked request, first REROUTED, TAIL and OLD packet: its copy at once; all but the last as they leave, too, or
    // not; the bit in the reply.
    let answers = [Some(RTT_REPLY), Some(0), Some(CLEAR), Some(NOTIFY)];
    let cases = [(Notify::Separate, true, 0), (Notify::Merged, false, 0), (Notify::Piggyback, false, 1)];
    for (notify, both, bit) in cases {
        let mut bench = bench(Options { notify, ..Options::default() });
        let packets = [REQUEST, REROUTED, TAIL, OLD];
        for (data, answer) in packets.into_iter().zip(answers) {
            let late = both && answer != Some(NOTIFY);
            let packet = bench.arrive(1, Data { marked: true, ..data });
            assert_eq!(bench.answer(&packet), answer, "{notify:?} {data:?}");
            if answer == Some(RTT_REPLY) {
                let copy = bench.copy(&packet).expect("a reply");
                assert_eq!((copy[CW_TAIL], copy[ECN]), (bit, 0), "{notify:?}");
            }
            let left = bench.leave(&packet);
            assert_eq!(left[MIRROR] == 1, late, "{notify:?} {data:?}");
            if late {
                assert_eq!(bench.answer(&left), Some(NOTIFY));
                let copy = bench.copy(&left).expect("a NOTIFY");
                assert_eq!((copy[CW_VALID], copy[CW_PATH]), (1, 2), "it has a header, the packet none");
            }
            assert_eq!((left[CW_VALID], left[ECN]), (0, 3));
        }
        let stale = bench.arrive(1, Data { epoch: 0, marked: true, ..REQUEST });
        assert_eq!((stale[MIRROR], bench.count("stale_epoch")), (0, 1));
    }
}

/// Rule 12: the next epoch begins while packets of this epoch wait: the loop packet releases them at once.
#[test]
fn a_new_epoch_while_packets_wait() {
    let mut bench = bench(Options::default());
    bench.arrive(1, OLD);
    let first = bench.arrive(1, REROUTED);
    let mut looping = bench.copy(&first).expect("a loop packet");
    bench.round(&mut looping);
    let new = bench.arrive(1, Data { epoch: 2, ..REQUEST });
    assert_eq!((new[QUEUE], bench.answer(&new)), (0, Some(RTT_REPLY)));
    let early = bench.arrive(1, Data { epoch: 2, ..REROUTED });
    assert_ne!(early[QUEUE], first[QUEUE], "an epoch has a queue of its own");
    bench.round(&mut looping);
    assert_eq!((afc(&looping), bench.count("epoch_flush")), ((2, 0, first[QUEUE]), 1));
    // The new epoch's packets wait on.
    let tail = bench.arrive(1, Data { epoch: 2, ..TAIL });
    assert_eq!(afc(&tail), (3, 0, early[QUEUE]));
}

/// A packet with a header whose connection is missing from the table continues without a header. Control
/// packets end.
#[test]
fn what_the_destination_does_not_know() {
    let mut bench = bench(Options::default());
    let packet = bench.arrive(99, REROUTED);
    assert_eq!((packet[QUEUE], packet[MIRROR], bench.leave(&packet)[CW_VALID]), (0, 0, 0));
    assert_eq!(bench.count("destination_not_in_table"), 1);
    let clear = bench.control(99, CLEAR, 1, 1);
    assert_eq!((clear[DROP], bench.count("control_not_in_table")), (1, 1));
}

/// Rule 15: a trimmed packet has overtaken others, so the epoch in its header is not used.
#[test]
fn a_trimmed_packet_is_a_lost_one() {
    let mut bench = bench(Options::default());
    let control = u64::from(bench.options.control_queue());
    let Dscp { trimmed, trimmed_lasthop, .. } = Dscp::DEFAULT;
    bench.arrive(1, OLD);
    for code in [trimmed, trimmed_lasthop] {
        for data in [REQUEST, TAIL, REROUTED, Data { epoch: 2, ..REQUEST }, Data { marked: true, ..OLD }] {
            let packet = bench.arrive_as(1, data, code);
            assert_eq!((packet[PORT_OUT], packet[QUEUE], packet[MIRROR]), (0, control, 0));
            assert_eq!((afc(&packet).0, packet[RESUBMIT], packet[DROP]), (0, 0, 0));
            assert_eq!(bench.leave(&packet)[CW_VALID], 0, "the host sees no header");
        }
    }
    assert_eq!(bench.count("plain_down"), 10);
    // The epoch is unchanged: a REROUTED packet is early.
    assert_ne!(bench.arrive(1, REROUTED)[QUEUE], 0);
    assert_eq!((bench.count("old_in_order"), bench.count("first_waits")), (1, 1));
}
