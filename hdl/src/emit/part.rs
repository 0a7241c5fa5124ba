//! Parts that several blocks use. Each is one module with its widths as parameters.
//!
//! A part is emitted at a few sample widths. Texts that differ do so in numbers. Each such number is written
//! as an expression of the parameters that is right for all samples. An instance may use the module if the
//! text emitted for its own widths equals, token for token, the module's text for its parameters. Otherwise
//! the instance has a module of its own, with the widths in the module's name.

use super::token::{Kind, Token, tokens};
use rust_hdl_core::prelude::Block;
use std::collections::{BTreeMap, HashMap};

/// A part that is emitted with parameters.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Name of the module.
    pub name: &'static str,
    /// Parameters of the module. Texts that differ between instances become further parameters, named after
    /// the parameter that receives them.
    pub parameters: &'static [Parameter],
    /// Constructors of the part at the sample widths.
    pub samples: &'static [fn() -> Box<dyn Block>],
}

/// A parameter of a part.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Name in Verilog.
    pub name: &'static str,
    /// A description.
    pub doc: &'static str,
    /// Port of the part whose width determines the value.
    pub port: &'static str,
    /// Difference between the port's width and the value.
    pub more: usize,
}

impl Part {
    /// Parameter values of a part whose ports have these widths.
    pub(super) fn values(&self, widths: &HashMap<&str, usize>) -> Vec<usize> {
        let of = |p: &Parameter| widths.get(p.port).map_or(0, |width| width.saturating_sub(p.more));
        self.parameters.iter().map(of).collect()
    }
}

/// A number as an expression of the parameters.
#[derive(Clone, Debug, PartialEq)]
enum Count {
    Fixed(u128),
    /// Parameter times a factor, and an offset.
    Linear(usize, i128, i128),
    /// Two parameters and an offset.
    Sum(usize, usize, i128),
    /// A power of two.
    Power(usize),
}

impl Count {
    fn value(&self, values: &[usize]) -> Option<u128> {
        let of = |p: usize| i128::try_from(values[p]).ok();
        match *self {
            Count::Fixed(n) => Some(n),
            Count::Linear(p, factor, offset) => u128::try_from(of(p)? * factor + offset).ok(),
            Count::Sum(p, q, offset) => u128::try_from(of(p)? + of(q)? + offset).ok(),
            Count::Power(p) => 1_u128.checked_shl(u32::try_from(values[p]).ok()?),
        }
    }

    /// The simplest expression that has the value `numbers[i]` at the parameters `values[i]`.
    fn find(numbers: &[u128], values: &[Vec<usize>]) -> Option<Count> {
        let first = i128::try_from(*numbers.first()?).ok()?;
        let parameters = values.first()?.len();
        let at = |p: usize| i128::try_from(values[0][p]).unwrap_or(0);
        let mut candidates = vec![Count::Fixed(numbers[0])];
        for factor in [1, 2, 4, 8] {
            candidates.extend((0..parameters).map(|p| Count::Linear(p, factor, first - factor * at(p))));
        }
        candidates.extend((0..parameters).map(Count::Power));
        for p in 0..parameters {
            candidates.extend((p + 1..parameters).map(|q| Count::Sum(p, q, first - at(p) - at(q))));
        }
        candidates.into_iter().find(|c| numbers.iter().zip(values).all(|(n, v)| c.value(v) == Some(*n)))
    }

    fn print(&self, part: &Part) -> String {
        let name = |p: usize| part.parameters[p].name;
        let offset = |n: i128| match n {
            0 => String::new(),
            n if n < 0 => format!("-{}", -n),
            n => format!("+{n}"),
        };
        match *self {
            Count::Fixed(n) => n.to_string(),
            Count::Linear(p, 1, n) => format!("{}{}", name(p), offset(n)),
            Count::Linear(p, factor, n) => format!("{factor}*{}{}", name(p), offset(n)),
            Count::Sum(p, q, n) => format!("{}+{}{}", name(p), name(q), offset(n)),
            Count::Power(p) => format!("1<<{}", name(p)),
        }
    }
}

/// A token of a module with parameters.
#[derive(Clone, Debug)]
enum Slot {
    Same(Token),
    Number(Token, Count),
    /// A number with a width: width and value.
    Sized(Token, Count, Count),
    /// A text that is a parameter.
    Text(Token, String),
}

/// A module with parameters.
#[derive(Clone, Debug)]
pub(super) struct Template {
    part: Part,
    slots: Vec<Slot>,
}

