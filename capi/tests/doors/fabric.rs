//! The output of `fabric.c`, computed in Rust.

use ::weft_fabric::prelude::*;
use std::fmt::Write;
use std::path::Path;

pub(crate) fn said() -> String {
    let setup = r#"
        seed = 3
        topology = { kind = "fat-tree", k = 4 }
        scheme = { name = "drill" }
        workload = { kind = "none" }
        inner = { hosts = 2, gbps = 900, latency_ns = 300 }
    "#;
    // The run uses one thread: any number of threads gives the same result.
    let plan = Plan::parse("setup", setup, Path::new(""), &["switch.queue_bytes=50000".to_owned()]);
    let mut fabric = Fabric::new(plan.expect("a plan")).expect("a fabric");
    for host in 0..16 {
        fabric.send(host, (host + 5) % 16, 100_000, 0, 2).expect("a flow");
    }
    let (mut said, mut until_ps) = (String::new(), 7_000_000);
    loop {
        let done = fabric.advance(until_ps);
        if done.is_empty() {
            if until_ps == u64::MAX {
                break;
            }
            writeln!(said, "now {}", fabric.now_ps()).expect("text");
            fabric.send(0, 9, 1, until_ps, 0).expect("a flow");
            until_ps = u64::MAX;
        }
        for it in done {
            let kind = u32::from(it.is_sender);
            writeln!(said, "{} {} {} {} {kind}", it.flow, it.source, it.destination, it.at_ps).expect("text");
            let (from, step) = if it.is_sender { (it.source, 1) } else { (it.destination, 5) };
            if it.user > 0 {
                let bytes = 10_000 + u64::from(it.flow);
                fabric.send(from, (from + step) % 16, bytes, it.at_ps, it.user - 1).expect("a flow");
            }
        }
    }
    let late = fabric.late();
    writeln!(said, "late {} {} {}", late.flows, late.sum_ps, late.most_ps).expect("text");
    said + &serde_json::to_string_pretty(&fabric.finish()).expect("a report") + "\n"
}
