//! Blocks of pcapng as frames.

use super::frame::{Frame, MAX_FRAME_LEN};
use pcap_file::pcapng::blocks::enhanced_packet::EnhancedPacketOption;
use pcap_file::pcapng::blocks::interface_description::{
    InterfaceDescriptionBlock, InterfaceDescriptionOption,
};
use pcap_file::pcapng::blocks::packet::PacketOption;
use pcap_file::pcapng::blocks::section_header::SectionHeaderOption;
use pcap_file::pcapng::{Block, PcapNgParser};
use pcap_file::{DataLink, Endianness};

pub(super) const NS_PER_S: u128 = 1_000_000_000;

/// The comments of the section that is being read.
pub(super) fn section_comments(parser: &PcapNgParser) -> Vec<String> {
    let options = parser.section().options.iter();
    let comments = options.filter_map(|option| match option {
        SectionHeaderOption::Comment(comment) => Some(comment.clone().into_owned()),
        _ => None,
    });
    comments.collect()
}

/// Why a block is no frame.
pub(super) enum Refused {
    LinkType(u32),
    Damaged(&'static str),
}

/// The frame in a block.
pub(super) fn to_frame(
    block: Block<'_>,
    interfaces: &[InterfaceDescriptionBlock<'_>],
    endianness: Endianness,
) -> Result<Frame, Refused> {
    let interface_of = |id: u32| {
        let interface =
            interfaces.get(id as usize).ok_or(Refused::Damaged("its interface is not described"))?;
        match interface.linktype {
            DataLink::ETHERNET => Ok(interface),
            other => Err(Refused::LinkType(other.into())),
        }
    };
    let frame = match block {
        Block::EnhancedPacket(packet) => Frame {
            // pcap-file hands out the bare count of ticks as if they were nanoseconds.
            time_ns: time_ns(interface_of(packet.interface_id)?, packet.timestamp.as_nanos())?,
            original_len: packet.original_len,
            data: packet.data.into_owned(),
            comment: packet.options.into_iter().find_map(|option| match option {
                EnhancedPacketOption::Comment(comment) => Some(comment.into_owned()),
                _ => None,
            }),
        },
        Block::SimplePacket(packet) => {
            let interface = interface_of(0)?;
            let snap_len = if interface.snaplen == 0 { u32::MAX } else { interface.snaplen };
            let mut data = packet.data.into_owned();
            // What is beyond is padding.
            data.truncate(packet.original_len.min(snap_len) as usize);
            Frame { time_ns: 0, original_len: packet.original_len, data, comment: None }
        }
        Block::Packet(packet) => {
            // Two words, high first; pcap-file reads them as one 64-bit number.
            let ticks = match endianness {
                Endianness::Big => packet.timestamp,
                Endianness::Little => packet.timestamp.rotate_left(32),
            };
            Frame {
                time_ns: time_ns(interface_of(packet.interface_id.into())?, ticks.into())?,
                original_len: packet.original_len,
                data: packet.data.into_owned(),
                comment: packet.options.into_iter().find_map(|option| match option {
                    PacketOption::Comment(comment) => Some(comment.into_owned()),
                    _ => None,
                }),
            }
        }
        _ => return Err(Refused::Damaged("not a packet")),
    };
    if frame.data.len() > MAX_FRAME_LEN {
        return Err(Refused::Damaged("its frame is longer than 256 KiB"));
    }
    if frame.data.len() > frame.original_len as usize {
        return Err(Refused::Damaged("more was captured than was on the wire"));
    }
    Ok(frame)
}

/// Nanoseconds since the epoch, by the interface's time-stamp resolution and offset.
fn time_ns(interface: &InterfaceDescriptionBlock<'_>, ticks: u128) -> Result<u64, Refused> {
    let mut resolution = 6;
    let mut offset_s = 0;
    for option in &interface.options {
        match *option {
            InterfaceDescriptionOption::IfTsResol(value) => resolution = value,
            InterfaceDescriptionOption::IfTsOffset(value) => offset_s = value as i64,
            _ => {}
        }
    }
    let exponent = u32::from(resolution & 0x7F);
    let ns = if resolution & 0x80 != 0 {
        // 64 bits of ticks and 30 of nanoseconds fit in 128.
        (ticks * NS_PER_S) >> exponent
    } else if exponent <= 9 {
        ticks * 10u128.pow(9 - exponent)
    } else {
        10u128.checked_pow(exponent - 9).map_or(0, |ticks_per_ns| ticks / ticks_per_ns)
    };
    let ns = ns as i128 + i128::from(offset_s) * NS_PER_S as i128;
    u64::try_from(ns).map_err(|_| Refused::Damaged("its time stamp is out of range"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interface(options: Vec<InterfaceDescriptionOption<'static>>) -> InterfaceDescriptionBlock<'static> {
        InterfaceDescriptionBlock { linktype: DataLink::ETHERNET, snaplen: 0, options }
    }

    fn at(options: Vec<InterfaceDescriptionOption<'static>>, ticks: u128) -> Option<u64> {
        time_ns(&interface(options), ticks).ok()
    }

    #[test]
    fn interface_resolution_is_honoured() {
        use InterfaceDescriptionOption::{IfTsOffset, IfTsResol};
        assert_eq!(at(vec![], 5), Some(5_000), "microseconds unless told otherwise");
        assert_eq!(at(vec![IfTsResol(9)], 5), Some(5));
        assert_eq!(at(vec![IfTsResol(3)], 5), Some(5_000_000));
        assert_eq!(at(vec![IfTsResol(12)], 5_999), Some(5));
        assert_eq!(at(vec![IfTsResol(0x80 | 10)], 1024 + 512), Some(1_500_000_000));
        assert_eq!(at(vec![IfTsResol(127)], 5), Some(0));
        assert_eq!(at(vec![IfTsResol(0xFF)], u64::MAX.into()), Some(0));
        assert_eq!(at(vec![IfTsOffset(2)], 5), Some(2_000_005_000));
        assert_eq!(at(vec![IfTsOffset(-1i64 as u64)], 5), None, "before the epoch");
        assert_eq!(at(vec![IfTsResol(0)], u64::MAX.into()), None);
    }
}
