//! The times at which the timers of connections expire, for the transaction views. The cost is independent of
//! ticks and of the number of connections.

use crate::part::table::Table;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// No time.
const NEVER: u64 = u64::MAX;

/// One time per connection, which may be too early: the true time is computed when this time is reached.
#[derive(Clone, Debug)]
pub(crate) struct Deadlines {
    /// Times and connections; those that do not agree with `at` are void.
    heap: BinaryHeap<Reverse<(u64, u32)>>,
    at: Table<u64>,
}

impl Deadlines {
    pub(crate) fn new() -> Self {
        Self { heap: BinaryHeap::new(), at: Table::new(NEVER) }
    }

    /// Sets the time of a connection, or removes it. A later time than the stored one needs no work: the true
    /// time is computed when the stored one is reached.
    pub(crate) fn set(&mut self, connection: u32, due: Option<u64>) {
        let Some(due) = due.filter(|due| due < self.at.get(connection)) else { return };
        *self.at.row(connection) = due;
        self.heap.push(Reverse((due, connection)));
    }

    /// A connection that is due by now: the connection that [`Self::next`] returns.
    #[inline]
    pub(crate) fn by(&mut self, now: u64, due: impl Fn(u32) -> Option<u64>) -> Option<u32> {
        // A deadline that is known is never too late.
        self.heap.peek().filter(|Reverse((time, _))| *time <= now)?;
        self.next(due).filter(|(time, _)| *time <= now).map(|(_, connection)| connection)
    }

    /// The next time and its connection; if several are due together, the lowest connection. `due` says when
    /// a connection is due.
    pub(crate) fn next(&mut self, due: impl Fn(u32) -> Option<u64>) -> Option<(u64, u32)> {
        while let Some(&Reverse((time, connection))) = self.heap.peek() {
            let known = *self.at.get(connection) == time;
            let truly = if known { due(connection) } else { None };
            if known && truly == Some(time) {
                return Some((time, connection));
            }
            self.heap.pop();
            if known {
                *self.at.row(connection) = NEVER;
                self.set(connection, truly);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_true_times_come_in_order() {
        let mut deadlines = Deadlines::new();
        let mut truly = [Some(30), Some(10), None, Some(10)];
        for (connection, due) in (0..).zip(truly) {
            deadlines.set(connection, due);
        }
        assert_eq!(deadlines.next(|it| truly[it as usize]), Some((10, 1)));
        // A later deadline is not reported; earlier and new ones are.
        truly[1] = Some(40);
        assert_eq!(deadlines.by(9, |_| panic!("nothing is known to be due")), None);
        assert_eq!(deadlines.by(10, |it| truly[it as usize]), Some(3));
        assert_eq!(deadlines.next(|it| truly[it as usize]), Some((10, 3)));
        truly = [Some(20), Some(40), Some(25), None];
        deadlines.set(0, truly[0]);
        deadlines.set(2, truly[2]);
        let mut order = Vec::new();
        while let Some((time, connection)) = deadlines.next(|it| truly[it as usize]) {
            order.push((time, connection));
            truly[connection as usize] = None;
        }
        assert_eq!(order, [(20, 0), (25, 2), (40, 1)]);
    }
}
