//! Names of runs in drawings, and their order.

use std::path::Path;

/// The part of a result's name without its seed and the keys: the values of the keys; for a sweep only over
/// seeds, the name of its folder.
pub(super) fn label(file: &Path) -> String {
    label_but(file, "")
}

/// The label without the value of a key.
pub(super) fn label_but(file: &Path, but: &str) -> String {
    let text = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let stem = text(file.file_stem());
    let name = stem.rsplit_once(",seed=").map_or(stem.as_str(), |(name, _)| name);
    let folder = text(file.parent().and_then(Path::file_name));
    if name == "run" && !folder.is_empty() {
        return folder;
    }
    let value = |set| {
        let (key, value) = str::rsplit_once(set, '=').unwrap_or(("", set));
        (but.is_empty() || key != but).then_some(value)
    };
    let values: Vec<&str> = name.split(',').filter_map(value).collect();
    if values.is_empty() { folder } else { values.join(", ") }
}

/// The first key of a result's name whose value is a number.
pub(super) fn number(file: &Path) -> Option<String> {
    let stem = file.file_stem()?.to_str()?.rsplit_once(",seed=")?.0;
    let keys = stem.split(',').filter_map(|set| set.rsplit_once('='));
    keys.into_iter().find(|(_, value)| value.parse::<f64>().is_ok()).map(|(key, _)| key.to_owned())
}

/// A part of a name, by which names are sorted: numbers as numbers, before letters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Word {
    /// The bits of a number that is not below 0: they have the order of the numbers.
    Number(u64),
    Letters(String),
}

pub(super) fn words(name: &str) -> Vec<Word> {
    let is_digit = |it: &char| it.is_ascii_digit() || *it == '.';
    let letters: Vec<char> = name.chars().collect();
    let parts = letters.chunk_by(|a, b| is_digit(a) == is_digit(b));
    let word = |part: &[char]| {
        let text: String = part.iter().collect();
        text.parse().map_or(Word::Letters(text), |number: f64| Word::Number(number.to_bits()))
    };
    parts.map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_what_differs() {
        for (file, name) in [
            ("runs/hosts.evs=32,hosts.ev_mode=ops,seed=3.json", "32, ops"),
            ("run,seed=1.json", "run"),
            ("build/probed/run,seed=1.json", "probed"),
            ("mine.json", "mine"),
        ] {
            assert_eq!(label(Path::new(file)), name);
        }
        let file = Path::new("runs/hosts.evs=32,hosts.ev_mode=ops,seed=3.json");
        assert_eq!(label_but(file, "hosts.evs"), "ops");
        assert_eq!(label_but(Path::new("runs/x.y=3,seed=1.json"), "x.y"), "runs");
        assert_eq!(number(file).as_deref(), Some("hosts.evs"));
        assert_eq!(number(Path::new("runs/run,seed=1.json")), None);
    }

    #[test]
    fn numbers_are_sorted_as_numbers() {
        let mut names = ["1024, ofan", "64, ofan", "256, jsq", "64, jsq", "ofan", "2.5", "2.25"];
        names.sort_by_key(|name| words(name));
        assert_eq!(names, ["2.25", "2.5", "64, jsq", "64, ofan", "256, jsq", "1024, ofan", "ofan"]);
    }
}
