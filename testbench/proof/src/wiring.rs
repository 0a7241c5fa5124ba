//! The streams of a module that only joins others: each is a stream of one of them, untouched.

use crate::{Error, design};
use std::fmt::Write;
use weft_bench::{group, verilog};
use weft_hdl::Module;
use weft_symbolic::{Node, Proof, Signals, Yosys};

/// A module of which only the ports are known: each output is a register of its own, which may hold anything.
fn shell(module: &Module) -> Option<Module> {
    let tokens = verilog::tokens(&module.text);
    let header = tokens.iter().find(|token| token.text == ";")?.at.end;
    let start = tokens.iter().find(|token| token.text == "module")?.at.start;
    let ports = verilog::ports(&module.text);
    let inputs: Vec<&str> = ports.iter().filter(|port| !port.is_output).map(|port| port.name).collect();
    let mut text = format!("{}\n", &module.text[start..header]);
    for port in ports.iter().filter(|port| port.is_output) {
        let (name, high) = (port.name, port.bits? - 1);
        writeln!(
            text,
            "reg [{high}:0] any_{name}; always @(posedge clk) any_{name} <= any_{name} ^ {{{}}}; assign {name} = any_{name};",
            inputs.join(", ")
        )
        .ok()?;
    }
    text += "endmodule\n";
    Some(Module { text, ..module.clone() })
}

/// The claims that each stream of `top` that it drives is that of the instance which has a stream of this name, in its
/// valid, its ready and its word; and that all instances have its reset.
pub fn joined(yosys: &Yosys, modules: &[Module], top: &str, proof: &mut Proof) -> Result<(), Error> {
    let whole =
        modules.iter().find(|module| module.name == top).ok_or_else(|| Error::Module(top.to_owned()))?;
    let instances = crate::alone::instances(modules, &whole.text);
    let inside =
        instances.iter().filter_map(|found| modules.iter().find(|module| module.name == found.module));
    let mut shells: Vec<Module> = inside.filter_map(shell).collect();
    shells.push(whole.clone());
    let whole = design(yosys, &shells, top, top)?;
    let (registers, reset) = (whole.registers(), whole.inputs.node("rst")?);
    let (mut expected, mut actual) = (Signals::new(), Signals::new());
    for (name, node) in whole.outputs.iter().filter(|(name, _)| group(name).is_some()) {
        let of =
            instances.iter().find_map(|found| registers.node(&format!("{}.any_{name}", found.name)).ok());
        // Words are made wider with zeros, to whole bytes.
        let of = of.filter(|of| of.width() <= node.width()).map(|of| of.widen(node.width()));
        expected.insert(
            name,
            of.unwrap_or_else(|| Node::fresh(&format!("a stream {name} of a block"), node.width())),
        );
        actual.insert(name, node);
    }
    proof.equal("what it offers, and whether it takes, is a block's", &[], &expected, &actual)?;
    let (mut expected, mut actual) = (Signals::new(), Signals::new());
    for (name, node) in whole.inputs.iter().filter(|(name, _)| group(name).is_some()) {
        for found in &instances {
            if let Ok(port) = whole.wires.node(&format!("{}.{name}", found.name))
                && port.width() <= node.width()
            {
                expected.insert(format!("{}.{name}", found.name), node.slice(0, port.width()));
                actual.insert(format!("{}.{name}", found.name), port);
            }
        }
    }
    proof.equal("a block has the inputs of its streams", &[], &expected, &actual)?;
    let resets = instances.iter().filter_map(|found| {
        let name = format!("{}.rst", found.name);
        Some((name.clone(), whole.wires.node(&name).ok()?))
    });
    let actual: Signals = resets.collect();
    let expected: Signals = actual.names().map(|name| (name.to_owned(), reset)).collect();
    proof.equal("every block is reset with it", &[], &expected, &actual)?;
    proof.claim("all of them have its clock", &[], Node::bit(whole.other_clocks.is_empty()))?;
    Ok(())
}
