//! Results by their names.

use super::colors;
use plotters::style::RGBColor;
use serde_json::Value;

/// Results of one name, all seeds.
pub(super) type Group = (String, Vec<Value>);

/// A column of all flows of a group.
pub(super) fn column(group: &Group, name: &str) -> Vec<f64> {
    let flows = group.1.iter().filter_map(|result| result["flows"].as_array()).flatten();
    flows.filter_map(|flow| flow[name].as_f64()).collect()
}

/// Their names.
pub(super) fn names(groups: &[Group]) -> Vec<String> {
    groups.iter().map(|(name, _)| name.clone()).collect()
}

/// Groups with their colours.
pub(super) fn drawn(groups: &[Group]) -> Vec<(String, RGBColor)> {
    names(groups).into_iter().zip(of_groups(groups, true)).collect()
}

/// Their colours.
pub(super) fn of_groups(groups: &[Group], distinct: bool) -> Vec<RGBColor> {
    colors::of(
        &groups.iter().map(|(_, runs)| runs.first().unwrap_or(&Value::Null)).collect::<Vec<_>>(),
        distinct,
    )
}
