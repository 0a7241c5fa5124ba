//! The meaning of a name: a signal, a constant, a variant of an enum or a loop's variable.

use super::{Lowered, Lowering, Value};
use crate::emit::error::Refusal;
use crate::emit::ir::{Expr, Id, Kind, Symbol};
use crate::emit::names;
use crate::emit::ty::Ty;

impl Lowering<'_> {
    /// The signal that an assignment to `name` drives.
    pub(super) fn target(&mut self, name: &str) -> Lowered<Id> {
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

    /// The meaning of a name.
    pub(super) fn name(&mut self, name: &str) -> Lowered<Value> {
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
                let value = format!("{}'h{value:x}", ty.width());
                let name = format!("{}_{}", names::screaming(owner), names::screaming(variant));
                let symbol = Symbol::new(name, path.clone(), Kind::Constant, ty.clone());
                self.symbols.push(Symbol { value, ..symbol });
                self.paths.insert(path, id);
                return Ok(Value::Typed(ty, Expr::Ref(id)));
            }
        }
        Err(Refusal::UnknownName(name.replace('$', ".")))
    }
}
