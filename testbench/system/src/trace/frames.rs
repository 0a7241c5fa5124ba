//! The frames of a capture, in memory or in a file that is read again for each pass.

use super::capture::Capture;
use super::error::TraceError;
use std::collections::BTreeMap;
use std::path::Path;
use weft_wire::{CaptureReader, Frame};

/// Frames that can be read more than once.
pub(super) trait Frames {
    /// Shows each frame. Returns the numbers of unusable records, by reason.
    fn each(&self, see: &mut dyn FnMut(&Frame)) -> Result<BTreeMap<String, u64>, TraceError>;
}

impl Frames for Capture {
    fn each(&self, see: &mut dyn FnMut(&Frame)) -> Result<BTreeMap<String, u64>, TraceError> {
        self.frames.iter().for_each(see);
        Ok(self.left_out.clone())
    }
}

impl Frames for Path {
    fn each(&self, see: &mut dyn FnMut(&Frame)) -> Result<BTreeMap<String, u64>, TraceError> {
        let mut reader = CaptureReader::open(self)?;
        for frame in &mut reader {
            see(&frame?);
        }
        Ok(reader.left_out().clone())
    }
}
