//! Parts that several blocks use.

pub mod ahead;
pub mod deadlines;
pub mod fence;
pub mod fifo;
pub mod icrc;
pub mod line;
pub mod narrow;
pub mod paced;
pub mod prng;
pub mod ring;
pub mod skid;
pub mod table;
pub mod widen;
