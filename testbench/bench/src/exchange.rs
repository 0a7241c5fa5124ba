//! Modules that replace emitted ones: a planted bug, or modules of a user.

use crate::{Error, Plant, verilog};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use weft_hdl::{Floor, Module};

/// The modules that replace emitted ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exchange {
    /// One emitted module with a bug.
    Plant(Plant),
    /// Modules of a user.
    Own(Own),
}

impl From<&Plant> for Exchange {
    fn from(plant: &Plant) -> Self {
        Self::Plant(*plant)
    }
}

impl Exchange {
    /// Replaces modules of a block by the new modules. Fails if the block has none of the modules.
    pub fn apply(&self, modules: &mut Vec<Module>) -> Result<(), Error> {
        let new = match self {
            Self::Plant(plant) => vec![plant.planted(modules)?],
            Self::Own(own) => own.of(modules)?,
        };
        for module in new {
            match modules.iter_mut().find(|old| old.name == module.name) {
                Some(old) => old.text = module.text,
                None => modules.insert(0, module),
            }
        }
        Ok(())
    }
}

/// The modules in the Verilog files of a folder and of its subfolders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Own {
    folder: PathBuf,
    modules: Vec<Module>,
}

impl Own {
    /// Reads the files of a folder. Fails without a module, with two modules of one name, and if a file needs
    /// the preprocessor.
    pub fn read(folder: &Path) -> Result<Self, Error> {
        let wrong = |path: &Path, what: String| Error::Own { path: path.to_owned(), what };
        let mut own = Self { folder: folder.to_owned(), modules: Vec::new() };
        for path in files(folder).map_err(|error| wrong(folder, error.to_string()))? {
            let text = fs::read_to_string(&path).map_err(|error| wrong(&path, error.to_string()))?;
            for (name, text) in verilog::modules(&text).map_err(|what| wrong(&path, what))? {
                if own.modules.iter().any(|module| module.name == name) {
                    return Err(wrong(&path, format!("another file has a module {name}; keep one of them")));
                }
                let text = format!("{}\n", verilog::plain(text).trim());
                own.modules.push(Module { name: name.to_owned(), text, floor: Floor::Block });
            }
        }
        if own.modules.is_empty() {
            return Err(wrong(
                folder,
                "no file (*.v, *.sv) has a module; give the folder of your modules".into(),
            ));
        }
        Ok(own)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The module of a name.
    pub fn module(&self, name: &str) -> Option<&Module> {
        self.modules.iter().find(|module| module.name == name)
    }

    /// The modules of a block: those that replace an emitted module, and those that they instantiate.
    pub fn of(&self, emitted: &[Module]) -> Result<Vec<Module>, Error> {
        let is_emitted = |name: &str| emitted.iter().any(|module| module.name == name);
        let mut waiting: Vec<&Module> =
            self.modules.iter().filter(|module| is_emitted(&module.name)).collect();
        if waiting.is_empty() {
            let own = self.modules.iter().map(|module| module.name.as_str()).collect::<Vec<_>>().join(", ");
            let top = emitted.last().map_or("", |module| &module.name);
            let what = format!(
                "it has {own}, and no module of {top}; give a module the name of the one that it replaces"
            );
            return Err(Error::Own { path: self.folder.clone(), what });
        }
        let mut found: Vec<&Module> = Vec::new();
        while let Some(module) = waiting.pop() {
            if !found.contains(&module) {
                found.push(module);
                let words: BTreeSet<&str> =
                    verilog::tokens(&module.text).iter().map(|token| token.text).collect();
                waiting.extend(self.modules.iter().filter(|other| words.contains(other.name.as_str())));
            }
        }
        Ok(found.into_iter().cloned().collect())
    }

    /// The names of the user's modules that are in a block and differ from the emitted ones. Spaces and
    /// comments do not count.
    pub fn changed(&self, emitted: &[Module]) -> Result<Vec<String>, Error> {
        let same = |module: &Module| {
            let old = emitted.iter().find(|old| old.name == module.name);
            let old = old.and_then(|old| verilog::words(&old.text));
            old.is_some() && old == verilog::words(&module.text)
        };
        let mut changed: Vec<String> =
            self.of(emitted)?.into_iter().filter(|module| !same(module)).map(|module| module.name).collect();
        changed.sort();
        Ok(changed)
    }
}

/// The Verilog files in a folder, in the order of their names.
fn files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let (mut found, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|end| end == "v" || end == "sv") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(name: &str, text: &str) -> Module {
        Module { name: name.into(), text: text.into(), floor: Floor::Part }
    }

    #[test]
    fn own_modules_take_the_place_of_emitted_ones_and_bring_what_they_are_made_of() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path();
        let own = || Own::read(path);
        assert!(own().expect_err("nothing").to_string().contains("has a module"));
        fs::create_dir(path.join("part")).expect("a folder");
        fs::write(path.join("part/a.v"), "module a; x y(); endmodule module stranger; endmodule")
            .expect("written");
        let strangers = own().expect("modules").of(&[module("b", "")]).expect_err("strangers").to_string();
        assert!(strangers.contains("it has a, stranger, and no module of b"), "{strangers}");
        fs::write(path.join("x.sv"), "module x; endmodule").expect("written");
        let emitted = [
            module("a", "`default_nettype none\nmodule a; endmodule\n`default_nettype wire"),
            module("b", "b"),
        ];
        let mut modules = emitted.to_vec();
        Exchange::Own(own().expect("modules")).apply(&mut modules).expect("one is replaced");
        let names: Vec<&str> = modules.iter().map(|module| module.name.as_str()).collect();
        assert_eq!((names, &*modules[1].text), (vec!["x", "a", "b"], "module a; x y(); endmodule\n"));
        assert_eq!(own().expect("modules").changed(&emitted).expect("names"), ["a", "x"]);
        fs::write(path.join("part/a.v"), "`default_nettype none // mine\nmodule  a ;\nendmodule")
            .expect("written");
        assert_eq!(own().expect("modules").changed(&emitted).expect("names"), Vec::<String>::new());
        fs::write(path.join("z.v"), "module a; endmodule").expect("written");
        assert!(own().expect_err("two").to_string().contains("another file has a module a"));
    }
}
