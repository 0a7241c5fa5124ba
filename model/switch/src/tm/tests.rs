//! Rules one by one, in small; `tests/random.rs`: random events against the oracle in `tests/oracle.rs`.

mod lossless;
mod oracle;
mod pfc;
mod random;

use super::*;

/// An item that records its own events.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Thing {
    number: u64,
    bytes: u32,
    came_by: u16,
    /// Bytes of the item after trimming; 0: the item cannot be trimmed.
    trims_to: u32,
    trimmed: Option<bool>,
    /// The item is ECN-capable.
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

/// Two ports in, one out, lossless.
fn lossless() -> Settings {
    let ports = vec![Port { headroom_bytes: 5000, ..Port::new(Rate::gbps(100), 0) }; 3];
    let pfc = Pfc { alpha: Alpha::ONE, xon_offset_bytes: 1000, quanta: 1000, ..Pfc::CONWEAVE };
    Settings { pfc: Some(pfc), ..Settings::new(ports, 15_000 + 8000) }
}

fn build(settings: Settings) -> TrafficManager<Thing> {
    TrafficManager::new(settings, 1).unwrap()
}

/// All packets that leave from a clock on: clock, queue, number.
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
    // The smallest frame lasts 84 bytes, 6.72 clocks; 25 such frames last exactly 168 clocks.
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

#[test]
fn other_rates_and_lengths_keep_the_pace_too() {
    for (rate, bytes) in [(Rate { bytes: 7, clocks: 3 }, 1000), (Rate::gbps(400), 61), (Rate::gbps(25), 1)] {
        let mut settings = one_port();
        settings.ports[0].rate = rate;
        let mut tm = build(settings);
        for number in 0..500 {
            tm.enqueue(0, 0, 0, Thing::new(number, bytes), None);
        }
        let on_wire = u64::from((bytes + 24).max(84));
        for (number, (clock, ..)) in drain(&mut tm, 0).iter().enumerate() {
            assert_eq!(*clock, number as u64 * on_wire * u64::from(rate.clocks) / u64::from(rate.bytes));
        }
    }
}

#[test]
fn an_idle_wire_saves_nothing_up() {
    let mut tm = build(one_port());
    tm.enqueue(0, 0, 0, Thing::new(0, 60), None);
    assert_eq!(drain(&mut tm, 0), [(0, 0, 0)]);
    for number in [1, 2] {
        tm.enqueue(1000, 0, 0, Thing::new(number, 60), None);
    }
    // 84 bytes from clock 1000 on are through at 1006.72.
    assert_eq!(drain(&mut tm, 1000), [(1000, 0, 1), (1006, 0, 2)]);
}

#[test]
fn ports_that_are_due_take_turns_one_a_clock() {
    let mut tm = build(Settings::new(vec![Port::new(Rate::gbps(100), 0); 3], 1 << 20));
    for number in 0..9 {
        tm.enqueue(0, (number % 3) as u16, 0, Thing::new(number, 60), None);
    }
    assert_eq!(tm.waiting(), [180, 180, 180]);
    let mut ports = Vec::new();
    for clock in 0..16 {
        ports.extend(tm.dequeue(clock).map(|it| (clock, it.port, it.waiting, it.since)));
    }
    // The first frame is due again after 6.72 clocks, each other frame a clock later: it began a clock later.
    let clocks = [0, 1, 2, 6, 7, 8, 13, 14, 15];
    let expected = clocks.iter().zip([0, 1, 2].iter().cycle()).zip([120, 120, 120, 60, 60, 60, 0, 0, 0]);
    let expected: Vec<_> = expected.map(|((clock, port), waiting)| (*clock, *port, waiting, 0)).collect();
    assert_eq!(ports, expected);
}

#[test]
fn the_turn_is_behind_the_port_that_was_served_last() {
    // Every port is due in every clock.
    let rate = Rate { bytes: 84, clocks: 1 };
    let mut tm = build(Settings::new(vec![Port::new(rate, 0); 3], 1 << 20));
    for number in 0..9 {
        tm.enqueue(0, (number / 3) as u16, 0, Thing::new(number, 60), None);
    }
    let numbers: Vec<_> = drain(&mut tm, 0).iter().map(|(_, _, number)| *number).collect();
    assert_eq!(numbers, [0, 3, 6, 1, 4, 7, 2, 5, 8]);
}

