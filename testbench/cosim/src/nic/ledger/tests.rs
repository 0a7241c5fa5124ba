use super::*;
use crate::nic::plan::Pairing;

const MTU: u32 = 256;

/// Two messages from host 0 to host 1: 600 bytes without immediate, 100 with; and one back that waits for the second.
fn ledger() -> (Ledger, [Memory; 2]) {
    let message = |side, local, remote, length, immediate, after| Message {
        pairing: 0,
        side,
        local,
        remote,
        length,
        immediate,
        after,
        sum: None,
    };
    let messages = vec![
        message(0, 0x1000, 0x2000, 600, None, None),
        message(0, 0x1300, 0x2300, 100, Some(7), None),
        message(1, 0x2400, 0x1400, 10, Some(8), Some(1)),
    ];
    let mut memories = [Memory::new(0x1000, 0x800), Memory::new(0x2000, 0x800)];
    assert!(memories[0].write(0x1000, &[1; 600]) && memories[0].write(0x1300, &[2; 100]));
    let plan =
        Plan { memories: vec![], pairings: vec![Pairing { hosts: [0, 1] }], messages, results: vec![] };
    (Ledger::new(plan, MTU, &[[5, 9]]), memories)
}

/// Posts both messages of host 0.
fn posted() -> (Ledger, [Memory; 2]) {
    let (mut ledger, memories) = ledger();
    for message in 0..2 {
        assert_eq!(ledger.next(0, 5), Some(message));
        ledger.post(10, message, 0xAB, &memories[0]);
    }
    assert_eq!((ledger.next(0, 5), ledger.next(1, 9)), (None, None));
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
    assert_eq!(ledger.fetch(0, 5, 0x1100, 88 + 256), Ok(()));
    let done = |id| Sent { id, status: Status::Done };
    assert_eq!(ledger.sent(30, 0, 5, done(0)), Ok(()));
    assert_eq!(ledger.left(), 2);
    assert_eq!(ledger.sent(31, 0, 5, done(1)), Ok(()));
    assert_eq!(ledger.received(32, 1, 9, Received { immediate: 7, message: 1 }, &mut b), Ok(()));
    assert_eq!(ledger.next(1, 9), Some(2));
    let work = ledger.post(40, 2, 0xCD, &b);
    assert_eq!((work.key, work.length, work.immediate, work.with_immediate), (0xCD, 10, 8, true));
    assert_eq!(ledger.write(50, 0, 5, 0x1400, 10), Ok(()));
    assert_eq!(ledger.received(51, 0, 5, Received { immediate: 8, message: 0 }, &mut a), Ok(()));
    assert_eq!(ledger.left(), 1);
    assert_eq!(ledger.sent(60, 1, 9, done(2)), Ok(()));
    assert_eq!((ledger.left(), ledger.idle_clocks(70), ledger.delivered), (0, 10, 710));
    assert_eq!(ledger.finish(|host| [&a, &b][host as usize]), Ok(()));
    assert_eq!(ledger.times()[1], Times { posted: Some(10), ended: Some(32) });
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
    assert_eq!((ledger.fetch(0, 5, 0x1300, 1), ledger.late_fetches), (Ok(()), 0));
    assert_eq!((ledger.fetch(0, 5, 0x1000, 1), ledger.late_fetches), (Ok(()), 1));
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
