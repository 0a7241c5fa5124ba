//! Instances move between threads.

mod common;

use std::process::Command;
use std::sync::mpsc;
use std::thread;

use common::{build, lanes};
use verilator_sys::{Error, Reset, ports};

ports! {
    struct Counter {
        in clk: 1,
        in rst: 1,
        in enable: 1,
        out count: 8,
    }
}

impl Counter {
    fn clock(&mut self) {
        for level in [0, 1] {
            self.clk(level);
            self.eval().unwrap();
        }
    }
}

/// Two threads drive the instances in turn, and a third thread drops them.
#[test]
fn instances_migrate() {
    for lane in lanes() {
        let library = build(&lane, "counter", "counter.v").load().unwrap();
        let mut duts: Vec<Counter> = (0..32)
            .map(|seed| Counter::new(library.instance(Reset::Random(seed)).unwrap()).unwrap())
            .collect();
        for dut in &mut duts {
            dut.rst(1);
            dut.clock();
            dut.rst(0);
            dut.enable(1);
        }
        let (there, at_worker) = mpsc::channel::<Counter>();
        let (back, at_home) = mpsc::channel::<Counter>();
        let worker = thread::spawn(move || {
            for mut dut in at_worker {
                dut.clock();
                if back.send(dut).is_err() {
                    break;
                }
            }
        });
        for round in 1..=50 {
            for dut in duts.drain(..) {
                there.send(dut).unwrap();
            }
            for _ in 0..32 {
                let mut dut = at_home.recv().unwrap();
                dut.clock();
                assert_eq!(dut.count(), 2 * round);
                duts.push(dut);
            }
        }
        for dut in duts {
            there.send(dut).unwrap();
        }
        drop((there, at_home));
        worker.join().unwrap();
    }
}

/// Models of different Verilators, options and parameters in one process.
#[test]
fn libraries_do_not_meet() {
    let mut duts = Vec::new();
    for lane in lanes() {
        for build in [
            build(&lane, "counter", "counter.v"),
            build(&lane, "counter", "counter.v").waves(verilator_sys::Waves::Vcd),
            build(&lane, "counter", "counter.v").line_coverage(),
        ] {
            let library = build.load().unwrap();
            duts.extend(
                [0, 1].map(|seed| Counter::new(library.instance(Reset::Random(seed)).unwrap()).unwrap()),
            );
        }
        let narrow = build(&lane, "counter", "counter.v").param("WIDTH", 3).load().unwrap();
        assert_eq!(narrow.port("count").unwrap().width, 3);
    }
    for cycle in 0..10 {
        for dut in &mut duts {
            dut.rst(u64::from(cycle == 0));
            dut.enable(1);
            dut.clock();
            assert_eq!(dut.count(), cycle);
        }
    }
}

/// The thread sanitizer watches the claim that instances are `Send`: a C++ program does with the shim the
/// same as `instances_migrate`.
#[test]
fn migration_is_free_of_races() {
    let main = include_str!("rtl/migrate.cpp");
    for lane in lanes() {
        let build =
            build(&lane, "counter", "counter.v").cxx_argument("-fsanitize=thread").cxx_argument("-g1");
        let program = build.program(main).unwrap();
        // Addresses are not randomised: older sanitizers cannot handle the addresses of newer kernels.
        let output = Command::new("setarch").arg("-R").arg(&program).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{lane:?}: {}\n{text}", output.status);
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "sum 3200", "{text}");
    }
}

/// The counterpart: the sanitizer works, and finds a race if there is one.
#[test]
fn the_sanitizer_sees_a_shared_instance() {
    let main = include_str!("rtl/migrate.cpp");
    let build = build(&None, "counter", "counter.v").cxx_argument("-fsanitize=thread").cxx_argument("-g1");
    let program = build.program(main).unwrap();
    let output = Command::new("setarch").arg("-R").arg(&program).arg("share").output().unwrap();
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("ThreadSanitizer: data race"));
}

#[test]
fn a_program_that_fails_says_so() {
    let build = build(&None, "counter", "counter.v");
    let body = "std::fprintf(stderr, \"gone\\n\"); std::abort();";
    let error = verilator_sys::bench::cpp_loop(&build, "", body, 1).unwrap_err();
    assert!(matches!(error, Error::Program { ref text, .. } if text.contains("gone")), "{error}");
}
