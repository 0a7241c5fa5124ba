//! Verilog text.

use super::flow::Item;
use super::ir::{Expr, Id, Kind, Op, Reduce, Stmt, Symbol, Test};
use super::ty::Ty;
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

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
    pub(super) items: &'a [Item],
    pub(super) instances: &'a [Instance],
    /// Prints literals as 32 bits and casts as nothing, as rust-hdl does: for tests that must see
    /// wrong widths found.
    pub(super) wrong: bool,
}

/// The module's text.
pub(super) fn module(design: &Design) -> String {
    let mut printer =
        Printer { d: design, inlined: HashMap::new(), comments: Vec::new(), out: String::new() };
    printer.inline();
    printer.module();
    printer.out
}

struct Printer<'a> {
    d: &'a Design<'a>,
    /// Submodule inputs that are connected to a plain name or number.
    inlined: HashMap<Id, &'a Expr>,
    /// Comments of inlined assignments, for what comes next.
    comments: Vec<String>,
    out: String,
}

impl<'a> Printer<'a> {
    fn inline(&mut self) {
        let mut read = HashSet::new();
        for item in self.d.items {
            let (Item::Assigns(stmts) | Item::Always(stmts)) = item;
            for s in stmts {
                s.expressions(&mut |e| {
                    e.reads(self.d.symbols, &mut |id, _, _| {
                        read.insert(id);
                    })
                });
            }
        }
        for item in self.d.items {
            if let Item::Assigns(stmts) = item
                && let [comments @ .., Stmt::Assign { target, value, .. }] = stmts.as_slice()
                && comments.iter().all(|s| matches!(s, Stmt::Comment(_)))
                && matches!(self.d.symbols[*target].kind, Kind::ToChild(..))
                && matches!(value, Expr::Ref(_) | Expr::Literal { .. })
                && !read.contains(target)
            {
                self.inlined.insert(*target, value);
            }
        }
    }

    fn line(&mut self, indent: usize, text: &str) {
        if !text.is_empty() {
            self.out += &"    ".repeat(indent);
            self.out += text;
        }
        self.out.push('\n');
    }

    fn module(&mut self) {
        for text in &self.d.header {
            let text = comment(text);
            self.line(0, text.trim_end());
        }
        self.line(0, "");
        self.line(0, "`default_nettype none");
        self.line(0, "");
        self.ports();
        self.declarations();
        for item in self.d.items {
            self.item(item);
        }
        for instance in self.d.instances {
            self.instance(instance);
        }
        self.unused();
        self.line(0, "");
        self.line(0, "endmodule");
        self.line(0, "");
        self.line(0, "`default_nettype wire");
    }

    /// Signals that an `always` block assigns.
    fn procedural(&self) -> HashSet<Id> {
        let mut ids = HashSet::new();
        for item in self.d.items {
            if let Item::Always(stmts) = item {
                for s in stmts {
                    s.writes(&mut |id| {
                        ids.insert(id);
                    });
                }
            }
        }
        ids
    }

    fn ports(&mut self) {
        let procedural = self.procedural();
        let mut rows = Vec::new();
        for (id, symbol) in self.d.symbols.iter().enumerate() {
            let direction = match symbol.kind {
                Kind::Input => "input  wire",
                Kind::Output if procedural.contains(&id) => "output reg ",
                Kind::Output => "output wire",
                _ => continue,
            };
            rows.push((direction, range(&symbol.ty), symbol));
        }
        if rows.is_empty() {
            let text = format!("module {};", self.d.name);
            self.line(0, &text);
            return;
        }
        let text = format!("module {} (", self.d.name);
        self.line(0, &text);
        let ranges = rows.iter().map(|r| r.1.len()).max().unwrap_or(0);
        let names = rows.iter().map(|r| r.2.name.len()).max().unwrap_or(0) + 1;
        let count = rows.len();
        for (i, (direction, range, symbol)) in rows.into_iter().enumerate() {
            let comma = if i + 1 < count { "," } else { "" };
            let name = format!("{}{comma}", symbol.name);
            let text = declaration(direction, &range, ranges, &name, names, &symbol.doc);
            self.line(1, &text);
        }
        self.line(0, ");");
    }

