//! Helpers of both tests of the transaction view: random choices, a lossy network, and hosts that compute the
//! expected data.

#![allow(dead_code, reason = "each test uses its part")]

use std::collections::{BTreeMap, HashSet, VecDeque};
use weft_nic::words::{Received, Sent, Status, Work};
use weft_params::registers::{NicCsr, Staged};
use weft_random::Rng;

/// Probabilities, in a thousandth, of the network's effects on a frame; and times in ticks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Network {
    pub(crate) loss: u32,
    pub(crate) twice: u32,
    pub(crate) mark: u32,
    pub(crate) trim: u32,
    pub(crate) damage: u32,
    pub(crate) delay: u64,
    pub(crate) jitter: u32,
    /// Ticks in which all frames are lost.
    pub(crate) down: (u64, u64),
}

impl Network {
    /// The copies of a frame, with their times of arrival.
    pub(crate) fn pass(&self, rng: &mut Rng, frame: &[u8], now: u64) -> Vec<(u64, Vec<u8>)> {
        let down = self.down.0 <= now && now < self.down.1;
        let copies = if rng.chance(self.loss, 1000) || down {
            0
        } else {
            1 + usize::from(rng.chance(self.twice, 1000))
        };
        let mut pass = || {
            let mut frame = frame.to_vec();
            if rng.chance(self.mark, 1000) {
                mark(&mut frame);
            }
            if rng.chance(self.trim, 1000) {
                trim(&mut frame, rng.chance(1, 2));
            }
            if rng.chance(self.damage, 1000) {
                let at = rng.index(frame.len());
                frame[at] ^= 1 << rng.below(8);
            }
            (now + self.delay + u64::from(rng.below(self.jitter + 1)), frame)
        };
        (0..copies).map(|_| pass()).collect()
    }
}

/// Places of the IPv4 header of an untagged frame, and of the UDP header.
const IP: usize = 14;
const UDP: usize = 34;
/// Place of the BTH's opcode.
const OPCODE: usize = 42;

fn set_class(frame: &mut [u8], class: u8) {
    frame[IP + 1] = class;
    frame[IP + 10..IP + 12].fill(0);
    let sum: u32 = frame[IP..UDP].chunks(2).map(|pair| u32::from(pair[0]) << 8 | u32::from(pair[1])).sum();
    let sum = (sum & 0xFFFF) + (sum >> 16);
    let checksum = !((sum & 0xFFFF) + (sum >> 16)) as u16;
    frame[IP + 10..IP + 12].copy_from_slice(&checksum.to_be_bytes());
}

/// Marks an ECN-capable frame, as a switch does.
pub(crate) fn mark(frame: &mut [u8]) {
    if frame[IP + 1] & 3 != 0 {
        set_class(frame, frame[IP + 1] | 3);
    }
}

/// Trims a data frame, as a switch does.
pub(crate) fn trim(frame: &mut Vec<u8>, last_hop: bool) {
    if matches!(frame[OPCODE], 0x0A | 0x0B) {
        let csr = NicCsr::default().ingress;
        set_class(frame, if last_hop { csr.dscp_trimmed_last_hop } else { csr.dscp_trimmed } << 2);
        frame.truncate(UDP + 48);
    }
}

/// The remote key of all regions.
pub(crate) const KEY: u32 = 0x77;
/// First queue pair.
pub(crate) const QP_BASE: u32 = 0x1_2300 & !0xFFF;
/// Offset between an address of the receiver and the place of its data at the sender.
const AWAY: u64 = 1 << 40;

/// The configuration of NIC 0 or 1.
pub(crate) fn configuration(number: u32, mtu_shift: u8) -> NicCsr {
    let mut csr = NicCsr::default();
    let (address, mac) = (0x0A00_0001 + number, 0x0200_0000_0001 + u64::from(number));
    (csr.ingress.ipv4, csr.egress.ipv4, csr.egress.mac) = (address, address, mac);
    csr.ingress.qp_base = QP_BASE;
    csr.sender.mtu_shift = mtu_shift;
    csr.sender.sack.mtu_bytes = 1 << mtu_shift;
    csr
}

