//! `weft cosim transport`: sender and receiver of the out-of-order transport, with a hostile network between
//! them.

use super::recovery::{self, RulesArg};
use super::{ViewArg, check_mtu, repeat};
use crate::blocks::planted;
use crate::interrupt;
use crate::output;
use crate::progress::Progress;
use anyhow::{Result, bail};
use clap::Args;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Instant;
use weft_bench::hex;
use weft_bench::{Mismatch, Watch};
use weft_params::{SackParams, SackRxCsr, SackTxCsr};
use weft_system::transport::{
    Ending, Figures, LinkCounts, Network, Plant, Traffic, Transport, TransportError, View,
};

/// The messages and the network between the hosts.
#[derive(Args)]
#[command(after_help = "\
One host posts messages at weft_sack_tx, and weft_sack_rx delivers them to the other, through a bad network. The command
compares the RTL with its model on every output and clock. It checks every byte in memory and the number of packets in
flight, and that every message is delivered and completed once and in order. After a failure the command prints the cause
and the command line that repeats the run, and writes the waveforms of the last 2,000 clocks of both blocks. The last line
is `mismatches: N`; exit code 1 if N is not 0. A SHARE is a number from 0 to 1, as 0.01.

Examples:
  weft cosim transport --loss 0.01
  weft cosim transport --loss 0.3 --trim 0.2 --dup 0.1 --reorder 200 --corrupt 0.01 --messages 100000
  weft cosim transport --sender model --receiver model --messages 1000 --json     # builds no RTL
  weft cosim transport --recovery --beside before,rack                            # how quickly losses are made good
  weft cosim transport --plant sender-backoff --loss 0.1                          # must fail")]
pub(crate) struct TransportArgs {
    /// Messages to deliver [default: 100000].
    #[arg(long, value_name = "N")]
    messages: Option<u64>,
    /// Packets of the longest message [default: 32].
    #[arg(long, value_name = "PACKETS")]
    packets_per_message: Option<u32>,
    /// Payload bytes of a full packet: a power of two, 256 to 8192.
    #[arg(long, value_name = "BYTES", default_value_t = Transport::default().tx.mtu_bytes)]
    mtu: u32,
    /// Largest congestion window, in bytes. Windows change all the time up to this value [default: 32 packets
    /// with 256 connections, more packets with fewer connections, fewer packets with more].
    #[arg(long, value_name = "BYTES")]
    cwnd: Option<u32>,
    /// Connections with state in block RAM: 4, 16, 64, 256, 1024, 4096 or 16384.
    #[arg(long, value_name = "N", default_value_t = SackParams::default().connections)]
    connections: u32,
    /// RTL, model or both at the sender.
    #[arg(long, value_enum, default_value = "lockstep")]
    sender: ViewArg,
    /// RTL, model or both at the receiver.
    #[arg(long, value_enum, default_value = "lockstep")]
    receiver: ViewArg,
    /// Seed of all random choices.
    #[arg(long, default_value_t = Transport::default().seed)]
    seed: u64,
    /// Plant a bug, so that the run fails: a bug of a block as sender-BUG or receiver-BUG, or a fault between
    /// the blocks. A wrong name prints the list of bugs.
    #[arg(long, value_name = "BUG")]
    plant: Option<String>,
    /// Write waveforms of the last 2,000 clocks of both blocks (FST if FILE ends in .fst, else VCD).
    #[arg(long, value_name = "FILE")]
    wave: Option<PathBuf>,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
    /// Run only models, and print how long the recovery from losses takes, as a table; `--seed` is the first seed.
    #[arg(long)]
    recovery: bool,
    /// Number of seeds over which the table's figures are means.
    #[arg(long, value_name = "N", default_value_t = 8, requires = "recovery")]
    seeds: u64,
    /// Rules that the table compares with the rules of weft.
    #[arg(long, value_enum, value_name = "RULES", value_delimiter = ',', requires = "recovery")]
    beside: Vec<RulesArg>,
    #[command(flatten)]
    network: NetworkArgs,
    #[command(flatten)]
    registers: RegisterArgs,
}

