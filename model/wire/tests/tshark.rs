//! Tests of stock tshark on a file that this crate wrote, field by field. Skipped without tshark.

mod common;

use std::process::Command;

use common::{KINDS, body, bytes, envelope};
use weft_random::Rng;
use weft_wire::capture::Resolution;
use weft_wire::frame::{encode, trim};
use weft_wire::headers::opcode;
use weft_wire::{Addresses, Body, CaptureWriter, Dscp, Frame, Packet, parse, write_atomically};

/// Field name and expected value; `None` if tshark does not know the field (extension headers of weft).
type Expected = Vec<(&'static str, Option<String>)>;

fn expected(number: usize, frame: &Frame, packet: &Packet<'_>) -> Expected {
    let Packet { envelope, bth, body, .. } = packet;
    let is_v4 = matches!(envelope.ip, Addresses::V4 { .. });
    let v4 = |value: String| Some(if is_v4 { value } else { String::new() });
    let v6 = |value: String| Some(if is_v4 { String::new() } else { value });
    let (reth, aeth, immediate) = match body {
        Body::Data(data) => (Some(data.reth), None, data.immediate),
        Body::Ack(ack) => (None, Some(ack.aeth), None),
        Body::Nack(nack) => (None, Some(nack.aeth), None),
        Body::Trimmed(trimmed) => (trimmed.reth, None, trimmed.immediate),
        Body::Plain(plain) => (plain.reth, plain.aeth, plain.immediate),
        _ => (None, None, None),
    };
    // tshark has the fields of an AtomicETH under the names of a RETH's; to us that header is payload.
    let atomic = match body {
        Body::Plain(plain) if bth.opcode() == opcode::COMPARE_SWAP => plain.payload.first_chunk::<12>(),
        _ => None,
    };
    let atomic =
        atomic.map(|bytes| u128::from_be_bytes([[0; 4].as_slice(), bytes].concat().try_into().unwrap()));
    let address = reth.map(|reth| reth.va()).or(atomic.map(|word| (word >> 32) as u64));
    let key = reth.map(|reth| reth.r_key()).or(atomic.map(|word| word as u32));
    let hex = |value: Option<u64>, digits: usize| {
        Some(value.map(|value| format!("0x{value:0digits$x}")).unwrap_or_default())
    };
    let stored = frame.data.last_chunk().map(|bytes| u32::from_be_bytes(*bytes));
    let dissects_to_the_end = matches!(body, Body::Data(_))
        || matches!(body, Body::Plain(plain) if plain.aeth.is_none() && bth.opcode() < 0x11);
    let tag = |tpid: u16| {
        let tag = envelope.vlans.iter().flatten().find(|vlan| vlan.tpid == tpid);
        Some(tag.map(|vlan| (vlan.tci & 0xFFF).to_string()).unwrap_or_default())
    };
    let flag = |bit: bool| Some(u8::from(bit).to_string());
    vec![
        ("frame.number", Some(number.to_string())),
        (
            "frame.time_epoch",
            Some(format!("{}.{:09}", frame.time_ns / 1_000_000_000, frame.time_ns % 1_000_000_000)),
        ),
        ("frame.comment", Some(frame.comment.clone().unwrap_or_default())),
        ("ieee8021ad.id", tag(0x88A8)),
        ("vlan.id", tag(0x8100)),
        ("ip.src", v4(envelope.ip.src().to_string())),
        ("ipv6.dst", v6(envelope.ip.dst().to_string())),
        ("ip.dsfield.dscp", v4(envelope.dscp.to_string())),
        ("ip.dsfield.ecn", v4((envelope.ecn as u8).to_string())),
        ("ipv6.tclass.ecn", v6((envelope.ecn as u8).to_string())),
        ("ip.ttl", v4(envelope.ttl.to_string())),
        ("ipv6.hlim", v6(envelope.ttl.to_string())),
        ("ip.checksum.status", v4("1".into())),
        ("udp.srcport", Some(envelope.source_port.to_string())),
        ("infiniband.bth.opcode", Some(bth.opcode().to_string())),
        ("infiniband.bth.m", flag(bth.migration_request())),
        ("infiniband.bth.padcnt", Some(bth.pad_count().to_string())),
        ("infiniband.bth.p_key", Some(bth.p_key().to_string())),
        ("infiniband.bth.destqp", hex(Some(bth.dest_qp().into()), 6)),
        ("infiniband.bth.a", flag(bth.ack_request())),
        ("infiniband.bth.reserved7", Some(bth.resv7().to_string())),
        ("infiniband.bth.psn", Some(bth.psn().to_string())),
        ("infiniband.reth.va", hex(address, 16)),
        ("infiniband.reth.r_key", hex(key.map(u64::from), 8)),
        ("infiniband.reth.dmalen", Some(reth.map(|reth| reth.dma_length().to_string()).unwrap_or_default())),
        ("infiniband.aeth.syndrome", Some(aeth.map(|aeth| aeth.syndrome().to_string()).unwrap_or_default())),
        ("infiniband.aeth.msn", Some(aeth.map(|aeth| aeth.msn().to_string()).unwrap_or_default())),
        // tshark registers the field twice and shows it twice.
        (
            "infiniband.immdt",
            Some(immediate.map(|data| format!("{data:08x},{data:08x}")).unwrap_or_default()),
        ),
        ("infiniband.invariant.crc", if dissects_to_the_end { hex(stored.map(u64::from), 8) } else { None }),
    ]
}

fn tshark(file: &std::path::Path, fields: &[&str]) -> Option<Vec<Vec<String>>> {
    let mut command = Command::new("tshark");
    command.args(["-n", "-o", "ip.check_checksum:TRUE", "-T", "fields", "-E", "separator=|", "-r"]).arg(file);
    for field in fields {
        command.args(["-e", field]);
    }
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => {
            println!("skipped: tshark does not run ({error})");
            return None;
        }
    };
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "tshark refused the file: {message}");
    let lines = String::from_utf8(output.stdout).unwrap();
    Some(lines.lines().map(|line| line.split('|').map(str::to_owned).collect()).collect())
}

