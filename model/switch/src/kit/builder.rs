//! Programs are written with a builder.

use super::error::ProgramError;
use super::field::{Field, Phv, Role, Shape, intrinsic, mask};
use super::op::{Guard, Kind, MOST_KEYS, Op, gather, masked, scatter};
use super::profile::Profile;
use super::shape::{Array, ArrayShape, Gress, Selector, SelectorShape, Table, TableShape};

/// A program in the making. Mistakes are remembered and returned by [`Builder::build`].
pub struct Builder {
    pub(super) name: &'static str,
    pub(super) profile: Profile,
    pub(super) shapes: Vec<Shape>,
    pub(super) arrays: Vec<ArrayShape>,
    pub(super) tables: Vec<TableShape>,
    pub(super) selectors: Vec<SelectorShape>,
    pub(super) generators: usize,
    /// Operations by stage. Ingress and egress share the stages.
    pub(super) ingress: Vec<Vec<Op>>,
    pub(super) egress: Vec<Vec<Op>>,
    pub(super) first_error: Option<ProgramError>,
}

impl Builder {
    /// An empty program for hardware of this profile.
    pub fn new(name: &'static str, profile: Profile) -> Self {
        Self {
            name,
            profile,
            shapes: intrinsic::SHAPES.to_vec(),
            arrays: Vec::new(),
            tables: Vec::new(),
            selectors: Vec::new(),
            generators: 0,
            ingress: Vec::new(),
            egress: Vec::new(),
            first_error: None,
        }
    }

    fn add_field(&mut self, name: &'static str, bits: u32, role: Role) -> Field {
        if !(1..=64).contains(&bits) {
            self.first_error.get_or_insert(ProgramError::Width { name, bits });
        }
        self.shapes.push(Shape { name, bits, role });
        Field((self.shapes.len() - 1) as u16)
    }

    /// A field of the program's own, 1 to 64 bits; 0 as a packet enters the ingress stages.
    pub fn field(&mut self, name: &'static str, bits: u32) -> Field {
        self.add_field(name, bits, Role::Own)
    }

    /// A field of the program that a resubmitted, mirrored or recirculated packet keeps.
    pub fn carried(&mut self, name: &'static str, bits: u32) -> Field {
        self.add_field(name, bits, Role::Carried)
    }

    /// An array of `cells` of `bits` (1 to 64) each. The array is in the stage of its operation.
    pub fn array(&mut self, name: &'static str, cells: usize, bits: u32, initial: u64) -> Array {
        if !(1..=64).contains(&bits) || cells == 0 || initial > mask(bits) {
            self.first_error.get_or_insert(ProgramError::Width { name, bits });
        }
        self.arrays.push(ArrayShape { name, cells, bits, initial });
        Array((self.arrays.len() - 1) as u16)
    }

    /// A table of exact keys: at most `entries`, which set the fields of `data`. Without an entry the fields
    /// get the values in `data`.
    pub fn table(&mut self, name: &'static str, entries: usize, data: &[(Field, u64)]) -> Table {
        let data_bits = data.iter().map(|(field, _)| self.bits_of(*field)).sum();
        self.tables.push(TableShape { name, entries, key_bits: 0, data: data.to_vec(), data_bits });
        Table((self.tables.len() - 1) as u16)
    }

    /// A table of `groups`, each of at most `members`.
    pub fn selector(&mut self, name: &'static str, groups: usize, members: usize) -> Selector {
        self.selectors.push(SelectorShape { name, groups, members });
        Selector((self.selectors.len() - 1) as u16)
    }

    /// A stage, from 0, of the ingress.
    pub fn ingress(&mut self, stage: usize) -> StageBuilder<'_> {
        StageBuilder { builder: self, gress: Gress::Ingress, stage }
    }

    /// A stage, from 0, of the egress.
    pub fn egress(&mut self, stage: usize) -> StageBuilder<'_> {
        StageBuilder { builder: self, gress: Gress::Egress, stage }
    }

    pub(super) fn bits_of(&self, field: Field) -> u32 {
        self.shapes.get(usize::from(field.0)).map_or(64, |shape| shape.bits)
    }
}

/// Adds the operations of one stage. Functions are `Copy`, so their captures are constants.
pub struct StageBuilder<'a> {
    builder: &'a mut Builder,
    gress: Gress,
    stage: usize,
}

