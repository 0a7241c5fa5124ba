//! Structs as signals of their fields.
//!
//! A struct that is only passed on as a whole stays one vector. For any other struct, each field becomes a
//! signal named after it. Whole values are concatenations of these signals, or are split at the inputs.

use super::error::Refusal;
use super::ir::{Expr, Id, Kind, Stmt, Symbol};
use super::names;
use super::ty::Ty;
use std::collections::{HashMap, HashSet};

/// Replaces structs in `body` by signals of their fields, which are added to `symbols`.
pub(super) fn spread(symbols: &mut Vec<Symbol>, mut body: Vec<Stmt>) -> Result<Vec<Stmt>, Refusal> {
    resolve_copies(symbols, &mut body);
    let uses = Uses::of(symbols, &body);
    for (id, symbol) in symbols.iter_mut().enumerate() {
        if uses.parts.contains(&id) {
            let here = matches!(symbol.kind, Kind::Local | Kind::Temp | Kind::ToChild(..));
            symbol.word = match symbol.kind {
                // A word that enters and leaves unchanged is not assembled again.
                Kind::FromChild(..) => symbol.held || uses.wholes.contains_key(&id),
                Kind::Local => uses.packs(id),
                _ => !here,
            };
        }
    }
    for id in 0..symbols.len() {
        if uses.parts.contains(&id) {
            add_leaves(symbols, id, &uses)?;
        }
    }
    let mut out = Vec::new();
    for (at, stmt) in body.into_iter().enumerate() {
        Rewrite { symbols }.statement(stmt, &mut out);
        for id in uses.last_written(at) {
            if symbols[id].word && !symbols[id].leaves.is_empty() {
                let value = whole(symbols, id);
                let (width, line) = (symbols[id].ty.width(), 0);
                out.push(Stmt::Assign { target: id, lo: 0, width, value, line });
            }
        }
    }
    Ok(out)
}

/// Uses of structs in a block.
struct Uses {
    /// Structs of which a part is read or assigned.
    parts: HashSet<Id>,
    /// Statements of `update`, in order, that read each struct as a whole.
    wholes: HashMap<Id, Vec<usize>>,
    /// Last statement that assigns each struct.
    last: HashMap<Id, usize>,
    /// Sources of fields that copy another struct, by the struct and the lowest bit.
    copies: HashMap<(Id, usize), Id>,
}

impl Uses {
    fn of(symbols: &[Symbol], body: &[Stmt]) -> Uses {
        let mut uses = Uses {
            parts: HashSet::new(),
            wholes: HashMap::new(),
            last: HashMap::new(),
            copies: HashMap::new(),
        };
        let is_struct = |id: Id| splittable(&symbols[id]);
        for (at, stmt) in body.iter().enumerate() {
            stmt.writes(&mut |id| {
                if is_struct(id) {
                    uses.last.insert(id, at);
                }
            });
            assignments(stmt, &mut |id, _, width| {
                if width < symbols[id].ty.width() && is_struct(id) {
                    uses.parts.insert(id);
                }
            });
            stmt.expressions(&mut |e| {
                e.reads(symbols, &mut |id, _, width| {
                    if is_struct(id) {
                        if width == symbols[id].ty.width() {
                            uses.wholes.entry(id).or_default().push(at);
                        } else {
                            uses.parts.insert(id);
                        }
                    }
                })
            });
        }
        uses.note_copies(symbols, body);
        uses
    }

    /// Finds fields that are structs, and copies of a local that equals its fields and already has its value.
    fn note_copies(&mut self, symbols: &[Symbol], body: &[Stmt]) {
        let mut written = Vec::new();
        body.iter().for_each(|s| assignments(s, &mut |id, lo, width| written.push((id, lo, width))));
        for (at, stmt) in body.iter().enumerate() {
            let Stmt::Assign { target, lo, width, value: Expr::Ref(from), .. } = stmt else {
                continue;
            };
            let part = *width < symbols[*target].ty.width();
            let settled = symbols[*from].kind == Kind::Local && self.last.get(from).is_some_and(|l| *l < at);
            let overlaps = |(id, l, w): &&(Id, usize, usize)| id == target && *l < lo + width && *lo < l + w;
            let once = written.iter().filter(overlaps).count() == 1;
            if part && settled && once && self.parts.contains(from) {
                self.copies.insert((*target, *lo), *from);
            }
        }
    }

    /// Whether a local needs a vector beside its fields: the local is read as a whole more than once, always
    /// after its assignment.
    fn packs(&self, id: Id) -> bool {
        let last = self.last.get(&id).copied().unwrap_or(usize::MAX);
        self.wholes.get(&id).is_some_and(|reads| reads.len() > 1 && reads.iter().all(|at| *at > last))
    }

    /// Structs that the statement `at` is the last to assign.
    fn last_written(&self, at: usize) -> Vec<Id> {
        let mut ids: Vec<Id> = self.last.iter().filter(|(_, last)| **last == at).map(|(id, _)| *id).collect();
        ids.sort_unstable();
        ids
    }
}

