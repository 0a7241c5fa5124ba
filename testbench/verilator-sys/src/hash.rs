/// SHA-256 over fields, each preceded by its length, so that different lists of fields give different texts.
pub(crate) struct Hasher(hmac_sha256::Hash);

impl Hasher {
    pub(crate) fn new() -> Self {
        Self(hmac_sha256::Hash::new())
    }

    pub(crate) fn field(&mut self, bytes: impl AsRef<[u8]>) -> &mut Self {
        let bytes = bytes.as_ref();
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
        self
    }

    /// The first 128 bits, in hexadecimal: a file name.
    pub(crate) fn finish(self) -> String {
        self.0.finalize()[..16].iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

pub(crate) fn digest(bytes: impl AsRef<[u8]>) -> String {
    let mut hasher = Hasher::new();
    hasher.field(bytes);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_do_not_run_together() {
        let mut one = Hasher::new();
        one.field("ab").field("c");
        let mut other = Hasher::new();
        other.field("a").field("bc");
        assert_ne!(one.finish(), other.finish());
    }
}
