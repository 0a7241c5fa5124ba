//! A model behind a handle, with the registers that are its own: one code for all blocks and both views.

use crate::error::Fault;
use crate::image::Image;
use weft_params::ParamError;
use weft_params::registers::NicCsr;

/// A block's model, in one of its views.
pub(crate) trait Model: Sized {
    /// The shape.
    type Params: Copy;
    /// The part of the registers that the block reads.
    type Csr: Copy;
    /// The beginnings of the names of the block's registers.
    const BLOCKS: &[&str];
    /// The block after reset.
    fn new(params: Self::Params, csr: Self::Csr) -> Self;
    /// Sets the registers from now on.
    fn set_csr(&mut self, csr: Self::Csr);
    /// The block's part of all registers.
    fn part(all: &NicCsr) -> Self::Csr;
    /// Refuses values that the block cannot have.
    fn check(csr: &Self::Csr, params: &Self::Params) -> Result<(), ParamError>;
}

/// Both views of a block are models alike.
macro_rules! models {
    ($($view:ty),+; $params:ty, $csr:ty, $blocks:expr, $part:expr, $check:expr) => {$(
        impl $crate::handle::Model for $view {
            type Params = $params;
            type Csr = $csr;
            const BLOCKS: &[&str] = $blocks;

            fn new(params: $params, csr: $csr) -> Self {
                <$view>::new(params, csr)
            }

            fn set_csr(&mut self, csr: $csr) {
                <$view>::set_csr(self, csr);
            }

            fn part(all: &::weft_params::registers::NicCsr) -> $csr {
                let part: fn(&::weft_params::registers::NicCsr) -> $csr = $part;
                part(all)
            }

            fn check(csr: &$csr, params: &$params) -> Result<(), ::weft_params::ParamError> {
                let check: fn(&$csr, &$params) -> Result<(), ::weft_params::ParamError> = $check;
                check(csr, params)
            }
        }
    )+};
}
pub(crate) use models;

/// A model and its registers.
pub(crate) struct Handle<M: Model> {
    pub(crate) model: M,
    pub(crate) params: M::Params,
    image: Image,
}

impl<M: Model> Handle<M> {
    /// After reset; `params` must have passed their check.
    pub(crate) fn new(params: M::Params) -> Result<Self, Fault> {
        let image = Image::new();
        let csr = M::part(&image.csr());
        M::check(&csr, &params)?;
        Ok(Self { model: M::new(params, csr), params, image })
    }

    /// Writes a register.
    pub(crate) fn write(&mut self, offset: u32, value: u32) -> Result<i32, Fault> {
        let params = &self.params;
        let check = |all: &NicCsr| Ok(M::check(&M::part(all), params)?);
        let all = self.image.write(M::BLOCKS, offset, value, check)?;
        self.model.set_csr(M::part(&all));
        Ok(crate::WEFT_OK)
    }

    /// Reads a register.
    pub(crate) fn read(&self, offset: u32) -> Result<u32, Fault> {
        self.image.read_of(M::BLOCKS, offset)
    }
}