impl StageBuilder<'_> {
    fn push(&mut self, op: Op) -> &mut Self {
        let stages = match self.gress {
            Gress::Ingress => &mut self.builder.ingress,
            Gress::Egress => &mut self.builder.egress,
        };
        if stages.len() <= self.stage {
            stages.resize_with(self.stage + 1, Vec::new);
        }
        stages[self.stage].push(op);
        self
    }

    /// Computes fields from fields.
    pub fn alu<const R: usize, const W: usize>(
        &mut self,
        name: &'static str,
        guard: Guard,
        reads: [Field; R],
        writes: [Field; W],
        apply: impl Fn([u64; R]) -> [u64; W] + Copy + Send + Sync + 'static,
    ) -> &mut Self {
        let to = masked(&self.builder.shapes, writes);
        let kind = Kind::Alu(Box::new(move |phv: &mut Phv| {
            let values = apply(gather(phv, &reads));
            scatter(phv, &to, values);
        }));
        self.push(Op { name, guard, reads: reads.to_vec(), writes: writes.to_vec(), kind })
    }

    /// One access to the cell `index` of an array (modulo the number of cells): `apply` may change the cell
    /// and returns fields. The cell keeps the lowest bits that fit.
    pub fn register<const R: usize, const W: usize>(
        &mut self,
        (name, array, index): (&'static str, Array, Field),
        guard: Guard,
        reads: [Field; R],
        writes: [Field; W],
        apply: impl Fn(&mut u64, [u64; R]) -> [u64; W] + Copy + Send + Sync + 'static,
    ) -> &mut Self {
        let to = masked(&self.builder.shapes, writes);
        let bits = self.builder.arrays.get(usize::from(array.0)).map_or(64, |array| array.bits);
        let apply = Box::new(move |cell: &mut u64, phv: &mut Phv| {
            let values = apply(cell, gather(phv, &reads));
            *cell &= mask(bits);
            scatter(phv, &to, values);
        });
        let kind = Kind::Register { array: array.0.into(), index, apply };
        let mut all = reads.to_vec();
        all.push(index);
        self.push(Op { name, guard, reads: all, writes: writes.to_vec(), kind })
    }

    /// Looks keys up, eight at most; sets the fields of the table's data, and `hit` to 1 or 0.
    pub fn exact<const K: usize>(
        &mut self,
        name: &'static str,
        table: Table,
        guard: Guard,
        keys: [Field; K],
        hit: Field,
    ) -> &mut Self {
        const { assert!(K <= MOST_KEYS, "a key has at most eight fields") };
        let key_bits = keys.iter().map(|key| self.builder.bits_of(*key)).sum();
        let mut writes = vec![hit];
        if let Some(shape) = self.builder.tables.get_mut(usize::from(table.0)) {
            shape.key_bits = key_bits;
            writes.extend(shape.data.iter().map(|(field, _)| *field));
        }
        let kind = Kind::Exact { table: table.0.into(), keys: keys.to_vec(), hit };
        self.push(Op { name, guard, reads: keys.to_vec(), writes, kind })
    }

    /// A member of a group: number value x members / 2^bits, where `bits` is the width of `value`. An empty group gives 0.
    pub fn select(
        &mut self,
        name: &'static str,
        selector: Selector,
        guard: Guard,
        (group, value): (Field, Field),
        write: Field,
    ) -> &mut Self {
        let bits = self.builder.bits_of(value);
        let kind = Kind::Select { selector: selector.0.into(), group, value, bits, write };
        self.push(Op { name, guard, reads: vec![group, value], writes: vec![write], kind })
    }

    /// Selects a member of a group by the bytes that waited at the members' ports when the packet entered the
    /// pipeline (hardware has a table of these counts next to the stages). `apply` gets the members with
    /// these bytes, at least one, and returns the index of the chosen member. An empty group gives 0.
    pub fn choose<const R: usize>(
        &mut self,
        name: &'static str,
        selector: Selector,
        guard: Guard,
        (group, reads): (Field, [Field; R]),
        write: Field,
        apply: impl Fn(&[(u64, u32)], [u64; R]) -> usize + Copy + Send + Sync + 'static,
    ) -> &mut Self {
        let apply = move |_: &mut u64, members: &[(u64, u32)], reads| apply(members, reads);
        self.push_choice(name, (selector, None), guard, (group, reads), write, apply)
    }

    /// Selects a member with a cell of an array for each group (as DRILL's memory). `apply` may change the
    /// cell.
    pub fn choose_with<const R: usize>(
        &mut self,
        name: &'static str,
        (selector, memory): (Selector, Array),
        guard: Guard,
        (group, reads): (Field, [Field; R]),
        write: Field,
        apply: impl Fn(&mut u64, &[(u64, u32)], [u64; R]) -> usize + Copy + Send + Sync + 'static,
    ) -> &mut Self {
        self.push_choice(name, (selector, Some(memory)), guard, (group, reads), write, apply)
    }

    fn push_choice<const R: usize>(
        &mut self,
        name: &'static str,
        (selector, memory): (Selector, Option<Array>),
        guard: Guard,
        (group, reads): (Field, [Field; R]),
        write: Field,
        apply: impl Fn(&mut u64, &[(u64, u32)], [u64; R]) -> usize + Copy + Send + Sync + 'static,
    ) -> &mut Self {
        let apply = Box::new(move |cell: &mut u64, members: &[(u64, u32)], phv: &Phv| {
            apply(cell, members, gather(phv, &reads))
        });
        let memory = memory.map(|array| array.0.into());
        let kind = Kind::Choose { selector: selector.0.into(), memory, group, write, apply };
        let mut all = reads.to_vec();
        all.push(group);
        self.push(Op { name, guard, reads: all, writes: vec![write], kind })
    }

    /// A hash of fields (CRC-32 of their values, after the seed): the upper bits of the hash, as many as
    /// `write` has, at most 32.
    pub fn hash<const R: usize>(
        &mut self,
        name: &'static str,
        guard: Guard,
        (reads, seed): ([Field; R], u32),
        write: Field,
    ) -> &mut Self {
        let kind = Kind::Hash { reads: reads.to_vec(), write, seed };
        self.push(Op { name, guard, reads: reads.to_vec(), writes: vec![write], kind })
    }

    /// Random bits, as many as `write` has, at most 32.
    pub fn random(&mut self, name: &'static str, guard: Guard, write: Field) -> &mut Self {
        let generator = self.builder.generators;
        self.builder.generators += 1;
        let kind = Kind::Random { generator, write };
        self.push(Op { name, guard, reads: Vec::new(), writes: vec![write], kind })
    }
}
