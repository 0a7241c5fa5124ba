//! Reads the tree as its floor plan sees it: crates with what they depend on, files with what they import.
//!
//! The tests of this crate hold `docs/architecture.md`: who may know whom, no circle of imports, the same files in
//! every block's folder, how long a file may be, what may stand twice, and that nothing lies about unused.

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
