use super::*;
use crate::workload::plan::{Fires, Pairing};

const MTU: u32 = 256;

/// Two messages from host 0 to host 1: 600 bytes without immediate, 100 bytes with; and one message back that
/// waits for the second.
fn ledger() -> (Ledger, [Memory; 2]) {
    let message = |side, local, remote, length, immediate| Message {
        side,
        local,
        remote,
        length,
        immediate,
        ..Message::default()
    };
    let mut messages = vec![
        message(0, 0x1000, 0x2000, 600, None),
        message(0, 0x1300, 0x2300, 100, Some(7)),
        message(1, 0x2400, 0x1400, 10, Some(8)),
    ];
    messages[1].fires.received = Some(0);
    messages[2].after = Some(After { trigger: 0, times: 1 });
    let mut memories = [Memory::new(0x1000, 0x800), Memory::new(0x2000, 0x800)];
    assert!(memories[0].write(0x1000, &[1; 600]) && memories[0].write(0x1300, &[2; 100]));
    let plan = Plan { pairings: vec![Pairing { hosts: [0, 1] }], messages, triggers: 1, ..Plan::default() };
    let mut ledger = Ledger::new(plan, MTU, &[[5, 9]]);
    ledger.begin(5);
    (ledger, memories)
}

/// Posts both messages of host 0.
fn posted() -> (Ledger, [Memory; 2]) {
    let (mut ledger, memories) = ledger();
    for message in 0..2 {
        assert_eq!(ledger.next(10, 0, 5), Some(message));
        ledger.post(10, message, 0xAB, &memories[0]);
    }
    assert_eq!((ledger.next(10, 0, 5), ledger.next(10, 1, 9)), (None, None));
    (ledger, memories)
}

/// Writes all packets of both messages.
fn written() -> (Ledger, [Memory; 2]) {
    let (mut ledger, mut memories) = posted();
    for (address, bytes) in [(0x2100, 256), (0x2300, 100), (0x2200, 88), (0x2000, 256)] {
        assert_eq!(ledger.write(20, 1, 9, address, bytes), Ok(()));
        let value = if address == 0x2300 { 2 } else { 1 };
        assert!(memories[1].write(address, &vec![value; bytes.into()]));
    }
    (ledger, memories)
}

#[test]
fn a_good_run_ends() {
    let (mut ledger, [mut a, mut b]) = written();
    assert_eq!(ledger.fetch(0, 5, 0x1100, 88 + 256), Ok(false));
    let done = |id| Sent { id, status: Status::Done };
    assert_eq!(ledger.sent(30, 0, 5, done(0)), Ok(()));
    assert_eq!(ledger.left(), 2);
    assert_eq!(ledger.sent(31, 0, 5, done(1)), Ok(()));
    assert_eq!(ledger.received(32, 1, 9, Received { immediate: 7, message: 1 }, &mut b), Ok(()));
    assert_eq!(ledger.next(32, 1, 9), None);
    ledger.tell_triggers();
    assert_eq!(ledger.next(32, 1, 9), Some(2));
    let work = ledger.post(40, 2, 0xCD, &b);
    assert_eq!((work.key, work.length, work.immediate, work.with_immediate), (0xCD, 10, 8, true));
    assert_eq!(ledger.write(50, 0, 5, 0x1400, 10), Ok(()));
    assert_eq!(ledger.received(51, 0, 5, Received { immediate: 8, message: 0 }, &mut a), Ok(()));
    assert_eq!(ledger.left(), 1);
    assert_eq!(ledger.sent(60, 1, 9, done(2)), Ok(()));
    assert_eq!((ledger.left(), ledger.idle_clocks(70), ledger.delivered), (0, 10, 710));
    assert_eq!(ledger.finish(|host| [&a, &b][host as usize]), Ok(()));
    assert_eq!(ledger.times()[1], Times { due: Some(5), posted: Some(10), ended: Some(32) });
}

#[test]
fn fetches_are_of_work_under_way() {
    let (mut ledger, _) = written();
    for (address, bytes) in [(0x1000, 0), (0x0FFF, 10), (0x1258, 1), (0x1200, 89), (0x1400, 1)] {
        let breach = Breach::Fetch { connection: 5, address, bytes };
        assert_eq!(ledger.fetch(0, 5, address, bytes), Err(breach));
    }
    let breach = Breach::Connection { port: "m_axis_fetch", connection: 9 };
    assert_eq!(ledger.fetch(0, 9, 0x1000, 1), Err(breach));
    assert_eq!(ledger.sent(1, 0, 5, Sent { id: 0, status: Status::Done }), Ok(()));
    assert_eq!((ledger.fetch(0, 5, 0x1300, 1), ledger.late_fetches), (Ok(false), 0));
    assert_eq!((ledger.fetch(0, 5, 0x1000, 1), ledger.late_fetches), (Ok(true), 1));
}

