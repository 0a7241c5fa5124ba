//! `weft balls --evs`: evenness of the distribution of entropy values over the uplinks of a switch.

use super::BallsArgs;
use crate::output::{self, say};
use crate::plot::curves::{Curve, Scale, curves};
use crate::plot::{PALETTE, save};
use anyhow::{Result, bail, ensure};
use serde::Serialize;
use weft_fabric::entropy::{By, imbalance};
use weft_sweep::sample::Spread;

/// The excess of the busiest uplink over the mean, in percent for each switch, with a number of flows and a
/// number of entropy values.
#[derive(Serialize)]
struct Row {
    name: String,
    flows: u32,
    evs: u32,
    by_hash: Vec<f64>,
    by_chance: Vec<f64>,
}

/// Computes all rows, prints them, and draws them with `--plot`.
pub(super) fn run(args: &BallsArgs) -> Result<()> {
    let [bins] = args.bins[..] else { bail!("--evs needs --bins with one number, the uplinks of a switch") };
    for evs in &args.evs {
        ensure!((1..=65_536).contains(evs), "--evs {evs} is not possible; use 1 to 65536");
    }
    for flows in &args.flows {
        ensure!((1..=1_024).contains(flows), "--flows {flows} is not possible; use 1 to 1024");
    }
    let row = |flows: u32, evs: u32| {
        let of = |by: By| {
            let switches = 0..args.seeds as u32;
            switches.map(|switch| 100.0 * imbalance(by, switch, bins as u32, flows, evs)).collect()
        };
        Row { name: name(flows, evs), flows, evs, by_hash: of(By::Hash), by_chance: of(By::Chance) }
    };
    let rows: Vec<Row> =
        args.flows.iter().flat_map(|flows| args.evs.iter().map(|evs| row(*flows, *evs))).collect();
    if let Some(path) = &args.plot {
        save(&drawing(args, bins, &rows)?, path)?;
    }
    if args.json {
        return output::json(&rows);
    }
    say!("{:>8} {:>8} {:>20} {:>20}", "flows", "EVs", "by the hash, %", "at random, %")?;
    for Row { flows, evs, by_hash, by_chance, .. } in &rows {
        let [hash, chance] = [by_hash, by_chance].map(|values| {
            Spread::of(values).map_or_else(String::new, |it| format!("{:.2} ± {:.2}", it.mean, it.deviation))
        });
        say!("{flows:>8} {evs:>8} {hash:>20} {chance:>20}")?;
    }
    Ok(())
}

/// The name of a row, such as `32 flows, 256`.
fn name(flows: u32, evs: u32) -> String {
    format!("{flows} flow{}, {evs}", if flows == 1 { "" } else { "s" })
}

/// Draws the means over the switches. The means of random choice are pale.
fn drawing(args: &BallsArgs, bins: usize, rows: &[Row]) -> Result<String> {
    let (mut named, mut all) = (Vec::new(), Vec::new());
    for (flows, color) in args.flows.iter().zip(PALETTE.iter().cycle()) {
        let of_flows = || rows.iter().filter(|row| row.flows == *flows);
        for (is_thin, of) in
            [(true, (|row| &row.by_chance) as fn(&Row) -> &Vec<f64>), (false, |row| &row.by_hash)]
        {
            let point = |row: &Row| Some((f64::from(row.evs), Spread::of(of(row))?.mean));
            all.push(Curve { is_thin, ..Curve::new(*color, of_flows().filter_map(point).collect()) });
        }
        named.push((if *flows == 1 { "1 flow".to_owned() } else { format!("{flows} flows") }, *color));
    }
    let heading = format!("Entropy values over {bins} uplinks, {} switches", args.seeds);
    let axes = ("entropy values", "busiest above the mean (%), pale: at random");
    curves(&heading, &named, axes, &all, [Scale::Swept, Scale::Log])
}
