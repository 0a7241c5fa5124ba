//! The settings of a connection, and the counters.

use crate::words::{Packed, Unpacked};

/// Opens or closes a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Control {
    /// Open, else close.
    pub open: bool,
    /// The first PSN that is expected, 24 bits.
    pub psn: u32,
    /// First address that the peer may write to.
    pub base: u64,
    /// Length of the region in bytes.
    pub length: u32,
    /// With this key.
    pub key: u32,
}

impl Control {
    /// Bits of the word.
    pub const BITS: u32 = 153;

    /// The port's words.
    pub fn words(&self) -> [u64; 3] {
        Packed::default()
            .flag(self.open)
            .put(self.psn, 24)
            .put(self.base, 64)
            .put(self.length, 32)
            .put(self.key, 32)
            .words()
    }

    /// From the port's words.
    pub fn of(words: &[u64; 3]) -> Self {
        let mut fields = Unpacked::new(words);
        Self {
            open: fields.flag(),
            psn: fields.take(24) as u32,
            base: fields.take(64) as u64,
            length: fields.take(32) as u32,
            key: fields.take(32) as u32,
        }
    }
}

/// How the packets of a connection are treated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bar {
    /// They are to come again later.
    pub held: bool,
    /// They are denied.
    pub failed: bool,
}

impl Bar {
    /// The port's word.
    pub fn word(&self) -> u8 {
        u8::from(self.held) | u8::from(self.failed) << 1
    }
}

/// The counters, modulo 2^32. The `stat_*` ports have the low 16 bits, for bytes 24.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Events of connections that were not open.
    pub not_open_events: u32,
    /// Packets received before.
    pub duplicates: u32,
    /// Packets beyond the window.
    pub outside: u32,
    /// Packets that were denied.
    pub access_errors: u32,
    /// Packets placed.
    pub placed: u32,
    /// ACKs.
    pub acks: u32,
    /// NACKs.
    pub nacks: u32,
    /// Completions.
    pub received: u32,
    /// Data packets that came with a CE mark.
    pub marks: u32,
    /// Bytes of payload placed.
    pub bytes: u32,
    /// Packets that were held back.
    pub held: u32,
}
