//! The numbered rules of the blocks' pages, the lines of the papers that they cite, and the sources that cite
//! them.

use crate::tree::{files, read};
use std::collections::{BTreeMap, BTreeSet};

/// The page that [`page`] writes.
pub const PAGE: &str = "docs/results/rules.md";

/// Number of words after *rule* in which the search looks for a name.
const NAMED_WORDS: usize = 30;

/// Folder of the blocks' pages.
const PAGES: &str = "docs/blocks/";

/// Pseudocode of the papers: the page whose rules implement it, its name, and its lines with a statement.
/// Empty lines, ends, and names of procedures have no statement.
const PSEUDOCODE: [(&str, &str, &[u32]); 5] = [
    ("reps", "Algorithm 1", &[1, 2, 3, 6, 7, 9, 10, 12, 13, 14, 15, 16, 17, 22, 23, 24]),
    ("reps", "Algorithm 2", &[3, 4, 5, 6, 7, 8, 9, 11, 15, 16, 17, 18, 19]),
    (
        "smartt",
        "Algorithm 1",
        &[1, 4, 5, 7, 8, 9, 12, 13, 14, 15, 16, 19, 20, 21, 22, 23, 24, 25, 26, 28, 29, 30, 31, 32, 33, 36],
    ),
    ("smartt", "Algorithm 2", &[2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 14]),
    ("smartt", "Algorithm 3", &[2, 3, 4, 5, 6, 7, 9, 10, 11, 13]),
];

/// A rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rule {
    /// The block: name of the page without folder and extension.
    pub block: String,
    /// Number of the rule on the page.
    pub number: u32,
}

/// The kind of a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The bit-exact model, or the RTL.
    Code,
    /// A test, an oracle, a planted fault or a bench.
    Test,
    /// A claim of a proof.
    Claim,
}

/// A place that cites a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file, as a path from the root.
    pub path: String,
    /// The line, from 1 on.
    pub line: usize,
    /// The kind of the file.
    pub kind: Kind,
}

/// All rules with their texts.
pub fn rules() -> BTreeMap<Rule, String> {
    let pages = files().into_iter().filter(|path| path.starts_with(PAGES) && path.ends_with(".md"));
    pages.flat_map(|path| rules_of(block_of_page(&path), &read(&path))).collect()
}

fn block_of_page(path: &str) -> &str {
    path.trim_start_matches(PAGES).trim_end_matches(".md")
}

/// The rules of a page: the numbered lines under the heading *Rules*, or under the rules of a scheme, to the
/// next heading. A list that begins again at 1 below a heading belongs to the text of that heading, and has
/// no rules of the page.
pub fn rules_of(block: &str, page: &str) -> Vec<(Rule, String)> {
    let mut found: Vec<(Rule, String)> = Vec::new();
    let mut is_inside = false;
    for line in page.lines() {
        if line.starts_with('#') {
            is_inside = line == "## Rules" || line.starts_with("## Routing");
            continue;
        }
        let (number, text) = line.split_once(". ").unwrap_or_default();
        if let (true, Ok(number)) = (is_inside, number.parse()) {
            found.push((Rule { block: block.to_owned(), number }, text.to_owned()));
        } else if let (true, false, Some((_, text))) = (is_inside, line.trim().is_empty(), found.last_mut()) {
            text.push('\n');
            text.push_str(line);
        }
    }
    found
}

/// The places that cite each rule. A citation without a page refers to the page of the block in whose folder
/// the file is.
pub fn places() -> BTreeMap<Rule, Vec<Place>> {
    let mut found: BTreeMap<Rule, Vec<Place>> = BTreeMap::new();
    let all = files();
    let pages = all.iter().filter(|page| page.starts_with(PAGES) && page.ends_with(".md"));
    let blocks: BTreeSet<&str> = pages.map(|page| block_of_page(page)).collect();
    for path in all.iter().filter(|path| path.ends_with(".rs")) {
        let Some(kind) = kind(path) else { continue };
        // The folder of a crate may have the name of a block.
        let inside = path.trim_end_matches(".rs").split('/').skip(2);
        let own = inside.filter(|part| blocks.contains(part)).last().map(str::to_owned);
        for (line, rule) in named_in(&read(path), own) {
            found.entry(rule).or_default().push(Place { path: path.clone(), line, kind });
        }
    }
    found
}

