//! Results by their names.

use super::colors;
use plotters::style::RGBColor;
use serde_json::Value;

/// Results of one name, all seeds.
pub(super) type Group = (String, Vec<Value>);

/// A column of all flows of a group that have a value, and the number of flows.
pub(super) fn column(group: &Group, name: &str) -> (Vec<f64>, usize) {
    let flows = || group.1.iter().filter_map(|result| result["flows"].as_array()).flatten();
    (flows().filter_map(|flow| flow[name].as_f64()).collect(), flows().count())
}

/// A name. If only `count` of all runs count, the name also has both numbers.
pub(super) fn of_all(name: &str, count: usize, all: usize, what: &str) -> String {
    if count < all { format!("{name} ({count} of {all} {what})") } else { name.to_owned() }
}

/// Groups with names of several keys, or with long ones, have the names of their ways to spread packets, if these differ.
pub(super) fn shortened(groups: Vec<Group>) -> Vec<Group> {
    let runs: Vec<&Value> = groups.iter().filter_map(|(_, runs)| runs.first()).collect();
    let is_long = groups.iter().any(|(name, _)| name.len() > LONG || name.contains(", "));
    match colors::names(&runs).filter(|names| is_long && names.len() == groups.len()) {
        Some(names) => names.into_iter().zip(groups).map(|(name, (_, runs))| (name, runs)).collect(),
        None => groups,
    }
}

/// A name with this many letters or more is not legible beside other names.
const LONG: usize = 16;

/// The names of groups.
pub(super) fn names(groups: &[Group]) -> Vec<String> {
    groups.iter().map(|(name, _)| name.clone()).collect()
}

/// Groups with their colours.
pub(super) fn drawn(groups: &[Group]) -> Vec<(String, RGBColor)> {
    names(groups).into_iter().zip(of_groups(groups, true)).collect()
}

/// The groups, with the number of ended flows in the names if not all ended.
pub(super) fn drawn_of_flows(groups: &[Group]) -> Vec<(String, RGBColor)> {
    let name = |(group, (name, color)): (&Group, (String, RGBColor))| {
        let (times, all) = column(group, "fct_us");
        (of_all(&name, times.len(), all, "flows"), color)
    };
    groups.iter().zip(drawn(groups)).map(name).collect()
}

/// The colours of groups.
pub(super) fn of_groups(groups: &[Group], distinct: bool) -> Vec<RGBColor> {
    colors::of(
        &groups.iter().map(|(_, runs)| runs.first().unwrap_or(&Value::Null)).collect::<Vec<_>>(),
        distinct,
    )
}
