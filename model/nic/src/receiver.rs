//! See `docs/blocks/receiver.md`.