fn kind(path: &str) -> Option<Kind> {
    let is_test = path.contains("/tests/") || path.ends_with("/tests.rs");
    match path.split('/').next()? {
        "model" | "hdl" | "cli" => Some(if is_test { Kind::Test } else { Kind::Code }),
        _ if path.starts_with("testbench/proof/") => Some(Kind::Claim),
        _ if path.starts_with("testbench/house/") => None,
        "testbench" => Some(Kind::Test),
        _ => None,
    }
}

/// The rules that a text cites, with their lines: *rule 4*, *rules 5 and 8*, *rules 20 to 23*, *rules 1, 3
/// and 4*, and behind them their page or block, or their page before them; *rules of this and that (1, 3 and
/// 4)*; and tests that have their rules in their names, as `rule_04_this` and `rules_14_to_17_that`.
pub fn named_in(text: &str, own: Option<String>) -> Vec<(usize, Rule)> {
    let mut found = Vec::new();
    // A sentence of a comment can continue in the next line.
    let joined = joined(text);
    let lower = joined.to_lowercase();
    for word in ["rule ", "rules "] {
        for (at, _) in lower.match_indices(word) {
            if lower[..at].ends_with(|it: char| it.is_alphanumeric() || it == '_') {
                continue;
            }
            // A citation can continue in the next line.
            let behind: Vec<&str> = lower[at + word.len()..].split_whitespace().take(NAMED_WORDS).collect();
            let behind = behind.join(" ");
            let (numbers, rest) = match numbers(&behind) {
                (none, _) if none.is_empty() && behind.starts_with("of ") => in_parentheses(&behind),
                found => found,
            };
            let block = of_block(rest).or_else(|| of_page(&lower[..at])).or_else(|| own.clone());
            let Some(block) = block.filter(|_| !numbers.is_empty()) else { continue };
            let line = text[..at].lines().count().max(1);
            found.extend(numbers.iter().map(|&number| (line, Rule { block: block.clone(), number })));
        }
    }
    let called =
        text.lines().enumerate().flat_map(|(at, line)| in_name(line).into_iter().map(move |it| (at + 1, it)));
    if let Some(block) = own {
        found.extend(called.map(|(line, number)| (line, Rule { block: block.clone(), number })));
    }
    found
}

/// The numbers in the parentheses that end the first sentence of a text, and the rest of the text.
fn in_parentheses(text: &str) -> (Vec<u32>, &str) {
    let sentence = text.find([';', '.']).map_or(text, |end| &text[..end]);
    let (numbers, rest) = sentence.rfind('(').map_or((Vec::new(), ""), |at| numbers(&text[at + 1..]));
    rest.strip_prefix(')').map_or((Vec::new(), text), |rest| (numbers, rest))
}

/// The numbers in the name of the function that begins on a line.
fn in_name(line: &str) -> Vec<u32> {
    let name =
        line.trim_start().trim_start_matches("pub ").strip_prefix("fn ").and_then(|it| it.split('(').next());
    let listed = name.and_then(|it| it.strip_prefix("rule_").or_else(|| it.strip_prefix("rules_")));
    listed.map(|it| numbers(&it.replace('_', " ").replace(" 0", " ")).0).unwrap_or_default()
}

/// The text with spaces in place of the comment signs of continued comments. Offsets stay the same.
fn joined(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.split('\n') {
        let start = line.len() - line.trim_start().len();
        let marks = ["//! ", "/// ", "// "];
        let mark = marks.iter().find(|mark| line[start..].starts_with(**mark)).map_or(0, |mark| mark.len());
        lines.push(" ".repeat(start + mark) + &line[start + mark..]);
    }
    lines.join(" ")
}

/// The numbers at the beginning of a text, and the rest of the text.
fn numbers(text: &str) -> (Vec<u32>, &str) {
    let mut all: Vec<u32> = Vec::new();
    let mut rest = text;
    let mut is_range = false;
    loop {
        let digits = rest.len() - rest.trim_start_matches(|it: char| it.is_ascii_digit()).len();
        let Ok(number) = rest[..digits].parse() else { return (all, rest) };
        let from = if is_range { all.last().map_or(number, |last| last + 1) } else { number };
        all.extend(from..=number);
        rest = &rest[digits..];
        let next = [(", ", false), (" and ", false), (" to ", true), (", and ", false), (" or ", false)];
        let Some((text, range)) = next.into_iter().find(|(text, _)| {
            rest.strip_prefix(text).is_some_and(|rest| rest.starts_with(|it: char| it.is_ascii_digit()))
        }) else {
            return (all, rest);
        };
        (rest, is_range) = (&rest[text.len()..], range);
    }
}

