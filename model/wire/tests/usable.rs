//! The reader accepts everything that the pcapng draft allows. A record that cannot be used is left out, with
//! its reason, and the rest of the file is read. Frames of links other than Ethernet get an Ethernet header.

use weft_wire::{CaptureReader, Frame};

/// A block of little endian pcapng.
fn block(kind: u32, body: &[u8]) -> Vec<u8> {
    let len = (12 + body.len()) as u32;
    [&kind.to_le_bytes()[..], &len.to_le_bytes(), body, &len.to_le_bytes()].concat()
}

fn section(options: &[u8]) -> Vec<u8> {
    let fixed = [&0x1A2B_3C4Du32.to_le_bytes()[..], &[1, 0, 0, 0], &[0xFF; 8]].concat();
    block(0x0A0D_0D0A, &[&fixed[..], options].concat())
}

/// An interface of a link type, with `reserved` as its reserved bits.
fn interface(link: u16, reserved: u16, options: &[u8]) -> Vec<u8> {
    block(1, &[&link.to_le_bytes()[..], &reserved.to_le_bytes(), &[0; 4], options].concat())
}

fn option(code: u16, value: &[u8]) -> Vec<u8> {
    let mut bytes = [&code.to_le_bytes()[..], &(value.len() as u16).to_le_bytes(), value].concat();
    bytes.resize(bytes.len().next_multiple_of(4), 0xEE);
    bytes
}

/// A packet at 5 us.
fn packet(interface: u32, captured: u32, original: u32, data: &[u8], options: &[u8]) -> Vec<u8> {
    let words = [interface, 0, 5, captured, original].map(u32::to_le_bytes).concat();
    let mut body = [&words[..], data].concat();
    body.resize(body.len().next_multiple_of(4), 0xEE);
    block(6, &[&body[..], options].concat())
}

fn whole(interface: u32, data: &[u8]) -> Vec<u8> {
    packet(interface, data.len() as u32, data.len() as u32, data, &[])
}

/// The frames, and the records left out.
fn read(file: &[u8]) -> (Vec<Frame>, Vec<(String, u64)>) {
    let mut reader = CaptureReader::new(file, "x").unwrap();
    let frames = reader.by_ref().map(Result::unwrap).collect();
    (frames, reader.left_out().iter().map(|(reason, count)| (reason.clone(), *count)).collect())
}

#[test]
fn what_the_draft_allows_is_read() {
    let expected = (vec![Frame::new(5_000, vec![7; 61])], vec![]);
    let end = [0; 4];
    let one = |section: Vec<u8>, interface: Vec<u8>| [section, interface, whole(0, &[7; 61])].concat();
    let name = option(2, b"eth0");
    for interface in [
        interface(1, 0, &[]),
        interface(1, 7, &[]),
        interface(1, 0, &name),
        interface(1, 0, &[&option(10, &[0; 4])[..], &end].concat()),
        interface(1, 0, &[&option(3, b"odd")[..], &option(9, &[6])].concat()),
        interface(1, 0, &[2, 0, 200, 0, 1, 2, 3, 4]),
        interface(1, 0, &[&end[..], &option(9, &[0])].concat()),
    ] {
        assert_eq!(read(&one(section(&[]), interface.clone())), expected, "{interface:?}");
    }
    // A packet's options without an end marker; the length of a block may leave its padding out.
    let packet = packet(0, 61, 61, &[7; 61], &option(2, &[0; 4]));
    assert_eq!(read(&[section(&[]), interface(1, 0, &[]), packet].concat()), expected);
    let mut short = whole(0, &[7; 61]);
    let at = short.len() - 4;
    short[4] -= 3;
    short[at] -= 3;
    assert_eq!(read(&[section(&[]), interface(1, 0, &[]), short].concat()), expected);
}

#[test]
fn comments_may_be_latin_1() {
    let comment = option(1, b"caf\xE9");
    let packet = packet(0, 60, 60, &[7; 60], &comment);
    let file = [section(&comment), interface(1, 0, &[]), packet].concat();
    let mut reader = CaptureReader::new(&file[..], "x").unwrap();
    assert_eq!(reader.next().unwrap().unwrap().comment.as_deref(), Some("café"));
    assert_eq!(reader.comments(), ["café"]);
}

#[test]
fn other_blocks_are_passed_over_whatever_their_length() {
    let secrets = block(10, &vec![0xAA; 5 << 20]);
    let file = [section(&[]), secrets.clone(), interface(1, 0, &[]), secrets, whole(0, &[7; 61])].concat();
    assert_eq!(read(&file), (vec![Frame::new(5_000, vec![7; 61])], vec![]));
}

