//! Runs steps through all that must follow the rules: the oracle, the model and the RTL.

use crate::rules::steps::{Expectation, Step, TimeLine};
use weft_bench::{Session, script};
use weft_blocks::reps::Dut;
use weft_blocks::reps::oracle::Oracle;
use weft_blocks::reps::replay::replay;
use weft_nic::block::reps::Event;
use weft_params::{RepsCsr, RepsParams};

/// Fails unless oracle, model and RTL, all in the default shape, decide as the steps require.
pub(crate) fn check(csr: RepsCsr, steps: &[Step]) {
    check_shape(RepsParams::default(), csr, steps);
}

/// [`check`] in another shape.
pub(crate) fn check_shape(params: RepsParams, csr: RepsCsr, steps: &[Step]) {
    ask_oracle(params, &[(csr, steps)]);
    play(params, csr, steps);
    drive(params, &[(csr, steps)]);
}

/// [`check`] with CSRs that change on the way, in the default shape.
pub(crate) fn check_parts(parts: &[(RepsCsr, &[Step])]) {
    let params = RepsParams::default();
    ask_oracle(params, parts);
    drive(params, parts);
}

/// [`check_parts`] for rules of the block's encoding, which the oracle does not have.
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

/// Runs the session as the command does, with the gaps between the events.
fn play(params: RepsParams, csr: RepsCsr, steps: &[Step]) {
    let (_, expectations) = expectations(&[(csr, steps)]).remove(0);
    let events: Vec<Event> = expectations.iter().map(|expectation| expectation.event).collect();
    let (finding, decisions) =
        replay(&Session::new(params, 1), csr, &events, &mut ()).unwrap_or_else(|error| panic!("{error}"));
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

/// Events are back to back and spaced, with and without back-pressure, because rules do not depend on clocks.
fn drive(params: RepsParams, parts: &[(RepsCsr, &[Step])]) {
    let parts = expectations(parts);
    let all = parts.iter().flat_map(|(_, expectations)| expectations);
    let not_open = all.filter(|expectation| !expectation.outcome.accepted).count() as u32;
    let answer = |it: Expectation| (it.event, (it.outcome.connection, it.outcome.ev, it.outcome.user()));
    let parts: Vec<_> =
        parts.into_iter().map(|(csr, it)| (csr, it.into_iter().map(answer).collect())).collect();
    script::drive::<Dut, _>(&params, &parts, &[0, 2, 3], |outputs| outputs.not_open_events, not_open);
}

/// Acts on the default shape.
pub(crate) type Act = script::ActOf<Dut>;

/// Record of the ports.
pub(crate) type Script = script::Script<Dut>;

/// Runs RTL and model of the default shape in lockstep; they must agree.
pub(crate) fn run(acts: impl IntoIterator<Item = Act>, ready: script::Ready) -> Script {
    script::run(&RepsParams::default(), acts, ready)
}