#[test]
fn tshark_reads_what_was_written() {
    let mut rng = Rng::new(7);
    let mut frames = Vec::new();
    for i in 0..40 * KINDS {
        let payload = bytes(&mut rng, 64 + i % 5);
        let envelope = envelope(&mut rng);
        let (bth, body) = body(i % KINDS, &mut rng, &payload);
        // UD has a DETH here, and the plain ACK is followed by nothing of interest.
        if matches!(body, Body::Other(_)) {
            continue;
        }
        let comment = (i % 7 == 0).then(|| format!("frame {i}"));
        let time_ns = 1_700_000_000_123_456_789 + i as u64;
        let data = encode(&envelope, bth, &body).unwrap();
        let data = match body {
            Body::Data(_) if i % 4 == 0 => trim(&data, &Dscp::DEFAULT, i % 8 == 0).unwrap(),
            _ => data,
        };
        frames.push(Frame { comment, ..Frame::new(time_ns, data) });
    }
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let packets: Vec<Packet<'_>> = frames.iter().map(|frame| parse(&frame.data).unwrap()).collect();
    for name in ["tshark.pcapng", "tshark.pcap"] {
        let is_pcapng = name.ends_with("ng");
        let path = folder.join(name);
        write_atomically(&path, |file| {
            let mut writer = match is_pcapng {
                true => CaptureWriter::pcapng(file, "made_by=test")?,
                false => CaptureWriter::pcap(file, Resolution::Nano)?,
            };
            frames.iter().try_for_each(|frame| writer.write(frame))?;
            writer.finish()?;
            Ok::<_, weft_wire::capture::WriteError>(())
        })
        .unwrap();

        let names: Vec<&str> = expected(0, &frames[0], &packets[0]).iter().map(|(name, _)| *name).collect();
        let Some(lines) = tshark(&path, &names) else { return };
        assert_eq!(lines.len(), frames.len());
        for (i, line) in lines.iter().enumerate() {
            let mut frame = frames[i].clone();
            frame.comment = frame.comment.filter(|_| is_pcapng);
            let expected = expected(i + 1, &frame, &packets[i]);
            for ((name, expected), shown) in expected.iter().zip(line) {
                if let Some(expected) = expected {
                    assert_eq!(shown, expected, "{name} of frame {} {:?}", i + 1, packets[i]);
                }
            }
        }
    }
}
