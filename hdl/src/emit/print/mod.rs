//! Verilog text.

mod expression;
mod order;
mod statement;
mod text;

use super::flow::Logic;
use super::ir::{Expr, Id, Kind, Stmt, Symbol};
use bitvec::prelude::*;
use order::Piece;
use std::collections::{HashMap, HashSet};
use text::{attributes, bus, comment, declaration, lines, literal, range};

/// An instance in a module.
pub(super) struct Instance {
    /// Module name, with parameters.
    pub(super) module: String,
    pub(super) name: String,
    /// Ports in order, and the symbol at each.
    pub(super) ports: Vec<(String, Id)>,
}

/// A module ready to be printed.
pub(super) struct Design<'a> {
    pub(super) name: &'a str,
    pub(super) header: Vec<String>,
    pub(super) symbols: &'a [Symbol],
    pub(super) logic: &'a Logic,
    pub(super) instances: &'a [Instance],
    /// Prints literals as 32 bits and casts as nothing, as rust-hdl does: for tests that must see
    /// wrong widths found.
    pub(super) wrong: bool,
}

/// The module's text.
pub(super) fn module(design: &Design) -> String {
    let mut printer = Printer {
        d: design,
        inlined: HashMap::new(),
        procedural: HashSet::new(),
        read: HashMap::new(),
        driven: HashSet::new(),
        declared: HashSet::new(),
        comments: Vec::new(),
        out: String::new(),
        tight: false,
    };
    printer.analyse();
    printer.module();
    printer.out
}

struct Printer<'a> {
    d: &'a Design<'a>,
    /// Submodule inputs that are connected to plain names and numbers.
    inlined: HashMap<Id, &'a Expr>,
    /// Signals that an `always` block assigns.
    procedural: HashSet<Id>,
    /// The bits that something reads.
    read: HashMap<Id, BitVec>,
    /// The signals that the logic assigns, or extracts from a vector.
    driven: HashSet<Id>,
    declared: HashSet<Id>,
    /// Comments of inlined assignments, for the next item.
    comments: Vec<String>,
    out: String,
    /// The line before is one of a run of assignments.
    tight: bool,
}

impl<'a> Printer<'a> {
    fn analyse(&mut self) {
        let symbols = self.d.symbols;
        let mut read: HashMap<Id, BitVec> = HashMap::new();
        let mut note = |id: Id, lo: usize, width: usize| {
            let bits = symbols[id].ty.width();
            read.entry(id).or_insert_with(|| bitvec![0; bits])[lo..lo + width].fill(true);
        };
        for item in &self.d.logic.items {
            for s in &item.stmts {
                s.expressions(&mut |e| e.reads(symbols, &mut note));
                s.writes(&mut |id| {
                    self.driven.insert(id);
                    if item.always {
                        self.procedural.insert(id);
                    }
                });
            }
        }
        for (id, _) in self.split_words() {
            note(id, 0, symbols[id].ty.width());
            self.driven.extend(&symbols[id].leaves);
        }
        self.read = read;
        for item in &self.d.logic.items {
            if !item.always
                && let [comments @ .., Stmt::Assign { target, value, .. }] = item.stmts.as_slice()
                && comments.iter().all(|s| matches!(s, Stmt::Comment(_)))
                && matches!(symbols[*target].kind, Kind::ToChild(..))
                && is_plain(value)
                && !self.read.contains_key(target)
            {
                self.inlined.insert(*target, value);
            }
        }
    }

