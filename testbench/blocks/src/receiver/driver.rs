//! Random lockstep runs of the receiver.

use super::plant::PLANTS;
use super::ports::Windowed;
use super::stimulus::Traffic;
use super::tally::Tally;
use weft_bench::lockstep::For;
use weft_bench::{Driver, Error, Plant, Subject};
use weft_hdl::Module;
use weft_nic::block::receiver::{Clocked, Inputs, Outputs};
use weft_params::{ReceiverCsr, SackParams};

impl<const PSNS: u32> Driver<Windowed<PSNS>> for Traffic {
    fn next(&mut self, outputs: &Outputs) -> Option<Inputs> {
        Some(self.drive(outputs))
    }

    fn csr(&self) -> &ReceiverCsr {
        Self::csr(self)
    }

    fn complaint(&self) -> Option<String> {
        Self::complaint(self).map(str::to_owned)
    }
}

impl<const PSNS: u32> Subject for Windowed<PSNS> {
    type Params = SackParams;
    type Driver = For<Traffic>;
    type Tally = Tally;
    const PLANTS: &'static [Plant] = PLANTS;

    fn emit(params: &SackParams) -> Result<Vec<Module>, Error> {
        params.check()?;
        Ok(weft_hdl::block::receiver::emit_with(params, PSNS)?)
    }

    fn model(params: &SackParams) -> Clocked {
        Clocked::with_psns(*params, PSNS, ReceiverCsr::default())
    }

    /// Every fourth seed has senders that do not obey.
    fn driver(params: &SackParams, seed: u64, cycles: u64) -> Self::Driver {
        For { cycles, driver: Traffic::with_psns(params.connections, PSNS, seed, !seed.is_multiple_of(4)) }
    }

    fn tally(driver: &Self::Driver) -> Tally {
        driver.driver.tally()
    }
}
