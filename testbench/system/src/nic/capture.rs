//! Captures of the NICs' ports.

use std::io::BufWriter;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;
use weft_wire::capture::WriteError;
use weft_wire::{CaptureWriter, Frame};

/// Reason why a capture could not be written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}", path.display())]
pub struct CaptureError {
    /// The file.
    pub path: PathBuf,
    /// Error of the write.
    pub error: WriteError,
}

/// Capture of the port of a NIC, both ways, in `nic<number>.pcapng`. The file gets its name when it is
/// complete.
pub(crate) struct Tap {
    path: PathBuf,
    writer: CaptureWriter<BufWriter<NamedTempFile>>,
}

impl Tap {
    pub(crate) fn create(folder: &Path, nic: u32, comment: &str) -> Result<Self, CaptureError> {
        let path = folder.join(format!("nic{nic}.pcapng"));
        let open = || {
            std::fs::create_dir_all(folder)?;
            let mut builder = tempfile::Builder::new();
            #[cfg(unix)]
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
            let file = builder.prefix(".nic").suffix(".pcapng").tempfile_in(folder)?;
            CaptureWriter::pcapng(BufWriter::new(file), comment)
        };
        match open() {
            Ok(writer) => Ok(Self { path, writer }),
            Err(error) => Err(CaptureError { path, error }),
        }
    }

    /// Writes a frame. `note` becomes the frame's comment.
    pub(crate) fn write(
        &mut self,
        time_ns: u64,
        bytes: &[u8],
        note: Option<&str>,
    ) -> Result<(), CaptureError> {
        let frame = Frame { comment: note.map(str::to_owned), ..Frame::new(time_ns, bytes.to_vec()) };
        self.writer.write(&frame).map_err(|error| CaptureError { path: self.path.clone(), error })
    }

    pub(crate) fn finish(self) -> Result<(), CaptureError> {
        let Self { path, writer } = self;
        let close = || {
            let file = writer.finish()?.into_inner().map_err(|error| error.into_error())?;
            file.persist(&path).map_err(|error| error.error)?;
            Ok(())
        };
        close().map_err(|error| CaptureError { path: path.clone(), error })
    }
}
