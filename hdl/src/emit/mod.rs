//! Verilog from Rust-HDL blocks, with the meaning that the Rust has.
//!
//! rust-hdl's own printer leaves widths to Verilog's rules, which differ from Rust's. This emitter reads the
//! same AST, determines every width by Rust's typing, and refuses designs that it cannot print exactly.
//! docs/emitter.md has the rules.

mod error;
#[path = "../../macros/src/expand.rs"]
mod expand;
mod fields;
mod flow;
mod instead;
mod ir;
mod lower;
#[path = "../../macros/src/named.rs"]
mod named;
mod names;
mod part;
mod print;
mod source;
mod token;
mod top;
mod tree;
mod ty;
mod word;

pub use error::{EmitError, Refusal, Site};
pub use part::{Parameter, Part};
pub use source::{SOURCES, Source, check_sources};

use crate::prim::reset_of_register;
use instead::Substitute;
use ir::{Kind, Symbol};
use lower::Lowering;
use part::Template;
use print::{Design, Instance, Printed, What};
use rust_hdl_core::prelude::{AtomKind, Block, Verilog, check_all};
use source::BlockSource;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use top::with_top_parameters;
use tree::Node;
use word::Word;

/// A Verilog file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// Module name; the file is `<name>.v`.
    pub name: String,
    /// The file's text.
    pub text: String,
    /// The floor of the module.
    pub floor: Floor,
}

/// The floor of a module: a module may use only those of earlier floors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Floor {
    /// A primitive, written by hand.
    Primitive,
    /// A part of several blocks.
    Part,
    /// A block, or a part of a single block.
    Block,
}

impl Floor {
    /// The folder of the module's file.
    pub fn folder(self) -> &'static str {
        match self {
            Floor::Primitive => "prim",
            Floor::Part => "part",
            Floor::Block => "block",
        }
    }
}

/// Emits the design below `top` as a module called `name`, with its submodules and the primitives used:
/// primitives first, every module before its users.
///
/// This function has the sources of this crate's own blocks; for other blocks use [`Emitter`].
pub fn emit<B: Block>(top: &mut B, name: &str) -> Result<Vec<Module>, EmitError> {
    Emitter::new().emit(top, name)
}

/// Emits designs from further sources, or with parameters in the header.
#[derive(Clone, Debug, Default)]
pub struct Emitter {
    sources: Vec<Source>,
    /// The owner is a module, or `None` for the top.
    parameters: Vec<(Option<String>, String, String)>,
    parts: &'static [Part],
    /// The modules that are replaced, and the blocks that replace them.
    instead: Vec<(&'static str, Substitute)>,
    all_parameters: bool,
    wrong: bool,
}

impl Emitter {
    /// Makes an emitter with the sources of this crate's blocks.
    pub fn new() -> Self {
        Emitter { sources: SOURCES.to_vec(), ..Emitter::default() }
    }

    /// Adds a file that contains blocks.
    pub fn source(mut self, file: &'static str, text: &'static str) -> Self {
        self.sources.push(Source { file, text });
        self
    }

    /// Adds a line about a parameter to the header of the top module.
    pub fn parameter(mut self, name: &str, value: impl ToString) -> Self {
        self.parameters.push((None, name.into(), value.to_string()));
        self
    }

    /// Adds a line about a parameter to the header of `module`. This block is also emitted as a top, so that
    /// both texts are the same.
    pub fn parameter_of(mut self, module: &str, name: &str, value: impl ToString) -> Self {
        self.parameters.push((Some(module.into()), name.into(), value.to_string()));
        self
    }

    /// Emits each of these parts once, with their widths as parameters.
    pub fn parts(mut self, parts: &'static [Part]) -> Self {
        self.parts = parts;
        self
    }

    /// Emits `block` in place of every instance of `module`, a block that is also emitted as a top. Both must
    /// have the same ports. A design that is generic over that block would need to be compiled once for each.
    pub fn instead(mut self, module: &'static str, block: fn() -> Box<dyn Block>) -> Self {
        self.instead.push((module, block));
        self
    }

