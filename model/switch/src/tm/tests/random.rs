//! Random events for the oracle, which runs clock by clock, and for the traffic manager, which runs only in
//! the clocks that it names.

use super::oracle::Oracle;
use super::*;
use proptest::prelude::*;

/// An event.
#[derive(Clone, Debug)]
enum Event {
    Enqueue(u16, u16, Thing, Option<(u16, u16)>),
    Pause(u16, u16),
    Resume(u16, u16),
    PeerPause(u16, Pause),
    Wait(u64),
}

fn queue() -> impl Strategy<Value = Queue> {
    let alpha = prop_oneof![Just((1, 1)), Just((1, 16)), Just((8, 1)), Just((1, 2)), Just((2, 3))];
    let limit = prop::option::weighted(0.2, 500u32..4000);
    let reserve = prop_oneof![Just(0u32), 0u32..2000];
    (reserve, limit, alpha, prop::option::weighted(0.8, 2u8..5), any::<bool>()).prop_map(
        |(reserve_bytes, limit_bytes, (numerator, denominator), class, marks)| Queue {
            reserve_bytes,
            limit_bytes,
            alpha: Alpha { numerator, denominator },
            class,
            marks,
            trims: true,
        },
    )
}

fn port() -> impl Strategy<Value = Port> {
    let rate = prop_oneof![Just((25, 2)), Just((25, 8)), Just((50, 1)), Just((7, 3))];
    (rate, prop::collection::vec(queue(), 1..4), any::<bool>(), prop_oneof![1 => Just(0u32), 4 => 1u32..6000])
        .prop_map(|((bytes, clocks), mut queues, is_last_hop, headroom_bytes)| {
            // The last one is for trimmed items.
            queues.push(Queue::CONTROL);
            Port { rate: Rate { bytes, clocks }, queues, is_last_hop, headroom_bytes }
        })
}

fn settings() -> impl Strategy<Value = Settings> {
    let at = prop_oneof![Just(At::Enqueue), Just(At::Dequeue)];
    let over = prop_oneof![Just(Over::Queue), Just(Over::Port)];
    let red =
        (0u32..3000, 0u32..5000, 0u32..=65536, at, over).prop_map(|(kmin_bytes, range, pmax, at, over)| {
            Red { kmin_bytes, kmax_bytes: kmin_bytes + range, pmax, at, over }
        });
    let pfc = (any::<u8>(), 1u32..9, 0u32..1000, 0u32..3000, MIN_QUANTA..600).prop_map(
        |(classes, denominator, reserve_bytes, xon_offset_bytes, quanta)| Pfc {
            classes,
            alpha: Alpha { numerator: 1, denominator },
            reserve_bytes,
            xon_offset_bytes,
            quanta,
        },
    );
    let some = |pfc| prop::option::weighted(0.6, pfc);
    (
        prop::collection::vec(port(), 1..4),
        0u64..30_000,
        prop::option::weighted(0.7, red),
        any::<bool>(),
        some(pfc),
        any::<bool>(),
    )
        .prop_map(|(mut ports, shared, red, trim, pfc, charge_paused)| {
            let last = ports.iter().map(|port| port.queues.len()).min().unwrap_or(1) - 1;
            for port in &mut ports {
                port.queues[last] = Queue::CONTROL;
            }
            let mut settings = Settings { red, pfc, charge_paused, ..Settings::new(ports, u64::MAX) };
            let kept = u64::MAX - settings.shared_bytes().unwrap();
            settings.buffer_bytes = kept + shared;
            settings.trim = trim.then_some(Trim { to_queue: last as u16 });
            settings
        })
}

fn event() -> impl Strategy<Value = Event> {
    let thing = (60u32..1600, 0u16..4, prop_oneof![Just(0u32), Just(64)], any::<bool>()).prop_map(
        |(bytes, came_by, trims_to, capable)| Thing {
            came_by,
            trims_to: trims_to.min(bytes),
            capable,
            ..Thing::new(0, bytes)
        },
    );
    let pause = (any::<u8>(), prop::array::uniform8(prop_oneof![Just(0u16), 0u16..40]))
        .prop_map(|(classes, quanta)| Pause { classes, quanta });
    let on_leave = prop::option::weighted(0.15, (0u16..3, 0u16..4));
    prop_oneof![
        12 => (0u16..4, 0u16..4, thing, on_leave).prop_map(|(p, q, t, l)| Event::Enqueue(p, q, t, l)),
        1 => (0u16..3, 0u16..4).prop_map(|(p, q)| Event::Pause(p, q)),
        1 => (0u16..4, 0u16..4).prop_map(|(p, q)| Event::Resume(p, q)),
        1 => (0u16..4, pause).prop_map(|(p, pause)| Event::PeerPause(p, pause)),
        4 => (1u64..300).prop_map(Event::Wait),
    ]
}

/// The output of a clock.
#[derive(Debug, PartialEq, Eq)]
enum Out {
    Pause(u64, u16, Pause),
    Item(u64, Departure<Thing>),
}

