//! Files that a simulation leaves on disk: waveforms and coverage.

mod common;

use std::fs;

use common::{build, lanes};
use verilator_sys::{Error, Reset, Waves, ports};

ports! {
    struct Counter {
        in clk: 1,
        in rst: 1,
        in enable: 1,
        out count: 8,
    }
}

impl Counter {
    /// Resets, then counts; the time of cycle n's rising edge is 10 n + 5.
    fn run(&mut self, cycles: u64) {
        self.enable(1);
        for cycle in 0..cycles {
            self.rst(u64::from(cycle == 0));
            self.clk(0);
            self.eval().unwrap();
            self.dump(10 * cycle).unwrap();
            self.clk(1);
            self.eval().unwrap();
            self.dump(10 * cycle + 5).unwrap();
        }
    }
}

/// The values of a VCD's first variable of this name, with their times.
fn history(vcd: &str, name: &str) -> Vec<(u64, u64)> {
    let declared = vcd.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let code = declared
        .filter(|words| words.first() == Some(&"$var"))
        .find_map(|words| (words[4] == name).then(|| words[3].to_owned()))
        .unwrap();
    let mut time = 0;
    let mut values = Vec::new();
    for line in vcd.lines() {
        if let Some(now) = line.strip_prefix('#') {
            time = now.parse().unwrap();
        } else if let Some((value, of)) = line.strip_prefix('b').and_then(|line| line.split_once(' '))
            && of == code
        {
            values.push((time, u64::from_str_radix(value, 2).unwrap()));
        }
    }
    values
}

#[test]
fn vcd() {
    for lane in lanes() {
        let dir = tempfile::tempdir().unwrap();
        let library = build(&lane, "counter", "counter.v").waves(Waves::Vcd).load().unwrap();
        let make = || Counter::new(library.instance(Reset::Zeros).unwrap()).unwrap();
        let path = |name: &str| dir.path().join(name);
        // Two at once, and one that is not recorded.
        let (mut long, mut short, mut unrecorded) = (make(), make(), make());
        long.record(path("long.vcd")).unwrap();
        short.record(path("short.vcd")).unwrap();
        unrecorded.run(3);
        long.run(6);
        short.run(3);
        drop((long, short));
        let long = fs::read_to_string(path("long.vcd")).unwrap();
        let tail: Vec<_> = history(&long, "count").into_iter().filter(|&(time, _)| time > 5).collect();
        assert_eq!(tail, [(15, 1), (25, 2), (35, 3), (45, 4), (55, 5)]);
        let short = fs::read_to_string(path("short.vcd")).unwrap();
        assert_eq!(history(&short, "count").last(), Some(&(25, 2)));
    }
}

#[test]
fn fst() {
    for lane in lanes() {
        let dir = tempfile::tempdir().unwrap();
        let library = match build(&lane, "counter", "counter.v").waves(Waves::Fst).load() {
            Err(error @ Error::HeaderMissing { .. }) => {
                println!("skipped: {error}");
                continue;
            }
            library => library.unwrap(),
        };
        let mut dut = Counter::new(library.instance(Reset::Zeros).unwrap()).unwrap();
        dut.record(dir.path().join("a.fst")).unwrap();
        dut.run(100);
        drop(dut);
        // The header block: type 0, length 329, first and last time.
        let bytes = fs::read(dir.path().join("a.fst")).unwrap();
        let number = |at: usize| u64::from_be_bytes(bytes[at..at + 8].try_into().unwrap());
        assert_eq!((bytes[0], number(1), number(9), number(17)), (0, 329, 0, 995));
    }
}

#[test]
fn coverage() {
    for lane in lanes() {
        let dir = tempfile::tempdir().unwrap();
        let library = build(&lane, "counter", "counter.v").line_coverage().load().unwrap();
        // How often `count <= count + 1` was executed, by an instance of its own.
        let counted = |cycles: u64| {
            let mut dut = Counter::new(library.instance(Reset::Zeros).unwrap()).unwrap();
            dut.run(cycles);
            let path = dir.path().join(format!("{cycles}.dat"));
            dut.write_coverage(&path).unwrap();
            let text = fs::read_to_string(path).unwrap();
            let branch = "\u{1}o\u{2}if\u{1}";
            let points = text.lines().filter(|line| line.contains("counter.v") && line.contains(branch));
            let counts = points.filter_map(|line| line.rsplit_once(' ')?.1.parse::<u64>().ok());
            counts.collect::<Vec<_>>()
        };
        assert_eq!(counted(10), [9], "{lane:?}");
        assert_eq!(counted(4), [3], "{lane:?}");
    }
}

#[test]
fn what_was_not_built_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let plain = build(&None, "counter", "counter.v").load().unwrap();
    let mut dut = plain.instance(Reset::Zeros).unwrap();
    let error = dut.record(dir.path().join("a.vcd")).unwrap_err().to_string();
    assert!(error.contains("add `.waves(Waves::Vcd)"), "{error}");
    let error = dut.write_coverage(dir.path().join("a.dat")).unwrap_err().to_string();
    assert!(error.contains("add `.line_coverage()`"), "{error}");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);

    let traced = build(&None, "counter", "counter.v").waves(Waves::Vcd).line_coverage().load().unwrap();
    let mut dut = traced.instance(Reset::Zeros).unwrap();
    let nowhere = dir.path().join("no/such/dir");
    assert!(matches!(dut.write_coverage(nowhere.join("a.dat")), Err(Error::Io { .. })));
    assert!(matches!(dut.record(nowhere.join("a.vcd")), Err(Error::Io { .. })));
}