/// The effects of the network on packets.
#[derive(Args)]
#[command(next_help_heading = "Network")]
struct NetworkArgs {
    /// Share of data packets that are lost.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    loss: f64,
    /// Packets that are lost in a row, on average.
    #[arg(long, value_name = "PACKETS", default_value_t = 1.0)]
    burst: f64,
    /// Share of data packets that are trimmed: their payload is cut off.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    trim: f64,
    /// Share of packets, in both directions, that arrive twice.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    dup: f64,
    /// Share of packets, in both directions, in which bits flip.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    corrupt: f64,
    /// How many later packets of the same connection may overtake a data packet.
    #[arg(long, value_name = "PACKETS", default_value_t = 0)]
    reorder: u32,
    /// Delay from one end to the other.
    #[arg(long, value_name = "CLOCKS", default_value_t = Network::default().delay_clocks)]
    delay: u32,
    /// Share of packets, in both directions, that use a path which is dead for 32,768 clocks, works for 32,768, and so on.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    dead_path: f64,
    /// Share of ACKs and NACKs that are lost.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    ack_loss: f64,
    /// How many later ACKs and NACKs of the same connection may overtake an ACK or NACK.
    #[arg(long, value_name = "PACKETS", default_value_t = 0)]
    ack_reorder: u32,
    /// Lose all packets from this clock on: every message that is not complete must then end in one error.
    #[arg(long, value_name = "CLOCK")]
    kill_after: Option<u64>,
}

/// Registers of both blocks.
#[derive(Args)]
#[command(next_help_heading = "Registers")]
struct RegisterArgs {
    /// SACK gap: a packet counts as lost when a packet this many PSNs later has arrived; 0: never.
    #[arg(long, value_name = "PSNS", default_value_t = Transport::default().tx.classes[0].gap)]
    gap: u32,
    /// Retransmission timeout, in ticks of 8 clocks.
    #[arg(long, value_name = "TICKS", default_value_t = Transport::default().tx.classes[0].rto_ticks)]
    rto: u32,
    /// The shortest epoch, in ticks of 8 clocks.
    #[arg(long, value_name = "TICKS", default_value_t = Transport::default().tx.classes[0].epoch_ticks)]
    epoch: u32,
    /// Number of timeouts in a row that double the retransmission timeout; later ones leave it as it is.
    #[arg(long, value_name = "N", default_value_t = Transport::default().tx.classes[0].backoff_limit)]
    backoff_limit: u32,
    /// Number of timeouts in a row that a connection survives.
    #[arg(long, value_name = "N", default_value_t = Transport::default().tx.classes[0].retry_limit)]
    retry_limit: u32,
    /// New packets that the receiver answers with one ACK [default: 1].
    #[arg(long, value_name = "N", alias = "coalesce")]
    ack_packets: Option<u32>,
}

fn transport(args: &TransportArgs) -> Result<Transport> {
    let TransportArgs { network, registers, .. } = args;
    let params = SackParams { connections: args.connections };
    params.check()?;
    check_mtu(args.mtu)?;
    let usual = Traffic::of(params.connections, args.mtu);
    let named = Plant::all();
    let named: Vec<(&str, Plant)> = named.iter().map(|(name, plant)| (name.as_str(), *plant)).collect();
    Ok(Transport {
        params,
        sender: args.sender.into(),
        receiver: args.receiver.into(),
        tx: SackTxCsr {
            mtu_bytes: args.mtu,
            ..Transport::default()
                .tx
                .with_gap(registers.gap)
                .with_rto(registers.rto)
                .with_epoch(registers.epoch)
                .with_backoff(registers.backoff_limit)
                .with_retries(registers.retry_limit)
        },
        rx: registers.ack_packets.map_or_else(SackRxCsr::default, SackRxCsr::every),
        traffic: Traffic {
            messages: args.messages.unwrap_or(usual.messages),
            packets_per_message: args.packets_per_message.unwrap_or(usual.packets_per_message),
            cwnd_bytes: args.cwnd.unwrap_or(usual.cwnd_bytes),
        },
        network: Network {
            loss: network.loss,
            burst: network.burst,
            trim: network.trim,
            dup: network.dup,
            corrupt: network.corrupt,
            reorder: network.reorder,
            delay_clocks: network.delay,
            dead_path: network.dead_path,
            ack_loss: network.ack_loss,
            ack_reorder: network.ack_reorder,
            kill_after: network.kill_after,
        },
        seed: args.seed,
        plant: planted(args.plant.as_deref(), &named)?,
    })
}

/// Runs the co-simulation. `false`: RTL and model differ, or the transport broke a promise.
pub(super) fn run(args: &TransportArgs) -> Result<bool> {
    if args.recovery {
        return recovery::run(args.seed, args.seeds, &args.beside, args.json);
    }
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
        output::json(&run.as_json())?;
    } else {
        output::text(&run.as_text())?;
    }
    if stopped {
        bail!("stopped before the end; {} of {} messages ended", run.ended(), transport.traffic.messages);
    }
    Ok(run.failure.is_none())
}

/// A run and its end.
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

    /// Records the last clocks if the user requested it, or after an error.
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
                    "end": end, "cycle": cycle, "port": port, "model": hex(model), "rtl": hex(rtl), "repeat": repeat(),
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
            let LinkCounts { frames, lost, dead, damaged, trimmed, duplicated, late, spared, .. } = link;
            text += &format!(
                "network, {what}: {frames} packets, {lost} lost, {dead} on a dead path, {damaged} damaged, \
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
