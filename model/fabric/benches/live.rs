//! Compares the processor time of a closed run with that of a run to which a program adds the same flows, in
//! pairs of runs. `cargo bench -p weft-fabric --bench live`; an argument after `--`: pairs (5).

use std::path::Path;
use weft_fabric::flow::Start;
use weft_fabric::prelude::*;

const SETUP: &str = r#"
    topology = { kind = "fat-tree", k = 8 }
    scheme = { name = "ecmp" }
    links = { host_gbps = 400, fabric_gbps = 400 }
    workload = { kind = "none" }
"#;
const WORKLOADS: [(&str, &str); 3] = [
    ("permutation of 4 MiB", r#"workload={ kind = "permutation", bytes = 4194304 }"#),
    (
        "10,000 flows at random",
        r#"workload={ kind = "poisson", load = 0.5, flows = 10000, cdf = [[1000, 0], [20000, 70], [200000, 100]] }"#,
    ),
    ("all-to-all of 16 KiB", r#"workload={ kind = "alltoall", bytes = 16384, window = 127 }"#),
];

/// Seconds of processor time of this process.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").expect("Linux");
    stat.split(' ').next().and_then(|ns| ns.parse::<f64>().ok()).expect("nanoseconds") / 1e9
}

fn timed(run: impl FnOnce() -> u64) -> (f64, u64) {
    let begin = cpu_seconds();
    let ends = run();
    (cpu_seconds() - begin, ends)
}

fn plan(sets: &[String]) -> Plan {
    Plan::parse("setup", SETUP, Path::new(""), sets).expect("a plan")
}

fn live(closed: &Plan) -> u64 {
    let mut fabric = Fabric::new(plan(&[])).expect("a fabric");
    let (mut ends, mut calls) = (0, 0);
    let mut until = |fabric: &mut Fabric, until_ps| {
        loop {
            calls += 1;
            let done = fabric.advance(until_ps).len() as u64;
            if done == 0 {
                break;
            }
            ends += done;
        }
    };
    for flow in closed.flows() {
        let Start::AtPs(at_ps) = flow.start else { panic!("a flow with a time") };
        if at_ps >= fabric.now_ps() + fabric.window_ps() {
            until(&mut fabric, at_ps);
        }
        fabric.send(flow.source, flow.destination, flow.bytes, at_ps, 0).expect("a flow");
    }
    until(&mut fabric, u64::MAX);
    ends
}

fn main() {
    let pairs = std::env::args().skip(1).find_map(|word| word.parse::<usize>().ok()).unwrap_or(5);
    for (name, set) in WORKLOADS {
        let closed = plan(&[set.to_owned()]);
        let mut ratios = Vec::new();
        for pair in 0..pairs {
            let run = || u64::from(closed.run(Engine::Windows, |_| true).summary.finished) * 2;
            // The two engines take turns at going first.
            let (one, other) = if pair % 2 == 0 {
                let one = timed(run);
                (one, timed(|| live(&closed)))
            } else {
                let other = timed(|| live(&closed));
                (timed(run), other)
            };
            assert_eq!(one.1, other.1, "all flows end");
            ratios.push(one.0 / other.0);
            println!("{name}: closed {:.2} s, live {:.2} s", one.0, other.0);
        }
        ratios.sort_by(f64::total_cmp);
        println!(
            "{name}: the speed of a closed run {:.2}x (median; {:.2} to {:.2})",
            ratios[pairs / 2],
            ratios[0],
            ratios[pairs - 1]
        );
    }
}
