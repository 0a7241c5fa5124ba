//! The comparison of a module with the emitted one, for `weft equiv`.
//!
//! If the registers of both designs have the same names, a SAT solver decides: equal states before a clock
//! must give equal states after it, for all states. Otherwise both designs begin with reset, and ABC searches
//! for an input sequence after which their outputs differ.

use crate::{Error, Solvers, is_undefined_bit, ram, read};
use std::collections::BTreeMap;
use std::fmt;
use weft_bench::verilog;
use weft_hdl::emit::Module;
use weft_symbolic::{
    Abc, Answer, Design, Multiply, Node, Proof, Prover, Signals, State, Substitution, System, Verdict, Yosys,
};

/// The modules to compare.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The module.
    pub module: &'a str,
    /// Values of its numeric parameters.
    pub parameters: &'a [(&'a str, &'a str)],
    /// The emitted modules.
    pub emitted: &'a [Module],
    /// The emitted modules with the user's modules in their place.
    pub own: &'a [Module],
    /// Seconds after which ABC stops without a result.
    pub seconds_max: f32,
}

/// The states that a comparison covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// Cuts at all inputs, because the module has no registers.
    Inputs,
    /// All inputs, and all states of the registers, whose names are equal on both sides. The number is their
    /// count.
    States(usize),
    /// All inputs from a clock of reset on. Registers have arbitrary values before the reset.
    Reset {
        /// Number of memories that both sides keep as memories; both must write and read them alike. Other
        /// memories are compared word by word.
        memories: usize,
        /// Whether registers without a counterpart are 0 at the start, and further resets may happen at any
        /// time. Otherwise such registers have any value before the reset.
        from_zero: bool,
    },
}

impl fmt::Display for Over {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Inputs => out.write_str("for every input"),
            Self::States(registers) => {
                write!(out, "for every input and every state of {registers} registers of the same names")
            }
            Self::Reset { memories, from_zero } => {
                out.write_str("from reset on, for every input")?;
                if *memories > 0 {
                    write!(out, ", with {memories} memories written and read alike")?;
                }
                if *from_zero {
                    out.write_str("; registers of other names hold 0 at the start")?;
                }
                Ok(())
            }
        }
    }
}

/// The result of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// No difference exists.
    Equal(Over),
    /// The list of differences.
    Differs(Vec<String>),
    /// No result: the reason, and what to do.
    Unknown(String),
}

/// Memories with more bits are not compared word by word.
const BITS_MOST: usize = 1024;

/// Compares the modules of a question.
pub fn compare(solvers: &Solvers, question: &Question<'_>) -> Result<Found, Error> {
    let yosys = &Yosys::find()?;
    let side = |modules: &[Module], scope: &str| {
        let design = ram::watched_with(yosys, modules, question.module, question.parameters, scope)?;
        Ok::<_, Error>(design)
    };
    let (emitted, own) = (side(question.emitted, "emitted")?, side(question.own, "own")?);
    let ports = ports(&emitted, &own);
    if !ports.is_empty() {
        return Ok(Found::Differs(ports));
    }
    if let [first, ..] = &own.other_clocks[..] {
        let what =
            format!("the register {first} does not follow the rising edge of clk, as all emitted ones do");
        return Ok(Found::Differs(vec![what]));
    }
    let missing: Vec<&String> = emitted.states.keys().filter(|name| !has(&own, &emitted, name)).collect();
    let mut differences = Vec::new();
    if missing.is_empty() {
        let (over, found) = by_name(solvers, &emitted, &own)?;
        match found {
            None => return Ok(Found::Equal(over)),
            Some(found) => differences = found,
        }
        // Without reset, all states count.
        if over == Over::Inputs || emitted.inputs.node(RESET).is_err() {
            return Ok(Found::Differs(differences));
        }
    } else if emitted.inputs.node(RESET).is_err() {
        let names = missing.iter().take(3).map(|name| name.as_str()).collect::<Vec<_>>().join(", ");
        let what = format!(
            "it has no reset, and no register of the name {names}: keep the names, or compare the module that it is in"
        );
        return Ok(Found::Unknown(what));
    }
    from_reset(yosys, question, emitted, own, differences)
}

