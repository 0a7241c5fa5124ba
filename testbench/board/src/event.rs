//! The events of both blocks. A closed connection's event opens it, so every event is of an open connection or an OPEN.

use crate::source::{Moment, Source};
use weft_nic::block::{reps, smartt};

/// Whether each connection is open.
struct Open([bool; 256]);

impl Open {
    /// The event's kind: `open` for a closed connection, otherwise the drawn kind. Records whether the
    /// connection is open.
    fn kind<K: Copy + PartialEq>(&mut self, connection: u32, drawn: K, open: K, close: K) -> K {
        let is_open = &mut self.0[connection as usize];
        let kind = if *is_open { drawn } else { open };
        *is_open = kind != close;
        kind
    }
}

/// The events of REPS, without end.
pub fn reps_events(seed: u32) -> impl Iterator<Item = reps::Event> {
    let mut open = Open([false; 256]);
    Source::of_reps(seed).moments().map(move |moment| {
        let event = reps_event(&moment);
        let kind = open.kind(event.connection, event.kind, reps::Kind::Open, reps::Kind::Close);
        reps::Event { kind, ecn: event.ecn && kind == reps::Kind::Ack, ..event }
    })
}

/// The events of SMaRTT, without end.
pub fn smartt_events(seed: u32) -> impl Iterator<Item = smartt::Event> {
    let mut open = Open([false; 256]);
    Source::of_smartt(seed).moments().map(move |moment| {
        let event = smartt_event(&moment);
        let kind = open.kind(event.connection, event.kind, smartt::Kind::Open, smartt::Kind::Close);
        smartt::Event { kind, ecn: event.ecn && kind == smartt::Kind::Ack, ..event }
    })
}

/// An event of REPS when its connection is open.
fn reps_event(moment: &Moment) -> reps::Event {
    use reps::Kind::{Ack, Close, Idle, Open, PathOk, Seed, Send, Timeout};
    reps::Event {
        kind: match moment.bits(9, 6) {
            0..30 => Send,
            30..56 => Ack,
            56..59 => Timeout,
            59 => PathOk,
            60 => Idle,
            61 => Open,
            62 => Seed,
            _ => Close,
        },
        connection: moment.connection(),
        ev: 0xC000 | moment.bits(17, 12) as u16,
        ecn: moment.bits(15, 2) == 0,
        rtt_ticks: moment.bits(29, 10) as u16,
        now_ticks: moment.now_ticks,
    }
}

/// An event of SMaRTT when its connection is open.
fn smartt_event(moment: &Moment) -> smartt::Event {
    use smartt::Kind::{Ack, Close, Open, Timeout, Trim};
    // Half of the time the network is idle.
    let idle = moment.now_ticks >> 15 & 1 == 1;
    let packets = moment.bits(17, 4);
    smartt::Event {
        kind: match moment.bits(9, 6) {
            0..58 => Ack,
            58..60 => Trim,
            60..62 => Timeout,
            62 => Open,
            _ => Close,
        },
        connection: moment.connection(),
        class: moment.bits(0, 2) as u8,
        ecn: !idle && moment.bits(15, 1) == 1,
        packets: packets as u8 + 1,
        bytes: packets << 12 | moment.bits(44, 12),
        rtt_ticks: moment.bits(29, if idle { 6 } else { 10 }) as u16,
        in_flight_bytes: moment.bits(46, 18),
        now_ticks: moment.now_ticks,
    }
}
