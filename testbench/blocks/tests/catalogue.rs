//! Tests that every block of the catalogue agrees with its row, and that its bugs can be planted.

use weft_blocks::catalogue::{BENCHES, named};
use weft_hdl::catalogue::{BLOCKS, Shape};

fn root() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn every_block_has_a_page_a_model_and_a_bench() {
    for block in BLOCKS {
        let name = block.name;
        assert_eq!(block.top, format!("weft_{name}"));
        assert!(root().join(format!("docs/blocks/{name}.md")).is_file(), "{name} has no page");
        if name != "nic" {
            assert!(root().join(format!("model/nic/src/block/{name}")).is_dir(), "{name} has no model");
            assert!(root().join(format!("testbench/blocks/src/{name}")).is_dir(), "{name} has no bench");
            assert!(named(name).is_some(), "{name} has no row in weft-blocks");
        }
    }
    let alone = BLOCKS.iter().map(|block| block.name).filter(|name| *name != "nic");
    assert_eq!(alone.collect::<Vec<_>>(), BENCHES.iter().map(|bench| bench.name).collect::<Vec<_>>());
}

#[test]
fn parameters_have_the_values_that_the_rows_give() {
    for block in BLOCKS {
        for parameter in block.parameters {
            let accepted = |value: &u32| {
                let mut shape = Shape::default();
                *match parameter.name {
                    "connections" => &mut shape.connections,
                    "depth" => &mut shape.depth,
                    "ev-width" => &mut shape.ev_width,
                    "width" => &mut shape.width,
                    "bypass-user" => &mut shape.bypass_user,
                    "psns" => &mut shape.psns,
                    name => panic!("{name} is no parameter"),
                } = *value;
                (block.check)(&shape).is_ok()
            };
            let values: Vec<u32> = (0..100_000).filter(accepted).collect();
            let name = format!("{}, {}", block.name, parameter.name);
            if parameter.name == "bypass-user" {
                // The row has some of these values.
                assert_eq!(values, (1..=128).collect::<Vec<_>>(), "{name}");
                assert!(parameter.values.iter().all(|value| values.contains(value)), "{name}");
            } else {
                assert_eq!(values, parameter.values, "{name}");
            }
        }
    }
}

#[test]
fn every_bug_finds_its_place_once() {
    for bench in BENCHES {
        assert!(!bench.plants.is_empty(), "{} has no bugs to plant", bench.name);
        let block = weft_hdl::catalogue::named(bench.name).expect("a block of this name");
        let modules = (block.emit)(&Shape::of(4)).expect("a shape that can be emitted");
        for plant in bench.plants {
            plant.apply(&mut modules.clone()).unwrap_or_else(|error| panic!("{error}"));
        }
    }
}
