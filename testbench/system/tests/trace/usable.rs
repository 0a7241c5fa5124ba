//! Artefacts of a capture do not count as behaviour of the NICs: packets cut off, packets seen twice, records
//! left out.

use std::net::Ipv4Addr;
use weft_system::trace::{Options, Summary, Trace, save};
use weft_wire::headers::{Aeth, Reth, opcode, syndrome};
use weft_wire::{Body, Bth, Ecn, Envelope, Frame, Plain, frame};

const A: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 1);
const B: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 2);

fn plain(time_ns: u64, ways: (Ipv4Addr, Ipv4Addr), ttl: u8, bth: Bth, reth: bool, payload: &[u8]) -> Frame {
    let is_answer = bth.opcode() == opcode::ACKNOWLEDGE;
    let aeth = is_answer.then(|| Aeth::default().with_syndrome(syndrome::ACK));
    let body = Body::Plain(Plain { reth: reth.then(Reth::default), aeth, immediate: None, payload });
    let envelope = Envelope { ttl, ..Envelope::v4(ways.0, ways.1, 69).marked(0, Ecn::Ect0) };
    Frame::new(time_ns, frame::encode(&envelope, bth, &body).unwrap())
}

fn write(time_ns: u64, psn: u32, ttl: u8) -> Frame {
    plain(time_ns, (A, B), ttl, Bth::plain(opcode::WRITE_ONLY, 7, psn), true, &[5; 1024])
}

fn ack(time_ns: u64, psn: u32, ttl: u8) -> Frame {
    plain(time_ns, (B, A), ttl, Bth::plain(opcode::ACKNOWLEDGE, 8, psn), false, &[])
}

fn summary(frames: Vec<Frame>) -> Summary {
    Trace::of_frames("made here", frames, vec![], &Options::default()).unwrap().summary().clone()
}

#[test]
fn packets_that_a_mirror_port_shows_twice_are_one() {
    // Round trips of 20 us. Each packet is captured again 300 ns later, behind a router or at the same place.
    for second in [63, 64] {
        let twice = |frame: fn(u64, u32, u8) -> Frame, at: u64, psn| {
            [frame(at, psn, 64), frame(at + 300, psn, second)]
        };
        let mut frames: Vec<Frame> = (0..8).flat_map(|i| twice(write, i * 1_000, 100 + i as u32)).collect();
        frames.extend(twice(ack, 27_000, 107));
        let sum = summary(frames.clone());
        assert_eq!((sum.frames, sum.data, sum.retransmissions, sum.acks), (18, 8, 0, 1), "TTL {second}");
        assert_eq!((sum.seen_twice, sum.unpaired), (9, 0));
        assert_eq!((sum.connections[0].packets, sum.connections[0].acks), (8, 1));
        // A packet sent again after a round trip is a retransmission, and the capture has it twice as well.
        frames.extend(twice(write, 120_000, 103));
        let sum = summary(frames);
        assert_eq!((sum.data, sum.retransmissions, sum.timeouts, sum.seen_twice), (9, 1, 1, 10));
    }
    // Without ACKs the round trip is unknown, so only the TTL shows a copy.
    let sum = summary(vec![write(0, 1, 64), write(300, 1, 64), write(600, 1, 63)]);
    assert_eq!((sum.retransmissions, sum.seen_twice), (1, 1));
}

#[test]
fn what_the_capture_cut_off_is_not_malformed() {
    let cut = |mut frame: Frame, len| {
        frame.data.truncate(len);
        frame
    };
    for (len, said) in [(64, [9, 8, 1, 8]), (60, [9, 8, 1, 8]), (55, [9, 8, 0, 9]), (54, [9, 8, 0, 9])] {
        let mut frames: Vec<Frame> = (0..8).map(|i| cut(write(i * 1_000, 100 + i as u32, 64), len)).collect();
        frames.push(cut(ack(27_000, 107, 64), len));
        let sum = summary(frames);
        assert_eq!([sum.roce, sum.data, sum.acks, sum.cut], said, "{len} bytes");
        assert_eq!((sum.malformed, sum.retransmissions, sum.other), (0, 0, 0));
        assert_eq!((sum.connections[0].first_psn, sum.connections[0].packets), (100, 8));
        assert!(
            sum.to_string().contains("cut off within their headers, capture with `tcpdump -s 192`"),
            "{sum}"
        );
    }
    let none = Trace::of_frames("x", vec![cut(write(0, 1, 64), 50)], vec![], &Options::default());
    let said = none.unwrap_err().to_string();
    assert!(said.contains("(0 RoCEv2, 1 cut off within their headers, capture with"), "{said}");
    let none = Trace::of_frames("x", vec![cut(write(0, 1, 64), 40)], vec![], &Options::default());
    let said = none.unwrap_err().to_string();
    assert!(
        said.contains("(0 RoCEv2, 1 cut off before their UDP ports, capture with `tcpdump -s 192`"),
        "{said}"
    );
}

