//! The reviewed list of faults that are not visible at a block's ports, each with the reason.

use crate::Error;
use crate::fault::Fault;
use serde::Deserialize;
use std::collections::HashSet;

/// File of the list.
pub const LIST: &str = "testbench/mutate/equivalents.toml";
/// File of the faults that benches find and that no claim covers.
pub const UNPROVED: &str = "testbench/mutate/unproved.toml";

/// Faults without an effect at the ports.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Equivalent {
    /// The blocks to which the entry applies; empty if it applies to every block that has the module.
    #[serde(default)]
    pub blocks: Vec<String>,
    /// The module.
    pub module: String,
    /// The [`Fault::text`] of each fault. `*` stands for any text.
    pub faults: Vec<String>,
    /// The reason why the faults are not visible.
    pub reason: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    equivalent: Vec<Equivalent>,
}

impl Equivalent {
    /// The committed list.
    pub fn list() -> Result<Vec<Self>, Error> {
        read(include_str!("../equivalents.toml"))
    }

    /// The committed list of faults that no claim covers, with the reason of each.
    pub(crate) fn unproved() -> Result<Vec<Self>, Error> {
        read(include_str!("../unproved.toml"))
    }

    /// Whether the entry applies to a block.
    fn is_of(&self, block: &str) -> bool {
        self.blocks.is_empty() || self.blocks.iter().any(|of| of == block)
    }

    /// Whether the entry lists a fault of a block.
    pub(crate) fn is(&self, block: &str, fault: &Fault) -> bool {
        self.is_of(block)
            && self.module == fault.module
            && self.faults.iter().any(|pattern| is_like(pattern, &fault.text))
    }
}

/// Whether a text matches a pattern, in which `*` stands for any text.
fn is_like(pattern: &str, text: &str) -> bool {
    let Some((before, after)) = pattern.split_once('*') else { return pattern == text };
    let Some(rest) = text.strip_prefix(before) else { return false };
    rest.char_indices().map(|(at, _)| at).chain([rest.len()]).any(|at| is_like(after, &rest[at..]))
}

fn read(text: &str) -> Result<Vec<Equivalent>, Error> {
    let wrong = |what| Error::List { file: LIST, what };
    let file: File = toml::from_str(text).map_err(|error| wrong(error.to_string()))?;
    let mut known = HashSet::new();
    for Equivalent { blocks, module, faults, reason } in &file.equivalent {
        if reason.trim().is_empty() || faults.is_empty() {
            return Err(wrong(format!("an entry of {module} has no reason or no faults: {faults:?}")));
        }
        let every = blocks.is_empty().then_some(None);
        for block in blocks.iter().map(Some).chain(every) {
            if let Some(again) = faults.iter().find(|pattern| !known.insert((block, module, *pattern))) {
                return Err(wrong(format!("`{again}` of {module} is listed twice")));
            }
        }
    }
    Ok(file.equivalent)
}

/// Refuses an entry that matches none of the `faults` of this block's modules.
pub(crate) fn refuse_stale(
    list: &[Equivalent],
    block: &str,
    modules: &HashSet<&str>,
    faults: &[Fault],
) -> Result<(), Error> {
    let mut stale = String::new();
    for Equivalent { module, faults: patterns, .. } in list.iter().filter(|entry| entry.is_of(block)) {
        let matches = |pattern: &String| {
            faults.iter().any(|fault| fault.module == *module && is_like(pattern, &fault.text))
        };
        for pattern in patterns.iter().filter(|it| modules.contains(module.as_str()) && !matches(it)) {
            stale += &format!("\n  {module}  {pattern}");
        }
    }
    if stale.is_empty() {
        return Ok(());
    }
    let what = format!("these match no fault any more; look at each again, then change or strike it:{stale}");
    Err(Error::List { file: LIST, what })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::Operator;

    const ENTRY: &str = "[[equivalent]]\nmodule = \"m\"\nfaults = [\"x: a -> b\"]\nreason = \"why\"\n";

    #[test]
    fn an_entry_has_a_reason_and_stands_once() {
        assert_eq!(read(ENTRY).expect("an entry").len(), 1);
        assert!(read(&ENTRY.replace("why", " ")).is_err());
        assert!(read(&ENTRY.repeat(2)).is_err());
        assert!(read(&ENTRY.replace("reason", "because")).is_err());
        Equivalent::list().expect("the committed list");
    }

    #[test]
    fn a_star_stands_for_anything() {
        for (pattern, text, is) in [
            ("a: b", "a: b", true),
            ("a: b", "a: bc", false),
            ("a*", "a", true),
            ("a*c*", "abcd", true),
            ("*c", "abcd", false),
            ("a.*: x -> *", "a.en: x -> 1'b0", true),
            ("a.*: x -> *", "ab.en: x -> 1'b0", false),
        ] {
            assert_eq!(is_like(pattern, text), is, "{pattern} {text}");
        }
    }

    #[test]
    fn an_entry_that_matches_nothing_any_more_is_refused() {
        let list = read(ENTRY).expect("an entry");
        let fault = |text: &str| Fault {
            module: "m".into(),
            operator: Operator::Sign,
            text: text.into(),
            edits: Vec::new(),
        };
        let modules = HashSet::from(["m"]);
        refuse_stale(&list, "b", &modules, &[fault("x: a -> b")]).expect("it matches");
        let stale = refuse_stale(&list, "b", &modules, &[fault("x: a -> c")]).expect_err("it does not");
        assert!(stale.to_string().contains("x: a -> b"), "{stale}");
        // The check ignores entries of other modules and of other blocks.
        refuse_stale(&list, "b", &HashSet::from(["n"]), &[]).expect("another module");
        let list = read(&ENTRY.replace("module", "blocks = [\"a\"]\nmodule")).expect("an entry");
        refuse_stale(&list, "b", &modules, &[]).expect("another block");
        assert!(list[0].is("a", &fault("x: a -> b")) && !list[0].is("b", &fault("x: a -> b")));
    }
}
