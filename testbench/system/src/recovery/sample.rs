//! A sample of every part of the table on RTL: `weft_sender` at every host, compared with its model.

use super::lockstep::{Lockstep, library};
use super::setting::{Setting, TICK, Work};
use super::sim::Sim;
use super::table::Part;
use weft_bench::{Mismatch, Plant};

/// Result of a sample.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Messages that ended, and all messages.
    pub ended: (u32, u32),
    /// Packets that left.
    pub packets: u64,
    /// Packets that had left before.
    pub again: u64,
    /// First difference of RTL and model. The run ends at that difference.
    pub mismatch: Option<Mismatch>,
}

fn setting_of(part: Part) -> (Setting, Work) {
    let base = Setting::G100;
    match part {
        Part::Holes => (Setting { hole: Some((6, 2)), ..base }, Work::One { packets: 64, messages: 1 }),
        Part::Goodput => (
            Setting { loss: 0.02, ack_loss: 0.02, trims: false, ..base },
            Work::One { packets: 64, messages: 8 },
        ),
        Part::Delays => (Setting { jitter_us: base.rtt_us, ..base }, Work::One { packets: 500, messages: 1 }),
        Part::Queues => (
            Setting { hosts: 5, queue_bdp: 0.3, trims: false, ..base },
            Work::Incast { packets: 32, messages: 4 },
        ),
        Part::Cases => (
            Setting { blackout: Some((20.0, 140.0)), ack_loss: 0.5, ..base },
            Work::One { packets: 128, messages: 1 },
        ),
        Part::DeadPath => (
            Setting { hosts: 4, dead: Some((1, 20.0, f64::MAX)), trims: false, ..base },
            Work::Ring { packets: 64, messages: 4 },
        ),
    }
}

/// Runs the sample of a part, with a bug in the Verilog or without.
///
/// # Errors
/// The Verilog cannot be emitted or built.
pub fn sample(part: Part, seed: u64, plant: Option<&'static Plant>) -> Result<Sample, weft_bench::Error> {
    let (setting, work) = setting_of(part);
    let mut csr = setting.csr(None)?;
    // RTL chooses packets before the link is free.
    let (mtu_bytes, gbps) = (setting.mtu_bytes as u32, setting.gbps as u32);
    csr.sack.classes = csr.sack.classes.map(|class| class.with_wait(mtu_bytes, gbps, 0, TICK as u32));
    let library = library(plant)?;
    let figures = Sim::new(setting, work, seed, false, |seed| {
        Ok::<_, weft_bench::Error>(Box::new(Lockstep::new(&library, csr, seed)?))
    })?
    .run(LIMIT_US);
    let senders = (0..setting.hosts).filter(|host| work.peer(*host, setting.hosts).is_some()).count() as u32;
    Ok(Sample {
        ended: (figures.ended, senders * work.messages().1),
        packets: figures.packets,
        again: figures.again,
        mismatch: figures.mismatch,
    })
}

/// Longest time of a sample.
const LIMIT_US: f64 = 5_000.0;
