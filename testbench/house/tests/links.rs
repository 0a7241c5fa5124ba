//! Checks that every relative link of a page leads to a file that exists, and to a heading in it.

use std::collections::BTreeSet;
use std::path::Path;
use weft_house::{files, read, root};

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

/// The error of a link, if any; the link is on the page at `path`, a path from the root.
fn fault(path: &str, target: &str) -> Option<String> {
    if target.contains("://") {
        return None;
    }
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let folder = Path::new(path).parent().unwrap_or(Path::new(""));
    let there = if file.is_empty() { Path::new(path).to_owned() } else { folder.join(file) };
    if !root().join(&there).exists() {
        return Some(format!("{path}: there is no {target}"));
    }
    let known = anchor.is_empty() || anchors(&read(&there.to_string_lossy())).contains(anchor);
    (!known).then(|| format!("{path}: {target} has no such heading"))
}

#[test]
fn every_relative_link_leads_somewhere() {
    let pages: Vec<String> = files().into_iter().filter(|path| path.ends_with(".md")).collect();
    assert!(pages.len() > 20, "only {} pages", pages.len());
    let faults = |path: &String| {
        let page = read(path);
        targets(&page).into_iter().filter_map(|target| fault(path, target)).collect::<Vec<_>>()
    };
    let faults: Vec<String> = pages.iter().flat_map(faults).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_link_to_nothing_is_found() {
    assert!(fault("README.md", "docs/proof.md#how-it-works").is_none());
    assert!(fault("README.md", "docs/no_such_page.md").is_some());
    assert!(fault("README.md", "docs/proof.md#no-such-heading").is_some());
    assert!(fault("docs/proof.md", "#how-it-works").is_none());
    assert_eq!(targets("[a](b.md) and ![c](d.svg)\n```\n[e](f)\n```\n"), ["b.md", "d.svg"]);
}
