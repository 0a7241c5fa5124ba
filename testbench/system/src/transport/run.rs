//! The runs of the channel.

use super::bench::{Bench, wave_of};
use super::end::View;
use super::error::TransportError;
use super::figures::{Ending, Figures};
use super::setting::Transport;
use std::path::{Path, PathBuf};
use weft_bench::Block;
use weft_bench::session::WAVE_CLOCKS;
use weft_blocks::{sack_rx, sack_tx};

impl Transport {
    /// Runs to the end. Calls `go_on` at intervals with the progress; `false` stops the run.
    pub fn run(&self, go_on: impl FnMut(&Figures) -> bool) -> Result<Ending, TransportError> {
        self.check()?;
        Bench::new(self, None)?.run(go_on)
    }

    /// Runs the first `clocks` clocks again. For every end that has RTL, records the last [`WAVE_CLOCKS`] of
    /// them in `path`, with the name of the module before its extension. Gives back the files.
    pub fn record(&self, clocks: u64, path: &Path) -> Result<Vec<PathBuf>, TransportError> {
        self.check()?;
        let bench = Bench::new(self, Some((clocks.saturating_sub(WAVE_CLOCKS), path)))?;
        match bench.run(|figures| figures.clocks < clocks) {
            // The run ends as it did before.
            Ok(_) | Err(TransportError::Mismatch { .. } | TransportError::Fault(_)) => {}
            Err(error) => return Err(error),
        }
        let ends = [(self.sender, sack_tx::Dut::TOP), (self.receiver, sack_rx::Dut::TOP)];
        let recorded = ends.into_iter().filter(|(view, _)| *view != View::Model);
        Ok(recorded.map(|(_, top)| wave_of(path, top)).collect())
    }
}
