//! What became of frames: on links, and at queues.

use serde::Serialize;

/// What a link did to the frames that entered it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LinkCounts {
    /// That entered it.
    pub frames: u64,
    /// Lost by chance.
    pub lost: u64,
    /// Vanished on a dead path, or after the end of everything.
    pub dead: u64,
    /// Second copies.
    pub duplicated: u64,
    /// Of these, the very late ones.
    pub late: u64,
    /// Held back.
    pub reordered: u64,
    /// Flipped on the wire, which the FCS shows.
    pub corrupted: u64,
    /// Flipped in a switch, which the FCS does not show.
    pub damaged: u64,
    /// Had their payload cut off.
    pub trimmed: u64,
    /// Let through because nothing of their connection had got through for too long.
    pub spared: u64,
}

/// What became of packets at queues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Sent on.
    pub packets: u64,
    /// Of these marked.
    pub marks: u64,
    /// Trimmed.
    pub trims: u64,
    /// Dropped, no room.
    pub drops: u64,
    /// Lost on the dead path.
    pub dead: u64,
}

/// Adds, field by field.
macro_rules! sums {
    ($name:ident: $($field:ident)*) => {
        impl std::ops::AddAssign for $name {
            fn add_assign(&mut self, other: Self) {
                $(self.$field += other.$field;)*
            }
        }

        impl std::iter::Sum for $name {
            fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
                all.fold(Self::default(), |mut sum, it| {
                    sum += it;
                    sum
                })
            }
        }
    };
}
pub(crate) use sums;

sums!(LinkCounts: frames lost dead duplicated late reordered corrupted damaged trimmed spared);
sums!(Counts: packets marks trims drops dead);
