//! Files that a setup names, with the contents that were read.

use serde::Serialize;
use sha2::{Digest, Sha256};
use std::cell::RefCell;
use std::io;
use std::path::Path;

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Input {
    /// Name of the file in the setup.
    pub file: String,
    /// SHA-256 of the bytes that were read.
    pub sha256: String,
}

/// The files of a plan. Reads are recorded.
#[derive(Debug, Default)]
pub struct Inputs(RefCell<Vec<Input>>);

impl Inputs {
    /// Reads the file that a setup in `folder` names.
    pub fn read(&self, folder: &Path, file: &Path) -> io::Result<Vec<u8>> {
        let bytes = std::fs::read(folder.join(file))?;
        let input = Input { file: file.display().to_string(), sha256: sha256(&bytes) };
        self.0.borrow_mut().push(input);
        Ok(bytes)
    }

    /// The inputs read.
    pub fn into_vec(self) -> Vec<Input> {
        self.0.into_inner()
    }
}

/// SHA-256 of bytes, in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FIPS 180-2, appendix B.1.
    #[test]
    fn a_digest_is_that_of_the_standard() {
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
