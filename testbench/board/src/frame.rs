//! Frames of seven bytes: a request reads or writes a register, and its reply has the value.

use crate::error::Error;
use std::io::{Read, Write};

const REQUEST: u8 = 0xA5;
const REPLY: u8 = 0x5A;
/// The bit in the register's byte that marks a write.
const WRITE: u8 = 0x80;
/// Number of attempts of a request.
const TRIES: u32 = 3;

/// The registers with their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Register {
    /// The identification, `WFT1`.
    Id = 0,
    /// Bit 0: the run is over. Bits 1 and 2: the signatures of REPS and SMaRTT are as expected. A write
    /// begins a run.
    Status = 1,
    /// The seed of the random bits.
    Seed = 2,
    /// Number of events of each block.
    Events = 3,
    /// Modes of both blocks.
    Config = 4,
    /// The expected signature of REPS.
    ExpectedReps = 5,
    /// The expected signature of SMaRTT.
    ExpectedSmartt = 6,
    /// The signature of REPS' answers.
    SignatureReps = 7,
    /// The signature of SMaRTT's answers.
    SignatureSmartt = 8,
    /// Number of answers of REPS.
    AnswersReps = 9,
    /// Number of answers of SMaRTT.
    AnswersSmartt = 10,
    /// Number of clocks of the run.
    Clocks = 11,
    /// Number of events of connections that were not open: SMaRTT's in bits 31:16, REPS' in 15:0.
    NotOpen = 12,
}

/// The connection to a board. A read that returns no bytes is a timeout.
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

    /// Reads a register.
    pub fn read(&mut self, register: Register) -> Result<u32, Error> {
        self.ask(register as u8, 0)
    }

    /// Writes a register and checks the value that the register then has.
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

    /// The value of the next whole reply about a register. `None` if no reply arrives.
    fn reply(&mut self, register: u8) -> Result<Option<u32>, Error> {
        // Bytes from before this request are fewer than this limit, unless another device talks.
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
