//! Compiles the C++ of Verilator to a library or a program, without make. The runtime is compiled once for
//! all models.

use std::fs;
use std::num::NonZero;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::cache::Cache;
use crate::error::Error;
use crate::find::Compiler;
use crate::hash::Hasher;
use crate::header::{self, Direction, HeaderPort};

const HOOKS: &str = include_str!("cpp/hooks.h");
const SHIM: &str = include_str!("cpp/shim.cpp");

/// Optimisation of code that runs once per instance.
const SLOW: &str = "-O0";
/// Optimisation of a testbench's main.cpp, which is short.
const MAIN: &str = "-O3";
/// Optimisation of the runtime, of which an evaluation calls little.
const RUNTIME: &str = "-O2";
/// Size of a C++ function of Verilator, in nodes of its tree. The time of GCC grows more than linearly with
/// the size. The NIC compiles in half the time that Verilator's default of 20,000 nodes takes, and runs as
/// fast.
pub(crate) const FUNCTION_NODES: &str = "1000";
/// Bytes of a unit. Every unit reads the same headers, which lasts as long as 200 kB of a model. But several
/// units compile in parallel.
const UNIT_BYTES: u64 = 3_000_000;

/// Whether the time of the build or of the run matters more. For the NIC, -O1 needs a third of the time of
/// -O3 and runs at four fifths of the speed. -O0 needs three quarters of the time of -O1 and runs at a sixth
/// of the speed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Speed {
    Quick,
    Usual,
    Long,
}

impl Speed {
    /// The optimisation of code that runs on every evaluation.
    pub(crate) fn level(self) -> &'static str {
        match self {
            Self::Quick => "-O0",
            Self::Usual => "-O1",
            Self::Long => "-O3",
        }
    }
}

const ALWAYS: [&str; 12] = [
    "-std=gnu++17",
    "-w",
    "-DVERILATOR=1",
    "-DVM_SC=0",
    "-DVM_TIMING=0",
    "-DVL_TIME_CONTEXT",
    "-DVL_USER_FINISH",
    "-DVL_USER_STOP",
    "-DVL_USER_STOP_MAYBE",
    "-DVL_USER_FATAL",
    "-DVL_PRINTF=vsys_printf",
    "-pthread",
];

/// Hides the symbols of a library from all other libraries, also from those of another Verilator.
const LIBRARY: [&str; 2] = ["-fPIC", "-fvisibility=hidden"];

/// A revision that depends on this file, the shim and the flags. After a new revision every model is built
/// again.
pub(crate) fn revision() -> String {
    let mut hasher = Hasher::new();
    hasher.field(HOOKS).field(SHIM).field(include_str!("compile.rs"));
    hasher.finish()
}

/// The product to make of the model.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Product<'a> {
    Library,
    /// A program with this main.cpp.
    Program(&'a str),
}

/// One compilation of the C++ that Verilator left in `obj`.
pub(crate) struct Compilation<'a> {
    pub(crate) cache: &'a Cache,
    pub(crate) compiler: &'a Compiler,
    /// Further arguments for every compilation and the link.
    pub(crate) arguments: &'a [String],
    pub(crate) speed: Speed,
    /// Whether the cache will see many builds like this one, so that compiled headers save time.
    pub(crate) common: bool,
    pub(crate) product: Product<'a>,
    /// Verilator's output.
    pub(crate) obj: &'a Path,
}

