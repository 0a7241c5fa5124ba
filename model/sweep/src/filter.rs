//! Conditions on the flows of a result: `--where 'bytes<100000,start_us>=1000,rack=3'`.

use anyhow::{Result, bail, ensure};
use serde_json::Value;
use std::str::FromStr;
use weft_fabric::order::Order;
use weft_fabric::report::{FlowRow, Report, Spread};

/// Conditions on flows; all of them must be met.
#[derive(Clone, Debug, Default)]
pub struct Filter(Vec<Condition>);

/// Whether a column's value and the filter's value satisfy an operator.
type Compare = fn(f64, f64) -> bool;

#[derive(Clone, Debug)]
struct Condition {
    column: String,
    holds: Compare,
    value: f64,
}

/// Longer operators first: `<=` begins with `<`.
const OPERATORS: [(&str, Compare); 6] = [
    ("<=", |a, b| a <= b),
    (">=", |a, b| a >= b),
    ("!=", |a, b| a != b),
    ("<", |a, b| a < b),
    (">", |a, b| a > b),
    ("=", |a, b| a == b),
];

/// Names for filters that are not columns.
const DERIVED: [&str; 4] = ["source_rack", "destination_rack", "rack", "host"];

impl FromStr for Filter {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let condition = |part: &str| {
            let at = OPERATORS.iter().filter_map(|(sign, holds)| Some((part.find(sign)?, *sign, *holds)));
            let (at, sign, holds) = at
                .min_by_key(|(at, sign, _)| (*at, std::cmp::Reverse(sign.len())))
                .ok_or_else(|| format!("{part}: give a condition, such as bytes<100000"))?;
            let column = part[..at].trim();
            if !DERIVED.contains(&column) && !FlowRow::COLUMNS.contains(&column) {
                let columns = [&DERIVED[..], &FlowRow::COLUMNS[..]].concat().join(", ");
                return Err(format!("{part}: there is no column {column}; there are {columns}"));
            }
            let value = part[at + sign.len()..].trim();
            let number = value.parse().ok().filter(|it: &f64| !it.is_nan());
            let value = number.ok_or_else(|| format!("{part}: {value:?} is not a number"))?;
            Ok(Condition { column: column.to_owned(), holds, value })
        };
        text.split(',').map(condition).collect::<Result<_, _>>().map(Self)
    }
}

impl Filter {
    /// Whether a flow's row meets the condition. A missing value fails every condition.
    fn holds(&self, flow: &Value, racks: &Racks) -> bool {
        let end = |end: &str| flow[end].as_f64().unwrap_or(f64::NAN);
        let rack = |name: &str| racks.of(end(name));
        self.0.iter().all(|Condition { column, holds, value }| {
            let one = |it: f64| !it.is_nan() && holds(it, *value);
            match column.as_str() {
                "source_rack" => one(rack("source")),
                "destination_rack" => one(rack("destination")),
                "rack" => one(rack("source")) || one(rack("destination")),
                "host" => one(end("source")) || one(end("destination")),
                column => one(end(column)),
            }
        })
    }

    /// Leaves in a result only the flows that meet the conditions and are not of the warm-up; the
    /// distributions are those of these flows.
    pub fn apply(filter: Option<&Self>, result: &mut Value) -> Result<()> {
        let racks = Racks::new(&result["setup"]["topology"]);
        let warmup_us = result["setup"]["warmup_us"].as_f64().unwrap_or(0.0);
        if filter.is_none() && warmup_us == 0.0 {
            return Ok(());
        }
        ensure!(
            filter.is_none() || result["setup"]["flow_rows"] != false,
            "--where: the result has no rows of flows; set flow_rows = true"
        );
        let Some(flows) = result["flows"].as_array_mut() else { bail!("the result has no flows") };
        let is_late = |flow: &Value| flow["start_us"].as_f64().is_none_or(|start| start >= warmup_us);
        flows.retain(|flow| is_late(flow) && filter.is_none_or(|filter| filter.holds(flow, &racks)));
        if filter.is_some() {
            for name in ["fct_us", "slowdown", "sender_slowdown"] {
                let flows = result["flows"].as_array().into_iter().flatten();
                let spread = Spread::of(flows.map(|flow| flow[name].as_f64()));
                result["summary"][name] = serde_json::to_value(spread)?;
            }
        }
        Ok(())
    }