    fn declarations(&mut self) {
        let mut used = HashSet::new();
        self.each_read(&mut |id, _, _| {
            used.insert(id);
        });
        let constants: Vec<&Symbol> = self
            .d
            .symbols
            .iter()
            .enumerate()
            .filter(|(id, s)| s.kind == Kind::Constant && used.contains(id))
            .map(|(_, s)| s)
            .collect();
        if !constants.is_empty() {
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
                self.line(1, &text);
            }
        }
        let procedural = self.procedural();
        let driven = self.driven();
        let mut rows = Vec::new();
        for (id, symbol) in self.d.symbols.iter().enumerate() {
            let keep = match symbol.kind {
                Kind::Local | Kind::Temp => driven.contains(&id) || used.contains(&id),
                Kind::ToChild(..) => !self.inlined.contains_key(&id),
                Kind::FromChild(..) => true,
                _ => false,
            };
            if keep {
                let net = match procedural.contains(&id) {
                    true => "reg ",
                    false => "wire",
                };
                rows.push((net, range(&symbol.ty), symbol));
            }
        }
        if rows.is_empty() {
            return;
        }
        self.line(0, "");
        let ranges = rows.iter().map(|r| r.1.len()).max().unwrap_or(0);
        let names = rows.iter().map(|r| r.2.name.len()).max().unwrap_or(0) + 1;
        for (net, range, symbol) in rows {
            let name = format!("{};", symbol.name);
            let text = declaration(net, &range, ranges, &name, names, &symbol.doc);
            self.line(1, &text);
        }
    }

    fn driven(&self) -> HashSet<Id> {
        let mut ids = HashSet::new();
        for item in self.d.items {
            let (Item::Assigns(stmts) | Item::Always(stmts)) = item;
            for s in stmts {
                s.writes(&mut |id| {
                    ids.insert(id);
                });
            }
        }
        ids
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Assigns(stmts) => {
                let shown = stmts.iter().any(|s| match s {
                    Stmt::Assign { target, .. } => !self.inlined.contains_key(target),
                    _ => false,
                });
                if !shown {
                    // What it says holds for what follows, too.
                    self.comments.extend(stmts.iter().filter_map(|s| match s {
                        Stmt::Comment(text) => Some(text.clone()),
                        _ => None,
                    }));
                    return;
                }
                let comments = stmts.iter().any(|s| matches!(s, Stmt::Comment(_)));
                if comments || !self.comments.is_empty() || !self.after_assign() {
                    self.line(0, "");
                }
                self.carried();
                for s in stmts {
                    match s {
                        Stmt::Assign { target, lo, width, value, .. } => {
                            let place = self.place(*target, *lo, *width);
                            let value = self.top(value);
                            self.line(1, &format!("assign {place} = {value};"));
                        }
                        other => self.statement(other, 1),
                    }
                }
            }
            Item::Always(stmts) => {
                self.line(0, "");
                self.carried();
                let code = stmts.iter().position(|s| !matches!(s, Stmt::Comment(_))).unwrap_or(0);
                for s in &stmts[..code] {
                    self.statement(s, 1);
                }
                self.line(1, "always @(*) begin");
                for s in &stmts[code..] {
                    self.statement(s, 2);
                }
                self.line(1, "end");
            }
        }
    }

    /// The comments of assignments that became connections.
    fn carried(&mut self) {
        for text in std::mem::take(&mut self.comments) {
            let text = comment(&text);
            self.line(1, text.trim_end());
        }
    }

    fn after_assign(&self) -> bool {
        let last = self.out.lines().next_back().unwrap_or("");
        last.trim_start().starts_with("assign ")
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
            Stmt::Assign { target, lo, width, value, .. } => {
                let place = self.place(*target, *lo, *width);
                let value = self.top(value);
                self.line(indent, &format!("{place} = {value};"));
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

    fn instance(&mut self, instance: &Instance) {
        self.line(0, "");
        let text = format!("{} {} (", instance.module, instance.name);
        self.line(1, &text);
        let count = instance.ports.len();
        let names = instance.ports.iter().map(|p| p.0.len()).max().unwrap_or(0);
        for (i, (port, id)) in instance.ports.iter().enumerate() {
            let value = match self.inlined.get(id) {
                Some(value) => self.top(value),
                None => self.d.symbols[*id].name.clone(),
            };
            let comma = if i + 1 < count { "," } else { "" };
            self.line(2, &format!(".{port:names$} ({value}){comma}"));
        }
        self.line(1, ");");
    }

    /// Calls `f` for every read of a signal in the module.
    fn each_read(&self, f: &mut impl FnMut(Id, usize, usize)) {
        for item in self.d.items {
            let (Item::Assigns(stmts) | Item::Always(stmts)) = item;
            for s in stmts {
                s.expressions(&mut |e| e.reads(self.d.symbols, f));
            }
        }
    }

    /// Names the bits that nothing reads, as lint tools ask for.
    fn unused(&mut self) {
        let symbols = self.d.symbols;
        let mut read: Vec<Vec<bool>> = symbols.iter().map(|s| vec![false; s.ty.width()]).collect();
        self.each_read(&mut |id, lo, width| read[id][lo..lo + width].fill(true));
        let driven = self.driven();
        let mut parts = Vec::new();
        for (id, symbol) in symbols.iter().enumerate() {
            let here = match symbol.kind {
                Kind::Input | Kind::FromChild(..) => true,
                Kind::Local | Kind::Temp => driven.contains(&id),
                _ => false,
            };
            if !here {
                continue;
            }
            let mut lo = 0;
            while lo < read[id].len() {
                let width = read[id][lo..].iter().take_while(|r| !**r).count();
                if width > 0 {
                    parts.push(self.place(id, lo, width));
                }
                lo += width.max(1);
            }
        }
        if !parts.is_empty() {
            self.line(0, "");
            self.line(1, "// Bits that nothing here reads.");
            let text = format!("wire unused = &{{1'b0, {}}};", parts.join(", "));
            self.line(1, &text);
        }
    }

    /// A signal or a part of it.
    fn place(&self, id: Id, lo: usize, width: usize) -> String {
        let symbol = &self.d.symbols[id];
        let name = &symbol.name;
        match width {
            w if w == symbol.ty.width() => name.clone(),
            1 => format!("{name}[{lo}]"),
            w => format!("{name}[{}:{lo}]", lo + w - 1),
        }
    }

    /// An expression where parentheses around it would say nothing.
    fn top(&self, e: &Expr) -> String {
        let text = self.expr(e);
        match text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
            Some(inner) if balanced(inner) => inner.to_string(),
            _ => text,
        }
    }

    /// The operand of a prefix: tools read `&!a` and `~~a` differently.
    fn operand(&self, e: &Expr) -> String {
        let text = self.expr(e);
        match text.starts_with(['~', '!']) {
            true => format!("({text})"),
            false => text,
        }
    }

    fn expr(&self, e: &Expr) -> String {
        match e {
            Expr::Ref(id) => self.d.symbols[*id].name.clone(),
            Expr::Literal { width, value } => {
                let width = if self.d.wrong { 32.max(*width) } else { *width };
                literal(width, *value)
            }
            Expr::Slice { signal, lo, width } => self.place(*signal, *lo, *width),
            Expr::SliceAt { signal, index, width } => {
                let name = &self.d.symbols[*signal].name;
                format!("{name}[{} +: {width}]", self.expr(index))
            }
            Expr::BitAt { signal, index } => {
                let name = &self.d.symbols[*signal].name;
                format!("{name}[{}]", self.top(index))
            }
            Expr::Zext { value, .. } if self.d.wrong => self.expr(value),
            Expr::Zext { value, width } => {
                let pad = width - value.width(self.d.symbols);
                format!("{{{pad}'d0, {}}}", self.top(value))
            }
            Expr::Concat(parts) => {
                let parts: Vec<String> = parts.iter().map(|p| self.top(p)).collect();
                format!("{{{}}}", parts.join(", "))
            }
            Expr::Repeat(times, value) => format!("{{{times}{{{}}}}}", self.top(value)),
            Expr::Not(value) => {
                let op = if value.width(self.d.symbols) == 1 { "!" } else { "~" };
                format!("{op}{}", self.operand(value))
            }
            Expr::Neg(value) => format!("(-{})", self.operand(value)),
            Expr::Reduce(op, value) => {
                let op = match op {
                    Reduce::All => "&",
                    Reduce::Any => "|",
                    Reduce::Xor => "^",
                };
                format!("({op}{})", self.operand(value))
            }
            Expr::Binary(kind, left, right) => {
                let op = match kind {
                    Op::Add => "+",
                    Op::Sub => "-",
                    Op::Mul => "*",
                    Op::And => "&",
                    Op::Or => "|",
                    Op::Xor => "^",
                };
                // `a + b + c` is `(a + b) + c` in Verilog too.
                let first = match &**left {
                    Expr::Binary(inner, ..) if inner == kind => self.top(left),
                    _ => self.expr(left),
                };
                format!("({first} {op} {})", self.expr(right))
            }
            Expr::Shift { left, value, amount } => {
                let op = if *left { "<<" } else { ">>" };
                // Verilog sizes an amount by itself, so a plain number is exact.
                let amount = match &**amount {
                    Expr::Literal { value, .. } => value.to_string(),
                    other => self.expr(other),
                };
                format!("({} {op} {amount})", self.expr(value))
            }
            Expr::Test { test, signed, left, right } => {
                let op = match test {
                    Test::Eq => "==",
                    Test::Ne => "!=",
                    Test::Lt => "<",
                    Test::Le => "<=",
                    Test::Gt => ">",
                    Test::Ge => ">=",
                    Test::Both => "&&",
                    Test::Either => "||",
                };
                let chained = matches!(test, Test::Both | Test::Either);
                let first = match &**left {
                    Expr::Test { test: inner, .. } if chained && inner == test => self.top(left),
                    _ => self.expr(left),
                };
                if *signed {
                    let (l, r) = (self.top(left), self.top(right));
                    format!("($signed({l}) {op} $signed({r}))")
                } else {
                    format!("({first} {op} {})", self.expr(right))
                }
            }
        }
    }
}

