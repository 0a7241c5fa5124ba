//! The reader of captures.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::block::{
    ENHANCED_PACKET, INTERFACE, Interface, Order, PACKET, SECTION, SIMPLE_PACKET, comments, frame, to_frame,
};
use super::frame::{Frame, MAX_FRAME_LEN};
use super::link::{Unusable, is_known};

/// Longest pcapng block that is parsed: a frame of maximum length and its options.
const MAX_BLOCK_LEN: usize = 4 * MAX_FRAME_LEN;

const CHUNK_LEN: usize = 64 * 1024;

/// The reason why a capture could not be read. Records count from 1; 0 is the file header.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The operating system refused.
    #[error("{file}: cannot read: {source}; check the path and its rights")]
    Io {
        /// Name of the file.
        file: String,
        /// The error of the system.
        source: io::Error,
    },
    /// The file has no bytes.
    #[error("{file}: is empty; capture again, or give another file")]
    Empty {
        /// Name of the file.
        file: String,
    },
    /// The file is neither pcap nor pcapng.
    #[error("{file}: is not a capture, it begins with {magic}; give a pcap or pcapng file{hint}")]
    Format {
        /// Name of the file.
        file: String,
        /// First bytes of the file.
        magic: String,
        /// Advice if the bytes show another format.
        hint: &'static str,
    },
    /// A pcap file with a link type that is not supported.
    #[error(
        "{file}: has link type {link_type}; Ethernet (1), Linux cooked (113, 276), raw IP (101) and null (0, 108) are read, capture on such an interface"
    )]
    LinkType {
        /// Name of the file.
        file: String,
        /// Link type of the file.
        link_type: u32,
    },
    /// The file ends inside a record.
    #[error(
        "{file}: record {record} needs {need} bytes and the file has {have} more; copy the file again, or write the records before it to another one with `editcap FILE WHOLE`"
    )]
    CutOff {
        /// Name of the file.
        file: String,
        /// Number of the last record.
        record: u64,
        /// Number of bytes that the record claims.
        need: usize,
        /// Number of bytes left.
        have: usize,
    },
    /// A record claims more than [`MAX_FRAME_LEN`].
    #[error(
        "{file}: record {record} claims {len} bytes, the limit is {limit}; the file is damaged there, write the records before it to another one with `editcap FILE WHOLE`"
    )]
    TooLong {
        /// Name of the file.
        file: String,
        /// Number of the record.
        record: u64,
        /// Number of bytes that the record claims.
        len: u64,
        /// Maximum number of bytes.
        limit: usize,
    },
    /// A record that is not valid.
    #[error(
        "{file}: record {record} is damaged ({reason}); write the records before it to another file with `editcap FILE WHOLE`"
    )]
    Damaged {
        /// Name of the file.
        file: String,
        /// Number of the record.
        record: u64,
        /// The error.
        reason: String,
    },
}

/// Kind of a capture file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// pcap with microseconds.
    PcapMicro,
    /// pcap with nanoseconds.
    PcapNano,
    /// pcapng.
    Pcapng,
}

/// Bytes read ahead. The buffer grows to the requested size, which the caller limits. False lengths in a
/// damaged file have no effect on the buffer's size.
struct Buffer<R> {
    reader: R,
    bytes: Vec<u8>,
    start: usize,
}

impl<R: Read> Buffer<R> {
    /// Reads until the buffer has `len` bytes. Returns their number, which is less only at the end of the
    /// file.
    fn fill(&mut self, len: usize) -> io::Result<usize> {
        debug_assert!(len <= MAX_BLOCK_LEN);
        if self.bytes.len() - self.start < len {
            self.bytes.drain(..self.start);
            self.start = 0;
            let missing = (len - self.bytes.len()).max(CHUNK_LEN);
            (&mut self.reader).take(missing as u64).read_to_end(&mut self.bytes)?;
        }
        Ok(self.bytes.len() - self.start)
    }

    /// Skips `len` bytes. Returns their number, which is less only at the end of the file.
    fn skip(&mut self, len: usize) -> io::Result<usize> {
        let mut left = len;
        while left > 0 {
            let have = self.fill(left.min(CHUNK_LEN))?.min(left);
            if have == 0 {
                break;
            }
            self.start += have;
            left -= have;
        }
        Ok(len - left)
    }

    fn unread(&self) -> &[u8] {
        &self.bytes[self.start..]
    }
}

/// The header of the file, for the records that follow.
enum Head {
    Pcap { order: Order, nanoseconds: bool, link_type: u32 },
    Pcapng { order: Order, interfaces: Vec<Interface> },
}

