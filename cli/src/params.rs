//! `weft params`: a NIC's configuration for a network, or only the constants of the SMaRTT window and of the
//! transport's retries.

mod registers;

use crate::output;
use crate::window::WindowArg;
use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::fmt::Write;
use weft_params::{
    Constant, Constants, Core, Network, ParamError, Preset, SackParams, SackTxClass, SackTxCsr, Setup,
    Signals, Sizing, check_psns,
};

/// A network, in the names and units of [`Network`].
#[derive(Args)]
#[command(after_help = "\
Without --registers the command prints each constant with its value, the register that holds it, and the error of rounding.
Networks differ mostly in link rate, base RTT and MTU; the defaults of the other SMaRTT options are those of the paper
(SMaRTT-REPS).

With --registers the command prints the register writes that bring a NIC up, in their order, except those for its IP
addresses and connections. Give the base RTTs of the wire: the command adds the time of the two NICs and of the DMA read.
Page docs/integration.md says how to measure a base RTT.

Examples:
  weft params
  weft params --registers --clock-mhz 322.265625 --rate 100 --base-rtt-ns 2000,6000 --mac 02:00:00:00:00:01
  weft params --registers c > weft_configuration.h
  weft params --registers --window nscc --base-rtt-ns 8000
  weft params --link-gbps 800 --base-rtt-ns 4000,12000 --mtu-bytes 4096
  weft params --link-gbps 400 --c-header
  weft params --rto-us 25 --retry-ms 1500
  weft params --base-rtt-ns 4000,12000 --rto-us 40,70 --retry-ms 500,2000")]
