//! Tests of tshark with `wireshark/weft.lua` on frames that this crate made, field by field. Skipped without tshark.

mod common;

use std::fmt::Display;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::Command;

use common::{body, bytes, envelope};
use weft_random::Rng;
use weft_wire::frame::{encode, trim};
use weft_wire::headers::{PSN_MASK, Peth, Xeth};
use weft_wire::{Ack, Body, Bth, CaptureWriter, Dscp, Envelope, Frame, Nack, Packet, parse};

/// Every field of the dissector, with the value that it should show; empty where the packet has no such field.
struct Expected(Vec<(&'static str, String)>);

impl Expected {
    fn of(packet: &Packet<'_>) -> Self {
        let mut expected = Self(FIELDS.iter().map(|name| (*name, String::new())).collect());
        expected.fill(packet);
        expected
    }

    fn set(&mut self, name: &str, value: impl Display) {
        let (_, slot) = self.0.iter_mut().find(|(field, _)| *field == name).expect("a field of the list");
        *slot = value.to_string();
    }

    fn fill(&mut self, Packet { envelope, bth, body, .. }: &Packet<'_>) {
        match body {
            Body::Data(data) => {
                self.request("DATA", envelope, bth);
                self.xeth(&data.xeth);
            }
            Body::Trimmed(trimmed) => {
                self.request("TRIMMED", envelope, bth);
                self.set("weft.trimmed.last_hop", u8::from(trimmed.last_hop));
                if let Some(xeth) = &trimmed.xeth {
                    self.xeth(xeth);
                }
                let hex = |byte: &u8| format!("{byte:02x}");
                self.set("weft.trimmed.rest", trimmed.rest.iter().map(hex).collect::<String>());
            }
            Body::Probe(peth) => {
                self.request("PROBE", envelope, bth);
                self.probe(peth);
            }
            Body::Ack(ack) => self.ack(bth, ack),
            Body::Nack(nack) => self.nack(bth, nack),
            // All other layers are skipped.
            _ => {}
        }
    }

    fn common(&mut self, kind: &str, bth: &Bth, psn: u32, ev: u16) {
        self.set("weft.kind", kind);
        self.set("weft.qp", format_args!("0x{:06x}", bth.dest_qp()));
        self.set("weft.psn", psn);
        self.set("weft.ev", format_args!("0x{ev:04x}"));
    }

    fn request(&mut self, kind: &str, envelope: &Envelope, bth: &Bth) {
        self.common(kind, bth, bth.psn(), envelope.source_port);
        self.set("weft.ack_request", u8::from(bth.ack_request()));
        self.set("weft.retransmission", u8::from(bth.retransmission()));
        self.set("weft.solicited", u8::from(bth.solicited_event()));
    }

    fn xeth(&mut self, xeth: &Xeth) {
        self.set("weft.xeth.tx_timestamp", xeth.tx_timestamp());
        self.set("weft.xeth.tsr", u8::from(xeth.tsr()));
        self.set("weft.xeth.ftype", xeth.ftype());
        self.set("weft.xeth.rqmsn", xeth.rqmsn());
        self.set("weft.xeth.msn", xeth.msn());
    }

    fn ack(&mut self, bth: &Bth, ack: &Ack) {
        let (seth, state) = (&ack.seth, &ack.cc_state);
        self.common("ACK", bth, ack.trigger_psn(), seth.echoed_ev() as u16);
        self.set("weft.ack.probe_reply", u8::from(seth.probe_reply()));
        self.set("weft.ack.ecn", seth.m());
        self.set("weft.ack.offset", seth.ack_psn_offset());
        self.set("weft.ack.cumulative", seth.cack_psn());
        self.set("weft.ack.flow_label", format_args!("0x{:04x}", seth.echoed_ev() >> 16));
        self.set("weft.ack.spdcid", seth.spdcid());
        self.set("weft.ack.dpdcid", seth.dpdcid());
        self.set("weft.ack.cc_type", seth.cc_type());
        self.set("weft.ack.lists", u8::from(seth.xev()));
        if let Some(evx) = &ack.evx {
            self.set("weft.ack.list.there", format_args!("0x{:04x}", evx.there()));
            self.set("weft.ack.list.marked", format_args!("0x{:04x}", evx.marked()));
            let entry = |(ev, ce)| format!("{ev:04x}{}", if ce { "*" } else { "" });
            let entries: Vec<String> = evx.entries().map(entry).collect();
            self.set("weft.ack.list.count", entries.len());
            self.set("weft.ack.list.evs", entries.join(" "));
        }
        self.set("weft.ack.wide", u8::from(ack.sackx.is_some()));
        self.set("weft.ack.mpr", seth.mpr());
        self.set("weft.ack.sack_offset", seth.sack_offset());
        self.set("weft.ack.base", ack.sack_base());
        let words = if ack.sackx.is_some() { 4 } else { 1 };
        let digits = |word: &u64| format!("{word:016x}");
        self.set("weft.ack.bitmap", ack.bitmap()[..words].iter().rev().map(digits).collect::<String>());
        let psns = psns(ack);
        self.set("weft.ack.bitmap.count", psns.len());
        self.set("weft.ack.bitmap.psns", runs(&psns));
        self.set("weft.ack.tx_timestamp", state.tx_timestamp());
        self.set("weft.ack.ooo_count", state.ooo_count());
        self.set("weft.ack.rc", u8::from(state.rc()));
        self.set("weft.ack.rcv_cwnd_pend", state.rcv_cwnd_pend());
        self.set("weft.ack.rcvd_bytes", state.rcvd_bytes());
    }

    fn nack(&mut self, bth: &Bth, Nack { neth, .. }: &Nack) {
        self.common("NACK", bth, neth.nack_psn(), neth.echoed_ev() as u16);
        self.set("weft.nack.ecn", neth.m());
        self.set("weft.nack.reason", format_args!("0x{:02x}", neth.reason()));
        self.set("weft.nack.vendor", format_args!("0x{:02x}", neth.vendor()));
        self.set("weft.nack.flow_label", format_args!("0x{:04x}", neth.echoed_ev() >> 16));
        self.set("weft.nack.spdcid", neth.spdcid());
        self.set("weft.nack.dpdcid", neth.dpdcid());
        self.set("weft.nack.psn", neth.nack_psn());
        self.set("weft.nack.cc_type", neth.cc_type());
        self.set("weft.nack.tx_timestamp", neth.tx_timestamp());
    }

    fn probe(&mut self, peth: &Peth) {
        self.set("weft.probe.vendor", format_args!("0x{:02x}", peth.vendor()));
        self.set("weft.probe.id", peth.probe_id());
        self.set("weft.probe.spdcid", peth.spdcid());
        self.set("weft.probe.dpdcid", peth.dpdcid());
        self.set("weft.probe.tx_timestamp", peth.tx_timestamp());
        self.set("weft.probe.tsr", u8::from(peth.tsr()));
        self.set("weft.probe.ftype", peth.ftype());
    }
}

const FIELDS: &[&str] = &[
    "weft.kind",
    "weft.qp",
    "weft.psn",
    "weft.ev",
    "weft.ack_request",
    "weft.retransmission",
    "weft.solicited",
    "weft.xeth.tx_timestamp",
    "weft.xeth.tsr",
    "weft.xeth.ftype",
    "weft.xeth.rqmsn",
    "weft.xeth.msn",
    "weft.trimmed.last_hop",
    "weft.trimmed.rest",
    "weft.ack.probe_reply",
    "weft.ack.ecn",
    "weft.ack.offset",
    "weft.ack.cumulative",
    "weft.ack.flow_label",
    "weft.ack.spdcid",
    "weft.ack.dpdcid",
    "weft.ack.cc_type",
    "weft.ack.lists",
    "weft.ack.list.there",
    "weft.ack.list.marked",
    "weft.ack.list.count",
    "weft.ack.list.evs",
    "weft.ack.wide",
    "weft.ack.mpr",
    "weft.ack.sack_offset",
    "weft.ack.base",
    "weft.ack.bitmap",
    "weft.ack.bitmap.count",
    "weft.ack.bitmap.psns",
    "weft.ack.tx_timestamp",
    "weft.ack.ooo_count",
    "weft.ack.rc",
    "weft.ack.rcv_cwnd_pend",
    "weft.ack.rcvd_bytes",
    "weft.nack.ecn",
    "weft.nack.reason",
    "weft.nack.vendor",
    "weft.nack.flow_label",
    "weft.nack.spdcid",
    "weft.nack.dpdcid",
    "weft.nack.psn",
    "weft.nack.cc_type",
    "weft.nack.tx_timestamp",
    "weft.probe.vendor",
    "weft.probe.id",
    "weft.probe.spdcid",
    "weft.probe.dpdcid",
    "weft.probe.tx_timestamp",
    "weft.probe.tsr",
    "weft.probe.ftype",
];

/// The PSNs that the bitmap acknowledges.
fn psns(ack: &Ack) -> Vec<u32> {
    let is_set = |i: &u32| ack.bitmap()[*i as usize / 64] >> (i % 64) & 1 == 1;
    (0..256).filter(is_set).map(|i| ack.sack_base().wrapping_add(i) & PSN_MASK).collect()
}

fn runs(psns: &[u32]) -> String {
    let run = |run: &[u32]| match run {
        [single] => single.to_string(),
        run => format!("{}-{}", run[0], run[run.len() - 1]),
    };
    let runs = psns.chunk_by(|a, b| a.wrapping_add(1) & PSN_MASK == *b);
    runs.map(run).collect::<Vec<_>>().join(" ")
}

/// The lines that tshark prints, one for each argument list. `None` without tshark. If the user is root,
/// tshark loads no scripts. So root runs tshark as the user nobody, with copies that this user can read.
fn tshark(capture: &[u8], arguments: &[&str]) -> Option<Vec<String>> {
    if let Err(error) = Command::new("tshark").arg("--version").output() {
        println!("skipped: tshark does not run ({error})");
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let script =
        std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../wireshark/weft.lua")).unwrap();
    let files = [("weft.lua", script.as_slice()), ("frames.pcapng", capture)];
    for (name, bytes) in files {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).unwrap();
    }
    let is_root = std::fs::metadata("/proc/self").unwrap().uid() == 0;
    let mut command = if is_root {
        let mut command = Command::new("setpriv");
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups", "tshark"]);
        command
    } else {
        Command::new("tshark")
    };
    let output = command
        .args(["-n", "-X", "lua_script:weft.lua", "-r", "frames.pcapng"])
        .args(arguments)
        .current_dir(&folder)
        .env("HOME", folder.path())
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    // A script that fails is a line there, and no reason for tshark to end with an error.
    assert!(output.status.success() && message.is_empty(), "tshark: {message}");
    Some(String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect())
}

fn capture(frames: &[Vec<u8>]) -> Vec<u8> {
    let mut writer = CaptureWriter::pcapng(Vec::new(), "").unwrap();
    for (i, frame) in frames.iter().enumerate() {
        writer.write(&Frame::new(i as u64, frame.clone())).unwrap();
    }
    writer.finish().unwrap()
}

/// Frames of every kind, with random headers where the wire allows it, and trimmed frames.
fn frames() -> Vec<Vec<u8>> {
    let mut rng = Rng::new(11);
    let mut frames = Vec::new();
    for i in 0..900 {
        let length = i % 70;
        let payload = bytes(&mut rng, length);
        let envelope = envelope(&mut rng);
        let (bth, body) = body(i % common::KINDS, &mut rng, &payload);
        let bth = bth.with_solicited_event(rng.index(2) == 0);
        let body = with_all_fields(body, &mut rng);
        let frame = encode(&envelope, bth, &body).unwrap();
        let is_data = matches!(body, Body::Data(_));
        frames.push(match is_data && i / common::KINDS % 2 == 1 {
            true => trim(&frame, &Dscp::DEFAULT, rng.index(2) == 0).unwrap(),
            false => frame,
        });
    }
    frames
}

/// Random where the constructors put constants.
fn with_all_fields<'a>(body: Body<'a>, rng: &mut Rng) -> Body<'a> {
    let mut word = || rng.draw() as u32;
    match body {
        Body::Data(mut data) => {
            data.xeth = data.xeth.with_tsr(word() & 1 == 0).with_ftype(word() as u8);
            Body::Data(data)
        }
        Body::Ack(mut ack) => {
            ack.seth = ack.seth.with_echoed_ev(word()).with_spdcid(word() as u16).with_dpdcid(word() as u16);
            ack.seth = ack.seth.with_cc_type(word() as u8).with_mpr(word() as u8);
            ack.seth = ack.seth.with_ack_psn_offset(word() as i16).with_sack_offset(word() as i16);
            ack.cc_state = ack.cc_state.with_tx_timestamp(word() as u16);
            Body::Ack(ack)
        }
        Body::Nack(mut nack) => {
            nack.neth = nack.neth.with_reason(word() as u8).with_vendor(word() as u8).with_echoed_ev(word());
            nack.neth = nack.neth.with_spdcid(word() as u16).with_dpdcid(word() as u16);
            nack.neth = nack.neth.with_cc_type(word() as u8);
            Body::Nack(nack)
        }
        Body::Probe(peth) => {
            let peth = peth.with_vendor(word() as u8).with_spdcid(word() as u16).with_dpdcid(word() as u16);
            Body::Probe(peth.with_tsr(word() & 1 == 0).with_ftype(word() as u8))
        }
        other => other,
    }
}

