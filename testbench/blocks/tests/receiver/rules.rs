//! The rules of `docs/blocks/receiver.md` one by one, and the rates of the block, on the model.
//! `receiver_lockstep.rs` shows that the RTL is the same on every clock.

use weft_nic::block::receiver::{Bar, Clocked, Control, Inputs, Outputs, PAYLOAD_LATENCY, REPLY_LATENCY};
use weft_nic::words::{Arrival, ArrivalKind, Beat, Listed, Place, Received, Reply};
use weft_params::{ReceiverCsr, SackParams, SackRxCsr};

const CONNECTIONS: u32 = 256;
/// Clocks of a tick.
pub(crate) const TICK: u64 = 8;
const KEY: u32 = 0xC0FF_EE00;
const BASE: u64 = 0x1_0000_0000;
pub(crate) const REGION: Control = Control { open: true, psn: 0, base: BASE, length: 1 << 24, key: KEY };
pub(crate) const CLOSE: Control = Control { open: false, ..REGION };

/// A receiver, and the words that left it with their clocks.
pub(crate) struct Bench {
    pub(crate) model: Clocked,
    at: u64,
    pub(crate) ready: Inputs,
    pub(crate) replies: Vec<(u64, u32, Reply)>,
    pub(crate) writes: Vec<(u64, u32, Place, Beat)>,
    pub(crate) received: Vec<(u64, u32, Received)>,
    breaches: Vec<u32>,
}

impl Bench {
    fn new(csr: ReceiverCsr) -> Self {
        let ready = Inputs {
            reply_ready: true,
            write_ready: true,
            received_ready: true,
            breach_ready: true,
            ..Inputs::default()
        };
        let mut bench = Self {
            model: Clocked::new(SackParams { connections: CONNECTIONS }, csr),
            at: 0,
            ready,
            replies: Vec::new(),
            writes: Vec::new(),
            received: Vec::new(),
            breaches: Vec::new(),
        };
        bench.clock(Inputs { rst: true, ..ready });
        bench
    }

    /// A bench with connections 0 to 3 open.
    pub(crate) fn open(csr: ReceiverCsr) -> Self {
        let mut bench = Self::new(csr);
        for id in 0..4 {
            bench.control(id, REGION);
        }
        bench.idle(100);
        bench
    }

    /// One clock. Returns the outputs of the clock.
    pub(crate) fn clock(&mut self, inputs: Inputs) -> Outputs {
        let outputs = *self.model.outputs();
        if let Some((id, reply)) = outputs.reply.get().filter(|_| inputs.reply_ready) {
            self.replies.push((self.at, id, reply));
        }
        if let Some((id, write)) = outputs.write.get().filter(|_| inputs.write_ready) {
            self.writes.push((self.at, id, write.place, write.beat));
        }
        if let Some((id, received)) = outputs.received.get().filter(|_| inputs.received_ready) {
            self.received.push((self.at, id, received));
        }
        self.breaches.extend(outputs.breach.get().filter(|_| inputs.breach_ready).map(|(id, ())| id));
        self.model.clock(&Inputs { now: (self.at / TICK) as u32, ..inputs });
        self.at += 1;
        outputs
    }

    pub(crate) fn idle(&mut self, clocks: u64) {
        (0..clocks).for_each(|_| _ = self.clock(self.ready));
    }

    pub(crate) fn control(&mut self, id: u32, control: Control) {
        while !self.clock(Inputs { control: Some((id, control)), ..self.ready }).control_ready {}
    }

    /// Offers a packet with its payload. Returns the clock that accepted the packet.
    pub(crate) fn packet(&mut self, id: u32, arrival: Arrival) -> u64 {
        while !self.clock(Inputs { arrival: Some((id, arrival)), ..self.ready }).arrival_ready {}
        let taken = self.at - 1;
        if arrival.kind == ArrivalKind::Data {
            self.payload(arrival.bytes);
        }
        taken
    }

    /// Offers a packet. Returns its reply.
    fn packet_alone(&mut self, id: u32, arrival: Arrival) -> Reply {
        let before = self.replies.len();
        self.packet(id, arrival);
        self.idle(60);
        assert_eq!(self.replies.len(), before + 1);
        self.replies[before].2
    }

