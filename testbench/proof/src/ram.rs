//! Block RAM in proofs: one word at an arbitrary address. A read of another address gives an arbitrary word.
//! A claim about it holds for a RAM of any depth.
//!
//! Every proof contains the text of the RAM unchanged, with the parameters of its instance; only yosys' cell
//! for the memory is exchanged.

use super::{design, read};
use crate::Error;
use weft_hdl::emit::Module;
use weft_symbolic::{Design, Node, Proof, Signals, Yosys};

/// The primitive whose memories are exchanged.
const NAME: &str = "weft_ram_sdp";
/// The memory in a RAM, as prefix of the names of its replacement.
const MEMORY: &str = ".words.";

/// As [`design`], with one word in place of each RAM: of RAM `r`, `r.watched` at the address `r.address`.
pub fn watched(yosys: &Yosys, modules: &[Module], top: &str, scope: &str) -> Result<Design, Error> {
    watched_with(yosys, modules, top, &[], scope)
}

/// [`watched`] with these parameters.
pub fn watched_with(
    yosys: &Yosys,
    modules: &[Module],
    top: &str,
    parameters: &[(&str, &str)],
    scope: &str,
) -> Result<Design, Error> {
    let mut design = read(yosys, modules, top, parameters, scope, Some(NAME))?;
    let memory =
        |name: &str| name.strip_suffix("size").filter(|rest| rest.ends_with(MEMORY)).map(str::to_owned);
    let memories: Vec<String> = design.wires.names().filter_map(memory).collect();
    let name = |name: &str| {
        let inside = memories.iter().find_map(|memory| Some((memory, name.strip_prefix(memory.as_str())?)));
        let Some((memory, what)) = inside else { return name.to_owned() };
        format!("{}.{}", memory.trim_end_matches(MEMORY), what.trim_start_matches("any_"))
    };
    design.states = design.states.into_iter().map(|(key, state)| (name(&key), state)).collect();
    design.wires = design.wires.iter().map(|(key, node)| (name(key), node)).collect();
    // The address is as wide as the port, so that claims can be made about any memory; `whole` gives another
    // range.
    for (key, address) in design.wires.clone().iter() {
        let Some(ram) = key.strip_suffix(".address") else { continue };
        let Ok(waddr) = design.wires.node(&format!("{ram}.waddr")) else { continue };
        design.wires.insert(format!("{ram}.reach"), address);
        let (width, reach) = (waddr.width(), address.width());
        if reach != width {
            design.wires.insert(key, address.widen(width.max(reach)).slice(0, width));
        }
    }
    Ok(design)
}

/// Adds the claim that each RAM of `design` has a word for each of its addresses, and that words have the
/// width of written words.
pub fn whole(design: &Design, proof: &mut Proof) -> Result<(), Error> {
    let (mut expected, mut actual) = (Signals::new(), Signals::new());
    let registers = design.registers();
    for (size, words) in design.wires.iter().filter(|(name, _)| name.ends_with(".size")) {
        let Some(ram) = size.strip_suffix(".size") else { continue };
        let port = |name: &str| design.wires.node(&format!("{ram}.{name}"));
        // A part may have ports of these names as well.
        let (Ok(waddr), Ok(_)) = (port("waddr"), port("reach")) else { continue };
        // A memory that is never read is removed, and has no bits.
        let bits = |signals: &Signals, name: &str| {
            let found = signals.node(&format!("{ram}.{name}"));
            Node::lit(32, found.map_or(0, |node| node.width() as u128))
        };
        let (address, word) = (bits(&design.wires, "waddr"), bits(&design.wires, "wdata"));
        for (what, should, is) in [
            ("words", Node::lit(32, 1 << waddr.width()), words),
            ("bits of an address", address, bits(&design.wires, "reach")),
            ("bits of a word", word, bits(&registers, "watched")),
        ] {
            expected.insert(format!("{ram}: {what}"), should);
            actual.insert(format!("{ram}: {what}"), is);
        }
    }
    proof.equal("every RAM has a word for each address, as wide as its port", &[], &expected, &actual)?;
    Ok(())
}

/// Four words of three bits.
fn harness(modules: &[Module], out_reg: usize) -> Vec<Module> {
    let text = format!(
        "module whole(input clk, input we, input [1:0] waddr, input [2:0] wdata, input re, input [1:0] raddr,
             input oe, output [2:0] rdata);
             {NAME} #(.W(3), .A(2), .OUT_REG({out_reg})) ram(.clk(clk), .we(we), .waddr(waddr), .wdata(wdata), .re(re),
                 .raddr(raddr), .oe(oe), .rdata(rdata));
         endmodule"
    );
    let ram = modules.iter().filter(|module| module.name == NAME).cloned();
    ram.chain([Module { name: "whole".into(), text, floor: weft_hdl::Floor::Block }]).collect()
}

/// The watched word can show each behaviour of the emitted RAM, with an output register and without: a
/// simulation relation.
pub fn refines(yosys: &Yosys, modules: &[Module], proof: &mut Proof) -> Result<(), Error> {
    for (out_reg, name) in ["without an output register", "with one"].into_iter().enumerate() {
        let modules = harness(modules, out_reg);
        let real = design(yosys, &modules, "whole", "ram")?;
        let one = watched(yosys, &modules, "whole", "one")?;
        let address = one.wires.node("ram.address")?;
        let pick = |registers: &Signals, address: Node| {
            (1..4u128).try_fold(registers.node("ram.words[0]")?, |found, i| {
                let word = registers.node(&format!("ram.words[{i}]"))?;
                Ok::<_, Error>(word.when(address.equals(Node::lit(2, i)), found))
            })
        };
        // The free word has the value that the real RAM reads.
        let (raddr, now) = (real.inputs.node("raddr")?, real.registers());
        let mut feed = Signals::new();
        for name in one.inputs.names() {
            if let Ok(node) = real.inputs.node(name) {
                feed.insert(name, node);
            }
        }
        let mut substitution = one.feed(&feed)?;
        substitution.replace(one.wires.node("ram.other")?, pick(&now, raddr)?);

        let registers = one.registers();
        let shared = registers.iter().filter(|(name, _)| now.node(name).is_ok());
        let shared: Vec<String> = shared.map(|(name, _)| name.to_owned()).collect();
        let related = |real: &Signals, one: &Signals| -> Result<Node, Error> {
            let mut same = vec![one.node("ram.watched")?.equals(pick(real, address)?)];
            for name in &shared {
                same.push(one.node(name)?.equals(real.node(name)?));
            }
            Ok(Node::all(same))
        };
        let before = related(&now, &registers)?;
        let after = related(&real.next(), &substitution.apply_to(&one.next()))?;
        let outputs = Node::all(real.outputs.matches(&substitution.apply_to(&one.outputs))?.nodes());
        proof.claim(
            &format!("{name}, the watched word does what the memory does at its address"),
            &[before],
            after & outputs,
        )?;
    }
    Ok(())
}
