//! From rust-hdl's AST to expressions whose widths are Rust's.
//!
//! An operation has the width of its `Bits<N>` operand, a number takes the other side's width, a
//! cast has its own, a comparison is one bit. Whatever the AST does not determine is refused.

use super::error::Refusal;
use super::ir::{Expr, Id, Kind, Op, Reduce, Stmt, Symbol, Test};
use super::names;
use super::source::Lines;
use super::ty::Ty;
use rust_hdl_core::ast::{
    VerilogBlockOrConditional, VerilogCase, VerilogExpression, VerilogLink, VerilogLiteral, VerilogLoop,
    VerilogMatch, VerilogOp, VerilogOpUnary, VerilogStatement,
};
use rust_hdl_core::bits::clog2;
use std::collections::{HashMap, HashSet};

/// A value with its type, or a number that takes its width from its use.
#[derive(Clone, Debug)]
enum Value {
    Typed(Ty, Expr),
    Number(i128),
}

type Lowered<T> = Result<T, Refusal>;

/// Lowers the statements of one block.
pub(super) struct Lowering<'a> {
    pub(super) symbols: &'a mut Vec<Symbol>,
    paths: HashMap<String, Id>,
    enums: HashMap<String, Vec<String>>,
    loops: Vec<(String, i128)>,
    /// Statements of the block being lowered.
    out: Vec<Stmt>,
    /// Line of the statement being lowered.
    pub(super) line: usize,
}

impl<'a> Lowering<'a> {
    pub(super) fn new(symbols: &'a mut Vec<Symbol>) -> Lowered<Self> {
        let mut paths = HashMap::new();
        let mut enums = HashMap::new();
        for (id, symbol) in symbols.iter().enumerate() {
            paths.insert(symbol.path.clone(), id);
            collect_enums(&symbol.ty, &mut enums)?;
        }
        Ok(Lowering { symbols, paths, enums, loops: Vec::new(), out: Vec::new(), line: 0 })
    }

    /// Lowers a whole `update`.
    pub(super) fn body(&mut self, block: &[VerilogStatement], lines: &[Lines]) -> Lowered<Vec<Stmt>> {
        for (i, statement) in block.iter().enumerate() {
            let before = self.out.len();
            self.statement(statement, lines.get(i))?;
            let mut new = self.out.split_off(before);
            self.hoist(&mut new);
            self.out.extend(new);
        }
        Ok(std::mem::take(&mut self.out))
    }

    /// Moves temporaries out of branches, or gives them a value before, so that they are no
    /// latches.
    fn hoist(&mut self, statements: &mut Vec<Stmt>) {
        let mut written = HashSet::new();
        for s in statements.iter() {
            s.writes(&mut |id| {
                if self.symbols[id].kind != Kind::Temp {
                    written.insert(id);
                }
            });
        }
        let mut early = Vec::new();
        for s in statements.iter_mut() {
            each_block(s, &mut |block| {
                block.retain(|s| {
                    let Stmt::Assign { target, value, .. } = s else {
                        return true;
                    };
                    if self.symbols[*target].kind != Kind::Temp {
                        return true;
                    }
                    let mut fixed = true;
                    value.reads(self.symbols, &mut |id, _, _| fixed &= !written.contains(&id));
                    if fixed {
                        early.push(s.clone());
                        return false;
                    }
                    written.insert(*target);
                    let width = self.symbols[*target].ty.width();
                    early.push(Stmt::Assign {
                        target: *target,
                        lo: 0,
                        width,
                        value: Expr::Literal { width, value: 0 },
                        line: s.line(),
                    });
                    true
                });
            });
        }
        // Comments stay in front of the statement that they describe.
        let at = statements.iter().take_while(|s| matches!(s, Stmt::Comment(_))).count();
        statements.splice(at..at, early);
    }

    fn block(&mut self, block: &[VerilogStatement], lines: Option<&Vec<Lines>>) -> Lowered<Vec<Stmt>> {
        let outer = std::mem::take(&mut self.out);
        for (i, statement) in block.iter().enumerate() {
            self.statement(statement, lines.and_then(|l| l.get(i)))?;
        }
        Ok(std::mem::replace(&mut self.out, outer))
    }

