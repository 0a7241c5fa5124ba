//! Random blocks over the supported subset, from a fixed seed.

use crate::common::Random;
use std::fmt::Write;

/// Inputs that blocks draw from: name, Rust type, width.
const INPUTS: &[(&str, &str, usize)] = &[
    ("f0", "Bit", 1),
    ("f1", "Bit", 1),
    ("b1", "Bits<1>", 1),
    ("b3", "Bits<3>", 3),
    ("b4", "Bits<4>", 4),
    ("b5", "Bits<5>", 5),
    ("b8", "Bits<8>", 8),
    ("c8", "Bits<8>", 8),
    ("b16", "Bits<16>", 16),
    ("c16", "Bits<16>", 16),
    ("b31", "Bits<31>", 31),
    ("b32", "Bits<32>", 32),
    ("c32", "Bits<32>", 32),
    ("b33", "Bits<33>", 33),
    ("c33", "Bits<33>", 33),
    ("b64", "Bits<64>", 64),
    ("b100", "Bits<100>", 100),
    ("s8", "Signed<8>", 8),
    ("t8", "Signed<8>", 8),
    ("s16", "Signed<16>", 16),
    ("t16", "Signed<16>", 16),
    ("s33", "Signed<33>", 33),
    ("t33", "Signed<33>", 33),
    ("mode", "Mode", 2),
    ("last", "Mode", 2),
    ("rec", "Rec", 14),
];

const WIDTHS: &[usize] = &[1, 3, 4, 5, 8, 16, 31, 32, 33, 64, 100];

/// Binding strengths of operators in Rust, so that parentheses appear only where Rust needs them.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Level {
    Or,
    And,
    Compare,
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Sum,
    Product,
    Unary,
    Method,
}

struct Code {
    text: String,
    level: Level,
}

impl Code {
    fn new(text: impl Into<String>, level: Level) -> Code {
        Code { text: text.into(), level }
    }

    /// Prints the expression as an operand of an operator of `level`: in parentheses, unless the expression
    /// binds more strongly.
    fn above(&self, level: Level) -> String {
        if self.level > level { self.text.clone() } else { format!("({})", self.text) }
    }

    /// Prints the expression as the left operand of an operator that associates to the left.
    fn at(&self, level: Level) -> String {
        if self.level >= level { self.text.clone() } else { format!("({})", self.text) }
    }
}

struct Writer {
    random: Random,
    /// Locals of 8 and 33 bits that may be read.
    locals: bool,
}

