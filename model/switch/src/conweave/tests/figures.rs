//! The paper's figures through whole switches, and frames bit by bit.

use super::bench::{Data, OLD, REROUTED, TAIL};
use super::network::{data, settings};
use crate::conweave::*;
use crate::kit::{Builder, Guard, Profile, Program, intrinsic::*};
use crate::packet::{CwForm, Packet};
use crate::switch::{Settings, Switch, Transaction};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use weft_wire::headers::{Reth, Xeth};
use weft_wire::{Body, Bth, Ecn, Envelope, frame, icrc};

const THEIRS: Ipv4Addr = Ipv4Addr::new(10, 0, 1, 1);
const OURS: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 1);
const PORTS: u16 = 8;

fn run(switch: &mut Switch<Transaction>, from: u64, until: u64) -> Vec<(u64, u16, Vec<u8>)> {
    let (mut clock, mut out) = (from, Vec::new());
    while let Some(next) = switch.next(clock).filter(|next| *next < until) {
        switch.clock(next, &mut |port, frame| out.push((next, port, frame)));
        clock = next + 1;
    }
    out
}

/// PSNs of the packets that left by a port.
fn psns(out: &[(u64, u16, Vec<u8>)], port: u16) -> Vec<u32> {
    let psn = |frame: &[u8]| u32::from_be_bytes([0, frame[51], frame[52], frame[53]]);
    out.iter().filter(|(_, by, _)| *by == port).map(|(.., frame)| psn(frame)).collect()
}

/// Fig. 6: NEXT SEQ and a packet in each of two queues; the figure shows the abilities of hardware. There is
/// one flow. A cell contains NEXT SEQ and the numbers that wait in queues 1 and 2, 8 bits each.
fn fig_6() -> Program {
    let mut b = Builder::new("fig-6", Profile::default());
    let (zero, verdict) = (b.field("zero", 1), b.field("verdict", 8));
    let array = b.array("next_seq", 1, 24, 1);
    b.ingress(0).alu("the flow", Guard::Always, [], [zero], |[]| [0]);
    b.ingress(1).register(("next", array, zero), Guard::Always, [PSN], [verdict], |cell, [seq]| {
        let (next, mut waits) = (*cell & 0xFF, [*cell >> 8 & 0xFF, *cell >> 16 & 0xFF]);
        // Bits 1:0: the queue to wait in; bits 3:2: the queue that may go after this packet.
        let (next, verdict) = if seq == next {
            match waits.iter().position(|waiting| *waiting == seq + 1) {
                Some(queue) => {
                    waits[queue] = 0;
                    (seq + 2, (queue as u64 + 1) << 2)
                }
                None => (seq + 1, 0),
            }
        } else {
            let queue = usize::from(waits[0] != 0);
            waits[queue] = seq;
            (next, queue as u64 + 1)
        };
        *cell = next | waits[0] << 8 | waits[1] << 16;
        [verdict]
    });
    b.ingress(2).alu("queue", Guard::Always, [verdict], [QUEUE, AFC, AFC_QUEUE], |[verdict]| {
        match (verdict & 3, verdict >> 2) {
            (0, 0) => [0, 0, 0],
            (0, resume) => [0, 3, resume],
            (wait, _) => [wait, 1, wait],
        }
    });
    b.build().expect("it keeps the rules")
}

/// Fig. 5: packets sent every 2 us over paths of 9, 6 and 1 us arrive as 4, 2, 1, 3.
#[test]
fn fig_5_and_6() {
    let mut switch = Switch::<Transaction>::new(
        Arc::new(fig_6()),
        settings(&Options::default(), PORTS, vec![false; PORTS.into()], 1),
    )
    .expect("settings");
    let mut clock = 0;
    let mut out = Vec::new();
    for psn in [4, 2, 1, 3] {
        switch.receive(clock, 5, data(THEIRS, OURS, 0xC000, psn, 0, 100));
        out.extend(run(&mut switch, clock, clock + 1000));
        clock += 1000;
    }
    assert_eq!(psns(&out, 0), [1, 2, 3, 4]);
    assert_eq!(out[0].0 / 1000, 2, "1 goes as it comes, and 2 after it");
}

