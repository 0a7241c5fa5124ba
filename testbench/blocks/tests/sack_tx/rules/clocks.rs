//! Rules on clocks: the line, visibility between events, the block's own events, latency, back-pressure,
//! resets.

use crate::rules::bench::{Act, Script, counters, run};
use crate::rules::steps::{Ledger, Step, ack, any, close, nack, open, open_with, post, window};
use crate::rules::{CSR, GAP, MTU};
use verilator_sys::Reset;
use weft_bench::script::{ALWAYS, Ready, run_alone};
use weft_bench::{Rtl, Subject, build};
use weft_blocks::sack_tx::Dut;
use weft_nic::block::sack_tx::{Clocked, Event, Inputs, Kind, LATENCY, Outcome, PUBLISHED_AFTER, Reason};
use weft_params::SackParams;

/// Number of clocks after which the block has only its own events.
const FAR: u32 = LATENCY as u32 + 4;

/// Events of steps that are offered.
fn events(steps: &[Step]) -> Vec<Event> {
    let mut ledger = Ledger::default();
    let event = |step: &Step| match ledger.place(step).act {
        crate::rules::steps::Act::Offer(event) => Some(event),
        _ => None,
    };
    steps.iter().filter_map(event).collect()
}

fn offers(steps: &[Step]) -> Vec<Act> {
    events(steps).into_iter().map(Act::Offer).collect()
}

/// Sends among the outcomes.
fn sends(script: &Script) -> Vec<&Outcome> {
    script.answers.iter().filter(|outcome| outcome.kind == Kind::Send).collect()
}

/// Clock in which the event of this outcome entered.
fn entered(script: &Script, outcome: impl Fn(&Outcome) -> bool) -> u64 {
    let index = script.answers.iter().position(outcome).expect("such an outcome");
    script.taken[index] - LATENCY as u64
}

#[test]
fn rule_01_the_sweep() {
    // The reset is clock 0. Then the sweep closes a connection per clock, the last one as in rule 18.
    let script = run([vec![Act::Configure(CSR)], offers(&[open(0)])].concat(), ALWAYS);
    assert_eq!(script.accepted, [256 + PUBLISHED_AFTER as u64]);
}

#[test]
fn rule_16_everybody_in_turn() {
    // Nine connections are in line at once, one of them with a wider window than the others.
    let each = |step: fn(u32) -> Step| (0..9).flat_map(|n| offers(&[step(n).of(40 + n)])).collect::<Vec<_>>();
    let opened = each(|n| open_with(100 * n, 0));
    let first = each(|_| post(50));
    let wide = each(|_| window(60 * MTU));
    let wait = Act::Idle(2_000);
    let acts = [vec![Act::Configure(CSR)], opened, first, vec![wait], wide, vec![wait]].concat();
    let script = run(acts, ALWAYS);
    let order: Vec<(u32, u32)> = sends(&script).iter().map(|sent| (sent.connection - 40, sent.psn)).collect();
    // Connections send round by round, in the order in which they came.
    let expected: Vec<_> = (0..50).flat_map(|round| (0..9).map(move |n| (n, 100 * n + round))).collect();
    assert_eq!(order, expected);
}

/// Rule 16, with the OPEN at every distance behind the event that puts the connection in line.
#[test]
fn rule_16_a_turn_of_before_is_forfeit() {
    let mut forfeited = 0;
    for distance in 1..3 * FAR {
        let before = [open(0), post(7)];
        let wait = if distance > 1 { vec![Act::Idle(distance - 1)] } else { vec![] };
        // The PSN is the same, so the packet of the earlier opening would fit.
        let after = [open(0), post(1), post(2)];
        let acts =
            [vec![Act::Configure(CSR)], offers(&before), wait, offers(&after), vec![Act::Idle(9 * FAR)]];
        let script = run(acts.concat(), ALWAYS);
        let opened = script.answers.iter().rposition(|outcome| outcome.kind == Kind::Open).expect("an OPEN");
        let turns = script.answers[opened..].iter().filter(|outcome| outcome.kind == Kind::Send);
        let sent: Vec<_> =
            turns.clone().filter(|turn| turn.send).map(|turn| (turn.psn, turn.fresh, turn.last)).collect();
        forfeited += turns.count() - sent.len();
        assert_eq!(sent, [(0, true, true), (1, true, false), (2, true, true)], "{distance} clocks");
    }
    assert!(forfeited > 5, "{forfeited} turns were forfeit");
}

