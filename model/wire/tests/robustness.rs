//! No content of a frame or a file makes the crate panic: random bytes, valid input mutated and cut. A
//! failure names the seed of its input; `Rng::new(seed)` makes the same input.

mod common;

use common::{any_frame, bytes};
use weft_random::Rng;
use weft_wire::capture::Resolution;
use weft_wire::frame::{encode, set_source_port, trim};
use weft_wire::{CaptureReader, CaptureWriter, Dscp, Frame, icrc, parse};

/// Runs `check` on `count` inputs; prints the seed of one that panics.
fn inputs(count: u64, check: impl Fn(&mut Rng) + std::panic::RefUnwindSafe) {
    for seed in 1..=count {
        let run = std::panic::catch_unwind(|| check(&mut Rng::new(seed)));
        assert!(run.is_ok(), "input {seed} panicked");
    }
}

/// All functions that accept a frame from outside. Returns whether the frame is RoCEv2.
fn digest(frame: &mut [u8]) -> bool {
    let _ = (icrc::icrc(frame), icrc::icrc_ok(frame), trim(frame, &Dscp::DEFAULT, true));
    let parsed = parse(frame).map(|packet| {
        assert!(format!("{packet:?}").contains("Bth"));
        let _ = (packet.acknowledgement(), packet.is_request(), packet.flow());
        let again = encode(&packet.envelope, packet.bth, &packet.body);
        // Lengths within a jumbo frame can be encoded, and then parse to an equal body.
        if let (Ok(again), false) = (again, packet.cut_off) {
            let parsed = parse(&again).expect("an encoded packet parses");
            assert_eq!((parsed.psn(), &parsed.envelope), (packet.psn(), &packet.envelope));
        }
    });
    if let Ok(done) = set_source_port(frame, 0xC0FF) {
        assert!(parsed.is_ok());
        let port = parse(frame).expect("a rewritten frame parses").envelope.source_port;
        assert!(port == 0xC0FF, "{done:?}");
    }
    parsed.is_ok()
}

fn mutate(bytes: &mut Vec<u8>, rng: &mut Rng) {
    for _ in 0..rng.index(4) {
        let at = rng.index(bytes.len().max(1));
        if let Some(byte) = bytes.get_mut(at) {
            *byte = match rng.index(4) {
                0 => 0,
                1 => 0xFF,
                2 => *byte ^ (1 << rng.index(8)),
                _ => rng.draw() as u8,
            };
        }
    }
    if rng.index(3) == 0 {
        bytes.truncate(rng.index(bytes.len() + 1));
    }
}

#[test]
fn random_bytes_as_frames() {
    inputs(100_000, |rng| {
        let len = rng.index(200);
        let mut bytes = bytes(rng, len);
        // Half of the inputs look like IPv4/UDP to 4791, so that the transport parses them.
        if rng.index(2) == 0 && bytes.len() > 42 {
            bytes[12..16].copy_from_slice(&[8, 0, 0x45, 0]);
            bytes[20..24].copy_from_slice(&[0, 0, 64, 17]);
            bytes[36..38].copy_from_slice(&4791u16.to_be_bytes());
        }
        digest(&mut bytes);
    });
}

#[test]
fn mutated_and_cut_frames() {
    let roce = std::sync::atomic::AtomicU64::new(0);
    inputs(150_000, |rng| {
        let mut frame = any_frame(rng);
        mutate(&mut frame, rng);
        if digest(&mut frame) {
            roce.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        }
    });
    // Most inputs must pass the outer headers, or the test is void.
    let roce = roce.into_inner();
    assert!(roce > 75_000, "only {roce} of 150,000 were RoCEv2");
}

fn capture(rng: &mut Rng) -> Vec<u8> {
    let mut writer = match rng.index(3) {
        0 => CaptureWriter::pcap(vec![], Resolution::Micro),
        1 => CaptureWriter::pcap(vec![], Resolution::Nano),
        _ => CaptureWriter::pcapng(vec![], "seed=1"),
    }
    .unwrap();
    for _ in 0..rng.index(6) {
        let comment = (rng.index(2) == 0).then(|| "comment".to_owned());
        let frame = Frame { comment, ..Frame::new(rng.draw() >> 8, any_frame(rng)) };
        writer.write(&frame).unwrap();
    }
    writer.finish().unwrap()
}

#[test]
fn random_mutated_and_cut_captures() {
    let damaged = std::sync::atomic::AtomicU64::new(0);
    inputs(60_000, |rng| {
        let mut file = capture(rng);
        mutate(&mut file, rng);
        if rng.index(8) == 0 {
            let keep = rng.index(13).min(file.len());
            file.truncate(keep);
            file.extend(bytes(rng, 300));
        }
        let frames = CaptureReader::new(file.as_slice(), "x").map(|reader| {
            // Every record has at least eight bytes: more frames than that would be an endless loop.
            reader.take(file.len()).filter_map(Result::err).count()
        });
        if !matches!(frames, Ok(0)) {
            damaged.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        }
    });
    let damaged = damaged.into_inner();
    assert!((10_000..55_000).contains(&damaged), "{damaged} of 60,000 were refused");
}
