//! Runs steps through the oracle, the model and the RTL.

use crate::rules::steps::{self, Expectation, Ledger, Step};
use weft_bench::script::{self, ALWAYS, SELDOM};
use weft_blocks::sack_tx::Dut;
use weft_blocks::sack_tx::oracle::{ALL, Oracle};
use weft_nic::block::sack_tx::{LATENCY, Outcome, Outputs, Reason, SackTx};
use weft_params::{SackParams, SackTxCsr};

/// Fails unless oracle, model and RTL answer as the steps require.
pub(crate) fn check(csr: SackTxCsr, steps: &[Step]) {
    check_parts(&[(csr, steps)]);
}

/// [`check`] with CSRs that change on the way.
pub(crate) fn check_parts(parts: &[(SackTxCsr, &[Step])]) {
    ask_transactions(parts);
    drive(parts);
}

fn expectations(parts: &[(SackTxCsr, &[Step])]) -> Vec<(SackTxCsr, Vec<Expectation>)> {
    let mut ledger = Ledger::default();
    parts.iter().map(|(csr, steps)| (*csr, steps.iter().map(|step| ledger.place(step)).collect())).collect()
}

/// Runs the steps through oracle and transaction view.
fn ask_transactions(parts: &[(SackTxCsr, &[Step])]) {
    let params = SackParams::default();
    let (mut oracle, mut model) = (Oracle::new(parts[0].0), <SackTx>::new(params, parts[0].0));
    for (csr, expectations) in expectations(parts) {
        oracle.set_csr(csr);
        model.set_csr(csr);
        for (index, Expectation { act, now, outcome }) in expectations.iter().enumerate() {
            let (now, connection) = (*now, outcome.connection);
            let ticks = now as u32 & 0xFF_FFFF;
            let same = |who: &str, got: Option<Outcome>, expected: Option<&Outcome>| {
                assert_eq!(got.as_ref(), expected, "the {who} (left) answers otherwise on step {index}");
            };
            let due = |connection| [oracle.due(connection, now), model.due(connection, ticks)];
            // A step other than a send is due when no packet is left to send.
            let expected = if *act == steps::Act::Send { Some(outcome) } else { None };
            match act {
                steps::Act::Timer(kind) => assert_eq!(due(connection), [Some(*kind); 2], "step {index}"),
                _ => {
                    let some = (0..params.connections).map(due).find(|due| *due != [None; 2]);
                    assert_eq!(some, None, "due before step {index}, {act:?} at {now}");
                }
            }
            same("oracle", oracle.send(now), expected);
            same("model", model.send(ticks), expected);
            match act {
                steps::Act::Offer(event) => {
                    same("oracle", Some(oracle.step(event, now)), Some(outcome));
                    same("model", Some(model.step(event)), Some(outcome));
                }
                steps::Act::Timer(kind) => {
                    same("oracle", Some(oracle.timer(connection, *kind, now, ALL)), Some(outcome));
                    same("model", Some(model.timer(connection, *kind, ticks)), Some(outcome));
                }
                steps::Act::Send | steps::Act::Calm => {}
            }
        }
    }
    assert_eq!((oracle.send(0), model.send(0)), (None, None), "more is sent in the end");
}

/// Runs the RTL with and without back-pressure. Each step is offered when the step before has its outcome.
fn drive(parts: &[(SackTxCsr, &[Step])]) {
    // A round of the scanner, and the way of its event.
    let round = SackParams::default().connections + 3 * LATENCY as u32;
    let (mut acts, mut expected, mut counters) = (Vec::new(), Vec::new(), [0; 4]);
    for (csr, expectations) in expectations(parts) {
        acts.push(Act::Configure(csr));
        for Expectation { act, now, outcome } in expectations {
            acts.push(Act::Now(now as u32 & 0xFF_FFFF));
            match act {
                steps::Act::Offer(event) => acts.push(Act::Offer(event)),
                steps::Act::Calm => acts.push(Act::Idle(round)),
                steps::Act::Send | steps::Act::Timer(_) => {}
            }
            if act == steps::Act::Calm {
                continue;
            }
            expected.push(outcome);
            acts.push(Act::Await(expected.len()));
            acts.push(Act::Idle(LATENCY as u32));
            counters[0] += u32::from(!outcome.accepted && !outcome.kind.is_own());
            counters[1] += u32::from(outcome.reason == Reason::NeverSent || outcome.beyond);
            counters[2] += u32::from(outcome.reason == Reason::Stale);
            counters[3] += u32::from(outcome.reason == Reason::Refused);
        }
    }
    for ready in [ALWAYS, SELDOM] {
        let script = run(acts.iter().copied(), ready);
        for (index, (got, expected)) in script.answers.iter().zip(&expected).enumerate() {
            assert_eq!(got, expected, "outcome {index}: RTL (left), expected (right)");
        }
        assert_eq!(
            (script.answers.len(), self::counters(&script.outputs)),
            (expected.len(), counters),
            "outcomes and counters: not open, never sent, stale, refused"
        );
    }
}

/// Counters of events that were not open, PSNs never sent, stale ACKs, and refused messages.
pub(crate) fn counters(outputs: &Outputs) -> [u32; 4] {
    [outputs.not_open_events, outputs.never_sent, outputs.stale, outputs.refused]
}

/// Acts on the default shape.
pub(crate) type Act = script::ActOf<Dut>;

/// Record of the ports.
pub(crate) type Script = script::Script<Dut>;

/// Runs RTL and model of the default shape in lockstep; they must agree.
pub(crate) fn run(acts: impl IntoIterator<Item = Act>, ready: script::Ready) -> Script {
    script::run(&SackParams::default(), acts, ready)
}
