//! Bits of `tuser` that pass with frames of other software to `m_axis_bypass`.

use crate::bits::bits_pass;
use weft_blocks::ingress::DutOf;

#[test]
fn bits_of_corundum() {
    bits_pass::<DutOf<97>>(16, |driver| driver.passed());
}

#[test]
#[ignore = "soak: a build each"]
fn the_fewest_and_the_most() {
    bits_pass::<DutOf<17>>(4, |driver| driver.passed());
    bits_pass::<DutOf<2>>(4, |driver| driver.passed());
    bits_pass::<DutOf<128>>(4, |driver| driver.passed());
}
