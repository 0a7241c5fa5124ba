//! GOAL as text.

use super::{Does, LONGEST, LONGEST_NS, ListError, Read, number, peer, wrong};
use std::collections::HashMap;

/// The words of a text, each with its line. Blanks and ends of lines only separate words; comments are
/// skipped.
fn words(text: &str) -> Result<Vec<(usize, &str)>, ListError> {
    let (mut words, mut line, mut rest) = (Vec::new(), 1, text);
    while let Some(first) = rest.chars().next() {
        let is_part = |it: char| it.is_alphanumeric() || "_.-".contains(it);
        let len = if first == '\n' {
            line += 1;
            1
        } else if first.is_whitespace() {
            first.len_utf8()
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            let Some(len) = rest.find("*/") else { return wrong(line, "a comment does not end with */") };
            line += rest[..len].matches('\n').count();
            len + 2
        } else {
            let len = match is_part(first) {
                true => rest.find(|it| !is_part(it)).unwrap_or(rest.len()),
                false => first.len_utf8(),
            };
            words.push((line, &rest[..len]));
            len
        };
        rest = &rest[len..];
    }
    Ok(words)
}

/// The words that are not read yet.
struct Words<'a> {
    words: Vec<(usize, &'a str)>,
    at: usize,
}

impl<'a> Words<'a> {
    fn peek(&self) -> Option<&'a str> {
        Some(self.words.get(self.at)?.1)
    }

    /// The line of the next word, or the last one.
    fn line(&self) -> usize {
        self.words.get(self.at).or(self.words.last()).map_or(1, |(line, _)| *line)
    }

    fn next(&mut self) -> Option<&'a str> {
        let word = self.peek()?;
        self.at += 1;
        Some(word)
    }

    /// Skips the next word if it equals `word`.
    fn skip(&mut self, word: &str) -> bool {
        let is_it = self.peek() == Some(word);
        self.at += usize::from(is_it);
        is_it
    }

    fn expect(&mut self, word: &str) -> Result<(), ListError> {
        let (line, found) = (self.line(), self.peek().unwrap_or("the end"));
        if self.skip(word) { Ok(()) } else { wrong(line, format!("{found} where {word} should be; {USE}")) }
    }

    fn some(&mut self) -> Result<(usize, &'a str), ListError> {
        let line = self.line();
        match self.next() {
            Some(word) => Ok((line, word)),
            None => wrong(line, format!("the text ends too early; {USE}")),
        }
    }
}

const USE: &str = "give num_ranks N, rank R { ... }, and in it [L:] calc N, [L:] send Nb to R [tag T], [L:] recv Nb from R [tag T], L requires M, L irequires M";

/// A rank while it is read.
#[derive(Default)]
struct Rank<'a> {
    ops: Vec<Read>,
    labels: HashMap<&'a str, u32>,
    /// Line, the operation that waits, whether it waits for an end, and the operation that it waits for.
    needs: Vec<(usize, &'a str, bool, &'a str)>,
}

/// The operations of all ranks.
pub(super) fn parse(text: &str, hosts: u32) -> Result<Vec<Vec<Read>>, ListError> {
    let mut words = Words { words: words(text)?, at: 0 };
    let mut ranks: Vec<Option<Vec<Read>>> = Vec::new();
    while let Some(word) = words.peek() {
        let line = words.line();
        match word {
            "num_ranks" if ranks.is_empty() => {
                words.next();
                let (line, count) = words.some()?;
                ranks = vec![None; number(line, "num_ranks", count, 1, hosts.into())? as usize];
            }
            "rank" if ranks.is_empty() => return wrong(line, "num_ranks must come first"),
            "rank" => {
                words.next();
                let (line, rank) = words.some()?;
                let rank = number(line, "rank", rank, 0, ranks.len() as u64 - 1)? as usize;
                if ranks[rank].is_some() {
                    return wrong(line, format!("rank {rank} is given twice"));
                }
                words.expect("{")?;
                ranks[rank] = Some(self::rank(&mut words, (rank as u32, ranks.len() as u32))?);
            }
            _ => return wrong(line, format!("{word} is not known here; {USE}")),
        }
    }
    if ranks.is_empty() {
        return wrong(1, "num_ranks must come first");
    }
    Ok(ranks.into_iter().map(Option::unwrap_or_default).collect())
}

