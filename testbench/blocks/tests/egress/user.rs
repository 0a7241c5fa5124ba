//! Bits of `tuser` that pass with frames of other software to `m_axis_net`. Frames of the NIC have none of
//! these bits.

use crate::bits::bits_pass;
use weft_blocks::egress::DutOf;

#[test]
fn tags_and_time_stamps() {
    bits_pass::<DutOf<97>>(16, |driver| driver.passed());
}

#[test]
#[ignore = "soak: a build each"]
fn as_many_as_can_be_and_one() {
    bits_pass::<DutOf<17>>(4, |driver| driver.passed());
    bits_pass::<DutOf<128>>(4, |driver| driver.passed());
    bits_pass::<DutOf<2>>(4, |driver| driver.passed());
}
