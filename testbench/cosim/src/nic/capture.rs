//! Captures of the NICs' ports.

use super::figures::CLOCK_NS;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use weft_wire::capture::WriteError;
use weft_wire::{CaptureWriter, Frame};

/// Why a capture could not be written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}", path.display())]
pub struct CaptureError {
    /// The file.
    pub path: PathBuf,
    /// What was wrong.
    pub error: WriteError,
}

/// What crosses the port of a NIC, both ways, in `nic<number>.pcapng`; the time stamps are those of the last byte.
pub(super) struct Tap {
    path: PathBuf,
    writer: CaptureWriter<BufWriter<File>>,
}

impl Tap {
    pub(super) fn create(folder: &Path, nic: u32, comment: &str) -> Result<Self, CaptureError> {
        let path = folder.join(format!("nic{nic}.pcapng"));
        let open = || {
            std::fs::create_dir_all(folder)?;
            CaptureWriter::pcapng(BufWriter::new(File::create(&path)?), comment)
        };
        match open() {
            Ok(writer) => Ok(Self { path, writer }),
            Err(error) => Err(CaptureError { path, error }),
        }
    }

    /// `note` becomes the frame's comment.
    pub(super) fn write(&mut self, clock: u64, bytes: &[u8], note: Option<&str>) -> Result<(), CaptureError> {
        let frame =
            Frame { comment: note.map(str::to_owned), ..Frame::new(clock * CLOCK_NS, bytes.to_vec()) };
        self.writer.write(&frame).map_err(|error| CaptureError { path: self.path.clone(), error })
    }

    pub(super) fn finish(self) -> Result<(), CaptureError> {
        let Self { path, writer } = self;
        writer.finish().map(drop).map_err(|error| CaptureError { path, error })
    }
}
