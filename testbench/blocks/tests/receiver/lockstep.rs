//! The RTL of the receiver against its clocked model, every output port on every clock, under traffic that an oracle
//! judges.

use verilator_sys::Build;
use weft_blocks::pins;
use weft_blocks::receiver::oracle::Tally;
use weft_blocks::receiver::traffic::Traffic;
use weft_hdl::Module;
use weft_nic::block::receiver::Clocked;
use weft_params::{ReceiverCsr, SackParams};

fn modules(connections: u32) -> Vec<Module> {
    weft_hdl::block::receiver::emit(&SackParams { connections }).expect("emitted")
}

fn run(build: &Build, connections: u32, seed: u64, cycles: u64, obedient: bool) -> (Option<String>, Tally) {
    let mut traffic = Traffic::new(connections, seed, obedient);
    let mut model = Clocked::new(SackParams { connections }, ReceiverCsr::default());
    let drive = |_, outputs: &_| traffic.drive(outputs);
    let mismatch = pins::lockstep(build, seed, cycles, &mut model, drive, &mut ()).expect("runs");
    assert_eq!(traffic.complaint(), None, "{connections} connections, seed {seed}");
    (mismatch.map(|mismatch| mismatch.to_string()), traffic.tally())
}

fn lockstep(connections: u32, seed: u64, cycles: u64, obedient: bool) -> Tally {
    let build = pins::build("weft_receiver", &modules(connections));
    let (mismatch, tally) = run(&build, connections, seed, cycles, obedient);
    assert_eq!(mismatch, None, "{connections} connections, seed {seed}");
    tally
}

/// A million clocks of the default shape, registers and RAM full of noise at the start.
#[test]
fn a_million_clocks() {
    let threads = [(3, true), (4, false)]
        .map(|(seed, obedient)| std::thread::spawn(move || lockstep(256, seed, 500_000, obedient)));
    let [one, other] = threads.map(|thread| thread.join().expect("no mismatch"));
    let tally = one.and(&other);
    for (what, count, least) in [
        ("packets", tally.arrivals, 100_000),
        ("packets of closed connections", tally.not_open, 200),
        ("packets outside of their region", tally.denied, 1_000),
        ("writes", tally.writes, 50_000),
        ("discards", tally.discards, 10_000),
        ("replies", tally.replies, 80_000),
        ("NACKs", tally.nacks, 3_000),
        ("ACKs of the timer", tally.flushes, 1_000),
        ("messages", tally.received, 20_000),
        ("connections opened", tally.opened, 1_000),
        ("messages at once", tally.at_once_max as u64, 64),
        ("packets out of order", tally.out_of_order_max.into(), 200),
    ] {
        assert!(count >= least, "only {count} {what}: {tally:?}");
    }
}

/// All that can be emitted.
#[test]
fn other_shapes() {
    for (seed, connections) in (100..).zip([4, 16, 64, 1024, 4096]) {
        let tally = lockstep(connections, seed, 100_000, true);
        assert!(tally.writes > 100 && tally.replies > 1_000, "{tally:?}");
    }
}

/// The oracle and the model alone, for longer, with ACKs of the timer among them.
#[test]
fn the_oracle_for_ten_million_clocks() {
    let mut flushes = 0;
    for (seed, connections) in (1..=10).zip([4, 16, 256].into_iter().cycle()) {
        let mut traffic = Traffic::new(connections, seed, true);
        let mut model = Clocked::new(SackParams { connections }, ReceiverCsr::default());
        for cycle in 0..1_000_000 {
            let driven = traffic.drive(model.outputs());
            pins::Clocked::clock(&mut model, &driven);
            if cycle % 10_000 == 0 {
                assert_eq!(traffic.complaint(), None, "seed {seed}, clock {cycle}");
            }
        }
        assert_eq!(traffic.complaint(), None, "seed {seed}");
        flushes += traffic.tally().flushes;
    }
    assert!(flushes > 1_000, "{flushes} ACKs of the timer");
}

/// The same runs with a bug in the RTL must fail.
#[test]
fn planted_bugs_are_found() {
    for (module, right, wrong) in [
        ("front", "s5_end_q > ", "s5_end_q >= "),
        ("front", "& !was_own_q", "& 1'b1"),
        ("settle", "s1_number_q + 24'd1", "s1_number_q + 24'd2"),
        ("timer", "age_q >= ", "age_q > "),
        ("drain", "| !written", "| 1'b0"),
    ] {
        let mut modules = modules(4);
        let name = format!("weft_receiver_{module}");
        let text = &mut modules.iter_mut().find(|module| module.name == name).expect("module").text;
        assert!(text.contains(right), "{name} has no {right}:\n{text}");
        *text = text.replacen(right, wrong, 1);
        let build = pins::build("weft_receiver", &modules);
        let found = (1..=4).any(|seed| run(&build, 4, seed, 200_000, true).0.is_some());
        assert!(found, "{name}: {wrong} instead of {right}");
    }
}