#[test]
fn a_paused_queue_keeps_what_it_has_and_gives_it_in_order() {
    let mut tm = build(one_port());
    tm.pause(0, 1);
    for number in 0..4 {
        tm.enqueue(0, 0, 1, Thing::new(number, 1000), None);
    }
    assert_eq!((tm.next(0), tm.dequeue(5)), (None, None));
    assert!(tm.is_paused(0, 1) && !tm.is_paused(0, 0));
    tm.enqueue(10, 0, 0, Thing::new(9, 60), None);
    assert_eq!(tm.dequeue(10).unwrap().item.number, 9);
    tm.resume(0, 1);
    let order: Vec<_> = drain(&mut tm, 11).iter().map(|(_, _, number)| *number).collect();
    assert_eq!(order, [0, 1, 2, 3]);
}

/// ConWeave: when the TAIL leaves, it resumes the reorder queue. No item behind the TAIL in the default queue
/// leaves in between (paper section 3.3.2, figure 9).
#[test]
fn what_leaves_resumes_a_queue_in_the_same_clock() {
    let mut tm = build(one_port());
    tm.pause(0, 1);
    tm.enqueue(0, 0, 1, Thing::new(10, 1000), None);
    tm.enqueue(0, 0, 1, Thing::new(11, 1000), None);
    tm.enqueue(0, 0, 0, Thing::new(0, 1000), None);
    tm.enqueue(0, 0, 0, Thing::new(1, 1000), Some((0, 1)));
    tm.enqueue(0, 0, 0, Thing::new(2, 1000), None);
    assert_eq!(tm.dequeue(0).unwrap().resumed, None);
    assert!(tm.is_paused(0, 1));
    let tail = tm.dequeue(tm.next(1).unwrap()).unwrap();
    assert_eq!((tail.item.number, tail.resumed), (1, Some((0, 1))));
    assert!(!tm.is_paused(0, 1));
    let order: Vec<_> = drain(&mut tm, 0).iter().map(|(_, queue, number)| (*queue, *number)).collect();
    assert_eq!(order, [(1, 10), (1, 11), (0, 2)]);
    assert_eq!(tm.counters().resumed_on_leave, 1);
}

#[test]
fn what_leaves_can_resume_a_queue_of_another_port_in_its_clock() {
    let mut tm = build(Settings::new(vec![Port::new(Rate::gbps(100), 1); 2], 1 << 20));
    tm.pause(1, 1);
    tm.enqueue(0, 1, 1, Thing::new(5, 60), None);
    tm.enqueue(0, 0, 0, Thing::new(0, 60), Some((1, 1)));
    assert_eq!(drain(&mut tm, 3), [(3, 0, 0), (4, 1, 5)]);
}

#[test]
fn a_resume_is_lost_with_its_item() {
    let mut tm = build(one_port());
    tm.pause(0, 1);
    assert_eq!(tm.enqueue(0, 0, 9, Thing::new(0, 60), Some((0, 1))), Verdict::Dropped(Cause::NoQueue));
    assert_eq!(tm.enqueue(0, 1, 0, Thing::new(0, 60), None), Verdict::Dropped(Cause::NoQueue));
    tm.resume(0, 9);
    tm.pause(9, 0);
    tm.peer_pause(0, 9, &Pause::default());
    assert!(tm.is_paused(0, 1));
    let counters = tm.counters();
    assert_eq!((counters.lost_resumes, counters.no_queue, counters.dropped.of(Cause::NoQueue)), (1, 3, 2));
}

/// Fills a queue with items of one byte. Returns the number of accepted items.
fn fill(tm: &mut TrafficManager<Thing>, port: u16) -> u64 {
    let thing = || Thing { trims_to: 0, ..Thing::new(0, 1) };
    (0..).find(|_| tm.enqueue(0, port, 0, thing(), None) == Verdict::Dropped(Cause::Threshold)).unwrap()
}

