//! The rules of `docs/blocks/nscc.md`, one by one. The expected answers follow from the text of the rule, by
//! hand. The naive oracle and the model must both give these answers.

use weft_blocks::nscc::oracle::{Constants, Oracle, plainly};
use weft_nic::block::nscc::Case::{
    FairIncrease, FastIncrease, Held, Ignored, Loss, MultiplicativeDecrease, MultiplicativeIncrease, None,
    QuickAdapt,
};
use weft_nic::block::nscc::{Case, Clocked, Event, Inputs, Kind, Nscc, Outcome, SPACING};
use weft_params::{NsccClass, NsccCsr, NsccParams};

const MTU: u32 = 4_096;
const MAX: u32 = 1 << 20;
/// Ticks.
const BASE: u16 = 100;
/// Ticks of delay.
const TARGET: u16 = 80;
/// The connection of all steps.
const CONNECTION: u32 = 5;

/// An increase of one MTU per window without delay, and of two per window at the target; sums are whole units of the block.
const CLASS: NsccClass = NsccClass {
    mtu_bytes: MTU,
    max_cwnd_bytes: MAX,
    base_rtt_ticks: BASE as u32,
    target_delay_ticks: TARGET as u32,
    calm_delay_ticks: 4,
    proportional_increase: (MTU << 12) / 64,
    fair_increase: (2 * MTU) << 6,
    fast_increase: 1 << 19,
};

const CSR: NsccCsr = NsccCsr {
    classes: [CLASS; 4],
    gamma: 128,
    eta: 0,
    delay_alpha: 255,
    delay_alphas: [255; 15],
    adapt_by_delay: false,
};

#[derive(Clone, Copy)]
struct Step(Event, Case, bool, Option<u32>);

fn step(kind: Kind, bytes: u32, at: u32) -> Step {
    let event = Event {
        kind,
        connection: CONNECTION,
        class: 0,
        ecn: false,
        packets: 1,
        bytes,
        rtt_ticks: BASE + TARGET - 1,
        in_flight_bytes: 0,
        now_ticks: at,
    };
    Step(event, None, true, Option::None)
}

/// An ACK with this delay.
fn ack(bytes: u32, delay: u16, at: u32) -> Step {
    let Step(event, ..) = step(Kind::Ack, bytes, at);
    Step(Event { rtt_ticks: BASE + delay, ..event }, MultiplicativeIncrease, true, Option::None)
}

/// A marked ACK with this delay.
fn marked(bytes: u32, delay: u16, at: u32) -> Step {
    ack(bytes, delay, at).with(|event| event.ecn = true).is(Held)
}

fn open(at: u32) -> Step {
    step(Kind::Open, 0, at).leaves(MAX)
}

fn trim(bytes: u32, at: u32) -> Step {
    step(Kind::Trim, bytes, at).is(Loss)
}

fn timeout(bytes: u32, at: u32) -> Step {
    step(Kind::Timeout, bytes, at).is(Loss)
}

impl Step {
    fn with(mut self, change: impl FnOnce(&mut Event)) -> Self {
        change(&mut self.0);
        self
    }

    fn is(mut self, case: Case) -> Self {
        self.1 = case;
        self
    }

    fn refused(mut self) -> Self {
        (self.1, self.2) = (None, false);
        self
    }

    /// Expects a window after the step; without this call, the window is unchanged.
    fn leaves(mut self, window: u32) -> Self {
        self.3 = Some(window);
        self
    }
}

/// Fails unless oracle and model answer as the steps require.
#[track_caller]
fn check(csr: NsccCsr, steps: &[Step]) {
    csr.check().unwrap_or_else(|error| panic!("{error}"));
    let mut oracle = Oracle::new(Constants::from(&csr));
    let mut model = Nscc::new(NsccParams::default(), csr);
    let mut window = 0;
    for (index, Step(event, case, accepted, leaves)) in steps.iter().enumerate() {
        window = leaves.unwrap_or(window);
        let Event { kind, connection, .. } = *event;
        let (accepted, case) = (*accepted, *case);
        let expected = Outcome { kind, connection, accepted, case, cwnd_bytes: window };
        let answer = oracle.step(event, event.now_ticks.into(), &mut plainly);
        let beyond = answer.cwnd - f64::from(window);
        assert!(
            (answer.accepted, answer.case) == (accepted, case) && (-0.1..1.1).contains(&beyond),
            "on step {index}, {event:?}, the oracle says {answer:?}, expected {expected:?}"
        );
        assert_eq!(model.step(event), expected, "the model on step {index}, {event:?}");
    }
}

