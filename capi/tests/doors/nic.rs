//! Two NICs that send each other messages over a bad network: the output of `nics.c`, computed by the model in Rust.

use ::weft_nic::block::ingress::Cause;
use ::weft_nic::nic::transaction::{Incoming, Nic, Outgoing};
use ::weft_nic::words::Work;
use std::collections::VecDeque;
use std::fmt::Write;
use weft_handle::Image;
use weft_params::registers::{Staged, offsets};
use weft_params::{SackParams, registers};

const CONNECTIONS: u32 = 4;
const WIRE: usize = 1024;
const REGION: u32 = 1 << 17;
const LINES: usize = 100_000;
const CAUSES: [Cause; 9] = [
    Cause::Mac,
    Cause::Malformed,
    Cause::Checksum,
    Cause::Icrc,
    Cause::Unknown,
    Cause::Stranger,
    Cause::Vlan,
    Cause::Partition,
    Cause::Overflow,
];

struct Pair {
    nics: [Nic; 2],
    registers: [Image; 2],
    wire: [VecDeque<Vec<u8>>; 2],
    memory: Vec<u8>,
    seed: u64,
    now: u64,
    said: String,
    lines: usize,
}

/// Adds a line to the output of a pair.
macro_rules! say {
    ($pair:ident, $($words:tt)*) => {
        writeln!($pair.said, $($words)*).expect("text");
        $pair.lines += 1;
    };
}

fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3))
}

impl Pair {
    fn draw(&mut self, below: u32) -> u32 {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.seed >> 33) as u32 % below
    }

    fn set(&mut self, end: usize, register: u16, value: u32) {
        let csr = self.registers[end].write(&[], register.into(), value, |_| Ok(())).expect("a register");
        self.nics[end].set_csr(csr, self.now);
    }

    fn open_both(&mut self, connection: u32) {
        for end in 0..2 {
            let staged = Staged {
                peer_address: u128::from(0x0A00_0002 - end as u32),
                peer_pkey: Some(0xFFFF),
                peer_qp: connection,
                send_psn: 0xFF_FFF0,
                receive_psn: 0xFF_FFF0,
                region_length: REGION,
                region_key: 7,
                ..Staged::default()
            };
            self.nics[end].open(connection, &staged, self.now);
        }
    }

    fn control(&mut self, end: usize, connection: u32) {
        let (what, word) = (self.draw(12), self.draw(3));
        let (nic, now) = (&mut self.nics[end], self.now);
        match what {
            5 => nic.drain(connection, now),
            6 => nic.close(connection, now),
            7 => nic.path_ok(connection, now),
            8 => nic.buffer(connection, word as u8, now),
            9 => nic.seed(word, now),
            10 | 11 => self.set(end, offsets::REPS_TRIMMING, word & 1),
            _ => self.open_both(connection),
        }
    }

    fn send(&mut self, to: usize, frame: &[u8]) {
        let copies = if self.draw(20) == 0 {
            0
        } else if self.draw(20) == 0 {
            2
        } else {
            1
        };
        for _ in 0..copies {
            let waiting = self.wire[to].len();
            if waiting == WIRE {
                return;
            }
            let at = if waiting > 0 && self.draw(4) == 0 { waiting - 1 } else { waiting };
            self.wire[to].insert(at, frame.to_vec());
        }
    }

    fn receive(&mut self, end: usize) {
        let Some(mut frame) = self.wire[end].pop_front() else { return };
        if self.draw(50) == 0 {
            let at = self.draw(frame.len() as u32) as usize;
            frame[at] ^= 4;
        }
        let bad = self.draw(100) == 0;
        let told = match self.nics[end].receive(&frame, bad, self.now) {
            Incoming::Foreign => [0; 6],
            Incoming::Dropped(cause) => {
                let code = CAUSES.iter().position(|&one| one == cause).expect("a cause");
                [1, code as u64, 0, 0, 0, 0]
            }
            Incoming::Taken { connection, write } => {
                let (address, payload) = write.unwrap_or((0, &[]));
                let at = if payload.is_empty() { 0 } else { payload.as_ptr().addr() - frame.as_ptr().addr() };
                [2, 0, connection.into(), address, at as u64, payload.len() as u64]
            }
        };
        let [kind, cause, connection, address, at, bytes] = told;
        say!(self, "receive {kind} {cause} {connection} {address} {at} {bytes}");
    }

    fn sends(&mut self, end: usize) {
        for _ in 0..3 {
            let Some(order) = self.nics[end].poll(self.now) else { return };
            let (kind, connection, psn, ev, again, fetch) = match &order {
                Outgoing::Reply(connection, _) => (1, *connection, 0, 0, 0, None),
                Outgoing::Data(ordered) => {
                    let packet = &ordered.order;
                    (2, ordered.connection, packet.psn, packet.ev, u8::from(packet.again), ordered.fetch)
                }
                Outgoing::Other(_) => (3, 0, 0, 0, 0, None),
            };
            let (address, bytes) = fetch.map_or((0, 0), |place| (place.address, place.bytes));
            say!(self, "poll {kind} {connection} {psn} {ev} {again} {address} {bytes}");
            let fails = self.draw(200) == 0 && bytes > 0;
            let payload = &self.memory[address as usize..][..usize::from(bytes)];
            let frame = self.nics[end].frame(order, (!fails).then_some(payload), self.now);
            let sent = frame.as_deref().unwrap_or_default();
            say!(self, "frame {} {} {:x}", u8::from(frame.is_some()), sent.len(), digest(sent));
            if let Some(frame) = &frame {
                self.send(1 - end, frame);
            }
        }
    }

    fn ends(&mut self, end: usize) {
        while let Some((connection, told)) = self.nics[end].received() {
            say!(self, "received {connection} {} {}", told.immediate, told.message);
        }
        while let Some((connection, told)) = self.nics[end].sent() {
            say!(self, "sent {connection} {} {}", told.id, told.status as u8);
        }
        while let Some((connection, standing)) = self.nics[end].event() {
            say!(self, "event {connection} {}", standing.word());
        }
        let deadline = self.nics[end].next_deadline(self.now);
        say!(self, "deadline {} {}", u8::from(deadline.is_some()), deadline.unwrap_or(0));
        if self.draw(64) > 0 {
            return;
        }
        for connection in 0..CONNECTIONS {
            let standing = self.nics[end].standing(connection);
            say!(self, "state {}", standing.word());
        }
        let counters = self.nics[end].counters();
        for (place, register) in registers::counters().enumerate() {
            say!(self, "counter {:x} {}", register.offset, counters[place]);
        }
    }
}

