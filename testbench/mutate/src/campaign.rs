//! The campaign picks, plants and judges a block's faults.

use crate::Error;
use crate::equivalent::{Equivalent, refuse_stale};
use crate::fault::{Fault, Operator};
use crate::judge::{Judge, Runs};
use crate::nic::Nics;
use crate::plant::Field;
use crate::verilog::Item;
use crate::watch::Asked;
use serde::Serialize;
use std::collections::HashSet;
use std::sync::Arc;
use verilator_sys::Library;
use weft_bench::{Exchange, Own};
use weft_hdl::Module;
use weft_hdl::catalogue::{BLOCKS, Block, Shape};
use weft_random::Rng;

/// Settings of a campaign.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Maximum number of faults to plant.
    pub faults: usize,
    /// Seed of the choice of faults.
    pub seed: u64,
    /// The only module to plant faults in; `None` for all.
    pub only: Option<String>,
    /// Runs that a fault must survive. Each has its own seed.
    pub runs: u64,
    /// Clocks of each run.
    pub cycles: u64,
    /// Number of connections of the block.
    pub connections: u32,
    /// Modules of a user that replace emitted ones. The campaign then plants faults only in the modules that
    /// differ.
    pub own: Option<Own>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { faults: 100, seed: 1, only: None, runs: 40, cycles: 40_000, connections: 16, own: None }
    }
}

/// The result for a fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// Found, by the benches of the list.
    Killed(Vec<String>),
    /// Reviewed as equivalent: not visible at the ports, for this reason.
    Equivalent(String),
    /// No test found the fault.
    Survives,
    /// Found, although the list of equivalents has the fault.
    Refuted(Vec<String>),
}

/// A fault and its result.
#[derive(Clone, Debug, Serialize)]
pub struct Verdict {
    /// The fault.
    #[serde(flatten)]
    pub fault: Fault,
    /// The result for the fault.
    pub fate: Fate,
}

/// The results for all faults.
#[derive(Clone, Debug, Serialize)]
pub struct Findings {
    /// The block.
    pub block: &'static str,
    /// Number of faults that the modules can have.
    pub possible: usize,
    /// Number of faults that were picked. If the campaign was stopped, some of these are not judged.
    pub picked: usize,
    /// The faults that were judged, with their results.
    pub verdicts: Vec<Verdict>,
}

/// Percentage of the faults that the benches must find, without the equivalent ones.
pub const WANTED: usize = 98;

impl Findings {
    /// Number of faults with a result.
    pub fn count(&self, fate: impl Fn(&Fate) -> bool) -> usize {
        self.verdicts.iter().filter(|verdict| fate(&verdict.fate)).count()
    }

    /// Number of faults found, and number of faults that are not equivalent.
    pub fn share(&self) -> (usize, usize) {
        let killed = self.count(|fate| matches!(fate, Fate::Killed(_)));
        (killed, killed + self.count(|fate| matches!(fate, Fate::Survives)))
    }

    /// Whether the benches found enough faults, and none of the faults listed as equivalent.
    pub fn is_good(&self) -> bool {
        let (killed, all) = self.share();
        100 * killed >= WANTED * all && self.count(|fate| matches!(fate, Fate::Refuted(_))) == 0
    }
}

/// A block and the faults that were picked for it.
pub(crate) struct Picked {
    pub(crate) block: &'static Block,
    pub(crate) settings: Settings,
    pub(crate) shape: Shape,
    pub(crate) field: Field,
    pub(crate) possible: usize,
    pub(crate) faults: Vec<Fault>,
    pub(crate) list: Vec<Equivalent>,
}

/// A block with its faults, built.
pub struct Campaign {
    picked: Picked,
    judge: Judge,
    library: Arc<Library>,
}

impl Picked {
    /// Emits a block and picks faults.
    pub(crate) fn new(block: &str, settings: Settings) -> Result<Self, Error> {
        let block = weft_hdl::catalogue::named(block).ok_or_else(|| Error::Block(block.into()))?;
        let shape = Shape::of(settings.connections);
        (block.check)(&shape).map_err(weft_bench::Error::from)?;
        let mut modules = (block.emit)(&shape)?;
        let changed = settings.own.as_ref().map(|own| own.changed(&modules)).transpose()?;
        if let Some(own) = &settings.own {
            Exchange::Own(own.clone()).apply(&mut modules)?;
        }
        let is_planted =
            |module: &Module| changed.as_ref().is_none_or(|changed| changed.contains(&module.name));
        let field = Field::read(modules)?;
        let mut own = own_modules(block, &field);
        own.retain(|module| is_planted(module));
        let faults: Vec<Fault> = own.iter().flat_map(|module| field.faults(module)).collect();
        let names: HashSet<&str> = own.iter().map(|module| module.name.as_str()).collect();
        let list = Equivalent::list()?;
        // The list is about emitted modules.
        if settings.own.is_none() {
            refuse_stale(&list, block.name, &names, &faults)?;
        }
        if let Some(only) = &settings.only
            && !names.contains(only.as_str())
        {
            let known = own.iter().map(|module| module.name.as_str()).collect::<Vec<_>>().join(", ");
            return Err(Error::Module { block: block.name.into(), module: only.clone(), known });
        }
        let wanted = |fault: &Fault| settings.only.as_ref().is_none_or(|only| *only == fault.module);
        let faults: Vec<Fault> = faults.into_iter().filter(wanted).collect();
        let possible = faults.len();
        let faults = pick(faults, settings.faults, settings.seed);
        if faults.len() > usize::from(u16::MAX) {
            return Err(Error::TooMany);
        }
        Ok(Self { block, settings, shape, field, possible, faults, list })
    }

