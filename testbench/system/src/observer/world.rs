//! Stations on the wire: the NIC and its peers, and the contents of their memory.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Connections of the NIC.
pub(super) const CONNECTIONS: u32 = 16;
/// Queue pair of connection 0.
pub(super) const QP_BASE: u32 = 0x4560;
/// The NIC's addresses.
pub(super) const OWN_V4: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 1);
pub(super) const OWN_V6: Ipv6Addr = Ipv6Addr::new(0xFD00, 0, 0, 1, 0, 0, 0, 1);
pub(super) const OWN_MAC: [u8; 6] = [2, 0, 10, 0, 0, 1];
/// Log2 of the clocks of a tick.
pub(super) const TICK_SHIFT: u32 = 3;
pub(super) const PSN_MASK: u32 = 0xFF_FFFF;

/// A promise of the pages that was broken, and the observation that shows it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("({rule}) {seen}")]
pub struct Violation {
    /// The check, by its letter on the observer's page; `-` for rules of streams.
    pub rule: char,
    /// The observation.
    pub seen: String,
}

/// Result of a check.
pub(super) type Checked<T = ()> = Result<T, Violation>;

/// Reports a broken promise.
pub(super) fn broken<T>(rule: char, seen: impl Into<String>) -> Checked<T> {
    // Frames may be long.
    let seen = seen.into().chars().take(600).collect();
    Err(Violation { rule, seen })
}

/// A station to which connections may lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Peer {
    pub(super) address: IpAddr,
    pub(super) mac: [u8; 6],
    pub(super) tag: Option<u16>,
}

/// Peers of which each differs from another in one part of the address, or only in the address family.
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
    // A tag of VLAN 0 carries a priority only.
    let tag = [None, None, Some(0x2007), None, Some(0x0FFE), Some(0xA000), Some(1)][number];
    Peer { address: addresses[number], mac: [2, 0, 10, 0, 1, number as u8], tag }
}

/// Number of peers.
pub(super) const PEERS: usize = 7;

/// Parameters with which a connection is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    pub(super) index: u32,
    pub(super) peer: Peer,
    pub(super) peer_qp: u32,
    /// P_Key of the frames that the NIC sends, and of those that the peer sends.
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

/// Number of a PSN, counted from the first one.
pub(super) fn behind(first: u32, psn: u32) -> u32 {
    psn.wrapping_sub(first) & PSN_MASK
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Contents of memory: each byte follows from its address and from the owner of the memory.
pub(super) fn memory(owner: u64, address: u64, bytes: usize) -> Vec<u8> {
    let skip = (address % 8) as usize;
    let words = (skip + bytes).div_ceil(8) as u64;
    let first = address / 8;
    let all = (0..words).flat_map(|word| mix(mix(owner) ^ first.wrapping_add(word)).to_le_bytes());
    all.skip(skip).take(bytes).collect()
}

/// Owner of the host's own memory, and owner of the bytes that replace the bytes of a message after the
/// message has ended.
pub(super) const HOST: u64 = u64::MAX;
pub(super) const REUSED: u64 = u64::MAX - 1;
