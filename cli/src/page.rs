//! Tables that a command writes into the pages, between marks with the table's name.

use crate::generated::is_repository;
use crate::output::{say, tell};
use anyhow::{Context, Result};
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use weft_wire::write_atomically;

/// Writes the result of `generated` for a name between the marks of that name and command, in every page
/// under docs/ of the repository. With `check` the function writes nothing, and returns `false` if a page is
/// stale.
pub(crate) fn refresh(
    command: &str,
    root: &Path,
    check: bool,
    generated: &dyn Fn(&str) -> Result<String>,
) -> Result<bool> {
    is_repository(root)?;
    let docs = root.join("docs");
    let mut fresh = true;
    for folder in [docs.clone(), docs.join("blocks"), docs.join("notes")] {
        let entries = fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths.into_iter().filter(|path| path.extension().is_some_and(|it| it == "md")) {
            let place = || path.display().to_string();
            let page = fs::read_to_string(&path).with_context(place)?;
            let anew = refreshed(command, &page, generated).with_context(place)?;
            if anew == page {
                continue;
            }
            if check {
                tell(format_args!("{} is stale; run weft {command} --pages", place()));
                fresh = false;
                continue;
            }
            write_atomically(&path, |file| file.write_all(anew.as_bytes())).with_context(place)?;
            say!("{}", place())?;
        }
    }
    Ok(fresh)
}

/// The page with new tables.
pub(crate) fn refreshed(
    command: &str,
    page: &str,
    generated: &dyn Fn(&str) -> Result<String>,
) -> Result<String> {
    let (begin, end) = (format!("<!-- begin weft {command} "), format!("<!-- end weft {command} -->"));
    let mut text = String::new();
    let mut rest = page;
    while let Some(at) = rest.find(&begin) {
        let name = &rest[at + begin.len()..];
        let (name, after) = name.split_once(" -->").context("a mark does not end with -->")?;
        let until = after.find(&end).with_context(|| format!("no \"{end}\" after the mark of {name}"))?;
        let _ = write!(text, "{}{begin}{name} -->\n\n{}\n{end}", &rest[..at], generated(name)?);
        rest = &after[until + end.len()..];
    }
    Ok(text + rest)
}
