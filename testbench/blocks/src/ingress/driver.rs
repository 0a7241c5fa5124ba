//! Random lockstep runs of ingress.

use super::plant::PLANTS;
use super::ports::{DutOf, Inputs};
use super::stimulus::{Plan, Traffic};
use crate::user::Marked;
use serde::Serialize;
use weft_bench::lockstep::For;
use weft_bench::{Driver, Error, Plant, Subject};
use weft_hdl::Module;
use weft_nic::block::ingress::{Clocked, Outputs};
use weft_nic::words::Beat;
use weft_params::{IngressCsr, SackParams};

/// Maximum number of frames of a run in which the oracle judges all frames.
const FRAMES_MAX: u64 = 100_000;

impl<const PSNS: u32> Driver<DutOf<1, PSNS>> for Traffic {
    fn next(&mut self, outputs: &Outputs) -> Option<Inputs> {
        Some(self.drive(outputs))
    }

    fn csr(&self) -> &IngressCsr {
        Self::csr(self)
    }

    fn complaint(&self) -> Option<String> {
        Self::complaint(self)
    }
}

/// Counts of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Frames that entered.
    pub frames: u64,
    /// Words of the frames that entered.
    pub words: u64,
    /// Packets handed to the receiver.
    pub arrivals: u64,
    /// ACKs and NACKs handed to the sender.
    pub acknowledgements: u64,
    /// Frames of other software that left.
    pub bypassed: u64,
}

/// Marks words from the MAC with other user bits each.
impl<const USER: u32, const PSNS: u32> Driver<DutOf<USER, PSNS>> for Marked<For<Traffic>, USER> {
    fn next(&mut self, outputs: &Outputs) -> Option<Inputs> {
        // The oracle handles only frames.
        let (mut seen, passed) = (*outputs, outputs.bypass.word);
        seen.bypass.word = Beat { user: 0, ..passed };
        let mut inputs = Driver::<DutOf<1, PSNS>>::next(&mut self.inner, &seen)?;
        let (net, ready) = (inputs.ports.net, inputs.ports.bypass_ready);
        inputs.ports.net = net.map(|beat| self.mark(beat, true));
        self.see(outputs.bypass.valid && ready, &passed);
        Some(inputs)
    }

    fn csr(&self) -> &IngressCsr {
        Driver::<DutOf<1, PSNS>>::csr(&self.inner)
    }

    fn complaint(&self) -> Option<String> {
        Driver::<DutOf<1, PSNS>>::complaint(&self.inner).or_else(|| self.complaint())
    }
}

impl<const USER: u32, const PSNS: u32> Subject for DutOf<USER, PSNS> {
    type Params = SackParams;
    type Driver = Marked<For<Traffic>, USER>;
    type Tally = Tally;
    const PLANTS: &'static [Plant] = PLANTS;

    fn emit(params: &SackParams) -> Result<Vec<Module>, Error> {
        params.check()?;
        Ok(weft_hdl::block::bypass_user::ingress(params, PSNS, USER)?)
    }

    fn model(params: &SackParams) -> Clocked {
        Clocked::with_psns(*params, PSNS, IngressCsr::default())
    }

    /// Odd seeds have resets and changing peers, and are judged by the model alone.
    fn driver(params: &SackParams, seed: u64, cycles: u64) -> Self::Driver {
        let unrest = !seed.is_multiple_of(2);
        let frames = if unrest { u64::MAX } else { (cycles / 20).min(FRAMES_MAX) };
        let plan = Plan { mix: None, frames, pauses: true, pressure: true, unrest };
        Marked::new(For { cycles, driver: Traffic::new(seed, params.connections, plan).with_psns(PSNS) })
    }

    fn tally(driver: &Self::Driver) -> Tally {
        let Traffic { sent, words_sent, arrivals, acknowledgements, bypassed, .. } = &driver.inner.driver;
        Tally {
            frames: sent.len() as u64,
            words: *words_sent,
            arrivals: arrivals.len() as u64,
            acknowledgements: acknowledgements.len() as u64,
            bypassed: bypassed.len() as u64,
        }
    }
}
