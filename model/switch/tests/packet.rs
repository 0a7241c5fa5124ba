//! Parser and deparser. Fields that a program does not change leave unchanged. A ConWeave header is inserted
//! and removed without a trace, and every other packet passes unchanged.

use proptest::prelude::*;
use std::sync::Arc;
use weft_switch::kit::{Builder, Phv, Pipe, Profile, intrinsic::*};
use weft_switch::packet::{CwForm, Packet};
use weft_wire::headers::{Reth, Xeth};
use weft_wire::{Body, Bth, Data, Dscp, Ecn, Envelope, Plain, Vlan, frame, icrc, parse};

fn phv() -> Phv {
    let program = Builder::new("empty", Profile::default()).build().expect("nothing is wrong with nothing");
    Pipe::new(Arc::new(program), 1, 1).phv()
}

fn envelope(v6: bool, tagged: bool, port: u16) -> Envelope {
    let mut envelope = match v6 {
        false => Envelope::v4([10, 1, 2, 3].into(), [10, 4, 5, 6].into(), port),
        true => Envelope {
            ip: weft_wire::Addresses::V6 {
                src: "fd00::1:2".parse().expect("an address"),
                dst: "fd00::3:4".parse().expect("an address"),
                flow_label: 0x12345,
            },
            ..Envelope::v4([10, 1, 2, 3].into(), [10, 4, 5, 6].into(), port)
        },
    };
    if tagged {
        envelope.vlans[0] = Some(Vlan { tpid: 0x8100, tci: 0x2005 });
    }
    envelope.marked(4, Ecn::Ect0)
}

fn data(envelope: &Envelope, psn: u32, payload: &[u8]) -> Vec<u8> {
    let body = Data { reth: Reth::default(), immediate: None, xeth: Xeth::new(7, 1, 2), payload };
    frame::encode(envelope, Bth::data(0x123456, psn), &Body::Data(body)).expect("short")
}

fn with_header(mut packet: Packet, form: CwForm) -> Packet {
    packet.set_form(form);
    let values = [
        (CW_VALID, 1),
        (CW_PATH, 200),
        (CW_OPCODE, 5),
        (CW_EPOCH, 2),
        (CW_REROUTED, 1),
        (CW_TAIL, 0),
        (CW_TX, 65_530),
        (CW_TAIL_TX, 10),
    ];
    for (field, value) in values {
        packet.phv[field] = value;
    }
    packet
}

