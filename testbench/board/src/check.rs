//! A run on a board, compared with the models.

use crate::error::Error;
use crate::frame::{Link, Register};
use crate::run::{Run, Signatures};
use std::fmt;
use std::io::{Read, Write};
use std::time::{Duration, Instant};

/// `WFT1`, the first letter in the low byte.
const ID: u32 = u32::from_le_bytes(*b"WFT1");
/// Time without an answer after which a run counts as stalled.
const PATIENCE: Duration = Duration::from_secs(10);
/// Time between two polls of a run.
const PAUSE: Duration = Duration::from_millis(20);

/// The result of a run on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// The run.
    pub run: Run,
    /// The models' signatures.
    pub expected: Signatures,
    /// The board's signatures.
    pub found: Signatures,
    /// Whether the board's own comparison found equal signatures: of REPS, of SMaRTT.
    pub equal: [bool; 2],
    /// Numbers of events that the blocks refused: REPS, SMaRTT.
    pub not_open: [u16; 2],
    /// Number of clocks of the run.
    pub clocks: u32,
}

impl Report {
    /// Whether the board agrees with the models.
    pub fn passes(&self) -> bool {
        self.faults().next().is_none()
    }

    fn faults(&self) -> impl Iterator<Item = String> {
        let Self { expected, found, equal, not_open, .. } = *self;
        let blocks = [("REPS", found.reps, expected.reps), ("SMaRTT", found.smartt, expected.smartt)];
        blocks.into_iter().zip(equal.into_iter().zip(not_open)).filter_map(
            |((name, found, expected), (equal, not_open))| {
                if found != expected {
                    Some(format!("{name}'s signature is {found:08x}, the model's {expected:08x}"))
                } else if not_open != 0 {
                    Some(format!("{name} refused {not_open} events"))
                } else {
                    (!equal)
                        .then(|| format!("{name}'s signature is the model's, but the board does not say so"))
                }
            },
        )
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Run { events, seed, config } = self.run;
        let faults: Vec<String> = self.faults().collect();
        if faults.is_empty() {
            let Signatures { reps, smartt } = self.found;
            write!(f, "pass: REPS {reps:08x}, SMaRTT {smartt:08x} as the models")?;
        } else {
            write!(f, "FAIL: {}", faults.join("; "))?;
        }
        write!(f, " ({events} events each, {} clocks, seed {seed}, config {config:#04x})", self.clocks)
    }
}

/// Performs a run on a board and compares the signatures.
pub fn check<P: Read + Write>(link: &mut Link<P>, run: &Run) -> Result<Report, Error> {
    let id = link.read(Register::Id)?;
    if id != ID {
        return Err(Error::Stranger(id));
    }
    let expected = run.signatures()?;
    for (register, value) in [
        (Register::Seed, run.seed),
        (Register::Events, run.events),
        (Register::Config, run.config),
        (Register::ExpectedReps, expected.reps),
        (Register::ExpectedSmartt, expected.smartt),
    ] {
        link.write(register, value)?;
    }
    link.start()?;
    let status = wait(link, run)?;
    let not_open = link.read(Register::NotOpen)?;
    Ok(Report {
        run: *run,
        expected,
        found: Signatures {
            reps: link.read(Register::SignatureReps)?,
            smartt: link.read(Register::SignatureSmartt)?,
        },
        equal: [1, 2].map(|bit| status >> bit & 1 == 1),
        not_open: [not_open as u16, (not_open >> 16) as u16],
        clocks: link.read(Register::Clocks)?,
    })
}

/// Waits for the end of a run. Returns STATUS.
fn wait<P: Read + Write>(link: &mut Link<P>, run: &Run) -> Result<u32, Error> {
    let mut last = ([0; 2], Instant::now());
    loop {
        let status = link.read(Register::Status)?;
        if status & 1 == 1 {
            return Ok(status);
        }
        let answers = [link.read(Register::AnswersReps)?, link.read(Register::AnswersSmartt)?];
        if answers != last.0 {
            last = (answers, Instant::now());
        } else if last.1.elapsed() > PATIENCE {
            let [reps, smartt] = answers;
            return Err(Error::Stands { reps, smartt, events: run.events });
        }
        std::thread::sleep(PAUSE);
    }
}
