//! Conversions between words and values.

use super::csr::NicCsr;
use super::description::*;
use super::lookup::{register, registers};

/// The writes that set all of the NIC's configuration, each word once.
pub fn writes(csr: &NicCsr) -> Vec<(u16, u32)> {
    let mut writes = Vec::new();
    for register in registers() {
        if let Some(place) = &register.csr {
            writes.extend(register.writes(place.get(csr)));
        }
    }
    writes
}

/// The configuration in the registers. `read` returns the word at an offset.
pub fn decode(mut read: impl FnMut(u16) -> u32) -> NicCsr {
    let mut csr = NicCsr::default();
    for register in registers() {
        if let Some(place) = &register.csr {
            place.set(&mut csr, register.value(&mut read));
        }
    }
    // The MTU in bytes is not a register: it follows from cfg_sender_mtu_shift.
    csr.sender.sack.mtu_bytes = 1 << csr.sender.mtu_shift;
    csr
}

/// The values that are staged before a connection is opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Staged {
    /// The peer's address: IPv6, or IPv4 in the low 32 bits.
    pub peer_address: u128,
    /// Whether the address is an IPv6 address.
    pub peer_v6: bool,
    /// MAC address of the next hop, the first byte on the wire highest.
    pub peer_mac: u64,
    /// TCI of the VLAN tag, if frames have one.
    pub peer_tag: Option<u16>,
    /// P_Key, if it differs from [`DEFAULT_PKEY`].
    pub peer_pkey: Option<u16>,
    /// The peer's queue pair, 24 bits.
    pub peer_qp: u32,
    /// The first PSN sent, 24 bits.
    pub send_psn: u32,
    /// The first PSN expected, 24 bits.
    pub receive_psn: u32,
    /// Start of the memory region for the peer's writes.
    pub region_base: u64,
    /// Number of bytes of the region.
    pub region_length: u32,
    /// Key of the region.
    pub region_key: u32,
    /// Class of the base RTT, 0 to 3.
    pub class: u8,
    /// Entropy value of mode FIXED.
    pub ev: u16,
    /// Seed of the generator of entropy values.
    pub seed: u32,
}

impl Staged {
    /// The writes that stage the values. A write of COMMAND follows.
    pub fn writes(&self) -> Vec<(u16, u32)> {
        let tag = self.peer_tag.map_or(0, |tag| u32::from(tag) | 1 << TAGGED_LSB);
        let path = u32::from(self.ev) | u32::from(self.class) << CLASS_LSB;
        let values: [(&str, u128); 12] = [
            ("peer_address", self.peer_address),
            ("peer_mac", self.peer_mac.into()),
            ("peer_pkey", self.peer_pkey.unwrap_or(DEFAULT_PKEY).into()),
            ("peer_qp", self.peer_qp.into()),
            ("peer_link", (tag | u32::from(self.peer_v6) << V6_LSB).into()),
            ("send_psn", self.send_psn.into()),
            ("receive_psn", self.receive_psn.into()),
            ("region_base", self.region_base.into()),
            ("region_length", self.region_length.into()),
            ("region_key", self.region_key.into()),
            ("send_path", path.into()),
            ("seed", self.seed.into()),
        ];
        values
            .into_iter()
            .filter_map(|(name, value)| register(name).map(|register| register.writes(value)))
            .flatten()
            .collect()
    }
}