/// Rule 18: an event sees the events that entered `PUBLISHED_AFTER` clocks before it or earlier. Visibility
/// changes only the reason that an event without effect reports.
#[test]
fn rule_18_what_an_event_sees() {
    let begin = [vec![Act::Configure(CSR)], offers(&[open(0), post(9)]), vec![Act::Await(11)]].concat();
    for distance in 1..FAR {
        let late = if distance >= PUBLISHED_AFTER as u32 { Reason::Stale } else { Reason::None };
        let wait = (distance > 1).then_some(Act::Idle(distance - 1));
        for (first, second, reason, acked) in [
            (ack(2, &[]), nack(0), late, 0),
            (ack(2, &[]), ack(1, &[0]), late, 0),
            (ack(2, &[]), ack(1, &[0, 4]), late, 1),
            // A PSN counts once in any case.
            (ack(2, &[]), ack(4, &[]), Reason::None, 2),
            (ack(0, &[1, 3]), ack(0, &[1, 2, 3]), Reason::None, 1),
            (ack(2, &[]), ack(2, &[]), Reason::None, 0),
        ] {
            let first = [begin.clone(), vec![Act::Idle(FAR)], offers(&[first])].concat();
            let second = [offers(&[second]), vec![Act::Idle(2 * FAR)]].concat();
            let script = run(first.into_iter().chain(wait).chain(second), ALWAYS);
            let [.., one, two] = script.accepted[..] else { unreachable!("two events") };
            assert_eq!(two - one, u64::from(distance));
            let index = script.taken.iter().position(|&taken| taken == two + LATENCY as u64);
            let outcome = script.answers[index.expect("an outcome")];
            assert_eq!((outcome.reason, outcome.acked), (reason, acked), "{distance} clocks");
        }
    }
}

/// Rule 18: an ACK of a packet that left less than `PUBLISHED_AFTER` clocks ago. No real answer arrives that
/// early.
#[test]
fn rule_18_a_packet_that_is_just_leaving() {
    let begin = [vec![Act::Configure(CSR)], offers(&[open(0), post(1)])].concat();
    let script = run([begin.clone(), vec![Act::Idle(3 * FAR)]].concat(), ALWAYS);
    let left = entered(&script, |outcome| outcome.send);
    let posted = script.accepted[1];
    for distance in 1..FAR {
        let idle = left - posted + u64::from(distance) - 1;
        let acts =
            [begin.clone(), vec![Act::Idle(idle as u32)], offers(&[ack(1, &[])]), vec![Act::Idle(FAR)]];
        let script = run(acts.concat(), ALWAYS);
        assert_eq!(script.accepted[2], left + u64::from(distance));
        let answer = script.answers.iter().find(|outcome| outcome.kind == Kind::Ack).expect("an outcome");
        let sees = distance >= PUBLISHED_AFTER as u32;
        let expected = if sees { (Reason::None, 1, 1) } else { (Reason::NeverSent, 0, 0) };
        assert_eq!((answer.reason, answer.acked, answer.completed), expected, "{distance} clocks");
    }
}

/// Rule 18: after an OPEN or CLOSE no event enters before it is published.
#[test]
fn rule_18_an_open_or_close_keeps_others_out() {
    let other = open(9).of(6);
    let steps = [open(0), window(1), nack(1), close(), window(2), other, window(3), window(4)];
    let script = run([vec![Act::Configure(CSR)], offers(&steps)].concat(), ALWAYS);
    let after = PUBLISHED_AFTER as u64;
    let gaps: Vec<u64> = script.accepted.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert_eq!(gaps, [after, 1, 1, after, 1, after, 1]);
}

/// Clocks from the last packet of a connection's turn to the first packet of its next turn, if no other
/// connection is in line.
const TURN: u64 = 31;

