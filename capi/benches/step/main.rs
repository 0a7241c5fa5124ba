//! Processor time of a step through the C functions divided by that of the same step in Rust, measured in
//! pairs, for every block and for the NIC. `cargo bench -p weft-capi --bench step`; an argument after `--`:
//! pairs (10). Exit code 1 if a median is above the limit.

#[allow(dead_code, reason = "the tests use the rest")]
#[path = "../../tests/doors/answers.rs"]
mod answers;
#[allow(dead_code, reason = "the tests use the rest")]
#[path = "../../tests/doors/clocked.rs"]
mod clocked;
mod nic;
#[allow(dead_code, reason = "the tests use the rest")]
#[path = "../../tests/doors/nic_clocked.rs"]
mod nic_clocked;
mod sender;

use ::weft_nic::block::{reps, sack_rx, sack_tx, smartt};
use answers::Block;
use std::hint::black_box;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use weft::*;
use weft_params::registers::NicCsr;
use weft_params::{RepsParams, SackParams, SmarttParams};
use weft_random::Rng;

const CONNECTIONS: u32 = 256;
const STEPS: u32 = 300_000;
/// Clocks of the NIC: a clock has many ports.
const CLOCKS: u32 = 50_000;
/// Number of times that a measurement repeats all events, because the clock of processor time may move in steps
/// of 4 ms.
const ROUNDS: u32 = 10;
/// Greatest ratio of a step through C to the same step in Rust.
const LIMIT: f64 = 2.0;

/// Whether a ratio is above the limit.
static IS_ABOVE: AtomicBool = AtomicBool::new(false);

/// Seconds of processor time of this process.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").expect("Linux");
    stat.split(' ').next().and_then(|ns| ns.parse::<f64>().ok()).expect("nanoseconds") / 1e9
}

fn seconds(mut run: impl FnMut()) -> f64 {
    let begin = cpu_seconds();
    (0..ROUNDS).for_each(|_| run());
    cpu_seconds() - begin
}

/// Prints medians, as a row of the page's table; the C call and the Rust call take turns at being first.
fn compare(name: &str, steps: usize, mut c: impl FnMut(), mut rust: impl FnMut()) {
    let pairs = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(10);
    let (mut ns, mut ratios) = ([vec![], vec![]], vec![]);
    for pair in 0..pairs {
        let [one, other] = if pair % 2 == 0 {
            let one = seconds(&mut c);
            [one, seconds(&mut rust)]
        } else {
            let other = seconds(&mut rust);
            [seconds(&mut c), other]
        };
        ratios.push(one / other);
        for (ns, seconds) in ns.iter_mut().zip([one, other]) {
            ns.push(1e9 * seconds / (steps as f64 * f64::from(ROUNDS)));
        }
    }
    let [c, rust, ratio] = [ns[0].clone(), ns[1].clone(), ratios].map(|mut all| {
        all.sort_by(f64::total_cmp);
        (all[pairs / 2], all[0], all[pairs - 1])
    });
    println!("| {name} | {:.0} | {:.0} | {:.2} | {:.2} to {:.2} |", c.0, rust.0, ratio.0, ratio.1, ratio.2);
    IS_ABOVE.fetch_or(ratio.0 > LIMIT, Ordering::Relaxed);
}

/// A function of C that handles an event, or a clock.
type Step<H, G, A> = unsafe extern "C" fn(*mut H, *const G, *mut A) -> i32;

/// The same events through C (a handle with its function) and in Rust (a model with its call).
fn both<H, G, A: Default, E, M>(
    name: &str,
    (handle, step, given): (*mut H, Step<H, G, A>, &[G]),
    (model, events): (M, &[E]),
    call: impl Fn(&mut M, &E),
) {
    // `black_box` hides the shape from the compiler. A program in C calls by address, so nothing is inlined.
    let (mut model, step, mut answer) = (black_box(model), black_box(step), A::default());
    compare(
        name,
        events.len(),
        || given.iter().for_each(|event| assert_eq!(unsafe { step(handle, event, &mut answer) }, WEFT_OK)),
        || events.iter().for_each(|event| call(&mut model, black_box(event))),
    );
}

/// A block of the transaction view: its events in Rust and in C, the handle with its functions, the model.
macro_rules! block {
    ($name:literal, $events:expr, $of:expr, $handle:expr, $step:ident, $free:ident, $model:expr) => {{
        let events: Vec<_> = (0..STEPS).map($events).collect();
        let given: Vec<_> = events.iter().map($of).collect();
        let handle = $handle;
        both($name, (handle, $step, &given), ($model, &events), |model, event| {
            black_box(model.step(event));
        });
        unsafe { $free(handle) };
    }};
}

/// A block, or the NIC, with its ports: the clocks of the test, their inputs in Rust, the handle with its
/// functions, the model.
macro_rules! ports {
    ($name:literal, $clocks:expr, $test:ty, $of:expr, $handle:expr, $clock:ident, $free:ident, $model:expr) => {{
        let (mut rng, mut test) = (Rng::new(7), <$test>::new());
        let given: Vec<_> = (0..$clocks).map(|at| test.draw(&mut rng, at)).collect();
        let inputs: Vec<_> = given.iter().map($of).collect();
        let handle = $handle;
        both($name, (handle, $clock, &given), ($model, &inputs), |model, inputs| {
            model.clock(inputs);
            black_box(model.outputs());
        });
        unsafe { $free(handle) };
    }};
}

