//! Colours of runs: a scheme, and a way to choose entropy values, has one wherever it is drawn.

use plotters::prelude::RGBColor;
use serde_json::Value;
use std::collections::BTreeSet;

/// Colours that are easy to tell apart.
pub(crate) const PALETTE: [RGBColor; 12] = [
    RGBColor(208, 28, 36),
    RGBColor(31, 119, 180),
    RGBColor(44, 150, 60),
    RGBColor(130, 90, 180),
    RGBColor(230, 126, 20),
    RGBColor(20, 160, 160),
    RGBColor(140, 86, 75),
    RGBColor(214, 90, 170),
    RGBColor(110, 120, 20),
    RGBColor(90, 90, 90),
    RGBColor(0, 70, 120),
    RGBColor(170, 140, 60),
];

/// Schemes by their colours' places.
const SCHEMES: [&str; 12] = [
    "ofan",
    "ecmp",
    "rsq",
    "round-robin",
    "jsq",
    "quantised",
    "permuted-round-robin",
    "drill",
    "let-flow",
    "wecmp",
    "conga",
    "conweave",
];
const EV_MODES: [&str; 4] = ["reps", "ops", "fixed", "reps2024"];

/// Colours of runs, one result of each: by scheme if schemes differ, else by `hosts.ev_mode` if these do, else by scheme.
/// With `distinct`, by place if two would have one colour.
pub(super) fn of(runs: &[&Value], distinct: bool) -> Vec<RGBColor> {
    let places = |pointer: &str, known: &[&str]| -> Vec<usize> {
        let place = |run: &&Value| {
            let name = run.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
            known.iter().position(|other| *other == name).unwrap_or(0)
        };
        runs.iter().map(place).collect()
    };
    let differ = |places: &[usize]| places.iter().collect::<BTreeSet<_>>().len();
    let (schemes, modes) =
        (places("/setup/scheme/name", &SCHEMES), places("/setup/hosts/ev_mode", &EV_MODES));
    let mut chosen = if differ(&schemes) == 1 && differ(&modes) > 1 { modes } else { schemes };
    if distinct && differ(&chosen) < runs.len() {
        chosen = (0..runs.len()).collect();
    }
    chosen.into_iter().map(|place| PALETTE[place % PALETTE.len()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn run(scheme: &str, ev_mode: &str) -> Value {
        json!({ "setup": { "scheme": { "name": scheme }, "hosts": { "ev_mode": ev_mode } } })
    }

    fn colors(runs: &[(&str, &str)], distinct: bool) -> Vec<RGBColor> {
        let runs: Vec<Value> = runs.iter().map(|(scheme, mode)| run(scheme, mode)).collect();
        of(&runs.iter().collect::<Vec<_>>(), distinct)
    }

    #[test]
    fn a_scheme_has_its_colour_wherever_it_stands() {
        let [jsq, ofan] = colors(&[("jsq", "fixed"), ("ofan", "fixed")], true)[..] else { panic!() };
        assert_ne!(jsq, ofan);
        assert_eq!(colors(&[("ofan", "fixed"), ("ecmp", "fixed"), ("jsq", "fixed")], true)[2], jsq);
        assert_eq!(colors(&[("jsq", "reps")], false), [jsq]);
        // With a single scheme, the entropy values have colours.
        assert_eq!(colors(&[("ecmp", "ops"), ("ecmp", "reps")], true), [PALETTE[1], PALETTE[0]]);
        // Bars of one kind are alike; curves must differ.
        assert_eq!(colors(&[("jsq", "ops"), ("jsq", "ops")], false), [jsq, jsq]);
        assert_eq!(colors(&[("jsq", "ops"), ("jsq", "ops")], true), [PALETTE[0], PALETTE[1]]);
    }
}