/// Brings the window from its maximum to this, by a timeout.
fn down_to(window: u32, at: u32) -> Step {
    timeout(MAX - window, at).leaves(window)
}

#[test]
fn rule_01_all_connections_are_closed_after_reset() {
    check(CSR, &[ack(MTU, 0, 0).refused(), step(Kind::Close, 0, 0).refused()]);
}

#[test]
fn rule_02_open_and_close() {
    let narrow = NsccCsr { classes: [NsccClass { max_cwnd_bytes: MTU, ..CLASS }; 4], ..CSR };
    check(narrow, &[step(Kind::Open, 0, 7).leaves(MTU)]);
    // The first period of adjustments begins with the OPEN: without eta nothing changes, with eta the window
    // grows.
    let eta = NsccCsr { eta: 128, ..CSR };
    let small = 4 * MTU;
    check(
        eta,
        &[
            open(1_000),
            down_to(small, 1_000),
            marked(0, 0, 1_099),
            // eta = fi x 128 / 4,096 = 256 bytes.
            marked(0, 0, 1_100).leaves(small + 256),
            // A second OPEN begins again.
            open(1_150),
            down_to(small, 1_150),
            marked(0, 0, 1_249),
            marked(0, 0, 1_250).leaves(small + 256),
            step(Kind::Close, 0, 1_250).leaves(0),
            ack(MTU, 0, 1_250).refused(),
        ],
    );
}

#[test]
fn rule_03_events_that_are_refused() {
    let kinds = [Kind::Reserved5, Kind::Reserved6, Kind::Reserved7];
    let of_open = kinds.map(|kind| step(kind, MTU, 0).refused());
    check(CSR, &[&[open(0)][..], &of_open, &[timeout(MTU, 0).leaves(MAX - MTU)]].concat());
    let of_closed = [Kind::Ack, Kind::Trim, Kind::Timeout, Kind::Close, Kind::Reserved5];
    check(CSR, &of_closed.map(|kind| step(kind, MTU, 0).refused()));
}

/// QuickAdapt after the first period, which lasts for base RTT and target: the connection then ignores `in_flight` bytes.
fn adapted(achieved: u32, in_flight: u32) -> Vec<Step> {
    let wanted = achieved.max(MTU);
    vec![
        open(0),
        // The first event begins a period and clears the achieved bytes.
        marked(0, 0, 0),
        marked(achieved, 0, 10),
        trim(MTU, 180).with(|event| event.in_flight_bytes = in_flight).is(QuickAdapt).leaves(wanted),
    ]
}

#[test]
fn rule_04_what_is_counted() {
    // Every event counts the bytes to ignore down.
    let tail = [
        timeout(MTU, 181).leaves(2 * MTU),
        marked(MTU, 0, 181).is(Ignored),
        trim(MTU, 181).is(Ignored),
        marked(MTU - 1, 0, 181).is(Ignored),
        marked(1, 0, 181).is(Held),
    ];
    check(CSR, &[&adapted(3 * MTU, 4 * MTU)[..], &tail].concat());
    // Losses are not achieved.
    let losses = [
        open(0),
        marked(0, 0, 0),
        timeout(9 * MTU, 20).leaves(MAX - 9 * MTU),
        trim(MTU, 180).is(QuickAdapt).leaves(MTU),
    ];
    check(CSR, &losses);
}

#[test]
fn rule_05_without_an_rtt_only_counts_change() {
    let unknown = |bytes, at| ack(bytes, 0, at).with(|event| event.rtt_ticks = 0).is(None);
    check(
        CSR,
        &[
            open(0),
            marked(0, 0, 0),
            unknown(3 * MTU, 10),
            // The bytes of this event were achieved.
            trim(MTU, 180).is(QuickAdapt).leaves(3 * MTU),
        ],
    );
}