const RESET: &str = "rst";

/// Whether `own` has a register of this name and width.
fn has(own: &Design, emitted: &Design, name: &str) -> bool {
    let width = |design: &Design| design.states.get(name).map(|state| state.node.width());
    width(own) == width(emitted)
}

/// The differences of the ports.
fn ports(emitted: &Design, own: &Design) -> Vec<String> {
    let widths = |signals: &Signals| -> BTreeMap<String, usize> {
        let named = signals.iter().filter(|(name, _)| is_port(name));
        named.map(|(name, node)| (name.to_owned(), node.width())).collect()
    };
    let mut found = Vec::new();
    for (kind, a, b) in [("input", &emitted.inputs, &own.inputs), ("output", &emitted.outputs, &own.outputs)]
    {
        let (a, b) = (widths(a), widths(b));
        let bits = |width: Option<&usize>| width.map_or("no".into(), |width| format!("{width}"));
        let mut names: Vec<&String> = a.keys().chain(b.keys()).collect();
        names.sort();
        names.dedup();
        for name in names.into_iter().filter(|name| a.get(*name) != b.get(*name)) {
            let (own, emitted) = (bits(b.get(name)), bits(a.get(name)));
            found.push(format!("{kind} {name} has {own} bits, emitted {emitted}"));
        }
    }
    found
}

/// Whether a name is a port: neither an undefined bit nor an input that represents a memory.
fn is_port(name: &str) -> bool {
    !is_undefined_bit(name) && !name.contains('.') && !name.contains("any_")
}

/// `own` with the inputs of `emitted`, and with its registers of the same names if `joined`.
fn with_inputs_of(emitted: &Design, own: &Design, joined: bool) -> Design {
    let mut substitution = Substitution::new();
    for (name, node) in own.inputs.iter().filter(|(name, _)| !is_undefined_bit(name)) {
        if let Ok(twin) = emitted.inputs.node(name)
            && twin.width() == node.width()
        {
            substitution.replace(node, twin);
        }
    }
    for (name, state) in own.states.iter().filter(|_| joined) {
        if let Some(twin) = emitted.states.get(name)
            && twin.node.width() == state.node.width()
        {
            substitution.replace(state.node, twin.node);
        }
    }
    let one = |node| substitution.apply([node])[0];
    let states = own.states.iter().map(|(name, state)| {
        (name.clone(), State { node: one(state.node), next: one(state.next), ..state.clone() })
    });
    Design {
        states: states.collect(),
        outputs: substitution.apply_to(&own.outputs),
        wires: substitution.apply_to(&own.wires),
        ..own.clone()
    }
}

/// Compares both designs from the same state: the differences after a clock or at an output.
fn by_name(solvers: &Solvers, emitted: &Design, own: &Design) -> Result<(Over, Option<Vec<String>>), Error> {
    let own = with_inputs_of(emitted, own, true);
    let after = |design: &Design| -> Signals {
        let of = |name: &String| Some((format!("{name} after the clock"), design.states.get(name)?.next));
        emitted.states.keys().filter_map(of).collect()
    };
    let over = if emitted.states.is_empty() { Over::Inputs } else { Over::States(emitted.states.len()) };
    let mut proof = solvers.proof(Prover { multiply: Multiply::Uninterpreted, ..Prover::default() });
    proof.equal("outputs", &[], &emitted.outputs, &own.outputs)?;
    proof.equal("registers", &[], &after(emitted), &after(&own))?;
    // Memories must have equal numbers of words.
    let sizes = |design: &Design| -> Signals {
        let sizes = design.wires.iter().filter(|(name, _)| name.ends_with(".size"));
        sizes.map(|(name, node)| (name.to_owned(), node)).collect()
    };
    let (sizes, mut of_own) = (sizes(emitted), sizes(&own));
    for (name, node) in sizes.iter().filter(|(name, _)| of_own.node(name).is_err()).collect::<Vec<_>>() {
        of_own.insert(name, Node::lit(node.width(), 0));
    }
    proof.equal("words of memories", &[], &sizes, &of_own)?;
    Ok((over, (!proof.is_proved()).then(|| differences(&proof))))
}

