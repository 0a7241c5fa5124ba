//! A reader of Verilog for modules of users: it finds the beginning, the end and the contents of each module.
//! Yosys or Verilator answer every other question.

use std::ops::Range;

/// A word, a number, a string or a sign, with its place in the text. Comments and attributes are not tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// Text of the token.
    pub text: &'a str,
    /// Place of the token in the text.
    pub at: Range<usize>,
}

/// An instance in a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance<'a> {
    /// Name of the module that is instantiated.
    pub module: &'a str,
    /// Name of the instance.
    pub name: &'a str,
    /// Parameters with their values as text. A parameter that is given by its position has no name.
    pub parameters: Vec<(&'a str, &'a str)>,
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_$`'".contains(&byte)
}

/// The tokens of a text.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let (mut found, mut at) = (Vec::new(), 0);
    // The place of `end` behind `from`, or the end of the text.
    let behind =
        |from: usize, end: &str| text[from..].find(end).map_or(text.len(), |found| from + found + end.len());
    while at < bytes.len() {
        let rest = &bytes[at..];
        let end = match rest {
            [b'/', b'/', ..] => {
                at = behind(at, "\n");
                continue;
            }
            [b'/', b'*', ..] => {
                at = behind(at + 2, "*/");
                continue;
            }
            // `@(*)` is not an attribute.
            [b'(', b'*', next, ..] if *next != b')' => {
                at = behind(at + 2, "*)");
                continue;
            }
            [byte, ..] if !byte.is_ascii() || byte.is_ascii_whitespace() => {
                at += text[at..].chars().next().map_or(1, char::len_utf8);
                continue;
            }
            [b'"', string @ ..] => {
                let mut length = 1;
                let mut string = string.iter();
                while let Some(byte) = string.next() {
                    length += 1;
                    match byte {
                        b'"' => break,
                        b'\\' => length += usize::from(string.next().is_some()),
                        _ => {}
                    }
                }
                at + length
            }
            // An escaped name has any signs, up to a space.
            [b'\\', ..] => at + rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len()),
            [byte, ..] if is_word(*byte) => {
                at + rest.iter().position(|byte| !is_word(*byte)).unwrap_or(rest.len())
            }
            _ => at + 1,
        };
        found.push(Token { text: &text[at..end], at: at..end });
        at = end;
    }
    found
}

/// The words of the first module in a text, for comparison of modules: spaces and comments do not count.
pub fn words(text: &str) -> Option<Vec<&str>> {
    let (_, module) = *modules(text).ok()?.first()?;
    Some(tokens(module).into_iter().map(|token| token.text).collect())
}

/// The instances in a text of modules for which `is_module` is true.
pub fn instances<'a>(text: &'a str, is_module: impl Fn(&str) -> bool) -> Vec<Instance<'a>> {
    let tokens = tokens(text);
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let begins = at == 0 || !["module", "macromodule", "."].contains(&tokens[at - 1].text);
        if begins && is_module(token.text) {
            found.extend(instance(text, &tokens[at..]));
        }
    }
    found
}

fn instance<'a>(text: &'a str, tokens: &[Token<'a>]) -> Option<Instance<'a>> {
    let [module, rest @ ..] = tokens else { return None };
    let (parameters, rest) = match rest {
        [hash, open, ..] if hash.text == "#" && open.text == "(" => {
            let inside = list(&rest[1..])?;
            let named = |tokens: &[Token<'a>]| match tokens {
                [dot, name, open, value @ .., close]
                    if dot.text == "." && open.text == "(" && close.text == ")" =>
                {
                    (name.text, spanned(text, value))
                }
                value => ("", spanned(text, value)),
            };
            let end = inside.last().map_or(2, |(range, _)| range.end + 1);
            (inside.iter().map(|(_, tokens)| named(tokens)).collect(), &rest[1 + end..])
        }
        _ => (Vec::new(), rest),
    };
    let [name, next, ..] = rest else { return None };
    let is_name = name.text.starts_with(|c: char| c.is_ascii_alphabetic() || "_\\".contains(c));
    (is_name && ["(", "["].contains(&next.text)).then_some(Instance {
        module: module.text,
        name: name.text,
        parameters,
    })
}

fn spanned<'a>(text: &'a str, tokens: &[Token<'a>]) -> &'a str {
    match (tokens.first(), tokens.last()) {
        (Some(first), Some(last)) => &text[first.at.start..last.at.end],
        _ => "",
    }
}

/// The items between commas in the parentheses that open here, each with its place among `tokens`.
fn list<'t, 'a>(tokens: &'t [Token<'a>]) -> Option<Vec<(Range<usize>, &'t [Token<'a>])>> {
    let (mut depth, mut from, mut found) = (0, 1, Vec::new());
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            "(" | "{" | "[" => depth += 1,
            ")" | "}" | "]" => depth -= 1,
            _ => {}
        }
        if depth == 0 || (depth == 1 && token.text == ",") {
            found.push((from..at, &tokens[from..at]));
            from = at + 1;
        }
        if depth == 0 {
            return Some(found);
        }
    }
    None
}

/// A port of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Port<'a> {
    /// Name of the port.
    pub name: &'a str,
    /// Whether the module drives the port.
    pub is_output: bool,
    /// Width in bits, if the header gives it as numbers.
    pub bits: Option<u32>,
}

/// The ports that the header of the first module in a text declares.
pub fn ports(text: &str) -> Vec<Port<'_>> {
    let tokens = tokens(text);
    let header = tokens.split(|token| token.text == ";").next().unwrap_or_default();
    let begins = |token: &Token<'_>| token.text == "input" || token.text == "output";
    let starts = (0..header.len()).filter(|at| begins(&header[*at]));
    let port = |at: usize| {
        let end = header[at + 1..].iter().position(|token| token.text == "," || begins(token));
        let words = &header[at + 1..end.map_or(header.len(), |end| at + 1 + end)];
        let name =
            words.iter().rev().find(|token| token.text.starts_with(|c: char| c.is_ascii_alphabetic()))?;
        let bits = match words.iter().position(|token| token.text == "[") {
            None => Some(1),
            Some(open) => match &words[open..] {
                [_, high, colon, low, close, ..]
                    if colon.text == ":" && low.text == "0" && close.text == "]" =>
                {
                    high.text.parse().ok().map(|high: u32| high + 1)
                }
                _ => None,
            },
        };
        Some(Port { name: name.text, is_output: header[at].text == "output", bits })
    };
    starts.filter_map(port).collect()
}

/// The modules of a file by name, each with its own text and the text before it.
pub fn modules(text: &str) -> Result<Vec<(&str, &str)>, String> {
    let tokens = tokens(text);
    let (mut found, mut from) = (Vec::new(), 0);
    let mut name = None;
    for (at, token) in tokens.iter().enumerate() {
        match (token.text, name) {
            ("module" | "macromodule", None) => {
                let next =
                    tokens[at + 1..].iter().find(|token| !["automatic", "static"].contains(&token.text));
                name = Some(next.ok_or("a module has no name")?.text);
            }
            ("module" | "macromodule", Some(name)) => return Err(format!("module {name} has no endmodule")),
            ("endmodule", None) => return Err("an endmodule ends no module".into()),
            ("endmodule", Some(module)) => {
                found.push((module, &text[from..token.at.end]));
                (from, name) = (token.at.end, None);
            }
            ("`default_nettype" | "`timescale" | "`resetall", _) => {}
            (text, _) if text.starts_with('`') => {
                return Err(format!(
                    "{text}: weft reads modules without the preprocessor; write what it stands for"
                ));
            }
            _ => {}
        }
    }
    match name {
        Some(name) => Err(format!("module {name} has no endmodule")),
        None => Ok(found),
    }
}

