//! `.topo` files of htsim: a word and a number in each line. A tier's `Downlink` leads down from its switches.

use super::{Found, Links, Shape, Wrong, at};
use std::collections::BTreeMap;

/// Words before the first tier, and words of a tier.
const HEAD: [&str; 3] = ["nodes", "tiers", "podsize"];
const TIER: [&str; 7] = [
    "downlink_speed_gbps",
    "radix_down",
    "radix_up",
    "downlink_latency_ns",
    "switch_latency_ns",
    "oversubscribed",
    "bundle",
];
/// Words whose numbers are ignored: the keys of `[switch]` describe the queues.
const QUEUES: [&str; 2] = ["queue_down", "queue_up"];
/// The greatest number.
const MOST: u64 = 1 << 24;

/// Words with their numbers and lines, by the number of their tier; words before the first tier have `None`.
struct Words(BTreeMap<(Option<u64>, String), (u64, usize)>);

impl Words {
    fn get(&self, tier: Option<u64>, word: &str) -> Option<(u64, usize)> {
        self.0.get(&(tier, word.to_owned())).copied()
    }

    fn need(&self, tier: Option<u64>, word: &str) -> Result<(u64, usize), Wrong> {
        let place = tier.map_or("the file has no".to_owned(), |tier| format!("tier {tier} has no"));
        match self.get(tier, word) {
            Some((0, line)) => at(line, format!("{word} 0 is not possible; use 1 or more")),
            Some(found) => Ok(found),
            None => at(1, format!("{place} {word}")),
        }
    }
}

/// Reads a text.
pub(super) fn read(text: &str) -> Result<Found, Wrong> {
    let mut words = Words(BTreeMap::new());
    let (mut tier, mut queues) = (None, 0);
    for (line, text) in (1..).zip(text.lines()) {
        let mut parts = text.split_whitespace();
        let Some(word) = parts.next().filter(|word| !word.starts_with('#')) else { continue };
        let (word, number) = (word.to_lowercase(), parts.next().and_then(|it| it.parse::<u64>().ok()));
        let Some(number) = number.filter(|number| *number <= MOST) else {
            return at(line, format!("{word} needs a whole number up to {MOST}"));
        };
        let known = if tier.is_none() { &HEAD[..] } else { &TIER[..] };
        if word == "tier" {
            if number > 2 {
                return at(line, format!("tier {number} is not possible; use 0 to 2"));
            }
            tier = Some(number);
        } else if QUEUES.contains(&word.as_str()) {
            queues += 1;
        } else if !known.contains(&word.as_str()) {
            return at(line, format!("{word} is not known here; known are {}", known.join(", ")));
        } else if words.0.insert((tier, word.clone()), (number, line)).is_some() {
            return at(line, format!("{word} is given twice"));
        }
    }
    let left_out =
        format!("queue_down and queue_up ({queues} lines) are left out; [switch] has the sizes of queues");
    let notes = if queues > 0 { vec![left_out] } else { Vec::new() };
    Ok(Found { notes, ..tree(&words)? })
}

/// Refuses a number that contradicts an earlier one.
fn same((found, line): (u64, usize), expected: u64, word: &str) -> Result<(), Wrong> {
    if found == expected {
        Ok(())
    } else {
        at(line, format!("{word} {found} contradicts the other lines, which need {expected}"))
    }
}

/// The number of equal parts of a given size.
fn parts((all, line): (u64, usize), size: u64, word: &str) -> Result<u64, Wrong> {
    if all.is_multiple_of(size) {
        Ok(all / size)
    } else {
        at(line, format!("{word} {all} is not a multiple of {size}"))
    }
}

fn tree(words: &Words) -> Result<Found, Wrong> {
    let (nodes, (tiers, line)) = (words.need(None, "nodes")?, words.need(None, "tiers")?);
    if !(2..=3).contains(&tiers) {
        return at(line, format!("{tiers} tiers are not possible; use 2 or 3"));
    }
    let (mut gbps, mut latency_ns, mut switch_ns) = ([0; 3], [0; 3], None);
    for tier in 0..tiers {
        let of = |word: &str| words.need(Some(tier), word);
        gbps[tier as usize] = of("downlink_speed_gbps")?.0 as u32;
        latency_ns[tier as usize] = of("downlink_latency_ns")?.0;
        if let Some(bundle) = words.get(Some(tier), "bundle").filter(|bundle| bundle.0 != 1) {
            return at(
                bundle.1,
                format!("bundle {} is not possible: weft sim has one link between two nodes", bundle.0),
            );
        }
        let own = words.get(Some(tier), "switch_latency_ns").unwrap_or((0, line));
        if switch_ns.is_some_and(|ns| ns != own.0) {
            return at(
                own.1,
                format!("switch_latency_ns {}: weft sim gives all switches one latency", own.0),
            );
        }
        switch_ns = Some(own.0);
    }
    let radix = |tier: u64, word: &str| words.need(Some(tier), word);
    for tier in 0..tiers - 1 {
        let [down, up] = [radix(tier, "radix_down")?.0, radix(tier, "radix_up")?.0];
        let (below, above) = (down * u64::from(gbps[tier as usize]), up * u64::from(gbps[tier as usize + 1]));
        if let Some((times, line)) = words.get(Some(tier), "oversubscribed")
            && below != above * times
        {
            return at(
                line,
                format!("oversubscribed {times}, but ports have {below} Gb/s down and {above} up"),
            );
        }
    }
    let (hosts, up) = (radix(0, "radix_down")?.0, radix(0, "radix_up")?.0);
    let edges = parts(nodes, hosts, "nodes")?;
    let shape = if tiers == 2 {
        same(radix(1, "radix_down")?, edges, "radix_down")?;
        Shape::LeafSpine {
            leaves: edges as u32,
            spines: up as u32,
            hosts_per_leaf: hosts as u32,
            order: Vec::new(),
        }
    } else {
        let podsize = words.need(None, "podsize")?;
        let (pods, in_pod) = (parts(nodes, podsize.0, "nodes")?, parts(podsize, hosts, "podsize")?);
        same(radix(1, "radix_down")?, in_pod, "radix_down")?;
        same(radix(2, "radix_down")?, pods, "radix_down")?;
        same(radix(0, "radix_up")?, in_pod, "radix_up")?;
        let cores = radix(1, "radix_up")?;
        if cores.0 > in_pod {
            return at(cores.1, format!("radix_up {} is not possible; use 1 to {in_pod}", cores.0));
        }
        let (hosts_per_edge, cores) = (Some(hosts as u32), Some(cores.0 as u32));
        let (k, pods) = (2 * in_pod as u32, pods as u32);
        let pods = (pods != k).then_some(pods);
        Shape::FatTree { k, hosts_per_edge, cores_per_aggregation: cores, pods, order: Vec::new() }
    };
    let has_cores = tiers == 3;
    let links = Links {
        host_gbps: gbps[0],
        fabric_gbps: gbps[1],
        core_gbps: has_cores.then_some(gbps[2]),
        host_latency_ns: latency_ns[0],
        fabric_latency_ns: latency_ns[1],
        core_latency_ns: has_cores.then_some(latency_ns[2]),
    };
    Ok(Found { shape, links, latency_ns: switch_ns, notes: Vec::new() })
}
