//! Traffic traces: the connection matrices of htsim (`.cm`), with source, destination, bytes and start of flows.
//! Page `docs/nic-scenarios.md` has the grammar.

use super::{LONGEST, without_mark};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::str::SplitWhitespace;

/// Bytes of an endless flow, which htsim sends until the run ends (size 0 in the file). These bytes need half
/// a second at 1 Tb/s.
pub const ENDLESS: u64 = 1 << 36;

/// Latest start of a flow, in picoseconds: 1 s.
const LATEST_PS: f64 = 1e12;

/// A connection matrix. Every flow in it starts eventually, if each flow that has started ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Matrix {
    file: String,
    nodes: u32,
    #[serde(skip)]
    flows: Vec<Flow>,
    #[serde(skip)]
    triggers: u32,
}

/// A transfer of bytes from one node to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// The flow's name in the file. Without a name, the flow's place in the file, from 1.
    pub id: u32,
    /// The node that sends.
    pub source: u32,
    /// The node that receives. The destination differs from the source.
    pub destination: u32,
    /// Number of bytes, at least 1. [`ENDLESS`] if the file has 0.
    pub bytes: u64,
    /// Start of the flow.
    pub start: Start,
    /// The trigger that fires when the sender learns that all bytes have arrived.
    pub send_done: Option<u32>,
    /// The trigger that fires when all bytes have arrived.
    pub recv_done: Option<u32>,
}

/// The start of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Picoseconds after the beginning.
    At(u64),
    /// Waits for a number of firings of a trigger. This variant is for triggers of all kinds. Flows that wait
    /// for a oneshot wait for its first firing. Flows that wait for a barrier wait for its last firing. Each
    /// flow that waits for a multishot waits for one more firing, in the order of the flows.
    After {
        /// The trigger, from 0.
        trigger: u32,
        /// Number of firings, at least 1.
        times: u32,
    },
}

/// The unit of `start`. htsim's writer prints microseconds, and its UEC runs use whole ones. A comment in
/// htsim's reader says picoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Microseconds.
    #[default]
    Us,
    /// Nanoseconds.
    Ns,
    /// Picoseconds.
    Ps,
}

impl Unit {
    fn name_and_ps(self) -> (&'static str, f64) {
        match self {
            Self::Us => ("us", 1e6),
            Self::Ns => ("ns", 1e3),
            Self::Ps => ("ps", 1.0),
        }
    }
}

/// An error of a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {what}")]
pub struct MatrixError {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The error, and the correct form.
    pub what: String,
}

impl Matrix {
    /// Reads the text of a file.
    pub fn parse(file: &str, text: &str, unit: Unit) -> Result<Self, MatrixError> {
        let mut parser = Parser { unit, ..Parser::default() };
        let read =
            without_mark(text).lines().zip(1..).try_for_each(|(text, number)| parser.line(text, number));
        let matrix = read.and_then(|()| parser.finish());
        let (nodes, flows, triggers) =
            matrix.map_err(|Wrong { line, what }| MatrixError { file: file.to_owned(), line, what })?;
        Ok(Self { file: file.to_owned(), nodes, flows, triggers })
    }

    /// Name of the source.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Number of nodes. Nodes have numbers from 0.
    pub fn nodes(&self) -> u32 {
        self.nodes
    }

    /// The flows, at least one, in the order of the file.
    pub fn flows(&self) -> &[Flow] {
        &self.flows
    }

    /// Number of triggers.
    pub fn triggers(&self) -> u32 {
        self.triggers
    }
}

/// An error of a line.
struct Wrong {
    line: u32,
    what: String,
}

/// The rest of a line.
struct Line<'a> {
    number: u32,
    words: SplitWhitespace<'a>,
}

