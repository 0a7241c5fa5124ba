//! Tests that the page of all blocks agrees with the committed results, that one version of each tool made
//! them, and that growth is reported.

use std::path::PathBuf;
use weft_hdl::catalogue::BLOCKS;
use weft_synth::{Area, Job, Limit, OF_NIC, Results, Row, Target, YARDSTICKS, Yardstick, grown, memories};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn results(family: &str) -> Results {
    Results::read(&root().join(format!("docs/results/synth_{family}.json"))).expect("committed")
}

/// A number of a page: with commas, and its unit.
fn number(cell: &str) -> f64 {
    let digits: String = cell.chars().take_while(|c| c.is_ascii_digit() || ",.".contains(*c)).collect();
    digits.replace(',', "").parse().unwrap_or_else(|_| panic!("{cell} is no number"))
}

/// The last five cells of a module's row on the page of all blocks: LUT, FF, RAMB36, DSP, levels.
fn of_page(top: &str) -> Vec<f64> {
    let page = std::fs::read_to_string(root().join("docs/blocks/index.md")).expect("the page");
    let row = page.lines().find(|line| line.contains(&format!("| `{top}`"))).expect("a row");
    let cells: Vec<&str> = row.trim_matches(['|', ' ']).split('|').map(str::trim).collect();
    cells[cells.len() - 5..].iter().map(|cell| number(cell)).collect()
}

fn measures(area: &Area, levels: u32) -> Vec<f64> {
    vec![area.lut.into(), area.ff.into(), f64::from(area.ram_halves()) / 2.0, area.dsp.into(), levels.into()]
}

#[test]
fn the_page_of_all_blocks_says_what_was_measured() {
    let all = results("xcup");
    let mut sum = (Area::default(), 0);
    for block in BLOCKS.iter().filter(|block| block.name != "nic") {
        let row = all.rows.iter().find(|row| row.block == block.name).expect("each block is measured");
        assert_eq!(of_page(block.top), measures(&row.area, row.longest.levels), "{}", row.block);
        if OF_NIC.contains(&block.name) {
            sum = (sum.0 + row.area, sum.1.max(row.longest.levels));
        }
    }
    assert_eq!(of_page("weft_nic"), measures(&sum.0, sum.1), "the sum");
}

/// Counted by words and bits, the memories are those that yosys finds.
#[test]
fn memories_add_up() {
    let ram_halves: u32 = results("xcup")
        .rows
        .iter()
        .filter(|row| OF_NIC.contains(&row.block.as_str()))
        .map(|row| row.area.ram_halves())
        .sum();
    let table = memories().unwrap();
    let all = table.lines().last().unwrap();
    let found = number(all.split('|').nth(3).unwrap().trim());
    assert_eq!(found, f64::from(ram_halves) / 2.0, "{all}");
}

/// The rows of a block and of its hand-written counterpart belong to the present Verilog, and were measured
/// with the same tools.
#[test]
fn yardsticks_stand_beside_their_blocks() {
    for (family, target) in [("xcup", Target::Xcup), ("ecp5", Target::Ecp5)] {
        let all = Results::read(&root().join(Yardstick::file(target))).expect("committed");
        assert_eq!(all.rows.len(), 2 * YARDSTICKS.len());
        for yardstick in YARDSTICKS {
            let of = |rows: &[Row], name| rows.iter().find(|row| row.block == name).cloned().expect("a row");
            let (ours, by_hand) = (of(&all.rows, yardstick.block), of(&all.rows, yardstick.name));
            assert_eq!(ours, of(&results(family).rows, yardstick.block), "the tables differ");
            let modules = yardstick.modules();
            let (top, shape) = (yardstick.top, ours.shape.clone());
            let (block, modules, apart) = (yardstick.block, &modules, &[]);
            let job = Job { block, top, shape, modules, apart, ultra: false, target, seeds: 0 };
            assert_eq!(by_hand.verilog, yardstick.job(&job, modules).fingerprint(), "measure it again");
            assert_eq!((&by_hand.tools, &by_hand.shape), (&ours.tools, &ours.shape));
            let seeds = |row: &Row| row.clock.as_ref().map_or(0, |clock| clock.runs.len());
            assert_eq!(seeds(&by_hand), seeds(&ours));
        }
    }
}

