//! Numbers and positions of hosts.
//!
//! A user gives hosts their numbers: those of a topology file, of flows, of ranks. The engine gives hosts
//! their positions, and the hosts of an edge switch have consecutive positions.

use std::sync::Arc;

/// The order of the hosts over the edge switches. By default each host's position is its number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// The number at each position; empty by default.
    numbers: Arc<[u32]>,
    /// The position of each number; empty by default.
    positions: Arc<[u32]>,
}

impl Order {
    /// The order of so many hosts: their numbers, those of the first edge switch first. An empty list is the
    /// default. The error says what is wrong with the list.
    pub fn new(numbers: &[u32], hosts: u32) -> Result<Self, String> {
        if numbers.is_empty() {
            return Ok(Self::default());
        }
        if numbers.len() != hosts as usize {
            return Err(format!("{} hosts are not possible; the network has {hosts}", numbers.len()));
        }
        let mut positions = vec![u32::MAX; numbers.len()];
        for (position, number) in (0..).zip(numbers) {
            match positions.get_mut(*number as usize) {
                Some(free) if *free == u32::MAX => *free = position,
                Some(_) => return Err(format!("host {number} is given twice")),
                None => {
                    return Err(format!("there is no host {number}; use each of 0 to {} once", hosts - 1));
                }
            }
        }
        Ok(Self { numbers: numbers.into(), positions: positions.into() })
    }

    /// The number of the host at a position.
    pub fn number(&self, position: u32) -> u32 {
        self.numbers.get(position as usize).copied().unwrap_or(position)
    }

    /// The position of the host with a number.
    pub fn position(&self, number: u32) -> u32 {
        self.positions.get(number as usize).copied().unwrap_or(number)
    }

    /// The positions of a source and a destination.
    pub fn ends(&self, source: u32, destination: u32) -> [u32; 2] {
        [self.position(source), self.position(destination)]
    }

    /// The entries of hosts in the order of their numbers, from those in the order of positions.
    pub fn by_number<'a, T>(&self, entries: &'a [T]) -> Vec<&'a T> {
        (0..entries.len() as u32).map(|number| &entries[self.position(number) as usize]).collect()
    }
}
