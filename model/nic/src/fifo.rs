//! See `docs/blocks/fifo.md`.