impl Line<'_> {
    fn wrong<T>(&self, what: impl Into<String>) -> Result<T, Wrong> {
        Err(Wrong { line: self.number, what: what.into() })
    }

    /// Reads the number behind `name`, and refuses a number below `least`.
    fn number(&mut self, name: &str, least: u32) -> Result<u32, Wrong> {
        let word = self.words.next().unwrap_or("nothing");
        match word.parse() {
            Ok(number) if number >= least => Ok(number),
            _ => self.wrong(format!("{name} needs a whole number from {least} to {}, not {word}", u32::MAX)),
        }
    }

    /// Reads the size behind `size`. 0 is an endless flow.
    fn size(&mut self) -> Result<u64, Wrong> {
        let word = self.words.next().unwrap_or("nothing");
        match word.parse() {
            Ok(0) => Ok(ENDLESS),
            Ok(bytes) if bytes <= LONGEST => Ok(bytes),
            _ => self.wrong(format!("size needs a whole number from 0 to {LONGEST}, not {word}")),
        }
    }

    /// Whether the next word is a number.
    fn has_number(&self) -> bool {
        self.words.clone().next().is_some_and(|word| word.parse::<u32>().is_ok())
    }

    /// Checks that the line has ended.
    fn end(&mut self) -> Result<(), Wrong> {
        match self.words.next() {
            Some(word) => self.wrong(format!("{word} is one word too many")),
            None => Ok(()),
        }
    }

    /// Sets a value that may be set only once.
    fn set<T>(&self, place: &mut Option<T>, name: &str, value: T) -> Result<(), Wrong> {
        match place.replace(value) {
            Some(_) => self.wrong(format!("{name} is given twice")),
            None => Ok(()),
        }
    }
}

/// The start of a flow as in its line.
#[derive(Clone, Copy)]
enum Begin {
    At(u64),
    Trigger(u32),
}

/// A flow as in its line, with triggers by id.
struct Sender {
    line: u32,
    id: Option<u32>,
    source: u32,
    destination: u32,
    bytes: u64,
    begin: Begin,
    send_done: Option<u32>,
    recv_done: Option<u32>,
}

#[derive(Clone, Copy)]
enum Kind {
    OneShot,
    MultiShot,
    Barrier(u32),
}

#[derive(Default)]
struct Parser {
    unit: Unit,
    nodes: Option<u32>,
    /// The numbers of connections and nodes, with their lines.
    connections: Option<(u32, u32)>,
    announced: Option<(u32, u32)>,
    flows: Vec<Sender>,
    /// Triggers by id, with their lines.
    triggers: BTreeMap<u32, (u32, Kind)>,
    last_line: u32,
}

impl Parser {
    fn line(&mut self, text: &str, number: u32) -> Result<(), Wrong> {
        self.last_line = number;
        let mut line = Line { number, words: text.split_whitespace() };
        let Some(first) = line.words.next().filter(|first| !first.starts_with('#')) else { return Ok(()) };
        match first {
            "Nodes" => {
                let nodes = line.number(first, 2)?;
                line.set(&mut self.nodes, first, nodes)?;
            }
            "Connections" => {
                let count = line.number(first, 1)?;
                line.set(&mut self.connections, first, (count, number))?;
            }
            "Triggers" => {
                let count = line.number(first, 0)?;
                line.set(&mut self.announced, first, (count, number))?;
            }
            "Failures" if line.number(first, 0)? == 0 => {}
            "Failures" | "failure" => {
                return line
                    .wrong("weft does not carry out the failures of a file; leave them out, and cut a path by an option");
            }
            "trigger" => self.trigger(&mut line)?,
            _ => match first.split_once("->") {
                Some((source, destination)) => self.flow(source, destination, &mut line)?,
                None => {
                    return line.wrong(format!(
                        "a line cannot begin with {first}; use Nodes, Connections, Triggers, FROM->TO or trigger, and # for a comment"
                    ));
                }
            },
        }
        line.end()
    }

    /// `trigger id N oneshot | multishot | barrier count K`.
    fn trigger(&mut self, line: &mut Line<'_>) -> Result<(), Wrong> {
        let (mut id, mut kind, mut count) = (None, None, None);
        while let Some(word) = line.words.next() {
            match word {
                "id" => {
                    let number = line.number(word, 1)?;
                    line.set(&mut id, word, number)?;
                }
                "count" => {
                    let number = line.number(word, 1)?;
                    line.set(&mut count, word, number)?;
                }
                "oneshot" | "multishot" | "barrier" => line.set(&mut kind, "the kind", word)?,
                _ => {
                    return line.wrong(format!(
                        "a trigger has no {word}; it has an id and is oneshot, multishot or barrier with a count"
                    ));
                }
            }
        }
        let Some(id) = id else { return line.wrong("the trigger has no id; write trigger id 1 oneshot") };
        let kind = match (kind, count) {
            (Some("oneshot"), None) => Kind::OneShot,
            (Some("multishot"), None) => Kind::MultiShot,
            (Some("barrier"), Some(count)) => Kind::Barrier(count),
            (Some("barrier"), None) => return line.wrong("a barrier needs a count: how many flows fire it"),
            (Some(kind), _) => return line.wrong(format!("a {kind} has no count; only a barrier has one")),
            (None, _) => return line.wrong("the trigger has no kind; give oneshot, multishot or barrier"),
        };
        match self.triggers.insert(id, (line.number, kind)) {
            Some((first, _)) => line.wrong(format!("trigger {id} is in line {first} already")),
            None => Ok(()),
        }
    }

