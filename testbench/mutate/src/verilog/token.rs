//! Tokens of the emitted Verilog with their places.

use super::ReadError;
use std::ops::Range;

/// A word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A name or keyword, including `$signed` and directives.
    Name,
    /// A number, with its width if it has one.
    Number,
    /// An operator or a bracket.
    Mark,
    /// A text in quotes.
    Text,
}

/// A word and its place.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) span: Range<usize>,
}

/// Operators of two characters.
const PAIRS: [&str; 9] = ["<<", ">>", "==", "!=", "<=", ">=", "&&", "||", "+:"];

/// The words of a text, without comments and attributes.
pub(crate) fn tokens(text: &str) -> Result<Vec<Token>, ReadError> {
    let mut found = Vec::new();
    let mut at = 0;
    let length = |rest: &str, is: fn(char) -> bool| rest.find(|c| !is(c)).unwrap_or(rest.len());
    let is_word = |c: char| c.is_ascii_alphanumeric() || "_$'".contains(c);
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let attribute = rest.starts_with("(*") && !rest.starts_with("(*)");
        let (kind, long) = if first.is_whitespace() {
            (None, first.len_utf8())
        } else if rest.starts_with("//") {
            (None, rest.find('\n').unwrap_or(rest.len()))
        } else if attribute {
            (None, rest.find("*)").ok_or_else(|| ReadError::at(text, at, "an attribute that ends"))? + 2)
        } else if first == '"' {
            let end = rest[1..].find('"').ok_or_else(|| ReadError::at(text, at, "a text that ends"))?;
            (Some(Kind::Text), end + 2)
        } else if first.is_ascii_digit() {
            (Some(Kind::Number), length(rest, is_word))
        } else if first.is_ascii_alphabetic() || "_$`".contains(first) {
            (Some(Kind::Name), 1 + length(&rest[1..], is_word))
        } else if PAIRS.iter().any(|pair| rest.starts_with(pair)) {
            (Some(Kind::Mark), 2)
        } else {
            (Some(Kind::Mark), first.len_utf8())
        };
        if let Some(kind) = kind {
            found.push(Token { kind, span: at..at + long });
        }
        at += long;
    }
    Ok(found)
}
