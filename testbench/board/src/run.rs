//! A run, and the results of the models for it.

use crate::error::Error;
use crate::event::{reps_events, smartt_events};
use crc32fast::Hasher;
use weft_nic::block::{reps::Reps, smartt::Smartt};
use weft_params::{EvMode, Network, RepsCsr, RepsParams, Signals, SmarttCsr, SmarttParams};

/// The registers of the board that determine a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Register SEED.
    pub seed: u32,
    /// Register EVENTS: number of events of each block.
    pub events: u32,
    /// Register CONFIG.
    pub config: u32,
}

/// CRC-32 (of zlib) over all answers of each block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signatures {
    /// CRC over tid, tdata (16 bits, low byte first) and tuser of each decision.
    pub reps: u32,
    /// CRC over tid, tdata (32 bits, low byte first) and tuser of each window.
    pub smartt: u32,
}

impl Default for Run {
    /// The run that a board starts by itself after configuration.
    fn default() -> Self {
        Self { seed: 1, events: 1 << 20, config: 0 }
    }
}

impl Run {
    /// Number of bits of [`Run::config`].
    pub const CONFIG_BITS: u32 = 7;

    /// Refuses a value that CONFIG does not have.
    pub fn check(&self) -> Result<(), Error> {
        self.signals().map(drop)
    }

    /// The registers of REPS. Freezes and explorations are short, hence a run has many.
    pub fn reps_csr(&self) -> RepsCsr {
        let modes = [EvMode::Reps, EvMode::Ops, EvMode::Fixed, EvMode::Reps2024];
        RepsCsr {
            mode: modes[(self.config & 3) as usize],
            trimming: self.has(2),
            thaw_reset: self.has(3),
            freeze_timeout_ticks: 16_384,
            bdp_packets: 6,
            ..RepsCsr::default()
        }
    }

    /// The registers of SMaRTT: those of the default network, but with a reaction at every second ACK.
    pub fn smartt_csr(&self) -> Result<SmarttCsr, Error> {
        let network = Network { granularity: 2, ..Network::default() };
        let csr = network.csr().expect("the default network is possible");
        Ok(SmarttCsr { signals: self.signals()?, late_losses: self.has(6), ..csr })
    }

    fn signals(&self) -> Result<Signals, Error> {
        let all = [Signals::Both, Signals::Ecn, Signals::Delay];
        let code = (self.config >> 4 & 3) as usize;
        let fits = self.config >> Self::CONFIG_BITS == 0;
        all.get(code).copied().filter(|_| fits).ok_or(Error::Config(self.config))
    }

    fn has(&self, bit: u32) -> bool {
        self.config >> bit & 1 == 1
    }

    /// The signatures of the models over all events of the run.
    pub fn signatures(&self) -> Result<Signatures, Error> {
        let events = self.events as usize;
        let mut reps = Reps::new(RepsParams::default(), self.reps_csr());
        let mut smartt = Smartt::new(SmarttParams::default(), self.smartt_csr()?);
        let mut sums = [Hasher::new(), Hasher::new()];
        for event in reps_events(self.seed).take(events) {
            let outcome = reps.step(&event);
            let [low, high] = outcome.ev.to_le_bytes();
            sums[0].update(&[outcome.connection as u8, low, high, outcome.user()]);
        }
        for event in smartt_events(self.seed).take(events) {
            let outcome = smartt.step(&event);
            let [a, b, c, d] = outcome.cwnd_bytes.to_le_bytes();
            sums[1].update(&[outcome.connection as u8, a, b, c, d, outcome.user()]);
        }
        let [reps, smartt] = sums.map(Hasher::finalize);
        Ok(Signatures { reps, smartt })
    }
}
