//! `weft emit`: the Verilog of the blocks as files.

use crate::blocks::Shape;
use crate::output::{say, tell};
use anyhow::{Context, Result, bail};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use weft_bench::bind::{STREAM_RULES, bound};
use weft_bench::verilog::ports;
use weft_blocks::catalogue::named;
use weft_blocks::nic;
use weft_hdl::catalogue::{BLOCKS, Block};
use weft_hdl::gate::{Tools, gate};
use weft_hdl::{Floor, Module};
use weft_wire::write_atomically;

/// A block's Verilog.
struct Emitted {
    top: String,
    /// The description for the FuseSoC core.
    description: String,
    modules: Vec<Module>,
}

impl Emitted {
    /// Whether this larger block contains all modules of `block`, word for word.
    fn holds(&self, block: &Emitted) -> bool {
        let is_here = |module: &Module| {
            self.modules.iter().any(|mine| mine.name == module.name && mine.text == module.text)
        };
        self.modules.len() > block.modules.len() && block.modules.iter().all(is_here)
    }
}

/// The blocks, their shape, and the folder for the result.
#[derive(Args)]
#[command(after_help = "\
Before the command writes a file, Verilator's lint, yosys and Icarus read the Verilog and must report nothing. The folder also
gets a file list (.f) and a FuseSoC core (.core) for each block.

Examples:
  weft emit nic --out rtl
  weft emit reps --connections 1024 --depth 16 --out rtl
  weft emit nic --window nscc --out rtl        # the NIC with NSCC's congestion windows in place of SMaRTT's
  weft emit nic --psns 1024 --out rtl          # for paths that hold more than 256 packets of a connection
  weft emit nic --connections 16 --prefix small --out rtl   # module small_weft_nic, beside the one of the first line
  weft emit nic --rules --out rtl              # with the rules of its streams for your own bench
  weft emit all --check --out hdl/verilog      # exit code 1 if a file there is stale")]
pub(crate) struct EmitArgs {
    /// The block to emit.
    #[arg(default_value = ALL, value_parser = names())]
    block: String,
    /// Folder for the Verilog. Files of the same names are replaced.
    #[arg(long, short, value_name = "FOLDER")]
    out: PathBuf,
    #[command(flatten)]
    shape: Shape,
    /// Begin the name of every module, file and core with NAME and `_`, so that a design can have NICs of two shapes.
    #[arg(long, value_name = "NAME", value_parser = prefix)]
    prefix: Option<String>,
    /// Also write the rules of the streams, for your own bench: for each block a SystemVerilog file that
    /// binds the rules to the block, and weft_stream_rules.sv (page docs/monitors.md).
    #[arg(long, conflicts_with = "prefix")]
    rules: bool,
    /// Skip the check of the Verilog with Verilator's lint, yosys and Icarus.
    #[arg(long)]
    no_gate: bool,
    /// Write nothing; exit with 1 if the folder differs from the generated one.
    #[arg(long)]
    check: bool,
}

const ALL: &str = "all";

/// Checks the beginning of a Verilog name.
fn prefix(text: &str) -> Result<String, String> {
    let letters = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    match text.bytes().next() {
        Some(first) if letters && !first.is_ascii_digit() => Ok(text.into()),
        _ => Err("a prefix has only letters, digits and `_`, and does not begin with a digit".into()),
    }
}

fn names() -> PossibleValuesParser {
    let all = PossibleValue::new(ALL).help("Every block");
    let name =
        |block: &Block| PossibleValue::new(block.name).help(format!("{} (module {})", block.what, block.top));
    PossibleValuesParser::new(BLOCKS.iter().map(name).chain([all]))
}

/// Writes the requested blocks. Returns `false` if, with `--check`, the folder has other contents.
pub(crate) fn run(args: &EmitArgs) -> Result<bool> {
    let blocks = blocks(args)?;
    let tools = if args.no_gate { Tools::none() } else { Tools::default() };
    for block in &blocks {
        // A tool that reads a larger block also reads all modules of this one. Only the lint treats a top
        // module differently.
        let is_part = blocks.iter().any(|other| other.holds(block));
        let tools = if is_part {
            Tools { verilator: tools.verilator.clone(), ..Tools::none() }
        } else {
            tools.clone()
        };
        gate(&block.modules, &block.top, tools)?;
    }
    let mut files: Vec<(String, String)> = blocks.iter().flat_map(files).collect();
    if args.rules {
        let bound = blocks.iter().map(rules);
        files.extend(bound.chain([("rules/weft_stream_rules.sv".into(), STREAM_RULES.into())]));
    }
    // Blocks are parts of larger blocks, with the same files there.
    files.sort();
    files.dedup();
    if let Some(pair) = files.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        // The registers in a NIC tell its shape.
        bail!(
            "{} is not the same in all blocks of this shape: emit each block into a folder of its own",
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
        say!("{top}: {} modules in {}, {gated}", modules.len(), args.out.display())?;
    }
    Ok(true)
}

