//! Puts steps before the oracle, the model and the RTL.

use crate::rules::script::{self, run};
use crate::rules::steps::{Act, Expectation, Ledger, Step};
use weft_blocks::sack_tx::oracle::{ALL, Oracle};
use weft_nic::block::sack_tx::{Kind, LATENCY, Outcome, Reason, SackTx};
use weft_params::{SackParams, SackTxCsr};

/// Fails unless oracle, model and RTL answer as the steps say.
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

/// Oracle and transaction view.
fn ask_transactions(parts: &[(SackTxCsr, &[Step])]) {
    let params = SackParams::default();
    let (mut oracle, mut model) = (Oracle::new(parts[0].0), SackTx::new(params, parts[0].0));
    for (csr, expectations) in expectations(parts) {
        oracle.set_csr(csr);
        model.set_csr(csr);
        for (index, Expectation { act, now, outcome }) in expectations.iter().enumerate() {
            let (now, connection) = (*now, outcome.connection);
            let ticks = now as u32 & 0xFF_FFFF;
            let same = |who: &str, got: Option<Outcome>, expected: Option<&Outcome>| {
                assert_eq!(got.as_ref(), expected, "the {who} (left) answers otherwise on step {index}");
            };
            let due = |connection| [oracle.expired(connection, now), model.expired(connection, ticks)];
            // A step that is no send comes when nothing is left to send.
            let expected = if *act == Act::Send { Some(outcome) } else { None };
            match act {
                Act::Timeout => assert_eq!(due(connection), [true; 2], "no timeout on step {index}"),
                _ => {
                    let none = (0..params.connections).all(|connection| due(connection) == [false; 2]);
                    assert!(none, "a timeout before step {index}");
                }
            }
            same("oracle", oracle.send(now), expected);
            same("model", model.send(ticks), expected);
            match act {
                Act::Offer(event) => {
                    same("oracle", Some(oracle.step(event, now)), Some(outcome));
                    same("model", Some(model.step(event)), Some(outcome));
                }
                Act::Timeout => {
                    same("oracle", Some(oracle.timeout(connection, now, ALL)), Some(outcome));
                    same("model", Some(model.timeout(connection, ticks)), Some(outcome));
                }
                Act::Send | Act::Calm => {}
            }
        }
    }
    assert_eq!((oracle.send(0), model.send(0)), (None, None), "more is sent in the end");
}

/// With and without back-pressure. What is offered comes when the step before is through.
fn drive(parts: &[(SackTxCsr, &[Step])]) {
    // A round of the scanner, and what it finds.
    let round = SackParams::default().connections + 3 * LATENCY as u32;
    let (mut acts, mut expected, mut counters) = (Vec::new(), Vec::new(), [0; 4]);
    for (csr, expectations) in expectations(parts) {
        acts.push(script::Act::Configure(csr));
        for Expectation { act, now, outcome } in expectations {
            acts.push(script::Act::Now(now as u32 & 0xFF_FFFF));
            match act {
                Act::Offer(event) => acts.push(script::Act::Offer(event)),
                Act::Calm => acts.push(script::Act::Idle(round)),
                Act::Send | Act::Timeout => {}
            }
            if act == Act::Calm {
                continue;
            }
            expected.push(outcome);
            acts.push(script::Act::Await(expected.len()));
            acts.push(script::Act::Idle(LATENCY as u32));
            let own = matches!(outcome.kind, Kind::Send | Kind::Timeout);
            counters[0] += u32::from(!outcome.accepted && !own);
            counters[1] += u32::from(outcome.reason == Reason::NeverSent || outcome.beyond);
            counters[2] += u32::from(outcome.reason == Reason::Stale);
            counters[3] += u32::from(outcome.reason == Reason::Refused);
        }
    }
    let always: fn(u64) -> bool = |_| true;
    let seldom: fn(u64) -> bool = |clock| clock.is_multiple_of(3);
    for ready in [always, seldom] {
        let script = run(acts.iter().copied(), ready);
        for (index, (got, expected)) in script.outcomes.iter().zip(&expected).enumerate() {
            assert_eq!(got, expected, "outcome {index}: RTL (left), expected (right)");
        }
        assert_eq!(
            (script.outcomes.len(), script.counters),
            (expected.len(), counters),
            "outcomes and counters: not open, never sent, stale, refused"
        );
    }
}