impl Template {
    /// Makes the module of which `samples` are the texts at these parameters. `None` if the texts differ in
    /// more than numbers.
    pub(super) fn new(part: &Part, samples: &[(Vec<usize>, String)]) -> Option<Template> {
        let values: Vec<Vec<usize>> = samples.iter().map(|(values, _)| values.clone()).collect();
        let texts: Vec<Vec<Token>> = samples.iter().map(|(_, text)| tokens(text)).collect();
        let first = texts.first()?;
        if texts.iter().any(|t| t.len() != first.len()) {
            return None;
        }
        let mut slots: Vec<Slot> = Vec::new();
        for (i, token) in first.iter().enumerate() {
            let kinds: Vec<&Kind> = texts.iter().map(|t| &t[i].kind).collect();
            if kinds.iter().all(|k| **k == token.kind) {
                slots.push(Slot::Same(token.clone()));
                continue;
            }
            let mut numbers = Vec::new();
            let mut widths = Vec::new();
            for kind in &kinds {
                match kind {
                    Kind::Number(n) => numbers.push(*n),
                    Kind::Sized(width, n) => {
                        widths.push(*width as u128);
                        numbers.push(*n);
                    }
                    Kind::Text(_) | Kind::Other(_) => {}
                }
            }
            let slot = match &token.kind {
                Kind::Number(_) if numbers.len() == kinds.len() && widths.is_empty() => {
                    Slot::Number(token.clone(), Count::find(&numbers, &values)?)
                }
                Kind::Sized(..) if widths.len() == kinds.len() => Slot::Sized(
                    token.clone(),
                    Count::find(&widths, &values)?,
                    Count::find(&numbers, &values)?,
                ),
                Kind::Text(_) if kinds.iter().all(|k| matches!(k, Kind::Text(_))) => {
                    // `.NAME("text"`
                    let Some(Kind::Other(name)) = i.checked_sub(2).map(|at| &first[at].kind) else {
                        return None;
                    };
                    Slot::Text(token.clone(), name.clone())
                }
                _ => return None,
            };
            slots.push(slot);
        }
        let template = Template { part: *part, slots };
        // Every slot has an exact form in Verilog.
        template.slots.iter().all(|s| template.show(s, false).is_some()).then_some(template)
    }

    /// Text after the module's name at an instance whose own text is `text`. `None` if the instance needs
    /// another module.
    pub(super) fn instance(&self, values: &[usize], text: &str) -> Option<String> {
        let own = tokens(text);
        let mut own = own.iter().peekable();
        let mut slots = self.slots.as_slice();
        let mut texts: BTreeMap<&str, &str> = BTreeMap::new();
        while let Some((slot, behind)) = slots.split_first() {
            if own.peek().is_some_and(|token| !token.is("[")) && one_bit(slots, values) {
                slots = &slots[RANGE..];
                continue;
            }
            slots = behind;
            let same = match (slot, &own.next()?.kind) {
                (Slot::Same(expected), found) => expected.kind == *found,
                (Slot::Number(_, count), Kind::Number(n)) => count.value(values) == Some(*n),
                (Slot::Sized(_, width, value), Kind::Sized(w, n)) => {
                    width.value(values) == Some(*w as u128) && value.value(values) == Some(*n)
                }
                (Slot::Text(_, name), Kind::Text(text)) => *texts.entry(name).or_insert(text) == text,
                _ => false,
            };
            if !same {
                return None;
            }
        }
        if own.next().is_some() {
            return None;
        }
        let numbers = self.part.parameters.iter().zip(values).map(|(p, v)| format!(".{}({v})", p.name));
        let given: Vec<String> = numbers.chain(texts.iter().map(|(n, t)| format!(".{n}({t})"))).collect();
        Some(format!("{} #({})", self.part.name, given.join(", ")))
    }

    /// Text of the module. Defaults are those of the first sample.
    pub(super) fn text(&self) -> String {
        let mut out = String::new();
        for (i, slot) in self.slots.iter().enumerate() {
            let (Slot::Same(token) | Slot::Number(token, _) | Slot::Sized(token, ..) | Slot::Text(token, _)) =
                slot;
            out += &token.space;
            // Between brackets, commas and colons, an expression needs no parentheses.
            let closed = |at: Option<usize>| {
                at.and_then(|at| self.slots.get(at)).is_some_and(|s| {
                    matches!(s, Slot::Same(t) if matches!(&t.kind, Kind::Other(o) if ["[", "(", ")", ":", "]"].contains(&o.as_str())))
                })
            };
            let inside = closed(i.checked_sub(1)) && closed(Some(i + 1));
            out += &self.show(slot, inside).unwrap_or_default();
            if matches!(&token.kind, Kind::Other(t) if t == "module") {
                // The name and the parenthesis come next.
                continue;
            }
            let before = i.checked_sub(1).and_then(|at| self.slots.get(at));
            if matches!(before, Some(Slot::Same(t)) if matches!(&t.kind, Kind::Other(o) if o == "module")) {
                out += &self.parameters();
            }
        }
        align(&out)
    }

