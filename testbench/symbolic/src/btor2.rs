//! Reader for BTOR2 as yosys writes it: bit vectors of any width, no arrays.

use std::collections::{BTreeMap, HashMap};

use num_bigint::BigUint;

use crate::design::{Design, State};
use crate::{Node, Signals, Value};

/// The fault in a BTOR2 text, and its line.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("BTOR2 line {line}: {problem}")]
pub struct Btor2Error {
    /// Counted from 1.
    pub line: usize,
    /// The fault.
    pub problem: Btor2Problem,
}

/// The possible faults of a line of BTOR2.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum Btor2Problem {
    /// The line is too short, or has a word in place of a number.
    #[error("field {0} is missing or malformed; write the file with yosys `write_btor`")]
    Field(usize),
    /// A number that no earlier line defines.
    #[error("{0} is not defined above this line")]
    Undefined(i64),
    /// An array, from a memory.
    #[error("arrays are not supported: run yosys `memory_map` before `write_btor`")]
    Array,
    /// An operation that the reader does not support.
    #[error("operation `{0}` is not supported; rewrite the Verilog without it")]
    Operation(String),
    /// Operands whose widths differ from each other or from the sort.
    #[error("operand widths do not fit the operation or its sort")]
    Width,
    /// Two inputs, registers or outputs of one name.
    #[error("`{0}` is there twice: rename one of them")]
    Twice(String),
    /// `init` or `next` of a node that is not a register.
    #[error("{0} is no state")]
    NoState(i64),
}

use Btor2Problem as Problem;

/// A file with wider words is treated as broken.
const WIDTH_MAX: usize = 1 << 16;

/// Reads a design. Its variables are named `scope.port`, so that designs in the same graph stay apart:
/// the same scope means the same variables.
///
/// A register that is an output port has no name of its own in BTOR2 and gets the port's. A
/// register without a next value is an input.
pub fn read_btor2(text: &str, scope: &str) -> Result<Design, Btor2Error> {
    let mut reader = Reader { scope, ..Reader::default() };
    for (number, line) in text.lines().enumerate() {
        let code = line.split(';').next().unwrap_or_default();
        let fields: Vec<&str> = code.split_whitespace().collect();
        if !fields.is_empty() {
            reader.line(&fields).map_err(|problem| Btor2Error { line: number + 1, problem })?;
        }
    }
    let end = text.lines().count();
    reader.finish().map_err(|problem| Btor2Error { line: end, problem })
}

/// A register whose lines are not all read yet.
struct Register {
    id: i64,
    name: Option<String>,
    node: Node,
    init: Option<Node>,
    next: Option<Node>,
}

#[derive(Default)]
struct Reader<'a> {
    scope: &'a str,
    /// Widths by number of the sort.
    sorts: HashMap<i64, usize>,
    nodes: HashMap<i64, Node>,
    registers: Vec<Register>,
    inputs: Vec<(String, Node)>,
    outputs: Vec<(String, i64)>,
    wires: Signals,
    constraints: Vec<Node>,
    bads: Vec<Node>,
}

fn number<T: std::str::FromStr>(fields: &[&str], index: usize) -> Result<T, Problem> {
    fields.get(index).and_then(|field| field.parse().ok()).ok_or(Problem::Field(index + 1))
}

fn fit(holds: bool) -> Result<(), Problem> {
    if holds { Ok(()) } else { Err(Problem::Width) }
}

