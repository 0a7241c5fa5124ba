//! Two events of one connection at every distance that matters in the pipeline, with clocks, resets and
//! back-pressure in between. Decisions depend on the order of events only.

use crate::rules::bench::{Act, Script, run};
use crate::rules::steps::{CONNECTION, TimeLine, ack, idle, open, seed, send, timeout};
use crate::rules::{A, B, CSR, NEW, WIDE};
use verilator_sys::Reset;
use weft_bench::script::{ALWAYS, Ready, run_alone};
use weft_bench::{Rtl, Subject, build};
use weft_blocks::reps::Dut;
use weft_blocks::reps::oracle::Oracle;
use weft_nic::block::reps::Source::{Explored, Given, Recycled};
use weft_nic::block::reps::{Event, Kind, LATENCY};
use weft_params::{EvMode, RepsCsr, RepsParams};

/// Longer than the pipeline.
const FAR: u32 = 12;

/// States of a connection before the pair: empty, cached, frozen, exploring, high RTT, closed.
const BEFORE: [&[Kind]; 6] = [
    &[Kind::Open],
    &[Kind::Open, Kind::Ack, Kind::Ack],
    &[Kind::Open, Kind::Ack, Kind::Timeout],
    &[Kind::Open, Kind::Ack, Kind::Idle],
    &[Kind::Open, Kind::Ack],
    &[Kind::Close],
];

/// Events after the pair that show the state after the pair.
const AFTER: [Kind; 5] = [Kind::Send, Kind::Send, Kind::Timeout, Kind::Send, Kind::Send];

/// All kinds, a marked ACK, and an ACK with a high round-trip time.
fn members() -> impl Iterator<Item = Event> {
    let plain = |kind| Event { kind, connection: CONNECTION, ev: 0, ecn: false, rtt_ticks: 0, now_ticks: 0 };
    let marked = Event { ecn: true, ..plain(Kind::Ack) };
    let high = Event { rtt_ticks: 100, ..plain(Kind::Ack) };
    Kind::ALL.into_iter().map(plain).chain([marked, high])
}

/// A list of acts under construction, with a new time and EV for every event.
struct Scene {
    oracle: Oracle,
    acts: Vec<Act>,
    expected: Vec<(u32, u16, u8)>,
    now: u64,
    ev: u16,
}

impl Scene {
    fn new(csr: RepsCsr) -> Self {
        let oracle = Oracle::new(RepsParams::default(), csr);
        // Time wraps on the way.
        let now = (1 << 32) - 30_000;
        Self { oracle, acts: vec![Act::Configure(csr)], expected: vec![], now, ev: 0xC100 }
    }

    fn event(&mut self, event: Event) {
        self.ev = 0xC100 + (self.ev + 1) % 0x1000;
        let event = Event { ev: self.ev, now_ticks: self.now as u32, ..event };
        let outcome = self.oracle.step(&event, self.now);
        self.expected.push((outcome.connection, outcome.ev, outcome.user()));
        self.acts.push(Act::Offer(event));
    }

    fn kinds(&mut self, kinds: &[Kind], rtt_ticks: u16) {
        for &kind in kinds {
            self.event(Event { kind, connection: CONNECTION, ev: 0, ecn: false, rtt_ticks, now_ticks: 0 });
        }
        self.acts.push(Act::Idle(FAR));
    }
}

/// Every pair of kinds, in every state, at every distance, with idle clocks or events of another connection
/// between them, and with times before, at and after each threshold.
fn all_pairs(csr: RepsCsr) {
    let mut scene = Scene::new(csr);
    for (before, state) in BEFORE.into_iter().enumerate() {
        for (first, second) in members().flat_map(|first| members().map(move |second| (first, second))) {
            for distance in 1..=5 {
                for (filled, later) in [(false, 0), (true, 1), (false, 2), (true, 3)] {
                    scene.now += 5;
                    scene.kinds(state, if before == 4 { 100 } else { 0 });
                    scene.now += 2;
                    scene.event(first);
                    if filled {
                        for _ in 1..distance {
                            scene.event(Event { kind: Kind::Open, connection: CONNECTION ^ 1, ..first });
                        }
                    } else if distance > 1 {
                        scene.acts.push(Act::Idle(distance - 1));
                    }
                    scene.now += later;
                    scene.event(second);
                    scene.acts.push(Act::Idle(FAR));
                    scene.kinds(&AFTER, 0);
                }
            }
        }
    }
    let script = run(scene.acts, ALWAYS);
    assert_eq!(script.answers.len(), scene.expected.len());
    for (index, (&answer, expected)) in script.answers.iter().zip(scene.expected).enumerate() {
        let clock = script.taken[index];
        assert_eq!(answer, expected, "decision {index}, clock {clock}: tid, tdata, tuser");
    }
}