/// The destination's ToR switch with one host, at port 0, and a connection to it.
fn destination(options: Options, change: impl Fn(&mut Settings)) -> Switch<Transaction> {
    let sizes = Sizes { ports: PORTS, connections: 16, hosts: 16, groups: 4, paths: 8 };
    let mut settings = settings(&options, PORTS, (0..PORTS).map(|port| port > 3).collect(), 1);
    change(&mut settings);
    let program = tor(&options, &sizes).expect("it keeps the rules");
    let mut switch = Switch::new(Arc::new(program), settings).expect("settings");
    let (mut control, pipe) = (Control::new(), switch.pipe_mut());
    assert!(control.host(pipe, IpAddr::from(OURS), Place::Port(0)));
    assert!(control.host(pipe, IpAddr::from(THEIRS), Place::Group(1)));
    assert!((4..8).all(|port| control.uplink(pipe, port)));
    assert!(control.path(pipe, 1, Some(4)) && control.group(pipe, 1, &[1]));
    assert!(control.connect(pipe, IpAddr::from(THEIRS), IpAddr::from(OURS), 0xC000, 8));
    switch
}

/// A frame between switches: with a ConWeave header.
fn with_header(options: &Options, frame: Vec<u8>, marks: Data) -> Vec<u8> {
    let sizes = Sizes { ports: PORTS, ..Sizes::default() };
    let pipe = crate::kit::Pipe::new(Arc::new(transit(options, &sizes, 0).expect("rules")), 1, 1);
    let mut packet = Packet::parse(frame, pipe.phv(), 0, None);
    packet.set_form(options.form);
    let phv = &mut packet.phv;
    (phv[CW_VALID], phv[CW_PATH], phv[CW_OPCODE], phv[CW_EPOCH]) = (1, 1, marks.opcode, marks.epoch);
    (phv[CW_REROUTED], phv[CW_TAIL]) = (marks.rerouted.into(), marks.tail.into());
    (phv[CW_TX], phv[CW_TAIL_TX]) = (marks.tx, marks.tail_tx);
    packet.deparse()
}

/// Control packets that left by the uplink: (clock, opcode, epoch).
fn answers(out: &[(u64, u16, Vec<u8>)]) -> Vec<(u64, u8, u8)> {
    let up = out.iter().filter(|(_, port, _)| *port == 4);
    up.map(|(clock, _, frame)| (*clock, frame[50] >> 4 & 7, frame[50] >> 2 & 3)).collect()
}

/// Fig. 9: OLD 1, 2 and the TAIL 3; REROUTED 4 and 5 arrive before the TAIL, 6 after it.
#[test]
fn fig_9() {
    let options = Options::default();
    for (arrivals, tail_comes) in [
        (vec![(1, OLD), (4, REROUTED), (2, OLD), (5, REROUTED), (3, TAIL), (6, REROUTED)], true),
        // The TAIL is lost: waiting packets go when T_resume is over.
        (vec![(1, OLD), (4, REROUTED), (2, OLD), (5, REROUTED), (6, REROUTED)], false),
    ] {
        let mut switch = destination(options, |_| {});
        let (mut clock, mut out) = (0, Vec::new());
        for (psn, marks) in &arrivals {
            let plain = data(THEIRS, OURS, 0xC000, *psn, 0, 100);
            let marks = Data { tx: clock / 1000, tail_tx: 20, ..*marks };
            switch.receive(clock, 5, with_header(&options, plain, marks));
            out.extend(run(&mut switch, clock, clock + 2000));
            clock += 2000;
        }
        out.extend(run(&mut switch, clock, 100_000));
        assert!(switch.is_empty());
        let clear = answers(&out);
        assert_eq!(clear.len(), 1, "{clear:?}");
        assert_eq!((clear[0].1, clear[0].2), (opcode::CLEAR as u8, 1));
        assert_eq!(counter(switch.pipe(), "queue_freed"), 1);
        assert_eq!(counter(switch.pipe(), "timer_flush"), u64::from(!tail_comes));
        if tail_comes {
            assert_eq!(psns(&out, 0), [1, 2, 3, 4, 5, 6]);
            assert_eq!(clear[0].0 / 1000, 8, "as the TAIL comes");
        } else {
            assert_eq!(psns(&out, 0), [1, 2, 4, 5, 6]);
            // Packet 2 arrived at 4 us and had left at 4 us by the source's clock. The TAIL left at 20 us: 16
            // us later, plus 16 us.
            assert_eq!(clear[0].0 / 1000, 4 + 16 + 16 + 2, "a loop finds it, the next lets go");
        }
    }
}