proptest! {
    #[test]
    fn a_conweave_header_goes_in_and_out(
        v6: bool, tagged: bool, port: u16, psn in 0u32..1 << 24, payload in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        let sent = data(&envelope(v6, tagged, port), psn, &payload);
        let packet = Packet::parse(sent.clone(), phv(), 3, None);
        prop_assert_eq!(packet.clone().deparse(), sent.clone());
        prop_assert_eq!((packet.get(IS_ROCE), packet.get(PSN), packet.get(SPORT)), (1, psn.into(), port.into()));
        prop_assert_eq!((packet.get(DEST_QP), packet.get(RESV8), packet.get(PORT_IN)), (0x123456, 0, 3));

        let packet = with_header(packet, CwForm::Restoring);
        let bytes = packet.bytes();
        let wire = packet.deparse();
        prop_assert_eq!((wire.len(), bytes), (sent.len() + 8, sent.len() + 8));
        // On the wire the packet is a datagram with fitting lengths and a wrong ICRC.
        prop_assert!(!parse(&wire).expect("RoCEv2 still").cut_off);
        prop_assert_eq!(icrc::icrc_ok(&wire), Some(false));

        let mut inside = Packet::parse(wire.clone(), phv(), 1, Some(CwForm::Restoring));
        let fields = [CW_VALID, CW_PATH, CW_OPCODE, CW_EPOCH, CW_REROUTED, CW_TAIL, CW_TX, CW_TAIL_TX];
        prop_assert_eq!(fields.map(|field| inside.get(field)), [1, 200, 5, 2, 1, 0, 65_530, 10]);
        prop_assert_eq!(&inside.frame, &sent);
        prop_assert_eq!(inside.clone().deparse(), wire);
        // The last hop removes the header; only a mark on the way remains.
        inside.phv[CW_VALID] = 0;
        prop_assert!(inside.mark());
        let arrived = inside.deparse();
        prop_assert_eq!(icrc::icrc_ok(&arrived), Some(true));
        let packet = parse(&arrived).expect("as it was");
        prop_assert_eq!((packet.ecn(), packet.psn()), (Ecn::Ce, psn));
        // The checksum of IPv4, which the ICRC does not cover, is right as well.
        let again = data(&envelope(v6, tagged, port).marked(4, Ecn::Ce), psn, &payload);
        prop_assert_eq!(arrived, again);
    }

    #[test]
    fn addresses_and_ports_are_written(v6: bool, tagged: bool, psn in 0u32..1 << 24) {
        let sent = data(&envelope(v6, tagged, 0xC001), psn, b"hello");
        let mut packet = Packet::parse(sent, phv(), 0, None);
        let (src, dst) = ((packet.get(SRC_HIGH), packet.get(SRC)), (packet.get(DST_HIGH), packet.get(DST)));
        (packet.phv[SRC_HIGH], packet.phv[SRC]) = dst;
        (packet.phv[DST_HIGH], packet.phv[DST]) = src;
        let swapped = packet.deparse();
        let mut back = Packet::parse(swapped.clone(), phv(), 0, None);
        prop_assert_eq!((back.get(SRC_HIGH), back.get(SRC)), dst);
        // A right checksum stays right: etherparse checks it.
        prop_assert_eq!(parse(&swapped).expect("as it was").psn(), psn);
        back.truncate(16);
        let short = back.deparse();
        prop_assert_eq!(short.len(), 14 + if tagged { 4 } else { 0 } + if v6 { 40 } else { 20 } + 8 + 16);
        prop_assert!(!parse(&short).is_ok_and(|packet| packet.cut_off));
    }

    #[test]
    fn whatever_comes_is_passed_on(bytes in prop::collection::vec(any::<u8>(), 0..100), at in 12usize..60, kind in 0..6) {
        // Random bytes, and frames cut off anywhere or with one byte changed: no panic, and out as it came in.
        let whole = data(&envelope(kind % 2 == 0, kind > 3, 0xC000), 5, &bytes);
        let mut frame = match kind {
            0 => bytes.clone(),
            1 | 2 => whole[..at.min(whole.len())].to_vec(),
            _ => whole,
        };
        if let Some(byte) = frame.get_mut(at) && kind > 2 {
            *byte = bytes.first().copied().unwrap_or(0xFF);
        }
        let packet = Packet::parse(frame.clone(), phv(), 0, None);
        prop_assert_eq!(packet.deparse(), frame.clone());
        let mut cut = Packet::parse(frame, phv(), 0, Some(CwForm::Paper));
        cut.truncate(20);
        cut.mark();
        cut.trim(&Dscp::DEFAULT, true);
        cut.deparse();
    }
}

#[test]
fn the_papers_header_is_four_bytes_on_plain_packets() {
    let body = Plain { reth: None, aeth: None, immediate: None, payload: b"middle" };
    let sent = frame::encode(&envelope(false, false, 0xC000), Bth::plain(0x07, 5, 6), &Body::Plain(body))
        .expect("short");
    let wire = with_header(Packet::parse(sent.clone(), phv(), 0, None), CwForm::Paper).deparse();
    assert_eq!(wire.len(), sent.len() + 4);
    // Figure 10: path in Resv8a, then opcode, epoch, REROUTED, TAIL in Resv7, and the two time stamps.
    assert_eq!(wire[14 + 20 + 8 + 4], 200);
    assert_eq!(wire[14 + 20 + 8 + 8], 5 << 4 | 2 << 2 | 1 << 1);
    assert_eq!(wire[14 + 20 + 8 + 12..][..4], [0xFF, 0xFA, 0, 10]);
    let mut inside = Packet::parse(wire, phv(), 0, Some(CwForm::Paper));
    inside.phv[CW_VALID] = 0;
    assert_eq!(inside.deparse(), sent);
}

#[test]
fn trimming_keeps_what_the_wire_format_says() {
    let sent = data(&envelope(false, false, 0xC000), 9, &[1; 1000]);
    let mut packet = Packet::parse(sent.clone(), phv(), 0, None);
    packet.mark();
    assert!(packet.trim(&Dscp::DEFAULT, false));
    assert!(packet.trimmed && !packet.clone().trim(&Dscp::DEFAULT, false));
    let rest = packet.deparse();
    let parsed = parse(&rest).expect("a trimmed packet");
    assert!(matches!(parsed.body, Body::Trimmed(_)));
    assert_eq!((parsed.psn(), parsed.ecn()), (9, Ecn::Ce));
}