    /// The vectors that come in and are split.
    fn split_words(&self) -> impl Iterator<Item = (Id, &'a Symbol)> + use<'a> {
        let splits = |s: &Symbol| {
            s.word && !s.leaves.is_empty() && matches!(s.kind, Kind::Input | Kind::FromChild(..))
        };
        self.d.symbols.iter().enumerate().filter(move |(_, s)| splits(s))
    }

    fn line(&mut self, indent: usize, text: &str) {
        self.out += &lines(indent, text);
    }

    fn module(&mut self) {
        for text in &self.d.header {
            self.line(0, comment(text).trim_end());
        }
        self.line(0, "");
        self.line(0, "`default_nettype none");
        self.line(0, "");
        self.ports();
        self.constants();
        for piece in self.pieces() {
            self.piece(&piece);
        }
        self.unused();
        self.line(0, "");
        self.line(0, "endmodule");
        self.line(0, "");
        self.line(0, "`default_nettype wire");
    }

    fn ports(&mut self) {
        let mut rows = Vec::new();
        for (id, symbol) in self.d.symbols.iter().enumerate() {
            let direction = match symbol.kind {
                Kind::Input => "input  wire",
                Kind::Output if self.procedural.contains(&id) => "output reg ",
                Kind::Output => "output wire",
                _ => continue,
            };
            rows.push((direction, range(&symbol.ty), symbol));
        }
        if rows.is_empty() {
            self.line(0, &format!("module {};", self.d.name));
            return;
        }
        self.line(0, &format!("module {} (", self.d.name));
        let ranges = rows.iter().map(|r| r.1.len()).max().unwrap_or(0);
        let names = rows.iter().map(|r| r.2.name.len()).max().unwrap_or(0) + 1;
        let count = rows.len();
        let mut buses: Vec<&str> = rows.iter().filter_map(|row| bus(&row.2.name)).collect();
        buses.dedup();
        for (i, (direction, range, symbol)) in rows.into_iter().enumerate() {
            let comma = if i + 1 < count { "," } else { "" };
            let name = format!("{}{comma}", symbol.name);
            let text = declaration(direction, &range, ranges, &name, names, &symbol.doc);
            if !buses.is_empty() {
                self.out += &attributes(&symbol.name, &buses);
            }
            self.out += &format!("    {text}\n");
        }
        self.line(0, ");");
    }

    fn constants(&mut self) {
        let symbols = self.d.symbols.iter().enumerate();
        let used = |id: &Id| self.read.contains_key(id);
        let constants: Vec<&Symbol> =
            symbols.filter(|(id, s)| s.kind == Kind::Constant && used(id)).map(|(_, s)| s).collect();
        if constants.is_empty() {
            return;
        }
        self.line(0, "");
        let ranges = constants.iter().map(|s| range(&s.ty).len()).max().unwrap_or(0);
        let names = constants.iter().map(|s| s.name.len()).max().unwrap_or(0);
        for s in constants {
            let value = match s.number() {
                Some(value) if s.ty.width() <= 128 => literal(s.ty.width(), value),
                _ => s.value.clone(),
            };
            let name = format!("{:names$} = {value};", s.name);
            let text = declaration("localparam", &range(&s.ty), ranges, &name, 0, &s.doc);
            self.out += &format!("    {text}\n");
        }
    }

    /// Declares the names in `ids` that are not declared yet; fields of one struct and width on a line.
    fn declare(&mut self, ids: &[Id]) {
        let mut rows: Vec<(&str, String, &Symbol, String)> = Vec::new();
        for &id in ids {
            let symbol = &self.d.symbols[id];
            let wire = match symbol.kind {
                Kind::Local | Kind::Temp | Kind::FromChild(..) => symbol.word,
                Kind::ToChild(..) => symbol.word && !self.inlined.contains_key(&id),
                Kind::Input | Kind::Output | Kind::Constant => false,
            };
            if !wire || !self.declared.insert(id) {
                continue;
            }
            let (net, range) = (self.net(id), range(&symbol.ty));
            match rows.last_mut() {
                Some((n, r, s, names))
                    if (*n, &*r, s.part_of) == (net, &range, symbol.part_of) && s.part_of.is_some() =>
                {
                    *names += &format!(", {}", symbol.name);
                }
                _ => rows.push((net, range, symbol, symbol.name.clone())),
            }
        }
        if rows.is_empty() {
            return;
        }
        self.space();
        let nets = rows.iter().map(|r| r.0.len()).max().unwrap_or(0);
        let ranges = rows.iter().map(|r| r.1.len()).max().unwrap_or(0);
        let documented = rows.iter().filter(|r| !r.2.doc.is_empty());
        let columns = documented.map(|r| r.3.len()).max().unwrap_or(0) + 1;
        for (net, range, symbol, names) in rows {
            let name = format!("{names};");
            let text = declaration(&format!("{net:nets$}"), &range, ranges, &name, columns, &symbol.doc);
            self.line(1, &text);
        }
        self.tight = true;
    }

    fn net(&self, id: Id) -> &'static str {
        if self.procedural.contains(&id) { "reg" } else { "wire" }
    }

