//! Relation of a NIC's clocks to the engine's time.
//!
//! The engine delivers a packet with its last bit, and needs a sent packet with its first bit. A clocked NIC
//! therefore runs behind the engine by a lag: the wire time of the longest packet. Packets that have arrived
//! by then are fed so that their last word is in time. A packet that leaves is complete with its last word.
//! The NIC passes it to the engine one lag after its first word, which is two lags late in total. The link
//! from the host is shorter by these two lags.

use super::error::PlaceError;
use crate::network::pace::Rate;
use weft_fabric::host::registers::Registers;
use weft_fabric::plan::Plan;

/// Bytes of a word of the NIC's streams.
const WORD: u64 = 64;
/// Bytes of headers of a data packet that is not its message's last one, without FCS.
const HEADERS: i64 = 82;
/// Clocks added to the longest packet, for the edges of words.
const MARGIN: u64 = 6;

/// Timing of all NICs of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timing {
    pub(super) clock_ps: u64,
    /// Rate of the host's wire, in bytes a clock.
    pub(super) rate: Rate,
    /// Bytes that a frame occupies on the wire beyond its own, as the engine's packets do.
    pub(super) overhead: i64,
    pub(super) gap: u64,
    pub(super) tick_shift: u8,
    pub(super) dma_clocks: u64,
    mtu: u32,
    gbps: u32,
    /// Clocks by which the NIC lags behind the engine.
    pub(super) lag: u64,
    /// Delays of a host's links, in both directions, that the NIC itself causes and the engine leaves out.
    pub(super) holds_ps: [u64; 2],
}

impl Timing {
    pub(super) fn of(plan: &Plan, tick_ps: u64) -> Result<Self, PlaceError> {
        let (hosts, network) = (&plan.setup().hosts, plan.network());
        let wrong = |key: &'static str, what: String| Err(PlaceError::Setting { key, what });
        let clock_ps = (hosts.clock_ns * 1e3).round() as u64;
        if clock_ps == 0 {
            return wrong(
                "hosts.clock_ns",
                "0 is not possible: the Verilog needs a clock; use 4, for example".into(),
            );
        }
        let gbps = u64::from(network.tiers[0].gbps);
        if gbps * clock_ps > 8_000 * WORD {
            let fits = (0..9).map(|halves| 4.0 / f64::from(1 << halves)).find(|ns| gbps as f64 * ns <= 512.0);
            let fits = fits.map_or(String::new(), |ns| format!(" hosts.clock_ns={ns}, or"));
            let most = 512.0 / hosts.clock_ns;
            return wrong(
                "links.host_gbps",
                format!(
                    "{gbps} is more than 64 bytes in {} ns, {most:.0}; use{fits} links.host_gbps={most:.0}",
                    hosts.clock_ns
                ),
            );
        }
        let divisor = gcd(gbps * clock_ps, 8_000);
        let rate = Rate { bytes: (gbps * clock_ps / divisor) as u32, clocks: (8_000 / divisor) as u32 };
        let Some(tick_shift) = (0..16u8).find(|shift| clock_ps << shift == tick_ps) else {
            return wrong(
                "hosts.clock_ns",
                format!("a tick of {tick_ps} ps is not a clock times a power of two"),
            );
        };
        let wire = network.wire;
        let whole = u64::from(hosts.mtu) + u64::from(wire.header_bytes) + u64::from(wire.gap_bytes);
        let lag = rate.clocks_of(whole.max(u64::from(hosts.mtu) + WORD) as usize) + MARGIN;
        let (lag_ps, way_ps) = (lag * clock_ps, network.tiers[0].delay_ps + network.switch_ps);
        if way_ps <= 2 * lag_ps || network.tiers[0].delay_ps == 0 {
            let least = (2 * lag_ps).saturating_sub(network.switch_ps) / 1_000 + 1;
            return wrong(
                "links.host_latency_ns",
                format!(
                    "with the switch behind it the wire must be longer than two full packets; use {least} or more"
                ),
            );
        }
        // A flow that follows one of a lagging NIC must begin later than the lag.
        if hosts.work_ps() < lag_ps {
            let what =
                format!("a work request must take {} ns or more; use a longer latency", lag_ps / 1_000);
            return wrong("hosts.dma_latency_ns", what);
        }
        Ok(Self {
            clock_ps,
            rate,
            overhead: i64::from(wire.header_bytes) + i64::from(wire.gap_bytes) - HEADERS,
            gap: wire.gap_bytes.into(),
            tick_shift,
            dma_clocks: 1_000 * hosts.dma_latency_ns / clock_ps,
            mtu: hosts.mtu,
            gbps: gbps as u32,
            lag,
            holds_ps: [network.nic_out_ps + 2 * lag_ps, network.nic_in_ps],
        })
    }

    /// Registers for NICs in which packets wait for their bytes: a driver adds that wait.
    pub(super) fn with_wait(&self, mut registers: Registers) -> Registers {
        let dma_ns = self.dma_clocks * self.clock_ps / 1_000;
        for class in &mut registers.csr.sender.sack.classes {
            *class = class.with_wait(self.mtu, self.gbps, dma_ns as u32, registers.tick_ps as u32);
        }
        registers
    }

    /// Time of a packet on the wire.
    pub(super) fn wire_ps(&self, bytes: u16) -> u64 {
        self.bytes_ps(u64::from(bytes) + self.gap)
    }

    fn bytes_ps(&self, bytes: u64) -> u64 {
        bytes * u64::from(self.rate.clocks) * self.clock_ps / u64::from(self.rate.bytes)
    }

    /// Time of a packet's words in a stream of the NIC.
    pub(super) fn words_ps(&self, bytes: u16) -> u64 {
        u64::from(bytes).div_ceil(WORD) * self.clock_ps
    }

    /// Engine time of a clock.
    pub(super) fn engine_ps(&self, clock: u64) -> u64 {
        (clock + self.lag) * self.clock_ps
    }

    /// Clock in which the first word of a packet is complete, if the last bit and the gap have arrived by
    /// `at_ps`. The clock is not before the engine's.
    pub(super) fn first_word(&self, at_ps: u64, bytes: u16) -> u64 {
        let spent_ps = self.bytes_ps((u64::from(bytes) + self.gap).saturating_sub(WORD));
        at_ps.saturating_sub(spent_ps).div_ceil(self.clock_ps)
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
