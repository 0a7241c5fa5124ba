//! Translates rust-hdl's AST to expressions whose widths are Rust's.
//!
//! An operation has the width of its `Bits<N>` operand. A number gets the width of the other operand, a cast
//! has its own width, and a comparison has one bit. An operation whose width the AST does not determine is
//! refused.

mod compare;
mod hoist;
mod index;
mod name;
mod number;
mod operator;
mod part;
mod statement;
mod value;

use super::error::Refusal;
use super::ir::{Expr, Id, Stmt, Symbol};
use super::source::Lines;
use super::ty::Ty;
use rust_hdl_core::ast::VerilogStatement;
use std::collections::HashMap;

/// A value with its type, or a number whose width depends on its use.
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
    /// Name of the signal being assigned, or of the value being decided.
    of: String,
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
        Ok(Lowering { symbols, paths, enums, loops: Vec::new(), out: Vec::new(), of: String::new(), line: 0 })
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
