//! All faults that a module can have.

use crate::fault::{Edit, Fault, Operator, line};
use crate::verilog::expression::{Expression, Kind};
use crate::verilog::{Assign, Instance, Item, Module, Port, Register, Statement};
use std::collections::{HashMap, HashSet};

/// All faults of a module, in the order of its text. `ports` has the ports of the modules that it
/// instantiates.
pub(crate) fn faults(text: &str, module: &Module, ports: &HashMap<String, Vec<Port>>) -> Vec<Fault> {
    let mut sites = Sites { text, module, ports, found: Vec::new(), known: HashMap::new() };
    for item in &module.items {
        match item {
            // The text exists only for lint; no logic reads its value.
            Item::Assign(assign) if assign.target == "unused" => {}
            Item::Assign(assign) => sites.value(&assign.target, &assign.value),
            Item::Always(body) => sites.body(body, &mut HashSet::new(), 0),
            Item::Registers(registers) => registers.iter().for_each(|register| sites.register(register)),
            Item::Instance(instance) => sites.instance(instance),
        }
    }
    sites.found
}

struct Sites<'a> {
    text: &'a str,
    module: &'a Module,
    ports: &'a HashMap<String, Vec<Port>>,
    found: Vec<Fault>,
    /// Number of times that a text was given to a fault.
    known: HashMap<String, usize>,
}

/// The operator that replaces a sign or comparison.
fn other(operator: &str) -> Option<(Operator, &'static str)> {
    let (kind, other) = match operator {
        "+" => (Operator::Sign, "-"),
        "-" | "*" => (Operator::Sign, "+"),
        "&" => (Operator::Sign, "|"),
        "|" | "^" => (Operator::Sign, "&"),
        "&&" => (Operator::Sign, "||"),
        "||" => (Operator::Sign, "&&"),
        "<<" => (Operator::Sign, ">>"),
        ">>" => (Operator::Sign, "<<"),
        "<" => (Operator::Comparison, "<="),
        "<=" => (Operator::Comparison, "<"),
        ">" => (Operator::Comparison, ">="),
        ">=" => (Operator::Comparison, ">"),
        "==" => (Operator::Comparison, "!="),
        "!=" => (Operator::Comparison, "=="),
        _ => return None,
    };
    Some((kind, other))
}

