//! Fields of a frame that a switch reads and rewrites: addresses, UDP source port, ECN bits.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Destination and path of a frame, and its class at a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Route {
    pub(crate) source: IpAddr,
    pub(crate) destination: IpAddr,
    /// UDP source port, 0 without UDP.
    pub(crate) ev: u16,
    pub(crate) dscp: u8,
    pub(crate) ecn: u8,
}

/// Offset of the IP header, behind up to two VLAN tags.
fn ip_offset(frame: &[u8]) -> Option<usize> {
    let tag = |at: usize| matches!(frame.get(at..at + 2), Some([0x81, 0x00] | [0x88, 0xA8]));
    let ethertype = [12, 16, 20].into_iter().find(|at| !tag(*at))?;
    Some(ethertype + 2)
}

/// Route of a frame by its headers. `None` without an IP header.
pub(crate) fn route(frame: &[u8]) -> Option<Route> {
    let ip = ip_offset(frame)?;
    let header = frame.get(ip..)?;
    let port = |at: usize| header.get(at..at + 2).map_or(0, |bytes| u16::from_be_bytes([bytes[0], bytes[1]]));
    match (header.first()? >> 4, frame.get(ip - 2..ip)?) {
        (4, [0x08, 0x00]) => {
            let length = usize::from(header[0] & 0xF) * 4;
            let address = |at: usize| <[u8; 4]>::try_from(header.get(at..at + 4)?).ok();
            let [source, destination] =
                [address(12)?, address(16)?].map(|address| Ipv4Addr::from(address).into());
            let ev = if header[9] == 17 { port(length) } else { 0 };
            let tos = header[1];
            Some(Route { source, destination, ev, dscp: tos >> 2, ecn: tos & 3 })
        }
        (6, [0x86, 0xDD]) => {
            let address = |at: usize| <[u8; 16]>::try_from(header.get(at..at + 16)?).ok();
            let [source, destination] =
                [address(8)?, address(24)?].map(|address| Ipv6Addr::from(address).into());
            let ev = if header[6] == 17 { port(40) } else { 0 };
            let class = header[0] << 4 | header[1] >> 4;
            Some(Route { source, destination, ev, dscp: class >> 2, ecn: class & 3 })
        }
        _ => None,
    }
}

/// Sets the ECN bits to CE and corrects the header checksum of IPv4 (RFC 1624). The ICRC excludes ECN bits
/// and checksum. A frame that is not ECN-capable stays as it is. Returns whether the frame was marked.
pub(crate) fn mark(frame: &mut [u8]) -> bool {
    let (Some(ip), Some(Route { ecn: 1 | 2, .. })) = (ip_offset(frame), route(frame)) else { return false };
    if frame[ip] >> 4 == 6 {
        frame[ip + 1] |= 0x30;
        return true;
    }
    let word = |frame: &[u8], at: usize| u32::from(u16::from_be_bytes([frame[at], frame[at + 1]]));
    let before = word(frame, ip);
    frame[ip + 1] |= 3;
    let mut sum = (!word(frame, ip + 10) & 0xFFFF) + (!before & 0xFFFF) + word(frame, ip);
    while sum > 0xFFFF {
        sum = (sum & 0xFFFF) + (sum >> 16);
    }
    frame[ip + 10..ip + 12].copy_from_slice(&(!(sum as u16)).to_be_bytes());
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_wire::{Addresses, Body, Bth, Ecn, Envelope, Vlan, frame, icrc, parse};

    fn envelopes() -> Vec<Envelope> {
        let v4 = Envelope::v4([10, 0, 0, 1].into(), [10, 0, 7, 2].into(), 0xC123);
        let (src, dst) = ([1; 16].into(), [2; 16].into());
        let v6 = Envelope { ip: Addresses::V6 { src, dst, flow_label: 0xABCDE }, ..v4 };
        let tag = Some(Vlan { tpid: 0x8100, tci: 5 });
        let tagged = |envelope| Envelope { vlans: [tag, None], ..envelope };
        vec![v4, v6, tagged(v4), tagged(v6), Envelope { vlans: [tag, tag], ..v6 }]
    }

    #[test]
    fn routes_are_what_was_encoded() {
        for envelope in envelopes() {
            let envelope = envelope.marked(46, Ecn::Ect1);
            let bytes = frame::encode(&envelope, Bth::cnp(1), &Body::Cnp).expect("a short frame");
            let (source, destination) = (envelope.ip.src(), envelope.ip.dst());
            let due = Route { source, destination, ev: 0xC123, dscp: 46, ecn: 1 };
            assert_eq!(route(&bytes), Some(due));
            for cut in 0..bytes.len() {
                route(&bytes[..cut]);
            }
        }
        assert_eq!(route(&[0; 64]), None);
    }

    #[test]
    fn a_mark_changes_ecn_and_checksum_and_nothing_else() {
        for envelope in envelopes() {
            for ecn in [Ecn::NotEct, Ecn::Ect1, Ecn::Ect0, Ecn::Ce] {
                for port in 0xC000..0xC100 {
                    let envelope = Envelope { source_port: port, ttl: port as u8, ..envelope.marked(4, ecn) };
                    let mut bytes = frame::encode(&envelope, Bth::cnp(1), &Body::Cnp).expect("a short frame");
                    let capable = matches!(ecn, Ecn::Ect0 | Ecn::Ect1);
                    assert_eq!(mark(&mut bytes), capable);
                    let ecn = if capable { Ecn::Ce } else { ecn };
                    let due = frame::encode(&envelope.marked(4, ecn), Bth::cnp(1), &Body::Cnp);
                    assert_eq!(Ok(&bytes), due.as_ref());
                    assert_eq!(icrc::icrc_ok(&bytes), Some(true));
                    assert_eq!(parse(&bytes).map(|packet| packet.ecn()), Ok(ecn));
                }
            }
        }
    }
}