    /// `FROM->TO [id N] start T | trigger N size BYTES [send_done_trigger N] [recv_done_trigger N] [prio N] [msg [N]]`.
    fn flow(&mut self, source: &str, destination: &str, line: &mut Line<'_>) -> Result<(), Wrong> {
        let (Ok(source), Ok(destination)) = (source.parse(), destination.parse()) else {
            return line
                .wrong(format!("{source}->{destination} are not two nodes; write 0->1 without blanks"));
        };
        if source == destination {
            return line.wrong(format!("node {source} sends to itself, which needs no network"));
        }
        let (mut id, mut bytes, mut begin) = (None, None, None);
        let (mut send_done, mut recv_done, mut other) = (None, None, [None; 2]);
        while let Some(word) = line.words.next() {
            if word == "start" {
                let at = Begin::At(self.start(line)?);
                line.set(&mut begin, "start or trigger", at)?;
                continue;
            }
            if word == "size" {
                let size = line.size()?;
                line.set(&mut bytes, word, size)?;
                continue;
            }
            // Newer versions write it without a number.
            if word == "msg" && !line.has_number() {
                line.set(&mut other[1], word, 0)?;
                continue;
            }
            let least = u32::from(word != "prio");
            let mut number = || line.number(word, least);
            match word {
                "trigger" => {
                    let trigger = Begin::Trigger(number()?);
                    line.set(&mut begin, "start or trigger", trigger)?;
                }
                "id" | "send_done_trigger" | "recv_done_trigger" | "prio" | "msg" => {
                    let value = number()?;
                    let place = match word {
                        "id" => &mut id,
                        "send_done_trigger" => &mut send_done,
                        "recv_done_trigger" => &mut recv_done,
                        "prio" => &mut other[0],
                        _ => &mut other[1],
                    };
                    line.set(place, word, value)?;
                }
                _ => {
                    return line.wrong(format!(
                        "a flow has no {word}; it has id, start or trigger, size, send_done_trigger, \
                         recv_done_trigger, prio, msg"
                    ));
                }
            }
        }
        let Some(bytes) = bytes else { return line.wrong("the flow has no size; add size and its bytes") };
        let Some(begin) = begin else {
            return line.wrong("the flow never starts; add start and a time, or trigger and an id");
        };
        let line = line.number;
        self.flows.push(Sender { line, id, source, destination, bytes, begin, send_done, recv_done });
        Ok(())
    }

    /// A time in picoseconds.
    fn start(&self, line: &mut Line<'_>) -> Result<u64, Wrong> {
        let word = line.words.next().unwrap_or("nothing");
        let (unit, ps) = self.unit.name_and_ps();
        let Some(time) = word.parse::<f64>().ok().filter(|time| *time >= 0.0) else {
            return line.wrong(format!("start needs a time in {unit}, not {word}"));
        };
        let time = time * ps;
        if time > LATEST_PS {
            return line.wrong(format!(
                "start {word} {unit} is later than 1 s; if the file counts ns or ps, say so with start_unit (in weft cosim nic: --start-unit)"
            ));
        }
        Ok(time.round() as u64)
    }

    /// Checks the whole file.
    fn finish(self) -> Result<(u32, Vec<Flow>, u32), Wrong> {
        let wrong = |line, what| Err(Wrong { line, what });
        let Some(nodes) = self.nodes else {
            return wrong(self.last_line, "Nodes is missing; add a line with their number".into());
        };
        let flows = self.flows.len();
        match self.connections {
            Some((said, line)) if said as usize != flows => {
                return wrong(line, format!("Connections says {said}, and {flows} follow"));
            }
            None => return wrong(self.last_line, format!("Connections is missing; add Connections {flows}")),
            _ => {}
        }
        let (said, line) = self.announced.unwrap_or((0, self.last_line));
        if said as usize != self.triggers.len() {
            return wrong(line, format!("Triggers says {said}, and {} follow", self.triggers.len()));
        }
        let flows = self.resolve(nodes)?;
        self.check_triggers(&flows)?;
        Ok((nodes, flows, self.triggers.len() as u32))
    }

