//! The `weft_sender` under test.