    fn payload(&mut self, bytes: u16) {
        for beat in Beat::frame(&vec![0xA5; bytes.into()]) {
            while !self.clock(Inputs { payload: Some(beat), ..self.ready }).payload_ready {}
        }
    }
}

pub(crate) fn data(psn: u32, bytes: u16) -> Arrival {
    Arrival { psn, bytes, address: BASE, key: KEY, ev: 0xC000 | psn as u16, ..Arrival::default() }
}

/// A packet that is a whole message with an immediate.
pub(crate) fn message(psn: u32, bytes: u16, number: u16) -> Arrival {
    let immediate = 0x1_0000 + u32::from(number);
    Arrival { last: true, solicited: true, message: number, immediate, ..data(psn, bytes) }
}

pub(crate) fn gathers(ack_packets: u32, ack_timeout_ticks: u16) -> ReceiverCsr {
    ReceiverCsr { sack: SackRxCsr { ack_packets, ack_bytes: 0 }, ack_timeout_ticks }
}

/// Rule 1: no word is accepted before every connection is closed. All packets of closed connections are
/// counted.
#[test]
fn the_sweep_after_reset() {
    let mut bench = Bench::new(ReceiverCsr::default());
    let mut clocks = 0;
    while !bench.clock(bench.ready).arrival_ready {
        clocks += 1;
        assert!(!bench.model.outputs().control_ready || bench.model.outputs().arrival_ready);
    }
    assert_eq!(clocks, u64::from(CONNECTIONS));
    for id in 0..CONNECTIONS {
        bench.packet(id, message(0, 64, 0));
    }
    bench.idle(600);
    assert_eq!(bench.model.outputs().stats.not_open_events, CONNECTIONS);
    assert_eq!((bench.replies.len(), bench.writes.len(), bench.received.len()), (0, 0, 0));
}

/// Rule 3: control words have priority over packets, but only in every second clock. Packets get the
/// remaining clocks.
#[test]
fn rule_03_packets_have_every_other_clock_beside_control() {
    let mut bench = Bench::open(ReceiverCsr::default());
    let probe = Arrival { kind: ArrivalKind::Probe, ..data(0, 0) };
    let (mut taken, mut id) = (Vec::new(), 4);
    while id < CONNECTIONS {
        // The connection is closed, so no packet waits for an answer.
        let inputs =
            Inputs { control: Some((id, REGION)), arrival: Some((CONNECTIONS - 1, probe)), ..bench.ready };
        let outputs = bench.clock(inputs);
        taken.push((outputs.control_ready, outputs.arrival_ready));
        id += u32::from(outputs.control_ready);
    }
    // In the remaining clocks the pipeline stalls.
    taken.retain(|taken| *taken != (false, false));
    for pair in taken.windows(2) {
        assert_ne!(pair[0], pair[1], "one after the other: {taken:?}");
        assert!(pair.iter().all(|(control, packet)| control != packet), "one in a clock: {taken:?}");
    }
}

/// Rule 3: the timer's requests have priority over packets and not over control, and at most every second
/// clock.
#[test]
fn rule_03_the_timer_comes_between_control_and_packets() {
    let mut bench = Bench::open(gathers(32, 2_000));
    for id in 4..CONNECTIONS {
        bench.control(id, REGION);
    }
    let waits: Vec<u32> = (0..CONNECTIONS - 8).collect();
    for id in &waits {
        bench.packet(*id, data(0, 64));
    }
    // All packets wait for an ACK, and the timer requests all ACKs in a round.
    let probe = Arrival { kind: ArrivalKind::Probe, ..data(0, 0) };
    let close = |bench: &mut Bench| bench.control(CONNECTIONS - 1, CLOSE);
    close(&mut bench);
    let mut idle = Vec::new();
    for _ in 0..20_000 {
        let inputs = Inputs { arrival: Some((CONNECTIONS - 1, probe)), ..bench.ready };
        let outputs = bench.clock(inputs);
        idle.push(!outputs.arrival_ready);
    }
    let stood = idle.iter().filter(|stood| **stood).count();
    let asked = bench.replies.iter().filter(|(_, id, _)| waits.contains(id)).count();
    assert_eq!(asked, waits.len(), "each packet that waits is answered");
    assert!(stood >= waits.len(), "{stood} clocks without a packet");
    assert!(idle.windows(2).all(|pair| pair != [true, true]), "packets have every other clock");
    // With control in each clock the timer makes no request.
    for id in &waits {
        bench.packet(*id, data(1, 64));
    }
    let before = bench.replies.len();
    for _ in 0..20_000 {
        bench.clock(Inputs { control: Some((CONNECTIONS - 2, REGION)), ..bench.ready });
    }
    assert_eq!(bench.replies.len(), before, "control comes first");
    bench.idle(1_000);
    assert_eq!(bench.replies.len(), before + waits.len(), "then the timer asks");
}

