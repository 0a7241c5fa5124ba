//! Frames of links other than Ethernet, with an Ethernet header added.

/// The reason why a record is not used. The reader counts the reason, and reads the rest of the file.
pub(super) type Unusable = String;

const ETHERNET: u32 = 1;
const IPV4: u16 = 0x0800;
const IPV6: u16 = 0x86DD;

/// Length of an Ethernet header.
const HEADER_LEN: usize = 14;

/// Whether frames of this link type can be read.
pub(super) fn is_known(link_type: u32) -> bool {
    matches!(link_type, ETHERNET | 0 | 12 | 14 | 101 | 108 | 113 | 228 | 229 | 276)
}

/// The data of a record as an Ethernet frame, and the number of bytes of the record's link header that the 14
/// bytes of Ethernet replace. `None` if the record is Ethernet.
pub(super) fn to_ethernet(link_type: u32, data: &[u8]) -> Result<Option<(Vec<u8>, usize)>, Unusable> {
    let (own_len, mac, ether_type) = match link_type {
        ETHERNET => return Ok(None),
        // BSD loopback: the address family in the byte order of the capturing host, or of the network.
        0 | 108 => (4, None, ip_type(data.get(4..))?),
        12 | 14 | 101 | 228 | 229 => (0, None, ip_type(Some(data))?),
        113 => (16, data.get(6..12), word(data, 14)?),
        276 => (20, data.get(12..18), word(data, 0)?),
        other => return Err(format!("of link type {other}")),
    };
    let packet = data.get(own_len..).ok_or_else(short)?;
    let mut frame = Vec::with_capacity(HEADER_LEN + packet.len());
    frame.extend([0; 6]);
    frame.extend(mac.unwrap_or(&[0; 6]));
    frame.extend(ether_type.to_be_bytes());
    frame.extend(packet);
    Ok(Some((frame, own_len)))
}

/// The length that the frame would have on an Ethernet wire.
pub(super) fn original_len(original_len: u32, own_len: usize) -> u32 {
    original_len.saturating_sub(own_len as u32).saturating_add(HEADER_LEN as u32)
}

fn short() -> Unusable {
    "shorter than the header of its link".to_owned()
}

fn word(data: &[u8], at: usize) -> Result<u16, Unusable> {
    data.get(at..at + 2).map(|word| u16::from_be_bytes([word[0], word[1]])).ok_or_else(short)
}

/// The EtherType that follows from an IP packet's version.
fn ip_type(packet: Option<&[u8]>) -> Result<u16, Unusable> {
    match packet.and_then(|packet| packet.first()).ok_or_else(short)? >> 4 {
        4 => Ok(IPV4),
        6 => Ok(IPV6),
        _ => Err("neither IPv4 nor IPv6".to_owned()),
    }
}
