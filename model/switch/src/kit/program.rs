//! A program, checked against the rules of the hardware.

use super::builder::Builder;
use super::error::ProgramError;
use super::field::{Field, Role, Shape};
use super::op::{Kind, Op};
use super::profile::{Profile, Usage};
use super::shape::{Array, ArrayShape, Gress, Selector, SelectorShape, Table, TableShape};
use serde::Serialize;
use std::collections::BTreeMap;

pub use super::op::What;

/// A program that obeys the rules.
pub struct Program {
    pub(super) name: &'static str,
    pub(super) profile: Profile,
    pub(super) shapes: Vec<Shape>,
    pub(super) arrays: Vec<ArrayShape>,
    pub(super) tables: Vec<TableShape>,
    pub(super) selectors: Vec<SelectorShape>,
    pub(super) generators: usize,
    pub(super) ingress: Vec<Vec<Op>>,
    pub(super) egress: Vec<Vec<Op>>,
    pub(super) needs_load: bool,
}

/// A line of the table of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// Half of the program.
    pub gress: Gress,
    /// Stage.
    pub stage: usize,
    /// Operation.
    pub operation: &'static str,
    /// Kind of the operation.
    pub what: What,
    /// Array or table.
    pub memory: &'static str,
    /// Number of cells, entries or members.
    pub entries: usize,
    /// Width of each in bits.
    pub bits: u32,
    /// Fields read.
    pub reads: Vec<&'static str>,
    /// Fields written.
    pub writes: Vec<&'static str>,
}

impl Program {
    /// Name of the program.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The hardware for which the program is made.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// The register arrays by name, with cells and bits.
    pub fn arrays(&self) -> impl Iterator<Item = (Array, &'static str, usize, u32)> + '_ {
        self.arrays.iter().zip(0..).map(|(shape, at)| (Array(at), shape.name, shape.cells, shape.bits))
    }

    /// A table by name.
    pub fn table(&self, name: &str) -> Option<Table> {
        self.tables.iter().position(|shape| shape.name == name).map(|at| Table(at as u16))
    }

    /// A table of groups by name.
    pub fn selector(&self, name: &str) -> Option<Selector> {
        self.selectors.iter().position(|shape| shape.name == name).map(|at| Selector(at as u16))
    }

    /// Number of stages of one half up to the last one in use.
    pub fn depth(&self, gress: Gress) -> usize {
        self.half(gress).len()
    }

    pub(super) fn half(&self, gress: Gress) -> &[Vec<Op>] {
        match gress {
            Gress::Ingress => &self.ingress,
            Gress::Egress => &self.egress,
        }
    }

    fn all(&self) -> impl Iterator<Item = (Gress, usize, &Op)> {
        [Gress::Ingress, Gress::Egress].into_iter().flat_map(|gress| {
            let stages = self.half(gress).iter().enumerate();
            stages.flat_map(move |(stage, ops)| ops.iter().map(move |op| (gress, stage, op)))
        })
    }

    fn field_name(&self, field: Field) -> &'static str {
        self.shapes[usize::from(field.0)].name
    }

    /// A row for every operation: its place, memory and fields.
    pub fn rows(&self) -> Vec<Row> {
        let names = |fields: &[Field]| fields.iter().map(|field| self.field_name(*field)).collect();
        let row = |(gress, stage, op): (Gress, usize, &Op)| {
            let (memory, entries, bits) = match op.kind {
                Kind::Register { array, .. } => {
                    let shape = &self.arrays[array];
                    (shape.name, shape.cells, shape.bits)
                }
                Kind::Exact { table, .. } => {
                    let shape = &self.tables[table];
                    (shape.name, shape.entries, shape.key_bits + shape.data_bits)
                }
                Kind::Select { selector, .. } | Kind::Choose { selector, .. } => {
                    let shape = &self.selectors[selector];
                    (shape.name, shape.groups * shape.members, MEMBER_BITS)
                }
                _ => ("", 0, 0),
            };
            let (reads, writes) = (names(&op.reads), names(&op.writes));
            Row {
                gress,
                stage,
                operation: op.name,
                what: op.kind.what(),
                memory,
                entries,
                bits,
                reads,
                writes,
            }
        };
        self.all().map(row).collect()
    }

