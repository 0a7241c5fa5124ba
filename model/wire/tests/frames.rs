//! Whole frames: encode and parse, lengths and checksums, trimming, rewriting the source port.

mod common;

use common::{KINDS, body, bytes, envelope};
use etherparse::{NetHeaders, PacketHeaders, TransportHeader};
use proptest::prelude::*;
use weft_random::Rng;
use weft_wire::frame::{FrameError, IcrcRewrite, TRIMMED_PAYLOAD_LEN, encode, set_source_port, trim};
use weft_wire::headers::*;
use weft_wire::{
    Ack, Addresses, Body, Data, Dscp, Ecn, Envelope, Nack, ParseError, Plain, icrc, packet, parse,
};

fn v4() -> Envelope {
    Envelope::v4([10, 0, 0, 1].into(), [10, 0, 0, 2].into(), 0xC0DE).marked(4, Ecn::Ect0)
}

fn data(payload: &[u8], immediate: Option<u32>) -> Data<'_> {
    Data {
        reth: Reth::default().with_va(0x1000).with_r_key(0x77).with_dma_length(payload.len() as u32),
        immediate,
        xeth: Xeth::new(3, 2, 7),
        payload,
    }
}

/// The checksum that the UDP header of the frame ought to have, by etherparse.
fn udp_checksum(frame: &[u8]) -> u16 {
    let headers = PacketHeaders::from_ethernet_slice(frame).unwrap();
    let Some(TransportHeader::Udp(udp)) = headers.transport else { panic!("not UDP") };
    let payload = headers.payload.slice();
    match headers.net.unwrap() {
        NetHeaders::Ipv4(ip, _) => udp.calc_checksum_ipv4(&ip, payload).unwrap(),
        NetHeaders::Ipv6(ip, _) => udp.calc_checksum_ipv6(&ip, payload).unwrap(),
        _ => panic!("not IP"),
    }
}

