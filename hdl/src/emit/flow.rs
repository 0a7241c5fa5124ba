//! Statements and the signals that they drive. A design is refused if it has a latch, an undriven signal, or
//! a signal that is read too early. This module also splits one `update` into `assign`s and `always` blocks.

use super::error::Refusal;
use super::ir::{Expr, Id, Kind, Stmt, Symbol};
use super::ty::Ty;
use bitvec::prelude::*;
use std::collections::{HashMap, HashSet};

/// Bits of a signal.
type Mask = BitVec;
type State = HashMap<Id, Mask>;
/// A result, or a refusal with its line.
pub(super) type Found<T> = Result<T, (Refusal, usize)>;

/// Checks that every driven signal is assigned fully and on every path, before it is read.
pub(super) fn check(symbols: &[Symbol], body: &[Stmt]) -> Found<()> {
    let mut flow = Flow { symbols, ever: State::new(), read_back: HashSet::new(), first: HashMap::new() };
    let mut state = State::new();
    flow.walk(body, &mut state)?;
    for (id, symbol) in symbols.iter().enumerate() {
        let Some(ever) = flow.ever.get(&id) else {
            if matches!(symbol.kind, Kind::Output | Kind::ToChild(..)) {
                return Err((Refusal::Undriven(dots(&symbol.path)), 0));
            }
            continue;
        };
        let line = flow.first.get(&id).copied().unwrap_or(0);
        if symbol.ty == Ty::Clock {
            let direct =
                body.iter().filter(|s| matches!(s, Stmt::Assign { target, .. } if *target == id)).count();
            let mut all = 0;
            body.iter().for_each(|s| s.writes(&mut |w| all += usize::from(w == id)));
            if (direct, all) != (1, 1) {
                return Err((Refusal::Clock(dots(&symbol.path)), line));
            }
        }
        if let Some(bit) = ever.first_zero() {
            let refusal =
                Refusal::PartlyAssigned { name: dots(&symbol.path), missing: part_name(&symbol.ty, bit) };
            return Err((refusal, line));
        }
        if state.get(&id).is_none_or(|mask| mask.not_all()) {
            return Err((Refusal::Latch(dots(&symbol.path)), line));
        }
    }
    Ok(())
}

struct Flow<'a> {
    symbols: &'a [Symbol],
    /// Bits assigned anywhere.
    ever: State,
    /// Submodule inputs that have been read.
    read_back: HashSet<Id>,
    /// Line of the first assignment.
    first: HashMap<Id, usize>,
}

impl Flow<'_> {
    fn walk(&mut self, body: &[Stmt], state: &mut State) -> Found<()> {
        for stmt in body {
            match stmt {
                Stmt::Assign { target, lo, width, value, line } => {
                    self.read(value, state, *line)?;
                    if self.read_back.contains(target) {
                        let path = dots(&self.symbols[*target].path);
                        return Err((Refusal::ReadBack(path), *line));
                    }
                    let bits = self.symbols[*target].ty.width();
                    for map in [&mut *state, &mut self.ever] {
                        let mask = map.entry(*target).or_insert_with(|| bitvec![0; bits]);
                        mask[*lo..lo + width].fill(true);
                    }
                    self.first.entry(*target).or_insert(*line);
                }
                Stmt::If { test, then, otherwise, line } => {
                    self.read(test, state, *line)?;
                    self.branches(&[then, otherwise], state)?;
                }
                Stmt::Case { subject, arms, default, line, .. } => {
                    self.read(subject, state, *line)?;
                    let mut bodies: Vec<&Vec<Stmt>> = arms.iter().map(|(_, b)| b).collect();
                    bodies.push(default);
                    self.branches(&bodies, state)?;
                }
                // Statements made of struct assignments, which have been checked.
                Stmt::Unpack { .. } | Stmt::Comment(_) => {}
            }
        }
        Ok(())
    }

    /// Leaves in `state` the signals that every branch assigns.
    fn branches(&mut self, bodies: &[&Vec<Stmt>], state: &mut State) -> Found<()> {
        let mut common: Option<State> = None;
        for body in bodies {
            let mut own = state.clone();
            self.walk(body, &mut own)?;
            common = Some(match common {
                None => own,
                Some(mut common) => {
                    common.retain(|id, mask| match own.get(id) {
                        Some(other) => {
                            *mask &= other;
                            true
                        }
                        None => false,
                    });
                    common
                }
            });
        }
        *state = common.unwrap_or_default();
        Ok(())
    }

    fn read(&mut self, value: &Expr, state: &State, line: usize) -> Found<()> {
        let mut early = None;
        value.reads(self.symbols, &mut |id, lo, width| {
            let symbol = &self.symbols[id];
            let driven_here =
                matches!(symbol.kind, Kind::Output | Kind::Local | Kind::Temp | Kind::ToChild(..));
            if !driven_here {
                return;
            }
            if matches!(symbol.kind, Kind::ToChild(..)) {
                self.read_back.insert(id);
            }
            let ready = state.get(&id).is_some_and(|mask| mask[lo..lo + width].all());
            if !ready {
                early.get_or_insert(id);
            }
        });
        match early {
            Some(id) => Err((Refusal::ReadBeforeWrite(dots(&self.symbols[id].path)), line)),
            None => Ok(()),
        }
    }
}