/// The findings of a proof's failed claims: the texts first, then the places.
fn differences(proof: &Proof) -> Vec<String> {
    let mut found = Vec::new();
    for obligation in proof.obligations() {
        found.extend(obligation.differences.iter().map(|line| line.replace("expected", "emitted")));
        match &obligation.verdict {
            Verdict::Refuted(values) if !values.is_empty() => {
                let values = values.iter().filter_map(|(node, value)| {
                    let name = node.name().filter(|name| !is_undefined_bit(name))?;
                    Some(format!("{} = {value}", name.trim_start_matches("emitted.")))
                });
                found.push(format!("when {}", values.collect::<Vec<_>>().join(", ")));
            }
            Verdict::Unknown => found.push(format!("a solver gave up on the {}", obligation.name)),
            _ => {}
        }
    }
    found
}

/// The memories that a design keeps as memories, with their sizes in bits.
fn memories(design: &Design) -> BTreeMap<String, usize> {
    let of = |(name, node): (&str, Node)| {
        let ram = name.strip_suffix(".size")?;
        let words = usize::try_from(node.value()?.to_u128()?).ok()?;
        let bits = design.states.get(&format!("{ram}.watched"))?.node.width();
        Some((ram.to_owned(), words * bits))
    };
    design.wires.iter().filter_map(of).collect()
}

/// The memories that are assumed to answer alike to equal requests.
const MEMORY: &str = "weft_ram_sdp";

/// Whether both sides have the same module of this name. Spaces and comments do not count.
fn same_text(question: &Question<'_>, name: &str) -> bool {
    fn words<'a>(modules: &'a [Module], name: &str) -> Option<Vec<&'a str>> {
        modules.iter().find(|module| module.name == name).and_then(|module| verilog::words(&module.text))
    }
    words(question.emitted, name) == words(question.own, name)
}

/// Compares both designs from reset on.
fn from_reset(
    yosys: &Yosys,
    question: &Question<'_>,
    emitted: Design,
    own: Design,
    by_name: Vec<String>,
) -> Result<Found, Error> {
    let (of_emitted, of_own) = (memories(&emitted), memories(&own));
    let bits = of_emitted.values().chain(of_own.values()).max().copied().unwrap_or(0);
    let (emitted, own, joined) = if bits <= BITS_MOST {
        let side = |modules: &[Module], scope: &str| {
            read(yosys, modules, question.module, question.parameters, scope, None)
        };
        (side(question.emitted, "emitted")?, side(question.own, "own")?, Vec::new())
    } else if !same_text(question, MEMORY) {
        let what = format!(
            "{MEMORY} is another, so what memories hold may be: compare it alone first, weft equiv {MEMORY} \
                            --param W=3 --param A=3 --param OUT_REG=0, and leave it out here"
        );
        return Ok(Found::Unknown(what));
    } else if of_emitted == of_own {
        (emitted, own, of_emitted.into_keys().collect())
    } else {
        let what = format!(
            "memories of {bits} bits differ, and registers of the same names do not tell more{}: ask for a smaller \
             shape (--connections 4, --param D=2), or keep the instances of memories",
            by_name.first().map_or(String::new(), |first| format!(" ({first})"))
        );
        return Ok(Found::Unknown(what));
    };
    let own = with_inputs_of(&emitted, &own, false);
    // First, registers without a counterpart hold 0 at the start, and resets come at any time. Then they hold
    // any value before the one reset.
    let ask = |from_zero: bool, seconds_max: f32| {
        let abc = Abc { seconds_max, ..Abc::find()? };
        Ok::<_, Error>(abc.decide(&miter(&emitted, &own, &joined, from_zero)?, SCRIPT)?)
    };
    let seconds_max = question.seconds_max;
    Ok(match ask(true, seconds_max)? {
        // The values that memories hold after a clock of reset follow from the values of registers.
        (Answer::Proved, _) if !joined.is_empty() => {
            Found::Equal(Over::Reset { memories: joined.len(), from_zero: true })
        }
        (Answer::Proved, _) => match ask(false, seconds_max)? {
            (Answer::Refuted, clock) => {
                let clock = clock.map_or(String::new(), |clock| format!(" {clock} clocks later"));
                let what = "with registers that hold something else than 0 before reset an output differs";
                Found::Differs([vec![format!("{what}{clock}")], by_name].concat())
            }
            (answer, _) => Found::Equal(Over::Reset { memories: 0, from_zero: answer != Answer::Proved }),
        },
        (Answer::Refuted, clock) => {
            let clock = clock
                .map_or(String::new(), |clock| format!(" {clock} clocks after the first clock of reset"));
            let what = match joined.is_empty() {
                true => format!("from reset on an output differs{clock}"),
                false => format!("from reset on an output, or what is asked of a memory, differs{clock}"),
            };
            Found::Differs([vec![what], by_name].concat())
        }
        (Answer::Unknown, _) => Found::Unknown(format!(
            "ABC found no answer in {seconds_max} s{}: ask for a smaller shape (--connections 4, --param D=2), give it more \
             --seconds, or keep the names of registers",
            by_name.first().map_or(String::new(), |first| format!("; in the same state, {first}")),
        )),
    })
}