    /// The resources of the hardware that the program uses.
    pub fn usage(&self) -> Usage {
        let depth = self.ingress.len().max(self.egress.len());
        let holds = |stage: &usize| {
            [&self.ingress, &self.egress]
                .iter()
                .any(|half| half.get(*stage).is_some_and(|ops| !ops.is_empty()))
        };
        let own = |role| move |shape: &&Shape| shape.role == role;
        let bits = |role| self.shapes.iter().filter(own(role)).map(|shape| shape.bits).sum::<u32>();
        let actions = |stage: usize| {
            let ops = self.all().filter(|(_, at, _)| *at == stage);
            ops.map(|(_, _, op)| op.writes.len()).sum::<usize>()
        };
        let width = |fields: &[Field]| -> u32 {
            fields.iter().map(|field| self.shapes[usize::from(field.0)].bits).sum()
        };
        let of = |what: What| self.all().map(|(_, _, op)| op).filter(move |op| op.kind.what() == what);
        let most_read = |what| of(what).map(|op| op.reads.len()).max().unwrap_or(0);
        let most_bits = |what| of(what).map(|op| width(&op.reads)).max().unwrap_or(0);
        Usage {
            stage_actions: (0..depth).map(actions).max().unwrap_or(0),
            hash_bits: of(What::Hash).map(|op| width(&op.writes)).sum(),
            action_reads: most_read(What::Action),
            action_read_bits: most_bits(What::Action),
            register_reads: most_read(What::Register),
            register_read_bits: most_bits(What::Register),
            stages: (0..depth).filter(holds).count(),
            depth,
            arrays: self.arrays.len(),
            register_bits: self.arrays.iter().map(|shape| shape.cells * shape.bits as usize).sum(),
            memories: self.all().map(|(_, _, op)| self.memories(op)).sum(),
            operations: self.all().count(),
            own_bits: bits(Role::Own) + bits(Role::Carried),
            carried_bits: bits(Role::Carried),
        }
    }

    /// Blocks of memory that an operation needs. Cells have 8, 16, 32 or 64 bits in memory.
    fn memories(&self, op: &Op) -> usize {
        let cells = op.kind.array().map_or(0, |array| {
            let shape = &self.arrays[array];
            shape.cells * shape.bits.next_power_of_two().max(8) as usize
        });
        let bits = match op.kind {
            Kind::Exact { table, .. } => {
                let shape = &self.tables[table];
                shape.entries * (shape.key_bits + shape.data_bits) as usize
            }
            Kind::Select { selector, .. } | Kind::Choose { selector, .. } => {
                let shape = &self.selectors[selector];
                shape.groups * shape.members * MEMBER_BITS as usize
            }
            _ => 0,
        };
        cells.div_ceil(self.profile.memory_bits) + bits.div_ceil(self.profile.memory_bits)
    }
}

/// Bits of a member of a group: a port, or a path.
const MEMBER_BITS: u32 = 16;

impl std::fmt::Debug for Program {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Program")
            .field("name", &self.name)
            .field("usage", &self.usage())
            .finish_non_exhaustive()
    }
}

impl Builder {
    /// The program, or the first rule that it breaks.
    pub fn build(self) -> Result<Program, ProgramError> {
        check(self)
    }
}

/// Checks a program against all rules.
fn check(builder: Builder) -> Result<Program, ProgramError> {
    let Builder {
        name,
        profile,
        shapes,
        arrays,
        tables,
        selectors,
        generators,
        ingress,
        egress,
        first_error,
    } = builder;
    if let Some(error) = first_error {
        return Err(error);
    }
    let needs_load = ingress.iter().flatten().any(|op| matches!(op.kind, Kind::Choose { .. }));
    let program =
        Program { name, profile, shapes, arrays, tables, selectors, generators, ingress, egress, needs_load };
    program.check_accesses()?;
    program.check_fields()?;
    program.check_limits()?;
    Ok(program)
}