#[test]
fn one_version_of_each_tool_made_them() {
    let files =
        ["synth_xcup", "shapes_xcup", "yardstick_xcup", "synth_ecp5", "limits_ecp5", "yardstick_ecp5"];
    let read =
        |file: &&str| Results::read(&root().join(format!("docs/results/{file}.json"))).expect("committed");
    let all: Vec<Row> = files.iter().map(read).flat_map(|results| results.rows).collect();
    let both = all.iter().map(|row| &row.tools).max_by_key(|tools| tools.len()).expect("a row");
    for row in &all {
        let is_routed = row.target == Target::Ecp5;
        let used = if is_routed { 2 } else { 1 };
        assert_eq!(row.tools, both[..used], "{} of {}", row.block, row.target);
        assert_eq!(row.clock.as_ref().map_or(0, |clock| clock.runs.len()), if is_routed { 3 } else { 0 });
    }
}

#[test]
fn limits_are_of_the_verilog_that_stands_here() {
    let all = Results::read(&root().join("docs/results/limits_ecp5.json")).expect("committed");
    assert_eq!(all.rows.len(), Limit::ALL.len());
    for limit in Limit::ALL {
        let (name, modules) = (limit.name(), limit.modules());
        let job = limit.job(&name, &modules, 3);
        let row = all.of(&name, &job.shape, Target::Ecp5).expect("a row");
        assert_eq!(row.verilog, job.fingerprint(), "{name}: measure it again");
    }
}

#[test]
fn what_grows_is_told() {
    let then = results("ecp5").rows.remove(0);
    let changed = |change: &dyn Fn(&mut Row)| {
        let mut now = then.clone();
        change(&mut now);
        grown(&now, &then).len()
    };
    assert_eq!(changed(&|_| ()), 0);
    // The check permits 5 % and refuses one LUT more.
    let allowed = then.area.lut * 105 / 100;
    assert_eq!(changed(&|now| now.area.lut = allowed), 0);
    assert_eq!(changed(&|now| now.area.lut = allowed + 1), 1);
    assert_eq!(changed(&|now| now.area.ff *= 2), 1);
    assert_eq!(changed(&|now| now.area.ram18 += 1), 1);
    assert_eq!(changed(&|now| now.area.dsp += 1), 1);
    assert_eq!(changed(&|now| now.longest.levels += 1), 1);
    let drives = |pins: u32| {
        let mut row = then.clone();
        for load in [&mut row.fanout.enable, &mut row.fanout.reset] {
            load.as_mut().expect("a block has both").pins = pins;
        }
        row
    };
    let grows = |before, now| grown(&drives(now), &drives(before)).len();
    assert_eq!([grows(900, 1000), grows(1000, 1001), grows(1001, 2000)], [0, 2, 0]);
    assert_eq!(changed(&|now| now.tools[0] = "Yosys 0.23".into()), 1);
    let slower = |percent: f64| {
        changed(&|now| now.clock.iter_mut().for_each(|clock| clock.mhz *= 1.0 - percent / 100.0))
    };
    assert_eq!((slower(9.0), slower(11.0)), (0, 1));
    assert_eq!(changed(&|now| now.area.lut /= 2), 0, "less is no fault");
}

#[test]
fn a_row_takes_the_place_of_its_like() {
    let mut all = results("ecp5");
    let (count, mut row) = (all.rows.len(), all.rows[0].clone());
    row.area.lut = 1;
    all.put(row.clone());
    assert_eq!((all.rows.len(), all.rows[0].area.lut), (count, 1));
    row.shape = "1024 connections".into();
    all.put(row);
    assert_eq!(all.rows.len(), count + 1);
}

/// Parallel runs end in any order. The order of a file's rows does not depend on the order of the ends.
#[test]
fn rows_are_in_the_same_order_however_they_come() {
    for file in ["synth_xcup", "synth_ecp5", "shapes_xcup", "limits_ecp5", "yardstick_xcup", "yardstick_ecp5"]
    {
        let read = Results::read(&root().join(format!("docs/results/{file}.json"))).expect("committed");
        let mut again = Results::default();
        read.rows.iter().rev().for_each(|row| again.put(row.clone()));
        assert_eq!(again, read, "{file}");
    }
}
