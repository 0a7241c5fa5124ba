//! A block behind a handle of the C interface or of Python.

use crate::image::{Image, RegisterError};
use weft_nic::block::{reps, sack_rx, sack_tx, smartt};
use weft_params::registers::NicCsr;
use weft_params::{
    ParamError, RepsCsr, RepsParams, SackParams, SackRxCsr, SackTxCsr, SmarttCsr, SmarttParams,
};

/// The model of a block, in one of its views.
pub trait Model: Sized {
    /// The shape.
    type Params: Copy;
    /// The part of the registers that the block reads.
    type Csr: Copy;
    /// Prefixes of the names of the block's registers.
    const BLOCKS: &[&str];
    /// The block after reset.
    fn new(params: Self::Params, csr: Self::Csr) -> Self;
    /// Sets the registers. The new values apply from the next event on.
    fn set_csr(&mut self, csr: Self::Csr);
    /// Selects the block's part of all registers.
    fn part(all: &NicCsr) -> Self::Csr;
    /// Refuses values that are not possible for the block.
    fn check(csr: &Self::Csr, params: &Self::Params) -> Result<(), ParamError>;
}

/// Implements [`Model`] for both views of a block.
macro_rules! models {
    ($($view:ty),+; $params:ty, $csr:ty, $blocks:expr, $part:expr, $check:expr) => {$(
        impl Model for $view {
            type Params = $params;
            type Csr = $csr;
            const BLOCKS: &[&str] = $blocks;

            fn new(params: $params, csr: $csr) -> Self {
                <$view>::new(params, csr)
            }

            fn set_csr(&mut self, csr: $csr) {
                <$view>::set_csr(self, csr);
            }

            fn part(all: &NicCsr) -> $csr {
                let part: fn(&NicCsr) -> $csr = $part;
                part(all)
            }

            fn check(csr: &$csr, params: &$params) -> Result<(), ParamError> {
                let check: fn(&$csr, &$params) -> Result<(), ParamError> = $check;
                check(csr, params)
            }
        }
    )+};
}
models!(reps::Reps, reps::Clocked; RepsParams, RepsCsr, &["reps"], |all| all.sender.reps, RepsCsr::check);
models!(smartt::Smartt, smartt::Clocked; SmarttParams, SmarttCsr, &["smartt"], |all| all.sender.smartt, |csr, _| csr.check());
models!(sack_rx::SackRx, sack_rx::Clocked; SackParams, SackRxCsr, &["sack_rx"], |all| all.receiver.sack, |csr, _| csr.check());
models!(sack_tx::SackTx, sack_tx::Clocked; SackParams, SackTxCsr, &["sack_tx", "sender_mtu"], |all| all.sender.sack, |csr, _| csr.check());

/// A model and its registers.
#[derive(Debug)]
pub struct Handle<M: Model> {
    /// The model.
    pub model: M,
    /// Shape of the model.
    pub params: M::Params,
    image: Image,
}

impl<M: Model> Handle<M> {
    /// The handle after reset. `params` must have passed their check.
    pub fn new(params: M::Params) -> Result<Self, ParamError> {
        let image = Image::new();
        let csr = M::part(&image.csr());
        M::check(&csr, &params)?;
        Ok(Self { model: M::new(params, csr), params, image })
    }

    /// Writes a register of the block.
    pub fn write(&mut self, offset: u32, value: u32) -> Result<(), RegisterError> {
        let params = &self.params;
        let check = |all: &NicCsr| M::check(&M::part(all), params);
        let all = self.image.write(M::BLOCKS, offset, value, check)?;
        self.model.set_csr(M::part(&all));
        Ok(())
    }

    /// Reads a register of the block.
    pub fn read(&self, offset: u32) -> Result<u32, RegisterError> {
        self.image.read_of(M::BLOCKS, offset)
    }
}