impl Program {
    fn check_accesses(&self) -> Result<(), ProgramError> {
        let mut owners: BTreeMap<(u8, usize), &'static str> = BTreeMap::new();
        let stages = self.profile.stages;
        for (_, stage, op) in self.all() {
            if stage >= stages {
                return Err(ProgramError::Stage { name: op.name, stage, stages });
            }
            if let Some(array) = op.kind.array()
                && let Some(first) = owners.insert((0, array), op.name)
            {
                let (array, second) = (self.arrays[array].name, op.name);
                return Err(ProgramError::TwoAccesses { array, first, second });
            }
            if let Kind::Exact { table, .. } = op.kind
                && let Some(first) = owners.insert((1, table), op.name)
            {
                let (table, second) = (self.tables[table].name, op.name);
                return Err(ProgramError::TwoLookups { table, first, second });
            }
        }
        Ok(())
    }

    fn check_fields(&self) -> Result<(), ProgramError> {
        let role = |field: Field| self.shapes[usize::from(field.0)].role;
        // The fields that the parser and the hardware set before the first stage.
        let mut written: Vec<bool> = self
            .shapes
            .iter()
            .map(|shape| matches!(shape.role, Role::Given | Role::Header | Role::Carried))
            .collect();
        for gress in [Gress::Ingress, Gress::Egress] {
            for (stage, ops) in self.half(gress).iter().enumerate() {
                for (at, op) in ops.iter().enumerate() {
                    let before = &ops[..at];
                    let reads = op.reads.iter().copied().chain(op.guard.field());
                    for field in reads {
                        // A field that another operation of the stage writes is not written yet.
                        let beside = ops.iter().enumerate().any(|(other, op)| {
                            other != at && op.writes.contains(&field) && !op.guard.excludes(ops[at].guard)
                        });
                        if !written[usize::from(field.0)] || beside {
                            let (name, field) = (op.name, self.field_name(field));
                            return Err(ProgramError::NotYetWritten { name, gress, stage, field });
                        }
                    }
                    for field in &op.writes {
                        if role(*field) == Role::Given {
                            return Err(ProgramError::Given {
                                name: op.name,
                                field: self.field_name(*field),
                            });
                        }
                        let other = before
                            .iter()
                            .find(|other| other.writes.contains(field) && !other.guard.excludes(op.guard));
                        if let Some(other) = other {
                            let (first, second, field) = (other.name, op.name, self.field_name(*field));
                            return Err(ProgramError::TwoWriters { first, second, gress, stage, field });
                        }
                    }
                }
                for field in ops.iter().flat_map(|op| &op.writes) {
                    written[usize::from(field.0)] = true;
                }
            }
        }
        Ok(())
    }

    fn check_limits(&self) -> Result<(), ProgramError> {
        let profile = &self.profile;
        let limit = |what, place: String, used: usize, limit: usize| match used <= limit {
            true => Ok(()),
            false => Err(ProgramError::Limit { what, place, used, limit }),
        };
        for stage in 0..profile.stages {
            let ops = || self.all().filter(move |(_, at, _)| *at == stage).map(|(_, _, op)| op);
            let place = || format!("stage {stage}");
            let arrays = ops().filter(|op| op.kind.array().is_some()).count();
            limit("register arrays", place(), arrays, profile.arrays_per_stage)?;
            limit("operations", place(), ops().count(), profile.operations_per_stage)?;
            let memories = ops().map(|op| self.memories(op)).sum();
            limit("memory blocks", place(), memories, profile.memories_per_stage)?;
        }
        for (_, _, op) in self.all() {
            if matches!(op.kind, Kind::Register { .. }) {
                limit("fields read", op.name.into(), op.reads.len(), profile.register_reads)?;
                limit("fields written", op.name.into(), op.writes.len(), profile.register_writes)?;
            }
        }
        let bits: u32 = self.shapes.iter().map(|shape| shape.bits).sum();
        limit("bits of fields", self.name.into(), bits as usize, profile.field_bits as usize)
    }
}