    fn statement(&mut self, statement: &VerilogStatement, lines: Option<&Lines>) -> Lowered<()> {
        if let Some(lines) = lines {
            self.line = lines.line;
            for comment in &lines.comments {
                self.out.push(Stmt::Comment(comment.clone()));
            }
        }
        match statement {
            VerilogStatement::Assignment(target, value) => {
                let VerilogExpression::Signal(name) = target else {
                    return Err(Refusal::Unsupported("assignments to expressions"));
                };
                let target = self.target(name)?;
                let ty = self.symbols[target].ty.clone();
                let value = self.value(value)?;
                let value = self.coerce(value, &ty)?;
                self.assign(target, 0, ty.width(), value);
                Ok(())
            }
            VerilogStatement::SliceAssignment { base, width, offset, replacement } => {
                let VerilogExpression::Signal(name) = base else {
                    return Err(Refusal::Unsupported("assignments to expressions"));
                };
                let target = self.target(name)?;
                let Value::Number(lo) = self.value(offset)? else {
                    return Err(Refusal::Unsupported("assignments to run-time slices"));
                };
                let lo = usize::try_from(lo).unwrap_or(usize::MAX);
                let Some(ty) = self.symbols[target].ty.field(lo, *width).cloned() else {
                    return Err(Refusal::Unsupported("assignments to slices"));
                };
                let value = self.value(replacement)?;
                let value = self.coerce(value, &ty)?;
                self.assign(target, lo, *width, value);
                Ok(())
            }
            VerilogStatement::If(c) => {
                let line = self.line;
                let test = self.condition(&c.test)?;
                let blocks = lines.map(|l| l.blocks.as_slice()).unwrap_or_default();
                let then = self.block(&c.then, blocks.first())?;
                let otherwise = match &c.otherwise {
                    VerilogBlockOrConditional::Block(b) => self.block(b, blocks.get(1))?,
                    VerilogBlockOrConditional::Conditional(s) => {
                        self.block(std::slice::from_ref(s), blocks.get(1))?
                    }
                    VerilogBlockOrConditional::None => Vec::new(),
                };
                match test {
                    Expr::Literal { value: 0, .. } => self.out.extend(otherwise),
                    Expr::Literal { .. } => self.out.extend(then),
                    test => self.out.push(Stmt::If { test, then, otherwise, line }),
                }
                Ok(())
            }
            VerilogStatement::Match(m) => self.match_statement(m, lines),
            VerilogStatement::Loop(l) => self.loop_statement(l, lines),
            VerilogStatement::Comment(text) => {
                // `assert!` and `println!` arrive here too, but say nothing in Verilog.
                if text.starts_with("comment")
                    && let Some((_, text)) = text.split_once('"')
                {
                    let text = text.rsplit_once('"').map_or(text, |(text, _)| text);
                    self.out.push(Stmt::Comment(text.into()));
                }
                Ok(())
            }
            VerilogStatement::Link(links) => {
                for link in links {
                    self.link(link)?;
                }
                Ok(())
            }
            VerilogStatement::Macro(block) => {
                for s in block {
                    self.statement(s, None)?;
                }
                Ok(())
            }
        }
    }

    fn assign(&mut self, target: Id, lo: usize, width: usize, value: Expr) {
        self.out.push(Stmt::Assign { target, lo, width, value, line: self.line });
    }

    fn loop_statement(&mut self, l: &VerilogLoop, lines: Option<&Lines>) -> Lowered<()> {
        let (_, from) = literal(&l.from)?;
        let (_, to) = literal(&l.to)?;
        if self.paths.contains_key(&l.index) {
            return Err(Refusal::LoopShadowsField(l.index.clone()));
        }
        for i in from..to {
            self.loops.push((l.index.clone(), i));
            let body = self.block(&l.block, lines.and_then(|l| l.blocks.first()))?;
            self.out.extend(body);
            self.loops.pop();
        }
        Ok(())
    }

    fn match_statement(&mut self, m: &VerilogMatch, lines: Option<&Lines>) -> Lowered<()> {
        let line = self.line;
        let subject = self.value(&m.test)?;
        let blocks = lines.map(|l| l.blocks.as_slice()).unwrap_or_default();
        let mut seen = HashSet::new();
        let mut bodies: Vec<(Option<Value>, Vec<Stmt>)> = Vec::new();
        for (i, VerilogCase { condition, block }) in m.cases.iter().enumerate() {
            if seen.contains("default") || !seen.insert(condition.clone()) {
                return Err(Refusal::DeadArm(condition.clone()));
            }
            let label = match condition.as_str() {
                "default" => None,
                text => Some(self.label(text)?),
            };
            bodies.push((label, self.block(block, blocks.get(i))?));
        }
        let (ty, subject) = match subject {
            Value::Typed(ty, expr) => (ty, expr),
            // A loop variable: the arm is known.
            Value::Number(n) => {
                let taken =
                    bodies.into_iter().find(|(label, _)| !matches!(label, Some(Value::Number(l)) if *l != n));
                let (_, body) = taken.ok_or(Refusal::NoDefault)?;
                self.out.extend(body);
                return Ok(());
            }
        };
        let mut arms = Vec::new();
        let mut default = None;
        for (label, body) in bodies {
            match label {
                None => default = Some(body),
                Some(label) => arms.push((self.coerce(label, &ty)?, body)),
            }
        }
        let mut last = None;
        let default = match default {
            Some(body) => body,
            None => {
                let values = match &ty {
                    Ty::Bool => 2,
                    Ty::Enum(_, variants) => variants.len(),
                    _ => usize::MAX,
                };
                // Rust has checked that every variant is there; the last stands for the rest.
                let (label, body) = match arms.len() == values {
                    true => arms.pop().ok_or(Refusal::NoDefault)?,
                    false => return Err(Refusal::NoDefault),
                };
                last = Some(label);
                body
            }
        };
        let mut distinct: Vec<&Expr> = Vec::new();
        for (label, _) in &arms {
            if distinct.contains(&label) {
                return Err(Refusal::DeadArm(format!("{label:?}")));
            }
            distinct.push(label);
        }
        self.out.push(Stmt::Case { subject, arms, default, last, line });
        Ok(())
    }

    fn label(&mut self, text: &str) -> Lowered<Value> {
        match text {
            "true" => return Ok(Value::Typed(Ty::Bool, Expr::bit(true))),
            "false" => return Ok(Value::Typed(Ty::Bool, Expr::bit(false))),
            _ => {}
        }
        if let Ok(number) = syn::parse_str::<syn::LitInt>(text) {
            let value = number.base10_parse::<i128>();
            return value.map(Value::Number).map_err(|_| Refusal::NoWidth);
        }
        self.name(text)
    }

