//! Finds which file imports which.

use crate::modules::Crate;
use crate::tree::read;
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};
use syn::{Item, ItemMod, ItemUse, UseTree};

/// The files from which each file of a crate imports. A path counts for the file of its last module. Imports
/// of a module from its submodules do not count, because the module consists of them; neither do test
/// modules.
pub fn imports(of: &Crate) -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let files: BTreeSet<&String> = of.modules.values().collect();
    for file in files {
        let Some((path, _)) = of.modules.iter().find(|(_, known)| *known == file) else { continue };
        let items = syn::parse_file(&read(file)).map(|file| file.items).unwrap_or_default();
        let mut reader = Reader { of, module: path.clone(), found: BTreeSet::new() };
        if !of.tests.contains(path) {
            reader.items(&items);
        }
        reader.found.remove(file);
        found.insert(file.clone(), reader.found);
    }
    found
}

/// Groups of files each of which imports the others, directly or indirectly.
pub fn circles(imports: &BTreeMap<String, BTreeSet<String>>) -> Vec<Vec<String>> {
    let reach = |from: &String| {
        let mut seen: BTreeSet<&String> = BTreeSet::new();
        let mut todo: Vec<&String> = imports.get(from).into_iter().flatten().collect();
        while let Some(file) = todo.pop() {
            if seen.insert(file) {
                todo.extend(imports.get(file).into_iter().flatten());
            }
        }
        seen
    };
    let reaches: BTreeMap<&String, BTreeSet<&String>> =
        imports.keys().map(|file| (file, reach(file))).collect();
    let mut groups: BTreeSet<Vec<String>> = BTreeSet::new();
    for (file, reached) in &reaches {
        if reached.contains(file) {
            let mutual = reached.iter().filter(|other| reaches[*other].contains(file));
            groups.insert(mutual.map(|file| (*file).clone()).collect());
        }
    }
    groups.into_iter().collect()
}

struct Reader<'a> {
    of: &'a Crate,
    /// The module that is being read.
    module: Vec<String>,
    found: BTreeSet<String>,
}

impl Reader<'_> {
    fn items(&mut self, items: &[Item]) {
        items.iter().for_each(|item| self.visit_item(item));
    }

    /// Notes the file of the last module that a path names.
    fn path(&mut self, segments: &[String]) {
        let mut at = self.module.clone();
        let mut rest = segments.iter().peekable();
        match rest.peek().map(|segment| segment.as_str()) {
            Some("crate") => {
                at.clear();
                rest.next();
            }
            Some("self") => {
                rest.next();
            }
            Some("super") => {
                while rest.next_if(|segment| *segment == "super").is_some() {
                    at.pop();
                }
            }
            // The name is a module below this one; any other name is of another crate, or already imported.
            Some(first) => {
                let below: Vec<String> = at.iter().cloned().chain([first.to_owned()]).collect();
                if !self.of.modules.contains_key(&below) {
                    return;
                }
            }
            None => return,
        }
        for segment in rest {
            at.push(segment.clone());
            if !self.of.modules.contains_key(&at) {
                at.pop();
                break;
            }
        }
        if at.len() > self.module.len() && at.starts_with(&self.module) {
            return;
        }
        if let Some(file) = self.of.modules.get(&at) {
            self.found.insert(file.clone());
        }
    }

    fn tree(&mut self, tree: &UseTree, before: &mut Vec<String>) {
        match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.tree(&path.tree, before);
                before.pop();
            }
            UseTree::Name(name) => {
                before.push(name.ident.to_string());
                self.path(before);
                before.pop();
            }
            UseTree::Rename(name) => {
                before.push(name.ident.to_string());
                self.path(before);
                before.pop();
            }
            UseTree::Glob(_) => self.path(before),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.tree(tree, before)),
        }
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.tree(&item.tree, &mut Vec::new());
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        let Some((_, items)) = &item.content else { return };
        self.module.push(item.ident.to_string());
        if !self.of.tests.contains(&self.module) {
            self.items(items);
        }
        self.module.pop();
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if segments.len() > 1 {
            self.path(&segments);
        }
        visit::visit_path(self, path);
    }
}
