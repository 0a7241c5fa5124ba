//! `weft_nic`: the NIC (page `docs/blocks/nic.md`).

pub mod words;
