//! A reader of the Verilog that [`weft_hdl::emit`] prints. This Verilog is regular: modules of wires,
//! assignments, `always @(*)`, registers and instances. Every item keeps its place in the text, so that the text can be
//! changed there.

pub(crate) mod expression;
mod register;
mod token;

use expression::Expression;
pub(crate) use register::Register;
use std::collections::HashMap;
use std::ops::Range;
use token::{Kind, Token};

/// Text in another form than the emitter prints.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: expected {wanted}, found `{found}`")]
pub struct ReadError {
    line: usize,
    wanted: String,
    found: String,
}

impl ReadError {
    fn at(text: &str, at: usize, wanted: &str) -> Self {
        let line = 1 + text[..at].matches('\n').count();
        let found = text[at..].lines().next().unwrap_or_default().trim().to_owned();
        Self { line, wanted: wanted.into(), found }
    }
}

/// A port of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Port {
    pub(crate) name: String,
    pub(crate) is_input: bool,
    /// Width in bits, if no parameter determines it.
    pub(crate) width: Option<usize>,
}

/// The header of a module: the part that other modules need to know.
#[derive(Clone, Debug)]
pub(crate) struct Header {
    pub(crate) name: String,
    /// The place behind the parenthesis that opens the ports.
    pub(crate) ports_at: usize,
    pub(crate) ports: Vec<Port>,
}

/// A module.
#[derive(Clone, Debug)]
pub(crate) struct Module {
    pub(crate) header: Header,
    /// Widths of the signals in bits.
    pub(crate) widths: HashMap<String, usize>,
    /// Constants: width in bits, and value.
    pub(crate) constants: HashMap<String, (usize, u128)>,
    /// Widths in bits of the parameters that have a range.
    pub(crate) parameters: HashMap<String, usize>,
    pub(crate) items: Vec<Item>,
}

/// An item of a module.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    Assign(Assign),
    Always(Vec<Statement>),
    /// The registers of an `always @(posedge clk)`.
    Registers(Vec<Register>),
    Instance(Instance),
}

/// An assignment.
#[derive(Clone, Debug)]
pub(crate) struct Assign {
    /// The target as text.
    pub(crate) target: String,
    /// The place where the target begins.
    pub(crate) start: usize,
    pub(crate) value: Expression,
}

/// An instance of a module.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    pub(crate) module: String,
    pub(crate) name: String,
    /// The place behind the parenthesis that opens the connections.
    pub(crate) ports_at: usize,
    pub(crate) ports: Vec<(String, Expression)>,
}

/// A statement of an `always @(*)`.
#[derive(Clone, Debug)]
pub(crate) enum Statement {
    Assign(Assign),
    If { test: Expression, then: Vec<Statement>, otherwise: Vec<Statement> },
    Case { subject: Expression, arms: Vec<Vec<Statement>> },
}

/// Reads a module's header.
pub(crate) fn header(text: &str) -> Result<Header, ReadError> {
    Reader::new(text)?.header(&mut HashMap::new(), &mut HashMap::new())
}

/// Reads a module.
pub(crate) fn module(text: &str) -> Result<Module, ReadError> {
    let mut reader = Reader::new(text)?;
    let (mut widths, mut constants, mut parameters) = (HashMap::new(), HashMap::new(), HashMap::new());
    let header = reader.header(&mut widths, &mut parameters)?;
    let mut items = Vec::new();
    while !reader.skip("endmodule") {
        reader.item(&mut widths, &mut constants, &mut items)?;
    }
    Ok(Module { header, widths, constants, parameters, items })
}

