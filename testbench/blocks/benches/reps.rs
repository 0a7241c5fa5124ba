//! Speed of the REPS block: transactions of the model, its clocked view, and lockstep with the RTL, compared
//! with a pure C++ loop around the same Verilated model. The figures are of one run; quote the ratios.

use std::time::Instant;
use verilator_sys::{Reset, bench::cpp_loop};
use weft_bench::{Rtl, Session, Subject, lockstep};
use weft_blocks::reps::Dut;
use weft_blocks::reps::stimulus::Stimulus;
use weft_nic::block::reps::{Event, Reps};
use weft_params::{RepsCsr, RepsParams};
use weft_random::Rng;

const CLOCKS: u64 = 4_000_000;
const ROUNDS: usize = 5;

/// C++ loop body with the stimulus of the lockstep run: a new random event on almost every clock, some
/// back-pressure.
const BODY: &str = "
    x += 0x9E3779B97F4A7C15ull;
    uint64_t z = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    z ^= z >> 31;
    dut->rst = turn < 2;
    dut->now = turn;
    dut->s_axis_event_tvalid = 1;
    dut->s_axis_event_tid = z & 0xFF;
    dut->s_axis_event_tdata = z >> 8;
    unsigned k = z >> 40 & 0xFF;
    dut->s_axis_event_tuser = (turn < 1000 ? 5 : k < 100 ? 0 : k < 230 ? 1 : k < 240 ? 2 : k < 250 ? 5 : 3) | (z >> 57 & 8);
    dut->m_axis_decision_tready = (z >> 50 & 15) != 0;
    dut->clk = 0; dut->eval();
    dut->clk = 1; dut->eval();
    checksum = checksum * 31 + dut->s_axis_event_tready + dut->m_axis_decision_tvalid + dut->m_axis_decision_tid
        + dut->m_axis_decision_tdata + dut->m_axis_decision_tuser + dut->stat_not_open_events;
";

const SETUP: &str =
    "uint64_t x = 1; dut->cfg_evs_size = 4096; dut->cfg_ev_base = 0xC000; dut->cfg_freeze_timeout = 300;
    dut->cfg_bdp_packets = 38; dut->cfg_trimming = 1; dut->cfg_rtt_high = 619; dut->cfg_rtt_window = 4375;";

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn nanoseconds(turns: u64, work: impl FnOnce()) -> f64 {
    let begin = Instant::now();
    work();
    begin.elapsed().as_nanos() as f64 / turns as f64
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let params = RepsParams::default();
    let build = Session::new(params, 1).build::<Dut>()?.long();
    let library = build.load()?;
    let (mut cpp, mut both, mut clocked, mut step) = (vec![], vec![], vec![], vec![]);
    for round in 0..ROUNDS {
        cpp.push(cpp_loop(&build, SETUP, BODY, CLOCKS)?.nanoseconds);

        let mut model = Dut::model(&params);
        let mut rtl = Rtl::<Dut>::new(&library, Reset::Random(round as u32))?;
        let mut driver = Dut::driver(&params, round as u64, CLOCKS);
        let begin = Instant::now();
        let report = lockstep::run(&mut model, &mut rtl, &mut driver, &mut ())?;
        both.push(begin.elapsed().as_nanos() as f64 / CLOCKS as f64);
        assert_eq!(report.mismatch, None);

        let mut driver = Dut::driver(&params, round as u64, CLOCKS);
        clocked.push(nanoseconds(CLOCKS, || lockstep::run_model::<Dut>(&mut model, &mut driver)));

        let csr = RepsCsr::default();
        let mut stimulus = Stimulus::new(Rng::new(round as u64), params, &csr);
        let events: Vec<Event> = (0..1 << 20).map(|_| stimulus.event().0).collect();
        let mut reps = Reps::new(params, csr);
        let mut sum = 0u64;
        step.push(nanoseconds(events.len() as u64, || {
            for event in &events {
                sum += u64::from(reps.step(event).ev);
            }
        }));
        assert!(sum > 0);
    }
    let [cpp, both, clocked, step] = [cpp, both, clocked, step].map(median);
    println!("medians of {ROUNDS} rounds of {CLOCKS} clocks, in ns");
    println!("transaction step of the model          {step:6.1}");
    println!("clocked model and its stimulus         {clocked:6.1}");
    println!("pure C++ loop around the Verilated RTL {cpp:6.1}");
    println!("lockstep: RTL, model, stimulus, compare {both:5.1}");
    println!("lockstep runs at {:.2} times the speed of the C++ loop", cpp / both);
    Ok(())
}
