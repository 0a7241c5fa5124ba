//! Paths: which one a packet takes, and when one is at fault.

use super::header::Route;
use std::net::IpAddr;
use std::ops::Range;
use weft_random::Rng;

/// [`path_of`] in words, for whoever reads a trace.
pub(crate) const PATH_HASH: &str = "(ev * 40503 mod 65536) * paths / 65536";

/// The path of an entropy value: what a switch's ECMP hash is here (Fibonacci hashing).
pub fn path_of(ev: u16, paths: u32) -> u32 {
    (u32::from(ev.wrapping_mul(40_503)) * paths) >> 16
}

/// The path that a switch's ECMP chooses for a packet: a hash of its addresses and UDP source port, and of a salt that
/// is the switch's own. (Protocol and destination port are the same in all RoCEv2 packets.)
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

/// What is under way from `sent` to `arrives` is there while a fault lasts.
pub(crate) fn meets(fault: &Range<u64>, sent: u64, arrives: u64) -> bool {
    fault.start <= arrives && sent < fault.end
}