/// Reads a capture frame by frame. The first bytes of the file determine the format. Frames of other link
/// types get an Ethernet header. A record that cannot be used is [left out](Self::left_out). The reader stops
/// at the first error.
pub struct CaptureReader<R> {
    file: String,
    buffer: Buffer<R>,
    head: Head,
    comments: Vec<String>,
    /// Number of records so far.
    record: u64,
    left_out: BTreeMap<String, u64>,
    done: bool,
}

impl CaptureReader<File> {
    /// Opens a file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ReadError> {
        let file = path.as_ref().display().to_string();
        match File::open(path) {
            Ok(reader) => Self::new(reader, file),
            Err(source) => Err(ReadError::Io { file, source }),
        }
    }
}

impl<R: Read> CaptureReader<R> {
    /// Reads from any source. `name` is for error messages.
    pub fn new(reader: R, name: impl Into<String>) -> Result<Self, ReadError> {
        let file = name.into();
        let mut buffer = Buffer { reader, bytes: Vec::new(), start: 0 };
        let have = match buffer.fill(24) {
            Ok(have) => have,
            Err(source) => return Err(ReadError::Io { file, source }),
        };
        let bytes = buffer.unread();
        let magic: Vec<u8> = bytes.iter().copied().take(4).collect();
        let (order, nanoseconds) = match magic[..] {
            [] => return Err(ReadError::Empty { file }),
            [0xA1, 0xB2, 0xC3, 0xD4] => (Order::Big, false),
            [0xA1, 0xB2, 0x3C, 0x4D] => (Order::Big, true),
            [0xD4, 0xC3, 0xB2, 0xA1] => (Order::Little, false),
            [0x4D, 0x3C, 0xB2, 0xA1] => (Order::Little, true),
            [0x0A, 0x0D, 0x0D, 0x0A] => {
                // The section header is read like all blocks, and gives its byte order.
                let head = Head::Pcapng { order: Order::Little, interfaces: Vec::new() };
                let mut reader = Self::with(file, buffer, head);
                reader.block()?;
                return Ok(reader);
            }
            _ => {
                let hint = match magic[..] {
                    [0x1F, 0x8B, ..] => ", unpack this one with gunzip first",
                    [0x28, 0xB5, 0x2F, 0xFD] => ", unpack this one with unzstd first",
                    [0xFD, b'7', b'z', b'X'] => ", unpack this one with unxz first",
                    _ => "",
                };
                let magic = magic.iter().map(|byte| format!("{byte:02x}")).collect();
                return Err(ReadError::Format { file, magic, hint });
            }
        };
        let Some(link_type) = order.word(bytes, 20) else {
            return Err(ReadError::CutOff { file, record: 0, need: 24, have });
        };
        // The high half of the field has the length of an FCS, which the IP length excludes.
        let link_type = link_type & 0xFFFF;
        if !is_known(link_type) {
            return Err(ReadError::LinkType { file, link_type });
        }
        buffer.start += 24;
        Ok(Self::with(file, buffer, Head::Pcap { order, nanoseconds, link_type }))
    }

    fn with(file: String, buffer: Buffer<R>, head: Head) -> Self {
        let (comments, left_out) = (Vec::new(), BTreeMap::new());
        Self { file, buffer, head, comments, record: 0, left_out, done: false }
    }

    /// Format of the file.
    pub fn format(&self) -> Format {
        match self.head {
            Head::Pcapng { .. } => Format::Pcapng,
            Head::Pcap { nanoseconds: false, .. } => Format::PcapMicro,
            Head::Pcap { nanoseconds: true, .. } => Format::PcapNano,
        }
    }

    /// Comments of the pcapng sections begun so far. A pcap file has no comments.
    pub fn comments(&self) -> &[String] {
        &self.comments
    }

    /// The value of `key` in the comments' lines `key=value`, which record how the file was made.
    pub fn provenance(&self, key: &str) -> Option<&str> {
        let lines = self.comments.iter().flat_map(|comment| comment.lines());
        lines.filter_map(|line| line.split_once('=')).find(|(name, _)| *name == key).map(|(_, value)| value)
    }

    /// Numbers of records so far that could not be used, by reason. A reason is the rest of a sentence that
    /// begins with "a record ...".
    pub fn left_out(&self) -> &BTreeMap<String, u64> {
        &self.left_out
    }

    fn damaged(&self, reason: impl ToString) -> ReadError {
        ReadError::Damaged { file: self.file.clone(), record: self.record, reason: reason.to_string() }
    }

    /// Reads `need` bytes into the buffer, or none at the end of the file.
    fn fill(&mut self, need: usize) -> Result<usize, ReadError> {
        match self.buffer.fill(need) {
            Err(source) => Err(ReadError::Io { file: self.file.clone(), source }),
            Ok(have) if have > 0 && have < need => Err(self.cut_off(need, have)),
            Ok(have) => Ok(have),
        }
    }

    fn cut_off(&self, need: usize, have: usize) -> ReadError {
        ReadError::CutOff { file: self.file.clone(), record: self.record, need, have }
    }