/// Rule 19: own events enter at most in every second clock, with space for outside events between them.
#[test]
fn rule_19_own_events_in_every_second_clock() {
    let begin = (0..64).flat_map(|connection| offers(&[open(0).of(connection), post(900).of(connection)]));
    let events = (0..3_000).map(|n| Act::Offer(events(&[ack(0, &[]).of(64 + n % 64)])[0]));
    let acts = [Act::Configure(CSR)].into_iter().chain(begin).chain(events).chain([Act::Idle(FAR)]);
    let script = run(acts, ALWAYS);
    let own = |index: &usize| script.answers[*index].kind == Kind::Send;
    let clocks: Vec<u64> = (0..script.answers.len()).filter(own).map(|index| script.taken[index]).collect();
    assert!(clocks.windows(2).all(|pair| pair[1] >= pair[0] + 2));
    // With 64 connections that have packets to send, every second clock has an own event.
    let busy = &script.accepted[script.accepted.len() - 2_000..];
    let sends =
        clocks.iter().filter(|&clock| (busy[0] + 31..busy[1_999] + 31).contains(clock)).count() as u64;
    let clocks = busy[1_999] - busy[0];
    assert!(clocks.abs_diff(2 * 2_000) < 10 && sends.abs_diff(2_000) < 10, "{clocks} {sends}");
}

#[test]
fn rule_19_one_connection_alone() {
    let acts = [vec![Act::Configure(CSR)], offers(&[open(0), post(40)]), vec![Act::Await(42)]].concat();
    let script = run(acts, ALWAYS);
    let gaps: Vec<u64> = script.taken[2..].windows(2).map(|pair| pair[1] - pair[0]).collect();
    // From the second turn on, the previous turn is the connection's own, so the connection has two packets.
    let expected: Vec<u64> = [TURN, 2].into_iter().cycle().take(gaps.len()).collect();
    assert_eq!(gaps, expected);
}

/// Rule 19: the scanner reads every timer once in as many clocks as there are connections.
#[test]
fn rule_19_a_round_of_the_scanner() {
    let csr = CSR.with_retries(15);
    let armed = |connection: u32| offers(&[open(0).of(connection), post(1).of(connection)]);
    for connections in [1, 256] {
        let begin: Vec<Act> = (0..connections).flat_map(armed).collect();
        let expired = [Act::Idle(3 * FAR), Act::Now(10), Act::Idle(700)];
        let script = run([vec![Act::Configure(csr)], begin, expired.to_vec()].concat(), ALWAYS);
        let all: Vec<(u64, u32)> = (script.taken.iter().zip(&script.answers))
            .filter(|(_, outcome)| outcome.kind == Kind::Epoch)
            .map(|(&clock, outcome)| (clock, outcome.connection))
            .collect();
        assert_eq!(all.len(), connections as usize);
        let expired = script.clock() - 700;
        let last = all.iter().map(|(clock, _)| clock - expired).max().expect("epochs");
        // All events at once need two clocks each: an own event and an outside event in turn.
        let round = if connections == 1 { 256 } else { 2 * 256 };
        assert!(last <= round + FAR as u64 + 10, "{last} clocks");
    }
}

/// Rule 19: if time runs so fast that every round of the scanner finds an epoch over, probes and timeouts
/// occur as well. Epochs also occur if every round finds a silence that is long enough.
#[test]
fn rule_19_epochs_and_timeouts_take_turns() {
    const TICK_CLOCKS: u32 = 40;
    let csr = CSR.with_retries(15).with_backoff(0).with_epoch(1).with_rto(1);
    let begin = [vec![Act::Configure(csr)], offers(&[open(0), post(1)]), vec![Act::Idle(FAR)]].concat();
    let time = (1..100).flat_map(|now| [Act::Now(now), Act::Idle(TICK_CLOCKS)]);
    let script = run([begin, time.collect()].concat(), ALWAYS);
    let timers = script.answers.iter().map(|outcome| outcome.kind);
    let timers: Vec<Kind> = timers.filter(|kind| kind.is_own() && *kind != Kind::Send).collect();
    let position = |kind| timers.iter().position(|other| *other == kind).expect("it comes");
    assert!(position(Kind::Probe) < 4 && position(Kind::Timeout) < 10, "{timers:?}");
    let epochs = timers.iter().filter(|kind| **kind == Kind::Epoch).count();
    assert!(epochs.abs_diff(timers.len() / 2) <= 2, "{timers:?}");
}

#[test]
fn one_event_a_clock_of_the_same_connection() {
    let begin = [vec![Act::Configure(CSR)], offers(&[open(0), post(200)]), vec![Act::Await(202)]].concat();
    let steps: Vec<Step> = (0..600).map(|n| ack(n / 3, &[0, 2])).collect();
    let script = run([begin, vec![Act::Idle(FAR)], offers(&steps), vec![Act::Idle(FAR)]].concat(), ALWAYS);
    let accepted = &script.accepted[2..];
    assert_eq!(accepted, (accepted[0]..accepted[0] + 600).collect::<Vec<_>>());
    let out = accepted[0] + LATENCY as u64;
    assert_eq!(script.taken[202..], (out..out + 600).collect::<Vec<_>>());
    // Every packet is acknowledged once.
    let acked: u32 = script.answers.iter().map(|outcome| u32::from(outcome.acked)).sum();
    assert_eq!(acked, 200);
}

