//! A result for people.

use std::fmt::Write;
use weft_fabric::report::{PortFigures, Report, Spread, Summary};
use weft_fabric::schedule::ScheduleFigures;
use weft_fabric::tally::Distribution;

/// A line about a distribution counted during the run, in units of `unit`. `None` if it is empty.
fn counted(name: &str, it: &Distribution, unit: f64, digits: usize) -> String {
    let figures =
        [("mean", it.mean), ("median", it.p50), ("90 %", it.p90), ("99 %", it.p99), ("most", it.most)];
    let figures = figures.map(|(name, value)| Some(format!("{name} {:.digits$}", value? / unit)));
    let figures: Option<Vec<String>> = figures.into_iter().collect();
    figures.map(|figures| format!("{name}: {}\n", figures.join(", "))).unwrap_or_default()
}

/// The result as text. The run took `seconds` seconds.
pub fn of(report: &Report, seconds: f64) -> Result<String, std::fmt::Error> {
    let Report { summary, setup, .. } = report;
    let mut text = format!(
        "{} hosts, {} switches ({}), {} flows: {} packet-hops ({} without the hosts' queues), {seconds:.1} s, {:.2} million a \
         second ({:.2})\n",
        summary.hosts,
        summary.switches,
        setup.scheme_name(),
        summary.flows,
        summary.packet_hops,
        summary.switch_hops,
        summary.packet_hops as f64 / seconds.max(1e-9) / 1e6,
        summary.switch_hops as f64 / seconds.max(1e-9) / 1e6,
    );
    let Summary { fct_us, slowdown, losses, .. } = summary;
    if summary.flows == 0 {
        // A schedule of computations, or a program that has sent nothing.
        text += "no flows";
    } else {
        let ended = if summary.finished == 0 { "none".to_owned() } else { summary.finished.to_string() };
        write!(text, "{ended} of {} flows ended", summary.flows)?;
        if let Some(finish) = summary.finish_us {
            write!(text, ", the last after {finish:.3} us")?;
        }
        if let Some(goodput) = summary.goodput_gbps {
            write!(text, ", {goodput:.1} Gb/s in all")?;
        }
    }
    text += "\n";
    if let Some(ScheduleFigures { operations, ended, last_us }) = summary.schedule {
        let last = last_us.map_or(String::new(), |us| format!(", the last after {us:.3} us"));
        writeln!(text, "{ended} of {operations} operations of the schedule ended{last}")?;
    }
    let line = |name: &str, spread: &Spread| {
        let Spread { count, of, mean, least, p50, p99, most } = spread;
        let part = match (count, of) {
            _ if count < of => format!(", {count} of {of} flows"),
            _ if *of < summary.flows => format!(", {of} flows"),
            _ => String::new(),
        };
        let figures = [("mean", mean), ("least", least), ("median", p50), ("99 %", p99), ("most", most)];
        let figures = figures.map(|(name, value)| value.map(|value| format!("{name} {value:.3}")));
        let figures: Option<Vec<String>> = figures.into_iter().collect();
        format!("{name}{part}: {}\n", figures.map_or("-".to_owned(), |figures| figures.join(", ")))
    };
    text += &line("completion time in us", fct_us);
    text += &line("slowdown", slowdown);
    text += &line("slowdown until the sender knew", &summary.sender_slowdown);
    if summary.warmup_flows > 0 {
        writeln!(text, "left out: {} flows of the warm-up", summary.warmup_flows)?;
    }
    text += &counted("round-trip time in us", &summary.rtt_us, 1.0, 3);
    text += &counted("packets of a connection ahead of a missing one", &summary.early, 1.0, 2);
    text += &counted("kB in the reorder queues of a port", &summary.reorder_bytes, 1e3, 1);
    if let Some(share) = summary.control_share {
        writeln!(text, "ACKs, NACKs and probes: {:.2} % of all bytes", 100.0 * share)?;
    }
    let has_errors = report.faults.iter().any(|fault| fault.ber.is_some());
    let corrupt = if has_errors { format!(" {} bit errors,", losses.corrupt) } else { String::new() };
    writeln!(
        text,
        "packets: {} sent, {} received, {} sent again, {} trimmed, {} marked; lost: {} data queue, {} control queue, \
         {} cut links,{corrupt} {} no way; {} under way",
        summary.sent,
        summary.received,
        summary.again,
        summary.trims,
        summary.marks,
        losses.data_queue,
        losses.control_queue,
        losses.link,
        losses.no_way,
        summary.waiting + summary.on_links,
    )?;
    if let Some(buffer) = &summary.buffer {
        writeln!(
            text,
            "shared buffers: {} packets lost, {} PFC frames sent, {} received, {:.1} kB at most in use",
            losses.buffer,
            buffer.pauses_sent,
            buffer.pauses_received,
            buffer.peak_bytes as f64 / 1e3
        )?;
    }
    for figures in &report.ports {
        let PortFigures { kind, ports, bytes: [least, mean, most], imbalance, peak_bytes, .. } = figures;
        let Distribution { mean: waited, p99, .. } = figures.queue_bytes;
        let kb = |bytes: f64| bytes / 1e3;
        let of_switch = imbalance.map(|it| format!(", imbalance at a switch {it:.3}")).unwrap_or_default();
        let found = waited.zip(p99).map(|(mean, p99)| {
            format!(", packets find {:.1} kB, 99 % of them at most {:.1} kB", kb(mean), kb(p99))
        });
        writeln!(
            text,
            "{kind}: {ports} ports, {:.0} / {:.0} / {:.0} kB (least, mean, most){of_switch}, longest queue {:.1} kB{}",
            kb(*least),
            kb(*mean),
            kb(*most),
            kb(f64::from(*peak_bytes)),
            found.unwrap_or_default()
        )?;
    }
    if !report.switch_counters.is_empty() {
        let counts = report.switch_counters.iter().map(|(name, count)| format!("{name} {count}"));
        writeln!(text, "switches: {}", counts.collect::<Vec<_>>().join(", "))?;
    }
    for violation in &report.violations {
        writeln!(text, "{violation}")?;
    }
    writeln!(text, "violations: {}", report.violations.len())?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use weft_fabric::prelude::{Engine, Plan};

    #[test]
    fn a_run_without_flows_says_so() {
        let setup = "[topology]\nkind = 'leaf-spine'\nleaves = 2\nspines = 2\nhosts_per_leaf = 2\n\
                     [scheme]\nname = 'ecmp'\n[workload]\nkind = 'none'\n";
        let plan = Plan::parse("a.toml", setup, std::path::Path::new(""), &[]).expect("a plan");
        let text = super::of(&plan.run(Engine::Windows, |_| true), 1.0).expect("a text");
        assert!(text.contains("\nno flows\n") && !text.contains("of 0 flows"), "{text}");
    }
}
