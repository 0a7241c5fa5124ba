//! Packets that other people made: real captures and published vectors.

mod common;

use common::shared;
use weft_wire::capture::{Format, Resolution};
use weft_wire::frame::{IcrcRewrite, encode, set_source_port};
use weft_wire::headers::*;
use weft_wire::{Body, CaptureReader, CaptureWriter, Ecn, Frame, icrc, packet, parse};

fn frames(file: &str) -> Option<Vec<Frame>> {
    let path = shared(file)?;
    Some(CaptureReader::open(path).unwrap().collect::<Result<_, _>>().unwrap())
}

#[test]
fn real_capture() {
    let Some(frames) = frames("oferby-proxy_roce.pcap") else { return };
    assert_eq!(frames.len(), 123);
    let roce: Vec<_> = frames.iter().filter(|frame| parse(&frame.data).is_ok()).collect();
    assert_eq!(roce.len(), 105);
    let others = frames.iter().filter_map(|frame| parse(&frame.data).err());
    assert_eq!(others.filter(|error| error.is_not_roce()).count(), 18);
    assert_eq!(roce.iter().filter(|frame| icrc::icrc_ok(&frame.data) == Some(true)).count(), 105);

    let mut opcodes = std::collections::BTreeMap::new();
    for frame in &roce {
        let packet = parse(&frame.data).unwrap();
        *opcodes.entry(packet.bth.opcode()).or_insert(0) += 1;
        assert_eq!(packet.is_request(), packet.bth.opcode() != opcode::ACKNOWLEDGE);
        assert_eq!(packet.acknowledgement().is_some(), packet.bth.opcode() == opcode::ACKNOWLEDGE);
        assert!([69, 72].contains(&packet.envelope.source_port));
        assert_eq!(packet.ecn(), Ecn::Ect0);
        // Ethernet pads ACKs to 60 bytes; all else comes back byte for byte.
        let again = encode(&packet.envelope, packet.bth, &packet.body).unwrap();
        assert_eq!(again, frame.data[..again.len()]);

        let mut rewritten = frame.data.clone();
        assert_eq!(set_source_port(&mut rewritten, 0xC0DE).unwrap().icrc, IcrcRewrite::Repaired);
        assert_eq!(icrc::icrc_ok(&rewritten), Some(true));
        set_source_port(&mut rewritten, packet.envelope.source_port).unwrap();
        assert_eq!(rewritten, frame.data);
    }
    let expected = [(0x00, 33), (0x03, 33), (0x05, 2), (0x11, 37)];
    assert_eq!(opcodes.into_iter().collect::<Vec<_>>(), expected);
}

#[test]
fn published_vectors() {
    let Some(frames) = frames("roce_single_packet_vectors.pcap") else { return };
    let cnp = parse(&frames[0].data).unwrap();
    assert_eq!(cnp.body, Body::Cnp);
    assert_eq!((cnp.dest_qp(), cnp.bth.becn(), cnp.bth.p_key()), (0x118, true, 0xFFFF));
    assert_eq!(icrc::icrc(&frames[0].data), Some(u32::from_le_bytes([0x82, 0xFD, 0x00, 0x2A])));
    // The frame's IPv4 identification is not zero and the ICRC covers it, so the ICRC differs.
    let again = encode(&cnp.envelope, Bth::cnp(0x118), &Body::Cnp).unwrap();
    assert_eq!((again.len(), &again[34..70]), (74, &frames[0].data[34..70]));
    assert!(parse(&frames[1].data).unwrap_err().is_not_roce(), "RoCEv1");
    assert!(parse(&frames[2].data).unwrap_err().is_not_roce(), "RoCEv1");
    read_request(&frames[3].data);
}

fn read_request(frame: &[u8]) {
    let packet = parse(frame).unwrap();
    let Body::Plain(plain) = &packet.body else { panic!("{packet:?}") };
    assert_eq!((packet.bth.opcode(), packet.dest_qp(), packet.psn()), (opcode::READ_REQUEST, 0x11, 0x54CB63));
    assert!(packet.bth.ack_request() && packet.is_request());
    let reth = plain.reth.unwrap();
    assert_eq!((reth.va(), reth.r_key(), reth.dma_length()), (0x7FEE_260F_B000, 0x2B8, 0x0001_0000));
    assert_eq!(packet.envelope.source_port, 0xDF94);
    assert_eq!(icrc::icrc_ok(frame), Some(true));
}

