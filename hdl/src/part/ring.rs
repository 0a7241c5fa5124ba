//! Rings: a word per connection, a bit for each PSN of a window of 256, 512 or 1,024: bit i for the packet whose number
//! modulo the window is i.
//!
//! The parts of the SACK blocks: pipelines that accept new inputs in every clock. `run` advances the stages;
//! numbers of clocks count only clocks in which `run` is set. The inputs of a part are registers of its user.

pub mod below;
pub mod compressor;
pub mod count;
pub mod counts;
pub mod extent;
pub mod find;
pub mod finds;
pub mod first;
pub mod gather;
pub mod hot;
pub mod point;
pub mod rotate;
pub mod span;
pub mod store;

pub use below::Below;
pub use count::Count;
pub use counts::Counts;
pub use extent::Extent;
pub use find::Find;
pub use finds::Finds;
pub use hot::Hot;
pub use point::Point;
pub use rotate::Rotate;
pub use span::Span;
pub use store::Store;
