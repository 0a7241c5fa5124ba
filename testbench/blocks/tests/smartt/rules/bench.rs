//! Runs steps through the oracle, the model and the RTL.

use crate::rules::steps::{Expectation, Step, TimeLine};
use weft_bench::script;
use weft_blocks::smartt::Dut;
use weft_blocks::smartt::oracle::{Constants, Oracle, plainly};
use weft_nic::block::smartt::{Outputs, Smartt};
use weft_params::{SmarttCsr, SmarttParams};

/// Fails unless oracle, model and RTL answer as the steps require.
pub(crate) fn check(csr: SmarttCsr, steps: &[Step]) {
    check_parts(&[(csr, steps)]);
}

/// [`check`] with CSRs that change on the way.
pub(crate) fn check_parts(parts: &[(SmarttCsr, &[Step])]) {
    ask_oracle(parts);
    check_rounding(parts);
}

/// [`check_parts`] for rules of the digits, which the oracle does not round to.
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

/// Events are back to back and spaced, with and without back-pressure, because rules do not depend on clocks.
fn drive(parts: &[(SmarttCsr, &[Step])]) {
    let parts = expectations(parts);
    let all = parts.iter().flat_map(|(_, expectations)| expectations);
    let not_open = all.filter(|expectation| !expectation.outcome.accepted).count() as u32;
    let answer =
        |it: Expectation| (it.event, (it.outcome.connection, it.outcome.cwnd_bytes, it.outcome.user()));
    let parts: Vec<_> =
        parts.into_iter().map(|(csr, it)| (csr, it.into_iter().map(answer).collect())).collect();
    let counted = |outputs: &Outputs| outputs.not_open_events;
    script::drive::<Dut, _>(&SmarttParams::default(), &parts, &[0, 23, 30], counted, not_open);
}

/// Acts on the default shape.
pub(crate) type Act = script::ActOf<Dut>;

/// Record of the ports.
pub(crate) type Script = script::Script<Dut>;

/// Runs RTL and model of the default shape in lockstep; they must agree.
pub(crate) fn run(acts: impl IntoIterator<Item = Act>, ready: script::Ready) -> Script {
    script::run(&SmarttParams::default(), acts, ready)
}