/// Fills one queue, then a second, of a buffer of `buffer` bytes.
fn shares(buffer: u64, numerator: u32, denominator: u32, reserve_bytes: u32) -> (u64, u64) {
    let mut settings = Settings::new(vec![Port::new(Rate::gbps(100), 0); 2], buffer);
    for port in &mut settings.ports {
        port.queues = vec![Queue { alpha: Alpha { numerator, denominator }, reserve_bytes, ..Queue::DATA }];
    }
    let mut tm = build(settings);
    (fill(&mut tm, 0), fill(&mut tm, 1))
}

/// Choudhury and Hahne: a single queue gets alpha / (1 + alpha) of the buffer, and the next queue gets the
/// same share of the rest. The last byte is requested when all before are held, hence q bytes are held if q
/// <= alpha (B
/// - (q - 1)).
#[test]
fn thresholds_to_the_byte() {
    assert_eq!(shares(1000, 1, 1, 0), (500, 250));
    assert_eq!(shares(999, 1, 1, 0), (500, 250));
    assert_eq!(shares(998, 1, 1, 0), (499, 250));
    assert_eq!(shares(9000, 8, 1, 0), (8000, 889));
    assert_eq!(shares(1700, 1, 16, 0), (100, 94));
    assert_eq!(shares(1699, 1, 16, 0), (100, 94));
    assert_eq!(shares(1698, 1, 16, 0), (99, 94));
    // 100 bytes each of their own, on top.
    assert_eq!(shares(1200, 1, 1, 100), (600, 350));
    assert_eq!(shares(200, 1, 1, 100), (100, 100));
    assert_eq!(shares(0, 1, 1, 0), (0, 0));
}

#[test]
fn an_item_that_meets_its_threshold_to_the_byte_gets_in() {
    let tried = |bytes| {
        let mut tm = build(Settings::new(vec![Port::new(Rate::gbps(100), 0)], 3000));
        tm.enqueue(0, 0, 0, Thing::new(0, 1000), None);
        tm.enqueue(0, 0, 0, Thing { trims_to: 0, ..Thing::new(1, bytes) }, None)
    };
    // 2000 are free.
    assert_eq!(tried(1000), Verdict::Queued);
    assert_eq!(tried(1001), Verdict::Dropped(Cause::Threshold));
}

#[test]
fn a_limit_is_never_exceeded() {
    let mut settings = one_port();
    settings.ports[0].queues[0].limit_bytes = Some(2500);
    let mut tm = build(settings);
    for (bytes, verdict) in
        [(1000, Verdict::Queued), (1501, Verdict::Dropped(Cause::Limit)), (1500, Verdict::Queued)]
    {
        assert_eq!(tm.enqueue(0, 0, 0, Thing::new(0, bytes), None), verdict);
    }
    assert_eq!((tm.queue_bytes(0, 0), tm.queue_peak_bytes(0, 0), tm.queue_items(0, 0)), (2500, 2500, 2));
}

#[test]
fn what_does_not_fit_is_trimmed_and_overtakes() {
    for is_last_hop in [false, true] {
        let mut settings = Settings { trim: Some(Trim { to_queue: 3 }), ..one_port() };
        settings.ports[0].is_last_hop = is_last_hop;
        settings.ports[0].queues[0].limit_bytes = Some(1000);
        settings.ports[0].queues[3].limit_bytes = Some(100);
        let mut tm = build(settings);
        assert_eq!(tm.enqueue(0, 0, 0, Thing::new(0, 1000), None), Verdict::Queued);
        assert_eq!(tm.enqueue(0, 0, 0, Thing::new(1, 1000), Some((0, 1))), Verdict::Trimmed);
        // There is space for one item. This item has no trimmed size, and control packets stay whole.
        let whole = Thing { trims_to: 0, ..Thing::new(3, 1000) };
        assert_eq!(tm.enqueue(0, 0, 0, Thing::new(2, 1000), None), Verdict::Dropped(Cause::Trimmed));
        assert_eq!(tm.enqueue(0, 0, 0, whole, None), Verdict::Dropped(Cause::Limit));
        assert_eq!(tm.enqueue(0, 0, 3, Thing::new(4, 1000), None), Verdict::Dropped(Cause::Limit));
        let first = tm.dequeue(0).unwrap();
        assert_eq!((first.queue, first.item.number, first.resumed), (3, 1, Some((0, 1))));
        assert_eq!((first.item.bytes, first.item.trimmed), (64, Some(is_last_hop)));
        assert_eq!((tm.counters().trimmed, tm.counters().dropped.total()), (1, 3));
    }
}

