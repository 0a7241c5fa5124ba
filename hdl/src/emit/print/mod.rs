//! Verilog text.

mod expression;
mod order;
mod register;
mod statement;
mod text;

use super::flow::Logic;
use super::ir::{Expr, Id, Kind, Stmt, Symbol};
use bitvec::prelude::*;
use order::Piece;
use std::collections::{HashMap, HashSet};
use text::{attributes, bus, comment, declaration, lines, literal, range};

/// The module of an instance.
pub(super) enum What {
    /// A module's name, with parameters.
    Module(String),
    /// A register, printed as an `always` block: its value after reset as hexadecimal digits, empty without one.
    Register(String),
}

/// A module's text.
#[derive(Default)]
pub(super) struct Printed {
    pub(super) text: String,
    /// The parameters that an instance sets, behind the name of the module.
    pub(super) parameters: String,
}

/// An instance in a module.
pub(super) struct Instance {
    pub(super) what: What,
    pub(super) name: String,
    /// Ports in order, and the symbol at each.
    pub(super) ports: Vec<(String, Id)>,
}

/// A module ready to be printed.
pub(super) struct Design<'a> {
    pub(super) name: &'a str,
    pub(super) header: Vec<String>,
    pub(super) symbols: &'a [Symbol],
    /// Constants among so many first symbols are parameters of the module.
    pub(super) parameters: usize,
    /// Signals of one width share a declaration. In a part, whose widths are parameters, widths are not
    /// fixed.
    pub(super) is_terse: bool,
    pub(super) logic: &'a Logic,
    pub(super) instances: &'a [Instance],
    /// Prints each literal with 32 bits and leaves casts out, as rust-hdl does. Tests use this to check that
    /// wrong widths are found.
    pub(super) wrong: bool,
}

/// The module's text.
pub(super) fn module(design: &Design) -> Printed {
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
    Printed { parameters: printer.parameters_set(), text: printer.out }
}

struct Printer<'a> {
    d: &'a Design<'a>,
    /// Submodule inputs that are connected to plain names and numbers.
    inlined: HashMap<Id, &'a Expr>,
    /// Signals that an `always` block assigns.
    procedural: HashSet<Id>,
    /// The bits that some expression reads.
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
        self.procedural.extend((0..symbols.len()).filter(|id| symbols[*id].held));
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

    /// The vectors that enter and are split.
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
        let parameters: Vec<&Symbol> = self.used_constants(true).collect();
        if parameters.is_empty() {
            self.line(0, &format!("module {} (", self.d.name));
        } else {
            self.line(0, &format!("module {} #(", self.d.name));
            let zero = |s: &Symbol| literal(s.ty.width(), 0);
            self.constant_lines("parameter", &parameters, &zero, ",");
            self.line(0, ") (");
        }
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
        let constants: Vec<&Symbol> = self.used_constants(false).collect();
        if constants.is_empty() {
            return;
        }
        self.line(0, "");
        self.constant_lines("localparam", &constants, &constant, ";");
    }

    /// The constants that the module reads: either its parameters, or all others.
    fn used_constants(&self, parameters: bool) -> impl Iterator<Item = &'a Symbol> {
        let design = self.d;
        let symbols = design.symbols.iter().enumerate();
        let wanted = move |id: Id| (id < design.parameters) == parameters && self.read.contains_key(&id);
        symbols.filter(move |(id, s)| s.kind == Kind::Constant && wanted(*id)).map(|(_, s)| s)
    }

    /// A line for each constant. Parameters are separated by commas.
    fn constant_lines(&mut self, kind: &str, all: &[&Symbol], value: &dyn Fn(&Symbol) -> String, end: &str) {
        let ranges = all.iter().map(|s| range(&s.ty).len()).max().unwrap_or(0);
        let names = all.iter().map(|s| s.name.len()).max().unwrap_or(0);
        for (at, s) in all.iter().enumerate() {
            let end = if end == "," && at + 1 == all.len() { "" } else { end };
            let name = format!("{:names$} = {}{end}", s.name, value(s));
            let text = declaration(kind, &range(&s.ty), ranges, &name, 0, &s.doc);
            self.out += &format!("    {text}\n");
        }
    }

    /// The parameters of the module as an instance sets them, except those that are 0, the default.
    fn parameters_set(&self) -> String {
        let set: Vec<String> = self
            .used_constants(true)
            .filter(|s| s.number() != Some(0))
            .map(|s| format!(".{}({})", s.name, constant(s)))
            .collect();
        if set.is_empty() { String::new() } else { format!(" #({})", set.join(", ")) }
    }

    /// Declares the names in `ids` that are not declared yet. Names of one width share a line if they are
    /// fields of one struct, registers, or outputs of one submodule.
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
                    if (*n, &*r) == (net, &range) && stand_together(s, symbol, self.d.is_terse) =>
                {
                    *names += &format!(", {}", symbol.name);
                }
                _ => rows.push((net, range, symbol, symbol.name.clone())),
            }
        }
        if rows.is_empty() {
            return;
        }
        if !self.tight {
            self.space();
        }
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
            Piece::Registers(registers) => self.registers(registers),
            Piece::Split(id) => {
                self.comment_lines();
                self.split(*id);
            }
        }
    }

    /// Splits a vector into the fields of its struct.
    fn split(&mut self, id: Id) {
        let leaves = &self.d.symbols[id].leaves;
        self.declare(leaves);
        let targets: Vec<Id> = leaves.iter().rev().copied().collect();
        let text = format!("assign {} = {};", self.names(&targets), self.d.symbols[id].name);
        self.line(1, &text);
        self.tight = false;
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
        let What::Module(module) = &instance.what else { return };
        // Only long lists of parameters are broken: readers of the Verilog look for it.
        let begin = format!("{module} {} (", instance.name);
        let ports: Vec<(&str, String)> =
            instance.ports.iter().map(|(port, id)| (port.as_str(), self.at_port(*id))).collect();
        let short: Vec<String> = ports.iter().map(|(port, value)| format!(".{port}({value})")).collect();
        let whole = format!("{begin}{});", short.join(", "));
        if lines(1, &whole).lines().count() == 1 {
            return self.line(1, &whole);
        }
        self.line(1, &begin);
        let names = ports.iter().map(|it| it.0.len()).max().unwrap_or(0);
        for (i, (port, value)) in ports.iter().enumerate() {
            let comma = if i + 1 < ports.len() { "," } else { "" };
            self.line(2, &format!(".{port:names$} ({value}){comma}"));
        }
        self.line(1, ");");
        self.tight = false;
    }

    /// The expression at a port.
    fn at_port(&self, id: Id) -> String {
        let symbol = &self.d.symbols[id];
        match self.inlined.get(&id) {
            Some(value) => self.top(value),
            None if symbol.word => symbol.name.clone(),
            None => self.names(&symbol.leaves.iter().rev().copied().collect::<Vec<_>>()),
        }
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

/// Whether two signals of one width are declared on one line.
fn stand_together(a: &Symbol, b: &Symbol, is_terse: bool) -> bool {
    match (&a.kind, &b.kind) {
        (Kind::FromChild(one, _), Kind::FromChild(other, _))
            if a.part_of.is_none() && b.part_of.is_none() =>
        {
            is_terse && (one == other || (a.held && b.held))
        }
        _ => a.part_of.is_some() && a.part_of == b.part_of,
    }
}

/// The value of a constant.
fn constant(s: &Symbol) -> String {
    match s.number() {
        Some(value) if s.ty.width() <= 128 => literal(s.ty.width(), value),
        _ => s.value.clone(),
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
