//! Block RAM as proofs see it: one word at an address that may be any, and what is read elsewhere may
//! be anything. What is proved of it holds of a RAM of any depth.

use super::design;
use crate::Error;
use weft_hdl::emit::Module;
use weft_symbolic::{Node, Proof, Signals, Yosys};

/// The primitive that [`watched`] exchanges.
const NAME: &str = "weft_ram_sdp";

/// One word of it. Reading another address, or the one being written, gives any word.
const WATCHED: &str = "
module weft_ram_sdp #(parameter W = 1, parameter A = 1, parameter OUT_REG = 1, parameter RAM_STYLE = \"block\") (
    input clk, input we, input [A-1:0] waddr, input [W-1:0] wdata,
    input re, input [A-1:0] raddr, input oe, output [W-1:0] rdata);
    (* anyconst *) wire [A-1:0] address;
    (* anyseq *) wire [W-1:0] other;
    wire writes = we & waddr == address;
    reg [W-1:0] watched, word;
    always @(posedge clk) if (writes) watched <= wdata;
    always @(posedge clk) if (re) word <= raddr == address & !writes ? watched : other;
    generate if (OUT_REG != 0) begin : g_out
        reg [W-1:0] out;
        always @(posedge clk) if (oe) out <= word;
        assign rdata = out;
    end else begin : g_direct
        assign rdata = word;
    end endgenerate
endmodule";

/// The modules with one word in place of each RAM.
pub fn watched(modules: &[Module]) -> Vec<Module> {
    let exchange = |module: &Module| match &module.name[..] {
        NAME => Module { text: WATCHED.into(), ..module.clone() },
        _ => module.clone(),
    };
    modules.iter().map(exchange).collect()
}

/// Both with four words of three bits, side by side.
fn harness(name: &str) -> Module {
    let text = format!(
        "module {name}(input clk, input we, input [1:0] waddr, input [2:0] wdata, input re, input [1:0] raddr,
             input oe, output [2:0] rdata);
             {NAME} #(.W(3), .A(2), .OUT_REG(1)) ram(.clk(clk), .we(we), .waddr(waddr), .wdata(wdata), .re(re),
                 .raddr(raddr), .oe(oe), .rdata(rdata));
         endmodule"
    );
    Module { name: name.into(), text, floor: weft_hdl::Floor::Block }
}

/// Whatever the emitted RAM does, the watched word can do too: a simulation relation.
pub fn refines(yosys: &Yosys, modules: &[Module], proof: &mut Proof) -> Result<(), Error> {
    let with = |modules: &[Module], name| {
        let ram = modules.iter().filter(|module| module.name == NAME).cloned();
        ram.chain([harness(name)]).collect::<Vec<_>>()
    };
    let real = design(yosys, &with(modules, "whole"), "whole", "ram")?;
    let one = design(yosys, &with(&watched(modules), "watched"), "watched", "one")?;
    let address = one.wires.node("ram.address")?;
    let pick = |registers: &Signals, address: Node| {
        (1..4u128).try_fold(registers.node("ram.words[0]")?, |found, i| {
            let word = registers.node(&format!("ram.words[{i}]"))?;
            Ok::<_, Error>(word.when(address.equals(Node::lit(2, i)), found))
        })
    };
    // Its free word is what the real one reads.
    let mut inputs = real.inputs.clone();
    let (raddr, now) = (real.inputs.node("raddr")?, real.registers());
    let mut feed = Signals::new();
    for name in one.inputs.names() {
        if let Ok(node) = inputs.node(name) {
            feed.insert(name, node);
        }
    }
    inputs.extend(&feed);
    let mut substitution = one.feed(&feed)?;
    substitution.replace(one.wires.node("ram.other")?, pick(&now, raddr)?);

    let related = |real: &Signals, one: &Signals| -> Result<Node, Error> {
        Ok(Node::all([
            one.node("ram.watched")?.equals(pick(real, address)?),
            one.node("ram.word")?.equals(real.node("ram.word")?),
            one.node("ram.g_out.out")?.equals(real.node("ram.g_out.out")?),
        ]))
    };
    let before = related(&now, &one.registers())?;
    let after = related(&real.next(), &substitution.apply_to(&one.next()))?;
    let outputs = Node::all(real.outputs.matches(&substitution.apply_to(&one.outputs))?.nodes());
    proof.satisfiable("both can hold the same", &[before])?;
    proof.claim("the watched word does what the memory does at its address", &[before], after & outputs)?;
    Ok(())
}
