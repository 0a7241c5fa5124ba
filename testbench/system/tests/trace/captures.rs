//! Captures as events of the block: real ones, captures in weft's format, and captures made for one rule
//! each.

use std::fs;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use weft_nic::block::reps::{Kind, Outcome, Reps};
use weft_params::{EvMode, RepsCsr, RepsParams};
use weft_system::trace::{Echo, Options, Summary, TimedEvent, Trace, TraceError, save};
use weft_wire::headers::{Aeth, Reth, Xeth, nack_reason, opcode, syndrome};
use weft_wire::icrc::icrc_ok;
use weft_wire::{Ack, Body, Bth, Data, Ecn, Envelope, Frame, Nack, Plain, frame, packet};

/// A file of the shared data, which users do not have.
fn shared(name: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/pcap").join(name);
    if !path.exists() {
        println!("skipped: no {name}");
        return None;
    }
    Some(path)
}

fn block() -> Reps {
    Reps::new(RepsParams::default(), RepsCsr::default())
}

fn events(trace: &Trace) -> Vec<TimedEvent> {
    trace.events(&mut block()).unwrap()
}

fn kinds(events: &[TimedEvent]) -> Vec<Kind> {
    events.iter().map(|timed| timed.event.kind).collect()
}

fn count(events: &[TimedEvent], kind: Kind) -> usize {
    events.iter().filter(|timed| timed.event.kind == kind).count()
}

fn outcomes(events: &[TimedEvent]) -> Vec<Outcome> {
    events.iter().map(|timed| timed.outcome).collect()
}

const A: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 1);
const B: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 2);

/// A plain RC SEND from A to B.
fn request(time_ns: u64, qp: u32, psn: u32) -> Frame {
    let body = Body::Plain(Plain { reth: None, aeth: None, immediate: None, payload: b"data" });
    let envelope = Envelope::v4(A, B, 69).marked(0, Ecn::Ect0);
    Frame::new(time_ns, frame::encode(&envelope, Bth::plain(opcode::SEND_ONLY, qp, psn), &body).unwrap())
}

/// A plain RC ACK or NAK from B to A, on UDP source port 72.
fn answer(time_ns: u64, qp: u32, psn: u32, syndrome: u8, ecn: Ecn) -> Frame {
    let aeth = Some(Aeth::default().with_syndrome(syndrome));
    let body = Body::Plain(Plain { reth: None, aeth, immediate: None, payload: b"" });
    let envelope = Envelope::v4(B, A, 72).marked(0, ecn);
    Frame::new(time_ns, frame::encode(&envelope, Bth::plain(opcode::ACKNOWLEDGE, qp, psn), &body).unwrap())
}

fn ack(time_ns: u64, qp: u32, psn: u32) -> Frame {
    answer(time_ns, qp, psn, syndrome::ACK, Ecn::NotEct)
}

fn nak(time_ns: u64, qp: u32, psn: u32) -> Frame {
    answer(time_ns, qp, psn, syndrome::NAK_PSN_SEQUENCE, Ecn::NotEct)
}

/// A sprayed packet from A to B.
fn weft_data(time_ns: u64, qp: u32, psn: u32, ev: u16, rtx: bool) -> Frame {
    let reth = Reth::default().with_dma_length(4);
    let body = Body::Data(Data { reth, immediate: None, xeth: Xeth::new(0, 0, 0), payload: b"data" });
    let bth = Bth::data(qp, psn).with_retransmission(rtx);
    let envelope = Envelope::v4(A, B, ev).marked(4, Ecn::Ect0);
    Frame::new(time_ns, frame::encode(&envelope, bth, &body).unwrap())
}

/// The ACK of such a packet.
fn weft_ack(time_ns: u64, qp: u32, psn: u32, ev: u16) -> Frame {
    let body = Body::Ack(Ack::new(psn, psn, ev));
    let envelope = Envelope::v4(B, A, 0xFFFF).marked(46, Ecn::NotEct);
    Frame::new(time_ns, frame::encode(&envelope, Bth::acknowledge(qp, psn), &body).unwrap())
}