/// All items that leave up to a clock.
fn run(tm: &mut TrafficManager<Thing>, from: u64, to: u64, every_clock: bool) -> Vec<Out> {
    let (mut out, mut clock) = (Vec::new(), from);
    while let Some(at) = if every_clock { Some(clock) } else { tm.next(clock) }.filter(|at| *at < to) {
        let before = out.len();
        while let Some((port, pause)) = tm.take_pause(at) {
            out.push(Out::Pause(at, port, pause));
        }
        out.extend(tm.dequeue(at).map(|it| Out::Item(at, it)));
        // A clock that is named is one in which something leaves.
        assert!(every_clock || out.len() > before);
        clock = at + 1;
    }
    out
}

fn run_oracle(oracle: &mut Oracle, from: u64, to: u64) -> Vec<Out> {
    let mut out = Vec::new();
    for clock in from..to {
        while let Some((port, pause)) = oracle.take_pause(clock) {
            out.push(Out::Pause(clock, port, pause));
        }
        out.extend(oracle.dequeue(clock).map(|it| Out::Item(clock, it)));
    }
    out
}

/// Numbers of the items that have left.
fn numbers(out: &[Out]) -> impl Iterator<Item = u64> {
    out.iter().filter_map(|out| match out {
        Out::Item(_, it) => Some(it.item.number),
        Out::Pause(..) => None,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    /// The traffic manager agrees with the oracle, whether it is called only in the clocks that it names or in
    /// every clock. Every item is exactly one of: inside, departed, dropped.
    #[test]
    fn as_the_oracle_and_with_idle_clocks_skipped(
        settings in settings(),
        seed: u64,
        events in prop::collection::vec(event(), 1..150),
    ) {
        let mut oracle = Oracle::new(settings.clone(), seed);
        let mut tm = TrafficManager::new(settings.clone(), seed).unwrap();
        let mut each = tm.clone();
        let (mut clock, mut came, mut gone) = (0, 0u64, Vec::new());
        for event in events.into_iter().chain([Event::Wait(3000)]) {
            match event {
                Event::Enqueue(port, queue, mut thing, on_leave) => {
                    thing.number = came;
                    came += 1;
                    let verdict = tm.enqueue(clock, port, queue, thing.clone(), on_leave);
                    prop_assert_eq!(each.enqueue(clock, port, queue, thing.clone(), on_leave), verdict);
                    prop_assert_eq!(oracle.enqueue(clock, port, queue, thing, on_leave), verdict);
                    if let Verdict::Dropped(_) = verdict {
                        gone.push(came - 1);
                    }
                }
                Event::Pause(port, queue) => {
                    tm.pause(port, queue);
                    each.pause(port, queue);
                    oracle.pause(port, queue);
                }
                Event::Resume(port, queue) => {
                    tm.resume(port, queue);
                    each.resume(port, queue);
                    oracle.resume(port, queue);
                }
                Event::PeerPause(port, pause) => {
                    tm.peer_pause(clock, port, &pause);
                    each.peer_pause(clock, port, &pause);
                    oracle.peer_pause(clock, port, &pause);
                }
                Event::Wait(clocks) => {
                    let to = clock + clocks;
                    let out = run(&mut tm, clock, to, false);
                    prop_assert_eq!(&run(&mut each, clock, to, true), &out);
                    prop_assert_eq!(&run_oracle(&mut oracle, clock, to), &out);
                    gone.extend(numbers(&out));
                    clock = to;
                }
            }
            prop_assert_eq!(&tm, &each);
            prop_assert_eq!(tm.counters(), &oracle.counters);
            prop_assert_eq!(tm.shared_bytes().0, oracle.used());
            for (port, (waits, load)) in tm.waiting().iter().zip(tm.loads(clock)).enumerate() {
                prop_assert_eq!(u64::from(*waits), oracle.bytes(|it| it.port == port));
                prop_assert_eq!(u64::from(load), oracle.load(clock, port));
            }
        }
        // Every item leaves exactly once.
        gone.extend(oracle.entries.iter().map(|entry| entry.thing.number));
        gone.sort_unstable();
        prop_assert_eq!(gone, (0..came).collect::<Vec<_>>());
        let inside: usize =
            (0..4).flat_map(|port| (0..4).map(move |queue| (port, queue))).map(|(p, q)| tm.queue_items(p, q)).sum();
        let counters = *tm.counters();
        prop_assert_eq!(counters.queued, counters.departed + inside as u64);
        prop_assert_eq!(came, counters.queued + counters.dropped.total());
        // Once all queues are resumed, all items leave, and the buffer is whole.
        for (port, it) in settings.ports.iter().enumerate() {
            for queue in 0..it.queues.len() {
                tm.resume(port as u16, queue as u16);
            }
            tm.peer_pause(clock, port as u16, &Pause { classes: 0xFF, quanta: [0; 8] });
        }
        run(&mut tm, clock, u64::MAX, false);
        prop_assert_eq!(tm.counters().queued, tm.counters().departed);
        prop_assert_eq!(tm.shared_bytes().0, 0);
        prop_assert!(tm.waiting().iter().all(|load| *load == 0));
        prop_assert!(tm.ingress.iter().flatten().all(|account| *account == Account::default()));
    }
}
