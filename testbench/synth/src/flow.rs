//! The flow from a block to its row of results: emission, yosys, place and route.

use crate::{
    AROUND, Area, Clock, Error, Fanout, Netlist, Row, Run, Target, Timing, Tool, Tools, longest, wrapper,
};
use rayon::prelude::*;
use std::fs;
use std::path::Path;
use weft_hdl::Module;

/// The device that blocks are routed on.
const DEVICE: &str = "LFE5U-85F, speed 8";
/// The clock frequency that nextpnr has as its goal, in MHz. No design reaches this frequency, so nextpnr
/// continues to improve the design.
const WANTED_MHZ: &str = "250";

/// A block to be measured.
#[derive(Clone, Debug)]
pub struct Job<'a> {
    /// Name of the block.
    pub block: &'a str,
    /// Name of its top module.
    pub top: &'a str,
    /// Shape of the block as text.
    pub shape: String,
    /// Verilog of the block.
    pub modules: &'a [Module],
    /// Top modules of blocks that are left out; the area of these blocks is measured separately. Not for
    /// ECP5.
    pub apart: &'a [&'a str],
    /// Whether the block's large memories become UltraRAM in place of block RAM. Only `xcup` has UltraRAM.
    pub ultra: bool,
    /// The family of the device.
    pub target: Target,
    /// Number of runs of place and route, each with its own seed. Only ECP5 has such runs.
    pub seeds: u32,
}

impl Job<'_> {
    /// The command of yosys that sets a parameter of the top module, if the top module has this parameter.
    fn set(&self, parameter: &str, value: &str) -> Option<String> {
        let top = self.modules.iter().find(|module| module.name == self.top)?;
        let has = top.text.contains(&format!("parameter {parameter} "));
        has.then(|| format!("chparam -set {parameter} {value} {}; ", self.top))
    }

    /// The commands of yosys that set the parameters for the family, and the flag of `synth_xilinx` for
    /// UltraRAM, if large memories are to be UltraRAM.
    fn of_family(&self) -> (String, &'static str) {
        match (self.target, self.set("LARGE_RAM", "\"ultra\"").filter(|_| self.ultra)) {
            // Multiplier blocks of 18 bits. Yosys does not use their registers and adders.
            (Target::Ecp5, _) => (self.set("FACTOR_BITS", "18").unwrap_or_default(), ""),
            (_, Some(large)) => (large, " -uram"),
            (_, None) => Default::default(),
        }
    }

    /// Whether a module belongs to a block that is left out: its top, or a module with the top's name as
    /// prefix.
    fn is_apart(&self, module: &Module) -> bool {
        self.apart.iter().any(|top| module.name.starts_with(top))
    }

    /// Identifies the Verilog: a check sum of the measured modules, without comments and blank lines.
    pub fn fingerprint(&self) -> String {
        let mut sum = crc32fast::Hasher::new();
        let own = self.modules.iter().filter(|module| !self.is_apart(module));
        for line in own.flat_map(|module| module.text.lines()) {
            let code = line.split_once("//").map_or(line, |(code, _)| code).trim_end();
            if !code.is_empty() {
                sum.update(code.as_bytes());
                sum.update(b"\n");
            }
        }
        format!("{:08x}", sum.finalize())
    }
}

/// A function that returns whether to continue. The flow calls it after every run of a tool.
pub type GoOn<'a> = dyn Fn() -> bool + Sync + 'a;