/// The stages before the output register, the register itself and the word behind it contain exactly this
/// many events. When released, these events leave one per clock.
#[test]
fn back_pressure_on_a_full_pipeline() {
    const RELEASED: u64 = 600;
    let begin = [vec![Act::Configure(CSR)], offers(&[open(0)]), vec![Act::Idle(FAR)]].concat();
    let steps: Vec<Step> = (0..80).map(|_| window(5)).collect();
    let script = run([begin, offers(&steps), vec![Act::Idle(FAR)]].concat(), |clock| {
        !(340..RELEASED).contains(&clock)
    });
    let before = |clocks: &[u64]| clocks.iter().filter(|&&clock| clock < RELEASED).count();
    assert_eq!(before(&script.accepted) - before(&script.taken), LATENCY + 1);
    let released: Vec<u64> = script.taken.iter().copied().filter(|&clock| clock >= RELEASED).collect();
    assert_eq!(released, (RELEASED..RELEASED + released.len() as u64).collect::<Vec<_>>());
}

/// Tests every event behind every other event at each distance at which they can meet in the pipeline. RTL
/// and model must agree on every port and clock.
#[test]
fn pairs_of_events_at_every_distance() {
    let kinds = [
        ack(8, &[]),
        ack(9, &[]),
        ack(8, &[1, 4]).answers(12),
        ack(8, &[3]).answers(11),
        ack(14, &[]).answers(13),
        ack(13, &[0, 1, 2]),
        ack(7, &[1, 2]),
        ack(99, &[]),
        nack(8),
        nack(10),
        nack(99),
        post(1),
        post(0),
        window(0),
        window(1 << 20),
        open(8),
        open(14),
        close(),
        any(Kind::Send),
    ];
    let mut acts = vec![Act::Configure(GAP)];
    for (first, second) in kinds.iter().flat_map(|first| kinds.iter().map(move |second| (first, second))) {
        for distance in 1..FAR {
            acts.extend(offers(&[open(8), post(4), post(2)]));
            // Far apart, or while packets leave.
            acts.push(Act::Idle(if distance % 2 == 0 { 8 * FAR } else { 3 * FAR + distance }));
            acts.extend(offers(&[*first]));
            acts.extend((distance > 1).then_some(Act::Idle(distance - 1)));
            acts.extend(offers(&[*second]));
            acts.push(Act::Idle(2 * FAR));
        }
    }
    let script = run(acts, ALWAYS);
    let sent = sends(&script).iter().filter(|outcome| outcome.send).count();
    assert!(sent > 5 * kinds.len() * kinds.len() * FAR as usize, "{sent}");
}

/// A reset with every stage full, and again with each event one stage further, clears all stages: no late
/// write, outcome or count happens, and no connection is in line.
#[test]
fn reset_in_mid_flight() {
    let before =
        [open(0).of(6), post(9).of(6), post(1), post(0), ack(99, &[]), nack(1), window(1), window(2).of(7)];
    let after = [window(1), post(1).of(6), open(3), post(2), ack(3, &[])];
    let fresh = [offers(&after), vec![Act::Idle(4 * FAR)]].concat();
    let expected = run([vec![Act::Configure(CSR)], fresh.clone()].concat(), ALWAYS).answers;
    assert_eq!(expected.iter().filter(|outcome| outcome.send).count(), 2);
    for waiting in 0..=2 * FAR {
        for ready in [ALWAYS, (|clock| !(340..500).contains(&clock)) as Ready] {
            let begin = [vec![Act::Configure(CSR)], offers(&[open(0)]), offers(&before)].concat();
            let acts =
                [begin, vec![Act::Idle(waiting), Act::Reset], fresh.clone(), vec![Act::Idle(300)]].concat();
            let script = run(acts, ready);
            let outcomes = &script.answers[script.answers.len() - expected.len()..];
            assert_eq!(outcomes, expected, "reset after {waiting} clocks");
            assert_eq!(counters(&script.outputs), [2, 0, 0, 0]);
        }
    }
}

