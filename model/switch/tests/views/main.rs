//! The clocked and the transaction view of a switch get the same packets. Every frame that leaves, every
//! register and every counter must be equal. The program of this test uses every request of programs.

mod load;
#[path = "../site/mod.rs"]
mod site;

use proptest::prelude::*;
use site::Edge;
use std::sync::Arc;
use weft_switch::kit::{Builder, Guard, Pipe, Profile, Program, intrinsic::*};
use weft_switch::packet::{CwForm, Packet};
use weft_switch::switch::{Clocked, Latency, Settings, Switch, Transaction, View};
use weft_switch::tm;
use weft_wire::headers::{Reth, Xeth};
use weft_wire::{Body, Bth, Data, Ecn, Envelope, frame};

const PORTS: u16 = 4;

/// Counts by source port. In one round, the program resubmits every seventh packet, recirculates every
/// eleventh and copies every fifth to port 0. It also pauses and resumes queues. Puts a ConWeave header on
/// packets to a switch, draws and hashes, and prefers the port at which the fewest bytes wait.
fn program() -> Program {
    let mut b = Builder::new("everything", Profile::default());
    let (count, again, index) = (b.field("count", 16), b.field("again", 1), b.field("index", 8));
    let (group, drawn, hashed) = (b.field("group", 2), b.field("drawn", 8), b.field("hashed", 8));
    let (any, least, loops) = (b.field("any", 9), b.field("least", 9), b.carried("loops", 4));
    let (bytes, seen) = (b.array("bytes", 64, 32, 0), b.array("seen", 256, 16, 3));
    let out = b.array("out", 8, 32, 0);
    let (ports, loads) = (b.selector("ports", 4, 4), b.selector("loads", 4, 4));
    b.ingress(0)
        .alu("index", Guard::Always, [SPORT, PASS], [index, again, group], |[port, pass]| {
            [port & 255, u64::from(pass > 0), 1]
        })
        .random("draw", Guard::If(IS_ROCE), drawn)
        .hash("hash", Guard::Always, ([SRC, DST, SPORT], 7), hashed);
    b.ingress(2)
        .register(("seen", seen, index), Guard::Always, [], [count], |cell, []| {
            *cell += 1;
            [*cell]
        })
        .select("any", ports, Guard::Always, (group, hashed), any)
        .choose("least", loads, Guard::Always, (group, []), least, |members, []| {
            (0..members.len()).min_by_key(|at| members[*at].1).unwrap_or(0)
        });
    b.ingress(5)
        .register(("bytes", bytes, PORT_IN), Guard::Unless(again), [LENGTH], [], |cell, [length]| {
            *cell += length;
            []
        })
        .alu(
            "where",
            Guard::Always,
            [any, least, drawn, loops, count],
            [PORT_OUT, QUEUE],
            |[any, least, drawn, loops, count]| {
                let goes_round = count.is_multiple_of(11) && loops < 3;
                [
                    if goes_round {
                        u64::from(PORTS)
                    } else if drawn & 1 == 1 {
                        any
                    } else {
                        least
                    },
                    drawn >> 1 & 1,
                ]
            },
        )
        .alu("again", Guard::Always, [count, again], [RESUBMIT], |[count, again]| {
            [u64::from(count.is_multiple_of(7) && again == 0)]
        })
        .alu("copy", Guard::Always, [count], [MIRROR, MIRROR_QUEUE, MIRROR_BYTES], |[count]| {
            [u64::from(count.is_multiple_of(5)), 1, 16]
        })
        .alu("flow", Guard::Always, [drawn, count], [AFC, AFC_PORT, AFC_QUEUE], |[drawn, count]| {
            [if drawn > 250 { 1 } else { 2 + (count & 1) }, drawn & 3, 1]
        });
    b.ingress(6).alu("loops", Guard::Always, [loops], [loops], |[loops]| [loops + 1]);
    b.egress(9)
        .register(
            ("out", out, PORT_OUT),
            Guard::Always,
            [WAITING, LENGTH],
            [CW_TX],
            |cell, [waiting, length]| {
                *cell += waiting + length;
                [*cell & 0xFFFF]
            },
        )
        .alu("header", Guard::If(IS_ROCE), [PORT_OUT], [CW_VALID, CW_PATH], |[port]| {
            [u64::from(port == 3), 9]
        })
        .alu("back", Guard::Always, [count], [AFC, AFC_PORT, AFC_QUEUE], |[count]| [2, count & 3, 1]);
    b.build().expect("it keeps the rules")
}