/// Whether a symbol may become signals of its fields.
fn splittable(symbol: &Symbol) -> bool {
    matches!(symbol.ty, Ty::Struct(..)) && symbol.kind != Kind::Constant
}

/// Calls `f` with signal, lowest bit and width of each part that a statement assigns.
fn assignments(stmt: &Stmt, f: &mut impl FnMut(Id, usize, usize)) {
    match stmt {
        Stmt::Assign { target, lo, width, .. } => f(*target, *lo, *width),
        Stmt::If { then, otherwise, .. } => then.iter().chain(otherwise).for_each(|s| assignments(s, f)),
        Stmt::Case { arms, default, .. } => {
            arms.iter().flat_map(|(_, body)| body).chain(default).for_each(|s| assignments(s, f));
        }
        Stmt::Unpack { .. } | Stmt::Comment(_) => {}
    }
}

/// Replaces a local copy of a struct by its source, where that source has one value only, and drops the copy.
fn resolve_copies(symbols: &[Symbol], body: &mut Vec<Stmt>) {
    let mut writes: HashMap<Id, (usize, usize)> = HashMap::new();
    for (at, stmt) in body.iter().enumerate() {
        stmt.writes(&mut |id| {
            let entry = writes.entry(id).or_default();
            *entry = (entry.0 + 1, at);
        });
    }
    // Source of each copy, and the bit from which it is copied.
    let mut copies: HashMap<Id, (Id, usize)> = HashMap::new();
    for (at, stmt) in body.iter().enumerate() {
        let Stmt::Assign { target, lo: 0, width, value, .. } = stmt else {
            continue;
        };
        let (from, lo) = match value {
            Expr::Ref(from) => (*from, 0),
            Expr::Slice { signal, lo, .. } => (*signal, *lo),
            _ => continue,
        };
        let (to, of) = (&symbols[*target], &symbols[from]);
        let settled = match of.kind {
            Kind::Input | Kind::FromChild(..) => true,
            Kind::Local => writes.get(&from).is_some_and(|(_, last)| *last < at),
            _ => false,
        };
        let copy = to.kind == Kind::Local && splittable(to) && splittable(of) && *width == to.ty.width();
        if copy && settled && writes[target].0 == 1 {
            let (from, base) = copies.get(&from).copied().unwrap_or((from, 0));
            copies.insert(*target, (from, base + lo));
        }
    }
    body.retain(|s| !matches!(s, Stmt::Assign { target, .. } if copies.contains_key(target)));
    for stmt in body {
        stmt.rewrite(&mut |e| {
            let (id, lo, width) = match e {
                Expr::Ref(id) => (*id, 0, symbols[*id].ty.width()),
                Expr::Slice { signal, lo, width } => (*signal, *lo, *width),
                _ => return,
            };
            if let Some((from, base)) = copies.get(&id) {
                *e = match width == symbols[*from].ty.width() {
                    true => Expr::Ref(*from),
                    false => Expr::Slice { signal: *from, lo: base + lo, width },
                };
            }
        });
    }
}

/// Adds the signals of the fields of `id`, or uses those of the source that a field is a copy of.
fn add_leaves(symbols: &mut Vec<Symbol>, id: Id, uses: &Uses) -> Result<(), Refusal> {
    if !symbols[id].leaves.is_empty() {
        return Ok(());
    }
    let mut fields = Vec::new();
    flatten(&symbols[id].ty, "", &mut fields);
    // A submodule's output with fields only is driven at the port.
    let kind = match &symbols[id].kind {
        from @ Kind::FromChild(..) if !symbols[id].word => from.clone(),
        _ => Kind::Local,
    };
    let (mut at, mut copied) = (0, 0);
    for (field, ty) in fields {
        if let Some(&from) = uses.copies.get(&(id, at)) {
            add_leaves(symbols, from, uses)?;
            let leaves = symbols[from].leaves.clone();
            symbols[id].leaves.extend(leaves);
            copied = at + symbols[from].ty.width();
        }
        let width = ty.width();
        if at >= copied {
            let path = format!("{}{field}", symbols[id].path);
            let leaf = symbols.len();
            let symbol = Symbol::new(names::verilog(&path)?, path, kind.clone(), ty);
            symbols.push(Symbol { part_of: Some(id), ..symbol });
            symbols[id].leaves.push(leaf);
        }
        at += width;
    }
    Ok(())
}

/// Fields that are not structs, the first field first, each as `$field$field`.
fn flatten(ty: &Ty, path: &str, out: &mut Vec<(String, Ty)>) {
    match ty {
        Ty::Struct(_, fields) => {
            for (name, ty) in fields {
                flatten(ty, &format!("{path}${name}"), out);
            }
        }
        other => out.push((path.into(), other.clone())),
    }
}

/// The whole value of a struct, put together from its fields.
fn whole(symbols: &[Symbol], id: Id) -> Expr {
    part(symbols, id, 0, symbols[id].ty.width())
}

