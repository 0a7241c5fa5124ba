//! Writes the random blocks of the tests. The variable `WEFT_RANDOM_BLOCKS` sets the number of blocks of each
//! kind; the default is 20.

#[path = "../tests/common/values.rs"]
#[allow(dead_code, unreachable_pub)]
mod common;
#[path = "build/expressions.rs"]
mod expressions;
#[path = "build/structs.rs"]
mod structs;

use std::path::PathBuf;
use std::{env, fs};

const COUNT: &str = "WEFT_RANDOM_BLOCKS";

fn main() {
    println!("cargo::rerun-if-env-changed={COUNT}");
    for source in ["build.rs", "build", "../tests/common/values.rs"] {
        println!("cargo::rerun-if-changed={source}");
    }
    let count = env::var(COUNT).map_or(20, |text| text.parse().expect("WEFT_RANDOM_BLOCKS is a number"));
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("cargo's folder"));
    let write = |name: &str, text: String| {
        fs::write(folder.join(name), text).unwrap_or_else(|error| panic!("{name}: {error}"));
    };
    write("blocks.rs", expressions::file(count));
    // Each takes several times as long as one of expressions.
    write("struct_blocks.rs", structs::file((count * 2).div_ceil(5)));
}
