//! The channel that proves the transport (`docs/transport.md`): the sender and the receiver of many connections, as
//! RTL, as model or both in lockstep, on one clock; between them a network that loses, trims, duplicates, reorders,
//! delays and damages packets. Every message must be delivered exactly once, and on the way every outcome of both
//! blocks is held against what is so. Everything follows from the seed.

mod bench;
mod end;
mod fault;
mod figures;
mod host;
mod isolation;
mod ledger;
mod memory;
mod network;
mod nic;
mod plant;
mod ports;
mod stream;

pub use end::View;
pub use fault::{Breach, Fault};
pub use figures::Figures;
pub use host::Traffic;
pub use network::{DEAD_CLOCKS, LinkFigures, Network};
pub use plant::Plant;

use bench::{Bench, wave_of};
use serde::Serialize;
use std::path::{Path, PathBuf};
use weft_blocks::lockstep::Mismatch;
use weft_blocks::session::{Rtl, WAVE_CLOCKS};
use weft_blocks::{sack_rx, sack_tx};
use weft_params::{ParamError, SackParams, SackRxCsr, SackTxCsr};

/// Clocks of a tick of the sender's time.
pub const CLOCKS_PER_TICK: u64 = 8;

/// A run of the channel.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Transport {
    /// The shape of both blocks; all connections are used.
    pub params: SackParams,
    /// What stands at the sender.
    pub sender: View,
    /// What stands at the receiver.
    pub receiver: View,
    /// The sender's registers.
    pub tx: SackTxCsr,
    /// The receiver's registers.
    pub rx: SackRxCsr,
    /// What is to be delivered.
    pub traffic: Traffic,
    /// What the network does to it.
    pub network: Network,
    /// Of all that is random.
    pub seed: u64,
    /// A fault, to see a run fail.
    #[serde(skip)]
    pub plant: Option<Plant>,
}

impl Default for Transport {
    /// Packets of 256 bytes; 15 retries, of which three double the timeout; both ends in lockstep.
    fn default() -> Self {
        let params = SackParams::default();
        let tx = SackTxCsr { mtu_bytes: 256, backoff_limit: 3, retry_limit: 15, ..SackTxCsr::default() };
        Self {
            params,
            sender: View::Lockstep,
            receiver: View::Lockstep,
            tx,
            rx: SackRxCsr::default(),
            traffic: Traffic::of(params.connections, tx.mtu_bytes),
            network: Network::default(),
            seed: 1,
            plant: None,
        }
    }
}

/// How a run that found no fault ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// What happened.
    pub figures: Figures,
    /// It was stopped before its end.
    pub stopped: bool,
}

impl Transport {
    /// Runs it to its end. Now and then `go_on` is told how far it is; `false` stops the run.
    pub fn run(&self, go_on: impl FnMut(&Figures) -> bool) -> Result<Ending, TransportError> {
        self.check()?;
        Bench::new(self, None)?.run(go_on)
    }

    /// Runs its first `clocks` clocks again and records the last [`WAVE_CLOCKS`] of them, of every end that has RTL, in
    /// `path` with the name of the module before its extension. Gives back the files.
    pub fn record(&self, clocks: u64, path: &Path) -> Result<Vec<PathBuf>, TransportError> {
        self.check()?;
        let bench = Bench::new(self, Some((clocks.saturating_sub(WAVE_CLOCKS), path)))?;
        match bench.run(|figures| figures.clocks < clocks) {
            // It ends as it did before.
            Ok(_) | Err(TransportError::Mismatch { .. } | TransportError::Fault(_)) => {}
            Err(error) => return Err(error),
        }
        let ends = [(self.sender, sack_tx::views::Rtl::TOP), (self.receiver, sack_rx::views::Rtl::TOP)];
        let recorded = ends.into_iter().filter(|(view, _)| *view != View::Model);
        Ok(recorded.map(|(_, top)| wave_of(path, top)).collect())
    }

    fn check(&self) -> Result<(), TransportError> {
        self.params.check()?;
        self.tx.check()?;
        self.rx.check()?;
        self.network.check()?;
        let Traffic { messages, packets_per_message, cwnd_bytes } = self.traffic;
        let mtu = self.tx.mtu_bytes;
        let settings = [
            ("messages", messages, 1, u64::MAX, "at least one"),
            ("packets-per-message", packets_per_message.into(), 1, host::MOST_PACKETS.into(), "1 to 4096"),
            ("mtu", mtu.into(), 16, 9_000, "16 to 9000 bytes"),
            ("cwnd", cwnd_bytes.into(), mtu.into(), (1 << 26) - 1, "at least the MTU and less than 64 MiB"),
        ];
        let wrong = settings.into_iter().find(|(_, value, least, most, _)| !(least..=most).contains(&value));
        match wrong {
            Some((name, value, .., rule)) => Err(TransportError::Setting { name, value: value as f64, rule }),
            None => Ok(()),
        }
    }

    /// Timeouts in a row of a connection after which the network lets its packets through until it moves on: three
    /// quarters of those that end it.
    ///
    /// Nothing gets stuck as long as some packets pass, says the promise; this is what "some" means. A network that is
    /// worse for longer is what the retry limit is for.
    pub fn relents_after(&self) -> u32 {
        (self.tx.retry_limit + 1) * 3 / 4
    }

    /// Clocks that a connection may be silent after `timeouts` in a row, if nothing keeps its timer waiting.
    fn timeout_clocks(&self, timeouts: u32) -> u64 {
        (CLOCKS_PER_TICK * u64::from(self.tx.rto_ticks)) << timeouts.min(self.tx.backoff_limit)
    }

    /// Clocks that may keep it waiting, or keep a packet that may go at once: turns of all other connections, the round
    /// of the timers, back-pressure.
    fn slack_clocks(&self) -> u64 {
        64 * u64::from(self.params.connections) + 4_096
    }
}

/// Why a run has no good end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TransportError {
    /// A register or the shape.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// It cannot be like that.
    #[error("--{name} {value} is not possible; use {rule}")]
    Setting {
        /// The setting.
        name: &'static str,
        /// Its value.
        value: f64,
        /// What is possible.
        rule: &'static str,
    },
    /// The RTL could not be built or run.
    #[error(transparent)]
    Rtl(#[from] weft_bench::Error),
    /// The RTL and its model differ.
    #[error("{end}: {mismatch}")]
    Mismatch {
        /// Sender or receiver.
        end: &'static str,
        /// Where.
        mismatch: Mismatch,
    },
    /// An invariant does not hold.
    #[error(transparent)]
    Fault(#[from] Fault),
}
