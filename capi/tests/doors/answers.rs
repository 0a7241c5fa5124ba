//! The models in Rust, and random events for them.

use ::weft_nic::block::{reps, sack_rx, sack_tx, smartt};
use ::weft_nic::nic::transaction::{Incoming, Nic, Outgoing};
use ::weft_nic::words::Work;
use std::fmt::Debug;
use std::fmt::Write;
use weft::*;
use weft_params::registers::{NicCsr, Staged};
use weft_params::{RepsParams, SackParams, SmarttParams};
use weft_random::Rng;

pub(crate) const CONNECTIONS: u32 = 16;

/// A block, with the words of C on both sides.
pub(crate) trait Block {
    /// The name with which the C program selects the block.
    const NAME: &str;
    type Given: Copy + Debug;
    type Told: Copy + Debug;
    /// The compared form of an answer.
    type Seen: Debug + PartialEq;
    fn new() -> Self;
    /// Draws what happens next, in order.
    fn draw(&mut self, rng: &mut Rng, at: u32) -> Self::Given;
    fn seen(told: &Self::Told) -> Self::Seen;
    fn answer(&mut self, given: &Self::Given) -> Self::Seen;
    /// Fails if the run had no effect.
    fn everything_happened(&self);
}

/// The bytes of values, in the form of C's `fwrite`. The structs' padding is zeros: see [`zeroed`].
pub(crate) fn bytes<T: Copy>(values: &[T]) -> Vec<u8> {
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), std::mem::size_of_val(values)) }.to_vec()
}

/// The values of bytes, in the form of C's `fread`.
pub(crate) fn values<T: Copy>(bytes: &[u8]) -> Vec<T> {
    let read = |chunk: &[u8]| unsafe { std::ptr::read_unaligned(chunk.as_ptr().cast()) };
    bytes.chunks_exact(size_of::<T>()).map(read).collect()
}

/// A struct of numbers whose bytes are all 0, padding included.
pub(crate) fn zeroed<T: Copy>() -> T {
    unsafe { std::mem::zeroed() }
}

/// A field of a port's word.
fn field(value: impl Into<u128>, bit: u32) -> u128 {
    value.into() << bit
}

/// A connection, mostly a low number, so that some connections are used often and progress far.
pub(crate) fn connection(rng: &mut Rng) -> u32 {
    if rng.below(4) > 0 { rng.below(3) } else { rng.below(CONNECTIONS) }
}

pub(crate) fn chance(rng: &mut Rng, of: u32) -> u8 {
    u8::from(rng.below(of) == 0)
}

/// Draws a kind; kinds with larger weights are more frequent.
fn kind(rng: &mut Rng, weights: &[u32]) -> u8 {
    let mut left = rng.below(weights.iter().sum());
    let at = weights.iter().position(|&weight| {
        let here = left < weight;
        left = left.wrapping_sub(weight);
        here
    });
    at.unwrap_or_default() as u8
}

pub(crate) struct Reps(reps::Reps, [u32; 4], u32);

pub(crate) fn reps_event(rng: &mut Rng) -> weft_reps_event {
    let mut event: weft_reps_event = zeroed();
    event.connection = connection(rng);
    event.kind = kind(rng, &[40, 40, 4, 1, 2, 3, 1, 1]);
    event.ev = rng.draw() as u16;
    event.ecn = chance(rng, 4);
    event.rtt_ticks = rng.below(2_000) as u16;
    event.now_ticks = rng.draw() as u32 >> 12;
    event
}

fn of_reps(event: &weft_reps_event) -> reps::Event {
    let &weft_reps_event { connection, now_ticks, ev, rtt_ticks, kind, ecn } = event;
    reps::Event {
        kind: reps::Kind::ALL[usize::from(kind)],
        connection,
        ev,
        ecn: ecn == 1,
        rtt_ticks,
        now_ticks,
    }
}

impl Block for Reps {
    const NAME: &str = "reps";
    type Given = weft_reps_event;
    type Told = weft_reps_outcome;
    type Seen = Self::Told;

    fn new() -> Self {
        let params = RepsParams { connections: CONNECTIONS, depth: 8, ev_width: 16 };
        Self(reps::Reps::new(params, NicCsr::default().sender.reps), [0; 4], 0)
    }