/// Offset of the UDP header of a whole frame.
fn udp_at(frame: &[u8]) -> usize {
    let payload = PacketHeaders::from_ethernet_slice(frame).unwrap().payload.slice().len();
    frame.len() - payload - 8
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn parse_undoes_encode(seed in 1u64.., kind in 0..KINDS, payload in prop::collection::vec(any::<u8>(), 0..300)) {
        let mut rng = Rng::new(seed);
        let envelope = envelope(&mut rng);
        let (bth, body) = body(kind, &mut rng, &payload);
        let frame = encode(&envelope, bth, &body).unwrap();

        let packet = parse(&frame).unwrap();
        prop_assert_eq!(packet.envelope, envelope);
        prop_assert_eq!(&packet.body, &body);
        let derived = packet.bth.with_opcode(bth.opcode()).with_pad_count(0);
        prop_assert_eq!(derived, bth);
        prop_assert!(!packet.cut_off);
        prop_assert_eq!(icrc::icrc_ok(&frame), Some(true));
        prop_assert_eq!(encode(&packet.envelope, packet.bth, &packet.body).unwrap(), frame.clone());

        // Another implementation accepts lengths and IPv4 checksum.
        let other = PacketHeaders::from_ethernet_slice(&frame).unwrap();
        if let Some(NetHeaders::Ipv4(ip, _)) = &other.net {
            prop_assert_eq!(ip.header_checksum, ip.calc_header_checksum());
        }
        let Some(TransportHeader::Udp(udp)) = other.transport else { panic!("not UDP") };
        prop_assert_eq!(udp.length as usize, other.payload.slice().len() + 8);
        prop_assert_eq!(other.payload.slice().len() % 4, if kind == 8 { payload.len() % 4 } else { 0 });
    }

    #[test]
    fn a_cut_off_frame_is_never_called_malformed(seed in 1u64.., kind in 0..KINDS) {
        let mut rng = Rng::new(seed);
        let envelope = envelope(&mut rng);
        let (bth, body) = body(kind, &mut rng, &[0x5A; 40]);
        let frame = encode(&envelope, bth, &body).unwrap();
        let udp = udp_at(&frame);
        for len in 0..frame.len() {
            match parse(&frame[..len]) {
                Ok(packet) => {
                    prop_assert!(packet.cut_off);
                    prop_assert_eq!((packet.envelope, packet.psn()), (envelope, bth.psn()));
                    prop_assert_eq!(packet.is_request(), parse(&frame).unwrap().is_request());
                    if let Body::Cut(bytes) = packet.body {
                        prop_assert_eq!(bytes, &frame[udp + 20..len]);
                        prop_assert_eq!(packet.payload_len, frame.len() - udp - 24);
                    }
                }
                Err(ParseError::CutOff { need, have, .. }) => {
                    prop_assert!((udp + 8..udp + 20).contains(&len) && have == len - udp - 8 && need == 12);
                }
                Err(error) => prop_assert!(error.is_not_roce() && len < udp + 8, "{} at {}", error, len),
            }
            prop_assert_eq!(icrc::icrc_ok(&frame[..len]), None);
        }
    }

    #[test]
    fn icrc_covers_what_routers_leave_alone(seed in 1u64.., kind in 0..KINDS, bit: prop::sample::Index) {
        let mut rng = Rng::new(seed);
        let envelope = envelope(&mut rng);
        let (bth, body) = body(kind, &mut rng, b"payload");
        let mut frame = encode(&envelope, bth, &body).unwrap();
        let udp = udp_at(&frame);
        let (ip, masked) = match envelope.ip {
            Addresses::V4 { .. } => (udp - 20, vec![1, 8, 10, 11]),
            Addresses::V6 { .. } => (udp - 40, vec![1, 2, 3, 7]),
        };
        let bit = bit.index(frame.len() * 8);
        let (byte, mask) = (bit / 8, 0x80 >> (bit % 8));
        frame[byte] ^= mask;
        let is_masked = byte < ip
            || byte.checked_sub(ip).is_some_and(|at| masked.contains(&at))
            || (ip != udp - 20 && byte == ip && mask < 0x10)
            || (udp + 6..udp + 8).contains(&byte)
            || byte == udp + 12;
        // A flip that changes a length, a type or the DSCP may make it another packet, with nothing to check.
        if let Some(ok) = icrc::icrc_ok(&frame) {
            prop_assert_eq!(ok, is_masked, "byte {} mask {:02x}", byte, mask);
        }
    }

    #[test]
    fn source_port_rewrite_is_encoding_with_the_other_port(seed in 1u64.., kind in 0..KINDS, port: u16, with_checksum: bool, len in 0usize..60) {
        let mut rng = Rng::new(seed);
        let envelope = envelope(&mut rng);
        let payload = bytes(&mut rng, len);
        let (bth, body) = body(kind, &mut rng, &payload);
        let mut frame = encode(&envelope, bth, &body).unwrap();
        let mut expected = encode(&Envelope { source_port: port, ..envelope }, bth, &body).unwrap();
        let checksum_at = udp_at(&frame) + 6;
        if with_checksum {
            for frame in [&mut frame, &mut expected] {
                let checksum = udp_checksum(frame);
                frame[checksum_at..checksum_at + 2].copy_from_slice(&checksum.to_be_bytes());
            }
        }
        let done = set_source_port(&mut frame, port).unwrap();
        prop_assert_eq!(&frame, &expected);
        prop_assert_eq!(done.old_port, envelope.source_port);
        prop_assert_eq!(done.icrc, IcrcRewrite::Repaired);
        prop_assert_eq!(done.udp_checksum_updated, with_checksum);
    }

    #[test]
    fn rewriting_the_port_does_not_hide_damage(seed in 1u64.., kind in 0..KINDS, port: u16) {
        let mut rng = Rng::new(seed);
        let envelope = envelope(&mut rng);
        let (bth, body) = body(kind, &mut rng, &[1; 20]);
        let mut frame = encode(&envelope, bth, &body).unwrap();
        *frame.last_mut().unwrap() ^= 0x10;
        prop_assert_eq!(set_source_port(&mut frame, port).unwrap().icrc, IcrcRewrite::WasWrong);
        prop_assert_eq!(icrc::icrc_ok(&frame), Some(false));
        let cut = frame.len() - 1;
        let done = set_source_port(&mut frame[..cut], port ^ 1);
        if let Ok(done) = done {
            prop_assert_eq!(done.icrc, IcrcRewrite::NotCaptured);
            prop_assert_eq!(parse(&frame[..cut]).unwrap().envelope.source_port, port ^ 1);
        } else {
            prop_assert!(matches!(done, Err(ParseError::CutOff { .. })), "{:?}", done);
        }
    }

    #[test]
    fn trimming_keeps_the_head(seed in 1u64.., immediate: Option<u32>, last_hop: bool, len in 0usize..300) {
        let mut rng = Rng::new(seed);
        let envelope = envelope(&mut rng);
        let payload = bytes(&mut rng, len);
        let body = Body::Data(data(&payload, immediate));
        let frame = encode(&envelope, Bth::data(0x45, 103), &body).unwrap();
        let trimmed = trim(&frame, &Dscp::DEFAULT, last_hop).unwrap();

        let packet = parse(&trimmed).unwrap();
        let Body::Trimmed(body) = packet.body.clone() else { panic!("{packet:?}") };
        let data = data(&payload, immediate);
        prop_assert_eq!(body.last_hop, last_hop);
        prop_assert_eq!((body.reth, body.immediate, body.xeth), (Some(data.reth), immediate, Some(data.xeth)));
        prop_assert_eq!((packet.ecn(), packet.psn(), packet.flow()), (envelope.ecn, 103, parse(&frame).unwrap().flow()));
        prop_assert!(!packet.cut_off && !packet.is_request() && icrc::icrc_ok(&trimmed).is_none());
        let whole = frame.len() - udp_at(&frame) - 8;
        prop_assert_eq!(trimmed.len() - udp_at(&trimmed) - 8, whole.min(TRIMMED_PAYLOAD_LEN));
        prop_assert_eq!(encode(&packet.envelope, packet.bth, &packet.body).unwrap(), trimmed.clone());

        // Trimmers need not rewrite lengths, and may keep more bytes or fewer.
        for keep in udp_at(&frame) + 20..frame.len() {
            let mut old_lengths = frame[..keep].to_vec();
            let ip = udp_at(&frame) - if matches!(envelope.ip, Addresses::V4 { .. }) { 20 } else { 40 };
            let dscp = if last_hop { 16u8 } else { 12 };
            match envelope.ip {
                Addresses::V4 { .. } => old_lengths[ip + 1] = dscp << 2,
                Addresses::V6 { .. } => {
                    old_lengths[ip] = 0x60 | dscp >> 2;
                    old_lengths[ip + 1] = dscp << 6;
                }
            }
            let packet = parse(&old_lengths).unwrap();
            prop_assert!(matches!(packet.body, Body::Trimmed(_)), "{:?}", packet);
            prop_assert_eq!(packet.psn(), 103);
        }
    }
}