#[test]
fn other_opcodes_are_not_read_responses() {
    let of =
        |opcode, psn| plain(1_000 * u64::from(psn), (A, B), 64, Bth::plain(opcode, 7, psn), false, &[0; 20]);
    let mut frames = vec![write(0, 1, 64), of(opcode::FLUSH, 2), of(opcode::ATOMIC_WRITE, 3)];
    frames.extend([0x15, 0x18, 0x1B, 0x1E, 0x1F].map(|opcode| of(opcode, 4)));
    frames.extend([ack(9_000, 2, 64), ack(9_100, 3, 64)]);
    let sum = summary(frames);
    assert_eq!((sum.data, sum.other, sum.read_responses), (1, 7, 0));
    // FLUSH and ATOMIC WRITE use up a PSN each, which an ACK names.
    assert_eq!((sum.acks, sum.unpaired, sum.connections[0].packets), (2, 0, 3));
    let answer = summary(vec![write(0, 1, 64), of(opcode::READ_RESPONSE_MIDDLE, 4)]);
    assert_eq!((answer.other, answer.read_responses), (0, 1));
}

#[test]
fn records_left_out_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pcapng");
    save(&path, "", &[write(0, 1, 64), write(1_000, 2, 64)]).unwrap();
    // The first packet names an interface that the file does not have.
    let mut file = std::fs::read(&path).unwrap();
    let first = 28 + 20 + 8 + 4;
    assert_eq!(file[first..first + 4], 6u32.to_le_bytes());
    file[first + 8] = 9;
    std::fs::write(&path, file).unwrap();
    let trace = Trace::open(&path, &Options::default()).unwrap();
    let sum = trace.summary();
    assert_eq!((sum.frames, sum.data, sum.left_out.values().sum::<u64>()), (1, 1, 1));
    let line = "left out        1 record whose interface is not described\n";
    assert!(sum.to_string().contains(line), "{sum}");
}

/// Several interfaces in one capture are not sorted by time.
#[test]
fn frames_out_of_order_are_told() {
    let sum =
        summary(vec![write(9_000, 1, 64), write(7_000, 2, 64), write(8_000, 3, 64), write(9_000, 4, 64)]);
    assert_eq!((sum.earlier, sum.data, sum.duration_ns), (2, 4, 2_000));
    assert!(sum.to_string().contains("\nout of order    2 earlier than one before; `reordercap "), "{sum}");
    let sorted = summary(vec![write(7_000, 1, 64), write(7_000, 2, 64)]);
    assert!(sorted.earlier == 0 && !sorted.to_string().contains("out of order"), "{sorted}");
}

#[test]
fn a_summary_needs_no_room_for_the_frames() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.pcapng");
    let sent = |i: u64| write(i * 1_000, 100 + (i % 900) as u32, 64);
    let mut frames: Vec<Frame> = (0..1_000).map(sent).collect();
    frames.insert(40, ack(39_500, 107, 64));
    save(&path, "", &frames).unwrap();
    // The file is read again for each pass. The limit applies only to a capture held in memory.
    let small = Options { max_frames: 10, ..Options::default() };
    let held = Trace::open(&path, &Options::default()).unwrap().summary().clone();
    assert_eq!((held.frames, held.data, held.retransmissions, held.acks), (1_001, 1_000, 100, 1));
    assert_eq!(Summary::of_file(&path, &small).unwrap(), held);
    assert!(Trace::open(&path, &small).unwrap_err().to_string().contains("more than 10 frames"));
    // The same for one host, and for a host that sends no data.
    let of = |host: Ipv4Addr| Summary::of_file(&path, &Options { host: Some(host.into()), ..small });
    assert_eq!(of(A).unwrap(), held);
    assert!(of(B).unwrap_err().to_string().contains("10.0.0.2 sends no data; the data senders are 10.0.0.1"));
}

