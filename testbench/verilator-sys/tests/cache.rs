//! Tests of when a model is built, and of the files left behind.

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use common::{lanes, with};
use tempfile::{TempDir, tempdir};
use verilator_sys::{Build, Error, Library, Reset, find};

/// A module whose output is `value`, an expression.
fn constant(value: &str) -> String {
    format!("module constant(output wire [31:0] q); assign q = {value}; endmodule\n")
}

/// The build optimises little, because these models run only briefly.
fn module() -> Build {
    Build::new("constant").cxx_argument("-O0")
}

fn value(library: &Arc<Library>) -> u64 {
    let mut instance = library.instance(Reset::Zeros).unwrap();
    instance.eval().unwrap();
    instance.get(library.port("q").unwrap().id)
}

/// The Verilator of a lane.
fn tool(lane: &Option<PathBuf>) -> PathBuf {
    lane.clone().unwrap_or_else(|| find().unwrap().path)
}

/// A script in place of Verilator. For `--version` the script prints `version`; `otherwise` is shell code for
/// all other calls.
fn script(path: &Path, version: &str, otherwise: &str) {
    let text =
        format!("#!/bin/sh\nif [ \"$1\" = --version ]; then echo '{version}'; exit; fi\n{otherwise}\n");
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Names in a cache, except the remembered versions and the runtime's objects.
fn names(cache: &Path) -> Vec<String> {
    let entries = fs::read_dir(cache).unwrap().map(|entry| entry.unwrap());
    let names = entries.map(|entry| entry.file_name().into_string().unwrap());
    names.filter(|name| !name.ends_with(".memo")).collect()
}

#[test]
fn an_included_file_changes() {
    for lane in lanes() {
        let dir = tempdir().unwrap();
        // The path has a space: Verilator's list of dependencies for make does not quote.
        let include = dir.path().join("in cludes");
        fs::create_dir(&include).unwrap();
        let header = include.join("value.vh");
        let build = with(&lane, module())
            .text("constant.v", format!("`include \"value.vh\"\n{}", constant("`VALUE")))
            .include_dir(&include);
        // The libraries stay loaded: the new library must not be confused with the old one.
        let mut loaded = Vec::new();
        for number in [1, 2, 1] {
            fs::write(&header, format!("`define VALUE {number}\n")).unwrap();
            loaded.push(build.load().unwrap());
            assert_eq!(value(loaded.last().unwrap()), number);
        }
        // The file is found before the file that was included until now.
        let earlier = dir.path().join("earlier");
        fs::create_dir(&earlier).unwrap();
        let build = with(&lane, module())
            .text("constant.v", format!("`include \"value.vh\"\n{}", constant("`VALUE")))
            .include_dir(&earlier)
            .include_dir(&include);
        assert_eq!(value(&build.load().unwrap()), 1);
        fs::write(earlier.join("value.vh"), "`define VALUE 9\n").unwrap();
        assert_eq!(value(&build.load().unwrap()), 9);
    }
}

#[test]
fn a_source_parameter_macro_or_option_changes() {
    for lane in lanes() {
        let dir = tempdir().unwrap();
        let path = dir.path().join("constant.v");
        let build = with(&lane, module()).source(&path);
        let write = |value: &str| {
            let text = constant(value).replace("constant(", "constant #(parameter P = 3) (");
            fs::write(&path, text).unwrap();
        };
        write("1");
        assert_eq!(value(&build.load().unwrap()), 1);
        write("P");
        assert_eq!(value(&build.load().unwrap()), 3);
        assert_eq!(value(&build.clone().param("P", 4).load().unwrap()), 4);
        assert_eq!(value(&build.clone().param("P", "32'd5").load().unwrap()), 5);
        write("`M");
        assert_eq!(value(&build.clone().define("M", 6).load().unwrap()), 6);
        assert_eq!(value(&build.clone().argument("-DM=7").load().unwrap()), 7);
    }
}

#[test]
fn the_version_of_verilator_changes() {
    for lane in lanes() {
        let dir = tempdir().unwrap();
        let verilator = dir.path().join("verilator");
        let real = tool(&lane).display().to_string();
        let build = module().text("constant.v", constant("`SIDE")).verilator(&verilator);
        for (version, side) in [("5.030", 1), ("5.031", 2), ("5.030", 1)] {
            script(
                &verilator,
                &format!("Verilator {version} 2026"),
                &format!("exec '{real}' -DSIDE={side} \"$@\""),
            );
            assert_eq!(value(&build.load().unwrap()), side);
        }
    }
}

#[test]
fn nothing_changes() {
    for lane in lanes() {
        let dir = tempdir().unwrap();
        let (verilator, log) = (dir.path().join("verilator"), dir.path().join("log"));
        let real = tool(&lane);
        let logged = format!("echo run >> '{}'\nexec '{}' \"$@\"", log.display(), real.display());
        script(&verilator, "Verilator 5.040 2026", &logged);
        let build = module().text("constant.v", constant("8")).verilator(&verilator);
        let runs = || fs::read_to_string(&log).unwrap().lines().count();
        build.load().unwrap();
        // The second run tests whether Verilator has an option.
        assert_eq!(runs(), 2);
        let start = Instant::now();
        assert_eq!(value(&build.load().unwrap()), 8);
        assert_eq!(runs(), 2);
        println!("{:?} to load a cached model", start.elapsed());
    }
}

/// Verilator splits the C++ of large designs, which is then compiled in pieces.
#[test]
#[ignore = "soak: it takes a minute, and every block of the NIC is one"]
fn a_large_design() {
    for lane in lanes() {
        let build = module().text("constant.v", constant("12"));
        let build = with(&lane, build).argument("--output-split").argument("1");
        assert_eq!(value(&build.load().unwrap()), 12);
    }
}

#[test]
fn a_failed_build_leaves_nothing() {
    for lane in lanes() {
        let cache = tempdir().unwrap();
        let build = with(&lane, module()).cache_dir(cache.path());

        let syntax = build.clone().text("broken.v", constant("1 +")).load().unwrap_err();
        let Error::Verilate { command, text } = &syntax else { panic!("{syntax}") };
        assert!(command.contains("--top-module constant") && text.contains("broken.v:1:"), "{syntax}");

        let absent = build.clone().source("no/such/file.v").load().unwrap_err();
        assert!(absent.to_string().starts_with("no/such/file.v: "), "{absent}");

        let compiler =
            build.clone().text("constant.v", constant("1")).cxx_argument("--no-such-option").load();
        let compiler = compiler.unwrap_err();
        assert!(matches!(compiler, Error::Compile { .. }), "{compiler}");
        assert!(compiler.to_string().contains("--no-such-option"), "{compiler}");

        let inout = "module constant(inout wire z); endmodule";
        let inout = build.clone().text("constant.v", inout).load().unwrap_err();
        assert!(matches!(inout, Error::PortUnsupported { .. }), "{inout}");
        let leftovers: Vec<_> = names(cache.path()).into_iter().filter(|name| name.contains('.')).collect();
        assert!(leftovers.is_empty(), "{leftovers:?}");

        assert_eq!(value(&build.text("constant.v", constant("1")).load().unwrap()), 1);
    }
}

#[test]
fn lint_finds_what_a_build_accepts() {
    for lane in lanes() {
        let cache = tempdir().unwrap();
        let build = with(&lane, module()).cache_dir(cache.path());
        build.clone().text("constant.v", constant("1")).lint().unwrap();
        let unused = constant("1").replace("output", "input wire [3:0] spare, output");
        let build = build.text("constant.v", unused);
        let error = build.lint().unwrap_err();
        let Error::Lint { text, .. } = &error else { panic!("{error}") };
        assert!(text.contains("UNUSEDSIGNAL") && text.contains("constant.v:1:"), "{text}");
        build.load().unwrap();
        assert!(names(cache.path()).iter().all(|name| !name.contains('.')));
    }
}

#[test]
fn missing_and_old_tools() {
    let dir = tempdir().unwrap();
    let build = module().text("constant.v", constant("1"));
    let missing = build.clone().verilator("no-such-verilator").load().unwrap_err().to_string();
    assert_eq!(
        missing,
        "Verilator not found (tried `no-such-verilator`): install it (Debian: apt-get install verilator) or set VERILATOR to its path"
    );
    let old = dir.path().join("verilator");
    script(&old, "Verilator 4.228 2022-10-01 rev v4.228", "exit 1");
    let error = build.clone().verilator(&old).load().unwrap_err().to_string();
    assert!(error.contains("is too old (Verilator 4.228") && error.contains("5.006"), "{error}");
    // A snapshot without a number is accepted.
    script(
        &old,
        " rev vUNKNOWN-built20260516-4e853d8",
        &format!("exec '{}' \"$@\"", find().unwrap().path.display()),
    );
    build.verilator(&old).load().unwrap();
}

#[test]
fn names_are_checked() {
    for (build, what) in [
        (Build::new("a b"), "top module"),
        (Build::new("a").param("P;", 1), "parameter"),
        (Build::new("a").define("", 1), "macro"),
        (Build::new("a").text("../a.v", ""), "source text"),
    ] {
        let error = build.load().unwrap_err();
        assert!(matches!(error, Error::Name { .. }) && error.to_string().contains(what), "{error}");
    }
}

/// The part of the tests below that runs in a separate process. The environment names the model to build.
#[test]
fn child() {
    let Some(dir) = std::env::var_os("VSYS_TEST_CHILD").map(PathBuf::from) else { return };
    let build = module().text("constant.v", constant("77")).cache_dir(dir.join("cache"));
    match build.verilator(dir.join("verilator")).load() {
        Ok(library) => println!("value {}", value(&library)),
        Err(error) => println!("error {error}"),
    }
}

fn start_child(dir: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "child", "--nocapture"]).env("VSYS_TEST_CHILD", dir);
    command.stdout(Stdio::piped());
    command
}

