//! The wire format, compared with bytes that no code of this project made.
//!
//! RTL, codec and page take positions from `weft_interface`. A wrong position there would be wrong in all
//! three. So `golden/packets.txt` has one packet of each kind that was composed by hand. The project's
//! dissector, whose positions are also written by hand, shows the same values in tshark.

use std::collections::BTreeSet;
use std::process::Command;
use weft_wire::capture::Resolution;
use weft_wire::frame::encode;
use weft_wire::headers::{Aeth, CcState, Evx, Neth, Peth, Reth, Seth, Xeth};
use weft_wire::{
    Ack, Addresses, Body, Bth, CaptureWriter, Data, Ecn, Envelope, Frame, Nack, Trimmed, parse,
    write_atomically,
};

const GOLDEN: &str = include_str!("golden/packets.txt");

/// The packets of the file: name and bytes.
fn golden() -> Vec<(&'static str, Vec<u8>)> {
    let mut packets: Vec<(&str, String)> = Vec::new();
    for line in GOLDEN.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.strip_prefix("packet ") {
            Some(name) => packets.push((name, String::new())),
            None => packets.last_mut().expect("a packet").1.extend(line[9..].split(' ')),
        }
    }
    let byte = |digits: &[u8]| u8::from_str_radix(std::str::from_utf8(digits).unwrap(), 16).unwrap();
    let bytes = |text: String| text.as_bytes().chunks(2).map(byte).collect();
    packets.into_iter().map(|(name, text)| (name, bytes(text))).collect()
}

