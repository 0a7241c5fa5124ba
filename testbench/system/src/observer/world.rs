//! Who is on the wire: the NIC, its peers, and what their bytes are.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Connections of the NIC.
pub(super) const CONNECTIONS: u32 = 16;
/// Queue pair of connection 0.
pub(super) const QP_BASE: u32 = 0x4560;
/// The NIC's addresses.
pub(super) const OWN_V4: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 1);
pub(super) const OWN_V6: Ipv6Addr = Ipv6Addr::new(0xFD00, 0, 0, 1, 0, 0, 0, 1);
pub(super) const OWN_MAC: [u8; 6] = [2, 0, 10, 0, 0, 1];
/// Clocks of a tick, as a power of 2.
pub(super) const TICK_SHIFT: u32 = 3;
pub(super) const PSN_MASK: u32 = 0xFF_FFFF;

/// A promise of the pages that was broken, and what was seen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("({rule}) {seen}")]
pub struct Violation {
    /// The check, by its letter on the observer's page; `-` for rules of streams.
    pub rule: char,
    /// What was seen.
    pub seen: String,
}

/// What a check comes to.
pub(super) type Checked<T = ()> = Result<T, Violation>;

/// A broken promise.
pub(super) fn broken<T>(rule: char, seen: impl Into<String>) -> Checked<T> {
    // Frames may be long.
    let seen = seen.into().chars().take(600).collect();
    Err(Violation { rule, seen })
}

/// A station that connections may lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Peer {
    pub(super) address: IpAddr,
    pub(super) mac: [u8; 6],
    pub(super) tag: Option<u16>,
}

/// Peers that are told apart by one part of their address each, or by the family alone.
pub(super) fn peer(number: usize) -> Peer {
    let v6 = |upper: u16, lower: u16| IpAddr::from(Ipv6Addr::new(0xFD00, upper, 0, 0, 0, 0, 0, lower));
    let addresses = [
        Ipv4Addr::new(10, 0, 1, 1).into(),
        Ipv4Addr::new(10, 0, 1, 2).into(),
        Ipv4Addr::new(11, 0, 1, 1).into(),
        v6(1, 5),
        v6(2, 5),
        v6(1, 6),
        IpAddr::from(Ipv6Addr::new(0, 0, 0, 0, 0, 0, 0x0A00, 0x0101)),
    ];
    let number = number % PEERS;
    // A tag of VLAN 0 says a priority only.
    let tag = [None, None, Some(0x2007), None, Some(0x0FFE), Some(0xA000), Some(1)][number];
    Peer { address: addresses[number], mac: [2, 0, 10, 0, 1, number as u8], tag }
}

/// How many peers there are.
pub(super) const PEERS: usize = 7;

/// What a connection is opened with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    pub(super) index: u32,
    pub(super) peer: Peer,
    pub(super) peer_qp: u32,
    /// P_Key of what the NIC sends, and of what the peer sends.
    pub(super) pkey: u16,
    pub(super) peer_pkey: u16,
    pub(super) send_psn: u32,
    pub(super) receive_psn: u32,
    pub(super) base: u64,
    pub(super) length: u32,
    pub(super) key: u32,
    /// The key of the peer's memory, which the work requests carry.
    pub(super) remote_key: u32,
    pub(super) ev: u16,
}

/// Number of a PSN from the first one on.
pub(super) fn behind(first: u32, psn: u32) -> u32 {
    psn.wrapping_sub(first) & PSN_MASK
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// What memory holds: a byte follows from its address, and from whose memory it is.
pub(super) fn memory(owner: u64, address: u64, bytes: usize) -> Vec<u8> {
    let skip = (address % 8) as usize;
    let words = (skip + bytes).div_ceil(8) as u64;
    let first = address / 8;
    let all = (0..words).flat_map(|word| mix(mix(owner) ^ first.wrapping_add(word)).to_le_bytes());
    all.skip(skip).take(bytes).collect()
}

/// The owner of the host's own memory, and of what lies there as soon as the message has ended whose bytes they were.
pub(super) const HOST: u64 = u64::MAX;
pub(super) const REUSED: u64 = u64::MAX - 1;
