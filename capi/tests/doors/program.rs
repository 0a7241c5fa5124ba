//! C programs, compiled with a C compiler and run.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Libraries of the system that the static library needs.
const SYSTEM: [&str; 3] = ["-lpthread", "-ldl", "-lm"];

pub(crate) fn scratch() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

pub(crate) struct Program {
    path: PathBuf,
    /// The folder with the shared library under its own name.
    folder: TempDir,
}

/// The libraries that cargo built with this test, in the folder of the test.
fn libraries() -> PathBuf {
    let test = std::env::current_exe().expect("a path");
    test.parent().expect("a folder").to_path_buf()
}

impl Program {
    fn build(name: &str, compiler: &str, flags: &[&str], library: &str) -> Self {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/c/{name}.c"));
        Self::of(&source, name, compiler, flags, library)
    }

    /// The first program that the page shows.
    pub(crate) fn of_the_page(page: &str) -> Self {
        let program =
            page.split("```c\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a program");
        let folder = scratch();
        let source = folder.path().join("example.c");
        std::fs::write(&source, program).expect("a file");
        Self::of(&source, "example", "gcc", &["-std=c11", "-pedantic"], "libweft.a")
    }

    fn of(source: &Path, name: &str, compiler: &str, flags: &[&str], library: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let (folder, libraries) = (scratch(), libraries());
        let path = folder.path().join(name);
        let mut command = Command::new(compiler);
        command.args(["-Wall", "-Wextra", "-Werror", "-g", "-O1"]).args(flags);
        command.arg("-I").arg(root.join("include")).arg("-I").arg(root.join("../hdl/include"));
        command.arg(source).args(["-x", "none"]);
        command.arg(libraries.join(library)).args(SYSTEM).arg("-o").arg(&path);
        let done = command.output().expect("a C compiler: apt-get install gcc g++");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        std::os::unix::fs::symlink(libraries.join("libweft.so"), folder.path().join("libweft.so.1"))
            .expect("a link");
        Self { path, folder }
    }

    pub(crate) fn sanitized(name: &str) -> Self {
        let flags = ["-std=c11", "-pedantic", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
        Self::build(name, "gcc", &flags, "libweft.a")
    }

    pub(crate) fn plain(name: &str) -> Self {
        Self::build(name, "gcc", &["-std=c11", "-pedantic"], "libweft.a")
    }

    /// (The build ignores a warning of g++: fields that a designated initializer leaves out are 0 in C++ as well.)
    pub(crate) fn shared_from_c_plus_plus(name: &str) -> Self {
        Self::build(
            name,
            "g++",
            &["-std=c++20", "-Wno-missing-field-initializers", "-x", "c++"],
            "libweft.so",
        )
    }

    /// The program's output; the program must end with code 0.
    pub(crate) fn run(&self, words: &[&OsStr]) -> String {
        self.said(Command::new(&self.path).args(words))
    }

    pub(crate) fn under_valgrind(&self) {
        let words = ["--quiet", "--leak-check=full", "--error-exitcode=9"];
        self.said(Command::new("valgrind").args(words).arg(&self.path));
    }

    fn said(&self, command: &mut Command) -> String {
        let done = command.env("LD_LIBRARY_PATH", self.folder.path()).output();
        let done = done.unwrap_or_else(|error| panic!("{command:?}: {error}; apt-get install valgrind"));
        let said = String::from_utf8_lossy(&done.stdout).into_owned();
        assert!(done.status.success(), "{said}{}", String::from_utf8_lossy(&done.stderr));
        said
    }
}