#[test]
fn rule_06_the_average() {
    // Half of each delay: 0, 40, 60 and 70 ticks of 80, then 115 of 160, which is above the target of 80.
    let half = NsccCsr { delay_alpha: 128, ..CSR };
    let before = [open(0), marked(0, 80, 101), marked(0, 80, 102), marked(0, 80, 103)];
    // 1 - 128 / 256 x 35 / 115 of the window, to the digits of the ratio.
    let tail = [marked(0, 160, 104).is(MultiplicativeDecrease).leaves(889_010)];
    check_about(half, &[&before[..], &tail].concat(), 60);
    // An RTT below the base RTT is no delay.
    check(CSR, &[open(0), marked(0, 0, 0).with(|event| event.rtt_ticks = 1)]);
}

/// Does as [`check`], with a tolerance of windows in bytes.
#[track_caller]
fn check_about(csr: NsccCsr, steps: &[Step], bytes: u32) {
    let mut oracle = Oracle::new(Constants::from(&csr));
    let mut model = Nscc::new(NsccParams::default(), csr);
    let mut window = 0;
    for (index, Step(event, case, accepted, leaves)) in steps.iter().enumerate() {
        window = leaves.unwrap_or(window);
        let answer = oracle.step(event, event.now_ticks.into(), &mut plainly);
        let outcome = model.step(event);
        let same = [(answer.accepted, answer.case), (outcome.accepted, outcome.case)]
            .into_iter()
            .all(|it| it == (*accepted, *case));
        let near = |cwnd: f64| (cwnd - f64::from(window)).abs() <= f64::from(bytes);
        assert!(
            same && near(answer.cwnd) && near(outcome.cwnd_bytes.into()),
            "step {index}, {event:?}: the oracle says {answer:?}, the model {outcome:?}, expected {case:?} {window}"
        );
    }
}

#[test]
fn rule_07_a_trimmed_packet_is_a_delay_of_the_base_rtt() {
    // With all weight on the newest delay: 100 ticks are above the target of 80, so the next marked late ACK
    // decreases.
    let steps = [
        open(0),
        trim(MTU, 101).leaves(MAX - MTU),
        // The ACK's own delay is the target: 255 / 256 x 80 + 100 / 256 is just above it.
        marked(0, TARGET, 102).is(MultiplicativeDecrease),
    ];
    check_about(CSR, &[steps[0], steps[1], steps[2].leaves(MAX - MTU)], 600);
    // The loss requests QuickAdapt, which runs at the end of the period.
    check(
        CSR,
        &[
            open(0),
            marked(0, 0, 0),
            trim(MTU, 10).leaves(MAX - MTU),
            marked(2 * MTU, 0, 179),
            marked(0, 0, 180).is(QuickAdapt).leaves(2 * MTU),
        ],
    );
}

#[test]
fn rule_08_marked_acks_and_trims_are_ignored() {
    let tail = [
        marked(MTU, TARGET, 200).is(Ignored),
        trim(MTU, 200).is(Ignored),
        // An unmarked ACK is not.
        ack(MTU, TARGET, 200).is(FairIncrease).leaves(2 * MTU + MTU),
    ];
    check_about(CSR, &[&adapted(2 * MTU, 8 * MTU)[..], &tail].concat(), 0);
    // The waiting increase is dropped: the increase that an ACK left is gone at the next adjustment.
    let dropped = [
        open(0),
        marked(0, 0, 0),
        marked(2 * MTU, 0, 150),
        trim(MTU, 180).with(|event| event.in_flight_bytes = 8 * MTU).is(QuickAdapt).leaves(2 * MTU),
        ack(MTU, TARGET, 190).is(FairIncrease),
        marked(MTU, TARGET, 191).is(Ignored),
        marked(6 * MTU, TARGET, 192),
        marked(0, TARGET - 1, 250),
    ];
    check(NsccCsr { delay_alpha: 0, ..CSR }, &dropped);
}