/// The NACK of such a packet.
fn weft_nack(time_ns: u64, qp: u32, psn: u32, ev: u16) -> Frame {
    let body = Body::Nack(Nack::new(psn, nack_reason::TRIMMED, ev, 0));
    let envelope = Envelope::v4(B, A, 0xFFFF).marked(46, Ecn::NotEct);
    Frame::new(time_ns, frame::encode(&envelope, Bth::acknowledge(qp, psn), &body).unwrap())
}

fn trace_with(frames: Vec<Frame>, options: &Options) -> Result<Trace, TraceError> {
    Trace::of_frames("made", frames, vec![], options)
}

fn trace(frames: Vec<Frame>) -> Trace {
    trace_with(frames, &Options::default()).unwrap()
}

/// Checks that the error is one line with the given text.
fn refused<T: std::fmt::Debug>(result: Result<T, TraceError>, says: &str) {
    let error = result.unwrap_err().to_string();
    assert!(!error.contains('\n'), "{error}");
    assert!(error.contains(says), "{error:?} does not say {says:?}");
}

#[test]
fn the_real_capture_becomes_events() {
    let Some(path) = shared("oferby-proxy_roce.pcap") else { return };
    let trace = Trace::open(path, &Options::default()).unwrap();
    let sum = trace.summary();
    assert_eq!((sum.frames, sum.roce, sum.icrc.valid, sum.malformed), (123, 105, 105, 0));
    assert_eq!((sum.data, sum.acks, sum.unpaired, sum.retransmissions), (68, 37, 0, 0));
    let of: Vec<_> = sum.connections.iter().map(|it| (it.dest_qp, it.packets, it.acks, it.evs)).collect();
    assert_eq!(of, [(0x48, 1, 1, 1), (0x45, 67, 36, 1)]);

    let events = events(&trace);
    assert_eq!(kinds(&events[..5]), [Kind::Seed, Kind::Open, Kind::Send, Kind::Ack, Kind::Open]);
    let counted = [Kind::Open, Kind::Send, Kind::Ack, Kind::Timeout].map(|kind| count(&events, kind));
    assert_eq!(counted, [2, 68, 37, 0]);
    let first_ack = &events[3].event;
    // 21 us, on the port that the ACK came from.
    assert_eq!((first_ack.rtt_ticks, first_ack.ev, first_ack.ecn), (21_000 / 32, 72, false));
    assert!(events.iter().all(|timed| timed.outcome.accepted));
}

#[test]
fn the_real_capture_is_rewritten() {
    let Some(path) = shared("oferby-proxy_roce.pcap") else { return };
    let options = Options { echo: Echo::Chosen, ..Options::default() };
    let trace = Trace::open(path, &options).unwrap();
    let events = events(&trace);
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.pcapng");
    trace.save(&out, &events, &outcomes(&events)).unwrap();
    let rewritten = Trace::open(&out, &options).unwrap();
    assert_eq!(rewritten.summary().icrc.valid, 105);
    assert_eq!(rewritten.frames().len(), 123);

    let mut chosen = events.iter().filter(|timed| timed.event.kind == Kind::Send);
    for (before, after) in trace.frames().iter().zip(rewritten.frames()) {
        assert_eq!((before.time_ns, before.original_len), (after.time_ns, after.original_len));
        let Some(packet) = packet::parse(&before.data).ok().filter(|packet| packet.is_request()) else {
            assert_eq!(before, after);
            continue;
        };
        let ev = chosen.next().unwrap().outcome.ev;
        assert!((0xC000..0xD000).contains(&ev));
        assert_eq!(packet::parse(&after.data).unwrap().envelope.source_port, ev);
        // The port and the ICRC change, and no other byte.
        let ip_len = usize::from(u16::from_be_bytes([before.data[16], before.data[17]]));
        let icrc = 14 + ip_len - 4..14 + ip_len;
        for (at, (before, after)) in before.data.iter().zip(&after.data).enumerate() {
            assert!(before == after || (34..36).contains(&at) || icrc.contains(&at), "byte {at}");
        }
        assert_eq!(packet.envelope.source_port, if packet.dest_qp() == 0x48 { 69 } else { 72 });
    }
    assert!(chosen.next().is_none());
}

