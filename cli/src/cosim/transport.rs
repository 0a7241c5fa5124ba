//! `weft cosim --block transport`: both blocks of the out-of-order transport and a hostile network between them.

use super::repeat;
use crate::args::CosimArgs;
use crate::interrupt;
use crate::progress::Progress;
use anyhow::{Result, bail, ensure};
use clap::{Args, ValueEnum};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Instant;
use weft_blocks::lockstep::{Mismatch, Watch};
use weft_params::{SackRxCsr, SackTxCsr};
use weft_system::transport::{
    Ending, Figures, LinkFigures, Network, Plant, Traffic, Transport, TransportError, View,
};

/// What is sent through which network. All of it is for --block transport.
#[derive(Args, Clone, Debug, Default, PartialEq)]
#[command(next_help_heading = "Transport (--block transport)")]
pub(crate) struct TransportArgs {
    /// Messages to deliver [default: 100000].
    #[arg(long, value_name = "N")]
    pub(super) messages: Option<u64>,
    /// Packets of the longest message [default: 32].
    #[arg(long, value_name = "N")]
    packets_per_message: Option<u32>,
    /// Share of data packets that are lost.
    #[arg(long, value_name = "SHARE")]
    pub(super) loss: Option<f64>,
    /// Packets that a loss takes with it, on average [default: 1].
    #[arg(long, value_name = "PACKETS")]
    burst: Option<f64>,
    /// Share of data packets whose payload is cut off.
    #[arg(long, value_name = "SHARE")]
    trim: Option<f64>,
    /// Share of packets, either way, that come twice.
    #[arg(long, value_name = "SHARE")]
    pub(super) dup: Option<f64>,
    /// Share of packets, either way, of which bits flip.
    #[arg(long, value_name = "SHARE")]
    pub(super) corrupt: Option<f64>,
    /// Data packets are overtaken by up to so many of their connection.
    #[arg(long, value_name = "PACKETS")]
    pub(super) reorder: Option<u32>,
    /// Clocks from one end to the other [default: 400].
    #[arg(long, value_name = "CLOCKS")]
    delay: Option<u32>,
    /// Share of packets, either way, on the path that dies: they vanish in every second 32,768 clocks.
    #[arg(long, value_name = "SHARE")]
    dead_path: Option<f64>,
    /// Share of ACKs and NACKs that are lost.
    #[arg(long, value_name = "SHARE")]
    ack_loss: Option<f64>,
    /// ACKs and NACKs are overtaken by up to so many of their connection.
    #[arg(long, value_name = "PACKETS")]
    ack_reorder: Option<u32>,
    /// From this clock on nothing passes: then every message that is not through must end in one error.
    #[arg(long, value_name = "CLOCK")]
    kill_after: Option<u64>,
    /// Bytes of a packet [default: 256].
    #[arg(long, value_name = "BYTES")]
    pub(super) mtu: Option<u32>,
    /// Largest congestion window; it changes all the time [default: 32 packets of 256 connections,
    /// more of fewer, fewer of more].
    #[arg(long, value_name = "BYTES")]
    cwnd: Option<u32>,
    /// A packet is lost when one so many PSNs later has come; 0: never [default: 64].
    #[arg(long, value_name = "PSNS")]
    gap: Option<u32>,
    /// Retransmission timeout in ticks of 8 clocks [default: 2188].
    #[arg(long, value_name = "TICKS")]
    rto: Option<u32>,
    /// Timeouts in a row that double it [default: 3].
    #[arg(long, value_name = "N")]
    backoff_limit: Option<u32>,
    /// Timeouts in a row that a connection survives [default: 15].
    #[arg(long, value_name = "N")]
    retry_limit: Option<u32>,
    /// Packets that make an ACK [default: 1].
    #[arg(long, value_name = "PACKETS")]
    coalesce: Option<u32>,
    /// What stands at the sender [default: lockstep].
    #[arg(long, value_enum)]
    sender: Option<ViewArg>,
    /// What stands at the receiver [default: lockstep].
    #[arg(long, value_enum)]
    receiver: Option<ViewArg>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ViewArg {
    /// The RTL.
    Rtl,
    /// The clocked model.
    Model,
    /// Both, compared on every output and clock.
    Lockstep,
}

impl From<ViewArg> for View {
    fn from(view: ViewArg) -> Self {
        match view {
            ViewArg::Rtl => Self::Rtl,
            ViewArg::Model => Self::Model,
            ViewArg::Lockstep => Self::Lockstep,
        }
    }
}

impl TransportArgs {
    /// Any of them was given.
    pub(super) fn are_given(&self) -> bool {
        *self != Self::default()
    }
}

fn transport(args: &CosimArgs) -> Result<Transport> {
    let given = &args.transport;
    let usual = Transport::default();
    let params = args.shape.sack("transport")?;
    let mtu_bytes = given.mtu.unwrap_or(usual.tx.mtu_bytes);
    let traffic = Traffic::of(params.connections, mtu_bytes);
    let named = Plant::all();
    let named: Vec<(&str, Plant)> = named.iter().map(|(name, plant)| (name.as_str(), *plant)).collect();
    Ok(Transport {
        params,
        sender: given.sender.map_or(usual.sender, View::from),
        receiver: given.receiver.map_or(usual.receiver, View::from),
        tx: SackTxCsr {
            mtu_bytes,
            gap: given.gap.unwrap_or(usual.tx.gap),
            rto_ticks: given.rto.unwrap_or(usual.tx.rto_ticks),
            backoff_limit: given.backoff_limit.unwrap_or(usual.tx.backoff_limit),
            retry_limit: given.retry_limit.unwrap_or(usual.tx.retry_limit),
        },
        rx: given.coalesce.map_or(usual.rx, |ack_packets| SackRxCsr { ack_packets, ack_bytes: 0 }),
        traffic: Traffic {
            messages: given.messages.unwrap_or(traffic.messages),
            packets_per_message: given.packets_per_message.unwrap_or(traffic.packets_per_message),
            cwnd_bytes: given.cwnd.unwrap_or(traffic.cwnd_bytes),
        },
        network: Network {
            loss: given.loss.unwrap_or(0.0),
            burst: given.burst.unwrap_or(1.0),
            trim: given.trim.unwrap_or(0.0),
            dup: given.dup.unwrap_or(0.0),
            corrupt: given.corrupt.unwrap_or(0.0),
            reorder: given.reorder.unwrap_or(0),
            delay_clocks: given.delay.unwrap_or(usual.network.delay_clocks),
            dead_path: given.dead_path.unwrap_or(0.0),
            ack_loss: given.ack_loss.unwrap_or(0.0),
            ack_reorder: given.ack_reorder.unwrap_or(0),
            kill_after: given.kill_after,
        },
        seed: args.seed.unwrap_or(usual.seed),
        plant: args.plant(&named)?,
    })
}

pub(super) fn run(args: &CosimArgs) -> Result<bool> {
    ensure!(args.trace.is_empty(), "--trace is for --block reps; give transport --messages");
    let transport = transport(args)?;
    interrupt::listen()?;
    let mut progress = Progress::of_messages(transport.traffic.messages);
    let mut figures = Figures::default();
    // The building of the RTL, before the first clock, does not count.
    let mut begin = None;
    let ended = transport.run(|so_far| {
        begin.get_or_insert_with(Instant::now);
        figures = *so_far;
        progress.go_on(so_far.completed + so_far.errors) && !interrupt::pressed()
    });
    drop(progress);
    let mut run = Run {
        transport,
        figures,
        seconds: begin.map_or(0.0, |begin| begin.elapsed().as_secs_f64()),
        failure: None,
        waves: Vec::new(),
    };
    let stopped = match ended {
        Ok(Ending { figures, stopped }) => {
            run.figures = figures;
            stopped
        }
        Err(error @ (TransportError::Mismatch { .. } | TransportError::Fault(_))) => {
            run.figures.clocks = clock_of(&error);
            run.failure = Some(error);
            false
        }
        Err(error) => return Err(error.into()),
    };
    run.record(args.wave.as_deref())?;
    if args.json {
        println!("{}", serde_json::to_string_pretty(&run.as_json())?);
    } else {
        print!("{}", run.as_text());
    }
    if stopped {
        bail!("stopped before the end; {} of {} messages ended", run.ended(), transport.traffic.messages);
    }
    Ok(run.failure.is_none())
}

/// A run and how it ended.
struct Run {
    transport: Transport,
    figures: Figures,
    seconds: f64,
    failure: Option<TransportError>,
    waves: Vec<PathBuf>,
}

impl Run {
    fn ended(&self) -> u64 {
        self.figures.completed + self.figures.errors
    }

