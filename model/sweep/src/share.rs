//! The part of a sweep that one of several machines does.

use crate::points::Point;
use anyhow::{Result, ensure};
use std::str::FromStr;

/// Every `of`-th run, from number `from` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    from: usize,
    of: usize,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/').and_then(|(from, of)| Some((from.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((from, of)) if (1..=of).contains(&from) => Ok(Self { from, of }),
            _ => Err("a shard is I/N, with I from 1 to N".into()),
        }
    }
}

/// Selects the runs of a number or of a shard.
pub fn of(points: Vec<Point>, number: Option<usize>, shard: Option<Shard>) -> Result<Vec<Point>> {
    let count = points.len();
    if let Some(number) = number {
        ensure!(
            (1..=count).contains(&number),
            "--point {number}: the sweep has runs 1 to {count}; --list prints them"
        );
    }
    let is_wanted = |at: usize| {
        number.is_none_or(|number| at == number)
            && shard.is_none_or(|Shard { from, of }| at % of == from % of)
    };
    Ok((1..).zip(points).filter(|(at, _)| is_wanted(*at)).map(|(_, point)| point).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_said_as_a_part_of_a_whole() {
        assert_eq!("2/3".parse(), Ok(Shard { from: 2, of: 3 }));
        for wrong in ["", "2", "0/3", "4/3", "1/0", "a/b", "1/2/3"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
