//! Crates, and the files of their modules.

use crate::tree::{read, root};
use std::collections::BTreeMap;
use syn::{Attribute, Item, ItemMod};
use toml::Table;

/// A crate of the workspace.
#[derive(Debug)]
pub struct Crate {
    /// Name of the crate, as in its manifest.
    pub name: String,
    /// Folder of the crate, from the root.
    pub folder: String,
    /// Crates of the workspace from which this crate is built.
    pub dependencies: Vec<String>,
    /// Crates of the workspace that only tests of this crate use.
    pub test_dependencies: Vec<String>,
    /// The file of each module, by the module's path (`["block", "reps"]`; the root is empty).
    pub modules: BTreeMap<Vec<String>, String>,
    /// Modules that are tests.
    pub tests: Vec<Vec<String>>,
}

/// The crates of the workspace.
pub fn crates() -> Vec<Crate> {
    let manifest: Table = read("Cargo.toml").parse().expect("the workspace's manifest is TOML");
    let members = manifest["workspace"]["members"].as_array().expect("members");
    members.iter().filter_map(|member| member.as_str()).map(read_crate).collect()
}

fn read_crate(folder: &str) -> Crate {
    let manifest: Table = read(&format!("{folder}/Cargo.toml")).parse().expect("a manifest is TOML");
    let ours = |section: &str| -> Vec<String> {
        let names = manifest.get(section).and_then(|section| section.as_table());
        let names = names.into_iter().flat_map(|names| names.keys().cloned());
        names.filter(|name| name.starts_with("weft") || name == "verilator-sys").collect()
    };
    let name = manifest["package"]["name"].as_str().expect("a name").to_owned();
    let mut found = Crate {
        name,
        folder: folder.to_owned(),
        dependencies: ours("dependencies"),
        test_dependencies: ours("dev-dependencies"),
        modules: BTreeMap::new(),
        tests: Vec::new(),
    };
    for file in ["lib.rs", "main.rs"] {
        let file = format!("{folder}/src/{file}");
        if root().join(&file).is_file() {
            found.module(Vec::new(), file, false);
        }
    }
    found
}

impl Crate {
    fn module(&mut self, path: Vec<String>, file: String, is_test: bool) {
        let text = read(&file);
        let items = syn::parse_file(&text).unwrap_or_else(|error| panic!("{file}: {error}")).items;
        let folder = match file.rsplit_once('/') {
            Some((folder, "mod.rs" | "lib.rs" | "main.rs")) => folder.to_owned(),
            _ => file.trim_end_matches(".rs").to_owned(),
        };
        self.modules.insert(path.clone(), file.clone());
        if is_test {
            self.tests.push(path.clone());
        }
        self.items(&items, &path, &file, &folder, is_test);
    }

    fn items(&mut self, items: &[Item], path: &[String], file: &str, folder: &str, is_test: bool) {
        for item in items {
            let Item::Mod(ItemMod { attrs, ident, content, .. }) = item else { continue };
            let name = ident.to_string();
            let path: Vec<String> = path.iter().cloned().chain([name.clone()]).collect();
            let is_test = is_test || attrs.iter().any(is_for_tests);
            match content {
                Some((_, items)) => {
                    self.modules.insert(path.clone(), file.to_owned());
                    if is_test {
                        self.tests.push(path.clone());
                    }
                    self.items(items, &path, file, &format!("{folder}/{name}"), is_test);
                }
                None => {
                    let flat = format!("{folder}/{name}.rs");
                    let nested = format!("{folder}/{name}/mod.rs");
                    let file = if root().join(&flat).is_file() { flat } else { nested };
                    self.module(path, file, is_test);
                }
            }
        }
    }
}

/// Whether an attribute is `#[cfg(test)]`.
fn is_for_tests(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg")
        && attribute.parse_args::<syn::Ident>().is_ok_and(|condition| condition == "test")
}