/// The ICRC by the letter: a masked copy and a CRC bit by bit.
fn slow_icrc(frame: &[u8], ip_header: usize) -> u32 {
    let udp = udp_at(frame);
    let ip = udp - ip_header;
    let mut copy = [vec![0xFF; 8], frame[ip..frame.len() - 4].to_vec()].concat();
    let mut mask = |at: usize, bits: u8| copy[8 + at - ip] |= bits;
    let header: &[(usize, u8)] = match frame[ip] >> 4 {
        4 => &[(1, 0xFF), (8, 0xFF), (10, 0xFF), (11, 0xFF)],
        // Version 4 bits, traffic class 8, flow label 20.
        _ => &[(0, 0x0F), (1, 0xFF), (2, 0xFF), (3, 0xFF), (7, 0xFF)],
    };
    for &(at, bits) in header {
        mask(ip + at, bits);
    }
    for at in [6, 7, 8 + 4] {
        mask(udp + at, 0xFF);
    }
    let mut crc = u32::MAX;
    for byte in copy {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = (crc >> 1) ^ if crc & 1 == 1 { 0xEDB8_8320 } else { 0 };
        }
    }
    !crc
}

#[test]
fn icrc_is_the_one_by_the_letter() {
    let mut rng = Rng::new(3);
    for i in 0..500 {
        let envelope = envelope(&mut rng);
        let (bth, body) = body(i % KINDS, &mut rng, b"some payload");
        let frame = encode(&envelope, bth, &body).unwrap();
        let ip_header = if matches!(envelope.ip, Addresses::V4 { .. }) { 20 } else { 40 };
        assert_eq!(icrc::icrc(&frame), Some(slow_icrc(&frame, ip_header)), "{envelope:?}");
    }
}

#[test]
fn a_udp_checksum_of_zero_is_sent_as_ones() {
    // Zero means "none": for about one port in 65,536 the sum is zero.
    let mut ones = 0;
    for payload in 0..2u8 {
        let mut frame = encode(&v4(), Bth::data(1, 2), &Body::Data(data(&[payload; 4], None))).unwrap();
        let checksum = udp_checksum(&frame);
        frame[40..42].copy_from_slice(&checksum.to_be_bytes());
        for port in 0..=u16::MAX {
            set_source_port(&mut frame, port).unwrap();
            let checksum = u16::from_be_bytes([frame[40], frame[41]]);
            assert_ne!(checksum, 0);
            if checksum == 0xFFFF {
                ones += 1;
                assert_eq!(udp_checksum(&frame), 0xFFFF);
            }
        }
    }
    assert!(ones > 0);
}