fn said(child: Child) -> String {
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    let line = text.lines().find_map(|line| {
        let at = line.find("value ").or_else(|| line.find("error "))?;
        Some(line[at..].to_owned())
    });
    line.unwrap_or_else(|| panic!("{text}"))
}

#[test]
fn processes_share_one_build() {
    for lane in lanes() {
        let dir = tempdir().unwrap();
        let log = dir.path().join("log");
        // Only the run that generates code counts; the run lasts long enough for all threads to meet.
        let count = format!("case \"$*\" in *--cc*) echo run >> '{}'; sleep 1;; esac", log.display());
        let real = tool(&lane);
        let version = "Verilator 5.040 2026";
        script(&dir.path().join("verilator"), version, &format!("{count}\nexec '{}' \"$@\"", real.display()));
        let children: Vec<Child> = (0..3).map(|_| start_child(dir.path()).spawn().unwrap()).collect();
        for child in children {
            assert_eq!(said(child), "value 77");
        }
        assert_eq!(fs::read_to_string(&log).unwrap(), "run\n");
        assert!(names(&dir.path().join("cache")).iter().all(|name| !name.contains('.')));
    }
}

#[test]
fn a_killed_build_is_cleared_by_the_next() {
    let dir: TempDir = tempdir().unwrap();
    let (started, cache) = (dir.path().join("started"), dir.path().join("cache"));
    // The script ends with the directory, because a killed parent cannot end it.
    let stall = format!("touch '{0}'; while [ -e '{0}' ]; do sleep 0.1; done; exit 1", started.display());
    let stall = format!("case \"$*\" in *--cc*) {stall};; esac");
    script(&dir.path().join("verilator"), "Verilator 5.040 2026", &stall);
    let mut child = start_child(dir.path()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(30);
    while !started.exists() {
        assert!(Instant::now() < deadline, "the build did not start");
        sleep(Duration::from_millis(10));
    }
    let other = || module().text("constant.v", constant("5")).cache_dir(&cache);
    // Another build does not remove that artifact while it lives ...
    other().load().unwrap();
    assert_eq!(names(&cache).iter().filter(|name| name.ends_with(".tmp")).count(), 1);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(names(&cache).iter().filter(|name| name.ends_with(".tmp")).count(), 1);
    // ... and clears its remains once it is dead.
    other().define("ANOTHER", "").load().unwrap();
    assert!(names(&cache).iter().all(|name| !name.contains('.')), "{:?}", names(&cache));
}

#[test]
fn a_missing_compiler_is_named() {
    let dir = tempdir().unwrap();
    script(&dir.path().join("verilator"), "Verilator 5.040 2026", "exit 1");
    let child = start_child(dir.path()).env("CXX", "no-such-compiler -O9").spawn().unwrap();
    assert_eq!(
        said(child),
        "error C++ compiler not found (tried `no-such-compiler -O9`): install it (Debian: apt-get install g++) or set CXX"
    );
}

#[test]
fn missing_headers_name_their_package() {
    let dir = tempdir().unwrap();
    // A compiler that fails as one does without zlib1g-dev.
    let compiler = dir.path().join("cxx");
    script(
        &compiler,
        "g++ 12",
        "echo 'fst.h:1:10: fatal error: zlib.h: No such file or directory' >&2; exit 1",
    );
    let real = find().unwrap().path;
    script(
        &dir.path().join("verilator"),
        "Verilator 5.040 2026",
        &format!("exec '{}' \"$@\"", real.display()),
    );
    let child = start_child(dir.path()).env("CXX", &compiler).spawn().unwrap();
    assert_eq!(
        said(child),
        "error C header zlib.h not found: install it (Debian: apt-get install zlib1g-dev)"
    );
}
