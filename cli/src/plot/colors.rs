//! Colours of runs. A way to spread packets, or a transport, has the same colour in all plots.

use plotters::prelude::RGBColor;
use serde_json::Value;
use std::collections::BTreeSet;
use weft_params::EvMode;

/// Colours that people with red-green blindness can distinguish: first the colours of Okabe and Ito, then
/// those of Tol's muted set.
pub(crate) const PALETTE: [RGBColor; 14] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(213, 94, 0),
    RGBColor(86, 180, 233),
    RGBColor(70, 70, 70),
    RGBColor(136, 34, 85),
    RGBColor(153, 153, 51),
    RGBColor(51, 34, 136),
    RGBColor(68, 170, 153),
    RGBColor(221, 204, 119),
    RGBColor(204, 102, 119),
    RGBColor(190, 190, 190),
];

/// Ways to spread packets, with the indices of their colours.
const WAYS: [(&str, usize); 20] = [
    ("reps", 0),
    ("reps2024", 0),
    ("conweave", 0),
    ("ops", 1),
    ("conga", 1),
    ("ofan", 2),
    ("mptcp", 2),
    ("quantised", 3),
    ("drill", 3),
    ("jsq", 4),
    ("plb", 9),
    ("rotation", 9),
    ("rsq", 5),
    ("let-flow", 5),
    ("flowlet", 5),
    ("ecmp", 6),
    ("round-robin", 7),
    ("bitmap", 7),
    ("permuted-round-robin", 8),
    ("mprdma", 8),
];

/// Transports, with the indices of their colours.
const TRANSPORTS: [(&str, usize); 10] = [
    ("nic", 0),
    ("dctcp", 1),
    ("delay", 2),
    ("ecn", 3),
    ("swift", 4),
    ("eqds", 5),
    ("bbr", 8),
    ("fixed", 6),
    ("dcqcn", 7),
    ("paced", 9),
];

/// The way in which a run spreads its packets.
fn way(run: &Value) -> &str {
    let text = |pointer: &str| run.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    let baseline = &run["setup"]["hosts"]["baseline"];
    let scheme = text("/setup/scheme/name");
    if let Some(name) = baseline["paths"]["name"].as_str().filter(|name| *name != "block") {
        return name;
    }
    // A flow of DCQCN has one entropy value.
    let mode = if baseline["kind"] == "dcqcn" { "fixed" } else { text("/setup/hosts/ev_mode") };
    match (baseline["rotation"] == true, scheme, mode) {
        (true, ..) => "rotation",
        (_, "ecmp" | "wecmp", "" | "fixed") => "ecmp",
        // Switches that hash leave the choice to hosts.
        (_, "ecmp" | "wecmp", mode) => mode,
        _ => scheme,
    }
}

/// Names of runs by the way in which they spread packets, if all are different.
pub(super) fn names(runs: &[&Value]) -> Option<Vec<String>> {
    let ways: Vec<String> = runs.iter().map(|run| way(run).to_owned()).collect();
    let distinct = ways.iter().collect::<BTreeSet<_>>().len() == ways.len();
    (distinct && !ways.iter().any(String::is_empty)).then_some(ways)
}

/// The transport of a run.
fn transport(run: &Value) -> &str {
    let hosts = &run["setup"]["hosts"];
    match (hosts["baseline"]["kind"].as_str(), hosts["signals"].as_str()) {
        (Some(kind), _) => kind,
        _ if hosts["fixed_window"] == true => "fixed",
        (_, Some(signals @ ("ecn" | "delay"))) => signals,
        _ => "nic",
    }
}

fn place(known: &[(&str, usize)], name: &str) -> usize {
    known.iter().find(|it| it.0 == name).map_or(PALETTE.len() - 1, |it| it.1)
}

