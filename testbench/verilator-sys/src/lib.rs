//! Build, cache, load and drive Verilated models.
