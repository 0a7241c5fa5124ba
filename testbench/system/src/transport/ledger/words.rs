//! The words of outcomes, with unwrapped PSNs, compared with the expected values.

use crate::transport::breach::Breach;

/// A PSN as its distance from the connection's first PSN; of the possible distances, the one nearest to
/// `near`.
pub(super) fn unwrapped(first: u32, near: u64, psn: u32) -> i64 {
    let there = first.wrapping_add(near as u32);
    let distance = (psn.wrapping_sub(there) << 8).cast_signed() >> 8;
    near as i64 + i64::from(distance)
}

/// `got` is `due`, or the outcome's word is wrong.
pub(super) fn same(end: &'static str, what: &'static str, got: u64, due: u64) -> Result<(), Breach> {
    if got == due { Ok(()) } else { Err(Breach::Word { end, what, got, due }) }
}