#[test]
fn sizes_are_those_of_the_format() {
    let size = |bth, body: Body<'_>| encode(&v4(), bth, &body).unwrap().len();
    assert_eq!(size(Bth::data(1, 2), Body::Data(data(&[0; 1024], None))), 1024 + 82);
    assert_eq!(size(Bth::data(1, 2), Body::Data(data(&[0; 1024], Some(9)))), 1024 + 86);
    assert_eq!(size(Bth::acknowledge(1, 2), Body::Ack(Ack::new(2, 2, 0xC000))), 98);
    assert_eq!(size(Bth::acknowledge(1, 2), Body::Ack(Ack::new(2, 2, 0xC000).with_bitmap([0; 4]))), 122);
    assert_eq!(size(Bth::acknowledge(1, 2), Body::Nack(Nack::new(2, 1, 0xC000, 0))), 82);
    assert_eq!(size(Bth::probe(1, 2), Body::Probe(Peth::new(1, 2))), 74);
    assert_eq!(size(Bth::cnp(1), Body::Cnp), 74);
    let trimmed = trim(
        &encode(&v4(), Bth::data(1, 2), &Body::Data(data(&[0; 1024], None))).unwrap(),
        &Dscp::DEFAULT,
        false,
    );
    assert_eq!(trimmed.unwrap().len(), 14 + 68);
}

#[test]
fn acknowledgements_read_the_same_from_both_formats() {
    let said = |bth, body: Body<'_>| parse(&encode(&v4(), bth, &body).unwrap()).unwrap().acknowledgement();
    // 24-bit PSNs wrap in both offsets.
    let mut ack = Ack::new(0xFF_FFFE, 0x00_0003, 0xC123);
    assert_eq!((ack.trigger_psn(), ack.sack_base()), (3, 0xFF_FFFF));
    ack.seth = ack.seth.with_m(echo::CE);
    let ack = said(Bth::acknowledge(1, 0xFF_FFFE), Body::Ack(ack)).unwrap();
    assert_eq!(ack.kind, packet::AckKind::Ack);
    assert_eq!((ack.cumulative_psn, ack.trigger_psn), (Some(0xFF_FFFE), Some(3)));
    assert_eq!((ack.echoed_ev, ack.ecn_echo), (Some(0xC123), Some(true)));
    // A duplicate far behind.
    assert_eq!(Ack::new(5, 0xFF_FFF0, 0).trigger_psn(), 0xFF_FFF0);

    let nack = said(Bth::acknowledge(1, 9), Body::Nack(Nack::new(9, 1, 0xC124, 5))).unwrap();
    assert_eq!((nack.kind, nack.cumulative_psn), (packet::AckKind::Nak, None));
    assert_eq!((nack.trigger_psn, nack.echoed_ev, nack.ecn_echo), (Some(9), Some(0xC124), Some(false)));

    let plain = |syndrome, psn| {
        let aeth = Some(Aeth::default().with_syndrome(syndrome));
        let body = Plain { reth: None, aeth, immediate: None, payload: &[] };
        let ack = said(Bth::plain(opcode::ACKNOWLEDGE, 1, psn), Body::Plain(body)).unwrap();
        assert_eq!((ack.trigger_psn, ack.echoed_ev, ack.ecn_echo), (None, None, None));
        (ack.kind, ack.cumulative_psn)
    };
    assert_eq!(plain(0x1F, 7), (packet::AckKind::Ack, Some(7)));
    assert_eq!(plain(0x60, 7), (packet::AckKind::Nak, Some(6)), "a NAK names the PSN expected");
    assert_eq!(plain(0x2E, 0), (packet::AckKind::RnrNak, Some(0xFF_FFFF)));
    assert_eq!(said(Bth::cnp(1), Body::Cnp), None);
}

#[test]
fn requests_are_told_from_responses() {
    let is_request = |code| {
        let body = Plain {
            reth: matches!(code, 0x06 | 0x0A | 0x0B | 0x0C).then(Reth::default),
            aeth: matches!(code, 0x0D | 0x0F..=0x12).then(Aeth::default),
            immediate: matches!(code, 0x03 | 0x05 | 0x09 | 0x0B).then_some(1),
            payload: &[],
        };
        let frame = encode(&v4(), Bth::plain(code, 1, 2), &Body::Plain(body)).unwrap();
        parse(&frame).unwrap().is_request()
    };
    let requests: Vec<u8> = (0..0x20).filter(|&code| is_request(code)).collect();
    let expected = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0x13, 0x14, 0x16, 0x17, 0x1C, 0x1D];
    assert_eq!(requests, expected);
}

