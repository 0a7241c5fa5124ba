//! Moves temporaries out of branches, so that they do not become latches.

use super::Lowering;
use crate::emit::ir::{Expr, Kind, Stmt};
use std::collections::HashSet;

impl Lowering<'_> {
    /// Moves temporaries out of branches, or gives them a value before, so that they do not become latches.
    pub(super) fn hoist(&mut self, statements: &mut Vec<Stmt>) {
        let mut written = HashSet::new();
        for s in statements.iter() {
            s.writes(&mut |id| {
                if self.symbols[id].kind != Kind::Temp {
                    written.insert(id);
                }
            });
        }
        let mut early = Vec::new();
        for s in statements.iter_mut() {
            each_block(s, &mut |block| {
                block.retain(|s| {
                    let Stmt::Assign { target, value, .. } = s else {
                        return true;
                    };
                    if self.symbols[*target].kind != Kind::Temp {
                        return true;
                    }
                    let mut fixed = true;
                    value.reads(self.symbols, &mut |id, _, _| fixed &= !written.contains(&id));
                    if fixed {
                        early.push(s.clone());
                        return false;
                    }
                    written.insert(*target);
                    let width = self.symbols[*target].ty.width();
                    early.push(Stmt::Assign {
                        target: *target,
                        lo: 0,
                        width,
                        value: Expr::Literal { width, value: 0 },
                        line: s.line(),
                    });
                    true
                });
            });
        }
        // Comments stay in front of the statement that they describe.
        let at = statements.iter().take_while(|s| matches!(s, Stmt::Comment(_))).count();
        statements.splice(at..at, early);
    }
}

/// Calls `f` for every nested block of a statement, innermost last.
fn each_block(s: &mut Stmt, f: &mut impl FnMut(&mut Vec<Stmt>)) {
    let mut visit = |block: &mut Vec<Stmt>| {
        f(block);
        for s in block {
            each_block(s, f);
        }
    };
    match s {
        Stmt::If { then, otherwise, .. } => {
            visit(then);
            visit(otherwise);
        }
        Stmt::Case { arms, default, .. } => {
            for (_, body) in arms {
                visit(body);
            }
            visit(default);
        }
        Stmt::Assign { .. } | Stmt::Unpack { .. } | Stmt::Comment(_) => {}
    }
}
