//! The instance tree of a design, read through rust-hdl's `Probe`.

use super::error::{EmitError, Refusal, Site};
use super::ty::Ty;
use rust_hdl_core::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A signal or constant of a block.
#[derive(Clone, Debug)]
pub(super) struct Port {
    /// Name with `$` between the parts.
    pub(super) path: String,
    pub(super) kind: AtomKind,
    pub(super) ty: Ty,
    /// Value of a constant, as `width'hdigits`.
    pub(super) value: String,
}

/// A block instance.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Instance name, with `$` before array indices.
    pub(super) name: String,
    /// Path from the top, for messages.
    pub(super) path: String,
    pub(super) ports: Vec<Port>,
    pub(super) children: Vec<Node>,
    /// Names of the Rust fields, in order.
    pub(super) fields: Vec<String>,
    pub(super) code: Verilog,
}

/// Reads the tree below `top`.
pub(super) fn read(top: &dyn Block, name: &str) -> Result<Node, EmitError> {
    let mut reader = Reader::default();
    top.accept(name, &mut reader);
    if let Some(error) = reader.error {
        return Err(error);
    }
    reader.done.ok_or(EmitError::Refused {
        site: Box::new(Site { module: name.into(), ..Site::default() }),
        refusal: Refusal::Unsupported("tops that are no block"),
    })
}

#[derive(Default)]
struct Reader {
    open: Vec<Node>,
    namespace: Vec<String>,
    done: Option<Node>,
    error: Option<EmitError>,
}

impl Reader {
    /// Notes that the innermost block has a field of this name.
    fn field(&mut self, name: &str) {
        let field = name.split('$').next().unwrap_or(name);
        if let Some(node) = self.open.last_mut()
            && self.namespace.is_empty()
            && node.fields.last().is_none_or(|f| f != field)
        {
            node.fields.push(field.into());
        }
    }
}

impl Probe for Reader {
    fn visit_start_scope(&mut self, name: &str, node: &dyn Block) {
        self.field(name);
        let path = match self.open.last() {
            Some(parent) => format!("{}.{}", parent.path, name.replace('$', ".")),
            None => name.to_string(),
        };
        // A block can panic here: the macros evaluate casts when the AST is built.
        let code = catch_unwind(AssertUnwindSafe(|| node.hdl())).unwrap_or_else(|panic| {
            let message = panic
                .downcast_ref::<String>()
                .cloned()
                .or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string()))
                .unwrap_or_default();
            self.error.get_or_insert(EmitError::Panicked { module: path.clone(), message });
            Verilog::Empty
        });
        self.open.push(Node {
            name: name.into(),
            path,
            ports: Vec::new(),
            children: Vec::new(),
            fields: Vec::new(),
            code,
        });
    }

    fn visit_start_namespace(&mut self, name: &str, _node: &dyn Block) {
        self.field(name);
        self.namespace.push(name.into());
    }

    fn visit_atom(&mut self, name: &str, signal: &dyn Atom) {
        self.field(name);
        let path = self.namespace.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join("$");
        if let Some(node) = self.open.last_mut() {
            node.ports.push(Port {
                path,
                kind: signal.kind(),
                ty: Ty::of(&signal.descriptor()),
                value: format!("{:x}", signal.verilog()),
            });
        }
    }

    fn visit_end_namespace(&mut self, _name: &str, _node: &dyn Block) {
        self.namespace.pop();
    }

    fn visit_end_scope(&mut self, _name: &str, _node: &dyn Block) {
        if let Some(node) = self.open.pop() {
            match self.open.last_mut() {
                Some(parent) => parent.children.push(node),
                None => self.done = Some(node),
            }
        }
    }
}
