//! Reads headers, one after the other.

use crate::error::ParseError;
use zerocopy::{FromBytes, Immutable, KnownLayout};

/// The UDP payload read from the front, against both the captured and the claimed length.
pub(super) struct Reader<'a> {
    pub(super) captured: &'a [u8],
    /// Bytes of the payload that headers and data may use.
    pub(super) claimed: usize,
    pub(super) at: usize,
}

impl<'a> Reader<'a> {
    /// The next header.
    pub(super) fn take<H: FromBytes + KnownLayout + Immutable>(
        &mut self,
        header: &'static str,
    ) -> Result<H, ParseError> {
        let need = self.at + size_of::<H>();
        let have = self.captured.len();
        let cut_off = ParseError::CutOff { header, need, have };
        if need > self.claimed {
            return Err(ParseError::Malformed { header, need, have: self.claimed });
        }
        let (value, _) = H::read_from_prefix(&self.captured[self.at.min(have)..]).map_err(|_| cut_off)?;
        self.at = need;
        Ok(value)
    }

    /// The next header, if all of its bytes are present.
    pub(super) fn take_if_whole<H: FromBytes + KnownLayout + Immutable>(&mut self) -> Option<H> {
        self.take("").ok()
    }

    /// All bytes up to the last `pad` bytes, as far as they were captured, and their claimed length.
    pub(super) fn rest(self, pad: u8) -> Result<(&'a [u8], usize), ParseError> {
        let need = self.at + usize::from(pad);
        let len = self.claimed.checked_sub(need).ok_or(ParseError::Malformed {
            header: "padding",
            need,
            have: self.claimed,
        })?;
        let have = self.captured.len();
        Ok((&self.captured[self.at.min(have)..(self.at + len).min(have)], len))
    }
}