impl Writer {
    fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.random.below(list.len() as u64) as usize]
    }

    fn below(&mut self, n: u64) -> u64 {
        self.random.below(n)
    }

    fn number(&mut self, width: usize) -> String {
        // rust-hdl takes numbers as u64.
        let value = self.random.word(width.min(63)) as u64;
        match value {
            0..0x8000_0000 => format!("{value}"),
            _ => format!("{value:#x}_u64"),
        }
    }

    fn input(&mut self, ty: &str) -> Option<Code> {
        let names: Vec<&str> = INPUTS.iter().filter(|i| i.1 == ty).map(|i| i.0).collect();
        let name = match names.len() {
            0 => return None,
            _ => *self.pick(&names),
        };
        Some(Code::new(format!("self.{name}.val()"), Level::Method))
    }

    fn leaf(&mut self, n: usize) -> Code {
        if self.locals && n == 8 && self.below(3) == 0 {
            return Code::new("self.l8.val()", Level::Method);
        }
        if self.locals && n == 33 && self.below(3) == 0 {
            return Code::new("self.l33.val()", Level::Method);
        }
        if n == 3 && self.below(4) == 0 {
            return Code::new("self.rec.val().tag", Level::Method);
        }
        if n == 8 && self.below(4) == 0 {
            return Code::new("self.rec.val().data", Level::Method);
        }
        match self.input(&format!("Bits<{n}>")) {
            Some(code) if self.below(8) > 0 => code,
            _ => {
                let number = self.number(n);
                Code::new(format!("bits::<{n}>({number})"), Level::Method)
            }
        }
    }

    /// An expression of type `Bits<n>`.
    fn bits(&mut self, n: usize, depth: usize) -> Code {
        if depth == 0 {
            return self.leaf(n);
        }
        let d = depth - 1;
        match self.below(17) {
            0..6 => {
                let (op, level) = *self.pick(&[
                    ("+", Level::Sum),
                    ("-", Level::Sum),
                    ("&", Level::BitAnd),
                    ("|", Level::BitOr),
                    ("^", Level::BitXor),
                ]);
                match self.below(4) {
                    0 => {
                        let (l, r) = (self.bits(n, d), self.number(n));
                        Code::new(format!("{} {op} {r}", l.at(level)), level)
                    }
                    1 => {
                        let (l, r) = (self.number(n), self.bits(n, d));
                        Code::new(format!("{l} {op} {}", r.above(level)), level)
                    }
                    _ => {
                        let (l, r) = (self.bits(n, d), self.bits(n, d));
                        Code::new(format!("{} {op} {}", l.at(level), r.above(level)), level)
                    }
                }
            }
            6 => {
                let e = self.bits(n, d);
                Code::new(format!("!{}", e.at(Level::Unary)), Level::Unary)
            }
            7 | 8 => {
                let op = *self.pick(&["<<", ">>"]);
                let l = self.bits(n, d);
                let r = match self.below(2) {
                    0 => self.below(n as u64 + 2).to_string(),
                    _ => {
                        let m = *self.pick(&[1, 3, 4, 5, 8]);
                        self.bits(m, d).above(Level::Shift)
                    }
                };
                Code::new(format!("{} {op} {r}", l.at(Level::Shift)), Level::Shift)
            }
            9 | 10 => {
                let m = *self.pick(WIDTHS);
                let e = self.bits(m, d);
                Code::new(format!("bit_cast::<{n}, {m}>({})", e.text), Level::Method)
            }
            11 | 12 => {
                let m = *self.pick(&[8, 16, 32, 33, 64, 100]);
                let e = self.bits(m, d);
                let at = match self.below(2) {
                    0 => self.below(m as u64 + 1).to_string(),
                    _ => {
                        // Every value of the index is inside: outside, Rust panics.
                        let k = *self.pick(&[1, 3, 4, 5]);
                        let k = if 1 << k > m { 3 } else { k };
                        format!("{}.index()", self.bits(k, d).above(Level::Unary))
                    }
                };
                let text = format!("{}.get_bits::<{n}>({at})", e.above(Level::Unary));
                Code::new(text, Level::Method)
            }
            13 => {
                let e = self.bits(n, d);
                let bit = self.bit(d);
                let at = match (self.below(2), n) {
                    (0, 8..) => format!("{}.index()", self.bits(3, d).above(Level::Unary)),
                    _ => self.below(n as u64).to_string(),
                };
                let e = e.above(Level::Unary);
                Code::new(format!("{e}.replace_bit({at}, {})", bit.text), Level::Method)
            }
            14 if n == 32 => {
                let (l, r) = (self.bits(16, d), self.bits(16, d));
                let text = format!("{} * {}", l.at(Level::Product), r.above(Level::Product));
                Code::new(text, Level::Product)
            }
            15 => {
                let (l, r) = (self.bits(n, d), self.bit(d));
                let text = format!("{} + {}", l.at(Level::Sum), r.above(Level::Sum));
                Code::new(text, Level::Sum)
            }
            16 if [8, 16, 33].contains(&n) => {
                let e = self.signed(n, d);
                Code::new(format!("unsigned_cast({})", e.text), Level::Method)
            }
            16 if n == 64 => {
                let e = self.bits(5, d);
                Code::new(format!("1 << {}", e.above(Level::Shift)), Level::Shift)
            }
            _ => self.leaf(n),
        }
    }

    /// An expression of type `Signed<n>`, of a width that has inputs, or 32.
    fn signed(&mut self, n: usize, depth: usize) -> Code {
        let d = depth.saturating_sub(1);
        match self.below(7) {
            0 if depth > 0 => {
                let e = self.signed(n, d);
                Code::new(format!("-{}", e.at(Level::Unary)), Level::Unary)
            }
            1 | 2 if depth > 0 => {
                let op = *self.pick(&["+", "-"]);
                let (l, r) = (self.signed(n, d), self.signed(n, d));
                let text = format!("{} {op} {}", l.at(Level::Sum), r.above(Level::Sum));
                Code::new(text, Level::Sum)
            }
            3 if depth > 0 => {
                let e = self.bits(n, d);
                Code::new(format!("signed_cast({})", e.text), Level::Method)
            }
            4 if depth > 0 && n == 32 => {
                let (l, r) = (self.signed(16, d), self.signed(16, d));
                let text = format!("{} * {}", l.at(Level::Product), r.above(Level::Product));
                Code::new(text, Level::Product)
            }
            5 if n <= 32 && depth > 0 => {
                let (e, value) = (self.signed(n, d), self.below(100));
                // The literal has no width in the AST, so it stands only beside an expression with a width.
                let text =
                    format!("signed_cast(unsigned_cast({})) - (-{value}).to_signed_bits::<{n}>()", e.text);
                Code::new(text, Level::Sum)
            }
            _ => match self.input(&format!("Signed<{n}>")) {
                Some(code) => code,
                None => {
                    let e = self.leaf(n);
                    Code::new(format!("signed_cast({})", e.text), Level::Method)
                }
            },
        }
    }

    /// An expression of type `bool`.
    fn bit(&mut self, depth: usize) -> Code {
        if depth == 0 {
            return match self.below(3) {
                0 => Code::new("self.rec.val().flag", Level::Method),
                _ => self.input("Bit").expect("there are bits"),
            };
        }
        let d = depth - 1;
        match self.below(12) {
            0..3 => {
                let op = *self.pick(&["==", "!=", "<", "<=", ">", ">="]);
                let n = *self.pick(WIDTHS);
                let l = self.bits(n, d);
                let r = match self.below(3) {
                    0 => self.number(n),
                    _ => self.bits(n, d).above(Level::Compare),
                };
                // A cast's `>` before `<` would start generics.
                let l = format!("({})", l.text);
                Code::new(format!("{l} {op} {r}"), Level::Compare)
            }
            3 | 4 => {
                let op = *self.pick(&["==", "!=", "<", "<=", ">", ">="]);
                let n = *self.pick(&[8, 16, 33, 32]);
                let (l, r) = (self.signed(n, d), self.signed(n, d));
                let text = format!("({}) {op} {}", l.text, r.above(Level::Compare));
                Code::new(text, Level::Compare)
            }
            5 => {
                let n = *self.pick(WIDTHS);
                let e = self.bits(n, d);
                let method = *self.pick(&["any", "all", "xor"]);
                Code::new(format!("{}.{method}()", e.above(Level::Unary)), Level::Method)
            }
            6 => {
                let n = *self.pick(&[8, 16, 32, 33, 64, 100]);
                let e = self.bits(n, d);
                let at = match self.below(2) {
                    0 => self.below(n as u64).to_string(),
                    _ => {
                        let k = *self.pick(&[1, 3, 4, 5]);
                        let k = if 1 << k > n { 3 } else { k };
                        format!("{}.index()", self.bits(k, d).above(Level::Unary))
                    }
                };
                Code::new(format!("{}.get_bit({at})", e.above(Level::Unary)), Level::Method)
            }
            7 | 8 => {
                let (op, level) = *self.pick(&[
                    ("&&", Level::And),
                    ("||", Level::Or),
                    ("&", Level::BitAnd),
                    ("|", Level::BitOr),
                    ("^", Level::BitXor),
                ]);
                let (l, r) = (self.bit(d), self.bit(d));
                Code::new(format!("{} {op} {}", l.at(level), r.above(level)), level)
            }
            9 => {
                let e = self.bit(d);
                Code::new(format!("!{}", e.at(Level::Unary)), Level::Unary)
            }
            10 => {
                let op = *self.pick(&["==", "!="]);
                let state = *self.pick(&["Mode::Idle", "Mode::Run", "Mode::Halt"]);
                let right = *self.pick(&["self.last.val()", state]);
                Code::new(format!("self.mode.val() {op} {right}"), Level::Compare)
            }
            _ => {
                let (n, m) = (*self.pick(&[3, 4, 8]), *self.pick(&[5, 16]));
                let (l, r) = (self.bits(n, d), self.bits(m, d));
                let (l, r) = (l.above(Level::Unary), r.above(Level::Unary));
                Code::new(format!("{l}.index() < {r}.index()"), Level::Compare)
            }
        }
    }

    fn assign(&mut self, out: &mut String, target: &str, depth: usize) {
        let value = match target {
            "l8" => self.bits(8, depth),
            "l33" => self.bits(33, depth),
            "o1" => self.bit(depth),
            "o16" => self.bits(16, depth),
            "o32" => self.bits(32, depth),
            "o100" => self.bits(100, depth),
            _ => self.signed(33, depth),
        };
        writeln!(out, "self.{target}.next = {};", value.text).unwrap();
    }

    fn body(&mut self) -> String {
        let mut out = String::new();
        self.locals = false;
        for target in ["l8", "l33"] {
            self.assign(&mut out, target, 3);
        }
        self.locals = true;
        for target in ["o1", "o16", "o32", "o100", "t_out"] {
            self.assign(&mut out, target, 3);
        }
        let targets = ["l8", "l33", "o1", "o16", "o32", "o100", "t_out"];
        for _ in 0..3 {
            let test = self.bit(3);
            writeln!(out, "if {} {{", test.text).unwrap();
            for _ in 0..2 {
                let target = *self.pick(&targets);
                self.assign(&mut out, target, 2);
            }
            if self.below(2) == 0 {
                let test = self.bit(2);
                writeln!(out, "}} else if {} {{", test.text).unwrap();
                let target = *self.pick(&targets);
                self.assign(&mut out, target, 2);
            }
            out += "} else {\n";
            let target = *self.pick(&targets);
            self.assign(&mut out, target, 2);
            out += "}\n";
        }
        out += "match self.mode.val() {\n";
        for state in ["Mode::Idle", "Mode::Run"] {
            writeln!(out, "{state} => {{").unwrap();
            let target = *self.pick(&targets);
            self.assign(&mut out, target, 2);
            out += "}\n";
        }
        let rest = *self.pick(&["_", "Mode::Halt"]);
        writeln!(out, "{rest} => {{}}\n}}").unwrap();
        let subject = self.bits(4, 1);
        writeln!(out, "match {}.index() {{", subject.above(Level::Unary)).unwrap();
        for label in [0, 3, 7, 15] {
            writeln!(out, "{label} => {{").unwrap();
            let target = *self.pick(&targets);
            self.assign(&mut out, target, 2);
            out += "}\n";
        }
        out += "_ => {}\n}\n";
        let (step, at) = (1 + self.below(3), self.below(4));
        writeln!(out, "for i in 0..3 {{").unwrap();
        writeln!(out, "if self.c32.val().get_bit(i * {step} + {at}) {{").unwrap();
        writeln!(out, "self.o16.next = self.o16.val() + self.b100.val().get_bits::<16>(i * 16);").unwrap();
        writeln!(out, "self.l8.next = (self.l8.val() << 1) ^ i.to_bits::<8>();").unwrap();
        out += "}\n}\n";
        self.assign(&mut out, "o32", 2);
        out
    }
}