/// The counters start six before their end, so that few events make them wrap. All other state is unchanged,
/// and the model, which starts at 0, is not compared.
#[test]
fn the_counters_go_round() {
    let mut modules = Dut::emit(&SackParams::default()).expect("a shape that can be emitted");
    let counter = "total_q <= 16'd0;";
    let module = modules.iter_mut().find(|module| module.text.contains(counter));
    let module = module.expect("the register of the counters, as this test knows it");
    module.text = module.text.replace(counter, "total_q <= 16'hFFF9;");
    let library = build("weft_sack_tx", &modules).load().unwrap_or_else(|error| panic!("{error}"));
    for (events, count) in [(0, 0xFFF9), (5, 0xFFFE), (6, 0xFFFF), (7, 0), (20, 13)] {
        let mut rtl = Rtl::<Dut>::new(&library, Reset::Random(1)).expect("the ports of weft_sack_tx");
        let each = |step: Step| offers(&vec![step; events]);
        let closed = [each(window(1)), offers(&[open(9)])].concat();
        let open = [each(nack(9)), each(nack(8)), each(post(0)), vec![Act::Idle(FAR)]].concat();
        let acts = [vec![Act::Reset, Act::Configure(CSR), Act::Idle(1)], closed, open].concat();
        let mut script = Script::new(acts, ALWAYS);
        run_alone(&mut rtl, &mut script);
        assert_eq!(counters(&script.outputs), [count; 4], "after {events} events of each");
    }
}

/// A connection in the form of `window_view`, with the fields of the page.
fn view(cwnd: u64, una: u64, next: u64, in_flight: u64, unacked: u64, epoch: u64) -> [u64; 2] {
    let fields = [(cwnd, 0), (una, 26), (next, 50), (in_flight, 74), (unacked, 83), (epoch, 92)];
    let word = fields.iter().fold(0, |word, (value, lsb)| word | u128::from(*value) << lsb);
    [word as u64, (word >> 64) as u64]
}

/// Rule 24: state of the connection that was queried two clocks before, whether outcomes are accepted or not.
#[test]
fn rule_24_what_software_sees() {
    let params = SackParams { connections: 4 };
    let modules = Dut::emit(&params).unwrap_or_else(|error| panic!("{error}"));
    let library = build("weft_sack_tx", &modules).load().unwrap_or_else(|error| panic!("{error}"));
    let mut rtl = Rtl::<Dut>::new(&library, Reset::Random(7)).expect("the ports of weft_sack_tx");
    let mut model = <Clocked>::new(params, CSR);
    rtl.configure(&CSR).expect("registers");
    let mut clock = |inputs: Inputs| {
        rtl.clock(&inputs).expect("it runs");
        model.clock(&inputs);
        assert_eq!(rtl.compare(0, model.outputs()).map(|mismatch| mismatch.to_string()), None);
        *model.outputs()
    };
    let (epoch, mtu) = (CSR.classes[0].epoch_ticks.into(), u64::from(MTU));
    let idle = |query, outcome_ready| Inputs { query, outcome_ready, ..Inputs::default() };
    clock(Inputs { rst: true, ..idle(1, true) });
    // Random contents of the memory do not show.
    for _ in 0..4 + PUBLISHED_AFTER {
        assert_eq!(clock(idle(1, true)).window, [0; 2]);
    }
    let offered = [open_with(70, 3 * MTU).of(1), post(9).of(1), ack(72, &[]).of(1)];
    let seen = [
        view(3 * mtu, 70, 70, 0, 0, epoch),
        // Three packets leave.
        view(3 * mtu, 70, 73, 3, 3, epoch),
        // Two are acknowledged, and two more leave.
        view(3 * mtu, 72, 75, 3, 3, epoch),
    ];
    for (event, seen) in events(&offered).iter().zip(seen) {
        while !clock(idle(1, true)).event_ready {}
        clock(idle(1, true).with_event(&Event { now_ticks: 0, tag: 0, ..*event }));
        for _ in 0..9 * FAR {
            clock(idle(1, true));
        }
        // With no outcome accepted, the view shows another connection two clocks later, and then this one
        // again.
        for (query, seen) in [(2, [0; 2]), (1, seen), (3, [0; 2]), (1, seen)] {
            clock(idle(query, false));
            assert_eq!(clock(idle(query, false)).window, seen);
        }
    }
}
