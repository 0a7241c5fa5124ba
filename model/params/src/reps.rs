//! Parameters of the REPS entropy buffer (page `docs/blocks/reps.md`).

use crate::CONNECTIONS;
use crate::error::{ParamError, require};
use serde::{Deserialize, Serialize};

/// Values that are fixed when the Verilog of `weft_reps` is emitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RepsParams {
    /// Connections with state in block RAM: 4, 16, 64, 256, 1,024 or 4,096.
    pub connections: u32,
    /// Entropy values in the buffer of one connection: 4, 8 or 16 (REPS Theorem 5.1: 8).
    pub depth: u32,
    /// Bits of an entropy value on the wire: 8, 12 or 16. A UDP source port has 16.
    pub ev_width: u32,
}

impl Default for RepsParams {
    /// 256 connections, 8 entropy values each, 16 bits an entropy value (REPS Table 1).
    fn default() -> Self {
        Self { connections: 256, depth: 8, ev_width: 16 }
    }
}

impl RepsParams {
    /// Bits of the explore counter (REPS Table 1).
    pub const EXPLORE_WIDTH: u32 = 8;
    /// Bits of a time in ticks (REPS Table 1).
    pub const TIME_WIDTH: u32 = 32;

    /// Refuses a shape for which the emitter has no instance.
    pub fn check(&self) -> Result<(), ParamError> {
        let one_of = |value: u32, list: &[u32]| list.contains(&value);
        require(
            one_of(self.connections, &CONNECTIONS),
            "connections",
            self.connections.into(),
            "use 4, 16, 64, 256, 1024, 4096 or 16384",
        )?;
        require(one_of(self.depth, &[4, 8, 16]), "depth", self.depth.into(), "use 4, 8 or 16")?;
        require(one_of(self.ev_width, &[8, 12, 16]), "ev-width", self.ev_width.into(), "use 8, 12 or 16")
    }

    /// Bits of a connection number.
    pub fn connection_width(&self) -> u32 {
        self.connections.trailing_zeros()
    }

    /// Bits of a slot number.
    pub fn slot_width(&self) -> u32 {
        self.depth.trailing_zeros()
    }

    /// The largest entropy value on the wire.
    pub fn ev_max(&self) -> u32 {
        (1 << self.ev_width) - 1
    }

    /// Bits of state of one connection in the control RAM: open, frozen and high-RTT flags, head, tail,
    /// whether any slot is valid, written count, explore counter, time.
    pub fn control_bits(&self) -> u32 {
        4 + 2 * self.slot_width() + (self.slot_width() + 1) + Self::EXPLORE_WIDTH + Self::TIME_WIDTH
    }

    /// Bits of state that one connection owns in both RAMs (REPS Table 1 has 193).
    pub fn state_bits(&self) -> u32 {
        self.control_bits() + self.depth * self.ev_width
    }
}

/// The choice of a packet's entropy value (`cfg_mode`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EvMode {
    /// REPS with freezing (REPS Algorithms 1 and 2).
    #[default]
    Reps = 0,
    /// Oblivious packet spraying: every packet explores.
    Ops = 1,
    /// One entropy value per connection, given when the connection is opened (ECMP).
    Fixed = 2,
    /// The REPS of 2024: one cached entropy value per connection (SMaRTT-REPS Algorithm 4).
    Reps2024 = 3,
}

/// Values that software sets while the block runs: the `cfg_*` ports of `weft_reps`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepsCsr {
    /// The choice of entropy values.
    pub mode: EvMode,
    /// Wire value of entropy index 0. The block adds the base to every index that it draws.
    pub ev_base: u32,
    /// Number of entropy values to explore (EVS_SIZE), 1 to 65,536.
    pub evs_size: u32,
    /// Ticks that a connection stays frozen (FREEZING_TIMEOUT).
    pub freeze_timeout_ticks: u32,
    /// Packets of one BDP (NUM_PKTS_BDP). The 8-bit explore counter limits it to 255.
    pub bdp_packets: u32,
    /// Whether the fabric trims: then every timeout is a failure (REPS Appendix A, strategy 1). Otherwise
    /// strategy 2 applies.
    pub trimming: bool,
    /// Whether the end of a freeze empties the buffer (as in the authors' simulator) in place of keeping it.
    pub thaw_reset: bool,
    /// Strategy 2: number of ticks from which a round-trip time is high.
    pub rtt_high_ticks: u32,
    /// Strategy 2: number of ticks within which a high round-trip time makes a timeout congestion.
    pub rtt_window_ticks: u32,
}