/// The block that is cited before a rule's number: *page of the NIC, rule 4*, or *page `docs/blocks/nic.md`,
/// rule 4*.
fn of_page(before: &str) -> Option<String> {
    let (_, page) = before.trim_end().strip_suffix(',')?.rsplit_once("page ")?;
    let is_page = page.ends_with(".md`") || !page.contains([',', '.', '(']);
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    is_page.then(|| of_block(&format!("of {}", page.trim_start_matches("of "))))?
}

/// The block that is cited behind a rule's number: *of the SACK sender*, or *of `docs/blocks/sack_tx.md`*.
fn of_block(rest: &str) -> Option<String> {
    let rest = rest.trim_start().strip_prefix("of ")?.trim_start();
    let rest = rest.strip_prefix("page ").unwrap_or(rest);
    if let Some(page) = rest.trim_start_matches('`').strip_prefix(PAGES) {
        return page.split_once(".md").map(|(block, _)| block.to_owned());
    }
    let rest = rest.strip_prefix("the ").unwrap_or(rest);
    let names = [
        ("sack sender", "sack_tx"),
        ("sack receiver", "sack_rx"),
        ("sack_tx", "sack_tx"),
        ("sack_rx", "sack_rx"),
    ];
    let same = [
        "sender",
        "receiver",
        "ingress",
        "egress",
        "registers",
        "nic",
        "reps",
        "smartt",
        "conweave",
        "ofan",
        "schemes",
    ];
    let known = names.into_iter().chain(same.map(|name| (name, name)));
    known.into_iter().find(|(name, _)| rest.starts_with(name)).map(|(_, block)| block.to_owned())
}

/// Lines of the papers that the text of a rule cites, with their algorithm.
fn lines_of(block: &str, text: &str) -> BTreeSet<(String, u32)> {
    let mut found = BTreeSet::new();
    // On the page of SMaRTT, a line without an algorithm is one of Algorithm 1.
    let usual = (block == "smartt").then(|| "Algorithm 1".to_owned());
    for (at, _) in text.match_indices("line") {
        let rest = text[at + 4..].trim_start_matches('s').trim_start();
        let (numbers, _) = numbers(rest);
        let named = text[..at].rfind("Algorithm ").filter(|from| !text[*from..at].contains(')'));
        let algorithm = named.map(|from| text[from..at].trim_end_matches(", ").to_owned());
        if let Some(algorithm) = algorithm.or_else(|| usual.clone()) {
            found.extend(numbers.into_iter().map(|number| (algorithm.clone(), number)));
        }
    }
    // The text cites a whole algorithm.
    for (_, algorithm, lines) in PSEUDOCODE.iter().filter(|(of, ..)| *of == block) {
        if text.contains(&format!("{algorithm})")) {
            found.extend(lines.iter().map(|line| ((*algorithm).to_owned(), *line)));
        }
    }
    found
}

/// Rules and lines that no source cites.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gaps {
    /// Rules that no model and no RTL cites.
    pub by_code: Vec<Rule>,
    /// Rules that no test, oracle or claim cites.
    pub by_tests: Vec<Rule>,
    /// Lines of pseudocode that no rule cites: page, algorithm, line.
    pub lines: Vec<(&'static str, &'static str, u32)>,
}

/// Finds the rules and lines that no source cites.
pub fn gaps() -> Gaps {
    gaps_of(&rules(), &places())
}

fn gaps_of(rules: &BTreeMap<Rule, String>, places: &BTreeMap<Rule, Vec<Place>>) -> Gaps {
    let without = |kinds: &[Kind]| {
        let names = |rule: &&Rule| {
            places.get(*rule).is_some_and(|all| all.iter().any(|place| kinds.contains(&place.kind)))
        };
        rules.keys().filter(|rule| !names(rule)).cloned().collect()
    };
    let mut named: BTreeSet<(String, String, u32)> = BTreeSet::new();
    for (rule, text) in rules {
        let of = |(algorithm, line)| (rule.block.clone(), algorithm, line);
        named.extend(lines_of(&rule.block, text).into_iter().map(of));
    }
    let all = PSEUDOCODE
        .iter()
        .flat_map(|(block, algorithm, lines)| lines.iter().map(move |line| (*block, *algorithm, *line)));
    let is_named = |(block, algorithm, line): &(&str, &str, u32)| {
        named.contains(&((*block).to_owned(), (*algorithm).to_owned(), *line))
    };
    Gaps {
        by_code: without(&[Kind::Code]),
        by_tests: without(&[Kind::Test, Kind::Claim]),
        lines: all.filter(|it| !is_named(it)).collect(),
    }
}

