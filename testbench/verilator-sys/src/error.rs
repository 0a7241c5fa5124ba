use std::path::{Path, PathBuf};

/// The reason why a model could not be built, loaded or driven.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Verilator is not installed.
    #[error(
        "Verilator not found (tried `{tried}`): install it (Debian: apt-get install verilator) or set VERILATOR to its path"
    )]
    VerilatorMissing {
        /// The programs that were tried.
        tried: String,
    },
    /// A Verilator older than 5.006.
    #[error(
        "{} is too old ({version}): install Verilator 5.006 or newer (Debian 12: apt-get install verilator)",
        path.display()
    )]
    VerilatorTooOld {
        /// The program found.
        path: PathBuf,
        /// The version that the program reports.
        version: String,
    },
    /// No C++ compiler is installed.
    #[error("C++ compiler not found (tried `{tried}`): install it (Debian: apt-get install g++) or set CXX")]
    CompilerMissing {
        /// The programs that were tried.
        tried: String,
    },
    /// A C header that Verilator's runtime needs for the chosen options.
    #[error("C header {header} not found: install it (Debian: apt-get install {package})")]
    HeaderMissing {
        /// The header.
        header: &'static str,
        /// Debian's package with the header.
        package: &'static str,
    },
    /// Verilator refused the sources.
    #[error("Verilator refused the sources: correct them; its words:\n{command}\n{text}")]
    Verilate {
        /// The command line.
        command: String,
        /// The output of Verilator.
        text: String,
    },
    /// `verilator --lint-only -Wall` reported warnings.
    #[error("lint warnings: correct them, or waive them in the source with a reason:\n{command}\n{text}")]
    Lint {
        /// The command line.
        command: String,
        /// The output of Verilator.
        text: String,
    },
    /// The generated C++ did not compile or link.
    #[error("the model's C++ did not compile; the compiler's words:\n{command}\n{text}")]
    Compile {
        /// The command line.
        command: String,
        /// The output of the compiler.
        text: String,
    },
    /// A program built with a model failed.
    #[error("{} failed ({status}):\n{text}", program.display())]
    Program {
        /// The program.
        program: PathBuf,
        /// Exit status of the program.
        status: String,
        /// The output.
        text: String,
    },
    /// A port of the top that cannot be driven as a flat vector.
    #[error("port `{port}` is {what}: give the top plain input and output vectors")]
    PortUnsupported {
        /// The port.
        port: String,
        /// The actual kind.
        what: &'static str,
    },
    /// The RTL has no port of this name.
    #[error("`{top}` has no port `{port}`; it has: {known}")]
    PortUnknown {
        /// The top module.
        top: String,
        /// The requested name.
        port: String,
        /// The names that exist.
        known: String,
    },
    /// A port whose declaration differs from the RTL.
    #[error("`{port}` of `{top}`: declared {declared}, the RTL says {actual}; correct the declaration")]
    PortMismatch {
        /// The top module.
        top: String,
        /// The port.
        port: String,
        /// Direction and width in Rust.
        declared: String,
        /// Direction and width in the RTL.
        actual: String,
    },
    /// `$fatal`, `$stop`, a failed assertion or a fatal error of the runtime. The instance is dead.
    #[error("the RTL stopped: {message}")]
    Stopped {
        /// File, line and text.
        message: String,
    },
    /// The library lacks an option.
    #[error("the model was built without {what}: add `{call}` to its `Build`")]
    NotBuilt {
        /// The missing item.
        what: &'static str,
        /// The function to call.
        call: &'static str,
    },
    /// A name that is not valid in a file name or a command line.
    #[error("bad {what} `{name}`: {wanted}")]
    Name {
        /// The kind of object that has the name.
        what: &'static str,
        /// The name.
        name: String,
        /// The possible values.
        wanted: &'static str,
    },
    /// No directory for the cache.
    #[error("no cache directory: set WEFT_VERILATOR_CACHE, XDG_CACHE_HOME or HOME")]
    NoCacheDir,
    /// The program has no dynamic linker, so it cannot load models.
    #[error(
        "this weft is static and cannot load models that Verilator builds: use the release's weft for glibc, or build one"
    )]
    Static,
    /// The built library did not load.
    #[error("cannot load the built model (remove its directory in the cache to rebuild it): {0}")]
    Load(#[from] libloading::Error),
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
}

impl Error {
    pub(crate) fn io(path: impl AsRef<Path>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.as_ref().to_path_buf();
        move |source| Self::Io { path, source }
    }
}
