//! The `weft_receiver` under test.
