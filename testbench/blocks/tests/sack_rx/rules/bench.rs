//! Runs steps through the oracle, the model and the RTL.

use crate::rules::steps::{Expectation, Ledger, Step};
use weft_bench::script;
use weft_blocks::sack_rx::Dut;
use weft_blocks::sack_rx::oracle::Oracle;
use weft_nic::block::sack_rx::{LATENCY, Outcome, Outputs, SackRx, Verdict};
use weft_params::{SackParams, SackRxCsr};

/// Fails unless oracle, model and RTL answer as the steps require.
pub(crate) fn check(csr: SackRxCsr, steps: &[Step]) {
    check_parts(&[(csr, steps)]);
}

/// [`check`] with CSRs that change on the way.
pub(crate) fn check_parts(parts: &[(SackRxCsr, &[Step])]) {
    ask_oracle(parts);
    ask_model(parts);
    drive(parts, &[0, LATENCY as u32, 7]);
}

/// [`check`] for steps that no obedient sender makes back to back (rule 16). The RTL gets them far apart.
pub(crate) fn check_apart(csr: SackRxCsr, steps: &[Step]) {
    let parts = [(csr, steps)];
    ask_oracle(&parts);
    ask_model(&parts);
    drive(&parts, &[LATENCY as u32, LATENCY as u32 + 5]);
}

fn expectations(parts: &[(SackRxCsr, &[Step])]) -> Vec<(SackRxCsr, Vec<Expectation>)> {
    let mut ledger = Ledger::default();
    parts.iter().map(|(csr, steps)| (*csr, steps.iter().map(|step| ledger.place(step)).collect())).collect()
}

fn ask_oracle(parts: &[(SackRxCsr, &[Step])]) {
    let mut oracle = Oracle::new(parts[0].0);
    for (csr, expectations) in expectations(parts) {
        oracle.set_csr(csr);
        for (index, Expectation { event, outcome }) in expectations.iter().enumerate() {
            assert_eq!(oracle.step(event), *outcome, "the oracle (left) answers otherwise on step {index}");
        }
    }
}

fn ask_model(parts: &[(SackRxCsr, &[Step])]) {
    let mut model = <SackRx>::new(SackParams::default(), parts[0].0);
    for (csr, expectations) in expectations(parts) {
        model.set_csr(csr);
        for (index, Expectation { event, outcome }) in expectations.iter().enumerate() {
            assert_eq!(model.step(event), *outcome, "the model (left) answers otherwise on step {index}");
        }
    }
}

/// Runs with `idle` clocks between the steps, with and without back-pressure.
fn drive(parts: &[(SackRxCsr, &[Step])], idle: &[u32]) {
    let parts = expectations(parts);
    let count = |wanted: fn(&Outcome) -> bool| {
        let all = parts.iter().flat_map(|(_, expectations)| expectations);
        all.filter(|expectation| wanted(&expectation.outcome)).count() as u32
    };
    let counted = [
        count(|outcome| !outcome.accepted),
        count(|outcome| outcome.verdict == Verdict::Duplicate),
        count(|outcome| outcome.verdict == Verdict::Outside),
    ];
    let answer = |it: Expectation| (it.event, (it.outcome.connection, it.outcome.data(), it.outcome.user()));
    let parts: Vec<_> =
        parts.into_iter().map(|(csr, it)| (csr, it.into_iter().map(answer).collect())).collect();
    script::drive::<Dut, _>(&SackParams::default(), &parts, idle, counters, counted);
}

/// Counters of events that were not open, duplicates, and packets outside the window.
pub(crate) fn counters(outputs: &Outputs) -> [u32; 3] {
    [outputs.not_open_events, outputs.duplicates, outputs.outside]
}

/// Acts on the default shape.
pub(crate) type Act = script::ActOf<Dut>;

/// Record of the ports.
pub(crate) type Script = script::Script<Dut>;

/// Runs RTL and model of the default shape in lockstep; they must agree.
pub(crate) fn run(acts: impl IntoIterator<Item = Act>, ready: script::Ready) -> Script {
    script::run(&SackParams::default(), acts, ready)
}
