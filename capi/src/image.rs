//! The registers behind a handle, by the offsets of `weft_nic.h`.

use crate::error::{Fault, WEFT_NO_REGISTER, WEFT_NULL, WEFT_RANGE};
use std::collections::BTreeMap;
use weft_params::registers::{NicCsr, at, decode, writes};

/// Words of the configuration.
pub(crate) struct Image(BTreeMap<u16, u32>);

impl Image {
    /// After reset.
    pub(crate) fn new() -> Self {
        Self(writes(&NicCsr::default()).into_iter().collect())
    }

    /// The meaning of the words.
    pub(crate) fn csr(&self) -> NicCsr {
        decode(|offset| self.0.get(&offset).copied().unwrap_or_default())
    }

    /// A word; `None` if it is none of the configuration's.
    pub(crate) fn read(&self, offset: u32) -> Option<u32> {
        self.0.get(&u16::try_from(offset).ok()?).copied()
    }

    /// The word of a handle's own registers, for those whose names begin with one of `blocks`.
    pub(crate) fn read_of(&self, blocks: &[&str], offset: u32) -> Result<u32, Fault> {
        let is_own = u16::try_from(offset)
            .ok()
            .and_then(at)
            .is_some_and(|(register, _)| is_of(&register.name, blocks));
        self.read(offset).filter(|_| is_own).ok_or_else(|| none(offset))
    }

    /// Writes a word that `check` agrees to. A word that is refused stays as it was.
    pub(crate) fn write(
        &mut self,
        blocks: &[&str],
        offset: u32,
        value: u32,
        check: impl FnOnce(&NicCsr) -> Result<(), Fault>,
    ) -> Result<NicCsr, Fault> {
        let narrow = u16::try_from(offset).map_err(|_| none(offset))?;
        let (register, word) =
            at(narrow).filter(|(register, _)| is_of(&register.name, blocks)).ok_or_else(|| none(offset))?;
        let before = *self.0.get(&narrow).ok_or_else(|| none(offset))?;
        if value & !register.mask(word) != 0 {
            let name = &register.name;
            return Err(Fault(
                WEFT_RANGE,
                format!("{name} {value:#x}: its bits are {:#x}", register.mask(word)),
            ));
        }
        self.0.insert(narrow, value);
        let csr = self.csr();
        match check(&csr) {
            Ok(()) => Ok(csr),
            Err(fault) => {
                self.0.insert(narrow, before);
                Err(fault)
            }
        }
    }
}

/// Whether a register is one of these blocks'; of all without one.
fn is_of(name: &str, blocks: &[&str]) -> bool {
    blocks.is_empty()
        || blocks.iter().any(|block| name.strip_prefix(block).is_some_and(|rest| rest.starts_with('_')))
}

fn none(offset: u32) -> Fault {
    Fault(WEFT_NO_REGISTER, format!("offset {offset:#x}: no register of this handle; see weft_nic.h"))
}

/// Writes a number where the caller said.
///
/// # Safety
/// NULL, or valid and nobody else's during the call.
pub(crate) unsafe fn put<T>(place: *mut T, value: T, name: &str) -> Result<i32, Fault> {
    if place.is_null() {
        return Err(Fault(WEFT_NULL, format!("{name} is NULL")));
    }
    unsafe { place.write(value) };
    Ok(crate::error::WEFT_OK)
}
