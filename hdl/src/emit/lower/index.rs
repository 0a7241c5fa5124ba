//! Bits and slices of a value, at constant and at run-time positions.

use super::{Lowered, Lowering, Value, operator};
use crate::emit::error::Refusal;
use crate::emit::ir::{Expr, Op};
use crate::emit::ty::Ty;
use rust_hdl_core::ast::VerilogExpression;
use rust_hdl_core::bits::clog2;

impl Lowering<'_> {
    pub(super) fn index(&mut self, base: &VerilogExpression, index: &VerilogExpression) -> Lowered<Value> {
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

    /// An index: a number for any constant, even a named one, because tools require that the width of a name
    /// fits.
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

    pub(super) fn slice_op(
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
                    // Tools require an index as wide as the signal's positions.
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

    pub(super) fn replace(
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
