//! Modules of the user in place of emitted ones, as docs/own-verilog.md shows: `weft equiv`, `prove
//! --verilog`, `cosim block --verilog`, `mutate --verilog`.

mod command;

use command::{text, weft};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

/// An example of the page.
fn example(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/own_verilog").join(name).display().to_string()
}

/// An emitted module.
fn emitted(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../hdl/verilog").join(file);
    fs::read_to_string(path).expect("an emitted module")
}

/// A folder with an emitted module in which one text, which occurs exactly once, is replaced.
fn changed(file: &str, changes: &[(&str, &str)]) -> tempfile::TempDir {
    let mut module = emitted(file);
    for (from, to) in changes {
        assert_eq!(module.matches(from).count(), 1, "`{from}`: let this test follow the RTL");
        module = module.replace(from, to);
    }
    let folder = tempfile::tempdir().expect("a folder");
    let name = PathBuf::from(file);
    fs::create_dir(folder.path().join("mine")).expect("a folder");
    fs::write(folder.path().join("mine").join(name.file_name().expect("a name")), module).expect("written");
    folder
}

#[track_caller]
fn ends(output: &Output, code: i32, says: &[&str]) {
    let said = format!("{}{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{said}");
    says.iter().for_each(|says| assert!(said.contains(says), "no `{says}` in {said}"));
}

/// Exit code 2 and one line.
#[track_caller]
fn refused(output: &Output, says: &str) {
    ends(output, 2, &[says]);
    assert_eq!(text(&output.stderr).lines().count(), 1, "{}", text(&output.stderr));
}

#[test]
fn a_queue_written_otherwise_is_the_same_from_reset_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let words = format!("equiv weft_fifo --param W=2 --param D=2 --verilog {}", example("fifo"));
    ends(&weft(folder.path(), &words), 0, &["weft_fifo #(.W(2), .D(2)): equal, from reset on"]);
}

#[test]
fn a_core_with_another_encoding_is_the_same_for_every_input_and_is_proved() {
    let folder = tempfile::tempdir().expect("a folder");
    let words = format!("equiv weft_reps_control_core --verilog {}", example("reps_core"));
    ends(&weft(folder.path(), &words), 0, &["from", "weft_reps_control_core: equal, for every input"]);
    let words = format!("prove reps --connections 4 --verilog {}", example("reps_core"));
    ends(&weft(folder.path(), &words), 0, &["weft_reps: ", "claims, proved"]);
}

#[test]
fn a_freeze_while_exploring_is_found() {
    let folder = changed(
        "block/weft_reps_control_core.v",
        &[("!frozen & !exploring & (trimming", "!frozen & (trimming")],
    );
    let run = |words: &str| weft(folder.path(), words);
    ends(
        &run("equiv weft_reps_control_core --verilog mine"),
        1,
        &["DIFFERS", "turned is 1'h1, emitted 1'h0"],
    );
    ends(
        &run("prove reps --verilog mine --connections 4"),
        1,
        &["REFUTED", "counterexample: weft cosim replay"],
    );
    ends(&run("cosim replay weft_reps_event.json"), 1, &["is_frozen"]);
}

#[test]
fn what_cannot_be_used_is_told_in_a_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |words: &str| weft(folder.path(), words);
    refused(&run("prove reps --verilog none"), "none: No such file");
    fs::create_dir(folder.path().join("mine")).expect("a folder");
    refused(&run("prove reps --verilog mine"), "mine: no file (*.v, *.sv) has a module; give the folder");
    let write =
        |name: &str, module: &str| fs::write(folder.path().join("mine").join(name), module).expect("written");
    write("stranger.v", "module stranger; endmodule");
    refused(&run("prove reps --verilog mine"), "it has stranger, and no module of weft_reps");
    refused(&run("cosim block reps --verilog mine"), "it has stranger, and no module of weft_reps");
    refused(&run("cosim nic --scenario pair --verilog mine"), "it has stranger, and no module of weft_nic");
    refused(
        &run("cosim nic --scenario pair --view model --verilog mine"),
        "--verilog needs the RTL: use --view rtl",
    );
    refused(&run("mutate --block reps --verilog mine"), "it has stranger, and no module of weft_reps");
    refused(&run("mutate --block all --verilog mine"), "--verilog needs one block");
    refused(&run("equiv weft_nothing --verilog mine"), "no block has a module weft_nothing");
    refused(&run("prove reps --connections 4"), "--verilog");
    write("stranger.v", "`include \"x.vh\"\nmodule weft_reps_front; endmodule");
    refused(&run("prove reps --verilog mine"), "`include: weft reads modules without the preprocessor");
    write("stranger.v", "module weft_reps_front(input clk, output [2:0] q); assign q = {3{clk}}; endmodule");
    ends(&run("equiv weft_reps_front --verilog mine"), 1, &["DIFFERS", "input rst has no bits, emitted 1"]);
}

#[test]
fn a_name_that_the_proof_follows_is_asked_for() {
    // Another name of a register, in its only place and where it is read.
    let module = emitted("block/weft_reps_front.v");
    let name = module.lines().find_map(|line| line.trim().split_once(" <= ")).expect("a register").0;
    let name = name.split_whitespace().next_back().expect("a name");
    let folder =
        changed("block/weft_reps_front.v", &[(&module, &module.replace(name, &format!("{name}_of_mine")))]);
    let run = |words: &str| weft(folder.path(), words);
    refused(&run("prove reps --verilog mine"), &format!("{name}`: keep its name"));
    ends(&run("equiv reps --verilog mine"), 0, &["equal, from reset on, for every input, with"]);
}