impl Reader<'_> {
    fn line(&mut self, fields: &[&str]) -> Result<(), Problem> {
        let id: i64 = number(fields, 0)?;
        let operation = *fields.get(1).ok_or(Problem::Field(2))?;
        let symbol = |index: usize| fields.get(index).map(|name| name.to_string());
        match operation {
            "sort" => match fields.get(2) {
                Some(&"bitvec") => {
                    let width: usize = number(fields, 3)?;
                    fit((1..=WIDTH_MAX).contains(&width))?;
                    self.sorts.insert(id, width);
                }
                Some(&"array") => return Err(Problem::Array),
                _ => return Err(Problem::Field(3)),
            },
            "input" => {
                let name = symbol(3).unwrap_or_else(|| format!("input{id}"));
                let node = self.variable(&name, self.sort(fields, 2)?);
                self.inputs.push((name, node));
                self.nodes.insert(id, node);
            }
            "state" => {
                let name = symbol(3);
                let label = name.clone().unwrap_or_else(|| format!("state{id}"));
                let node = self.variable(&label, self.sort(fields, 2)?);
                self.registers.push(Register { id, name, node, init: None, next: None });
                self.nodes.insert(id, node);
            }
            "init" | "next" => {
                let state: i64 = number(fields, 3)?;
                let value = self.operand(fields, 4)?;
                let register = self.registers.iter_mut().find(|register| register.id == state);
                let register = register.ok_or(Problem::NoState(state))?;
                fit(register.node.width() == value.width())?;
                let slot = if operation == "init" { &mut register.init } else { &mut register.next };
                *slot = Some(value);
            }
            "output" => {
                let name = symbol(3).unwrap_or_else(|| format!("output{id}"));
                self.operand(fields, 2)?;
                self.outputs.push((name, number(fields, 2)?));
            }
            "constraint" | "bad" => {
                let bit = self.operand(fields, 2)?;
                fit(bit.width() == 1)?;
                let list = if operation == "bad" { &mut self.bads } else { &mut self.constraints };
                list.push(bit);
            }
            _ => {
                let width = self.sort(fields, 2)?;
                let node = self.expression(operation, fields, width)?;
                fit(node.width() == width)?;
                // Yosys names a wire by extending its driver by 0 bits.
                if let ("uext", Some(name)) = (operation, symbol(5)) {
                    self.wires.insert(name, node);
                }
                self.nodes.insert(id, node);
            }
        }
        Ok(())
    }

    fn variable(&self, name: &str, width: usize) -> Node {
        Node::variable(&format!("{}.{name}", self.scope), width)
    }

    fn sort(&self, fields: &[&str], index: usize) -> Result<usize, Problem> {
        let id = number(fields, index)?;
        self.sorts.get(&id).copied().ok_or(Problem::Undefined(id))
    }

    fn node(&self, id: i64) -> Result<Node, Problem> {
        // A negative number is the complement.
        let node = id.checked_abs().and_then(|line| self.nodes.get(&line)).ok_or(Problem::Undefined(id))?;
        Ok(if id < 0 { !*node } else { *node })
    }

    fn operand(&self, fields: &[&str], index: usize) -> Result<Node, Problem> {
        self.node(number(fields, index)?)
    }

    fn expression(&self, operation: &str, fields: &[&str], width: usize) -> Result<Node, Problem> {
        let literal = |radix: u32| {
            let digits = fields.get(3).ok_or(Problem::Field(4))?;
            let (negative, digits) = match digits.strip_prefix('-') {
                Some(digits) => (true, digits),
                None => (false, *digits),
            };
            let number = BigUint::parse_bytes(digits.as_bytes(), radix).ok_or(Problem::Field(4))?;
            fit(number.bits() <= width as u64)?;
            let node = Node::constant(Value::new(width, number));
            Ok(if negative { negate(node) } else { node })
        };
        match operation {
            "const" => return literal(2),
            "constd" => return literal(10),
            "consth" => return literal(16),
            "zero" => return Ok(Node::constant(Value::zero(width))),
            "one" => return Ok(Node::constant(Value::new(width, 1u8))),
            "ones" => return Ok(Node::constant(Value::ones(width))),
            "read" | "write" => return Err(Problem::Array),
            _ => {}
        }
        let a = self.operand(fields, 3)?;
        let unary = match operation {
            "not" => Some(!a),
            "neg" => Some(negate(a)),
            "inc" => Some(a + Node::lit(a.width(), 1)),
            "dec" => Some(a - Node::lit(a.width(), 1)),
            "redor" => Some(!a.is_zero()),
            "redand" => Some((!a).is_zero()),
            "redxor" => Some((0..a.width()).fold(Node::bit(false), |parity, i| parity ^ a.slice(i, 1))),
            "uext" | "sext" => {
                let more: usize = number(fields, 4)?;
                fit(a.width().checked_add(more) == Some(width))?;
                Some(if operation == "uext" { a.widen(width) } else { a.widen_signed(width) })
            }
            "slice" => {
                let (high, low): (usize, usize) = (number(fields, 4)?, number(fields, 5)?);
                fit(low <= high && high < a.width())?;
                Some(a.slice(low, high - low + 1))
            }
            _ => None,
        };
        if let Some(node) = unary {
            return Ok(node);
        }
        let b = self.operand(fields, 4)?;
        if operation == "concat" {
            return Ok(a.cat(b));
        }
        if operation == "ite" {
            let c = self.operand(fields, 5)?;
            fit(a.width() == 1 && b.width() == c.width())?;
            return Ok(b.when(a, c));
        }
        fit(a.width() == b.width())?;
        Ok(match operation {
            "and" => a & b,
            "or" => a | b,
            "xor" => a ^ b,
            "nand" => !(a & b),
            "nor" => !(a | b),
            "xnor" => !(a ^ b),
            "implies" => a.implies(b),
            "iff" | "eq" => a.equals(b),
            "neq" => !a.equals(b),
            "ult" => a.less(b),
            "ulte" => !b.less(a),
            "ugt" => b.less(a),
            "ugte" => !a.less(b),
            "slt" => a.less_signed(b),
            "slte" => !b.less_signed(a),
            "sgt" => b.less_signed(a),
            "sgte" => !a.less_signed(b),
            "add" => a + b,
            "sub" => a - b,
            "mul" => a * b,
            "udiv" => a / b,
            "urem" => a % b,
            "sdiv" => by_magnitude(a, b, |a, b| a / b, sign(a) ^ sign(b)),
            "srem" => by_magnitude(a, b, |a, b| a % b, sign(a)),
            "sll" => a.shift_left(b),
            "srl" => a.shift_right(b),
            "sra" => a.shift_right_signed(b),
            _ => return Err(Problem::Operation(operation.to_owned())),
        })
    }

    fn finish(&self) -> Result<Design, Problem> {
        let mut design = Design {
            wires: self.wires.clone(),
            constraints: self.constraints.clone(),
            bads: self.bads.clone(),
            ..Design::default()
        };
        let mut inputs = self.inputs.clone();
        let mut states = BTreeMap::new();
        for register in &self.registers {
            let port =
                || self.outputs.iter().find(|(_, id)| *id == register.id).map(|(name, _)| name.clone());
            let name = register.name.clone().or_else(port).unwrap_or_else(|| format!("state{}", register.id));
            match register.next {
                Some(next) => {
                    let state = State { node: register.node, init: register.init, next };
                    if states.insert(name.clone(), state).is_some() {
                        return Err(Problem::Twice(name));
                    }
                }
                None => inputs.push((name, register.node)),
            }
        }
        design.states = states;
        for (name, node) in inputs {
            if design.inputs.node(&name).is_ok() || design.states.contains_key(&name) {
                return Err(Problem::Twice(name));
            }
            design.inputs.insert(name, node);
        }
        for (name, id) in &self.outputs {
            if design.outputs.node(name).is_ok() {
                return Err(Problem::Twice(name.clone()));
            }
            design.outputs.insert(name.clone(), self.node(*id)?);
        }
        Ok(design)
    }
}

fn negate(a: Node) -> Node {
    Node::constant(Value::zero(a.width())) - a
}

fn sign(a: Node) -> Node {
    a.slice(a.width() - 1, 1)
}

/// A signed division by means of the unsigned one.
fn by_magnitude(a: Node, b: Node, divide: impl Fn(Node, Node) -> Node, negative: Node) -> Node {
    let magnitude = |word: Node| negate(word).when(sign(word), word);
    let result = divide(magnitude(a), magnitude(b));
    negate(result).when(negative, result)
}
