//! The wrapper around a block that is placed and routed, so that no port needs a pin.

use crate::Module;
use std::fmt::Write as _;

/// Name of the wrapper.
pub const AROUND: &str = "weft_around";
/// Name of the block's instance in the wrapper.
pub const INSIDE: &str = "block";

/// Verilog of a wrapper of the module `top`, whose clock is `clk`. A shift register drives the inputs of the
/// module. The outputs of the module pass through registers into a tree of XORs of four inputs, with a
/// register after each XOR. Shift register and tree have a depth of one gate, so that the slowest path is in
/// the block.
pub fn wrapper(top: &str, module: &Module) -> String {
    let (mut inputs, mut outputs, mut ties) = (0, 0, String::new());
    for (name, port) in &module.ports {
        let bits = port.bits.len();
        let (wires, at) = match port.direction.as_str() {
            "output" => ("leaving", &mut outputs),
            _ if name == "clk" => {
                let _ = write!(ties, ",\n        .clk(clk)");
                continue;
            }
            _ => ("entering", &mut inputs),
        };
        let _ = write!(ties, ",\n        .{name}({wires}[{}:{at}])", *at + bits - 1);
        *at += bits;
    }
    let ties = ties.trim_start_matches(',');
    let mut text = format!(
        "module {AROUND} (input wire clk, input wire in, output wire out);\n    \
         reg [{inputs}:0] entering;\n    \
         always @(posedge clk) entering <= {{entering[{}:0], in}};\n    \
         wire [{}:0] leaving;\n    \
         {top} {INSIDE} ({ties});\n    \
         reg [{}:0] stage0;\n    \
         always @(posedge clk) stage0 <= leaving;\n",
        inputs - 1,
        outputs - 1,
        outputs - 1
    );
    let (mut width, mut stage) = (outputs, 0);
    while width > 1 {
        let next = usize::div_ceil(width, 4);
        let _ = writeln!(text, "    reg [{}:0] stage{};", next - 1, stage + 1);
        for bit in 0..next {
            let (high, low) = ((4 * bit + 3).min(width - 1), 4 * bit);
            let _ = writeln!(
                text,
                "    always @(posedge clk) stage{}[{bit}] <= ^stage{stage}[{high}:{low}];",
                stage + 1
            );
        }
        (width, stage) = (next, stage + 1);
    }
    text + &format!("    assign out = stage{stage}[0];\nendmodule\n")
}
