//! A fault: what is wrong, where, and what that changes in the text.

use serde::Serialize;
use std::ops::Range;

/// What is done wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Operator {
    /// Another sign between two values: `+` for `-`, `&` for `|`, `<<` for `>>`.
    Sign,
    /// Another comparison: `<` for `<=`, `==` for `!=`.
    Comparison,
    /// A condition or value is negated, or no more: the arms of a choice change places.
    Negation,
    /// A constant is one more, or its top bit is another.
    Constant,
    /// An assignment that is not the default one does not happen.
    Dropped,
    /// An input of an instance is always 0, or a control bit always 1.
    Tied,
    /// An input of an instance has what its equally wide neighbour has.
    Swapped,
    /// Bits are taken one place off.
    Slice,
    /// A register has another value after reset.
    Reset,
}

impl Operator {
    /// All of them.
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

/// A change of the text, where the fault is chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Edit {
    /// An expression has another value.
    Replace { span: Range<usize>, with: String },
    /// The statement that begins here is not carried out.
    Skip { at: usize },
}

/// A fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// The module.
    pub module: String,
    /// What is done wrong.
    pub operator: Operator,
    /// Where and what: `place: what stands there -> what stands there then`. Of all faults of the module only this one
    /// says so, and it says the same when the module changes elsewhere.
    pub text: String,
    #[serde(skip)]
    pub(crate) edits: Vec<Edit>,
}

/// Text in one line.
pub(crate) fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