/// The connection of NIC 0 or 1 to the connection with the same number at the other NIC. `send_psn` and the
/// next argument are the first PSNs of the two directions.
pub(crate) fn connection(number: u32, connection: u32, send_psn: u32, receive_psn: u32) -> Staged {
    let peer = configuration(1 - number, 8).egress;
    Staged {
        peer_address: peer.ipv4.into(),
        peer_mac: peer.mac,
        peer_qp: QP_BASE + connection,
        send_psn,
        receive_psn,
        region_base: region(connection),
        region_length: u32::MAX,
        region_key: KEY,
        class: 0,
        ev: 0xC000 + connection as u16,
        ..Staged::default()
    }
}

fn region(connection: u32) -> u64 {
    u64::from(connection) << 32
}

/// The byte that the sender has at an address.
fn byte(address: u64) -> u8 {
    (address.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as u8
}

/// The sender's data at an address.
pub(crate) fn read(address: u64, bytes: u16) -> Vec<u8> {
    (address..address + u64::from(bytes)).map(byte).collect()
}

/// A message in progress.
#[derive(Clone, Copy, Debug)]
struct Message {
    id: u32,
    length: u32,
    /// Number of bytes that were not written yet.
    missing: u32,
    with_immediate: bool,
    /// Whether the message, which has an immediate, was reported.
    received: bool,
}

/// The messages of one direction of one connection, and the memory to which they are written.
#[derive(Debug)]
pub(crate) struct Flow {
    connection: u32,
    next: u64,
    /// The messages by remote address.
    messages: BTreeMap<u64, Message>,
    /// The messages that have not ended, in order.
    open: VecDeque<u64>,
    /// The messages with immediate that were not reported, in order.
    to_report: VecDeque<u64>,
    written: HashSet<u64>,
    pub(crate) done: u32,
    pub(crate) failed: u32,
}

impl Flow {
    pub(crate) fn new(connection: u32) -> Self {
        Self {
            connection,
            next: region(connection),
            messages: BTreeMap::new(),
            open: VecDeque::new(),
            to_report: VecDeque::new(),
            written: HashSet::new(),
            done: 0,
            failed: 0,
        }
    }

    /// Number of messages that have not ended.
    pub(crate) fn outstanding(&self) -> usize {
        self.open.len()
    }

    /// A work request for a new message.
    pub(crate) fn post(&mut self, id: u32, length: u32, with_immediate: bool) -> Work {
        let remote = self.next;
        self.next += u64::from(length.max(1));
        let message = Message { id, length, missing: length, with_immediate, received: !with_immediate };
        self.messages.insert(remote, message);
        self.open.push_back(remote);
        if with_immediate {
            self.to_report.push_back(remote);
        }
        Work { local: remote + AWAY, remote, key: KEY, length, immediate: id ^ 0x5555, id, with_immediate }
    }

    /// Writes payload. Checks that the bytes are right, that they are written at most once, and that they
    /// belong to a message.
    pub(crate) fn write(&mut self, address: u64, bytes: &[u8]) {
        assert_eq!(bytes, read(address + AWAY, bytes.len() as u16), "at {address:#x}");
        self.place(address, bytes.len() as u16);
    }

    /// Writes payload without a check of the bytes.
    pub(crate) fn place(&mut self, address: u64, bytes: u16) {
        assert!(self.written.insert(address), "{address:#x} is written twice");
        let (start, message) = self.messages.range_mut(..=address).next_back().expect("a message");
        assert!(address + u64::from(bytes) <= start + u64::from(message.length));
        message.missing -= u32::from(bytes);
    }

    /// Opens the connection again. The NIC never reports messages that are unreported at this time.
    pub(crate) fn reopen(&mut self) {
        assert!(self.open.is_empty(), "messages of before");
        self.to_report.clear();
    }

    /// Reports a message to its receiver. Checks the order, and that all bytes of the message have arrived.
    pub(crate) fn received(&mut self, received: &Received) {
        let remote = self.to_report.pop_front().expect("a message that is to be reported");
        let message = self.messages.get_mut(&remote).expect("a message");
        assert_eq!((received.immediate, message.missing), (message.id ^ 0x5555, 0));
        message.received = true;
    }

    /// Ends a work request. Checks the order, and that all bytes of a finished request have arrived.
    pub(crate) fn sent(&mut self, sent: &Sent) {
        let remote = self.open.pop_front().expect("a message that has not ended");
        let message = self.messages[&remote];
        assert_eq!(sent.id, message.id, "connection {}", self.connection);
        match sent.status {
            Status::Done => {
                assert_eq!((message.missing, message.received), (0, true), "message {}", sent.id);
                self.done += 1;
            }
            _ => self.failed += 1,
        }
    }
}
