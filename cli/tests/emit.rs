//! `weft emit --prefix`: two shapes of a block in one design. `weft emit --window`: another window in the sender.

use std::fs;
use std::path::Path;
use std::process::Command;

fn emit(flags: &str, out: &Path) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_weft"));
    let words = format!("emit --no-gate {flags}");
    let output = command.args(words.split(' ')).arg("--out").arg(out).output().expect("weft runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn files(folder: &Path, list: &str) -> Vec<String> {
    let text = fs::read_to_string(folder.join(list)).expect("a list");
    text.lines().map(String::from).collect()
}

/// Runs a tool on the files, and checks that the tool reports no problem.
fn reads(folder: &Path, tool: &str, flags: &str, files: &[String]) {
    let mut command = Command::new(tool);
    command.current_dir(folder).args(flags.split(' ')).args(files);
    let output = command.output().expect("the tool runs");
    let said = [output.stdout, output.stderr].concat();
    assert!(output.status.success() && said.is_empty(), "{tool}: {}", String::from_utf8_lossy(&said));
}

#[test]
fn two_shapes_stand_in_one_design() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    emit("reps --connections 16", folder);
    emit("reps --connections 4 --depth 4 --prefix small", folder);

    let (plain, small) = (files(folder, "weft_reps.f"), files(folder, "small_weft_reps.f"));
    assert_eq!(plain.len(), small.len());
    for (plain, small) in plain.iter().zip(&small) {
        assert_eq!(*small, plain.replacen("/weft_", "/small_weft_", 1));
        let text = fs::read_to_string(folder.join(small)).expect("a module");
        let name = Path::new(small).file_stem().expect("a name").to_string_lossy().into_owned();
        assert!(text.contains(&format!("module {name} ")), "{small}");
        // No file names a module of the other shape.
        let words = |text: &str| -> Vec<String> {
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
            text.split(|c| !is_part(c)).map(String::from).collect()
        };
        assert!(!words(&text).iter().any(|word| word.starts_with("weft_")), "{small}");
    }
    let core = fs::read_to_string(folder.join("small_weft_reps.core")).expect("a core");
    assert!(core.contains("name: weft:nic:small_weft_reps:") && core.contains("toplevel: small_weft_reps\n"));

    let both = "module both (input wire clk, input wire rst);\n\
                weft_reps wide (.clk(clk), .rst(rst));\n\
                small_weft_reps narrow (.clk(clk), .rst(rst));\n\
                endmodule\n";
    fs::write(folder.join("both.v"), both).expect("written");
    let all = [vec!["both.v".into()], plain, small].concat();
    reads(folder, "verilator", "--lint-only -Wall -Wno-PINMISSING -Wno-DECLFILENAME --top-module both", &all);
    reads(folder, "iverilog", "-g2005 -t null -s both", &all);
}

#[test]
fn a_sender_has_the_window_that_was_asked_for() {
    let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let [smartt, nscc] = folders.each_ref().map(|folder| folder.path());
    emit("sender --connections 4", smartt);
    emit("sender --connections 4 --window nscc", nscc);
    let lists = [smartt, nscc].map(|folder| files(folder, "weft_sender.f"));
    let of = |files: &[String], window: &str| files.iter().filter(|file| file.contains(window)).count();
    let [left, came] = &lists;
    assert!(of(left, "weft_smartt") > 0 && of(left, "weft_nscc") == 0, "{left:?}");
    assert!(of(came, "weft_smartt") == 0 && of(came, "weft_nscc") > 0, "{came:?}");

    // All other text is the same, except the name of the module and a line about the window.
    let window = |file: &&String| file.contains("weft_smartt") || file.contains("weft_nscc");
    for file in came.iter().filter(|file| !window(file) && left.contains(file)) {
        let [before, after] =
            [smartt, nscc].map(|folder| fs::read_to_string(folder.join(file)).expect("a module"));
        if file.ends_with("/weft_sender.v") {
            let line = after.lines().find(|line| line.starts_with("//   window = nscc")).expect("a line");
            let after =
                after.replacen(&format!("{line}\n"), "", 1).replacen("weft_nscc #(", "weft_smartt #(", 1);
            assert_eq!(before, after);
        } else {
            assert_eq!(before, after, "{file}");
        }
    }
    reads(nscc, "verilator", "--lint-only -Wall --top-module weft_sender", came);
    let core = fs::read_to_string(nscc.join("weft_sender.core")).expect("a core");
    assert!(core.contains("4 connections, NSCC\n"), "{core}");
}
