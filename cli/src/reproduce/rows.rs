//! The rows: `docs/results/rows.toml`.

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use std::path::Path;

/// Papers with the letters and numbers of their rows.
pub(super) const PAPERS: [(&str, &str, u32); 4] =
    [("REPS", "R", 19), ("SMaRTT", "S", 10), ("ConWeave", "C", 10), ("OFAN", "O", 17)];

/// A result of a paper.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    pub(super) id: String,
    /// Figure, table or section of the paper.
    pub(super) figure: String,
    pub(super) what: String,
    pub(super) status: Status,
    /// The difference from the paper, or the missing part.
    #[serde(default)]
    pub(super) why: String,
    /// The page, as a path relative to docs/results.
    #[serde(default)]
    pub(super) page: String,
    #[serde(default, rename = "plot")]
    pub(super) plots: Vec<Plot>,
    #[serde(default, rename = "run")]
    pub(super) runs: Vec<Run>,
    #[serde(default, rename = "claim")]
    pub(super) claims: Vec<Claim>,
}

/// Whether the run shows the shape that the paper shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub(super) enum Status {
    #[serde(rename = "holds")]
    Holds,
    #[serde(rename = "in part")]
    InPart,
    #[serde(rename = "does not")]
    DoesNot,
    #[serde(rename = "open")]
    Open,
}

impl Status {
    pub(super) const ALL: [Self; 4] = [Self::Holds, Self::InPart, Self::DoesNot, Self::Open];

    pub(super) fn name(self) -> &'static str {
        ["holds", "holds in part", "does not hold", "open"][self as usize]
    }
}

/// A drawing of a row's page.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Plot {
    pub(super) file: String,
    /// The content of the drawing.
    pub(super) what: String,
    /// Arguments of `weft plot` that draw the picture. Without them, another command draws the picture.
    pub(super) how: Option<String>,
    /// Names of the runs in the picture; an empty list means all runs.
    #[serde(default)]
    pub(super) of: Vec<String>,
}

/// The command of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Kind {
    /// Words of `weft sweep`.
    #[default]
    Sweep,
    /// Words of another command of `weft`, which prints JSON.
    Weft,
    /// Words of `cargo test --release`.
    Test,
}

/// A command that is run for a row.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Run {
    #[serde(default)]
    pub(super) name: String,
    #[serde(default)]
    pub(super) kind: Kind,
    /// Arguments of both forms; the first one is a file of docs/results.
    pub(super) words: String,
    /// Words of the full form.
    #[serde(default)]
    pub(super) full: String,
    /// Words of the quick form.
    #[serde(default)]
    pub(super) quick: String,
    #[serde(default)]
    form: Only,
}

/// A shape that a page claims.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Claim {
    pub(super) text: String,
    /// A path in a result's summary or in a result. `busiest` is the load of the busiest port, in percent
    /// above the layer's mean, in the layer where this value is highest.
    pub(super) figure: String,
    /// The means of the runs with these names do not fall, from the first name to the last.
    #[serde(default)]
    pub(super) order: Vec<String>,
    /// The mean of the one name, or the ratio of the means of the first and the second name, or the exponent
    /// with which the mean grows from the first name to the last along the key `along`.
    #[serde(default)]
    pub(super) of: Vec<String>,
    #[serde(default)]
    pub(super) along: String,
    /// Minimum value.
    #[serde(default = "lowest")]
    pub(super) least: f64,
    /// Maximum value.
    #[serde(default = "highest")]
    pub(super) most: f64,
    #[serde(default)]
    form: Only,
}

/// The forms of a run for which a row or a claim exists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Only {
    #[default]
    Both,
    Full,
    Quick,
}

impl Only {
    fn is_of(self, quick: bool) -> bool {
        self == Self::Both || (self == Self::Quick) == quick
    }
}

impl Run {
    pub(super) fn is_of(&self, quick: bool) -> bool {
        self.form.is_of(quick)
    }
}

impl Claim {
    pub(super) fn is_of(&self, quick: bool) -> bool {
        self.form.is_of(quick)
    }
}

fn lowest() -> f64 {
    f64::NEG_INFINITY
}

fn highest() -> f64 {
    f64::INFINITY
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    row: Vec<Row>,
}

/// All rows, in the order of the papers.
pub(super) fn read(file: &Path) -> Result<Vec<Row>> {
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let File { row: rows } = toml::from_str(&text).map_err(|error| {
        let line = error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
        anyhow::anyhow!("{}:{line}: {}", file.display(), error.message().lines().next().unwrap_or_default())
    })?;
    let names =
        PAPERS.iter().flat_map(|(_, letter, count)| (1..=*count).map(move |at| format!("{letter}{at}")));
    let expected: Vec<String> = names.collect();
    let found: Vec<&String> = rows.iter().map(|row| &row.id).collect();
    ensure!(
        found.iter().copied().eq(&expected),
        "{}: the rows are not R1 to O17 in their order",
        file.display()
    );
    for row in &rows {
        check(row).with_context(|| format!("{}: {}", file.display(), row.id))?;
    }
    Ok(rows)
}

fn check(row: &Row) -> Result<()> {
    let is_open = row.status == Status::Open;
    ensure!(row.status == Status::Holds || !row.why.is_empty(), "why is missing");
    ensure!(is_open == row.runs.is_empty(), "an open row must have no runs, and each other row at least one");
    ensure!(is_open || !row.page.is_empty(), "page is missing");
    let is_tested = row.runs.iter().any(|run| run.kind == Kind::Test);
    for quick in [false, true] {
        let runs = row.runs.iter().filter(|run| run.is_of(quick)).count();
        let claims = row.claims.iter().filter(|claim| claim.is_of(quick)).count();
        ensure!(is_open || (runs > 0 && (claims > 0 || is_tested)), "each form needs a run and a claim");
    }
    for claim in &row.claims {
        let is_bounded = claim.least.is_finite() || claim.most.is_finite();
        let counts = (claim.order.len(), claim.of.len(), is_bounded, !claim.along.is_empty());
        ensure!(
            matches!(counts, (2.., 0, false, false) | (0, 1..=2, true, false) | (0, 2, true, true)),
            "claim {:?} can never fail, or it makes two claims",
            claim.text
        );
    }
    Ok(())
}
