//! Reading captures.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use byteorder_slice::{BigEndian, LittleEndian};
use pcap_file::pcap::PcapParser;
use pcap_file::pcapng::PcapNgParser;
use pcap_file::{DataLink, Endianness, TsResolution};

use super::block::{NS_PER_S, Refused, section_comments, to_frame};
use super::frame::{Frame, MAX_FRAME_LEN};

/// Longest pcapng block: a frame of the longest kind and its options, or decryption secrets.
const MAX_BLOCK_LEN: usize = 4 * MAX_FRAME_LEN;

/// Longest unit that is ever buffered.
const MAX_UNIT_LEN: usize = MAX_BLOCK_LEN;

const CHUNK_LEN: usize = 64 * 1024;

/// Why a capture could not be read. Records are counted from 1; 0 is the file header.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The operating system refused.
    #[error("{file}: cannot read: {source}; check the path and its rights")]
    Io {
        /// Name of the file.
        file: String,
        /// What it said.
        source: io::Error,
    },
    /// The file has no bytes.
    #[error("{file}: is empty; capture again, or give another file")]
    Empty {
        /// Name of the file.
        file: String,
    },
    /// Neither pcap nor pcapng.
    #[error("{file}: is not a capture, it begins with {magic}; give a pcap or pcapng file{hint}")]
    Format {
        /// Name of the file.
        file: String,
        /// Its first bytes.
        magic: String,
        /// What else to do, when the bytes tell.
        hint: &'static str,
    },
    /// The capture is not of Ethernet.
    #[error(
        "{file}: record {record} has link type {link_type}, not Ethernet (1); capture on an Ethernet interface"
    )]
    LinkType {
        /// Name of the file.
        file: String,
        /// Record that tells.
        record: u64,
        /// Its link type.
        link_type: u32,
    },
    /// The file ends inside a record.
    #[error(
        "{file}: record {record} needs {need} bytes and the file has {have} more; the records before it are whole, copy the file again or go on with those"
    )]
    CutOff {
        /// Name of the file.
        file: String,
        /// Record at the end.
        record: u64,
        /// Bytes the record claims.
        need: usize,
        /// Bytes left.
        have: usize,
    },
    /// A record claims more than [`MAX_FRAME_LEN`].
    #[error(
        "{file}: record {record} claims {len} bytes, the limit is {limit}; the file is damaged there, the records before it are whole"
    )]
    TooLong {
        /// Name of the file.
        file: String,
        /// The record.
        record: u64,
        /// Bytes it claims.
        len: u64,
        /// Bytes it may claim.
        limit: usize,
    },
    /// A record that makes no sense.
    #[error(
        "{file}: record {record} is damaged ({reason}); the records before it are whole, rewriting the file with `editcap` may repair it"
    )]
    Damaged {
        /// Name of the file.
        file: String,
        /// The record.
        record: u64,
        /// What is wrong with it.
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

/// Bytes read ahead. It grows to the unit asked for, which the caller bounds, never to what a damaged
/// file claims.
struct Buffer<R> {
    reader: R,
    bytes: Vec<u8>,
    start: usize,
}

impl<R: Read> Buffer<R> {
    /// Tries to have `len` bytes; tells how many there are, less only at the end of the file.
    fn fill(&mut self, len: usize) -> io::Result<usize> {
        debug_assert!(len <= MAX_UNIT_LEN);
        if self.bytes.len() - self.start < len {
            self.bytes.drain(..self.start);
            self.start = 0;
            let missing = (len - self.bytes.len()).max(CHUNK_LEN);
            (&mut self.reader).take(missing as u64).read_to_end(&mut self.bytes)?;
        }
        Ok(self.bytes.len() - self.start)
    }

    fn unread(&self) -> &[u8] {
        &self.bytes[self.start..]
    }
}

enum Parser {
    Pcap(PcapParser),
    Pcapng(PcapNgParser),
}

/// Reads a capture frame by frame; the format is told by the first bytes of the file. After an error
/// there is nothing more to read.
pub struct CaptureReader<R> {
    file: String,
    buffer: Buffer<R>,
    parser: Parser,
    comments: Vec<String>,
    /// Frames so far.
    record: u64,
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
    /// Reads from anything; `name` stands in error messages.
    pub fn new(reader: R, name: impl Into<String>) -> Result<Self, ReadError> {
        let file = name.into();
        let mut buffer = Buffer { reader, bytes: Vec::new(), start: 0 };
        let have = match buffer.fill(24) {
            Ok(have) => have,
            Err(source) => return Err(ReadError::Io { file, source }),
        };
        let head = buffer.unread();
        let magic: Vec<u8> = head.iter().copied().take(4).collect();
        match magic[..] {
            [] => return Err(ReadError::Empty { file }),
            [0xA1, 0xB2, 0xC3, 0xD4] | [0xA1, 0xB2, 0x3C, 0x4D] => {}
            [0xD4, 0xC3, 0xB2, 0xA1] | [0x4D, 0x3C, 0xB2, 0xA1] => {}
            [0x0A, 0x0D, 0x0D, 0x0A] => return Self::pcapng(file, buffer),
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
        }
        let parser = match PcapParser::new(head) {
            Ok((_, parser)) => parser,
            Err(_) => return Err(ReadError::CutOff { file, record: 0, need: 24, have }),
        };
        // The high half of the field tells the length of an FCS, which the IP length leaves out.
        let link_type = u32::from(parser.header().datalink) & 0xFFFF;
        if link_type != u32::from(DataLink::ETHERNET) {
            return Err(ReadError::LinkType { file, record: 0, link_type });
        }
        buffer.start += 24;
        Ok(Self { file, buffer, parser: Parser::Pcap(parser), comments: vec![], record: 0, done: false })
    }

    fn pcapng(file: String, mut buffer: Buffer<R>) -> Result<Self, ReadError> {
        let len = block_len(&mut buffer, &file, 0, None)?;
        match PcapNgParser::new(&buffer.unread()[..len]) {
            Ok((_, parser)) => {
                buffer.start += len;
                let comments = section_comments(&parser);
                Ok(Self { file, buffer, parser: Parser::Pcapng(parser), comments, record: 0, done: false })
            }
            Err(error) => Err(ReadError::Damaged { file, record: 0, reason: error.to_string() }),
        }
    }

    /// Kind of the file.
    pub fn format(&self) -> Format {
        match &self.parser {
            Parser::Pcapng(_) => Format::Pcapng,
            Parser::Pcap(parser) => match parser.header().ts_resolution {
                TsResolution::MicroSecond => Format::PcapMicro,
                TsResolution::NanoSecond => Format::PcapNano,
            },
        }
    }

    /// Comments of the pcapng sections begun so far, none for pcap.
    pub fn comments(&self) -> &[String] {
        &self.comments
    }

    /// The value of `key` in the lines `key=value` of the comments: how the file came to be.
    pub fn provenance(&self, key: &str) -> Option<&str> {
        let lines = self.comments.iter().flat_map(|comment| comment.lines());
        lines.filter_map(|line| line.split_once('=')).find(|(name, _)| *name == key).map(|(_, value)| value)
    }

    fn damaged(&self, reason: impl ToString) -> ReadError {
        ReadError::Damaged { file: self.file.clone(), record: self.record, reason: reason.to_string() }
    }

    /// `None` at the end of the file.
    fn next_frame(&mut self) -> Result<Option<Frame>, ReadError> {
        self.record += 1;
        match self.parser {
            Parser::Pcap(_) => self.next_pcap(),
            Parser::Pcapng(_) => self.next_pcapng(),
        }
    }

    fn next_pcap(&mut self) -> Result<Option<Frame>, ReadError> {
        let Parser::Pcap(parser) = &self.parser else { return Ok(None) };
        let header = parser.header();
        if fill(&mut self.buffer, &self.file, self.record, 16)? == 0 {
            return Ok(None);
        }
        let word = length_word(self.buffer.unread(), 8, header.endianness);
        if word as usize > MAX_FRAME_LEN {
            return Err(ReadError::TooLong {
                file: self.file.clone(),
                record: self.record,
                len: word.into(),
                limit: MAX_FRAME_LEN,
            });
        }
        let len = 16 + word as usize;
        fill(&mut self.buffer, &self.file, self.record, len)?;
        // The raw form: pcap-file refuses frames whose original length exceeds the snap length, which
        // is what every cut-off frame has.
        let (_, packet) = match parser.next_raw_packet(&self.buffer.unread()[..len]) {
            Ok(packet) => packet,
            Err(error) => return Err(self.damaged(error)),
        };
        let (units_per_s, ns_per_unit) = match header.ts_resolution {
            TsResolution::MicroSecond => (1_000_000, 1000),
            TsResolution::NanoSecond => (1_000_000_000, 1),
        };
        if packet.ts_frac >= units_per_s {
            return Err(self.damaged("its time stamp has more than a second below the second"));
        }
        if packet.orig_len < packet.incl_len {
            return Err(self.damaged("more was captured than was on the wire"));
        }
        let frame = Frame {
            time_ns: u64::from(packet.ts_sec) * NS_PER_S as u64 + u64::from(packet.ts_frac) * ns_per_unit,
            original_len: packet.orig_len,
            data: packet.data.to_vec(),
            comment: None,
        };
        self.buffer.start += len;
        Ok(Some(frame))
    }

    fn next_pcapng(&mut self) -> Result<Option<Frame>, ReadError> {
        loop {
            let Parser::Pcapng(parser) = &mut self.parser else { return Ok(None) };
            if fill(&mut self.buffer, &self.file, self.record, 12)? == 0 {
                return Ok(None);
            }
            let endianness = parser.section().endianness;
            let len = block_len(&mut self.buffer, &self.file, self.record, Some(endianness))?;
            let unread = &self.buffer.unread()[..len];
            let parsed = parser.next_raw_block(unread).and_then(|(_, raw)| match raw.type_ {
                SECTION => {
                    self.comments.extend(section_comments(parser));
                    Ok(None)
                }
                // The other blocks are of no use here, and are not parsed so that they cannot fail.
                PACKET | SIMPLE_PACKET | ENHANCED_PACKET => match endianness {
                    Endianness::Big => raw.try_into_block::<BigEndian>(),
                    Endianness::Little => raw.try_into_block::<LittleEndian>(),
                }
                .map(Some),
                _ => Ok(None),
            });
            let frame = match parsed {
                Ok(None) => None,
                Ok(Some(block)) => match to_frame(block, parser.interfaces(), endianness) {
                    Ok(frame) => Some(frame),
                    Err(Refused::LinkType(link_type)) => {
                        let file = self.file.clone();
                        return Err(ReadError::LinkType { file, record: self.record, link_type });
                    }
                    Err(Refused::Damaged(reason)) => return Err(self.damaged(reason)),
                },
                Err(error) => return Err(self.damaged(error)),
            };
            self.buffer.start += len;
            if frame.is_some() {
                return Ok(frame);
            }
        }
    }
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

const SECTION: u32 = 0x0A0D_0D0A;
const PACKET: u32 = 2;
const SIMPLE_PACKET: u32 = 3;
const ENHANCED_PACKET: u32 = 6;

/// Has `need` bytes in the buffer, or none at the end of the file.
fn fill<R: Read>(buffer: &mut Buffer<R>, file: &str, record: u64, need: usize) -> Result<usize, ReadError> {
    match buffer.fill(need) {
        Err(source) => Err(ReadError::Io { file: file.to_owned(), source }),
        Ok(have) if have > 0 && have < need => {
            Err(ReadError::CutOff { file: file.to_owned(), record, need, have })
        }
        Ok(have) => Ok(have),
    }
}

fn length_word(bytes: &[u8], at: usize, endianness: Endianness) -> u32 {
    let word = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
    match endianness {
        Endianness::Big => u32::from_be_bytes(word),
        Endianness::Little => u32::from_le_bytes(word),
    }
}

/// Has the whole next block in the buffer and tells its length. A section header brings its own byte
/// order.
fn block_len<R: Read>(
    buffer: &mut Buffer<R>,
    file: &str,
    record: u64,
    endianness: Option<Endianness>,
) -> Result<usize, ReadError> {
    fill(buffer, file, record, 12)?;
    let head = buffer.unread();
    let endianness = match (endianness, &head[..4], &head[8..12]) {
        (_, [0x0A, 0x0D, 0x0D, 0x0A], [0x4D, ..]) => Endianness::Little,
        (_, [0x0A, 0x0D, 0x0D, 0x0A], _) => Endianness::Big,
        (endianness, ..) => endianness.unwrap_or(Endianness::Big),
    };
    let len = length_word(head, 4, endianness);
    if len as usize > MAX_BLOCK_LEN {
        let file = file.to_owned();
        return Err(ReadError::TooLong { file, record, len: len.into(), limit: MAX_BLOCK_LEN });
    }
    // A length below the 12 bytes of an empty block is left for the parser to refuse.
    let len = (len as usize).max(12);
    fill(buffer, file, record, len)?;
    Ok(len)
}