/// A reader that walks through the tokens of a text.
struct Reader<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Result<Self, ReadError> {
        Ok(Self { text, tokens: token::tokens(text)?, at: 0 })
    }

    fn kind(&self) -> Option<Kind> {
        self.tokens.get(self.at).map(|token| token.kind)
    }

    /// The next token as text.
    fn word(&self) -> &'a str {
        self.tokens.get(self.at).map_or("", |token| &self.text[token.span.clone()])
    }

    /// The place where the next token begins.
    fn place(&self) -> usize {
        self.tokens.get(self.at).map_or(self.text.len(), |token| token.span.start)
    }

    /// The place where the last token ended.
    fn end(&self) -> usize {
        self.at.checked_sub(1).map_or(0, |before| self.tokens[before].span.end)
    }

    fn wrong(&self, wanted: &str) -> ReadError {
        ReadError::at(self.text, self.place(), wanted)
    }

    fn next(&mut self) -> Result<Range<usize>, ReadError> {
        let token = self.tokens.get(self.at).ok_or_else(|| self.wrong("more"))?;
        self.at += 1;
        Ok(token.span.clone())
    }

    fn name(&mut self) -> Result<String, ReadError> {
        if self.kind() != Some(Kind::Name) {
            return Err(self.wrong("a name"));
        }
        let span = self.next()?;
        Ok(self.text[span].to_owned())
    }

    fn skip(&mut self, word: &str) -> bool {
        let here = self.word() == word;
        self.at += usize::from(here);
        here
    }

    fn expect(&mut self, word: &str) -> Result<(), ReadError> {
        if self.skip(word) { Ok(()) } else { Err(self.wrong(word)) }
    }

    /// Skips a text in parentheses. The next token is the opening parenthesis.
    fn pass(&mut self) -> Result<(), ReadError> {
        let mut depth = 0;
        loop {
            match self.word() {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => {}
            }
            self.next()?;
            if depth == 0 {
                return Ok(());
            }
        }
    }

    fn header(
        &mut self,
        widths: &mut HashMap<String, usize>,
        parameters: &mut HashMap<String, usize>,
    ) -> Result<Header, ReadError> {
        while !self.skip("module") {
            self.next()?;
        }
        let name = self.name()?;
        if self.skip("#") {
            self.expect("(")?;
            while !self.skip(")") {
                self.parameter(parameters)?;
            }
        }
        self.expect("(")?;
        let ports_at = self.end();
        let mut ports = Vec::new();
        loop {
            let is_input = self.skip("input");
            if !is_input {
                self.expect("output")?;
            }
            let _ = self.skip("wire") || self.skip("reg");
            let width = self.range()?;
            let name = self.name()?;
            width.map(|width| widths.insert(name.clone(), width));
            ports.push(Port { name, is_input, width });
            if !self.skip(",") {
                break;
            }
        }
        self.expect(")")?;
        self.expect(";")?;
        Ok(Header { name, ports_at, ports })
    }

    /// Reads a parameter in a header.
    fn parameter(&mut self, parameters: &mut HashMap<String, usize>) -> Result<(), ReadError> {
        self.expect("parameter")?;
        let has_range = self.word() == "[";
        let width = self.range()?;
        let name = self.name()?;
        self.expect("=")?;
        if let Some(Kind::Text) = self.kind() {
            self.next()?;
        } else {
            self.expression()?;
        }
        self.skip(",");
        if let Some(width) = width.filter(|_| has_range) {
            parameters.insert(name, width);
        }
        Ok(())
    }

    /// Width of a declaration in bits; `None` if a parameter determines it.
    fn range(&mut self) -> Result<Option<usize>, ReadError> {
        if !self.skip("[") {
            return Ok(Some(1));
        }
        let high = self.expression()?.number();
        self.expect(":")?;
        let low = self.expression()?.number();
        self.expect("]")?;
        Ok(high.zip(low).map(|(high, low)| (high - low) as usize + 1))
    }

    fn item(
        &mut self,
        widths: &mut HashMap<String, usize>,
        constants: &mut HashMap<String, (usize, u128)>,
        items: &mut Vec<Item>,
    ) -> Result<(), ReadError> {
        match self.word() {
            "localparam" => {
                self.next()?;
                let width = self.range()?;
                let name = self.name()?;
                self.expect("=")?;
                let value = self.expression()?.number();
                self.expect(";")?;
                if let (Some(width), Some(value)) = (width, value) {
                    constants.insert(name, (width, value));
                }
            }
            "wire" | "reg" => {
                self.next()?;
                let width = self.range()?;
                loop {
                    let start = self.place();
                    let target = self.name()?;
                    width.map(|width| widths.insert(target.clone(), width));
                    if self.skip("=") {
                        let value = self.expression()?;
                        items.push(Item::Assign(Assign { target, start, value }));
                    }
                    if !self.skip(",") {
                        break;
                    }
                }
                self.expect(";")?;
            }
            "assign" => {
                self.next()?;
                items.push(Item::Assign(self.assign()?));
            }
            "always" => {
                self.next()?;
                self.expect("@")?;
                self.expect("(")?;
                if self.skip("posedge") {
                    items.push(Item::Registers(self.registers()?));
                } else {
                    self.expect("*")?;
                    self.expect(")")?;
                    items.push(Item::Always(self.block()?));
                }
            }
            _ => items.push(Item::Instance(self.instance()?)),
        }
        Ok(())
    }

    fn assign(&mut self) -> Result<Assign, ReadError> {
        let start = self.place();
        let target = self.expression()?;
        let target = self.text[target.span].to_owned();
        self.expect("=")?;
        let value = self.expression()?;
        self.expect(";")?;
        Ok(Assign { target, start, value })
    }

    fn block(&mut self) -> Result<Vec<Statement>, ReadError> {
        self.expect("begin")?;
        let mut statements = Vec::new();
        while !self.skip("end") {
            statements.push(self.statement()?);
        }
        Ok(statements)
    }

    fn statement(&mut self) -> Result<Statement, ReadError> {
        if self.skip("if") {
            self.expect("(")?;
            let test = self.expression()?;
            self.expect(")")?;
            let then = self.block()?;
            let otherwise = match (self.skip("else"), self.word()) {
                (false, _) => Vec::new(),
                (true, "if") => vec![self.statement()?],
                (true, _) => self.block()?,
            };
            return Ok(Statement::If { test, then, otherwise });
        }
        if self.skip("case") {
            self.expect("(")?;
            let subject = self.expression()?;
            self.expect(")")?;
            let mut arms = Vec::new();
            while !self.skip("endcase") {
                self.expression()?;
                self.expect(":")?;
                arms.push(self.block()?);
            }
            return Ok(Statement::Case { subject, arms });
        }
        Ok(Statement::Assign(self.assign()?))
    }

    fn instance(&mut self) -> Result<Instance, ReadError> {
        let module = self.name()?;
        if self.skip("#") {
            self.pass()?;
        }
        let name = self.name()?;
        self.expect("(")?;
        let ports_at = self.end();
        let mut ports = Vec::new();
        while !self.skip(")") {
            self.expect(".")?;
            let port = self.name()?;
            self.expect("(")?;
            ports.push((port, self.expression()?));
            self.expect(")")?;
            self.skip(",");
        }
        self.expect(";")?;
        Ok(Instance { module, name, ports_at, ports })
    }
}