    /// The top has the parameters for large memories and wide products even if its shape has no such
    /// primitive. So the surrounding design can set them for every shape.
    pub fn all_parameters(mut self) -> Self {
        self.all_parameters = true;
        self
    }

    /// Prints widths as rust-hdl does, wrongly. Tests use it to show that they find wrong widths.
    #[doc(hidden)]
    pub fn wrong_widths(mut self) -> Self {
        self.wrong = true;
        self
    }

    /// [`Emitter::emit`] for a new block. A block with all blocks below it is large. The function builds it
    /// on a separate stack, because a caller's stack may be too small.
    pub fn emit_new<B: Block + Default>(&self, name: &str) -> Result<Vec<Module>, EmitError> {
        std::thread::scope(|scope| {
            let emit = || self.emit(&mut B::default(), name);
            let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, emit);
            let panicked =
                |message: &str| EmitError::Panicked { module: name.into(), message: message.into() };
            let thread = thread.map_err(|error| panicked(&error.to_string()))?;
            thread.join().unwrap_or_else(|_| Err(panicked("the thread that emits it ended")))
        })
    }

    /// Emits the design below `top` as a module called `name`; see [`emit`].
    pub fn emit<B: Block>(&self, top: &mut B, name: &str) -> Result<Vec<Module>, EmitError> {
        top.connect_all();
        let tree = tree::read(top, name)?;
        let site = Box::new(Site { module: name.into(), ..Site::default() });
        names::verilog(name).map_err(|refusal| EmitError::Refused { site, refusal })?;
        let (mut blocks, mut words) = (Vec::new(), word::described_words());
        for source in &self.sources {
            blocks.extend(source::blocks(source)?);
            words.extend(word::words(source)?.iter().cloned());
        }
        let mut run = Run::new(self, name, blocks);
        run.words = words;
        run.node(&tree, name, name, true)?;
        check_all(top).map_err(|e| EmitError::Check(format!("{e:?}")))?;
        if let Some(module) = run.modules.iter().find(|m| run.primitives.contains_key(&m.name)) {
            return Err(EmitError::PrimitiveClash(module.name.clone()));
        }
        let primitives =
            run.primitives.into_iter().map(|(name, text)| Module { name, text, floor: Floor::Primitive });
        Ok(primitives.chain(run.modules).collect())
    }
}

/// Bytes of stack for a block that is emitted; the system allocates only the pages that are used.
const STACK: usize = 1 << 28;

/// Replaces a module's own name while the emitter compares the module's text with others.
const SELF: &str = "\u{1}";

struct Run<'a> {
    emitter: &'a Emitter,
    /// The top module's name, which no other module may have.
    top: String,
    blocks: Vec<Arc<BlockSource>>,
    words: Vec<Word>,
    primitives: BTreeMap<String, String>,
    modules: Vec<Module>,
    /// The parts met so far, as modules with parameters where possible.
    templates: HashMap<&'static str, Option<Template>>,
    /// Name of the module with a text. Each block names its modules by itself, so the names of a block's
    /// parts are independent of other blocks.
    bodies: HashMap<(String, String), String>,
}

impl<'a> Run<'a> {
    fn new(emitter: &'a Emitter, top: &str, blocks: Vec<Arc<BlockSource>>) -> Self {
        Run {
            emitter,
            top: top.into(),
            blocks,
            words: Vec::new(),
            primitives: BTreeMap::new(),
            modules: Vec::new(),
            templates: HashMap::new(),
            bodies: HashMap::new(),
        }
    }

