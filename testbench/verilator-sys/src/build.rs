use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use crate::cache::{Artifact, Cache};
use crate::compile::{Compilation, FUNCTION_NODES, Product, Speed, command_line, revision};
use crate::error::Error;
use crate::find::{self, Compiler, Tool};
use crate::hash::Hasher;
use crate::library::Library;

/// The format of recorded waveforms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waves {
    /// Large and fast; needs nothing else installed.
    Vcd,
    /// A tenth of the size and a fifth of the speed of VCD. Needs zlib's headers, from Verilator 5.048 also lz4's.
    Fst,
}

#[derive(Debug, Clone)]
enum Source {
    Path(PathBuf),
    Text { name: String, text: String },
}

/// A model to be built: sources and options. A build happens when it is loaded, and only if the cache has
/// none like it.
///
/// ```no_run
/// # fn main() -> Result<(), verilator_sys::Error> {
/// use verilator_sys::{Build, Reset};
/// let library = Build::new("counter").source("rtl/counter.v").param("WIDTH", 48).load()?;
/// let mut counter = library.instance(Reset::Random(1))?;
/// counter.eval()?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Build {
    top: String,
    sources: Vec<Source>,
    include_dirs: Vec<PathBuf>,
    defines: BTreeMap<String, String>,
    params: BTreeMap<String, String>,
    waves: Option<Waves>,
    line_coverage: bool,
    speed: Speed,
    arguments: Vec<String>,
    cxx_arguments: Vec<String>,
    verilator: Option<PathBuf>,
    cache_dir: Option<PathBuf>,
}

impl Build {
    /// A model of the module `top`.
    pub fn new(top: impl Into<String>) -> Self {
        Self {
            top: top.into(),
            sources: Vec::new(),
            include_dirs: Vec::new(),
            defines: BTreeMap::new(),
            params: BTreeMap::new(),
            waves: None,
            line_coverage: false,
            speed: Speed::Usual,
            arguments: Vec::new(),
            cxx_arguments: Vec::new(),
            verilator: None,
            cache_dir: None,
        }
    }

    /// Adds a Verilog file.
    pub fn source(mut self, path: impl Into<PathBuf>) -> Self {
        self.sources.push(Source::Path(path.into()));
        self
    }

    /// Adds Verilog text; messages call it `name`, which is a plain file name such as `reps.v`.
    pub fn text(mut self, name: impl Into<String>, text: impl Into<String>) -> Self {
        self.sources.push(Source::Text { name: name.into(), text: text.into() });
        self
    }

    /// Searches a directory for included files and for modules.
    pub fn include_dir(mut self, path: impl Into<PathBuf>) -> Self {
        self.include_dirs.push(path.into());
        self
    }

    /// Defines a macro; the value may be empty.
    pub fn define(mut self, name: impl Into<String>, value: impl Display) -> Self {
        self.defines.insert(name.into(), value.to_string());
        self
    }

    /// Sets a parameter of the top, to a value in Verilog's notation.
    pub fn param(mut self, name: impl Into<String>, value: impl Display) -> Self {
        self.params.insert(name.into(), value.to_string());
        self
    }

    /// Lets instances record waveforms. The option costs up to a tenth of the speed even without a recording.
    pub fn waves(mut self, waves: Waves) -> Self {
        self.waves = Some(waves);
        self
    }

    /// Lets instances count executed lines; the cost is not measurable.
    pub fn line_coverage(mut self) -> Self {
        self.line_coverage = true;
        self
    }

    /// Builds in three quarters of the time a model that runs at a sixth of the speed: for runs of some thousand clocks.
    pub fn quick(mut self) -> Self {
        self.speed = Speed::Quick;
        self
    }

    /// Builds in three times the time a model that runs a quarter faster: for runs of minutes.
    pub fn long(mut self) -> Self {
        self.speed = Speed::Long;
        self
    }