/// `width` bits from bit `lo` of a struct, put together from its fields.
fn part(symbols: &[Symbol], id: Id, lo: usize, width: usize) -> Expr {
    let mut parts = Vec::new();
    let mut at = 0;
    for &leaf in &symbols[id].leaves {
        let own = symbols[leaf].ty.width();
        let from = lo.max(at);
        let to = (lo + width).min(at + own);
        if from < to {
            parts.push(match to - from == own {
                true => Expr::Ref(leaf),
                false => Expr::Slice { signal: leaf, lo: from - at, width: to - from },
            });
        }
        at += own;
    }
    match parts.len() {
        1 => parts.remove(0),
        _ => {
            parts.reverse();
            Expr::Concat(parts)
        }
    }
}

/// Fields side by side.
fn whole_of(leaves: &[Id]) -> Expr {
    Expr::Concat(leaves.iter().rev().map(|leaf| Expr::Ref(*leaf)).collect())
}

struct Rewrite<'a> {
    symbols: &'a [Symbol],
}

impl Rewrite<'_> {
    fn block(&self, stmts: Vec<Stmt>) -> Vec<Stmt> {
        let mut out = Vec::new();
        stmts.into_iter().for_each(|s| self.statement(s, &mut out));
        out
    }

    fn statement(&self, stmt: Stmt, out: &mut Vec<Stmt>) {
        match stmt {
            Stmt::Assign { target, lo, width, mut value, line } => {
                value.rewrite(&mut |e| self.expression(e));
                let leaves = self.leaves_in(target, lo, width);
                if leaves.is_empty() {
                    out.push(Stmt::Assign { target, lo, width, value, line });
                } else {
                    self.assign(leaves, value, line, out);
                }
            }
            Stmt::If { mut test, then, otherwise, line } => {
                test.rewrite(&mut |e| self.expression(e));
                let (then, otherwise) = (self.block(then), self.block(otherwise));
                out.push(Stmt::If { test, then, otherwise, line });
            }
            Stmt::Case { mut subject, arms, default, last, line } => {
                subject.rewrite(&mut |e| self.expression(e));
                let arms = arms.into_iter().map(|(label, body)| (label, self.block(body))).collect();
                let default = self.block(default);
                out.push(Stmt::Case { subject, arms, default, last, line });
            }
            other @ (Stmt::Unpack { .. } | Stmt::Comment(_)) => out.push(other),
        }
    }

    /// Replaces a read of a struct by its field.
    fn expression(&self, e: &mut Expr) {
        let (id, lo, width) = match e {
            Expr::Ref(id) => (*id, 0, self.symbols[*id].ty.width()),
            Expr::Slice { signal, lo, width } => (*signal, *lo, *width),
            _ => return,
        };
        let symbol = &self.symbols[id];
        // An output's own vector is for the outside.
        let as_word = symbol.word && symbol.kind != Kind::Output && width == symbol.ty.width();
        if !symbol.leaves.is_empty() && !as_word {
            *e = part(self.symbols, id, lo, width);
        }
    }

    /// Fields of a struct that an assignment of these bits assigns.
    fn leaves_in(&self, id: Id, lo: usize, width: usize) -> Vec<Id> {
        let mut at = 0;
        let mut found = Vec::new();
        for &leaf in &self.symbols[id].leaves {
            if (lo..lo + width).contains(&at) {
                found.push(leaf);
            }
            at += self.symbols[leaf].ty.width();
        }
        found
    }

    /// Assigns fields: one by one if the value shows their values, otherwise by splitting the value.
    fn assign(&self, leaves: Vec<Id>, value: Expr, line: usize, out: &mut Vec<Stmt>) {
        let width = |id: Id| self.symbols[id].ty.width();
        let one = |target: Id, value: Expr| Stmt::Assign { target, lo: 0, width: width(target), value, line };
        if let [leaf] = leaves[..] {
            out.push(one(leaf, value));
            return;
        }
        if value == whole_of(&leaves) {
            return;
        }
        let mut own = false;
        value.reads(self.symbols, &mut |id, _, _| own |= leaves.contains(&id));
        match &value {
            Expr::Literal { value, .. } => {
                let mut at = 0;
                for leaf in leaves {
                    let mask = u128::MAX.checked_shr(128 - width(leaf).min(128) as u32).unwrap_or(0);
                    let value = value.checked_shr(at).unwrap_or(0) & mask;
                    out.push(one(leaf, Expr::Literal { width: width(leaf), value }));
                    at += width(leaf) as u32;
                }
            }
            Expr::Concat(parts)
                if !own
                    && parts.len() == leaves.len()
                    && parts.iter().rev().zip(&leaves).all(|(p, l)| p.width(self.symbols) == width(*l)) =>
            {
                out.extend(leaves.into_iter().zip(parts.iter().rev()).map(|(l, p)| one(l, p.clone())));
            }
            _ => {
                let targets = leaves.into_iter().rev().collect();
                out.push(Stmt::Unpack { targets, value, line });
            }
        }
    }
}