/// Merges equal registers first. Most are equal if a user changed a part of a block.
const SCRIPT: &str = "strash; lcorr; scorr; dc2; pdr";

/// Both designs side by side from a clock of reset on. The bad states are those in which a valid output
/// differs, or a request to one of the memories `joined` differs. Both designs get the same answers from
/// these memories.
fn miter(emitted: &Design, own: &Design, joined: &[String], from_zero: bool) -> Result<System, Error> {
    let first = Node::fresh("first clock", 1);
    let mut drive = Substitution::new();
    let reset = emitted.inputs.node(RESET)?;
    drive.replace(reset, if from_zero { first | reset } else { first });
    // A memory answers with an arbitrary word, the same on both sides.
    for ram in joined {
        for design in [emitted, own] {
            let other = emitted.wires.node(&format!("{ram}.other"))?;
            drive.replace(design.registers().node(&format!("{ram}.watched"))?, other);
        }
    }
    let one = |node| drive.apply([node])[0];
    let is_memory =
        |name: &str| name.strip_suffix(".watched").is_some_and(|ram| joined.iter().any(|it| it == ram));
    let mut states = Vec::new();
    let alone =
        |name: &str, width: usize| if from_zero { Node::lit(width, 0) } else { Node::fresh(name, width) };
    for (name, state) in emitted.states.iter().filter(|(name, _)| !is_memory(name)) {
        // Registers of one name hold equal values before reset.
        let width = state.node.width();
        let init = Some(if has(own, emitted, name) { Node::fresh(name, width) } else { alone(name, width) });
        states.push(State { init, node: state.node, next: one(state.next) });
        if let Some(twin) = own.states.get(name).filter(|twin| twin.node.width() == state.node.width()) {
            states.push(State { init, node: twin.node, next: one(twin.next) });
        }
    }
    for (name, state) in own.states.iter().filter(|(name, _)| !is_memory(name) && !has(emitted, own, name)) {
        let init = Some(alone(name, state.node.width()));
        states.push(State { init, next: one(state.next), ..state.clone() });
    }
    let (mut same, mut alike) = (Vec::new(), Vec::new());
    for (name, a) in emitted.outputs.iter() {
        let b = own.outputs.node(name)?;
        let meant = weft_bench::valid_of(name).and_then(|valid| emitted.outputs.node(&valid).ok());
        same.push(meant.unwrap_or(Node::bit(true)).implies(a.equals(b)));
    }
    for ram in joined {
        let asked = |design: &Design, port: &str| design.wires.node(&format!("{ram}.{port}"));
        let both = |port: &str| Ok::<_, Error>(asked(emitted, port)?.equals(asked(own, port)?));
        let (we, re) = (asked(emitted, "we")?, asked(emitted, "re")?);
        alike.extend([both("we")?, both("re")?, both("oe")?]);
        alike.extend([re.implies(both("raddr")?), we.implies(both("waddr")? & both("wdata")?)]);
    }
    states.push(State { node: first, init: Some(Node::bit(true)), next: Node::bit(false) });
    // Memories hold equal words only if both sides also wrote them alike in the clock of reset.
    let bad = (!first & !one(Node::all(same))) | !one(Node::all(alike));
    Ok(System { states, constraints: Vec::new(), bad })
}
