//! Keys that are set beside a file, as `table.key=value`.
//!
//! Kinds (a scheme's name, a workload's kind) are set before their options, in any order of the arguments,
//! because options belong to the final kind. Options of the file belong to the file's kind, and are removed
//! with it.

use super::Setup;
use super::source::{SetupError, Source, is_scheme, said};
use serde::Deserialize;
use toml::{Table, Value};

/// Keys that name a kind. Each kind has its own options.
const KINDS: [&str; 4] = ["scheme.name", "topology.kind", "workload.kind", "hosts.baseline.kind"];

/// A key with its value.
#[derive(Clone, Debug)]
struct Set {
    text: String,
    key: String,
    said: String,
    value: Value,
}

impl Set {
    fn read(text: &str) -> Result<Self, SetupError> {
        let (key, said) = text.split_once('=').ok_or_else(|| failed(text, "give it as key=value"))?;
        // A word without quotes is a string.
        let parsed: Table = toml::from_str(&format!("value = {said}"))
            .or_else(|_| toml::from_str(&format!("value = {said:?}")))
            .map_err(|_| {
                failed(text, "the value is not TOML; write a number, a \"string\", true, false or a [list]")
            })?;
        let value = parsed
            .get("value")
            .cloned()
            .ok_or_else(|| failed(text, "the value is missing; give it as key=value"))?;
        Ok(Self { text: text.to_owned(), key: key.to_owned(), said: said.to_owned(), value })
    }

    /// Whole tables are set first, then kinds, then all other keys.
    fn rank(&self) -> u8 {
        let is_whole = |kind: &&str| kind.strip_prefix(&self.key).is_some_and(|rest| rest.starts_with('.'));
        match () {
            () if KINDS.iter().any(is_whole) => 0,
            () if KINDS.contains(&self.key.as_str()) => 1,
            () => 2,
        }
    }

    fn apply(&self, table: &mut Table) -> Result<(), SetupError> {
        let failed = |what: String| failed(&self.text, &what);
        let (way, last) = self.key.rsplit_once('.').unwrap_or(("", &self.key));
        let mut here = table;
        let mut names = way.split('.').filter(|name| !name.is_empty());
        while let Some(name) = names.next() {
            // The options of the present scheme are beside its name.
            if self.key.starts_with("scheme.") && here.get("name").and_then(Value::as_str) == Some(name) {
                continue;
            }
            let inner = here.entry(name.to_owned()).or_insert_with(|| Value::Table(Table::new()));
            // A number selects one of several tables with one name, as [[cut]].
            let inner = match inner {
                Value::Array(many) => {
                    let number = names.next().unwrap_or_default();
                    let one = number.parse().ok().and_then(|number: usize| many.get_mut(number));
                    one.ok_or_else(|| failed(format!("there is no {name}.{number}; the first is {name}.0")))?
                }
                inner => inner,
            };
            here = inner.as_table_mut().ok_or_else(|| failed(format!("{name} is not a table")))?;
        }
        if KINDS.contains(&self.key.as_str()) && here.get(last) != Some(&self.value) {
            // Options that belong to a scheme by its name stay.
            here.retain(|name, value| way == "scheme" && value.is_table() && is_scheme(name));
        }
        // Names of options may have `_` in place of `-`.
        let is_same =
            |name: &String| way.starts_with("scheme") && name.replace('_', "-") == last.replace('_', "-");
        let name = here.keys().find(|name| is_same(name)).cloned().unwrap_or_else(|| last.to_owned());
        here.insert(name, self.value.clone());
        Ok(())
    }
}

fn failed(set: &str, what: &str) -> SetupError {
    let key = set.split_once('=').map(|(key, _)| key.to_owned());
    SetupError { text: format!("--set {set}: {what}"), key, ..SetupError::default() }
}

/// Applies the options in `[scheme.NAME]` of the present scheme, except those given next to its name.
fn settle(table: &mut Table) {
    let Some(scheme) = table.get_mut("scheme").and_then(Value::as_table_mut) else { return };
    let Some(name) = scheme.get("name").and_then(Value::as_str).map(str::to_owned) else { return };
    let Some(Value::Table(options)) = scheme.remove(&name) else { return };
    let mut twice = Table::new();
    for (option, value) in options {
        let is_there = scheme.keys().any(|own| own.replace('_', "-") == option.replace('_', "-"));
        if is_there { &mut twice } else { &mut *scheme }.insert(option, value);
    }
    // The parser reports a key that is there twice when it reads the text.
    if !twice.is_empty() {
        scheme.insert(name, Value::Table(twice));
    }
}