    /// Keeps the rows of a report that meet the conditions.
    pub fn keep(&self, report: &mut Report) -> Result<()> {
        ensure!(report.setup.flow_rows, "--where: there are no rows of flows; set flow_rows = true");
        let racks = Racks::new(&serde_json::to_value(&report.setup.topology)?);
        report.keep(|flow| serde_json::to_value(flow).is_ok_and(|flow| self.holds(&flow, &racks)));
        Ok(())
    }
}

/// The edge switches of hosts.
struct Racks {
    /// Number of hosts of an edge switch.
    hosts: f64,
    /// Numbers and positions of the hosts.
    order: Order,
}

impl Racks {
    fn new(topology: &Value) -> Self {
        let of = |key: &str| topology[key].as_f64();
        let half = || Some(of("k")? / 2.0);
        let hosts = of("hosts_per_leaf").or(of("hosts_per_edge")).or_else(half).unwrap_or(1.0);
        let numbers: Vec<u32> = serde_json::from_value(topology["order"].clone()).unwrap_or_default();
        let order = Order::new(&numbers, numbers.len() as u32).unwrap_or_default();
        Self { hosts, order }
    }

    /// The edge switch of a host; no number for a host that is none.
    fn of(&self, host: f64) -> f64 {
        let position = if host.is_nan() { host } else { self.order.position(host as u32).into() };
        (position / self.hosts).floor()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn left(conditions: &str) -> Vec<u64> {
        left_in(json!({ "kind": "fat-tree", "k": 8, "hosts_per_edge": null }), conditions)
    }

    fn left_in(topology: Value, conditions: &str) -> Vec<u64> {
        let flow = |source: u32, destination: u32, bytes: u32, start: f64| json!({ "source": source, "destination": destination, "bytes": bytes, "start_us": start, "fct_us": bytes, "slowdown": null });
        let setup = json!({ "topology": topology, "warmup_us": 1.0 });
        let flows =
            [flow(0, 5, 10, 2.0), flow(4, 9, 100, 3.0), flow(8, 1, 1_000, 4.0), flow(1, 2, 10_000, 0.5)];
        let mut result = json!({ "setup": setup, "flows": flows, "summary": {} });
        let filter = (!conditions.is_empty()).then(|| conditions.parse::<Filter>().expect("conditions"));
        Filter::apply(filter.as_ref(), &mut result).expect("rows");
        if filter.is_some() {
            let count = result["flows"].as_array().map(Vec::len);
            assert_eq!(result["summary"]["fct_us"]["count"].as_u64(), count.map(|it| it as u64));
            assert_eq!(result["summary"]["slowdown"]["mean"], Value::Null);
        }
        result["flows"].as_array().into_iter().flatten().filter_map(|flow| flow["bytes"].as_u64()).collect()
    }

    /// Hosts 0, 4 and 8 are at the first leaf, hosts 1, 5 and 9 at the second, and so on.
    #[test]
    fn racks_are_those_of_an_order() {
        let order = [0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11];
        let left = |conditions| left_in(json!({ "hosts_per_leaf": 3, "order": order }), conditions);
        assert_eq!(left("source_rack=0"), [10, 100, 1_000]);
        assert_eq!(left("destination_rack=1"), [10, 100, 1_000]);
        assert_eq!(left("rack=2"), [0; 0]);
        assert_eq!(left("host=9,rack=0"), [100]);
    }

    #[test]
    fn flows_are_chosen_by_their_columns_and_racks() {
        assert_eq!(left(""), [10, 100, 1_000]);
        assert_eq!(left("bytes<=100"), [10, 100]);
        assert_eq!(left("bytes>10,start_us!=4"), [100]);
        assert_eq!(left("rack=1"), [10, 100]);
        assert_eq!(left("source_rack=2"), [1_000]);
        assert_eq!(left("destination_rack>=1,host=5"), [10]);
        assert_eq!(left("slowdown>0"), [0; 0]);
        for wrong in ["", "bytes", "no=1", "bytes<x", "bytes<1,"] {
            assert!(wrong.parse::<Filter>().is_err(), "{wrong}");
        }
    }
}