    /// Replaces triggers with numbers, and their kinds with numbers of firings.
    fn resolve(&self, nodes: u32) -> Result<Vec<Flow>, Wrong> {
        let numbers: BTreeMap<u32, u32> = self.triggers.keys().copied().zip(0..).collect();
        let mut shots: BTreeMap<u32, u32> = BTreeMap::new();
        let mut flows = Vec::new();
        for (sender, place) in self.flows.iter().zip(1..) {
            let Sender { line, id, source, destination, bytes, begin, send_done, recv_done } = *sender;
            if let Some(node) = [source, destination].into_iter().find(|node| *node >= nodes) {
                let what = format!("there is no node {node}; {nodes} nodes are 0 to {}", nodes - 1);
                return Err(Wrong { line, what });
            }
            let number = |id: u32| {
                let missing = format!("trigger {id} is missing; add trigger id {id} and its kind");
                numbers.get(&id).copied().ok_or(Wrong { line, what: missing })
            };
            let start = match begin {
                Begin::At(time) => Start::At(time),
                Begin::Trigger(id) => {
                    let trigger = number(id)?;
                    let shot = shots.entry(id).or_default();
                    *shot += 1;
                    let times = match self.triggers[&id].1 {
                        Kind::OneShot => 1,
                        Kind::MultiShot => *shot,
                        Kind::Barrier(count) => count,
                    };
                    Start::After { trigger, times }
                }
            };
            flows.push(Flow {
                id: id.unwrap_or(place),
                source,
                destination,
                bytes,
                start,
                send_done: send_done.map(number).transpose()?,
                recv_done: recv_done.map(number).transpose()?,
            });
        }
        Ok(flows)
    }

    /// Checks that no trigger fires more often than its kind allows, and that all flows start.
    fn check_triggers(&self, flows: &[Flow]) -> Result<(), Wrong> {
        let fires = |flow: &Flow| {
            let done = if flow.bytes == ENDLESS { [None; 2] } else { [flow.send_done, flow.recv_done] };
            done.into_iter().flatten()
        };
        let mut all = vec![0; self.triggers.len()];
        flows.iter().flat_map(fires).for_each(|trigger| all[trigger as usize] += 1);
        for ((id, (line, kind)), fired) in self.triggers.iter().zip(all) {
            let what = match *kind {
                Kind::OneShot if fired > 1 => {
                    format!(
                        "oneshot {id} is fired {fired} times; make it a barrier count {fired} or a multishot"
                    )
                }
                Kind::Barrier(count) if fired > count => {
                    format!("barrier {id} of count {count} is fired {fired} times; make its count {fired}")
                }
                _ => continue,
            };
            return Err(Wrong { line: *line, what });
        }

        // A flow that has started also ends, and fires the triggers that start further flows, until a round
        // changes nothing.
        let mut fired = vec![0; self.triggers.len()];
        let mut waiting: Vec<usize> = (0..flows.len()).collect();
        loop {
            let before = waiting.len();
            waiting.retain(|&at| {
                let waits = match flows[at].start {
                    Start::At(_) => false,
                    Start::After { trigger, times } => fired[trigger as usize] < times,
                };
                if !waits {
                    fires(&flows[at]).for_each(|trigger| fired[trigger as usize] += 1);
                }
                waits
            });
            if waiting.len() == before {
                break;
            }
        }
        let Some(&at) = waiting.first() else { return Ok(()) };
        let Start::After { trigger, times } = flows[at].start else { return Ok(()) };
        let id = self.triggers.keys().nth(trigger as usize).copied().unwrap_or_default();
        let fired = fired[trigger as usize];
        let what =
            format!("the flow never starts: trigger {id} fires {fired} times, and it waits for {times}");
        Err(Wrong { line: self.flows[at].line, what })
    }
}

#[cfg(test)]
mod tests;
