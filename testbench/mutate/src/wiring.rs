//! The check of the wiring of `weft_nic` by its structure: nets join ports of equal names, and bits of equal
//! numbers.
//!
//! `m_axis_X_*` of a block connects to `s_axis_X_*` of another block. `cfg_<block>_X` of the registers
//! connects to `cfg_X` of the block, and likewise `stat_` and the streams of commands. Ports of the top
//! connect to ports of the same names.

use crate::fault::Fault;
use crate::plant::Field;
use crate::verilog::expression::{Expression, Kind};
use crate::verilog::{Item, Module, Port};
use crate::{Error, verilog};
use std::collections::HashMap;
use weft_hdl::Module as Emitted;

/// The module whose wiring is checked.
pub const TOP: &str = "weft_nic";

/// The instance that has ports to all other instances.
const REGISTERS: &str = "registers";

/// The instance that observes streams: its port `X_valid` joins `tvalid` of the stream X, at either end.
const WATCHER: &str = "holds";

/// The prefixes in the registers' names for ports of other instances: the prefix, the instance, and whether
/// the instance has the prefix too.
const PREFIXES: [(&str, &str, bool); 12] = [
    ("ingress_", "ingress", false),
    ("egress_", "egress", false),
    ("receiver_", "receiver", false),
    ("sack_rx_", "receiver", false),
    ("sender_", "sender", false),
    ("sack_tx_", "sender", true),
    ("smartt_", "sender", true),
    ("reps_", "sender", true),
    ("recovery", "sender", true),
    ("paths", "sender", true),
    ("window", "sender", true),
    ("rtt", "sender", true),
];

/// The module that has the blocks of a NIC with narrow streams. Proofs cover the rest of its wiring
/// (`weft_proof::around`).
const CORE: &str = "weft_nic_core";

/// Errors in the wiring of a NIC's blocks, one per line.
pub fn check(modules: &[Emitted]) -> Result<Vec<String>, Error> {
    let field = Field::read(modules.to_vec())?;
    let top = field.module(CORE).or_else(|| field.module(TOP));
    Ok(top.map_or_else(|| vec![format!("there is no {TOP}")], |top| complaints(top, &field)))
}

/// The number of faults that `weft_nic` can have, and the faults that the check does not find.
pub fn survivors(modules: &[Emitted]) -> Result<(usize, Vec<Fault>), Error> {
    let field = Field::read(modules.to_vec())?;
    let tops = modules.iter().filter(|module| module.name == TOP);
    let all: Vec<Fault> = tops.flat_map(|top| field.faults(top)).collect();
    let mut missed = Vec::new();
    for fault in &all {
        if find(&field, fault)?.is_empty() {
            missed.push(fault.clone());
        }
    }
    Ok((all.len(), missed))
}

/// The errors that the check finds in a NIC with this fault.
pub(crate) fn find(field: &Field, fault: &Fault) -> Result<Vec<String>, Error> {
    let text = field.with(fault).unwrap_or_default();
    let read = verilog::module(&text).map_err(|error| Error::Read { module: fault.module.clone(), error })?;
    Ok(complaints(&read, field))
}

/// The source of a bit.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Bit<'a> {
    /// A port of an instance. The top is the instance with an empty name.
    Port {
        instance: &'a str,
        port: &'a str,
        bit: usize,
    },
    Constant,
    /// Logic, not only wires.
    Logic,
}

/// The driver of a net.
enum Driver<'a> {
    Port { instance: &'a str, port: &'a str, width: usize },
    Value(&'a Expression),
}

