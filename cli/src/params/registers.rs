//! The writes that bring a NIC up: as a table, as C, or as plain values for other programs.

use crate::output;
use anyhow::Result;
use clap::ValueEnum;
use serde::Serialize;
use std::fmt::Write as _;
use weft_params::registers::Register;
use weft_params::{Setup, WindowAlgorithm, Write, seed_of_mac};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Form {
    /// A line for each write.
    Text,
    /// A header with a table and a function that writes it.
    C,
    /// An array of objects.
    Json,
}

/// A write, in the form that programs read.
#[derive(Serialize)]
struct Line {
    offset: u16,
    name: String,
    word: u16,
    value: u32,
    meaning: String,
}

pub(super) fn print(setup: &Setup, form: Form, mac: Option<u64>, seed: Option<u32>, psns: u32) -> Result<()> {
    let seed = seed.or(mac.map(seed_of_mac)).unwrap_or(1);
    let writes = setup.writes(mac, seed)?;
    match form {
        Form::Text => output::text(&table(setup, &writes, mac.is_none(), psns)?),
        Form::C => output::text(&header(setup, &writes)?),
        Form::Json => {
            let line = |write: &Write| Line {
                offset: write.offset(),
                name: name(write),
                word: write.word,
                value: write.value,
                meaning: meaning(setup, write.register),
            };
            output::json(&writes.iter().map(line).collect::<Vec<_>>())
        }
    }
}

/// The meaning of a register in a NIC with this window.
fn meaning(setup: &Setup, register: &Register) -> String {
    let nscc = register.with_nscc().filter(|_| setup.window == WindowAlgorithm::Nscc);
    nscc.map_or_else(|| register.doc.clone(), str::to_owned)
}

fn name(write: &Write) -> String {
    format!("WEFT_REG_{}", write.register.name.to_uppercase())
}

/// The network for which the values are.
fn network(setup: &Setup) -> Result<String> {
    let (seen, tick_shift) = setup.seen()?;
    let added_ns = setup.core.rtt_ns();
    let base_rtt: Vec<String> = seen.base_rtt_ns.iter().map(|ns| (ns - added_ns).to_string()).collect();
    Ok(format!(
        "{} Gb/s, base RTT {} ns on the wire and {added_ns} ns in the NICs, MTU {} bytes, {} bits at {} MHz, tick of {} \
         clocks, DMA read {} ns, {}, {}",
        seen.link_gbps,
        base_rtt.join(", "),
        seen.mtu_bytes,
        setup.core.width,
        setup.core.clock_hz as f64 / 1e6,
        1u32 << tick_shift,
        setup.dma_ns,
        if seen.trimming { "trimming" } else { "no trimming" },
        match setup.window {
            WindowAlgorithm::Smartt => format!("preset {}", seen.preset),
            WindowAlgorithm::Nscc => "NSCC".to_owned(),
        },
    ))
}

fn table(setup: &Setup, writes: &[Write], is_common: bool, psns: u32) -> Result<String> {
    let mut text =
        format!("# {}\n# Read WEFT_REG_COMMAND until it is not busy, then write:\n", network(setup)?);
    let names: Vec<String> = writes
        .iter()
        .map(
            |write| if write.word == 0 { name(write) } else { format!("{}+{}", name(write), 4 * write.word) },
        )
        .collect();
    let width = names.iter().map(String::len).max().unwrap_or_default();
    for (write, name) in writes.iter().zip(&names) {
        writeln!(text, "{:#05x}  {name:width$}  {:#x}", write.offset(), write.value)?;
    }
    text +=
        "# The NIC uses the seed when WEFT_REG_COMMAND is no longer busy. Then addresses and connections.\n";
    if is_common {
        text += "# This seed is that of every NIC: with --mac each has its own.\n";
    }
    if let Some(line) = setup.seen()?.0.narrow(psns) {
        writeln!(text, "# {line}")?;
    }
    Ok(text)
}

fn header(setup: &Setup, writes: &[Write]) -> Result<String> {
    let mut text = format!(
        "/* Configuration of weft_nic, made by weft params: {}. */\n\
         #ifndef WEFT_CONFIGURATION_H\n#define WEFT_CONFIGURATION_H\n\n#include \"weft_nic.h\"\n\n\
         static const struct {{\n    uint32_t offset;\n    uint32_t value;\n}} weft_configuration[] = {{\n",
        network(setup)?
    );
    for write in writes {
        let name = name(write);
        let at = if write.word == 0 { name } else { format!("{name} + {}u", 4 * write.word) };
        writeln!(text, "    {{ {at}, {:#x}u }},", write.value)?;
    }
    text += "};\n\n\
        /* Brings a NIC up: its addresses and connections follow. `read` reads the word at an offset, `write` writes it. */\n\
        static inline void weft_configure(uint32_t (*read)(void *nic, uint32_t offset),\n                                  \
        void (*write)(void *nic, uint32_t offset, uint32_t value), void *nic)\n{\n    \
        for (uint32_t at = 0; at < sizeof weft_configuration / sizeof weft_configuration[0]; at++) {\n        \
        while (read(nic, WEFT_REG_COMMAND) & WEFT_REG_COMMAND_BUSY_MASK) {\n        }\n        \
        write(nic, weft_configuration[at].offset, weft_configuration[at].value);\n    \
        }\n    \
        while (read(nic, WEFT_REG_COMMAND) & WEFT_REG_COMMAND_BUSY_MASK) {\n    }\n\
        }\n\n#endif\n";
    Ok(text)
}