#[test]
fn weft_packets_name_their_acknowledgements() {
    let Some(path) = shared("proposed_wire_selfmade.pcap") else { return };
    let trace = Trace::open(path, &Options::default()).unwrap();
    let sum = trace.summary();
    assert_eq!((sum.frames, sum.weft, sum.data, sum.acks, sum.nacks, sum.trimmed), (13, 13, 9, 2, 1, 1));
    // Data to QP 0x45 is acknowledged to QP 0x46. A packet that a NACK requests had no timeout.
    assert_eq!((sum.unpaired, sum.retransmissions, sum.timeouts), (0, 1, 0));
    let echoes: Vec<_> = events(&trace)
        .iter()
        .filter(|timed| timed.event.kind == Kind::Ack)
        .map(|timed| timed.event)
        .collect();
    assert!(echoes.iter().all(|ack| ack.ev >= 0xC000));
}

#[test]
fn a_packet_sent_again_late_had_a_timeout() {
    let rto = 70_000;
    let case = |again_ns, naks: &[(u64, u32)]| {
        // The ACK shows that QP 8 is the sender's.
        let mut frames = vec![request(0, 7, 5), request(100, 7, 6), ack(200, 8, 5)];
        frames.extend(naks.iter().map(|&(time_ns, psn)| nak(time_ns, 8, psn)));
        frames.push(request(again_ns, 7, 6));
        let trace = trace(frames);
        assert_eq!(trace.summary().retransmissions, 1);
        let events = events(&trace);
        assert!(events.last().unwrap().retransmission);
        count(&events, Kind::Timeout)
    };
    assert_eq!(case(100 + rto, &[]), 1);
    assert_eq!(case(100 + rto - 1, &[]), 0);
    assert_eq!(case(100 + rto, &[(9_000, 6)]), 0);
    // Go-back-N: all packets after the requested PSN are sent again too; those before it are not.
    assert_eq!(case(100 + rto, &[(9_000, 5)]), 0);
    assert_eq!(case(100 + rto, &[(9_000, 7)]), 1);

    // A NAK that arrived before the last transmission requests no packet any more.
    let frames = vec![
        request(0, 7, 5),
        nak(10_000, 8, 5),
        request(20_000, 7, 5),
        request(20_000 + rto, 7, 5),
        ack(100_000, 8, 5),
    ];
    let events = events(&trace(frames));
    let expected = [Kind::Seed, Kind::Open, Kind::Send, Kind::Send, Kind::Timeout, Kind::Send, Kind::Ack];
    assert_eq!(kinds(&events), expected);
    // Karn's rule: the ACK may answer any of the three transmissions.
    assert_eq!(events[6].event.rtt_ticks, 0);
}

#[test]
fn a_nack_asks_for_one_packet() {
    let case = |nacked: &[u32]| {
        let mut frames = vec![weft_data(0, 7, 5, 0xC001, false), weft_data(9, 7, 6, 0xC002, false)];
        frames.push(weft_ack(20_000, 8, 5, 0xC001));
        frames.extend(nacked.iter().map(|&psn| weft_nack(20_100, 8, psn, 0xC002)));
        frames.push(weft_data(90_000, 7, 6, 0xC003, true));
        let trace = trace(frames);
        assert_eq!((trace.summary().retransmissions, trace.summary().unpaired), (1, 0));
        trace.summary().timeouts
    };
    assert_eq!((case(&[]), case(&[5]), case(&[6])), (1, 1, 0));
    // A retransmission whose first transmission is not in the capture.
    let late = trace(vec![weft_data(0, 7, 5, 0xC001, true), weft_data(90_000, 7, 6, 0xC001, true)]);
    assert_eq!((late.summary().retransmissions, late.summary().timeouts), (2, 0));
}

#[test]
fn an_idle_connection_is_told() {
    let frames = vec![request(0, 7, 5), ack(900, 8, 5), request(10_900, 7, 6), request(90_000, 7, 6)];
    let idle = |idle_ns| {
        let options = Options { idle_ns, ..Options::default() };
        kinds(&events(&trace_with(frames.clone(), &options).unwrap()))
    };
    let (busy, end) = ([Kind::Seed, Kind::Open, Kind::Send, Kind::Ack], [Kind::Timeout, Kind::Send]);
    assert_eq!(idle(0), [&busy[..], &[Kind::Send], &end].concat());
    assert_eq!(idle(10_001), [&busy[..], &[Kind::Send], &end].concat());
    assert_eq!(idle(10_000), [&busy[..], &[Kind::Idle, Kind::Send], &end].concat());
}