/// Errors in the wiring, one per line.
pub(crate) fn complaints(top: &Module, field: &Field) -> Vec<String> {
    let mut wires = Wires { top, drivers: HashMap::new() };
    let mut sinks: Vec<(&str, &str, Vec<Bit<'_>>)> = Vec::new();
    for port in top.header.ports.iter().filter(|port| port.is_input) {
        let width = port.width.unwrap_or(1);
        wires.drivers.insert(&port.name, Driver::Port { instance: "", port: &port.name, width });
    }
    let ports_of = |module: &str| field.module(module).map_or(&[][..], |module| &module.header.ports);
    let mut loads = Vec::new();
    for item in &top.items {
        match item {
            Item::Assign(assign) => {
                wires.drivers.insert(&assign.target, Driver::Value(&assign.value));
            }
            Item::Instance(instance) => {
                for (name, value) in &instance.ports {
                    let port = ports_of(&instance.module).iter().find(|port| port.name == *name);
                    let Some(Port { is_input, width, .. }) = port else { continue };
                    match &value.kind {
                        _ if *is_input => loads.push((instance.name.as_str(), name.as_str(), value)),
                        Kind::Name(net) => {
                            let (instance, port) = (instance.name.as_str(), name.as_str());
                            let width = width.unwrap_or(1);
                            wires.drivers.insert(net, Driver::Port { instance, port, width });
                        }
                        _ => {}
                    }
                }
            }
            Item::Always(_) | Item::Registers(_) => return vec!["a process stands among the wires".into()],
        }
    }
    sinks.extend(loads.into_iter().map(|(instance, port, value)| (instance, port, wires.bits(value, 0))));
    for port in top.header.ports.iter().filter(|port| !port.is_input) {
        sinks.push(("", &port.name, wires.net(&port.name, 0)));
    }
    sinks.iter().filter_map(|(instance, port, bits)| complaint(instance, port, bits)).collect()
}

/// The error of a port that `bits` drive, the lowest bit first.
fn complaint(instance: &str, port: &str, bits: &[Bit<'_>]) -> Option<String> {
    // The wider ports of the top have zeros above.
    let is_padding = |at: usize| instance.is_empty() && bits[at..].iter().all(|bit| *bit == Bit::Constant);
    let sink = if instance.is_empty() { port.to_owned() } else { format!("{instance}.{port}") };
    if bits.is_empty() || is_padding(0) {
        return Some(format!("nothing drives {sink}"));
    }
    bits.iter().enumerate().find_map(|(at, bit)| match bit {
        Bit::Port { instance: from, port: source, bit } if joins((instance, port), (from, source)) => {
            (*bit != at).then(|| format!("bit {at} of {sink} is bit {bit} of {from}.{source}"))
        }
        Bit::Port { instance: from, port: source, .. } => {
            Some(format!("bit {at} of {sink} comes from {from}.{source}"))
        }
        Bit::Constant if is_padding(at) => None,
        Bit::Constant => Some(format!("bit {at} of {sink} is constant")),
        Bit::Logic => Some(format!("bit {at} of {sink} is more than a wire")),
    })
}

/// Whether a net may join two ports.
fn joins(one: (&str, &str), other: (&str, &str)) -> bool {
    if one.0 == WATCHER && other.1 != one.1 {
        let ends = ["m_axis_", "s_axis_"];
        let signal = ends.iter().find_map(|end| other.1.strip_prefix(end)).unwrap_or(other.1);
        return one.1.rsplit_once('_').is_some_and(|(stream, wire)| signal == format!("{stream}_t{wire}"));
    }
    let (a, b) = if one.0 == REGISTERS { (other, one) } else { (one, other) };
    if (a, b) == ((WATCHER, "stat"), (REGISTERS, "stat_holds")) {
        return true;
    }
    if a.0.is_empty() || b.0.is_empty() {
        return a.1 == b.1;
    }
    if b.0 != REGISTERS {
        return flipped(a.1).is_some_and(|name| name == b.1);
    }
    // The clock has one name at all instances, and so has the window of a connection at both ends.
    if b.1 == "now" {
        return a.1 == "now";
    }
    if matches!(b.1, "query" | "window_view") {
        return a == ("sender", b.1);
    }
    let kinds = [("cfg_", "cfg_"), ("stat_", "stat_"), ("m_axis_", "s_axis_"), ("s_axis_", "m_axis_")];
    kinds.iter().any(|(kind, theirs)| {
        let rest = b.1.strip_prefix(kind).unwrap_or_default();
        PREFIXES.iter().any(|(prefix, instance, keeps)| {
            let Some(short) = rest.strip_prefix(prefix) else { return false };
            let name = if *keeps { rest } else { short };
            a.0 == *instance && a.1 == format!("{theirs}{name}")
        })
    })
}

/// The port at the other end of a stream between two blocks.
fn flipped(port: &str) -> Option<String> {
    let end = |from: &str, to: &str| port.strip_prefix(from).map(|rest| format!("{to}{rest}"));
    end("m_axis_", "s_axis_").or_else(|| end("s_axis_", "m_axis_"))
}

struct Wires<'a> {
    top: &'a Module,
    drivers: HashMap<&'a str, Driver<'a>>,
}

/// Number of wires in a chain. A longer chain is a loop.
const DEPTH_MAX: usize = 16;

impl<'a> Wires<'a> {
    fn net(&self, name: &str, depth: usize) -> Vec<Bit<'a>> {
        match self.drivers.get(name) {
            Some(Driver::Port { instance, port, width }) => {
                (0..*width).map(|bit| Bit::Port { instance, port, bit }).collect()
            }
            Some(Driver::Value(value)) if depth < DEPTH_MAX => self.bits(value, depth + 1),
            _ => vec![Bit::Logic; self.top.widths.get(name).copied().unwrap_or(1)],
        }
    }

    /// The bits of a value, the lowest first.
    fn bits(&self, value: &Expression, depth: usize) -> Vec<Bit<'a>> {
        match &value.kind {
            Kind::Name(name) => self.net(name, depth),
            Kind::Sized(width, _) => vec![Bit::Constant; *width],
            Kind::Slice { name, high, low } => {
                let bits = self.net(name, depth);
                bits.get(*low..=*high).map_or_else(|| vec![Bit::Logic], <[_]>::to_vec)
            }
            Kind::Concat(parts) => parts.iter().rev().flat_map(|part| self.bits(part, depth)).collect(),
            Kind::Inside(value) => self.bits(value, depth),
            _ => vec![Bit::Logic],
        }
    }
}