    /// Emits `node`, a part of the block `owner`, and all modules below it; returns the name for an instance.
    fn node(&mut self, node: &Node, wanted: &str, owner: &str, top: bool) -> Result<String, EmitError> {
        match &node.code {
            Verilog::Blackbox(b) if !top => {
                let name = b.name.split([' ', '#']).next().unwrap_or(&b.name);
                let text = self.primitives.entry(name.into()).or_insert_with(|| b.code.clone());
                if *text != b.code {
                    return Err(EmitError::PrimitiveClash(name.into()));
                }
                Ok(b.name.clone())
            }
            Verilog::Combinatorial(_) => self.block(node, wanted, owner, top),
            other => {
                let what = match other {
                    Verilog::Blackbox(_) => "primitives as top",
                    Verilog::Custom(_) => "custom Verilog texts",
                    Verilog::Wrapper(_) => "wrappers",
                    _ => "blocks without #[hdl_gen]",
                };
                Err(EmitError::Refused { site: site(node, None, 0), refusal: Refusal::Unsupported(what) })
            }
        }
    }

    fn block(&mut self, node: &Node, wanted: &str, owner: &str, top: bool) -> Result<String, EmitError> {
        let source = self.source(node)?;
        // A block that is a top elsewhere, or a part of several blocks, is the same module here.
        let own_name = source.own_name.clone().filter(|own| !top && *own != self.top);
        let wanted = own_name.as_deref().unwrap_or(wanted);
        let owner = own_name.as_deref().unwrap_or(owner);
        let floor = if source.file.starts_with("hdl/src/part/") { Floor::Part } else { Floor::Block };
        let Printed { text, parameters } = self.compose(node, source, wanted, owner, top)?;
        match self.emitter.parts.iter().find(|part| own_name.as_deref() == Some(part.name)) {
            Some(part) => self.part(part, node, text),
            None => Ok(self.module(wanted, owner, text, floor) + &parameters),
        }
    }

    /// Emits a part that may be a module with parameters; returns the name for an instance.
    fn part(&mut self, part: &'static Part, node: &Node, text: String) -> Result<String, EmitError> {
        if !self.templates.contains_key(part.name) {
            let template = self.template(part)?;
            self.templates.insert(part.name, template);
        }
        let values = part.values(&widths(node));
        let template = self.templates.get(part.name).and_then(Option::as_ref);
        if let Some(template) = template
            && let Some(instance) = template.instance(&values, &text)
        {
            let text = template.text();
            self.module(part.name, part.name, text, Floor::Part);
            return Ok(instance);
        }
        let name = part.parameters.iter().zip(&values).fold(String::from(part.name), |name, (p, v)| {
            format!("{name}_{}{v}", p.name.to_ascii_lowercase())
        });
        Ok(self.module(&name, part.name, text, Floor::Part))
    }

    fn template(&self, part: &Part) -> Result<Option<Template>, EmitError> {
        let mut samples = Vec::new();
        for sample in part.samples {
            let mut block = sample();
            block.connect_all();
            let node = tree::read(&*block, part.name)?;
            // The samples' own parts are not part of the design.
            let mut run = Run::new(self.emitter, &self.top, self.blocks.clone());
            let source = run.source(&node)?;
            let printed = run.compose(&node, source, part.name, part.name, false)?;
            samples.push((part.values(&widths(&node)), printed.text));
        }
        Ok(Template::new(part, &samples))
    }

    /// Adds a module of the block `owner`, unless the module exists; returns the name for an instance.
    fn module(&mut self, wanted: &str, owner: &str, text: String, floor: Floor) -> String {
        let body = (owner.to_owned(), text);
        if let Some(instance) = self.bodies.get(&body) {
            return instance.clone();
        }
        let name = self.free_name(wanted);
        let all = self.emitter.all_parameters && name == self.top;
        let (text, parameters) = with_top_parameters(&body.1, all);
        self.modules.push(Module { name: name.clone(), text: text.replace(SELF, &name), floor });
        let instance = name + &parameters;
        self.bodies.insert(body, instance.clone());
        instance
    }

