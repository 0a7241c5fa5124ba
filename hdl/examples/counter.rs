//! A counter with enable, and its Verilog on the standard output.

use weft_hdl::prelude::*;

/// Counts the clocks in which the counter is enabled.
#[derive(LogicBlock, Default)]
pub struct Counter {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high.
    pub rst: Signal<In, Bit>,
    /// Count in this clock.
    pub en: Signal<In, Bit>,
    /// Clocks counted, modulo 2^16.
    pub count: Signal<Out, Bits<16>>,
    state: Reg<Bits<16>>,
}

impl Logic for Counter {
    #[clocked(en = en)]
    #[hdl_gen]
    fn update(&mut self) {
        // Wraps at 16 bits, here and in the Verilog.
        self.state.reg = self.state.q.val() + 1;
        self.count.next = self.state.q.val();
    }
}

fn main() -> Result<(), weft_hdl::EmitError> {
    // The AST lacks some facts, which are checked in the source. `Emitter::new` has the sources of this
    // crate's own blocks.
    let source = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/counter.rs"));
    let modules = weft_hdl::Emitter::new()
        .source("examples/counter.rs", source)
        .emit(&mut Counter::default(), "weft_counter")?;
    for module in modules {
        println!("// {}.v\n{}", module.name, module.text);
    }
    Ok(())
}
