//! A sample of the faults of two cheap blocks; `make soak` plants a hundred faults in each block.

use weft_mutate::{Against, Campaign, Fate, Settings, against};

fn sample(block: &str) {
    let settings = Settings { faults: 12, ..Settings::default() };
    let campaign = Campaign::new(block, settings).unwrap_or_else(|error| panic!("{error}"));
    let findings = campaign.run(&mut || true, |_| ()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(findings.verdicts.len(), 12);
    let wrong = findings.verdicts.iter().filter(|it| matches!(it.fate, Fate::Survives | Fate::Refuted(_)));
    let wrong: Vec<_> =
        wrong.map(|it| format!("{}  {}: {:?}", it.fault.module, it.fault.text, it.fate)).collect();
    assert!(
        findings.is_good() && wrong.is_empty(),
        "{}\nrepeat: weft mutate --block {block} --faults 12",
        wrong.join("\n")
    );
}

#[test]
fn faults_of_reps_are_found() {
    sample("reps");
}

#[test]
fn faults_of_the_registers_are_found() {
    sample("registers");
}

/// One fault of each operator; `make soak` gives the proof of each block about a hundred faults.
#[test]
fn faults_of_reps_are_refuted_by_its_proof() {
    if weft_proof::refute::yosys().is_none() {
        return;
    }
    let settings = Settings { faults: 9, ..Settings::default() };
    let found = against("reps", settings, &mut || true, |fault, judgement| {
        println!("{}  {}: {judgement:?}", fault.module, fault.text);
    });
    let found = found.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((found.count(Against::is_refuted), found.count(Against::is_hole)), (9, 0));
}

/// Faults survive without the stimulus that finds them, so the count can fail.
#[test]
fn faults_survive_a_run_that_does_nothing() {
    let settings = Settings { faults: 12, runs: 1, cycles: 2, ..Settings::default() };
    let campaign = Campaign::new("reps", settings).unwrap_or_else(|error| panic!("{error}"));
    let findings = campaign.run(&mut || true, |_| ()).unwrap_or_else(|error| panic!("{error}"));
    assert!(findings.count(|fate| *fate == Fate::Survives) > 6 && !findings.is_good());
}

#[test]
fn what_cannot_be_is_refused() {
    let refused = |block, settings| Campaign::new(block, settings).err().map(|error| error.to_string());
    let unknown = refused("nothing", Settings::default());
    assert_eq!(unknown.as_deref(), Some("there is no block nothing"));
    let only = Settings { only: Some("weft_nowhere".into()), ..Settings::default() };
    let message = refused("reps", only).unwrap_or_default();
    assert!(message.contains("weft_nowhere") && message.contains("weft_reps_front"), "{message}");
    let proofless = against("registers", Settings::default(), &mut || true, |_, _| ()).err();
    assert!(proofless.is_some_and(|error| error.to_string().contains("registers has no proof")));
    // The sender contains REPS, whose faults belong to its own bench.
    let only = Settings { only: Some("weft_reps_front".into()), ..Settings::default() };
    assert!(refused("sender", only).is_some());
}
