//! The NSCC model against the naive oracle: the specification against the bits.

mod side_by_side;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use side_by_side::Distance;
use std::cell::RefCell;
use weft_blocks::nscc::oracle::{Connection, Constants, Oracle, Question, plainly};
use weft_blocks::nscc::stimulus::{Stimulus, any_csr, random_csr, random_network};
use weft_nic::block::nscc::{Case, Control, Event, Nscc};
use weft_params::NsccParams;
use weft_random::Rng;
use weft_word::Concrete;

/// Events of a trace.
const EVENTS: u64 = 10_000;
/// Traces of a test.
const TRACES: u32 = 400;
/// The largest permitted distance: 0.5 % of the window, plus the resolution of the digits behind the point.
const ALLOWED: f64 = 0.005;
/// Half a digit of the average (rule 6), in ticks.
const HALF_DIGIT: f64 = 0.5 / 2048.0;

/// Random traces. A trace that fails is shortened to its shortest beginning that fails, and the error has its seed.
fn for_random_seeds(trace: impl Fn(u64, u64) -> Result<(), String>) {
    let mut runner =
        TestRunner::new(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(TRACES) });
    let checked = runner.run(&(any::<u64>().no_shrink(), 1..=EVENTS), |(seed, events)| {
        // Every trace in full; a shorter one only while a failure is shortened.
        let events = if events > EVENTS / 2 { EVENTS } else { events };
        trace(seed, events)
            .map_err(|what| TestCaseError::fail(format!("seed {seed}, {events} events: {what}")))
    });
    checked.unwrap_or_else(|error| panic!("{error}"));
}

/// The state of the specification for a connection's word, at the absolute time `now`.
fn state_of(control: &Control<Concrete>, now: u64) -> Option<Connection> {
    let is = |bit: weft_word::Bits<1>| bit.value() == 1;
    let number = |value: u128| value as u64;
    // The last time before now, or the next after it, with these low bits.
    let before = |low: u64, bits: u32| now - (now.wrapping_sub(low) & ((1 << bits) - 1));
    let after = |low: u64, bits: u32| now + (low.wrapping_sub(now) & ((1 << bits) - 1));
    is(control.open).then(|| Connection {
        cwnd: control.cwnd.value() as f64 / 32.0,
        achieved_bytes: number(control.achieved.value()),
        received_bytes: number(control.received.value()),
        fi_count: number(control.calm.value()),
        increase: control.calm.value() == (1 << 23) - 1,
        trigger_qa: is(control.trigger),
        qa_endtime: (!is(control.fresh)).then(|| after(number(control.end.value()), 12)),
        bytes_to_ignore: number(control.ignore.value()),
        bytes_ignored: 0,
        inc_bytes: control.increase.value() as f64 * 256.0,
        last_adjust_time: before(number(control.adjusted.value()), 11),
        last_dec_time: before(number(control.decreased.value()), 11),
        avg_delay: control.average.value() as f64 / 2048.0,
    })
}

/// The exact part of a state, as far as the block's time can tell.
fn exact(state: &Connection) -> [u64; 9] {
    [
        state.achieved_bytes.min((1 << 20) - 1),
        state.received_bytes.min((1 << 17) - 1),
        if state.increase { (1 << 23) - 1 } else { state.fi_count },
        state.trigger_qa.into(),
        state.qa_endtime.map_or(1 << 12, |end| end & 0xFFF),
        state.bytes_to_ignore.saturating_sub(state.bytes_ignored),
        state.last_adjust_time & 0x7FF,
        state.last_dec_time & 0x7FF,
        u64::from(state.increase),
    ]
}

/// The cases that occurred.
#[derive(Default)]
struct Coverage {
    cases: [u64; Case::ALL.len()],
    /// The largest distance, as a share of the window, where roundings explain no more than [`ALLOWED`].
    worst: f64,
    /// Events with registers of a network, and the events among them where roundings explain more: an
    /// increase of many windows at once.
    of_networks: u64,
    torn: u64,
}

