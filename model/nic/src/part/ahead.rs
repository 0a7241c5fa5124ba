//! Prefetching of memory. The blocks know the place of connections; their caller knows how to prefetch.

/// Asks for memory.
pub trait Ask {
    /// The value will be needed soon.
    fn ask<T>(&self, it: &T);
}
