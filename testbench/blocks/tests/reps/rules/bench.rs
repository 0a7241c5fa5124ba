//! Runs steps through all that must follow the rules: the oracle, the model and the RTL.

use crate::rules::script::{Act, run};
use crate::rules::steps::{Expectation, Step, TimeLine};
use weft_blocks::reps::oracle::Oracle;
use weft_blocks::reps::session::Session;
use weft_nic::block::reps::Event;
use weft_params::{RepsCsr, RepsParams};

/// Fails unless oracle, model and RTL, all in the default shape, decide as the steps say.
pub(crate) fn check(csr: RepsCsr, steps: &[Step]) {
    check_shape(RepsParams::default(), csr, steps);
}

/// [`check`] in another shape.
pub(crate) fn check_shape(params: RepsParams, csr: RepsCsr, steps: &[Step]) {
    ask_oracle(params, &[(csr, steps)]);
    replay(params, csr, steps);
    drive(params, &[(csr, steps)]);
}

/// [`check`] with CSRs that change on the way, in the default shape.
pub(crate) fn check_parts(parts: &[(RepsCsr, &[Step])]) {
    let params = RepsParams::default();
    ask_oracle(params, parts);
    drive(params, parts);
}

/// [`check_parts`] of what the page says about the block's encoding, which the oracle does not have.
pub(crate) fn check_encoding(parts: &[(RepsCsr, &[Step])]) {
    drive(RepsParams::default(), parts);
}

fn expectations(parts: &[(RepsCsr, &[Step])]) -> Vec<(RepsCsr, Vec<Expectation>)> {
    let mut time_line = TimeLine::default();
    parts
        .iter()
        .map(|(csr, steps)| (*csr, steps.iter().map(|step| time_line.place(step)).collect()))
        .collect()
}

fn ask_oracle(params: RepsParams, parts: &[(RepsCsr, &[Step])]) {
    let mut oracle = Oracle::new(params, parts[0].0);
    for (csr, expectations) in expectations(parts) {
        oracle.set_csr(csr);
        for (index, Expectation { event, now, outcome }) in expectations.iter().enumerate() {
            let decision = oracle.step(event, *now);
            assert_eq!(decision, *outcome, "the oracle decides otherwise on step {index}, {event:?}");
        }
    }
}

/// A session as the command runs it, with the gaps that the events have.
fn replay(params: RepsParams, csr: RepsCsr, steps: &[Step]) {
    let (_, expectations) = expectations(&[(csr, steps)]).remove(0);
    let events: Vec<Event> = expectations.iter().map(|expectation| expectation.event).collect();
    let session = Session { params, seed: 1, plant: None, wave: None };
    let (finding, decisions) =
        session.replay(csr, &events, &mut ()).unwrap_or_else(|error| panic!("{error}"));
    if let Some(mismatch) = finding.report.mismatch {
        panic!("{mismatch}");
    }
    assert_eq!(decisions.len(), expectations.len(), "decisions are missing");
    for (index, (decision, Expectation { event, outcome, .. })) in
        decisions.iter().zip(&expectations).enumerate()
    {
        assert_eq!(decision, outcome, "model and RTL decide otherwise on step {index}, {event:?}");
    }
}

/// Back to back and spaced, with and without back-pressure: rules know no clocks.
fn drive(params: RepsParams, parts: &[(RepsCsr, &[Step])]) {
    let (mut acts, mut expected, mut not_open) = (Vec::new(), Vec::new(), 0);
    for (csr, expectations) in expectations(parts) {
        acts.push(Act::Configure(csr));
        for Expectation { event, outcome, .. } in expectations {
            acts.push(Act::Offer(event));
            expected.push((outcome.connection, outcome.ev, outcome.user()));
            not_open += u32::from(!outcome.accepted);
        }
    }
    let always: fn(u64) -> bool = |_| true;
    let seldom: fn(u64) -> bool = |clock| clock.is_multiple_of(3);
    for (idle, ready) in [(0, always), (0, seldom), (2, always), (3, seldom)] {
        let wait = (idle > 0).then_some(Act::Idle(idle));
        let script = run(params, acts.iter().flat_map(|&act| wait.into_iter().chain([act])), ready);
        let taken: Vec<_> = script.taken.iter().map(|&(_, id, data, user)| (id, data, user)).collect();
        if let Some(index) = (0..taken.len()).find(|&index| taken[index] != expected[index]) {
            let (taken, expected) = (taken[index], expected[index]);
            panic!(
                "step {index}: model and RTL decide (tid, tdata, tuser) = {taken:x?}, expected {expected:x?}"
            );
        }
        assert_eq!(
            (taken.len(), script.not_open),
            (expected.len(), not_open),
            "decisions, stat_not_open_events"
        );
    }
}