/// A TAIL that arrives after the timer has expired continues, late, and makes a second CLEAR.
#[test]
fn a_late_tail() {
    let options = Options::default();
    let mut switch = destination(options, |_| {});
    let frame = |psn, marks| with_header(&options, data(THEIRS, OURS, 0xC000, psn, 0, 100), marks);
    switch.receive(0, 5, frame(2, REROUTED));
    let mut out = run(&mut switch, 0, 300_000);
    switch.receive(300_000, 5, frame(1, TAIL));
    out.extend(run(&mut switch, 300_000, 400_000));
    assert_eq!(psns(&out, 0), [2, 1]);
    assert_eq!(answers(&out).iter().map(|answer| answer.1).collect::<Vec<_>>(), [4, 4]);
    assert_eq!((counter(switch.pipe(), "timer_flush"), counter(switch.pipe(), "tail_late")), (1, 1));
}

/// Rule 10: the TAIL waits behind the packets in Q0, and Q1, which has priority over Q0, waits for the TAIL.
#[test]
fn the_tail_waits_in_q0_and_q1_for_it() {
    let options = Options::default();
    let mut switch = destination(options, |_| {});
    let mut clock = 0;
    let mut send = |psn, marks| {
        clock += 100;
        switch.receive(clock, 5, with_header(&options, data(THEIRS, OURS, 0xC000, psn, 0, 1000), marks));
    };
    // All packets arrive within 1 us; Q0 needs more time to send them.
    send(30, REROUTED);
    (0..29).for_each(|psn| send(psn, OLD));
    send(29, TAIL);
    (31..40).for_each(|psn| send(psn, REROUTED));
    let out = run(&mut switch, 0, 100_000);
    assert_eq!(psns(&out, 0), (0..40).collect::<Vec<_>>());
    assert_eq!(counter(switch.pipe(), "tail_releases"), 1);
}

/// The TAIL finds no space in Q0: packets that wait for it are released nevertheless.
#[test]
fn the_tail_is_dropped_in_the_switch() {
    let options = Options::default();
    let mut switch = destination(options, |settings| {
        settings.tm.ports[0].queues[0].limit_bytes = Some(2000);
    });
    let mut send = |clock, psn, marks| {
        switch.receive(clock, 5, with_header(&options, data(THEIRS, OURS, 0xC000, psn, 0, 1000), marks));
    };
    send(0, 10, REROUTED);
    (1..6).for_each(|psn| send(0, psn, OLD));
    send(0, 6, TAIL);
    let out = run(&mut switch, 0, 150_000);
    let left = psns(&out, 0);
    assert!(left.contains(&10) && !left.contains(&6), "{left:?}");
    assert!(switch.is_empty() && counter(switch.pipe(), "queue_freed") == 1);
    assert_eq!(switch.tm().counters().lost_resumes, 1);
}

/// A packet of weft, sprayed: Resv7 is not 0.
fn sprayed(from: Ipv4Addr, to: Ipv4Addr) -> Vec<u8> {
    let envelope = Envelope::v4(from, to, 0xC000).marked(4, Ecn::Ect0);
    let body = weft_wire::Data {
        reth: Reth::default(),
        immediate: None,
        xeth: Xeth::new(7, 0, 0),
        payload: &[3; 333],
    };
    frame::encode(&envelope, Bth::data(1, 77), &Body::Data(body)).expect("short")
}