impl Sites<'_> {
    fn at(&self, expression: &Expression) -> &str {
        &self.text[expression.span.clone()]
    }

    fn add(&mut self, operator: Operator, text: String, edits: Vec<Edit>) {
        let times = self.known.entry(text.clone()).or_default();
        *times += 1;
        let text = if *times > 1 { format!("{text} ({times})") } else { text };
        self.found.push(Fault { module: self.module.header.name.clone(), operator, text, edits });
    }

    /// Adds a fault: `with` replaces `part` of `whole`, which is at `place`.
    fn replace(
        &mut self,
        operator: Operator,
        place: &str,
        whole: &Expression,
        part: &Expression,
        with: String,
    ) {
        let (all, span) = (&whole.span, part.span.clone());
        let becomes = format!("{}{with}{}", &self.text[all.start..span.start], &self.text[span.end..all.end]);
        let text = format!("{place}: {} -> {}", line(self.at(whole)), line(&becomes));
        self.add(operator, text, vec![Edit::Replace { span, with }]);
    }

    /// The faults of an expression.
    fn value(&mut self, place: &str, whole: &Expression) {
        let (mut parts, mut padding) = (Vec::new(), HashSet::new());
        whole.each(&mut |part| {
            // The zeros that only widen a value: faults there change no decision of the design.
            if let Kind::Concat(parts) = &part.kind
                && parts.first().and_then(Expression::number) == Some(0)
            {
                padding.extend(parts.first().map(|zeros| zeros.span.start));
            }
            parts.push(part);
        });
        parts.retain(|part| !padding.contains(&part.span.start) || part.number().is_none());
        for part in parts {
            match &part.kind {
                Kind::Binary { operator, .. } => {
                    let (before, after) = (part.span.start..operator.start, operator.end..part.span.end);
                    if let Some((kind, other)) = other(&self.text[operator.clone()]) {
                        let with = format!("{}{other}{}", &self.text[before], &self.text[after]);
                        self.replace(kind, place, whole, part, with);
                    }
                }
                Kind::Unary { operator, value } => match operator.as_str() {
                    "!" | "~" => {
                        let with = self.at(value).to_owned();
                        self.replace(Operator::Negation, place, whole, part, with);
                    }
                    "&" | "|" => {
                        let other = if operator == "&" { "|" } else { "&" };
                        let with = format!("{other}{}", self.at(value));
                        self.replace(Operator::Sign, place, whole, part, with);
                    }
                    _ => {}
                },
                Kind::Choice { test, .. } => {
                    let with = format!("!({})", self.at(test));
                    self.replace(Operator::Negation, place, whole, test, with);
                }
                Kind::Sized(width, Some(number)) => self.constant(place, whole, part, *width, *number),
                Kind::Name(name) => {
                    if let Some(&(width, number)) = self.module.constants.get(name) {
                        self.constant(place, whole, part, width, number);
                    } else if let Some(width) = self.module.parameters.get(name) {
                        for change in [format!("+ {width}'h1"), format!("^ ({width}'h1 << {})", width - 1)] {
                            self.replace(
                                Operator::Constant,
                                place,
                                whole,
                                part,
                                format!("({name} {change})"),
                            );
                        }
                    }
                }
                Kind::Plain(number) => {
                    let with = (number + 1).to_string();
                    self.replace(Operator::Constant, place, whole, part, with);
                }
                Kind::Slice { name, high, low } => {
                    let width = self.module.widths.get(name).copied().unwrap_or(0);
                    let moved = if *low > 0 {
                        Some((high - 1, low - 1))
                    } else {
                        (high + 1 < width).then_some((high + 1, low + 1))
                    };
                    if let Some((high, low)) = moved {
                        let bits = if high == low { high.to_string() } else { format!("{high}:{low}") };
                        let with = format!("{name}[{bits}]");
                        self.replace(Operator::Slice, place, whole, part, with);
                    }
                }
                _ => {}
            }
        }
    }

    /// Adds the faults of a constant: one more, and another top bit.
    fn constant(&mut self, place: &str, whole: &Expression, part: &Expression, width: usize, number: u128) {
        if !(1..=128).contains(&width) {
            return;
        }
        let mask = u128::MAX >> (128 - width);
        let mut changed = vec![(number.wrapping_add(1)) & mask, number ^ (1 << (width - 1))];
        changed.dedup();
        for number in changed {
            let with = format!("{width}'h{number:x}");
            self.replace(Operator::Constant, place, whole, part, with);
        }
    }

    /// Adds the faults of a process. `before` has the targets that are assigned in any case.
    fn body(&mut self, body: &[Statement], before: &mut HashSet<String>, depth: usize) {
        for statement in body {
            match statement {
                Statement::Assign(assign) => {
                    self.value(&assign.target, &assign.value);
                    if before.contains(&assign.target) {
                        self.dropped(assign);
                    }
                    if depth == 0 {
                        before.insert(assign.target.clone());
                    }
                }
                Statement::If { test, then, otherwise } => {
                    let place = format!("{} if", first(then).or(first(otherwise)).unwrap_or_default());
                    let with = format!("!({})", self.at(test));
                    self.replace(Operator::Negation, &place, test, test, with);
                    self.value(&place, test);
                    self.body(then, before, depth + 1);
                    self.body(otherwise, before, depth + 1);
                }
                Statement::Case { subject, arms } => {
                    let place =
                        format!("{} case", arms.iter().find_map(|arm| first(arm)).unwrap_or_default());
                    self.value(&place, subject);
                    arms.iter().for_each(|arm| self.body(arm, before, depth + 1));
                }
            }
        }
    }

    fn dropped(&mut self, assign: &Assign) {
        let text = format!("{}: {} -> not assigned", assign.target, line(self.at(&assign.value)));
        self.add(Operator::Dropped, text, vec![Edit::Skip { at: assign.start }]);
    }

    fn instance(&mut self, instance: &Instance) {
        let Some(ports) = self.ports.get(&instance.module) else { return };
        let is_primitive = ["weft_delay", "weft_enable", "weft_linear"].contains(&&*instance.module);
        let input = |name: &str| ports.iter().find(|port| port.name == name && port.is_input);
        let inputs = instance.ports.iter().filter(|(name, _)| name != "clk");
        let inputs: Vec<_> =
            inputs.filter_map(|(name, value)| input(name).map(|port| (port, value))).collect();
        for (at, (port, value)) in inputs.iter().enumerate() {
            let place = format!("{}.{}", instance.name, port.name);
            self.value(&place, value);
            if value.number() != Some(0) {
                self.replace(Operator::Tied, &place, value, value, "1'b0".into());
            }
            let is_control = ["en", "run", "next_run", "re", "oe", "we", "rst"].contains(&&*port.name);
            if port.width == Some(1) && is_control && value.number() != Some(1) {
                self.replace(Operator::Tied, &place, value, value, "1'b1".into());
            }
            if let Some((next, neighbour)) = inputs.get(at + 1)
                && !is_primitive
                && port.width.is_some()
                && port.width == next.width
                && self.at(value) != self.at(neighbour)
                && neighbour.number().is_none()
            {
                let with = self.at(neighbour).to_owned();
                self.replace(Operator::Swapped, &place, value, value, with);
            }
        }
    }

    /// Adds the faults of a register: its reset, its enable or its value is constant, or the lowest bit of
    /// its value after reset is inverted. Registers that share an `always` are changed one by one.
    fn register(&mut self, register: &Register) {
        let name = register.signal.strip_suffix("_q").unwrap_or(&register.signal);
        self.value(&format!("{name}.d"), &register.value);
        let held = || register.signal.clone();
        let loaded = self.at(&register.value).to_owned();
        let enable = register.enable.as_ref().map(|it| self.at(it).to_owned());
        let reset = register
            .reset
            .as_ref()
            .map(|(test, after)| (self.at(test).to_owned(), self.at(after).to_owned()));
        let enabled = |value: &str| match &enable {
            Some(enable) => format!("({enable}) ? ({value}) : {}", register.signal),
            None => value.to_owned(),
        };
        let unless_reset = |value: String| match &reset {
            Some((reset, after)) => format!("({reset}) ? {after} : ({value})"),
            None => value,
        };
        let mut add = |operator, port: &str, from: &str, to: &str, value: String| {
            let text = format!("{name}.{port}: {} -> {to}", line(from));
            let edit = Edit::Load { at: register.end, register: register.signal.clone(), value };
            self.add(operator, text, vec![edit]);
        };
        if let Some((reset, after)) = &reset {
            add(Operator::Tied, "rst", reset, "1'b0", enabled(&loaded));
            add(Operator::Tied, "rst", reset, "1'b1", after.clone());
        }
        let enable = enable.as_deref().unwrap_or("1'b1");
        add(Operator::Tied, "en", enable, "1'b0", unless_reset(held()));
        if register.enable.is_some() {
            add(Operator::Tied, "en", enable, "1'b1", unless_reset(loaded.clone()));
        }
        if register.value.number() != Some(0) {
            add(Operator::Tied, "d", &loaded, "1'b0", unless_reset(enabled("1'b0")));
        }
        if let Some((reset, after)) = &register.reset
            && let Kind::Sized(width, Some(value)) = after.kind
        {
            let (is, wrong) = (format!("{width}'h{value:x}"), format!("{width}'h{:x}", value ^ 1));
            let reset = &self.text[reset.span.clone()];
            let value = format!("({reset}) ? {wrong} : ({})", enabled(&loaded));
            let text = format!("{name}.INIT: {is} -> {wrong}");
            let edit = Edit::Load { at: register.end, register: held(), value };
            self.add(Operator::Reset, text, vec![edit]);
        }
    }
}

/// The target of the first assignment.
fn first(body: &[Statement]) -> Option<&str> {
    body.iter().find_map(|statement| match statement {
        Statement::Assign(assign) => Some(assign.target.as_str()),
        Statement::If { then, otherwise, .. } => first(then).or(first(otherwise)),
        Statement::Case { arms, .. } => arms.iter().find_map(|arm| first(arm)),
    })
}
