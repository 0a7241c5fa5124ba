//! The RTL of the registers against its clocked model: every output port on every clock.

use crate::runs::{lockstep, planted, planted_of};
use weft_bench::page::ports_of_the_verilog;
use weft_bench::{Block, Subject};
use weft_blocks::registers::stimulus::Tally;
use weft_blocks::registers::{Dut, In, Out};
use weft_params::SackParams;

/// Fails if an event that the tally counts happened too rarely.
#[track_caller]
fn everything_happened(tally: &Tally) {
    for (what, count, least) in [
        ("resets", tally.resets, 10),
        ("writes", tally.writes, 10_000),
        ("refused writes", tally.refused_writes, 1_000),
        ("reads", tally.reads, 10_000),
        ("refused reads", tally.refused_reads, 1_000),
        ("reads and writes at once", tally.contended, 1_000),
        ("answers that waited", tally.stalled, 1_000),
        ("addresses alone", tally.address_alone, 100),
        ("data alone", tally.data_alone, 100),
        ("words for ingress", tally.words[0], 100),
        ("words for egress", tally.words[1], 50),
        ("words for the receiver", tally.words[2], 100),
        ("words for the sender", tally.words[3], 200),
        ("clocks of waiting words", tally.waiting, 10_000),
        ("refusals while busy", tally.busy_refusals, 100),
        ("events", tally.events, 80),
        ("packets barred", tally.bars, 500),
    ] {
        assert!(count >= least, "only {count} {what}: {tally:?}");
    }
}

#[test]
fn every_port_is_driven_and_compared() {
    let modules = Dut::emit(&SackParams::default()).unwrap_or_else(|error| panic!("{error}"));
    let ports: Vec<String> = ports_of_the_verilog(&modules, Dut::TOP).into_keys().collect();
    let mut shown = vec!["clk"];
    Dut::show_inputs(&In::default(), &mut |name: &'static str, _: &[u64]| shown.push(name));
    Dut::show_outputs(&Out::default(), &mut |name: &'static str, _: &[u64]| shown.push(name));
    shown.sort_unstable();
    assert_eq!(shown, ports);
}

#[test]
fn random_accesses_256_connections() {
    let tally = lockstep::<Dut>(SackParams { connections: 256 }, 9, 600_000);
    println!("{tally:?}");
    everything_happened(&tally);
}

#[test]
fn random_accesses_4_connections() {
    lockstep::<Dut>(SackParams { connections: 4 }, 2, 100_000);
}

#[test]
#[ignore = "soak: a build more"]
fn random_accesses_4096_connections() {
    lockstep::<Dut>(SackParams { connections: 4_096 }, 3, 100_000);
}

#[test]
fn some_planted_bugs_are_found() {
    planted_of::<Dut>(Dut::PLANTS.iter().step_by(6), SackParams { connections: 4 }, 1..=8, 100_000);
}

#[test]
#[ignore = "soak: `make test` has some of them"]
fn planted_bugs_are_found() {
    planted::<Dut>(SackParams { connections: 4 }, 1..=8, 100_000);
}
