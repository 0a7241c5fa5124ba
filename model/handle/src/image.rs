//! The registers behind a handle, by the offsets of `weft_nic.h`.

use std::collections::BTreeMap;
use weft_params::registers::{NicCsr, at, decode, writes};
use weft_params::{ParamError, RepsParams};

/// The reason why a register cannot be read or written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegisterError {
    /// No register of this handle has the offset.
    #[error("offset {0:#x}: this handle has no such register; weft_nic.h lists the registers")]
    None(u32),
    /// The value has bits that the register has not.
    #[error("{name} {value:#x}: the register has only the bits {mask:#x}")]
    Bits {
        /// The register.
        name: String,
        /// The value.
        value: u32,
        /// The bits that exist.
        mask: u32,
    },
    /// The block cannot have the value.
    #[error(transparent)]
    Value(#[from] ParamError),
}

/// Words of the configuration.
#[derive(Clone, Debug)]
pub struct Image(BTreeMap<u16, u32>);

impl Default for Image {
    fn default() -> Self {
        Self::new()
    }
}

impl Image {
    /// The registers after reset.
    pub fn new() -> Self {
        Self(writes(&NicCsr::default()).into_iter().collect())
    }

    /// The meaning of the words.
    pub fn csr(&self) -> NicCsr {
        decode(|offset| self.0.get(&offset).copied().unwrap_or_default())
    }

    /// A word of the configuration; `None` for any other offset.
    pub fn read(&self, offset: u32) -> Option<u32> {
        self.0.get(&u16::try_from(offset).ok()?).copied()
    }

    /// The word of a handle's own registers: the registers whose names begin with one of `blocks`.
    pub(crate) fn read_of(&self, blocks: &[&str], offset: u32) -> Result<u32, RegisterError> {
        let is_own = u16::try_from(offset)
            .ok()
            .and_then(at)
            .is_some_and(|(register, _)| is_of(&register.name, blocks));
        self.read(offset).filter(|_| is_own).ok_or(RegisterError::None(offset))
    }

    /// Writes a word that `check` accepts to a register whose name begins with one of `blocks`, or to any
    /// register if `blocks` is empty. A refused word leaves the register unchanged.
    pub fn write(
        &mut self,
        blocks: &[&str],
        offset: u32,
        value: u32,
        check: impl FnOnce(&NicCsr) -> Result<(), ParamError>,
    ) -> Result<NicCsr, RegisterError> {
        let none = RegisterError::None(offset);
        let narrow = u16::try_from(offset).map_err(|_| none.clone())?;
        let found = at(narrow).filter(|(register, _)| is_of(&register.name, blocks));
        let Some(((register, word), &before)) = found.zip(self.0.get(&narrow)) else { return Err(none) };
        let mask = register.mask(word);
        if value & !mask != 0 {
            return Err(RegisterError::Bits { name: register.name.to_string(), value, mask });
        }
        self.0.insert(narrow, value);
        let csr = self.csr();
        if let Err(error) = check(&csr) {
            self.0.insert(narrow, before);
            return Err(error.into());
        }
        Ok(csr)
    }
}

/// Refuses values of the whole NIC's registers that its model cannot have. (The model does not use other
/// values: the caller counts ticks.)
pub fn check(csr: &NicCsr, connections: u32) -> Result<(), ParamError> {
    csr.receiver.sack.check()?;
    csr.sender.sack.check()?;
    csr.sender.smartt.check()?;
    csr.sender.reps.check(&RepsParams { connections, ..RepsParams::default() })
}

/// Whether a register belongs to one of these blocks; if there are no blocks, every register belongs.
fn is_of(name: &str, blocks: &[&str]) -> bool {
    blocks.is_empty()
        || blocks.iter().any(|block| name.strip_prefix(block).is_some_and(|rest| rest.starts_with('_')))
}