fn blocks(args: &EmitArgs) -> Result<Vec<Emitted>> {
    let wanted = |block: &&Block| args.block == ALL || args.block == block.name;
    let wanted: Vec<&Block> = BLOCKS.iter().filter(wanted).collect();
    let shape = args.shape.of(&wanted)?;
    let emitted = |block: &&Block| {
        (block.check)(&shape)?;
        let description = format!("{}, {}", block.what, (block.words)(&shape));
        let modules = (block.emit)(&shape)?;
        Ok(match &args.prefix {
            Some(prefix) => Emitted {
                top: format!("{prefix}_{}", block.top),
                description,
                modules: renamed(&modules, prefix),
            },
            None => Emitted { top: block.top.into(), description, modules },
        })
    };
    wanted.iter().map(emitted).collect()
}

/// The modules with a prefix before each one's name, at every occurrence.
fn renamed(modules: &[Module], prefix: &str) -> Vec<Module> {
    let names: HashSet<&str> = modules.iter().map(|module| module.name.as_str()).collect();
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let text = |module: &Module| {
        let mut out = String::with_capacity(module.text.len());
        let mut rest = module.text.as_str();
        while !rest.is_empty() {
            // A word, or the text between two.
            let is_word = rest.starts_with(is_part);
            let end = rest.find(|c| is_part(c) != is_word).unwrap_or(rest.len());
            let (word, tail) = rest.split_at(end);
            if names.contains(word) {
                out += prefix;
                out.push('_');
            }
            out += word;
            rest = tail;
        }
        out
    };
    let renamed = |module: &Module| Module {
        name: format!("{prefix}_{}", module.name),
        text: text(module),
        floor: module.floor,
    };
    modules.iter().map(renamed).collect()
}

/// The lint target of FuseSoC, without a waiver.
const LINT: &str = "  lint:
    <<: *default
    flow: lint
    flow_options:
      tool: verilator
      verilator_options: [-Wall]
";

/// The synthesis target of FuseSoC: a netlist of UltraScale+ cells, made like that of
/// `weft synth --target xcup`.
const SYNTH: &str = "  synth:
    <<: *default
    flow: generic
    flow_options:
      tool: yosys
      arch: xilinx
      output_format: json
      yosys_synth_options: [-family, xcup, -flatten, -noiopad, -noclkbuf]
";

/// The files of a block: its modules, a file list and a FuseSoC core.
fn files(block: &Emitted) -> Vec<(String, String)> {
    let Emitted { top, description, modules } = block;
    let name = |module: &Module| format!("{}/{}.v", module.floor.folder(), module.name);
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
         targets:\n  default: &default\n    filesets: [rtl]\n    toplevel: {top}\n{LINT}{SYNTH}"
    );
    let texts = names.into_iter().zip(modules.iter().map(|module| module.text.clone()));
    texts.chain([(format!("{top}.f"), list), (format!("{top}.core"), core)]).collect()
}

/// The file that binds the rules of the streams to a block.
fn rules(block: &Emitted) -> (String, String) {
    let Emitted { top, modules, .. } = block;
    let text = modules.iter().find(|module| module.name == *top).map_or("", |module| &module.text);
    let terms = match named(top.trim_start_matches("weft_")) {
        Some(bench) => bench.terms,
        // Frames of a NIC have as many bytes at any width.
        None => {
            match ports(text).iter().find(|port| port.name == "m_axis_net_tdata").and_then(|port| port.bits) {
                Some(128) => <nic::Dut<16> as weft_bench::Block>::STREAMS,
                Some(256) => <nic::Dut<32> as weft_bench::Block>::STREAMS,
                _ => <nic::Dut<64> as weft_bench::Block>::STREAMS,
            }
        }
    };
    (format!("rules/{top}_rules.sv"), bound(top, text, &terms))
}

fn check(folder: &Path, files: &[(String, String)]) -> Result<bool> {
    if !folder.is_dir() {
        bail!("{} is not a folder; give the folder of an earlier weft emit", folder.display());
    }
    let mut fresh = true;
    for (name, text) in files {
        if !fs::read(folder.join(name)).is_ok_and(|old| old == text.as_bytes()) {
            tell(format_args!("{} is stale; emit again", folder.join(name).display()));
            fresh = false;
        }
    }
    // Modules that are emitted no more would go unnoticed otherwise.
    for floor in [Floor::Part, Floor::Block].map(Floor::folder) {
        for entry in fs::read_dir(folder.join(floor)).into_iter().flatten() {
            let name = format!("{floor}/{}", entry?.file_name().to_string_lossy());
            let emitted = files.iter().any(|(known, _)| *known == name);
            if name.ends_with(".v") && !emitted {
                tell(format_args!("{} is of no block; delete it", folder.join(name).display()));
                fresh = false;
            }
        }
    }
    Ok(fresh)
}
