//! Decides whether a proof refutes modules with a fault. The cost is that of the claims that the fault
//! changes: a claim with the same expression as in the original block is not decided again, and the first
//! refuted claim ends the search.

use crate::catalogue::{Proof, whole};
use crate::{Claim, Error, Outcome, Solvers};
use serde::Serialize;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use weft_hdl::Module;
use weft_hdl::catalogue::Shape;
use weft_symbolic::{Hunt, Yosys};

/// The verdict of a proof on modules with a fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Judgement {
    /// A claim fails. The text is its name.
    Refuted(String),
    /// A claim cannot be stated, so the proof fails.
    Refused(String),
    /// A solver gave up, so the proof fails.
    Unknown(String),
    /// Every claim is proved.
    Proved,
}

/// The proof of a block, prepared to judge faults.
pub struct Hunter {
    proof: &'static Proof,
    yosys: Yosys,
    shape: Shape,
    hunt: Rc<Hunt>,
    /// The part that refuted each module's last fault. The next search begins with this part.
    first: HashMap<String, String>,
}

impl Hunter {
    /// Proves the sound block. `None` if the block has no proof as a whole.
    pub fn new(block: &str, shape: Shape, sound: &[Module]) -> Result<Option<Self>, Error> {
        let Some(proof) = whole().find(|proof| proof.name == block) else { return Ok(None) };
        let hunter = Self { proof, yosys: Yosys::find()?, shape, hunt: Rc::default(), first: HashMap::new() };
        match hunter.claims(sound, "")?.into_iter().find(|claim| claim.outcome != Outcome::Proved) {
            None => Ok(Some(hunter)),
            Some(claim) => Err(Error::Unlike(format!("{}: {} is not proved", claim.part, claim.name))),
        }
    }

    fn claims(&self, modules: &[Module], first: &str) -> Result<Vec<Claim>, Error> {
        self.hunt.begin();
        (self.proof.decide)(&self.yosys, &Solvers::hunting(&self.hunt), &self.shape, modules, first)
    }

    /// The verdict of the proof on modules of which `module` has a fault.
    pub fn judge(&mut self, modules: &[Module], module: &str) -> Judgement {
        let first = self.first.get(module).map_or("", String::as_str);
        // A fault can remove a signal that a claim names, or change a width that a claim needs.
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| ()));
        let found = catch_unwind(AssertUnwindSafe(|| self.claims(modules, first)));
        std::panic::set_hook(hook);
        let claims = match found {
            // A claim that failed before this error decides.
            _ if self.hunt.is_over() && !matches!(found, Ok(Ok(_))) => {
                return Judgement::Refuted("a claim in front of one that cannot be made".into());
            }
            Ok(Ok(claims)) => claims,
            Ok(Err(error)) => return Judgement::Refused(error.to_string()),
            Err(_) => return Judgement::Refused("a word has another width".into()),
        };
        let with = |outcome| claims.iter().find(move |claim| claim.outcome == outcome);
        if let Some(claim) = with(Outcome::Refuted) {
            let part = claim.part.split(',').next().unwrap_or_default().to_owned();
            self.first.insert(module.to_owned(), part);
            return Judgement::Refuted(format!("{}: {}", claim.part, claim.name));
        }
        match with(Outcome::Unknown) {
            Some(claim) => Judgement::Unknown(format!("{}: {}", claim.part, claim.name)),
            None => Judgement::Proved,
        }
    }
}