impl Compilation<'_> {
    /// Compiles and links to `artifact`.
    pub(crate) fn run(&self, artifact: &Path) -> Result<(), Error> {
        let classes = read(&self.obj.join("Vm_classes.mk"))?;
        let root = variable(&read(&self.obj.join("Vm.mk"))?, "VERILATOR_ROOT = ").map(PathBuf::from);
        let include = root.unwrap_or_default().join("include");
        let runtime = self.runtime(&include, &list(&classes, &["VM_GLOBAL_FAST", "VM_GLOBAL_SLOW"]))?;

        let flags: Vec<String> = ["VM_COVERAGE", "VM_TRACE", "VM_TRACE_VCD", "VM_TRACE_FST"]
            .iter()
            .map(|name| format!("-D{name}={}", variable(&classes, &format!("{name} = ")).unwrap_or("0")))
            .collect();
        self.drop_thread_state()?;
        let mut units = self.units(&classes)?;
        if let Product::Program(main) = self.product {
            units.push((self.write("main.cpp", main)?, MAIN));
        }
        let objects: Vec<PathBuf> = units.iter().map(|(unit, _)| unit.with_extension("o")).collect();
        parallel(units, |(unit, level)| {
            let headers = self.headers(&unit, &include, level, &flags)?;
            self.compile(&unit, &unit.with_extension("o"), &include, level, headers.as_deref(), &flags)
        })?;
        self.link(artifact, objects.iter().chain(&runtime), &include, &classes)
    }

    /// Older Verilators write the thread's state three times per evaluation, without effect if there is one
    /// thread. In a library every access to a thread-local variable is a call: together the calls cost as
    /// much as an idle evaluation.
    fn drop_thread_state(&self) -> Result<(), Error> {
        let mut text = read(&self.obj.join("Vm.cpp"))?;
        for call in
            ["mtaskId(0)", "endOfThreadMTask(vlSymsp->__Vm_evalMsgQp)", "endOfEval(vlSymsp->__Vm_evalMsgQp)"]
        {
            text = text.replace(&format!("    Verilated::{call};\n"), "");
        }
        self.write("Vm.cpp", &text).map(drop)
    }

    /// The model's translation units, each with its optimisation: one unit for the fast code and one for the
    /// slow code, and more for a large design. The first unit has the shim, so that the compiler inlines its
    /// calls into the model.
    fn units(&self, classes: &str) -> Result<Vec<(PathBuf, &'static str)>, Error> {
        self.write("shim.cpp", &self.shim()?)?;
        let named =
            |kind: &str| list(classes, &[&format!("VM_CLASSES_{kind}"), &format!("VM_SUPPORT_{kind}")]);
        let (fast, slow) = (named("FAST"), named("SLOW"));
        let mut units = Vec::new();
        for (kind, names, level) in [("fast", fast, self.speed.level()), ("slow", slow, SLOW)] {
            for (number, names) in self.groups(&names)?.into_iter().enumerate() {
                let mut text: String =
                    names.iter().map(|name| format!("#include \"{name}.cpp\"\n")).collect();
                if units.is_empty() {
                    text += "#include \"shim.cpp\"\n";
                }
                units.push((self.write(&format!("all_{kind}_{number}.cpp"), &text)?, level));
            }
        }
        Ok(units)
    }

    /// Groups of files for units, so that no unit is too large. Files that Verilator split are joined again,
    /// in its order.
    fn groups<'n>(&self, names: &'n [String]) -> Result<Vec<Vec<&'n String>>, Error> {
        let mut groups = vec![Vec::new()];
        let mut bytes = 0;
        for name in names {
            let path = self.obj.join(format!("{name}.cpp"));
            let length = fs::metadata(&path).map_err(Error::io(&path))?.len();
            if bytes > 0 && bytes + length > UNIT_BYTES {
                groups.push(Vec::new());
                bytes = 0;
            }
            bytes += length;
            groups.last_mut().expect("one at least").push(name);
        }
        Ok(groups)
    }

    /// The shim, with the ports of this model.
    fn shim(&self) -> Result<String, Error> {
        let header = self.obj.join("Vm.h");
        let ports = header::ports(&read(&header)?)?;
        let lines = |format: &dyn Fn((usize, &HeaderPort)) -> String| -> String {
            ports.iter().enumerate().map(format).collect()
        };
        let table = lines(&|(_, p)| format!("    \"{} {} {}\\n\"\n", p.direction, p.width, p.name));
        let cases = lines(&|(i, p)| format!("    case {i}: return &self->model->{};\n", p.member));
        let zeros = lines(&|(_, p)| match p.direction {
            Direction::In => format!("    std::memset(&model.{0}, 0, sizeof model.{0});\n", p.member),
            Direction::Out => String::new(),
        });
        Ok(format!(
            "{SHIM}
#include <cstring>
EXPORT const char* vsys_ports() {{
    return \"\"
{table}    ;
}}
EXPORT void* vsys_port(Instance* self, unsigned index) {{
    switch (index) {{
{cases}    default: return nullptr;
    }}
}}
void vsys_zero_inputs(Vm& model) {{
{zeros}}}
"
        ))
    }

    /// Objects of Verilator's runtime, compiled once for all models of this Verilator, compiler and arguments.
    fn runtime(&self, include: &Path, names: &[String]) -> Result<Vec<PathBuf>, Error> {
        let sources = digest_of_files(include)?;
        let objects = Mutex::new(Vec::new());
        parallel(names.to_vec(), |name| {
            let source = include.join(format!("{name}.cpp"));
            let mut key = Hasher::new();
            key.field("runtime").field(revision()).field(&self.compiler.version).field(&sources).field(&name);
            for word in self.compiler.arguments.iter().chain(self.arguments) {
                key.field(word);
            }
            let artifact = self.cache.artifact(&key.finish(), |work| {
                self.compile(&source, &work.join("artifact"), include, RUNTIME, None, &[])?;
                Ok(Vec::new())
            })?;
            objects.lock().unwrap_or_else(PoisonError::into_inner).push(artifact.path);
            Ok(())
        })?;
        let mut objects = objects.into_inner().unwrap_or_else(PoisonError::into_inner);
        objects.sort();
        Ok(objects)
    }

    /// Compiles the headers that precede every unit of a model, once for all models with the same options.
    /// GCC then uses the files with the extension `gch` beside the headers.
    fn headers(
        &self,
        unit: &Path,
        include: &Path,
        level: &str,
        flags: &[String],
    ) -> Result<Option<PathBuf>, Error> {
        let is_plain = self.arguments.is_empty() && flags.iter().all(|flag| flag.ends_with("=0"));
        if !self.common || !is_plain || self.product != Product::Library || self.compiler.is_clang() {
            return Ok(None);
        }
        let text = format!("{HOOKS}\n#include \"verilated.h\"\n");
        let mut key = Hasher::new();
        key.field("headers").field(revision()).field(&self.compiler.version).field(level);
        key.field(digest_of_files(include)?);
        for word in self.compiler.arguments.iter().chain(flags) {
            key.field(word);
        }
        let artifact = self.cache.artifact(&key.finish(), |work| {
            let header = work.join("headers.h");
            fs::write(&header, &text).map_err(Error::io(&header))?;
            let mut command = self.flags(&header, include, level, flags);
            run(command.args(["-x", "c++-header"]).arg(&header).arg("-o").arg(work.join("artifact")))?;
            Ok(Vec::new())
        })?;
        let header = unit.with_extension("headers.h");
        fs::write(&header, &text).map_err(Error::io(&header))?;
        let compiled = unit.with_extension("headers.h.gch");
        symlink(&artifact.path, &compiled).map_err(Error::io(&compiled))?;
        Ok(Some(header))
    }

    fn compile(
        &self,
        unit: &Path,
        object: &Path,
        include: &Path,
        level: &str,
        headers: Option<&Path>,
        flags: &[String],
    ) -> Result<(), Error> {
        let first = match headers {
            Some(headers) => headers.to_owned(),
            None => {
                let hooks = object.with_extension("hooks.h");
                fs::write(&hooks, HOOKS).map_err(Error::io(&hooks))?;
                hooks
            }
        };
        let mut command = self.flags(unit, include, level, flags);
        command.arg(format!("-I{}", self.obj.display())).arg("-include").arg(first);
        run(command.args(self.arguments).arg("-c").arg(unit).arg("-o").arg(object))
    }

    /// The compiler, with all options for `unit`.
    fn flags(&self, unit: &Path, include: &Path, level: &str, flags: &[String]) -> Command {
        let mut command = self.command();
        command.args(ALWAYS).arg(level).args(flags).arg(format!("-I{}", include.display()));
        command.arg(format!("-I{}", include.join("vltstd").display()));
        // A program keeps the compiler's defaults, as any C++ testbench does. Libraries and programs share
        // one compilation of the runtime.
        if self.product == Product::Library || unit.starts_with(include) {
            command.args(LIBRARY);
            if !self.compiler.is_clang() {
                command.arg("-fno-gnu-unique");
            }
        }
        command
    }

    fn link<'o>(
        &self,
        artifact: &Path,
        objects: impl Iterator<Item = &'o PathBuf>,
        include: &Path,
        classes: &str,
    ) -> Result<(), Error> {
        let mut command = self.command();
        if self.product == Product::Library {
            command.args(["-shared", "-Wl,-Bsymbolic", "-Wl,-z,defs"]);
        }
        command.args(self.arguments).arg("-o").arg(artifact).args(objects).arg("-pthread");
        if variable(classes, "VM_TRACE_FST = ") == Some("1") {
            // Older Verilators write FST with the writer of gtkwave, which also needs lz4.
            if include.join("fstcpp").is_dir() {
                command.arg("-llz4");
            }
            command.arg("-lz");
        }
        run(&mut command)
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.compiler.program);
        command.args(&self.compiler.arguments);
        command
    }

    fn write(&self, name: &str, text: &str) -> Result<PathBuf, Error> {
        let path = self.obj.join(name);
        fs::write(&path, text).map_err(Error::io(&path))?;
        Ok(path)
    }
}

