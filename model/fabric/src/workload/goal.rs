//! Schedules in GOAL (Hoefler et al., "Group Operation Assembly Language", ICPP 2009): ranks with sends,
//! receives and computations that require each other. The module reads the text form, and the binary form of
//! LogGOPSim.
//!
//! Rank n is host n. A computation ends after its nanoseconds and delays no other operation. The fields `cpu`
//! and `nic` are ignored. A send is done when the sender learns that all bytes have arrived; a receive is
//! done when all bytes have arrived and the receive has begun.

mod binary;
mod text;

use super::{LONGEST, ListError, MOST};
use crate::order::Order;
use crate::schedule::{Op, Schedule, Sent, What};
use std::collections::BTreeMap;

/// An operation of a file.
#[derive(Clone, Debug)]
struct Read {
    /// Number of the line, from 1; 0 if there is no line.
    line: usize,
    what: Does,
    /// Operations that must have ended, and those that must have begun.
    ended: Vec<u32>,
    begun: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
enum Does {
    Calc(u64),
    Send { to: u32, bytes: u64, tag: u32 },
    Recv { from: Option<u32>, bytes: u64, tag: Option<u32> },
}

/// Longest computation.
const LONGEST_NS: u64 = 1_000_000_000_000;

fn wrong<T>(line: usize, what: impl Into<String>) -> Result<T, ListError> {
    Err(ListError { line, what: what.into() })
}

/// The schedule in a file of this name; the beginning of a file shows its form.
pub(super) fn schedule(name: &str, file: &[u8], hosts: u32) -> Result<Schedule, ListError> {
    let ranks = match binary::is_binary(file) {
        true => binary::parse(file, hosts)?,
        false => match std::str::from_utf8(file) {
            Ok(text) => text::parse(super::without_mark(text), hosts)?,
            Err(_) => return wrong(1, "the file is neither text nor GOAL's binary form"),
        },
    };
    assemble(name, ranks)
}

/// Connects operations with the operations that wait for them.
fn assemble(name: &str, ranks: Vec<Vec<Read>>) -> Result<Schedule, ListError> {
    check_sizes(&ranks)?;
    let mut schedule =
        Schedule { name: name.to_owned(), order: Order::default(), ranks: Vec::new(), sends: Vec::new() };
    for (rank, read) in (0..).zip(&ranks) {
        let mut ops: Vec<Op> = Vec::with_capacity(read.len());
        for (at, Read { line, what, ended, begun }) in (0..).zip(read) {
            let what = match *what {
                Does::Calc(ns) => What::Calc { ps: 1_000 * ns },
                Does::Recv { from, bytes, tag } => What::Recv { bytes, from, tag },
                Does::Send { to, bytes, tag } => {
                    // An empty message is sent as a packet.
                    let sent = Sent { source: rank, destination: to, bytes: bytes.max(1), op: at, tag };
                    schedule.sends.push(sent);
                    What::Send { flow: schedule.sends.len() as u32 - 1 }
                }
            };
            let needs = (ended.len() + begun.len()) as u32;
            ops.push(Op { line: *line as u32, what, needs, at_end: Vec::new(), at_begin: Vec::new() });
        }
        for (at, Read { ended, begun, .. }) in (0..).zip(read) {
            ended.iter().for_each(|before| ops[*before as usize].at_end.push(at));
            begun.iter().for_each(|before| ops[*before as usize].at_begin.push(at));
        }
        schedule.ranks.push(ops);
    }
    if schedule.sends.len() as u64 > MOST {
        return wrong(1, format!("{} sends are not possible; use at most {MOST}", schedule.sends.len()));
    }
    Ok(schedule)
}

/// If receives name source and tag, and there are as many receives as messages, checks that sizes agree.
fn check_sizes(ranks: &[Vec<Read>]) -> Result<(), ListError> {
    // Bytes and line of the sends and of the receives of one source, destination and tag.
    type Ends = [Vec<(u64, usize)>; 2];
    let mut ways: BTreeMap<(u32, u32, u32), Ends> = BTreeMap::new();
    let takes_any =
        |read: &Read| matches!(read.what, Does::Recv { from, tag, .. } if from.is_none() || tag.is_none());
    let any: Vec<bool> = ranks.iter().map(|read| read.iter().any(takes_any)).collect();
    for (rank, read) in (0..).zip(ranks) {
        for Read { line, what, .. } in read {
            match *what {
                Does::Send { to, bytes, tag } if !any[to as usize] => {
                    ways.entry((rank, to, tag)).or_default()[0].push((bytes, *line));
                }
                Does::Recv { from: Some(from), bytes, tag: Some(tag) } if !any[rank as usize] => {
                    ways.entry((from, rank, tag)).or_default()[1].push((bytes, *line));
                }
                _ => {}
            }
        }
    }
    for [sent, received] in ways.values_mut() {
        [&mut *sent, received].into_iter().for_each(|sizes| sizes.sort_unstable());
        let differ = sent.iter().zip(received.iter()).find(|(sent, received)| sent.0 != received.0);
        if sent.len() == received.len()
            && let Some(((sent, _), (bytes, line))) = differ
        {
            return wrong(*line, format!("{bytes} bytes are received, {sent} are sent"));
        }
    }
    Ok(())
}

fn number(line: usize, name: &str, word: &str, least: u64, most: u64) -> Result<u64, ListError> {
    match word.parse().ok().filter(|number| (least..=most).contains(number)) {
        Some(number) => Ok(number),
        None => wrong(line, format!("{name} {word} is not possible; use {least} to {most}")),
    }
}

/// The rank of another host.
fn peer(line: usize, rank: &str, own: u32, ranks: u32) -> Result<u32, ListError> {
    let rank = number(line, "rank", rank, 0, u64::from(ranks) - 1)? as u32;
    if rank == own { wrong(line, "a rank does not send to itself") } else { Ok(rank) }
}
