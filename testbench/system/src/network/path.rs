//! Paths: which one a packet takes, and when one is at fault.

use std::ops::Range;

/// [`path_of`] in words, for whoever reads a trace.
pub(crate) const PATH_HASH: &str = "(ev * 40503 mod 65536) * paths / 65536";

/// The path of an entropy value: what a switch's ECMP hash is here (Fibonacci hashing).
pub fn path_of(ev: u16, paths: u32) -> u32 {
    (u32::from(ev.wrapping_mul(40_503)) * paths) >> 16
}

/// What is under way from `sent` to `arrives` is there while a fault lasts.
pub(crate) fn meets(fault: &Range<u64>, sent: u64, arrives: u64) -> bool {
    fault.start <= arrives && sent < fault.end
}
