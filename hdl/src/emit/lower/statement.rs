//! Statements: assignments, branches, unrolled loops and links.

use super::number::literal;
use super::{Lowered, Lowering, Value};
use crate::emit::error::Refusal;
use crate::emit::ir::{Expr, Id, Stmt};
use crate::emit::source::Lines;
use crate::emit::ty::Ty;
use rust_hdl_core::ast::{
    VerilogBlockOrConditional, VerilogCase, VerilogExpression, VerilogLink, VerilogLoop, VerilogMatch,
    VerilogStatement,
};
use std::collections::HashSet;

impl Lowering<'_> {
    fn block(&mut self, block: &[VerilogStatement], lines: Option<&Vec<Lines>>) -> Lowered<Vec<Stmt>> {
        let outer = std::mem::take(&mut self.out);
        for (i, statement) in block.iter().enumerate() {
            self.statement(statement, lines.and_then(|l| l.get(i)))?;
        }
        Ok(std::mem::replace(&mut self.out, outer))
    }

    pub(super) fn statement(&mut self, statement: &VerilogStatement, lines: Option<&Lines>) -> Lowered<()> {
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
                self.of.clone_from(&self.symbols[target].name);
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
                self.of.clone_from(&self.symbols[target].name);
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
                self.of = "test".into();
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
                // `assert!` and `println!` arrive here too, but have no Verilog.
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

    pub(super) fn assign(&mut self, target: Id, lo: usize, width: usize, value: Expr) {
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
        self.of = "subject".into();
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
                // Rust has checked that every variant is present; the last variant becomes `default`.
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
}
