//! Operations of a stage.

use super::field::{Field, Phv, Shape, mask};
use serde::Serialize;

/// Maximum number of fields in the key of a table.
pub(super) const MOST_KEYS: usize = 8;

/// The condition under which an operation is carried out (a gateway).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// Every packet.
    Always,
    /// Passes packets whose field is not 0.
    If(Field),
    /// Passes packets whose field is 0.
    Unless(Field),
}

impl Guard {
    pub(super) fn holds(self, phv: &Phv) -> bool {
        match self {
            Self::Always => true,
            Self::If(field) => phv[field] != 0,
            Self::Unless(field) => phv[field] == 0,
        }
    }

    pub(super) fn field(self) -> Option<Field> {
        match self {
            Self::Always => None,
            Self::If(field) | Self::Unless(field) => Some(field),
        }
    }

    /// Whether no packet passes both guards.
    pub(super) fn excludes(self, other: Self) -> bool {
        matches!((self, other), (Self::If(a), Self::Unless(b)) | (Self::Unless(a), Self::If(b)) if a == b)
    }
}

/// The effect of an operation, over the fields that it named.
pub(super) enum Kind {
    /// Fields from fields.
    Alu(Box<dyn Fn(&mut Phv) + Send + Sync>),
    /// Reads, changes and writes a cell of an array, and writes fields from the cell.
    Register { array: usize, index: Field, apply: Box<Change> },
    /// Fields from the entry of a key, or from the table's default.
    Exact { table: usize, keys: Vec<Field>, hit: Field },
    /// Selects one member of a group by the value of a field of `bits` bits.
    Select { selector: usize, group: Field, value: Field, bits: u32, write: Field },
    /// Lets a function choose a member of a group by the bytes that wait at each member's port, and by the
    /// group's cell of an array if there is one.
    Choose { selector: usize, memory: Option<usize>, group: Field, write: Field, apply: Box<Chooser> },
    /// A hash of fields.
    Hash { reads: Vec<Field>, write: Field, seed: u32 },
    /// Random bits from its own generator.
    Random { generator: usize, write: Field },
}

/// Reads, changes and writes a cell; sets fields.
pub(super) type Change = dyn Fn(&mut u64, &mut Phv) + Send + Sync;

/// Chooses among members, each with the bytes that wait at its port; returns the index of the chosen member.
/// The function may change the cell.
pub(super) type Chooser = dyn Fn(&mut u64, &[(u64, u32)], &Phv) -> usize + Send + Sync;

impl Kind {
    /// The array that the operation accesses.
    pub(super) fn array(&self) -> Option<usize> {
        match self {
            Self::Register { array, .. } => Some(*array),
            Self::Choose { memory, .. } => *memory,
            _ => None,
        }
    }

    /// The description for a reader of the table.
    pub(super) fn what(&self) -> What {
        match self {
            Self::Alu(_) => What::Action,
            Self::Register { .. } => What::Register,
            Self::Exact { .. } => What::Exact,
            Self::Select { .. } => What::Selector,
            Self::Choose { .. } => What::Adaptive,
            Self::Hash { .. } => What::Hash,
            Self::Random { .. } => What::Random,
        }
    }
}

/// The kind of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum What {
    /// Fields from fields.
    Action,
    /// A register array.
    Register,
    /// A table of exact keys.
    Exact,
    /// A group of which one member is selected.
    Selector,
    /// A group of which one member is chosen by the load of ports.
    Adaptive,
    /// A hash.
    Hash,
    /// Random bits.
    Random,
}

/// An operation in its stage.
pub(super) struct Op {
    pub(super) name: &'static str,
    pub(super) guard: Guard,
    pub(super) reads: Vec<Field>,
    pub(super) writes: Vec<Field>,
    pub(super) kind: Kind,
}

/// The values of fields.
pub(super) fn gather<const R: usize>(phv: &Phv, fields: &[Field; R]) -> [u64; R] {
    fields.map(|field| phv[field])
}

/// Writes fields; each field keeps the lowest bits of its value.
pub(super) fn scatter<const W: usize>(phv: &mut Phv, fields: &[(Field, u64); W], values: [u64; W]) {
    for ((field, mask), value) in fields.iter().zip(values) {
        phv[*field] = value & mask;
    }
}

/// Fields with the masks of their widths.
pub(super) fn masked<const W: usize>(shapes: &[Shape], fields: [Field; W]) -> [(Field, u64); W] {
    fields.map(|field| (field, mask(shapes.get(usize::from(field.0)).map_or(64, |shape| shape.bits))))
}