#[test]
fn the_echo_is_recorded_or_chosen() {
    let frames = vec![request(0, 7, 5), ack(900, 8, 5), request(1_000, 7, 6), ack(2_000, 8, 9)];
    let evs = |echo| {
        let options = Options { echo, ..Options::default() };
        let events = events(&trace_with(frames.clone(), &options).unwrap());
        let acks = events.iter().filter(|timed| timed.event.kind == Kind::Ack);
        (acks.map(|timed| timed.event.ev).collect::<Vec<_>>(), events[2].outcome.ev)
    };
    assert_eq!(evs(Echo::Recorded).0, [72, 72]);
    // The second ACK answers a packet that is not in the capture.
    let (chosen, first) = evs(Echo::Chosen);
    assert_eq!(chosen, [first]);
}

#[test]
fn marks_and_round_trip_times_are_told() {
    let marked = answer(9_600, 8, 5, syndrome::ACK, Ecn::Ce);
    let frames =
        vec![request(0, 7, 5), marked, request(10_000, 7, 6), ack(10_001, 8, 6), request(20_000, 7, 7)];
    let slow = ack(20_000 + 32 * 65_536, 8, 7);
    let trace = trace([frames, vec![slow]].concat());
    let events = events(&trace);
    let acks: Vec<_> = events.iter().filter(|timed| timed.event.kind == Kind::Ack).collect();
    let told: Vec<_> = acks.iter().map(|timed| (timed.event.ecn, timed.event.rtt_ticks)).collect();
    // A known time is at least a tick, and saturates.
    assert_eq!(told, [(true, 300), (false, 1), (false, u16::MAX)]);
    assert_eq!(events.last().unwrap().event.now_ticks, 65_536 + 625);
}

#[test]
fn acknowledgements_find_their_connection() {
    // Two connections run between the same hosts at the same time; the ACKs of the second arrive first.
    let mut frames = vec![];
    for i in 0..20 {
        frames.push(request(1_000 * u64::from(i), 7, 500 + i));
        frames.push(request(1_000 * u64::from(i) + 100, 9, 510 + i));
        frames.push(ack(1_000 * u64::from(i) + 300, 10, 510 + i));
        frames.push(ack(1_000 * u64::from(i) + 400, 8, 500 + i));
    }
    // An ACK for no packet in the capture, with a PSN that the capture has: a connection has one QP.
    frames.push(ack(50_000, 99, 505));
    let trace = trace(frames);
    let sum = trace.summary();
    assert_eq!((sum.connections.len(), sum.unpaired), (2, 1));
    let rtts = events(&trace).into_iter().filter(|timed| timed.event.kind == Kind::Ack);
    let told: Vec<_> = rtts.map(|timed| (timed.event.connection, timed.event.rtt_ticks)).collect();
    assert_eq!(told, [(1, 200 / 32), (0, 400 / 32)].repeat(20));
}

#[test]
fn most_votes_decide_whose_an_acknowledgement_is() {
    // PSN 505 is in flight on both connections when the first ACK names it.
    let mut frames: Vec<_> = (500..506).map(|psn| request(0, 7, psn)).collect();
    frames.extend((505..510).map(|psn| request(10, 9, psn)));
    frames.extend((505..510).map(|psn| ack(20, 10, psn)));
    frames.extend((500..506).map(|psn| ack(30, 8, psn)));
    let of: Vec<_> = trace(frames).summary().connections.iter().map(|it| it.acks).collect();
    assert_eq!(of, [6, 5]);

    // weft: the PSNs are the same, so the EVs decide.
    let mut frames = vec![];
    for psn in 0..3 {
        frames.push(weft_data(0, 7, psn, 0xC100 + psn as u16, false));
        frames.push(weft_data(10, 9, psn, 0xC200 + psn as u16, false));
        frames.push(weft_ack(20, 10, psn, 0xC200 + psn as u16));
    }
    let of: Vec<_> = trace(frames).summary().connections.iter().map(|it| it.acks).collect();
    assert_eq!(of, [0, 3]);
}

