//! Frames of seven bytes: a request reads or writes a register, its reply has the value.

use crate::error::Error;
use std::io::{Read, Write};

const REQUEST: u8 = 0xA5;
const REPLY: u8 = 0x5A;
/// Bit of the register's byte: write.
const WRITE: u8 = 0x80;
/// How often a request is made.
const TRIES: u32 = 3;

/// The registers, by their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Register {
    /// `WFT1`.
    Id = 0,
    /// Bit 0: the run is over, 1 and 2: REPS' and SMaRTT's signatures are as expected. A write begins a run.
    Status = 1,
    /// Where the random bits begin.
    Seed = 2,
    /// Events of each block.
    Events = 3,
    /// Modes of both blocks.
    Config = 4,
    /// What the signature of REPS should be.
    ExpectedReps = 5,
    /// What the signature of SMaRTT should be.
    ExpectedSmartt = 6,
    /// The signature of REPS' answers.
    SignatureReps = 7,
    /// The signature of SMaRTT's answers.
    SignatureSmartt = 8,
    /// Answers of REPS.
    AnswersReps = 9,
    /// Answers of SMaRTT.
    AnswersSmartt = 10,
    /// Clocks of the run.
    Clocks = 11,
    /// Events of connections that were not open: SMaRTT's in bits 31:16, REPS' in 15:0.
    NotOpen = 12,
}

/// The way to a board. A read that gives no bytes has waited long enough.
pub struct Link<P> {
    port: P,
}

impl<P: Read + Write> Link<P> {
    /// A link over a port.
    pub fn new(port: P) -> Self {
        Self { port }
    }

    /// The port.
    pub fn port(&mut self) -> &mut P {
        &mut self.port
    }

    /// What a register holds.
    pub fn read(&mut self, register: Register) -> Result<u32, Error> {
        self.ask(register as u8, 0)
    }

    /// Writes a register that can be read again.
    pub fn write(&mut self, register: Register, written: u32) -> Result<(), Error> {
        let holds = self.ask(register as u8 | WRITE, written)?;
        if holds == written {
            return Ok(());
        }
        Err(Error::Lost { register: register as u8, holds, written })
    }

    /// Begins a run.
    pub fn start(&mut self) -> Result<(), Error> {
        self.ask(Register::Status as u8 | WRITE, 0).map(drop)
    }

    fn ask(&mut self, register: u8, value: u32) -> Result<u32, Error> {
        for _ in 0..TRIES {
            self.port.write_all(&frame(REQUEST, register, value))?;
            self.port.flush()?;
            if let Some(value) = self.reply(register)? {
                return Ok(value);
            }
        }
        Err(Error::Silent)
    }

    /// The value of the next whole reply about a register; `None` when it does not come.
    fn reply(&mut self, register: u8) -> Result<Option<u32>, Error> {
        // What stood on the line before is longer than this only if nobody means us.
        const LONGEST: usize = 1 << 12;
        let mut got = Vec::new();
        let mut byte = [0];
        while got.len() < LONGEST && self.port.read(&mut byte)? == 1 {
            got.push(byte[0]);
            if let Some(&[mark, asked, a, b, c, d, check]) = got.last_chunk()
                && mark == REPLY
                && asked == register
                && check == sum(&[mark, asked, a, b, c, d])
            {
                return Ok(Some(u32::from_le_bytes([a, b, c, d])));
            }
        }
        Ok(None)
    }
}

fn sum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |sum, byte| sum ^ byte)
}

fn frame(mark: u8, register: u8, value: u32) -> [u8; 7] {
    let [a, b, c, d] = value.to_le_bytes();
    [mark, register, a, b, c, d, sum(&[mark, register, a, b, c, d])]
}