fn declaration(kind: &str, range: &str, ranges: usize, name: &str, names: usize, doc: &str) -> String {
    let mut text = kind.to_string();
    if ranges > 0 {
        let _ = write!(text, " {range:>ranges$}");
    }
    let _ = write!(text, " {name}");
    if !doc.is_empty() {
        let pad = names.saturating_sub(name.len());
        let _ = write!(text, "{} {}", " ".repeat(pad), comment(doc));
    }
    text.trim_end().to_string()
}

fn range(ty: &Ty) -> String {
    match ty.width() {
        1 => String::new(),
        w => format!("[{}:0]", w - 1),
    }
}

/// Small numbers in decimal, masks and large ones in hexadecimal.
fn literal(width: usize, value: u128) -> String {
    if width == 1 {
        return format!("1'b{value}");
    }
    let mask = (4..=128).contains(&width) && value == u128::MAX >> (128 - width);
    match value {
        0..256 if !mask => format!("{width}'d{value}"),
        _ => format!("{width}'h{value:x}"),
    }
}

/// A comment that no tool takes for an instruction.
fn comment(text: &str) -> String {
    let first = text.trim_start().to_ascii_lowercase();
    let directive = ["verilator", "synopsys", "synthesis", "pragma", "cadence", "xilinx"]
        .iter()
        .any(|word| first.starts_with(word));
    let clean: String = text.chars().map(|c| if c.is_control() || c == '\\' { ' ' } else { c }).collect();
    match directive {
        true => format!("// Note: {clean}"),
        false => format!("// {clean}"),
    }
}

fn balanced(text: &str) -> bool {
    let mut depth = 0_i32;
    for c in text.chars() {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}