/// The latencies of the page.
#[test]
fn latencies() {
    let mut bench = Bench::open(ReceiverCsr::default());
    let payload = Beat::frame(&[7; 64])[0];
    let taken = bench.at;
    bench.clock(Inputs { arrival: Some((0, message(0, 64, 0))), ..bench.ready });
    while !bench.clock(Inputs { payload: Some(payload), ..bench.ready }).payload_ready {}
    assert_eq!(bench.at - 1 - taken, PAYLOAD_LATENCY);
    bench.idle(20);
    assert_eq!(bench.replies[0].0 - taken, REPLY_LATENCY);
    assert_eq!(bench.writes[0].0 - taken, PAYLOAD_LATENCY + 1);
    assert_eq!(bench.received[0].0 - taken, PAYLOAD_LATENCY + 4);
}

/// One-beat packets arrive every two clocks, each a message with an immediate. No packet waits, on one
/// connection and on four.
#[test]
fn one_beat_packets_every_two_clocks() {
    const PACKETS: u32 = 4_000;
    for connections in [1, 4] {
        let mut bench = Bench::open(ReceiverCsr::default());
        let payload = Beat::frame(&[7; 64])[0];
        let start = bench.at;
        let mut sent = 0;
        let mut beats = 0;
        while sent < PACKETS {
            let (id, psn) = (sent % connections, sent / connections);
            let arrival = (bench.at - start).is_multiple_of(2);
            let inputs = Inputs {
                arrival: arrival.then(|| (id, message(psn & 0xFF_FFFF, 64, psn as u16))),
                payload: (beats < sent).then_some(payload),
                ..bench.ready
            };
            let outputs = bench.clock(inputs);
            assert!(!arrival || outputs.arrival_ready, "packet {sent} waits");
            sent += u32::from(arrival);
            beats += u32::from(inputs.payload.is_some() && outputs.payload_ready);
        }
        while beats < PACKETS {
            beats += u32::from(bench.clock(Inputs { payload: Some(payload), ..bench.ready }).payload_ready);
        }
        bench.idle(PAYLOAD_LATENCY);
        assert_eq!(bench.received.len() as u32, PACKETS);
        assert_eq!(bench.replies.len() as u32, PACKETS);
        let last = bench.received[bench.received.len() - 1].0;
        assert!(last - start <= u64::from(2 * PACKETS) + PAYLOAD_LATENCY + 4, "{last}");
        for (n, (_, id, received)) in (0..).zip(&bench.received) {
            let number = n / connections;
            assert_eq!(*id, n % connections);
            assert_eq!((received.message, received.immediate), (number, 0x1_0000 + number));
        }
    }
}

/// Packets of 8 KiB: the block writes a word in every clock.
#[test]
fn full_rate() {
    const PACKETS: u64 = 100;
    let mut bench = Bench::open(ReceiverCsr::default());
    let beats = Beat::frame(&[0x5A; 8192]);
    let (mut psn, mut word) = (0, 0);
    while bench.writes.len() < PACKETS as usize * beats.len() {
        let arrival = (u64::from(psn) < PACKETS).then(|| (1, data(psn, 8192)));
        let payload = (word < PACKETS as usize * beats.len()).then(|| beats[word % beats.len()]);
        let outputs = bench.clock(Inputs { arrival, payload, ..bench.ready });
        psn += u32::from(arrival.is_some() && outputs.arrival_ready);
        word += usize::from(payload.is_some() && outputs.payload_ready);
        assert!(bench.at < 1_000 + PACKETS * 128, "too slow");
    }
    let (first, last) = (bench.writes[0].0, bench.writes[bench.writes.len() - 1].0);
    assert_eq!(last - first + 1, PACKETS * 128);
}

