//! Parts that are proved once for all instances of a kind: their list, and the modules that they contain.

use crate::{Error, instance};
use std::collections::BTreeSet;
use weft_bench::verilog::Instance;
use weft_hdl::emit::Module;
use weft_symbolic::{Node, Proof};

/// The kind of `module.instance`: its module, and its numeric parameters as text.
fn kind(modules: &[Module], path: &str) -> (String, String) {
    let (module, parameters) = instance(modules, path).unwrap_or((path, Vec::new()));
    (module.to_owned(), format!("{parameters:?}"))
}

/// The instances of modules of a list in a text.
pub(crate) fn instances<'a>(modules: &[Module], text: &'a str) -> Vec<Instance<'a>> {
    weft_bench::verilog::instances(text, |name| modules.iter().any(|module| module.name == name))
}

/// The instances in a module, each as `module.instance`.
fn within<'a>(modules: &'a [Module], of: &'a Module) -> impl Iterator<Item = String> + 'a {
    instances(modules, &of.text).into_iter().map(|found| format!("{}.{}", of.name, found.name))
}

/// Every instance of a module: `module.instance`, and its numeric parameters.
pub fn of_kind<'a>(modules: &'a [Module], name: &str) -> Vec<(String, Vec<(&'a str, &'a str)>)> {
    let paths = modules.iter().flat_map(|module| within(modules, module));
    let found = paths.filter_map(|path| {
        let (module, parameters) = instance(modules, &path)?;
        (module == name).then_some((path, parameters))
    });
    found.collect()
}

/// Adds a module and all modules beneath it to `found`.
fn beneath<'a>(modules: &'a [Module], name: &str, found: &mut Vec<&'a Module>) {
    let Some(module) = modules.iter().find(|module| module.name == name) else { return };
    if !found.contains(&module) {
        found.push(module);
        for path in within(modules, module) {
            beneath(modules, &kind(modules, &path).0, found);
        }
    }
}

/// The kinds of the instances at `paths` and the modules in them. If this text is equal for two blocks, a
/// proof for one block holds for the other block.
pub fn text(modules: &[Module], paths: &[&str]) -> Vec<Module> {
    let mut found = Vec::new();
    let mut kinds = Vec::new();
    for path in paths {
        let (module, parameters) = kind(modules, path);
        beneath(modules, &module, &mut found);
        kinds.push(Module { name: module, text: parameters, floor: weft_hdl::Floor::Block });
    }
    kinds.extend(found.into_iter().cloned());
    kinds
}

/// Adds the claim that the instances at `paths` cover all instances of the modules proved alone: each
/// instance is one of them, or has the same parameters as one of them.
pub fn every_instance(modules: &[Module], paths: &[&str], proof: &mut Proof) -> Result<(), Error> {
    let proved: BTreeSet<(String, String)> = paths.iter().map(|path| kind(modules, path)).collect();
    let mut inside = Vec::new();
    for (module, _) in &proved {
        beneath(modules, module, &mut inside);
    }
    let outside = modules.iter().filter(|module| !inside.contains(module));
    let missed = outside.flat_map(|module| within(modules, module)).find(|path| {
        let found = kind(modules, path);
        proved.iter().any(|(module, _)| *module == found.0) && !proved.contains(&found)
    });
    let name = match missed {
        None => "every instance of a kind is one that is proved".to_owned(),
        Some(path) => format!("every instance of a kind is one that is proved, {path} too"),
    };
    proof.claim(&name, &[], Node::bit(!name.ends_with("too")))?;
    Ok(())
}