/// A queue with items of 1000 bytes; the result says which items leave marked.
fn marked(red: Red, items: u64, capable: bool) -> (Vec<u64>, TrafficManager<Thing>) {
    let mut settings = Settings { red: Some(red), buffer_bytes: 1 << 40, ..one_port() };
    settings.ports[0].queues[0].limit_bytes = None;
    let mut tm = build(settings);
    for number in 0..items {
        tm.enqueue(0, 0, 0, Thing { capable, ..Thing::new(number, 1000) }, None);
    }
    let (mut marked, mut clock) = (Vec::new(), 0);
    while let Some(next) = tm.next(clock) {
        let departure = tm.dequeue(next).unwrap();
        assert_eq!(departure.marked, departure.item.marked);
        marked.extend(departure.marked.then_some(departure.item.number));
        clock = next;
    }
    assert_eq!(tm.counters().marked, marked.len() as u64);
    (marked, tm)
}

#[test]
fn up_to_kmin_none_and_above_kmax_all_are_marked_without_a_draw() {
    // Kmin = Kmax = 4 items: at enqueue an item that finds 5 or more is marked, at dequeue one that leaves as many.
    let red = Red { kmin_bytes: 4000, kmax_bytes: 4000, pmax: 65536, at: At::Enqueue, over: Over::Queue };
    let (at_enqueue, tm) = marked(red, 8, true);
    assert_eq!((at_enqueue, &tm.random), (vec![5, 6, 7], &Rng::new(1)));
    let (at_dequeue, tm) = marked(Red { at: At::Dequeue, ..red }, 8, true);
    assert_eq!((at_dequeue, &tm.random), (vec![0, 1, 2], &Rng::new(1)));
    assert_eq!(marked(red, 8, false).0, []);
    // The limit is exact to the byte.
    assert_eq!(marked(Red { kmin_bytes: 3999, kmax_bytes: 3999, ..red }, 8, true).0, [4, 5, 6, 7]);
    // At Kmax itself the probability is Pmax.
    assert_eq!(marked(Red { kmin_bytes: 3999, ..red }, 8, true).0, [4, 5, 6, 7]);
    assert_eq!(marked(Red { kmin_bytes: 3999, pmax: 0, ..red }, 8, true).0, [5, 6, 7]);
}

#[test]
fn between_the_thresholds_the_probability_grows_evenly() {
    let red = Red { pmax: 13_107, ..Red::CONWEAVE };
    let mut random = Rng::new(7);
    let draws = 200_000;
    for eighth in 1..=8 {
        let depth = red.kmin_bytes + (red.kmax_bytes - red.kmin_bytes) / 8 * eighth;
        let hits = (0..draws).filter(|_| red.marks(depth, &mut random)).count() as f64;
        // Binomial: within five deviations.
        let p = 0.2 * f64::from(eighth) / 8.0;
        let (mean, deviation) = (f64::from(draws) * p, (f64::from(draws) * p * (1.0 - p)).sqrt());
        assert!((hits - mean).abs() < 5.0 * deviation, "{hits} of {mean} at {depth}");
    }
}

#[test]
fn control_is_never_marked_nor_counts() {
    let red = Red { kmin_bytes: 0, kmax_bytes: 0, pmax: 0, at: At::Enqueue, over: Over::Port };
    let mut tm = build(Settings { red: Some(red), ..one_port() });
    for queue in [3, 3, 3, 0, 1] {
        tm.enqueue(0, 0, queue, Thing::new(0, 100), None);
    }
    // Queue 0 found only control before its item; queue 1 found queue 0.
    assert_eq!(tm.counters().marked, 1);
}

