//! Limits of the flow for ECP5: a single element between two registers, with the shortest wires. No block
//! that has this element between two registers is faster.

use crate::{Job, Target};
use std::fmt::Write as _;
use weft_hdl::{Floor, Module};

/// A primitive: its name and its Verilog.
type Primitive = (&'static str, &'static str);

/// The primitive of all block RAMs.
const RAM: Primitive = ("weft_ram_sdp", include_str!("../../../hdl/verilog/prim/weft_ram_sdp.v"));
/// The primitive of all products.
const MUL: Primitive = ("weft_mul", include_str!("../../../hdl/verilog/prim/weft_mul.v"));
/// The primitive of all quotients.
const DIV: Primitive = ("weft_div", include_str!("../../../hdl/verilog/prim/weft_div.v"));

/// The element between two registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// A number of LUTs with four inputs in a row.
    Luts(u32),
    /// An adder with a number of bits.
    Adder(u32),
    /// A multiplier of 18 by 18 bits in one multiplier block.
    Multiplier,
    /// The widest product of the NIC: parts of 18 bits, and their sum.
    Product,
    /// Stages of the widest divider of the NIC, with a number of bits per clock.
    Divider(u32),
    /// A block RAM, read into a register.
    Memory,
    /// A LUT that drives the enables of a number of registers.
    Stall(u32),
}

impl Limit {
    /// All limits that are measured.
    pub const ALL: [Limit; 16] = [
        Limit::Luts(1),
        Limit::Luts(2),
        Limit::Luts(3),
        Limit::Luts(4),
        Limit::Luts(5),
        Limit::Luts(6),
        Limit::Luts(8),
        Limit::Adder(16),
        Limit::Adder(32),
        Limit::Adder(64),
        Limit::Multiplier,
        Limit::Product,
        Limit::Divider(1),
        Limit::Divider(2),
        Limit::Memory,
        Limit::Stall(1024),
    ];
    const TOP: &str = "weft_limit";
    /// Width of both sides, where it does not matter.
    const BITS: u32 = 64;

    /// Name of the limit in tables.
    pub fn name(self) -> String {
        match self {
            Limit::Luts(1) => "1 LUT".into(),
            Limit::Luts(number) => format!("{number} LUTs in a row"),
            Limit::Adder(bits) => format!("an adder of {bits} bits"),
            Limit::Multiplier => "a multiplier, 18 x 18 bits".into(),
            Limit::Product => "a product of 19 x 37 bits, parts of 18 bits and their sum".into(),
            Limit::Divider(1) => "a divider by 38 bits, a bit a clock".into(),
            Limit::Divider(bits) => format!("a divider by 38 bits, {bits} bits a clock"),
            Limit::Memory => "a block RAM, 512 words of 36 bits".into(),
            Limit::Stall(registers) => format!("a LUT, and the enables of {registers} registers"),
        }
    }

    /// Verilog of the limit.
    pub fn modules(self) -> Vec<Module> {
        let top = Self::TOP;
        let text = match self {
            Limit::Luts(number) => luts(number),
            Limit::Adder(bits) => {
                let high = bits - 1;
                format!(
                    "module {top} (input wire clk, input wire [{high}:0] a, b, output wire [{high}:0] p);\n    \
                     assign p = a + b;\nendmodule\n"
                )
            }
            Limit::Multiplier => format!(
                "module {top} (input wire clk, input wire [17:0] a, b, output wire [35:0] p);\n    \
                 assign p = a * b;\nendmodule\n"
            ),
            Limit::Product => format!(
                "module {top} (input wire clk, input wire [18:0] a, input wire [36:0] b, output wire [55:0] p);\n    \
                 weft_mul #(.A(19), .B(37), .STAGES(2), .FACTOR_BITS(18)) mul (.clk(clk), .en(1'b1), .a(a), .b(b), .p(p));\n\
                 endmodule\n"
            ),
            Limit::Divider(bits) => format!(
                "module {top} (input wire clk, input wire [41:0] n, input wire [37:0] d, output wire [3:0] q);\n    \
                 weft_div #(.N(42), .D(38), .Q(4), .STEPS({bits})) div (\n        \
                 .clk(clk), .en(1'b1), .en_late(1'b1), .num(n), .den(d), .q(q));\n\
                 endmodule\n"
            ),
            Limit::Memory => format!(
                "module {top} (input wire clk, we, input wire [8:0] waddr, raddr, input wire [35:0] d, output wire [35:0] q);\n    \
                 weft_ram_sdp #(.W(36), .A(9), .OUT_REG(0), .RAM_STYLE(\"block\")) ram (\n        \
                 .clk(clk), .we(we), .waddr(waddr), .wdata(d), .re(1'b1), .raddr(raddr), .oe(1'b0), .rdata(q));\n\
                 endmodule\n"
            ),
            Limit::Stall(registers) => pipeline(registers),
        };
        let module = |name: &str, text: String, floor| Module { name: name.into(), text, floor };
        let mut modules = vec![module(top, text, Floor::Block)];
        if let Some((name, text)) = self.primitive() {
            modules.push(module(name, text.into(), Floor::Primitive));
        }
        modules
    }

    fn primitive(self) -> Option<Primitive> {
        match self {
            Limit::Product => Some(MUL),
            Limit::Divider(_) => Some(DIV),
            Limit::Memory => Some(RAM),
            Limit::Luts(_) | Limit::Adder(_) | Limit::Multiplier | Limit::Stall(_) => None,
        }
    }

    /// The job that measures the limit.
    pub fn job<'a>(self, name: &'a str, modules: &'a [Module], seeds: u32) -> Job<'a> {
        let shape = "between two registers".into();
        Job {
            block: name,
            top: Self::TOP,
            shape,
            modules,
            apart: &[],
            ultra: false,
            target: Target::Ecp5,
            seeds,
        }
    }
}

/// Rows of LUTs, one after the other. Each LUT reads four neighbours.
fn luts(number: u32) -> String {
    let (top, bits) = (Limit::TOP, Limit::BITS);
    let mut text = format!(
        "module {top} (input wire clk, input wire [{0}:0] a, output wire [{0}:0] p);\n    wire [{0}:0] row0 = a;\n",
        bits - 1
    );
    for row in 0..number {
        let _ = writeln!(text, "    wire [{}:0] row{};", bits - 1, row + 1);
        for bit in 0..bits {
            let from = |step: u32| format!("row{row}[{}]", (bit + step) % bits);
            let _ = writeln!(
                text,
                "    (* keep *) LUT4 #(.INIT(16'h6996)) lut{row}_{bit} (.A({}), .B({}), .C({}), .D({}), .Z(row{}[{bit}]));",
                from(0),
                from(1),
                from(3),
                from(7),
                row + 1
            );
        }
    }
    text + &format!(
        "    assign p = row{number};\nendmodule\n\n\
         (* blackbox *) module LUT4 #(parameter INIT = 16'h0) (input A, B, C, D, output Z);\nendmodule\n"
    )
}

/// A pipeline of a number of registers with one enable.
fn pipeline(registers: u32) -> String {
    let (top, bits) = (Limit::TOP, Limit::BITS);
    let (high, rest) = (bits - 1, registers - bits);
    format!(
        "module {top} (input wire clk, ready, valid, input wire [{high}:0] a, output wire [{high}:0] p);\n    \
         reg [{}:0] stages;\n    \
         always @(posedge clk) if (ready | ~valid) stages <= {{stages[{}:0], a}};\n    \
         assign p = stages[{}:{rest}];\nendmodule\n",
        registers - 1,
        rest - 1,
        registers - 1,
    )
}
