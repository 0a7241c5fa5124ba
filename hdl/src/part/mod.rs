//! What several blocks are made of.

pub mod context;
pub mod counter;
pub mod fifo;
pub mod icrc;
pub mod narrow;
pub mod published;
pub mod ring;
pub mod skid;
pub mod widen;
