//! The observer around one NIC, model and RTL.

use weft_bench::Plant;
use weft_system::nic::View;
use weft_system::observer::plants::PLANTS;
use weft_system::observer::{Manner, Nics, Report, STALE, Terms};

fn observe(view: View, manner: Manner, seeds: std::ops::Range<u64>, operations: u32) {
    let operations_in_all = (seeds.end - seeds.start) * u64::from(operations);
    let nics =
        if operations_in_all > 20_000 { Nics::for_long(view) } else { Nics::new(view) }.expect("a NIC");
    let mut all = Report::default();
    let begin = std::time::Instant::now();
    for seed in seeds {
        let terms = Terms { manner, seed, operations };
        match nics.run(&terms) {
            Ok(report) => {
                all.operations += report.operations;
                all.clocks += report.clocks;
                all.frames = [all.frames[0] + report.frames[0], all.frames[1] + report.frames[1]];
                all.closes += report.closes;
                all.failed += report.failed;
                all.denied += report.denied;
                all.thaws += report.thaws;
            }
            Err(failure) => {
                let found = nics.shrink(&terms, failure.clone(), 60);
                let command = format!(
                    "WEFT_OBSERVER={view:?}:{manner:?}:{seed}:{operations} cargo test --release -p weft-system --test observer repeat -- --ignored --exact"
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

/// Software closes connections when all is quiet.
#[test]
fn gentle_model() {
    observe(View::Model, Manner::Gentle, 0..10, 300);
}

#[test]
fn gentle_rtl() {
    observe(View::Rtl, Manner::Gentle, 100..102, 300);
}

/// Software closes connections at any time.
#[test]
fn rude_model() {
    observe(View::Model, Manner::Rude, 200..210, 300);
}

#[test]
fn rude_rtl() {
    observe(View::Rtl, Manner::Rude, 300..305, 300);
}

/// Peers deny, pretend and begin again, events wait while their index is opened again, and time passes.
#[test]
fn adverse_model() {
    observe(View::Model, Manner::Adverse, 400..406, 200);
}

/// Ingress has no space for the end of a message, so the packets before it do not complete the message.
#[test]
fn an_overflow_leaves_more_than_itself_without_an_answer() {
    observe(View::Model, Manner::Rude, 2620..2621, 250);
}

/// Packets wait in ingress while their connection fails. The NIC denies and counts all of them, also the
/// packet beyond the window.
#[test]
fn what_waits_while_its_connection_fails_is_counted() {
    observe(View::Model, Manner::Rude, 3194..3195, 250);
}

/// Programs that failed in an earlier long run: seed, operations.
const BEFORE: [(Manner, u64, u32); 12] = [
    (Manner::Gentle, 4113, 54),
    (Manner::Gentle, 5095, 105),
    (Manner::Gentle, 3119, 19),
    (Manner::Gentle, 2353, 47),
    (Manner::Rude, 5680, 250),
    // A trimmed copy of a waiting packet is answered. Another ACK overtakes an ACK of the timer.
    (Manner::Gentle, 1002, 250),
    (Manner::Gentle, 1767, 250),
    (Manner::Rude, 1632, 250),
    // A replayed old ACK makes the round trip long, so the NIC gives up a silent peer later.
    (Manner::Gentle, 5189, 179),
    // A window of 256 packets leaves again in each round of a silence, and takes most of its time.
    (Manner::Gentle, 1053, 80),
    // A trimmed packet that ends within its XETH has the time stamp 0.
    (Manner::Adverse, 1164, 206),
    // A packet that was acknowledged meanwhile waits for the wire when time jumps.
    (Manner::Adverse, 1409, 203),
];

#[test]
fn what_failed_before() {
    for (manner, seed, operations) in BEFORE {
        observe(View::Model, manner, seed..seed + 1, operations);
    }
}

fn stale(view: View) {
    let nics = Nics::new(view).expect("a NIC");
    let wrong: Vec<String> = STALE
        .iter()
        .filter_map(|stale| nics.stale(stale).err().map(|violation| format!("{}: {violation}", stale.name)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// An eighth of a million operations on the RTL and of a quarter million on the model. Half of all eight
/// parts are adverse. Each part is a job, so that no core waits for the last.
fn an_eighth_of_a_million(number: u64) {
    let manner = [Manner::Gentle, Manner::Adverse, Manner::Rude, Manner::Adverse][number as usize % 4];
    observe(View::Model, manner, 1_000 + 125 * number..1_125 + 125 * number, 250);
    observe(View::Rtl, manner, 2_000 + 500 * number..2_500 + 500 * number, 250);
}

/// Defines a test for each part of a run that is too long for one test.
macro_rules! parts {
    ($module:ident, $part:ident: $($name:ident $number:literal)*) => {
        mod $module {
            $(
                #[test]
                #[ignore = "soak: hours"]
                fn $name() {
                    super::$part($number);
                }
            )*
        }
    };
}

parts!(million, an_eighth_of_a_million: part_0 0 part_1 1 part_2 2 part_3 3 part_4 4 part_5 5 part_6 6 part_7 7);

/// Runs programs until one finds the fault.
fn found(plant: &Plant) {
    let nics = Nics::planted(plant).unwrap_or_else(|error| panic!("{}: {error}", plant.name));
    let mut before = 0;
    for seed in 0..40 {
        let manner = [Manner::Gentle, Manner::Rude, Manner::Adverse][seed as usize % 3];
        let terms = Terms { manner, seed, operations: 200 };
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

/// The two leaks for which the observer was written.
#[test]
#[ignore = "soak: a build of the NIC"]
fn a_payload_for_the_wrong_peer_is_found() {
    named("peer-at-once");
}

#[test]
#[ignore = "soak: a build of the NIC"]
fn packets_of_a_stranger_are_found() {
    named("nothing-closes");
}

/// The plant that the page lists as not found.
const NOT_FOUND: &str = "close-arrivals";

/// Checks that every fourth plant is found, from this one on. WEFT_PLANT=name,name chooses plants.
fn a_quarter_of_the_plants(first: usize) {
    let only = std::env::var("WEFT_PLANT").ok();
    let wanted =
        |plant: &&Plant| only.as_ref().is_none_or(|only| only.split(',').any(|name| name == plant.name));
    let missed: Vec<String> = PLANTS
        .iter()
        .skip(first)
        .step_by(4)
        .filter(wanted)
        .filter_map(|plant| {
            let result = std::panic::catch_unwind(|| found(plant));
            result.err().map(|_| plant.name.to_owned())
        })
        .filter(|name| name != NOT_FOUND)
        .collect();
    assert!(missed.is_empty(), "not found: {missed:?}");
}

parts!(plants_found, a_quarter_of_the_plants: part_0 0 part_1 1 part_2 2 part_3 3);

/// Checks that the page lists the plants.
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

/// Checks the remainders of an opening, stream by stream.
#[test]
fn stale_model() {
    stale(View::Model);
}

#[test]
fn stale_rtl() {
    stale(View::Rtl);
}

/// Repeats a run as a failure names it, or runs of several seeds.
#[test]
#[ignore = "soak: repeats what WEFT_OBSERVER says"]
fn repeat() {
    let Ok(what) = std::env::var("WEFT_OBSERVER") else { return };
    let [view, manner, seed, operations] = what.split(':').collect::<Vec<_>>()[..] else {
        panic!(
            "WEFT_OBSERVER=Model|Rtl|Lockstep:Gentle|Rude|Adverse:seed:operations, or first..end for seed"
        );
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
    let manner = match manner {
        "Gentle" => Manner::Gentle,
        "Rude" => Manner::Rude,
        _ => Manner::Adverse,
    };
    observe(view, manner, seeds, operations.parse().expect("a number"));
}