/// The number of answers, and the text of all answers.
pub(crate) fn said() -> (usize, String) {
    let registers = [Image::new(), Image::new()];
    let nics =
        registers.each_ref().map(|image| Nic::new(SackParams { connections: CONNECTIONS }, image.csr()));
    let mut pair = Pair {
        nics,
        registers,
        wire: [const { VecDeque::new() }; 2],
        memory: Vec::new(),
        seed: 2,
        now: 1,
        said: String::new(),
        lines: 0,
    };
    for end in 0..2 {
        pair.set(end, offsets::INGRESS_IPV4, 0x0A00_0001 + end as u32);
        pair.set(end, offsets::EGRESS_IPV4, 0x0A00_0001 + end as u32);
        pair.set(end, offsets::SENDER_MTU_SHIFT, 10);
        pair.set(end, offsets::SACK_TX_CLASS0_RTO, 500);
    }
    pair.memory = (0..REGION).map(|_| pair.draw(256) as u8).collect();
    (0..CONNECTIONS).for_each(|connection| pair.open_both(connection));
    for id in 0.. {
        if pair.lines >= LINES {
            break;
        }
        pair.now += u64::from(pair.draw(20));
        pair.now += if pair.draw(400) == 0 { 20_000 } else { 0 };
        let (end, connection, what) = (pair.draw(2) as usize, pair.draw(CONNECTIONS), pair.draw(64));
        if what < 8 {
            let work = Work {
                local: pair.draw(REGION / 2).into(),
                remote: pair.draw(REGION / 2).into(),
                key: 7,
                length: pair.draw(6_000),
                immediate: pair.draw(1 << 30),
                with_immediate: pair.draw(2) == 1,
                id,
            };
            pair.nics[end].work(connection, &work, pair.now);
        } else if what == 8 {
            let other = vec![pair.draw(256) as u8; 100];
            pair.nics[end].bypass(other);
        } else if what == 9 && pair.draw(2) == 0 {
            pair.control(end, connection);
        } else {
            pair.receive(end);
        }
        for end in 0..2 {
            pair.sends(end);
            pair.ends(end);
        }
    }
    (pair.lines, pair.said)
}
