//! Prefetching of memory. The blocks find the place of connections; their caller does the prefetch.

/// Requests the prefetch of memory.
pub trait Ask {
    /// The value will be needed soon.
    fn ask<T>(&self, it: &T);
}