/// A frame that passes two ToR switches and a spine arrives as it was sent, for every transport. Between the
/// ToR switches the frame has a header, and its lengths are right.
#[test]
fn the_host_gets_what_the_host_sent() {
    for (form, frame, has_header) in [
        (CwForm::Paper, data(OURS, THEIRS, 0xC000, 5, 1, 501), true),
        (CwForm::Restoring, data(OURS, THEIRS, 0xC000, 5, 1, 501), true),
        (CwForm::Restoring, sprayed(OURS, THEIRS), true),
        (CwForm::Paper, sprayed(OURS, THEIRS), false),
    ] {
        let options = Options { form, ..Options::default() };
        let mut source = destination(options, |_| {});
        let pipe = source.pipe_mut();
        let mut control = Control::new();
        assert!(control.host(pipe, IpAddr::from(OURS), Place::Port(0)));
        assert!(control.host(pipe, IpAddr::from(THEIRS), Place::Group(1)));
        assert!(control.connect(pipe, IpAddr::from(OURS), IpAddr::from(THEIRS), 0xC000, 8));
        source.receive(2_000_000, 0, frame.clone());
        let out = run(&mut source, 2_000_000, 2_010_000);
        let (_, port, between) = &out[0];
        assert_eq!((*port, between.len()), (4, frame.len() + if has_header { form.bytes() } else { 0 }));
        let length = usize::from(u16::from_be_bytes([between[16], between[17]]));
        assert_eq!(14 + length, between.len(), "{form:?}");
        if has_header {
            assert_eq!((between[46], between[50] & 0x7F), (1, 0x24), "path 1, RTT_REQUEST, epoch 1");
        }
        // At the other switch the hosts are exchanged.
        let mut other = destination(options, |_| {});
        let mut control = Control::new();
        let pipe = other.pipe_mut();
        assert!(control.host(pipe, IpAddr::from(THEIRS), Place::Port(0)));
        assert!(control.host(pipe, IpAddr::from(OURS), Place::Group(1)));
        assert!(control.connect(pipe, IpAddr::from(OURS), IpAddr::from(THEIRS), 0xC000, 8));
        let mut marked = between.clone();
        if has_header {
            // A spine marks the frame: ECN 3, and the checksum for it.
            marked[15] |= 3;
            let sum = u16::from_be_bytes([marked[24], marked[25]]) - 1;
            marked[24..26].copy_from_slice(&sum.to_be_bytes());
        }
        other.receive(0, 4, marked.clone());
        let out = run(&mut other, 0, 10_000);
        let host = out.iter().find(|(_, port, _)| *port == 0).map(|(.., frame)| frame.clone()).expect("it");
        assert_eq!(icrc::icrc_ok(&host), Some(true), "{form:?}");
        let mut expected = frame.clone();
        expected[15] = host[15];
        (expected[24], expected[25]) = (host[24], host[25]);
        assert_eq!(host, expected, "{form:?}");
        if has_header {
            assert_eq!(host[15] & 3, 3);
            let answers = answers(&out);
            assert_eq!(answers.iter().map(|answer| answer.1).collect::<Vec<_>>(), [3, 5], "reply and NOTIFY");
            let (.., reply) = out.iter().find(|(_, port, _)| *port == 4).expect("a reply");
            assert_eq!(reply.len(), 14 + 20 + 8 + 12 + form.bytes(), "truncated");
            assert_eq!((&reply[26..30], &reply[30..34]), (&frame[30..34], &frame[26..30]), "to the source");
            // The source accepts the reply.
            source.receive(2_020_000, 4, reply.clone());
            run(&mut source, 2_020_000, 2_030_000);
            assert_eq!(counter(source.pipe(), "reply_late"), 1, "20 us later");
        }
    }
}
