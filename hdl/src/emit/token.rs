//! Verilog text as tokens.

/// A token and the white space before it.
#[derive(Clone, Debug)]
pub(super) struct Token {
    /// Blanks and line ends before the token.
    pub(super) space: String,
    /// The text as written.
    pub(super) text: String,
    pub(super) kind: Kind,
}

impl Token {
    /// Whether the token is this name or sign.
    pub(super) fn is(&self, text: &str) -> bool {
        matches!(&self.kind, Kind::Other(own) if own == text)
    }
}

/// The kind of a token.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// A number without a width.
    Number(u128),
    /// Width and value.
    Sized(usize, u128),
    /// A text in quotes.
    Text(String),
    /// A name, a comment, a sign.
    Other(String),
}

/// The tokens of `text`.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        let trimmed = rest.trim_start();
        let space = rest[..rest.len() - trimmed.len()].to_string();
        let Some(first) = trimmed.chars().next() else {
            return found;
        };
        let while_in = |f: &dyn Fn(char) -> bool| trimmed.find(|c| !f(c)).unwrap_or(trimmed.len());
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let len = if trimmed.starts_with("//") {
            trimmed.find('\n').unwrap_or(trimmed.len())
        } else if first == '"' {
            trimmed[1..].find('"').map_or(trimmed.len(), |end| end + 2)
        } else if first.is_ascii_digit() {
            while_in(&|c| word(c) || c == '\'')
        } else if word(first) {
            while_in(&word)
        } else {
            first.len_utf8()
        };
        let (own, tail) = trimmed.split_at(len);
        found.push(Token { space, text: own.into(), kind: kind(own) });
        rest = tail;
    }
}

fn kind(text: &str) -> Kind {
    if text.starts_with('"') {
        return Kind::Text(text.into());
    }
    let number = match text.split_once('\'') {
        None => text.parse().ok().map(Kind::Number),
        Some((width, digits)) => {
            let (base, digits) = digits.split_at(digits.len().min(1));
            let radix = match base {
                "b" => 2,
                "d" => 10,
                _ => 16,
            };
            let value = u128::from_str_radix(digits, radix).ok();
            width.parse().ok().zip(value).map(|(width, value)| Kind::Sized(width, value))
        }
    };
    number.unwrap_or_else(|| Kind::Other(text.into()))
}