/// Rule 17, and rule 13 of the NIC: packets of a held connection are requested again. Packets of other
/// connections keep their space and rate, and in the end no packet is missing. A failure denies all later
/// packets.
#[test]
fn rule_17_what_is_held_back_holds_up_nobody_else() {
    let mut bench = Bench::open(ReceiverCsr::default());
    let treat = |bench: &mut Bench, held, failed| {
        let bar = Some((1, Bar { held, failed }));
        bench.clock(Inputs { bar, ..bench.ready });
    };
    let clocks = |bench: &mut Bench, held: u32, other: u32| {
        let begin = bench.at;
        for psn in 0..100 {
            bench.packet(held, data(psn, 640));
            bench.packet(other, data(psn, 640));
        }
        let clocks = bench.at - begin;
        bench.idle(100);
        clocks
    };
    let without = clocks(&mut bench, 3, 0);
    bench.writes.clear();
    treat(&mut bench, true, false);
    assert_eq!(clocks(&mut bench, 1, 2), without);
    let of = |bench: &Bench, connection| -> Vec<(u8, bool, u32)> {
        let replies = bench.replies.iter().filter(|(_, id, _)| *id == connection);
        replies.map(|(.., reply)| (reply.reason, reply.nack, reply.psn)).collect()
    };
    assert_eq!(of(&bench, 1), (0..100).map(|psn| (2, true, psn)).collect::<Vec<_>>());
    assert_eq!(of(&bench, 2), (0..100).map(|psn| (0, false, psn)).collect::<Vec<_>>());
    assert!(bench.writes.iter().all(|(_, id, ..)| *id == 2) && bench.writes.len() == 1_000);
    assert_eq!(bench.model.outputs().stats.held, 100);
    treat(&mut bench, false, false);
    (0..100).for_each(|psn| _ = bench.packet(1, data(psn, 640)));
    bench.idle(100);
    assert_eq!(of(&bench, 1)[100..], *of(&bench, 2));
    // Open and close leave the treatment as it is, because the bar belongs to another block.
    treat(&mut bench, true, true);
    bench.control(1, REGION);
    let denied = bench.packet_alone(1, data(0, 1));
    assert_eq!((denied.nack, denied.reason), (true, 0x19));
    assert!(!bench.model.outputs().breach.valid);
    treat(&mut bench, false, false);
    let wrong = bench.packet_alone(1, Arrival { key: !KEY, ..data(0, 1) });
    assert_eq!((wrong.nack, wrong.reason), (true, 0x19));
    assert_eq!(bench.breaches, [1]);
}

