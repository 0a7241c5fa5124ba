//! `weft sim --rtl`: the Verilog at chosen hosts, compared with the same run with models only.

use crate::interrupt;
use crate::progress::Progress;
use anyhow::{Result, anyhow, ensure};
use clap::ValueEnum;
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::Path;
use weft_bench::Watch;
use weft_fabric::plan::Plan;
use weft_fabric::report::Report;
use weft_fabric::simulate::Engine;
use weft_system::nic::{DeviceError, Maker, NicError, View};
use weft_system::placed::{But, Difference, PlaceError, Placing, Spread};

/// The view at the hosts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Stand {
    /// The Verilog
    #[default]
    Rtl,
    /// The clocked model
    Model,
    /// Both, compared on every port and clock
    Lockstep,
    /// The transaction view with another seed of entropy values: shows how far runs differ by chance
    Seed,
    /// The transaction view with the Verilog's delays: data leave as late as from the Verilog
    Late,
}

/// A clocked view, or a changed transaction view.
enum Kind {
    Clocked(View),
    But(But),
}

impl Stand {
    fn kind(self) -> Kind {
        match self {
            Self::Rtl => Kind::Clocked(View::Rtl),
            Self::Model => Kind::Clocked(View::Model),
            Self::Lockstep => Kind::Clocked(View::Lockstep),
            Self::Seed => Kind::But(But::Seed),
            Self::Late => Kind::But(But::Late),
        }
    }
}

/// The hosts that one `--rtl` names; `None`: all hosts.
#[derive(Clone, Debug)]
pub(super) struct Hosts(Option<Vec<u32>>);

impl Hosts {
    /// The hosts' numbers, in a network of `count` hosts.
    fn numbers(&self, count: u32) -> Vec<u32> {
        self.0.clone().unwrap_or_else(|| (0..count).collect())
    }
}

/// Reads `host=3`, `host=3,5` or `all`.
pub(super) fn hosts(text: &str) -> Result<Hosts, String> {
    if text == "all" {
        return Ok(Hosts(None));
    }
    let numbers = text.strip_prefix("host=").ok_or("write host=3, host=3,5 or all")?;
    let number = |text: &str| {
        text.parse()
            .map_err(|_| format!("`{text}` is not the number of a host: write host=3, host=3,5 or all"))
    };
    numbers.split(',').map(number).collect::<Result<_, _>>().map(|numbers| Hosts(Some(numbers)))
}

/// The counts of the Verilog, and the differences between the run with Verilog and the run without it.
#[derive(Debug, Serialize)]
pub(super) struct Placed {
    hosts: BTreeSet<u32>,
    #[serde(skip)]
    are_all: bool,
    view: String,
    written_bytes: u64,
    sent_bytes: u64,
    failure: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<Difference>,
}

/// A result with the counts and differences of the Verilog.
#[derive(Serialize)]
pub(super) struct Beside<'a> {
    #[serde(flatten)]
    report: &'a Report,
    rtl: &'a Placed,
}

/// Runs the plan with Verilog. With `is_alone` the run without Verilog is left out. `capture`: the folder of
/// captures.
pub(super) fn run(
    plan: &Plan,
    engine: Engine,
    hosts: &[Hosts],
    (stand, is_alone): (Stand, bool),
    capture: Option<&Path>,
) -> Result<(Report, Placed)> {
    let told = |error: PlaceError| match error {
        PlaceError::Nic(error) => anyhow!(error),
        error => anyhow!("--rtl: {error}"),
    };
    let count = plan.network().topology.hosts();
    let hosts: BTreeSet<u32> = hosts.iter().flat_map(|hosts| hosts.numbers(count)).collect();
    let mut placing = Placing::new(plan, hosts.iter().copied()).map_err(told)?;
    if let Some(folder) = capture {
        ensure!(
            matches!(stand.kind(), Kind::Clocked(_)),
            "--capture: the transaction view has no frames; use --view rtl, model or lockstep"
        );
        placing.capture(folder);
    }
    // Each flow ends at both hosts, and each host with the Verilog becomes idle.
    let mut progress = Progress::of_flows(2 * plan.flows().len() as u64 + hosts.len() as u64);
    let mut watch =
        |so_far: weft_fabric::engine::Progress| progress.go_on(so_far.finished) && !interrupt::pressed();
    let own = match stand.kind() {
        Kind::But(but) => placing.run_but(engine, but, &mut watch),
        Kind::Clocked(view) => {
            let maker = Maker::new(placing.params().map_err(told)?, view != View::Model)?;
            placing.run(engine, (&maker, view), &mut watch)
        }
    };
    let own = own.map_err(told)?;
    let other = match is_alone {
        true => None,
        false => Some(placing.run_but(engine, But::Nothing, &mut |_| !interrupt::pressed()).map_err(told)?),
    };
    let placed = Placed {
        view: stand.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default(),
        written_bytes: own.written,
        sent_bytes: own.sent,
        difference: other.map(|other| own.differs(&other)),
        failure: match own.fault {
            Some(
                error @ (NicError::Fault { .. } | NicError::Device { error: DeviceError::Mismatch(_), .. }),
            ) => Some(error.to_string()),
            Some(error) => return Err(error.into()),
            None => None,
        },
        are_all: hosts.len() == count as usize,
        hosts,
    };
    Ok((own.report, placed))
}

impl Placed {
    /// Whether no NIC broke a promise.
    pub(super) fn is_well(&self) -> bool {
        self.failure.is_none()
    }

    pub(super) fn beside<'a>(&'a self, report: &'a Report) -> Beside<'a> {
        Beside { report, rtl: self }
    }

    pub(super) fn as_text(&self) -> String {
        let Self { hosts, are_all, view, written_bytes, sent_bytes, failure, difference } = self;
        let numbers: Vec<String> = hosts.iter().map(ToString::to_string).collect();
        let mut text = match are_all {
            true => format!("{view} at all {} hosts", hosts.len()),
            false => format!("{view} at host {}", numbers.join(", ")),
        };
        // The transaction view alone counts no bytes.
        if let (0, 0, None) = (written_bytes, sent_bytes, failure) {
            text += "\n";
        } else {
            let well = failure.as_deref().unwrap_or("all of them right");
            text += &format!(": {written_bytes} bytes written to memory, {sent_bytes} sent, {well}\n");
        }
        let Some(difference) = difference else { return text };
        let Difference { connections, same, answering, same_answers, packets, same_packets, .. } = difference;
        text += &format!(
            "beside the run without it: {same} of {connections} connections sent the same packets in the same order, \
             {same_answers} of {answering} the same answers; {same_packets} of {packets} packets before a difference\n"
        );
        let Difference { flows, ended, fct_percent, fct_ns, .. } = difference;
        text + &match fct_percent.zip(*fct_ns) {
            None => format!("completion times: none of {flows} flows ended in both runs\n"),
            Some((percent, ns)) => {
                let Spread { mean, shift, least, most } = percent;
                let Spread { mean: mean_ns, shift: shift_ns, least: least_ns, most: most_ns } = ns;
                let part =
                    if ended < flows { format!(" of {ended} of {flows} flows") } else { String::new() };
                format!(
                    "completion times{part} differ by {mean:.3} % (mean size; with the sign {shift:.3} %), {least:.3} to \
                     {most:.3} %; {mean_ns:.1} ns ({shift_ns:.1} ns), {least_ns:.1} to {most_ns:.1} ns\n"
                )
            }
        }
    }
}
