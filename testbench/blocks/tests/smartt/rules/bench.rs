//! Puts steps before the oracle, the model and the RTL.

use crate::rules::script::{Act, run};
use crate::rules::steps::{Expectation, Step, TimeLine};
use weft_blocks::smartt::oracle::{Constants, Oracle, plainly};
use weft_nic::block::smartt::Smartt;
use weft_params::{SmarttCsr, SmarttParams};

/// Fails unless oracle, model and RTL answer as the steps say.
pub(crate) fn check(csr: SmarttCsr, steps: &[Step]) {
    check_parts(&[(csr, steps)]);
}

/// [`check`] with CSRs that change on the way.
pub(crate) fn check_parts(parts: &[(SmarttCsr, &[Step])]) {
    ask_oracle(parts);
    check_rounding(parts);
}

/// [`check_parts`] of what the page says about digits, which the oracle does not round to.
pub(crate) fn check_rounding(parts: &[(SmarttCsr, &[Step])]) {
    ask_model(parts);
    drive(parts);
}

fn expectations(parts: &[(SmarttCsr, &[Step])]) -> Vec<(SmarttCsr, Vec<Expectation>)> {
    let mut time_line = TimeLine::default();
    parts
        .iter()
        .map(|(csr, steps)| (*csr, steps.iter().map(|step| time_line.place(step)).collect()))
        .collect()
}

fn ask_oracle(parts: &[(SmarttCsr, &[Step])]) {
    let mut oracle = Oracle::new(Constants::from(&parts[0].0));
    for (csr, expectations) in expectations(parts) {
        oracle.set_constants(Constants::from(&csr));
        for (index, Expectation { event, now, outcome }) in expectations.iter().enumerate() {
            let answer = oracle.step(event, *now, &mut plainly);
            let beyond = answer.cwnd - f64::from(outcome.cwnd_bytes);
            let same = (answer.accepted, answer.case) == (outcome.accepted, outcome.case);
            assert!(
                same && (-0.01..1.0).contains(&beyond),
                "on step {index}, {event:?}, the oracle says {answer:?}, expected {outcome:?}"
            );
        }
    }
}

fn ask_model(parts: &[(SmarttCsr, &[Step])]) {
    let mut model = Smartt::new(SmarttParams::default(), parts[0].0);
    for (csr, expectations) in expectations(parts) {
        model.set_csr(csr);
        for (index, Expectation { event, outcome, .. }) in expectations.iter().enumerate() {
            let answer = model.step(event);
            assert_eq!(answer, *outcome, "the model answers otherwise on step {index}, {event:?}");
        }
    }
}

/// Back to back and spaced, with and without back-pressure: rules know no clocks.
fn drive(parts: &[(SmarttCsr, &[Step])]) {
    let (mut acts, mut expected, mut not_open) = (Vec::new(), Vec::new(), 0);
    for (csr, expectations) in expectations(parts) {
        acts.push(Act::Configure(csr));
        for Expectation { event, outcome, .. } in expectations {
            acts.push(Act::Offer(event));
            expected.push((outcome.connection, outcome.cwnd_bytes, outcome.user()));
            not_open += u32::from(!outcome.accepted);
        }
    }
    let always: fn(u64) -> bool = |_| true;
    let seldom: fn(u64) -> bool = |clock| clock.is_multiple_of(3);
    for (idle, ready) in [(0, always), (0, seldom), (23, always), (30, seldom)] {
        let wait = (idle > 0).then_some(Act::Idle(idle));
        let script = run(acts.iter().flat_map(|&act| wait.into_iter().chain([act])), ready);
        let taken: Vec<_> = script.taken.iter().map(|&(_, id, data, user)| (id, data, user)).collect();
        if let Some(index) = (0..taken.len()).find(|&index| taken[index] != expected[index]) {
            let (taken, expected) = (taken[index], expected[index]);
            panic!("step {index}: the RTL answers (tid, tdata, tuser) = {taken:x?}, expected {expected:x?}");
        }
        assert_eq!(
            (taken.len(), script.not_open),
            (expected.len(), not_open),
            "answers, stat_not_open_events"
        );
    }
}
