//! Random blocks that pass structs, also nested ones, through ports, registers, a RAM and submodules, as a
//! whole and field by field.

use crate::common::Random;
use std::fmt::Write;

/// Bit fields of `Outer`: name and width.
const OUTER: &[(&str, usize)] = &[("tag", 3), ("tail", 16)];
/// Bit fields of `Inner`: name and width.
const INNER: &[(&str, usize)] = &[("a", 5), ("c", 9)];

struct Writer {
    random: Random,
    out: String,
    /// Sources that an `Outer` may be read from.
    outers: Vec<&'static str>,
    /// Sources that an `Inner` may be read from.
    inners: Vec<&'static str>,
}

impl Writer {
    fn below(&mut self, n: usize) -> usize {
        self.random.below(n as u64) as usize
    }

    fn line(&mut self, text: &str) {
        writeln!(self.out, "{text}").unwrap();
    }

    fn outer(&mut self) -> String {
        let at = self.below(self.outers.len());
        format!("self.{}.val()", self.outers[at])
    }

    fn inner(&mut self) -> String {
        match self.below(3) {
            0 => format!("{}.inner", self.outer()),
            1 => format!("{}.second", self.outer()),
            _ => {
                let at = self.below(self.inners.len());
                format!("self.{}.val()", self.inners[at])
            }
        }
    }

    /// `n` bits of a random field.
    fn bits(&mut self, n: usize) -> String {
        let (from, width) = match self.below(2) {
            0 => {
                let (field, width) = OUTER[self.below(2)];
                (format!("{}.{field}", self.outer()), width)
            }
            _ => {
                let at = self.below(self.inners.len());
                let (field, width) = INNER[self.below(2)];
                (format!("self.{}.val().{field}", self.inners[at]), width)
            }
        };
        match self.below(3) {
            0 => format!("bit_cast::<{n}, {width}>({from} + 1)"),
            1 => format!("{from}.get_bits::<{n}>({})", self.below(width)),
            _ => format!("bit_cast::<{n}, {width}>({from})"),
        }
    }

    fn bit(&mut self) -> String {
        match self.below(4) {
            0 => "self.f.val()".into(),
            1 => format!("{} == {}", self.outer(), self.outer()),
            2 => format!("{}.mode == Mode::Run", self.outer()),
            _ => {
                let at = self.below(self.inners.len());
                format!("self.{}.val().b", self.inners[at])
            }
        }
    }

    /// Assigns one field of `target`, an `Outer`.
    fn outer_field(&mut self, target: &str) {
        let value = match self.below(5) {
            0 => format!("tag = {}", self.bits(3)),
            1 => format!("tail = {}", self.bits(16)),
            2 => format!("inner = {}", self.inner()),
            3 => format!("second = {}", self.inner()),
            _ => format!("mode = {}.mode", self.outer()),
        };
        self.line(&format!("self.{target}.next.{value};"));
    }

    fn inner_field(&mut self, target: &str) {
        let value = match self.below(3) {
            0 => format!("a = {}", self.bits(5)),
            1 => format!("b = {}", self.bit()),
            _ => format!("c = {}", self.bits(9)),
        };
        self.line(&format!("self.{target}.next.{value};"));
    }

    /// Assigns `target`, an `Outer`: as a whole or in fields, some of them on a condition.
    fn give_outer(&mut self, target: &str) {
        if self.below(3) == 0 {
            for field in ["inner", "second"] {
                let value = self.inner();
                self.line(&format!("self.{target}.next.{field} = {value};"));
            }
            let (tag, tail, mode) = (self.bits(3), self.bits(16), self.outer());
            self.line(&format!("self.{target}.next.tag = {tag};"));
            self.line(&format!("self.{target}.next.tail = {tail};"));
            self.line(&format!("self.{target}.next.mode = {mode}.mode;"));
        } else {
            let value = self.outer();
            self.line(&format!("self.{target}.next = {value};"));
        }
        for _ in 0..self.below(3) {
            self.outer_field(target);
        }
        if self.below(2) == 0 {
            let (test, value) = (self.bit(), self.outer());
            self.line(&format!("if {test} {{\nself.{target}.next = {value};"));
            if self.below(2) == 0 {
                self.outer_field(target);
            }
            self.line("} else {");
            self.outer_field(target);
            self.line("}");
        }
    }

    fn give_inner(&mut self, target: &str) {
        let value = self.inner();
        self.line(&format!("self.{target}.next = {value};"));
        for _ in 0..self.below(3) {
            self.inner_field(target);
        }
        if self.below(2) == 0 {
            let (test, value) = (self.bit(), self.inner());
            self.line(&format!("if {test} {{\nself.{target}.next = {value};\n}} else {{"));
            self.inner_field(target);
            self.line("}");
        }
    }

