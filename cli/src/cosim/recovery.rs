//! `weft cosim transport --recovery`: recovery times of losses, row by row, compared with the targets.

use crate::interrupt;
use crate::output;
use anyhow::{Result, bail};
use clap::ValueEnum;
use serde_json::json;
use weft_system::recovery::{Goal, Part, Row, Rules, rows};

/// The model whose rules the senders follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum RulesArg {
    /// weft_sender's model, with the SACK gap that suits the network.
    Weft,
    /// The present rules of weft_sender's model, without a SACK gap.
    WeftNoGap,
    /// The rules of commit 4eb8183, which did not use the ages of packets, without a SACK gap.
    Before,
    /// The rules of commit 4eb8183 with a SACK gap of 64.
    BeforeGap64,
    /// Go-back-N.
    GoBackN,
    /// RACK-TLP (RFC 8985).
    Rack,
}

impl RulesArg {
    fn rules(self) -> Rules {
        match self {
            Self::Weft => Rules::Weft(None),
            Self::WeftNoGap => Rules::Weft(Some(0)),
            Self::Before => Rules::Before(0),
            Self::BeforeGap64 => Rules::Before(64),
            Self::GoBackN => Rules::GoBackN,
            Self::Rack => Rules::Rack,
        }
    }
}

/// Computes and prints the table. Returns `false` if a row of weft's own rules does not reach its target.
pub(super) fn run(first_seed: u64, seeds: u64, others: &[RulesArg], as_json: bool) -> Result<bool> {
    interrupt::listen()?;
    let seeds = first_seed..first_seed + seeds;
    let all: Vec<RulesArg> = [RulesArg::Weft].into_iter().chain(others.iter().copied()).collect();
    let (mut reached, mut found) = (true, Vec::new());
    for part in Part::ALL {
        let mut columns = Vec::new();
        for rules in &all {
            if interrupt::pressed() {
                bail!("stopped before the end");
            }
            columns.push(rows(part, rules.rules(), &seeds)?);
        }
        reached &= columns[0].iter().all(|row| row.reached() != Some(false));
        if as_json {
            let rules = all.iter().zip(&columns);
            found.extend(rules.map(|(rules, rows)| json!({ "rules": format!("{rules:?}"), "rows": rows })));
        } else {
            output::text(&text(&columns))?;
        }
    }
    if as_json {
        output::json(&json!({ "seeds": [seeds.start, seeds.end], "parts": found, "reached": reached }))?;
    } else {
        let names: Vec<String> = all.iter().map(|rules| format!("{rules:?}")).collect();
        output::text(&format!(
            "columns: {}; mean (least to most) of {} seeds from {}\n",
            names.join(", "),
            seeds.end - seeds.start,
            seeds.start
        ))?;
    }
    Ok(reached)
}

/// One line per row: the target, whether it is reached, and the figures of all rules.
fn text(columns: &[Vec<Row>]) -> String {
    let mut text = String::new();
    for (number, row) in columns[0].iter().enumerate() {
        let goal = match row.goal {
            Some(Goal::Least(goal)) => format!(">= {goal:.4}"),
            Some(Goal::Most(goal)) => format!("<= {goal:.4}"),
            None => String::new(),
        };
        let mark = match row.reached() {
            Some(true) => "ok",
            Some(false) => "MISSED",
            None => "",
        };
        let figures: Vec<String> = columns.iter().map(|rows| figure(&rows[number])).collect();
        text += &format!("{:74} {goal:>12} {mark:6} {}\n", row.name, figures.join(" | "));
    }
    text
}

fn figure(row: &Row) -> String {
    let (least, most) = row.spread();
    format!("{:9.3} ({least:.3} to {most:.3})", row.mean())
}
