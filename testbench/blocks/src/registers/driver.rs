//! Random lockstep runs of the registers.

use super::plant::PLANTS;
use super::ports::{Dut, In, Model, Out};
use super::stimulus::{Master, Tally};
use weft_bench::lockstep::For;
use weft_bench::{Driver, Error, Plant, Subject};
use weft_hdl::Module;
use weft_params::SackParams;

impl Driver<Dut> for Master {
    fn next(&mut self, out: &Out) -> Option<In> {
        Some(self.drive(&out.ports))
    }

    fn csr(&self) -> &() {
        &()
    }

    fn complaint(&self) -> Option<String> {
        Self::complaint(self).map(str::to_owned)
    }
}

impl Subject for Dut {
    type Params = SackParams;
    type Driver = For<Master>;
    type Tally = Tally;
    const PLANTS: &'static [Plant] = PLANTS;

    fn emit(params: &SackParams) -> Result<Vec<Module>, Error> {
        params.check()?;
        Ok(weft_hdl::block::registers::emit(params)?)
    }

    fn model(params: &SackParams) -> Model {
        Model::new(*params)
    }

    fn driver(params: &SackParams, seed: u64, cycles: u64) -> Self::Driver {
        For { cycles, driver: Master::new(seed, params.connections) }
    }

    fn tally(driver: &Self::Driver) -> Tally {
        driver.driver.tally
    }
}