/// Compares each event of the model with the oracle, which starts from the model's own state: the same case,
/// equal whole numbers, and a window that differs at most by the roundings of one step.
fn one_step(seed: u64, events: u64, coverage: &mut Coverage) -> Result<(), String> {
    let mut rng = Rng::new(seed);
    let is_network = rng.below(2) == 0;
    let csr = if is_network { random_network(&mut rng).nscc().unwrap() } else { random_csr(&mut rng) };
    let params = NsccParams { connections: [4, 16, 256][rng.below(3) as usize] };
    let mut stimulus = Stimulus::new(rng, params, &csr);
    let (mut model, mut oracle) = (Nscc::new(params, csr), Oracle::new(Constants::from(&csr)));
    for index in 0..events {
        let (event, now) = stimulus.event();
        let before = state_of(&model.control(event.connection), now);
        oracle.set_connection(event.connection, before.clone());
        let outcome = model.step(&event);
        let mut judge = |question: Question, difference: f64| {
            let tie = question == Question::Decrease && difference.abs() <= HALF_DIGIT;
            if tie { outcome.case == Case::MultiplicativeDecrease } else { plainly(question, difference) }
        };
        let answer = oracle.step(&event, now, &mut judge);
        let after = state_of(&model.control(event.connection), now);
        let explain = |what: &str| {
            format!(
                "{what} of event {index} {event:?} with {csr:?} on {before:?}: model {outcome:?} {after:?}, specification {answer:?}"
            )
        };
        if (answer.accepted, answer.case) != (outcome.accepted, outcome.case) {
            return Err(explain("the case"));
        }
        let expected = oracle.connection(event.connection);
        if after.as_ref().map(exact) != expected.map(exact) {
            return Err(explain(&format!("the state, {expected:?},")));
        }
        let (Some(after), Some(expected)) = (&after, expected) else { continue };
        coverage.cases[outcome.case as usize] += 1;
        if (after.avg_delay - expected.avg_delay).abs() > 1.001 * HALF_DIGIT {
            return Err(explain(&format!("the average, {expected:?},")));
        }
        // Half a unit of the increase by rule 11, and one where a gain loses its digits.
        let size = f64::from(event.bytes.min((1 << 17) - 1));
        if (after.inc_bytes - expected.inc_bytes).abs() > 128.0 + size / 64.0 {
            return Err(explain(&format!("the increase, {expected:?},")));
        }
        let bound = rounding(&event, outcome.case, expected, before.as_ref().map_or(1.0, |it| it.cwnd));
        let distance = (after.cwnd - answer.cwnd).abs();
        if distance > bound {
            return Err(explain(&format!("the window, {} and not {bound} around it,", after.cwnd)));
        }
        coverage.of_networks += u64::from(is_network);
        if bound < ALLOWED * answer.cwnd {
            coverage.worst = coverage.worst.max(distance / answer.cwnd);
        } else {
            coverage.torn += u64::from(is_network);
        }
    }
    Ok(())
}

/// Greatest change of the window, in bytes, by the roundings of one step.
fn rounding(event: &Event, case: Case, after: &Connection, cwnd: f64) -> f64 {
    // Three roundings to 2^-5 bytes: of a product, of the quotient, of eta.
    let digits = 3.0 / 32.0;
    let reached = if case == Case::MultiplicativeDecrease { 0.5 * cwnd } else { cwnd };
    let size = f64::from(event.bytes.min((1 << 17) - 1));
    let increase = (128.0 + size / 64.0) / reached;
    let decrease = if case == Case::MultiplicativeDecrease {
        let of_average = HALF_DIGIT / after.avg_delay.max(HALF_DIGIT) * 2.0;
        cwnd * (3.0 / 65_536.0 + of_average)
    } else {
        0.0
    };
    // The quotient carries an error of its divisor on.
    (digits + 2.0 * decrease) * (1.0 + after.cwnd / reached) + increase
}

#[test]
fn from_the_same_state_the_same_case() {
    let coverage = RefCell::new(Coverage::default());
    for_random_seeds(|seed, events| one_step(seed, events, &mut coverage.borrow_mut()));
    let Coverage { cases, worst, of_networks: events, torn } = coverage.into_inner();
    println!(
        "one step: windows at most {:.4} % apart; {torn} of {events} events with wider bounds",
        100.0 * worst
    );
    assert!(torn < events / 20);
    let never = [Case::None, Case::FairDecrease, Case::Waiting, Case::Both];
    for case in Case::ALL {
        println!("{case:?}: {}", cases[case as usize]);
        assert!(never.contains(&case) || cases[case as usize] > 100, "{case:?} is missing");
    }
}

#[test]
fn from_open_within_half_a_percent() {
    let found = RefCell::new(Distance::default());
    for_random_seeds(|seed, events| {
        let distance = side_by_side::compare(Rng::new(seed), events)?;
        found.borrow_mut().add(&distance);
        Ok(())
    });
    let found = found.into_inner();
    println!("side by side: {found:?}");
    let Distance { events, torn, torn_too_far, near_ties, .. } = found;
    assert!(torn < events / 100 && torn_too_far < events / 1_000 && near_ties < events / 100, "{found:?}");
}

/// The model keeps its invariant even with registers that no software should write.
#[test]
fn the_invariant_holds_with_any_registers() {
    for_random_seeds(|seed, events| {
        let mut rng = Rng::new(seed);
        let csr = any_csr(&mut rng);
        let params = NsccParams { connections: 4 };
        let (mut stimulus, mut model) = (Stimulus::new(rng, params, &csr), Nscc::new(params, csr));
        for index in 0..events {
            let (event, _) = stimulus.event();
            model.step(&event);
            if model.control(event.connection).invariant().value() == 0 {
                return Err(format!("event {index}, {event:?}"));
            }
        }
        Ok(())
    });
}