#[test]
fn other_traffic_is_not_malformed() {
    let frame = encode(&v4(), Bth::cnp(1), &Body::Cnp).unwrap();
    let with = |at: usize, bytes: &[u8]| {
        let mut frame = frame.clone();
        frame[at..at + bytes.len()].copy_from_slice(bytes);
        parse(&frame).map(|packet| packet.bth).unwrap_err()
    };
    assert!(with(12, &[0x08, 0x06]).is_not_roce(), "ARP");
    assert!(with(12, &[0x89, 0x15]).is_not_roce(), "RoCEv1");
    assert!(with(23, &[6]).is_not_roce(), "TCP");
    assert!(with(36, &4793u16.to_be_bytes()).is_not_roce(), "UET");
    assert!(with(20, &[0x20, 0]).is_not_roce(), "fragment");
    assert!(parse(&[]).unwrap_err().is_not_roce());
    let tagged = |tags: usize| [&frame[..12], &[0x81, 0, 0, 7].repeat(tags), &frame[12..]].concat();
    assert!(parse(&tagged(2)).is_ok());
    assert!(parse(&tagged(3)).unwrap_err().is_not_roce());
    // Lengths that do not hold the headers are malformed, however many bytes follow.
    assert_eq!(with(38, &19u16.to_be_bytes()), ParseError::Malformed { header: "BTH", need: 12, have: 11 });
    assert!(matches!(with(38, &23u16.to_be_bytes()), ParseError::Malformed { header: "ICRC", .. }));
    assert!(matches!(with(38, &3u16.to_be_bytes()), ParseError::Malformed { header: "UDP header", .. }));
    // A pad count larger than the payload.
    assert!(matches!(with(42, &[0x0C, 0x30]), ParseError::Malformed { header: "padding", .. }));
}

#[test]
fn what_cannot_be_made_says_so() {
    let long = vec![0; 17_000];
    assert!(matches!(
        encode(&v4(), Bth::data(1, 2), &Body::Data(data(&long, None))),
        Err(FrameError::TooLong { len: 17_110 })
    ));
    let cnp = encode(&v4(), Bth::cnp(1), &Body::Cnp).unwrap();
    assert_eq!(trim(&cnp, &Dscp::DEFAULT, false), Err(FrameError::NotTrimmable { opcode: 0x81 }));
    assert!(matches!(trim(&cnp[..50], &Dscp::DEFAULT, false), Err(FrameError::Parse(_))));
    let frame = encode(&v4(), Bth::data(1, 2), &Body::Data(data(&[0; 99], None))).unwrap();
    let cut = trim(&frame[..100], &Dscp::DEFAULT, false);
    assert!(matches!(cut, Err(FrameError::Parse(ParseError::CutOff { .. }))), "{cut:?}");
}

#[test]
fn ipv4_options_and_trailing_bytes_are_stepped_over() {
    let plain = encode(&v4(), Bth::data(0x45, 100), &Body::Data(data(b"hello", None))).unwrap();
    let mut frame = plain[..34].to_vec();
    frame.extend([1, 1, 1, 0]); // options: three NOPs and the end
    frame.extend(&plain[34..]);
    frame[14] = 0x46;
    let total_len = (frame.len() - 14) as u16;
    frame[16..18].copy_from_slice(&total_len.to_be_bytes());
    frame.extend([0xEE; 7]); // Ethernet padding
    let packet = parse(&frame).unwrap();
    assert_eq!((packet.psn(), packet.body), (100, Body::Data(data(b"hello", None))));
    // The ICRC covers the options, hence it differs.
    assert_eq!(icrc::icrc_ok(&frame), Some(false));
    let trimmed = trim(&frame, &Dscp::DEFAULT, true).unwrap();
    assert_eq!(trimmed.len(), 14 + 24 + 8 + 40);
    assert_eq!(parse(&trimmed).unwrap().psn(), 100);
    assert_eq!(PacketHeaders::from_ethernet_slice(&trimmed).unwrap().payload.slice().len(), 40);
}

#[test]
fn plain_traffic_with_a_trimmed_dscp_is_not_trimmed() {
    // DSCP 16 is CS2, which other traffic uses: without TS the packet counts as neither sprayed nor trimmed.
    let reth = Some(Reth::default());
    let body = Body::Plain(Plain { reth, aeth: None, immediate: None, payload: b"abcd" });
    let envelope = v4().marked(16, Ecn::Ect0);
    let frame = encode(&envelope, Bth::plain(opcode::WRITE_ONLY, 1, 2), &body).unwrap();
    assert_eq!(parse(&frame).unwrap().body, body);
    assert_eq!(icrc::icrc_ok(&frame), Some(true));
}