#[test]
fn read_request_of_a_soft_nic() {
    let Some(path) = shared("pcapplusplus_InfiniBandPacket.dat") else { return };
    let hex = std::fs::read_to_string(path).unwrap();
    let digits: Vec<char> = hex.trim().chars().collect();
    let byte = |pair: &[char]| u8::from_str_radix(&pair.iter().collect::<String>(), 16).unwrap();
    let frame: Vec<u8> = digits.chunks(2).map(byte).collect();
    assert_eq!(frame.len(), 74);
    read_request(&frame);
}

#[test]
fn proposed_format_is_decoded_and_encoded_byte_for_byte() {
    let Some(path) = shared("proposed_wire_selfmade.pcap") else { return };
    let mut reader = CaptureReader::open(&path).unwrap();
    assert_eq!(reader.format(), Format::PcapNano);
    let frames: Vec<Frame> = reader.by_ref().map(Result::unwrap).collect();
    assert_eq!(frames.len(), 13);

    let mut writer = CaptureWriter::pcap(vec![], Resolution::Nano).unwrap();
    for frame in &frames {
        let packet = parse(&frame.data).unwrap();
        let data = encode(&packet.envelope, packet.bth, &packet.body).unwrap();
        assert_eq!(data, frame.data);
        let trimmed = matches!(packet.body, Body::Trimmed(_));
        assert_eq!(icrc::icrc_ok(&frame.data), (!trimmed).then_some(true));
        writer.write(&Frame { time_ns: frame.time_ns, ..Frame::new(0, data) }).unwrap();
    }
    assert_eq!(writer.finish().unwrap(), std::fs::read(path).unwrap());

    let packets: Vec<_> = frames.iter().map(|frame| parse(&frame.data).unwrap()).collect();
    for (i, packet) in packets[..8].iter().enumerate() {
        let Body::Data(data) = &packet.body else { panic!("{packet:?}") };
        assert_eq!(
            (packet.psn(), data.reth.va(), data.xeth.msn()),
            (100 + i as u32, 0x1_0000 + 1024 * i as u64, 7)
        );
        assert_eq!((data.payload.len(), packet.payload_len), (1024, 1024));
        assert_eq!(data.immediate, (i == 7).then_some(0xDEAD_BEEF));
    }
    let Body::Trimmed(trimmed) = &packets[8].body else { panic!("{:?}", packets[8]) };
    assert_eq!((packets[8].psn(), packets[8].ecn(), trimmed.last_hop), (103, Ecn::Ce, false));
    assert_eq!((trimmed.xeth.unwrap().tx_timestamp(), trimmed.rest), (0x103, &[0, 1, 2, 3][..]));
    let Body::Nack(nack) = &packets[9].body else { panic!("{:?}", packets[9]) };
    assert_eq!(
        (nack.neth.nack_psn(), nack.neth.reason(), nack.neth.m()),
        (103, nack_reason::TRIMMED, echo::NONE)
    );
    assert_eq!((nack.neth.echoed_ev(), nack.neth.tx_timestamp()), (0xF358, 0x103));
    let Body::Ack(ack) = &packets[10].body else { panic!("{:?}", packets[10]) };
    assert_eq!((ack.seth.cack_psn(), ack.trigger_psn(), ack.sack_base()), (102, 107, 103));
    assert_eq!((ack.bitmap(), ack.cc_state.rcvd_bytes()), ([0x1E, 0, 0, 0], 0x1C));
    assert_eq!(packets[10].acknowledgement().unwrap().ecn_echo, Some(true));
    assert_eq!(packets[11].envelope.source_port, 0xE111);
    assert!(packets[11].bth.retransmission() && packets[11].is_request());
    let last = packets[12].acknowledgement().unwrap();
    assert_eq!(
        (last.cumulative_psn, last.echoed_ev, last.kind),
        (Some(107), Some(0xE111), packet::AckKind::Ack)
    );
}
