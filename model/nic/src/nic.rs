//! The NIC (page `docs/blocks/nic.md`): its blocks joined.

pub mod words;
