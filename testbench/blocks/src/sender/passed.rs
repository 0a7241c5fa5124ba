//! Packets that need not be sent any more (rule 23 of the page).

use weft_nic::words::Passed;

/// Whether a PSN is before the lowest that is not acknowledged, by up to 512, or a larger window.
pub fn is_before(psn: u32, passed: &Passed, psns: u32) -> bool {
    let most = psns.max(512);
    psn.wrapping_sub(passed.una.into()) % (2 * most) >= most
}
