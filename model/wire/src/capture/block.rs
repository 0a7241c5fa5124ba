//! Blocks of pcapng: sections, interfaces and packets. All other blocks are skipped.
//!
//! By the draft, reserved bits and unknown options are ignored, and options may end with or without an end
//! marker. The reader reports a fault only in parts that the times or the data of packets need.

use super::frame::Frame;
use super::link::{Unusable, is_known, original_len, to_ethernet};

const NS_PER_S: u128 = 1_000_000_000;

pub(super) const SECTION: u32 = 0x0A0D_0D0A;
pub(super) const INTERFACE: u32 = 1;
pub(super) const PACKET: u32 = 2;
pub(super) const SIMPLE_PACKET: u32 = 3;
pub(super) const ENHANCED_PACKET: u32 = 6;

/// Byte order of a file or of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Big,
    Little,
}

impl Order {
    pub(super) fn word(self, bytes: &[u8], at: usize) -> Option<u32> {
        let word = bytes.get(at..at + 4)?.try_into().ok()?;
        Some(match self {
            Self::Big => u32::from_be_bytes(word),
            Self::Little => u32::from_le_bytes(word),
        })
    }

    fn half(self, bytes: &[u8], at: usize) -> Option<u16> {
        let half = bytes.get(at..at + 2)?.try_into().ok()?;
        Some(match self {
            Self::Big => u16::from_be_bytes(half),
            Self::Little => u16::from_le_bytes(half),
        })
    }

    /// A number of two words, the high word first.
    fn long(self, bytes: &[u8], at: usize) -> Option<u64> {
        Some(u64::from(self.word(bytes, at)?) << 32 | u64::from(self.word(bytes, at + 4)?))
    }

    /// One number of 64 bits.
    fn number(self, bytes: &[u8]) -> Option<u64> {
        let number = bytes.try_into().ok()?;
        Some(match self {
            Self::Big => u64::from_be_bytes(number),
            Self::Little => u64::from_le_bytes(number),
        })
    }
}

/// The complete options of a block.
fn options(order: Order, mut bytes: &[u8]) -> impl Iterator<Item = (u16, &[u8])> {
    std::iter::from_fn(move || {
        let (code, len) = (order.half(bytes, 0)?, order.half(bytes, 2)? as usize);
        let value = bytes.get(4..4 + len).filter(|_| code != 0)?;
        bytes = bytes.get(4 + len.next_multiple_of(4)..).unwrap_or_default();
        Some((code, value))
    })
}

const COMMENT: u16 = 1;

/// The comments among options. Text that is not UTF-8 is read as Latin-1.
pub(super) fn comments(order: Order, bytes: &[u8]) -> impl Iterator<Item = String> {
    let comments = options(order, bytes).filter(|(code, _)| *code == COMMENT);
    comments.map(|(_, text)| match std::str::from_utf8(text) {
        Ok(text) => text.to_owned(),
        Err(_) => text.iter().copied().map(char::from).collect(),
    })
}

/// An interface, or the reason why its packets cannot be used.
#[derive(Clone, Debug)]
pub(super) struct Interface {
    link_type: u32,
    snap_len: u32,
    /// The resolution, coded like `if_tsresol`.
    resolution: u8,
    offset_s: i64,
    wrong: Option<&'static str>,
}

impl Interface {
    /// Reads the description from the body of its block.
    pub(super) fn new(order: Order, body: &[u8]) -> Self {
        let link_type = order.half(body, 0).map(u32::from);
        let snap_len = order.word(body, 4).unwrap_or(0);
        let wrong = link_type.is_none().then_some("of an interface whose description is too short");
        let mut interface =
            Self { link_type: link_type.unwrap_or(0), snap_len, resolution: 6, offset_s: 0, wrong };
        for (code, value) in options(order, body.get(8..).unwrap_or_default()) {
            match (code, value) {
                (9, [resolution]) => interface.resolution = *resolution,
                (9, _) => interface.wrong = Some("of an interface whose time resolution has not 1 byte"),
                (14, value) => match order.number(value) {
                    Some(offset) => interface.offset_s = offset as i64,
                    None => interface.wrong = Some("of an interface whose time offset has not 8 bytes"),
                },
                _ => {}
            }
        }
        interface
    }

