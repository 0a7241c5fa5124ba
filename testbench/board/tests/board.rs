//! The board under Verilator: the signatures of the models, over its UART; faults that must be found.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use weft_board::{Error, Led, Link, Register, Report, Run, Simulated, Verilog};
use weft_board::{reps_events, smartt_events};
use weft_nic::block::{reps, smartt};
use weft_params::{RepsParams, SmarttParams};

const EVENTS: u32 = 10_000;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn verilog() -> Verilog {
    Verilog::read(&root()).expect("the Verilog")
}

fn switched_on(verilog: &Verilog) -> Link<Simulated> {
    Link::new(verilog.board().expect("it builds"))
}

#[track_caller]
fn report(link: &mut Link<Simulated>, run: &Run) -> Report {
    weft_board::check(link, run).expect("a board")
}

#[test]
fn the_constants_are_fresh() {
    for (name, text) in weft_board::files().expect("texts") {
        let held = std::fs::read_to_string(root().join("fpga/ecp5").join(name)).expect(name);
        assert_eq!(held, text, "{name} is stale: run weft board constants");
    }
}

#[test]
fn the_verilog_is_read_without_a_word() {
    verilog().lint().expect("no warning");
}

/// One board makes run after run, with several seeds and every mode of both blocks.
#[test]
fn its_signatures_are_those_of_the_models() {
    let mut link = switched_on(&verilog());
    for (seed, config) in [(1, 0), (0, 0), (u32::MAX, 0), (7, 0x04), (8, 0x4A), (9, 0x11), (10, 0x23)] {
        let run = Run { seed, events: EVENTS, config };
        let report = report(&mut link, &run);
        assert!(report.passes(), "{report}");
        assert_eq!(link.port().led(), Led::Pass);
    }
    // With a wrong expectation, the board itself reports a difference.
    link.write(Register::ExpectedSmartt, 0).expect("written");
    link.read(Register::Status).expect("read");
    assert_eq!(link.port().led(), Led::Fail([false, true]));
}

/// The run after configuration, without any command: a million events of each block.
#[test]
fn the_first_run_goes_by_itself() {
    let mut board = verilog().board().expect("it builds");
    assert!(board.turn(5_000).expect("clocks"));
    assert_eq!(board.led(), Led::Running);
    for _ in 0..10_000 {
        if !board.turn(1_000).expect("clocks") {
            break;
        }
    }
    assert_eq!(board.led(), Led::Pass);
}

fn plant(verilog: &mut Verilog, file: &str, old: &str, new: &str) {
    let (_, text) = verilog.files.iter_mut().find(|(name, _)| name == file).expect(file);
    assert_eq!(text.matches(old).count(), 1, "{old} in {file}");
    *text = text.replace(old, new);
}

/// One wrong bit in some answers: the file, the text, and the block whose signature shows the fault.
const FAULTS: [(&str, &str, &str, [bool; 2]); 2] = [
    // A reused entropy value of connection 5.
    (
        "weft_reps.v",
        "assign m_axis_decision_tdata = ",
        "assign m_axis_decision_tdata = {15'd0, m_axis_decision_tid == 8'd5 && m_axis_decision_tuser[5:4] == 2'd3} ^ ",
        [true, false],
    ),
    // A window of connection 5 that QuickAdapt set.
    (
        "weft_smartt.v",
        "assign m_axis_window_tdata = ",
        "assign m_axis_window_tdata = {31'd0, m_axis_window_tid == 8'd5 && m_axis_window_tuser[3:0] == 4'd9} ^ ",
        [false, true],
    ),
];

#[test]
fn a_planted_fault_is_shown() {
    let run = Run { events: EVENTS, ..Run::default() };
    for (file, old, new, shows) in FAULTS {
        let mut verilog = verilog();
        plant(&mut verilog, file, old, new);
        let mut link = switched_on(&verilog);
        let report = report(&mut link, &run);
        assert!(!report.passes(), "{file}: {report}");
        assert_eq!(report.equal, shows.map(|wrong| !wrong), "{file}: {report}");
        assert_eq!(link.port().led(), Led::Fail(shows), "{file}");
    }
}

/// The line has earlier bytes, a frame in pieces, or a flipped bit: the board still answers the next request.
#[test]
fn noise_on_the_line_does_no_harm() {
    let mut link = switched_on(&verilog());
    let seed = link.read(Register::Seed).expect("read");
    for noise in [
        &b"\r\nAT\r\n"[..],
        &[0xA5],
        &[0xA5, 0x82, 1, 2],
        &[0x5A; 20],
        // A write of SEED with one bit turned over.
        &[0xA5, 0x82, 5, 0, 0, 0, 0xA5 ^ 0x82 ^ 4],
    ] {
        link.port().write_all(noise).expect("taken");
        assert_eq!(link.read(Register::Seed).expect("read"), seed, "{noise:x?}");
    }
    assert_eq!(link.read(Register::Id).expect("read").to_le_bytes(), *b"WFT1");
}

/// A port without a device.
struct Nobody;

impl Read for Nobody {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        Ok(0)
    }
}

impl Write for Nobody {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn silence_is_told() {
    let run = Run { events: 1, ..Run::default() };
    let said = weft_board::check(&mut Link::new(Nobody), &run);
    assert!(matches!(said, Err(Error::Silent)), "{said:?}");
    assert!(Run { config: 0x30, ..run }.check().is_err());
    assert!(Run { config: 0x80, ..run }.check().is_err());
}

/// Checks that the events reach every kind, source and case, and that freezes begin and end. Otherwise a run
/// would test nothing.
#[test]
fn the_events_reach_every_rule() {
    let run = Run { events: EVENTS, ..Run::default() };
    let mut reps = reps::Reps::new(RepsParams::default(), run.reps_csr());
    let mut seen = BTreeSet::new();
    for event in reps_events(run.seed).take(EVENTS as usize) {
        let outcome = reps.step(&event);
        assert!(outcome.accepted, "{event:?}");
        seen.insert(format!("{:?}", outcome.kind));
        if outcome.kind == reps::Kind::Send {
            seen.insert(format!("{:?}", outcome.source));
        }
        if outcome.turned {
            seen.insert(format!("frozen {} by {:?}", outcome.frozen, outcome.kind));
        }
    }
    let mut smartt = smartt::Smartt::new(SmarttParams::default(), run.smartt_csr().expect("registers"));
    for event in smartt_events(run.seed).take(EVENTS as usize) {
        let outcome = smartt.step(&event);
        assert!(outcome.accepted, "{event:?}");
        seen.insert(format!("{:?}", outcome.case));
    }
    let mut wanted: BTreeSet<String> = reps::Kind::ALL.map(|kind| format!("{kind:?}")).into();
    wanted.extend(["Explored", "Recycled", "Reused"].map(String::from));
    wanted
        .extend(["true by Timeout", "false by Ack", "false by PathOk"].map(|turn| format!("frozen {turn}")));
    wanted.extend(smartt::Case::ALL.map(|case| format!("{case:?}")));
    for what in wanted {
        assert!(seen.contains(&what), "no {what}: {seen:#?}");
    }
}