#[test]
fn writes_are_packets_and_come_once() {
    let (mut ledger, _) = posted();
    for (address, bytes) in
        [(0x2001, 256), (0x2000, 255), (0x2200, 256), (0x2258, 1), (0x1FFF, 256), (0x1000, 256)]
    {
        let breach = Breach::Misplaced { connection: 9, address, bytes };
        assert_eq!(ledger.write(1, 1, 9, address, bytes), Err(breach), "{address:#x}");
    }
    assert_eq!(ledger.write(1, 1, 9, 0x2100, 256), Ok(()));
    let breach = Breach::WrittenTwice { message: 0, offset: 256 };
    assert_eq!(ledger.write(1, 1, 9, 0x2100, 256), Err(breach));
}

#[test]
fn completions_come_in_order_and_not_early() {
    let (mut ledger, mut memories) = posted();
    let sent = |ledger: &mut Ledger, id, status| ledger.sent(1, 0, 5, Sent { id, status });
    let due = Some(0);
    for (id, status) in [(1, Status::Done), (0, Status::Error), (0, Status::Refused)] {
        assert_eq!(sent(&mut ledger, id, status), Err(Breach::Sent { connection: 5, id, status, due }));
    }
    let received = |ledger: &mut Ledger, immediate, message, memory: &mut Memory| {
        ledger.received(1, 1, 9, Received { immediate, message }, memory)
    };
    let due = Some((1, 7));
    for (immediate, number) in [(8, 1), (7, 0), (7, 2)] {
        let breach = Breach::Received { connection: 9, number, immediate, due };
        assert_eq!(received(&mut ledger, immediate, number, &mut memories[1]), Err(breach));
    }
    let breach = Breach::Incomplete { message: 0, offset: 0 };
    assert_eq!(received(&mut ledger, 7, 1, &mut memories[1]), Err(breach));

    let (mut ledger, mut memories) = written();
    assert!(memories[1].write(0x2123, &[9]));
    let breach = Breach::WrongData { message: 0, offset: 0x123 };
    assert_eq!(received(&mut ledger.clone(), 7, 1, &mut memories[1]), Err(breach));
    assert!(memories[1].write(0x2123, &[1]));
    assert_eq!(received(&mut ledger, 7, 1, &mut memories[1]), Ok(()));
    let breach = Breach::Received { connection: 9, number: 1, immediate: 7, due: None };
    assert_eq!(received(&mut ledger, 7, 1, &mut memories[1]), Err(breach));
}

/// Four messages of one host over one connection: one at once, one at 100 clocks, and two that wait for a
/// trigger. All completions fire the trigger: one message waits for its second time, the other for its first
/// time with a delay of 7.
#[test]
fn messages_wait_for_their_time_and_for_triggers() {
    let after = |times| Some(After { trigger: 0, times });
    let waits = [(after(2), 0), (None, 100), (after(1), 7), (None, 0)];
    let message = |((after, delay), at): ((Option<After>, u64), u64)| Message {
        local: 0x1000 + 0x10 * at,
        remote: 0x2000 + 0x10 * at,
        length: 8,
        after,
        delay,
        fires: Fires { sent: Some(0), received: None },
        ..Message::default()
    };
    let messages = waits.into_iter().zip(0..).map(message).collect();
    let plan = Plan { pairings: vec![Pairing { hosts: [0, 1] }], messages, triggers: 1, ..Plan::default() };
    let mut ledger = Ledger::new(plan, MTU, &[[5, 9]]);
    let memory = Memory::new(0x1000, 0x100);
    assert_eq!(ledger.next(0, 0, 5), None);
    ledger.begin(1_000);
    let end = |ledger: &mut Ledger, clock, message: u32| {
        ledger.post(clock, message, 0, &memory);
        assert_eq!(ledger.write(clock, 1, 9, 0x2000 + 0x10 * u64::from(message), 8), Ok(()));
        assert_eq!(ledger.sent(clock, 0, 5, Sent { id: message, status: Status::Done }), Ok(()));
        ledger.tell_triggers();
    };
    assert_eq!(ledger.next(1_000, 0, 5), Some(3));
    end(&mut ledger, 1_010, 3);
    // The trigger has fired once; no message is under way until 1,017, and none is late.
    assert_eq!((ledger.next(1_016, 0, 5), ledger.next(1_017, 0, 5)), (None, Some(2)));
    assert_eq!((ledger.idle_clocks(1_016), ledger.idle_clocks(1_100), ledger.idle_clocks(1_101)), (0, 0, 91));
    // Both messages could start; the one that became due first does.
    assert_eq!(ledger.next(1_200, 0, 5), Some(2));
    end(&mut ledger, 1_200, 2);
    assert_eq!(ledger.next(1_200, 0, 5), Some(1));
    end(&mut ledger, 1_201, 1);
    assert_eq!(ledger.next(1_201, 0, 5), Some(0));
    end(&mut ledger, 1_202, 0);
    assert_eq!((ledger.next(1_300, 0, 5), ledger.left(), ledger.idle_clocks(1_300)), (None, 0, 98));
    let due: Vec<_> = ledger.times().iter().map(|times| times.due).collect();
    assert_eq!(due, [Some(1_200), Some(1_100), Some(1_017), Some(1_000)]);
}