/// Rules 4, 8 and 17: a packet beyond the window is denied, and this is not a breach. A connection that has
/// failed denies every packet of its peer with any PSN, including received and trimmed packets. A probe gets
/// its ACK.
#[test]
fn rule_17_what_has_failed_denies_every_psn() {
    const LEAST: u32 = 1 << 23;
    let trimmed = |psn| Arrival { kind: ArrivalKind::Trimmed, bytes: 0, ..data(psn, 0) };
    let mut bench = Bench::open(ReceiverCsr::default());
    let said = |bench: &mut Bench, packet| {
        let reply = bench.packet_alone(1, packet);
        (reply.nack, reply.reason, reply.psn, reply.cumulative, reply.listed())
    };
    for psn in [0, 1, 3] {
        assert!(!said(&mut bench, data(psn, 64)).0);
    }
    let none = Listed::default();
    for psn in [2 + 256, 2 + 257, 1 << 22, 2 + LEAST - 1] {
        assert_eq!(said(&mut bench, data(psn, 64)), (true, 0x19, psn, 1, none), "{psn:#x}");
        assert_eq!(said(&mut bench, trimmed(psn)), (true, 0x19, psn, 1, none), "{psn:#x}, trimmed");
    }
    for psn in [2 + LEAST, 0xFF_FFFF, 0, 3] {
        assert_eq!(said(&mut bench, data(psn, 64)), (false, 0, psn, 1, none), "{psn:#x}");
    }
    assert_eq!(said(&mut bench, trimmed(2)), (true, 1, 2, 1, none));
    assert_eq!((bench.breaches.len(), bench.writes.len()), (0, 3));
    let bar = Some((1, Bar { held: false, failed: true }));
    bench.clock(Inputs { bar, ..bench.ready });
    for psn in [0, 1, 2, 3, 2 + 255, 2 + 256, 1 << 22, 2 + LEAST - 1, 2 + LEAST, 0xFF_FFFF] {
        assert_eq!(said(&mut bench, data(psn, 64)), (true, 0x19, psn, 1, none), "{psn:#x}");
        assert_eq!(said(&mut bench, trimmed(psn)), (true, 0x19, psn, 1, none), "{psn:#x}, trimmed");
    }
    let probe = Arrival { kind: ArrivalKind::Probe, ..data(9, 0) };
    assert_eq!(said(&mut bench, probe), (false, 0, 9, 1, none));
    assert_eq!((bench.breaches.len(), bench.writes.len()), (0, 3));
}

/// Rules 4 and 8 at the region's edges, to the byte: no byte outside is written or acknowledged, and a NACK
/// gives the reason. A packet that has arrived before is acknowledged again, with any key.
#[test]
fn nothing_is_written_outside_of_the_region() {
    for base in [0, BASE, 0u64.wrapping_sub(100)] {
        let mut bench = Bench::open(ReceiverCsr::default());
        bench.control(3, Control { base, length: 200, ..REGION });
        bench.idle(100);
        let mut psn = 0;
        let mut errors = 0;
        for ahead in [0, 1, 99, 100, 136, 137, 199, 200, 201, 1 << 32, u64::MAX, u64::MAX - 63, 1 << 63] {
            for (bytes, key) in [(0, KEY), (1, KEY), (64, KEY), (100, KEY), (64, KEY ^ 1 << 31), (0, KEY ^ 1)]
            {
                let last = ahead.checked_add(u64::from(bytes));
                let right = key == KEY && (bytes == 0 || last.is_some_and(|last| last <= 200));
                let (replies, writes) = (bench.replies.len(), bench.writes.len());
                let packet = Arrival { address: base.wrapping_add(ahead), key, ..data(psn, bytes) };
                bench.packet(3, packet);
                bench.idle(60);
                let case = format!("{bytes} bytes {ahead} behind {base:x}, key {key:x}");
                let (_, _, reply) = bench.replies[replies];
                assert_eq!((reply.nack, reply.reason), (!right, if right { 0 } else { 0x19 }), "{case}");
                assert_eq!((reply.psn, bench.replies.len()), (psn, replies + 1), "{case}");
                assert_eq!(bench.writes.len() > writes, right && bytes > 0, "{case}");
                errors += u32::from(!right);
                psn += u32::from(right);
                assert_eq!(bench.model.outputs().stats.access_errors, errors, "{case}");
            }
        }
        let again = bench.packet_alone(3, Arrival { key: KEY ^ 1, ..data(0, 64) });
        assert_eq!((again.nack, again.reason, again.psn), (false, 0, 0));
    }
}

