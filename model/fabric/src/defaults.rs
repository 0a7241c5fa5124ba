//! Keys of a setup that may be left out.

/// Whether a key has the default of its type: a written setup leaves out such a key.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Whether a number has the default 1: a written setup leaves out such a key.
pub(crate) fn is_one(value: &u32) -> bool {
    *value == 1
}
