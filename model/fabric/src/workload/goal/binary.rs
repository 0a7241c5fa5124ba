//! GOAL's binary form, written by LogGOPSim's `txt2bin`. Numbers are little endian, without gaps.
//!
//! The magic number has 8 bytes, and all offsets count from its end. Then follow: number of ranks (4),
//! maximum numbers of CPUs and NICs (1 each), and for every rank its start and end (8 each). A rank has:
//! number of operations (4), number of operations that wait for no other (4), their numbers (4 each), the
//! operations (39 each), an appendix of numbers (4 each). An operation has: number of operations that it
//! waits for (4), kind (1), peer (4), size (8), tag (4), CPU and NIC (1 each); then the number of operations
//! that wait for its end and their place in the appendix (4 each), and the same for its start.

use super::{Does, LONGEST, LONGEST_NS, ListError, Read, number, peer, wrong};

const MAGIC: [u8; 8] = 4223u64.to_le_bytes();
const OPERATION: usize = 39;
/// Any source, any tag.
const ANY: u32 = u32::MAX;

/// Whether a file begins with the magic number of the binary form.
pub(super) fn is_binary(file: &[u8]) -> bool {
    file.starts_with(&MAGIC)
}

/// The bytes after the magic number, or those of a rank.
#[derive(Clone, Copy)]
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn number<const N: usize>(&self, at: usize) -> Result<u64, ListError> {
        let bytes = at.checked_add(N).and_then(|end| self.0.get(at..end));
        let Some(bytes) = bytes else {
            return wrong(0, format!("the file ends early: byte {} is missing", at.saturating_add(N)));
        };
        Ok(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn word(&self, at: usize) -> Result<u32, ListError> {
        Ok(self.number::<4>(at)? as u32)
    }

    /// Checks that `count` records of `bytes` bytes are present.
    fn has(&self, at: usize, count: u32, bytes: usize) -> Result<(), ListError> {
        let end = (count as usize).checked_mul(bytes).and_then(|all| all.checked_add(at));
        match end.is_some_and(|end| end <= self.0.len()) {
            true => Ok(()),
            false => wrong(0, format!("the file ends early: {count} records do not fit")),
        }
    }
}

/// The operations of all ranks.
pub(super) fn parse(file: &[u8], hosts: u32) -> Result<Vec<Vec<Read>>, ListError> {
    let bytes = Bytes(&file[MAGIC.len()..]);
    let ranks = bytes.word(0)?;
    number(0, "ranks", &ranks.to_string(), 1, hosts.into())?;
    let of = |rank: u32| {
        let entry = 6 + 16 * rank as usize;
        let (begin, end) = (bytes.number::<8>(entry)?, bytes.number::<8>(entry + 8)?);
        match bytes.0.get(begin as usize..end as usize) {
            Some(own) => self::rank(Bytes(own), (rank, ranks)),
            None => wrong(0, format!("rank {rank} is cut off")),
        }
    };
    (0..ranks).map(of).collect()
}

fn rank(bytes: Bytes<'_>, (own, ranks): (u32, u32)) -> Result<Vec<Read>, ListError> {
    let (count, free) = (bytes.word(0)?, bytes.word(4)?);
    bytes.has(8, free, 4)?;
    let first = 8 + 4 * free as usize;
    bytes.has(first, count, OPERATION)?;
    let appendix = first + OPERATION * count as usize;
    let mut ops = Vec::with_capacity(count as usize);
    let operation = |at: u32| {
        let at = first + OPERATION * at as usize;
        let (kind, to) = (bytes.number::<1>(at + 4)?, bytes.word(at + 5)?);
        let (size, tag) = (bytes.number::<8>(at + 9)?, bytes.word(at + 17)?);
        let size_to = |most| number(0, "a size of", &size.to_string(), 0, most);
        let other = || peer(0, &to.to_string(), own, ranks);
        Ok(match kind {
            1 => Does::Send { to: other()?, bytes: size_to(LONGEST)?, tag },
            2 => Does::Recv {
                from: if to == ANY { None } else { Some(other()?) },
                bytes: size_to(LONGEST)?,
                tag: (tag != ANY).then_some(tag),
            },
            3 => Does::Calc(size_to(LONGEST_NS)?),
            other => {
                return wrong(
                    0,
                    format!("an operation has kind {other}; only sends, receives and computations are known"),
                );
            }
        })
    };
    for at in 0..count {
        ops.push(Read { line: 0, what: operation(at)?, ended: Vec::new(), begun: Vec::new() });
    }
    // Each number of the appendix must be used once.
    let mut left = bytes.0.len().saturating_sub(appendix) / 4;
    for at in 0..count {
        let entry = first + OPERATION * at as usize;
        for (place, is_end) in [(23, true), (31, false)] {
            let (waiting, from) = (bytes.word(entry + place)?, bytes.word(entry + place + 4)?);
            if waiting == 0 {
                continue;
            }
            let Some(rest) = left.checked_sub(waiting as usize) else {
                return wrong(0, format!("rank {own} has more dependencies than its appendix"));
            };
            left = rest;
            let from = appendix + 4 * from as usize;
            bytes.has(from, waiting, 4)?;
            for which in 0..waiting as usize {
                let other = bytes.word(from + 4 * which)?;
                let Some(other) = ops.get_mut(other as usize) else {
                    return wrong(0, format!("operation {other} of rank {own} is missing"));
                };
                if is_end { other.ended.push(at) } else { other.begun.push(at) }
            }
        }
    }
    Ok(ops)
}
