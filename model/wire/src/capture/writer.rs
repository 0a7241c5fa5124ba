//! The writer of captures.

use std::borrow::Cow;
use std::io::{self, Write};
use std::time::Duration;

use pcap_file::pcap::{PcapHeader, PcapPacket, PcapWriter};
use pcap_file::pcapng::PcapNgWriter;
use pcap_file::pcapng::blocks::enhanced_packet::{EnhancedPacketBlock, EnhancedPacketOption};
use pcap_file::pcapng::blocks::interface_description::{
    InterfaceDescriptionBlock, InterfaceDescriptionOption,
};
use pcap_file::pcapng::blocks::section_header::{SectionHeaderBlock, SectionHeaderOption};
use pcap_file::{DataLink, Endianness, PcapError, TsResolution};

use super::frame::{Frame, MAX_FRAME_LEN};

/// Longest comment, by the 16-bit length of a pcapng option.
const MAX_COMMENT_LEN: usize = u16::MAX as usize;

/// The reason why a capture could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The file could not be written.
    #[error("cannot write the capture: {0}; check the space and the rights of the target")]
    Io(#[from] io::Error),
    /// The frame exceeds [`MAX_FRAME_LEN`], or its original length is less than its data.
    #[error(
        "frame {record} has {len} bytes of {original_len}; at most {MAX_FRAME_LEN}, and not more than were on the wire, can be written"
    )]
    Length {
        /// Number of the frame, from 1.
        record: u64,
        /// Number of bytes of data.
        len: usize,
        /// Number of bytes that the frame claims to have had on the wire.
        original_len: u32,
    },
    /// The time is too late for the format.
    #[error("frame {record} is at {time_ns} ns, after the year 2106 where pcap ends; write pcapng")]
    Time {
        /// Number of the frame, from 1.
        record: u64,
        /// Time of the frame.
        time_ns: u64,
    },
    /// The comment is too long.
    #[error("a comment has {len} bytes, pcapng has room for {MAX_COMMENT_LEN}; shorten it")]
    Comment {
        /// Number of bytes of the comment.
        len: usize,
    },
}

fn io_error(error: PcapError) -> WriteError {
    WriteError::Io(match error {
        PcapError::IoError(error) => error,
        other => io::Error::other(other),
    })
}

/// Unit of the time stamps of a pcap file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// Microseconds. The remainder is dropped.
    Micro,
    /// Nanoseconds.
    Nano,
}

enum Inner<W: Write> {
    Pcap(PcapWriter<W>),
    Pcapng(PcapNgWriter<W>),
}

/// Writes Ethernet frames as pcap or pcapng (little endian). The given writer should be buffered.
pub struct CaptureWriter<W: Write> {
    inner: Inner<W>,
    record: u64,
}

impl<W: Write> CaptureWriter<W> {
    /// Makes a writer of pcapng with nanosecond time stamps. `comment` becomes the comment of the section
    /// (none if empty). By convention the comment has lines `key=value` that record how the file was made.
    pub fn pcapng(writer: W, comment: &str) -> Result<Self, WriteError> {
        let comment = (!comment.is_empty()).then_some(comment).map(checked).transpose()?;
        let section = SectionHeaderBlock {
            endianness: Endianness::Little,
            options: comment
                .into_iter()
                .map(|text| SectionHeaderOption::Comment(Cow::Owned(text.to_owned())))
                .collect(),
            ..Default::default()
        };
        let mut writer = PcapNgWriter::with_section_header(writer, section).map_err(io_error)?;
        writer
            .write_pcapng_block(InterfaceDescriptionBlock {
                linktype: DataLink::ETHERNET,
                snaplen: MAX_FRAME_LEN as u32,
                options: vec![InterfaceDescriptionOption::IfTsResol(9)],
            })
            .map_err(io_error)?;
        Ok(Self { inner: Inner::Pcapng(writer), record: 0 })
    }

    /// Makes a writer of pcap. Comments of frames are dropped, as pcap has no place for them.
    pub fn pcap(writer: W, resolution: Resolution) -> Result<Self, WriteError> {
        let header = PcapHeader {
            endianness: Endianness::Little,
            snaplen: MAX_FRAME_LEN as u32,
            ts_resolution: match resolution {
                Resolution::Micro => TsResolution::MicroSecond,
                Resolution::Nano => TsResolution::NanoSecond,
            },
            ..Default::default()
        };
        let writer = PcapWriter::with_header(writer, header).map_err(io_error)?;
        Ok(Self { inner: Inner::Pcap(writer), record: 0 })
    }

    /// Appends a frame.
    pub fn write(&mut self, frame: &Frame) -> Result<(), WriteError> {
        self.record += 1;
        let record = self.record;
        let Frame { time_ns, original_len, ref data, ref comment } = *frame;
        if data.len() > MAX_FRAME_LEN || frame.data.len() > original_len as usize {
            return Err(WriteError::Length { record, len: data.len(), original_len });
        }
        let timestamp = Duration::from_nanos(time_ns);
        match &mut self.inner {
            Inner::Pcap(_) if timestamp.as_secs() > u32::MAX.into() => {
                Err(WriteError::Time { record, time_ns })
            }
            Inner::Pcap(writer) => {
                writer.write_packet(&PcapPacket::new(timestamp, original_len, data)).map_err(io_error)?;
                Ok(())
            }
            Inner::Pcapng(writer) => {
                let comment = comment.as_deref().map(checked).transpose()?;
                let options =
                    comment.into_iter().map(|text| EnhancedPacketOption::Comment(text.into())).collect();
                let block = EnhancedPacketBlock {
                    interface_id: 0,
                    timestamp,
                    original_len,
                    data: data.as_slice().into(),
                    options,
                };
                writer.write_pcapng_block(block).map_err(io_error)?;
                Ok(())
            }
        }
    }

    /// Flushes and returns the writer.
    pub fn finish(self) -> Result<W, WriteError> {
        let mut writer = match self.inner {
            Inner::Pcap(writer) => writer.into_writer(),
            Inner::Pcapng(writer) => writer.into_inner(),
        };
        writer.flush()?;
        Ok(writer)
    }
}

fn checked(comment: &str) -> Result<&str, WriteError> {
    if comment.len() > MAX_COMMENT_LEN {
        return Err(WriteError::Comment { len: comment.len() });
    }
    Ok(comment)
}
