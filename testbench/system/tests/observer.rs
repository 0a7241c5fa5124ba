//! The observer around one NIC, model and RTL.

use weft_bench::Plant;
use weft_system::nic::View;
use weft_system::observer::plants::PLANTS;
use weft_system::observer::{Nics, Report, STALE, Terms};

fn observe(view: View, gentle: bool, seeds: std::ops::Range<u64>, operations: u32) {
    let nics = Nics::new(view).expect("a NIC");
    let mut all = Report::default();
    let begin = std::time::Instant::now();
    for seed in seeds {
        let terms = Terms { gentle, seed, operations };
        match nics.run(&terms) {
            Ok(report) => {
                all.operations += report.operations;
                all.clocks += report.clocks;
                all.frames = [all.frames[0] + report.frames[0], all.frames[1] + report.frames[1]];
                all.closes += report.closes;
                all.failed += report.failed;
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
    println!("{view:?}: {all:?}, {:.0} operations/s", f64::from(all.operations) / seconds);
}

/// Closes when all is quiet.
#[test]
fn gentle_model() {
    observe(View::Model, true, 0..10, 300);
}

#[test]
fn gentle_rtl() {
    observe(View::Rtl, true, 100..102, 300);
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

/// A million operations on the RTL, half of them gentle, and a quarter of that on the model.
#[test]
#[ignore = "soak: a million operations"]
fn a_million_operations() {
    for gentle in [false, true] {
        observe(View::Model, gentle, 1_000..1_500, 250);
        observe(View::Rtl, gentle, 2_000..4_000, 250);
    }
}

/// Runs programs until one finds the fault.
fn found(plant: &Plant) {
    let nics = Nics::planted(plant).unwrap_or_else(|error| panic!("{}: {error}", plant.name));
    let mut before = 0;
    for seed in 0..40 {
        let terms = Terms { gentle: seed % 2 == 0, seed, operations: 200 };
        if let Err(failure) = nics.run(&terms) {
            let operations = before + failure.operation;
            println!("{}: found after {operations} operations: {failure}", plant.name);
            return;
        }
        before += terms.operations;
    }
    panic!("{}: {} operations do not find that {}", plant.name, before, plant.breaks);
}

fn named(name: &str) {
    found(Plant::named(PLANTS, name).expect("a plant"));
}

/// The two leaks that the observer was made for.
#[test]
fn a_payload_for_the_wrong_peer_is_found() {
    named("peer-at-once");
}

#[test]
fn packets_of_a_stranger_are_found() {
    named("nothing-closes");
}

#[test]
#[ignore = "soak: builds every plant; WEFT_PLANT=name for one"]
fn every_plant_is_found() {
    let only = std::env::var("WEFT_PLANT").ok();
    let wanted =
        |plant: &&Plant| only.as_ref().is_none_or(|only| only.split(',').any(|name| name == plant.name));
    let missed: Vec<String> = PLANTS
        .iter()
        .filter(wanted)
        .filter_map(|plant| {
            let result = std::panic::catch_unwind(|| found(plant));
            result.err().map(|_| plant.name.to_owned())
        })
        .collect();
    assert!(missed.is_empty(), "not found: {missed:?}");
}

/// The page lists the plants.
#[test]
fn the_page_names_every_plant() {
    let page = include_str!("../../../docs/observer.md");
    let missing: Vec<&str> = PLANTS
        .iter()
        .filter(|plant| !page.contains(&format!("| `{}` | {} |", plant.name, plant.breaks)))
        .map(|plant| plant.name)
        .collect();
    assert!(missing.is_empty(), "docs/observer.md does not say what these do: {missing:?}");
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

/// A run as a failure names it, or those of several seeds.
#[test]
#[ignore = "soak: repeats what WEFT_OBSERVER says"]
fn repeat() {
    let Ok(what) = std::env::var("WEFT_OBSERVER") else { return };
    let [view, gentle, seed, operations] = what.split(':').collect::<Vec<_>>()[..] else {
        panic!("WEFT_OBSERVER=Model|Rtl|Lockstep:gentle:seed:operations, or first..end for seed");
    };
    let view = match view {
        "Rtl" => View::Rtl,
        "Lockstep" => View::Lockstep,
        _ => View::Model,
    };
    let number = |text: &str| text.parse().expect("a number");
    let seeds = match seed.split_once("..") {
        Some((first, end)) => number(first)..number(end),
        None => number(seed)..number(seed) + 1,
    };
    observe(view, gentle == "true", seeds, operations.parse().expect("a number"));
}
