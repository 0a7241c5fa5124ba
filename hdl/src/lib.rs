//! The Rust-HDL blocks and the Verilog emitter.
