//! Schedules in GOAL (Hoefler et al., "Group Operation Assembly Language", ICPP 2009), the text form: ranks with sends, receives
//! and computations that require each other.
//!
//! A rank is the host of its number. A computation takes its nanoseconds and nothing else; `cpu` and `nic` are read over. A
//! send is done when the sender knows that all has come, a receive when all has come and the receive itself was begun.

use super::{LONGEST, ListError, MOST};
use crate::flow::{Delayed, Flow, Start};
use std::collections::{BTreeMap, HashMap, VecDeque};

/// An operation of a rank.
#[derive(Clone, Debug)]
struct Op {
    line: usize,
    what: What,
    /// Operations that must have ended, and those that must have begun.
    ended: Vec<usize>,
    begun: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
enum What {
    Calc(u64),
    Send { to: u32, bytes: u64, tag: u32 },
    Recv { from: u32, bytes: u64, tag: u32 },
}

/// What a moment waits for: ends of flows, each with the time after it, and a time of the run.
#[derive(Clone, Debug, Default)]
struct Moment {
    after: BTreeMap<(u32, End), u64>,
    ps: u64,
}

/// Which end of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    Sender,
    Receiver,
}

impl Moment {
    /// The later of both.
    fn join(&mut self, other: &Self) {
        self.ps = self.ps.max(other.ps);
        for (end, ps) in &other.after {
            let mine = self.after.entry(*end).or_default();
            *mine = (*mine).max(*ps);
        }
    }

    fn add(&mut self, ps: u64) {
        self.ps += ps;
        self.after.values_mut().for_each(|after| *after += ps);
    }
}

fn wrong<T>(line: usize, what: impl Into<String>) -> Result<T, ListError> {
    Err(ListError { line, what: what.into() })
}

/// The flows of a schedule.
pub(super) fn flows(text: &str, hosts: u32) -> Result<Vec<Flow>, ListError> {
    let ranks = parse(text, hosts)?;
    let mut flows = Vec::new();
    let mut matched: HashMap<(u32, u32, u32), VecDeque<(u32, u64)>> = HashMap::new();
    // Of each rank and operation: the flow that it sends.
    let mut sends: Vec<HashMap<usize, u32>> = vec![HashMap::new(); ranks.len()];
    for (rank, ops) in (0u32..).zip(&ranks) {
        for (at, op) in ops.iter().enumerate() {
            if let What::Send { to, bytes, tag } = op.what {
                let number = flows.len() as u32;
                sends[rank as usize].insert(at, number);
                matched.entry((rank, to, tag)).or_default().push_back((number, bytes));
                // An empty message is a packet, too.
                flows.push(Flow::at(rank, to, bytes.max(1), 0));
            }
        }
    }
    if flows.is_empty() || flows.len() as u64 > MOST {
        return wrong(1, format!("{} sends cannot be; use 1 to {MOST}", flows.len()));
    }
    for (rank, ops) in (0u32..).zip(&ranks) {
        let order = order(ops)?;
        let (mut begun, mut ended) = (vec![Moment::default(); ops.len()], vec![Moment::default(); ops.len()]);
        for at in order {
            let op = &ops[at];
            let mut moment = Moment::default();
            op.ended.iter().for_each(|other| moment.join(&ended[*other]));
            op.begun.iter().for_each(|other| moment.join(&begun[*other]));
            begun[at] = moment.clone();
            match op.what {
                What::Calc(ns) => moment.add(1_000 * ns),
                What::Send { .. } => {
                    let number = sends[rank as usize][&at];
                    start(&mut flows, number, &moment);
                    moment = Moment { after: BTreeMap::from([((number, End::Sender), 0)]), ps: 0 };
                }
                What::Recv { from, bytes, tag } => {
                    let waiting = matched.get_mut(&(from, rank, tag)).and_then(VecDeque::pop_front);
                    let Some((number, sent)) = waiting else {
                        return wrong(op.line, format!("rank {from} does not send this (tag {tag})"));
                    };
                    if sent != bytes {
                        return wrong(op.line, format!("{bytes} bytes are received, {sent} are sent"));
                    }
                    moment.after.insert((number, End::Receiver), 0);
                }
            }
            ended[at] = moment;
        }
    }
    match matched.iter().filter_map(|((from, to, tag), left)| Some((left.front()?.0, from, to, tag))).min() {
        Some((_, from, to, tag)) => {
            wrong(1, format!("rank {to} does not receive what {from} sends (tag {tag})"))
        }
        None => Ok(flows),
    }
}

/// A flow starts at a moment.
fn start(flows: &mut [Flow], number: u32, moment: &Moment) {
    let count = moment.after.len() as u32;
    let flow = &mut flows[number as usize];
    flow.earliest_ps = moment.ps;
    flow.start = if count == 0 { Start::AtPs(moment.ps) } else { Start::After(count) };
    for ((before, end), after_ps) in &moment.after {
        let before = &mut flows[*before as usize];
        let told = match end {
            End::Sender => &mut before.delayed_sender,
            End::Receiver => &mut before.delayed,
        };
        told.push(Delayed { flow: number, after_ps: *after_ps });
    }
}

