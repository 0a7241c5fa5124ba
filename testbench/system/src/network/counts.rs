//! Counts of frames on links and at queues.

use serde::Serialize;

/// Counts of the frames that entered one link: lost, delayed, changed and so on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LinkCounts {
    /// Frames that entered the link.
    pub frames: u64,
    /// Frames lost by chance.
    pub lost: u64,
    /// Frames that vanished on a dead path, or after `kill_after`.
    pub dead: u64,
    /// Frames of which a second copy was sent.
    pub duplicated: u64,
    /// Second copies that were very late.
    pub late: u64,
    /// Frames that were held back.
    pub reordered: u64,
    /// Frames with bits flipped on the wire, which the FCS shows.
    pub corrupted: u64,
    /// Frames with bits flipped in a switch, which the FCS does not show.
    pub damaged: u64,
    /// Frames whose payload was cut off.
    pub trimmed: u64,
    /// Frames that were passed because too few frames of their connection had passed before.
    pub spared: u64,
}

/// Counts of packets at queues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Packets sent on.
    pub packets: u64,
    /// Packets marked.
    pub marks: u64,
    /// Packets trimmed.
    pub trims: u64,
    /// Packets dropped for lack of space.
    pub drops: u64,
    /// Packets lost on the dead path.
    pub dead: u64,
}

/// Adds two counts field by field.
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
