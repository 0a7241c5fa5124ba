//! Every relative link of a page leads to a file that exists, and to a heading of it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// All pages beneath a folder, but for what is built.
fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let path = entry.expect("an entry of a folder").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && !name.starts_with('.') && !["target", "build"].contains(&name.as_str()) {
            pages(&path, found);
        } else if name.ends_with(".md") {
            found.push(path);
        }
    }
}

/// The lines of a page outside of its fenced code.
fn prose(page: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    page.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// The anchors of a page: its headings in lower case, without punctuation, with hyphens for spaces.
fn anchors(page: &str) -> BTreeSet<String> {
    let heading = |line: &str| {
        let title = line.strip_prefix('#')?.trim_start_matches('#').strip_prefix(' ')?.to_lowercase();
        let kept = title.chars().filter(|&c| c.is_alphanumeric() || " -_".contains(c));
        Some(kept.map(|c| if c == ' ' { '-' } else { c }).collect())
    };
    prose(page).filter_map(heading).collect()
}

/// The targets of a page's links and pictures.
fn targets(page: &str) -> Vec<&str> {
    prose(page).flat_map(|line| line.split("](").skip(1)).filter_map(|rest| rest.split(')').next()).collect()
}

/// What is wrong with a link of the page at `path`.
fn fault(path: &Path, target: &str) -> Option<String> {
    if target.contains("://") {
        return None;
    }
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let there = if file.is_empty() { path.to_owned() } else { path.parent()?.join(file) };
    if !there.exists() {
        return Some(format!("{}: there is no {target}", path.display()));
    }
    if anchor.is_empty() {
        return None;
    }
    let text = fs::read_to_string(&there).unwrap_or_default();
    (!anchors(&text).contains(anchor)).then(|| format!("{}: {target} has no such heading", path.display()))
}

#[test]
fn every_relative_link_leads_somewhere() {
    let mut all = Vec::new();
    pages(&root(), &mut all);
    assert!(all.len() > 20, "only {} pages", all.len());
    let mut faults = Vec::new();
    for path in all {
        let page = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        faults.extend(targets(&page).into_iter().filter_map(|target| fault(&path, target)));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_link_to_nothing_is_found() {
    let path = root().join("README.md");
    assert!(fault(&path, "docs/proof.md#how-it-works").is_none());
    assert!(fault(&path, "docs/no_such_page.md").is_some());
    assert!(fault(&path, "docs/proof.md#no-such-heading").is_some());
    assert_eq!(targets("[a](b.md) and ![c](d.svg)\n```\n[e](f)\n```\n"), ["b.md", "d.svg"]);
}
