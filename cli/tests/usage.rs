//! Wrong usage: the command exits with code 2 and prints one line that says what to do instead.

mod command;

use command::{text, weft};
use std::path::Path;

/// Checks that the command refuses these arguments, prints nothing else and writes nothing. Returns its line
/// of error.
#[track_caller]
fn refused(words: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let output = weft(folder.path(), words);
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{words}: {told}");
    assert!(
        told.starts_with("weft: ") && told.lines().count() == 1 && told.ends_with('\n'),
        "{words}: {told}"
    );
    assert!(output.stdout.is_empty(), "{words}: {}", text(&output.stdout));
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0, "{words}");
    told["weft: ".len()..told.len() - 1].to_owned()
}

#[test]
fn help_without_such_a_command_names_a_help_that_there_is() {
    for words in ["help emits", "help --help", "cosim help blocks"] {
        let told = refused(words);
        let help = told.rsplit_once("; ").expect("a hint").1.strip_suffix(" says more").expect("a hint");
        let words = help.strip_prefix("weft ").expect("the command");
        let output = weft(Path::new("."), words);
        assert!(output.status.success(), "{help}: {}", text(&output.stderr));
    }
}

#[test]
fn a_flag_of_another_command_is_answered_with_that_command() {
    for (words, answer) in [
        (
            "cosim block smartt --ack-loss 0.1",
            "--ack-loss is a flag of `weft cosim transport`: weft cosim transport --ack-loss 0.1",
        ),
        (
            "cosim block reps --loss 0.1",
            "--loss is a flag of `weft cosim transport` and `weft cosim nic`: weft cosim transport --loss 0.1",
        ),
        (
            "cosim block reps --seed 7 --loss=0.1 --cycles 5",
            "--loss is a flag of `weft cosim transport` and `weft cosim nic`: weft cosim transport --loss 0.1",
        ),
        (
            "cosim block smartt --depth 4",
            "--depth is a flag of `weft cosim block reps`: weft cosim block reps --depth 4",
        ),
        (
            "cosim transport --signals ecn",
            "--signals is a flag of `weft cosim incast`: weft cosim incast --signals ecn",
        ),
        (
            "cosim fabric x.toml --scenario allreduce",
            "--scenario is a flag of `weft cosim nic`: weft cosim nic --scenario allreduce",
        ),
        (
            "cosim transport --threads 2",
            "--threads is a flag of `weft cosim nic` and `weft cosim fabric`: weft cosim nic --threads 2",
        ),
        ("prove smartt --mutants 9", "--mutants is a flag of `weft prove reps`: weft prove reps --mutants 9"),
        ("doctor --c-header", "--c-header is a flag of `weft params`: weft params --c-header"),
        ("cosim --ev-mode ops", "--ev-mode is a flag of `weft cosim nic`: weft cosim nic --ev-mode ops"),
        (
            "cosim replay x.json --wave w.vcd",
            "--wave is a flag of `weft cosim block reps`, `weft cosim block smartt`, `weft cosim block nscc` and others: \
             weft cosim block reps --wave w.vcd",
        ),
    ] {
        assert_eq!(refused(words), answer, "{words}");
    }
}

#[test]
fn flags_that_are_commands_are_answered_with_those() {
    for (words, answer) in [
        ("cosim --block reps --cycles 5", "--block is not a flag: weft cosim block reps --cycles 5"),
        ("cosim --seed 3 --block=sack_tx", "--block is not a flag: weft cosim block sack_tx --seed 3"),
        ("-v cosim --nic --scenario allreduce", "--nic is not a flag: weft cosim nic --scenario allreduce"),
        ("cosim --nic", "--nic is not a flag: weft cosim nic"),
        ("cosim --fabric a.toml --json", "--fabric is not a flag: weft cosim fabric a.toml --json"),
        ("cosim --block transport --loss 0.1", "--block is not a flag: weft cosim transport --loss 0.1"),
        ("cosim --block reps --replay x.json", "--block is not a flag: weft cosim replay x.json"),
        ("prove --block smartt --plant guard", "--block is not a flag: weft prove smartt --plant guard"),
        (
            "cosim --block smartt --scenario incast8",
            "--block is not a flag: weft cosim has block, transport, incast, nic, fabric, replay; weft cosim --help says more",
        ),
    ] {
        assert_eq!(refused(words), answer, "{words}");
    }
}

