//! Errors of programs.

use super::shape::Gress;

/// The reason why hardware cannot run a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProgramError {
    /// A width that is not possible.
    #[error(
        "{name}: {bits} bits, the number of cells or the first value is not possible; use 1 to 64 bits, at least one cell and a first value that fits"
    )]
    Width {
        /// The field or array.
        name: &'static str,
        /// Width in bits.
        bits: u32,
    },
    /// A missing stage.
    #[error("{name} is in stage {stage}; the hardware has stages 0 to {}", .stages - 1)]
    Stage {
        /// The operation.
        name: &'static str,
        /// Stage of the operation.
        stage: usize,
        /// Number of stages of the hardware.
        stages: usize,
    },
    /// An array with two operations.
    #[error(
        "{second} accesses array {array}, which {first} accesses already; a packet has one access to an array in a pass"
    )]
    TwoAccesses {
        /// The array.
        array: &'static str,
        /// The first operation.
        first: &'static str,
        /// The second operation.
        second: &'static str,
    },
    /// A table with two lookups.
    #[error("{second} looks into table {table}, which {first} does already")]
    TwoLookups {
        /// The table.
        table: &'static str,
        /// The first operation.
        first: &'static str,
        /// The second operation.
        second: &'static str,
    },
    /// A field is read before an operation writes it.
    #[error("{name} in {gress:?} stage {stage} reads {field}, which no earlier stage writes")]
    NotYetWritten {
        /// The operation.
        name: &'static str,
        /// The half of the program.
        gress: Gress,
        /// The stage.
        stage: usize,
        /// The field.
        field: &'static str,
    },
    /// Two operations of a stage write a field for one packet.
    #[error(
        "{first} and {second} in {gress:?} stage {stage} both write {field}; guard one with If and the other with Unless of one field"
    )]
    TwoWriters {
        /// The first operation.
        first: &'static str,
        /// The second operation.
        second: &'static str,
        /// The half of the program.
        gress: Gress,
        /// The stage.
        stage: usize,
        /// The field.
        field: &'static str,
    },
    /// A field that the hardware sets is written.
    #[error("{name} writes {field}, which only the hardware sets")]
    Given {
        /// The operation.
        name: &'static str,
        /// The field.
        field: &'static str,
    },
    /// The program needs more than the hardware has.
    #[error("{what} of {place}: {used}; the hardware has {limit}")]
    Limit {
        /// The resource.
        what: &'static str,
        /// The place.
        place: String,
        /// The amount in use.
        used: usize,
        /// The amount available.
        limit: usize,
    },
}