/// Rules 11 and 12: messages are reported in order, although their packets arrived in another order, and
/// after their data.
#[test]
fn messages_in_order_behind_their_data() {
    let mut bench = Bench::open(ReceiverCsr::default());
    for psn in (0..16).rev() {
        let solicited = psn % 3 > 0;
        bench.packet(2, Arrival { solicited, ..message(psn, 200, psn as u16) });
    }
    bench.idle(200);
    let numbers: Vec<_> = bench.received.iter().map(|(_, _, received)| received.message).collect();
    assert_eq!(numbers, (0..16).filter(|number| number % 3 > 0).collect::<Vec<_>>());
    assert_eq!(bench.writes.len(), 16 * 4);
    assert!(bench.received[0].0 > bench.writes[16 * 4 - 1].0);

    // While the data is not accepted, the message is not reported.
    let (writes, received) = (bench.writes.len(), bench.received.len());
    bench.ready.write_ready = false;
    bench.packet(2, message(16, 64, 16));
    bench.idle(1_000);
    assert_eq!(bench.received.len(), received);
    bench.ready.write_ready = true;
    bench.idle(10);
    assert_eq!((bench.writes.len(), bench.received.len()), (writes + 1, received + 1));
    assert!(bench.received[received].0 > bench.writes[writes].0);
}

/// Rule 10: an immediate of an older opening or with a wrong message number is not reported.
#[test]
fn immediates_belong_to_their_message() {
    let mut bench = Bench::open(ReceiverCsr::default());
    // The last packet of message 1 waits for message 0 when the connection is opened again.
    bench.packet(0, message(1, 64, 1));
    bench.control(0, REGION);
    bench.idle(100);
    for (psn, number) in [(0, 0), (1, 5), (2, 2), (3, 19), (4, 4)] {
        bench.packet(0, message(psn, 64, number));
    }
    bench.idle(100);
    let numbers: Vec<_> = bench.received.iter().map(|(_, _, received)| received.message).collect();
    assert_eq!(numbers, [0, 2, 4]);
}

/// Rules 7 and 8: reasons and echoed fields.
#[test]
fn replies() {
    let mut bench = Bench::open(ReceiverCsr::default());
    let trimmed = Arrival { kind: ArrivalKind::Trimmed, bytes: 0, ce: true, stamp: 77, ..data(5, 0) };
    bench.packet(1, data(1, 64));
    bench.packet(1, trimmed);
    bench.packet(1, Arrival { last_hop: true, ..trimmed });
    bench.packet(1, data(256, 64));
    bench.packet(1, Arrival { kind: ArrivalKind::Probe, stamp: 9, ..data(3, 0) });
    bench.packet(1, Arrival { kind: ArrivalKind::None, ..data(0, 0) });
    bench.idle(100);
    let replies: Vec<_> = bench.replies.iter().map(|(_, _, reply)| *reply).collect();
    let state = Reply {
        cumulative: 0xFF_FFFF,
        bitmap: [2, 0, 0, 0],
        out_of_order: 1,
        received: 1,
        ..Reply::default()
    };
    let nack = Reply { nack: true, psn: 5, ce: true, ev: 0xC005, stamp: 77, ..state };
    assert_eq!(
        replies,
        [
            Reply { psn: 1, ev: 0xC001, ..state },
            Reply { reason: 1, ..nack },
            Reply { reason: 2, ..nack },
            Reply { reason: 0x19, nack: true, psn: 256, ev: 0xC100, ..state },
            Reply { probe: true, psn: 3, ev: 0xC003, stamp: 9, ..state },
        ]
    );
}