/// The text without the directives that only simulators use.
pub fn plain(text: &str) -> String {
    let mut plain = text.to_owned();
    for token in tokens(text).iter().rev() {
        let end = match token.text {
            "`timescale" => text[token.at.start..].find('\n').map_or(text.len(), |end| token.at.start + end),
            "`resetall" => token.at.end,
            _ => continue,
        };
        plain.replace_range(token.at.start..end, "");
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_are_found_however_they_are_written() {
        let text = "module m #(parameter A = 1) (input clk);\n\
            // part no (\n part #( .W ( {4{A}} ),\n .S(\"a) b\"), .E() ) one /* x */ (.clk(clk));\n\
            part #(3, A+1) two[3:0] (clk); part three(.part(part), .x(y));\nother four (clk);\nendmodule";
        let found = instances(text, |name| name == "part");
        let all: Vec<_> = found.iter().map(|one| (one.name, &one.parameters[..])).collect();
        let named: &[(&str, &str)] = &[("W", "{4{A}}"), ("S", "\"a) b\""), ("E", "")];
        let placed: &[(&str, &str)] = &[("", "3"), ("", "A+1")];
        assert_eq!(all, [("one", named), ("two", placed), ("three", &[])]);
    }

    #[test]
    fn a_header_declares_ports() {
        let text = "module m #(parameter W = 2) ((* a = \"x, y\" *) input wire clk, // c, d\n\
            output wire [511:0] q, input [W-1:0] d, output reg e);\n input f; endmodule";
        let found: Vec<_> =
            ports(text).into_iter().map(|port| (port.name, port.is_output, port.bits)).collect();
        assert_eq!(
            found,
            [("clk", false, Some(1)), ("q", true, Some(512)), ("d", false, None), ("e", true, Some(1))]
        );
    }

    #[test]
    fn a_file_has_modules() {
        let text = "`timescale 1ns / 1ps\n`default_nettype none\n// module x\nmodule a(input b); endmodule\n\
            (* keep *) module c; always @(*) d = \"module\"; endmodule\n`default_nettype wire\n";
        let found = modules(text).expect("modules");
        assert_eq!(found.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["a", "c"]);
        assert!(found[1].1.trim_start().starts_with("(* keep *) module c;"));
        assert!(plain(text).starts_with("\n`default_nettype none"));
        for (text, why) in [
            ("module a;", "a has no endmodule"),
            ("endmodule", "ends no module"),
            ("`include \"x.v\"\nmodule a; endmodule", "`include"),
        ] {
            let error = modules(text).expect_err(text);
            assert!(error.contains(why), "{error}");
        }
    }
}