    /// Parameter list ` #(parameter .. )`, behind the module's name.
    fn parameters(&self) -> String {
        let mut rows: Vec<(String, String)> = Vec::new();
        for parameter in self.part.parameters {
            rows.push((format!("parameter {} = 8", parameter.name), format!(" // {}", parameter.doc)));
        }
        for slot in &self.slots {
            if let Slot::Text(token, name) = slot
                && let Kind::Text(text) = &token.kind
                && !rows.iter().any(|(row, _)| row.starts_with(&format!("parameter {name} ")))
            {
                rows.push((format!("parameter {name} = {text}"), String::new()));
            }
        }
        let width = rows.iter().map(|(row, _)| row.len()).max().unwrap_or(0) + 1;
        let count = rows.len();
        let lines: Vec<String> = rows
            .into_iter()
            .enumerate()
            .map(|(i, (row, doc))| {
                let comma = if i + 1 < count { "," } else { "" };
                format!("    {:width$}{doc}", format!("{row}{comma}")).trim_end().to_string()
            })
            .collect();
        format!(" #(\n{}\n)", lines.join("\n"))
    }

    /// A slot as Verilog, `inside` of brackets or not. `None` if it has no exact form.
    fn show(&self, slot: &Slot, inside: bool) -> Option<String> {
        let count = |c: &Count| c.print(&self.part);
        Some(match slot {
            Slot::Same(token) => token.text.clone(),
            Slot::Text(_, name) => name.clone(),
            Slot::Number(_, c) => {
                let text = count(c);
                if inside { text } else { operand(&text) }
            }
            Slot::Sized(_, width, value) => match (width, value) {
                (_, Count::Fixed(0)) => zeros(&count(width)),
                (Count::Linear(p, 1, n), Count::Fixed(1)) => {
                    format!("{{{}, 1'b1}}", zeros(&count(&Count::Linear(*p, 1, n - 1))))
                }
                (Count::Linear(p, 1, 1), Count::Power(q)) if p == q => {
                    format!("{{1'b1, {}}}", zeros(&count(&Count::Linear(*p, 1, 0))))
                }
                _ => return None,
            },
        })
    }
}

/// Tokens of a range, `[W-1:0]`.
const RANGE: usize = 5;

/// Whether this place has a range of one bit, which texts leave out.
fn one_bit(slots: &[Slot], values: &[usize]) -> bool {
    let [
        Slot::Same(opens),
        Slot::Number(_, high),
        Slot::Same(colon),
        Slot::Same(low),
        Slot::Same(closes),
        ..,
    ] = slots
    else {
        return false;
    };
    opens.is("[")
        && high.value(values) == Some(0)
        && colon.is(":")
        && low.kind == Kind::Number(0)
        && closes.is("]")
}

/// A literal of `width` zeros.
fn zeros(width: &str) -> String {
    format!("{{{}{{1'b0}}}}", operand(width))
}

/// An expression that can be an operand of any operator without parentheses.
fn operand(text: &str) -> String {
    let simple = text.chars().all(|c| c.is_ascii_alphanumeric());
    if simple { text.into() } else { format!("({text})") }
}

/// Aligns the ranges and names of declarations in a row.
fn align(text: &str) -> String {
    let mut out = String::new();
    let mut rows: Vec<Row> = Vec::new();
    for line in text.lines() {
        match Row::of(line) {
            Some(row) => rows.push(row),
            None => {
                flush(&mut rows, &mut out);
                out += line;
                out.push('\n');
            }
        }
    }
    flush(&mut rows, &mut out);
    out
}

/// A declaration of ports or wires, without a value.
struct Row {
    kind: &'static str,
    range: String,
    name: String,
    doc: String,
}

impl Row {
    fn of(line: &str) -> Option<Row> {
        let rest = line.strip_prefix("    ")?;
        let kinds = ["input  wire ", "output wire ", "output reg  ", "wire ", "reg "];
        let kind = kinds.into_iter().find(|kind| rest.starts_with(kind))?;
        let rest = rest[kind.len()..].trim_start();
        let (range, rest) = match rest.strip_prefix('[') {
            Some(tail) => {
                let (range, tail) = tail.split_once(']')?;
                (format!("[{range}]"), tail.trim_start())
            }
            None => (String::new(), rest),
        };
        let (name, doc) = rest.split_once("//").unwrap_or((rest, ""));
        let row = Row { kind, range, name: name.trim_end().into(), doc: doc.trim().into() };
        (!row.name.contains('=')).then_some(row)
    }
}

fn flush(rows: &mut Vec<Row>, out: &mut String) {
    let ranges = rows.iter().map(|r| r.range.len()).max().unwrap_or(0);
    let names = rows.iter().map(|r| r.name.len()).max().unwrap_or(0);
    let kinds = rows.iter().map(|r| r.kind.len()).max().unwrap_or(0);
    for Row { kind, range, name, doc } in rows.drain(..) {
        let gap = if ranges > 0 { " " } else { "" };
        let doc = if doc.is_empty() { doc } else { format!(" // {doc}") };
        let line = format!("    {kind:kinds$}{range:>ranges$}{gap}{name:names$}{doc}");
        *out += line.trim_end();
        out.push('\n');
    }
}
