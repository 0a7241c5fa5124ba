//! A block with every width known: the input of the printer.
//!
//! Invariant: if Verilog sizes the operands of an operator by context, the operands have the width that Rust
//! computes in, and so has the target of the result. A wider target is reached only through [`Expr::Zext`],
//! printed as a concatenation. Verilog determines the width of each part of a concatenation independently.

use super::ty::Ty;

/// Index of a symbol.
pub(super) type Id = usize;

/// The kind of a symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Input,
    Output,
    Local,
    /// A wire that sizing demands.
    Temp,
    /// A constant field or an enum variant.
    Constant,
    /// Drives port `.1` of child `.0`.
    ToChild(usize, String),
    /// Driven by port `.1` of child `.0`.
    FromChild(usize, String),
}

/// A named value of a block.
#[derive(Clone, Debug)]
pub(super) struct Symbol {
    /// Name in Verilog.
    pub(super) name: String,
    /// Name for messages.
    pub(super) path: String,
    pub(super) kind: Kind,
    pub(super) ty: Ty,
    /// Value of a constant, as `width'hdigits`.
    pub(super) value: String,
    /// The Rust field's first line of documentation.
    pub(super) doc: String,
    /// For a struct that is split into signals: the signals of its fields, the first field first.
    pub(super) leaves: Vec<Id>,
    /// Whether the signal itself exists in Verilog: a struct may exist as its fields only.
    pub(super) word: bool,
    /// Whether the signal is the state of a register, which stays one vector.
    pub(super) held: bool,
    /// The struct that has this field.
    pub(super) part_of: Option<Id>,
}

impl Symbol {
    /// A signal that is not a field of a struct.
    pub(super) fn new(name: String, path: String, kind: Kind, ty: Ty) -> Symbol {
        Symbol {
            name,
            path,
            kind,
            ty,
            value: String::new(),
            doc: String::new(),
            leaves: Vec::new(),
            word: true,
            held: false,
            part_of: None,
        }
    }

    /// A constant's value, if the value fits in 128 bits.
    pub(super) fn number(&self) -> Option<u128> {
        let (_, digits) = self.value.split_once("'h")?;
        u128::from_str_radix(digits, 16).ok()
    }
}

/// Operators on operands of one width with a result of the same width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    Add,
    Sub,
    Mul,
    And,
    Or,
    Xor,
}

/// Operators with a result of one bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Test {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// `&&` of single bits.
    Both,
    /// `||` of single bits.
    Either,
}

