//! Flow lists and connection matrices, as flows.

use super::matrix::{Matrix, Start as Begin};
use super::{LONGEST, WorkloadError};
use crate::flow::{Flow, Start};

/// An error of a list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct ListError {
    /// The line, from 1; 0 if there is no line.
    pub line: usize,
    /// The correct form.
    pub what: String,
}

impl ListError {
    /// Adds the name of the file.
    pub(super) fn of(self, name: &str) -> WorkloadError {
        WorkloadError::File(match self.line {
            0 => format!("{name}: {self}"),
            line => format!("{name}:{line}: {self}"),
        })
    }
}

/// Reads flows from lines of source, destination, bytes and start in microseconds, with commas or spaces
/// between. `#` begins a comment.
pub fn flows(text: &str, hosts: u32) -> Result<Vec<Flow>, ListError> {
    let mut flows = Vec::new();
    for (line, text) in (1..).zip(super::without_mark(text).lines()) {
        let text = text.split('#').next().unwrap_or("").replace(',', " ");
        let words: Vec<&str> = text.split_whitespace().collect();
        let wrong = |what: String| Err(ListError { line, what });
        let [source, destination, bytes, start] = words[..] else {
            if words.is_empty() {
                continue;
            }
            return wrong(format!(
                "{} words; a line has four: source, destination, bytes, start in us",
                words.len()
            ));
        };
        let host = |word: &str| word.parse().ok().filter(|host| *host < hosts);
        let (Some(source), Some(destination)) = (host(source), host(destination)) else {
            return wrong(format!("{source} to {destination} is not possible; hosts are 0 to {}", hosts - 1));
        };
        if source == destination {
            return wrong(format!("host {source} sends to itself"));
        }
        let Some(bytes) = bytes.parse().ok().filter(|bytes| (1..=LONGEST).contains(bytes)) else {
            return wrong(format!("{bytes} bytes are not possible; use 1 to {LONGEST}"));
        };
        let Some(us) = start.parse::<f64>().ok().filter(|us| (0.0..=1e9).contains(us)) else {
            return wrong(format!("a start of {start} us is not possible; use 0 to 1e9"));
        };
        flows.push(Flow::at(source, destination, bytes, (us * 1e6).round() as u64));
    }
    match flows.is_empty() {
        true => Err(ListError { line: 1, what: "the list has no flows".into() }),
        false => Ok(flows),
    }
}

/// The flows of a connection matrix. Triggers become signals from flow to flow.
pub(crate) fn of_matrix(matrix: &Matrix) -> Vec<Flow> {
    let mut waiting: Vec<Vec<u32>> = vec![Vec::new(); matrix.triggers() as usize];
    for (number, flow) in (0..).zip(matrix.flows()) {
        if let Begin::After { trigger, .. } = flow.start {
            waiting[trigger as usize].push(number);
        }
    }
    let of = |trigger: Option<u32>| trigger.map_or(Vec::new(), |trigger| waiting[trigger as usize].clone());
    let flow = |flow: &super::matrix::Flow| Flow {
        start: match flow.start {
            Begin::At(ps) => Start::AtPs(ps),
            Begin::After { times, .. } => Start::After(times),
        },
        then: of(flow.recv_done),
        then_sender: of(flow.send_done),
        ..Flow::at(flow.source, flow.destination, flow.bytes, 0)
    };
    matrix.flows().iter().map(flow).collect()
}