    /// The text of `node`, without its own name; emits the modules below it.
    fn compose(
        &mut self,
        node: &Node,
        source: BlockSource,
        wanted: &str,
        owner: &str,
        top: bool,
    ) -> Result<Printed, EmitError> {
        let refuse = |(refusal, line)| EmitError::Refused { site: site(node, Some(&source), line), refusal };
        if let Some((line, refusal)) = source.findings.first() {
            return Err(refuse((refusal.clone(), *line)));
        }
        let mut symbols = symbols(node, &source).map_err(|r| refuse((r, 0)))?;
        let Verilog::Combinatorial(code) = &node.code else {
            return Ok(Printed::default());
        };
        let fields = symbols.len();
        let mut lowering = Lowering::new(&mut symbols).map_err(|r| refuse((r, 0)))?;
        let body = lowering.body(code, &source.body);
        let line = lowering.line;
        let body = body.map_err(|r| refuse((r, line)))?;
        flow::check(&symbols, &body).map_err(refuse)?;
        let body = fields::spread(&mut symbols, body).map_err(|r| refuse((r, 0)))?;
        check_names(&symbols, node).map_err(|r| refuse((r, 0)))?;
        let logic = flow::group(&symbols, body).map_err(refuse)?;
        let instances = self.instances(node, wanted, owner, &symbols)?;
        let words = match top || source.is_top {
            true => word::lines(node, &self.words, |port| source.doc_of(port)),
            false => Vec::new(),
        };
        let is_part = self.emitter.parts.iter().any(|part| source.own_name.as_deref() == Some(part.name));
        Ok(print::module(&Design {
            name: SELF,
            header: self.header(&source, words, (!top).then_some(wanted)),
            symbols: &symbols,
            parameters: if source.has_parameters { fields } else { 0 },
            is_terse: !is_part,
            logic: &logic,
            instances: &instances,
            wrong: self.emitter.wrong,
        }))
    }

    fn source(&self, node: &Node) -> Result<BlockSource, EmitError> {
        let mut fitting = self.blocks.iter().filter(|b| b.fits(&node.fields));
        let mut source = fitting.next().map(|it| it.as_ref().clone()).ok_or_else(|| EmitError::NoSource {
            module: node.path.clone(),
            fields: node.fields.join(", "),
        })?;
        // Blocks with the same fields look alike: all must be clean, and a fact that only one of
        // them states is not used.
        for other in fitting {
            source.findings.extend(other.findings.clone());
            source.body = Vec::new();
            source.doc = Vec::new();
        }
        Ok(source)
    }

    fn instances(
        &mut self,
        node: &Node,
        wanted: &str,
        owner: &str,
        symbols: &[Symbol],
    ) -> Result<Vec<Instance>, EmitError> {
        let mut instances = Vec::new();
        for (i, child) in node.children.iter().enumerate() {
            // Array elements share a module if they are equal.
            let field = child.name.split('$').next().unwrap_or(&child.name);
            let what = match reset_of_register(&child.code) {
                Some(reset) => What::Register(reset.into()),
                None => What::Module(self.child(child, &format!("{wanted}_{field}"), owner)?),
            };
            let ports = symbols
                .iter()
                .enumerate()
                .filter(|(_, s)| s.part_of.is_none())
                .filter_map(|(id, s)| match &s.kind {
                    Kind::ToChild(c, port) | Kind::FromChild(c, port) if *c == i => Some((port.clone(), id)),
                    _ => None,
                })
                .collect();
            instances.push(Instance { what, name: child.name.replace('$', "_"), ports });
        }
        Ok(instances)
    }