fn settings(seed: u64) -> Settings {
    // Two queues each: the upper one is copied to and paused. The last port is that of recirculation.
    let ports = vec![tm::Port::new(tm::Rate::gbps(100), 0); usize::from(PORTS) + 1];
    Settings {
        to_switch: vec![false, false, false, true],
        form: CwForm::Restoring,
        tm: tm::Settings::new(ports, 60_000),
        clocks_per_tick: 1000,
        latency: Latency::default(),
        loop_clocks: 1000,
        seed,
    }
}

fn tables(pipe: &mut Pipe) {
    for name in ["ports", "loads"] {
        let selector = pipe.program().selector(name).expect("it has it");
        assert!(pipe.set_group(selector, 1, &[0, 1, 2, 3]));
    }
}

fn data(port: u16, psn: u32, bytes: usize) -> Vec<u8> {
    let envelope = Envelope::v4([10, 0, 0, 1].into(), [10, 0, 0, 2].into(), port).marked(4, Ecn::Ect0);
    let payload = vec![psn as u8; bytes];
    let body = Data { reth: Reth::default(), immediate: None, xeth: Xeth::new(1, 0, 0), payload: &payload };
    frame::encode(&envelope, Bth::data(1, psn), &Body::Data(body)).expect("short")
}

/// The output: clock, port, frame; and the switch after the run.
type Run<V> = (Vec<(u64, u16, Vec<u8>)>, Switch<V>);

/// Stimulus: clocks since the previous packet, port, UDP source port, payload bytes.
type Stimulus = [(u64, u16, u16, usize)];

fn run<V: View>(stimulus: &Stimulus, seed: u64, skip: bool) -> Run<V> {
    let mut switch = Switch::<V>::new(Arc::new(program()), settings(seed)).expect("settings that can be");
    tables(switch.pipe_mut());
    let mut out = Vec::new();
    let mut clock = 0;
    let mut arrivals: Vec<(u64, u16, Vec<u8>)> = Vec::new();
    for (psn, (wait, port, sport, bytes)) in stimulus.iter().enumerate() {
        arrivals.push((
            arrivals.last().map_or(0, |(at, ..)| *at) + wait,
            *port,
            data(*sport, psn as u32, *bytes),
        ));
    }
    let mut arrivals = arrivals.into_iter().peekable();
    for _ in 0..10_000_000 {
        while let Some((_, port, frame)) = arrivals.next_if(|(at, ..)| *at <= clock) {
            switch.receive(clock, port, frame);
        }
        switch.clock(clock, &mut |port, frame| out.push((clock, port, frame)));
        clock += 1;
        if skip {
            let next = [switch.next(clock), arrivals.peek().map(|(at, ..)| *at)].into_iter().flatten().min();
            match next {
                Some(next) => clock = next,
                None => break,
            }
        } else if clock > 400_000 {
            break;
        }
    }
    (out, switch)
}

/// All outputs that two views must have in common.
fn same<A: View, B: View>((out_a, a): &Run<A>, (out_b, b): &Run<B>) {
    assert_eq!(out_a.len(), out_b.len());
    for (one, other) in out_a.iter().zip(out_b) {
        assert_eq!(one, other);
    }
    assert_eq!(a.pipe().state(), b.pipe().state());
    assert_eq!(a.counters(), b.counters());
    assert_eq!(a.tm().counters(), b.tm().counters());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn both_views_decide_the_same(
        seed in 0u64..1000,
        stimulus in prop::collection::vec((0u64..200, 0..PORTS, 0xC000u16..0xC010, 0usize..1500), 1..600),
    ) {
        let clocked = run::<Clocked>(&stimulus, seed, false);
        let skipping = run::<Transaction>(&stimulus, seed, true);
        same(&clocked, &skipping);
        same(&clocked, &run::<Clocked>(&stimulus, seed, true));
    }
}

