//! The C headers, compiled as the tests need them.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// The compiled program.
pub(crate) struct Compiled(TempDir);

impl Compiled {
    /// Runs the program with `input`. Returns its output.
    #[allow(dead_code, reason = "some tests only compile")]
    pub(crate) fn run(&self, input: &[u8]) -> Vec<u8> {
        let program = self.0.path().join("test");
        let mut child = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program runs");
        child.stdin.take().expect("its input").write_all(input).expect("read");
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success());
        output.stdout
    }
}

/// Compiles `code`, which may include the headers, with warnings as errors. The error is the compiler's
/// output.
pub(crate) fn compile(compiler: &str, flags: &[&str], suffix: &str, code: &str) -> Result<Compiled, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join(format!("test.{suffix}"));
    std::fs::write(&source, code).expect("written");
    let output = Command::new(compiler)
        .args(["-Wall", "-Wextra", "-Wpedantic", "-Werror"])
        .args(flags)
        .arg("-I")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../hdl/include"))
        .arg("-o")
        .args([folder.path().join("test"), source])
        .output()
        .unwrap_or_else(|error| panic!("{compiler} is missing: {error}"));
    if output.status.success() {
        Ok(Compiled(folder))
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}