    /// The comment above a module.
    fn header(&self, source: &BlockSource, words: Vec<String>, below_top: Option<&str>) -> Vec<String> {
        let mut header = vec![
            "SPDX-License-Identifier: MIT OR Apache-2.0".to_string(),
            format!("Generated by weft from {}. Do not edit.", source.file),
        ];
        if !source.doc.is_empty() {
            header.push(String::new());
            header.extend(source.doc.iter().cloned());
        }
        if !words.is_empty() {
            header.push(String::new());
            header.extend(words);
        }
        let of_this = |module: &Option<String>| module.as_deref() == below_top;
        let mut parameters = self.emitter.parameters.iter().filter(|(module, ..)| of_this(module)).peekable();
        if parameters.peek().is_some() {
            header.push(String::new());
            header.push("Parameters:".into());
            header.extend(parameters.map(|(_, name, value)| format!("  {name} = {value}")));
        }
        header
    }

    fn free_name(&self, wanted: &str) -> String {
        let taken = |name: &str| self.modules.iter().any(|m| m.name == name);
        if !taken(wanted) {
            return wanted.into();
        }
        (1..).map(|i| format!("{wanted}_{i}")).find(|name| !taken(name)).unwrap_or_default()
    }
}

/// The widths of a block's ports.
fn widths(node: &Node) -> HashMap<&str, usize> {
    node.ports.iter().map(|port| (port.path.as_str(), port.ty.width())).collect()
}

fn site(node: &Node, source: Option<&BlockSource>, line: usize) -> Box<Site> {
    Box::new(Site {
        module: node.path.clone(),
        file: source.map(|s| s.file.clone()).unwrap_or_default(),
        line: match (line, source) {
            (0, Some(s)) => s.line,
            _ => line,
        },
    })
}

/// The signals and constants of `node`, and those at its children's ports.
fn symbols(node: &Node, source: &BlockSource) -> Result<Vec<Symbol>, Refusal> {
    let mut symbols = Vec::new();
    for port in &node.ports {
        let (kind, name) = match port.kind {
            AtomKind::InputParameter => (Kind::Input, names::verilog(&port.path)?),
            AtomKind::OutputParameter => (Kind::Output, names::verilog(&port.path)?),
            AtomKind::LocalSignal => (Kind::Local, names::verilog(&port.path)?),
            AtomKind::Constant => {
                names::verilog(&port.path)?;
                (Kind::Constant, names::screaming(&port.path.replace('$', "_")))
            }
            _ => return Err(Refusal::Unsupported("inout ports")),
        };
        let symbol = Symbol::new(name, port.path.clone(), kind, port.ty.clone());
        let (value, doc) = (port.value.clone(), source.doc_of(&port.path));
        symbols.push(Symbol { value, doc, ..symbol });
    }
    for (i, child) in node.children.iter().enumerate() {
        names::verilog(&child.name)?;
        for port in &child.ports {
            let name = names::verilog(&port.path)?;
            let kind = match port.kind {
                AtomKind::InputParameter => Kind::ToChild(i, name),
                AtomKind::OutputParameter => Kind::FromChild(i, name),
                AtomKind::LocalSignal | AtomKind::Constant => continue,
                _ => return Err(Refusal::Unsupported("inout ports")),
            };
            let held = matches!(kind, Kind::FromChild(..)) && reset_of_register(&child.code).is_some();
            let path = format!("{}${}", child.name, port.path);
            let symbol = Symbol::new(names::verilog(&path)?, path, kind, port.ty.clone());
            symbols.push(Symbol { held, ..symbol });
        }
    }
    match symbols.iter().find(|s| s.ty.width() == 0) {
        Some(empty) => Err(Refusal::NoBits(flow::dots(&empty.path))),
        None => Ok(symbols),
    }
}

/// Refuses two objects with the same name, and names that the printer uses.
fn check_names(symbols: &[Symbol], node: &Node) -> Result<(), Refusal> {
    let mut names: HashSet<String> = HashSet::from(["unused".into()]);
    let children = node.children.iter().map(|c| c.name.replace('$', "_"));
    for name in symbols.iter().map(|s| s.name.clone()).chain(children) {
        if !names.insert(name.clone()) {
            return Err(Refusal::NameClash(name));
        }
    }
    Ok(())
}
