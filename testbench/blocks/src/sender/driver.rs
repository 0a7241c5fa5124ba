//! Random lockstep runs of the sender.

use super::plant::PLANTS;
use super::ports::{Windowed, default_csr};
use super::stimulus::{Settings, Traffic};
use super::tally::Tally;
use weft_bench::lockstep::For;
use weft_bench::{Driver, Error, Plant, Subject};
use weft_hdl::Module;
use weft_nic::block::sender::{Clocked, Inputs, Outputs};
use weft_params::{SenderCsr, SenderParams};
use weft_random::Rng;

impl<const PSNS: u32> Driver<Windowed<PSNS>> for Traffic {
    fn next(&mut self, outputs: &Outputs) -> Option<Inputs> {
        Some(self.drive(outputs))
    }

    fn csr(&self) -> &SenderCsr {
        Self::csr(self)
    }
}

/// The parameters with a window of `PSNS`.
fn windowed<const PSNS: u32>(params: &SenderParams) -> SenderParams {
    SenderParams { psns: PSNS, ..*params }
}

impl<const PSNS: u32> Subject for Windowed<PSNS> {
    type Params = SenderParams;
    type Driver = For<Traffic>;
    type Tally = Tally;
    const PLANTS: &'static [Plant] = PLANTS;

    fn emit(params: &SenderParams) -> Result<Vec<Module>, Error> {
        params.check()?;
        Ok(weft_hdl::block::sender::emit(&windowed::<PSNS>(params))?)
    }

    fn model(params: &SenderParams) -> Clocked {
        Clocked::of_shape(windowed::<PSNS>(params), default_csr())
    }

    fn driver(params: &SenderParams, seed: u64, cycles: u64) -> Self::Driver {
        let settings = Settings::random(windowed::<PSNS>(params), &mut Rng::new(seed));
        For { cycles, driver: Traffic::new(settings, seed) }
    }

    fn tally(driver: &Self::Driver) -> Tally {
        driver.driver.oracle.tally
    }
}
