//! Rules on clocks: published PSNs, distances, latency, back-pressure, resets.

use crate::rules::bench::{Act, Script, counters, run};
use crate::rules::steps::{Ledger, Step, close, data, flush, open, probe, trimmed};
use crate::rules::{CSR, HALF, LAZY};
use verilator_sys::Reset;
use weft_bench::script::{ALWAYS, Ready, run_alone};
use weft_bench::{Rtl, Subject, build};
use weft_blocks::sack_rx::Dut;
use weft_blocks::sack_rx::oracle::Oracle;
use weft_nic::block::sack_rx::{Event, LATENCY, PUBLISHED_AFTER, Verdict};
use weft_params::SackParams;

/// Clocks after which the block is empty.
const FAR: u32 = LATENCY as u32 + 4;

fn events(steps: &[Step]) -> Vec<Event> {
    let mut ledger = Ledger::default();
    steps.iter().map(|step| ledger.place(step).event).collect()
}

fn offers(steps: &[Step]) -> Vec<Act> {
    events(steps).into_iter().map(Act::Offer).collect()
}

/// Offers steps back to back.
pub(crate) fn offered(steps: &[Step]) -> Script {
    run([vec![Act::Configure(CSR)], offers(steps)].concat(), ALWAYS)
}

fn verdict(user: u16) -> Verdict {
    Verdict::ALL[usize::from(user >> 4 & 7)]
}

/// Rule 16: the window begins at the value that was published when the event arrived, `PUBLISHED_AFTER`
/// clocks after the event that moved the window.
#[test]
fn rule_16_the_window_counts_from_what_is_published() {
    for distance in 1..FAR {
        let seen = distance >= PUBLISHED_AFTER as u32;
        for (psn, before, after) in [
            (256, Verdict::Outside, Verdict::Placed),
            (257, Verdict::Outside, Verdict::Outside),
            (HALF, Verdict::Duplicate, Verdict::Outside),
            (255, Verdict::Placed, Verdict::Placed),
            (0, Verdict::Duplicate, Verdict::Duplicate),
        ] {
            let [moves, asks] = [Act::Offer(events(&[data(0)])[0]), Act::Offer(events(&[data(psn)])[0])];
            let wait = (distance > 1).then_some(Act::Idle(distance - 1));
            let acts = [Act::Configure(CSR), Act::Offer(events(&[open(0)])[0]), Act::Idle(FAR), moves];
            let script = run(acts.into_iter().chain(wait).chain([asks]), ALWAYS);
            assert_eq!(script.accepted[2] - script.accepted[1], u64::from(distance));
            let expected = if seen { after } else { before };
            assert_eq!(verdict(script.answers[2].2), expected, "PSN {psn}, {distance} clocks later");
        }
    }
}

/// Rule 16: after an OPEN or CLOSE no event enters before it is published.
#[test]
fn rule_16_an_open_or_close_keeps_others_out() {
    let script = offered(&[open(0), data(0), data(1), close(), data(2), open(9).of(6), flush(), flush()]);
    let after = PUBLISHED_AFTER as u64;
    let gaps: Vec<u64> = script.accepted.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert_eq!(gaps, [after, 1, 1, after, 1, after, 1]);
}

#[test]
fn one_event_a_clock_of_the_same_connection() {
    let steps: Vec<Step> = (0..600).map(data).collect();
    let script = offered(&[&[open(0)], &steps[..]].concat());
    let first = script.accepted[0] + PUBLISHED_AFTER as u64;
    assert_eq!(script.accepted[1..], (first..first + 600).collect::<Vec<_>>());
    let out = first + LATENCY as u64;
    assert_eq!(script.taken[1..], (out..out + 600).collect::<Vec<_>>());
    assert!(script.answers[1..].iter().all(|&(.., user)| verdict(user) == Verdict::Placed));
}

/// The stages before the output register, the register itself and the word behind it contain exactly this
/// many events. When released, these events leave one per clock.
#[test]
fn back_pressure_on_a_full_pipeline() {
    const BLOCKED: u64 = 330;
    const RELEASED: u64 = 500;
    let steps: Vec<Step> = (0..80).map(data).collect();
    let acts = [vec![Act::Configure(CSR)], offers(&[open(0)]), vec![Act::Idle(FAR)], offers(&steps)].concat();
    let script = run(acts, |clock| !(BLOCKED..RELEASED).contains(&clock));
    let before = |clocks: &[u64]| clocks.iter().filter(|&&clock| clock < RELEASED).count();
    assert_eq!(before(&script.accepted) - before(&script.taken), LATENCY + 1);
    let released: Vec<u64> = script.taken.iter().copied().filter(|&clock| clock >= RELEASED).collect();
    assert_eq!(released, (RELEASED..RELEASED + released.len() as u64).collect::<Vec<_>>());
    assert!(script.answers[1..].iter().all(|&(.., user)| verdict(user) == Verdict::Placed));
}

