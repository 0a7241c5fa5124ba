//! Tests of `weft registers`: the committed files are fresh, the C header compiles and agrees with the
//! description.

mod c;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use weft_params::registers::{self, Op};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn weft(root: &Path, flags: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_weft");
    Command::new(program).arg("registers").args(flags).arg("--root").arg(root).output().expect("weft runs")
}

const GENERATED: [&str; 7] = [
    "model/params/src/registers/offsets.rs",
    "hdl/src/block/registers/top.rs",
    "hdl/include/weft_nic.h",
    "hdl/include/weft_nic.rdl",
    "hdl/include/weft_wire.h",
    "docs/registers.md",
    "docs/bring-up.md",
];

/// A folder that the command accepts as the repository.
fn copy() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for name in GENERATED.into_iter().chain(["hdl/src/block/registers.rs"]) {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::copy(root().join(name), path).expect("a copy");
    }
    folder
}

#[test]
fn committed_files_are_fresh() {
    let output = weft(&root(), &["--all", "--check"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_stale_file_is_found_and_written_anew() {
    let copy = copy();
    for (name, flag) in
        GENERATED.into_iter().zip(["--rust", "--rust", "--c", "--rdl", "--wire", "--page", "--page"])
    {
        let path = copy.path().join(name);
        let fresh = std::fs::read_to_string(&path).expect("text");
        std::fs::write(&path, format!("{fresh}\n")).expect("written");
        let output = weft(copy.path(), &["--all", "--check"]);
        assert_eq!(output.status.code(), Some(1), "{name}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(name), "{name}");
        assert!(weft(copy.path(), &[flag]).status.success());
        assert_eq!(std::fs::read_to_string(&path).expect("text"), fresh, "{name}");
    }
}

#[test]
fn what_to_write_must_be_said_and_where() {
    assert_eq!(weft(&root(), &[]).status.code(), Some(2));
    let elsewhere = tempfile::tempdir().expect("a folder");
    let output = weft(elsewhere.path(), &["--all"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--root"));
}

/// Compiles `code` behind an include of the header. The error is the compiler's output.
fn compile(compiler: &str, standard: &str, suffix: &str, code: &str) -> Result<(), String> {
    c::compile(compiler, &[standard, "-c"], suffix, &format!("#include \"weft_nic.h\"\n{code}")).map(drop)
}

/// Assertions about all constants that the header defines.
fn assertions(assert: &str) -> String {
    let mut code = String::new();
    let mut equal = |name: &str, value: u64| {
        code += &format!("{assert}(WEFT_{name} == {value}ull, \"{name}\");\n");
    };
    equal("ID", registers::ID.into());
    equal("VERSION", registers::VERSION.into());
    for op in Op::ALL {
        equal(&format!("OP_{}", op.name().to_uppercase()), op as u64);
    }
    for register in registers::registers() {
        let name = format!("REG_{}", register.name.to_uppercase());
        equal(&name, register.offset.into());
        if register.words() > 1 {
            equal(&format!("{name}_WORDS"), register.words().into());
        } else if register.access == registers::Access::ReadWrite {
            equal(&format!("{name}_RESET"), register.reset as u64);
        }
        for field in register.fields {
            let name = format!("{name}_{}", field.name.to_uppercase());
            equal(&format!("{name}_SHIFT"), field.lsb.into());
            equal(&format!("{name}_MASK"), ((1 << field.width) - 1) << field.lsb);
        }
    }
    code
}

#[test]
fn the_header_compiles_as_c_and_says_what_the_description_says() {
    assert_eq!(compile("gcc", "-std=c11", "c", &assertions("_Static_assert")), Ok(()));
    assert_eq!(
        compile(
            "gcc",
            "-std=c99",
            "c",
            "int command(void) { return weft_command(WEFT_OP_OPEN, 5) == 0x10005u; }\n"
        ),
        Ok(())
    );
    assert!(compile("gcc", "-std=c11", "c", "_Static_assert(WEFT_REG_ID == 4, \"\");\n").is_err());
}

#[test]
fn the_header_compiles_as_cpp() {
    let code = assertions("static_assert");
    assert_eq!(compile("g++", "-std=c++17", "cpp", &code), Ok(()));
}

/// Both headers in one file.
const BOTH: &str = "#include \"weft_nic.h\"\n#include \"weft_wire.h\"\n";

#[test]
fn the_headers_compile_without_casts_of_c_in_cpp() {
    let flags = ["-std=c++11", "-Wold-style-cast", "-c"];
    assert_eq!(c::compile("g++", &flags, "cpp", BOTH).map(drop), Ok(()));
    assert!(c::compile("g++", &flags, "cpp", "int it = (int)1.0;\n").is_err());
}

/// Linux has its integers in another header; its modules were written in C89 with GNU's extensions until
/// 2022.
#[test]
fn the_headers_compile_in_a_kernel_module() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("linux")).expect("made");
    let types = "#pragma once\ntypedef unsigned char uint8_t;\ntypedef unsigned short uint16_t;\ntypedef unsigned int uint32_t;\n\
                 typedef unsigned long long uint64_t;\ntypedef short int16_t;\n";
    std::fs::write(folder.path().join("linux/types.h"), types).expect("written");
    let own = format!("-I{}", folder.path().display());
    let flags = [
        "-std=gnu89",
        "-nostdinc",
        "-D__KERNEL__",
        "-Wno-long-long",
        "-Wdeclaration-after-statement",
        &own,
        "-c",
    ];
    assert_eq!(c::compile("gcc", &flags, "c", BOTH).map(drop), Ok(()));
    assert!(c::compile("gcc", &flags, "c", "#include <stdint.h>\n").is_err());
}
