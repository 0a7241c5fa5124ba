//! Checks that each block has one name everywhere.

use weft_house::{files, read, root};

/// The blocks with interfaces to each other. Each has a folder of the same files everywhere.
const BLOCKS: [&str; 10] =
    ["egress", "ingress", "nscc", "receiver", "registers", "reps", "sack_rx", "sack_tx", "sender", "smartt"];
/// Blocks that are proved equal to their models.
const PROVED: [&str; 6] = ["egress", "ingress", "reps", "sack_rx", "sack_tx", "smartt"];

#[test]
fn every_block_stands_in_every_place() {
    for block in BLOCKS {
        let mut wanted = vec![
            format!("hdl/src/block/{block}.rs"),
            format!("hdl/verilog/block/weft_{block}.v"),
            format!("hdl/verilog/weft_{block}.f"),
            format!("docs/blocks/{block}.md"),
            format!("testbench/blocks/tests/{block}/main.rs"),
            format!("testbench/blocks/tests/{block}/lockstep.rs"),
        ];
        let model = ["mod", "step", "transaction", "clocked"];
        wanted.extend(model.map(|file| format!("model/nic/src/block/{block}/{file}.rs")));
        let bench = ["mod", "oracle", "stimulus", "plant"];
        wanted.extend(bench.map(|file| format!("testbench/blocks/src/{block}/{file}.rs")));
        if PROVED.contains(&block) {
            wanted.push(format!("testbench/proof/src/{block}/mod.rs"));
            wanted.push(format!("testbench/proof/tests/{block}.rs"));
        }
        for path in wanted {
            assert!(root().join(&path).is_file(), "{block} lacks {path}");
        }
    }
}

/// A folder of blocks contains only blocks.
#[test]
fn nothing_else_stands_among_the_blocks() {
    for path in files() {
        for place in ["model/nic/src/block/", "testbench/proof/src/", "testbench/blocks/src/"] {
            let Some(rest) = path.strip_prefix(place) else { continue };
            if let Some((folder, _)) = rest.split_once('/') {
                assert!(BLOCKS.contains(&folder) || folder == "nic", "{path} is of no block");
            }
        }
    }
}

/// A part has a page, which names each of its emitted modules and each of its ports.
#[test]
fn every_part_has_a_page() {
    let all = files();
    let pages: Vec<String> =
        all.iter().filter(|path| path.starts_with("docs/parts/")).map(|path| read(path)).collect();
    for path in &all {
        if let Some(part) = path.strip_prefix("hdl/src/part/").and_then(|name| name.strip_suffix(".rs")) {
            let page = format!("docs/parts/{part}.md");
            assert!(part == "mod" || part.contains('/') || all.contains(&page), "{part} has no page");
        }
        let Some(module) = path.strip_prefix("hdl/verilog/part/").and_then(|name| name.strip_suffix(".v"))
        else {
            continue;
        };
        let text = read(path);
        let header = text.split(");").next().unwrap_or_default();
        let is_port =
            |line: &&str| ["input  wire", "output wire", "output reg"].iter().any(|it| line.contains(it));
        let ports = header.lines().filter(is_port);
        let names = ports.filter_map(|line| line.split([',', '/']).next()?.split_whitespace().last());
        let names: Vec<String> = names.map(|name| format!("| `{name}` |")).collect();
        let is_known = |page: &String| {
            page.split("\n### ").any(|section| {
                section.starts_with(&format!("`{module}`")) && names.iter().all(|name| section.contains(name))
            })
        };
        // A shape that could not be given a parameter is described with the part's own module.
        assert!(
            module.contains("_w1_") || pages.iter().any(is_known),
            "{module} or a port of it stands in no page"
        );
    }
}
