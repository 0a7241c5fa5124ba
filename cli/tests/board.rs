//! Tests of `weft board`: with simulated boards, good and faulty, and with ports without a board.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

const WEFT: &str = env!("CARGO_BIN_EXE_weft");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn check(port: &str, more: &[&str]) -> Output {
    Command::new(WEFT).args(["board", "check", port]).args(more).output().expect("weft runs")
}

/// A simulated board; dropping this value ends its process.
struct Board {
    process: Child,
    port: String,
}

impl Board {
    fn of(root: &Path) -> Self {
        let mut command = Command::new(WEFT);
        command.args(["board", "simulate", "--root"]).arg(root).stdout(Stdio::piped());
        let mut process = command.spawn().expect("weft runs");
        let mut port = String::new();
        let said = process.stdout.take().expect("a pipe");
        BufReader::new(said).read_line(&mut port).expect("a line");
        Self { process, port: port.trim().into() }
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[track_caller]
fn prints(output: &Output, code: i32, says: &[&str]) {
    let (out, told) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{out}{told}");
    let line = if code == 2 { &told } else { &out };
    assert_eq!(line.lines().count(), 1, "{out}{told}");
    for part in says {
        assert!(line.contains(part), "{part}: {line}");
    }
}

#[test]
fn a_board_that_is_as_the_models_passes() {
    let board = Board::of(&root());
    let few = ["--events", "3000"];
    prints(&check(&board.port, &few), 0, &[&board.port, "pass", "3000 events"]);
    prints(
        &check(&board.port, &[&few[..], &["--seed", "7", "--config", "0x45"]].concat()),
        0,
        &["pass", "0x45"],
    );
}

/// The faulty board has one wrong bit in one kind of answer.
#[test]
fn a_faulty_board_fails() {
    let folder = tempfile::tempdir().expect("a folder");
    for part in ["hdl/verilog/prim", "hdl/verilog/part", "hdl/verilog/block", "hdl/verilog", "fpga/ecp5"] {
        fs::create_dir_all(folder.path().join(part)).expect("made");
        for entry in fs::read_dir(root().join(part)).expect("read").flatten() {
            if entry.path().is_file() {
                fs::copy(entry.path(), folder.path().join(part).join(entry.file_name())).expect("copied");
            }
        }
    }
    let path = folder.path().join("hdl/verilog/block/weft_smartt.v");
    let text = fs::read_to_string(&path).expect("read");
    let (port, fault) = ("assign m_axis_window_tdata = ", "{31'd0, m_axis_window_tuser[3:0] == 4'd10} ^ ");
    assert_eq!(text.matches(port).count(), 1);
    fs::write(&path, text.replace(port, &format!("{port}{fault}"))).expect("written");
    let board = Board::of(folder.path());
    prints(&check(&board.port, &["--events", "10000"]), 1, &["FAIL: SMaRTT's signature is"]);
}

#[test]
fn a_port_without_a_board_is_told_in_a_line() {
    prints(&check("/nowhere", &[]), 2, &["/nowhere"]);
    prints(&check("/dev/null", &[]), 2, &["/dev/null", "not a serial port"]);
    prints(&check("/dev/null", &["--config", "0x30"]), 2, &["CONFIG 0x30"]);
    let nobody = weft_board::PseudoTerminal::new().expect("a pseudo-terminal");
    prints(&check(&nobody.port, &["--events", "1"]), 2, &[&nobody.port, "no answer"]);
}
