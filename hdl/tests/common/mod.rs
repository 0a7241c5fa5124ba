//! Runs blocks in Rust, and their Verilog under Verilator and Icarus, on the same vectors.

#![allow(dead_code, unreachable_pub)]

use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;
use weft_hdl::prelude::*;
use weft_hdl::{Emitter, Module};

#[path = "values.rs"]
mod values;
pub use values::{Random, mask};

/// A value that a port carries, as a number.
pub trait Word: Synth {
    fn from_word(word: u128) -> Self;
    fn word(self) -> u128;
}

impl<const N: usize> Word for Bits<N> {
    fn from_word(word: u128) -> Self {
        (word & mask(N)).to_bits()
    }
    fn word(self) -> u128 {
        self.to_u128()
    }
}

impl<const N: usize> Word for Signed<N> {
    fn from_word(word: u128) -> Self {
        signed_cast(Bits::from_word(word))
    }
    fn word(self) -> u128 {
        self.inner().to_u128()
    }
}

impl Word for bool {
    fn from_word(word: u128) -> Self {
        word & 1 == 1
    }
    fn word(self) -> u128 {
        self.into()
    }
}

pub fn width_of<D: Direction, T: Synth>(_: &Signal<D, T>) -> usize {
    T::BITS
}

pub fn clean<D: Direction, T: Word>(_: &Signal<D, T>, word: u128) -> u128 {
    T::from_word(word).word()
}