/// The packets by the names of their fields.
fn named() -> Vec<(&'static str, Envelope, Bth, Body<'static>)> {
    let envelope = |source_port, dscp, ecn| Envelope {
        dst_mac: [2, 0, 0, 0, 0, 2],
        src_mac: [2, 0, 0, 0, 0, 1],
        vlans: [None; 2],
        ip: Addresses::V4 { src: [10, 0, 0, 1].into(), dst: [10, 0, 0, 2].into() },
        dscp,
        ecn,
        ttl: 64,
        source_port,
    };
    let reth = |va, key, bytes| Reth::default().with_va(va).with_r_key(key).with_dma_length(bytes);
    let seth = |m, probe, offset, ev, cumulative, bitmap| {
        let seth = Seth::default().with_m(m).with_probe_reply(probe).with_ack_psn_offset(offset);
        let seth = seth.with_echoed_ev(ev).with_spdcid(0x1111).with_dpdcid(0x2222).with_cack_psn(cumulative);
        seth.with_cc_type(2).with_mpr(2).with_sack_offset(1).with_bitmap(bitmap)
    };
    let state = |stamp, ooo, restore, penalty, bytes| {
        let state = CcState::default().with_tx_timestamp(stamp).with_ooo_count(ooo).with_rc(restore);
        state.with_rcv_cwnd_pend(penalty).with_rcvd_bytes(bytes)
    };
    let ack = |msn, seth, cc_state| Ack {
        aeth: Aeth::default().with_syndrome(0x1F).with_msn(msn),
        seth,
        cc_state,
        sackx: None,
        evx: None,
    };
    let request = Bth::data(0x0102, 0x0A_0B0C).with_ack_request(true).with_retransmission(true);
    let data = Data {
        reth: reth(0x0102_0304_0506_0708, 0x1122_3344, 7),
        immediate: None,
        xeth: Xeth::new(0x7A5B, 0x0102, 0x0304),
        payload: &[0xA1, 0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0xA7],
    };
    let solicited = Bth::data(0x0A_0B0C, 0xFF_FFFE).with_opcode(0x0B).with_solicited_event(true);
    let last = Data {
        reth: reth(0xF0E0_D0C0_B0A0_9080, 0x5566_7788, 4),
        immediate: Some(0xCAFE_F00D),
        xeth: Xeth::new(0x1234, 0, 0x0506),
        payload: &[0xDE, 0xAD, 0xBE, 0xEF],
    };
    let narrow = ack(
        0x00_ABCD,
        seth(1, true, -3, 0xC321, 0x64, 0x8040_2010_0804_0201),
        state(0x4321, 0x0102, true, 0x55, 0x00_F00D),
    );
    let wide =
        ack(0x12_3456, seth(2, false, 5, 0xC00F, 0xFF00, 0), state(0x0FED, 0x7FFF, false, 0, 0xFE_DCBA));
    let wide = wide.with_bitmap([
        0x0123_4567_89AB_CDEF,
        0x1111_2222_3333_4444,
        0x5555_6666_7777_8888,
        0x9999_AAAA_BBBB_CCCC,
    ]);
    let lists =
        ack(0x65_4321, seth(0, false, 2, 0xC777, 0xABC0, 0), state(0x2468, 3, false, 0x11, 0x13_5790));
    let lists = lists.with_bitmap([
        0xFEDC_BA98_7654_3210,
        0x0102_0304_0506_0708,
        0x090A_0B0C_0D0E_0F10,
        0x1112_1314_1516_1718,
    ]);
    let evx = Evx::default().with_there(0x8007).with_marked(0x0005);
    let lists = lists.with_list(evx.with_evs0(0xC001_C002_C003_0000).with_evs3(0xC00F));
    // Of a window of 512 PSNs: the bitmap ends with the PSN that is answered, 299 beyond the first missing one.
    let moved =
        ack(0x0A_0B0C, seth(0, false, 300, 0xC0AA, 0xFF_FFF0, 0), state(0x1357, 0x21, false, 0, 0x24_6801));
    let moved = moved.with_window(512, 0x1D).with_bitmap([
        0x8899_AABB_CCDD_EEFF,
        0x2021_2223_2425_2627,
        0x3031_3233_3435_3637,
        0xC041_4243_4445_4647,
    ]);
    let neth = Neth::default().with_m(1).with_reason(2).with_vendor(0x99).with_echoed_ev(0xC456);
    let neth = neth.with_spdcid(0x3333).with_dpdcid(0x4444).with_nack_psn(0x7F_0001).with_cc_type(2);
    let nack = Nack {
        aeth: Aeth::default().with_syndrome(0x60).with_msn(0x00_FEED),
        neth: neth.with_tx_timestamp(0x9876),
    };
    let peth = Peth::new(0x8899, 0x6543).with_vendor(0x77).with_spdcid(0x5555).with_dpdcid(0x6666);
    let trimmed = Trimmed {
        last_hop: false,
        reth: Some(reth(0x1020_3040_5060_7080, 0x99AA_BBCC, 4096)),
        immediate: None,
        xeth: Some(Xeth::new(0x5678, 0x0708, 0x090A)),
        rest: &[0xB1, 0xB2, 0xB3, 0xB4],
    };
    vec![
        ("data", envelope(0xC123, 4, Ecn::Ect0), request.with_pad_count(1), Body::Data(data)),
        ("last", envelope(0xFFEE, 8, Ecn::Ect1), solicited.with_p_key(0x8123), Body::Data(last)),
        ("ack_64", envelope(0xC321, 46, Ecn::NotEct), Bth::acknowledge(0x0304, 0x64), Body::Ack(narrow)),
        ("ack_256", envelope(0xC00F, 46, Ecn::NotEct), Bth::acknowledge(0x0506, 0xFF00), Body::Ack(wide)),
        ("ack_list", envelope(0xC777, 46, Ecn::NotEct), Bth::acknowledge(0x0708, 0xABC0), Body::Ack(lists)),
        (
            "ack_moved",
            envelope(0xC0AA, 46, Ecn::NotEct),
            Bth::acknowledge(0x0F10, 0xFF_FFF0),
            Body::Ack(moved),
        ),
        ("nack", envelope(0xC456, 46, Ecn::NotEct), Bth::acknowledge(0x090A, 0x7F_0001), Body::Nack(nack)),
        (
            "probe",
            envelope(0xC001, 46, Ecn::Ect0),
            Bth::probe(0x0B0C, 0x01_0203).with_ack_request(true),
            Body::Probe(peth),
        ),
        ("trimmed", envelope(0xC222, 12, Ecn::Ce), Bth::data(0x0D0E, 0x0C_0B0A), Body::Trimmed(trimmed)),
    ]
}