#[test]
fn every_field_is_what_was_encoded() {
    let frames = frames();
    let mut arguments = vec!["-T", "fields", "-E", "separator=|"];
    arguments.extend(FIELDS.iter().flat_map(|name| ["-e", *name]));
    let Some(lines) = tshark(&capture(&frames), &arguments) else { return };
    assert_eq!(lines.len(), frames.len());
    let mut seen = vec![false; FIELDS.len()];
    for (i, (frame, line)) in frames.iter().zip(&lines).enumerate() {
        let packet = parse(frame).unwrap();
        let shown: Vec<&str> = line.split('|').collect();
        assert_eq!(shown.len(), FIELDS.len());
        for (at, ((name, value), shown)) in Expected::of(&packet).0.iter().zip(shown).enumerate() {
            assert_eq!(shown, value, "{name} of frame {} {packet:?}", i + 1);
            seen[at] |= !value.is_empty();
        }
    }
    let never = FIELDS.iter().zip(seen).filter(|(_, seen)| !seen).collect::<Vec<_>>();
    assert!(never.is_empty(), "no frame has {never:?}");
}

/// The names that a reader sees, a filter on the entropy value, and the DSCP that the switches use.
#[test]
fn filters_names_and_preferences() {
    let envelope = Envelope::v4([10, 0, 0, 1].into(), [10, 0, 0, 2].into(), 0xC123);
    let data = || {
        let (bth, body) = (Bth::data(0x45, 100), Body::Data(data_of(100)));
        encode(&envelope.marked(4, weft_wire::Ecn::Ect0), bth, &body).unwrap()
    };
    let own = Dscp { trimmed: 13, ..Dscp::DEFAULT };
    let nack = Body::Nack(Nack::new(100, 0x0B, 0xC123, 7));
    let other = Envelope { source_port: 0xC124, ..envelope };
    let frames = [
        data(),
        trim(&data(), &own, false).unwrap(),
        encode(&other, Bth::acknowledge(0x46, 100), &nack).unwrap(),
        encode(&other, Bth::data(0x45, 101), &Body::Data(data_of(101))).unwrap(),
    ];
    let capture = capture(&frames);
    let lines = |arguments: &[&str]| tshark(&capture, arguments);
    let Some(filtered) = lines(&["-Y", "weft.ev == 0xc123"]) else { return };
    let ends: Vec<&str> = filtered.iter().map(|line| &line[line.find('[').unwrap()..]).collect();
    assert_eq!(ends[0], "[DATA 100, EV c123, stamp 100 message 3]");
    // With the unchanged preference, the remains of a packet are shown as data that is cut short.
    assert_eq!(ends[1], ends[0]);
    assert!(ends[2].ends_with("[NACK 100 PSN_OOR_WINDOW, EV c123]"), "{}", ends[2]);
    assert_eq!(ends.len(), 3);
    let trimmed = lines(&["-o", "weft.dscp_trimmed:13", "-Y", "weft.kind == \"TRIMMED\""]).unwrap();
    assert_eq!(trimmed.len(), 1, "{trimmed:?}");
    let reason = lines(&["-V", "-Y", "weft.nack.reason == 11"]).unwrap().join("\n");
    assert!(reason.contains("Reason: PSN_OOR_WINDOW (0x0b)"), "{reason}");
}

fn data_of(stamp: u16) -> weft_wire::Data<'static> {
    let reth = weft_wire::headers::Reth::default().with_dma_length(20);
    weft_wire::Data { reth, immediate: None, xeth: Xeth::new(stamp, 0, 3), payload: &[9; 20] }
}

/// Frames cut off anywhere: the script has no error and reports only fields that are there.
#[test]
fn short_frames_are_survived() {
    let frames: Vec<Vec<u8>> = frames().into_iter().take(60).collect();
    let mut rng = Rng::new(3);
    let mut writer = CaptureWriter::pcapng(Vec::new(), "").unwrap();
    for frame in &frames {
        let kept = 14 + rng.index(frame.len() - 14);
        let cut = Frame { data: frame[..kept].to_vec(), ..Frame::new(0, frame.clone()) };
        writer.write(&cut).unwrap();
    }
    let Some(text) = tshark(&writer.finish().unwrap(), &["-V"]) else { return };
    let error = text.iter().find(|line| line.contains("Lua Error"));
    assert_eq!(error, None);
}
