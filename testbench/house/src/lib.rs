//! Reads the tree: crates with their dependencies, files with their imports.
//!
//! The tests of this crate check `docs/architecture.md`: permitted dependencies, no circle of imports, the
//! same files in every block's folder, limits of lengths and repetitions, and that every file is used.

mod imports;
mod modules;
mod repeats;
mod rules;
mod tree;
mod words;

pub use imports::{circles, imports};
pub use modules::{Crate, crates};
pub use repeats::{Repeat, repeats};
pub use rules::{Gaps, Kind, PAGE, Place, Rule, gaps, named_in, page, places, rules, rules_of};
pub use tree::{files, read, root};
pub use words::{WORDS_PAGE, words_page};