/// `a$b$0` as Rust writes it, approximately.
pub(super) fn dots(path: &str) -> String {
    path.replace('$', ".")
}

/// Name of the field that contains `bit`.
fn part_name(ty: &Ty, bit: usize) -> String {
    if let Ty::Struct(_, fields) = ty {
        let mut at = 0;
        for (name, ty) in fields {
            at += ty.width();
            if bit < at {
                return format!("`{name}`");
            }
        }
    }
    format!("bit {bit}")
}

/// A piece of a module's logic.
#[derive(Debug)]
pub(super) struct Item {
    /// Number of the first statement, as counted in [`Logic::last`].
    pub(super) at: usize,
    /// An `always` block, not continuous assignments.
    pub(super) always: bool,
    /// Statements of the piece in order, with the comments before each.
    pub(super) stmts: Vec<Stmt>,
}

/// A module's logic.
#[derive(Debug)]
pub(super) struct Logic {
    /// Pieces in the order of their first statements.
    pub(super) items: Vec<Item>,
    /// Last statement of `update` that drives each signal.
    pub(super) last: HashMap<Id, usize>,
}

/// Splits `body` into the smallest pieces with the same meaning. Statements that drive a common signal stay
/// together; so do statements whose order has an effect.
pub(super) fn group(symbols: &[Symbol], body: Vec<Stmt>) -> Found<Logic> {
    // A comment belongs to the statement after it.
    let mut units: Vec<Vec<Stmt>> = Vec::new();
    let mut comments = Vec::new();
    for stmt in body {
        let comment = matches!(stmt, Stmt::Comment(_));
        comments.push(stmt);
        if !comment {
            units.push(std::mem::take(&mut comments));
        }
    }
    let writes: Vec<HashSet<Id>> = units.iter().map(|u| writes_of(u)).collect();
    let reads: Vec<HashSet<Id>> = units.iter().map(|u| reads_of(symbols, u)).collect();
    let mut writers: HashMap<Id, Vec<usize>> = HashMap::new();
    for (i, w) in writes.iter().enumerate() {
        for id in w {
            writers.entry(*id).or_default().push(i);
        }
    }
    let mut groups = Groups((0..units.len()).collect());
    for list in writers.values() {
        for pair in list.windows(2) {
            groups.join(pair[0], pair[1]);
        }
    }
    // A separate piece sees final values only. A read before the last write does not.
    for (i, r) in reads.iter().enumerate() {
        for id in r {
            for &w in writers.get(id).into_iter().flatten() {
                if w > i {
                    groups.join(i, w);
                }
            }
        }
    }
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); units.len()];
    for i in 0..units.len() {
        members[groups.root(i)].push(i);
    }
    members.retain(|m| !m.is_empty());
    members.sort();
    let mut moves = Moves { symbols, reads: &reads, writers: &writers, known: HashMap::new() };
    let mut slots: Vec<Option<Vec<Stmt>>> = units.into_iter().map(Some).collect();
    let mut items = Vec::new();
    for member in members {
        let stmts: Vec<Stmt> = member.iter().filter_map(|i| slots[*i].take()).flatten().collect();
        let (always, stmts) = shape(symbols, stmts, &mut |id| moves.of(id))?;
        items.push(Item { at: member[0], always, stmts });
    }
    let last = writers.into_iter().filter_map(|(id, list)| Some((id, *list.last()?))).collect();
    Ok(Logic { items, last })
}

/// Signals that always change after time 0: outputs of submodules, and signals computed from such outputs. A
/// port of the module may be tied to a constant, or have its value before the first `always` block waits for
/// a change.
struct Moves<'a> {
    symbols: &'a [Symbol],
    reads: &'a [HashSet<Id>],
    writers: &'a HashMap<Id, Vec<usize>>,
    known: HashMap<Id, bool>,
}

impl Moves<'_> {
    fn of(&mut self, id: Id) -> bool {
        if let Some(known) = self.known.get(&id) {
            return *known;
        }
        self.known.insert(id, false);
        let (reads, writers) = (self.reads, self.writers);
        let inputs = || writers.get(&id).into_iter().flatten().flat_map(|&unit| &reads[unit]);
        let symbol = &self.symbols[id];
        let moves = matches!(symbol.kind, Kind::FromChild(..))
            || symbol.part_of.is_some_and(|whole| self.of(whole))
            || inputs().any(|from| self.of(*from));
        self.known.insert(id, moves);
        moves
    }
}

