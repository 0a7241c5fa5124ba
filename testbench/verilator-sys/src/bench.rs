//! The measure of a testbench's speed: the same model in a loop of plain C++.

use std::process::Command;

use crate::build::Build;
use crate::error::Error;

/// The result of a C++ loop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CppRun {
    /// Wall time of one turn of the loop.
    pub nanoseconds: f64,
    /// The value that the body left in `checksum`: equal stimulus must give an equal one in Rust.
    pub checksum: u64,
}

/// Builds `build` with a C++ loop around it, unless the cache has it, and runs `turns` turns.
///
/// `setup` and `body` are C++ statements. Both have `Vm* dut` and `uint64_t checksum`, and `body` also has
/// `uint64_t turn`; `body` may use the declarations of `setup`. Registers start as zeros.
///
/// ```no_run
/// # fn main() -> Result<(), verilator_sys::Error> {
/// let build = verilator_sys::Build::new("counter").source("rtl/counter.v");
/// let body = "dut->clk = 0; dut->eval(); dut->clk = 1; dut->eval(); checksum += dut->count;";
/// let run = verilator_sys::bench::cpp_loop(&build, "", body, 1_000_000)?;
/// println!("{} ns per clock", run.nanoseconds);
/// # Ok(())
/// # }
/// ```
pub fn cpp_loop(build: &Build, setup: &str, body: &str, turns: u64) -> Result<CppRun, Error> {
    let main = include_str!("cpp/loop.cpp").replace("/*SETUP*/", setup).replace("/*BODY*/", body);
    let program = build.program(&main)?;
    let output = Command::new(&program).arg(turns.to_string()).output().map_err(Error::io(&program))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut words = text.lines().last().unwrap_or_default().split(' ');
    let run = (|| {
        let nanoseconds = words.next()?.parse().ok()?;
        let checksum = words.next()?.parse().ok()?;
        output.status.success().then_some(CppRun { nanoseconds, checksum })
    })();
    run.ok_or_else(|| {
        let text = [text.as_ref(), &String::from_utf8_lossy(&output.stderr)].concat();
        Error::Program { program, status: output.status.to_string(), text }
    })
}