    /// Nanoseconds since the epoch.
    fn time_ns(&self, ticks: u64) -> Result<u64, Unusable> {
        let ticks = u128::from(ticks);
        let exponent = u32::from(self.resolution & 0x7F);
        let ns = if self.resolution & 0x80 != 0 {
            // 64 bits of ticks and 30 of nanoseconds fit in 128.
            (ticks * NS_PER_S) >> exponent
        } else if exponent <= 9 {
            ticks * 10u128.pow(9 - exponent)
        } else {
            10u128.checked_pow(exponent - 9).map_or(0, |ticks_per_ns| ticks / ticks_per_ns)
        };
        let ns = ns as i128 + i128::from(self.offset_s) * NS_PER_S as i128;
        u64::try_from(ns).map_err(|_| "whose time stamp is out of range".to_owned())
    }
}

/// The frame in the body of a packet block.
pub(super) fn to_frame(
    kind: u32,
    order: Order,
    body: &[u8],
    interfaces: &[Interface],
) -> Result<Frame, Unusable> {
    let short = || "whose data is longer than its block".to_owned();
    let word = |at| order.word(body, at).ok_or_else(short);
    let interface_of = |number: u32| {
        let interface = interfaces.get(number as usize).ok_or("whose interface is not described")?;
        match interface.wrong {
            Some(wrong) => Err(wrong.to_owned()),
            None if is_known(interface.link_type) => Ok(interface),
            None => Err(format!("of link type {}", interface.link_type)),
        }
    };
    let (interface, head, has_time) = match kind {
        ENHANCED_PACKET => (interface_of(word(0)?)?, 20, true),
        PACKET => (interface_of(order.half(body, 0).ok_or_else(short)?.into())?, 20, true),
        _ => (interface_of(0)?, 4, false),
    };
    let (data, original_len) = if has_time {
        let data = body.get(head..).and_then(|rest| rest.get(..word(12).ok()? as usize)).ok_or_else(short)?;
        (data, word(16)?)
    } else {
        let original_len = word(0)?;
        let snap_len = if interface.snap_len == 0 { u32::MAX } else { interface.snap_len };
        let rest = &body[head..];
        // Bytes beyond are padding.
        (&rest[..rest.len().min(original_len.min(snap_len) as usize)], original_len)
    };
    let time_ns = if has_time { interface.time_ns(order.long(body, 4).ok_or_else(short)?)? } else { 0 };
    let behind = (head + data.len()).next_multiple_of(4);
    let options = if has_time { body.get(behind..).unwrap_or_default() } else { &[] };
    let comment = comments(order, options).next();
    frame(interface.link_type, time_ns, original_len, data, comment)
}

/// A frame of any link that can be read.
pub(super) fn frame(
    link_type: u32,
    time_ns: u64,
    original: u32,
    data: &[u8],
    comment: Option<String>,
) -> Result<Frame, Unusable> {
    if data.len() > super::frame::MAX_FRAME_LEN {
        return Err("longer than 256 KiB".to_owned());
    }
    // Some interfaces count the FCS in one length only: the frame had at least the bytes of the capture.
    let original = original.max(data.len() as u32);
    Ok(match to_ethernet(link_type, data)? {
        None => Frame { time_ns, original_len: original, data: data.to_vec(), comment },
        Some((data, own_len)) => {
            Frame { time_ns, original_len: original_len(original, own_len), data, comment }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(resolution: u8, offset_s: i64, ticks: u64) -> Option<u64> {
        Interface { link_type: 1, snap_len: 0, resolution, offset_s, wrong: None }.time_ns(ticks).ok()
    }

    #[test]
    fn interface_resolution_is_honoured() {
        let plain = Interface::new(Order::Big, &[0, 1, 0, 0, 0, 0, 0, 0]);
        assert_eq!(plain.time_ns(5), Ok(5_000), "microseconds unless told otherwise");
        assert_eq!(at(9, 0, 5), Some(5));
        assert_eq!(at(3, 0, 5), Some(5_000_000));
        assert_eq!(at(12, 0, 5_999), Some(5));
        assert_eq!(at(0x80 | 10, 0, 1024 + 512), Some(1_500_000_000));
        assert_eq!(at(127, 0, 5), Some(0));
        assert_eq!(at(0xFF, 0, u64::MAX), Some(0));
        assert_eq!(at(6, 2, 5), Some(2_000_005_000));
        assert_eq!(at(6, -1, 5), None, "before the epoch");
        assert_eq!(at(0, 0, u64::MAX), None);
    }
}