/// Reads all operations up to the brace behind a rank.
fn rank<'a>(words: &mut Words<'a>, place: (u32, u32)) -> Result<Vec<Read>, ListError> {
    let mut rank = Rank::default();
    while !words.skip("}") {
        if words.peek().is_none() {
            return wrong(words.line(), "a rank does not end with }");
        }
        let (line, word) = words.some()?;
        if words.skip(":") {
            let (line, kind) = words.some()?;
            if rank.labels.insert(word, rank.ops.len() as u32).is_some() {
                return wrong(line, format!("{word} is given twice"));
            }
            rank.ops.push(operation(words, (line, kind), place)?);
        } else if let Some(how @ ("requires" | "irequires")) = words.peek() {
            words.next();
            let (_, before) = words.some()?;
            rank.needs.push((line, word, how == "requires", before));
        } else {
            rank.ops.push(operation(words, (line, word), place)?);
        }
    }
    for (line, label, is_end, before) in rank.needs {
        let known = |label: &str| match rank.labels.get(label) {
            Some(at) => Ok(*at),
            None => wrong(line, format!("there is no {label} in this rank")),
        };
        let (at, before) = (known(label)?, known(before)?);
        let op = &mut rank.ops[at as usize];
        if is_end { op.ended.push(before) } else { op.begun.push(before) }
    }
    Ok(rank.ops)
}

/// The value of a number of bytes, with its `b` directly after it or after a blank.
fn bytes(words: &mut Words<'_>) -> Result<u64, ListError> {
    let (line, word) = words.some()?;
    let digits = word.strip_suffix('b');
    if digits.is_none() {
        words.skip("b");
    }
    number(line, "bytes", digits.unwrap_or(word), 0, LONGEST)
}

fn operation<'a>(
    words: &mut Words<'a>,
    (line, kind): (usize, &'a str),
    (own, ranks): (u32, u32),
) -> Result<Read, ListError> {
    let mut what = match kind {
        "calc" => {
            let (line, ns) = words.some()?;
            Does::Calc(number(line, "calc", ns, 0, LONGEST_NS)?)
        }
        "send" => {
            let bytes = bytes(words)?;
            words.expect("to")?;
            let (line, to) = words.some()?;
            Does::Send { to: peer(line, to, own, ranks)?, bytes, tag: 0 }
        }
        "recv" => {
            let bytes = bytes(words)?;
            words.expect("from")?;
            let (line, from) = words.some()?;
            let from = if from == "-1" { None } else { Some(peer(line, from, own, ranks)?) };
            Does::Recv { from, bytes, tag: Some(0) }
        }
        other => return wrong(line, format!("{other} is not known here; {USE}")),
    };
    while let Some(option @ ("tag" | "cpu" | "nic")) = words.peek() {
        // A label may have the name of a keyword.
        let behind = words.words.get(words.at + 1).map(|(_, word)| *word);
        let is_label = matches!(behind, Some(":" | "requires" | "irequires"));
        if is_label || option == "tag" && matches!(what, Does::Calc(_)) {
            break;
        }
        words.next();
        let (line, value) = words.some()?;
        match &mut what {
            _ if option != "tag" => {
                number(line, option, value, 0, u64::MAX)?;
            }
            Does::Recv { tag, .. } if value == "-1" => *tag = None,
            Does::Recv { tag, .. } => *tag = Some(number(line, "tag", value, 0, u32::MAX.into())? as u32),
            Does::Send { tag, .. } => *tag = number(line, "tag", value, 0, u32::MAX.into())? as u32,
            Does::Calc(_) => {}
        }
    }
    Ok(Read { line, what, ended: Vec::new(), begun: Vec::new() })
}
