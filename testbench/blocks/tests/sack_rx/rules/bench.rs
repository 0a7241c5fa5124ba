//! Puts steps before the oracle, the model and the RTL.

use crate::rules::script::{Act, run};
use crate::rules::steps::{Expectation, Ledger, Step};
use weft_blocks::sack_rx::oracle::Oracle;
use weft_nic::block::sack_rx::{LATENCY, SackRx, Verdict};
use weft_params::{SackParams, SackRxCsr};

/// Fails unless oracle, model and RTL answer as the steps say.
pub(crate) fn check(csr: SackRxCsr, steps: &[Step]) {
    check_parts(&[(csr, steps)]);
}

/// [`check`] with CSRs that change on the way.
pub(crate) fn check_parts(parts: &[(SackRxCsr, &[Step])]) {
    ask_oracle(parts);
    ask_model(parts);
    drive(parts, &[0, LATENCY as u32, 7]);
}

/// [`check`] of steps that no obedient sender takes back to back (rule 16): the RTL gets them far apart.
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
    let mut model = SackRx::new(SackParams::default(), parts[0].0);
    for (csr, expectations) in expectations(parts) {
        model.set_csr(csr);
        for (index, Expectation { event, outcome }) in expectations.iter().enumerate() {
            assert_eq!(model.step(event), *outcome, "the model (left) answers otherwise on step {index}");
        }
    }
}

/// With so many clocks between the steps, with and without back-pressure.
fn drive(parts: &[(SackRxCsr, &[Step])], idle: &[u32]) {
    let (mut acts, mut expected, mut counters) = (Vec::new(), Vec::new(), [0; 3]);
    for (csr, expectations) in expectations(parts) {
        acts.push(Act::Configure(csr));
        for Expectation { event, outcome } in expectations {
            acts.push(Act::Offer(event));
            expected.push((outcome.connection, outcome.data(), outcome.user()));
            counters[0] += u32::from(!outcome.accepted);
            counters[1] += u32::from(outcome.verdict == Verdict::Duplicate);
            counters[2] += u32::from(outcome.verdict == Verdict::Outside);
        }
    }
    let always: fn(u64) -> bool = |_| true;
    let seldom: fn(u64) -> bool = |clock| clock.is_multiple_of(3);
    for (&idle, ready) in idle.iter().flat_map(|idle| [(idle, always), (idle, seldom)]) {
        let wait = (idle > 0).then_some(Act::Idle(idle));
        let script = run(acts.iter().flat_map(|&act| wait.into_iter().chain([act])), ready);
        if let Some(index) = (0..expected.len()).find(|&index| script.outcomes[index] != expected[index]) {
            let (taken, expected) = (script.outcomes[index], expected[index]);
            panic!("step {index}: the RTL answers (tid, tdata, tuser) = {taken:x?}, expected {expected:x?}");
        }
        assert_eq!(
            (script.outcomes.len(), script.counters),
            (expected.len(), counters),
            "outcomes and counters: not open, duplicates, outside"
        );
    }
}