    /// Adds an argument to Verilator's command line.
    pub fn argument(mut self, argument: impl Into<String>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Adds an argument to the C++ compiler's command lines, compiling and linking.
    pub fn cxx_argument(mut self, argument: impl Into<String>) -> Self {
        self.cxx_arguments.push(argument.into());
        self
    }

    /// Uses this Verilator instead of the one that [`find`](crate::find()) finds.
    pub fn verilator(mut self, program: impl Into<PathBuf>) -> Self {
        self.verilator = Some(program.into());
        self
    }

    /// Uses this cache directory instead of the default one.
    pub fn cache_dir(mut self, path: impl Into<PathBuf>) -> Self {
        self.cache_dir = Some(path.into());
        self
    }

    /// The module this is a model of.
    pub fn top(&self) -> &str {
        &self.top
    }

    /// Builds the model unless the cache has it, and loads it.
    pub fn load(&self) -> Result<Arc<Library>, Error> {
        if cfg!(target_feature = "crt-static") {
            return Err(Error::Static);
        }
        // Held while loading, so that no other process replaces the file meanwhile.
        let artifact = self.make(Product::Library)?;
        Library::open(&self.top, &artifact.path).map(Arc::new)
    }

    /// Builds the model into a program with this `main.cpp`, unless the cache has it, and returns the
    /// program's path. The model is the class `Vm` in `Vm.h`.
    pub fn program(&self, main: &str) -> Result<PathBuf, Error> {
        self.make(Product::Program(main)).map(|artifact| artifact.path)
    }

    /// Runs Verilator with all warnings (`--lint-only -Wall`); any warning is an error.
    pub fn lint(&self) -> Result<(), Error> {
        let cache = Cache::open(self.cache_dir.as_deref())?;
        let tool = self.tool(&cache)?;
        let scratch = cache.scratch()?;
        let mut command = self.command(&tool, scratch.path())?;
        command.args(["--lint-only", "-Wall", "-Mdir", "obj"]);
        match run(&mut command, &tool)? {
            Ok(text) if !text.contains("%Warning") => Ok(()),
            Ok(text) | Err(text) => Err(Error::Lint { command: command_line(&command), text }),
        }
    }

    fn make(&self, product: Product<'_>) -> Result<Artifact, Error> {
        let cache = Cache::open(self.cache_dir.as_deref())?;
        let tool = self.tool(&cache)?;
        let compiler = Compiler::find(&cache)?;
        let mut key = self.key(&tool)?;
        key.field(revision()).field(&compiler.version);
        for word in compiler.arguments.iter().chain(&self.cxx_arguments) {
            key.field(word);
        }
        key.field(self.speed.level());
        match product {
            Product::Library => key.field("library"),
            Product::Program(main) => key.field("program").field(main),
        };
        cache.artifact(&key.finish(), |work| {
            let deps = self.verilate(&tool, work)?;
            let obj = work.join("obj");
            let (arguments, speed, common) = (&self.cxx_arguments, self.speed, self.cache_dir.is_none());
            Compilation { cache: &cache, compiler: &compiler, arguments, speed, common, product, obj: &obj }
                .run(&work.join("artifact"))?;
            Ok(deps)
        })
    }

    fn tool(&self, cache: &Cache) -> Result<Tool, Error> {
        match &self.verilator {
            Some(program) => find::tool(program.as_os_str(), Some(cache)),
            None => find::default_tool(Some(cache)),
        }
    }

    /// The key of a build: all its inputs.
    fn key(&self, tool: &Tool) -> Result<Hasher, Error> {
        let mut key = Hasher::new();
        key.field(tool.path.as_os_str().as_encoded_bytes()).field(&tool.version);
        for argument in self.options(tool)? {
            key.field(argument.as_encoded_bytes());
        }
        for source in &self.sources {
            match source {
                Source::Path(path) => key.field(fs::read(path).map_err(Error::io(path))?),
                Source::Text { name, text } => key.field(name).field(text),
            };
        }
        // A new file may be found before the file that was included until now.
        for dir in &self.include_dirs {
            let entries = fs::read_dir(dir).map_err(Error::io(dir))?;
            let mut names: Vec<OsString> = entries.flatten().map(|entry| entry.file_name()).collect();
            names.sort();
            key.field(names.len().to_le_bytes());
            for name in names {
                key.field(name.as_encoded_bytes());
            }
        }
        Ok(key)
    }

    /// Verilator's arguments, the same for building and linting.
    fn options(&self, tool: &Tool) -> Result<Vec<OsString>, Error> {
        check("top module", &self.top)?;
        let mut options: Vec<OsString> = vec!["--top-module".into(), self.top.clone().into()];
        for (name, value) in &self.params {
            check("parameter", name)?;
            options.push(format!("-G{name}={value}").into());
        }
        for (name, value) in &self.defines {
            check("macro", name)?;
            options.push(
                if value.is_empty() { format!("-D{name}") } else { format!("-D{name}={value}") }.into(),
            );
        }
        for dir in &self.include_dirs {
            let mut option = OsString::from("-I");
            option.push(fs::canonicalize(dir).map_err(Error::io(dir))?);
            options.push(option);
        }
        options.extend(self.arguments.iter().map(OsString::from));
        for source in &self.sources {
            options.push(match source {
                Source::Path(path) => fs::canonicalize(path).map_err(Error::io(path))?.into(),
                Source::Text { name, .. } => name.into(),
            });
        }
        options.extend(tool.speed_options.iter().map(OsString::from));
        match self.waves {
            Some(Waves::Vcd) => options.push("--trace".into()),
            Some(Waves::Fst) => options.push("--trace-fst".into()),
            None => {}
        }
        if self.line_coverage {
            options.push("--coverage-line".into());
        }
        Ok(options)
    }

    /// Verilator in `work`, where the texts are files.
    fn command(&self, tool: &Tool, work: &Path) -> Result<Command, Error> {
        for source in &self.sources {
            if let Source::Text { name, text } = source {
                let plain = |c: char| c.is_ascii_alphanumeric() || "._".contains(c);
                if !name.chars().all(plain) || name.starts_with('.') || name.is_empty() {
                    let wanted = "use letters, digits, dots and underscores, as in `reps.v`";
                    return Err(Error::Name { what: "name of a source text", name: name.clone(), wanted });
                }
                let path = work.join(name);
                fs::write(&path, text).map_err(Error::io(&path))?;
            }
        }
        let mut command = Command::new(&tool.path);
        command.current_dir(work).args(self.options(tool)?);
        Ok(command)
    }

    /// Generates C++ into `obj` and returns the files it was made from.
    fn verilate(&self, tool: &Tool, work: &Path) -> Result<Vec<PathBuf>, Error> {
        let mut command = self.command(tool, work)?;
        // Unset values are drawn at construction, so that an instance can be given zeros, ones or noise; --assert is
        // on by default in newer versions only.
        command.args(["--cc", "-O3", "--x-assign", "unique", "--x-initial", "unique", "--assert"]);
        command.args(["--output-split-cfuncs", FUNCTION_NODES, "--prefix", "Vm", "-Mdir", "obj"]);
        if let Err(text) = run(&mut command, tool)? {
            return Err(Error::Verilate { command: command_line(&command), text });
        }
        // Verilator also writes a makefile of these, but without quotes around names.
        let list = work.join("obj/Vm__verFiles.dat");
        let text = fs::read_to_string(&list).map_err(Error::io(&list))?;
        let read = text.lines().filter(|line| line.starts_with("S "));
        let names = read.filter_map(|line| line.strip_suffix('"')?.rsplit_once('"'));
        // Relative ones are the texts, which the key covers.
        Ok(names.map(|(_, name)| PathBuf::from(name)).filter(|path| path.is_absolute()).collect())
    }
}

/// Runs Verilator. The result is `Ok` with its messages if it succeeded, the inner `Err` if not.
fn run(command: &mut Command, tool: &Tool) -> Result<Result<String, String>, Error> {
    let output = command.output().map_err(Error::io(&tool.path))?;
    let text =
        [output.stderr, output.stdout].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    Ok(if output.status.success() { Ok(text) } else { Err(text) })
}

fn check(what: &'static str, name: &str) -> Result<(), Error> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    if name.is_empty() || !name.chars().all(plain) {
        return Err(Error::Name { what, name: name.to_owned(), wanted: "use a Verilog identifier" });
    }
    Ok(())
}
