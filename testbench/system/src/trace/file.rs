//! A capture and the meaning of its packets.

use super::analysis::analyse;
use super::capture::{Capture, read};
use super::error::TraceError;
use super::options::Options;
use super::provenance::Provenance;
use super::step::Step;
use super::summary::Summary;
use std::path::Path;
use weft_wire::Frame;

/// A capture, held in memory, and the meaning of its packets.
#[derive(Clone, Debug)]
pub struct Trace {
    pub(super) options: Options,
    pub(super) comments: Vec<String>,
    provenance: Provenance,
    pub(super) frames: Vec<Frame>,
    pub(super) steps: Vec<Step>,
    pub(super) summary: Summary,
}

impl Trace {
    /// Reads a capture and finds its connections.
    pub fn open(path: impl AsRef<Path>, options: &Options) -> Result<Self, TraceError> {
        let name = path.as_ref().display().to_string();
        Self::of(&name, read(path.as_ref(), &name, options)?, options)
    }

    /// Like [`Self::open`] for frames in memory. Error messages begin with `name`.
    pub fn of_frames(
        name: &str,
        frames: Vec<Frame>,
        comments: Vec<String>,
        options: &Options,
    ) -> Result<Self, TraceError> {
        Self::of(name, Capture { frames, comments, left_out: Default::default() }, options)
    }

    fn of(name: &str, capture: Capture, options: &Options) -> Result<Self, TraceError> {
        if options.tick_ns == 0 {
            return Err(TraceError::Tick);
        }
        let provenance = Provenance::of_comments(&capture.comments);
        let mut steps = Vec::new();
        let summary = analyse(name, &capture, options, &mut |step| steps.push(step))?;
        let Capture { frames, comments, .. } = capture;
        Ok(Self { options: *options, comments, provenance, frames, steps, summary })
    }

    /// The frames as captured.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// Steps of the connections, in the order of the capture.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Counts of the capture.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Origin of the capture, from its comments.
    pub fn provenance(&self) -> &Provenance {
        &self.provenance
    }

    /// The seed of the block's random numbers: that of the options, else that of the capture, else 1.
    pub fn seed(&self) -> u32 {
        self.options.seed.or(self.provenance.seed).unwrap_or(1)
    }
}

impl Summary {
    /// Summary of a capture of any size. The file is read three times, and the memory does not grow with its
    /// packets. A source that can be read only once, such as a pipe, is stored in memory as by
    /// [`Trace::open`].
    pub fn of_file(path: impl AsRef<Path>, options: &Options) -> Result<Self, TraceError> {
        let path = path.as_ref();
        if !path.is_file() {
            return Ok(Trace::open(path, options)?.summary().clone());
        }
        if options.tick_ns == 0 {
            return Err(TraceError::Tick);
        }
        analyse(&path.display().to_string(), path, options, &mut |_| {})
    }
}
