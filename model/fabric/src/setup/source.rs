//! The text of a setup: the places of its keys, so that an error has file, line and key.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::{Table, Value};
use weft_switch::schemes::{Scheme, SchemeError};
use weft_switch::topology::TopologyError;

/// An error, in one line, with its place.
#[derive(Clone, Debug, Default, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct SetupError {
    /// The line for users: file, line and key if these are known, and the error.
    pub text: String,
    /// The file.
    pub file: Option<String>,
    /// The line in the file, from 1 on. `None` if the key was set outside of the file.
    pub line: Option<usize>,
    /// The key, as `table.key`.
    pub key: Option<String>,
}

impl SetupError {
    /// An error without a key.
    pub(crate) fn new(text: String) -> Self {
        Self { text, ..Self::default() }
    }
}

/// An error of a key of a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {what}")]
pub struct Wrong {
    /// The key as `table.key`. The second `[[table]]` is `table.1.key`: the index begins with 0.
    pub key: String,
    /// The error.
    pub what: String,
}

/// The error for a key with an impossible value.
pub fn wrong<T>(key: &str, what: impl Into<String>) -> Result<T, Wrong> {
    Err(Wrong { key: key.to_owned(), what: what.into() })
}

impl From<SchemeError> for Wrong {
    fn from(error: SchemeError) -> Self {
        let key = match error {
            SchemeError::Option { option, .. } | SchemeError::Time { option, .. } => {
                format!("scheme.{option}")
            }
            _ => "scheme.name".to_owned(),
        };
        Self { key, what: error.to_string() }
    }
}

impl From<TopologyError> for Wrong {
    fn from(error: TopologyError) -> Self {
        let key = match error {
            TopologyError::FatTree(_) => "k".to_owned(),
            TopologyError::Number { what, .. } => what.trim_end_matches(" switch").replace(' ', "_"),
            _ => "kind".to_owned(),
        };
        Self { key: format!("topology.{key}"), what: error.to_string() }
    }
}

/// The message of a parser error, in one line, with ranges of numbers in place of Rust's types.
pub(super) fn said(error: &toml::de::Error) -> String {
    let line = error.message().replace('\n', "; ");
    let Some((what, kind)) = line.rsplit_once(", expected ") else { return line };
    let most = match kind {
        "u8" => u8::MAX.into(),
        "u16" => u16::MAX.into(),
        "u32" => u32::MAX.into(),
        // The largest number of TOML.
        "u64" | "usize" => i64::MAX as u64,
        "f64" => return format!("{what}, expected a number"),
        _ => return line,
    };
    format!("{what}, expected a whole number from 0 to {most}")
}

/// The text of a setup.
#[derive(Clone, Debug)]
pub struct Source {
    /// Name of the file.
    pub name: String,
    text: String,
    /// Keys that were set outside of the file.
    pub(super) sets: Vec<(String, String)>,
}

impl Source {
    /// The source of a file.
    pub fn new(name: String, text: String) -> Self {
        let text = match text.strip_prefix('\u{FEFF}') {
            Some(text) => text.to_owned(),
            None => text,
        };
        Self { name, text, sets: Vec::new() }
    }

