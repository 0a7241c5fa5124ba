//! `weft_ingress` under test.

mod lockstep;
