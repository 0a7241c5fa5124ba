//! Compares event by event, starting from the model's own state: the same case without tolerance, and windows
//! that differ by one rounding at most.

use weft_blocks::smartt::oracle::{Connection, Constants, Oracle, plainly};
use weft_blocks::smartt::stimulus::Stimulus;
use weft_nic::block::smartt::{Case, Control, Event, Smartt};
use weft_params::{SmarttCsr, SmarttParams};
use weft_random::Rng;
use weft_word::Concrete;

/// Variables of the paper that the word of a connection represents.
pub(crate) fn variables(control: &Control<Concrete>) -> Option<Connection> {
    let is = |bit: weft_word::Bits<1>| bit.value() == 1;
    let (ignoring, shared) = (is(control.ignoring), control.shared.value() as u64);
    is(control.open).then(|| Connection {
        cwnd: control.cwnd.value() as f64 / 2048.0,
        acked: control.acked.value() as u64,
        bytes_ignored: 0,
        bytes_to_ignore: if ignoring { shared } else { 0 },
        trigger_qa: is(control.trigger),
        end: (!is(control.fresh)).then(|| control.end.value() as u64),
        count: control.calm.value() as u64,
        increase: control.calm.value() == (1 << 26) - 1,
        avg_wtd: control.average.value() as f64 / 8192.0,
        waiting: if ignoring { 0 } else { (shared >> 19) as u32 },
        waiting_bytes: if ignoring { 0 } else { shared & ((1 << 19) - 1) },
    })
}

/// Bytes by which rule 20 and the dropped digits of gains and quotient can change the window, if no constant
/// is rounded. `size` is the number of bytes that the event reacts on.
fn rounding(csr: &SmarttCsr, event: &Event, case: Case, cwnd: f64, size: f64) -> f64 {
    let class = &csr.classes[usize::from(event.class)];
    // A quotient is rounded down to 2^-12 bytes. The nearest 2^-11 is at that value or 2^-12 above it.
    let digit = 1.0 / 4096.0;
    let ratio = (-33f64).exp2();
    match case {
        Case::FairIncrease | Case::FairDecrease => digit,
        Case::MultiplicativeIncrease => {
            let gain = f64::from(class.multiplicative_increase) / 256.0 * ratio + 1.0 / 1024.0;
            gain * size / cwnd + digit
        }
        Case::MultiplicativeDecrease => {
            let gain = (f64::from(csr.multiplicative_decrease) / 16.0 + 1.0) * ratio;
            gain * size + 2.0 * digit
        }
        Case::QuickAdapt | Case::Both => 1.0 / 2048.0,
        _ => 0.0,
    }
}

/// Coverage of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Coverage {
    /// Number of each case with the window between its bounds, at the lower, and at the upper.
    pub(crate) counts: [[u64; 3]; 12],
    /// Largest difference of windows, as a share of the difference that rounding explains.
    pub(crate) nearest_to_bound: f64,
}

/// Runs `events` random events. The first difference is the error.
pub(crate) fn compare(
    mut rng: Rng,
    csr: SmarttCsr,
    constants: Constants,
    events: u64,
    coverage: &mut Coverage,
) -> Result<(), String> {
    let params = SmarttParams { connections: [4, 16, 256][rng.below(3) as usize] };
    let mut stimulus = Stimulus::new(rng, params, &csr);
    let (mut model, mut oracle) = (Smartt::new(params, csr), Oracle::new(constants));
    for index in 0..events {
        let (event, now) = stimulus.event();
        let before = variables(&model.control(event.connection));
        oracle.set_connection(event.connection, before.clone());
        let answer = oracle.step(&event, now, &mut plainly);
        let outcome = model.step(&event);
        let explain = |what: &str| {
            format!(
                "{what} of event {index} {event:?} with {csr:?} on {before:?}: model {outcome:?}, paper {answer:?}"
            )
        };
        if (answer.accepted, answer.case) != (outcome.accepted, outcome.case) {
            return Err(explain("the case"));
        }
        let after = variables(&model.control(event.connection));
        let (cwnd, waited) =
            before.as_ref().map_or((1.0, 0), |connection| (connection.cwnd, connection.waiting_bytes));
        let size = (waited + u64::from(event.bytes)).min((1 << 19) - 1) as f64;
        let reached = after.as_ref().map_or(0.0, |connection| connection.cwnd);
        // f64 itself rounds, far below this.
        let bound = rounding(&csr, &event, outcome.case, cwnd, size) + 1e-12 * reached;
        if (reached - answer.cwnd).abs() > bound {
            return Err(explain(&format!("the window, {reached} and not {bound} around it,")));
        }
        if bound > 1e-6 {
            let share = (reached - answer.cwnd).abs() / bound;
            coverage.nearest_to_bound = coverage.nearest_to_bound.max(share);
        }
        let class = &constants.classes[usize::from(event.class)];
        let place = if cwnd <= class.mtu { 1 } else { 2 * usize::from(cwnd >= class.max_cwnd) };
        coverage.counts[outcome.case as usize][place] += 1;
        // The paper's other variables are whole numbers, except the average, which rule 11 rounds to the
        // nearest 2^-13 below 1.
        let expected = oracle.connection(event.connection).map(whole);
        if after.as_ref().map(whole) != expected {
            return Err(explain(&format!("the state {after:?}, {expected:?}")));
        }
        let average = |connection: Option<&Connection>| connection.map_or(0.0, |it| it.avg_wtd);
        let exact = 8192.0 * average(oracle.connection(event.connection));
        let error = exact.min(8191.0) - 8192.0 * average(after.as_ref());
        if !(-0.5..=0.5).contains(&error) {
            return Err(explain("the average"));
        }
    }
    Ok(())
}

/// Variables of a connection that are whole numbers, as far as the block's time can decide them.
fn whole(connection: &Connection) -> Connection {
    let left = connection.bytes_to_ignore.saturating_sub(connection.bytes_ignored);
    Connection {
        cwnd: 0.0,
        avg_wtd: 0.0,
        bytes_ignored: 0,
        bytes_to_ignore: left,
        end: connection.end.map(|end| end & 0xF_FFFF),
        // While FastIncrease is on, the block does not count.
        count: if connection.increase { (1 << 26) - 1 } else { connection.count },
        ..*connection
    }
}
