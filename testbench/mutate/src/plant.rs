//! All faults in one text. The port `fault_planted` selects one fault.

use crate::Error;
use crate::fault::{Edit, Fault};
use crate::sites;
use crate::verilog::{self, Header, Item, Port};
use std::collections::{BTreeMap, HashMap};
use weft_hdl::{Floor, Module};

/// The port that chooses a fault: 0 for no fault, otherwise its place in the list, from 1 on. No name of a
/// block ends like this.
pub(crate) const PORT: &str = "fault_planted";

/// Verilog in which faults can be planted.
pub(crate) struct Field {
    pub(crate) modules: Vec<Module>,
    read: HashMap<String, verilog::Module>,
    headers: HashMap<String, Vec<Port>>,
}

impl Field {
    /// Reads the Verilog of a block.
    pub(crate) fn read(modules: Vec<Module>) -> Result<Self, Error> {
        let wrong = |module: &Module| {
            let name = module.name.clone();
            move |error| Error::Read { module: name, error }
        };
        let (mut read, mut headers) = (HashMap::new(), HashMap::new());
        for module in &modules {
            let Header { name, ports, .. } = verilog::header(&module.text).map_err(wrong(module))?;
            headers.insert(name, ports);
            if module.floor != Floor::Primitive {
                let found = verilog::module(&module.text).map_err(wrong(module))?;
                read.insert(module.name.clone(), found);
            }
        }
        Ok(Self { modules, read, headers })
    }

    /// The parsed text of a module that is not a primitive.
    pub(crate) fn module(&self, name: &str) -> Option<&verilog::Module> {
        self.read.get(name)
    }

    /// All faults of a module that is not a primitive.
    pub(crate) fn faults(&self, module: &Module) -> Vec<Fault> {
        let read = self.read.get(&module.name);
        read.map_or_else(Vec::new, |read| sites::faults(&module.text, read, &self.headers))
    }

    /// The modules with the faults and with the port `fault_planted`.
    pub(crate) fn plant(&self, faults: &[Fault]) -> Vec<Module> {
        let planted = |module: &Module| {
            let Some(read) = self.read.get(&module.name) else { return module.clone() };
            let mut inserts = Inserts::default();
            inserts.add(read.header.ports_at, format!("\n    input wire [15:0] {PORT},"));
            for item in &read.items {
                if let Item::Instance(instance) = item
                    && self.read.contains_key(&instance.module)
                {
                    inserts.add(instance.ports_at, format!(".{PORT} ({PORT}), "));
                }
            }
            for (number, fault) in (1..).zip(faults).filter(|(_, fault)| fault.module == module.name) {
                for edit in &fault.edits {
                    inserts.choice(number, edit);
                }
            }
            Module { text: inserts.into(&module.text), ..module.clone() }
        };
        self.modules.iter().map(planted).collect()
    }

    /// The text of a module with only this fault.
    pub(crate) fn with(&self, fault: &Fault) -> Option<String> {
        let mut text = self.modules.iter().find(|module| module.name == fault.module)?.text.clone();
        let mut replaced: Vec<_> = fault.edits.iter().collect();
        replaced.sort_by_key(|edit| match edit {
            Edit::Replace { span, .. } => std::cmp::Reverse(span.start),
            Edit::Skip { at } | Edit::Load { at, .. } => std::cmp::Reverse(*at),
        });
        for edit in replaced {
            match edit {
                Edit::Replace { span, with } => text.replace_range(span.clone(), with),
                Edit::Skip { at } => text.insert_str(*at, "if (1'b0) "),
                Edit::Load { at, register, value } => {
                    text.insert_str(*at, &format!("{register} <= {value};\n    "));
                }
            }
        }
        Some(text)
    }
}

/// Texts to insert into a text. Insertions nest, as expressions do.
#[derive(Default)]
struct Inserts {
    /// Texts to insert at each place: the text that closes an expression there, and the texts that open
    /// expressions
    /// there, with their ends.
    at: BTreeMap<usize, (String, Vec<(usize, String)>)>,
}

impl Inserts {
    fn add(&mut self, at: usize, text: String) {
        self.at.entry(at).or_default().1.push((usize::MAX, text));
    }

    fn choice(&mut self, number: u16, edit: &Edit) {
        match edit {
            Edit::Replace { span, with } => {
                let opens = format!("(({PORT} == 16'd{number}) ? ({with}) : (");
                self.at.entry(span.start).or_default().1.push((span.end, opens));
                self.at.entry(span.end).or_default().0 += "))";
            }
            Edit::Skip { at } => self.add(*at, format!("if ({PORT} != 16'd{number}) ")),
            Edit::Load { at, register, value } => {
                self.add(*at, format!("if ({PORT} == 16'd{number}) {register} <= {value};\n    "));
            }
        }
    }

    fn into(self, text: &str) -> String {
        let (mut out, mut from) = (String::with_capacity(2 * text.len()), 0);
        for (at, (closes, mut opens)) in self.at {
            out += &text[from..at];
            out += &closes;
            // The widest expression opens first.
            opens.sort_by_key(|(end, _)| std::cmp::Reverse(*end));
            opens.iter().for_each(|(_, opens)| out += opens);
            from = at;
        }
        out + &text[from..]
    }
}
