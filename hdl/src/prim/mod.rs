//! The primitive library: registers, memories and arithmetic as hand-written Verilog, each with its behaviour
//! in Rust.
//!
//! Blocks keep all their state in these primitives, so that reset, enable, memory inference and DSP mapping
//! are written once. Ports have the Verilog's names, `clk` included; every input must be driven. A block must
//! not depend on values that the Verilog leaves undefined (the word read on a collision, a data register
//! before its first load). The memories here answer a collision with an arbitrary word. So a block that
//! depends on the answer differs from its Verilog and fails its tests.

mod arith;
mod collision;
mod linear;
mod masked;
mod ram_lut;
mod ram_sdp;
mod ram_sdp_be;
mod ram_tdp;
mod reg;
mod ultra;

pub use arith::{Div, Mul};
pub use linear::Linear;
pub use masked::Masked;
pub use ram_lut::RamLut;
pub use ram_sdp::RamSdp;
pub use ram_sdp_be::RamSdpBe;
pub use ram_tdp::RamTdp;
pub use reg::{Delay, Enable, LateReset, Pipe, Reg};
pub use ultra::Ultra;

use rust_hdl_core::prelude::{BlackBox, Verilog};
use std::fmt;

/// Kind of memory that a RAM should become.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RamStyle {
    /// Block RAM.
    #[default]
    Block,
    /// LUT RAM.
    Distributed,
    /// UltraRAM.
    Ultra,
    /// The tool decides.
    Auto,
}

impl fmt::Display for RamStyle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RamStyle::Block => "block",
            RamStyle::Distributed => "distributed",
            RamStyle::Ultra => "ultra",
            RamStyle::Auto => "auto",
        })
    }
}

/// A parameter of the top that reaches certain primitives. Every module with such a primitive in or below it
/// has the parameter and passes it on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TopParameter {
    /// The kind of large memories.
    LargeRam,
    /// The widest factor of a product.
    FactorBits,
}

impl TopParameter {
    /// All parameters of a top, in the order of a module's parameters.
    pub(crate) const ALL: [TopParameter; 2] = [TopParameter::LargeRam, TopParameter::FactorBits];

    /// Placeholder of the value in the Verilog of an instance, until the module around it has the parameter.
    pub(crate) fn stands_for(self) -> &'static str {
        match self {
            TopParameter::LargeRam => "\"LARGE_RAM\"",
            TopParameter::FactorBits => "\"FACTOR_BITS\"",
        }
    }

    /// Name of the parameter.
    pub(crate) fn name(self) -> &'static str {
        self.stands_for().trim_matches('"')
    }

    /// The parameter's default value, and the meaning of its other values.
    pub(crate) fn default_and_meaning(self) -> (&'static str, &'static str) {
        match self {
            TopParameter::LargeRam => ("\"block\"", "Or \"ultra\": what the large memories become."),
            TopParameter::FactorBits => ("0", "Or 18: products of wider factors are sums of products."),
        }
    }
}

/// Minimum number of 36-kbit block RAMs that one UltraRAM must replace in a large memory.
const LARGE: usize = 4;

/// The style of a memory of 2^`a` words of `w` bits, as Verilog. The parameter LARGE_RAM of the top selects
/// the style of a large block RAM.
fn style(style: RamStyle, w: usize, a: usize) -> String {
    // A block RAM of 36 kbit is 512 words of 72 bits, or a multiple of the words with fewer bits; an UltraRAM is 4,096
    // of 72.
    let block = (0..=5).map(|n| w.div_ceil(72 >> n) * (1usize << a).div_ceil(512 << n)).min();
    let ultra = w.div_ceil(72) * (1usize << a).div_ceil(4096);
    let large = style == RamStyle::Block && block.is_some_and(|block| block >= LARGE * ultra);
    if large { TopParameter::LargeRam.stands_for().into() } else { format!("\"{style}\"") }
}

/// Marks a register: the module around it prints an `always` block.
const REGISTER: &str = "register";

/// The Verilog of a register, with its value after reset as hexadecimal digits, if it has one.
fn register(reset: &str) -> Verilog {
    Verilog::Blackbox(BlackBox { name: REGISTER.into(), code: reset.into() })
}

/// The value after reset, empty without one, if `code` is that of a register.
pub(crate) fn reset_of_register(code: &Verilog) -> Option<&str> {
    match code {
        Verilog::Blackbox(it) if it.name == REGISTER => Some(&it.code),
        _ => None,
    }
}

/// An instance of the primitive `module`, whose Verilog text is `code`.
fn instance(module: &str, parameters: &[(&str, String)], code: &str) -> Verilog {
    let list: Vec<String> = parameters.iter().map(|(name, value)| format!(".{name}({value})")).collect();
    let parameters = if list.is_empty() { String::new() } else { format!(" #({})", list.join(", ")) };
    Verilog::Blackbox(BlackBox { name: format!("{module}{parameters}"), code: code.into() })
}