/// Tests every event behind every other event at each distance at which they can meet in the pipeline, and
/// then checks the final state.
#[test]
fn pairs_of_events_at_every_distance() {
    let kinds = [
        data(9),
        data(8),
        data(8).last(),
        data(10).ce(),
        data(11).last(),
        data(263),
        data(7),
        data(900),
        trimmed(8),
        trimmed(9),
        flush(),
        probe(),
        open(8),
        open(0xFF_FFFF),
        close(),
    ];
    let mut oracle = Oracle::new(LAZY);
    let (mut acts, mut expected) = (vec![Act::Configure(LAZY)], Vec::new());
    for (first, second) in kinds.iter().flat_map(|first| kinds.iter().map(move |second| (first, second))) {
        for distance in 1..FAR {
            let prepare = [open(8), data(9).last(), data(12)];
            let look = [probe(), data(8), data(9), data(10), data(11), flush()];
            let pair = [*first, *second];
            for (index, step) in prepare.iter().chain(&pair).chain(&look).enumerate() {
                let [event] = events(&[*step])[..] else { unreachable!("one step, one event") };
                match index {
                    0 | 3 | 5 => acts.push(Act::Idle(FAR)),
                    4 if distance > 1 => acts.push(Act::Idle(distance - 1)),
                    _ => {}
                }
                acts.push(Act::Offer(event));
                let outcome = oracle.step(&event);
                expected.push((outcome.connection, outcome.data(), outcome.user()));
            }
        }
    }
    let script = run(acts, ALWAYS);
    for (index, (got, expected)) in script.answers.iter().zip(&expected).enumerate() {
        assert_eq!(got, expected, "outcome {index}: tid, tdata, tuser; RTL (left), oracle (right)");
    }
    assert_eq!(script.answers.len(), expected.len());
}

/// A reset with every stage full, and again with each event one stage further, clears all stages: no late
/// write, outcome or count happens.
#[test]
fn reset_in_mid_flight() {
    let before = [data(0).last(), data(2), data(1), data(0), data(900), trimmed(3), data(9).of(7), flush()];
    let after = [data(3), probe().of(6), open(3), data(3), data(5), probe()];
    for waiting in 0..=FAR {
        for ready in [ALWAYS, (|clock| !(320..500).contains(&clock)) as Ready] {
            let wait = (waiting > 0).then_some(Act::Idle(waiting));
            let acts = [Act::Configure(CSR)].into_iter().chain(offers(&[open(0)])).chain(offers(&before));
            let script = run(acts.chain(wait).chain([Act::Reset]).chain(offers(&after)), ready);
            let mut oracle = Oracle::new(CSR);
            let expected: Vec<_> = events(&after)
                .iter()
                .map(|event| oracle.step(event))
                .map(|outcome| (outcome.connection, outcome.data(), outcome.user()))
                .collect();
            let outcomes = &script.answers[script.answers.len() - after.len()..];
            assert_eq!(outcomes, expected, "reset after {waiting} clocks");
            assert_eq!(counters(&script.outputs), [2, 0, 0]);
        }
    }
}

/// There are more bytes than the counter can count.
#[test]
fn bytes_go_round() {
    const PACKETS: u32 = (1 << 16) + 9;
    let packet = |psn: u32| Event { bytes: 0xFFFF, ..events(&[data(psn)])[0] };
    let acts = [vec![Act::Configure(CSR)], offers(&[open(0)])].concat();
    let script = run(acts.into_iter().chain((0..PACKETS).map(|psn| Act::Offer(packet(psn)))), ALWAYS);
    let (_, last, _) = script.answers[PACKETS as usize];
    let bytes = u64::from(PACKETS) * 0xFFFF;
    assert!(bytes > 1 << 32);
    assert_eq!(last[5] >> 8 & 0xFF_FFFF, bytes.div_ceil(256) & 0xFF_FFFF);
}

/// The counters start six before their end, so that few events make them wrap. All other state is unchanged,
/// and the model, which starts at 0, is not compared.
#[test]
fn the_counters_go_round() {
    let mut modules = Dut::emit(&SackParams::default()).expect("a shape that can be emitted");
    let counter = "total_q <= 16'd0;";
    let module = modules.iter_mut().find(|module| module.text.contains(counter));
    let module = module.expect("the register of the counters, as this test knows it");
    module.text = module.text.replace(counter, "total_q <= 16'hFFF9;");
    let library = build("weft_sack_rx", &modules).load().unwrap_or_else(|error| panic!("{error}"));
    for (events, count) in [(0, 0xFFF9), (5, 0xFFFE), (6, 0xFFFF), (7, 0), (20, 13)] {
        let mut rtl = Rtl::<Dut>::new(&library, Reset::Random(1)).expect("the ports of weft_sack_rx");
        let each = |step: Step| offers(&vec![step; events]);
        let steps = [each(flush()), offers(&[open(0), data(0)]), each(data(0)), each(data(900))].concat();
        let acts = [vec![Act::Reset, Act::Configure(CSR), Act::Idle(1)], steps].concat();
        let mut script = Script::new(acts, ALWAYS);
        run_alone(&mut rtl, &mut script);
        assert_eq!(counters(&script.outputs), [count; 3], "after {events} events of each");
    }
}