/// Prints `assign`s if they are equivalent, otherwise an `always` block.
fn shape(
    symbols: &[Symbol],
    stmts: Vec<Stmt>,
    moves: &mut impl FnMut(Id) -> bool,
) -> Found<(bool, Vec<Stmt>)> {
    let own = writes_of(&stmts);
    let reads = reads_of(symbols, &stmts);
    let plain =
        stmts.iter().all(|s| matches!(s, Stmt::Assign { .. } | Stmt::Unpack { .. } | Stmt::Comment(_)));
    if plain && own.is_disjoint(&reads) {
        let kept = drop_overwritten(symbols, stmts.clone());
        if !overlap(symbols, &kept) {
            return Ok((false, kept));
        }
    }
    let signals = reads.iter().any(|id| symbols[*id].kind != Kind::Constant && !own.contains(id));
    if !signals {
        let id = own.iter().copied().min().unwrap_or(0);
        let line = stmts.iter().map(Stmt::line).max().unwrap_or(0);
        return Err((Refusal::ConstantLogic(dots(&symbols[id].path)), line));
    }
    // `always @(*)` waits for a change, an `assign` does not.
    if !reads.difference(&own).any(|id| moves(*id))
        && let Some(stmts) = choices(symbols, &stmts)
    {
        return Ok((false, stmts));
    }
    Ok((true, stmts))
}

/// One assignment for statements that choose one signal's value. `None` if the assignment would lose a
/// comment or be harder to read.
fn choices(symbols: &[Symbol], stmts: &[Stmt]) -> Option<Vec<Stmt>> {
    let code = stmts.iter().position(|s| !matches!(s, Stmt::Comment(_)))?;
    let (comments, stmts) = stmts.split_at(code);
    let Stmt::Assign { target, line, .. } = stmts.first()? else {
        return None;
    };
    let value = chosen(symbols, stmts, *target, None)?;
    let assign =
        Stmt::Assign { target: *target, lo: 0, width: symbols[*target].ty.width(), value, line: *line };
    Some(comments.iter().cloned().chain([assign]).collect())
}

/// Value of `target` after `stmts`, if its value before is `value`.
fn chosen(symbols: &[Symbol], stmts: &[Stmt], target: Id, mut value: Option<Expr>) -> Option<Expr> {
    for stmt in stmts {
        value = Some(match stmt {
            Stmt::Assign { target: other, width, value, .. }
                if *other == target && *width == symbols[target].ty.width() =>
            {
                let mut is_read = false;
                value.reads(symbols, &mut |id, _, _| is_read |= id == target);
                if is_read {
                    return None;
                }
                value.clone()
            }
            Stmt::If { test, then, otherwise, .. } => {
                let then = chosen(symbols, then, target, value.clone())?;
                let otherwise = chosen(symbols, otherwise, target, value)?;
                Expr::Choice(Box::new(test.clone()), Box::new(then), Box::new(otherwise))
            }
            _ => return None,
        });
    }
    value
}

/// Drops assignments that a later one replaces, with their comments.
fn drop_overwritten(symbols: &[Symbol], stmts: Vec<Stmt>) -> Vec<Stmt> {
    let mut kept: Vec<Stmt> = Vec::new();
    let mut covered: Vec<(Id, usize, usize)> = Vec::new();
    let mut dropping = false;
    for stmt in stmts.into_iter().rev() {
        let parts = parts_assigned(symbols, &stmt);
        if !parts.is_empty() {
            let hidden = |(id, lo, width): &(Id, usize, usize)| {
                covered.iter().any(|(t, l, w)| t == id && l <= lo && lo + width <= l + w)
            };
            dropping = parts.iter().all(hidden);
            covered.extend(parts);
        }
        if !dropping {
            kept.push(stmt);
        }
    }
    kept.reverse();
    kept
}

/// Signal, lowest bit and width of each part that a plain statement assigns.
fn parts_assigned(symbols: &[Symbol], stmt: &Stmt) -> Vec<(Id, usize, usize)> {
    match stmt {
        Stmt::Assign { target, lo, width, .. } => vec![(*target, *lo, *width)],
        Stmt::Unpack { targets, .. } => targets.iter().map(|t| (*t, 0, symbols[*t].ty.width())).collect(),
        _ => Vec::new(),
    }
}

fn overlap(symbols: &[Symbol], stmts: &[Stmt]) -> bool {
    let parts: Vec<(Id, usize, usize)> = stmts.iter().flat_map(|s| parts_assigned(symbols, s)).collect();
    parts
        .iter()
        .enumerate()
        .any(|(i, (t, l, w))| parts[..i].iter().any(|(u, m, v)| t == u && l < &(m + v) && m < &(l + w)))
}

fn writes_of(stmts: &[Stmt]) -> HashSet<Id> {
    let mut ids = HashSet::new();
    stmts.iter().for_each(|s| {
        s.writes(&mut |id| {
            ids.insert(id);
        })
    });
    ids
}

fn reads_of(symbols: &[Symbol], stmts: &[Stmt]) -> HashSet<Id> {
    let mut ids = HashSet::new();
    for s in stmts {
        s.expressions(&mut |e| {
            e.reads(symbols, &mut |id, _, _| {
                ids.insert(id);
            })
        });
    }
    ids
}

/// Union-find.
struct Groups(Vec<usize>);

impl Groups {
    fn root(&self, mut i: usize) -> usize {
        while self.0[i] != i {
            i = self.0[i];
        }
        i
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b);
    }
}
