//! The origin of a result. Runs of one curve differ only in their seeds and in the key of the axis.

use serde_json::Value;

/// The setup without its seed and the key of the axis, the files that were read, the program.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Origin {
    setup: Value,
    inputs: Value,
    program: Value,
}

impl Origin {
    /// The origin of a result. `key` is the key of the axis, or empty.
    pub(super) fn of(result: &Value, key: &str) -> Self {
        let mut setup = result["setup"].clone();
        for path in ["seed", key] {
            if let Some(value) = setup.pointer_mut(&format!("/{}", path.replace('.', "/"))) {
                *value = Value::Null;
            }
        }
        Self { setup, inputs: result["inputs"].clone(), program: result["program"].clone() }
    }

    /// The part that differs from another origin.
    pub(super) fn other(&self, than: &Self) -> Option<&'static str> {
        match () {
            () if self.setup != than.setup => Some("another setup"),
            () if self.inputs != than.inputs => Some("other input files"),
            () if self.program != than.program => Some("another weft"),
            () => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn runs_of_a_curve_differ_in_seed_and_key_only() {
        let run = |seed: u32, load: f64, bytes: u32, sha: &str, program: &str| {
            let setup = json!({ "seed": seed, "workload": { "load": load, "bytes": bytes } });
            json!({ "setup": setup, "inputs": [{ "file": "a.csv", "sha256": sha }], "program": program })
        };
        let first = run(1, 0.4, 10, "a", "p");
        let said = |other: Value, key: &str| Origin::of(&other, key).other(&Origin::of(&first, key));
        assert_eq!(said(run(2, 0.4, 10, "a", "p"), ""), None);
        assert_eq!(said(run(2, 0.8, 10, "a", "p"), "workload.load"), None);
        assert_eq!(said(run(2, 0.8, 10, "a", "p"), ""), Some("another setup"));
        assert_eq!(said(run(2, 0.8, 11, "a", "p"), "workload.load"), Some("another setup"));
        assert_eq!(said(run(1, 0.4, 10, "b", "p"), ""), Some("other input files"));
        assert_eq!(said(run(1, 0.4, 10, "a", "q"), ""), Some("another weft"));
    }
}