/// Rule 18: an ACK lists the packets that waited, the oldest first, at most 16. The timer's ACK leaves out
/// the oldest packet. A NACK has no list and removes no packet. After an open the list is empty.
#[test]
fn rule_18_lists() {
    fn list(entries: &[(usize, u16)]) -> Listed {
        let mut list = Listed::default();
        for &(at, ev) in entries {
            list.there |= 1 << at;
            list.evs[at] = ev;
        }
        list
    }
    let evs = |psns: std::ops::Range<u16>| -> Vec<(usize, u16)> {
        psns.enumerate().map(|(at, psn)| (at, 0xC000 + psn)).collect()
    };
    let mut bench = Bench::open(gathers(4, 0));
    let trimmed = Arrival { kind: ArrivalKind::Trimmed, bytes: 0, ..data(9, 0) };
    for packet in [data(0, 64), data(1, 64), trimmed, data(2, 64), data(3, 64)] {
        bench.packet(1, packet);
    }
    bench.packet(1, Arrival { ce: true, ..data(4, 64) });
    bench.packet(1, data(5, 64));
    bench.packet(1, data(0, 64));
    bench.packet(1, data(6, 64));
    bench.control(1, REGION);
    bench.packet(1, Arrival { request: true, ..data(0, 64) });
    bench.idle(100);
    let lists: Vec<_> =
        bench.replies.iter().map(|(_, _, reply)| (reply.nack, reply.ev, reply.listed())).collect();
    let four = [
        (true, 0xC009, Listed::default()),
        (false, 0xC003, list(&evs(0..3))),
        (false, 0xC004, Listed::default()),
        (false, 0xC000, list(&evs(5..6))),
        (false, 0xC000, Listed::default()),
    ];
    assert_eq!(lists, four);

    // More than 16 packets wait, and then the timer's ACK leaves.
    let mut bench = Bench::open(gathers(40, 0));
    for psn in 0..40 {
        bench.packet(1, data(psn, 64));
    }
    bench.idle(100);
    assert_eq!(bench.replies[0].2.listed(), list(&evs(0..16)));
    let mut bench = Bench::open(gathers(40, 60));
    for psn in 0..3 {
        bench.packet(1, data(psn, 64));
    }
    bench.idle(2_000);
    let reply = bench.replies[0].2;
    assert_eq!((reply.ev, reply.listed()), (0xC000, list(&evs(0..3)[1..])));
}

/// Rules 13 and 14: the ACK timer counts from the oldest packet, and its ACK contains that waiting time.
#[test]
fn the_timer() {
    const TIMEOUT: u16 = 125;
    let mut bench = Bench::open(gathers(255, TIMEOUT));
    let taken = bench.packet(1, Arrival { stamp: 1_000, ..data(3, 64) });
    bench.idle(u64::from(TIMEOUT) * TICK / 2);
    bench.packet(1, data(0, 64));
    bench.idle(3 * u64::from(TIMEOUT) * TICK);
    let [(at, 1, reply)] = bench.replies[..] else { panic!("{:?}", bench.replies) };
    let waited = at - taken;
    let least = u64::from(TIMEOUT) * TICK;
    // From the outcome to the timer, a round of the scanner, and the path of its event.
    let most = least + REPLY_LATENCY + u64::from(CONNECTIONS) + REPLY_LATENCY + 3 * TICK;
    assert!((least..=most).contains(&waited), "{waited} clocks, not {least} to {most}");
    assert_eq!((reply.psn, reply.ev, reply.cumulative, reply.bitmap[0]), (3, 0xC003, 0, 4));
    let age = reply.stamp - 1_000;
    assert!((TIMEOUT..=TIMEOUT + 40).contains(&age), "{age} ticks");

    // An ACK for another reason stops the timer.
    bench.packet(1, data(1, 64));
    bench.idle(u64::from(TIMEOUT) * TICK / 2);
    bench.packet(1, Arrival { request: true, ..data(2, 64) });
    bench.idle(4 * u64::from(TIMEOUT) * TICK);
    assert_eq!(bench.replies.len(), 2);

    // A close also stops the timer.
    bench.packet(1, data(4, 64));
    bench.control(1, CLOSE);
    bench.idle(4 * u64::from(TIMEOUT) * TICK);
    assert_eq!(bench.replies.len(), 2);
    assert_eq!(bench.model.outputs().stats.not_open_events, 0);
}

/// If the timers of all connections expire at once, each connection gets its ACK.
#[test]
fn all_timers_at_once() {
    let mut bench = Bench::new(gathers(255, 50));
    for id in 0..CONNECTIONS {
        bench.control(id, REGION);
    }
    bench.idle(200);
    for id in 0..CONNECTIONS {
        bench.packet(id, data(0, 0));
    }
    bench.idle(50 * TICK + u64::from(3 * CONNECTIONS));
    let mut ids: Vec<_> = bench.replies.iter().map(|(_, id, _)| *id).collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..CONNECTIONS).collect::<Vec<_>>());
}

/// Rule 14: a time-out of 0 never expires.
#[test]
fn no_timer() {
    let mut bench = Bench::open(gathers(255, 0));
    bench.packet(1, data(0, 64));
    bench.idle(70_000 * TICK);
    assert_eq!(bench.replies.len(), 0);
}