#[test]
fn rule_09_quick_adapt() {
    // QuickAdapt runs neither before the period is over, nor in the first period.
    check(CSR, &[open(0), trim(MTU, 0).leaves(MAX - MTU), trim(MTU, 179).leaves(MAX - 2 * MTU)]);
    check(CSR, &adapted(5 * MTU, 0));
    check(CSR, &adapted(MTU / 2, 0));
    // QuickAdapt does not run if an eighth of the largest window was achieved.
    let achieved = |bytes: u32| [open(0), marked(0, 0, 0), marked(bytes, 0, 10)];
    check(CSR, &[&achieved(MAX / 8)[..], &[trim(MTU, 180).leaves(MAX - MTU)]].concat());
    let below = [trim(MTU, 180).is(QuickAdapt).leaves(MAX / 8 - 1)];
    check(CSR, &[&achieved(MAX / 8 - 1)[..], &below].concat());
    // A delay above four targets also requests QuickAdapt, if the register permits it.
    let late = [open(0), marked(0, 0, 0), marked(0, 4 * TARGET + 1, 180).is(QuickAdapt).leaves(MTU)];
    check(NsccCsr { adapt_by_delay: true, ..CSR }, &late);
    let not_late = [open(0), marked(0, 0, 0), marked(0, 4 * TARGET, 180).is(MultiplicativeDecrease)];
    let about = |csr| check_about(csr, &[not_late[0], not_late[1], not_late[2].leaves(MAX * 5 / 8)], 3_000);
    about(NsccCsr { adapt_by_delay: true, ..CSR });
    about(CSR);
}

#[test]
fn rule_10_losses() {
    check(
        CSR,
        &[
            open(0),
            timeout(MTU, 0).leaves(MAX - MTU),
            trim(MTU, 0).leaves(MAX - 2 * MTU),
            timeout(MAX, 0).leaves(MTU),
        ],
    );
}

#[test]
fn rule_11_fair_increase() {
    let window = 16 * MTU;
    check(
        CSR,
        &[
            open(0),
            down_to(window, 0),
            ack(8 * MTU, TARGET, 1).is(FairIncrease),
            // The packet has more than eight MTUs: 9 MTU x 2 MTU over 16 MTU.
            ack(MTU, TARGET + 9, 2).is(FairIncrease).leaves(window + 9 * MTU / 8),
        ],
    );
}

#[test]
fn rule_12_proportional_and_fast_increase() {
    let window = 16 * MTU;
    // 64 ticks below the target, at alpha = MTU / 64 per tick: an MTU per window.
    check(
        CSR,
        &[
            open(0),
            down_to(window, 0),
            ack(8 * MTU, TARGET - 64, 1),
            ack(8 * MTU, TARGET - 64, 2).leaves(window + MTU),
        ],
    );
    // Without delay for more than a window, each byte adds half of itself, until a delay occurs.
    check(
        CSR,
        &[
            open(0),
            down_to(4 * MTU, 0),
            ack(4 * MTU, 4, 1),
            ack(MTU, 4, 2).is(FastIncrease).leaves(4 * MTU + MTU / 2),
            ack(MTU, 4, 3).is(FastIncrease).leaves(5 * MTU),
            ack(0, 5, 4),
            ack(MTU, 4, 5),
        ],
    );
    // The window grows at most to the largest window.
    let last = ack(MTU, 0, 3).is(FastIncrease);
    check(
        CSR,
        &[open(0), timeout(MTU, 0).leaves(MAX - MTU), ack(MAX, 0, 2).is(FastIncrease).leaves(MAX), last],
    );
}

