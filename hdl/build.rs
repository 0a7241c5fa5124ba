//! Lists the sources of blocks and words of this crate. The emitter reads from these files facts that the AST
//! lacks (see `src/emit/source.rs`).

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=src");
    let mut files = Vec::new();
    collect(Path::new("src"), &mut files)?;
    files.sort();
    let root = env::current_dir()?;
    let mut list = String::from("&[\n");
    for file in files {
        let name = format!("hdl/{}", file.display()).replace('\\', "/");
        let path = root.join(&file);
        list += &format!("    Source {{ file: {name:?}, text: include_str!({path:?}) }},\n");
    }
    list += "]\n";
    let out = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    fs::write(PathBuf::from(out).join("sources.rs"), list)
}

/// The files under `folder` that contain a block or a word.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|e| e == "rs") {
            let text = fs::read_to_string(&path)?;
            if text.contains("#[hdl_gen]") || text.contains("LogicStruct)]") {
                files.push(path);
            }
        }
    }
    Ok(())
}