fn run(command: &mut Command) -> Result<(), Error> {
    let tried = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|_| Error::CompilerMissing { tried })?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    for (header, package) in [("zlib.h", "zlib1g-dev"), ("lz4.h", "liblz4-dev")] {
        if text.contains(&format!("{header}: No such file"))
            || text.contains(&format!("'{header}' file not found"))
        {
            return Err(Error::HeaderMissing { header, package });
        }
    }
    Err(Error::Compile { command: command_line(command), text })
}

pub(crate) fn command_line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// Does all of `work`, in as many threads as there are cores, and returns the first failure.
fn parallel<T: Send>(work: Vec<T>, job: impl Fn(T) -> Result<(), Error> + Sync) -> Result<(), Error> {
    let workers = thread::available_parallelism().map_or(1, NonZero::get).min(work.len());
    let queue = Mutex::new(work.into_iter());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let worker = || {
        while let Some(item) = next() {
            job(item)?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().try_for_each(|worker| match worker.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        })
    })
}

/// A digest of the files in a directory, without its subdirectories.
fn digest_of_files(dir: &Path) -> Result<String, Error> {
    let entries = fs::read_dir(dir).map_err(Error::io(dir))?.flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    paths.sort();
    let mut hasher = Hasher::new();
    for path in paths {
        hasher.field(path.as_os_str().as_encoded_bytes()).field(fs::read(&path).map_err(Error::io(&path))?);
    }
    Ok(hasher.finish())
}

fn read(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(Error::io(path))
}

/// The value of the line with `prefix` in a makefile.
fn variable<'t>(makefile: &'t str, prefix: &str) -> Option<&'t str> {
    makefile.lines().find_map(|line| line.strip_prefix(prefix)).map(str::trim)
}

/// The words of makefile lists such as `VM_CLASSES_FAST += \`, which have one word per line.
fn list(makefile: &str, names: &[&str]) -> Vec<String> {
    let mut words = Vec::new();
    for name in names {
        let head = format!("{name} += \\");
        let body = makefile.lines().skip_while(|line| line.trim() != head).skip(1);
        words
            .extend(body.map_while(|line| line.trim().strip_suffix('\\')).map(|word| word.trim().to_owned()));
    }
    words
}