#[test]
fn a_record_that_cannot_be_used_is_left_out_and_the_rest_read() {
    let bad_resolution = option(9, &[6, 0]);
    let bad_offset = option(14, &[0; 4]);
    let file = [
        section(&[]),
        interface(1, 0, &[]),
        interface(247, 0, &[]),
        interface(1, 0, &bad_resolution),
        interface(1, 0, &bad_offset),
        interface(1, 0, &option(14, &(-1i64).to_le_bytes())),
        whole(1, &[1; 60]),
        whole(0, &[2; 60]),
        whole(9, &[3; 60]),
        packet(0, 61, 61, &[5; 60], &[]),
        whole(2, &[6; 60]),
        whole(3, &[6; 60]),
        whole(4, &[6; 60]),
        block(6, &[0; 4]),
        whole(0, &vec![8; (256 << 10) + 1]),
        whole(0, &vec![8; 2 << 20]),
        whole(1, &[9; 60]),
        whole(0, &[10; 60]),
    ];
    let left = [
        ("longer than 256 KiB", 2),
        ("of an interface whose time offset has not 8 bytes", 1),
        ("of an interface whose time resolution has not 1 byte", 1),
        ("of link type 247", 2),
        ("whose data is longer than its block", 2),
        ("whose interface is not described", 1),
        ("whose time stamp is out of range", 1),
    ];
    let left = left.map(|(reason, count)| (reason.to_owned(), count)).to_vec();
    assert_eq!(
        read(&file.concat()),
        (vec![Frame::new(5_000, vec![2; 60]), Frame::new(5_000, vec![10; 60])], left)
    );
}

fn pcap(link: u32, records: &[(u32, u32, &[u8])]) -> Vec<u8> {
    let mut file = [0xA1B2_C3D4u32, 0x0004_0002, 0, 0, 65_535, link].map(u32::to_le_bytes).concat();
    for (micros, original, data) in records {
        file.extend([0, *micros, data.len() as u32, *original].map(u32::to_le_bytes).concat());
        file.extend(*data);
    }
    file
}

#[test]
fn records_of_pcap_are_left_out_too() {
    let file = pcap(1, &[(1, 60, &[1; 60]), (1_000_000, 60, &[2; 60]), (3, 60, &[3; 60])]);
    let left = vec![("whose time stamp has more than a second below the second".to_owned(), 1)];
    assert_eq!(read(&file), (vec![Frame::new(1_000, vec![1; 60]), Frame::new(3_000, vec![3; 60])], left));
}

/// Interfaces that count the FCS in the captured length and not in the original length.
#[test]
fn more_captured_than_original_is_read() {
    let file = pcap(1, &[(1, 56, &[1; 60])]);
    assert_eq!(read(&file), (vec![Frame::new(1_000, vec![1; 60])], vec![]));
    let file = [section(&[]), interface(1, 0, &[]), packet(0, 60, 56, &[4; 60], &[])].concat();
    assert_eq!(read(&file), (vec![Frame::new(5_000, vec![4; 60])], vec![]));
}

#[test]
fn other_links_are_put_behind_an_ethernet_header() {
    let v4 = [&[0x45u8][..], &[9; 50]].concat();
    let v6 = [&[0x60u8][..], &[9; 50]].concat();
    let ethernet = |mac: u8, ether_type: u16, packet: &[u8]| {
        let mac = if mac == 0 { [0; 6] } else { [0, 1, 2, 3, 4, mac] };
        [&[0; 6][..], &mac, &ether_type.to_be_bytes(), packet].concat()
    };
    let sll = [&[0u8, 0, 0, 1, 0, 6, 0, 1, 2, 3, 4, 5, 0, 0, 8, 0][..], &v4].concat();
    let sll2 = [&[0x86u8, 0xDD, 0, 0, 0, 0, 0, 2, 0, 1, 0, 6, 0, 1, 2, 3, 4, 7, 0, 0][..], &v6].concat();
    let null = [&[2u8, 0, 0, 0][..], &v4].concat();
    let looped = [&[0u8, 0, 0, 28][..], &v6].concat();
    for (link, data, expected) in [
        (113, &sll, ethernet(5, 0x0800, &v4)),
        (276, &sll2, ethernet(7, 0x86DD, &v6)),
        (101, &v4, ethernet(0, 0x0800, &v4)),
        (12, &v6, ethernet(0, 0x86DD, &v6)),
        (228, &v4, ethernet(0, 0x0800, &v4)),
        (0, &null, ethernet(0, 0x0800, &v4)),
        (108, &looped, ethernet(0, 0x86DD, &v6)),
    ] {
        let gone = 14 + data.len() as u32 - expected.len() as u32;
        let frame =
            |data: &[u8], original| Frame { original_len: original, ..Frame::new(1_000, data.to_vec()) };
        // Whole, cut off by the capture, and cut within its own header.
        let original = data.len() as u32;
        let cut = &data[..data.len() - 9];
        let file = pcap(link, &[(1, original, data), (1, original, cut), (1, original, &[])]);
        let (frames, left) = read(&file);
        let wire = original - gone + 14;
        assert_eq!(
            frames,
            [frame(&expected, wire), frame(&expected[..expected.len() - 9], wire)],
            "link {link}"
        );
        assert_eq!(left, [("shorter than the header of its link".to_owned(), 1)], "link {link}");
    }
    let other = pcap(101, &[(1, 3, &[0x10, 0, 0])]);
    assert_eq!(read(&other), (vec![], vec![("neither IPv4 nor IPv6".to_owned(), 1)]));
    // A capture of several links: each frame by its own.
    let mixed =
        [section(&[]), interface(1, 0, &[]), interface(113, 0, &[]), whole(1, &sll), whole(0, &[7; 60])];
    let (frames, left) = read(&mixed.concat());
    assert_eq!((frames.len(), left.len()), (2, 0));
    assert_eq!(frames[0].data, ethernet(5, 0x0800, &v4));
}
