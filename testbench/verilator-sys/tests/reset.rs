//! Verilator has no x: these tests use noise in the registers instead.

mod common;

use std::path::PathBuf;
use std::sync::Arc;

use common::{build, lanes, with};
use verilator_sys::{Build, Library, Reset, ports};

ports! {
    struct Pipe {
        in clk: 1,
        in rst: 1,
        in s_valid: 1,
        out m_valid: 1,
        out m_data: 8,
        out seen: 4,
    }
}

fn library(lane: &Option<PathBuf>, good: bool) -> Arc<Library> {
    let build = build(lane, "pipe", "pipe.v");
    if good { build.define("RESET_V2", "").load() } else { build.load() }.unwrap()
}

/// Whether an empty pipeline stays empty after its reset.
fn passes(library: &Arc<Library>, reset: Reset) -> bool {
    let mut dut = Pipe::new(library.instance(reset).unwrap()).unwrap();
    for cycle in 0..8 {
        dut.rst(u64::from(cycle < 2));
        for level in [0, 1] {
            dut.clk(level);
            dut.eval().unwrap();
        }
        if cycle >= 2 && (dut.m_valid() == 1 || dut.seen() > 0) {
            return false;
        }
    }
    true
}

#[test]
fn a_missing_reset_shows_only_in_noise() {
    let seeds = || (0..16).map(Reset::Random);
    for lane in lanes() {
        let good = library(&lane, true);
        assert!([Reset::Zeros, Reset::Ones].into_iter().chain(seeds()).all(|reset| passes(&good, reset)));
        let bad = library(&lane, false);
        assert!(passes(&bad, Reset::Zeros), "with zeros the mutant must go unseen, else it shows nothing");
        assert!(!passes(&bad, Reset::Ones));
        let caught = seeds().filter(|&reset| !passes(&bad, reset)).count();
        assert!((1..16).contains(&caught), "16 seeds gave the bit {caught} times the value 1");
    }
}

/// The registers before any clock.
fn noise(library: &Arc<Library>, seed: u32) -> u64 {
    let mut dut = Pipe::new(library.instance(Reset::Random(seed)).unwrap()).unwrap();
    dut.eval().unwrap();
    dut.m_data() << 8 | dut.seen() << 4 | dut.m_valid()
}

#[test]
fn seeds_are_reproducible() {
    for lane in lanes() {
        let library = library(&lane, true);
        let seeds = [0, 1, 2, 3, i32::MAX as u32, u32::MAX];
        let first = seeds.map(|seed| noise(&library, seed));
        assert_eq!(seeds.map(|seed| noise(&library, seed)), first);
        assert!(first.iter().any(|&value| value != first[0]), "every seed gave {:x}", first[0]);
    }
}

/// Verilator draws from a generator per thread that any new context reseeds, also in the midst of another's drawing.
#[test]
fn seeds_are_reproducible_beside_other_threads() {
    let text = "module many(input wire [9:0] at, output wire [31:0] q);
        reg [31:0] noise [0:1023] /* verilator public */;
        assign q = noise[at];
        endmodule";
    for lane in lanes() {
        let library = with(&lane, Build::new("many").text("many.v", text)).load().unwrap();
        let at = library.port("at").unwrap().id;
        let q = library.port("q").unwrap().id;
        let last = |seed: u32| {
            let mut instance = library.instance(Reset::Random(seed)).unwrap();
            instance.set(at, 1023);
            instance.eval().unwrap();
            instance.get(q)
        };
        let alone: Vec<u64> = (0..200).map(last).collect();
        assert!(alone.iter().any(|&value| value != alone[0]));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..20 {
                        assert_eq!((0..200).map(last).collect::<Vec<_>>(), alone);
                    }
                });
            }
        });
    }
}