    /// The entry of a fault in the list of equivalents.
    pub(crate) fn equivalent(&self, fault: &Fault) -> Option<&Equivalent> {
        self.list.iter().find(|entry| entry.is(self.block.name, fault))
    }
}

impl Campaign {
    /// Emits a block, then picks, plants and builds faults. Fails if RTL and model differ without a fault.
    pub fn new(block: &str, settings: Settings) -> Result<Self, Error> {
        Self::of(Picked::new(block, settings)?)
    }

    /// Plants and builds the picked faults.
    pub(crate) fn of(picked: Picked) -> Result<Self, Error> {
        let Picked { block, settings, field, possible, faults, .. } = &picked;
        let planted = field.plant(faults);
        // The planted choices change widths and loops, hence the lint warnings do not apply.
        let build = weft_bench::build(block.top, &planted).argument("-Wno-fatal");
        let block = *block;
        tracing::debug!(block.name, possible, faults = faults.len(), "building with Verilator");
        let library = build.load()?;
        let judge = match weft_blocks::catalogue::named(block.name) {
            Some(bench) => Judge::Alone(bench),
            None => Judge::Nics(Box::new(Nics::new(settings.connections, settings.runs))),
        };
        let campaign = Self { picked, judge, library };
        let runs = Runs { runs: 1, ..campaign.runs() };
        let found = campaign.killers((0, None), runs, &mut || true)?;
        match found.first() {
            Some(what) => Err(Error::Sound { block: block.name.into(), what: what.clone() }),
            None => Ok(campaign),
        }
    }

    /// Number of faults that were planted.
    pub fn faults(&self) -> usize {
        self.picked.faults.len()
    }

    fn runs(&self) -> Runs {
        Runs { runs: self.picked.settings.runs, cycles: self.picked.settings.cycles }
    }

    fn killers(
        &self,
        fault: (u16, Option<&Fault>),
        runs: Runs,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Vec<String>, Error> {
        self.judge.killers(
            &self.picked.field,
            &self.library,
            fault,
            self.picked.shape,
            runs,
            &mut Asked(go_on),
        )
    }

    /// Judges one fault after the other. Calls `go_on` at intervals; `false` ends the campaign with the
    /// results so far.
    pub fn run(
        &self,
        go_on: &mut dyn FnMut() -> bool,
        mut judged: impl FnMut(&Verdict),
    ) -> Result<Findings, Error> {
        let mut findings = Findings {
            block: self.picked.block.name,
            possible: self.picked.possible,
            picked: self.picked.faults.len(),
            verdicts: Vec::new(),
        };
        for (number, fault) in (1..).zip(&self.picked.faults) {
            let equivalent = self.picked.equivalent(fault);
            let mut runs = self.runs();
            if equivalent.is_some() {
                // The fault is reviewed: a few runs check that the reason still holds.
                runs.runs = runs.runs.div_ceil(4);
            }
            let killers = self.killers((number, Some(fault)), runs, go_on)?;
            let fate = match (killers.is_empty(), equivalent) {
                (false, None) => Fate::Killed(killers),
                (false, Some(_)) => Fate::Refuted(killers),
                (true, Some(entry)) => Fate::Equivalent(entry.reason.clone()),
                // A stopped fault has no result.
                (true, None) if !go_on() => break,
                (true, None) => Fate::Survives,
            };
            let verdict = Verdict { fault: fault.clone(), fate };
            judged(&verdict);
            findings.verdicts.push(verdict);
            if !go_on() {
                break;
            }
        }
        Ok(findings)
    }
}

/// The modules in which a block's faults are: the block and its parts. Excluded are blocks with their own
/// bench, and the modules that only such blocks use.
fn own_modules<'a>(block: &Block, field: &'a Field) -> Vec<&'a Module> {
    let has_bench = |module: &str| module != block.top && BLOCKS.iter().any(|other| other.top == module);
    let mut own = HashSet::new();
    let mut waiting = vec![block.top];
    while let Some(name) = waiting.pop() {
        let Some(module) = field.module(name).filter(|_| !has_bench(name)) else { continue };
        if own.insert(name) {
            waiting.extend(module.items.iter().filter_map(|item| match item {
                Item::Instance(instance) => Some(instance.module.as_str()),
                _ => None,
            }));
        }
    }
    field.modules.iter().filter(|module| own.contains(module.name.as_str())).collect()
}

/// Picks `count` faults and keeps their order: one fault of each operator in turn. The seed and the text of
/// each fault determine the choice, so that a change elsewhere in the block keeps most of the choice.
fn pick(faults: Vec<Fault>, count: usize, seed: u64) -> Vec<Fault> {
    let rank = |fault: &Fault| {
        let bytes = fault.module.bytes().chain([0]).chain(fault.text.bytes());
        Rng::of(&bytes.fold(vec![seed], |mut seeds, byte| {
            seeds.push(byte.into());
            seeds
        }))
        .draw()
    };
    let ranks: Vec<u64> = faults.iter().map(rank).collect();
    let mut piles: Vec<Vec<usize>> = Operator::ALL
        .iter()
        .map(|operator| {
            let of = |at: &usize| faults[*at].operator == *operator;
            let mut pile: Vec<usize> = (0..faults.len()).filter(of).collect();
            pile.sort_by_key(|at| ranks[*at]);
            pile
        })
        .collect();
    let mut picked = HashSet::new();
    while picked.len() < count && piles.iter().any(|pile| !pile.is_empty()) {
        let drawn: Vec<usize> = piles.iter_mut().filter_map(Vec::pop).collect();
        picked.extend(drawn.into_iter().take(count - picked.len()));
    }
    let keep = |(at, fault)| picked.contains(&at).then_some(fault);
    faults.into_iter().enumerate().filter_map(keep).collect()
}
