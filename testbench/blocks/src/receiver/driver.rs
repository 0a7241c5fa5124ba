//! Random lockstep runs of the receiver.

use super::plant::PLANTS;
use super::ports::Dut;
use super::stimulus::Traffic;
use super::tally::Tally;
use weft_bench::lockstep::For;
use weft_bench::{Driver, Error, Plant, Subject};
use weft_hdl::Module;
use weft_nic::block::receiver::{Clocked, Inputs, Outputs};
use weft_params::{ReceiverCsr, SackParams};

impl Driver<Dut> for Traffic {
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

impl Subject for Dut {
    type Params = SackParams;
    type Driver = For<Traffic>;
    type Tally = Tally;
    const PLANTS: &'static [Plant] = PLANTS;

    fn emit(params: &SackParams) -> Result<Vec<Module>, Error> {
        params.check()?;
        Ok(weft_hdl::block::receiver::emit(params)?)
    }

    fn model(params: &SackParams) -> Clocked {
        Clocked::new(*params, ReceiverCsr::default())
    }

    /// Every fourth seed has senders that do not obey.
    fn driver(params: &SackParams, seed: u64, cycles: u64) -> Self::Driver {
        For { cycles, driver: Traffic::new(params.connections, seed, !seed.is_multiple_of(4)) }
    }

    fn tally(driver: &Self::Driver) -> Tally {
        driver.driver.tally()
    }
}
