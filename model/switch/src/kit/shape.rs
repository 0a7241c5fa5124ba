//! The parts of a program besides its operations: arrays, tables, groups, and the names that a program's author gives
//! them.

use super::field::Field;
use serde::Serialize;

/// One half of a program: before the traffic manager or after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Gress {
    /// The half before the traffic manager. Whether this half chooses the destination of a packet.
    Ingress,
    /// The half after the traffic manager.
    Egress,
}

/// A register array of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Array(pub(crate) u16);

/// A table of exact keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Table(pub(crate) u16);

/// A table of groups, each a list of members of which one is selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Selector(pub(crate) u16);

/// The shape of an array.
pub(super) struct ArrayShape {
    pub(super) name: &'static str,
    pub(super) cells: usize,
    pub(super) bits: u32,
    pub(super) initial: u64,
}

/// The shape of a table.
pub(super) struct TableShape {
    pub(super) name: &'static str,
    pub(super) entries: usize,
    pub(super) key_bits: u32,
    /// The fields that an entry sets, with the values for a missing entry.
    pub(super) data: Vec<(Field, u64)>,
    pub(super) data_bits: u32,
}

/// The shape of a table of groups.
pub(super) struct SelectorShape {
    pub(super) name: &'static str,
    pub(super) groups: usize,
    pub(super) members: usize,
}