#[test]
fn pairs_of_events_at_every_distance() {
    let csr = RepsCsr { freeze_timeout_ticks: 2, rtt_window_ticks: 2, bdp_packets: 2, ..WIDE };
    all_pairs(csr);
    all_pairs(RepsCsr { trimming: false, thaw_reset: true, ..csr });
    for mode in [EvMode::Ops, EvMode::Fixed, EvMode::Reps2024] {
        all_pairs(RepsCsr { mode, ..csr });
    }
}

fn offers(steps: &[crate::rules::Step]) -> Vec<Act> {
    let mut time_line = TimeLine::default();
    steps.iter().map(|step| Act::Offer(time_line.place(step).event)).collect()
}

#[test]
fn one_event_a_clock_and_eight_clocks_each() {
    let params = RepsParams::default();
    let script = run([vec![Act::Configure(CSR)], offers(&[open(); 100])].concat(), ALWAYS);
    // The reset is clock 0. Then the sweep closes a connection per clock.
    let first = 1 + u64::from(params.connections);
    assert_eq!(script.accepted, (first..first + 100).collect::<Vec<_>>());
    assert_eq!(script.taken, (first + LATENCY as u64..).take(100).collect::<Vec<_>>());
}

/// Seven stages, the output register and the word behind it contain exactly nine events. When released, these
/// events leave one per clock.
#[test]
fn back_pressure_on_a_full_pipeline() {
    let mut steps = vec![open()];
    for n in 0..10 {
        steps.extend([ack(0xC100 + n), send(Recycled, 0xC100 + n)]);
    }
    let script = run([vec![Act::Configure(CSR)], offers(&steps)].concat(), |clock| clock >= 400);
    assert_eq!(script.accepted[..9], (257..266).collect::<Vec<u64>>());
    assert_eq!(script.accepted[9..], (401..413).collect::<Vec<u64>>());
    assert_eq!(script.taken, (400..421).collect::<Vec<u64>>());
    let sent: Vec<u16> = script.answers.iter().skip(2).step_by(2).map(|&(_, ev, _)| ev).collect();
    assert_eq!(sent, (0xC100..0xC10A).collect::<Vec<u16>>());
}

/// A reset with every stage full, and again with each event one stage further, clears all stages: no late
/// write, draw, seed, decision or count happens.
#[test]
fn reset_in_mid_flight() {
    let before =
        [open(), open().of(6), seed(7), send(Explored, NEW), ack(A), timeout(), send(Given, 0).of(7), idle()];
    let after = [
        send(Given, 0).refused(),
        ack(B).of(6).refused(),
        open(),
        send(Explored, NEW),
        ack(A),
        send(Recycled, A),
    ];
    for waiting in 0..=FAR {
        for ready in [ALWAYS, (|clock| clock > 500) as Ready] {
            let wait = (waiting > 0).then_some(Act::Idle(waiting));
            let acts = [Act::Configure(WIDE)].into_iter().chain(offers(&before)).chain(wait);
            let script = run(acts.chain([Act::Reset]).chain(offers(&after)), ready);
            // The generator is at seed 0 again, whose first EV is 0xC273.
            let taken = &script.answers;
            let expected =
                [(5, 0, 0x00), (6, 0, 0x01), (5, 0, 0x0D), (5, 0xC273, 0x18), (5, 0, 0x09), (5, A, 0x28)];
            assert_eq!(taken[taken.len() - after.len()..], expected, "reset after {waiting} clocks");
            assert_eq!(script.outputs.not_open_events, 2);
        }
    }
}

/// The counter starts six before its end, so that a few events make it wrap. All other state is unchanged,
/// and the model, which starts at 0, is not compared.
#[test]
fn the_counter_goes_round() {
    let mut modules = Dut::emit(&RepsParams::default()).expect("a shape that can be emitted");
    let top = modules.iter_mut().find(|module| module.name == "weft_reps").expect("the top");
    let counter = "not_open_q <= 16'd0;";
    assert!(top.text.contains(counter), "the counter's register is not as this test knows it");
    top.text = top.text.replace(counter, "not_open_q <= 16'hFFF9;");
    let library = build("weft_reps", &modules).load().unwrap_or_else(|error| panic!("{error}"));
    for (events, count) in [(0, 0xFFF9), (5, 0xFFFE), (6, 0xFFFF), (7, 0), (20, 13)] {
        let mut rtl = Rtl::<Dut>::new(&library, Reset::Random(1)).expect("the ports of weft_reps");
        let acts =
            [vec![Act::Reset, Act::Configure(CSR), Act::Idle(1)], offers(&vec![idle(); events])].concat();
        let mut script = Script::new(acts, ALWAYS);
        run_alone(&mut rtl, &mut script);
        assert_eq!(script.outputs.not_open_events, count, "after {events} events");
    }
}