#[test]
fn rule_13_marked_acks() {
    // Below the target nothing happens, nor in the first base RTT.
    check(
        CSR,
        &[open(0), marked(MTU, TARGET - 1, 200), marked(MTU, 2 * TARGET, 200).is(MultiplicativeDecrease)]
            [..2],
    );
    check(CSR, &[open(0), marked(MTU, 2 * TARGET, 100)]);
    // All weight is on 160 ticks (255 / 256 of it): 1 - 0.5 x 0.498; no further decrease within a base RTT.
    let once = MAX * 3 / 4;
    let steps = [
        open(0),
        marked(MTU, 2 * TARGET, 101).is(MultiplicativeDecrease).leaves(once),
        marked(MTU, 2 * TARGET, 201),
        marked(MTU, 2 * TARGET, 202).is(MultiplicativeDecrease).leaves(once / 4 * 3),
    ];
    check_about(CSR, &steps, 3_000);
    // The window falls at most to a half, and at most to an MTU.
    let deep = NsccCsr { gamma: 255, ..CSR };
    check(deep, &[open(0), marked(MTU, 3_000, 101).is(MultiplicativeDecrease).leaves(MAX / 2)]);
    let low = [open(0), down_to(MTU + 1, 0), marked(0, 3_000, 101).is(MultiplicativeDecrease).leaves(MTU)];
    check(deep, &low);
    // A decrease ends fast increase.
    let fast = [
        open(0),
        down_to(4 * MTU, 0),
        ack(5 * MTU, 0, 1).is(FastIncrease).leaves(6 * MTU + MTU / 2),
        marked(0, TARGET, 2),
        ack(MTU, 0, 3),
    ];
    check(CSR, &fast);
}

#[test]
fn rule_14_adjustments() {
    let eta = NsccCsr { eta: 255, ..CSR };
    let window = 16 * MTU;
    // fi x 255 / 4,096 = 510 bytes in each base RTT.
    check(
        eta,
        &[
            open(0),
            down_to(window, 0),
            ack(MTU, TARGET, 99).is(FairIncrease),
            ack(MTU, TARGET, 100).is(FairIncrease).leaves(window + 2 * MTU / 8 + 510),
            marked(0, 0, 199),
            marked(0, 0, 200).leaves(window + 2 * MTU / 8 + 1_020),
        ],
    );
    // Eight MTUs are not enough, and eta needs the time.
    check(
        eta,
        &[
            open(0),
            down_to(window, 0),
            ack(8 * MTU, TARGET, 1).is(FairIncrease),
            marked(1, 0, 2).leaves(window + MTU),
        ],
    );
}

#[test]
fn rule_15_bounds() {
    let wide = NsccCsr { classes: [NsccClass { fair_increase: (1 << 30) - 1, ..CLASS }; 4], ..CSR };
    check(wide, &[open(0), down_to(MTU, 0), ack(1 << 20, TARGET, 100).is(FairIncrease).leaves(MAX)]);
    // An event of another class has other bounds.
    let mut classes = [CLASS; 4];
    classes[1] = NsccClass { max_cwnd_bytes: 3 * MTU, ..CLASS };
    classes[2] = NsccClass { mtu_bytes: 8_192, ..CLASS };
    check(
        NsccCsr { classes, ..CSR },
        &[
            open(0),
            marked(0, 0, 0).with(|event| event.class = 1).leaves(3 * MTU),
            timeout(3 * MTU, 0).leaves(MTU),
            marked(0, 0, 0).with(|event| event.class = 2).leaves(8_192),
        ],
    );
}

/// Clocks in which the clocked model answers events of these connections, offered one after the other.
fn answered_at(connections: &[u32]) -> Vec<usize> {
    let mut block = Clocked::new(NsccParams { connections: 4 }, CSR);
    let (mut left, mut at) = (connections.to_vec(), Vec::new());
    for clock in 0..500 {
        let outputs = *block.outputs();
        at.extend(outputs.window_valid.then_some(clock));
        let Step(event, ..) = ack(MTU, 0, 0);
        let offered = left.first().map(|&connection| Event { connection, ..event });
        let inputs = Inputs { window_ready: true, ..Inputs::default() };
        block.clock(&offered.map_or(inputs, |event| inputs.with_event(&event)));
        if outputs.event_ready && offered.is_some() {
            left.remove(0);
        }
    }
    at
}

#[test]
fn rule_16_events_of_one_connection_keep_apart() {
    let apart = |at: Vec<usize>| at.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<_>>();
    assert_eq!(apart(answered_at(&[0, 1, 2])), [1, 1]);
    assert_eq!(apart(answered_at(&[0, 0, 1, 0])), [SPACING, 1, SPACING - 1]);
}
