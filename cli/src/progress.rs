//! A progress bar, on a terminal only, and the end of a run on Ctrl-C.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use weft_bench::Watch;

/// Shows the progress of a run.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// The progress of a run of `clocks` clocks.
    pub(crate) fn new(clocks: u64) -> Self {
        Self::of(clocks, "clocks")
    }

    /// The progress of a run with a number of messages.
    pub(crate) fn of_messages(messages: u64) -> Self {
        Self::of(messages, "messages")
    }

    /// The progress of a run with a number of ends of flows.
    pub(crate) fn of_flows(ends: u64) -> Self {
        Self::of(ends, "ends of flows")
    }

    /// The progress of a number of runs.
    pub(crate) fn of_runs(runs: u64) -> Self {
        Self::of(runs, "runs")
    }

    /// The progress of a number of faults.
    pub(crate) fn of_faults(faults: u64) -> Self {
        Self::of(faults, "faults")
    }

    /// Counts a finished run; several threads may call this.
    pub(crate) fn one_more(&self) {
        self.0.inc(1);
    }

    fn of(length: u64, what: &str) -> Self {
        let target = if std::io::stderr().is_terminal() {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let template = format!("{{bar:40}} {{human_pos}}/{{human_len}} {what}, {{per_sec}}, {{eta}} left");
        let style = ProgressStyle::with_template(&template).expect("a valid template");
        Self(ProgressBar::with_draw_target(Some(length), target).with_style(style))
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
