//! A run of a sweep, unless its result exists.

use crate::claim::Claim;
use crate::points::Point;
use crate::program;
use anyhow::Result;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Mutex;
use weft_fabric::inputs::Input;
use weft_fabric::plan::Plan;
use weft_fabric::setup::SetupError;
use weft_fabric::simulate::Engine;
use weft_wire::write_atomically;

/// The end of a point's run.
#[derive(Debug)]
pub enum End {
    /// The result is new: this call made the run.
    Made(Value),
    /// The result existed already.
    Kept(Value),
    /// The point is impossible. The caller has the reason.
    CannotBe,
    /// The caller stopped the run.
    Interrupted,
    /// Another sweep does the run.
    Elsewhere,
}

/// Writes a text to a temporary file and renames the file.
pub fn write(path: &Path, text: &str) -> Result<()> {
    Ok(write_atomically(path, |file| std::io::Write::write_all(file, text.as_bytes()))?)
}

/// Checks that one of the seeds of a combination is possible. Otherwise returns the error of the first seed.
pub fn can_be(file: &Path, seeds: &[Point]) -> Result<(), SetupError> {
    let mut first = None;
    for point in seeds {
        match Plan::read(file, &point.sets) {
            Ok(_) => return Ok(()),
            Err(error) => first = first.or(Some(error)),
        }
    }
    first.map_or(Ok(()), Err)
}

/// Prints lines for users.
pub struct Told<'a> {
    tell: &'a (dyn Fn(String) + Sync),
    /// Messages that have been printed: each is printed only once.
    known: Mutex<BTreeSet<String>>,
}

impl<'a> Told<'a> {
    /// Makes the printer. `tell` prints a line.
    pub fn by(tell: &'a (dyn Fn(String) + Sync)) -> Self {
        Self { tell, known: Mutex::default() }
    }

    fn once(&self, line: String) {
        if self.is_new(&line) {
            (self.tell)(line);
        }
    }

    fn is_new(&self, what: &str) -> bool {
        self.known.lock().is_ok_and(|mut told| told.insert(what.to_owned()))
    }
}

/// The result of a point: an existing result, or a new one. Calls `goes_on` during the run; if that returns
/// `false`, the run ends.
pub fn one(
    file: &Path,
    point: &Point,
    told: &Told<'_>,
    mut goes_on: impl FnMut() -> bool + Send,
) -> Result<End> {
    let plan = match Plan::read(file, &point.sets) {
        Ok(plan) => plan,
        Err(error) => {
            (told.tell)(format!("{}, seed {}: {error}", point.name, point.seed));
            return Ok(End::CannotBe);
        }
    };
    plan.warnings().into_iter().for_each(|line| told.once(line));
    if let Kept::Good(result) = known(&point.file, &plan)? {
        Claim::tidy(&point.file)?;
        return Ok(End::Kept(result));
    }
    let Some(claim) = Claim::take(&point.file)? else { return Ok(End::Elsewhere) };
    // Another sweep may have made the result since.
    match known(&point.file, &plan)? {
        Kept::Good(result) => return Ok(End::Kept(result)),
        Kept::Old(why) if told.is_new(&why) => {
            (told.tell)(format!("results {why} are made again, {} first", point.file.display()));
        }
        Kept::Old(_) => {}
        Kept::None => {}
    }
    let mut report = plan.run(Engine::Windows, |_| goes_on());
    if report.is_interrupted {
        return Ok(End::Interrupted);
    }
    report.program = Some(program::digest()?);
    let text = serde_json::to_string_pretty(&serde_json::to_value(&report)?)? + "\n";
    claim.fulfil(&text)?;
    // The value as read from the text, so that new and existing results have the same last digits.
    Ok(End::Made(serde_json::from_str(&text)?))
}

/// The file at a result's place.
enum Kept {
    None,
    /// A result that a new run would reproduce.
    Good(Value),
    /// A result of another run, and the difference.
    Old(String),
}

/// Looks for a result. A result is valid if it has the same setup, files and program.
fn known(file: &Path, plan: &Plan) -> Result<Kept> {
    let Ok(text) = std::fs::read_to_string(file) else { return Ok(Kept::None) };
    let old = |why: &str| Ok(Kept::Old(why.to_owned()));
    let Ok(result) = serde_json::from_str::<Value>(&text) else { return old("that cannot be read") };
    if result["setup"] != serde_json::to_value(plan.setup())? {
        return old("of another setup");
    }
    let before = |it: &&Input| {
        let same = |other: &Value| other["file"] == it.file && other["sha256"] == it.sha256;
        !result["inputs"].as_array().is_some_and(|inputs| inputs.iter().any(same))
    };
    if let Some(changed) = plan.inputs().iter().find(before) {
        return old(&format!("of another {}", changed.file));
    }
    if result["program"] != program::digest()? {
        return old("of another program");
    }
    Ok(Kept::Good(result))
}