    fn draw(&mut self, rng: &mut Rng, _: u32) -> Self::Given {
        reps_event(rng)
    }

    fn seen(told: &Self::Told) -> Self::Seen {
        *told
    }

    fn answer(&mut self, given: &Self::Given) -> Self::Seen {
        let told = self.0.step(&of_reps(given));
        self.1[told.source as usize] += 1;
        self.2 += u32::from(told.turned);
        weft_reps_outcome {
            connection: told.connection,
            ev: told.ev,
            kind: told.kind as u8,
            accepted: u8::from(told.accepted),
            source: told.source as u8,
            frozen: u8::from(told.frozen),
            turned: u8::from(told.turned),
        }
    }

    fn everything_happened(&self) {
        assert!(self.1.iter().all(|&count| count > 100) && self.2 > 100, "{:?}, {}", self.1, self.2);
    }
}

pub(crate) struct Smartt(smartt::Smartt, [u32; 12]);

pub(crate) fn smartt_event(rng: &mut Rng) -> weft_smartt_event {
    let mut event: weft_smartt_event = zeroed();
    event.connection = connection(rng);
    event.kind = kind(rng, &[60, 4, 2, 2, 1, 1, 1, 1]);
    event.bytes = rng.below(65_536);
    event.in_flight_bytes = rng.below(1 << 20);
    event.now_ticks = rng.below(1 << 14);
    event.rtt_ticks = rng.below(1_200) as u16;
    event.rtt_class = rng.below(4) as u8;
    event.packets = 1 + rng.below(16) as u8;
    event.ecn = chance(rng, 2);
    event
}

pub(crate) fn of_smartt(event: &weft_smartt_event) -> smartt::Event {
    smartt::Event {
        kind: smartt::Kind::ALL[usize::from(event.kind)],
        connection: event.connection,
        class: event.rtt_class,
        ecn: event.ecn == 1,
        packets: event.packets,
        bytes: event.bytes,
        rtt_ticks: event.rtt_ticks,
        in_flight_bytes: event.in_flight_bytes,
        now_ticks: event.now_ticks,
    }
}

impl Block for Smartt {
    const NAME: &str = "smartt";
    type Given = weft_smartt_event;
    type Told = weft_smartt_outcome;
    type Seen = Self::Told;

    fn new() -> Self {
        let params = SmarttParams { connections: CONNECTIONS };
        Self(smartt::Smartt::new(params, NicCsr::default().sender.smartt), [0; 12])
    }

    fn seen(told: &Self::Told) -> Self::Seen {
        *told
    }

    fn draw(&mut self, rng: &mut Rng, _: u32) -> Self::Given {
        smartt_event(rng)
    }

    fn answer(&mut self, given: &Self::Given) -> Self::Seen {
        let told = self.0.step(&of_smartt(given));
        self.1[told.case as usize] += 1;
        let (kind, accepted, what) = (told.kind as u8, u8::from(told.accepted), told.case as u8);
        weft_smartt_outcome { connection: told.connection, cwnd_bytes: told.cwnd_bytes, kind, accepted, what }
    }

    fn everything_happened(&self) {
        assert!(self.1.iter().filter(|&&count| count > 20).count() >= 9, "{:?}", self.1);
    }
}

pub(crate) struct SackRx(sack_rx::SackRx, [u32; 5]);

pub(crate) fn sack_rx_event(rng: &mut Rng) -> weft_sack_rx_event {
    let mut event: weft_sack_rx_event = zeroed();
    event.connection = connection(rng);
    event.kind = kind(rng, &[300, 20, 5, 5, 2, 1, 1, 1]);
    event.psn = if event.kind == WEFT_SACK_RX_OPEN { 0 } else { rng.below(300) };
    event.bytes = rng.below(4_097) as u16;
    event.tag = rng.draw() as u32;
    event.ce = chance(rng, 8);
    event.request = chance(rng, 8);
    event.last = chance(rng, 3);
    event
}

