//! Parcels in transit, by time of arrival.

use std::collections::BTreeMap;

/// Parcels in transit. Parcels with the same arrival land in the order of their launches.
#[derive(Clone, Debug)]
pub(crate) struct Flight<P> {
    parcels: BTreeMap<(u64, u64), P>,
    number: u64,
}

impl<P> Flight<P> {
    pub(crate) fn new() -> Self {
        Self { parcels: BTreeMap::new(), number: 0 }
    }

    /// Launches a parcel that arrives at `arrival`.
    pub(crate) fn launch(&mut self, arrival: u64, parcel: P) {
        self.number += 1;
        self.parcels.insert((arrival, self.number), parcel);
    }

    /// Next parcel that has arrived by `now`.
    pub(crate) fn land(&mut self, now: u64) -> Option<P> {
        let first = self.parcels.first_entry().filter(|entry| entry.key().0 <= now);
        first.map(|entry| entry.remove())
    }

    /// Next parcel to arrive, and its time.
    pub(crate) fn pop(&mut self) -> Option<(u64, P)> {
        self.parcels.pop_first().map(|((arrival, _), parcel)| (arrival, parcel))
    }

    /// Time of the next arrival.
    pub(crate) fn next(&self) -> Option<u64> {
        self.parcels.keys().next().map(|(arrival, _)| *arrival)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.parcels.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_to_arrive_is_the_first_and_of_equals_the_first_to_leave() {
        let mut flight = Flight::new();
        for (arrival, parcel) in [(7, 'a'), (5, 'b'), (7, 'c'), (6, 'd')] {
            flight.launch(arrival, parcel);
        }
        assert_eq!((flight.land(4), flight.next()), (None, Some(5)));
        assert_eq!((flight.land(6), flight.land(6), flight.land(6)), (Some('b'), Some('d'), None));
        assert_eq!((flight.pop(), flight.pop(), flight.pop()), (Some((7, 'a')), Some((7, 'c')), None));
        assert!(flight.is_empty());
    }
}
