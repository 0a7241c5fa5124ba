//! The streams of a module that only connects other modules: each stream is that of one of them, unchanged.

use crate::{Error, ram, read};
use std::fmt::Write;
use weft_bench::{group, verilog};
use weft_hdl::Module;
use weft_symbolic::{Design, Node, Proof, Signals, Yosys};

/// A module of which the proof knows only the ports: each output is a register of its own with an arbitrary
/// value.
pub(crate) fn shell(module: &Module) -> Option<Module> {
    let tokens = verilog::tokens(&module.text);
    let header = tokens.iter().find(|token| token.text == ";")?.at.end;
    let start = tokens.iter().find(|token| token.text == "module")?.at.start;
    let ports = verilog::ports(&module.text);
    let inputs: Vec<&str> = ports.iter().filter(|port| !port.is_output).map(|port| port.name).collect();
    // Which clock does not matter.
    let clock = inputs.iter().find(|name| name.ends_with("clk"))?;
    let mut text = format!(
        "{}\n",
        module.text[start..header].replace("output reg ", "output wire ").replace(" = 1'b0,", ",")
    );
    for port in ports.iter().filter(|port| port.is_output) {
        let (name, range) = (port.name, range(&module.text, port.name)?);
        writeln!(
            text,
            "reg {range} any_{name}; always @(posedge {clock}) any_{name} <= any_{name} ^ {{{}}}; assign {name} = any_{name};",
            inputs.join(", ")
        )
        .ok()?;
    }
    text += "endmodule\n";
    Some(Module { text, ..module.clone() })
}

/// The range of a port, from the header of the first module in a text.
fn range<'a>(text: &'a str, port: &str) -> Option<&'a str> {
    let tokens = verilog::tokens(text);
    let at = tokens.iter().position(|token| token.text == port)?;
    match tokens.get(at.checked_sub(1)?)?.text {
        "]" => {
            let open = tokens[..at].iter().rposition(|token| token.text == "[")?;
            Some(&text[tokens[open].at.start..tokens[at - 1].at.end])
        }
        _ => Some(""),
    }
}

/// `top` with a shell in place of each module in it, and its instances. The registers `instance.any_port`
/// identify the source of a port.
pub(crate) fn shells(
    yosys: &Yosys,
    modules: &[Module],
    top: &str,
    parameters: &[(&str, &str)],
) -> Result<(Design, Vec<(String, String)>), Error> {
    let whole =
        modules.iter().find(|module| module.name == top).ok_or_else(|| Error::Module(top.to_owned()))?;
    let instances = crate::alone::instances(modules, &whole.text);
    let inside = modules.iter().filter(|module| instances.iter().any(|found| found.module == module.name));
    let mut shells: Vec<Module> = inside.filter_map(shell).collect();
    shells.push(whole.clone());
    let names = instances.iter().map(|found| (found.module.to_owned(), found.name.to_owned())).collect();
    Ok((read(yosys, &shells, top, parameters, top, None)?, names))
}

/// The claims about each stream that `top` drives: its valid, its ready and its word are those of the
/// instance that has a stream of this name. Also that all instances have the reset of `top`.
pub fn joined(yosys: &Yosys, modules: &[Module], top: &str, proof: &mut Proof) -> Result<(), Error> {
    let (whole, instances) = shells(yosys, modules, top, &[])?;
    let (registers, reset) = (whole.registers(), whole.inputs.node("rst")?);
    let (mut expected, mut actual) = (Signals::new(), Signals::new());
    for (name, node) in whole.outputs.iter().filter(|(name, _)| group(name).is_some()) {
        let of = instances.iter().find_map(|(_, found)| registers.node(&format!("{found}.any_{name}")).ok());
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
        for (_, found) in &instances {
            if let Ok(port) = whole.wires.node(&format!("{found}.{name}"))
                && port.width() <= node.width()
            {
                expected.insert(format!("{found}.{name}"), node.slice(0, port.width()));
                actual.insert(format!("{found}.{name}"), port);
            }
        }
    }
    proof.equal("a block has the inputs of its streams", &[], &expected, &actual)?;
    let resets = instances.iter().filter_map(|(_, found)| {
        let name = format!("{found}.rst");
        Some((name.clone(), whole.wires.node(&name).ok()?))
    });
    let actual: Signals = resets.collect();
    let expected: Signals = actual.names().map(|name| (name.to_owned(), reset)).collect();
    proof.equal("every block is reset with it", &[], &expected, &actual)?;
    proof.claim("all of them have its clock", &[], Node::bit(whole.other_clocks.is_empty()))?;
    Ok(())
}

/// Reads the design like [`ram::watched`], but keeps only the ports of the modules `inside`. The modules below
/// them, whose names begin with the same words, are left out.
pub fn around(
    yosys: &Yosys,
    modules: &[Module],
    top: &str,
    scope: &str,
    inside: &[&str],
) -> Result<Design, Error> {
    let is_beneath = |module: &Module| {
        let beneath = |of: &&str| module.name.strip_prefix(*of).is_some_and(|rest| rest.starts_with('_'));
        inside.iter().any(beneath)
    };
    let mut around = modules.to_vec();
    around.retain(|module| !is_beneath(module));
    for module in around.iter_mut().filter(|module| inside.contains(&module.name.as_str())) {
        *module = shell(module).ok_or_else(|| Error::Module(module.name.clone()))?;
    }
    ram::watched(yosys, &around, top, scope)
}
