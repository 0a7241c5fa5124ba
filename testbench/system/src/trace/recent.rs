//! Packets that were seen recently, in memory that does not grow with the capture.

use std::collections::HashMap;
use std::hash::Hash;

/// Minimum number of packets that are remembered: more than a host sends before it gives up a packet.
pub(super) const PACKETS: usize = 1 << 20;

/// A map of the last [`PACKETS`] keys that were written. The map forgets older keys and has at most twice as
/// many.
pub(super) struct Recent<K, V> {
    new: HashMap<K, V>,
    old: HashMap<K, V>,
    keep: usize,
}

impl<K, V> Default for Recent<K, V> {
    fn default() -> Self {
        Self { new: HashMap::new(), old: HashMap::new(), keep: PACKETS }
    }
}

impl<K: Eq + Hash, V> Recent<K, V> {
    pub(super) fn get(&self, key: &K) -> Option<&V> {
        self.new.get(key).or_else(|| self.old.get(key))
    }

    pub(super) fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        self.new.get_mut(key).or_else(|| self.old.get_mut(key))
    }

    /// Inserts a value. Returns the earlier value.
    pub(super) fn insert(&mut self, key: K, value: V) -> Option<V> {
        let old = self.old.remove(&key);
        let before = self.new.insert(key, value).or(old);
        if self.new.len() == self.keep {
            std::mem::swap(&mut self.new, &mut self.old);
            self.new.clear();
        }
        before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_does_not_grow_and_the_latest_is_there() {
        let mut recent = Recent { keep: 100, ..Recent::default() };
        for key in 0..10_000_u32 {
            assert_eq!(recent.insert(key, key + 1), None);
            assert_eq!(recent.insert(key, key), Some(key + 1));
            assert!(recent.new.len() + recent.old.len() <= 200);
            // The last hundred keys are remembered.
            let first = (key + 1).saturating_sub(100);
            assert_eq!((recent.get(&first), recent.get(&key)), (Some(&first), Some(&key)));
        }
        assert!(recent.get(&9_000).is_none() && recent.get_mut(&9_950).is_some());
    }
}
