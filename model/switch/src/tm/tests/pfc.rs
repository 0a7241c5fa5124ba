//! PFC, rule by rule.

use super::*;

#[test]
fn a_peers_pause_stops_its_class_until_the_quanta_have_passed() {
    let mut tm = build(one_port());
    let pause = |quanta| {
        let mut pause = Pause { classes: 1 << 3, ..Pause::default() };
        pause.quanta[3] = quanta;
        pause
    };
    for (number, queue) in [(0, 0), (1, 0), (2, 3)] {
        tm.enqueue(0, 0, queue, Thing::new(number, 60), None);
    }
    // A quantum is 64 bytes, 5.12 clocks; control has no class.
    tm.peer_pause(100, 0, &pause(100));
    assert_eq!(tm.next(100), Some(100));
    assert_eq!(tm.dequeue(100).unwrap().item.number, 2);
    assert_eq!((tm.next(101), tm.dequeue(611)), (Some(612), None));
    // Another frame starts the time again; a frame of 0 quanta ends the pause; a frame of another class
    // changes nothing.
    tm.peer_pause(612, 0, &pause(1));
    assert_eq!(tm.next(612), Some(618));
    tm.peer_pause(613, 0, &Pause { classes: 1 << 4, quanta: [0; 8] });
    assert_eq!(tm.next(613), Some(618));
    tm.peer_pause(614, 0, &pause(0));
    assert_eq!(drain(&mut tm, 614), [(614, 0, 0), (620, 0, 1)]);
}

#[test]
fn a_port_is_stopped_at_its_threshold_and_let_go_below_it() {
    let mut tm = build(lossless());
    let came = |tm: &mut TrafficManager<Thing>, bytes| tm.enqueue(0, 2, 0, Thing::new(0, bytes), None);
    // 4000 of 8000: the held bytes equal the free bytes.
    came(&mut tm, 1000);
    came(&mut tm, 2999);
    assert!(!tm.is_stopped(0, 3) && tm.take_pause(0).is_none());
    came(&mut tm, 1);
    assert!(tm.is_stopped(0, 3) && !tm.is_stopped(1, 3));
    assert_eq!(tm.next(7), Some(7));
    let mut pause = Pause { classes: 1 << 3, ..Pause::default() };
    pause.quanta[3] = 1000;
    assert_eq!((tm.take_pause(7), tm.take_pause(7)), (Some((0, pause)), None));
    // 3000 are left, 5000 free: 1000 below the threshold.
    tm.dequeue(7);
    assert!(!tm.is_stopped(0, 3));
    pause.quanta[3] = 0;
    // The wire is still busy with the first frame, until 13.72.
    assert_eq!((tm.next(8), tm.take_pause(12)), (Some(13), None));
    assert_eq!(tm.take_pause(13), Some((0, pause)));
    assert_eq!((tm.counters().stops, tm.counters().pauses_sent), (1, 2));
}

#[test]
fn headroom_is_used_to_the_byte_and_empty_before_the_peer_goes_on() {
    let mut tm = build(lossless());
    let came = |tm: &mut TrafficManager<Thing>, bytes| tm.enqueue(0, 2, 0, Thing::new(0, bytes), None);
    came(&mut tm, 4000);
    // The bytes are exactly at the threshold; further bytes go to headroom, which is 5000.
    assert_eq!((came(&mut tm, 5000), tm.shared_bytes().0), (Verdict::Queued, 4000));
    assert_eq!(came(&mut tm, 1), Verdict::Dropped(Cause::Headroom));
    // The other port has its own bytes, and its share of the free bytes: its headroom is unused.
    assert_eq!(tm.enqueue(0, 2, 0, Thing { came_by: 1, ..Thing::new(0, 2000) }, None), Verdict::Queued);
    assert_eq!(tm.shared_bytes().0, 6000);
    // 4000 bytes leave, all from headroom. 1000 bytes of headroom are left, so the peer stays stopped.
    while tm.take_pause(0).is_some() {}
    tm.dequeue(0);
    assert!(tm.is_stopped(0, 3));
    assert_eq!(tm.shared_bytes().0, 6000);
    assert_eq!(
        (came(&mut tm, 4001), came(&mut tm, 4000)),
        (Verdict::Dropped(Cause::Headroom), Verdict::Queued)
    );
}

#[test]
fn a_port_without_headroom_asks_for_no_pause() {
    let mut settings = lossless();
    settings.ports[1].headroom_bytes = 0;
    let mut tm = build(settings);
    let came = |bytes| Thing { came_by: 1, trims_to: 0, ..Thing::new(0, bytes) };
    // The port's headroom is shared now: 13000.
    assert_eq!(tm.enqueue(0, 2, 0, came(6500), None), Verdict::Queued);
    assert_eq!(tm.enqueue(0, 2, 0, came(1), None), Verdict::Dropped(Cause::Threshold));
    assert_eq!((tm.take_pause(0), tm.counters().stops), (None, 0));
}

#[test]
fn a_pause_is_refreshed_before_its_quanta_run_out() {
    let mut settings = lossless();
    settings.pfc = settings.pfc.map(|pfc| Pfc { quanta: MIN_QUANTA, ..pfc });
    settings.ports[0].queues[1].reserve_bytes = 16_384;
    settings.buffer_bytes += 16_384;
    let mut tm = build(settings);
    tm.pause(2, 0);
    tm.enqueue(0, 2, 0, Thing::new(0, 4000), None);
    // 516 quanta are 2642 clocks.
    let (mut clocks, mut clock) = (Vec::new(), 0);
    while clocks.len() < 4 {
        clock = tm.next(clock).unwrap();
        assert_eq!(tm.take_pause(clock).map(|(port, pause)| (port, pause.quanta[3])), Some((0, MIN_QUANTA)));
        clocks.push(clock);
    }
    assert_eq!(clocks, [0, 1321, 2642, 3963]);
    // The longest frame of our own begins just before the PFC frame; the PFC frame, 6.72 clocks long, still
    // arrives in time.
    let last = clock + 1320;
    assert_eq!(tm.enqueue(last, 0, 1, Thing::new(1, 16_384), None), Verdict::Queued);
    assert!(tm.dequeue(last).is_some());
    let next = tm.next(last + 1).unwrap();
    assert_eq!(next, last + 16_408 * 2 / 25);
    assert!(next + 7 <= clock + 2642);
}