    /// Records the last clocks if they were asked for or went wrong.
    fn record(&mut self, wave: Option<&Path>) -> Result<()> {
        let usual = PathBuf::from(format!("transport_seed{}.vcd", self.transport.seed));
        let path = wave.or_else(|| self.failure.as_ref().map(|_| usual.as_path()));
        if let Some(path) = path {
            self.waves = self.transport.record(self.figures.clocks, path)?;
        }
        Ok(())
    }

    fn as_json(&self) -> serde_json::Value {
        let Self { transport, figures, seconds, failure, waves } = self;
        let mut found = json!({
            "seed": transport.seed,
            "transport": transport,
            "figures": figures,
            "seconds": seconds,
            "mismatches": u32::from(failure.is_some()),
            "waves": waves,
        });
        match failure {
            Some(TransportError::Mismatch { end, mismatch: Mismatch { cycle, port, model, rtl } }) => {
                found["mismatch"] = json!({
                    "end": end, "cycle": cycle, "port": port, "model": model, "rtl": rtl, "repeat": repeat(),
                });
            }
            Some(TransportError::Fault(fault)) => {
                let (clock, connection, what) = (fault.clock, fault.connection, fault.breach.to_string());
                found["fault"] =
                    json!({ "clock": clock, "connection": connection, "what": what, "repeat": repeat() });
            }
            _ => {}
        }
        found
    }

