//! Capture files: pcap (microseconds and nanoseconds, both byte orders) and pcapng.
//!
//! ```
//! use weft_wire::{CaptureReader, CaptureWriter, Frame};
//! let mut writer = CaptureWriter::pcapng(Vec::new(), "tool=weft\nseed=7")?;
//! writer.write(&Frame::new(1_000, vec![0; 60]))?;
//! let file = writer.finish()?;
//!
//! let mut reader = CaptureReader::new(file.as_slice(), "made above")?;
//! assert_eq!(reader.next().unwrap()?, Frame::new(1_000, vec![0; 60]));
//! assert_eq!(reader.comments(), ["tool=weft\nseed=7"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod atomic;
mod block;
mod frame;
mod link;
mod reader;
mod writer;

pub use atomic::{cannot_write, write_atomically};
pub use frame::{Frame, MAX_FRAME_LEN};
pub use reader::{CaptureReader, Format, ReadError};
pub use writer::{CaptureWriter, Resolution, WriteError};
