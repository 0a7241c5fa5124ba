//! A progress bar, on a terminal only, and the end of a run on Ctrl-C.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use weft_cosim::lockstep::Watch;

/// Shows how far a run is.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// For a run of `clocks` clocks.
    pub(crate) fn new(clocks: u64) -> Self {
        let target = if std::io::stderr().is_terminal() {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let style =
            ProgressStyle::with_template("{bar:40} {human_pos}/{human_len} clocks, {per_sec}, {eta} left")
                .expect("a valid template");
        Self(ProgressBar::with_draw_target(Some(clocks), target).with_style(style))
    }
}

impl Watch for Progress {
    fn go_on(&mut self, cycles: u64) -> bool {
        self.0.set_position(cycles);
        true
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
