//! Reading and writing of capture files.

use super::error::TraceError;
use super::options::Options;
use std::collections::BTreeMap;
use std::path::Path;
use weft_wire::{CaptureReader, CaptureWriter, Frame, write_atomically};

/// Contents of a file.
pub(super) struct Capture {
    pub(super) frames: Vec<Frame>,
    /// Comments of the file's sections.
    pub(super) comments: Vec<String>,
    /// Records that could not be used, by reason.
    pub(super) left_out: BTreeMap<String, u64>,
}

/// Reads a capture.
pub(super) fn read(path: &Path, name: &str, options: &Options) -> Result<Capture, TraceError> {
    let mut reader = CaptureReader::open(path)?;
    let (mut frames, mut bytes) = (Vec::new(), 0);
    let too_large = |limit, unit| TraceError::TooLarge { file: name.to_owned(), limit, unit };
    for frame in &mut reader {
        let frame = frame?;
        bytes += frame.data.len();
        if frames.len() == options.max_frames {
            return Err(too_large(options.max_frames, "frames"));
        }
        if bytes > options.max_bytes {
            return Err(too_large(options.max_bytes, "bytes of frames"));
        }
        frames.push(frame);
    }
    let (comments, left_out) = (reader.comments().to_vec(), reader.left_out().clone());
    Ok(Capture { frames, comments, left_out })
}

/// Writes a pcapng; a failure leaves no file. `comment` describes its origin in lines `key=value`.
pub fn save(path: impl AsRef<Path>, comment: &str, frames: &[Frame]) -> Result<(), TraceError> {
    write_atomically(path, |file| {
        let mut writer = CaptureWriter::pcapng(file, comment)?;
        frames.iter().try_for_each(|frame| writer.write(frame))?;
        writer.finish()?;
        Ok(())
    })
}