    fn as_text(&self) -> String {
        let Self { transport, figures, seconds, failure, waves } = self;
        let Figures {
            clocks, posted, delivered, completed, errors, packets, retransmissions, spurious, ..
        } = figures;
        let view = |view: View| format!("{view:?}").to_lowercase();
        let mut text = format!(
            "weft_sack_tx ({}), weft_sack_rx ({}): {clocks} clocks, {seconds:.1} s, {:.2} million clocks a second\n",
            view(transport.sender),
            view(transport.receiver),
            *clocks as f64 / seconds.max(1e-9) / 1e6,
        );
        text += &format!(
            "messages: {posted} posted, {delivered} delivered, {completed} completed, {errors} in error\n"
        );
        text += &format!(
            "packets: {packets} ({:.1} MB), {retransmissions} retransmissions, {spurious} of them spurious; {} timeouts, \
             at most {} in a row\n",
            figures.bytes as f64 / 1e6,
            figures.timeouts,
            figures.timeouts_in_a_row,
        );
        text += &format!(
            "receiver: {} ACKs, {} NACKs, {} duplicates, {} out of order at most; {} openings, {} failures\n",
            figures.acks,
            figures.nacks,
            figures.duplicates,
            figures.most_out_of_order,
            figures.opens,
            figures.failures
        );
        for (what, link) in [("data", &figures.data), ("ACKs and NACKs", &figures.control)] {
            let LinkFigures { packets, lost, dead, corrupted, trimmed, duplicated, late, spared } = link;
            text += &format!(
                "network, {what}: {packets} packets, {lost} lost, {dead} on a dead path, {corrupted} damaged, \
                 {trimmed} trimmed, {duplicated} doubled ({late} very late), {spared} spared\n"
            );
        }
        if let Some(failure) = failure {
            text += &format!("{failure}, seed {}\nrepeat: {}\n", transport.seed, repeat());
        }
        for wave in waves {
            text += &format!("waveform: {}\n", wave.display());
        }
        text + &format!("mismatches: {}\n", u32::from(failure.is_some()))
    }
}

fn clock_of(error: &TransportError) -> u64 {
    match error {
        TransportError::Mismatch { mismatch, .. } => mismatch.cycle,
        TransportError::Fault(fault) => fault.clock,
        _ => 0,
    }
}