/// A classic capture: a link type, and the header of that link in place of Ethernet's 14 bytes.
fn classic(link_type: u32, header: &[u8], frames: &[Frame]) -> Vec<u8> {
    // Nanoseconds, version 2.4.
    let mut file = [0xA1B2_3C4D_u32, 4 << 16 | 2, 0, 0, 1 << 16, link_type].map(u32::to_le_bytes).concat();
    for frame in frames {
        let data = [header, &frame.data[14..]].concat();
        let len = data.len() as u32;
        file.extend([0, frame.time_ns as u32, len, len].map(u32::to_le_bytes).concat());
        file.extend(data);
    }
    file
}

/// The same frames as pcapng, and as classic captures of Ethernet, of Linux cooked interfaces and of raw IP.
fn captures(folder: &std::path::Path) -> Vec<Vec<u8>> {
    let path = folder.join("whole.pcapng");
    let writes = (0..6).map(|i| write(i * 1_000, 1 + i as u32 % 4, 64));
    let frames: Vec<Frame> = writes.chain([ack(9_000, 2, 64)]).collect();
    save(&path, "seed=3\nmode=reps", &frames).unwrap();
    let ethernet = [[0; 12].as_slice(), &[8, 0]].concat();
    let cooked = [[0, 0, 0, 1, 0, 6, 2, 0, 0, 0, 0, 1, 0, 0].as_slice(), &[8, 0]].concat();
    let cooked_2 = [[8, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 6].as_slice(), &[0; 8]].concat();
    let classic = [(1, &*ethernet), (113, &*cooked), (276, &*cooked_2), (101, &[])]
        .map(|(link_type, header)| classic(link_type, header, &frames));
    [std::fs::read(&path).unwrap()].into_iter().chain(classic).collect()
}

/// A file that is refused tests nothing but its refusal.
#[test]
fn each_capture_that_is_mutated_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pcap");
    for (number, file) in captures(folder.path()).into_iter().enumerate() {
        std::fs::write(&path, file).unwrap();
        let sum = Summary::of_file(&path, &Options::default()).unwrap();
        assert_eq!((sum.frames, sum.data, sum.acks, sum.left_out.len()), (7, 6, 1, 0), "file {number}");
    }
}

/// Any file gives a summary, or an error of one line.
fn fuzz(seeds: std::ops::RangeInclusive<u64>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pcapng");
    let captures = captures(folder.path());
    std::fs::write(&path, "").unwrap();
    let mut read = 0;
    for seed in seeds {
        let mut rng = weft_random::Rng::new(seed);
        let mut file = captures[rng.index(captures.len())].clone();
        for _ in 0..1 + rng.index(6) {
            let at = rng.index(file.len());
            file[at] = [0, 0xFF, file[at] ^ 1 << rng.index(8), rng.draw() as u8][rng.index(4)];
        }
        if rng.index(8) == 0 {
            file.truncate(rng.index(file.len()));
        }
        // Some file systems flush a file that is overwritten to the disk, 4 ms each. They do not flush a new
        // file.
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, file).unwrap();
        let streamed = Summary::of_file(&path, &Options::default()).map_err(|error| error.to_string());
        let held = Trace::open(&path, &Options::default());
        match &held {
            Ok(trace) => assert_eq!(streamed.as_ref(), Ok(trace.summary())),
            Err(error) => assert_eq!(streamed.unwrap_err(), error.to_string()),
        }
        match held {
            Ok(trace) => {
                let said = trace.summary().to_string();
                assert!(!said.contains("NaN") && !said.contains("inf us"), "seed {seed}: {said}");
                read += 1;
            }
            Err(error) => assert!(!error.to_string().contains('\n'), "seed {seed}: {error}"),
        }
    }
    assert!(read > 100, "{read} were read");
}

#[test]
fn a_few_thousand_files() {
    fuzz(1..=3_000);
}

#[test]
#[ignore = "soak: a million captures"]
fn a_million_files() {
    fuzz(10_000..=1_010_000);
}
