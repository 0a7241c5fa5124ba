//! See `docs/blocks/egress.md`.