#[test]
fn the_program_does_all_that_it_says() {
    let stimulus: Vec<_> =
        (0..3000).map(|at| (40, at % PORTS, 0xC000 + at % 16, usize::from(at % 1400))).collect();
    let (out, switch) = run::<Transaction>(&stimulus, 1, true);
    let counters = switch.counters();
    assert_eq!(counters.received, 3000);
    assert!(
        counters.resubmitted > 100 && counters.recirculated > 100 && counters.mirrored > 100,
        "{counters:?}"
    );
    assert_eq!(counters.sent, out.len() as u64);
    // Packets to a switch have the header, and the next parser removes it.
    let (_, _, frame) = out.iter().find(|(_, port, _)| *port == 3).expect("some leave there");
    let packet = Packet::parse(frame.clone(), switch.pipe().phv(), 0, Some(CwForm::Restoring));
    assert_eq!((packet.get(CW_VALID), packet.get(CW_PATH)), (1, 9));
}

/// Every second frame gets a header between switches, with legal fields that are computed from a number.
fn with_header(frame: Vec<u8>, number: u32) -> Vec<u8> {
    let mut mixed = u64::from(number).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 16;
    let mut draw = |below: u64| {
        let drawn = mixed % below;
        mixed /= below;
        drawn
    };
    let phv = Pipe::new(Arc::new(program()), 1, 1).phv();
    let mut packet = Packet::parse(frame, phv, 0, None);
    packet.set_form(CwForm::Restoring);
    packet.phv[CW_VALID] = draw(2);
    packet.phv[CW_PATH] = 1 + draw(4);
    packet.phv[CW_OPCODE] = 1 + draw(5);
    packet.phv[CW_EPOCH] = draw(4);
    packet.phv[CW_REROUTED] = draw(2);
    packet.phv[CW_TAIL] = draw(2);
    packet.phv[CW_TX] = draw(1 << 16);
    packet.phv[CW_TAIL_TX] = draw(1 << 16);
    packet.deparse()
}

/// Frames through the edge switch of a scheme: from its hosts to all others, and from the spines to its hosts.
fn through<V: View>(edge: &Edge, stimulus: &[(u64, u32, u32, u16, usize)], skip: bool) -> Run<V> {
    let mut switch = edge.switch::<V>();
    let mut out: Vec<(u64, u16, Vec<u8>)> = Vec::new();
    let (mut clock, mut next_at, mut sent) = (0, 0, stimulus.iter().zip(0u32..).peekable());
    while clock < 600_000 {
        while let Some(((wait, from, to, sport, bytes), psn)) =
            sent.next_if(|((wait, ..), _)| next_at + wait <= clock)
        {
            next_at += wait;
            let (from, to) = if from == to { (*from, (to + 1) % 16) } else { (*from, *to) };
            // Hosts 0 to 3 are at ports 0 to 3; packets of other software for them come from a spine.
            let (from, to, port) = match (from < 4, to < 4) {
                (true, _) => (from, to, from as u16),
                (false, true) => (from, to, 4 + *sport % 4),
                (false, false) => (from % 4, to, (from % 4) as u16),
            };
            let frame = edge.frame(from, to, *sport, psn, *bytes);
            let frame = if port < 4 { frame } else { with_header(frame, psn) };
            switch.receive(clock, port, frame);
        }
        switch.clock(clock, &mut |port, frame| out.push((clock, port, frame)));
        clock += 1;
        if skip {
            let due = sent.peek().map(|((wait, ..), _)| next_at + wait);
            match [switch.next(clock), due].into_iter().flatten().min() {
                Some(next) => clock = next,
                None => break,
            }
        }
    }
    (out, switch)
}

#[test]
fn every_scheme_decides_the_same_in_both_views() {
    for (scheme, seed) in site::schemes().into_iter().zip(1..) {
        let name = format!("{scheme:?}");
        let edge = Edge::new(scheme, seed);
        let mut runner =
            proptest::test_runner::TestRunner::new(ProptestConfig { cases: 4, ..ProptestConfig::default() });
        let stimulus = prop::collection::vec(
            (0u64..60, 0u32..16, 0u32..16, 0xC000u16..0xC008, 0usize..3000),
            1500..2000,
        );
        let result = runner.run(&stimulus, |stimulus| {
            let (clocked, skipping) =
                (through::<Clocked>(&edge, &stimulus, false), through::<Transaction>(&edge, &stimulus, true));
            prop_assert!(clocked.0.len() > stimulus.len() / 2, "{} frames came out", clocked.0.len());
            same(&clocked, &skipping);
            Ok(())
        });
        assert!(result.is_ok(), "{name}: {result:?}");
    }
}
