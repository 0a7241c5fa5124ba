//! Expressions.

use super::Printer;
use super::text::{balanced, literal};
use crate::emit::ir::{Expr, Id, Op, Reduce, Test};

impl Printer<'_> {
    /// A signal or a part of it.
    pub(super) fn place(&self, id: Id, lo: usize, width: usize) -> String {
        let symbol = &self.d.symbols[id];
        let name = &symbol.name;
        match width {
            w if w == symbol.ty.width() => name.clone(),
            1 => format!("{name}[{lo}]"),
            w => format!("{name}[{}:{lo}]", lo + w - 1),
        }
    }

    /// An expression in a place where it needs no parentheses.
    pub(super) fn top(&self, e: &Expr) -> String {
        let text = self.expr(e);
        match text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
            Some(inner) if balanced(inner) => inner.to_string(),
            _ => text,
        }
    }

    /// A part of a concatenation. A nested concatenation needs no further braces.
    fn inside(&self, e: &Expr) -> String {
        let text = self.top(e);
        match e {
            Expr::Concat(_) => text[1..text.len() - 1].to_string(),
            _ => text,
        }
    }

    /// The operand of a prefix: tools read `&!a` and `~~a` differently.
    fn operand(&self, e: &Expr) -> String {
        let text = self.expr(e);
        match text.starts_with(['~', '!']) {
            true => format!("({text})"),
            false => text,
        }
    }

    pub(super) fn expr(&self, e: &Expr) -> String {
        match e {
            Expr::Ref(id) => self.d.symbols[*id].name.clone(),
            Expr::Literal { width, value } => {
                let width = if self.d.wrong { 32.max(*width) } else { *width };
                literal(width, *value)
            }
            Expr::Slice { signal, lo, width } => self.place(*signal, *lo, *width),
            Expr::SliceAt { signal, index, width } => {
                let name = &self.d.symbols[*signal].name;
                format!("{name}[{} +: {width}]", self.expr(index))
            }
            Expr::BitAt { signal, index } => {
                let name = &self.d.symbols[*signal].name;
                format!("{name}[{}]", self.top(index))
            }
            Expr::Zext { value, .. } if self.d.wrong => self.expr(value),
            Expr::Zext { value, width } => {
                let pad = width - value.width(self.d.symbols);
                format!("{{{pad}'d0, {}}}", self.inside(value))
            }
            Expr::Concat(parts) => {
                let parts: Vec<String> = parts.iter().map(|p| self.inside(p)).collect();
                format!("{{{}}}", parts.join(", "))
            }
            Expr::Repeat(times, value) => format!("{{{times}{{{}}}}}", self.top(value)),
            Expr::Not(value) => {
                let op = if value.width(self.d.symbols) == 1 { "!" } else { "~" };
                format!("{op}{}", self.operand(value))
            }
            Expr::Neg(value) => format!("(-{})", self.operand(value)),
            Expr::Reduce(op, value) => {
                let op = match op {
                    Reduce::All => "&",
                    Reduce::Any => "|",
                    Reduce::Xor => "^",
                };
                format!("({op}{})", self.operand(value))
            }
            Expr::Binary(kind, left, right) => {
                let op = match kind {
                    Op::Add => "+",
                    Op::Sub => "-",
                    Op::Mul => "*",
                    Op::And => "&",
                    Op::Or => "|",
                    Op::Xor => "^",
                };
                // `a + b + c` is `(a + b) + c` in Verilog too.
                let first = match &**left {
                    Expr::Binary(inner, ..) if inner == kind => self.top(left),
                    _ => self.expr(left),
                };
                format!("({first} {op} {})", self.expr(right))
            }
            Expr::Shift { left, value, amount } => {
                let op = if *left { "<<" } else { ">>" };
                // Verilog sizes an amount by itself, so a plain number is exact.
                let amount = match &**amount {
                    Expr::Literal { value, .. } => value.to_string(),
                    other => self.expr(other),
                };
                format!("({} {op} {amount})", self.expr(value))
            }
            Expr::Test { test, signed, left, right } => {
                let op = match test {
                    Test::Eq => "==",
                    Test::Ne => "!=",
                    Test::Lt => "<",
                    Test::Le => "<=",
                    Test::Gt => ">",
                    Test::Ge => ">=",
                    Test::Both => "&&",
                    Test::Either => "||",
                };
                let chained = matches!(test, Test::Both | Test::Either);
                let first = match &**left {
                    Expr::Test { test: inner, .. } if chained && inner == test => self.top(left),
                    _ => self.expr(left),
                };
                if *signed {
                    let (l, r) = (self.top(left), self.top(right));
                    format!("($signed({l}) {op} $signed({r}))")
                } else {
                    format!("({first} {op} {})", self.expr(right))
                }
            }
            Expr::Choice(test, then, otherwise) => {
                let last = match &**otherwise {
                    Expr::Choice(..) => self.top(otherwise),
                    other => self.expr(other),
                };
                format!("({} ? {} : {last})", self.expr(test), self.expr(then))
            }
        }
    }
}