    /// The parsed value. An error has its line.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, SetupError> {
        toml::from_str(&self.text).map_err(|error| {
            let line_of = |at: usize| 1 + self.text[..at.min(self.text.len())].matches('\n').count();
            let line = self.culprit::<T>(&error).or_else(|| error.span().map(|span| line_of(span.start)));
            let (what, line) = (said(&error), line.unwrap_or(0));
            // The parser itself names an unknown key.
            let key = self.key_at(line).map(|(table, name)| format!("{table}{name}"));
            let told = key.as_ref().filter(|_| !what.starts_with("unknown field"));
            let told = told.map(|key| format!(" {key}:")).unwrap_or_default();
            let place = if line == 0 { String::new() } else { format!(":{line}") };
            let text = format!("{}{place}:{told} {what}", self.name);
            SetupError { text, file: Some(self.name.clone()), line: (line > 0).then_some(line), key }
        })
    }

    /// The name of the table with a point behind it, and the name of the key whose value is in the line.
    fn key_at(&self, number: usize) -> Option<(String, String)> {
        let before = || self.text.lines().take(number).map(str::trim);
        let (name, _) = before().last()?.split_once('=')?;
        let header =
            |line: &str| Some(line.strip_prefix('[')?.split(']').next()?.trim_matches(['[', ' ']).to_owned());
        let table = before().filter_map(header).last();
        Some((table.map(|table| table + ".").unwrap_or_default(), name.trim().to_owned()))
    }

    /// The line of the key that causes an error, if the parser gives only the table's line. The key is the
    /// one whose removal removes the error.
    fn culprit<T: DeserializeOwned>(&self, error: &toml::de::Error) -> Option<usize> {
        let what = said(error);
        let line = self.text[error.span()?.start..].lines().next()?.trim();
        let name = line.strip_prefix('[')?.split(']').next()?;
        let whole: toml::Table = toml::from_str(&self.text).ok()?;
        for (key, value) in whole.get(name)?.as_table()? {
            let its = || self.line(&format!("{name}.{key}"));
            if what.starts_with(&format!("unknown variant `{}`", value.as_str().unwrap_or_default())) {
                return its();
            }
            // If the kind of an item is missing, the parser reports only that.
            if matches!(key.as_str(), "name" | "kind") || what.starts_with("missing") {
                continue;
            }
            let mut less = whole.clone();
            less.get_mut(name)?.as_table_mut()?.remove(key);
            if T::deserialize(less).err().is_none_or(|still| said(&still) != what) {
                return its();
            }
        }
        None
    }

    /// The line of a key or of its table. `_` and `-` in names are equal.
    fn line(&self, key: &str) -> Option<usize> {
        let (table, name) = key.rsplit_once('.').unwrap_or(("", key));
        // `cut.1` is the second [[cut]].
        let numbered =
            table.rsplit_once('.').and_then(|(table, at)| Some((table, at.parse::<usize>().ok()?)));
        let (table, skipped) = numbered.unwrap_or((table, 0));
        let is_same = |a: &str, b: &str| a.trim().replace('_', "-") == b.replace('_', "-");
        let (mut here, mut found, mut met) = (String::new(), None, 0);
        for (number, line) in (1..).zip(self.text.lines()) {
            let line = line.trim();
            if let Some(header) = line.strip_prefix('[') {
                here = header.split(']').next().unwrap_or_default().trim_matches(['[', ' ']).to_owned();
                if here == table || here == key {
                    met += 1;
                    found = if met == skipped + 1 { Some(number) } else { found };
                }
                continue;
            }
            let Some((left, _)) = line.split_once('=') else { continue };
            if here == table && is_same(left, name) && (table.is_empty() || met == skipped + 1) {
                return Some(number);
            }
            // A table in one line.
            let within = if here.is_empty() { "" } else { "." };
            if is_same(&format!("{here}{within}{}", left.trim()), table) {
                return Some(number);
            }
        }
        found
    }

    /// The error of a key.
    pub fn error(&self, Wrong { key, what }: Wrong) -> SetupError {
        // An error of a topology is about its table.
        let is_its = |set: &str| {
            set.replace('_', "-") == key.replace('_', "-")
                || (key == "topology.kind" && set.starts_with("topology."))
        };
        // The last entry applies.
        let at = |text: String, line: Option<usize>, key: &str| SetupError {
            text,
            file: Some(self.name.clone()),
            line,
            key: Some(key.to_owned()),
        };
        if let Some((set, value)) = self.sets.iter().rev().find(|(set, _)| is_its(set)) {
            return at(format!("--set {set}={value}: {what}"), None, set);
        }
        // The key is in a table that was set as a whole.
        let is_within = |set: &str| key.starts_with(&format!("{set}."));
        let whole = self.sets.iter().find(|(set, _)| is_within(set));
        let line = if whole.is_none() { self.line(&key) } else { None };
        // The line identifies one of several tables.
        let words = key.split('.').filter(|word| word.parse::<usize>().is_err());
        let key = words.collect::<Vec<_>>().join(".");
        let text = match (whole, line) {
            (Some((set, value)), _) => format!("--set {set}={value}: {key}: {what}"),
            (None, Some(line)) => format!("{}:{line}: {key}: {what}", self.name),
            (None, None) => format!("{}: {key}: {what}", self.name),
        };
        at(text, line, &key)
    }
}

/// A seed. TOML's numbers end at 2^63 - 1, hence larger seeds are in quotes.
pub(super) fn seed<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    struct Seed;
    impl serde::de::Visitor<'_> for Seed {
        type Value = u64;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "a whole number from 0 to {}, in quotes if it is 2^63 or more", u64::MAX)
        }

        fn visit_u64<E: serde::de::Error>(self, seed: u64) -> Result<u64, E> {
            Ok(seed)
        }

        fn visit_i64<E: serde::de::Error>(self, seed: i64) -> Result<u64, E> {
            seed.try_into().map_err(|_| E::invalid_value(serde::de::Unexpected::Signed(seed), &self))
        }

        fn visit_str<E: serde::de::Error>(self, seed: &str) -> Result<u64, E> {
            seed.parse().map_err(|_| E::invalid_value(serde::de::Unexpected::Str(seed), &self))
        }
    }
    deserializer.deserialize_any(Seed)
}

/// A scheme. Names of its options may have `_` in place of `-`, like all other names. `[scheme.NAME]` has
/// options that apply if NAME is the scheme.
pub fn scheme<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Scheme, D::Error> {
    let failed = |what: String| Err(serde::de::Error::custom(what));
    let mut own = Table::new();
    let mut by_name = Vec::new();
    for (key, value) in Table::deserialize(deserializer)? {
        match value {
            Value::Table(options) => by_name.push((key, options)),
            value => drop(own.insert(key.replace('_', "-"), value)),
        }
    }
    for (name, options) in by_name {
        let mut alone: Table =
            options.into_iter().map(|(key, value)| (key.replace('_', "-"), value)).collect();
        let is_own = own.get("name").and_then(Value::as_str) == Some(&name);
        for (option, value) in alone.iter().filter(|_| is_own) {
            if own.insert(option.clone(), value.clone()).is_some() {
                return failed(format!("{option} is given twice, once in scheme.{name}"));
            }
        }
        alone.insert("name".to_owned(), Value::String(name.clone()));
        if let Err(error) = Scheme::deserialize(alone) {
            return failed(format!("{name}: {}", error.message()));
        }
    }
    Scheme::deserialize(own).or_else(|error| failed(error.message().to_owned()))
}

/// Whether a scheme with this name exists.
pub(super) fn is_scheme(name: &str) -> bool {
    let alone = Table::from_iter([("name".to_owned(), Value::String(name.to_owned()))]);
    Scheme::deserialize(alone).is_ok()
}