fn main() -> ExitCode {
    println!("| step | ns through C | ns in Rust | ratio | least to most |\n|---|---|---|---|---|");
    transactions();
    for (bytes, size) in [(64, "64 bytes"), (4_096, "4 KiB")] {
        nic::compare_calls(bytes, size);
    }
    clocks();
    if IS_ABOVE.load(Ordering::Relaxed) {
        println!("a step through C costs more than {LIMIT} times the step in Rust");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn transactions() {
    let csr = NicCsr::default();
    let mut rng = Rng::new(7);
    block!(
        "REPS",
        |at| reps::Event {
            kind: if at < CONNECTIONS { reps::Kind::Open } else { reps::Kind::ALL[rng.below(2) as usize] },
            connection: at % CONNECTIONS,
            ev: rng.draw() as u16,
            ecn: rng.below(4) == 0,
            rtt_ticks: rng.below(2_000) as u16,
            now_ticks: at,
        },
        |it| weft_reps_event {
            kind: it.kind as u8,
            connection: it.connection,
            ev: it.ev,
            ecn: it.ecn.into(),
            rtt_ticks: it.rtt_ticks,
            now_ticks: it.now_ticks,
        },
        weft_reps_new(CONNECTIONS, 8, 16),
        weft_reps_step,
        weft_reps_free,
        reps::Reps::new(RepsParams { connections: CONNECTIONS, depth: 8, ev_width: 16 }, csr.sender.reps)
    );
    block!(
        "SMaRTT",
        |at| smartt::Event {
            kind: if at < CONNECTIONS { smartt::Kind::Open } else { smartt::Kind::Ack },
            connection: at % CONNECTIONS,
            class: 0,
            ecn: rng.below(2) == 0,
            packets: 1,
            bytes: 4_096,
            rtt_ticks: rng.below(1_200) as u16,
            in_flight_bytes: rng.below(1 << 20),
            now_ticks: at % (1 << 14),
        },
        |it| weft_smartt_event {
            kind: it.kind as u8,
            connection: it.connection,
            rtt_class: it.class,
            ecn: it.ecn.into(),
            packets: it.packets,
            bytes: it.bytes,
            rtt_ticks: it.rtt_ticks,
            in_flight_bytes: it.in_flight_bytes,
            now_ticks: it.now_ticks,
        },
        weft_smartt_new(CONNECTIONS),
        weft_smartt_step,
        weft_smartt_free,
        smartt::Smartt::new(SmarttParams { connections: CONNECTIONS }, csr.sender.smartt)
    );
    block!(
        "SACK receiver",
        |at| sack_rx::Event {
            kind: if at < CONNECTIONS { sack_rx::Kind::Open } else { sack_rx::Kind::Data },
            connection: at % CONNECTIONS,
            // Pairs of packets come in reverse.
            psn: if at < CONNECTIONS { 0 } else { (at / CONNECTIONS - 1) ^ 1 },
            bytes: 4_096,
            ce: rng.below(8) == 0,
            request: rng.below(8) == 0,
            last: rng.below(16) == 0,
            tag: at,
        },
        |it| weft_sack_rx_event {
            kind: it.kind as u8,
            connection: it.connection,
            psn: it.psn,
            bytes: it.bytes,
            ce: it.ce.into(),
            request: it.request.into(),
            last: it.last.into(),
            tag: it.tag,
        },
        weft_sack_rx_new(CONNECTIONS),
        weft_sack_rx_step,
        weft_sack_rx_free,
        <sack_rx::SackRx>::new(SackParams { connections: CONNECTIONS }, csr.receiver.sack)
    );
    sender::compare_steps();
}

fn clocks() {
    let csr = NicCsr::default();
    // The shape of the tests, which draw the clocks.
    let connections = answers::CONNECTIONS;
    let sack = SackParams { connections };
    ports!(
        "REPS, a clock",
        STEPS,
        clocked::Reps,
        clocked::reps_ports,
        weft_reps_clocked_new(connections, 8, 16),
        weft_reps_clock,
        weft_reps_clocked_free,
        reps::Clocked::new(RepsParams { connections, depth: 8, ev_width: 16 }, csr.sender.reps)
    );
    ports!(
        "SMaRTT, a clock",
        STEPS,
        clocked::Smartt,
        clocked::smartt_ports,
        weft_smartt_clocked_new(connections),
        weft_smartt_clock,
        weft_smartt_clocked_free,
        smartt::Clocked::new(SmarttParams { connections }, csr.sender.smartt)
    );
    ports!(
        "SACK receiver, a clock",
        STEPS,
        clocked::SackRx,
        clocked::sack_rx_ports,
        weft_sack_rx_clocked_new(connections),
        weft_sack_rx_clock,
        weft_sack_rx_clocked_free,
        <sack_rx::Clocked>::new(sack, csr.receiver.sack)
    );
    ports!(
        "SACK sender, a clock",
        STEPS,
        clocked::SackTx,
        clocked::sack_tx_ports,
        weft_sack_tx_clocked_new(connections),
        weft_sack_tx_clock,
        weft_sack_tx_clocked_free,
        <sack_tx::Clocked>::new(sack, csr.sender.sack)
    );
    ports!(
        "NIC, a clock",
        CLOCKS,
        nic_clocked::Nic,
        nic_clocked::ports,
        weft_nic_clocked_new(connections),
        weft_nic_clock,
        weft_nic_clocked_free,
        ::weft_nic::nic::Nic::new(sack)
    );
}