/// Measures a block. Its runs of place and route are parallel in the threads of rayon's pool. Calls `ran`
/// after every run of a tool; `false` ends the flow.
pub fn synthesise(tools: &Tools, job: &Job<'_>, ran: &GoOn<'_>) -> Result<Row, Error> {
    let folder =
        tempfile::tempdir().map_err(|error| Error::File { path: "the temporary folder".into(), error })?;
    let folder = folder.path();
    let go_on = || if ran() { Ok(()) } else { Err(Error::Stopped) };
    let mut versions = vec![tools.version(Tool::Yosys)?];
    let is_routed = job.target == Target::Ecp5 && job.seeds > 0;
    if is_routed {
        versions.push(tools.version(Tool::NextpnrEcp5)?);
    }
    let mut names = Vec::new();
    for module in job.modules.iter().filter(|it| !job.is_apart(it) || job.apart.contains(&it.name.as_str())) {
        names.push(format!("{}.v", module.name));
        write(folder, &names[names.len() - 1], &module.text)?;
    }
    let top = job.top;
    let (parameters, uram) = job.of_family();
    let apart: String = job.apart.iter().map(|top| format!("blackbox {top}; ")).collect();
    let sources = format!("read_verilog {}; {apart}{parameters}hierarchy -check -top {top}", names.join(" "));
    if job.target == Target::Ecp5 {
        // The ports of the block, for the wrapper.
        yosys(
            tools,
            job,
            folder,
            &format!("{sources}; proc {top}; select {top}; write_json -selected ports.json"),
        )?;
        let ports = Netlist::read(&read(folder, "ports.json")?)?;
        write(folder, "around.v", &wrapper(top, ports.module(top)?))?;
        // Synthesis optimises nothing across the border of the block: both sides of it are registers.
        let script = format!(
            "read_verilog {} around.v; {parameters}hierarchy -check -top {AROUND}; setattr -mod -set keep_hierarchy 1 {top}; {} -top {AROUND}; \
             select {top}; write_json -selected netlist.json; select -clear; \
             setattr -mod -unset keep_hierarchy {top}; flatten; clean; write_json around.json",
            names.join(" "),
            job.target.synth()
        );
        yosys(tools, job, folder, &script)?;
    } else {
        let synth = format!("{}{uram}", job.target.synth());
        let script = format!(
            "{sources}; {synth} -run begin:map_luts; design -save gates; \
             {synth} -run map_luts:check; select {top}; write_json -selected netlist.json; \
             design -load gates; select {top}; write_json -selected gates.json"
        );
        yosys(tools, job, folder, &script)?;
    }
    go_on()?;
    let netlist = Netlist::read(&read(folder, "netlist.json")?)?;
    let module = netlist.module(top)?;
    let (area, fanout) = (Area::of(module)?, Fanout::of(module)?);
    let longest = if job.target == Target::Ecp5 {
        longest(module)?
    } else {
        longest(Netlist::read(&read(folder, "gates.json")?)?.module(top)?)?
    };
    let clock = if is_routed { Some(routed(tools, job, folder, &go_on)?) } else { None };
    Ok(Row {
        block: job.block.to_owned(),
        shape: job.shape.clone(),
        target: job.target,
        tools: versions,
        verilog: job.fingerprint(),
        area,
        longest,
        fanout,
        clock,
    })
}

fn yosys(tools: &Tools, job: &Job<'_>, folder: &Path, script: &str) -> Result<(), Error> {
    tools.run(Tool::Yosys, job.block, &["-q", "-p", script], folder)
}

/// Places and routes with every seed.
fn routed(
    tools: &Tools,
    job: &Job<'_>,
    folder: &Path,
    go_on: &(dyn Fn() -> Result<(), Error> + Sync),
) -> Result<Clock, Error> {
    let run = |seed: u32| {
        let (number, report) = (seed.to_string(), format!("report{seed}.json"));
        let words = [
            "--85k",
            "--package",
            "CABGA756",
            "--speed",
            "8",
            "--freq",
            WANTED_MHZ,
            "--seed",
            &number,
            "--json",
            "around.json",
            "--lpf-allow-unconstrained",
            "--timing-allow-fail",
            "--report",
            &report,
            "--quiet",
        ];
        tools.run(Tool::NextpnrEcp5, job.block, &words, folder)?;
        go_on()?;
        Ok((seed, Timing::read(&read(folder, &report)?)?))
    };
    let runs = (1..=job.seeds).into_par_iter().map(run).collect::<Result<Vec<_>, Error>>()?;
    let mut sorted = runs.clone();
    sorted.sort_by(|a, b| a.1.mhz.total_cmp(&b.1.mhz));
    let median = sorted.swap_remove((sorted.len() - 1) / 2).1;
    let runs = runs.into_iter().map(|(seed, timing)| Run { seed, mhz: timing.mhz }).collect();
    Ok(Clock { device: DEVICE.into(), mhz: median.mhz, path: median.path, runs })
}

fn write(folder: &Path, name: &str, text: &str) -> Result<(), Error> {
    fs::write(folder.join(name), text).map_err(|error| Error::File { path: name.into(), error })
}

fn read(folder: &Path, name: &str) -> Result<String, Error> {
    fs::read_to_string(folder.join(name)).map_err(|error| Error::File { path: name.into(), error })
}