    fn body(&mut self) -> String {
        self.out.clear();
        self.outers = vec!["x", "y", "pipe.q", "held.q"];
        self.inners = vec!["p", "q", "inner_reg.q"];
        for part in ["pipe", "held", "inner_reg", "ram", "count", "started"] {
            self.line(&format!("self.{part}.clk.next = self.clk.val();"));
        }
        for part in ["held", "inner_reg", "count", "started"] {
            self.line(&format!("self.{part}.rst.next = self.rst.val();"));
        }
        for part in ["pipe", "count", "started"] {
            self.line(&format!("self.{part}.en.next = true;"));
        }
        self.line("self.count.d.next = self.count.q.val() + 1;");
        self.line("self.started.d.next = true;");
        self.line("self.ram.we.next = true;\nself.ram.waddr.next = self.count.q.val();");
        self.line("self.ram.re.next = true;\nself.ram.raddr.next = self.count.q.val() - 1;");
        self.line("self.ram.oe.next = true;");
        for part in ["held", "inner_reg"] {
            let test = self.bit();
            self.line(&format!("self.{part}.en.next = {test};"));
        }
        // Copies of a whole struct and of a part.
        let value = self.outer();
        self.line(&format!("self.copy.next = {value};"));
        self.outers.push("copy");
        let value = self.inner();
        self.line(&format!("self.part.next = {value};"));
        self.inners.push("part");
        // A submodule with ports for nested structs.
        self.give_outer("twist.sink");
        self.outers.push("twist.source");
        // Word that the RAM read in the clock before the last.
        let value = self.outer();
        self.line(&format!("self.read.next = {value};"));
        self.line(
            "if self.started.q.val() & self.later.q.val() {\nself.read.next = self.ram.rdata.val();\n}",
        );
        self.line("self.later.clk.next = self.clk.val();\nself.later.rst.next = self.rst.val();");
        self.line("self.later.en.next = true;\nself.later.d.next = self.started.q.val();");
        self.outers.push("read");
        self.give_inner("n");
        self.inners.push("n");
        self.give_outer("m");
        self.outers.push("m");
        for target in ["pipe.d", "held.d", "ram.wdata", "o"] {
            self.give_outer(target);
        }
        for target in ["inner_reg.d", "i"] {
            self.give_inner(target);
        }
        let value = self.bits(16);
        self.line(&format!("self.o16.next = {value};"));
        let value = self.outer();
        self.line(&format!("self.all.next = {value}.into();"));
        let value = self.bit();
        self.line(&format!("self.o1.next = {value};"));
        std::mem::take(&mut self.out)
    }
}

/// Text of the whole file.
pub(crate) fn file(count: usize) -> String {
    let mut writer =
        Writer { random: Random::new(77), out: String::new(), outers: Vec::new(), inners: Vec::new() };
    let mut out = String::from(
        "use super::types::{Inner, Mode, Outer};\n\
         use weft_hdl::prelude::*;\n\n\
         #[derive(LogicBlock, Default)]\npub(crate) struct Twist {\n\
         pub sink: Signal<In, Outer>,\npub source: Signal<Out, Outer>,\n}\n\n\
         impl Logic for Twist {\n#[hdl_gen]\nfn update(&mut self) {\n\
         self.source.next = self.sink.val();\nself.source.next.inner = self.sink.val().second;\n\
         self.source.next.tail = self.sink.val().tail + 1;\n}\n}\n",
    );
    for k in 0..count {
        let body = writer.body();
        write!(
            out,
            "\n#[derive(LogicBlock, Default)]\npub(crate) struct S{k} {{\n\
             pub clk: Signal<In, Clock>,\npub rst: Signal<In, Bit>,\npub f: Signal<In, Bit>,\n\
             pub x: Signal<In, Outer>,\npub y: Signal<In, Outer>,\npub p: Signal<In, Inner>,\n\
             pub q: Signal<In, Inner>,\npub o: Signal<Out, Outer>,\npub i: Signal<Out, Inner>,\n\
             pub o16: Signal<Out, Bits<16>>,\npub all: Signal<Out, Bits<51>>,\npub o1: Signal<Out, Bit>,\n\
             pipe: Pipe<Outer>,\nheld: Reg<Outer>,\ninner_reg: Reg<Inner>,\nram: RamSdp<Outer, 2>,\n\
             count: Reg<Bits<2>>,\nstarted: Reg<Bit>,\nlater: Reg<Bit>,\ntwist: Twist,\n\
             copy: Signal<Local, Outer>,\npart: Signal<Local, Inner>,\nread: Signal<Local, Outer>,\n\
             m: Signal<Local, Outer>,\nn: Signal<Local, Inner>,\n}}\n\n\
             impl Logic for S{k} {{\n#[hdl_gen]\nfn update(&mut self) {{\n{body}}}\n}}\n\n\
             ports!(S{k}; clk, rst, f, x, y, p, q => o, i, o16, all, o1);\n"
        )
        .unwrap();
    }
    out += "\n/// Calls a macro with every block.\nmacro_rules! all {\n($m:ident) => {\n";
    for k in 0..count {
        writeln!(out, "$m!(S{k});").unwrap();
    }
    out += "};\n}\npub(crate) use all;\n";
    out
}
