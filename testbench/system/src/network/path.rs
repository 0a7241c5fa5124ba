//! Paths of packets, and times of a path's fault.

use super::header::Route;
use std::net::IpAddr;
use std::ops::Range;
use weft_random::Rng;

/// [`path_of`] as a formula, for readers of a trace.
pub(crate) const PATH_HASH: &str = "(ev * 40503 mod 65536) * paths / 65536";

/// Path of an entropy value. This hash replaces a switch's ECMP hash (Fibonacci hashing).
pub fn path_of(ev: u16, paths: u32) -> u32 {
    (u32::from(ev.wrapping_mul(40_503)) * paths) >> 16
}

/// Path that a switch's ECMP chooses for a packet: a hash of the addresses, the UDP source port and the
/// switch's own salt. (Protocol and destination port are the same in all RoCEv2 packets.)
pub(crate) fn choose(salt: u64, route: &Route, paths: u32) -> u32 {
    let words = |address: IpAddr| match address {
        IpAddr::V4(address) => [0, u64::from(u32::from(address))],
        IpAddr::V6(address) => [(u128::from(address) >> 64) as u64, u128::from(address) as u64],
    };
    let [[a, b], [c, d]] = [route.source, route.destination].map(words);
    let hash =
        [a, b, c, d, route.ev.into()].into_iter().fold(salt, |hash, word| Rng::new(hash ^ word).draw());
    ((u128::from(hash) * u128::from(paths)) >> 64) as u32
}

/// Whether a packet in transit from `sent` to `arrives` meets a fault.
pub(crate) fn meets(fault: &Range<u64>, sent: u64, arrives: u64) -> bool {
    fault.start <= arrives && sent < fault.end
}
