//! The five-tuple hash of the switches' programs, in parts that are computed once.
//!
//! A program hashes a seed of its switch, both addresses and both ports by CRC-32 and mixes the bits
//! ([`weft_switch::kit`]). A CRC is linear: the CRC of a text is the XOR of the CRCs of its parts, each with
//! zeros in place of the other parts. So a packet carries the CRC of its flow's part, a switch stores the CRC
//! of its seed, and two tables store the CRCs of the entropy value.

use std::sync::LazyLock;
use weft_switch::kit::mixed;

/// UDP port of RoCEv2.
const ROCE_PORT: u64 = 4791;

/// Address of a host: IPv4 10.0.0.1 and up, in the form that programs use.
pub fn address(host: u32) -> [u64; 2] {
    [0, 0x0A00_0001 + u64::from(host)]
}

/// The CRC of a seed and the six fields.
fn crc(seed: u32, fields: [u64; 6]) -> u32 {
    let mut crc = crc32fast::Hasher::new();
    crc.update(&seed.to_be_bytes());
    fields.iter().for_each(|field| crc.update(&field.to_be_bytes()));
    crc.finalize()
}

fn zero() -> u32 {
    crc(0, [0; 6])
}

/// The CRC of a flow's part.
pub fn of_flow(source: u32, destination: u32) -> u32 {
    let ([a, b], [c, d]) = (address(source), address(destination));
    crc(0, [a, b, c, d, 0, ROCE_PORT])
}

/// The CRCs of the entropy values' part, by low byte and by high byte. All switches share one table, so that
/// it stays in the cache.
static EVS: LazyLock<[[u32; 256]; 2]> = LazyLock::new(|| {
    let part = |ev: u64| crc(0, [0, 0, 0, 0, ev, 0]) ^ zero();
    [0, 8].map(|shift| std::array::from_fn(|byte| part((byte as u64) << shift)))
});

/// The CRCs of a switch's seed and of entropy values.
#[derive(Clone, Debug)]
pub struct Salted {
    seed: u32,
    evs: &'static [[u32; 256]; 2],
}

impl Salted {
    /// The hash with the seed of one switch.
    pub fn new(seed: u32) -> Self {
        Self { seed: crc(seed, [0; 6]) ^ zero(), evs: &EVS }
    }

    /// The hash of 32 bits, from the CRC of a flow's part and an entropy value.
    #[inline]
    pub fn hash(&self, flow: u32, ev: u16) -> u32 {
        let [low, high] = self.evs;
        mixed(flow ^ self.seed ^ low[usize::from(ev & 0xFF)] ^ high[usize::from(ev >> 8)])
    }
}
