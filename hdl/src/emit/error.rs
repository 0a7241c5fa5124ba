//! Reasons why a block is refused.

use std::fmt;
use thiserror::Error;

/// Place in a design.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Site {
    /// Path of the instance, from the top.
    pub module: String,
    /// Rust file of the block, if known.
    pub file: String,
    /// Line in that file, 0 if unknown.
    pub line: usize,
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.file.as_str(), self.line) {
            ("", _) => write!(f, "{}", self.module),
            (file, 0) => write!(f, "{file} ({})", self.module),
            (file, line) => write!(f, "{file}:{line} ({})", self.module),
        }
    }
}

/// A construct that is refused because its Verilog might differ from the Rust.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// `match x { P if c => .. }`: the AST drops the guard.
    #[error("match guards do not reach the Verilog; use an `if` inside the arm")]
    MatchGuard,
    /// `for i in a..=b`: the AST drops the `=`.
    #[error("inclusive ranges lose their last step; write `for i in a..(b + 1)`")]
    InclusiveRange,
    /// An attribute inside `update`: Rust applies it, the AST drops it.
    #[error("attributes inside `update` do not reach the Verilog; remove this one")]
    Attribute,
    /// A name without a value in the AST: a `const`, a const generic, a binding.
    #[error("`{0}` has no value in the AST; put constants into a `Constant<..>` field")]
    UnknownName(String),
    /// A call the AST does not describe fully.
    #[error("`{0}` is not supported in `update`; docs/emitter.md lists what is")]
    UnsupportedCall(String),
    /// `.index()` on a `usize` that the AST does not show as one.
    #[error("`.index()` may only be an index, a comparison's side or a match's subject")]
    MisplacedIndex,
    /// `.to_bits()` or `.into()` with a result width that the AST does not show.
    #[error("the AST loses the width of this `.{0}()`; assign it to a `Local` first")]
    LostWidth(&'static str),
    /// A loop variable with the name of a field.
    #[error("the loop variable `{0}` has the name of a field; rename it")]
    LoopShadowsField(String),
    /// A short form of one primitive for another.
    #[error("`{word}` does not load a {ty}; use the word for it")]
    WrongWord {
        /// The word of the short form.
        word: String,
        /// The field's type.
        ty: String,
    },
    /// A number that is too large for its place.
    #[error("{value} does not fit into {what} of {width} bits; widen one or narrow the other")]
    TooWide {
        /// The number.
        value: i128,
        /// The shape that the block should fit.
        what: &'static str,
        /// Width of that shape.
        width: usize,
    },
    /// Two widths that Rust would not have joined: the AST hides a conversion.
    #[error("{left} meets {right}: a hidden conversion; write `bit_cast` of a `Local`")]
    Mismatch {
        /// Type on the left.
        left: String,
        /// Type on the right.
        right: String,
    },
    /// An operator on a type that does not support the operator.
    #[error("`{op}` on {ty} is not supported; docs/emitter.md lists what is")]
    Operator {
        /// The operator.
        op: &'static str,
        /// The type.
        ty: String,
    },
    /// A number without a width.
    #[error("this number has no width of its own; assign it to a `Local` first")]
    NoWidth,
    /// A constant bit index or slice outside its signal.
    #[error("bit {index} of {width} bits; Rust would panic here")]
    OutOfRange {
        /// The index.
        index: i128,
        /// Width of the indexed value.
        width: usize,
    },
    /// An array index that is not a constant.
    #[error("`{0}`: an array index must be a constant; loop over the array and compare")]
    ArrayIndex(String),
    /// A name that Verilog does not allow.
    #[error("`{0}` is no Verilog identifier or is a keyword there; rename it")]
    BadName(String),
    /// Two names that become one in Verilog.
    #[error("`{0}` and another name become the same Verilog name; rename one")]
    NameClash(String),
    /// A field or port of no bits.
    #[error("`{0}` has no bits; give it at least one")]
    NoBits(String),
    /// An inout port, a custom text, a wrapper.
    #[error("{0} are not supported; use the primitive library or add to it")]
    Unsupported(&'static str),
    /// A signal that some path leaves unassigned.
    #[error("`{0}` keeps its old value on some path: a latch; give it a value first")]
    Latch(String),
    /// A signal with bits that are never assigned.
    #[error("`{name}` is assigned in part only, never {missing}; assign every field")]
    PartlyAssigned {
        /// The signal.
        name: String,
        /// The missing item.
        missing: String,
    },
    /// An output or a submodule's input that nothing drives.
    #[error("`{0}` is never assigned; drive it")]
    Undriven(String),
    /// A read of a signal that this block assigns later.
    #[error("`{0}` is read before it is assigned; move the assignment up")]
    ReadBeforeWrite(String),
    /// A submodule's input that is read and then assigned again.
    #[error("`{0}` is read back and assigned again; read a `Local` instead")]
    ReadBack(String),
    /// An assignment to a signal that this block does not drive.
    #[error("`{0}` is not this block's to drive; assign outputs, locals and submodule inputs")]
    NotDrivable(String),
    /// A clock that is used for anything except driving clocks unconditionally.
    #[error("`{0}`: a clock may only be passed on, unconditionally; use an enable")]
    Clock(String),
    /// Logic that reads only constants: a simulator would never run such logic.
    #[error("`{0}` is computed from constants only; decide it in Rust or write one assignment")]
    ConstantLogic(String),
    /// A `match` with an arm that cannot be reached.
    #[error("arm `{0}` is repeated or follows `_`; remove it")]
    DeadArm(String),
    /// A `match` that has no `_` and lists only some values.
    #[error("this match needs a `_` arm")]
    NoDefault,
    /// Two enums with the same name in one block.
    #[error("two enums are called `{0}`; rename one")]
    EnumClash(String),
}

/// Reason why a design cannot be emitted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EmitError {
    /// A construct is refused.
    #[error("{site}: {refusal}")]
    Refused {
        /// The place in the source.
        site: Box<Site>,
        /// The refusal.
        refusal: Refusal,
    },
    /// The sources of a block are missing, so rules that need them cannot be checked.
    #[error(
        "{module}: no source has a block with the fields {fields}; \
         give its file to Emitter::source"
    )]
    NoSource {
        /// Path of the instance.
        module: String,
        /// Fields of the block.
        fields: String,
    },
    /// A source does not parse.
    #[error("{file}: cannot parse: {message}")]
    Parse {
        /// The file.
        file: String,
        /// Message of the parser.
        message: String,
    },
    /// `hdl()` of a block panicked.
    #[error("{module}: hdl() panicked: {message}; a literal or index in `update` is out of range")]
    Panicked {
        /// Path of the instance.
        module: String,
        /// Message of the panic.
        message: String,
    },
    /// Two modules, one of them a primitive, have the same name but different texts.
    #[error("two modules are called {0} but differ; rename one")]
    PrimitiveClash(String),
    /// A block would replace another one that has other ports.
    #[error("the block instead of {module} has another port {port}; give both the same ports")]
    Instead {
        /// The module that the block would replace.
        module: String,
        /// The port, which only one of the two blocks has.
        port: String,
    },
    /// An edit of emitted Verilog does not find its place.
    #[error(
        "{module} has `{text}` {found} times, not once: the edit for --bypass-user must follow the Verilog"
    )]
    Edit {
        /// The module.
        module: String,
        /// The expected text.
        text: String,
        /// The number of occurrences.
        found: usize,
    },
    /// rust-hdl's own checks found an error.
    #[error("rust-hdl check_all: {0}; connect or remove what it names")]
    Check(String),
}

impl EmitError {
    /// The refused construct, if that is the error.
    pub fn refusal(&self) -> Option<&Refusal> {
        match self {
            EmitError::Refused { refusal, .. } => Some(refusal),
            _ => None,
        }
    }
}