/// Operations, each behind those that it needs.
fn order(ops: &[Op]) -> Result<Vec<usize>, ListError> {
    let mut needs: Vec<usize> = ops.iter().map(|op| op.ended.len() + op.begun.len()).collect();
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); ops.len()];
    for (at, op) in ops.iter().enumerate() {
        op.ended.iter().chain(&op.begun).for_each(|before| next[*before].push(at));
    }
    let mut ready: VecDeque<usize> = (0..ops.len()).filter(|at| needs[*at] == 0).collect();
    let mut order = Vec::with_capacity(ops.len());
    while let Some(at) = ready.pop_front() {
        order.push(at);
        for after in &next[at] {
            needs[*after] -= 1;
            if needs[*after] == 0 {
                ready.push_back(*after);
            }
        }
    }
    match (0..ops.len()).find(|at| needs[*at] > 0) {
        Some(at) => wrong(ops[at].line, "it requires itself, by a way round"),
        None => Ok(order),
    }
}

/// The operations of all ranks.
fn parse(text: &str, hosts: u32) -> Result<Vec<Vec<Op>>, ListError> {
    let mut ranks: Vec<Option<Vec<Op>>> = Vec::new();
    let mut here: Option<(usize, HashMap<String, usize>)> = None;
    for (line, text) in (1..).zip(text.lines()) {
        let text = text.split("//").next().unwrap_or("");
        let words: Vec<&str> = text.split_whitespace().collect();
        match (&words[..], &mut here) {
            ([], _) => {}
            (["num_ranks", count], None) if ranks.is_empty() => {
                let count = number(line, "num_ranks", count, 2, hosts.into())?;
                ranks = vec![None; count as usize];
            }
            (["rank", rank, "{"], None) => {
                let most = (ranks.len() as u64).saturating_sub(1);
                let rank = number(line, "rank", rank, 0, most)? as usize;
                match ranks.get_mut(rank) {
                    Some(place @ None) => *place = Some(Vec::new()),
                    Some(_) => return wrong(line, format!("rank {rank} is there twice")),
                    None => return wrong(line, "num_ranks goes first"),
                }
                here = Some((rank, HashMap::new()));
            }
            (["}"], Some(_)) => here = None,
            ([label, how @ ("requires" | "irequires"), before], Some((rank, labels))) => {
                let known = |label: &str| match labels.get(label) {
                    Some(at) => Ok(*at),
                    None => wrong(line, format!("there is no {label} above")),
                };
                let (at, before) = (known(label)?, known(before)?);
                if let Some(op) = ranks[*rank].as_mut().and_then(|ops| ops.get_mut(at)) {
                    if *how == "requires" { op.ended.push(before) } else { op.begun.push(before) }
                }
            }
            ([label, rest @ ..], Some((rank, labels))) if label.ends_with(':') => {
                let what = operation(line, rest, *rank as u32, ranks.len() as u32)?;
                let ops = ranks[*rank].get_or_insert_default();
                if labels.insert(label.trim_end_matches(':').to_owned(), ops.len()).is_some() {
                    return wrong(line, format!("{label} is there twice"));
                }
                ops.push(Op { line, what, ended: Vec::new(), begun: Vec::new() });
            }
            _ => {
                return wrong(
                    line,
                    "give num_ranks N, rank R {, }, L: calc N, L: send Nb to R tag T, L: recv Nb from R tag T, L requires M, L irequires M",
                );
            }
        }
    }
    if here.is_some() {
        return wrong(text.lines().count(), "a rank does not end with }");
    }
    Ok(ranks.into_iter().map(Option::unwrap_or_default).collect())
}

fn operation(line: usize, words: &[&str], own: u32, ranks: u32) -> Result<What, ListError> {
    // Behind the fixed words pairs of a name and a number.
    let tag = |rest: &[&str]| match rest.chunks(2).find(|pair| pair[0] == "tag") {
        Some([_, tag]) => Ok(number(line, "tag", tag, 0, u32::MAX.into())? as u32),
        Some(_) => wrong(line, "a tag has a number"),
        None => Ok(0),
    };
    let peer = |rank: &str| {
        let rank = number(line, "rank", rank, 0, u64::from(ranks) - 1)? as u32;
        if rank == own { wrong(line, "a rank does not send to itself") } else { Ok(rank) }
    };
    let bytes = |word: &str| number(line, "bytes", word.trim_end_matches('b'), 0, LONGEST);
    match words {
        ["calc", ns, ..] => Ok(What::Calc(number(line, "calc", ns, 0, 1_000_000_000_000)?)),
        ["send", size, "to", to, rest @ ..] => {
            Ok(What::Send { to: peer(to)?, bytes: bytes(size)?, tag: tag(rest)? })
        }
        ["recv", size, "from", from, rest @ ..] => {
            Ok(What::Recv { from: peer(from)?, bytes: bytes(size)?, tag: tag(rest)? })
        }
        _ => wrong(line, "an operation is calc N, send Nb to R or recv Nb from R"),
    }
}

fn number(line: usize, name: &str, word: &str, least: u64, most: u64) -> Result<u64, ListError> {
    match word.parse().ok().filter(|number| (least..=most).contains(number)) {
        Some(number) => Ok(number),
        None => wrong(line, format!("{name} {word} cannot be; use {least} to {most}")),
    }
}