    /// The next frame. `None` at the end of the file.
    fn next_frame(&mut self) -> Result<Option<Frame>, ReadError> {
        loop {
            self.record += 1;
            let next = match self.head {
                Head::Pcap { order, nanoseconds, link_type } => {
                    self.next_pcap(order, nanoseconds, link_type)?
                }
                Head::Pcapng { .. } => self.next_pcapng()?,
            };
            match next {
                None => return Ok(None),
                Some(Ok(frame)) => return Ok(Some(frame)),
                Some(Err(reason)) => *self.left_out.entry(reason).or_default() += 1,
            }
        }
    }

    fn next_pcap(
        &mut self,
        order: Order,
        nanoseconds: bool,
        link_type: u32,
    ) -> Result<Option<Result<Frame, Unusable>>, ReadError> {
        if self.fill(16)? == 0 {
            return Ok(None);
        }
        let word = |bytes: &[u8], at| order.word(bytes, at).unwrap_or(0);
        let len = word(self.buffer.unread(), 8);
        if len as usize > MAX_FRAME_LEN {
            let (file, record) = (self.file.clone(), self.record);
            return Err(ReadError::TooLong { file, record, len: len.into(), limit: MAX_FRAME_LEN });
        }
        let len = 16 + len as usize;
        self.fill(len)?;
        let bytes = &self.buffer.unread()[..len];
        let (seconds, fraction) = (word(bytes, 0), word(bytes, 4));
        let (units_per_s, ns_per_unit) = if nanoseconds { (1_000_000_000, 1) } else { (1_000_000, 1_000) };
        let next = if fraction >= units_per_s {
            Err("whose time stamp has more than a second below the second".to_owned())
        } else {
            let time_ns = u64::from(seconds) * 1_000_000_000 + u64::from(fraction) * ns_per_unit;
            frame(link_type, time_ns, word(bytes, 12), &bytes[16..], None)
        };
        self.buffer.start += len;
        Ok(Some(next))
    }

    fn next_pcapng(&mut self) -> Result<Option<Result<Frame, Unusable>>, ReadError> {
        while self.fill(12)? > 0 {
            if let Some(next) = self.block()? {
                return Ok(Some(next));
            }
        }
        Ok(None)
    }

    /// Reads the next block. Returns the frame of a packet block.
    fn block(&mut self) -> Result<Option<Result<Frame, Unusable>>, ReadError> {
        self.fill(12)?;
        let Head::Pcapng { order, interfaces } = &mut self.head else { return Ok(None) };
        let bytes = self.buffer.unread();
        let word = |order: Order, at| order.word(bytes, at).unwrap_or(0);
        let kind = word(*order, 0);
        if kind == SECTION {
            // A section header has its own byte order.
            match word(Order::Big, 8) {
                0x1A2B_3C4D => *order = Order::Big,
                0x4D3C_2B1A => *order = Order::Little,
                _ => return Err(self.damaged("its byte order is unknown")),
            }
            interfaces.clear();
        }
        let order = *order;
        let len = word(order, 4);
        if len < 12 {
            return Err(self.damaged(format!("its block has {len} bytes")));
        }
        // Some writers leave the padding out of the length.
        let whole = (len as usize).next_multiple_of(4);
        if whole <= MAX_BLOCK_LEN {
            self.fill(whole)?;
        }
        let next = match &mut self.head {
            Head::Pcapng { interfaces, .. } if whole <= MAX_BLOCK_LEN => {
                let body = &self.buffer.unread()[8..whole - 4];
                match kind {
                    SECTION => {
                        self.comments.extend(comments(order, body.get(16..).unwrap_or_default()));
                        None
                    }
                    INTERFACE => {
                        interfaces.push(Interface::new(order, body));
                        None
                    }
                    _ => is_packet(kind).then(|| to_frame(kind, order, body, interfaces)),
                }
            }
            _ => is_packet(kind).then(|| Err("longer than 256 KiB".to_owned())),
        };
        let skipped = self.buffer.skip(whole - 4);
        let skipped = skipped.map_err(|source| ReadError::Io { file: self.file.clone(), source })?;
        if skipped < whole - 4 || self.fill(4)? == 0 {
            return Err(self.cut_off(whole, skipped));
        }
        if order.word(self.buffer.unread(), 0) != Some(len) {
            return Err(self.damaged("its block does not end with its length"));
        }
        self.buffer.start += 4;
        Ok(next)
    }
}

fn is_packet(kind: u32) -> bool {
    matches!(kind, PACKET | SIMPLE_PACKET | ENHANCED_PACKET)
}

impl<R: Read> Iterator for CaptureReader<R> {
    type Item = Result<Frame, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let next = self.next_frame().transpose();
        self.done = !matches!(next, Some(Ok(_)));
        next
    }
}
