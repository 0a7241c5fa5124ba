//! The order of packets: keys of time, link and place, and their sort.

/// Number of bits of the place in a buffer, and of the link among the links of a node.
const PLACE: u32 = 20;
const LINK: u32 = 8;

/// Limit of packets in a buffer: a buffer must have fewer.
pub(super) const MOST: usize = 1 << PLACE;

/// The key of a packet that arrives `offset` after the start of its window, by link `link` of its node, at
/// `place` in the buffer. A window is shorter than 2^36 ps.
#[inline]
pub(super) fn key(offset_ps: u64, link: usize, place: usize) -> u64 {
    debug_assert!(link < 1 << LINK && place < 1 << PLACE && offset_ps < 1 << 36);
    offset_ps << (PLACE + LINK) | (link as u64) << PLACE | place as u64
}

/// Link and place of a key.
#[inline]
pub(super) fn place(key: u64) -> (usize, usize) {
    ((key >> PLACE) as usize & ((1 << LINK) - 1), key as usize & ((1 << PLACE) - 1))
}

/// Number of keys below which insertion sort is used.
const FEW: usize = 8;

/// Number of keys, up to 32, from which on the standard library sorts with networks, in half of the time of
/// insertion sort.
const NETWORK: usize = 21;

/// Sorts keys that are all different.
#[inline]
pub(super) fn sort(keys: &mut Vec<u64>) {
    let count = keys.len();
    if count < FEW {
        return insert(keys);
    }
    // Keys that are greater than all others fill up the array.
    keys.resize(count.max(NETWORK), u64::MAX);
    keys.sort_unstable();
    keys.truncate(count);
}

#[inline]
fn insert(keys: &mut [u64]) {
    for at in 1..keys.len() {
        let (key, mut to) = (keys[at], at);
        while to > 0 && keys[to - 1] > key {
            keys[to] = keys[to - 1];
            to -= 1;
        }
        keys[to] = key;
    }
}

/// Number of keys above which buckets are used, and number of buckets.
const MANY: usize = 48;
const BUCKETS: usize = 1024;

/// Sorts many keys whose times are below `length` and spread over a window: into buckets of time, then by
/// insertion.
#[derive(Default)]
pub(super) struct Sorter {
    ends: Vec<u32>,
    other: Vec<u64>,
}

impl Sorter {
    pub(super) fn sort(&mut self, keys: &mut Vec<u64>, length_ps: u64) {
        if keys.len() <= MANY {
            sort(keys);
            return;
        }
        let buckets = keys.len().next_power_of_two().min(BUCKETS);
        let factor = ((buckets as u64) << 24) / length_ps.max(1);
        // With 36 bits of time and a factor that makes the quotient smaller than `buckets`, the product fits.
        let bucket = |key: u64| ((((key >> (PLACE + LINK)) * factor) >> 24) as usize).min(buckets - 1);
        self.ends.clear();
        self.ends.resize(buckets + 1, 0);
        keys.iter().for_each(|key| self.ends[bucket(*key) + 1] += 1);
        for at in 1..self.ends.len() {
            self.ends[at] += self.ends[at - 1];
        }
        self.other.clear();
        self.other.resize(keys.len(), 0);
        for key in keys.iter() {
            let end = &mut self.ends[bucket(*key)];
            self.other[*end as usize] = *key;
            *end += 1;
        }
        insert(&mut self.other);
        std::mem::swap(keys, &mut self.other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_random::Rng;

    #[test]
    fn keys_are_sorted_by_time_link_and_place() {
        let mut rng = Rng::new(7);
        for round in 0..2_000u64 {
            let length = 1 + u64::from(rng.below(2_000_000));
            let count = rng.index(if round % 4 == 0 { 400 } else { 60 });
            let mut keys: Vec<u64> = (0..count)
                .map(|at| key(u64::from(rng.below(length as u32)), rng.index(1 << LINK), at))
                .collect();
            let mut oracle: Vec<(u64, usize, usize)> = keys
                .iter()
                .map(|it| {
                    let (link, at) = place(*it);
                    (it >> (PLACE + LINK), link, at)
                })
                .collect();
            oracle.sort();
            Sorter::default().sort(&mut keys, length);
            let found: Vec<_> = keys.iter().map(|it| place(*it)).collect();
            assert_eq!(found, oracle.iter().map(|it| (it.1, it.2)).collect::<Vec<_>>(), "round {round}");
        }
    }
}
