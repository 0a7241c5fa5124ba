//! The peers, and the counters.

use crate::words::{Packed, Unpacked};

/// The NIC at the other end of a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Peer {
    /// IPv6, else IPv4.
    pub v6: bool,
    /// IP address; IPv4 in the low 32 bits.
    pub address: u128,
    /// MAC address, 48 bits, the first byte on the wire highest.
    pub mac: u64,
    /// Frames have a VLAN tag.
    pub tagged: bool,
    /// Its TCI.
    pub tag: u16,
    /// Queue pair, 24 bits.
    pub qp: u32,
    /// P_Key of the connection's packets.
    pub pkey: u16,
}

impl Peer {
    /// Bits of the word.
    pub const BITS: u32 = 234;

    /// The port's words.
    pub fn words(&self) -> [u64; 4] {
        Packed::default()
            .flag(self.v6)
            .put(self.address, 128)
            .put(self.mac, 48)
            .flag(self.tagged)
            .put(self.tag, 16)
            .put(self.qp, 24)
            .put(self.pkey, 16)
            .words()
    }

    /// From the port's words.
    pub fn of(words: &[u64; 4]) -> Self {
        let mut fields = Unpacked::new(words);
        Self {
            v6: fields.flag(),
            address: fields.take(128),
            mac: fields.take(48) as u64,
            tagged: fields.flag(),
            tag: fields.take(16) as u16,
            qp: fields.take(24) as u32,
            pkey: fields.take(16) as u16,
        }
    }
}

/// The counters, modulo 2^32. The `stat_*` ports have the low 16 bits, for bytes 24.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// `stat_data_frames`
    pub data_frames: u32,
    /// `stat_ack_frames`
    pub ack_frames: u32,
    /// `stat_nack_frames`
    pub nack_frames: u32,
    /// `stat_bypass_frames`
    pub bypass_frames: u32,
    /// `stat_read_errors`: orders that were not sent because of their read data.
    pub read_errors: u32,
    /// `stat_bypass_overflows`: frames of others that were too long.
    pub bypass_overflows: u32,
    /// `stat_data_bytes`: bytes of payload sent.
    pub data_bytes: u32,
}