/// A block whose ports a test can access. Implement the trait with [`ports!`].
pub trait Ports: Block + Default {
    fn inputs(&self) -> Vec<(&'static str, usize)>;
    fn outputs(&self) -> Vec<(&'static str, usize)>;
    /// Makes words valid for the inputs: some bit patterns are not a value of their type.
    fn clean(&self, words: &[u128]) -> Vec<u128>;
    fn set(&mut self, words: &[u128]);
    fn get(&self) -> Vec<u128>;
    fn clock(&mut self, _level: bool) {}
    fn clocked(&self) -> bool {
        false
    }
}

/// `ports!(Block; inputs => outputs)`; a clocked block has `clk` before the inputs.
#[macro_export]
macro_rules! ports {
    ($block:ty; clk, $($input:ident),* => $($output:ident),*) => {
        $crate::ports!(@ $block; $($input),* => $($output),*;
            fn clock(&mut self, level: bool) { self.clk.next = level.into(); }
            fn clocked(&self) -> bool { true }
        );
    };
    ($block:ty; $($input:ident),* => $($output:ident),*) => {
        $crate::ports!(@ $block; $($input),* => $($output),*;);
    };
    (@ $block:ty; $($input:ident),* => $($output:ident),*; $($more:item)*) => {
        impl $crate::common::Ports for $block {
            fn inputs(&self) -> Vec<(&'static str, usize)> {
                vec![$((stringify!($input), $crate::common::width_of(&self.$input))),*]
            }
            fn outputs(&self) -> Vec<(&'static str, usize)> {
                vec![$((stringify!($output), $crate::common::width_of(&self.$output))),*]
            }
            fn clean(&self, words: &[u128]) -> Vec<u128> {
                let mut words = words.iter();
                vec![$($crate::common::clean(&self.$input, *words.next().unwrap())),*]
            }
            fn set(&mut self, words: &[u128]) {
                let mut words = words.iter();
                $(self.$input.next = $crate::common::Word::from_word(*words.next().unwrap());)*
            }
            fn get(&self) -> Vec<u128> {
                vec![$($crate::common::Word::word(self.$output.val())),*]
            }
            $($more)*
        }
    };
}

/// A block with its vectors and Rust's results.
pub struct Case {
    pub name: String,
    pub modules: Vec<Module>,
    inputs: Vec<(&'static str, usize)>,
    outputs: Vec<(&'static str, usize)>,
    clocked: bool,
    vectors: Vec<Vec<u128>>,
    /// `None` if Rust panics or the test ignores the vector.
    pub expected: Vec<Option<Vec<u128>>>,
}

impl Case {
    /// Emits `T` and runs it on `count` random vectors: first combinations of extreme values, if there are
    /// few.
    pub fn random<T: Ports>(emitter: &Emitter, name: &str, count: usize, seed: u64) -> Case {
        let inputs = T::default().inputs();
        let mut random = Random::new(seed);
        let vectors =
            (0..count).map(|_| inputs.iter().map(|(_, width)| random.word(*width)).collect()).collect();
        Case::new::<T>(emitter, name, vectors)
    }

    pub fn new<T: Ports>(emitter: &Emitter, name: &str, vectors: Vec<Vec<u128>>) -> Case {
        let modules = emitter.emit(&mut T::default(), name).unwrap_or_else(|e| panic!("{name}: {e}"));
        let mut uut = T::default();
        let clocked = uut.clocked();
        let vectors: Vec<Vec<u128>> = vectors.iter().map(|v| uut.clean(v)).collect();
        // Brings every combinational signal to its value for zeros.
        simulate(&mut uut, 100);
        let expected = vectors
            .iter()
            .map(|vector| {
                let run = catch_unwind(AssertUnwindSafe(|| {
                    uut.set(vector);
                    assert!(simulate(&mut uut, 100), "{name} does not settle");
                    if clocked {
                        uut.clock(true);
                        assert!(simulate(&mut uut, 100), "{name} does not settle");
                        uut.clock(false);
                        assert!(simulate(&mut uut, 100), "{name} does not settle");
                    }
                    uut.get()
                }));
                run.ok()
            })
            .collect();
        Case {
            name: name.into(),
            modules,
            inputs: uut.inputs(),
            outputs: uut.outputs(),
            clocked,
            vectors,
            expected,
        }
    }

    fn input_bits(&self) -> usize {
        self.inputs.iter().map(|(_, w)| w).sum::<usize>().max(1)
    }

    fn output_bits(&self) -> usize {
        self.outputs.iter().map(|(_, w)| w).sum()
    }
}

/// Compared vectors and mismatches of a case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    pub compared: usize,
    pub mismatches: usize,
    pub first: String,
    /// Mismatches of each output.
    pub outputs: Vec<(&'static str, usize)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Simulator {
    Icarus,
    Verilator,
}

/// Folder for the objects of this Verilator's runtime: each object is compiled once for all tests.
fn runtime() -> Option<PathBuf> {
    let version = Command::new("verilator").arg("--version").output().ok()?.stdout;
    let name: String =
        String::from_utf8_lossy(&version).chars().filter(char::is_ascii_alphanumeric).collect();
    Some(Path::new(env!("CARGO_TARGET_TMPDIR")).join(name))
}

/// Make reuses objects that are newer than their sources.
fn copy_runtime(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).into_iter().flatten().flatten() {
        let name = entry.file_name().into_string().unwrap();
        if name.starts_with("verilated") && name.ends_with(".o") {
            std::fs::copy(entry.path(), to.join(name)).unwrap();
        }
    }
}

/// Runs all cases in one simulation; `None` if the simulator is not installed.
pub fn run(cases: &[Case], simulator: Simulator) -> Option<Vec<Outcome>> {
    let mut folder = tempfile::tempdir().unwrap();
    // With the variable set, the folder stays, to examine a failure.
    folder.disable_cleanup(std::env::var_os("WEFT_KEEP").is_some());
    let dir = folder.path();
    let mut files = vec!["tb.v".to_string()];
    for case in cases {
        for module in &case.modules {
            let file = format!("{}.v", module.name);
            if !files.contains(&file) {
                std::fs::write(dir.join(&file), &module.text).unwrap();
                files.push(file);
            }
        }
    }
    for (k, case) in cases.iter().enumerate() {
        let mut text = String::new();
        for vector in &case.vectors {
            let fields = case.inputs.iter().zip(vector);
            let fields = fields.map(|((_, width), word)| (*width, word & mask(*width)));
            writeln!(text, "{}", concatenated(fields)).unwrap();
        }
        std::fs::write(dir.join(format!("vectors_{k}.hex")), text).unwrap();
    }
    std::fs::write(dir.join("tb.v"), testbench(cases)).unwrap();
    let text = match simulator {
        Simulator::Icarus => {
            let mut build = Command::new("iverilog");
            build.args(["-g2005", "-s", "tb", "-o", "tb.vvp"]).args(&files);
            command(build, dir)?;
            let mut run = Command::new("vvp");
            run.args(["-n", "tb.vvp"]);
            command(run, dir)?
        }
        Simulator::Verilator => {
            let mut build = Command::new("verilator");
            // The build does not optimise: compiling takes longer than the few vectors.
            build
                .args(["--binary", "-j", "2", "-Wno-fatal", "-CFLAGS", "-O0"])
                .args(["--top-module", "tb", "-o", "tb"])
                .args(&files);
            let objects = dir.join("obj_dir");
            let shared = runtime()?;
            std::fs::create_dir(&objects).unwrap();
            copy_runtime(&shared, &objects);
            command(build, dir)?;
            if !shared.exists() {
                let part = tempfile::tempdir_in(shared.parent().unwrap()).unwrap();
                copy_runtime(&objects, part.path());
                // Another may have been faster.
                let _ = std::fs::rename(part.path(), &shared);
            }
            command(Command::new(objects.join("tb")), dir)?
        }
    };
    let mut outcomes = vec![Outcome::default(); cases.len()];
    for line in text.lines() {
        let mut parts = line.split(' ');
        if parts.next() != Some("=") {
            continue;
        }
        let k: usize = parts.next().unwrap().parse().unwrap();
        let i: usize = parts.next().unwrap().parse().unwrap();
        let got = parts.next().unwrap();
        let case = &cases[k];
        let Some(expected) = &case.expected[i] else {
            continue;
        };
        let fields = case.outputs.iter().zip(expected);
        let want = concatenated(fields.map(|((_, width), word)| (*width, *word)));
        let outcome = &mut outcomes[k];
        outcome.compared += 1;
        let (got_bits, want_bits) = (bits(got), bits(&want));
        let mut at = want_bits.len() - case.output_bits();
        for (o, (name, width)) in case.outputs.iter().enumerate() {
            if outcome.outputs.len() == o {
                outcome.outputs.push((name, 0));
            }
            let differs = got_bits[at..at + width] != want_bits[at..at + width];
            outcome.outputs[o].1 += usize::from(differs);
            at += width;
        }
        if got != want {
            outcome.mismatches += 1;
            if outcome.first.is_empty() {
                outcome.first = format!(
                    "{} vector {i}: {:x?}: Rust {want}, {simulator:?} {got}",
                    case.name, case.vectors[i]
                );
            }
        }
    }
    Some(outcomes)
}

/// Runs both simulators, and checks that they compared something and agree with Rust.
pub fn agree(cases: &[Case]) -> usize {
    let mut compared = 0;
    for simulator in [Simulator::Icarus, Simulator::Verilator] {
        let outcomes = run(cases, simulator).expect("apt-get install iverilog verilator g++ make");
        for (case, outcome) in cases.iter().zip(&outcomes) {
            let expected = case.expected.iter().flatten().count();
            assert_eq!(outcome.compared, expected, "{}: {simulator:?}", case.name);
            assert_eq!(outcome.mismatches, 0, "{simulator:?}: {}", outcome.first);
            compared += outcome.compared;
        }
    }
    compared
}

/// A command's output; `None` if the command is not installed.
fn command(mut command: Command, dir: &Path) -> Option<String> {
    let output = match command.current_dir(dir).output() {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return None,
        output => output.unwrap(),
    };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {text}\n{errors}");
    Some(text)
}

/// Fields as hexadecimal digits, the first field highest.
fn concatenated(fields: impl Iterator<Item = (usize, u128)>) -> String {
    let mut bits: Vec<bool> = Vec::new();
    for (width, word) in fields {
        bits.extend((0..width).rev().map(|i| word >> i & 1 == 1));
    }
    let pad = (4 - bits.len() % 4) % 4;
    let bits: Vec<bool> = std::iter::repeat_n(false, pad).chain(bits).collect();
    bits.chunks(4)
        .map(|nibble| {
            let value = nibble.iter().fold(0, |v, b| v * 2 + u32::from(*b));
            char::from_digit(value, 16).unwrap()
        })
        .collect()
}

/// The bits of hexadecimal digits; an unknown bit is `None`.
fn bits(digits: &str) -> Vec<Option<bool>> {
    digits
        .chars()
        .flat_map(|c| {
            let value = c.to_digit(16);
            (0..4).rev().map(move |i| value.map(|v| v >> i & 1 == 1))
        })
        .collect()
}

/// One module that applies the vectors of every case and prints `= case vector outputs`.
fn testbench(cases: &[Case]) -> String {
    let mut tb = String::from("`timescale 1ns/1ns\nmodule tb;\n  integer i;\n  reg clk;\n");
    let mut load = String::new();
    let mut drive = String::new();
    let mut show = String::new();
    let mut length = 0;
    for (k, case) in cases.iter().enumerate() {
        let (ins, outs, n) = (case.input_bits(), case.output_bits(), case.vectors.len());
        length = length.max(n);
        writeln!(tb, "  reg [{}:0] vectors_{k} [0:{}];", ins - 1, n - 1).unwrap();
        writeln!(tb, "  reg [{}:0] in_{k};", ins - 1).unwrap();
        writeln!(tb, "  wire [{}:0] out_{k};", outs - 1).unwrap();
        writeln!(tb, "  {} uut_{k} (", case.name).unwrap();
        if case.clocked {
            writeln!(tb, "    .clk(clk),").unwrap();
        }
        let mut ports = Vec::new();
        let mut at = ins;
        for (name, width) in &case.inputs {
            at -= width;
            ports.push(format!("    .{name}(in_{k}[{}:{at}])", at + width - 1));
        }
        let mut at = outs;
        for (name, width) in &case.outputs {
            at -= width;
            ports.push(format!("    .{name}(out_{k}[{}:{at}])", at + width - 1));
        }
        writeln!(tb, "{});", ports.join(",\n")).unwrap();
        writeln!(load, "    $readmemh(\"vectors_{k}.hex\", vectors_{k});").unwrap();
        writeln!(drive, "      if (i < {n}) in_{k} = vectors_{k}[i];").unwrap();
        writeln!(show, "      if (i < {n}) $display(\"= {k} %0d %h\", i, out_{k});").unwrap();
    }
    write!(
        tb,
        "  initial begin\n    clk = 0;\n{load}    for (i = 0; i < {length}; i = i + 1) begin\n\
         {drive}      #1;\n      clk = 1;\n      #1;\n      clk = 0;\n      #1;\n{show}    end\n    \
         $finish;\n  end\nendmodule\n"
    )
    .unwrap();
    tb
}