pub(crate) fn of_sack_rx(event: &weft_sack_rx_event) -> sack_rx::Event {
    sack_rx::Event {
        kind: sack_rx::Kind::ALL[usize::from(event.kind)],
        connection: event.connection,
        psn: event.psn,
        bytes: event.bytes,
        ce: event.ce == 1,
        request: event.request == 1,
        last: event.last == 1,
        tag: event.tag,
    }
}

impl Block for SackRx {
    const NAME: &str = "sack_rx";
    type Given = weft_sack_rx_event;
    type Told = weft_sack_rx_outcome;
    /// `tid`, `tdata` and `tuser`, packed in the order of the page.
    type Seen = (u32, [u64; 7], u16);

    fn new() -> Self {
        let params = SackParams { connections: CONNECTIONS };
        Self(sack_rx::SackRx::new(params, NicCsr::default().receiver.sack), [0; 5])
    }

    fn seen(it: &Self::Told) -> Self::Seen {
        let low = field(it.expected, 0) | field(it.psn, 24) | field(it.messages, 48) | field(it.received, 72);
        let low = low | field(it.tag, 96);
        let high = field(it.completed, 0) | field(it.out_of_order, 16) | field(it.waited, 24);
        let user = field(it.kind, 0)
            | field(it.accepted, 3)
            | field(it.verdict, 4)
            | field(it.response, 7)
            | field(it.ce, 9);
        let [a, b, c, d] = it.bitmap;
        (it.connection, [a, b, c, d, low as u64, (low >> 64) as u64, high as u64], user as u16)
    }

    fn draw(&mut self, rng: &mut Rng, _: u32) -> Self::Given {
        sack_rx_event(rng)
    }

    fn answer(&mut self, given: &Self::Given) -> Self::Seen {
        let told = self.0.step(&of_sack_rx(given));
        self.1[told.verdict as usize] += 1;
        (told.connection, told.data(), told.user())
    }

    fn everything_happened(&self) {
        assert!(self.1.iter().all(|&count| count > 100), "{:?}", self.1);
    }
}

/// Packets that were acknowledged, and lost.
pub(crate) struct SackTx(sack_tx::SackTx, [u32; 2]);

pub(crate) fn sack_tx_event(rng: &mut Rng, at: u32) -> weft_sack_tx_event {
    let mut event: weft_sack_tx_event = zeroed();
    event.connection = connection(rng);
    event.kind = kind(rng, &[10, 20, 5, 5, 2, 1]);
    event.psn = rng.below(64);
    event.trigger = rng.below(64);
    event.cwnd_bytes = rng.below(1 << 20);
    event.tag = rng.draw() as u32;
    event.now_ticks = (40 * at) & 0xFF_FFFF;
    event.packets = 1 + rng.below(20) as u16;
    event.denied = chance(rng, 20);
    event.bitmap = [rng.draw(), 0, 0, rng.draw()];
    event
}

pub(crate) fn of_sack_tx(event: &weft_sack_tx_event) -> sack_tx::Event {
    let &weft_sack_tx_event { bitmap, connection, psn, trigger, cwnd_bytes, tag, now_ticks, packets, .. } =
        event;
    let (kind, denied) = (sack_tx::Kind::ALL[usize::from(event.kind)], event.denied == 1);
    sack_tx::Event { kind, connection, psn, trigger, denied, bitmap, packets, cwnd_bytes, tag, now_ticks }
}

/// `tid`, `tdata` and `tuser` of an outcome.
type Ports = (u32, [u64; 3], u16);

impl SackTx {
    fn count(&mut self, told: &sack_tx::Outcome) -> Ports {
        self.1[0] += u32::from(told.acked);
        self.1[1] += u32::from(told.lost as i16 > 0);
        (told.connection, told.data(), told.user())
    }
}