    /// Adds an empty line, unless the last line is empty.
    fn space(&mut self) {
        if !self.out.ends_with("\n\n") && !self.fresh_comment() {
            self.out.push('\n');
        }
        self.tight = false;
    }

    /// Whether the last line is a comment of the next item.
    fn fresh_comment(&self) -> bool {
        self.out.lines().next_back().is_some_and(|l| l.starts_with("    // "))
    }

    fn piece(&mut self, piece: &Piece<'a>) {
        match piece {
            Piece::Item(item) => self.item(item),
            Piece::Instance(instance) => self.instance(instance),
            Piece::Split(id) => {
                let leaves = &self.d.symbols[*id].leaves;
                self.comment_lines();
                self.declare(leaves);
                let targets: Vec<Id> = leaves.iter().rev().copied().collect();
                let text = format!("assign {} = {};", self.names(&targets), self.d.symbols[*id].name);
                self.line(1, &text);
                self.tight = false;
            }
        }
    }

    /// The comments of assignments that became connections.
    fn comment_lines(&mut self) {
        let comments = std::mem::take(&mut self.comments);
        if !comments.is_empty() {
            self.space();
        }
        for text in comments {
            self.line(1, comment(&text).trim_end());
        }
    }

    fn instance(&mut self, instance: &Instance) {
        self.comment_lines();
        let ids = self.at_ports(instance);
        self.tight = false;
        self.declare(&ids);
        if !self.tight {
            self.space();
        }
        // The line is never broken: readers of the Verilog search for it.
        self.out += &format!("    {} {} (\n", instance.module, instance.name);
        let count = instance.ports.len();
        let names = instance.ports.iter().map(|p| p.0.len()).max().unwrap_or(0);
        for (i, (port, id)) in instance.ports.iter().enumerate() {
            let symbol = &self.d.symbols[*id];
            let value = match self.inlined.get(id) {
                Some(value) => self.top(value),
                None if symbol.word => symbol.name.clone(),
                None => self.names(&symbol.leaves.iter().rev().copied().collect::<Vec<_>>()),
            };
            let comma = if i + 1 < count { "," } else { "" };
            self.line(2, &format!(".{port:names$} ({value}){comma}"));
        }
        self.line(1, ");");
        self.tight = false;
    }

    /// Signals side by side.
    fn names(&self, ids: &[Id]) -> String {
        let names: Vec<&str> = ids.iter().map(|id| self.d.symbols[*id].name.as_str()).collect();
        match names[..] {
            [name] => name.into(),
            _ => format!("{{{}}}", names.join(", ")),
        }
    }

    /// Names the unread bits, as lint tools require.
    fn unused(&mut self) {
        let mut parts = Vec::new();
        for (id, symbol) in self.d.symbols.iter().enumerate() {
            let here = match symbol.kind {
                Kind::Input | Kind::FromChild(..) => symbol.word,
                Kind::Local | Kind::Temp => symbol.word && self.driven.contains(&id),
                _ => false,
            };
            if !here {
                continue;
            }
            let none = bitvec![0; symbol.ty.width()];
            let read = self.read.get(&id).unwrap_or(&none);
            let mut lo = 0;
            while lo < read.len() {
                let width = read[lo..].leading_zeros();
                if width > 0 {
                    parts.push(self.place(id, lo, width));
                }
                lo += width.max(1);
            }
        }
        if !parts.is_empty() {
            self.line(0, "");
            self.line(1, "// Bits that nothing here reads.");
            self.line(1, &format!("wire unused = &{{1'b0, {}}};", parts.join(", ")));
        }
    }
}

/// Names, numbers and fields side by side: the expressions allowed at a port.
fn is_plain(value: &Expr) -> bool {
    match value {
        Expr::Ref(_) | Expr::Literal { .. } => true,
        Expr::Concat(parts) => parts.iter().all(|p| matches!(p, Expr::Ref(_))),
        _ => false,
    }
}
