//! `weft emit --prefix`: two shapes of a block stand in one design.

use std::fs;
use std::path::Path;
use std::process::Command;

fn emit(flags: &str, out: &Path) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_weft"));
    let words = format!("emit reps --no-gate {flags}");
    let output = command.args(words.split(' ')).arg("--out").arg(out).output().expect("weft runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn files(folder: &Path, list: &str) -> Vec<String> {
    let text = fs::read_to_string(folder.join(list)).expect("a list");
    text.lines().map(String::from).collect()
}

/// A tool reads both shapes below one top and has nothing to say.
fn reads(folder: &Path, tool: &str, flags: &str, files: &[String]) {
    let mut command = Command::new(tool);
    command.current_dir(folder).args(flags.split(' ')).arg("both.v").args(files);
    let output = command.output().expect("the tool runs");
    let said = [output.stdout, output.stderr].concat();
    assert!(output.status.success() && said.is_empty(), "{tool}: {}", String::from_utf8_lossy(&said));
}

#[test]
fn two_shapes_stand_in_one_design() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    emit("--connections 16", folder);
    emit("--connections 4 --depth 4 --prefix small", folder);

    let (plain, small) = (files(folder, "weft_reps.f"), files(folder, "small_weft_reps.f"));
    assert_eq!(plain.len(), small.len());
    for (plain, small) in plain.iter().zip(&small) {
        assert_eq!(*small, plain.replacen("/weft_", "/small_weft_", 1));
        let text = fs::read_to_string(folder.join(small)).expect("a module");
        let name = Path::new(small).file_stem().expect("a name").to_string_lossy().into_owned();
        assert!(text.contains(&format!("module {name} ")), "{small}");
        // Nothing names a module of the other shape.
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
    let all = [plain, small].concat();
    reads(folder, "verilator", "--lint-only -Wall -Wno-PINMISSING -Wno-DECLFILENAME --top-module both", &all);
    reads(folder, "iverilog", "-g2005 -t null -s both", &all);
}
