//! Rules one by one, in small; random events against an oracle in `tests/oracle.rs`.

use super::*;

/// An item that knows what happened to it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Thing {
    number: u64,
    bytes: u32,
    came_by: u16,
    /// Bytes that are left when it is trimmed; 0: it cannot be trimmed.
    trims_to: u32,
    trimmed: Option<bool>,
    /// It can be marked.
    capable: bool,
    marked: bool,
}

impl Thing {
    fn new(number: u64, bytes: u32) -> Self {
        Self { number, bytes, came_by: 0, trims_to: 64, trimmed: None, capable: true, marked: false }
    }
}

impl Item for Thing {
    fn bytes(&self) -> u32 {
        self.bytes
    }
    fn came_by(&self) -> u16 {
        self.came_by
    }
    fn trim(&mut self, last_hop: bool) -> bool {
        let can = self.trims_to > 0 && self.trimmed.is_none();
        if can {
            (self.bytes, self.trimmed) = (self.trims_to, Some(last_hop));
        }
        can
    }
    fn mark(&mut self) -> bool {
        self.marked |= self.capable;
        self.capable
    }
}

/// One port of 100 Gb/s with queue 0 for data, 1 and 2 for reordering, 3 for control.
fn one_port() -> Settings {
    Settings::new(vec![Port::new(Rate::gbps(100), 2)], 1 << 20)
}

fn build(settings: Settings) -> TrafficManager<Thing> {
    TrafficManager::new(settings, 1).unwrap()
}

/// All that leaves from a clock on, to the last: clock, queue, number.
fn drain(tm: &mut TrafficManager<Thing>, mut clock: u64) -> Vec<(u64, u16, u64)> {
    let mut out = Vec::new();
    while let Some(next) = tm.next(clock) {
        clock = next;
        while tm.take_pause(clock).is_some() {}
        out.extend(tm.dequeue(clock).map(|it| (clock, it.queue, it.item.number)));
        clock += 1;
    }
    out
}

#[test]
fn the_higher_queue_goes_first_and_order_holds_in_each() {
    let mut tm = build(one_port());
    for (number, queue) in [(0, 0), (1, 0), (2, 2), (3, 3), (4, 1), (5, 3)] {
        assert_eq!(tm.enqueue(0, 0, queue, Thing::new(number, 1000), None), Verdict::Queued);
    }
    let order: Vec<_> = drain(&mut tm, 0).iter().map(|(_, _, number)| *number).collect();
    assert_eq!(order, [3, 5, 2, 4, 0, 1]);
}

#[test]
fn a_wire_of_100_gbps_carries_25_bytes_in_2_clocks() {
    // The smallest frame takes 84 bytes, 6.72 clocks; 25 of them 168 clocks, never a clock more or less.
    let mut tm = build(one_port());
    for number in 0..251 {
        tm.enqueue(0, 0, 0, Thing::new(number, 60), None);
    }
    let clocks: Vec<u64> = drain(&mut tm, 0).iter().map(|(clock, _, _)| *clock).collect();
    for (number, clock) in clocks.iter().enumerate() {
        assert_eq!(*clock, number as u64 * 84 * 2 / 25);
    }
    assert_eq!(clocks[250], 1680);
}