/// ConWeave's simulation neither charges packets in reorder queues nor counts them for marking. In the paper
/// these packets are in the switch's buffer.
#[test]
fn what_is_paused_is_charged_at_once_or_when_it_is_resumed() {
    let red = Red { kmin_bytes: 1000, kmax_bytes: 1000, pmax: 0, at: At::Enqueue, over: Over::Port };
    for charge_paused in [true, false] {
        let mut tm = build(Settings { red: Some(red), charge_paused, ..one_port() });
        tm.enqueue(0, 0, 1, Thing::new(0, 700), None);
        tm.pause(0, 1);
        tm.enqueue(0, 0, 1, Thing::new(1, 700), None);
        let held = if charge_paused { 1400 } else { 700 };
        assert_eq!((tm.shared_bytes(), tm.waiting()[0]), ((held, held), 1400));
        tm.enqueue(0, 0, 0, Thing::new(2, 60), None);
        assert_eq!(tm.counters().marked, u64::from(charge_paused));
        tm.resume(0, 1);
        assert_eq!(tm.shared_bytes(), (1460, 1460));
        tm.enqueue(0, 0, 0, Thing::new(3, 60), None);
        assert_eq!(tm.counters().marked, 1 + u64::from(charge_paused));
        drain(&mut tm, 0);
        assert_eq!(tm.shared_bytes().0, 0);
    }
}

#[test]
fn bad_settings_are_refused_in_a_line() {
    let with = |change: fn(&mut Settings)| {
        let mut settings = lossless();
        change(&mut settings);
        TrafficManager::<Thing>::new(settings, 0).map(|_| ()).unwrap_err().to_string()
    };
    let says = [
        with(|it| it.ports.clear()),
        with(|it| it.ports[1].rate.bytes = 0),
        with(|it| it.ports[1].rate.clocks = 0),
        with(|it| it.ports[0].queues.clear()),
        with(|it| it.ports[0].queues = vec![Queue::DATA; 65]),
        with(|it| it.ports[0].queues[1].alpha.denominator = 0),
        with(|it| it.ports[0].queues[0].class = Some(8)),
        with(|it| it.trim = Some(Trim { to_queue: 2 })),
        with(|it| it.trim = Some(Trim { to_queue: 0 })),
        with(|it| it.red = Some(Red { kmin_bytes: 400_001, ..Red::CONWEAVE })),
        with(|it| it.red = Some(Red { pmax: 65_537, ..Red::CONWEAVE })),
        with(|it| it.pfc = Some(Pfc { quanta: MIN_QUANTA - 1, ..Pfc::CONWEAVE })),
        with(|it| it.pfc = Some(Pfc { alpha: Alpha { numerator: 1, denominator: 0 }, ..Pfc::CONWEAVE })),
        with(|it| it.buffer_bytes = 14_999),
    ];
    let expected = [
        "0 ports; a switch has 1 to 65535",
        "port 1: the rate has 0 bytes or 0 clocks; use at least 1 of each",
        "port 1: the rate has 0 bytes or 0 clocks; use at least 1 of each",
        "port 0: 0 queues; a port has 1 to 64",
        "port 0: 65 queues; a port has 1 to 64",
        "port 0, queue 1: alpha's denominator is 0; use 1 or more",
        "port 0, queue 0: class 8; classes are 0 to 7",
        "port 0: queue 2 for trimmed packets does not exist or trims itself",
        "port 0: queue 0 for trimmed packets does not exist or trims itself",
        "ECN: Kmin 400001 is above Kmax 400000",
        "ECN: Pmax 65537 is above 65536, which is a probability of 1",
        "PFC: 515 quanta; a pause has at least 516",
        "PFC: alpha's denominator is 0; use 1 or more",
        "reserves and headroom need 15000 bytes, and the buffer has 14999; use a larger buffer",
    ];
    assert_eq!(says, expected);
}

#[test]
fn conweaves_numbers_are_possible() {
    let mut ports = vec![Port::new(Rate::gbps(100), 2); 32];
    for port in &mut ports {
        port.headroom_bytes = 27_096;
    }
    let settings = Settings {
        red: Some(Red::CONWEAVE),
        pfc: Some(Pfc::CONWEAVE),
        ..Settings::new(ports, Settings::CONWEAVE_BUFFER_BYTES)
    };
    assert_eq!(settings.shared_bytes(), Ok((9 << 20) - 32 * 27_096));
}
