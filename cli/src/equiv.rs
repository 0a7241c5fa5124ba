//! `weft equiv`: compares a module with the emitted one.

use crate::blocks::{Shape, exchange, own_modules};
use crate::output::{self, say};
use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use std::time::Instant;
use weft_hdl::Module;
use weft_hdl::catalogue::BLOCKS;
use weft_proof::Solvers;
use weft_proof::equal::{Found, Question, compare};

/// Selects the module and the file with the user's text.
#[derive(Args)]
#[command(after_help = "\
The command compares the module with the emitted one. The folder has the module itself, or modules that it instantiates. If
both modules have registers of the same names, a SAT solver decides whether they are equal in every state. If names differ, ABC
decides whether they are equal in every run from reset; a data word then counts only while its valid is high. Page
docs/own-verilog.md.

Exit code 0: equal, 1: the modules differ or the solvers found no answer, 2: wrong usage, or the modules cannot be read.

Examples:
  weft equiv weft_reps_control_core --verilog mine
  weft equiv weft_reps --verilog mine --connections 4 --depth 4 --ev-width 8
  weft equiv weft_fifo --verilog mine --param W=2 --param D=2")]
pub(crate) struct EquivArgs {
    /// Name of the module, or of a block for its top module.
    module: String,
    /// Folder with your modules.
    #[arg(long, value_name = "FOLDER")]
    verilog: PathBuf,
    #[command(flatten)]
    shape: Shape,
    /// Set a parameter of the module to a number; the flag may be given more than once [default: the module's
    /// value].
    #[arg(long, value_name = "NAME=VALUE", value_parser = parameter)]
    param: Vec<(String, String)>,
    /// Seconds after which ABC stops without a result.
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u16).range(1..))]
    seconds: u16,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

fn parameter(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if value.parse::<u32>().is_ok() => Ok((name.into(), value.into())),
        _ => Err("write NAME=NUMBER, for example D=3".into()),
    }
}

/// The emitted modules of the first block that contains `module`.
fn emitted(args: &EquivArgs, module: &str) -> Result<Vec<Module>> {
    let mut refused = None;
    for block in BLOCKS {
        // A flag applies to the blocks that have it.
        let Ok(shape) = args.shape.of(&[block]) else { continue };
        if let Err(error) = (block.check)(&shape) {
            refused = refused.or(Some(error));
            continue;
        }
        let modules = (block.emit)(&shape)?;
        if modules.iter().any(|emitted| emitted.name == module) {
            return Ok(modules);
        }
    }
    match refused {
        Some(error) => Err(error.into()),
        None => {
            bail!("no block has a module {module} in this shape; weft emit all writes every module")
        }
    }
}

/// Compares the modules. Returns `false` if they differ, or if there is no result.
pub(crate) fn run(args: &EquivArgs) -> Result<bool> {
    let block = BLOCKS.iter().find(|block| block.name == args.module);
    let module = block.map_or(args.module.as_str(), |block| block.top);
    let emitted = emitted(args, module)?;
    let exchange = exchange(None, Some(&args.verilog))?.context("a folder")?;
    let mut own = emitted.clone();
    exchange.apply(&mut own)?;
    let said = own_modules(Some(&exchange), &emitted)?;
    if let (Some(said), false) = (&said, args.json) {
        say!("{said}")?;
    }
    let parameters: Vec<(&str, &str)> =
        args.param.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let seconds_max = args.seconds.into();
    let question = Question { module, parameters: &parameters, emitted: &emitted, own: &own, seconds_max };
    let begin = Instant::now();
    let found = compare(&Solvers::find(), &question)?;
    let seconds = begin.elapsed().as_secs_f64();
    let with: Vec<String> = args.param.iter().map(|(name, value)| format!(".{name}({value})")).collect();
    let name = if with.is_empty() { module.to_owned() } else { format!("{module} #({})", with.join(", ")) };
    let (verdict, details) = match &found {
        Found::Equal(over) => (format!("equal, {over}"), &[][..]),
        Found::Differs(details) => ("DIFFERS".into(), &details[..]),
        Found::Unknown(why) => (format!("UNKNOWN, {why}"), &[][..]),
    };
    let equal = matches!(found, Found::Equal(_));
    if args.json {
        let found = json!({
            "module": name, "equal": equal, "verdict": verdict, "details": details, "seconds": seconds,
            "verilog": said,
        });
        output::json(&found)?;
        return Ok(equal);
    }
    say!("{name}: {verdict} ({seconds:.1} s)")?;
    details.iter().try_for_each(|line| say!("    {line}"))?;
    Ok(equal)
}
