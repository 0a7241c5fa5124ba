//! The board under Verilator. The simulation drives its UART bit by bit.

use crate::error::Error;
use std::collections::{BTreeSet, VecDeque};
use std::io::{self, Read, Write};
use std::path::Path;
use verilator_sys::{Build, Instance, PortId, Reset};

/// Clocks of a bit in the simulation: fewer than on a board, to shorten the simulation.
const DIVIDER: u32 = 8;
/// Clocks after which a read of a byte times out.
const PATIENCE_CLOCKS: u32 = 200_000;

/// The files of the board: names and texts.
#[derive(Clone, Debug)]
pub struct Verilog {
    /// Name and text of each file.
    pub files: Vec<(String, String)>,
    folder: std::path::PathBuf,
}

impl Verilog {
    /// Reads the files of the repository.
    pub fn read(root: &Path) -> Result<Self, Error> {
        let text = |path: std::path::PathBuf| {
            std::fs::read_to_string(&path).map_err(|error| Error::File { path, error })
        };
        let hdl = root.join("hdl/verilog");
        let lists = ["weft_reps.f", "weft_smartt.f"].map(|list| text(hdl.join(list)));
        let mut paths = BTreeSet::new();
        for list in lists {
            paths.extend(list?.lines().map(|line| hdl.join(line)));
        }
        let folder = root.join("fpga/ecp5");
        let modules = ["", "_link", "_reps", "_signature", "_smartt", "_source", "_uart"];
        paths.extend(modules.map(|module| folder.join(format!("weft_board{module}.v"))));
        let named = |path: std::path::PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            Ok((name, text(path)?))
        };
        let files = paths.into_iter().map(named).collect::<Result<_, Error>>()?;
        let folder = std::path::absolute(&folder).map_err(|error| Error::File { path: folder, error })?;
        Ok(Self { files, folder })
    }

    fn build(&self) -> Build {
        let build = Build::new("weft_board").include_dir(&self.folder).param("DIVIDER", DIVIDER);
        self.files.iter().fold(build, |build, (name, text)| build.text(name, text))
    }

    /// Lints the files. A warning of Verilator is an error.
    pub fn lint(&self) -> Result<(), Error> {
        Ok(self.build().lint()?)
    }

    /// Builds the board and powers it up.
    pub fn board(&self) -> Result<Simulated, Error> {
        Simulated::new(self.build().load()?.instance(Reset::Random(1))?)
    }
}

/// The meaning of the LEDs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Led {
    /// A run is in progress.
    Running,
    /// The signatures of the run are as expected.
    Pass,
    /// The signatures differ: of REPS, of SMaRTT.
    Fail([bool; 2]),
}

/// A simulated board. Bytes written go into its UART, and bytes read come from its UART. Only reads, writes
/// and `turn` run clocks.
pub struct Simulated {
    model: Instance,
    clk: PortId,
    rx: PortId,
    tx: PortId,
    led: PortId,
    /// Levels at the UART's input that the board has not read yet, one for each clock.
    says: VecDeque<bool>,
    /// Bytes that the board has sent.
    hears: VecDeque<u8>,
    /// The byte that the board sends now: clocks since its start bit began, bits so far.
    byte: Option<(u32, u8)>,
}

impl Simulated {
    fn new(mut model: Instance) -> Result<Self, Error> {
        let library = model.library().clone();
        let id = |name: &str| library.port(name).map(|port| port.id);
        let (clk, rx, tx, led) = (id("clk_25mhz")?, id("ftdi_txd")?, id("ftdi_rxd")?, id("led")?);
        model.set(rx, 1);
        Ok(Self { model, clk, rx, tx, led, says: VecDeque::new(), hears: VecDeque::new(), byte: None })
    }

    /// The state of the LEDs.
    pub fn led(&self) -> Led {
        let lights = self.model.get(self.led);
        match lights >> 1 & 7 {
            1 => Led::Running,
            2 => Led::Pass,
            _ => Led::Fail([4, 5].map(|bit| lights >> bit & 1 == 1)),
        }
    }

    /// Runs clocks. `false` if the board is idle: neither a run nor bytes are in progress.
    pub fn turn(&mut self, clocks: u32) -> Result<bool, Error> {
        for _ in 0..clocks {
            self.clock()?;
        }
        Ok(self.led() == Led::Running || !self.says.is_empty() || self.byte.is_some())
    }

    /// Removes and returns the bytes that the board has sent.
    pub fn said(&mut self) -> Vec<u8> {
        self.hears.drain(..).collect()
    }

    /// Runs one clock.
    fn clock(&mut self) -> Result<(), Error> {
        let level = self.says.pop_front().unwrap_or(true);
        self.model.set(self.rx, level.into());
        for level in [0, 1] {
            self.model.set(self.clk, level);
            self.model.eval()?;
        }
        self.hear(self.model.get(self.tx) == 1);
        Ok(())
    }

    fn hear(&mut self, level: bool) {
        self.byte = match self.byte {
            None => (!level).then_some((0, 0)),
            Some((clocks, bits)) => {
                let clocks = clocks + 1;
                let is_middle = clocks % DIVIDER == DIVIDER / 2;
                match clocks / DIVIDER {
                    1..=8 if is_middle => Some((clocks, bits >> 1 | u8::from(level) << 7)),
                    9 if is_middle => {
                        self.hears.push_back(bits);
                        None
                    }
                    _ => Some((clocks, bits)),
                }
            }
        };
    }
}

impl Write for Simulated {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            let bits = u32::from(byte) << 1 | 1 << 9;
            for bit in 0..10 {
                self.says.extend((0..DIVIDER).map(|_| bits >> bit & 1 == 1));
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for Simulated {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        for _ in 0..PATIENCE_CLOCKS {
            if !self.hears.is_empty() {
                return self.hears.read(bytes);
            }
            self.clock().map_err(io::Error::other)?;
        }
        Ok(0)
    }
}
