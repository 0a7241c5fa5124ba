//! Operators whose result has the width that Rust computes: arithmetic, shifts, reductions and logic.

use super::number::{number, signed_number};
use super::{Lowered, Lowering, Value, mismatch, operator};
use crate::emit::error::Refusal;
use crate::emit::ir::{Expr, Op, Reduce, Test};
use crate::emit::ty::Ty;
use rust_hdl_core::ast::{VerilogExpression, VerilogOp, VerilogOpUnary};

impl Lowering<'_> {
    pub(super) fn unary(&mut self, op: &VerilogOpUnary, e: &VerilogExpression) -> Lowered<Value> {
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

    pub(super) fn binary(
        &mut self,
        l: &VerilogExpression,
        op: &VerilogOp,
        r: &VerilogExpression,
    ) -> Lowered<Value> {
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
