//! `weft emit`: the Verilog of the blocks as files.

use crate::args::{EmitArgs, EmitTarget};
use anyhow::{Context, Result, bail};
use std::fs;
use std::io::Write;
use std::path::Path;
use weft_hdl::emit::{EmitError, Module};
use weft_hdl::gate::{Tools, gate};
use weft_params::{NicParams, RepsParams, SackParams, SmarttParams};
use weft_wire::write_atomically;

/// Folder of the primitives beneath that of the blocks.
const PRIMITIVES: &str = "prim";

/// A block's Verilog.
struct Emitted {
    top: &'static str,
    /// What it is, for the FuseSoC core.
    description: String,
    modules: Vec<Module>,
}

/// Emits a block that has so many connections.
type Emit = fn(&SackParams) -> Result<Vec<Module>, EmitError>;

/// The blocks whose only parameter is the number of connections: target, top, what it is.
const OF_CONNECTIONS: &[(EmitTarget, &str, &str, Emit)] = &[
    (
        EmitTarget::SackRx,
        "weft_sack_rx",
        "Receiver of the out-of-order transport",
        weft_hdl::block::sack_rx::emit,
    ),
    (
        EmitTarget::SackTx,
        "weft_sack_tx",
        "Sender of the out-of-order transport",
        weft_hdl::block::sack_tx::emit,
    ),
    (EmitTarget::Ingress, "weft_ingress", "What comes in from the network", weft_hdl::block::ingress::emit),
    (
        EmitTarget::Receiver,
        "weft_receiver",
        "From packets to memory and messages",
        weft_hdl::block::receiver::emit,
    ),
    (EmitTarget::Sender, "weft_sender", "From work requests to packets", weft_hdl::block::sender::emit),
    (EmitTarget::Egress, "weft_egress", "What goes out to the network", weft_hdl::block::egress::emit),
    (EmitTarget::Registers, "weft_registers", "Registers behind AXI4-Lite", weft_hdl::block::registers::emit),
];

/// Writes the blocks asked for. `false`: with `--check`, the folder holds something else.
pub(crate) fn run(args: &EmitArgs) -> Result<bool> {
    let blocks = blocks(args)?;
    let tools = if args.no_gate { Tools::none() } else { Tools::default() };
    for block in &blocks {
        gate(&block.modules, block.top, tools.clone())?;
    }
    let mut files: Vec<(String, String)> = blocks.iter().flat_map(files).collect();
    // Blocks are parts of others, and the same file there.
    files.sort();
    files.dedup();
    if let Some(pair) = files.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        bail!(
            "two blocks want different files of the name {}: a defect of weft, please report it",
            pair[0].0
        );
    }
    if args.check {
        return check(&args.out, &files);
    }
    for (name, text) in &files {
        let path = args.out.join(name);
        let folder = path.parent().unwrap_or(&args.out);
        fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        if fs::read(&path).is_ok_and(|old| old == text.as_bytes()) {
            continue;
        }
        write_atomically(&path, |file| file.write_all(text.as_bytes()))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    let gated = if args.no_gate { "not checked" } else { "silent in yosys, Verilator -Wall and Icarus" };
    for Emitted { top, modules, .. } in &blocks {
        println!("{top}: {} modules in {}, {gated}", modules.len(), args.out.display());
    }
    Ok(true)
}

fn blocks(args: &EmitArgs) -> Result<Vec<Emitted>> {
    let mut blocks = Vec::new();
    let wanted = |target| args.block == target || args.block == EmitTarget::All;
    if wanted(EmitTarget::Reps) {
        let params = args.shape.reps()?;
        let RepsParams { connections, depth, ev_width } = params;
        blocks.push(Emitted {
            top: "weft_reps",
            description: format!(
                "REPS entropy buffer, {connections} connections of {depth} entropy values of {ev_width} bits"
            ),
            modules: weft_hdl::block::reps::emit(&params)?,
        });
    }
    if wanted(EmitTarget::Smartt) {
        let params = match args.block {
            EmitTarget::All => SmarttParams { connections: args.shape.connections },
            _ => args.shape.smartt()?,
        };
        blocks.push(Emitted {
            top: "weft_smartt",
            description: format!("SMaRTT congestion window, {} connections", params.connections),
            modules: weft_hdl::block::smartt::emit(&params)?,
        });
    }
    for &(target, name, description, emit) in OF_CONNECTIONS {
        if !wanted(target) {
            continue;
        }
        let params = match args.block {
            EmitTarget::All => SackParams { connections: args.shape.connections },
            _ => args.shape.sack(name)?,
        };
        let description = format!("{description}, {} connections", params.connections);
        let modules = emit(&params)?;
        blocks.push(Emitted { top: name, description, modules });
    }
    if wanted(EmitTarget::Nic) {
        let params = args.shape.nic(args.block == EmitTarget::All)?;
        let NicParams { connections, width } = params;
        blocks.push(Emitted {
            top: "weft_nic",
            description: format!("Packet-spraying NIC, {connections} connections, {width} bits"),
            modules: weft_hdl::block::nic::emit(&params)?,
        });
    }
    Ok(blocks)
}

/// The files of a block: its modules, a file list and a FuseSoC core.
fn files(block: &Emitted) -> Vec<(String, String)> {
    let Emitted { top, description, modules } = block;
    let name = |module: &Module| {
        if module.primitive {
            format!("{PRIMITIVES}/{}.v", module.name)
        } else {
            format!("{}.v", module.name)
        }
    };
    let names: Vec<String> = modules.iter().map(name).collect();
    let list = names.join("\n") + "\n";
    let entries: String = names.iter().map(|name| format!("      - {name}\n")).collect();
    let version = env!("CARGO_PKG_VERSION");
    let core = format!(
        "CAPI=2:\n\
         # Generated by weft. Do not edit.\n\
         name: weft:nic:{top}:{version}\n\
         description: {description}\n\
         filesets:\n  rtl:\n    files:\n{entries}    file_type: verilogSource\n\
         targets:\n  default:\n    filesets: [rtl]\n    toplevel: {top}\n"
    );
    let texts = names.into_iter().zip(modules.iter().map(|module| module.text.clone()));
    texts.chain([(format!("{top}.f"), list), (format!("{top}.core"), core)]).collect()
}

fn check(folder: &Path, files: &[(String, String)]) -> Result<bool> {
    if !folder.is_dir() {
        bail!("{} is no folder; emit into it first", folder.display());
    }
    let mut fresh = true;
    for (name, text) in files {
        if !fs::read(folder.join(name)).is_ok_and(|old| old == text.as_bytes()) {
            eprintln!("weft: {} is stale; emit again", folder.join(name).display());
            fresh = false;
        }
    }
    // Modules that are emitted no more would go unnoticed otherwise.
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let emitted = files.iter().any(|(known, _)| *known == name);
        if name.ends_with(".v") && !emitted {
            eprintln!("weft: {} is of no block; delete it", folder.join(name).display());
            fresh = false;
        }
    }
    Ok(fresh)
}
