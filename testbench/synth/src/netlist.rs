//! A netlist in the format of yosys' `write_json`.

use crate::Error;
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};

/// The modules of a netlist, by name.
#[derive(Debug, Deserialize)]
pub struct Netlist {
    modules: BTreeMap<String, Module>,
}

/// A module.
#[derive(Debug, Deserialize)]
pub struct Module {
    /// The ports, by name.
    pub ports: BTreeMap<String, Port>,
    /// The cells, by name.
    pub cells: BTreeMap<String, Cell>,
    #[serde(rename = "netnames")]
    nets: BTreeMap<String, Net>,
}

/// A port.
#[derive(Debug, Deserialize)]
pub struct Port {
    /// `input` or `output`.
    pub direction: String,
    /// The bits, lowest first.
    pub bits: Vec<Bit>,
}

/// A cell.
#[derive(Debug, Deserialize)]
pub struct Cell {
    /// The type of the cell.
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default)]
    port_directions: BTreeMap<String, String>,
    /// The bits at the ports.
    #[serde(default)]
    pub connections: BTreeMap<String, Vec<Bit>>,
}

/// Names of nets.
#[derive(Debug, Deserialize)]
pub struct Net {
    hide_name: u8,
    bits: Vec<Bit>,
}

/// A bit: a net, or `None` for a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "RawBit")]
pub struct Bit(
    /// The number of the net.
    pub Option<u32>,
);

#[derive(Deserialize)]
#[serde(untagged)]
enum RawBit {
    Net(u32),
    #[allow(dead_code, reason = "whether it is 0, 1, x or z matters to nobody here")]
    Constant(String),
}

impl From<RawBit> for Bit {
    fn from(raw: RawBit) -> Self {
        match raw {
            RawBit::Net(net) => Bit(Some(net)),
            RawBit::Constant(_) => Bit(None),
        }
    }
}

impl Netlist {
    /// Reads the text that `write_json` wrote.
    pub fn read(json: &str) -> Result<Self, Error> {
        serde_json::from_str(json)
            .map_err(|error| Error::Unreadable { what: "yosys' netlist".into(), error: error.to_string() })
    }

    /// The module with a name.
    pub fn module(&self, name: &str) -> Result<&Module, Error> {
        let missing =
            || Error::Unreadable { what: "yosys' netlist".into(), error: format!("it has no module {name}") };
        self.modules.get(name).ok_or_else(missing)
    }
}

impl Module {
    /// The names of nets in the source. If there are several names, a register's name has priority, then the
    /// name with the fewest dots, then the shortest.
    pub fn names(&self) -> HashMap<u32, String> {
        let mut names: HashMap<u32, (bool, usize, usize, String)> = HashMap::new();
        for (name, net) in self.nets.iter().filter(|(_, net)| net.hide_name == 0) {
            for (bit, at) in net.bits.iter().zip(0..) {
                let Some(bit) = bit.0 else { continue };
                // A register's signal ends with `_q`, and the output of a primitive with state is `q`.
                let plain = name.strip_suffix("_q").or_else(|| name.strip_suffix(".q"));
                let (is_register, plain) = match plain {
                    Some(plain) => (true, plain),
                    None => (false, name.as_str()),
                };
                let place = (!is_register, plain.matches('.').count(), plain.len());
                if names.get(&bit).is_none_or(|known| (known.0, known.1, known.2) > place) {
                    let name = if net.bits.len() > 1 { format!("{plain}[{at}]") } else { plain.to_owned() };
                    names.insert(bit, (place.0, place.1, place.2, name));
                }
            }
        }
        names.into_iter().map(|(bit, (.., name))| (bit, name)).collect()
    }
}

impl Cell {
    /// The ports of one direction, with their nets.
    fn nets(&self, is_output: bool) -> impl Iterator<Item = (&str, u32)> {
        let is =
            move |port: &str| self.port_directions.get(port).is_some_and(|it| it == "output") == is_output;
        let ports = self.connections.iter().filter(move |(port, _)| is(port));
        ports.flat_map(|(port, bits)| bits.iter().filter_map(move |bit| Some((port.as_str(), bit.0?))))
    }

    /// The nets that the cell reads, each with its port.
    pub fn inputs(&self) -> impl Iterator<Item = (&str, u32)> {
        self.nets(false)
    }

    /// The nets that the cell drives, each with its port.
    pub fn outputs(&self) -> impl Iterator<Item = (&str, u32)> {
        self.nets(true)
    }
}