/// The hash of a rule's text.
fn hash(text: &str) -> String {
    format!("{:08x}", crc32fast::hash(text.as_bytes()))
}

/// The first words of a rule, without Markdown.
fn beginning(text: &str) -> String {
    const MOST: usize = 64;
    let plain: String = text.chars().filter(|it| !"*`|[]".contains(*it)).collect();
    let mut words = String::new();
    for word in plain.split_whitespace() {
        if words.chars().count() + 1 + word.chars().count() > MOST {
            return words + " ...";
        }
        words += if words.is_empty() { "" } else { " " };
        words += word;
    }
    words
}

/// The table of all rules.
pub fn page() -> String {
    let (rules, places) = (rules(), places());
    let gaps = gaps_of(&rules, &places);
    let mut page = String::from(
        "# Rules, and what names them\n\n\
         Written by `cargo run --release -p weft-house --example rules`; a test holds it against the tree. A rule whose text has changed has \
         another hash: look at what names the rule before you write the page anew. *Code* is the model or the RTL, *tests* \
         are tests, oracles, planted faults and benches, *claims* are those of the proofs. A file is named, not that what \
         it holds is enough.\n\n",
    );
    let lines: usize = PSEUDOCODE.iter().map(|(.., lines)| lines.len()).sum();
    page += &format!(
        "{} rules. No code names {}, no test, oracle or claim {}. Of {lines} lines of pseudocode no rule names {}.\n",
        rules.len(),
        gaps.by_code.len(),
        gaps.by_tests.len(),
        gaps.lines.len()
    );
    let mut block = "";
    for (rule, text) in &rules {
        if rule.block != block {
            block = &rule.block;
            page += &format!(
                "\n## [{block}](../blocks/{block}.md)\n\n| rule | begins | hash | paper | code | tests | claims |\n\
                 |---|---|---|---|---|---|---|\n"
            );
        }
        let of = |kind: Kind| {
            let all = places.get(rule).into_iter().flatten().filter(|place| place.kind == kind);
            let paths: BTreeSet<String> = all.map(|place| short(&place.path)).collect();
            paths.into_iter().collect::<Vec<_>>().join(", ")
        };
        let mut paper: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (algorithm, line) in lines_of(block, text) {
            paper.entry(algorithm.replace("Algorithm ", "A")).or_default().push(line.to_string());
        }
        let paper: Vec<String> =
            paper.into_iter().map(|(algorithm, lines)| format!("{algorithm}: {}", lines.join(" "))).collect();
        page += &format!(
            "| {} | {} | {} | {} | {} | {} | {} |\n",
            rule.number,
            beginning(text),
            hash(text),
            paper.join("; "),
            of(Kind::Code),
            of(Kind::Test),
            of(Kind::Claim)
        );
    }
    if !gaps.lines.is_empty() {
        page += "\n## Lines that no rule names\n\n";
        let mut all: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
        for (block, algorithm, line) in gaps.lines {
            all.entry((block, algorithm)).or_default().push(line.to_string());
        }
        for ((block, algorithm), lines) in all {
            page += &format!("- {block}, {algorithm}: {}\n", lines.join(", "));
        }
    }
    page
}

/// A path without the parts that all paths share.
fn short(path: &str) -> String {
    let path = path.trim_end_matches(".rs");
    let folders =
        [("model/nic/src/block/", "model/"), ("model/switch/src/", "switch/"), ("hdl/src/block/", "hdl/")];
    let rest = [("testbench/blocks/src/", "bench/"), ("testbench/blocks/tests/", ""), ("testbench/", "")];
    let known = folders.into_iter().chain(rest).find_map(|(from, to)| Some((path.strip_prefix(from)?, to)));
    known.map_or_else(|| path.to_owned(), |(path, to)| format!("{to}{path}"))
}