#[test]
fn other_mistakes_are_one_line() {
    for (words, says) in [
        (
            "cosim block reps --plant x",
            "invalid value 'x' for '--plant <BUG>' [possible values: forwarding, wrap, thaw]",
        ),
        ("cosim block smartt --plant wrap", "[possible values: rounding, guard, forward]"),
        ("cosim block rep", "unrecognized subcommand 'rep' tip: "),
        (
            "cosim block smartt --cycels 5",
            "unexpected argument '--cycels' found tip: a similar argument exists: '--cycles'",
        ),
        (
            "cosim block smartt more",
            "unexpected argument 'more' found; weft cosim block smartt --help says more",
        ),
        (
            "cosim nic",
            "the following required arguments were not provided: <--scenario <SCENARIO>|--trace <FILE>>",
        ),
        ("cosim block reps --tick-ns 5", "--trace <FILE>"),
        ("cosim block reps --csr mode=ops", "--trace <FILE>"),
        (
            "cosim block reps --trace a --cycles 5",
            "the argument '--trace <FILE>' cannot be used with '--cycles <CLOCKS>'",
        ),
        ("cosim block reps --connections 5", "connections = 5 is not possible"),
        ("cosim block sack_rx --connections 5", "connections = 5 is not possible"),
        ("cosim transport --connections 5", "connections = 5 is not possible"),
        ("cosim nic --scenario pair --connections 5", "connections = 5 is not possible"),
        (
            "cosim incast --senders 300",
            "--senders 300 is not possible; use 1 to 256, the connections of the block",
        ),
        ("cosim incast --senders 0", "senders = 0 is not possible"),
        ("cosim fabric none.toml", "cannot read none.toml"),
        ("cosim replay none.json", "cannot read none.json"),
        ("cosim block reps --trace none.pcapng --out out.pcapng", "none.pcapng"),
        ("emit smartt --out rtl --depth 4", "--depth is a flag of `weft emit reps`"),
        ("emit reps --out rtl --width 256", "--width is a flag of `weft emit nic`"),
        (
            "emit reps --out rtl --bypass-user 17",
            "--bypass-user is a flag of `weft emit ingress` and `weft emit egress` and `weft emit nic`",
        ),
        (
            "emit smartt --out rtl --window nscc",
            "--window is a flag of `weft emit sender` and `weft emit nic`",
        ),
        ("emit nic --out rtl --window dctcp", "[possible values: smartt, nscc]"),
        ("emit nic --out rtl --bypass-user 0", "bypass-user = 0 is not possible: use 1 to 128 bits"),
        ("emit egress --out rtl --bypass-user 129", "bypass-user = 129 is not possible: use 1 to 128 bits"),
        (
            "emit nic --out rtl --width 256 --bypass-user 97",
            "bypass-user = 97 is not possible: use 1, or a width of 512",
        ),
        ("emit reps --out rtl --depth 5", "depth = 5 is not possible"),
        ("emit reps --out rtl --prefix 2nd", "does not begin with a digit"),
        ("emit nothing --out rtl", "[possible values: reps, smartt, nscc, sack_rx, "),
        (
            "emit reps",
            "the following required arguments were not provided: --out <FOLDER>; weft emit --help says more",
        ),
        ("prove reps --seed 3", "--mutants <N>"),
        ("switch --program none", "there is no program none; use one of "),
        ("switch --pagse", "similar argument exists: '--pages'"),
        ("trace info none.pcapng", "none.pcapng"),
    ] {
        let told = refused(words);
        assert!(told.contains(says), "{words}: {told}");
    }
}

/// Tests that the terminal shows the text of a file as plain text, for any characters.
#[test]
fn control_characters_of_a_file_are_escaped() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = "[topology]\nkind = \"leaf-spine\"\nleaves = 2\nspines = 2\nhosts_per_leaf = 4\n[scheme]\nname = \"ecmp\"\n\
                [workload]\nkind = \"goal\"\nfile = \"a.goal\"\n";
    std::fs::write(folder.path().join("a.toml"), file).expect("written");
    for (word, escaped) in [("\x1b[2J", "\\u{1b}"), ("\0", "\\u{0}"), ("\u{9b}31m", "\\u{9b}")] {
        let goal = format!("num_ranks 2\nrank 0 {{ {word} }}\n");
        std::fs::write(folder.path().join("a.goal"), goal).expect("written");
        let output = weft(folder.path(), "sim a.toml");
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains(escaped) && told.trim_end().chars().all(|it| !it.is_control()), "{told}");
    }
}

/// Tests that the command detects a truncated file before it writes anything.
#[test]
fn a_file_that_is_cut_off_is_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../traces/reps_dead.pcapng"));
    let whole = whole.expect("a capture of the project");
    std::fs::write(folder.path().join("cut.pcapng"), &whole[..whole.len() - 7]).expect("written");
    std::fs::write(folder.path().join("cut.json"), b"{\"claim\": \"x").expect("written");
    let before = std::fs::read_dir(folder.path()).expect("a folder").count();
    for words in [
        "trace info cut.pcapng",
        "cosim block reps --trace cut.pcapng --out out.pcapng --plot out.svg",
        "cosim replay cut.json",
    ] {
        let output = weft(folder.path(), words);
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words}: {told}");
        assert!(told.starts_with("weft: cut.") && told.lines().count() == 1, "{words}: {told}");
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), before, "{words}");
    }
}

/// Files cannot be made below a file, not even by root.
#[test]
fn a_cache_that_cannot_be_written_is_missing() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = folder.path().join("file").join("cache");
    std::fs::write(folder.path().join("file"), "").expect("a file");
    let weft = |words: &str| {
        let mut weft = std::process::Command::new(env!("CARGO_BIN_EXE_weft"));
        weft.args(words.split_whitespace()).env("WEFT_VERILATOR_CACHE", &cache).output().expect("weft runs")
    };
    let what_to_do = "set WEFT_VERILATOR_CACHE to a folder that you may write";

    let doctor = weft("doctor");
    let (printed, told) = (text(&doctor.stdout), text(&doctor.stderr));
    let row = printed.lines().find(|line| line.starts_with("cache ")).expect("a row");
    let missing = format!("MISSING: cannot write in {}: ", cache.display());
    assert!(row.contains(&missing) && row.contains(what_to_do), "{row}");
    assert!(!printed.contains("all needed tools are installed"), "{printed}");
    assert!(doctor.status.code() == Some(2) && told.contains(what_to_do), "{told}");

    let cosim = weft("cosim transport --connections 16 --messages 10 --sender rtl --receiver model");
    let told = text(&cosim.stderr);
    assert!(cosim.status.code() == Some(2) && told.lines().count() == 1, "{told}");
    assert!(
        told.contains(&cache.display().to_string()) && told.ends_with(&format!("; {what_to_do}\n")),
        "{told}"
    );
}
