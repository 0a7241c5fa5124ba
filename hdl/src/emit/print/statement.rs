//! Assignments and `always` blocks.

use super::Printer;
use super::text::{comment, range};
use crate::emit::flow::Item;
use crate::emit::ir::{Expr, Id, Kind, Stmt};

impl Printer<'_> {
    pub(super) fn item(&mut self, item: &Item) {
        let shown = item.stmts.iter().any(|s| match s {
            Stmt::Assign { target, .. } => !self.inlined.contains_key(target),
            Stmt::Comment(_) => false,
            _ => true,
        });
        let code = item.stmts.iter().position(|s| !matches!(s, Stmt::Comment(_))).unwrap_or(0);
        let (comments, stmts) = match shown {
            true => item.stmts.split_at(code),
            // The comment also holds for the following items.
            false => (&item.stmts[..], &[][..]),
        };
        self.comments.extend(comments.iter().filter_map(|s| match s {
            Stmt::Comment(text) => Some(text.clone()),
            _ => None,
        }));
        if !shown {
            return;
        }
        self.comment_lines();
        match (item.always, stmts) {
            (true, _) => {
                self.tight = false;
                self.declare(&self.named(item));
                if !self.tight {
                    self.space();
                }
                self.line(1, "always @(*) begin");
                self.block(stmts, 2);
                self.line(1, "end");
                self.tight = false;
            }
            (false, [Stmt::Assign { target, lo: 0, width, value, .. }])
                if self.first_seen(*target, *width) =>
            {
                self.declared.insert(*target);
                self.declare(&self.named(item));
                let symbol = &self.d.symbols[*target];
                let range = range(&symbol.ty);
                let range = if range.is_empty() { range } else { format!("{range} ") };
                let text = format!("wire {range}{} = {};", symbol.name, self.top(value));
                let text = match symbol.doc.as_str() {
                    "" => text,
                    doc => format!("{text} {}", comment(doc)),
                };
                self.assigns(&[text]);
            }
            (false, _) => {
                self.declare(&self.named(item));
                let texts: Vec<String> = stmts
                    .iter()
                    .filter_map(|s| match s {
                        Stmt::Comment(text) => Some(comment(text)),
                        s => self.assignment(s).map(|text| format!("assign {text}")),
                    })
                    .collect();
                self.assigns(&texts);
            }
        }
    }

    /// Lines of a run of assignments.
    fn assigns(&mut self, texts: &[String]) {
        if !self.tight {
            self.space();
        }
        for text in texts {
            self.line(1, text.trim_end());
        }
        self.tight = true;
    }

    /// Whether a signal can be declared at its assignment.
    fn first_seen(&self, id: Id, width: usize) -> bool {
        let symbol = &self.d.symbols[id];
        let inner = matches!(symbol.kind, Kind::Local | Kind::Temp | Kind::ToChild(..));
        inner && width == symbol.ty.width() && !self.declared.contains(&id)
    }

    fn assignment(&self, s: &Stmt) -> Option<String> {
        match s {
            Stmt::Assign { target, lo, width, value, .. } => {
                Some(format!("{} = {};", self.place(*target, *lo, *width), self.top(value)))
            }
            Stmt::Unpack { targets, value, .. } => {
                Some(format!("{} = {};", self.names(targets), self.top(value)))
            }
            _ => None,
        }
    }

    fn block(&mut self, stmts: &[Stmt], indent: usize) {
        for s in stmts {
            self.statement(s, indent);
        }
    }

    fn statement(&mut self, s: &Stmt, indent: usize) {
        match s {
            Stmt::Comment(text) => {
                let text = comment(text);
                self.line(indent, text.trim_end());
            }
            Stmt::Assign { .. } | Stmt::Unpack { .. } => {
                if let Some(text) = self.assignment(s) {
                    self.line(indent, &text);
                }
            }
            Stmt::If { .. } => self.conditional(s, indent, ""),
            Stmt::Case { subject, arms, default, last, .. } => {
                let subject = self.top(subject);
                self.line(indent, &format!("case ({subject})"));
                for (label, body) in arms {
                    let label = self.top(label);
                    self.arm(&format!("{label}:"), body, indent + 1, "");
                }
                let note = match last {
                    Some(Expr::Ref(id)) => format!(" // {}", self.d.symbols[*id].name),
                    Some(Expr::Literal { value, .. }) => format!(" // {value}"),
                    _ => String::new(),
                };
                self.arm("default:", default, indent + 1, &note);
                self.line(indent, "endcase");
            }
        }
    }

    fn arm(&mut self, label: &str, body: &[Stmt], indent: usize, note: &str) {
        if body.iter().all(|s| matches!(s, Stmt::Comment(_))) {
            self.line(indent, &format!("{label} begin end{note}"));
            return;
        }
        self.line(indent, &format!("{label} begin{note}"));
        self.block(body, indent + 1);
        self.line(indent, "end");
    }

    fn conditional(&mut self, s: &Stmt, indent: usize, lead: &str) {
        let Stmt::If { test, then, otherwise, .. } = s else {
            return;
        };
        let test = self.top(test);
        self.line(indent, &format!("{lead}if ({test}) begin"));
        self.block(then, indent + 1);
        match otherwise.as_slice() {
            [] => self.line(indent, "end"),
            [nested @ Stmt::If { .. }] => self.conditional(nested, indent, "end else "),
            other => {
                self.line(indent, "end else begin");
                self.block(other, indent + 1);
                self.line(indent, "end");
            }
        }
    }
}