pub(crate) struct ParamsArgs {
    /// Rate of the NIC's link in Gb/s: 10 to 1600.
    #[arg(long, alias = "rate", value_name = "GBPS", default_value_t = Setup::default().network.link_gbps)]
    link_gbps: u32,
    /// RTT of the empty network in ns, 100 to 200000: one value for each class of peers, for example peers in
    /// the same rack, peers in the same pod, and all others. There are 4 classes; missing classes repeat the
    /// last value.
    #[arg(long, value_delimiter = ',', value_name = "NS,NS,...", default_values_t = Network::default().base_rtt_ns)]
    base_rtt_ns: Vec<u32>,
    /// Payload bytes of a full packet: a power of two, 256 to 8192.
    #[arg(long, alias = "mtu", value_name = "BYTES", default_value_t = Network::default().mtu_bytes)]
    mtu_bytes: u32,
    /// Bytes of the queue of a switch port. The target RTT is the RTT through a half-full queue. [default: one
    /// BDP of each class]
    #[arg(long, value_name = "BYTES")]
    queue_bytes: Option<u32>,
    /// Tick in which the NIC measures time, in ps: its clock period times a power of two, at most 32000.
    /// [default: 1, 2, 4, 8, 16 or 32 ns: the coarsest tick with which the shortest base RTT has at least 64
    /// ticks; coarser if the longest RTT would not fit its registers]
    #[arg(long, value_name = "PS")]
    tick_ps: Option<u32>,
    /// Source of the SMaRTT constants.
    #[arg(long, value_enum, default_value = "paper")]
    preset: PresetArg,
    /// Compute for switches that drop packets instead of trimming them: the multiplicative decrease is twice as
    /// large, as in the paper.
    #[arg(long)]
    no_trimming: bool,
    /// ACKs of a connection between two reactions of the window: 1 to 50.
    #[arg(long, value_name = "ACKS", default_value_t = Network::default().granularity)]
    granularity: u32,
    /// Congestion signals that the window follows.
    #[arg(long, value_enum, default_value = "both")]
    signals: SignalsArg,
    /// Let losses decrease the window also while SMaRTT ignores feedback after QuickAdapt. The paper's
    /// Algorithm 1 says so; its text says otherwise.
    #[arg(long)]
    late_losses: bool,
    /// RTO in us: time without progress after which a connection declares its packets in flight lost. The
    /// time doubles with each timeout in a row, at most six times. Give one value for each class; missing
    /// classes repeat the last value. [default: 70, and two target RTTs at least]
    #[arg(long, value_delimiter = ',', value_name = "US,US,...")]
    rto_us: Vec<u32>,
    /// Time in ms for which a connection without any answer sends again, before it ends with errors. Give one
    /// value for each class; missing classes repeat the last value.
    #[arg(long, value_delimiter = ',', value_name = "MS,MS,...", default_value = "1000")]
    retry_ms: Vec<u32>,
    /// Duration of a DMA read under load in ns, 0 to 100000. A packet that the transport has chosen waits for
    /// this read before it gets its time stamp; the shortest epoch includes the wait.
    #[arg(long, value_name = "NS", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    dma_ns: u32,
    /// New packets that the receiver answers with one ACK.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=255))]
    ack_packets: u32,
    /// Print the writes that bring a NIC up, each with its offset and its name in weft_nic.h.
    #[arg(long, value_enum, value_name = "FORM", num_args = 0..=1, default_missing_value = "text")]
    #[arg(conflicts_with_all = ["json", "c_header"])]
    registers: Option<registers::Form>,
    /// Algorithm of the NIC's congestion windows: the same as in `weft emit nic --window`, and as in the
    /// field WINDOW of the NIC's register SHAPE.
    #[arg(long, value_enum, value_name = "ALGORITHM", default_value = "smartt", requires = "registers")]
    window: WindowArg,
    /// Clock of the NIC in MHz: 32 to 1000.
    #[arg(long, value_name = "MHZ", default_value = "250", value_parser = clock_hz, requires = "registers")]
    clock_mhz: u64,
    /// Bits of the NIC's streams of bytes: 128, 256 or 512.
    #[arg(long, value_name = "BITS", default_value_t = Core::default().width, requires = "registers")]
    width: u32,
    /// MAC address of the NIC. With this flag, --registers also writes this register, and a seed of entropy
    /// values that differs from the seeds of other NICs.
    #[arg(long, value_name = "MAC", value_parser = mac, requires = "registers")]
    mac: Option<u64>,
    /// Seed of the generator of entropy values [default: from --mac, else 1].
    #[arg(long, value_name = "N", requires = "registers")]
    seed: Option<u32>,
    /// PSNs of the NIC's windows: 256, 512 or 1024, the same as in `weft emit nic --psns`. No constant
    /// depends on the value; the command says whether a connection can fill the link.
    #[arg(long, value_name = "PSNS", default_value_t = SackParams::WINDOW)]
    psns: u32,
    /// Print the network and its constants as JSON.
    #[arg(long)]
    json: bool,
    /// Print the constants as a C header (for the bring-up writes: --registers c).
    #[arg(long, conflicts_with = "json")]
    c_header: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PresetArg {
    /// Section 3.5 of the paper.
    Paper,
    /// The later simulator of the paper's authors, as far as constants can express its values.
    Artifact,
}

impl From<PresetArg> for Preset {
    fn from(preset: PresetArg) -> Self {
        match preset {
            PresetArg::Paper => Self::Paper,
            PresetArg::Artifact => Self::Artifact,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SignalsArg {
    /// ECN and delay.
    Both,
    /// The ECN mark only.
    Ecn,
    /// The delay only.
    Delay,
}

impl ParamsArgs {
    fn network(&self) -> Network {
        Network {
            link_gbps: self.link_gbps,
            base_rtt_ns: self.base_rtt_ns.clone(),
            wait_ns: 0,
            mtu_bytes: self.mtu_bytes,
            queue_bytes: self.queue_bytes,
            tick_ps: self.tick_ps,
            preset: self.preset.into(),
            trimming: !self.no_trimming,
            granularity: self.granularity,
            signals: match self.signals {
                SignalsArg::Both => Signals::Both,
                SignalsArg::Ecn => Signals::Ecn,
                SignalsArg::Delay => Signals::Delay,
            },
            late_losses: self.late_losses,
        }
    }
}

impl ParamsArgs {
    /// A given flag for which NSCC has no constant, if there is such a flag.
    fn of_smartt(&self) -> Option<&'static str> {
        let (given, usual) = (self.network(), Network::default());
        let flags = [
            ("preset", given.preset != usual.preset),
            ("queue-bytes", given.queue_bytes != usual.queue_bytes),
            ("granularity", given.granularity != usual.granularity),
            ("signals", given.signals != usual.signals),
            ("late-losses", given.late_losses != usual.late_losses),
        ];
        flags.into_iter().find_map(|(flag, is_given)| is_given.then_some(flag))
    }

    fn setup(&self) -> Setup {
        Setup {
            network: self.network(),
            core: Core { clock_hz: self.clock_mhz, width: self.width },
            window: self.window.into(),
            dma_ns: self.dma_ns,
            ack_packets: self.ack_packets,
            rto_us: self.rto_us.clone(),
            retry_ms: self.retry_ms.clone(),
        }
    }
}

/// Converts a clock frequency from MHz to Hz.
fn clock_hz(text: &str) -> Result<u64> {
    let mhz: f64 = text.parse().with_context(|| format!("{text} is not a number"))?;
    Ok((mhz.clamp(0.0, 1e6) * 1e6).round() as u64)
}

/// A MAC address, the first byte highest.
fn mac(text: &str) -> Result<u64> {
    let bytes: Option<Vec<u64>> = text
        .split([':', '-'])
        .map(|byte| u64::from_str_radix(byte, 16).ok().filter(|_| byte.len() == 2))
        .collect();
    let bytes = bytes.filter(|bytes| bytes.len() == 6).context("write the address as 02:00:00:00:00:01")?;
    Ok(bytes.into_iter().fold(0, |mac, byte| mac << 8 | byte))
}

pub(crate) fn run(args: &ParamsArgs) -> Result<()> {
    print(args).map_err(|error| match error.downcast::<ParamError>() {
        Ok(error) => ParamError { name: flag(error.name), ..error }.into(),
        Err(error) => error,
    })
}

/// The flag that sets a parameter.
fn flag(parameter: &'static str) -> &'static str {
    if parameter == "mtu" { "mtu-bytes" } else { parameter }
}

fn print(args: &ParamsArgs) -> Result<()> {
    let setup = args.setup();
    check_psns(args.psns)?;
    if let (WindowArg::Nscc, Some(flag)) = (args.window, args.of_smartt()) {
        bail!("--{flag} is a flag of SMaRTT: leave it out with --window nscc");
    }
    if let Some(form) = args.registers {
        return registers::print(&setup, form, args.mac, args.seed, args.psns);
    }
    let (sizing, constants) = (setup.network.sizing()?, setup.network.constants()?);
    let sack_tx = setup.transport(&sizing)?;
    setup.network.narrow(args.psns).into_iter().for_each(output::tell);
    if args.json {
        #[derive(Serialize)]
        struct All<'a> {
            #[serde(flatten)]
            sizing: &'a Sizing,
            sack_tx: SackTxCsr,
        }
        output::json(&All { sizing: &sizing, sack_tx })
    } else if args.c_header {
        output::text(&header(&sizing, &constants, &sack_tx)?)
    } else {
        let retries = retries(&sack_tx, sizing.network.tick_ps.unwrap_or(TICK_PS));
        output::text(&(table(&sizing, &constants)? + &retries))
    }
}

/// The tick of a network that sets none.
const TICK_PS: u32 = 32_000;
const PS_PER_US: u64 = 1_000_000;

fn retries(csr: &SackTxCsr, tick_ps: u32) -> String {
    let us = |ticks: u64| (ticks * u64::from(tick_ps)) as f64 / PS_PER_US as f64;
    let mut text = String::from("\n");
    for (number, class) in csr.classes.iter().enumerate() {
        let SackTxClass { gap, rto_ticks, epoch_ticks, high_ticks, backoff_limit, retry_limit } = *class;
        text += &format!(
            "transport, class {number}: epoch {:.1} us ({epoch_ticks:#x} ticks), congested from {:.1} us ({high_ticks:#x}), \
             SACK gap {gap}\n  RTO {:.1} us ({rto_ticks:#x} ticks), doubled {backoff_limit} times, {retry_limit} retries \
             ({retry_limit:#x}): a silence of {:.1} ms\n",
            us(epoch_ticks.into()),
            us(high_ticks.into()),
            us(rto_ticks.into()),
            us(class.silence_ticks()) / 1_000.0
        );
    }
    text
}

fn table(sizing: &Sizing, constants: &Constants) -> Result<String> {
    let mut text = format!("{}\n", sizing.network);
    for (number, (class, constants)) in sizing.classes.iter().zip(&constants.classes).enumerate() {
        if number >= sizing.network.base_rtt_ns.len() {
            writeln!(text, "\nclass {number}: as class {}", sizing.network.base_rtt_ns.len() - 1)?;
            continue;
        }
        writeln!(
            text,
            "\nclass {number}: base RTT {} ns, BDP {} bytes, queue {} bytes, target RTT {} ns",
            class.base_rtt_ns, class.bdp_bytes, class.queue_bytes, class.target_rtt_ns
        )?;
        rows(&mut text, constants)?;
        let registers = &sizing.csr.classes[number];
        if registers.fast_rtt_ticks > registers.target_rtt_ticks {
            writeln!(
                text,
                "  note: FastIncrease reaches above the target RTT: five MTUs are more than half a queue"
            )?;
        }
    }
    let signals = match constants.signals {
        Signals::Both => "ECN and delay",
        Signals::Ecn => "ECN only",
        Signals::Delay => "delay only",
    };
    let losses = if constants.late_losses { "count" } else { "do not count" };
    writeln!(text, "\nall classes: signals {signals} ({})", constants.signals as u32)?;
    writeln!(text, "  late losses {losses} ({})", u32::from(constants.late_losses))?;
    rows(&mut text, &constants.shared)?;
    Ok(text)
}

fn rows(text: &mut String, constants: &[Constant]) -> std::fmt::Result {
    writeln!(text, "  {:24} {:>14} {:5}  {:>10} {:>9}  rounding", "", "value", "", "register", "in steps")?;
    for constant in constants {
        let step = match constant.per_unit {
            1 => "1".to_owned(),
            per_unit => format!("1/{per_unit}"),
        };
        // A difference that comes from f64 is not a rounding of the register.
        let rounding = match 100.0 * constant.rounding() {
            percent if percent.abs() < 1e-10 => "exact".to_owned(),
            percent => format!("{percent:+.6} %"),
        };
        let (name, unit) = (constant.name, constant.unit);
        writeln!(
            text,
            "  {name:24} {:>14.6} {unit:5}  {:#010x} {step:>9}  {rounding}",
            constant.real(),
            constant.register
        )?;
    }
    Ok(())
}

fn header(sizing: &Sizing, constants: &Constants, sack_tx: &SackTxCsr) -> Result<String> {
    let mut text = format!(
        "/* Constants of weft_smartt and weft_sack_tx, made by weft params: {}. */\n\
         #ifndef WEFT_SMARTT_CONSTANTS_H\n#define WEFT_SMARTT_CONSTANTS_H\n\n",
        sizing.network
    );
    let mut define = |prefix: &str, name: &str, value: u32| {
        writeln!(text, "#define WEFT_SMARTT_{prefix}{} {value:#x}u", name.to_uppercase())
    };
    if let Some(tick_ps) = sizing.network.tick_ps {
        define("", "tick_ps", tick_ps)?;
    }
    for (number, class) in constants.classes.iter().enumerate() {
        for constant in class {
            define(&format!("CLASS{number}_"), constant.name, constant.register)?;
        }
    }
    for constant in &constants.shared {
        define("", constant.name, constant.register)?;
    }
    define("", "signals", constants.signals as u32)?;
    define("", "late_losses", constants.late_losses.into())?;
    for (number, class) in sack_tx.classes.iter().enumerate() {
        let SackTxClass { gap, rto_ticks, epoch_ticks, high_ticks, backoff_limit, retry_limit } = *class;
        let retries = [("BACKOFF_LIMIT", backoff_limit), ("RETRY_LIMIT", retry_limit)];
        let times = [("GAP", gap), ("RTO", rto_ticks), ("EPOCH", epoch_ticks), ("HIGH", high_ticks)];
        for (name, value) in times.into_iter().chain(retries) {
            writeln!(text, "#define WEFT_SACK_TX_CLASS{number}_{name} {value:#x}u")?;
        }
    }
    text.push_str("\n#endif\n");
    Ok(text)
}
