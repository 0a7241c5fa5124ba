//! NICs on wires: hosts, links and a toy fabric around `weft_nic` (page `docs/nic-scenarios.md`).
