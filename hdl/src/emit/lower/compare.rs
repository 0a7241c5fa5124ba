//! Comparisons, which are one bit.

use super::number::{number, signed_number};
use super::{Lowered, Lowering, Value, mismatch, operator};
use crate::emit::ir::{Expr, Test};
use crate::emit::ty::Ty;

impl Lowering<'_> {
    pub(super) fn compare(&mut self, test: Test, left: Value, right: Value) -> Lowered<Value> {
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

    /// A comparison. If an unsigned bound decides the comparison, the result is its value, as tools warn
    /// about such comparisons.
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
