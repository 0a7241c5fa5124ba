//! How quickly losses are made good, on models: the goals of page `docs/transport.md`, on seeds that no rule was tuned on.

use weft_blocks::sack_tx::plant::PLANTS;
use weft_system::recovery::{Part, Row, Rules, rows, sample};

/// The rows of which the page says that they miss their goals, and what they keep to.
const MISSED: &[(&str, f64)] = &[
    ("100G one of 8 paths dies, drops: packets lost", 100.0),
    ("400G one of 8 paths dies, trims: times as long", 1.22),
    ("400G one of 8 paths dies, drops: times as long", 1.22),
];

fn table(part: Part, rules: Rules, seeds: u64) -> Vec<Row> {
    rows(part, rules, &(3_001..3_001 + seeds)).unwrap_or_else(|error| panic!("{error}"))
}

/// Every goal is reached but those that the page names.
#[test]
fn losses_are_made_good_as_the_page_says() {
    for row in Part::ALL.into_iter().flat_map(|part| table(part, Rules::Weft(None), 8)) {
        println!("{}: {:.3} of {:?}", row.name, row.mean(), row.goal);
        let kept =
            MISSED.iter().find(|(name, _)| *name == row.name).is_some_and(|(_, most)| row.mean() <= *most);
        assert!(
            kept || row.reached() != Some(false),
            "{}: {:?}, to reach {:?}",
            row.name,
            row.values,
            row.goal
        );
    }
}

/// The goals can be missed: the rules before ages miss each one of a lost packet.
#[test]
fn the_rules_before_miss_the_goals() {
    let before = table(Part::Holes, Rules::Before(0), 2);
    let missed: Vec<&str> =
        before.iter().filter(|row| row.reached() == Some(false)).map(|row| row.name.as_str()).collect();
    assert_eq!(missed.len(), 8, "{missed:?}");
}

/// The RTL does on a sample of every part what its model does, and ends every message.
#[test]
fn the_rtl_is_its_model() {
    for part in Part::ALL {
        let sample = sample(part, 3_001, None).unwrap_or_else(|error| panic!("{error}"));
        println!("{part:?}: {sample:?}");
        assert!(sample.mismatch.is_none(), "{part:?}: {}", sample.mismatch.unwrap());
        assert_eq!(sample.ended.0, sample.ended.1, "{part:?}");
        assert!(sample.again > 0 || part == Part::Delays, "{part:?}: nothing was lost");
    }
}

/// What is sent again keeps its age: that is found.
#[test]
fn a_bug_is_no_longer_its_model() {
    let bug = PLANTS.iter().find(|plant| plant.name == "young").expect("a plant");
    let sample = sample(Part::Goodput, 3_001, Some(bug)).unwrap_or_else(|error| panic!("{error}"));
    assert!(sample.mismatch.is_some(), "{sample:?}");
}
