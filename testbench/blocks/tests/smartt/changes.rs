//! A register that software writes while events are inside.

use crate::changing::{Change, Changes, Seen};
use weft_blocks::smartt::Dut;
use weft_blocks::smartt::stimulus::{Stimulus, random_csr};
use weft_nic::block::smartt::{LATENCY, SPACING};
use weft_params::{SmarttClass, SmarttCsr, SmarttParams};
use weft_random::Rng;

const PARAMS: SmarttParams = SmarttParams { connections: 16 };

type Set = fn(&mut SmarttCsr, &SmarttCsr);

fn class(csr: &mut SmarttCsr, other: &SmarttCsr, set: fn(&mut SmarttClass, &SmarttClass)) {
    csr.classes.iter_mut().zip(&other.classes).for_each(|(class, other)| set(class, other));
}

/// The registers, each with the function that sets the value of another configuration.
const REGISTERS: [(&str, Set); 15] = [
    ("mtu", |csr, other| class(csr, other, |a, b| a.mtu_bytes = b.mtu_bytes)),
    ("max_cwnd", |csr, other| class(csr, other, |a, b| a.max_cwnd_bytes = b.max_cwnd_bytes)),
    ("fair_decrease", |csr, other| class(csr, other, |a, b| a.fair_decrease_bytes = b.fair_decrease_bytes)),
    ("base_rtt", |csr, other| class(csr, other, |a, b| a.base_rtt_ticks = b.base_rtt_ticks)),
    ("fast_rtt", |csr, other| class(csr, other, |a, b| a.fast_rtt_ticks = b.fast_rtt_ticks)),
    ("multiplicative_increase", |csr, other| {
        class(csr, other, |a, b| a.multiplicative_increase = b.multiplicative_increase);
    }),
    ("fair_increase", |csr, other| class(csr, other, |a, b| a.fair_increase = b.fair_increase)),
    ("multiplicative_decrease", |csr, other| csr.multiplicative_decrease = other.multiplicative_decrease),
    ("qa_scaling", |csr, other| csr.qa_scaling = other.qa_scaling),
    ("wtd_alpha", |csr, other| csr.wtd_alpha = other.wtd_alpha),
    ("wtd_alphas", |csr, other| csr.wtd_alphas = other.wtd_alphas),
    ("wtd_threshold", |csr, other| csr.wtd_threshold = other.wtd_threshold),
    ("granularity", |csr, other| csr.granularity = other.granularity),
    ("fast_mtus", |csr, other| csr.fast_mtus = other.fast_mtus),
    ("late_losses", |csr, other| csr.late_losses = !other.late_losses),
];

/// Two stages read these settings, so an event inside can have the old value in one stage and the new value
/// in the other.
const TWICE: [(&str, Set); 2] = [
    ("target_rtt", |csr, other| class(csr, other, |a, b| a.target_rtt_ticks = b.target_rtt_ticks)),
    ("signals", |csr, other| csr.signals = other.signals),
];

fn run(registers: &[(&'static str, Set)], reach: u64, seed: u64, trials: u32) -> Result<Seen, String> {
    let changes =
        Changes::<Dut> { params: PARAMS, sweep: u64::from(PARAMS.connections) + SPACING as u64, reach };
    let change = |rng: &mut Rng| {
        let (old, other) = (random_csr(rng), random_csr(rng));
        let (name, set) = registers[rng.below(registers.len() as u32) as usize];
        let mut new = old;
        set(&mut new, &other);
        Change { name, old, new }
    };
    changes.run((seed, trials), change, |rng, change| {
        let mut stimulus = Stimulus::new(Rng::new(rng.draw()), PARAMS, &change.old);
        move || stimulus.event().0
    })
}

const REACH: u64 = 4 * LATENCY as u64;

#[test]
fn an_event_inside_has_the_old_value_or_the_new_one() {
    let mut wrong = Vec::new();
    for register in REGISTERS {
        match run(&[register], REACH, 1, 100) {
            Ok(seen) => println!("{}: {seen:?}", register.0),
            Err(what) => wrong.push(what),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Checks that the test distinguishes a mixture from either value.
#[test]
fn two_registers_are_read_twice() {
    for register in TWICE {
        let what = run(&[register], REACH, 1, 200).expect_err("a mixture");
        println!("{what}");
    }
}

#[test]
fn not_every_event_inside_has_the_old_value() {
    let what = run(&REGISTERS, 0, 1, 500).expect_err("no model is right");
    println!("{what}");
}
