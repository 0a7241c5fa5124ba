//! Expressions.

use super::token::Kind as Word;
use super::{ReadError, Reader};
use std::ops::Range;

/// An expression and its place.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    pub(crate) span: Range<usize>,
    pub(crate) kind: Kind,
}

/// The kind of an expression.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// A signal or constant.
    Name(String),
    /// A number with a width, and its value if it has up to 128 bits.
    Sized(usize, Option<u128>),
    /// A number without a width.
    Plain(u128),
    /// Bits of a signal between fixed limits.
    Slice { name: String, high: usize, low: usize },
    /// Bits of a signal at a variable index, or at an index from parameters.
    At { index: Box<Expression> },
    /// A concatenation.
    Concat(Vec<Expression>),
    /// A repeated value.
    Repeat(Box<Expression>),
    /// A unary operator and its value.
    Unary { operator: String, value: Box<Expression> },
    /// Two values and the operator between them.
    Binary { left: Box<Expression>, operator: Range<usize>, right: Box<Expression> },
    /// The second value if the first is true, otherwise the third.
    Choice { test: Box<Expression>, then: Box<Expression>, otherwise: Box<Expression> },
    /// An expression in parentheses or in `$signed`.
    Inside(Box<Expression>),
}

impl Expression {
    /// The number, if the expression is a single number.
    pub(crate) fn number(&self) -> Option<u128> {
        match &self.kind {
            Kind::Sized(_, value) => *value,
            Kind::Plain(value) => Some(*value),
            _ => None,
        }
    }

    /// Calls `see` for the expressions in this one that have a value of their own, the outer ones first.
    pub(crate) fn each<'a>(&'a self, see: &mut impl FnMut(&'a Expression)) {
        see(self);
        match &self.kind {
            Kind::Name(_) | Kind::Sized(..) | Kind::Plain(_) | Kind::Slice { .. } => {}
            Kind::Concat(parts) => parts.iter().for_each(|part| part.each(see)),
            Kind::At { index: value }
            | Kind::Repeat(value)
            | Kind::Unary { value, .. }
            | Kind::Inside(value) => value.each(see),
            Kind::Binary { left, right, .. } => {
                left.each(see);
                right.each(see);
            }
            Kind::Choice { test, then, otherwise } => {
                [test, then, otherwise].into_iter().for_each(|part| part.each(see));
            }
        }
    }
}

/// Precedence of an operator between two values.
fn strength(operator: &str) -> Option<u8> {
    Some(match operator {
        "||" => 1,
        "&&" => 2,
        "|" => 3,
        "^" => 4,
        "&" => 5,
        "==" | "!=" => 6,
        "<" | "<=" | ">" | ">=" => 7,
        "<<" | ">>" => 8,
        "+" | "-" => 9,
        "*" => 10,
        _ => return None,
    })
}

impl Reader<'_> {
    /// Reads an expression.
    pub(super) fn expression(&mut self) -> Result<Expression, ReadError> {
        let test = self.binary(0)?;
        if !self.skip("?") {
            return Ok(test);
        }
        let then = Box::new(self.expression()?);
        self.expect(":")?;
        let otherwise = Box::new(self.expression()?);
        let span = test.span.start..otherwise.span.end;
        Ok(Expression { span, kind: Kind::Choice { test: Box::new(test), then, otherwise } })
    }

    fn binary(&mut self, weaker: u8) -> Result<Expression, ReadError> {
        let mut left = self.unary()?;
        while let Some(strong) = strength(self.word()).filter(|strong| *strong > weaker) {
            let operator = self.next()?;
            let right = self.binary(strong)?;
            let span = left.span.start..right.span.end;
            let (left_box, right) = (Box::new(left), Box::new(right));
            left = Expression { span, kind: Kind::Binary { left: left_box, operator, right } };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expression, ReadError> {
        if ["!", "~", "-", "&", "|", "^"].contains(&self.word()) {
            let operator = self.next()?;
            let value = self.unary()?;
            let span = operator.start..value.span.end;
            let operator = self.text[operator].to_owned();
            return Ok(Expression { span, kind: Kind::Unary { operator, value: Box::new(value) } });
        }
        self.primary()
    }

    fn primary(&mut self) -> Result<Expression, ReadError> {
        let start = self.place();
        let kind = match (self.kind(), self.word()) {
            (_, "(" | "$signed") => {
                self.skip("$signed");
                self.expect("(")?;
                let value = self.expression()?;
                self.expect(")")?;
                Kind::Inside(Box::new(value))
            }
            (_, "{") => self.braces()?,
            (Some(Word::Number), _) => {
                let span = self.next()?;
                number(&self.text[span.clone()])
                    .ok_or_else(|| ReadError::at(self.text, span.start, "a number"))?
            }
            (Some(Word::Name), _) => {
                let span = self.next()?;
                let name = self.text[span].to_owned();
                if self.word() == "[" { self.bits(name)? } else { Kind::Name(name) }
            }
            _ => return Err(self.wrong("an expression")),
        };
        Ok(Expression { span: start..self.end(), kind })
    }

    /// Reads the brackets that follow the name of a signal.
    fn bits(&mut self, name: String) -> Result<Kind, ReadError> {
        self.expect("[")?;
        let index = self.expression()?;
        let first = index.number().map(|number| number as usize);
        let kind = match self.word() {
            ":" => {
                self.expect(":")?;
                let low = self.expression()?;
                match (first, low.number()) {
                    (Some(high), Some(low)) => Kind::Slice { name, high, low: low as usize },
                    _ => Kind::Name(name),
                }
            }
            "+:" => {
                self.expect("+:")?;
                self.expression()?;
                Kind::At { index: Box::new(index) }
            }
            _ => match first {
                Some(bit) => Kind::Slice { name, high: bit, low: bit },
                None => Kind::At { index: Box::new(index) },
            },
        };
        self.expect("]")?;
        Ok(kind)
    }

    fn braces(&mut self) -> Result<Kind, ReadError> {
        self.expect("{")?;
        let first = self.expression()?;
        if self.word() == "{" {
            self.expect("{")?;
            let value = self.expression()?;
            self.expect("}")?;
            self.expect("}")?;
            return Ok(Kind::Repeat(Box::new(value)));
        }
        let mut parts = vec![first];
        while self.skip(",") {
            parts.push(self.expression()?);
        }
        self.expect("}")?;
        Ok(Kind::Concat(parts))
    }
}

/// Reads a number in the syntax of Verilog.
fn number(text: &str) -> Option<Kind> {
    let Some((width, digits)) = text.split_once('\'') else {
        return text.parse().ok().map(Kind::Plain);
    };
    let radix = match digits.get(..1)? {
        "b" => 2,
        "d" => 10,
        "h" => 16,
        _ => return None,
    };
    Some(Kind::Sized(width.parse().ok()?, u128::from_str_radix(&digits[1..], radix).ok()))
}
