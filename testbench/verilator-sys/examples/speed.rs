//! Compares a loop in Rust with the same loop in plain C++ around the same model:
//! `cargo run --release --example speed -p verilator-sys [clocks]`. Both loops draw the same stimulus, hash
//! all outputs and must agree on the result.

use std::hint::black_box;
use std::time::Instant;

use verilator_sys::bench::cpp_loop;
use verilator_sys::{Build, Error, Instance, Port, PortId, Reset, ports};

const RTL: &str = include_str!("speed.v");
/// Number of runs of each kind, interleaved. The best run counts, because other programs can only slow a run
/// down.
const ROUNDS: usize = 20;

ports! {
    struct Dut {
        in clk: 1,
        in rst: 1,
        in s_valid: 1,
        in s_last: 1,
        in s_key: 8,
        in s_now: 48,
        in s_keep: 64,
        in s_data: [512],
        in s_bitmap: [256],
        out m_valid: 1,
        out m_key: 8,
        out m_now: 48,
        out m_keep: 64,
        out m_data: [512],
        out m_bitmap: [256],
        out total: 32,
    }
}

const SETUP: &str = r"
    uint64_t state = 1;
    const auto next = [&state] {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return state;
    };
    const auto mix = [&checksum](uint64_t word) { checksum = (checksum ^ word) * 0x9e3779b97f4a7c15; };
";

const BODY: &str = r"
    const uint64_t word = next();
    dut->rst = turn < 2;
    dut->s_valid = word & 1;
    dut->s_last = word >> 1 & 1;
    dut->s_key = word >> 2 & 0xff;
    dut->s_now = turn;
    dut->s_keep = word;
    for (int i = 0; i < 8; ++i) {
        const uint64_t part = word + i;
        dut->s_data[2 * i] = part;
        dut->s_data[2 * i + 1] = part >> 32;
    }
    for (int i = 0; i < 4; ++i) {
        const uint64_t part = word ^ i;
        dut->s_bitmap[2 * i] = part;
        dut->s_bitmap[2 * i + 1] = part >> 32;
    }
    dut->clk = 0;
    dut->eval();
    mix(dut->m_valid);
    mix(dut->m_key);
    mix(dut->m_now);
    mix(dut->m_keep);
    for (int i = 0; i < 8; ++i) mix(dut->m_data[2 * i] | static_cast<uint64_t>(dut->m_data[2 * i + 1]) << 32);
    for (int i = 0; i < 4; ++i) mix(dut->m_bitmap[2 * i] | static_cast<uint64_t>(dut->m_bitmap[2 * i + 1]) << 32);
    mix(dut->total);
    dut->clk = 1;
    dut->eval();
";

struct Stimulus(u64);

impl Stimulus {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

fn mix(checksum: &mut u64, word: u64) {
    *checksum = (*checksum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
}

/// Moves by declared ports.
fn typed(instance: Instance, turns: u64) -> Result<u64, Error> {
    let mut dut = Dut::new(instance)?;
    let mut stimulus = Stimulus(1);
    let mut checksum = 0;
    for turn in 0..turns {
        let word = stimulus.next();
        dut.rst(u64::from(turn < 2));
        dut.s_valid(word);
        dut.s_last(word >> 1);
        dut.s_key(word >> 2);
        dut.s_now(turn);
        dut.s_keep(word);
        dut.s_data(&std::array::from_fn(|i| word.wrapping_add(i as u64)));
        dut.s_bitmap(&std::array::from_fn(|i| word ^ i as u64));
        dut.clk(0);
        dut.eval()?;
        mix(&mut checksum, dut.m_valid());
        mix(&mut checksum, dut.m_key());
        mix(&mut checksum, dut.m_now());
        mix(&mut checksum, dut.m_keep());
        dut.m_data().iter().for_each(|&word| mix(&mut checksum, word));
        dut.m_bitmap().iter().for_each(|&word| mix(&mut checksum, word));
        mix(&mut checksum, dut.total());
        dut.clk(1);
        dut.eval()?;
    }
    Ok(checksum)
}

/// Moves values by ports that are resolved from names, as a tool for any model does.
fn named(mut dut: Instance, turns: u64) -> Result<u64, Error> {
    let library = dut.library().clone();
    let port = |name: &str| library.port(name).map(|port: &Port| port.id);
    let clk = port("clk")?;
    let inputs: [PortId; 8] = ["rst", "s_valid", "s_last", "s_key", "s_now", "s_keep", "s_data", "s_bitmap"]
        .map(|name| port(name).expect("a port of speed.v"));
    let outputs: [(PortId, usize); 7] =
        ["m_valid", "m_key", "m_now", "m_keep", "m_data", "m_bitmap", "total"]
            .map(|name| library.port(name).map(|port| (port.id, port.words())).expect("a port of speed.v"));
    let mut stimulus = Stimulus(1);
    let mut checksum = 0;
    for turn in 0..turns {
        let word = stimulus.next();
        let narrow = [u64::from(turn < 2), word, word >> 1, word >> 2, turn, word];
        for (&port, value) in inputs.iter().zip(narrow) {
            dut.set(port, value);
        }
        dut.write(inputs[6], &std::array::from_fn::<u64, 8, _>(|i| word.wrapping_add(i as u64)));
        dut.write(inputs[7], &std::array::from_fn::<u64, 4, _>(|i| word ^ i as u64));
        dut.set(clk, 0);
        dut.eval()?;
        for &(port, words) in &outputs {
            if words == 1 {
                mix(&mut checksum, dut.get(port));
                continue;
            }
            let mut value = [0; 8];
            dut.read(port, &mut value[..words]);
            value[..words].iter().for_each(|&word| mix(&mut checksum, word));
        }
        dut.set(clk, 1);
        dut.eval()?;
    }
    Ok(checksum)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let turns = std::env::args().nth(1).map_or(Ok(200_000), |turns| turns.parse())?;
    let build = Build::new("speed").text("speed.v", RTL);
    println!("{}", verilator_sys::find()?.version);
    let library = build.load()?;
    let time = |run: fn(Instance, u64) -> Result<u64, Error>| -> Result<(f64, u64), Error> {
        let instance = library.instance(Reset::Zeros)?;
        let start = Instant::now();
        let checksum = black_box(run(instance, turns)?);
        Ok((start.elapsed().as_nanos() as f64 / turns as f64, checksum))
    };
    let mut best = [f64::INFINITY; 3];
    for _ in 0..ROUNDS {
        let cpp = cpp_loop(&build, SETUP, BODY, turns)?;
        let runs = [(cpp.nanoseconds, cpp.checksum), time(typed)?, time(named)?];
        assert!(runs.iter().all(|&(_, checksum)| checksum == cpp.checksum), "the loops differ: {runs:x?}");
        for (best, (nanoseconds, _)) in best.iter_mut().zip(runs) {
            *best = best.min(nanoseconds);
        }
    }
    for (name, nanoseconds) in ["C++", "Rust, declared ports", "Rust, ports by name"].iter().zip(best) {
        println!(
            "{name:22} {nanoseconds:7.1} ns per clock, {:.2} of the speed of C++",
            best[0] / nanoseconds
        );
    }
    Ok(())
}
