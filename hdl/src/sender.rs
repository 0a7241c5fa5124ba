//! See `docs/blocks/sender.md`.