/// Reads the setup of a file with all settings. Also returns keys and values of the settings, in the order in
/// which the function applies them. `alone` is the fault of the file without the settings.
pub(super) fn read(
    source: &Source,
    sets: &[String],
    alone: Option<SetupError>,
) -> Result<(Setup, Vec<(String, String)>), SetupError> {
    let file: Table = source.parse()?;
    let mut all = sets.iter().map(|set| Set::read(set)).collect::<Result<Vec<_>, _>>()?;
    all.sort_by_key(Set::rank);
    let table = |without: Option<usize>| -> Result<Table, SetupError> {
        let mut table = file.clone();
        let kept = || all.iter().enumerate().filter(|(at, _)| Some(*at) != without).map(|(_, set)| set);
        kept().filter(|set| set.rank() < 2).try_for_each(|set| set.apply(&mut table))?;
        settle(&mut table);
        kept().filter(|set| set.rank() == 2).try_for_each(|set| set.apply(&mut table))?;
        Ok(table)
    };
    let whole = table(None)?;
    let scheme =
        whole.get("scheme").and_then(|it| it.get("name")).and_then(Value::as_str).unwrap_or("").to_owned();
    let setup = Setup::deserialize(whole).map_err(|error| {
        let what = said(&error);
        // The argument whose removal changes the error; options are tried before kinds.
        let heals = |at: &usize| match table(Some(*at)).map(Setup::deserialize) {
            Ok(Err(still)) => said(&still) != what,
            _ => true,
        };
        match (0..all.len()).rev().find(heals).map(|at| &all[at]) {
            Some(set)
                if set.rank() == 2 && set.key.starts_with("scheme.") && what.contains("unknown field") =>
            {
                let (option, value) = (set.key.rsplit('.').next().unwrap_or_default(), &set.said);
                let only = format!("scheme.NAME.{option}={value} sets it for the scheme NAME alone");
                let by_name = set.key.split('.').nth(1).filter(|_| set.key.matches('.').count() > 1);
                let scheme = by_name.unwrap_or(&scheme);
                failed(&set.text, &format!("the scheme {scheme} does not have this option: {what}; {only}"))
            }
            Some(set) => failed(&set.text, &what),
            None => alone.unwrap_or_else(|| failed(&sets.join(" "), &what)),
        }
    })?;
    Ok((setup, all.into_iter().map(|set| (set.key, set.said)).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "[topology]\nkind = 'leaf-spine'\nleaves = 2\nspines = 2\nhosts_per_leaf = 2\n\
                        [scheme]\nname = 'let-flow'\nentries = 256\n\
                        [scheme.quantised]\npercent = [1, 2, 3]\n\
                        [workload]\nkind = 'tornado'\nbytes = 1000\n";

    fn scheme(sets: &[&str]) -> Result<serde_json::Value, String> {
        let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
        let setup = Setup::parse("it.toml".into(), FILE.into(), &sets).map_err(|error| error.text)?.0;
        Ok(serde_json::to_value(setup.scheme).expect("JSON"))
    }

    fn option(sets: &[&str], option: &str) -> serde_json::Value {
        scheme(sets).expect("it can be")[option].clone()
    }

    #[test]
    fn options_belong_to_a_scheme() {
        assert_eq!(option(&[], "entries"), 256);
        // The order of the arguments is free.
        let (entries, name) = ("scheme.entries=512", "scheme.name=let-flow");
        for sets in [[entries, name], [name, entries]] {
            assert_eq!(option(&sets, "entries"), 512);
        }
        let turns = "scheme.turns=7";
        for sets in [[turns, "scheme.name=permuted-round-robin"], ["scheme.name=permuted-round-robin", turns]]
        {
            assert_eq!(option(&sets, "turns"), 7);
        }
        // The file's are those of the file's scheme, also where another was named between.
        assert_eq!(scheme(&["scheme.name=ecmp"]), Ok(serde_json::json!({ "name": "ecmp" })));
        assert_eq!(option(&[name], "entries"), 256);
        // The options are given by the scheme's name.
        assert_eq!(option(&["scheme.name=quantised"], "percent"), serde_json::json!([1, 2, 3]));
        let set = "scheme.let-flow.gap_clocks=9";
        assert_eq!(option(&[set], "gap-clocks"), 9);
        assert_eq!(option(&[set, "scheme.gap-clocks=8"], "gap-clocks"), 8);
        assert_eq!(scheme(&[set, "scheme.name=ecmp"]), Ok(serde_json::json!({ "name": "ecmp" })));
        let set = "scheme.quantised.percent=[4,5,6]";
        assert_eq!(option(&[set, "scheme.name=quantised"], "percent"), serde_json::json!([4, 5, 6]));
        // A table as a whole.
        let whole = "scheme={name=\"quantised\",buffer_bytes=5000}";
        assert_eq!(option(&[whole], "buffer-bytes"), 5000);
    }

    #[test]
    fn who_is_wrong_is_named() {
        for (sets, says) in [
            (
                &["scheme.entries=512", "scheme.name=ecmp"][..],
                "--set scheme.entries=512: the scheme ecmp does not have this option",
            ),
            (&["seed=3", "scheme.name=no"], "--set scheme.name=no: unknown variant `no`"),
            (
                &["scheme.let-flow.no=1", "seed=3"],
                "--set scheme.let-flow.no=1: the scheme let-flow does not have this option",
            ),
            (
                &["scheme.conga.no=1"],
                "--set scheme.conga.no=1: the scheme conga does not have this option: conga: unknown field `no`",
            ),
            (&["scheme.no.x=1"], "--set scheme.no.x=1: no: unknown variant `no`"),
            (&["workload.kind=incast", "seed=3"], "--set workload.kind=incast: missing field `bytes`"),
            (&["seed=x", "until_us=5"], "--set seed=x: invalid value"),
            (&["x"], "--set x: give it as key=value"),
        ] {
            let error = scheme(sets).expect_err(says);
            assert!(error.starts_with(says), "{error}");
        }
    }
}
