//! Tests that the table of rules is fresh, and that the number of uncited rules does not grow.

use weft_house::{Gaps, PAGE, Rule, gaps, named_in, page, places, read, rules, rules_of};

/// Numbers of rules that no code cites, of rules that no test, oracle or claim cites, and of lines of
/// pseudocode that no rule cites. The numbers only fall: a change that adds a citation lowers them here.
const LEFT: [usize; 3] = [0, 0, 0];

#[test]
fn the_table_says_what_the_tree_says() {
    let (written, now) = (read(PAGE), page());
    let changed: Vec<&str> =
        now.lines().filter(|line| !written.lines().any(|other| other == *line)).collect();
    assert!(
        written == now,
        "{PAGE} is old: look at what names these rules, then `cargo run --release -p weft-house --example rules`\n{}",
        changed.join("\n")
    );
}

#[test]
fn gaps_only_fall() {
    let Gaps { by_code, by_tests, lines } = gaps();
    let found = [by_code.len(), by_tests.len(), lines.len()];
    assert_eq!(found, LEFT, "by code {by_code:?}\nby tests {by_tests:?}\nlines {lines:?}");
}

/// Checks that every cited rule exists.
#[test]
fn no_rule_is_named_that_there_is_not() {
    let rules = rules();
    let unknown: Vec<String> = places()
        .into_iter()
        .filter(|(rule, _)| !rules.contains_key(rule))
        .flat_map(|(rule, places)| {
            let of = |it: &weft_house::Place| {
                format!("{}:{}: {} has no rule {}", it.path, it.line, rule.block, rule.number)
            };
            places.iter().map(of).collect::<Vec<_>>()
        })
        .collect();
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
}

#[test]
fn rules_are_read() {
    let page = "# A\n1. no\n## Rules\nText.\n1. One\n2. Two, line 4\n   more\n\n## State\n3. no\n";
    let found: Vec<(u32, String)> =
        rules_of("a", page).into_iter().map(|(rule, text)| (rule.number, text)).collect();
    assert_eq!(found, [(1, "One".to_owned()), (2, "Two, line 4\n   more".to_owned())]);
    let text =
        "/// Rules 2, 3 and 5 to 7.\n/// By rule\n/// 4 of the SACK sender; unruled rule 9a.\nlet overrule 3";
    let named: Vec<(String, u32)> = named_in(text, Some("a".to_owned()))
        .into_iter()
        .map(|(_, Rule { block, number })| (block, number))
        .collect();
    let own = |number| ("a".to_owned(), number);
    assert_eq!(named, [("sack_tx".to_owned(), 4), own(9), own(2), own(3), own(5), own(6), own(7)]);
    let text = "//! The rules of losses: ages,\n//! probes (6 and 20\n// to 21). Rules of clocks (1).\n\
                fn rule_04_acks_of_3() {}\n    pub fn rules_14_to_16_news() {}\nfn rules() {}\n// rules (see 3)";
    let page =
        "(page of the\n// NIC, rule 4; page `docs/blocks/reps.md`, rules 5 and 6; page of nobody, rule 7)";
    let named: Vec<(String, u32)> =
        named_in(page, None).into_iter().map(|(_, Rule { block, number })| (block, number)).collect();
    assert_eq!(named, [("nic".to_owned(), 4), ("reps".to_owned(), 5), ("reps".to_owned(), 6)]);
    let named: Vec<(usize, u32)> =
        named_in(text, Some("a".to_owned())).into_iter().map(|(line, rule)| (line, rule.number)).collect();
    assert_eq!(named, [(1, 6), (1, 20), (1, 21), (3, 1), (4, 4), (5, 14), (5, 15), (5, 16)]);
}