#[test]
fn psns_wrap_and_time_never_goes_back() {
    let psns = (0xFF_FFF0..0x100_0010).map(|psn| psn & 0xFF_FFFF);
    let frames: Vec<_> = psns.enumerate().map(|(i, psn)| request(1_000_000 - i as u64, 7, psn)).collect();
    let trace = trace(frames);
    assert_eq!(trace.summary().retransmissions, 0);
    assert!(events(&trace).iter().all(|timed| timed.time_ns == 0));
    assert_eq!(trace.summary().duration_ns, 31);
}

#[test]
fn a_host_can_be_chosen() {
    let back = |frame: Frame| {
        let mut data = frame.data;
        data[26..34].rotate_left(4);
        Frame::new(frame.time_ns, data)
    };
    let frames = vec![request(0, 7, 5), back(request(10, 8, 5)), ack(20, 8, 5), back(ack(30, 7, 5))];
    let senders = |host| {
        let options = Options { host, ..Options::default() };
        trace_with(frames.clone(), &options).map(|trace| {
            let sum: &Summary = trace.summary();
            let these: Vec<_> = sum.connections.iter().map(|it| (it.src, it.acks)).collect();
            these
        })
    };
    let (a, b) = (IpAddr::from(A), IpAddr::from(B));
    assert_eq!(senders(None).unwrap(), [(a, 1), (b, 1)]);
    assert_eq!(senders(Some(a)).unwrap(), [(a, 1)]);
    assert_eq!(senders(Some(b)).unwrap(), [(b, 1)]);
    refused(
        senders(Some(Ipv4Addr::LOCALHOST.into())),
        "127.0.0.1 sends no data; the data senders are 10.0.0.1",
    );
}

#[test]
fn a_fixed_connection_keeps_its_ev() {
    let trace = trace(vec![request(0, 7, 5), request(10, 7, 6), request(20, 9, 1)]);
    let mut fixed = Reps::new(RepsParams::default(), RepsCsr { mode: EvMode::Fixed, ..RepsCsr::default() });
    let events = trace.events(&mut fixed).unwrap();
    let frames = trace.rewrite(&events, &outcomes(&events)).unwrap();
    assert_eq!(frames, trace.frames());
}

#[test]
fn other_frames_and_damage_are_kept() {
    let mut wrong = request(10, 7, 6);
    *wrong.data.last_mut().unwrap() ^= 1;
    let mut cut = request(20, 7, 7);
    cut.data.truncate(60);
    let frames = vec![Frame::new(0, vec![0xFF; 60]), wrong, cut, request(30, 7, 8)];
    let trace = trace(frames);
    let sum = trace.summary();
    assert_eq!((sum.icrc.valid, sum.icrc.wrong, sum.icrc.absent), (1, 1, 1));
    let events = events(&trace);
    let frames = trace.rewrite(&events, &outcomes(&events)).unwrap();
    assert_eq!(frames[0], trace.frames()[0]);
    let of: Vec<_> = frames[1..].iter().map(|frame| icrc_ok(&frame.data)).collect();
    assert_eq!(of, [Some(false), None, Some(true)]);
    let mut sends = events.iter().filter(|timed| timed.event.kind == Kind::Send);
    for frame in &frames[1..] {
        let port = packet::parse(&frame.data).unwrap().envelope.source_port;
        assert_eq!(port, sends.next().unwrap().outcome.ev);
    }
}

#[test]
fn too_much_is_refused() {
    let many = |qps: u32| (0..qps).map(|qp| request(qp.into(), qp, 1)).collect::<Vec<_>>();
    let small = Reps::new(RepsParams { connections: 4, ..RepsParams::default() }, RepsCsr::default());
    assert!(trace(many(4)).events(&mut small.clone()).is_ok());
    refused(trace(many(5)).events(&mut small.clone()), "has 5 connections and the block 4");
    refused(trace_with(many(5_000), &Options::default()), "has 4097 connections and the block 4096");
    refused(trace_with(many(1), &Options { tick_ns: 0, ..Options::default() }), "at least 1 ns");

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("many.pcapng");
    save(&path, "", &many(10)).unwrap();
    let open =
        |max_frames, max_bytes| Trace::open(&path, &Options { max_frames, max_bytes, ..Options::default() });
    assert!(open(10, 100_000).is_ok());
    refused(open(9, 100_000), "more than 9 frames");
    refused(open(10, 100), "more than 100 bytes of frames");
}

