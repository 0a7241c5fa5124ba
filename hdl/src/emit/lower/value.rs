//! Expressions by their form, casts, and the values that Rust accepts for a type.

use super::number::{literal, number, signed_number};
use super::{Lowered, Lowering, Value, mismatch, operator};
use crate::emit::error::Refusal;
use crate::emit::ir::Expr;
use crate::emit::ty::Ty;
use rust_hdl_core::ast::VerilogExpression;

impl Lowering<'_> {
    pub(super) fn condition(&mut self, e: &VerilogExpression) -> Lowered<Expr> {
        let value = self.value(e)?;
        let expr = self.coerce(value, &Ty::Bool)?;
        Ok(match expr.constant(self.symbols) {
            Some(value) => Expr::bit(value == 1),
            None => expr,
        })
    }

    /// `value` as a value of type `ty`, if Rust converts it without changing bits.
    pub(super) fn coerce(&mut self, value: Value, ty: &Ty) -> Lowered<Expr> {
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

    pub(super) fn value(&mut self, e: &VerilogExpression) -> Lowered<Value> {
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
}