    fn link(&mut self, link: &VerilogLink) -> Lowered<()> {
        let (details, forward) = match link {
            VerilogLink::Forward(d) => (d, true),
            VerilogLink::Backward(d) => (d, false),
            VerilogLink::Bidirectional(_) => return Err(Refusal::Unsupported("inout ports")),
        };
        let part = details.my_name.replace('.', "$");
        let owner = format!("{}{part}", details.owner_name);
        let other = format!("{}{part}", details.other_name);
        let (from, to) = if forward { (owner, other) } else { (other, owner) };
        let target = self.target(&to)?;
        let ty = self.symbols[target].ty.clone();
        let value = self.name(&from)?;
        let value = self.coerce(value, &ty)?;
        self.assign(target, 0, ty.width(), value);
        Ok(())
    }

    /// The signal that an assignment to `name` drives.
    fn target(&mut self, name: &str) -> Lowered<Id> {
        let name = name.strip_suffix("$next").unwrap_or(name);
        let path = self.constant_indices(name)?;
        let id = *self.paths.get(&path).ok_or_else(|| Refusal::UnknownName(name.into()))?;
        match self.symbols[id].kind {
            Kind::Output | Kind::Local | Kind::ToChild(..) => Ok(id),
            _ => Err(Refusal::NotDrivable(path)),
        }
    }

    /// `a[i + 1]$q` as `a$4$q`.
    fn constant_indices(&self, name: &str) -> Lowered<String> {
        let mut path = String::new();
        let mut rest = name;
        while let Some((head, tail)) = rest.split_once('[') {
            let bad = || Refusal::ArrayIndex(name.replace('$', "."));
            let (index, tail) = tail.split_once(']').ok_or_else(bad)?;
            let index: syn::Expr = syn::parse_str(index).map_err(|_| bad())?;
            path += &format!("{head}${}", self.constant(&index).ok_or_else(bad)?);
            rest = tail;
        }
        Ok(path + rest)
    }