#[test]
fn bytes_made_by_hand_are_read_as_their_fields_and_written_from_them() {
    let (golden, named) = (golden(), named());
    assert_eq!(golden.len(), named.len());
    for ((name, bytes), (also, envelope, bth, body)) in golden.into_iter().zip(named) {
        assert_eq!(name, also);
        let packet = parse(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!((packet.envelope, packet.bth, &packet.body), (envelope, bth, &body), "{name} is read");
        // A packet that a switch trimmed is made by trimming, not by encoding.
        if !matches!(body, Body::Trimmed(_)) {
            assert_eq!(encode(&envelope, bth, &body).unwrap(), bytes, "{name} is written");
        }
    }
}

/// Fields as tshark shows them: name of the packet, field of the dissector, value.
const SHOWN: &[(&str, &str, &str)] = &[
    ("data", "weft.psn", "658188"),
    ("data", "weft.qp", "0x000102"),
    ("data", "weft.retransmission", "1"),
    ("data", "infiniband.reth.va", "0x0102030405060708"),
    ("data", "weft.xeth.tx_timestamp", "31323"),
    ("data", "weft.xeth.rqmsn", "258"),
    ("data", "weft.xeth.msn", "772"),
    ("last", "weft.solicited", "1"),
    ("last", "weft.xeth.msn", "1286"),
    ("last", "infiniband.bth.p_key", "33059"),
    ("ack_64", "weft.ack.offset", "-3"),
    ("ack_64", "weft.ack.probe_reply", "1"),
    ("ack_64", "weft.ack.ecn", "1"),
    ("ack_64", "weft.ack.cumulative", "100"),
    ("ack_64", "weft.ack.bitmap", "8040201008040201"),
    ("ack_64", "weft.ack.rc", "1"),
    ("ack_64", "weft.ack.rcv_cwnd_pend", "85"),
    ("ack_64", "weft.ack.rcvd_bytes", "61453"),
    ("ack_256", "weft.ack.bitmap", "9999aaaabbbbcccc555566667777888811112222333344440123456789abcdef"),
    ("ack_256", "weft.ack.ooo_count", "32767"),
    ("ack_256", "weft.ack.tx_timestamp", "4077"),
    ("ack_list", "weft.ack.lists", "1"),
    ("ack_list", "weft.ack.list.there", "0x8007"),
    ("ack_list", "weft.ack.list.marked", "0x0005"),
    ("ack_list", "weft.ack.list.evs", "c001* c002 c003* c00f"),
    ("ack_moved", "weft.ack.offset", "300"),
    ("ack_moved", "weft.ack.sack_offset", "45"),
    ("ack_moved", "weft.ack.base", "29"),
    ("ack_moved", "weft.ack.mpr", "4"),
    ("nack", "weft.nack.reason", "0x02"),
    ("nack", "weft.nack.psn", "8323073"),
    ("nack", "weft.nack.tx_timestamp", "39030"),
    ("nack", "weft.nack.vendor", "0x99"),
    ("probe", "weft.probe.id", "34969"),
    ("probe", "weft.probe.tx_timestamp", "25923"),
    ("trimmed", "weft.kind", "TRIMMED"),
    ("trimmed", "weft.xeth.tx_timestamp", "22136"),
    ("trimmed", "weft.trimmed.rest", "b1b2b3b4"),
];

#[test]
fn tshark_shows_the_fields_of_bytes_made_by_hand() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("golden.pcap");
    let golden = golden();
    write_atomically(&path, |file| {
        let mut writer = CaptureWriter::pcap(file, Resolution::Nano)?;
        golden.iter().try_for_each(|(_, bytes)| writer.write(&Frame::new(0, bytes.clone())))?;
        writer.finish().map(|_| ())
    })
    .unwrap();
    let script = concat!("lua_script:", env!("CARGO_MANIFEST_DIR"), "/../../wireshark/weft.lua");
    let mut command = Command::new("tshark");
    command.args(["-n", "-X", script, "-T", "fields", "-E", "separator=|", "-r"]).arg(&path);
    let fields: BTreeSet<&str> = SHOWN.iter().map(|(_, field, _)| *field).collect();
    for field in &fields {
        command.args(["-e", field]);
    }
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => return println!("skipped: tshark does not run ({error})"),
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split('|').collect()).collect();
    assert_eq!(rows.len(), golden.len());
    for (packet, field, value) in SHOWN {
        let row = golden.iter().position(|(name, _)| name == packet).expect("a packet of the file");
        let column = fields.iter().position(|one| one == field).expect("a field that was asked for");
        assert_eq!(rows[row][column], *value, "{field} of {packet}");
    }
}
