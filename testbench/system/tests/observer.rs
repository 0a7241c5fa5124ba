//! The observer around one NIC, model and RTL.

use weft_system::nic::View;
use weft_system::observer::{Nics, STALE, Terms};

fn observe(view: View, gentle: bool, seeds: std::ops::Range<u64>, operations: u32) {
    let nics = Nics::new(view).expect("a NIC");
    let (mut all, mut clocks, mut frames) = (0, 0, [0; 2]);
    let begin = std::time::Instant::now();
    for seed in seeds {
        let terms = Terms { gentle, seed, operations };
        match nics.run(&terms) {
            Ok(report) => {
                all += report.operations;
                clocks += report.clocks;
                frames = [frames[0] + report.frames[0], frames[1] + report.frames[1]];
            }
            Err(failure) => {
                let found = nics.shrink(&terms, failure.clone(), 60);
                let command = format!(
                    "WEFT_OBSERVER={view:?}:{gentle}:{seed}:{operations} cargo test --release -p weft-system --test observer repeat -- --ignored --exact"
                );
                panic!(
                    "{failure}\n{} operations do: {}\n{:#?}\nrepeat: {command}",
                    found.operations.len(),
                    found.failure,
                    found.operations
                );
            }
        }
    }
    let seconds = begin.elapsed().as_secs_f64();
    println!(
        "{view:?}: {all} operations, {clocks} clocks, {frames:?} frames in and out, {:.0} operations/s",
        f64::from(all) / seconds
    );
}

/// Closes when all is quiet.
#[test]
fn gentle_model() {
    observe(View::Model, true, 0..10, 300);
}

#[test]
fn gentle_rtl() {
    observe(View::Rtl, true, 100..105, 300);
}

/// Closes at any time.
#[test]
fn rude_model() {
    observe(View::Model, false, 200..210, 300);
}

#[test]
fn rude_rtl() {
    observe(View::Rtl, false, 300..305, 300);
}

fn stale(view: View) {
    let nics = Nics::new(view).expect("a NIC");
    let wrong: Vec<String> = STALE
        .iter()
        .filter_map(|stale| nics.stale(stale).err().map(|violation| format!("{}: {violation}", stale.name)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is left of an opening, stream by stream.
#[test]
fn stale_model() {
    stale(View::Model);
}

#[test]
fn stale_rtl() {
    stale(View::Rtl);
}

/// A run as a failure names it.
#[test]
#[ignore = "soak: repeats what WEFT_OBSERVER says"]
fn repeat() {
    let Ok(what) = std::env::var("WEFT_OBSERVER") else { return };
    let [view, gentle, seed, operations] = what.split(':').collect::<Vec<_>>()[..] else {
        panic!("WEFT_OBSERVER=Model|Rtl|Lockstep:gentle:seed:operations");
    };
    let view = match view {
        "Rtl" => View::Rtl,
        "Lockstep" => View::Lockstep,
        _ => View::Model,
    };
    let seed = seed.parse().expect("a seed");
    observe(view, gentle == "true", seed..seed + 1, operations.parse().expect("a number"));
}
