//! Registers as `always` blocks, one for each stage.

use super::order::{Piece, Registers};
use super::text::literal;
use super::{Instance, Printer, What};
use crate::emit::flow::Item;
use crate::emit::ir::{Expr, Id, Kind, Stmt};

impl Instance {
    /// The signal at a port.
    fn port(&self, port: &str) -> Option<Id> {
        self.ports.iter().find(|(name, _)| name == port).map(|(_, id)| *id)
    }
}

impl<'a> Printer<'a> {
    /// The pieces, with the registers of a stage after its logic, and its outputs after them. A comment
    /// begins a stage.
    pub(super) fn with_registers_together(&self, pieces: Vec<Piece<'a>>) -> Vec<Piece<'a>> {
        let mut out = Vec::new();
        let mut stage: Vec<Registers> = Vec::new();
        let mut outputs = Vec::new();
        for piece in pieces {
            match piece {
                Piece::Instance(instance) if matches!(instance.what, What::Register(_)) => {
                    let control = self.control(instance);
                    match stage.iter_mut().find(|it| self.control(it.registers[0]) == control) {
                        Some(same) => same.registers.push(instance),
                        None => stage.push(Registers { registers: vec![instance], splits: Vec::new() }),
                    }
                }
                Piece::Split(id) if self.d.symbols[id].held => {
                    let of = |it: &&mut Registers| it.registers.iter().any(|it| it.port("q") == Some(id));
                    if let Some(registers) = stage.iter_mut().find(of) {
                        registers.splits.push(id);
                    }
                }
                Piece::Item(item) if !item.stmts.iter().any(|s| matches!(s, Stmt::Comment(_))) => {
                    let is_output = !stage.is_empty() && self.is_output(item);
                    if is_output { outputs.push(piece) } else { out.push(piece) }
                }
                Piece::Instance(_) | Piece::Split(_) => out.push(piece),
                _ => {
                    self.end_stage(&mut stage, &mut out);
                    out.append(&mut outputs);
                    out.push(piece);
                }
            }
        }
        self.end_stage(&mut stage, &mut out);
        out.append(&mut outputs);
        out
    }

    /// Adds a piece for all registers of each clock.
    fn end_stage(&self, stage: &mut Vec<Registers<'a>>, out: &mut Vec<Piece<'a>>) {
        let clock = |it: &Registers| self.control(it.registers[0])[0].clone();
        while let Some(first) = stage.first().map(clock) {
            let (same, other) = stage.drain(..).partition(|it| clock(it) == first);
            out.push(Piece::Registers(same));
            *stage = other;
        }
    }

    /// Whether an item assigns outputs of the module only.
    fn is_output(&self, item: &Item) -> bool {
        let mut outputs = true;
        let is_output = |id: Id| matches!(self.d.symbols[id].kind, Kind::Output);
        item.stmts.iter().for_each(|s| s.writes(&mut |id| outputs &= is_output(id)));
        outputs
    }

    /// Clock, reset and enable of a register.
    fn control(&self, register: &Instance) -> [Option<String>; 3] {
        ["clk", "rst", "en"].map(|port| register.port(port).map(|id| self.at_port(id)))
    }

    /// The reset or enable, unless it is always `usual`.
    fn condition(&self, register: &Instance, port: &str, usual: u128) -> Option<String> {
        let id = register.port(port)?;
        let is_usual = matches!(self.inlined.get(&id), Some(Expr::Literal { value, .. }) if *value == usual);
        (!is_usual).then(|| self.at_port(id))
    }

    /// The registers of a stage that have one clock.
    pub(super) fn registers(&mut self, stage: &[Registers]) {
        let all = || stage.iter().flat_map(|it| &it.registers);
        let Some(clock) = all().find_map(|it| it.port("clk")) else { return };
        self.comment_lines();
        self.tight = false;
        let held: Vec<Id> = all().filter_map(|it| it.port("q")).collect();
        self.declare(&held);
        let read: Vec<Id> = all().flat_map(|it| self.at_ports(it)).collect();
        self.declare(&read);
        if !self.tight {
            self.space();
        }
        self.line(1, &format!("always @(posedge {}) begin", self.at_port(clock)));
        stage.iter().for_each(|it| self.loads(&it.registers));
        self.line(1, "end");
        self.tight = false;
        stage.iter().flat_map(|it| &it.splits).for_each(|id| self.split(*id));
    }

    /// The statements for registers of one clock, reset and enable.
    fn loads(&mut self, registers: &[&Instance]) {
        let [first, ..] = registers[..] else { return };
        let (reset, enable) = (self.condition(first, "rst", 0), self.condition(first, "en", 1));
        let assign = |register: &&Instance, value: String| {
            let name = register.port("q").map_or_else(String::new, |id| self.at_port(id));
            format!("{name} <= {value};")
        };
        let resets: Vec<String> = registers.iter().map(|it| assign(it, self.after_reset(it))).collect();
        let loaded = |it: &&Instance| it.port("d").map_or_else(String::new, |id| self.at_port(id));
        let loads: Vec<String> = registers.iter().map(|it| assign(it, loaded(it))).collect();
        let enable = enable.map_or_else(String::new, |enable| format!("if ({enable}) "));
        match reset.map(|reset| format!("if ({reset}) ")) {
            Some(reset) if registers.len() == 1 => {
                self.line(2, &format!("{reset}{}", resets[0]));
                self.line(2, &format!("else {enable}{}", loads[0]));
            }
            Some(reset) => {
                self.line(2, &format!("{reset}begin"));
                self.statements(&resets);
                self.line(2, &format!("end else {enable}begin"));
                self.statements(&loads);
                self.line(2, "end");
            }
            None if registers.len() == 1 => self.line(2, &format!("{enable}{}", loads[0])),
            None if enable.is_empty() => loads.iter().for_each(|load| self.line(2, load)),
            None => {
                self.line(2, &format!("{enable}begin"));
                self.statements(&loads);
                self.line(2, "end");
            }
        }
    }

    fn statements(&mut self, statements: &[String]) {
        statements.iter().for_each(|statement| self.line(3, statement));
    }

    /// The value of a register after reset.
    fn after_reset(&self, register: &Instance) -> String {
        let What::Register(digits) = &register.what else { return String::new() };
        let width = register.port("q").map_or(0, |id| self.d.symbols[id].ty.width());
        match u128::from_str_radix(digits, 16) {
            Ok(value) => literal(width, value),
            Err(_) => format!("{width}'h{digits}"),
        }
    }
}