#[test]
fn what_is_no_capture_of_rdma_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let open = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        Trace::open(path, &Options::default())
    };
    let path = folder.path().join("good.pcapng");
    save(&path, "", &[request(0, 7, 5), request(9, 7, 6)]).unwrap();
    let good = fs::read(&path).unwrap();
    refused(open("empty", b""), "is empty");
    refused(open("text", b"not a capture at all, just text"), "is not a capture");
    refused(open("cut.pcapng", &good[..good.len() - 3]), "the file has");
    refused(Trace::open(folder.path().join("none"), &Options::default()), "none");
    // Link type 247 (InfiniBand), and a record of 2 GiB.
    let header = |link_type: u32| {
        let words = [0xA1B2_C3D4_u32, 0x0004_0002, 0, 0, 0xFFFF, link_type];
        words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>()
    };
    refused(open("other.pcap", &header(247)), "has link type 247; Ethernet (1), Linux cooked");
    let giant: Vec<u8> = [0_u32, 0, 1 << 31, 1 << 31].iter().flat_map(|word| word.to_le_bytes()).collect();
    refused(open("giant.pcap", &[header(1), giant].concat()), "claims");
    refused(open("nothing.pcap", &header(1)), "no RoCEv2 data packet in 0 frames");
    refused(
        trace_with(vec![ack(0, 8, 1)], &Options::default()),
        "no RoCEv2 data packet in 1 frames (1 RoCEv2)",
    );
}

#[test]
fn impossible_settings_in_a_capture_are_refused() {
    let says = |line: &str| {
        let comment = format!("tool=weft\n{line}");
        Trace::of_frames("made", vec![request(0, 7, 5)], vec![comment], &Options::default()).unwrap()
    };
    assert_eq!(says("").provenance().csr().unwrap(), RepsCsr::default());
    assert_eq!(says("seed=12").seed(), 12);
    refused(says("csr={}").provenance().csr(), "the capture says csr={}");
    let csr = RepsCsr { evs_size: 0, ..RepsCsr::default() };
    let line = format!("csr={}", serde_json::to_string(&csr).unwrap());
    refused(says(&line).provenance().csr(), "use 1 to 65536");
    refused(says("params={\"connections\":3,\"depth\":8,\"ev_width\":16}").provenance().params(), "256");
    // Keys of other tools are ignored.
    let foreign = Trace::of_frames(
        "made",
        vec![request(0, 7, 5)],
        vec!["csr=x\nseed=y".to_owned()],
        &Options::default(),
    );
    assert_eq!(foreign.unwrap().seed(), 1);
}

/// Damaged captures end in an error or in events, never in a panic.
#[test]
fn no_bytes_panic() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.pcapng");
    let mut frames = vec![request(0, 7, 5), request(9, 7, 6), ack(20, 8, 5), nak(30, 8, 6)];
    frames.push(request(90_000, 7, 6));
    save(&path, "tool=weft\nseed=3", &frames).unwrap();
    let good = fs::read(&path).unwrap();
    let mut state = 1_u32;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state as usize % below
    };
    let (mut read, mut rejected) = (0, 0);
    for _ in 0..1_000 {
        let mut bad = good.clone();
        for _ in 0..1 + next(4) {
            let at = next(bad.len());
            bad[at] = next(256) as u8;
        }
        fs::write(&path, &bad).unwrap();
        match Trace::open(&path, &Options { idle_ns: 5, ..Options::default() }) {
            Ok(trace) => {
                let events = events(&trace);
                trace.rewrite(&events, &outcomes(&events)).unwrap();
                assert!(!trace.summary().to_string().is_empty());
                read += 1;
            }
            Err(error) => {
                assert!(!error.to_string().contains('\n'), "{error}");
                rejected += 1;
            }
        }
    }
    assert!(read > 100 && rejected > 100, "{read} read, {rejected} rejected");
}
