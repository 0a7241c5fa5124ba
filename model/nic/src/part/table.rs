//! Tables of connections, by their number.

use std::sync::Arc;

/// Rows for connections up to the highest one in use: memory grows with the connections in use, numbered from
/// 0.
#[derive(Clone, Debug)]
pub struct Table<T> {
    /// The entry of a connection that was never used: the same for all clones.
    unused: Arc<T>,
    rows: Vec<T>,
}

impl<T: Clone> Table<T> {
    /// An empty table; `unused` is the first state of each row.
    pub fn new(unused: T) -> Self {
        Self { unused: Arc::new(unused), rows: Vec::new() }
    }

    /// The state of a connection that the meaning of outcomes depends on.
    #[inline]
    pub fn get(&self, connection: u32) -> &T {
        self.rows.get(connection as usize).unwrap_or(&self.unused)
    }

    /// The row of a connection, to be changed.
    #[inline]
    pub fn row(&mut self, connection: u32) -> &mut T {
        let index = connection as usize;
        if index >= self.rows.len() {
            self.rows.resize(index + 1, T::clone(&self.unused));
        }
        &mut self.rows[index]
    }

    /// Rows that there are.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_with_their_use() {
        let mut table = Table::new(7);
        assert_eq!((*table.get(1_000_000), table.rows()), (7, 0));
        *table.row(2) += 1;
        assert_eq!((*table.get(0), *table.get(2), *table.get(3), table.rows()), (7, 8, 7, 3));
    }
}
