//! Memory that is asked for before it is needed: where connections lie the blocks know, how to ask their caller.

/// Asks for memory.
pub trait Ask {
    /// The value will be needed soon.
    fn ask<T>(&self, it: &T);
}
