//! A fault: its operator, its place, and its change of the text.

use serde::Serialize;
use std::ops::Range;

/// The kind of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Operator {
    /// Another operator between two values: `+` for `-`, `&` for `|`, `<<` for `>>`.
    Sign,
    /// Another comparison: `<` for `<=`, `==` for `!=`.
    Comparison,
    /// A condition or value is negated, or its negation is removed. The arms of a choice change places.
    Negation,
    /// A constant is one greater, or its top bit is inverted.
    Constant,
    /// An assignment that is not the default one is left out.
    Dropped,
    /// An input of an instance, or of a register, is always 0, or a control bit always 1.
    Tied,
    /// An input of an instance has the value of its equally wide neighbour.
    Swapped,
    /// A slice of bits is off by one place.
    Slice,
    /// A register has another value after reset.
    Reset,
}

impl Operator {
    /// All operators.
    pub const ALL: [Self; 9] = [
        Self::Sign,
        Self::Comparison,
        Self::Negation,
        Self::Constant,
        Self::Dropped,
        Self::Tied,
        Self::Swapped,
        Self::Slice,
        Self::Reset,
    ];
}

/// A change of the text that applies while the fault is chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Edit {
    /// Another expression replaces the expression.
    Replace { span: Range<usize>, with: String },
    /// The statement that begins here is skipped.
    Skip { at: usize },
    /// A register loads another value; the place is after all statements of its `always`.
    Load { at: usize, register: String, value: String },
}

/// A fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// The module.
    pub module: String,
    /// The kind of the fault.
    pub operator: Operator,
    /// Place and change: `place: old text -> new text`. Each fault of a module has its own text, and the text
    /// stays the same if the module changes elsewhere.
    pub text: String,
    #[serde(skip)]
    pub(crate) edits: Vec<Edit>,
}

/// Text in one line.
pub(crate) fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
