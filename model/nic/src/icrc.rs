//! See `docs/blocks/icrc.md`.
