//! The `weft_egress` under test.
