//! See `docs/blocks/registers.md`.
