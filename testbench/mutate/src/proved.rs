//! Judges the same faults by the proof of their block. A fault that the bench finds and the proof calls
//! proved is a hole in the proof.

use crate::campaign::{Campaign, Fate, Picked, Settings};
use crate::equivalent::Equivalent;
use crate::fault::Fault;
use crate::{Error, Verdict};
use serde::Serialize;
use std::collections::HashMap;
use weft_hdl::Module;
use weft_proof::hunt::{Hunter, Judgement};

/// The verdicts on a fault: of the proof and, if the proof does not refute it, of the bench.
#[derive(Clone, Debug, Serialize)]
pub struct Against {
    /// The fault.
    #[serde(flatten)]
    pub fault: Fault,
    /// The verdict of the proof.
    pub proof: Judgement,
    /// The verdict of the bench, if the proof does not refute the fault.
    pub bench: Option<Fate>,
    /// The reason why no claim covers the fault, if it is in the list of such faults.
    pub unproved: Option<String>,
}

impl Against {
    /// Whether the proof refutes or refuses the block with the fault.
    pub fn is_refuted(&self) -> bool {
        matches!(self.proof, Judgement::Refuted(_) | Judgement::Refused(_))
    }

    /// Whether the bench finds the fault. The bench runs only if the proof does not refute the fault.
    pub fn is_found_by_the_bench(&self) -> bool {
        matches!(self.bench, Some(Fate::Killed(_) | Fate::Refuted(_)))
    }

    /// Whether the fault is an unknown hole of the proof.
    pub fn is_hole(&self) -> bool {
        self.is_found_by_the_bench() && self.unproved.is_none()
    }
}

/// A block's faults against its proof.
#[derive(Clone, Debug, Serialize)]
pub struct Compared {
    /// The block.
    pub block: &'static str,
    /// Number of faults that the modules can have.
    pub possible: usize,
    /// The faults that were judged.
    pub faults: Vec<Against>,
}

impl Compared {
    /// Number of faults for which a predicate is true.
    pub fn count(&self, is: impl Fn(&Against) -> bool) -> usize {
        self.faults.iter().filter(|fault| is(fault)).count()
    }
}

/// Judges the faults that [`Campaign`] would pick, first by the proof. Calls `go_on` at intervals; `false`
/// ends the comparison with the results so far.
pub fn against(
    block: &str,
    settings: Settings,
    go_on: &mut dyn FnMut() -> bool,
    mut judged: impl FnMut(&Fault, &Judgement),
) -> Result<Compared, Error> {
    let mut picked = Picked::new(block, settings)?;
    let sound = picked.field.modules.clone();
    let proofless = || Error::Proofless(block.to_owned());
    let mut hunter = Hunter::new(block, picked.shape, &sound)?.ok_or_else(proofless)?;
    let mut faults = Vec::new();
    for fault in &picked.faults {
        if !go_on() {
            break;
        }
        let proof = hunter.judge(&with(&picked, &sound, fault), &fault.module);
        judged(fault, &proof);
        faults.push(Against { fault: fault.clone(), proof, bench: None, unproved: None });
    }
    let (block, possible) = (picked.block.name, picked.possible);
    picked.faults = faults.iter().filter(|it| !it.is_refuted()).map(|it| it.fault.clone()).collect();
    if !picked.faults.is_empty() {
        let unproved = Equivalent::unproved()?;
        let found = Campaign::of(picked)?.run(go_on, |_| ())?;
        let fates: HashMap<(String, String), Fate> = found
            .verdicts
            .into_iter()
            .map(|Verdict { fault, fate }| ((fault.module, fault.text), fate))
            .collect();
        for it in faults.iter_mut().filter(|it| !it.is_refuted()) {
            it.bench = fates.get(&(it.fault.module.clone(), it.fault.text.clone())).cloned();
            let entry = unproved.iter().find(|entry| entry.is(block, &it.fault));
            it.unproved = entry.map(|entry| entry.reason.clone());
        }
    }
    Ok(Compared { block, possible, faults })
}

/// The modules with a fault.
fn with(picked: &Picked, sound: &[Module], fault: &Fault) -> Vec<Module> {
    let mut modules = sound.to_vec();
    let text = picked.field.with(fault);
    if let Some((module, text)) = modules.iter_mut().find(|module| module.name == fault.module).zip(text) {
        module.text = text;
    }
    modules
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Operator;

    #[test]
    fn a_hole_is_what_the_bench_finds_and_the_proof_calls_proved() {
        let fault =
            Fault { module: "m".into(), operator: Operator::Sign, text: "x".into(), edits: Vec::new() };
        let killed = || Some(Fate::Killed(vec!["a run".into()]));
        let is = |proof: Judgement, bench: Option<Fate>, unproved: Option<&str>| {
            let unproved = unproved.map(str::to_owned);
            Against { fault: fault.clone(), proof, bench, unproved }.is_hole()
        };
        assert!(is(Judgement::Proved, killed(), None));
        assert!(!is(Judgement::Proved, killed(), Some("a reason")));
        assert!(!is(Judgement::Proved, Some(Fate::Survives), None));
        assert!(!is(Judgement::Refuted("a claim".into()), None, None));
    }
}
