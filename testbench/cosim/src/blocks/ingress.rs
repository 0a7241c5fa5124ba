//! The `weft_ingress` under test.
