//! Reasons to end a campaign early.

use weft_bench::Watch;

/// A watch between runs and in them: `false` ends the campaign.
pub(crate) struct Asked<'a>(pub(crate) &'a mut dyn FnMut() -> bool);

impl Watch for Asked<'_> {
    fn go_on(&mut self, _cycles: u64) -> bool {
        (self.0)()
    }
}
