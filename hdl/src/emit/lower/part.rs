//! Values cut and filled to a width; a value that Verilog cannot cut becomes a wire.

use super::Lowering;
use crate::emit::ir::{Expr, Id, Kind, Op, Symbol};
use crate::emit::ty::Ty;

impl Lowering<'_> {
    /// A wire with the value of `expr`, named after the signal being assigned.
    fn temp(&mut self, expr: Expr) -> Id {
        let width = expr.width(self.symbols);
        let id = self.symbols.len();
        let wanted = format!("{}_word", self.of);
        let taken = |name: &str| self.symbols.iter().any(|s| s.name == name);
        let names = std::iter::once(wanted.clone()).chain((1..).map(|i| format!("{wanted}_{i}")));
        let name = names.into_iter().find(|name| !taken(name)).unwrap_or(wanted);
        self.symbols.push(Symbol::new(name.clone(), name, Kind::Temp, Ty::Bits(width)));
        self.assign(id, 0, width, expr);
        id
    }

    /// A signal with the value of `expr`.
    pub(super) fn signal(&mut self, expr: Expr) -> Id {
        match expr {
            // A struct may end as signals of its fields.
            Expr::Ref(id) if !matches!(self.symbols[id].ty, Ty::Struct(..)) => id,
            other => self.temp(other),
        }
    }

    /// `expr` cut or filled with zeros to `width`.
    pub(super) fn resize(&mut self, expr: Expr, width: usize) -> Expr {
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

    pub(super) fn sign_extend(&mut self, expr: Expr, width: usize) -> Expr {
        let id = self.signal(expr);
        let own = self.symbols[id].ty.width();
        let sign = Expr::Slice { signal: id, lo: own - 1, width: 1 };
        Expr::Concat(vec![Expr::Repeat(width - own, Box::new(sign)), Expr::Ref(id)])
    }

    /// `width` bits of `expr` from bit `lo`; an expression that cannot be cut becomes a wire.
    pub(super) fn part(&mut self, expr: Expr, lo: usize, width: usize) -> Expr {
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