impl Default for RepsCsr {
    /// Ticks of 32 ns: a freeze of 10 ms, RTTs above 1.65 x 12 us high for two RTOs of 70 us.
    fn default() -> Self {
        Self {
            mode: EvMode::Reps,
            ev_base: 0xC000,
            evs_size: 4096,
            freeze_timeout_ticks: 312_500,
            bdp_packets: 38,
            trimming: true,
            thaw_reset: false,
            rtt_high_ticks: 619,
            rtt_window_ticks: 4_375,
        }
    }
}

impl RepsCsr {
    /// The defaults for a shape. If an entropy value is too narrow for the ports 0xC000 and up, indices start
    /// at 0 and fill the width.
    pub fn for_params(params: &RepsParams) -> Self {
        if params.ev_width == 16 {
            Self::default()
        } else {
            Self { ev_base: 0, evs_size: 1 << params.ev_width, ..Self::default() }
        }
    }

    /// Refuses values that the ports of a block with `params` cannot represent, and values that are
    /// forbidden.
    pub fn check(&self, params: &RepsParams) -> Result<(), ParamError> {
        require((1..=65_536).contains(&self.evs_size), "evs-size", self.evs_size.into(), "use 1 to 65536")?;
        require(
            self.ev_base <= params.ev_max() && self.ev_base + self.evs_size - 1 <= params.ev_max(),
            "ev-base",
            self.ev_base.into(),
            "ev-base + evs-size - 1 must fit in an entropy value",
        )?;
        require(self.bdp_packets <= 0xFFFF, "bdp-packets", self.bdp_packets.into(), "use 0 to 65535")?;
        require(
            self.rtt_high_ticks <= 0xFFFF,
            "rtt-high",
            self.rtt_high_ticks.into(),
            "use 0 to 65535 ticks",
        )?;
        let half = "use less than 2^31 ticks: time compares are serial";
        require(
            self.freeze_timeout_ticks < 1 << 31,
            "freeze-timeout",
            self.freeze_timeout_ticks.into(),
            half,
        )?;
        require(self.rtt_window_ticks < 1 << 31, "rtt-window", self.rtt_window_ticks.into(), half)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paper_bounds_the_state() {
        // REPS Table 1: 8 x (16 + 1) + 8 + 8 + 32 + 1 + 8.
        assert!(RepsParams::default().state_bits() <= 193);
    }

    #[test]
    fn impossible_shapes_and_registers_are_refused() {
        let params = RepsParams::default();
        assert!(params.check().is_ok());
        for bad in [
            RepsParams { connections: 0, ..params },
            RepsParams { connections: 300, ..params },
            RepsParams { depth: 5, ..params },
            RepsParams { ev_width: 17, ..params },
        ] {
            assert!(bad.check().is_err(), "{bad:?}");
        }
        let csr = RepsCsr::default();
        assert!(csr.check(&params).is_ok());
        for bad in [
            RepsCsr { evs_size: 0, ..csr },
            RepsCsr { evs_size: 65_537, ev_base: 0, ..csr },
            RepsCsr { ev_base: 0xF001, ..csr },
            RepsCsr { ev_base: u32::MAX, ..csr },
            RepsCsr { freeze_timeout_ticks: 1 << 31, ..csr },
        ] {
            assert!(bad.check(&params).is_err(), "{bad:?}");
        }
        for params in [RepsParams { ev_width: 8, ..params }, RepsParams { ev_width: 12, ..params }] {
            assert!(RepsCsr::for_params(&params).check(&params).is_ok());
        }
    }
}
