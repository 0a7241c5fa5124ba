//! The board under Verilator, its UART bit by bit.

use crate::error::Error;
use std::collections::{BTreeSet, VecDeque};
use std::io::{self, Read, Write};
use std::path::Path;
use verilator_sys::{Build, Instance, PortId, Reset};

/// Clocks of a bit here: fewer than on a board, so that talking takes no longer than what is talked about.
const DIVIDER: u32 = 8;
/// Clocks that a read waits for a byte.
const PATIENCE_CLOCKS: u32 = 200_000;

/// The files of the board, name and text.
#[derive(Clone, Debug)]
pub struct Verilog {
    /// Name and text of each file.
    pub files: Vec<(String, String)>,
    folder: std::path::PathBuf,
}

impl Verilog {
    /// Those of the repository.
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

    /// Refuses what Verilator warns of.
    pub fn lint(&self) -> Result<(), Error> {
        Ok(self.build().lint()?)
    }

    /// Builds the board and switches it on.
    pub fn board(&self) -> Result<Simulated, Error> {
        Simulated::new(self.build().load()?.instance(Reset::Random(1))?)
    }
}

/// What the LEDs show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Led {
    /// A run is under way.
    Running,
    /// The run's signatures are those that were expected.
    Pass,
    /// They are not: of REPS, of SMaRTT.
    Fail([bool; 2]),
}

/// A board. What is written to it goes into its UART, and what it says is read; clocks pass meanwhile, and else not.
pub struct Simulated {
    model: Instance,
    clk: PortId,
    rx: PortId,
    tx: PortId,
    led: PortId,
    /// Levels that the board is still to see, one for each clock.
    says: VecDeque<bool>,
    /// Bytes that the board has said.
    hears: VecDeque<u8>,
    /// Of the byte that it says: clocks since its start bit began, bits so far.
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

    /// What the LEDs show.
    pub fn led(&self) -> Led {
        let lights = self.model.get(self.led);
        match lights >> 1 & 7 {
            1 => Led::Running,
            2 => Led::Pass,
            _ => Led::Fail([4, 5].map(|bit| lights >> bit & 1 == 1)),
        }
    }

    /// Lets clocks pass. `false`: the board rests, as neither a run nor bytes are under way.
    pub fn turn(&mut self, clocks: u32) -> Result<bool, Error> {
        for _ in 0..clocks {
            self.clock()?;
        }
        Ok(self.led() == Led::Running || !self.says.is_empty() || self.byte.is_some())
    }

    /// Takes the bytes that the board has said.
    pub fn said(&mut self) -> Vec<u8> {
        self.hears.drain(..).collect()
    }

    /// One clock.
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