/// The whole file.
pub(crate) fn file(count: usize) -> String {
    let mut writer = Writer { random: Random::new(2024), locals: false };
    let mut out = String::from(
        "use super::types::{Mode, Rec};\n\
         use weft_hdl::prelude::*;\n",
    );
    for i in 0..count {
        let body = writer.body();
        let used: Vec<_> =
            INPUTS.iter().filter(|(name, ..)| body.contains(&format!("self.{name}.val()"))).collect();
        writeln!(out, "\n#[derive(LogicBlock, Default)]\npub(crate) struct R{i} {{").unwrap();
        for (name, ty, _) in &used {
            writeln!(out, "pub {name}: Signal<In, {ty}>,").unwrap();
        }
        out += "l8: Signal<Local, Bits<8>>,\nl33: Signal<Local, Bits<33>>,\n\
                pub o1: Signal<Out, Bit>,\npub o16: Signal<Out, Bits<16>>,\n\
                pub o32: Signal<Out, Bits<32>>,\npub o100: Signal<Out, Bits<100>>,\n\
                pub t_out: Signal<Out, Signed<33>>,\n}\n\n";
        writeln!(out, "impl Logic for R{i} {{\n#[hdl_gen]\nfn update(&mut self) {{\n{body}}}\n}}").unwrap();
        let names: Vec<&str> = used.iter().map(|u| u.0).collect();
        writeln!(out, "\nports!(R{i}; {} => o1, o16, o32, o100, t_out);", names.join(", ")).unwrap();
    }
    out += "\n/// Calls a macro with every block.\nmacro_rules! all {\n($m:ident) => {\n";
    for i in 0..count {
        writeln!(out, "$m!(R{i});").unwrap();
    }
    out += "};\n}\npub(crate) use all;\n";
    out
}