/// Reductions to one bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reduce {
    All,
    Any,
    Xor,
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expr {
    /// A whole signal or constant.
    Ref(Id),
    Literal {
        width: usize,
        value: u128,
    },
    /// `width` bits from bit `lo`, fixed.
    Slice {
        signal: Id,
        lo: usize,
        width: usize,
    },
    /// `width` bits from a run-time bit on; every index is inside the signal.
    SliceAt {
        signal: Id,
        index: Box<Expr>,
        width: usize,
    },
    /// One bit at a run-time index, which is always inside the signal.
    BitAt {
        signal: Id,
        index: Box<Expr>,
    },
    /// Zeros above.
    Zext {
        value: Box<Expr>,
        width: usize,
    },
    /// A concatenation, most significant part first.
    Concat(Vec<Expr>),
    /// One bit, repeated.
    Repeat(usize, Box<Expr>),
    Not(Box<Expr>),
    Neg(Box<Expr>),
    Reduce(Reduce, Box<Expr>),
    Binary(Op, Box<Expr>, Box<Expr>),
    Shift {
        left: bool,
        value: Box<Expr>,
        amount: Box<Expr>,
    },
    Test {
        test: Test,
        signed: bool,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// The second operand if the first, which is one bit, is 1; otherwise the third.
    Choice(Box<Expr>, Box<Expr>, Box<Expr>),
}

impl Expr {
    /// A single constant bit.
    pub(super) fn bit(value: bool) -> Expr {
        Expr::Literal { width: 1, value: value.into() }
    }

    /// The value of a number or a named constant.
    pub(super) fn constant(&self, symbols: &[Symbol]) -> Option<u128> {
        match self {
            Expr::Literal { value, .. } => Some(*value),
            Expr::Ref(id) if symbols[*id].kind == Kind::Constant => symbols[*id].number(),
            _ => None,
        }
    }

    pub(super) fn width(&self, symbols: &[Symbol]) -> usize {
        match self {
            Expr::Ref(id) => symbols[*id].ty.width(),
            Expr::Literal { width, .. }
            | Expr::Slice { width, .. }
            | Expr::SliceAt { width, .. }
            | Expr::Zext { width, .. } => *width,
            Expr::BitAt { .. } | Expr::Reduce(..) | Expr::Test { .. } => 1,
            Expr::Concat(parts) => parts.iter().map(|p| p.width(symbols)).sum(),
            Expr::Repeat(times, _) => *times,
            Expr::Not(value) | Expr::Neg(value) | Expr::Shift { value, .. } => value.width(symbols),
            Expr::Binary(_, left, _) | Expr::Choice(_, left, _) => left.width(symbols),
        }
    }

    /// Replaces every part of the expression, the innermost first, by the result of `f`.
    pub(super) fn rewrite(&mut self, f: &mut impl FnMut(&mut Expr)) {
        match self {
            Expr::Ref(_) | Expr::Literal { .. } | Expr::Slice { .. } => {}
            Expr::SliceAt { index, .. } | Expr::BitAt { index, .. } => index.rewrite(f),
            Expr::Concat(parts) => parts.iter_mut().for_each(|p| p.rewrite(f)),
            Expr::Zext { value, .. }
            | Expr::Repeat(_, value)
            | Expr::Not(value)
            | Expr::Neg(value)
            | Expr::Reduce(_, value) => value.rewrite(f),
            Expr::Binary(_, left, right) | Expr::Test { left, right, .. } => {
                left.rewrite(f);
                right.rewrite(f);
            }
            Expr::Shift { value, amount, .. } => {
                value.rewrite(f);
                amount.rewrite(f);
            }
            Expr::Choice(test, left, right) => {
                test.rewrite(f);
                left.rewrite(f);
                right.rewrite(f);
            }
        }
        f(self);
    }

    /// Calls `f` for every signal read, with the lowest bit and the width of the part read.
    pub(super) fn reads(&self, symbols: &[Symbol], f: &mut impl FnMut(Id, usize, usize)) {
        match self {
            Expr::Ref(id) => f(*id, 0, symbols[*id].ty.width()),
            Expr::Literal { .. } => {}
            Expr::Slice { signal, lo, width } => f(*signal, *lo, *width),
            Expr::SliceAt { signal, index, .. } | Expr::BitAt { signal, index } => {
                f(*signal, 0, symbols[*signal].ty.width());
                index.reads(symbols, f);
            }
            Expr::Concat(parts) => parts.iter().for_each(|p| p.reads(symbols, f)),
            Expr::Zext { value, .. }
            | Expr::Repeat(_, value)
            | Expr::Not(value)
            | Expr::Neg(value)
            | Expr::Reduce(_, value) => value.reads(symbols, f),
            Expr::Binary(_, left, right) | Expr::Test { left, right, .. } => {
                left.reads(symbols, f);
                right.reads(symbols, f);
            }
            Expr::Shift { value, amount, .. } => {
                value.reads(symbols, f);
                amount.reads(symbols, f);
            }
            Expr::Choice(test, left, right) => {
                test.reads(symbols, f);
                left.reads(symbols, f);
                right.reads(symbols, f);
            }
        }
    }
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Stmt {
    /// Assigns `width` bits from bit `lo`.
    Assign {
        target: Id,
        lo: usize,
        width: usize,
        value: Expr,
        line: usize,
    },
    /// Assigns signals from the parts of a value, which is as wide as all signals together; the most
    /// significant part is first.
    Unpack {
        targets: Vec<Id>,
        value: Expr,
        line: usize,
    },
    If {
        test: Expr,
        then: Vec<Stmt>,
        otherwise: Vec<Stmt>,
        line: usize,
    },
    /// Full: `default` takes every value that no arm names.
    Case {
        subject: Expr,
        arms: Vec<(Expr, Vec<Stmt>)>,
        default: Vec<Stmt>,
        /// The variant that `default` covers, if any.
        last: Option<Expr>,
        line: usize,
    },
    Comment(String),
}

impl Stmt {
    /// Calls `f` for every expression evaluated.
    pub(super) fn expressions<'a>(&'a self, f: &mut impl FnMut(&'a Expr)) {
        match self {
            Stmt::Assign { value, .. } | Stmt::Unpack { value, .. } => f(value),
            Stmt::If { test, then, otherwise, .. } => {
                f(test);
                then.iter().chain(otherwise).for_each(|s| s.expressions(f));
            }
            Stmt::Case { subject, arms, default, .. } => {
                f(subject);
                for (label, body) in arms {
                    f(label);
                    body.iter().for_each(|s| s.expressions(f));
                }
                default.iter().for_each(|s| s.expressions(f));
            }
            Stmt::Comment(_) => {}
        }
    }

    /// Calls `f` for every signal assigned.
    pub(super) fn writes(&self, f: &mut impl FnMut(Id)) {
        match self {
            Stmt::Assign { target, .. } => f(*target),
            Stmt::Unpack { targets, .. } => targets.iter().for_each(|t| f(*t)),
            Stmt::If { then, otherwise, .. } => then.iter().chain(otherwise).for_each(|s| s.writes(f)),
            Stmt::Case { arms, default, .. } => {
                for (_, body) in arms {
                    body.iter().for_each(|s| s.writes(f));
                }
                default.iter().for_each(|s| s.writes(f));
            }
            Stmt::Comment(_) => {}
        }
    }

    /// Replaces the expressions of the statement and of the statements in it.
    pub(super) fn rewrite(&mut self, f: &mut impl FnMut(&mut Expr)) {
        match self {
            Stmt::Assign { value, .. } | Stmt::Unpack { value, .. } => value.rewrite(f),
            Stmt::If { test, then, otherwise, .. } => {
                test.rewrite(f);
                then.iter_mut().chain(otherwise).for_each(|s| s.rewrite(f));
            }
            Stmt::Case { subject, arms, default, .. } => {
                subject.rewrite(f);
                for (label, body) in arms {
                    label.rewrite(f);
                    body.iter_mut().for_each(|s| s.rewrite(f));
                }
                default.iter_mut().for_each(|s| s.rewrite(f));
            }
            Stmt::Comment(_) => {}
        }
    }

    pub(super) fn line(&self) -> usize {
        match self {
            Stmt::Assign { line, .. }
            | Stmt::Unpack { line, .. }
            | Stmt::If { line, .. }
            | Stmt::Case { line, .. } => *line,
            Stmt::Comment(_) => 0,
        }
    }
}