    /// The value of an index expression of numbers and loop variables.
    fn constant(&self, e: &syn::Expr) -> Option<i128> {
        match e {
            syn::Expr::Paren(e) => self.constant(&e.expr),
            syn::Expr::Lit(e) => match &e.lit {
                syn::Lit::Int(n) => n.base10_parse().ok(),
                _ => None,
            },
            syn::Expr::Path(e) => {
                let name = e.path.get_ident()?.to_string();
                self.loop_value(&name)
            }
            syn::Expr::Binary(e) => {
                let (l, r) = (self.constant(&e.left)?, self.constant(&e.right)?);
                match e.op {
                    syn::BinOp::Add(_) => l.checked_add(r),
                    syn::BinOp::Sub(_) => l.checked_sub(r),
                    syn::BinOp::Mul(_) => l.checked_mul(r),
                    syn::BinOp::Div(_) => l.checked_div(r),
                    syn::BinOp::Rem(_) => l.checked_rem(r),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn loop_value(&self, name: &str) -> Option<i128> {
        let found = self.loops.iter().rev().find(|(n, _)| n == name);
        found.map(|(_, value)| *value)
    }

    /// What a name stands for.
    fn name(&mut self, name: &str) -> Lowered<Value> {
        if let Some(value) = self.loop_value(name) {
            return Ok(Value::Number(value));
        }
        let path = self.constant_indices(name)?;
        if let Some(&id) = self.paths.get(&path) {
            let symbol = &self.symbols[id];
            return Ok(Value::Typed(symbol.ty.clone(), Expr::Ref(id)));
        }
        if let Some((owner, variant)) = path.rsplit_once('$') {
            let owner = owner.rsplit('$').next().unwrap_or(owner);
            if let Some(variants) = self.enums.get(owner)
                && let Some(value) = variants.iter().position(|v| v == variant)
            {
                let ty = Ty::Enum(owner.into(), variants.clone());
                let id = self.symbols.len();
                self.symbols.push(Symbol {
                    name: format!("{}_{}", names::screaming(owner), names::screaming(variant)),
                    path: path.clone(),
                    kind: Kind::Constant,
                    value: format!("{}'h{value:x}", ty.width()),
                    ty: ty.clone(),
                    doc: String::new(),
                });
                self.paths.insert(path, id);
                return Ok(Value::Typed(ty, Expr::Ref(id)));
            }
        }
        Err(Refusal::UnknownName(name.replace('$', ".")))
    }

    /// A wire with the value of `expr`.
    fn temp(&mut self, expr: Expr) -> Id {
        let width = expr.width(self.symbols);
        let count = self.symbols.iter().filter(|s| s.kind == Kind::Temp).count();
        let id = self.symbols.len();
        self.symbols.push(Symbol {
            name: format!("tmp_{count}"),
            path: format!("tmp${count}"),
            kind: Kind::Temp,
            ty: Ty::Bits(width),
            value: String::new(),
            doc: String::new(),
        });
        self.assign(id, 0, width, expr);
        id
    }

    /// A signal with the value of `expr`.
    fn signal(&mut self, expr: Expr) -> Id {
        match expr {
            Expr::Ref(id) if self.symbols[id].kind != Kind::Constant => id,
            other => self.temp(other),
        }
    }

    fn condition(&mut self, e: &VerilogExpression) -> Lowered<Expr> {
        let value = self.value(e)?;
        let expr = self.coerce(value, &Ty::Bool)?;
        Ok(match expr.constant(self.symbols) {
            Some(value) => Expr::bit(value == 1),
            None => expr,
        })
    }

    /// `value` as a value of type `ty`, where Rust makes it one without changing bits.
    fn coerce(&mut self, value: Value, ty: &Ty) -> Lowered<Expr> {
        let width = ty.width();
        match (value, ty) {
            (Value::Number(n), Ty::Bits(_)) => number(n, width, "a value"),
            (Value::Number(n), Ty::Signed(_)) => signed_number(n, width),
            (Value::Typed(from, expr), to) => {
                let same = match (&from, to) {
                    (Ty::Bits(n), Ty::Bits(m)) | (Ty::Signed(n), Ty::Signed(m)) => n == m,
                    (Ty::Bool, Ty::Bits(1)) | (Ty::Bits(1), Ty::Bool) => true,
                    (Ty::Struct(..) | Ty::Enum(..), Ty::Bits(n)) => from.width() == *n,
                    (from, to) => from == to,
                };
                if !same {
                    return Err(mismatch(to, &from));
                }
                Ok(expr)
            }
            (Value::Number(_), to) => {
                Err(Refusal::Mismatch { left: to.to_string(), right: "a number".into() })
            }
        }
    }

    fn value(&mut self, e: &VerilogExpression) -> Lowered<Value> {
        match e {
            VerilogExpression::Signal(name) => self.name(name),
            VerilogExpression::Literal(l) => {
                let (bits, value) = literal(l)?;
                // Only a `bool` makes a literal of one bit.
                Ok(match bits {
                    1 => Value::Typed(Ty::Bool, Expr::bit(value == 1)),
                    _ => Value::Number(value),
                })
            }
            VerilogExpression::Paren(e) => self.value(e),
            VerilogExpression::Cast(e, width) => self.cast(e, *width),
            VerilogExpression::Signed(e) => match self.value(e)? {
                Value::Typed(Ty::Bits(n), expr) => Ok(Value::Typed(Ty::Signed(n), expr)),
                Value::Number(n) => Ok(Value::Number(n)),
                Value::Typed(..) => Err(Refusal::UnsupportedCall("signed_bit_cast".into())),
            },
            VerilogExpression::Unsigned(e) => match self.value(e)? {
                Value::Typed(Ty::Signed(n), expr) => Ok(Value::Typed(Ty::Bits(n), expr)),
                other => Err(operator("unsigned_cast", &other)),
            },
            VerilogExpression::Unary(op, e) => self.unary(op, e),
            VerilogExpression::Binary(l, op, r) => self.binary(l, op, r),
            VerilogExpression::Index(base, index) => self.index(base, index),
            VerilogExpression::Slice(base, width, offset) => self.slice_op(base, *width, offset),
            VerilogExpression::IndexReplace(base, index, value) => self.replace(base, index, value),
        }
    }

    fn cast(&mut self, e: &VerilogExpression, width: usize) -> Lowered<Value> {
        if width == 0 {
            return Err(Refusal::NoBits("a cast".into()));
        }
        let expr = match self.value(e)? {
            Value::Number(n) => number(n, width, "a cast")?,
            Value::Typed(Ty::Bits(_) | Ty::Bool | Ty::Struct(..), expr) => self.resize(expr, width),
            other => return Err(operator("bit_cast", &other)),
        };
        Ok(Value::Typed(Ty::Bits(width), expr))
    }

    fn unary(&mut self, op: &VerilogOpUnary, e: &VerilogExpression) -> Lowered<Value> {
        let reduce = match op {
            VerilogOpUnary::All => Reduce::All,
            VerilogOpUnary::Any => Reduce::Any,
            VerilogOpUnary::Xor => Reduce::Xor,
            VerilogOpUnary::Not => {
                return match self.value(e)? {
                    Value::Typed(ty @ (Ty::Bits(_) | Ty::Bool), expr) => {
                        Ok(Value::Typed(ty, Expr::Not(Box::new(expr))))
                    }
                    other => Err(operator("!", &other)),
                };
            }
            VerilogOpUnary::Neg => {
                return match self.value(e)? {
                    Value::Typed(ty @ Ty::Signed(_), expr) => Ok(Value::Typed(ty, Expr::Neg(Box::new(expr)))),
                    Value::Number(n) => Ok(Value::Number(-n)),
                    other => Err(operator("-", &other)),
                };
            }
        };
        match self.value(e)? {
            Value::Typed(Ty::Bits(_), expr) => {
                let expr = Expr::Reduce(reduce, Box::new(expr));
                Ok(Value::Typed(Ty::Bool, expr))
            }
            other => Err(operator("any, all or xor", &other)),
        }
    }

    fn binary(&mut self, l: &VerilogExpression, op: &VerilogOp, r: &VerilogExpression) -> Lowered<Value> {
        let left = self.value(l)?;
        let right = self.value(r)?;
        match op {
            VerilogOp::Add => self.arithmetic(Op::Add, left, right),
            VerilogOp::Sub => self.arithmetic(Op::Sub, left, right),
            VerilogOp::BitAnd => self.arithmetic(Op::And, left, right),
            VerilogOp::BitOr => self.arithmetic(Op::Or, left, right),
            VerilogOp::BitXor => self.arithmetic(Op::Xor, left, right),
            VerilogOp::Mul => self.multiply(left, right),
            VerilogOp::Shl => self.shift(true, left, right),
            VerilogOp::Shr => self.shift(false, left, right),
            VerilogOp::LogicalAnd => self.logical(Test::Both, left, right),
            VerilogOp::LogicalOr => self.logical(Test::Either, left, right),
            VerilogOp::Eq => self.compare(Test::Eq, left, right),
            VerilogOp::Ne => self.compare(Test::Ne, left, right),
            VerilogOp::Lt => self.compare(Test::Lt, left, right),
            VerilogOp::Le => self.compare(Test::Le, left, right),
            VerilogOp::Gt => self.compare(Test::Gt, left, right),
            VerilogOp::Ge => self.compare(Test::Ge, left, right),
        }
    }

    fn arithmetic(&mut self, op: Op, left: Value, right: Value) -> Lowered<Value> {
        let (ty, l, r) = match (left, right) {
            (Value::Number(l), Value::Number(r)) => {
                let value = match op {
                    Op::Add => l.checked_add(r),
                    Op::Sub => l.checked_sub(r),
                    Op::Mul => l.checked_mul(r),
                    Op::And => Some(l & r),
                    Op::Or => Some(l | r),
                    Op::Xor => Some(l ^ r),
                };
                return value.map(Value::Number).ok_or(Refusal::NoWidth);
            }
            (Value::Typed(ty @ Ty::Bits(n), l), Value::Number(r)) => (ty, l, number(r, n, "an operand")?),
            (Value::Number(l), Value::Typed(ty @ Ty::Bits(n), r)) => (ty, number(l, n, "an operand")?, r),
            (Value::Typed(ty @ Ty::Signed(n), l), Value::Number(r)) if matches!(op, Op::Add | Op::Sub) => {
                (ty, l, signed_number(r, n)?)
            }
            (Value::Number(l), Value::Typed(ty @ Ty::Signed(n), r)) if matches!(op, Op::Add | Op::Sub) => {
                (ty, signed_number(l, n)?, r)
            }
            // rust-hdl adds a `bool` to a `Bits<N>`.
            (Value::Typed(ty @ Ty::Bits(n), l), Value::Typed(Ty::Bool, r)) if op == Op::Add => {
                (ty, l, self.resize(r, n))
            }
            (Value::Typed(left, l), Value::Typed(right, r)) => {
                if left != right {
                    return Err(mismatch(&left, &right));
                }
                let fine = matches!(
                    (&left, op),
                    (Ty::Bits(_), _)
                        | (Ty::Signed(_), Op::Add | Op::Sub)
                        | (Ty::Bool, Op::And | Op::Or | Op::Xor)
                );
                if !fine {
                    return Err(operator(op_name(op), &Value::Typed(left, l)));
                }
                (left, l, r)
            }
            (other, Value::Number(_)) | (Value::Number(_), other) => {
                return Err(operator(op_name(op), &other));
            }
        };
        Ok(Value::Typed(ty, Expr::Binary(op, Box::new(l), Box::new(r))))
    }

    /// rust-hdl multiplies 16 by 16 bits to 32, and numbers.
    fn multiply(&mut self, left: Value, right: Value) -> Lowered<Value> {
        let product = |l, r| Expr::Binary(Op::Mul, Box::new(l), Box::new(r));
        match (left, right) {
            (Value::Typed(Ty::Bits(16), l), Value::Typed(Ty::Bits(16), r)) => {
                let (l, r) = (self.resize(l, 32), self.resize(r, 32));
                Ok(Value::Typed(Ty::Bits(32), product(l, r)))
            }
            (Value::Typed(Ty::Signed(16), l), Value::Typed(Ty::Signed(16), r)) => {
                let (l, r) = (self.sign_extend(l, 32), self.sign_extend(r, 32));
                Ok(Value::Typed(Ty::Signed(32), product(l, r)))
            }
            (l @ Value::Number(_), r @ Value::Number(_)) => self.arithmetic(Op::Mul, l, r),
            (other, Value::Number(_)) | (_, other) => Err(operator("*", &other)),
        }
    }

    fn shift(&mut self, left: bool, value: Value, amount: Value) -> Lowered<Value> {
        let op = if left { "<<" } else { ">>" };
        let (width, value) = match (value, &amount) {
            (Value::Typed(Ty::Bits(n), expr), _) => (n, expr),
            (Value::Number(v), Value::Number(n)) => {
                let shift = u32::try_from(*n).map_err(|_| Refusal::NoWidth)?;
                let value = match left {
                    true => v.checked_mul(1_i128.checked_shl(shift).ok_or(Refusal::NoWidth)?),
                    false => v.checked_shr(shift),
                };
                return value.map(Value::Number).ok_or(Refusal::NoWidth);
            }
            // rust-hdl shifts a number by a `Bits<N>` as a `Bits<64>`.
            (Value::Number(v), _) => (64, number(v, 64, "an operand")?),
            (other, _) => return Err(operator(op, &other)),
        };
        let amount = match amount {
            Value::Number(n) => {
                let n = u128::try_from(n).map_err(|_| Refusal::NoWidth)?;
                if n >= width as u128 {
                    let zero = Expr::Literal { width, value: 0 };
                    return Ok(Value::Typed(Ty::Bits(width), zero));
                }
                Expr::Literal { width: (128 - n.leading_zeros() as usize).max(1), value: n }
            }
            Value::Typed(Ty::Bits(m), expr) if m <= 64 => expr,
            other => return Err(operator(op, &other)),
        };
        let expr = Expr::Shift { left, value: Box::new(value), amount: Box::new(amount) };
        Ok(Value::Typed(Ty::Bits(width), expr))
    }

    fn logical(&mut self, test: Test, left: Value, right: Value) -> Lowered<Value> {
        let left = self.coerce(left, &Ty::Bool)?;
        let right = self.coerce(right, &Ty::Bool)?;
        Ok(Value::Typed(
            Ty::Bool,
            Expr::Test { test, signed: false, left: Box::new(left), right: Box::new(right) },
        ))
    }

    fn compare(&mut self, test: Test, left: Value, right: Value) -> Lowered<Value> {
        let order = !matches!(test, Test::Eq | Test::Ne);
        let (signed, l, r) = match (left, right) {
            (Value::Number(l), Value::Number(r)) => {
                return Ok(Value::Typed(Ty::Bool, Expr::bit(holds(test, l, r))));
            }
            (Value::Typed(Ty::Bits(n), l), Value::Number(r)) => (false, l, number(r, n, "a comparison")?),
            (Value::Number(l), Value::Typed(Ty::Bits(n), r)) => (false, number(l, n, "a comparison")?, r),
            (Value::Typed(Ty::Signed(n), l), Value::Number(r)) => (order, l, signed_number(r, n)?),
            (Value::Number(l), Value::Typed(Ty::Signed(n), r)) => (order, signed_number(l, n)?, r),
            // Rust compares different widths only as `.index()`, which is a number.
            (Value::Typed(Ty::Bits(n), l), Value::Typed(Ty::Bits(m), r)) => {
                let width = n.max(m);
                (false, self.resize(l, width), self.resize(r, width))
            }
            (Value::Typed(Ty::Bits(1), l), Value::Typed(Ty::Bool, r))
            | (Value::Typed(Ty::Bool, l), Value::Typed(Ty::Bits(1), r))
                if !order =>
            {
                (false, l, r)
            }
            (Value::Typed(left, l), Value::Typed(right, r)) => {
                if left != right {
                    return Err(mismatch(&left, &right));
                }
                let fine = match left {
                    Ty::Signed(_) | Ty::Bool => true,
                    Ty::Enum(..) | Ty::Struct(..) => !order,
                    Ty::Bits(_) | Ty::Clock => false,
                };
                if !fine {
                    return Err(operator("comparison", &Value::Typed(left, l)));
                }
                (order && matches!(left, Ty::Signed(_)), l, r)
            }
            (other, Value::Number(_)) | (Value::Number(_), other) => {
                return Err(operator("comparison", &other));
            }
        };
        Ok(Value::Typed(Ty::Bool, self.test(test, signed, l, r)))
    }

    /// A comparison, or its value where an unsigned bound decides it: tools warn about those.
    fn test(&self, test: Test, signed: bool, left: Expr, right: Expr) -> Expr {
        let width = left.width(self.symbols);
        let top = match width {
            0..128 => (1 << width) - 1,
            _ => u128::MAX,
        };
        let bound = |e: &Expr, bound: u128| {
            width <= 128 && matches!(e, Expr::Literal { value, .. } if *value == bound)
        };
        if !signed {
            match test {
                Test::Ge if bound(&right, 0) => return Expr::bit(true),
                Test::Lt if bound(&right, 0) => return Expr::bit(false),
                Test::Le if bound(&right, top) => return Expr::bit(true),
                Test::Gt if bound(&right, top) => return Expr::bit(false),
                Test::Le if bound(&left, 0) => return Expr::bit(true),
                Test::Gt if bound(&left, 0) => return Expr::bit(false),
                Test::Ge if bound(&left, top) => return Expr::bit(true),
                Test::Lt if bound(&left, top) => return Expr::bit(false),
                _ => {}
            }
        }
        Expr::Test { test, signed, left: Box::new(left), right: Box::new(right) }
    }

    fn index(&mut self, base: &VerilogExpression, index: &VerilogExpression) -> Lowered<Value> {
        let base = self.value(base)?;
        let index = self.index_value(index)?;
        let Value::Typed(Ty::Bits(n) | Ty::Signed(n), base) = base else {
            return Err(operator("get_bit", &base));
        };
        let bit = match index {
            Value::Number(i) => {
                let i = in_range(i, n)?;
                self.part(base, i, 1)
            }
            Value::Typed(Ty::Bits(m), index) => self.bit_at(base, n, index, m)?,
            other => return Err(operator("get_bit", &other)),
        };
        Ok(Value::Typed(Ty::Bool, bit))
    }

    /// An index: a number if it is a constant, even a named one, because tools want the width of
    /// a name to fit.
    fn index_value(&mut self, e: &VerilogExpression) -> Lowered<Value> {
        let value = self.value(e)?;
        if let Value::Typed(Ty::Bits(_), expr) = &value
            && let Some(number) = expr.constant(self.symbols)
        {
            return i128::try_from(number).map(Value::Number).map_err(|_| Refusal::NoWidth);
        }
        Ok(value)
    }

    fn bit_at(&mut self, base: Expr, n: usize, index: Expr, m: usize) -> Lowered<Expr> {
        index_width(m)?;
        if n > 1 && n == 1 << m {
            return Ok(Expr::BitAt { signal: self.signal(base), index: Box::new(index) });
        }
        // An index outside would read x; a shift gives 0.
        let shifted = Expr::Shift { left: false, value: Box::new(base), amount: Box::new(index) };
        Ok(self.part(shifted, 0, 1))
    }

    fn slice_op(
        &mut self,
        base: &VerilogExpression,
        width: usize,
        offset: &VerilogExpression,
    ) -> Lowered<Value> {
        if width == 0 {
            return Err(Refusal::NoBits("a slice".into()));
        }
        let base = self.value(base)?;
        let offset = self.index_value(offset)?;
        let (n, base, ty) = match base {
            Value::Typed(Ty::Bits(n), base) => (n, base, Ty::Bits(width)),
            Value::Typed(Ty::Signed(n), base) => (n, base, Ty::Signed(width)),
            Value::Typed(ty @ Ty::Struct(..), base) => {
                let Value::Number(lo) = offset else {
                    return Err(Refusal::Unsupported("run-time slices of structs"));
                };
                let lo = usize::try_from(lo).unwrap_or(usize::MAX);
                let field = ty.field(lo, width).cloned();
                let field = field.ok_or(Refusal::Unsupported("slices of structs"))?;
                return Ok(Value::Typed(field, self.part(base, lo, width)));
            }
            other => return Err(operator("get_bits", &other)),
        };
        let expr = match offset {
            Value::Number(lo) => {
                let lo = in_range(lo, n + 1)?;
                let inside = width.min(n - lo);
                match inside {
                    0 => Expr::Literal { width, value: 0 },
                    _ => {
                        let part = self.part(base, lo, inside);
                        self.resize(part, width)
                    }
                }
            }
            Value::Typed(Ty::Bits(m), index) => {
                index_width(m)?;
                if m < 16 && (1 << m) - 1 + width <= n {
                    let signal = self.signal(base);
                    // Tools want an index as wide as the signal's positions.
                    let index = self.resize(index, clog2(n));
                    Expr::SliceAt { signal, index: Box::new(index), width }
                } else {
                    let shifted = Expr::Shift { left: false, value: Box::new(base), amount: Box::new(index) };
                    self.resize(shifted, width)
                }
            }
            other => return Err(operator("get_bits", &other)),
        };
        Ok(Value::Typed(ty, expr))
    }

    fn replace(
        &mut self,
        base: &VerilogExpression,
        index: &VerilogExpression,
        value: &VerilogExpression,
    ) -> Lowered<Value> {
        let base = self.value(base)?;
        let index = self.index_value(index)?;
        let value = self.value(value)?;
        let bit = self.coerce(value, &Ty::Bool)?;
        let Value::Typed(Ty::Bits(n), base) = base else {
            return Err(operator("replace_bit", &base));
        };
        let base = Expr::Ref(self.signal(base));
        let expr = match index {
            Value::Number(i) => {
                let i = in_range(i, n)?;
                let mut parts = Vec::new();
                if i + 1 < n {
                    parts.push(self.part(base.clone(), i + 1, n - i - 1));
                }
                parts.push(bit);
                if i > 0 {
                    parts.push(self.part(base, 0, i));
                }
                Expr::Concat(parts)
            }
            Value::Typed(Ty::Bits(m), index) => {
                index_width(m)?;
                let shifted = |value| {
                    Box::new(Expr::Shift {
                        left: true,
                        value: Box::new(value),
                        amount: Box::new(index.clone()),
                    })
                };
                let one = shifted(Expr::Literal { width: n, value: 1 });
                let kept = Expr::Binary(Op::And, Box::new(base), Box::new(Expr::Not(one)));
                let bit = shifted(self.resize(bit, n));
                Expr::Binary(Op::Or, Box::new(kept), bit)
            }
            other => return Err(operator("replace_bit", &other)),
        };
        Ok(Value::Typed(Ty::Bits(n), expr))
    }

    /// `expr` cut or filled with zeros to `width`.
    fn resize(&mut self, expr: Expr, width: usize) -> Expr {
        let own = expr.width(self.symbols);
        if width < own {
            return self.part(expr, 0, width);
        }
        if width == own {
            return expr;
        }
        match expr {
            Expr::Literal { value, .. } => Expr::Literal { width, value },
            Expr::Zext { value, .. } => Expr::Zext { value, width },
            expr => Expr::Zext { value: Box::new(expr), width },
        }
    }

    fn sign_extend(&mut self, expr: Expr, width: usize) -> Expr {
        let id = self.signal(expr);
        let own = self.symbols[id].ty.width();
        let sign = Expr::Slice { signal: id, lo: own - 1, width: 1 };
        Expr::Concat(vec![Expr::Repeat(width - own, Box::new(sign)), Expr::Ref(id)])
    }

    /// `width` bits of `expr` from bit `lo`; an expression that cannot be cut becomes a wire.
    fn part(&mut self, expr: Expr, lo: usize, width: usize) -> Expr {
        let own = expr.width(self.symbols);
        if lo == 0 && width == own {
            return expr;
        }
        if let Some(part) = cut(&expr, lo, width, self.symbols) {
            return part;
        }
        Expr::Slice { signal: self.signal(expr), lo, width }
    }
}

/// `width` bits of `expr` from bit `lo`, if that needs no wire.
fn cut(expr: &Expr, lo: usize, width: usize, symbols: &[Symbol]) -> Option<Expr> {
    let own = expr.width(symbols);
    if lo == 0 && width == own {
        return Some(expr.clone());
    }
    match expr {
        Expr::Ref(signal) => Some(Expr::Slice { signal: *signal, lo, width }),
        Expr::Slice { signal, lo: at, .. } => Some(Expr::Slice { signal: *signal, lo: at + lo, width }),
        Expr::Literal { value, .. } => {
            let shifted = value.checked_shr(lo as u32).unwrap_or(0);
            let mask = match width {
                0..128 => (1 << width) - 1,
                _ => u128::MAX,
            };
            Some(Expr::Literal { width, value: shifted & mask })
        }
        Expr::Zext { value, .. } => {
            let inner = value.width(symbols);
            if lo >= inner {
                Some(Expr::Literal { width, value: 0 })
            } else if lo + width <= inner {
                cut(value, lo, width, symbols)
            } else {
                let part = cut(value, lo, inner - lo, symbols)?;
                Some(Expr::Zext { value: Box::new(part), width })
            }
        }
        // Low bits of a sum depend on low bits only; each bit of `&` on that bit only.
        Expr::Binary(op, l, r) if lo == 0 || matches!(op, Op::And | Op::Or | Op::Xor) => {
            let l = cut(l, lo, width, symbols)?;
            let r = cut(r, lo, width, symbols)?;
            Some(Expr::Binary(*op, Box::new(l), Box::new(r)))
        }
        Expr::Not(e) => Some(Expr::Not(Box::new(cut(e, lo, width, symbols)?))),
        Expr::Neg(e) if lo == 0 => Some(Expr::Neg(Box::new(cut(e, lo, width, symbols)?))),
        Expr::Shift { left: true, value, amount } if lo == 0 => Some(Expr::Shift {
            left: true,
            value: Box::new(cut(value, lo, width, symbols)?),
            amount: amount.clone(),
        }),
        _ => None,
    }
}

/// Calls `f` for every nested block of a statement, innermost last.
fn each_block(s: &mut Stmt, f: &mut impl FnMut(&mut Vec<Stmt>)) {
    let mut visit = |block: &mut Vec<Stmt>| {
        f(block);
        for s in block {
            each_block(s, f);
        }
    };
    match s {
        Stmt::If { then, otherwise, .. } => {
            visit(then);
            visit(otherwise);
        }
        Stmt::Case { arms, default, .. } => {
            for (_, body) in arms {
                visit(body);
            }
            visit(default);
        }
        Stmt::Assign { .. } | Stmt::Comment(_) => {}
    }
}

fn collect_enums(ty: &Ty, enums: &mut HashMap<String, Vec<String>>) -> Lowered<()> {
    match ty {
        Ty::Enum(name, variants) => match enums.insert(name.clone(), variants.clone()) {
            Some(other) if other != *variants => Err(Refusal::EnumClash(name.clone())),
            _ => Ok(()),
        },
        Ty::Struct(_, fields) => fields.iter().try_for_each(|(_, ty)| collect_enums(ty, enums)),
        _ => Ok(()),
    }
}

/// Bits and value of a literal; its own fields are private.
fn literal(l: &VerilogLiteral) -> Lowered<(usize, i128)> {
    let text = format!("{l:x}");
    let (bits, hex) = text.split_once("'h").ok_or(Refusal::NoWidth)?;
    let bits = bits.parse().map_err(|_| Refusal::NoWidth)?;
    let value = i128::from_str_radix(hex, 16).map_err(|_| Refusal::NoWidth)?;
    Ok((bits, value))
}

fn number(n: i128, width: usize, what: &'static str) -> Lowered<Expr> {
    let too_wide = Refusal::TooWide { value: n, what, width };
    let Ok(value) = u128::try_from(n) else {
        return Err(too_wide);
    };
    if width < 128 && value >> width != 0 {
        return Err(too_wide);
    }
    Ok(Expr::Literal { width, value })
}

fn signed_number(n: i128, width: usize) -> Lowered<Expr> {
    if n >= 0 {
        return number(n, width, "a signed value");
    }
    let lowest = match width {
        0..=127 => -(1_i128 << (width - 1)),
        _ => i128::MIN,
    };
    if n < lowest {
        return Err(Refusal::TooWide { value: n, what: "a signed value", width });
    }
    match width {
        0..=127 => number(n + (1 << width), width, "a signed value"),
        _ => Err(Refusal::NoWidth),
    }
}

fn holds(test: Test, l: i128, r: i128) -> bool {
    match test {
        Test::Eq => l == r,
        Test::Ne => l != r,
        Test::Lt => l < r,
        Test::Le => l <= r,
        Test::Gt => l > r,
        Test::Ge => l >= r,
        Test::Both | Test::Either => false,
    }
}

fn in_range(i: i128, width: usize) -> Lowered<usize> {
    match usize::try_from(i) {
        Ok(index) if index < width => Ok(index),
        _ => Err(Refusal::OutOfRange { index: i, width }),
    }
}

/// `Bits::index` panics above 32 bits.
fn index_width(m: usize) -> Lowered<()> {
    match m {
        0..=32 => Ok(()),
        _ => Err(Refusal::Operator { op: ".index()", ty: format!("Bits<{m}>") }),
    }
}

fn mismatch(left: &Ty, right: &Ty) -> Refusal {
    Refusal::Mismatch { left: left.to_string(), right: right.to_string() }
}

fn operator(op: &'static str, value: &Value) -> Refusal {
    let ty = match value {
        Value::Typed(ty, _) => ty.to_string(),
        Value::Number(_) => "a number".into(),
    };
    Refusal::Operator { op, ty }
}

fn op_name(op: Op) -> &'static str {
    match op {
        Op::Add => "+",
        Op::Sub => "-",
        Op::Mul => "*",
        Op::And => "&",
        Op::Or => "|",
        Op::Xor => "^",
    }
}
