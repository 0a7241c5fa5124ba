//! The order of a module's pieces: the order of `update`, with each submodule where its inputs are driven.

use super::{Instance, Printer};
use crate::emit::flow::Item;
use crate::emit::ir::{Expr, Id, Kind};
use crate::emit::ty::Ty;

/// Registers of one clock, reset and enable.
pub(super) struct Registers<'a> {
    pub(super) registers: Vec<&'a Instance>,
    /// The structs that are split, among the values of these registers.
    pub(super) splits: Vec<Id>,
}

/// An item that is printed on its own.
pub(super) enum Piece<'a> {
    Item(&'a Item),
    Instance(&'a Instance),
    /// The registers of a stage.
    Registers(Vec<Registers<'a>>),
    /// A vector that comes in is split.
    Split(Id),
}

impl<'a> Printer<'a> {
    /// All pieces in order: splits of ports, then logic and submodules.
    pub(super) fn pieces(&self) -> Vec<Piece<'a>> {
        let symbols = self.d.symbols;
        let ports = self.split_words().filter(|(_, s)| s.kind == Kind::Input);
        let mut pieces: Vec<Piece> = ports.map(|(id, _)| Piece::Split(id)).collect();
        let mut placed: Vec<(usize, usize, Piece)> = Vec::new();
        for item in &self.d.logic.items {
            placed.push((item.at, 0, Piece::Item(item)));
        }
        for instance in self.d.instances {
            let at = self.position(instance);
            placed.push((at, 1, Piece::Instance(instance)));
            let outputs = instance.ports.iter().map(|(_, id)| *id);
            for id in outputs.filter(|id| self.split_words().any(|(split, _)| split == *id)) {
                debug_assert!(matches!(symbols[id].kind, Kind::FromChild(..)));
                placed.push((at, 1, Piece::Split(id)));
            }
        }
        // Stable: a vector is split behind the instance that it comes from.
        placed.sort_by_key(|(at, rank, _)| (*at, *rank));
        pieces.extend(placed.into_iter().map(|(_, _, piece)| piece));
        self.with_registers_together(pieces)
    }

    /// The statement after which an instance is placed: the one that drives the last of its inputs. Clocks,
    /// ports of this module and numbers do not count.
    fn position(&self, instance: &Instance) -> usize {
        let symbols = self.d.symbols;
        let last = |id: Id| {
            let ids = symbols[id].leaves.iter().chain([&id]);
            ids.filter_map(|id| self.d.logic.last.get(id)).max().copied()
        };
        let says = |id: &Id| match self.inlined.get(id) {
            Some(Expr::Literal { .. }) => false,
            Some(Expr::Ref(from)) => symbols[*from].kind != Kind::Input,
            _ => symbols[*id].ty != Ty::Clock,
        };
        let inputs = instance.ports.iter().map(|(_, id)| *id);
        let inputs: Vec<Id> = inputs.filter(|id| matches!(symbols[*id].kind, Kind::ToChild(..))).collect();
        let telling = inputs.iter().copied().filter(says).filter_map(last).max();
        telling.or_else(|| inputs.iter().copied().filter_map(last).max()).unwrap_or(usize::MAX)
    }

    /// The names in an item: those that it drives, then those that it reads.
    pub(super) fn named(&self, item: &Item) -> Vec<Id> {
        let mut ids = Vec::new();
        for s in &item.stmts {
            s.writes(&mut |id| ids.push(id));
        }
        for s in &item.stmts {
            s.expressions(&mut |e| e.reads(self.d.symbols, &mut |id, _, _| ids.push(id)));
        }
        ids
    }

    /// The expressions at an instance's ports.
    pub(super) fn at_ports(&self, instance: &Instance) -> Vec<Id> {
        let mut ids = Vec::new();
        for (_, id) in &instance.ports {
            let symbol = &self.d.symbols[*id];
            match self.inlined.get(id) {
                Some(value) => value.reads(self.d.symbols, &mut |id, _, _| ids.push(id)),
                None if symbol.word => ids.push(*id),
                None => ids.extend(&symbol.leaves),
            }
        }
        ids
    }
}
