//! One block, one name, everywhere.

use weft_house::{files, root};

/// The blocks that speak to each other; each has a folder of the same files everywhere.
const BLOCKS: [&str; 9] =
    ["egress", "ingress", "receiver", "registers", "reps", "sack_rx", "sack_tx", "sender", "smartt"];
/// Blocks whose equality with the model is proved.
const PROVED: [&str; 4] = ["reps", "sack_rx", "sack_tx", "smartt"];

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

/// A folder of blocks holds blocks only.
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