/// Colours of runs, given one result of each. Runs that spread packets in different ways have the colours of
/// these ways; otherwise runs with different transports have the colours of the transports. With `distinct`,
/// the second of two runs with the same colour gets an unused one.
pub(super) fn of(runs: &[&Value], distinct: bool) -> Vec<RGBColor> {
    let ways: Vec<&str> = runs.iter().map(|run| way(run)).collect();
    let transports: Vec<&str> = runs.iter().map(|run| transport(run)).collect();
    let differ = |names: &[&str]| names.iter().collect::<BTreeSet<_>>().len() > 1;
    let mut chosen: Vec<usize> = if !differ(&ways) && differ(&transports) {
        transports.iter().map(|name| place(&TRANSPORTS, name)).collect()
    } else {
        ways.iter().map(|name| place(&WAYS, name)).collect()
    };
    if distinct {
        part(&mut chosen);
    }
    chosen.into_iter().map(|place| PALETTE[place]).collect()
}

/// Colours of entropy modes in a network whose switches hash. All colours differ.
pub(crate) fn of_modes(modes: impl Iterator<Item = EvMode>) -> Vec<RGBColor> {
    let way = |mode| match mode {
        EvMode::Reps => "reps",
        EvMode::Ops => "ops",
        EvMode::Fixed => "ecmp",
        EvMode::Reps2024 => "reps2024",
    };
    let mut chosen: Vec<usize> = modes.map(|mode| place(&WAYS, way(mode))).collect();
    part(&mut chosen);
    chosen.into_iter().map(|place| PALETTE[place]).collect()
}

/// Gives the second of two entries with the same colour an unused colour.
fn part(chosen: &mut [usize]) {
    for at in 1..chosen.len() {
        if chosen[..at].contains(&chosen[at]) {
            let free = (0..PALETTE.len()).find(|it| !chosen.contains(it));
            chosen[at] = free.unwrap_or(at % PALETTE.len());
        }
    }
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
        // If switches hash, the hosts' choice of entropy values gives the colour.
        assert_eq!(colors(&[("ecmp", "ops"), ("ecmp", "reps")], true), [PALETTE[1], PALETTE[0]]);
        let [ofan, reps] = colors(&[("ofan", "fixed"), ("wecmp", "reps")], true)[..] else { panic!() };
        assert_eq!([ofan, reps], [PALETTE[2], PALETTE[0]]);
        // Bars of one kind have the same colour; curves must differ.
        assert_eq!(colors(&[("jsq", "ops"), ("jsq", "ops")], false), [jsq, jsq]);
        assert_eq!(colors(&[("jsq", "ops"), ("jsq", "ops")], true), [jsq, PALETTE[0]]);
        let kinds =
            ["dctcp", "swift"].map(|kind| json!({ "setup": { "hosts": { "baseline": { "kind": kind } } } }));
        assert_eq!(of(&kinds.iter().collect::<Vec<_>>(), false), [PALETTE[1], PALETTE[4]]);
    }

    #[test]
    fn a_mode_has_the_colour_of_the_gallery() {
        let [fixed, ops, reps, before] =
            of_modes([EvMode::Fixed, EvMode::Ops, EvMode::Reps, EvMode::Reps2024].into_iter())[..]
        else {
            panic!()
        };
        let gallery = colors(&[("ecmp", "fixed"), ("ecmp", "ops"), ("ecmp", "reps")], true);
        assert_eq!([fixed, ops, reps], gallery[..]);
        assert!(![fixed, ops, reps].contains(&before));
    }

    /// Checks that any two colours differ in lightness or hue for eyes without red cones, by the matrix of
    /// Viénot, Brettel and Mollon (1999): the distance must be at least 30 of 441.
    #[test]
    fn colours_can_be_told_apart_without_red_cones() {
        let seen = |RGBColor(r, g, b): RGBColor| {
            let [r, g, b] = [r, g, b].map(f64::from);
            [0.112 * r + 0.888 * g, 0.112 * r + 0.888 * g, 0.004 * r - 0.004 * g + b]
        };
        for (at, one) in PALETTE.iter().enumerate() {
            for other in &PALETTE[..at] {
                let (a, b) = (seen(*one), seen(*other));
                let squares: f64 = a.iter().zip(&b).map(|(a, b)| (a - b).powi(2)).sum();
                assert!(squares.sqrt() >= 30.0, "{one:?} {other:?}: {:.0}", squares.sqrt());
            }
        }
    }
}
