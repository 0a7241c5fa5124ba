//! A block in place of another that has the same ports.

use super::tree::{self, Node};
use super::{EmitError, Run};
use rust_hdl_core::prelude::{AtomKind, Block, check_all};
use std::collections::HashSet;

/// Makes the block that replaces another one.
pub(super) type Substitute = fn() -> Box<dyn Block>;

impl Run<'_> {
    /// Emits the block at `node`, or its replacement.
    pub(super) fn child(&mut self, node: &Node, wanted: &str, owner: &str) -> Result<String, EmitError> {
        let emitter = self.emitter;
        let Some((module, block)) = emitter.instead.iter().find(|(module, _)| self.is(node, module)) else {
            return self.node(node, wanted, owner, false);
        };
        let mut block = block();
        block.connect_all();
        let other = tree::read(&*block, &node.path)?;
        check_all(&*block).map_err(|e| EmitError::Check(format!("{e:?}")))?;
        match ports(node).symmetric_difference(&ports(&other)).next() {
            None => self.node(&other, wanted, owner, false),
            Some((port, ..)) => Err(EmitError::Instead { module: (*module).into(), port: (*port).into() }),
        }
    }

    /// Whether `node` is the block that is emitted as a top of this name.
    fn is(&self, node: &Node, module: &str) -> bool {
        self.source(node).is_ok_and(|source| source.own_name.as_deref() == Some(module))
    }
}

/// The ports of a block: name, width, and whether it is an input.
fn ports(node: &Node) -> HashSet<(&str, usize, bool)> {
    let inputs = node.ports.iter().map(|port| (port, matches!(port.kind, AtomKind::InputParameter)));
    let ports = inputs.filter(|(port, input)| *input || matches!(port.kind, AtomKind::OutputParameter));
    ports.map(|(port, input)| (port.path.as_str(), port.ty.width(), input)).collect()
}