/// Packs an outcome in the order of the page.
fn packed(it: &weft_sack_tx_outcome) -> Ports {
    let counts = [it.acked, it.lost, it.completed, it.errors, it.unacked, it.in_flight];
    let counts = (0..).zip(counts).map(|(at, count)| field(count, 24 + 16 * at)).sum::<u128>();
    let low = field(it.psn, 0) | counts | u128::from(it.tag) << 120;
    let flags = [it.accepted, it.send, it.fresh, it.last, it.failed];
    let flags = (3..).zip(flags).map(|(at, flag)| field(flag, at)).sum::<u128>();
    let more = [it.beyond, it.kind >> 3, it.congested, it.failure, it.unsure];
    let more = (10..).zip(more).map(|(at, flag)| field(flag, at)).sum::<u128>();
    let user = field(it.kind & 7, 0) | flags | field(it.reason, 8) | more;
    (it.connection, [low as u64, (low >> 64) as u64, u64::from(it.tag >> 8)], user as u16)
}

impl Block for SackTx {
    const NAME: &str = "sack_tx";
    type Given = weft_sack_tx_event;
    /// Answers to the event, to the next packet that leaves and to the next timer; zeros where there is no
    /// such answer.
    type Told = [weft_sack_tx_outcome; 3];
    type Seen = [Ports; 3];

    fn new() -> Self {
        let params = SackParams { connections: CONNECTIONS };
        Self(sack_tx::SackTx::new(params, NicCsr::default().sender.sack), [0; 2])
    }

    fn seen(told: &Self::Told) -> Self::Seen {
        told.each_ref().map(packed)
    }

    fn draw(&mut self, rng: &mut Rng, at: u32) -> Self::Given {
        sack_tx_event(rng, at)
    }

    fn answer(&mut self, given: &Self::Given) -> Self::Seen {
        let &weft_sack_tx_event { connection, now_ticks, .. } = given;
        let mut seen = Self::Seen::default();
        let told = self.0.step(&of_sack_tx(given));
        seen[0] = self.count(&told);
        if let Some(told) = self.0.send(now_ticks) {
            seen[1] = self.count(&told);
        }
        if let Some(kind) = self.0.due(connection, now_ticks) {
            let told = self.0.timer(connection, kind, now_ticks);
            seen[2] = self.count(&told);
        }
        seen
    }

    fn everything_happened(&self) {
        assert!(self.1.iter().all(|&count| count > 1_000), "{:?}", self.1);
    }
}

/// The text that `message.c` prints, by the models in Rust.
pub(crate) fn message() -> String {
    let own = |end: usize| u32::from_be_bytes([10, 0, 0, 1 + end as u8]);
    let mut nics = [0, 1].map(|end| {
        let mut csr = NicCsr::default();
        csr.ingress.ipv4 = own(end);
        csr.egress.ipv4 = own(end);
        let mut nic = Nic::new(SackParams { connections: 16 }, csr);
        let staged = Staged {
            peer_address: own(1 - end).into(),
            peer_pkey: Some(0xFFFF),
            region_length: 1 << 16,
            region_key: 7,
            ..Staged::default()
        };
        nic.open(0, &staged, 0);
        nic
    });
    let mut said = String::new();
    let payload: Vec<u8> = (0..10_000).map(|i| (i * 7) as u8).collect();
    let work = Work {
        remote: 4_096,
        key: 7,
        length: 10_000,
        immediate: 42,
        id: 1,
        with_immediate: true,
        ..Work::default()
    };
    nics[0].work(0, &work, 1);
    for now in 1..10_000 {
        loop {
            let before = said.len();
            for from in [0, 1] {
                while let Some(outgoing) = nics[from].poll(now) {
                    let read = match &outgoing {
                        Outgoing::Data(ordered) => ordered.fetch.map(|place| {
                            let start = place.address as usize;
                            payload[start..start + usize::from(place.bytes)].to_vec()
                        }),
                        _ => None,
                    };
                    let Some(frame) = nics[from].frame(outgoing, read.as_deref(), now) else { continue };
                    assert!(matches!(nics[1 - from].receive(&frame, false, now), Incoming::Taken { .. }));
                    writeln!(said, "{from} {} {:02x}", frame.len(), frame[frame.len() - 1]).expect("text");
                }
            }
            if said.len() == before {
                break;
            }
        }
        if let Some((_, received)) = nics[1].received() {
            writeln!(said, "received {}", received.immediate).expect("text");
        }
        if let Some((_, sent)) = nics[0].sent() {
            writeln!(said, "sent {}, status {}", sent.id, sent.status as u8).expect("text");
            break;
        }
    }
    said
}
