//! See `docs/blocks/ingress.md`.
